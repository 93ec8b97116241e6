//! Findings are replayed, short, and say what happened.

use std::time::{Duration, Instant};

use crate::common;

use common::{Seen, explore_unit};
use counterpoint_explore::{
    Assignment, EXPLORERS, Execution, Exploration, Flow, Limits, PROPERTIES, ParameterValues,
    Replay, Silent, Sink, Statistics, WorkUnit, default_properties, explorer,
};
use counterpoint_model::{Choice, Finding, FindingKind, Program};
use counterpoint_testkit::builder::{Builder, Comparable};
use counterpoint_testkit::{TestProgram, shapes};

fn switches(choices: &[Choice]) -> usize {
    choices.windows(2).filter(|pair| pair[0].process != pair[1].process).count()
}

/// Two threads add one to a counter without a lock; main waits for both and checks.
fn lost_update() -> TestProgram {
    let mut builder = Builder::new("lost update");
    let counter = builder.variable("counter", 0);
    builder.main(|t| {
        let workers = [0, 1].map(|_| {
            t.spawn(|t| {
                let old = t.read(counter);
                t.write(counter, old + 1);
            })
        });
        for worker in workers {
            t.join(worker);
        }
        let end = t.read(counter);
        t.assert(end.equals(2), "both updates count");
    })
}

fn with_races(program: &TestProgram) -> Exploration {
    (EXPLORERS[0].explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties: PROPERTIES.iter().map(|entry| (entry.make)()).collect(),
        sink: &mut Silent,
        parameters: ParameterValues::default(),
    })
}

#[test]
fn a_lost_update_is_told_with_the_fewest_switches() {
    let program = lost_update();
    for entry in EXPLORERS {
        let limits = Limits { executions: Some(500), ..Limits::default() };
        let mut seen = Seen::default();
        let result = explore_unit(entry, &program, WorkUnit::whole(), limits, &mut seen);
        let [found] = &result.findings[..] else { panic!("{}: {:?}", entry.name, result.findings) };
        assert_eq!(found.finding.kind, FindingKind::Assertion);
        // main starts both, one reads, the other reads and writes, the first writes, main checks.
        let choices = &found.finding.schedule.choices;
        assert_eq!((switches(choices), choices.len()), (4, 9), "{}: {choices:?}", entry.name);
    }
}

#[test]
fn rounds_of_a_loop_that_do_not_matter_are_left_out() {
    let mut builder = Builder::new("rounds");
    let stop = builder.variable("stop", 0);
    let rounds = builder.variable("rounds", 0);
    let program = builder.main(|t| {
        let worker = t.spawn(|t| {
            let stopped = t.read(stop);
            t.repeat(stopped.equals(0), |t| {
                let old = t.read(rounds);
                t.write(rounds, old + 1);
                t.read_into(stopped, stop);
            });
        });
        t.write(stop, 1);
        t.join(worker);
        let end = t.read(rounds);
        t.assert(end.at_most(30), "thirty rounds suffice");
    });
    let limits = Limits { executions: Some(5), steps: 4_000, ..Limits::default() };
    let optimal = explorer("optimal").expect("it is in the table");
    let mut seen = Seen::default();
    let result = explore_unit(optimal, &program, WorkUnit::whole(), limits, &mut seen);
    let [found] = &result.findings[..] else { panic!("{:?}", result.findings) };
    // The worker looks at the flag, goes round 31 times with three steps each and sees in the last
    // one that main has set it; main starts it, sets the flag, waits and reads.
    let choices = &found.finding.schedule.choices;
    assert_eq!((switches(choices), choices.len()), (4, 1 + 31 * 3 + 4), "{choices:?}");
}

