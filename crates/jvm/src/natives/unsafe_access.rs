//! `jdk.internal.misc.Unsafe`: accesses to variables by offset, which the JDK builds its atomic classes
//! and concurrent collections on.
//!
//! An offset is the byte of the object at which the machine keeps the variable, so that fields and
//! packed array elements are addressed alike.

use super::{
    Effect, Native, Reply, answer, answer_int, int, local, nothing, noticed, object, one,
    reference, word, zero,
};
use crate::classfile::Type;
use crate::interpret::atomic::{Atomic, Ordering};
use crate::machine::{Machine, Trap};
use crate::memory::{ARRAY_HEADER_WORDS, Reference};
use crate::world::ClassId;

const UNSAFE: &str = "jdk/internal/misc/Unsafe";

/// One row: name, types of the values, type of the result, and what is done.
macro_rules! row {
    ($name:expr, $values:expr, $result:expr, $atomic:ident, $kind:ident, $ordering:ident) => {
        noticed(
            UNSAFE,
            $name,
            concat!("(Ljava/lang/Object;J", $values, ")", $result),
            Effect::Memory(Atomic::$atomic, Type::$kind, Ordering::$ordering),
        )
    };
}

/// The rows of all accesses to variables of one type.
macro_rules! accesses {
    ($table:ident, $name:literal, $letter:literal, $kind:ident) => {
        pub(super) static $table: &[Native] = &[
            row!(concat!("get", $name), "", $letter, Get, $kind, Plain),
            row!(concat!("get", $name, "Volatile"), "", $letter, Get, $kind, Volatile),
            row!(concat!("get", $name, "Acquire"), "", $letter, Get, $kind, Volatile),
            row!(concat!("get", $name, "Opaque"), "", $letter, Get, $kind, Volatile),
            row!(concat!("put", $name), $letter, "V", Set, $kind, Plain),
            row!(concat!("put", $name, "Volatile"), $letter, "V", Set, $kind, Volatile),
            row!(concat!("put", $name, "Release"), $letter, "V", Set, $kind, Volatile),
            row!(concat!("put", $name, "Opaque"), $letter, "V", Set, $kind, Volatile),
            row!(
                concat!("compareAndSet", $name),
                concat!($letter, $letter),
                "Z",
                CompareAndSet,
                $kind,
                Volatile
            ),
            row!(
                concat!("weakCompareAndSet", $name),
                concat!($letter, $letter),
                "Z",
                CompareAndSet,
                $kind,
                Volatile
            ),
            row!(
                concat!("weakCompareAndSet", $name, "Plain"),
                concat!($letter, $letter),
                "Z",
                CompareAndSet,
                $kind,
                Volatile
            ),
            row!(
                concat!("weakCompareAndSet", $name, "Acquire"),
                concat!($letter, $letter),
                "Z",
                CompareAndSet,
                $kind,
                Volatile
            ),
            row!(
                concat!("weakCompareAndSet", $name, "Release"),
                concat!($letter, $letter),
                "Z",
                CompareAndSet,
                $kind,
                Volatile
            ),
            row!(
                concat!("compareAndExchange", $name),
                concat!($letter, $letter),
                $letter,
                CompareAndExchange,
                $kind,
                Volatile
            ),
            row!(
                concat!("compareAndExchange", $name, "Acquire"),
                concat!($letter, $letter),
                $letter,
                CompareAndExchange,
                $kind,
                Volatile
            ),
            row!(
                concat!("compareAndExchange", $name, "Release"),
                concat!($letter, $letter),
                $letter,
                CompareAndExchange,
                $kind,
                Volatile
            ),
            row!(concat!("getAndSet", $name), $letter, $letter, GetAndSet, $kind, Volatile),
            row!(
                concat!("getAndSet", $name, "Acquire"),
                $letter,
                $letter,
                GetAndSet,
                $kind,
                Volatile
            ),
            row!(
                concat!("getAndSet", $name, "Release"),
                $letter,
                $letter,
                GetAndSet,
                $kind,
                Volatile
            ),
            row!(concat!("getAndAdd", $name), $letter, $letter, GetAndAdd, $kind, Volatile),
            row!(
                concat!("getAndAdd", $name, "Acquire"),
                $letter,
                $letter,
                GetAndAdd,
                $kind,
                Volatile
            ),
            row!(
                concat!("getAndAdd", $name, "Release"),
                $letter,
                $letter,
                GetAndAdd,
                $kind,
                Volatile
            ),
            row!(concat!("getAndBitwiseOr", $name), $letter, $letter, GetAndOr, $kind, Volatile),
            row!(concat!("getAndBitwiseAnd", $name), $letter, $letter, GetAndAnd, $kind, Volatile),
            row!(concat!("getAndBitwiseXor", $name), $letter, $letter, GetAndXor, $kind, Volatile),
        ];
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
    local(UNSAFE, "objectFieldOffset1", "*", field_offset_by_name),
    local(
        UNSAFE,
        "objectFieldOffset",
        "(Ljava/lang/Class;Ljava/lang/String;)J",
        field_offset_by_name,
    ),
    local(UNSAFE, "objectFieldOffset0", "*", field_offset),
    local(UNSAFE, "staticFieldOffset0", "*", field_offset),
    local(UNSAFE, "staticFieldBase0", "*", static_base),
    local(UNSAFE, "arrayBaseOffset0", "*", array_base),
    local(UNSAFE, "arrayIndexScale0", "*", array_scale),
    local(UNSAFE, "arrayBaseOffset", "*", array_base),
    local(UNSAFE, "arrayIndexScale", "*", array_scale),
    local(UNSAFE, "addressSize0", "*", eight),
    local(UNSAFE, "addressSize", "*", eight),
    local(UNSAFE, "pageSize", "*", page_size),
    local(UNSAFE, "isBigEndian0", "*", zero),
    local(UNSAFE, "unalignedAccess0", "*", one),
    local(UNSAFE, "fullFence", "*", nothing),
    local(UNSAFE, "loadFence", "*", nothing),
    local(UNSAFE, "storeFence", "*", nothing),
    local(UNSAFE, "loadLoadFence", "*", nothing),
    local(UNSAFE, "storeStoreFence", "*", nothing),
    local(UNSAFE, "ensureClassInitialized0", "*", ensure_initialized),
    local(UNSAFE, "ensureClassInitialized", "*", ensure_initialized),
    local(UNSAFE, "shouldBeInitialized0", "*", zero),
    local(UNSAFE, "allocateInstance", "*", allocate_instance),
    local(UNSAFE, "allocateUninitializedArray", "*", allocate_array),
    local(UNSAFE, "throwException", "*", throw_exception),
    local(UNSAFE, "getLongUnaligned", "(Ljava/lang/Object;J)J", get_long_unaligned),
    local(UNSAFE, "getIntUnaligned", "(Ljava/lang/Object;J)I", get_int_unaligned),
    local(UNSAFE, "getCharUnaligned", "(Ljava/lang/Object;J)C", get_char_unaligned),
    local(UNSAFE, "getShortUnaligned", "(Ljava/lang/Object;J)S", get_char_unaligned),
];

/// The field with a name: class, name.
fn field_offset_by_name(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 1)?)?;
    let name = machine.text(object(arguments, 2)?)?;
    match machine.world.field_named(class, &name) {
        Some(place) => Ok(Reply::Word(
            u64::from(machine.world.class(place.class).fields[place.index].word) * 8,
        )),
        None => Err(Trap::Raise("java/lang/InternalError", Some(name))),
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
    machine.initialize_now(class)?;
    Ok(Reply::Void)
}

fn allocate_instance(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let class = machine.mirrored(object(arguments, 1)?)?;
    machine.initialize_now(class)?;
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

fn get_long_unaligned(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    unaligned(machine, arguments, 8).map(Reply::Word)
}

fn get_int_unaligned(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    unaligned(machine, arguments, 4).map(Reply::Word)
}

fn get_char_unaligned(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    unaligned(machine, arguments, 2).map(Reply::Word)
}
