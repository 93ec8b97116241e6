//! `counterpoint generate` from the outside: forms, counts, coverage, resuming, comparison, misuse.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const DATABASE: &str = include_str!("../../abs/tests/generation/models/database.abs");
const RUNNING: &str = include_str!("../../abs/tests/deadlock_corpus/running_example.abs");
const SUM_FACTS: &str = include_str!("../../abs/tests/generation/models/sum_facts.abs");

struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("database.abs"), DATABASE).unwrap();
    std::fs::write(folder.path().join("facts.abs"), SUM_FACTS).unwrap();
    std::fs::write(folder.path().join("running.abs"), RUNNING).unwrap();
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Ran {
    counterpoint(folder, &[&["generate"], arguments].concat())
}

fn counterpoint(folder: &Path, arguments: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The result file of a generation.
fn generate(folder: &Path, arguments: &[&str]) -> Value {
    let ran = run(folder, &[arguments, &["--json", "-"]].concat());
    serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}{}", ran.stdout, ran.stderr))
}

#[test]
fn a_large_result_is_the_same_in_a_file_and_on_a_stream() {
    let folder = folder();
    let model = include_str!("../../abs/tests/benchmark/peer_to_peer.abs");
    std::fs::write(folder.path().join("peers.abs"), model).unwrap();
    let words = ["peers.abs", "--depth", "60", "--loops", "none"];
    let streamed = run(folder.path(), &[&words[..], &["--json", "-"]].concat()).stdout;
    run(folder.path(), &[&words[..], &["--json", "result.json"]].concat());
    let written = std::fs::read_to_string(folder.path().join("result.json")).unwrap();
    assert!(written.len() > 1 << 18, "it comes in several parts: {}", written.len());
    let lines = |text: &str| {
        let told = text.lines().filter(|line| !line.contains("\"seconds\":"));
        told.map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(lines(&streamed), lines(&written));
}

fn tests(result: &Value) -> &Vec<Value> {
    result["tests"].as_array().unwrap()
}

fn texts(result: &Value, key: &str) -> Vec<String> {
    let mut all: Vec<String> =
        tests(result).iter().map(|test| test[key].as_str().unwrap().to_string()).collect();
    all.sort();
    all
}

#[test]
fn one_client_has_two_tests_in_all_forms() {
    let folder = folder();
    let method = ["database.abs", "--method", "SingleDatabase.getData"];
    let form = |form: &'static str| {
        let result = generate(folder.path(), &[&method[..], &["--form", form]].concat());
        assert_eq!(texts(&result, "condition"), ["this.client != w", "this.client == w"]);
        assert_eq!((&result["verdict"], &result["exhausted"]), (&"ok".into(), &true.into()));
        let mut results: Vec<String> = tests(&result)
            .iter()
            .map(|test| test["outputs"]["result"].as_str().unwrap().to_string())
            .collect();
        results.sort();
        results
    };
    assert_eq!(form("constraints"), ["NoData", "this.dt"]);
    assert_eq!(form("concrete"), ["NoData", "NoData"]);
    assert_eq!(form("hybrid"), ["NoData", "NoData"]);
}

#[test]
fn a_list_of_clients_has_three_tests_in_all_forms() {
    let folder = folder();
    for form in ["concrete", "constraints", "hybrid"] {
        let arguments = ["database.abs", "--method", "DatabaseImpl.getData", "--form", form];
        let result = generate(folder.path(), &arguments);
        assert_eq!(tests(&result).len(), 3, "{form}");
        assert_eq!(result["claim"], "complete up to these limits");
        assert_eq!(result["verdict"], "incomplete");
        assert!(result["cuts"]["the limit on loops"].as_u64().unwrap() > 0);
    }
}

#[test]
fn workers_are_counted_as_in_the_papers() {
    let folder = folder();
    for (level, loops, all, deadlocked) in
        [("none", "1", 7, 2), ("object", "1", 4, 1), ("object", "2", 38, 11)]
    {
        let result = generate(
            folder.path(),
            &["database.abs", "--method", "Main.simulate", "--loops", loops, "--reduction", level],
        );
        assert_eq!(tests(&result).len(), all, "{level} {loops}");
        let outcomes = texts(&result, "outcome");
        assert_eq!(outcomes.iter().filter(|word| *word == "deadlock").count(), deadlocked);
    }
}

