//! The last line of every run: what has been shown, in plain words.

use counterpoint_explore::{Covers, Cut, Statistics, WorkUnit};
use counterpoint_model::{Bound, FindingKind, Verdict};

use super::Checked;
use crate::job::{Tally, Unexplored};
use crate::look::{count, thousands};

/// What has been shown.
pub fn line(checked: &Checked<'_>) -> String {
    let assumed = checked.tally.assumptions.iter().map(|text| assuming(text));
    let parts = claims(checked).into_iter().chain(assumed).chain(warnings_of_all(checked));
    parts.collect::<Vec<_>>().join("; ")
}

/// The same where the assumptions of several programs are told once.
pub fn line_without_assumptions(checked: &Checked<'_>) -> String {
    let parts = claims(checked).into_iter().chain(warnings_of_all(checked));
    parts.collect::<Vec<_>>().join("; ")
}

/// That something was taken for granted.
pub fn assuming(text: &str) -> String {
    format!("assuming that {text}")
}

fn claims(checked: &Checked<'_>) -> Vec<String> {
    let tally = checked.tally;
    let bugs = tally.findings.iter().filter(|f| f.finding.kind != FindingKind::Unsupported).count();
    let found = match bugs {
        0 => "no failure".to_string(),
        bugs => count(bugs as u64, "failure"),
    };
    let claim = match tally.verdict() {
        Verdict::Ok => {
            let holds = match memory(checked) {
                Some(text) => format!(" for sequentially consistent executions; {text}"),
                None => String::new(),
            };
            format!("ok{holds}: {}: {}, no failure", everything(checked), executions(tally))
        }
        Verdict::Bug if tally.exhausted() => {
            format!("bug: {found}; {}: {}", everything(checked), executions(tally))
        }
        Verdict::Bug if checked.first_only && tally.bounds.contains(&Bound::Stopped) => {
            format!("bug: {found}; stopped at the first one, after {}", executions(tally))
        }
        Verdict::Bug => match tally.bounds.iter().find_map(at_most) {
            // What a kept schedule has shown may lie beyond the bound.
            Some(bound)
                if tally.unexplored.is_none() && tally.findings.iter().all(|f| f.count > 0) =>
            {
                format!("bug: {found} with {bound}: {}", how_far(tally))
            }
            _ => format!("bug: {found}; {}", how_far(tally)),
        },
        Verdict::Incomplete(_) => match tally.bounds.iter().find_map(at_most) {
            Some(bound) if tally.unexplored.is_none() => {
                format!("incomplete: {found} with {bound}: {}", how_far(tally))
            }
            _ => format!("incomplete: {found} so far; {}", how_far(tally)),
        },
    };
    let mut parts = vec![claim];
    if tally.verdict() != Verdict::Ok {
        parts.extend(memory(checked));
    }
    if is_overlooked(checked) {
        parts.push(NOT_LOOKED_FOR.to_string());
    }
    parts
}

/// What explorers that need not see every data race say.
const NOT_LOOKED_FOR: &str = "data races were not looked for (`--explorer optimal` does)";

/// What data races mean for the result, if there are some that are not failures themselves.
fn memory(checked: &Checked<'_>) -> Option<String> {
    let races = checked.tally.races.seen.len() as u64;
    let platform = checked.program.platform();
    (races > 0 && !asks_for_races(checked)).then(|| {
        format!("{}, so a real {platform} may show more (`--races`)", count(races, "data race"))
    })
}

fn asks_for_races(checked: &Checked<'_>) -> bool {
    checked.properties.iter().any(|property| property.name == "race")
}

/// Whether there may be data races that nobody would have seen. If they are asked for, a bound says so.
fn is_overlooked(checked: &Checked<'_>) -> bool {
    let races = &checked.tally.races;
    races.may_be_overlooked() && races.seen.is_empty() && !asks_for_races(checked)
}

/// What the result takes for granted, in sentences.
pub fn assumptions(checked: &Checked<'_>) -> Vec<String> {
    let mut texts = Vec::new();
    if memory(checked).is_some() || is_overlooked(checked) {
        texts.push("executions are sequentially consistent".to_string());
    }
    texts.extend(checked.tally.assumptions.iter().cloned());
    texts
}

/// What was left out although it may not matter, in sentences.
pub fn warnings(checked: &Checked<'_>) -> Vec<String> {
    let mut texts = Vec::new();
    texts.extend(memory(checked));
    if is_overlooked(checked) {
        texts.push(NOT_LOOKED_FOR.to_string());
    }
    texts.extend(warnings_of_all(checked));
    let errors = &checked.tally.internal_errors;
    texts.extend(errors.iter().map(|error| format!("internal error: {error}")));
    texts
}

