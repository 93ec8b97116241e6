//! `java.lang.Class`.

use super::{
    Native, Reason, Reply, answer, answer_int, local, object, reference, truth, word, zero,
};
use crate::classfile::access;
use crate::load::Origin;
use crate::machine::{Machine, Trap, raise};
use crate::memory::{FROZEN, Reference};
use crate::world::{ClassId, ClassKind};

const CLASS: &str = "java/lang/Class";

pub(super) static NATIVES: &[Native] = &[
    local(Reason::AboutClasses, CLASS, "desiredAssertionStatus", "*", desired_assertion_status),
    local(Reason::AboutClasses, CLASS, "getPrimitiveClass", "*", get_primitive_class),
    local(Reason::AboutClasses, CLASS, "isArray", "*", is_array),
    local(Reason::AboutClasses, CLASS, "isPrimitive", "*", is_primitive),
    local(Reason::AboutClasses, CLASS, "isInterface", "*", is_interface),
    local(Reason::AboutClasses, CLASS, "isHidden", "*", is_hidden),
    local(Reason::AboutClasses, CLASS, "isRecord0", "*", is_record),
    local(Reason::AboutClasses, CLASS, "isRecord", "*", is_record),
    local(Reason::AboutClasses, CLASS, "isInstance", "*", is_instance),
    local(Reason::AboutClasses, CLASS, "isAssignableFrom", "*", is_assignable_from),
    local(Reason::AboutClasses, CLASS, "getName", "*", get_name),
    local(Reason::AboutClasses, CLASS, "getSimpleName", "*", get_simple_name),
    local(Reason::AboutClasses, CLASS, "getPackageName", "*", get_package_name),
    local(Reason::AboutClasses, CLASS, "getSuperclass", "*", get_superclass),
    local(Reason::AboutClasses, CLASS, "getInterfaces0", "*", get_interfaces),
    local(Reason::AboutClasses, CLASS, "getInterfaces", "()[Ljava/lang/Class;", get_interfaces),
    local(Reason::AboutClasses, CLASS, "getModifiers", "*", get_modifiers),
    local(Reason::AboutClasses, CLASS, "getAccessFlagsRaw0", "*", get_modifiers),
    local(Reason::AboutClasses, CLASS, "getClassAccessFlagsRaw0", "*", get_modifiers),
    local(Reason::Constant, CLASS, "getProtectionDomain0", "*", zero),
    local(Reason::AboutClasses, CLASS, "getModule", "*", get_module),
    local(
        Reason::AboutClasses,
        CLASS,
        "forName",
        "(Ljava/lang/String;)Ljava/lang/Class;",
        for_name,
    ),
    local(
        Reason::AboutClasses,
        CLASS,
        "forName",
        "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;",
        for_name_with_loader,
    ),
    local(Reason::AboutClasses, CLASS, "getDeclaringClass0", "*", get_declaring_class),
    local(Reason::AboutClasses, CLASS, "getSimpleBinaryName0", "*", get_simple_binary_name),
    local(Reason::AboutClasses, CLASS, "getNestHost0", "*", get_nest_host),
    local(Reason::AboutClasses, CLASS, "getGenericSignature0", "*", get_signature),
    local(Reason::AboutClasses, "java/util/HashMap", "comparableClassFor", "*", comparable_class),
    local(
        Reason::AboutClasses,
        "java/util/concurrent/ConcurrentHashMap",
        "comparableClassFor",
        "*",
        comparable_class,
    ),
    local(Reason::AboutClasses, CLASS, "getEnumConstantsShared", "*", get_enum_constants),
    local(Reason::AboutClasses, CLASS, "getPermittedSubclasses0", "*", get_permitted),
    local(Reason::AboutClasses, "java/lang/Enum", "valueOf", "*", enum_value_of),
    local(
        Reason::AboutClasses,
        "jdk/internal/reflect/Reflection",
        "getCallerClass",
        "*",
        get_caller_class,
    ),
    local(
        Reason::AboutClasses,
        "jdk/internal/reflect/Reflection",
        "getClassAccessFlags",
        "*",
        get_access_flags,
    ),
    local(
        Reason::Constant,
        "jdk/internal/reflect/Reflection",
        "verifyMemberAccess",
        "*",
        super::one,
    ),
    local(
        Reason::Constant,
        "jdk/internal/reflect/Reflection",
        "ensureMemberAccess",
        "*",
        super::nothing,
    ),
];

fn receiver(machine: &Machine, arguments: &[u64]) -> Result<ClassId, Trap> {
    machine.mirrored(object(arguments, 0)?)
}

/// A reply with the mirror of a class, or null.
fn answer_class(machine: &Machine, class: Option<ClassId>) -> Result<Reply, Trap> {
    answer(class.map_or(Reference::NULL, |class| machine.mirror(class)))
}

fn desired_assertion_status(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    truth(machine.options.assertions && machine.world.class(class).origin == Origin::Program)
}

