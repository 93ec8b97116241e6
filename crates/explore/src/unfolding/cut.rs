//! Cuts: what a configuration leaves at every place.
//!
//! **Problem.** Whether two conditions can hold at once depends on the whole pasts of both.
//!
//! **Idea.** A configuration is a set of events closed under causality and free of conflict. As the
//! conditions of each place form a tree, a configuration is described by the deepest condition it
//! makes at each place, its cut. The union of two configurations is free of conflicts over a
//! condition iff at every place one of the two conditions lies above the other: two events that take
//! the same condition make two conditions of its place, on different branches of the tree. The cut
//! of the union has the deeper one everywhere.
//!
//! **Invariant.** A place beyond the end of a cut, or holding none, is at its initial condition.
//!
//! **Cost.** Four bytes per place and event; a comparison looks at places that differ and climbs the
//! difference of depths in logarithmic time.

use super::net::{ConditionId, EventId, Net, PlaceId};

/// The cuts of all covered events, each after its length; the empty one first.
pub(crate) struct Cuts {
    table: Vec<ConditionId>,
}

impl Default for Cuts {
    fn default() -> Self {
        Cuts { table: vec![ConditionId(0)] }
    }
}

impl Cuts {
    /// Keeps a cut.
    pub fn add(&mut self, cut: &[ConditionId]) -> u32 {
        let from = u32::try_from(self.table.len()).expect("cuts have fewer than 2^32 entries");
        self.table.push(ConditionId(u32::try_from(cut.len()).expect("fewer than 2^32 places")));
        self.table.extend_from_slice(cut);
        from
    }

    /// One that was kept.
    pub fn get(&self, from: u32) -> &[ConditionId] {
        let from = from as usize;
        &self.table[from + 1..][..self.table[from].index()]
    }
}

/// What a cut has at a place, if not the initial condition.
pub(crate) fn at(cut: &[ConditionId], place: PlaceId) -> ConditionId {
    cut.get(place.index()).copied().unwrap_or(ConditionId::NONE)
}

/// Sets what a cut has at a place.
pub(crate) fn set(cut: &mut Vec<ConditionId>, place: PlaceId, condition: ConditionId) {
    if cut.len() <= place.index() {
        cut.resize(place.index() + 1, ConditionId::NONE);
    }
    cut[place.index()] = condition;
}

/// What a configuration has beyond another that it agrees with: something at few places mostly.
#[derive(Default)]
pub(crate) struct Beyond {
    /// What there is at each place.
    all: Vec<ConditionId>,
    /// Where there is something.
    places: Vec<Further>,
}

/// A place where the one has more than the other, and what both have.
struct Further {
    place: PlaceId,
    own: ConditionId,
    known: ConditionId,
}

impl Beyond {
    /// Sets it to what is beyond these two.
    pub fn set(&mut self, cut: &[ConditionId], known: &[ConditionId]) {
        self.places.clear();
        self.all.clear();
        self.all.extend_from_slice(cut);
        for (own, &known) in self.all.iter_mut().zip(known) {
            *own = if rank(*own) > rank(known) { *own } else { ConditionId::NONE };
        }
        for (place, &own) in (0..).map(PlaceId).zip(&self.all) {
            if own.is_some() {
                self.places.push(Further { place, own, known: at(known, place) });
            }
        }
    }

    /// What there is at a place.
    pub fn at(&self, place: PlaceId) -> ConditionId {
        at(&self.all, place)
    }
}

/// Numbers that grow from the initial condition of a place, which is none in a cut, to those made later.
#[inline]
fn rank(condition: ConditionId) -> u32 {
    condition.0.wrapping_add(1)
}

impl Net {
    /// The cut of the causal past of a condition, its producer included.
    pub fn past(&self, condition: ConditionId) -> &[ConditionId] {
        self.cuts.get(self.condition(condition).past)
    }

    /// The condition a cut has at a place.
    pub fn holds(&self, cut: &[ConditionId], place: PlaceId) -> ConditionId {
        let condition = at(cut, place);
        if condition.is_some() { condition } else { self.root(place) }
    }

    /// The depth of what a cut has at a place.
    pub fn depth_at(&self, cut: &[ConditionId], place: PlaceId) -> u32 {
        let condition = at(cut, place);
        if condition.is_some() { self.condition(condition).depth } else { 0 }
    }

    /// Whether a configuration that agrees with the past of a condition takes the condition: what it has instead was
    /// made later. One that does not agree may be said to take it.
    pub fn takes(&self, cut: &[ConditionId], condition: ConditionId) -> bool {
        let instead = at(cut, self.condition(condition).place);
        instead.is_some() && instead > condition
    }

    /// Whether no two events of the two configurations take the same condition.
    pub fn agree(&self, one: &[ConditionId], other: &[ConditionId]) -> bool {
        one.iter().zip(other).all(|(&a, &b)| self.agree_at(a, b))
    }

    /// Whether what two configurations have at one place is on one branch of its tree.
    #[inline]
    pub fn agree_at(&self, one: ConditionId, other: ConditionId) -> bool {
        if one == other || !one.is_some() || !other.is_some() {
            return true;
        }
        if one < other { self.is_above(one, other) } else { self.is_above(other, one) }
    }

    /// Whether two configurations agree that both agree with a third one, given what the first has beyond that.
    pub fn agree_beyond(&self, beyond: &Beyond, other: &[ConditionId]) -> bool {
        beyond.places.iter().all(|&Further { place, own, known }| {
            let other = at(other, place);
            rank(other) <= rank(known) || self.agree_at(own, other)
        })
    }

    /// Whether a configuration has an event.
    pub fn includes(&self, cut: &[ConditionId], event: EventId) -> bool {
        let after = self.event(event).after;
        let last = at(cut, self.condition(after).place);
        last.is_some() && self.is_above(after, last)
    }

    /// Adds a configuration to another that it agrees with.
    pub fn unite(&self, into: &mut Vec<ConditionId>, other: &[ConditionId]) {
        if into.len() < other.len() {
            into.resize(other.len(), ConditionId::NONE);
        }
        for (own, &other) in into.iter_mut().zip(other) {
            // What lies below another was made later.
            own.0 = rank(*own).max(rank(other)).wrapping_sub(1);
        }
    }
}
