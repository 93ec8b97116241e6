//! Sine, cosine, tangent, and their inverse functions.
//!
//! An angle is reduced to less than an eighth of a turn, as a number with a tail: with a right angle in three parts
//! where that is exact enough, and with as many digits of 2 / pi as matter for large angles (M. Payne and R. Hanek).

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};

use super::{SIZE_BITS, high, polynomial, scale, with_high, without_low};

const INFINITE: i32 = 0x7ff0_0000;
const TWO_24: f64 = 16_777_216.0;
const LOW_PI: f64 = 1.224_646_799_147_353_2e-16;
const LOW_PI_2: f64 = 6.123_233_995_736_766e-17;

/// The sine of x + y, for a small x and its tail.
fn small_sin(x: f64, y: f64, has_tail: bool) -> f64 {
    const S: [f64; 6] = [
        -0.166_666_666_666_666_32,
        0.008_333_333_333_322_49,
        -0.000_198_412_698_298_579_5,
        2.755_731_370_707_006_8e-06,
        -2.505_076_025_340_686_3e-08,
        1.589_690_995_211_55e-10,
    ];
    if high(x) & SIZE_BITS < 0x3e40_0000 {
        return x;
    }
    let z = x * x;
    let v = z * x;
    let r = polynomial(z, &S[1..]);
    match has_tail {
        false => x + v * (S[0] + z * r),
        true => x - ((z * (0.5 * y - v * r) - y) - v * S[0]),
    }
}

fn small_cos(x: f64, y: f64) -> f64 {
    const C: [f64; 6] = [
        0.041_666_666_666_666_6,
        -0.001_388_888_888_887_411,
        2.480_158_728_947_673e-05,
        -2.755_731_435_139_066_3e-07,
        2.087_572_321_298_175e-09,
        -1.135_964_755_778_819_5e-11,
    ];
    let size = high(x) & SIZE_BITS;
    if size < 0x3e40_0000 {
        return 1.0;
    }
    let z = x * x;
    let r = z * polynomial(z, &C);
    if size < 0x3fd3_3333 {
        return 1.0 - (0.5 * z - (z * r - x * y));
    }
    let quarter = if size > 0x3fe9_0000 { 0.28125 } else { with_high(0.0, size - 0x0020_0000) };
    let half = 0.5 * z - quarter;
    (1.0 - quarter) - (half - (z * r - x * y))
}

/// The tangent of x + y, or -1 divided by it.
fn small_tan(mut x: f64, mut y: f64, inverse: bool) -> f64 {
    const LOW_PI_4: f64 = 3.061_616_997_868_383e-17;
    const T: [f64; 13] = [
        0.333_333_333_333_334_1,
        0.133_333_333_333_201_24,
        0.053_968_253_976_226_05,
        0.021_869_488_294_859_542,
        0.008_863_239_823_599_3,
        0.003_592_079_107_591_312_4,
        0.001_456_209_454_325_290_3,
        0.000_588_041_240_820_264_1,
        0.000_246_463_134_818_469_9,
        7.817_944_429_395_571e-05,
        7.140_724_913_826_082e-05,
        -1.855_863_748_552_754_6e-05,
        2.590_730_518_636_337e-05,
    ];
    /// -1 / w, where w is a sum of which the second part is `rest` beside the first.
    fn negated_inverse(w: f64, first: f64, rest: f64) -> f64 {
        let z = without_low(w);
        let v = rest - (z - first);
        let a = -1.0 / w;
        let t = without_low(a);
        let s = 1.0 + t * z;
        t + a * (s + t * v)
    }
    let top = high(x);
    let size = top & SIZE_BITS;
    if size < 0x3e30_0000 {
        return match (inverse, x == 0.0) {
            (false, _) => x,
            (true, true) => 1.0 / x.abs(),
            (true, false) => negated_inverse(x + y, x, y),
        };
    }
    let large = size >= 0x3fe5_9428;
    if large {
        if top < 0 {
            (x, y) = (-x, -y);
        }
        let (z, w) = (FRAC_PI_4 - x, LOW_PI_4 - y);
        (x, y) = (z + w, 0.0);
    }
    let z = x * x;
    let w = z * z;
    let r = polynomial(w, &[T[1], T[3], T[5], T[7], T[9], T[11]]);
    let v = z * polynomial(w, &[T[2], T[4], T[6], T[8], T[10], T[12]]);
    let s = z * x;
    let mut r = y + z * (s * (r + v) + y);
    r += T[0] * s;
    let w = x + r;
    if large {
        let v = if inverse { -1.0 } else { 1.0 };
        let sign = f64::from(1 - ((top >> 30) & 2));
        return sign * (v - 2.0 * (x - (w * w / (w + v) - r)));
    }
    if inverse { negated_inverse(w, x, r) } else { w }
}

