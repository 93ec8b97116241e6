//! Operations on threads: starting, joining, parking, interrupting, and asking for their states.

use super::arithmetic::int;
use super::jdk_operation::{Readiness, WaitPolicy};
use super::operation::{NextOperation, VisibleOperation};
use super::wait_set::timeout;
use crate::classfile::access;
use crate::code::{Code, Instruction, Opcode};
use crate::error::Fault;
use crate::machine::{Machine, Trap, bad_reference, raise};
use crate::memory::{Core, Hook, Reference, ThreadStatus, WakeReason};
use crate::natives::{NativeEffect, ThreadOperation};
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
    /// Performs an operation on threads, or says that the thread must stop before it.
    pub(crate) fn thread_operation(
        &mut self,
        thread: usize,
        operation: ThreadOperation,
        arguments: &[u64],
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        let argument = |index: usize| Reference(arguments.get(index).copied().unwrap_or(0));
        if let Some(object) = operation.thread_argument().map(argument)
            && self.must_check_started(thread, object)?
        {
            if !perform {
                return Ok(OperationResult::Stop);
            }
            if self.thread_of(object)?.is_some() {
                self.core_mut(thread)?.checked = true;
                return Ok(OperationResult::Stop);
            }
        }
        let outcome = self.perform_on_thread(thread, operation, arguments, perform);
        let stops = matches!(outcome, Ok(OperationResult::Stop));
        if operation.thread_argument().is_some() && !stops && self.core(thread)?.checked {
            self.core_mut(thread)?.checked = false;
        }
        outcome
    }

    fn perform_on_thread(
        &mut self,
        thread: usize,
        operation: ThreadOperation,
        arguments: &[u64],
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        let receiver = arguments.first().map_or(Reference::NULL, |word| Reference(*word));
        match operation {
            ThreadOperation::Start => self.start(thread, receiver, perform),
            ThreadOperation::Join => self.join(thread, receiver, arguments, perform),
            ThreadOperation::CountThreads => self.count_members(receiver, perform),
            ThreadOperation::ListThreads => self.enumerate_members(arguments, perform),
            ThreadOperation::AllThreads => self.all_threads(perform),
            ThreadOperation::IsAlive | ThreadOperation::GetState | ThreadOperation::GetGroup => {
                self.ask_about(thread, receiver, operation, perform)
            }
            ThreadOperation::Park => self.park(thread, arguments, perform),
            ThreadOperation::Unpark => {
                let target = arguments.get(1).map_or(Reference::NULL, |word| Reference(*word));
                self.unpark(target, perform)
            }
            ThreadOperation::Interrupt => self.interrupt(receiver, perform),
            // Who has parked has looked for an interrupt in the same step, and others have not.
            ThreadOperation::IsInterrupted if self.is_in_rendezvous(thread)? => {
                let interrupted = self.step.parked && self.core(thread)?.interrupted;
                Ok(OperationResult::Done(Some(u64::from(interrupted))))
            }
            ThreadOperation::IsInterrupted => {
                if self.threads_can_notice() && !perform {
                    return Ok(OperationResult::Stop);
                }
                let interrupted = match self.thread_of(receiver)? {
                    Some(target) => self.core(target)?.interrupted,
                    None => self.get_field(receiver, "interrupted")? != 0,
                };
                Ok(OperationResult::Done(Some(u64::from(interrupted))))
            }
            ThreadOperation::Interrupted => {
                if self.threads_can_notice() && !perform {
                    return Ok(OperationResult::Stop);
                }
                let interrupted = self.core(thread)?.interrupted;
                if interrupted {
                    self.core_mut(thread)?.interrupted = false;
                }
                Ok(OperationResult::Done(Some(u64::from(interrupted))))
            }
            ThreadOperation::Wait => self.wait(thread, receiver, arguments, perform),
            ThreadOperation::Await { interruptible } => {
                self.wait_on_condition(thread, receiver, arguments, interruptible, perform)
            }
            ThreadOperation::Notify | ThreadOperation::NotifyAll => {
                let all = operation == ThreadOperation::NotifyAll;
                self.notify(thread, receiver, receiver, all, perform)
            }
            ThreadOperation::Signal | ThreadOperation::SignalAll => {
                let Some(lock) = self.lock_of_condition(receiver)? else {
                    return Ok(OperationResult::Decline);
                };
                let all = operation == ThreadOperation::SignalAll;
                self.notify(thread, receiver, lock, all, perform)
            }
            ThreadOperation::HasWaiters | ThreadOperation::CountWaiters => {
                self.ask_for_waiters(thread, receiver, operation, perform)
            }
            ThreadOperation::Lock | ThreadOperation::Unlock => {
                self.lock_operation(thread, receiver, operation, perform)
            }
            ThreadOperation::Destroy => self.start_destroyer(thread, perform),
            ThreadOperation::HandIn => {
                let task = arguments.get(1).map_or(Reference::NULL, |word| Reference(*word));
                self.hand_to_workers(thread, receiver, task, true, perform)
            }
            ThreadOperation::Fork => {
                let word = |index: usize| arguments.get(index).copied().unwrap_or(0);
                let (task, pool) = (Reference(word(1)), Reference(word(2)));
                self.hand_to_workers(thread, pool, task, false, perform)
            }
            ThreadOperation::Complete(operation) => {
                self.enter_completion(thread, operation, arguments, perform)
            }
            ThreadOperation::Work => {
                let hidden = self.has_atomic_calls(receiver)?;
                Ok(if hidden { OperationResult::RunHidden } else { OperationResult::Decline })
            }
            ThreadOperation::HandOver => {
                let task = arguments.get(1).map_or(Reference::NULL, |word| Reference(*word));
                self.hand_over(thread, receiver, task)
            }
            ThreadOperation::WaitForTask => self.wait_for_task(thread),
            ThreadOperation::Yield => Ok(OperationResult::Done(None)),
            ThreadOperation::Sleep => {
                let millis = timeout(arguments.first())?;
                if self.threads_can_notice() && !perform {
                    return Ok(OperationResult::Stop);
                }
                if self.core(thread)?.interrupted {
                    self.core_mut(thread)?.interrupted = false;
                    return raise("java/lang/InterruptedException", "sleep interrupted");
                }
                self.core_mut(thread)?.clock += (millis as u64).saturating_mul(1_000_000);
                Ok(OperationResult::Done(None))
            }
        }
    }

    /// An operation on a `ReentrantLock` that is a monitor.
    fn lock_operation(
        &mut self,
        thread: usize,
        lock: Reference,
        operation: ThreadOperation,
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        let Some(monitor) = self.lock_monitor(lock)? else { return Ok(OperationResult::Decline) };
        let header = self.heap.header(monitor).ok_or_else(bad_reference)?;
        let is_owner = header.owner().is_some_and(|held| held.0 == thread);
        let done = match operation {
            ThreadOperation::Unlock if !is_owner => {
                return Err(Trap::Raise("java/lang/IllegalMonitorStateException", None));
            }
            ThreadOperation::Unlock => self.unlock(thread, monitor, perform)?,
            _ => self.lock(thread, monitor, perform)?,
        };
        Ok(if done { OperationResult::Done(None) } else { OperationResult::Stop })
    }

    /// Starts a thread. Starting is an operation even of a program's first thread.
    fn start(
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
            return Err(Trap::Raise("java/lang/IllegalThreadStateException", None));
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
        let mut core = Core::new(object);
        core.daemon = self.is_daemon(object)? || self.is_async_task(parent)?;
        core.clock = self.core(parent)?.clock;
        core.interrupted = self.get_field(object, "interrupted")? != 0;
        core.born = self.threads.list.iter().flatten().count() as u32;
        self.alive += u32::from(!core.daemon);
        self.threads.insert(index, core);
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
            return Err(Fault::Limit {
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
    fn join(
        &mut self,
        thread: usize,
        object: Reference,
        arguments: &[u64],
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        let millis = timeout(arguments.get(1))?;
        let Some(target) = self.thread_of(object)? else { return Ok(OperationResult::Done(None)) };
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
            return Err(Trap::Raise("java/lang/InterruptedException", None));
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

    /// Whether a thread is alive, or in which state it is.
    fn ask_about(
        &mut self,
        thread: usize,
        object: Reference,
        operation: ThreadOperation,
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        let target = self.thread_of(object)?;
        let other = target.is_some_and(|target| target != thread);
        if other && self.threads_can_notice() && !perform {
            return Ok(OperationResult::Stop);
        }
        let answer = match (operation, target) {
            (ThreadOperation::GetState, _) => {
                let state = match target {
                    None => "NEW",
                    Some(target) if target == thread => "RUNNABLE",
                    Some(target) => self.state_name(target)?,
                };
                crate::natives::thread_state(self, state)?
            }
            (ThreadOperation::GetGroup, target) => {
                let ended = target.map(|target| self.core(target).map(|core| core.status));
                match ended.transpose()? {
                    Some(ThreadStatus::Terminated) => 0,
                    _ => self.group_of(object)?.0,
                }
            }
            (_, Some(target)) => u64::from(self.core(target)?.status != ThreadStatus::Terminated),
            (_, None) => 0,
        };
        Ok(OperationResult::Done(Some(answer)))
    }

    fn park(
        &mut self,
        thread: usize,
        arguments: &[u64],
        perform: bool,
    ) -> Result<OperationResult, Trap> {
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

    fn unpark(&mut self, object: Reference, perform: bool) -> Result<OperationResult, Trap> {
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

    fn interrupt(&mut self, object: Reference, perform: bool) -> Result<OperationResult, Trap> {
        if self.threads_can_notice() && !perform {
            return Ok(OperationResult::Stop);
        }
        let Some(target) = self.thread_of(object)? else {
            self.set_field(object, "interrupted", 1)?;
            return Ok(OperationResult::Done(None));
        };
        let core = self.core_mut(target)?;
        // A thread that has ended keeps the interrupt too, so that its end and the interrupt commute.
        match core.status {
            ThreadStatus::Waiting { object, lock, count, interruptible: true, .. } => {
                let reason = WakeReason::Interrupted;
                core.status = ThreadStatus::Reacquiring { object, lock, count, reason };
            }
            _ => core.interrupted = true,
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
                _ => "RUNNABLE",
            },
        })
    }

    /// Whether a thread that stands before this call, or before none, is about a monitor.
    fn is_monitor_call(&self, call: Option<MethodId>) -> bool {
        let native = call.and_then(|method| self.world.method(method).native);
        native.is_none_or(|native| {
            matches!(native.effect, NativeEffect::Thread(ThreadOperation::Wait))
        })
    }

    /// The `int` operand of the instruction a thread stands at, counted from the top.
    pub(crate) fn int_operand(&self, thread: usize, from_top: usize) -> Result<i32, Fault> {
        self.operand(thread, from_top).map(int)
    }
}
