//! An execution that cannot go on is cut; all others are explored, and the result says so.

use crate::common;

use std::collections::BTreeSet;

use common::{Seen, explore_unit};
use counterpoint_explore::{Covers, EXPLORERS, Exploration, Explorer, Limits, WorkUnit};
use counterpoint_model::{Bound, FindingKind, Verdict};
use counterpoint_testkit::TestProgram;
use counterpoint_testkit::builder::{Builder, Comparable};

fn explore(entry: &Explorer, program: &TestProgram, limits: Limits) -> Exploration {
    explore_unit(entry, program, WorkUnit::whole(), limits, &mut Seen::default())
}

/// The messages of the failures that are the program's.
fn failures(result: &Exploration) -> BTreeSet<&str> {
    let findings = result.findings.iter().map(|found| &found.finding);
    findings
        .filter(|finding| finding.kind != FindingKind::Unsupported)
        .map(|finding| match finding.kind {
            FindingKind::Deadlock => "deadlock",
            _ => finding.message.as_str(),
        })
        .collect()
}

/// All explorers find these failures, and cut something. One that does not promise deadlocks may miss them.
fn check(program: &TestProgram, expected: &[&str]) {
    let samples = Limits { executions: Some(200), ..Limits::default() };
    for entry in EXPLORERS {
        let sampled = entry.covers == Covers::Samples;
        let limits = if sampled { samples.clone() } else { Limits::default() };
        let result = explore(entry, program, limits);
        let name = entry.name;
        let misses_deadlocks =
            entry.covers == Covers::ReadsFrom && !failures(&result).contains("deadlock");
        let expected: Vec<&str> = expected
            .iter()
            .copied()
            .filter(|failure| !(misses_deadlocks && *failure == "deadlock"))
            .collect();
        assert_eq!(failures(&result), BTreeSet::from_iter(expected.iter().copied()), "{name}");
        assert!(result.bounds.contains(&Bound::Unsupported), "{name}: {:?}", result.bounds);
        assert!(result.statistics.cut > 0, "{name}");
        assert_eq!(result.internal_errors, [""; 0], "{name}");
        assert!(!result.cuts.is_empty() && result.cuts.iter().all(|cut| cut.place.line > 0));
        match (result.verdict(), &expected[..]) {
            (Verdict::Incomplete(_), []) | (Verdict::Bug, [_, ..]) => {}
            (verdict, _) => panic!("{name}: {verdict:?}"),
        }
    }
}

#[test]
fn either_branch_is_explored_whichever_comes_first() {
    for supported in [0, 1] {
        let mut builder = Builder::new("branch");
        let flag = builder.variable("flag", 0);
        let other = builder.variable("other", 0);
        let program = builder.main(|t| {
            t.spawn(|t| {
                // A step before the one that races: it must not be lost when main is cut.
                t.write(other, 1);
                t.write(flag, 1);
            });
            let seen = t.read(flag);
            t.branch(seen.equals(supported), |t| t.fail("found"), |t| t.unsupported("a file"));
        });
        check(&program, &["found"]);
    }
}

#[test]
fn a_thread_that_is_cut_at_once_does_not_hide_the_others() {
    let mut builder = Builder::new("at once");
    let x = builder.variable("x", 0);
    let program = builder.main(|t| {
        t.spawn(|t| t.unsupported("a socket"));
        t.write(x, 1);
        t.write(x, 2);
        t.fail("main");
    });
    check(&program, &["main"]);
}

#[test]
fn waiting_for_a_thread_that_was_cut_is_no_deadlock() {
    let mut builder = Builder::new("joins");
    let lock = builder.lock("l");
    let x = builder.variable("x", 0);
    let program = builder.main(|t| {
        let child = t.spawn(|t| {
            t.acquire(lock);
            t.write(x, 1);
            t.unsupported("a process");
        });
        t.spawn(|t| t.locked(lock, |t| t.write(x, 2)));
        t.join(child);
        t.fail("never");
    });
    check(&program, &[]);
}

#[test]
fn deadlocks_beside_executions_that_are_cut_are_found() {
    let mut builder = Builder::new("both");
    let (one, other) = (builder.lock("a"), builder.lock("b"));
    let flag = builder.volatile("flag", 0);
    let program = builder.main(|t| {
        t.spawn(|t| t.locked(one, |t| t.locked(other, |t| t.write(flag, 1))));
        t.spawn(|t| t.locked(other, |t| t.locked(one, |_| {})));
        let seen = t.read(flag);
        t.when(seen.equals(1), |t| t.unsupported("late"));
    });
    check(&program, &["deadlock"]);
}

#[test]
fn everything_that_is_cut_is_told_with_its_place() {
    let mut builder = Builder::new("two places");
    let x = builder.variable("x", 0);
    let program = builder.main(|t| {
        t.spawn(|t| t.write(x, 1));
        let seen = t.read(x);
        t.branch(seen.equals(0), |t| t.unsupported("early"), |t| t.unsupported("late"));
    });
    for entry in EXPLORERS.iter().filter(|entry| entry.covers != Covers::Samples) {
        let result = explore(entry, &program, Limits::default());
        let cuts: Vec<(&str, u64)> =
            result.cuts.iter().map(|cut| (cut.reason.as_str(), cut.count)).collect();
        assert_eq!(cuts.iter().map(|(reason, _)| *reason).collect::<Vec<_>>(), ["early", "late"]);
        assert_eq!(cuts.iter().map(|(_, count)| count).sum::<u64>(), result.statistics.cut);
    }
}

/// A thread that never ends, before or after the one that fails.
#[test]
fn a_thread_that_runs_for_ever_does_not_starve_the_one_that_fails() {
    for last in [false, true] {
        let mut builder = Builder::new("starving");
        let x = builder.volatile("x", 0);
        let y = builder.variable("y", 0);
        let program = builder.main(|t| {
            let endless = |t: &mut counterpoint_testkit::builder::ThreadBuilder<'_>| {
                t.spawn(|t| {
                    t.repeat(1, |t| {
                        t.fetch_add(x, 1);
                    });
                });
            };
            if !last {
                endless(t);
            }
            t.spawn(|t| {
                (0..5).for_each(|number| t.write(y, number));
                t.fail("starved");
            });
            if last {
                endless(t);
            }
            t.repeat(1, |t| t.write(x, 0));
        });
        for entry in EXPLORERS {
            let limits = Limits { steps: 120, executions: Some(10), ..Limits::default() };
            let result = explore(entry, &program, limits);
            assert_eq!(failures(&result), BTreeSet::from(["starved"]), "{} {last}", entry.name);
            assert!(result.bounds.contains(&Bound::Steps), "{}", entry.name);
            assert!(result.cuts.iter().any(|cut| cut.reason == "the limit of 120 steps"));
        }
    }
}

/// Below three quarters of the limit nothing changes.
#[test]
fn executions_that_stay_below_the_limits_are_what_they_were() {
    let program = counterpoint_testkit::shapes::fib(3);
    for entry in EXPLORERS.iter().filter(|entry| entry.covers == Covers::Traces) {
        let counts = |steps: usize| {
            let result = explore(entry, &program, Limits { steps, ..Limits::default() });
            (result.statistics.executions, result.statistics.abandoned, result.bounds)
        };
        assert_eq!(counts(1_000), counts(100_000), "{}", entry.name);
    }
}
