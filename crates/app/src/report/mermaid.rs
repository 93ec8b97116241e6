//! Failing schedules as Mermaid sequence diagrams, to paste into an issue or a page.

use super::{Checked, Told, sequence};
use crate::drawing;

/// A fenced block for each finding.
pub fn render(checked: &Checked<'_>) -> String {
    let block = |told: &Told<'_>| {
        let diagram = drawing::sequence_mermaid(&sequence::of_finding(checked.pictures, told));
        let title = drawing::mermaid_title(&told.title());
        format!("```mermaid\n---\ntitle: {title}\n---\n{diagram}```\n")
    };
    checked.told.iter().map(block).collect::<Vec<_>>().join("\n")
}
