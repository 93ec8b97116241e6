//! Java programs under the explorers that unfold: what processes can know and the failures that the
//! other explorers see, and questions about global states.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use common::{Programs, explore_into};
use counterpoint_explore::{
    Approach, Assignment, Execution, Exploration, Flow, Formula, Limits, ParameterValues, Reached,
    Replay, Silent, Sink, Statistics, Vocabulary, Wanted, WorkUnit, event_names, reach,
};
use counterpoint_jvm::JavaProgram;
use counterpoint_model::{FindingKind, Op, Program};

const NETS: [&str; 4] = ["unfolding", "contextual", "stateful", "stateful-naive"];

fn program(words: &str) -> JavaProgram {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    PROGRAMS.get_or_init(|| Programs::compile(&["explore"])).load(words)
}

/// Gathers what each process can come to know: where its operations were and what those that look
/// have found.
struct Watcher<'p> {
    program: &'p JavaProgram,
    known: BTreeMap<String, BTreeSet<Vec<String>>>,
}

impl<'p> Watcher<'p> {
    fn new(program: &'p JavaProgram) -> Watcher<'p> {
        Watcher { program, known: BTreeMap::new() }
    }
}

impl Sink for Watcher<'_> {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let mut run = self.program.start(&execution.run.inputs());
        let mut histories: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for choice in execution.events.iter().map(|event| event.choice) {
            let event = run.step(choice);
            let path = self.program.names().path(choice.process);
            let history = histories.entry(path.clone()).or_default();
            history.push(match event.op {
                Op::Read(_) | Op::Update(_) => run.explain().text,
                op => format!("{op:?} at {:?}", event.site),
            });
            self.known.entry(path).or_default().insert(history.clone());
        }
        Flow::Continue
    }
}

/// Kinds, messages and lines of the findings.
fn findings(result: &Exploration) -> BTreeSet<(FindingKind, String, Vec<u32>)> {
    let finding = |found: &counterpoint_explore::Found| {
        let finding = &found.finding;
        let lines = finding.places.iter().map(|place| place.line).collect();
        (finding.kind, finding.message.clone(), lines)
    };
    result.findings.iter().map(finding).collect()
}

#[test]
fn local_states_and_failures_are_those_of_trying_every_trace() {
    let programs = [
        "Fib 2",
        "Dining 3",
        "DiningLocks 2",
        "Sections 2 2",
        "Account 2 2",
        "Locks 2 2",
        "LastZero 4",
        "Lazy",
        "Lazy x",
        "Lazy3",
        "LockOrder",
        "LostUpdate",
        "MissedNotify",
        "CheckThenAct",
        "Waiters",
        "Counters 3",
        "Failures",
        "TryLock",
        "Timed",
    ];
    for words in programs {
        let program = program(words);
        let mut truth = Watcher::new(&program);
        let expected = explore_into("optimal", &program, 0, &mut truth);
        for name in NETS {
            let mut watcher = Watcher::new(&program);
            let result = explore_into(name, &program, 0, &mut watcher);
            assert_eq!(result.bounds, [], "{words} under {name}");
            assert_eq!(findings(&result), findings(&expected), "{words} under {name}");
            for (path, known) in &truth.known {
                let seen = watcher.known.get(path).cloned().unwrap_or_default();
                let missing = known.difference(&seen).next();
                assert_eq!(missing, None, "{words} under {name}: what {path} can know");
            }
            let executions = result.statistics.executions;
            assert!(executions <= expected.statistics.executions, "{words} under {name}");
        }
    }
}

#[test]
fn nets_of_different_orders_of_exploration_are_isomorphic() {
    let programs = [
        "Fib 2",
        "Dining 3",
        "DiningLocks 2",
        "Sections 2 2",
        "Account 2 2",
        "LastZero 4",
        "Filesystem 15",
        "ReaderWriterPairs 4",
        "Lazy",
        "Lazy3",
        "LostUpdate",
        "MissedNotify",
        "CheckThenAct",
        "Waiters a b",
        "Counters 3",
        "TryLock",
    ];
    for words in programs {
        let program = program(words);
        for contextual in [false, true] {
            let names = |seed| {
                let assignment = Assignment {
                    program: &program,
                    unit: WorkUnit::whole(),
                    limits: Limits::default(),
                    properties: Vec::new(),
                    sink: &mut Silent,
                    parameters: ParameterValues::seeded(seed),
                };
                event_names(assignment, contextual)
            };
            let first = names(0);
            for seed in 1..=5 {
                assert!(names(seed) == first, "{words}, contextual {contextual}, seed {seed}");
            }
        }
    }
}

fn ask(words: &str, predicate: &str) -> Reached {
    let program = program(words);
    let names = Vocabulary::of(&program, 1000);
    let formula = Formula::parse(predicate, &names).expect("a predicate");
    let wanted = Wanted { text: predicate.to_string(), formula };
    let assignment = Assignment {
        program: &program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties: Vec::new(),
        sink: &mut Silent,
        parameters: ParameterValues::default(),
    };
    let inquiry = reach(assignment, &wanted, Approach::default()).expect("threads");
    assert_eq!(inquiry.exploration.internal_errors, Vec::<String>::new());
    if let Reached::Yes(finding) = &inquiry.reached {
        let schedule = &finding.schedule;
        Replay::new(&program, &schedule.inputs, &schedule.choices).expect("it can be repeated");
    }
    inquiry.reached
}

#[test]
fn global_states_are_reached_or_not_as_in_the_reference_table() {
    let rows = [
        ("Fib 4", "i >= 32 || j >= 32", true),
        ("Fib 4", "i >= 144 || j >= 144", false),
        ("Fib 3", "Fib.i == 21 && Fib.j == 13", true),
        ("Fib 3", "i == 21 && j == 21", false),
        ("LostUpdate", "at(main, LostUpdate.java:1)", false),
        // True before anything was done, and so shown by a run that has not come to the variables.
        ("Fib 2", "i == 1 && j == 1", true),
        ("LastZero 3", "int[]#1[2] == 0 && int[]#1[3] == 0", true),
    ];
    for (words, predicate, expected) in rows {
        match ask(words, predicate) {
            Reached::Yes(_) => assert!(expected, "{words}: {predicate}"),
            other => assert!(!expected && other == Reached::No, "{words}: {predicate}: {other:?}"),
        }
    }
}

#[test]
fn the_largest_fibonacci_numbers_are_reached_and_no_larger_ones() {
    assert!(matches!(ask("Fib 5", "i >= 144 || j >= 144"), Reached::Yes(_)));
    assert_eq!(ask("Fib 5", "i > 144 || j > 144"), Reached::No);
}
