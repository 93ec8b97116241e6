//! The oracle finds the published numbers of traces.

use counterpoint_testkit::{TestProgram, examples, oracle, shapes};

const LIMIT: u64 = 20_000_000;

fn check(program: &TestProgram, traces: u64, deadlocked: u64) {
    let findings = oracle::enumerate(program, LIMIT).expect("small enough");
    let found = (findings.traces, findings.deadlocked);
    assert_eq!(found, (traces, deadlocked), "{}:\n{program}", program.name());
}

#[test]
fn the_oracle_counts_the_traces_of_the_reference_table() {
    check(&shapes::fib(1), 11, 0);
    check(&shapes::fib(2), 140, 0);
    check(&shapes::fib(3), 1698, 0);
    check(&shapes::dining(2), 11, 5);
    check(&shapes::dining(3), 106, 16);
    check(&shapes::lock(2), 6, 0);
    check(&shapes::lock(3), 90, 0);
    check(&shapes::lock_and_one(2), 30, 0);
    check(&shapes::pi(3), 6, 0);
    check(&shapes::pi(4), 24, 0);
    check(&shapes::pairs(1), 8, 0);
    check(&shapes::pairs(2), 64, 0);
    check(&shapes::lastzero(5), 64, 0);
    check(&shapes::writes(3, 2), 90, 0);
}

#[test]
fn shapes_without_published_sources_behave_as_described() {
    let find = |program: &TestProgram| oracle::enumerate(program, LIMIT).expect("small enough");
    for looks in 0..=2 {
        let findings = find(&shapes::szymanski(looks));
        assert!(findings.failures.is_empty(), "two threads are inside at once");
        assert_eq!(findings.deadlocked, 0);
    }
    assert_eq!(find(&shapes::updater(2, 1, false)).deadlocked, 0);
    assert!(find(&shapes::updater(2, 1, true)).deadlocked > 0);
    assert!((0..20).any(|seed| find(&shapes::synthetic(seed, 2, 3)).deadlocked > 0));
}

#[test]
fn the_oracle_counts_the_traces_of_the_worked_examples() {
    check(&examples::read_then_write(), 2, 0);
    check(&examples::branching_threads(), 6, 0);
    assert_eq!(oracle::enumerate(&examples::overflow(), LIMIT), Err(oracle::Refusal::Unbounded));
}

#[test]
fn a_limit_is_kept() {
    assert_eq!(oracle::enumerate(&shapes::fib(3), 100), Err(oracle::Refusal::TooBig));
}
