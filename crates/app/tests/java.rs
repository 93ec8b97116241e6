//! Java programs on the command line: a golden screen for each kind of finding, and for what goes
//! wrong with programs that cannot be run.

use crate::java_page;

use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A folder with the programs beside this file.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    for entry in std::fs::read_dir(programs).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    folder
}

fn command(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.args(arguments).current_dir(folder.path());
    command
}

/// What a user sees. Names of temporary folders are nobody's business.
fn screen(mut command: Command, arguments: &[&str]) -> String {
    let output = command.output().unwrap();
    let mut text = format!("$ counterpoint {}\n", arguments.join(" "));
    text += &String::from_utf8(output.stdout).unwrap();
    if !output.stderr.is_empty() {
        text += &format!("[stderr]\n{}", String::from_utf8(output.stderr).unwrap());
    }
    text + &format!("[exit code {}]\n", output.status.code().unwrap())
}

fn check(folder: &TempDir, arguments: &[&str]) -> String {
    screen(command(folder, arguments), arguments)
}

const BOXED: &[&str] = &[
    "check",
    "BoxedInput.java",
    "--input",
    "BoxedInput.limit",
    "--input",
    "BoxedInput.strict",
    "--stop-at-first",
];

#[test]
fn each_kind_of_finding_has_its_screen() {
    let folder = folder();
    let runs: &[(&str, &[&str])] = &[
        ("uncaught_exception", &["check", "Uncaught.java", "--stop-at-first"]),
        ("failed_assertion", &["check", "Assertion.java", "--stop-at-first"]),
        ("deadlock_of_monitors", &["check", "Monitors.java"]),
        ("deadlock_of_locks", &["check", "Locks.java"]),
        ("deadlock_of_a_join", &["check", "Joins.java"]),
        ("lost_notification", &["check", "LostNotification.java"]),
        ("latch", &["check", "Latch.java", "--stop-at-first"]),
        ("race", &["check", "Race.java", "--races"]),
        ("wait_outside_a_loop", &["check", "Hasty.java", "--spurious"]),
        ("pool", &["check", "Pool.java"]),
        ("pool_of_withdrawals", &["check", "PoolTransfer.java", "--stop-at-first"]),
        ("future", &["check", "FutureCache.java"]),
        ("queue", &["check", "QueueStop.java"]),
        ("timer", &["check", "TimerFlag.java"]),
        ("parallel_stream", &["check", "ParallelSum.java", "--stop-at-first"]),
        ("fork_join", &["check", "ForkedSum.java"]),
        ("thread_that_never_ran", &["check", "ConfigNull.java"]),
        ("listener_too_late", &["check", "Listeners.java"]),
        ("endless_loop", &["check", "Spinning.java"]),
        ("boxed_inputs", BOXED),
        ("dining_cycle", &["check", "Dining.java"]),
        ("outputs", &["check", "Results.java"]),
        ("exit", &["check", "Exit.java"]),
        ("long_limit", &["check", "LongLimit.java"]),
        ("long_limit_expires", &["check", "LongLimit.java", "--timeouts", "any"]),
        ("short_limit", &["check", "ShortLimit.java"]),
        ("short_limit_is_meant", &["check", "ShortLimit.java", "--timeouts", "patient"]),
        ("no_limit", &["check", "ShortLimit.java", "--timeouts", "soon"]),
        ("missing_native", &["check", "Native.java"]),
        ("inputs", &["check", "Inputs.java", "--input", "Inputs.amount"]),
    ];
    for (name, arguments) in runs {
        insta::assert_snapshot!(*name, check(&folder, arguments));
    }
}

