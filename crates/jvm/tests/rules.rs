//! What the language leaves open is explored where a program can tell, and only there: who
//! initialises a class, waking up for no reason, what another thread is seen to be doing, and what runs
//! when the program has ended.

use crate::common;

use std::sync::OnceLock;

use common::{Programs, endings};
use counterpoint_explore::Exploration;
use counterpoint_jvm::Options;

fn explore(name: &str, case: &str, spurious: bool) -> (Exploration, Vec<String>) {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    let programs = PROGRAMS.get_or_init(|| Programs::compile(&["rules"]));
    let options = Options { spurious, ..Options::default() };
    let program = programs.load_with(&format!("Rules {case}"), options);
    let (result, seen) = endings(name, &program, None);
    assert_eq!(result.unexplored, None, "{name}: {case}");
    (result, seen.into_iter().collect())
}

/// Every explorer sees this; the optimal one in so many executions.
fn check(case: &str, spurious: bool, executions: u64, outcomes: &[&str]) {
    let (result, seen) = explore("optimal", case, spurious);
    assert_eq!(seen, outcomes, "{case}");
    assert_eq!(result.statistics.executions, executions, "{case}");
    for other in ["exhaustive", "dpor", "race-flip"] {
        assert_eq!(explore(other, case, spurious).1, outcomes, "{other}: {case}");
    }
}

#[test]
fn nobody_can_tell_who_has_run_an_initialiser_that_only_makes_constants() {
    // Two critical sections, and nothing else that could be swapped.
    check("numbers", false, 2, &["Complete 7 -1"]);
    check("assertions", false, 1, &["Complete "]);
    check("enumeration", false, 1, &["Complete "]);
}

#[test]
fn other_initialisers_run_when_the_class_is_first_used() {
    check("looking", false, 2, &["Complete 0", "Complete 1"]);
    check("failing", false, 1, &["Complete NegativeArraySizeException"]);
    let (_, seen) = explore("optimal", "cycle", false);
    assert!(seen.contains(&"Deadlock ".to_string()), "{seen:?}");
    assert!(seen.contains(&"Complete [0] 1 [0.0] 2".to_string()), "{seen:?}");
}

#[test]
fn threads_wake_up_for_no_reason_only_if_asked_to() {
    for case in ["wait", "await"] {
        check(case, false, 1, &["Complete true"]);
        let (_, seen) = explore("optimal", case, true);
        assert_eq!(seen, ["Complete false", "Complete true"], "{case}");
        assert_eq!(explore("exhaustive", case, true).1, seen, "{case}");
    }
    let (_, seen) = explore("optimal", "park", false);
    assert_eq!(seen, ["Complete 1"]);
    let (_, seen) = explore("optimal", "park", true);
    assert_eq!(seen, ["Complete 0", "Complete 1"]);
    // A loop around the wait makes up for it.
    let (_, seen) = explore("optimal", "wait-in-loop", true);
    assert_eq!(seen, ["Complete true"]);
}

#[test]
fn states_of_threads_change_with_what_they_do() {
    let programs = Programs::compile(&["states"]);
    let check = |case: &str, outcomes: &[&str]| {
        for name in ["optimal", "exhaustive", "dpor", "race-flip"] {
            let program = programs.load_with(&format!("States {case}"), Options::default());
            let (result, seen) = endings(name, &program, None);
            assert_eq!(result.unexplored, None, "{name}: {case}");
            assert_eq!(seen.into_iter().collect::<Vec<_>>(), outcomes, "{name}: {case}");
        }
    };
    check("life", &["Complete NEW 1 TERMINATED"]);
    for case in ["wait", "monitor", "lock", "semaphore", "latch", "park", "join"] {
        check(case, &["Complete TERMINATED"]);
    }
    check("reacquire", &["Complete BLOCKED TERMINATED"]);
    check("queue", &["Complete [0] TERMINATED[0.0] InterruptedException"]);
    check(
        "sleep",
        &[
            "Complete [0] false TERMINATED[0.0] InterruptedException",
            "Complete [0] true TERMINATED[0.0] InterruptedException",
            "Complete false TERMINATED",
            "Complete true TERMINATED",
        ],
    );
    check("writer", &["Complete RUNNABLE TERMINATED", "Complete TERMINATED TERMINATED"]);
}

#[test]
fn what_is_done_to_a_thread_may_come_before_its_start() {
    let programs = Programs::compile(&["beginnings"]);
    let check = |case: &str, outcomes: &[&str]| {
        for name in ["optimal", "exhaustive", "dpor", "race-flip"] {
            let program = programs.load_with(&format!("Beginnings {case}"), Options::default());
            let (result, seen) = endings(name, &program, None);
            assert_eq!(result.unexplored, None, "{name}: {case}");
            assert_eq!(seen.into_iter().collect::<Vec<_>>(), outcomes, "{name}: {case}");
        }
    };
    let numbers = ["Complete 0", "Complete 1"];
    let truths = ["Complete false", "Complete true"];
    check("join", &numbers);
    check("timed-join", &numbers);
    for case in ["alive", "state", "interrupted", "interrupt"] {
        check(case, &truths);
    }
    check("until-alive", &["Complete started"]);
    check("unpark", &["Complete ", "Deadlock "]);
    check("twice", &["Complete [0] too late[0.0] first", "Complete second"]);
    check("cycle", &["Complete ", "Deadlock "]);
}

#[test]
fn shutdown_hooks_run_when_all_other_threads_have_ended_or_somebody_exits() {
    let programs = Programs::compile(&["rules"]);
    let check = |case: &str, outcomes: &[&str]| {
        // Every interleaving of the library's own ending is too much.
        for name in ["optimal", "dpor", "race-flip"] {
            let program = programs.load_with(&format!("Hooks {case}"), Options::default());
            let (result, seen) = endings(name, &program, None);
            assert_eq!(result.unexplored, None, "{name}: {case}");
            assert_eq!(seen.into_iter().collect::<Vec<_>>(), outcomes, "{name}: {case}");
        }
    };
    check("end", &["Complete 3"]);
    check("together", &["Complete [0.0.0] 1 [0.0.1] 2", "Complete [0.0.0] 2 [0.0.1] 1"]);
    check("failure", &["Complete hook"]);
    // The hook runs beside the thread that has not ended.
    check("exit", &["Complete 1", "Complete 2"]);
    check("halt", &["Complete "]);
    check("removed", &["Complete true"]);
    check("too-late", &["Complete too late"]);
    check("daemon", &["Complete hook"]);
}
