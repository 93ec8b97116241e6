//! How fast `optimal` explores the shapes, next to two bare enumerators in the same run.
//!
//! `cargo bench -p counterpoint-explore --bench shapes`, with names of shapes after `--` to choose among
//! them. One core. Rates are per second of processor time, and the best of five rounds, since other
//! load only ever slows a round down; the rounds of the searches take turns, so that it hits all alike.
//!
//! * `optimal/s`: executions of `optimal` per second, with the program run, properties checked and
//!   every execution shown to a sink.
//! * `plain/s` and its ratio: traces per second of [`plain`], a sleep-set search over lists of
//!   operations with no program and no record, written straightforwardly. The yardstick: the goal is
//!   at least 1/6 on fib and lock, and above 1 on dining and filesystem, where sleep sets waste their
//!   time on branches that end asleep. On filesystem the search would not end within a lifetime, so
//!   its rate is over the first seconds: those executions it lists before it is lost in such branches.
//! * `words/s` and its ratio: the same search with all its sets in machine words ([`words`]). A bound
//!   for orientation. It knows no jumps, so for filesystem it gets only the two operations of each
//!   thread that can meet others, and the first two hundred executions.
//! * `early kB` and `end kB`: peak memory of the whole process after a part of a first exploration, and
//!   at its end. The part is the last power of two of executions that is at most half of them, so
//!   memory is flat in the number of executions if the two are the same.
//!
//! `pairs` is there for its memory only: its threads decide about inputs beside races, and were a race's
//! reversal added to a wakeup tree once for each combination of these decisions, it would need the most.

use std::time::{Duration, Instant};

use counterpoint_explore::{
    Assignment, Execution, Flow, Limits, ParameterValues, Silent, Sink, Statistics, WorkUnit,
    default_properties, explorer,
};
use counterpoint_testkit::enumerator::{self, Threads, plain, words};
use counterpoint_testkit::{TestProgram, shapes};

/// What the plain search gets for a round.
const PATIENCE: Duration = Duration::from_secs(3);

fn main() {
    println!(
        "{:16} {:>10} {:>8} {:>8} {:>12} {:>12} {:>8} {:>12} {:>8}",
        "shape",
        "executions",
        "early kB",
        "end kB",
        "optimal/s",
        "plain/s",
        "ratio",
        "words/s",
        "ratio"
    );
    let (fib, lock) = (enumerator::fib(5), enumerator::sections(&[2; 5]));
    row("fib(5)", &shapes::fib(5), &fib, &fib, u64::MAX);
    row("lock(5)", &shapes::lock(5), &lock, &lock, u64::MAX);
    for philosophers in [6, 7] {
        let dining = enumerator::dining(philosophers);
        let name = format!("dining({philosophers})");
        row(&name, &shapes::dining(philosophers), &dining, &dining, u64::MAX);
    }
    let whole = enumerator::filesystem(22, 26);
    let meetings = enumerator::filesystem_meetings(22);
    row("filesystem(22)", &shapes::filesystem(22), &whole, &meetings, 200);
    for pairs in [4, 5, 6] {
        let name = format!("pairs({pairs})");
        if wanted(&name) {
            println!("{}", footing(&name, &shapes::pairs(pairs)));
        }
    }
}

fn row(name: &str, program: &TestProgram, threads: &Threads, straight: &Threads, limit: u64) {
    if !wanted(name) {
        return;
    }
    let footing = footing(name, program);
    let shape = words::Shape::new(straight);
    let (mut optimal, mut plain, mut words) = (0.0f64, 0.0f64, 0.0f64);
    for _ in 0..5 {
        optimal = optimal.max(rate(|| explore(program, &mut Silent)));
        plain =
            plain.max(rate(|| plain::count(threads, Some(Instant::now() + PATIENCE)).executions));
        words = words.max(rate(|| shape.count(limit).executions));
    }
    println!(
        "{footing} {optimal:12.0} {plain:12.1} {:8.3} {words:12.0} {:8.3}",
        optimal / plain,
        optimal / words,
    );
}

/// Explores with `optimal`; gives the number of executions.
fn explore(program: &TestProgram, sink: &mut dyn Sink) -> u64 {
    let result = (explorer("optimal").expect("it is in the table").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties: default_properties(),
        sink,
        parameters: ParameterValues::default(),
    });
    result.statistics.executions
}

/// The peak memory at the last power of two of executions but one, and at the last.
struct Peaks {
    early: u64,
    late: u64,
}

impl Sink for Peaks {
    fn execution(&mut self, _: &Execution<'_>, statistics: &Statistics) -> Flow {
        if statistics.executions.is_power_of_two() {
            self.early = std::mem::replace(&mut self.late, peak_kilobytes());
        }
        Flow::Continue
    }
}

/// The first columns: how many executions there are, and the memory that they need.
fn footing(name: &str, program: &TestProgram) -> String {
    // Where the system allows it, what was needed before does not count.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let mut peaks = Peaks { early: 0, late: 0 };
    let executions = explore(program, &mut peaks);
    format!("{name:16} {executions:10} {:8} {:8}", peaks.early, peak_kilobytes())
}

/// So long a round takes at least: the system counts processor time in ticks.
const ROUND: Duration = Duration::from_millis(400);

/// Executions per second in a round.
fn rate(mut search: impl FnMut() -> u64) -> f64 {
    let clock = Instant::now();
    let started = processor_time();
    let mut executions = 0;
    loop {
        executions += search();
        let spent = match (started, processor_time()) {
            (Some(started), Some(ended)) => ended - started,
            _ => clock.elapsed(),
        };
        if spent >= ROUND {
            return executions as f64 / spent.as_secs_f64();
        }
    }
}

/// How long the process has had a processor, where the system says so.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Whether a shape is asked for: all are if none is named.
fn wanted(name: &str) -> bool {
    let mut names =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).peekable();
    names.peek().is_none() || names.any(|wanted| name.starts_with(&wanted))
}

fn peak_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0)
}
