//! Which deadlocks a net can have at all, told by who waits where and for whom.
//!
//! **Problem.** The dead markings of a net are many, and the deadlocks that people are told of are few: philosophers
//! who each hold a fork can have come to that by thousands of pasts. A search that has shown the one deadlock there is
//! would still visit all its markings.
//!
//! **Idea.** A [`WaitingProcess`] forgets the pasts. The net has few of these, and a dead marking shows one for each process
//! that waits. What holds in every dead marking restricts which of them go together: whoever holds a lock that
//! another waits for has stopped before giving it back, so that it waits where it can with the lock in its hands, or has ended;
//! and a process that another joins and that has been started waits, too. All combinations that
//! keep this are listed. Once each of them is known, the search is over, and if there is none, it need not begin.
//!
//! **Invariant.** The list has the combination of every dead marking of the net. It may have others.
//!
//! **Cost.** Linear in the pairs of thread conditions and reasons, and bounded in the combinations: where there are
//! more, there is no list.

use counterpoint_model::Pid;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cut;
use super::deadlock::{Followers, KnownDeadlocks, WaitingProcess, stops_near};
use super::net::{Condition, ConditionId, Net, PlaceId};
use super::operation::Guard;

/// So many kinds of waiting are told apart, one bit for each.
pub(super) const MOST_PATTERNS: usize = 64;

/// So many combinations are looked at.
const MOST_COMBINATIONS: usize = 4096;

/// A kind of waiting, and what it takes for granted of another process.
pub(super) struct Pattern {
    pub waiting: WaitingProcess,
    pub needs: Needs,
}

/// What another process does in every marking in which somebody waits so.
pub(super) enum Needs {
    Anything,
    /// It waits in one of these ways, a bit for each, or has ended, if it can.
    Stop {
        process: Pid,
        ways: u64,
        ended: bool,
    },
}

/// Combinations of kinds of waiting, a bit for each kind.
#[derive(Default)]
pub(super) struct PossibleDeadlocks {
    kinds: Vec<WaitingProcess>,
    numbers: FxHashMap<WaitingProcess, usize>,
    combinations: Vec<u64>,
    /// Who keeps somebody waiting, at which place.
    holders: Vec<(PlaceId, Option<Pid>)>,
}

/// What is decided of a deadlock: who waits in which way, and which kinds of waiting are not part of it.
#[derive(Copy, Clone, Default)]
pub(super) struct Part {
    with: u64,
    without: u64,
}

impl Part {
    fn is_in(self, set: u64) -> bool {
        set & self.with == self.with && set & self.without == 0
    }
}

impl PossibleDeadlocks {
    fn new(kinds: Vec<WaitingProcess>, combinations: Vec<u64>) -> PossibleDeadlocks {
        let numbers = kinds.iter().copied().zip(0..).collect();
        let mut possible = PossibleDeadlocks { kinds, numbers, combinations, holders: Vec::new() };
        possible.note_holders();
        possible
    }

    fn note_holders(&mut self) {
        let all = self.combinations.iter().fold(0, |all, set| all | set);
        let holders =
            members(all).map(|number| (self.kinds[number].place, self.kinds[number].holder));
        self.holders = holders.collect();
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.combinations.is_empty()
    }

    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.combinations.len()
    }

    /// Those that are not known.
    pub fn beyond(mut self, known: &KnownDeadlocks) -> PossibleDeadlocks {
        let kinds = &self.kinds;
        self.combinations.retain(|&set| !known.contains(&told(kinds, set)));
        self.note_holders();
        self
    }

    /// Leaves out those that are not among others, too.
    pub fn keep_those_of(&mut self, others: &PossibleDeadlocks) {
        let among: FxHashSet<Vec<WaitingProcess>> =
            others.combinations.iter().map(|&set| told(&others.kinds, set)).collect();
        let kinds = &self.kinds;
        self.combinations.retain(|&set| among.contains(&told(kinds, set)));
    }

    /// Whether somebody waits for the process that made this condition of a lock, in one of them.
    pub fn is_held(&self, net: &Net, reason: ConditionId) -> bool {
        let Condition { place, producer, .. } = *net.condition(reason);
        let holder = Some(net.event(producer).process);
        self.holders.contains(&(place, holder))
    }

    /// Leaves out one.
    pub fn remove(&mut self, deadlock: &[WaitingProcess]) {
        let kinds = &self.kinds;
        self.combinations.retain(|&set| told(kinds, set) != deadlock);
    }

    /// Whether a deadlock with this part is possible.
    pub fn has(&self, part: Part) -> bool {
        self.combinations.iter().any(|&set| part.is_in(set))
    }

    /// This part with one more process that waits, if that is possible.
    pub fn with(&self, part: Part, waiting: &WaitingProcess) -> Option<Part> {
        let number = *self.numbers.get(waiting)?;
        let part = Part { with: part.with | 1 << number, ..part };
        self.has(part).then_some(part)
    }

    /// Whether a process waits in a deadlock with this part.
    pub fn may_wait(&self, part: Part, process: Pid) -> bool {
        let its = self.kinds_of(process);
        let possible = self.combinations.iter().filter(|set| part.is_in(**set));
        possible.fold(0, |all, set| all | set) & its != 0
    }

    fn kinds_of(&self, process: Pid) -> u64 {
        let its = (0..).zip(&self.kinds).filter(|(_, kind)| kind.process == process);
        its.fold(0, |all, (number, _)| all | 1 << number)
    }

    /// This part with one more process that has ended, if that is possible.
    pub fn without(&self, part: Part, process: Pid) -> Option<Part> {
        let part = Part { without: part.without | self.kinds_of(process), ..part };
        self.has(part).then_some(part)
    }
}

