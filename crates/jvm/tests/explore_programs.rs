//! Java programs under the explorers: the counts of the reference table, and classic bugs.

use crate::common;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

use common::{Programs, explore_all_properties};
use counterpoint_explore::Exploration;
use counterpoint_jvm::{JavaProgram, Target};
use counterpoint_model::{Choice, End, FindingKind, Pid, Program, Run, Verdict};

/// The classes of `tests/explore`, compiled once.
fn programs() -> &'static Programs {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    PROGRAMS.get_or_init(|| Programs::compile(&["explore"]))
}

fn program(main: &str, arguments: &[&str]) -> JavaProgram {
    let command = [&[main], arguments].concat().join(" ");
    programs().load_with(&command, JavaProgram::options())
}

fn explore(name: &str, main: &str, arguments: &[&str]) -> (Exploration, BTreeSet<String>) {
    common::explore(name, &program(main, arguments), 1)
}

/// Executions and deadlocks of the optimal explorer, and that the others see the same outcomes.
fn check_count(main: &str, arguments: &[&str], executions: u64, deadlocks: u64) {
    let (result, outcomes) = explore("optimal", main, arguments);
    let counts = (result.statistics.executions, result.statistics.deadlocks);
    assert_eq!(counts, (executions, deadlocks), "{main} {arguments:?}");
    assert_eq!(result.statistics.abandoned, 0, "{main} {arguments:?}");
    for other in ["dpor", "race-flip"] {
        let (result, others) = explore(other, main, arguments);
        assert!(result.statistics.executions >= executions, "{other}: {main} {arguments:?}");
        assert_eq!(others, outcomes, "{other}: {main} {arguments:?}");
        assert_eq!(result.statistics.deadlocks > 0, deadlocks > 0, "{other}: {main}");
    }
}

/// Who is blocked by the holder of a lock could not have come before one that only found it busy.
#[test]
fn a_lock_is_tried_beside_a_deadlock() {
    let (known, wanted) = explore("dpor", "TriedLock", &[]);
    assert!(known.statistics.deadlocks > 0 && known.bounds.is_empty());
    let (result, outcomes) = explore("optimal", "TriedLock", &[]);
    assert_eq!(outcomes, wanted);
    assert_eq!(result.bounds.len(), 0, "{:?}", result.bounds);
}

#[test]
fn counts_are_those_of_the_reference_table() {
    check_count("Fib", &["1"], 11, 0);
    check_count("Fib", &["2"], 140, 0);
    check_count("Fib", &["3"], 1698, 0);
    check_count("Sections", &["2", "2"], 6, 0);
    check_count("Sections", &["2", "2", "2"], 90, 0);
    check_count("Account", &["2", "2"], 6, 0);
    check_count("Account", &["2", "2", "2"], 90, 0);
    check_count("Dining", &["2"], 11, 5);
    check_count("Dining", &["3"], 106, 16);
    check_count("Sections", &["1", "1", "1", "1"], 24, 0);
    check_count("LastZero", &["5"], 64, 0);
    check_count("Filesystem", &["14"], 2, 0);
    check_count("Filesystem", &["16"], 8, 0);
}

#[test]
fn locks_of_the_library_count_like_monitors() {
    check_count("Locks", &["2", "2"], 6, 0);
    check_count("Locks", &["2", "2", "2"], 90, 0);
    check_count("Locks", &["1", "1", "1", "1"], 24, 0);
    check_count("DiningLocks", &["2"], 11, 5);
    check_count("DiningLocks", &["3"], 106, 16);
    check_count("Counters", &["3"], 6, 0);
}

#[test]
fn trying_to_take_a_lock_succeeds_or_fails() {
    let mut seen = Vec::new();
    for name in ["exhaustive", "optimal", "dpor", "race-flip"] {
        let (result, outcomes) = explore(name, "TryLock", &[]);
        assert_eq!(result.verdict(), Verdict::Ok, "{name}");
        seen.push(outcomes);
    }
    assert_eq!(seen[0].len(), 3, "{seen:?}");
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
}

/// The kinds, messages, files and lines of findings.
fn findings(result: &Exploration) -> Vec<(FindingKind, String, String)> {
    result
        .findings
        .iter()
        .map(|found| {
            let finding = &found.finding;
            let places = finding.places.iter().map(ToString::to_string).collect::<Vec<_>>();
            (finding.kind, finding.message.clone(), places.join(" "))
        })
        .collect()
}

