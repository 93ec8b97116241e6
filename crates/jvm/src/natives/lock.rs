//! Locks, conditions, semaphores and latches of `java.util.concurrent`: the rows of their operations.
//!
//! What the operations do is in `interpret/synchroniser.rs`; conditions wait as `Object.wait` does,
//! with the condition as the wait set, and are signalled in the order of waiting, as the JDK
//! promises. Stamped locks are in `atomic_calls.rs`. Barriers and everything that programs build on
//! `AbstractQueuedSynchronizer` themselves run the JDK's own code.

use super::{
    Native, Reason, Reply, answer_int, int, jdk, local, object, operations, thread, truth,
};
use crate::error::Fault;
use crate::interpret::OperationKind::{Change, FreeLock, Query, TakeLock};
use crate::interpret::synchroniser::*;
use crate::interpret::{
    BASE_OPERATION, Guard, JdkOperation, ObservedState, PerformFunction, Subject, WaitPolicy,
    modes, permits_given,
};
use crate::machine::{Machine, Trap};
use crate::memory::{OBJECT_HEADER_WORDS, Reference, SINGLE_COUNT};

const LOCK: &str = "java/util/concurrent/locks/ReentrantLock";
const HELD: &str = "java/util/concurrent/locks/ReentrantLock$Sync";
const READ_WRITE: &str = "java/util/concurrent/locks/ReentrantReadWriteLock$Sync";
const READ: &str = "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock";
const WRITE: &str = "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock";
const CONDITION: &str = "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject";
const QUEUE: &str = "java/util/concurrent/locks/AbstractQueuedSynchronizer";
const SEMAPHORE: &str = "java/util/concurrent/Semaphore";
const PERMITS: &str = "java/util/concurrent/Semaphore$Sync";
const LATCH: &str = "java/util/concurrent/CountDownLatch";
const COUNT: &str = "java/util/concurrent/CountDownLatch$Sync";

const TIMED: &str = "(JLjava/util/concurrent/TimeUnit;)Z";
const TIMED_MANY: &str = "(IJLjava/util/concurrent/TimeUnit;)Z";

/// Taking a lock. The guard says who can take it.
const fn takes(
    guard: &'static Guard,
    observed: &'static ObservedState,
    effect: PerformFunction,
    done: &'static str,
    wait_policy: WaitPolicy,
) -> JdkOperation {
    let subject = &SYNCHRONISER;
    JdkOperation {
        subject,
        guard,
        observed,
        effect,
        done,
        wait_policy,
        kind: TakeLock,
        ..BASE_OPERATION
    }
}

/// Taking a `ReentrantLock`.
const fn exclusive(wait_policy: WaitPolicy) -> JdkOperation {
    let done = "locks {}";
    JdkOperation { mode: locks, ..takes(&LOCK_FREE, &HOLDERS, take_lock, done, wait_policy) }
}

/// Taking a write lock. Not getting it cannot be swapped with a reader's leaving.
const fn writing(wait_policy: WaitPolicy) -> JdkOperation {
    let done = "takes the write lock of {}";
    let operation = takes(&WRITE_LOCK_FREE, &HOLDERS, take_lock, done, wait_policy);
    JdkOperation { mode: modes::writes, ..operation }
}

/// Taking a read lock, which several can have. Who waits for it does not pass a writer that has come before.
const fn reading(wait_policy: WaitPolicy) -> JdkOperation {
    let guard = match wait_policy {
        WaitPolicy::NoWait => &READ_LOCK_FREE,
        _ => &READ_LOCK_IN_TURN,
    };
    takes(guard, &WRITER, take_read_lock, "takes the read lock of {}", wait_policy)
}

/// Taking permits of a semaphore: as many as the first argument says, or one.
const fn acquiring(wait_policy: WaitPolicy) -> JdkOperation {
    JdkOperation {
        guard: match wait_policy {
            WaitPolicy::NoWait => &PERMITS_LEFT,
            _ => &PERMITS_IN_TURN,
        },
        wait_policy,
        amount: permits_given,
        check: no_negative_permits,
        mode: modes::writes_if_done,
        ..changing(acquire, "takes {permits} of {}")
    }
}

