//! What an answer about the reversal of a race relies on.
//!
//! **Problem.** A race is reversed by a sequence of steps that is made of all that comes after it. What covers that sequence in
//! one execution may not cover it in the next, in which other things come after the race. But to look at every race
//! again in every execution takes longer than all else.
//!
//! **Idea.** A sequence is covered by a sleeping step, or by a path of a wakeup tree that it can follow. Each step of
//! these is either a step of the sequence, and stays the one that can come first as long as the trace is the same up to
//! it; or it is beside the sequence, which means that it commutes with all of it and that its process does not move in it.
//! That stays so until the sequence gets a new event of that process, or one that is dependent on the step. Which these
//! are is kept as an [`Outline`], three sets of bits, into which numbers are folded: some events seem dependent that are
//! not, and then the race is looked at again for nothing.
//!
//! **Invariant.** As long as [`DoubtfulRace::is_lost`] says no, the sequence is covered by what covered it first.
//!
//! **Cost.** For each race, the new events of processes that took no part in it; three words for each of these events.

use counterpoint_model::{Access, Pid};

use crate::trace::Trace;

/// What an answer relies on.
#[derive(Copy, Clone, Default)]
pub(super) struct Reliance {
    /// On the trace up to this event.
    until: u32,
    /// On these steps staying beside the sequence.
    beside: Outline,
}

impl Reliance {
    /// On the events up to one as well.
    pub fn add_event(&mut self, event: u32) {
        self.until = self.until.max(event);
    }

    /// On a step beside the sequence as well.
    pub fn add_beside(&mut self, process: Pid, footprint: &[Access]) {
        self.beside.add(&Outline::of(process, footprint));
    }

    /// It cannot be relied on any more.
    pub fn lose(&mut self) {
        self.until = u32::MAX;
    }

    /// Whether the answer about a race may be lost while its later event is there.
    pub fn goes_beyond(&self, later: usize) -> bool {
        self.until as usize > later || self.beside.processes != 0
    }
}

/// A race that need not be looked at again as long as what the answer relies on is the same.
#[derive(Copy, Clone)]
pub(super) struct DoubtfulRace {
    pub earlier: u32,
    pub later: u32,
    /// The processes of others: what those of the two do later happens after the earlier event.
    others: u64,
    pub reliance: Reliance,
}

impl DoubtfulRace {
    /// One of the present trace.
    pub fn new(trace: &Trace, earlier: usize, later: usize, reliance: Reliance) -> DoubtfulRace {
        let own = |process: Pid| if process.0 < 63 { bit(process) } else { 0 };
        let others = !(own(trace.process(earlier)) | own(trace.process(later)));
        DoubtfulRace { earlier: earlier as u32, later: later as u32, others, reliance }
    }

    /// Whether the answer may not hold any more, now that there are new events.
    #[inline]
    pub fn is_lost(&self, trace: &Trace, new: &mut NewEvents) -> bool {
        let Reliance { until, beside } = &self.reliance;
        *until as usize >= new.from || beside.processes != 0 && new.meet(trace, beside, self)
    }
}

/// The events of an execution that the one before did not have.
#[derive(Default)]
pub(super) struct NewEvents {
    from: usize,
    /// What each of them touches, and all together, found out when first asked for.
    outlines: Vec<Outline>,
    together: Outline,
}

impl NewEvents {
    /// Those from one on.
    pub fn set(&mut self, from: usize) {
        self.from = from;
        self.outlines.clear();
    }

    /// Whether one of those that others do, and that does not happen after the earlier event of a race, meets some steps.
    fn meet(&mut self, trace: &Trace, steps: &Outline, race: &DoubtfulRace) -> bool {
        if self.outlines.is_empty() {
            self.draw(trace);
        }
        let NewEvents { from, outlines, together } = self;
        race.others & together.processes != 0
            && steps.meets(together)
            && outlines.iter().enumerate().any(|(place, outline)| {
                outline.processes & race.others != 0
                    && steps.meets(outline)
                    && !trace.happens_before(race.earlier as usize, *from + place)
            })
    }

    fn draw(&mut self, trace: &Trace) {
        self.together = Outline::default();
        for event in &trace.events()[self.from..] {
            let outline = Outline::of(event.process(), &event.footprint);
            self.together.add(&outline);
            self.outlines.push(outline);
        }
    }
}

/// The bit of a process: one each for the first, and one for all others.
fn bit(process: Pid) -> u64 {
    1 << process.0.min(63)
}

/// Processes and what they touch, a bit for each location, its number taken modulo 64.
#[derive(Copy, Clone, Default)]
struct Outline {
    processes: u64,
    /// Locations that are touched in any way.
    touched: u64,
    /// Those of them that are changed.
    changed: u64,
}

impl Outline {
    #[inline]
    fn of(process: Pid, footprint: &[Access]) -> Outline {
        let mut outline = Outline { processes: bit(process), touched: 0, changed: 0 };
        for access in footprint {
            let bit = 1u64 << (access.location.0 % 64);
            outline.touched |= bit;
            outline.changed |= if access.mode.is_shared() { 0 } else { bit };
        }
        outline
    }

    fn add(&mut self, other: &Outline) {
        self.processes |= other.processes;
        self.touched |= other.touched;
        self.changed |= other.changed;
    }

    /// Whether some step of one may be of a process of the other, or dependent on it.
    #[inline]
    fn meets(&self, other: &Outline) -> bool {
        let common = self.processes & other.processes;
        common | self.touched & other.changed | self.changed & other.touched != 0
    }
}

#[cfg(test)]
mod tests {
    use counterpoint_model::{Location, Mode, conflict};

    use super::*;

    #[test]
    fn outlines_of_dependent_steps_meet() {
        let modes = [Mode::Read, Mode::Write, Mode::Acquire, Mode::Release, Mode::Await];
        let accesses = modes.map(|mode| [1, 2, 65, 66].map(|l| Access::plain(Location(l), mode)));
        for one in accesses.as_flattened() {
            for other in accesses.as_flattened() {
                let meet = |process| {
                    let outlines =
                        (Outline::of(Pid(0), &[*one]), Outline::of(Pid(process), &[*other]));
                    outlines.0.meets(&outlines.1)
                };
                assert!(meet(1) || !conflict(&[*one], &[*other]), "{one:?} {other:?}");
                assert!(meet(0), "a process meets itself");
                let apart = one.location.0 % 64 != other.location.0 % 64;
                assert!(!meet(1) || !apart, "{one:?} {other:?}");
            }
        }
    }
}
