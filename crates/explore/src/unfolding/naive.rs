//! The stateful search of markings, without an unfolding (chapter 7.3).
//!
//! **Idea** (figure 7.5). A depth-first search of the markings of the captured
//! [`model`](super::model), each visited once. A step that the model knows is taken in the model
//! alone; for an unknown one a test execution is led to the marking and runs on from there, teaching
//! the model. Every global state of the model is visited, with all interleavings of independent
//! steps, which is what the unfolding of the model ([`stateful`](mod@super::stateful)) avoids; in
//! return, deadlocks are seen as they are met.
//!
//! **Invariant.** Every marking that the program can reach is visited: a marking's steps depend on its
//! labels alone. A step that only inputs decide is taken in the model without asking the solver; the
//! execution that is led along it fails if the inputs contradict each other.
//!
//! **Cost.** Executions: at most the labels of processes. Markings: exponential in the processes.

use counterpoint_model::{Alternatives, Bound, Choice, Next, Op, Pid};
use rustc_hash::FxHashSet;

use super::coarsen::UnwantedTouches;
use super::execute::{ending, has_tasks};
use super::model::{Label, StepKey};
use super::operation;
use super::stateful::Stateful;
use crate::optimal;
use crate::property::Ending;
use crate::search::{Assignment, Exploration};

/// Explores the markings of a model.
pub fn naive(mut assignment: Assignment<'_>) -> Exploration {
    if has_tasks(&mut assignment) {
        return optimal::instead(assignment);
    }
    let mut stateful = Stateful::new(assignment);
    stateful.unwanted_touches = Some(UnwantedTouches::default());
    stateful.unfolder.search.overlooks_races();
    let mut search =
        Naive { stateful, visited: FxHashSet::default(), open: Vec::new(), steps: Vec::new() };
    loop {
        search.begin();
        search.work_off();
        if search.stateful.unfolder.search.stop || !search.stateful.restart() {
            break;
        }
    }
    let mut unfolder = search.stateful.unfolder;
    unfolder.search.count_events(search.visited.len() as u64);
    let left = unfolder.remainder(!search.open.is_empty());
    unfolder.search.result(left)
}

struct Naive<'a> {
    stateful: Stateful<'a>,
    visited: FxHashSet<Vec<Option<Label>>>,
    open: Vec<KnownMarking>,
    /// Steps, each with the one before it.
    steps: Vec<(Choice, Option<usize>)>,
}

/// A marking and the last step of those that led to it, in [`Naive::steps`].
struct KnownMarking {
    marking: Vec<Option<Label>>,
    last: Option<usize>,
    depth: usize,
}

/// What is known of a process's step in a marking.
enum StepKnowledge {
    /// It leads to this marking.
    Goes(Vec<Option<Label>>),
    /// It is not possible, now or by the inputs.
    Blocked,
    /// The program is over or was stopped.
    Ended,
}

