//! A broken machine is noticed.
//!
//! Each deliberate defect of `broken::DEFECTS` is switched on in turn, and programs of the comparison with the real
//! virtual machine (`witness_outcomes.rs`) are explored until one really shows what is not explored, or until an
//! exploration contradicts itself. A defect of a row of the table is tried on the programs made for that row, and any other
//! on the programs written by hand. Which program noticed is printed.
//! The shrinker is tried on one of the defects: a program with more than it needs is made as small as it can be, kept,
//! and found to be missing something as long as the machine is broken.
//!
//! This takes a few minutes, so it is done with COUNTERPOINT_LONG only, and not in release builds, which cannot be
//! broken.
#![cfg(debug_assertions)]

#[path = "native_table/cases.rs"]
mod cases;
mod common;
#[path = "shortcuts/families.rs"]
mod families;
mod outcomes;
#[path = "native_table/programs.rs"]
mod programs;
#[path = "native_table/synchronisers.rs"]
mod synchronisers;
#[path = "shortcuts/writer.rs"]
mod writer;

use std::collections::BTreeMap;

use counterpoint_jvm::JavaProgram;
use counterpoint_jvm::broken::{DEFECTS, Defect, break_machine};
use outcomes::{Origin, Subject, Suite, disagreement, kept, limits, number, shrink};
use writer::Draft;

/// Whether a program was made for the row that a defect is about.
fn is_about(subject: &Subject, defect: &Defect) -> bool {
    match (&subject.origin, defect.row()) {
        (Origin::Row(_), Some(row)) => subject.text().contains(row),
        _ => false,
    }
}

/// How a program notices a defect.
fn notices(
    suite: &Suite,
    subject: &Subject,
    real: &BTreeMap<String, u64>,
    defect: &'static Defect,
) -> Option<String> {
    break_machine(Some(defect));
    let explored = suite.explore(subject, JavaProgram::options(), limits());
    let missing = disagreement(suite, subject, &explored, real).ok().flatten();
    break_machine(None);
    match missing {
        Some(missing) => Some(format!("{:?}", missing.outcome)),
        None => explored.broken,
    }
}

#[test]
fn broken_machines_are_noticed() {
    if std::env::var_os("COUNTERPOINT_LONG").is_none() {
        return;
    }
    let runs = number("COUNTERPOINT_RUNS").unwrap_or(30);
    let only = std::env::var("COUNTERPOINT_ONLY").unwrap_or_default();
    let defects: Vec<&Defect> =
        DEFECTS.iter().filter(|defect| defect.name.contains(&only)).collect();
    let made = Subject::rows(true)
        .filter(|subject| defects.iter().any(|defect| is_about(subject, defect)));
    let suite = Suite::compile(made.chain(Subject::written()).collect());
    let real = suite.real_outcomes(runs);
    let none = BTreeMap::new();
    let mut unnoticed = Vec::new();
    let mut tried = 0;
    for defect in defects {
        // Those that were made for it come first.
        let (first, last): (Vec<&Subject>, Vec<&Subject>) =
            suite.subjects.iter().partition(|subject| is_about(subject, defect));
        let found = first.into_iter().chain(last).find_map(|subject| {
            let shown = real.get(&subject.command).unwrap_or(&none);
            let how = notices(&suite, subject, shown, defect)?;
            let title: String = subject.text().replace('\n', " ").chars().take(90).collect();
            Some(format!("{how} of {title}"))
        });
        tried += 1;
        println!("{}: {}", defect.name, found.as_deref().unwrap_or("NOT NOTICED"));
        if found.is_none() {
            unnoticed.push(defect.name);
        }
    }
    println!("{} of {tried} broken machines noticed", tried - unnoticed.len());
    assert_eq!(unnoticed, Vec::<&str>::new(), "nobody notices");
    shrinks_and_keeps();
}

/// In a broken machine, a program of three threads is made smaller.
fn shrinks_and_keeps() {
    let text = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<String>>();
    let draft = Draft {
        title: "more than is needed".to_string(),
        state: text(&[
            "static final AtomicInteger n = new AtomicInteger();",
            "static final AtomicInteger other = new AtomicInteger();",
        ]),
        threads: vec![
            text(&["other.set(2);", "o = n.compareAndSet(0, 1);"]),
            text(&["o = n.compareAndSet(0, 2);", "other.get();"]),
            text(&["other.set(3);"]),
        ],
        lasts: text(&["n", "other.get() > 1"]),
    };
    let wanted = "a compare-and-set leaves no trace";
    let defect = DEFECTS.iter().find(|defect| defect.name == wanted).expect("a defect");
    break_machine(Some(defect));
    let (small, found) = shrink::shrink(&draft, 20).expect("a disagreement");
    let folder = tempfile::tempdir().expect("a temporary folder");
    kept::keep(folder.path(), "Small", &small.source("Small"), &found);
    let broken = kept::missing(folder.path());
    break_machine(None);
    println!("made smaller: {:?}, {:?}", small.threads, small.lasts);
    assert_eq!(broken, vec![("Small".to_string(), found.outcome)], "the kept program shows it");
    assert_eq!(kept::missing(folder.path()), Vec::new(), "the machine is whole again");
    let statements: usize = small.threads.iter().map(Vec::len).sum();
    assert_eq!((small.threads.len(), statements), (2, 2), "{small:?}");
}