/// What the program and the explorer warn of.
fn warnings_of_all(checked: &Checked<'_>) -> Vec<String> {
    let mut texts = checked.program.warnings();
    texts.extend(checked.tally.stand_in.map(|name| {
        format!("`{}` cannot explore this program: `{name}` did instead", checked.explorer)
    }));
    texts.extend(
        checked
            .tally
            .undivided
            .map(|why| format!("`{}` uses one process: {why}", checked.explorer)),
    );
    texts
}

/// What it means that nothing is left.
fn everything(checked: &Checked<'_>) -> &'static str {
    match &checked.cycles {
        Some(cycles) if cycles.is_empty() => {
            return "no tasks can wait for each other in a cycle, whatever the schedule";
        }
        Some(_) if checked.one_for_each_cycle && !checked.tally.findings.is_empty() => {
            return "each cycle was searched for until it was shown or excluded";
        }
        Some(_) => return "every schedule that could still lead to a deadlock was tried",
        None => {}
    }
    match counterpoint_explore::explorer(checked.explorer).map(|explorer| explorer.covers) {
        Some(Covers::LocalStates) => "every state of every process was reached",
        Some(Covers::States) => "every state was reached",
        Some(Covers::ReadsFrom) => {
            "every way to pair reads with writes was tried, which need not show every deadlock"
        }
        _ => "every schedule was tried",
    }
}

fn executions(tally: &Tally) -> String {
    count(tally.statistics.executions, "execution")
}

/// What ended the exploration and what is left.
fn how_far(tally: &Tally) -> String {
    let executions = match tally.sampled {
        0 => executions(tally),
        sampled => format!("{} and {} drawn at random", executions(tally), thousands(sampled)),
    };
    let mut parts = Vec::new();
    if tally.bounds.contains(&Bound::Sampled) {
        parts.push(format!("{executions} drawn at random, which proves nothing about the others"));
        parts.extend((tally.statistics.cut > 0).then(|| cuts(tally)));
        return parts.join("; ");
    }
    let ended = [Bound::Time, Bound::Memory, Bound::Executions, Bound::Stopped];
    let within = tally.bounds.iter().find_map(within_bound);
    match ended.iter().find(|bound| tally.bounds.contains(bound)) {
        Some(Bound::Stopped) => parts.push(format!("interrupted after {executions}")),
        Some(bound) => parts.push(format!("stopped by {bound} after {executions}")),
        None if within.is_some() => parts.push(executions),
        None if tally.statistics.executions == 0 => parts.push("nothing else was tried".into()),
        None if tally.statistics.cut > 0 || tally.bounds.is_empty() => parts.push(executions),
        None => parts.push(format!("every schedule was tried up to a bound: {executions}")),
    }
    if tally.statistics.cut > 0 {
        parts.push(cuts(tally));
    }
    let told = |bound: &Bound| match bound {
        Bound::Steps | Bound::Unsupported => tally.statistics.cut > 0,
        bound => ended.contains(bound) || within_bound(bound).is_some(),
    };
    let left_out: Vec<String> = tally
        .bounds
        .iter()
        .filter(|bound| !told(bound))
        .map(|bound| format!("{bound}{}", remedy(bound)))
        .collect();
    if !left_out.is_empty() {
        parts.push(format!("something was left out because of {}", left_out.join(", ")));
    }
    parts.extend(within);
    if !tally.internal_errors.is_empty() {
        parts.push("an error of this tool got in the way (see above)".to_string());
    }
    if let Some(left) = tally.unexplored.as_ref().and_then(|unit| left(tally, unit)) {
        parts.push(left);
    }
    parts.join("; ")
}

/// A bound on executions as a whole, in words.
fn at_most(bound: &Bound) -> Option<String> {
    match bound {
        Bound::NonLocalReads(most) => {
            Some(format!("at most {}", count(u64::from(*most), "non-local read")))
        }
        Bound::Preemptions(most) => {
            Some(format!("at most {}", count(u64::from(*most), "preemption")))
        }
        _ => None,
    }
}

/// What a bound on executions as a whole leaves out.
fn within_bound(bound: &Bound) -> Option<String> {
    match bound {
        Bound::NonLocalReads(_) => Some(
            "executions with more exist, and the bound claims nothing about deadlocks that were not met"
                .to_string(),
        ),
        Bound::Preemptions(_) => Some("executions with more exist".to_string()),
        _ => None,
    }
}

/// How many places of cuts the line tells.
const PLACES: usize = 3;

/// How many executions were cut, where and why.
fn cuts(tally: &Tally) -> String {
    let mut cuts: Vec<&Cut> = tally.cuts.iter().collect();
    cuts.sort_by_key(|cut| std::cmp::Reverse(cut.count));
    let mut places: Vec<String> = cuts
        .iter()
        .take(PLACES)
        .map(|cut| match cut.place.to_string() {
            place if place.is_empty() => cut.reason.clone(),
            place => format!("{} at {place}", cut.reason),
        })
        .collect();
    if cuts.len() > PLACES {
        places.push(format!("and {} more (see --json)", cuts.len() - PLACES));
    }
    let Statistics { executions, cut, .. } = tally.statistics;
    let which = match cut {
        1 if executions == 1 => "it was".to_string(),
        cut if cut == executions => "all of them were".to_string(),
        1 => "1 of them was".to_string(),
        cut => format!("{} of them were", thousands(cut)),
    };
    let raise = if tally.bounds.contains(&Bound::Steps) { " (--steps sets the limit)" } else { "" };
    format!("{which} cut: {}{raise}", places.join(", "))
}

/// What would lift a bound.
fn remedy(bound: &Bound) -> &'static str {
    match bound {
        Bound::Steps => " (raise --steps)",
        Bound::Depth => " (raise --depth)",
        Bound::Unordered(_) => " (the explorer `optimal` can)",
        Bound::Races => " (the explorer `optimal` does)",
        _ => "",
    }
}

