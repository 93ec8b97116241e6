//! What a bound on foreign reads costs, next to all traces.
//!
//! `cargo bench -p counterpoint-explore --bench bounded`. One core.
//!
//! * *Growing threads.* Two threads, each n times "read x, write x". Executions of `interference` within
//!   1, 2 and 3 non-local reads, and traces, as far as [`MOST`] executions go; the exponent is that of the
//!   power of n that fits the last two figures of a column. For fixed k it stays below 2 k, as reads times
//!   writes promise, while traces grow exponentially: their exponent grows with n.
//! * *Too large.* Two pairs of threads, each pair with a counter of its own, and a failure that two
//!   non-local reads show. `optimal` gets `COUNTERPOINT_BENCH_SECONDS`, or [`PATIENCE`] (ten minutes are
//!   asked for in `scripts/nightly`).

use std::time::{Duration, Instant};

use counterpoint_explore::{
    Assignment, Exploration, Limits, ParameterValue, ParameterValues, Silent, WorkUnit,
    default_properties, explorer,
};
use counterpoint_testkit::TestProgram;
use counterpoint_testkit::builder::{Builder, Comparable, ThreadBuilder, Variable};

/// So many executions are counted at most.
const MOST: u64 = 100_000;

/// What `optimal` gets for the large program.
const PATIENCE: u64 = 20;

fn main() {
    println!("growing threads: executions within k non-local reads, and traces");
    println!("{:>4} {:>18} {:>18} {:>18} {:>18}", "n", "k = 1", "k = 2", "k = 3", "traces");
    let mut last: [Option<(u64, u64)>; 4] = [None; 4];
    for length in [2, 3, 4, 6, 8, 12, 16, 24] {
        let program = counters(length);
        let mut line = format!("{length:4}");
        for (column, last) in last.iter_mut().enumerate() {
            let bound = (column < 3).then_some(column as u64 + 1);
            let exhausted = !matches!(last, Some((_, executions)) if *executions >= MOST / 8);
            line += &match (length > 2 && last.is_none()) || !exhausted {
                true => format!("{:>19}", "-"),
                false => cell(&program, bound, length, last),
            };
        }
        println!("{line}");
    }
    large();
}

/// The executions within a bound, with the exponent since the last row.
fn cell(
    program: &TestProgram,
    bound: Option<u64>,
    length: u64,
    last: &mut Option<(u64, u64)>,
) -> String {
    let limits = Limits { executions: Some(MOST), ..Limits::default() };
    let result = match bound {
        Some(bound) => explore("interference", program, Some(bound), limits),
        None => explore("optimal", program, None, limits),
    };
    let executions = result.statistics.executions;
    if result.unexplored.is_some() {
        *last = None;
        return format!("{:>19}", format!("> {MOST}"));
    }
    let exponent = last.map(|(before, then)| {
        let grown = (executions as f64 / then as f64).ln();
        grown / (length as f64 / before as f64).ln()
    });
    *last = Some((length, executions));
    match exponent {
        Some(exponent) => format!("{executions:>11} (n^{exponent:.1})"),
        None => format!("{executions:>19}"),
    }
}

/// A failure in a program that has more traces than can be tried.
fn large() {
    let program = two_pairs(6);
    println!("\ntoo large: a failure that two non-local reads show");
    let started = Instant::now();
    let result = explore("interference", &program, None, Limits::default());
    println!(
        "interference: {} after {} executions, {:.1} s",
        found(&result),
        result.statistics.executions,
        started.elapsed().as_secs_f64()
    );
    let asked = std::env::var("COUNTERPOINT_BENCH_SECONDS").ok();
    let seconds = asked.and_then(|text| text.parse().ok()).unwrap_or(PATIENCE);
    let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
    let started = Instant::now();
    let result = explore("optimal", &program, None, limits);
    println!(
        "optimal:      {} after {} executions, {:.1} s{}",
        found(&result),
        result.statistics.executions,
        started.elapsed().as_secs_f64(),
        if result.unexplored.is_some() { ", not done" } else { "" }
    );
}

fn found(result: &Exploration) -> &'static str {
    if result.findings.is_empty() { "nothing found" } else { "found" }
}

fn explore(name: &str, program: &TestProgram, bound: Option<u64>, limits: Limits) -> Exploration {
    let parameters = match bound {
        Some(bound) => ParameterValues::default().with("bound", ParameterValue::Number(bound)),
        None => ParameterValues::default(),
    };
    (explorer(name).expect("it is in the table").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits,
        properties: default_properties(),
        sink: &mut Silent,
        parameters,
    })
}

/// So many times: read, write what was read plus one.
fn count(thread: &mut ThreadBuilder<'_>, counter: Variable, times: u64) {
    for _ in 0..times {
        let seen = thread.read(counter);
        thread.write(counter, seen + 1);
    }
}

/// Two threads that count.
fn counters(times: u64) -> TestProgram {
    let mut builder = Builder::new("counters");
    let x = builder.variable("x", 0);
    builder.main(|main| {
        main.spawn(|thread| count(thread, x, times));
        main.spawn(|thread| count(thread, x, times));
    })
}

/// Two pairs that count. The first thread fails if it sees, before it counts, what the last one has left
/// after counting.
fn two_pairs(times: u64) -> TestProgram {
    let mut builder = Builder::new("two pairs");
    let (x, y) = (builder.variable("x", 0), builder.variable("y", 0));
    let (ready, data) = (builder.variable("ready", 0), builder.variable("data", 0));
    builder.main(|main| {
        main.spawn(|thread| {
            let seen = thread.read(ready);
            thread.when(seen.equals(1), |thread| {
                let value = thread.read(data);
                thread.assert(value.equals(0), "the data are there");
            });
            count(thread, x, times);
        });
        main.spawn(|thread| count(thread, x, times));
        main.spawn(|thread| count(thread, y, times));
        main.spawn(|thread| {
            count(thread, y, times);
            thread.write(data, 1);
            thread.write(ready, 1);
        });
    })
}
