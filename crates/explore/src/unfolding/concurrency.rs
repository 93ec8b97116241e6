//! Which conditions can hold at once, and in which order a configuration's events can happen.
//!
//! **Problem.** An extension exists if the conditions it takes and reads are concurrent. In a regular
//! net two pasts are then free of conflict (chapter 4.7). In a contextual net, events are moreover
//! in *asymmetric conflict*: a read of a condition must come before whatever takes it, and the union
//! of two pasts is possible only if this relation has no cycle in it (definition 19).
//!
//! **Idea.** Conflicts over conditions are seen in the cuts. What remains are *crossings*: a read
//! in one past, and not in the other, of a condition taken in the other. In a regular net a crossing
//! is a conflict, as the read and the taker consume the same copy. In a contextual net it only says
//! that the read comes first. A cycle would have to leave the part that only one past has, and
//! return; the only relation that leaves such a part is a crossing. So there is no cycle unless there
//! are crossings in both directions, and only then the order of figure 5.7 is tried.
//!
//! **Invariant.** `linearise` gives an order in which the program can perform the events, or none
//! exactly if there is a cycle of asymmetric conflict.
//!
//! **Cost.** A check looks at the places that differ and the racy reads that only one past has. The
//! order is linear in the events and their touches; the thesis' loop over postponed threads is
//! quadratic.

use super::cut::{self, Beyond};
use super::net::{ConditionId, Effect, EventId, Neighbour, Net};

/// Working memory for ordering events.
#[derive(Default)]
pub(crate) struct Scratch {
    events: Vec<EventId>,
    /// The same with the numbers by which they are sorted.
    numbered: Vec<(u32, EventId)>,
    /// Per event: when it was last collected, and how far its visit is.
    marks: Vec<(u32, Visit)>,
    /// Per condition: when it was last read by a collected event, and the first link of readers.
    readers: Vec<(u32, u32)>,
    links: Vec<(EventId, u32)>,
    stack: Vec<(EventId, bool)>,
    round: u32,
}

#[derive(Copy, Clone, PartialEq, Eq, Default)]
enum Visit {
    #[default]
    Waiting,
    Open,
    Placed,
}

impl Net {
    /// Whether the neighbour of a condition can be concurrent with another one that is, as far as the neighbour's
    /// record tells, given what that one's past has beyond the past of the condition. What it has at the place of the process lies
    /// above the thread condition or is the same, and the witness does not contradict it.
    pub fn may_agree(&self, beyond: &Beyond, neighbour: &Neighbour) -> bool {
        let known = beyond.at(neighbour.process);
        (!known.is_some() || self.is_above(known, neighbour.thread))
            && self.agree_at(beyond.at(neighbour.witness_place), neighbour.witness)
    }

    /// Whether the union of two configurations is a configuration.
    pub fn compatible(
        &self,
        one: &[ConditionId],
        other: &[ConditionId],
        scratch: &mut Scratch,
    ) -> bool {
        self.agree(one, other) && self.can_be_ordered(one, other, scratch)
    }

    /// Whether the union of two configurations that agree is a configuration.
    pub fn can_be_ordered(
        &self,
        one: &[ConditionId],
        other: &[ConditionId],
        scratch: &mut Scratch,
    ) -> bool {
        if !self.has_reads() {
            return true;
        }
        let forth = self.crosses(one, other);
        if !self.contextual {
            return !forth && !self.crosses(other, one);
        }
        if !forth || !self.crosses(other, one) {
            return true;
        }
        let mut union = one.to_vec();
        self.unite(&mut union, other);
        self.linearise(&union, scratch).is_some()
    }

    /// Whether some read that only the first has is of a condition taken in the second, which agrees with the first.
    pub fn crosses(&self, one: &[ConditionId], other: &[ConditionId]) -> bool {
        let mut processes = self.process_places().iter().filter(|place| place.is_some());
        self.has_reads()
            && processes.any(|&place| {
                let last = cut::at(one, place);
                let known = self.holds(other, place);
                if !last.is_some() || last <= known {
                    return false;
                }
                let mut reader = self.condition(last).last_reader;
                while reader.is_some() && reader > known {
                    let condition = self.condition(reader);
                    let crossing = self.touches(condition.producer).iter().any(|touch| {
                        touch.effect == Effect::Reads && self.takes(other, touch.condition)
                    });
                    if crossing {
                        return true;
                    }
                    reader = self.condition(self.parent(reader)).last_reader;
                }
                false
            })
    }

