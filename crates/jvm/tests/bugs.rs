//! Classic bugs of concurrent Java programs, and their repairs.
//!
//! Each program of `tests/bugs` fails without arguments and is repaired with one. Its source says
//! where it fails and how (`//~ kind` at the line, for a deadlock at each line where somebody waits
//! in it), and in its `//@ switches` how often the longest of the schedules that show it goes from
//! one thread to another. Nothing else may be found, and the repair ends in `ok` by exhaustion.
//!
//! The rows of table 1 of the bounded-interference paper that are library classes run on the
//! installed JDK. It has mended the constructor, `addAll` and `lastIndexOf` of vectors, which used to
//! read sizes without the lock; what goes through another collection without its lock is as it was.

use crate::common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use common::{Programs, endings, explore};
use counterpoint_explore::{Exploration, Replay};
use counterpoint_model::{Schedule, Verdict};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bugs")
}

fn programs() -> &'static Programs {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    PROGRAMS.get_or_init(|| Programs::compile(&["bugs"]))
}

/// What the source of a program says about it.
#[derive(Debug, Default, PartialEq)]
struct Expected {
    /// Kinds of failure and lines.
    failures: BTreeSet<(String, u32)>,
    switches: usize,
}

fn expected(name: &str) -> Expected {
    let text = std::fs::read_to_string(folder().join(format!("{name}.java"))).expect("a program");
    let mut expected = Expected::default();
    for (line, text) in (1..).zip(text.lines()) {
        if let Some((_, kind)) = text.split_once("//~ ") {
            expected.failures.insert((kind.trim().to_string(), line));
        }
        if let Some((_, switches)) = text.split_once("//@ switches ") {
            expected.switches = switches.trim().parse().expect("a number");
        }
    }
    expected
}

fn switches(schedule: &Schedule) -> usize {
    let processes = schedule.choices.iter().map(|choice| choice.process);
    processes.clone().zip(processes.skip(1)).filter(|(one, next)| one != next).count()
}

/// What an exploration has found, in the same form.
fn found(result: &Exploration) -> Expected {
    let mut seen = Expected::default();
    for finding in result.findings.iter().map(|found| &found.finding) {
        let kind = format!("{:?}", finding.kind).to_lowercase();
        seen.failures.extend(finding.places.iter().map(|place| (kind.clone(), place.line)));
        seen.switches = seen.switches.max(switches(&finding.schedule));
    }
    seen
}

/// What is wrong with a program or its repair, if anything is.
fn complaints(name: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let program = programs().load(name);
    let (result, _) = explore("optimal", &program, 0);
    for finding in &result.findings {
        let schedule = &finding.finding.schedule;
        Replay::new(&program, &schedule.inputs, &schedule.choices).expect("it can be repeated");
    }
    let (found, expected) = (found(&result), expected(name));
    if found != expected {
        complaints.push(format!("{name}: {found:?} instead of {expected:?}"));
    }
    let repaired = format!("{name} repaired");
    let (result, _) = explore("optimal", &programs().load(&repaired), 0);
    if result.verdict() != Verdict::Ok {
        complaints.push(format!("{repaired}: {:?} {:?}", result.bounds, result.findings));
    }
    complaints
}

#[test]
fn bugs_are_found_where_they_are_and_repairs_are_proved() {
    let files = std::fs::read_dir(folder()).expect("the programs");
    let name = |file: &Path| file.file_stem().map(|name| name.to_string_lossy().into_owned());
    let mut names: Vec<String> =
        files.filter_map(|file| name(&file.expect("a file").path())).collect();
    names.sort();
    assert!(names.len() >= 30, "{names:?}");
    let complaints: Vec<String> = names.iter().flat_map(|name| complaints(name)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Whatever reduces executions sees the same failures.
#[test]
fn other_explorers_find_the_same_bugs() {
    let names = [
        "LostUpdate",
        "GetThenSet",
        "Overdraft",
        "LockOrder",
        "ThreeLocks",
        "MissedNotification",
        "WaitOutsideLoop",
        "DoubleCheckedLocking",
        "NotifyOne",
        "UnsafePublication",
        "ChangingLock",
        "NestedMonitor",
        "LockNotFreed",
        "Bluetooth",
        "Meeting",
        "StackPop",
        "StringBufferAppend",
        "ArrayListAdd",
        "Mutual",
    ];
    for explorer in ["dpor", "race-flip", "unfolding", "contextual", "stateful"] {
        for name in names {
            let (result, _) = explore(explorer, &programs().load(name), 0);
            let failures = found(&result).failures;
            assert_eq!(failures, expected(name).failures, "{name} under {explorer}");
            let (result, _) = explore(explorer, &programs().load(&format!("{name} repaired")), 0);
            assert_eq!(result.verdict(), Verdict::Ok, "{name} repaired under {explorer}");
        }
    }
}

#[test]
fn the_installed_jdk_copies_and_searches_vectors_as_a_whole() {
    let programs = Programs::compile(&["library"]);
    for (what, wanted) in [
        ("constructor", ["[]", "[a, b]"]),
        ("addAll", ["[]", "[a, b]"]),
        ("lastIndexOf", ["-1", "1"]),
    ] {
        let program = programs.load(&format!("VectorCopies {what}"));
        let (result, outcomes) = explore("optimal", &program, 1);
        assert_eq!(result.verdict(), Verdict::Ok, "{what}");
        let outcomes: Vec<&str> = outcomes.iter().map(|outcome| outcome.trim()).collect();
        assert_eq!(outcomes, wanted, "{what}");
    }
}

#[test]
fn threads_that_share_a_date_format_get_each_other_s_dates() {
    let programs = Programs::compile(&["library"]);
    let (_, endings) = endings("optimal", &programs.load("SharedFormat"), Some(50));
    let right = "1970-01-01 1971-02-05";
    assert!(endings.iter().any(|ending| ending.ends_with(right)), "{endings:?}");
    assert!(endings.iter().any(|ending| !ending.ends_with(right)), "{endings:?}");
}