#[test]
fn a_lost_update_is_found_and_its_repair_is_proved() {
    for name in ["optimal", "dpor", "race-flip"] {
        let (result, outcomes) = explore(name, "LostUpdate", &[]);
        let message = "java.lang.AssertionError: lost update".to_string();
        let wanted = (FindingKind::Assertion, message, "LostUpdate.java:27".to_string());
        assert_eq!(findings(&result), [wanted], "{name}");
        assert_eq!(outcomes.len(), 2, "{name}: {outcomes:?}");
        let (result, outcomes) = explore(name, "LostUpdate", &["safe"]);
        assert_eq!(result.verdict(), Verdict::Ok, "{name}");
        assert_eq!(outcomes, BTreeSet::from(["value 2\n".to_string()]), "{name}");
    }
    let result = explore_all_properties("optimal", &program("LostUpdate", &[]));
    assert!(findings(&result).iter().any(|finding| finding.0 == FindingKind::Race));
    let result = explore_all_properties("optimal", &program("LostUpdate", &["safe"]));
    assert_eq!(findings(&result), []);
}

#[test]
fn locks_in_different_orders_deadlock() {
    let (result, _) = explore("optimal", "LockOrder", &[]);
    let [found] = &result.findings[..] else { panic!("{:?}", result.findings) };
    assert_eq!(found.finding.kind, FindingKind::Deadlock);
    let waiting: Vec<_> = found.finding.waiting.iter().map(|waiting| &waiting.what).collect();
    assert_eq!(waiting, ["the lock of LockOrder.right", "the lock of LockOrder.left"]);
    assert!(found.finding.waiting.iter().all(|waiting| waiting.whom.len() == 1));
    assert_eq!(findings(&result)[0].2, "LockOrder.java:8 LockOrder.java:8");
    let (result, _) = explore("optimal", "LockOrder", &["ordered"]);
    assert_eq!((result.verdict(), result.statistics.executions), (Verdict::Ok, 2));
}

/// What other threads do after an exit could have come before it.
#[test]
fn an_exit_does_not_hide_what_could_have_happened_instead() {
    for name in ["exhaustive", "optimal", "dpor", "race-flip", "unfolding", "contextual"] {
        let (result, _) = explore(name, "Exits", &[]);
        let found: Vec<_> = findings(&result).into_iter().map(|f| (f.0, f.2)).collect();
        assert_eq!(found, [(FindingKind::Assertion, "Exits.java:14".to_string())], "{name}");
    }
}

#[test]
fn a_missed_notification_is_a_deadlock() {
    for name in ["optimal", "dpor", "race-flip"] {
        let (result, outcomes) = explore(name, "MissedNotify", &[]);
        let kinds: Vec<_> = findings(&result).into_iter().map(|finding| finding.0).collect();
        assert_eq!(kinds, [FindingKind::Deadlock], "{name}");
        assert_eq!(outcomes.len(), 2, "{name}");
        let waiting = &result.findings[0].finding.waiting;
        assert!(waiting[0].what.starts_with("a notification on MissedNotify#"), "{waiting:?}");
        let (result, outcomes) = explore(name, "MissedNotify", &["careful"]);
        assert_eq!(result.verdict(), Verdict::Ok, "{name}");
        assert_eq!(outcomes, BTreeSet::from(["ready\n".to_string()]), "{name}");
    }
}

#[test]
fn looking_before_acting_is_not_enough() {
    let (result, _) = explore("optimal", "CheckThenAct", &[]);
    let message = "java.lang.IllegalStateException: nothing left".to_string();
    let place = "CheckThenAct.java:11".to_string();
    assert_eq!(findings(&result), [(FindingKind::Exception, message, place)]);
    let (result, _) = explore("optimal", "CheckThenAct", &["careful"]);
    assert_eq!(result.verdict(), Verdict::Ok);
}

