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
//! inside the object ([`INSIDES`](crate::memory::INSIDES): its nodes, locks and counters), and the operation that
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
//! Threads meet in phasers, exchangers and queues without room (`natives/meeting.rs`). There the step of
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
use super::insides::{
    COMPLETING, Elements, INTERRUPTING, POOL, SHUTDOWN, STAMP_HOLDERS, STAMP_WRITER, STOP,
    TERMINATED, WORKERS,
};
use super::operation::{Address, Next, Operation};
use super::synchroniser::{Outlook, Patience};
use super::threads::Outcome;
use crate::error::Fault;
use crate::machine::{Machine, Trap, bad_reference};
use crate::memory::{FROZEN, Idle, REACHED, Reference};
use crate::natives::{Effect, ThreadOperation};

/// A method that is performed as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whole {
    /// What sort of object it is a method of.
    pub sort: Sort,
    /// Whether the object may be another one afterwards.
    pub changes: bool,
    /// What has to hold before it can be performed.
    pub condition: Condition,
    /// How long it waits for that.
    pub patience: Patience,
    /// Whether it is noticed even if quiet code calls it, which has run code of the program before.
    pub always: bool,
    /// Whether what it does afterwards consists of operations of their own.
    pub runs_task: bool,
}

/// What sort of object a method is performed on as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
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
    Meeting,
    /// A `Phaser`.
    Phaser,
    /// A `StampedLock`.
    Stamped,
}

/// What has to hold before a method can be performed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
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

impl Whole {
    /// A method that never waits.
    pub const fn at_once(sort: Sort, changes: bool) -> Whole {
        let (condition, patience) = (Condition::Always, Patience::None);
        Whole { sort, changes, condition, patience, always: false, runs_task: false }
    }

    /// A method that waits.
    pub const fn waiting(
        sort: Sort,
        changes: bool,
        condition: Condition,
        patience: Patience,
    ) -> Whole {
        Whole { sort, changes, condition, patience, always: false, runs_task: false }
    }

    /// The same method, which changes its object or only looks at it.
    pub const fn changing(self, changes: bool) -> Whole {
        Whole { changes, ..self }
    }

    /// The same method, noticed wherever it is called.
    pub const fn always(self) -> Whole {
        Whole { always: true, ..self }
    }

    /// The method that runs a future's task.
    pub const RUN: Whole = Whole { runs_task: true, ..Whole::at_once(Sort::Future, true).always() };

    /// The same method, which goes on as visibly as any.
    pub const fn loudly(self) -> Whole {
        Whole { runs_task: true, ..self }
    }

    /// Whether it may have to wait.
    pub(crate) fn blocks(self) -> bool {
        matches!(self.patience, Patience::Endless | Patience::Interruptible)
    }

    /// Whether an interrupt matters to it.
    pub(crate) fn is_interruptible(self) -> bool {
        matches!(self.patience, Patience::Interruptible | Patience::Timed)
    }

    /// Whether it looks for an interrupt first: queues do, futures and pools only when they have to wait.
    fn looks_for_interrupt(self) -> bool {
        self.is_ended_by_interrupt()
            && matches!(self.sort, Sort::Queue | Sort::Task | Sort::Stamped)
    }

    /// Whether an interrupt ends its waiting: a worker just waits again.
    fn is_ended_by_interrupt(self) -> bool {
        self.is_interruptible() && !matches!(self.condition, Condition::Work | Condition::Settled)
    }
}

impl Machine {
    /// The object that stands for all that a method changes, if it is performed as a whole.
    pub(crate) fn subject(
        &self,
        receiver: Reference,
        whole: Whole,
    ) -> Result<Option<Reference>, Trap> {
        if self.options.real_locks {
            return Ok(None);
        }
        let queue = match whole.sort {
            Sort::Pool if self.options.real_pools => return Ok(None),
            Sort::Future
            | Sort::Completable
            | Sort::Task
            | Sort::Workers
            | Sort::Meeting
            | Sort::Stamped => {
                return Ok(Some(receiver));
            }
            Sort::Phaser => return self.root_phaser(receiver).map(Some),
            Sort::Queue | Sort::Count => receiver,
            Sort::Pool => Reference(self.own_field(receiver, POOL, "workQueue")?),
            Sort::Iterator => Reference(self.get_field(receiver, "this$0")?),
        };
        Ok(if self.elements(queue)?.is_some() { Some(queue) } else { None })
    }

