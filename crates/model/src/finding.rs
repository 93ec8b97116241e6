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
    /// What happened, in one line.
    pub message: String,
    /// Where in the code.
    pub site: Site,
}

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
}

/// A failure with the evidence that reproduces it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What kind of failure.
    pub kind: FindingKind,
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
    /// Two findings are the same failure if kind, name and places agree.
    pub fn same_failure(&self, other: &Finding) -> bool {
        let names = (failure_name(&self.message), failure_name(&other.message));
        self.kind == other.kind && names.0 == names.1 && self.places == other.places
    }
}

/// What a message calls the failure: the word before a colon, as exceptions begin with, or all of it.
/// What an exception says besides may be another thing in every execution.
pub fn failure_name(message: &str) -> &str {
    match message.split_once(": ") {
        Some((name, _)) if !name.contains(char::is_whitespace) => name,
        _ => message,
    }
}
