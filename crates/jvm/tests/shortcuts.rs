//! The machine with its shortcuts finds exactly the outcomes that the machine without them finds.
//!
//! The machine leaves out of sight what nobody can tell: it performs calls of the library as one step,
//! hides the library's own caches, prunes loops that only look, and does not stop at final fields. A
//! mistake there hides from every explorer at once. So random programs are explored on both
//! machines, and the outcomes are compared. Where the machine without shortcuts has too many
//! executions, what it has found must be among what the other finds.
//!
//! COUNTERPOINT_PROGRAMS says how many programs, COUNTERPOINT_FIRST with which seed they begin,
//! COUNTERPOINT_TELL tells about each program, COUNTERPOINT_KEEP keeps the sources. What the real virtual
//! machine shows of such programs is compared in `witness_outcomes.rs`.

use crate::common;
pub mod families;
pub mod maps;
pub mod writer;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use common::Programs;
use counterpoint_explore::{
    Assignment, Ending, Execution, Exploration, Flow, Limits, ParameterValues, Sink, Statistics,
    WorkUnit, default_properties, explorer,
};
use counterpoint_jvm::{JavaProgram, Options};
use counterpoint_model::{Bound, FindingKind};

/// How executions ended, what they had printed, and why some could not go on.
#[derive(Default)]
struct Endings(BTreeSet<String>);

impl Sink for Endings {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        // Nothing goes wrong in these programs but what the machine cannot run.
        if execution.ending == Ending::Cut || execution.faulty {
            return Flow::Continue;
        }
        let outcome = execution.run.outcome().unwrap_or_default();
        let ending = format!("{:?} {}", execution.ending, outcome.trim_end().replace('\n', " "));
        self.0.insert(ending);
        Flow::Continue
    }
}

/// What an exploration has found.
struct Found {
    endings: BTreeSet<String>,
    complete: bool,
    executions: u64,
    seconds: f64,
}

fn explore(name: &str, program: &JavaProgram, limits: Limits) -> Result<Found, String> {
    let begun = Instant::now();
    let mut endings = Endings::default();
    let attempt = AssertUnwindSafe(|| {
        (explorer(name).expect("an explorer").explore)(Assignment {
            program,
            unit: WorkUnit::whole(),
            limits,
            properties: default_properties(),
            sink: &mut endings,
            parameters: ParameterValues::seeded(1),
        })
    });
    let result: Exploration =
        catch_unwind(attempt).map_err(|_| "a broken invariant".to_string())?;
    if !result.internal_errors.is_empty() {
        return Err(format!("{:?}", result.internal_errors));
    }
    if result.bounds.iter().any(|bound| matches!(bound, Bound::Unordered(_))) {
        return Err(format!("{:?}", result.bounds));
    }
    for found in &result.findings {
        if found.finding.kind == FindingKind::Unsupported {
            endings.0.insert(format!("unsupported: {}", found.finding.message));
        }
    }
    Ok(Found {
        complete: result.unexplored.is_none() && result.bounds.is_empty(),
        executions: result.statistics.executions,
        seconds: begun.elapsed().as_secs_f64(),
        endings: endings.0,
    })
}

/// How a program fared.
enum Verdict {
    /// Both machines agree; whether on all outcomes.
    Agree(bool),
    /// The ordinary machine has too many executions.
    TooLarge,
    /// Something is wrong.
    Wrong(String),
}

