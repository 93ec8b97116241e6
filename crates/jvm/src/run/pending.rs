//! Pending operations: what each stopped thread would do next, in the terms of the kernel.
//!
//! A pending operation is worked out once, when its thread stops. All of it depends on the thread's own
//! past only, so it stays true while others move. Whether it is possible, and what it would find, is
//! asked of the machine each time.

use counterpoint_model::{Location, Op, Pid, Site};

use super::prepared_machine::{Aspect, PreparedMachine, ThreadLocations};
use super::spinning::{NONE, RoundSoFar};
use super::{JavaProgram, JavaRun};
use crate::interpret::access::Ordering;
use crate::interpret::{
    Address, FileAction, JdkCall, NextOperation, Readiness, SubjectPlace, VisibleOperation,
    WaitPolicy,
};
use crate::memory::{Reference, ThreadStatus, WaitSet};
use crate::world::MethodId;

/// What kind of operation is pending.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum PendingKind {
    /// None: the thread has not started, or has ended.
    Absent,
    /// One that the kernel's `Op` says all about.
    Plain,
    /// To wait for a permit.
    Park,
    /// To initialise a class, or to find it initialised.
    Initialize,
    /// To interrupt another thread.
    Interrupt,
    /// To ask whether a thread was interrupted.
    AskInterrupted,
    /// To ask whether a thread has ended.
    AskAlive,
    /// To ask what a thread is doing.
    AskState,
    /// To ask which threads exist.
    AskThreads,
    /// To ask what all threads are doing.
    AskStates,
    /// To end.
    End,
    /// To ask whether a thread has been started.
    AskStarted,
    /// To wait for a thread to end, with a time limit.
    TimedJoin,
    /// To sleep.
    Sleep,
    /// To ask who waits on a condition.
    AskWaiters,
    /// An operation of the JDK.
    Jdk(JdkCall),
    /// An operation on a `CompletableFuture` that never waits.
    Complete,
    /// An operation on files.
    Files(FileAction),
    /// To go on after a wait, by taking the write lock of a lock with readers.
    ResumeForWriting,
    /// None: the thread has ended already, and its step only reports how.
    ReportOnly,
}

/// The pending operation of a stopped thread.
#[derive(Copy, Clone, Debug)]
pub(super) struct PendingOperation {
    pub kind: PendingKind,
    pub op: Op,
    pub site: Site,
    /// The method of the library that the thread is in, as called from the site, or [`NO_METHOD`].
    pub library_method: MethodId,
    /// The object whose monitor, wait set or method it is about, or the mirror of the class.
    pub object: Reference,
    /// The other thread that it is about.
    pub target: u32,
    /// The cell of the other thread, or the wait set of a thread that resumes.
    pub touched: Location,
    /// How an access to a variable orders others.
    pub ordering: Ordering,
    /// Whether its waiting may end although nobody has woken it: because time has passed, say.
    pub timed: bool,
    /// Whether it has a time limit, and of which kind.
    pub limit: TimeLimit,
    /// Whether its notification wakes in the order of waiting.
    pub in_order: bool,
    /// Whether its notification is for those who wait on a condition.
    pub is_signal: bool,
    /// Whether it has not moved yet.
    pub is_first: bool,
    /// Whether it has failed in a step of another thread, and has yet to tell.
    pub failed: bool,
    /// Whether others can tell that it comes to its operation, which is then a step of its own.
    pub approaches: bool,
    /// How many waits there were before its present one.
    pub wait_number: u32,
    /// The last of the looks since the thread has done anything else.
    pub last_observation: u32,
    /// Objects of the thread from this word on were made since then; [`ALL_YOUNG`] if all that the thread has to itself
    /// count as such.
    pub young: u32,
    /// The first look of the round it is in, if it spins.
    pub round: u32,
    /// A digest of what the thread knows.
    pub digest: u128,
    /// Whether the thread that it starts has been started; [`NOWHERE`] if nobody else can know the thread.
    pub started_location: Location,
    /// What methods change that are performed as one atomic call and go on after the operation, then [`NOWHERE`].
    pub enclosing_calls: [Location; 2],
}

/// Up to this size records are copied without a call.
const _: () = assert!(size_of::<PendingOperation>() <= 128);

/// No location.
pub(super) const NOWHERE: Location = Location(u32::MAX);

/// No method.
pub(super) const NO_METHOD: MethodId = MethodId(u32::MAX);

/// All objects of a thread are young.
pub(super) const ALL_YOUNG: u32 = u32::MAX;