#[test]
fn factorials_have_the_two_published_tests() {
    let folder = folder();
    let result = generate(
        folder.path(),
        &["facts.abs", "--method", "A.sumFacts", "--loops", "1", "--switches", "2"],
    );
    assert_eq!(
        texts(&result, "condition"),
        ["this.ft == 0 && this.n == 1 && ob is another A", "this.ft >= 0 && this.n <= 0"]
    );
}

#[test]
fn stopping_and_going_on_gives_the_same_tests() {
    let folder = folder();
    let simulate =
        ["database.abs", "--method", "Main.simulate", "--loops", "2", "--reduction", "object"];
    for (arguments, executions) in [(&["database.abs"][..], "2"), (&simulate[..], "7")] {
        let whole = generate(folder.path(), arguments);
        let limit = ["--executions", executions];
        let mut part = generate(folder.path(), &[arguments, &limit].concat());
        let mut parts = 1;
        while part["exhausted"] == false {
            let saved = ".counterpoint/database.generate.json";
            part = generate(folder.path(), &[&["--resume", saved], &limit[..]].concat());
            parts += 1;
            assert!(parts < 50, "it ends");
        }
        assert!(parts > 3);
        assert_eq!(part["tests"], whole["tests"]);
        assert_eq!(part["cuts"], whole["cuts"]);
    }
}

#[test]
fn fewer_tests_cover_as_much() {
    let folder = folder();
    let method = ["database.abs", "--method", "DatabaseImpl.getData"];
    let all = generate(folder.path(), &method);
    for criterion in ["branches", "statements"] {
        let few = generate(folder.path(), &[&method[..], &["--cover", criterion]].concat());
        assert!(tests(&few).len() < tests(&all).len(), "{criterion}");
        assert_eq!(few["coverage"], all["coverage"]);
        let covered = &few["coverage"][0]["branches"];
        assert_eq!(covered["covered"], covered["all"]);
    }
}

#[test]
fn a_changed_model_is_told_from_its_tests() {
    let folder = folder();
    run(folder.path(), &["database.abs", "--json", "tests.json"]);
    let same = run(folder.path(), &["database.abs", "--compare", "tests.json"]);
    assert_eq!(same.code, Some(0), "{}{}", same.stdout, same.stderr);
    let changed = DATABASE.replace("if (answer == 5)", "if (answer != 5)");
    std::fs::write(folder.path().join("changed.abs"), changed).unwrap();
    let other = run(folder.path(), &["changed.abs", "--compare", "tests.json"]);
    assert_eq!(other.code, Some(1), "{}{}", other.stdout, other.stderr);
    assert!(other.stdout.contains("DatabaseImpl.register"), "{}", other.stdout);
    assert!(!other.stdout.contains('{'), "values are those of the language: {}", other.stdout);
}

#[test]
fn the_page_draws_the_tree_and_every_test() {
    let folder = folder();
    let method = ["database.abs", "--method", "DatabaseImpl.register", "--report", "page"];
    let ran = run(folder.path(), &method);
    let page = std::fs::read_to_string(folder.path().join("page/index.html")).unwrap();
    assert!(page.matches("<svg").count() >= 2, "{}{}", ran.stdout, ran.stderr);
    assert!(page.contains("this.checkOn") && page.contains("<mark"));
    assert!(
        page.contains(">this</text>") && !page.contains(">main</text>"),
        "a lane for each object"
    );
}

