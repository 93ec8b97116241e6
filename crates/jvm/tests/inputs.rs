//! Programs with inputs under the explorers.

use crate::common;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use common::Programs;
use counterpoint_explore::Exploration;
use counterpoint_jvm::{JavaProgram, Target};
use counterpoint_model::{Bound, FindingKind, Program, Verdict};

/// The classes of `tests/inputs`, compiled once.
fn programs() -> &'static Programs {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    PROGRAMS.get_or_init(|| Programs::compile(&["inputs"]))
}

fn program(main: &str, arguments: &[&str]) -> JavaProgram {
    let command = [&[main], arguments].concat().join(" ");
    programs().load_with(&command, JavaProgram::options())
}

fn explore(name: &str, program: &dyn Program) -> (Exploration, BTreeSet<String>) {
    common::explore(name, program, 1)
}

/// The values of the inputs of a finding.
fn values(exploration: &Exploration, finding: usize) -> Vec<String> {
    let inputs = &exploration.findings[finding].finding.inputs;
    inputs.iter().map(|input| input.value.clone()).collect()
}

#[test]
fn example_1_finds_both_ways_into_the_error() {
    let (result, _) = explore("optimal", &program("LoopOverInputs", &[]));
    assert_eq!(result.findings.len(), 1, "one place, whichever round");
    assert_eq!(result.findings[0].count, 2, "in the first round and in the second");
    assert_eq!(result.statistics.executions, 3);
    assert_eq!(result.bounds, []);
}

#[test]
fn example_2_finds_the_input_that_overflows() {
    let (result, _) = explore("optimal", &program("Overflow", &[]));
    assert_eq!(result.findings.len(), 1);
    let found = values(&result, 0);
    let [x, y] = [0, 1].map(|at| found[at].parse::<i32>().expect("an int"));
    assert!(x > y && x.wrapping_mul(y) == 1452 && x / 2 == 5, "{x} {y}");
    assert_eq!(result.findings[0].finding.inputs[0].name, "0#0");
    assert_eq!(result.statistics.executions, 4);
    assert_eq!(result.bounds, []);
}

#[test]
fn example_3_has_six_traces() {
    for (name, executions) in [("optimal", Some(6)), ("dpor", None), ("race-flip", None)] {
        let (result, _) = explore(name, &program("BranchingThreads", &[]));
        assert_eq!(result.verdict(), Verdict::Ok, "{name}");
        assert!(executions.is_none_or(|wanted| wanted == result.statistics.executions), "{name}");
    }
}

#[test]
fn pairs_have_eight_traces_each() {
    for (pairs, traces) in [("1", 8), ("2", 64), ("3", 512), ("4", 4096)] {
        let (result, _) = explore("optimal", &program("Pairs", &[pairs]));
        assert_eq!(result.statistics.executions, traces, "{pairs}");
        assert_eq!(result.verdict(), Verdict::Ok);
    }
}

/// Every case is an execution, and nothing is left out.
fn check_cases(case: &str, outcomes: &[&str]) {
    let program = program("Cases", &[case]);
    for name in ["optimal", "dpor", "unfolding"] {
        let (result, seen) = explore(name, &program);
        let wanted: BTreeSet<String> = outcomes.iter().map(|text| format!("{text}\n")).collect();
        assert_eq!(seen, wanted, "{name}: {case}");
        assert_eq!(result.verdict(), Verdict::Ok, "{name}: {case}: {:?}", result.findings);
    }
}

#[test]
fn what_must_be_known_is_split_into_cases() {
    check_cases("index", &["0", "1", "4", "9", "16", "outside"]);
    check_cases("store", &["xbc", "axc", "abx"]);
    check_cases("length", &["negative", "0", "1", "2", "3", "long"]);
    check_cases("dense", &["odd", "two", "four", "other"]);
    check_cases("sparse", &["few", "five", "many", "other"]);
    check_cases("character", &["l", "other"]);
    check_cases("choice", &["chosen 1", "chosen 3", "chosen 5", "chosen 7"]);
    check_cases("truth", &["true", "false"]);
    check_cases("enumeration", &["RED", "GREEN", "BLUE"]);
    check_cases("division", &["/ by zero", "10", "5"]);
    check_cases("list", &["a", "b", "c", "outside"]);
    check_cases("grid", &["1x0", "1x1", "1x2", "2x0", "2x1", "2x2"]);
}

