//! `java.lang.invoke`: variable and method handles, and fences.
//!
//! The natives for `Lookup` here are a short way for the JDK's own classes, which may reach all that they look up;
//! for the program's classes the JDK's code decides (`natives/lookup.rs`).

use super::reflect::target_of;
use super::{Native, Reason, Reply, answer, contents, local, nothing, object, reference, truth};
use crate::dynamic::Handle;
use crate::error::Fault;
use crate::machine::{Machine, Trap, raise};
use crate::memory::Reference;
use crate::world::ClassId;

const HANDLES: &str = "java/lang/invoke/MethodHandles";
const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";
const VAR_HANDLE: &str = "java/lang/invoke/VarHandle";
const METHOD_HANDLE: &str = "java/lang/invoke/MethodHandle";
const METHOD_TYPE: &str = "java/lang/invoke/MethodType";

pub(super) static NATIVES: &[Native] = &[
    local(Reason::MakesNew, HANDLES, "arrayElementVarHandle", "*", array_element),
    local(Reason::MakesNew, HANDLES, "byteArrayViewVarHandle", "*", byte_view),
    local(Reason::Refuses, HANDLES, "byteBufferViewVarHandle", "*", |_, _| {
        combined("views of buffers as arrays of numbers (byteBufferViewVarHandle)")
    }),
    local(Reason::Refuses, HANDLES, "filterValue", "*", |_, _| combined(COMBINED)),
    local(Reason::Refuses, HANDLES, "filterCoordinates", "*", |_, _| combined(COMBINED)),
    local(Reason::Refuses, HANDLES, "insertCoordinates", "*", |_, _| combined(COMBINED)),
    local(Reason::Refuses, HANDLES, "collectCoordinates", "*", |_, _| combined(COMBINED)),
    local(Reason::Refuses, HANDLES, "permuteCoordinates", "*", |_, _| combined(COMBINED)),
    local(Reason::Refuses, HANDLES, "dropCoordinates", "*", |_, _| combined(COMBINED)),
    local(Reason::MakesNew, LOOKUP, "findVarHandle", "*", find_var_handle),
    local(Reason::MakesNew, LOOKUP, "findStaticVarHandle", "*", find_static_var_handle),
    local(Reason::MakesNew, LOOKUP, "findVirtual", "*", find_virtual),
    local(Reason::MakesNew, LOOKUP, "findStatic", "*", find_static),
    local(Reason::MakesNew, LOOKUP, "findConstructor", "*", find_constructor),
    local(Reason::MakesNew, LOOKUP, "findGetter", "*", find_getter),
    local(Reason::MakesNew, LOOKUP, "findSetter", "*", find_setter),
    local(Reason::MakesNew, LOOKUP, "findStaticGetter", "*", find_static_getter),
    local(Reason::MakesNew, LOOKUP, "findStaticSetter", "*", find_static_setter),
    local(Reason::MakesNew, LOOKUP, "unreflect", "*", unreflect),
    local(Reason::MakesNew, LOOKUP, "unreflectConstructor", "*", unreflect_constructor),
    local(Reason::MakesNew, LOOKUP, "unreflectGetter", "*", unreflect_getter),
    local(Reason::MakesNew, LOOKUP, "unreflectSetter", "*", unreflect_setter),
    local(Reason::MakesNew, METHOD_HANDLE, "bindTo", "*", bind_to),
    local(Reason::MakesNew, METHOD_HANDLE, "asType", "*", as_type),
    local(Reason::Computes, METHOD_HANDLE, "asFixedArity", "*", same_handle),
    local(Reason::Computes, METHOD_HANDLE, "setVarargs", "*", same_handle),
    local(Reason::MakesNew, METHOD_HANDLE, "bindArgumentL", "*", bind_argument),
    local(Reason::AboutClasses, METHOD_HANDLE, "isVarargsCollector", "*", takes_any_number),
    contents(METHOD_TYPE, "methodType", "*", method_type),
    local(Reason::Constant, VAR_HANDLE, "fullFence", "*", nothing),
    local(Reason::Constant, VAR_HANDLE, "acquireFence", "*", nothing),
    local(Reason::Constant, VAR_HANDLE, "releaseFence", "*", nothing),
    local(Reason::Constant, VAR_HANDLE, "loadLoadFence", "*", nothing),
    local(Reason::Constant, VAR_HANDLE, "storeStoreFence", "*", nothing),
    local(Reason::Computes, VAR_HANDLE, "withInvokeExactBehavior", "*", same_handle),
    local(Reason::Computes, VAR_HANDLE, "withInvokeBehavior", "*", same_handle),
    local(Reason::AboutClasses, VAR_HANDLE, "varType", "*", variable_type),
];

