//! How fast models are explored: the database and its workers, at every level of reduction.
//!
//! `cargo bench -p counterpoint-abs --bench models`. One core. Without reduction three workers have
//! 4,349,196 executions; the goal for all of them is 15 seconds. Explorations that would take too long
//! are stopped after [`MOST_TIME`] and marked: what they count is then a part of what there is.

use std::sync::Arc;
use std::time::{Duration, Instant};

use counterpoint_abs::machine::{ModelProgram, Options, Reduction};
use counterpoint_abs::program::Model;
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};
use counterpoint_explore::{
    Assignment, Limits, ParameterValues, Silent, WorkUnit, default_properties, explorer,
};

const MOST_TIME: Duration = Duration::from_secs(60);

const SOURCE: &str = include_str!("../tests/corpus/database_workers.abs");

fn main() {
    println!(
        "{:8} {:10} {:11} {:>11} {:>9} {:>11} {:>9} {:>13}",
        "workers",
        "reduction",
        "explorer",
        "executions",
        "deadlocks",
        "abandoned",
        "seconds",
        "executions/s"
    );
    row(3, Reduction::None, "exhaustive");
    for workers in 2..=4 {
        row(workers, Reduction::None, "optimal");
        row(workers, Reduction::Object, "optimal");
        row(workers, Reduction::Field, "optimal");
        row(workers, Reduction::Exact, "states");
    }
}

fn model(workers: usize) -> Arc<Model> {
    let text = SOURCE.replace("Int n = 1;", &format!("Int n = {workers};"));
    let result = load(vec![SourceFile::new("workers.abs", text)], &LoadOptions::default());
    Arc::new(result.model.expect("the model of the corpus loads"))
}

fn row(workers: usize, reduction: Reduction, name: &str) {
    let options = Options { reduction, ..Options::default() };
    let program = ModelProgram::new(model(workers), options);
    let clock = Instant::now();
    let result = (explorer(name).expect("it is in the table").explore)(Assignment {
        program: &program,
        unit: WorkUnit::whole(),
        limits: Limits { time: Some(MOST_TIME), ..Limits::default() },
        properties: default_properties(),
        sink: &mut Silent,
        parameters: ParameterValues::default(),
    });
    let seconds = clock.elapsed().as_secs_f64();
    let statistics = &result.statistics;
    let level = Reduction::ALL.iter().find(|(_, level)| *level == reduction).map_or("", |(n, _)| n);
    println!(
        "{workers:<8} {level:10} {name:11} {:11} {:9} {:11} {seconds:9.2} {:13.0}{}",
        statistics.executions,
        statistics.deadlocks,
        statistics.abandoned,
        statistics.executions as f64 / seconds,
        if result.unexplored.is_some() { "  stopped, not all" } else { "" }
    );
}
