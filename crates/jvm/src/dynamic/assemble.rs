//! Writing small methods in the machine's own instructions.

use crate::classfile::descriptor::split_type;
use crate::classfile::{MethodDescriptor, Type, access};
use crate::code::{Code, Instruction, Opcode};
use crate::error::Fault;
use crate::load::Origin;
use crate::machine::{Machine, Trap};
use crate::world::{ClassId, InitPolicy, Method, MethodEntry, MethodId, Visibility};

/// Instructions being written.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    pub(crate) instructions: Vec<Instruction>,
}

impl Assembly {
    pub(crate) fn op(&mut self, op: Opcode) {
        self.instructions.push(Instruction::new(op));
    }

    pub(crate) fn with(&mut self, op: Opcode, a: u32) {
        self.instructions.push(Instruction::with(op, a));
    }

    pub(crate) fn push(&mut self, instruction: Instruction) {
        self.instructions.push(instruction);
    }

    /// The number of the next instruction.
    pub(crate) fn here(&self) -> u32 {
        self.instructions.len() as u32
    }

    /// Lets all jumps to a placeholder go to the next instruction.
    pub(crate) fn land(&mut self, placeholder: u32) {
        let here = self.here();
        for instruction in &mut self.instructions {
            if crate::code::is_jump(instruction.op) && instruction.a == placeholder {
                instruction.a = here;
            }
        }
    }

    /// The code, with room for the given words.
    pub(crate) fn finish(self, local_words: u32, stack_words: u32) -> Code {
        Code { instructions: self.instructions, local_words, stack_words, ..Code::default() }
    }
}

/// The wrapper class of a primitive type, its unwrapping method, and the type.
const WRAPPERS: [(&str, &str, Type); 8] = [
    ("java/lang/Boolean", "booleanValue", Type::Boolean),
    ("java/lang/Byte", "byteValue", Type::Byte),
    ("java/lang/Character", "charValue", Type::Char),
    ("java/lang/Short", "shortValue", Type::Short),
    ("java/lang/Integer", "intValue", Type::Int),
    ("java/lang/Long", "longValue", Type::Long),
    ("java/lang/Float", "floatValue", Type::Float),
    ("java/lang/Double", "doubleValue", Type::Double),
];

/// The wrapper class of a primitive type.
pub(crate) fn wrapper(kind: Type) -> Option<&'static str> {
    WRAPPERS.iter().find(|row| row.2 == kind).map(|row| row.0)
}

/// The primitive type that a wrapper class wraps.
pub(crate) fn unwrapped(class: &str) -> Option<Type> {
    WRAPPERS.iter().find(|row| row.0 == class).map(|row| row.2)
}

/// Whether method handles convert a type to another, both given as descriptors. Whether a reference is one of the wanted
/// class, or of the wrapper of the wanted primitive, turns out when it is converted, if it can be one at all.
pub(crate) fn can_convert(from: &str, to: &str) -> bool {
    let (Some(source), Some(target)) = (Type::of_field(from), Type::of_field(to)) else {
        return from == to;
    };
    let class = |descriptor: &str| descriptor.get(1..descriptor.len() - 1).map(str::to_string);
    match (source, target) {
        (Type::Reference, Type::Reference) => true,
        (Type::Reference, primitive) => class(from).is_some_and(|named| match unwrapped(&named) {
            Some(wrapped) => is_widening(wrapped, primitive),
            None => is_above_wrapper(&named, primitive),
        }),
        (primitive, Type::Reference) => class(to).is_some_and(|named| match unwrapped(&named) {
            Some(wrapped) => wrapped == primitive,
            None => is_above_wrapper(&named, primitive),
        }),
        (source, target) => is_widening(source, target),
    }
}

