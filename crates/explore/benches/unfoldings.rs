//! What the unfoldings need on the shapes, next to `dpor` and `optimal` in the same run, and to what the thesis
//! needs (tables 8.1 and 8.3). A published figure that we do not keep has an exclamation mark.
//!
//! `cargo bench -p counterpoint-explore --bench unfoldings`, with a part of a shape's name to run
//! only those, and then the name of an explorer to run only that one. One core, one round. On a busy machine the
//! processor's time tells more than the clock's. Peak memory is of each line by itself where the system lets
//! the process forget its last peak, and of the whole process so far elsewhere.

use std::time::Instant;

use counterpoint_explore::{
    Assignment, Limits, ParameterValues, Silent, WorkUnit, default_properties, explorer,
};
use counterpoint_testkit::{TestProgram, shapes};

const ALL: &[&str] = &["dpor", "optimal", "unfolding", "contextual", "stateful", "stateful-naive"];

/// The executions that the thesis needs, in the order of [`ALL`]: `optimal` has as many as there are traces.
type Published = [Option<u64>; 6];

/// The thesis does not say, or its program is not ours.
const UNKNOWN: Published = [None; 6];

const fn published(all: [u64; 6]) -> Published {
    let mut counts = UNKNOWN;
    let mut index = 0;
    while index < counts.len() {
        if all[index] > 0 {
            counts[index] = Some(all[index]);
        }
        index += 1;
    }
    counts
}

fn main() {
    let mut words = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let (wanted, only) = (words.next(), words.next());
    println!(
        "{:20} {:15} {:>10} {:>10} {:>9} {:>9} {:>9} {:>9} {:>8}",
        "shape",
        "explorer",
        "executions",
        "published",
        "events",
        "seconds",
        "cpu",
        "per sec",
        "peak MB"
    );
    // Tables 8.1 and 8.3. The naive search visits every global state: it is left out where there are too
    // many, and so is `dpor` where it does not end in minutes.
    let rows: [(TestProgram, &[&str], Published); 24] = [
        (shapes::fib(4), ALL, published([21_102, 19_605, 19_605, 4_950, 4_946, 5_746])),
        (shapes::fib(5), ALL, published([232_531, 218_243, 218_243, 46_830, 46_829, 53_478])),
        (shapes::dining(4), ALL, published([1_161, 831, 798, 798, 4, 3])),
        (shapes::dining(5), ALL, published([10_065, 5_851, 5_746, 5_749, 3, 3])),
        (shapes::dining(6), &ALL[..5], published([81_527, 38_786, 36_075, 36_058, 4, 2])),
        (shapes::dining(7), &ALL[1..5], published([0, 248_011, 205_161, 205_120, 2, 0])),
        (shapes::lock(4), ALL, published([2_520, 2_520, 2_520, 2_520, 18, 20])),
        (shapes::lock_and_one(4), ALL, published([22_680, 22_680, 22_680, 22_680, 26, 29])),
        (shapes::lock(5), ALL, published([113_400, 113_400, 113_400, 113_400, 34, 39])),
        (shapes::pi(6), &ALL[..4], published([931, 720, 720, 720, 0, 0])),
        (shapes::pi(7), &ALL[..4], published([6_294, 5_040, 5_040, 5_040, 0, 0])),
        (shapes::szymanski(1), ALL, published([65_138, 65_138, 65_138, 56_487, 46_679, 50_264])),
        (shapes::szymanski(2), ALL, published([82_008, 82_008, 82_008, 70_829, 60_192, 64_843])),
        (
            shapes::szymanski(3),
            ALL,
            published([132_532, 132_532, 132_532, 115_365, 97_903, 105_270]),
        ),
        (shapes::updater(3, 1, false), ALL, UNKNOWN),
        (shapes::updater(3, 1, true), ALL, UNKNOWN),
        (shapes::synthetic(1, 2, 6), ALL, UNKNOWN),
        (shapes::synthetic(1, 3, 4), ALL, UNKNOWN),
        (shapes::synthetic(2, 3, 4), ALL, UNKNOWN),
        (shapes::writes(6, 2), &ALL[4..], published([0, 0, 0, 0, 1, 1])),
        (shapes::filesystem(18), &ALL[..5], published([2_227, 32, 3, 3, 0, 0])),
        (shapes::filesystem(26), &ALL[2..5], UNKNOWN),
        (shapes::pairs(4), ALL, published([4_096, 4_096, 8, 8, 4, 9])),
        (shapes::lastzero(10), &ALL[1..5], UNKNOWN),
    ];
    for (program, explorers, published) in &rows {
        if wanted.as_ref().is_none_or(|wanted| program.name().contains(wanted.as_str())) {
            for name in
                explorers.iter().filter(|&name| only.as_ref().is_none_or(|only| only == name))
            {
                let place = ALL.iter().position(|known| known == name);
                row(program, name, place.and_then(|place| published[place]));
            }
        }
    }
}

fn row(program: &TestProgram, name: &str, published: Option<u64>) {
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
    let published = published.map_or("-".to_string(), |published| {
        let more = if statistics.executions > published { "!" } else { "" };
        format!("{more}{published}")
    });
    println!(
        "{:20} {name:15} {:10} {published:>10} {:9} {seconds:9.3} {processor:9.2} {:9.0} {:8}",
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