#[test]
fn a_choice_among_nothing_is_an_exception() {
    let (result, _) = explore("optimal", &program("Cases", &["nothing"]));
    let [found] = &result.findings[..] else { panic!("{:?}", result.findings) };
    assert_eq!(found.finding.kind, FindingKind::Exception);
    assert!(
        found.finding.message.contains("IllegalArgumentException"),
        "{}",
        found.finding.message
    );
}

#[test]
fn unknowns_flow_through_everything() {
    let cases = [
        "static",
        "identity",
        "field",
        "bytes",
        "narrow",
        "truths",
        "longs",
        "lambda",
        "boxes",
        "record",
        "atomics",
        "flags",
        "library",
        "map",
        "characters",
        "object",
    ];
    for case in cases {
        let (result, outcomes) = explore("optimal", &program("Flows", &[case]));
        let wanted = BTreeSet::from(["missed\n".to_string(), "reached\n".to_string()]);
        assert_eq!(outcomes, wanted, "{case}: {:?}", result.findings);
        assert_eq!(result.verdict(), Verdict::Ok, "{case}");
    }
}

#[test]
fn what_is_made_concrete_is_a_bound_with_its_place() {
    for (case, line) in [
        ("text", Some(8)),
        ("floating", Some(9)),
        ("builder", Some(10)),
        ("array", Some(11)),
        ("known", None),
    ] {
        let (result, _) = explore("optimal", &program("Concrete", &[case]));
        let bounds: Vec<Bound> =
            line.iter().map(|line| Bound::Concretised(format!("Concrete.java:{line}"))).collect();
        assert_eq!(result.bounds, bounds, "{case}");
    }
}

#[test]
fn unknown_elements_are_shared() {
    let program = program("Elements", &[]);
    let (wanted, _) = explore("optimal", &program);
    assert_eq!(wanted.verdict(), Verdict::Ok, "{:?}", wanted.findings);
    for name in ["dpor", "race-flip", "unfolding", "contextual"] {
        assert_eq!(explore(name, &program).0.verdict(), Verdict::Ok, "{name}");
    }
}

#[test]
fn methods_without_knowledge_of_inputs_can_be_declared() {
    let load = |inputs: &[&str]| {
        let inputs = inputs.iter().map(|input| input.to_string()).collect();
        JavaProgram::load(&Target { inputs, ..programs().target("Declared") })
    };
    let program = load(&[]).expect("it loads");
    let (plain, _) = explore("optimal", &program);
    assert_eq!((plain.statistics.executions, plain.verdict()), (1, Verdict::Ok));
    let all = ["Declared.Random.draw", "Declared.coin"];
    let (result, _) = explore("optimal", &load(&all).expect("it loads"));
    assert_eq!(values(&result, 0), ["99", "false", "-1"]);
    assert_eq!(result.statistics.executions, 4);
    for wrong in ["Declared.coins", "Declared.weight", "Declared.main", "coin", "No.coin"] {
        let error = load(&[wrong]).expect_err(wrong).to_string();
        assert!(error.starts_with(&format!("`--input {wrong}`: ")), "{error}");
    }
}

#[test]
fn explorers_agree_on_inputs_and_locks() {
    for main in ["Updater", "Locked"] {
        let program = program(main, &["2"]);
        let (wanted, outcomes) = explore("optimal", &program);
        let findings = |result: &Exploration| -> BTreeSet<String> {
            result.findings.iter().map(|found| found.finding.message.clone()).collect()
        };
        for name in ["exhaustive", "dpor", "race-flip", "unfolding", "contextual"] {
            let (result, others) = explore(name, &program);
            assert_eq!(others, outcomes, "{name}: {main}");
            assert_eq!(findings(&result), findings(&wanted), "{name}: {main}");
            assert_eq!(result.bounds, wanted.bounds, "{name}: {main}");
        }
        assert_eq!(wanted.bounds, [], "{main}");
    }
}
