//! Locks, conditions, semaphores, latches and barriers as single operations: the counts that follow
//! by hand, and the same outcomes as the JDK's own code gives.

use crate::common;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use common::{Programs, endings as explore_within};
use counterpoint_explore::Exploration;
use counterpoint_jvm::{JavaProgram, Options};
use counterpoint_model::{FindingKind, Verdict};

/// The main class and its arguments, in one line.
fn program(command: &str, real_locks: bool) -> JavaProgram {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    let programs = PROGRAMS.get_or_init(|| Programs::compile(&["synchronisers"]));
    programs.load_with(command, Options { real_locks, ..Options::default() })
}

fn explore(name: &str, program: &JavaProgram) -> (Exploration, BTreeSet<String>) {
    let (result, outcomes) = explore_within(name, program, None);
    assert_eq!(result.unexplored, None, "{name}");
    (result, outcomes)
}

fn kinds(result: &Exploration) -> BTreeSet<FindingKind> {
    result.findings.iter().map(|found| found.finding.kind).collect()
}

/// Every explorer sees the same; the optimal one this many times and never in vain.
fn check(command: &str, executions: u64, outcomes: &[&str]) {
    let program = program(command, false);
    let wanted: BTreeSet<String> = outcomes.iter().map(|text| text.to_string()).collect();
    let (result, seen) = explore("optimal", &program);
    assert_eq!(seen, wanted, "{command}");
    let counts = (result.statistics.executions, result.statistics.abandoned);
    assert_eq!(counts, (executions, 0), "{command}");
    for other in ["exhaustive", "dpor", "race-flip"] {
        let (others, seen) = explore_within(other, &program, Some(40_000));
        // There can be millions of interleavings: then the first ones show nothing else.
        if others.unexplored.is_some() && other == "exhaustive" {
            assert!(seen.is_subset(&wanted), "{other}: {command}: {seen:?}");
            continue;
        }
        assert_eq!(seen, wanted, "{other}: {command}");
        assert_eq!(kinds(&others), kinds(&result), "{other}: {command}");
    }
}

/// The JDK's own code has the same outcomes and findings.
fn compare(command: &str) {
    let (single, outcomes) = explore("optimal", &program(command, false));
    let (real, others) = explore("optimal", &program(command, true));
    assert_eq!(outcomes, others, "{command}");
    assert_eq!(kinds(&single), kinds(&real), "{command}");
    assert!(single.statistics.executions <= real.statistics.executions, "{command}");
}

/// Sampled executions of the JDK's own code have no other outcomes, and among them all of them.
fn sample(command: &str) {
    let (single, outcomes) = explore("optimal", &program(command, false));
    let (real, others) = explore_within("random", &program(command, true), Some(1500));
    assert_eq!(outcomes, others, "{command}");
    assert_eq!(kinds(&single), kinds(&real), "{command}");
}

#[test]
fn the_kind_of_lock_does_not_change_the_count() {
    for kind in ["monitor", "lock", "fair", "write", "semaphore"] {
        for (sections, count) in [("2 2", 6), ("2 2 2", 90), ("1 1 1 1", 24)] {
            let command = format!("Sections {kind} {sections}");
            let (result, _) = explore("optimal", &program(&command, false));
            let counts = (result.statistics.executions, result.statistics.abandoned);
            assert_eq!((result.verdict(), counts), (Verdict::Ok, (count, 0)), "{command}");
        }
    }
}

