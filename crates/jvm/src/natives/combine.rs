//! `MethodHandles` and `MethodHandle`: combining handles. What comes of it is in `dynamic/combine.rs`.

use smallvec::smallvec;

use super::{Native, Reason, Reply, answer, contents, int, local, object, reference};
use crate::classfile::Type;
use crate::dynamic::{Handle, HandleTypes, INVOKE_INTERFACE, INVOKE_STATIC};
use crate::error::{Fault, FaultKind};
use crate::machine::{Machine, Trap, raise};
use crate::memory::{Hook, Reference};
use crate::world::{ClassId, ClassKind};

const HANDLES: &str = "java/lang/invoke/MethodHandles";
const HANDLE: &str = "java/lang/invoke/MethodHandle";
const IMPLEMENTATION: &str = "java/lang/invoke/MethodHandleImpl";
const TYPE: &str = "java/lang/invoke/MethodType";
const ARRAY: &str = "[Ljava/lang/Object;";

pub(super) static NATIVES: &[Native] = &[
    contents(HANDLES, "insertArguments", "*", insert_arguments),
    contents(HANDLES, "dropArguments", "*", drop_arguments),
    local(Reason::MakesNew, HANDLES, "dropArguments0", "*", drop_arguments),
    contents(HANDLES, "permuteArguments", "*", permute_arguments),
    contents(HANDLES, "filterArguments", "*", filter_arguments),
    local(Reason::MakesNew, HANDLES, "filterArgument", "*", collect_arguments),
    local(Reason::MakesNew, HANDLES, "filterReturnValue", "*", filter_return_value),
    local(Reason::MakesNew, HANDLES, "collectArguments", "*", collect_arguments),
    local(Reason::MakesNew, HANDLES, "foldArguments", "*", fold_arguments),
    local(Reason::MakesNew, HANDLES, "guardWithTest", "*", guard_with_test),
    local(Reason::MakesNew, HANDLES, "catchException", "*", catch_exception),
    local(Reason::MakesNew, HANDLES, "throwException", "*", throw_exception),
    local(Reason::MakesNew, HANDLES, "constant", "*", constant),
    local(Reason::MakesNew, HANDLES, "zero", "*", zero_of),
    local(Reason::MakesNew, HANDLES, "empty", "*", empty),
    local(Reason::MakesNew, HANDLES, "identity", "*", identity),
    local(Reason::MakesNew, IMPLEMENTATION, "makeTryFinally", "*", try_finally),
    local(Reason::MakesNew, IMPLEMENTATION, "makeLoop", "*", make_loop),
    local(Reason::MakesNew, IMPLEMENTATION, "getConstantHandle", "*", handle_of_loops),
    local(Reason::MakesNew, HANDLES, "arrayElementGetter", "*", element_getter),
    local(Reason::MakesNew, HANDLES, "arrayElementSetter", "*", element_setter),
    local(
        Reason::MakesNew,
        HANDLE,
        "asSpreader",
        "(Ljava/lang/Class;I)Ljava/lang/invoke/MethodHandle;",
        as_spreader,
    ),
    local(
        Reason::MakesNew,
        HANDLE,
        "asSpreader",
        "(ILjava/lang/Class;I)Ljava/lang/invoke/MethodHandle;",
        as_spreader_at,
    ),
    local(
        Reason::MakesNew,
        HANDLE,
        "asCollector",
        "(Ljava/lang/Class;I)Ljava/lang/invoke/MethodHandle;",
        as_collector,
    ),
    local(
        Reason::MakesNew,
        HANDLE,
        "asCollector",
        "(ILjava/lang/Class;I)Ljava/lang/invoke/MethodHandle;",
        as_collector_at,
    ),
    local(
        Reason::RunsOther,
        HANDLE,
        "invokeWithArguments",
        "([Ljava/lang/Object;)Ljava/lang/Object;",
        invoke_with_arguments,
    ),
    local(Reason::MakesNew, TYPE, "makeImpl", "*", make_type),
    local(Reason::MakesNew, TYPE, "listToArray", "*", array_of_types),
    local(Reason::MakesNew, TYPE, "genericMethodType", "*", generic_type),
    local(Reason::AboutClasses, TYPE, "parameterSlotCount", "*", slots),
];

