//! Replacing instructions that name constants by instructions that name what these stand for.
//!
//! The replacement is part of the class and not of the execution: it depends on the names only. An
//! instruction whose class may need initialisation in this execution keeps asking; one of a JDK
//! class is replaced after the class was initialised for good.

use super::run::LoopControl;
use crate::classfile::{Constant, MemberRef, Type, access};
use crate::code::{Instruction, Opcode};
use crate::error::{Fault, FaultKind};
use crate::machine::{Machine, Trap};
use crate::memory::{INTERNALS, LIBRARY, SHARED};
use crate::world::{CallSite, ClassId, Field, InitPolicy, MethodId};

/// Operand `c` of field instructions: the field is volatile.
pub(crate) const VOLATILE: u8 = 1;
/// Operand `c` of field stores: the store itself is not visible.
pub(crate) const HIDDEN: u8 = 2;
/// Flag of a read that takes a stage of a `CompletableFuture`.
pub(crate) const TAKES: u8 = 4;
/// Operand `c` of accesses to static fields: what hangs on the field is the library's own.
const OF_LIBRARY: u8 = 8;
/// Operand `c` of accesses to static fields: what hangs on the field is inside of pools and queues.
const OF_INTERNALS: u8 = 16;

/// Where a task is in its queue, or that it is in none. The queue keeps that up to date inside of atomic calls, and a task
/// that is cancelled looks at it in between, to save itself the search. It never does so here: it asks the queue, which
/// finds no task that is not there.
const PLACE_IN_QUEUE: (&str, &str) =
    ("java/util/concurrent/ScheduledThreadPoolExecutor$ScheduledFutureTask", "heapIndex");

/// The flag of a static field, given the operand `c` of an access to it.
#[inline(always)]
pub(crate) fn static_flag(c: u8) -> u64 {
    match c & (OF_LIBRARY | OF_INTERNALS) {
        0 => SHARED,
        OF_LIBRARY => LIBRARY,
        _ => INTERNALS,
    }
}

/// The operand `c` of accesses to a field.
pub(crate) fn access_flags(field: &Field) -> u8 {
    let volatile = if field.is_volatile() { VOLATILE } else { 0 };
    match field.flag {
        _ if !field.is_static() => volatile,
        LIBRARY => volatile | OF_LIBRARY,
        INTERNALS => volatile | OF_INTERNALS,
        _ => volatile,
    }
}

impl Machine {
    /// Resolves the instruction a thread stands at.
    pub(crate) fn resolve(
        &mut self,
        thread: usize,
        instruction: Instruction,
    ) -> Result<LoopControl, Trap> {
        let core = self.core(thread)?;
        let (method, pc) = (core.method, core.pc as usize);
        let class = self.world.method(method).class;
        let index = instruction.a as u16;
        self.note_asking(class, instruction)?;
        let resolved = match instruction.op {
            Opcode::ResolveConstant => self.resolve_constant(class, index)?,
            Opcode::ResolveGetStatic | Opcode::ResolvePutStatic => {
                self.resolve_static(method, instruction)?
            }
            Opcode::ResolveGetField | Opcode::ResolvePutField => {
                self.resolve_field(method, instruction)?
            }
            Opcode::ResolveInvokeVirtual | Opcode::ResolveInvokeInterface => {
                self.resolve_virtual(class, instruction)?
            }
            Opcode::ResolveInvokeSpecial => self.resolve_special(class, index)?,
            Opcode::ResolveInvokeStatic => self.resolve_invoke_static(method, index)?,
            Opcode::ResolveInvokeDynamic => self.resolve_dynamic(class, index)?,
            Opcode::ResolveNew => self.resolve_new(method, index)?,
            Opcode::ResolveNewArray => {
                const ELEMENTS: [Type; 8] = [
                    Type::Boolean,
                    Type::Char,
                    Type::Float,
                    Type::Double,
                    Type::Byte,
                    Type::Short,
                    Type::Int,
                    Type::Long,
                ];
                let element = ELEMENTS[(instruction.a as usize).wrapping_sub(4) % 8];
                let array = self.array_class(self.known.primitives[element as usize])?;
                Instruction::with(Opcode::NewArray, array.0)
            }
            Opcode::ResolveReferenceArray => {
                let element = self.class_constant(class, index)?;
                Instruction::with(Opcode::NewArray, self.array_class(element)?.0)
            }
            Opcode::ResolveMultiArray => {
                let array = self.class_constant(class, index)?;
                Instruction::with2(Opcode::MultiArray, array.0, instruction.b)
            }
            Opcode::ResolveCheckCast => {
                Instruction::with(Opcode::CheckCast, self.class_constant(class, index)?.0)
            }
            Opcode::ResolveInstanceOf => {
                Instruction::with(Opcode::InstanceOf, self.class_constant(class, index)?.0)
            }
            _ => {
                return Err(
                    Fault::internal(format!("{:?} is not to be resolved", instruction.op)).into()
                );
            }
        };
        if let Some(place) = self.world.methods[method.0 as usize].code.instructions.get_mut(pc) {
            *place = resolved;
        }
        Ok(LoopControl::Reload)
    }

