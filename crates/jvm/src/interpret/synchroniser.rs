//! Locks, semaphores and latches of `java.util.concurrent`: what their operations do.
//!
//! The JDK makes them from an integer and a queue. Here the inner object (`sync`) stands for the
//! synchroniser. An exclusive lock is the monitor of that object, which nobody else can lock; who reads
//! is in a journal of the machine and a flag of the object; permits and counts stay in the JDK's own
//! word. The rows are in `natives/lock.rs`, and how an operation is performed is in `jdk_operation.rs`.
//!
//! **Queues.** The JDK lets threads wait in a queue, first come, first served, and its head holds up all behind it. A
//! program can notice that in two cases only. A reader does not pass a writer that waits, even while others read. And
//! a thread that waits for one permit does not pass one that waits for several; where a semaphore is fair, not even if
//! it comes when there are permits. If those who hold the rest wait for the one that is held up, that is a deadlock.
//! So in these cases joining the queue is a step of its own, before the one that takes the lock or the permits:
//! of a writer only while somebody reads, and of a thread that waits for permits if it needs several or if somebody is in
//! the queue. Nobody else joins. That hides nothing: a thread that stands before its operation without a place in the
//! queue is one that has not come yet, which the JDK lets in as late as ours does; a writer that waits for
//! another writer can as well join when somebody reads after that, since until then readers have to wait anyway. And
//! it shows nothing that cannot be: a reader that stands behind a writer comes after it. Operations that
//! do not wait pass everybody, as in the JDK. Those with a time limit wait behind others but hold up nobody: their own
//! limit would end that.
//!
//! **Not modelled.** Who else is in the queue, which some methods for monitoring tell; a thread that was signalled
//! and waits to get its write lock back; the queue of a `StampedLock`, which threads that come can pass.

use counterpoint_model::Mode;
use smallvec::SmallVec;

use super::jdk_operation::{
    Guard, JdkCall, JdkStep, ObservedState, Readiness, Subject, SubjectPlace,
};
use super::threads::OperationResult;
use crate::machine::{Machine, Trap, bad_reference, raise};
use crate::memory::{OBJECT_HEADER_WORDS, READ_HELD, Reference, SINGLE_COUNT};

/// The inner object of a lock, semaphore or latch.
pub(crate) static SYNCHRONISER: Subject = Subject { of: inner_object, ..INNER_SUBJECT };

/// An inner object itself.
pub(crate) static INNER: Subject = INNER_SUBJECT;

const INNER_SUBJECT: Subject = Subject {
    of: |_, inner| Ok(Some(inner)),
    place: SubjectPlace::Lock,
    is_part: false,
    checks_interrupt_first: true,
};

const fn guard(
    wants: &'static str,
    occupies_worker: bool,
    readiness: fn(&Machine, usize, &JdkCall) -> Result<Readiness, Trap>,
) -> Guard {
    Guard { readiness, wants, queues: never_queues, ends_by_interrupt: true, occupies_worker }
}

/// Nobody can notice who waits.
pub(crate) fn never_queues(_: &Machine, _: usize, _: &JdkCall) -> bool {
    false
}

pub(crate) static NOTHING: Guard = guard("", false, |_, _, _| Ok(Readiness::Succeeds));
pub(crate) static LOCK_FREE: Guard = guard("the lock of {}", false, exclusive_is_free);
pub(crate) static WRITE_LOCK_FREE: Guard = Guard {
    queues: |machine, _, call| machine.read_holds(call.subject, 0).1 > 0,
    ..guard("the write lock of {}", false, exclusive_is_free)
};
/// Nobody writes.
pub(crate) static READ_LOCK_FREE: Guard =
    guard("the read lock of {}", false, |machine, thread, call| {
        let owner = machine.heap.header(call.subject).ok_or_else(bad_reference)?.owner();
        Ok(Readiness::of(owner.is_none_or(|(owner, _)| owner == thread)))
    });
/// Nobody writes, and no writer has come before. Who has the lock already may have it again.
pub(crate) static READ_LOCK_IN_TURN: Guard =
    guard("the read lock of {}", false, |machine, thread, call| {
        let owner = machine.heap.header(call.subject).ok_or_else(bad_reference)?.owner();
        Ok(Readiness::of(match owner {
            Some((owner, _)) => owner == thread,
            None => {
                machine.read_holds(call.subject, thread).0 > 0
                    || machine.queue(call.subject).is_empty()
            }
        }))
    });