/// How a program fares.
fn judge(programs: &Programs, class: &str) -> Verdict {
    let limit = |executions| Limits {
        executions: Some(executions),
        time: Some(Duration::from_secs(3)),
        ..Limits::default()
    };
    let program = programs.load_with(class, JavaProgram::options());
    let ordinary = match explore("optimal", &program, limit(3_000)) {
        Ok(found) => found,
        Err(what) => return Verdict::Wrong(format!("with shortcuts: {what}")),
    };
    if !ordinary.complete {
        return Verdict::TooLarge;
    }
    let options = Options { no_shortcuts: true, ..JavaProgram::options() };
    let program = programs.load_with(class, options);
    let bare = explore("optimal", &program, limit(4_000)).and_then(|found| match found.complete {
        true => Ok(found),
        // What a search leaves lies in one corner, so samples of the whole are taken besides.
        false => explore("random", &program, limit(200)).map(|samples| Found {
            complete: false,
            endings: found.endings.union(&samples.endings).cloned().collect(),
            seconds: found.seconds + samples.seconds,
            ..found
        }),
    });
    let bare = match bare {
        Ok(found) => found,
        Err(what) => return Verdict::Wrong(format!("without shortcuts: {what}")),
    };
    if std::env::var_os("COUNTERPOINT_TELL").is_some() {
        println!(
            "{class}: {} outcomes, {} and {} executions, {:.2} and {:.2} s{}",
            ordinary.endings.len(),
            ordinary.executions,
            bare.executions,
            ordinary.seconds,
            bare.seconds,
            if bare.complete { "" } else { ", incomplete" }
        );
    }
    let missed: Vec<_> = bare.endings.difference(&ordinary.endings).take(3).collect();
    let invented: Vec<_> = ordinary.endings.difference(&bare.endings).take(3).collect();
    if !missed.is_empty() {
        let known: Vec<_> = ordinary.endings.iter().take(3).collect();
        Verdict::Wrong(format!("missed: {missed:#?}, found {known:#?}"))
    } else if bare.complete && !invented.is_empty() {
        Verdict::Wrong(format!("invented: {invented:#?}"))
    } else {
        Verdict::Agree(bare.complete)
    }
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// In this one, a step that is taken again was the first to need a class of the JDK.
const ONCE_WRONG: [u64; 1] = [859];

#[test]
fn shortcuts_change_no_outcome_of_random_programs() {
    let first = number("COUNTERPOINT_FIRST").unwrap_or(0);
    let count = number("COUNTERPOINT_PROGRAMS").unwrap_or(15);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let kept = std::env::var("COUNTERPOINT_KEEP").ok();
    let place = kept.as_deref().map_or(folder.path(), Path::new);
    let seeds = first..first + count;
    let drafts = ONCE_WRONG
        .into_iter()
        .filter(|seed| !seeds.contains(seed))
        .chain(seeds.clone())
        .map(|seed| (format!("Random{seed}"), writer::Draft::random(seed)));
    compare(drafts, place);
}

#[test]
fn the_first_table_and_the_size_of_a_concurrent_map_are_no_matter() {
    let count = number("COUNTERPOINT_PROGRAMS").unwrap_or(16);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let draft = |seed| (format!("Map{seed}"), writer::Draft::random_of(maps::MAPS, seed));
    compare((0..count).map(draft), folder.path());
}

/// Both machines find the same outcomes of programs, whose sources are written into a folder.
fn compare(drafts: impl Iterator<Item = (String, writer::Draft)>, place: &Path) {
    let sources: Vec<(String, String)> = drafts
        .map(|(class, draft)| {
            let text = draft.source(&class);
            (class, text)
        })
        .collect();
    let count = sources.len();
    let mut files: Vec<PathBuf> = Vec::new();
    for (name, text) in sources.iter().chain([&("Pause".to_string(), common::PAUSE.to_string())]) {
        files.push(place.join(format!("{name}.java")));
        std::fs::write(&files[files.len() - 1], text).expect("a source");
    }
    let programs = Programs::compile_files(&files);
    let (mut all, mut some, mut large) = (0, 0, 0);
    let mut wrong = Vec::new();
    for (class, text) in &sources {
        match judge(&programs, class) {
            Verdict::Agree(true) => all += 1,
            Verdict::Agree(false) => some += 1,
            Verdict::TooLarge => large += 1,
            Verdict::Wrong(what) => {
                tell(class, text, &what);
                wrong.push((text.len(), text, what));
            }
        }
    }
    println!(
        "{count} programs: {all} agree on all outcomes, {some} as far as the machine without shortcuts \
         came, {large} too large, {} wrong",
        wrong.len()
    );
    wrong.sort();
    if let Some((_, text, what)) = wrong.first() {
        panic!("{} of {count} programs disagree; the shortest: {what}\n{text}", wrong.len());
    }
}

fn tell(class: &str, text: &str, what: &str) {
    if std::env::var_os("COUNTERPOINT_TELL").is_some() {
        println!("{class}: WRONG {what}\n{text}");
    }
}