    /// The class that a constant names.
    pub(crate) fn class_constant(&mut self, class: ClassId, index: u16) -> Result<ClassId, Trap> {
        let name = self
            .world
            .class(class)
            .file
            .as_ref()
            .and_then(|file| file.pool.class_name(&file.bytes, index));
        match name {
            Some(name) => self.load_class(&name),
            None => Err(Fault::internal("a class constant is missing").into()),
        }
    }

    /// The field or method that a constant names.
    pub(crate) fn member_constant(&self, class: ClassId, index: u16) -> Result<MemberRef, Trap> {
        let file = self.world.class(class).file.as_ref();
        let member = file.and_then(|file| file.pool.member(&file.bytes, index));
        member.ok_or_else(|| Fault::internal("a member constant is missing").into())
    }

    fn resolve_constant(&mut self, class: ClassId, index: u16) -> Result<Instruction, Trap> {
        let constant = self.world.class(class).file.as_ref().map(|file| file.pool.get(index));
        let object = match constant {
            Some(Constant::String(text)) => self.literal_constant(class, text)?,
            Some(Constant::Class(_)) => {
                let named = self.class_constant(class, index)?;
                self.mirror(named)
            }
            Some(Constant::MethodType(descriptor)) => {
                let units = self.constant_units(class, descriptor)?;
                let descriptor = String::from_utf16_lossy(&units);
                self.permanently(|machine| machine.method_type(&descriptor))?
            }
            Some(Constant::MethodHandle(..)) => {
                self.permanently(|machine| machine.handle_constant(class, index))?
            }
            Some(Constant::Dynamic(..)) => return self.resolve_computed(class, index),
            _ => return Err(Fault::internal("a constant that cannot be loaded").into()),
        };
        Ok(Instruction::with(Opcode::ConstantReference, object.offset()))
    }

    /// The field a reference names, with its class.
    pub(crate) fn resolve_field_ref(
        &mut self,
        member: &MemberRef,
    ) -> Result<(ClassId, Field), Trap> {
        let class = self.load_class(&member.class)?;
        let name = self.world.symbols.intern(&member.name);
        let descriptor = self.world.symbols.intern(&member.descriptor);
        match self.world.find_field(class, name, descriptor) {
            Some(place) => {
                let field = self.world.class(place.class).fields[place.index].clone();
                Ok((place.class, field))
            }
            None => Err(Trap::raise("java/lang/NoSuchFieldError", Some(member.name.clone()))),
        }
    }

    fn resolve_static(
        &mut self,
        method: MethodId,
        instruction: Instruction,
    ) -> Result<Instruction, Trap> {
        let class = self.world.method(method).class;
        let member = self.member_constant(class, instruction.a as u16)?;
        let (owner, field) = self.resolve_field_ref(&member)?;
        if !field.is_static() {
            let message =
                format!("Expected static field {}.{}", member.class.replace('/', "."), member.name);
            return Err(Trap::raise("java/lang/IncompatibleClassChangeError", Some(message)));
        }
        self.rehearse(owner)?;
        let check = match self.world.class(owner).policy {
            InitPolicy::Done | InitPolicy::Permanent => 0,
            InitPolicy::PerExecution if self.needs_no_check(owner, method) => 0,
            InitPolicy::PerExecution => self.class_table_index(method, owner)?,
        };
        let op = match (instruction.op, field.kind) {
            (Opcode::ResolveGetStatic, _) if field.hidden && field.is_final() => {
                Opcode::GetStaticHidden
            }
            (Opcode::ResolveGetStatic, _) => Opcode::GetStatic,
            (_, Type::Reference) if self.is_frozen_array(owner, &field) => Opcode::PutStaticFrozen,
            (_, Type::Reference) => Opcode::PutStaticReference,
            _ => Opcode::PutStatic,
        };
        let place = self.mirror(owner).offset() + field.word;
        Ok(Instruction { op, c: access_flags(&field), b: check, a: place })
    }