#[test]
fn what_makes_a_long_schedule_short_takes_no_longer_than_its_length_asks_for() {
    let mut builder = Builder::new("long");
    let count = builder.variable("count", 0);
    let program = builder.main(|t| {
        let seen = t.local("seen", 0);
        t.repeat(seen.at_most(60_000), |t| {
            t.read_into(seen, count);
            t.write(count, seen + 1);
        });
        t.fail("in the end");
    });
    let limits = Limits { steps: 200_000, ..Limits::default() };
    let optimal = explorer("optimal").expect("it is in the table");
    let mut seen = Seen::default();
    let began = Instant::now();
    let result = explore_unit(optimal, &program, WorkUnit::whole(), limits, &mut seen);
    assert_eq!((result.findings.len(), result.internal_errors), (1, Vec::<String>::new()));
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn every_finding_replays_from_its_text() {
    for program in [lost_update(), shapes::dining(3)] {
        let result = common::explore(&EXPLORERS[0], &program);
        assert!(!result.findings.is_empty());
        for found in &result.findings {
            let finding = &found.finding;
            let text = finding.schedule.to_json(program.names());
            let read = counterpoint_model::Schedule::from_json(
                &text,
                program.names(),
                &program.fingerprint(),
            );
            let schedule = read.unwrap();
            let replay = Replay::new(&program, &schedule.inputs, &schedule.choices).unwrap();
            let mut properties: Vec<_> = PROPERTIES.iter().map(|entry| (entry.make)()).collect();
            let failures = replay.failures(&program, &mut properties);
            assert!(failures.iter().any(|failure| failure.message == finding.message));
        }
    }
}

#[test]
fn a_deadlock_says_who_waits_for_whom() {
    let result = common::explore(explorer("optimal").unwrap(), &shapes::dining(2));
    let finding = &result.findings[0].finding;
    assert_eq!(finding.kind, FindingKind::Deadlock);
    assert!(finding.waiting.len() >= 2, "{finding:?}");
    for waiting in &finding.waiting {
        assert_eq!(waiting.whom.len(), 1, "each waits for one other: {waiting:?}");
    }
    assert!(finding.message.contains("waits for"), "{}", finding.message);
}

#[test]
fn races_are_found_with_both_places_and_locks_prevent_them() {
    let result = with_races(&lost_update());
    let races: Vec<_> =
        result.findings.iter().filter(|f| f.finding.kind == FindingKind::Race).collect();
    // Read against write, and write against write; each pair of places once.
    assert!(races.len() >= 2, "{races:?}");
    assert!(races.iter().all(|race| race.finding.places.len() == 2));
    let mut builder = Builder::new("locked");
    let counter = builder.variable("counter", 0);
    let lock = builder.lock("lock");
    let program = builder.main(|t| {
        let workers = [0, 1].map(|_| {
            t.spawn(|t| {
                t.locked(lock, |t| {
                    let old = t.read(counter);
                    t.write(counter, old + 1);
                });
            })
        });
        for worker in workers {
            t.join(worker);
        }
        let end = t.read(counter);
        t.assert(end.equals(2), "both updates count");
    });
    let result = with_races(&program);
    assert_eq!(result.findings, []);
    assert!(result.bounds.is_empty());
}

#[test]
fn a_schedule_that_cannot_be_followed_says_where() {
    let program = lost_update();
    let child = program.names().child(counterpoint_model::Pid::MAIN, 0);
    let error = Replay::new(&program, &[], &[Choice::of(child)]).err().unwrap();
    assert_eq!(error.to_string(), "step 1: process 0.0 cannot move there");
}

/// Counts executions up to the first finding.
#[derive(Default)]
struct FirstFinding {
    executions: u64,
    at: Option<u64>,
}

impl Sink for FirstFinding {
    fn finding(&mut self, _: &Finding) -> Flow {
        self.at.get_or_insert(self.executions);
        Flow::Continue
    }

    fn execution(&mut self, _: &Execution<'_>, statistics: &Statistics) -> Flow {
        self.executions = statistics.executions;
        Flow::Continue
    }
}

#[test]
fn a_deadlock_is_told_when_an_execution_meets_it() {
    for name in ["optimal", "dpor", "race-flip"] {
        let mut sink = FirstFinding::default();
        (explorer(name).expect("it is in the table").explore)(Assignment {
            program: &shapes::dining(4),
            unit: WorkUnit::whole(),
            limits: Limits::default(),
            properties: default_properties(),
            sink: &mut sink,
            parameters: ParameterValues::default(),
        });
        let at = sink.at.expect("philosophers starve");
        assert!(at < sink.executions / 2, "{name}: {at} of {}", sink.executions);
    }
}
