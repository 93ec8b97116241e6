//! Operations on one variable at once, as `Unsafe` and `VarHandle` offer them.

use super::arithmetic::{double, float, from_double, from_float, from_int, int};
use super::run::LoopControl;
use super::variable::{MemoryCell, widen};
use crate::classfile::Type;
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::memory::{PERMANENT, Reference};

/// What is done to a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessKind {
    /// Reads it.
    Get,
    /// Writes it.
    Set,
    /// Writes it if it has an expected value; says whether.
    CompareAndSet,
    /// Writes it if it has an expected value; says what it had.
    CompareAndExchange,
    /// Writes it and says what it had.
    GetAndSet,
    /// Adds to it and says what it had.
    GetAndAdd,
    /// Bitwise operations; say what it had.
    GetAndOr,
    /// See above.
    GetAndAnd,
    /// See above.
    GetAndXor,
}

/// How an access orders others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ordering {
    /// Not at all, and it can take part in a data race.
    Plain,
    /// Not at all, but two such accesses are no data race.
    Opaque,
    /// What was told at the variable happens before what follows.
    Acquire,
    /// What came before is told at the variable.
    Release,
    /// Both.
    Volatile,
}

/// The access methods of `VarHandle`, in the order of their modes.
const MODES: [(&str, AccessKind, Ordering); 31] = {
    use AccessKind::*;
    use Ordering::*;
    [
        ("get", Get, Plain),
        ("set", Set, Plain),
        ("getVolatile", Get, Volatile),
        ("setVolatile", Set, Volatile),
        ("getOpaque", Get, Opaque),
        ("setOpaque", Set, Opaque),
        ("getAcquire", Get, Acquire),
        ("setRelease", Set, Release),
        ("compareAndSet", CompareAndSet, Volatile),
        ("compareAndExchange", CompareAndExchange, Volatile),
        ("compareAndExchangeAcquire", CompareAndExchange, Acquire),
        ("compareAndExchangeRelease", CompareAndExchange, Release),
        ("weakCompareAndSetPlain", CompareAndSet, Opaque),
        ("weakCompareAndSet", CompareAndSet, Volatile),
        ("weakCompareAndSetAcquire", CompareAndSet, Acquire),
        ("weakCompareAndSetRelease", CompareAndSet, Release),
        ("getAndSet", GetAndSet, Volatile),
        ("getAndSetAcquire", GetAndSet, Acquire),
        ("getAndSetRelease", GetAndSet, Release),
        ("getAndAdd", GetAndAdd, Volatile),
        ("getAndAddAcquire", GetAndAdd, Acquire),
        ("getAndAddRelease", GetAndAdd, Release),
        ("getAndBitwiseOr", GetAndOr, Volatile),
        ("getAndBitwiseOrAcquire", GetAndOr, Acquire),
        ("getAndBitwiseOrRelease", GetAndOr, Release),
        ("getAndBitwiseAnd", GetAndAnd, Volatile),
        ("getAndBitwiseAndAcquire", GetAndAnd, Acquire),
        ("getAndBitwiseAndRelease", GetAndAnd, Release),
        ("getAndBitwiseXor", GetAndXor, Volatile),
        ("getAndBitwiseXorAcquire", GetAndXor, Acquire),
        ("getAndBitwiseXorRelease", GetAndXor, Release),
    ]
};

/// The number of an access method of `VarHandle`.
pub(crate) fn access_mode(name: &str) -> Option<u32> {
    MODES.iter().position(|row| row.0 == name).map(|index| index as u32)
}

/// What the access method with a number does.
pub(crate) fn access_method(mode: u32) -> (AccessKind, Ordering) {
    let row = MODES.get(mode as usize).unwrap_or(&MODES[0]);
    (row.1, row.2)
}

impl Machine {
    /// Performs an operation on a variable and returns its result.
    pub(crate) fn perform(
        &mut self,
        cell: MemoryCell,
        atomic: AccessKind,
        values: &[u64],
    ) -> Result<u64, Trap> {
        let value = |index: usize| -> Result<u64, Fault> {
            let word = values.get(index).copied();
            word.map(|word| widen(word, cell.kind))
                .ok_or_else(|| Fault::invalid("an access with too few values"))
        };
        if self.unknowns.active
            && let Some(result) = self.perform_on_unknowns(cell, atomic, values)?
        {
            return Ok(result);
        }
        let old = self.read_cell(cell)?;
        match atomic {
            AccessKind::Get => {}
            AccessKind::Set | AccessKind::GetAndSet => self.write_cell(cell, value(0)?)?,
            AccessKind::CompareAndSet | AccessKind::CompareAndExchange => {
                let succeeds = old == value(0)?;
                if succeeds {
                    self.write_cell(cell, value(1)?)?;
                }
                if atomic == AccessKind::CompareAndSet {
                    return Ok(u64::from(succeeds));
                }
            }
            AccessKind::GetAndAdd => self.write_cell(cell, add(old, value(0)?, cell.kind))?,
            AccessKind::GetAndOr => self.write_cell(cell, old | value(0)?)?,
            AccessKind::GetAndAnd => self.write_cell(cell, old & value(0)?)?,
            AccessKind::GetAndXor => self.write_cell(cell, old ^ value(0)?)?,
        }
        Ok(old)
    }

    /// Performs a method of `Unsafe` on a variable: the arguments are the `Unsafe` itself, an object,
    /// an offset, and values. The result is `None` if the thread must stop first.
    pub(crate) fn unsafe_access(
        &mut self,
        atomic: AccessKind,
        kind: Type,
        arguments: &[u64],
        perform: bool,
    ) -> Result<Result<u64, LoopControl>, Trap> {
        let cell = unsafe_cell(kind, arguments)?;
        self.check_size(cell)?;
        let visible = self.is_visible_cell(cell);
        if let Some(flow) = self.stops(visible, perform) {
            return Ok(Err(flow));
        }
        let writes = atomic != AccessKind::Get && cell.object.segment() == PERMANENT;
        self.permanent_writes += u64::from(writes && !visible);
        self.perform(cell, atomic, &arguments[3..]).map(Ok)
    }
}

impl Machine {
    /// Refuses an access to an array that threads share as if it had other elements: its footprint
    /// would be one variable, and it is several.
    fn check_size(&self, cell: MemoryCell) -> Result<(), Trap> {
        let element = self.world.class(self.class_of(cell.object)?).element();
        let other = element.is_some_and(|(_, kind)| kind.shift() != cell.kind.shift());
        if other && self.is_reached(cell.object) {
            let what = "Unsafe access to an array that threads share, as to one of other elements";
            return Err(Fault::unsupported(what).into());
        }
        Ok(())
    }
}

/// The variable that the arguments of a method of `Unsafe` name.
pub(crate) fn unsafe_cell(kind: Type, arguments: &[u64]) -> Result<MemoryCell, Trap> {
    let (Some(object), Some(offset)) = (arguments.get(1), arguments.get(2)) else {
        return Err(Fault::invalid("an access without a variable").into());
    };
    if *object == 0 {
        return Err(Fault::unsupported("Unsafe access to memory outside the heap").into());
    }
    let offset = u32::try_from(*offset).map_err(|_| Fault::invalid("an offset out of range"))?;
    Ok(MemoryCell { object: Reference(*object), offset, kind })
}

fn add(left: u64, right: u64, kind: Type) -> u64 {
    match kind {
        Type::Float => from_float(float(left) + float(right)),
        Type::Double => from_double(double(left) + double(right)),
        Type::Long => left.wrapping_add(right),
        _ => widen(from_int(int(left).wrapping_add(int(right))), kind),
    }
}
