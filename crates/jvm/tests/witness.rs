//! Failures that Counterpoint finds, followed on the real virtual machine.
//!
//! Every finding of the programs of some folders is replayed there. Each must be confirmed, or the real run must
//! leave the schedule for a reason that can be told: nine of ten are confirmed, and none shows another failure
//! or none at all where every thread was held as the schedule says.
//!
//! COUNTERPOINT_LONG takes all folders, COUNTERPOINT_ONLY those programs whose names contain a text.

use crate::common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use common::Programs;
use counterpoint_explore::{
    Assignment, Execution, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit,
    default_properties, explorer,
};
use counterpoint_jvm::JavaProgram;
use counterpoint_jvm::witness::{Expected, Testimony, testify};
use counterpoint_model::{Finding, FindingKind};

/// Folders beside the crates whose programs fail, and whether they are for every test run.
const FOLDERS: &[(&str, bool)] = &[
    ("jvm/tests/bugs", true),
    ("app/tests/java", true),
    ("jvm/tests/nets", false),
    ("jvm/tests/everyday", false),
    ("../examples/java", false),
];

/// Programs that run for minutes, or need what a test has not: arguments, more classes, patience.
const LEFT_OUT: &[&str] = &["Native"];

struct Nobody;

impl Sink for Nobody {
    fn execution(&mut self, _: &Execution<'_>, _: &Statistics) -> Flow {
        Flow::Continue
    }
}

fn findings(program: &JavaProgram) -> Vec<Finding> {
    let limits = Limits {
        time: Some(Duration::from_secs(5)),
        executions: Some(2_000),
        steps: 1_000,
        ..Limits::default()
    };
    let result = (explorer("optimal").expect("an explorer").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits,
        properties: default_properties(),
        sink: &mut Nobody,
        parameters: ParameterValues::default(),
    });
    let found = result.findings.into_iter().map(|found| found.finding);
    found.filter(|finding| finding.kind != FindingKind::Unsupported).collect()
}

/// How a finding fared.
enum Fate {
    Confirmed,
    /// The real run cannot be led along the schedule.
    NotFollowed(String),
    /// The schedule was followed and shows something else.
    Contradicted(String),
}

fn fate(program: &JavaProgram, finding: &Finding) -> Fate {
    let schedule = &finding.schedule;
    let itinerary = program.itinerary(&schedule.inputs, &schedule.choices, false);
    let itinerary = itinerary.expect("the schedule was followed before");
    let expected = Expected::of(finding, &itinerary);
    match testify(&program.launch(), &itinerary, &expected) {
        Ok(Testimony::Confirmed { .. }) => Fate::Confirmed,
        Ok(Testimony::Left { steps, how, explained, .. }) => {
            let all = schedule.choices.len();
            let how = format!("after step {steps} of {all}: {how}");
            let followed = steps == all && !explained;
            if followed { Fate::Contradicted(how) } else { Fate::NotFollowed(how) }
        }
        Err(error) => Fate::NotFollowed(error.to_string()),
    }
}

/// The programs of a folder, compiled together.
fn programs(folder: &str) -> (Programs, Vec<String>) {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files: Vec<PathBuf> = std::fs::read_dir(crates.join(folder))
        .expect("the programs")
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "java"))
        .collect();
    files.sort();
    let names = files.iter().map(|file| file.file_stem().expect("a name").to_string_lossy());
    let names = names.map(std::borrow::Cow::into_owned);
    let only = std::env::var("COUNTERPOINT_ONLY").unwrap_or_default();
    let names = names.filter(|name| !LEFT_OUT.contains(&name.as_str()) && name.contains(&only));
    let names = names.collect();
    (Programs::compile_files(&files), names)
}

#[test]
fn findings_are_confirmed_by_the_real_virtual_machine() {
    let long = std::env::var_os("COUNTERPOINT_LONG").is_some();
    let chosen = FOLDERS.iter().filter(|(_, always)| *always || long);
    let folders: Vec<_> = chosen.map(|(folder, _)| (*folder, programs(folder))).collect();
    let tasks: Vec<(&str, &Programs, &String)> = folders
        .iter()
        .flat_map(|(folder, (programs, names))| {
            names.iter().map(move |name| (*folder, programs, name))
        })
        .collect();
    let next = AtomicUsize::new(0);
    let fates: Mutex<Vec<(String, FindingKind, Fate)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((folder, programs, name)) =
                    tasks.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let target = programs.target(name);
                    let Ok(program) = JavaProgram::load_with(&target, JavaProgram::options())
                    else {
                        continue;
                    };
                    for finding in findings(&program) {
                        let fate = fate(&program, &finding);
                        let name = format!("{folder}/{name}: {}", finding.message);
                        fates.lock().expect("no panic").push((name, finding.kind, fate));
                    }
                }
            });
        }
    });
    let mut fates = fates.into_inner().expect("no panic");
    fates.sort_by(|one, other| one.0.cmp(&other.0));
    let mut by_kind: BTreeMap<FindingKind, (u32, u32)> = BTreeMap::new();
    let mut contradictions = Vec::new();
    for (name, kind, fate) in &fates {
        let counts = by_kind.entry(*kind).or_default();
        counts.1 += 1;
        match fate {
            Fate::Confirmed => counts.0 += 1,
            Fate::NotFollowed(how) => println!("{name}\n  not followed {how}"),
            Fate::Contradicted(how) => contradictions.push(format!("{name}\n  {how}")),
        }
    }
    let confirmed: u32 = by_kind.values().map(|(confirmed, _)| confirmed).sum();
    let all = fates.len();
    println!("{confirmed} of {all} findings confirmed, by kind: {by_kind:?}");
    assert!(contradictions.is_empty(), "contradicted:\n{}", contradictions.join("\n"));
    assert!(confirmed as usize * 10 >= all * 9, "{confirmed} of {all} confirmed");
    assert!(all >= 40 || std::env::var_os("COUNTERPOINT_ONLY").is_some(), "{all} findings");
}
