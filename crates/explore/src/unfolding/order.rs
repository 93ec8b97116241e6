//! The order in which events of a complete prefix are added (definition 31).
//!
//! A prefix may be cut at an event that leads to a known marking only if events are added in an
//! adequate order. The order of Esparza, Römer and Vogler compares causal pasts by their size, then
//! by their transitions as a multiset, then level by level (the Foata normal form); it is total, so
//! that of two events with one marking one is always cut.
//!
//! An event's past is larger than that of each of its causes, so all extensions of one size are known
//! before the first of them is added: they are kept in buckets by size, and a bucket is sorted when
//! its turn comes.

use std::cmp::Ordering;

use super::net::EventId;

/// The causal past of an extension, itself included, as the order sees it.
pub(super) struct CausalPast {
    pub event: EventId,
    /// Pairs of level and transition, sorted.
    levels: Vec<(u32, u32)>,
    /// The transitions, sorted.
    transitions: Vec<u32>,
}

impl CausalPast {
    pub fn new(event: EventId, mut levels: Vec<(u32, u32)>) -> CausalPast {
        levels.sort_unstable();
        let mut transitions: Vec<u32> = levels.iter().map(|&(_, transition)| transition).collect();
        transitions.sort_unstable();
        CausalPast { event, levels, transitions }
    }

    /// Compares pasts of equal size.
    pub fn compare(&self, other: &CausalPast) -> Ordering {
        let by_transitions = self.transitions.cmp(&other.transitions);
        by_transitions.then_with(|| self.compare_levels(other))
    }

    fn compare_levels(&self, other: &CausalPast) -> Ordering {
        let sets = |past: &CausalPast| -> Vec<Vec<u32>> {
            let groups = past.levels.chunk_by(|a, b| a.0 == b.0);
            groups.map(|group| group.iter().map(|&(_, transition)| transition).collect()).collect()
        };
        sets(self).cmp(&sets(other))
    }
}

/// Extensions by the size of their pasts.
#[derive(Default)]
pub(super) struct Buckets {
    buckets: Vec<Vec<EventId>>,
    present: usize,
}

impl Buckets {
    pub fn add(&mut self, size: usize, event: EventId) {
        debug_assert!(size >= self.present, "an extension is larger than its causes");
        if self.buckets.len() <= size {
            self.buckets.resize_with(size + 1, Vec::new);
        }
        self.buckets[size].push(event);
    }

    /// The extensions of the smallest size that has any. More of that size may be added and are
    /// given next time.
    pub fn next(&mut self) -> Option<Vec<EventId>> {
        while self.buckets.get(self.present)?.is_empty() {
            self.present += 1;
        }
        Some(std::mem::take(&mut self.buckets[self.present]))
    }

    /// Takes back an extension of the bucket given last.
    pub fn put_back(&mut self, event: EventId) {
        self.buckets[self.present].push(event);
    }

    /// The extensions of the present size that were added or put back since the bucket was given.
    pub fn rest(&mut self) -> Vec<EventId> {
        std::mem::take(&mut self.buckets[self.present])
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.buckets.iter().all(Vec::is_empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn past(levels: &[(u32, u32)]) -> CausalPast {
        CausalPast::new(EventId(0), levels.to_vec())
    }

    #[test]
    fn transitions_decide_before_levels_as_in_example_24() {
        // t1 t2 t5 comes before t1 t3 t3, whatever the levels.
        let one = past(&[(3, 1), (2, 2), (1, 5)]);
        let other = past(&[(1, 1), (2, 3), (3, 3)]);
        assert_eq!(one.compare(&other), Ordering::Less);
        // The same transitions: the first level with 1 alone comes before the one with 1 and 2.
        let chain = past(&[(1, 1), (2, 2)]);
        let both = past(&[(1, 1), (1, 2)]);
        assert_eq!(chain.compare(&both), Ordering::Less);
        assert_eq!(both.compare(&both), Ordering::Equal);
    }
}
