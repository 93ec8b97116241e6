//! Who has touched what, asked step by step.
//!
//! **Problem.** Whether a step is in conflict with any of thousands is asked for each of thousands.
//!
//! **Idea.** Two accesses are in conflict if they are to one location and not both only look. So it is enough to know of
//! each location who has looked at it, and who did more: one process, or several.
//!
//! **Cost.** That of the accesses, however many there were before.

use counterpoint_model::{Access, Location, Pid};
use rustc_hash::FxHashMap;

/// What was touched so far.
#[derive(Default)]
pub(super) struct Touched {
    /// For each location, by those who only looked (`true`), and by the others.
    by: FxHashMap<(Location, bool), Touchers>,
}

/// Who has touched a location in one of the two manners.
struct Touchers {
    first: Pid,
    /// Whether others have as well.
    several: bool,
    /// Whether one of them was waiting, so that it counts for its own process, too.
    waited: bool,
}

impl Touched {
    /// Adds the accesses of a process, which waits or does not.
    pub fn add(&mut self, process: Pid, waits: bool, footprint: &[Access]) {
        for access in footprint {
            let fresh = Touchers { first: process, several: false, waited: waits };
            let known = self.by.entry((access.location, access.mode.is_shared())).or_insert(fresh);
            known.several |= known.first != process;
            known.waited |= waits;
        }
    }

    /// Whether accesses of a process are in conflict with those of others, or of its own if one of the two waits.
    pub fn is_in_conflict(&self, process: Pid, waits: bool, footprint: &[Access]) -> bool {
        let touched = |location: Location, shared: bool| {
            let counts = |by: &Touchers| by.first != process || by.several || by.waited || waits;
            self.by.get(&(location, shared)).is_some_and(counts)
        };
        footprint.iter().any(|access| {
            let location = access.location;
            touched(location, false) || !access.mode.is_shared() && touched(location, true)
        })
    }
}
