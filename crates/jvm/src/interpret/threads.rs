//! Operations on threads: starting, joining, parking, interrupting, and asking for their states.

use super::arithmetic::int;
use super::jdk_operation::{Readiness, WaitPolicy};
use super::operation::{NextOperation, VisibleOperation};
use super::thread_operation::{ThreadCall, WAIT};
use super::wait_set::timeout;
use crate::classfile::access;
use crate::code::{Code, Instruction, Opcode};
use crate::error::{Fault, FaultKind};
use crate::machine::{Machine, Trap, bad_reference, raise};
use crate::memory::{Core, Hook, Reference, ThreadStatus, WakeReason};
use crate::natives::NativeEffect;
use crate::world::{MethodEntry, MethodId};

/// What an operation on threads answers.
#[derive(Debug)]
pub enum OperationResult {
    /// Done, with this result or none.
    Done(Option<u64>),
    /// The thread stops before it, or in the middle of it.
    Stop,
    /// Not a case for the machine: the byte code of the method runs.
    Decline,
    /// The byte code of the method runs as hidden code.
    RunHidden,
    /// This method of this object runs first, and then the call is tried again.
    CallFirst(MethodId, Reference),
}

impl Machine {
    /// Asks whether a thread was interrupted.
    pub(super) fn is_interrupted(
        &mut self,
        call: &ThreadCall<'_>,
    ) -> Result<OperationResult, Trap> {
        // Who has parked has looked for an interrupt in the same step, and others have not.
        if self.is_in_rendezvous(call.thread)? {
            let interrupted = self.step.parked && self.core(call.thread)?.interrupted;
            return Ok(OperationResult::Done(Some(u64::from(interrupted))));
        }
        if self.threads_can_notice() && !call.performs {
            return Ok(OperationResult::Stop);
        }
        let interrupted = match self.thread_of(call.receiver())? {
            Some(target) => self.core(target)?.interrupted,
            None => self.get_field(call.receiver(), "interrupted")? != 0,
        };
        Ok(OperationResult::Done(Some(u64::from(interrupted))))
    }

    /// Asks whether a thread was interrupted itself, and forgets it.
    pub(super) fn forget_interrupt(
        &mut self,
        call: &ThreadCall<'_>,
    ) -> Result<OperationResult, Trap> {
        if self.threads_can_notice() && !call.performs {
            return Ok(OperationResult::Stop);
        }
        let interrupted = self.core(call.thread)?.interrupted;
        if interrupted {
            self.core_mut(call.thread)?.interrupted = false;
        }
        Ok(OperationResult::Done(Some(u64::from(interrupted))))
    }

    /// Lets time pass.
    pub(super) fn sleep(&mut self, call: &ThreadCall<'_>) -> Result<OperationResult, Trap> {
        let millis = timeout(call.arguments.first())?;
        if self.threads_can_notice() && !call.performs {
            return Ok(OperationResult::Stop);
        }
        if self.core(call.thread)?.interrupted {
            self.core_mut(call.thread)?.interrupted = false;
            return raise("java/lang/InterruptedException", "sleep interrupted");
        }
        self.core_mut(call.thread)?.clock += (millis as u64).saturating_mul(1_000_000);
        Ok(OperationResult::Done(None))
    }

    /// The monitor that stands for the `ReentrantLock` before whose operation a thread has stopped.
    pub(super) fn monitor_of_call(&self, call: &ThreadCall<'_>) -> Result<Reference, Trap> {
        let real = || Fault::internal("a thread stopped before a real lock");
        Ok(self.lock_monitor(call.receiver())?.ok_or_else(real)?)
    }

    /// An operation on a `ReentrantLock` that is a monitor.
    pub(super) fn lock_operation(
        &mut self,
        call: &ThreadCall<'_>,
        change: fn(&mut Machine, usize, Reference, bool) -> Result<bool, Trap>,
    ) -> Result<OperationResult, Trap> {
        let Some(monitor) = self.lock_monitor(call.receiver())? else {
            return Ok(OperationResult::Decline);
        };
        let done = change(self, call.thread, monitor, call.performs)?;
        Ok(if done { OperationResult::Done(None) } else { OperationResult::Stop })
    }

