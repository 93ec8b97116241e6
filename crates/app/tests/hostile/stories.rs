//! Findings whose stories are long: they are told in time or not at all, and are reported in any case.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::BINARY;

/// A program that fails after some 200,000 steps, of which its story takes seconds.
const JAVA: (&str, &str) = (
    "A.java",
    "class A { static volatile int x; public static void main(String[] a) throws Exception { \
     Thread t = new Thread(() -> { for (int i = 0; i < 100000; i++) x = i; }); t.start(); \
     for (int i = 0; i < 100000; i++) x = -i; t.join(); \
     if (x < 1000000) throw new IllegalStateException(\"too low\"); } }",
);

/// A model that does.
const MODEL: (&str, &str) = (
    "m.abs",
    "module M; interface I { Unit go(); } class C implements I { Int f = 0; Unit go() { f = f + 1; } }\n\
     { I o = new C(); Int i = 0; while (i < 30000) { Fut<Unit> x = o!go(); await x?; i = i + 1; } assert i < 100; }",
);

/// How long a command may take after its limit or a signal, on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is said of the finding of a program.
struct Said {
    code: Option<i32>,
    screen: String,
    result: Value,
}

/// Checks a program with these words, and sends a signal as soon as something was found. A schedule that was kept by an
/// earlier check is found at once, and its story begins.
fn said(folder: &Path, (file, text): (&str, &str), words: &[&str], signal: Option<&str>) -> Said {
    std::fs::write(folder.join(file), text).unwrap();
    let events = folder.join("events");
    let _ = std::fs::remove_file(&events);
    let mut child = Command::new(BINARY)
        .args(["check", file, "--jobs", "1", "--steps", "1000000", "--stop-at-first"])
        .args(["--json", "result.json", "--events", "events"])
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(folder.join("screen")).unwrap())
        .stderr(std::fs::File::create(folder.join("complaints")).unwrap())
        .spawn()
        .unwrap();
    let has_found = || {
        let text = std::fs::read_to_string(&events).unwrap_or_default();
        text.contains("\"event\":\"finding\"")
    };
    let started = Instant::now();
    while !has_found() && child.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing is found");
        std::thread::sleep(Duration::from_millis(5));
    }
    if let Some(signal) = signal {
        let id = child.id().to_string();
        assert!(
            Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap().success()
        );
    }
    let found = Instant::now();
    let code = child.wait().unwrap().code();
    assert!(found.elapsed() < PATIENCE, "{words:?} {signal:?}: {:?}", found.elapsed());
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    let screen = read("screen") + &read("complaints");
    let result = serde_json::from_str(&read("result.json")).expect(&screen);
    Said { code, screen, result }
}

/// The finding is there, with all that is known without its story, and its schedule shows it again.
fn is_reported_untold(said: &Said, message: &str, place: &str) {
    let Said { code, screen, result } = said;
    assert_eq!(*code, Some(1), "{screen}");
    for part in [message, place, "not told", "Replay: counterpoint replay .counterpoint/"] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    assert!(!screen.contains("internal error") && !screen.contains("panicked"), "{screen}");
    let finding = &result["findings"][0];
    assert_eq!(finding["untold"], true, "{screen}");
    assert!(finding["message"].as_str().unwrap().contains(message), "{}", finding["message"]);
    assert_eq!(finding["trace"], Value::Array(Vec::new()));
    let steps = finding["schedule"]["steps"].as_array().expect("a list").len();
    assert!(steps > 20_000, "{steps}");
}

/// Its schedule shows the failure again.
fn is_replayed(folder: &Path, screen: &str) {
    let kept = screen.lines().find_map(|line| line.split_once("Replay: counterpoint ")).unwrap().1;
    let words: Vec<&str> = kept.split_whitespace().collect();
    let replay = Command::new(BINARY).args(words).current_dir(folder).output().unwrap();
    let text = String::from_utf8_lossy(&replay.stdout).into_owned();
    assert!(text.contains("reproduced: the same failure"), "{text}");
}

fn check(program: (&str, &str), signals: &[&str], message: &str, place: &str) {
    let folder = tempfile::tempdir().unwrap();
    // To tell it takes longer than to find it. So the first of these limits that is enough for the failure is not enough
    // for its story; or if the machine had other things to do before, the story of the schedule that was kept takes longer
    // than the lowest limits.
    let limits = ["0.25", "0.5", "1", "2", "4", "8", "16", "32"];
    let first = limits
        .iter()
        .chain(&limits)
        .map(|limit| said(folder.path(), program, &["--time", limit], None))
        .find(|said| said.result["findings"][0]["untold"] == true)
        .expect("it fails, and there is no time for its story");
    is_reported_untold(&first, message, place);
    is_replayed(folder.path(), &first.screen);
    for signal in signals {
        let again = said(folder.path(), program, &["--time", "100"], Some(signal));
        is_reported_untold(&again, message, place);
    }
}

#[test]
fn a_failure_of_java_after_many_steps_is_reported_in_time_and_after_signals() {
    check(JAVA, &["INT", "TERM"], "too low", "A.java:1");
}

#[test]
fn a_failure_of_a_model_after_many_steps_is_reported_in_time_and_after_signals() {
    check(MODEL, &["INT", "TERM"], "assertion failed", "m.abs:2");
}
