//! Who has left a wait set by itself when somebody notifies or interrupts.
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
//! An interrupt decides in the same way whether its thread has left because its time has passed. Then the thread
//! returns still interrupted, and sees what the one who interrupts it does before freeing the lock.
//!
//! One that comes between a notification and the moment at which the thread has its lock back does not end the wait:
//! the thread returns still interrupted. In `Object.wait`, whose time may have passed before the notification, it may
//! end it all the same. The notification was for nobody then, and the virtual machine looks for an interrupt when it has
//! the monitor back (`ObjectMonitor::wait`). So a notification notes of such a thread that it may have left, if it was
//! for nobody else, and the interrupt decides. A condition looks for interrupts before it takes its lock back
//! (`AbstractQueuedSynchronizer`), so that a thread whose time had passed returns still interrupted.
//!
//! For the same reason, a thread that waits on a condition and is interrupted twice may have noticed and forgotten the
//! first interrupt when the second one comes. Then its wait ends by an exception, and it is interrupted after that.
//!
//! Time passes as well after a thread was notified, until it has its lock back. `awaitNanos` says then that no time is
//! left, though the notification was for this thread and not for one that has waited less long. So that is one more
//! alternative of a notification, if somebody else waits, whether or not the thread was interrupted before.
//!
//! **Invariant.** The alternatives depend on the wait set and on interrupts of those in it, which are in the
//! footprint of every notification and of every interrupt of somebody in it. The first one is that nobody has left.
//!
//! **Cost.** Nothing for programs without interrupts and without conditions that are awaited for some time. For the
//! others one more alternative for each such thread at a notification or interrupt, and twice as many at a notification
//! of all.
//!
//! **Not modelled.** An interrupt that the library sends inside of an atomic call, such as by `shutdownNow`, finds its
//! thread in the wait set. So does the end of a thread on whose `Thread` somebody waits (`interpret/ending.rs`).

use smallvec::{SmallVec, smallvec};

use counterpoint_model::Op;

use super::JavaRun;
use super::pending::{PendingKind, PendingOperation};
use crate::classfile::Type;
use crate::memory::{ThreadStatus, WakeReason, Woken};

/// At most so many of those whom one notification wakes may have left by themselves. Nobody comes to the end of so many
/// alternatives, so that leaving out the others makes no result whole that is not.
const MOST: usize = 31;

