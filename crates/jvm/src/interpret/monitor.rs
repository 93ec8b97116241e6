//! Monitors, apart from the uncontended paths of the loop.

use super::run::{Flow, Stop};
use crate::code::Op;
use crate::error::Fault;
use crate::machine::{Machine, Trap, bad_reference, raise};
use crate::memory::{FROZEN, Header, READ_HELD, Reference, SHARED};

impl Machine {
    /// Whether operations of threads can be visible now.
    pub(crate) fn is_observed(&self) -> bool {
        self.concurrent && self.atomic == 0
    }

    /// Whether accesses of a thread to shared memory can be visible now.
    pub(crate) fn is_heard(&self, thread: usize) -> bool {
        self.is_observed() && self.threads.get(thread).is_some_and(|thread| !thread.core.quiet)
    }

    /// Whether others can reach an object.
    pub(crate) fn is_shared(&self, object: Reference) -> Result<bool, Trap> {
        let header = self.heap.header(object).ok_or_else(bad_reference)?;
        Ok(header.0 & (SHARED | FROZEN) != 0)
    }

    /// Takes the monitor of an object; false if the thread must stop before doing so.
    pub(crate) fn lock(
        &mut self,
        thread: usize,
        object: Reference,
        permit: bool,
    ) -> Result<bool, Trap> {
        let header = self.heap.header(object).ok_or_else(bad_reference)?;
        let count = match header.owner() {
            Some((owner, count)) if owner == thread => count,
            Some(_) if self.is_observed() => return Ok(false),
            Some(_) => {
                return Err(
                    Fault::unsupported("a monitor held by another thread is needed here").into()
                );
            }
            None if header.has(READ_HELD) => return Ok(false),
            None => {
                if header.0 & (SHARED | FROZEN) != 0 && self.is_heard(thread) && !permit {
                    return Ok(false);
                }
                0
            }
        };
        if count >= 0xFFFF {
            return Err(Fault::Limit { what: "a monitor is entered again more often than can be counted; look for an endless recursion" }.into());
        }
        self.set_lock_word(object, header.with_owner(thread, count + 1))?;
        self.core_mut(thread)?.hold(object, 1);
        Ok(true)
    }

    /// Frees the monitor of an object once; false if the thread must stop before doing so.
    pub(crate) fn unlock(
        &mut self,
        thread: usize,
        object: Reference,
        permit: bool,
    ) -> Result<bool, Trap> {
        let header = self.heap.header(object).ok_or_else(bad_reference)?;
        let Some((owner, count)) = header.owner().filter(|held| held.0 == thread) else {
            return raise("java/lang/IllegalMonitorStateException", "current thread is not owner");
        };
        let shared = header.0 & (SHARED | FROZEN) != 0;
        if count == 1 && shared && self.is_heard(thread) && !permit {
            return Ok(false);
        }
        self.set_lock_word(object, header.with_owner(owner, count - 1))?;
        self.core_mut(thread)?.hold(object, -1);
        Ok(true)
    }

    /// Writes who holds the lock that an object stands for.
    pub(super) fn set_lock_word(&mut self, object: Reference, header: Header) -> Result<(), Fault> {
        let before = self.heap.writes();
        self.store(object, 0, header.0)?;
        self.lock_writes += self.heap.writes() - before;
        Ok(())
    }

    /// A monitor instruction whose monitor another thread holds, or that is not held at all.
    pub(crate) fn contended(&mut self, thread: usize, op: Op, permit: bool) -> Result<Flow, Trap> {
        let object = Reference(self.operand(thread, 0)?);
        let done = match op {
            Op::MonitorEnter => self.lock(thread, object, permit)?,
            _ => self.unlock(thread, object, permit)?,
        };
        if !done {
            return Ok(Flow::Stop(Stop::Visible));
        }
        self.pop(thread, 1)?;
        self.core_mut(thread)?.pc += 1;
        Ok(Flow::Go)
    }
}