#[test]
fn bounded_explorers_say_what_they_covered_and_mark_non_local_reads() {
    let folder = folder();
    let mutual =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../jvm/tests/interference/Mutual.java");
    std::fs::copy(mutual, folder.path().join("Mutual.java")).unwrap();
    let last = |text: &str| text.lines().rev().nth(1).unwrap_or_default().to_string();
    let switches =
        check(&folder, &["check", "Mutual.java", "--explorer", "preemptions", "--bound", "2"]);
    let claim = "incomplete: no failure with at most 2 preemptions: 13 executions; \
                 executions with more exist";
    assert!(last(&switches).starts_with(claim), "{switches}");
    assert!(switches.ends_with("[exit code 3]\n"), "{switches}");
    let victim = ["check", "Mutual.java", "--explorer", "interference", "--victim", "second"];
    let spared = check(&folder, &victim);
    assert!(last(&spared).starts_with("incomplete: no failure with at most 3 non-local reads: "));
    assert!(last(&spared).contains("the bound claims nothing about deadlocks"), "{spared}");
    let found = check(&folder, &["check", "Mutual.java", "--explorer", "interference"]);
    let read = "\n  Non-local reads\n    \
                step 9: first reads Mutual.owner, which second wrote in step 8 at Mutual.java:21\n";
    assert!(found.contains(read), "{found}");
    let victim = ["check", "Mutual.java", "--explorer", "interference", "--victim", "first"];
    assert!(check(&folder, &victim).ends_with("[exit code 1]\n"));
}

#[test]
fn threads_wake_for_no_reason_only_when_asked() {
    let folder = folder();
    let last = |arguments: &[&str]| {
        let text = check(&folder, arguments);
        text.lines().rev().nth(1).unwrap().to_string()
    };
    let calm = last(&["check", "Hasty.java"]);
    let assumed = "assuming that no thread goes on from waiting unwoken (`--spurious` tries it)";
    assert_eq!(calm, format!("ok: every schedule was tried: 2 executions, no failure; {assumed}"));
    assert!(last(&["check", "Hasty.java", "--spurious"]).starts_with("bug: 1 failure"));
}

