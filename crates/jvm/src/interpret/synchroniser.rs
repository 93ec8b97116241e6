//! Locks, semaphores and latches of `java.util.concurrent` as one visible operation per call.
//!
//! **Problem.** The JDK makes them from an integer and a queue, and a thread that takes one performs
//! a dozen visible operations on both. A program cannot tell how they are made, so exploring the
//! insides multiplies executions for nothing.
//!
//! **Idea.** The inner object (`sync`) stands for the synchroniser. An exclusive lock is the monitor
//! of that object, which nobody else can lock; who reads is in a journal of the machine and a flag of
//! the object; permits and counts stay in the JDK's own word. An operation is possible or not
//! according to that state, and there is no queue: a thread that has to wait just cannot move. Since
//! nobody sees when a thread joins a queue, every order in which waiting threads get a synchroniser
//! is one that the JDK's queue, fair or not, can produce.
//!
//! A time limit makes an operation possible at any time: it fails if it is too early, and having
//! waited is to happen later. An operation that can be interrupted is two events: the first looks for
//! an interrupt, and the second is performed, or finds an interrupt if it would have to wait. So an
//! interrupt in between may be too late, as in the JDK's own code.
//!
//! **Invariant.** Whether an operation is possible depends on the state of its inner object and, if
//! it can be interrupted, on its own thread's interrupt; nothing else.
//!
//! **Not modelled.** Who is in the queue, which some methods for monitoring tell.

use super::operation::{Address, NextOperation, VisibleOperation};
use super::threads::OperationResult;
use crate::error::Fault;
use crate::machine::{Machine, Trap, bad_reference, raise};
use crate::memory::{OBJECT_HEADER_WORDS, READ_HELD, Reference, SINGLE_COUNT};

/// How long an operation that is not possible waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitPolicy {
    /// Until it is possible.
    Unlimited,
    /// Until it is possible or the thread is interrupted.
    Interruptible,
    /// The same, or time has passed.
    Timed,
    /// Not at all.
    NoWait,
}

/// An operation on a synchroniser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Synchronise {
    /// Takes a `ReentrantLock`.
    Lock(WaitPolicy),
    /// Asks whether somebody has a `ReentrantLock`.
    IsLocked,
    /// Asks who has a `ReentrantLock`, or a write lock.
    Owner,
    /// Takes the write lock of a `ReentrantReadWriteLock`.
    WriteLock(WaitPolicy),
    /// Frees it.
    WriteUnlock,
    /// Takes the read lock of a `ReentrantReadWriteLock`.
    ReadLock(WaitPolicy),
    /// Frees it.
    ReadUnlock,
    /// Asks whether somebody has the write lock.
    IsWriteLocked,
    /// Asks how many read locks are held.
    ReadLocks,
    /// Asks how many locks of both sorts are held.
    AllLocks,
    /// Takes permits of a `Semaphore`.
    Acquire(WaitPolicy),
    /// Gives permits back.
    Release,
    /// Takes all permits there are.
    Drain,
    /// Takes permits away, below zero if need be.
    Reduce,
    /// Asks how many permits there are.
    Permits,
    /// Counts a `CountDownLatch` down.
    CountDown,
    /// Waits until a `CountDownLatch` is at zero.
    Pass(WaitPolicy),
    /// Asks for the count of a `CountDownLatch`.
    Count,
}

/// What comes of an operation if it is performed now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    /// It succeeds.
    Succeeds,
    /// The thread learns that it was interrupted.
    Interrupted,
    /// It fails, since it cannot wait or has waited long enough.
    Fails,
    /// It cannot be performed.
    Blocked,
}

/// How others are concerned by an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SharingMode {
    /// Such operations of several threads can be swapped.
    Shared,
    /// They cannot.
    Exclusive,
    /// They take a lock that is then freed.
    Lock,
}

impl Synchronise {
    /// How long it waits.
    pub(crate) fn wait_policy(self) -> WaitPolicy {
        match self {
            Synchronise::Lock(wait_policy)
            | Synchronise::WriteLock(wait_policy)
            | Synchronise::ReadLock(wait_policy)
            | Synchronise::Acquire(wait_policy)
            | Synchronise::Pass(wait_policy) => wait_policy,
            _ => WaitPolicy::NoWait,
        }
    }

    /// Whether it may have to wait.
    pub(crate) fn blocks(self) -> bool {
        matches!(self.wait_policy(), WaitPolicy::Unlimited | WaitPolicy::Interruptible)
    }