#[test]
fn misuse_is_explained_with_its_place() {
    let folder = folder();
    let float =
        "module F; interface I { Unit m(Float x); } class C implements I { Unit m(Float x) { } }";
    std::fs::write(folder.path().join("float.abs"), float).unwrap();
    std::fs::write(folder.path().join("Main.java"), "class Main {}").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["database.abs", "--method", "DatabaseImp.getData"], "Did you mean `DatabaseImpl`?"),
        (&["database.abs", "--method", "DatabaseImpl.getDat"], "`DatabaseImpl.getData`?"),
        (&["database.abs", "--method", "Worker.work"], "is an interface"),
        (&["database.abs", "--method", "membre"], "Did you mean `member`?"),
        (&["database.abs", "--loops", "many"], "expected a whole number above 0, or `none`"),
        (&["database.abs", "--switches", "0"], "it must be at least 1"),
        (&["database.abs", "--range", "3..1"], "no number lies between"),
        (&["float.abs", "--method", "C.m"], "parameter `x` cannot be unknown"),
        (&["missing.abs"], "cannot read"),
        (&["Main.java"], "takes ABS models"),
        (&["--resume", "database.abs"], "is not a saved generation"),
        (&["database.abs", "--compare", "database.abs"], "is not JSON"),
    ];
    for (arguments, message) in cases {
        let ran = run(folder.path(), arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}", ran.stdout);
        assert!(ran.stderr.contains(message), "{arguments:?}: {}", ran.stderr);
    }
}

/// Runs the tests in `tests.abs` with a model.
fn run_unit_tests(folder: &Path, model: &str) -> Ran {
    let text = std::fs::read_to_string(folder.join("tests.abs")).unwrap();
    let module = text.lines().find_map(|line| line.strip_prefix("module ")?.strip_suffix(';'));
    let module = module.expect("the tests are in a module");
    let product = ["--product", "Tests", "--main", module];
    counterpoint(folder, &[&["check", model, "tests.abs"], &product[..]].concat())
}

#[test]
fn tests_as_source_pass_and_fail_on_a_broken_model() {
    let folder = folder();
    for model in ["database.abs", "facts.abs"] {
        let written = run(folder.path(), &[model, "--output", "tests.abs"]);
        assert!(written.stderr.contains("unit tests in `tests.abs`"), "{}", written.stderr);
        let passed = run_unit_tests(folder.path(), model);
        assert_eq!(passed.code, Some(0), "{model}: {}{}", passed.stdout, passed.stderr);
    }
    run(folder.path(), &["database.abs", "--output", "tests.abs"]);
    let changed = DATABASE.replace("if (answer == 5)", "if (answer != 5)");
    std::fs::write(folder.path().join("changed.abs"), changed).unwrap();
    let broken = run_unit_tests(folder.path(), "changed.abs");
    assert_eq!(broken.code, Some(1), "{}{}", broken.stdout, broken.stderr);
    assert!(broken.stdout.contains("databaseImpl_register"), "{}", broken.stdout);
}

/// Two modules, a class that runs by itself, futures, strings put together, and a function that fails.
const SHOP: &str = r#"module Lib;
export *;
data Item = Item(Int key, String name) | NoItem;
interface Store { Item take(); }
class StoreImpl implements Store {
  List<Item> items = Nil;
  Item take() {
    Item first = NoItem;
    if (items != Nil) { first = head(items); items = tail(items); }
    return first;
  }
}

module Shop;
import * from Lib;
interface Clerk { String serve(Store store); Int later(Fut<Int> f); Unit keep(Fut<Int> f); }
class ClerkImpl(Int till) implements Clerk {
  Fut<Int> kept;
  Int days = 0;
  Unit run() { days = days + 1; }
  String serve(Store store) {
    Item item = await store!take();
    return case item { Item(key, name) => name + " #" + toString(key); NoItem => "sold out"; };
  }
  Int later(Fut<Int> f) { await f?; Int n = f.get; till = till + n; return till; }
  Unit keep(Fut<Int> f) { kept = f; }
}
def Int share(Int sum, Int people) = truncate(sum / people);
"#;

