//! Orders of bit vectors, signed and unsigned, and of integers.
//!
//! Problem: `x > 5`, `!(x < 6)` and `6 <= x` are one condition, and byte code compares widened vectors and
//! the results of three-way comparisons. Idea: every order is expressed as "less", with a constant on the
//! right; comparisons move through extensions and into choices between constants.
//!
//! Invariant: "greater" and "at most" are never stored, so a condition and its complement differ by one
//! negation. A comparison moves through at most 64 nested extensions, as each adds a bit.
//!
//! Cost: a few look-ups.

use super::equality::CHOICES;
use super::sums::Signed;
use crate::node::{Binary, Node, Term, Unary};
use crate::semantics;
use crate::terms::Terms;
use crate::value::{Value, mask, signed};

impl Terms {
    /// Signed `a < b`.
    pub fn slt(&self, a: Term, b: Term) -> Term {
        self.less(Binary::Slt, a, b)
    }

    /// Signed `a <= b`.
    pub fn sle(&self, a: Term, b: Term) -> Term {
        self.not(self.slt(b, a))
    }

    /// Signed `a > b`.
    pub fn sgt(&self, a: Term, b: Term) -> Term {
        self.slt(b, a)
    }

    /// Signed `a >= b`.
    pub fn sge(&self, a: Term, b: Term) -> Term {
        self.not(self.slt(a, b))
    }

    /// Unsigned `a < b`.
    pub fn ult(&self, a: Term, b: Term) -> Term {
        self.less(Binary::Ult, a, b)
    }

    /// Unsigned `a <= b`.
    pub fn ule(&self, a: Term, b: Term) -> Term {
        self.not(self.ult(b, a))
    }

    /// Unsigned `a > b`.
    pub fn ugt(&self, a: Term, b: Term) -> Term {
        self.ult(b, a)
    }

    /// Unsigned `a >= b`.
    pub fn uge(&self, a: Term, b: Term) -> Term {
        self.not(self.ult(a, b))
    }

    /// `a < b` of integers.
    pub fn int_lt(&self, a: Term, b: Term) -> Term {
        self.less(Binary::IntLt, a, b)
    }

    /// `a <= b` of integers.
    pub fn int_le(&self, a: Term, b: Term) -> Term {
        self.not(self.int_lt(b, a))
    }

    /// `a > b` of integers.
    pub fn int_gt(&self, a: Term, b: Term) -> Term {
        self.int_lt(b, a)
    }

    /// `a >= b` of integers.
    pub fn int_ge(&self, a: Term, b: Term) -> Term {
        self.not(self.int_lt(a, b))
    }

    fn less(&self, operator: Binary, a: Term, b: Term) -> Term {
        self.check_sorts(operator, a, b);
        if let Some(folded) = self.fold(operator, a, b) {
            return folded;
        }
        if a == b {
            return self.bool(false);
        }
        let choice = if self.is_constant(b) {
            self.over_choice(a, &|x| self.fold(operator, x, b), CHOICES)
        } else if self.is_constant(a) {
            self.over_choice(b, &|x| self.fold(operator, a, x), CHOICES)
        } else {
            None
        };
        if let Some(term) = choice {
            return term;
        }
        match operator {
            Binary::IntLt => self.less_integers(a, b),
            _ => self.less_bits(operator, a, b),
        }
    }

    /// Integers have no overflow, so constants move to the right: `x + c < d` is `x < d - c`.
    fn less_integers(&self, a: Term, b: Term) -> Term {
        let (first, second) = (self.as_sum(a), self.as_sum(b));
        let limit = semantics::binary(Binary::IntSub, &second.constant, &first.constant);
        match (first.rest, second.rest) {
            (Some(x), None) => self.below(x, &limit),
            (None, Some(y)) => self.below(Signed { negative: !y.negative, ..y }, &limit),
            (Some(x), Some(y)) if x.term == y.term && x.negative == y.negative => self
                .bool(limit.as_int().is_some_and(|limit| limit.sign() == num_bigint::Sign::Plus)),
            (Some(x), Some(y)) if x.negative == y.negative && limit == Value::int(0) => {
                let (x, y) = if x.negative { (y.term, x.term) } else { (x.term, y.term) };
                self.apply(Binary::IntLt, x, y)
            }
            _ => self.apply(Binary::IntLt, a, b),
        }
    }

    /// `x < limit`, or `-x < limit`, which is `!(x < 1 - limit)`.
    fn below(&self, x: Signed, limit: &Value) -> Term {
        if x.negative {
            let limit = semantics::binary(Binary::IntSub, &Value::int(1), limit);
            return self.not(self.apply(Binary::IntLt, x.term, self.value(&limit)));
        }
        self.apply(Binary::IntLt, x.term, self.value(limit))
    }