/// The same with a time limit and without a number of permits.
const ACQUIRING_ONE: JdkOperation =
    JdkOperation { amount: BASE_OPERATION.amount, ..acquiring(WaitPolicy::Timed) };

/// Passing a latch.
const fn passing(wait_policy: WaitPolicy) -> JdkOperation {
    let done = "passes {}, which is at zero";
    JdkOperation { guard: &AT_ZERO, wait_policy, mode: passes_latch, ..changing(pass, done) }
}

/// Changing a semaphore or latch, without waiting.
const fn changing(effect: PerformFunction, done: &'static str) -> JdkOperation {
    JdkOperation {
        subject: &SYNCHRONISER,
        observed: &NUMBER,
        effect,
        done,
        kind: Change,
        mode: modes::writes,
        ..BASE_OPERATION
    }
}

/// Giving permits back.
const RELEASING: JdkOperation = JdkOperation {
    amount: permits_given,
    check: no_negative_permits,
    ..changing(release, "gives back {permits} of {}")
};
const DRAINING: JdkOperation =
    JdkOperation { subject: &INNER, ..changing(drain, "takes all permits of {}") };
/// Taking permits away, below zero if need be.
const REDUCING: JdkOperation = JdkOperation {
    subject: &INNER,
    amount: permits_given,
    check: no_negative_permits,
    ..changing(reduce, "removes {permits} of {}")
};
const COUNTING: JdkOperation =
    JdkOperation { mode: counts_latch, ..changing(count_down, "counts {} down") };
const FREEING: JdkOperation = JdkOperation {
    kind: FreeLock,
    observed: &HOLDERS,
    check: must_hold_lock,
    ..changing(free_lock, "frees the write lock of {}")
};
const READ_FREEING: JdkOperation = JdkOperation {
    kind: FreeLock,
    observed: &WRITER,
    check: must_hold_read_lock,
    mode: modes::reads,
    ..changing(free_read_lock, "frees the read lock of {}")
};

/// Asking for the state of a synchroniser.
const fn asks(
    subject: &'static Subject,
    observed: &'static ObservedState,
    effect: PerformFunction,
    done: &'static str,
) -> JdkOperation {
    JdkOperation { subject, observed, effect, done, kind: Query, ..BASE_OPERATION }
}

const ASKS_LOCKED: JdkOperation =
    asks(&SYNCHRONISER, &HOLDERS, is_locked, "asks whether {} is locked");
const ASKS_OWNER: JdkOperation = asks(&INNER, &HOLDERS, owner, "asks who has {}");
const ASKS_WRITE_LOCKED: JdkOperation =
    asks(&INNER, &HOLDERS, is_locked, "asks whether {} is locked for writing");
const ASKS_READ_LOCKS: JdkOperation = JdkOperation {
    mode: modes::writes,
    ..asks(&INNER, &READERS, read_lock_count, "asks how many have the read lock of {}")
};
const ASKS_LOCKS: JdkOperation = JdkOperation {
    mode: modes::writes,
    ..asks(&INNER, &READERS, lock_count, "asks how many have a lock of {}")
};
const ASKS_PERMITS: JdkOperation = asks(&INNER, &NUMBER, number, "asks how many permits {} has");
const ASKS_COUNT: JdkOperation = JdkOperation {
    mode: passes_latch,
    ..asks(&INNER, &NUMBER, number, "asks for the count of {}")
};

