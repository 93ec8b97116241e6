//! `counterpoint deadlocks` and `check --deadlocks` on the command line: exit codes, JSON and screens.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// A database that checks its workers: with two of them, one cycle, which is real.
const DATABASE: &str = include_str!("../../abs/tests/deadlock_corpus/running_example.abs");

/// Every object leaves the rest to a new one: an analysis takes all for one.
const CHAIN: &str = "module Chain;
interface Fact { Int fact(Int n); }
class FactImpl implements Fact {
  Int fact(Int n) {
    Int r = 1;
    if (n > 1) {
      Fact next = new FactImpl();
      Fut<Int> f = next!fact(n - 1);
      r = f.get;
    }
    return r * n;
  }
}
interface Main { Unit go(Int n); }
class MainImpl implements Main { Unit go(Int n) { Fact f = new FactImpl(); f!fact(n); } }
{ Main m = new MainImpl(); m!go(4); }
";

/// Nobody opens the gate, and the main block is blocked until it is open.
const GATE: &str = "module Gate;
interface Gate { Unit pass(); Unit open(); }
class GateImpl implements Gate {
  Bool open_ = False;
  Unit pass() { await open_; }
  Unit open() { open_ = True; }
}
{ Gate g = new GateImpl(); g!open(); Fut<Unit> f = g!pass(); f.get; }
";

/// Philosophers take a fork by waiting until it is free. Who waits for the first fork gets it at last; who waits for
/// the second may wait for ever.
const PHILOSOPHERS: &str = "module Philosophers;
interface Fork { Unit take(); Unit release(); }
class ForkImpl implements Fork {
  Bool free = True;
  Unit take() { await free; free = False; }
  Unit release() { free = True; }
}
interface Philosopher { Unit dine(Fork left, Fork right); }
class PhilosopherImpl implements Philosopher {
  Unit dine(Fork left, Fork right) {
    Fut<Unit> f = left!take(); f.get;
    Fut<Unit> g = right!take(); g.get;
    left!release();
    right!release();
  }
}
{
  Fork a = new ForkImpl(); Fork b = new ForkImpl();
  Philosopher p = new PhilosopherImpl(); p!dine(a, b);
  Philosopher q = new PhilosopherImpl(); q!dine(b, a);
}
";

/// Two accounts that pay each other and wait, while a third task looks at both.
const BANK: &str = "module Bank;
interface Account { Unit deposit(Int n); Unit transfer(Account to, Int n); Int balance_(); }
class AccountImpl(Int balance) implements Account {
  Unit deposit(Int n) { balance = balance + n; }
  Unit transfer(Account to, Int n) { Fut<Unit> f = to!deposit(n); f.get; balance = balance - n; }
  Int balance_() { return balance; }
}
{
  Account a = new AccountImpl(10); Account b = new AccountImpl(10);
  a!transfer(b, 5); b!transfer(a, 3); a!balance_(); b!balance_();
}
";

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let closed = GATE.replace("g!open();", "");
    let models = [
        ("database.abs", DATABASE),
        ("chain.abs", CHAIN),
        ("gate.abs", GATE),
        ("closed.abs", &closed),
        ("philosophers.abs", PHILOSOPHERS),
        ("bank.abs", BANK),
    ];
    for (name, text) in models {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/abs");
    for entry in std::fs::read_dir(examples).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    folder
}

fn run(folder: &TempDir, arguments: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), text + &String::from_utf8(output.stderr).unwrap())
}

fn json(folder: &TempDir, arguments: &[&str]) -> Value {
    let all: Vec<&str> = arguments.iter().copied().chain(["--json", "result.json"]).collect();
    run(folder, &all);
    serde_json::from_str(&std::fs::read_to_string(folder.path().join("result.json")).unwrap())
        .unwrap()
}

#[test]
fn exit_codes_tell_free_real_and_undecided_apart() {
    let folder = folder();
    let rows = [
        ("call_back.abs", 1),
        ("call_back_fixed.abs", 0),
        ("closed_door.abs", 0),
        ("database.abs", 1),
        ("chain.abs", 0),
        ("gate.abs", 0),
        ("closed.abs", 1),
    ];
    for (model, expected) in rows {
        let (code, text) = run(&folder, &["deadlocks", model]);
        assert_eq!(code, expected, "{model}: {text}");
    }
    let (code, text) = run(&folder, &["deadlocks", "database.abs", "--steps", "1"]);
    assert_eq!(code, 3, "{text}");
}

