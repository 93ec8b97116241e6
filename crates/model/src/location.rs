//! Places in memory and places in the source.

use serde::{Deserialize, Serialize};

/// A place that more than one process can reach: a shared variable, a field of a published object,
/// an array element, a lock, a condition's wait set, a process's own cell, a future.
///
/// Front ends number locations densely, and the same thing has the same number in every run of one
/// `Program` value, whatever the schedule: explorers keep tables indexed by it and compare traces of
/// different executions by it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location(pub u32);

impl Location {
    /// The number as a table index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A position in the program's code, resolved to a [`Place`] by [`Program::place`](crate::Program::place).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Site(pub u32);

/// A position in the user's source.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Place {
    /// File as the user knows it; empty if unknown.
    pub file: String,
    /// Line from 1; 0 if unknown.
    pub line: u32,
    /// Column from 1; 0 if unknown.
    pub column: u32,
    /// The enclosing function, method or class, if any.
    pub function: String,
}

impl Place {
    /// The file's name without folders.
    pub fn file_name(&self) -> &str {
        self.file.rsplit(['/', '\\']).next().unwrap_or_default()
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.file.is_empty(), self.line) {
            (true, _) => write!(f, "{}", self.function),
            (false, 0) => write!(f, "{}", self.file),
            (false, line) => write!(f, "{}:{line}", self.file),
        }
    }
}