/// The time limit of an operation.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum TimeLimit {
    /// It has none.
    None,
    /// It may expire at any time.
    Short,
    /// It expires only when no other thread can move: see `patience.rs`.
    Patient,
}

/// A thread that is not there.
pub(super) const ABSENT: PendingOperation = PendingOperation {
    kind: PendingKind::Absent,
    op: Op::Local,
    site: Site(0),
    library_method: NO_METHOD,
    object: Reference::NULL,
    target: u32::MAX,
    touched: Location(0),
    ordering: Ordering::Volatile,
    timed: false,
    limit: TimeLimit::None,
    in_order: false,
    is_signal: false,
    is_first: false,
    failed: false,
    approaches: false,
    wait_number: 0,
    last_observation: NONE,
    young: 0,
    round: NONE,
    digest: 0,
    started_location: NOWHERE,
    enclosing_calls: [NOWHERE; 2],
};

impl PendingOperation {
    /// Whose waiting its notification ends.
    pub fn wait_set(&self) -> WaitSet {
        WaitSet { object: self.object, is_queue: self.is_signal }
    }

    /// Whether others may have to do something first, unless it is about a task of a pool, a future or
    /// a lock.
    pub fn may_wait(&self) -> bool {
        match self.kind {
            PendingKind::Jdk(call) => call.operation.occupies_worker(),
            PendingKind::Park => true,
            _ => matches!(self.op, Op::Wait { .. } | Op::Join(_)) || self.round != NONE,
        }
    }

    /// Whether it reads or writes a variable and nothing else is to be said of it.
    #[inline]
    pub fn is_plain_access(&self) -> bool {
        self.kind == PendingKind::Plain
            && matches!(self.op, Op::Read(_) | Op::Write(_))
            && self.limit == TimeLimit::None
            && self.round == NONE
            && !self.approaches
            && self.enclosing_calls[0] == NOWHERE
    }

    /// What its thread has observed since it did anything else.
    #[inline]
    pub fn round_so_far(&self) -> RoundSoFar {
        let PendingOperation { last_observation, young, digest, .. } = *self;
        RoundSoFar { last_observation, young, digest }
    }

    /// Whether its time limit expires only when no other thread can move.
    #[inline]
    pub fn is_patient(&self) -> bool {
        self.limit == TimeLimit::Patient
    }

    /// Whether it is possible whatever others do.
    #[inline]
    pub fn is_always_possible(&self) -> bool {
        let waits = matches!(
            self.op,
            Op::Acquire(_) | Op::Join(_) | Op::Resume { .. } | Op::Synchronise(_)
        );
        self.approaches || !(waits || self.is_patient() || self.round != NONE)
    }

    /// Whether there can be states in which it is not possible, or its thread ends with it.
    fn may_have_to_wait(&self) -> bool {
        match self.kind {
            _ if self.round != NONE || self.is_patient() => true,
            PendingKind::Jdk(call) => call.operation.wait_policy != WaitPolicy::NoWait,
            PendingKind::Complete | PendingKind::Interrupt | PendingKind::AskInterrupted => false,
            PendingKind::End => true,
            _ => matches!(self.op, Op::Wait { .. }) || !self.is_always_possible(),
        }
    }

    /// The `StampedLock` that it is about.
    pub fn stamped_lock(&self) -> Option<Reference> {
        match self.kind {
            PendingKind::Jdk(call) if call.operation.is_on_stamped_lock() => Some(call.receiver),
            _ => None,
        }
    }

    /// Whether a thread before this operation may be seen waiting.
    fn may_be_seen_waiting(&self) -> bool {
        match self.kind {
            PendingKind::Plain => matches!(self.op, Op::Acquire(_) | Op::Join(_)),
            PendingKind::Park | PendingKind::Sleep | PendingKind::TimedJoin => true,
            PendingKind::Jdk(call) => call.operation.wait_policy != WaitPolicy::NoWait,
            _ => false,
        }
    }

    /// Whether the operation is more than one access: what it does must not be seen in part.
    pub fn is_atomic(&self) -> bool {
        matches!(self.kind, PendingKind::Jdk(_) | PendingKind::Complete | PendingKind::Files(_))
            || self.enclosing_calls[0] != NOWHERE
    }

    /// The operation as explorers are told: going on after spinning has a condition.
    pub fn shown(&self) -> Op {
        match self.op {
            _ if self.approaches => Op::Local,
            op if self.round == NONE => op,
            Op::Read(location)
            | Op::Update(location)
            | Op::Acquire(location)
            | Op::Resume { lock: location, .. } => Op::Synchronise(location),
            op => op,
        }
    }
}

