//! Bits of floating-point numbers and the functions of `StrictMath` that are native.

use super::{Native, Reply, local, word};
use crate::machine::{Machine, Trap};

const MATH: &str = "java/lang/StrictMath";
/// Functions that the JVM computes with the processor's own precision and not with `StrictMath`.
const FAST: &str = "java/lang/Math";

pub(super) static NATIVES: &[Native] = &[
    local("java/lang/Float", "floatToRawIntBits", "*", same),
    local("java/lang/Float", "intBitsToFloat", "*", same),
    local("java/lang/Double", "doubleToRawLongBits", "*", same),
    local("java/lang/Double", "longBitsToDouble", "*", same),
    local(MATH, "sin", "(D)D", |_, arguments| function(arguments, f64::sin)),
    local(MATH, "cos", "(D)D", |_, arguments| function(arguments, f64::cos)),
    local(MATH, "tan", "(D)D", |_, arguments| function(arguments, f64::tan)),
    local(MATH, "asin", "(D)D", |_, arguments| function(arguments, f64::asin)),
    local(MATH, "acos", "(D)D", |_, arguments| function(arguments, f64::acos)),
    local(MATH, "atan", "(D)D", |_, arguments| function(arguments, f64::atan)),
    local(MATH, "log", "(D)D", |_, arguments| function(arguments, f64::ln)),
    local(MATH, "log10", "(D)D", |_, arguments| function(arguments, f64::log10)),
    local(MATH, "sqrt", "(D)D", |_, arguments| function(arguments, f64::sqrt)),
    local(MATH, "sinh", "(D)D", |_, arguments| function(arguments, f64::sinh)),
    local(MATH, "cosh", "(D)D", |_, arguments| function(arguments, f64::cosh)),
    local(MATH, "tanh", "(D)D", |_, arguments| function(arguments, f64::tanh)),
    local(MATH, "expm1", "(D)D", |_, arguments| function(arguments, f64::exp_m1)),
    local(MATH, "log1p", "(D)D", |_, arguments| function(arguments, f64::ln_1p)),
    local(FAST, "sin", "(D)D", |_, arguments| function(arguments, f64::sin)),
    local(FAST, "cos", "(D)D", |_, arguments| function(arguments, f64::cos)),
    local(FAST, "tan", "(D)D", |_, arguments| function(arguments, f64::tan)),
    local(FAST, "exp", "(D)D", |_, arguments| function(arguments, f64::exp)),
    local(FAST, "log", "(D)D", |_, arguments| function(arguments, f64::ln)),
    local(FAST, "log10", "(D)D", |_, arguments| function(arguments, f64::log10)),
    local(FAST, "sqrt", "(D)D", |_, arguments| function(arguments, f64::sqrt)),
    local(FAST, "pow", "(DD)D", pow),
    local(MATH, "atan2", "(DD)D", atan2),
    local(MATH, "IEEEremainder", "(DD)D", remainder),
];

/// The bits are the number.
fn same(_: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    Ok(Reply::Word(word(arguments, 0)))
}

fn function(arguments: &[u64], apply: fn(f64) -> f64) -> Result<Reply, Trap> {
    Ok(Reply::Word(apply(f64::from_bits(word(arguments, 0))).to_bits()))
}

fn pow(_: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (base, exponent) = (f64::from_bits(word(arguments, 0)), f64::from_bits(word(arguments, 1)));
    // Java's power of one to a NaN or infinity is a NaN.
    let undefined = exponent.is_nan() || base.abs() == 1.0 && exponent.is_infinite();
    let result = if undefined { f64::NAN } else { base.powf(exponent) };
    Ok(Reply::Word(result.to_bits()))
}

fn atan2(_: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (y, x) = (f64::from_bits(word(arguments, 0)), f64::from_bits(word(arguments, 1)));
    Ok(Reply::Word(y.atan2(x).to_bits()))
}

/// The remainder with the quotient rounded to the nearest, to even in the middle.
fn remainder(_: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (x, y) = (f64::from_bits(word(arguments, 0)), f64::from_bits(word(arguments, 1)));
    let result = if y.is_infinite() && x.is_finite() {
        x
    } else {
        let rest = x % y;
        let half = y.abs() / 2.0;
        let odd = (x / y).trunc() % 2.0 != 0.0;
        if rest.abs() > half || rest.abs() == half && odd {
            rest - y.abs().copysign(rest)
        } else {
            rest
        }
    };
    Ok(Reply::Word(result.to_bits()))
}
