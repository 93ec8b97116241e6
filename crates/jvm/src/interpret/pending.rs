//! What a stopped thread would do next: the operation it stands before, and whether it can go on.

use super::atomic::{Atomic, Ordering, access_method, unsafe_cell};
use super::cell::Cell;
use super::fork_join::waiting_for_task;
use super::initialize::InitState;
use super::operation::{Address, Next, Operation};
use super::resolve::{TAKES, VOLATILE};
use crate::classfile::Type;
use crate::code::{Instruction, Op};
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::memory::{Hook, PERMANENT, Reference, Status};
use crate::natives::{Effect, ThreadOperation};
use crate::unknown::is_unknown;
use crate::world::{ClassId, Entry, MethodId};

impl Machine {
    /// What a thread would do next.
    pub fn next(&self, thread: usize) -> Result<Next, Fault> {
        if self.is_over() { Ok(Next::Done) } else { self.next_anyway(thread) }
    }

    /// What a thread would do next if the program were not over: daemon threads could have done it
    /// earlier.
    pub(crate) fn next_anyway(&self, thread: usize) -> Result<Next, Fault> {
        let Some(state) = self.threads.get(thread) else { return Ok(Next::Done) };
        match state.core.status {
            Status::Terminated | Status::Exiting => Ok(Next::Done),
            Status::Waiting { object, lock, timed, .. } => {
                let possible = (timed || self.options.spurious) && self.is_free(lock, thread);
                Ok(resuming(object, lock, true, possible))
            }
            Status::Reacquiring { object, lock, .. } => {
                Ok(resuming(object, lock, false, self.is_free(lock, thread)))
            }
            Status::Running => self.pending(thread),
        }
    }

    /// Whether the program has ended: by itself, or because only daemon threads are left.
    pub fn is_over(&self) -> bool {
        self.exit.is_some() || self.alive == 0
    }

    /// Whether a thread can take an object's monitor.
    fn is_free(&self, object: Reference, thread: usize) -> bool {
        self.heap.header(object).is_some_and(|header| header.is_free_for(thread))
    }

    /// The method that the instruction calls at which a thread stands.
    pub(crate) fn present_call(&self, thread: usize) -> Result<Option<MethodId>, Trap> {
        let core = self.core(thread)?;
        let code = &self.world.method(core.method).code;
        match code.instructions.get(core.pc as usize).copied() {
            Some(instruction) => self.call_target(thread, instruction.op, instruction),
            None => Ok(None),
        }
    }

    /// The operation of the instruction that a running thread has stopped before.
    fn pending(&self, thread: usize) -> Result<Next, Fault> {
        if self.unknowns.branches(thread) {
            return Ok(Next::Ready(Operation::Branch));
        }
        let core = self.core(thread)?;
        let code = &self.world.method(core.method).code;
        let Some(instruction) = code.instructions.get(core.pc as usize).copied() else {
            return Err(Fault::internal("a thread stands nowhere"));
        };
        let operation =
            self.operation(thread, core.method, instruction).map_err(super::exception::fault_of)?;
        Ok(match operation {
            Some(next) => next,
            None => {
                return Err(Fault::internal(format!(
                    "a thread stopped before {:?}",
                    instruction.op
                )));
            }
        })
    }

