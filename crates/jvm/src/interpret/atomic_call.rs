//! Atomic calls: a method of a pool, a future or a queue of `java.util.concurrent` is one step.
//!
//! **Problem.** The JDK's thread pool is a word of state, a set of workers, a lock, a condition and a
//! queue with two more locks. Handing over two tasks and getting their results is dozens of accesses
//! that several threads compete for, so that the internals of the library have thousands of traces
//! where the program has a handful.
//!
//! **Idea.** The methods of these classes are linearisable: whatever several threads do inside them
//! at the same time, the program can tell no more than that the calls happened in some order. So the
//! JDK's own code runs from the call to the return as one step. It is hidden code: it does not stop at
//! the internals of the object ([`INTERNALS`](crate::memory::INTERNALS): its nodes, locks and counters),
//! and the operation that others notice is the call itself, which reads or writes its *subject*. A pool and
//! its queue have one subject, the queue. A method that may have to wait has a *guard* over the fields of
//! the object; the call is possible when the guard holds, so that its code never comes to the place where
//! it would wait (`jdk_operation.rs`).
//!
//! What does not belong to the internals is as visible as ever: elements that are compared or printed, a
//! list that is filled, a call on another object (a pool that asks a future whether it is cancelled), code
//! of the program (a hook of a pool, a factory of threads, the tasks that a worker runs), and the few
//! operations that cannot be part of another, such as an interrupt. After such an operation the method
//! goes on as hidden code, so the operation writes the subject as well. Two methods are excepted, because
//! nothing hidden follows: starting a worker is the last thing that a pool does, and running a future ends
//! with operations of its own. Only where a program can stop its pools does starting a worker write the
//! subject, since stopping interrupts the workers that have begun. Workers need no interrupt to notice that
//! their pool is shut down, since that is part of their guard.
//!
//! Threads meet in phasers, exchangers and queues without room (`natives/rendezvous.rs`). There the step of
//! a thread that has to wait ends where the JDK's code parks, and the step with which it goes on writes the
//! subject. In between it does not look for interrupts: one that comes early ends the parking.
//!
//! A pool without room for tasks hands a task to a worker that waits, so that a worker's arrival is
//! an operation of its own. The worker that came last gets it, as in the JDK's own code.
//!
//! **Invariant.** The fields of a subject are used inside these methods only, and whether a call is
//! possible depends on them and on the thread's own interrupt alone.
//!
//! **Not modelled.** What a pool tells about how busy its workers are changes between two calls, so
//! the pools of a program that asks for it run the JDK's own code step by step. So do pools with queues of
//! other classes, and everything with `--real-locks`.

use std::num::NonZeroU32;

use smallvec::SmallVec;

use super::frame::frames;
use super::internals::{
    COMPLETING, Elements, INTERRUPTING, POOL, SHUTDOWN, STAMP_HOLDERS, STAMP_WRITER, STOP,
    TERMINATED, WORKERS,
};
use super::jdk_operation::{
    BASE_OPERATION, Guard, JdkCall, JdkOperation, JdkStep, ObservedState, OperationKind, Readiness,
    Subject, SubjectPlace, WaitPolicy, modes,
};
use super::synchroniser::never_queues;
use super::threads::OperationResult;
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::memory::{IdleWorker, Reference};
use crate::natives::NativeEffect;

pub(super) const fn subject(
    of: fn(&Machine, Reference) -> Result<Option<Reference>, Trap>,
) -> Subject {
    Subject { of, place: SubjectPlace::Internals, is_part: false, checks_interrupt_first: false }
}

fn receiver(_: &Machine, receiver: Reference) -> Result<Option<Reference>, Trap> {
    Ok(Some(receiver))
}

/// A `FutureTask`.
pub(crate) static FUTURE: Subject = subject(receiver);
/// An `Exchanger`, or the inside of a `SynchronousQueue`: threads wait for each other in it.
pub(crate) static RENDEZVOUS: Subject = subject(receiver);
/// A `StampedLock`.
pub(crate) static STAMPED: Subject = Subject { checks_interrupt_first: true, ..subject(receiver) };
/// A `Phaser`.
pub(crate) static PHASER: Subject =
    subject(|machine, phaser| machine.root_phaser(phaser).map(Some));
