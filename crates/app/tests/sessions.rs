//! Explorations that are interrupted, killed, continued and repeated.

use crate::common;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::Workshop;
use serde_json::Value;

fn totals(result: &Value) -> Value {
    let mut result = result.clone();
    result["seconds"] = 0.into();
    result
}

/// The final states and how often they were met; which of the executions that end alike is kept may differ.
fn states(result: &Value) -> Vec<(Value, Value)> {
    let states = result["outcomes"].as_array().into_iter().flatten();
    states.map(|state| (state["state"].clone(), state["executions"].clone())).collect()
}

/// What was found and how often; which of several equally short schedules shows it may differ.
fn names(result: &Value) -> Vec<String> {
    let findings = result["findings"].as_array().expect("a list").iter();
    findings
        .map(|finding| {
            let name = ["kind", "message", "places", "count"].map(|field| finding[field].clone());
            Value::from(name.to_vec()).to_string()
        })
        .collect()
}

/// Signals twice at once, as `timeout` does.
fn signal(process: u32, name: &str) {
    let process = process.to_string();
    let status = Command::new("kill").args([name, &process, &process]).status();
    assert!(status.unwrap().success());
}

/// What both kinds of explorations are tried with: their targets, the command, its words, its code.
struct Long {
    targets: &'static [(&'static str, &'static str)],
    command: fn(&Workshop, &[&str]) -> Command,
    words: &'static [&'static str],
    jobs: &'static str,
    code: i32,
}

/// A program of the test kit.
const KIT: Long = Long {
    targets: &[("dining.kit", "dining 7")],
    command: |workshop, words| workshop.command(words),
    words: &["check", "dining.kit"],
    jobs: "1",
    code: 1,
};

/// A Java program.
const JAVA: Long = Long {
    targets: &[("Sections.java", include_str!("java/Sections.java"))],
    command: |workshop, words| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
        command.args(words).current_dir(workshop.path()).stdin(Stdio::null());
        command
    },
    words: &["check", "Sections.java", "3", "3", "2", "2", "2"],
    jobs: "2",
    code: 0,
};

impl Long {
    fn with(&self, workshop: &Workshop, more: &[&str]) -> Command {
        (self.command)(workshop, &[self.words, &["--jobs", self.jobs], more].concat())
    }

    fn whole(&self) -> Value {
        let workshop = Workshop::new(self.targets);
        let output = self.with(&workshop, &["--json", "whole.json"]).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(self.code), "{complaint}");
        totals(&workshop.json("whole.json"))
    }
}

