//! The operations that other threads can notice, as the machine names them.

use super::access::Ordering;
use super::files::FileAction;
use super::jdk_operation::JdkCall;
use super::variable::MemoryCell;
use crate::memory::Reference;

/// A place in memory: an object and the byte in it. A static field is a byte of its class's mirror, or
/// the word that holds it on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    pub(crate) object: Reference,
    pub(crate) offset: u32,
}

impl Address {
    /// The place of a variable.
    pub(crate) fn of(cell: MemoryCell) -> Address {
        Address { object: cell.object, offset: cell.offset }
    }

    /// The place that stands for an object as a call: its monitor.
    pub(crate) fn of_object(object: Reference) -> Address {
        Address { object, offset: 0 }
    }

    /// A number that does not depend on how the place is reached: segment, word and byte.
    pub(crate) fn flat(self) -> u64 {
        let word = u64::from(self.object.offset()) + u64::from(self.offset / 8);
        u64::from(self.object.segment()) << 36 | word << 3 | u64::from(self.offset % 8)
    }
}

/// An operation that other threads can notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisibleOperation {
    /// Reads a variable.
    Read {
        /// The variable.
        place: Address,
        /// How it orders others.
        ordering: Ordering,
    },
    /// Writes a variable.
    Write {
        /// The variable.
        place: Address,
        /// How it orders others.
        ordering: Ordering,
    },
    /// Reads and perhaps writes a variable at once.
    Update {
        /// The variable.
        place: Address,
        /// Whether it would be written now.
        writes: bool,
        /// How it orders others.
        ordering: Ordering,
    },
    /// Takes a monitor.
    Acquire {
        /// The object.
        object: Address,
    },
    /// Frees a monitor.
    Release {
        /// The object.
        object: Address,
    },
    /// Frees a lock and joins a wait set.
    Wait {
        /// The object or condition whose wait set it is.
        object: Address,
        /// The object whose monitor is the lock.
        lock: Address,
    },
    /// Takes the lock back after a wait, or gives up waiting because time has passed.
    Resume {
        /// The object or condition whose wait set it was.
        object: Address,
        /// The object whose monitor is the lock.
        lock: Address,
        /// Whether nobody has woken the thread: time has passed.
        timeout: bool,
    },
    /// Wakes waiting threads.
    Notify {
        /// The object.
        object: Address,
        /// Whether all are woken.
        all: bool,
        /// How many wait.
        waiting: u32,
        /// Whether they are woken in the order of waiting.
        in_order: bool,
        /// Whether it is for those who wait on a condition, not on the monitor of the object.
        is_signal: bool,
    },
    /// Asks who is in a wait set.
    AskWaiters {
        /// The condition.
        object: Address,
    },
    /// An operation of the JDK.
    Jdk {
        /// The call of it.
        call: JdkCall,
        /// Whether it would only give up waiting now, because time has passed.
        timeout: bool,
    },
    /// An operation on a `CompletableFuture` that never waits.
    Complete {
        /// The first of the variables that it touches.
        subject: Address,
    },
    /// An operation on files.
    Files {
        /// The first of the variables that it touches.
        subject: Address,
        /// What is done.
        action: FileAction,
    },
    /// Starts its next child.
    Start {
        /// The child's number among the thread's children.
        child: u32,
        /// Its `Thread`, if others can see it.
        object: Option<Address>,
    },
    /// Looks whether a thread has been started; if not, this is all that the call does.
    AskStarted {
        /// The `Thread`.
        object: Address,
        /// Whether it is to be interrupted, rather than asked or waited for.
        interrupts: bool,
    },
    /// Waits for a thread to end.
    Join {
        /// The thread.
        thread: usize,
        /// Whether it may stop waiting because time has passed.
        timed: bool,
    },
    /// Lets time pass, unless it is interrupted.
    Sleep,
    /// Asks whether a thread has ended.
    AskAlive {
        /// The thread.
        thread: usize,
    },
    /// Asks what a thread is doing.
    AskState {
        /// The thread.
        thread: usize,
    },
    /// Asks which threads there are.
    AskThreads,
    /// Asks what all threads are doing.
    AskStates,
    /// Ends.
    End,
    /// Waits for a permit.
    Park {
        /// Whether it would go on without a permit because time has passed.
        timeout: bool,
    },
    /// Gives a thread a permit.
    Unpark {
        /// The thread.
        thread: usize,
    },
    /// Interrupts a thread.
    Interrupt {
        /// The thread.
        thread: usize,
    },
    /// Asks whether a thread was interrupted.
    AskInterrupted {
        /// The thread.
        thread: usize,
        /// Whether the answer is forgotten.
        clear: bool,
    },
    /// Branches on an unknown.
    Branch,
    /// Initialises a class, or notices that another thread has done so.
    Initialize {
        /// The class's mirror.
        class: Address,
        /// Whether it is initialised already.
        done: bool,
    },
}

impl VisibleOperation {
    /// Whether the thread would only go on because time has passed.
    pub fn is_timeout(self) -> bool {
        matches!(
            self,
            VisibleOperation::Resume { timeout: true, .. }
                | VisibleOperation::Park { timeout: true }
                | VisibleOperation::Jdk { timeout: true, .. }
        )
    }
}

/// What a thread would do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextOperation {
    /// It can do this now.
    Ready(VisibleOperation),
    /// It would do this but has to wait.
    Blocked(VisibleOperation),
    /// It has ended or never started.
    Done,
}
