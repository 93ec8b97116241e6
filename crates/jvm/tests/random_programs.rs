//! Random programs of the test kit, compiled from Java, against the oracle.
//!
//! Each program is written down as Java source with one operation for each statement, so the oracle
//! that walks every interleaving of the built program says what must be found in the Java program: as
//! many traces and deadlocked ones, the same final states of variables and threads, the same failures
//! and deadlocks at the same statements.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};

use common::{Programs, explore_into};
use counterpoint_explore::{Execution, Exploration, Flow, Sink, Statistics};
use counterpoint_jvm::JavaProgram;
use counterpoint_model::{Event, FindingKind, Location, Next, Pid, Program, Run};
use counterpoint_testkit::TestProgram;
use counterpoint_testkit::ast::LocationKind;
use counterpoint_testkit::java::{JavaSource, Locks, source};
use counterpoint_testkit::oracle::{self, Findings};
use counterpoint_testkit::random::{self, Features};

/// Programs with more steps than this are left to longer runs.
const ORACLE_STEPS: u64 = 30_000;

/// No choices by the scheduler, which Java has not, and no spins, which are more steps there.
const COMMON: Features = Features { choices: false, spins: false, inputs: false, ..Features::ALL };

/// A program in both forms, with what is to be found in it.
struct Case {
    built: TestProgram,
    class: String,
    java: JavaSource,
    truth: Findings,
    locks: Locks,
}

/// What is compared of an exploration.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    outcomes: BTreeSet<String>,
    failures: BTreeSet<(FindingKind, u32)>,
    deadlocks: BTreeSet<String>,
}

/// The programs of some seeds that have a Java form and are small enough.
fn cases(features: Features, locks: Locks, seeds: std::ops::Range<u64>) -> Vec<Case> {
    seeds
        .filter_map(|seed| {
            let built = random::program(seed, features);
            let class = format!("Random{seed}");
            let java = source(&built, &class, locks, !features.inputs)?;
            let truth = oracle::enumerate(&built, ORACLE_STEPS).ok()?;
            // An exception frees the monitors that it leaves, and no lock of the kit.
            let alike = locks == Locks::Library || truth.failures.is_empty();
            alike.then_some(Case { built, class, java, truth, locks })
        })
        .collect()
}

fn compile(cases: &[Case]) -> Programs {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files = cases.iter().map(|case| {
        let path = folder.path().join(format!("{}.java", case.class));
        std::fs::write(&path, &case.java.text).expect("a source");
        path
    });
    Programs::compile_files(&files.collect::<Vec<_>>())
}

/// Final states as the oracle writes them, without what a Java run does not show: semaphores, and the
/// registers of threads that have not ended.
fn comparable(outcome: &str, hidden: &BTreeSet<&str>) -> String {
    let mut parts = outcome.split("| ");
    let shared = parts.next().unwrap_or_default().split_whitespace();
    let shown = |word: &&str| !hidden.contains(word.split('=').next().unwrap_or_default());
    let shared: Vec<&str> = shared.filter(shown).collect();
    let threads = parts.map(|thread| {
        let thread = thread.trim();
        let mut words = thread.split(' ');
        let (path, status) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        match status {
            "done" => thread.to_string(),
            "failed" => format!("{path} failed"),
            _ => format!("{path} at {}", words.next().unwrap_or_default()),
        }
    });
    format!("{} | {}", shared.join(" "), threads.collect::<Vec<_>>().join(" | "))
}

/// Gathers the final states of a Java program.
struct Watcher<'a> {
    case: &'a Case,
    program: &'a JavaProgram,
    outcomes: BTreeSet<String>,
}

