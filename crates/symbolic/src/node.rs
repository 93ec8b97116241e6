//! What a term is made of.
//!
//! Problem: simplification, evaluation, translation and printing must agree on one small set of operators.
//! Idea: the builders in `build/` accept the full vocabulary and express it in the fewer operators here.
//! "Greater" and "at most" become "less" with swapped operands or a negation, so that a condition and its
//! complement differ by one [`Unary::Not`] and are recognised as such by comparing two numbers.
//!
//! Invariant: a node's arguments were stored before it, so a term's index is above its arguments' indexes.
//!
//! Cost: 16 bytes a node.

use crate::value::Sort;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A term: an index into its [`Terms`](crate::Terms). Equal terms of one store have equal indexes. Written down it is that
/// number: of the store of another process it tells only which terms are equal.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Ord, PartialOrd, Debug, Serialize, Deserialize)]
pub struct Term(pub(crate) u32);

impl Term {
    /// The index, for digests.
    pub fn number(self) -> u64 {
        u64::from(self.0)
    }
}

/// An input: an unknown with a stable name.
#[derive(Clone, Eq, PartialEq, Hash, Debug)]
pub struct Variable {
    pub(crate) name: Rc<str>,
    pub(crate) sort: Sort,
    pub(crate) term: Term,
}

impl Variable {
    /// The name, such as `main.1#0`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it ranges over.
    pub fn sort(&self) -> Sort {
        self.sort
    }

    /// The term that stands for it.
    pub fn term(&self) -> Term {
        self.term
    }
}

/// A stored node. Arguments are terms of the same store.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub(crate) enum Node {
    Bool(bool),
    Bits {
        bits: u64,
        width: u8,
    },
    /// An index into the store's integers.
    Int(u32),
    /// An index into the store's inputs.
    Input(u32),
    Unary(Unary, Term),
    Binary(Binary, Term, Term),
    /// Condition, then, else.
    Ite(Term, Term, Term),
}

/// Operators of one argument.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub(crate) enum Unary {
    Not,
    Neg,
    BitNot,
    /// Bits `high` down to `low`, both included.
    Extract {
        high: u8,
        low: u8,
    },
    /// Widens to this width.
    ZeroExtend(u8),
    /// Widens to this width.
    SignExtend(u8),
    IntNeg,
    BitsToInt {
        signed: bool,
    },
    /// Modulo two to this width.
    IntToBits(u8),
}

/// Operators of two arguments.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub(crate) enum Binary {
    And,
    Or,
    /// Of any sort; on Booleans "if and only if".
    Eq,
    Add,
    Sub,
    Mul,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Lshr,
    Ashr,
    Sdiv,
    Srem,
    Udiv,
    Urem,
    Slt,
    Ult,
    /// The first argument holds the high bits.
    Concat,
    IntAdd,
    IntSub,
    IntMul,
    IntLt,
    /// Toward zero; zero for a zero divisor.
    IntDiv,
    /// With the sign of the dividend; the dividend for a zero divisor.
    IntRem,
}

impl Node {
    /// The arguments, in order.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = Term> + use<> {
        let arguments = match *self {
            Node::Bool(_) | Node::Bits { .. } | Node::Int(_) | Node::Input(_) => [None; 3],
            Node::Unary(_, a) => [Some(a), None, None],
            Node::Binary(_, a, b) => [Some(a), Some(b), None],
            Node::Ite(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        arguments.into_iter().flatten()
    }

    /// What kind of node it is, whatever its arguments are, in the order of kinds.
    pub(crate) fn operator(&self) -> impl Ord + use<> {
        match *self {
            Node::Bool(value) => (0, u64::from(value), 1, None, None),
            Node::Bits { bits, width } => (1, bits, width, None, None),
            Node::Int(_) => (2, 0, 0, None, None),
            Node::Input(_) => (3, 0, 0, None, None),
            Node::Unary(operator, _) => (4, 0, 0, Some(operator), None),
            Node::Binary(operator, ..) => (5, 0, 0, None, Some(operator)),
            Node::Ite(..) => (6, 0, 0, None, None),
        }
    }

    pub(crate) fn is_constant(&self) -> bool {
        matches!(self, Node::Bool(_) | Node::Bits { .. } | Node::Int(_))
    }
}

impl Unary {
    /// The sort of the result for an argument of this sort.
    pub(crate) fn sort(self, argument: Sort) -> Sort {
        match self {
            Unary::Not => Sort::Bool,
            Unary::Neg | Unary::BitNot => argument,
            Unary::Extract { high, low } => Sort::Bits(high - low + 1),
            Unary::ZeroExtend(width) | Unary::SignExtend(width) | Unary::IntToBits(width) => {
                Sort::Bits(width)
            }
            Unary::IntNeg | Unary::BitsToInt { .. } => Sort::Int,
        }
    }
}

impl Binary {
    /// The sort of the result for arguments of these sorts.
    pub(crate) fn sort(self, first: Sort, second: Sort) -> Sort {
        use Binary::*;
        match (self, first, second) {
            (And | Or | Eq | Slt | Ult | IntLt, _, _) => Sort::Bool,
            (Concat, Sort::Bits(high), Sort::Bits(low)) => Sort::Bits(high + low),
            _ => first,
        }
    }

    /// What an argument must be, where the operator says so alone.
    pub(crate) fn accepts(self, first: Sort, second: Sort) -> bool {
        use Binary::*;
        match (self, first, second) {
            (And | Or, Sort::Bool, Sort::Bool) => true,
            (And | Or, _, _) => false,
            (Eq, _, _) => first == second,
            (IntAdd | IntSub | IntMul | IntLt | IntDiv | IntRem, Sort::Int, Sort::Int) => true,
            (IntAdd | IntSub | IntMul | IntLt | IntDiv | IntRem, _, _) => false,
            (Concat, Sort::Bits(high), Sort::Bits(low)) => high + low <= 64,
            (_, Sort::Bits(_), Sort::Bits(_)) => first == second,
            _ => false,
        }
    }

    pub(crate) fn commutes(self) -> bool {
        use Binary::*;
        matches!(self, And | Or | Eq | Add | Mul | BitAnd | BitOr | BitXor | IntAdd | IntMul)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_fits_in_two_words() {
        assert_eq!(size_of::<Node>(), 16);
    }
}
