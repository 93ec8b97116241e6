//! What the unfoldings need on the shapes, next to `optimal` in the same run.
//!
//! `cargo bench -p counterpoint-explore --bench unfoldings`, with a part of a shape's name to run
//! only those. One core, one round. On a busy machine the processor's time tells more than the clock's.
//! Peak memory is of each line by itself where the system lets
//! the process forget its last peak, and of the whole process so far elsewhere.

use std::time::Instant;

use counterpoint_explore::{
    Assignment, Limits, ParameterValues, Silent, WorkUnit, default_properties, explorer,
};
use counterpoint_testkit::{TestProgram, shapes};

const ALL: &[&str] = &["optimal", "unfolding", "contextual", "stateful", "stateful-naive"];

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    println!(
        "{:20} {:15} {:>10} {:>9} {:>9} {:>9} {:>9} {:>8}",
        "shape", "explorer", "executions", "events", "seconds", "cpu", "per sec", "peak MB"
    );
    // The naive search visits every global state: it is left out where there are too many.
    let rows: [(TestProgram, &[&str]); 22] = [
        (shapes::fib(4), ALL),
        (shapes::fib(5), &ALL[..4]),
        (shapes::dining(4), ALL),
        (shapes::dining(5), ALL),
        (shapes::dining(6), &ALL[..4]),
        (shapes::dining(7), &ALL[..4]),
        (shapes::lock(4), ALL),
        (shapes::lock_and_one(4), ALL),
        (shapes::lock(5), ALL),
        (shapes::szymanski(1), ALL),
        (shapes::szymanski(2), ALL),
        (shapes::szymanski(3), ALL),
        (shapes::updater(3, 1, false), ALL),
        (shapes::updater(3, 1, true), ALL),
        (shapes::synthetic(1, 2, 6), ALL),
        (shapes::synthetic(1, 3, 4), ALL),
        (shapes::synthetic(2, 3, 4), ALL),
        (shapes::writes(6, 2), &ALL[3..]),
        (shapes::filesystem(18), &ALL[..4]),
        (shapes::filesystem(26), &ALL[1..4]),
        (shapes::pairs(4), &ALL[..4]),
        (shapes::lastzero(10), &ALL[..4]),
    ];
    for (program, explorers) in &rows {
        if wanted.as_ref().is_none_or(|wanted| program.name().contains(wanted.as_str())) {
            explorers.iter().for_each(|name| row(program, name));
        }
    }
}

fn row(program: &TestProgram, name: &str) {
    // Linux: forget the peak of the rows before.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let (clock, processor) = (Instant::now(), processor_seconds());
    let result = (explorer(name).expect("it is in the table").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties: default_properties(),
        sink: &mut Silent,
        parameters: ParameterValues::default(),
    });
    let seconds = clock.elapsed().as_secs_f64();
    let processor = processor_seconds() - processor;
    let statistics = result.statistics;
    println!(
        "{:20} {name:15} {:10} {:9} {seconds:9.3} {processor:9.2} {:9.0} {:8}",
        program.name(),
        statistics.executions,
        statistics.events,
        statistics.executions as f64 / seconds,
        peak_megabytes()
    );
}

/// What this process has used of the processor, in hundredths, where the system tells.
fn processor_seconds() -> f64 {
    let status = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = status.rsplit(')').next().unwrap_or_default();
    // User time is the fourteenth field, and the name is the second.
    let ticks = after_name.split_whitespace().nth(11).and_then(|ticks| ticks.parse().ok());
    ticks.unwrap_or(0.0) / 100.0
}

fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
