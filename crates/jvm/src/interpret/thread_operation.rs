//! Operations on threads and wait sets: each is one row here, and named in the row of its method.
//!
//! A [`ThreadOperation`] has two functions. One performs it, or says that the thread has to stop before it; the
//! other says what a thread stands before that has stopped there. What they do is in `threads.rs`, `wait_set.rs`,
//! `thread_groups.rs` and `fork_join.rs`. Operations that have a subject and a guard are rows of another kind
//! (`jdk_operation.rs`); these are about threads, which have locations of several kinds.

use super::operation::{Address, NextOperation, VisibleOperation};
use super::threads::OperationResult;
use crate::broken::{self, Misbehaviour};
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::memory::{Reference, WaitSet};

type Performed = Result<OperationResult, Trap>;
type Pending = Result<NextOperation, Trap>;

/// An operation on threads or wait sets.
#[derive(Debug)]
pub struct ThreadOperation {
    /// Performs it, or says that the thread has to stop before it.
    pub(crate) perform: fn(&mut Machine, &ThreadCall<'_>) -> Performed,
    /// What a thread stands before that has stopped before it.
    pub(crate) pending: fn(&Machine, &ThreadCall<'_>) -> Pending,
    /// Which of the arguments is the `Thread` that it is about, if another thread may be to start it.
    pub(crate) thread_argument: Option<usize>,
}

/// A call of a method that is such an operation.
#[derive(Debug)]
pub struct ThreadCall<'a> {
    /// The thread that calls it.
    pub(crate) thread: usize,
    /// The thread that it is about, if that has been started, or else the one that calls.
    pub(crate) target: usize,
    /// The arguments, with the receiver as the first.
    pub(crate) arguments: &'a [u64],
    /// Whether it is the visible operation of the present step.
    pub(crate) performs: bool,
}

impl ThreadCall<'_> {
    pub(crate) fn argument(&self, index: usize) -> Reference {
        Reference(self.arguments.get(index).copied().unwrap_or(0))
    }

    pub(crate) fn receiver(&self) -> Reference {
        self.argument(0)
    }

    fn object(&self) -> Address {
        Address::of_object(self.receiver())
    }
}

