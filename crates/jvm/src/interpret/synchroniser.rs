//! Locks, semaphores and latches of `java.util.concurrent`: what their operations do.
//!
//! The JDK makes them from an integer and a queue. Here the inner object (`sync`) stands for the
//! synchroniser. An exclusive lock is the monitor of that object, which nobody else can lock; who reads
//! is in a journal of the machine and a flag of the object; permits and counts stay in the JDK's own
//! word. The rows are in `natives/lock.rs`, and how an operation is performed is in `jdk_operation.rs`.
//!
//! **Not modelled.** Who is in the queue, which some methods for monitoring tell.

use counterpoint_model::Mode;

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
    Guard { readiness, wants, ends_by_interrupt: true, occupies_worker }
}

pub(crate) static NOTHING: Guard = guard("", false, |_, _, _| Ok(Readiness::Succeeds));
pub(crate) static LOCK_FREE: Guard = guard("the lock of {}", false, exclusive_is_free);
pub(crate) static WRITE_LOCK_FREE: Guard = guard("the write lock of {}", false, exclusive_is_free);
pub(crate) static READ_LOCK_FREE: Guard =
    guard("the read lock of {}", false, |machine, thread, call| {
        let owner = machine.heap.header(call.subject).ok_or_else(bad_reference)?.owner();
        Ok(Readiness::of(owner.is_none_or(|(owner, _)| owner == thread)))
    });
pub(crate) static PERMITS_LEFT: Guard = guard("{permits} of {}", true, |machine, _, call| {
    Ok(Readiness::of(machine.count_of(call.subject)? >= call.amount))
});
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
        owner.map_or(0, |(owner, _)| owner as u64 + 1)
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

/// An entry of the journal of read locks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadHold {
    /// The inner object of the lock.
    lock: Reference,
    thread: u32,
    /// How often the thread holds the read lock from now on.
    holds: u32,
    /// How often it is held by all threads together.
    readers: u32,
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

    fn change_read_holds(&mut self, thread: usize, lock: Reference, by: i32) -> Result<(), Trap> {
        let (holds, readers) = self.read_holds(lock, thread);
        let (holds, readers) = (holds.wrapping_add_signed(by), readers.wrapping_add_signed(by));
        if readers > 0xFFFF {
            return raise("java/lang/Error", "Maximum lock count exceeded");
        }
        self.read_holds.push(ReadHold { lock, thread: thread as u32, holds, readers });
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
