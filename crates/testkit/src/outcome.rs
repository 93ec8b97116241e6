//! Final states and local states in a form that does not depend on the schedule.
//!
//! The run under test and the oracle both fill in a [`FinalState`], so that equal states have equal
//! texts.

use std::fmt;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// What is left when nobody moves any more.
#[derive(Clone, Debug, Default)]
pub struct FinalState {
    /// Shared variables with their values.
    pub shared: Vec<(String, String)>,
    /// The threads.
    pub threads: Vec<FinalThread>,
}

/// One thread at the end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct FinalThread {
    /// The numbers of its path.
    pub path: Vec<u32>,
    /// `done`, `failed`, or the line at which it waits.
    pub status: String,
    /// Its registers with their values.
    pub registers: Vec<(String, String)>,
}

impl fmt::Display for FinalState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.shared {
            write!(f, "{name}={value} ")?;
        }
        let mut threads: Vec<&FinalThread> = self.threads.iter().collect();
        threads.sort();
        for thread in threads {
            write!(f, "| {} {}", path_text(&thread.path), thread.status)?;
            for (name, value) in &thread.registers {
                write!(f, " {name}={value}")?;
            }
            write!(f, " ")?;
        }
        Ok(())
    }
}

/// How a process path is written: `0.2.1`.
pub fn path_text(path: &[u32]) -> String {
    let numbers: Vec<String> = path.iter().map(u32::to_string).collect();
    numbers.join(".")
}

/// The digest of a thread's local state: where it stands (line and part of the line; nothing if it
/// has ended) and what its registers hold.
pub fn local_digest(position: Option<(u32, u32)>, registers: impl Iterator<Item = u64>) -> u64 {
    let mut hasher = FxHasher::default();
    position.hash(&mut hasher);
    registers.for_each(|value| value.hash(&mut hasher));
    hasher.finish()
}
