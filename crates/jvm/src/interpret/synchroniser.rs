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
//! do not wait pass everybody, as in the JDK. One with a time limit joins only if limits expire late
//! (`run/patience.rs`): otherwise its own limit would end the waiting of those behind it. A thread that was signalled and
//! waits to get its write lock back joins like a writer that comes.
//!
//! **Writers join late.** Even then a writer joins only if one of those who read has come to an operation that may have to
//! wait, or to the end of its thread, since it has the read lock. That it has is in the journal until it frees the lock,
//! and coming there is a step of its own, which reads the location of the lock; joining writes it. *Argument.* Take any
//! execution in which writers join as soon as they like, up to a state in which nobody can move, and strike their
//! joining out. All other steps are still possible and find the same: others notice a queue only by waiting. A writer in
//! the queue does nothing else, so the same state is reached without the queue. There, every thread that reads is
//! blocked or has ended, hence it has come to an operation that may have to wait or to its end, so each writer that
//! was in a queue and waits for readers can join now, after everything else. If it waits for another writer, it makes no
//! difference, since readers wait for that one, too. An execution that ends well needs no queue. This holds
//! as long as nobody notices a queue other than by waiting for ever: a thread that waits for the read lock for some time
//! returns without it, and the state of a thread says that it waits. In programs that try locks with a time limit
//! or ask for states (`Options::notices_queues`), writers join whenever somebody reads. An interrupt that comes
//! while a reader is held up could as well have come before it looked for one. `tests/shapes.rs` compares both rules by
//! brute force, and the machine with that; with `--real-locks` there is no such rule.
//!
//! The same rule does not hold for semaphores. A read lock is freed by those who have it, so somebody who has it must
//! be stuck. Permits belong to nobody: three threads that only take and release permits, one of which releases more than
//! it took, are stuck if it stands behind one that needs several, though nobody stands at anything but the semaphore.
//!
//! **Stamped locks.** A thread that comes may pass the queue of a `StampedLock` or not, which the documentation leaves
//! open: in Java 8 and 11 it waits behind all others, in Java 17 it tries once and then does, which fails if another
//! thread changes the state of the lock at that moment or a writer has it. Passing a writer is
//! the same as coming before it. So the rules of readers and writers hold, but nobody may read twice. It is freed with a
//! stamp, which threads can hand on; the journal counts reading for the thread that took the stamp, and one that frees more
//! than it took leaves the journal too high, never too low. What was taken before others could reach the lock is
//! in no journal; then writers join at once. So where nobody can move and somebody reads, some thread that is in the
//! journal is blocked or has ended, which is all that the argument needs.
//!
//! **Not modelled.** Who else is in the queue, which some methods for monitoring tell; that a thread that was signalled is
//! in the queue from then on, so that readers that come later do not pass it.

use counterpoint_model::Mode;
use smallvec::SmallVec;

use super::jdk_operation::{
    Guard, JdkCall, JdkStep, ObservedState, Readiness, Subject, SubjectPlace,
};
use super::threads::OperationResult;
use crate::error::Fault;
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
    queues: |machine, _, call| machine.writers_queue(call.subject),
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
        machine.with_queue(call.subject, owner.map_or(0, |(owner, _)| owner as u64 + 1))
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
    |machine, call| {
        let count = machine.count_of(call.subject).map_or(0, |count| u64::from(count as u32));
        machine.with_queue(call.subject, count)
    },
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
        0 => Err(Trap::raise("java/lang/IllegalMonitorStateException", None)),
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
        ..0 => Err(Trap::raise("java/lang/IllegalArgumentException", None)),
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

