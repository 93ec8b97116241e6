//! Wait sets: of monitors and of conditions.
//!
//! Waiting is two events. The first frees the lock and joins the wait set; the second, when the
//! thread was woken or its time has passed, takes the lock back as often as it was held. In between
//! the thread's status says what it waits for, and a notification or an interrupt changes it to
//! taking the lock back. Whom a notification finds is decided in `run/leaving.rs`.

use smallvec::SmallVec;

use super::jdk_operation::WaitPolicy;
use super::operation::VisibleOperation;
use super::run::{LoopControl, StopReason};
use super::thread_operation::{AWAIT_UNINTERRUPTIBLY, ThreadCall};
use super::threads::OperationResult;
use crate::classfile::Type;
use crate::error::Fault;
use crate::machine::{Machine, Trap, bad_reference, raise};
use crate::memory::{Reference, ThreadStatus, WaitSet, WakeReason};
use crate::natives::NativeEffect;
use crate::world::MethodId;

/// How a thread waits in a wait set.
struct WaitKind {
    /// Whether it may stop reason time has passed.
    timed: bool,
    /// Whether an interrupt wakes it.
    interruptible: bool,
}

/// The exception for using a wait set without its lock; monitors say a word more than conditions.
fn not_owner<T>(is_monitor: bool) -> Result<T, Trap> {
    let message = is_monitor.then(|| "current thread is not owner".to_string());
    Err(Trap::raise("java/lang/IllegalMonitorStateException", message))
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
    pub(super) fn wait(&mut self, call: &ThreadCall<'_>) -> Result<OperationResult, Trap> {
        let millis = timeout(call.arguments.get(1))?;
        let kind = WaitKind { timed: millis > 0, interruptible: true };
        self.join_wait_set(call, call.receiver(), kind)
    }

    /// Frees the lock of a condition and waits on the condition.
    pub(super) fn wait_on_condition(
        &mut self,
        call: &ThreadCall<'_>,
        interruptible: bool,
    ) -> Result<OperationResult, Trap> {
        let Some(lock) = self.lock_of_condition(call.receiver())? else {
            return Ok(OperationResult::Decline);
        };
        // Whatever else is given is a time limit.
        let kind = WaitKind { timed: call.arguments.len() > 1, interruptible };
        self.join_wait_set(call, lock, kind)
    }

    fn join_wait_set(
        &mut self,
        call: &ThreadCall<'_>,
        lock: Reference,
        kind: WaitKind,
    ) -> Result<OperationResult, Trap> {
        let (thread, object, perform) = (call.thread, call.receiver(), call.performs);
        let header = self.heap.header(lock).ok_or_else(bad_reference)?;
        let Some((_, count)) = header.owner().filter(|held| held.0 == thread) else {
            return not_owner(object == lock);
        };
        let WaitKind { timed, interruptible } = kind;
        if timed
            && object != lock
            && !self.options.real_locks
            && self.core(thread)?.hidden.is_inside()
        {
            return self.wait_in_vain(thread);
        }
        if !perform {
            return Ok(OperationResult::Stop);
        }
        if interruptible && self.core(thread)?.interrupted {
            self.core_mut(thread)?.interrupted = false;
            return Err(Trap::raise("java/lang/InterruptedException", None));
        }
        self.set_lock_word(lock, header.with_owner(0, 0))?;
        let core = self.core_mut(thread)?;
        core.hold(lock, -(count as i32));
        core.status = ThreadStatus::Waiting { object, lock, count, timed, interruptible };
        Ok(OperationResult::Stop)
    }

    /// Waits on a condition inside an atomic call: nobody can wake the
    /// thread, so its time passes.
    fn wait_in_vain(&mut self, thread: usize) -> Result<OperationResult, Trap> {
        let Some(target) = self.present_call(thread)? else {
            return Err(Fault::internal("a thread waits outside a call").into());
        };
        let waited = self.time_limit(thread, target)?;
        let core = self.core_mut(thread)?;
        core.clock = core.clock.saturating_add(waited);
        Ok(OperationResult::Done(Some(0)))
    }

    /// How many threads wait on a condition, as the answer is given.
    pub(super) fn ask_for_waiters(
        &mut self,
        call: &ThreadCall<'_>,
        answer: fn(u64) -> u64,
    ) -> Result<OperationResult, Trap> {
        let (thread, condition, perform) = (call.thread, call.receiver(), call.performs);
        let Some(lock) = self.lock_of_condition(condition)? else {
            return Ok(OperationResult::Decline);
        };
        let owner = self.heap.header(lock).and_then(|header| header.owner());
        if owner.is_none_or(|held| held.0 != thread) {
            return not_owner(false);
        }
        if self.threads_can_notice() && !perform {
            return Ok(OperationResult::Stop);
        }
        let waiting = self.waiting_in(WaitSet::of_condition(condition)).len() as u64;
        Ok(OperationResult::Done(Some(answer(waiting))))
    }

    /// Wakes threads that wait on a condition.
    pub(super) fn signal(
        &mut self,
        call: &ThreadCall<'_>,
        all: bool,
    ) -> Result<OperationResult, Trap> {
        match self.lock_of_condition(call.receiver())? {
            Some(lock) => self.notify(call, lock, all),
            None => Ok(OperationResult::Decline),
        }
    }

    /// Wakes one of the threads in a wait set, or all.
    pub(super) fn notify(
        &mut self,
        call: &ThreadCall<'_>,
        lock: Reference,
        all: bool,
    ) -> Result<OperationResult, Trap> {
        let (thread, object, perform) = (call.thread, call.receiver(), call.performs);
        let header = self.heap.header(lock).ok_or_else(bad_reference)?;
        if header.owner().is_none_or(|held| held.0 != thread) {
            return not_owner(object == lock);
        }
        let waiting = self.notifiable(WaitSet::of(object, lock));
        // Nobody waits inside atomic calls.
        let noticed = self.can_be_seen(thread) || self.threads_can_notice() && !waiting.is_empty();
        if noticed && !perform {
            return Ok(OperationResult::Stop);
        }
        let count = if all { waiting.len() } else { 1 };
        let first = waiting.into_iter().take(count).map(|waiter| (waiter, WakeReason::Notified));
        let woken = self.step.woken.take().unwrap_or_else(|| first.collect());
        for (waiter, reason) in woken {
            let core = self.core_mut(waiter)?;
            match &mut core.status {
                &mut ThreadStatus::Waiting { object, lock, count, .. } => {
                    core.status = ThreadStatus::woken(object, lock, count, reason);
                }
                ThreadStatus::Reacquiring { reason: why, again, .. } => {
                    (*why, *again) = (reason, true);
                }
                _ => {}
            }
        }
        Ok(OperationResult::Done(None))
    }

    /// The threads that a notification can be for: those in the wait set, and those that an interrupt has woken and
    /// that may not have left it yet.
    pub(crate) fn notifiable(&self, wanted: WaitSet) -> SmallVec<[usize; 4]> {
        let waits = |status| match status {
            ThreadStatus::Waiting { object, lock, .. }
            | ThreadStatus::Reacquiring { object, lock, reason: WakeReason::Interrupted, .. } => {
                WaitSet::of(object, lock) == wanted
            }
            _ => false,
        };
        let threads = self.threads.list.iter().enumerate();
        threads
            .filter(|(_, thread)| thread.as_ref().is_some_and(|thread| waits(thread.core.status)))
            .map(|(index, _)| index)
            .collect()
    }

    /// The threads in a wait set.
    pub(crate) fn waiting_in(&self, wanted: WaitSet) -> Vec<usize> {
        let waits = |status| {
            matches!(status, ThreadStatus::Waiting { object, lock, .. }
                if WaitSet::of(object, lock) == wanted)
        };
        let threads = self.threads.list.iter().enumerate();
        threads
            .filter(|(_, thread)| thread.as_ref().is_some_and(|thread| waits(thread.core.status)))
            .map(|(index, _)| index)
            .collect()
    }

    /// Lets a woken thread take its monitor back and return from `wait`.
    pub(crate) fn resume_wait(&mut self, thread: usize) -> Result<LoopControl, Trap> {
        let ThreadStatus::Reacquiring { lock, count, reason, .. } = self.core(thread)?.status
        else {
            return Err(Fault::internal("a thread that was not woken goes on").into());
        };
        let header = self.heap.header(lock).ok_or_else(bad_reference)?;
        if header.owner().is_some() || !header.is_free_for(thread) {
            if self.joins_to_take_back(lock, thread) {
                self.change_place_in_queue(thread, lock, true)?;
            }
            return Ok(LoopControl::Leave(StopReason::Visible));
        }
        if self.waits_in_queue(thread, lock) {
            self.change_place_in_queue(thread, lock, false)?;
        }
        self.set_lock_word(lock, header.with_owner(thread, count))?;
        let core = self.core_mut(thread)?;
        core.hold(lock, count as i32);
        core.status = ThreadStatus::Running;
        let forgets = matches!(reason, WakeReason::Interrupted | WakeReason::LeftInterrupted);
        if forgets {
            self.core_mut(thread)?.interrupted = false;
        }
        if forgets || reason == WakeReason::InterruptedAgain {
            return Err(Trap::raise("java/lang/InterruptedException", None));
        }
        let Some(target) = self.present_call(thread)? else {
            return Err(Fault::internal("a thread waits outside a call").into());
        };
        let method = self.world.method(target);
        let (arguments, result) = (usize::from(method.arguments), method.types.result);
        let limit = self.operand(thread, arguments.saturating_sub(2))?;
        let late = matches!(reason, WakeReason::TimedOut | WakeReason::NotifiedLate);
        if late {
            let waited = self.time_limit(thread, target)?;
            let core = self.core_mut(thread)?;
            core.clock = core.clock.saturating_add(waited);
        }
        self.pop(thread, arguments)?;
        match result {
            None => {}
            // Whether it was woken in time.
            Some(Type::Boolean) => self.push(thread, u64::from(reason != WakeReason::TimedOut))?,
            // How much time was left: all of it, or none.
            Some(_) if late => self.push(thread, 0)?,
            Some(_) => self.push(thread, limit)?,
        }
        self.core_mut(thread)?.pc += 1;
        Ok(LoopControl::Reload)
    }

    /// How many nanoseconds the operation that a thread stands before waits at most, if it has a time limit.
    pub(crate) fn limit_of(
        &self,
        thread: usize,
        operation: VisibleOperation,
    ) -> Result<Option<u64>, Trap> {
        let Some(target) = self.present_call(thread)? else { return Ok(None) };
        let until = |moment: u64| -> Result<u64, Trap> {
            Ok(moment.saturating_sub(self.core(thread)?.clock))
        };
        Ok(match operation {
            VisibleOperation::Resume { .. } => match self.core(thread)?.status {
                ThreadStatus::Waiting { timed: true, .. } => Some(self.time_limit(thread, target)?),
                _ => None,
            },
            VisibleOperation::Join { timed: true, .. } => {
                Some(self.operand(thread, 0)?.saturating_mul(1_000_000))
            }
            VisibleOperation::Park { .. } => match self.operand(thread, 0)? {
                0 => None,
                time if self.operand(thread, 1)? != 0 => {
                    Some(until(crate::natives::clock_at(time))?)
                }
                time => Some(time),
            },
            VisibleOperation::Jdk { call, .. } if call.operation.is_idle => {
                Some(self.keep_alive_time(call.receiver)?)
            }
            VisibleOperation::Jdk { call, .. }
                if call.operation.wait_policy == WaitPolicy::Timed =>
            {
                match self.world.method(target).types.parameters.last() {
                    Some(Type::Long) => Some(until(self.operand(thread, 0)?)?),
                    _ => {
                        let scale = self.get_field(Reference(self.operand(thread, 0)?), "scale")?;
                        Some(self.operand(thread, 1)?.saturating_mul(scale))
                    }
                }
            }
            _ => None,
        })
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
            method.native.map(|native| &native.effect)
        });
        !matches!(native, Some(NativeEffect::Thread(operation))
            if std::ptr::eq(*operation, &AWAIT_UNINTERRUPTIBLY))
    }
}
