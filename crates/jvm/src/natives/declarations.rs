//! What classes declare beyond their members: annotations, record components, the classes and
//! methods they are declared in.
//!
//! Annotations are kept as bytes of the class file. The JDK's own parser reads them, with the help
//! of a view of the class's constant pool, which is answered here.

use std::ops::Range;

use super::reflect::target_of;
use super::{Native, Reason, Reply, answer, answer_int, int, local, object, truth, zero};
use crate::classfile::{ClassFile, Constant};
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::memory::Reference;
use crate::world::ClassId;

const CLASS: &str = "java/lang/Class";
const POOL: &str = "jdk/internal/reflect/ConstantPool";
const COMPONENT: &str = "java/lang/reflect/RecordComponent";

pub(super) static NATIVES: &[Native] = &[
    local(Reason::AboutClasses, CLASS, "getRawAnnotations", "*", raw_annotations),
    local(Reason::Constant, CLASS, "getRawTypeAnnotations", "*", zero),
    local(Reason::AboutClasses, CLASS, "getConstantPool", "*", constant_pool),
    local(Reason::AboutClasses, CLASS, "getRecordComponents0", "*", record_components),
    local(Reason::AboutClasses, CLASS, "getEnclosingMethod0", "*", enclosing_method),
    local(Reason::AboutClasses, CLASS, "getDeclaredClasses0", "*", declared_classes),
    local(
        Reason::AboutClasses,
        "java/lang/reflect/Executable",
        "getParameters0",
        "*",
        declared_parameters,
    ),
    local(Reason::Constant, "java/lang/reflect/Executable", "getTypeAnnotationBytes0", "*", zero),
    local(Reason::Constant, "java/lang/reflect/Field", "getTypeAnnotationBytes0", "*", zero),
    local(
        Reason::AboutClasses,
        "java/io/ObjectStreamClass",
        "hasStaticInitializer",
        "*",
        has_initializer,
    ),
    local(Reason::AboutClasses, POOL, "getUTF8At0", "*", text_at),
    local(Reason::AboutClasses, POOL, "getIntAt0", "*", number_at),
    local(Reason::AboutClasses, POOL, "getLongAt0", "*", number_at),
    local(Reason::AboutClasses, POOL, "getFloatAt0", "*", number_at),
    local(Reason::AboutClasses, POOL, "getDoubleAt0", "*", number_at),
    local(Reason::AboutClasses, POOL, "getSize0", "*", pool_size),
];

impl Machine {
    /// The file of a class, if it has one.
    pub(super) fn class_file(&self, class: ClassId) -> Option<&ClassFile> {
        self.world.class(class).file.as_deref()
    }

    /// A part of a class file as an array; null if there is none.
    pub(super) fn bytes_of_file(
        &mut self,
        class: ClassId,
        part: Option<Range<usize>>,
    ) -> Result<Reference, Trap> {
        let bytes = part.and_then(|part| Some(self.class_file(class)?.slice(&part).to_vec()));
        match bytes {
            Some(bytes) => self.new_byte_array(&bytes),
            None => Ok(Reference::NULL),
        }
    }

    /// A text as a literal; null if there is none.
    pub(super) fn optional_text(&mut self, text: Option<&str>) -> Result<Reference, Trap> {
        match text {
            Some(text) => self.literal_text(text),
            None => Ok(Reference::NULL),
        }
    }

    /// The constant that a view of a pool is asked for, and the class whose pool it is.
    fn constant_of(&self, arguments: &[u64]) -> Result<(ClassId, Constant), Trap> {
        let class = self.mirrored(object(arguments, 1)?)?;
        let index = u16::try_from(int(arguments, 2)).unwrap_or(0);
        let file = self.class_file(class);
        let file = file.ok_or_else(|| Fault::internal("a constant of a class without a file"))?;
        Ok((class, file.pool.get(index)))
    }
}

fn receiver(machine: &Machine, arguments: &[u64]) -> Result<ClassId, Trap> {
    machine.mirrored(object(arguments, 0)?)
}

fn raw_annotations(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    let part = machine.class_file(class).and_then(|file| file.annotations.clone());
    let bytes = machine.bytes_of_file(class, part)?;
    answer(bytes)
}

fn has_initializer(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    let file = machine.class_file(class);
    truth(file.is_some_and(|file| file.methods.iter().any(|method| method.name == "<clinit>")))
}

fn constant_pool(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let owner = object(arguments, 0)?;
    let class = machine.load_initialized(POOL)?;
    let made = machine.new_object(class)?;
    machine.set_field(made, "constantPoolOop", owner.0)?;
    answer(made)
}

fn text_at(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 1)?)?;
    let index = u16::try_from(int(arguments, 2)).unwrap_or(0);
    let text = machine.class_file(class).and_then(|file| file.pool.text(&file.bytes, index));
    match text {
        Some(text) => {
            let string = machine.literal_text(&text)?;
            answer(string)
        }
        None => wrong_constant(),
    }
}

