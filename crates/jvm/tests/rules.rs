//! What the language leaves open is explored where a program can tell, and only there: who
//! initialises a class, and waking up for no reason.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use counterpoint_explore::{
    Assignment, Execution, Exploration, Flow, Limits, Sink, Statistics, WorkUnit,
    default_properties, explorer,
};
use counterpoint_jvm::load::{Jdk, compile};
use counterpoint_jvm::{JavaProgram, Options, Target};

/// The class of `tests/rules`, compiled once.
fn classes() -> PathBuf {
    static CLASSES: OnceLock<tempfile::TempDir> = OnceLock::new();
    let compiled = CLASSES.get_or_init(|| {
        let jdk = Jdk::find().expect("a JDK is installed where the tests run");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules/Rules.java");
        compile(&jdk, &[source], &[]).expect("the program compiles")
    });
    compiled.path().to_path_buf()
}

/// What the ends of executions looked like.
#[derive(Default)]
struct Outcomes(BTreeSet<String>);

impl Sink for Outcomes {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let ending = execution.run.end();
        let outcome = execution.run.outcome().unwrap_or_default();
        self.0.insert(format!("{ending:?} {}", outcome.trim_end().replace('\n', " ")));
        Flow::Continue
    }
}

fn explore(name: &str, case: &str, spurious: bool) -> (Exploration, Vec<String>) {
    let target = Target {
        paths: vec![classes()],
        main: Some("Rules".to_string()),
        arguments: vec![case.to_string()],
        ..Target::default()
    };
    let options = Options { spurious, ..Options::default() };
    let program = JavaProgram::load_with(&target, options).expect("the program loads");
    let mut outcomes = Outcomes::default();
    let result = (explorer(name).expect("an explorer").explore)(Assignment {
        program: &program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties: default_properties(),
        sink: &mut outcomes,
        seed: 1,
    });
    assert_eq!(result.internal_errors, Vec::<String>::new(), "{name}: {case}");
    assert_eq!(result.unexplored, None, "{name}: {case}");
    (result, outcomes.0.into_iter().collect())
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
