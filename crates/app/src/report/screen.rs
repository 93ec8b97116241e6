//! The bug screen: what failed and where, from which inputs, along which schedule, and how to see
//! it again.

use counterpoint_explore::Covers;
use counterpoint_model::words::in_one_line;
use counterpoint_model::{FindingKind, Place, Verdict};

use super::table::{self, Shown};
use super::{Checked, Told, input_name, listed, outcomes, verdict};
use crate::job::Unexplored;
use crate::look::{Look, Tone, count, shell_word, thousands, wrap};
use crate::story::Story;

/// How many findings are told in full; of the others, their names and how to replay them.
const IN_FULL: usize = 5;

/// How many calls of a stack trace are shown.
const CALLS: usize = 8;

/// How many of those who wait at a line are named beside it.
const NAMED_AT_A_LINE: usize = 3;

/// All findings and the verdict.
pub fn render(look: Look, checked: &Checked<'_>) -> String {
    let mut text = findings(look, checked);
    text += &outcomes::render(look, checked);
    text += &cycles(look, checked);
    text + &last_lines(look, checked)
}

/// All findings.
pub fn findings(look: Look, checked: &Checked<'_>) -> String {
    let mut text = String::new();
    let (full, brief) = checked.told.split_at(checked.told.len().min(IN_FULL));
    for (index, told) in full.iter().enumerate() {
        text += &finding(look, checked, told, index + 1, Shown::Matter);
        text.push('\n');
    }
    for (index, told) in brief.iter().enumerate() {
        text += &headings(look, IN_FULL + index + 1, &told.title());
        text += &replay_line(told);
    }
    if !brief.is_empty() {
        text.push('\n');
    }
    for error in &checked.tally.internal_errors {
        text += &format!("{} {error}\n", look.paint(Tone::Bad, "internal error:"));
        text += "  Please report this with the program: no verdict below relies on it.\n\n";
    }
    text
}

/// The cycles that were searched for, and what came of them.
fn cycles(look: Look, checked: &Checked<'_>) -> String {
    let cycles = checked.cycles.as_deref().unwrap_or_default();
    let mut text = String::new();
    for (index, cycle) in cycles.iter().enumerate() {
        if index == 0 {
            text += "What tasks may wait for, by the analysis of the model\n";
        }
        let line = format!("{}: {}", cycle.state.word(), cycle.sentence);
        for (index, line) in wrap(&line, look.width.saturating_sub(4)).iter().enumerate() {
            text += &format!("{}{line}\n", if index == 0 { "  " } else { "    " });
        }
    }
    text
}

/// The verdict, and where to go on.
pub fn last_lines(look: Look, checked: &Checked<'_>) -> String {
    let mut text = String::new();
    if let Some(path) = &checked.resume {
        text += &format!("To continue: counterpoint check --resume {}\n", shell_word(path));
        if matches!(&checked.tally.unexplored, Some(Unexplored::Alone(unit)) if unit.afresh) {
            text += "It will start over, keeping what was found: its position cannot be saved.\n";
        }
    }
    let tone = match checked.tally.verdict() {
        Verdict::Ok => Tone::Good,
        Verdict::Bug => Tone::Bad,
        Verdict::Incomplete(_) => Tone::Warn,
    };
    text + &look.paint(tone, &verdict::line(checked)) + "\n"
}

/// One finding.
pub fn finding(
    look: Look,
    checked: &Checked<'_>,
    told: &Told<'_>,
    number: usize,
    shown: Shown,
) -> String {
    let finding = &told.found.finding;
    let mut text = headings(look, number, &told.title());
    text += &places(look, checked, told);
    text += &stack(&told.story);
    text += &expiries(&told.story);
    if told.found.count > 0 {
        let executions = count(checked.tally.statistics.executions, "execution");
        text += &format!("  Seen in {} of {executions}.\n", thousands(told.found.count));
    } else if checked.tally.sampled > 0 {
        text += "  Seen in a schedule that was drawn at random or kept from an earlier run; the \
                 systematic exploration has not reached it yet.\n";
    } else if !checked.explorer.is_empty() {
        text += "  Seen in the replay of a kept schedule; this exploration has not reached it.\n";
    }
    if !finding.inputs.is_empty() {
        text += "\n  Inputs\n";
        for input in &finding.inputs {
            let line = format!("{} = {}", input_name(checked.program, &input.name), input.value);
            text += &format!("    {}\n", in_one_line(&line));
        }
    }
    if !told.story.blocked.is_empty() {
        text += &who_waits(look, &told.story);
    }
    text += &schedule(look, told, shown);
    if counts_reads(checked) && !told.story.untold {
        text += &non_local_reads(look, &told.story);
    }
    text + "\n" + &replay_line(told)
}

/// What failed, in a line or several.
fn headings(look: Look, number: usize, title: &str) -> String {
    let title = format!("{number}. {title}");
    let mut text = String::new();
    for (index, line) in wrap(&title, look.width - 3).iter().enumerate() {
        let indent = if index > 0 { "   " } else { "" };
        text += &format!("{indent}{}\n", look.paint(Tone::Bad, line));
    }
    text
}

fn replay_line(told: &Told<'_>) -> String {
    match &told.kept {
        Some(path) => format!("  Replay: counterpoint replay {}\n", shell_word(path)),
        None => String::new(),
    }
}