    /// Frees a `ReentrantLock` that is a monitor.
    pub(super) fn unlock_operation(
        &mut self,
        call: &ThreadCall<'_>,
    ) -> Result<OperationResult, Trap> {
        self.lock_operation(call, |machine, thread, monitor, performs| {
            let header = machine.heap.header(monitor).ok_or_else(bad_reference)?;
            if header.owner().is_none_or(|held| held.0 != thread) {
                return Err(Trap::raise("java/lang/IllegalMonitorStateException", None));
            }
            machine.unlock(thread, monitor, performs)
        })
    }

    /// Starts a thread. Starting is an operation even of a program's first thread.
    pub(super) fn start(
        &mut self,
        parent: usize,
        object: Reference,
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        if self.nesting.machine_calls > 0 {
            return Err(Fault::unsupported("a thread started by an initialiser of the JDK").into());
        }
        if !perform {
            return Ok(OperationResult::Stop);
        }
        if self.thread_of(object)?.is_some() {
            return Err(Trap::raise("java/lang/IllegalThreadStateException", None));
        }
        let class = self.class_of(object)?;
        let (name, descriptor) =
            (self.world.symbols.intern("run"), self.world.symbols.intern("()V"));
        let Some(run) = self.world.find_method(class, name, descriptor) else {
            return Err(Fault::internal("a thread without a run method").into());
        };
        self.spawn(parent, object, run, object)?;
        Ok(OperationResult::Done(None))
    }

    /// Starts a thread whose whole life is a method of an object; says its number.
    pub(crate) fn spawn(
        &mut self,
        parent: usize,
        object: Reference,
        run: MethodId,
        receiver: Reference,
    ) -> Result<usize, Trap> {
        let number = self.core(parent)?.children;
        self.core_mut(parent)?.children += 1;
        let index = self.thread_number(parent, number)?;
        let mut core = Core::new();
        core.daemon = self.is_daemon(object)? || self.is_async_task(parent)?;
        core.clock = self.core(parent)?.clock;
        core.interrupted = self.get_field(object, "interrupted")? != 0;
        self.alive += u32::from(!core.daemon);
        self.threads.insert(index, object, core);
        self.store(object, self.known.thread_number, index as u64 + 1)?;
        self.publish(object)?;
        self.publish_inherited(object)?;
        self.concurrent = true;
        let run = self.thread_entry(run)?;
        self.begin(index, run, &[receiver.0])?;
        self.step.started.push(index);
        Ok(index)
    }

    /// The method that a thread begins with: its `run`, or one that calls it if it is synchronized, so
    /// that taking the monitor is the thread's own operation.
    fn thread_entry(&mut self, run: MethodId) -> Result<MethodId, Trap> {
        if !self.world.method(run).is_synchronized() {
            return Ok(run);
        }
        if let Some(known) = self.caches.thread_entries.get(&run) {
            return Ok(*known);
        }
        let instructions = vec![
            Instruction::with(Opcode::Load, 0),
            Instruction::with(Opcode::InvokeSpecial, run.0),
            Instruction::new(Opcode::Return),
        ];
        let code = Code { instructions, local_words: 1, stack_words: 1, ..Code::default() };
        let class = self.world.method(run).class;
        let entry =
            self.add_synthetic(class, "<thread>", "(Ljava/lang/Thread;)V", access::STATIC, code)?;
        self.caches.thread_entries.insert(run, entry);
        Ok(entry)
    }

