//! Workflow commands that GitHub shows beside the code.

use counterpoint_model::FindingKind;

use super::{Checked, headline};
use crate::look::shell_word;

/// A line for each finding.
pub fn render(checked: &Checked<'_>) -> String {
    let mut text = String::new();
    for told in &checked.told {
        let finding = &told.found.finding;
        let level = if finding.kind == FindingKind::Unsupported { "warning" } else { "error" };
        let mut properties = Vec::new();
        if let Some(place) = finding.places.first().filter(|place| !place.file.is_empty()) {
            properties.push(format!("file={}", property(&place.file)));
            if place.line > 0 {
                properties.push(format!("line={}", place.line));
            }
            if place.column > 0 {
                properties.push(format!("col={}", place.column));
            }
        }
        properties.push(format!("title={}", property(headline(finding.kind))));
        let mut message = finding.message.clone();
        for place in finding.places.iter().skip(1) {
            message += &format!("\nalso at {place}");
        }
        if let Some(path) = &told.kept {
            message += &format!("\nReplay: counterpoint replay {}", shell_word(path));
        }
        text += &format!("::{level} {}::{}\n", properties.join(","), data(&message));
    }
    text
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