#[test]
fn whom_a_notification_wakes_is_explored() {
    let mut seen = Vec::new();
    for name in ["optimal", "dpor", "race-flip"] {
        let (_, outcomes) = explore(name, "Waiters", &["x", "y"]);
        assert!(outcomes.contains("xy\n") && outcomes.contains("yx\n"), "{name}: {outcomes:?}");
        seen.push(outcomes);
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
}

#[test]
fn class_initialisation_is_explored_and_can_deadlock() {
    let mut seen = Vec::new();
    for name in ["exhaustive", "optimal", "dpor", "race-flip"] {
        let (result, outcomes) = explore(name, "Lazy", &[]);
        assert_eq!(result.verdict(), Verdict::Ok, "{name}");
        assert_eq!(outcomes.len(), 1, "{name}: {outcomes:?}");
        let (result, outcomes) = explore(name, "Lazy", &["cycle"]);
        let deadlocks = result.statistics.deadlocks;
        assert!(deadlocks > 0 && deadlocks < result.statistics.executions, "{name}");
        seen.push(outcomes);
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
}

#[test]
fn failures_say_what_and_where() {
    let rows = [
        ("main", FindingKind::Exception, "java.lang.IllegalStateException: early", 11),
        ("first", FindingKind::Exception, "java.lang.IllegalStateException: at once", 18),
        ("assert", FindingKind::Assertion, "java.lang.AssertionError", 22),
        ("exit", FindingKind::Exit, "System.exit(3)", 27),
        ("synchronized", FindingKind::Exception, "java.lang.IllegalArgumentException: bad", 6),
    ];
    for (argument, kind, message, line) in rows {
        for name in ["optimal", "dpor", "race-flip"] {
            let (result, _) = explore(name, "Failures", &[argument]);
            let place = format!("Failures.java:{line}");
            let wanted = (kind, message.to_string(), place);
            assert_eq!(findings(&result), [wanted], "{name}: {argument}");
        }
    }
    let (result, _) = explore("optimal", "Failures", &["thread"]);
    let [finding] = &findings(&result)[..] else { panic!("one finding") };
    assert!(finding.1.starts_with("java.lang.NullPointerException"), "{finding:?}");
    assert_eq!(finding.2, "Failures.java:15");
    for name in ["exhaustive", "optimal", "dpor", "race-flip", "unfolding", "contextual"] {
        let (result, _) = explore(name, "Failures", &["both"]);
        let lines: BTreeSet<String> = findings(&result).into_iter().map(|f| f.2).collect();
        let both = ["Failures.java:40", "Failures.java:42"].map(str::to_string);
        assert_eq!(lines, BTreeSet::from(both), "{name}");
    }
    let (result, outcomes) = explore("optimal", "Failures", &["nothing"]);
    assert_eq!((result.verdict(), result.statistics.executions), (Verdict::Ok, 1));
    assert_eq!(outcomes, BTreeSet::from(["nothing happened\n".to_string()]));
}

#[test]
fn a_wait_with_a_time_limit_ends_woken_or_not() {
    for name in ["exhaustive", "optimal", "dpor", "race-flip"] {
        let (result, outcomes) = explore(name, "Timed", &[]);
        assert_eq!(result.verdict(), Verdict::Ok, "{name}");
        let both = BTreeSet::from(["true\n".to_string(), "false\n".to_string()]);
        assert_eq!(outcomes, both, "{name}");
    }
}

#[test]
fn idle_threads_of_a_pool_are_no_deadlock() {
    let program = program("Pool", &[]);
    let mut run = program.start(&[]);
    let ready =
        |run: &dyn Run| (0..run.processes()).map(Pid).find(|process| run.next(*process).is_ready());
    while let Some(process) = ready(&*run) {
        run.step(Choice::of(process));
    }
    assert_eq!((run.end(), run.outcome()), (End::Complete, Some("42\n".to_string())));
}

#[test]
fn steps_are_told_with_names_and_values() {
    let program = program("LostUpdate", &[]);
    let mut run = program.start(&[]);
    let mut story = Vec::new();
    for process in [0, 0, 1, 2, 2, 1, 0, 0, 0] {
        run.step(Choice::of(Pid(process)));
        story.push(run.explain().text);
    }
    let story: Vec<&str> = story.iter().map(String::as_str).collect();
    let name = "LostUpdate#1.value";
    assert_eq!(story[2], format!("reads {name} = 0"));
    assert_eq!(story[0], "starts Thread-0");
    assert_eq!(story[4], format!("{name} = 1 (was 0)"));
    assert_eq!(story[5], format!("{name} = 1 (was 1)"));
    assert_eq!(story[7], "joins Thread-1");
    assert_eq!(run.explain().output, "value 1\n");
}

#[test]
fn sources_are_compiled_and_shown_from_where_the_user_is() {
    let named = "tests/explore/LostUpdate.java";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(named);
    let target = Target { paths: vec![path], ..Target::default() };
    let program = JavaProgram::load(&target).expect("it compiles");
    let (result, _) = common::explore("optimal", &program, 1);
    assert_eq!(findings(&result)[0].2, format!("{named}:27"));
    assert_eq!(program.process_name(Pid(1)), "Thread-0");
    assert_ne!(program.fingerprint(), self::program("LostUpdate", &["safe"]).fingerprint());
}

/// The same outcomes whatever the explorer, and how many executions the optimal one needs.
fn check_outcomes(main: &str, argument: &str, executions: u64, wanted: &[&str]) -> Exploration {
    let wanted: BTreeSet<String> = wanted.iter().map(|text| text.to_string()).collect();
    let mut first = None;
    for name in ["optimal", "exhaustive", "dpor", "race-flip"] {
        let (result, outcomes) = explore(name, main, &[argument]);
        assert_eq!(outcomes, wanted, "{name}: {main} {argument}");
        first.get_or_insert(result);
    }
    let result = first.expect("the result of the optimal explorer");
    let counts = (result.statistics.executions, result.statistics.abandoned);
    assert_eq!(counts, (executions, 0), "{main} {argument}");
    result
}

#[test]
fn a_loop_that_only_looks_waits_for_a_change() {
    // The flag is found set at once, or not and then set.
    check_outcomes("Spinning", "flag", 2, &["42\n"]);
    check_outcomes("Spinning", "polled", 2, &["42\n"]);
    check_outcomes("Spinning", "alive", 2, &["42\n"]);
    check_outcomes("Spinning", "joined", 3, &["42\n"]);
    check_outcomes("Spinning", "waited", 3, &["42\n"]);
    // Whoever is second finds the lock free at once, or taken and then free.
    check_outcomes("Spinning", "swap", 4, &["2\n"]);
    check_outcomes("Spinning", "try", 4, &["2\n"]);
    check_outcomes("Spinning", "peterson", 12, &["2\n"]);
}

#[test]
fn a_loop_that_looks_for_ever_is_a_deadlock() {
    let result = check_outcomes("Spinning", "never", 1, &[""]);
    let [found] = &result.findings[..] else { panic!("{:?}", result.findings) };
    assert_eq!(found.finding.kind, FindingKind::Deadlock);
    let what = &found.finding.waiting[0].what;
    assert_eq!(what, "a change of Spinning.ready, which it reads in a loop");
    assert_eq!(findings(&result)[0].2, "Spinning.java:37");
}

#[test]
fn sleeping_and_joining_threads_can_be_interrupted() {
    check_outcomes("Interrupted", "sleep", 2, &["slept\n", "woken false\n"]);
    let (_, outcomes) = explore("optimal", "Interrupted", &["join"]);
    // The second join may be interrupted, too: who has interrupted has not ended yet.
    let ends = ["joined\n", "interrupted\n", ""].map(str::to_string);
    assert_eq!(outcomes, BTreeSet::from(ends));
    for name in ["exhaustive", "dpor", "race-flip"] {
        assert_eq!(explore(name, "Interrupted", &["join"]).1, outcomes, "{name}");
    }
    let (_, outcomes) = explore("optimal", "Interrupted", &["timed"]);
    assert_eq!(outcomes, BTreeSet::from(["late\n", "ended\n"].map(str::to_string)));
    check_outcomes("Interrupted", "self", 1, &["woken\n"]);
}

#[test]
fn small_pools_are_explored_to_the_end() {
    for (argument, output) in [("one", "1\n"), ("completable", "7\n")] {
        let (result, outcomes) = explore("optimal", "Pools", &[argument]);
        assert_eq!(result.verdict(), Verdict::Ok, "{argument}");
        assert_eq!(outcomes, BTreeSet::from([output.to_string()]), "{argument}");
    }
}

#[test]
fn everyday_uses_of_the_library_are_explored_to_the_end() {
    let rows: [(&str, &[&str]); 9] = [
        ("queue", &["3\n"]),
        ("compute", &["{k=1} 1\n"]),
        ("stack", &["3\n"]),
        ("phaser", &["3\n"]),
        ("timer", &["fired\n"]),
        ("scheduled", &["7\n"]),
        ("snapshot", &["3\n", "6\n"]),
        ("optimistic", &["consistent\n"]),
        ("poll", &["1\n", "null\n"]),
    ];
    for (argument, wanted) in rows {
        let (result, outcomes) = explore("optimal", "LibraryUse", &[argument]);
        assert_eq!(result.verdict(), Verdict::Ok, "{argument}: {:?}", result.findings);
        let wanted: BTreeSet<String> = wanted.iter().map(|text| text.to_string()).collect();
        assert_eq!(outcomes, wanted, "{argument}");
    }
}
