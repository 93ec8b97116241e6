//! Reflection: arrays, members and calls.

use smallvec::SmallVec;

use super::reflect_primitive::is_assignable;
use super::{
    Native, Reason, Reply, answer, answer_int, contents, int, local, object, reference, word, zero,
};
use crate::classfile::descriptor::split_method;
use crate::classfile::{Type, access};
use crate::dynamic::{Body, GET_FIELD, GET_STATIC, Handle, PUT_FIELD, PUT_STATIC};
use crate::error::{Fault, FaultKind};
use crate::interpret::variable::{MemoryCell, widen};
use crate::load::Origin;
use crate::machine::{Machine, Trap, raise};
use crate::memory::{Hook, Reference};
use crate::world::{ClassId, ClassKind, Field, MethodId};

const ARRAY: &str = "java/lang/reflect/Array";
const CLASS: &str = "java/lang/Class";
const CONSTRUCTOR: &str = "java/lang/reflect/Constructor";
const FIELD: &str = "java/lang/reflect/Field";

pub(super) static NATIVES: &[Native] = &[
    local(Reason::MakesNew, ARRAY, "newArray", "*", new_array),
    contents(ARRAY, "multiNewArray", "*", multi_new_array),
    local(Reason::AboutClasses, ARRAY, "getLength", "*", get_length),
    contents(ARRAY, "get", "*", array_get),
    contents(ARRAY, "set", "*", array_set),
    local(Reason::AboutClasses, CLASS, "getDeclaredMethods0", "*", declared_methods),
    local(Reason::AboutClasses, CLASS, "getDeclaredConstructors0", "*", declared_constructors),
    local(Reason::AboutClasses, CLASS, "getDeclaredFields0", "*", declared_fields),
    contents("java/lang/reflect/Method", "invoke", "*", method_invoke),
    contents(
        CONSTRUCTOR,
        "newInstance",
        "([Ljava/lang/Object;)Ljava/lang/Object;",
        constructor_new,
    ),
    contents(CONSTRUCTOR, "newInstanceWithCaller", "*", constructor_new),
    local(
        Reason::Constant,
        "java/lang/reflect/AccessibleObject",
        "setAccessible",
        "(Z)V",
        super::nothing,
    ),
    contents("java/lang/reflect/AccessibleObject", "trySetAccessible", "*", try_set_accessible),
    contents("java/lang/reflect/Method", "setAccessible", "(Z)V", set_accessible),
    contents(CONSTRUCTOR, "setAccessible", "(Z)V", set_accessible),
    contents(FIELD, "setAccessible", "(Z)V", set_accessible),
    contents(FIELD, "get", "(Ljava/lang/Object;)Ljava/lang/Object;", field_get),
    contents(FIELD, "set", "(Ljava/lang/Object;Ljava/lang/Object;)V", field_set),
    local(
        Reason::Constant,
        "jdk/internal/reflect/ReflectionFactory",
        "useNativeAccessor",
        "*",
        zero,
    ),
    local(
        Reason::MakesNew,
        "jdk/internal/reflect/ReflectionFactory",
        "generateConstructor",
        "*",
        serialization_constructor,
    ),
];

fn length_of(value: i32) -> Result<u32, Trap> {
    u32::try_from(value)
        .map_err(|_| Trap::raise("java/lang/NegativeArraySizeException", Some(value.to_string())))
}

fn new_array(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let element = machine.mirrored(object(arguments, 0)?)?;
    let class = machine.array_class(element)?;
    let made = machine.new_array(class, length_of(int(arguments, 1))?)?;
    answer(made)
}

fn multi_new_array(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let mut class = machine.mirrored(object(arguments, 0)?)?;
    let dimensions = object(arguments, 1)?;
    if let Some(reply) = machine.private_copy(arguments, 1, None)? {
        return Ok(reply);
    }
    let mut lengths = Vec::new();
    for index in 0..machine.length(dimensions)? {
        let length = machine.heap.element(dimensions, index, Type::Int.shift()).unwrap_or(0);
        lengths.push(length_of(length as i32)?);
        class = machine.array_class(class)?;
    }
    let made = machine.nested_array(class, &lengths)?;
    answer(made)
}

