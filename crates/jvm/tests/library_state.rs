//! The library's own state: initialisers that read what the program changes, and stamped locks.

use crate::common;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use common::{Programs, endings, explore_all_properties};
use counterpoint_explore::Exploration;
use counterpoint_jvm::{JavaProgram, Options};
use counterpoint_model::FindingKind;

fn program(command: &str, options: Options) -> JavaProgram {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    PROGRAMS.get_or_init(|| Programs::compile(&["settings"])).load_with(command, options)
}

fn kinds(result: &Exploration) -> BTreeSet<FindingKind> {
    result.findings.iter().map(|found| found.finding.kind).collect()
}

/// Every explorer finds these outcomes.
fn check(command: &str, outcomes: &[&str]) -> Exploration {
    let program = program(command, Options::default());
    let (result, seen) = endings("optimal", &program, None);
    assert_eq!(result.unexplored, None, "{command}");
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), outcomes, "{command}: {:?}", result.findings);
    for other in ["exhaustive", "dpor"] {
        let (others, seen) = endings(other, &program, Some(2_000));
        if others.unexplored.is_none() {
            assert_eq!(seen.into_iter().collect::<Vec<_>>(), outcomes, "{other}: {command}");
        }
        assert_eq!(kinds(&others), kinds(&result), "{other}: {command}");
    }
    for net in ["unfolding", "contextual", "stateful"] {
        assert_eq!(kinds(&endings(net, &program, None).0), kinds(&result), "{net}: {command}");
    }
    result
}

#[test]
fn initialisers_read_the_settings_of_their_execution() {
    check("Settings formatter", &["Complete en_US", "Complete fr_FR"]);
    check("Settings encoder", &["Complete %C3%A9", "Complete %FE%FF%00%E9"]);
    check("Settings common-pool", &["Complete false", "Complete true"]);
}

#[test]
fn initialisers_in_the_order_of_one_thread_have_one_outcome() {
    // Twice, since the first exploration leaves behind what it has initialised.
    for _ in 0..2 {
        check("Settings in-order", &["Complete fr_FR"]);
        check("Settings used-before", &["Complete en_US en_US"]);
    }
}

#[test]
fn settings_themselves_are_shared() {
    check("Settings property", &["Complete set", "Complete unset"]);
    check("Settings properties", &["Complete null", "Complete set"]);
}

#[test]
#[ignore = "long"]
fn locale_and_time_zone_are_shared() {
    check("Settings time-zone", &["Complete GMT+05:00", "Complete UTC"]);
    check("Settings locale", &["Complete de_DE", "Complete en_US"]);
}

#[test]
fn stamped_locks_are_single_operations() {
    let result = check("Stamps writers", &["Complete 2 2"]);
    assert_eq!(result.statistics.executions, 2);
    // A class that also tries locks for some time could notice that a writer stands behind the reader.
    let result = check("Stamps reader", &["Complete 1"]);
    assert_eq!(result.statistics.executions, 3);
    check("Stamps optimistic", &["Complete false", "Complete true"]);
    check("Stamps upgrade", &["Complete 2"]);
    check("Stamps deadlock", &["Deadlock "]);
    check("Stamps timed", &["Complete false", "Complete true"]);
    check("Stamps interrupted", &["Complete 1", "Complete 2"]);
    check("Stamps views", &["Complete false 2", "Complete true 2"]);
}

#[test]
fn stamped_locks_have_the_outcomes_of_the_library_s_own_code() {
    for case in ["writers", "reader", "optimistic", "upgrade", "timed", "views"] {
        let command = format!("Stamps {case}");
        let (_, single) = endings("optimal", &program(&command, Options::default()), None);
        let real = Options { real_locks: true, ..Options::default() };
        let (_, sampled) = endings("random", &program(&command, real), Some(500));
        assert!(sampled.is_subset(&single), "{command}: {sampled:?} and {single:?}");
    }
}

#[test]
fn there_are_no_races_inside_stamped_locks() {
    for case in ["writers", "reader", "optimistic", "upgrade", "timed", "interrupted", "views"] {
        let result = explore_all_properties(
            "optimal",
            &program(&format!("Stamps {case}"), Options::default()),
        );
        assert_eq!(kinds(&result), BTreeSet::new(), "{case}: {:?}", result.findings);
    }
}
