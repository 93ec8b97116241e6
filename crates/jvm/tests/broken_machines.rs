//! A broken machine is noticed.
//!
//! Each deliberate defect of `broken::DEFECTS` is switched on in turn, and the programs of the comparison with the real
//! virtual machine (`witness_outcomes.rs`) are explored until one really shows what is not explored. What is
//! explored first are the programs made for the tables; which program noticed is printed.
//! The shrinker is tried on one of the defects: a program with more than it needs is made as small as it can be, kept,
//! and found to be missing something as long as the machine is broken.
//!
//! This takes minutes, so it is done with COUNTERPOINT_LONG only, and not in release builds, which cannot be broken.
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
use outcomes::{RealOutcomes, Subject, Suite, disagreement, kept, limits, number, shrink};
use writer::Draft;

/// The program that notices a defect, if any: how many programs were explored before, its name and the outcome.
fn notices(suite: &Suite, real: &RealOutcomes, defect: &'static Defect) -> Option<(usize, String)> {
    let none = BTreeMap::new();
    break_machine(Some(defect));
    let found = suite.subjects.iter().enumerate().find_map(|(before, subject)| {
        let explored = suite.explore(subject, JavaProgram::options(), limits());
        let shown = real.get(&subject.command).unwrap_or(&none);
        let missing = disagreement(suite, subject, &explored, shown).ok().flatten()?;
        let text = subject.text().replace('\n', " ");
        let title: String = text.chars().take(90).collect();
        Some((before, format!("{:?} of {title}", missing.outcome)))
    });
    break_machine(None);
    found
}

#[test]
fn broken_machines_are_noticed() {
    if std::env::var_os("COUNTERPOINT_LONG").is_none() {
        return;
    }
    let random = number("COUNTERPOINT_PROGRAMS").unwrap_or(0);
    let subjects = Subject::rows(false)
        .filter(|subject| {
            !subject.text().contains("misc/Unsafe.get")
                && !subject.text().contains("1, TimeUnit.SECONDS")
        })
        .chain(Subject::written())
        .chain((10_000..10_000 + random).map(Subject::random));
    let suite = Suite::compile(subjects.collect());
    let real = suite.real_outcomes(number("COUNTERPOINT_RUNS").unwrap_or(4));
    let mut unnoticed = Vec::new();
    for defect in DEFECTS {
        match notices(&suite, &real, defect) {
            Some((before, how)) => println!("{}: after {before} programs, {how}", defect.name),
            None => {
                println!("{}: NOT NOTICED", defect.name);
                unnoticed.push(defect.name);
            }
        }
    }
    println!("{} of {} broken machines noticed", DEFECTS.len() - unnoticed.len(), DEFECTS.len());
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