fn get_length(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let array = object(arguments, 0)?;
    machine.element_type(array)?;
    answer_int(machine.length(array)? as i32)
}

/// An element as a variable.
pub(super) fn element(machine: &mut Machine, arguments: &[u64]) -> Result<MemoryCell, Trap> {
    let array = object(arguments, 0)?;
    let (_, kind) = machine.element_type(array)?;
    let (index, length) = (int(arguments, 1), machine.length(array)?);
    if index < 0 || index as u32 >= length {
        let message = format!("Index {index} out of bounds for length {length}");
        return raise("java/lang/ArrayIndexOutOfBoundsException", message);
    }
    Ok(MemoryCell::element(array, index as u32, kind))
}

fn array_get(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let cell = element(machine, arguments)?;
    if machine.is_reached(cell.object) {
        let words = &arguments[..2];
        return machine.in_sight(Body::ReadElement(cell.kind, None), words);
    }
    let value = machine.read_cell(cell)?;
    let boxed = machine.boxed(value, cell.kind)?;
    answer(boxed)
}

fn array_set(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let cell = element(machine, arguments)?;
    let given = reference(arguments, 2);
    let array = machine.class_of(cell.object)?;
    if let Some((wanted, Type::Reference)) = machine.world.class(array).element()
        && !machine.is_null_or(given, wanted)?
    {
        let message = "array element type mismatch";
        return raise("java/lang/IllegalArgumentException", message);
    }
    let value = machine.unboxed(given, cell.kind)?;
    if machine.is_reached(cell.object) {
        let words = [cell.object.0, u64::from(int(arguments, 1) as u32), value];
        return machine.in_sight(Body::WriteElement(cell.kind), &words);
    }
    machine.write_cell(cell, value)?;
    Ok(Reply::Void)
}

impl Machine {
    /// The word of a wrapper object, widened to a primitive type; references stay as they are.
    pub(crate) fn unboxed(&mut self, value: Reference, wanted: Type) -> Result<u64, Trap> {
        if wanted == Type::Reference {
            return Ok(value.0);
        }
        let Some(value) = value.non_null() else {
            return Err(Trap::raise("java/lang/IllegalArgumentException", None));
        };
        let class = self.class_of(value)?;
        let Some(kind) = crate::dynamic::unwrapped(self.world.class_name(class)) else {
            return mismatch();
        };
        check_assignable(kind, wanted)?;
        let word = self.get_field(value, "value")?;
        Ok(crate::dynamic::widen_argument(widen(word, kind), kind, wanted))
    }

    /// Whether a value can be assigned to variables of a class.
    fn is_null_or(&self, value: Reference, wanted: ClassId) -> Result<bool, Trap> {
        match value.non_null() {
            Some(value) => Ok(self.world.is_subclass(self.class_of(value)?, wanted)),
            None => Ok(true),
        }
    }

    fn class_array(&mut self, descriptors: &[&str]) -> Result<Reference, Trap> {
        let mut mirrors = Vec::new();
        for descriptor in descriptors {
            let class = self.load_descriptor(descriptor)?;
            mirrors.push(self.mirror(class));
        }
        let class = self.load_class(CLASS)?;
        self.reference_array(class, &mirrors)
    }

