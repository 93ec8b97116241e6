//! How fast `optimal` and `dpor` explore programs over the JDK's concurrency library.
//!
//! `cargo bench -p counterpoint-jvm --bench library`, with names of programs after `--` to choose among them.
//! One core. Both explorers get the first [`EXECUTIONS`] executions of each program, or [`PATIENCE`], again and again
//! until a round has lasted for [`ROUND`]. Rounds of both alternate, and each rate is that of the best of
//! [`ROUNDS`]. Seconds are those of the processor, where the system tells, so that other work on the machine
//! counts little.
//!
//! * `optimal/s` and `dpor/s`: executions per second. What `dpor` begins and gives up, since it was seen before,
//!   is no execution, but takes its time.
//! * `slower`: how much longer `optimal` takes for an execution. The goal is at most 1.5 everywhere.
//! * `begun`: the same for an execution that was begun, whether or not it was given up.
//!
//! After them, the programs of the published table of bounded interference: the seconds for bounds 1, 2 and
//! 3 together, and the published ones. The goal is less than a tenth.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use counterpoint_explore::{
    Assignment, Exploration, Limits, ParameterValue, ParameterValues, Silent, WorkUnit,
    default_properties, explorer,
};
use counterpoint_jvm::load::{Jdk, compile};
use counterpoint_jvm::{JavaProgram, Target};
use counterpoint_model::Program;

/// So many executions are run at most.
const EXECUTIONS: u64 = 2_000;

/// So long an exploration takes at most.
const PATIENCE: Duration = Duration::from_secs(10);

/// So many seconds a round takes at least.
const ROUND: f64 = 0.25;

/// So many rounds each explorer has.
const ROUNDS: usize = 5;

/// The programs with their arguments.
const PROGRAMS: &[&str] = &[
    "ReadWrite 3 2",
    "ReadWrite 10 10",
    "Stamps 1",
    "Stamps 2",
    "Pool 4",
    "Futures 4",
    "Queue 2",
    "Logging 3",
    "Streams 8",
];

/// Programs of the published table, with the published seconds.
const TABLE: &[(&str, u64)] = &[
    ("Bluetooth", 26),
    ("Account", 28),
    ("Meeting", 16),
    ("VectorLast", 104),
    ("VectorRemove", 80),
    ("VectorInsert", 102),
    ("StackPop", 100),
    ("StackSearch", 74),
    ("StackTwoPops", 98),
    ("HashSetAddAll", 22),
    ("BufferAppend", 12),
    ("Series", 10),
    ("Sor", 490),
    ("Ray", 18),
    ("FtpServer", 56),
    ("Mutual", 10),
];

fn main() {
    println!(
        "{:16} {:>10} {:>12} {:>12} {:>8} {:>8}",
        "program", "executions", "optimal/s", "dpor/s", "slower", "begun"
    );
    let names: Vec<&str> =
        PROGRAMS.iter().map(|command| command.split(' ').next().unwrap_or_default()).collect();
    with_classes("benches/library", &names, |classes| {
        for command in PROGRAMS.iter().filter(|command| wanted(command)) {
            rates(&load(classes, command), command);
        }
    });
    println!("\n{:16} {:>8} {:>10}", "bounds 1 to 3", "seconds", "published");
    let names: Vec<&str> = TABLE.iter().map(|(name, _)| *name).collect();
    with_classes("tests/interference", &names, |classes| {
        for (name, published) in TABLE.iter().filter(|(name, _)| wanted(name)) {
            let started = Instant::now();
            let program = load(classes, name);
            for bound in 1..=3 {
                let bound = ParameterValue::Number(bound);
                let bound = ParameterValues::default().with("bound", bound);
                explore("interference", &program, Limits::default(), bound);
            }
            println!("{name:16} {:8.2} {published:10}", started.elapsed().as_secs_f64());
        }
    });
}

/// Compiles programs of a folder.
fn with_classes(folder: &str, names: &[&str], act: impl FnOnce(&Path)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut sources: Vec<PathBuf> =
        names.iter().map(|name| folder.join(name).with_extension("java")).collect();
    sources.dedup();
    let jdk = Jdk::find().expect("a JDK is installed");
    let classes = compile(&jdk, &sources, &[]).expect("the programs compile");
    act(classes.path());
}

fn load(classes: &Path, command: &str) -> JavaProgram {
    let mut words = command.split(' ').map(str::to_string);
    let target = Target {
        paths: vec![classes.to_path_buf()],
        main: words.next(),
        arguments: words.collect(),
        ..Target::default()
    };
    JavaProgram::load(&target).expect("the program loads")
}

fn rates(program: &JavaProgram, command: &str) {
    let (mut optimal, mut dpor) = (Rate::default(), Rate::default());
    for _ in 0..ROUNDS {
        optimal.better(round("optimal", program));
        dpor.better(round("dpor", program));
    }
    println!(
        "{command:16} {:10} {:12.0} {:12.0} {:8.2} {:8.2}",
        optimal.executions,
        optimal.per_second,
        dpor.per_second,
        dpor.per_second / optimal.per_second,
        dpor.begun_per_second / optimal.begun_per_second
    );
}

/// How fast an explorer is.
#[derive(Default)]
struct Rate {
    executions: u64,
    per_second: f64,
    begun_per_second: f64,
}

impl Rate {
    fn better(&mut self, other: Rate) {
        if other.per_second > self.per_second {
            *self = other;
        }
    }
}

fn round(name: &str, program: &JavaProgram) -> Rate {
    let before = processor_seconds();
    let (mut explorations, mut executions, mut abandoned) = (0, 0, 0);
    loop {
        let limits =
            Limits { executions: Some(EXECUTIONS), time: Some(PATIENCE), ..Limits::default() };
        let statistics = explore(name, program, limits, ParameterValues::default()).statistics;
        explorations += 1;
        executions += statistics.executions;
        abandoned += statistics.abandoned;
        let seconds = processor_seconds() - before;
        if seconds >= ROUND {
            let begun_per_second = (executions + abandoned) as f64 / seconds;
            let per_second = executions as f64 / seconds;
            return Rate { executions: executions / explorations, per_second, begun_per_second };
        }
    }
}

/// What this process has used of the processor, or else the time since it began.
fn processor_seconds() -> f64 {
    static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let used = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = used.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| BEGUN.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

fn explore(
    name: &str,
    program: &dyn Program,
    limits: Limits,
    parameters: ParameterValues,
) -> Exploration {
    (explorer(name).expect("it is in the table").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits,
        properties: default_properties(),
        sink: &mut Silent,
        parameters,
    })
}

/// Whether a program is asked for: all are if none is named.
fn wanted(name: &str) -> bool {
    let mut names =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).peekable();
    names.peek().is_none() || names.any(|wanted| name.starts_with(&wanted))
}
