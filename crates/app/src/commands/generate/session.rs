//! One target: what has come of it, and what is left to explore.
//!
//! **Problem.** Tests are numbered in the order in which they are found, and of those that agree the first is kept, so that
//! the tests that a user keeps as a file are the same each time. But several threads may work on a target, and each may be
//! stopped where it is.
//!
//! **Idea.** What is left is a list of units, each with its place among the tests: how many of them come before what will be
//! found there. Whatever comes of a unit, further units included, is put in its place.
//!
//! **Invariant.** The tests, with those of the units that are left put in their places, are those of an exploration by one
//! thread that is not stopped, in the same order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use counterpoint_abs::analysis::abstraction::Point;
use counterpoint_abs::generate::{Target, points_ahead};
use counterpoint_abs::machine::{CoveragePoint, Ended, ModelProgram, Reduction};
use counterpoint_abs::program::Model;
use counterpoint_explore::WorkUnit;
use counterpoint_model::{Bound, Choice, Program, Schedule};

use super::GenerationQuestion;
use super::case::{Test, Unconfirmed};
use super::part::Part;
use crate::events;

/// Executions that limits have ended.
#[derive(Clone, Debug, Default)]
pub struct Cuts {
    /// Their numbers, by limit.
    pub counts: BTreeMap<String, u64>,
    /// Where frames stood then, by limit. A limit that is missing here might have ended one anywhere.
    pub places: BTreeMap<String, BTreeSet<Point>>,
}

impl Cuts {
    /// Adds an execution; without places it may have been anywhere.
    pub fn add(&mut self, cut: &str, places: Option<BTreeSet<Point>>) {
        self.add_some(cut, 1, places);
    }

    /// Adds so many executions.
    fn add_some(&mut self, cut: &str, executions: u64, places: Option<BTreeSet<Point>>) {
        let count = self.counts.entry(cut.to_string()).or_default();
        let first = *count == 0;
        *count += executions;
        match places {
            Some(places) if first || self.places.contains_key(cut) => {
                self.places.entry(cut.to_string()).or_default().extend(places);
            }
            _ => {
                self.places.remove(cut);
            }
        }
    }

    /// Adds those of another part.
    pub fn add_all(&mut self, mut other: Cuts) {
        for (cut, &count) in &other.counts {
            self.add_some(cut, count, other.places.remove(cut));
        }
    }

    /// The limits that have ended executions which might have come to a point otherwise.
    fn before(&self, model: &Model, point: CoveragePoint) -> Vec<&str> {
        let leads_there = |cut: &&str| match self.places.get(*cut) {
            Some(places) => !points_ahead(model, places, [point]).is_empty(),
            None => true,
        };
        self.counts.keys().map(String::as_str).filter(leads_there).collect()
    }
}

/// What an exploration took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    /// Instructions that were executed.
    pub instructions: u64,
    /// Questions for the solver, and those without an answer. How many it was really asked depends on what each thread
    /// remembers.
    pub queries: u64,
    pub unknown: u64,
    /// The time that it took to answer.
    pub solver_seconds: f64,
}

impl Effort {
    /// What the runs of a program have taken so far.
    pub fn of(program: &ModelProgram) -> Effort {
        let counters = program.solver_counters();
        Effort {
            instructions: program.instructions(),
            queries: counters.queries,
            unknown: counters.unknown,
            solver_seconds: counters.solver_seconds,
        }
    }

    /// What came after an earlier moment.
    pub fn minus(self, earlier: Effort) -> Effort {
        Effort {
            instructions: self.instructions - earlier.instructions,
            queries: self.queries - earlier.queries,
            unknown: self.unknown - earlier.unknown,
            solver_seconds: self.solver_seconds - earlier.solver_seconds,
        }
    }

    /// Both.
    pub fn plus(self, other: Effort) -> Effort {
        Effort {
            instructions: self.instructions + other.instructions,
            queries: self.queries + other.queries,
            unknown: self.unknown + other.unknown,
            solver_seconds: self.solver_seconds + other.solver_seconds,
        }
    }
}

/// Work that is left.
pub struct Rest {
    /// How many of the tests come before what will be found there.
    pub before: usize,
    /// The work.
    pub unit: WorkUnit,
}

/// What became of such work: tests or what went wrong with them, and what is left after them.
pub type Outcomes = (Vec<Result<Test, String>>, Option<WorkUnit>);

/// One target.
pub struct Session {
    /// What is tested.
    pub target: Target,
    /// Its program.
    pub program: ModelProgram,
    /// The tests, in the order in which they were found.
    pub tests: Vec<Test>,
    /// Executions that a limit has ended.
    pub cuts: Cuts,
    /// What was executed before the exploration was resumed.
    pub executed_before: BTreeSet<CoveragePoint>,
    /// Complete executions, cut ones included.
    pub executions: u64,
    /// What else was left out.
    pub bounds: Vec<Bound>,
    /// What is left, in the order in which it would be explored.
    pub unexplored: Vec<Rest>,
    /// Tests that did not come out as predicted: errors of this tool.
    pub errors: Vec<String>,
    /// What it took.
    pub effort: Effort,
}