#[test]
fn coverage_tells_lines_and_branches() {
    let folder = folder();
    let result = |arguments: &[&str]| -> serde_json::Value {
        let output = command(&folder, arguments).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let watched = result(&["check", "Covered.java", "--coverage", "--json", "-"]);
    let expected = serde_json::json!([{
        "file": "Covered.java",
        "executed": [9, 10, 11, 13, 16],
        "missed": [5, 14],
        "branches": [
            { "line": 10, "taken": true, "passed": true },
            { "line": 13, "taken": true, "passed": false },
        ],
    }]);
    assert_eq!(watched["coverage"], expected);
    let plain = result(&["check", "Covered.java", "--json", "-"]);
    assert!(plain.get("coverage").is_none());
    assert_eq!(plain["executions"], watched["executions"]);
    let inputs = ["check", "Inputs.java", "--input", "Inputs.amount", "--coverage", "--json", "-"];
    let branches = result(&inputs)["coverage"][0]["branches"].clone();
    let both = |branch: &serde_json::Value| branch["taken"] == true && branch["passed"] == true;
    assert!(branches.as_array().unwrap().iter().all(both), "{branches}");
}

/// The browser that the page is opened in.
fn browser() -> &'static str {
    let works = |name: &&str| {
        let quiet = Command::new(name).arg("--version").stdout(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    };
    let browsers = ["chromium", "chromium-browser", "google-chrome"];
    browsers.into_iter().find(works).expect("chromium is installed: ./test does so")
}

#[test]
fn the_page_opens_on_the_failure_and_shows_the_state_at_each_step() {
    let folder = folder();
    java_page::check(&folder, "Monitors.java", "Monitors.java:", "waits for the lock", false);
    std::fs::remove_dir_all(folder.path().join("report")).unwrap();
    java_page::check(&folder, "ConfigNull.java", "ConfigNull.java:11", "config = null", true);
}

#[test]
fn the_page_shows_steps_diagram_and_coverage() {
    let folder = folder();
    check(&folder, &["check", "Exit.java", "--report", "report"]);
    let address = format!("file://{}#step=2", folder.path().join("report/index.html").display());
    let output = Command::new(browser())
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update"])
        .args(["--disable-sync", "--virtual-time-budget=2000"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .args(["--dump-dom", &address])
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(dom.contains("data-step=\"2\""), "{dom}");
    assert!(dom.contains("Exit.java:6"), "the place of the step is named");
    assert!(dom.contains("<svg"), "the diagram is drawn");
    let covered = "Exit.java: 4 of 4 (100%) lines, 2 of 2 (100%) branches";
    assert!(dom.contains(covered), "{dom}");
    assert!(dom.contains("class=\"gutter covered\""), "executed lines are marked");
}

/// The class file of a program.
fn compiled(folder: &TempDir, name: &str) -> Vec<u8> {
    let file = format!("{name}.java");
    let status = Command::new("javac").arg(&file).current_dir(folder.path()).status().unwrap();
    assert!(status.success());
    std::fs::read(folder.path().join(format!("{name}.class"))).unwrap()
}

#[test]
fn like_failures_are_told_once_and_counted_once_for_an_execution() {
    let folder = folder();
    for explorer in ["optimal", "contextual"] {
        let words = ["check", "Alike.java", "--races", "--explorer", explorer, "--json", "-"];
        let output = command(&folder, &words).output().unwrap();
        let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let findings = result["findings"].as_array().unwrap();
        let told: Vec<_> =
            findings.iter().map(|finding| finding["kind"].as_str().unwrap()).collect();
        assert_eq!(told, ["deadlock", "race"], "{explorer}: {findings:#?}");
        for finding in findings {
            assert_eq!(finding["count"], result["executions"], "{explorer}: {finding:#?}");
        }
    }
}

#[test]
fn every_misuse_is_explained() {
    let folder = folder();
    let class = compiled(&folder, "Exit");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let mut newer = class.clone();
    newer[6..8].copy_from_slice(&[0x01, 0x00]);
    std::fs::create_dir(folder.path().join("nothing")).unwrap();
    write("Newer.class", &newer);
    write("Cut.class", &class[..class.len() / 2]);
    write("Text.class", b"not a class file at all");
    write("Empty.class", b"");
    write("Empty.java", b"");
    write("Broken.java", b"public class Broken {\n    int x = ;\n    String s = 1\n}\n");
    write("Latin.java", b"public class Latin { String s = \"\xe9\xff\"; int i = true; }\n");
    write("Library.java", b"public class Library { int one() { return 1; } }\n");
    write("Empty.jar", b"");
    write("Text.jar", b"not an archive");
    let runs: &[&[&str]] = &[
        &["check", "Broken.java"],
        &["check", "Latin.java"],
        &["check", "Empty.java"],
        &["check", "Library.java"],
        &["check", "Newer.class"],
        &["check", "Cut.class"],
        &["check", "Text.class"],
        &["check", "Empty.class"],
        &["check", "com.acme.Exit", "--class-path", "nothing"],
        &["check", "Empty.jar"],
        &["check", "Text.jar"],
        &["check", "nothing"],
        &["check", "Missing.java"],
        &["check", "Exit.java", "--main", "Missing"],
        &["check", "Exit.java", "--main", "Library"],
        &["check", "Exit.java", "--reduction", "field"],
        &["check", "Exit.java", "--input", "Exit.missing"],
    ];
    let mut text = String::new();
    for arguments in runs {
        let shown = check(&folder, arguments);
        assert!(shown.ends_with("[exit code 2]\n"), "{shown}");
        text += &(shown + "\n");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn without_a_jdk_it_says_what_to_install() {
    let folder = folder();
    let arguments = ["check", "Exit.java"];
    let mut command = command(&folder, &arguments);
    command.env("PATH", "/nowhere").env_remove("JAVA_HOME");
    insta::assert_snapshot!(screen(command, &arguments));
}

/// Of a program that is too large, schedules are drawn at random as well, unless an explorer was chosen.
#[test]
#[ignore = "long"]
fn a_failure_far_from_the_first_schedules_is_found_at_random() {
    let folder = folder();
    let last = |text: &str| text.lines().rev().nth(1).unwrap().to_string();
    let limited = ["check", "Early.java", "--explorer", "optimal", "--executions", "20000"];
    let in_order = check(&folder, &limited);
    assert!(in_order.ends_with("[exit code 3]\n"), "{in_order}");
    assert!(!in_order.contains("at random"), "{in_order}");
    let found = check(&folder, &["check", "Early.java", "--stop-at-first", "--time", "60"]);
    assert!(found.ends_with("[exit code 1]\n"), "{found}");
    assert!(found.contains("Seen in a schedule that was drawn at random"), "{found}");
    assert!(last(&found).starts_with("bug: 1 failure; stopped at the first one"), "{found}");
}

/// What the machine has a fixed answer to is said of programs that ask for it, and of no others.
#[test]
fn a_result_says_what_it_assumed_of_the_world_around_the_program() {
    let folder = folder();
    let time = "time passes only in sleeps, time-outs and looks at the clock";
    let outside = "standard input and environment variables are empty";
    let unwoken = "no thread goes on from waiting unwoken (`--spurious` tries it)";
    let rows: &[(&[&str], &[&str])] = &[
        (&[], &[]),
        (&["seed"], &[]),
        (&["clock"], &[time]),
        (&["reference"], &[time]),
        (&["random"], &["random numbers come from seeds that are always the same"]),
        (&["hash"], &["identity hash codes are always the same"]),
        (&["processors"], &["there are 2 processors and the memory in use never changes"]),
        (&["input"], &[outside]),
        (&["environment"], &[outside]),
        (&["file"], &["nobody changes the files that are read"]),
        (&["wait"], &[unwoken]),
        (&["wait", "--spurious"], &[]),
        (&["wait", "input", "clock"], &[time, outside, unwoken]),
    ];
    for (words, expected) in rows {
        let arguments = [&["check", "Asks.java", "--json", "result.json"], *words].concat();
        let shown = check(&folder, &arguments);
        assert!(shown.ends_with("[exit code 0]\n"), "{shown}");
        let last = shown.lines().rev().nth(1).unwrap();
        let said: Vec<&str> = last.split("; assuming that ").skip(1).collect();
        assert_eq!(said, *expected, "{shown}");
        let result = std::fs::read_to_string(folder.path().join("result.json")).unwrap();
        let result: serde_json::Value = serde_json::from_str(&result).unwrap();
        assert_eq!(result["assumptions"], serde_json::json!(expected), "{words:?}");
    }
}

/// The kept schedule of the first failure of a program.
fn kept(folder: &TempDir, arguments: &[&str]) -> String {
    let text = check(folder, arguments);
    let line =
        text.lines().find_map(|line| line.trim().strip_prefix("Replay: counterpoint replay "));
    line.unwrap_or_else(|| panic!("no schedule: {text}")).to_string()
}

#[test]
fn the_real_virtual_machine_confirms_failures() {
    let folder = folder();
    let rows: &[(&[&str], &str)] = &[
        (&["check", "Assertion.java"], "java.lang.AssertionError: sum 2\n"),
        (&["check", "Monitors.java"], "\nFound 1 deadlock.\n"),
        (&["check", "LostNotification.java"], "WAITING (on object monitor)"),
        (&["check", "Exit.java"], "the virtual machine ends with code 3\n"),
        (
            &["check", "Inputs.java", "--input", "Inputs.amount"],
            "java.lang.IllegalStateException: amount 6\n",
        ),
    ];
    for (arguments, words) in rows {
        let file = kept(&folder, arguments);
        let seen = check(&folder, &["replay", &file, "--on-jvm"]);
        assert!(seen.contains(words), "{seen}");
        assert!(seen.contains("\nconfirmed on OpenJDK "), "{seen}");
        assert!(seen.ends_with("[exit code 1]\n"), "{seen}");
    }
}

#[test]
fn a_debugger_finds_the_program_before_the_failing_step() {
    use std::io::{BufRead, BufReader, Read, Write};
    let folder = folder();
    let file = kept(&folder, &["check", "Assertion.java"]);
    let mut replay = command(&folder, &["replay", &file, "--debug", "0"]);
    let mut replay = replay.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(replay.stdout.take().unwrap()).lines().map_while(Result::ok);
    let port: u16 = lines
        .find_map(|line| line.trim().strip_prefix("jdb -attach localhost:")?.parse().ok())
        .expect("a port for the debugger");
    let mut debugger = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    let mut ask = |question: &[u8], answer: &mut [u8]| {
        debugger.write_all(question).unwrap();
        debugger.read_exact(answer).unwrap();
    };
    let mut greeting = [0; 14];
    ask(b"JDWP-Handshake", &mut greeting);
    assert_eq!(&greeting, b"JDWP-Handshake");
    // The virtual machine itself answers: let all threads go.
    let mut answer = [0; 11];
    ask(&[0, 0, 0, 11, 0, 0, 0, 77, 0, 1, 9], &mut answer);
    assert_eq!(answer, [0, 0, 0, 11, 0, 0, 0, 77, 0x80, 0, 0]);
    let rest: Vec<String> = lines.collect();
    assert!(rest.iter().any(|line| line.contains("AssertionError: sum 2")), "{rest:?}");
    assert_eq!(replay.wait().unwrap().code(), Some(1));
}
