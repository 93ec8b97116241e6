//! Explores a target and collects its test cases, each confirmed by a run with its values.

use std::collections::BTreeMap;
use std::sync::Arc;

use counterpoint_abs::generate::{Confirmation, Target, confirm};
use counterpoint_abs::machine::{
    Criteria, Cut, ModelProgram, ObjectPolicy, Options, Outcome, Reduction, TaskPolicy, TestCase,
};
use counterpoint_abs::program::Model;
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};
use counterpoint_explore::{
    Assignment, Execution, Flow, Limits, Sink, Statistics, WorkUnit, explorer,
};
use counterpoint_model::{Bound, Choice};

/// A model from its text.
pub fn model(text: &str) -> Arc<Model> {
    let result = load(vec![SourceFile::new("model.abs", text)], &LoadOptions::default());
    let messages = result.render(counterpoint_abs::diagnostics::Style::Plain);
    Arc::new(result.model.unwrap_or_else(|| panic!("{messages}")))
}

/// What came of a target.
#[derive(Default)]
pub struct Generated {
    pub tests: Vec<TestCase>,
    pub schedules: Vec<Vec<Choice>>,
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

struct Collector {
    generated: Generated,
}

impl Sink for Collector {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let details = execution.run.details().expect("runs with unknowns have details");
        let case = *details.downcast::<TestCase>().expect("they are test cases");
        match &case.cut {
            Some(cut) => *self.generated.cuts.entry(cut.clone()).or_default() += 1,
            None => {
                let choices = execution.events.iter().map(|event| event.choice).collect();
                self.generated.schedules.push(choices);
                self.generated.tests.push(case);
            }
        }
        Flow::Continue
    }
}

/// One after another, as generation does unless it is told otherwise.
pub fn in_turn() -> Options {
    Options {
        objects: ObjectPolicy::RoundRobin,
        tasks: TaskPolicy::Fifo,
        ..Options::default()
    }
}

/// All schedules, reduced so far.
pub fn every(reduction: Reduction) -> Options {
    Options { reduction, ..Options::default() }
}

/// Explores and confirms.
pub fn generate(
    model: &Arc<Model>,
    target: &str,
    options: &Options,
    criteria: &Criteria,
) -> Generated {
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
    let mut collector = Collector { generated: Generated::default() };
    let exploration = (explorer(name).expect("it is in the table").explore)(Assignment {
        program: &program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties: Vec::new(),
        sink: &mut collector,
        seed: 0,
    });
    let mut generated = collector.generated;
    generated.bounds = exploration.bounds;
    for (case, choices) in generated.tests.iter().zip(&generated.schedules) {
        let confirmation = confirm(model, options, &program, case, choices);
        assert_eq!(confirmation, Confirmation::Same, "{}: {case:#?}", target.name);
    }
    generated
}
