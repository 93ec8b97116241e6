//! Generation by several threads gives what one thread gives, whoever is fast, wherever it is divided and stopped.
//!
//! Haste makes threads divide their work after each execution.

use crate::common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::without_times;
use serde_json::Value;

const HASTE: &str = "COUNTERPOINT_TEST_HASTE";

/// A model among the tests of the front end.
fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../abs/tests").join(name)
}

/// The result file of a generation without what depends on the clock.
fn generated(folder: &Path, words: &[&str], jobs: usize, haste: bool) -> Value {
    let result = folder.join("result.json");
    let _ = std::fs::remove_file(&result);
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.arg("generate").args(words).args(["--jobs", &jobs.to_string(), "--json"]).arg(&result);
    if haste {
        command.env(HASTE, "0");
    }
    let output = command.current_dir(folder).output().expect("it runs");
    let text = std::fs::read_to_string(&result).unwrap_or_else(|error| {
        panic!("{command:?}: {error} {}", String::from_utf8_lossy(&output.stderr))
    });
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("internal error"), "{errors}");
    without_times(serde_json::from_str(&text).expect("JSON"))
}

/// Says where results differ: they are too long to be shown.
fn assert_same(one: &Value, other: &Value, what: &str) {
    if one == other {
        return;
    }
    for (name, field) in one.as_object().expect("a result") {
        match (field, &other[name]) {
            (Value::Array(one), Value::Array(other)) => {
                let pairs = one.iter().zip(other).enumerate();
                for (number, (one, other)) in pairs {
                    assert_eq!(one, other, "{what}: {name} {number}");
                }
                assert_eq!(one.len(), other.len(), "{what}: {name}");
            }
            (one, other) => assert_eq!(one, other, "{what}: {name}"),
        }
    }
    panic!("{what}: the results have different fields");
}

fn check(name: &str, more: &[&str]) -> u64 {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = model(name);
    let words = [&[path.to_str().expect("a readable name")], more].concat();
    let alone = generated(folder.path(), &words, 1, false);
    for (jobs, haste) in [(2, false), (2, true), (3, true), (8, true)] {
        let shared = generated(folder.path(), &words, jobs, haste);
        assert_same(&alone, &shared, &format!("{words:?} by {jobs}, in haste: {haste}"));
    }
    alone["executions"].as_u64().expect("a number")
}

#[test]
fn methods_are_divided_without_a_trace() {
    let models = [
        "benchmark/book_shop.abs",
        "benchmark/bounded_buffer.abs",
        "benchmark/hash_table.abs",
        "corpus/factorial.abs",
        "corpus/leader_election.abs",
        "corpus/old_shop.old.abs",
        "generation/models/database.abs",
        "generation/models/maps.abs",
        "generation/models/rationals.abs",
        "generation/models/strings.abs",
        "generation/models/sum_facts.abs",
        "generation/models/user_data.abs",
    ];
    let executions: u64 = models.iter().map(|model| check(model, &[])).sum();
    assert!(executions > 1000);
}

#[test]
fn one_large_method_is_divided_without_a_trace() {
    let words = ["--method", "DistHT.getAllKeys", "--depth", "150", "--loops", "none"];
    assert!(check("benchmark/hash_table.abs", &words) > 500);
}

/// Where several tasks can move, the order is that of their names.
#[test]
fn orders_of_tasks_are_divided_without_a_trace() {
    for (model, more) in [
        ("corpus/leader_election.abs", &["--schedules", "all", "--reduction", "none"][..]),
        ("generation/models/awaits.abs", &["--schedules", "all", "--reduction", "none"]),
        ("generation/models/database.abs", &["--object-policy", "nondeterministic"]),
        ("generation/models/database.abs", &["--task-policy", "nondeterministic"]),
        ("generation/models/database.abs", &["--reduction", "object"]),
        ("generation/models/database.abs", &["--reduction", "exact"]),
    ] {
        check(model, more);
    }
}

#[test]
fn a_generation_goes_on_with_any_number_of_threads() {
    let path = model("benchmark/hash_table.abs");
    let path = path.to_str().expect("a readable name");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let whole = generated(folder.path(), &[path], 1, false);
    let saved = ".counterpoint/hash_table.generate.json";
    // What is left differs each time, and what comes of it does not.
    for numbers in [[3, 1, 2], [8, 2, 1], [1, 3, 2]] {
        let (mut stops, mut rests) = (0usize, 0);
        let mut words = vec![path];
        let last = loop {
            let jobs = numbers[stops % 3];
            // Longer each time: on a machine that is busy with other things, the first ones come to nothing.
            let time = format!("{:.3}", 0.02 * f64::from(1 << stops.min(6)));
            let limit: &[&str] = match (stops, jobs) {
                // One thread keeps to executions.
                (..6, 1) => &["--executions", "50"],
                (..6, _) => &["--time", &time],
                _ => &[],
            };
            let part = generated(folder.path(), &[&words, limit].concat(), jobs, true);
            if part["exhausted"] == true {
                break part;
            }
            stops += 1;
            words = vec!["--resume", saved];
            let text = std::fs::read_to_string(folder.path().join(saved)).expect("it was saved");
            let file: Value = serde_json::from_str(&text).expect("JSON");
            let targets = file["targets"].as_array().expect("targets").iter();
            let units = targets.map(|target| target["unexplored"].as_array().map_or(0, Vec::len));
            rests = rests.max(units.max().unwrap_or(0));
        };
        assert!(stops > 1, "{numbers:?}: it was never stopped");
        assert!(rests > 1, "{numbers:?}: a method was never stopped in several places");
        for field in ["tests", "executions", "cuts", "coverage", "bounds", "verdict", "claim"] {
            assert_same(
                &serde_json::json!({ field: whole[field] }),
                &serde_json::json!({ field: last[field] }),
                &format!("{numbers:?}"),
            );
        }
    }
}