/// A queue that blocks.
pub(crate) static QUEUE: Subject = Subject {
    checks_interrupt_first: true,
    ..subject(|machine, queue| machine.known_queue(queue))
};
/// A `ThreadPoolExecutor`: its queue stands for both.
pub(crate) static POOL_QUEUE: Subject = Subject {
    is_part: true,
    ..subject(|machine, pool| match machine.options.real_pools {
        true => Ok(None),
        false => machine.known_queue(Reference(machine.own_field(pool, POOL, "workQueue")?)),
    })
};
/// An iterator over a queue.
pub(crate) static ITERATOR: Subject = subject(|machine, iterator| {
    machine.known_queue(Reference(machine.get_field(iterator, "this$0")?))
});
/// A `CompletableFuture`: its result.
pub(crate) static COMPLETABLE: Subject =
    Subject { place: SubjectPlace::Variable(Machine::result_address), ..subject(receiver) };
/// A task of a `ForkJoinPool`: its status.
pub(crate) static TASK: Subject = Subject {
    place: SubjectPlace::Variable(Machine::task_status),
    checks_interrupt_first: true,
    ..subject(receiver)
};
/// A `ForkJoinPool`: its mode.
pub(crate) static WORKER_POOL: Subject =
    Subject { place: SubjectPlace::Variable(Machine::pool_mode), ..subject(receiver) };

pub(super) const fn guard(
    wants: &'static str,
    readiness: fn(&Machine, usize, &JdkCall) -> Result<Readiness, Trap>,
) -> Guard {
    Guard { readiness, wants, queues: never_queues, ends_by_interrupt: true, occupies_worker: true }
}

/// No other thread has stopped inside a method of the pool that keeps others out.
pub(crate) static POOL_FREE: Guard = guard("others to leave {}", |machine, thread, call| {
    Ok(Readiness::of(machine.is_pool_free(thread, call.receiver)?))
});
/// The `FutureTask` has its result.
pub(crate) static FUTURE_DONE: Guard = guard("the result of {}", |machine, _, call| {
    Ok(Readiness::of(machine.future_state(call.receiver)? > COMPLETING))
});
/// The `CompletableFuture` has its result.
pub(crate) static COMPLETED: Guard = Guard {
    occupies_worker: false,
    ..guard("the result of {}", |machine, _, call| {
        Ok(Readiness::of(machine.is_completed(call.receiver)?))
    })
};
/// The task of a `ForkJoinPool` is done.
pub(crate) static TASK_DONE: Guard = Guard {
    occupies_worker: false,
    ..guard("{} to be done", |machine, _, call| {
        Ok(Readiness::of(machine.is_task_done(call.receiver)?))
    })
};
/// The `ForkJoinPool` is shut down and its tasks have ended.
pub(crate) static AT_REST: Guard = guard("{} to terminate", |machine, _, call| {
    Ok(Readiness::of(machine.is_pool_at_rest(call.receiver)?))
});
/// Whoever cancels the future has interrupted the thread that runs it.
pub(crate) static NOT_INTERRUPTING: Guard = Guard {
    queues: never_queues,
    ends_by_interrupt: false,
    ..guard("the cancellation of {} to end", |machine, _, call| {
        Ok(Readiness::of(machine.future_state(call.receiver)? != INTERRUPTING))
    })
};
/// All workers of the pool have ended after it was shut down.
pub(crate) static POOL_TERMINATED: Guard = guard("{} to terminate", |machine, _, call| {
    Ok(Readiness::of(machine.pool_state(call.receiver)? >= TERMINATED))
});
/// A worker of the pool has something to do, or shall end.
pub(crate) static WORK: Guard = Guard {
    queues: never_queues,
    ends_by_interrupt: false,
    ..guard("a task of {}", |machine, thread, call| machine.worker_readiness(thread, call.receiver))
};
/// There is an element in the queue.
pub(crate) static NOT_EMPTY: Guard = guard("an element of {}", |machine, _, call| {
    Ok(Readiness::of(machine.element_count(call.receiver)? > 0))
});
/// There is room in the queue.
pub(crate) static NOT_FULL: Guard = guard("room in {}", |machine, _, call| {
    Ok(Readiness::of(machine.element_count(call.receiver)? < machine.capacity(call.receiver)?))
});
/// The pool has no workers that will run a task.
pub(crate) static NO_WORKERS: Guard = guard("the workers of {} to end", |machine, _, call| {
    Ok(Readiness::of(machine.pool_state(call.receiver)? & WORKERS == 0))
});
/// The phaser is not in the phase that the first argument says.
pub(crate) static ADVANCED: Guard = guard("the next phase of {}", |machine, thread, call| {
    Ok(Readiness::of(machine.has_advanced(thread, call.receiver)?))
});
/// Nobody has the stamped lock.
pub(crate) static STAMP_FREE: Guard = Guard {
    queues: |machine, _, call| machine.stamped_writers_queue(call.receiver),
    ..guard("the write lock of {}", |machine, _, call| {
        Ok(Readiness::of(machine.stamp(call.receiver)? & STAMP_HOLDERS == 0))
    })
};
/// Nobody has the stamped lock for writing, and no writer has come before.
pub(crate) static STAMP_READ_IN_TURN: Guard = guard("the read lock of {}", |machine, _, call| {
    let writes = machine.stamp(call.receiver)? & STAMP_WRITER != 0;
    Ok(Readiness::of(!writes && machine.queue(call.receiver).is_empty()))
});
/// Nobody has the stamped lock for writing.
pub(crate) static STAMP_NOT_WRITING: Guard = guard("the read lock of {}", |machine, _, call| {
    Ok(Readiness::of(machine.stamp(call.receiver)? & STAMP_WRITER == 0))
});

