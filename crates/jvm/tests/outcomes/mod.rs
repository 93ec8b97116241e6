//! Programs, what the exploration of all schedules shows of them, and what the real virtual machine shows.
//!
//! A [`Subject`] is a program: random, written by hand ([`written`]), or made for a row of the table of natives.
//! A [`Suite`] is many of them, compiled by one start of the compiler. [`Suite::real_outcomes`] runs all of them many
//! times, [`Suite::explore`] explores one, and [`disagreement`] compares the two. [`shrink`] makes a program
//! smaller on which they disagree.

pub mod kept;
pub mod shrink;
pub mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use counterpoint_explore::{
    Assignment, Ending, Execution, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit,
    default_properties, explorer,
};
use counterpoint_jvm::load::{Jdk, compile};
use counterpoint_jvm::{JavaProgram, Options, Target};
use counterpoint_model::FindingKind;

use crate::common;
use crate::native_table::programs::{self, Generated};
use crate::shortcuts::writer::Draft;

/// A program.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Its main class and arguments.
    pub command: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a program comes from.
#[derive(Debug, Clone)]
pub enum Origin {
    /// From a draft.
    Draft(Draft),
    /// From a row of the table of natives.
    Row(Generated),
}

impl Subject {
    /// A random program.
    pub fn random(seed: u64) -> Subject {
        Subject { command: format!("Random{seed}"), origin: Origin::Draft(Draft::random(seed)) }
    }

    /// The programs written by hand.
    pub fn written() -> impl Iterator<Item = Subject> {
        written::drafts().enumerate().map(|(number, draft)| Subject {
            command: format!("Written{number}"),
            origin: Origin::Draft(draft),
        })
    }

    /// The programs made for the rows of the table of natives, without those that the machine refuses:
    /// all, or some for every day.
    pub fn rows(all: bool) -> impl Iterator<Item = Subject> {
        let everyday = programs::everyday();
        let made = programs::programs().iter().enumerate();
        let made = made.filter(move |(number, _)| all || everyday.contains(number));
        made.filter(|(_, made)| !made.refused).map(|(number, made)| Subject {
            command: {
                let (class, argument) = programs::command(number);
                format!("{class} {argument}")
            },
            origin: Origin::Row(made.clone()),
        })
    }

    /// Whether it changes what the virtual machine has once, so that nothing can run beside it.
    fn is_alone(&self) -> bool {
        matches!(&self.origin, Origin::Row(made) if made.row.starts_with("java/lang/System.set"))
    }

    /// The program for people.
    pub fn text(&self) -> String {
        match &self.origin {
            Origin::Draft(draft) => draft.source(&self.command),
            Origin::Row(made) => {
                format!(
                    "{}: {} {{ {} }} beside {{ {} }}",
                    made.row, made.fields, made.call, made.other
                )
            }
        }
    }
}

/// Many programs, compiled.
pub struct Suite {
    /// The programs.
    pub subjects: Vec<Subject>,
    folder: tempfile::TempDir,
}

/// What all schedules of a program show.
pub struct Explored {
    /// Every ending with what was printed.
    pub endings: BTreeSet<String>,
    /// Whether there are data races.
    pub racy: bool,
    /// Whether nothing was left out.
    pub whole: bool,
    /// What is wrong with the exploration itself, if anything.
    pub broken: Option<String>,
}

/// What real runs showed: for each program how often which outcome.
pub type RealOutcomes = BTreeMap<String, BTreeMap<String, u64>>;

