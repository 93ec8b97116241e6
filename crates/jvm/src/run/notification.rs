//! Whom a notification finds in the wait set.
//!
//! **Problem.** A thread that was interrupted, or whose time has passed, leaves the wait set by itself, and after that
//! takes its lock back. Somebody who holds the lock and notifies comes before that moment or after it. Before it, the
//! thread is notified: it returns as if it had been woken in time, or still interrupted. After it, the notification is for
//! somebody else or for nobody, and the thread says that its time has passed although what it waited for is so.
//!
//! **Idea.** The moment is no event of its own, since nobody but a notification can tell when it was. So it is a
//! notification that decides, as one of its alternatives, which of those that may have left have done so. An interrupt
//! leaves its thread among those that can be notified until a notification says that it has left, or until it has
//! its lock back.
//!
//! A notification of a condition goes to the one that has waited longest, so everybody before that one has left. One of a
//! monitor goes to anybody; nobody can tell whether the others have left, unless there is nobody to notify. What
//! `Object.wait` returns does not tell whether its time has passed, and a thread that was notified without need
//! waits no longer than one whose time passes, so such a thread counts as being there.
//!
//! **Invariant.** The alternatives depend on the wait set and on interrupts of those in it, which are in the
//! footprint of every notification. The first one is that nobody has left.
//!
//! **Cost.** Nothing for programs without interrupts and without conditions that are awaited for some time. For the
//! others one more alternative for each such thread at a notification, and twice as many at one of all.

use smallvec::{SmallVec, smallvec};

use counterpoint_model::Op;

use super::JavaRun;
use super::pending::PendingOperation;
use crate::memory::{ThreadStatus, WakeReason, Woken};

/// At most so many of those whom one notification wakes may have left by themselves. Nobody comes to the end of so many
/// alternatives, so that leaving out the others makes no result whole that is not.
const MOST: usize = 31;

impl JavaRun<'_> {
    /// The threads that a notification can be for, in the order of their arrival.
    pub(super) fn waiters(&self, pending: &PendingOperation) -> SmallVec<[usize; 4]> {
        let mut waiters = self.prepared().machine.notifiable(pending.object);
        waiters.sort_by_key(|waiter| self.pending[*waiter].wait_number);
        waiters
    }

    /// Why a thread in the wait set may have left it by itself, if it may.
    fn may_have_left(&self, waiter: usize) -> Option<WakeReason> {
        match self.prepared().machine.core(waiter).ok()?.status {
            ThreadStatus::Reacquiring { .. } => Some(WakeReason::LeftInterrupted),
            ThreadStatus::Waiting { object, lock, timed: true, .. }
                if object != lock && !self.pending[waiter].is_patient() =>
            {
                Some(WakeReason::TimedOut)
            }
            _ => None,
        }
    }

    /// How many alternatives a notification has.
    pub(super) fn notifications(&self, pending: &PendingOperation) -> u32 {
        let waiters = self.waiters(pending);
        let leaves = |waiter: &&usize| self.may_have_left(**waiter).is_some();
        let count = match pending.op {
            Op::Notify { all: true, .. } => 1 << waiters.iter().filter(leaves).count().min(MOST),
            _ if pending.in_order => 1 + waiters.iter().take_while(leaves).count(),
            _ => waiters.len().max(1) + usize::from(waiters.iter().all(|one| leaves(&one))),
        };
        if waiters.is_empty() { 1 } else { count as u32 }
    }

    /// What an alternative of a notification does to whom.
    pub(super) fn notification(&self, pending: &PendingOperation, alternative: u32) -> Woken {
        let waiters = self.waiters(pending);
        let chosen = alternative as usize;
        let leaves = |waiter: usize| self.may_have_left(waiter).map(|reason| (waiter, reason));
        let notified = waiters.get(chosen).map(|waiter| (*waiter, WakeReason::Notified));
        match pending.op {
            Op::Notify { all: true, .. } => {
                let mut number = 0;
                let woken = waiters.iter().map(|&waiter| {
                    let left = leaves(waiter).filter(|_| {
                        number += 1;
                        number <= MOST && alternative >> (number - 1) & 1 != 0
                    });
                    left.unwrap_or((waiter, WakeReason::Notified))
                });
                woken.collect()
            }
            _ if pending.in_order => {
                let left = waiters.iter().take(chosen).filter_map(|waiter| leaves(*waiter));
                left.chain(notified).collect()
            }
            _ => match notified {
                Some(notified) => smallvec![notified],
                None => waiters.iter().filter_map(|waiter| leaves(*waiter)).collect(),
            },
        }
    }

    /// Whom a notification may wake, whichever of its alternatives is taken.
    pub(super) fn may_be_woken(&self, pending: &PendingOperation) -> SmallVec<[usize; 4]> {
        let mut waiters = self.waiters(pending);
        if pending.in_order {
            waiters.truncate(self.notifications(pending) as usize);
        }
        waiters
    }
}
