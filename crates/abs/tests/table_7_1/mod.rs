//! The nine programs of Table 7.1 of the thesis on active objects, written anew, and how they are searched.
//!
//! The integer that each main block of the thesis takes is a free choice from 0 to the limit, which is what symbolic
//! execution with a limit on loops makes of it: these loops run as often as the number says.

use std::sync::Arc;
use std::time::{Duration, Instant};

use counterpoint_abs::analysis::question::Question;
use counterpoint_abs::analysis::{Settings, analyse};
use counterpoint_abs::machine::{ModelProgram, Options, Reduction};
use counterpoint_abs::program::Model;
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};
use counterpoint_explore::{
    Assignment, Ending, Execution, Exploration, Flow, Limits, ParameterValues, Sink, Statistics,
    WorkUnit, explorer,
};

/// A program and the two limits of the table.
pub struct Row {
    pub name: &'static str,
    pub source: &'static str,
    pub limits: [u32; 2],
}

macro_rules! row {
    ($name:literal, $limits:expr) => {
        Row { name: $name, source: include_str!(concat!("", $name, ".abs")), limits: $limits }
    };
}

pub const ROWS: [Row; 9] = [
    row!("DBW", [2, 3]),
    row!("F", [3, 4]),
    row!("PP", [2, 3]),
    row!("HB", [3, 4]),
    row!("UF", [2, 3]),
    row!("SB", [1, 2]),
    row!("fUF", [2, 3]),
    row!("fF", [3, 4]),
    row!("fPP", [3, 6]),
];

pub fn model(row: &Row, limit: u32) -> Arc<Model> {
    let text = row.source.replace("LIMIT", &limit.to_string());
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
        let mut question = Question::new(&analysis.points, std::slice::from_ref(cycle), &[]);
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
    let question = Question::new(&analysis.points, cycles, &analysis.graph.chains);
    let (found, took) = explore(&program(question), "guided", time, false);
    result.executions = found.statistics.deadlocks;
    result.all = analysing + took;
    result.stopped |= found.unexplored.is_some();
    result
}
