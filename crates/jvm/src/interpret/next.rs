//! What a stopped thread would do next: the operation it stands before, and whether it can go on.

use super::access::{AccessKind, Ordering, access_method, unsafe_cell};
use super::initialize::InitState;
use super::operation::{Address, NextOperation, VisibleOperation};
use super::resolve::{TAKES, VOLATILE};
use super::variable::MemoryCell;
use crate::classfile::Type;
use crate::code::{Instruction, Opcode};
use crate::error::Fault;
use crate::load::Origin;
use crate::machine::{Machine, Trap};
use crate::memory::{Hook, PERMANENT, Reference, ThreadStatus};
use crate::natives::NativeEffect;
use crate::unknown::is_unknown;
use crate::world::{ClassId, MethodEntry, MethodId};

impl Machine {
    /// What a thread would do next.
    pub fn next(&self, thread: usize) -> Result<NextOperation, Fault> {
        if self.is_over() { Ok(NextOperation::Done) } else { self.next_anyway(thread) }
    }

    /// What a thread would do next if the program were not over: daemon threads could have done it
    /// earlier.
    pub(crate) fn next_anyway(&self, thread: usize) -> Result<NextOperation, Fault> {
        let Some(state) = self.threads.get(thread) else { return Ok(NextOperation::Done) };
        match state.core.status {
            ThreadStatus::Terminated | ThreadStatus::Exiting => Ok(NextOperation::Done),
            ThreadStatus::Waiting { object, lock, timed, .. } => {
                let possible =
                    (timed || self.options.spurious) && self.can_be_taken_back(lock, thread);
                Ok(resuming(object, lock, true, possible))
            }
            ThreadStatus::Reacquiring { object, lock, .. } => {
                Ok(resuming(object, lock, false, self.can_be_taken_back(lock, thread)))
            }
            ThreadStatus::Running => self.pending(thread),
        }
    }

    /// Whether the program has ended: by itself, or because only daemon threads are left.
    pub fn is_over(&self) -> bool {
        self.exit.is_some() || self.alive == 0
    }

    /// Whether a thread can take an object's monitor.
    pub(super) fn is_free(&self, object: Reference, thread: usize) -> bool {
        self.heap.header(object).is_some_and(|header| header.is_free_for(thread))
    }

    /// Whether a thread that has waited can take its lock back, or join those who wait for it.
    fn can_be_taken_back(&self, lock: Reference, thread: usize) -> bool {
        self.is_free(lock, thread) || self.joins_to_take_back(lock, thread)
    }

