//! Addition, subtraction and negation, of bit vectors and of integers.
//!
//! Problem: loops add constants one by one, and `(x + 3) - (y - 4)` hides a single constant. Idea: read a
//! term as `x + c` or `c - x` for a constant `c` and a rest `x`, compute with that, and write it back. Both
//! kinds of numbers form a ring, so one set of rules serves both; only the operators' names differ.
//!
//! Invariant: a rest is never itself `y + c`, `c - y` or `-y`, so constants never nest.
//!
//! Cost: three or four look-ups in the store.

use crate::node::{Binary, Node, Term, Unary};
use crate::semantics;
use crate::terms::Terms;
use crate::value::{Sort, Value};

/// A term read as a constant plus or minus a rest.
pub(super) struct Sum {
    pub(super) constant: Value,
    pub(super) rest: Option<Signed>,
}

/// The part of a [`Sum`] that is not constant.
#[derive(Copy, Clone)]
pub(super) struct Signed {
    pub(super) negative: bool,
    pub(super) term: Term,
}

/// The names of one ring's operators.
struct Ring {
    add: Binary,
    sub: Binary,
    neg: Unary,
}

const BITS: Ring = Ring { add: Binary::Add, sub: Binary::Sub, neg: Unary::Neg };
const INTEGERS: Ring = Ring { add: Binary::IntAdd, sub: Binary::IntSub, neg: Unary::IntNeg };

impl Terms {
    /// Sum of bit vectors, wrapping.
    pub fn add(&self, a: Term, b: Term) -> Term {
        self.check_sorts(Binary::Add, a, b);
        self.plus(a, b)
    }

    /// Difference of bit vectors, wrapping.
    pub fn sub(&self, a: Term, b: Term) -> Term {
        self.check_sorts(Binary::Sub, a, b);
        self.minus(a, b)
    }

    /// Negation of a bit vector, wrapping.
    pub fn neg(&self, a: Term) -> Term {
        self.check_sorts(Binary::Add, a, a);
        self.minus(self.zero_of(self.sort(a)), a)
    }

    /// Sum of integers.
    pub fn int_add(&self, a: Term, b: Term) -> Term {
        self.check_sorts(Binary::IntAdd, a, b);
        self.plus(a, b)
    }

    /// Difference of integers.
    pub fn int_sub(&self, a: Term, b: Term) -> Term {
        self.check_sorts(Binary::IntSub, a, b);
        self.minus(a, b)
    }

    /// Negation of an integer.
    pub fn int_neg(&self, a: Term) -> Term {
        self.check_sorts(Binary::IntAdd, a, a);
        self.minus(self.int(0), a)
    }

    /// Reads a term of either kind of number.
    pub(super) fn as_sum(&self, term: Term) -> Sum {
        let ring = self.ring(term);
        let zero = || Value::zero(self.sort(term));
        if let Some(constant) = self.as_constant(term) {
            return Sum { constant, rest: None };
        }
        let (constant, negative, term) = match self.node(term) {
            Node::Unary(operator, x) if operator == ring.neg => (zero(), true, x),
            Node::Binary(operator, x, c) if operator == ring.add => match self.as_constant(c) {
                Some(constant) => (constant, false, x),
                None => (zero(), false, term),
            },
            Node::Binary(operator, c, x) if operator == ring.sub => match self.as_constant(c) {
                Some(constant) => (constant, true, x),
                None => (zero(), false, term),
            },
            _ => (zero(), false, term),
        };
        Sum { constant, rest: Some(Signed { negative, term }) }
    }

    fn plus(&self, a: Term, b: Term) -> Term {
        self.combine(a, b, false)
    }

    fn minus(&self, a: Term, b: Term) -> Term {
        self.combine(a, b, true)
    }