/// The quadrant of an angle, and what remains of it as a number with a tail.
fn remainder_of_quadrants(x: f64) -> (i32, f64, f64) {
    const FIRST: f64 = 1.570_796_326_734_125_6;
    const FIRST_TAIL: f64 = 6.077_100_506_506_192e-11;
    const SECOND: f64 = 6.077_100_506_303_966e-11;
    const SECOND_TAIL: f64 = 2.022_266_248_795_950_6e-21;
    const THIRD: f64 = 2.022_266_248_711_166_5e-21;
    const THIRD_TAIL: f64 = 8.478_427_660_368_9e-32;
    let top = high(x);
    let size = top & SIZE_BITS;
    let sign = if top < 0 { -1.0 } else { 1.0 };
    let signed = |n: i32, first: f64, tail: f64| match top < 0 {
        true => (-n, -first, -tail),
        false => (n, first, tail),
    };
    if size < 0x4002_d97c {
        let mut z = x * sign - FIRST;
        let mut tail = FIRST_TAIL;
        if size == 0x3ff9_21fb {
            // Close to a right angle 33 more bits are needed.
            z -= SECOND;
            tail = SECOND_TAIL;
        }
        let first = z - tail;
        return signed(1, first, (z - first) - tail);
    }
    if size <= 0x4139_21fb {
        let t = x.abs();
        let n = (t * FRAC_2_PI + 0.5) as i32;
        let number = f64::from(n);
        let mut r = t - number * FIRST;
        let mut w = number * FIRST_TAIL;
        let mut first = r - w;
        if n >= 32 || size == high(number * FRAC_PI_2) {
            let lost = |first: f64| (size >> 20) - ((high(first) >> 20) & 0x7ff);
            let parts = [(16, SECOND, SECOND_TAIL), (49, THIRD, THIRD_TAIL)];
            for (limit, part, tail) in parts {
                if lost(first) <= limit {
                    break;
                }
                let t = r;
                w = number * part;
                r = t - w;
                w = number * tail - ((t - r) - w);
                first = r - w;
            }
        }
        return signed(n, first, (r - first) - w);
    }
    // In base 2^24, for a product with as many digits of 2 / pi as matter.
    let exponent = (size >> 20) - 1046;
    let mut z = with_high(x, size - (exponent << 20));
    let mut digits = [0.0; 3];
    for digit in &mut digits[..2] {
        *digit = z.trunc();
        z = (z - *digit) * TWO_24;
    }
    digits[2] = z;
    let count = 1 + digits.iter().rposition(|digit| *digit != 0.0).unwrap_or(0);
    let (n, first, tail) = remainder_of_digits(&digits[..count], exponent);
    signed(n, first, tail)
}