/// An operation that is about the thread that performs it, or about none.
const fn operation(
    perform: fn(&mut Machine, &ThreadCall<'_>) -> Performed,
    pending: fn(&Machine, &ThreadCall<'_>) -> Pending,
) -> ThreadOperation {
    ThreadOperation { perform, pending, thread_argument: None }
}

/// An operation that is about the thread that is this argument.
const fn about(index: usize, operation: ThreadOperation) -> ThreadOperation {
    ThreadOperation { thread_argument: Some(index), ..operation }
}

fn ready(operation: VisibleOperation) -> Pending {
    Ok(NextOperation::Ready(operation))
}

/// An operation before which nobody stops.
fn never(_: &Machine, _: &ThreadCall<'_>) -> Pending {
    Err(Fault::internal("a thread stopped before an operation that is not visible").into())
}

/// Starts the next child; its `Thread` is not known to others.
fn starts_child(machine: &Machine, call: &ThreadCall<'_>) -> Pending {
    let child = machine.core(call.thread)?.children;
    ready(VisibleOperation::Start { child, object: None })
}

fn asks_threads(_: &Machine, _: &ThreadCall<'_>) -> Pending {
    ready(VisibleOperation::AskThreads)
}

fn asks_states(_: &Machine, _: &ThreadCall<'_>) -> Pending {
    ready(VisibleOperation::AskStates)
}

fn asks_alive(_: &Machine, call: &ThreadCall<'_>) -> Pending {
    ready(VisibleOperation::AskAlive { thread: call.target })
}

fn asks_waiters(_: &Machine, call: &ThreadCall<'_>) -> Pending {
    ready(VisibleOperation::AskWaiters { object: call.object() })
}

/// Wakes threads in a wait set. One signal is for who has waited longest, as the JDK documents it.
fn notifies(machine: &Machine, call: &ThreadCall<'_>, set: WaitSet, all: bool) -> Pending {
    let waiting = machine.waiting_in(set).len() as u32;
    let in_order = set.is_queue && !all;
    let all = all && !broken::behaves(Misbehaviour::NotifiesOne);
    let (object, is_signal) = (call.object(), set.is_queue);
    ready(VisibleOperation::Notify { object, all, waiting, in_order, is_signal })
}

fn awaits(machine: &Machine, call: &ThreadCall<'_>) -> Pending {
    let lock = machine.lock_of_condition(call.receiver())?.unwrap_or(call.receiver());
    ready(VisibleOperation::Wait { object: call.object(), lock: Address::of_object(lock) })
}

/// Starts the receiver.
pub(crate) static START: ThreadOperation = operation(
    |machine, call| machine.start(call.thread, call.receiver(), call.performs),
    |machine, call| {
        let child = machine.core(call.thread)?.children;
        let object = machine.is_shared(call.receiver())?.then_some(call.object());
        ready(VisibleOperation::Start { child, object })
    },
);

/// Waits for the receiver to end; a time limit may follow.
pub(crate) static JOIN: ThreadOperation = about(
    0,
    operation(Machine::join, |machine, call| {
        let timed = call.arguments.get(1).is_some_and(|millis| *millis != 0);
        let join = VisibleOperation::Join { thread: call.target, timed };
        let possible =
            machine.has_ended(call.target) || timed || machine.core(call.thread)?.interrupted;
        Ok(if possible { NextOperation::Ready(join) } else { NextOperation::Blocked(join) })
    }),
);

/// Waits for a permit.
pub(crate) static PARK: ThreadOperation = operation(Machine::park, |machine, call| {
    let core = machine.core(call.thread)?;
    let woken = core.permit || core.interrupted;
    let timed = call.arguments.get(2).is_some_and(|time| *time != 0);
    let park = VisibleOperation::Park { timeout: !woken };
    let possible = woken || timed || machine.options.spurious;
    Ok(if possible { NextOperation::Ready(park) } else { NextOperation::Blocked(park) })
});

/// Gives the argument a permit.
pub(crate) static UNPARK: ThreadOperation = about(
    1,
    operation(
        |machine, call| machine.unpark(call.argument(1), call.performs),
        |_, call| ready(VisibleOperation::Unpark { thread: call.target }),
    ),
);

/// Interrupts the receiver.
pub(crate) static INTERRUPT: ThreadOperation = about(
    0,
    operation(
        |machine, call| machine.interrupt(call.receiver(), call.performs),
        |_, call| ready(VisibleOperation::Interrupt { thread: call.target }),
    ),
);

/// Asks whether the receiver was interrupted.
pub(crate) static IS_INTERRUPTED: ThreadOperation = about(
    0,
    operation(Machine::is_interrupted, |_, call| {
        ready(VisibleOperation::AskInterrupted { thread: call.target, clear: false })
    }),
);

/// Asks whether the running thread was interrupted, and forgets it.
pub(crate) static INTERRUPTED: ThreadOperation = operation(Machine::forget_interrupt, |_, call| {
    ready(VisibleOperation::AskInterrupted { thread: call.thread, clear: true })
});

/// Waits to be notified.
pub(crate) static WAIT: ThreadOperation = operation(Machine::wait, |_, call| {
    ready(VisibleOperation::Wait { object: call.object(), lock: call.object() })
});

/// Wakes one waiting thread.
pub(crate) static NOTIFY: ThreadOperation = operation(
    |machine, call| machine.notify(call, call.receiver(), false),
    |machine, call| notifies(machine, call, WaitSet::of_monitor(call.receiver()), false),
);

/// Wakes all waiting threads.
pub(crate) static NOTIFY_ALL: ThreadOperation = operation(
    |machine, call| machine.notify(call, call.receiver(), true),
    |machine, call| notifies(machine, call, WaitSet::of_monitor(call.receiver()), true),
);

/// Waits on a condition of a lock.
pub(crate) static AWAIT: ThreadOperation =
    operation(|machine, call| machine.wait_on_condition(call, true), awaits);

/// The same, and no interrupt wakes it.
pub(crate) static AWAIT_UNINTERRUPTIBLY: ThreadOperation =
    operation(|machine, call| machine.wait_on_condition(call, false), awaits);

/// Wakes the thread that has waited longest on a condition.
pub(crate) static SIGNAL: ThreadOperation = operation(
    |machine, call| machine.signal(call, false),
    |machine, call| notifies(machine, call, WaitSet::of_condition(call.receiver()), false),
);

/// Wakes all threads that wait on a condition.
pub(crate) static SIGNAL_ALL: ThreadOperation = operation(
    |machine, call| machine.signal(call, true),
    |machine, call| notifies(machine, call, WaitSet::of_condition(call.receiver()), true),
);

/// Asks whether a thread waits on a condition.
pub(crate) static HAS_WAITERS: ThreadOperation =
    operation(|machine, call| machine.ask_for_waiters(call, |count| count.min(1)), asks_waiters);

/// Asks how many threads wait on a condition.
pub(crate) static COUNT_WAITERS: ThreadOperation =
    operation(|machine, call| machine.ask_for_waiters(call, |count| count), asks_waiters);

/// Takes a `ReentrantLock`.
pub(crate) static LOCK: ThreadOperation = operation(
    |machine, call| machine.lock_operation(call, Machine::lock),
    |machine, call| Ok(machine.pending_lock(call.thread, machine.monitor_of_call(call)?)),
);

/// Frees a `ReentrantLock`.
pub(crate) static UNLOCK: ThreadOperation =
    operation(Machine::unlock_operation, |machine, call| {
        let object = Address::of_object(machine.monitor_of_call(call)?);
        ready(VisibleOperation::Release { object })
    });

/// Hands a task to a `ForkJoinPool`, from outside.
pub(crate) static HAND_IN: ThreadOperation = operation(
    |machine, call| {
        let (pool, task) = (call.receiver(), call.argument(1));
        machine.hand_to_workers(call.thread, pool, task, true, call.performs)
    },
    starts_child,
);

/// Hands a task to a `ForkJoinPool`, from one of its threads.
pub(crate) static FORK: ThreadOperation = operation(
    |machine, call| {
        let (task, pool) = (call.argument(1), call.argument(2));
        machine.hand_to_workers(call.thread, pool, task, false, call.performs)
    },
    starts_child,
);

/// Runs the tasks of a pool.
pub(crate) static WORK: ThreadOperation = operation(
    |machine, call| {
        let hidden = machine.has_atomic_calls(call.receiver())?;
        Ok(if hidden { OperationResult::RunHidden } else { OperationResult::Decline })
    },
    never,
);

/// Hands a task to a worker of a pool.
pub(crate) static HAND_OVER: ThreadOperation = operation(
    |machine, call| machine.hand_over(call.thread, call.receiver(), call.argument(1)),
    never,
);

/// Waits for a task to be handed over.
pub(crate) static WAIT_FOR_TASK: ThreadOperation =
    operation(|machine, call| machine.wait_for_task(call.thread), never);

/// Lets others go first.
pub(crate) static YIELD: ThreadOperation = operation(|_, _| Ok(OperationResult::Done(None)), never);

/// Lets time pass.
pub(crate) static SLEEP: ThreadOperation =
    operation(Machine::sleep, |_, _| ready(VisibleOperation::Sleep));

/// Asks whether the receiver runs.
pub(crate) static IS_ALIVE: ThreadOperation =
    about(0, operation(|machine, call| machine.ask_about(call, Machine::is_alive), asks_alive));

/// Asks for the group of the receiver, which it has until it ends.
pub(crate) static GET_GROUP: ThreadOperation = about(
    0,
    operation(|machine, call| machine.ask_about(call, Machine::present_group), asks_alive),
);

/// Asks what the receiver is doing.
pub(crate) static GET_STATE: ThreadOperation = about(
    0,
    operation(
        |machine, call| machine.ask_about(call, Machine::present_state),
        |_, call| ready(VisibleOperation::AskState { thread: call.target }),
    ),
);

/// Asks how many threads a group has.
pub(crate) static COUNT_THREADS: ThreadOperation =
    operation(|machine, call| machine.count_members(call.receiver(), call.performs), asks_threads);

/// Asks which threads a group has.
pub(crate) static LIST_THREADS: ThreadOperation = operation(
    |machine, call| machine.enumerate_members(call.arguments, call.performs),
    asks_threads,
);

/// Asks which threads there are.
pub(crate) static ALL_THREADS: ThreadOperation =
    operation(|machine, call| machine.all_threads(call.performs), asks_threads);

/// Asks how many threads there are.
pub(crate) static COUNT_LIVE: ThreadOperation =
    operation(|machine, call| machine.count_live(call.performs, false), asks_threads);

/// Asks how many threads there are that keep nobody alive.
pub(crate) static COUNT_DAEMONS: ThreadOperation =
    operation(|machine, call| machine.count_live(call.performs, true), asks_threads);

/// Asks which threads wait for each other's locks.
pub(crate) static FIND_DEADLOCKED: ThreadOperation =
    operation(|machine, call| machine.find_deadlocked(call.performs, false), asks_states);

/// Asks which threads wait for each other's monitors.
pub(crate) static FIND_MONITOR_DEADLOCKED: ThreadOperation =
    operation(|machine, call| machine.find_deadlocked(call.performs, true), asks_states);

/// Starts the thread that waits for all others and then runs the shutdown hooks.
pub(crate) static DESTROY: ThreadOperation =
    operation(|machine, call| machine.start_destroyer(call.thread, call.performs), starts_child);

impl Machine {
    /// Performs an operation on threads, or says that the thread must stop before it.
    pub(crate) fn thread_operation(
        &mut self,
        thread: usize,
        operation: &'static ThreadOperation,
        arguments: &[u64],
        performs: bool,
    ) -> Performed {
        let mut call = ThreadCall { thread, target: thread, arguments, performs };
        let Some(index) = operation.thread_argument else {
            return (operation.perform)(self, &call);
        };
        let object = call.argument(index);
        if self.must_check_started(thread, object)? {
            if !performs {
                return Ok(OperationResult::Stop);
            }
            if self.thread_of(object)?.is_some() {
                self.core_mut(thread)?.checked = true;
                return Ok(OperationResult::Stop);
            }
        }
        call.target = self.thread_of(object)?.unwrap_or(thread);
        let result = (operation.perform)(self, &call);
        if !matches!(result, Ok(OperationResult::Stop)) && self.core(thread)?.checked {
            self.core_mut(thread)?.checked = false;
        }
        result
    }

    /// What a thread stands before that has stopped before an operation on threads.
    pub(super) fn pending_thread_operation(
        &self,
        thread: usize,
        operation: &'static ThreadOperation,
        arguments: &[u64],
    ) -> Pending {
        let mut call = ThreadCall { thread, target: thread, arguments, performs: false };
        if let Some(object) = operation.thread_argument.map(|index| call.argument(index)) {
            if self.must_check_started(thread, object)? {
                let interrupts = std::ptr::eq(operation, &INTERRUPT);
                let object = Address::of_object(object);
                return ready(VisibleOperation::AskStarted { object, interrupts });
            }
            call.target = self.thread_of(object)?.unwrap_or(thread);
        }
        (operation.pending)(self, &call)
    }
}
