//! What processes wait for, and which locks they hold meanwhile, noted while a net grows.
//!
//! **Problem.** To find out that a net has no deadlock that is not known, [`wait_patterns`](super::wait_patterns) looks at
//! every pair of a waiting process and a lock that is held. There are several of them for each event, far from each other in
//! memory, and for most programs the answer is that nobody waits with a lock in its hands.
//!
//! **Idea.** When a process comes to an operation that can block, or to its end, the locks that it holds there are in its
//! past. Kinds of waiting (where it stands and which locks it holds) are few, and each is noted once. Whoever waits for a
//! lock in a dead marking waits for a process that has stopped with this lock in its hands, so that its kind of waiting,
//! or of having ended, is among those noted. What they allow is combined as `wait_patterns` does.
//!
//! **Invariant.** The list has the deadlock of every dead marking of the net. In such a marking a process waits for a held lock
//! `r` of a place; `r` was made by another process, or by itself, which now stands at `u`. As `r` was not taken, it is what
//! the past of `u` has at the place: it is what `u` was noted with. This holds for locks and for waiting for the end of a
//! process; if there is any other reason to wait, there is no list.
//!
//! **Cost.** A look at the locks that a process has ever held, for each of its conditions where it can wait.

use counterpoint_model::Pid;
use smallvec::SmallVec;

use super::cut;
use super::deadlock::WaitingProcess;
use super::net::{ConditionId, Net, PlaceId};
use super::operation::Guard;
use super::wait_patterns::{MOST_PATTERNS, Needs, Pattern, PossibleDeadlocks, combine};

/// So many kinds of waiting are noted; where there are more, there is no list.
const MOST_KINDS: usize = 256;

/// The kinds of waiting of a net.
#[derive(Default)]
pub(super) struct Waiting {
    kinds: Vec<Kind>,
    /// Per station the kinds there.
    at: Vec<SmallVec<[u16; 2]>>,
    /// Per process the places of the locks that it has taken.
    taken: Vec<SmallVec<[PlaceId; 4]>>,
    /// Whether there may be waiting of which nothing is noted.
    incomplete: bool,
}

/// A place in a process's code where it waits or has ended, and what it holds there.
struct Kind {
    /// Its number in [`Net::stations`].
    station: u32,
    held: SmallVec<[PlaceId; 4]>,
    /// Whether the process whose end it waits for, if it does, was always seen to have begun.
    begun: bool,
}

impl Waiting {
    /// A process takes a lock.
    pub fn takes(&mut self, process: Pid, lock: PlaceId) {
        if self.taken.len() <= process.index() {
            self.taken.resize(process.index() + 1, SmallVec::new());
        }
        let taken = &mut self.taken[process.index()];
        if !taken.contains(&lock) {
            taken.push(lock);
        }
    }

    /// There is a kind of waiting that is not noted.
    fn give_up(&mut self) {
        *self = Waiting { incomplete: true, ..Waiting::default() };
    }

    fn note(&mut self, station: u32, held: &[PlaceId], begun: bool) {
        let index = station as usize;
        if self.at.len() <= index {
            self.at.resize(index + 1, SmallVec::new());
        }
        let kinds = &mut self.kinds;
        let known = self.at[index].iter().find(|&&kind| kinds[usize::from(kind)].held[..] == *held);
        if let Some(&known) = known {
            kinds[usize::from(known)].begun &= begun;
            return;
        }
        if kinds.len() == MOST_KINDS {
            self.give_up();
            return;
        }
        self.at[index].push(u16::try_from(kinds.len()).expect("there are few kinds"));
        kinds.push(Kind { station, held: SmallVec::from_slice(held), begun });
    }
}

