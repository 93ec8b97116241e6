//! Which reads of an execution are non-local: they take a value that another process wrote.
//!
//! A read counts if the value was written by another process, unless starts and joins alone order that
//! write before it (Razavi, Farzan and Holzer 2012). Reads and updates of variables count; operations on
//! locks and other synchronisers, and that a process waits for the end of another one, do not.
//!
//! **Cost.** One pass over the events, for each start and join a copy of a row with an entry per process.

use counterpoint_model::{Access, Event, Location, Mode, Op, Pid};
use rustc_hash::{FxHashMap, FxHashSet};

/// A read of a value that another process wrote.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct NonLocalRead {
    /// The index of the event that reads.
    pub read: usize,
    /// The index of the event that wrote the value.
    pub write: usize,
    /// What was read.
    pub location: Location,
}

/// All non-local reads of an execution, in its order. An event that looks at several locations may occur
/// several times.
pub fn non_local_reads(events: &[Event]) -> Vec<NonLocalRead> {
    let accesses = events.iter().flat_map(|event| &event.footprint);
    let awaited = accesses.filter(|access| access.mode == Mode::Await);
    let awaited: FxHashSet<Location> = awaited.map(|access| access.location).collect();
    let mut found = Vec::new();
    let mut last: FxHashMap<Location, usize> = FxHashMap::default();
    let mut ordered: FxHashMap<Pid, Before> = FxHashMap::default();
    for (index, event) in events.iter().enumerate() {
        let process = event.process();
        for access in event.footprint.iter().filter(|access| takes_value(event, access, &awaited)) {
            let Some(&write) = last.get(&access.location) else { continue };
            let writer = events[write].process();
            let known = ordered.get(&process).and_then(|before| before.get(&writer));
            if writer != process && known.is_none_or(|&until| write >= until) {
                found.push(NonLocalRead { read: index, write, location: access.location });
            }
        }
        for access in event.footprint.iter().filter(|access| leaves_value(access)) {
            last.insert(access.location, index);
        }
        match event.op {
            Op::Start(child) => {
                let mut before = ordered.get(&process).cloned().unwrap_or_default();
                before.insert(process, index + 1);
                ordered.insert(child, before);
            }
            Op::Join(other) => {
                let mut theirs = ordered.get(&other).cloned().unwrap_or_default();
                theirs.insert(other, index);
                let mine = ordered.entry(process).or_default();
                for (known, until) in theirs {
                    let entry = mine.entry(known).or_default();
                    *entry = (*entry).max(until);
                }
            }
            _ => {}
        }
    }
    found
}

/// How many events read non-local values.
pub(crate) fn count(events: &[Event]) -> usize {
    let mut reads = non_local_reads(events);
    reads.dedup_by_key(|read| read.read);
    reads.len()
}

/// By process: its events before this index come before the next event of another one, by starts and joins
/// alone.
type Before = FxHashMap<Pid, usize>;

/// Whether later reads of the location see this access.
pub(crate) fn leaves_value(access: &Access) -> bool {
    matches!(access.mode, Mode::Write | Mode::Acquire | Mode::Release)
}

/// Whether a read or an update takes a value by this access.
fn takes_value(event: &Event, access: &Access, awaited: &FxHashSet<Location>) -> bool {
    let (Op::Read(own) | Op::Update(own)) = event.op else { return false };
    match access.mode {
        Mode::Read => {
            !awaited.contains(&access.location)
                || matches!(event.op, Op::Read(own) if own == access.location)
        }
        Mode::Write => own == access.location,
        Mode::Await | Mode::Acquire | Mode::Release => false,
    }
}
