//! Unknowns in memory: variables that hold a token, and operations on them.
//!
//! A field, and an element as wide as a word, holds the token itself. An element of a packed array
//! holds zero, and the table of unknowns has its token under its address.

use super::access::AccessKind;
use super::unknown_box::identity_wanted;
use super::variable::MemoryCell;
use crate::classfile::Type;
use crate::code::Opcode;
use crate::error::Fault;
use crate::machine::{Machine, Trap, raise};
use crate::memory::{ARRAY_HEADER_WORDS, Heap, Reference};
use crate::unknown::{Unknowns, is_unknown};
use crate::world::World;

impl Machine {
    /// A new input of the running thread: of the type that the name of a source says.
    pub(crate) fn read_input(&mut self, source: &str, arguments: &[u64]) -> Result<u64, Trap> {
        let (kind, below) = match source {
            "anyBoolean" => (Type::Boolean, None),
            "anyByte" => (Type::Byte, None),
            "anyChar" => (Type::Char, None),
            "anyShort" => (Type::Short, None),
            "anyLong" => (Type::Long, None),
            "choose" => (Type::Int, Some(arguments.first().copied().unwrap_or(0) as i32)),
            _ => (Type::Int, None),
        };
        if below.is_some_and(|below| below <= 0) {
            return raise("java/lang/IllegalArgumentException", "choose among nothing");
        }
        let thread = self.current;
        let path = self.thread_path(thread);
        Ok(self.unknowns.read(thread, &path, kind, below))
    }

    /// The name of a thread: the numbers of its ancestors among their siblings, and its own.
    fn thread_path(&self, thread: usize) -> String {
        let mut numbers = Vec::new();
        let mut thread = thread;
        while thread != 0 {
            let (parent, child) = self.thread_names[thread];
            numbers.push(child.to_string());
            thread = parent;
        }
        numbers.push("0".to_string());
        numbers.reverse();
        numbers.join(".")
    }

    /// The token of an element of a packed array.
    pub(crate) fn unknown_element(&self, array: Reference, index: u32, shift: u32) -> Option<u64> {
        if !self.unknowns.has_elements() {
            return None;
        }
        self.unknowns.element(element_address(array, index, shift))
    }

    /// The token that a variable holds, given the word of memory that it lies in.
    pub(super) fn unknown_in(&self, cell: MemoryCell, word: u64) -> Option<u64> {
        match self.packed(cell) {
            Some(kind) if kind.shift() == cell.kind.shift() => self.unknowns.element(cell.flat()),
            Some(_) => None,
            None => (cell.offset.is_multiple_of(8) && is_unknown(word)).then_some(word),
        }
    }

    /// Writes a variable if it holds or is to hold a token in its own word; else answers the number
    /// that memory is to hold.
    pub(super) fn write_unknown(
        &mut self,
        cell: MemoryCell,
        value: u64,
    ) -> Result<Option<u64>, Fault> {
        if let Some(kind) = self.packed(cell) {
            if !is_unknown(value) && !self.unknowns.has_elements() {
                return Ok(Some(value));
            }
            for (address, _) in self.touched_elements(cell, kind) {
                self.unknowns.set_element(address, 0);
            }
            if !is_unknown(value) {
                return Ok(Some(value));
            }
            self.unknowns.set_element(cell.flat(), value);
            return Ok(Some(0));
        }
        let at = cell.offset / 8;
        let old = self.heap.load(cell.object, at).unwrap_or(0);
        if !is_unknown(value) && !is_unknown(old) || !cell.offset.is_multiple_of(8) {
            return Ok(Some(value));
        }
        self.store(cell.object, at, value)?;
        Ok(None)
    }

    /// The type of the elements if a variable lies in a packed array.
    fn packed(&self, cell: MemoryCell) -> Option<Type> {
        if cell.offset < ARRAY_HEADER_WORDS * 8 {
            return None;
        }
        let class = self.heap.header(cell.object)?.class();
        let (_, kind) = self.world.classes.get(class.0 as usize)?.element()?;
        (kind.shift() < 3).then_some(kind)
    }

    /// The unknown elements that an access to a packed array touches.
    fn touched_elements(&self, cell: MemoryCell, kind: Type) -> Vec<(u64, u64)> {
        let from = cell.flat();
        let reach = (1u64 << kind.shift()) - 1;
        self.unknowns.elements_between(from - reach, from + (1 << cell.kind.shift()))
    }

