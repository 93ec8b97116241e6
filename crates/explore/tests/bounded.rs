//! Explorations bounded by foreign reads and by preemptive switches, against the oracle.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};

use counterpoint_explore::{
    Assignment, Execution, Exploration, Flow, Limits, ParameterValue, ParameterValues, Silent,
    Sink, Statistics, WorkUnit, default_properties, explorer, non_local_reads,
};
use counterpoint_model::{Bound, Choice, FindingKind, Next, Pid, Program};
use counterpoint_testkit::TestProgram;
use counterpoint_testkit::builder::{Builder, Comparable};
use counterpoint_testkit::oracle::{self, Classes};
use counterpoint_testkit::random::{self, Features};

/// Programs for which the oracle needs more steps than this are passed over.
const ORACLE_STEPS: u64 = 50_000;

fn programs() -> u64 {
    std::env::var("COUNTERPOINT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(100)
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
        let names = self.program.names();
        let step = |choice: Choice| {
            let path = names.path(choice.process);
            let path = path.split('.').map(|number| number.parse().expect("a number")).collect();
            (path, choice.alternative)
        };
        let steps: Vec<_> = execution.events.iter().map(|event| step(event.choice)).collect();
        // Executions that only show a failure do not count.
        let counts =
            std::mem::replace(&mut self.met.counted, statistics.executions) < statistics.executions;
        match oracle::class_of(self.program, &steps) {
            None => self.met.wrong.push("a schedule that the oracle cannot follow".to_owned()),
            Some((_, foreign)) if foreign != events_that_read(execution) => self
                .met
                .wrong
                .push("another number of non-local reads than the oracle's".to_owned()),
            Some((class, foreign)) if counts => {
                let waits = |process| matches!(execution.run.next(Pid(process)), Next::Blocked(_));
                if !(0..execution.run.processes()).any(waits) {
                    self.met.classes.entry(class).or_insert((foreign, 0)).1 += 1;
                }
            }
            Some(_) => {}
        }
        Flow::Continue
    }

    fn restart(&mut self) {
        self.met.classes.clear();
        self.met.counted = 0;
    }
}

/// How many events have non-local reads.
fn events_that_read(execution: &Execution<'_>) -> u32 {
    let reads = non_local_reads(execution.events);
    reads.iter().map(|read| read.read).collect::<BTreeSet<_>>().len() as u32
}

fn explore(name: &str, program: &TestProgram, bound: u32, sink: &mut dyn Sink) -> Exploration {
    let bound = ParameterValue::Number(bound.into());
    explore_with(name, program, ParameterValues::default().with("bound", bound), sink)
}

fn explore_with(
    name: &str,
    program: &TestProgram,
    parameters: ParameterValues,
    sink: &mut dyn Sink,
) -> Exploration {
    (explorer(name).expect("it is in the table").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties: default_properties(),
        sink,
        parameters,
    })
}

fn disagreement(program: &TestProgram, truth: &Classes, bound: u32) -> Option<String> {
    let mut met = Met::default();
    let result = explore("interference", program, bound, &mut Watcher { program, met: &mut met });
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
    let within = |failures: &BTreeMap<oracle::Failure, u32>| -> BTreeSet<_> {
        let within = failures.iter().filter(|(_, foreign)| **foreign <= bound);
        within.map(|(failure, _)| name(failure)).collect()
    };
    // Failures before a deadlock are promised, too.
    let promised = within(&truth.fewest);
    let possible = within(&truth.soonest);
    if !promised.is_subset(&failures) {
        return Some(format!("failures {failures:?} without some of {promised:?} at {bound}"));
    }
    if !failures.is_subset(&possible) {
        return Some(format!("failures {failures:?} beyond {possible:?} at {bound}"));
    }
    let left_out = result.bounds.contains(&Bound::NonLocalReads(bound));
    let most = truth.complete.values().map(|class| class.foreign).max().unwrap_or(0);
    if left_out && truth.most <= bound {
        return Some(format!("says that more exist than {bound}"));
    }
    if !left_out && most > bound {
        return Some(format!("says that no more exist than {bound}, and there are {most}"));
    }
    None
}

/// Gathers final states.
struct Ends<'a> {
    program: &'a TestProgram,
    outcomes: BTreeSet<String>,
}

impl Sink for Ends<'_> {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let choices: Vec<Choice> = execution.events.iter().map(|event| event.choice).collect();
        let inputs = execution.run.inputs();
        self.outcomes.extend(self.program.concrete_outcomes(&inputs, &choices));
        Flow::Continue
    }
}