impl Net {
    /// Takes note of what the process of a thread condition with this station waits for, and with which locks.
    pub(super) fn note_waiting(&mut self, thread: ConditionId, number: u32) {
        if self.waiting.incomplete {
            return;
        }
        let station = &self.stations()[number as usize];
        let may_wait = station.wants.iter().any(|want| want.guard != Guard::Open);
        if station.op.is_some() && !may_wait {
            return;
        }
        let process = station.process;
        let unclear = |guard| matches!(guard, Guard::Woken | Guard::Trial);
        if station.wants.iter().any(|want| unclear(want.guard)) {
            self.waiting.give_up();
            return;
        }
        let past = self.past(thread);
        let has_begun = |guard| match guard {
            Guard::Ended(other) => {
                let own = self.place_of(other);
                own.is_some() && cut::at(past, own).is_some()
            }
            _ => true,
        };
        let begun = station.wants.iter().all(|want| has_begun(want.guard));
        let mut held: SmallVec<[PlaceId; 4]> = SmallVec::new();
        for &lock in self.waiting.taken.get(process.index()).into_iter().flatten() {
            let last = cut::at(past, lock);
            if !last.is_some() {
                continue;
            }
            let last = self.condition(last);
            if last.held && self.event(last.producer).process == process {
                held.push(lock);
            }
        }
        self.waiting.note(number, &held, begun);
    }

    /// The combinations of waiting processes that dead markings can have, by what was noted of them; none if there are too
    /// many, or if somebody may wait for something else.
    pub(super) fn noted_deadlocks(&self) -> Option<PossibleDeadlocks> {
        let Waiting { kinds, taken, incomplete, .. } = &self.waiting;
        if *incomplete || self.has_blocked {
            return None;
        }
        let station = |kind: &Kind| &self.stations()[kind.station as usize];
        let with = |lock: PlaceId| kinds.iter().filter(move |kind| kind.held.contains(&lock));
        let mut patterns: Vec<Pattern> = Vec::new();
        // Per pattern the kinds that it stands for.
        let mut stands_for: Vec<SmallVec<[usize; 2]>> = Vec::new();
        for (number, kind) in kinds.iter().enumerate() {
            let waiting = station(kind);
            for want in &waiting.wants {
                let mut add = |holder: Option<Pid>, needs: Needs| {
                    let told = WaitingProcess::at(waiting, want.place, holder);
                    match patterns.iter().position(|pattern| pattern.waiting == told) {
                        Some(known) => {
                            if matches!(needs, Needs::Anything) {
                                patterns[known].needs = needs;
                            }
                            stands_for[known].push(number);
                        }
                        None => {
                            patterns.push(Pattern { waiting: told, needs });
                            stands_for.push(SmallVec::from_slice(&[number]));
                        }
                    }
                };
                match want.guard {
                    Guard::Open => {}
                    Guard::Woken | Guard::Trial => return None,
                    Guard::Free => {
                        let mut holders: Vec<Pid> =
                            with(want.place).map(|kind| station(kind).process).collect();
                        holders.sort_unstable();
                        holders.dedup();
                        // Nobody waits for itself without holding what it waits for.
                        holders.retain(|&process| {
                            process != waiting.process || kind.held.contains(&want.place)
                        });
                        for &process in &holders {
                            add(Some(process), Needs::Stop { process, ways: 0, ended: false });
                        }
                    }
                    Guard::Ended(process) => {
                        if taken.iter().flatten().any(|&lock| lock == want.place) {
                            return None;
                        }
                        let waits = Needs::Stop { process, ways: u64::MAX, ended: false };
                        add(None, if kind.begun { waits } else { Needs::Anything });
                    }
                }
            }
            if patterns.len() > MOST_PATTERNS {
                return None;
            }
        }
        // Per lock and holder: as what the holder can have stopped.
        for number in 0..patterns.len() {
            let WaitingProcess { place, holder: Some(holder), .. } = patterns[number].waiting
            else {
                continue;
            };
            let is_so = |kind: &Kind| kind.held.contains(&place);
            let mut found = 0;
            for (other, pattern) in patterns.iter().enumerate() {
                let can = stands_for[other].iter().any(|&kind| is_so(&kinds[kind]));
                found |= u64::from(pattern.waiting.process == holder && can) << other;
            }
            let may_end = with(place)
                .any(|kind| station(kind).process == holder && station(kind).op.is_none());
            if let Needs::Stop { ways, ended, .. } = &mut patterns[number].needs {
                (*ways, *ended) = (found, may_end);
            }
        }
        combine(&patterns)
    }
}