    /// Whether what a thread did before it happens before what others do who get something from the
    /// synchroniser later. The documentation promises it of those that give, and of no other.
    pub(crate) fn publishes(self) -> bool {
        matches!(
            self,
            Synchronise::WriteUnlock
                | Synchronise::ReadUnlock
                | Synchronise::Release
                | Synchronise::CountDown
        )
    }

    /// Whether an interrupt matters to it.
    pub(crate) fn is_interruptible(self) -> bool {
        matches!(self.wait_policy(), WaitPolicy::Interruptible | WaitPolicy::Timed)
    }

    /// Whether its receiver is the inner object itself.
    fn is_on_inner_object(self) -> bool {
        matches!(
            self,
            Synchronise::Owner
                | Synchronise::IsWriteLocked
                | Synchronise::ReadLocks
                | Synchronise::AllLocks
                | Synchronise::Drain
                | Synchronise::Reduce
                | Synchronise::Permits
                | Synchronise::Count
        )
    }

    /// The value that says success, for operations that may fail.
    fn success(self) -> Option<u64> {
        matches!(self.wait_policy(), WaitPolicy::Timed | WaitPolicy::NoWait).then_some(1)
    }
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
    /// The inner object of a synchroniser; none if its own code is to run.
    pub(crate) fn inner_object(
        &self,
        receiver: Reference,
        operation: Synchronise,
    ) -> Result<Option<Reference>, Trap> {
        if self.options.real_locks {
            return Ok(None);
        }
        if operation.is_on_inner_object() {
            return Ok(Some(receiver));
        }
        // The first field of all these classes, which no subclass can move.
        Ok(self.load_reference(receiver, OBJECT_HEADER_WORDS)?.non_null())
    }

    /// Performs an operation on a synchroniser, or says that the thread must stop before it.
    pub(crate) fn synchronise(
        &mut self,
        thread: usize,
        operation: Synchronise,
        arguments: &[u64],
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        let Some(object) = self.inner_object(receiver(arguments), operation)? else {
            return Ok(OperationResult::Decline);
        };
        let amount = amount(operation, arguments);
        self.check_use(thread, operation, object, amount)?;
        let header = self.heap.header(object).ok_or_else(bad_reference)?;
        let readiness = self.readiness(thread, operation, object, amount)?;
        let noticed = self.is_visible_access(thread, header)
            && !self.holds_already(thread, operation, object);
        if operation.is_interruptible()
            && let Some(outcome) = self.check_interrupt(thread, perform)?
        {
            return Ok(outcome);
        }
        if readiness == Readiness::Blocked && self.machine_calls > 0 {
            let what = "a lock that another thread has is needed by an initialiser of the JDK";
            return Err(Fault::unsupported(what).into());
        }
        if readiness == Readiness::Blocked || noticed && !perform {
            return Ok(OperationResult::Stop);
        }
        if operation.is_interruptible() {
            self.core_mut(thread)?.checked = false;
        }
        match readiness {
            Readiness::Interrupted => {
                self.core_mut(thread)?.interrupted = false;
                Err(Trap::Raise("java/lang/InterruptedException", None))
            }
            Readiness::Fails => {
                if operation.wait_policy() == WaitPolicy::Timed {
                    self.let_time_pass(thread, arguments)?;
                }
                Ok(OperationResult::Done(Some(0)))
            }
            _ => self.succeed(thread, operation, object, amount).map(OperationResult::Done),
        }
    }

    /// The first half of a call that can be interrupted: it throws if the thread is interrupted already.
    /// None if that has been done, and the second half is to be performed.
    pub(crate) fn check_interrupt(
        &mut self,
        thread: usize,
        perform: bool,
    ) -> Result<Option<OperationResult>, Trap> {
        let heard = self.can_be_seen(thread);
        let core = self.core(thread)?;
        // Inside an atomic call it is too late.
        if core.checked || core.hidden.is_inside() {
            return Ok(None);
        }
        if heard && !perform {
            return Ok(Some(OperationResult::Stop));
        }
        if core.interrupted {
            self.core_mut(thread)?.interrupted = false;
            return Err(Trap::Raise("java/lang/InterruptedException", None));
        }
        if !heard {
            return Ok(None);
        }
        self.core_mut(thread)?.checked = true;
        Ok(Some(OperationResult::Stop))
    }

