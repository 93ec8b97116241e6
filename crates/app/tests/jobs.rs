//! Explorations by several processes give what one gives, whoever is slow and whoever is killed.
//!
//! In the ordinary suite a few programs of every kind; with `COUNTERPOINT_LONG` in the environment, all programs of
//! the repository.

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::Workshop;
use serde_json::Value;

/// What makes workers come early and units short, and what makes workers slow and fail.
const HASTE: &str = "COUNTERPOINT_TEST_HASTE";
const FAULTS: &str = "COUNTERPOINT_TEST_FAULTS";

/// What names a file in which the units of workers are noted.
const UNIT_LOG: &str = "COUNTERPOINT_UNIT_LOG";

/// What must not depend on who does the work.
#[derive(Clone, PartialEq, Debug)]
struct Answer {
    code: Option<i32>,
    counts: Vec<(String, Value)>,
    findings: BTreeSet<String>,
}

fn answer(code: Option<i32>, result: &Value) -> Answer {
    let fields = ["verdict", "exhausted", "executions", "deadlocks", "cut", "bounds", "outcomes"];
    let finding = |finding: &Value| {
        let fields = ["kind", "message", "file", "line", "count"].map(|name| finding[name].clone());
        Value::from(fields.to_vec()).to_string()
    };
    let mut result = result.clone();
    let searched = result["cycles"].is_array();
    for outcome in result["outcomes"].as_array_mut().into_iter().flatten() {
        // Which of the executions that end alike is kept depends on who is first, but one is.
        // A search for deadlocks keeps none.
        assert!(searched || outcome["schedule"].is_object(), "{outcome}");
        outcome["schedule"] = Value::Null;
    }
    Answer {
        code,
        counts: fields.map(|name| (name.to_string(), result[name].clone())).to_vec(),
        findings: result["findings"].as_array().into_iter().flatten().map(finding).collect(),
    }
}

/// Explores with so many jobs. Faults are given as for the worker.
fn explored(mut command: Command, folder: &Path, jobs: usize, faults: &str) -> Answer {
    let result = folder.join(format!("result-{jobs}.json"));
    command.args(["--jobs", &jobs.to_string(), "--json"]).arg(&result);
    command.current_dir(folder).stdin(Stdio::null()).env(HASTE, "3").env(FAULTS, faults);
    let output = command.output().expect("the command line runs");
    let text = std::fs::read_to_string(&result).unwrap_or_else(|error| {
        panic!("{command:?}: {error}\n{}", String::from_utf8_lossy(&output.stderr))
    });
    answer(output.status.code(), &serde_json::from_str(&text).expect("JSON"))
}

/// Compares one job with several, which are slow, or slow and killed at random.
fn check(folder: &Path, command: impl Fn() -> Command) {
    let alone = explored(command(), folder, 1, "");
    let cases = [(3, "2,3,10"), (2, "1,5,0"), (8, "3,9,6")];
    for (jobs, faults) in cases.into_iter().take(if long() { cases.len() } else { 1 }) {
        let shared = explored(command(), folder, jobs, faults);
        assert_eq!(shared, alone, "{:?} with {jobs} jobs", command());
    }
}

fn counterpoint(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.arg("check").args(words);
    command
}

fn long() -> bool {
    std::env::var_os("COUNTERPOINT_LONG").is_some()
}

#[test]
fn programs_of_the_kit_come_to_the_same() {
    let programs = ["dining 4", "fib 2", "lock 3", "input", "counter", "crossed", "asleep"];
    for program in programs {
        let workshop = Workshop::new(&[("program.kit", program)]);
        for explorer in ["optimal", "dpor", "exhaustive", "guided"] {
            if explorer == "exhaustive" && ["dining 4", "lock 3", "fib 2"].contains(&program) {
                continue;
            }
            let words = ["check", "program.kit", "--explorer", explorer];
            check(workshop.path(), || workshop.command(&words));
        }
    }
}

#[test]
fn executions_drawn_at_random_are_the_same() {
    for program in ["dining 4", "counter", "crossed"] {
        let workshop = Workshop::new(&[("program.kit", program)]);
        for more in [&["--executions", "300"][..], &["--stop-at-first"]] {
            for explorer in ["random", "pct"] {
                let words = [&["check", "program.kit", "--explorer", explorer], more].concat();
                check(workshop.path(), || workshop.command(&words));
            }
        }
    }
}

