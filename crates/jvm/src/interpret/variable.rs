//! One variable in memory: a field, a static field or an array element, whatever way it is reached.

use super::arithmetic::from_int;
use super::operation::Address;
use crate::classfile::Type;
use crate::error::Fault;
use crate::machine::{Machine, bad_reference, flag_of_stored, publish};
use crate::memory::{ARRAY_HEADER_WORDS, REACHED, Reference};
use crate::world::{ClassId, Field};

/// A variable: an object (a mirror for static fields), the byte in it at which the variable starts,
/// and its type. Offsets are those that `Unsafe` hands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct MemoryCell {
    pub(crate) object: Reference,
    pub(crate) offset: u32,
    pub(crate) kind: Type,
}

impl MemoryCell {
    /// The variable at a word of an object.
    pub(crate) fn field(object: Reference, word: u32, kind: Type) -> MemoryCell {
        MemoryCell { object, offset: word * 8, kind }
    }

    /// An element of an array.
    pub(crate) fn element(array: Reference, index: u32, kind: Type) -> MemoryCell {
        MemoryCell { object: array, offset: ARRAY_HEADER_WORDS * 8 + (index << kind.shift()), kind }
    }

    /// A number that does not depend on how the variable is reached: its first byte in memory.
    pub(crate) fn flat(self) -> u64 {
        Address::of(self).flat()
    }
}

/// Widens the bits of a variable to the word that the machine computes with.
pub(crate) fn widen(bits: u64, kind: Type) -> u64 {
    match kind {
        Type::Boolean => bits & 0xFF,
        Type::Byte => from_int(i32::from(bits as i8)),
        Type::Char => bits & 0xFFFF,
        Type::Short => from_int(i32::from(bits as i16)),
        Type::Int | Type::Float => bits & 0xFFFF_FFFF,
        Type::Long | Type::Double | Type::Reference => bits,
    }
}

impl Machine {
    /// The value of a variable.
    #[inline]
    pub(crate) fn read_cell(&self, cell: MemoryCell) -> Result<u64, Fault> {
        let word = self.heap.load(cell.object, cell.offset / 8).ok_or_else(bad_reference)?;
        if self.unknowns.active
            && let Some(token) = self.unknown_in(cell, word)
        {
            return Ok(token);
        }
        let bits = word >> (cell.offset % 8 * 8);
        Ok(match cell.kind {
            Type::Int | Type::Float => bits & 0xFFFF_FFFF,
            kind => widen(bits, kind),
        })
    }

    /// Writes a variable. A reference stored into a shared object is published.
    pub(crate) fn write_cell(&mut self, cell: MemoryCell, value: u64) -> Result<(), Fault> {
        let at = cell.offset / 8;
        let value = if self.unknowns.active {
            match self.write_unknown(cell, value)? {
                Some(number) => number,
                None => return Ok(()),
            }
        } else {
            value
        };
        if cell.kind.shift() == 3 {
            let header = self.heap.header(cell.object).ok_or_else(bad_reference)?;
            if cell.kind == Type::Reference
                && let Some(flag) = flag_of_stored(&self.world, header.0, at)
                && !self.field_at(cell).is_some_and(|field| field.hidden && !field.is_final())
            {
                let value = Reference(value);
                publish(&self.world, &mut self.heap, value, flag).ok_or_else(bad_reference)?;
            }
            return self.store(cell.object, at, value);
        }
        let bit = cell.offset % 8 * 8;
        let mask = ((1u64 << (8 << cell.kind.shift())) - 1) << bit;
        let word = self.heap.load(cell.object, at).ok_or_else(bad_reference)?;
        self.store(cell.object, at, word & !mask | value << bit & mask)
    }

    /// Whether others can notice accesses to a variable.
    pub(crate) fn is_visible_cell(&self, cell: MemoryCell) -> bool {
        let header = self.heap.header(cell.object);
        let field = self.field_at(cell);
        let silent = |field: &Field| field.hidden || self.is_silent(field);
        let core = self.core(self.current).ok();
        let stops_at = core.map_or(REACHED, |core| core.hidden.stops_at());
        if let (Some(header), Some(core)) = (header, core)
            && !field.is_some_and(silent)
        {
            let place = (cell.object, cell.offset / 8);
            self.check_hidden(header.0, place, (core.method, stops_at), true);
        }
        header.is_some_and(|header| header.has(stops_at)) && !field.is_some_and(silent)
    }

    /// Whether a field belongs to a future, whose code uses it as part of other operations.
    fn is_silent(&self, field: &Field) -> bool {
        field.silent && field.kind == Type::Reference && !self.options.real_locks
    }

    /// The instance field that a variable is.
    pub(crate) fn field_at(&self, cell: MemoryCell) -> Option<&Field> {
        if !cell.offset.is_multiple_of(8) {
            return None;
        }
        self.instance_field(self.heap.header(cell.object)?.class(), cell.offset / 8)
    }

    /// The field that a word of the instances of a class is.
    pub(crate) fn instance_field(&self, class: ClassId, word: u32) -> Option<&Field> {
        let mut class = self.world.classes.get(class.0 as usize).map(|_| class);
        while let Some(id) = class {
            let here = self.world.class(id);
            let field = here.fields.iter().find(|field| !field.is_static() && field.word == word);
            if field.is_some() {
                return field;
            }
            class = here.superclass;
        }
        None
    }
}
