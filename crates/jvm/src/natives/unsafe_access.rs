//! `jdk.internal.misc.Unsafe`: accesses to variables by offset, which the JDK builds its atomic classes
//! and concurrent collections on.
//!
//! An offset is the byte of the object at which the machine keeps the variable, so that fields and
//! packed array elements are addressed alike.

use super::{
    Native, NativeEffect, Reason, Reply, answer, answer_int, contents, int, local, nothing, object,
    one, reference, visible, word, zero,
};
use crate::classfile::Type;
use crate::dynamic::{Body, byte_index};
use crate::error::Fault;
use crate::interpret::access::{AccessKind, Ordering};
use crate::machine::{Machine, Trap};
use crate::memory::{ARRAY_HEADER_WORDS, Reference};
use crate::world::ClassId;

const UNSAFE: &str = "jdk/internal/misc/Unsafe";
const SUPPORT: &str = "jdk/internal/util/ArraysSupport";

/// The rows of all accesses to variables of one type.
///
/// A line gives the method's name before and after the name of the type, the types of the values
/// and of the result, and what is done.
macro_rules! accesses {
    ($table:ident, $name:literal, $v:literal, $kind:ident) => {
        accesses! { $table $name $v $kind:
            "get" "" () $v => Get Plain;
            "get" "Volatile" () $v => Get Volatile;
            "get" "Acquire" () $v => Get Volatile;
            "get" "Opaque" () $v => Get Volatile;
            "put" "" ($v) "V" => Set Plain;
            "put" "Volatile" ($v) "V" => Set Volatile;
            "put" "Release" ($v) "V" => Set Volatile;
            "put" "Opaque" ($v) "V" => Set Volatile;
            "compareAndSet" "" ($v $v) "Z" => CompareAndSet Volatile;
            "weakCompareAndSet" "" ($v $v) "Z" => CompareAndSet Volatile;
            "weakCompareAndSet" "Plain" ($v $v) "Z" => CompareAndSet Volatile;
            "weakCompareAndSet" "Acquire" ($v $v) "Z" => CompareAndSet Volatile;
            "weakCompareAndSet" "Release" ($v $v) "Z" => CompareAndSet Volatile;
            "compareAndExchange" "" ($v $v) $v => CompareAndExchange Volatile;
            "compareAndExchange" "Acquire" ($v $v) $v => CompareAndExchange Volatile;
            "compareAndExchange" "Release" ($v $v) $v => CompareAndExchange Volatile;
            "getAndSet" "" ($v) $v => GetAndSet Volatile;
            "getAndSet" "Acquire" ($v) $v => GetAndSet Volatile;
            "getAndSet" "Release" ($v) $v => GetAndSet Volatile;
            "getAndAdd" "" ($v) $v => GetAndAdd Volatile;
            "getAndAdd" "Acquire" ($v) $v => GetAndAdd Volatile;
            "getAndAdd" "Release" ($v) $v => GetAndAdd Volatile;
            "getAndBitwiseOr" "" ($v) $v => GetAndOr Volatile;
            "getAndBitwiseAnd" "" ($v) $v => GetAndAnd Volatile;
            "getAndBitwiseXor" "" ($v) $v => GetAndXor Volatile;
        }
    };
    ($table:ident $name:literal $v:literal $kind:ident: $($before:literal $after:literal
        ($($value:literal)*) $result:literal => $atomic:ident $ordering:ident;)*) => {
        pub(super) static $table: &[Native] = &[$(visible(
            UNSAFE,
            concat!($before, $name, $after),
            concat!("(Ljava/lang/Object;J", $($value,)* ")", $result),
            NativeEffect::Memory(AccessKind::$atomic, Type::$kind, Ordering::$ordering),
        )),*];
    };
}

accesses!(BOOLEAN, "Boolean", "Z", Boolean);
accesses!(BYTE, "Byte", "B", Byte);
accesses!(CHAR, "Char", "C", Char);
accesses!(SHORT, "Short", "S", Short);
accesses!(INT, "Int", "I", Int);
accesses!(LONG, "Long", "J", Long);
accesses!(FLOAT, "Float", "F", Float);
accesses!(DOUBLE, "Double", "D", Double);
accesses!(REFERENCE, "Reference", "Ljava/lang/Object;", Reference);
accesses!(OBJECT, "Object", "Ljava/lang/Object;", Reference);