/// What an exploration without `--jobs` comes to, and whether workers had a part in it.
fn unasked(workshop: &Workshop, more: &[&str], haste: Option<&str>) -> (Value, bool) {
    let log = workshop.path().join("units");
    let _ = std::fs::remove_file(&log);
    let words = [&["check", "program.kit", "--json", "result.json"], more].concat();
    let mut command = workshop.command(&words);
    command.env(UNIT_LOG, &log);
    if let Some(haste) = haste {
        command.env(HASTE, haste);
    }
    command.output().expect("it runs");
    (workshop.json("result.json"), log.exists())
}

#[test]
fn unless_asked_all_cores_work_on_what_takes_long_and_one_on_what_does_not() {
    let several = std::thread::available_parallelism().is_ok_and(|cores| cores.get() > 1);
    let workshop = Workshop::new(&[("program.kit", "counter")]);
    let (small, divided) = unasked(&workshop, &[], None);
    assert!(!divided, "{small}");
    // In haste everything takes long.
    let workshop = Workshop::new(&[("program.kit", "dining 4")]);
    let (large, divided) = unasked(&workshop, &[], Some("3"));
    assert_eq!(divided, several, "{large}");
    let (alone, _) = unasked(&workshop, &["--jobs", "1"], None);
    assert_eq!(answer(Some(1), &large), answer(Some(1), &alone));
    // The first executions are the same ones each time.
    let (limited, divided) = unasked(&workshop, &["--executions", "20"], Some("3"));
    assert!(!divided, "{limited}");
    assert_eq!(limited["executions"], 20);
    let one_net = ["--explorer", "unfolding"];
    let (_, divided) = unasked(&workshop, &one_net, Some("3"));
    assert!(!divided);
}

#[test]
fn an_explorer_that_is_not_divided_says_so() {
    let workshop = Workshop::new(&[("program.kit", "dining 3")]);
    for (jobs, said) in [(&[][..], false), (&["--jobs", "1"], false), (&["--jobs", "2"], true)] {
        let words = [&["check", "program.kit", "--explorer", "unfolding"], jobs].concat();
        let output = workshop.command(&words).output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).replace('\n', " ");
        assert_eq!(text.contains("`unfolding` uses one process"), said, "{text}");
    }
}

/// A result without what depends on the clock.
fn without_times(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let timeless = fields.into_iter().filter(|(name, _)| name != "seconds");
            Value::Object(timeless.map(|(name, field)| (name, without_times(field))).collect())
        }
        Value::Array(parts) => parts.into_iter().map(without_times).collect(),
        other => other,
    }
}

#[test]
fn pieces_of_other_commands_come_to_the_same() {
    let models = corpus("abs/tests/corpus", "abs");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let wanted = ["dining_philosophers", "bounded_buffer"];
    for path in
        models.iter().filter(|path| wanted.iter().any(|own| path.ends_with(format!("{own}.abs"))))
    {
        for command in ["deadlocks", "generate"] {
            let results: Vec<Value> = [1, 2, 5]
                .map(|jobs: usize| {
                    let result = folder.path().join("result.json");
                    let mut run = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
                    run.arg(command).arg(path).args(["--jobs", &jobs.to_string(), "--json"]);
                    // Others begin at once, or when one process has done a part.
                    if jobs == 2 {
                        run.env(HASTE, "3");
                    }
                    let output = run.arg(&result).current_dir(folder.path()).output();
                    let output = output.expect("it runs");
                    let text = std::fs::read_to_string(&result).unwrap_or_else(|error| {
                        panic!("{run:?}: {error} {}", String::from_utf8_lossy(&output.stderr))
                    });
                    without_times(serde_json::from_str(&text).expect("JSON"))
                })
                .to_vec();
            assert_eq!(results[0], results[1], "{command} {}", path.display());
            assert_eq!(results[0], results[2], "{command} {}", path.display());
        }
    }
}

