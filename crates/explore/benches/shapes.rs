//! How fast `optimal` explores the shapes, next to the bare sleep-set enumerator in the same run.
//!
//! `cargo bench -p counterpoint-explore --bench shapes`. One core. Each figure is the best of three
//! rounds, since other load only ever slows a round down. Peak memory is of the whole process so
//! far, so a line shows growth if its exploration needs more than those before it.

use std::time::Instant;

use counterpoint_explore::{Assignment, Limits, Silent, WorkUnit, default_properties, explorer};
use counterpoint_testkit::enumerator::{self, Shape};
use counterpoint_testkit::{TestProgram, shapes};

fn main() {
    println!(
        "{:16} {:>10} {:>12} {:>12} {:>7} {:>9}",
        "shape", "executions", "optimal/s", "enumerator/s", "ratio", "peak MB"
    );
    row(&shapes::fib(5), &enumerator::fib(5), u64::MAX);
    row(&shapes::lock(5), &enumerator::sections(&[2; 5]), u64::MAX);
    row(&shapes::dining(6), &enumerator::dining(6), u64::MAX);
    row(&shapes::dining(7), &enumerator::dining(7), u64::MAX);
    // The enumerator would need minutes for all of these: its rate over a part is as good.
    row(&shapes::filesystem(22), &enumerator::filesystem(22), 200);
}

fn row(program: &TestProgram, shape: &Shape, limit: u64) {
    let mut rates: [f64; 2] = [0.0; 2];
    let mut executions = 0;
    for _ in 0..3 {
        let clock = Instant::now();
        let result = (explorer("optimal").expect("it is in the table").explore)(Assignment {
            program,
            unit: WorkUnit::whole(),
            limits: Limits::default(),
            properties: default_properties(),
            sink: &mut Silent,
            seed: 0,
        });
        executions = result.statistics.executions;
        rates[0] = rates[0].max(executions as f64 / clock.elapsed().as_secs_f64());
    }
    for _ in 0..3 {
        let clock = Instant::now();
        let counts = shape.count(limit);
        rates[1] = rates[1].max(counts.executions as f64 / clock.elapsed().as_secs_f64());
    }
    println!(
        "{:16} {executions:10} {:12.0} {:12.0} {:7.3} {:9}",
        program.name(),
        rates[0],
        rates[1],
        rates[0] / rates[1],
        peak_megabytes()
    );
}

fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
