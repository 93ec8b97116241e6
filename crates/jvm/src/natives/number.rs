//! Bits of floating-point numbers and the functions of `StrictMath` that are native.

use super::{Native, Reason, Reply, local, word};
use crate::machine::{Machine, Trap};

const MATH: &str = "java/lang/StrictMath";
/// Functions that the JVM computes with the processor's own precision and not with `StrictMath`.
const FAST: &str = "java/lang/Math";

pub(super) static NATIVES: &[Native] = &[
    local(Reason::Computes, "java/lang/Float", "floatToRawIntBits", "*", same),
    local(Reason::Computes, "java/lang/Float", "intBitsToFloat", "*", same),
    local(Reason::Computes, "java/lang/Double", "doubleToRawLongBits", "*", same),
    local(Reason::Computes, "java/lang/Double", "longBitsToDouble", "*", same),
    local(Reason::Computes, MATH, "sin", "(D)D", |_, arguments| function(arguments, f64::sin)),
    local(Reason::Computes, MATH, "cos", "(D)D", |_, arguments| function(arguments, f64::cos)),
    local(Reason::Computes, MATH, "tan", "(D)D", |_, arguments| function(arguments, f64::tan)),
    local(Reason::Computes, MATH, "asin", "(D)D", |_, arguments| function(arguments, f64::asin)),
    local(Reason::Computes, MATH, "acos", "(D)D", |_, arguments| function(arguments, f64::acos)),
    local(Reason::Computes, MATH, "atan", "(D)D", |_, arguments| function(arguments, f64::atan)),
    local(Reason::Computes, MATH, "log", "(D)D", |_, arguments| function(arguments, f64::ln)),
    local(Reason::Computes, MATH, "log10", "(D)D", |_, arguments| function(arguments, f64::log10)),
    local(Reason::Computes, MATH, "sqrt", "(D)D", |_, arguments| function(arguments, f64::sqrt)),
    local(Reason::Computes, MATH, "sinh", "(D)D", |_, arguments| {
        function(arguments, hyperbolic::sinh)
    }),
    local(Reason::Computes, MATH, "cosh", "(D)D", |_, arguments| {
        function(arguments, hyperbolic::cosh)
    }),
    local(Reason::Computes, MATH, "tanh", "(D)D", |_, arguments| {
        function(arguments, hyperbolic::tanh)
    }),
    local(Reason::Computes, MATH, "expm1", "(D)D", |_, arguments| function(arguments, f64::exp_m1)),
    local(Reason::Computes, MATH, "log1p", "(D)D", |_, arguments| function(arguments, f64::ln_1p)),
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

/// The functions of `fdlibm`, whose results Java prescribes to the last digit.
mod hyperbolic {
    const LARGEST_EXPONENT: f64 = 709.782_712_893_384;

    /// e to the x, for x between a third and 710: the argument is reduced by a multiple of ln 2, and
    /// a rational function does the rest.
    fn exp(x: f64) -> f64 {
        const HIGH_LN2: f64 = 6.931_471_803_691_238e-1;
        const LOW_LN2: f64 = 1.908_214_929_270_587_7e-10;
        const P: [f64; 5] = [
            1.666_666_666_666_660_2e-1,
            -2.777_777_777_701_559_3e-3,
            6.613_756_321_437_934e-5,
            -1.653_390_220_546_525_2e-6,
            4.138_136_797_057_238_5e-8,
        ];
        let multiple = if x < 1.5 * std::f64::consts::LN_2 {
            1.0
        } else {
            (std::f64::consts::LOG2_E * x + 0.5).trunc()
        };
        let (high, low) = (x - multiple * HIGH_LN2, multiple * LOW_LN2);
        let rest = high - low;
        let t = rest * rest;
        let c = rest - t * (P[0] + t * (P[1] + t * (P[2] + t * (P[3] + t * P[4]))));
        let y = 1.0 - ((low - rest * c / (2.0 - c)) - high);
        // Two factors, because the largest power does not fit into one.
        y * 2f64.powi(multiple as i32 - 1) * 2.0
    }

    /// Half of e to the x, which overflows only if the result does.
    fn half_exp(x: f64) -> f64 {
        if x.is_nan() || x > 711.0 {
            return x + f64::INFINITY;
        }
        if x <= LARGEST_EXPONENT {
            return 0.5 * exp(x);
        }
        let root = exp(0.5 * x);
        0.5 * root * root
    }

    pub(super) fn cosh(x: f64) -> f64 {
        let size = x.abs();
        if size < 0.5 * std::f64::consts::LN_2 {
            let (t, w) = (size.exp_m1(), 1.0 + size.exp_m1());
            return if size < 2f64.powi(-55) { w } else { 1.0 + t * t / (w + w) };
        }
        if size < 22.0 {
            let t = exp(size);
            return 0.5 * t + 0.5 / t;
        }
        half_exp(size)
    }

    pub(super) fn sinh(x: f64) -> f64 {
        let (size, half) = (x.abs(), 0.5f64.copysign(x));
        if size < 2f64.powi(-28) || x.is_nan() {
            return x;
        }
        if size < 22.0 {
            let t = size.exp_m1();
            let sum = if size < 1.0 { 2.0 * t - t * t / (t + 1.0) } else { t + t / (t + 1.0) };
            return half * sum;
        }
        half_exp(size).copysign(x)
    }

    pub(super) fn tanh(x: f64) -> f64 {
        let size = x.abs();
        if size < 2f64.powi(-55) || x.is_nan() {
            return x;
        }
        let result = if size >= 22.0 {
            1.0
        } else if size >= 1.0 {
            1.0 - 2.0 / ((2.0 * size).exp_m1() + 2.0)
        } else {
            let t = (-2.0 * size).exp_m1();
            -t / (t + 2.0)
        };
        result.copysign(x)
    }
}

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
