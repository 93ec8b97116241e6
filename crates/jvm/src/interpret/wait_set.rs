//! Wait sets: of monitors and of conditions.
//!
//! Waiting is two events. The first frees the lock and joins the wait set; the second, when the
//! thread was woken or its time has passed, takes the lock back as often as it was held. In between
//! the thread's status says what it waits for, and a notification or an interrupt changes it to
//! taking the lock back.

use super::run::{Flow, Stop};
use super::threads::Outcome;
use crate::classfile::Type;
use crate::error::Fault;
use crate::machine::{Machine, Trap, bad_reference, raise};
use crate::memory::{Reference, Status, Wakening};
use crate::natives::ThreadOperation;
use crate::world::MethodId;

/// How a thread waits in a wait set.
struct WaitKind {
    /// Whether it may stop because time has passed.
    timed: bool,
    /// Whether an interrupt wakes it.
    interruptible: bool,
}

/// The exception for using a wait set without its lock; monitors say a word more than conditions.
fn not_owner<T>(is_monitor: bool) -> Result<T, Trap> {
    let message = is_monitor.then(|| "current thread is not owner".to_string());
    Err(Trap::Raise("java/lang/IllegalMonitorStateException", message))
}

/// The time that a call is told to wait for, in milliseconds; without it, for ever.
pub(super) fn timeout(argument: Option<&u64>) -> Result<i64, Trap> {
    match argument.copied().unwrap_or(0) as i64 {
        ..0 => raise("java/lang/IllegalArgumentException", "timeout value is negative"),
        millis => Ok(millis),
    }
}

impl Machine {
    /// Frees the monitor and joins the wait set; the rest happens when the thread is woken.
    pub(super) fn wait(
        &mut self,
        thread: usize,
        object: Reference,
        arguments: &[u64],
        permit: bool,
    ) -> Result<Outcome, Trap> {
        let millis = timeout(arguments.get(1))?;
        let kind = WaitKind { timed: millis > 0, interruptible: true };
        self.join_wait_set(thread, object, object, kind, permit)
    }

    /// Frees the lock of a condition and waits on the condition.
    pub(super) fn wait_on_condition(
        &mut self,
        thread: usize,
        condition: Reference,
        arguments: &[u64],
        interruptible: bool,
        permit: bool,
    ) -> Result<Outcome, Trap> {
        let Some(lock) = self.lock_of_condition(condition)? else { return Ok(Outcome::Decline) };
        // Whatever else is given is a time limit.
        let kind = WaitKind { timed: arguments.len() > 1, interruptible };
        self.join_wait_set(thread, condition, lock, kind, permit)
    }

    fn join_wait_set(
        &mut self,
        thread: usize,
        object: Reference,
        lock: Reference,
        kind: WaitKind,
        permit: bool,
    ) -> Result<Outcome, Trap> {
        let header = self.heap.header(lock).ok_or_else(bad_reference)?;
        let Some((_, count)) = header.owner().filter(|held| held.0 == thread) else {
            return not_owner(object == lock);
        };
        let WaitKind { timed, interruptible } = kind;
        if timed
            && object != lock
            && !self.options.real_locks
            && self.core(thread)?.unseen.is_inside()
        {
            return self.wait_in_vain(thread);
        }
        if !permit {
            return Ok(Outcome::Stop);
        }
        if interruptible && self.core(thread)?.interrupted {
            self.core_mut(thread)?.interrupted = false;
            return Err(Trap::Raise("java/lang/InterruptedException", None));
        }
        self.set_lock_word(lock, header.with_owner(0, 0))?;
        let core = self.core_mut(thread)?;
        core.hold(lock, -(count as i32));
        core.status = Status::Waiting { object, lock, count, timed, interruptible };
        Ok(Outcome::Stop)
    }

    /// Waits on a condition inside an operation that is performed as a whole: nobody can wake the
    /// thread, so its time passes.
    fn wait_in_vain(&mut self, thread: usize) -> Result<Outcome, Trap> {
        let Some(target) = self.present_call(thread)? else {
            return Err(Fault::internal("a thread waits outside a call").into());
        };
        let waited = self.time_limit(thread, target)?;
        let core = self.core_mut(thread)?;
        core.clock = core.clock.saturating_add(waited);
        Ok(Outcome::Done(Some(0)))
    }

    /// Whether threads wait on a condition, or how many.
    pub(super) fn ask_for_waiters(
        &mut self,
        thread: usize,
        condition: Reference,
        operation: ThreadOperation,
        permit: bool,
    ) -> Result<Outcome, Trap> {
        let Some(lock) = self.lock_of_condition(condition)? else { return Ok(Outcome::Decline) };
        let owner = self.heap.header(lock).and_then(|header| header.owner());
        if owner.is_none_or(|held| held.0 != thread) {
            return not_owner(false);
        }
        if self.is_observed() && !permit {
            return Ok(Outcome::Stop);
        }
        let waiting = self.waiting_on(condition).len() as u64;
        let answer = match operation {
            ThreadOperation::HasWaiters => u64::from(waiting > 0),
            _ => waiting,
        };
        Ok(Outcome::Done(Some(answer)))
    }

