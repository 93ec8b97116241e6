//! One page that opens from disk: the findings, their steps beside the source, their diagrams.
//!
//! The page holds all it needs. It opens on the failure: the step that fails, or who waits. Its address names
//! the finding and the step that is shown, so that a step can be linked to. Beside the source stand the
//! threads as they are then, with their calls, variables and locks (`state.rs`), and what was printed.

use std::collections::BTreeMap;

use counterpoint_model::words::is_unseen;
use counterpoint_model::{FileCoverage, Place};
use serde::Serialize;

use super::pictures::{self, Picture};
use super::state::States;
use super::{Checked, ReportFile, Told, input_name, sequence, verdict};
use crate::drawing;
use crate::look::shell_word;
use crate::story::{BlockedProcess, LateProcess};
use crate::xml::{escape, fill};

/// The page without its data.
const PAGE: &str = include_str!("page.html");

#[derive(Serialize)]
struct Data<'a> {
    findings: Vec<PageFinding<'a>>,
    files: BTreeMap<&'a str, Vec<String>>,
    coverage: Vec<&'a FileCoverage>,
}

#[derive(Serialize)]
struct PageFinding<'a> {
    title: String,
    about: Vec<String>,
    places: &'a [Place],
    replay: Option<String>,
    steps: Vec<PageStep<'a>>,
    /// Who waits for what at the end, and where.
    blocked: Vec<PageBlocked<'a>>,
    /// Who has yet to do something that the failure depends on.
    late: Vec<String>,
    /// The calls in which the last step has failed, innermost first.
    stack: &'a [String],
    states: States,
    diagram: String,
}

#[derive(Serialize)]
struct PageBlocked<'a> {
    process: &'a str,
    text: String,
    file: &'a str,
    line: u32,
}

#[derive(Serialize)]
struct PageStep<'a> {
    number: usize,
    process: &'a str,
    text: &'a str,
    file: &'a str,
    line: u32,
    path: Vec<(&'a str, u32)>,
    switch: Option<&'a str>,
    matters: bool,
    role: Option<&'a str>,
    /// What to say of its part in the failure.
    verdict: Option<String>,
    output: &'a str,
}

/// The page and the pictures that it links to.
pub fn render(checked: &Checked<'_>) -> Vec<ReportFile> {
    titled(checked, &checked.request.target())
}

/// The same with a title of its own.
pub fn titled(checked: &Checked<'_>, title: &str) -> Vec<ReportFile> {
    let pictures = pictures::of_check(checked);
    let data = Data {
        findings: checked.told.iter().map(|told| finding(checked, told)).collect(),
        files: files(checked),
        coverage: checked.covered_files().collect(),
    };
    let data = embedded(&serde_json::to_string(&data).expect("plain data serialises"));
    let target = escape(title);
    let page = fill(
        PAGE,
        &[
            ("target", &target),
            ("verdict", checked.tally.verdict().word()),
            ("line", &escape(&verdict::line(checked))),
            ("summary", &summary(checked, &pictures)),
            ("data", &data),
        ],
    );
    let page = ReportFile { name: "index.html".to_string(), text: page };
    [page].into_iter().chain(pictures.into_iter().map(|picture| picture.file)).collect()
}

fn summary(checked: &Checked<'_>, pictures: &[Picture]) -> String {
    let statistics = &checked.tally.statistics;
    let properties: Vec<&str> = checked.properties.iter().map(|entry| entry.name).collect();
    let mut rows = vec![
        ("explorer", checked.explorer.to_string()),
        ("properties", properties.join(", ")),
        ("executions", statistics.executions.to_string()),
        ("given up as redundant", statistics.abandoned.to_string()),
        ("ended in a deadlock", statistics.deadlocks.to_string()),
        ("steps", statistics.events.to_string()),
        ("seconds", format!("{:.2}", checked.tally.seconds)),
    ];
    if let Some(reduction) = checked.reduction {
        rows.insert(1, ("reduction", reduction.to_string()));
    }
    if !checked.tally.outcomes.is_empty() {
        rows.push(("distinct final states", checked.tally.outcomes.len().to_string()));
    }
    let row = |(name, value): &(&str, String)| {
        format!("<tr><th>{}</th><td>{}</td></tr>\n", escape(name), escape(value))
    };
    let mut text: String = rows.iter().map(row).collect();
    let link = |Picture { about, file }: &Picture| {
        format!("<a href=\"{}\">{}</a>", escape(&file.name), escape(about))
    };
    let links: Vec<String> = pictures.iter().map(link).collect();
    if !links.is_empty() {
        text += &format!("<tr><th>pictures</th><td>{}</td></tr>\n", links.join("<br>"));
    }
    text
}