    fn operation(
        &self,
        thread: usize,
        method: MethodId,
        instruction: Instruction,
    ) -> Result<Option<Next>, Trap> {
        let top = |index: usize| self.operand(thread, index).map(Reference);
        let volatile = instruction.c & VOLATILE != 0;
        let read = |cell: Cell| Next::Ready(Operation::Read { place: Address::of(cell), volatile });
        let write =
            |cell: Cell| Next::Ready(Operation::Write { place: Address::of(cell), volatile });
        let element = |array: Reference, index: i32| -> Result<Cell, Trap> {
            let (_, kind) = self.element_type(array)?;
            Ok(Cell::element(array, index as u32, kind))
        };
        Ok(Some(match instruction.op {
            Op::GetField if instruction.c & TAKES != 0 => self.pending_completion(thread)?,
            Op::GetField => read(Cell::field(top(0)?, instruction.a, Type::Long)),
            Op::PutField | Op::PutFieldReference => {
                write(Cell::field(top(1)?, instruction.a, Type::Long))
            }
            Op::GetStatic
            | Op::GetStaticQuiet
            | Op::PutStatic
            | Op::PutStaticReference
            | Op::PutStaticFrozen => {
                if instruction.b != 0 {
                    let class =
                        self.world.method(method).code.classes[usize::from(instruction.b) - 1];
                    if !self.is_initialized(class, thread) {
                        return Ok(Some(self.pending_initialization(class)));
                    }
                }
                let cell = Cell::field(Reference::new(PERMANENT, instruction.a), 0, Type::Long);
                if matches!(instruction.op, Op::GetStatic | Op::GetStaticQuiet) {
                    read(cell)
                } else {
                    write(cell)
                }
            }
            Op::LoadByte
            | Op::LoadChar
            | Op::LoadShort
            | Op::LoadInt
            | Op::LoadLong
            | Op::LoadReference => read(element(top(1)?, self.int_operand(thread, 0)?)?),
            Op::StoreByte | Op::StoreShort | Op::StoreInt | Op::StoreLong | Op::StoreReference => {
                write(element(top(2)?, self.int_operand(thread, 1)?)?)
            }
            Op::MonitorEnter => self.pending_lock(thread, top(0)?),
            Op::MonitorExit => {
                Next::Ready(Operation::Release { object: Address::of_object(top(0)?) })
            }
            Op::Return | Op::ReturnWord if self.hook(thread)? == Hook::Unlock => {
                let object = Reference(self.last_local(thread)?);
                Next::Ready(Operation::Release { object: Address::of_object(object) })
            }
            Op::Return | Op::ReturnWord if self.hook(thread)? == Hook::EndThread => {
                Next::Ready(Operation::End)
            }
            Op::NewInitialize | Op::InitializeClass => {
                self.pending_initialization(ClassId(instruction.a))
            }
            Op::InvokeVarHandle => {
                let (cell, site) = self.pending_var_handle(thread, instruction)?;
                let (atomic, ordering) = access_method(site.mode);
                let values = self.var_handle_values(thread, instruction)?;
                self.pending_access(cell, atomic, ordering, &values)?
            }
            op => match self.call_target(thread, op, instruction)? {
                Some(target) => return self.pending_call(thread, op, target),
                None => return Ok(None),
            },
        }))
    }

    /// The method that a call instruction would run.
    fn call_target(
        &self,
        thread: usize,
        op: Op,
        instruction: Instruction,
    ) -> Result<Option<MethodId>, Trap> {
        let class_of_receiver = || -> Result<ClassId, Trap> {
            let receiver = Reference(self.operand(thread, usize::from(instruction.b) - 1)?);
            Ok(self.class_of(receiver)?)
        };
        Ok(match op {
            Op::InvokeStatic | Op::InvokeStaticInitialize | Op::InvokeSpecial => {
                Some(MethodId(instruction.a))
            }
            Op::InvokeVirtual => {
                let place = self.world.method(MethodId(instruction.a)).vtable;
                self.world.class(class_of_receiver()?).vtable.get(place as usize).copied()
            }
            Op::InvokeInterface => {
                self.world.implementation(class_of_receiver()?, MethodId(instruction.a))
            }
            _ => None,
        })
    }