#[test]
fn counts_follow_by_hand() {
    // Readers do not compete with each other: only the writer is before, between or after them. It also
    // begins to wait beside some of them, while each of the others has read already or comes later: in one way
    // beside one reader, in five beside two, since of the nine ways to be read before, beside or later four have nobody
    // beside.
    check("ReadersWriters read read", 1, &["Complete 0 0 0 false"]);
    check("ReadersWriters read write", 3, &["Complete 1 1 0 false"]);
    check("ReadersWriters read read write", 9, &["Complete 1 1 0 false"]);
    check("ReadersWriters read2 write2", 3, &["Complete 1 1 0 false"]);
    check("ReadersWriters upgrade", 1, &["Deadlock "]);
    check("Permits 1 pair pair", 2, &["Complete left 1"]);
    check("Permits 0 take give", 1, &["Complete took left 0"]);
    check("Permits 0 timed give", 2, &["Complete got left 0", "Complete late left 1"]);
    // However many count down or wait, the latch is passed after the last count.
    check("Latches 3 down down down", 1, &["Complete 0"]);
    check("Latches 2 await down down", 1, &["Complete [0, 1, 1] 0"]);
    check("Latches 2 await down", 1, &["Deadlock "]);
    check("Latches 1 timed down", 2, &["Complete late 0", "Complete passed 0"]);
    // The waiter comes before or after the signal.
    check("Conditions lock await signal", 2, &["Complete ready"]);
    check("Conditions write await signal", 2, &["Complete ready"]);
    // Or its time passes while the other has the lock, before the signal.
    check(
        "Conditions lock timed signal",
        4,
        &["Complete true true", "Complete false true", "Complete false false"],
    );
}

#[test]
fn what_can_be_interrupted_is() {
    let interrupted = "Complete interrupted false false";
    check("Conditions lock await only", 2, &[interrupted]);
    check("Conditions write await only", 2, &[interrupted]);
    let (result, outcomes) =
        explore("optimal", &program("Conditions lock stubborn interrupt", false));
    assert_eq!(outcomes, BTreeSet::from(["Complete ready true".to_string()]));
    assert_eq!(result.verdict(), Verdict::Ok);
}

#[test]
fn a_signal_wakes_one_waiter_and_signal_all_wakes_all() {
    let (result, outcomes) = explore("optimal", &program("TwoWaiters one", false));
    let ends = ["Complete tokens 0", "Deadlock "].map(str::to_string);
    assert_eq!(outcomes, BTreeSet::from(ends));
    let waiting = &result.findings[0].finding.waiting;
    assert_eq!(waiting[0].what, "a signal on TwoWaiters.condition");
    let (result, _) = explore("optimal", &program("TwoWaiters all", false));
    assert_eq!(result.verdict(), Verdict::Ok);
}

#[test]
fn a_barrier_is_passed_together_or_broken() {
    let (_, outcomes) = explore("optimal", &program("Barriers action", false));
    assert_eq!(outcomes, BTreeSet::from(["Complete 1 2 3 false".to_string()]));
    let (_, outcomes) = explore("optimal", &program("Barriers twice", false));
    assert_eq!(outcomes, BTreeSet::from(["Complete 3 5 0 false".to_string()]));
    let (_, outcomes) = explore("optimal", &program("Barriers interrupt", false));
    let wanted = ["Complete 1 2 0 false", "Complete interrupted broken 1 2 0 true"];
    assert_eq!(outcomes, wanted.map(str::to_string).into());
}

#[test]
fn the_library_s_own_code_has_the_same_outcomes() {
    for command in [
        "ReadersWriters read write",
        "ReadersWriters read read",
        "ReadersWriters upgrade",
        "ReadersWriters try read",
        "ReadersWriters timed write",
        "ReadersWriters forget",
        "Permits 1 pair pair",
        "Permits 2 two pair",
        "Permits 0 take give",
        "Permits 0 take give interrupt",
        "Permits 1 try drain",
        "Permits 0 timed give",
        "Permits 1 bad look",
        "Latches 1 await down",
        "Latches 2 await down down",
        "Latches 1 await interrupt down",
        "Latches 1 timed down",
        "Latches 2 look down down",
        "Latches 1 await down down",
        "Latches 2 await down",
        "Conditions lock await only",
        "Conditions lock timed only",
        "Impatient lock",
        "Impatient timed",
    ] {
        compare(command);
    }
}

