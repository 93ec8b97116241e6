//! A table as text, for a search that is saved.
//!
//! **Idea.** Where a key stands in a [`Table`] is a part of what tells it from others: only half of it is written down there.
//! So the buckets are saved as they are, one after another, and are read into memory of the same size.
//!
//! **Form.** Bytes, as text of 64 letters that mean nothing to JSON. First the logarithm of the number of words, with a mark
//! that says how large segments are ([`ARRANGEMENT`]), and the last segment in use; then for each bucket with something in it how many empty ones come before it, how many slots it has in
//! use, and for each of these its key and the two halves of its value. Numbers that are mostly small have seven bits in each
//! byte.
//!
//! **Invariant.** Slots that are in use stay so: keys that come later find the same buckets full. A text that is not of this
//! form is refused.
//!
//! **Cost.** About fourteen letters for each key.

use std::sync::atomic::{AtomicU64, Ordering};

use super::table::{BUCKET, Table, WORDS};

/// How many keys are saved at most: sixty megabytes.
pub(super) const MOST: usize = 1 << 22;

/// The numbers of words that a table may have, as logarithms.
const LEAST_WORDS: u8 = 5;
const MOST_WORDS: u8 = 26;

/// Is added to the logarithm. Tables whose segments grow in another way have another mark, or none.
const ARRANGEMENT: u8 = 0x40;

/// So many bits say what kind of value it is.
const KIND: u32 = 3;

/// A table as text, with what becomes of each value; `None` if it is too large.
pub(super) fn write(table: &Table, saved: impl Fn(u64) -> u64) -> Option<String> {
    let (used, words) = table.used();
    let read = |word: &AtomicU64| word.load(Ordering::Acquire);
    let logarithm = u8::try_from(words.ilog2()).ok()?;
    let mut bytes = vec![ARRANGEMENT | logarithm, u8::try_from(read(&used[0])).ok()?];
    let (mut empty, mut keys) = (0, 0);
    for bucket in used[WORDS..].chunks(WORDS) {
        let slots = bucket.chunks(2);
        let slots = slots.map(|slot| (read(&slot[0]), &slot[1])).take_while(|(key, _)| *key != 0);
        let slots: Vec<(u64, u64)> = slots.map(|(key, value)| (key, saved(read(value)))).collect();
        if slots.is_empty() {
            empty += 1;
            continue;
        }
        keys += slots.len();
        if keys > MOST {
            return None;
        }
        push(&mut bytes, empty);
        bytes.push(slots.len() as u8);
        for (key, value) in slots {
            bytes.extend(key.to_le_bytes());
            // What comes first in the upper half says what kind it is, and is followed by zeros.
            push(&mut bytes, u64::from(((value >> 32) as u32).rotate_left(KIND)));
            push(&mut bytes, u64::from(value as u32));
        }
        empty = 0;
    }
    Some(letters(&bytes))
}

/// How many words the table has.
pub(super) fn words(bytes: &[u8]) -> Option<usize> {
    let logarithm = bytes.first()?.checked_sub(ARRANGEMENT)?;
    (LEAST_WORDS..=MOST_WORDS).contains(&logarithm).then_some(1 << logarithm)
}

/// Reads a table into memory of its size that is zero.
pub(super) fn read(bytes: &[u8], table: &Table) -> Option<()> {
    let words = table.words();
    let [_, last, bytes @ ..] = bytes else { return None };
    words[0].store(u64::from(*last), Ordering::Release);
    let end = table.used().0.len() / WORDS;
    let (mut bytes, mut bucket) = (bytes, 1usize);
    while !bytes.is_empty() {
        bucket = bucket.checked_add(usize::try_from(pull(&mut bytes)?).ok()?)?;
        let (&slots, rest) = bytes.split_first()?;
        bytes = rest;
        if bucket >= end || usize::from(slots) > BUCKET {
            return None;
        }
        for slot in 0..usize::from(slots) {
            let (key, rest) = bytes.split_first_chunk::<8>()?;
            bytes = rest;
            let upper = u32::try_from(pull(&mut bytes)?).ok()?.rotate_right(KIND);
            let lower = u32::try_from(pull(&mut bytes)?).ok()?;
            let value = u64::from(upper) << 32 | u64::from(lower);
            let at = bucket * WORDS + 2 * slot;
            words[at].store(u64::from_le_bytes(*key), Ordering::Release);
            words[at + 1].store(value, Ordering::Release);
        }
        bucket += 1;
    }
    Some(())
}

/// Adds a number, the lowest bits first.
fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn pull(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Three bytes are four letters; where bytes are missing at the end, so are letters.
fn letters(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let all = group
            .iter()
            .enumerate()
            .fold(0u32, |all, (place, &byte)| all | u32::from(byte) << (16 - 8 * place));
        let letter = |place: usize| char::from(LETTERS[(all >> (18 - 6 * place)) as usize & 63]);
        text.extend((0..=group.len()).map(letter));
    }
    text
}

/// The bytes of such a text.
pub(super) fn bytes(text: &str) -> Option<Vec<u8>> {
    let mut numbers = [u8::MAX; 256];
    for (number, &letter) in LETTERS.iter().enumerate() {
        numbers[usize::from(letter)] = number as u8;
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.as_bytes().chunks(4) {
        let mut all = 0u32;
        for (place, &letter) in group.iter().enumerate() {
            let number = numbers[usize::from(letter)];
            if number == u8::MAX {
                return None;
            }
            all |= u32::from(number) << (18 - 6 * place);
        }
        bytes.extend((0..group.len() - 1).map(|place| (all >> (16 - 8 * place)) as u8));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::mixing::scramble;
    use crate::preemptions::table::Need;
    use crate::search::CommonMemory;

    struct Words(Vec<AtomicU64>);

    impl CommonMemory for Words {
        fn words(&self) -> &[AtomicU64] {
            &self.0
        }
    }

    fn table(words: usize) -> Table {
        Table::new(Arc::new(Words((0..words).map(|_| AtomicU64::new(0)).collect())))
    }

    #[test]
    fn a_table_that_was_read_is_the_one_that_was_written_now_and_when_more_comes() {
        for (size, count) in [(5, 4), (10, 100), (16, 1), (16, 20_000), (18, 30_000)] {
            let written = table(1 << size);
            let value = |number: u64| number.wrapping_mul(1 << 58 | 1);
            let mut there = Vec::new();
            for number in 0..count {
                if let Some(word) = written.value(scramble(3, number), Need::Must) {
                    word.store(value(number), Ordering::Relaxed);
                    there.push(number);
                }
            }
            let text = write(&written, |value| value).expect("it is small");
            let found = bytes(&text).expect("it was written here");
            assert_eq!(words(&found), Some(1 << size));
            let copy = table(1 << size);
            assert_eq!(read(&found, &copy), Some(()));
            for number in 0..2 * count {
                let look = |table: &Table| {
                    let word = table.value(scramble(3, number), Need::Must);
                    word.map(|word| word.load(Ordering::Relaxed))
                };
                assert_eq!(look(&copy), look(&written), "{number} of {size}");
            }
            assert!(there.len() > 2 || count < 5, "{size}");
            let every = 1 + text.len() / 500;
            for end in (0..text.len()).step_by(every) {
                // Whatever is cut off or mixed up is refused, or is something else.
                if let Some(bytes) = bytes(&text[..end]) {
                    read(&bytes, &table(words(&bytes).unwrap_or(1 << 5)));
                }
            }
        }
        assert_eq!(bytes("ab\"d"), None);
        // As it was written when segments grew sixteenfold.
        assert_eq!(words(&[16, 0]), None);
    }
}