    fn pending_call(&self, thread: usize, op: Op, target: MethodId) -> Result<Option<Next>, Trap> {
        let method = self.world.method(target);
        if op == Op::InvokeStaticInitialize && !self.is_initialized(method.class, thread) {
            return Ok(Some(self.pending_initialization(method.class)));
        }
        let count = usize::from(method.arguments);
        let mut arguments = smallvec::SmallVec::<[u64; 8]>::new();
        for index in (0..count).rev() {
            arguments.push(self.operand(thread, index)?);
        }
        match (method.entry, method.native.map(|native| native.effect)) {
            (Entry::Native, Some(Effect::Memory(atomic, kind, ordering))) => {
                let cell = unsafe_cell(kind, &arguments)?;
                let values = arguments.get(3..).unwrap_or_default();
                self.pending_access(cell, atomic, ordering, values).map(Some)
            }
            (Entry::Native, Some(Effect::Thread(operation))) => {
                self.pending_thread_operation(thread, operation, &arguments).map(Some)
            }
            _ if method.is_synchronized() => {
                Ok(Some(self.pending_lock(thread, self.lock_of(thread, target)?)))
            }
            _ => Ok(None),
        }
    }

    fn pending_lock(&self, thread: usize, object: Reference) -> Next {
        let operation = Operation::Acquire { object: Address::of_object(object) };
        if self.is_free(object, thread) { Next::Ready(operation) } else { Next::Blocked(operation) }
    }

    fn pending_initialization(&self, class: ClassId) -> Next {
        let place = Address::of_object(self.mirror(class));
        let state = self.init_state(class);
        let done = matches!(state, InitState::Done(_) | InitState::Failed);
        let operation = Operation::Initialize { class: place, done };
        if matches!(state, InitState::InProgress(_)) {
            Next::Blocked(operation)
        } else {
            Next::Ready(operation)
        }
    }

    fn pending_access(
        &self,
        cell: Cell,
        atomic: Atomic,
        ordering: Ordering,
        values: &[u64],
    ) -> Result<Next, Trap> {
        let place = Address::of(cell);
        let volatile = ordering == Ordering::Volatile;
        Ok(Next::Ready(match atomic {
            Atomic::Get => Operation::Read { place, volatile },
            Atomic::Set => Operation::Write { place, volatile },
            Atomic::CompareAndSet | Atomic::CompareAndExchange => {
                let old = self.read_cell(cell)?;
                let unknown =
                    is_unknown(old) || values.first().is_some_and(|word| is_unknown(*word));
                let expected = values.first().map(|word| super::cell::widen(*word, cell.kind));
                Operation::Update { place, writes: unknown || expected == Some(old) }
            }
            _ => Operation::Update { place, writes: true },
        }))
    }

