//! Footprints: what the pending operation of a thread touches.
//!
//! **Problem.** Explorers reverse two steps only if their footprints conflict. So the footprint of an
//! operation has to contain everything that its result and its being possible depend on, and everything
//! that it may change; and the less it contains, the fewer executions there are.
//!
//! **Idea.** One function adds the footprint of any operation. Before a choice is made, the footprint is
//! that of all alternatives together, assumed to succeed. The footprint of the step itself is what really
//! happens: a failed compare-and-set reads, a call that ran out of time reads, and a call that was
//! interrupted touches the interrupt only. A step is guarded if it was or could have been blocked before.
//!
//! **Invariant.** The footprint before a step covers the one of the step, and both depend only on what the
//! footprint itself names: `tests/audit.rs` compares them on random walks.

use counterpoint_model::{Access, Footprint, Location, Mode, Op};
use smallvec::SmallVec;

use super::JavaRun;
use super::pending::{ABSENT, NOWHERE, PendingKind, PendingOperation};
use super::spinning::NONE;
use crate::broken::{self, DefectKind, Unseen};
use crate::interpret::access::Ordering;
use crate::interpret::{JdkCall, OperationKind, Readiness};
use crate::memory::{ThreadStatus, WaitSet, WakeReason};

/// An access to a variable. An opaque one must not order anything but is an access like any other, so a
/// read tells what nobody asks for at such a variable, and a write asks for what nobody tells.
fn access(location: Location, mode: Mode, ordering: Ordering) -> Access {
    let ordered = Access::synchronising(location, mode);
    match ordering {
        Ordering::Plain => Access::plain(location, mode),
        Ordering::Volatile => ordered,
        Ordering::Opaque if mode == Mode::Read => {
            Access { learns: false, publishes: true, ..ordered }
        }
        Ordering::Opaque | Ordering::Acquire => ordered.publishing(false),
        Ordering::Release => Access { learns: false, ..ordered },
    }
}

