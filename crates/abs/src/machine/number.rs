//! Arithmetic: integers without bound, exact rationals, and floating-point numbers.
//!
//! The common case is two small integers whose result is small; everything else goes through big
//! numbers. The kinds that the checker found are not needed: values know what they are.

use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};

use crate::program::{BinaryOperation, ConstructorId, UnaryOperation};

use super::value::Value;

/// The result of an operation, or the exception it raises.
pub(crate) type Computed = Result<Value, Value>;

pub(crate) const DIVISION_BY_ZERO: Value = Value::Atom(ConstructorId::DIVISION_BY_ZERO);
pub(crate) const NO_MATCH: Value = Value::Atom(ConstructorId::PATTERN_MATCH_FAIL);

/// Computes with two operands.
pub(crate) fn binary(operation: BinaryOperation, left: &Value, right: &Value) -> Computed {
    use BinaryOperation as B;
    if let (Value::Int(a), Value::Int(b)) = (left, right) {
        let small = match operation {
            B::Add(_) => a.checked_add(*b),
            B::Subtract(_) => a.checked_sub(*b),
            B::Multiply(_) => a.checked_mul(*b),
            B::Divide(_) | B::Remainder(_) if *b == 0 => return Err(DIVISION_BY_ZERO),
            B::Divide(_) => match a.checked_rem(*b) {
                Some(0) => a.checked_div(*b),
                _ => None,
            },
            B::Remainder(_) => a.checked_rem(*b),
            B::Concatenate => None,
        };
        if let Some(small) = small {
            return Ok(Value::Int(small));
        }
    }
    match (left, right) {
        (Value::Float(a), Value::Float(b)) => match operation {
            B::Add(_) => Ok(Value::Float(a + b)),
            B::Subtract(_) => Ok(Value::Float(a - b)),
            B::Multiply(_) => Ok(Value::Float(a * b)),
            B::Divide(_) | B::Remainder(_) if *b == 0.0 => Err(DIVISION_BY_ZERO),
            B::Divide(_) => Ok(Value::Float(a / b)),
            B::Remainder(_) => Ok(Value::Float(a % b)),
            B::Concatenate => Err(NO_MATCH),
        },
        (Value::Text(a), Value::Text(b)) => {
            let mut text = String::with_capacity(a.len() + b.len());
            text.push_str(a);
            text.push_str(b);
            Ok(Value::Text(Rc::new(text)))
        }
        _ => exact(operation, left, right),
    }
}

/// What an operation costs beyond the usual, in jumps: texts and numbers can be long.
#[inline]
pub(crate) fn cost(operation: BinaryOperation, left: &Value, right: &Value) -> u64 {
    match (left, right) {
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => 0,
        _ => cost_of_long(operation, left, right),
    }
}

fn cost_of_long(operation: BinaryOperation, left: &Value, right: &Value) -> u64 {
    if let (Value::Text(a), Value::Text(b)) = (left, right) {
        return (a.len() + b.len()) as u64;
    }
    let words = |value: &Value| match value {
        Value::Big(number) => number.bits() / 64,
        Value::Rational(number) => (number.numer().bits() + number.denom().bits()) / 64,
        _ => 0,
    };
    let (a, b) = (words(left), words(right));
    let fraction = matches!(operation, BinaryOperation::Divide(_))
        || [left, right].iter().any(|value| matches!(value, Value::Rational(_)));
    // A fraction is put into lowest terms bit by bit.
    let reduction = if fraction { (a + b).saturating_mul(a + b).saturating_mul(16) } else { 0 };
    8 * (a + b) + a.saturating_mul(b) / 8 + reduction
}