pub(super) static NATIVES: &[Native] = {
    use WaitPolicy::{Interruptible, NoWait, Timed, Unlimited};
    &[
        thread(LOCK, "lock", "()V", &operations::LOCK),
        jdk(LOCK, "lockInterruptibly", "()V", exclusive(Interruptible)),
        jdk(LOCK, "tryLock", "()Z", exclusive(NoWait)),
        jdk(LOCK, "tryLock", TIMED, exclusive(Timed)),
        thread(LOCK, "unlock", "()V", &operations::UNLOCK),
        local(Reason::OwnThread, LOCK, "isHeldByCurrentThread", "*", is_held),
        local(Reason::OwnThread, LOCK, "getHoldCount", "*", hold_count),
        jdk(LOCK, "isLocked", "()Z", ASKS_LOCKED),
        jdk(HELD, "getOwner", "()Ljava/lang/Thread;", ASKS_OWNER),
        jdk(READ, "lock", "()V", reading(Unlimited)),
        jdk(READ, "lockInterruptibly", "()V", reading(Interruptible)),
        jdk(READ, "tryLock", "()Z", reading(NoWait)),
        jdk(READ, "tryLock", TIMED, reading(Timed)),
        jdk(READ, "unlock", "()V", READ_FREEING),
        jdk(WRITE, "lock", "()V", writing(Unlimited)),
        jdk(WRITE, "lockInterruptibly", "()V", writing(Interruptible)),
        jdk(WRITE, "tryLock", "()Z", writing(NoWait)),
        jdk(WRITE, "tryLock", TIMED, writing(Timed)),
        jdk(WRITE, "unlock", "()V", FREEING),
        jdk(READ_WRITE, "isWriteLocked", "()Z", ASKS_WRITE_LOCKED),
        jdk(READ_WRITE, "getReadLockCount", "()I", ASKS_READ_LOCKS),
        local(Reason::OwnThread, READ_WRITE, "isHeldExclusively", "*", is_writer),
        local(Reason::OwnThread, READ_WRITE, "getWriteHoldCount", "*", write_holds),
        local(Reason::OwnThread, READ_WRITE, "getReadHoldCount", "*", read_holds),
        jdk(READ_WRITE, "getOwner", "()Ljava/lang/Thread;", ASKS_OWNER),
        jdk(READ_WRITE, "getCount", "()I", ASKS_LOCKS),
        jdk(SEMAPHORE, "acquire", "()V", acquiring(Interruptible)),
        jdk(SEMAPHORE, "acquire", "(I)V", acquiring(Interruptible)),
        jdk(SEMAPHORE, "acquireUninterruptibly", "()V", acquiring(Unlimited)),
        jdk(SEMAPHORE, "acquireUninterruptibly", "(I)V", acquiring(Unlimited)),
        jdk(SEMAPHORE, "tryAcquire", "()Z", acquiring(NoWait)),
        jdk(SEMAPHORE, "tryAcquire", "(I)Z", acquiring(NoWait)),
        jdk(SEMAPHORE, "tryAcquire", TIMED, ACQUIRING_ONE),
        jdk(SEMAPHORE, "tryAcquire", TIMED_MANY, acquiring(Timed)),
        jdk(SEMAPHORE, "release", "()V", RELEASING),
        jdk(SEMAPHORE, "release", "(I)V", RELEASING),
        jdk(PERMITS, "drainPermits", "()I", DRAINING),
        jdk(PERMITS, "reducePermits", "(I)V", REDUCING),
        jdk(PERMITS, "getPermits", "()I", ASKS_PERMITS),
        local(Reason::MakesNew, COUNT, "<init>", "(I)V", new_latch),
        jdk(COUNT, "getCount", "()I", ASKS_COUNT),
        jdk(LATCH, "countDown", "()V", COUNTING),
        jdk(LATCH, "await", "()V", passing(Interruptible)),
        jdk(LATCH, "await", TIMED, passing(Timed)),
        thread(CONDITION, "await", "()V", &operations::AWAIT),
        thread(CONDITION, "await", TIMED, &operations::AWAIT),
        thread(CONDITION, "awaitNanos", "(J)J", &operations::AWAIT),
        thread(CONDITION, "awaitUntil", "(Ljava/util/Date;)Z", &operations::AWAIT),
        thread(CONDITION, "awaitUninterruptibly", "()V", &operations::AWAIT_UNINTERRUPTIBLY),
        thread(CONDITION, "signal", "()V", &operations::SIGNAL),
        thread(CONDITION, "signalAll", "()V", &operations::SIGNAL_ALL),
        thread(CONDITION, "hasWaiters", "()Z", &operations::HAS_WAITERS),
        thread(CONDITION, "getWaitQueueLength", "()I", &operations::COUNT_WAITERS),
        local(Reason::Refuses, CONDITION, "getWaitingThreads", "*", looks_at_condition),
        local(Reason::Refuses, QUEUE, "hasQueuedThreads", "*", looks_at_any_queue),
        local(Reason::Refuses, QUEUE, "isQueued", "*", looks_at_any_queue),
        local(Reason::Refuses, QUEUE, "getQueueLength", "*", looks_at_any_queue),
        local(Reason::Refuses, QUEUE, "getQueuedThreads", "*", looks_at_any_queue),
    ]
};