/// The same for a number in base 2^24 with this exponent of its first digit.
fn remainder_of_digits(x: &[f64], exponent: i32) -> (i32, f64, f64) {
    const HALF_PI: [f64; 8] = [
        1.570_796_251_296_997,
        7.549_789_415_861_596e-08,
        5.390_302_529_957_765e-15,
        3.282_003_415_807_913e-22,
        1.270_655_753_080_676e-29,
        1.229_333_089_811_113_3e-36,
        2.733_700_538_164_645_6e-44,
        2.167_416_838_778_048_2e-51,
    ];
    /// Digits that the product has at first.
    const AT_FIRST: usize = 4;
    let last = x.len() - 1;
    let skipped = ((exponent - 3) / 24).max(0);
    let mut q0 = exponent - 24 * (skipped + 1);
    let digit = |at: i32| usize::try_from(at).map_or(0.0, |at| f64::from(TWO_OVER_PI[at]));
    let product = |i: usize| {
        let mut sum = 0.0;
        for (j, factor) in x.iter().enumerate() {
            sum += factor * digit(skipped - last as i32 + (last + i - j) as i32);
        }
        sum
    };
    let mut q = [0.0; 20];
    let mut digits = [0i32; 20];
    for (i, q) in q.iter_mut().enumerate().take(AT_FIRST + 1) {
        *q = product(i);
    }
    let mut jz = AT_FIRST;
    let (mut n, mut z, mut rounded);
    loop {
        z = q[jz];
        for (i, j) in (1..=jz).rev().enumerate() {
            let carried = f64::from((z / TWO_24) as i32);
            digits[i] = (z - TWO_24 * carried) as i32;
            z = q[j - 1] + carried;
        }
        z = scale(z, q0);
        z -= 8.0 * (z * 0.125).floor();
        n = z as i32;
        z -= f64::from(n);
        rounded = 0;
        if q0 > 0 {
            let i = digits[jz - 1] >> (24 - q0);
            n += i;
            digits[jz - 1] -= i << (24 - q0);
            rounded = digits[jz - 1] >> (23 - q0);
        } else if q0 == 0 {
            rounded = digits[jz - 1] >> 23;
        } else if z >= 0.5 {
            rounded = 2;
        }
        if rounded > 0 {
            n += 1;
            let mut carry = false;
            for digit in &mut digits[..jz] {
                if carry {
                    *digit = 0xff_ffff - *digit;
                } else if *digit != 0 {
                    carry = true;
                    *digit = 0x100_0000 - *digit;
                }
            }
            match q0 {
                1 => digits[jz - 1] &= 0x7f_ffff,
                2 => digits[jz - 1] &= 0x3f_ffff,
                _ => {}
            }
            if rounded == 2 {
                z = 1.0 - z;
                if carry {
                    z -= scale(1.0, q0);
                }
            }
        }
        if z != 0.0 || digits[AT_FIRST..jz].iter().any(|digit| *digit != 0) {
            break;
        }
        let more = (1..=AT_FIRST).find(|k| digits[AT_FIRST - k] != 0).unwrap_or(AT_FIRST);
        for (i, q) in q.iter_mut().enumerate().take(jz + more + 1).skip(jz + 1) {
            *q = product(i);
        }
        jz += more;
    }
    if z == 0.0 {
        jz -= 1;
        q0 -= 24;
        while digits[jz] == 0 {
            jz -= 1;
            q0 -= 24;
        }
    } else {
        z = scale(z, -q0);
        if z >= TWO_24 {
            let carried = f64::from((z / TWO_24) as i32);
            digits[jz] = (z - TWO_24 * carried) as i32;
            jz += 1;
            q0 += 24;
            digits[jz] = carried as i32;
        } else {
            digits[jz] = z as i32;
        }
    }
    let mut unit = scale(1.0, q0);
    for i in (0..=jz).rev() {
        q[i] = unit * f64::from(digits[i]);
        unit /= TWO_24;
    }
    let mut parts = [0.0; 20];
    for i in (0..=jz).rev() {
        let mut sum = 0.0;
        for k in 0..=AT_FIRST.min(jz - i) {
            sum += HALF_PI[k] * q[i + k];
        }
        parts[jz - i] = sum;
    }
    let first = parts[..=jz].iter().rev().fold(0.0, |sum, part| sum + part);
    let tail = parts[1..=jz].iter().fold(parts[0] - first, |sum, part| sum + part);
    match rounded {
        0 => (n & 7, first, tail),
        _ => (n & 7, -first, -tail),
    }
}

