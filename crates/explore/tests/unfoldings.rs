//! The unfoldings against the oracle: local states, failures and deadlocks of random programs.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};

use counterpoint_explore::{
    Assignment, Covers, EXPLORERS, Execution, Exploration, Explorer, Flow, Limits, ParameterValues,
    Replay, Silent, Sink, Statistics, WorkUnit, default_properties, explorer,
};
use counterpoint_model::{Bound, Choice, Finding, Pid, Program};
use counterpoint_testkit::TestProgram;
use counterpoint_testkit::ast::Operator;
use counterpoint_testkit::builder::{Builder, Comparable};
use counterpoint_testkit::oracle::{self, Findings};
use counterpoint_testkit::random::{self, Features};

/// Programs with more steps than this are left to longer runs.
const ORACLE_STEPS: u64 = 100_000;

/// The digests of the local states of each process, by path.
type LocalStates = BTreeMap<Vec<u32>, BTreeSet<u64>>;

/// Gathers the local states along every execution.
struct Watcher<'a> {
    program: &'a TestProgram,
    local_states: LocalStates,
}

impl Sink for Watcher<'_> {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let choices: Vec<Choice> = execution.events.iter().map(|event| event.choice).collect();
        for length in 0..=choices.len() {
            let replay = Replay::new(self.program, &execution.run.inputs(), &choices[..length])
                .expect("an execution can be repeated");
            for process in (0..replay.run.processes()).map(Pid) {
                if let Some(digest) = replay.run.local_state(process) {
                    let path = self.program.names().path(process);
                    let path = path.split('.').map(|n| n.parse().expect("a number")).collect();
                    self.local_states.entry(path).or_default().insert(digest);
                }
            }
        }
        Flow::Continue
    }
}

fn explore(entry: &Explorer, program: &TestProgram, seed: u64) -> (Exploration, LocalStates) {
    let mut watcher = Watcher { program, local_states: LocalStates::new() };
    let result = (entry.explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties: default_properties(),
        sink: &mut watcher,
        parameters: ParameterValues::seeded(seed),
    });
    (result, watcher.local_states)
}

/// What disagrees, if anything does.
fn disagreement(
    entry: &Explorer,
    program: &TestProgram,
    truth: &Findings,
    Features { inputs, tries, interrupts, .. }: Features,
) -> Option<String> {
    let (result, local_states) = explore(entry, program, 0);
    if !result.internal_errors.is_empty() {
        return Some(format!("internal error: {:?}", result.internal_errors));
    }
    let bounds: &[Bound] = if truth.cut > 0 { &[Bound::Unsupported] } else { &[] };
    if result.bounds != bounds || result.unexplored.is_some() {
        return Some(format!("bounds {:?} instead of {bounds:?}", result.bounds));
    }
    // With inputs a run's local state stands for many of the oracle's.
    if !inputs && local_states != truth.local_states {
        for (path, states) in &truth.local_states {
            let seen = local_states.get(path).cloned().unwrap_or_default();
            let missing = states.difference(&seen).count();
            let extra = seen.difference(states).count();
            if missing + extra > 0 {
                return Some(format!("local states of {path:?}: {missing} missing, {extra} extra"));
            }
        }
        return Some("a process too many".to_owned());
    }
    if let Some(text) = common::other_failures(entry, program, &result, truth) {
        return Some(text);
    }
    // Who finds a lock busy only looks, which the search for extensions does not know beforehand.
    if !tries && !interrupts && result.statistics.executions > truth.traces {
        let executions = result.statistics.executions;
        return Some(format!("{executions} executions, {} traces", truth.traces));
    }
    (1..3).find_map(|seed| {
        let (other, _) = explore(entry, program, seed);
        let (one, other) = (result.statistics.events, other.statistics.events);
        (one != other).then(|| format!("{one} events, {other} events with seed {seed}"))
    })
}