/// Whether a class or interface is above the wrapper of a primitive type.
fn is_above_wrapper(class: &str, primitive: Type) -> bool {
    use Type::{Boolean, Char, Double, Float, Int, Long};
    match class {
        "java/lang/Object" | "java/lang/Comparable" | "java/io/Serializable" => true,
        "java/lang/constant/Constable" => true,
        "java/lang/constant/ConstantDesc" => matches!(primitive, Int | Long | Float | Double),
        "java/lang/Number" => !matches!(primitive, Boolean | Char),
        _ => false,
    }
}

/// Whether every value of a primitive type becomes one of another without being asked for.
fn is_widening(source: Type, target: Type) -> bool {
    use Type::{Byte, Char, Double, Float, Int, Long, Short};
    let wider: &[Type] = match source {
        Byte => &[Short, Int, Long, Float, Double],
        Short | Char => &[Int, Long, Float, Double],
        Int => &[Long, Float, Double],
        Long => &[Float, Double],
        Float => &[Double],
        _ => &[],
    };
    source == target || wider.contains(&target)
}

impl Machine {
    /// Adds a method made by the machine to a class, outside its method tables.
    pub(crate) fn add_synthetic(
        &mut self,
        class: ClassId,
        name: &str,
        descriptor: &str,
        flags: u16,
        code: Code,
    ) -> Result<MethodId, Trap> {
        let Some(types) = MethodDescriptor::parse(descriptor) else {
            return Err(Fault::invalid(format!("the descriptor {descriptor}")).into());
        };
        let receiver = usize::from(flags & access::STATIC == 0);
        let visibility = match self.world.class(class).origin {
            Origin::Program => Visibility::Visible,
            Origin::Jdk => Visibility::AsCaller,
        };
        let entry = match flags & access::SYNCHRONIZED {
            0 => MethodEntry::Code,
            _ => MethodEntry::Synchronized,
        };
        let method = Method {
            entry,
            visibility,
            concretises: false,
            arguments: (types.parameters.len() + receiver) as u16,
            access: flags | access::SYNTHETIC,
            class,
            code,
            name: self.world.symbols.intern(name),
            descriptor: self.world.symbols.intern(descriptor),
            types,
            vtable: u32::MAX,
            number: u16::MAX,
            native: None,
        };
        self.world.methods.push(method);
        Ok(MethodId(self.world.methods.len() as u32 - 1))
    }

    /// The instruction that calls a method with its receiver's own implementation.
    pub(crate) fn virtual_call(&self, target: MethodId) -> Instruction {
        let method = self.world.method(target);
        let words = method.arguments;
        let owner = self.world.class(method.class);
        let direct = method.access & (access::PRIVATE | access::FINAL) != 0;
        if direct && !owner.is_interface() || method.access & access::PRIVATE != 0 {
            Instruction::with2(Opcode::InvokeSpecial, target.0, words)
        } else if method.vtable == u32::MAX {
            Instruction::with2(Opcode::InvokeInterface, target.0, words)
        } else {
            Instruction::with2(Opcode::InvokeVirtual, target.0, words)
        }
    }

    /// The instruction that calls a static method.
    pub(crate) fn static_call(&mut self, target: MethodId) -> Result<Instruction, Trap> {
        let class = self.world.method(target).class;
        self.rehearse(class)?;
        let op = match self.world.class(class).policy {
            InitPolicy::PerExecution => Opcode::InvokeStaticInitialize,
            InitPolicy::Permanent | InitPolicy::Done => Opcode::InvokeStatic,
        };
        Ok(Instruction::with(op, target.0))
    }

