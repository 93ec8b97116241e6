//! Logarithms, exponential and hyperbolic functions.

use std::f64::consts::{LN_2, LOG2_E, LOG10_E};

use super::{SIZE_BITS, high, polynomial, with_high};

const TWO_54: f64 = 18_014_398_509_481_984.0;
const HIGH_LN2: f64 = 0.693_147_180_369_123_8;
const LOW_LN2: f64 = 1.908_214_929_270_587_7e-10;

const LOGARITHM: [f64; 7] = [
    0.666_666_666_666_673_5,
    0.399_999_999_994_094_2,
    0.285_714_287_436_623_9,
    0.222_221_984_321_497_84,
    0.181_835_721_616_180_5,
    0.153_138_376_992_093_73,
    0.147_981_986_051_165_86,
];

/// The logarithm where no approximation is needed, or a normal number and the exponent taken off it.
fn normalised(x: f64) -> Result<(f64, i32), f64> {
    if x.is_nan() || x == f64::INFINITY {
        return Err(x);
    }
    if x == 0.0 {
        return Err(f64::NEG_INFINITY);
    }
    if x < 0.0 {
        return Err(f64::NAN);
    }
    Ok(if high(x) < 0x0010_0000 { (x * TWO_54, -54) } else { (x, 0) })
}