fn continues_to_the_same_result(long: &Long) {
    let whole = long.whole();
    for name in ["-INT", "-KILL"] {
        let workshop = Workshop::new(long.targets);
        let mut child = long
            .with(&workshop, &["--json", "first.json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let folder = workshop.path().join(".counterpoint");
        let started = Instant::now();
        let saved = || {
            let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            files.map(|file| file.file_name()).any(|file| {
                let name = file.to_string_lossy().into_owned();
                name.ends_with(".resume.json") && !name.starts_with('.')
            })
        };
        while started.elapsed() < Duration::from_secs(60) && !saved() {
            assert_eq!(child.try_wait().unwrap(), None, "it ended before it was saved");
            std::thread::sleep(Duration::from_millis(20));
        }
        signal(child.id(), name);
        let output = child.wait_with_output().unwrap();
        if name == "-INT" {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(text.contains("To continue: counterpoint check --resume"), "{text}");
            assert_eq!(workshop.json("first.json")["exhausted"], false);
        }
        let file = workshop.kept(".resume.json");
        let words = ["check", "--resume", &file, "--json", "rest.json", "--jobs", long.jobs];
        let output = (long.command)(&workshop, &words).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(long.code), "{complaint}");
        let rest = totals(&workshop.json("rest.json"));
        for field in ["executions", "deadlocks", "exhausted", "verdict"] {
            assert_eq!(rest[field], whole[field], "{name}: {field}");
        }
        if long.jobs == "1" {
            // With several, which executions are given up depends on who is fast.
            assert_eq!(rest["abandoned"], whole["abandoned"], "{name}: abandoned");
        }
        assert!(states(&rest) == states(&whole), "{name}: other final states");
        assert_eq!(names(&rest), names(&whole), "{name}: other findings");
        assert!(!workshop.path().join(&file).exists(), "nothing is left to continue");
    }
}

#[test]
fn interrupted_and_killed_explorations_continue_to_the_same_result() {
    continues_to_the_same_result(&KIT);
}

#[test]
fn those_of_java_programs_do_so_too() {
    continues_to_the_same_result(&JAVA);
}

/// The order of readers is found to matter after some executions, and all are done again.
#[test]
fn a_net_that_is_begun_again_after_a_pause_counts_what_it_counts_without_one() {
    let target = [("SnapshotBug.java", include_str!("../../jvm/tests/nets/SnapshotBug.java"))];
    for explorer in ["contextual", "stateful-naive"] {
        let long = |words: &[&str], workshop: &Workshop| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
            command.args(words).current_dir(workshop.path()).stdin(Stdio::null());
            command.output().unwrap().status.code()
        };
        let words = ["check", "SnapshotBug.java", "--explorer", explorer, "--json"];
        let workshop = Workshop::new(&target);
        assert_eq!(long(&[&words[..], &["whole.json"]].concat(), &workshop), Some(1));
        let whole = workshop.json("whole.json");
        let workshop = Workshop::new(&target);
        long(&[&words[..], &["first.json", "--executions", "1"]].concat(), &workshop);
        let first = workshop.json("first.json");
        assert_eq!((&first["executions"], &first["exhausted"]), (&1.into(), &false.into()));
        let file = workshop.kept(".resume.json");
        assert_eq!(long(&["check", "--resume", &file, "--json", "rest.json"], &workshop), Some(1));
        let rest = workshop.json("rest.json");
        for field in ["executions", "abandoned", "deadlocks", "events", "exhausted", "outcomes"] {
            assert_eq!(rest[field], whole[field], "{explorer}: {field}");
        }
        assert!(whole["abandoned"].as_u64() > Some(0), "{explorer} begins again");
        assert_eq!(names(&rest), names(&whole), "{explorer}");
        assert!(!workshop.path().join(&file).exists(), "nothing is left to continue");
    }
}

#[test]
fn a_failing_schedule_is_tried_first_next_time() {
    let workshop = Workshop::new(&[("dining.kit", "dining 5")]);
    let arguments = ["check", "dining.kit", "--stop-at-first", "--json", "result.json"];
    workshop.run(&arguments);
    let first = workshop.json("result.json");
    assert!(first["executions"].as_u64().unwrap() > 1);
    assert_eq!(workshop.run(&arguments).code, Some(1));
    let second = workshop.json("result.json");
    assert_eq!(second["executions"], 1);
    assert_eq!(second["findings"][0]["schedule"], first["findings"][0]["schedule"]);
}

#[test]
fn a_second_run_gives_the_same_result() {
    let workshop = Workshop::new(&[("counter.kit", "counter")]);
    let arguments = ["check", "counter.kit", "--races", "--json", "result.json"];
    workshop.run(&arguments);
    let first = totals(&workshop.json("result.json"));
    workshop.run(&arguments);
    assert_eq!(totals(&workshop.json("result.json")), first);
}

#[test]
fn a_repaired_program_forgets_its_failures() {
    let workshop = Workshop::new(&[("locks.kit", "crossed")]);
    workshop.run(&["check", "locks.kit"]);
    workshop.kept("deadlock");
    std::fs::write(workshop.path().join("locks.kit"), "fib 2").unwrap();
    assert_eq!(workshop.run(&["check", "locks.kit"]).code, Some(0));
    let left = std::fs::read_dir(workshop.path().join(".counterpoint")).unwrap().count();
    assert_eq!(left, 0);
}