/// Who waits how in a combination, in order.
fn told(kinds: &[WaitingProcess], set: u64) -> Vec<WaitingProcess> {
    let mut waits: Vec<WaitingProcess> = members(set).map(|number| kinds[number]).collect();
    waits.sort_unstable();
    waits
}

/// The combinations of waiting processes that dead markings can have; none if there are too many.
pub(super) fn possible_deadlocks(
    net: &Net,
    followers: &Followers,
    pairs: &[(ConditionId, ConditionId)],
) -> Option<PossibleDeadlocks> {
    let mut numbers: FxHashMap<WaitingProcess, usize> = FxHashMap::default();
    let mut patterns: Vec<Pattern> = Vec::new();
    let mut at: Vec<u64> = vec![0; if pairs.is_empty() { 0 } else { net.conditions.len() }];
    let mut kinds: Vec<u8> = Vec::with_capacity(pairs.len());
    for &(thread, reason) in pairs {
        let waiting = WaitingProcess::of(net, thread, reason);
        let number = *numbers.entry(waiting).or_insert(patterns.len());
        if number == MOST_PATTERNS {
            return None;
        }
        if number == patterns.len() {
            let needs = match waiting.holder {
                Some(process) => Needs::Stop { process, ways: 0, ended: false },
                None => needs_of_join(net, thread, reason),
            };
            patterns.push(Pattern { waiting, needs });
        }
        at[thread.index()] |= 1 << number;
        kinds.push(number as u8);
    }
    let mut last = (ConditionId::NONE, 0, false);
    for (&(thread, reason), &kind) in pairs.iter().zip(&kinds) {
        let pattern = &mut patterns[usize::from(kind)];
        if pattern.waiting.holder.is_none() {
            if !matches!(needs_of_join(net, thread, reason), Needs::Stop { .. }) {
                pattern.needs = Needs::Anything;
            }
            continue;
        }
        if last.0 != reason {
            let (mut found, mut may_end) = (0, false);
            let all = stops_near(net, followers, reason, |thread| {
                found |= at[thread.index()];
                may_end |= net.station(thread).op.is_none();
                false
            });
            last = if all { (reason, found, may_end) } else { (reason, u64::MAX, true) };
        }
        if let Needs::Stop { ways, ended, .. } = &mut pattern.needs {
            *ways |= last.1;
            *ended |= last.2;
        }
    }
    combine(&patterns)
}

/// Who waits for the end of a process that has begun waits for one that has not ended.
fn needs_of_join(net: &Net, thread: ConditionId, reason: ConditionId) -> Needs {
    let place = net.condition(reason).place;
    let want = net.station(thread).wants.iter().find(|want| want.place == place);
    match want.map(|want| want.guard) {
        Some(Guard::Ended(process)) => {
            let own = net.place_of(process);
            let begun = own.is_some() && cut::at(net.past(thread), own).is_some();
            if !begun {
                return Needs::Anything;
            }
            Needs::Stop { process, ways: u64::MAX, ended: false }
        }
        _ => Needs::Anything,
    }
}

/// All combinations of patterns, at most one for each process, that have what they need.
pub(super) fn combine(patterns: &[Pattern]) -> Option<PossibleDeadlocks> {
    let mut processes: Vec<Pid> = patterns.iter().map(|pattern| pattern.waiting.process).collect();
    processes.sort_unstable();
    processes.dedup();
    let mut sets: Vec<u64> = vec![0];
    for process in processes {
        let own = |number: &usize| patterns[*number].waiting.process == process;
        let ways: Vec<usize> = (0..patterns.len()).filter(own).collect();
        if sets.len() * (1 + ways.len()) > MOST_COMBINATIONS {
            return None;
        }
        let with = |set: &u64| ways.iter().map(|number| set | 1 << number).collect::<Vec<u64>>();
        let more: Vec<u64> = sets.iter().flat_map(with).collect();
        sets.extend(more);
    }
    let has_its_needs = |set: u64, pattern: &Pattern| match pattern.needs {
        Needs::Anything => true,
        Needs::Stop { process, ways, ended } => {
            let mut its =
                members(set).filter(|number| patterns[*number].waiting.process == process);
            its.next().map_or(ended, |number| ways >> number & 1 == 1)
        }
    };
    let keeps =
        |set: &u64| *set != 0 && members(*set).all(|number| has_its_needs(*set, &patterns[number]));
    sets.retain(keeps);
    let kinds = patterns.iter().map(|pattern| pattern.waiting).collect();
    Some(PossibleDeadlocks::new(kinds, sets))
}

fn members(set: u64) -> impl Iterator<Item = usize> {
    (0..MOST_PATTERNS).filter(move |number| set >> number & 1 == 1)
}
