//! Pools, futures and queues of `java.util.concurrent`: a method is one visible operation.
//!
//! **Problem.** The JDK's thread pool is a word of state, a set of workers, a lock, a condition and a
//! queue with two more locks. Handing over two tasks and getting their results is dozens of accesses
//! that several threads compete for, so that the insides of the library have thousands of traces
//! where the program has a handful.
//!
//! **Idea.** The methods of these classes are linearisable: whatever several threads do inside them
//! at the same time, the program can tell no more than that the calls happened in some order. So the
//! JDK's own code runs from the call to the return as one step, *quietly*: it does not stop at what is
//! inside the object ([`INTERNALS`](crate::memory::INTERNALS): its nodes, locks and counters), and the operation that
//! others notice is the call itself: it looks at the object or changes it. Which object that is says
//! the *subject*; a pool and its queue are one subject, the queue. A method that may have to wait has
//! a *condition*, worked out from the fields of the object; the call is possible when the condition
//! holds, so that its code never comes to the place where it would wait. A time limit makes it
//! possible at any time, and an interrupt ends the waiting, as for locks (`synchroniser.rs`).
//!
//! What is not inside is as visible as ever: elements that are compared or printed, a list that is filled.
//! So is a call on another object (a pool that asks a future whether it is cancelled), code of the program
//! that is called from inside (a hook of a pool, a factory of threads), and so are the tasks that a
//! worker runs and the few operations that cannot be part of another, such as an interrupt. After such an operation the method goes on quietly, so the
//! operation changes the subject as well. Starting a worker is the last thing that a pool does, and
//! running a future ends with operations of its own, so these two are excepted; only where a program may
//! stop its pools is a start seen as a change, since only workers that have begun are interrupted. Workers need no
//! interrupt to notice that their pool is shut down, since that is part of what they wait for.
//!
//! Threads meet in phasers, exchangers and queues without room (`natives/rendezvous.rs`). There the step of
//! one who has to wait ends where the JDK's code parks, and the step with which it goes on changes the
//! subject. In between, nobody looks for interrupts: one that comes early ends the parking.
//!
//! A pool without room for tasks hands a task to a worker that waits, so that a worker's arrival is
//! an operation of its own. The one that has come last gets it, as in the JDK's own code.
//!
//! **Invariant.** The fields of a subject are used inside these methods only, and whether a call is
//! possible depends on them and on the thread's own interrupt alone.
//!
//! **Not modelled.** What a pool tells about how busy its workers are changes between two calls, so
//! the pools of a program that asks for it run the JDK's own code as it is. Pools with queues of other classes run the JDK's own code as it is, and
//! so does everything with `--real-locks`.

use smallvec::SmallVec;

use super::frame::frames;
use super::internals::{
    COMPLETING, Elements, INTERRUPTING, POOL, SHUTDOWN, STAMP_HOLDERS, STAMP_WRITER, STOP,
    TERMINATED, WORKERS,
};
use super::operation::{Address, NextOperation, VisibleOperation};
use super::synchroniser::{Readiness, WaitPolicy};
use super::threads::OperationResult;
use crate::error::Fault;
use crate::machine::{Machine, Trap, bad_reference};
use crate::memory::{FROZEN, IdleWorker, REACHED, Reference};
use crate::natives::{NativeEffect, ThreadOperation};

/// A method that is performed as one atomic call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtomicCall {
    /// What sort of object it is a method of.
    pub sort: SubjectKind,
    /// Whether the object may be another one afterwards.
    pub changes: bool,
    /// What has to hold before it can be performed.
    pub condition: CallCondition,
    /// How long it waits for that.
    pub wait_policy: WaitPolicy,
    /// Whether it is noticed even if quiet code calls it, which has run code of the program before.
    pub always: bool,
    /// Whether what it does afterwards consists of operations of their own.
    pub visible_body: bool,
}

