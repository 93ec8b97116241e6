//! Possible extensions: the events that could be added to the net next.
//!
//! **Problem.** For each new condition, find every event that would touch it and that could happen
//! in some marking, without looking at the whole net.
//!
//! **Idea** (chapters 4.2 to 4.6 and 5.6). From a thread condition `t`: the conditions of a wanted
//! place that are concurrent with `t` are a connected part of the place's tree (theorems 2, 3 and 4),
//! and the past of `t` leaves one of them. What lies above that one was taken, so a walk from there
//! downwards finds all, turning back at the first that is not concurrent. From a new condition `c` of a location: a thread
//! condition concurrent with `c` is concurrent with the condition above `c` too (lemma 5), where it
//! is on record ([`Net::pending`](super::net::Net::pending)). From a new read, in a regular net:
//! the writes of the value read, so far on record without it, may now come after it.
//!
//! In both cases two conditions are compared that are each known to be concurrent with a third one, the parent of one of
//! them: their pasts can disagree only where both go beyond the past of the parent. So what the new one has
//! beyond it is found once, and the records around the parent ([`Neighbour`]) hold what the others have
//! beyond it of two processes. This refutes nine of ten pairs that are not concurrent without a look at their pasts, which are
//! many and far from each other in memory.
//!
//! We differ from the thesis in one thing: a held lock has a condition of its own. Then locks are
//! places like all others, the trees are connected without *alternative* conditions, and a process
//! that waits for a held lock is on record at the held condition, so that neither temporary unlock
//! events nor a list of thread conditions without events are needed.
//!
//! A write in a regular net chooses, besides the value, which of the reads of that value by others
//! come before it: every set of reads that is closed under causality and free of conflict. They
//! are enumerated newest first, so that each set is met once.
//!
//! **Invariant.** The `pending` list of a condition `c` holds exactly the thread conditions that want `c`'s place and are
//! concurrent with `c`; every event possible in some marking of the net is in it, covered or not.
//!
//! **Cost.** A concurrency check per adjacent condition, most of them by the record alone. In a contextual net, at most one per
//! condition of the place. In a regular net, the enumeration is proportional to the extensions it
//! finds times the reads of the value; there can be exponentially many.

use smallvec::SmallVec;

use super::Unfolding;
use super::net::{ConditionId, EventId, Key, Neighbour, PlaceId, Station};
use super::operation::{Guard, alternatives};

impl Unfolding {
    /// The extensions from a new thread condition.
    pub(super) fn extend_thread(&mut self, thread: ConditionId) {
        let station = self.net.station(thread);
        if station.op.is_none() {
            return;
        }
        match station.wants[..] {
            [] => self.propose_new(thread, &[]),
            [want] => {
                let mut conditions = std::mem::take(&mut self.concurrent);
                self.concurrent_conditions(thread, want.place, &mut conditions);
                for &condition in &conditions {
                    self.net.await_turn(thread, condition);
                }
                for &condition in &conditions {
                    self.consider(thread, &[condition], None);
                }
                self.concurrent = conditions;
            }
            _ => self.extend_several(thread),
        }
    }

    /// The extensions from a new thread condition that wants several places.
    fn extend_several(&mut self, thread: ConditionId) {
        let wants = self.net.station(thread).wants.clone();
        let mut found: Vec<Vec<ConditionId>> = Vec::with_capacity(wants.len());
        for want in &wants {
            let mut conditions = Vec::new();
            self.concurrent_conditions(thread, want.place, &mut conditions);
            for &condition in &conditions {
                self.net.await_turn(thread, condition);
            }
            found.push(conditions);
        }
        self.combine(thread, &found, None);
        self.net.known.insert(thread, found);
    }

    /// The extensions from a new condition of a location.
    pub(super) fn extend_location(&mut self, condition: ConditionId) {
        let parent = self.net.parent(condition);
        if self.net.pending(parent).is_empty() {
            return;
        }
        let place = self.net.condition(condition).place;
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        let mut beyond = std::mem::take(&mut self.beyond);
        beyond.set(self.net.past(condition), self.net.past(parent));
        let possible = |waiting: &&Neighbour| self.net.may_agree(&beyond, waiting);
        candidates.extend(self.net.pending(parent).iter().filter(possible));
        for waiting in &candidates {
            let thread = waiting.thread;
            let (own, past) = (self.net.cuts.get(waiting.past), self.net.past(condition));
            if !self.net.agree_beyond(&beyond, own)
                || !self.net.can_be_ordered(own, past, &mut self.scratch)
            {
                continue;
            }
            self.net.await_still(*waiting, condition);
            if self.net.station(thread).wants.len() == 1 {
                self.consider(thread, &[condition], None);
                continue;
            }
            let choices = self.choices_with(thread, condition);
            self.combine(thread, &choices, None);
            let wanted = self.net.station(thread).wants.iter().position(|w| w.place == place);
            if let (Some(wanted), Some(known)) = (wanted, self.net.known.get_mut(&thread)) {
                known[wanted].push(condition);
            }
        }
        self.candidates = candidates;
        self.beyond = beyond;
    }

