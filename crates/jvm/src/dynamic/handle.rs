//! Method handles. Those that combine others are in `combine.rs`.
//!
//! A direct handle is a plain instance of `MethodHandle` with four words of the machine's own: how
//! the member is called, the method or field, and a bound first argument. Invoking it runs a small
//! method that converts arguments from the call site's types, made once per site and member.

use super::assemble::Assembly;
use super::lambda::{
    GET_FIELD, GET_STATIC, INVOKE_INTERFACE, INVOKE_SPECIAL, INVOKE_STATIC, INVOKE_VIRTUAL,
    NEW_INVOKE_SPECIAL, PUT_FIELD, PUT_STATIC,
};
use crate::classfile::descriptor::split_method;
use crate::classfile::{Constant, Type, access};
use crate::code::{Instruction, Opcode};
use crate::error::Fault;
use crate::interpret::{LoopControl, access_flags};
use crate::machine::{Machine, Trap};
use crate::memory::Reference;
use crate::world::{ClassId, InitPolicy, MethodId, Symbol};

/// A direct method handle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Handle {
    /// How the member is used, as in class files.
    pub(crate) kind: u8,
    /// The method, or the class of the field.
    pub(crate) target: u32,
    /// The index of the field in its class.
    pub(crate) field: u32,
    /// Whether the first argument is bound.
    pub(crate) bound: bool,
}

impl Machine {
    /// The `MethodType` of a descriptor.
    pub(crate) fn method_type(&mut self, descriptor: &str) -> Result<Reference, Trap> {
        let key = self.world.symbols.intern(descriptor);
        if let Some(known) = self.caches.method_types.get(&key) {
            return Ok(*known);
        }
        let Some((parameters, result)) = split_method(descriptor) else {
            return Err(Fault::invalid(format!("the descriptor {descriptor}")).into());
        };
        let mut mirrors = Vec::new();
        for parameter in &parameters {
            let class = self.load_descriptor(parameter)?;
            mirrors.push(self.mirror(class));
        }
        let result = self.load_descriptor(result)?;
        let class = self.load_class("java/lang/invoke/MethodType")?;
        let element = self.load_class("java/lang/Class")?;
        let made = self.permanently(|machine| {
            let array = machine.reference_array(element, &mirrors)?;
            let made = machine.new_object(class)?;
            machine.set_field(made, "rtype", machine.mirror(result).0)?;
            machine.set_field(made, "ptypes", array.0)?;
            Ok(made)
        })?;
        self.caches.method_types.insert(key, made);
        self.caches.described_types.insert(made, key);
        Ok(made)
    }

    /// A direct handle object.
    pub(crate) fn new_handle(
        &mut self,
        handle: Handle,
        bound: Reference,
    ) -> Result<Reference, Trap> {
        let class = self.load_class("java/lang/invoke/MethodHandle")?;
        let descriptor = self.handle_descriptor(handle);
        let method_type = self.method_type(&descriptor)?;
        let object = self.new_object(class)?;
        let first = self.world.class(class).instance_words - 4;
        let words = [
            u64::from(handle.kind) | u64::from(handle.bound) << 8,
            u64::from(handle.target),
            u64::from(handle.field),
            bound.0,
        ];
        for (index, word) in words.iter().enumerate() {
            self.store(object, first + index as u32, *word)?;
        }
        self.set_field(object, "type", method_type.0)?;
        Ok(object)
    }

    /// The handle that an object stands for, with its bound argument.
    pub(crate) fn handle_of(&self, object: Reference) -> Result<(Handle, u64), Trap> {
        let class = self.class_of(object)?;
        if self.world.class_name(class) != "java/lang/invoke/MethodHandle" {
            return Err(Fault::unsupported("a method handle that is not direct").into());
        }
        let first = self.world.class(class).instance_words - 4;
        let word = |index: u32| self.load(object, first + index);
        let handle = Handle {
            kind: word(0)? as u8,
            target: word(1)? as u32,
            field: word(2)? as u32,
            bound: word(0)? >> 8 & 1 != 0,
        };
        Ok((handle, word(3)?))
    }

    /// Whether a handle is that of a method with a variable number of arguments.
    pub(crate) fn takes_any_number(&self, object: Reference) -> Result<bool, Trap> {
        let (handle, _) = self.handle_of(object)?;
        let calls = handle.kind > PUT_STATIC;
        Ok(calls && self.world.method(MethodId(handle.target)).access & access::VARARGS != 0)
    }

