//! The pictures that go beside the page: a sequence diagram for each finding, the tree of executions,
//! and the unfolding, if the program was explored by one.

use std::time::Duration;

use counterpoint_explore::{Assignment, Limits, ParameterValues, Silent, WorkUnit, picture};
use counterpoint_model::diagram::Graph;

use super::{Checked, ReportFile, Told, sequence};
use crate::drawing;
use crate::front_end::Pictures;

/// How many findings are drawn.
const MOST_FINDINGS: usize = 20;

/// How long building an unfolding to draw may take.
const BUILDING: Duration = Duration::from_secs(10);

/// A picture, and what it shows.
pub struct Picture {
    /// What it shows.
    pub about: String,
    /// The file.
    pub file: ReportFile,
}

impl Picture {
    fn new(name: impl Into<String>, about: impl Into<String>, text: String) -> Picture {
        Picture { about: about.into(), file: ReportFile { name: name.into(), text } }
    }
}

/// All pictures of a check.
pub fn of_check(checked: &Checked<'_>) -> Vec<Picture> {
    let mut pictures: Vec<Picture> = Vec::new();
    if let Some(net) = net(checked) {
        let about = "the unfolding: every event with its line, and what it takes and reads";
        pictures.push(Picture::new("unfolding.svg", about, drawing::graph_svg(&net)));
    }
    let Some(front_end) = checked.pictures else { return pictures };
    let drawn = checked.told.iter().take(MOST_FINDINGS).zip(1..);
    for (told, number) in drawn.filter(|(told, _)| !told.story.untold) {
        pictures.extend(of_finding(Some(front_end), told, &format!("-{number}")));
    }
    let drawn = &checked.tally.drawn;
    if !drawn.is_empty() {
        let all = checked.tally.statistics.executions;
        let about = match (drawn.len() as u64) < all {
            true => format!("the tree of the first {} of {all} executions", drawn.len()),
            false => "the tree of all executions".to_string(),
        };
        let tree = Graph { about: about.clone(), ..front_end.tree(drawn) };
        let in_mermaid = format!("{about} (Mermaid)");
        pictures.push(Picture::new("tree.svg", about, drawing::graph_svg(&tree)));
        pictures.push(Picture::new("tree.mmd", in_mermaid, drawing::graph_mermaid(&tree)));
    }
    pictures
}

/// The unfolding of a program of threads.
fn net(checked: &Checked<'_>) -> Option<Graph> {
    let contextual = match checked.explorer {
        "unfolding" => false,
        "contextual" => true,
        _ => return None,
    };
    let assignment = Assignment {
        program: checked.program,
        unit: WorkUnit::whole(),
        limits: Limits { time: Some(BUILDING), ..Limits::default() },
        properties: Vec::new(),
        sink: &mut Silent,
        parameters: ParameterValues::default(),
    };
    picture(assignment, contextual)
}

/// The sequence diagram of a finding as SVG and as Mermaid text.
pub fn of_finding(pictures: Option<&dyn Pictures>, told: &Told<'_>, number: &str) -> [Picture; 2] {
    let sequence = sequence::of_finding(pictures, told);
    let [svg, mermaid] = [drawing::sequence_svg(&sequence), drawing::sequence_mermaid(&sequence)];
    let picture = |form: &str, ending: &str, text| {
        let about = format!("sequence diagram{} ({form})", number.replace('-', " "));
        Picture::new(format!("sequence{number}.{ending}"), about, text)
    };
    [picture("SVG", "svg", svg), picture("Mermaid", "mmd", mermaid)]
}
