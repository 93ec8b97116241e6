//! What the local page and other programs are told: `--events`, `step` and `outline`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

const ACCOUNT: &str = "\
public class Account {
    static long total = 5;
    final int[] parts = {1, 2, 3};
    boolean open = true;

    synchronized void pay(int amount, double rate) throws InterruptedException {
        long before = total;
        while (!open) {
            wait();
        }
        total = before + amount;
        open = false;
    }

    public static void main(String[] args) {
        Account account = new Account();
        Runnable pay = () -> {
            try {
                account.pay(7, 0.5);
            } catch (InterruptedException e) {
                throw new RuntimeException(e);
            }
        };
        new Thread(pay, \"one\").start();
        new Thread(pay, \"two\").start();
    }
}
";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("writable");
    }
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterpoint"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

/// Asks questions of one `step` and gives the answers.
fn walk(folder: &Path, target: &str, questions: &[Value]) -> Vec<Value> {
    let mut child = command(folder, &["step", target])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("it reads");
    for question in questions {
        writeln!(input, "{question}").expect("it reads");
    }
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    let lines = output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).expect("JSON")).collect()
}

/// A part of a state by the names that lead to it.
fn part<'a>(state: &'a Value, names: &[&str]) -> &'a Value {
    let (first, rest) = names.split_first().expect("a name");
    let nodes = state.as_array().unwrap_or_else(|| panic!("no parts for {names:?}"));
    let node = nodes.iter().find(|node| node["name"] == *first);
    let node = node.unwrap_or_else(|| panic!("no {first} in {state}"));
    if rest.is_empty() { &node["value"] } else { part(&node["children"], rest) }
}

/// The choices up to where a process stands in a line, always moving the first process with that name that can.
fn lead(folder: &Path, target: &str, moves: &[(&str, usize)]) -> Vec<Value> {
    let mut choices: Vec<Value> = Vec::new();
    for (process, times) in moves {
        for _ in 0..*times {
            let answer = &walk(folder, target, &[json!({"choices": choices, "brief": true})])[0];
            let moves = answer["moves"].as_array().expect("moves");
            let own = moves.iter().find(|one| one["process"] == *process);
            let own = own.unwrap_or_else(|| panic!("{process} cannot move: {answer}"));
            choices.push(own["choice"].clone());
        }
    }
    choices
}

#[test]
fn values_of_a_java_program_are_those_of_its_state() {
    let folder = folder(&[("Account.java", ACCOUNT)]);
    let at = folder.path();
    // Both threads are started, and the first has taken the lock.
    let choices = lead(at, "Account.java", &[("main", 2), ("one", 1)]);
    let answer = &walk(at, "Account.java", &[json!({ "choices": choices })])[0];
    let state = &answer["state"];
    let frame = ["one", "Account.pay"];
    let local = |name: &str| part(state, &[frame[0], frame[1], name]).clone();
    assert_eq!((local("amount"), local("rate")), (json!("7"), json!("0.5")), "{state}");
    assert_eq!(part(state, &["Account", "total"]), "5", "{state}");
    assert_eq!(part(state, &["Account#1", "parts"]), "[1, 2, 3]");
    assert_eq!(part(state, &["Account#1", "open"]), "true");
    assert_eq!(part(state, &["Account#1", "held by"]), "one");
    assert_eq!(part(state, &["two"]), "waits for the lock of Account#1");
    assert_eq!(answer["waiting"][0]["whom"], json!(["one"]), "{answer}");
    assert!(
        state
            .as_array()
            .expect("parts")
            .iter()
            .all(|node| { !node["name"].as_str().unwrap_or_default().contains("Lambda") })
    );
    // On to the end: one has paid, the other waits for ever.
    let mut choices = choices;
    let mut answer = answer.clone();
    while let Some(next) = answer["moves"].get(0) {
        choices.push(next["choice"].clone());
        answer = walk(at, "Account.java", &[json!({ "choices": choices })]).remove(0);
    }
    assert_eq!(answer["ended"], "deadlock", "{answer}");
    assert_eq!(part(&answer["state"], &["Account", "total"]), "12");
    let waiting = part(&answer["state"], &["Account#1", "waiting here"]);
    assert!(["one", "two"].contains(&waiting.as_str().expect("a name")), "{answer}");
    assert_eq!(answer["failures"][0]["kind"], "deadlock");
}

#[test]
fn looking_at_moves_changes_nothing() {
    let folder = folder(&[("Account.java", ACCOUNT)]);
    let at = folder.path();
    let choices = lead(at, "Account.java", &[("main", 2), ("one", 2)]);
    let question = json!({"choices": choices, "picture": true});
    let other = json!({"choices": choices[..1]});
    let answers = walk(at, "Account.java", &[question.clone(), other, question]);
    assert_eq!(answers[0], answers[2]);
    assert_ne!(answers[0], answers[1]);
    assert!(answers[0]["picture"].as_str().expect("a picture").starts_with("<svg"));
}