#[test]
fn every_test_of_a_model_with_modules_futures_and_strings_is_written_down() {
    let folder = folder();
    std::fs::write(folder.path().join("shop.abs"), SHOP).unwrap();
    let methods = ["serve", "later", "keep", "run"].map(|name| format!("ClerkImpl.{name}"));
    let mut arguments = vec!["shop.abs", "--method", "share", "--output", "tests.abs"];
    arguments.extend(methods.iter().flat_map(|method| ["--method", method]));
    let written = run(folder.path(), &arguments);
    let (screen, notes) = (&written.stdout, &written.stderr);
    assert!(screen.contains("returns \" #2\"") && !screen.contains('?'), "{screen}");
    assert!(!notes.contains("left out"), "{notes}{screen}");
    let passed = run_unit_tests(folder.path(), "shop.abs");
    assert_eq!(passed.code, Some(0), "{}{}", passed.stdout, passed.stderr);
    for (from, to) in [("\" #\"", "\" \""), ("days + 1", "days + 2"), ("till + n", "till - n - 1")]
    {
        std::fs::write(folder.path().join("changed.abs"), SHOP.replace(from, to)).unwrap();
        let broken = run_unit_tests(folder.path(), "changed.abs");
        assert_eq!(broken.code, Some(1), "{to}: {}{}", broken.stdout, broken.stderr);
    }
    let constraints = ["--method", "ClerkImpl.serve", "--form", "constraints"];
    let shown = run(folder.path(), &[&["shop.abs"], &constraints[..]].concat()).stdout;
    assert!(shown.contains(r#".name + " #" + toString("#), "{shown}");
}

/// A task that fails ends its object, and `check` tells that whatever a test expects.
#[test]
fn tests_in_which_an_object_dies_are_left_out_and_the_others_pass() {
    let folder = folder();
    let text = "module Risk;\nexception Odd;\ninterface P { Int parse(Int n); Int via(P p, Int n); }\n\
                class PImpl implements P {\n  \
                Int parse(Int n) { if (n > 3) { throw Odd; } return n; }\n  \
                Int via(P p, Int n) {\n    Int r = 0;\n    Fut<Int> f = p!parse(n);\n    await f?;\n    \
                try { r = f.get; } catch { _ => { r = 9; } }\n    return r;\n  }\n}\n";
    std::fs::write(folder.path().join("risk.abs"), text).unwrap();
    let written = run(folder.path(), &["risk.abs", "--output", "tests.abs"]).stderr;
    let reason = "because an exception that nobody catches ends an object: PImpl.via (2)";
    assert!(written.contains("4 unit tests") && written.contains(reason), "{written}");
    let passed = run_unit_tests(folder.path(), "risk.abs");
    assert_eq!(passed.code, Some(0), "{}{}", passed.stdout, passed.stderr);
}

/// A test awaits a duration only if the method leaves a task running, so that a model without time stays one.
#[test]
fn tests_wait_only_for_what_a_method_leaves_running() {
    let folder = folder();
    let text = "module Bank;\ninterface A { Unit put(Int n); }\ninterface B { Unit now(A a); Unit later(A a); }\n\
                class AImp implements A { Int sum = 0; Unit put(Int n) { sum = sum + n; } }\n\
                class BImp implements B {\n  Int done = 0;\n  \
                Unit now(A a) { Fut<Unit> f = a!put(1); f.get; done = 1; }\n  \
                Unit later(A a) { a!put(1); done = 1; }\n}\n{ }\n";
    std::fs::write(folder.path().join("bank.abs"), text).unwrap();
    for (method, waits) in [("BImp.now", false), ("BImp.later", true)] {
        run(folder.path(), &["bank.abs", "--method", method, "--output", "tests.abs"]);
        let tests = std::fs::read_to_string(folder.path().join("tests.abs")).unwrap();
        assert_eq!(tests.contains("await duration"), waits, "{method}: {tests}");
        let passed = run_unit_tests(folder.path(), "bank.abs");
        assert_eq!(passed.code, Some(0), "{method}: {}{}", passed.stdout, passed.stderr);
    }
}

#[test]
fn a_system_is_tested_from_one_context_of_each_class() {
    let folder = folder();
    let tasks = ["--task", "DatabaseImpl.register", "--task", "DatabaseImpl.getData=0..1"];
    let ran = run(folder.path(), &[&["database.abs", "--system"], &tasks[..]].concat());
    let contexts = "3 initial contexts\n  1. {[register] on DatabaseImpl 1}\n  \
                    2. {[register, getData] on DatabaseImpl 1}\n  \
                    3. {[register] on DatabaseImpl 1, [getData] on DatabaseImpl 2}\n";
    assert!(ran.stdout.starts_with(contexts), "{}{}", ran.stdout, ran.stderr);
    let many = ["--task", "DatabaseImpl.register=0..20", "--task", "DatabaseImpl.getData=0..20"];
    let ran = run(folder.path(), &[&["database.abs", "--system"], &many[..]].concat());
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("narrow"), "{}", ran.stderr);
}

/// Section 6.3.2 of `000`: two tests, both deadlocked; they are one trace.
#[test]
fn the_tasks_of_a_cycle_lead_to_its_deadlock() {
    let folder = folder();
    let arguments = ["running.abs", "--system", "--deadlock-tasks"];
    for (level, count) in [("none", 2), ("object", 1)] {
        let result = generate(folder.path(), &[&arguments[..], &["--reduction", level]].concat());
        assert_eq!(texts(&result, "outcome"), vec!["deadlock"; count], "{level}");
        assert_eq!(result["verdict"], "ok");
    }
}

/// Lines that a range of numbers, a limit, or the model itself keeps from being covered.
const REASONS: &str = "module Reasons;
interface Counter { Int count(Int n); }
class CounterImpl implements Counter {
  Int count(Int n) {
    Int r = 0;
    if (n > 100) {
      r = 1;
    }
    if (n > 5) {
      if (n < 3) {
        r = 2;
      }
    }
    Int i = 0;
    while (i < n) {
      if (n > 50) {
        r = 3;
      }
      i = i + 1;
    }
    if (i == 4) {
      r = 4;
    }
    return r;
  }
}
";

#[test]
fn what_is_not_covered_has_its_own_reason() {
    let folder = folder();
    std::fs::write(folder.path().join("reasons.abs"), REASONS).unwrap();
    let reasons = |more: &[&str]| -> Vec<(u64, String)> {
        let asked = ["reasons.abs", "--method", "CounterImpl.count"];
        let result = generate(folder.path(), &[&asked[..], more].concat());
        let missing = result["coverage"][0]["missing"].as_array().unwrap().clone();
        let statements = missing.iter().filter(|one| one["what"] == "a statement");
        statements
            .map(|one| (one["line"].as_u64().unwrap(), one["reason"].as_str().unwrap().to_string()))
            .collect()
    };
    let limit = "within the limit on loops";
    assert_eq!(
        reasons(&["--range", "0..10"]),
        [
            (7, "only numbers outside of the range 0..10 lead there".to_string()),
            (11, "no input in the range 0..10 leads there".to_string()),
            (17, format!("only numbers outside of the range 0..10 lead there {limit}")),
            (22, format!("no input in the range 0..10 leads there {limit}")),
        ]
    );
    assert_eq!(
        reasons(&[]),
        [(11, "no input leads there".to_string()), (22, format!("no input leads there {limit}")),]
    );
    assert_eq!(
        reasons(&["--loops", "5", "--range", "0..4"]),
        [
            (7, "only numbers outside of the range 0..4 lead there".to_string()),
            (10, "only numbers outside of the range 0..4 lead there".to_string()),
            (11, "no input in the range 0..4 leads there".to_string()),
            (17, "only numbers outside of the range 0..4 lead there".to_string()),
        ]
    );
}

/// Numbers that are divided, chosen and compared exactly, and amounts of time.
const NUMBERS: &str = "module Numbers;
interface Shop { Rat price(Rat base, Int percent); Int half(Int n); Int cap(Int n, Int m); Int nap(Int n); }
class ShopImpl implements Shop {
  Rat total = 0;
  Rat price(Rat base, Int percent) {
    Rat p = base * (100 - percent) / 100;
    if (p > 50) { p = 50; }
    total = total + p;
    return p;
  }
  Int half(Int n) {
    Int r = 0;
    if (truncate(n / 2) > 3) { r = truncate(n / 2); }
    return r;
  }
  Int cap(Int n, Int m) {
    Int r = max(n, m);
    if (r > 10) { r = abs(n); }
    return r;
  }
  Int nap(Int n) {
    await duration(n, n);
    Rat t = timeValue(now());
    return truncate(t);
  }
}
";

#[test]
fn conditions_and_results_mean_what_they_say_in_abs() {
    let folder = folder();
    std::fs::write(folder.path().join("numbers.abs"), NUMBERS).unwrap();
    let told = |method: &str| {
        let method = format!("ShopImpl.{method}");
        let asked = ["numbers.abs", "--form", "constraints", "--method", &method];
        let result = generate(folder.path(), &asked);
        let results: Vec<String> = tests(&result)
            .iter()
            .map(|test| test["outputs"]["result"].as_str().unwrap().to_string())
            .collect();
        (texts(&result, "condition"), results)
    };
    let (conditions, results) = told("half");
    assert_eq!(conditions, ["truncate(n / 2) < 4", "truncate(n / 2) >= 4"]);
    assert!(results.contains(&"truncate(n / 2)".to_string()), "{results:?}");
    let (conditions, results) = told("cap");
    assert_eq!(conditions, ["max(n, m) < 11", "max(n, m) >= 11"]);
    assert!(results.contains(&"abs(n)".to_string()), "{results:?}");
    let (conditions, results) = told("price");
    let product = "base * (100 - percent)";
    assert_eq!(conditions, [format!("{product} <= 5000"), format!("{product} > 5000")]);
    assert!(results.contains(&format!("{product} / 100")), "{results:?}");
}

#[test]
fn a_rational_lies_in_the_range() {
    let folder = folder();
    std::fs::write(folder.path().join("numbers.abs"), NUMBERS).unwrap();
    let asked = ["numbers.abs", "--method", "ShopImpl.price", "--range", "30..60"];
    let result = generate(folder.path(), &asked);
    assert!(!tests(&result).is_empty());
    for test in tests(&result) {
        let base = test["inputs"]["arguments"][0]["value"].as_str().unwrap();
        let (over, under) = base.split_once('/').unwrap_or((base, "1"));
        let value = over.parse::<f64>().unwrap() / under.parse::<f64>().unwrap();
        assert!((30.0..=60.0).contains(&value), "{base}");
    }
}

#[test]
fn an_unknown_amount_of_time_is_none_or_the_least_and_the_rest_is_said_to_be_cut() {
    let folder = folder();
    std::fs::write(folder.path().join("numbers.abs"), NUMBERS).unwrap();
    let result = generate(folder.path(), &["numbers.abs", "--method", "ShopImpl.nap"]);
    assert_eq!(texts(&result, "condition"), ["n <= 0", "n == 1"]);
    let mut results: Vec<&str> =
        tests(&result).iter().map(|test| test["outputs"]["result"].as_str().unwrap()).collect();
    results.sort_unstable();
    assert_eq!(results, ["0", "1"]);
    assert_eq!((&result["verdict"], &result["cut"]), (&"incomplete".into(), &1.into()));
    let cuts = result["cuts"].as_object().unwrap();
    let text = cuts.keys().next().unwrap();
    assert!(text.contains("an unknown amount of time but for n == 1, at numbers.abs:22"), "{text}");
}

#[test]
fn a_suite_in_a_folder_is_found_as_one_in_a_file_is() {
    let folder = folder();
    let models = folder.path().join("models");
    std::fs::create_dir(&models).unwrap();
    std::fs::write(models.join("reasons.abs"), REASONS).unwrap();
    let arguments = ["models/reasons.abs", "--output", "models/tests.abs"];
    run(folder.path(), &arguments);
    let product = ["--product", "Tests", "--main", "Reasons.Tests", "--json", "-"];
    for target in [&["models"][..], &["models/reasons.abs", "models/tests.abs"][..]] {
        let ran = counterpoint(folder.path(), &[&["check"], target, &product[..]].concat());
        let result: Value =
            serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
        assert_eq!((&result["reduction"], &result["verdict"]), (&"exact".into(), &"ok".into()));
    }
}

#[test]
fn ctrl_c_is_heard_while_the_solver_works() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../abs/tests/benchmark/book_shop.abs");
    let folder = tempfile::tempdir().expect("a temporary folder");
    for round in 0..6 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
        command.args(["generate", model, "--depth", "200", "--loops", "none", "--jobs", "1"]);
        command.current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(700 + 100 * round));
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("a command").success());
        let signalled = Instant::now();
        let code = loop {
            match child.try_wait().expect("its state") {
                Some(status) => break status.code(),
                None if signalled.elapsed() > Duration::from_secs(10) => {
                    child.kill().expect("it is there");
                    panic!("it goes on after Ctrl-C");
                }
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        assert_eq!(code, Some(3), "the rest was saved");
    }
}
