//! Reachability of global states: the tables of chapter 6, and random programs.

use crate::common;

use counterpoint_explore::{
    Approach, Assignment, Formula, Limits, Method, ParameterValues, Reached, Replay, Silent,
    Vocabulary, Wanted, WorkUnit, reach,
};
use counterpoint_model::{Location, Pid, Program, Schedule};
use counterpoint_testkit::ast::LocationKind;
use counterpoint_testkit::oracle::{self, GlobalState};
use counterpoint_testkit::outcome::path_text;
use counterpoint_testkit::random::{self, Features};
use counterpoint_testkit::{TestProgram, shapes};

/// Every declared variable and every process of the first execution.
fn names(program: &TestProgram) -> Vocabulary {
    let declared = program.ast().declarations.len() as u32;
    let variables = (0..declared).map(Location).map(|l| (program.location_name(l), l)).collect();
    Vocabulary { variables, ..Vocabulary::of(program, 1000) }
}

fn locate(program: &TestProgram, name: &str) -> Location {
    names(program).variable(name).expect("a variable")
}

fn ask(program: &TestProgram, text: &str) -> Reached {
    ask_by(program, text, Approach::default())
}

fn ask_by(program: &TestProgram, text: &str, approach: Approach) -> Reached {
    let formula = Formula::parse(text, &names(program)).expect("a formula");
    let inquiry = reach(
        Assignment {
            program,
            unit: WorkUnit::whole(),
            limits: Limits::default(),
            properties: Vec::new(),
            sink: &mut Silent,
            parameters: ParameterValues::default(),
        },
        &Wanted { text: text.to_owned(), formula },
        approach,
    )
    .expect("a program of threads");
    assert!(inquiry.exploration.internal_errors.is_empty());
    inquiry.reached
}

/// Follows the schedule and gives the values of the variables at its end.
fn values(program: &TestProgram, answer: &Reached, names: &[&str]) -> Option<Vec<String>> {
    let Reached::Yes(finding) = answer else { return None };
    let schedule = &finding.schedule;
    let replay = Replay::new(program, &schedule.inputs, &schedule.choices).expect("it can be");
    let value = |name: &&str| replay.run.value(locate(program, name)).expect("a value");
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
    let inside = |process: &str, line| format!("at({process}, {line})");
    assert!(matches!(ask(&program, &inside("0.0", one)), Reached::Yes(_)));
    let both = format!("{} && {}", inside("0.0", one), inside("0.1", other));
    assert_eq!(ask(&program, &both), Reached::No);
}

/// A random predicate, as text and as a function of a state.
fn predicate(
    random: &mut Random,
    program: &TestProgram,
    states: &[GlobalState],
) -> (String, Check) {
    let depth = random.below(3);
    condition(random, program, states, depth)
}

type Check = Box<dyn Fn(&GlobalState) -> bool>;

fn condition(
    random: &mut Random,
    program: &TestProgram,
    states: &[GlobalState],
    depth: u32,
) -> (String, Check) {
    if depth > 0 {
        let (left, holds_left) = condition(random, program, states, depth - 1);
        if random.below(4) == 0 {
            return (format!("!({left})"), Box::new(move |state| !holds_left(state)));
        }
        let (right, holds_right) = condition(random, program, states, depth - 1);
        return if random.below(3) == 0 {
            (
                format!("({left} || {right})"),
                Box::new(move |state| holds_left(state) || holds_right(state)),
            )
        } else {
            (
                format!("{left} && {right}"),
                Box::new(move |state| holds_left(state) && holds_right(state)),
            )
        };
    }
    // Something that is true of some state, so that answers are not all «no».
    let model = &states[random.below(states.len() as u32) as usize];
    if random.below(3) == 0 && !model.lines.is_empty() {
        let index = random.below(model.lines.len() as u32) as usize;
        let (path, line) = model.lines.iter().nth(index).expect("a thread");
        let (path, line) = (path.clone(), *line);
        let text = format!("at({}, {line})", path_text(&path));
        return (text, Box::new(move |state| state.lines.get(&path) == Some(&line)));
    }
    let variables: Vec<usize> = (0..program.ast().declarations.len())
        .filter(|&index| {
            matches!(program.ast().declarations[index].kind, LocationKind::Variable { .. })
        })
        .collect();
    let mut pick = || variables[random.below(variables.len() as u32) as usize];
    let (a, b) = (pick(), pick());
    let name = |index: usize| program.location_name(Location(index as u32));
    let relation = random.below(4);
    if random.below(3) == 0 {
        let sum = i64::from(model.values[a]) + i64::from(model.values[b]);
        let check = move |state: &GlobalState| {
            i64::from(state.values[a]) + i64::from(state.values[b]) == sum
        };
        return (format!("{} + {} == {sum}", name(a), name(b)), Box::new(check));
    }
    let value = model.values[a];
    match relation {
        0 => (format!("{} > {value}", name(a)), Box::new(move |s| s.values[a] > value)),
        1 => (format!("{} <= {value}", name(a)), Box::new(move |s| s.values[a] <= value)),
        2 => (format!("{} != {value}", name(a)), Box::new(move |s| s.values[a] != value)),
        _ => (format!("{} == {value}", name(a)), Box::new(move |s| s.values[a] == value)),
    }
}

