//! A broken machine is noticed.
//!
//! Each deliberate defect of `broken::DEFECTS` is switched on in turn, and programs of the comparison with the real
//! virtual machine (`witness_outcomes.rs`) are explored until one really shows what is not explored, or until an
//! exploration contradicts itself. A defect of a row of the table is tried on the programs made for that row, and any other
//! on the programs written by hand. Which program noticed is printed.
//! Every program really runs a few times first, and much more often only for the defects that nobody has noticed by then.
//! This takes a few minutes, so it is done with COUNTERPOINT_LONG only; COUNTERPOINT_ONLY takes the defects whose names
//! contain a text, COUNTERPOINT_RUNS says how often programs run at most.
//!
//! The shrinker is tried in every run, on a defect that shows every time: a program with more than it needs is made as small as
//! it can be, kept, and found to be missing something as long as the machine is broken. Release builds cannot be
//! broken.
#![cfg(debug_assertions)]

use crate::outcomes;
use crate::shortcuts::writer;

use std::collections::BTreeMap;

use counterpoint_jvm::JavaProgram;
use counterpoint_jvm::broken::{DEFECTS, Defect, break_machine};
use outcomes::{Origin, RealOutcomes, Subject, Suite, disagreement, kept, limits, number, shrink};
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

/// Which program notices a defect first, those that were made for it before others, and how.
fn noticed(suite: &Suite, real: &RealOutcomes, defect: &'static Defect) -> Option<String> {
    let none = BTreeMap::new();
    let (first, last): (Vec<&Subject>, Vec<&Subject>) =
        suite.subjects.iter().partition(|subject| is_about(subject, defect));
    first.into_iter().chain(last).find_map(|subject| {
        let shown = real.get(&subject.command).unwrap_or(&none);
        let how = notices(suite, subject, shown, defect)?;
        let title: String = subject.text().replace('\n', " ").chars().take(90).collect();
        Some(format!("{how} of {title}"))
    })
}

#[test]
fn broken_machines_are_noticed() {
    if std::env::var_os("COUNTERPOINT_LONG").is_none() {
        return;
    }
    let most = number("COUNTERPOINT_RUNS").unwrap_or(50);
    let only = std::env::var("COUNTERPOINT_ONLY").unwrap_or_default();
    let mut unnoticed: Vec<&'static Defect> =
        DEFECTS.iter().filter(|defect| defect.name.contains(&only)).collect();
    let tried = unnoticed.len();
    let made = Subject::rows(true)
        .filter(|subject| unnoticed.iter().any(|defect| is_about(subject, defect)));
    let suite = Suite::compile(made.chain(Subject::written()).collect());
    for runs in [3, most] {
        if unnoticed.is_empty() {
            break;
        }
        let real = suite.real_outcomes(runs);
        unnoticed.retain(|defect| {
            let found = noticed(&suite, &real, defect);
            println!(
                "{}: {} ({runs} runs under each setting)",
                defect.name,
                found.as_deref().unwrap_or("not noticed")
            );
            found.is_none()
        });
    }
    println!("{} of {tried} broken machines noticed", tried - unnoticed.len());
    let unnoticed: Vec<&str> = unnoticed.iter().map(|defect| defect.name).collect();
    assert_eq!(unnoticed, Vec::<&str>::new(), "nobody notices");
}

/// A program that does more than is needed to show that time limits never expire in a broken machine.
fn with_too_much() -> Draft {
    let text = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<String>>();
    Draft {
        title: "more than is needed".to_string(),
        state: text(&[
            "static final CountDownLatch latch = new CountDownLatch(1);",
            "static final AtomicInteger other = new AtomicInteger();",
        ]),
        threads: vec![
            text(&["other.set(2);", "o = latch.await(1, TimeUnit.MILLISECONDS);"]),
            text(&["o = other.get();", "other.set(4);"]),
            text(&["other.set(3);"]),
        ],
        lasts: text(&["latch.getCount()", "other.get() > 1"]),
    }
}

#[test]
fn a_real_disagreement_is_made_smaller_and_kept() {
    let wanted = "a time limit never expires";
    let defect = DEFECTS.iter().find(|defect| defect.name == wanted).expect("a defect");
    break_machine(Some(defect));
    let (small, found) = shrink::shrink(&with_too_much(), 1).expect("a disagreement");
    let folder = tempfile::tempdir().expect("a temporary folder");
    kept::keep(folder.path(), "Small", &small.source("Small"), &found);
    let broken = kept::missing(folder.path());
    break_machine(None);
    assert_eq!(broken, vec![("Small".to_string(), found.outcome)], "the kept program shows it");
    assert_eq!(kept::missing(folder.path()), Vec::new(), "the machine is whole again");
    let needed = "o = latch.await(1, TimeUnit.MILLISECONDS);";
    assert_eq!(small.threads, vec![vec![needed.to_string()]], "{small:?}");
    assert_eq!((small.lasts.len(), small.state.len()), (0, 1), "{small:?}");
}

#[test]
fn the_shrinker_leaves_what_is_needed_and_nothing_else() {
    // As if the two disagreed wherever one thread asks for what another one sets to 3.
    let has = |draft: &Draft, text: &str| {
        draft.threads.iter().position(|words| words.iter().any(|word| word.contains(text)))
    };
    let mut asked = 0;
    let (small, ()) = shrink::shrink_while(&with_too_much(), |candidates| {
        asked += 1;
        let sizes: Vec<usize> = candidates.iter().map(Draft::size).collect();
        assert!(sizes.is_sorted(), "the smallest come first");
        let number = candidates.iter().position(|draft| {
            let (one, other) = (has(draft, "other.get()"), has(draft, "other.set(3)"));
            one.is_some() && other.is_some() && one != other
        });
        number.map(|number| (number, ()))
    })
    .expect("the program itself will do");
    let wanted = [["o = other.get();"], ["other.set(3);"]];
    assert_eq!(small.threads, wanted.map(|words| words.map(str::to_string).to_vec()), "{small:?}");
    assert_eq!((small.lasts.len(), small.state.len()), (0, 1), "{small:?}");
    assert!(asked < 8, "a pair of statements is tried at once: {asked} rounds");
    let never = shrink::shrink_while(&with_too_much(), |_| None::<(usize, ())>);
    assert!(never.is_none(), "nothing is kept where nothing was seen");
}
