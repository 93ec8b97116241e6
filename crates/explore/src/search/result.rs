//! What an exploration has come to.

use counterpoint_model::{Bound, Finding, FindingKind, Likeness, Place, Verdict};
use serde::{Deserialize, Serialize};

use crate::portion::Portion;
use crate::work::WorkUnit;

/// Counts of an exploration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Complete executions, failing and deadlocked ones included.
    pub executions: u64,
    /// Executions started and given up as redundant.
    pub abandoned: u64,
    /// Executions that ended in a deadlock.
    pub deadlocks: u64,
    /// Of the executions, those that a limit or something unsupported has ended.
    pub cut: u64,
    /// Steps performed, those of shared beginnings once.
    pub events: u64,
    /// Length of the longest execution.
    pub longest: usize,
}

impl Statistics {
    /// Counts all that was done so far as given up.
    pub fn give_up(&mut self) {
        self.abandoned += std::mem::take(&mut self.executions);
        self.deadlocks = 0;
        self.cut = 0;
        self.events = 0;
    }

    /// Executions of both kinds: complete ones, and those given up.
    pub fn runs(&self) -> u64 {
        self.executions + self.abandoned
    }

    /// Adds what a later part has counted.
    pub fn add(&mut self, part: &Statistics) {
        self.executions += part.executions;
        self.abandoned += part.abandoned;
        self.deadlocks += part.deadlocks;
        self.cut += part.cut;
        self.events += part.events;
        self.longest = self.longest.max(part.longest);
    }
}

/// A failure and how many executions showed it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The evidence.
    pub finding: Finding,
    /// How many executions showed it.
    pub count: u64,
    /// Whether none of those that count has, so that the one that found it stands for them.
    pub uncounted: bool,
}

impl Found {
    /// Found, and shown by so many executions.
    pub fn new(finding: Finding, count: u64) -> Found {
        Found { finding, count, uncounted: false }
    }

    /// The same, shown by the execution that found it if by no other.
    pub fn shown(self) -> Found {
        let uncounted = self.uncounted || self.count == 0;
        Found { count: self.count.max(1), uncounted, ..self }
    }

    /// More executions have shown it.
    pub fn add(&mut self, count: u64) {
        if count > 0 && std::mem::take(&mut self.uncounted) {
            self.count = 0;
        }
        self.count += count;
    }

    /// What another part of the exploration has found is the same.
    pub fn add_like(&mut self, other: &Found) {
        match other.uncounted {
            true if self.count > 0 => {}
            true => (self.count, self.uncounted) = (other.count, true),
            false => self.add(other.count),
        }
    }

    /// All that was counted is counted again.
    pub fn forget_count(&mut self) {
        (self.count, self.uncounted) = (0, false);
    }
}

/// Where and why executions were cut, and how many.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    /// Why.
    pub reason: String,
    /// Where the process stood that could not go on, or that took the most steps.
    pub place: Place,
    /// How many executions.
    pub count: u64,
}

impl Cut {
    /// Adds cuts to a list in which each reason stands once for each place.
    pub fn add_all(list: &mut Vec<Cut>, more: impl IntoIterator<Item = Cut>) {
        for cut in more {
            let same = |known: &&mut Cut| known.reason == cut.reason && known.place == cut.place;
            match list.iter_mut().find(same) {
                Some(known) => known.count += cut.count,
                None => list.push(cut),
            }
        }
    }
}

/// The data races that executions showed. They are failures only if somebody asks for them; but what is
/// said about a program that has some holds for sequentially consistent executions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DataRaces {
    /// Those seen, each once.
    pub seen: Vec<NotedRace>,
    /// Whether the explorer need not see all that there are, although nothing is left to explore.
    pub overlooked: bool,
    /// Who could race, as far as executions were looked at.
    pub threads: ThreadsSeen,
}

/// Whether several threads were seen to move.
///
/// The parts of an exploration are told apart by who has looked: the part that knows that its explorer overlooks races may
/// have seen no execution itself.
#[derive(
    Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
pub enum ThreadsSeen {
    /// Nobody has looked at an execution.
    #[default]
    Unknown,
    /// One in each execution that was looked at.
    One,
    /// Several in some execution.
    Several,
}

/// A data race that was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotedRace {
    /// What it is called, whichever object is concerned.
    pub name: String,
    /// What it is about.
    pub message: String,
    /// Where the two accesses are.
    pub places: Vec<Place>,
}

impl NotedRace {
    fn likeness(&self) -> Likeness<'_, Place> {
        let NotedRace { name, places, .. } = self;
        Likeness { kind: FindingKind::Race, name, places, waiting: &[] }
    }
}

impl DataRaces {
    /// Whether there may be some that the explorer did not see.
    pub fn may_be_overlooked(&self) -> bool {
        self.overlooked && self.threads != ThreadsSeen::One
    }

    /// Adds what another part of the exploration has seen.
    pub fn add(&mut self, part: DataRaces) {
        self.overlooked |= part.overlooked;
        self.threads = self.threads.max(part.threads);
        for race in part.seen {
            if !self.seen.iter().any(|known| known.likeness().is_one_with(&race.likeness())) {
                self.seen.push(race);
            }
        }
    }
}

/// The result of an exploration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exploration {
    /// Counts.
    pub statistics: Statistics,
    /// The bounds that were hit.
    pub bounds: Vec<Bound>,
    /// The failures, each once.
    pub findings: Vec<Found>,
    /// Where and why executions were cut.
    pub cuts: Vec<Cut>,
    /// The data races that were seen.
    pub races: DataRaces,
    /// What is left to explore.
    pub unexplored: Option<WorkUnit>,
    /// The explorer that did the work, if it was not the one that was asked.
    pub stand_in: Option<&'static str>,
    /// Findings whose replay disagreed: errors of this tool or of a front end.
    pub internal_errors: Vec<String>,
    /// What is left of a portion, and what was learnt.
    pub portion: Option<Box<Portion>>,
}

impl Exploration {
    /// What the result may claim.
    pub fn verdict(&self) -> Verdict {
        let is_bug = |found: &Found| found.finding.kind != FindingKind::Unsupported;
        Verdict::of(self.findings.iter().any(is_bug), &self.bounds)
    }
}

#[cfg(test)]
mod tests {
    use counterpoint_model::{FindingKind, Schedule};

    use super::*;

    fn found(count: u64) -> Found {
        let finding = Finding {
            kind: FindingKind::Deadlock,
            name: String::new(),
            message: String::new(),
            places: Vec::new(),
            waiting: Vec::new(),
            inputs: Vec::new(),
            schedule: Schedule { program: String::new(), inputs: Vec::new(), choices: Vec::new() },
        };
        Found::new(finding, count)
    }

    #[test]
    fn who_stands_for_executions_that_count_does_not_count_beside_them() {
        let mut alone = found(0).shown();
        assert_eq!(alone.count, 1);
        alone.add(0);
        assert_eq!(alone.count, 1);
        alone.add(2);
        alone.add(1);
        assert_eq!((alone.count, alone.uncounted), (3, false));
        let mut counted = found(2);
        counted.add_like(&found(0).shown());
        assert_eq!(counted.count, 2);
        let mut kept = found(0);
        kept.add_like(&found(0).shown());
        assert_eq!((kept.count, kept.uncounted), (1, true));
        kept.add_like(&found(4));
        assert_eq!(kept.count, 4);
    }
}