    /// A `Method` or `Constructor` object.
    pub(super) fn reflect_method(
        &mut self,
        target: MethodId,
        class_name: &str,
    ) -> Result<Reference, Trap> {
        let method = self.world.method(target);
        let (owner, flags, number) = (method.class, method.access, usize::from(method.number));
        let name = self.world.symbols.text(method.name).to_string();
        let descriptor = self.world.symbols.text(method.descriptor).to_string();
        let Some((parameters, result)) = split_method(&descriptor) else {
            return Err(Fault::internal("a method with a malformed descriptor").into());
        };
        let parameters = self.class_array(&parameters)?;
        let declared = self.class_file(owner).and_then(|file| {
            let info = file.methods.get(number)?;
            let thrown = info.exceptions.iter();
            let thrown: Vec<String> = thrown
                .filter_map(|index| file.pool.class_name(&file.bytes, *index))
                .map(|name| format!("L{name};"))
                .collect();
            let parts = [&info.annotations, &info.parameter_annotations, &info.default];
            Some((thrown, info.signature.clone(), parts.map(Clone::clone)))
        });
        let (thrown, signature, parts) = declared.unwrap_or_default();
        let thrown: Vec<&str> = thrown.iter().map(String::as_str).collect();
        let exceptions = self.class_array(&thrown)?;
        let class = self.load_initialized(class_name)?;
        let made = self.new_object(class)?;
        self.set_field(made, "clazz", self.mirror(owner).0)?;
        self.set_field(made, "slot", u64::from(target.0))?;
        self.set_field(made, "parameterTypes", parameters.0)?;
        self.set_field(made, "exceptionTypes", exceptions.0)?;
        self.set_field(made, "modifiers", u64::from(flags))?;
        let signature = self.optional_text(signature.as_deref())?;
        self.set_field(made, "signature", signature.0)?;
        let [annotations, parameter_annotations, default] = parts;
        let annotations = self.bytes_of_file(owner, annotations)?;
        self.set_field(made, "annotations", annotations.0)?;
        let annotations = self.bytes_of_file(owner, parameter_annotations)?;
        self.set_field(made, "parameterAnnotations", annotations.0)?;
        if class_name == "java/lang/reflect/Method" {
            let name = self.literal_text(&name)?;
            let result = self.load_descriptor(result)?;
            self.set_field(made, "name", name.0)?;
            self.set_field(made, "returnType", self.mirror(result).0)?;
            let default = self.bytes_of_file(owner, default)?;
            self.set_field(made, "annotationDefault", default.0)?;
        }
        Ok(made)
    }

    fn reflect_field(&mut self, owner: ClassId, index: usize) -> Result<Reference, Trap> {
        let field = self.world.class(owner).fields[index].clone();
        let class = self.load_initialized(FIELD)?;
        let descriptor = self.world.symbols.text(field.descriptor).to_string();
        let text = self.world.symbols.text(field.name).to_string();
        let kind = self.load_descriptor(&descriptor)?;
        let name = self.literal_text(&text)?;
        let made = self.new_object(class)?;
        self.set_field(made, "clazz", self.mirror(owner).0)?;
        self.set_field(made, "slot", index as u64)?;
        self.set_field(made, "name", name.0)?;
        self.set_field(made, "type", self.mirror(kind).0)?;
        self.set_field(made, "modifiers", u64::from(field.access))?;
        let declared = self
            .class_file(owner)
            .and_then(|file| file.fields.iter().find(|info| info.name == text))
            .map(|info| (info.signature.clone(), info.annotations.clone()));
        let (signature, annotations) = declared.unwrap_or_default();
        let signature = self.optional_text(signature.as_deref())?;
        self.set_field(made, "signature", signature.0)?;
        let annotations = self.bytes_of_file(owner, annotations)?;
        self.set_field(made, "annotations", annotations.0)?;
        Ok(made)
    }
}

fn declared_methods_of(
    machine: &mut Machine,
    arguments: &[u64],
    constructors: bool,
    class_name: &str,
) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 0)?)?;
    let public_only = int(arguments, 1) != 0;
    let mut found = Vec::new();
    for id in machine.world.class(class).methods.clone() {
        let method = machine.world.method(id);
        let name = machine.world.symbols.text(method.name);
        let wanted = if constructors { name == "<init>" } else { !name.starts_with('<') };
        if wanted && (!public_only || method.access & access::PUBLIC != 0) {
            found.push(machine.reflect_method(id, class_name)?);
        }
    }
    let element = machine.load_class(class_name)?;
    let array = machine.reference_array(element, &found)?;
    answer(array)
}

fn declared_methods(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    declared_methods_of(machine, arguments, false, "java/lang/reflect/Method")
}

