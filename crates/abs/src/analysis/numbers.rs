//! Sets of small numbers of which there are many, each much like the one before.
//!
//! **Problem.** A block that starts n tasks has as many points, each with all tasks before it: written down one by one they fill
//! memory with the square of the block's length.
//!
//! **Idea.** A set is a row of bits in chunks, and a chunk that is equal to that of the set before is the same one.

use std::sync::Arc;

/// How many words a chunk has.
const CHUNK: usize = 16;

/// How many numbers.
const BITS: usize = CHUNK * 64;

/// A set of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    chunks: Vec<Arc<[u64; CHUNK]>>,
}

impl Numbers {
    /// These numbers. What they have in common with another set is shared.
    pub fn like(other: &Numbers, numbers: impl IntoIterator<Item = u32>) -> Numbers {
        let mut chunks: Vec<[u64; CHUNK]> = Vec::new();
        for number in numbers {
            let (chunk, bit) = (number as usize / BITS, number as usize % BITS);
            if chunks.len() <= chunk {
                chunks.resize(chunk + 1, [0; CHUNK]);
            }
            chunks[chunk][bit / 64] |= 1 << (bit % 64);
        }
        let shared = |(index, chunk): (usize, [u64; CHUNK])| match other.chunks.get(index) {
            Some(known) if **known == chunk => known.clone(),
            _ => Arc::new(chunk),
        };
        Numbers { chunks: chunks.into_iter().enumerate().map(shared).collect() }
    }

    /// The numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let words = self.chunks.iter().flat_map(|chunk| chunk.iter().copied()).enumerate();
        words.flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                (word != 0).then(|| {
                    word &= word - 1;
                    index as u32 * 64 + bit
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_sets_have_in_common_is_stored_once() {
        let one = Numbers::like(&Numbers::default(), [0, 63, 64, 1023, 1024, 5000]);
        assert_eq!(one.iter().collect::<Vec<u32>>(), [0, 63, 64, 1023, 1024, 5000]);
        let other = Numbers::like(&one, [5000, 1024, 0, 63, 64, 1022]);
        assert_eq!(other.iter().collect::<Vec<u32>>(), [0, 63, 64, 1022, 1024, 5000]);
        let same = |chunk: usize| Arc::ptr_eq(&one.chunks[chunk], &other.chunks[chunk]);
        assert_eq!((0..5).map(same).collect::<Vec<bool>>(), [false, true, true, true, true]);
        assert_eq!(Numbers::default().iter().next(), None);
    }
}