/// The class that a class object stands for, as a descriptor.
fn described(machine: &Machine, mirror: Reference) -> Result<String, Trap> {
    Ok(machine.class_descriptor(machine.mirrored(mirror)?))
}

/// The references in an array that is an argument, or a reply that lets it be copied first.
fn elements(
    machine: &mut Machine,
    arguments: &[u64],
    index: usize,
) -> Result<Result<Vec<Reference>, Reply>, Trap> {
    match machine.private_copy(arguments, index, None)? {
        Some(reply) => Ok(Err(reply)),
        None => Ok(Ok(machine.references(object(arguments, index)?)?)),
    }
}

fn place(arguments: &[u64], index: usize) -> Result<usize, Trap> {
    match usize::try_from(int(arguments, index)) {
        Ok(place) => Ok(place),
        Err(_) => raise("java/lang/IllegalArgumentException", "a place before the first argument"),
    }
}

fn insert_arguments(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let at = place(arguments, 1)?;
    let values = match elements(machine, arguments, 2)? {
        Ok(values) => values,
        Err(reply) => return Ok(reply),
    };
    let made = machine.insert_arguments(object(arguments, 0)?, at, &values)?;
    answer(made)
}

fn drop_arguments(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (handle, at) = (object(arguments, 0)?, place(arguments, 1)?);
    let given = object(arguments, 2)?;
    let class = machine.class_of(given)?;
    let mirrors = if machine.world.class_name(class).starts_with('[') {
        match elements(machine, arguments, 2)? {
            Ok(mirrors) => mirrors,
            Err(reply) => return Ok(reply),
        }
    } else {
        let list = machine.call_virtual(given, "toArray", "()[Ljava/lang/Object;", &[])?;
        machine.references(Reference(list))?
    };
    let mut outer = machine.handle_types(handle)?.parameters;
    let count = outer.len();
    if at > count {
        return raise("java/lang/IllegalArgumentException", "no argument to drop");
    }
    let mut dropped = Vec::new();
    for mirror in mirrors {
        dropped.push(described(machine, mirror)?);
    }
    let order: Vec<usize> =
        (0..count).map(|index| if index < at { index } else { index + dropped.len() }).collect();
    outer.splice(at..at, dropped);
    let made = machine.rearrange(handle, outer, &order, None)?;
    answer(made)
}

fn permute_arguments(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let handle = object(arguments, 0)?;
    let types = machine.types_in(object(arguments, 1)?)?;
    if let Some(reply) = machine.private_copy(arguments, 2, None)? {
        return Ok(reply);
    }
    let array = object(arguments, 2)?;
    let mut order = Vec::new();
    for index in 0..machine.length(array)? {
        let word = machine.heap.element(array, index, Type::Int.shift());
        let from = word.and_then(|word| usize::try_from(word as i32).ok());
        order.push(from.unwrap_or(usize::MAX));
    }
    let made = machine.rearrange(handle, types.parameters, &order, Some(types.result))?;
    answer(made)
}

fn filter_arguments(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (mut handle, at) = (object(arguments, 0)?, place(arguments, 1)?);
    let filters = match elements(machine, arguments, 2)? {
        Ok(filters) => filters,
        Err(reply) => return Ok(reply),
    };
    for (index, filter) in filters.into_iter().enumerate() {
        if let Some(filter) = filter.non_null() {
            handle = machine.collect(handle, at + index, filter, false)?;
        }
    }
    answer(handle)
}

fn filter_return_value(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let made = machine.filter_result(object(arguments, 0)?, object(arguments, 1)?)?;
    answer(made)
}

fn collect_arguments(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let at = place(arguments, 1)?;
    let made = machine.collect(object(arguments, 0)?, at, object(arguments, 2)?, false)?;
    answer(made)
}

fn fold_arguments(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (at, filter) = match arguments.len() {
        2 => (0, object(arguments, 1)?),
        _ => (place(arguments, 1)?, object(arguments, 2)?),
    };
    let made = machine.collect(object(arguments, 0)?, at, filter, true)?;
    answer(made)
}

fn guard_with_test(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let handles = [object(arguments, 0)?, object(arguments, 1)?, object(arguments, 2)?];
    let made = machine.guard(handles)?;
    answer(made)
}

