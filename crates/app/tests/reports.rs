//! What machines read, and what happens when it cannot be written.

use crate::common;

use std::path::Path;
use std::process::{Command, Stdio};

use common::Workshop;

const TARGETS: &[(&str, &str)] = &[
    ("program", ""),
    ("counter.kit", "counter"),
    ("crossed.kit", "crossed"),
    ("asleep.kit", "asleep"),
    ("input.kit", "input"),
    ("fib.kit", "fib 2"),
];

#[test]
fn results_fit_their_schema() {
    let workshop = Workshop::new(TARGETS);
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/result.schema.json");
    let text = std::fs::read_to_string(schema).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    compiler.add_resource("result.json", schema).unwrap();
    let schema = compiler.compile("result.json", &mut schemas).unwrap();
    let runs: &[(&str, &[&str])] = &[
        ("counter.kit", &["--races"]),
        ("crossed.kit", &[]),
        ("asleep.kit", &["--stop-at-first"]),
        ("input.kit", &[]),
        ("fib.kit", &["--executions", "3"]),
        ("fib.kit", &["--explorer", "pct", "--executions", "3"]),
        ("fib.kit", &["--steps", "4", "--depth", "2"]),
    ];
    for (target, flags) in runs {
        let mut arguments = vec!["check", target, "--json", "-"];
        arguments.extend(*flags);
        let ran = workshop.run(&arguments);
        let result: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        if let Err(error) = schemas.validate(&result, schema) {
            panic!("{arguments:?}: {error:#}");
        }
        assert!(!ran.stderr.is_empty(), "the screen goes to standard error");
    }
}

#[test]
fn the_result_has_the_fields_of_the_contract() {
    let workshop = Workshop::new(TARGETS);
    let ran = workshop.run(&["check", "crossed.kit", "--json", "-"]);
    let mut result: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    result["seconds"] = 0.into();
    insta::assert_snapshot!(serde_json::to_string_pretty(&result).unwrap());
}

#[test]
fn junit_has_a_case_for_each_property() {
    let workshop = Workshop::new(TARGETS);
    workshop.run(&["check", "counter.kit", "--races", "--junit", "found.xml"]);
    workshop.run(&["check", "fib.kit", "--executions", "3", "--junit", "incomplete.xml"]);
    let mut text = String::new();
    for name in ["found.xml", "incomplete.xml"] {
        let xml = std::fs::read_to_string(workshop.path().join(name)).unwrap();
        let time = |line: &str| match line.split_once(" time=\"") {
            Some((head, tail)) => {
                let rest = tail.split_once('"').map(|(_, rest)| rest).unwrap_or_default();
                format!("{head}{rest}")
            }
            None => line.to_string(),
        };
        text += &xml.lines().map(|line| time(line) + "\n").collect::<String>();
    }
    insta::assert_snapshot!(text);
}

#[test]
fn junit_readers_understand_the_file() {
    let workshop = Workshop::new(TARGETS);
    workshop.run(&["check", "counter.kit", "--races", "--junit", "found.xml"]);
    let file = std::fs::File::open(workshop.path().join("found.xml")).unwrap();
    let read = junit_parser::from_reader(std::io::BufReader::new(file)).unwrap();
    assert_eq!((read.tests, read.failures, read.errors), (3, 2, 0));
    let suite = &read.suites[0];
    let failed = |case: &&junit_parser::TestCase| case.status.is_failure();
    let names: Vec<&str> = suite.cases.iter().filter(failed).map(|case| &*case.name).collect();
    assert_eq!(names, ["counter.kit::failure", "counter.kit::race"]);
}

#[test]
fn mermaid_and_annotations() {
    let workshop = Workshop::new(TARGETS);
    let arguments = ["check", "crossed.kit", "--mermaid", "diagram.md", "--annotations", "github"];
    let ran = workshop.run(&arguments);
    let first = ran.stdout.lines().next().unwrap_or_default();
    let diagram = std::fs::read_to_string(workshop.path().join("diagram.md")).unwrap();
    insta::assert_snapshot!(format!("{first}\n\n{diagram}"));
}