const COMBINED: &str = "variable handles that are made of others";

/// The machine performs the accesses of variable handles itself, and knows only those that it has made.
fn combined(what: &str) -> Result<Reply, Trap> {
    Err(Fault::unsupported(what).into())
}

fn array_element(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 0)?)?;
    let handle = machine.array_handle(class)?;
    answer(handle)
}

fn byte_view(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 0)?)?;
    let order = object(arguments, 1)?;
    let orders = machine.load_initialized("java/nio/ByteOrder")?;
    let (mirror, word) = machine.static_place(orders, "BIG_ENDIAN")?;
    let big_endian = machine.load_reference(mirror, word)? == order;
    let handle = machine.byte_view_handle(class, big_endian)?;
    answer(handle)
}

fn find_var_handle(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if !machine.is_trusted_lookup(object(arguments, 0)?)? {
        return Ok(Reply::Decline);
    }
    let class = machine.mirrored(object(arguments, 1)?)?;
    let name = machine.text(object(arguments, 2)?)?;
    let handle = machine.field_handle(class, &name, false)?;
    answer(handle)
}

fn find_static_var_handle(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if !machine.is_trusted_lookup(object(arguments, 0)?)? {
        return Ok(Reply::Decline);
    }
    let class = machine.mirrored(object(arguments, 1)?)?;
    let name = machine.text(object(arguments, 2)?)?;
    if let Some(place) = machine.world.field_named(class, &name)
        && let Some(reply) = machine.initialized_first(place.class)?
    {
        return Ok(reply);
    }
    let handle = machine.field_handle(class, &name, true)?;
    answer(handle)
}

/// The descriptor of a `MethodType`, with another result if given.
pub(super) fn descriptor_of(
    machine: &Machine,
    method_type: Reference,
    result: Option<&str>,
) -> Result<String, Trap> {
    let mut types = machine.types_in(method_type)?;
    if let Some(result) = result {
        types.result = result.to_string();
    }
    Ok(types.descriptor())
}

impl Machine {
    /// The descriptor of a class.
    pub(crate) fn class_descriptor(&self, class: ClassId) -> String {
        use crate::world::ClassKind;
        let name = self.world.class_name(class);
        match self.world.class(class).kind {
            ClassKind::Primitive(Some(kind)) => kind.letter().to_string(),
            ClassKind::Primitive(None) => "V".to_string(),
            ClassKind::Array(..) => name.to_string(),
            ClassKind::Instance => format!("L{name};"),
        }
    }
}

fn find_method(
    machine: &mut Machine,
    class: ClassId,
    name: &str,
    descriptor: &str,
    kind: u8,
) -> Result<Reply, Trap> {
    let (name_symbol, symbol) =
        (machine.world.symbols.intern(name), machine.world.symbols.intern(descriptor));
    let Some(target) = machine.world.find_method(class, name_symbol, symbol) else {
        let message =
            format!("no such method: {}.{name}{descriptor}", machine.world.external_name(class));
        return raise("java/lang/NoSuchMethodException", message);
    };
    let handle = Handle { kind, target: target.0, field: 0, bound: false };
    let made = machine.new_handle(handle, Reference::NULL)?;
    answer(made)
}