/// Settings of the real virtual machine; each runs all programs.
const SETTINGS: &[&[&str]] = &[
    &["-Dnoise=1", "-XX:+UseParallelGC"],
    &["-Dnoise=0", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"],
    &["-Dnoise=0", "-Xint"],
    &["-Dnoise=2", "-Dlanes=3"],
];

impl Suite {
    /// Compiles programs together.
    pub fn compile(subjects: Vec<Subject>) -> Suite {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let sources = tempfile::tempdir().expect("a temporary folder");
        let mut files = Vec::new();
        let mut write = |name: &str, text: &str| {
            let path = sources.path().join(format!("{name}.java"));
            std::fs::write(&path, text).expect("a source");
            files.push(path);
        };
        write("Pause", common::PAUSE);
        let table = programs::sources();
        let class_of =
            |subject: &Subject| subject.command.split(' ').next().unwrap_or_default().to_string();
        let is_of_table = |subject: &Subject| {
            let class = class_of(subject);
            table.iter().any(|(known, _)| *known == class)
        };
        if subjects.iter().any(is_of_table) {
            table.iter().for_each(|(class, text)| write(class, text));
        }
        for subject in &subjects {
            match &subject.origin {
                Origin::Draft(draft) => write(&subject.command, &draft.source(&subject.command)),
                Origin::Row(made) if !is_of_table(subject) => {
                    let class = class_of(subject);
                    write(&class, &programs::source_of(&class, made));
                }
                Origin::Row(_) => {}
            }
        }
        programs::compile_into(folder.path(), &files);
        Suite { subjects, folder }
    }

    /// Explores a program within these limits.
    pub fn explore(&self, subject: &Subject, options: Options, limits: Limits) -> Explored {
        explore(&load(self.folder.path(), &subject.command, options), limits)
    }

    /// Explores all programs, side by side.
    pub fn explore_all(&self, options: &Options) -> BTreeMap<&str, Explored> {
        let next = AtomicUsize::new(0);
        let explored = Mutex::new(BTreeMap::new());
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while let Some(subject) =
                        self.subjects.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let found = self.explore(subject, options.clone(), limits());
                        let mut explored = explored.lock().expect("no panic");
                        explored.insert(subject.command.as_str(), found);
                    }
                });
            }
        });
        explored.into_inner().expect("no panic")
    }

    /// Runs all programs on the real virtual machine: so often under each of its settings.
    pub fn real_outcomes(&self, runs: u64) -> RealOutcomes {
        let (alone, beside): (Vec<&Subject>, Vec<&Subject>) =
            self.subjects.iter().partition(|subject| subject.is_alone());
        let mut outcomes = RealOutcomes::new();
        for setting in SETTINGS {
            self.run_really(&beside, setting, runs, &mut outcomes);
        }
        self.run_really(&alone, &["-Dlanes=1", "-Dnoise=1"], runs * 4, &mut outcomes);
        outcomes
    }

    fn run_really(
        &self,
        subjects: &[&Subject],
        setting: &[&str],
        runs: u64,
        outcomes: &mut RealOutcomes,
    ) {
        if subjects.is_empty() {
            return;
        }
        let jdk = Jdk::find().expect("a JDK is installed where the tests run");
        let list: String =
            subjects.iter().map(|subject| format!("{}\n", subject.command)).collect();
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(file.path(), list).expect("a temporary file");
        let output = Command::new(jdk.tool("java"))
            .args(setting)
            .args(["-Xmx700m", "-Xss512k"])
            .args(["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "-cp"])
            .arg(runner())
            .arg("RunMany")
            .arg(self.folder.path())
            .arg(runs.to_string())
            .arg(file.path())
            .output()
            .expect("the real virtual machine runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{setting:?}: {text}\n{complaints}");
        for line in text.lines() {
            let mut parts = line.splitn(3, '\t');
            let (Some(command), Some(count), Some(outcome)) = (
                parts.next(),
                parts.next().and_then(|count| count.parse::<u64>().ok()),
                parts.next(),
            ) else {
                panic!("not an outcome: {line}");
            };
            let seen = outcomes.entry(command.to_string()).or_default();
            *seen.entry(outcome.trim_end().to_string()).or_default() += count;
        }
    }
}

/// Loads a program from a folder of classes.
pub fn load_from(folder: &Path, command: &str) -> JavaProgram {
    load(folder, command, JavaProgram::options())
}

fn load(folder: &Path, command: &str, options: Options) -> JavaProgram {
    let mut words = command.split(' ').map(str::to_string);
    let target = Target {
        paths: vec![folder.to_path_buf()],
        main: words.next(),
        arguments: words.collect(),
        ..Target::default()
    };
    JavaProgram::load_with(&target, options).unwrap_or_else(|error| panic!("{command}: {error}"))
}

/// Explores a program within these limits.
pub fn explore(program: &JavaProgram, limits: Limits) -> Explored {
    let mut endings = Endings::default();
    let attempt = AssertUnwindSafe(|| {
        (explorer("optimal").expect("an explorer").explore)(Assignment {
            program,
            unit: WorkUnit::whole(),
            limits,
            properties: default_properties(),
            sink: &mut endings,
            parameters: ParameterValues::seeded(1),
        })
    });
    let Ok(result) = catch_unwind(attempt) else {
        let broken = Some("a broken invariant".to_string());
        return Explored { endings: endings.0, racy: false, whole: false, broken };
    };
    let mut findings = result.findings.iter();
    let cut = findings.any(|found| found.finding.kind == FindingKind::Unsupported);
    Explored {
        endings: endings.0,
        racy: !result.races.seen.is_empty(),
        whole: result.unexplored.is_none() && result.bounds.is_empty() && !cut,
        broken: result.internal_errors.into_iter().next(),
    }
}

/// How far programs are explored: one that has more executions is too large.
pub fn limits() -> Limits {
    Limits { executions: Some(2_000), time: Some(Duration::from_secs(2)), ..Limits::default() }
}

/// The compiled class that runs programs on the real virtual machine.
fn runner() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let jdk = Jdk::find().expect("a JDK is installed where the tests run");
        let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shortcuts");
        let files: Vec<PathBuf> =
            ["RunMany", "Pause"].iter().map(|name| tools.join(format!("{name}.java"))).collect();
        compile(&jdk, &files, &[]).expect("the runner compiles")
    });
    folder.path()
}

