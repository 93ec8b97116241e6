//! Time limits that people mean: those of a second or more expire only when nothing else can move.

use crate::common;
use crate::shortcuts::writer;

use std::sync::OnceLock;

use common::{Programs, endings};
use counterpoint_jvm::{JavaProgram, Options};
use counterpoint_model::Program;
use writer::Draft;

const SECOND: u64 = 1_000_000_000;

fn load(case: &str, patience: Option<u64>) -> JavaProgram {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    let programs = PROGRAMS.get_or_init(|| Programs::compile(&["patience"]));
    programs.load_with(&format!("Limits {case}"), Options { patience, ..JavaProgram::options() })
}

fn outcomes(explorer: &str, case: &str, patience: Option<u64>) -> Vec<String> {
    let (result, seen) = endings(explorer, &load(case, patience), None);
    assert_eq!(result.unexplored, None, "{explorer}: {case}");
    seen.into_iter().collect()
}

/// Cases that have too many executions without reduction.
const LARGE: &[&str] = &["pool", "stuck-pool", "cached"];
/// Cases that take nets too long: the idle workers of the pool have time limits, too, and all that might expire
/// counts as dependent on every step.
const TOO_LARGE_FOR_NETS: &[&str] = &["cached"];

/// What a case shows if time limits expire at any time, and if people mean them: under every explorer.
fn check(case: &str, any: &[&str], meant: &[&str]) {
    assert_eq!(outcomes("optimal", case, None), any, "{case}, any");
    assert_eq!(outcomes("optimal", case, Some(10 * SECOND)), any, "{case}, any below ten seconds");
    assert_eq!(outcomes("optimal", case, Some(5 * SECOND)), meant, "{case}, exactly so long");
    for explorer in ["optimal", "dpor", "race-flip", "exhaustive"] {
        if explorer == "exhaustive" && LARGE.contains(&case) {
            continue;
        }
        assert_eq!(outcomes(explorer, case, Some(SECOND)), meant, "{explorer}: {case}");
    }
    if TOO_LARGE_FOR_NETS.contains(&case) {
        return;
    }
    for net in ["unfolding", "contextual", "stateful"] {
        let (result, _) = endings(net, &load(case, Some(SECOND)), None);
        assert_eq!(result.findings.len(), 0, "{net}: {case}: {:?}", result.findings);
    }
}

#[test]
fn who_waits_for_others_that_can_move_gets_what_it_waits_for() {
    check(
        "latch",
        &["Complete false 0", "Complete false 1", "Complete false 2", "Complete true 2"],
        &["Complete true 2"],
    );
    check(
        "queue",
        &["Complete a null", "Complete null a", "Complete null null"],
        &["Complete a null"],
    );
    check("lock", &["Complete false", "Complete true"], &["Complete true"]);
    check("permit", &["Complete false", "Complete true"], &["Complete true"]);
    check("park", &["Complete false", "Complete true"], &["Complete true"]);
    check("future", &["Complete 7", "Complete late"], &["Complete 7"]);
    check("exchange", &["Complete a", "Complete late"], &["Complete a"]);
    check("condition", &["Complete false", "Complete true"], &["Complete true"]);
    check("monitor", &["Complete true"], &["Complete true"]);
}

#[test]
fn a_thread_is_joined_when_it_has_ended() {
    let any = ["Complete false 2", "Complete true 0", "Complete true 1", "Complete true 2"];
    check("join", &any, &["Complete false 2"]);
}

#[test]
fn a_pool_that_can_end_ends_in_time() {
    let any = ["Complete in time 2", "Complete late 0", "Complete late 1", "Complete late 2"];
    check("pool", &any, &["Complete in time 2"]);
    // Nobody catches the exception of a future that is late.
    let any = ["Complete ", "Complete 3false", "Complete 3true"];
    check("cached", &any, &["Complete 3true"]);
}

#[test]
fn who_waits_in_vain_gives_up_when_all_is_still() {
    check(
        "stuck-latch",
        &["Complete false 0", "Complete false 1", "Complete false 2"],
        &["Complete false 2"],
    );
    check("stuck-pool", &["Complete late 0", "Complete late 1"], &["Complete late 1"]);
    // The writer comes before all readers, or waits in vain until both have come, or beside one who has come before it,
    // while the other one stands behind it.
    let any = ["Complete false 0", "Complete false 1", "Complete false 2", "Complete true 0"];
    check("readers", &any, &["Complete false 1", "Complete false 2", "Complete true 0"]);
    check("two", &["Complete 3"], &["Complete 3"]);
    // The writer holds the other reader up until it gives up, which may be too late.
    let either = ["Complete false", "Complete true"];
    check("writer", &either, &either);
    // The notification comes before the wait, so that nothing is left but the limit.
    check("missed", &["Complete false", "Complete true"], &["Complete true"]);
}

/// On random programs with time limits, the explorers that reduce find what trying every schedule finds, and nothing that
/// limits which expire at any time do not show.
#[test]
fn random_programs_show_the_same_under_every_explorer() {
    let limited = |draft: &Draft| {
        draft.source("P").contains("MILLISECONDS") || draft.source("P").contains("wait(1)")
    };
    let wanted = std::env::var("COUNTERPOINT_PROGRAMS").ok().and_then(|count| count.parse().ok());
    let drafts: Vec<(u64, Draft)> = (0..)
        .map(|seed| (seed, Draft::random(seed)))
        .filter(|(_, draft)| limited(draft))
        .take(wanted.unwrap_or(8))
        .collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut files = vec![folder.path().join("Pause.java")];
    std::fs::write(&files[0], common::PAUSE).expect("a source");
    for (seed, draft) in &drafts {
        let path = folder.path().join(format!("Random{seed}.java"));
        std::fs::write(&path, draft.source(&format!("Random{seed}"))).expect("a source");
        files.push(path);
    }
    let programs = Programs::compile_files(&files);
    let mut compared = 0;
    for (seed, draft) in &drafts {
        let explore = |explorer: &str, patience| {
            let options = Options { patience, ..JavaProgram::options() };
            let program = programs.load_with(&format!("Random{seed}"), options);
            let (result, seen) = endings(explorer, &program, Some(200_000));
            result.unexplored.is_none().then_some(seen)
        };
        let Some(all) = explore("exhaustive", Some(0)) else { continue };
        compared += 1;
        for explorer in ["optimal", "dpor", "race-flip"] {
            assert_eq!(explore(explorer, Some(0)), Some(all.clone()), "{explorer}: {draft:?}");
        }
        let any = explore("optimal", None).expect("a small program");
        assert!(all.is_subset(&any), "{all:?} and {any:?}: {draft:?}");
    }
    println!("{compared} of {} programs are small enough to try every schedule", drafts.len());
    assert!(compared * 2 > drafts.len(), "{compared} of {}", drafts.len());
}

#[test]
fn what_is_assumed_is_said_where_it_matters() {
    let assumed = |case: &str, patience: Option<u64>| {
        let program = load(case, patience);
        endings("optimal", &program, None);
        program.assumptions()
    };
    let said = "time limits of 1s or more expire only when no other thread can move";
    assert_eq!(assumed("pool", Some(SECOND)), [said]);
    assert_eq!(assumed("pool", Some(10 * SECOND)), Vec::<String>::new());
    assert_eq!(assumed("pool", None), Vec::<String>::new());
    let said = "time limits expire only when no other thread can move";
    assert_eq!(assumed("latch", Some(0)), [said]);
}
