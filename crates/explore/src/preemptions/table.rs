//! A table in memory that several processes have in common.
//!
//! **Problem.** Processes are to find each other's entries at once. Each of them may be killed at any instruction, so
//! nobody may wait for another one. Nobody knows how many entries there will be, and memory that is touched is taken.
//!
//! **Idea.** A slot has two words: a key, which is set once, and a value, which begins as zero. A bucket has
//! [`BUCKET`] slots, which are filled from the first on. Buckets lie in segments, each three times as large as all
//! before it: a key whose bucket is full in one segment goes to the next one. Nothing is ever removed, so everybody
//! who looks for a key finds the same buckets full, and comes to the same slot. A slot is taken by one exchange of its key
//! word; whoever dies after that leaves a value of zero, as if the key had not been there.
//!
//! **Invariant.** A key has one slot or, when there is no room, none, and then for ever.
//!
//! **Collisions.** Half of a digest is the key, the other half says where to look. A look compares with the keys of
//! at most one bucket of each segment, 56 of them: a thousand million looks confuse two keys with a chance of one in three
//! hundred million.
//!
//! **Cost.** A look costs as many cache misses as segments are in use, seven at most, of which the first ones are small
//! enough for a cache; no segment is touched before those before it are nearly full. Keys are spread over all of a segment,
//! and each process pays for each page of it, more than for a miss: with segments that grow sixteenfold, that was a fifth
//! of the time of two workers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::mixing::mix;
use crate::search::CommonMemory;

/// How many slots a bucket has.
pub(super) const BUCKET: usize = 8;
pub(super) const WORDS: usize = 2 * BUCKET;

/// How many buckets there are up to the end of the first segment. The first bucket is none: its first word says which
/// segment is the last one in use.
const FIRST: usize = 1 << 10;

/// How many times as many buckets there are up to the end of a segment as up to its beginning.
const GROWTH: usize = 4;

/// How many slots of a bucket in the last segment are kept for keys that must have room.
const RESERVED: usize = 2;

/// A table of words by 128-bit keys.
#[derive(Clone)]
pub(super) struct Table {
    memory: Arc<dyn CommonMemory>,
}

/// Who may use the last slots.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Need {
    /// It would be good to have a slot.
    Wish,
    /// Without a slot much is in vain.
    Must,
}

/// Consecutive buckets.
#[derive(Copy, Clone)]
struct Segment {
    number: u64,
    begin: usize,
    end: usize,
}

impl Table {
    /// A table in memory that was zero before the first of all these tables.
    pub fn new(memory: Arc<dyn CommonMemory>) -> Table {
        Table { memory }
    }

    /// The value of a key, zero at first; `None` if there is no room for it.
    pub fn value(&self, key: u128, need: Need) -> Option<&AtomicU64> {
        let words = self.memory.words();
        let (name, place) = (((key >> 64) as u64).max(1), key as u64);
        for segment in self.segments() {
            let Segment { number, begin, end } = segment;
            let spread = u128::from(mix(place ^ number)) * (end - begin) as u128;
            let bucket = begin + (spread >> 64) as usize;
            let is_last = end == self.buckets();
            let kept = if is_last && need == Need::Wish { RESERVED } else { 0 };
            for slot in 0..BUCKET - kept {
                let at = bucket * WORDS + 2 * slot;
                let mut found = words[at].load(Ordering::Acquire);
                if found == 0 {
                    self.use_up_to(number);
                    let taken =
                        words[at].compare_exchange(0, name, Ordering::AcqRel, Ordering::Acquire);
                    found = taken.err().unwrap_or(name);
                }
                if found == name {
                    return Some(&words[at + 1]);
                }
            }
        }
        None
    }

    /// The words of all buckets in segments that are in use, and how many words there are in all.
    pub fn used(&self) -> (&[AtomicU64], usize) {
        let words = self.memory.words();
        let last = words[0].load(Ordering::Acquire);
        let used = self.segments().take_while(|segment| segment.number <= last);
        let end = used.last().map_or(0, |segment| segment.end);
        (&words[..end * WORDS], words.len())
    }

    /// The words of all buckets.
    pub fn words(&self) -> &[AtomicU64] {
        self.memory.words()
    }

    /// Whether some key has this value.
    pub fn has_value(&self, value: u64) -> bool {
        let (words, _) = self.used();
        let values = words.iter().skip(WORDS + 1).step_by(2);
        values.into_iter().any(|word| word.load(Ordering::Acquire) == value)
    }

    fn buckets(&self) -> usize {
        self.memory.words().len() / WORDS
    }

