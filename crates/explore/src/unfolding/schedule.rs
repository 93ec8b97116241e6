//! Ways to an extension: from the start, or from where an execution stands.
//!
//! The schedule to an extension is its causal past (chapters 3.5 and 5.5). From the middle of an
//! execution an extension can still be reached if the execution has neither taken what the extension
//! needs nor what its past reads, and, in a regular net, has read nothing that the past takes.

use counterpoint_model::Op;

use super::Unfolding;
use super::net::{ConditionId, EventId, EventStatus, Key};

impl Unfolding {
    /// The causal past of an extension in an order in which it can happen, the one that begins as far as possible like an
    /// execution. The marking is left at the end of what they have in common.
    pub(super) fn schedule_to(
        &mut self,
        target: EventId,
        execution: &[EventId],
        schedule: &mut Vec<EventId>,
    ) -> bool {
        self.gather_past(target);
        debug_assert!(
            self.is_possible(target),
            "only extensions on concurrent conditions are proposed"
        );
        let Unfolding { net, cut, marking, scratch, .. } = self;
        let mut same = execution.iter().take_while(|event| net.includes(cut, **event)).count();
        marking.go_to(net, &execution[..same]);
        if net.contextual && net.crosses(cut, &marking.cut) {
            // What it has taken can be read no more.
            same = 0;
            marking.go_to(net, &[]);
        }
        let Some(ordered) = net.linearise_after(&marking.cut, cut, scratch) else { return false };
        schedule.clear();
        schedule.extend_from_slice(&execution[..same]);
        schedule.extend_from_slice(ordered);
        true
    }

    /// Whether the conditions that an extension needs can hold at once.
    fn is_possible(&mut self, target: EventId) -> bool {
        let reads = self.net.after_reads(target).map(|read| self.net.event(read).after);
        let conditions: Vec<ConditionId> = std::iter::once(self.net.event(target).before)
            .chain(self.net.chosen(target))
            .chain(reads)
            .collect();
        self.union(&conditions).is_some()
    }

    /// Whether the present execution can still come to an extension.
    pub(super) fn is_within_reach(&mut self, target: EventId) -> bool {
        let event = self.net.event(target);
        let conditions = std::iter::once(event.before).chain(self.net.chosen(target));
        for condition in conditions {
            let place = self.net.condition(condition).place;
            if self.net.depth_at(&self.marking.cut, place) > self.net.condition(condition).depth
                || !self.net.agree(&self.marking.cut, self.net.past(condition))
            {
                return false;
            }
        }
        self.gather_past(target);
        // What was taken can be read no more.
        let (cut, past) = (&self.marking.cut, &self.cut);
        if !self.net.agree(cut, past) || self.net.crosses(past, cut) {
            return false;
        }
        if self.net.contextual {
            return true;
        }
        if self.net.crosses(cut, past) {
            return false;
        }
        // Reads of the execution that the extension does not come after would be in conflict.
        let process = self.net.event(target).process;
        let mut reads = std::mem::take(&mut self.reads);
        reads.clear();
        for (want, condition) in self
            .net
            .station(self.net.event(target).before)
            .wants
            .iter()
            .zip(self.net.chosen(target))
        {
            if want.takes && self.net.holds(&self.marking.cut, want.place) == condition {
                self.marking.reads(want.place, process, &mut reads);
            }
        }
        let all = reads.iter().all(|&read| {
            let after = self.net.event(read).after;
            self.net.is_above(after, self.net.holds(&self.cut, self.net.condition(after).place))
        });
        self.reads = reads;
        all
    }

    /// Whether an extension only looks at something that the past of the target takes, and one
    /// execution can perform first the one and then the other.
    pub(super) fn reads_before(
        &mut self,
        read: EventId,
        target: EventId,
        past: &[ConditionId],
    ) -> bool {
        let (before, goal) = (self.net.event(read).before, self.net.event(target).before);
        let station = self.net.station(before);
        if station.wants.is_empty() || station.wants.iter().any(|want| want.takes) {
            return false;
        }
        let taken = |c: ConditionId| self.net.takes(past, c);
        let same_process = self.net.condition(before).place == self.net.condition(goal).place;
        if same_process || taken(before) || !self.net.chosen(read).any(taken) {
            return false;
        }
        self.gather_past(read);
        let own = &self.cut;
        let spoilt = |c: ConditionId| self.net.takes(own, c);
        !spoilt(goal)
            && !self.net.chosen(target).any(spoilt)
            && self.net.agree(own, past)
            && !self.net.crosses(past, own)
    }

    /// The events of an extension's past that the execution has not performed, in order.
    pub(super) fn schedule_from_here(
        &mut self,
        target: EventId,
        schedule: &mut Vec<EventId>,
    ) -> bool {
        self.gather_past(target);
        let Unfolding { net, cut, marking, scratch, .. } = self;
        net.unite(cut, &marking.cut);
        let Some(ordered) = net.linearise_after(&marking.cut, cut, scratch) else { return false };
        schedule.clear();
        schedule.extend_from_slice(ordered);
        true
    }

    /// Proposes the other alternatives of an event, which became known when it was met.
    pub(super) fn propose_siblings(&mut self, event: EventId, count: u32) {
        let before = self.net.event(event).before;
        let chosen: Vec<ConditionId> = self.net.chosen(event).collect();
        let reads: Vec<EventId> = self.net.after_reads(event).collect();
        for alternative in 0..count {
            self.propose_alternative(Key { before, alternative, chosen: &chosen, reads: &reads });
        }
    }

    /// Whether the extension is still to be covered.
    pub(super) fn is_open(&self, target: EventId) -> bool {
        self.net.event(target).status == EventStatus::Extension && !self.is_known_read(target)
    }

    /// Whether the extension is an update that is already known to change nothing there.
    fn is_known_read(&self, target: EventId) -> bool {
        let event = self.net.event(target);
        if !matches!(self.net.station(event.before).op, Some(Op::Update(_))) {
            return false;
        }
        let chosen: Vec<ConditionId> = self.net.chosen(target).collect();
        let (before, alternative) = (event.before, event.alternative);
        let read = self.net.find(Key { before, alternative, chosen: &chosen, reads: &[] });
        read.is_some_and(|read| read != target && self.net.event(read).looks_only)
    }
}