    /// Whether a pool's methods are performed as wholes.
    pub(crate) fn is_whole_pool(&self, pool: Reference) -> Result<bool, Trap> {
        Ok(self.subject(pool, Whole::at_once(Sort::Pool, true))?.is_some())
    }

    /// Performs a method up to its call: says whether the thread must stop before it or go on inside.
    pub(crate) fn enter_whole(
        &mut self,
        thread: usize,
        whole: Whole,
        arguments: &[u64],
        permit: bool,
    ) -> Result<Outcome, Trap> {
        let receiver = arguments.first().map_or(Reference::NULL, |word| Reference(*word));
        let Some(subject) = self.subject(receiver, whole)? else { return Ok(Outcome::Decline) };
        if std::mem::take(&mut self.core_mut(thread)?.helped) {
            return Ok(Outcome::Decline);
        }
        if whole.condition == Condition::NotFull && arguments.get(1) == Some(&0) {
            return Err(Trap::Raise("java/lang/NullPointerException", None));
        }
        let header = self.heap.header(subject).ok_or_else(bad_reference)?;
        let outlook = self.whole_outlook(thread, whole, receiver)?;
        let arrives = self.has_to_arrive(thread, whole, subject)?;
        let heard = if whole.always { self.is_observed() } else { self.is_heard(thread) };
        let inside = self.core(thread)?.unseen.is_inside();
        let noticed = match whole.always {
            true => heard && header.has(REACHED | FROZEN),
            // Part of the call that goes on, unless it is about something else.
            false if inside => {
                let other = !self.subjects_around(thread).contains(&subject);
                other && self.is_observed() && header.has(REACHED | FROZEN)
            }
            false => self.is_noticed(thread, header),
        };
        if whole.looks_for_interrupt()
            && let Some(outcome) = self.look_for_interrupt(thread, permit)?
        {
            return Ok(outcome);
        }
        if outlook == Outlook::Blocked && self.atomic > 0 {
            let what = "waiting for another thread inside an initialiser of the JDK";
            return Err(Fault::unsupported(what).into());
        }
        if outlook == Outlook::Blocked || noticed && !permit {
            return Ok(Outcome::Stop);
        }
        if whole.looks_for_interrupt() {
            self.core_mut(thread)?.checked = false;
        }
        if arrives {
            let place = self.idle_workers(subject).map(|idle| idle.0).max().unwrap_or(0) + 1;
            self.core_mut(thread)?.idle = Some(Idle { queue: subject, place, task: None });
            return Ok(Outcome::Stop);
        }
        if whole.condition == Condition::Work
            && let Some(idle) = self.core_mut(thread)?.idle.take()
            && let Some(task) = idle.task
        {
            return Ok(Outcome::Done(Some(task.0)));
        }
        match outlook {
            // `awaitDone` answers with the status of the task, `join` goes on to look at it.
            _ if whole.sort == Sort::Task && arguments.len() == 1 => Ok(Outcome::Decline),
            _ if whole.sort == Sort::Task => {
                if outlook == Outlook::Late {
                    self.let_deadline_pass(thread, arguments)?;
                }
                self.task_outcome(thread, receiver, outlook == Outlook::Interrupted)
            }
            Outlook::Interrupted => {
                self.core_mut(thread)?.interrupted = false;
                Err(Trap::Raise("java/lang/InterruptedException", None))
            }
            Outlook::Late if whole.condition == Condition::Unstaffed && heard => {
                let what = "looking at how busy the workers of a pool are; ask when the pool has ended, \
                            or use --real-locks";
                Err(Fault::unsupported(what).into())
            }
            Outlook::Late if whole.condition == Condition::Unstaffed => Ok(Outcome::Quietly),
            // A worker that nobody needs any more finds that out by itself.
            Outlook::Late if whole.condition != Condition::Work => {
                if whole.patience == Patience::Timed {
                    self.let_time_pass(thread, arguments)?;
                }
                let fails = [Condition::Done, Condition::Completed, Condition::Advanced];
                if fails.contains(&whole.condition) {
                    return Err(Trap::Raise("java/util/concurrent/TimeoutException", None));
                }
                Ok(Outcome::Done(Some(0)))
            }
            _ if whole.sort == Sort::Stamped && whole.condition != Condition::Always => {
                self.take_stamped(receiver, whole.condition == Condition::Unlocked)
            }
            _ if whole.sort == Sort::Workers && whole.changes => self.shut_workers_down(receiver),
            _ if whole.sort == Sort::Workers => Ok(Outcome::Done(Some(1))),
            _ if whole.sort == Sort::Completable => {
                let helps = permit && self.alternative == 1 && self.may_help(thread, receiver)?;
                Ok(match helps {
                    true => Outcome::First(self.helping_method(receiver)?, receiver),
                    false => Outcome::Decline,
                })
            }
            _ => {
                self.wholes = true;
                Ok(Outcome::Quietly)
            }
        }
    }