#[test]
fn cycles_have_arrows_lines_and_a_state() {
    let folder = folder();
    let result = json(&folder, &["deadlocks", "database.abs"]);
    let cycles = result["cycles"].as_array().unwrap();
    assert_eq!((cycles.len(), &result["verdict"]), (1, &Value::from("bug")));
    assert_eq!(cycles[0]["state"], "real");
    let lines: Vec<u64> = cycles[0]["arrows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|arrow| arrow["line"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [25, 41, 38, 29]);
    let result = json(&folder, &["deadlocks", "chain.abs"]);
    assert_eq!(result["cycles"][0]["state"], "impossible");
    assert_eq!(result["verdict"], "ok");
    let result = json(&folder, &["deadlocks", "call_back_fixed.abs"]);
    assert_eq!(result["cycles"], Value::Array(Vec::new()));
}

#[test]
fn a_check_for_deadlocks_alone_shows_them_with_schedules_that_can_be_replayed() {
    let folder = folder();
    for which in ["first", "per-cycle", "all"] {
        let arguments = ["check", "database.abs", "--deadlocks", which];
        let result = json(&folder, &arguments);
        assert_eq!(result["verdict"], "bug", "{which}");
        assert_eq!(result["explorer"], "guided");
        assert_eq!(result["cycles"][0]["state"], "real");
        assert_eq!(result["findings"][0]["kind"], "deadlock");
    }
    let kept = std::fs::read_dir(folder.path().join(".counterpoint")).unwrap();
    for entry in kept {
        let path = entry.unwrap().path();
        let (code, text) = run(&folder, &["replay", path.to_str().unwrap()]);
        assert_eq!(code, 1, "{text}");
        assert!(text.contains("deadlock"), "{text}");
    }
    let result = json(&folder, &["check", "chain.abs", "--deadlocks", "all"]);
    assert_eq!((&result["verdict"], &result["executions"]), (&"ok".into(), &0.into()));
}

#[test]
fn two_of_six_executions_are_those_of_the_thesis() {
    let folder = folder();
    let all = ["check", "database.abs", "--reduction", "none"];
    let plain = json(&folder, &all);
    let guided = json(&folder, &[&all[..], &["--deadlocks", "all"]].concat());
    let counts = |result: &Value| (result["executions"].clone(), result["deadlocks"].clone());
    assert_eq!(counts(&plain), (6.into(), 2.into()));
    assert_eq!(counts(&guided), (2.into(), 2.into()));
}

#[test]
fn a_condition_is_real_only_if_somebody_waits_where_it_says() {
    let folder = folder();
    let result = json(&folder, &["deadlocks", "philosophers.abs"]);
    let conditions = result["conditions"].as_array().unwrap();
    assert_eq!(conditions.len(), 2);
    for condition in conditions {
        let second = condition["sentence"].as_str().unwrap().contains("waits at line 12 for");
        assert_eq!(condition["state"], if second { "real" } else { "impossible" });
    }
    let (_, text) = run(&folder, &["deadlocks", "philosophers.abs"]);
    assert!(text.contains("1 condition real, of 2: 1 impossible"), "{text}");
}

#[test]
fn the_last_line_claims_no_more_than_was_tried() {
    let folder = folder();
    for (model, which, expected) in [
        ("bank.abs", "first", "bug: 1 failure; stopped at the first one, after 1 execution"),
        ("bank.abs", "per-cycle", "bug: 1 failure; each cycle was searched for until it was shown"),
        ("bank.abs", "all", "bug: 1 failure; every schedule that could still lead to a deadlock"),
        ("chain.abs", "first", "ok: every schedule that could still lead to a deadlock was tried"),
        ("call_back_fixed.abs", "all", "ok: no tasks can wait for each other in a cycle"),
    ] {
        let (_, text) = run(&folder, &["check", model, "--deadlocks", which]);
        let last = text.lines().last().unwrap();
        assert!(last.starts_with(expected), "{model} {which}: {text}");
    }
    let (_, text) = run(&folder, &["check", "chain.abs", "--deadlocks", "per-cycle"]);
    assert!(text.contains("\n  impossible: The FactImpl created at line "), "{text}");
}

#[test]
fn a_line_at_which_several_wait_is_shown_once() {
    let folder = folder();
    let (_, text) = run(&folder, &["check", "bank.abs", "--deadlocks", "first"]);
    let excerpt = "--> bank.abs:5 in AccountImpl.transfer\n";
    assert_eq!(text.matches(excerpt).count(), 1, "{text}");
    assert!(text.contains("  <-- a.transfer and b.transfer wait\n"), "{text}");
    assert!(text.contains("  <-- a.deposit and b.deposit wait\n"), "{text}");
    let sentences = text.matches(" waits for the result of ").count();
    assert!(sentences >= 2, "who waits is told of each: {text}");
}

#[test]
fn the_graph_is_drawn() {
    let folder = folder();
    run(&folder, &["deadlocks", "database.abs", "--report", "report"]);
    let read = |name: &str| std::fs::read_to_string(folder.path().join("report").join(name));
    let svg = read("deadlocks.svg").unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("DBImpl created at line 7"), "{svg}");
    assert!(read("deadlocks.mmd").unwrap().starts_with("flowchart"));
}

