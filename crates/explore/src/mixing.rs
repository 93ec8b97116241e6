//! Digests that are added up.
//!
//! A set is told by the sum of the digests of its members, whatever their order. Hashes made for tables
//! are nearly linear, so that two members that swap a part of theirs have one sum. What is added up here
//! is mixed first, so that every bit depends on all others (the finaliser of SplitMix).

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