/// 2 / pi in base 2^24.
const TWO_OVER_PI: [i32; 66] = [
    0xa2_f983, 0x6e_4e44, 0x15_29fc, 0x27_57d1, 0xf5_34dd, 0xc0_db62, 0x95_993c, 0x43_9041,
    0xfe_5163, 0xab_debb, 0xc5_61b7, 0x24_6e3a, 0x42_4dd2, 0xe0_0649, 0x2e_ea09, 0xd1_921c,
    0xfe_1deb, 0x1c_b129, 0xa7_3ee8, 0x82_35f5, 0x2e_bb44, 0x84_e99c, 0x70_26b4, 0x5f_7e41,
    0x39_91d6, 0x39_8353, 0x39_f49c, 0x84_5f8b, 0xbd_f928, 0x3b_1ff8, 0x97_ffde, 0x05_980f,
    0xef_2f11, 0x8b_5a0a, 0x6d_1f6d, 0x36_7ecf, 0x27_cb09, 0xb7_4f46, 0x3f_669e, 0x5f_ea2d,
    0x75_27ba, 0xc7_ebe5, 0xf1_7b3d, 0x07_39f7, 0x8a_5292, 0xea_6bfb, 0x5f_b11f, 0x8d_5d08,
    0x56_0330, 0x46_fc7b, 0x6b_abf0, 0xcf_bc20, 0x9a_f436, 0x1d_a9e3, 0x91_615e, 0xe6_1b08,
    0x65_9985, 0x5f_14a0, 0x68_408d, 0xff_d880, 0x4d_7327, 0x31_0606, 0x15_56ca, 0x73_a8c9,
    0x60_e27b, 0xc0_8c6b,
];

pub(in super::super) fn sin(x: f64) -> f64 {
    let size = high(x) & SIZE_BITS;
    if size <= 0x3fe9_21fb {
        return small_sin(x, 0.0, false);
    }
    if size >= INFINITE {
        return f64::NAN;
    }
    let (n, first, tail) = remainder_of_quadrants(x);
    match n & 3 {
        0 => small_sin(first, tail, true),
        1 => small_cos(first, tail),
        2 => -small_sin(first, tail, true),
        _ => -small_cos(first, tail),
    }
}

pub(in super::super) fn cos(x: f64) -> f64 {
    let size = high(x) & SIZE_BITS;
    if size <= 0x3fe9_21fb {
        return small_cos(x, 0.0);
    }
    if size >= INFINITE {
        return f64::NAN;
    }
    let (n, first, tail) = remainder_of_quadrants(x);
    match n & 3 {
        0 => small_cos(first, tail),
        1 => -small_sin(first, tail, true),
        2 => -small_cos(first, tail),
        _ => small_sin(first, tail, true),
    }
}

pub(in super::super) fn tan(x: f64) -> f64 {
    let size = high(x) & SIZE_BITS;
    if size <= 0x3fe9_21fb {
        return small_tan(x, 0.0, false);
    }
    if size >= INFINITE {
        return f64::NAN;
    }
    let (n, first, tail) = remainder_of_quadrants(x);
    small_tan(first, tail, n & 1 == 1)
}

/// (arcsin(x) - x) / x, with the square of x given.
fn excess_of_asin(square: f64) -> f64 {
    const P: [f64; 6] = [
        0.166_666_666_666_666_66,
        -0.325_565_818_622_400_9,
        0.201_212_532_134_862_93,
        -0.040_055_534_500_679_41,
        0.000_791_534_994_289_814_5,
        3.479_331_075_960_212e-05,
    ];
    const Q: [f64; 5] = [
        1.0,
        -2.403_394_911_734_414,
        2.020_945_760_233_505_7,
        -0.688_283_971_605_453_3,
        0.077_038_150_555_901_94,
    ];
    square * polynomial(square, &P) / polynomial(square, &Q)
}

pub(in super::super) fn asin(x: f64) -> f64 {
    let size = high(x) & SIZE_BITS;
    if size >= 0x3ff0_0000 {
        return if x.abs() == 1.0 { x * FRAC_PI_2 + x * LOW_PI_2 } else { f64::NAN };
    }
    if size < 0x3fe0_0000 {
        return if size < 0x3e40_0000 { x } else { x + x * excess_of_asin(x * x) };
    }
    let t = (1.0 - x.abs()) * 0.5;
    let excess = excess_of_asin(t);
    let s = t.sqrt();
    let result = if size >= 0x3fef_3333 {
        FRAC_PI_2 - (2.0 * (s + s * excess) - LOW_PI_2)
    } else {
        let w = without_low(s);
        let c = (t - w * w) / (s + w);
        let p = 2.0 * s * excess - (LOW_PI_2 - 2.0 * c);
        let q = FRAC_PI_4 - 2.0 * w;
        FRAC_PI_4 - (p - q)
    };
    result.copysign(x)
}