    /// Whether a thread that has waited joins those who wait for its lock.
    pub(crate) fn joins_to_take_back(&self, lock: Reference, thread: usize) -> bool {
        !self.is_free(lock, thread)
            && self.writers_queue(lock)
            && !self.waits_in_queue(thread, lock)
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
    fn pending(&self, thread: usize) -> Result<NextOperation, Fault> {
        if self.unknowns.branches(thread) {
            return Ok(NextOperation::Ready(VisibleOperation::Branch));
        }
        let core = self.core(thread)?;
        let code = &self.world.method(core.method).code;
        let Some(instruction) = code.instructions.get(core.pc as usize).copied() else {
            return Err(Fault::internal("a thread has no current instruction"));
        };
        self.operation(thread, core.method, instruction).map_err(super::exception::fault_of)
    }

    #[inline(always)]
    fn operation(
        &self,
        thread: usize,
        method: MethodId,
        instruction: Instruction,
    ) -> Result<NextOperation, Trap> {
        let top = |index: usize| self.operand(thread, index).map(Reference);
        let volatile = instruction.c & VOLATILE != 0;
        let ordering = if volatile { Ordering::Volatile } else { Ordering::Plain };
        let read = |cell: MemoryCell| {
            NextOperation::Ready(VisibleOperation::Read { place: Address::of(cell), ordering })
        };
        let write = |cell: MemoryCell| {
            NextOperation::Ready(VisibleOperation::Write { place: Address::of(cell), ordering })
        };
        let element = |array: Reference, index: i32| -> Result<MemoryCell, Trap> {
            let (_, kind) = self.element_type(array)?;
            Ok(MemoryCell::element(array, index as u32, kind))
        };
        Ok(match instruction.op {
            Opcode::GetField if instruction.c & TAKES != 0 => self.pending_completion(thread)?,
            Opcode::GetField => read(MemoryCell::field(top(0)?, instruction.a, Type::Long)),
            Opcode::PutField | Opcode::PutFieldReference => {
                write(MemoryCell::field(top(1)?, instruction.a, Type::Long))
            }
            Opcode::GetStatic
            | Opcode::GetStaticHidden
            | Opcode::PutStatic
            | Opcode::PutStaticReference
            | Opcode::PutStaticFrozen => {
                if instruction.b != 0 {
                    let class =
                        self.world.method(method).code.classes[usize::from(instruction.b) - 1];
                    if !self.is_initialized(class, thread) {
                        return Ok(self.pending_initialization(class));
                    }
                }
                let cell =
                    MemoryCell::field(Reference::new(PERMANENT, instruction.a), 0, Type::Long);
                if matches!(instruction.op, Opcode::GetStatic | Opcode::GetStaticHidden) {
                    read(cell)
                } else {
                    write(cell)
                }
            }
            Opcode::LoadByte
            | Opcode::LoadChar
            | Opcode::LoadShort
            | Opcode::LoadInt
            | Opcode::LoadLong
            | Opcode::LoadReference => read(element(top(1)?, self.int_operand(thread, 0)?)?),
            Opcode::StoreByte
            | Opcode::StoreShort
            | Opcode::StoreInt
            | Opcode::StoreLong
            | Opcode::StoreReference => write(element(top(2)?, self.int_operand(thread, 1)?)?),
            Opcode::MonitorEnter => self.pending_lock(thread, top(0)?),
            Opcode::MonitorExit => NextOperation::Ready(VisibleOperation::Release {
                object: Address::of_object(top(0)?),
            }),
            Opcode::Return | Opcode::ReturnWord if self.hook(thread)? == Hook::Unlock => {
                let object = Reference(self.last_local(thread)?);
                NextOperation::Ready(VisibleOperation::Release {
                    object: Address::of_object(object),
                })
            }
            Opcode::Return | Opcode::ReturnWord if self.hook(thread)? == Hook::EndThread => {
                match self.may_end(thread)? {
                    true => NextOperation::Ready(VisibleOperation::End),
                    false => NextOperation::Blocked(VisibleOperation::End),
                }
            }
            Opcode::NewInitialize | Opcode::InitializeClass => {
                self.pending_initialization(ClassId(instruction.a))
            }
            Opcode::InvokeVarHandle => {
                let (cell, site) = self.pending_var_handle(thread, instruction)?;
                let (atomic, ordering) = access_method(site.mode);
                // The library combines weaker ones with fences.
                let weak = !matches!(ordering, Ordering::Plain | Ordering::Volatile);
                let origin = self.world.class(self.world.method(method).class).origin;
                let ordering =
                    if weak && origin == Origin::Jdk { Ordering::Volatile } else { ordering };
                let values = self.var_handle_values(thread, instruction)?;
                self.pending_access(cell, atomic, ordering, &values)?
            }
            _ => self.called_operation(thread, instruction)?,
        })
    }

    /// The same for an instruction that calls a method.
    #[inline(never)]
    fn called_operation(
        &self,
        thread: usize,
        instruction: Instruction,
    ) -> Result<NextOperation, Trap> {
        let op = instruction.op;
        let target = self.call_target(thread, op, instruction)?;
        let operation = target.map(|target| self.pending_call(thread, op, target)).transpose()?;
        let operation = operation.flatten();
        operation.ok_or_else(|| Fault::internal(format!("a thread stopped before {op:?}")).into())
    }

    /// The method that a call instruction would run.
    fn call_target(
        &self,
        thread: usize,
        op: Opcode,
        instruction: Instruction,
    ) -> Result<Option<MethodId>, Trap> {
        let class_of_receiver = || -> Result<ClassId, Trap> {
            let receiver = Reference(self.operand(thread, usize::from(instruction.b) - 1)?);
            Ok(self.class_of(receiver)?)
        };
        Ok(match op {
            Opcode::InvokeStatic | Opcode::InvokeStaticInitialize | Opcode::InvokeSpecial => {
                Some(MethodId(instruction.a))
            }
            Opcode::InvokeVirtual => {
                let place = self.world.method(MethodId(instruction.a)).vtable;
                self.world.class(class_of_receiver()?).vtable.get(place as usize).copied()
            }
            Opcode::InvokeInterface => {
                self.world.implementation(class_of_receiver()?, MethodId(instruction.a))
            }
            _ => None,
        })
    }

    fn pending_call(
        &self,
        thread: usize,
        op: Opcode,
        target: MethodId,
    ) -> Result<Option<NextOperation>, Trap> {
        let method = self.world.method(target);
        if op == Opcode::InvokeStaticInitialize && !self.is_initialized(method.class, thread) {
            return Ok(Some(self.pending_initialization(method.class)));
        }
        let count = usize::from(method.arguments);
        let mut arguments = smallvec::SmallVec::<[u64; 8]>::new();
        for index in (0..count).rev() {
            arguments.push(self.operand(thread, index)?);
        }
        match (method.entry, method.native.map(|native| &native.effect)) {
            (MethodEntry::Native, Some(&NativeEffect::Memory(atomic, kind, ordering))) => {
                let cell = unsafe_cell(kind, &arguments)?;
                let values = arguments.get(3..).unwrap_or_default();
                self.pending_access(cell, atomic, ordering, values).map(Some)
            }
            (MethodEntry::Native, Some(NativeEffect::Thread(operation))) => {
                self.pending_thread_operation(thread, operation, &arguments).map(Some)
            }
            (MethodEntry::Native, Some(NativeEffect::Future(_))) => {
                self.pending_completion(thread).map(Some)
            }
            (MethodEntry::Native, Some(NativeEffect::Files)) => {
                self.pending_files(thread).map(Some)
            }
            (MethodEntry::Native, Some(NativeEffect::Jdk(operation))) => {
                self.pending_jdk_operation(thread, operation, &arguments).map(Some)
            }
            _ if method.is_synchronized() => {
                Ok(Some(self.pending_lock(thread, self.lock_of(thread, target)?)))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn pending_lock(&self, thread: usize, object: Reference) -> NextOperation {
        let operation = VisibleOperation::Acquire { object: Address::of_object(object) };
        if self.is_free(object, thread) {
            NextOperation::Ready(operation)
        } else {
            NextOperation::Blocked(operation)
        }
    }

    fn pending_initialization(&self, class: ClassId) -> NextOperation {
        let place = Address::of_object(self.mirror(class));
        let state = self.init_state(class);
        let done = matches!(state, InitState::Done(_) | InitState::Failed);
        let operation = VisibleOperation::Initialize { class: place, done };
        if matches!(state, InitState::InProgress(_)) {
            NextOperation::Blocked(operation)
        } else {
            NextOperation::Ready(operation)
        }
    }

    fn pending_access(
        &self,
        cell: MemoryCell,
        atomic: AccessKind,
        ordering: Ordering,
        values: &[u64],
    ) -> Result<NextOperation, Trap> {
        let place = Address::of(cell);
        Ok(NextOperation::Ready(match atomic {
            AccessKind::Get => VisibleOperation::Read { place, ordering },
            AccessKind::Set => VisibleOperation::Write { place, ordering },
            AccessKind::CompareAndSet | AccessKind::CompareAndExchange => {
                let old = self.read_cell(cell)?;
                let unknown =
                    is_unknown(old) || values.first().is_some_and(|word| is_unknown(*word));
                let expected = values.first().map(|word| super::variable::widen(*word, cell.kind));
                let writes = unknown || expected == Some(old);
                VisibleOperation::Update { place, writes, ordering }
            }
            _ => VisibleOperation::Update { place, writes: true, ordering },
        }))
    }
}

/// What a thread in a wait set, or just woken, stands before.
fn resuming(object: Reference, lock: Reference, timeout: bool, possible: bool) -> NextOperation {
    let (object, lock) = (Address::of_object(object), Address::of_object(lock));
    let operation = VisibleOperation::Resume { object, lock, timeout };
    if possible { NextOperation::Ready(operation) } else { NextOperation::Blocked(operation) }
}
