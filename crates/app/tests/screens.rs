//! What a person reads: golden files of the bug screen, of replays, `list`, help and verdicts.

use crate::common;

use common::Workshop;

const TARGETS: &[(&str, &str)] = &[
    ("program", ""),
    ("counter.kit", "counter"),
    ("crossed.kit", "crossed"),
    ("asleep.kit", "asleep"),
    ("input.kit", "input"),
    ("fib.kit", "fib 2"),
    ("dining.kit", "dining 4"),
];

fn screen(arguments: &[&str]) -> String {
    Workshop::new(TARGETS).run(arguments).screen(arguments)
}

#[test]
fn a_failed_assertion() {
    insta::assert_snapshot!(screen(&["check", "counter.kit"]));
}

#[test]
fn a_deadlock_of_two_locks() {
    insta::assert_snapshot!(screen(&["check", "crossed.kit"]));
}

#[test]
fn a_lost_notification() {
    insta::assert_snapshot!(screen(&["check", "asleep.kit"]));
}

#[test]
fn a_race() {
    insta::assert_snapshot!(screen(&["check", "counter.kit", "--property", "race"]));
}

#[test]
fn a_failure_that_needs_inputs() {
    insta::assert_snapshot!(screen(&["check", "input.kit"]));
}

#[test]
fn many_columns_on_a_narrow_screen_become_a_list() {
    let arguments = ["check", "dining.kit", "--stop-at-first", "--width", "80"];
    insta::assert_snapshot!(screen(&arguments));
}

#[test]
fn a_narrow_screen_wraps() {
    insta::assert_snapshot!(screen(&["check", "crossed.kit", "--width", "72"]));
}

#[test]
fn colours_when_asked_for() {
    let ran = Workshop::new(TARGETS).run(&["check", "crossed.kit", "--color", "always"]);
    assert!(ran.stdout.contains("\u{1b}[1;31m"));
    let ran = Workshop::new(TARGETS).run(&["check", "crossed.kit"]);
    assert!(ran.stdout.is_ascii(), "pipes get plain ASCII");
}

#[test]
fn verdicts() {
    let runs: &[&[&str]] = &[
        &["check", "fib.kit"],
        &["check", "fib.kit", "--explorer", "unfolding"],
        &["check", "fib.kit", "--executions", "10"],
        &["check", "fib.kit", "--steps", "5"],
        &["check", "fib.kit", "--depth", "3"],
        &["check", "fib.kit", "--explorer", "random", "--executions", "50", "--seed", "7"],
        &["check", "fib.kit", "--explorer", "exhaustive", "--executions", "100"],
    ];
    let text: Vec<String> = runs.iter().map(|arguments| screen(arguments)).collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn replay_shows_the_failure_again() {
    let workshop = Workshop::new(TARGETS);
    workshop.run(&["check", "counter.kit"]);
    let file = workshop.kept("counter");
    let show = |arguments: &[&str]| workshop.run(arguments).screen(arguments);
    let text = [
        show(&["replay", &file]),
        show(&["replay", &file, "--trace"]),
        show(&["replay", &file, "--until", "4"]),
        show(&["replay", &file, "--until", "99"]),
    ];
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn list_tells_what_there_is() {
    insta::assert_snapshot!(screen(&["list"]));
}

#[test]
fn help_teaches_by_example() {
    let commands: &[&[&str]] = &[
        &["--help"],
        &["check", "--help"],
        &["replay", "--help"],
        &["reach", "--help"],
        &["list", "--help"],
    ];
    let text: Vec<String> = commands.iter().map(|arguments| screen(arguments)).collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn completions_and_manual_know_every_command() {
    let workshop = Workshop::new(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = workshop.run(&["completions", shell]);
        assert_eq!(ran.code, Some(0));
        assert!(ran.stdout.contains("stop-at-first"), "{shell}");
    }
    let ran = workshop.run(&["man"]);
    assert!(ran.stdout.starts_with(".ie") && ran.stdout.contains("counterpoint\\-check"));
    assert!(workshop.run(&["man", "check"]).stdout.contains("stop\\-at\\-first"));
}