/// The places involved, with their source: each once, with all who wait there.
fn places(look: Look, checked: &Checked<'_>, told: &Told<'_>) -> String {
    let finding = &told.found.finding;
    let waits = matches!(finding.kind, FindingKind::Deadlock | FindingKind::Stuck);
    let mut shown: Vec<(&Place, Vec<(&str, bool)>)> = Vec::new();
    for (index, place) in finding.places.iter().enumerate() {
        let blocked = told.story.blocked.get(index).filter(|_| waits);
        let waiting = blocked.map(|blocked| (blocked.process.as_str(), blocked.looping));
        match shown.iter_mut().find(|(known, _)| waits && same_line(known, place)) {
            Some((_, names)) => names.extend(waiting),
            None => shown.push((place, waiting.into_iter().collect())),
        }
    }
    let mut text = String::new();
    for (index, (place, waiting)) in shown.iter().enumerate() {
        let mark = match finding.kind {
            FindingKind::Race if index == 0 => "one access".to_string(),
            FindingKind::Race => "the other access".to_string(),
            FindingKind::Deadlock | FindingKind::Stuck => waiting_mark(waiting),
            _ => "here".to_string(),
        };
        text += &checked.sources.excerpt(look, place, &mark);
    }
    text
}

/// Whether two places are shown by the same lines of source.
fn same_line(one: &Place, other: &Place) -> bool {
    (&one.file, one.line, &one.function) == (&other.file, other.line, &other.function)
}

/// Who waits at a line. All are named below, under who holds and who waits.
fn waiting_mark(waiting: &[(&str, bool)]) -> String {
    if let [(name, true)] = waiting {
        return format!("{name} loops");
    }
    let names: Vec<&str> = waiting.iter().map(|(name, _)| *name).collect();
    match names.as_slice() {
        [] => "waits".to_string(),
        [one] => format!("{one} waits"),
        few if few.len() <= NAMED_AT_A_LINE => format!("{} wait", listed(few)),
        [first, rest @ ..] => format!("{first} and {} others wait", rest.len()),
    }
}

/// The calls that the failing step failed in, unless the place says it all.
fn stack(story: &Story) -> String {
    if story.stack.len() < 2 {
        return String::new();
    }
    let mut text = "  Thrown in\n".to_string();
    for call in story.stack.iter().take(CALLS) {
        text += &format!("    {}\n", in_one_line(call));
    }
    match story.stack.len() {
        few if few <= CALLS => text,
        many => text + &format!("    ... and {} more\n", many - CALLS),
    }
}

/// The time limits that have to expire for the failure.
fn expiries(story: &Story) -> String {
    let mut places: Vec<String> = story
        .that_matter()
        .filter(|step| step.expired)
        .map(|step| step.place.to_string())
        .collect();
    places.dedup();
    match places.as_slice() {
        [] => String::new(),
        [place] => format!("  Needs the time limit at {place} to expire.\n"),
        places => format!("  Needs the time limits at {} to expire.\n", places.join(", ")),
    }
}

/// For a deadlock, who holds what and who waits for whom.
fn who_waits(look: Look, story: &Story) -> String {
    let mut text = "\n  Who holds and who waits\n".to_string();
    for blocked in &story.blocked {
        let lines = wrap(&blocked.sentence(), look.width.saturating_sub(6));
        for (index, part) in lines.iter().enumerate() {
            let indent = if index == 0 { "    " } else { "      " };
            text += &format!("{indent}{part}\n");
        }
    }
    text
}

/// Whether the exploration counts what threads read from each other.
fn counts_reads(checked: &Checked<'_>) -> bool {
    let explorer = counterpoint_explore::explorer(checked.explorer);
    explorer.is_some_and(|explorer| explorer.covers == Covers::ReadsFrom)
}

/// Which reads took values that other threads wrote, and from which steps.
fn non_local_reads(look: Look, story: &Story) -> String {
    let mut text = "\n  Non-local reads\n".to_string();
    if story.non_local.is_empty() {
        text += "    none\n";
    }
    for found in &story.non_local {
        let (read, write) = (&story.steps[found.read], &story.steps[found.write]);
        let line = format!(
            "step {}: {} reads {}, which {} wrote in step {} at {}",
            read.number, read.process, found.what, write.process, write.number, write.place
        );
        for (index, part) in wrap(&line, look.width.saturating_sub(6)).iter().enumerate() {
            let indent = if index == 0 { "    " } else { "      " };
            text += &format!("{indent}{part}\n");
        }
    }
    text
}

fn schedule(look: Look, told: &Told<'_>, shown: Shown) -> String {
    let story = &told.story;
    let steps = count(told.found.finding.schedule.choices.len() as u64, "step");
    if story.untold {
        return format!("\n  Schedule ({steps})\n{}", table::render(look, story, shown));
    }
    let switches = match story.switches() {
        1 => "1 switch".to_string(),
        switches => format!("{switches} switches"),
    };
    let left_out = match shown {
        Shown::All => 0,
        Shown::Matter => story.steps.len() - story.that_matter().count(),
    };
    let left_out = match left_out {
        0 => String::new(),
        _ => format!("; {} without effect on the failure not shown", thousands(left_out as u64)),
    };
    let title = format!("\n  Schedule ({steps}, {switches}{left_out})\n");
    title + &table::render(look, story, shown)
}
