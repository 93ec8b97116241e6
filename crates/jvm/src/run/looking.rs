//! What a step only looks at, and what it notices of what others are doing meanwhile.
//!
//! Both are asked before the step. A look is a place, what about it was looked at, and what was found
//! there, as a number that is the same as long as somebody who looks again finds the same. A notice is
//! a place: of a lock that somebody was found to hold, of a wait set that was counted, of a thread
//! whose state was asked for. See `spinning.rs` for what both are good for.

use counterpoint_model::{Location, Op};
use smallvec::SmallVec;

use super::JavaRun;
use super::standing::{Life, Standing};
use crate::interpret::cell::Cell;
use crate::interpret::{Outlook, Patience, Sort, Synchronise};
use crate::memory::{Reference, Status};

/// What was looked at.
#[derive(Copy, Clone, Debug)]
pub(super) enum What {
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
    /// What methods of an object that are performed as a whole look at.
    Inside(Reference, Sort),
    /// Nothing: a lock was taken or freed.
    Lock(Reference),
    /// Nothing: the thread has joined the queue of a condition, or left it. What it would find if it
    /// did so again is its place, which signals in between may have changed.
    Queue,
}

impl What {
    /// Whether others may notice that a thread looks at this.
    pub fn is_noticeable(self) -> bool {
        matches!(self, What::Lock(_) | What::Queue)
    }
}

/// A look, with the one before it in the same chain.
#[derive(Copy, Clone, Debug)]
pub(super) struct Look {
    pub before: u32,
    /// The digest of the thread at the stop before the look; zero if it was not made.
    pub digest: u128,
    pub location: Location,
    pub what: What,
    /// What was found.
    pub value: u64,
    /// How many notices there were before it.
    pub noticed: u32,
}

