//! Executions with few foreign reads, and executions with few preemptive switches, by brute force.
//!
//! **Reads from.** Two executions are of one class if their threads take the same steps and every read,
//! and every operation on a semaphore, takes its value from the same step. A step reads *foreign* values
//! if it reads variables and one of them was written by another thread, unless starts and joins alone
//! order that write before it. All of this is the same for all interleavings of a trace, so every prefix
//! of a trace is looked at once.
//!
//! **Preemptions.** A step of another thread than the last one, although that one could have gone on.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::state::{Look, Names, State};
use super::{Failure, Refusal};
use crate::TestProgram;

/// All classes of executions of a program.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    /// Those whose executions end with all threads done, failed or cut.
    pub complete: BTreeMap<u128, Class>,
    /// By failure: the fewest foreign reads of a whole execution that shows it, deadlocked ones included.
    pub fewest: BTreeMap<Failure, u32>,
    /// By failure: the fewest foreign reads of an execution up to it.
    pub soonest: BTreeMap<Failure, u32>,
    /// The most foreign reads of any execution.
    pub most: u32,
}

/// A class of executions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Class {
    /// How many of its reads are foreign.
    pub foreign: u32,
    /// The threads that have such reads.
    pub readers: BTreeSet<Vec<u32>>,
    /// What fails in it.
    pub failures: BTreeSet<Failure>,
}

/// What there is to find with few preemptions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bounded {
    /// Final states.
    pub outcomes: BTreeSet<String>,
    /// Failures.
    pub failures: BTreeSet<Failure>,
    /// Who waits at which line.
    pub deadlocks: BTreeSet<String>,
    /// Whether there are executions with more preemptions.
    pub more: bool,
}

/// The name of a thread.
type Path = Rc<[u32]>;

/// Where the values of an execution come from.
#[derive(Clone, Default)]
struct Origins {
    last: HashMap<u32, (Path, u32)>,
    /// By thread: how many steps of each thread starts and joins order before its next one.
    ordered: HashMap<Path, HashMap<Path, u32>>,
    class: u128,
    foreign: u32,
    readers: BTreeSet<Vec<u32>>,
    failures: BTreeSet<Failure>,
}

impl Origins {
    fn note(&mut self, state: &State<'_>, thread: usize, threads: usize, look: &Look) {
        let name = state.path(thread);
        let index = state.steps_of(thread) - 1;
        let sources: Vec<(u32, Option<(Path, u32)>)> = look
            .reads
            .iter()
            .map(|location| (*location, self.last.get(location).cloned()))
            .collect();
        let ordered = self.ordered.entry(name.clone()).or_default();
        let is_foreign = |source: &Option<(Path, u32)>| {
            source.as_ref().is_some_and(|(writer, at)| {
                *writer != name && ordered.get(writer).copied().unwrap_or(0) <= *at
            })
        };
        if look.counts && sources.iter().any(|(_, source)| is_foreign(source)) {
            self.foreign += 1;
            self.readers.insert(name.to_vec());
        }
        let part = |seed: u64| {
            let mut hasher = DefaultHasher::new();
            (seed, &name, index, look.label).hash(&mut hasher);
            sources.hash(&mut hasher);
            u128::from(hasher.finish())
        };
        self.class = self.class.wrapping_add((part(1) << 64) | part(2));
        for location in &look.writes {
            self.last.insert(*location, (name.clone(), index));
        }
        if look.starts && state.threads() > threads {
            let mut inherited = self.ordered[&name].clone();
            inherited.insert(name.clone(), index + 1);
            self.ordered.insert(state.path(threads), inherited);
        }
        if let Some(other) = look.joins {
            let other_name = state.path(other);
            let theirs = self.ordered.get(&other_name).cloned().unwrap_or_default();
            let mine = self.ordered.entry(name.clone()).or_default();
            for (known, count) in theirs {
                let entry = mine.entry(known).or_default();
                *entry = (*entry).max(count);
            }
            mine.insert(other_name, state.steps_of(other));
        }
    }
}