    /// Publishes what a thread inherits from the one that made it: both may have the same objects in their
    /// own variables.
    fn publish_inherited(&mut self, object: Reference) -> Result<(), Trap> {
        let class = self.class_of(object)?;
        if self.world.field_named(class, "inheritableThreadLocals").is_none() {
            return Ok(());
        }
        let map = Reference(self.get_field(object, "inheritableThreadLocals")?);
        if map.is_null() {
            return Ok(());
        }
        let entries = Reference(self.get_field(map, "table")?);
        for entry in self.references(entries)? {
            if !entry.is_null() {
                let value = Reference(self.get_field(entry, "value")?);
                self.publish(value)?;
            }
        }
        Ok(())
    }

    /// Whether a thread starts another for an asynchronous stage of a `CompletableFuture` without an
    /// executor: on larger computers that is a worker of the common pool, which keeps nobody alive.
    fn is_async_task(&self, parent: usize) -> Result<bool, Trap> {
        let class = self.world.method(self.core(parent)?.method).class;
        let executor = "java/util/concurrent/CompletableFuture$ThreadPerTaskExecutor";
        Ok(self.world.class_name(class) == executor)
    }

    fn is_daemon(&self, object: Reference) -> Result<bool, Trap> {
        let class = self.class_of(object)?;
        if self.world.field_named(class, "daemon").is_some() {
            return Ok(self.get_field(object, "daemon")? != 0);
        }
        let holder = Reference(self.get_field(object, "holder")?);
        Ok(!holder.is_null() && self.get_field(holder, "daemon")? != 0)
    }

    /// The number of a thread by its name: its parent and its number among the parent's children.
    pub(crate) fn thread_number(&mut self, parent: usize, child: u32) -> Result<usize, Trap> {
        if let Some(known) = self.thread_numbers.get(&(parent, child)) {
            return Ok(*known);
        }
        let index = self.thread_names.len();
        if index >= 0xFFFE {
            return Err(FaultKind::Limit {
                what: "an execution has more threads than can be counted; start fewer",
            }
            .into());
        }
        self.thread_names.push((parent, child));
        self.thread_numbers.insert((parent, child), index);
        Ok(index)
    }

    /// Gives a thread without frames a method to run as its whole life.
    pub(crate) fn begin(
        &mut self,
        thread: usize,
        method: MethodId,
        arguments: &[u64],
    ) -> Result<(), Trap> {
        if self.world.method(method).entry == MethodEntry::Undecoded {
            self.decode(method)?;
        }
        for word in arguments {
            self.push(thread, *word)?;
        }
        self.push_frame(thread, method, Hook::EndThread, 0)
    }

    /// Waits for a thread to end. Whether the waiting thread is interrupted matters only until then.
    pub(super) fn join(&mut self, call: &ThreadCall<'_>) -> Result<OperationResult, Trap> {
        let &ThreadCall { thread, arguments, performs: perform, .. } = call;
        let millis = timeout(arguments.get(1))?;
        if self.joins_under_monitor(thread, call.receiver())? {
            return Ok(OperationResult::Decline);
        }
        let Some(target) = self.thread_of(call.receiver())? else {
            return Ok(OperationResult::Done(None));
        };
        let ended = self.core(target)?.status == ThreadStatus::Terminated;
        if ended && (perform || self.nesting.machine_calls > 0) {
            // The end is not earlier than anything that the thread has done.
            let end = self.core(target)?.clock;
            let core = self.core_mut(thread)?;
            core.clock = core.clock.max(end);
            return Ok(OperationResult::Done(None));
        }
        if !perform {
            return Ok(OperationResult::Stop);
        }
        if self.core(thread)?.interrupted {
            self.core_mut(thread)?.interrupted = false;
            return Err(Trap::raise("java/lang/InterruptedException", None));
        }
        if millis == 0 {
            return Ok(OperationResult::Stop);
        }
        self.core_mut(thread)?.clock += (millis as u64).saturating_mul(1_000_000);
        Ok(OperationResult::Done(None))
    }

