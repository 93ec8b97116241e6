//! The statements that a step has come to, for its story.
//!
//! **Problem.** A step can go round a loop millions of times, and nobody reads that.
//!
//! **Idea.** The beginning is kept as it was, and of what comes after it each statement once.
//!
//! **Cost.** Memory for the beginning and for the program's statements, however long the step.

use rustc_hash::FxHashSet;

/// So many statements of one step are told in the order of their execution, every time again; of what
/// comes after them, each statement once.
const MOST_TOLD: usize = 2_000;

/// Statements in the order of their execution, as many as anybody could read. A loop of a million
/// rounds is told by its first rounds and by what else it comes to.
#[derive(Clone, Default)]
pub(crate) struct Visited {
    sites: Vec<u32>,
    /// Those among them, once there are too many.
    known: FxHashSet<u32>,
}

impl Visited {
    pub fn push(&mut self, site: u32) {
        if self.sites.last() == Some(&site) {
            return;
        }
        if self.sites.len() >= MOST_TOLD {
            if self.known.is_empty() {
                self.known.extend(&self.sites);
            }
            if !self.known.insert(site) {
                return;
            }
        }
        self.sites.push(site);
    }

    pub fn clear(&mut self) {
        *self = Visited::default();
    }

    pub fn take(&mut self) -> Vec<u32> {
        std::mem::take(self).sites
    }
}
