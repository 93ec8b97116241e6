//! The reference figures: executions, deadlocks and outcomes of the published models.

use std::collections::BTreeMap;
use std::sync::Arc;

use counterpoint_abs::machine::{ModelProgram, Options, Reduction};
use counterpoint_abs::program::Model;
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};
use counterpoint_explore::{
    Assignment, Execution, Exploration, Explorer, Flow, Limits, ParameterValue, ParameterValues,
    Silent, Sink, Statistics, WorkUnit, default_properties, explorer,
};

use super::models::{database, factorial};

/// Counts final states.
#[derive(Default)]
pub struct Outcomes(pub BTreeMap<String, u64>);

impl Sink for Outcomes {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let outcome = execution.run.outcome().unwrap_or_default();
        *self.0.entry(format!("{:?}\n{outcome}", execution.ending)).or_default() += 1;
        Flow::Continue
    }
}

/// A bound that leaves nothing out, for explorers that take one.
pub fn parameters(explorer: &Explorer) -> ParameterValues {
    match explorer.parameters.iter().any(|parameter| parameter.name == "bound") {
        true => ParameterValues::default().with("bound", ParameterValue::Number(1_000)),
        false => ParameterValues::default(),
    }
}

pub fn explore(
    model: &Arc<Model>,
    options: Options,
    name: &str,
) -> (Exploration, BTreeMap<String, u64>) {
    let program = ModelProgram::new(Arc::clone(model), options);
    let mut outcomes = Outcomes::default();
    let assignment = Assignment {
        program: &program,
        unit: WorkUnit::default(),
        limits: Limits::default(),
        properties: default_properties(),
        sink: &mut outcomes,
        parameters: parameters(explorer(name).unwrap()),
    };
    let exploration = (explorer(name).unwrap().explore)(assignment);
    assert_eq!(exploration.internal_errors, Vec::<String>::new());
    (exploration, outcomes.0)
}

fn check(model: &Arc<Model>, reduction: Reduction, name: &str, executions: u64, deadlocks: u64) {
    let options = Options { reduction, ..Options::default() };
    let (exploration, outcomes) = explore(model, options, name);
    let statistics = &exploration.statistics;
    println!("{name} {reduction:?}: {statistics:?}\n{outcomes:#?}");
    assert_eq!((statistics.executions, statistics.deadlocks), (executions, deadlocks));
    if name == "optimal" {
        assert_eq!(statistics.abandoned, 0);
    }
}

#[test]
fn one_worker_has_six_executions_of_which_two_deadlock() {
    check(&database(1), Reduction::None, "exhaustive", 6, 2);
    check(&database(1), Reduction::None, "optimal", 6, 2);
    check(&database(1), Reduction::Object, "optimal", 3, 1);
    check(&database(1), Reduction::Field, "optimal", 3, 1);
    check(&database(1), Reduction::Exact, "states", 3, 1);
}

#[test]
fn two_workers_have_1700_executions_of_which_164_deadlock() {
    check(&database(2), Reduction::None, "exhaustive", 1700, 164);
    check(&database(2), Reduction::Object, "optimal", 34, 10);
}

#[test]
fn the_factorial_has_280_executions_and_two_outcomes() {
    check(&factorial(5, 2), Reduction::None, "exhaustive", 280, 0);
    check(&factorial(5, 2), Reduction::Object, "optimal", 18, 0);
    check(&factorial(5, 2), Reduction::Field, "optimal", 8, 0);
    check(&factorial(5, 2), Reduction::Exact, "states", 2, 0);
}

/// A model of the corpus, perhaps with other numbers in it.
fn corpus(name: &str, change: (&str, &str)) -> Arc<Model> {
    let path = format!("{}/tests/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap().replace(change.0, change.1);
    let result = load(vec![SourceFile::new(name, text)], &LoadOptions::default());
    Arc::new(result.model.unwrap())
}

#[test]
fn models_in_both_spellings_have_the_same_counts() {
    for name in ["database_workers.abs", "database_workers.old.abs"] {
        let one = corpus(name, ("", ""));
        check(&one, Reduction::None, "exhaustive", 6, 2);
        check(&one, Reduction::Object, "optimal", 3, 1);
        check(&one, Reduction::Field, "optimal", 3, 1);
        let two = corpus(name, ("Int n = 1;", "Int n = 2;"));
        check(&two, Reduction::None, "exhaustive", 1700, 164);
        check(&two, Reduction::Object, "optimal", 34, 10);
    }
    for name in ["factorial.abs", "factorial.old.abs"] {
        let factorial = corpus(name, ("", ""));
        check(&factorial, Reduction::None, "exhaustive", 280, 0);
        check(&factorial, Reduction::Object, "optimal", 18, 0);
        check(&factorial, Reduction::Field, "optimal", 8, 0);
        check(&factorial, Reduction::Exact, "states", 2, 0);
    }
}

#[test]
fn of_the_factorials_executions_180_are_right_and_100_are_wrong() {
    let options = Options { reduction: Reduction::None, ..Options::default() };
    let (_, outcomes) = explore(&factorial(5, 2), options, "exhaustive");
    let ends = |result: &str| -> u64 {
        let first = format!("Fact 1(max=2, boss=null, r={result})");
        outcomes.iter().filter(|(state, _)| state.contains(&first)).map(|(_, count)| count).sum()
    };
    assert_eq!((ends("120"), ends("20")), (180, 100));
}

/// Counts without the cost of telling final states.
fn count(model: Arc<Model>, cut_at_deadlock: bool) -> (u64, u64) {
    let options = Options { reduction: Reduction::None, cut_at_deadlock, ..Options::default() };
    let program = ModelProgram::new(model, options);
    let started = std::time::Instant::now();
    let exploration = (explorer("exhaustive").unwrap().explore)(Assignment {
        program: &program,
        unit: WorkUnit::default(),
        limits: Limits::default(),
        properties: default_properties(),
        sink: &mut Silent,
        parameters: ParameterValues::default(),
    });
    let statistics = exploration.statistics;
    println!("{statistics:?}, {:?}", started.elapsed());
    (statistics.executions, statistics.deadlocks)
}

#[test]
fn cutting_at_deadlocks_changes_nothing_for_one_or_two_workers() {
    assert_eq!(count(database(1), true), (6, 2));
    assert_eq!(count(database(2), true), (1700, 164));
}

#[test]
#[ignore = "millions of executions: for release builds"]
fn three_workers_have_4349196_executions_of_which_147420_deadlock() {
    let source = || corpus("database_workers.abs", ("Int n = 1;", "Int n = 3;"));
    assert_eq!(count(source(), false), (4_349_196, 147_420));
    assert_eq!(count(source(), true), (4_344_114, 142_338));
    assert_eq!(count(database(3), false), (4_349_196, 147_420));
}
