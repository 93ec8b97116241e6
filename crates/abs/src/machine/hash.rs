//! A digest of 128 bits for comparing states.
//!
//! Two multipliers run side by side over the same words. Digests of the parts of a state whose order
//! means nothing are added up ([`Unordered`]).

/// Digests a sequence of words.
#[derive(Clone, Copy)]
pub(crate) struct Mixer {
    left: u64,
    right: u64,
}

impl Mixer {
    #[inline]
    pub fn new(seed: u64) -> Mixer {
        let mut mixer = Mixer { left: 0x243f_6a88_85a3_08d3, right: 0x1319_8a2e_0370_7344 };
        mixer.add(seed);
        mixer
    }

    #[inline]
    pub fn add(&mut self, word: u64) {
        self.left = fold(self.left ^ word, 0x9e37_79b9_7f4a_7c15);
        self.right = fold(self.right ^ word.rotate_left(32), 0xd6e8_feb8_6659_fd93);
    }

    pub fn add_two(&mut self, one: u64, other: u64) {
        self.add(one);
        self.add(other);
    }

    /// Two numbers at the price of one word.
    pub fn add_pair(&mut self, one: u32, other: u32) {
        self.add((u64::from(one) << 32) | u64::from(other));
    }

    pub fn add_bytes(&mut self, kind: u64, bytes: &[u8]) {
        self.add_two(kind, bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    pub fn finish(mut self) -> u128 {
        self.add(0xa409_3822_299f_31d0);
        (u128::from(self.left) << 64) | u128::from(self.right)
    }
}

/// Multiplies to double width and adds the halves, so that every bit counts; the rotation keeps zero
/// from being absorbed.
fn fold(word: u64, factor: u64) -> u64 {
    let product = u128::from(word) * u128::from(factor);
    ((product as u64) ^ ((product >> 64) as u64)).rotate_left(23).wrapping_add(factor)
}

/// Digests a bag.
#[derive(Clone, Copy, Default)]
pub(crate) struct Unordered(u128);

impl Unordered {
    pub fn add(&mut self, part: Mixer) {
        self.0 = self.0.wrapping_add(part.finish());
    }

    pub fn into_mixer(self, seed: u64) -> Mixer {
        let mut mixer = Mixer::new(seed);
        mixer.add_two(self.0 as u64, (self.0 >> 64) as u64);
        mixer
    }
}
