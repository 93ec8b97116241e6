//! What the real virtual machine shows, Counterpoint shows.
//!
//! Random programs of all families of the library ([`families`]) run many times on the real virtual machine, with
//! pauses of random length before each operation, beside threads that only make noise, and under several
//! settings of its compilers and collectors. Each outcome (what is printed, or that the program hangs) must be
//! among those that the exploration of all schedules finds. A program with a data race may show more on a
//! real machine; its result must say that there are races.
//!
//! Programs that are too large to be explored whole are left out and counted.
//!
//! COUNTERPOINT_PROGRAMS says how many programs, COUNTERPOINT_FIRST with which seed they begin,
//! COUNTERPOINT_RUNS how often each runs. COUNTERPOINT_TELL tells about outcomes of racy programs.

mod common;
#[path = "shortcuts/families.rs"]
mod families;
#[path = "shortcuts/writer.rs"]
mod writer;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use common::Programs;
use counterpoint_explore::{
    Assignment, Ending, Execution, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit,
    default_properties, explorer,
};
use counterpoint_jvm::JavaProgram;
use counterpoint_jvm::load::{Jdk, compile};
use counterpoint_model::FindingKind;

/// Settings of the real virtual machine, taken in turns.
const SETTINGS: &[&[&str]] = &[
    &["-Dnoise=1"],
    &["-Dnoise=0", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"],
    &["-Dnoise=2", "-XX:+UseParallelGC"],
    &["-Dnoise=0", "-Xint"],
];

/// Programs for one start of the virtual machine.
const CHUNK: usize = 40;

/// How executions end and what they print.
#[derive(Default)]
struct Endings(BTreeSet<String>);

impl Sink for Endings {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        if execution.ending != Ending::Cut && !execution.faulty {
            let outcome = execution.run.outcome().unwrap_or_default();
            let text = outcome.trim().replace('\n', " ");
            self.0.insert(format!("{:?} {text}", execution.ending).trim_end().to_string());
        }
        Flow::Continue
    }
}

/// What all schedules of a program show.
struct Explored {
    endings: BTreeSet<String>,
    racy: bool,
}

/// Explores a program; nothing if it is too large or cannot be run.
fn explore(program: &JavaProgram) -> Option<Explored> {
    let mut endings = Endings::default();
    let result = (explorer("optimal").expect("an explorer").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits {
            executions: Some(2_000),
            time: Some(Duration::from_secs(1)),
            ..Limits::default()
        },
        properties: default_properties(),
        sink: &mut endings,
        parameters: ParameterValues::seeded(1),
    });
    let mut findings = result.findings.iter();
    let cut = findings.any(|found| found.finding.kind == FindingKind::Unsupported);
    let whole = result.unexplored.is_none() && result.bounds.is_empty() && !cut;
    whole.then_some(Explored { endings: endings.0, racy: !result.races.seen.is_empty() })
}

/// Runs programs on the real virtual machine: for each class how often it showed which outcome.
fn real_outcomes(files: &[PathBuf], classes: &[String], runs: u64) -> Vec<(String, u64, String)> {
    let jdk = Jdk::find().expect("a JDK is installed where the tests run");
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shortcuts");
    let runner = compile(&jdk, &[tools.join("RunMany.java")], &[]).expect("the runner compiles");
    let own = files.iter().filter(|path| !path.ends_with("Pause.java")).cloned();
    let sources: Vec<PathBuf> = own.chain([tools.join("Pause.java")]).collect();
    let programs = compile(&jdk, &sources, &[]).expect("the programs compile");
    let mut outcomes = Vec::new();
    for (chunk, setting) in classes.chunks(CHUNK).zip(SETTINGS.iter().cycle()) {
        let output = Command::new(jdk.tool("java"))
            .args(*setting)
            .args(["-Xmx512m", "-Dpatience=400", "-cp"])
            .arg(runner.path())
            .arg("RunMany")
            .arg(programs.path())
            .arg(runs.to_string())
            .args(chunk)
            .output()
            .expect("the real virtual machine runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        outcomes.extend(text.lines().filter_map(|line| {
            let mut parts = line.splitn(3, '\t');
            let (class, count) = (parts.next()?, parts.next()?.parse().ok()?);
            Some((class.to_string(), count, parts.next()?.trim_end().to_string()))
        }));
    }
    outcomes
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn the_real_virtual_machine_shows_nothing_else() {
    let first = number("COUNTERPOINT_FIRST").unwrap_or(10_000);
    let count = number("COUNTERPOINT_PROGRAMS").unwrap_or(120);
    let runs = number("COUNTERPOINT_RUNS").unwrap_or(8);
    let tells = std::env::var_os("COUNTERPOINT_TELL").is_some();
    let folder = tempfile::tempdir().expect("a temporary folder");
    // What threads print to the console at the same time has no order.
    let sources: BTreeMap<String, String> = (first..)
        .map(|seed| (format!("Random{seed}"), writer::program(seed, &format!("Random{seed}"))))
        .filter(|(_, text)| text.matches("System.out").count() == 1)
        .take(usize::try_from(count).expect("not too many programs"))
        .collect();
    let pause = [("Pause".to_string(), writer::PAUSE.to_string())];
    let files = sources.iter().chain(pause.iter().map(|(name, text)| (name, text)));
    let files: Vec<PathBuf> = files
        .map(|(name, text)| {
            let path = folder.path().join(format!("{name}.java"));
            std::fs::write(&path, text).expect("a source");
            path
        })
        .collect();
    let classes: Vec<String> = sources.keys().cloned().collect();
    let (explored, real) = std::thread::scope(|scope| {
        let real = scope.spawn(|| real_outcomes(&files, &classes, runs));
        let programs = Programs::compile_files(&files);
        let explored: BTreeMap<&String, Explored> = classes
            .iter()
            .filter_map(|class| {
                let program = programs.load_with(class, JavaProgram::options());
                Some((class, explore(&program)?))
            })
            .collect();
        (explored, real.join().expect("the real runs end"))
    });
    let (mut seen, mut more, mut total) = (0, 0, 0);
    let mut wrong = Vec::new();
    for (class, times, outcome) in &real {
        total += times;
        let Some(known) = explored.get(class) else { continue };
        seen += 1;
        if known.endings.contains(outcome) {
            continue;
        }
        let text = &sources[class];
        if known.racy {
            more += 1;
            if tells {
                println!("{class}, which has races, shows {outcome:?}\n{text}");
            }
            continue;
        }
        let some: Vec<_> = known.endings.iter().take(5).collect();
        let what = format!("{class} really shows {outcome:?} ({times} times), explored {some:#?}");
        wrong.push((text.len(), format!("{what}\n{text}")));
    }
    let left_out = classes.len() - explored.len();
    let racy = explored.values().filter(|explored| explored.racy).count();
    println!(
        "{} programs, {left_out} of them too large; {racy} have races; {total} real runs, {seen} \
         different outcomes; {more} of racy programs only there; {} wrong",
        classes.len(),
        wrong.len()
    );
    wrong.sort();
    for (_, what) in wrong.iter().skip(1).filter(|_| tells) {
        println!("WRONG: {what}");
    }
    if let Some((_, what)) = wrong.first() {
        panic!("{} outcomes were not explored; of the shortest program: {what}", wrong.len());
    }
    assert!(explored.len() * 10 >= classes.len() * 7, "too many programs are left out");
}
