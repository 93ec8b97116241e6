//! Loops that only look: a thread that spins waits for what it looks at to change.
//!
//! **Problem.** A thread in `while (!ready);` can be let run for ever without getting anywhere, and an
//! explorer that does so never ends.
//!
//! **Idea.** Every stop before a look has a digest of all that the thread itself knows: its registers
//! and its stack. If a thread comes back to a stop where it was before and since then it has only
//! looked (read variables, failed to compare-and-set or to get a lock, slept, waited in vain, taken
//! locks and freed them), then it will look again in the same way and come back again, unless
//! something it looks at changes. So it is blocked until then, and the step with which it goes on is
//! guarded and touches all that it has looked at in that round.
//!
//! **Invariants.** Writing to memory, allocating, printing and looking at the clock end the chain of
//! looks, since they make the next round another one. A thread is never held where it has a lock that
//! it frees during the round: others may need it for the change.
//!
//! **Cost.** A digest of the stack per look, and a comparison with the looks before it.

use counterpoint_model::{Access, Footprint, Location, Mode, Op};

use super::JavaRun;
use super::standing::{Life, Standing};
use crate::interpret::cell::Cell;
use crate::interpret::{Outlook, Sort, Synchronise};
use crate::memory::{Reference, Status};

/// No look.
pub(super) const NONE: u32 = u32::MAX;

/// How many looks back a round may have begun.
const LONGEST: usize = 200;

/// What was looked at.
#[derive(Copy, Clone, Debug)]
pub(super) enum What {
    /// A variable.
    Variable,
    /// Who has a lock.
    Holder(Reference),
    /// Who has a lock, and how many have its read lock.
    Readers(Reference),
    /// The permits of a semaphore or the count of a latch.
    Number(Reference),
    /// Whether a thread is interrupted.
    Interrupt(u32),
    /// Whether a thread has a permit to go on.
    Permit(u32),
    /// Whether a thread has been woken.
    Woken(u32),
    /// Whether a `Thread` has been started.
    Started(Reference),
    /// Whether a thread has ended.
    Ended(u32),
    /// What a thread is doing.
    State(u32),
    /// What methods of an object that are performed as a whole look at.
    Inside(Reference, Sort),
    /// Nothing: a lock was taken or freed.
    Lock(Reference),
}

/// A look, with the one before it in the same chain.
#[derive(Copy, Clone, Debug)]
pub(super) struct Look {
    before: u32,
    /// The digest of the thread at the stop before the look; zero if it was not made.
    digest: u128,
    location: Location,
    what: What,
    /// What was found.
    value: u64,
}

/// The looks of one step: where, at what, and what was found.
pub(super) type Looks = Vec<(Location, What, u64)>;

