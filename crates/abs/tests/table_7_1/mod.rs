//! The nine programs of Table 7.1 of the thesis on active objects, written anew, and how they are searched.
//!
//! Chapter 7 says in a few words what each program is, that each takes several integers, and how many derivations plain
//! symbolic execution had at which limit on loops. So each has, beside the tasks of its cycles, others that are
//! counted, noted or sung in loops, in a number that leaves plain search about as much to do as there.
//!
//! An integer of the thesis is a free choice from 0 to the limit, made where it is first looked at, which is what symbolic
//! execution with a limit on loops makes of it: these loops run as often as the number says.

use std::sync::Arc;
use std::time::{Duration, Instant};

use counterpoint_abs::analysis::question::DeadlockQuestion;
use counterpoint_abs::analysis::{Settings, analyse};
use counterpoint_abs::machine::{ModelProgram, Options, Reduction};
use counterpoint_abs::program::Model;
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};
use counterpoint_explore::{
    Assignment, Ending, Execution, Exploration, Flow, Limits, ParameterValues, Sink, Statistics,
    WorkUnit, explorer,
};

/// A program, the two limits of the table, and what the guided search gains there over plain symbolic execution: for
/// one deadlock of each cycle and for all of them.
pub struct Row {
    pub name: &'static str,
    pub source: &'static str,
    pub limits: [u32; 2],
    #[allow(dead_code, reason = "only the benchmark compares them")]
    pub gains: [Published; 2],
}

/// Two gains as they are printed in the table.
#[allow(dead_code, reason = "only the benchmark compares them")]
#[derive(Clone, Copy, Debug)]
pub struct Published {
    pub per_cycle: f64,
    pub all: f64,
    /// Whether they are lower bounds, since plain symbolic execution was stopped.
    pub at_least: bool,
}

const fn exactly(per_cycle: f64, all: f64) -> Published {
    Published { per_cycle, all, at_least: false }
}

const fn more_than(per_cycle: f64, all: f64) -> Published {
    Published { per_cycle, all, at_least: true }
}

macro_rules! row {
    ($name:literal, $limits:expr, $gains:expr) => {
        Row {
            name: $name,
            source: include_str!(concat!("", $name, ".abs")),
            limits: $limits,
            gains: $gains,
        }
    };
}

/// The gains of UF 2 and SB 2 are those that are printed, though the times beside them and the time limit of 180 s
/// give a tenth.
pub const ROWS: [Row; 9] = [
    row!("DBW", [2, 3], [exactly(50.8, 10.8), more_than(9e3, 32.3)]),
    row!("F", [3, 4], [exactly(426.1, 241.5), more_than(5e3, 3e3)]),
    row!("PP", [2, 3], [exactly(1.3, 1.7), exactly(22.5, 14.0)]),
    row!("HB", [3, 4], [exactly(31.4, 80.8), more_than(27.0, 64.0)]),
    row!("UF", [2, 3], [more_than(58e3, 18e3), more_than(3e3, 690.0)]),
    row!("SB", [1, 2], [exactly(1.6, 1.66), more_than(94e3, 10e3)]),
    row!("fUF", [2, 3], [more_than(4e3, 4e3), more_than(11.0, 10.0)]),
    row!("fF", [3, 4], [exactly(131.0, 131.0), more_than(2e3, 1e3)]),
    row!("fPP", [3, 6], [exactly(150.8, 145.8), more_than(535.0, 535.1)]),
];

pub fn model(row: &Row, limit: u32) -> Arc<Model> {
    loaded(row.source, limit)
}

pub fn loaded(source: &str, limit: u32) -> Arc<Model> {
    let text = source.replace("LIMIT", &limit.to_string());
    let result = load(vec![SourceFile::new("program.abs", text)], &LoadOptions::default());
    Arc::new(result.model.expect("the programs of the table load"))
}

/// Stops at the first deadlock if it is told so.
struct Stopping(bool);

impl Sink for Stopping {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        match self.0 && execution.ending == Ending::Deadlock {
            true => Flow::Stop,
            false => Flow::Continue,
        }
    }
}

/// Explores a program, with the time it took.
pub fn explore(
    program: &ModelProgram,
    name: &str,
    time: Duration,
    first: bool,
) -> (Exploration, Duration) {
    let clock = Instant::now();
    let exploration = (explorer(name).expect("it is in the table").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits { time: Some(time), ..Limits::default() },
        properties: Vec::new(),
        sink: &mut Stopping(first),
        parameters: ParameterValues::default(),
    });
    (exploration, clock.elapsed())
}

/// What a guided search has come to.
#[derive(Debug, Default)]
pub struct Guided {
    /// Cycles that were shown, that are impossible, and all.
    pub deadlocked: usize,
    pub impossible: usize,
    pub cycles: usize,
    /// The time for one deadlock of each cycle, analysis included, and the longest of the searches.
    pub per_cycle: Duration,
    pub longest: Duration,
    /// All deadlocked executions, and the time for them.
    pub executions: u64,
    pub all: Duration,
    /// The steps that it took.
    pub steps: u64,
    /// Whether a limit stopped some search.
    pub stopped: bool,
}

/// Searches for each cycle and for all deadlocks.
pub fn guided(model: &Arc<Model>, reduction: Reduction, time: Duration) -> Guided {
    let options = Options { reduction, ..Options::default() };
    let clock = Instant::now();
    let analysis = analyse(model, Settings::default()).expect("there is a main block");
    let analysing = clock.elapsed();
    let cycles = &analysis.graph.cycles;
    let mut result = Guided { cycles: cycles.len(), per_cycle: analysing, ..Guided::default() };
    let program =
        |question| ModelProgram::new(Arc::clone(model), options.clone()).looking_for(question);
    for cycle in cycles {
        let mut question =
            DeadlockQuestion::new(&analysis.points, std::slice::from_ref(cycle), &[]);
        question.first_only = true;
        let (found, took) = explore(&program(question), "guided", time, true);
        result.per_cycle += took;
        result.longest = result.longest.max(analysing + took);
        match (found.statistics.deadlocks, &found.unexplored) {
            (0, None) => result.impossible += 1,
            (0, Some(_)) => result.stopped = true,
            _ => result.deadlocked += 1,
        }
    }
    let question = DeadlockQuestion::new(&analysis.points, cycles, &analysis.graph.chains);
    let (found, took) = explore(&program(question), "guided", time, false);
    result.executions = found.statistics.deadlocks;
    result.steps = found.statistics.events;
    result.all = analysing + took;
    result.stopped |= found.unexplored.is_some();
    result
}