fn preemption_disagreement(program: &TestProgram, bound: u32) -> Option<String> {
    let truth = oracle::with_preemptions(program, bound, ORACLE_STEPS).ok()?;
    let mut ends = Ends { program, outcomes: BTreeSet::new() };
    let result = explore("preemptions", program, bound, &mut ends);
    if !result.internal_errors.is_empty() {
        return Some(format!("internal error: {:?}", result.internal_errors));
    }
    if ends.outcomes != truth.outcomes {
        let lacking: Vec<_> = truth.outcomes.difference(&ends.outcomes).collect();
        let excess: Vec<_> = ends.outcomes.difference(&truth.outcomes).collect();
        return Some(format!("outcomes at {bound}: lacks {lacking:#?}, in excess {excess:#?}"));
    }
    let names = |deadlocks: bool| -> BTreeSet<_> {
        let findings = result.findings.iter().map(|found| &found.finding);
        let fitting =
            findings.filter(|finding| (finding.kind == FindingKind::Deadlock) == deadlocks);
        fitting
            .map(|finding| (finding.kind, finding.message.clone(), finding.places[0].line))
            .collect()
    };
    let name = |failure: &oracle::Failure| (failure.kind, failure.message.clone(), failure.line);
    let expected: BTreeSet<_> = truth.failures.iter().map(name).collect();
    if names(false) != expected {
        return Some(format!("failures {:?} instead of {expected:?} at {bound}", names(false)));
    }
    if (result.statistics.deadlocks > 0) == truth.deadlocks.is_empty() {
        return Some(format!("deadlocks {:?} at {bound}", truth.deadlocks));
    }
    let left_out = result.bounds.contains(&Bound::Preemptions(bound));
    (left_out && !truth.more).then(|| format!("says that more exist than {bound}"))
}

/// What `--victim` finds otherwise than the oracle: only one thread may have non-local reads.
fn victim_disagreement(program: &TestProgram, truth: &Classes, victim: &[u32]) -> Option<String> {
    let path: Vec<String> = victim.iter().map(u32::to_string).collect();
    for bound in 0..=2 {
        let mut met = Met::default();
        let parameters = ParameterValues::default()
            .with("bound", ParameterValue::Number(bound.into()))
            .with("victim", ParameterValue::Process(path.join(".")));
        let mut watcher = Watcher { program, met: &mut met };
        let result = explore_with("interference", program, parameters, &mut watcher);
        let fits = |class: &&oracle::Class| {
            class.foreign <= bound && class.readers.iter().all(|reader| reader == victim)
        };
        let expected = truth.complete.values().filter(fits).count();
        if !result.internal_errors.is_empty() || !met.wrong.is_empty() {
            return Some(format!("{:?} {:?}", result.internal_errors, met.wrong));
        }
        if met.classes.len() != expected || met.classes.values().any(|(_, count)| *count != 1) {
            let found = met.classes.len();
            return Some(format!("{found} classes instead of {expected} with {path:?} at {bound}"));
        }
        let left_out = truth.complete.values().any(|class| !fits(&class));
        if left_out && result.bounds.is_empty() {
            return Some(format!("says that nothing is left out with {path:?} at {bound}"));
        }
    }
    None
}

#[test]
fn only_the_victim_reads_what_others_wrote() {
    let disagreement = |program: &TestProgram| {
        let truth = oracle::classes(program, ORACLE_STEPS).ok()?;
        let readers: BTreeSet<&Vec<u32>> =
            truth.complete.values().flat_map(|class| &class.readers).collect();
        let mut wrong = readers.iter();
        Some(wrong.find_map(|victim| victim_disagreement(program, &truth, victim)))
    };
    compare(Features::ALL, common::seeds(programs() / 6), disagreement);
    // Another thread reads what was written in a critical section that has not ended.
    compare(Features::ALL, 1045..1046, disagreement);
}

#[test]
fn without_a_bound_the_smallest_one_that_shows_a_failure_is_found() {
    let disagreement = |program: &TestProgram| {
        let truth = oracle::classes(program, ORACLE_STEPS).ok()?;
        let smallest = truth.fewest.values().min()?;
        let result = explore_with("interference", program, ParameterValues::default(), &mut Silent);
        let failures = result.findings.iter().map(|found| &found.finding);
        let fails = failures.filter(|finding| finding.kind != FindingKind::Deadlock).count() > 0;
        let soonest = truth.soonest.values().min()?;
        let at = result.bounds.iter().find_map(|bound| match bound {
            Bound::NonLocalReads(bound) => Some(*bound),
            _ => None,
        });
        let fits = match at {
            Some(bound) if bound < 3 => fails && bound <= *smallest && bound >= *soonest,
            _ => fails == (*smallest <= 3) || *soonest <= 3,
        };
        let met_deadlock = result.statistics.deadlocks > 0;
        Some((!fits && !met_deadlock).then(|| format!("stops at {at:?}, smallest {smallest}")))
    };
    compare(Features::ALL, common::seeds(programs() / 6), disagreement);
    // A write that nobody reckoned with turns up after the failure.
    compare(Features::ALL, 857..858, disagreement);
}