    /// Whether a method uses a class without looking whether it is initialised: its own, if who calls
    /// the method has looked already. Of an object that the initialiser has shown to others they can
    /// call methods while it is still running, so those look.
    fn needs_no_check(&self, used: ClassId, user: MethodId) -> bool {
        let method = self.world.method(user);
        let looked = method.is_static() || self.world.symbols.text(method.name) == "<init>";
        used == method.class && looked && !self.options.no_shortcuts
    }

    /// Arrays in final static fields of the JDK and in those the compiler makes are tables that
    /// nobody writes once they are filled.
    fn is_frozen_array(&self, owner: ClassId, field: &Field) -> bool {
        let is_array = self.world.symbols.text(field.descriptor).starts_with('[');
        let made = field.access & access::SYNTHETIC != 0;
        let jdk = self.world.class(owner).origin == crate::load::Origin::Jdk;
        is_array && field.is_final() && (jdk || made && !self.options.no_shortcuts)
    }

    /// The place of a class in a method's table of classes to initialise, counted from one.
    fn class_table_index(&mut self, method: MethodId, class: ClassId) -> Result<u16, Trap> {
        let table = &mut self.world.methods[method.0 as usize].code.classes;
        let index = table.iter().position(|known| *known == class).unwrap_or_else(|| {
            table.push(class);
            table.len() - 1
        });
        u16::try_from(index + 1).map_err(|_| {
            FaultKind::Limit { what: "a method mentions more than 65,534 classes" }.into()
        })
    }

    fn resolve_field(
        &mut self,
        method: MethodId,
        instruction: Instruction,
    ) -> Result<Instruction, Trap> {
        let class = self.world.method(method).class;
        let member = self.member_constant(class, instruction.a as u16)?;
        let (_, mut field) = self.resolve_field_ref(&member)?;
        if field.is_static() {
            let message = format!(
                "Expected non-static field {}.{}",
                member.class.replace('/', "."),
                member.name
            );
            return Err(Trap::raise("java/lang/IncompatibleClassChangeError", Some(message)));
        }
        if (member.class.as_str(), member.name.as_str()) == PLACE_IN_QUEUE
            && self.world.class_name(class) == PLACE_IN_QUEUE.0
        {
            return Ok(Instruction::with(Opcode::InstanceOf, self.known.object.0));
        }
        // A final reference still publishes what is stored into it.
        let listed = field.hidden && !field.is_final();
        let mut takes = 0;
        if instruction.op == Opcode::ResolvePutField && self.keeps_futures(method) {
            return Ok(Instruction::new(Opcode::Pop2));
        }
        if field.silent && !self.options.real_locks {
            match self.future_access(method, &member.name) {
                Some(flags) => takes = flags,
                None => field.hidden = true,
            }
        }
        let (op, hidden) = match (instruction.op, field.kind) {
            (Opcode::ResolveGetField, _) if field.hidden => (Opcode::GetFieldHidden, 0),
            (Opcode::ResolveGetField, _) => (Opcode::GetField, 0),
            (_, Type::Reference) if !listed => {
                (Opcode::PutFieldReference, if field.hidden { HIDDEN } else { 0 })
            }
            _ if field.hidden => (Opcode::PutFieldHidden, 0),
            _ => (Opcode::PutField, 0),
        };
        Ok(Instruction { op, c: access_flags(&field) | hidden | takes, b: 0, a: field.word })
    }

    /// The method a reference names.
    pub(crate) fn resolve_method_ref(
        &mut self,
        member: &MemberRef,
    ) -> Result<(ClassId, MethodId), Trap> {
        let class = self.load_class(&member.class)?;
        let name = self.world.symbols.intern(&member.name);
        let descriptor = self.world.symbols.intern(&member.descriptor);
        if let Some(found) = self.world.find_method(class, name, descriptor) {
            return Ok((class, found));
        }
        // Interfaces have the public methods of Object, too.
        if let Some(found) = self.world.find_in_classes(self.known.object, name, descriptor) {
            return Ok((class, found));
        }
        let message =
            format!("'{} {}.{}'", member.descriptor, member.class.replace('/', "."), member.name);
        Err(Trap::raise("java/lang/NoSuchMethodError", Some(message)))
    }

