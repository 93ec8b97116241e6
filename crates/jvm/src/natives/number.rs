//! Bits of floating-point numbers and the native functions of `Math` and `StrictMath`.

use super::{Native, Reason, Reply, fdlibm, local, word};
use crate::machine::{Machine, Trap};

const MATH: &str = "java/lang/StrictMath";
/// Functions that the JVM computes with the processor's own precision and not with `StrictMath`.
const FAST: &str = "java/lang/Math";

pub(super) static NATIVES: &[Native] = &[
    local(Reason::Computes, "java/lang/Float", "floatToRawIntBits", "*", same),
    local(Reason::Computes, "java/lang/Float", "intBitsToFloat", "*", same),
    local(Reason::Computes, "java/lang/Double", "doubleToRawLongBits", "*", same),
    local(Reason::Computes, "java/lang/Double", "longBitsToDouble", "*", same),
    local(Reason::Computes, MATH, "sin", "(D)D", |_, arguments| function(arguments, fdlibm::sin)),
    local(Reason::Computes, MATH, "cos", "(D)D", |_, arguments| function(arguments, fdlibm::cos)),
    local(Reason::Computes, MATH, "tan", "(D)D", |_, arguments| function(arguments, fdlibm::tan)),
    local(Reason::Computes, MATH, "asin", "(D)D", |_, arguments| function(arguments, fdlibm::asin)),
    local(Reason::Computes, MATH, "acos", "(D)D", |_, arguments| function(arguments, fdlibm::acos)),
    local(Reason::Computes, MATH, "atan", "(D)D", |_, arguments| function(arguments, fdlibm::atan)),
    local(Reason::Computes, MATH, "log", "(D)D", |_, arguments| function(arguments, fdlibm::log)),
    local(Reason::Computes, MATH, "log10", "(D)D", |_, arguments| {
        function(arguments, fdlibm::log10)
    }),
    local(Reason::Computes, MATH, "sqrt", "(D)D", |_, arguments| function(arguments, f64::sqrt)),
    local(Reason::Computes, MATH, "sinh", "(D)D", |_, arguments| function(arguments, fdlibm::sinh)),
    local(Reason::Computes, MATH, "cosh", "(D)D", |_, arguments| function(arguments, fdlibm::cosh)),
    local(Reason::Computes, MATH, "tanh", "(D)D", |_, arguments| function(arguments, fdlibm::tanh)),
    local(Reason::Computes, MATH, "expm1", "(D)D", |_, arguments| {
        function(arguments, fdlibm::expm1)
    }),
    local(Reason::Computes, MATH, "log1p", "(D)D", |_, arguments| {
        function(arguments, fdlibm::log1p)
    }),
    local(Reason::Computes, FAST, "sin", "(D)D", |_, arguments| function(arguments, f64::sin)),
    local(Reason::Computes, FAST, "cos", "(D)D", |_, arguments| function(arguments, f64::cos)),
    local(Reason::Computes, FAST, "tan", "(D)D", |_, arguments| function(arguments, f64::tan)),
    local(Reason::Computes, FAST, "exp", "(D)D", |_, arguments| function(arguments, f64::exp)),
    local(Reason::Computes, FAST, "log", "(D)D", |_, arguments| function(arguments, f64::ln)),
    local(Reason::Computes, FAST, "log10", "(D)D", |_, arguments| function(arguments, f64::log10)),
    local(Reason::Computes, FAST, "sqrt", "(D)D", |_, arguments| function(arguments, f64::sqrt)),
    local(Reason::Computes, FAST, "pow", "(DD)D", pow),
    local(Reason::Computes, MATH, "atan2", "(DD)D", atan2),
    local(Reason::Computes, MATH, "IEEEremainder", "(DD)D", remainder),
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
    Ok(Reply::Word(fdlibm::atan2(y, x).to_bits()))
}

fn remainder(_: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (x, y) = (f64::from_bits(word(arguments, 0)), f64::from_bits(word(arguments, 1)));
    Ok(Reply::Word(fdlibm::ieee_remainder(x, y).to_bits()))
}