/// How executions end, what they print, and which exceptions nobody catches.
#[derive(Default)]
struct Endings(BTreeSet<String>);

impl Sink for Endings {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let faults = execution.events.iter().filter_map(|event| event.fault.as_ref());
        let mut thrown = BTreeSet::new();
        for fault in faults {
            match fault.kind {
                FindingKind::Assertion | FindingKind::Exception => thrown.insert(&fault.name),
                _ => return Flow::Continue,
            };
        }
        if execution.ending != Ending::Cut {
            let outcome = execution.run.outcome().unwrap_or_default();
            let text = outcome.trim().replace('\n', " ");
            let thrown: String = thrown.iter().map(|name| format!(" threw {name}")).collect();
            self.0.insert(format!("{:?} {text}{thrown}", execution.ending).trim_end().to_string());
        }
        Flow::Continue
    }
}

/// An outcome that really occurs and that the exploration does not show.
#[derive(Debug, Clone)]
pub struct Disagreement {
    /// The outcome.
    pub outcome: String,
    /// How often it occurred.
    pub times: u64,
}

/// Compares what a program really shows with what the exploration shows. For a program that has data races and says
/// so, a real machine may show more than our machine without shortcuts can; what that one shows counts.
pub fn disagreement(
    suite: &Suite,
    subject: &Subject,
    explored: &Explored,
    real: &BTreeMap<String, u64>,
) -> Result<Option<Disagreement>, Vec<String>> {
    let more: Vec<&String> =
        real.keys().filter(|outcome| !explored.endings.contains(*outcome)).collect();
    if more.is_empty() || !explored.whole {
        return Ok(None);
    }
    let missing =
        |outcome: &String| Disagreement { outcome: outcome.clone(), times: real[outcome] };
    if !explored.racy {
        return Ok(more.first().map(|outcome| missing(outcome)));
    }
    let bare = Options { no_shortcuts: true, ..JavaProgram::options() };
    let shown = suite.explore(subject, bare, limits()).endings;
    match more.iter().find(|outcome| shown.contains(**outcome)) {
        Some(outcome) => Ok(Some(missing(outcome))),
        None => Err(more.into_iter().cloned().collect()),
    }
}

/// A number that the environment gives.
pub fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}
