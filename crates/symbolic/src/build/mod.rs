//! The builders of terms, which simplify.
//!
//! Problem: programs compute with constants most of the time, compilers wrap conditions into numbers and
//! back, and every node spared is spared again in evaluation, translation and solving. Idea: no separate
//! simplifier. Each public constructor looks at the top of its arguments, folds constants, applies the
//! identities of its operator and stores what is left in one canonical form, so that terms which are
//! equal for simple reasons become the same term and caches hit.
//!
//! Invariant: the result has the meaning of the operator in `semantics.rs` under every model. A rule looks
//! a bounded number of levels down and calls constructors on smaller terms only, or runs in a loop; none
//! recurses over the depth of a term. A term without inputs is always a constant.
//!
//! Cost: a few look-ups in the store per constructor. The equality of a chain of invertible operators
//! with a constant walks down the chain once.

mod bits;
mod booleans;
mod equality;
mod integers;
mod orders;
mod sums;
mod widths;

use crate::node::{Binary, Node, Term, Unary};
use crate::semantics;
use crate::terms::Terms;
use crate::value::{Sort, Value};

impl Terms {
    /// The bit vector constant a term is, if it is one.
    fn word(&self, term: Term) -> Option<u64> {
        match self.node(term) {
            Node::Bits { bits, .. } => Some(bits),
            _ => None,
        }
    }

    /// The result on constants, if both are.
    fn fold(&self, operator: Binary, a: Term, b: Term) -> Option<Term> {
        let (first, second) = (self.as_constant(a)?, self.as_constant(b)?);
        Some(self.value(&semantics::binary(operator, &first, &second)))
    }

    /// The result on a constant, or on a choice between two constants.
    fn fold_unary(&self, operator: Unary, argument: Term) -> Option<Term> {
        let on_constant =
            |term| Some(self.value(&semantics::unary(operator, &self.as_constant(term)?)));
        if let Node::Ite(condition, then, otherwise) = self.node(argument) {
            return Some(self.ite(condition, on_constant(then)?, on_constant(otherwise)?));
        }
        on_constant(argument)
    }

    /// Refuses operands that the operator is not defined on: a front end's mistake, not an input's.
    fn check_sorts(&self, operator: Binary, a: Term, b: Term) {
        let (first, second) = (self.sort(a), self.sort(b));
        assert!(
            operator.accepts(first, second),
            "{operator:?} is not defined on {first:?} and {second:?}"
        );
    }

    fn check_sort(&self, expected: Sort, term: Term) {
        let sort = self.sort(term);
        assert!(sort == expected, "a term of sort {expected:?} is needed here, not {sort:?}");
    }

    /// With a constant second operand where the operator commutes and either is one.
    fn constant_last(&self, operator: Binary, a: Term, b: Term) -> (Term, Term) {
        if operator.commutes() && self.is_constant(a) { (b, a) } else { (a, b) }
    }

    /// `(x op c) op d` is `x op (c op d)` for an associative operator.
    fn merge_constants(&self, operator: Binary, a: Term, constant: Term) -> Option<(Term, Term)> {
        match self.node(a) {
            Node::Binary(inner, x, c) if inner == operator => {
                Some((x, self.fold(operator, c, constant)?))
            }
            _ => None,
        }
    }

    /// Whether the term is this constant word.
    fn is_word(&self, term: Term, word: u64) -> bool {
        self.word(term) == Some(word)
    }

    fn zero_of(&self, sort: Sort) -> Term {
        self.value(&Value::zero(sort))
    }
}