fn get_primitive_class(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let name = machine.text(object(arguments, 0)?)?;
    match machine.world.loaded(&name) {
        Some(class) => answer(machine.mirror(class)),
        None => raise("java/lang/ClassNotFoundException", name),
    }
}

fn is_array(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    truth(machine.world.class(class).element().is_some())
}

fn is_primitive(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    truth(matches!(machine.world.class(class).kind, ClassKind::Primitive(_)))
}

fn is_interface(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    truth(machine.world.class(class).is_interface())
}

fn is_hidden(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    truth(machine.world.is_hidden(class))
}

fn is_record(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    truth(machine.world.class(class).file.as_ref().is_some_and(|file| file.record.is_some()))
}

fn is_instance(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    match reference(arguments, 1).non_null() {
        Some(value) => truth(machine.world.is_subclass(machine.class_of(value)?, class)),
        None => truth(false),
    }
}

fn is_assignable_from(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    let other = machine.mirrored(object(arguments, 1)?)?;
    truth(machine.world.is_subclass(other, class))
}

fn get_name(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    let name = machine.world.external_name(class);
    let string = machine.literal_text(&name)?;
    answer(string)
}

fn get_simple_name(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    let name = machine.simple_name(class);
    let string = machine.literal_text(&name)?;
    answer(string)
}

fn get_package_name(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    let name = machine.world.external_name(class);
    let package = match machine.world.class(class).kind {
        ClassKind::Primitive(_) | ClassKind::Array(..) => "java.lang",
        ClassKind::Instance => name.rsplit_once('.').map_or("", |parts| parts.0),
    };
    let string = machine.literal_text(package)?;
    answer(string)
}

fn get_superclass(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    let found = machine.world.class(class);
    answer_class(machine, found.superclass.filter(|_| !found.is_interface()))
}

fn get_interfaces(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    let mirrors: Vec<Reference> = machine
        .world
        .class(class)
        .interfaces
        .clone()
        .into_iter()
        .map(|id| machine.mirror(id))
        .collect();
    let element = machine.load_class(CLASS)?;
    let array = machine.reference_array(element, &mirrors)?;
    answer(array)
}

fn get_modifiers(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    answer_int(i32::from(machine.declared_access(class)))
}

fn get_access_flags(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 0)?)?;
    answer_int(i32::from(machine.declared_access(class)))
}

/// All classes are in one unnamed module object, made on first use.
pub(super) fn get_module(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    let class = machine.load_class("java/lang/Module")?;
    let (mirror, word) = machine.static_place(class, "ALL_UNNAMED_MODULE")?;
    let known = machine.load_reference(mirror, word)?;
    if !known.is_null() {
        return answer(known);
    }
    let made = machine.permanently(|machine| {
        let made = machine.new_object(class)?;
        machine.store(mirror, word, made.0)?;
        Ok(made)
    })?;
    answer(made)
}

fn load_named(machine: &mut Machine, name: Reference, initialize: bool) -> Result<Reply, Trap> {
    let name = machine.text(name)?;
    let class = match machine.load_class(&name.replace('.', "/")) {
        Ok(class) if !name.contains('/') => class,
        Ok(_) | Err(Trap::Raise(..)) => return raise("java/lang/ClassNotFoundException", name),
        Err(other) => return Err(other),
    };
    if initialize && let Some(reply) = machine.initialized_first(class)? {
        return Ok(reply);
    }
    answer(machine.mirror(class))
}

fn for_name(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    load_named(machine, object(arguments, 0)?, true)
}

fn for_name_with_loader(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    load_named(machine, object(arguments, 0)?, word(arguments, 1) != 0)
}

fn get_declaring_class(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    let name = machine.world.class_name(class);
    let file = machine.world.class(class).file.as_ref();
    let outer = file.and_then(|file| {
        let entry = file.inner_classes.iter().find(|entry| entry.inner == name)?;
        entry.outer.clone()
    });
    match outer {
        Some(outer) => {
            let outer = machine.load_class(&outer)?;
            answer_class(machine, Some(outer))
        }
        None => answer_class(machine, None),
    }
}

fn get_simple_binary_name(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    let name = machine.world.class_name(class);
    let file = machine.world.class(class).file.as_ref();
    let simple = file.and_then(|file| {
        let entry = file.inner_classes.iter().find(|entry| entry.inner == name)?;
        entry.name.clone()
    });
    match simple {
        Some(simple) => {
            let string = machine.literal_text(&simple)?;
            answer(string)
        }
        None => answer(Reference::NULL),
    }
}

fn get_signature(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    match machine.world.class(class).file.as_ref().and_then(|file| file.signature.clone()) {
        Some(signature) => {
            let string = machine.literal_text(&signature)?;
            answer(string)
        }
        None => answer(Reference::NULL),
    }
}

