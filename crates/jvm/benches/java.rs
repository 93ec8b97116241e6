//! How fast `optimal` explores Java programs, next to the same shapes built for the kernel.
//!
//! `cargo bench -p counterpoint-jvm --bench java`. One core. Each shape is measured in a process of
//! its own, which finds the classes compiled. Rounds of both sides alternate, and each rate is that
//! of the best of three rounds, since other load only ever slows a round down.
//!
//! * `Java/s` and `builder/s`: executions per second with the program run, properties checked and every
//!   execution shown to a sink; their ratio. The goal is at least a third.
//! * `start ms`: from nothing to the end of the first execution: reading the JDK's classes, starting
//!   its library and running the program up to its first choice included, compiling excluded. The best
//!   of three. The goal is less than 300.
//! * `peak MB`: the most memory that exploring the Java program needed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use counterpoint_explore::{
    Assignment, Execution, Flow, Limits, ParameterValues, Silent, Sink, Statistics, WorkUnit,
    default_properties, explorer,
};
use counterpoint_jvm::load::{Jdk, compile};
use counterpoint_jvm::{JavaProgram, Target};
use counterpoint_model::Program;
use counterpoint_testkit::{TestProgram, shapes};

/// A shape: its name, its Java program with arguments, and how to build it.
type Shape = (&'static str, &'static str, fn() -> TestProgram);

const SHAPES: [Shape; 4] = [
    ("fib(5)", "Fib 5", || shapes::fib(5)),
    ("lock(5)", "Sections 2 2 2 2 2", || shapes::lock(5)),
    ("dining(6)", "Dining 6", || shapes::dining(6)),
    ("filesystem(22)", "Filesystem 22", || shapes::filesystem(22)),
];

/// What tells the process of a shape where its classes are.
const CLASSES: &str = "COUNTERPOINT_BENCH_CLASSES";
/// What tells it which shape is its.
const SHAPE: &str = "COUNTERPOINT_BENCH_SHAPE";

fn main() {
    if let (Some(classes), Ok(shape)) = (std::env::var_os(CLASSES), std::env::var(SHAPE)) {
        let shape = SHAPES.iter().find(|(name, ..)| *name == shape);
        return row(&PathBuf::from(classes), shape.expect("a shape of the table"));
    }
    println!(
        "{:16} {:>10} {:>12} {:>12} {:>8} {:>9} {:>8}",
        "shape", "executions", "Java/s", "builder/s", "ratio", "start ms", "peak MB"
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/explore");
    let main_class = |(_, command, _): &Shape| command.split(' ').next().unwrap_or_default();
    let sources: Vec<PathBuf> =
        SHAPES.iter().map(|shape| folder.join(main_class(shape)).with_extension("java")).collect();
    let jdk = Jdk::find().expect("a JDK is installed");
    let classes = compile(&jdk, &sources, &[]).expect("the programs compile");
    let own = std::env::current_exe().expect("the benchmark itself");
    for (name, ..) in SHAPES {
        let mut child = Command::new(&own);
        child.env(CLASSES, classes.path()).env(SHAPE, name);
        let status = child.status().expect("the benchmark can be run again");
        assert!(status.success(), "{name} failed");
    }
}

fn row(classes: &Path, (name, command, build): &Shape) {
    let mut words = command.split(' ').map(str::to_string);
    let target = Target {
        paths: vec![classes.to_path_buf()],
        main: words.next(),
        arguments: words.collect(),
        ..Target::default()
    };
    let load = || JavaProgram::load(&target).expect("the program loads");
    let start = (0..3).map(|_| {
        let clock = Instant::now();
        explore(&load(), &mut Once);
        clock.elapsed()
    });
    let start = start.min().expect("three rounds").as_secs_f64() * 1000.0;
    let (java, built) = (load(), build());
    let (mut java_rate, mut built_rate): (f64, f64) = (0.0, 0.0);
    let (mut executions, mut memory) = (0, 0);
    for _ in 0..3 {
        let clock = Instant::now();
        executions = explore(&java, &mut Silent);
        java_rate = java_rate.max(executions as f64 / clock.elapsed().as_secs_f64());
        if memory == 0 {
            memory = peak_megabytes();
        }
        let clock = Instant::now();
        let same = explore(&built, &mut Silent);
        built_rate = built_rate.max(same as f64 / clock.elapsed().as_secs_f64());
        assert_eq!(executions, same, "{name}: the two are the same shape");
    }
    println!(
        "{name:16} {executions:10} {java_rate:12.0} {built_rate:12.0} {:8.3} {start:9.0} {memory:8}",
        java_rate / built_rate
    );
}

/// How many executions a program has.
fn explore(program: &dyn Program, sink: &mut dyn Sink) -> u64 {
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

/// Stops after the first execution.
struct Once;

impl Sink for Once {
    fn execution(&mut self, _: &Execution<'_>, _: &Statistics) -> Flow {
        Flow::Stop
    }
}

fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