impl JavaRun<'_> {
    /// Adds what the step that a thread stands before looks at, if it only looks; asked before the
    /// step.
    pub(super) fn looks_of_step(
        &self,
        thread: usize,
        standing: &Standing,
        looks: &mut Looks,
    ) -> Option<()> {
        let machine = &self.prepared().machine;
        let own = self.prepared().cells(thread);
        let core = machine.core(thread).ok()?;
        let mut look = |location: Location, what: What| {
            let value = self.found(location, what);
            looks.push((location, what, value));
        };
        let number = thread as u32;
        match (standing.op, standing.life) {
            (Op::Read(location), Life::Sleeps) if !core.interrupted => {
                look(location, What::Interrupt(number));
            }
            (Op::Read(location) | Op::Synchronise(location), Life::AsksInterrupt)
                if standing.target != number || !core.interrupted =>
            {
                look(location, What::Interrupt(standing.target));
            }
            (Op::Read(location), Life::LooksForStart) => {
                look(location, What::Started(standing.object));
            }
            (Op::Read(location), Life::AsksAlive) => look(location, What::Ended(standing.target)),
            (Op::Synchronise(_), Life::AsksState) => {
                for location in self.state_depends_on(standing.target as usize) {
                    look(location, What::State(standing.target));
                }
            }
            (Op::Synchronise(location), Life::JoinsForSomeTime) if !core.interrupted => {
                look(location, What::Ended(standing.target));
                look(own.interrupt, What::Interrupt(number));
            }
            (Op::Read(location), Life::Stands) => look(location, What::Variable),
            (Op::Update(location), _) if !self.update_writes(thread) => {
                look(location, What::Variable);
            }
            (Op::Acquire(lock) | Op::Release(lock), Life::Stands) => {
                look(lock, What::Lock(standing.object));
            }
            (Op::Wait { lock, .. }, _) if !core.interrupted => {
                look(lock, What::Lock(standing.object));
            }
            (Op::Resume { lock, .. }, _) if matches!(core.status, Status::Waiting { .. }) => {
                look(lock, What::Lock(standing.object));
                look(own.wakening, What::Woken(number));
            }
            (Op::Synchronise(location), Life::TriesLock) if !self.is_free(thread, standing) => {
                look(location, What::Holder(standing.object));
            }
            (Op::Synchronise(location), Life::Parks) if !core.permit && !core.interrupted => {
                look(location, What::Permit(number));
                look(own.interrupt, What::Interrupt(number));
            }
            (Op::Synchronise(location), Life::Synchronises(operation, amount)) => {
                let object = standing.object;
                let outlook = machine.outlook(thread, operation, object, amount).ok()?;
                match (operation, outlook) {
                    (_, Outlook::Interrupted) => return None,
                    (
                        Synchronise::Lock(_)
                        | Synchronise::ReadLock(_)
                        | Synchronise::WriteLock(_)
                        | Synchronise::ReadUnlock
                        | Synchronise::WriteUnlock,
                        Outlook::Possible,
                    ) => look(location, What::Lock(object)),
                    (Synchronise::Acquire(_) | Synchronise::Pass(_), Outlook::Late)
                    | (Synchronise::Permits | Synchronise::Count, _) => {
                        look(location, What::Number(object));
                    }
                    (_, Outlook::Late)
                    | (
                        Synchronise::IsLocked | Synchronise::Owner | Synchronise::IsWriteLocked,
                        _,
                    ) => look(location, What::Holder(object)),
                    (Synchronise::ReadLocks | Synchronise::AllLocks, _) => {
                        look(location, What::Readers(object));
                    }
                    _ => return None,
                }
                if operation.is_interruptible() {
                    look(own.interrupt, What::Interrupt(number));
                }
            }
            (Op::Synchronise(location), Life::CallsWhole(whole)) => {
                let outlook = machine.whole_outlook(thread, whole, standing.object).ok()?;
                let finds = || machine.tells_all(standing.object, whole.sort);
                let is_look = outlook == Outlook::Late || !whole.changes && finds();
                if !is_look || outlook == Outlook::Interrupted {
                    return None;
                }
                look(location, What::Inside(standing.object, whole.sort));
                if whole.is_interruptible() {
                    look(own.interrupt, What::Interrupt(number));
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// What others could have changed that a step may have done beside looking.
    pub(super) fn effects(&self) -> (u64, usize) {
        let machine = &self.prepared().machine;
        (
            machine.heap.writes().wrapping_sub(machine.unseen_locking),
            machine.output.len() + machine.errors.len(),
        )
    }

    /// Continues the chain of a thread's looks after a step, and finds out whether it has come round.
    /// The thread has its new standing already.
    pub(super) fn after_looking(
        &mut self,
        thread: usize,
        standing: &Standing,
        looks: &[(Location, What, u64)],
        before: (u64, usize),
    ) {
        let after = self.effects();
        let locks = looks.iter().any(|look| matches!(look.1, What::Lock(_)));
        if after.0.wrapping_sub(before.0) > u64::from(locks) || after.1 != before.1 {
            return;
        }
        let mut chain = standing.looked;
        for (index, &(location, what, value)) in looks.iter().enumerate() {
            let digest = if index == 0 { standing.digest } else { 0 };
            self.looks.push(Look { before: chain, digest, location, what, value });
            chain = self.looks.len() as u32 - 1;
        }
        let round = self.round(thread, chain, self.standings[thread].digest);
        let standing = &mut self.standings[thread];
        standing.looked = chain;
        standing.round = round;
    }

    /// The first look of the round that a thread with this digest has come to the end of.
    fn round(&self, thread: usize, chain: u32, digest: u128) -> u32 {
        let pruned = !self.prepared().machine.options.no_shortcuts;
        if !pruned || digest == 0 || self.standings[thread].life == Life::Absent {
            return NONE;
        }
        let first = self.chain(chain).take(LONGEST).find(|(_, look)| look.digest == digest);
        let Some((first, _)) = first else { return NONE };
        let machine = &self.prepared().machine;
        let has = |object: Reference| {
            let owner = machine.heap.header(object).and_then(|header| header.owner());
            owner.is_some_and(|(owner, _)| owner == thread)
                || machine.read_holds(object, thread).0 > 0
        };
        let holds = |look: &Look| matches!(look.what, What::Lock(object) if has(object));
        let mut round = self.chain(chain).take_while(|(index, _)| *index >= first);
        if round.any(|(_, look)| holds(look)) { NONE } else { first }
    }

    /// The looks of a chain from the last one back.
    fn chain(&self, last: u32) -> impl Iterator<Item = (u32, &Look)> {
        let next = |index: u32| self.looks.get(index as usize).map(|look| (index, look));
        std::iter::successors(next(last), move |(_, look)| next(look.before))
    }

    /// The looks of the round that a spinning thread is in.
    fn round_of(&self, standing: &Standing) -> impl Iterator<Item = &Look> {
        let first = standing.round;
        self.chain(standing.looked)
            .take_while(move |(index, _)| *index >= first)
            .map(|(_, look)| look)
    }

    /// Whether a thread would only look at the same things again.
    pub(super) fn spins(&self, standing: &Standing) -> bool {
        let same = |look: &Look| self.found(look.location, look.what) == look.value;
        standing.round != NONE && self.round_of(standing).all(same)
    }

    /// Adds to what a step touches what the thread has looked at while it spun.
    pub(super) fn touch_round(&self, standing: &Standing, footprint: &mut Footprint) {
        for look in self.round_of(standing) {
            let known = footprint.iter().any(|access| access.location == look.location);
            if !known && !matches!(look.what, What::Lock(_)) {
                footprint.push(Access::synchronising(look.location, Mode::Read));
            }
        }
    }

    /// What a spinning thread waits for.
    pub(super) fn spun_on(&self, standing: &Standing) -> Vec<Location> {
        let mut locations: Vec<Location> = self
            .round_of(standing)
            .filter(|look| !matches!(look.what, What::Lock(_)))
            .map(|look| look.location)
            .collect();
        locations.sort_unstable();
        locations.dedup();
        locations
    }

    fn found(&self, location: Location, what: What) -> u64 {
        let prepared = self.prepared();
        let machine = &prepared.machine;
        let core = |thread: u32| machine.core(thread as usize).ok();
        let flag = |value: Option<bool>| u64::from(value.unwrap_or(false));
        match what {
            What::Variable => {
                let place = prepared.address(location).zip(self.program.kind(location));
                let cell = place.map(|(address, kind)| Cell {
                    object: address.object,
                    offset: address.offset,
                    kind,
                });
                cell.and_then(|cell| machine.read_cell(cell).ok()).unwrap_or(0)
            }
            What::Holder(object) => {
                let header = machine.heap.header(object);
                header.map_or(0, |header| header.holders())
            }
            What::Readers(object) => {
                let readers = machine.read_holds(object, 0).1;
                self.found(location, What::Holder(object)).rotate_left(16) ^ u64::from(readers)
            }
            What::Number(object) => machine.number_of(object),
            What::Inside(object, sort) => machine.whole_state(object, sort),
            What::Interrupt(thread) => flag(core(thread).map(|core| core.interrupted)),
            What::Permit(thread) => flag(core(thread).map(|core| core.permit)),
            What::Woken(thread) => {
                let waits = |status| matches!(status, Status::Waiting { .. });
                flag(core(thread).map(|core| !waits(core.status)))
            }
            What::Started(object) => flag(machine.thread_of(object).ok().map(|it| it.is_some())),
            What::Ended(thread) => u64::from(machine.has_ended(thread as usize)),
            What::State(thread) => {
                let name = machine.state_name(thread as usize).unwrap_or_default();
                name.bytes().fold(0u64, |sum, byte| sum.rotate_left(8) ^ u64::from(byte))
            }
            What::Lock(_) => 0,
        }
    }

    /// A digest of all that a thread itself knows, if it stands before something that can begin a
    /// round; else zero.
    pub(super) fn digest_of(&self, thread: usize) -> u128 {
        let begins = match self.standings[thread].op {
            Op::Read(_) | Op::Update(_) | Op::Acquire(_) | Op::Resume { .. } => true,
            Op::Synchronise(_) => !matches!(self.standings[thread].life, Life::Interrupts),
            _ => false,
        };
        let Some(state) = self.prepared().machine.threads.get(thread).filter(|_| begins) else {
            return 0;
        };
        let core = &state.core;
        let mut lanes = (0x9E37_79B9_7F4A_7C15u64, 0xC2B2_AE3D_27D4_EB4Fu64);
        let mut add = |word: u64| {
            lanes.0 = fold(lanes.0 ^ word, 0xA076_1D64_78BD_642F);
            lanes.1 = fold(lanes.1 ^ word.rotate_left(32), 0xE703_7ED1_A0B4_28DB);
        };
        let waits = u64::from(core.status != Status::Running);
        add(u64::from(core.method.0) << 32 | u64::from(core.pc));
        add(u64::from(core.base) << 32 | u64::from(core.sp));
        let flags = waits << 2 | u64::from(core.checked) << 1 | core.unseen.bits() << 32;
        add(u64::from(core.ticks) << 3 | flags);
        state.stack[..core.sp as usize].iter().for_each(|word| add(*word));
        u128::from(lanes.0) << 64 | u128::from(lanes.1) | 1
    }
}

fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    product as u64 ^ (product >> 64) as u64
}
