//! The insides of pools, futures and queues: the fields of the JDK's classes that say whether a call
//! that is performed as one atomic call (`atomic_call.rs`) is possible, and what it would find.

use super::threads::OperationResult;
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::memory::Reference;

pub(super) const POOL: &str = "java/util/concurrent/ThreadPoolExecutor";
const STAMPED: &str = "java/util/concurrent/locks/StampedLock";
const PHASER: &str = "java/util/concurrent/Phaser";
const DELAYED: &str = "java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue";
pub(super) const FUTURE: &str = "java/util/concurrent/FutureTask";

/// Queues that pools may have, and in which field their number of elements is.
pub(super) const QUEUES: &[(&str, Elements)] = &[
    ("java/util/concurrent/LinkedBlockingQueue", Elements::Counter),
    ("java/util/concurrent/ArrayBlockingQueue", Elements::Count),
    ("java/util/concurrent/LinkedBlockingDeque", Elements::Count),
    ("java/util/concurrent/PriorityBlockingQueue", Elements::Size),
    (DELAYED, Elements::Size),
    ("java/util/concurrent/SynchronousQueue", Elements::Nothing),
];

/// How a queue counts its elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Elements {
    /// It has none: whoever has one gives it to somebody who waits.
    Nothing,
    /// `count` is an `AtomicInteger`.
    Counter,
    /// `count` is a number.
    Count,
    /// `size` is a number.
    Size,
}

/// States of a `FutureTask` up to this one are those without a result.
pub(super) const COMPLETING: i32 = 1;
/// The state in which the thread that runs it is being interrupted.
pub(super) const INTERRUPTING: i32 = 5;
/// The lowest value of a pool's word of state in which it is shut down, has to stop, has ended.
pub(super) const SHUTDOWN: i32 = 0;
pub(super) const STOP: i32 = 1 << 29;
pub(super) const TERMINATED: i32 = 3 << 29;
/// The bits of that word that count the workers.
pub(super) const WORKERS: i32 = (1 << 29) - 1;

/// The bits of a stamp that say who holds the lock: how many readers, or one writer.
pub(super) const STAMP_HOLDERS: u64 = 0xFF;
pub(super) const STAMP_WRITER: u64 = 1 << 7;
/// Readers that a stamp can count.
const STAMP_READERS: u64 = 126;

impl Machine {
    /// The present stamp of a `StampedLock`.
    pub(super) fn stamp(&self, lock: Reference) -> Result<u64, Trap> {
        self.own_field(lock, STAMPED, "state")
    }

    /// How many read with a `StampedLock`.
    pub(crate) fn stamped_readers(&self, lock: Reference) -> u32 {
        let stamp = self.stamp(lock).unwrap_or(0);
        (stamp & STAMP_HOLDERS & !STAMP_WRITER) as u32
    }

    /// Takes a `StampedLock` that is to be had, and gives its new stamp.
    pub(super) fn take_stamped(
        &mut self,
        lock: Reference,
        writes: bool,
    ) -> Result<OperationResult, Trap> {
        let stamp = self.stamp(lock)?;
        if !writes && stamp & STAMP_HOLDERS >= STAMP_READERS {
            return Err(Fault::unsupported("a StampedLock with more than 126 readers").into());
        }
        let taken = if writes { stamp | STAMP_WRITER } else { stamp + 1 };
        self.set_own_field(lock, STAMPED, "state", taken)?;
        Ok(OperationResult::Done(Some(taken)))
    }

    pub(super) fn worker_count(&self, pool: Reference) -> Result<u64, Trap> {
        let workers = Reference(self.own_field(pool, POOL, "workers")?);
        let map = Reference(self.get_field(workers, "map")?);
        Ok(self.get_field(map, "size")?)
    }

    /// For how many nanoseconds a worker of a pool waits for a task that is not needed at all times.
    pub(super) fn keep_alive_time(&self, pool: Reference) -> Result<u64, Trap> {
        self.own_field(pool, POOL, "keepAliveTime")
    }