fn number_at(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (_, constant) = machine.constant_of(arguments)?;
    match constant {
        Constant::Integer(value) => answer_int(value),
        Constant::Float(bits) => Ok(Reply::Word(u64::from(bits))),
        Constant::Long(value) => Ok(Reply::Word(value as u64)),
        Constant::Double(bits) => Ok(Reply::Word(bits)),
        _ => wrong_constant(),
    }
}

fn wrong_constant() -> Result<Reply, Trap> {
    let message = "Wrong type at constant pool index".to_string();
    Err(Trap::raise("java/lang/IllegalArgumentException", Some(message)))
}

fn pool_size(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 1)?)?;
    answer_int(machine.class_file(class).map_or(0, |file| file.pool.count()) as i32)
}

fn record_components(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    let components = machine.class_file(class).and_then(|file| file.record.clone());
    let element = machine.load_initialized(COMPONENT)?;
    let mut found = Vec::new();
    for component in components.unwrap_or_default() {
        let kind = machine.load_descriptor(&component.descriptor)?;
        let made = machine.new_object(element)?;
        machine.set_field(made, "clazz", machine.mirror(class).0)?;
        let name = machine.literal_text(&component.name)?;
        machine.set_field(made, "name", name.0)?;
        machine.set_field(made, "type", machine.mirror(kind).0)?;
        let signature = machine.optional_text(component.signature.as_deref())?;
        machine.set_field(made, "signature", signature.0)?;
        let annotations = machine.bytes_of_file(class, component.annotations.clone())?;
        machine.set_field(made, "annotations", annotations.0)?;
        let descriptor = format!("(){}", component.descriptor);
        if let Some(accessor) = machine.world.declared(class, &component.name, &descriptor) {
            let accessor = machine.reflect_method(accessor, "java/lang/reflect/Method")?;
            machine.set_field(made, "accessor", accessor.0)?;
        }
        found.push(made);
    }
    let array = machine.reference_array(element, &found)?;
    answer(array)
}

/// The parameters of a method with their names, if the compiler was asked to keep them; null otherwise.
fn declared_parameters(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let member = object(arguments, 0)?;
    let method = machine.world.method(target_of(machine, member)?);
    let names = machine.class_file(method.class).and_then(|file| {
        let part = file.methods.get(usize::from(method.number))?.parameters.clone()?;
        let entries = file.slice(&part).get(1..)?.chunks_exact(4);
        let number = |bytes: &[u8]| u16::from_be_bytes([bytes[0], bytes[1]]);
        let named = |entry: &[u8]| {
            (file.pool.text(&file.bytes, number(entry)), u64::from(number(&entry[2..])))
        };
        Some(entries.map(named).collect::<Vec<_>>())
    });
    let Some(names) = names else { return answer(Reference::NULL) };
    let class = machine.load_initialized("java/lang/reflect/Parameter")?;
    let mut parameters = Vec::new();
    for (index, (name, modifiers)) in names.into_iter().enumerate() {
        let made = machine.new_object(class)?;
        let name = machine.literal_text(name.as_deref().unwrap_or(""))?;
        machine.set_field(made, "name", name.0)?;
        machine.set_field(made, "modifiers", modifiers)?;
        machine.set_field(made, "executable", member.0)?;
        machine.set_field(made, "index", index as u64)?;
        parameters.push(made);
    }
    let array = machine.reference_array(class, &parameters)?;
    answer(array)
}

/// The class that a local or anonymous class is declared in, and name and descriptor of its method.
fn enclosing_method(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    let enclosing = machine.class_file(class).and_then(|file| file.enclosing_method.clone());
    let Some(enclosing) = enclosing else { return answer(Reference::NULL) };
    let outer = machine.load_class(&enclosing.class)?;
    let (name, descriptor) = enclosing.method.unzip();
    let name = machine.optional_text(name.as_deref())?;
    let descriptor = machine.optional_text(descriptor.as_deref())?;
    let items = [machine.mirror(outer), name, descriptor];
    let array = machine.reference_array(machine.known.object, &items)?;
    answer(array)
}

fn declared_classes(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    let own = machine.world.class_name(class).to_string();
    let members: Vec<String> = machine
        .class_file(class)
        .into_iter()
        .flat_map(|file| &file.inner_classes)
        .filter(|entry| entry.outer.as_deref() == Some(own.as_str()))
        .map(|entry| entry.inner.clone())
        .collect();
    let mut mirrors = Vec::new();
    for name in members {
        let id = machine.load_class(&name)?;
        mirrors.push(machine.mirror(id));
    }
    let element = machine.load_class(CLASS)?;
    let array = machine.reference_array(element, &mirrors)?;
    answer(array)
}
