//! Java's arithmetic on words of which some are tokens.
//!
//! The terms have Java's own overflow, division rounds towards zero, `MIN / -1` is `MIN`, and shifts
//! look at the low five or six bits of the distance. Division is asked for only where the divisor is
//! not zero.

use counterpoint_symbolic::Term;

use super::Unknowns;
use crate::classfile::Type;
use crate::code::Opcode;
use crate::interpret::variable::widen;

impl Unknowns {
    /// The result of an operation on two words.
    pub(crate) fn binary(&mut self, op: Opcode, left: u64, right: u64) -> u64 {
        use Opcode::*;
        let width = width(op);
        let terms = self.terms();
        let a = self.term(left, width);
        let b = match op {
            IntShiftLeft | IntShiftRight | IntShiftUnsigned => {
                terms.bit_and(self.term(right, 32), terms.bits(31, 32))
            }
            LongShiftLeft | LongShiftRight | LongShiftUnsigned => {
                let distance = terms.bit_and(self.term(right, 32), terms.bits(63, 32));
                terms.zero_extend(distance, 64)
            }
            _ => self.term(right, width),
        };
        let result = match op {
            IntAdd | LongAdd => terms.add(a, b),
            IntSubtract | LongSubtract => terms.sub(a, b),
            IntMultiply | LongMultiply => terms.mul(a, b),
            IntDivide | LongDivide => terms.sdiv(a, b),
            IntRemainder | LongRemainder => terms.srem(a, b),
            IntAnd | LongAnd => terms.bit_and(a, b),
            IntOr | LongOr => terms.bit_or(a, b),
            IntXor | LongXor => terms.bit_xor(a, b),
            IntShiftLeft | LongShiftLeft => terms.shl(a, b),
            IntShiftRight | LongShiftRight => terms.ashr(a, b),
            IntShiftUnsigned | LongShiftUnsigned => terms.lshr(a, b),
            LongCompare => {
                let number = |value: i64| terms.bits(value as u64, 32);
                let rest = terms.ite(terms.eq(a, b), number(0), number(1));
                terms.ite(terms.slt(a, b), number(-1), rest)
            }
            other => unreachable!("{other:?} has no two operands"),
        };
        let range = match op {
            LongCompare => Some((-1, 1)),
            IntAdd | IntSubtract | IntMultiply | LongAdd | LongSubtract | LongMultiply => {
                self.combined(op, left, right)
            }
            _ => None,
        };
        self.token(result, range)
    }

    /// The result of an operation on one word.
    pub(crate) fn unary(&mut self, op: Opcode, word: u64) -> u64 {
        use Opcode::*;
        let terms = self.terms();
        let a = self.term(word, width(op));
        let result = match op {
            IntNegate | LongNegate => terms.neg(a),
            IntToLong => terms.sign_extend(a, 64),
            LongToInt => terms.extract(a, 31, 0),
            IntToByte => terms.sign_extend(terms.extract(a, 7, 0), 32),
            IntToShort => terms.sign_extend(terms.extract(a, 15, 0), 32),
            IntToChar => terms.zero_extend(terms.extract(a, 15, 0), 32),
            other => unreachable!("{other:?} has no single operand"),
        };
        let known = self.range(word);
        let range = match op {
            IntNegate | LongNegate => known.map(|(low, high)| (-high, -low)),
            IntToLong => known,
            LongToInt => known.filter(|range| fits(*range, i32::MIN.into(), i32::MAX.into())),
            IntToByte => known.filter(|range| fits(*range, -0x80, 0x7F)),
            IntToShort => known.filter(|range| fits(*range, -0x8000, 0x7FFF)),
            IntToChar => known.filter(|range| fits(*range, 0, 0xFFFF)),
            _ => None,
        };
        self.token(result, range)
    }

    /// A word cut down to what a variable of a type can hold.
    pub(crate) fn narrowed(&mut self, word: u64, kind: Type) -> u64 {
        if !super::is_unknown(word) {
            return widen(word, kind);
        }
        let (op, least, most) = match kind {
            Type::Byte => (Opcode::IntToByte, -0x80, 0x7F),
            Type::Short => (Opcode::IntToShort, -0x8000, 0x7FFF),
            Type::Char => (Opcode::IntToChar, 0, 0xFFFF),
            // Truth values are 0 and 1 already.
            _ => return word,
        };
        if self.range(word).is_some_and(|range| fits(range, least, most)) {
            return word;
        }
        self.unary(op, word)
    }

    /// The condition under which a comparison jumps.
    pub(crate) fn comparison(&self, op: Opcode, left: u64, right: u64) -> Term {
        use Opcode::*;
        let terms = self.terms();
        let (a, b) = (self.term(left, 32), self.term(right, 32));
        match op {
            IfZero | IfIntEqual => terms.eq(a, b),
            IfNotZero | IfIntNotEqual => terms.ne(a, b),
            IfNegative | IfIntLess => terms.slt(a, b),
            IfNotNegative | IfIntGreaterEqual => terms.sge(a, b),
            IfPositive | IfIntGreater => terms.sgt(a, b),
            IfNotPositive | IfIntLessEqual => terms.sle(a, b),
            other => unreachable!("{other:?} compares no numbers"),
        }
    }

    /// Whether two words of so many bits are the same number.
    pub(crate) fn same(&self, left: u64, right: u64, width: u8) -> Term {
        self.terms().eq(self.term(left, width), self.term(right, width))
    }

    /// One word or the other, as a condition says.
    pub(crate) fn either(&mut self, condition: Term, yes: u64, no: u64, width: u8) -> u64 {
        let terms = self.terms();
        let term = terms.ite(condition, self.term(yes, width), self.term(no, width));
        let range = self.span(yes, width).zip(self.span(no, width));
        let range = range.map(|(yes, no)| (yes.0.min(no.0), yes.1.max(no.1)));
        self.token(term, range)
    }

    /// The values of a sum, difference or product of few values, unless it overflows.
    fn combined(&self, op: Opcode, left: u64, right: u64) -> Option<(i64, i64)> {
        use Opcode::*;
        let width = width(op);
        let (a, b) = (self.span(left, width)?, self.span(right, width)?);
        let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(a, b)| {
            let result = match op {
                IntAdd | LongAdd => a.checked_add(b),
                IntSubtract | LongSubtract => a.checked_sub(b),
                _ => a.checked_mul(b),
            };
            result.filter(|result| width == 64 || i32::try_from(*result).is_ok())
        });
        let mut range: Option<(i64, i64)> = None;
        for corner in corners {
            let corner = corner?;
            range = Some(
                range.map_or((corner, corner), |(low, high)| (low.min(corner), high.max(corner))),
            );
        }
        range.filter(|(low, high)| high.checked_sub(*low).is_some())
    }

    /// The values of a number or of an unknown with few values.
    fn span(&self, word: u64, width: u8) -> Option<(i64, i64)> {
        if super::is_unknown(word) {
            return self.range(word);
        }
        let value = if width == 64 { word as i64 } else { i64::from(word as i32) };
        Some((value, value))
    }
}

fn fits((low, high): (i64, i64), least: i64, most: i64) -> bool {
    least <= low && high <= most
}

/// The width of the operands of an operation.
fn width(op: Opcode) -> u8 {
    use Opcode::*;
    match op {
        LongAdd | LongSubtract | LongMultiply | LongDivide | LongRemainder | LongNegate
        | LongShiftLeft | LongShiftRight | LongShiftUnsigned | LongAnd | LongOr | LongXor
        | LongCompare | LongToInt => 64,
        _ => 32,
    }
}
