//! What a failure depends on is on its screen, for every classic bug of the Java tests. The slice is worked out
//! here once more, from what the machine says about each step and from footprints, in the plainest way.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use counterpoint_explore::{EXPLORERS, Limits, PROPERTIES, ParameterValues};
use counterpoint_model::{Access, Event, Mode, Op};
use tempfile::TempDir;

use super::*;
use crate::cli::{Color, LookArguments};
use crate::front_end::{FRONT_ENDS, LoadRequest, Loaded, load};
use crate::job::{self, Job, Tally, Watcher};
use crate::look::Look;
use crate::report::table::{self, Shown};

struct Nobody;

impl Watcher for Nobody {}

/// The classes of all programs in a folder, compiled at once.
fn classes(folder: &str) -> (TempDir, Vec<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(folder).expect("the programs").map(|file| file.unwrap().path());
    let sources: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|end| end == "java")).collect();
    let classes = TempDir::new().expect("a folder");
    let compiled = Command::new("javac")
        .args(["-g", "-nowarn", "-d"])
        .arg(classes.path())
        .args(&sources)
        .status();
    assert!(compiled.expect("javac is there").success());
    let name = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    let mut names: Vec<String> = sources.iter().map(name).collect();
    names.sort();
    (classes, names)
}

fn program(classes: &Path, name: &str) -> Loaded {
    let request = LoadRequest {
        targets: vec![classes.display().to_string()],
        main: Some(name.to_string()),
        ..LoadRequest::default()
    };
    match load(FRONT_ENDS, &request) {
        Ok((_, loaded)) => loaded,
        Err(trouble) => panic!("{name}: {trouble}"),
    }
}

fn findings(program: &dyn Program) -> Vec<Finding> {
    let job = Job {
        program,
        explorer: &EXPLORERS[0],
        properties: PROPERTIES.iter().filter(|entry| entry.default).collect(),
        limits: Limits::default(),
        parameters: ParameterValues::default(),
        stop_at_first: true,
        draws: false,
        explorer_chosen: true,
        workers: None,
        memory: None,
    };
    let tally = job::explore(&job, Tally::default(), &AtomicBool::new(false), &mut Nobody);
    tally.findings.into_iter().map(|found| found.finding).collect()
}

/// The steps on which the failure depends through values and decisions, by a search of its own.
fn needed(program: &dyn Program, finding: &Finding) -> (BTreeSet<usize>, Vec<Event>) {
    let mut run = program.start(&finding.schedule.inputs);
    run.track();
    let mut events: Vec<Event> = Vec::new();
    for &choice in &finding.schedule.choices {
        events.push(run.step(choice));
    }
    let dependences = run.dependences().expect("Java runs know");
    let waiting = finding.waiting.iter().flat_map(|waiting| run.led_here(waiting.process));
    let last = events.len() - 1;
    let mut open: Vec<usize> = waiting.chain(dependences[last].failure.iter().copied()).collect();
    let mut needed = BTreeSet::new();
    while let Some(step) = open.pop() {
        if !needed.insert(step) {
            continue;
        }
        open.extend(&dependences[step].operation);
        for access in events[step].footprint.iter().filter(|access| access.mode == Mode::Read) {
            let wrote = |event: &Event| {
                let mut accesses = event.footprint.iter();
                accesses.any(|other| other.mode == Mode::Write && other.location == access.location)
            };
            open.extend(events[..step].iter().rposition(wrote));
        }
    }
    (needed, events)
}

/// The numbers of the steps in a table; a row may be of several.
fn shown(text: &str) -> BTreeSet<usize> {
    let mut numbers = BTreeSet::new();
    for line in text.lines() {
        let cell = line.split('|').next().unwrap_or_default().trim();
        let (first, last) = cell.split_once('-').unwrap_or((cell, cell));
        if let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) {
            numbers.extend(first..=last);
        }
    }
    numbers
}