fn declared_constructors(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    declared_methods_of(machine, arguments, true, CONSTRUCTOR)
}

fn declared_fields(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 0)?)?;
    let public_only = int(arguments, 1) != 0;
    let mut found = Vec::new();
    for index in 0..machine.world.class(class).fields.len() {
        if !public_only || machine.world.class(class).fields[index].access & access::PUBLIC != 0 {
            found.push(machine.reflect_field(class, index)?);
        }
    }
    let element = machine.load_class(FIELD)?;
    let array = machine.reference_array(element, &found)?;
    answer(array)
}

/// The method that a `Method` or `Constructor` stands for.
/// The method that a `Method` or `Constructor` stands for.
/// Notes that a member is to be used without checks. One that threads share is changed by the JDK's own code.
/// Whether the code that asks may look into a member, as the modules of the JDK decide; otherwise, why not.
fn may_look_into(machine: &mut Machine, member: Reference) -> Result<Result<(), String>, Trap> {
    let asking = machine.world.method(machine.core(machine.current)?.method).class;
    let class = machine.mirrored(Reference(machine.get_field(member, "clazz")?))?;
    let (asking, class) = (machine.world.class(asking), machine.world.class(class));
    if asking.origin == Origin::Jdk || class.origin == Origin::Program {
        return Ok(Ok(()));
    }
    let name = machine.world.symbols.text(class.name);
    let package = name.rsplit_once('/').map_or("", |(package, _)| package).to_string();
    let Some(module) = machine.world.class_path.module_of(&package) else { return Ok(Ok(())) };
    let (exported, open) =
        machine.world.class_path.is_exported_and_open(&package).map_err(|cause| {
            FaultKind::Class { name: name.to_string(), what: cause.to_string() }
        })?;
    let flags = machine.get_field(member, "modifiers")? as u16;
    let are_public = class.access & flags & access::PUBLIC != 0;
    if open || exported && are_public {
        return Ok(Ok(()));
    }
    let text = machine.call_virtual(member, "toString", "()Ljava/lang/String;", &[])?;
    let text = machine.text(Reference(text))?;
    let is_field = machine.world.class_name(machine.class_of(member)?) == FIELD;
    Ok(Err(format!(
        "Unable to make {}{text} accessible: module {module} does not \"{} {}\" to unnamed module",
        if is_field { "field " } else { "" },
        if are_public { "exports" } else { "opens" },
        package.replace('/', ".")
    )))
}

fn set_accessible(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let member = object(arguments, 0)?;
    if word(arguments, 1) != 0
        && let Err(message) = may_look_into(machine, member)?
    {
        return raise("java/lang/reflect/InaccessibleObjectException", message);
    }
    if machine.is_reached(member) {
        return Ok(Reply::Decline);
    }
    machine.set_field(member, "override", u64::from(word(arguments, 1) != 0))?;
    Ok(Reply::Void)
}

fn try_set_accessible(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let member = object(arguments, 0)?;
    if may_look_into(machine, member)?.is_err() {
        return Ok(Reply::Word(0));
    }
    if machine.is_reached(member) {
        return Ok(Reply::Decline);
    }
    machine.set_field(member, "override", 1)?;
    Ok(Reply::Word(1))
}