/// What sort of object a method is performed on as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubjectKind {
    /// A `FutureTask`.
    Future,
    /// A `ThreadPoolExecutor`.
    Pool,
    /// A queue that blocks.
    Queue,
    /// The number of elements of such a queue.
    Count,
    /// An iterator over such a queue.
    Iterator,
    /// A `CompletableFuture`.
    Completable,
    /// A task of a `ForkJoinPool`.
    Task,
    /// A `ForkJoinPool`.
    Workers,
    /// An `Exchanger`, or the inside of a `SynchronousQueue`: threads wait for each other in it.
    Rendezvous,
    /// A `Phaser`.
    Phaser,
    /// A `StampedLock`.
    Stamped,
}

/// What has to hold before a method can be performed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallCondition {
    /// Nothing.
    Always,
    /// No other thread has stopped inside a method of the pool that keeps others out.
    Free,
    /// The future has its result.
    Done,
    /// The `CompletableFuture` has its result.
    Completed,
    /// The task is done.
    TaskDone,
    /// The `ForkJoinPool` is shut down and its tasks have ended.
    AtRest,
    /// Whoever cancels the future has interrupted the thread that runs it.
    Settled,
    /// All workers of the pool have ended after it was shut down.
    Terminated,
    /// A worker of the pool has something to do, or shall end.
    Work,
    /// There is an element in the queue.
    NotEmpty,
    /// There is room in the queue.
    NotFull,
    /// The pool has no workers that will run a task.
    Unstaffed,
    /// The phaser is not in the phase that the first argument says.
    Advanced,
    /// Nobody has the stamped lock.
    Unlocked,
    /// Nobody has the stamped lock for writing.
    NotWriting,
}

impl AtomicCall {
    /// A method that never waits.
    pub const fn at_once(sort: SubjectKind, changes: bool) -> AtomicCall {
        let (condition, wait_policy) = (CallCondition::Always, WaitPolicy::NoWait);
        AtomicCall { sort, changes, condition, wait_policy, always: false, visible_body: false }
    }

    /// A method that waits.
    pub const fn waiting(
        sort: SubjectKind,
        changes: bool,
        condition: CallCondition,
        wait_policy: WaitPolicy,
    ) -> AtomicCall {
        AtomicCall { sort, changes, condition, wait_policy, always: false, visible_body: false }
    }

    /// The same method, which changes its object or only looks at it.
    pub const fn changing(self, changes: bool) -> AtomicCall {
        AtomicCall { changes, ..self }
    }

    /// The same method, noticed wherever it is called.
    pub const fn always(self) -> AtomicCall {
        AtomicCall { always: true, ..self }
    }

    /// The method that runs a future's task.
    pub const RUN: AtomicCall = AtomicCall {
        visible_body: true,
        ..AtomicCall::at_once(SubjectKind::Future, true).always()
    };

    /// The same method, which goes on as visibly as any.
    pub const fn with_visible_body(self) -> AtomicCall {
        AtomicCall { visible_body: true, ..self }
    }

    /// Whether it may have to wait.
    pub(crate) fn blocks(self) -> bool {
        matches!(self.wait_policy, WaitPolicy::Unlimited | WaitPolicy::Interruptible)
    }

    /// Whether an interrupt matters to it.
    pub(crate) fn is_interruptible(self) -> bool {
        matches!(self.wait_policy, WaitPolicy::Interruptible | WaitPolicy::Timed)
    }

    /// Whether it looks for an interrupt first: queues do, futures and pools only when they have to wait.
    fn checks_interrupt_first(self) -> bool {
        self.is_ended_by_interrupt()
            && matches!(self.sort, SubjectKind::Queue | SubjectKind::Task | SubjectKind::Stamped)
    }

    /// Whether an interrupt ends its waiting: a worker just waits again.
    fn is_ended_by_interrupt(self) -> bool {
        self.is_interruptible()
            && !matches!(self.condition, CallCondition::Work | CallCondition::Settled)
    }
}