impl Naive<'_> {
    fn begin(&mut self) {
        self.visited.clear();
        self.steps.clear();
        self.open = vec![KnownMarking { marking: Vec::new(), last: None, depth: 0 }];
        self.stateful.meet_main();
        self.stateful.run_on();
    }

    fn work_off(&mut self) {
        let mut visits: u64 = 0;
        while let Some(state) = self.open.pop() {
            if self.stateful.unfolder.unfolding.net.coarsening.has_grown() {
                return;
            }
            visits += 1;
            if visits.is_multiple_of(1024) {
                self.stateful.unfolder.search.is_out_of_time();
            }
            self.stateful.unfolder.search.caught_up(self.visited.len() as u64);
            if self.stateful.unfolder.search.stop {
                self.open.push(state);
                return;
            }
            if state.depth >= self.stateful.unfolder.search.limits.steps {
                self.stateful.unfolder.search.hit(Bound::Steps);
            } else if self.visited.insert(trimmed(&state.marking)) {
                self.visit(&state);
                self.stateful.unfolder.search.caught_up(self.visited.len() as u64 - 1);
                if self.stateful.unfolder.search.stop {
                    // Some of its successors may be missing.
                    self.visited.remove(&trimmed(&state.marking));
                    self.open.push(state);
                    return;
                }
            }
        }
    }

    /// Opens the successors of a marking; a marking without any may be a deadlock.
    fn visit(&mut self, state: &KnownMarking) {
        let mut moves = false;
        let mut waits = false;
        let processes = self.stateful.unfolder.unfolding.net.process_places().len();
        for process in (0..processes).map(|p| Pid(u32::try_from(p).expect("a process"))) {
            let mut alternative = 0;
            while alternative < self.alternatives(state, process, alternative) {
                let choice = Choice { process, alternative };
                match self.prospect(state, choice) {
                    StepKnowledge::Goes(marking) => {
                        moves = true;
                        self.steps.push((choice, state.last));
                        let last = Some(self.steps.len() - 1);
                        self.open.push(KnownMarking { marking, last, depth: state.depth + 1 });
                    }
                    StepKnowledge::Blocked => waits = true,
                    StepKnowledge::Ended => {}
                }
                alternative += 1;
            }
        }
        if waits && !moves && self.lead(state) {
            let unfolder = &mut self.stateful.unfolder;
            if let Some(process) = unfolder.run.first_ready(None) {
                // The model has taken two states for one.
                let name = unfolder.search.program.process_name(process);
                let what = format!("a step of {name} that others hold up");
                return unfolder.search.hit(Bound::Unordered(what));
            }
            let end = ending(&*unfolder.run);
            if !matches!(end, Ending::Complete | Ending::Cut) {
                unfolder.search.witnessed(&*unfolder.run, &unfolder.trace, end);
            }
        }
    }

    /// How many alternatives the process has in a marking; those that show only when one of them is
    /// executed are known once the first is.
    fn alternatives(&mut self, state: &KnownMarking, process: Pid, known: u32) -> u32 {
        let Some(key) = self.step(state, Choice::of(process)) else { return 0 };
        let op = self.stateful.model.station(key.before).and_then(|station| station.op);
        let Some(op) = op else { return 0 };
        let learnt = self.stateful.model.transition(&key).map_or(1, |t| t.alternatives);
        operation::alternatives(op).max(if known == 0 { 1 } else { learnt })
    }

    /// The step of a process in a marking, if it has started.
    fn step(&mut self, state: &KnownMarking, choice: Choice) -> Option<StepKey> {
        let place = self.stateful.unfolder.unfolding.net.place_of(choice.process);
        let started = choice.process == Pid::MAIN
            || (place.is_some() && state.marking.get(place.index()).copied().flatten().is_some());
        if !started {
            return None;
        }
        self.stateful.here.clone_from(&state.marking);
        Some(self.stateful.next_step(choice.process, choice.alternative))
    }

    /// Where a step leads, executing it if the model does not know.
    fn prospect(&mut self, state: &KnownMarking, choice: Choice) -> StepKnowledge {
        let Some(key) = self.step(state, choice) else { return StepKnowledge::Ended };
        let Some(station) = self.stateful.model.station(key.before) else {
            return StepKnowledge::Ended;
        };
        if station.op.is_none() {
            return StepKnowledge::Ended;
        }
        if !self.stateful.finds_locks_free(key.before) {
            return StepKnowledge::Blocked;
        }
        if self.stateful.model.transition(&key).is_none() && !self.stateful.model.is_blocked(&key) {
            self.execute(state, choice, &key);
        }
        let Some(transition) = self.stateful.model.transition(&key).cloned() else {
            return StepKnowledge::Blocked;
        };
        self.stateful.here.clone_from(&state.marking);
        self.stateful.apply(choice.process, &transition);
        StepKnowledge::Goes(self.stateful.here.clone())
    }

    /// Leads an execution to a marking to see an unknown step.
    fn execute(&mut self, state: &KnownMarking, choice: Choice, key: &StepKey) {
        let led = self.lead(state);
        let unfolder = &mut self.stateful.unfolder;
        if led && unfolder.run.next(choice.process).is_ready() {
            let alternatives = match unfolder.run.next(choice.process) {
                Next::Ready(op) if op.decides() || operation::finds_alternatives(op) => {
                    unfolder.run.alternatives(choice.process)
                }
                _ => Alternatives::ONE,
            };
            let branches = unfolder.run.next(choice.process) == Next::Ready(Op::Branch);
            let possible = choice.alternative < alternatives.count
                && (!branches || unfolder.is_feasible(choice));
            if possible {
                self.stateful.here.clone_from(&state.marking);
                self.stateful.take(choice);
                self.stateful.run_on();
                return;
            }
        } else if led {
            self.stateful.model.learn_blocked(key.clone());
        }
        let unfolder = &mut self.stateful.unfolder;
        unfolder.search.abandoned(&unfolder.trace);
    }

    /// Leads the run along the steps to a marking, if the inputs allow it.
    fn lead(&mut self, state: &KnownMarking) -> bool {
        let mut choices = Vec::new();
        let mut last = state.last;
        while let Some(step) = last {
            choices.push(self.steps[step].0);
            last = self.steps[step].1;
        }
        choices.reverse();
        self.stateful.unfolder.lead_along(&choices)
    }
}

/// A marking without places at the end that nothing has touched.
fn trimmed(marking: &[Option<Label>]) -> Vec<Option<Label>> {
    let length = marking.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
    marking[..length].to_vec()
}