pub(super) const fn observed(value: fn(&Machine, &JdkCall) -> u64) -> ObservedState {
    ObservedState { value, is_complete: |_, _| true, holds: None }
}

fn word(found: Result<i32, Trap>) -> u64 {
    found.map_or(0, |number| u64::from(number as u32))
}

/// Nothing that a number could stand for.
pub(crate) static UNOBSERVED: ObservedState =
    ObservedState { is_complete: |_, _| false, ..observed(|_, _| 0) };
pub(crate) static FUTURE_STATE: ObservedState =
    observed(|machine, call| word(machine.future_state(call.receiver)));
pub(crate) static POOL_STATE: ObservedState = observed(|machine, call| {
    let workers = machine.worker_count(call.receiver).unwrap_or(0);
    word(machine.pool_state(call.receiver)) | workers << 32
});
/// How many elements a queue has.
pub(crate) static COUNT: ObservedState =
    observed(|machine, call| word(machine.element_count(call.receiver)));
/// The elements themselves, which are known only if there are none.
pub(crate) static ELEMENTS: ObservedState = ObservedState {
    is_complete: |machine, call| machine.element_count(call.receiver).is_ok_and(|count| count == 0),
    ..observed(|machine, call| word(machine.element_count(call.receiver)))
};
pub(crate) static COMPLETION: ObservedState =
    observed(|machine, call| word(machine.is_completed(call.receiver).map(i32::from)));
pub(crate) static TASK_STATE: ObservedState =
    observed(|machine, call| word(machine.is_task_done(call.receiver).map(i32::from)));
pub(crate) static WORKER_POOL_STATE: ObservedState =
    observed(|machine, call| word(machine.is_pool_at_rest(call.receiver).map(i32::from)));
pub(crate) static PHASE: ObservedState =
    observed(|machine, call| machine.phaser_state(call.receiver).unwrap_or(0));
pub(crate) static STAMP: ObservedState = observed(|machine, call| {
    machine.with_queue(call.receiver, machine.stamp(call.receiver).unwrap_or(0))
});