impl Session {
    /// Nothing is explored yet.
    pub fn new(question: &GenerationQuestion, model: &Arc<Model>, target: Target) -> Session {
        let program = ModelProgram::with_unknowns(
            Arc::clone(model),
            question.options.clone(),
            target.context.clone(),
            question.criteria.clone(),
            None,
        );
        let program = match &target.guide {
            Some(question) => program.looking_for((**question).clone()),
            None => program,
        };
        program.watch();
        Session {
            target,
            program,
            tests: Vec::new(),
            cuts: Cuts::default(),
            executed_before: BTreeSet::new(),
            executions: 0,
            bounds: Vec::new(),
            unexplored: vec![Rest { before: 0, unit: WorkUnit::whole() }],
            errors: Vec::new(),
            effort: Effort::default(),
        }
    }

    /// Whether nothing is left to explore.
    pub fn is_done(&self) -> bool {
        self.unexplored.is_empty()
    }

    /// What executions have come to, those included that a limit has ended.
    pub fn executed(&self) -> BTreeSet<CoveragePoint> {
        let mut executed = self.program.points();
        executed.extend(&self.executed_before);
        executed
    }

    /// The limits because of which no test may come to a point: some executions came there and were ended later, or
    /// were ended where they might have come there.
    pub fn cuts_before(&self, model: &Model, point: CoveragePoint) -> Vec<&str> {
        match self.executed().contains(&point) {
            true => self.cuts.counts.keys().map(String::as_str).collect(),
            false => self.cuts.before(model, point),
        }
    }

    /// The explorer that goes with the level of reduction.
    pub fn explorer(&self) -> &'static str {
        match self.program.reduction() {
            _ if self.target.guide.is_some() => "guided",
            Reduction::None => "exhaustive",
            _ => "optimal",
        }
    }

    /// Whether several threads may share what is left of one unit ([`part`](super::part)).
    pub fn is_divisible(&self) -> bool {
        self.explorer() == "exhaustive"
    }

    /// Adds what was counted of a part.
    pub fn count(&mut self, part: Part) {
        self.executions += part.executions;
        self.cuts.add_all(part.cuts);
        self.effort = self.effort.plus(part.effort);
        let bounds: BTreeSet<Bound> = self.bounds.drain(..).chain(part.bounds).collect();
        self.bounds = bounds.into_iter().collect();
    }

    /// Puts in place what became of the units that were left, of each in order.
    pub fn put_in_place(
        &mut self,
        question: &GenerationQuestion,
        outcomes: impl IntoIterator<Item = Vec<Outcomes>>,
    ) {
        let (tests, rests) =
            (std::mem::take(&mut self.tests), std::mem::take(&mut self.unexplored));
        let (mut tests, mut placed) = (tests.into_iter(), 0);
        for (rest, outcomes) in rests.into_iter().zip(outcomes) {
            let before = tests.by_ref().take(rest.before - placed);
            before.for_each(|test| self.keep(question, Ok(test)));
            placed = rest.before;
            for (confirmed, left) in outcomes {
                confirmed.into_iter().for_each(|one| self.keep(question, one));
                let before = self.tests.len();
                self.unexplored.extend(left.map(|unit| Rest { before, unit }));
            }
        }
        tests.for_each(|test| self.keep(question, Ok(test)));
    }

    /// Tells whoever follows the generation of the tests.
    pub fn announce(&self) {
        for (number, test) in self.tests.iter().enumerate() {
            events::test(number + 1, &test.case.condition.join(" && "));
        }
    }

    /// Keeps a test, unless tests that agree are one; or what went wrong with it.
    fn keep(&mut self, question: &GenerationQuestion, confirmed: Result<Test, String>) {
        match confirmed {
            Ok(test) => {
                let agrees = |other: &Test| {
                    other.case.condition == test.case.condition
                        && other.case.outcome == test.case.outcome
                        && other.case.tasks == test.case.tasks
                        && other.case.objects == test.case.objects
                };
                if !(question.exact && self.tests.iter().any(agrees)) {
                    self.tests.push(test);
                }
            }
            Err(error) => self.errors.push(format!("{}: {error}", self.target.name)),
        }
    }

    /// Adds the test that these choices lead to; false if they lead nowhere.
    pub fn add_saved(
        &mut self,
        question: &GenerationQuestion,
        model: &Arc<Model>,
        steps: &[String],
    ) -> bool {
        let names = self.program.names();
        let parsed: Option<Vec<Choice>> =
            steps.iter().map(|step| Schedule::parse_step(names, step)).collect();
        let Some(choices) = parsed else { return false };
        let ended = {
            let mut run = self.program.start(&[]);
            for &choice in &choices {
                let possible = choice.process.0 < run.processes()
                    && run.is_ready(choice.process)
                    && choice.alternative < run.alternatives(choice.process).count;
                if !possible {
                    return false;
                }
                run.step(choice);
            }
            Ended::of(&*run)
        };
        let Some(Ended::Test(case)) = ended else { return false };
        let case = Unconfirmed::new(&self.program, &self.target, *case, &choices);
        self.keep(question, case.confirm(question, model));
        true
    }
}
