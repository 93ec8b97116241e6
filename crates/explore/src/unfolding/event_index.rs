//! Finding an event by a digest of what identifies it.
//!
//! **Problem.** Each new event must be found again by its thread condition and its choice, and most are looked for only
//! once or twice. What counts is how much memory an entry touches when it is made, as nothing of it is near at hand.
//!
//! **Idea.** A table of slots of eight bytes, at most three quarters of them in use: a part of the digest and the event's number.
//! The digest says where to begin, and the first free slot from there on is taken. Nothing is ever removed.
//! Several events may have one digest: whoever asks compares.
//!
//! **Cost.** One far access for each entry that is made, and one for each that is looked for, besides the event itself.

use super::net::EventId;

/// The table.
#[derive(Default)]
pub(crate) struct EventIndex {
    /// As many as a power of two, or none.
    slots: Vec<Slot>,
    used: usize,
}

/// An entry, or a free slot if there is no event.
#[derive(Copy, Clone)]
struct Slot {
    digest: u32,
    event: EventId,
}

const FREE: Slot = Slot { digest: 0, event: EventId::NONE };

/// The size of the first table.
const SMALLEST: usize = 64;

impl EventIndex {
    /// The events with this digest, and perhaps others.
    pub fn get(&self, digest: u64) -> impl Iterator<Item = EventId> + '_ {
        let digest = mixed(digest);
        let first = if self.slots.is_empty() { 0 } else { self.first(digest) };
        let entries = self.slots[first..].iter().chain(&self.slots[..first]);
        let entries = entries.take_while(|slot| slot.event.is_some());
        entries.filter(move |slot| slot.digest == digest).map(|slot| slot.event)
    }

    /// Adds an event that is not there.
    pub fn insert(&mut self, digest: u64, event: EventId) {
        if self.used * 4 >= self.slots.len() * 3 {
            let larger = vec![FREE; (self.slots.len() * 2).max(SMALLEST)];
            for slot in std::mem::replace(&mut self.slots, larger) {
                if slot.event.is_some() {
                    self.put(slot);
                }
            }
        }
        self.used += 1;
        self.put(Slot { digest: mixed(digest), event });
    }

    fn put(&mut self, entry: Slot) {
        let last = self.slots.len() - 1;
        let mut index = self.first(entry.digest);
        while self.slots[index].event.is_some() {
            index = (index + 1) & last;
        }
        self.slots[index] = entry;
    }

    /// Where the entries with a digest begin.
    fn first(&self, digest: u32) -> usize {
        // The upper bits: a larger table keeps the order of the smaller one, so that it is filled in one sweep.
        ((u64::from(digest) * self.slots.len() as u64) >> 32) as usize
    }
}

fn mixed(digest: u64) -> u32 {
    (digest.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_is_found_by_its_digest_among_few_others() {
        let mut index = EventIndex::default();
        assert_eq!(index.get(5).count(), 0);
        // Every digest is that of three events.
        for event in 0..3000 {
            index.insert(u64::from(event % 1000) << 32, EventId(event));
        }
        for digest in 0..1000 {
            let mut found: Vec<u32> =
                index.get(u64::from(digest) << 32).map(|event| event.0).collect();
            found.sort_unstable();
            assert_eq!(found, [digest, digest + 1000, digest + 2000]);
        }
        assert!(index.get(2000 << 32).count() <= 3);
    }
}