fn check_all(features: Features, seeds: impl Iterator<Item = u64>) {
    compare(features, seeds, |program| {
        let truth = oracle::classes(program, ORACLE_STEPS).ok()?;
        Some((0..=4).find_map(|bound| disagreement(program, &truth, bound)))
    });
}

/// Looks for what disagrees; the judge passes over programs that are too big.
fn compare(
    features: Features,
    seeds: impl Iterator<Item = u64>,
    judge: impl Fn(&TestProgram) -> Option<Option<String>>,
) {
    let mut checked = 0;
    let mut wrong = Vec::new();
    for seed in seeds {
        let program = random::program(seed, features);
        let Some(verdict) = judge(&program) else { continue };
        checked += 1;
        if let Some(what) = verdict {
            wrong.push((program.to_string().lines().count(), seed, what));
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

const NO_INPUTS: Features = Features { inputs: false, semaphores: false, ..Features::ALL };

/// Little but threads that wait for variables and update them.
const SPINS: Features = Features {
    inputs: false,
    choices: false,
    asserts: false,
    locks: false,
    conditions: false,
    semaphores: false,
    arrays: false,
    nested_threads: false,
    joins: false,
    operations: 12,
    ..Features::ALL
};

#[test]
fn one_execution_per_class_on_programs_with_everything() {
    check_all(Features::ALL, common::seeds(programs() / 2));
}

#[test]
fn one_execution_per_class_on_programs_without_inputs() {
    check_all(NO_INPUTS, common::seeds(programs() / 4));
}

#[test]
fn one_execution_per_class_on_programs_that_wait_for_variables() {
    check_all(SPINS, common::seeds(programs() / 4));
}

#[test]
fn one_execution_per_class_on_programs_that_are_cut() {
    check_all(Features::WITH_CUTS, common::seeds(programs() / 4));
}

#[test]
fn one_execution_per_class_on_programs_that_try_locks_or_take_them_for_a_moment() {
    let features = Features { inputs: false, tries: true, passes: true, ..Features::ALL };
    check_all(features, common::seeds(programs() / 4));
    let features = Features { conditions: false, nested_threads: false, ..features };
    check_all(features, common::seeds(programs() / 4));
}

#[test]
fn preemptions_find_what_the_oracle_finds() {
    compare(Features::ALL, common::seeds(programs() / 2), |program| {
        oracle::with_preemptions(program, 3, ORACLE_STEPS).ok()?;
        Some((0..=3).find_map(|bound| preemption_disagreement(program, bound)))
    });
}

#[test]
fn preemptions_find_what_the_oracle_finds_without_inputs() {
    compare(NO_INPUTS, common::seeds(programs() / 2), |program| {
        oracle::with_preemptions(program, 3, ORACLE_STEPS).ok()?;
        Some((0..=3).find_map(|bound| preemption_disagreement(program, bound)))
    });
}

/// Whoever sees `inside` waits for a lock for ever, and so does the thread that has set it. In executions
/// without a deadlock that thread reads `go` a second time, which is one non-local read too many.
#[test]
fn a_failure_that_only_executions_with_a_deadlock_show_is_found() {
    let mut builder = Builder::new("before the deadlock");
    let (one, other) = (builder.lock("one"), builder.lock("other"));
    let (go, inside) = (builder.volatile("go", 0), builder.volatile("inside", 0));
    let program = builder.main(|main| {
        main.spawn(|thread| {
            let seen = thread.read(go);
            thread.when(seen.equals(1), |thread| {
                thread.acquire(one);
                thread.write(inside, 1);
                thread.acquire(other);
                thread.read(go);
                thread.write(inside, 0);
                thread.release(other);
                thread.release(one);
            });
        });
        main.spawn(|thread| {
            thread.write(go, 1);
            thread.acquire(other);
            let seen = thread.read(inside);
            thread.assert(seen.equals(0), "somebody is inside");
            thread.acquire(one);
            thread.release(one);
            thread.release(other);
        });
    });
    let truth = oracle::classes(&program, ORACLE_STEPS).expect("the program is small");
    let complete = truth.complete.values().filter(|class| !class.failures.is_empty());
    assert_eq!(complete.map(|class| class.foreign).min(), None);
    assert_eq!(truth.fewest.values().copied().collect::<Vec<_>>(), [2]);
    for bound in 0..=3 {
        assert_eq!(disagreement(&program, &truth, bound), None);
    }
}