    /// The handle of a method handle constant.
    pub(crate) fn handle_constant(
        &mut self,
        class: ClassId,
        index: u16,
    ) -> Result<Reference, Trap> {
        let Constant::MethodHandle(kind, member) = self.constant(class, index) else {
            return Err(Fault::internal("a method handle constant is missing").into());
        };
        let member = self.member_constant(class, member)?;
        let handle = if kind <= PUT_STATIC {
            let (owner, field) = self.resolve_field_ref(&member)?;
            let fields = &self.world.class(owner).fields;
            let index = fields
                .iter()
                .position(|known| known.name == field.name && known.word == field.word);
            Handle { kind, target: owner.0, field: index.unwrap_or(0) as u32, bound: false }
        } else {
            let (_, target) = self.resolve_method_ref(&member)?;
            Handle { kind, target: target.0, field: 0, bound: false }
        };
        self.new_handle(handle, Reference::NULL)
    }

    /// The descriptor that a handle is invoked with.
    pub(crate) fn handle_descriptor(&self, handle: Handle) -> String {
        let text = |symbol: Symbol| self.world.symbols.text(symbol).to_string();
        let class_text = |class: ClassId| self.class_descriptor(class);
        if handle.kind <= PUT_STATIC {
            let class = ClassId(handle.target);
            let field = &self.world.class(class).fields[handle.field as usize];
            let (owner, kind) = (class_text(class), text(field.descriptor));
            return match handle.kind {
                GET_FIELD => format!("({owner}){kind}"),
                GET_STATIC => format!("(){kind}"),
                PUT_FIELD => format!("({owner}{kind})V"),
                _ => format!("({kind})V"),
            };
        }
        let method = self.world.method(MethodId(handle.target));
        let descriptor = text(method.descriptor);
        let owner = class_text(method.class);
        let (parameters, result) = descriptor.rsplit_once(')').unwrap_or(("(", "V"));
        match handle.kind {
            INVOKE_STATIC if handle.bound => {
                let first =
                    split_method(&descriptor).and_then(|types| types.0.first().map(|t| t.len()));
                format!("({}){result}", &parameters[1 + first.unwrap_or(0)..])
            }
            INVOKE_STATIC => descriptor,
            NEW_INVOKE_SPECIAL => format!("{parameters}){owner}"),
            _ if handle.bound => descriptor,
            _ => format!("({owner}{}){result}", &parameters[1..]),
        }
    }

    /// Invokes the handle below the arguments on a thread's stack.
    pub(crate) fn invoke_handle(
        &mut self,
        thread: usize,
        instruction: Instruction,
    ) -> Result<LoopControl, Trap> {
        let words = usize::from(instruction.b);
        let object = Reference(self.operand(thread, words - 1)?);
        if object.is_null() {
            return Err(Trap::raise("java/lang/NullPointerException", None));
        }
        let descriptor = self.world.call_sites[instruction.a as usize].descriptor;
        let object = self.with_arguments_collected(object, words - 1)?;
        let (handle, bound) = self.handle_of(object)?;
        let adapter = self.handle_adapter(handle, descriptor)?;
        // The bound argument takes the place of the handle; without one, the arguments move down.
        let state = self.thread_mut(thread)?;
        let sp = state.core.sp as usize;
        if handle.bound {
            state.stack[sp - words] = bound;
        } else {
            state.stack.copy_within(sp - words + 1..sp, sp - words);
            state.core.sp -= 1;
        }
        self.invoke(thread, adapter, false)
    }

    /// The handle that a call with so many arguments invokes: a method with a variable number of arguments gets
    /// the last ones in an array of its own.
    pub(crate) fn with_arguments_collected(
        &mut self,
        object: Reference,
        given: usize,
    ) -> Result<Reference, Trap> {
        if !self.takes_any_number(object)? {
            return Ok(object);
        }
        let wanted = self.handle_types(object)?.parameters;
        let Some((last, before)) = wanted.split_last() else { return Ok(object) };
        if given == wanted.len() || given < before.len() {
            return Ok(object);
        }
        let class = self.load_descriptor(last)?;
        self.collecting(object, before.len(), class, given - before.len())
    }

