//! Digests of sets and of sequences.
//!
//! A set is told by the sum of the digests of its members, whatever their order. Hashes made for tables
//! are nearly linear, so that two members that swap a part of theirs have one sum. What is added up here
//! is mixed first, so that every bit depends on all others (the finaliser of SplitMix).
//!
//! A sequence is told by a digest into which one number after another goes. It is not added to others, so less will do:
//! two products in two lanes that do not wait for each other, each of which depends on all numbers. What a lane begins with
//! and what is added to each product are far from the small numbers of steps, so that none of these makes a lane zero, and
//! a lane that is zero by chance does not stay so.

/// What a lane begins with: digits of pi.
const BEGIN: u64 = 0x243f_6a88_85a3_08d3;

/// A digest of a sequence of numbers.
pub(crate) fn chain(numbers: impl Iterator<Item = u64>) -> u128 {
    let fold = |word: u64, factor: u64| {
        let product = u128::from(word) * u128::from(factor);
        (product as u64 ^ (product >> 64) as u64).wrapping_add(BEGIN)
    };
    let [left, right] = numbers.fold([BEGIN, !BEGIN], |[left, right], number| {
        [fold(left ^ number, 0x9e37_79b9_7f4a_7c15), fold(right ^ number, 0xd6e8_feb8_6659_fd93)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_sequences_of_steps_have_digests_of_their_own() {
        // Steps of three processes with two alternatives each, as explorers number them.
        let steps: Vec<u64> =
            (0..3).flat_map(|process| [process << 32, process << 32 | 1]).collect();
        let mut sequences: Vec<Vec<u64>> = vec![Vec::new()];
        let (mut all, mut lanes) = (std::collections::BTreeSet::new(), [const { Vec::new() }; 2]);
        for _ in 0..6 {
            let longer = |sequence: &Vec<u64>| {
                steps.iter().map(|&step| [&sequence[..], &[step]].concat()).collect::<Vec<_>>()
            };
            sequences = sequences.iter().flat_map(longer).collect();
            for sequence in &sequences {
                let digest = chain(sequence.iter().copied());
                assert!(all.insert(digest), "{sequence:?}");
                lanes[0].push(digest as u64);
                lanes[1].push((digest >> 64) as u64);
            }
        }
        assert_eq!(all.len(), 6 + 36 + 216 + 1_296 + 7_776 + 46_656);
        for mut lane in lanes {
            // Each lane tells them apart by itself, so that a chance in one is made up for by the other.
            lane.sort_unstable();
            lane.dedup();
            assert_eq!(lane.len(), all.len());
        }
    }
}