    /// Whether what a thread does to another begins with a look whether that has been started: the
    /// order of the look and the start is explored unless it cannot but be the one.
    pub(crate) fn must_check_started(
        &self,
        thread: usize,
        object: Reference,
    ) -> Result<bool, Trap> {
        if object.is_null() || !self.threads_can_notice() || self.core(thread)?.checked {
            return Ok(false);
        }
        match self.thread_of(object)? {
            Some(target) => Ok(!self.knows_of_start(thread, target)),
            None => self.is_shared(object),
        }
    }

    /// Whether a thread cannot but know that another has been started: it did that itself, or was itself
    /// started later by the same thread, or one that started it was.
    fn knows_of_start(&self, thread: usize, other: usize) -> bool {
        let Some(&(starter, number)) = self.thread_names.get(other) else { return false };
        let mut at = thread;
        loop {
            if at == other || other == 0 || thread == starter {
                return true;
            }
            let (parent, own) = self.thread_names[at];
            match parent == starter {
                _ if at == 0 => return false,
                true => return number < own,
                false => at = parent,
            }
        }
    }

    /// Asks about a thread: the question is given the `Thread`, and its number if it has been started.
    pub(super) fn ask_about(
        &mut self,
        call: &ThreadCall<'_>,
        question: fn(&mut Machine, Reference, Option<usize>) -> Result<u64, Trap>,
    ) -> Result<OperationResult, Trap> {
        let target = self.thread_of(call.receiver())?;
        let other = target.is_some_and(|target| target != call.thread);
        if other && self.threads_can_notice() && !call.performs {
            return Ok(OperationResult::Stop);
        }
        question(self, call.receiver(), target).map(|answer| OperationResult::Done(Some(answer)))
    }

    pub(super) fn is_alive(&mut self, _: Reference, target: Option<usize>) -> Result<u64, Trap> {
        Ok(match target {
            Some(target) => u64::from(self.core(target)?.status != ThreadStatus::Terminated),
            None => 0,
        })
    }

    pub(super) fn present_state(
        &mut self,
        _: Reference,
        target: Option<usize>,
    ) -> Result<u64, Trap> {
        let state = match target {
            None => "NEW",
            Some(target) if target == self.current => "RUNNABLE",
            Some(target) => self.state_name(target)?,
        };
        crate::natives::thread_state(self, state)
    }

    pub(super) fn present_group(
        &mut self,
        object: Reference,
        target: Option<usize>,
    ) -> Result<u64, Trap> {
        match target.map(|target| self.core(target).map(|core| core.status)).transpose()? {
            Some(ThreadStatus::Terminated) => Ok(0),
            _ => Ok(self.group_of(object)?.0),
        }
    }

    pub(super) fn park(&mut self, call: &ThreadCall<'_>) -> Result<OperationResult, Trap> {
        let &ThreadCall { thread, arguments, performs: perform, .. } = call;
        let core = self.core(thread)?;
        let timed = arguments.get(2).is_some_and(|time| *time != 0);
        let unwoken = timed || self.options.spurious;
        if !perform || !(core.permit || core.interrupted || unwoken) {
            return Ok(OperationResult::Stop);
        }
        let time = arguments.get(2).copied().unwrap_or(0);
        let absolute = arguments.get(1).is_some_and(|word| *word != 0);
        let core = self.core_mut(thread)?;
        if !core.permit && !core.interrupted {
            core.clock = match absolute {
                true => core.clock.max(crate::natives::clock_at(time)),
                false => core.clock.saturating_add(time),
            };
        }
        core.permit = false;
        self.step.parked = true;
        Ok(OperationResult::Done(None))
    }

    pub(super) fn unpark(
        &mut self,
        object: Reference,
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        let Some(object) = object.non_null() else { return Ok(OperationResult::Done(None)) };
        if self.threads_can_notice() && !perform {
            return Ok(OperationResult::Stop);
        }
        if let Some(target) = self.thread_of(object)?
            && self.core(target)?.status != ThreadStatus::Terminated
        {
            self.core_mut(target)?.permit = true;
        }
        Ok(OperationResult::Done(None))
    }

