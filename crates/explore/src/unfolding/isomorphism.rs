//! Whether two nets are the same, whatever the order in which they were built.
//!
//! An event is determined by its process, its alternative and what it takes, reads and comes after
//! (lemma 1). So a name for it follows from these and the names of the events that made its conditions,
//! and two nets are isomorphic exactly if their events have the same names. Tests compare explorations
//! with different seeds by this.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::execute;
use super::net::{ConditionId, EventId, EventStatus, Net};
use crate::search::Assignment;

/// Explores a program of threads and names every event of its unfolding, with read arcs or without, by
/// its causal past alone.
pub fn event_names(assignment: Assignment<'_>, contextual: bool) -> BTreeSet<u64> {
    let (_, unfolding) = execute::unfold(assignment, contextual);
    let names = names(&unfolding.net);
    debug_assert_eq!(names.len(), unfolding.net.covered as usize, "no two events are the same");
    names
}

fn names(net: &Net) -> BTreeSet<u64> {
    let mut order: Vec<usize> = (0..net.events.len()).collect();
    order.retain(|&event| net.events[event].status == EventStatus::Covered);
    order.sort_by_key(|&event| net.events[event].number);
    let mut names: BTreeMap<EventId, u64> = BTreeMap::new();
    for number in order {
        let id = EventId(u32::try_from(number).expect("a number"));
        let event = net.event(id);
        let name_of = |condition: ConditionId| {
            names.get(&net.condition(condition).producer).copied().unwrap_or(0)
        };
        let mut hasher = FxHasher::default();
        (event.process, event.alternative, name_of(event.before)).hash(&mut hasher);
        for condition in net.chosen(id) {
            name_of(condition).hash(&mut hasher);
        }
        let mut reads: Vec<u64> = net.after_reads(id).map(|read| names[&read]).collect();
        reads.sort_unstable();
        reads.hash(&mut hasher);
        names.insert(id, hasher.finish());
    }
    names.into_values().collect()
}
