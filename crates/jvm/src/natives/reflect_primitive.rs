//! Reflection on variables of primitive types, such as `Field.getInt` and `Array.setLong`.
//!
//! A value is widened on its way as in an assignment; where that is not allowed, the caller is told.

use super::reflect::{cannot_set, declared_name, element, field_of, read_field, write_field};
use super::{Native, Reply, contents, word};
use crate::classfile::Type;
use crate::dynamic::{Body, widen_argument};
use crate::machine::{Machine, Trap, raise};

/// The rows of a class for the eight primitive types.
macro_rules! accesses {
    ($table:ident, $class:literal, $get:path, $set:path) => {
        pub(super) static $table: &[Native] = &[
            accesses!($class, $get, $set, "getBoolean", "setBoolean", Boolean),
            accesses!($class, $get, $set, "getByte", "setByte", Byte),
            accesses!($class, $get, $set, "getChar", "setChar", Char),
            accesses!($class, $get, $set, "getShort", "setShort", Short),
            accesses!($class, $get, $set, "getInt", "setInt", Int),
            accesses!($class, $get, $set, "getLong", "setLong", Long),
            accesses!($class, $get, $set, "getFloat", "setFloat", Float),
            accesses!($class, $get, $set, "getDouble", "setDouble", Double),
        ]
        .as_flattened();
    };
    ($class:literal, $get:path, $set:path, $getter:literal, $setter:literal, $kind:ident) => {
        [
            contents($class, $getter, "*", |machine, arguments| {
                $get(machine, arguments, Type::$kind)
            }),
            contents($class, $setter, "*", |machine, arguments| {
                $set(machine, arguments, Type::$kind)
            }),
        ]
    };
}

accesses!(FIELDS, "java/lang/reflect/Field", get_field, set_field);
accesses!(ELEMENTS, "java/lang/reflect/Array", get_element, set_element);

fn get_field(machine: &mut Machine, arguments: &[u64], wanted: Type) -> Result<Reply, Trap> {
    let (class, _, field) = field_of(machine, arguments)?;
    if !is_assignable(field.kind, wanted) {
        let message = format!(
            "Attempt to get {} field \"{}.{}\" with illegal data type conversion to {}",
            declared_name(machine.world.symbols.text(field.descriptor)),
            machine.world.external_name(class),
            machine.world.symbols.text(field.name),
            wanted.keyword(),
        );
        return raise("java/lang/IllegalArgumentException", message);
    }
    read_field(machine, arguments, &wanted.letter().to_string())
}

fn set_field(machine: &mut Machine, arguments: &[u64], given: Type) -> Result<Reply, Trap> {
    let (class, _, field) = field_of(machine, arguments)?;
    let described = format!("({}){}", given.keyword(), text_of(word(arguments, 2), given));
    if !is_assignable(given, field.kind) {
        let message = cannot_set(machine, class, &field, &described);
        return raise("java/lang/IllegalArgumentException", message);
    }
    let value = widen_argument(word(arguments, 2), given, field.kind);
    write_field(machine, arguments, value, &described)
}

/// A value as messages show it.
fn text_of(word: u64, kind: Type) -> String {
    match kind {
        Type::Boolean => (word != 0).to_string(),
        Type::Char => char::from_u32(word as u32 & 0xffff).unwrap_or('?').to_string(),
        Type::Long => (word as i64).to_string(),
        Type::Float => format!("{:?}", f32::from_bits(word as u32)),
        Type::Double => format!("{:?}", f64::from_bits(word)),
        _ => (word as i32).to_string(),
    }
}

fn get_element(machine: &mut Machine, arguments: &[u64], wanted: Type) -> Result<Reply, Trap> {
    let cell = element(machine, arguments)?;
    check(cell.kind, wanted)?;
    if machine.is_reached(cell.object) {
        let words = &arguments[..2];
        return machine.in_sight(Body::ReadElement(cell.kind, Some(wanted)), words);
    }
    let value = machine.read_cell(cell)?;
    Ok(Reply::Word(widen_argument(value, cell.kind, wanted)))
}

fn set_element(machine: &mut Machine, arguments: &[u64], given: Type) -> Result<Reply, Trap> {
    let cell = element(machine, arguments)?;
    check(given, cell.kind)?;
    let value = widen_argument(word(arguments, 2), given, cell.kind);
    if machine.is_reached(cell.object) {
        let words = [word(arguments, 0), word(arguments, 1), value];
        return machine.in_sight(Body::WriteElement(cell.kind), &words);
    }
    machine.write_cell(cell, value)?;
    Ok(Reply::Void)
}

/// Whether a value of a type can be assigned to a variable of another, if one of them is primitive.
pub(super) fn is_assignable(given: Type, wanted: Type) -> bool {
    const NUMBERS: [Type; 6] =
        [Type::Byte, Type::Short, Type::Int, Type::Long, Type::Float, Type::Double];
    let rank = |kind: Type| NUMBERS.iter().position(|number| *number == kind);
    // A character widens as an unsigned short does, but nothing widens to it.
    let from = if given == Type::Char { Some(1) } else { rank(given) };
    let widens = match (from, rank(wanted)) {
        (Some(from), Some(to)) => from < to || given == wanted,
        _ => false,
    };
    given == wanted || widens
}

fn check(given: Type, wanted: Type) -> Result<(), Trap> {
    match is_assignable(given, wanted) {
        true => Ok(()),
        false => raise("java/lang/IllegalArgumentException", "argument type mismatch"),
    }
}