impl Watcher<'_> {
    fn line(&self, site: counterpoint_model::Site) -> u32 {
        self.case.java.lines[self.program.place(site).line as usize]
    }

    /// The values of variables by the names that they have in the source.
    fn values(&self, run: &dyn Run) -> BTreeMap<String, String> {
        let prefix = format!("{}.", self.case.class);
        let names = (0..).map(|number| self.program.location_name(Location(number)));
        let names = names.take_while(|name| !name.is_empty()).zip((0..).map(Location));
        let own = names.filter_map(|(name, location)| {
            let name = name.strip_prefix(&prefix)?.trim_end_matches(".value").to_string();
            Some((name, run.value(location)?))
        });
        own.collect()
    }

    fn final_state(&self, execution: &Execution<'_>) -> String {
        let run = execution.run;
        let values = self.values(run);
        let declarations = &self.case.built.ast().declarations;
        let shared = declarations.iter().filter_map(|declaration| match &declaration.kind {
            LocationKind::Variable { initial, .. } => {
                let value = values.get(&declaration.name).cloned();
                let value = value.unwrap_or_else(|| initial.to_string());
                Some(format!("{}={value}", declaration.name))
            }
            _ => None,
        });
        let shared: Vec<String> = shared.collect();
        let printed = run.outcome().unwrap_or_default();
        let mut threads: Vec<(Vec<u32>, String)> = (0..run.processes())
            .map(Pid)
            .filter_map(|process| {
                let path = self.program.names().path(process);
                let mut own = printed.lines().map(|line| line.rsplit("] ").next().unwrap_or(line));
                let done = own.find(|line| line.starts_with(&format!("{path} done")));
                let text = match (done, run.next(process)) {
                    (Some(line), _) => line.to_string(),
                    (None, Next::Done) => {
                        // The numbers of threads that only other runs have started are left out.
                        let own = |event: &&Event| event.process() == process;
                        execution.events.iter().find(own)?;
                        format!("{path} failed")
                    }
                    _ => format!("{path} at {}", self.line(run.site(process)?)),
                };
                Some((path.split('.').map(|n| n.parse().expect("a number")).collect(), text))
            })
            .collect();
        threads.sort();
        let threads: Vec<String> = threads.into_iter().map(|(_, text)| text).collect();
        format!("{} | {}", shared.join(" "), threads.join(" | "))
    }
}

impl Sink for Watcher<'_> {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let state = self.final_state(execution);
        self.outcomes.insert(state);
        Flow::Continue
    }
}

fn seen(case: &Case, program: &JavaProgram, name: &str, seed: u64) -> (Exploration, Seen) {
    let mut watcher = Watcher { case, program, outcomes: BTreeSet::new() };
    let result = explore_into(name, program, seed, &mut watcher);
    let mut seen = Seen::default();
    for finding in result.findings.iter().map(|found| &found.finding) {
        if finding.kind != FindingKind::Deadlock {
            let line = finding.places[0].line as usize;
            seen.failures.insert((finding.kind, case.java.lines[line]));
            continue;
        }
        let mut waiting: Vec<(Vec<u32>, u32)> = finding
            .waiting
            .iter()
            .map(|waiting| {
                let path = program.names().path(waiting.process);
                let path = path.split('.').map(|n| n.parse().expect("a number")).collect();
                (path, watcher.line(waiting.site))
            })
            .collect();
        waiting.sort();
        let texts: Vec<String> = waiting
            .iter()
            .map(|(path, line)| format!("{} at {line}", outcome_path(path)))
            .collect();
        seen.deadlocks.insert(texts.join(", "));
    }
    seen.outcomes = watcher.outcomes;
    (result, seen)
}

fn outcome_path(path: &[u32]) -> String {
    counterpoint_testkit::outcome::path_text(path)
}

/// What the oracle has found, in the same form.
fn expected(case: &Case) -> Seen {
    let declarations = &case.built.ast().declarations;
    let hidden = declarations.iter().filter(|d| matches!(d.kind, LocationKind::Semaphore(_)));
    let hidden: BTreeSet<&str> = hidden.map(|declaration| declaration.name.as_str()).collect();
    Seen {
        outcomes: case.truth.outcomes.iter().map(|text| comparable(text, &hidden)).collect(),
        failures: case.truth.failures.iter().map(|failure| (failure.kind, failure.line)).collect(),
        deadlocks: case.truth.deadlocks.clone(),
    }
}