fn find_virtual(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if !machine.is_trusted_lookup(object(arguments, 0)?)? {
        return Ok(Reply::Decline);
    }
    let class = machine.mirrored(object(arguments, 1)?)?;
    let name = machine.text(object(arguments, 2)?)?;
    let descriptor = descriptor_of(machine, object(arguments, 3)?, None)?;
    find_method(machine, class, &name, &descriptor, 5)
}

fn find_static(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if !machine.is_trusted_lookup(object(arguments, 0)?)? {
        return Ok(Reply::Decline);
    }
    let class = machine.mirrored(object(arguments, 1)?)?;
    let name = machine.text(object(arguments, 2)?)?;
    let descriptor = descriptor_of(machine, object(arguments, 3)?, None)?;
    find_method(machine, class, &name, &descriptor, 6)
}

fn find_constructor(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if !machine.is_trusted_lookup(object(arguments, 0)?)? {
        return Ok(Reply::Decline);
    }
    let class = machine.mirrored(object(arguments, 1)?)?;
    let descriptor = descriptor_of(machine, object(arguments, 2)?, Some("V"))?;
    find_method(machine, class, "<init>", &descriptor, 8)
}

fn find_field(machine: &mut Machine, arguments: &[u64], kind: u8) -> Result<Reply, Trap> {
    if !machine.is_trusted_lookup(object(arguments, 0)?)? {
        return Ok(Reply::Decline);
    }
    let class = machine.mirrored(object(arguments, 1)?)?;
    let name = machine.text(object(arguments, 2)?)?;
    let Some(place) = machine.world.field_named(class, &name) else {
        return raise("java/lang/NoSuchFieldException", name);
    };
    let handle = Handle { kind, target: place.class.0, field: place.index as u32, bound: false };
    let made = machine.new_handle(handle, Reference::NULL)?;
    answer(made)
}

fn find_getter(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    find_field(machine, arguments, 1)
}

fn find_setter(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    find_field(machine, arguments, 3)
}

fn find_static_getter(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    find_field(machine, arguments, 2)
}

fn find_static_setter(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    find_field(machine, arguments, 4)
}

/// The handle of a member by reflection.
fn unreflect(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if !machine.is_trusted_lookup(object(arguments, 0)?)? {
        return Ok(Reply::Decline);
    }
    let target = target_of(machine, object(arguments, 1)?)?;
    let method = machine.world.method(target);
    let kind = match method.is_static() {
        true => 6,
        false if machine.world.class(method.class).is_interface() => 9,
        false => 5,
    };
    let handle = Handle { kind, target: target.0, field: 0, bound: false };
    let made = machine.new_handle(handle, Reference::NULL)?;
    answer(made)
}

fn unreflect_constructor(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if !machine.is_trusted_lookup(object(arguments, 0)?)? {
        return Ok(Reply::Decline);
    }
    let target = target_of(machine, object(arguments, 1)?)?;
    let handle = Handle { kind: 8, target: target.0, field: 0, bound: false };
    let made = machine.new_handle(handle, Reference::NULL)?;
    answer(made)
}

fn unreflect_field(machine: &mut Machine, arguments: &[u64], writes: bool) -> Result<Reply, Trap> {
    if !machine.is_trusted_lookup(object(arguments, 0)?)? {
        return Ok(Reply::Decline);
    }
    let member = object(arguments, 1)?;
    let class = machine.mirrored(Reference(machine.get_field(member, "clazz")?))?;
    let index = machine.get_field(member, "slot")? as u32;
    let field = machine.world.class(class).fields.get(index as usize);
    let field = field.ok_or_else(crate::machine::bad_reference)?;
    let kind = match (field.is_static(), writes) {
        (false, false) => 1,
        (true, false) => 2,
        (false, true) => 3,
        (true, true) => 4,
    };
    let handle = Handle { kind, target: class.0, field: index, bound: false };
    let made = machine.new_handle(handle, Reference::NULL)?;
    answer(made)
}