/// An entry of the journal of read locks and queues: what holds from now on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadHold {
    /// The inner object of the lock.
    lock: Reference,
    thread: u32,
    /// How often the thread holds the read lock.
    holds: u32,
    /// Whether it has come to an operation that may have to wait since it has it.
    may_wait: bool,
    /// How often the read lock is held by all threads together.
    readers: u32,
    /// How many of those who hold it have come to such an operation.
    waiting_readers: u32,
    /// Whether the thread is in the queue.
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

    /// What the journal says of a lock and a thread.
    fn last_entry(&self, lock: Reference, thread: usize) -> ReadHold {
        let mut entries = self.read_holds.iter().rev().filter(|entry| entry.lock == lock);
        let last = entries.clone().next();
        let own = entries.find(|entry| entry.thread as usize == thread);
        ReadHold {
            lock,
            thread: thread as u32,
            holds: own.map_or(0, |own| own.holds),
            may_wait: own.is_some_and(|own| own.may_wait),
            waits: own.is_some_and(|own| own.waits),
            readers: last.map_or(0, |last| last.readers),
            waiting_readers: last.map_or(0, |last| last.waiting_readers),
            waiting: last.map_or(0, |last| last.waiting),
        }
    }

    /// How often a thread holds the read lock of a lock, and how often it is held at all.
    pub(crate) fn read_holds(&self, lock: Reference, thread: usize) -> (u32, u32) {
        let entry = self.last_entry(lock, thread);
        (entry.holds, entry.readers)
    }

    /// Whether writers have places in the queue of a `StampedLock` that others can notice.
    pub(crate) fn stamped_writers_queue(&self, lock: Reference) -> bool {
        let readers = self.stamped_readers(lock);
        let noted = self.read_holds.iter().rev().find(|entry| entry.lock == lock);
        let (noted, waiting) = noted.map_or((0, 0), |it| (it.readers, it.waiting_readers));
        readers > 0 && (waiting > 0 || noted < readers || self.options.notices_queues)
    }

    /// Whether writers have places in the queue of a lock that others can notice.
    pub(crate) fn writers_queue(&self, lock: Reference) -> bool {
        let last = self.read_holds.iter().rev().find(|entry| entry.lock == lock);
        last.is_some_and(|last| {
            last.readers > 0 && (last.waiting_readers > 0 || self.options.notices_queues)
        })
    }

    /// The locks that a thread has the read lock of without having come to an operation that may have to wait; none if
    /// nobody needs to know.
    #[inline]
    pub(crate) fn busy_reading(&self, thread: usize) -> SmallVec<[Reference; 2]> {
        match self.read_holds.is_empty() {
            true => SmallVec::new(),
            false => self.find_busy_reading(thread),
        }
    }

    #[inline(never)]
    fn find_busy_reading(&self, thread: usize) -> SmallVec<[Reference; 2]> {
        let (mut busy, mut met) = (SmallVec::new(), SmallVec::<[Reference; 4]>::new());
        let holds_any = self.core(thread).is_ok_and(|core| core.held != 0);
        if self.options.notices_queues || !holds_any {
            return busy;
        }
        for entry in self.read_holds.iter().rev().filter(|entry| entry.thread as usize == thread) {
            if !met.contains(&entry.lock) {
                met.push(entry.lock);
                busy.extend((entry.holds > 0 && !entry.may_wait).then_some(entry.lock));
            }
        }
        busy
    }

    /// A thread has come to an operation that may have to wait, or to its end.
    pub(crate) fn stop_while_reading(&mut self, thread: usize) -> Result<(), Fault> {
        for lock in self.busy_reading(thread) {
            let entry = self.last_entry(lock, thread);
            let waiting_readers = entry.waiting_readers + 1;
            self.read_holds.push(ReadHold { may_wait: true, waiting_readers, ..entry });
            self.core_mut(thread)?.hold(Reference(!lock.0.rotate_left(16)), 1);
        }
        Ok(())
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

    /// A number for the state of a lock or semaphore and for who is in its queue.
    pub(crate) fn with_queue(&self, lock: Reference, state: u64) -> u64 {
        let queue = self.queue(lock);
        queue.iter().fold(state, |state, waiting| state.rotate_left(16) ^ (*waiting as u64 + 1))
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
        let entry = self.last_entry(lock, thread);
        let waiting = if waits { entry.waiting + 1 } else { entry.waiting - 1 };
        self.read_holds.push(ReadHold { waits, waiting, ..entry });
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
        let readers = self.last_entry(lock, thread).readers.wrapping_add_signed(by);
        if readers > 0xFFFF {
            return raise("java/lang/Error", "Maximum lock count exceeded");
        }
        self.count_read_holds(thread, lock, by)?;
        let header = self.heap.header(lock).ok_or_else(bad_reference)?;
        let changed = if readers > 0 { header.with(READ_HELD) } else { header.without(READ_HELD) };
        if changed != header {
            self.set_lock_word(lock, changed)?;
        }
        Ok(())
    }

    /// Notes that a thread has a read lock so many times more, or less.
    fn count_read_holds(&mut self, thread: usize, lock: Reference, by: i32) -> Result<(), Fault> {
        let mut entry = self.last_entry(lock, thread);
        entry.holds = entry.holds.wrapping_add_signed(by);
        entry.readers = entry.readers.wrapping_add_signed(by);
        let forgets = entry.holds == 0 && entry.may_wait;
        if forgets {
            (entry.may_wait, entry.waiting_readers) = (false, entry.waiting_readers - 1);
        }
        self.read_holds.push(entry);
        let core = self.core_mut(thread)?;
        core.hold(Reference(!lock.0), by);
        if forgets {
            core.hold(Reference(!lock.0.rotate_left(16)), -1);
        }
        Ok(())
    }

    /// Notes that a step of a thread has changed how many read with a `StampedLock`.
    pub(crate) fn note_stamped_readers(
        &mut self,
        thread: usize,
        lock: Reference,
        before: u32,
    ) -> Result<(), Fault> {
        let change = self.stamped_readers(lock).wrapping_sub(before) as i32;
        let noted = self.last_entry(lock, thread).holds as i32;
        match change.max(-noted) {
            0 => Ok(()),
            change => self.count_read_holds(thread, lock, change),
        }
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
        Ok(self.field_word(self.class_of(object)?, "state")?)
    }
}
