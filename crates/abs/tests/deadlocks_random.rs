//! The deadlock analysis is never wrong: random models against exploration.
//!
//! `RANDOM_MODELS=N` tries so many models, `FIRST_MODEL=N` begins with that one.

use crate::deadlock_models;

use std::collections::BTreeSet;
use std::sync::Arc;

use counterpoint_abs::analysis::question::DeadlockQuestion;
use counterpoint_abs::analysis::{Analysis, Settings, analyse};
use counterpoint_abs::diagnostics::Style;
use counterpoint_abs::machine::{AwaitPolicy, CycleWait, ModelProgram, Options, Reduction};
use counterpoint_abs::program::Model;
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};
use counterpoint_explore::{
    Assignment, Ending, Execution, Exploration, Flow, Limits, ParameterValues, Sink, Statistics,
    WorkUnit, explorer,
};
use counterpoint_model::{Choice, Program};

use deadlock_models::random_model;

/// How many executions an exploration of one model may take.
const MOST: u64 = 3_000;

fn model(source: &str) -> Model {
    let result = load(vec![SourceFile::new("random.abs", source)], &LoadOptions::default());
    assert!(result.model.is_some(), "{}\n{source}", result.render(Style::Plain));
    result.model.unwrap()
}

/// Who waits where, told so that runs of different programs can be compared.
type Deadlock = Vec<(String, u32, Option<u32>, Vec<String>)>;

#[derive(Default)]
struct Seen {
    schedules: Vec<Vec<Choice>>,
}

impl Sink for Seen {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        if execution.ending == Ending::Deadlock {
            self.schedules.push(execution.events.iter().map(|event| event.choice).collect());
        }
        Flow::Continue
    }
}

fn explore(program: &ModelProgram, name: &str) -> (Exploration, Vec<Vec<Choice>>) {
    let mut seen = Seen::default();
    let exploration = (explorer(name).unwrap().explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits { executions: Some(MOST), steps: 400, ..Limits::default() },
        properties: Vec::new(),
        sink: &mut seen,
        parameters: ParameterValues::default(),
    });
    (exploration, seen.schedules)
}

fn told(program: &ModelProgram, group: &[CycleWait]) -> Deadlock {
    let path = |task| program.names().path(task);
    let inside = |task| group.iter().any(|wait| wait.task == task);
    let mut told: Deadlock = group
        .iter()
        .map(|wait| {
            // Whoever else it waits for may yet finish.
            let awaited = wait.awaited.iter().filter(|(task, _)| inside(*task));
            let awaited = awaited.map(|(task, _)| path(*task)).collect();
            (path(wait.task), wait.body.0, wait.instruction, awaited)
        })
        .collect();
    told.sort();
    told
}

/// Whether all waits of some reported cycle are waits of these tasks.
fn is_reported(analysis: &Analysis<'_>, group: &[CycleWait]) -> bool {
    let question = DeadlockQuestion::new(&analysis.points, &analysis.graph.cycles, &[]);
    let occupied = |number: usize| {
        let wait = &question.waits[number];
        group.iter().any(|member| {
            member.body == wait.point.body
                && member.instruction == Some(wait.point.instruction)
                && member.awaited.iter().any(|(_, body)| wait.awaited.contains(body))
        })
    };
    question
        .goals
        .iter()
        .any(|goal| (0..question.waits.len()).filter(|n| goal.waits >> n & 1 == 1).all(occupied))
}

#[derive(Default)]
struct Counts {
    models: u64,
    free: u64,
    deadlocking: u64,
    false_alarms: u64,
    compared: u64,
    plain: u64,
    guided: u64,
}

fn check(seed: u64, counts: &mut Counts) {
    let source = random_model(seed);
    let model = Arc::new(model(&source));
    let analysis = analyse(&model, Settings::default()).unwrap();
    let graph = &analysis.graph;
    let free = graph.cycles.is_empty() && graph.chains.is_empty();
    let options = Options {
        reduction: [Reduction::Object, Reduction::Field][seed as usize % 2],
        await_policy: [AwaitPolicy::Continue, AwaitPolicy::Release][seed as usize / 2 % 2],
        ..Options::default()
    };
    let program = ModelProgram::new(Arc::clone(&model), options.clone());
    let (plain, schedules) = explore(&program, "optimal");
    let note = || {
        let cycles: Vec<String> =
            analysis.told_cycles().into_iter().map(|cycle| cycle.notation).collect();
        format!("model {seed}\n{source}\n{cycles:#?}")
    };
    let mut deadlocks = BTreeSet::new();
    let mut by_condition = false;
    for schedule in &schedules {
        let groups = program.deadlocks(schedule);
        assert!(!free, "«no cycle» is said of a model that deadlocks: {}", note());
        if groups.is_empty() {
            assert!(!graph.chains.is_empty(), "a chain to a condition is missing: {}", note());
            by_condition = true;
        }
        for group in groups {
            assert!(
                graph.truncated || is_reported(&analysis, &group),
                "{:?} lies on no reported cycle: {}",
                told(&program, &group),
                note()
            );
            deadlocks.insert(told(&program, &group));
        }
    }
    counts.models += 1;
    counts.free += u64::from(free);
    counts.deadlocking += u64::from(!schedules.is_empty());
    let whole = plain.unexplored.is_none() && plain.bounds.is_empty();
    counts.false_alarms += u64::from(!free && schedules.is_empty() && whole);
    if free || !whole {
        return;
    }
    let mut question = DeadlockQuestion::new(&analysis.points, &graph.cycles, &graph.chains);
    question.anything = graph.truncated;
    let guided_program = ModelProgram::new(Arc::clone(&model), options).looking_for(question);
    let (guided, schedules) = explore(&guided_program, "guided");
    assert!(
        guided.statistics.executions <= plain.statistics.executions,
        "guided takes {} executions and the other {}: {}",
        guided.statistics.executions,
        plain.statistics.executions,
        note()
    );
    let mut found = BTreeSet::new();
    let mut found_by_condition = false;
    for schedule in &schedules {
        let groups = guided_program.deadlocks(schedule);
        found_by_condition |= groups.is_empty();
        found.extend(groups.iter().map(|group| told(&guided_program, group)));
    }
    assert_eq!(found, deadlocks, "{}", note());
    assert_eq!(found_by_condition, by_condition, "{}", note());
    counts.compared += 1;
    counts.plain += plain.statistics.executions;
    counts.guided += guided.statistics.executions;
}

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn every_deadlock_lies_on_a_reported_cycle_and_guided_search_finds_them_all() {
    let first = number("FIRST_MODEL", 0);
    let count = number("RANDOM_MODELS", 400);
    let mut counts = Counts::default();
    for seed in first..first + count {
        check(seed, &mut counts);
    }
    let Counts { models, free, deadlocking, false_alarms, compared, plain, guided } = counts;
    println!(
        "{models} models: {free} proved free, {deadlocking} deadlock, {false_alarms} false alarms; \
         {compared} explored in both ways, {plain} executions against {guided}"
    );
    assert!(free > 0 && deadlocking > 0 && compared > 0);
}
