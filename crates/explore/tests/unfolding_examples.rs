//! The worked examples of chapters 3, 5 and 7 of the thesis, and the tables of chapter 8.
//!
//! The thesis' programs have a fixed number of threads; here the main thread starts them, so each
//! net has one event more per thread.

use crate::common;

use counterpoint_explore::{
    Assignment, Exploration, Limits, ParameterValues, Silent, WorkUnit, default_properties,
    explorer,
};
use counterpoint_model::FindingKind;
use counterpoint_testkit::builder::{Builder, Comparable, ThreadBuilder};
use counterpoint_testkit::{TestProgram, shapes};

fn explore(name: &str, program: &TestProgram, seed: u64) -> Exploration {
    let entry = explorer(name).expect("the explorer is in the table");
    let result = (entry.explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties: default_properties(),
        sink: &mut Silent,
        parameters: ParameterValues::seeded(seed),
    });
    let what = format!("{name} on {}", program.name());
    assert!(result.internal_errors.is_empty(), "{what}: {:?}", result.internal_errors);
    assert!(result.bounds.is_empty() && result.unexplored.is_none(), "{what}");
    result
}

/// Executions and events, which must be the same for some seeds.
fn counts(name: &str, program: &TestProgram) -> (u64, u64) {
    let first = explore(name, program, 0).statistics;
    for seed in 1..4 {
        let other = explore(name, program, seed).statistics;
        assert_eq!(first.events, other.events, "{name} on {}, seed {seed}", program.name());
    }
    (first.executions, first.events)
}

/// A program whose threads do these things.
fn threads(program: Builder, bodies: &[&dyn Fn(&mut ThreadBuilder<'_>)]) -> TestProgram {
    program.main(|main| {
        for body in bodies {
            main.spawn(|thread| body(thread));
        }
    })
}

/// Figure 3.1: pairs of a reader and a writer.
fn readers_and_writers(pairs: u32) -> TestProgram {
    let mut program = Builder::new(&format!("figure 3.1 with {pairs} pairs"));
    let variables: Vec<_> =
        (0..pairs).map(|number| program.variable(&format!("x{number}"), 0)).collect();
    program.main(|main| {
        for &variable in &variables {
            main.spawn(|thread| {
                thread.read(variable);
            });
            main.spawn(|thread| thread.write(variable, 1));
        }
    })
}

#[test]
fn example_9_two_executions_suffice_for_any_number_of_independent_pairs() {
    for pairs in [1, 2, 5, 20, 60] {
        let program = readers_and_writers(pairs);
        let pairs = u64::from(pairs);
        // Per pair two reads and two writes in the regular net, one write in the contextual one.
        assert_eq!(counts("unfolding", &program), (2, pairs * 4 + pairs * 2));
        assert_eq!(counts("contextual", &program), (2, pairs * 3 + pairs * 2));
        for name in ["unfolding", "contextual"] {
            for seed in 1..=10 {
                let executions = explore(name, &program, seed).statistics.executions;
                assert_eq!(executions, 2, "{name} on {pairs} pairs, seed {seed}");
            }
        }
    }
}

#[test]
fn figure_3_8_concurrent_reads_need_one_execution() {
    let mut program = Builder::new("figure 3.8");
    let x = program.variable("X", 0);
    let read = |thread: &mut ThreadBuilder<'_>| {
        thread.read(x);
    };
    let program = threads(program, &[&read, &read]);
    for name in ["unfolding", "contextual", "stateful"] {
        assert_eq!(counts(name, &program), (1, 4), "{name}");
    }
}

#[test]
fn example_10_has_seven_events_and_the_error_is_found_by_the_third_execution() {
    let mut program = Builder::new("figure 3.12");
    let x = program.variable("X", 0);
    let reader = |thread: &mut ThreadBuilder<'_>| {
        let a = thread.read(x);
        thread.when(a.greater(0), |thread| thread.fail("error"));
    };
    let writer = |thread: &mut ThreadBuilder<'_>| {
        let b = thread.read(x);
        thread.when(b.equals(0), |thread| {
            let input = thread.any_input();
            thread.write(x, input);
        });
    };
    let program = threads(program, &[&reader, &writer]);
    let (executions, events) = counts("unfolding", &program);
    assert_eq!((executions, events), (3, 7 + 2));
    for name in ["unfolding", "contextual", "stateful"] {
        let result = explore(name, &program, 0);
        let found: Vec<_> = result.findings.iter().map(|found| found.finding.kind).collect();
        assert_eq!(found, [FindingKind::Assertion], "{name}");
    }
}