    pub(super) fn interrupt(
        &mut self,
        object: Reference,
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        if self.threads_can_notice() && !perform {
            return Ok(OperationResult::Stop);
        }
        let Some(target) = self.thread_of(object)? else {
            self.set_field(object, "interrupted", 1)?;
            return Ok(OperationResult::Done(None));
        };
        let found = self.step.woken.take().and_then(|woken| woken.first().copied());
        let core = self.core_mut(target)?;
        // A thread that has ended keeps the interrupt too, so that its end and the interrupt commute. One that waits
        // keeps it until it has its lock back.
        core.interrupted = true;
        match &mut core.status {
            &mut ThreadStatus::Waiting { object, lock, count, interruptible: true, .. } => {
                let reason = found.map_or(WakeReason::Interrupted, |(_, reason)| reason);
                core.status = ThreadStatus::woken(object, lock, count, reason);
            }
            ThreadStatus::Reacquiring { reason, again, .. } => {
                if let Some((_, found)) = found {
                    (*reason, *again) = (found, true);
                }
            }
            _ => {}
        }
        Ok(OperationResult::Done(None))
    }

    /// What a started thread is doing, as a name of `Thread.State`. One that has come to what it would
    /// have to wait for waits already.
    pub(crate) fn state_name(&self, thread: usize) -> Result<&'static str, Trap> {
        // Who waits for a monitor is blocked; for any other lock it waits inside a call.
        let monitor = || self.present_call(thread).map(|call| self.is_monitor_call(call));
        Ok(match self.core(thread)?.status {
            ThreadStatus::Terminated => "TERMINATED",
            ThreadStatus::Waiting { timed: true, .. } => "TIMED_WAITING",
            ThreadStatus::Waiting { timed: false, .. } => "WAITING",
            ThreadStatus::Reacquiring { .. } if monitor()? => "BLOCKED",
            ThreadStatus::Reacquiring { .. } => "WAITING",
            ThreadStatus::Exiting => "RUNNABLE",
            ThreadStatus::Running if self.core(thread)?.approaching => "RUNNABLE",
            ThreadStatus::Running => match self.next(thread)? {
                NextOperation::Blocked(VisibleOperation::Acquire { .. }) if monitor()? => "BLOCKED",
                NextOperation::Blocked(VisibleOperation::End) => "BLOCKED",
                NextOperation::Blocked(VisibleOperation::Initialize { .. }) => "RUNNABLE",
                NextOperation::Blocked(_) => "WAITING",
                NextOperation::Ready(VisibleOperation::Sleep) => "TIMED_WAITING",
                NextOperation::Ready(operation) if operation.is_timeout() => "TIMED_WAITING",
                NextOperation::Ready(VisibleOperation::Jdk { call, .. })
                    if call.operation.wait_policy == WaitPolicy::Timed
                        && self.readiness(thread, &call)? == Readiness::Fails =>
                {
                    "TIMED_WAITING"
                }
                NextOperation::Ready(VisibleOperation::Jdk { call, .. })
                    if self.readiness(thread, &call)? == Readiness::Queues =>
                {
                    "WAITING"
                }
                _ => "RUNNABLE",
            },
        })
    }

    /// Whether a thread that stands before this call, or before none, is about a monitor.
    fn is_monitor_call(&self, call: Option<MethodId>) -> bool {
        let native = call.and_then(|method| self.world.method(method).native);
        native.is_none_or(|native| {
            matches!(native.effect, NativeEffect::Thread(operation) if std::ptr::eq(operation, &WAIT))
        })
    }

    /// The `int` operand of the instruction a thread stands at, counted from the top.
    pub(crate) fn int_operand(&self, thread: usize, from_top: usize) -> Result<i32, Fault> {
        self.operand(thread, from_top).map(int)
    }
}