    fn resolve_virtual(
        &mut self,
        class: ClassId,
        instruction: Instruction,
    ) -> Result<Instruction, Trap> {
        let member = self.member_constant(class, instruction.a as u16)?;
        if let Some(site) = self.polymorphic_site(&member) {
            let op = if member.class == "java/lang/invoke/VarHandle" {
                Opcode::InvokeVarHandle
            } else {
                Opcode::InvokeHandle
            };
            self.world.call_sites.push(site);
            return Ok(Instruction::with2(
                op,
                self.world.call_sites.len() as u32 - 1,
                instruction.b,
            ));
        }
        let (_, target) = self.resolve_method_ref(&member)?;
        let method = self.world.method(target);
        if method.is_static() {
            let message = format!("Expecting non-static method {}", self.world.method_name(target));
            return Err(Trap::raise("java/lang/IncompatibleClassChangeError", Some(message)));
        }
        let owner_final = self.world.class(method.class).access & access::FINAL != 0;
        let direct = method.access & (access::PRIVATE | access::FINAL) != 0 || owner_final;
        Ok(
            if direct && !self.world.class(method.class).is_interface()
                || method.access & access::PRIVATE != 0
            {
                Instruction::with2(Opcode::InvokeSpecial, target.0, instruction.b)
            } else if method.vtable == u32::MAX {
                Instruction::with2(Opcode::InvokeInterface, target.0, instruction.b)
            } else {
                Instruction::with2(Opcode::InvokeVirtual, target.0, instruction.b)
            },
        )
    }

    /// The call site of a method whose descriptor is the caller's, if the reference is to one.
    fn polymorphic_site(&mut self, member: &MemberRef) -> Option<CallSite> {
        let mode = match member.class.as_str() {
            "java/lang/invoke/VarHandle" => crate::natives::access_mode(&member.name)?,
            "java/lang/invoke/MethodHandle"
                if matches!(member.name.as_str(), "invoke" | "invokeExact" | "invokeBasic") =>
            {
                0
            }
            _ => return None,
        };
        let types = crate::classfile::MethodDescriptor::parse(&member.descriptor)?;
        let descriptor = self.world.symbols.intern(&member.descriptor);
        Some(CallSite { mode, parameters: types.parameters, result: types.result, descriptor })
    }

    fn resolve_special(&mut self, class: ClassId, index: u16) -> Result<Instruction, Trap> {
        let member = self.member_constant(class, index)?;
        let (named, mut target) = self.resolve_method_ref(&member)?;
        let here = self.world.class(class);
        let is_super = member.name != "<init>"
            && named != class
            && !self.world.class(named).is_interface()
            && here.ancestors.contains(&named);
        if let Some(superclass) = here.superclass.filter(|_| is_super) {
            let method = self.world.method(target);
            let (name, descriptor) = (method.name, method.descriptor);
            target = self.world.find_method(superclass, name, descriptor).unwrap_or(target);
        }
        Ok(Instruction::with(Opcode::InvokeSpecial, target.0))
    }

    fn resolve_invoke_static(&mut self, user: MethodId, index: u16) -> Result<Instruction, Trap> {
        let class = self.world.method(user).class;
        let member = self.member_constant(class, index)?;
        let (_, target) = self.resolve_method_ref(&member)?;
        let method = self.world.method(target);
        if !method.is_static() {
            let message = format!("Expected static method {}", self.world.method_name(target));
            return Err(Trap::raise("java/lang/IncompatibleClassChangeError", Some(message)));
        }
        let owner = method.class;
        self.rehearse(owner)?;
        Ok(match self.world.class(owner).policy {
            InitPolicy::Done | InitPolicy::Permanent => {
                Instruction::with(Opcode::InvokeStatic, target.0)
            }
            InitPolicy::PerExecution if self.needs_no_check(owner, user) => {
                Instruction::with(Opcode::InvokeStatic, target.0)
            }
            InitPolicy::PerExecution => Instruction::with(Opcode::InvokeStaticInitialize, target.0),
        })
    }

    fn resolve_new(&mut self, user: MethodId, index: u16) -> Result<Instruction, Trap> {
        let class = self.world.method(user).class;
        let made = self.class_constant(class, index)?;
        let found = self.world.class(made);
        if found.is_abstract() || found.is_interface() || found.element().is_some() {
            let name = self.world.external_name(made);
            return Err(Trap::raise("java/lang/InstantiationError", Some(name)));
        }
        self.rehearse(made)?;
        let found = self.world.class(made);
        let needs_check =
            found.policy == InitPolicy::PerExecution && !self.needs_no_check(made, user);
        Ok(match u16::try_from(found.instance_words) {
            Ok(words) if !needs_check => Instruction::with2(Opcode::New, made.0, words),
            _ => Instruction::with(Opcode::NewInitialize, made.0),
        })
    }
}