fn catch_exception(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 1)?)?;
    let made = machine.catching(object(arguments, 0)?, class, object(arguments, 2)?)?;
    answer(made)
}

fn try_finally(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let made = machine.finally(object(arguments, 0)?, object(arguments, 1)?)?;
    answer(made)
}

/// The elements of a list that the JDK's code has made.
fn listed(machine: &mut Machine, list: Reference) -> Result<Vec<Reference>, Trap> {
    let array = machine.call_virtual(list, "toArray", "()[Ljava/lang/Object;", &[])?;
    machine.references(Reference(array))
}

fn array_of_types(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let types = listed(machine, object(arguments, 0)?)?;
    let class = machine.load_class("java/lang/Class")?;
    let made = machine.reference_array(class, &types)?;
    answer(made)
}

/// What `loop` and its relatives end in: the result, the parameters, and four lists with the handles of the clauses.
fn make_loop(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let result = described(machine, object(arguments, 0)?)?;
    let mut types = HandleTypes { parameters: Vec::new(), result };
    for mirror in listed(machine, object(arguments, 1)?)? {
        types.parameters.push(described(machine, mirror)?);
    }
    let mut lists = Vec::new();
    for index in 2..6 {
        lists.push(listed(machine, object(arguments, index)?)?);
    }
    let count = lists.iter().map(Vec::len).min().unwrap_or(0);
    let clauses: Vec<[Reference; 4]> =
        (0..count).map(|clause| std::array::from_fn(|handle| lists[handle][clause])).collect();
    let made = machine.looping(&types, &clauses)?;
    answer(made)
}

/// Handles of the methods that loops over numbers and iterators are made of, as the JDK numbers them.
fn handle_of_loops(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (class, name, descriptor, kind) = match int(arguments, 0) {
        2 => (IMPLEMENTATION, "countedLoopPredicate", "(II)Z", INVOKE_STATIC),
        3 => (IMPLEMENTATION, "countedLoopStep", "(II)I", INVOKE_STATIC),
        4 => ("java/lang/Iterable", "iterator", "()Ljava/util/Iterator;", INVOKE_INTERFACE),
        5 => (IMPLEMENTATION, "iteratePredicate", "(Ljava/util/Iterator;)Z", INVOKE_STATIC),
        6 => (
            IMPLEMENTATION,
            "iterateNext",
            "(Ljava/util/Iterator;)Ljava/lang/Object;",
            INVOKE_STATIC,
        ),
        _ => return Err(Fault::unsupported("this combination of method handles").into()),
    };
    let class = machine.load_class(class)?;
    let Some(target) = machine.world.declared(class, name, descriptor) else {
        return Err(crate::machine::bad_reference().into());
    };
    let handle = Handle { kind, target: target.0, field: 0, bound: false };
    let made = machine.new_handle(handle, Reference::NULL)?;
    answer(made)
}

fn throw_exception(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let result = described(machine, object(arguments, 0)?)?;
    let kind = described(machine, object(arguments, 1)?)?;
    let made = machine.throwing(&result, &kind)?;
    answer(made)
}

fn constant(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let result = described(machine, object(arguments, 0)?)?;
    let types = HandleTypes { parameters: Vec::new(), result };
    let made = machine.constantly(&types, reference(arguments, 1))?;
    answer(made)
}

fn zero_of(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let result = described(machine, object(arguments, 0)?)?;
    let types = HandleTypes { parameters: Vec::new(), result };
    let made = machine.constantly(&types, Reference::NULL)?;
    answer(made)
}

fn empty(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let types = machine.types_in(object(arguments, 0)?)?;
    let made = machine.constantly(&types, Reference::NULL)?;
    answer(made)
}

fn identity(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let kind = described(machine, object(arguments, 0)?)?;
    let made = machine.identity_handle(&kind)?;
    answer(made)
}

/// An array class that is an argument, and the type of its elements.
fn array_class(
    machine: &Machine,
    arguments: &[u64],
    index: usize,
) -> Result<(ClassId, String, Type), Trap> {
    let class = machine.mirrored(object(arguments, index)?)?;
    match machine.world.class(class).kind {
        ClassKind::Array(_, element) => Ok((class, machine.class_descriptor(class), element)),
        _ => raise("java/lang/IllegalArgumentException", "not an array type"),
    }
}