impl Machine {
    /// The object that stands for all that a method changes, if it is performed as one atomic call.
    pub(crate) fn subject(
        &self,
        receiver: Reference,
        call: AtomicCall,
    ) -> Result<Option<Reference>, Trap> {
        if self.options.real_locks {
            return Ok(None);
        }
        let queue = match call.sort {
            SubjectKind::Pool if self.options.real_pools => return Ok(None),
            SubjectKind::Future
            | SubjectKind::Completable
            | SubjectKind::Task
            | SubjectKind::Workers
            | SubjectKind::Rendezvous
            | SubjectKind::Stamped => {
                return Ok(Some(receiver));
            }
            SubjectKind::Phaser => return self.root_phaser(receiver).map(Some),
            SubjectKind::Queue | SubjectKind::Count => receiver,
            SubjectKind::Pool => Reference(self.own_field(receiver, POOL, "workQueue")?),
            SubjectKind::Iterator => Reference(self.get_field(receiver, "this$0")?),
        };
        Ok(if self.elements(queue)?.is_some() { Some(queue) } else { None })
    }

    /// Whether a pool's methods are atomic calls.
    pub(crate) fn has_atomic_calls(&self, pool: Reference) -> Result<bool, Trap> {
        Ok(self.subject(pool, AtomicCall::at_once(SubjectKind::Pool, true))?.is_some())
    }

    /// Performs a method up to its call: says whether the thread must stop before it or go on inside.
    pub(crate) fn enter_atomic_call(
        &mut self,
        thread: usize,
        call: AtomicCall,
        arguments: &[u64],
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        let receiver = arguments.first().map_or(Reference::NULL, |word| Reference(*word));
        let Some(subject) = self.subject(receiver, call)? else {
            return Ok(OperationResult::Decline);
        };
        if std::mem::take(&mut self.core_mut(thread)?.helped) {
            return Ok(OperationResult::Decline);
        }
        if call.condition == CallCondition::NotFull && arguments.get(1) == Some(&0) {
            return Err(Trap::Raise("java/lang/NullPointerException", None));
        }
        let header = self.heap.header(subject).ok_or_else(bad_reference)?;
        let readiness = self.call_readiness(thread, call, receiver)?;
        let arrives = self.has_to_arrive(thread, call, subject)?;
        let heard = if call.always { self.threads_can_notice() } else { self.can_be_seen(thread) };
        let inside = self.core(thread)?.hidden.is_inside();
        let noticed = match call.always {
            true => heard && header.has(REACHED | FROZEN),
            // Part of the call that goes on, unless it is about something else.
            false if inside => {
                let other = !self.enclosing_subjects(thread).contains(&subject);
                other && self.threads_can_notice() && header.has(REACHED | FROZEN)
            }
            false => self.is_visible_access(thread, header),
        };
        if call.checks_interrupt_first()
            && let Some(outcome) = self.check_interrupt(thread, perform)?
        {
            return Ok(outcome);
        }
        if readiness == Readiness::Blocked && self.machine_calls > 0 {
            let what = "waiting for another thread inside an initialiser of the JDK";
            return Err(Fault::unsupported(what).into());
        }
        if readiness == Readiness::Blocked || noticed && !perform {
            return Ok(OperationResult::Stop);
        }
        if call.checks_interrupt_first() {
            self.core_mut(thread)?.checked = false;
        }
        if arrives {
            let place = self.idle_workers(subject).map(|idle| idle.0).max().unwrap_or(0) + 1;
            self.core_mut(thread)?.idle = Some(IdleWorker { queue: subject, place, task: None });
            return Ok(OperationResult::Stop);
        }
        if call.condition == CallCondition::Work
            && let Some(idle) = self.core_mut(thread)?.idle.take()
            && let Some(task) = idle.task
        {
            return Ok(OperationResult::Done(Some(task.0)));
        }
        match readiness {
            // `awaitDone` answers with the status of the task, `join` goes on to look at it.
            _ if call.sort == SubjectKind::Task && arguments.len() == 1 => {
                Ok(OperationResult::Decline)
            }
            _ if call.sort == SubjectKind::Task => {
                if readiness == Readiness::Fails {
                    self.let_deadline_pass(thread, arguments)?;
                }
                self.task_outcome(thread, receiver, readiness == Readiness::Interrupted)
            }
            Readiness::Interrupted => {
                self.core_mut(thread)?.interrupted = false;
                Err(Trap::Raise("java/lang/InterruptedException", None))
            }
            Readiness::Fails if call.condition == CallCondition::Unstaffed && heard => {
                let what = "looking at how busy the workers of a pool are; ask when the pool has ended, \
                            or use --real-locks";
                Err(Fault::unsupported(what).into())
            }
            Readiness::Fails if call.condition == CallCondition::Unstaffed => {
                Ok(OperationResult::RunHidden)
            }
            // A worker that nobody needs any more finds that out by itself.
            Readiness::Fails if call.condition != CallCondition::Work => {
                if call.wait_policy == WaitPolicy::Timed {
                    self.let_time_pass(thread, arguments)?;
                }
                let fails =
                    [CallCondition::Done, CallCondition::Completed, CallCondition::Advanced];
                if fails.contains(&call.condition) {
                    return Err(Trap::Raise("java/util/concurrent/TimeoutException", None));
                }
                Ok(OperationResult::Done(Some(0)))
            }
            _ if call.sort == SubjectKind::Stamped && call.condition != CallCondition::Always => {
                self.take_stamped(receiver, call.condition == CallCondition::Unlocked)
            }
            _ if call.sort == SubjectKind::Workers && call.changes => {
                self.shut_workers_down(receiver)
            }
            _ if call.sort == SubjectKind::Workers => Ok(OperationResult::Done(Some(1))),
            _ if call.sort == SubjectKind::Completable => {
                let helps = perform && self.alternative == 1 && self.may_help(thread, receiver)?;
                Ok(match helps {
                    true => OperationResult::CallFirst(self.helping_method(receiver)?, receiver),
                    false => OperationResult::Decline,
                })
            }
            _ => {
                self.has_entered_atomic_call = true;
                Ok(OperationResult::RunHidden)
            }
        }
    }

