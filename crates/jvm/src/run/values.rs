//! Values of variables as numbers and terms, for questions about states.

use std::rc::Rc;

use counterpoint_model::{Feasible, Location, Reading};
use counterpoint_symbolic::{Term, Terms};

use super::JavaRun;
use crate::classfile::Type;
use crate::interpret::variable::MemoryCell;

impl JavaRun<'_> {
    /// What a variable holds, if it is a whole number, a truth value, a character or a reference.
    pub(super) fn number(&self, location: Location) -> Option<Reading> {
        let prepared = self.prepared();
        let address = prepared.find(self.program, location)?;
        let kind = self.program.kind(location)?;
        let cell = MemoryCell { object: address.object, offset: address.offset, kind };
        let word = prepared.machine.read_cell(cell).ok()?;
        let unknowns = &prepared.machine.unknowns;
        let term = unknowns.term_of(word);
        let word = unknowns.concrete(word);
        let number = match kind {
            Type::Boolean => i64::from(word & 1 != 0),
            Type::Byte | Type::Short | Type::Int => i64::from(word as i32),
            Type::Char => i64::from(word as u16),
            Type::Long | Type::Reference => word as i64,
            Type::Float | Type::Double => return None,
        };
        Some(Reading { number, term })
    }

    /// The store of terms, once an input was read.
    pub(super) fn store(&self) -> Option<Rc<Terms>> {
        self.prepared().machine.unknowns.store()
    }

    /// Whether the inputs can satisfy a condition as well.
    pub(super) fn assume(&mut self, condition: Term) -> Feasible {
        match self.prepared_mut().machine.unknowns.suppose(condition) {
            counterpoint_symbolic::Feasible::Yes => Feasible::Yes,
            counterpoint_symbolic::Feasible::No => Feasible::No,
            counterpoint_symbolic::Feasible::Unknown(reason) => Feasible::Unknown(reason),
        }
    }
}
