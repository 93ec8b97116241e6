//! Models and targets that mean no good: each ends in time, with a message that can be read.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

struct Ran {
    code: i32,
    stdout: String,
    stderr: String,
    elapsed: Duration,
}

fn write(folder: &TempDir, name: &str, text: &str) {
    std::fs::write(folder.path().join(name), text).unwrap();
}

fn check(folder: &Path, arguments: &[&str]) -> Ran {
    counterpoint(folder, &[&["check"], arguments].concat())
}

fn counterpoint(folder: &Path, arguments: &[&str]) -> Ran {
    let started = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        elapsed: started.elapsed(),
    }
}

fn make_pipe(folder: &TempDir, name: &str) {
    let made = Command::new("mkfifo").arg(folder.path().join(name)).status().unwrap();
    assert!(made.success());
}

const GOOD: &str = "module Good;\n\nclass C { }\n{\n  new C();\n}\n";

const LOOP: &str = "module Loop;\n\n{\n  Int i = 0;\n  while (True) { i = i + 1; }\n}\n";

#[test]
fn a_pipe_is_not_read() {
    let folder = TempDir::new().unwrap();
    make_pipe(&folder, "pipe.abs");
    let ran = check(folder.path(), &["pipe.abs"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("`pipe.abs` is neither a file nor a folder"), "{}", ran.stderr);
    write(&folder, "good.abs", GOOD);
    let ran = check(folder.path(), &["."]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn links_that_lead_in_a_circle_are_not_followed() {
    let folder = TempDir::new().unwrap();
    write(&folder, "good.abs", GOOD);
    symlink(".", folder.path().join("again")).unwrap();
    symlink("self.abs", folder.path().join("self.abs")).unwrap();
    symlink("two.abs", folder.path().join("one.abs")).unwrap();
    symlink("one.abs", folder.path().join("two.abs")).unwrap();
    let ran = check(folder.path(), &["."]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    let ran = check(folder.path(), &["self.abs"]);
    assert_eq!(ran.code, 2, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn what_would_steer_the_terminal_is_shown_and_not_sent() {
    let title = "\u{1b}]0;title\u{7}\u{1b}[2J";
    let texts = [
        format!("module M;\nexception E(String s);\n{{\n  throw E(\"{title}\");\n}}\n"),
        format!("module M;\n{{\n  String s = \"{title}\";\n  assert s == \"\";\n}}\n"),
        format!("module M;\n// {title}\n{{\n  Int x = {title};\n}}\n"),
        format!("module M;\n{{\n  println(\"{title}\");\n  assert False;\n}}\n"),
    ];
    let folder = TempDir::new().unwrap();
    for text in texts {
        write(&folder, "m.abs", &text);
        let ran = check(folder.path(), &["m.abs"]);
        assert!(matches!(ran.code, 1 | 2), "{}{}", ran.stdout, ran.stderr);
        for shown in [&ran.stdout, &ran.stderr] {
            assert!(!shown.contains(['\u{1b}', '\u{7}']), "{shown:?}");
        }
    }
}

#[test]
fn a_step_without_an_end_keeps_the_time_limit() {
    let folder = TempDir::new().unwrap();
    write(&folder, "loop.abs", LOOP);
    let ran = check(folder.path(), &["loop.abs", "--time", "1"]);
    assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("incomplete"), "{}", ran.stdout);
    assert!(ran.elapsed < Duration::from_secs(60), "{:?}", ran.elapsed);
    let saved =
        ran.stdout.lines().find_map(|line| line.strip_prefix("To continue: counterpoint check "));
    let saved: Vec<&str> = saved.expect("it can be continued").split(' ').collect();
    let again = check(folder.path(), &[&saved[..], &["--time", "1"]].concat());
    assert_eq!(again.code, 3, "{}{}", again.stdout, again.stderr);
}

#[test]
fn a_kept_schedule_that_takes_long_keeps_the_time_limit() {
    let folder = TempDir::new().unwrap();
    let rounds = "module Long;\n\n{\n  Int i = 0;\n  while (i < 4000000) { i = i + 1; }\n  assert i == 0;\n}\n";
    write(&folder, "long.abs", rounds);
    let ran = check(folder.path(), &["long.abs"]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    let again = check(folder.path(), &["long.abs", "--time", "0.1"]);
    assert_eq!(again.code, 3, "{}{}", again.stdout, again.stderr);
    assert!(again.elapsed < ran.elapsed, "{:?} and {:?}", again.elapsed, ran.elapsed);
}

#[test]
fn a_signal_ends_a_step_without_an_end() {
    let folder = TempDir::new().unwrap();
    write(&folder, "loop.abs", &LOOP.replace("i + 1", "length(range(1, 50))"));
    for signal in ["TERM", "INT"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_counterpoint"))
            .args(["check", "loop.abs", "--time", "100"])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(500));
        let sent = Instant::now();
        let id = child.id().to_string();
        Command::new("kill").args([&format!("-{signal}"), &id]).status().unwrap();
        let output = child.wait().unwrap();
        assert!(sent.elapsed() < Duration::from_secs(60), "{:?}", sent.elapsed());
        assert_eq!(output.code(), Some(3), "{signal}");
    }
}

#[test]
fn a_name_or_message_of_a_million_letters_is_not_shown() {
    let long = "n".repeat(1_000_000);
    let texts = [
        format!(
            "module M;\nclass C{long} {{ Unit run() {{ assert False; }} }}\n{{\n  new C{long}();\n}}\n"
        ),
        format!("module M;\n{{\n  String s = \"{long}\";\n  assert s == \"\";\n}}\n"),
        format!("module M;\n{{\n  assert \"{long}\" == \"\";\n}}\n"),
        format!("module M;\nexception E(String s);\n{{\n  throw E(\"{long}\");\n}}\n"),
        format!("module M;\n{{\n  Int {long}a = 1;\n  Int x = {long}b;\n}}\n"),
    ];
    let folder = TempDir::new().unwrap();
    for text in texts {
        write(&folder, "m.abs", &text);
        let ran = check(folder.path(), &["m.abs", "--time", "60"]);
        let shown = ran.stdout.len() + ran.stderr.len();
        assert!(matches!(ran.code, 1 | 2), "{:.300}{:.300}", ran.stdout, ran.stderr);
        assert!(shown < 30_000, "{shown} letters");
        assert!(ran.elapsed < Duration::from_secs(120), "{:?}", ran.elapsed);
    }
}

#[test]
fn a_bare_new_is_read_as_the_user_says() {
    let text = "module M;

interface I { Unit m(); Unit n(I other); }
class C implements I {
  Unit m() { skip; }
  Unit n(I other) { Fut<Unit> f = other!m(); f.get; }
}
{
  I a = new C();
  I b = new C();
  a!n(b);
}
";
    let folder = TempDir::new().unwrap();
    write(&folder, "m.abs", text);
    let rows: [(&[&str], i32); 3] = [
        (&["m.abs"], 0),
        (&["m.abs", "--bare-new", "cog"], 0),
        (&["m.abs", "--bare-new", "local"], 1),
    ];
    for (arguments, code) in rows {
        let ran = check(folder.path(), arguments);
        assert_eq!(ran.code, code, "{arguments:?}\n{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn an_execution_of_ten_thousand_tasks_needs_memory_for_its_length() {
    let folder = TempDir::new().unwrap();
    let chain = "module Chain;\ninterface Link { Unit go(); }\nclass Chained implements Link {\n  \
                 Unit go() { Link next = new Chained(); next!go(); }\n}\n\
                 { Link first = new Chained(); first!go(); }\n";
    write(&folder, "chain.abs", chain);
    for explorer in ["optimal", "dpor"] {
        let arguments = ["--steps", "10000", "--memory", "300M", "--explorer", explorer];
        let ran = check(folder.path(), &[&["chain.abs"][..], &arguments[..]].concat());
        assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
        let cut = "the limit of 10000 steps";
        assert!(ran.stdout.contains(cut) && !ran.stdout.contains("memory"), "{}", ran.stdout);
    }
}

#[test]
fn the_analysis_of_a_huge_model_keeps_the_time_limit() {
    let folder = TempDir::new().unwrap();
    let classes = 0..5_000;
    let declared = classes.clone().map(|n| {
        format!("interface I{n} {{ Unit m(); }}\nclass C{n} implements I{n} {{ Unit m() {{ skip; }} }}\n")
    });
    let created = classes.map(|n| format!("  I{n} o{n} = new C{n}();\n"));
    let text: String = declared.chain(["{\n".to_owned()]).chain(created).collect();
    write(&folder, "huge.abs", &format!("module Huge;\n{text}}}\n"));
    for command in [&["deadlocks", "huge.abs"][..], &["check", "huge.abs", "--deadlocks", "all"]] {
        let limited = |limit: &u64| {
            let ran =
                counterpoint(folder.path(), &[command, &["--time", &limit.to_string()]].concat());
            assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
            assert!(ran.elapsed < Duration::from_secs(limit + 20), "{:?}", ran.elapsed);
            ran.stderr.contains("stopped by the time limit while the model was analysed")
        };
        // A machine that is busy may only read the model in that time.
        assert!([1, 4, 16].iter().any(limited), "{command:?}");
    }
}

#[test]
fn whatever_there_is_a_great_deal_of_keeps_the_time_limit_with_every_explorer() {
    let tasks = |count: u32, fresh: &str, body: &str| {
        format!(
            "module M;\ninterface I {{ Unit m(Int k); }}\n\
             class C implements I {{ Int n = 0; Unit m(Int k) {{ {body} }} }}\n\
             {{ I o = new C(); Int i = 0; while (i < {count}) {{ {fresh} o!m(i); i = i + 1; }} }}\n"
        )
    };
    let models = [
        ("choice", "module M;\n{ Int r = random(300000); assert r < 5; }\n".to_owned()),
        ("clocks", tasks(3_000, "", "await duration(k, k); n = n + 1;")),
        ("guards", tasks(3_000, "", "n = n + 1; await n > 100000;")),
        ("objects", tasks(50_000, "o = new C();", "n = n + 1;")),
    ];
    let folder = TempDir::new().unwrap();
    for (name, text) in models {
        let file = format!("{name}.abs");
        write(&folder, &file, &text);
        for explorer in ["optimal", "dpor", "interference", "exhaustive", "states", "unfolding"] {
            let flags = ["--time", "1", "--jobs", "1", "--explorer", explorer];
            let ran = check(folder.path(), &[&[file.as_str()][..], &flags].concat());
            let said = format!("{name} by {explorer}: {}{}", ran.stdout, ran.stderr);
            assert!([0, 1, 3].contains(&ran.code), "{said}");
            let ended = ran.stdout.contains("time limit") || ran.stdout.contains("every ");
            assert!(ended, "{said}");
            assert!(ran.elapsed < Duration::from_secs(20), "{:?}, {said}", ran.elapsed);
        }
    }
}

#[test]
fn wide_cases_and_long_chains_of_futures_keep_the_time_limit() {
    let names: Vec<String> = (0..5_000).map(|n| format!("K{n}")).collect();
    let branches: String = names.iter().map(|name| format!("{name} => 1; ")).collect();
    let wide = format!(
        "module M;\ndata D = {};\ndef Int f(D d) = case d {{ {branches} }};\n\
         {{ Int i = 0; while (True) {{ i = i + f(K4999); }} }}\n",
        names.join(" | ")
    );
    let chain = "module M;\ninterface I { Int m(Int n); }\nclass C implements I {\n  \
                 Int m(Int n) { Int r = 0; if (n > 0) { I o = new C(); Fut<Int> f = o!m(n - 1); r = f.get; } return r; }\n}\n\
                 { I o = new C(); Fut<Int> f = o!m(3000); Int r = f.get; assert r == 1; }\n";
    let cycles = "module M;\ninterface I { Unit m(I other); Unit n(); }\nclass C implements I {\n  \
                  Unit m(I other) { Fut<Unit> f = other!n(); f.get; }\n  Unit n() { skip; }\n}\n\
                  { Int i = 0; while (i < 1000) { I a = new C(); I b = new C(); a!m(b); b!m(a); i = i + 1; } }\n";
    let folder = TempDir::new().unwrap();
    for (name, text, codes) in
        [("wide", wide.as_str(), [3, 3]), ("chain", chain, [1, 1]), ("cycles", cycles, [1, 3])]
    {
        let file = format!("{name}.abs");
        write(&folder, &file, text);
        let ran = check(folder.path(), &[&file, "--time", "1", "--jobs", "1"]);
        assert!(codes.contains(&ran.code), "{name}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.elapsed < Duration::from_secs(20), "{name}: {:?}", ran.elapsed);
    }
}

#[test]
fn the_analysis_of_thousands_of_objects_in_one_block_needs_little_memory() {
    let folder = TempDir::new().unwrap();
    let created: String = (0..2_000)
        .map(|n| format!("  I o{n} = new C(); Fut<Unit> f{n} = o{n}!m(); f{n}.get;\n"))
        .collect();
    let text = format!(
        "module M;\ninterface I {{ Unit m(); }}\nclass C implements I {{ Unit m() {{ skip; }} }}\n{{\n{created}}}\n"
    );
    write(&folder, "many.abs", &text);
    let ran = counterpoint(folder.path(), &["deadlocks", "many.abs", "--memory", "150M"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("cannot deadlock"), "{}", ran.stdout);
}

/// A file that `check` has written, with something else in one place.
fn damaged(folder: &TempDir, from: &Path, place: &str, value: serde_json::Value) {
    let text = std::fs::read_to_string(from).unwrap();
    let mut file: serde_json::Value = serde_json::from_str(&text).unwrap();
    *file.pointer_mut(place).unwrap() = value;
    write(folder, "damaged.json", &file.to_string());
}

#[test]
fn a_damaged_file_is_told_in_words_and_not_repeated() {
    let folder = TempDir::new().unwrap();
    let method = "Int n = 0; Unit m(Int k) { n = n * 2 + k; assert n < 9; }";
    let calls: String = (1..7).map(|n| format!("  o!m({n});\n")).collect();
    let text = format!(
        "module M;\ninterface I {{ Unit m(Int k); }}\nclass C implements I {{ {method} }}\n\
         {{\n  I o = new C();\n{calls}}}\n"
    );
    write(&folder, "m.abs", &text);
    let ran = check(folder.path(), &["m.abs", "--executions", "9", "--jobs", "1"]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    let kept = folder.path().join(".counterpoint");
    let files = std::fs::read_dir(kept).unwrap().map(|entry| entry.unwrap().path());
    let (saved, kept): (Vec<_>, Vec<_>) =
        files.partition(|path| path.to_string_lossy().ends_with(".resume.json"));
    let long = "x".repeat(100_000);
    let resume = ["check", "--resume", "damaged.json"];
    let replay = ["replay", "damaged.json"];
    let places = [
        (&resume[..], &saved[0], "/statistics/cut", serde_json::json!(null)),
        (&resume, &saved[0], "/statistics", serde_json::json!(long)),
        (&resume, &saved[0], "/work", serde_json::json!({ "format": [] })),
        (&replay, &kept[0], "/finding/places/0/line", serde_json::json!(long)),
        (&replay, &kept[0], "/finding/schedule/steps", serde_json::json!(true)),
        (&replay, &kept[0], "/finding/schedule/steps/0", serde_json::json!(long)),
        (&replay, &kept[0], "/program/targets/0", serde_json::json!(long)),
    ];
    for (command, from, place, value) in places {
        damaged(&folder, from, place, value);
        let ran = counterpoint(folder.path(), command);
        assert_eq!(ran.code, 2, "{place}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stderr.len() < 1_000, "{place}: {} letters", ran.stderr.len());
        for word in ["u64", "u32", "struct", "invalid type", "tuple", "EOF"] {
            assert!(!ran.stderr.contains(word), "{place}: {}", ran.stderr);
        }
    }
    let text = std::fs::read_to_string(&kept[0]).unwrap();
    write(&folder, "damaged.json", &text[..text.len() / 2]);
    let ran = counterpoint(folder.path(), &replay);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("it ends in the middle, at line "), "{}", ran.stderr);
}

#[test]
fn reading_a_model_keeps_the_time_limit() {
    let folder = TempDir::new().unwrap();
    let deep = format!("{}1{}", "twice(".repeat(11), ")".repeat(11));
    let statements = format!("  toString({deep});\n").repeat(20_000);
    let text =
        format!("module M;\ndef Pair<A, A> twice<A>(A x) = Pair(x, x);\n{{\n{statements}}}\n");
    write(&folder, "wide.abs", &text);
    for command in [["check", "wide.abs"], ["deadlocks", "wide.abs"], ["generate", "wide.abs"]] {
        let ran = counterpoint(folder.path(), &[&command[..], &["--time", "0.1"]].concat());
        assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
        let message = "stopped by the time limit while the model was read";
        assert!(ran.stderr.contains(message), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.elapsed < Duration::from_secs(20), "{:?}", ran.elapsed);
    }
}

#[test]
fn types_that_double_with_each_call_are_told_and_not_built() {
    let folder = TempDir::new().unwrap();
    let deep = format!("{}1{}", "twice(".repeat(60), ")".repeat(60));
    let text = format!(
        "module M;\ndef Pair<A, A> twice<A>(A x) = Pair(x, x);\n{{\n  toString({deep});\n}}\n"
    );
    write(&folder, "deep.abs", &text);
    let ran = check(folder.path(), &["deep.abs"]);
    assert_eq!(ran.code, 2, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("the type of this is too large"), "{}", ran.stderr);
    // Data whose type grows with each level of it is another matter: it is there, and its types are looked at.
    let nested = "module M;\ndata N<A> = E(A it) | Nest(N<Pair<A, A>> inner);\n\
                  interface I { Int m(N<Int> n); }\n\
                  class C implements I { Int m(N<Int> n) { return case n { E(x) => x | _ => 0 }; } }\n\
                  { skip; }\n";
    write(&folder, "nested.abs", nested);
    let ran = counterpoint(folder.path(), &["generate", "nested.abs", "--time", "5"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("complete: every path: 2 tests"), "{}", ran.stdout);
}

#[test]
fn methods_by_the_thousand_are_tested_one_by_one() {
    let folder = TempDir::new().unwrap();
    let classes: String = (0..3_000)
        .map(|n| format!("class C{n} {{ Int f = {n}; Unit m() {{ Int x = f + {n}; f = x; }} }}\n"))
        .collect();
    write(&folder, "many.abs", &format!("module M;\n{classes}{{ skip; }}\n"));
    let ran = counterpoint(folder.path(), &["generate", "many.abs", "--time", "2", "--jobs", "1"]);
    assert!([0, 3].contains(&ran.code), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.elapsed < Duration::from_secs(40), "{:?}", ran.elapsed);
}

#[test]
fn modules_that_pass_on_what_others_export_are_read_at_once() {
    let folder = TempDir::new().unwrap();
    let last = 3_000;
    let chain: String = (0..last)
        .map(|n| {
            let next = n + 1;
            format!("module M{n};\nexport *; export * from M{next};\nimport * from M{next};\ndef Int f{n}() = {n};\n")
        })
        .collect();
    let end = format!("module M{last};\nexport *;\ndef Int f{last}() = {last};\n");
    let main = format!(
        "module Main;\nimport * from M0;\n{{ assert f{last}() == {last}; assert f1() == 1; }}\n"
    );
    write(&folder, "chain.abs", &format!("{chain}{end}{main}"));
    let ran = check(folder.path(), &["chain.abs", "--time", "6", "--jobs", "1"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    // Round in a circle, each of them is told.
    let end = format!("module M{last};\nexport *; export * from M0;\nimport * from M0;\n");
    write(&folder, "circle.abs", &format!("{chain}{end}{main}"));
    let ran = check(folder.path(), &["circle.abs", "--time", "6", "--jobs", "1"]);
    assert_eq!(ran.code, 2, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("the exports of `M7` go round in a circle"), "{}", ran.stderr);
}

#[test]
fn methods_by_the_ten_thousand_are_found_in_classes_and_interfaces() {
    let folder = TempDir::new().unwrap();
    let count = 10_000;
    let many = |line: fn(u32) -> String| (0..count).map(line).collect::<String>();
    let promised = many(|n| format!("  Int method{n}();\n"));
    let methods = many(|n| format!("  Int method{n}() {{ return {n}; }}\n"));
    let classes =
        many(|n| format!("class C{n} implements J {{ Int own{n}() {{ return {n}; }} }}\n"));
    let text = format!(
        "module M;\ninterface J {{ }}\ninterface I {{\n{promised}}}\nclass C implements I {{\n{methods}}}\n{classes}\
         {{ I i = new C(); Int x = i.method7(); assert x == 7; }}\n"
    );
    write(&folder, "many.abs", &text);
    let ran = check(folder.path(), &["many.abs", "--time", "20", "--memory", "1G", "--jobs", "1"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_step_that_creates_without_end_stops_at_the_memory_limit() {
    let folder = TempDir::new().unwrap();
    let rows = [
        ("tasks", "I c = new C(); while (True) { c!m(); }"),
        ("objects", "while (True) { new C(); }"),
    ];
    for (name, main) in rows {
        let text = format!(
            "module M;\ninterface I {{ Unit m(); }}\nclass C implements I {{ Unit m() {{ skip; }} }}\n{{ {main} }}\n"
        );
        let file = format!("{name}.abs");
        write(&folder, &file, &text);
        for memory in ["70M", "120M"] {
            let ran =
                check(folder.path(), &[&file, "--memory", memory, "--time", "60", "--jobs", "1"]);
            let is_told = ran.stdout.contains("stopped by the memory limit after");
            assert!(is_told, "{name} in {memory}: {}{}", ran.stdout, ran.stderr);
        }
    }
}

#[test]
fn what_is_declared_by_the_hundred_thousand_is_read_at_once() {
    let folder = TempDir::new().unwrap();
    let many = |line: fn(u32) -> String| (0..100_000).map(line).collect::<String>();
    let variables = many(|n| format!("  Int variable{n} = {n};\n"));
    let methods = many(|n| format!("  Int method{n}();\n"));
    let models = [
        (format!("module M;\n{{\n{variables}}}\n"), 2, "this has too many variables"),
        (format!("module M;\ninterface I {{\n{methods}}}\n{{ skip; }}\n"), 0, "every schedule"),
    ];
    for (text, code, says) in models {
        write(&folder, "many.abs", &text);
        let ran = check(folder.path(), &["many.abs", "--time", "6", "--jobs", "1"]);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(ran.code == code && said.contains(says), "{said}");
    }
}