#[test]
fn misuse_is_explained() {
    let folder = folder();
    std::fs::write(
        folder.path().join("No.java"),
        "class No { public static void main(String[] words) { } }",
    )
    .unwrap();
    for (arguments, expected) in [
        (&["deadlocks", "No.java"][..], "active objects"),
        (&["deadlocks", "missing.abs"], "missing.abs"),
        (&["deadlocks", "chain.abs", "--context", "-1"], "--context"),
        (&["check", "chain.abs", "--deadlocks", "some"], "per-cycle"),
        (&["check", "chain.abs", "--deadlocks", "all", "--explorer", "dpor"], "--explorer"),
    ] {
        let (code, text) = run(&folder, arguments);
        assert_eq!(code, 2, "{arguments:?}: {text}");
        assert!(text.contains(expected), "{arguments:?}: {text}");
    }
}

#[test]
fn a_cycle_is_told_in_one_sentence_with_its_lines() {
    let folder = folder();
    for model in ["call_back", "chain", "closed"] {
        let (_, text) = run(&folder, &["deadlocks", &format!("{model}.abs")]);
        insta::assert_snapshot!(model, text);
    }
}

#[test]
fn what_is_left_out_of_a_model_stands_beside_every_claim() {
    let folder = folder();
    let text = format!(
        "{}\ndelta More; uses Database;\nproductline Line; features F; delta More when F;\nproduct P(F);\n",
        CHAIN.replace("Int r = 1;", "[Cost: 5] Int r = 1;")
    );
    std::fs::write(folder.path().join("costs.abs"), text).unwrap();
    let said = [
        "assuming that no product is chosen, so that deltas and product lines have no effect",
        "assuming that statements take no time, whatever their costs",
    ];
    let commands: [&[&str]; 4] = [
        &["deadlocks", "costs.abs"],
        &["check", "costs.abs", "--deadlocks", "all"],
        &["check", "costs.abs"],
        &["generate", "costs.abs"],
    ];
    for command in commands {
        let (_, screen) = run(&folder, command);
        let with_all = |line: &str| said.iter().all(|text| line.contains(text));
        assert!(screen.lines().any(with_all), "{command:?}: {screen}");
        let json = json(&folder, command);
        let assumptions = json["assumptions"].to_string();
        assert!(said.iter().all(|text| assumptions.contains(&text[14..])), "{assumptions}");
    }
}

#[test]
fn what_tasks_do_on_deployment_components_is_not_claimed_to_be_known() {
    let folder = folder();
    let text = "module Components;\nimport * from ABS.DC;\n\
                interface I { Unit go(I other); Unit back(); }\n\
                class C implements I {\n  Unit go(I other) {\n    DC here = thisDC();\n    \
                Rat load = here.load(Speed, 1);\n    other.back();\n  }\n  Unit back() { skip; }\n}\n\
                { I a = new C(); I b = new C(); a!go(b); b!go(a); }\n";
    std::fs::write(folder.path().join("components.abs"), text).unwrap();
    let (code, screen) = run(&folder, &["check", "components.abs"]);
    assert_eq!(code, 3, "{screen}");
    assert!(screen.contains("`thisDC()`: which deployment component a task is on"), "{screen}");
    let assumed = "assuming that what tasks do after they asked for their deployment component";
    for command in [&["deadlocks", "components.abs"][..], &["check", "components.abs"]] {
        let (_, screen) = run(&folder, command);
        assert!(screen.contains(assumed), "{screen}");
    }
}