    /// The extensions that come after a new racy read, in a regular net.
    pub(super) fn extend_read(&mut self, read: EventId, condition: ConditionId) {
        if self.net.contextual {
            return;
        }
        let (reader, after) = (self.net.event(read).process, self.net.event(read).after);
        let place = self.net.condition(condition).place;
        for index in 0..self.net.pending(condition).len() {
            let thread = self.net.pending(condition)[index].thread;
            let station = self.net.station(thread);
            let takes = station.wants.iter().any(|want| want.place == place && want.takes);
            if !takes || station.process == reader {
                continue;
            }
            if station.wants.len() == 1 {
                self.consider(thread, &[condition], Some(after));
            } else {
                let choices = self.choices_with(thread, condition);
                self.combine(thread, &choices, Some(after));
            }
        }
    }

    /// Per want of a thread condition with several the conditions known to be concurrent with it;
    /// at the place of this one, only this one.
    fn choices_with(&self, thread: ConditionId, condition: ConditionId) -> Vec<Vec<ConditionId>> {
        let place = self.net.condition(condition).place;
        let station = self.net.station(thread);
        let mut choices = self.net.known.get(&thread).cloned().unwrap_or_default();
        for (want, choices) in station.wants.iter().zip(&mut choices) {
            if want.place == place {
                *choices = vec![condition];
            }
        }
        choices
    }

    /// Sets a list to the conditions of a place that are concurrent with a thread condition.
    fn concurrent_conditions(
        &mut self,
        thread: ConditionId,
        place: PlaceId,
        found: &mut Vec<ConditionId>,
    ) {
        let start = self.net.holds(self.net.past(thread), place);
        found.clear();
        found.push(start);
        let mut open: SmallVec<[ConditionId; 16]> = SmallVec::new();
        open.push(start);
        let past = self.net.past(thread);
        while let Some(condition) = open.pop() {
            let children = self.net.children(condition);
            if children.is_empty() {
                continue;
            }
            self.beyond.set(past, self.net.past(condition));
            for child in children {
                if !self.net.may_agree(&self.beyond, child) {
                    continue;
                }
                let other = self.net.cuts.get(child.past);
                if self.net.agree_beyond(&self.beyond, other)
                    && self.net.can_be_ordered(past, other, &mut self.scratch)
                {
                    found.push(child.condition);
                    open.push(child.condition);
                }
            }
        }
    }

    /// Considers every combination of conditions, one per want.
    fn combine(
        &mut self,
        thread: ConditionId,
        choices: &[Vec<ConditionId>],
        after: Option<ConditionId>,
    ) {
        let mut open: Vec<Vec<ConditionId>> = vec![Vec::with_capacity(choices.len())];
        while let Some(chosen) = open.pop() {
            let Some(options) = choices.get(chosen.len()) else {
                self.consider(thread, &chosen, after);
                continue;
            };
            open.extend(options.iter().map(|&option| {
                let mut chosen = chosen.clone();
                chosen.push(option);
                chosen
            }));
        }
    }

    /// Proposes the events from a thread condition on one concurrent condition per want, where
    /// given only those that come after another process has made a condition of its own.
    fn consider(
        &mut self,
        thread: ConditionId,
        chosen: &[ConditionId],
        after: Option<ConditionId>,
    ) {
        let station = self.net.station(thread);
        let mut wants = station.wants.iter().zip(chosen);
        if !wants.all(|(want, &condition)| self.net.admits(thread, *want, condition)) {
            return;
        }
        let mut taken = station.wants.iter().zip(chosen).filter(|(want, _)| want.takes);
        let has_reads = !self.net.contextual && taken.any(|(_, &c)| !self.net.reads(c).is_empty());
        if chosen.len() == 1 && !has_reads {
            // It is considered again only when it has been read.
            self.propose_new(thread, chosen);
            return;
        }
        let all: Vec<ConditionId> = std::iter::once(thread).chain(chosen.iter().copied()).collect();
        let with_reader: Vec<ConditionId> = all.iter().copied().chain(after).collect();
        let Some(union) = self.union(&with_reader) else { return };
        let hold = |c: &ConditionId| self.net.holds(&union, self.net.condition(*c).place) == *c;
        if all.iter().all(hold) {
            self.choose_reads(thread, chosen, union);
        }
    }

