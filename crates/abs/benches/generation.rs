//! How fast test cases are generated: the methods of Table 1 of the paper on symbolic execution of
//! concurrent objects, on the models written anew, and which changes to the models the tests catch.
//!
//! `cargo bench -p counterpoint-abs --bench generation [-- NAME]`, on one core, a few seconds for each row,
//! and seconds are those in which the program was running. The depths are three times those of the paper's
//! columns, as our instructions do less than its resolution steps.
//!
//! The paper counts the instructions "including all branches": in its rows for `getLength` the total is exactly the
//! sum of the lengths of all solutions from the root of the tree, 8 + 2k for k + 1 solutions each up to the depth. So
//! what several branches share counts once for each of them. `branches` counts so, with the branches that were cut at
//! the depth, which take as long; `executed` counts each instruction once. The paper's longest row, `Node.run`, has
//! 0.31 million instructions a second, and the goal is ten times that where the solver is not the limit. `x paper` is that
//! multiple for the time outside the solver, and `(tests)` the same without the branches that were cut.

use std::sync::Arc;
use std::time::{Duration, Instant};

use counterpoint_abs::generate::{
    Target, difference, ending, given_context, macro_schedule, targets,
};
use counterpoint_abs::machine::{
    Criteria, Ended, ModelProgram, ObjectPolicy, Options, TaskPolicy, TestCase,
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
/// For one row.
const MOST_TIME: Duration = Duration::from_secs(3);
/// Rows that take fewer seconds are run several times, and the fastest run counts: the first ones measure how the
/// caches of the machine are filled, and others may need the core.
const SHORT: f64 = 0.25;
const REPETITIONS: usize = 200;
/// For how long a short row is repeated.
const REPEATING: Duration = Duration::from_millis(500);
/// Instructions per second of the paper: 14.2 million in 45.6 seconds for `Node.run`.
const PAPER: f64 = 14.2e6 / 45.6;

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let is_wanted = |name: &str| wanted.as_ref().is_none_or(|wanted| name.contains(wanted));
    println!(
        "{:22} {:>5} {:>9} {:>9} {:>7} {:>7} {:>7} {:>7} {:>6} {:>8} {:>8}",
        "method",
        "depth",
        "executed",
        "branches",
        "tests",
        "cut",
        "tree s",
        "tests s",
        "solver",
        "x paper",
        "(tests)"
    );
    for (_, text, methods) in MODELS {
        let model = read(text).expect("the models are right");
        for method in methods.iter().filter(|method| is_wanted(method)) {
            for depth in DEPTHS {
                row(&model, method, depth);
            }
        }
    }
    println!("\n{:16} {:>7} {:>9} {:>9} {:>8}", "model", "tests", "changes", "caught", "seconds");
    let (mut changes, mut caught) = (0, 0);
    for (name, text, _) in MODELS {
        if is_wanted(name) {
            let (some, of_them) = mutation_row(name, text);
            changes += some;
            caught += of_them;
        }
    }
    println!("{caught} of {changes} changes are caught");
}

struct Collector<'p> {
    program: &'p ModelProgram,
    tests: Vec<(TestCase, Vec<Choice>)>,
    cut: u64,
    /// What it took to find values and words for the tests, and how much of that the solver took.
    writing: Duration,
    solver: f64,
}

impl<'p> Collector<'p> {
    fn new(program: &'p ModelProgram) -> Collector<'p> {
        Collector { program, tests: Vec::new(), cut: 0, writing: Duration::ZERO, solver: 0.0 }
    }
}

impl Sink for Collector<'_> {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let solver = || self.program.solver_counters().solver_seconds;
        let (clock, before) = (Instant::now(), solver());
        match Ended::of(execution.run).expect("runs with unknowns have a context") {
            Ended::Cut(..) => self.cut += 1,
            Ended::Test(case) => {
                self.solver += solver() - before;
                let choices = execution.events.iter().map(|event| event.choice).collect();
                self.tests.push((*case, choices));
                self.writing += clock.elapsed();
            }
        }
        Flow::Continue
    }
}

fn options() -> Options {
    Options { objects: ObjectPolicy::RoundRobin, tasks: TaskPolicy::Fifo, ..Options::default() }
}

fn explore(collector: &mut Collector<'_>) -> bool {
    let limits = Limits { time: Some(MOST_TIME), ..Limits::default() };
    let result = (explorer("exhaustive").expect("it is in the table").explore)(Assignment {
        program: collector.program,
        unit: WorkUnit::whole(),
        limits,
        properties: Vec::new(),
        sink: collector,
        parameters: ParameterValues::default(),
    });
    result.unexplored.is_none()
}

/// The time that this thread has been running, without the time that others took from it.
fn running_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(|nanoseconds: f64| nanoseconds / 1e9)
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
    let program = || {
        let (context, criteria) = (target.context.clone(), criteria.clone());
        ModelProgram::with_unknowns(Arc::clone(model), options(), context, criteria, None)
    };
    let mut best = measure(&program(), depth);
    let clock = Instant::now();
    for _ in 1..REPETITIONS {
        if best.tree > SHORT || clock.elapsed() > REPEATING {
            break;
        }
        let again = measure(&program(), depth);
        if again.outside() < best.outside() {
            best = again;
        }
    }
    let times = |instructions: u64| instructions as f64 / best.outside() / PAPER;
    println!(
        "{method:22} {depth:5} {:9} {:9} {:7} {:7} {:7.3} {:7.3} {:5.0}% {:8.1} {:8.1}{}",
        best.executed,
        best.branches,
        best.tests,
        best.cut,
        best.tree,
        best.writing,
        100.0 * best.solver / best.tree,
        times(best.branches),
        times(best.in_tests),
        if best.all { "" } else { "  stopped, not all" }
    );
}

/// What a row has come to, and its seconds.
struct Measured {
    executed: u64,
    /// Instructions of all branches, and of those that are tests.
    branches: u64,
    in_tests: u64,
    tests: usize,
    cut: u64,
    /// For the tree, for the solver's part of it, and for values and words of the tests.
    tree: f64,
    solver: f64,
    writing: f64,
    all: bool,
}

impl Measured {
    /// The seconds outside the solver.
    fn outside(&self) -> f64 {
        self.tree - self.solver
    }
}

fn measure(program: &ModelProgram, depth: u64) -> Measured {
    let (clock, running) = (Instant::now(), running_time());
    let mut collector = Collector::new(program);
    let all = explore(&mut collector);
    let passed = clock.elapsed().as_secs_f64();
    // Other programs slow down all parts alike. The clock of the system ticks too slowly for short rows.
    let share = match (running, running_time()) {
        (Some(before), Some(after)) if passed > SHORT => (after - before) / passed,
        _ => 1.0,
    };
    let writing = collector.writing.as_secs_f64() * share;
    let in_tests: u64 = collector.tests.iter().map(|(case, _)| case.instructions).sum();
    if std::env::var_os("COUNTERPOINT_VERBOSE").is_some() {
        eprintln!("{:?}", program.solver_counters());
    }
    Measured {
        executed: program.instructions(),
        branches: in_tests + collector.cut * depth,
        in_tests,
        tests: collector.tests.len(),
        cut: collector.cut,
        tree: passed * share - writing,
        solver: (program.solver_counters().solver_seconds - collector.solver) * share,
        writing,
        all,
    }
}

/// How many changes to a model there are, and how many of them its tests catch.
fn mutation_row(name: &str, text: &str) -> (u64, u64) {
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
        let mut collector = Collector::new(&program);
        explore(&mut collector);
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
    (changes, caught)
}