#[test]
fn the_page_walks_through_the_steps_in_a_browser() {
    let workshop = Workshop::new(TARGETS);
    let ran = workshop.run(&["check", "counter.kit", "--report", "report"]);
    assert_eq!(ran.code, Some(1));
    let page = workshop.path().join("report/index.html");
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(!text.contains("{{"), "every gap of the page is filled");
    assert!(!text.contains("http://") || !text.contains("src=\"http"), "nothing is fetched");
    let browser = browser().expect("chromium is installed: ./test does so");
    let dom = |step: usize| {
        let address = format!("file://{}#finding=1&step={step}", page.display());
        let profile = format!("--user-data-dir={}", workshop.path().join("profile").display());
        let output = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update"])
            .args(["--disable-sync", "--virtual-time-budget=2000"])
            .args([&profile, "--dump-dom", &address])
            .stderr(Stdio::null())
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    for (step, line) in [(5, 15), (7, 13)] {
        let dom = dom(step);
        assert!(dom.contains(&format!("<tr class=\"step now\" data-step=\"{step}\">")), "{dom}");
        assert!(dom.contains(&format!("<g class=\"step now\" data-step=\"{step}\">")));
        assert!(dom.contains(&format!("program:{line}")));
        assert!(dom.contains("<div class=\"now near\">"), "the source line is marked");
        assert!(dom.contains("<svg"), "the diagram is there");
    }
}

#[test]
fn an_explorer_that_unfolds_draws_its_net_and_says_what_it_leaves_out() {
    let workshop = Workshop::new(&[("small.kit", "fib 1"), ("large.kit", "fib 3")]);
    for explorer in ["unfolding", "contextual"] {
        workshop.run(&["check", "small.kit", "--explorer", explorer, "--report", explorer]);
        let folder = workshop.path().join(explorer);
        let net = std::fs::read_to_string(folder.join("unfolding.svg")).unwrap();
        assert!(net.starts_with("<svg") && net.contains("read i"), "{net}");
        let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
        assert!(page.contains("<a href=\"unfolding.svg\">"), "{page}");
    }
    workshop.run(&["check", "large.kit", "--explorer", "unfolding", "--report", "large"]);
    let net = std::fs::read_to_string(workshop.path().join("large/unfolding.svg")).unwrap();
    let about = net.split("aria-label=\"").nth(1).and_then(|text| text.split('"').next()).unwrap();
    assert!(about.starts_with("unfolding as far as 400 executions build it: "), "{about}");
    assert!(about.ends_with(" arcs left out") && about.contains(" nodes left out; "), "{about}");
    assert!(net.contains(" more</text>"), "boxes say how much was left out");
}

fn browser() -> Option<&'static str> {
    let works = |name: &&str| {
        let quiet = Command::new(name).arg("--version").stdout(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    };
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(works)
}

#[test]
fn a_reader_that_goes_away_changes_nothing() {
    let workshop = Workshop::new(TARGETS);
    let mut child = workshop
        .command(&["check", "counter.kit", "--races", "--junit", "found.xml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(workshop.path().join("found.xml").exists());
}

#[test]
fn a_full_disk_is_said_and_the_screen_is_still_shown() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let workshop = Workshop::new(TARGETS);
    let arguments = ["check", "fib.kit", "--json", "/dev/full", "--junit", "found.xml"];
    let ran = workshop.run(&arguments);
    insta::assert_snapshot!(ran.screen(&arguments));
    assert!(workshop.path().join("found.xml").exists(), "the other report is written");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = workshop.command(&["check", "fib.kit"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("no space left"), "{text}");
}

#[test]
fn without_a_place_for_schedules_the_result_is_the_same() {
    let workshop = Workshop::new(TARGETS);
    std::fs::write(workshop.path().join(".counterpoint"), "in the way").unwrap();
    let ran = workshop.run(&["check", "counter.kit"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.starts_with("warning: cannot write `.counterpoint`"), "{}", ran.stderr);
    assert!(ran.stdout.contains("both additions count"));
}