    fn pending_thread_operation(
        &self,
        thread: usize,
        operation: ThreadOperation,
        arguments: &[u64],
    ) -> Result<Next, Trap> {
        let argument = |index: usize| Reference(arguments.get(index).copied().unwrap_or(0));
        let object = Address::of_object(argument(0));
        let target = match operation.addressee().map(argument) {
            Some(object) if self.has_to_look_for_start(thread, object)? => {
                let interrupts = operation == ThreadOperation::Interrupt;
                let object = Address::of_object(object);
                return Ok(Next::Ready(Operation::LookForStart { object, interrupts }));
            }
            Some(object) => self.thread_of(object)?.unwrap_or(thread),
            None => thread,
        };
        Ok(match operation {
            ThreadOperation::Start => {
                let seen = self.is_shared(argument(0))?.then_some(object);
                Next::Ready(Operation::Start { child: self.core(thread)?.children, object: seen })
            }
            ThreadOperation::HandIn | ThreadOperation::Fork => {
                Next::Ready(Operation::Start { child: self.core(thread)?.children, object: None })
            }
            ThreadOperation::Join => {
                let timed = arguments.get(1).is_some_and(|millis| *millis != 0);
                let operation = Operation::Join { thread: target, timed };
                if self.has_ended(target) || timed || self.core(thread)?.interrupted {
                    Next::Ready(operation)
                } else {
                    Next::Blocked(operation)
                }
            }
            ThreadOperation::CountThreads
            | ThreadOperation::ListThreads
            | ThreadOperation::AllThreads => Next::Ready(Operation::AskThreads),
            ThreadOperation::IsAlive | ThreadOperation::GetGroup => {
                Next::Ready(Operation::AskAlive { thread: target })
            }
            ThreadOperation::GetState => Next::Ready(Operation::AskState { thread: target }),
            ThreadOperation::Sleep => Next::Ready(Operation::Sleep),
            ThreadOperation::Park => {
                let core = self.core(thread)?;
                let woken = core.permit || core.interrupted;
                let timed = arguments.get(2).is_some_and(|time| *time != 0);
                let operation = Operation::Park { timeout: !woken };
                let unwoken = timed || self.options.spurious;
                if woken || unwoken { Next::Ready(operation) } else { Next::Blocked(operation) }
            }
            ThreadOperation::Unpark => Next::Ready(Operation::Unpark { thread: target }),
            ThreadOperation::Interrupt => Next::Ready(Operation::Interrupt { thread: target }),
            ThreadOperation::IsInterrupted => {
                Next::Ready(Operation::AskInterrupted { thread: target, clear: false })
            }
            ThreadOperation::Interrupted => {
                Next::Ready(Operation::AskInterrupted { thread, clear: true })
            }
            ThreadOperation::Wait => Next::Ready(Operation::Wait { object, lock: object }),
            ThreadOperation::Await { .. } => {
                let lock = self.lock_of_condition(argument(0))?.unwrap_or(argument(0));
                Next::Ready(Operation::Wait { object, lock: Address::of_object(lock) })
            }
            ThreadOperation::Notify
            | ThreadOperation::NotifyAll
            | ThreadOperation::Signal
            | ThreadOperation::SignalAll => {
                let all =
                    matches!(operation, ThreadOperation::NotifyAll | ThreadOperation::SignalAll);
                let waiting = self.waiting_on(argument(0)).len() as u32;
                let in_order = operation == ThreadOperation::Signal;
                Next::Ready(Operation::Notify { object, all, waiting, in_order })
            }
            ThreadOperation::HasWaiters | ThreadOperation::CountWaiters => {
                Next::Ready(Operation::LookAtWaiters { object })
            }
            ThreadOperation::Synchronise(operation) => {
                self.pending_synchronise(thread, operation, arguments)?
            }
            ThreadOperation::Lock | ThreadOperation::TryLock | ThreadOperation::Unlock => {
                let Some(monitor) = self.lock_monitor(argument(0))? else {
                    return Err(Fault::internal("a thread stopped before a real lock").into());
                };
                let object = Address::of_object(monitor);
                match operation {
                    ThreadOperation::Unlock => Next::Ready(Operation::Release { object }),
                    ThreadOperation::TryLock => {
                        let succeeds = self.is_free(monitor, thread);
                        Next::Ready(Operation::TryAcquire { object, succeeds })
                    }
                    _ => self.pending_lock(thread, monitor),
                }
            }
            ThreadOperation::Whole(whole) => self.pending_whole(thread, whole, arguments)?,
            ThreadOperation::Complete(_) => self.pending_completion(thread)?,
            ThreadOperation::AwaitTask => {
                self.pending_whole(thread, waiting_for_task(arguments), arguments)?
            }
            ThreadOperation::Yield
            | ThreadOperation::Work
            | ThreadOperation::HandOver
            | ThreadOperation::WaitForTask => {
                return Err(Fault::internal("a thread stopped before nothing").into());
            }
        })
    }
}

/// What a thread in a wait set, or just woken, stands before.
fn resuming(object: Reference, lock: Reference, timeout: bool, possible: bool) -> Next {
    let (object, lock) = (Address::of_object(object), Address::of_object(lock));
    let operation = Operation::Resume { object, lock, timeout };
    if possible { Next::Ready(operation) } else { Next::Blocked(operation) }
}
