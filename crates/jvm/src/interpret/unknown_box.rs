//! Boxes of unknowns: `Integer.valueOf` and its like.
//!
//! The JDK keeps boxes of small numbers, so whether two boxes are the same object depends on their
//! numbers. To look an unknown up there would tell 256 cases apart, most of them for nothing. So a box
//! of an unknown is always a new object with a flag ([`BOXED`]), and only where two references are
//! compared and one is such a box, the question is asked: they are the same object if the numbers are
//! the same and among those that are kept. What else depends on the identity of such a box (its
//! identity hash, its monitor, an atomic exchange of references) is refused.

use counterpoint_symbolic::Term;

use super::run::LoopControl;
use crate::classfile::Type;
use crate::code::{Instruction, Opcode};
use crate::error::Fault;
use crate::machine::{Machine, Trap};
use crate::memory::{BOXED, OBJECT_HEADER_WORDS, PERMANENT, Reference};
use crate::unknown::is_unknown;
use crate::world::MethodId;

/// Classes of boxes with the numbers of which boxes are kept.
const BOXES: &[(&str, i64, i64)] = &[
    ("java/lang/Integer", -128, 127),
    ("java/lang/Long", -128, 127),
    ("java/lang/Short", -128, 127),
    ("java/lang/Byte", -128, 127),
    ("java/lang/Character", 0, 127),
];

/// Whether a method makes boxes of numbers.
pub(super) fn makes_boxes(class: &str, method: &str) -> bool {
    method == "valueOf" && BOXES.iter().any(|(name, ..)| *name == class)
}

/// A fault for what would depend on which object a box of an unknown is.
pub(crate) fn identity_wanted() -> Fault {
    Fault::unsupported("which object a boxed input is; compare boxes with equals")
}

impl Machine {
    /// Makes a box in place of a call of `valueOf` with an unknown number.
    pub(super) fn box_unknown(
        &mut self,
        thread: usize,
        target: MethodId,
    ) -> Result<Option<LoopControl>, Trap> {
        let method = self.world.method(target);
        let takes_number = !matches!(method.types.parameters[..], [] | [Type::Reference, ..]);
        let (class, one) = (method.class, method.arguments == 1);
        let number = self.operand(thread, 0)?;
        if !takes_number || !one || !is_unknown(number) {
            return Ok(None);
        }
        self.initialize_now(class)?;
        let object = self.new_object(class)?;
        let value = self.field_word(class, "value")?;
        self.store(object, value, number)?;
        self.set_flag(object, BOXED)?;
        self.pop(thread, 1)?;
        self.push(thread, object.0)?;
        self.core_mut(thread)?.pc += 1;
        Ok(Some(LoopControl::Reload))
    }

    /// Whether an instruction compares two references of which one is a box of an unknown.
    #[inline(always)]
    pub(super) fn compares_boxes(&self, op: Opcode, stack: &[u64], sp: usize) -> bool {
        matches!(op, Opcode::IfReferenceEqual | Opcode::IfReferenceNotEqual)
            && stack[sp - 1] != stack[sp - 2]
            && (self.is_boxed(Reference(stack[sp - 1])) || self.is_boxed(Reference(stack[sp - 2])))
    }

    /// Whether an object is a box of an unknown.
    pub(crate) fn is_boxed(&self, object: Reference) -> bool {
        !object.is_null() && self.heap.header(object).is_some_and(|header| header.has(BOXED))
    }

    /// The condition under which a comparison of two references jumps.
    pub(super) fn identity(
        &mut self,
        thread: usize,
        instruction: Instruction,
    ) -> Result<Term, Trap> {
        let (one, other) = (self.operand(thread, 1)?, self.operand(thread, 0)?);
        let same = self.same_box(Reference(one), Reference(other))?;
        let terms = self.unknowns.terms();
        Ok(if instruction.op == Opcode::IfReferenceEqual { same } else { terms.not(same) })
    }

    /// The condition under which two boxes are one object.
    fn same_box(&self, one: Reference, other: Reference) -> Result<Term, Trap> {
        let never = self.unknowns.terms().bool(false);
        if one.is_null() || other.is_null() || self.class_of(one)? != self.class_of(other)? {
            return Ok(never);
        }
        // What is no box of an unknown is one that is kept, or no such object at all.
        let kept = |object| self.is_boxed(object) || object.segment() == PERMANENT;
        let class = self.class_of(one)?;
        let name = self.world.class_name(class);
        let Some((_, low, high)) = BOXES.iter().find(|row| row.0 == name).copied() else {
            return Ok(never);
        };
        if !kept(one) || !kept(other) {
            return Ok(never);
        }
        let word = self.field_word(class, "value")?;
        debug_assert!(word >= OBJECT_HEADER_WORDS);
        let value = |object| self.heap.load(object, word).ok_or_else(crate::machine::bad_reference);
        let width = if name == "java/lang/Long" { 64 } else { 32 };
        let (one, other) = (value(one)?, value(other)?);
        let terms = self.unknowns.terms();
        let number = self.unknowns.term(one, width);
        let bounds = [terms.bits(low as u64, width), terms.bits(high as u64, width)];
        let inside = terms.and(terms.sle(bounds[0], number), terms.sle(number, bounds[1]));
        Ok(terms.and(inside, self.unknowns.same(one, other, width)))
    }
}
