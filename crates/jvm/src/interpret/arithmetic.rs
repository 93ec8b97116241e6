//! Java's arithmetic on words, where it is more than one Rust operator.

/// An `int` of a word.
#[inline(always)]
pub fn int(word: u64) -> i32 {
    word as i32
}

/// The word of an `int`: its 32 bits, zero-extended.
#[inline(always)]
pub fn from_int(value: i32) -> u64 {
    u64::from(value as u32)
}

/// A `float` of a word.
#[inline(always)]
pub fn float(word: u64) -> f32 {
    f32::from_bits(word as u32)
}

/// The word of a `float`.
#[inline(always)]
pub fn from_float(value: f32) -> u64 {
    u64::from(value.to_bits())
}

/// A `double` of a word.
#[inline(always)]
pub fn double(word: u64) -> f64 {
    f64::from_bits(word)
}

/// The word of a `double`.
#[inline(always)]
pub fn from_double(value: f64) -> u64 {
    value.to_bits()
}

/// -1, 0 or 1 as a word, and `nan` if the two cannot be compared.
#[inline(always)]
pub fn compare<T: PartialOrd>(left: T, right: T, nan: i32) -> u64 {
    let result = match left.partial_cmp(&right) {
        Some(ordering) => ordering as i32,
        None => nan,
    };
    from_int(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_with_nan_take_the_given_side() {
        assert_eq!(int(compare(1.0, f64::NAN, -1)), -1);
        assert_eq!(int(compare(f32::NAN, f32::NAN, 1)), 1);
        assert_eq!(int(compare(-0.0, 0.0, 1)), 0);
        assert_eq!(int(compare(5i64, 7, 0)), -1);
    }
}
