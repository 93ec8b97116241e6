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
//! are is kept as an [`Outline`]: some events seem dependent that are not, and then the race is looked at again for
//! nothing.
//!
//! **Invariant.** As long as [`DoubtfulRace::is_lost`] says no, the sequence is covered by what covered it first.
//!
//! **Cost.** For each race, the new events of processes that took no part in it.

use counterpoint_model::{Access, Pid};

use crate::outline::{self, Outline};
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
        self.beside = self.beside.or(&Outline::of(process, footprint));
    }

    /// On steps beside the sequence as well.
    pub fn add_outline(&mut self, beside: &Outline) {
        self.beside = self.beside.or(beside);
    }

    /// The steps beside the sequence that it is relied on.
    pub fn beside(&self) -> &Outline {
        &self.beside
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
        let own = |event| outline::own_bit(trace.process(event));
        let others = !(own(earlier) | own(later));
        DoubtfulRace { earlier: earlier as u32, later: later as u32, others, reliance }
    }

    /// Whether the answer may not hold any more, now that there are new events.
    #[inline]
    pub fn is_lost(&self, trace: &Trace, new: &NewEvents) -> bool {
        let Reliance { until, beside } = &self.reliance;
        *until as usize >= new.from || beside.processes != 0 && new.meet(trace, beside, self)
    }
}

/// The events of an execution that the one before did not have.
pub(super) struct NewEvents {
    from: usize,
    /// What they touch together.
    together: Outline,
}

impl NewEvents {
    /// Those from one on.
    pub fn new(trace: &Trace, from: usize) -> NewEvents {
        let mut together = Outline::default();
        for outline in &trace.outlines()[from..] {
            together = together.or(outline);
        }
        NewEvents { from, together }
    }

    /// Whether one of those that others do, and that does not happen after the earlier event of a race, meets some steps.
    fn meet(&self, trace: &Trace, steps: &Outline, race: &DoubtfulRace) -> bool {
        let NewEvents { from, together } = self;
        race.others & together.processes != 0
            && steps.meets(together)
            && trace.outlines()[*from..].iter().enumerate().any(|(place, outline)| {
                outline.processes & race.others != 0
                    && steps.meets(outline)
                    && !trace.happens_before(race.earlier as usize, *from + place)
            })
    }
}
