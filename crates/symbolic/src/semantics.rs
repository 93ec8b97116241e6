//! What each operator means, on values.
//!
//! Problem: constant folding and evaluation must never disagree, with each other or with the solver. Idea:
//! one function per arity, used by both; the tests compare it with an independent reading of SMT-LIB and
//! with Z3. The meaning is SMT-LIB's, also where a language has none: an oversize shift gives zero (or the
//! sign), unsigned division by zero gives all ones and remainder by zero the dividend. Truncated integer
//! division is not in SMT-LIB; by zero it gives zero, and the remainder the dividend.
//!
//! Invariant: total on operands of the right sorts. Operands of wrong sorts were refused by the builders.
//!
//! Cost: a few instructions for bit vectors; arbitrary precision arithmetic for integers.

use crate::node::{Binary, Unary};
use crate::value::{Value, mask, signed};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

/// The result of an operator of one argument.
pub(crate) fn unary(operator: Unary, argument: &Value) -> Value {
    match (operator, argument) {
        (Unary::Not, Value::Bool(value)) => Value::Bool(!value),
        (Unary::IntNeg, Value::Int(value)) => Value::Int(-value),
        (Unary::IntToBits(width), Value::Int(value)) => Value::bits(low_bits(value), width),
        (Unary::Neg, Value::Bits { bits, width }) => Value::bits(bits.wrapping_neg(), *width),
        (Unary::BitNot, Value::Bits { bits, width }) => Value::bits(!bits, *width),
        (Unary::Extract { high, low }, Value::Bits { bits, .. }) => {
            Value::bits(bits >> low, high - low + 1)
        }
        (Unary::ZeroExtend(to), Value::Bits { bits, .. }) => Value::bits(*bits, to),
        (Unary::SignExtend(to), Value::Bits { bits, width }) => {
            Value::bits(signed(*bits, *width) as u64, to)
        }
        (Unary::BitsToInt { signed: true }, Value::Bits { bits, width }) => {
            Value::int(signed(*bits, *width))
        }
        (Unary::BitsToInt { signed: false }, Value::Bits { bits, .. }) => Value::int(*bits),
        _ => unreachable!("builders refuse operands of a wrong sort: {operator:?} {argument:?}"),
    }
}

/// The result of an operator of two arguments.
pub(crate) fn binary(operator: Binary, first: &Value, second: &Value) -> Value {
    match (operator, first, second) {
        (Binary::Eq, _, _) => Value::Bool(first == second),
        (Binary::And, Value::Bool(a), Value::Bool(b)) => Value::Bool(*a && *b),
        (Binary::Or, Value::Bool(a), Value::Bool(b)) => Value::Bool(*a || *b),
        (
            Binary::Concat,
            Value::Bits { bits: a, width: high },
            Value::Bits { bits: b, width: low },
        ) => Value::bits((a << low) | b, high + low),
        (_, Value::Bits { bits: a, width }, Value::Bits { bits: b, .. }) => {
            on_bits(operator, *a, *b, *width)
        }
        (_, Value::Int(a), Value::Int(b)) => on_integers(operator, a, b),
        _ => unreachable!("builders refuse operands of a wrong sort: {operator:?}"),
    }
}

fn on_bits(operator: Binary, a: u64, b: u64, width: u8) -> Value {
    let result = match operator {
        Binary::Ult => return Value::Bool(a < b),
        Binary::Slt => return Value::Bool(signed(a, width) < signed(b, width)),
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::Shl if b >= u64::from(width) => 0,
        Binary::Shl => a << b,
        Binary::Lshr if b >= u64::from(width) => 0,
        Binary::Lshr => a >> b,
        Binary::Ashr => (signed(a, width) >> b.min(63)) as u64,
        Binary::Udiv => a.checked_div(b).unwrap_or(mask(width)),
        Binary::Urem => a.checked_rem(b).unwrap_or(a),
        Binary::Sdiv => signed_division(signed(a, width), signed(b, width)) as u64,
        Binary::Srem if b == 0 => a,
        Binary::Srem => signed(a, width).wrapping_rem(signed(b, width)) as u64,
        _ => unreachable!("not an operator on bit vectors: {operator:?}"),
    };
    Value::bits(result, width)
}

/// SMT-LIB derives signed division from the unsigned one, so by zero it gives one for a negative dividend
/// and minus one otherwise.
fn signed_division(a: i64, b: i64) -> i64 {
    match (a, b) {
        (..0, 0) => 1,
        (_, 0) => -1,
        _ => a.wrapping_div(b),
    }
}

fn on_integers(operator: Binary, a: &BigInt, b: &BigInt) -> Value {
    Value::Int(match operator {
        Binary::IntLt => return Value::Bool(a < b),
        Binary::IntAdd => a + b,
        Binary::IntSub => a - b,
        Binary::IntMul => a * b,
        Binary::IntDiv if b.is_zero() => BigInt::zero(),
        Binary::IntDiv => a / b,
        Binary::IntRem if b.is_zero() => a.clone(),
        Binary::IntRem => a % b,
        _ => unreachable!("not an operator on integers: {operator:?}"),
    })
}

/// The integer modulo two to the 64th.
fn low_bits(value: &BigInt) -> u64 {
    let magnitude = value.magnitude().iter_u64_digits().next().unwrap_or(0);
    match value.to_i64() {
        Some(small) => small as u64,
        None if value.sign() == num_bigint::Sign::Minus => magnitude.wrapping_neg(),
        None => magnitude,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_are_those_of_smt_lib() {
        let min = 0x80;
        for (operator, a, b, expected) in [
            (Binary::Udiv, 5, 0, 0xff),
            (Binary::Urem, 5, 0, 5),
            (Binary::Sdiv, 5, 0, 0xff),
            (Binary::Sdiv, 0xfb, 0, 1),
            (Binary::Sdiv, 0, 0, 0xff),
            (Binary::Srem, 0xfb, 0, 0xfb),
            (Binary::Sdiv, min, 0xff, min),
            (Binary::Srem, min, 0xff, 0),
            (Binary::Srem, 0xfb, 2, 0xff),
            (Binary::Shl, 1, 8, 0),
            (Binary::Lshr, 0xff, 200, 0),
            (Binary::Ashr, min, 200, 0xff),
            (Binary::Ashr, 0x7f, 200, 0),
        ] {
            let value = binary(operator, &Value::bits(a, 8), &Value::bits(b, 8));
            assert_eq!(value, Value::bits(expected, 8), "{operator:?} {a} {b}");
        }
    }

    #[test]
    fn integer_division_truncates() {
        for (a, b, quotient, remainder) in
            [(7, 2, 3, 1), (-7, 2, -3, -1), (7, -2, -3, 1), (-7, -2, 3, -1), (7, 0, 0, 7)]
        {
            let (a, b) = (Value::int(a), Value::int(b));
            assert_eq!(binary(Binary::IntDiv, &a, &b), Value::int(quotient));
            assert_eq!(binary(Binary::IntRem, &a, &b), Value::int(remainder));
        }
    }

    #[test]
    fn integers_wrap_into_bits() {
        let two_to_64 = BigInt::from(1u8) << 64;
        for (value, expected) in [
            (BigInt::from(-1), u64::MAX),
            (&two_to_64 + 5, 5),
            (-&two_to_64 - 1, u64::MAX),
            (BigInt::from(u64::MAX), u64::MAX),
            (BigInt::from(i64::MIN) - 1, (1 << 63) - 1),
        ] {
            assert_eq!(unary(Unary::IntToBits(64), &Value::Int(value)), Value::bits(expected, 64));
        }
    }
}
