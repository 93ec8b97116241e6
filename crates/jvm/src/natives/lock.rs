//! `ReentrantLock` as one visible operation per call.
//!
//! The JDK's lock is an integer and a queue, and a thread that takes it performs a dozen visible
//! operations on them. A program that uses the lock cannot tell it from a monitor, so that is what it
//! is here: the monitor of the lock's `sync` object, which nobody else can lock. A lock that has
//! conditions keeps the JDK's own code, since that is where conditions look for the queue; the lock's
//! `sync` object is marked when the first condition is made, which must be before the lock is taken.

use super::{Effect, Native, Reply, ThreadOperation, answer_int, local, noticed, object, truth};
use crate::error::Fault;
use crate::machine::{Machine, Trap, bad_reference};
use crate::memory::{OBJECT_HEADER_WORDS, QUEUED, Reference};

const LOCK: &str = "java/util/concurrent/locks/ReentrantLock";
const TIMED: &str = "(JLjava/util/concurrent/TimeUnit;)Z";

pub(super) static NATIVES: &[Native] = &[
    noticed(LOCK, "lock", "()V", Effect::Thread(ThreadOperation::Lock)),
    noticed(LOCK, "lockInterruptibly", "()V", Effect::Thread(ThreadOperation::LockInterruptibly)),
    noticed(LOCK, "tryLock", "()Z", Effect::Thread(ThreadOperation::TryLock)),
    // Time may pass at once: succeeding later is succeeding in a later step.
    noticed(LOCK, "tryLock", TIMED, Effect::Thread(ThreadOperation::TryLock)),
    noticed(LOCK, "unlock", "()V", Effect::Thread(ThreadOperation::Unlock)),
    local(LOCK, "newCondition", "*", new_condition),
    local(LOCK, "isHeldByCurrentThread", "*", is_held),
    local(LOCK, "getHoldCount", "*", hold_count),
    local(LOCK, "isLocked", "*", is_locked),
    local(LOCK, "getOwner", "*", looks_at_queue),
    local(LOCK, "hasQueuedThreads", "*", looks_at_queue),
    local(LOCK, "hasQueuedThread", "*", looks_at_queue),
    local(LOCK, "getQueueLength", "*", looks_at_queue),
    local(LOCK, "toString", "*", looks_at_queue),
];

impl Machine {
    /// The object whose monitor stands for a lock; none if the lock has its own queue.
    pub(crate) fn lock_monitor(&self, lock: Reference) -> Result<Option<Reference>, Trap> {
        // The lock's only field.
        let sync = self.load_reference(lock, OBJECT_HEADER_WORDS)?;
        let header = self.heap.header(sync).ok_or_else(bad_reference)?;
        let queued = self.options.real_locks || header.has(QUEUED);
        Ok((!queued).then_some(sync))
    }

    /// How often the running thread holds a lock; none if the lock has its own queue.
    fn holds(&self, lock: Reference) -> Result<Option<u32>, Trap> {
        let Some(sync) = self.lock_monitor(lock)? else { return Ok(None) };
        let owner = self.heap.header(sync).and_then(|header| header.owner());
        Ok(Some(owner.map_or(0, |(owner, count)| if owner == self.current { count } else { 0 })))
    }
}

fn new_condition(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if let Some(sync) = machine.lock_monitor(object(arguments, 0)?)? {
        if machine.heap.header(sync).is_some_and(|header| header.owner().is_some()) {
            let what = "the first condition of a ReentrantLock that is held already";
            return Err(Fault::unsupported(what).into());
        }
        machine.set_flag(sync, QUEUED)?;
    }
    Ok(Reply::Decline)
}

fn is_held(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    match machine.holds(object(arguments, 0)?)? {
        Some(count) => truth(count > 0),
        None => Ok(Reply::Decline),
    }
}

fn hold_count(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    match machine.holds(object(arguments, 0)?)? {
        Some(count) => answer_int(count as i32),
        None => Ok(Reply::Decline),
    }
}

/// What others do with the lock must not be looked at without a step.
fn is_locked(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    match machine.holds(object(arguments, 0)?)? {
        Some(count) if count > 0 || !machine.is_observed() => truth(count > 0),
        _ => looks_at_queue(machine, arguments),
    }
}

fn looks_at_queue(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    match machine.lock_monitor(object(arguments, 0)?)? {
        Some(_) => {
            let what = "looking at who has or wants a ReentrantLock; use --real-locks";
            Err(Fault::unsupported(what).into())
        }
        None => Ok(Reply::Decline),
    }
}