impl JavaRun<'_> {
    /// Works out the pending operation of a thread that has just stopped.
    pub(super) fn update_pending(&mut self, thread: usize, has_begun_to_wait: bool) {
        let next = self.prepared().machine.next_anyway(thread);
        self.save_pending(thread);
        match next {
            Ok(NextOperation::Ready(operation) | NextOperation::Blocked(operation)) => {
                self.describe_pending(thread, operation, has_begun_to_wait);
            }
            // A machine that contradicts itself says so in the step that comes next.
            Ok(NextOperation::Done) => self.pending[thread] = ABSENT,
            Err(_) => {
                self.pending[thread] = PendingOperation { kind: PendingKind::Plain, ..ABSENT }
            }
        }
        self.pending[thread].digest = self.digest_of(thread, u32::MAX);
        if self.program.asks_for_states() && self.pending[thread].may_be_seen_waiting() {
            self.approach(thread, true);
        }
    }

    /// A thread that reads and comes to an operation that may have to wait does so in a step of its own, which lets
    /// writers join the queue.
    #[inline]
    pub(super) fn approach_while_reading(&mut self, thread: usize) {
        if !self.prepared().machine.read_holds.is_empty() {
            self.look_at_reader(thread);
        }
    }

    #[inline(never)]
    fn look_at_reader(&mut self, thread: usize) {
        let locks = self.prepared().machine.busy_reading(thread);
        if locks.is_empty() || !self.pending[thread].may_have_to_wait() {
            return;
        }
        let program = self.program;
        let prepared = self.prepared_mut();
        for lock in locks {
            let aspect = prepared.lock_aspect(lock);
            prepared.location(program, Address::of_object(lock), aspect);
        }
        self.approach(thread, true);
    }

    /// A thread is about to come to its operation, or comes to it.
    pub(super) fn approach(&mut self, thread: usize, approaching: bool) {
        self.pending[thread].approaches = approaching;
        if let Ok(core) = self.prepared_mut().machine.core_mut(thread) {
            core.approaching = approaching;
        }
    }

    /// Fills the pending operation in where it stays: copying it costs as much as the rest.
    fn describe_pending(
        &mut self,
        thread: usize,
        operation: VisibleOperation,
        has_begun_to_wait: bool,
    ) {
        let program = self.program;
        let prepared = self.prepared.as_mut().expect("the run has its machine until it is dropped");
        let machine = &prepared.machine;
        let (children, timed) = match machine.core(thread) {
            Ok(core) => (
                core.children,
                matches!(core.status, ThreadStatus::Waiting { timed, .. }
                    if timed || machine.options.spurious),
            ),
            Err(_) => (0, false),
        };
        let (site, within) = prepared.site(program, thread);
        let pending = &mut self.pending[thread];
        *pending = ABSENT;
        pending.kind = PendingKind::Plain;
        pending.site = site;
        pending.library_method = within.unwrap_or(NO_METHOD);
        pending.timed = timed;
        if program.queries().limits
            && let Ok(Some(limit)) = prepared.machine.limit_of(thread, operation)
        {
            let patient = program.patience().is_some_and(|patience| {
                // Where the library has looked at the clock, what is left of a limit is a little less.
                let least = (patience - patience / 100).max(1);
                limit >= least || prepared.machine.is_in_test_framework(thread)
            });
            pending.limit = if patient { TimeLimit::Patient } else { TimeLimit::Short };
        }
        if has_begun_to_wait {
            self.waits += 1;
            pending.wait_number = self.waits;
        }
        Description { program, prepared, pending, thread, children }.fill_in(operation);
    }
}

/// A pending operation that is being described.
struct Description<'a, 'p> {
    program: &'p JavaProgram,
    prepared: &'a mut PreparedMachine,
    pending: &'a mut PendingOperation,
    thread: usize,
    children: u32,
}

impl Description<'_, '_> {
    fn location(&mut self, place: Address, aspect: Aspect) -> Location {
        self.prepared.location(self.program, place, aspect)
    }

