//! Pools, futures and blocking queues: all that the program can tell, and nothing that the JDK's own
//! code does not show.

use crate::common;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use common::{Programs, endings as explore};
use counterpoint_jvm::{JavaProgram, Options};
use counterpoint_model::{FindingKind, Program, Verdict};

fn programs() -> &'static Programs {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    PROGRAMS.get_or_init(|| Programs::compile(&["pools"]))
}

fn program(case: &str, options: Options) -> JavaProgram {
    programs().load_with(&format!("Pools {case}"), options)
}

/// Programs and all that can come of them.
const CASES: &[(&str, &[&str])] = &[
    ("results", &["Complete 42"]),
    ("lost-update", &["Complete 1", "Complete 2"]),
    ("await", &["Complete ended 2", "Complete late"]),
    ("all", &["Complete 3 false"]),
    ("any", &["Complete 1", "Complete 2"]),
    ("single", &["Complete 2"]),
    ("order", &["Complete ab", "Complete ba"]),
    ("timeout", &["Complete 7", "Complete late true"]),
    (
        "cancel",
        &[
            "Complete false result 1",
            "Complete true cancelled 0",
            "Complete true cancelled 1",
            "Complete true cancelled 2",
        ],
    ),
    (
        "stop",
        &[
            "Complete 0 left, interrupted 0",
            "Complete 0 left, interrupted 1",
            "Complete 1 left, interrupted 0",
            "Complete 1 left, interrupted 1",
        ],
    ),
    ("rejected", &["Complete accepted", "Complete rejected"]),
    ("caller-runs", &["Complete 0", "Complete 1"]),
    ("failing", &["Complete no"]),
    // The second is scheduled after the first has been run, if the main thread is slow.
    ("scheduled", &["Complete latesoon", "Complete soonlate"]),
    ("completion", &["Complete ab", "Complete ba"]),
    ("polling", &["Complete 4"]),
    ("interrupted-take", &["Complete interrupted, left 1", "Complete took 1"]),
    ("bounded", &["Complete 0"]),
    ("starved", &["Deadlock "]),
    ("factory", &["Complete worker-1 worker-2"]),
    ("hooks", &["Complete 1 true"]),
    ("walk", &["Complete [1, 2] [2]", "Complete [2] [2]"]),
    (
        "shutdown-race",
        &[
            "Complete [0] accepted [0.1] 0",
            "Complete [0] accepted [0.1] 1",
            "Complete [0] rejected [0.1] 0",
        ],
    ),
    ("cached", &["Complete false", "Complete true"]),
    ("interrupted-get", &["Complete got 5", "Complete interrupted"]),
];

/// Programs with too many interleavings of operations to list them all.
const MANY: &[&str] = &["any", "bounded", "completion", "interrupted-take"];

#[test]
fn all_that_can_come_of_a_program_with_a_pool_is_found_in_few_executions() {
    for (case, wanted) in CASES {
        let wanted: BTreeSet<String> = wanted.iter().map(|text| text.to_string()).collect();
        let program = program(case, Options::default());
        let (result, seen) = explore("optimal", &program, Some(500));
        assert_eq!(result.unexplored, None, "{case}");
        assert_eq!((seen, result.statistics.abandoned), (wanted.clone(), 0), "{case}");
        let (other, seen) = explore("dpor", &program, None);
        assert_eq!((seen, other.verdict()), (wanted, result.verdict()), "{case}");
    }
}

#[test]
#[ignore = "long"]
fn every_interleaving_of_a_program_with_a_pool_shows_the_same() {
    for (case, wanted) in CASES.iter().filter(|(case, _)| !MANY.contains(case)) {
        let wanted: BTreeSet<String> = wanted.iter().map(|text| text.to_string()).collect();
        let program = program(case, Options::default());
        let verdict = explore("optimal", &program, Some(500)).0.verdict();
        for other in ["exhaustive", "race-flip"] {
            let (result, seen) = explore(other, &program, None);
            assert_eq!((&seen, result.verdict()), (&wanted, verdict.clone()), "{other}: {case}");
        }
    }
}

#[test]
fn the_jdks_own_code_shows_nothing_else() {
    let options = Options { real_locks: true, ..Options::default() };
    for (case, wanted) in CASES {
        let (_, seen) = explore("random", &program(case, options.clone()), Some(150));
        let others: Vec<_> = seen.iter().filter(|seen| !wanted.contains(&seen.as_str())).collect();
        assert!(others.is_empty(), "{case}: {others:?}");
    }
}

#[test]
fn pools_tell_how_busy_they_are() {
    let cases: [(&str, &[&str]); 2] = [
        (
            "PoolCounts busy",
            &[
                "Complete 0 active, 0 completed",
                "Complete 0 active, 1 completed",
                "Complete 1 active, 0 completed",
                "Complete 1 active, 1 completed",
            ],
        ),
        ("PoolCounts ended", &["Complete 1 of 1, active 0", "Complete late"]),
    ];
    for (command, wanted) in cases {
        let program = programs().load_with(command, Options::default());
        let (result, seen) = explore("optimal", &program, Some(20_000));
        assert_eq!(result.unexplored, None, "{command}");
        assert_eq!(seen, wanted.iter().map(|text| text.to_string()).collect(), "{command}");
    }
}

/// A JVM does not end while a thread of a pool waits for tasks, unless it is a daemon or its time is up.
#[test]
fn threads_left_waiting_for_tasks_are_no_deadlock_but_are_told_of() {
    let rows = [
        ("fixed", true),
        ("stopped", false),
        ("daemons", false),
        ("cached", false),
        ("exit", false),
    ];
    for real_locks in [false, true] {
        for (case, left) in rows {
            let options = Options { real_locks, ..JavaProgram::options() };
            let program = programs().load_with(&format!("PoolLeft {case}"), options);
            let (result, _) = explore("optimal", &program, Some(50));
            assert_eq!(result.statistics.deadlocks, 0, "{case}");
            let told = program.assumptions().iter().any(|text| text.contains("pools and timers"));
            assert_eq!(told, left, "{case}, real locks: {real_locks}");
        }
    }
}

#[test]
fn a_pool_that_waits_for_itself_is_a_deadlock_that_names_the_futures() {
    let (result, _) = explore("optimal", &program("starved", Options::default()), None);
    assert_eq!(result.verdict(), Verdict::Bug);
    let finding = &result.findings[0].finding;
    assert_eq!(finding.kind, FindingKind::Deadlock);
    let waits = "main waits for the result of task#1; pool-1-thread-1 waits for the result of";
    assert!(finding.message.starts_with(waits), "{}", finding.message);
}