    /// Proposes an event for every set of reads of the taken conditions that can come before it and
    /// contains those of the configuration.
    fn choose_reads(
        &mut self,
        thread: ConditionId,
        chosen: &[ConditionId],
        base: Vec<ConditionId>,
    ) {
        let station = self.net.station(thread);
        let process = station.process;
        let mut reads: Vec<EventId> = Vec::new();
        if !self.net.contextual {
            for (_, &condition) in station.wants.iter().zip(chosen).filter(|(want, _)| want.takes) {
                let others = |read: &&EventId| self.net.event(**read).process != process;
                reads.extend(self.net.reads(condition).iter().filter(others));
            }
        }
        reads.sort_unstable_by_key(|&read| std::cmp::Reverse(self.net.event(read).number));
        let mut open = vec![(base, 0)];
        while let Some((union, index)) = open.pop() {
            let Some(&read) = reads.get(index) else {
                let last = self.last_reads(&union, &reads);
                self.propose(thread, chosen, &last);
                continue;
            };
            let after = self.net.event(read).after;
            let place = self.net.condition(after).place;
            let included = self.net.is_above(after, self.net.holds(&union, place));
            let past = self.net.past(after);
            let holds = |c: ConditionId| {
                let condition = self.net.condition(c);
                self.net.depth_at(past, condition.place) <= condition.depth
            };
            let possible = !included
                && holds(thread)
                && chosen.iter().all(|&c| holds(c))
                && self.net.compatible(&union, past, &mut self.scratch);
            if possible {
                let mut more = union.clone();
                self.net.unite(&mut more, past);
                open.push((more, index + 1));
            }
            open.push((union, index + 1));
        }
    }

    /// The last of these reads by each process in a configuration, in order.
    fn last_reads(&self, union: &[ConditionId], reads: &[EventId]) -> Vec<EventId> {
        let mut last: Vec<EventId> = Vec::new();
        // Newest first: the first one met of a process is its last.
        for &read in reads {
            let event = self.net.event(read);
            let place = self.net.condition(event.after).place;
            let included = self.net.is_above(event.after, self.net.holds(union, place));
            let known = last.iter().any(|&other| self.net.event(other).process == event.process);
            if included && !known {
                last.push(read);
            }
        }
        last.sort_unstable();
        last
    }

    /// The configuration of the pasts of these conditions, if they are free of conflict.
    pub(super) fn union(&mut self, conditions: &[ConditionId]) -> Option<Vec<ConditionId>> {
        let mut union: Vec<ConditionId> = Vec::new();
        for &condition in conditions {
            let past = self.net.past(condition);
            if !self.net.compatible(&union, past, &mut self.scratch) {
                return None;
            }
            self.net.unite(&mut union, past);
        }
        Some(union)
    }

    /// Adds the events with this thread condition and these conditions and reads, one for each
    /// alternative known so far, unless they are there.
    fn propose(&mut self, thread: ConditionId, chosen: &[ConditionId], reads: &[EventId]) {
        let Some(op) = self.net.station(thread).op else { return };
        for alternative in 0..alternatives(op) {
            self.propose_alternative(Key { before: thread, alternative, chosen, reads });
        }
    }

    /// The same where the thread condition or the condition is new, so that no such event can be there.
    fn propose_new(&mut self, thread: ConditionId, chosen: &[ConditionId]) {
        let Station { process, op: Some(op), .. } = *self.net.station(thread) else { return };
        for alternative in 0..alternatives(op) {
            let key = Key { before: thread, alternative, chosen, reads: &[] };
            debug_assert!(self.net.find(key).is_none(), "no event is proposed twice");
            self.extensions.push(self.net.propose(process, key));
        }
    }

    /// Adds one event unless it is there.
    pub(super) fn propose_alternative(&mut self, key: Key<'_>) {
        if self.net.find(key).is_none() {
            let process = self.net.station(key.before).process;
            let event = self.net.propose(process, key);
            self.extensions.push(event);
        }
    }

    /// Whether the operation at a thread condition must be tried to know if it is possible.
    pub(super) fn is_guarded(&self, thread: ConditionId) -> bool {
        self.net.station(thread).wants.iter().any(|want| want.guard == Guard::Trial)
    }
}