/// How strictly a set of programs is compared.
#[derive(Copy, Clone, PartialEq)]
enum Strictness {
    /// Everything, and as many traces as the oracle counts.
    Steps,
    /// The same without final states, whose values depend on inputs.
    Inputs,
    /// Only what can be found, as Java takes more steps.
    Findings,
}

/// What disagrees, if anything does.
fn disagreement(case: &Case, programs: &Programs, strictness: Strictness) -> Option<String> {
    let program = programs.load(&case.class);
    let mut expected = expected(case);
    if strictness == Strictness::Inputs {
        expected.outcomes.clear();
    }
    for name in ["optimal", "dpor", "race-flip", "exhaustive", "unfolding", "contextual"] {
        if name == "exhaustive" && case.truth.interleavings > 3000 {
            continue;
        }
        let (result, mut seen) = seen(case, &program, name, 0);
        let counts = (result.statistics.executions, result.statistics.deadlocks);
        let nets = ["unfolding", "contextual"].contains(&name);
        if strictness == Strictness::Inputs {
            seen.outcomes.clear();
        }
        if nets {
            let only_expected = seen.outcomes.is_subset(&expected.outcomes);
            if !only_expected {
                return Some(format!("{name}: outcomes {:?}", seen.outcomes));
            }
            seen.outcomes.clone_from(&expected.outcomes);
        }
        if !result.bounds.is_empty() {
            return Some(format!("{name}: {:?}", result.bounds));
        }
        if seen != expected {
            return Some(format!("{name}: {seen:#?} instead of {expected:#?}"));
        }
        let exact = name == "optimal" && strictness != Strictness::Findings;
        if exact && counts != (case.truth.traces, case.truth.deadlocked) {
            let wanted = (case.truth.traces, case.truth.deadlocked);
            return Some(format!("{name}: {counts:?} executions, deadlocked; not {wanted:?}"));
        }
        if name == "exhaustive"
            && strictness == Strictness::Steps
            && u128::from(counts.0) != case.truth.interleavings
        {
            return Some(format!("{name}: {counts:?}, not {}", case.truth.interleavings));
        }
    }
    None
}

fn check(features: Features, locks: Locks, first: u64, strictness: Strictness) {
    let cases = cases(features, locks, first..first + programs());
    assert!(cases.len() as u64 > programs() / 4, "{} programs are left", cases.len());
    let compiled = compile(&cases);
    let mut wrong: Vec<(usize, &Case, String)> = cases
        .iter()
        .filter_map(|case| {
            let what = disagreement(case, &compiled, strictness)?;
            Some((case.java.lines.len(), case, what))
        })
        .collect();
    wrong.sort_by_key(|(length, ..)| *length);
    if let Some((_, case, what)) = wrong.first() {
        panic!(
            "{} of {} programs disagree; the shortest is {} with {:?}: {what}\n{}\n{}",
            wrong.len(),
            cases.len(),
            case.class,
            case.locks,
            case.built,
            case.java.text,
        );
    }
}

fn programs() -> u64 {
    std::env::var("COUNTERPOINT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(12)
}

#[test]
fn with_locks_of_the_library() {
    let features = Features { conditions: false, ..COMMON };
    check(features, Locks::Library, 0, Strictness::Steps);
}

#[test]
fn with_conditions_of_the_library() {
    check(COMMON, Locks::Library, 100_000, Strictness::Steps);
}

#[test]
fn with_monitors() {
    let features = Features { asserts: false, ..COMMON };
    check(features, Locks::Monitors, 200_000, Strictness::Steps);
}

#[test]
fn with_inputs() {
    let features = Features { inputs: true, arrays: false, ..COMMON };
    check(features, Locks::Library, 300_000, Strictness::Inputs);
}

#[test]
fn with_loops_that_wait() {
    let features = Features { spins: true, operations: 8, ..COMMON };
    check(features, Locks::Library, 400_000, Strictness::Findings);
}