#[test]
fn example_12_the_extension_with_contradicting_branches_is_dropped() {
    let mut program = Builder::new("figure 3.13");
    let (x, y) = (program.variable("X", 0), program.variable("Y", 0));
    let writer = |thread: &mut ThreadBuilder<'_>| {
        let input = thread.input(0, 3);
        thread.write(x, input);
    };
    let one = |thread: &mut ThreadBuilder<'_>| {
        let a = thread.read(x);
        thread.when(a.equals(2), |thread| thread.write(y, 1));
    };
    let other = |thread: &mut ThreadBuilder<'_>| {
        let b = thread.read(x);
        thread.when(b.equals(1), |thread| thread.write(y, 2));
    };
    let program = threads(program, &[&writer, &one, &other]);
    for name in ["unfolding", "contextual"] {
        let result = explore(name, &program, 0);
        // One of the threads would write after the other, though X cannot be both 1 and 2.
        assert!(result.statistics.abandoned >= 2, "{name}: {:?}", result.statistics);
    }
}

#[test]
fn figure_5_1_needs_four_executions_with_copies_and_two_with_read_arcs() {
    let mut program = Builder::new("figure 5.1");
    let x = program.variable("X", 0);
    let read = |thread: &mut ThreadBuilder<'_>| {
        thread.read(x);
    };
    let write = |thread: &mut ThreadBuilder<'_>| thread.write(x, 5);
    let program = threads(program, &[&read, &write, &read]);
    // Regular: four writes and, after the write with no read before it and those with the other
    // read before it, reads: two before any write, and two plus one plus one after one.
    assert_eq!(counts("unfolding", &program), (4, 4 + 6 + 3));
    assert_eq!(counts("contextual", &program), (2, 1 + 4 + 3));
}

#[test]
fn example_20_a_cycle_of_asymmetric_conflict_is_no_marking() {
    // Figure 5.2: e1, e2, e3 read Y, write X, read Y; e4, e5 write Y, read X. Both last reads
    // cannot see the initial values.
    let mut program = Builder::new("figure 5.2");
    let (x, y) = (program.variable("X", 0), program.variable("Y", 0));
    let program = program.main(|main| {
        let first = main.spawn(|thread| {
            thread.read(y);
            thread.write(x, 1);
            thread.read(y);
        });
        let second = main.spawn(|thread| {
            thread.write(y, 1);
            thread.read(x);
        });
        main.join(first);
        main.join(second);
        main.read(x);
    });
    let traces = explore("optimal", &program, 0).statistics.executions;
    let (regular, _) = counts("unfolding", &program);
    let (contextual, _) = counts("contextual", &program);
    assert!(regular <= traces && contextual <= regular);
}

#[test]
fn example_21_reads_come_before_the_write_they_do_not_see() {
    let mut program = Builder::new("figure 5.6");
    let x = program.variable("X", 0);
    let writer = |thread: &mut ThreadBuilder<'_>| {
        thread.write(x, 5);
        thread.read(x);
    };
    let reader = |thread: &mut ThreadBuilder<'_>| {
        let b = thread.input(0, 1);
        thread.when(b.equals(0), |thread| {
            thread.read(x);
            thread.read(x);
        });
    };
    let program = threads(program, &[&writer, &reader]);
    // The write and the read after it; two sides of the branch; the first read of either value;
    // the second of either value after the first, and of the new one after the new one.
    let (executions, events) = counts("contextual", &program);
    assert_eq!(events, 2 + 2 + 2 + 3 + 2);
    assert!(executions <= 4);
}

#[test]
fn example_22_a_started_thread_begins_where_its_parent_was() {
    let mut program = Builder::new("figure 5.8");
    let x = program.variable("X", 0);
    let program = program.main(|main| {
        main.spawn(|thread| {
            thread.read(x);
            thread.spawn(|child| {
                child.read(x);
            });
        });
        main.spawn(|thread| thread.write(x, 1));
    });
    // Reads of both values, a start after each, the write, and three reads of the child.
    assert_eq!(counts("contextual", &program).1, 2 + 2 + 1 + 3 + 2);
    // The write comes before both reads, after the parent's, or after both.
    assert_eq!(counts("unfolding", &program).1, 2 + 2 + 3 + 3 + 2);
}

