//! The result file: one JSON object, described by `docs/result.schema.json`.

use counterpoint_explore::{Cut, ParameterValues};
use counterpoint_model::{Bound, BranchCoverage, FileCoverage, FindingKind, Input, Place};
use serde::Serialize;

use super::{Checked, CheckedCycle, Told, verdict};
use crate::written::WrittenFinding;

/// The version written by this build.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct WrittenResult<'a> {
    format: u32,
    target: String,
    explorer: &'a str,
    #[serde(skip_serializing_if = "ParameterValues::is_empty")]
    parameters: &'a ParameterValues,
    reduction: Option<&'a str>,
    verdict: &'a str,
    exhausted: bool,
    executions: u64,
    abandoned: u64,
    #[serde(skip_serializing_if = "is_zero")]
    sampled: u64,
    deadlocks: u64,
    cut: u64,
    cuts: Vec<ResultCut<'a>>,
    races: usize,
    assumptions: Vec<String>,
    warnings: Vec<String>,
    events: u64,
    seconds: f64,
    bounds: Vec<&'a Bound>,
    findings: Vec<ResultFinding<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outcomes: Vec<ResultOutcome<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    coverage: Vec<ResultCoverage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<&'a [CheckedCycle]>,
}

/// Nothing is said about schedules drawn at random where none was.
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[derive(Serialize)]
struct ResultCoverage<'a> {
    file: &'a str,
    executed: Vec<u32>,
    missed: Vec<u32>,
    branches: &'a [BranchCoverage],
}

#[derive(Serialize)]
struct ResultFinding<'a> {
    kind: FindingKind,
    message: &'a str,
    file: &'a str,
    line: u32,
    count: u64,
    inputs: &'a [Input],
    schedule: serde_json::Value,
    places: &'a [Place],
    columns: &'a [String],
    trace: Vec<ResultStep<'a>>,
    /// Whether there was no time for the trace.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    untold: bool,
}

#[derive(Serialize)]
struct ResultStep<'a> {
    step: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    expired: bool,
    process: &'a str,
    column: &'a str,
    text: &'a str,
    file: &'a str,
    line: u32,
    matters: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    switch: Option<&'a str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    output: &'a str,
}

#[derive(Serialize)]
struct ResultCut<'a> {
    reason: &'a str,
    file: &'a str,
    line: u32,
    executions: u64,
}

#[derive(Serialize)]
struct ResultOutcome<'a> {
    state: &'a str,
    executions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<&'a serde_json::Value>,
}

/// The file's text.
pub fn render(checked: &Checked<'_>) -> String {
    let tally = checked.tally;
    let mut outcomes: Vec<ResultOutcome<'_>> = tally
        .outcomes
        .iter()
        .map(|(state, &executions)| ResultOutcome {
            state,
            executions,
            schedule: tally.ways.to(state),
        })
        .collect();
    outcomes.sort_by_key(|outcome| std::cmp::Reverse(outcome.executions));
    let result = WrittenResult {
        format: FORMAT,
        target: checked.request.target(),
        explorer: checked.explorer,
        parameters: &checked.parameters,
        reduction: checked.reduction,
        verdict: tally.verdict().word(),
        exhausted: tally.exhausted(),
        executions: tally.statistics.executions,
        abandoned: tally.statistics.abandoned,
        sampled: tally.sampled,
        deadlocks: tally.statistics.deadlocks,
        cut: tally.statistics.cut,
        cuts: tally.cuts.iter().map(cut).collect(),
        races: tally.races.seen.len().max(race_findings(checked)),
        assumptions: verdict::assumptions(checked),
        warnings: verdict::warnings(checked),
        events: tally.statistics.events,
        seconds: (tally.seconds * 1000.0).round() / 1000.0,
        bounds: tally.bounds.iter().collect(),
        findings: checked.told.iter().map(|told| finding(checked, told)).collect(),
        outcomes,
        coverage: checked.covered_files().map(coverage).collect(),
        cycles: checked.cycles.as_deref(),
    };
    serde_json::to_string_pretty(&result).expect("plain data serialises") + "\n"
}

fn cut(cut: &Cut) -> ResultCut<'_> {
    ResultCut {
        reason: &cut.reason,
        file: &cut.place.file,
        line: cut.place.line,
        executions: cut.count,
    }
}

fn coverage(covered: &FileCoverage) -> ResultCoverage<'_> {
    let lines = |wanted: bool| {
        let lines = covered.lines.iter().filter(|(_, executed)| **executed == wanted);
        lines.map(|(line, _)| *line).collect()
    };
    ResultCoverage {
        file: &covered.file,
        executed: lines(true),
        missed: lines(false),
        branches: &covered.branches,
    }
}

fn finding<'a>(checked: &Checked<'_>, told: &'a Told<'a>) -> ResultFinding<'a> {
    let finding = &told.found.finding;
    let written = WrittenFinding::new(checked.program, finding, told.found.count);
    let first = finding.places.first();
    let step = |step: &'a crate::story::Step| ResultStep {
        step: step.number,
        expired: step.expired,
        process: &step.process,
        column: &told.story.columns[step.column],
        text: &step.text,
        file: &step.place.file,
        line: step.place.line,
        matters: step.matters,
        switch: step.switch.as_deref(),
        output: &step.output,
    };
    ResultFinding {
        kind: finding.kind,
        message: &finding.message,
        file: first.map(|place| place.file.as_str()).unwrap_or_default(),
        line: first.map(|place| place.line).unwrap_or_default(),
        count: told.found.count,
        inputs: &finding.inputs,
        schedule: written.schedule,
        places: &finding.places,
        columns: &told.story.columns,
        trace: told.story.steps.iter().map(step).collect(),
        untold: told.story.untold,
    }
}

/// How many data races are failures here: those that kept schedules showed first are not seen again.
fn race_findings(checked: &Checked<'_>) -> usize {
    let kinds = checked.told.iter().map(|told| told.found.finding.kind);
    kinds.filter(|kind| *kind == FindingKind::Race).count()
}