fn element_getter(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (_, array, element) = array_class(machine, arguments, 0)?;
    let made = machine.element_handle(&array, element, false)?;
    answer(made)
}

fn element_setter(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (_, array, element) = array_class(machine, arguments, 0)?;
    let made = machine.element_handle(&array, element, true)?;
    answer(made)
}

fn as_spreader(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (handle, count) = (object(arguments, 0)?, place(arguments, 2)?);
    let (_, array, _) = array_class(machine, arguments, 1)?;
    let all = machine.handle_types(handle)?.parameters.len();
    let made = machine.spreading(handle, all.saturating_sub(count), &array, count)?;
    answer(made)
}

fn as_spreader_at(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (at, count) = (place(arguments, 1)?, place(arguments, 3)?);
    let (_, array, _) = array_class(machine, arguments, 2)?;
    let made = machine.spreading(object(arguments, 0)?, at, &array, count)?;
    answer(made)
}

fn as_collector(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (handle, count) = (object(arguments, 0)?, place(arguments, 2)?);
    let (class, ..) = array_class(machine, arguments, 1)?;
    let all = machine.handle_types(handle)?.parameters.len();
    let made = machine.collecting(handle, all.saturating_sub(1), class, count)?;
    answer(made)
}

fn as_collector_at(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (at, count) = (place(arguments, 1)?, place(arguments, 3)?);
    let (class, ..) = array_class(machine, arguments, 2)?;
    let made = machine.collecting(object(arguments, 0)?, at, class, count)?;
    answer(made)
}

/// Calls a handle with the elements of an array. A method with a variable number of arguments gets the last
/// ones in an array of its own.
fn invoke_with_arguments(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (mut handle, array) = (object(arguments, 0)?, object(arguments, 1)?);
    let given = machine.length(array)? as usize;
    let wanted = machine.handle_types(handle)?.parameters;
    if machine.takes_any_number(handle)? && given + 1 >= wanted.len() {
        let last = wanted.last().cloned().unwrap_or_default();
        let class = machine.load_descriptor(&last)?;
        handle = machine.collecting(handle, wanted.len() - 1, class, given + 1 - wanted.len())?;
    }
    let count = machine.handle_types(handle)?.parameters.len();
    if count != given {
        let message = format!("cannot convert {count} arguments to {given}");
        return raise("java/lang/invoke/WrongMethodTypeException", message);
    }
    let spreads = machine.spreading(handle, 0, ARRAY, given)?;
    let (spreads, parts) = machine.handle_of(spreads)?;
    let site = machine.world.symbols.intern("([Ljava/lang/Object;)Ljava/lang/Object;");
    let adapter = machine.handle_adapter(spreads, site)?;
    Ok(Reply::Call(adapter, smallvec![parts, array.0], Hook::None))
}

/// What all methods of `MethodType` that change a type end in.
fn make_type(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let result = described(machine, object(arguments, 0)?)?;
    let mut types = HandleTypes { parameters: Vec::new(), result };
    // Whoever calls it has made the array for it.
    for mirror in machine.references(object(arguments, 1)?)? {
        let mirror = mirror.non_null();
        let mirror = mirror.ok_or_else(|| Trap::raise("java/lang/NullPointerException", None))?;
        types.parameters.push(described(machine, mirror)?);
    }
    let made = machine.method_type(&types.descriptor())?;
    answer(made)
}

fn generic_type(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let count = place(arguments, 0)?;
    if count > 255 {
        return Err(FaultKind::Limit { what: "a method type with more than 255 parameters" }.into());
    }
    let mut parameters = vec!["Ljava/lang/Object;".to_string(); count];
    if arguments.len() > 1 && int(arguments, 1) != 0 {
        parameters.push(ARRAY.to_string());
    }
    let types = HandleTypes { parameters, result: "Ljava/lang/Object;".to_string() };
    let made = machine.method_type(&types.descriptor())?;
    answer(made)
}

/// How many words the arguments of a type take in a virtual machine: two for each `long` and `double`.
fn slots(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let types = machine.types_in(object(arguments, 0)?)?;
    let wide = |kind: &&String| matches!(kind.as_str(), "J" | "D");
    let count = types.parameters.len() + types.parameters.iter().filter(wide).count();
    Ok(Reply::Word(count as u64))
}
