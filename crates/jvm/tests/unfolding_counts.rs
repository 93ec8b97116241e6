//! How many executions and events the explorers that unfold need on the shapes of the reference table,
//! compiled from Java: never more executions than the thesis (tables 8.1 and 8.3), and the same events
//! whatever the order of exploration.

use crate::common;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use common::{Programs, explore};
use counterpoint_jvm::JavaProgram;

const NETS: [&str; 4] = ["unfolding", "contextual", "stateful", "stateful-naive"];

fn program(words: &str) -> JavaProgram {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    PROGRAMS.get_or_init(|| Programs::compile(&["explore", "shapes", "inputs"])).load(words)
}

/// The average of the executions over some seeds is at most the number given, and all seeds lead to
/// the same number of events.
fn check(name: &str, words: &str, seeds: u64, bound: u64) {
    let mut executions = 0;
    let mut events = BTreeSet::new();
    for seed in 0..seeds {
        let (result, _) = explore(name, &program(words), seed);
        assert_eq!(result.bounds, [], "{words} under {name}");
        executions += result.statistics.executions;
        events.insert(result.statistics.events);
    }
    assert!(executions <= bound * seeds, "{words} under {name}: {executions} in {seeds} rounds");
    assert_eq!(events.len(), 1, "{words} under {name}: {events:?} events");
}

/// The bounds are for the explorers in the order of `NETS`; there is none where the thesis has none
/// and the search would take too long.
fn check_rows(seeds: u64, rows: &[(&str, [Option<u64>; 4])]) {
    for (words, bounds) in rows {
        for (name, bound) in NETS.into_iter().zip(bounds) {
            if let Some(bound) = bound {
                check(name, words, seeds, *bound);
            }
        }
    }
}

#[test]
fn executions_are_at_most_those_of_the_thesis() {
    check_rows(
        1,
        &[
            ("Dining 4", [Some(798), Some(798), Some(4), Some(3)]),
            ("DiningLocks 4", [Some(798), Some(798), Some(4), Some(3)]),
            ("Sections 2 2 2 2", [Some(2520), Some(2520), Some(18), Some(20)]),
            ("LockingKinds reentrant 2 2 2 2", [Some(2520), Some(2520), None, None]),
            ("Pi monitor 6", [Some(720), Some(720), Some(720), None]),
            ("Filesystem 16", [Some(3), Some(3), Some(3), None]),
            ("Filesystem 18", [Some(3), Some(3), Some(3), None]),
            ("FilesystemLocks 26", [Some(3), Some(3), Some(3), None]),
            ("SyntheticTwice", [Some(915), Some(762), Some(62), Some(68)]),
            ("Writes 6 2", [None, None, Some(1), Some(1)]),
        ],
    );
}

/// Each thread of a pair has four ends: its write comes first or second, and its input is on the one
/// side or on the other. An execution shows one end of each thread, so four executions are the least
/// there can be, and as the pairs are independent four are enough for any number of them. (The thesis
/// needs eight.) With states captured, a write leads to the same state whatever it overwrites: two
/// ends, two executions.
#[test]
fn pairs_need_four_executions_however_many_they_are() {
    for pairs in 1..=6 {
        for (name, wanted) in [("unfolding", 4), ("contextual", 4), ("stateful", 2)] {
            for seed in 0..10 {
                let (result, _) = explore(name, &program(&format!("Pairs {pairs}")), seed);
                assert_eq!(result.statistics.executions, wanted, "{pairs} {name} {seed}");
            }
        }
    }
}

/// Example 9 of the thesis.
#[test]
fn two_executions_suffice_for_any_number_of_readers_and_writers_in_pairs() {
    for pairs in [1, 2, 5, 12] {
        for name in ["unfolding", "contextual"] {
            for seed in 0..10 {
                let program = program(&format!("ReaderWriterPairs {pairs}"));
                let (result, _) = explore(name, &program, seed);
                assert_eq!(result.statistics.executions, 2, "{pairs} {name} {seed}");
            }
        }
    }
}

#[test]
fn all_orders_of_exploration_have_the_same_events() {
    // Where the thesis has no number, the number of traces.
    check_rows(
        if std::env::var_os("COUNTERPOINT_LONG").is_some() { 10 } else { 3 },
        &[
            ("Fib 2", [Some(140), Some(140), Some(140), Some(140)]),
            ("FibFields 2", [Some(140), Some(140), Some(140), Some(140)]),
            ("Dining 3", [Some(106), Some(106), Some(4), Some(3)]),
            ("DiningFair 3", [Some(106), Some(106), Some(4), Some(3)]),
            ("Sections 2 2 2", [Some(90), Some(90), Some(18), Some(20)]),
            ("Locks 2 2 1", [Some(30), Some(30), Some(18), Some(20)]),
            ("Pi lock 4", [Some(24), Some(24), Some(24), None]),
            ("Filesystem 16", [Some(3), Some(3), Some(3), None]),
            ("LastZero 5", [Some(64), Some(64), Some(64), None]),
            ("LastZeroAtomic 5", [Some(64), Some(64), Some(64), None]),
            ("Updater 2", [Some(54), Some(54), Some(54), Some(54)]),
        ],
    );
}

#[test]
#[ignore = "long: run it with optimisation"]
fn executions_of_the_larger_shapes_are_at_most_those_of_the_thesis() {
    check_rows(
        1,
        &[
            ("Fib 4", [Some(19605), Some(4950), Some(4946), Some(5746)]),
            ("Fib 5", [Some(218_243), Some(46830), Some(46829), Some(53478)]),
            ("Dining 5", [Some(5746), Some(5749), Some(3), Some(3)]),
            ("Dining 6", [Some(36075), Some(36058), Some(4), Some(2)]),
            ("Dining 7", [Some(205_161), Some(205_120), Some(2), None]),
            ("Sections 2 2 2 2 1", [Some(22680), Some(22680), Some(26), Some(29)]),
            ("Sections 2 2 2 2 2", [Some(113_400), Some(113_400), Some(34), Some(39)]),
            ("Pi lock 7", [Some(5040), Some(5040), Some(5040), None]),
            ("SyntheticFour keep", [Some(8205), Some(3218), Some(97), None]),
            ("Szymanski 3 3", [Some(65138), Some(56487), Some(46679), None]),
        ],
    );
    check_rows(10, &[("SyntheticTwice", [Some(915), Some(762), Some(62), Some(68)])]);
}
