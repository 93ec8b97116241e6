//! Which lines and branches of the user's sources were executed.

use std::collections::BTreeMap;

use serde::Serialize;

/// What was executed of one source file, over all runs that were watched.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct FileCoverage {
    /// The file as the user knows it.
    pub file: String,
    /// The lines that hold code, and whether a process came there.
    pub lines: BTreeMap<u32, bool>,
    /// The two-way branches in the order of their lines, where the front end can tell.
    pub branches: Vec<BranchCoverage>,
}

/// A place at which execution goes one way or the other.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct BranchCoverage {
    /// Its line.
    pub line: u32,
    /// Whether the jump was taken by somebody.
    pub taken: bool,
    /// Whether somebody went on without the jump.
    pub passed: bool,
}

impl BranchCoverage {
    /// How many of the two ways were gone.
    pub fn ways(self) -> u32 {
        u32::from(self.taken) + u32::from(self.passed)
    }
}