#[test]
fn who_waits_may_have_left_when_a_signal_comes() {
    let timed = ["Complete late, not set", "Complete late, set", "Complete woken, set"];
    let interrupted = ["Complete interrupted, set", "Complete woken and interrupted, set"];
    for signal in ["one", "all"] {
        check(&format!("LateSignals await {signal}"), 3, &timed);
        check(&format!("LateSignals nanos {signal}"), 3, &timed);
        check(&format!("LateSignals interrupt {signal}"), 2, &interrupted);
    }
}

#[test]
fn sampled_executions_of_the_library_s_own_code_have_the_same_outcomes() {
    for command in [
        "Conditions lock await signal",
        "Conditions lock timed signal",
        "Conditions lock nanos all",
        "Conditions lock await interrupt",
        "Conditions lock stubborn interrupt",
        "Conditions write await signal",
        "LateSignals await one",
        "LateSignals interrupt one",
        "LateSignals interrupt all",
        "TwoWaiters one",
        "TwoWaiters all",
        "Barriers action",
        "Barriers interrupt",
    ] {
        sample(command);
    }
}

/// What threads do that meet.
const MEETINGS: &[&str] = &[
    "exchange exchange interrupt",
    "put put take",
    "put take interrupt",
    "take offer",
    "take interrupt",
    "poll put",
    "poll-timed put",
    "poll-timed interrupt",
    "meet meet",
    "meet arrive phase",
    "meet leave",
    "await arrive arrive",
    "await-interruptibly arrive end",
    "await-timed arrive arrive",
    "await end",
];

/// Sampled executions of the JDK's own code find nothing that is not found here.
#[test]
fn threads_meet_as_in_the_library_s_own_code() {
    for queue in ["fair", "unfair"] {
        for meeting in MEETINGS {
            let command = format!("Meetings {queue} {meeting}");
            let single = program(&command, false);
            let (result, outcomes) = explore("optimal", &single);
            let few = meeting.split(' ').count() < 3;
            for other in ["exhaustive", "dpor"].into_iter().skip(usize::from(!few)) {
                let (others, seen) = explore(other, &single);
                assert_eq!(seen, outcomes, "{other}: {command}");
                assert_eq!(kinds(&others), kinds(&result), "{other}: {command}");
            }
            let (_, sampled) = explore_within("random", &program(&command, true), Some(300));
            assert!(sampled.is_subset(&outcomes), "{command}: {sampled:?} and {outcomes:?}");
        }
    }
}

#[test]
fn meetings_have_few_executions() {
    check("Meetings unfair exchange exchange", 2, &["Complete [0.0] 2 [0.1] 1"]);
    let late = "Complete [0.0] late [0.1] late";
    check("Meetings unfair exchange-timed exchange-timed", 7, &["Complete [0.0] 2 [0.1] 1", late]);
    check("Meetings unfair exchange interrupt", 1, &["Complete [0.0] interrupted [0.1]"]);
    check("Meetings unfair put take", 2, &["Complete [0.0] put [0.1] 1"]);
    check(
        "Meetings unfair await-interruptibly interrupt",
        1,
        &["Complete [0.0] interrupted [0.1]"],
    );
}

/// The object that a program waits for is called what its class is called, not what is inside of it.
#[test]
fn who_waits_for_something_of_the_library_is_told_by_its_class() {
    let rows = [
        ("fork", "the lock of Fork#1"),
        ("lock", "the lock of ReentrantLock#1"),
        ("room", "a permit of Room#1"),
        ("queue", "SynchronousQueue#1"),
        ("fair-queue", "SynchronousQueue#1"),
    ];
    for (case, wanted) in rows {
        let (result, _) = explore("optimal", &program(&format!("Named {case}"), false));
        let message = &result.findings[0].finding.message;
        let waits = message.split("; ").next().unwrap_or(message);
        let end = waits.split_once(" waits for ").map(|(_, what)| what);
        let what = end.and_then(|what| what.split(" (").next());
        assert_eq!(what, Some(wanted), "{case}: {message}");
    }
}
