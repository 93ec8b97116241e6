//! Joining, cutting and widening bit vectors, and the way between bit vectors and integers.
//!
//! Problem: a byte code machine narrows and widens at every array access and every arithmetic result.
//! Idea: cuts and extensions collapse into one, and a cut looks through what only adds or joins bits.
//!
//! Invariant: an extension widens by at least one bit, a cut narrows by at least one.
//!
//! Cost: two or three look-ups. Looking through joins recurses at most 64 levels, as every level of a
//! join holds at least one bit.

use crate::node::{Binary, Node, Term, Unary};
use crate::terms::Terms;
use crate::value::Sort;

impl Terms {
    /// The bits of `high` above those of `low`.
    pub fn concat(&self, high: Term, low: Term) -> Term {
        self.check_sorts(Binary::Concat, high, low);
        if let Some(folded) = self.fold(Binary::Concat, high, low) {
            return folded;
        }
        if self.is_word(high, 0) {
            return self.zero_extend(low, self.width(high) + self.width(low));
        }
        if let (
            Node::Unary(Unary::Extract { high: top, low: middle }, x),
            Node::Unary(Unary::Extract { high: below, low: bottom }, y),
        ) = (self.node(high), self.node(low))
            && x == y
            && middle == below + 1
        {
            return self.extract(x, top, bottom);
        }
        self.apply(Binary::Concat, high, low)
    }

    /// Bits `high` down to `low`, both included, counted from zero.
    pub fn extract(&self, a: Term, high: u8, low: u8) -> Term {
        let width = self.width(a);
        assert!(low <= high && high < width, "bits {high} to {low} of {width} do not exist");
        if high - low + 1 == width {
            return a;
        }
        let operator = Unary::Extract { high, low };
        if let Some(folded) = self.fold_unary(operator, a) {
            return folded;
        }
        match self.node(a) {
            Node::Unary(Unary::Extract { low: base, .. }, x) => {
                self.extract(x, base + high, base + low)
            }
            Node::Unary(Unary::ZeroExtend(_) | Unary::SignExtend(_), x) if high < self.width(x) => {
                self.extract(x, high, low)
            }
            Node::Unary(Unary::ZeroExtend(_), x) if low >= self.width(x) => {
                self.bits(0, high - low + 1)
            }
            Node::Unary(Unary::ZeroExtend(_), x) if low == 0 => self.zero_extend(x, high + 1),
            Node::Unary(Unary::SignExtend(_), x) if low == 0 => self.sign_extend(x, high + 1),
            Node::Binary(Binary::Concat, _, x) if high < self.width(x) => {
                self.extract(x, high, low)
            }
            Node::Binary(Binary::Concat, x, y) if low >= self.width(y) => {
                let base = self.width(y);
                self.extract(x, high - base, low - base)
            }
            _ => self.apply_unary(operator, a),
        }
    }

    /// Widens to `width` bits with zeros.
    pub fn zero_extend(&self, a: Term, width: u8) -> Term {
        if !self.widens(a, width) {
            return a;
        }
        let operator = Unary::ZeroExtend(width);
        if let Some(folded) = self.fold_unary(operator, a) {
            return folded;
        }
        match self.node(a) {
            Node::Unary(Unary::ZeroExtend(_), x) => self.apply_unary(operator, x),
            _ => self.apply_unary(operator, a),
        }
    }

    /// Widens to `width` bits with the sign.
    pub fn sign_extend(&self, a: Term, width: u8) -> Term {
        if !self.widens(a, width) {
            return a;
        }
        let operator = Unary::SignExtend(width);
        if let Some(folded) = self.fold_unary(operator, a) {
            return folded;
        }
        match self.node(a) {
            Node::Unary(Unary::ZeroExtend(_), x) => self.apply_unary(Unary::ZeroExtend(width), x),
            Node::Unary(Unary::SignExtend(_), x) => self.apply_unary(operator, x),
            _ => self.apply_unary(operator, a),
        }
    }

    /// The integer a bit vector stands for, in its signed or unsigned reading.
    pub fn bits_to_int(&self, a: Term, signed: bool) -> Term {
        self.width(a);
        let operator = Unary::BitsToInt { signed };
        if let Some(folded) = self.fold_unary(operator, a) {
            return folded;
        }
        match self.node(a) {
            Node::Unary(Unary::ZeroExtend(_), x) => self.bits_to_int(x, false),
            Node::Unary(Unary::SignExtend(_), x) if signed => self.bits_to_int(x, true),
            _ => self.apply_unary(operator, a),
        }
    }

    /// The low bits of an integer: its value modulo two to the `width`.
    pub fn int_to_bits(&self, a: Term, width: u8) -> Term {
        self.check_sort(Sort::Int, a);
        assert!((1..=64).contains(&width), "a bit vector has 1 to 64 bits");
        let operator = Unary::IntToBits(width);
        if let Some(folded) = self.fold_unary(operator, a) {
            return folded;
        }
        match self.node(a) {
            Node::Unary(Unary::BitsToInt { signed }, x) => match (self.width(x), signed) {
                (from, _) if from >= width => self.extract(x, width - 1, 0),
                (_, true) => self.sign_extend(x, width),
                (_, false) => self.zero_extend(x, width),
            },
            _ => self.apply_unary(operator, a),
        }
    }

    fn widens(&self, a: Term, width: u8) -> bool {
        let from = self.width(a);
        assert!(from <= width && width <= 64, "{from} bits do not widen to {width}");
        from < width
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_collapse() {
        let terms = Terms::new();
        let x = terms.input("x", Sort::Bits(8));
        let y = terms.input("y", Sort::Bits(8));
        let c = terms.input("c", Sort::Bool);
        let wide = terms.zero_extend(x, 32);
        let signed = terms.sign_extend(x, 32);
        let joined = terms.concat(x, y);
        let choice = terms.ite(c, terms.bits(1, 8), terms.bits(255, 8));
        for (built, expected) in [
            (terms.extract(wide, 7, 0), x),
            (terms.extract(signed, 7, 0), x),
            (terms.extract(wide, 31, 8), terms.bits(0, 24)),
            (terms.extract(signed, 15, 0), terms.sign_extend(x, 16)),
            (terms.extract(joined, 15, 8), x),
            (terms.extract(joined, 6, 1), terms.extract(y, 6, 1)),
            (terms.extract(terms.extract(x, 6, 2), 3, 1), terms.extract(x, 5, 3)),
            (terms.concat(terms.extract(x, 7, 4), terms.extract(x, 3, 0)), x),
            (terms.concat(terms.bits(0, 24), x), wide),
            (terms.zero_extend(terms.zero_extend(x, 16), 32), wide),
            (terms.sign_extend(terms.zero_extend(x, 16), 32), wide),
            (terms.sign_extend(terms.sign_extend(x, 16), 32), signed),
            (terms.zero_extend(x, 8), x),
            (
                terms.sign_extend(choice, 16),
                terms.ite(c, terms.bits(1, 16), terms.bits(0xffff, 16)),
            ),
            (terms.int_to_bits(terms.bits_to_int(x, true), 32), signed),
            (terms.int_to_bits(terms.bits_to_int(x, false), 32), wide),
            (terms.int_to_bits(terms.bits_to_int(x, false), 4), terms.extract(x, 3, 0)),
            (terms.bits_to_int(wide, true), terms.bits_to_int(x, false)),
        ] {
            assert_eq!(built, expected, "{} and {}", terms.display(built), terms.display(expected));
        }
    }
}
