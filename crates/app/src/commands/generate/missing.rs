//! Why something is not covered: a limit, the range of numbers, or no input leads there.
//!
//! A limit is to blame if an execution that it has ended was there, or might have come there (`points_ahead`), the range if
//! executions without it, within the same limits, do come there. Otherwise no input leads there.

use std::collections::BTreeSet;
use std::time::Duration;

use counterpoint_abs::generate::Missing;
use counterpoint_abs::machine::CoveragePoint;
use counterpoint_explore::{Limits, WorkUnit};

use super::part::{self, Nobody};
use super::session::Session;
use super::{Generation, GenerationQuestion, is_gap};
use crate::interrupt;

/// How long tests without the range are looked for.
const MOST_TIME: Duration = Duration::from_secs(5);

/// Something that no test covers.
pub struct Uncovered {
    /// The line.
    pub line: u32,
    /// What, in words.
    pub what: &'static str,
    /// Why, in words.
    pub reason: String,
}

/// Finds out for each target why what is not covered is not.
pub fn explain(generation: &Generation, limits: &Limits) -> Vec<Vec<Uncovered>> {
    let each = generation.coverage.iter().zip(&generation.sessions);
    each.map(|(covered, session)| {
        let beyond = match covered.missing.is_empty() {
            true => BTreeSet::new(),
            false => beyond_range(generation, session, limits),
        };
        let mut all: Vec<Uncovered> = Vec::new();
        for Missing { line, what, point } in &covered.missing {
            let reason = reason(generation, session, *point, &beyond);
            let known = |one: &Uncovered| one.line == *line && one.what == *what;
            match all.iter_mut().find(|one| known(one)) {
                Some(one) if one.reason == reason => {}
                _ => all.push(Uncovered { line: *line, what, reason }),
            }
        }
        all
    })
    .collect()
}

/// What is covered if numbers may lie outside of the range.
fn beyond_range(
    generation: &Generation,
    session: &Session,
    limits: &Limits,
) -> BTreeSet<CoveragePoint> {
    let mut question: GenerationQuestion = generation.question.clone();
    let explored = session.is_done() && session.target.guide.is_none();
    if question.criteria.range.take().is_none() || !explored {
        return BTreeSet::new();
    }
    let time = limits.time.map_or(MOST_TIME, |time| time.min(MOST_TIME));
    let limits = Limits { time: Some(time), ..limits.clone() };
    let free = Session::new(&question, &generation.model, session.target.clone());
    // What an execution comes to that a limit ends later counts as well.
    let (whole, interrupted) = (WorkUnit::whole(), interrupt::flag());
    part::explore(&free, whole, limits, interrupted, &mut Nobody, &mut |_| {});
    free.executed()
}

fn reason(
    generation: &Generation,
    session: &Session,
    point: CoveragePoint,
    beyond: &BTreeSet<CoveragePoint>,
) -> String {
    if !session.is_done() {
        return "not everything was tried".to_string();
    }
    if session.target.guide.is_some() {
        return "only deadlocks were looked for".to_string();
    }
    let cuts = session.cuts_before(&generation.model, point);
    let (gaps, limits): (Vec<&str>, Vec<&str>) = cuts.into_iter().partition(|cut| is_gap(cut));
    let mut gaps: Vec<String> = gaps.iter().map(ToString::to_string).collect();
    gaps.extend(session.bounds.iter().map(ToString::to_string));
    let within = match limits.is_empty() {
        true => String::new(),
        false => format!(" within {}", limits.join(", ")),
    };
    let range = generation.question.criteria.range.as_ref();
    let range = range.map(|(least, most)| format!("{least}..{most}"));
    if let Some(range) = range.as_ref().filter(|_| beyond.contains(&point)) {
        return format!("only numbers outside of the range {range} lead there{within}");
    }
    let input =
        range.map_or("no input".to_string(), |range| format!("no input in the range {range}"));
    if gaps.is_empty() {
        let options = &generation.question.options;
        let all_orders =
            options.objects == Default::default() && options.tasks == Default::default();
        let free = all_orders || session.tests.iter().all(|test| test.schedule.len() <= 1);
        let order = if free || !within.is_empty() { "" } else { " in this order of tasks" };
        return format!("{input} leads there{within}{order}");
    }
    let gaps = format!("not everything could be followed: {}", gaps.join(", "));
    match limits.is_empty() {
        true => gaps,
        false => format!("{input} leads there{within}; {gaps}"),
    }
}