/// Refuses a call or an access through reflection that the code which asks could not write down itself, unless the
/// member was made accessible. If other threads can reach the member, they may do so at any time: it is not refused.
fn check_access(
    machine: &Machine,
    member: Reference,
    class: ClassId,
    flags: u16,
) -> Result<(), Trap> {
    let asking = machine.world.method(machine.core(machine.current)?.method).class;
    let (from, to) = (machine.world.class(asking), machine.world.class(class));
    if from.origin == Origin::Jdk || machine.is_reached(member) {
        return Ok(());
    }
    let package = |id| machine.world.class_name(id).rsplit_once('/').map_or("", |pair| pair.0);
    let outermost = |id| machine.world.class_name(id).split('$').next();
    let together = from.origin == to.origin && package(asking) == package(class);
    let of_member = match flags & (access::PUBLIC | access::PROTECTED | access::PRIVATE) {
        access::PUBLIC => true,
        access::PROTECTED => together || machine.world.is_subclass(asking, class),
        access::PRIVATE => outermost(asking) == outermost(class),
        _ => together,
    };
    if of_member && (together || to.access & access::PUBLIC != 0)
        || machine.get_field(member, "override")? != 0
    {
        return Ok(());
    }
    let words: Vec<&str> =
        MODIFIERS.iter().filter(|(flag, _)| flags & flag != 0).map(|(_, word)| *word).collect();
    let module = machine.world.class_path.module_of(package(class));
    let module = module.filter(|_| to.origin == Origin::Jdk);
    let message = format!(
        "class {} cannot access a member of {} {}{} with modifiers \"{}\"",
        machine.world.external_name(asking),
        if to.access & access::INTERFACE != 0 { "interface" } else { "class" },
        machine.world.external_name(class),
        module.map(|module| format!(" (in module {module})")).unwrap_or_default(),
        words.join(" ")
    );
    raise("java/lang/IllegalAccessException", message)
}

/// Modifiers of members, in the order in which they are told.
const MODIFIERS: [(u16, &str); 6] = [
    (access::PUBLIC, "public"),
    (access::PROTECTED, "protected"),
    (access::PRIVATE, "private"),
    (access::ABSTRACT, "abstract"),
    (access::STATIC, "static"),
    (access::FINAL, "final"),
];

pub(super) fn target_of(machine: &Machine, member: Reference) -> Result<MethodId, Trap> {
    let slot = machine.get_field(member, "slot")? as u32;
    if (slot as usize) < machine.world.methods.len() {
        Ok(MethodId(slot))
    } else {
        Err(crate::machine::bad_reference().into())
    }
}

/// Unwraps the arguments of a reflective call.
fn unwrapped_arguments(
    machine: &mut Machine,
    target: MethodId,
    array: Reference,
    words: &mut SmallVec<[u64; 6]>,
) -> Result<(), Trap> {
    let given = if array.is_null() { Vec::new() } else { machine.references(array)? };
    let method = machine.world.method(target);
    let wanted = method.types.parameters.clone();
    let descriptor = machine.world.symbols.text(method.descriptor).to_string();
    let declared = split_method(&descriptor).map(|types| types.0).unwrap_or_default();
    if given.len() != wanted.len() {
        let message = "wrong number of arguments";
        return raise("java/lang/IllegalArgumentException", message);
    }
    for ((value, kind), declared) in given.into_iter().zip(wanted).zip(declared) {
        if kind == Type::Reference {
            let class = machine.load_descriptor(declared)?;
            if !machine.is_null_or(value, class)? {
                return mismatch();
            }
        }
        words.push(machine.unboxed(value, kind)?);
    }
    Ok(())
}

fn method_invoke(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let mut target = target_of(machine, object(arguments, 0)?)?;
    let mut words = SmallVec::new();
    if let Some(reply) = machine.private_copy(arguments, 2, None)? {
        return Ok(reply);
    }
    let method = machine.world.method(target);
    check_access(machine, object(arguments, 0)?, method.class, method.access)?;
    if method.is_static() {
        if let Some(reply) = machine.initialized_first(method.class)? {
            return Ok(reply);
        }
    } else {
        let receiver = object(arguments, 1)?;
        let class = machine.class_of(receiver)?;
        if !machine.world.is_subclass(class, method.class) {
            return raise(
                "java/lang/IllegalArgumentException",
                "object is not an instance of declaring class",
            );
        }
        words.push(receiver.0);
        if method.vtable != u32::MAX {
            target = machine.world.class(class).vtable[method.vtable as usize];
        } else if let Some(found) = machine.world.implementation(class, target) {
            target = found;
        }
    }
    unwrapped_arguments(machine, target, reference(arguments, 2), &mut words)?;
    Ok(Reply::Call(target, words, Hook::Box))
}

