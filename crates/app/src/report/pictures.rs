//! The pictures that go beside the page: a sequence diagram for each finding, the tree of executions,
//! and the unfolding, if the program was explored by one that is small enough to look at.

use std::time::Duration;

use counterpoint_explore::{Assignment, Found, Limits, PictureError, Silent, WorkUnit, picture};

use super::{Checked, Told, diagram, mermaid};
use crate::front_end::Pictures;

/// How many findings are drawn.
const MOST_FINDINGS: usize = 20;

/// How long drawing an unfolding may take.
const DRAWING: Duration = Duration::from_secs(10);

/// A file of its own.
pub struct Picture {
    /// Its name in the folder.
    pub name: String,
    /// What it shows, or why there is none.
    pub about: String,
    /// Its text, if there is one.
    pub text: Option<String>,
}

/// All pictures of a check.
pub fn of_check(checked: &Checked<'_>) -> Vec<Picture> {
    let mut files: Vec<Picture> = of_net(checked).into_iter().collect();
    let Some(pictures) = checked.pictures else { return files };
    for (index, told) in checked.told.iter().take(MOST_FINDINGS).enumerate() {
        files.extend(of_finding(Some(pictures), told, &format!("-{}", index + 1)));
    }
    let drawn = &checked.tally.drawn;
    if !drawn.is_empty() {
        let all = checked.tally.statistics.executions;
        let about = match (drawn.len() as u64) < all {
            true => format!("the tree of the first {} of {all} executions", drawn.len()),
            false => "the tree of all executions".to_string(),
        };
        let text = Some(pictures.tree_svg(drawn));
        files.push(Picture { name: "tree.svg".to_string(), about, text });
    }
    files
}

/// The unfolding of a program of threads.
fn of_net(checked: &Checked<'_>) -> Option<Picture> {
    let contextual = match checked.explorer {
        "unfolding" => false,
        "contextual" => true,
        _ => return None,
    };
    let assignment = Assignment {
        program: checked.program,
        unit: WorkUnit::whole(),
        limits: Limits { time: Some(DRAWING), ..Limits::default() },
        properties: Vec::new(),
        sink: &mut Silent,
        seed: 0,
    };
    let about = "the unfolding: every event with its line, and what it takes and reads";
    let (about, text) = match picture(assignment, contextual) {
        Ok(text) => (about.to_string(), Some(text)),
        Err(PictureError::Tasks) => return None,
        Err(error) => (format!("no picture of the unfolding: {error}"), None),
    };
    Some(Picture { name: "unfolding.svg".to_string(), about, text })
}

/// The sequence diagram of a finding as SVG and as Mermaid text.
pub fn of_finding(pictures: Option<&dyn Pictures>, told: &Told<'_>, number: &str) -> [Picture; 2] {
    let Found { finding, .. } = told.found;
    let choices = &finding.schedule.choices;
    let (svg, text) = match pictures {
        Some(pictures) => (pictures.sequence_svg(choices), pictures.sequence_mermaid(choices)),
        None => (diagram::render(&told.story), mermaid::diagram(&told.story)),
    };
    let about = |form: &str| format!("sequence diagram{} ({form})", number.replace('-', " "));
    [
        Picture { name: format!("sequence{number}.svg"), about: about("SVG"), text: Some(svg) },
        Picture {
            name: format!("sequence{number}.mmd"),
            about: about("Mermaid"),
            text: Some(text),
        },
    ]
}