/// There are enough permits.
pub(crate) static PERMITS_LEFT: Guard = guard("{permits} of {}", true, |machine, _, call| {
    Ok(Readiness::of(machine.count_of(call.subject)? >= call.amount))
});
/// There are enough permits, and nobody has to be served before.
pub(crate) static PERMITS_IN_TURN: Guard = Guard {
    queues: |machine, _, call| call.amount > 1 || !machine.queue(call.subject).is_empty(),
    ..guard("{permits} of {}", true, |machine, thread, call| {
        let queue = machine.queue(call.subject);
        let in_turn = match queue.iter().position(|waiting| *waiting == thread) {
            Some(place) => place == 0,
            None => queue.is_empty() || !machine.is_fair_semaphore(call.subject),
        };
        Ok(Readiness::of(in_turn && machine.count_of(call.subject)? >= call.amount))
    })
};
pub(crate) static AT_ZERO: Guard =
    guard("{} to be counted down to zero", true, |machine, _, call| {
        Ok(Readiness::of(machine.count_of(call.subject)? == 0))
    });

const fn observed(
    value: fn(&Machine, &JdkCall) -> u64,
    holds: Option<fn(&Machine, usize, Reference) -> u32>,
) -> ObservedState {
    ObservedState { value, is_complete: |_, _| true, holds }
}

/// Who has a lock.
pub(crate) static HOLDERS: ObservedState = observed(
    |machine, call| machine.lock_holders(call.subject),
    Some(|machine, thread, lock| machine.exclusive_holds(thread, lock)),
);
/// Who has a lock, whoever reads.
pub(crate) static WRITER: ObservedState = observed(
    |machine, call| {
        let owner = machine.heap.header(call.subject).and_then(|header| header.owner());
        let queue = machine.queue(call.subject);
        queue.iter().fold(owner.map_or(0, |(owner, _)| owner as u64 + 1), |state, waiting| {
            state.rotate_left(16) ^ (*waiting as u64 + 1)
        })
    },
    Some(|machine, thread, lock| machine.read_holds(lock, thread).0),
);
/// Who has a lock, and how many have its read lock.
pub(crate) static READERS: ObservedState = observed(
    |machine, call| {
        let readers = machine.read_holds(call.subject, 0).1;
        machine.lock_holders(call.subject).rotate_left(16) ^ u64::from(readers)
    },
    Some(|machine, thread, lock| machine.read_holds(lock, thread).0),
);
/// The permits of a semaphore or the count of a latch.
pub(crate) static NUMBER: ObservedState = observed(
    |machine, call| machine.count_of(call.subject).map_or(0, |count| u64::from(count as u32)),
    None,
);

/// Modes of operations on latches. Counting down can be swapped with counting down, and passing with
/// passing, but not the one with the other. One of the two is shared: the one of which there are many.
pub(crate) fn counts_latch(machine: &Machine, call: &JdkCall, _: Readiness) -> Mode {
    if machine.is_single_count(call) { Mode::Write } else { Mode::Read }
}

/// See [`counts_latch`].
pub(crate) fn passes_latch(machine: &Machine, call: &JdkCall, _: Readiness) -> Mode {
    if machine.is_single_count(call) { Mode::Read } else { Mode::Write }
}

/// The mode of taking a lock that is then freed.
pub(crate) fn locks(_: &Machine, _: &JdkCall, readiness: Readiness) -> Mode {
    if readiness == Readiness::Succeeds { Mode::Acquire } else { Mode::Read }
}

type Performed = Result<OperationResult, Trap>;

fn done(word: Option<u64>) -> Performed {
    Ok(OperationResult::Done(word))
}

fn done_int(value: i32) -> Performed {
    done(Some(u64::from(value as u32)))
}

pub(crate) fn take_lock(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    machine.lock(step.thread, step.call.subject, true)?;
    done(step.call.operation.success())
}

pub(crate) fn free_lock(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    machine.unlock(step.thread, step.call.subject, true)?;
    done(None)
}

pub(crate) fn take_read_lock(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    machine.change_read_holds(step.thread, step.call.subject, 1)?;
    done(step.call.operation.success())
}

pub(crate) fn free_read_lock(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    machine.change_read_holds(step.thread, step.call.subject, -1)?;
    done(None)
}

pub(crate) fn is_locked(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    let header = machine.heap.header(step.call.subject).ok_or_else(bad_reference)?;
    done_int(i32::from(header.owner().is_some()))
}

pub(crate) fn owner(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    match machine.heap.header(step.call.subject).ok_or_else(bad_reference)?.owner() {
        Some((owner, _)) => done(Some(machine.thread_object(owner)?.0)),
        None => done(Some(0)),
    }
}

pub(crate) fn read_lock_count(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    done_int(machine.read_holds(step.call.subject, step.thread).1 as i32)
}

