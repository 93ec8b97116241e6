//! What executions have come to, since a wrong result is often the bug: the final states of active objects, and
//! what programs have printed.

use super::Checked;
use crate::look::{Look, count, thousands};

/// What programs that run nowhere but here say of their platform.
const NO_PLATFORM: &str = "machine";

/// How many final states are shown, and how many objects of each.
const MOST_STATES: usize = 5;
const MOST_OBJECTS: usize = 6;

/// The most frequent final states, each by the objects in which it differs from others.
pub fn render(look: Look, checked: &Checked<'_>) -> String {
    let mut states: Vec<(&str, u64)> =
        checked.tally.outcomes.iter().map(|(state, &count)| (state.as_str(), count)).collect();
    states.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    if checked.reduction.is_none() {
        // No active objects: what is noted is what the program printed, if it is one that prints.
        let prints = checked.program.platform() != NO_PLATFORM;
        return if prints { printed(look, checked, &states) } else { String::new() };
    }
    let Some(&(first, _)) = states.first() else { return String::new() };
    if states.len() == 1 {
        if first.is_empty() {
            return String::new();
        }
        return "Final state, the same in all executions\n".to_string()
            + &objects(look, first, "", "object");
    }
    let everywhere = |line: &str| states.iter().all(|(state, _)| state.lines().any(|l| l == line));
    let mut text = format!("Final states: {}\n", thousands(states.len() as u64));
    let mut common = 0;
    for &(state, executions) in states.iter().take(MOST_STATES) {
        text += &format!("  {}\n", count(executions, "execution"));
        let (same, differing): (Vec<&str>, Vec<&str>) =
            state.lines().partition(|line| everywhere(line));
        common = same.len();
        text += &objects(look, &differing.join("\n"), "  ", "object");
    }
    if common > 0 {
        text += &format!("  {} the same in all final states\n", count(common as u64, "object"));
    }
    let rest = &states[states.len().min(MOST_STATES)..];
    if !rest.is_empty() {
        let executions = rest.iter().map(|(_, count)| count).sum();
        text += &format!(
            "  and {} more, in {}; `--json` lists all\n",
            thousands(rest.len() as u64),
            count(executions, "execution")
        );
    }
    text
}

/// What the program printed, if it printed anything, and how often what.
fn printed(look: Look, checked: &Checked<'_>, states: &[(&str, u64)]) -> String {
    let texts = states.iter().map(|&(text, count)| (by_name(checked, text), count));
    let texts: Vec<(String, u64)> = texts.collect();
    match texts.as_slice() {
        [] => String::new(),
        [(text, _)] if text.is_empty() => String::new(),
        [(text, _)] => "Printed in all executions\n".to_string() + &objects(look, text, "", "line"),
        several => {
            let mut text = format!("Printed: {} outputs\n", thousands(several.len() as u64));
            for (output, executions) in several.iter().take(MOST_STATES) {
                text += &format!("  {}\n", count(*executions, "execution"));
                let output = if output.is_empty() { "(nothing)" } else { output };
                text += &objects(look, output, "  ", "line");
            }
            let rest = &several[several.len().min(MOST_STATES)..];
            if !rest.is_empty() {
                let more = thousands(rest.len() as u64);
                text += &format!("  and {more} more; `--json` lists all\n");
            }
            text
        }
    }
}

/// An output with the names of threads in the place of their paths, which stand there if several printed.
fn by_name(checked: &Checked<'_>, text: &str) -> String {
    let named = |line: &str| {
        let parts = line.strip_prefix('[').and_then(|rest| rest.split_once("] "));
        let process = parts.and_then(|(path, _)| checked.program.names().resolve(path));
        match (parts, process) {
            (Some((_, rest)), Some(process)) => {
                format!("{}: {rest}", checked.program.process_name(process))
            }
            _ => line.to_string(),
        }
    };
    text.lines().map(named).collect::<Vec<_>>().join("\n")
}

fn objects(look: Look, state: &str, indent: &str, noun: &str) -> String {
    let mut text = String::new();
    let mut lines = state.lines();
    for line in lines.by_ref().take(MOST_OBJECTS) {
        let room = look.width.saturating_sub(indent.len() + 3);
        let shown: String = match line.chars().count() > room {
            true => line.chars().take(room.saturating_sub(3)).chain("...".chars()).collect(),
            false => line.to_string(),
        };
        text += &format!("{indent}  {shown}\n");
    }
    match lines.count() {
        0 => text,
        more => text + &format!("{indent}  and {}\n", count(more as u64, &format!("more {noun}"))),
    }
}
