//! A limit that was hit is said, and what it left out is left.

use crate::common;

use std::time::{Duration, Instant};

use common::{Seen, explore_unit};
use counterpoint_explore::{Covers, EXPLORERS, Limits, WorkUnit, explorer};
use counterpoint_model::{Bound, Verdict};
use counterpoint_testkit::builder::{Builder, Comparable};
use counterpoint_testkit::{TestProgram, shapes};

fn bounds(program: &TestProgram, limits: Limits) -> (Vec<Bound>, u64, bool) {
    let optimal = explorer("optimal").unwrap();
    let mut seen = Seen::default();
    let result = explore_unit(optimal, program, WorkUnit::whole(), limits, &mut seen);
    assert!(matches!(result.verdict(), Verdict::Incomplete(_)) || result.bounds.is_empty());
    (result.bounds, result.statistics.executions, result.unexplored.is_some())
}

#[test]
fn each_limit_is_reported_by_name() {
    let limits = Limits::default();
    let program = shapes::fib(3);
    let few = Limits { executions: Some(5), ..limits.clone() };
    assert_eq!(bounds(&program, few), (vec![Bound::Executions], 5, true));
    let short = Limits { steps: 7, ..limits.clone() };
    let (hit, executions, left) = bounds(&program, short);
    assert_eq!((hit, left), (vec![Bound::Steps], false));
    assert!(executions > 1, "what lies within the limit is still explored: {executions}");
    let shallow = Limits { depth: Some(4), ..limits.clone() };
    let (hit, executions, left) = bounds(&program, shallow);
    assert_eq!((hit, left), (vec![Bound::Depth], false));
    assert!((1..1698).contains(&executions));
    let exact = Limits { executions: Some(1698), ..limits };
    assert_eq!(bounds(&program, exact), (vec![], 1698, false));
}

#[test]
fn time_stops_an_endless_exploration() {
    let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
    let (hit, _, left) = bounds(&shapes::fib(9), limits);
    assert_eq!((hit, left), (vec![Bound::Time], true));
}

#[test]
fn the_alternatives_of_a_step_cost_what_they_are_worth() {
    let mut builder = Builder::new("choice");
    let x = builder.variable("x", 0);
    let program = builder.main(|t| {
        let chosen = t.choose(100_000);
        t.write(x, chosen);
    });
    for name in ["optimal", "dpor", "exhaustive"] {
        let mut seen = Seen::default();
        let (entry, limits) = (explorer(name).unwrap(), Limits::default());
        let started = Instant::now();
        let result = explore_unit(entry, &program, WorkUnit::whole(), limits, &mut seen);
        assert_eq!((result.statistics.executions, result.unexplored), (100_000, None), "{name}");
        assert!(started.elapsed() < Duration::from_secs(15), "{name}: {:?}", started.elapsed());
    }
}

/// A branch that no solver decides in so little work: beyond it lies a failure or not.
#[test]
fn a_solver_that_gives_up_makes_every_verdict_incomplete() {
    for entry in EXPLORERS {
        let mut builder = Builder::new("hard");
        let x = builder.variable("x", 0);
        let program = builder.main(|t| {
            let [a, b, c, d] = [0; 4].map(|_| t.any_input());
            t.spawn(|t| t.write(x, 1));
            let mixed = t.local("mixed", (a * b) ^ (b * c) ^ (a * (c + 1) * (b + 5)));
            let again = t.local("again", (mixed ^ (mixed >> 15)) * (a * a * b + 7));
            t.when(again.equals(0x1234_5677), |t| t.fail("a number was inverted"));
            t.when(d.equals(7), |t| t.write(x, 2));
        });
        let program = program.solver_limits(counterpoint_symbolic::Limits {
            work: Some(2_000),
            time: Duration::from_millis(200),
            ..counterpoint_symbolic::Limits::default()
        });
        let limits = Limits { executions: Some(200), ..Limits::default() };
        let mut seen = Seen::default();
        let result = explore_unit(entry, &program, WorkUnit::whole(), limits, &mut seen);
        let unknown = |bound: &Bound| matches!(bound, Bound::Solver(why) if why.contains("z3"));
        assert!(result.bounds.iter().any(unknown), "{}: {:?}", entry.name, result.bounds);
        assert!(matches!(result.verdict(), Verdict::Incomplete(_)), "{}", entry.name);
        assert!(result.statistics.executions >= 2, "{} goes on beside it", entry.name);
    }
}

#[test]
fn a_spinning_thread_does_not_hide_the_others() {
    let mut builder = Builder::new("spin");
    let flag = builder.variable("flag", 0);
    let program = builder.main(|t| {
        t.spawn(|t| {
            let seen = t.register("seen");
            t.repeat(seen.equals(0), |t| t.read_into(seen, flag));
            t.fail("the flag was seen");
        });
        t.spawn(|t| t.write(flag, 1));
    });
    for entry in EXPLORERS {
        let limits = Limits { steps: 30, executions: Some(200), ..Limits::default() };
        let mut seen = Seen::default();
        let result = explore_unit(entry, &program, WorkUnit::whole(), limits, &mut seen);
        assert!(!result.findings.is_empty(), "{} finds what follows the loop", entry.name);
        let expected = if entry.covers == Covers::Samples { Bound::Sampled } else { Bound::Steps };
        assert!(result.bounds.contains(&expected), "{}: {:?}", entry.name, result.bounds);
    }
}
