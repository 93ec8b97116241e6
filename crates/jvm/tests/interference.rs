//! The programs of Table 1 of Razavi, Farzan and Holzer (2012), written anew for Java over the installed
//! JDK's own classes: the smallest bound that shows each bug, and nothing new with a larger one. And programs of all kinds
//! of synchronisation: without a bound that matters, what trying every trace comes to.

use crate::common;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use common::Programs;
use counterpoint_explore::{
    Assignment, Ending, Execution, Exploration, Flow, Limits, ParameterValue, ParameterValues,
    Silent, Sink, Statistics, WorkUnit, default_properties, explorer,
};
use counterpoint_model::{FindingKind, Program};

fn explore(name: &str, program: &dyn Program, bound: u64) -> Exploration {
    explore_into(name, program, bound, &mut Silent)
}

fn explore_into(name: &str, program: &dyn Program, bound: u64, sink: &mut dyn Sink) -> Exploration {
    let result = (explorer(name).expect("it is in the table").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties: default_properties(),
        sink,
        parameters: ParameterValues::default().with("bound", ParameterValue::Number(bound)),
    });
    assert_eq!(result.internal_errors, Vec::<String>::new(), "{name}");
    result
}

fn failures(result: &Exploration) -> BTreeSet<String> {
    result.findings.iter().map(|found| found.finding.message.clone()).collect()
}

/// The program, the smallest bound with which it fails, how many failures it has, and the published seconds
/// for bounds up to 3. The calls of `Vector` and `Stack` that the paper broke lock all that they touch in
/// today's JDK; these are calls one after the other that still break.
const TABLE: &[(&str, u64, usize, u64)] = &[
    ("Bluetooth", 2, 1, 26),
    ("Account", 1, 1, 28),
    ("Meeting", 1, 1, 16),
    ("VectorLast", 2, 1, 104),
    ("VectorRemove", 2, 1, 80),
    ("VectorInsert", 2, 1, 102),
    ("StackPop", 2, 1, 100),
    ("StackSearch", 2, 1, 74),
    ("StackTwoPops", 2, 1, 98),
    ("HashSetAddAll", 1, 1, 22),
    // The other buffer is shortened before its length is looked at again, or between that and its letters.
    ("BufferAppend", 1, 2, 12),
    ("Series", 1, 1, 10),
    ("Sor", 2, 1, 490),
    ("Ray", 1, 1, 18),
    ("FtpServer", 1, 2, 56),
    ("Mutual", 1, 1, 10),
];

#[test]
fn every_program_of_the_table_fails_with_the_published_bound() {
    let programs = Programs::compile(&["interference"]);
    let mut wrong = Vec::new();
    for &(name, smallest, bugs, published) in TABLE {
        let started = Instant::now();
        let mut texts = Vec::new();
        let mut fails = Vec::new();
        for bound in 0..=3 {
            let program = programs.load(name);
            let result = explore("interference", &program, bound);
            fails.push(failures(&result));
            texts.push(format!(
                "{bound}: {} executions, {} given up, {:?}",
                result.statistics.executions,
                result.statistics.abandoned,
                failures(&result)
            ));
        }
        let seconds = started.elapsed().as_secs_f64();
        eprintln!("{name}: {seconds:.1} s (published {published})\n  {}", texts.join("\n  "));
        let first = fails.iter().position(|fails| !fails.is_empty()).map(|bound| bound as u64);
        let found = &fails[smallest as usize];
        if first != Some(smallest) || found.len() != bugs || *found != fails[3] {
            wrong.push(format!("{name}: {texts:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn mutual_needs_one_read_or_three_switches() {
    let programs = Programs::compile(&["interference"]);
    let program = programs.load("Mutual");
    let fails = |name, bound| !explore(name, &program, bound).findings.is_empty();
    assert!(!fails("interference", 0) && fails("interference", 1));
    assert!(!fails("preemptions", 2) && fails("preemptions", 3));
}

#[test]
fn copying_needs_four_reads_and_no_switch() {
    let programs = Programs::compile(&["interference"]);
    let program = programs.load("Copy");
    let fails = |name, bound| !explore(name, &program, bound).findings.is_empty();
    assert!(!fails("interference", 3) && fails("interference", 4));
    assert!(fails("preemptions", 0));
}

/// What complete executions have printed.
#[derive(Default)]
struct Printed(BTreeSet<String>);

impl Sink for Printed {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        if execution.ending == Ending::Complete {
            self.0.insert(execution.run.outcome().unwrap_or_default());
        }
        Flow::Continue
    }
}

/// More foreign reads than any of these programs has.
const NO_BOUND: u64 = 1_000;

/// What an explorer comes to: what was printed, and what failed, deadlocks aside.
fn results(name: &str, program: &dyn Program) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut printed = Printed::default();
    let result = explore_into(name, program, NO_BOUND, &mut printed);
    assert_eq!((&result.bounds[..], &result.unexplored), (&[][..], &None), "{name}");
    let fails = result.findings.iter().map(|found| &found.finding);
    let fails = fails.filter(|finding| finding.kind != FindingKind::Deadlock);
    (printed.0, fails.map(|finding| finding.message.clone()).collect())
}

#[test]
fn without_a_bound_everything_is_come_to() {
    let programs = Programs::compile(&["timed", "nets"]);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nets");
    let files = std::fs::read_dir(folder).expect("the programs");
    let names = files.filter_map(|file| file.ok()?.path().file_stem()?.to_str().map(String::from));
    let mut commands: Vec<String> = names.collect();
    let timed = ["TwoWaiters", "TwoWaiters i", "OneWaiter", "OneCondition", "OneCondition w"];
    let interrupted =
        ["Interrupted", "Interrupted all", "Interrupted two", "Interrupted condition"];
    let both = ["StoppedWaiter", "StoppedWaiter m"];
    commands.extend(timed.into_iter().chain(interrupted).chain(both).map(String::from));
    let mut wrong = Vec::new();
    for command in commands {
        let program = programs.load(&command);
        let (expected, found) = (results("optimal", &program), results("interference", &program));
        if expected != found {
            wrong.push(format!("{command}: {found:?} instead of {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