#[test]
fn values_and_queues_of_active_objects_are_those_of_their_state() {
    let model = "module M;\ninterface C { Unit add(Int n); Int slow(String s); }\nclass C implements C {\n  \
                 Int sum = 3;\n  Unit add(Int n) { sum = sum + n; }\n  Int slow(String s) { Fut<Unit> f = this!add(1); \
                 f.get; return 0; }\n}\n{\n  C c = new C();\n  c!add(4);\n  c!slow(\"x\");\n}\n";
    let folder = folder(&[("m.abs", model)]);
    let start = walk(folder.path(), "m.abs", &[json!({"choices": ["0"]})]).remove(0);
    let state = &start["state"];
    assert_eq!(part(state, &["c", "sum"]), "3");
    assert_eq!(part(state, &["c", "c.add 1", "n"]), "4", "{state}");
    assert_eq!(part(state, &["c", "c.slow", "s"]), "\"x\"");
    let moves = start["moves"].as_array().expect("moves");
    let slow = moves.iter().find(|one| one["process"] == "c.slow").expect("it can move");
    let choices = json!(["0", slow["choice"]]);
    let stuck = walk(folder.path(), "m.abs", &[json!({ "choices": choices })]).remove(0);
    assert_eq!(part(&stuck["state"], &["c", "kept by"]), "c.slow");
    assert_eq!(stuck["ended"], "deadlock", "{stuck}");
    // With nothing to choose from, it goes on by itself when asked to.
    let followed =
        walk(folder.path(), "m.abs", &[json!({"follow": true, "brief": true})]).remove(0);
    assert_eq!(followed["choices"], json!(["0"]), "{followed}");
    assert_eq!(followed["moves"].as_array().map(Vec::len), Some(2));
    assert_eq!(followed["state"], json!([]));
}

#[test]
fn questions_that_mean_nothing_are_answered_with_the_reason() {
    let folder = folder(&[("Account.java", ACCOUNT)]);
    let questions =
        [json!({"choices": ["7"]}), json!([]), json!({"choice": []}), json!({"choices": ["0:9"]})];
    let answers = walk(folder.path(), "Account.java", &questions);
    for answer in &answers {
        assert!(answer["error"].as_str().is_some_and(|text| !text.is_empty()), "{answer}");
    }
    let output = command(folder.path(), &["step", "none.abs"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn an_outline_has_declarations_and_messages() {
    let wrong = ACCOUNT.replace("long before = total;", "long before = totals;");
    let folder = folder(&[("Account.java", ACCOUNT)]);
    std::fs::create_dir(folder.path().join("bad")).expect("a folder");
    std::fs::write(folder.path().join("bad/Account.java"), wrong).expect("writable");
    let outline = |path: &str| -> Value {
        let output = command(folder.path(), &["outline", path]).output().expect("it runs");
        assert_eq!(output.status.code(), Some(0));
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let good = outline("Account.java");
    assert_eq!(good["messages"], json!([]), "{good}");
    let names: Vec<&Value> =
        good["items"][0]["items"].as_array().expect("methods").iter().map(|m| &m["name"]).collect();
    assert_eq!(names, ["pay", "main"]);
    let bad = outline("bad/Account.java");
    let message = &bad["messages"][0];
    assert_eq!((&message["line"], &message["column"]), (&json!(7), &json!(23)), "{bad}");
    assert_eq!(message["file"], "bad/Account.java");
    assert!(message["text"].as_str().is_some_and(|text| text.starts_with("cannot find symbol")));
    assert!(!folder.path().join("Account.class").exists(), "nothing is left behind");
}

#[test]
fn events_tell_what_the_result_says() {
    let folder = folder(&[("Account.java", ACCOUNT)]);
    let arguments = ["check", "Account.java", "--races", "--events", "-", "--json", "result.json"];
    let output = command(folder.path(), &arguments).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    let screen = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(screen.contains("bug: "), "people read standard error: {screen}");
    let events: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("every line is JSON"))
        .collect();
    let result =
        std::fs::read_to_string(folder.path().join("result.json")).expect("it was written");
    let result: Value = serde_json::from_str(&result).expect("JSON");
    let of = |kind: &str| events.iter().filter(|event| event["event"] == kind).collect::<Vec<_>>();
    let mut found: Vec<String> =
        of("finding").iter().map(|event| event["finding"]["schedule"].to_string()).collect();
    let findings = result["findings"].as_array().expect("findings");
    let mut expected: Vec<String> =
        findings.iter().map(|one| one["schedule"].to_string()).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "each finding once, with its schedule");
    assert_eq!(of("progress").last().expect("one")["executions"], result["executions"]);
    assert_eq!(events.last(), Some(&json!({"event": "end", "code": 1})));
    // A program that cannot be run is said as well.
    let output =
        command(folder.path(), &["check", "none.abs", "--events", "-"]).output().expect("it runs");
    let end: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&end["event"], &end["code"]), (&json!("end"), &json!(2)), "{end}");
    assert!(end["error"].as_str().is_some_and(|text| text.contains("none.abs")));
}

#[test]
fn an_exploration_that_nobody_watches_any_more_stops_and_is_saved() {
    let calls: String = (1..=11).map(|task| format!("  c!add({task});\n")).collect();
    let model = format!(
        "module Orders;\ninterface C {{ Unit add(Int n); }}\nclass C implements C {{\n  Int x = 0;\n  Unit \
         add(Int n) {{ x = x * 2 + n; }}\n}}\n{{\n  C c = new C();\n{calls}}}\n"
    );
    let folder = folder(&[("orders.abs", &model)]);
    let mut child = command(folder.path(), &["check", "orders.abs", "--events", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut events = BufReader::new(child.stdout.take().expect("it tells"));
    let mut line = String::new();
    events.read_line(&mut line).expect("it tells");
    drop(events);
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            break status;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "it goes on for nobody");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(status.code(), Some(3));
    let kept = std::fs::read_dir(folder.path().join(".counterpoint")).expect("it was saved");
    let names =
        kept.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned());
    assert!(names.into_iter().any(|name| name.contains("resume")));
}