pub(in super::super) fn acos(x: f64) -> f64 {
    let size = high(x) & SIZE_BITS;
    if size >= 0x3ff0_0000 {
        return match x {
            1.0 => 0.0,
            -1.0 => PI + 2.0 * LOW_PI_2,
            _ => f64::NAN,
        };
    }
    if size < 0x3fe0_0000 {
        if size <= 0x3c60_0000 {
            return FRAC_PI_2 + LOW_PI_2;
        }
        return FRAC_PI_2 - (x - (LOW_PI_2 - x * excess_of_asin(x * x)));
    }
    if x < 0.0 {
        let z = (1.0 + x) * 0.5;
        let s = z.sqrt();
        let w = excess_of_asin(z) * s - LOW_PI_2;
        return PI - 2.0 * (s + w);
    }
    let z = (1.0 - x) * 0.5;
    let s = z.sqrt();
    let first = without_low(s);
    let c = (z - first * first) / (s + first);
    let w = excess_of_asin(z) * s + c;
    2.0 * (first + w)
}

pub(in super::super) fn atan(x: f64) -> f64 {
    const HIGH: [f64; 4] = [0.463_647_609_000_806_1, FRAC_PI_4, 0.982_793_723_247_329, FRAC_PI_2];
    const LOW: [f64; 4] = [
        2.269_877_745_296_168_7e-17,
        3.061_616_997_868_383e-17,
        1.390_331_103_123_099_8e-17,
        LOW_PI_2,
    ];
    const A: [f64; 11] = [
        0.333_333_333_333_329_3,
        -0.199_999_999_998_764_83,
        0.142_857_142_725_034_66,
        -0.111_111_104_054_623_56,
        0.090_908_871_334_365_07,
        -0.076_918_762_050_448_3,
        0.066_610_731_373_875_31,
        -0.058_335_701_337_905_735,
        0.049_768_779_946_159_324,
        -0.036_531_572_744_216_916,
        0.016_285_820_115_365_782,
    ];
    let size = high(x) & SIZE_BITS;
    if x.is_nan() {
        return f64::NAN;
    }
    if size >= 0x4410_0000 {
        return (HIGH[3] + LOW[3]).copysign(x);
    }
    if size < 0x3e20_0000 {
        return x;
    }
    let t = x.abs();
    let (part, t) = if size < 0x3fdc_0000 {
        (None, x)
    } else if size < 0x3fe6_0000 {
        (Some(0), (2.0 * t - 1.0) / (2.0 + t))
    } else if size < 0x3ff3_0000 {
        (Some(1), (t - 1.0) / (t + 1.0))
    } else if size < 0x4003_8000 {
        (Some(2), (t - 1.5) / (1.0 + 1.5 * t))
    } else {
        (Some(3), -1.0 / t)
    };
    let z = t * t;
    let w = z * z;
    let even = z * polynomial(w, &[A[0], A[2], A[4], A[6], A[8], A[10]]);
    let odd = w * polynomial(w, &[A[1], A[3], A[5], A[7], A[9]]);
    match part {
        None => t - t * (even + odd),
        Some(part) => (HIGH[part] - ((t * (even + odd) - LOW[part]) - t)).copysign(x),
    }
}

pub(in super::super) fn atan2(y: f64, x: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if x == 1.0 {
        return atan(y);
    }
    let left = x.is_sign_negative();
    if y == 0.0 {
        return if left { PI.copysign(y) } else { y };
    }
    if x == 0.0 {
        return FRAC_PI_2.copysign(y);
    }
    if x.is_infinite() {
        let size = match (y.is_infinite(), left) {
            (true, false) => FRAC_PI_4,
            (true, true) => 3.0 * FRAC_PI_4,
            (false, false) => 0.0,
            (false, true) => PI,
        };
        return size.copysign(y);
    }
    if y.is_infinite() {
        return FRAC_PI_2.copysign(y);
    }
    let steepness = ((high(y) & SIZE_BITS) - (high(x) & SIZE_BITS)) >> 20;
    let z = if steepness > 60 {
        FRAC_PI_2 + 0.5 * LOW_PI
    } else if left && steepness < -60 {
        0.0
    } else {
        atan((y / x).abs())
    };
    match (left, y.is_sign_negative()) {
        (false, false) => z,
        (false, true) => -z,
        (true, false) => PI - (z - LOW_PI),
        (true, true) => (z - LOW_PI) - PI,
    }
}
