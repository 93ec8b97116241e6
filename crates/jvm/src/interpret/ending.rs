//! The end of a thread, and those who wait for it on its `Thread`.
//!
//! **Problem.** When a thread ends, the virtual machine takes the monitor of its `Thread` for a moment, and then the
//! thread is no longer alive and all who wait on the `Thread` are notified (`ensure_join` in HotSpot). `Thread.join` relies
//! on that, and so do programs with `synchronized (t) { while (t.isAlive()) t.wait(); }`. But hardly any program locks a
//! `Thread`, so nobody else shall pay for it.
//!
//! **Idea.** In programs that may lock a `Thread` (`code/locked/`), the end is an operation of its own, which waits
//! until the monitor is free, and wakes all in the wait set. In all others a thread that ends looks for nobody but those in
//! the wait set.
//!
//! Joining waits for the end without any monitor, which nobody can tell from what the JDK does while nobody has the
//! monitor. A thread that has it already frees it while it joins, and others go on with it. So such a join runs the
//! JDK's own code, which waits on the `Thread`.
//!
//! **Not modelled.** A join by somebody who does not have the monitor takes it as well, to look whether the thread is
//! alive. It does not wait here for a third thread that has the monitor after the end.

use crate::error::Fault;
use crate::machine::{Machine, SideEffect, Trap};
use crate::memory::{HiddenMemory, Reference, ThreadStatus, WaitSet, WakeReason};
use crate::world::MethodId;

impl Machine {
    /// Ends a thread.
    pub(crate) fn end_thread(&mut self, thread: usize) -> Result<(), Fault> {
        let object = self.thread_object(thread)?;
        let core = self.core_mut(thread)?;
        let counts = !core.daemon && core.status != ThreadStatus::Terminated;
        core.status = ThreadStatus::Terminated;
        core.method = MethodId(0);
        core.hidden = HiddenMemory::NOTHING;
        core.hidden_monitors = 0;
        (core.pc, core.base, core.sp) = (0, 0, 0);
        self.alive -= u32::from(counts);
        for waiter in self.waiting_in(WaitSet::of_monitor(object)) {
            let core = self.core_mut(waiter)?;
            if let ThreadStatus::Waiting { object, lock, count, .. } = core.status {
                let reason = WakeReason::Notified;
                core.status = ThreadStatus::woken(object, lock, count, reason);
                self.step.effects.push(SideEffect::Woken(waiter));
            }
        }
        Ok(())
    }

    /// Whether a thread that has nothing else to do can end.
    pub(super) fn may_end(&self, thread: usize) -> Result<bool, Fault> {
        let free = || Ok(self.is_free(self.thread_object(thread)?, thread));
        if self.options.ends_take_monitors { free() } else { Ok(true) }
    }

    /// Whether a thread has the monitor of an object.
    pub(crate) fn has_monitor(&self, thread: usize, object: Reference) -> bool {
        let owner = self.heap.header(object).and_then(|header| header.owner());
        owner.is_some_and(|(owner, _)| owner == thread)
    }

    /// Whether a thread joins another with the monitor of its `Thread`.
    pub(super) fn joins_under_monitor(
        &self,
        thread: usize,
        object: Reference,
    ) -> Result<bool, Trap> {
        Ok(self.thread_of(object)?.is_some_and(|target| target != thread)
            && self.has_monitor(thread, object))
    }
}