fn unreflect_getter(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    unreflect_field(machine, arguments, false)
}

fn unreflect_setter(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    unreflect_field(machine, arguments, true)
}

fn bind_to(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (handle, _) = machine.handle_of(object(arguments, 0)?)?;
    let types = machine.handle_types(object(arguments, 0)?)?;
    let first = types.parameters.first().filter(|first| first.starts_with(['L', '[']));
    let Some(first) = first else {
        let message = "no leading reference parameter";
        return raise("java/lang/IllegalArgumentException", message);
    };
    if let Some(given) = reference(arguments, 1).non_null() {
        let (given, wanted) = (machine.class_of(given)?, machine.load_descriptor(first)?);
        if !machine.world.is_subclass(given, wanted) {
            let name = |class| machine.world.external_name(class);
            let message = format!("Cannot cast {} to {}", name(given), name(wanted));
            return raise("java/lang/ClassCastException", message);
        }
    }
    let made = machine.new_handle(Handle { bound: true, ..handle }, reference(arguments, 1))?;
    answer(made)
}

/// The same handle with another type. Invoking it converts from the types of the call to those of the member.
fn as_type(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (handle, method_type) = (object(arguments, 0)?, object(arguments, 1)?);
    let wanted = machine.types_in(method_type)?;
    if machine.handle_types(handle)? == wanted {
        return answer(handle);
    }
    let handle = machine.with_arguments_collected(handle, wanted.parameters.len())?;
    let own = machine.handle_types(handle)?;
    if own.parameters.len() != wanted.parameters.len() {
        let message = format!("cannot convert {} to {}", own.descriptor(), wanted.descriptor());
        return raise("java/lang/invoke/WrongMethodTypeException", message);
    }
    let (words, bound) = machine.handle_of(handle)?;
    let made = machine.new_handle(words, Reference(bound))?;
    machine.set_field(made, "type", method_type.0)?;
    answer(made)
}

fn variable_type(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.variable_class(object(arguments, 0)?)?;
    answer(machine.mirror(class))
}

/// Binds the receiver of a handle for a look-up.
fn bind_argument(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (handle, _) = machine.handle_of(object(arguments, 0)?)?;
    let made = machine.new_handle(Handle { bound: true, ..handle }, reference(arguments, 2))?;
    answer(made)
}

fn takes_any_number(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    truth(machine.takes_any_number(object(arguments, 0)?)?)
}

fn same_handle(_: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    answer(reference(arguments, 0))
}

/// `MethodType.methodType` in all its forms: a result, then parameters singly or in an array or list.
fn method_type(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let result = machine.mirrored(object(arguments, 0)?)?;
    let result = machine.class_descriptor(result);
    let mut text = String::from("(");
    for index in 1..arguments.len() {
        let argument = object(arguments, index)?;
        let class = machine.class_of(argument)?;
        let mirrors = match machine.world.class_name(class) {
            "java/lang/Class" => vec![argument],
            "java/lang/invoke/MethodType" => {
                machine.references(Reference(machine.get_field(argument, "ptypes")?))?
            }
            name if name.starts_with('[') => {
                if let Some(reply) = machine.private_copy(arguments, index, None)? {
                    return Ok(reply);
                }
                machine.references(argument)?
            }
            _ => {
                let list = "()[Ljava/lang/Object;";
                let list = machine.call_virtual(argument, "toArray", list, &[])?;
                machine.references(Reference(list))?
            }
        };
        for mirror in mirrors {
            text.push_str(&machine.class_descriptor(machine.mirrored(mirror)?));
        }
    }
    text.push(')');
    text.push_str(&result);
    let made = machine.method_type(&text)?;
    answer(made)
}