/// All classes, in at most so many steps.
pub fn classes(program: &TestProgram, mut limit: u64) -> Result<Classes, Refusal> {
    let mut names = Names::default();
    let initial = State::initial(program.ast(), &mut names)?;
    let mut visited: FxHashSet<u128> = FxHashSet::default();
    visited.insert(initial.digest);
    let mut open = vec![(initial, Origins::default())];
    let mut found = Classes::default();
    while let Some((state, origins)) = open.pop() {
        found.most = found.most.max(origins.foreign);
        let mut moved = false;
        for thread in (0..state.threads()).filter(|&thread| state.is_ready(thread)) {
            moved = true;
            for alternative in state.alternatives(thread) {
                limit = limit.checked_sub(1).ok_or(Refusal::TooBig)?;
                let mut next = state.clone();
                let (failure, look) = next.step_looking(&mut names, thread, alternative)?;
                let mut origins = origins.clone();
                origins.note(&next, thread, state.threads(), &look);
                if let Some(failure) = failure {
                    let soonest = found.soonest.entry(failure.clone()).or_insert(u32::MAX);
                    *soonest = (*soonest).min(origins.foreign);
                    origins.failures.insert(failure);
                }
                next.races.clear();
                if visited.insert(next.digest) {
                    open.push((next, origins));
                }
            }
        }
        if !moved {
            for failure in &origins.failures {
                let fewest = found.fewest.entry(failure.clone()).or_insert(u32::MAX);
                *fewest = (*fewest).min(origins.foreign);
            }
        }
        if !moved && !state.has_waiting() {
            let Origins { class, foreign, readers, failures, .. } = origins;
            found.complete.insert(class, Class { foreign, readers, failures });
        }
    }
    Ok(found)
}

/// What there is to find with at most so many preemptions, in at most so many steps.
pub fn with_preemptions(
    program: &TestProgram,
    bound: u32,
    mut limit: u64,
) -> Result<Bounded, Refusal> {
    let mut names = Names::default();
    let mut open = vec![(State::initial(program.ast(), &mut names)?, None, 0)];
    let mut visited: FxHashSet<(u128, Option<usize>, u32)> = FxHashSet::default();
    let mut found = Bounded::default();
    while let Some((state, last, used)) = open.pop() {
        let mut moved = false;
        for thread in (0..state.threads()).filter(|&thread| state.is_ready(thread)) {
            moved = true;
            let preempts = last.is_some_and(|last| last != thread && state.is_ready(last));
            let used = used + u32::from(preempts);
            if used > bound {
                found.more = true;
                continue;
            }
            for alternative in state.alternatives(thread) {
                limit = limit.checked_sub(1).ok_or(Refusal::TooBig)?;
                let mut next = state.clone();
                let failure = next.step(&mut names, thread, alternative)?;
                found.failures.extend(failure);
                next.races.clear();
                if visited.insert((next.digest, Some(thread), used)) {
                    open.push((next, Some(thread), used));
                }
            }
        }
        if !moved {
            found.deadlocks.extend(state.waiting());
            found.outcomes.extend(state.outcomes(program.ast()));
        }
    }
    Ok(found)
}

/// The class of the execution with these steps, each the path of a thread and an alternative, and how many
/// of its reads are foreign. Nothing if the steps are no execution.
pub fn class_of(program: &TestProgram, steps: &[(Vec<u32>, u32)]) -> Option<(u128, u32)> {
    let mut names = Names::default();
    let mut state = State::initial(program.ast(), &mut names).ok()?;
    let mut origins = Origins::default();
    for (path, alternative) in steps {
        let thread = (0..state.threads()).find(|&thread| *state.path(thread) == **path)?;
        if !state.is_ready(thread) || !state.alternatives(thread).contains(alternative) {
            return None;
        }
        let threads = state.threads();
        let (_, look) = state.step_looking(&mut names, thread, *alternative).ok()?;
        origins.note(&state, thread, threads, &look);
    }
    Some((origins.class, origins.foreign))
}
