//! Equality.
//!
//! Problem: the same condition comes in many dresses: `x + 1 == 3`, `(c ? 1 : 0) != 0`. Idea: equality with
//! a constant undoes the invertible operators on the other side, in a loop, and moves into a choice
//! between constants. Inequality is a negated equality.
//!
//! Invariant: a constant operand is the second one. A comparison moves down at most [`CHOICES`] nested
//! choices.
//!
//! Cost: a few look-ups; equality with a constant walks down a chain of invertible operators.

use super::sums::{Signed, Sum};
use crate::node::{Binary, Node, Term, Unary};
use crate::semantics;
use crate::terms::Terms;
use crate::value::{Sort, Value};
use num_integer::Integer;

/// How many nested choices between constants a comparison moves into: enough for three-way comparisons.
pub(super) const CHOICES: u8 = 3;

impl Terms {
    /// Equality of two terms of one sort.
    pub fn eq(&self, a: Term, b: Term) -> Term {
        self.check_sorts(Binary::Eq, a, b);
        if let Some(folded) = self.fold(Binary::Eq, a, b) {
            return folded;
        }
        let (a, b) = self.constant_last(Binary::Eq, a, b);
        match (a == b, self.sort(a)) {
            (true, _) => self.bool(true),
            (_, Sort::Bool) => self.equal_booleans(a, b),
            _ if self.is_constant(b) => self.equal_to_constant(a, b),
            _ => self.equal_numbers(a, b),
        }
    }

    /// Inequality of two terms of one sort.
    pub fn ne(&self, a: Term, b: Term) -> Term {
        self.not(self.eq(a, b))
    }

    fn equal_booleans(&self, a: Term, b: Term) -> Term {
        if self.are_complements(a, b) {
            return self.bool(false);
        }
        match (self.node(a), self.node(b)) {
            (_, Node::Bool(true)) => a,
            (_, Node::Bool(false)) => self.not(a),
            (Node::Unary(Unary::Not, x), Node::Unary(Unary::Not, y)) => self.eq(x, y),
            (Node::Unary(Unary::Not, x), _) => self.not(self.apply(Binary::Eq, x, b)),
            (_, Node::Unary(Unary::Not, y)) => self.not(self.apply(Binary::Eq, a, y)),
            _ => self.apply(Binary::Eq, a, b),
        }
    }

    /// Neither is a constant.
    fn equal_numbers(&self, a: Term, b: Term) -> Term {
        if let (Node::Unary(f, x), Node::Unary(g, y)) = (self.node(a), self.node(b))
            && f == g
            && self.sort(x) == self.sort(y)
            && self.is_injective(f)
        {
            return self.eq(x, y);
        }
        let (first, second) = (self.as_sum(a), self.as_sum(b));
        if let (Some(x), Some(y)) = (first.rest, second.rest)
            && x.negative == y.negative
        {
            if x.term == y.term {
                return self.bool(first.constant == second.constant);
            }
            if first.constant == second.constant {
                return self.apply(Binary::Eq, x.term, y.term);
            }
        }
        self.apply(Binary::Eq, a, b)
    }

    /// Different arguments of one sort give different results.
    fn is_injective(&self, operator: Unary) -> bool {
        !matches!(operator, Unary::Extract { .. } | Unary::IntToBits(_))
    }

    /// Undoes what is invertible around `a`, one operator per turn.
    fn equal_to_constant(&self, mut a: Term, mut b: Term) -> Term {
        loop {
            let constant = self.as_constant(b).expect("the right side stays a constant");
            let (inner, expected) = match (self.node(a), &constant) {
                (Node::Ite(..), _) => {
                    let moved = self.over_choice(a, &|x| self.fold(Binary::Eq, x, b), CHOICES);
                    return moved.unwrap_or_else(|| self.apply(Binary::Eq, a, b));
                }
                (Node::Unary(operator, x), _) => match self.preimage(operator, x, &constant) {
                    Preimage::Unique(value) => (x, value),
                    Preimage::None => return self.bool(false),
                    Preimage::Unclear => return self.apply(Binary::Eq, a, b),
                },
                (Node::Binary(Binary::BitXor, x, c), Value::Bits { bits, width }) => {
                    match self.word(c) {
                        Some(word) => (x, Value::bits(bits ^ word, *width)),
                        None => return self.apply(Binary::Eq, a, b),
                    }
                }
                (Node::Binary(Binary::IntMul, x, c), Value::Int(product)) => {
                    match self.integer_constant(c) {
                        Some(factor) if product.is_multiple_of(&factor) => {
                            (x, Value::Int(product / factor))
                        }
                        Some(_) => return self.bool(false),
                        None => return self.apply(Binary::Eq, a, b),
                    }
                }
                _ => match self.as_sum(a) {
                    Sum { constant: c, rest: Some(Signed { negative, term }) } if term != a => {
                        (term, self.solve_sum(negative, &c, &constant))
                    }
                    _ => return self.apply(Binary::Eq, a, b),
                },
            };
            (a, b) = (inner, self.value(&expected));
        }
    }