/// The word of a constructor that holds the class it makes, plus one, if that is not its own.
fn made_class_word(machine: &Machine, member: Reference) -> Result<u32, Trap> {
    Ok(machine.world.class(machine.class_of(member)?).instance_words - 1)
}

/// A constructor that makes an object of one class with the constructor of a class above it, which
/// is how objects are read from streams.
fn serialization_constructor(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 1)?)?;
    let target = target_of(machine, object(arguments, 2)?)?;
    let made = machine.reflect_method(target, CONSTRUCTOR)?;
    let word = made_class_word(machine, made)?;
    machine.store(made, word, u64::from(class.0) + 1)?;
    answer(made)
}

fn constructor_new(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let member = object(arguments, 0)?;
    let target = target_of(machine, member)?;
    let class = match machine.load(member, made_class_word(machine, member)?)? {
        0 => machine.world.method(target).class,
        number => ClassId(number as u32 - 1),
    };
    let method = machine.world.method(target);
    check_access(machine, member, method.class, method.access)?;
    let found = machine.world.class(class);
    if found.is_abstract() || !matches!(found.kind, ClassKind::Instance) {
        return Err(Trap::raise("java/lang/InstantiationException", None));
    }
    if let Some(reply) = machine.private_copy(arguments, 1, None)? {
        return Ok(reply);
    }
    if let Some(reply) = machine.initialized_first(class)? {
        return Ok(reply);
    }
    let made = machine.new_object(class)?;
    // The constructor consumes the second word; the first is left as the result.
    let mut words: SmallVec<[u64; 6]> = SmallVec::from_slice(&[made.0, made.0]);
    unwrapped_arguments(machine, target, reference(arguments, 1), &mut words)?;
    Ok(Reply::Call(target, words, Hook::Constructed))
}

/// The field that a `Field` stands for: its class, its number there, and what it is.
pub(super) fn field_of(
    machine: &Machine,
    arguments: &[u64],
) -> Result<(ClassId, u32, Field), Trap> {
    let member = object(arguments, 0)?;
    let class = machine.mirrored(Reference(machine.get_field(member, "clazz")?))?;
    let index = machine.get_field(member, "slot")? as u32;
    let field = machine.world.class(class).fields.get(index as usize).cloned();
    let field = field.ok_or_else(crate::machine::bad_reference)?;
    check_access(machine, member, class, field.access)?;
    if !field.is_static() {
        let holder = machine.class_of(object(arguments, 1)?)?;
        if !machine.world.is_subclass(holder, class) {
            let given = machine.world.external_name(holder);
            let message = cannot_set(machine, class, &field, &given);
            return raise("java/lang/IllegalArgumentException", message);
        }
    }
    Ok((class, index, field))
}

/// Reads a field, as an instruction of the program's would; the result has this descriptor.
pub(super) fn read_field(
    machine: &mut Machine,
    arguments: &[u64],
    result: &str,
) -> Result<Reply, Trap> {
    let (class, index, field) = field_of(machine, arguments)?;
    let (kind, holder) = match field.is_static() {
        true => (GET_STATIC, ""),
        false => (GET_FIELD, "Ljava/lang/Object;"),
    };
    let handle = Handle { kind, target: class.0, field: index, bound: false };
    let site = machine.world.symbols.intern(&format!("({holder}){result}"));
    let adapter = machine.handle_adapter(handle, site)?;
    let words = arguments.get(1).copied().filter(|_| !field.is_static());
    Ok(Reply::Call(adapter, words.into_iter().collect(), Hook::None))
}

/// What the JDK says when a field cannot be set to a value of this type.
pub(super) fn cannot_set(machine: &Machine, class: ClassId, field: &Field, given: &str) -> String {
    let descriptor = machine.world.symbols.text(field.descriptor);
    format!(
        "Can not set {}{}{} field {}.{} to {given}",
        if field.is_static() { "static " } else { "" },
        if field.is_final() { "final " } else { "" },
        declared_name(descriptor),
        machine.world.external_name(class),
        machine.world.symbols.text(field.name),
    )
}

