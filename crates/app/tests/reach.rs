//! `counterpoint reach`: what it answers, shows and refuses.

use crate::common;

use common::Workshop;

const TARGETS: &[(&str, &str)] =
    &[("fib.kit", "fib 2"), ("counter.kit", "counter"), ("input.kit", "input")];

fn screen(arguments: &[&str]) -> String {
    Workshop::new(TARGETS).run(arguments).screen(arguments)
}

#[test]
fn a_reachable_state_is_shown_with_its_schedule() {
    let arguments = ["reach", "fib.kit", "--when", "i == 5 && j == 3", "--width", "100"];
    insta::assert_snapshot!(screen(&arguments));
}

#[test]
fn what_cannot_be_reached_is_said_so() {
    let rows: &[&[&str]] = &[
        &["reach", "fib.kit", "--when", "i == 8 && j == 8"],
        &["reach", "fib.kit", "--when", "i > 8 || j > 8", "--explorer", "unfolding"],
        &["reach", "fib.kit", "--when", "i > 8", "--executions", "3"],
        &["reach", "counter.kit", "--when", "at(0.0, 99)"],
    ];
    let text: String = rows.iter().map(|arguments| screen(arguments) + "\n").collect();
    insta::assert_snapshot!(text);
}

#[test]
fn a_predicate_that_means_nothing_is_explained() {
    let rows =
        ["i = 3", "k == 3", "i +", "i == 3 &&", "at(0.7, 3)", "(i == 1", "i + j", "ä == 1", ""];
    let mut text = String::new();
    for predicate in rows {
        let arguments = ["reach", "fib.kit", "--when", predicate];
        let ran = Workshop::new(TARGETS).run(&arguments);
        assert_eq!(ran.code, Some(2), "{predicate}: {}", ran.stdout);
        text += &(ran.screen(&arguments) + "\n");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn a_kept_state_is_replayed_and_does_not_disturb_checks() {
    let workshop = Workshop::new(TARGETS);
    assert_eq!(workshop.run(&["reach", "fib.kit", "--when", "i == 5"]).code, Some(1));
    let file = workshop.kept("reached");
    let again = workshop.run(&["replay", &file]);
    assert_eq!(again.code, Some(1));
    assert!(again.stdout.contains("reached: i == 5"), "{}", again.stdout);
    assert!(again.stdout.contains("reproduced: the same state"), "{}", again.stdout);
    assert_eq!(workshop.run(&["check", "fib.kit"]).code, Some(0));
    assert_eq!(workshop.run(&["replay", &file]).code, Some(1), "the check has left it alone");
}