#[test]
fn one_search_for_all_deadlocks_comes_to_the_same() {
    let models = corpus("abs/tests/corpus", "abs");
    let path = models.iter().find(|path| path.ends_with("database_workers.abs")).expect("a model");
    let text = std::fs::read_to_string(path).expect("readable").replace("Int n = 1;", "Int n = 4;");
    let workshop = Workshop::new(&[("workers.abs", &text)]);
    check(workshop.path(), || counterpoint(&["workers.abs", "--deadlocks", "all"]));
}

/// The files with this ending below a folder of the repository.
fn corpus(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let entries = std::fs::read_dir(folder).expect("the corpus is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.retain(|path| path.extension().is_some_and(|own| own == ending));
    files.sort();
    files
}

fn check_all(files: &[PathBuf], some: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let chosen = |path: &&PathBuf| {
        long() || some.iter().any(|name| path.file_stem().is_some_and(|stem| stem == *name))
    };
    let mut number = 0;
    for path in files.iter().filter(chosen) {
        number += 1;
        let text = path.to_str().expect("a readable name");
        // Some of them need a limit, which must not be met by chance.
        check(folder.path(), || counterpoint(&[text, "--steps", "4000", "--memory", "2G"]));
    }
    assert!(number >= some.len());
}

#[test]
fn models_come_to_the_same() {
    let some = ["bounded_buffer", "dining_philosophers", "guards", "map_reduce", "try_finally"];
    check_all(&corpus("abs/tests/corpus", "abs"), &some);
}

#[test]
fn java_programs_come_to_the_same() {
    let files = [corpus("jvm/tests/bugs", "java"), corpus("jvm/tests/everyday", "java")].concat();
    check_all(&files, &["ThreeLocks", "DoubleCheckedLocking", "TicketLock"]);
}

#[test]
fn an_exploration_goes_on_with_any_number_of_jobs() {
    let workshop = Workshop::new(&[("program.kit", "dining 6")]);
    let words = ["check", "program.kit"];
    let whole = explored(workshop.command(&words), workshop.path(), 1, "");
    for (first, second) in [(2, 1), (1, 2), (3, 2)] {
        let workshop = Workshop::new(&[("program.kit", "dining 6")]);
        let mut command = workshop.command(&words);
        command.args(["--jobs", &first.to_string(), "--executions", "2000"]);
        let output = command.env(HASTE, "5").output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("--resume"), "{text}");
        let kept = workshop.kept(".resume.json");
        let rest = workshop.command(&["check", "--resume", &kept]);
        assert_eq!(explored(rest, workshop.path(), second, ""), whole, "{first}, then {second}");
    }
}

#[test]
fn limits_hold_for_all_together() {
    let workshop = Workshop::new(&[("program.kit", "dining 8")]);
    let words = ["check", "program.kit", "--jobs", "3", "--json", "result.json"];
    let run = |more: &[&str]| {
        let started = Instant::now();
        let mut command = workshop.command(&[&words[..], more].concat());
        command.env(HASTE, "50").output().expect("it runs");
        (workshop.json("result.json"), started.elapsed())
    };
    let (result, _) = run(&["--executions", "3000"]);
    assert_eq!(result["executions"], 3000);
    assert_eq!(result["exhausted"], false);
    let (result, time) = run(&["--time", "1"]);
    assert_eq!(result["bounds"][0]["bound"], "time", "{}", result["bounds"]);
    assert!(time < Duration::from_secs(4), "{time:?}");
    let (result, time) = run(&["--stop-at-first"]);
    assert_eq!(result["verdict"], "bug");
    assert_eq!(result["findings"].as_array().map(Vec::len), Some(1));
    assert!(time < Duration::from_secs(20), "{time:?}");
}

#[test]
fn a_unit_that_kills_its_workers_is_named() {
    let workshop = Workshop::new(&[("program.kit", "dining 4")]);
    let mut command = workshop.command(&["check", "program.kit", "--json", "result.json"]);
    command.args(["--jobs", "2"]).env(HASTE, "3").env(FAULTS, "1,0,200");
    let output = command.output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("3 workers died exploring what follows these steps"), "{text}");
    assert_eq!(workshop.json("result.json")["exhausted"], false, "{text}");
}
