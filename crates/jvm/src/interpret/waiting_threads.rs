//! What all threads are doing, and which of them wait for each other for ever: what management beans tell.
//!
//! **Problem.** `ThreadMXBean` looks at all threads at one moment: who is blocked, by which lock, and who has that lock. The
//! answer can change with every step of every thread.
//!
//! **Idea.** The look is one operation, like [`Thread.getState`](super::threads), about all threads instead of one. Its
//! footprint is that of such a question for each of them, and which threads there are (`run/footprint.rs`). A thread
//! waits for another if it stands before a lock that the other has. A cycle of such threads is what the real virtual
//! machine calls a deadlock: waiting for a notification, a permit or an end is no part of one.
//!
//! **Invariant.** An answer depends on nothing but the states of threads, who has the locks that they stand before, and which
//! threads there are.
//!
//! **Not modelled.** A `ThreadInfo`, with what a thread has on its stack and how often it had to wait, is refused
//! (`natives/management.rs`).

use super::operation::{NextOperation, VisibleOperation};
use super::threads::OperationResult;
use crate::machine::{Machine, Trap};
use crate::memory::{Reference, ThreadStatus};

type Performed = Result<OperationResult, Trap>;

/// Who has the lock that a thread stands before, and whether that is a monitor.
struct Blocked {
    owner: usize,
    is_monitor: bool,
}

impl Machine {
    /// The threads that have been started and have not ended, in the order of their starts.
    fn live_threads(&self) -> Vec<usize> {
        let mut live: Vec<(u32, usize)> = Vec::new();
        for (number, thread) in self.threads.list.iter().enumerate() {
            if let Some(thread) = thread
                && thread.core.status != ThreadStatus::Terminated
                && !thread.object.is_null()
            {
                live.push((thread.born, number));
            }
        }
        live.sort_unstable();
        live.into_iter().map(|(_, number)| number).collect()
    }

    /// What keeps a thread from going on, if that is a lock which another thread has.
    fn blocked_by_lock(&self, thread: usize) -> Result<Option<Blocked>, Trap> {
        let state = self.state_name(thread)?;
        if thread == self.current || !matches!(state, "BLOCKED" | "WAITING" | "TIMED_WAITING") {
            return Ok(None);
        }
        let lock = match self.next(thread)? {
            NextOperation::Blocked(VisibleOperation::Acquire { object }) => object.object,
            NextOperation::Blocked(VisibleOperation::Resume { lock, .. })
                if matches!(self.core(thread)?.status, ThreadStatus::Reacquiring { .. }) =>
            {
                lock.object
            }
            NextOperation::Blocked(VisibleOperation::Jdk { call, .. })
            | NextOperation::Ready(VisibleOperation::Jdk { call, .. })
                if call.operation.is_on_lock() =>
            {
                call.subject
            }
            _ => return Ok(None),
        };
        let owner = self.heap.header(lock).and_then(|header| header.owner());
        let other = owner.map(|owner| owner.0).filter(|owner| *owner != thread);
        Ok(other.map(|owner| Blocked { owner, is_monitor: state == "BLOCKED" }))
    }

    /// The threads on a cycle in which each waits for a lock that the next one has.
    fn deadlocked_threads(&self, monitors_only: bool) -> Result<Vec<usize>, Trap> {
        let live = self.live_threads();
        let mut next = vec![None; self.threads.list.len()];
        for &thread in &live {
            let blocked = self.blocked_by_lock(thread)?;
            let counts = blocked.filter(|blocked| blocked.is_monitor || !monitors_only);
            next[thread] = counts.map(|blocked| blocked.owner);
        }
        let comes_back = |thread: usize| {
            let path = std::iter::successors(next[thread], |at| next[*at]);
            path.take(live.len()).any(|at| at == thread)
        };
        Ok(live.iter().copied().filter(|thread| comes_back(*thread)).collect())
    }

    fn array_of_threads(&mut self, threads: &[usize]) -> Result<Reference, Trap> {
        let class = self.load_class("java/lang/Thread")?;
        let mut objects = Vec::new();
        for thread in threads {
            objects.push(self.thread_object(*thread)?);
        }
        self.reference_array(class, &objects)
    }

    /// An array of the threads that wait for each other; null if there are none.
    pub(super) fn find_deadlocked(&mut self, performs: bool, monitors_only: bool) -> Performed {
        if self.threads_can_notice() && !performs {
            return Ok(OperationResult::Stop);
        }
        let found = self.deadlocked_threads(monitors_only)?;
        let array = match found.as_slice() {
            [] => Reference::NULL,
            threads => self.array_of_threads(threads)?,
        };
        Ok(OperationResult::Done(Some(array.0)))
    }

    /// How many threads there are.
    pub(super) fn count_live(&mut self, performs: bool, daemons_only: bool) -> Performed {
        if self.threads_can_notice() && !performs {
            return Ok(OperationResult::Stop);
        }
        let mut count = 0;
        for thread in self.live_threads() {
            count += u64::from(!daemons_only || self.core(thread)?.daemon);
        }
        Ok(OperationResult::Done(Some(count)))
    }
}
