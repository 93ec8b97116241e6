//! Data races, by definition.
//!
//! Two accesses to a variable by different threads are a data race if one of them writes, they are not
//! both volatile or atomic, and neither happens before the other. As Java has it, an action happens
//! before another if a chain of these leads from the one to the other:
//!
//! - both are of one thread, in this order;
//! - freeing a lock, and taking it later; a wait frees its lock and takes it again;
//! - writing a volatile variable, or changing it atomically, and reading or changing it later. A
//!   compare-and-set that fails only reads;
//! - giving or taking a permit of a semaphore, and giving or taking one later;
//! - starting a thread, and what it does; what a thread does, and a join that has waited for its end.
//!
//! Every event knows what happens before it, as a number of events for each thread; every access of the
//! execution is kept and compared with all that follow.

use std::collections::HashMap;
use std::rc::Rc;

use super::{Clock, Race, State};
use crate::ast::LocationKind;

/// What a step does, as far as it matters to data races.
#[derive(Copy, Clone, Debug)]
pub(super) enum Act {
    /// Reads a variable.
    Read(u32),
    /// Writes a variable.
    Write(u32),
    /// Reads a variable and changes it at once, if it did.
    Update(u32, bool),
    /// Takes a lock or a permit.
    Take(u32),
    /// Frees a lock or gives a permit.
    Free(u32),
    /// Starts a thread.
    Start(usize),
    /// Has waited for the end of a thread.
    Join(usize),
}

/// The accesses so far, and what those who synchronise at a location learn.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    told: HashMap<u32, Clock>,
    accesses: HashMap<u32, Vec<Past>>,
}

#[derive(Copy, Clone, Debug)]
struct Past {
    thread: usize,
    /// Its number among the thread's events.
    event: u32,
    line: u32,
    writes: bool,
    atomic: bool,
}

impl Clock {
    fn of(&self, thread: usize) -> u32 {
        self.0.get(thread).copied().unwrap_or(0)
    }
}

impl State<'_> {
    pub(super) fn is_volatile(&self, location: u32) -> bool {
        !matches!(
            self.ast.declarations[location as usize].kind,
            LocationKind::Variable { volatile: false, .. }
        )
    }

    /// Compares what the last step of a thread has done, at a line, with all that was done before.
    pub(super) fn find_races(&mut self, thread: usize, line: u32) {
        self.races.clear();
        let number = self.threads[thread].number;
        let mut known = Clock::clone(&self.threads[thread].known);
        known.count(number);
        let mut memory = Memory::clone(&self.memory);
        for act in std::mem::take(&mut self.acts) {
            let (learns, access, tells) = match act {
                Act::Read(location) => {
                    let atomic = self.is_volatile(location);
                    (atomic.then_some(location), Some((location, false, atomic)), None)
                }
                Act::Write(location) => {
                    let atomic = self.is_volatile(location);
                    (None, Some((location, true, atomic)), atomic.then_some(location))
                }
                Act::Update(location, changes) => {
                    let access = (location, changes, true);
                    (Some(location), Some(access), changes.then_some(location))
                }
                Act::Take(location) => (Some(location), None, None),
                Act::Free(location) => (None, None, Some(location)),
                Act::Start(child) => {
                    self.threads[child].known = Rc::new(known.clone());
                    continue;
                }
                Act::Join(other) => {
                    known.join(&self.threads[other].known);
                    continue;
                }
            };
            if let Some(told) = learns.and_then(|location| memory.told.get(&location)) {
                known.join(told);
            }
            if let Some((location, writes, atomic)) = access {
                let event = known.of(number);
                let own = Past { thread: number, event, line, writes, atomic };
                let others = memory.accesses.entry(location).or_default();
                for other in others.iter().filter(|other| {
                    other.thread != number
                        && (other.writes || writes)
                        && !(other.atomic && atomic)
                        && known.of(other.thread) < other.event
                }) {
                    let mut accesses = [(other.line, other.writes), (line, writes)];
                    accesses.sort_unstable();
                    let variable = self.ast.declarations[location as usize].name.clone();
                    self.races.push(Race { variable, accesses });
                }
                others.push(own);
            }
            if let Some(location) = tells {
                memory.told.entry(location).or_default().join(&known);
            }
        }
        self.threads[thread].known = Rc::new(known);
        self.memory = Rc::new(memory);
    }
}