    /// Performs an operation on a variable if unknowns take part in it.
    pub(super) fn perform_on_unknowns(
        &mut self,
        cell: MemoryCell,
        atomic: AccessKind,
        values: &[u64],
    ) -> Result<Option<u64>, Trap> {
        let thread = self.current;
        let mut values: smallvec::SmallVec<[u64; 2]> = values.into();
        if let Some(kind) = self.packed(cell)
            && kind.shift() != cell.kind.shift()
        {
            // The elements are looked at in other portions than they were written.
            for (address, token) in self.touched_elements(cell, kind) {
                let first = MemoryCell::element(cell.object, 0, kind);
                let index = ((address - first.flat()) >> kind.shift()) as u32;
                let number = self.pinned(thread, token);
                self.write_cell(MemoryCell::element(cell.object, index, kind), number)?;
            }
            for value in &mut values {
                *value = self.pinned(thread, *value);
            }
        }
        let old = self.read_cell(cell)?;
        let compares = matches!(atomic, AccessKind::CompareAndSet | AccessKind::CompareAndExchange);
        if compares && cell.kind == Type::Reference && values.first() != Some(&old) {
            let expected = values.first().map(|word| Reference(*word));
            if self.is_boxed(Reference(old)) || expected.is_some_and(|word| self.is_boxed(word)) {
                return Err(identity_wanted().into());
            }
        }
        if !is_unknown(old) && !values.iter().any(|value| is_unknown(*value)) {
            return Ok(None);
        }
        let wide = cell.kind == Type::Long;
        let width = if wide { 64 } else { 32 };
        let value = |machine: &mut Machine, index: usize| match values.get(index) {
            Some(word) => Ok(machine.unknowns.narrowed(*word, cell.kind)),
            None => Err(Fault::invalid("an access with too few values")),
        };
        let first = if atomic == AccessKind::Get { old } else { value(self, 0)? };
        let combined = |machine: &mut Machine, int: Opcode, long: Opcode| {
            let result = machine.unknowns.binary(if wide { long } else { int }, old, first);
            machine.unknowns.narrowed(result, cell.kind)
        };
        let new = match atomic {
            AccessKind::Get => return Ok(Some(old)),
            AccessKind::Set | AccessKind::GetAndSet => first,
            AccessKind::CompareAndSet | AccessKind::CompareAndExchange => {
                let new = value(self, 1)?;
                let equal = self.unknowns.same(old, first, width);
                let stored = self.unknowns.either(equal, new, old, width);
                self.write_cell(cell, stored)?;
                let done = self.unknowns.either(equal, 1, 0, 32);
                return Ok(Some(if atomic == AccessKind::CompareAndSet { done } else { old }));
            }
            AccessKind::GetAndAdd => combined(self, Opcode::IntAdd, Opcode::LongAdd),
            AccessKind::GetAndOr => combined(self, Opcode::IntOr, Opcode::LongOr),
            AccessKind::GetAndAnd => combined(self, Opcode::IntAnd, Opcode::LongAnd),
            AccessKind::GetAndXor => combined(self, Opcode::IntXor, Opcode::LongXor),
        };
        self.write_cell(cell, new)?;
        Ok(Some(old))
    }

    /// Copies which elements of a packed array are unknown, after their numbers were copied.
    pub(crate) fn copy_unknown_elements(
        &mut self,
        source: Reference,
        from: u32,
        target: Reference,
        to: u32,
        count: u32,
    ) -> Result<(), Trap> {
        if !self.unknowns.has_elements() {
            return Ok(());
        }
        let Some((_, kind)) = self.world.class(self.class_of(source)?).element() else {
            return Ok(());
        };
        if kind.shift() == 3 {
            return Ok(());
        }
        let count = count.min(self.length(source)? - from);
        let address = |array, index| MemoryCell::element(array, index, kind).flat();
        let bytes = u64::from(count) << kind.shift();
        let (start, target_start) = (address(source, from), address(target, to));
        let copied = self.unknowns.elements_between(start, start + bytes);
        for (old, _) in self.unknowns.elements_between(target_start, target_start + bytes) {
            self.unknowns.set_element(old, 0);
        }
        for (element, token) in copied {
            self.unknowns.set_element(element - start + target_start, token);
        }
        Ok(())
    }
}

/// Notes what an element of a packed array is set to, and answers what memory is to hold. The place is
/// the array, the index, and the size of elements as a power of two.
pub(super) fn set_unknown_element(
    world: &World,
    heap: &Heap,
    unknowns: &mut Unknowns,
    (array, index, shift): (Reference, u32, u32),
    value: u64,
) -> u64 {
    if !is_unknown(value) && !unknowns.has_elements() {
        return value;
    }
    let address = element_address(array, index, shift);
    if !is_unknown(value) {
        unknowns.set_element(address, value);
        return value;
    }
    let class = heap.header(array).and_then(|header| world.class(header.class()).element());
    let narrowed = unknowns.narrowed(value, class.map_or(Type::Int, |(_, kind)| kind));
    unknowns.set_element(address, narrowed);
    if is_unknown(narrowed) { 0 } else { narrowed }
}

/// The address of an element of a packed array whose elements have `1 << shift` bytes.
fn element_address(array: Reference, index: u32, shift: u32) -> u64 {
    let kind = match shift {
        0 => Type::Byte,
        1 => Type::Short,
        _ => Type::Int,
    };
    MemoryCell::element(array, index, kind).flat()
}