fn check_all(features: Features, seeds: std::ops::Range<u64>) {
    let mut checked = 0;
    let mut wrong = Vec::new();
    for seed in seeds {
        let program = random::program(seed, features);
        let Ok(truth) = oracle::enumerate(&program, ORACLE_STEPS) else { continue };
        checked += 1;
        for entry in EXPLORERS.iter().filter(|entry| entry.covers == Covers::LocalStates) {
            if let Some(what) = disagreement(entry, &program, &truth, features) {
                wrong.push((program.to_string().lines().count(), seed, entry.name, what));
            }
        }
    }
    wrong.sort();
    if let Some((_, seed, explorer, what)) = wrong.first() {
        let program = random::program(*seed, features);
        panic!(
            "{} of {checked} programs disagree; the shortest is seed {seed} under {explorer}: {what}\n{program}",
            wrong.len()
        );
    }
    assert!(checked > 0);
}

fn programs() -> u64 {
    std::env::var("COUNTERPOINT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(60)
}

#[test]
fn local_states_and_failures_are_those_of_the_oracle() {
    check_all(Features::WITHOUT_INPUTS, common::seeds(programs()));
    check_all(Features { cuts: true, ..Features::WITHOUT_INPUTS }, common::seeds(programs() / 2));
    check_all(Features { tries: true, ..Features::WITHOUT_INPUTS }, common::seeds(programs()));
}

/// Each step of a process takes what others look at to see whether it has ended, and one of them takes a lock, too.
#[test]
fn who_was_kept_by_a_lock_can_go_on_where_it_is_free() {
    check_all(Features { tries: true, ..Features::WITHOUT_INPUTS }, 9594..9595);
}

#[test]
fn local_states_of_programs_that_interrupt_wait_for_some_time_or_take_locks_for_a_moment() {
    check_all(Features::WITH_INTERRUPTS, common::seeds(programs() / 2));
    check_all(Features { passes: true, ..Features::WITHOUT_INPUTS }, common::seeds(programs() / 2));
    check_all(
        Features { crowds: true, operations: 6, ..Features::WITHOUT_INPUTS },
        common::seeds(programs() / 8),
    );
}

#[test]
fn failures_that_depend_on_inputs_are_those_of_the_oracle() {
    check_all(Features::ALL, common::seeds(programs() / 4));
    check_all(Features::WITH_CUTS, common::seeds(programs() / 4));
}

/// Little but threads that wait for variables, read them, and change them as they go on.
const GUARDED: Features = Features {
    conditions: false,
    semaphores: false,
    arrays: false,
    inputs: false,
    choices: false,
    operations: 12,
    ..Features::ALL
};

#[test]
fn guarded_steps_give_the_local_states_and_deadlocks_of_the_oracle() {
    check_all(GUARDED, common::seeds(programs() / 2));
}

#[test]
fn a_guarded_write_that_knows_of_a_read_is_seen_to_wait_for_ever() {
    let mut program = Builder::new("guarded writes after reads");
    let pairs = [0, 1].map(|number| {
        let flag = program.volatile(&format!("flag{number}"), 0);
        (flag, program.variable(&format!("told{number}"), 0))
    });
    // Either pair can end in a deadlock or not: no two executions meet all combinations.
    let program = program.main(|main| {
        for (flag, told) in pairs {
            main.spawn(|thread| {
                thread.read(flag);
                thread.write(told, 1);
            });
            main.spawn(|thread| {
                let told = thread.read(told);
                thread.when(told.equals(1), |thread| {
                    thread.await_then_write([(flag, Operator::Equal, 1.into())], flag, 2);
                });
            });
        }
    });
    check(&program);
}

#[test]
fn a_guarded_step_on_two_variables_comes_after_reads_of_either() {
    let mut program = Builder::new("a guarded write on two variables");
    let (flag, go) = (program.volatile("flag", 0), program.volatile("go", 0));
    let program = program.main(|main| {
        main.spawn(|thread| {
            thread.await_then_write([(go, Operator::Equal, 1.into())], flag, 1);
            thread.write(go, 2);
        });
        main.spawn(|thread| thread.write(go, 1));
        for _ in 0..2 {
            main.spawn(|thread| {
                thread.read(flag);
                thread.read(go);
            });
        }
    });
    check(&program);
}

/// Whoever comes to an interrupt before its thread waits, or after that, is about to touch different things.
#[test]
fn a_net_does_not_depend_on_whether_an_interrupt_is_first_met_while_its_thread_waits() {
    let mut program = Builder::new("an interrupt of one who waits beside another");
    let (lock, x, y) = (program.lock("l"), program.variable("x", 0), program.variable("y", 0));
    let condition = program.condition("c", lock);
    let program = program.main(|main| {
        main.spawn(|thread| {
            thread.write(y, 1);
            thread.locked(lock, |thread| {
                thread.wait_or(condition, false);
                thread.write(x, 2);
            });
        });
        main.spawn(|thread| {
            thread.write(x, 3);
            thread.interrupt(0);
        });
        main.locked(lock, |main| {
            main.wait_or(condition, true);
            main.write(x, 2);
        });
    });
    check_with(&program, Features::WITH_INTERRUPTS);
}

fn check(program: &TestProgram) {
    check_with(program, Features::WITHOUT_INPUTS);
}

fn check_with(program: &TestProgram, features: Features) {
    let truth = oracle::enumerate(program, ORACLE_STEPS).expect("a small program");
    for entry in EXPLORERS.iter().filter(|entry| entry.covers == Covers::LocalStates) {
        let wrong = disagreement(entry, program, &truth, features);
        assert_eq!(wrong, None, "{}\n{program}", entry.name);
    }
}

/// Stops at the first finding.
struct First;

impl Sink for First {
    fn finding(&mut self, _: &Finding) -> Flow {
        Flow::Stop
    }
}

/// Two threads that take two locks in opposite orders, beside others that make the net large.
fn crossed_beside_counters() -> TestProgram {
    let mut builder = Builder::new("crossed beside counters");
    let (left, right) = (builder.lock("left"), builder.lock("right"));
    let count = builder.variable("count", 0);
    builder.main(|main| {
        for (first, second) in [(left, right), (right, left)] {
            main.spawn(|thread| thread.locked(first, |thread| thread.locked(second, |_| {})));
        }
        for number in 0..3 {
            main.spawn(|thread| {
                for time in 0..2 {
                    thread.write(count, number * 2 + time);
                    thread.read(count);
                }
            });
        }
    })
}

#[test]
fn a_deadlock_is_told_long_before_the_net_is_finished() {
    let program = crossed_beside_counters();
    for name in ["unfolding", "contextual", "stateful"] {
        let entry = explorer(name).expect("it is in the table");
        let assignment = |limits, sink| Assignment {
            program: &program,
            unit: WorkUnit::whole(),
            limits,
            properties: default_properties(),
            sink,
            parameters: ParameterValues::default(),
        };
        let mut sink = Silent;
        let whole = (entry.explore)(assignment(Limits::default(), &mut sink));
        assert_eq!((whole.findings.len(), whole.bounds.len()), (1, 0), "{name}");
        let mut sink = First;
        let stopped = (entry.explore)(assignment(Limits::default(), &mut sink));
        assert_eq!(stopped.findings.len(), 1, "{name}");
        assert!(stopped.unexplored.is_some(), "{name}");
        let (events, all) = (stopped.statistics.events, whole.statistics.events);
        assert!(events < all / 2, "{name}: after {events} of {all} events");
        // A limit that stops the exploration early does not hide it. The executions of `stateful` come before most of
        // its net, and so before its deadlocks.
        let half = whole.statistics.executions / 2;
        if name != "stateful" {
            let limits = Limits { executions: Some(half), ..Limits::default() };
            let mut sink = Silent;
            let limited = (entry.explore)(assignment(limits, &mut sink));
            assert!(limited.bounds.contains(&Bound::Executions), "{name}");
            assert_eq!(limited.findings.len(), 1, "{name}: within {half} executions");
        }
    }
}
