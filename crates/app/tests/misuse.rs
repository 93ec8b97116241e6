//! Every kind of misuse has a clear message and exit code 2.

use crate::common;

use common::Workshop;

const TARGETS: &[(&str, &str)] = &[
    ("fib.kit", "fib 2"),
    ("counter.kit", "counter"),
    ("model.obj", "fib 1"),
    ("nonsense.kit", "nonsense"),
    ("notes.txt", "a list"),
    ("taken", "a file"),
    ("foreign.json", "{\"name\": \"package\"}"),
    ("cut.json", "{\"file\": \"counterpoint sch"),
    ("newer.json", "{\"file\": \"counterpoint schedule\", \"format\": 9}"),
];

#[test]
fn every_misuse_is_explained() {
    let runs: &[&[&str]] = &[
        &["check"],
        &["check", "missing.kit"],
        &["check", "fibb.kit"],
        &["check", "notes.txt"],
        &["check", "nonsense.kit"],
        &["check", "model.obj", "fib.kit"],
        &["chekc", "fib.kit"],
        &["check", "fib.kit", "--stop-at-frist"],
        &["check", "fib.kit", "--explorer", "optimum"],
        &["check", "fib.kit", "--property", "deadlocks"],
        &["check", "fib.kit", "--reduction", "field"],
        &["check", "model.obj", "--reduction", "feild"],
        &["check", "fib.kit", "--seed", "7"],
        &["check", "fib.kit", "--explorer", "random", "--depth", "7"],
        &["check", "fib.kit", "--races", "--property", "race"],
        &["check", "fib.kit", "--time", "0"],
        &["check", "fib.kit", "--time", "soon"],
        &["check", "fib.kit", "--executions", "0"],
        &["check", "fib.kit", "--executions", "-4"],
        &["check", "fib.kit", "--steps", "0"],
        &["check", "fib.kit", "--depth", "0"],
        &["check", "fib.kit", "--width", "3"],
        &["check", "fib.kit", "--json", "-", "--mermaid", "-"],
        &["check", "fib.kit", "--json", "x", "--junit", "x"],
        &["check", "fib.kit", "--json", "nowhere/result.json"],
        &["check", "fib.kit", "--report", "taken"],
        &["check", "fib.kit", "--report", "taken/below"],
        &["check", "--resume", "missing.json"],
        &["check", "--resume", "foreign.json"],
        &["replay"],
        &["replay", "missing.json"],
        &["replay", "foreign.json"],
        &["replay", "cut.json"],
        &["replay", "newer.json"],
        &["replay", "fib.kit", "--until", "0"],
        &["completions", "tcsh"],
        &["man", "chekc"],
    ];
    let workshop = Workshop::new(TARGETS);
    let mut text = String::new();
    for arguments in runs {
        let ran = workshop.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        assert_eq!(ran.stdout, "", "{arguments:?}");
        text += &(ran.screen(arguments) + "\n");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_changed_program_is_noticed() {
    let workshop = Workshop::new(TARGETS);
    workshop.run(&["check", "counter.kit"]);
    let file = workshop.kept("counter");
    std::fs::write(workshop.path().join("counter.kit"), "crossed").unwrap();
    let arguments = ["replay", &file];
    insta::assert_snapshot!(workshop.run(&arguments).screen(&arguments));
}

#[test]
fn an_exploration_is_not_continued_with_another_question() {
    let workshop = Workshop::new(TARGETS);
    workshop.run(&["check", "fib.kit", "--executions", "5"]);
    let file = workshop.kept("resume");
    let runs: &[&[&str]] = &[
        &["check", "--resume", &file, "--explorer", "dpor"],
        &["check", "--resume", &file, "--races"],
        &["check", "--resume", &file, "--steps", "77"],
        &["check", "--resume", &file, "--depth", "7"],
        &["check", "--resume", &file, "--main", "Other"],
        &["check", "counter.kit", "--resume", &file],
        &["replay", &file],
    ];
    let mut text = String::new();
    for arguments in runs {
        let ran = workshop.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        text += &(ran.screen(arguments) + "\n");
    }
    std::fs::write(workshop.path().join("fib.kit"), "fib 3").unwrap();
    let arguments = ["check", "--resume", &file];
    text += &workshop.run(&arguments).screen(&arguments);
    insta::assert_snapshot!(text);
}

#[test]
fn no_cut_of_a_kept_file_is_accepted_and_none_panics() {
    let workshop = Workshop::new(TARGETS);
    workshop.run(&["check", "counter.kit"]);
    workshop.run(&["check", "fib.kit", "--executions", "5"]);
    for (part, command) in [("assertion", "replay"), ("resume", "check --resume")] {
        let file = workshop.kept(part);
        let text = std::fs::read_to_string(workshop.path().join(&file)).unwrap();
        for end in (0..text.trim_end().len()).step_by(text.len() / 25) {
            std::fs::write(workshop.path().join("cut.json"), &text[..end]).unwrap();
            let mut arguments: Vec<&str> = command.split(' ').collect();
            arguments.push("cut.json");
            let ran = workshop.run(&arguments);
            assert_eq!(ran.code, Some(2), "{part} cut at {end}: {}", ran.stderr);
            assert!(ran.stderr.starts_with("error: "), "{part} cut at {end}: {}", ran.stderr);
        }
    }
}

#[test]
fn work_that_the_program_cannot_do_is_refused() {
    let workshop = Workshop::new(TARGETS);
    workshop.run(&["check", "fib.kit", "--executions", "5"]);
    let file = workshop.kept("resume");
    let path = workshop.path().join(&file);
    let text = std::fs::read_to_string(&path).unwrap();
    // The list of processes whose steps are left.
    let (head, others) = text.split_once("\"work\":[[[\"0.0\"").unwrap();
    std::fs::write(&path, format!("{head}\"work\":[[[\"0.7\"{others}")).unwrap();
    let ran = workshop.run(&["check", "--resume", &file]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot move"), "{}", ran.stderr);
}
