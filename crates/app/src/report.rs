//! What a check has come to, in the forms that people and machines read.
//!
//! Adding a report is one file and one line in [`REPORTS`], which says whether it writes a text ahead of
//! the screen, a file, or several files into a folder; and its flag in `cli.rs`.

pub mod annotations;
pub mod html;
pub mod json;
pub mod junit;
pub mod mermaid;
pub mod outcomes;
pub mod pictures;
pub mod screen;
pub mod sequence;
pub mod state;
pub mod table;
pub mod verdict;

use std::path::{Path, PathBuf};

use counterpoint_explore::{Found, ParameterValues, PropertyEntry};
use counterpoint_model::{FileCoverage, Finding, FindingKind, Program};
use serde::{Deserialize, Serialize};

use crate::cli::{Annotations, CheckArguments};
use crate::front_end::{LoadRequest, Pictures, WaitArrow};
use crate::job::Tally;
use crate::source::Sources;
use crate::story::Story;
use crate::waits::GoalState;

/// Everything a report can tell.
pub struct Checked<'a> {
    /// What was asked.
    pub request: &'a LoadRequest,
    /// The program.
    pub program: &'a dyn Program,
    /// The explorer's name.
    pub explorer: &'a str,
    /// The values of its parameters.
    pub parameters: ParameterValues,
    /// The level of reduction, if the front end has levels.
    pub reduction: Option<&'a str>,
    /// The properties that were checked.
    pub properties: &'a [&'static PropertyEntry],
    /// Counts, findings and what is left.
    pub tally: &'a Tally,
    /// The findings, told.
    pub told: Vec<Told<'a>>,
    /// The source files.
    pub sources: &'a Sources,
    /// Draws executions.
    pub pictures: Option<&'a dyn Pictures>,
    /// What was executed, if somebody wanted to know.
    pub coverage: Vec<FileCoverage>,
    /// Where the rest can be continued from.
    pub resume: Option<PathBuf>,
    /// Whether the first failure was to end it.
    pub first_only: bool,
    /// The cycles of waiting that were searched for, with what came of them, if only those were.
    pub cycles: Option<Vec<CheckedCycle>>,
    /// Whether one deadlock of each cycle was enough.
    pub one_for_each_cycle: bool,
}

/// A cycle of waiting that was searched for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct CheckedCycle {
    /// What came of it.
    pub state: GoalState,
    /// The cycle in words.
    pub sentence: String,
    /// Its arrows; none for a condition that somebody waits for.
    pub arrows: Vec<WaitArrow>,
}

impl Checked<'_> {
    /// What was executed of the files whose source is at hand.
    pub fn covered_files(&self) -> impl Iterator<Item = &FileCoverage> {
        self.coverage.iter().filter(|covered| self.sources.lines(&covered.file).is_some())
    }
}

/// A finding with its story.
pub struct Told<'a> {
    /// The finding.
    pub found: &'a Found,
    /// How it happens.
    pub story: Story,
    /// Where its schedule is kept.
    pub kept: Option<PathBuf>,
}

impl Told<'_> {
    /// The finding in one line; who waits for what is left to the rest of the report.
    pub fn title(&self) -> String {
        let looping = self.story.blocked.iter().filter(|blocked| blocked.looping);
        let looping: Vec<&str> = looping.map(|blocked| blocked.process.as_str()).collect();
        if !looping.is_empty() {
            let verb = if looping.len() == 1 { "loops" } else { "loop" };
            return format!("endless loop: {} {verb} for ever", listed(&looping));
        }
        let names: Vec<&str> =
            self.story.blocked.iter().map(|blocked| blocked.process.as_str()).collect();
        let names = match names.as_slice() {
            [] => return title(&self.found.finding),
            [name] => format!("{name} waits"),
            several => format!("{} wait", listed(several)),
        };
        format!("{}: {names} for ever", headline(self.found.finding.kind))
    }
}

/// Names as a sentence lists them.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_string(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// A line of the table of reports.
pub struct Report {
    /// The flag that asks for it.
    pub flag: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Where it goes if it is asked for, and how it is made.
    pub output: Output,
}

/// What a report writes.
pub enum Output {
    /// A text ahead of the screen.
    Screen { asked: fn(&CheckArguments) -> bool, render: fn(&Checked<'_>) -> String },
    /// A file, or standard output for `-`.
    File { path: fn(&CheckArguments) -> Option<&Path>, render: fn(&Checked<'_>) -> String },
    /// Any number of files in a folder.
    Folder {
        path: fn(&CheckArguments) -> Option<&Path>,
        render: fn(&Checked<'_>) -> Vec<ReportFile>,
    },
}

/// A file of a report that writes several.
#[derive(Serialize, Deserialize)]
pub struct ReportFile {
    /// Its name in the folder.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// All reports besides the screen.
pub const REPORTS: &[Report] = &[
    Report {
        flag: "--json FILE",
        about: "The result and the failing schedules for programs to read; \
                docs/result.schema.json describes it.",
        output: Output::File { path: |asked| asked.json.as_deref(), render: json::render },
    },
    Report {
        flag: "--report DIR",
        about: "One page for the browser: the findings, their steps beside the source, and their \
                sequence diagrams; for active objects also the tree of executions.",
        output: Output::Folder { path: |asked| asked.report.as_deref(), render: html::render },
    },
    Report {
        flag: "--junit FILE",
        about: "JUnit XML: one test case for each property.",
        output: Output::File { path: |asked| asked.junit.as_deref(), render: junit::render },
    },
    Report {
        flag: "--mermaid FILE",
        about: "The failing schedules as Mermaid sequence diagrams, to paste into an issue.",
        output: Output::File { path: |asked| asked.mermaid.as_deref(), render: mermaid::render },
    },
    Report {
        flag: "--annotations github",
        about: "A line for each finding that GitHub shows beside the code.",
        output: Output::Screen {
            asked: |asked| asked.annotations == Some(Annotations::Github),
            render: annotations::render,
        },
    },
];

/// A kind of failure in words.
pub fn headline(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Assertion => "assertion failed",
        FindingKind::Exception => "exception",
        FindingKind::Deadlock => "deadlock",
        FindingKind::Race => "data race",
        FindingKind::Stuck => "stuck",
        FindingKind::Exit => "failure exit",
        FindingKind::Reached => "reached",
        FindingKind::Unsupported => "not supported",
    }
}

/// A finding in one line.
pub fn title(finding: &Finding) -> String {
    let headline = headline(finding.kind);
    match finding.message.starts_with(headline) {
        true => finding.message.clone(),
        false => format!("{headline}: {}", finding.message),
    }
}

/// The property that a kind of failure violates.
pub fn property_of(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Deadlock | FindingKind::Stuck => "deadlock",
        FindingKind::Race => "race",
        // Asked for by `reach`, and by no property of `check`.
        FindingKind::Reached => "reach",
        FindingKind::Assertion
        | FindingKind::Exception
        | FindingKind::Exit
        | FindingKind::Unsupported => "failure",
    }
}

/// An input's name as people say it.
pub fn input_name(program: &dyn Program, name: &str) -> String {
    let parts = name.split_once('#').and_then(|(path, number)| {
        let number: u64 = number.parse().ok()?;
        Some((program.names().resolve(path)?, number))
    });
    match parts {
        Some((process, number)) => {
            format!("input {} of {}", number + 1, program.process_name(process))
        }
        None => name.to_string(),
    }
}
