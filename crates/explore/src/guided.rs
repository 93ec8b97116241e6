//! Only what can still come to what is looked for.
//!
//! **Problem.** Of all executions only a few end in a deadlock that an analysis of the program holds to be
//! possible. Exploring the others shows nothing.
//!
//! **Idea.** Chapter 4 of the thesis on active objects. The run is asked at each new state whether it can still
//! come to what the program is explored for ([`Prospect`]): if not, the derivation is stopped there (section
//! 4.3.2), and if it is there already, too, without waiting until nobody can move (early detection, section
//! 4.2). What the question is about, only the program knows.
//!
//! **Why this goes together with partial-order reduction.** Backtrack points from races, as in the other
//! explorers, do not: races are seen in what follows a state, and what follows is not looked at where a
//! derivation is stopped. Sleep sets do. From each state every process that can move and does not sleep is
//! tried. A sleeping step was tried before from an earlier state, and all that is independent of it
//! commutes with it; so an execution that is not tried because its first step sleeps is equivalent to one
//! that was tried. Whether a state can come to what is looked for depends on the state alone, equivalent
//! executions lead to the same states, and a question that is never wrongly answered with no stops none
//! that gets there.
//!
//! An execution that is there while some step sleeps is counted as given up: with the sleeping step first,
//! it got there before. So no two executions that count are parts of equivalent ones, and there are
//! never more of them than an explorer of all traces counts.
//!
//! Steps that only decide something about inputs come right after the step before them, as elsewhere:
//! they are independent of all steps of others.
//!
//! **Who need not go first.** The run also says which processes need not be tried from a state, because they have no part
//! in what is looked for, or because another one may as well go first
//! ([`Run::retain_first_steps`](counterpoint_model::Run::retain_first_steps)). If what is left sleeps, all that
//! follows was tried before.
//!
//! **Dead ends.** Sleep sets alone come to the same state again and again, on ways that are not equivalent, or with
//! other steps asleep. A state from which nothing was found is remembered with the steps that slept there
//! (Godefroid 1996, state-space caching). Who comes there again while at least those steps sleep finds nothing
//! either. States from which something was found are not remembered, since each execution is to be
//! counted, nor are those below which a limit was met, nor any as long as no question was answered with more than
//! perhaps. Dead ends are not saved: an exploration in pieces finds the same and may give up more on the way.
//!
//! **Invariant.** What is looked for and can be reached is reached. Executions stopped on the way are counted as
//! abandoned. Without a question this is exploration with sleep sets: each trace once.
//!
//! **Cost.** The question is asked once for each state. Where nothing can be found, a state is visited once for each
//! set of steps asleep that includes no earlier one; where something can, once for each trace. A digest for each
//! state with several steps to take, and some thirty bytes for each dead end, of which at most
//! [`MOST_DEAD_ENDS`] are remembered.

use counterpoint_model::{Choice, Pid, Prospect};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::depth_first::{self, Engine, Halt, Strategy};
use crate::search::{Assignment, Exploration};

/// How many dead ends are remembered: some hundreds of megabytes.
const MOST_DEAD_ENDS: usize = 4_000_000;

/// Explores what can still come to what is looked for.
pub fn guided(assignment: Assignment<'_>) -> Exploration {
    depth_first::explore::<Guided>(assignment)
}

/// Steps that sleep, in order; whether with all their alternatives.
type Asleep = SmallVec<[(Choice, bool); 2]>;

/// A state on the present path that may turn out to be a dead end.
struct OpenState {
    depth: usize,
    digest: u128,
    asleep: Asleep,
    /// How far the search was when it was entered.
    progress: u64,
}

#[derive(Default)]
struct Guided {
    ready: Vec<Pid>,
    halt: Option<Halt>,
    /// Whether something is looked for: the run has been there or excluded it.
    looks: bool,
    open: Vec<OpenState>,
    dead_ends: FxHashMap<u128, SmallVec<[Asleep; 1]>>,
}

impl Guided {
    /// Whether nothing is found from the present state, as was seen before. If that is not known, it will be when
    /// the state is left.
    fn is_dead_end(&mut self, engine: &mut Engine<'_>) -> bool {
        let Some(digest) = engine.run().digest() else { return false };
        let depth = engine.trace.len();
        let sleepers = engine.nodes[depth].sleep.iter();
        let mut asleep: Asleep = sleepers.map(|one| (one.choice, one.complete)).collect();
        asleep.sort_unstable();
        let covers = |known: &Asleep| known.iter().all(|step| asleep.binary_search(step).is_ok());
        if self.dead_ends.get(&digest).is_some_and(|known| known.iter().any(covers)) {
            return true;
        }
        self.open.push(OpenState { depth, digest, asleep, progress: engine.search.progress() });
        false
    }
}

impl Strategy for Guided {
    const REDUCES: bool = true;
    const HEEDS_NODES: bool = true;
    const RACES: bool = false;

    fn choose_first(&mut self, engine: &mut Engine<'_>) -> Option<Pid> {
        self.halt = match engine.run().prospect() {
            Prospect::Open => None,
            Prospect::Reached => Some(Halt::Deadlock),
            Prospect::Closed => Some(Halt::Hopeless),
        };
        if self.halt.is_some() {
            self.looks = true;
            return None;
        }
        if let Some(undecided) = engine.undecided() {
            return Some(undecided);
        }
        engine.list_ready(&mut self.ready);
        if !self.ready.is_empty() {
            engine.run().retain_first_steps(&mut self.ready);
            if self.ready.is_empty() {
                self.halt = Some(Halt::Hopeless);
                return None;
            }
        }
        let depth = engine.trace.len();
        let node = &engine.nodes[depth];
        self.ready.retain(|&process| !node.is_asleep(process));
        if self.looks && self.ready.len() > 1 && self.is_dead_end(engine) {
            self.halt = Some(Halt::Hopeless);
            return None;
        }
        for &process in self.ready.iter().skip(1) {
            engine.add_backtrack_point(depth, process);
        }
        self.ready.first().copied()
    }

    fn node_done(&mut self, engine: &mut Engine<'_>, depth: usize) {
        let Some(state) = self.open.pop_if(|state| state.depth == depth) else { return };
        if state.progress == engine.search.progress() && self.dead_ends.len() < MOST_DEAD_ENDS {
            self.dead_ends.entry(state.digest).or_default().push(state.asleep);
        }
    }

    fn halt(&mut self) -> Option<Halt> {
        self.halt.take()
    }
}