fn exact(operation: BinaryOperation, left: &Value, right: &Value) -> Computed {
    use BinaryOperation as B;
    if let (Some(a), Some(b)) = (to_big(left), to_big(right)) {
        let result = match operation {
            B::Add(_) => a + b,
            B::Subtract(_) => a - b,
            B::Multiply(_) => a * b,
            B::Divide(_) | B::Remainder(_) if b.is_zero() => return Err(DIVISION_BY_ZERO),
            B::Divide(_) => return Ok(Value::rational(BigRational::new(a, b))),
            B::Remainder(_) => a % b,
            B::Concatenate => return Err(NO_MATCH),
        };
        return Ok(Value::integer(result));
    }
    let (Some(a), Some(b)) = (left.to_rational(), right.to_rational()) else {
        return Err(NO_MATCH);
    };
    let result = match operation {
        B::Add(_) => a + b,
        B::Subtract(_) => a - b,
        B::Multiply(_) => a * b,
        B::Divide(_) | B::Remainder(_) if b.is_zero() => return Err(DIVISION_BY_ZERO),
        B::Divide(_) => a / b,
        B::Remainder(_) => {
            let whole = (&a / &b).trunc();
            a - b * whole
        }
        B::Concatenate => return Err(NO_MATCH),
    };
    Ok(Value::rational(result))
}

/// Computes with one operand.
pub(crate) fn unary(operation: UnaryOperation, operand: &Value) -> Computed {
    match (operation, operand) {
        (UnaryOperation::Not, value) => Ok(Value::bool(!value.is_true())),
        (UnaryOperation::Truncate, value) => truncate(value),
        (UnaryOperation::Negate(_), Value::Float(number)) => Ok(Value::Float(-number)),
        (UnaryOperation::Negate(kind), value) => {
            binary(BinaryOperation::Subtract(kind), &Value::Int(0), value)
        }
    }
}

/// A number rounded toward zero.
pub(crate) fn truncate(value: &Value) -> Computed {
    match value {
        Value::Int(_) | Value::Big(_) => Ok(value.clone()),
        Value::Rational(number) => Ok(Value::integer(number.to_integer())),
        _ => Err(NO_MATCH),
    }
}

/// A number as floating point.
pub(crate) fn to_float(value: &Value) -> Computed {
    let number = match value {
        Value::Float(_) => return Ok(value.clone()),
        Value::Int(number) => Some(*number as f64),
        Value::Big(number) => number.to_f64(),
        Value::Rational(number) => number.to_f64(),
        _ => None,
    };
    number.map(Value::Float).ok_or(NO_MATCH)
}

fn to_big(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(number) => Some(BigInt::from(*number)),
        Value::Big(number) => Some(BigInt::clone(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::value::equal;
    use crate::program::ArithmeticKind::{Integer, Rational};

    #[test]
    fn integers_grow_and_shrink_back() {
        let max = Value::Int(i64::MAX);
        let more = binary(BinaryOperation::Add(Integer), &max, &Value::Int(1)).unwrap();
        assert!(matches!(more, Value::Big(_)));
        let back = binary(BinaryOperation::Subtract(Integer), &more, &Value::Int(1)).unwrap();
        assert!(equal(&back, &max));
        let least = Value::Int(i64::MIN);
        let negated = unary(UnaryOperation::Negate(Integer), &least).unwrap();
        assert!(equal(&negated, &more));
        let divided = binary(BinaryOperation::Divide(Integer), &least, &Value::Int(-1)).unwrap();
        assert!(equal(&divided, &more));
    }

    #[test]
    fn remainders_take_the_sign_of_the_dividend() {
        let rest = |a: &Value, b: i64| {
            binary(BinaryOperation::Remainder(Rational), a, &Value::Int(b)).unwrap()
        };
        assert!(equal(&rest(&Value::Int(-7), 3), &Value::Int(-1)));
        let divide = |a, b| {
            binary(BinaryOperation::Divide(Integer), &Value::Int(a), &Value::Int(b)).unwrap()
        };
        assert!(equal(&rest(&divide(5, 3), 1), &divide(2, 3)));
        assert!(equal(&rest(&divide(-5, 3), 1), &divide(-2, 3)));
        let zero = binary(BinaryOperation::Remainder(Integer), &Value::Int(1), &Value::Int(0));
        assert!(matches!(zero, Err(Value::Atom(ConstructorId::DIVISION_BY_ZERO))));
    }
}
