//! Products and truncated divisions of integers.
//!
//! Problem and idea: see the folder; sums are in `sums.rs`. Division is the one of ABS and most languages:
//! toward zero, the remainder with the sign of the dividend. Solvers know another one, so the translation
//! spells it out.
//!
//! Invariant: a zero divisor gives zero and the dividend; front ends branch on it before they divide.
//!
//! Cost: two to four look-ups in the store.

use crate::node::{Binary, Term};
use crate::terms::Terms;
use num_bigint::BigInt;
use num_traits::{One, Zero};

impl Terms {
    /// Product of integers.
    pub fn int_mul(&self, a: Term, b: Term) -> Term {
        self.check_sorts(Binary::IntMul, a, b);
        if let Some(folded) = self.fold(Binary::IntMul, a, b) {
            return folded;
        }
        let (a, b) = self.constant_last(Binary::IntMul, a, b);
        let (a, b) = self.merge_constants(Binary::IntMul, a, b).unwrap_or((a, b));
        match self.integer_constant(b) {
            Some(factor) if factor.is_zero() => b,
            Some(factor) if factor.is_one() => a,
            Some(factor) if (-&factor).is_one() => self.int_neg(a),
            _ => self.apply(Binary::IntMul, a, b),
        }
    }

    /// Quotient toward zero; by zero, zero.
    pub fn int_div_trunc(&self, a: Term, b: Term) -> Term {
        self.check_sorts(Binary::IntDiv, a, b);
        if let Some(folded) = self.fold(Binary::IntDiv, a, b) {
            return folded;
        }
        match self.integer_constant(b) {
            Some(divisor) if divisor.is_zero() => b,
            Some(divisor) if divisor.is_one() => a,
            Some(divisor) if (-&divisor).is_one() => self.int_neg(a),
            _ => self.apply(Binary::IntDiv, a, b),
        }
    }

    /// Remainder of [`Terms::int_div_trunc`], with the sign of the dividend; by zero, the dividend.
    pub fn int_rem_trunc(&self, a: Term, b: Term) -> Term {
        self.check_sorts(Binary::IntRem, a, b);
        if let Some(folded) = self.fold(Binary::IntRem, a, b) {
            return folded;
        }
        match self.integer_constant(b) {
            Some(divisor) if divisor.is_zero() => a,
            Some(divisor) if divisor.magnitude().is_one() => self.int(0),
            _ => self.apply(Binary::IntRem, a, b),
        }
    }

    pub(super) fn integer_constant(&self, term: Term) -> Option<BigInt> {
        self.as_constant(term)?.as_int().cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Sort;

    #[test]
    fn integers_simplify() {
        let terms = Terms::new();
        let x = terms.input("x", Sort::Int);
        let k = |value: i64| terms.int(value);
        for (built, expected) in [
            (terms.int_mul(k(0), x), k(0)),
            (terms.int_mul(k(1), x), x),
            (terms.int_mul(x, k(-1)), terms.int_neg(x)),
            (terms.int_mul(terms.int_mul(x, k(3)), k(-2)), terms.int_mul(x, k(-6))),
            (terms.int_div_trunc(k(-7), k(2)), k(-3)),
            (terms.int_rem_trunc(k(-7), k(2)), k(-1)),
            (terms.int_div_trunc(x, k(1)), x),
            (terms.int_div_trunc(x, k(-1)), terms.int_neg(x)),
            (terms.int_div_trunc(x, k(0)), k(0)),
            (terms.int_rem_trunc(x, k(-1)), k(0)),
            (terms.int_rem_trunc(x, k(0)), x),
        ] {
            assert_eq!(built, expected, "{} and {}", terms.display(built), terms.display(expected));
        }
    }
}