    /// Says what an operation is to the kernel and what it touches.
    fn fill_in(&mut self, operation: VisibleOperation) {
        use VisibleOperation::*;
        match operation {
            Read { .. } | Write { .. } | Update { .. } | Branch => self.access(operation),
            Acquire { .. }
            | Release { .. }
            | Wait { .. }
            | Resume { .. }
            | Notify { .. }
            | AskWaiters { .. }
            | Initialize { .. } => self.monitor(operation),
            Jdk { call, .. } => self.call(call),
            Complete { subject } => self.completion(subject),
            Files { subject, action } => self.files(subject, action),
            _ => self.life(operation),
        }
        let pending = &mut *self.pending;
        if self.prepared.machine.has_entered_atomic_call
            && (!matches!(pending.op, Op::Start(_)) || self.program.queries().stops)
        {
            let subjects = self.prepared.machine.enclosing_subjects(self.thread);
            for (enclosing, subject) in pending.enclosing_calls.iter_mut().zip(subjects) {
                let subject = Address::of_object(subject);
                *enclosing = self.prepared.location(self.program, subject, Aspect::Internals);
            }
        }
    }

    /// Accesses to variables, and branches on unknowns.
    fn access(&mut self, operation: VisibleOperation) {
        let (place, ordering) = match operation {
            VisibleOperation::Read { place, ordering }
            | VisibleOperation::Write { place, ordering }
            | VisibleOperation::Update { place, ordering, .. } => (place, ordering),
            _ => {
                self.pending.op = Op::Branch;
                return;
            }
        };
        let variable = self.location(place, Aspect::Variable);
        self.pending.op = match operation {
            VisibleOperation::Read { .. } => Op::Read(variable),
            VisibleOperation::Write { .. } => Op::Write(variable),
            _ => Op::Update(variable),
        };
        self.pending.ordering = self.prepared.told_ordering(self.program, place, ordering);
    }

    /// Operations on monitors, wait sets and the initialisation of classes.
    #[inline(never)]
    fn monitor(&mut self, operation: VisibleOperation) {
        match operation {
            VisibleOperation::Acquire { object } => {
                self.pending.object = object.object;
                self.pending.op = Op::Acquire(self.location(object, Aspect::Monitor));
            }
            VisibleOperation::Release { object } => {
                self.pending.object = object.object;
                self.pending.op = Op::Release(self.location(object, Aspect::Monitor));
            }
            VisibleOperation::Wait { object, lock }
            | VisibleOperation::Resume { object, lock, .. } => {
                self.pending.object = lock.object;
                let readers = self.prepared.machine.has_read_lock(lock.object);
                let condition = self.location(object, Aspect::WaitSet);
                let lock = self.location(lock, Aspect::Monitor);
                self.pending.touched = condition;
                self.pending.op = match operation {
                    VisibleOperation::Wait { .. } => Op::Wait { condition, lock },
                    _ if readers => {
                        self.pending.kind = PendingKind::ResumeForWriting;
                        Op::Synchronise(lock)
                    }
                    _ => Op::Resume { condition, lock },
                };
            }
            VisibleOperation::Notify { object, all, in_order, is_signal, .. } => {
                self.pending.object = object.object;
                (self.pending.in_order, self.pending.is_signal) = (in_order, is_signal);
                let condition = self.location(object, Aspect::WaitSet);
                self.pending.op = Op::Notify { condition, all };
            }
            VisibleOperation::AskWaiters { object } => {
                self.pending.kind = PendingKind::AskWaiters;
                self.pending.object = object.object;
                self.pending.op = Op::Read(self.location(object, Aspect::WaitSet));
            }
            VisibleOperation::Initialize { class, .. } => {
                self.pending.kind = PendingKind::Initialize;
                self.pending.object = class.object;
                self.pending.op = Op::Acquire(self.location(class, Aspect::Initialisation));
            }
            _ => {}
        }
    }

    /// A call that is an operation of the JDK.
    #[inline(never)]
    fn call(&mut self, call: JdkCall) {
        self.pending.kind = PendingKind::Jdk(call);
        self.pending.object = call.subject;
        let aspect = match call.operation.subject.place {
            SubjectPlace::Lock => Aspect::Monitor,
            SubjectPlace::Internals => Aspect::Internals,
            SubjectPlace::Variable(_) => Aspect::Variable,
        };
        if let Ok(subject) = self.prepared.machine.subject_address(&call) {
            self.pending.op = Op::Synchronise(self.location(subject, aspect));
        }
        if let Some(touches) = call.operation.also_touches {
            let touched = touches(&self.prepared.machine, &call, Readiness::Succeeds);
            for (address, _) in touched.unwrap_or_default() {
                self.location(address, Aspect::Variable);
            }
        }
    }

    /// An operation on a `CompletableFuture`.
    #[inline(never)]
    fn completion(&mut self, subject: Address) {
        self.pending.kind = PendingKind::Complete;
        self.pending.op = Op::Synchronise(self.location(subject, Aspect::Variable));
        let touches = self.prepared.machine.completion_touches(self.thread);
        for (address, _) in touches.unwrap_or_default() {
            self.location(address, Aspect::Variable);
        }
    }