#[test]
fn example_25_sections_on_different_variables_need_one_execution() {
    let mut program = Builder::new("figure 7.3");
    let (x, y) = (program.variable("X", 0), program.variable("Y", 0));
    let lock = program.lock("lock");
    let program = program.main(|main| {
        for variable in [x, y] {
            main.spawn(|thread| thread.locked(lock, |thread| thread.write(variable, 1)));
        }
    });
    assert_eq!(counts("stateful", &program).0, 1);
    assert_eq!(counts("unfolding", &program).0, 2);
}

#[test]
fn example_26_blind_writes_need_one_execution() {
    for (threads, times) in [(3, 1), (6, 2)] {
        let program = shapes::writes(threads, times);
        assert_eq!(counts("stateful", &program).0, 1);
        assert_eq!(counts("stateful-naive", &program).0, 1);
    }
}

#[test]
fn example_27_a_branch_at_the_end_needs_a_second_execution() {
    let mut program = Builder::new("figure 7.7");
    let x = program.variable("X", 0);
    let lock = program.lock("lock");
    let program = program.main(|main| {
        main.spawn(|thread| {
            thread.locked(lock, |thread| {
                thread.read(x);
            });
            let input = thread.input(0, 9);
            let seen = thread.register("seen");
            thread.when(input.greater(5), |thread| thread.set(seen, 1));
        });
        main.spawn(|thread| {
            thread.locked(lock, |thread| {
                thread.read(x);
            });
        });
    });
    assert_eq!(counts("stateful", &program).0, 2);
}

/// Executions of the regular, the contextual and both stateful explorers, at most.
fn check(program: &TestProgram, limits: [u64; 4]) {
    let names = ["unfolding", "contextual", "stateful", "stateful-naive"];
    for (name, limit) in names.into_iter().zip(limits) {
        if limit == UNCHECKED {
            continue;
        }
        let executions = explore(name, program, 0).statistics.executions;
        assert!(executions <= limit, "{name} on {}: {executions} > {limit}", program.name());
    }
}

/// For searches that take too long in a test.
const UNCHECKED: u64 = u64::MAX;

#[test]
fn shapes_need_no_more_executions_than_in_the_thesis() {
    check(&shapes::fib(4), [19_605, 4950, 4946, 5746]);
    check(&shapes::dining(4), [798, 798, 4, 3]);
    check(&shapes::dining(5), [5746, 5749, 3, 3]);
    check(&shapes::dining(6), [36_075, 36_058, 4, UNCHECKED]);
    check(&shapes::lock(4), [2520, 2520, 18, 20]);
    check(&shapes::lock_and_one(4), [22_680, 22_680, 26, 29]);
    check(&shapes::pi(6), [720, 720, 720, 720]);
    check(&shapes::pairs(4), [8, 8, 4, UNCHECKED]);
    check(&shapes::writes(6, 2), [UNCHECKED, UNCHECKED, 1, 1]);
    for threads in 16..=26 {
        check(&shapes::filesystem(threads), [3, 3, 3, UNCHECKED]);
    }
}

#[test]
#[ignore = "long: run it with optimisation"]
fn large_shapes_need_no_more_executions_than_in_the_thesis() {
    check(&shapes::fib(5), [218_243, 46_830, 46_829, UNCHECKED]);
    check(&shapes::dining(7), [205_161, 205_120, 2, UNCHECKED]);
    check(&shapes::lock(5), [113_400, 113_400, 34, 39]);
    check(&shapes::pi(7), [5040, 5040, 5040, 5040]);
}