fn finding<'a>(checked: &Checked<'_>, told: &'a Told<'a>) -> PageFinding<'a> {
    let finding = &told.found.finding;
    let mut about = Vec::new();
    for input in &finding.inputs {
        about.push(format!("{} = {}", input_name(checked.program, &input.name), input.value));
    }
    about.extend(told.story.blocked.iter().map(BlockedProcess::sentence));
    if told.story.untold {
        about.push("There was no time to tell the schedule; a replay shows it.".to_string());
    }
    let steps = told.story.steps.iter().map(|step| PageStep {
        number: step.number,
        process: &step.process,
        // An exception on its way through a framework is seen where it comes from.
        text: if step.only_fails { "" } else { &step.text },
        file: &step.told_at().file,
        line: step.told_at().line,
        path: step.path.iter().map(|place| (place.file.as_str(), place.line)).collect(),
        switch: step.switch.as_deref(),
        matters: step.matters,
        role: step.role.word(),
        verdict: match step.only_fails {
            true => step.role.word().map(str::to_string),
            false => step.verdict(),
        },
        output: &step.output,
    });
    PageFinding {
        title: told.title(),
        about,
        places: &finding.places,
        replay: told.kept.as_ref().map(|path| format!("counterpoint replay {}", shell_word(path))),
        steps: steps.collect(),
        blocked: told.story.blocked.iter().map(waits).collect(),
        late: told.story.late.iter().map(LateProcess::sentence).collect(),
        stack: &told.story.stack,
        states: match told.story.untold {
            true => States::default(),
            false => States::of(checked.program, finding),
        },
        diagram: drawing::sequence_svg(&sequence::of_finding(checked.pictures, told)),
    }
}

fn waits(blocked: &BlockedProcess) -> PageBlocked<'_> {
    PageBlocked {
        process: &blocked.process,
        text: format!("waits for {}", blocked.waits_for),
        file: &blocked.place.file,
        line: blocked.place.line,
    }
}

/// JSON as it can stand in a script element, where `</script` would end it early, and `<!--` with `<script` would keep it from
/// ending. In JSON this letter is always in a string, and so is what would not be seen, or change the direction of writing.
fn embedded(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' => text.push_str("\\u003c"),
            letter if is_unseen(letter) => {
                text.push('\\');
                text.extend(letter.escape_default());
            }
            letter => text.push(letter),
        }
    }
    text
}

/// The files that findings lead through, and those of which something could be executed.
fn files<'a>(checked: &'a Checked<'_>) -> BTreeMap<&'a str, Vec<String>> {
    let mut files = BTreeMap::new();
    for covered in checked.covered_files() {
        let lines = checked.sources.lines(&covered.file);
        files.extend(lines.map(|lines| (covered.file.as_str(), lines.to_vec())));
    }
    for told in &checked.told {
        let steps = told.story.steps.iter();
        let places = steps.flat_map(|step| step.path.iter().chain([&step.place]));
        let waits = told.story.blocked.iter().map(|blocked| &blocked.place);
        for place in places.chain(&told.found.finding.places).chain(waits) {
            if files.contains_key(place.file.as_str()) {
                continue;
            }
            if let Some(lines) = checked.sources.lines(&place.file) {
                files.insert(place.file.as_str(), lines.to_vec());
            }
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_not_be_seen_in_the_data_is_seen() {
        let text = embedded(&serde_json::to_string("a\u{202e}b\u{85}").unwrap());
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), "a\\u{202e}b\\u{85}");
    }

    #[test]
    fn nothing_in_the_data_begins_or_ends_an_element() {
        let message = "<!-- <script> </script> \\< \"<\" -->";
        let text = embedded(&serde_json::to_string(message).unwrap());
        assert!(!text.contains('<'), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), message);
    }
}
