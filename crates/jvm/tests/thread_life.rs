//! Threads as Java has them: beginning, end, monitor of `run`, groups, handlers, clocks.

use crate::common;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use common::{Programs, endings};
use counterpoint_explore::Exploration;
use counterpoint_model::FindingKind;

fn kinds(result: &Exploration) -> BTreeSet<FindingKind> {
    result.findings.iter().map(|found| found.finding.kind).collect()
}

/// Every explorer finds these outcomes and kinds of failures.
fn check_kinds(case: &str, wanted: &[FindingKind], outcomes: &[&str]) -> Exploration {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    let programs = PROGRAMS.get_or_init(|| Programs::compile(&["life"]));
    let program = programs.load(&format!("Life {case}"));
    let wanted: BTreeSet<FindingKind> = wanted.iter().copied().collect();
    let (result, seen) = endings("optimal", &program, None);
    assert_eq!(result.unexplored, None, "{case}");
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), outcomes, "{case}");
    assert_eq!(kinds(&result), wanted, "{case}: {:?}", result.findings);
    for other in ["exhaustive", "dpor", "race-flip"] {
        let (others, seen) = endings(other, &program, None);
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), outcomes, "{other}: {case}");
        assert_eq!(kinds(&others), wanted, "{other}: {case}");
    }
    for net in ["unfolding", "contextual", "stateful"] {
        assert_eq!(kinds(&endings(net, &program, None).0), wanted, "{net}: {case}");
    }
    result
}

fn check(case: &str, outcomes: &[&str]) -> Exploration {
    check_kinds(case, &[], outcomes)
}

const TRUTHS: &[&str] = &["Complete false", "Complete true"];

#[test]
fn the_end_of_a_thread_is_noticed_by_who_asks() {
    check("alive", TRUTHS);
    check("alive-after-last", &["Complete ", "Complete false", "Complete true"]);
    // What is seen of the end is not earlier than what came before it.
    check("alive-after-timed-join", &["Complete false 1", "Complete true 0", "Complete true 1"]);
    check("main-alive", TRUTHS);
}

#[test]
fn an_end_that_is_only_waited_for_adds_no_execution() {
    let result = check("not-asked", &["Complete 1"]);
    assert_eq!(result.statistics.executions, 1);
}

#[test]
fn a_thread_is_runnable_until_it_waits() {
    check("state", &["Complete RUNNABLE", "Complete TERMINATED"]);
    check("state-before-monitor", &["Complete BLOCKED", "Complete RUNNABLE"]);
    check(
        "state-before-sleep",
        &["Complete RUNNABLE", "Complete TERMINATED", "Complete TIMED_WAITING"],
    );
}

#[test]
fn a_group_has_its_threads_from_their_start_to_their_end() {
    check("group", &["Complete 0 0 0", "Complete 0 1 0"]);
    check(
        "enumerate",
        &[
            "Complete 0 0",
            "Complete 1 one 0",
            "Complete 1 one 1",
            "Complete 1 two 0",
            "Complete 2 one two 0",
            "Complete 2 one two 1",
        ],
    );
    check("group-of-ended", TRUTHS);
    check("wait-for-group", &["Complete empty"]);
}

#[test]
fn a_synchronized_run_has_the_monitor_of_its_thread() {
    check("monitor-of-run", &["Complete 1"]);
    check("monitor-excludes", &["Complete 1 2", "Complete 2 2"]);
    check_kinds("monitor-deadlock", &[FindingKind::Deadlock], &["Complete 2", "Deadlock "]);
    check("waits-in-run", &["Complete 1"]);
    check("monitor-held-at-start", &["Complete 0 1"]);
}

#[test]
fn handlers_of_uncaught_exceptions_are_code_of_the_ending_thread() {
    check("handler", &["Complete broken broken", "Complete nothing broken"]);
    check("handler-of-group", &["Complete group"]);
    check("default-handler", &["Complete default"]);
    check("alive-in-handler", &["Complete ", "Complete false", "Complete true"]);
}

#[test]
fn an_exception_that_no_handler_takes_is_a_failure() {
    let exception = &[FindingKind::Exception];
    check_kinds("no-handler", exception, &["Complete nothing"]);
    check_kinds("handler-passes-on", exception, &["Complete end"]);
    let result = check_kinds("handler-fails", exception, &["Complete end"]);
    let message = &result.findings[0].finding.message;
    assert!(message.contains("IllegalArgumentException: worse"), "{message}");
}

#[test]
fn a_wait_that_expires_has_taken_its_time() {
    let cases =
        ["latch", "semaphore", "try-lock", "queue", "wait", "join", "park", "condition", "future"];
    for case in cases {
        check(case, &["Complete late", "Complete woken"]);
    }
    check("sleep-then-join", &["Complete late"]);
    check("deadline", TRUTHS);
}

#[test]
fn a_thread_made_of_a_method_reference_is_in_the_method() {
    let result = check_kinds("method-reference", &[FindingKind::Deadlock], &["Deadlock "]);
    let places = &result.findings[0].finding.places;
    assert!(places.iter().any(|place| place.function == "ReentrantLock.lock"), "{places:?}");
}