pub(super) static NATIVES: &[Native] = &[
    local(Reason::AboutClasses, UNSAFE, "objectFieldOffset1", "*", field_offset_by_name),
    local(
        Reason::AboutClasses,
        UNSAFE,
        "objectFieldOffset",
        "(Ljava/lang/Class;Ljava/lang/String;)J",
        field_offset_by_name,
    ),
    local(Reason::AboutClasses, UNSAFE, "objectFieldOffset0", "*", field_offset),
    local(Reason::AboutClasses, UNSAFE, "staticFieldOffset0", "*", field_offset),
    local(Reason::AboutClasses, UNSAFE, "staticFieldBase0", "*", static_base),
    local(Reason::Constant, UNSAFE, "arrayBaseOffset0", "*", array_base),
    local(Reason::AboutClasses, UNSAFE, "arrayIndexScale0", "*", array_scale),
    local(Reason::Constant, UNSAFE, "arrayBaseOffset", "*", array_base),
    local(Reason::AboutClasses, UNSAFE, "arrayIndexScale", "*", array_scale),
    local(Reason::Constant, UNSAFE, "addressSize0", "*", eight),
    local(Reason::Constant, UNSAFE, "addressSize", "*", eight),
    local(Reason::Constant, UNSAFE, "pageSize", "*", page_size),
    local(Reason::Constant, UNSAFE, "isBigEndian0", "*", zero),
    local(Reason::Constant, UNSAFE, "unalignedAccess0", "*", one),
    local(Reason::Constant, UNSAFE, "fullFence", "*", nothing),
    local(Reason::Constant, UNSAFE, "loadFence", "*", nothing),
    local(Reason::Constant, UNSAFE, "storeFence", "*", nothing),
    local(Reason::Constant, UNSAFE, "loadLoadFence", "*", nothing),
    local(Reason::Constant, UNSAFE, "storeStoreFence", "*", nothing),
    local(Reason::AboutClasses, UNSAFE, "ensureClassInitialized0", "*", ensure_initialized),
    local(Reason::AboutClasses, UNSAFE, "ensureClassInitialized", "*", ensure_initialized),
    local(Reason::Constant, UNSAFE, "shouldBeInitialized0", "*", zero),
    local(Reason::MakesNew, UNSAFE, "allocateInstance", "*", allocate_instance),
    local(Reason::MakesNew, UNSAFE, "allocateUninitializedArray", "*", allocate_array),
    local(Reason::RunsOther, UNSAFE, "throwException", "*", throw_exception),
    contents(UNSAFE, "getLongUnaligned", "(Ljava/lang/Object;J)J", |machine, arguments| {
        get_unaligned(machine, arguments, Type::Long)
    }),
    contents(UNSAFE, "getIntUnaligned", "(Ljava/lang/Object;J)I", |machine, arguments| {
        get_unaligned(machine, arguments, Type::Int)
    }),
    contents(UNSAFE, "getCharUnaligned", "(Ljava/lang/Object;J)C", |machine, arguments| {
        get_unaligned(machine, arguments, Type::Char)
    }),
    contents(UNSAFE, "getShortUnaligned", "(Ljava/lang/Object;J)S", |machine, arguments| {
        get_unaligned(machine, arguments, Type::Short)
    }),
    contents(UNSAFE, "putLongUnaligned", "(Ljava/lang/Object;JJ)V", |machine, arguments| {
        put_unaligned(machine, arguments, Type::Long)
    }),
    contents(UNSAFE, "putIntUnaligned", "(Ljava/lang/Object;JI)V", |machine, arguments| {
        put_unaligned(machine, arguments, Type::Int)
    }),
    contents(UNSAFE, "putCharUnaligned", "(Ljava/lang/Object;JC)V", |machine, arguments| {
        put_unaligned(machine, arguments, Type::Char)
    }),
    contents(UNSAFE, "putShortUnaligned", "(Ljava/lang/Object;JS)V", |machine, arguments| {
        put_unaligned(machine, arguments, Type::Short)
    }),
    contents(SUPPORT, "vectorizedMismatch", "*", vectorized_mismatch),
];

/// The field with a name: class, name.
fn field_offset_by_name(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 1)?)?;
    let name = machine.text(object(arguments, 2)?)?;
    match machine.world.field_named(class, &name) {
        Some(place) => Ok(Reply::Word(
            u64::from(machine.world.class(place.class).fields[place.index].word) * 8,
        )),
        None => Err(Trap::raise("java/lang/InternalError", Some(name))),
    }
}