    /// What a thread stands before that is at the first half of a call that can be interrupted.
    pub(crate) fn pending_interrupt_check(
        &self,
        thread: usize,
    ) -> Result<Option<NextOperation>, Trap> {
        let looks = !self.core(thread)?.checked && self.can_be_seen(thread);
        let operation = VisibleOperation::AskInterrupted { thread, clear: true };
        Ok(looks.then_some(NextOperation::Ready(operation)))
    }

    /// What a thread stands before that has stopped before an operation on a synchroniser.
    pub(crate) fn pending_synchronise(
        &self,
        thread: usize,
        operation: Synchronise,
        arguments: &[u64],
    ) -> Result<NextOperation, Trap> {
        let Some(object) = self.inner_object(receiver(arguments), operation)? else {
            return Err(Fault::internal("a thread stopped before a real synchroniser").into());
        };
        if operation.is_interruptible()
            && let Some(next) = self.pending_interrupt_check(thread)?
        {
            return Ok(next);
        }
        let amount = amount(operation, arguments);
        let readiness = self.readiness(thread, operation, object, amount)?;
        let object = Address::of_object(object);
        let next = VisibleOperation::Synchronise { object, operation, amount };
        Ok(match readiness {
            Readiness::Blocked => NextOperation::Blocked(next),
            _ => NextOperation::Ready(next),
        })
    }

    /// What would come of an operation now.
    pub(crate) fn readiness(
        &self,
        thread: usize,
        operation: Synchronise,
        object: Reference,
        amount: i32,
    ) -> Result<Readiness, Trap> {
        let interrupted = operation.is_interruptible() && self.core(thread)?.interrupted;
        let header = self.heap.header(object).ok_or_else(bad_reference)?;
        let possible = match operation {
            Synchronise::Lock(_) | Synchronise::WriteLock(_) => header.is_free_for(thread),
            Synchronise::ReadLock(_) => header.owner().is_none_or(|(owner, _)| owner == thread),
            Synchronise::Acquire(_) => self.count_of(object)? >= amount,
            Synchronise::Pass(_) => self.count_of(object)? == 0,
            _ => true,
        };
        Ok(match operation.wait_policy() {
            _ if possible => Readiness::Succeeds,
            _ if interrupted => Readiness::Interrupted,
            WaitPolicy::Unlimited | WaitPolicy::Interruptible => Readiness::Blocked,
            WaitPolicy::Timed | WaitPolicy::NoWait => Readiness::Fails,
        })
    }

