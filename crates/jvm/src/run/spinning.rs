//! Loops that only observe: a thread that spins waits for what it observes to change.
//!
//! **Problem.** A thread in `while (!ready);` can be let run for ever without getting anywhere, and an
//! explorer that does so never ends.
//!
//! **Rule.** A *round* is what a thread does between two stops at which it is the same (`digest.rs`:
//! registers, stack, own objects, locks held). A round *only observes* if
//!
//! 1. every step in it is an observation (`observation.rs`): it reads, fails to compare-and-set, does not get a
//!    lock, sleeps, waits in vain, notifies nobody; or it takes a lock or frees it. Writing to memory that is not the
//!    thread's own and young, printing, reading the clock, numbering a thread or drawing a random
//!    number are more than an observation;
//! 2. no other thread has *noticed* in between: found a lock held that the round takes (a failed
//!    `tryLock`, `isLocked`, a timed wait for it that expired, ...), counted the waiters of a condition
//!    that the round joins, or asked for the state of this thread;
//! 3. it has not found two different things in one place: else a thread that runs it again finds
//!    something else. This is what tells retry loops (read, compute, compare-and-set) from spins;
//! 4. the thread does not hold a lock at its end that the round frees: others may need it.
//!
//! A thread that has performed such a round, and would find the same in another one, is blocked until
//! something it observes changes. The step with which it goes on is guarded and touches all of it.
//!
//! **Argument.** Take any execution and strike out the steps of one round that only observes. By 1 they
//! have changed nothing but locks and wait sets, and those only for the time of the round (digests say
//! which locks a thread holds); by 2 no step of another thread has found that out; that a lock was
//! taken can only have made others wait. So all other steps are still possible, find the same and end in
//! the same state, and the thread itself is the same after the round as before. Strike out all such
//! rounds, and again those of which nobody is left who noticed: what remains is an execution in which no
//! thread is ever blocked by the rule, so it is explored. Hence every state that is reached at all is
//! reached without those rounds. A place in the queue of a condition is the exception to "for the time
//! of the round": who waits again is last. It matters when a signal picks the first, so a signal counts
//! as a change of what the thread observes.
//!
//! Whether a thread is blocked depends on its own observations, on notices that are ordered with its taking and
//! freeing, and on what it observes now; so independent steps still commute.
//!
//! Time is left out of the digest: rounds that are struck out take none. A thread that reads the clock
//! in every round is never held.
//!
//! **What is stuck.** If nobody can move and some are blocked by the rule, that is a deadlock unless
//! their rounds, run after all, could get somebody on: see `polling.rs`.
//!
//! `Options::prune_loops` switches the rule off. **Cost.** A digest of the stack per observation, and a
//! comparison with the observations before it.

use counterpoint_model::{Access, Footprint, Location, Mode};
use smallvec::SmallVec;

use super::JavaRun;
use super::observation::{Observation, Observed};
use super::pending::{ALL_YOUNG, PendingKind, PendingOperation};
use crate::memory::Reference;

/// No observation.
pub(super) const NONE: u32 = u32::MAX;

/// How many observations back a round may have begun.
const ROUND_LIMIT: usize = 200;

/// What there was before a step that may only observe.
#[derive(Copy, Clone, Debug)]
pub(super) struct BeforeObserving {
    effects: (u64, usize),
    /// Objects of the thread from this word on are young.
    young: u32,
    /// How many notices there were.
    noticed: u32,
}

/// What a thread that stands before an operation has observed since it did anything else.
#[derive(Copy, Clone, Debug)]
pub(super) struct RoundSoFar {
    pub last_observation: u32,
    /// Objects of the thread from this word on are young.
    pub young: u32,
    /// The digest of the thread where it stands.
    pub digest: u128,
}

