//! The final states of active objects, since a wrong result is often the bug.

use super::Checked;
use crate::look::{Look, count, thousands};

/// How many final states are shown, and how many objects of each.
const MOST_STATES: usize = 5;
const MOST_OBJECTS: usize = 6;

/// The most frequent final states, each by the objects in which it differs from others.
pub fn render(look: Look, checked: &Checked<'_>) -> String {
    let mut states: Vec<(&str, u64)> =
        checked.tally.outcomes.iter().map(|(state, &count)| (state.as_str(), count)).collect();
    states.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    if checked.reduction.is_none() {
        // No active objects: what is noted is what the program printed.
        return String::new();
    }
    let Some(&(first, _)) = states.first() else { return String::new() };
    if states.len() == 1 {
        if first.is_empty() {
            return String::new();
        }
        return "Final state, the same in all executions\n".to_string() + &objects(look, first, "");
    }
    let everywhere = |line: &str| states.iter().all(|(state, _)| state.lines().any(|l| l == line));
    let mut text = format!("Final states: {}\n", thousands(states.len() as u64));
    let mut common = 0;
    for &(state, executions) in states.iter().take(MOST_STATES) {
        text += &format!("  {}\n", count(executions, "execution"));
        let (same, differing): (Vec<&str>, Vec<&str>) =
            state.lines().partition(|line| everywhere(line));
        common = same.len();
        text += &objects(look, &differing.join("\n"), "  ");
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

fn objects(look: Look, state: &str, indent: &str) -> String {
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
        more => text + &format!("{indent}  and {}\n", count(more as u64, "more object")),
    }
}
