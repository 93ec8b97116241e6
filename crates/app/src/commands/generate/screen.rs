//! What `generate` shows on the screen.

use std::collections::{BTreeMap, BTreeSet};

use counterpoint_abs::generate::{Target, datum_text};
use counterpoint_abs::machine::{Outcome, Slot, TaskCase, TaskEnd};

use super::case::Test;
use super::session::Session;
use super::{Generation, json};
use crate::look::{Look, Tone, count};

/// Tests of one target that are shown in full.
const MOST: usize = 20;

/// The screen.
pub fn render(look: Look, generation: &Generation) -> String {
    let mut text = String::new();
    for (number, session) in generation.sessions.iter().enumerate() {
        let kept: Vec<&Test> = generation
            .kept
            .iter()
            .filter(|(of, _)| *of == number)
            .map(|&(_, test)| &session.tests[test])
            .collect();
        let all = match kept.len() == session.tests.len() {
            true => String::new(),
            false => format!(" of {}", session.tests.len()),
        };
        let heading = format!(
            "{}: {}{all}{}",
            session.target.name,
            count(kept.len() as u64, "test"),
            outcomes(&kept)
        );
        text += &format!("{}\n", look.paint(Tone::Strong, &heading));
        for (index, test) in kept.iter().take(MOST).enumerate() {
            text += &show(look, generation, index + 1, test);
        }
        if kept.len() > MOST {
            let left = kept.len() - MOST;
            text += &format!("  ... and {left} more; `--json FILE` has them all\n");
        }
        text += &about(generation, number, session);
        text.push('\n');
    }
    text + &last_line(look, generation)
}

/// The contexts that a system is tested from, before they are run.
pub fn contexts(targets: &[Target]) -> String {
    let mut text = format!("{}\n", count(targets.len() as u64, "initial context"));
    for (number, target) in targets.iter().enumerate() {
        text += &format!("  {}. {}\n", number + 1, target.name);
    }
    text + "\n"
}

fn outcomes(tests: &[&Test]) -> String {
    let mut parts = Vec::new();
    for outcome in [Outcome::Deadlock, Outcome::Stuck, Outcome::Failure] {
        let number = tests.iter().filter(|test| test.case.outcome == outcome).count();
        if number > 0 {
            let word = match outcome {
                Outcome::Deadlock => "deadlocked",
                Outcome::Stuck => "stuck",
                _ => "failing",
            };
            parts.push(format!("{number} {word}"));
        }
    }
    match parts.is_empty() {
        true => String::new(),
        false => format!(", {}", parts.join(", ")),
    }
}

fn show(look: Look, generation: &Generation, number: usize, test: &Test) -> String {
    let case = &test.case;
    let condition = match case.condition.is_empty() {
        true => "any input".to_string(),
        false => case.condition.join(" && "),
    };
    let tone = if case.outcome == Outcome::Returned { Tone::Good } else { Tone::Bad };
    let mut text =
        format!("  {number}. {}: {}\n", look.paint(tone, case.outcome.word()), condition);
    let slots = |slots: &[Slot]| -> String {
        let texts = slots
            .iter()
            .map(|slot| format!("{} = {}", slot.name, json::slot_text(generation, case, slot)));
        texts.collect::<Vec<_>>().join(", ")
    };
    for task in &case.tasks {
        let name = json::subject(&generation.model, case, task.subject);
        let arguments: Vec<String> =
            task.arguments.iter().map(|slot| json::slot_text(generation, case, slot)).collect();
        let result = match &task.end {
            TaskEnd::Returned(slot) => {
                format!("returns {}", json::slot_text(generation, case, slot))
            }
            TaskEnd::Failed(slot) => {
                format!("fails with {}", json::slot_text(generation, case, slot))
            }
            TaskEnd::Waiting => "does not end".to_string(),
        };
        text += &format!("     {name}({}) {result}\n", arguments.join(", "));
    }
    for object in &case.objects {
        let changed: Vec<Slot> = match &object.before {
            None => object.after.clone(),
            Some(before) => {
                let pairs = object.after.iter().zip(before);
                let differs = |(a, b): &(&Slot, &Slot)| {
                    json::shown(generation.form, a) != json::shown(generation.form, b)
                };
                pairs.filter(differs).map(|(a, _)| a.clone()).collect()
            }
        };
        match &object.before {
            Some(before) if !before.is_empty() => {
                text += &format!("     {}: {}", object.name, slots(before));
            }
            Some(_) if changed.is_empty() => continue,
            _ => text += &format!("     {}", object.name),
        }
        if !changed.is_empty() {
            text += &format!("; at the end {}", slots(&changed));
        }
        text.push('\n');
    }
    // The exception of a tested task is told above.
    let told = |task: &TaskCase, message: &str| match &task.end {
        TaskEnd::Failed(slot) => {
            let name = |number| case.object_name(number);
            datum_text(&generation.model, &slot.value, &name) == message
        }
        TaskEnd::Returned(_) | TaskEnd::Waiting => false,
    };
    let said =
        |message: &&String| message.is_empty() || case.tasks.iter().any(|task| told(task, message));
    if let Some(message) = case.message.as_ref().filter(|message| !said(message)) {
        let who = if case.outcome == Outcome::Failure { "a task fails with " } else { "" };
        text += &format!("     {who}{message}\n");
    }
    text
}

fn about(generation: &Generation, number: usize, session: &Session) -> String {
    let covered = &generation.coverage[number];
    let mut text = format!(
        "  statements {}/{}, branches {}/{}\n",
        covered.statements.0, covered.statements.1, covered.branches.0, covered.branches.1
    );
    let mut by_reason: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for one in &generation.uncovered[number] {
        by_reason.entry(&one.reason).or_default().insert(one.line);
    }
    let mut reasons: Vec<(BTreeSet<u32>, &str)> =
        by_reason.into_iter().map(|(reason, lines)| (lines, reason)).collect();
    reasons.sort();
    for (lines, reason) in reasons {
        let word = if lines.len() == 1 { "line" } else { "lines" };
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        text += &format!("  not covered in {word} {}: {reason}\n", lines.join(", "));
    }
    for (cut, number) in &session.cuts.counts {
        text += &format!("  {} ended by {cut}\n", count(*number, "execution"));
    }
    for bound in &session.bounds {
        text += &format!("  left out: {bound}\n");
    }
    text
}

fn last_line(look: Look, generation: &Generation) -> String {
    let tests = count(generation.kept.len() as u64, "test");
    let executions: u64 = generation.sessions.iter().map(|session| session.executions).sum();
    let mut line =
        format!("{}: {tests} from {}", generation.claim(), count(executions, "execution"));
    let criteria = &generation.question.criteria;
    let limits: Vec<String> = [
        ("loops", criteria.loops.map(u64::from)),
        ("switches", criteria.switches.map(u64::from)),
        ("objects", criteria.objects.map(u64::from)),
        ("depth", criteria.depth),
    ]
    .into_iter()
    .filter_map(|(name, limit)| limit.map(|limit| format!("{name} {limit}")))
    .collect();
    if !generation.is_complete() && !limits.is_empty() {
        line += &format!(" ({})", limits.join(", "));
    }
    line.extend(generation.left_out.iter().map(|text| format!("; assuming that {text}")));
    let tone = if generation.is_complete() { Tone::Good } else { Tone::Warn };
    let mut text = look.paint(tone, &line) + "\n";
    if let Some(path) = &generation.saved {
        text += &format!("go on with `counterpoint generate --resume {}`\n", path.display());
    }
    text
}
