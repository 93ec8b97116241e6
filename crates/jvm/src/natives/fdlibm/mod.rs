//! The mathematical functions of `StrictMath` that are native in the JDK.
//!
//! Java prescribes their results to the last bit: those of Sun's *Freely Distributable Math Library*,
//! release 5.3, by K. C. Ng. The functions of `Math` that no processor has an instruction for (inverse
//! and hyperbolic ones, `atan2`, `expm1`, `log1p`) are the same functions. So the library of the
//! platform, which is as exact but rounds other arguments the other way, is no substitute for them.
//!
//! Each function reduces its argument to a small interval, where a polynomial or a quotient of two
//! approximates it, and puts the result together such that the rounding errors of the large part are known
//! and made good. What is added in which order is part of the result: nothing here may be regrouped.
//!
//! `tests/ordinary/StrictFunctions.java` compares thousands of results with those of the JVM.

mod angles;
mod exponents;

pub(super) use angles::{acos, asin, atan, atan2, cos, sin, tan};
pub(super) use exponents::{cosh, expm1, log, log1p, log10, sinh, tanh};

const SIZE_BITS: i32 = 0x7fff_ffff;

/// The upper half of the bits: sign, exponent and the first digits.
fn high(x: f64) -> i32 {
    (x.to_bits() >> 32) as i32
}

fn with_high(x: f64, high: i32) -> f64 {
    f64::from_bits(u64::from(high as u32) << 32 | x.to_bits() & 0xffff_ffff)
}

fn without_low(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !0xffff_ffff)
}

/// A power of two times a number, for results that are normal or exact.
fn scale(x: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    x * 2f64.powi(half) * 2f64.powi(exponent - half)
}

/// A polynomial, from the constant on.
fn polynomial(x: f64, coefficients: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (place, coefficient) in coefficients.iter().rev().enumerate() {
        sum = if place == 0 { *coefficient } else { coefficient + x * sum };
    }
    sum
}

/// The remainder with the quotient rounded to the nearest, to even in the middle.
pub(super) fn ieee_remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    let size = y.abs();
    // Twice the divisor, so that an even quotient is taken off.
    let mut rest = if size <= f64::MAX / 2.0 { (x % (size + size)).abs() } else { x.abs() };
    if size < 2.0 * f64::MIN_POSITIVE {
        if rest + rest > size {
            rest -= size;
            if rest + rest >= size {
                rest -= size;
            }
        }
    } else {
        let half = 0.5 * size;
        if rest > half {
            rest -= size;
            if rest >= half {
                rest -= size;
            }
        }
    }
    if x.is_sign_negative() { -rest } else { rest }
}