    /// The subjects of the methods inside which a thread has stopped, and which will go on quietly.
    pub(crate) fn enclosing_subjects(&self, thread: usize) -> SmallVec<[Reference; 2]> {
        let mut subjects = SmallVec::new();
        let Some(state) = self.threads.get(thread).filter(|_| self.has_entered_atomic_call) else {
            return subjects;
        };
        for frame in frames(&self.world, state) {
            let method = self.world.method(frame.method);
            let Some(NativeEffect::Thread(ThreadOperation::AtomicCall(call))) =
                method.native.map(|native| native.effect)
            else {
                continue;
            };
            let receiver = Reference(state.stack[frame.base as usize]);
            if !call.visible_body
                && let Ok(Some(subject)) = self.subject(receiver, call)
            {
                subjects.push(subject);
            }
        }
        subjects
    }

    /// Whether a thread is inside a method in which threads meet, and nobody notices what it does.
    pub(crate) fn is_in_rendezvous(&self, thread: usize) -> Result<bool, Trap> {
        if self.options.real_locks || !self.core(thread)?.hidden.is_inside() {
            return Ok(false);
        }
        let Some(state) = self.threads.get(thread) else { return Ok(false) };
        Ok(frames(&self.world, state).any(|frame| {
            let native = self.world.method(frame.method).native;
            matches!(
                native.map(|native| native.effect),
                Some(NativeEffect::Thread(ThreadOperation::AtomicCall(AtomicCall {
                    sort: SubjectKind::Rendezvous,
                    ..
                })))
            )
        }))
    }

    /// A wait took as long as the last two arguments of a call say.
    pub(super) fn let_time_pass(&mut self, thread: usize, arguments: &[u64]) -> Result<(), Trap> {
        let [.., time, unit] = arguments else { return Ok(()) };
        let scale = self.get_field(Reference(*unit), "scale")?;
        let nanos = (*time as i64).max(0) as u64;
        let core = self.core_mut(thread)?;
        core.clock = core.clock.saturating_add(nanos.saturating_mul(scale));
        Ok(())
    }

    /// A wait took until the moment that the last argument of a call says.
    fn let_deadline_pass(&mut self, thread: usize, arguments: &[u64]) -> Result<(), Trap> {
        let deadline = arguments.last().copied().unwrap_or(0);
        let core = self.core_mut(thread)?;
        core.clock = core.clock.max(deadline);
        Ok(())
    }