impl JdkOperation {
    /// A method that only looks at its subject, and never waits.
    pub(crate) const fn looking(
        subject: &'static Subject,
        observed: &'static ObservedState,
    ) -> JdkOperation {
        let done = "looks at {}";
        JdkOperation { subject, observed, effect: run_hidden, done, ..BASE_OPERATION }
    }

    /// A method that changes its subject, and never waits.
    pub(crate) const fn changing(
        subject: &'static Subject,
        observed: &'static ObservedState,
    ) -> JdkOperation {
        JdkOperation {
            kind: OperationKind::Change,
            mode: modes::writes_if_done,
            done: "uses {}",
            ..JdkOperation::looking(subject, observed)
        }
    }

    /// The same method, which waits for something.
    pub(crate) const fn waiting(
        self,
        guard: &'static Guard,
        wait_policy: WaitPolicy,
    ) -> JdkOperation {
        JdkOperation { guard, wait_policy, done: "", ..self }
    }

    /// The same method, which is a step of its own wherever it is called.
    pub(crate) const fn always_visible(self) -> JdkOperation {
        JdkOperation { always_visible: true, ..self }
    }

    /// The same method, which goes on as visibly as any.
    pub(crate) const fn with_visible_body(self) -> JdkOperation {
        JdkOperation { visible_body: true, ..self }
    }
}

type Performed = Result<OperationResult, Trap>;

/// The JDK's own code runs, and is part of the step.
pub(crate) fn run_hidden(machine: &mut Machine, _: &JdkStep<'_>) -> Performed {
    machine.has_entered_atomic_call = true;
    Ok(OperationResult::RunHidden)
}

/// A worker asks its pool for a task. One that nobody needs any more finds that out by itself.
pub(crate) fn get_task(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    let (thread, queue) = (step.thread, step.call.subject);
    if machine.has_to_arrive(thread, queue)? {
        let last = machine.idle_workers(queue).map(|idle| idle.0).max();
        let place = last.map_or(NonZeroU32::MIN, |last| last.saturating_add(1));
        let task = Reference::NULL;
        machine.core_mut(thread)?.idle = Some(IdleWorker { queue, place, task });
        return Ok(OperationResult::Stop);
    }
    match machine.core_mut(thread)?.idle.take().and_then(|idle| idle.task.non_null()) {
        Some(task) => Ok(OperationResult::Done(Some(task.0))),
        None => run_hidden(machine, step),
    }
}

/// How busy the workers of a pool are changes between two calls.
pub(crate) fn refuse_counting_workers(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    if !machine.can_be_seen(step.thread) {
        return Ok(OperationResult::RunHidden);
    }
    let what = "looking at how busy the workers of a pool are; ask when the pool has ended, \
                or use --real-locks";
    Err(Fault::unsupported(what).into())
}

pub(crate) fn take_stamp_for_writing(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    machine.take_stamped(step.call.receiver, true)
}

pub(crate) fn take_stamp_for_reading(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    machine.take_stamped(step.call.receiver, false)
}

pub(crate) fn shut_workers_down(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    machine.shut_workers_down(step.call.receiver)
}

pub(crate) fn answers_true(_: &mut Machine, _: &JdkStep<'_>) -> Performed {
    Ok(OperationResult::Done(Some(1)))
}

/// The JDK's own code runs, as visibly as any.
pub(crate) fn run_visibly(_: &mut Machine, _: &JdkStep<'_>) -> Performed {
    Ok(OperationResult::Decline)
}

/// `awaitDone` answers with the status of its task.
pub(crate) fn answers_task_status(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    if step.readiness == Readiness::Fails {
        let deadline = step.arguments.last().copied().unwrap_or(0);
        let core = machine.core_mut(step.thread)?;
        core.clock = core.clock.max(deadline);
    }
    machine.task_outcome(step.thread, step.call.receiver, step.readiness == Readiness::Interrupted)
}