    /// The `x` with `c + x == total`, or `c - x == total` if negative.
    fn solve_sum(&self, negative: bool, c: &Value, total: &Value) -> Value {
        let sub = if total.sort() == Sort::Int { Binary::IntSub } else { Binary::Sub };
        if negative { semantics::binary(sub, c, total) } else { semantics::binary(sub, total, c) }
    }

    /// The arguments of `operator` that give the constant.
    fn preimage(&self, operator: Unary, argument: Term, constant: &Value) -> Preimage {
        let candidate = match (operator, constant) {
            (Unary::BitNot | Unary::Neg | Unary::IntNeg, _) => semantics::unary(operator, constant),
            (Unary::ZeroExtend(_) | Unary::SignExtend(_), Value::Bits { bits, .. }) => {
                Value::bits(*bits, self.width(argument))
            }
            (Unary::BitsToInt { .. }, Value::Int(_)) => {
                semantics::unary(Unary::IntToBits(self.width(argument)), constant)
            }
            _ => return Preimage::Unclear,
        };
        if semantics::unary(operator, &candidate) == *constant {
            Preimage::Unique(candidate)
        } else {
            Preimage::None
        }
    }

    /// A condition on a choice whose branches are constants, or such choices, as a choice of conditions.
    pub(super) fn over_choice(
        &self,
        term: Term,
        condition: &impl Fn(Term) -> Option<Term>,
        levels: u8,
    ) -> Option<Term> {
        match self.node(term) {
            Node::Ite(..) if levels == 0 => None,
            Node::Ite(choice, then, otherwise) => {
                let then = self.over_choice(then, condition, levels - 1)?;
                let otherwise = self.over_choice(otherwise, condition, levels - 1)?;
                Some(self.ite(choice, then, otherwise))
            }
            _ => condition(term),
        }
    }
}

enum Preimage {
    Unique(Value),
    None,
    Unclear,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(terms: &Terms, rows: &[(Term, Term)]) {
        for &(built, expected) in rows {
            assert_eq!(built, expected, "{} and {}", terms.display(built), terms.display(expected));
        }
    }

    #[test]
    fn equality_undoes_what_it_can() {
        let terms = Terms::new();
        let x = terms.input("x", Sort::Bits(8));
        let i = terms.input("i", Sort::Int);
        let c = terms.input("c", Sort::Bool);
        let k = |value: u64| terms.bits(value, 8);
        let flag = terms.zero_extend(terms.ite(c, k(1), k(0)), 32);
        check(
            &terms,
            &[
                (terms.eq(terms.add(x, k(5)), k(2)), terms.eq(x, k(253))),
                (terms.eq(terms.sub(k(5), x), k(2)), terms.eq(x, k(3))),
                (terms.eq(terms.bit_xor(x, k(5)), k(2)), terms.eq(x, k(7))),
                (terms.eq(terms.zero_extend(x, 16), terms.bits(300, 16)), terms.bool(false)),
                (terms.eq(terms.sign_extend(x, 16), terms.bits(0xffff, 16)), terms.eq(x, k(255))),
                (terms.eq(terms.add(x, k(1)), terms.add(x, k(2))), terms.bool(false)),
                (terms.ne(flag, terms.bits(0, 32)), c),
                (terms.eq(flag, terms.bits(0, 32)), terms.not(c)),
                (terms.eq(flag, terms.bits(2, 32)), terms.bool(false)),
                (terms.eq(terms.int_mul(i, terms.int(3)), terms.int(7)), terms.bool(false)),
                (terms.eq(terms.int_mul(i, terms.int(3)), terms.int(6)), terms.eq(i, terms.int(2))),
                (terms.eq(terms.bits_to_int(x, true), terms.int(-1)), terms.eq(x, k(255))),
                (terms.eq(terms.bits_to_int(x, true), terms.int(200)), terms.bool(false)),
            ],
        );
    }
}
