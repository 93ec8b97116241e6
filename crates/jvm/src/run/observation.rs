//! What a step only looks at, and what it notices of what others are doing meanwhile.
//!
//! Both are asked before the step. A look is a place, what about it was looked at, and what was found
//! there, as a number that is the same as long as somebody who looks again finds the same. A notice is
//! a place: of a lock that somebody was found to hold, of a wait set that was counted, of a thread
//! whose state was asked for. See `spinning.rs` for what both are good for.

use counterpoint_model::{Location, Op};
use smallvec::SmallVec;

use super::JavaRun;
use super::pending::{PendingKind, PendingOperation};
use crate::interpret::variable::MemoryCell;
use crate::interpret::{Readiness, SubjectKind, Synchronise, WaitPolicy};
use crate::memory::{Reference, ThreadStatus};

/// What was looked at.
#[derive(Copy, Clone, Debug)]
pub(super) enum Observed {
    /// A variable.
    Variable,
    /// Who has a lock.
    Holder(Reference),
    /// Who has a lock, whoever reads.
    Writer(Reference),
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
    /// How many threads there have been.
    Population,
    /// How many threads wait on a condition.
    Waiters(Reference),
    /// What methods of an object that are performed as one atomic call look at.
    Inside(Reference, SubjectKind),
    /// Nothing: a lock was taken or freed.
    Lock(Reference),
    /// Nothing: the thread has joined the queue of a condition, or left it. What it would find if it
    /// did so again is its place, which signals in between may have changed.
    Queue,
}

impl Observed {
    /// Whether others may notice that a thread looks at this.
    pub fn is_noticeable(self) -> bool {
        matches!(self, Observed::Lock(_) | Observed::Queue)
    }
}

/// A look, with the one before it in the same chain.
#[derive(Copy, Clone, Debug)]
pub(super) struct Observation {
    pub before: u32,
    /// The digest of the thread at the stop before the look; zero if it was not made.
    pub digest: u128,
    pub location: Location,
    pub what: Observed,
    /// What was found.
    pub value: u64,
    /// How many notices there were before it.
    pub noticed: u32,
}

/// The looks of one step: where, at what, and what was found.
pub(super) type Observations = Vec<(Location, Observed, u64)>;

/// Somebody has noticed what is going on at a place, or has signalled a condition.
#[derive(Copy, Clone, Debug)]
pub(super) struct Notice {
    pub location: Location,
    /// Whether a condition was signalled, whose threads have places in a queue.
    pub signal: bool,
}

