//! Failing schedules as Mermaid sequence diagrams, to paste into an issue or a page.

use super::{Checked, Told};
use crate::story::{Step, Story};

/// A fenced block for each finding.
pub fn render(checked: &Checked<'_>) -> String {
    checked.told.iter().map(block).collect::<Vec<_>>().join("\n")
}

fn block(told: &Told<'_>) -> String {
    format!("```mermaid\n---\ntitle: {:?}\n---\n{}```\n", told.title(), diagram(&told.story))
}

/// The diagram of one story: notes for what a process does by itself, arrows for what it finds of
/// others.
pub fn diagram(story: &Story) -> String {
    let mut text = "sequenceDiagram\n".to_string();
    for (index, name) in story.columns.iter().enumerate() {
        text += &format!("    participant p{index} as {}\n", plain(name));
    }
    for step in story.that_matter() {
        text += &line(story, step);
    }
    for standing in &story.standing {
        let (column, what) = (standing.column, plain(&standing.waits_for));
        text += &format!("    Note over p{column}: waits for {what} for ever\n");
    }
    text
}

fn line(story: &Story, step: &Step) -> String {
    let column = step.column;
    let role = step.role.word().map(|word| format!(" ({word})")).unwrap_or_default();
    let label = format!("{}. {}{role}", step.number, plain(&step.text));
    let source = step
        .from
        .iter()
        .rev()
        .map(|link| &story.steps[link.step])
        .find(|s| s.matters && s.column != column);
    match source {
        Some(source) => format!("    p{}->>p{column}: {label}\n", source.column),
        None => format!("    Note over p{column}: {label}\n"),
    }
}

/// Text without the letters that mean something to Mermaid.
fn plain(text: &str) -> String {
    let letter = |letter: char| match letter {
        ';' => ",".to_string(),
        '#' => "#35;".to_string(),
        '<' => "#lt;".to_string(),
        '>' => "#gt;".to_string(),
        '\n' | '\r' => " ".to_string(),
        letter => letter.to_string(),
    };
    text.chars().map(letter).collect()
}
