//! The published counts of the shapes.

mod common;

use counterpoint_explore::{Covers, EXPLORERS, explorer};
use counterpoint_testkit::{TestProgram, shapes};

/// `optimal` executes each trace once; the other systematic explorers never fewer.
fn check(program: &TestProgram, traces: u64, deadlocked: u64) {
    for entry in EXPLORERS {
        let result = match entry.covers {
            Covers::TracesOnce => common::explore(entry, program),
            Covers::Traces if traces <= 40_000 => common::explore(entry, program),
            _ => continue,
        };
        let statistics = &result.statistics;
        let what = format!("{} on {}", entry.name, program.name());
        assert!(result.bounds.is_empty(), "{what}: {:?}", result.bounds);
        assert!(result.internal_errors.is_empty(), "{what}: {:?}", result.internal_errors);
        assert!(result.unexplored.is_none(), "{what}");
        if entry.covers == Covers::TracesOnce {
            assert_eq!(statistics.executions, traces, "{what}");
            assert_eq!(statistics.deadlocks, deadlocked, "{what}");
            assert_eq!(statistics.abandoned, 0, "{what}");
        } else {
            assert!(statistics.executions >= traces, "{what}: {statistics:?}");
            assert!(statistics.deadlocks >= deadlocked, "{what}: {statistics:?}");
        }
    }
}

#[test]
fn fib_has_its_published_traces() {
    for (rounds, traces) in [(1, 11), (2, 140), (3, 1698), (4, 19605), (5, 218_243)] {
        check(&shapes::fib(rounds), traces, 0);
    }
}

#[test]
fn dining_has_its_published_traces_and_deadlocks() {
    let rows = [(2, 11, 5), (3, 106, 16), (4, 831, 45), (5, 5851, 121), (6, 38_786, 320)];
    for (philosophers, traces, deadlocked) in rows {
        check(&shapes::dining(philosophers), traces, deadlocked);
    }
}

#[test]
fn locking_has_its_published_traces() {
    check(&shapes::lock(2), 6, 0);
    check(&shapes::lock(4), 2520, 0);
    check(&shapes::lock_and_one(4), 22_680, 0);
    check(&shapes::lock(5), 113_400, 0);
    check(&shapes::pi(6), 720, 0);
    check(&shapes::pi(7), 5040, 0);
}

#[test]
fn pairs_have_eight_traces_each() {
    for pairs in 1..=4 {
        check(&shapes::pairs(pairs), 8u64.pow(pairs), 0);
    }
}

#[test]
fn filesystem_has_a_power_of_two() {
    for threads in 14..=22 {
        check(&shapes::filesystem(threads), 1 << (threads - 13), 0);
    }
}

#[test]
fn lastzero_has_its_published_traces() {
    for (threads, traces) in [(5, 64), (10, 3328), (15, 147_456)] {
        check(&shapes::lastzero(threads), traces, 0);
    }
}

#[test]
fn every_interleaving_is_counted() {
    // Two threads of one critical section (acquire, release), started by main: hand-countable.
    let exhaustive = explorer("exhaustive").unwrap();
    let result = common::explore(exhaustive, &shapes::pi(2));
    assert_eq!(result.statistics.deadlocks, 0);
    assert!(result.statistics.executions >= 2);
}