    /// The method that converts a call site's arguments and uses the member.
    pub(crate) fn handle_adapter(
        &mut self,
        handle: Handle,
        site: Symbol,
    ) -> Result<MethodId, Trap> {
        if let Some(known) = self.caches.adapters.get(&(handle, site)) {
            return Ok(*known);
        }
        let bad = || Trap::Fault(Fault::invalid("a method handle with a malformed descriptor"));
        let descriptor = self.handle_descriptor(Handle { bound: false, ..handle });
        let (wanted, result) = split_method(&descriptor).ok_or_else(bad)?;
        let given = self.world.symbols.text(site).to_string();
        let (mut parameters, site_result) = split_method(&given).ok_or_else(bad)?;
        if handle.bound {
            parameters.insert(0, "Ljava/lang/Object;");
        }
        if parameters.len() != wanted.len() {
            let message = format!("handle's method type {descriptor} but found {given}");
            return Err(Trap::raise("java/lang/invoke/WrongMethodTypeException", Some(message)));
        }
        let mut assembly = Assembly::default();
        if handle.kind == NEW_INVOKE_SPECIAL {
            let class = self.world.method(MethodId(handle.target)).class;
            assembly.with(Opcode::NewInitialize, class.0);
            assembly.op(Opcode::Duplicate);
        }
        for (index, (from, to)) in parameters.iter().zip(&wanted).enumerate() {
            assembly.with(Opcode::Load, index as u32);
            self.convert(&mut assembly, from, to)?;
        }
        self.use_member(&mut assembly, handle)?;
        match (result, site_result) {
            ("V", "V") => assembly.op(Opcode::Return),
            ("V", _) => {
                assembly.with(Opcode::Constant, 0);
                assembly.op(Opcode::ReturnWord);
            }
            (_, "V") => {
                assembly.op(Opcode::Pop);
                assembly.op(Opcode::Return);
            }
            (from, to) => {
                self.convert(&mut assembly, from, to)?;
                assembly.op(Opcode::ReturnWord);
            }
        }
        let own = format!("({}){site_result}", parameters.concat());
        let code = assembly.finish(parameters.len() as u32, wanted.len() as u32 + 4);
        let class = self.known.object;
        let adapter = self.add_synthetic(class, "invoke", &own, access::STATIC, code)?;
        self.caches.adapters.insert((handle, site), adapter);
        Ok(adapter)
    }

    /// Writes the access or call of the member, whose arguments are on the stack.
    fn use_member(&mut self, assembly: &mut Assembly, handle: Handle) -> Result<(), Trap> {
        if handle.kind <= PUT_STATIC {
            let class = ClassId(handle.target);
            let field = self.world.class(class).fields[handle.field as usize].clone();
            if self.world.class(class).policy != InitPolicy::Done && field.is_static() {
                assembly.with(Opcode::InitializeClass, class.0);
            }
            let place = self.mirror(class).offset() + field.word;
            let reference = field.kind == Type::Reference;
            let op = match handle.kind {
                GET_FIELD if field.hidden => Opcode::GetFieldHidden,
                GET_FIELD => Opcode::GetField,
                PUT_FIELD if field.hidden && !field.is_final() => Opcode::PutFieldHidden,
                PUT_FIELD if reference => Opcode::PutFieldReference,
                PUT_FIELD => Opcode::PutField,
                GET_STATIC if field.hidden && field.is_final() => Opcode::GetStaticHidden,
                GET_STATIC => Opcode::GetStatic,
                _ if reference => Opcode::PutStaticReference,
                _ => Opcode::PutStatic,
            };
            let a = if field.is_static() { place } else { field.word };
            assembly.push(Instruction { op, c: access_flags(&field), b: 0, a });
            return Ok(());
        }
        let target = MethodId(handle.target);
        let call = match handle.kind {
            INVOKE_STATIC => self.static_call(target)?,
            INVOKE_SPECIAL | NEW_INVOKE_SPECIAL => Instruction::with2(
                Opcode::InvokeSpecial,
                target.0,
                self.world.method(target).arguments,
            ),
            INVOKE_VIRTUAL | INVOKE_INTERFACE => self.virtual_call(target),
            kind => {
                return Err(Fault::unsupported(format!("a method handle of kind {kind}")).into());
            }
        };
        assembly.push(call);
        Ok(())
    }
}
