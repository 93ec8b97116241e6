//! Products, bitwise operators, shifts and divisions of bit vectors.
//!
//! Problem and idea: see the folder. Constants of nested associative operators are merged, neutral and
//! dominant constants disappear, and an unsigned division by a power of two becomes a shift or a mask,
//! which a solver finds much easier.
//!
//! Invariant: division by zero keeps SMT-LIB's meaning; a rule that would need a divisor other than zero
//! applies to constant divisors only.
//!
//! Cost: two to four look-ups in the store.

use crate::node::{Binary, Node, Term, Unary};
use crate::terms::Terms;
use crate::value::mask;

impl Terms {
    /// Product of bit vectors, wrapping.
    pub fn mul(&self, a: Term, b: Term) -> Term {
        self.check_sorts(Binary::Mul, a, b);
        if let Some(folded) = self.fold(Binary::Mul, a, b) {
            return folded;
        }
        let (a, b) = self.constant_last(Binary::Mul, a, b);
        let (a, b) = self.merge_constants(Binary::Mul, a, b).unwrap_or((a, b));
        match self.word(b) {
            Some(0) => b,
            Some(1) => a,
            Some(word) if word == mask(self.width(b)) => self.neg(a),
            _ => self.apply(Binary::Mul, a, b),
        }
    }

    /// Bitwise and.
    pub fn bit_and(&self, a: Term, b: Term) -> Term {
        self.bitwise(Binary::BitAnd, a, b)
    }

    /// Bitwise or.
    pub fn bit_or(&self, a: Term, b: Term) -> Term {
        self.bitwise(Binary::BitOr, a, b)
    }

    /// Bitwise exclusive or.
    pub fn bit_xor(&self, a: Term, b: Term) -> Term {
        self.bitwise(Binary::BitXor, a, b)
    }

    /// Bitwise complement. Of a sum it is a sum again, since `!x` is `-x - 1`.
    pub fn bit_not(&self, a: Term) -> Term {
        self.check_sorts(Binary::BitAnd, a, a);
        if let Some(folded) = self.fold_unary(Unary::BitNot, a) {
            return folded;
        }
        match self.node(a) {
            Node::Unary(Unary::BitNot, inner) => inner,
            Node::Unary(Unary::Neg, _) => self.sub(self.all_ones(a), a),
            Node::Binary(Binary::Add, _, c) | Node::Binary(Binary::Sub, c, _)
                if self.is_constant(c) =>
            {
                self.sub(self.all_ones(a), a)
            }
            _ => self.apply_unary(Unary::BitNot, a),
        }
    }

    /// Shift left by `b` bits; zero if that is the width or more.
    pub fn shl(&self, a: Term, b: Term) -> Term {
        self.shift(Binary::Shl, a, b)
    }

    /// Shift right by `b` bits, filling with zeros; zero if that is the width or more.
    pub fn lshr(&self, a: Term, b: Term) -> Term {
        self.shift(Binary::Lshr, a, b)
    }

    /// Shift right by `b` bits, filling with the sign; only the sign is left if that is the width or more.
    pub fn ashr(&self, a: Term, b: Term) -> Term {
        self.shift(Binary::Ashr, a, b)
    }

    /// Signed quotient, toward zero; by zero, one for a negative dividend and minus one otherwise.
    pub fn sdiv(&self, a: Term, b: Term) -> Term {
        self.check_sorts(Binary::Sdiv, a, b);
        match self.word(b) {
            Some(_) if self.is_constant(a) => self.fold_constants(Binary::Sdiv, a, b),
            Some(word) if word == mask(self.width(b)) => self.neg(a),
            Some(1) => a,
            _ => self.apply(Binary::Sdiv, a, b),
        }
    }

    /// Signed remainder, with the sign of the dividend; by zero, the dividend.
    pub fn srem(&self, a: Term, b: Term) -> Term {
        self.check_sorts(Binary::Srem, a, b);
        match self.word(b) {
            Some(_) if self.is_constant(a) => self.fold_constants(Binary::Srem, a, b),
            Some(0) => a,
            Some(word) if word == 1 || word == mask(self.width(b)) => self.zero_of(self.sort(a)),
            _ => self.apply(Binary::Srem, a, b),
        }
    }

    /// Unsigned quotient; by zero, all ones.
    pub fn udiv(&self, a: Term, b: Term) -> Term {
        self.check_sorts(Binary::Udiv, a, b);
        match self.word(b) {
            Some(_) if self.is_constant(a) => self.fold_constants(Binary::Udiv, a, b),
            Some(0) => self.all_ones(a),
            Some(word) if word.is_power_of_two() => {
                let distance = u64::from(word.trailing_zeros());
                self.lshr(a, self.bits(distance, self.width(a)))
            }
            _ => self.apply(Binary::Udiv, a, b),
        }
    }