    /// The subjects of the methods inside which a thread has stopped, and which will go on quietly.
    pub(crate) fn subjects_around(&self, thread: usize) -> SmallVec<[Reference; 2]> {
        let mut subjects = SmallVec::new();
        let Some(state) = self.threads.get(thread).filter(|_| self.wholes) else { return subjects };
        for frame in frames(&self.world, state) {
            let method = self.world.method(frame.method);
            let Some(Effect::Thread(ThreadOperation::Whole(whole))) =
                method.native.map(|native| native.effect)
            else {
                continue;
            };
            let receiver = Reference(state.stack[frame.base as usize]);
            if !whole.runs_task
                && let Ok(Some(subject)) = self.subject(receiver, whole)
            {
                subjects.push(subject);
            }
        }
        subjects
    }

    /// Whether a thread is inside a method in which threads meet, and nobody notices what it does.
    pub(crate) fn is_meeting(&self, thread: usize) -> Result<bool, Trap> {
        if self.options.real_locks || !self.core(thread)?.unseen.is_inside() {
            return Ok(false);
        }
        let Some(state) = self.threads.get(thread) else { return Ok(false) };
        Ok(frames(&self.world, state).any(|frame| {
            let native = self.world.method(frame.method).native;
            matches!(
                native.map(|native| native.effect),
                Some(Effect::Thread(ThreadOperation::Whole(Whole { sort: Sort::Meeting, .. })))
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

    /// What a thread stands before that has stopped before a method that is performed as a whole.
    pub(crate) fn pending_whole(
        &self,
        thread: usize,
        whole: Whole,
        arguments: &[u64],
    ) -> Result<Next, Trap> {
        let receiver = arguments.first().map_or(Reference::NULL, |word| Reference(*word));
        let Some(subject) = self.subject(receiver, whole)? else {
            return Err(Fault::internal("a thread stopped before an ordinary call").into());
        };
        if whole.looks_for_interrupt()
            && let Some(next) = self.pending_look_for_interrupt(thread)?
        {
            return Ok(next);
        }
        let outlook = self.whole_outlook(thread, whole, receiver)?;
        let timeout = outlook == Outlook::Late && whole.patience != Patience::None;
        let subject = match whole.sort {
            Sort::Completable => self.result_address(subject)?,
            Sort::Task => self.task_status(subject)?,
            Sort::Workers => self.pool_mode(subject)?,
            _ => Address::of_object(subject),
        };
        let operation = Operation::Whole { subject, receiver, whole, timeout };
        Ok(match outlook {
            Outlook::Blocked => Next::Blocked(operation),
            _ => Next::Ready(operation),
        })
    }

    /// What would come of a call now.
    pub(crate) fn whole_outlook(
        &self,
        thread: usize,
        whole: Whole,
        receiver: Reference,
    ) -> Result<Outlook, Trap> {
        let interrupted = whole.is_ended_by_interrupt() && self.core(thread)?.interrupted;
        let possible = match whole.condition {
            Condition::Always => true,
            Condition::Free => self.is_pool_free(thread, receiver)?,
            Condition::Done => self.future_state(receiver)? > COMPLETING,
            Condition::Completed => self.is_completed(receiver)?,
            Condition::TaskDone => self.is_task_done(receiver)?,
            Condition::AtRest => self.is_pool_at_rest(receiver)?,
            Condition::Settled => self.future_state(receiver)? != INTERRUPTING,
            Condition::Terminated => self.pool_state(receiver)? >= TERMINATED,
            Condition::Work => return self.worker_outlook(thread, receiver),
            Condition::NotEmpty => self.element_count(receiver)? > 0,
            Condition::Unstaffed => self.pool_state(receiver)? & WORKERS == 0,
            Condition::Advanced => self.has_advanced(thread, receiver)?,
            Condition::Unlocked => self.stamp(receiver)? & STAMP_HOLDERS == 0,
            Condition::NotWriting => self.stamp(receiver)? & STAMP_WRITER == 0,
            Condition::NotFull => self.element_count(receiver)? < self.capacity(receiver)?,
        };
        Ok(match whole.patience {
            _ if possible => Outlook::Possible,
            _ if interrupted => Outlook::Interrupted,
            Patience::Endless | Patience::Interruptible => Outlook::Blocked,
            Patience::Timed | Patience::None => Outlook::Late,
        })
    }

    /// What a worker finds that asks its pool for a task: one, or that it shall end, or nothing, in
    /// which case one that is not needed at all times may end after a while.
    fn worker_outlook(&self, thread: usize, pool: Reference) -> Result<Outlook, Trap> {
        let state = self.pool_state(pool)?;
        let queue = Reference(self.own_field(pool, POOL, "workQueue")?);
        let idle = self.core(thread)?.idle;
        let has_task = idle.is_some_and(|idle| idle.task.is_some());
        if has_task || idle.is_none() && self.elements(queue)? == Some(Elements::Nothing) {
            return Ok(Outlook::Possible);
        }
        let (workers, empty) = (state & WORKERS, self.element_count(queue)? == 0);
        let ends = state >= STOP || state >= SHUTDOWN && empty;
        if !empty || ends || workers > self.own_field(pool, POOL, "maximumPoolSize")? as i32 {
            return Ok(Outlook::Possible);
        }
        let all = self.own_field(pool, POOL, "allowCoreThreadTimeOut")? & 1 != 0;
        let timed = all || workers > self.own_field(pool, POOL, "corePoolSize")? as i32;
        Ok(if timed { Outlook::Late } else { Outlook::Blocked })
    }

    /// Whether a worker has yet to say that it waits for a task to be handed to it.
    fn has_to_arrive(&self, thread: usize, whole: Whole, queue: Reference) -> Result<bool, Trap> {
        Ok(whole.condition == Condition::Work
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
    ) -> Result<Outcome, Trap> {
        if self.options.real_locks || !self.core(thread)?.unseen.is_inside() {
            return Ok(Outcome::Decline);
        }
        let Some((_, worker)) = self.idle_workers(queue).max() else {
            return Ok(Outcome::Done(Some(0)));
        };
        self.publish(task)?;
        if let Some(idle) = &mut self.core_mut(worker)?.idle {
            idle.task = Some(task);
        }
        Ok(Outcome::Done(Some(1)))
    }

    /// What a worker gets that asks for a task from inside a method of its pool: nothing.
    pub(crate) fn wait_for_task(&mut self, thread: usize) -> Result<Outcome, Trap> {
        let declines = self.options.real_locks || !self.core(thread)?.unseen.is_inside();
        Ok(if declines { Outcome::Decline } else { Outcome::Done(Some(0)) })
    }

    /// A number that is the same as long as somebody finds the same who has found nothing, or who
    /// looks at what [`Machine::tells_all`].
    pub(crate) fn whole_state(&self, receiver: Reference, sort: Sort) -> u64 {
        let found = match sort {
            Sort::Future => self.future_state(receiver),
            Sort::Pool => self.pool_state(receiver),
            Sort::Queue | Sort::Count => self.element_count(receiver),
            Sort::Completable => self.is_completed(receiver).map(i32::from),
            Sort::Task => self.is_task_done(receiver).map(i32::from),
            Sort::Workers => self.is_pool_at_rest(receiver).map(i32::from),
            Sort::Phaser => return self.phaser_state(receiver).unwrap_or(0),
            Sort::Stamped => return self.stamp(receiver).unwrap_or(0),
            Sort::Iterator | Sort::Meeting => Ok(0),
        };
        let workers = match sort {
            Sort::Pool => self.worker_count(receiver).unwrap_or(0),
            _ => 0,
        };
        found.map_or(0, |number| u64::from(number as u32)) | workers << 32
    }

    /// Whether that number stands for all that a method of this sort may find.
    pub(crate) fn tells_all(&self, receiver: Reference, sort: Sort) -> bool {
        match sort {
            Sort::Future | Sort::Completable | Sort::Pool | Sort::Count => true,
            Sort::Task | Sort::Workers | Sort::Phaser | Sort::Stamped => true,
            Sort::Queue => self.element_count(receiver).is_ok_and(|count| count == 0),
            Sort::Iterator | Sort::Meeting => false,
        }
    }
}
