//! What can be wrong with an execution.

use serde::{Deserialize, Serialize};

use crate::{Input, Pid, Place, Schedule, Site};

/// The kinds of failure.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    /// An assertion of the program failed.
    Assertion,
    /// An exception that nobody caught, or another fault of the program.
    Exception,
    /// Nobody can move and somebody is not done.
    Deadlock,
    /// Two unordered accesses to one location, one of them a write.
    Race,
    /// A task that waits for a condition that can never hold, without a cycle of waiting.
    Stuck,
    /// The program ended itself with a failure code.
    Exit,
    /// A state that the user asked for can be reached: not a bug by itself.
    Reached,
    /// The program needs something that the front end does not provide: not a bug of the program.
    Unsupported,
}

impl FindingKind {
    /// Whether a failure of this kind and name is a step that does not end.
    fn is_endless(self, name: &str) -> bool {
        self == FindingKind::Unsupported && name == ENDLESS
    }

    /// The word used in result files.
    pub fn word(self) -> &'static str {
        match self {
            FindingKind::Assertion => "assertion",
            FindingKind::Exception => "exception",
            FindingKind::Deadlock => "deadlock",
            FindingKind::Race => "race",
            FindingKind::Stuck => "stuck",
            FindingKind::Exit => "exit",
            FindingKind::Reached => "reached",
            FindingKind::Unsupported => "unsupported",
        }
    }
}

/// A failure inside one step, reported by the run in its event.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fault {
    /// What kind of failure.
    pub kind: FindingKind,
    /// What it is called, whatever the values that the message speaks of: the class of an exception, or
    /// the whole message.
    pub name: String,
    /// What happened, in one line.
    pub message: String,
    /// Where in the code.
    pub site: Site,
}

impl Fault {
    /// A failure whose message is always the same.
    pub fn new(kind: FindingKind, message: impl Into<String>, site: Site) -> Fault {
        let message = message.into();
        Fault { kind, name: message.clone(), message, site }
    }

    /// Whether it is a step that does not end.
    pub fn is_endless(&self) -> bool {
        self.kind.is_endless(&self.name)
    }

    /// A step that was given up, since it computes on and on.
    pub fn endless(message: impl Into<String>, site: Site) -> Fault {
        let kind = FindingKind::Unsupported;
        Fault { kind, name: ENDLESS.to_owned(), message: message.into(), site }
    }
}

/// What a step that does not end is called.
const ENDLESS: &str = "endless step";

/// Who waits for what, at the end of a run that cannot go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// The process that waits.
    pub process: Pid,
    /// What it waits for, as in "lock a" or "thread t1 to end".
    pub what: String,
    /// The processes that could let it go on, where the run knows them: the holder of the lock,
    /// the thread to be joined, the task that owns the future.
    pub whom: Vec<Pid>,
    /// Where it waits.
    pub site: Site,
    /// Whether it runs all the time, in a loop that looks for a change.
    pub looping: bool,
}

/// A failure with the evidence that reproduces it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What kind of failure.
    pub kind: FindingKind,
    /// What it is called, whatever the values, threads and objects that the message speaks of.
    pub name: String,
    /// What happened, in one line, the same for every schedule that shows it.
    pub message: String,
    /// The places involved: the failing line, both accesses of a race, where each process waits.
    pub places: Vec<Place>,
    /// For a deadlock, who waits for whom.
    pub waiting: Vec<Waiting>,
    /// The input values that show it.
    pub inputs: Vec<Input>,
    /// The schedule that shows it.
    pub schedule: Schedule,
}

impl Finding {
    /// By what it is told from other findings.
    pub fn likeness(&self) -> Likeness<'_, Place> {
        Likeness { kind: self.kind, name: &self.name, places: &self.places, waiting: &self.waiting }
    }
}

/// By what one failure is told from another, whichever of several like threads and objects are
/// concerned, and whatever values its message speaks of. Failures that are alike are told once, with a
/// count.
#[derive(Copy, Clone, Debug)]
pub struct Likeness<'a, P> {
    /// What kind of failure.
    pub kind: FindingKind,
    /// What it is called.
    pub name: &'a str,
    /// Where, in any order.
    pub places: &'a [P],
    /// Who waits for whom.
    pub waiting: &'a [Waiting],
}