/// The name of a type, as `Class.getName` has it.
pub(super) fn declared_name(descriptor: &str) -> String {
    match descriptor.as_bytes() {
        [b'[', ..] => descriptor.replace('/', "."),
        [b'L', ..] => descriptor[1..].trim_end_matches(';').replace('/', "."),
        _ => Type::of_field(descriptor).map_or("", Type::keyword).to_string(),
    }
}

/// Whether nothing may set a field by reflection: it is final and its class, or nobody who asked to, has
/// lifted that. Static fields and those of records and hidden classes are final for good.
fn is_read_only(
    machine: &Machine,
    arguments: &[u64],
    field: &Field,
    class: ClassId,
) -> Result<bool, Trap> {
    if !field.is_final() {
        return Ok(false);
    }
    let member = object(arguments, 0)?;
    let of_record = machine.class_file(class).is_some_and(|file| file.record.is_some());
    let lifted = machine.is_reached(member) || machine.get_field(member, "override")? != 0;
    Ok(field.is_static() || of_record || machine.world.is_hidden(class) || !lifted)
}

/// Writes a field, as an instruction of the program's would; the word is of the field's own type, and `given`
/// is what the JDK calls the value when it cannot be set.
pub(super) fn write_field(
    machine: &mut Machine,
    arguments: &[u64],
    value: u64,
    given: &str,
) -> Result<Reply, Trap> {
    let (class, index, field) = field_of(machine, arguments)?;
    if is_read_only(machine, arguments, &field, class)? {
        let message = cannot_set(machine, class, &field, given);
        return raise("java/lang/IllegalAccessException", message);
    }
    let (kind, holder) = match field.is_static() {
        true => (PUT_STATIC, ""),
        false => (PUT_FIELD, "Ljava/lang/Object;"),
    };
    if field.is_final() && arguments.get(1).is_some_and(|word| machine.is_reached(Reference(*word)))
    {
        let what = "setting a final field of an object that threads share, by reflection";
        return Err(Fault::unsupported(what).into());
    }
    let handle = Handle { kind, target: class.0, field: index, bound: false };
    let given = match field.kind {
        Type::Reference => "Ljava/lang/Object;".to_string(),
        primitive => primitive.letter().to_string(),
    };
    let site = machine.world.symbols.intern(&format!("({holder}{given})V"));
    let adapter = machine.handle_adapter(handle, site)?;
    let mut words: SmallVec<[u64; 6]> = SmallVec::new();
    words.extend(arguments.get(1).copied().filter(|_| !field.is_static()));
    words.push(value);
    Ok(Reply::Call(adapter, words, Hook::None))
}

fn field_get(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    read_field(machine, arguments, "Ljava/lang/Object;")
}

fn field_set(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (class, _, field) = field_of(machine, arguments)?;
    let value = reference(arguments, 2);
    let given = match value.non_null() {
        Some(value) => machine.world.external_name(machine.class_of(value)?),
        None => "null value".to_string(),
    };
    if is_read_only(machine, arguments, &field, class)? {
        return write_field(machine, arguments, 0, &given);
    }
    let word = match field.kind {
        Type::Reference => {
            let descriptor = machine.world.symbols.text(field.descriptor).to_string();
            let wanted = machine.load_descriptor(&descriptor)?;
            machine.is_null_or(value, wanted)?.then_some(value.0)
        }
        kind => machine.unboxed(value, kind).ok(),
    };
    match word {
        Some(word) => write_field(machine, arguments, word, &given),
        None => {
            let message = cannot_set(machine, class, &field, &given);
            raise("java/lang/IllegalArgumentException", message)
        }
    }
}

fn mismatch<T>() -> Result<T, Trap> {
    raise("java/lang/IllegalArgumentException", "argument type mismatch")
}

/// Refuses a value of a primitive type that cannot be assigned to a variable of another.
fn check_assignable(given: Type, wanted: Type) -> Result<(), Trap> {
    if is_assignable(given, wanted) { Ok(()) } else { mismatch() }
}