    /// What a thread stands before that has stopped before an atomic call.
    pub(crate) fn pending_atomic_call(
        &self,
        thread: usize,
        call: AtomicCall,
        arguments: &[u64],
    ) -> Result<NextOperation, Trap> {
        let receiver = arguments.first().map_or(Reference::NULL, |word| Reference(*word));
        let Some(subject) = self.subject(receiver, call)? else {
            return Err(Fault::internal("a thread stopped before an ordinary call").into());
        };
        if call.checks_interrupt_first()
            && let Some(next) = self.pending_interrupt_check(thread)?
        {
            return Ok(next);
        }
        let readiness = self.call_readiness(thread, call, receiver)?;
        let timeout = readiness == Readiness::Fails && call.wait_policy != WaitPolicy::NoWait;
        let subject = match call.sort {
            SubjectKind::Completable => self.result_address(subject)?,
            SubjectKind::Task => self.task_status(subject)?,
            SubjectKind::Workers => self.pool_mode(subject)?,
            _ => Address::of_object(subject),
        };
        let operation = VisibleOperation::AtomicCall { subject, receiver, call, timeout };
        Ok(match readiness {
            Readiness::Blocked => NextOperation::Blocked(operation),
            _ => NextOperation::Ready(operation),
        })
    }

    /// What would come of a call now.
    pub(crate) fn call_readiness(
        &self,
        thread: usize,
        call: AtomicCall,
        receiver: Reference,
    ) -> Result<Readiness, Trap> {
        let interrupted = call.is_ended_by_interrupt() && self.core(thread)?.interrupted;
        let possible = match call.condition {
            CallCondition::Always => true,
            CallCondition::Free => self.is_pool_free(thread, receiver)?,
            CallCondition::Done => self.future_state(receiver)? > COMPLETING,
            CallCondition::Completed => self.is_completed(receiver)?,
            CallCondition::TaskDone => self.is_task_done(receiver)?,
            CallCondition::AtRest => self.is_pool_at_rest(receiver)?,
            CallCondition::Settled => self.future_state(receiver)? != INTERRUPTING,
            CallCondition::Terminated => self.pool_state(receiver)? >= TERMINATED,
            CallCondition::Work => return self.worker_readiness(thread, receiver),
            CallCondition::NotEmpty => self.element_count(receiver)? > 0,
            CallCondition::Unstaffed => self.pool_state(receiver)? & WORKERS == 0,
            CallCondition::Advanced => self.has_advanced(thread, receiver)?,
            CallCondition::Unlocked => self.stamp(receiver)? & STAMP_HOLDERS == 0,
            CallCondition::NotWriting => self.stamp(receiver)? & STAMP_WRITER == 0,
            CallCondition::NotFull => self.element_count(receiver)? < self.capacity(receiver)?,
        };
        Ok(match call.wait_policy {
            _ if possible => Readiness::Succeeds,
            _ if interrupted => Readiness::Interrupted,
            WaitPolicy::Unlimited | WaitPolicy::Interruptible => Readiness::Blocked,
            WaitPolicy::Timed | WaitPolicy::NoWait => Readiness::Fails,
        })
    }

    /// What a worker finds that asks its pool for a task: one, or that it shall end, or nothing, in
    /// which case one that is not needed at all times may end after a while.
    fn worker_readiness(&self, thread: usize, pool: Reference) -> Result<Readiness, Trap> {
        let state = self.pool_state(pool)?;
        let queue = Reference(self.own_field(pool, POOL, "workQueue")?);
        let idle = self.core(thread)?.idle;
        let has_task = idle.is_some_and(|idle| idle.task.is_some());
        if has_task || idle.is_none() && self.elements(queue)? == Some(Elements::Nothing) {
            return Ok(Readiness::Succeeds);
        }
        let (workers, empty) = (state & WORKERS, self.element_count(queue)? == 0);
        let ends = state >= STOP || state >= SHUTDOWN && empty;
        if !empty || ends || workers > self.own_field(pool, POOL, "maximumPoolSize")? as i32 {
            return Ok(Readiness::Succeeds);
        }
        let all = self.own_field(pool, POOL, "allowCoreThreadTimeOut")? & 1 != 0;
        let timed = all || workers > self.own_field(pool, POOL, "corePoolSize")? as i32;
        Ok(if timed { Readiness::Fails } else { Readiness::Blocked })
    }