/// The looks of one step: where, at what, and what was found.
pub(super) type Looks = Vec<(Location, What, u64)>;

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
            (Op::Synchronise(_), Life::AsksThreads) => {
                for other in (0..machine.thread_count()).filter(|other| *other != thread) {
                    if machine.threads.get(other).is_some() {
                        let life = self.prepared().cells(other).life;
                        look(life, What::Ended(other as u32));
                    }
                }
                look(own.population, What::Population);
            }
            (Op::Read(location), Life::LooksAtWaiters) => {
                look(location, What::Waiters(standing.object));
            }
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
            (Op::Update(location), Life::Stands) if !self.update_writes(thread) => {
                look(location, What::Variable);
            }
            (Op::Acquire(lock) | Op::Release(lock), Life::Stands) => {
                look(lock, What::Lock(standing.object));
            }
            (Op::Wait { lock, condition }, _) if !core.interrupted => {
                look(lock, What::Lock(standing.object));
                if self.is_queue(standing) {
                    look(condition, What::Queue);
                }
            }
            (Op::Resume { lock, condition }, _)
                if matches!(core.status, Status::Waiting { .. }) =>
            {
                look(lock, What::Lock(standing.object));
                look(own.wakening, What::Woken(number));
                if self.is_queue(standing) {
                    look(condition, What::Queue);
                }
            }
            (Op::Synchronise(location), Life::TriesLock) => {
                look(location, What::Holder(standing.object));
                if self.is_free(thread, standing) {
                    look(location, What::Lock(standing.object));
                }
            }
            (Op::Synchronise(location), Life::Parks) if !core.permit && !core.interrupted => {
                look(location, What::Permit(number));
                look(own.interrupt, What::Interrupt(number));
            }
            (Op::Synchronise(location), Life::Synchronises(operation, amount)) => {
                let object = standing.object;
                let outlook = machine.outlook(thread, operation, object, amount).ok()?;
                self.looks_at_synchroniser(location, operation, outlook, object, &mut look)?;
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

    /// What an operation on a synchroniser looks at. One that would wait learns nothing from being
    /// possible; one that would not wait learns that it is.
    fn looks_at_synchroniser(
        &self,
        location: Location,
        operation: Synchronise,
        outlook: Outlook,
        object: Reference,
        look: &mut impl FnMut(Location, What),
    ) -> Option<()> {
        let tries = matches!(operation.patience(), Patience::Timed | Patience::None);
        match (operation, outlook) {
            (_, Outlook::Interrupted) => return None,
            (Synchronise::ReadUnlock | Synchronise::WriteUnlock, _) => {
                look(location, What::Lock(object));
            }
            (
                Synchronise::Lock(_) | Synchronise::ReadLock(_) | Synchronise::WriteLock(_),
                Outlook::Possible,
            ) => {
                match operation {
                    Synchronise::ReadLock(_) if tries => look(location, What::Writer(object)),
                    _ if tries => look(location, What::Holder(object)),
                    _ => {}
                }
                look(location, What::Lock(object));
            }
            (Synchronise::Acquire(_) | Synchronise::Pass(_), Outlook::Late)
            | (Synchronise::Permits | Synchronise::Count, _) => {
                look(location, What::Number(object));
            }
            (Synchronise::ReadLock(_), Outlook::Late) => look(location, What::Writer(object)),
            (_, Outlook::Late)
            | (Synchronise::IsLocked | Synchronise::Owner | Synchronise::IsWriteLocked, _) => {
                look(location, What::Holder(object));
            }
            (Synchronise::ReadLocks | Synchronise::AllLocks, _) => {
                look(location, What::Readers(object));
            }
            _ => return None,
        }
        Some(())
    }

    /// Whether the wait set that a thread joins or leaves is the queue of a condition, not a monitor's
    /// set.
    fn is_queue(&self, standing: &Standing) -> bool {
        let set = self.prepared().address(standing.touched);
        set.is_some_and(|address| address.object != standing.object)
    }

    /// Notes what the step that a thread stands before will notice of others; asked before the step.
    pub(super) fn note_notices(&mut self, thread: usize, standing: &Standing) {
        let mut noticed: SmallVec<[Location; 4]> = SmallVec::new();
        let held = |object| self.found(Location(0), What::Holder(object)) != 0;
        match (standing.op, standing.life) {
            (Op::Synchronise(location), Life::TriesLock) if !self.is_free(thread, standing) => {
                noticed.push(location);
            }
            (Op::Synchronise(location), Life::Synchronises(operation, _)) => {
                let outlook = self.outlook(thread, standing);
                let asks = matches!(
                    operation,
                    Synchronise::IsLocked
                        | Synchronise::Owner
                        | Synchronise::IsWriteLocked
                        | Synchronise::ReadLocks
                        | Synchronise::AllLocks
                );
                let fails = matches!(outlook, Outlook::Late | Outlook::Interrupted);
                if fails || asks && held(standing.object) {
                    noticed.push(location);
                }
            }
            (Op::Synchronise(_), Life::AsksState) => {
                noticed.extend(self.state_depends_on(standing.target as usize));
            }
            (Op::Read(condition), Life::LooksAtWaiters) => noticed.push(condition),
            (Op::Notify { condition, .. }, _) if standing.in_order => {
                self.notices.push(Notice { location: condition, signal: true });
            }
            _ => {}
        }
        let notices = noticed.into_iter().map(|location| Notice { location, signal: false });
        self.notices.extend(notices);
    }

    /// What somebody finds who looks now.
    pub(super) fn found(&self, location: Location, what: What) -> u64 {
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
            What::Writer(object) => {
                let owner = machine.heap.header(object).and_then(|header| header.owner());
                owner.map_or(0, |(owner, _)| owner as u64 + 1)
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
            What::Population => machine.threads.list.iter().flatten().count() as u64,
            What::Waiters(object) => machine.waiting_on(object).len() as u64,
            What::Lock(_) => 0,
            What::Queue => {
                let signals = self.notices.iter().filter(|notice| notice.signal);
                signals.filter(|notice| notice.location == location).count() as u64
            }
        }
    }
}
