//! Digests of traces, which do not depend on the order of independent events.
//!
//! **Idea.** A trace is told by the sum of the digests of its events. The digest of an event is made of its process's
//! previous one, of its alternative, and for everything it touches of how it does that, of the last event that changed it
//! and, if the event changes it itself, of those that have looked since.
//!
//! **Invariant.** A trace has the same digest in every process that explores the program. So numbers that a process gives
//! out for itself, those of locations and of the program's processes, are no part of it. A program's process begins with a
//! digest of its path. What an event touches needs no name: it follows from what its process has done and found so far,
//! and that is in the digest. Nor does the order of what it touches, which may be that of the numbers: two events that
//! change the same things are not independent, so which of them was the last to change which thing is no question.
//!
//! **Cost.** A step costs what it touches.

use counterpoint_model::{Event, Location, Pid, ProcessNames};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::mixing::{chain, scramble};

/// Digests of what happened.
#[derive(Default)]
pub(super) struct Digests {
    /// That of the trace.
    pub trace: u128,
    /// By process: that of its path.
    paths: FxHashMap<Pid, u128>,
    /// By process: its last event.
    processes: FxHashMap<Pid, u128>,
    /// By location: the event that changed it last, and the sum of those that have looked since.
    places: FxHashMap<Location, LastAccesses>,
    undo: Vec<Undo>,
}

/// The event that changed a location last, and the sum of those that have looked since.
type LastAccesses = (u128, u128);

struct Undo {
    trace: u128,
    process: (Pid, Option<u128>),
    places: SmallVec<[(Location, Option<LastAccesses>); 3]>,
}

impl Digests {
    /// Tells nodes apart: the trace, and who moved last.
    pub fn node(&mut self, last: Option<Pid>, names: &ProcessNames) -> u128 {
        let last = last.map_or(0, |process| self.path(process, names) as u64);
        scramble(self.trace, last)
    }

    fn path(&mut self, process: Pid, names: &ProcessNames) -> u128 {
        let digest = || chain(names.path(process).bytes().map(u64::from));
        *self.paths.entry(process).or_insert_with(digest)
    }

    /// An event has happened.
    pub fn note(&mut self, event: &Event, names: &ProcessNames) {
        let process = event.process();
        let previous = self.processes.get(&process).copied();
        let before = previous.unwrap_or_else(|| self.path(process, names));
        let mut own = scramble(scramble(before, 1), u64::from(event.choice.alternative));
        for access in &event.footprint {
            let (changed, looked) = self.places.get(&access.location).copied().unwrap_or_default();
            let mut found = scramble(changed, 8 + access.mode as u64);
            if !access.mode.is_shared() {
                found = scramble(found.wrapping_add(scramble(looked, 3)), 2);
            }
            own = own.wrapping_add(found);
        }
        own = scramble(own, 6);
        let mut places = SmallVec::new();
        for access in &event.footprint {
            let before = self.places.get(&access.location).copied();
            places.push((access.location, before));
            let (changed, looked) = before.unwrap_or_default();
            let after = match access.mode.is_shared() {
                true => (changed, looked.wrapping_add(scramble(own, 4))),
                false => (own, 0),
            };
            self.places.insert(access.location, after);
        }
        let trace = self.trace;
        self.trace = trace.wrapping_add(scramble(own, 5));
        self.processes.insert(process, own);
        self.undo.push(Undo { trace, process: (process, previous), places });
    }

    /// The last event has not happened.
    pub fn forget(&mut self) {
        let undo = self.undo.pop().expect("there is an event to forget");
        self.trace = undo.trace;
        match undo.process {
            (process, Some(previous)) => self.processes.insert(process, previous),
            (process, None) => self.processes.remove(&process),
        };
        for (location, before) in undo.places.into_iter().rev() {
            match before {
                Some(before) => self.places.insert(location, before),
                None => self.places.remove(&location),
            };
        }
    }
}