    /// Whether a worker has yet to say that it waits for a task to be handed to it.
    fn has_to_arrive(
        &self,
        thread: usize,
        call: AtomicCall,
        queue: Reference,
    ) -> Result<bool, Trap> {
        Ok(call.condition == CallCondition::Work
            && self.core(thread)?.idle.is_none()
            && self.elements(queue)? == Some(Elements::Nothing))
    }

    /// The workers that wait for a task to be handed to them: how late they came, and which they are.
    fn idle_workers(&self, queue: Reference) -> impl Iterator<Item = (u32, usize)> {
        let threads = self.threads.list.iter().enumerate();
        threads.filter_map(move |(thread, state)| {
            let idle = state.as_ref()?.core.idle?;
            (idle.queue == queue && idle.task.is_none()).then_some((idle.place, thread))
        })
    }

    /// Hands a task to the worker that came last, from inside a method of its pool; says whether there
    /// was one. Outside of such methods the queue's own code runs.
    pub(crate) fn hand_over(
        &mut self,
        thread: usize,
        queue: Reference,
        task: Reference,
    ) -> Result<OperationResult, Trap> {
        if self.options.real_locks || !self.core(thread)?.hidden.is_inside() {
            return Ok(OperationResult::Decline);
        }
        let Some((_, worker)) = self.idle_workers(queue).max() else {
            return Ok(OperationResult::Done(Some(0)));
        };
        self.publish(task)?;
        if let Some(idle) = &mut self.core_mut(worker)?.idle {
            idle.task = Some(task);
        }
        Ok(OperationResult::Done(Some(1)))
    }

    /// What a worker gets that asks for a task from inside a method of its pool: nothing.
    pub(crate) fn wait_for_task(&mut self, thread: usize) -> Result<OperationResult, Trap> {
        let declines = self.options.real_locks || !self.core(thread)?.hidden.is_inside();
        Ok(if declines { OperationResult::Decline } else { OperationResult::Done(Some(0)) })
    }

    /// A number that is the same as long as somebody finds the same who has found nothing, or who
    /// looks at what [`Machine::state_is_complete`].
    pub(crate) fn subject_state(&self, receiver: Reference, sort: SubjectKind) -> u64 {
        let found = match sort {
            SubjectKind::Future => self.future_state(receiver),
            SubjectKind::Pool => self.pool_state(receiver),
            SubjectKind::Queue | SubjectKind::Count => self.element_count(receiver),
            SubjectKind::Completable => self.is_completed(receiver).map(i32::from),
            SubjectKind::Task => self.is_task_done(receiver).map(i32::from),
            SubjectKind::Workers => self.is_pool_at_rest(receiver).map(i32::from),
            SubjectKind::Phaser => return self.phaser_state(receiver).unwrap_or(0),
            SubjectKind::Stamped => return self.stamp(receiver).unwrap_or(0),
            SubjectKind::Iterator | SubjectKind::Rendezvous => Ok(0),
        };
        let workers = match sort {
            SubjectKind::Pool => self.worker_count(receiver).unwrap_or(0),
            _ => 0,
        };
        found.map_or(0, |number| u64::from(number as u32)) | workers << 32
    }

    /// Whether that number stands for all that a method of this sort may find.
    pub(crate) fn state_is_complete(&self, receiver: Reference, sort: SubjectKind) -> bool {
        match sort {
            SubjectKind::Future
            | SubjectKind::Completable
            | SubjectKind::Pool
            | SubjectKind::Count => true,
            SubjectKind::Task
            | SubjectKind::Workers
            | SubjectKind::Phaser
            | SubjectKind::Stamped => true,
            SubjectKind::Queue => self.element_count(receiver).is_ok_and(|count| count == 0),
            SubjectKind::Iterator | SubjectKind::Rendezvous => false,
        }
    }
}