/// Szymanski, Updater and Synthetic have our own sources: besides the figures of the thesis, the
/// order of its columns must hold, and a regular net never needs more executions than traces.
#[test]
fn shapes_with_our_own_sources_need_fewer_executions_from_net_to_net() {
    let szymanski = [65_138, 56_487, 46_679, 50_264];
    let updater = [33_269, 33_269, 12_259, 13_586];
    let synthetic = [915, 762, 62, 68];
    let rows = [
        (shapes::szymanski(1), szymanski),
        (shapes::szymanski(3), szymanski),
        (shapes::updater(3, 1, false), updater),
        (shapes::updater(3, 1, true), updater),
        (shapes::synthetic(1, 3, 4), synthetic),
        (shapes::synthetic(2, 3, 4), synthetic),
    ];
    for (program, limits) in &rows {
        check(program, *limits);
        let executions = |name| explore(name, program, 0).statistics.executions;
        let columns = ["optimal", "unfolding", "contextual", "stateful"].map(executions);
        assert!(columns.is_sorted_by(|a, b| a >= b), "{}: {columns:?}", program.name());
        assert!(columns[0] > columns[3], "{}: {columns:?}", program.name());
    }
}

#[test]
fn averages_over_seeds_stay_below_the_thesis_and_events_are_the_same() {
    // Regular and contextual.
    let rows = [
        (shapes::dining(4), [798, 798]),
        (shapes::lock(4), [2520, 2520]),
        (shapes::pi(6), [720, 720]),
        (shapes::pairs(4), [8, 8]),
        (shapes::filesystem(16), [3, 3]),
        (shapes::szymanski(1), [707, 707]),
        (shapes::updater(2, 1, true), [33_504, 33_504]),
        (shapes::synthetic(2, 3, 4), [915, 762]),
    ];
    for (program, limits) in &rows {
        for (name, limit) in ["unfolding", "contextual"].into_iter().zip(limits) {
            let runs: Vec<_> =
                (1..=10).map(|seed| explore(name, program, seed).statistics).collect();
            let sum: u64 = runs.iter().map(|run| run.executions).sum();
            assert!(sum <= 10 * limit, "{name} on {}: {sum} in ten runs", program.name());
            let events = explore(name, program, 0).statistics.events;
            assert!(runs.iter().all(|run| run.events == events), "{name} on {}", program.name());
        }
    }
}

#[test]
fn the_deadlocks_of_dining_are_all_found_though_no_execution_meets_them() {
    for philosophers in 2..=5 {
        let program = shapes::dining(philosophers);
        let messages = |name| {
            let result = explore(name, &program, 0);
            let mut messages: Vec<String> =
                result.findings.iter().map(|found| found.finding.message.clone()).collect();
            messages.sort();
            messages
        };
        let expected = messages("optimal");
        for name in ["unfolding", "contextual", "stateful", "stateful-naive"] {
            assert_eq!(messages(name), expected, "{name}");
        }
    }
}

#[test]
fn a_stopped_exploration_goes_on_with_the_same_totals() {
    let program = shapes::dining(4);
    for name in ["unfolding", "contextual", "stateful", "stateful-naive"] {
        let entry = explorer(name).expect("the explorer is in the table");
        let whole = explore(name, &program, 0);
        let (mut executions, mut events, mut deadlocks) = (0, 0, 0);
        let mut findings = std::collections::BTreeSet::new();
        let mut unit = Some(WorkUnit::whole());
        let mut parts = 0;
        while let Some(left) = unit {
            let limits = Limits { executions: Some(1 + 150 * parts), ..Limits::default() };
            let mut seen = common::Seen::default();
            let part = common::explore_unit(entry, &program, left, limits, &mut seen);
            assert_eq!(part.bounds.is_empty(), part.unexplored.is_none(), "{name}");
            executions += part.statistics.executions;
            events += part.statistics.events;
            deadlocks += part.statistics.deadlocks;
            findings.extend(part.findings.into_iter().map(|found| found.finding.message));
            unit = part.unexplored;
            parts += 1;
        }
        assert!(parts > 1, "{name}");
        let expected = &whole.statistics;
        assert_eq!((executions, events), (expected.executions, expected.events), "{name}");
        assert_eq!(deadlocks, expected.deadlocks, "{name}");
        let all = whole.findings.into_iter().map(|found| found.finding.message).collect();
        assert_eq!(findings, all, "{name}");
    }
}

#[test]
fn runs_that_cannot_go_back_give_the_same_net() {
    for name in ["unfolding", "contextual", "stateful", "stateful-naive"] {
        let there = explore(name, &shapes::fib(2), 0).statistics;
        let anew = explore(name, &shapes::fib(2).no_rewind(), 0).statistics;
        assert_eq!(there, anew, "{name}");
    }
}
