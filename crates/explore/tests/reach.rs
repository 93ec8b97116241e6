//! Reachability of global states: the tables of chapter 6, and random programs.

mod common;

use std::collections::BTreeSet;

use counterpoint_explore::{
    Assignment, Execution, Flow, Formula, Limits, Reached, Replay, Silent, Sink, Statistics,
    WorkUnit, default_properties, explorer, reach,
};
use counterpoint_model::{Choice, Location, Program};
use counterpoint_testkit::random::{self, Features};
use counterpoint_testkit::{TestProgram, oracle, shapes};

fn locate(program: &TestProgram, name: &str) -> Option<Location> {
    (0..1000).map(Location).find(|&location| {
        location.index() < program.ast().declarations.len()
            && program.location_name(location) == name
    })
}

fn ask(program: &TestProgram, text: &str) -> Reached {
    let formula = Formula::parse(text, &|name| locate(program, name)).expect("a formula");
    let (answer, result) = reach(
        Assignment {
            program,
            unit: WorkUnit::whole(),
            limits: Limits::default(),
            properties: Vec::new(),
            sink: &mut Silent,
            seed: 0,
        },
        &formula,
    );
    assert!(result.internal_errors.is_empty());
    answer
}

/// Follows the schedule and gives the values of the variables at its end.
fn values(program: &TestProgram, answer: &Reached, names: &[&str]) -> Option<Vec<String>> {
    let Reached::Yes(schedule) = answer else { return None };
    let replay = Replay::new(program, &schedule.inputs, &schedule.choices).expect("it can be");
    let value = |name: &&str| {
        let location = locate(program, name).expect("a variable");
        replay.run.value(location).expect("a value")
    };
    Some(names.iter().map(value).collect())
}

#[test]
fn fibonacci_numbers_are_reached_up_to_the_largest() {
    let rows = [
        (4, "i >= 32 || j >= 32", true),
        (4, "i >= 144 || j >= 144", false),
        (3, "i == 21 && j == 13", true),
        (3, "i == 21 && j == 21", false),
        (3, "i + j > 33", true),
        (3, "i + j > 34", false),
    ];
    for (rounds, text, expected) in rows {
        let program = shapes::fib(rounds);
        let answer = ask(&program, text);
        assert_eq!(
            values(&program, &answer, &["i", "j"]).is_some(),
            expected,
            "{text}: {answer:?}"
        );
        if !expected {
            assert_eq!(answer, Reached::No, "{text}");
        }
    }
}

#[test]
fn two_processes_are_never_in_the_section_at_once() {
    let program = shapes::pi(2);
    let lines: Vec<u32> = program
        .to_string()
        .lines()
        .filter(|line| line.contains("release"))
        .filter_map(|line| line.split_whitespace().next()?.parse().ok())
        .collect();
    let [one, other] = lines[..] else { panic!("two threads free the lock: {program}") };
    let inside = |process: &str, line| format!("thread {process} at {line}");
    assert!(matches!(ask(&program, &inside("0.0", one)), Reached::Yes(_)));
    let both = format!("{} && {}", inside("0.0", one), inside("0.1", other));
    assert_eq!(ask(&program, &both), Reached::No);
}

/// The pairs of values of x and y in all states.
struct Pairs<'a> {
    program: &'a TestProgram,
    pairs: BTreeSet<(String, String)>,
}

impl Sink for Pairs<'_> {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let choices: Vec<Choice> = execution.events.iter().map(|event| event.choice).collect();
        for length in 0..=choices.len() {
            let replay = Replay::new(self.program, &[], &choices[..length]).expect("it can be");
            let value = |number| replay.run.value(Location(number)).expect("a value");
            self.pairs.insert((value(0), value(1)));
        }
        Flow::Continue
    }
}

#[test]
fn answers_are_those_of_walking_every_interleaving() {
    let mut checked = 0;
    for seed in 0..150 {
        let program = random::program(seed, Features::WITHOUT_INPUTS);
        let Ok(truth) = oracle::enumerate(&program, 20_000) else { continue };
        if truth.interleavings > 1500 {
            continue;
        }
        checked += 1;
        let mut sink = Pairs { program: &program, pairs: BTreeSet::new() };
        (explorer("exhaustive").expect("it is in the table").explore)(Assignment {
            program: &program,
            unit: WorkUnit::whole(),
            limits: Limits::default(),
            properties: default_properties(),
            sink: &mut sink,
            seed: 0,
        });
        for x in 0..4 {
            for y in 0..4 {
                let expected = sink.pairs.contains(&(x.to_string(), y.to_string()));
                let answer = ask(&program, &format!("x == {x} && y == {y}"));
                let found = values(&program, &answer, &["x", "y"]);
                let wanted = expected.then(|| vec![x.to_string(), y.to_string()]);
                assert_eq!(found, wanted, "x == {x} && y == {y} in\n{program}");
            }
        }
    }
    assert!(checked > 50, "{checked} programs");
}
