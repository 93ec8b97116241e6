//! Completable futures: all that the program can tell, in few executions, and nothing that the JDK's
//! own code does not show.

mod common;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use common::{Programs, endings};
use counterpoint_jvm::{JavaProgram, Options};
use counterpoint_model::{FindingKind, Verdict};

fn program(case: &str, options: Options) -> JavaProgram {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    let programs = PROGRAMS.get_or_init(|| Programs::compile(&["futures"]));
    programs.load_with(&format!("Futures {case}"), options)
}

fn set(wanted: &[&str]) -> BTreeSet<String> {
    wanted.iter().map(|text| text.to_string()).collect()
}

/// Programs, all that can come of them, and how many executions show it.
const CASES: &[(&str, &[&str], u64)] = &[
    ("supply", &["Complete 42"], 1),
    ("chain", &["Complete 42"], 3),
    ("chain-async", &["Complete 42"], 4),
    ("combine", &["Complete 42"], 9),
    ("lost-update", &["Complete 1", "Complete 2"], 36),
    ("compose", &["Complete 21"], 11),
    ("failing", &["Complete no"], 2),
    ("handled", &["Complete failed 7"], 2),
    ("any", &["Complete 1", "Complete 2"], 14),
    ("any-order", &["Complete 1", "Complete 2"], 9),
    ("either", &["Complete 10", "Complete 20"], 13),
    ("never", &["Deadlock "], 1),
    ("who", &["Complete main", "Complete other"], 2),
    (
        "help",
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
    ("completers", &["Complete left 1", "Complete right 2"], 2),
    ("timeout", &["Complete 1", "Complete late"], 2),
    ("or-timeout", &["Complete 1", "Complete late"], 77),
    ("cancel", &["Complete false 1", "Complete true cancelled"], 4),
    ("polling", &["Complete 1"], 2),
    ("order", &["Complete 21abc"], 1),
    ("pool", &["Complete 42"], 108),
    ("when-complete", &["Complete true"], 3),
    ("all", &["Complete 3"], 196),
    ("interrupted", &["Complete got 1", "Complete interrupted"], 2),
    ("external", &["Complete 1", "Complete 2"], 7),
    ("uncaught", &["Complete "], 1),
];

/// Programs of which other explorers, or the JDK's own code, have too many executions.
const MANY: &[&str] =
    &["or-timeout", "pool", "all", "combine", "lost-update", "either", "compose", "chain-async"];

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
        if MANY.contains(case) {
            let (_, seen) = endings("random", &program, Some(150));
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
    let never = finding("never");
    assert_eq!(never.kind, FindingKind::Deadlock);
    assert_eq!(never.message, "main waits for the result of CompletableFuture#1");
    let uncaught = finding("uncaught");
    assert_eq!(uncaught.kind, FindingKind::Exception);
    let place = &uncaught.places[0];
    assert!(place.function.ends_with("Futures.fail"), "{place:?}");
}