    /// Unsigned remainder; by zero, the dividend.
    pub fn urem(&self, a: Term, b: Term) -> Term {
        self.check_sorts(Binary::Urem, a, b);
        match self.word(b) {
            Some(_) if self.is_constant(a) => self.fold_constants(Binary::Urem, a, b),
            Some(0) => a,
            Some(word) if word.is_power_of_two() => {
                self.bit_and(a, self.bits(word - 1, self.width(a)))
            }
            _ => self.apply(Binary::Urem, a, b),
        }
    }

    fn fold_constants(&self, operator: Binary, a: Term, b: Term) -> Term {
        self.fold(operator, a, b).expect("both operands are constants")
    }

    fn all_ones(&self, like: Term) -> Term {
        self.bits(u64::MAX, self.width(like))
    }

    fn bitwise(&self, operator: Binary, a: Term, b: Term) -> Term {
        self.check_sorts(operator, a, b);
        if let Some(folded) = self.fold(operator, a, b) {
            return folded;
        }
        if a == b {
            return if operator == Binary::BitXor { self.zero_of(self.sort(a)) } else { a };
        }
        if self.are_bitwise_complements(a, b) {
            let and = operator == Binary::BitAnd;
            return if and { self.zero_of(self.sort(a)) } else { self.all_ones(a) };
        }
        let (a, b) = self.constant_last(operator, a, b);
        let (a, b) = self.merge_constants(operator, a, b).unwrap_or((a, b));
        let ones = mask(self.width(a));
        match (operator, self.word(b)) {
            (Binary::BitAnd, Some(0)) => b,
            (Binary::BitOr | Binary::BitXor, Some(0)) => a,
            (Binary::BitAnd, Some(word)) if word == ones => a,
            (Binary::BitOr, Some(word)) if word == ones => b,
            (Binary::BitXor, Some(word)) if word == ones => self.bit_not(a),
            _ => self.apply(operator, a, b),
        }
    }

    fn are_bitwise_complements(&self, a: Term, b: Term) -> bool {
        matches!(self.node(a), Node::Unary(Unary::BitNot, x) if x == b)
            || matches!(self.node(b), Node::Unary(Unary::BitNot, x) if x == a)
    }

    fn shift(&self, operator: Binary, a: Term, b: Term) -> Term {
        self.check_sorts(operator, a, b);
        if let Some(folded) = self.fold(operator, a, b) {
            return folded;
        }
        let width = u64::from(self.width(a));
        match self.word(b) {
            Some(0) => return a,
            Some(distance) if distance >= width => {
                return match operator {
                    // The largest distance below the width; a vector of one bit is its own sign.
                    Binary::Ashr if width == 1 => a,
                    Binary::Ashr => self.apply(operator, a, self.bits(width - 1, width as u8)),
                    _ => self.zero_of(self.sort(a)),
                };
            }
            _ => (),
        }
        if self.is_word(a, 0) {
            return a;
        }
        self.apply(operator, a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Sort;

    #[test]
    fn operators_on_bits_simplify() {
        let terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.input(name, Sort::Bits(8)));
        let k = |value: u64| terms.bits(value, 8);
        for (built, expected) in [
            (terms.mul(k(3), k(100)), k(44)),
            (terms.mul(x, k(1)), x),
            (terms.mul(k(0), x), k(0)),
            (terms.mul(x, k(255)), terms.neg(x)),
            (terms.mul(terms.mul(x, k(3)), k(5)), terms.mul(x, k(15))),
            (terms.mul(x, y), terms.mul(y, x)),
            (terms.bit_and(x, k(0)), k(0)),
            (terms.bit_and(x, k(255)), x),
            (terms.bit_and(terms.bit_and(x, k(12)), k(6)), terms.bit_and(x, k(4))),
            (terms.bit_or(x, k(255)), k(255)),
            (terms.bit_or(x, terms.bit_not(x)), k(255)),
            (terms.bit_and(x, terms.bit_not(x)), k(0)),
            (terms.bit_xor(x, x), k(0)),
            (terms.bit_xor(x, k(255)), terms.bit_not(x)),
            (terms.bit_not(terms.bit_not(x)), x),
            (terms.bit_not(terms.sub(x, k(1))), terms.neg(x)),
            (terms.shl(x, k(0)), x),
            (terms.shl(x, k(8)), k(0)),
            (terms.ashr(x, k(9)), terms.ashr(x, k(7))),
            (terms.lshr(k(0), x), k(0)),
            (terms.udiv(x, k(4)), terms.lshr(x, k(2))),
            (terms.urem(x, k(4)), terms.bit_and(x, k(3))),
            (terms.udiv(x, k(1)), x),
            (terms.udiv(x, k(0)), k(255)),
            (terms.sdiv(x, k(1)), x),
            (terms.sdiv(x, k(255)), terms.neg(x)),
            (terms.srem(x, k(1)), k(0)),
            (terms.srem(x, k(0)), x),
        ] {
            assert_eq!(built, expected, "{} and {}", terms.display(built), terms.display(expected));
        }
    }

    #[test]
    #[should_panic(expected = "Add is not defined on Bits(8) and Bits(16)")]
    fn widths_do_not_mix() {
        let terms = Terms::new();
        terms.add(terms.bits(1, 8), terms.bits(1, 16));
    }
}
