//! The functions that ABS itself cannot express.
//!
//! Those that look beyond their arguments (the clock, the log, input, free choices) are effects of
//! the step and not here.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::FromPrimitive;

use crate::program::{ArithmeticKind, BinaryOperation, Builtin};

use super::evaluate::Stack;
use super::number::{self, Computed, DIVISION_BY_ZERO, NO_MATCH};
use super::show;
use super::universe::Universe;
use super::value::{Value, compare};

/// Whether a builtin depends on more than its arguments.
pub(crate) fn is_effect(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::Random
            | Builtin::PrintLine
            | Builtin::Print
            | Builtin::ReadLine
            | Builtin::Clock
            | Builtin::HostMilliseconds
            | Builtin::Deadline
            | Builtin::ThisComponent
    )
}

/// Computes a builtin that depends on its arguments only. What [costs](cost) more than the work that is left, or needs
/// more memory than there is, is not computed to its end: the step ends with it.
pub(crate) fn compute(
    universe: &Universe<'_>,
    builtin: Builtin,
    arguments: &[Value],
    stack: Option<&Stack>,
) -> Computed {
    match (builtin, arguments) {
        (Builtin::Max, [a, b]) => {
            Ok(if compare(universe, a, b).is_lt() { b.clone() } else { a.clone() })
        }
        (Builtin::Min, [a, b]) => {
            Ok(if compare(universe, a, b).is_gt() { b.clone() } else { a.clone() })
        }
        (Builtin::Abs, [Value::Float(number)]) => Ok(Value::Float(number.abs())),
        (Builtin::Abs, [number]) => {
            if compare(universe, number, &Value::Int(0)).is_lt() {
                let minus = BinaryOperation::Subtract(ArithmeticKind::Rational);
                number::binary(minus, &Value::Int(0), number)
            } else {
                Ok(number.clone())
            }
        }
        (Builtin::SquareRoot, [Value::Float(number)]) => Ok(Value::Float(number.sqrt())),
        (Builtin::Logarithm, [Value::Float(number)]) => Ok(Value::Float(number.ln())),
        (Builtin::Exponential, [Value::Float(number)]) => Ok(Value::Float(number.exp())),
        (Builtin::Truncate, [number]) => number::truncate(number),
        (Builtin::ToFloat, [number]) => number::to_float(number),
        (Builtin::ToRational, [Value::Float(number)]) => {
            BigRational::from_float(*number).map(Value::rational).ok_or(DIVISION_BY_ZERO)
        }
        (Builtin::Floor, [Value::Float(number)]) => whole(number.floor()),
        (Builtin::Ceiling, [Value::Float(number)]) => whole(number.ceil()),
        (Builtin::Numerator, [Value::Rational(number)]) => {
            Ok(Value::integer(number.numer().clone()))
        }
        (Builtin::Denominator, [Value::Rational(number)]) => {
            Ok(Value::integer(number.denom().clone()))
        }
        (Builtin::Numerator, [number]) => Ok(number.clone()),
        (Builtin::Denominator, [_]) => Ok(Value::Int(1)),
        (Builtin::ToString, [value]) => Ok(Value::text(show::to_string(universe, value, stack))),
        (Builtin::Substring, [Value::Text(text), Value::Int(start), Value::Int(length)]) => {
            substring(text, *start, *length)
        }
        (Builtin::StringLength, [Value::Text(text)]) => Ok(Value::Int(text.chars().count() as i64)),
        _ => Err(NO_MATCH),
    }
}

/// What a builtin that was computed has cost beyond the usual, in jumps: texts can be long.
pub(crate) fn cost(arguments: &[Value], result: &Value) -> u64 {
    let length = |value: &Value| match value {
        Value::Text(text) => text.len() as u64,
        _ => 0,
    };
    length(result) + arguments.iter().map(length).sum::<u64>() / 16
}

fn whole(number: f64) -> Computed {
    BigInt::from_f64(number).map(Value::integer).ok_or(DIVISION_BY_ZERO)
}

fn substring(text: &str, start: i64, length: i64) -> Computed {
    let (Ok(start), Ok(length)) = (usize::try_from(start), usize::try_from(length)) else {
        return Err(NO_MATCH);
    };
    let part: String = text.chars().skip(start).take(length).collect();
    let fits = part.chars().count() == length && start <= text.chars().count();
    if fits { Ok(Value::text(part)) } else { Err(NO_MATCH) }
}
