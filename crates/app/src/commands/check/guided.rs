//! `check --deadlocks`: only deadlocks, and only what can still lead to one that an analysis holds possible.

use std::time::Instant;

use counterpoint_explore::{Limits, ParameterValues};
use counterpoint_model::Bound;

use crate::cli::{CheckArguments, Deadlocks};
use crate::commands::deadlocks::{Searching, no_analysis};
use crate::events;
use crate::front_end::{FrontEnd, Loaded};
use crate::interrupt;
use crate::progress::Progress;
use crate::report::{Checked, CheckedCycle};
use crate::source::Sources;
use crate::trouble::Trouble;
use crate::waits::{self, GoalState, Searches};

use super::question::CheckQuestion;

/// Searches for deadlocks and writes the reports.
pub fn run(
    which: Deadlocks,
    arguments: &CheckArguments,
    question: &CheckQuestion,
    front_end: &FrontEnd,
    loaded: &Loaded,
) -> Result<u8, Trouble> {
    let analyser = loaded.waits.as_ref().ok_or_else(|| no_analysis(front_end))?;
    let context = arguments.context.unwrap_or(1);
    let analysis = interrupt::analysing(question.limits.time, || analyser(context));
    let program = &*loaded.program;
    let limits = Limits { time: interrupt::left(question.limits.time), ..question.limits.clone() };
    let mut watcher = Searching(Progress::new(0));
    let searches = Searches {
        analysis: &*analysis,
        loaded: program,
        which,
        limits: &limits,
        processes: &arguments.jobs.processes,
    };
    let begun = Instant::now();
    let decided = waits::decide(&searches, interrupt::flag(), &mut watcher);
    interrupt::explored();
    watcher.0.finish();
    let mut tally = decided.tally;
    events::finished(&tally);
    let report = analysis.report();
    let cycles = report.cycles.iter().map(|cycle| (&cycle.sentence, &cycle.arrows[..]));
    let conditions = report.conditions.iter().map(|condition| (&condition.sentence, &[][..]));
    let cycles: Vec<CheckedCycle> = cycles
        .chain(conditions)
        .zip(&decided.goals)
        .map(|((sentence, arrows), goal)| CheckedCycle {
            state: goal.state,
            sentence: sentence.clone(),
            arrows: arrows.to_vec(),
        })
        .collect();
    // What was not searched for because one deadlock was enough is left.
    let left = cycles.iter().any(|cycle| cycle.state == GoalState::Undecided);
    let enough = which == Deadlocks::First && !tally.findings.is_empty();
    if (left || enough) && tally.bounds.is_empty() {
        tally.bounds.insert(Bound::Stopped);
    }
    let sources = Sources::new(&question.request);
    let telling = interrupt::telling(begun, limits.time);
    let told = super::tell(&question.request, program, &tally, &telling)?;
    let checked = Checked {
        request: &question.request,
        program,
        explorer: "guided",
        parameters: ParameterValues::default(),
        reduction: loaded.reduction,
        properties: &waits::properties(),
        tally: &tally,
        told,
        sources: &sources,
        pictures: loaded.pictures.as_deref(),
        coverage: Vec::new(),
        resume: None,
        first_only: which == Deadlocks::First,
        cycles: Some(cycles),
        one_for_each_cycle: which == Deadlocks::PerCycle,
    };
    super::write_reports(arguments, &checked)?;
    Ok(tally.verdict().exit_code())
}