pub(crate) fn lock_count(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    let header = machine.heap.header(step.call.subject).ok_or_else(bad_reference)?;
    let writes = header.owner().map_or(0, |(_, count)| count);
    done_int((machine.read_holds(step.call.subject, step.thread).1 << 16 | writes) as i32)
}

pub(crate) fn acquire(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    let permits = machine.count_of(step.call.subject)? - step.call.amount;
    machine.set_count(step.call.subject, permits)?;
    done(step.call.operation.success())
}

pub(crate) fn release(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    let Some(permits) = machine.count_of(step.call.subject)?.checked_add(step.call.amount) else {
        return raise("java/lang/Error", "Maximum permit count exceeded");
    };
    machine.set_count(step.call.subject, permits)?;
    done(None)
}

pub(crate) fn drain(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    let permits = machine.count_of(step.call.subject)?;
    machine.set_count(step.call.subject, 0)?;
    done_int(permits)
}

pub(crate) fn reduce(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    let Some(permits) = machine.count_of(step.call.subject)?.checked_sub(step.call.amount) else {
        return raise("java/lang/Error", "Permit count underflow");
    };
    machine.set_count(step.call.subject, permits)?;
    done(None)
}

pub(crate) fn count_down(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    let count = machine.count_of(step.call.subject)?;
    if count > 0 {
        machine.set_count(step.call.subject, count - 1)?;
    }
    done(None)
}

pub(crate) fn pass(_: &mut Machine, step: &JdkStep<'_>) -> Performed {
    done(step.call.operation.success())
}

pub(crate) fn number(machine: &mut Machine, step: &JdkStep<'_>) -> Performed {
    done_int(machine.count_of(step.call.subject)?)
}

/// A lock can be freed by the thread only that holds it.
pub(crate) fn must_hold_lock(
    machine: &Machine,
    thread: usize,
    call: &JdkCall,
    _: &[u64],
) -> Result<(), Trap> {
    match machine.exclusive_holds(thread, call.subject) {
        0 => Err(Trap::Raise("java/lang/IllegalMonitorStateException", None)),
        _ => Ok(()),
    }
}

/// So can a read lock.
pub(crate) fn must_hold_read_lock(
    machine: &Machine,
    thread: usize,
    call: &JdkCall,
    _: &[u64],
) -> Result<(), Trap> {
    match machine.read_holds(call.subject, thread).0 {
        0 => raise(
            "java/lang/IllegalMonitorStateException",
            "attempt to unlock read lock, not locked by current thread",
        ),
        _ => Ok(()),
    }
}

/// Permits are counted from zero.
pub(crate) fn no_negative_permits(
    _: &Machine,
    _: usize,
    call: &JdkCall,
    _: &[u64],
) -> Result<(), Trap> {
    match call.amount {
        ..0 => Err(Trap::Raise("java/lang/IllegalArgumentException", None)),
        _ => Ok(()),
    }
}

/// The inner object of a synchroniser: the first field of all these classes, which no subclass can move.
fn inner_object(machine: &Machine, receiver: Reference) -> Result<Option<Reference>, Trap> {
    Ok(machine.load_reference(receiver, OBJECT_HEADER_WORDS)?.non_null())
}

fn exclusive_is_free(machine: &Machine, thread: usize, call: &JdkCall) -> Result<Readiness, Trap> {
    let header = machine.heap.header(call.subject).ok_or_else(bad_reference)?;
    Ok(Readiness::of(header.is_free_for(thread)))
}

/// An entry of the journal of read locks and queues.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadHold {
    /// The inner object of the lock.
    lock: Reference,
    thread: u32,
    /// How often the thread holds the read lock from now on.
    holds: u32,
    /// How often it is held by all threads together.
    readers: u32,
    /// Whether the thread is in the queue from now on.
    waits: bool,
    /// How many threads are in the queue.
    waiting: u32,
}

impl Machine {
    /// All that says who holds a lock.
    pub(crate) fn lock_holders(&self, lock: Reference) -> u64 {
        self.heap.header(lock).map_or(0, |header| header.holders())
    }

    /// How often a thread has the exclusive lock that an inner object stands for.
    pub(crate) fn exclusive_holds(&self, thread: usize, inner: Reference) -> u32 {
        let owner = self.heap.header(inner).and_then(|header| header.owner());
        owner.map_or(0, |(owner, count)| if owner == thread { count } else { 0 })
    }

    /// Whether the latch of a call is one that a single count opens.
    fn is_single_count(&self, call: &JdkCall) -> bool {
        self.heap.header(call.subject).is_some_and(|header| header.has(SINGLE_COUNT))
    }

