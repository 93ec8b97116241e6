//! The exploration of one target, in parts that can be saved.
//!
//! **One thread.** What is explored of one target is not divided. Tests are numbered in the
//! order in which they are found, of those that agree the first is kept, and so the tests that a user keeps as a file are
//! the same each time. Workers would find them in another order each time, and, of orders of tasks that make no difference,
//! not always the same one. A search that is shared would need an order of tests that does not depend on it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use counterpoint_abs::analysis::abstraction::Point;
use counterpoint_abs::generate::{
    ExecutedPath, Target, complete, difference, given_context, macro_schedule, points_ahead, rerun,
};
use counterpoint_abs::machine::{
    Context, CoveragePoint, Ended, ModelProgram, Outcome, Reduction, TestCase,
};
use counterpoint_abs::program::Model;
use counterpoint_explore::{
    Assignment, Ending, Execution, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit,
    explorer,
};
use counterpoint_model::{Bound, Choice, Program, Schedule};

use super::GenerationQuestion;
use crate::events;
use crate::job::Tally;

/// A test with what its run with values has shown.
pub struct Test {
    /// The case.
    pub case: TestCase,
    /// The choices of the run with unknowns, cases included.
    pub choices: Vec<String>,
    /// The macro-steps.
    pub schedule: Vec<String>,
    /// What the run with values went through.
    pub path: ExecutedPath,
}

/// A case that was found, before its run with values.
pub struct Unconfirmed {
    case: TestCase,
    choices: Vec<String>,
    schedule: Vec<String>,
    /// The values in place of unknowns.
    context: Context,
}

impl Unconfirmed {
    /// The case that these choices lead to.
    fn new(
        program: &ModelProgram,
        target: &Target,
        case: TestCase,
        choices: &[Choice],
    ) -> Unconfirmed {
        let schedule = macro_schedule(program, choices);
        let context = given_context(&target.context, &case);
        let names = program.names();
        let choices = choices.iter().map(|&choice| Schedule::step_text(names, choice)).collect();
        Unconfirmed { case, choices, schedule, context }
    }

