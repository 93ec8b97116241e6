//! Digests of sets and of sequences.
//!
//! A set is told by the sum of the digests of its members, whatever their order. Hashes made for tables
//! are nearly linear, so that two members that swap a part of theirs have one sum. What is added up here
//! is mixed first, so that every bit depends on all others (the finaliser of SplitMix).
//!
//! A sequence is told by a digest into which one number after another goes. It is not added to others, so less will do:
//! two products in two lanes that do not wait for each other, each of which depends on all numbers.

/// A digest of a sequence of numbers.
pub(crate) fn chain(numbers: impl Iterator<Item = u64>) -> u128 {
    let fold = |word: u64, factor: u64| {
        let product = u128::from(word) * u128::from(factor);
        product as u64 ^ (product >> 64) as u64
    };
    let [left, right] = numbers.fold([1, 2], |[left, right], number| {
        [fold(left ^ number, 0x9e37_79b9_7f4a_7c15), fold(right ^ !number, 0xd6e8_feb8_6659_fd93)]
    });
    u128::from(left) << 64 | u128::from(right)
}

/// Mixes a number into a digest.
pub(crate) fn scramble(digest: u128, number: u64) -> u128 {
    let low = mix(digest as u64 ^ mix(number));
    let high = mix((digest >> 64) as u64 ^ low);
    u128::from(high) << 64 | u128::from(mix(low.wrapping_add(high)))
}

/// Spreads every bit over a word.
pub(crate) fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