    /// Whether no other thread has the lock of a pool.
    pub(super) fn is_pool_free(&self, thread: usize, pool: Reference) -> Result<bool, Trap> {
        let lock = Reference(self.own_field(pool, POOL, "mainLock")?);
        let Some(monitor) = self.lock_monitor(lock)? else { return Ok(true) };
        Ok(self.heap.header(monitor).is_some_and(|header| header.is_free_for(thread)))
    }

    /// The phaser that a phaser's state is kept in.
    pub(super) fn root_phaser(&self, phaser: Reference) -> Result<Reference, Trap> {
        Ok(Reference(self.own_field(phaser, PHASER, "root")?))
    }

    /// All that a phaser knows about its phase and who has arrived.
    pub(super) fn phaser_state(&self, phaser: Reference) -> Result<u64, Trap> {
        let own = self.own_field(phaser, PHASER, "state")?;
        let root = self.own_field(self.root_phaser(phaser)?, PHASER, "state")?;
        Ok(own ^ root.rotate_left(32))
    }

    /// Whether a phaser is in another phase than the one that the call of a thread waits for to end.
    pub(super) fn has_advanced(&self, thread: usize, phaser: Reference) -> Result<bool, Trap> {
        let Some(call) = self.present_call(thread)? else {
            return Err(Fault::internal("a thread waits outside a call").into());
        };
        let after = usize::from(self.world.method(call).arguments).saturating_sub(2);
        let awaited = self.int_operand(thread, after)?;
        let state = self.own_field(self.root_phaser(phaser)?, PHASER, "state")?;
        Ok(awaited < 0 || (state >> 32) as i32 != awaited)
    }

    pub(super) fn pool_state(&self, pool: Reference) -> Result<i32, Trap> {
        let word = Reference(self.own_field(pool, POOL, "ctl")?);
        self.number_in(word, "value")
    }

    pub(super) fn future_state(&self, future: Reference) -> Result<i32, Trap> {
        Ok(self.own_field(future, FUTURE, "state")? as i32)
    }

    /// A field that a class of the JDK declares; subclasses may have others with its name.
    pub(super) fn own_field(
        &self,
        object: Reference,
        owner: &'static str,
        name: &'static str,
    ) -> Result<u64, Trap> {
        Ok(self.load(object, self.own_word(object, owner, name)?)?)
    }

    /// Writes such a field.
    fn set_own_field(
        &mut self,
        object: Reference,
        owner: &'static str,
        name: &'static str,
        value: u64,
    ) -> Result<(), Trap> {
        Ok(self.store(object, self.own_word(object, owner, name)?, value)?)
    }

    /// How a queue counts its elements, if it is of a class that is known.
    pub(super) fn elements(&self, queue: Reference) -> Result<Option<Elements>, Trap> {
        if queue.is_null() {
            return Ok(None);
        }
        let name = self.world.class_name(self.class_of(queue)?);
        Ok(QUEUES.iter().find(|row| row.0 == name).map(|row| row.1))
    }

    /// Whether a queue is that of a `ScheduledThreadPoolExecutor`.
    pub(super) fn is_delayed_queue(&self, queue: Reference) -> Result<bool, Trap> {
        Ok(self.world.class_name(self.class_of(queue)?) == DELAYED)
    }

    pub(super) fn element_count(&self, queue: Reference) -> Result<i32, Trap> {
        match self.elements(queue)? {
            Some(Elements::Counter) => {
                self.number_in(Reference(self.get_field(queue, "count")?), "value")
            }
            Some(Elements::Count) => self.number_in(queue, "count"),
            Some(Elements::Size) => self.number_in(queue, "size"),
            Some(Elements::Nothing) => Ok(0),
            None => Err(Fault::internal("a queue that is not known").into()),
        }
    }

    pub(super) fn capacity(&self, queue: Reference) -> Result<i32, Trap> {
        let class = self.class_of(queue)?;
        if self.world.field_named(class, "capacity").is_some() {
            return self.number_in(queue, "capacity");
        }
        match self.world.field_named(class, "items") {
            Some(_) => {
                let items = Reference(self.get_field(queue, "items")?);
                Ok(self.length(items)? as i32)
            }
            None => Ok(i32::MAX),
        }
    }

    pub(super) fn number_in(&self, object: Reference, name: &'static str) -> Result<i32, Trap> {
        Ok(self.get_field(object, name)? as i32)
    }
}