fn left(tally: &Tally, unit: &Unexplored) -> Option<String> {
    let least = subtrees_left(unit);
    if least == 0 {
        return None;
    }
    let are = if least == 1 { "is" } else { "are" };
    let mut text = format!("at least {} {are} left", thousands(least));
    let estimate = estimate(tally.statistics.executions, unit);
    if let Some(estimate) = estimate.filter(|&estimate| estimate > least.saturating_mul(2)) {
        text += &format!(", by a rough estimate {}", rounded(estimate));
    }
    Some(text)
}

/// How many subtrees are known to be left: each holds one execution or more.
fn subtrees_left(unexplored: &Unexplored) -> u64 {
    let unit = match unexplored {
        Unexplored::Alone(unit) => unit,
        Unexplored::Shared(trunk) => return trunk.shares().count() as u64,
    };
    unit.nodes.iter().map(|node| node.wakeup_tree.len() as u64).sum()
}

/// How many executions are left, if all subtrees of a node are alike.
pub fn estimate(executions: u64, unexplored: &Unexplored) -> Option<u64> {
    let done = match unexplored {
        Unexplored::Alone(unit) => share_done(unit),
        Unexplored::Shared(trunk) => 1.0 - trunk.shares().sum::<f64>(),
    };
    let left = executions as f64 * (1.0 - done) / done;
    (done > 0.0 && left.is_finite() && left < 1e18).then_some(left as u64)
}

/// Which part of everything is done.
fn share_done(unit: &WorkUnit) -> f64 {
    let (mut share, mut done) = (1.0, 0.0);
    for (depth, node) in unit.nodes.iter().enumerate() {
        let left = node.wakeup_tree.len();
        let here = usize::from(depth < unit.prefix.len());
        let all = (node.done.len() + left + here) as f64;
        if all > 0.0 {
            done += share * node.done.len() as f64 / all;
            share /= all;
        }
    }
    done
}

/// A number of which only the size is meant.
pub fn rounded(number: u64) -> String {
    match number {
        0..10_000 => thousands(number),
        10_000..1_000_000 => format!("{} thousand", number / 1_000),
        1_000_000..1_000_000_000 => format!("{} million", number / 1_000_000),
        _ => format!("{} billion", thousands(number / 1_000_000_000)),
    }
}

#[cfg(test)]
mod tests {
    use counterpoint_explore::{BranchScope, NodeWork, SavedBranch};
    use counterpoint_model::{Choice, Pid};

    use super::*;

    #[test]
    fn half_done_at_the_root_means_as_many_again() {
        let choice = Choice::of(Pid::MAIN);
        let wakeup_tree = vec![SavedBranch::leaf(choice, BranchScope::Any)];
        let root = NodeWork { done: vec![choice], wakeup_tree, ..NodeWork::default() };
        let unit = Unexplored::Alone(WorkUnit { nodes: vec![root], ..WorkUnit::default() });
        assert_eq!(super::subtrees_left(&unit), 1);
        assert_eq!(estimate(500, &unit), Some(500));
        assert_eq!(estimate(500, &Unexplored::Alone(WorkUnit::whole())), None);
    }

    #[test]
    fn large_numbers_are_said_by_their_size() {
        let texts = [812, 45_300, 3_200_000, 7_000_000_000].map(rounded);
        assert_eq!(texts, ["812", "45 thousand", "3 million", "7 billion"]);
    }
}
