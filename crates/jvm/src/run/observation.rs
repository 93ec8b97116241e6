//! Observations: what a step finds without changing anything, and what it notices of other threads.
//!
//! Both are worked out before the step. An observation is a location, what about it was observed, and the
//! value that was found, as a number that stays the same as long as observing again finds the same. A
//! notice is a location: of a lock that another thread was found to hold, of a wait set that was counted,
//! of a thread whose state was asked for. `spinning.rs` says what both are for.

use counterpoint_model::{Location, Op};
use smallvec::SmallVec;

use super::JavaRun;
use super::pending::{PendingKind, PendingOperation};
use crate::interpret::{JdkCall, OperationKind, Readiness};
use crate::memory::{Reference, ThreadStatus, WaitSet};

/// What was observed.
#[derive(Copy, Clone, Debug)]
pub(super) enum Observed {
    /// A variable.
    Variable,
    /// The state of the subject of a call.
    Subject(JdkCall),
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
    /// How many others a notification by a thread could be for.
    Notifiable(WaitSet, u32),
    /// Nothing: a lock was taken or freed.
    Lock(Reference),
    /// Nothing: the thread has joined the queue of a condition, or left it. What it would find if it
    /// did so again is its place, which signals in between may have changed.
    Queue,
}

impl Observed {
    /// Whether others may notice that a thread observes this.
    pub fn is_noticeable(self) -> bool {
        matches!(self, Observed::Lock(_) | Observed::Queue)
    }

    /// Whether two observations of one location are about the same.
    pub fn is_same_kind(self, other: Observed) -> bool {
        match (self, other) {
            (Observed::Subject(one), Observed::Subject(other)) => {
                std::ptr::eq(one.operation.observed, other.operation.observed)
            }
            _ => std::mem::discriminant(&self) == std::mem::discriminant(&other),
        }
    }

    /// Whether it is about who holds a lock.
    pub fn is_about_holders(self) -> bool {
        matches!(self, Observed::Subject(call) if call.operation.observed.holds.is_some())
    }
}

/// An observation, with the one before it in the same chain.
#[derive(Copy, Clone, Debug)]
pub(super) struct Observation {
    pub before: u32,
    /// The digest of the thread at the stop before the observation; zero if it was not made.
    pub digest: u128,
    pub location: Location,
    pub what: Observed,
    /// What was found.
    pub value: u64,
    /// How many notices there were before it.
    pub noticed: u32,
}

/// The observations of one step: where, at what, and what was found.
pub(super) type Observations = SmallVec<[(Location, Observed, u64); 2]>;

/// Somebody has noticed what is going on at a place, or has signalled a condition.
#[derive(Copy, Clone, Debug)]
pub(super) struct Notice {
    pub location: Location,
    /// Whether a condition was signalled, whose threads have places in a queue.
    pub signal: bool,
}

