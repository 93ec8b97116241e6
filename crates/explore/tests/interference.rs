//! Explorations bounded by foreign reads, against the oracle.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use counterpoint_explore::{
    Assignment, Execution, Exploration, Flow, Interference, Limits, Sink, Statistics, WorkUnit,
    default_properties, explore_interference,
};
use counterpoint_model::{Bound, Choice, FindingKind, Program};
use counterpoint_testkit::oracle::{self, Classes};
use counterpoint_testkit::random::{self, Features};
use counterpoint_testkit::TestProgram;

/// Programs for which the oracle needs more steps than this are passed over.
const ORACLE_STEPS: u64 = 50_000;

fn programs() -> u64 {
    std::env::var("COUNTERPOINT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(2400)
}

/// The classes of all executions, and how often each was run.
#[derive(Default)]
struct Met {
    classes: BTreeMap<u128, (u32, u64)>,
    wrong: Vec<String>,
    counted: u64,
}

struct Watcher<'a> {
    program: &'a TestProgram,
    met: &'a mut Met,
}

impl Sink for Watcher<'_> {
    fn execution(&mut self, execution: &Execution<'_>, statistics: &Statistics) -> Flow {
        use counterpoint_explore::Ending;
        let names = self.program.names();
        let step = |choice: Choice| {
            let path = names.path(choice.process);
            let path = path.split('.').map(|number| number.parse().expect("a number")).collect();
            (path, choice.alternative)
        };
        let steps: Vec<_> = execution.events.iter().map(|event| step(event.choice)).collect();
        // Executions that only show a failure do not count.
        let counts = std::mem::replace(&mut self.met.counted, statistics.executions)
            < statistics.executions;
        match oracle::class_of(self.program, &steps) {
            None => self.met.wrong.push("a schedule that the oracle cannot follow".to_owned()),
            Some((class, foreign)) if counts => {
                if execution.ending != Ending::Deadlock {
                    self.met.classes.entry(class).or_insert((foreign, 0)).1 += 1;
                }
            }
            Some(_) => {}
        }
        Flow::Continue
    }

    fn begins_again(&mut self) {
        self.met.classes.clear();
        self.met.counted = 0;
    }
}

fn explore(program: &TestProgram, bound: Option<u32>, met: &mut Met) -> Exploration {
    let assignment = Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties: default_properties(),
        sink: &mut Watcher { program, met },
        seed: 1,
    };
    explore_interference(assignment, &Interference { bound, victim: None })
}

fn disagreement(program: &TestProgram, truth: &Classes, bound: u32) -> Option<String> {
    let mut met = Met::default();
    let result = explore(program, Some(bound), &mut met);
    if !result.internal_errors.is_empty() {
        return Some(format!("internal error: {:?}", result.internal_errors));
    }
    if let Some(wrong) = met.wrong.first() {
        return Some(wrong.clone());
    }
    let expected: BTreeMap<u128, u32> = truth
        .complete
        .iter()
        .filter(|(_, class)| class.foreign <= bound)
        .map(|(digest, class)| (*digest, class.foreign))
        .collect();
    let found: BTreeMap<u128, u32> =
        met.classes.iter().map(|(digest, (foreign, _))| (*digest, *foreign)).collect();
    if found != expected {
        let lacking = expected.keys().filter(|class| !found.contains_key(class)).count();
        let excess = found.keys().filter(|class| !expected.contains_key(class)).count();
        return Some(format!(
            "{} of {} classes lacking, {excess} in excess, at {bound}",
            lacking,
            expected.len()
        ));
    }
    if let Some((_, count)) = met.classes.values().find(|(_, count)| *count != 1) {
        return Some(format!("a class was run {count} times at {bound}"));
    }
    let failures: BTreeSet<_> = result
        .findings
        .iter()
        .filter(|found| found.finding.kind != FindingKind::Deadlock)
        .map(|found| {
            let finding = &found.finding;
            (finding.kind, finding.message.clone(), finding.places[0].line)
        })
        .collect();
    let name = |failure: &oracle::Failure| (failure.kind, failure.message.clone(), failure.line);
    let promised: BTreeSet<_> = truth
        .complete
        .values()
        .filter(|class| class.foreign <= bound)
        .flat_map(|class| class.failures.iter().map(name))
        .collect();
    let possible: BTreeSet<_> = truth
        .soonest
        .iter()
        .filter(|(_, foreign)| **foreign <= bound)
        .map(|(failure, _)| name(failure))
        .collect();
    if !promised.is_subset(&failures) {
        return Some(format!("failures {failures:?} without some of {promised:?} at {bound}"));
    }
    if !failures.is_subset(&possible) {
        return Some(format!("failures {failures:?} beyond {possible:?} at {bound}"));
    }
    let left_out = result.bounds.contains(&Bound::NonLocalReads(bound));
    if left_out != (truth.most > bound) {
        return Some(format!(
            "says that more {} at {bound}, and there are up to {}",
            if left_out { "exist" } else { "do not exist" },
            truth.most
        ));
    }
    None
}

fn check_all(features: Features, seeds: impl Iterator<Item = u64>) {
    let mut checked = 0;
    let mut wrong = Vec::new();
    for seed in seeds {
        let program = random::program(seed, features);
        let Ok(truth) = oracle::classes(&program, ORACLE_STEPS) else { continue };
        checked += 1;
        for bound in 0..=4 {
            if let Some(what) = disagreement(&program, &truth, bound) {
                wrong.push((program.to_string().lines().count(), seed, what));
                break;
            }
        }
    }
    wrong.sort();
    if let Some((_, seed, what)) = wrong.first() {
        let program = random::program(*seed, features);
        let seeds: Vec<u64> = wrong.iter().map(|(_, seed, _)| *seed).collect();
        panic!(
            "{} of {checked} programs disagree (seeds {seeds:?}); the shortest is seed {seed}: \
             {what}\n{program}",
            wrong.len()
        );
    }
    assert!(checked > 0, "no program was small enough");
    eprintln!("{checked} programs");
}

#[test]
fn one_execution_per_class_on_programs_with_everything() {
    check_all(Features::ALL, 0..programs() / 2);
}