pub(in super::super) fn log(x: f64) -> f64 {
    const L: [f64; 7] = LOGARITHM;
    let (x, mut k) = match normalised(x) {
        Ok(number) => number,
        Err(result) => return result,
    };
    k += (high(x) >> 20) - 1023;
    let top = high(x) & 0x000f_ffff;
    let i = (top + 0x9_5f64) & 0x10_0000;
    k += i >> 20;
    let f = with_high(x, top | (i ^ 0x3ff0_0000)) - 1.0;
    let exponent = f64::from(k);
    if 0x000f_ffff & (2 + top) < 3 {
        if f == 0.0 {
            return if k == 0 { 0.0 } else { exponent * HIGH_LN2 + exponent * LOW_LN2 };
        }
        let r = f * f * (0.5 - 0.333_333_333_333_333_3 * f);
        return match k {
            0 => f - r,
            _ => exponent * HIGH_LN2 - ((r - exponent * LOW_LN2) - f),
        };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let t1 = w * polynomial(w, &[L[1], L[3], L[5]]);
    let t2 = z * polynomial(w, &[L[0], L[2], L[4], L[6]]);
    let r = t2 + t1;
    if (top - 0x6_147a) | (0x6_b851 - top) > 0 {
        let half = 0.5 * f * f;
        match k {
            0 => f - (half - s * (half + r)),
            _ => exponent * HIGH_LN2 - ((half - (s * (half + r) + exponent * LOW_LN2)) - f),
        }
    } else {
        match k {
            0 => f - s * (f - r),
            _ => exponent * HIGH_LN2 - ((s * (f - r) - exponent * LOW_LN2) - f),
        }
    }
}

pub(in super::super) fn log10(x: f64) -> f64 {
    const HIGH_LOG10_2: f64 = 0.301_029_995_663_611_77;
    const LOW_LOG10_2: f64 = 3.694_239_077_158_931e-13;
    let (x, mut k) = match normalised(x) {
        Ok(number) => number,
        Err(result) => return result,
    };
    k += (high(x) >> 20) - 1023;
    let negative = i32::from(k < 0);
    let mantissa = with_high(x, high(x) & 0x000f_ffff | (0x3ff - negative) << 20);
    let y = f64::from(k + negative);
    let z = y * LOW_LOG10_2 + LOG10_E * log(mantissa);
    z + y * HIGH_LOG10_2
}

pub(in super::super) fn log1p(x: f64) -> f64 {
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x <= -1.0 {
        return if x == -1.0 { f64::NEG_INFINITY } else { f64::NAN };
    }
    let top = high(x);
    let size = top & SIZE_BITS;
    let (mut k, mut f, mut digits, mut c) = (1, 0.0, 1, 0.0);
    if top < 0x3fda_827a {
        if size < 0x3e20_0000 {
            return if size < 0x3c90_0000 { x } else { x - x * x * 0.5 };
        }
        if top > 0 || top <= 0xbfd2_bec3_u32 as i32 {
            (k, f) = (0, x);
        }
    }
    if k != 0 {
        let u = if top < 0x4340_0000 { 1.0 + x } else { x };
        k = (high(u) >> 20) - 1023;
        if top < 0x4340_0000 {
            c = if k > 0 { 1.0 - (u - x) } else { x - (u - 1.0) };
            c /= u;
        }
        digits = high(u) & 0x000f_ffff;
        let reduced = if digits < 0x6_a09e {
            with_high(u, digits | 0x3ff0_0000)
        } else {
            k += 1;
            let reduced = with_high(u, digits | 0x3fe0_0000);
            digits = (0x0010_0000 - digits) >> 2;
            reduced
        };
        f = reduced - 1.0;
    }
    let exponent = f64::from(k);
    let half = 0.5 * f * f;
    if digits == 0 {
        if f == 0.0 {
            return if k == 0 { 0.0 } else { exponent * HIGH_LN2 + (c + exponent * LOW_LN2) };
        }
        let r = half * (1.0 - 0.666_666_666_666_666_6 * f);
        return match k {
            0 => f - r,
            _ => exponent * HIGH_LN2 - ((r - (exponent * LOW_LN2 + c)) - f),
        };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let r = z * polynomial(z, &LOGARITHM);
    match k {
        0 => f - (half - s * (half + r)),
        _ => exponent * HIGH_LN2 - ((half - (s * (half + r) + (exponent * LOW_LN2 + c))) - f),
    }
}

pub(in super::super) fn expm1(mut x: f64) -> f64 {
    const Q: [f64; 6] = [
        1.0,
        -0.033_333_333_333_333_13,
        0.001_587_301_587_254_814_6,
        -7.936_507_578_674_88e-05,
        4.008_217_827_329_362e-06,
        -2.010_992_181_836_243_7e-07,
    ];
    let size = high(x) & SIZE_BITS;
    let negative = x.is_sign_negative();
    if x.is_nan() {
        return x;
    }
    if size >= 0x4043_687a {
        if negative {
            return -1.0;
        }
        if x > 709.782_712_893_384 {
            return f64::INFINITY;
        }
    }
    let (mut k, mut c) = (0, 0.0);
    if size > 0x3fd6_2e42 {
        k = match (size < 0x3ff0_a2b2, negative) {
            (true, false) => 1,
            (true, true) => -1,
            (false, _) => (LOG2_E * x + if negative { -0.5 } else { 0.5 }) as i32,
        };
        let t = f64::from(k);
        let (high, low) = (x - t * HIGH_LN2, t * LOW_LN2);
        x = high - low;
        c = (high - x) - low;
    } else if size < 0x3c90_0000 {
        return x;
    }
    let half = 0.5 * x;
    let square = x * half;
    let r = polynomial(square, &Q);
    let t = 3.0 - r * half;
    let mut e = square * ((r - t) / (6.0 - x * t));
    if k == 0 {
        return x - (x * e - square);
    }
    e = x * (e - c) - c;
    e -= square;
    let doubled = |y: f64| with_high(y, high(y).wrapping_add(k << 20));
    match k {
        -1 => 0.5 * (x - e) - 0.5,
        1 if x < -0.25 => -2.0 * (e - (x + 0.5)),
        1 => 1.0 + 2.0 * (x - e),
        2..20 => doubled(with_high(1.0, 0x3ff0_0000 - (0x20_0000 >> k)) - (e - x)),
        20..=56 => doubled((x - (e + with_high(1.0, (0x3ff - k) << 20))) + 1.0),
        _ => doubled(1.0 - (e - x)) - 1.0,
    }
}

const LARGEST_EXPONENT: f64 = 709.782_712_893_384;

/// e to the x, for x between a third and 710: the argument is reduced by a multiple of ln 2, and
/// a rational function does the rest.
fn exp(x: f64) -> f64 {
    const P: [f64; 5] = [
        1.666_666_666_666_660_2e-1,
        -2.777_777_777_701_559_3e-3,
        6.613_756_321_437_934e-5,
        -1.653_390_220_546_525_2e-6,
        4.138_136_797_057_238_5e-8,
    ];
    let multiple = if x < 1.5 * LN_2 { 1.0 } else { (LOG2_E * x + 0.5).trunc() };
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

pub(in super::super) fn cosh(x: f64) -> f64 {
    let size = x.abs();
    if size < 0.5 * LN_2 {
        let (t, w) = (expm1(size), 1.0 + expm1(size));
        return if size < 2f64.powi(-55) { w } else { 1.0 + t * t / (w + w) };
    }
    if size < 22.0 {
        let t = exp(size);
        return 0.5 * t + 0.5 / t;
    }
    half_exp(size)
}

pub(in super::super) fn sinh(x: f64) -> f64 {
    let (size, half) = (x.abs(), 0.5f64.copysign(x));
    if size < 2f64.powi(-28) || x.is_nan() {
        return x;
    }
    if size < 22.0 {
        let t = expm1(size);
        let sum = if size < 1.0 { 2.0 * t - t * t / (t + 1.0) } else { t + t / (t + 1.0) };
        return half * sum;
    }
    half_exp(size).copysign(x)
}

pub(in super::super) fn tanh(x: f64) -> f64 {
    let size = x.abs();
    if size < 2f64.powi(-55) || x.is_nan() {
        return x;
    }
    let result = if size >= 22.0 {
        1.0
    } else if size >= 1.0 {
        1.0 - 2.0 / (expm1(2.0 * size) + 2.0)
    } else {
        let t = expm1(-2.0 * size);
        -t / (t + 2.0)
    };
    result.copysign(x)
}