    /// An operation on files.
    #[inline(never)]
    fn files(&mut self, subject: Address, action: FileAction) {
        self.pending.kind = PendingKind::Files(action);
        self.pending.object = subject.object;
        self.pending.op = Op::Synchronise(self.location(subject, Aspect::Variable));
        let touches = self.prepared.machine.file_touches(self.thread);
        for (address, _) in touches.unwrap_or_default() {
            self.location(address, Aspect::Variable);
        }
    }

    /// What threads do to each other: starting, ending, waiting for the end, permits, interrupts, questions.
    #[inline(never)]
    fn life(&mut self, operation: VisibleOperation) {
        let (kind, op) = match operation {
            VisibleOperation::Start { object, .. } => {
                let parent = self.prepared.pid(self.program, self.thread);
                let names = counterpoint_model::Program::names(self.program);
                let child = names.child(parent, self.children);
                self.pending.touched =
                    self.prepared.thread_location(self.program, child, Aspect::Life);
                self.pending.started_location =
                    object.map_or(NOWHERE, |object| self.location(object, Aspect::Started));
                (PendingKind::Plain, Op::Start(child))
            }
            VisibleOperation::AskStarted { object, interrupts } => {
                self.pending.object = object.object;
                let started = self.location(object, Aspect::Started);
                let op = if interrupts { Op::Update(started) } else { Op::Read(started) };
                (PendingKind::AskStarted, op)
            }
            VisibleOperation::Join { thread, timed } => {
                let process = self.other(thread);
                self.pending.touched = self.prepared.thread_locations(thread).life;
                match timed {
                    true => (PendingKind::TimedJoin, Op::Synchronise(self.pending.touched)),
                    false => (PendingKind::Plain, Op::Join(process)),
                }
            }
            VisibleOperation::Sleep => (PendingKind::Sleep, Op::Read(self.own().interrupt)),
            VisibleOperation::AskState { thread } if self.program.asks_for_states() => {
                self.other(thread);
                let progress = self.prepared.thread_locations(thread).progress;
                (PendingKind::AskState, Op::Synchronise(progress))
            }
            VisibleOperation::AskAlive { thread } | VisibleOperation::AskState { thread } => {
                self.other(thread);
                (PendingKind::AskAlive, Op::Read(self.prepared.thread_locations(thread).life))
            }
            VisibleOperation::AskThreads => {
                (PendingKind::AskThreads, Op::Synchronise(self.own().population))
            }
            VisibleOperation::AskStates => {
                (PendingKind::AskStates, Op::Synchronise(self.own().population))
            }
            VisibleOperation::End if self.prepared.machine.options.ends_take_monitors => {
                if let Ok(object) = self.prepared.machine.thread_object(self.thread) {
                    self.pending.object = object;
                    self.location(Address::of_object(object), Aspect::Monitor);
                    self.pending.touched =
                        self.location(Address::of_object(object), Aspect::WaitSet);
                }
                (PendingKind::End, Op::Synchronise(self.own().life))
            }
            VisibleOperation::End => (PendingKind::End, Op::Write(self.own().life)),
            VisibleOperation::Park { .. } => {
                (PendingKind::Park, Op::Synchronise(self.own().permit))
            }
            VisibleOperation::Unpark { thread } => {
                self.prepared.pid(self.program, thread);
                let permit = self.prepared.thread_locations(thread).permit;
                (PendingKind::Plain, Op::Synchronise(permit))
            }
            VisibleOperation::Interrupt { thread } => {
                self.other(thread);
                let interrupt = self.prepared.thread_locations(thread).interrupt;
                (PendingKind::Interrupt, Op::Synchronise(interrupt))
            }
            VisibleOperation::AskInterrupted { thread, clear } => {
                self.other(thread);
                let interrupt = self.prepared.thread_locations(thread).interrupt;
                let op = if clear { Op::Synchronise(interrupt) } else { Op::Read(interrupt) };
                (PendingKind::AskInterrupted, op)
            }
            _ => return,
        };
        (self.pending.kind, self.pending.op) = (kind, op);
    }

    fn own(&self) -> ThreadLocations {
        self.prepared.thread_locations(self.thread)
    }

    /// Notes which other thread the operation is about.
    fn other(&mut self, thread: usize) -> Pid {
        self.pending.target = thread as u32;
        self.prepared.pid(self.program, thread)
    }
}
