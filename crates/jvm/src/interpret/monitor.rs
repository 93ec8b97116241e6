//! Monitors, apart from the uncontended paths of the loop.

use super::run::{LoopControl, StopReason};
use crate::code::Opcode;
use crate::error::{Fault, FaultKind};
use crate::machine::{Machine, Trap, bad_reference, raise};
use crate::memory::{FROZEN, Header, HiddenMemory, LIBRARY, REACHED, READ_HELD, Reference};

impl Machine {
    /// Whether operations of threads can be visible now.
    pub(crate) fn threads_can_notice(&self) -> bool {
        self.concurrent && self.nesting.machine_calls == 0
    }

    /// Whether operations of a thread can be visible now: not inside a call that is performed as a
    /// whole.
    pub(crate) fn can_be_seen(&self, thread: usize) -> bool {
        self.threads_can_notice()
            && self.threads.get(thread).is_some_and(|thread| !thread.core.hidden.is_inside())
    }

    /// Whether others notice what a thread does to the monitor or state of an object with this header.
    pub(crate) fn is_visible_access(&self, thread: usize, header: Header) -> bool {
        let hidden =
            self.threads.get(thread).map_or(HiddenMemory::NOTHING, |thread| thread.core.hidden);
        let frozen = if hidden == HiddenMemory::NOTHING { FROZEN } else { 0 };
        self.threads_can_notice() && header.has(hidden.stops_at() | frozen)
    }

    /// Whether others can reach an object.
    pub(crate) fn is_shared(&self, object: Reference) -> Result<bool, Trap> {
        let header = self.heap.header(object).ok_or_else(bad_reference)?;
        Ok(header.has(REACHED | FROZEN))
    }

    /// Takes the monitor of an object; false if the thread must stop before doing so.
    pub(crate) fn lock(
        &mut self,
        thread: usize,
        object: Reference,
        perform: bool,
    ) -> Result<bool, Trap> {
        let header = self.heap.header(object).ok_or_else(bad_reference)?;
        let count = match header.owner() {
            Some((owner, count)) if owner == thread => count,
            Some(_) if self.threads_can_notice() => return Ok(false),
            Some(_) => {
                return Err(
                    Fault::unsupported("a monitor held by another thread is needed here").into()
                );
            }
            None if header.has(READ_HELD) => return Ok(false),
            None => {
                if self.is_visible_access(thread, header) && !perform {
                    return Ok(false);
                }
                0
            }
        };
        if count >= 0xFFFF {
            return Err(FaultKind::Limit { what: "a monitor is entered again more often than can be counted; look for an endless recursion" }.into());
        }
        self.set_lock_word(object, header.with_owner(thread, count + 1))?;
        self.core_mut(thread)?.hold(object, 1);
        self.count_hidden_lock(thread, header, count == 0)?;
        Ok(true)
    }

    /// Frees the monitor of an object once; false if the thread must stop before doing so.
    pub(crate) fn unlock(
        &mut self,
        thread: usize,
        object: Reference,
        perform: bool,
    ) -> Result<bool, Trap> {
        let header = self.heap.header(object).ok_or_else(bad_reference)?;
        let Some((owner, count)) = header.owner().filter(|held| held.0 == thread) else {
            return raise("java/lang/IllegalMonitorStateException", "current thread is not owner");
        };
        if count == 1 && self.is_visible_access(thread, header) && !perform {
            return Ok(false);
        }
        self.set_lock_word(object, header.with_owner(owner, count - 1))?;
        self.core_mut(thread)?.hold(object, -1);
        if count == 1 && header.has(LIBRARY) && self.core(thread)?.hidden_monitors > 0 {
            self.core_mut(thread)?.hidden_monitors -= 1;
        }
        Ok(true)
    }

    /// Writes who holds the lock that an object stands for.
    pub(super) fn set_lock_word(&mut self, object: Reference, header: Header) -> Result<(), Fault> {
        let before = self.heap.writes();
        self.store(object, 0, header.0)?;
        self.lock_writes += self.heap.writes() - before;
        Ok(())
    }

    /// Counts a monitor that nobody has seen the thread enter. One of the library's own must be left
    /// before the thread stops: others would have to wait for it, and no event says why.
    fn count_hidden_lock(
        &mut self,
        thread: usize,
        header: Header,
        entered: bool,
    ) -> Result<(), Trap> {
        let noticed = self.is_visible_access(thread, header);
        if entered && !noticed && header.has(LIBRARY) && self.threads_can_notice() {
            self.core_mut(thread)?.hidden_monitors += 1;
        }
        Ok(())
    }

    /// A monitor instruction whose monitor another thread holds, or that is not held at all.
    pub(crate) fn contended(
        &mut self,
        thread: usize,
        op: Opcode,
        perform: bool,
    ) -> Result<LoopControl, Trap> {
        let object = Reference(self.operand(thread, 0)?);
        let done = match op {
            Opcode::MonitorEnter => self.lock(thread, object, perform)?,
            _ => self.unlock(thread, object, perform)?,
        };
        if !done {
            return Ok(LoopControl::Leave(StopReason::Visible));
        }
        self.pop(thread, 1)?;
        self.core_mut(thread)?.pc += 1;
        Ok(LoopControl::Reload)
    }
}