impl JavaRun<'_> {
    /// Gets ready to find out what a step of a thread does besides observing.
    pub(super) fn before_observing(&mut self, thread: usize, round: RoundSoFar) -> BeforeObserving {
        let segment = thread as u32 + 2;
        let noticed = self.notices.len() as u32;
        let others = self.counted;
        self.counted = segment;
        let heap = &mut self.prepared_mut().machine.heap;
        heap.count_writes_below(others, u32::MAX);
        let young = match round.last_observation {
            _ if round.young == ALL_YOUNG => 0,
            NONE => heap.top(segment),
            _ => round.young,
        };
        heap.count_writes_below(segment, young);
        BeforeObserving { effects: self.effects(), young, noticed }
    }

    /// What others could have changed that a step may have done besides observing.
    fn effects(&self) -> (u64, usize) {
        let machine = &self.prepared().machine;
        (
            machine.heap.writes().wrapping_sub(machine.lock_writes),
            machine.console.output.len()
                + machine.console.errors.len()
                + machine.interned.len()
                + machine.permanent_writes as usize,
        )
    }

    /// Continues the chain of a thread's observations after a step, and finds out whether it has completed a round.
    /// The new pending operation of the thread is known already.
    pub(super) fn after_observing(
        &mut self,
        thread: usize,
        so_far: RoundSoFar,
        looks: &[(Location, Observed, u64)],
        before: BeforeObserving,
    ) {
        let BeforeObserving { effects, young, noticed } = before;
        if effects != self.effects() {
            // It may have written to objects of its own only: from now on those are looked into.
            self.include_own_objects(thread);
            return;
        }
        let mut chain = so_far.last_observation;
        for (index, &(location, what, value)) in looks.iter().enumerate() {
            let digest = if index == 0 { so_far.digest } else { 0 };
            self.observations.push(Observation {
                before: chain,
                digest,
                location,
                what,
                value,
                noticed,
            });
            chain = self.observations.len() as u32 - 1;
        }
        if young < self.prepared().machine.heap.top(thread as u32 + 2) {
            self.pending[thread].digest = self.digest_of(thread, young);
        }
        let round = self.round(thread, chain, self.pending[thread].digest);
        // A chain that looks into all objects ends when they have become too many.
        let all_young = so_far.young == ALL_YOUNG;
        let whole = all_young && self.pending[thread].digest != 0;
        let ends = all_young && !whole;
        let pending = &mut self.pending[thread];
        pending.last_observation = if ends { NONE } else { chain };
        pending.young = if whole { ALL_YOUNG } else { young };
        pending.round = round;
    }

    /// From the present stop on, all objects of a thread count as young, if they are few.
    fn include_own_objects(&mut self, thread: usize) {
        let digest = self.digest_of(thread, 0);
        if digest != 0 {
            let pending = &mut self.pending[thread];
            pending.digest = digest;
            pending.young = ALL_YOUNG;
        }
    }

    /// The first observation of the round that a thread with this digest has come to the end of.
    fn round(&mut self, thread: usize, chain: u32, digest: u128) -> u32 {
        if digest == 0 || self.pending[thread].kind == PendingKind::Absent {
            return NONE;
        }
        let first = self.chain(chain).take(ROUND_LIMIT).find(|(_, look)| look.digest == digest);
        let Some((first, _)) = first else { return NONE };
        let round = || self.chain(chain).take_while(|(index, _)| *index >= first);
        let frees = |look: &Observation| matches!(look.what, Observed::Lock(lock) if self.has(thread, lock));
        if round().any(|(_, look)| frees(look)) {
            return NONE;
        }
        let looks: SmallVec<[Observation; 8]> = round().map(|(_, look)| *look).collect();
        if is_inconsistent(&looks) || self.was_noticed(thread, &looks) {
            return NONE;
        }
        let shows = looks.iter().any(|look| look.what.is_noticeable());
        self.polls |= shows || self.program.asks_for_states();
        first
    }

    /// Whether a thread holds a lock or its read lock.
    fn has(&self, thread: usize, lock: Reference) -> bool {
        let machine = &self.prepared().machine;
        machine.has_monitor(thread, lock) || machine.read_holds(lock, thread).0 > 0
    }

    /// Whether others have noticed a round, given its observations from the last to the first.
    fn was_noticed(&self, thread: usize, looks: &[Observation]) -> bool {
        let between = |location: Location, from: u32, to: u32| {
            let notices = &self.notices[from as usize..to as usize];
            notices.iter().any(|notice| !notice.signal && notice.location == location)
        };
        let since = looks.last().map_or(0, |look| look.noticed);
        let now = self.notices.len() as u32;
        if self.program.asks_for_states()
            && between(self.prepared().thread_locations(thread).progress, since, now)
        {
            return true;
        }
        // Between taking and freeing, or between joining a queue and leaving it.
        looks.iter().enumerate().filter(|(_, look)| look.what.is_noticeable()).any(|(at, later)| {
            let same = |earlier: &&Observation| {
                earlier.location == later.location && earlier.what.is_noticeable()
            };
            let earlier = looks[at + 1..].iter().find(same);
            earlier.is_some_and(|earlier| between(later.location, earlier.noticed, later.noticed))
        })
    }

    /// The observations of a chain from the last one back.
    fn chain(&self, last: u32) -> impl Iterator<Item = (u32, &Observation)> {
        let next = |index: u32| self.observations.get(index as usize).map(|look| (index, look));
        std::iter::successors(next(last), move |(_, look)| next(look.before))
    }

    /// The observations of the round that a spinning thread is in, from the last to the first.
    pub(super) fn round_of(
        &self,
        pending: &PendingOperation,
    ) -> impl Iterator<Item = &Observation> {
        let first = pending.round;
        self.chain(pending.last_observation)
            .take_while(move |(index, _)| *index >= first)
            .map(|(_, look)| look)
    }

    /// Whether a thread would only observe the same again.
    pub(super) fn spins(&self, pending: &PendingOperation) -> bool {
        let same = |look: &Observation| self.found(look.location, look.what) == look.value;
        pending.round != NONE && self.round_of(pending).all(same)
    }

    /// Adds to what a step touches what the thread has observed while it spun.
    pub(super) fn add_round_footprint(
        &self,
        pending: &PendingOperation,
        footprint: &mut Footprint,
    ) {
        for look in self.round_of(pending) {
            let known = footprint.iter().any(|access| access.location == look.location);
            if !known && !matches!(look.what, Observed::Lock(_)) {
                let access = Access::synchronising(look.location, Mode::Read);
                // What a thread was doing orders nothing; that it has ended is in its own footprint.
                let state = matches!(look.what, Observed::State(_));
                footprint.push(if state { access.unordered() } else { access });
            }
        }
    }

    /// What a spinning thread waits for.
    pub(super) fn spin_locations(&self, pending: &PendingOperation) -> Vec<Location> {
        let mut locations: Vec<Location> = self
            .round_of(pending)
            .filter(|look| !look.what.is_noticeable())
            .map(|look| look.location)
            .collect();
        locations.sort_unstable();
        locations.dedup();
        locations
    }
}

/// Whether a round has found two different things in one place.
fn is_inconsistent(looks: &[Observation]) -> bool {
    looks.iter().enumerate().any(|(at, look)| {
        looks[at + 1..].iter().any(|other| {
            let same = other.location == look.location;
            same && other.what.is_same_kind(look.what) && other.value != look.value
        })
    })
}
