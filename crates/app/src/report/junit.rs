//! JUnit XML, as continuous integration servers read it: a test case for each property.
//!
//! A property with findings is a failed case with all of them in its text. If something was left
//! out, properties without findings are skipped cases, because nothing was shown about them.

use counterpoint_model::FindingKind;

use super::table::{self, Shown};
use super::{Checked, Told, property_of, title, verdict};
use crate::look::{Look, shell_word};
use crate::xml::escape;

/// Log text is plain.
const PLAIN: Look = Look { color: false, ascii: true, width: 100 };

/// The file's text.
pub fn render(checked: &Checked<'_>) -> String {
    let mut cases = String::new();
    let (mut failures, mut skipped) = (0, 0);
    let complete = checked.tally.exhausted();
    for property in checked.properties {
        let told: Vec<&Told<'_>> = checked
            .told
            .iter()
            .filter(|told| told.found.finding.kind != FindingKind::Unsupported)
            .filter(|told| property_of(told.found.finding.kind) == property.name)
            .collect();
        let name = escape(property.name);
        let target = escape(&checked.request.target());
        let open = format!("    <testcase classname=\"{target}\" name=\"{name}\"");
        if !told.is_empty() {
            failures += 1;
            cases += &format!("{open}>\n{}    </testcase>\n", failure(&told));
        } else if complete {
            cases += &format!("{open}/>\n");
        } else {
            skipped += 1;
            let why = escape(&verdict::line(checked));
            cases += &format!("{open}>\n      <skipped message=\"{why}\"/>\n    </testcase>\n");
        }
    }
    let tests = checked.properties.len();
    let counts =
        format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\"");
    let seconds = format!("time=\"{:.3}\"", checked.tally.seconds);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"counterpoint\" {counts} {seconds}>\n  \
         <testsuite name=\"counterpoint\" {counts} {seconds}>\n\
         {cases}    <system-out>{}</system-out>\n  </testsuite>\n</testsuites>\n",
        escape(&verdict::line(checked))
    )
}

/// The failures of a case.
pub fn failure(told: &[&Told<'_>]) -> String {
    let mut body = String::new();
    for told in told {
        let finding = &told.found.finding;
        body += &format!("{}\n", title(finding));
        for place in &finding.places {
            body += &format!("  at {place}\n");
        }
        body += &table::render(PLAIN, &told.story, Shown::Matter);
        if let Some(path) = &told.kept {
            body += &format!("  Replay: counterpoint replay {}\n", shell_word(path));
        }
        body.push('\n');
    }
    let first = &told[0].found.finding;
    let message = escape(&title(first));
    let kind = first.kind.word();
    format!("      <failure message=\"{message}\" type=\"{kind}\">{}</failure>\n", escape(&body))
}
