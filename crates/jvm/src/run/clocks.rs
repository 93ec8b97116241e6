//! Clocks of threads: no step has an earlier time than the steps that it depends on.
//!
//! Every thread has a clock of its own, which its sleeps and expired waits advance. A program that takes
//! times in two threads and compares them must not find that a thread was woken before it began to wait.
//! So, where a program can read a clock at all (`queries.rs`), every step first sets its thread's clock
//! to the latest time of the steps that it depends on: each location has the time of the last step that
//! wrote it and of the last step that read it. These are Lamport's clocks (1978) with real durations.
//! They depend on a step's own past only, so that independent steps still commute.

use counterpoint_model::{Access, Footprint, Location};

use super::JavaRun;

/// When a location was last written and last looked at.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AccessTimes {
    written: u64,
    read: u64,
}

/// The times of all locations, and what they were before.
#[derive(Debug, Default)]
pub(super) struct LocationTimes {
    touched: Vec<AccessTimes>,
    journal: Vec<(Location, AccessTimes)>,
}

impl LocationTimes {
    /// Where the journal is, to come back to.
    pub fn mark(&self) -> u32 {
        self.journal.len() as u32
    }

    /// Back to a mark.
    pub fn undo(&mut self, mark: u32) {
        while self.journal.len() > mark as usize {
            let Some((location, before)) = self.journal.pop() else { break };
            self.touched[location.index()] = before;
        }
    }

    /// The earliest time of a step that touches this.
    fn earliest(&self, accesses: &[Access]) -> u64 {
        let time = |access: &Access| {
            let touched = self.touched.get(access.location.index()).copied().unwrap_or_default();
            if access.mode.is_shared() {
                touched.written
            } else {
                touched.written.max(touched.read)
            }
        };
        accesses.iter().map(time).max().unwrap_or(0)
    }

    /// Notes when this was touched.
    fn touch(&mut self, accesses: &[Access], now: u64) {
        for access in accesses {
            let index = access.location.index();
            if self.touched.len() <= index {
                self.touched.resize(index + 1, AccessTimes::default());
            }
            let touched = &mut self.touched[index];
            self.journal.push((access.location, *touched));
            let time =
                if access.mode.is_shared() { &mut touched.read } else { &mut touched.written };
            *time = now.max(*time);
        }
    }
}

impl JavaRun<'_> {
    /// Sets the clock of a thread before a step that touches this.
    pub(super) fn set_clock(&mut self, thread: usize, footprint: &Footprint) {
        if !self.program.queries().clocks {
            return;
        }
        let earliest = self.times.earliest(footprint);
        let Ok(core) = self.prepared_mut().machine.core_mut(thread) else { return };
        core.clock = core.clock.max(earliest);
        let now = core.clock;
        self.times.touch(footprint, now);
    }

    /// Notes what else a step has touched, when it is over.
    pub(super) fn note_clock(&mut self, thread: usize, footprint: &[Access]) {
        if self.program.queries().clocks && !footprint.is_empty() {
            let now = self.prepared().machine.core(thread).map_or(0, |core| core.clock);
            self.times.touch(footprint, now);
        }
    }
}
