//! The page of a generation: the tree of paths with conditions on its branches, and for each test its
//! state, its steps beside the source, and its sequence diagram.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use counterpoint_abs::generate::{diagram, given_context};
use counterpoint_abs::machine::{Outcome, Slot, TaskEnd};
use counterpoint_abs::picture::{LabelledPath, path_tree};
use counterpoint_model::{Program, Schedule};

use super::case::Test;
use super::missing::Uncovered;
use super::session::Session;
use super::{Generation, json};
use crate::drawing;
use crate::look::count;
use crate::output;
use crate::trouble::Trouble;
use crate::xml::escape;

/// Tests of one target that are drawn.
const MOST: usize = 60;

const STYLE: &str = "body{font-family:sans-serif;margin:1.5em;max-width:75em}\
pre{background:#f6f6f6;padding:.5em;overflow:auto}mark{background:#fff3a0}\
details{border:1px solid #ccc;border-radius:6px;margin:.6em 0;padding:.4em .8em}\
summary{cursor:pointer}table{border-collapse:collapse}td,th{border:1px solid #ccc;\
padding:.2em .5em;text-align:left}.tree,.sequence{overflow:auto}.returned{color:#196619}\
.deadlock,.failure{color:#a00}.stuck{color:#a60}li:target{background:#fff3a0}";

/// Writes the page into a folder, and its pictures beside it: the tree of each target, and the sequence
/// diagram of each test by its number in the result.
pub fn write(folder: &Path, generation: &Generation) -> Result<(), Trouble> {
    output::write(&folder.join("index.html"), &render(generation))?;
    for (number, session) in generation.sessions.iter().enumerate() {
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
        let name: String = session.target.name.chars().map(plain).collect();
        let path = folder.join(format!("tree-{}-{name}.svg", number + 1));
        output::write(&path, &tree(session, &kept_tests(generation, number)))?;
    }
    for ((session, test), number) in generation.tests().zip(1..).take(MOST) {
        let path = folder.join(format!("test-{number}.svg"));
        output::write(&path, &sequence(generation, session, test))?;
    }
    Ok(())
}

/// The tests of a target that are kept.
fn kept_tests(generation: &Generation, number: usize) -> Vec<&Test> {
    let session = &generation.sessions[number];
    let own = generation.kept.iter().filter(|(of, _)| *of == number);
    own.map(|&(_, test)| &session.tests[test]).collect()
}

/// The tree of paths, drawn.
fn tree(session: &Session, kept: &[&Test]) -> String {
    let drawn: Vec<LabelledPath> =
        kept.iter().take(MOST).map(|test| labels(session, test)).collect();
    drawing::graph_svg(&path_tree(&drawn))
}

/// The sequence diagram of a test, drawn.
fn sequence(generation: &Generation, session: &Session, test: &Test) -> String {
    let context = given_context(&session.target.context, &test.case);
    let sequence =
        diagram(&generation.model, &generation.question.options, context, &test.schedule);
    drawing::sequence_svg(&sequence)
}

fn render(generation: &Generation) -> String {
    let target = escape(&generation.question.request.target());
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{target}: \
         tests</title><style>{STYLE}</style></head><body>\n<h1>Tests for {target}</h1>\n\
         <p>{}</p>\n",
        escape(&generation.claim())
    );
    for (number, session) in generation.sessions.iter().enumerate() {
        let kept = kept_tests(generation, number);
        let covered = &generation.coverage[number];
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            page,
            "<h2>{}</h2>\n<p>statements {}/{}, branches {}/{}</p>\n",
            escape(&session.target.name),
            covered.statements.0,
            covered.statements.1,
            covered.branches.0,
            covered.branches.1
        );
        let uncovered = &generation.uncovered[number];
        if !uncovered.is_empty() {
            page += "<ul>";
            for Uncovered { line, what, reason } in uncovered {
                let _ =
                    write!(page, "<li>line {line}: {what} is not covered: {}</li>", escape(reason));
            }
            page += "</ul>\n";
        }
        for (cut, number) in &session.cuts.counts {
            let executions = count(*number, "execution");
            let _ = writeln!(page, "<p>{executions} ended by {}</p>", escape(cut));
        }
        let _ = write!(
            page,
            "<h3>Symbolic execution tree</h3>\n<div class=\"tree\">{}</div>\n",
            tree(session, &kept)
        );
        for (index, test) in kept.iter().take(MOST).enumerate() {
            page += &show(generation, session, test, &format!("{number}-{}", index + 1), index + 1);
        }
        if kept.len() > MOST {
            let _ = writeln!(page, "<p>and {} more tests</p>", kept.len() - MOST);
        }
    }
    page + "</body></html>\n"
}

