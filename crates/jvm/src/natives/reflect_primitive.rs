//! Reflection on variables of primitive types, such as `Field.getInt` and `Array.setLong`.
//!
//! A value is widened on its way as in an assignment; where that is not allowed, the caller is told.

use super::reflect::{element, field_cell};
use super::{Native, Reply, local, word};
use crate::classfile::Type;
use crate::dynamic::widen_argument;
use crate::interpret::cell::Cell;
use crate::machine::{Machine, Trap, raise};

/// The rows of a class for the eight primitive types.
macro_rules! accesses {
    ($table:ident, $class:literal, $place:path) => {
        pub(super) static $table: &[Native] = &[
            accesses!($class, $place, "getBoolean", "setBoolean", Boolean),
            accesses!($class, $place, "getByte", "setByte", Byte),
            accesses!($class, $place, "getChar", "setChar", Char),
            accesses!($class, $place, "getShort", "setShort", Short),
            accesses!($class, $place, "getInt", "setInt", Int),
            accesses!($class, $place, "getLong", "setLong", Long),
            accesses!($class, $place, "getFloat", "setFloat", Float),
            accesses!($class, $place, "getDouble", "setDouble", Double),
        ]
        .as_flattened();
    };
    ($class:literal, $place:path, $get:literal, $set:literal, $kind:ident) => {
        [
            local($class, $get, "*", |machine, arguments| {
                let cell = $place(machine, arguments)?;
                get(machine, cell, Type::$kind)
            }),
            local($class, $set, "*", |machine, arguments| {
                let cell = $place(machine, arguments)?;
                set(machine, cell, Type::$kind, word(arguments, 2))
            }),
        ]
    };
}

accesses!(FIELDS, "java/lang/reflect/Field", field_cell);
accesses!(ELEMENTS, "java/lang/reflect/Array", element);

fn get(machine: &mut Machine, cell: Cell, wanted: Type) -> Result<Reply, Trap> {
    check(cell.kind, wanted)?;
    let value = machine.read_cell(cell)?;
    Ok(Reply::Word(widen_argument(value, cell.kind, wanted)))
}

fn set(machine: &mut Machine, cell: Cell, given: Type, value: u64) -> Result<Reply, Trap> {
    check(given, cell.kind)?;
    machine.write_cell(cell, widen_argument(value, given, cell.kind))?;
    Ok(Reply::Void)
}

/// Whether a value of a type can be assigned to a variable of another.
fn check(given: Type, wanted: Type) -> Result<(), Trap> {
    const NUMBERS: [Type; 6] =
        [Type::Byte, Type::Short, Type::Int, Type::Long, Type::Float, Type::Double];
    let rank = |kind: Type| NUMBERS.iter().position(|number| *number == kind);
    // A character widens as an unsigned short does, but nothing widens to it.
    let from = if given == Type::Char { Some(1) } else { rank(given) };
    let widens = match (from, rank(wanted)) {
        (Some(from), Some(to)) => from < to || given == wanted,
        _ => false,
    };
    if given == wanted || widens {
        return Ok(());
    }
    raise("java/lang/IllegalArgumentException", "argument type mismatch")
}