    /// Runs the case with its values: the test if that comes out as predicted, or else how not.
    pub fn confirm(
        self,
        question: &GenerationQuestion,
        model: &Arc<Model>,
    ) -> Result<Test, String> {
        let Unconfirmed { mut case, choices, schedule, context } = self;
        let differs = match rerun(model, &question.options, context, &schedule) {
            Ok(rerun) => match difference(&case, &rerun.case) {
                None => {
                    complete(&mut case, &rerun.case);
                    return Ok(Test { case, choices, schedule, path: rerun.path });
                }
                Some(difference) => difference,
            },
            Err(trouble) => trouble,
        };
        let condition = case.condition.join(" && ");
        Err(format!("the test for {condition} does not come out as predicted: {differs}"))
    }
}

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
    fn add(&mut self, cut: &str, places: Option<BTreeSet<Point>>) {
        let count = self.counts.entry(cut.to_string()).or_default();
        *count += 1;
        match places {
            Some(places) if *count == 1 || self.places.contains_key(cut) => {
                self.places.entry(cut.to_string()).or_default().extend(places);
            }
            _ => {
                self.places.remove(cut);
            }
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
    /// Questions for the solver, those that it was really asked, and those without an answer.
    pub queries: u64,
    pub solved: u64,
    pub unknown: u64,
    /// The time that it took to answer.
    pub solver_seconds: f64,
}

impl Effort {
    /// Both.
    pub fn plus(self, other: Effort) -> Effort {
        Effort {
            instructions: self.instructions + other.instructions,
            queries: self.queries + other.queries,
            solved: self.solved + other.solved,
            unknown: self.unknown + other.unknown,
            solver_seconds: self.solver_seconds + other.solver_seconds,
        }
    }
}

/// One target.
pub struct Session {
    /// What is tested.
    pub target: Target,
    /// Its program.
    pub program: ModelProgram,
    /// Whether it was explored at all.
    pub begun: bool,
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
    /// What is left.
    pub unexplored: Option<WorkUnit>,
    /// Tests that did not come out as predicted: errors of this tool.
    pub errors: Vec<String>,
    /// What it took before, or by others who have explored the target.
    pub elsewhere: Effort,
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
            begun: false,
            tests: Vec::new(),
            cuts: Cuts::default(),
            executed_before: BTreeSet::new(),
            executions: 0,
            bounds: Vec::new(),
            unexplored: None,
            errors: Vec::new(),
            elsewhere: Effort::default(),
        }
    }

    /// Whether nothing is left to explore.
    pub fn is_done(&self) -> bool {
        self.begun && self.unexplored.is_none()
    }

    /// What the exploration took.
    pub fn effort(&self) -> Effort {
        let counters = self.program.solver_counters();
        self.elsewhere.plus(Effort {
            instructions: self.program.instructions(),
            queries: counters.queries,
            solved: counters.solved,
            unknown: counters.unknown,
            solver_seconds: counters.solver_seconds,
        })
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

    /// Explores what is left and hands on the cases that are found, at once, so that there is no debt when the time is
    /// over; how many executions that took.
    pub fn find(
        &mut self,
        limits: Limits,
        interrupted: &AtomicBool,
        mut found: impl FnMut(Unconfirmed),
    ) -> u64 {
        let unit = self.unexplored.take().unwrap_or_else(WorkUnit::whole);
        let explorer = explorer(self.explorer());
        let guided = self.target.guide.is_some();
        let mut deadlocks = Vec::new();
        let (program, target) = (&self.program, &self.target);
        let mut act = |case: TestCase, choices: Vec<Choice>| match guided {
            true => deadlocks.push(choices),
            false => found(Unconfirmed::new(program, target, case, &choices)),
        };
        let mut collector = Collector { found: &mut act, cuts: &mut self.cuts, interrupted };
        let exploration = (explorer.expect("all are in the table").explore)(Assignment {
            program,
            unit,
            limits,
            properties: Vec::new(),
            sink: &mut collector,
            parameters: ParameterValues::default(),
        });
        self.begun = true;
        self.executions += exploration.statistics.executions;
        self.unexplored = exploration.unexplored;
        for bound in exploration.bounds {
            let stopped = matches!(bound, Bound::Time | Bound::Executions | Bound::Stopped);
            if !stopped && !self.bounds.contains(&bound) {
                self.bounds.push(bound);
            }
        }
        for choices in deadlocks {
            self.deadlock(choices).into_iter().for_each(&mut found);
        }
        exploration.statistics.executions
    }

    /// A guided search stops where a deadlock is there, even if other tasks could go on. A test goes on
    /// until nobody can.
    fn deadlock(&mut self, mut choices: Vec<Choice>) -> Option<Unconfirmed> {
        let ended = {
            let mut run = self.program.start(&[]);
            for &choice in &choices {
                run.step(choice);
            }
            let mut ready = Vec::new();
            loop {
                ready.clear();
                run.ready(&mut ready);
                let Some(&process) = ready.first() else { break };
                let alternatives = run.alternatives(process);
                let choice = Choice { process, alternative: alternatives.preferred };
                run.step(choice);
                choices.push(choice);
            }
            Ended::of(&*run)
        };
        match ended {
            Some(Ended::Cut(cut, places)) => self.cuts.add(&cut.to_string(), Some(places)),
            Some(Ended::Test(case)) if case.outcome == Outcome::Deadlock => {
                return Some(Unconfirmed::new(&self.program, &self.target, *case, &choices));
            }
            Some(Ended::Test(_)) | None => {}
        }
        None
    }

    /// Keeps a test, unless tests that agree are one; or what went wrong with it.
    pub fn keep(&mut self, question: &GenerationQuestion, confirmed: Result<Test, String>) {
        match confirmed {
            Ok(test) => {
                let agrees = |other: &Test| {
                    other.case.condition == test.case.condition
                        && other.case.outcome == test.case.outcome
                        && other.case.tasks == test.case.tasks
                        && other.case.objects == test.case.objects
                };
                if !(question.exact && self.tests.iter().any(agrees)) {
                    events::test(self.tests.len() + 1, &test.case.condition.join(" && "));
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

struct Collector<'c> {
    found: &'c mut dyn FnMut(TestCase, Vec<Choice>),
    cuts: &'c mut Cuts,
    interrupted: &'c AtomicBool,
}

impl Sink for Collector<'_> {
    fn execution(&mut self, execution: &Execution<'_>, statistics: &Statistics) -> Flow {
        events::progress(&Tally::default(), statistics, 0);
        let cut = match execution.ending == Ending::Cut {
            true => Err("the limit on steps".to_string()),
            false => Ok(()),
        };
        let ended = Ended::of(execution.run).map(|ended| match ended {
            Ended::Test(case) => cut.map(|()| case).map_err(|cut| (cut, None)),
            Ended::Cut(cut, places) => Err((cut.to_string(), Some(places))),
        });
        match ended {
            Some(Ok(case)) => {
                let choices = execution.events.iter().map(|event| event.choice).collect();
                (self.found)(*case, choices);
            }
            Some(Err((cut, places))) => self.cuts.add(&cut, places),
            None => {}
        }
        match self.interrupted.load(Ordering::Relaxed) {
            true => Flow::Stop,
            false => Flow::Continue,
        }
    }
}