    /// The events of a configuration in an order in which they can happen.
    pub fn linearise<'s>(
        &self,
        cut: &[ConditionId],
        scratch: &'s mut Scratch,
    ) -> Option<&'s [EventId]> {
        self.linearise_after(&[], cut, scratch)
    }

    /// The same once another configuration, which is a part of it, has happened. Nothing that this one took is
    /// read by the events that are left.
    pub fn linearise_after<'s>(
        &self,
        done: &[ConditionId],
        cut: &[ConditionId],
        scratch: &'s mut Scratch,
    ) -> Option<&'s [EventId]> {
        self.collect(done, cut, scratch);
        let possible = !(self.contextual && self.has_reads()) || self.order(scratch);
        possible.then_some(&scratch.events[..])
    }

    /// The events of a configuration that a part of it does not have, in the order in which they were covered.
    fn collect(&self, done: &[ConditionId], cut: &[ConditionId], scratch: &mut Scratch) {
        scratch.numbered.clear();
        for &place in self.process_places().iter().filter(|place| place.is_some()) {
            let mut last = cut::at(cut, place);
            let first = cut::at(done, place);
            while last.is_some() && last != first {
                let condition = self.condition(last);
                let producer = condition.producer;
                // A process's first condition is made by the start, which its parent performed.
                if !producer.is_some() {
                    break;
                }
                let event = self.event(producer);
                if event.after != last {
                    break;
                }
                scratch.numbered.push((event.number, producer));
                last = self.parent(last);
            }
        }
        scratch.numbered.sort_unstable();
        scratch.events.clear();
        scratch.events.extend(scratch.numbered.iter().map(|&(_, event)| event));
    }

    /// Orders the collected events by causality and asymmetric conflict, if possible.
    fn order(&self, scratch: &mut Scratch) -> bool {
        self.note_readers(scratch);
        let all = std::mem::take(&mut scratch.events);
        let mut placed = Vec::with_capacity(all.len());
        let mut possible = true;
        for &event in &all {
            possible = possible && self.place_with_causes(event, &mut placed, scratch);
        }
        scratch.events = placed;
        possible
    }

    /// Links the collected readers of each condition, and marks all collected events as waiting.
    fn note_readers(&self, scratch: &mut Scratch) {
        scratch.round += 1;
        scratch.links.clear();
        scratch.marks.resize(self.events.len(), (0, Visit::Waiting));
        scratch.readers.resize(self.conditions.len(), (0, u32::MAX));
        let round = scratch.round;
        for &event in &scratch.events {
            scratch.marks[event.index()] = (round, Visit::Waiting);
            for touch in self.touches(event).iter().filter(|t| t.effect == Effect::Reads) {
                let head = &mut scratch.readers[touch.condition.index()];
                let rest = if head.0 == round { head.1 } else { u32::MAX };
                let link = u32::try_from(scratch.links.len()).expect("few links");
                *head = (round, link);
                scratch.links.push((event, rest));
            }
        }
    }

    /// Appends an event after everything that must precede it; false if that includes itself.
    fn place_with_causes(
        &self,
        event: EventId,
        placed: &mut Vec<EventId>,
        scratch: &mut Scratch,
    ) -> bool {
        let round = scratch.round;
        scratch.stack.push((event, false));
        while let Some((event, done)) = scratch.stack.pop() {
            let (seen, visit) = &mut scratch.marks[event.index()];
            debug_assert_eq!(*seen, round, "only collected events are placed");
            match (*visit, done) {
                (Visit::Open, true) => {
                    *visit = Visit::Placed;
                    placed.push(event);
                    continue;
                }
                (Visit::Placed, _) => continue,
                (Visit::Open, false) => {
                    scratch.stack.clear();
                    return false;
                }
                (Visit::Waiting, _) => *visit = Visit::Open,
            }
            scratch.stack.push((event, true));
            let add_cause = |cause: EventId, scratch: &mut Scratch| -> bool {
                match scratch.marks[cause.index()] {
                    // One that was not collected has happened.
                    (seen, _) if seen != round => true,
                    (_, Visit::Placed) => true,
                    (_, Visit::Open) => cause == event,
                    (_, Visit::Waiting) => {
                        scratch.stack.push((cause, false));
                        true
                    }
                }
            };
            let mut possible = true;
            let before = self.condition(self.event(event).before).producer;
            if before.is_some() {
                possible &= add_cause(before, scratch);
            }
            for touch in self.touches(event) {
                let producer = self.condition(touch.condition).producer;
                if producer.is_some() {
                    possible &= add_cause(producer, scratch);
                }
                let (seen, mut link) = scratch.readers[touch.condition.index()];
                if !matches!(touch.effect, Effect::Makes(_)) || seen != round {
                    continue;
                }
                while let Some(&(reader, rest)) = scratch.links.get(link as usize) {
                    possible &= add_cause(reader, scratch);
                    link = rest;
                }
            }
            if !possible {
                scratch.stack.clear();
                return false;
            }
        }
        true
    }
}