impl JavaRun<'_> {
    /// The threads that a notification can be for, in the order of their arrival.
    pub(super) fn waiters(&self, pending: &PendingOperation) -> SmallVec<[usize; 4]> {
        let mut waiters = self.prepared().machine.notifiable(pending.wait_set());
        waiters.sort_by_key(|waiter| self.pending[*waiter].wait_number);
        waiters
    }

    /// Why a thread in the wait set may have left it by itself, if it may.
    fn may_have_left(&self, waiter: usize) -> Option<WakeReason> {
        match self.prepared().machine.core(waiter).ok()?.status {
            ThreadStatus::Reacquiring { .. } => Some(WakeReason::LeftInterrupted),
            ThreadStatus::Waiting { object, lock, .. } if object != lock => {
                self.may_have_timed_out(waiter).then_some(WakeReason::TimedOut)
            }
            _ => None,
        }
    }

    /// Whether a thread in a wait set may have left it because its time has passed.
    fn may_have_timed_out(&self, waiter: usize) -> bool {
        let status = self.prepared().machine.core(waiter).map(|core| core.status);
        matches!(status, Ok(ThreadStatus::Waiting { timed: true, .. }))
            && !self.pending[waiter].is_patient()
    }

    /// How many alternatives an interrupt has.
    pub(super) fn interrupts(&self, pending: &PendingOperation) -> u32 {
        1 + u32::from(self.left_for_interrupt(pending.target as usize).is_some())
    }

    /// Why a thread stops waiting if it has left the wait set by itself when an interrupt comes, and if that makes a
    /// difference.
    fn left_for_interrupt(&self, target: usize) -> Option<WakeReason> {
        match self.prepared().machine.core(target).ok()?.status {
            ThreadStatus::Waiting { interruptible: true, .. } => {
                self.may_have_timed_out(target).then_some(WakeReason::TimedOut)
            }
            ThreadStatus::Reacquiring { reason: WakeReason::NotifiedUnlessLate, .. } => {
                Some(WakeReason::LeftInterrupted)
            }
            ThreadStatus::Reacquiring {
                object,
                lock,
                reason: WakeReason::Interrupted | WakeReason::LeftInterrupted,
                ..
            } if object != lock => Some(WakeReason::InterruptedAgain),
            _ => None,
        }
    }

    /// What an alternative of an interrupt finds of a thread that waits or has waited, unless it has not left.
    pub(super) fn left_before_interrupt(
        &self,
        pending: &PendingOperation,
        alternative: u32,
    ) -> Option<Woken> {
        let target = pending.target as usize;
        let left = pending.kind == PendingKind::Interrupt && alternative > 0;
        let reason = if left { self.left_for_interrupt(target) } else { None };
        reason.map(|reason| smallvec![(target, reason)])
    }

    /// Whether an interrupt changes how the wait of its thread ends, and whether it changes who is in the wait set.
    pub(super) fn interrupt_changes(&self, target: usize) -> (bool, bool) {
        match self.prepared().machine.core(target).map(|core| core.status) {
            Ok(ThreadStatus::Waiting { interruptible: true, .. }) => (true, true),
            Ok(ThreadStatus::Reacquiring { reason, .. }) => {
                let changes = self.left_for_interrupt(target).is_some();
                (changes, changes && reason == WakeReason::Interrupted)
            }
            _ => (false, false),
        }
    }

    /// How a thread is notified for which a notification may be.
    fn notified(
        &self,
        pending: &PendingOperation,
        waiters: &[usize],
        waiter: usize,
    ) -> (usize, WakeReason) {
        let status = self.prepared().machine.core(waiter).map(|core| core.status);
        let on_monitor =
            matches!(status, Ok(ThreadStatus::Waiting { object, lock, .. }) if object == lock);
        let all = matches!(pending.op, Op::Notify { all: true, .. });
        let has_gone =
            |other: usize| self.may_have_left(other).is_some() || self.may_have_timed_out(other);
        let unless_late = on_monitor
            && self.program.queries().interrupts
            && self.may_have_timed_out(waiter)
            && (all || waiters.iter().all(|other| has_gone(*other)));
        let reason =
            if unless_late { WakeReason::NotifiedUnlessLate } else { WakeReason::Notified };
        (waiter, reason)
    }

    /// The places in the queue of a condition of those who may be notified, be told that no time is left, and so keep
    /// the notification from somebody else.
    fn notified_late<'a>(&'a self, waiters: &'a [usize]) -> impl Iterator<Item = usize> + 'a {
        let machine = &self.prepared().machine;
        let tells_time = |waiter: usize| {
            let call = machine.present_call(waiter).ok().flatten();
            call.is_some_and(|call| machine.world.method(call).types.result == Some(Type::Long))
        };
        let others = waiters.len().saturating_sub(1);
        let reached = waiters.iter().take_while(|waiter| self.may_have_left(**waiter).is_some());
        reached
            .enumerate()
            .take(others)
            .filter(move |(_, waiter)| !self.pending[**waiter].is_patient() && tells_time(**waiter))
            .map(|(place, _)| place)
    }

    /// How many alternatives a notification has.
    pub(super) fn notifications(&self, pending: &PendingOperation) -> u32 {
        let waiters = self.waiters(pending);
        let leaves = |waiter: &&usize| self.may_have_left(**waiter).is_some();
        let count = match pending.op {
            Op::Notify { all: true, .. } => 1 << waiters.iter().filter(leaves).count().min(MOST),
            _ if pending.in_order => {
                let left = waiters.iter().take_while(leaves).count();
                1 + left + self.notified_late(&waiters).count()
            }
            _ => waiters.len().max(1) + usize::from(waiters.iter().all(|one| leaves(&one))),
        };
        if waiters.is_empty() { 1 } else { count as u32 }
    }

    /// What an alternative of a notification does to whom.
    pub(super) fn notification(&self, pending: &PendingOperation, alternative: u32) -> Woken {
        let waiters = self.waiters(pending);
        let chosen = alternative as usize;
        let leaves = |waiter: usize| self.may_have_left(waiter).map(|reason| (waiter, reason));
        let notified = |waiter: usize| self.notified(pending, &waiters, waiter);
        match pending.op {
            Op::Notify { all: true, .. } => {
                let mut number = 0;
                let woken = waiters.iter().map(|&waiter| {
                    let left = leaves(waiter).filter(|_| {
                        number += 1;
                        number <= MOST && alternative >> (number - 1) & 1 != 0
                    });
                    left.unwrap_or_else(|| notified(waiter))
                });
                woken.collect()
            }
            _ if pending.in_order => {
                let leaving =
                    waiters.iter().take_while(|waiter| leaves(**waiter).is_some()).count();
                let (place, reason) = match chosen.checked_sub(leaving + 1) {
                    None => (chosen, WakeReason::Notified),
                    Some(late) => {
                        let place = self.notified_late(&waiters).nth(late);
                        (place.unwrap_or(leaving), WakeReason::NotifiedLate)
                    }
                };
                let left = waiters.iter().take(place).filter_map(|waiter| leaves(*waiter));
                left.chain(waiters.get(place).map(|waiter| (*waiter, reason))).collect()
            }
            _ => match waiters.get(chosen) {
                Some(waiter) => smallvec![notified(*waiter)],
                None => waiters.iter().filter_map(|waiter| leaves(*waiter)).collect(),
            },
        }
    }

    /// Whom a notification may wake, whichever of its alternatives is taken.
    pub(super) fn may_be_woken(&self, pending: &PendingOperation) -> SmallVec<[usize; 4]> {
        let mut waiters = self.waiters(pending);
        if pending.in_order {
            let leave = |waiter: &&usize| self.may_have_left(**waiter).is_some();
            waiters.truncate(1 + waiters.iter().take_while(leave).count());
        }
        waiters
    }
}
