//! What a result may claim.

use serde::{Deserialize, Serialize};

/// The answer to "is the program right?".
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// At least one failure, with evidence that was replayed.
    Bug,
    /// Exhausted: nothing is left, no bound was hit, the solver answered every question.
    Ok,
    /// No failure so far, but something was left out: these bounds were hit.
    Incomplete(Vec<Bound>),
}

impl Verdict {
    /// The verdict that follows from what was found and what was left out.
    pub fn of(found: bool, bounds: &[Bound]) -> Verdict {
        match (found, bounds) {
            (true, _) => Verdict::Bug,
            (false, []) => Verdict::Ok,
            (false, bounds) => Verdict::Incomplete(bounds.to_vec()),
        }
    }

    /// `ok`, `bug` or `incomplete`, as in result files.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Bug => "bug",
            Verdict::Ok => "ok",
            Verdict::Incomplete(_) => "incomplete",
        }
    }

    /// 0 ok, 1 bug, 3 incomplete; 2 is for usage and input errors.
    pub fn exit_code(&self) -> u8 {
        match self {
            Verdict::Ok => 0,
            Verdict::Bug => 1,
            Verdict::Incomplete(_) => 3,
        }
    }
}

/// Why an exploration did not cover everything.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "bound", content = "detail", rename_all = "kebab-case")]
pub enum Bound {
    /// The time limit ran out.
    Time,
    /// The memory limit was about to be reached.
    Memory,
    /// The limit on executions was reached.
    Executions,
    /// Some execution was cut at the limit of steps.
    Steps,
    /// Some execution was cut where the front end could not go on.
    Unsupported,
    /// Some alternative lay deeper than the depth limit.
    Depth,
    /// The solver could not decide whether a branch is feasible: its reason.
    Solver(String),
    /// Something unknown was made concrete by the front end: what.
    Concretised(String),
    /// Steps were met whose orders the explorer cannot tell apart: what it saw.
    Unordered(String),
    /// Data races were asked for, and the explorer does not see all of them.
    Races,
    /// Deadlocks were found, and the search for further ones was given up.
    Deadlocks,
    /// The explorer samples and never exhausts.
    Sampled,
    /// Executions with more reads of foreign writes than this exist or may exist.
    NonLocalReads(u32),
    /// Executions with more preemptive switches than this exist.
    Preemptions(u32),
    /// The exploration was asked to stop (first failure, interruption).
    Stopped,
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Bound::Time => write!(f, "the time limit"),
            Bound::Memory => write!(f, "the memory limit"),
            Bound::Executions => write!(f, "the limit on executions"),
            Bound::Steps => write!(f, "the limit on steps per execution"),
            Bound::Unsupported => write!(f, "something that is not supported"),
            Bound::Depth => write!(f, "the depth limit"),
            Bound::Solver(why) => write!(f, "a branch the solver could not decide ({why})"),
            Bound::Concretised(what) => write!(f, "an unknown made concrete ({what})"),
            Bound::Unordered(what) => {
                write!(f, "steps whose order this explorer cannot tell apart ({what})")
            }
            Bound::Races => write!(f, "data races that this explorer does not see"),
            Bound::Deadlocks => write!(f, "a search for further deadlocks that grew too long"),
            Bound::Sampled => write!(f, "sampling, which never covers everything"),
            Bound::NonLocalReads(most) => {
                write!(f, "at most {most} non-local reads: executions with more exist")
            }
            Bound::Preemptions(most) => {
                write!(f, "at most {most} preemptive switches: executions with more exist")
            }
            Bound::Stopped => write!(f, "a request to stop"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_that_was_hit_never_ends_in_ok() {
        assert_eq!(Verdict::of(false, &[]), Verdict::Ok);
        assert_eq!(Verdict::of(true, &[]), Verdict::Bug);
        assert_eq!(Verdict::of(true, &[Bound::Time]), Verdict::Bug);
        let incomplete = Verdict::of(false, &[Bound::Solver("time-out".into())]);
        assert_eq!((incomplete.word(), incomplete.exit_code()), ("incomplete", 3));
    }
}