    /// The instruction that calls a static method of the JDK.
    pub(crate) fn library_call(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<Instruction, Trap> {
        let class = self.load_initialized(class)?;
        match self.world.declared(class, name, descriptor) {
            Some(target) => Ok(Instruction::with(Opcode::InvokeStatic, target.0)),
            None => {
                let class = self.world.external_name(class);
                Err(Fault::unsupported(format!(
                    "this JDK: {class} has no method {name}{descriptor}"
                ))
                .into())
            }
        }
    }

    /// Writes the conversion of the word on top of the stack from one type to another, given as
    /// descriptors: casts, wrapping, unwrapping and widening, as method handles convert arguments.
    pub(crate) fn convert(
        &mut self,
        assembly: &mut Assembly,
        from: &str,
        to: &str,
    ) -> Result<(), Trap> {
        if from == to || to == "V" {
            return Ok(());
        }
        let (Some(source), Some(target)) = (Type::of_field(from), Type::of_field(to)) else {
            return Err(Fault::invalid(format!("a conversion from {from} to {to}")).into());
        };
        match (source, target) {
            (Type::Reference, Type::Reference) => self.cast(assembly, to),
            (Type::Reference, primitive) => self.unwrap(assembly, from, primitive),
            (primitive, Type::Reference) => self.wrap(assembly, primitive),
            (source, target) => {
                widen(assembly, source, target);
                Ok(())
            }
        }
    }

    fn cast(&mut self, assembly: &mut Assembly, to: &str) -> Result<(), Trap> {
        if to != "Ljava/lang/Object;" {
            let class = self.load_descriptor(to)?;
            assembly.with(Opcode::CheckCast, class.0);
        }
        Ok(())
    }

    /// Wraps the primitive on top of the stack.
    pub(crate) fn wrap(&mut self, assembly: &mut Assembly, primitive: Type) -> Result<(), Trap> {
        let Some(class) = wrapper(primitive) else { return Ok(()) };
        let call =
            self.library_call(class, "valueOf", &format!("({})L{class};", primitive.letter()))?;
        assembly.push(call);
        Ok(())
    }

    /// Unwraps the wrapper on top of the stack and widens it if need be.
    fn unwrap(&mut self, assembly: &mut Assembly, from: &str, primitive: Type) -> Result<(), Trap> {
        let named =
            split_type(from).map(|_| &from[1..from.len().saturating_sub(1)]).unwrap_or_default();
        let wrapped = unwrapped(named).unwrap_or(primitive);
        let Some(row) = WRAPPERS.iter().find(|row| row.2 == wrapped) else { return Ok(()) };
        let class = self.load_initialized(row.0)?;
        assembly.with(Opcode::CheckCast, class.0);
        let descriptor = format!("(){}", wrapped.letter());
        let Some(target) = self.world.declared(class, row.1, &descriptor) else {
            return Err(
                Fault::unsupported(format!("this JDK: {} has no method {}", row.0, row.1)).into()
            );
        };
        assembly.push(Instruction::with2(Opcode::InvokeSpecial, target.0, 1));
        widen(assembly, wrapped, primitive);
        Ok(())
    }

    /// A wrapper object of a primitive word, made at once.
    pub(crate) fn boxed(
        &mut self,
        word: u64,
        kind: Type,
    ) -> Result<crate::memory::Reference, Trap> {
        let Some(class) = wrapper(kind) else { return Ok(crate::memory::Reference(word)) };
        let descriptor = format!("({})L{class};", kind.letter());
        self.call_static(class, "valueOf", &descriptor, &[word]).map(crate::memory::Reference)
    }
}

/// Writes a widening conversion between primitive types.
fn widen(assembly: &mut Assembly, source: Type, target: Type) {
    use crate::classfile::Kind;
    let op = match (source.kind(), target.kind()) {
        (Kind::Int, Kind::Long) => Opcode::IntToLong,
        (Kind::Int, Kind::Float) => Opcode::IntToFloat,
        (Kind::Int, Kind::Double) => Opcode::IntToDouble,
        (Kind::Long, Kind::Float) => Opcode::LongToFloat,
        (Kind::Long, Kind::Double) => Opcode::LongToDouble,
        (Kind::Float, Kind::Double) => Opcode::FloatToDouble,
        _ => return,
    };
    assembly.op(op);
}