impl JavaRun<'_> {
    /// Adds what the step that a thread stands before looks at, if it only looks; asked before the
    /// step.
    pub(super) fn observations_of_step(
        &self,
        thread: usize,
        pending: &PendingOperation,
        looks: &mut Observations,
    ) -> Option<()> {
        let machine = &self.prepared().machine;
        let own = self.prepared().thread_locations(thread);
        let core = machine.core(thread).ok()?;
        let mut look = |location: Location, what: Observed| {
            let value = self.found(location, what);
            looks.push((location, what, value));
        };
        let number = thread as u32;
        match (pending.op, pending.kind) {
            (Op::Read(location), PendingKind::Sleep) if !core.interrupted => {
                look(location, Observed::Interrupt(number));
            }
            (Op::Read(location) | Op::Synchronise(location), PendingKind::AskInterrupted)
                if pending.target != number || !core.interrupted =>
            {
                look(location, Observed::Interrupt(pending.target));
            }
            (Op::Read(location), PendingKind::AskStarted) => {
                look(location, Observed::Started(pending.object));
            }
            (Op::Read(location), PendingKind::AskAlive) => {
                look(location, Observed::Ended(pending.target))
            }
            (Op::Synchronise(_), PendingKind::AskThreads) => {
                for other in (0..machine.thread_count()).filter(|other| *other != thread) {
                    if machine.threads.get(other).is_some() {
                        let life = self.prepared().thread_locations(other).life;
                        look(life, Observed::Ended(other as u32));
                    }
                }
                look(own.population, Observed::Population);
            }
            (Op::Read(location), PendingKind::AskWaiters) => {
                look(location, Observed::Waiters(pending.object));
            }
            (Op::Synchronise(_), PendingKind::AskState) => {
                for location in self.state_depends_on(pending.target as usize) {
                    look(location, Observed::State(pending.target));
                }
            }
            (Op::Synchronise(location), PendingKind::TimedJoin) if !core.interrupted => {
                look(location, Observed::Ended(pending.target));
                look(own.interrupt, Observed::Interrupt(number));
            }
            (Op::Read(location), PendingKind::Plain) => look(location, Observed::Variable),
            (Op::Update(location), PendingKind::Plain) if !self.update_writes(thread) => {
                look(location, Observed::Variable);
            }
            (Op::Acquire(lock) | Op::Release(lock), PendingKind::Plain) => {
                look(lock, Observed::Lock(pending.object));
            }
            (Op::Wait { lock, condition }, _) if !core.interrupted => {
                look(lock, Observed::Lock(pending.object));
                if self.is_queue(pending) {
                    look(condition, Observed::Queue);
                }
            }
            (Op::Resume { lock, condition }, _)
                if matches!(core.status, ThreadStatus::Waiting { .. }) =>
            {
                look(lock, Observed::Lock(pending.object));
                look(own.wakeup, Observed::Woken(number));
                if self.is_queue(pending) {
                    look(condition, Observed::Queue);
                }
            }
            (Op::Synchronise(location), PendingKind::TryLock) => {
                look(location, Observed::Holder(pending.object));
                if self.is_free(thread, pending) {
                    look(location, Observed::Lock(pending.object));
                }
            }
            (Op::Synchronise(location), PendingKind::Park) if !core.permit && !core.interrupted => {
                look(location, Observed::Permit(number));
                look(own.interrupt, Observed::Interrupt(number));
            }
            (Op::Synchronise(location), PendingKind::Synchronise(operation, amount)) => {
                let object = pending.object;
                let readiness = machine.readiness(thread, operation, object, amount).ok()?;
                self.observe_synchroniser(location, operation, readiness, object, &mut look)?;
                if operation.is_interruptible() {
                    look(own.interrupt, Observed::Interrupt(number));
                }
            }
            (Op::Synchronise(location), PendingKind::AtomicCall(call)) => {
                let readiness = machine.call_readiness(thread, call, pending.object).ok()?;
                let finds = || machine.state_is_complete(pending.object, call.sort);
                let is_look = readiness == Readiness::Fails || !call.changes && finds();
                if !is_look || readiness == Readiness::Interrupted {
                    return None;
                }
                look(location, Observed::Inside(pending.object, call.sort));
                if call.is_interruptible() {
                    look(own.interrupt, Observed::Interrupt(number));
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// What an operation on a synchroniser looks at. One that would wait learns nothing from being
    /// possible; one that would not wait learns that it is.
    fn observe_synchroniser(
        &self,
        location: Location,
        operation: Synchronise,
        readiness: Readiness,
        object: Reference,
        look: &mut impl FnMut(Location, Observed),
    ) -> Option<()> {
        let tries = matches!(operation.wait_policy(), WaitPolicy::Timed | WaitPolicy::NoWait);
        match (operation, readiness) {
            (_, Readiness::Interrupted) => return None,
            (Synchronise::ReadUnlock | Synchronise::WriteUnlock, _) => {
                look(location, Observed::Lock(object));
            }
            (
                Synchronise::Lock(_) | Synchronise::ReadLock(_) | Synchronise::WriteLock(_),
                Readiness::Succeeds,
            ) => {
                match operation {
                    Synchronise::ReadLock(_) if tries => look(location, Observed::Writer(object)),
                    _ if tries => look(location, Observed::Holder(object)),
                    _ => {}
                }
                look(location, Observed::Lock(object));
            }
            (Synchronise::Acquire(_) | Synchronise::Pass(_), Readiness::Fails)
            | (Synchronise::Permits | Synchronise::Count, _) => {
                look(location, Observed::Number(object));
            }
            (Synchronise::ReadLock(_), Readiness::Fails) => {
                look(location, Observed::Writer(object))
            }
            (_, Readiness::Fails)
            | (Synchronise::IsLocked | Synchronise::Owner | Synchronise::IsWriteLocked, _) => {
                look(location, Observed::Holder(object));
            }
            (Synchronise::ReadLocks | Synchronise::AllLocks, _) => {
                look(location, Observed::Readers(object));
            }
            _ => return None,
        }
        Some(())
    }

    /// Whether the wait set that a thread joins or leaves is the queue of a condition, not a monitor's
    /// set.
    fn is_queue(&self, pending: &PendingOperation) -> bool {
        let set = self.prepared().address(pending.touched);
        set.is_some_and(|address| address.object != pending.object)
    }

    /// Notes what the step that a thread stands before will notice of others; asked before the step.
    pub(super) fn record_notices(&mut self, thread: usize, pending: &PendingOperation) {
        let mut noticed: SmallVec<[Location; 4]> = SmallVec::new();
        let held = |object| self.found(Location(0), Observed::Holder(object)) != 0;
        match (pending.op, pending.kind) {
            (Op::Synchronise(location), PendingKind::TryLock) if !self.is_free(thread, pending) => {
                noticed.push(location);
            }
            (Op::Synchronise(location), PendingKind::Synchronise(operation, _)) => {
                let readiness = self.readiness(thread, pending);
                let asks = matches!(
                    operation,
                    Synchronise::IsLocked
                        | Synchronise::Owner
                        | Synchronise::IsWriteLocked
                        | Synchronise::ReadLocks
                        | Synchronise::AllLocks
                );
                let fails = matches!(readiness, Readiness::Fails | Readiness::Interrupted);
                if fails || asks && held(pending.object) {
                    noticed.push(location);
                }
            }
            (Op::Synchronise(_), PendingKind::AskState) => {
                noticed.extend(self.state_depends_on(pending.target as usize));
            }
            (Op::Read(condition), PendingKind::AskWaiters) => noticed.push(condition),
            (Op::Notify { condition, .. }, _) if pending.in_order => {
                self.notices.push(Notice { location: condition, signal: true });
            }
            _ => {}
        }
        let notices = noticed.into_iter().map(|location| Notice { location, signal: false });
        self.notices.extend(notices);
    }

    /// What somebody finds who looks now.
    pub(super) fn found(&self, location: Location, what: Observed) -> u64 {
        let prepared = self.prepared();
        let machine = &prepared.machine;
        let core = |thread: u32| machine.core(thread as usize).ok();
        let flag = |value: Option<bool>| u64::from(value.unwrap_or(false));
        match what {
            Observed::Variable => {
                let place = prepared.address(location).zip(self.program.kind(location));
                let cell = place.map(|(address, kind)| MemoryCell {
                    object: address.object,
                    offset: address.offset,
                    kind,
                });
                cell.and_then(|cell| machine.read_cell(cell).ok()).unwrap_or(0)
            }
            Observed::Holder(object) => {
                let header = machine.heap.header(object);
                header.map_or(0, |header| header.holders())
            }
            Observed::Writer(object) => {
                let owner = machine.heap.header(object).and_then(|header| header.owner());
                owner.map_or(0, |(owner, _)| owner as u64 + 1)
            }
            Observed::Readers(object) => {
                let readers = machine.read_holds(object, 0).1;
                self.found(location, Observed::Holder(object)).rotate_left(16) ^ u64::from(readers)
            }
            Observed::Number(object) => machine.number_of(object),
            Observed::Inside(object, sort) => machine.subject_state(object, sort),
            Observed::Interrupt(thread) => flag(core(thread).map(|core| core.interrupted)),
            Observed::Permit(thread) => flag(core(thread).map(|core| core.permit)),
            Observed::Woken(thread) => {
                let waits = |status| matches!(status, ThreadStatus::Waiting { .. });
                flag(core(thread).map(|core| !waits(core.status)))
            }
            Observed::Started(object) => {
                flag(machine.thread_of(object).ok().map(|it| it.is_some()))
            }
            Observed::Ended(thread) => u64::from(machine.has_ended(thread as usize)),
            Observed::State(thread) => {
                let name = machine.state_name(thread as usize).unwrap_or_default();
                name.bytes().fold(0u64, |sum, byte| sum.rotate_left(8) ^ u64::from(byte))
            }
            Observed::Population => machine.threads.list.iter().flatten().count() as u64,
            Observed::Waiters(object) => machine.waiting_on(object).len() as u64,
            Observed::Lock(_) => 0,
            Observed::Queue => {
                let signals = self.notices.iter().filter(|notice| notice.signal);
                signals.filter(|notice| notice.location == location).count() as u64
            }
        }
    }
}