#[test]
fn what_is_not_looked_for_is_not_forgotten() {
    let workshop = Workshop::new(&[("counter.kit", "counter")]);
    workshop.run(&["check", "counter.kit", "--property", "race"]);
    let kept = || std::fs::read_dir(workshop.path().join(".counterpoint")).unwrap().count();
    let before = kept();
    assert!(before > 0);
    workshop.run(&["check", "counter.kit", "--property", "deadlock"]);
    assert_eq!(kept(), before);
}

/// Schedules are drawn at random unless an explorer was chosen, at the start or when the exploration is continued.
#[test]
fn an_explorer_that_was_chosen_is_alone_when_the_exploration_is_continued() {
    let chosen: &[&str] = &["--explorer", "optimal"];
    for (at_first, later) in [(&[][..], &[][..]), (chosen, &[]), (&[], chosen)] {
        let workshop = Workshop::new(&[("fib.kit", "fib 9")]);
        let first = ["check", "fib.kit", "--time", "0.05", "--json", "first.json"];
        assert_eq!(workshop.run(&[&first, at_first].concat()).code, Some(3));
        // It is said if there are any.
        let sampled = |result: &Value| result["sampled"].as_u64().unwrap_or(0);
        assert_eq!(sampled(&workshop.json("first.json")), 0, "the first part was not over");
        let file = workshop.kept(".resume.json");
        let alone = !(at_first.is_empty() && later.is_empty());
        // On a machine that is busy, the first part of an exploration can take longer than it should.
        let mut result = Value::Null;
        for seconds in ["1.5", "6", "24"] {
            let rest = ["check", "--resume", &file, "--time", seconds, "--json", "rest.json"];
            assert_eq!(workshop.run(&[&rest, later].concat()).code, Some(3));
            result = workshop.json("rest.json");
            if alone || sampled(&result) > 0 {
                break;
            }
        }
        assert!(result["explorer"] == "optimal" && result["executions"].as_u64() > Some(0));
        assert_eq!(sampled(&result) == 0, alone, "{at_first:?} {later:?}: {result}");
    }
}

#[test]
fn a_time_limit_is_kept_over_the_parts() {
    let workshop = Workshop::new(&[("fib.kit", "fib 9")]);
    let started = Instant::now();
    let ran = workshop.run(&["check", "fib.kit", "--time", "1.5", "--json", "result.json"]);
    assert_eq!(ran.code, Some(3));
    assert!(started.elapsed() < Duration::from_secs(20));
    let result = workshop.json("result.json");
    assert_eq!(result["bounds"][0]["bound"], "time");
    assert!(ran.stdout.contains("stopped by the time limit"), "{}", ran.stdout);
}

/// What only the first executions relied on holds for the whole result.
#[test]
fn what_was_assumed_before_a_pause_is_said_after_it() {
    let target = [("Asking.java", include_str!("java/Asking.java"))];
    let assumed = |executions: &[&str]| {
        let workshop = Workshop::new(&target);
        let run = |words: &[&str]| {
            let output = (JAVA.command)(&workshop, words).output().unwrap();
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        run(&[&["check", "Asking.java"], executions].concat());
        if !executions.is_empty() {
            run(&["check", "--resume", &workshop.kept(".resume.json"), "--json", "rest.json"]);
            return workshop.json("rest.json")["assumptions"].clone();
        }
        run(&["check", "Asking.java", "--json", "whole.json"]);
        workshop.json("whole.json")["assumptions"].clone()
    };
    let whole = assumed(&[]);
    assert!(whole.to_string().contains("time passes only in sleeps"), "{whole}");
    assert_eq!(assumed(&["--executions", "1"]), whole);
    assert_eq!(assumed(&["--executions", "2"]), whole);
}