/// The state that a schedule leads to, in the oracle's form.
fn last_state(program: &TestProgram, schedule: &Schedule) -> GlobalState {
    let replay = Replay::new(program, &schedule.inputs, &schedule.choices).expect("it can be");
    let declared = 0..program.ast().declarations.len() as u32;
    let values = declared.map(|number| {
        let location = Location(number);
        match replay.run.reading(location) {
            Some(reading) => i32::try_from(reading.number).expect("a variable of 32 bits"),
            // A semaphore has permits; locks and conditions have nothing.
            None => replay.run.value(location).and_then(|text| text.parse().ok()).unwrap_or(0),
        }
    });
    let line = |process: Pid| {
        let path = program.names().path(process);
        let path = path.split('.').map(|number| number.parse().expect("a number")).collect();
        Some((path, program.place(replay.run.site(process)?).line))
    };
    let lines = (0..replay.run.processes()).map(Pid).filter_map(line).collect();
    GlobalState { values: values.collect(), lines }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }
}

/// Asks random programs random questions; gives how many had the answers «yes» and «no».
fn compare(features: Features, seeds: std::ops::Range<u64>, questions: u32) -> (u32, u32) {
    let (mut yes, mut no) = (0, 0);
    for seed in seeds {
        let program = random::program(seed, features);
        let Ok(states) = oracle::global_states(&program, 20_000) else { continue };
        let states: Vec<GlobalState> = states.into_iter().collect();
        let mut random = Random(seed);
        for _ in 0..questions {
            let (text, holds) = predicate(&mut random, &program, &states);
            let expected = states.iter().any(&holds);
            *(if expected { &mut yes } else { &mut no }) += 1;
            for contextual in [true, false] {
                for method in [Method::Search, Method::Solver] {
                    let answer = ask_by(&program, &text, Approach { contextual, method });
                    let found = match answer {
                        Reached::Yes(finding) => {
                            let state = last_state(&program, &finding.schedule);
                            assert!(states.contains(&state), "seed {seed}, {text}: {state:?}");
                            assert!(holds(&state), "seed {seed}, {text}: {state:?}\n{program}");
                            true
                        }
                        Reached::No => false,
                        Reached::Unknown(why) => panic!("seed {seed}: {text}: {why:?}\n{program}"),
                    };
                    assert_eq!(
                        found, expected,
                        "seed {seed}, {text}, contextual {contextual}, {method:?}\n{program}"
                    );
                }
            }
        }
    }
    (yes, no)
}

fn programs() -> u64 {
    std::env::var("COUNTERPOINT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(60)
}

#[test]
fn answers_are_those_of_the_oracle() {
    let (yes, no) = compare(Features::WITHOUT_INPUTS, common::seeds(programs()), 3);
    let some = programs() as u32 / 5;
    assert!(yes > 7 * some && no > 3 * some, "{yes} reachable, {no} unreachable");
}

#[test]
fn answers_that_depend_on_inputs_are_those_of_the_oracle() {
    let (yes, no) = compare(Features::ALL, common::seeds(programs() / 2), 3);
    let some = programs() as u32 / 10;
    assert!(yes > 6 * some && no > 3 * some, "{yes} reachable, {no} unreachable");
}
