//! Explores a target and collects its test cases, each confirmed by a run with its values.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use counterpoint_abs::generate::{Confirmation, Target, confirm, macro_schedule};
use counterpoint_abs::machine::{
    Criteria, Cut, Ended, ModelProgram, ObjectPolicy, Options, Outcome, Reduction, TaskPolicy,
    TestCase,
};
use counterpoint_abs::program::Model;
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};
use counterpoint_explore::{
    Assignment, Execution, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit, explorer,
};
use counterpoint_model::{Bound, Choice};
use counterpoint_symbolic::Terms;

/// A model from its text.
pub fn model(text: &str) -> Arc<Model> {
    let result = load(vec![SourceFile::new("model.abs", text)], &LoadOptions::default());
    let messages = result.render(counterpoint_abs::diagnostics::Style::Plain);
    Arc::new(result.model.unwrap_or_else(|| panic!("{messages}")))
}

/// An execution with unknowns that has ended.
pub struct Found {
    pub case: TestCase,
    /// The limit that has ended it; it is no test then.
    pub cut: Option<Cut>,
    pub choices: Vec<Choice>,
    /// Its macro-steps.
    pub schedule: Vec<String>,
    /// The store of its terms.
    pub terms: Rc<Terms>,
}

/// Everything that an exploration found, cut executions included.
pub struct Explored {
    pub program: ModelProgram,
    pub found: Vec<Found>,
    pub bounds: Vec<Bound>,
}

/// What came of a target.
#[derive(Default)]
pub struct Generated {
    pub tests: Vec<TestCase>,
    pub cuts: BTreeMap<Cut, usize>,
    pub bounds: Vec<Bound>,
}

impl Generated {
    pub fn with(&self, outcome: Outcome) -> usize {
        self.tests.iter().filter(|case| case.outcome == outcome).count()
    }

    pub fn conditions(&self) -> Vec<String> {
        let mut all: Vec<String> =
            self.tests.iter().map(|case| case.condition.join(" && ")).collect();
        all.sort();
        all
    }
}

#[derive(Default)]
struct Collector {
    found: Vec<(Ended, Vec<Choice>)>,
}

impl Sink for Collector {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let ended = Ended::of(execution.run).expect("runs with unknowns have a context");
        let choices = execution.events.iter().map(|event| event.choice).collect();
        self.found.push((ended, choices));
        Flow::Continue
    }
}

/// One after another, as generation does unless it is told otherwise.
pub fn in_turn() -> Options {
    Options { objects: ObjectPolicy::RoundRobin, tasks: TaskPolicy::Fifo, ..Options::default() }
}

/// All schedules, reduced so far.
pub fn every(reduction: Reduction) -> Options {
    Options { reduction, ..Options::default() }
}

/// Explores a target.
pub fn explore(
    model: &Arc<Model>,
    target: &str,
    options: &Options,
    criteria: &Criteria,
) -> Explored {
    let target = Target::find(model, target).unwrap_or_else(|error| panic!("{error}"));
    let program = ModelProgram::with_unknowns(
        Arc::clone(model),
        options.clone(),
        target.context.clone(),
        criteria.clone(),
        None,
    );
    let name = match program.reduction() {
        Reduction::None => "exhaustive",
        _ => "optimal",
    };
    let mut collector = Collector::default();
    let exploration = (explorer(name).expect("it is in the table").explore)(Assignment {
        program: &program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties: Vec::new(),
        sink: &mut collector,
        parameters: ParameterValues::default(),
    });
    let terms = program.terms().expect("there are unknowns");
    let found = collector.found.into_iter().map(|(ended, choices)| {
        let schedule = macro_schedule(&program, &choices);
        let (case, cut) = match ended {
            Ended::Test(case) => (*case, None),
            Ended::Cut(cut, _) => (program.case_after(&choices).expect("a context"), Some(cut)),
        };
        Found { case, cut, choices, schedule, terms: Rc::clone(&terms) }
    });
    let found = found.collect();
    Explored { program, found, bounds: exploration.bounds }
}

/// Explores, and confirms every test by a run with its values.
pub fn generate(
    model: &Arc<Model>,
    target: &str,
    options: &Options,
    criteria: &Criteria,
) -> Generated {
    let Explored { program, found, bounds } = explore(model, target, options, criteria);
    let mut generated = Generated { bounds, ..Generated::default() };
    for Found { case, cut, choices, .. } in found {
        if let Some(cut) = cut {
            *generated.cuts.entry(cut).or_default() += 1;
            continue;
        }
        let confirmation = confirm(model, options, &program, &case, &choices);
        assert_eq!(confirmation, Confirmation::Same, "{target}: {case:#?}");
        generated.tests.push(case);
    }
    generated
}