    fn segments(&self) -> impl Iterator<Item = Segment> + use<> {
        let all = self.buckets();
        let first = Segment { number: 0, begin: 1, end: FIRST.min(all) };
        let next = move |before: &Segment| {
            let Segment { number, end: begin, .. } = *before;
            (begin < all).then(|| Segment {
                number: number + 1,
                begin,
                end: (GROWTH * begin).min(all),
            })
        };
        std::iter::successors((first.begin < first.end).then_some(first), next)
    }

    /// Notes that a segment is in use, before anything is in it.
    fn use_up_to(&self, segment: u64) {
        let last = &self.memory.words()[0];
        if segment > last.load(Ordering::Relaxed) {
            last.fetch_max(segment, Ordering::AcqRel);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mixing::scramble;

    struct Words(Vec<AtomicU64>);

    impl CommonMemory for Words {
        fn words(&self) -> &[AtomicU64] {
            &self.0
        }
    }

    /// Memory of so many words.
    fn memory(words: usize) -> Arc<Words> {
        Arc::new(Words((0..words).map(|_| AtomicU64::new(0)).collect()))
    }

    fn key(number: u64) -> u128 {
        scramble(7, number)
    }

    #[test]
    fn every_key_has_a_slot_of_its_own_until_there_is_no_room() {
        for words in [1 << 6, 1 << 10, 1 << 14, 1 << 16, 1 << 18] {
            let table = Table::new(memory(words));
            let slots = words as u64 / 2;
            let mut without = Vec::new();
            for number in 0..slots {
                match table.value(key(number), Need::Wish) {
                    Some(value) => {
                        let before = value.swap(number + 1, Ordering::Relaxed);
                        assert_eq!(before, 0, "{number} of {words}");
                    }
                    None => without.push(number),
                }
            }
            assert!(without.first().is_none_or(|&first| first > slots / 10), "{words}");
            for number in 0..slots {
                let found = table.value(key(number), Need::Wish).map(|v| v.load(Ordering::Relaxed));
                let expected = (!without.contains(&number)).then_some(number + 1);
                assert_eq!(found, expected, "{number} of {words}");
            }
            let reserved = without.iter().filter(|&&number| {
                let value = table.value(key(number), Need::Must);
                value.is_some_and(|value| value.swap(number + 1, Ordering::Relaxed) == 0)
            });
            assert!(reserved.count() * 4 > without.len().min(words / 64), "{words}");
            assert!(table.has_value(1) && !table.has_value(slots + 1));
        }
    }

    #[test]
    fn memory_is_touched_in_proportion_to_what_is_in_it() {
        let memory = memory(1 << 20);
        let table = Table::new(memory.clone());
        for number in 0..1_000 {
            table.value(key(number), Need::Must).expect("there is room");
        }
        assert!(memory.0[FIRST * WORDS..].iter().all(|word| word.load(Ordering::Relaxed) == 0));
    }

    /// Threads add to values of the same keys in different orders; what they have added is there in the end.
    #[test]
    fn threads_that_come_at_once_find_the_same_slots() {
        /// One for each thread, with no factor in common with the number of keys.
        const FACTORS: [u64; 4] = [1, 3, 7, 9];
        const KEYS: u64 = 20_000;
        // There is room for all, then for some.
        for words in [1 << 18, 1 << 15] {
            let shared = memory(words);
            let counts = std::thread::scope(|scope| {
                let work = |factor: u64| {
                    let shared = shared.clone();
                    move || {
                        // Each thread has a table of its own over the same words, as each process has.
                        let table = Table::new(shared);
                        let mut met = 0;
                        for turn in 0..KEYS {
                            let number = (turn * factor) % KEYS;
                            let need = [Need::Wish, Need::Must][(number % 2) as usize];
                            if let Some(value) = table.value(key(number), need) {
                                value.fetch_add(number << 8 | 1, Ordering::Relaxed);
                                met += 1;
                            }
                        }
                        met
                    }
                };
                let threads = FACTORS.map(|own| scope.spawn(work(own)));
                threads.map(|one| one.join().expect("it ends"))
            });
            let table = Table::new(shared.clone());
            let mut all = 0;
            for number in 0..KEYS {
                let need = [Need::Wish, Need::Must][(number % 2) as usize];
                let Some(value) = table.value(key(number), need) else { continue };
                let value = value.load(Ordering::Relaxed);
                let times = value & 0xff;
                // Once a key has a slot everybody finds it; one that found no room never will.
                assert_eq!(value >> 8, number * times, "{number}");
                assert_eq!(times, FACTORS.len() as u64, "{number}");
                all += times;
            }
            assert_eq!(all, counts.iter().sum::<u64>());
        }
    }
}