    fn combine(&self, a: Term, b: Term, subtract: bool) -> Term {
        let ring = self.ring(a);
        let (first, second) = (self.as_sum(a), self.as_sum(b));
        let operator = if subtract { ring.sub } else { ring.add };
        let constant = semantics::binary(operator, &first.constant, &second.constant);
        let second_rest =
            second.rest.map(|rest| Signed { negative: rest.negative != subtract, ..rest });
        let rest = match (first.rest, second_rest) {
            (None, None) => return self.value(&constant),
            (Some(rest), None) | (None, Some(rest)) => rest,
            (Some(x), Some(y)) if x.negative == y.negative => {
                match self.cancel_added(&ring, x.term, y.term) {
                    Some(term) => return self.combine(self.value(&constant), term, x.negative),
                    None => {
                        Signed { negative: x.negative, term: self.apply(ring.add, x.term, y.term) }
                    }
                }
            }
            (Some(x), Some(y)) if x.term == y.term => return self.value(&constant),
            (Some(x), Some(y)) => {
                let (plus, minus) = if x.negative { (y.term, x.term) } else { (x.term, y.term) };
                match self.cancel(&ring, plus, minus) {
                    Some(term) => return self.plus(term, self.value(&constant)),
                    None => Signed { negative: false, term: self.apply(ring.sub, plus, minus) },
                }
            }
        };
        self.write_sum(&ring, rest, &constant)
    }

    /// `a + b` where one of them is a difference that subtracts the other.
    fn cancel_added(&self, ring: &Ring, a: Term, b: Term) -> Option<Term> {
        let subtracts = |difference, other| match self.node(difference) {
            Node::Binary(operator, x, y) if operator == ring.sub && y == other => Some(x),
            _ => None,
        };
        subtracts(a, b).or_else(|| subtracts(b, a))
    }

    /// `plus - minus` where one of them is a sum with the other as an operand.
    fn cancel(&self, ring: &Ring, plus: Term, minus: Term) -> Option<Term> {
        match self.node(plus) {
            Node::Binary(operator, x, y) if operator == ring.add && x == minus => return Some(y),
            Node::Binary(operator, x, y) if operator == ring.add && y == minus => return Some(x),
            _ => (),
        }
        match self.node(minus) {
            Node::Binary(operator, x, y) if operator == ring.sub && x == plus => Some(y),
            _ => None,
        }
    }

    fn write_sum(&self, ring: &Ring, rest: Signed, constant: &Value) -> Term {
        let Signed { negative, term } = rest;
        let zero = *constant == Value::zero(constant.sort());
        match (negative, self.node(term)) {
            // Minus a difference is the difference the other way round.
            (true, Node::Binary(operator, x, y)) if operator == ring.sub => {
                let term = self.apply(ring.sub, y, x);
                self.write_sum(ring, Signed { negative: false, term }, constant)
            }
            (false, _) if zero => term,
            (false, _) => self.apply(ring.add, term, self.value(constant)),
            (true, _) if zero => self.apply_unary(ring.neg, term),
            (true, _) => self.apply(ring.sub, self.value(constant), term),
        }
    }

    fn ring(&self, term: Term) -> Ring {
        match self.sort(term) {
            Sort::Int => INTEGERS,
            _ => BITS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_gather_in_one_place() {
        let terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.input(name, Sort::Bits(8)));
        let k = |value: u64| terms.bits(value, 8);
        for (built, expected) in [
            (terms.add(x, k(0)), x),
            (terms.add(terms.add(x, k(200)), k(100)), terms.add(k(44), x)),
            (terms.sub(terms.add(x, k(3)), k(3)), x),
            (terms.sub(x, x), k(0)),
            (terms.neg(terms.neg(x)), x),
            (terms.sub(k(5), terms.sub(k(7), x)), terms.add(x, k(254))),
            (terms.add(terms.add(x, k(1)), terms.add(y, k(2))), terms.add(terms.add(x, y), k(3))),
            (terms.sub(terms.add(x, k(1)), terms.add(x, k(2))), k(255)),
            (terms.sub(terms.add(x, y), y), x),
            (terms.add(terms.sub(x, y), y), x),
            (terms.sub(x, terms.neg(y)), terms.add(x, y)),
            (terms.neg(terms.sub(x, y)), terms.sub(y, x)),
            (terms.add(terms.neg(x), terms.neg(y)), terms.neg(terms.add(x, y))),
        ] {
            assert_eq!(built, expected, "{} and {}", terms.display(built), terms.display(expected));
        }
    }

    #[test]
    fn integers_follow_the_same_rules() {
        let terms = Terms::new();
        let x = terms.input("x", Sort::Int);
        let sum = terms.int_add(terms.int_sub(x, terms.int(5)), terms.int(7));
        assert_eq!(sum, terms.int_add(x, terms.int(2)));
        assert_eq!(terms.int_neg(terms.int_neg(x)), x);
        assert_eq!(terms.int_sub(x, x), terms.int(0));
    }
}