/// A thread that has waited for a `CompletableFuture` may first run what depends on it.
pub(crate) fn may_help_first(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    let future = step.call.receiver;
    let helps =
        step.performs && machine.step.alternative == 1 && machine.may_help(step.thread, future)?;
    Ok(match helps {
        true => OperationResult::CallFirst(machine.helping_method(future)?, future),
        false => OperationResult::Decline,
    })
}

/// Elements of these queues are not null.
pub(crate) fn no_null_element(
    _: &Machine,
    _: usize,
    _: &JdkCall,
    arguments: &[u64],
) -> Result<(), Trap> {
    match arguments.get(1) {
        Some(0) => Err(Trap::raise("java/lang/NullPointerException", None)),
        _ => Ok(()),
    }
}

impl Machine {
    /// A queue, if it is of a class that is known. That of a timer is if its workers wait as an atomic call:
    /// otherwise they hold its lock from step to step.
    fn known_queue(&self, queue: Reference) -> Result<Option<Reference>, Trap> {
        let known = self.elements(queue)?.is_some();
        let own = known && self.options.real_pools && self.is_delayed_queue(queue)?;
        Ok((known && !own).then_some(queue))
    }

    /// Whether the methods of a pool are atomic calls.
    pub(crate) fn has_atomic_calls(&self, pool: Reference) -> Result<bool, Trap> {
        Ok(!self.options.real_locks && (POOL_QUEUE.of)(self, pool)?.is_some())
    }

    /// The subjects of the methods inside which a thread has stopped, and which will go on as hidden code.
    pub(crate) fn enclosing_subjects(&self, thread: usize) -> SmallVec<[Reference; 2]> {
        let mut subjects = SmallVec::new();
        let Some(state) = self.threads.get(thread).filter(|_| self.has_entered_atomic_call) else {
            return subjects;
        };
        for frame in frames(&self.world, state) {
            let method = self.world.method(frame.method);
            let Some(NativeEffect::Jdk(operation)) = method.native.map(|native| &native.effect)
            else {
                continue;
            };
            let receiver = Reference(state.stack[frame.base as usize]);
            if !operation.visible_body
                && !operation.is_on_lock()
                && !self.options.real_locks
                && let Ok(Some(subject)) = (operation.subject.of)(self, receiver)
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
                native.map(|native| &native.effect),
                Some(NativeEffect::Jdk(operation)) if std::ptr::eq(operation.subject, &RENDEZVOUS)
            )
        }))
    }

    /// What a worker finds that asks its pool for a task: one, or that it shall end, or nothing, in
    /// which case one that is not needed at all times may end after a while.
    fn worker_readiness(&self, thread: usize, pool: Reference) -> Result<Readiness, Trap> {
        let state = self.pool_state(pool)?;
        let queue = Reference(self.own_field(pool, POOL, "workQueue")?);
        let idle = self.core(thread)?.idle;
        let has_task = idle.is_some_and(|idle| !idle.task.is_null());
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
    fn has_to_arrive(&self, thread: usize, queue: Reference) -> Result<bool, Trap> {
        let arrived = self.core(thread)?.idle.is_some();
        Ok(!arrived && self.elements(queue)? == Some(Elements::Nothing))
    }

    /// The workers that wait for a task to be handed to them: how late they came, and which they are.
    fn idle_workers(&self, queue: Reference) -> impl Iterator<Item = (NonZeroU32, usize)> {
        let threads = self.threads.list.iter().enumerate();
        threads.filter_map(move |(thread, state)| {
            let idle = state.as_ref()?.core.idle?;
            (idle.queue == queue && idle.task.is_null()).then_some((idle.place, thread))
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
            idle.task = task;
        }
        Ok(OperationResult::Done(Some(1)))
    }

    /// What a worker gets that asks for a task from inside a method of its pool: nothing.
    pub(crate) fn wait_for_task(&mut self, thread: usize) -> Result<OperationResult, Trap> {
        let declines = self.options.real_locks || !self.core(thread)?.hidden.is_inside();
        Ok(if declines { OperationResult::Decline } else { OperationResult::Done(Some(0)) })
    }
}