    pub(super) fn notify(
        &mut self,
        thread: usize,
        object: Reference,
        lock: Reference,
        all: bool,
        permit: bool,
    ) -> Result<Outcome, Trap> {
        let header = self.heap.header(lock).ok_or_else(bad_reference)?;
        if header.owner().is_none_or(|held| held.0 != thread) {
            return not_owner(object == lock);
        }
        let waiting = self.waiting_on(object);
        // Nobody waits inside operations that are performed as a whole.
        let noticed = self.is_heard(thread) || self.is_observed() && !waiting.is_empty();
        if noticed && !permit {
            return Ok(Outcome::Stop);
        }
        let chosen = self.alternative as usize;
        for (index, waiter) in waiting.iter().enumerate() {
            if !all && index != chosen.min(waiting.len() - 1) {
                continue;
            }
            let core = self.core_mut(*waiter)?;
            if let Status::Waiting { object, lock, count, .. } = core.status {
                let because = Wakening::Notified;
                core.status = Status::Reacquiring { object, lock, count, because };
            }
        }
        Ok(Outcome::Done(None))
    }

    /// The threads in the wait set of an object.
    pub(crate) fn waiting_on(&self, wanted: Reference) -> Vec<usize> {
        let threads = self.threads.list.iter().enumerate();
        let waits = |status| matches!(status, Status::Waiting { object, .. } if object == wanted);
        threads
            .filter(|(_, thread)| thread.as_ref().is_some_and(|thread| waits(thread.core.status)))
            .map(|(index, _)| index)
            .collect()
    }

    /// Lets a woken thread take its monitor back and return from `wait`.
    pub(crate) fn resume_wait(&mut self, thread: usize) -> Result<Flow, Trap> {
        let Status::Reacquiring { lock, count, because, .. } = self.core(thread)?.status else {
            return Err(Fault::internal("a thread that was not woken goes on").into());
        };
        let header = self.heap.header(lock).ok_or_else(bad_reference)?;
        if header.owner().is_some() || !header.is_free_for(thread) {
            return Ok(Flow::Stop(Stop::Visible));
        }
        self.set_lock_word(lock, header.with_owner(thread, count))?;
        let core = self.core_mut(thread)?;
        core.hold(lock, count as i32);
        core.status = Status::Running;
        if because == Wakening::Interrupted {
            self.core_mut(thread)?.interrupted = false;
            return Err(Trap::Raise("java/lang/InterruptedException", None));
        }
        let Some(target) = self.present_call(thread)? else {
            return Err(Fault::internal("a thread waits outside a call").into());
        };
        let method = self.world.method(target);
        let (arguments, result) = (usize::from(method.arguments), method.types.result);
        let limit = self.operand(thread, arguments.saturating_sub(2))?;
        if because == Wakening::Late {
            let waited = self.time_limit(thread, target)?;
            let core = self.core_mut(thread)?;
            core.clock = core.clock.saturating_add(waited);
        }
        self.pop(thread, arguments)?;
        match result {
            None => {}
            // Whether it was woken in time.
            Some(Type::Boolean) => self.push(thread, u64::from(because != Wakening::Late))?,
            // How much time was left: all of it, or none.
            Some(_) if because == Wakening::Late => self.push(thread, 0)?,
            Some(_) => self.push(thread, limit)?,
        }
        self.core_mut(thread)?.pc += 1;
        Ok(Flow::Go)
    }

    /// How many nanoseconds the waiting method that a thread stands in waits at most.
    fn time_limit(&self, thread: usize, target: MethodId) -> Result<u64, Trap> {
        let method = self.world.method(target);
        let (name, arguments) = (self.world.symbols.text(method.name), method.arguments);
        Ok(match (name, arguments) {
            ("awaitNanos", _) => self.operand(thread, 0)?,
            ("awaitUntil", _) => {
                let date = Reference(self.operand(thread, 0)?);
                let moment = crate::natives::clock_at(self.get_field(date, "fastTime")?);
                moment.saturating_sub(self.core(thread)?.clock)
            }
            ("await", 3) => {
                let unit = Reference(self.operand(thread, 0)?);
                let scale = self.get_field(unit, "scale")?;
                self.operand(thread, 1)?.saturating_mul(scale)
            }
            (_, 2) => self.operand(thread, 0)?.saturating_mul(1_000_000),
            _ => 0,
        })
    }

    /// Whether the call that a thread stands before waits and can be interrupted.
    pub(crate) fn wait_is_interruptible(&self, thread: usize) -> bool {
        let native = self.present_call(thread).ok().flatten().and_then(|target| {
            let method = self.world.method(target);
            method.native.map(|native| native.effect)
        });
        let stubborn = ThreadOperation::Await { interruptible: false };
        native != Some(crate::natives::Effect::Thread(stubborn))
    }
}