/// The class of an object if it declares to be comparable with itself, which hash tables ask of keys
/// in crowded bins. Answered from the class file, without the library's generic reflection.
fn comparable_class(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let Some(key) = reference(arguments, 0).non_null() else { return answer(Reference::NULL) };
    let class = machine.class_of(key)?;
    let wanted = format!("Ljava/lang/Comparable<L{};>;", machine.world.class_name(class));
    let signature =
        machine.world.class(class).file.as_ref().and_then(|file| file.signature.as_ref());
    let comparable =
        class == machine.known.string || signature.is_some_and(|text| text.contains(&wanted));
    answer_class(machine, comparable.then_some(class))
}

fn get_nest_host(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    let host = machine.world.class(class).file.as_ref().and_then(|file| file.nest_host.clone());
    let host = match host {
        Some(host) => machine.load_class(&host)?,
        None => class,
    };
    answer_class(machine, Some(host))
}

fn get_permitted(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    let names = machine
        .world
        .class(class)
        .file
        .as_ref()
        .map(|file| file.permitted.clone())
        .unwrap_or_default();
    if names.is_empty() {
        return answer(Reference::NULL);
    }
    let mut mirrors = Vec::new();
    for name in names {
        let id = machine.load_class(&name)?;
        mirrors.push(machine.mirror(id));
    }
    let element = machine.load_class(CLASS)?;
    let array = machine.reference_array(element, &mirrors)?;
    answer(array)
}

fn get_enum_constants(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = receiver(machine, arguments)?;
    if let Some(reply) = enumeration_first(machine, class)? {
        return Ok(reply);
    }
    let constants = machine.enum_constants(class)?;
    answer(constants)
}

/// Initialises an enumeration, if it is one and has to be.
fn enumeration_first(machine: &mut Machine, class: ClassId) -> Result<Option<Reply>, Trap> {
    if machine.world.class(class).access & access::ENUM == 0 {
        return Ok(None);
    }
    machine.initialized_first(class)
}

fn enum_value_of(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 0)?)?;
    let Some(name) = reference(arguments, 1).non_null() else {
        return raise("java/lang/NullPointerException", "Name is null");
    };
    let units = machine.units(name)?;
    if let Some(reply) = enumeration_first(machine, class)? {
        return Ok(reply);
    }
    let constants = machine.enum_constants(class)?;
    if !constants.is_null() {
        for constant in machine.references(constants)? {
            let known = Reference(machine.get_field(constant, "name")?);
            if machine.units(known)? == units {
                return answer(constant);
            }
        }
    }
    let message = format!(
        "No enum constant {}.{}",
        machine.world.external_name(class).replace('$', "."),
        String::from_utf16_lossy(&units)
    );
    raise("java/lang/IllegalArgumentException", message)
}

/// The class whose method called the method that asks.
fn get_caller_class(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    let thread = machine.threads.get(machine.current);
    let caller = thread.and_then(|thread| crate::interpret::frames(&machine.world, thread).nth(1));
    let class = caller.map(|frame| machine.world.method(frame.method).class);
    answer_class(machine, class)
}

impl Machine {
    /// The name of a class without packages and outer classes.
    pub(crate) fn simple_name(&self, class: ClassId) -> String {
        let found = self.world.class(class);
        if let Some((element, _)) = found.element() {
            return format!("{}[]", self.simple_name(element));
        }
        let name = self.world.class_name(class);
        let file = found.file.as_ref();
        if let Some(entry) =
            file.and_then(|file| file.inner_classes.iter().find(|entry| entry.inner == name))
        {
            return entry.name.clone().unwrap_or_default();
        }
        let name = name.rsplit('/').next().unwrap_or(name);
        if self.world.is_hidden(class) { name.replace('+', "/") } else { name.to_string() }
    }

    /// Access flags as declared: those of inner classes are in the table of inner classes.
    pub(super) fn declared_access(&self, class: ClassId) -> u16 {
        const SUPER: u16 = 0x0020;
        let found = self.world.class(class);
        let name = self.world.class_name(class);
        let entry = found
            .file
            .as_ref()
            .and_then(|file| file.inner_classes.iter().find(|entry| entry.inner == name));
        entry.map_or(found.access, |entry| entry.access) & !SUPER
    }

    /// The constants of an enumeration, or null if the class is none.
    pub(crate) fn enum_constants(&mut self, class: ClassId) -> Result<Reference, Trap> {
        let mirror = self.mirror(class);
        let known = Reference(self.get_field(mirror, "enumConstants")?);
        if !known.is_null() {
            return Ok(known);
        }
        if self.world.class(class).access & access::ENUM == 0 {
            return Ok(Reference::NULL);
        }
        self.initialize_now(class)?;
        let descriptor = format!("()[L{};", self.world.class_name(class));
        let Some(values) = self.world.declared(class, "values", &descriptor) else {
            return Ok(Reference::NULL);
        };
        let constants = Reference(self.call(values, &[])?);
        for constant in self.references(constants)? {
            self.publish(constant)?;
        }
        self.set_flag(constants, FROZEN)?;
        self.set_field(mirror, "enumConstants", constants.0)?;
        Ok(constants)
    }
}