impl Machine {
    /// The object whose monitor stands for a `ReentrantLock`; none if the JDK's own code runs.
    pub(crate) fn lock_monitor(&self, lock: Reference) -> Result<Option<Reference>, Trap> {
        if self.options.real_locks {
            return Ok(None);
        }
        // The lock's only field.
        Ok(self.load_reference(lock, OBJECT_HEADER_WORDS)?.non_null())
    }

    /// The lock behind a condition, if the machine performs operations on it itself.
    pub(crate) fn lock_of_condition(
        &self,
        condition: Reference,
    ) -> Result<Option<Reference>, Trap> {
        let lock = Reference(self.get_field(condition, "this$0")?);
        Ok(self.is_performed(lock)?.then_some(lock))
    }

    /// Whether the machine performs the operations on a synchroniser with this inner object itself.
    fn is_performed(&self, inner: Reference) -> Result<bool, Trap> {
        let name = self.world.class_name(self.class_of(inner)?);
        let known = [LOCK, READ_WRITE.trim_end_matches("Sync"), SEMAPHORE, LATCH];
        Ok(!self.options.real_locks && known.iter().any(|class| name.starts_with(class)))
    }

    /// Whether an inner object is that of a lock with a read lock.
    pub(crate) fn has_read_lock(&self, inner: Reference) -> bool {
        let name = self.class_of(inner).map(|class| self.world.class_name(class));
        name.is_ok_and(|name| name.starts_with(READ_WRITE.trim_end_matches("Sync")))
    }
}

/// A latch that one count opens is marked: see `counts_latch`.
fn new_latch(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if int(arguments, 1) == 1 {
        machine.set_flag(object(arguments, 0)?, SINGLE_COUNT)?;
    }
    Ok(Reply::Decline)
}

fn is_held(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    match machine.lock_monitor(object(arguments, 0)?)? {
        Some(inner) => truth(machine.exclusive_holds(machine.current, inner) > 0),
        None => Ok(Reply::Decline),
    }
}

fn hold_count(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    match machine.lock_monitor(object(arguments, 0)?)? {
        Some(inner) => answer_int(machine.exclusive_holds(machine.current, inner) as i32),
        None => Ok(Reply::Decline),
    }
}

fn is_writer(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if machine.options.real_locks {
        return Ok(Reply::Decline);
    }
    truth(machine.exclusive_holds(machine.current, object(arguments, 0)?) > 0)
}

fn write_holds(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if machine.options.real_locks {
        return Ok(Reply::Decline);
    }
    answer_int(machine.exclusive_holds(machine.current, object(arguments, 0)?) as i32)
}

fn read_holds(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if machine.options.real_locks {
        return Ok(Reply::Decline);
    }
    answer_int(machine.read_holds(object(arguments, 0)?, machine.current).0 as i32)
}

fn looks_at_queue(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    if machine.options.real_locks {
        return Ok(Reply::Decline);
    }
    let what = "looking at who waits for a lock or semaphore; use --real-locks";
    Err(Fault::unsupported(what).into())
}

fn looks_at_any_queue(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if !machine.is_performed(object(arguments, 0)?)? {
        return Ok(Reply::Decline);
    }
    looks_at_queue(machine, arguments)
}

fn looks_at_condition(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if machine.lock_of_condition(object(arguments, 0)?)?.is_none() {
        return Ok(Reply::Decline);
    }
    looks_at_queue(machine, arguments)
}
