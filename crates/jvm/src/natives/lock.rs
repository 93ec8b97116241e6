//! The classes of `java.util.concurrent` whose methods are single visible operations.
//!
//! What the operations do is in `interpret/synchroniser.rs`; conditions wait as `Object.wait` does,
//! with the condition as the wait set, and are signalled in the order of waiting, as the JDK
//! promises. Stamped locks are in `atomic_call.rs`. Barriers and everything that programs build on
//! `AbstractQueuedSynchronizer` themselves run the JDK's own code.

use super::{
    Native, NativeEffect, Reason, Reply, ThreadOperation, answer_int, int, local, noticed, object,
    truth,
};
use crate::error::Fault;
use crate::interpret::{Synchronise, WaitPolicy};
use crate::machine::{Machine, Trap, bad_reference};
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

/// A row of an operation on a synchroniser.
const fn one(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    operation: Synchronise,
) -> Native {
    noticed(class, name, descriptor, NativeEffect::Thread(ThreadOperation::Synchronise(operation)))
}

/// A row of a method that waits on a condition.
const fn wait(name: &'static str, descriptor: &'static str, interruptible: bool) -> Native {
    let operation = ThreadOperation::Await { interruptible };
    noticed(CONDITION, name, descriptor, NativeEffect::Thread(operation))
}

pub(super) static NATIVES: &[Native] = {
    use Synchronise::*;
    use WaitPolicy::{Interruptible, NoWait, Timed, Unlimited};
    &[
        noticed(LOCK, "lock", "()V", NativeEffect::Thread(ThreadOperation::Lock)),
        one(LOCK, "lockInterruptibly", "()V", Lock(Interruptible)),
        noticed(LOCK, "tryLock", "()Z", NativeEffect::Thread(ThreadOperation::TryLock)),
        one(LOCK, "tryLock", TIMED, Lock(Timed)),
        noticed(LOCK, "unlock", "()V", NativeEffect::Thread(ThreadOperation::Unlock)),
        local(Reason::OwnThread, LOCK, "isHeldByCurrentThread", "*", is_held),
        local(Reason::OwnThread, LOCK, "getHoldCount", "*", hold_count),
        one(LOCK, "isLocked", "()Z", IsLocked),
        one(HELD, "getOwner", "()Ljava/lang/Thread;", Owner),
        one(READ, "lock", "()V", ReadLock(Unlimited)),
        one(READ, "lockInterruptibly", "()V", ReadLock(Interruptible)),
        one(READ, "tryLock", "()Z", ReadLock(NoWait)),
        one(READ, "tryLock", TIMED, ReadLock(Timed)),
        one(READ, "unlock", "()V", ReadUnlock),
        one(WRITE, "lock", "()V", WriteLock(Unlimited)),
        one(WRITE, "lockInterruptibly", "()V", WriteLock(Interruptible)),
        one(WRITE, "tryLock", "()Z", WriteLock(NoWait)),
        one(WRITE, "tryLock", TIMED, WriteLock(Timed)),
        one(WRITE, "unlock", "()V", WriteUnlock),
        one(READ_WRITE, "isWriteLocked", "()Z", IsWriteLocked),
        one(READ_WRITE, "getReadLockCount", "()I", ReadLocks),
        local(Reason::OwnThread, READ_WRITE, "isHeldExclusively", "*", is_writer),
        local(Reason::OwnThread, READ_WRITE, "getWriteHoldCount", "*", write_holds),
        local(Reason::OwnThread, READ_WRITE, "getReadHoldCount", "*", read_holds),
        one(READ_WRITE, "getOwner", "()Ljava/lang/Thread;", Owner),
        one(READ_WRITE, "getCount", "()I", AllLocks),
        one(SEMAPHORE, "acquire", "()V", Acquire(Interruptible)),
        one(SEMAPHORE, "acquire", "(I)V", Acquire(Interruptible)),
        one(SEMAPHORE, "acquireUninterruptibly", "()V", Acquire(Unlimited)),
        one(SEMAPHORE, "acquireUninterruptibly", "(I)V", Acquire(Unlimited)),
        one(SEMAPHORE, "tryAcquire", "()Z", Acquire(NoWait)),
        one(SEMAPHORE, "tryAcquire", "(I)Z", Acquire(NoWait)),
        one(SEMAPHORE, "tryAcquire", TIMED, Acquire(Timed)),
        one(SEMAPHORE, "tryAcquire", TIMED_MANY, Acquire(Timed)),
        one(SEMAPHORE, "release", "()V", Release),
        one(SEMAPHORE, "release", "(I)V", Release),
        one(PERMITS, "drainPermits", "()I", Drain),
        one(PERMITS, "reducePermits", "(I)V", Reduce),
        one(PERMITS, "getPermits", "()I", Permits),
        local(Reason::MakesNew, COUNT, "<init>", "(I)V", new_latch),
        one(COUNT, "getCount", "()I", Count),
        one(LATCH, "countDown", "()V", CountDown),
        one(LATCH, "await", "()V", Pass(Interruptible)),
        one(LATCH, "await", TIMED, Pass(Timed)),
        wait("await", "()V", true),
        wait("await", TIMED, true),
        wait("awaitNanos", "(J)J", true),
        wait("awaitUntil", "(Ljava/util/Date;)Z", true),
        wait("awaitUninterruptibly", "()V", false),
        noticed(CONDITION, "signal", "()V", NativeEffect::Thread(ThreadOperation::Signal)),
        noticed(CONDITION, "signalAll", "()V", NativeEffect::Thread(ThreadOperation::SignalAll)),
        noticed(CONDITION, "hasWaiters", "()Z", NativeEffect::Thread(ThreadOperation::HasWaiters)),
        noticed(
            CONDITION,
            "getWaitQueueLength",
            "()I",
            NativeEffect::Thread(ThreadOperation::CountWaiters),
        ),
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

    /// How often the running thread has the exclusive lock that an inner object stands for.
    fn exclusive_holds(&self, inner: Reference) -> Result<u32, Trap> {
        let owner = self.heap.header(inner).ok_or_else(bad_reference)?.owner();
        Ok(owner.map_or(0, |(owner, count)| if owner == self.current { count } else { 0 }))
    }
}

/// A latch that one count opens is marked: see `Machine::sharing_mode`.
fn new_latch(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if int(arguments, 1) == 1 {
        machine.set_flag(object(arguments, 0)?, SINGLE_COUNT)?;
    }
    Ok(Reply::Decline)
}

fn is_held(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    match machine.lock_monitor(object(arguments, 0)?)? {
        Some(inner) => truth(machine.exclusive_holds(inner)? > 0),
        None => Ok(Reply::Decline),
    }
}

fn hold_count(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    match machine.lock_monitor(object(arguments, 0)?)? {
        Some(inner) => answer_int(machine.exclusive_holds(inner)? as i32),
        None => Ok(Reply::Decline),
    }
}

fn is_writer(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if machine.options.real_locks {
        return Ok(Reply::Decline);
    }
    truth(machine.exclusive_holds(object(arguments, 0)?)? > 0)
}

fn write_holds(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if machine.options.real_locks {
        return Ok(Reply::Decline);
    }
    answer_int(machine.exclusive_holds(object(arguments, 0)?)? as i32)
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