/// The way to a test: decisions and tasks in their order.
fn labels(session: &Session, test: &Test) -> LabelledPath {
    let names = session.program.names();
    let mut labels = Vec::new();
    let mut last: Option<String> = None;
    for (number, step) in test.choices.iter().enumerate() {
        let decided = |(at, _): &&(u32, String)| *at == number as u32;
        let decisions: Vec<&(u32, String)> = test.case.decisions.iter().filter(decided).collect();
        let task = step.split(':').next().unwrap_or(step).to_string();
        if (last.as_ref() != Some(&task) || decisions.is_empty())
            && let Some(choice) = Schedule::parse_step(names, step)
        {
            labels.push(session.program.process_name(choice.process));
        }
        labels.extend(decisions.into_iter().map(|(_, text)| text.clone()));
        last = Some(task);
    }
    LabelledPath { labels, end: test.case.outcome }
}

fn show(
    generation: &Generation,
    session: &Session,
    test: &Test,
    anchor: &str,
    number: usize,
) -> String {
    let case = &test.case;
    let outcome = case.outcome.word();
    let condition = match case.condition.is_empty() {
        true => "any input".to_string(),
        false => case.condition.join(" && "),
    };
    let mut text = format!(
        "<details id=\"test-{anchor}\"><summary>{number}. <b class=\"{outcome}\">{outcome}</b>: \
         <code>{}</code></summary>\n",
        escape(&condition)
    );
    text += "<table><tr><th></th><th>before</th><th>after</th></tr>\n";
    let value = |slot: &Slot| escape(&json::slot_text(generation, case, slot));
    for task in &case.tasks {
        let name = json::subject(&generation.model, case, task.subject);
        let arguments: Vec<String> =
            task.arguments.iter().map(|slot| format!("{} = {}", slot.name, value(slot))).collect();
        let end = match &task.end {
            TaskEnd::Returned(slot) => format!("returns {}", value(slot)),
            TaskEnd::Failed(slot) => format!("fails with {}", value(slot)),
            TaskEnd::Waiting => "does not end".to_string(),
        };
        let _ = writeln!(
            text,
            "<tr><th>{}</th><td>{}</td><td>{end}</td></tr>",
            escape(&name),
            arguments.join("<br>")
        );
    }
    for object in &case.objects {
        let fields = |slots: &[Slot]| -> String {
            let all: Vec<String> =
                slots.iter().map(|slot| format!("{} = {}", slot.name, value(slot))).collect();
            all.join("<br>")
        };
        let before = object.before.as_ref().map_or_else(String::new, |before| fields(before));
        let class = &generation.model.class(object.class).name;
        let _ = writeln!(
            text,
            "<tr><th>{}: {class}</th><td>{before}</td><td>{}</td></tr>",
            escape(&object.name),
            fields(&object.after)
        );
    }
    text += "</table>\n<ol>";
    for line in test.path.trace.lines() {
        let _ = writeln!(text, "<li>{}</li>", escape(line));
    }
    text += "</ol>\n";
    if case.outcome != Outcome::Returned
        && let Some(message) = &case.message
    {
        let _ = writeln!(text, "<p>{}</p>", escape(message));
    }
    text += &source(generation, test);
    let svg = sequence(generation, session, test);
    let _ = writeln!(text, "<div class=\"sequence\">{svg}</div></details>");
    text
}

/// The source with the lines that the test runs through marked, each with its steps.
fn source(generation: &Generation, test: &Test) -> String {
    let files: BTreeSet<&str> =
        test.path.lines.iter().map(|(file, _)| file.as_str()).filter(|f| !f.is_empty()).collect();
    let mut text = String::new();
    for name in files {
        let found = generation.model.sources.files().find(|(_, file)| &*file.name == name);
        let Some((_, file)) = found else { continue };
        let _ = write!(text, "<details><summary>{}</summary><pre>", escape(name));
        for (index, line) in file.text.lines().enumerate() {
            let number = index as u32 + 1;
            let steps: Vec<String> = test
                .path
                .lines
                .iter()
                .enumerate()
                .filter(|(_, (of, lines))| of == name && lines.contains(&number))
                .map(|(step, _)| (step + 1).to_string())
                .collect();
            let line = escape(line);
            let _ = match steps.is_empty() {
                true => writeln!(text, "{number:4} {line}"),
                false => writeln!(
                    text,
                    "{number:4} <mark title=\"steps {}\">{line}</mark>",
                    steps.join(", ")
                ),
            };
        }
        text += "</pre></details>\n";
    }
    text
}