/// The class and index of the field that a `java.lang.reflect.Field` stands for.
fn reflected(machine: &Machine, field: Reference) -> Result<(ClassId, usize), Trap> {
    let class = machine.mirrored(Reference(machine.get_field(field, "clazz")?))?;
    Ok((class, machine.get_field(field, "slot")? as usize))
}

fn field_offset(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (class, index) = reflected(machine, object(arguments, 1)?)?;
    let field = machine.world.class(class).fields.get(index);
    Ok(Reply::Word(field.map_or(0, |field| u64::from(field.word) * 8)))
}

fn static_base(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (class, _) = reflected(machine, object(arguments, 1)?)?;
    answer(machine.mirror(class))
}

fn array_base(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Ok(Reply::Word(u64::from(ARRAY_HEADER_WORDS) * 8))
}

fn array_scale(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 1)?)?;
    let element = machine.world.class(class).element();
    Ok(Reply::Word(element.map_or(8, |(_, kind)| 1 << kind.shift())))
}

fn eight(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    answer_int(8)
}

fn page_size(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    answer_int(4096)
}

fn ensure_initialized(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 1)?)?;
    Ok(machine.initialized_first(class)?.unwrap_or(Reply::Void))
}

fn allocate_instance(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 1)?)?;
    if let Some(reply) = machine.initialized_first(class)? {
        return Ok(reply);
    }
    let made = machine.new_object(class)?;
    answer(made)
}

fn allocate_array(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let element = machine.mirrored(object(arguments, 1)?)?;
    let class = machine.array_class(element)?;
    let made = machine.new_array(class, int(arguments, 2).max(0) as u32)?;
    answer(made)
}

fn throw_exception(_: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    Err(Trap::Throw(object(arguments, 1)?))
}

/// Whether an access is to bytes that others can reach; then its body in byte code, one byte at a time.
fn by_bytes(machine: &mut Machine, arguments: &[u64], body: Body) -> Result<Option<Reply>, Trap> {
    let array = reference(arguments, 1);
    if array.is_null() || !machine.is_reached(array) {
        return Ok(None);
    }
    if machine.class_of(array)? != machine.known.byte_array {
        let what = "Unsafe access to an array that threads share, as to one of other elements";
        return Err(Fault::unsupported(what).into());
    }
    let mut words = vec![array.0, byte_index(word(arguments, 2))?];
    words.extend(arguments.get(3..).unwrap_or_default());
    machine.in_sight(body, &words).map(Some)
}

/// Writes a number into bytes: the JDK's code does if nobody else can reach them.
fn put_unaligned(machine: &mut Machine, arguments: &[u64], kind: Type) -> Result<Reply, Trap> {
    let reply = by_bytes(machine, arguments, Body::WriteBytes { kind, big_endian: false })?;
    Ok(reply.unwrap_or(Reply::Decline))
}

/// How many elements of two arrays are left to compare one by one: all, if others can reach one of them.
fn vectorized_mismatch(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if ![0, 2].iter().any(|index| machine.is_reached(reference(arguments, *index))) {
        return Ok(Reply::Decline);
    }
    if int(arguments, 5) < 3 {
        return Ok(Reply::Word(u64::from(!int(arguments, 4) as u32)));
    }
    // Of elements of eight bytes the callers expect none to be left.
    let at = |index: usize| byte_index(word(arguments, index)).map(|byte| byte / 8);
    let words = [word(arguments, 0), at(1)?, word(arguments, 2), at(3)?, word(arguments, 4)];
    machine.in_sight(Body::Mismatch, &words)
}

/// A number in the bytes of an array from an offset on, low byte first.
fn get_unaligned(machine: &mut Machine, arguments: &[u64], kind: Type) -> Result<Reply, Trap> {
    let body = Body::ReadBytes { kind, big_endian: false };
    if let Some(reply) = by_bytes(machine, arguments, body)? {
        return Ok(reply);
    }
    let bits = unaligned(machine, arguments, 1 << kind.shift())?;
    Ok(Reply::Word(crate::interpret::variable::widen(bits, kind)))
}

/// Bytes of an array from an offset on, low byte first.
fn unaligned(machine: &Machine, arguments: &[u64], bytes: u32) -> Result<u64, Trap> {
    let array = reference(arguments, 1);
    let offset = word(arguments, 2) as u32;
    let mut value = 0;
    for index in 0..bytes {
        let at = offset + index;
        let word = machine.heap.load(array, at / 8).ok_or_else(crate::machine::bad_reference)?;
        let byte = word >> (at % 8 * 8) & 0xFF;
        value |= byte << (index * 8);
    }
    Ok(value)
}
