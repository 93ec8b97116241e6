//! Completable futures, pools that steal work and interrupts: all that the program can tell, in few executions, and nothing that the JDK's
//! own code does not show.

use crate::common;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use common::{Programs, endings};
use counterpoint_jvm::{JavaProgram, Options};
use counterpoint_model::{FindingKind, Verdict};

fn program(case: &str, options: Options) -> JavaProgram {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    let programs = PROGRAMS.get_or_init(|| Programs::compile(&["futures"]));
    programs.load_with(case, options)
}

fn set(wanted: &[&str]) -> BTreeSet<String> {
    wanted.iter().map(|text| text.to_string()).collect()
}

/// Programs, all that can come of them, and how many executions show it.
const CASES: &[(&str, &[&str], u64)] = &[
    ("Futures supply", &["Complete 42"], 1),
    ("Futures chain", &["Complete 42"], 3),
    ("Futures chain-async", &["Complete 42"], 4),
    ("Futures combine", &["Complete 42"], 9),
    ("Futures lost-update", &["Complete 1", "Complete 2"], 36),
    ("Futures compose", &["Complete 21"], 11),
    ("Futures failing", &["Complete no"], 2),
    ("Futures handled", &["Complete failed 7"], 2),
    ("Futures any", &["Complete 1", "Complete 2"], 14),
    ("Futures any-order", &["Complete 1", "Complete 2"], 9),
    ("Futures either", &["Complete 10", "Complete 20"], 13),
    ("Futures never", &["Deadlock "], 1),
    ("Futures who", &["Complete main", "Complete other"], 2),
    (
        "Futures help",
        &[
            "Complete amain bother",
            "Complete aother bmain",
            "Complete bmain amain",
            "Complete bmain aother",
            "Complete bother amain",
            "Complete bother aother",
        ],
        15,
    ),
    ("Futures completers", &["Complete left 1", "Complete right 2"], 2),
    ("Futures timeout", &["Complete 1", "Complete late"], 2),
    ("Futures or-timeout", &["Complete 1", "Complete late"], 77),
    ("Futures cancel", &["Complete false 1", "Complete true cancelled"], 4),
    ("Futures polling", &["Complete 1"], 2),
    ("Futures order", &["Complete 21abc"], 1),
    ("Futures pool", &["Complete 42"], 108),
    ("Futures when-complete", &["Complete true"], 3),
    ("Futures all", &["Complete 3"], 196),
    ("Futures interrupted", &["Complete got 1", "Complete interrupted"], 2),
    ("Futures external", &["Complete 1", "Complete 2"], 7),
    ("Futures uncaught", &["Complete "], 1),
    ("Interrupts semaphore", &["Complete got still", "Complete interrupted"], 3),
    ("Interrupts early", &["Complete interrupted"], 1),
    ("Interrupts itself", &["Complete interrupted"], 1),
    ("Interrupts lock", &["Complete got still", "Complete interrupted"], 3),
    (
        "Interrupts try",
        &["Complete got still", "Complete interrupted", "Complete late", "Complete late still"],
        5,
    ),
    ("Interrupts read", &["Complete got still", "Complete interrupted"], 3),
    (
        "Interrupts latch",
        &["Complete got still", "Complete interrupted", "Complete late", "Complete late still"],
        5,
    ),
    ("Interrupts queue", &["Complete got still", "Complete interrupted"], 3),
    ("Interrupts sleep", &["Complete interrupted", "Complete slept", "Complete slept still"], 3),
    ("ForkJoin sum", &["Complete 6"], 1),
    ("ForkJoin common", &["Complete 6"], 1),
    ("ForkJoin lost-update", &["Complete 1", "Complete 2"], 4),
    ("ForkJoin stealing", &["Complete 42"], 1),
    ("ForkJoin stream", &["Complete 6"], 8),
    ("ForkJoin for-each", &["Complete 1", "Complete 2"], 8),
    ("ForkJoin collected", &["Complete [6, 2, 4]"], 4),
    ("ForkJoin failing", &["Complete IllegalStateException"], 1),
    ("ForkJoin ended", &["Complete ended 1", "Complete late"], 2),
    ("ForkJoin rejected", &["Complete rejected"], 1),
    ("ForkJoin waiting", &["Deadlock "], 1),
    ("ForkJoin enough", &["Complete open"], 1),
    ("ForkJoin timed", &["Complete 7", "Complete late"], 2),
    ("ForkJoin interrupted", &["Complete got 1", "Complete interrupted"], 3),
];

/// Programs of which other explorers, or the JDK's own code, have too many executions.
const MANY: &[&str] = &[
    "Futures or-timeout",
    "Futures pool",
    "Futures all",
    "Futures combine",
    "Futures lost-update",
    "Futures either",
    "Futures compose",
    "Futures chain-async",
    "Interrupts queue",
];

#[test]
fn all_that_can_come_of_futures_is_found_in_few_executions() {
    let mut counts = Vec::new();
    for (case, wanted, executions) in CASES {
        let program = program(case, Options::default());
        let (result, seen) = endings("optimal", &program, Some(1000));
        assert!(result.unexplored.is_none(), "{case}");
        assert_eq!(seen, set(wanted), "{case}");
        if result.statistics.executions != *executions {
            counts.push(format!("{case}: {}", result.statistics.executions));
        }
        // Whether there is something to help with is known only when a thread goes on from waiting.
        assert!(result.statistics.abandoned <= executions / 50, "{case}");
        let others: &[&str] = if MANY.contains(case) { &["dpor"] } else { &["dpor", "race-flip"] };
        for other in others {
            let (other_result, seen) = endings(other, &program, None);
            assert_eq!(seen, set(wanted), "{other}: {case}");
            assert_eq!(other_result.verdict(), result.verdict(), "{other}: {case}");
        }
    }
    assert!(counts.is_empty(), "{counts:?}");
}

#[test]
fn the_jdks_own_code_shows_the_same() {
    let options = Options { real_locks: true, ..Options::default() };
    for (case, wanted, _) in CASES {
        let program = program(case, options.clone());
        if MANY.contains(case) || case.starts_with("ForkJoin") {
            let (_, seen) = endings("random", &program, Some(100));
            assert!(seen.is_subset(&set(wanted)), "{case}: {seen:?}");
        } else {
            let (result, seen) = endings("optimal", &program, Some(5000));
            assert!(result.unexplored.is_none(), "{case}");
            assert_eq!(seen, set(wanted), "{case}");
        }
    }
}

#[test]
fn failures_are_where_the_program_made_them() {
    let finding = |case| {
        let (result, _) = endings("optimal", &program(case, Options::default()), None);
        assert_eq!(result.verdict(), Verdict::Bug, "{case}");
        result.findings[0].finding.clone()
    };
    let never = finding("Futures never");
    assert_eq!(never.kind, FindingKind::Deadlock);
    assert_eq!(never.message, "main waits for the result of future#1");
    let uncaught = finding("Futures uncaught");
    assert_eq!(uncaught.kind, FindingKind::Exception);
    let place = &uncaught.places[0];
    assert!(place.function.ends_with("Futures.fail"), "{place:?}");
}

#[test]
fn a_pool_that_could_run_out_of_workers_is_refused() {
    for name in ["optimal", "exhaustive"] {
        let program = program("ForkJoin starved", Options::default());
        let (result, _) = endings(name, &program, None);
        let kinds: Vec<_> = result.findings.iter().map(|found| found.finding.kind).collect();
        assert_eq!(kinds, [FindingKind::Unsupported], "{name}: {:?}", result.findings);
        assert!(result.findings[0].finding.message.contains("more tasks than workers"));
    }
}