impl JavaRun<'_> {
    /// Adds what the pending operation of a thread observes; none if it does more than observe.
    #[inline]
    pub(super) fn observations_of_step(
        &self,
        thread: usize,
        pending: &PendingOperation,
        observations: &mut Observations,
    ) -> Option<()> {
        // What programs do most, without asking for all that others do.
        let observation = match (pending.op, pending.kind) {
            (Op::Read(location), PendingKind::Plain) => {
                (location, Observed::Variable, self.found_in(location))
            }
            (Op::Acquire(lock) | Op::Release(lock), PendingKind::Plain) => {
                (lock, Observed::Lock(pending.object), 0)
            }
            (Op::Write(_), _) => return None,
            _ => return self.other_observations(thread, pending, observations),
        };
        observations.push(observation);
        Some(())
    }

    #[inline(never)]
    fn other_observations(
        &self,
        thread: usize,
        pending: &PendingOperation,
        observations: &mut Observations,
    ) -> Option<()> {
        let machine = &self.prepared().machine;
        let own = self.prepared().thread_locations(thread);
        let core = machine.core(thread).ok()?;
        let mut observe = |location: Location, what: Observed| {
            let value = self.found(location, what);
            observations.push((location, what, value));
        };
        let number = thread as u32;
        match (pending.op, pending.kind) {
            (Op::Read(location), PendingKind::Sleep) if !core.interrupted => {
                observe(location, Observed::Interrupt(number));
            }
            (Op::Read(location) | Op::Synchronise(location), PendingKind::AskInterrupted)
                if pending.target != number || !core.interrupted =>
            {
                observe(location, Observed::Interrupt(pending.target));
            }
            (Op::Read(location), PendingKind::AskStarted) => {
                observe(location, Observed::Started(pending.object));
            }
            (Op::Read(location), PendingKind::AskAlive) => {
                observe(location, Observed::Ended(pending.target))
            }
            (Op::Synchronise(_), PendingKind::AskThreads) => {
                for other in (0..machine.thread_count()).filter(|other| *other != thread) {
                    if machine.threads.get(other).is_some() {
                        let life = self.prepared().thread_locations(other).life;
                        observe(life, Observed::Ended(other as u32));
                    }
                }
                observe(own.population, Observed::Population);
            }
            (Op::Read(location), PendingKind::AskWaiters) => {
                observe(location, Observed::Waiters(pending.object));
            }
            (Op::Synchronise(_), PendingKind::AskState) => {
                for location in self.state_depends_on(pending.target as usize) {
                    observe(location, Observed::State(pending.target));
                }
            }
            (Op::Synchronise(_), PendingKind::AskStates) => {
                for other in (0..machine.thread_count()).filter(|other| *other != thread) {
                    if machine.threads.get(other).is_some() {
                        for location in self.state_depends_on(other) {
                            observe(location, Observed::State(other as u32));
                        }
                    }
                }
                observe(own.population, Observed::Population);
            }
            (Op::Synchronise(location), PendingKind::TimedJoin) if !core.interrupted => {
                observe(location, Observed::Ended(pending.target));
                observe(own.interrupt, Observed::Interrupt(number));
            }
            (Op::Update(location), PendingKind::Plain) if !self.update_writes(thread) => {
                observe(location, Observed::Variable);
            }
            (Op::Wait { lock, condition }, _) if !core.interrupted => {
                observe(lock, Observed::Lock(pending.object));
                if self.is_queue(pending) {
                    observe(condition, Observed::Queue);
                }
            }
            (Op::Notify { condition, .. }, _)
                if machine.notifiable(pending.wait_set()).is_empty() =>
            {
                observe(condition, Observed::Notifiable(pending.wait_set(), number));
            }
            (Op::Resume { lock, condition }, _)
                if matches!(core.status, ThreadStatus::Waiting { .. }) =>
            {
                observe(lock, Observed::Lock(pending.object));
                observe(own.wakeup, Observed::Woken(number));
                if self.is_queue(pending) {
                    observe(condition, Observed::Queue);
                }
            }
            (Op::Synchronise(location), PendingKind::Park) if !core.permit && !core.interrupted => {
                observe(location, Observed::Permit(number));
                observe(own.interrupt, Observed::Interrupt(number));
            }
            (Op::Synchronise(location), PendingKind::Jdk(call)) => {
                let operation = call.operation;
                let lock = Observed::Lock(call.subject);
                // One that would wait learns nothing from being possible; one that would not, does.
                match (operation.kind, machine.readiness(thread, &call).ok()?) {
                    (_, Readiness::Interrupted | Readiness::Queues) => return None,
                    (OperationKind::FreeLock, _) => observe(location, lock),
                    (_, Readiness::Fails) => observe(location, Observed::Subject(call)),
                    (OperationKind::TakeLock, _) => {
                        if !operation.blocks() {
                            observe(location, Observed::Subject(call));
                        }
                        observe(location, lock);
                    }
                    (OperationKind::Query, _)
                        if (operation.observed.is_complete)(machine, &call) =>
                    {
                        observe(location, Observed::Subject(call));
                    }
                    _ => return None,
                }
                if operation.is_interruptible() {
                    observe(own.interrupt, Observed::Interrupt(number));
                }
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
    #[inline]
    pub(super) fn record_notices(&mut self, thread: usize, pending: &PendingOperation) {
        if pending.kind != PendingKind::Plain || pending.in_order {
            self.record_some_notices(thread, pending);
        }
    }

    #[inline(never)]
    fn record_some_notices(&mut self, thread: usize, pending: &PendingOperation) {
        let mut noticed: SmallVec<[Location; 4]> = SmallVec::new();
        match (pending.op, pending.kind) {
            (Op::Synchronise(location), PendingKind::Jdk(call)) => {
                let machine = &self.prepared().machine;
                let asks = call.operation.kind == OperationKind::Query
                    && call.operation.observed.holds.is_some()
                    && machine.lock_holders(call.subject) != 0;
                let readiness = self.readiness(thread, pending);
                if asks || matches!(readiness, Readiness::Fails | Readiness::Interrupted) {
                    noticed.push(location);
                }
            }
            (Op::Synchronise(_), PendingKind::AskState) => {
                noticed.extend(self.state_depends_on(pending.target as usize));
            }
            (Op::Synchronise(_), PendingKind::AskStates) => {
                noticed.extend(self.states_depend_on(thread));
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

    /// What somebody finds who reads a variable now.
    #[inline]
    pub(super) fn found_in(&self, location: Location) -> u64 {
        let prepared = self.prepared();
        let cell = prepared.cell(location);
        cell.and_then(|cell| prepared.machine.read_cell(cell).ok()).unwrap_or(0)
    }

    /// What somebody finds who looks now.
    pub(super) fn found(&self, location: Location, what: Observed) -> u64 {
        let prepared = self.prepared();
        let machine = &prepared.machine;
        let core = |thread: u32| machine.core(thread as usize).ok();
        let flag = |value: Option<bool>| u64::from(value.unwrap_or(false));
        match what {
            Observed::Variable => self.found_in(location),
            Observed::Subject(call) => (call.operation.observed.value)(machine, &call),
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
            Observed::Waiters(object) => {
                machine.waiting_in(WaitSet::of_condition(object)).len() as u64
            }
            Observed::Notifiable(set, thread) => {
                let waiters = machine.notifiable(set);
                waiters.iter().filter(|waiter| **waiter != thread as usize).count() as u64
            }
            Observed::Lock(_) => 0,
            Observed::Queue => {
                let signals = self.notices.iter().filter(|notice| notice.signal);
                signals.filter(|notice| notice.location == location).count() as u64
            }
        }
    }
}
