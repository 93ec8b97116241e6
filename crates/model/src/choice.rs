//! The one type that holds all nondeterminism.

use crate::Pid;

/// One decision: which process takes the next step, and which of its alternatives.
///
/// Most operations have one alternative, number 0. A branch on an unknown has two (0 is false, 1 is
/// true), a choice among n has n, a notify has one per waiting process. A replay file, a
/// checkpoint, a work unit and a link to a trace are all lists of choices.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Choice {
    /// The process that goes.
    pub process: Pid,
    /// Which of the alternatives of its next operation it takes.
    pub alternative: u32,
}

impl Choice {
    /// The process takes its first alternative.
    pub fn of(process: Pid) -> Choice {
        Choice { process, alternative: 0 }
    }
}