    /// How others are concerned by an operation with this readiness.
    pub(crate) fn sharing_mode(
        &self,
        operation: Synchronise,
        object: Reference,
        readiness: Readiness,
    ) -> SharingMode {
        // Counting a latch down can be swapped with counting it down, and passing it with passing it,
        // but not the one with the other. One of the two is shared: the one of which there are many.
        let gate = self.heap.header(object).is_some_and(|header| header.has(SINGLE_COUNT));
        let shared = match operation {
            Synchronise::Lock(_) if readiness == Readiness::Succeeds => return SharingMode::Lock,
            Synchronise::Lock(_) | Synchronise::Acquire(_) => readiness != Readiness::Succeeds,
            // Not getting the write lock cannot be swapped with a reader's leaving.
            Synchronise::WriteLock(_) => false,
            Synchronise::ReadLock(_)
            | Synchronise::ReadUnlock
            | Synchronise::IsLocked
            | Synchronise::Owner
            | Synchronise::IsWriteLocked
            | Synchronise::Permits => true,
            Synchronise::WriteUnlock
            | Synchronise::ReadLocks
            | Synchronise::AllLocks
            | Synchronise::Release
            | Synchronise::Drain
            | Synchronise::Reduce => false,
            Synchronise::CountDown => !gate,
            Synchronise::Pass(_) | Synchronise::Count => gate,
        };
        if shared { SharingMode::Shared } else { SharingMode::Exclusive }
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

    /// Exceptions that the state of others has nothing to do with.
    fn check_use(
        &self,
        thread: usize,
        operation: Synchronise,
        object: Reference,
        amount: i32,
    ) -> Result<(), Trap> {
        let owns = || {
            let header = self.heap.header(object);
            header.and_then(|header| header.owner()).is_some_and(|held| held.0 == thread)
        };
        match operation {
            Synchronise::WriteUnlock if !owns() => {
                Err(Trap::Raise("java/lang/IllegalMonitorStateException", None))
            }
            Synchronise::ReadUnlock if self.read_holds(object, thread).0 == 0 => raise(
                "java/lang/IllegalMonitorStateException",
                "attempt to unlock read lock, not locked by current thread",
            ),
            Synchronise::Acquire(_) | Synchronise::Release | Synchronise::Reduce if amount < 0 => {
                Err(Trap::Raise("java/lang/IllegalArgumentException", None))
            }
            _ => Ok(()),
        }
    }

    /// Whether an operation only counts how often the thread holds what it holds already.
    fn holds_already(&self, thread: usize, operation: Synchronise, object: Reference) -> bool {
        let writes = || {
            let owner = self.heap.header(object).and_then(|header| header.owner());
            owner.map_or(0, |(owner, count)| if owner == thread { count } else { 0 })
        };
        match operation {
            Synchronise::WriteLock(_) if !operation.is_interruptible() => writes() > 0,
            Synchronise::WriteUnlock => writes() > 1,
            Synchronise::ReadLock(_) if !operation.is_interruptible() => {
                self.read_holds(object, thread).0 > 0
            }
            Synchronise::ReadUnlock => self.read_holds(object, thread).0 > 1,
            _ => false,
        }
    }

    fn succeed(
        &mut self,
        thread: usize,
        operation: Synchronise,
        object: Reference,
        amount: i32,
    ) -> Result<Option<u64>, Trap> {
        let int = |value: i32| Ok(Some(u64::from(value as u32)));
        let header = self.heap.header(object).ok_or_else(bad_reference)?;
        match operation {
            Synchronise::Lock(_) | Synchronise::WriteLock(_) => {
                self.lock(thread, object, true)?;
                Ok(operation.success())
            }
            Synchronise::WriteUnlock => {
                self.unlock(thread, object, true)?;
                Ok(None)
            }
            Synchronise::ReadLock(_) => {
                self.change_read_holds(thread, object, 1)?;
                Ok(operation.success())
            }
            Synchronise::ReadUnlock => {
                self.change_read_holds(thread, object, -1)?;
                Ok(None)
            }
            Synchronise::IsLocked | Synchronise::IsWriteLocked => {
                int(i32::from(header.owner().is_some()))
            }
            Synchronise::Owner => match header.owner() {
                Some((owner, _)) => Ok(Some(self.core(owner)?.object.0)),
                None => Ok(Some(0)),
            },
            Synchronise::ReadLocks => int(self.read_holds(object, thread).1 as i32),
            Synchronise::AllLocks => {
                let writes = header.owner().map_or(0, |(_, count)| count);
                int((self.read_holds(object, thread).1 << 16 | writes) as i32)
            }
            Synchronise::Acquire(_) => {
                self.set_count(object, self.count_of(object)? - amount)?;
                Ok(operation.success())
            }
            Synchronise::Release => {
                let Some(permits) = self.count_of(object)?.checked_add(amount) else {
                    return raise("java/lang/Error", "Maximum permit count exceeded");
                };
                self.set_count(object, permits)?;
                Ok(None)
            }
            Synchronise::Drain => {
                let permits = self.count_of(object)?;
                self.set_count(object, 0)?;
                int(permits)
            }
            Synchronise::Reduce => {
                let Some(permits) = self.count_of(object)?.checked_sub(amount) else {
                    return raise("java/lang/Error", "Permit count underflow");
                };
                self.set_count(object, permits)?;
                Ok(None)
            }
            Synchronise::CountDown => {
                let count = self.count_of(object)?;
                if count > 0 {
                    self.set_count(object, count - 1)?;
                }
                Ok(None)
            }
            Synchronise::Pass(_) => Ok(operation.success()),
            Synchronise::Permits | Synchronise::Count => int(self.count_of(object)?),
        }
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

    /// The number in the inner object of a semaphore or latch, as a word.
    pub(crate) fn number_of(&self, object: Reference) -> u64 {
        self.count_of(object).map_or(0, |count| u64::from(count as u32))
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

fn receiver(arguments: &[u64]) -> Reference {
    arguments.first().map_or(Reference::NULL, |word| Reference(*word))
}

/// How many permits an operation is about: what its first `int` parameter says, or one.
fn amount(operation: Synchronise, arguments: &[u64]) -> i32 {
    let first = || arguments.get(1).map_or(1, |word| *word as i32);
    match (operation, arguments.len()) {
        // A time limit is two words: the time and its unit.
        (Synchronise::Acquire(WaitPolicy::Timed), 3) => 1,
        (Synchronise::Acquire(_) | Synchronise::Release | Synchronise::Reduce, _) => first(),
        _ => 1,
    }
}