impl<P> Likeness<'_, P> {
    /// Whether it is a step that does not end.
    pub fn is_endless(&self) -> bool {
        self.kind.is_endless(self.name)
    }
}

impl<P: Ord> Likeness<'_, P> {
    /// Whether the two are told as one.
    pub fn is_one_with(&self, other: &Likeness<'_, P>) -> bool {
        // The name of a deadlock says who waits; where they wait is what counts.
        let is_about_waiting = matches!(self.kind, FindingKind::Deadlock | FindingKind::Stuck);
        self.kind == other.kind
            && ((is_about_waiting || self.name == other.name)
                && same_in_any_order([self.places, other.places])
                || wait_in_one_cycle(self.waiting, other.waiting))
    }
}

/// Whether processes wait for each other in cycles at the same places in both, whoever waits for them
/// besides. The cycle is what has to be mended; bystanders come in as many combinations as there are.
fn wait_in_one_cycle(one: &[Waiting], other: &[Waiting]) -> bool {
    let cycle = cycle_sites(one);
    !cycle.is_empty() && cycle == cycle_sites(other)
}

/// Where the processes that wait for each other in cycles do so, in order.
fn cycle_sites(waiting: &[Waiting]) -> Vec<Site> {
    let place = |pid: Pid| waiting.iter().position(|waiting| waiting.process == pid);
    let is_in_cycle = |start: usize| {
        let mut met = vec![false; waiting.len()];
        let mut work = vec![start];
        while let Some(index) = work.pop() {
            for next in waiting[index].whom.iter().filter_map(|&pid| place(pid)) {
                if next == start {
                    return true;
                }
                if !std::mem::replace(&mut met[next], true) {
                    work.push(next);
                }
            }
        }
        false
    };
    let members = (0..waiting.len()).filter(|&index| is_in_cycle(index));
    let mut sites: Vec<Site> = members.map(|index| waiting[index].site).collect();
    sites.sort_unstable();
    sites
}

fn same_in_any_order<P: Ord>([one, other]: [&[P]; 2]) -> bool {
    let sorted = |places: &'_ [P]| {
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|&index| &places[index]);
        order
    };
    one == other
        || one.len() == other.len()
            && sorted(one).iter().zip(sorted(other)).all(|(&a, b)| one[a] == other[b])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bystanders_do_not_make_another_cycle() {
        let waits = |process, whom: &[u32], site| Waiting {
            process: Pid(process),
            what: String::new(),
            whom: whom.iter().copied().map(Pid).collect(),
            site: Site(site),
            looping: false,
        };
        let cycle = [waits(1, &[2], 10), waits(2, &[1], 20)];
        let watched = [waits(0, &[1], 5), waits(1, &[2], 10), waits(2, &[1], 20)];
        let elsewhere = [waits(1, &[2], 10), waits(2, &[1], 21)];
        let chain = [waits(0, &[1], 5), waits(1, &[7], 10)];
        assert!(wait_in_one_cycle(&cycle, &watched));
        assert!(!wait_in_one_cycle(&cycle, &elsewhere));
        assert!(!wait_in_one_cycle(&chain, &chain));
        assert!(!wait_in_one_cycle(&chain, &cycle));
    }

    #[test]
    fn like_failures_are_told_once() {
        let cases = [
            (FindingKind::Deadlock, "a and b wait", "a and c wait", true),
            (FindingKind::Race, "Node.next, one reads", "Node.next, one reads", true),
            (FindingKind::Race, "Node.next, one reads", "Node.next, one writes", false),
            (FindingKind::Exception, "Late", "Late", true),
            (FindingKind::Exception, "Late", "Early", false),
        ];
        for (kind, one, other, expected) in cases {
            let is_one = |[one, other]: [&str; 2], [there, elsewhere]: [&[u8]; 2]| {
                let likeness = |name, places| Likeness { kind, name, places, waiting: &[] };
                likeness(one, there).is_one_with(&likeness(other, elsewhere))
            };
            assert_eq!(is_one([one, other], [&[1, 2], &[2, 1]]), expected, "{one} {other}");
            assert!(!is_one([one, one], [&[1, 2], &[1, 1]]), "{one}");
            assert!(!is_one([one, one], [&[1, 2], &[1, 2, 2]]), "{one}");
        }
    }
}