    fn less_bits(&self, operator: Binary, a: Term, b: Term) -> Term {
        if let (Node::Unary(f, x), Node::Unary(g, y)) = (self.node(a), self.node(b))
            && f == g
            && self.sort(x) == self.sort(y)
        {
            match f {
                Unary::ZeroExtend(_) => return self.ult(x, y),
                Unary::SignExtend(_) => return self.less(operator, x, y),
                _ => (),
            }
        }
        match (self.word(a), self.word(b)) {
            (_, Some(limit)) => self.below_word(operator, a, limit),
            // `c < x` is `!(x < c + 1)`, if there is anything above `c`.
            (Some(limit), _) => {
                let (_, greatest) = extremes(operator, self.width(b));
                if limit == greatest {
                    return self.bool(false);
                }
                self.not(self.below_word(operator, b, limit.wrapping_add(1) & mask(self.width(b))))
            }
            _ => self.apply(operator, a, b),
        }
    }

    fn below_word(&self, operator: Binary, a: Term, limit: u64) -> Term {
        let width = self.width(a);
        let (least, greatest) = extremes(operator, width);
        let bound = self.bits(limit, width);
        if limit == least {
            return self.bool(false);
        }
        if limit == least.wrapping_add(1) & mask(width) {
            return self.eq(a, self.bits(least, width));
        }
        if limit == greatest {
            return self.ne(a, bound);
        }
        match self.node(a) {
            Node::Unary(Unary::ZeroExtend(_), x) => {
                // A widened vector is not negative, so both orders agree unless the limit is.
                if operator == Binary::Slt && signed(limit, width) < 0 {
                    return self.bool(false);
                }
                let inner = self.width(x);
                if limit > mask(inner) {
                    return self.bool(true);
                }
                self.below_word(Binary::Ult, x, limit)
            }
            Node::Unary(Unary::SignExtend(_), x) if operator == Binary::Slt => {
                let inner = self.width(x);
                let (least, greatest) = extremes(Binary::Slt, inner);
                let limit = signed(limit, width);
                if limit > signed(greatest, inner) {
                    return self.bool(true);
                }
                if limit <= signed(least, inner) {
                    return self.bool(false);
                }
                self.below_word(Binary::Slt, x, limit as u64 & mask(inner))
            }
            _ => self.apply(operator, a, bound),
        }
    }
}

/// The least and the greatest word of this width, as the operator orders them.
fn extremes(operator: Binary, width: u8) -> (u64, u64) {
    match operator {
        Binary::Slt => (1 << (width - 1), mask(width) >> 1),
        _ => (0, mask(width)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Sort;

    fn check(terms: &Terms, rows: &[(Term, Term)]) {
        for &(built, expected) in rows {
            assert_eq!(built, expected, "{} and {}", terms.display(built), terms.display(expected));
        }
    }

    #[test]
    fn orders_have_one_form() {
        let terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.input(name, Sort::Bits(8)));
        let i = terms.input("i", Sort::Int);
        let k = |value: u64| terms.bits(value, 8);
        let wide = terms.zero_extend(x, 32);
        check(
            &terms,
            &[
                (terms.slt(x, x), terms.bool(false)),
                (terms.sle(x, x), terms.bool(true)),
                (terms.sge(x, y), terms.not(terms.slt(x, y))),
                (terms.sgt(x, k(5)), terms.not(terms.slt(x, k(6)))),
                (terms.sle(x, k(5)), terms.slt(x, k(6))),
                (terms.ult(x, k(0)), terms.bool(false)),
                (terms.ult(x, k(1)), terms.eq(x, k(0))),
                (terms.ugt(x, k(0)), terms.ne(x, k(0))),
                (terms.slt(x, k(128)), terms.bool(false)),
                (terms.sle(x, k(127)), terms.bool(true)),
                (terms.slt(wide, terms.bits(0, 32)), terms.bool(false)),
                (terms.slt(wide, terms.bits(256, 32)), terms.bool(true)),
                (terms.slt(wide, terms.bits(9, 32)), terms.ult(x, k(9))),
                (terms.slt(terms.sign_extend(x, 32), terms.bits(9, 32)), terms.slt(x, k(9))),
                (terms.slt(terms.zero_extend(y, 32), wide), terms.ult(y, x)),
                (
                    terms.int_lt(terms.int_add(i, terms.int(5)), terms.int(7)),
                    terms.int_lt(i, terms.int(2)),
                ),
                (terms.int_gt(i, terms.int(5)), terms.int_ge(i, terms.int(6))),
                (terms.int_lt(terms.int_neg(i), terms.int(5)), terms.int_gt(i, terms.int(-5))),
                (terms.int_lt(i, terms.int_add(i, terms.int(1))), terms.bool(true)),
            ],
        );
    }

    #[test]
    fn a_three_way_comparison_is_seen_through() {
        let terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.input(name, Sort::Bits(64)));
        let k = |value: i64| terms.bits(value as u64, 32);
        let compared = terms.ite(terms.slt(x, y), k(-1), terms.ite(terms.eq(x, y), k(0), k(1)));
        assert_eq!(terms.slt(compared, k(0)), terms.slt(x, y));
        assert!(terms.depth(terms.sgt(compared, k(0))) <= 3);
    }
}