impl JavaRun<'_> {
    /// Adds what the operation that a thread stands before touches, and says whether it is guarded.
    /// Without an alternative, it is all that some alternative touches.
    pub(super) fn add_footprint(
        &self,
        thread: usize,
        alternative: Option<u32>,
        footprint: &mut Footprint,
    ) -> bool {
        let guarded = self.add_operation_footprint(thread, alternative, footprint);
        if let Some(defect) = broken::active() {
            self.spoil(defect, thread, footprint);
        }
        let guarded = self.add_patience(thread, alternative, footprint) || guarded;
        if self.program.notices_progress() {
            let progress = self.prepared().thread_locations(thread).progress;
            footprint.push(Access::synchronising(progress, Mode::Write).unordered());
        }
        guarded
    }

    /// Leaves out of a footprint what a deliberate defect leaves out.
    #[cold]
    fn spoil(&self, defect: DefectKind, thread: usize, footprint: &mut Footprint) {
        let pending = &self.pending[thread];
        match (defect, pending.kind, pending.op) {
            (DefectKind::NoSubject(row), PendingKind::Jdk(call), Op::Synchronise(subject))
                if broken::is_operation(call.operation, row) =>
            {
                footprint.retain(|access| access.location != subject);
            }
            (DefectKind::ReadsSubject(row), PendingKind::Jdk(call), Op::Synchronise(subject))
                if broken::is_operation(call.operation, row) =>
            {
                for access in footprint.iter_mut().filter(|access| access.location == subject) {
                    access.mode = Mode::Read;
                }
            }
            (DefectKind::NoFootprint(unseen), kind, op) => {
                let volatile = pending.ordering == Ordering::Volatile;
                let is_unseen = match unseen {
                    Unseen::VolatileRead => volatile && matches!(op, Op::Read(_)),
                    Unseen::VolatileWrite => volatile && matches!(op, Op::Write(_)),
                    Unseen::PlainWrite => !volatile && matches!(op, Op::Write(_)),
                    Unseen::Update => matches!(op, Op::Update(_)),
                    Unseen::Acquire => matches!(op, Op::Acquire(_)),
                    Unseen::Notify => matches!(op, Op::Notify { .. }),
                    Unseen::Interrupt => kind == PendingKind::Interrupt,
                    Unseen::AskInterrupted => kind == PendingKind::AskInterrupted,
                    Unseen::AskAlive => kind == PendingKind::AskAlive,
                    Unseen::Completion => kind == PendingKind::Complete,
                };
                if is_unseen {
                    footprint.clear();
                }
            }
            _ => {}
        }
    }

    /// What the state of a thread depends on: how far it has come, and whatever says whether it can
    /// go on.
    pub(super) fn state_depends_on(&self, thread: usize) -> SmallVec<[Location; 4]> {
        let cells = self.prepared().thread_locations(thread);
        let mut locations = SmallVec::from_slice(&[cells.life, cells.progress]);
        let pending = self.pending.get(thread).copied().unwrap_or(ABSENT);
        if !pending.approaches
            && !matches!(
                pending.kind,
                PendingKind::Absent | PendingKind::AskState | PendingKind::AskStates
            )
        {
            let mut footprint = Footprint::new();
            self.add_operation_footprint(thread, None, &mut footprint);
            for access in footprint.iter() {
                if !locations.contains(&access.location) {
                    locations.push(access.location);
                }
            }
        }
        locations
    }

    /// What the states of all threads but one depend on.
    pub(super) fn states_depend_on(&self, thread: usize) -> SmallVec<[Location; 8]> {
        let machine = &self.prepared().machine;
        let mut locations = SmallVec::new();
        for other in (0..machine.thread_count()).filter(|other| *other != thread) {
            if machine.threads.get(other).is_some() {
                for location in self.state_depends_on(other) {
                    if !locations.contains(&location) {
                        locations.push(location);
                    }
                }
            }
        }
        locations
    }

    #[inline(always)]
    fn add_operation_footprint(
        &self,
        thread: usize,
        alternative: Option<u32>,
        footprint: &mut Footprint,
    ) -> bool {
        let pending = &self.pending[thread];
        let prepared = self.prepared();
        let own = prepared.thread_locations(thread);
        let mut guarded = false;
        let mut touch = |location: Location, mode: Mode| {
            footprint.push(Access::synchronising(location, mode));
        };
        if pending.is_first && thread != 0 {
            touch(own.life, Mode::Await);
        }
        if pending.approaches {
            for lock in prepared.machine.busy_reading(thread) {
                touch(prepared.lock(self.program, lock), Mode::Read);
            }
            return false;
        }
        let variable = |location, mode| access(location, mode, pending.ordering);
        match pending.op {
            Op::Read(location) if pending.kind == PendingKind::Sleep => {
                let writes = alternative.is_some() && self.is_interrupted(thread);
                touch(location, if writes { Mode::Write } else { Mode::Read });
            }
            Op::Read(location) => footprint.push(variable(location, Mode::Read)),
            Op::Write(location) => footprint.push(variable(location, Mode::Write)),
            Op::Update(location) if pending.kind == PendingKind::AskStarted => {
                let started = prepared.machine.thread_of(pending.object);
                let writes = alternative.is_none() || matches!(started, Ok(None));
                touch(location, if writes { Mode::Write } else { Mode::Read });
            }
            Op::Update(location) => {
                let writes = alternative.is_none() || self.update_writes(thread);
                let mode = if writes { Mode::Write } else { Mode::Read };
                footprint.push(variable(location, mode));
            }
            Op::Acquire(lock) => touch(lock, Mode::Acquire),
            Op::Release(lock) => touch(lock, Mode::Release),
            // One that finds itself interrupted frees nothing.
            Op::Wait { .. } if alternative.is_some() && self.wait_fails(thread) => {
                touch(own.interrupt, Mode::Write);
            }
            Op::Wait { condition, lock } => {
                touch(condition, Mode::Write);
                touch(lock, Mode::Release);
                touch(own.interrupt, self.changes_who_waits());
            }
            Op::Resume { lock, .. } => {
                guarded = self.add_resume_footprint(thread, lock, Mode::Acquire, &mut touch);
            }
            Op::Notify { condition, .. } => {
                touch(condition, Mode::Write);
                let woken = match alternative {
                    Some(alternative) => {
                        let woken = self.notification(pending, alternative);
                        woken.into_iter().map(|(waiter, _)| waiter).collect()
                    }
                    None => self.may_be_woken(pending),
                };
                for waiter in woken {
                    let cells = prepared.thread_locations(waiter);
                    touch(cells.wakeup, Mode::Write);
                    touch(cells.interrupt, self.changes_who_waits());
                }
            }
            Op::Start(_) => {
                touch(pending.touched, Mode::Write);
                if self.program.queries().threads {
                    touch(own.population, Mode::Write);
                }
            }
            // One that is interrupted could have gone on before the other thread has ended.
            Op::Join(_) if self.is_interrupted(thread) => {
                let ended = prepared.machine.has_ended(pending.target as usize);
                guarded = true;
                touch(pending.touched, Mode::Read);
                touch(own.interrupt, if ended { Mode::Read } else { Mode::Write });
            }
            Op::Join(_) => {
                touch(pending.touched, Mode::Await);
                touch(own.interrupt, Mode::Read);
            }
            Op::Synchronise(location) => {
                guarded =
                    self.add_synchronising_footprint(thread, location, alternative, footprint);
            }
            Op::Branch | Op::Choose(_) | Op::Task(_) | Op::Local => {}
        }
        if pending.started_location != NOWHERE {
            footprint.push(Access::synchronising(pending.started_location, Mode::Write));
        }
        for location in pending.enclosing_calls.into_iter().take_while(|one| *one != NOWHERE) {
            footprint.retain(|access| access.location != location);
            footprint.push(Access::synchronising(location, Mode::Write));
        }
        if pending.round != NONE {
            guarded = true;
            self.add_round_footprint(pending, footprint);
        }
        guarded
    }

    /// The same for an operation that is about one location and more than a lock or a variable.
    fn add_synchronising_footprint(
        &self,
        thread: usize,
        location: Location,
        alternative: Option<u32>,
        footprint: &mut Footprint,
    ) -> bool {
        let pending = &self.pending[thread];
        let prepared = self.prepared();
        let own = prepared.thread_locations(thread);
        let mut guarded = false;
        // Nothing follows from what a thread was doing, unless it has ended.
        let asked = (pending.kind == PendingKind::AskState)
            .then(|| prepared.thread_locations(pending.target as usize).life);
        let mut touch = |location: Location, mode: Mode| {
            let access = Access::synchronising(location, mode);
            let ordered = asked.is_none_or(|life| life == location);
            footprint.push(if ordered { access } else { access.unordered() });
        };
        match pending.kind {
            PendingKind::TimedJoin => {
                let ended = prepared.machine.has_ended(pending.target as usize);
                let writes = alternative.is_some() && self.is_interrupted(thread) && !ended;
                touch(location, Mode::Read);
                touch(own.interrupt, if writes { Mode::Write } else { Mode::Read });
            }
            PendingKind::AskInterrupted => {
                let writes = alternative.is_none() || self.is_interrupted(thread);
                touch(location, if writes { Mode::Write } else { Mode::Read });
            }
            PendingKind::AskState => {
                guarded = true;
                for location in self.state_depends_on(pending.target as usize) {
                    touch(location, Mode::Read);
                }
            }
            PendingKind::AskThreads => {
                touch(location, Mode::Read);
                for other in 0..prepared.machine.thread_count() {
                    if other != thread && prepared.machine.threads.get(other).is_some() {
                        touch(prepared.thread_locations(other).life, Mode::Read);
                    }
                }
            }
            // Nothing follows from what threads were doing, and their ends are looked at with it.
            PendingKind::AskStates => {
                guarded = true;
                touch(location, Mode::Read);
                for location in self.states_depend_on(thread) {
                    footprint.push(Access::synchronising(location, Mode::Read).unordered());
                }
            }
            PendingKind::Park => {
                guarded = true;
                touch(location, Mode::Write);
                touch(own.interrupt, Mode::Read);
            }
            PendingKind::End => {
                guarded = true;
                touch(location, Mode::Write);
                touch(prepared.monitor(self.program, pending.object), Mode::Write);
                touch(pending.touched, Mode::Write);
                for waiter in prepared.machine.waiting_in(WaitSet::of_monitor(pending.object)) {
                    let [_, cells @ ..] = self.touched_by_waking(waiter);
                    cells.into_iter().for_each(|cell| touch(cell.location, cell.mode));
                }
            }
            PendingKind::ResumeForWriting => {
                guarded = true;
                self.add_resume_footprint(thread, location, Mode::Write, &mut touch);
            }
            PendingKind::Jdk(call) => {
                return self.add_call_footprint(thread, &call, location, alternative, footprint);
            }
            PendingKind::Complete => {
                let touches = prepared.machine.completion_touches(thread);
                for (address, writes) in touches.unwrap_or_default() {
                    let location = prepared.variable(self.program, address);
                    touch(location, if writes { Mode::Write } else { Mode::Read });
                }
            }
            // Files order nothing but themselves. Nobody waits, but several locations decide what happens.
            PendingKind::Files(_) => {
                guarded = true;
                let touches = prepared.machine.file_touches(thread);
                for (address, writes) in touches.unwrap_or_default() {
                    let location = prepared.variable(self.program, address);
                    let mode = if writes { Mode::Write } else { Mode::Read };
                    footprint.push(Access::synchronising(location, mode).unordered());
                }
            }
            PendingKind::Interrupt => {
                touch(location, Mode::Write);
                let target = pending.target as usize;
                let (wakes, leaves) = self.interrupt_changes(target);
                if leaves {
                    touch(self.pending[target].touched, Mode::Write);
                }
                if wakes {
                    touch(prepared.thread_locations(target).wakeup, Mode::Write);
                }
            }
            _ => touch(location, Mode::Write),
        }
        guarded
    }

    /// The same for a call that is an operation of the JDK.
    fn add_call_footprint(
        &self,
        thread: usize,
        call: &JdkCall,
        location: Location,
        alternative: Option<u32>,
        footprint: &mut Footprint,
    ) -> bool {
        let pending = &self.pending[thread];
        let prepared = self.prepared();
        let own = prepared.thread_locations(thread);
        let operation = call.operation;
        let readiness = match alternative {
            Some(_) => self.readiness(thread, pending),
            None => Readiness::Succeeds,
        };
        // One that gives up its place in a queue lets others go on.
        let leaves = alternative.is_some() && prepared.machine.waits_in_queue(thread, call.subject);
        let mode = match (operation.mode)(&prepared.machine, call, readiness) {
            Mode::Read if leaves => Mode::Write,
            mode => mode,
        };
        // One that takes a lock can overtake the release that lets it succeed.
        let locks = (operation.mode)(&prepared.machine, call, Readiness::Succeeds);
        let guarded = operation.blocks() || locks == Mode::Acquire;
        let publishes = match operation.kind {
            OperationKind::FreeLock => true,
            OperationKind::TakeLock | OperationKind::Query => false,
            // Who joins a queue tells nothing.
            OperationKind::Change if readiness == Readiness::Queues => false,
            OperationKind::Change => mode == Mode::Write || readiness == Readiness::Succeeds,
        };
        footprint.push(Access::synchronising(location, mode).publishing(publishes));
        let mut touch = |location: Location, mode: Mode| {
            footprint.push(Access::synchronising(location, mode));
        };
        if let Some(touches) = operation.also_touches {
            let touched = touches(&prepared.machine, call, readiness).unwrap_or_default();
            for (address, writes) in touched {
                let location = prepared.variable(self.program, address);
                touch(location, if writes { Mode::Write } else { Mode::Read });
            }
        }
        if let Some(threads) = operation.reads_ends {
            let how = if operation.blocks() { Mode::Await } else { Mode::Read };
            for ended in threads(&prepared.machine, call.receiver) {
                touch(prepared.thread_locations(ended).life, how);
            }
        }
        if operation.is_interruptible() {
            // The JDK's own code may clear the interrupt even if it succeeds.
            let clears = match operation.is_on_lock() {
                true => readiness == Readiness::Interrupted,
                false => alternative.is_some() && self.is_interrupted(thread),
            };
            touch(own.interrupt, if clears { Mode::Write } else { Mode::Read });
        }
        guarded
    }

    /// What comes of the operation of the JDK that a thread stands before.
    pub(super) fn readiness(&self, thread: usize, pending: &PendingOperation) -> Readiness {
        let machine = &self.prepared().machine;
        match pending.kind {
            PendingKind::Jdk(call) => {
                machine.readiness(thread, &call).unwrap_or(Readiness::Blocked)
            }
            PendingKind::ResumeForWriting if machine.joins_to_take_back(pending.object, thread) => {
                Readiness::Queues
            }
            _ => Readiness::Succeeds,
        }
    }

    /// Whether the wait that a thread stands before ends at once, by an interrupt.
    fn wait_fails(&self, thread: usize) -> bool {
        self.is_interrupted(thread) && self.prepared().machine.wait_is_interruptible(thread)
    }

    pub(super) fn is_interrupted(&self, thread: usize) -> bool {
        self.prepared().machine.core(thread).is_ok_and(|core| core.interrupted)
    }

    /// How a step that lets a thread join or leave a wait set touches its interrupt. What an interrupt does and touches
    /// depends on whether it finds the thread there, and nets foretell a step from what was written to the locations
    /// that it is about.
    fn changes_who_waits(&self) -> Mode {
        if self.program.queries().interrupts { Mode::Write } else { Mode::Read }
    }

    /// What the end of a thread touches of somebody who waits on its `Thread`.
    pub(super) fn touched_by_waking(&self, waiter: usize) -> [Access; 3] {
        let cells = self.prepared().thread_locations(waiter);
        let touch = Access::synchronising;
        [
            touch(self.pending[waiter].touched, Mode::Write),
            touch(cells.wakeup, Mode::Write),
            touch(cells.interrupt, self.changes_who_waits()),
        ]
    }

    /// What a thread touches that goes on after a wait, and whether it could have gone on before it was woken, or before it was
    /// woken last: because of its time limit, or because it was interrupted first and notified after that.
    fn add_resume_footprint(
        &self,
        thread: usize,
        lock: Location,
        taking: Mode,
        touch: &mut impl FnMut(Location, Mode),
    ) -> bool {
        let pending = &self.pending[thread];
        let prepared = self.prepared();
        let own = prepared.thread_locations(thread);
        let status = prepared.machine.core(thread).map(|core| core.status);
        let waits = matches!(status, Ok(ThreadStatus::Waiting { .. }));
        let again = matches!(status, Ok(ThreadStatus::Reacquiring { again: true, .. }));
        let early = pending.timed || again;
        if early {
            touch(own.wakeup, Mode::Read);
            if waits {
                // Nobody can wake it any more, neither by a notification nor by an interrupt.
                touch(pending.touched, Mode::Write);
                touch(own.interrupt, self.changes_who_waits());
            }
            touch(lock, taking);
        } else {
            touch(own.wakeup, Mode::Await);
            if !waits {
                touch(lock, taking);
            }
        }
        // An interrupt that comes next finds the wait over.
        let interrupts =
            [WakeReason::Interrupted, WakeReason::LeftInterrupted, WakeReason::NotifiedUnlessLate];
        if let Ok(ThreadStatus::Reacquiring { reason, .. }) = status
            && interrupts.contains(&reason)
        {
            touch(own.interrupt, Mode::Write);
            if reason == WakeReason::Interrupted {
                // No notification can find it in the wait set any more.
                touch(pending.touched, Mode::Write);
            }
        }
        early
    }

    pub(super) fn update_writes(&self, thread: usize) -> bool {
        let next = self.prepared().machine.next_anyway(thread);
        !matches!(
            next,
            Ok(crate::NextOperation::Ready(crate::VisibleOperation::Update { writes: false, .. }))
        )
    }
}
