//! Small programs as people write them, each with the verdict and the findings that it must get.
//!
//! They cover what a machine can leave out by mistake: memory that natives touch, code of the library
//! that works on the program's objects, loops, the life of threads, initialisers, executions that cannot
//! go on, races, and what memory promises. The source of each says to which class it belongs
//! (`//@ class`), which verdict is right (`//@ verdict`), and where it fails and how (`//~ kind` at the
//! line; for a deadlock at each line where somebody waits in it, for a race at both accesses). With
//! `//@ racy` there is a race besides, with `//@ unsupported` or `//@ limited` some executions cannot
//! be run to their end. Nothing else may be found.
//!
//! This test runs no real virtual machine. People ran the programs there when they wrote them, over and
//! over and with sleeps at the places that matter, and read the documentation where that showed
//! nothing: what a source expects is their judgement. A failure that was never seen there is
//! expected if the documentation allows it.

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use common::Programs;
use counterpoint_explore::{
    Assignment, Execution, Exploration, Flow, Limits, PROPERTIES, ParameterValues, Sink,
    Statistics, WorkUnit, default_properties, explorer,
};
use counterpoint_jvm::JavaProgram;
use counterpoint_model::FindingKind;

/// What the source of a program says about it.
#[derive(Debug, Default)]
struct Expected {
    class: String,
    verdict: String,
    /// Kinds of failure and lines.
    failures: BTreeSet<(String, u32)>,
    races: BTreeSet<u32>,
    racy: bool,
    unsupported: bool,
    limited: bool,
}

fn expected(text: &str) -> Expected {
    let mut expected = Expected::default();
    for (line, text) in (1..).zip(text.lines()) {
        match text.split_once("//~ ") {
            Some((_, "race")) => _ = expected.races.insert(line),
            Some((_, kind)) => _ = expected.failures.insert((kind.trim().to_string(), line)),
            None => {}
        }
        let Some(marker) = text.strip_prefix("//@ ") else { continue };
        match marker.split_once(' ') {
            Some(("class", class)) => expected.class = class.to_string(),
            Some(("verdict", verdict)) => expected.verdict = verdict.to_string(),
            None if marker == "racy" => expected.racy = true,
            None if marker == "unsupported" => expected.unsupported = true,
            None if marker == "limited" => expected.limited = true,
            _ => panic!("an unknown marker: {text}"),
        }
    }
    expected
}

struct Nobody;

impl Sink for Nobody {
    fn execution(&mut self, _: &Execution<'_>, _: &Statistics) -> Flow {
        Flow::Continue
    }
}

fn explore(program: &JavaProgram, limited: bool, races: bool) -> Result<Exploration, String> {
    let properties = match races {
        true => PROPERTIES.iter().map(|entry| (entry.make)()).collect(),
        false => default_properties(),
    };
    let mut limits = Limits { time: Some(Duration::from_secs(10)), ..Limits::default() };
    if limited {
        limits.steps = 200;
        limits.executions = Some(2_000);
    }
    let attempt = AssertUnwindSafe(|| {
        (explorer("optimal").expect("an explorer").explore)(Assignment {
            program,
            unit: WorkUnit::whole(),
            limits,
            properties,
            sink: &mut Nobody,
            parameters: ParameterValues::default(),
        })
    });
    let result = catch_unwind(attempt).map_err(|_| "a broken invariant".to_string())?;
    match result.internal_errors.is_empty() {
        true => Ok(result),
        false => Err(format!("{:?}", result.internal_errors)),
    }
}

/// What is wrong with the answer for a program, if anything is.
fn complaint(programs: &Programs, name: &str, expected: &Expected) -> Option<String> {
    let program = programs.load_with(name, JavaProgram::options());
    let result = match explore(&program, expected.limited, false) {
        Ok(result) => result,
        Err(what) => return Some(what),
    };
    let mut failures = BTreeSet::new();
    for finding in result.findings.iter().map(|found| &found.finding) {
        let kind = format!("{:?}", finding.kind).to_lowercase();
        let allowed = expected.unsupported && finding.kind == FindingKind::Unsupported;
        if finding.places.is_empty() && !allowed {
            failures.insert((format!("{kind} {}", finding.message), 0));
        }
        let places = finding.places.iter().filter(|_| !allowed);
        failures.extend(places.map(|place| (kind.clone(), place.line)));
    }
    let verdict = format!("{:?}", result.verdict()).to_lowercase();
    if failures != expected.failures || verdict != expected.verdict {
        let kind = match (&*expected.verdict, &*verdict) {
            _ if failures.iter().any(|failure| failure.0.starts_with("unsupported")) => {
                "unsupported"
            }
            ("bug", "ok") => "missed failure",
            ("ok", "bug") => "false alarm",
            ("bug", "bug") => "other findings",
            _ => "incomplete",
        };
        return Some(
            format!(
                "{kind}: {verdict} {failures:?} {:?} instead of {} {:?}",
                result.bounds, expected.verdict, expected.failures
            ) + &result
                .findings
                .iter()
                .map(|found| format!("\n  {}", found.finding.message))
                .collect::<String>(),
        );
    }
    if !["races", "memory"].contains(&&*expected.class) {
        return None;
    }
    let result = match explore(&program, expected.limited, true) {
        Ok(result) => result,
        Err(what) => return Some(what),
    };
    let races: BTreeSet<u32> = result
        .findings
        .iter()
        .filter(|found| found.finding.kind == FindingKind::Race)
        .flat_map(|found| found.finding.places.iter().map(|place| place.line))
        .collect();
    (races != expected.races || expected.racy == expected.races.is_empty())
        .then(|| format!("races: at lines {races:?} instead of {:?}", expected.races))
}

#[test]
fn everyday_programs_get_the_right_answer() {
    let chosen = std::env::var("COUNTERPOINT_EVERYDAY").ok().map(PathBuf::from);
    let own = || Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/everyday");
    let folder = chosen.clone().unwrap_or_else(own);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the programs")
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "java"))
        .collect();
    files.sort();
    let programs = Programs::compile_files(&files);
    let mut complaints = Vec::new();
    let mut by_class: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for file in &files {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let expected = expected(&std::fs::read_to_string(file).expect("a program"));
        let complaint = complaint(&programs, &name, &expected);
        let counts = by_class.entry(expected.class.clone()).or_default();
        counts.0 += 1;
        counts.1 += u32::from(complaint.is_some());
        if let Some(complaint) = complaint {
            if chosen.is_some() {
                println!("{name} ({}): {complaint}", expected.class);
            }
            complaints.push(format!("{name}: {complaint}"));
        }
    }
    println!("programs and wrong answers by class: {by_class:?}");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(chosen.is_some() || files.len() >= 80, "{} programs", files.len());
}