#[test]
fn a_story_for_which_there_is_no_time_stays_untold() {
    let (folder, names) = classes("../jvm/tests/bugs");
    let arguments = LookArguments { color: Color::Never, ascii: true, width: Some(80) };
    let look = Look::new(&arguments, false);
    let loaded = program(folder.path(), &names[0]);
    let finding = findings(&*loaded.program).pop().expect("a classic bug");
    let late = Interrupt::asking(|| Some(counterpoint_model::Bound::Time));
    let untold = Story::within(&*loaded.program, &finding, &late).expect("no replay");
    assert!(untold.untold && untold.steps.is_empty());
    assert!(table::render(look, &untold, Shown::Matter).contains("not told"));
    // Nothing of the interrupt is left in the program.
    let told = Story::of(&*loaded.program, &finding).expect("a replay");
    assert!(!told.untold && told.steps.len() == finding.schedule.choices.len());
}

#[test]
fn everything_that_a_failure_depends_on_is_on_its_screen() {
    let (folder, names) = classes("../jvm/tests/bugs");
    let arguments = LookArguments { color: Color::Never, ascii: true, width: Some(120) };
    let look = Look::new(&arguments, false);
    let (mut told, mut hidden) = (0, 0);
    for name in &names {
        let loaded = program(folder.path(), name);
        for finding in findings(&*loaded.program) {
            let story = Story::of(&*loaded.program, &finding).expect("a replay");
            let text = table::render(look, &story, Shown::Matter);
            let rows = shown(&text);
            let (needed, events) = needed(&*loaded.program, &finding);
            let mut written = BTreeSet::new();
            let alone = events.iter().take_while(|event| !matches!(event.op, Op::Start(_))).count();
            for access in events[alone..].iter().flat_map(|event| &event.footprint) {
                if access.mode == Mode::Write {
                    written.insert(access.location);
                }
            }
            // What library code does with its own insides and locks, and what it finds in a place that nobody
            // writes once several threads run, is left out.
            let fixed = |step: &Step, event: &Event| {
                let own = |access: &&Access| access.mode != Mode::Await;
                let locks = matches!(event.op, Op::Acquire(_) | Op::Release(_));
                (!step.within.is_empty() || step.place.line == 0)
                    && event.footprint.iter().filter(own).all(|access| {
                        let constant =
                            access.mode == Mode::Read && !written.contains(&access.location);
                        locks || constant || !loaded.program.is_own(access.location)
                    })
            };
            for step in needed {
                let (step, event) = (&story.steps[step], &events[step]);
                let there = step.matters && rows.contains(&step.number);
                assert!(there || fixed(step, event), "{name}: {step:?} is not in\n{text}");
            }
            let matter = story.that_matter().all(|step| rows.contains(&step.number));
            assert!(matter, "{name}: something that matters is not in\n{text}");
            let fails = story.steps.last().expect("a step");
            assert!(fails.matters || !story.blocked.is_empty(), "{name}:\n{text}");
            told += 1;
            hidden += story.steps.iter().filter(|step| !step.matters).count();
        }
    }
    assert!(told >= 40, "only {told} findings were told");
    assert!(hidden > 0, "nothing was left out anywhere");
}

/// The lines of a program that end with a remark.
fn marked(name: &str, remark: &str) -> BTreeSet<u32> {
    let path = format!("{}/tests/slices/{name}.java", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a program");
    let lines = (1..).zip(text.lines());
    lines.filter(|(_, line)| line.ends_with(remark)).map(|(number, _)| number).collect()
}

/// Each program passes a value on in some way, and says at its lines which are shown.
#[test]
fn values_are_followed_wherever_they_go() {
    let (folder, names) = classes("tests/slices");
    for name in &names {
        let loaded = program(folder.path(), name);
        let findings = findings(&*loaded.program);
        let [finding] = &findings[..] else { panic!("{name}: {findings:?}") };
        let story = Story::of(&*loaded.program, finding).expect("a replay");
        let lines: BTreeSet<u32> = story.that_matter().map(|step| step.told_at().line).collect();
        let (shown, hidden) = (marked(name, "// shown"), marked(name, "// hidden"));
        let missing: Vec<&u32> = shown.difference(&lines).collect();
        let needless: Vec<&u32> = hidden.intersection(&lines).collect();
        assert!(missing.is_empty() && needless.is_empty(), "{name}: {missing:?} {needless:?}");
    }
    assert!(names.len() >= 5);
}