    /// How often a thread holds the read lock of a lock, and how often it is held at all.
    pub(crate) fn read_holds(&self, lock: Reference, thread: usize) -> (u32, u32) {
        let mut entries = self.read_holds.iter().rev().filter(|entry| entry.lock == lock);
        let Some(last) = entries.clone().next() else { return (0, 0) };
        let own = entries.find(|entry| entry.thread as usize == thread);
        (own.map_or(0, |entry| entry.holds), last.readers)
    }

    /// The threads that hold the read lock of a lock.
    pub(crate) fn readers(&self, lock: Reference) -> Vec<usize> {
        let threads = 0..self.thread_names.len();
        threads.filter(|thread| self.read_holds(lock, *thread).0 > 0).collect()
    }

    /// The threads in the queue of a lock or semaphore, in the order in which they have joined it.
    pub(crate) fn queue(&self, lock: Reference) -> SmallVec<[usize; 4]> {
        let mut queue = SmallVec::new();
        let mut entries =
            self.read_holds.iter().rev().filter(|entry| entry.lock == lock).peekable();
        let Some(last) = entries.peek() else { return queue };
        let waiting = last.waiting as usize;
        let mut met: SmallVec<[u32; 8]> = SmallVec::new();
        while queue.len() < waiting
            && let Some(entry) = entries.next()
        {
            if !met.contains(&entry.thread) {
                met.push(entry.thread);
                queue.extend(entry.waits.then_some(entry.thread as usize));
            }
        }
        queue.reverse();
        queue
    }

    /// Whether a thread is in the queue of a lock or semaphore.
    pub(crate) fn waits_in_queue(&self, thread: usize, lock: Reference) -> bool {
        !self.read_holds.is_empty() && self.queue(lock).contains(&thread)
    }

    /// Whether a thread is in any queue.
    pub(crate) fn waits_in_some_queue(&self, thread: usize) -> bool {
        let mut entries = self.read_holds.iter().rev();
        entries.find(|entry| entry.thread as usize == thread).is_some_and(|entry| entry.waits)
    }

    /// Lets a thread join or leave the queue of a lock or semaphore.
    pub(crate) fn change_place_in_queue(
        &mut self,
        thread: usize,
        lock: Reference,
        waits: bool,
    ) -> Result<(), Trap> {
        let (holds, readers) = self.read_holds(lock, thread);
        let waiting = self.queue(lock).len() as u32;
        let waiting = if waits { waiting + 1 } else { waiting - 1 };
        self.read_holds.push(ReadHold {
            lock,
            thread: thread as u32,
            holds,
            readers,
            waits,
            waiting,
        });
        let place = Reference(!lock.0.rotate_left(32));
        self.core_mut(thread)?.hold(place, if waits { 1 } else { -1 });
        Ok(())
    }

    /// Whether the inner object of a semaphore is that of a fair one.
    fn is_fair_semaphore(&self, inner: Reference) -> bool {
        let name = self.class_of(inner).map(|class| self.world.class_name(class));
        name.is_ok_and(|name| name.ends_with("$FairSync"))
    }

    fn change_read_holds(&mut self, thread: usize, lock: Reference, by: i32) -> Result<(), Trap> {
        let (holds, readers) = self.read_holds(lock, thread);
        let (holds, readers) = (holds.wrapping_add_signed(by), readers.wrapping_add_signed(by));
        if readers > 0xFFFF {
            return raise("java/lang/Error", "Maximum lock count exceeded");
        }
        let waiting = self.queue(lock).len() as u32;
        self.read_holds.push(ReadHold {
            lock,
            thread: thread as u32,
            holds,
            readers,
            waits: false,
            waiting,
        });
        let header = self.heap.header(lock).ok_or_else(bad_reference)?;
        let changed = if readers > 0 { header.with(READ_HELD) } else { header.without(READ_HELD) };
        if changed != header {
            self.set_lock_word(lock, changed)?;
        }
        self.core_mut(thread)?.hold(Reference(!lock.0), by);
        Ok(())
    }

    /// The permits or the count in the inner object of a semaphore or latch.
    fn count_of(&self, object: Reference) -> Result<i32, Trap> {
        Ok(self.load(object, self.state_word(object)?)? as i32)
    }

    fn set_count(&mut self, object: Reference, count: i32) -> Result<(), Trap> {
        let word = self.state_word(object)?;
        Ok(self.store(object, word, u64::from(count as u32))?)
    }

    /// The word that the JDK's synchronisers keep their number in.
    fn state_word(&self, object: Reference) -> Result<u32, Trap> {
        if let Some(word) = self.known.synchroniser_state.get() {
            return Ok(*word);
        }
        let word = self.field_word(self.class_of(object)?, "state")?;
        Ok(*self.known.synchroniser_state.get_or_init(|| word))
    }
}
