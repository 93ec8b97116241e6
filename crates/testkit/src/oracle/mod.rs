//! What there is to find in a program, by brute force.
//!
//! **Problem.** Explorers are clever, so something must be there that is not: it enumerates every
//! interleaving of steps with every value of every input, and counts traces by comparing them.
//!
//! **Idea.** A [`State`](state::State) is a plain value that is cloned for every step. Executions
//! that differ only in inputs and take the same branches are walked together: a state holds one
//! *world* for each assignment of the inputs read so far, and a branch that depends on an input
//! shares the worlds out between its sides. So a step of the oracle is a step of a run with unknowns.
//!
//! A trace is written down canonically as its set of events, each with its process, its number
//! there, what it did and touched, the alternative it took and its vector clock. The set is kept as
//! the sum of 128-bit digests of its members. Equal sets mean equal states, so [`enumerate`] visits
//! each set once; [`enumerate_plainly`] does not rely on that and walks every interleaving, to show
//! that the two agree.
//!
//! Data races are found on the way, by a happens-before relation of their own (`state/races.rs`).
//!
//! **Cost.** Proportional to the number of trace prefixes, or of interleavings; a limit on the
//! steps taken turns what is too big into an error.

mod bounded;
mod state;

pub use bounded::{Bounded, Class, Classes, class_of, classes, with_preemptions};

use std::collections::{BTreeMap, BTreeSet};

use counterpoint_model::FindingKind;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::TestProgram;
use state::{Names, State};

/// Everything that can happen in a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Findings {
    /// The final states, in the form of [`FinalState`](crate::outcome::FinalState).
    pub outcomes: BTreeSet<String>,
    /// The failures.
    pub failures: BTreeSet<Failure>,
    /// The deadlocks: who waits at which line.
    pub deadlocks: BTreeSet<String>,
    /// The data races.
    pub races: BTreeSet<Race>,
    /// How many Mazurkiewicz traces there are, deadlocked ones included.
    pub traces: u64,
    /// How many of them deadlock.
    pub deadlocked: u64,
    /// How many of them end because something is not supported.
    pub cut: u64,
    /// How many sequences of steps there are.
    pub interleavings: u128,
    /// The digests of the local states of each process, by path.
    pub local_states: BTreeMap<Vec<u32>, BTreeSet<u64>>,
}

/// A failure of the program.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Failure {
    /// What kind.
    pub kind: FindingKind,
    /// What happened.
    pub message: String,
    /// The line in the printed program.
    pub line: u32,
}

/// Two accesses to a variable that no synchronisation orders, in some execution.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Race {
    /// The variable, or the array with the index of the element.
    pub variable: String,
    /// The lines, and whether they write, in order.
    pub accesses: [(u32, bool); 2],
}

/// A state of the whole program between two steps.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct GlobalState {
    /// What the declared variables hold, by location.
    pub values: Vec<i32>,
    /// The lines where the threads that are not done stand, by path.
    pub lines: BTreeMap<Vec<u32>, u32>,
}

/// Why the oracle does not answer.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It would take more steps than allowed.
    TooBig,
    /// There is an input without bounds.
    Unbounded,
}

/// What there is to find, visiting each prefix of a trace once, in at most so many steps.
pub fn enumerate(program: &TestProgram, limit: u64) -> Result<Findings, Refusal> {
    StateSearch::run(program, limit, true)
}

/// What there is to find, walking every interleaving.
pub fn enumerate_plainly(program: &TestProgram, limit: u64) -> Result<Findings, Refusal> {
    StateSearch::run(program, limit, false)
}

/// All states that can be reached, in at most so many steps.
pub fn global_states(
    program: &TestProgram,
    mut limit: u64,
) -> Result<BTreeSet<GlobalState>, Refusal> {
    let mut names = Names::default();
    let mut open = vec![State::initial(program.ast(), &mut names)?];
    let mut visited: FxHashSet<u128> = open.iter().map(|state| state.digest).collect();
    let mut states = BTreeSet::new();
    while let Some(state) = open.pop() {
        states.extend(state.global_states());
        for thread in (0..state.threads()).filter(|&thread| state.is_ready(thread)) {
            for alternative in state.alternatives(thread) {
                limit = limit.checked_sub(1).ok_or(Refusal::TooBig)?;
                let mut next = state.clone();
                next.step(&mut names, thread, alternative)?;
                if visited.insert(next.digest) {
                    open.push(next);
                }
            }
        }
    }
    Ok(states)
}

struct StateSearch<'a> {
    names: Names,
    findings: Findings,
    /// The interleavings that lead on from each prefix, by its digest; complete traces are here too.
    visited: FxHashMap<u128, u128>,
    /// By process number.
    local_states: FxHashSet<(usize, u64)>,
    /// How each trace ends: in a deadlock, or cut.
    ends: BTreeMap<u128, (bool, bool)>,
    memoise: bool,
    left: u64,
    program: &'a TestProgram,
}

impl<'a> StateSearch<'a> {
    fn run(program: &'a TestProgram, limit: u64, memoise: bool) -> Result<Findings, Refusal> {
        let mut search = StateSearch {
            names: Names::default(),
            findings: Findings::default(),
            visited: FxHashMap::default(),
            local_states: FxHashSet::default(),
            ends: BTreeMap::new(),
            memoise,
            left: limit,
            program,
        };
        let initial = State::initial(program.ast(), &mut search.names)?;
        search.findings.interleavings = search.explore(&initial)?;
        search.findings.traces = search.ends.len() as u64;
        let ends = search.ends.values();
        search.findings.deadlocked = ends.clone().filter(|(dead, _)| *dead).count() as u64;
        search.findings.cut = ends.filter(|(_, cut)| *cut).count() as u64;
        let paths = search.names.paths();
        for (number, state) in search.local_states {
            let states = search.findings.local_states.entry(paths[&number].clone());
            states.or_default().insert(state);
        }
        Ok(search.findings)
    }

    /// Explores what follows a state and counts the interleavings.
    fn explore(&mut self, state: &State<'a>) -> Result<u128, Refusal> {
        if self.memoise
            && let Some(&count) = self.visited.get(&state.digest)
        {
            return Ok(count);
        }
        self.local_states.extend(state.local_states());
        let mut count = 0;
        let mut moved = false;
        for thread in 0..state.threads() {
            if !state.is_ready(thread) {
                continue;
            }
            moved = true;
            for alternative in state.alternatives(thread) {
                self.left = self.left.checked_sub(1).ok_or(Refusal::TooBig)?;
                let mut next = state.clone();
                let failure = next.step(&mut self.names, thread, alternative)?;
                self.findings.failures.extend(failure);
                self.findings.races.extend(next.races.drain(..));
                count += self.explore(&next)?;
            }
        }
        if !moved {
            count = 1;
            self.end(state);
        }
        if self.memoise {
            self.visited.insert(state.digest, count);
        }
        Ok(count)
    }

    fn end(&mut self, state: &State<'a>) {
        let waiting = state.waiting();
        self.ends.insert(state.digest, (waiting.is_some(), state.is_cut()));
        self.findings.deadlocks.extend(waiting);
        self.findings.outcomes.extend(state.outcomes(self.program.ast()));
    }
}
