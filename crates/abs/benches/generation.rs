//! How fast test cases are generated: the methods of Table 1 of the paper on symbolic execution of
//! concurrent objects, on the models written anew, and which changes to the models the tests catch.
//!
//! `cargo bench -p counterpoint-abs --bench generation`. One core. The depth is that of the paper's
//! columns, in our instructions, which do less than its resolution steps: so there are three times as many.
//! The paper's fastest row executes 0.31 million instructions a second; the goal is ten times that where the
//! solver is not the limit. The last column is the speed without the time spent in the solver, as a multiple of
//! the paper's.

use std::sync::Arc;
use std::time::{Duration, Instant};

use counterpoint_abs::generate::{
    Target, difference, ending, given_context, macro_schedule, targets,
};
use counterpoint_abs::machine::{
    Criteria, ModelProgram, ObjectPolicy, Options, TaskPolicy, TestCase,
};
use counterpoint_abs::program::Model;
use counterpoint_explore::{
    Assignment, Execution, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit, explorer,
};
use counterpoint_model::Choice;

#[path = "../tests/benchmark/mod.rs"]
mod benchmark;

use benchmark::{MODELS, mutants, read};

/// Depths in instructions.
const DEPTHS: [u64; 3] = [150, 225, 300];
const MOST_TIME: Duration = Duration::from_secs(20);
/// Instructions per second of the paper: 14.2 million in 45.6 seconds for `Node.run`.
const PAPER: f64 = 14.2e6 / 45.6;

fn main() {
    println!(
        "{:24} {:>6} {:>12} {:>9} {:>7} {:>9} {:>14} {:>8} {:>8}",
        "method",
        "depth",
        "instructions",
        "tests",
        "cut",
        "seconds",
        "instructions/s",
        "solver",
        "x paper"
    );
    for (_, text, methods) in MODELS {
        let model = read(text).expect("the models are right");
        for method in methods {
            for depth in DEPTHS {
                row(&model, method, depth);
            }
        }
    }
    println!("\n{:16} {:>7} {:>9} {:>9} {:>8}", "model", "tests", "changes", "caught", "seconds");
    for (name, text, _) in MODELS {
        mutation_row(name, text);
    }
}

#[derive(Default)]
struct Collector {
    tests: Vec<(TestCase, Vec<Choice>)>,
    cut: u64,
}

impl Sink for Collector {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let details = execution.run.details().and_then(|one| one.downcast::<TestCase>().ok());
        let case = *details.expect("runs with unknowns end in cases");
        if case.cut.is_some() {
            self.cut += 1;
        } else {
            let choices = execution.events.iter().map(|event| event.choice).collect();
            self.tests.push((case, choices));
        }
        Flow::Continue
    }
}

fn options() -> Options {
    Options { objects: ObjectPolicy::RoundRobin, tasks: TaskPolicy::Fifo, ..Options::default() }
}

fn explore(program: &ModelProgram, collector: &mut Collector) -> bool {
    let result = (explorer("exhaustive").expect("it is in the table").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits { time: Some(MOST_TIME), ..Limits::default() },
        properties: Vec::new(),
        sink: collector,
        parameters: ParameterValues::default(),
    });
    result.unexplored.is_none()
}

fn row(model: &Arc<Model>, method: &str, depth: u64) {
    let criteria = Criteria {
        loops: None,
        switches: None,
        objects: None,
        depth: Some(depth),
        ..Criteria::default()
    };
    let target = Target::find(model, method).expect("the method is there");
    let program =
        ModelProgram::with_unknowns(Arc::clone(model), options(), target.context, criteria, None);
    let clock = Instant::now();
    let mut collector = Collector::default();
    let all = explore(&program, &mut collector);
    let seconds = clock.elapsed().as_secs_f64();
    let solver = program.solver_counters().solver_seconds;
    println!(
        "{method:24} {depth:6} {:12} {:9} {:7} {seconds:9.3} {:14.0} {:7.0}% {:8.1}{}",
        program.instructions(),
        collector.tests.len(),
        collector.cut,
        program.instructions() as f64 / seconds,
        100.0 * solver / seconds,
        program.instructions() as f64 / (seconds - solver) / PAPER,
        if all { "" } else { "  stopped, not all" }
    );
}

fn mutation_row(name: &str, text: &str) {
    let clock = Instant::now();
    let model = read(text).expect("the models are right");
    let mut suite = Vec::new();
    for target in targets(&model, &[]).expect("there are methods") {
        let program = ModelProgram::with_unknowns(
            Arc::clone(&model),
            options(),
            target.context.clone(),
            Criteria::default(),
            None,
        );
        let mut collector = Collector::default();
        explore(&program, &mut collector);
        for (case, choices) in collector.tests {
            let schedule = macro_schedule(&program, &choices);
            suite.push((given_context(&target.context, &case), schedule, case));
        }
    }
    let (mut changes, mut caught) = (0, 0);
    for mutant in mutants(text) {
        let Some(changed) = read(&mutant.text) else { continue };
        changes += 1;
        let options = Options { work_per_step: 100_000, ..Options::default() };
        let fails = suite.iter().any(|(context, schedule, case)| {
            match ending(&changed, &options, context.clone(), schedule) {
                Ok(actual) => difference(case, &actual).is_some(),
                Err(_) => true,
            }
        });
        if fails {
            caught += 1;
        } else {
            println!("  {name}:{}: {} is not caught", mutant.line, mutant.change);
        }
    }
    let seconds = clock.elapsed().as_secs_f64();
    println!("{name:16} {:7} {changes:9} {caught:9} {seconds:8.2}", suite.len());
}
