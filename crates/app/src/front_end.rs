//! The table of front ends: who turns which targets into programs.
//!
//! A front end is chosen by the look of the target. Adding one is one line in [`FRONT_ENDS`].

mod abs;
mod jvm;
pub mod outline;

pub use abs::{Uses as ModelUses, loaded as abs_program, read_model as abs_model};

use std::path::{Path, PathBuf};

use counterpoint_model::diagram::{Graph, Sequence};
use counterpoint_model::{Bound, Choice, Finding, ProcessNames, Program};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use self::outline::{Language, Outline};
use crate::cli::active_objects::ActiveObjects;
use crate::cli::byte_code::ByteCode;
use crate::trouble::Trouble;
use crate::{interrupt, output};

/// A line of the table of front ends.
pub struct FrontEnd {
    /// What users call it.
    pub name: &'static str,
    /// What people call its programs, as in `ABS models`.
    pub programs: &'static str,
    /// What it runs.
    pub about: &'static str,
    /// The targets it takes, in words.
    pub targets: &'static str,
    /// Whether a target looks like one of its own.
    pub accepts: fn(&Path) -> bool,
    /// What the words after the first target are.
    pub rest: Rest,
    /// The levels of reduction it offers, the default first; none for threads.
    pub reductions: &'static [Reduction],
    /// The level for a request that names none, where it is not the first one.
    pub implied_reduction: fn(&LoadRequest) -> Option<&'static str>,
    /// Turns targets into a program.
    pub load: fn(&LoadRequest) -> Result<Loaded, LoadError>,
    /// The tests that targets contain, each a program of its own.
    pub tests: Option<TestFramework>,
    /// How its sources look.
    pub language: Language,
    /// Whether its programs use classes from elsewhere, which a class path names.
    pub has_class_path: bool,
    /// Whether it finds out without running programs which processes may wait for each other ([`Loaded::waits`]).
    pub analyses_waiting: bool,
    /// What sources declare and what is wrong with them, found out without running anything.
    pub outline: Option<MakeOutline>,
}

/// Finds out what sources declare.
pub type MakeOutline = fn(&LoadRequest) -> Result<Outline, LoadError>;

/// Lists tests.
pub type ListTests = fn(&LoadRequest) -> Result<TestList, LoadError>;

/// The tests among targets.
#[derive(Default)]
pub struct TestList {
    /// The tests.
    pub tests: Vec<TestCase>,
    /// What the user should know about them; most often empty.
    pub notes: String,
    /// The folder of compiled classes, where there are sources, so that they are compiled once for all tests.
    pub compiled: Option<TempDir>,
}

/// How tests are found among targets.
#[derive(Copy, Clone)]
pub struct TestFramework {
    /// The tests of a request.
    pub list: ListTests,
    /// The test that its framework calls so, without a look at the others.
    pub by_id: fn(&str) -> Option<TestCase>,
    /// Why a test was skipped in an execution with this outcome, if it was.
    pub skipped: fn(&str) -> Option<&str>,
}

/// A test among the targets.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestCase {
    /// What its front end calls it ([`LoadRequest::test`]).
    pub id: String,
    /// Where it belongs, such as its class.
    pub class: String,
    /// What people call it there.
    pub name: String,
    /// Whether its author does not want it to be run, and why.
    pub ignored: Option<String>,
}

/// What came of a target.
pub struct Loaded {
    /// The program.
    pub program: Box<dyn Program>,
    /// What the user should know about it, such as warnings; most often empty.
    pub notes: String,
    /// The level of reduction that is in force, where there are levels.
    pub reduction: Option<&'static str>,
    /// Tells executions, where the front end can do that better than by what steps touch.
    pub pictures: Option<Box<dyn Pictures>>,
    /// Finds out which processes may wait for each other, telling objects apart by so many ancestors.
    pub waits: Option<WaitAnalyser>,
    /// Follows a kept schedule on the machine that users run, where there is one besides ours.
    pub real_machine: Option<Box<dyn RealMachine>>,
    /// Where compiled classes are while the program lives, so that workers need not compile them again.
    pub classes: Option<PathBuf>,
}

impl Loaded {
    /// How a worker loads the same program.
    pub fn request_for_workers(&self, request: &LoadRequest) -> LoadRequest {
        let mut request = request.clone();
        request.byte_code.classes.clone_from(&self.classes);
        request
    }
}

/// Follows schedules on the machine that users run.
pub trait RealMachine {
    /// Follows the schedule of a finding and looks whether it fails there, too.
    fn testify(&self, finding: &Finding) -> Result<Testimony, String>;

    /// Stops there just before the failing step, or in the deadlock, calls `ready` with the name of the
    /// machine and the port for a debugger, and lets the debugger have it. What the program prints goes to
    /// `print`. If the schedule cannot be followed, it says so.
    fn debug(
        &self,
        finding: &Finding,
        port: u16,
        ready: &dyn Fn(&str, u16),
        print: &dyn Fn(&str),
    ) -> Result<Option<Testimony>, String>;
}

/// What was seen on the machine that users run.
pub struct Testimony {
    /// What that machine calls itself.
    pub machine: String,
    /// What it says of the failure, or where and how it left the schedule.
    pub seen: Result<String, String>,
}

/// Makes an analysis of waiting that tells objects apart by so many ancestors.
pub type WaitAnalyser = Box<dyn Fn(usize) -> Box<dyn WaitAnalysis>>;

impl Loaded {
    /// A program without anything to say about it.
    pub fn new(program: Box<dyn Program>) -> Loaded {
        Loaded {
            program,
            notes: String::new(),
            reduction: None,
            pictures: None,
            waits: None,
            real_machine: None,
            classes: None,
        }
    }
}

/// What a front end knows of the executions of a program, as data that [`crate::drawing`] draws.
pub trait Pictures {
    /// The sequence diagram of an execution. The numbers of its steps begin at 1.
    fn sequence(&self, choices: &[Choice]) -> Sequence;

    /// An execution as text, a line for each step.
    fn trace(&self, choices: &[Choice]) -> String;

    /// The tree of executions.
    fn tree(&self, executions: &[Vec<Choice>]) -> Graph;
}

/// What the words after the first target are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Rest {
    /// Arguments of the program under test.
    Arguments,
    /// Further targets that belong to the same program.
    Targets,
}

/// A notion of dependence that a front end offers.
pub struct Reduction {
    /// What users call it.
    pub name: &'static str,
    /// Which steps it takes to be dependent.
    pub about: &'static str,
    /// The explorers that go with it.
    pub explorer: ExplorerFit,
}

/// The explorers that go with a level of reduction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ExplorerFit {
    /// All of them do.
    All,
    /// All of them do, and this one is the fastest.
    Best(&'static str),
    /// Only this one does.
    Only(&'static str),
}

/// What to load. It is written into kept schedules and saved explorations, so that they find their
/// program again.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct LoadRequest {
    /// The files or folders, as the user gave them.
    pub targets: Vec<String>,
    /// Arguments of the program under test.
    pub arguments: Vec<String>,
    /// The class or module to start with, if the user said so.
    pub main: Option<String>,
    /// Methods whose results or parameters are unknowns.
    pub inputs: Vec<String>,
    /// The level of reduction, if the user said so.
    pub reduction: Option<String>,
    /// What only Java programs have.
    #[serde(default, skip_serializing_if = "ByteCode::is_unset")]
    pub byte_code: ByteCode,
    /// What only active objects have.
    #[serde(default, skip_serializing_if = "ActiveObjects::is_unset")]
    pub objects: ActiveObjects,
    /// The test that is the program, as its front end names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
}

impl LoadRequest {
    /// Takes the words after the first target for what they are to its front end.
    pub fn sort_words(&mut self, front_ends: &[FrontEnd]) -> Result<(), Trouble> {
        if choose(front_ends, self)?.rest == Rest::Targets {
            self.targets.append(&mut self.arguments);
        }
        Ok(())
    }

    /// A text that is the same for the same request, also when later versions have more flags.
    pub fn identity(&self) -> String {
        serde_json::to_string(self).expect("plain data serialises")
    }

    /// The targets as the user wrote them.
    pub fn target(&self) -> String {
        self.targets.join(" ")
    }
}

/// Why a target cannot be turned into a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadError {
    /// What is wrong and where, in one line or with excerpts of the source.
    pub message: String,
    /// What would help.
    pub hint: Option<String>,
}

impl LoadError {
    /// The message where a limit or a signal has ended the loading.
    pub const STOPPED: &str = "stopped";
}

/// How like a name has to be, of 1, to be suggested.
const LIKE: f64 = 0.85;

/// All front ends.
pub const FRONT_ENDS: &[FrontEnd] = &[abs::ABS, jvm::JVM];

/// The program that a request asks for, and the front end that made it.
pub fn load<'f>(
    front_ends: &'f [FrontEnd],
    request: &LoadRequest,
) -> Result<(&'f FrontEnd, Loaded), Trouble> {
    let front_end = choose(front_ends, request)?;
    if let Some(level) = &request.reduction {
        check_reduction(front_end, level)?;
    }
    if let (true, Some(flag)) = (front_end.reductions.is_empty(), request.objects.given().first()) {
        let text = format!("`{flag}` does not apply to {}", front_end.programs);
        return Err(Trouble::new(text).hint("It is for active objects, such as ABS models."));
    }
    match (front_end.load)(request) {
        Ok(loaded) => {
            output::complain(&loaded.notes);
            Ok((front_end, loaded))
        }
        Err(error) => Err(trouble(error)),
    }
}

/// The tests that a request asks for, or those that their framework calls by these names, if all of these are such names.
pub fn tests(
    front_ends: &[FrontEnd],
    request: &LoadRequest,
    names: &[String],
) -> Result<TestList, Trouble> {
    let front_end = choose(front_ends, request)?;
    match front_end.tests {
        Some(framework) => {
            let named: Option<Vec<TestCase>> =
                names.iter().map(|name| (framework.by_id)(name)).collect();
            if let Some(tests) = named.filter(|named| !named.is_empty()) {
                return Ok(TestList { tests, ..TestList::default() });
            }
            let list = (framework.list)(request).map_err(trouble)?;
            output::complain(&list.notes);
            Ok(list)
        }
        None => {
            let text = format!("there are no tests to find in {}", front_end.programs);
            Err(Trouble::new(text).hint("`counterpoint check` explores a whole program."))
        }
    }
}

fn trouble(error: LoadError) -> Trouble {
    match error {
        LoadError { message, .. } if message == LoadError::STOPPED => {
            let stop = interrupt::loading();
            stop.poll();
            let bound = stop.raised().cloned().unwrap_or(Bound::Stopped);
            Trouble::incomplete(bound, "while the program was loaded")
        }
        LoadError { message, hint } => {
            let trouble = Trouble::new(message);
            match hint {
                Some(hint) => trouble.hint(hint),
                None => trouble,
            }
        }
    }
}

/// The front end whose targets these are.
pub fn choose<'f>(
    front_ends: &'f [FrontEnd],
    request: &LoadRequest,
) -> Result<&'f FrontEnd, Trouble> {
    let mut chosen: Option<&FrontEnd> = None;
    for target in &request.targets {
        let path = Path::new(target);
        let front_end = front_ends.iter().find(|front_end| (front_end.accepts)(path));
        if let Err(error) = std::fs::metadata(path) {
            let trouble = Trouble::file("read", path, &error);
            let similar = similar_target(front_ends, path);
            return Err(match (similar, &request.byte_code.class_path) {
                (Some(similar), _) => {
                    trouble.hint(format!("Did you mean `{}`?", similar.display()))
                }
                (None, Some(_)) => trouble.hint(format!(
                    "To start a class of a folder or jar, name that, and the class with `--main \
                     {target}`."
                )),
                (None, None) => trouble,
            });
        }
        if !path.is_file() && !path.is_dir() {
            let text = format!("`{target}` is neither a file nor a folder");
            return Err(Trouble::new(text).hint("A pipe or a device cannot be a target."));
        }
        let Some(front_end) = front_end else {
            let known: Vec<&str> = front_ends.iter().map(|front_end| front_end.targets).collect();
            return Err(Trouble::new(format!(
                "`{target}` is not a program that Counterpoint can run"
            ))
            .hint(format!("A target is {}.", known.join(", or "))));
        };
        match chosen {
            Some(other) if other.name != front_end.name => {
                let text = format!(
                    "`{}` belongs to {} and `{target}` to {}; check them one at a time",
                    request.targets[0], other.programs, front_end.programs
                );
                return Err(Trouble::new(text));
            }
            _ => chosen = Some(front_end),
        }
    }
    chosen.ok_or_else(|| Trouble::new("no target is given"))
}

/// The target beside a missing one whose name is most like it.
fn similar_target(front_ends: &[FrontEnd], missing: &Path) -> Option<PathBuf> {
    let wanted = missing.file_name()?.to_string_lossy().to_lowercase();
    let parent = missing.parent()?;
    let folder = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    let likeness = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        strsim::jaro_winkler(&wanted, &name)
    };
    std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(parent.join(entry.ok()?.file_name())))
        .filter(|path| path.is_file())
        .filter(|path| front_ends.iter().any(|front_end| (front_end.accepts)(path)))
        .filter(|path| likeness(path) > LIKE)
        .max_by(|one, other| likeness(one).total_cmp(&likeness(other)))
}

fn check_reduction(front_end: &FrontEnd, level: &str) -> Result<(), Trouble> {
    let names: Vec<&str> = front_end.reductions.iter().map(|reduction| reduction.name).collect();
    if names.is_empty() {
        return Err(Trouble::new(format!(
            "`--reduction {level}` does not apply to {}: their steps have one notion of \
             dependence",
            front_end.programs
        ))
        .hint("Levels of reduction are for active objects; see `counterpoint list`."));
    }
    if names.contains(&level) {
        return Ok(());
    }
    let trouble = Trouble::new(format!("there is no reduction `{level}`"));
    Err(trouble.hint(format!("The levels for {} are {}.", front_end.programs, names.join(", "))))
}

/// Finds out which processes may wait for each other, where a front end can do so without running them.
pub trait WaitAnalysis {
    /// The cycles in which processes may wait for each other.
    fn report(&self) -> &WaitReport;

    /// The program, explored for these goals alone: cycles by their numbers, and after them the conditions.
    /// If one deadlock is enough, nothing need follow it.
    fn program(&self, goals: &[usize], first_only: bool) -> Box<dyn Program>;

    /// The goals that the state shows to which choices lead, of processes that these are the names of.
    fn shown(&self, names: &ProcessNames, choices: &[Choice]) -> Vec<usize>;

    /// The graph of waiting.
    fn picture(&self) -> &Graph;
}

/// What an analysis of waiting has found.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct WaitReport {
    /// The cycles.
    pub cycles: Vec<WaitCycle>,
    /// Where somebody blocks an object until a condition comes true that perhaps nobody makes true.
    pub conditions: Vec<WaitCondition>,
    /// Where conditions are awaited at all, as `file:line`.
    pub awaits: Vec<String>,
    /// Whether there are more cycles than are listed.
    pub truncated: bool,
}

/// A cycle in which processes may wait for each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WaitCycle {
    /// Who waits for whom.
    pub arrows: Vec<WaitArrow>,
    /// The same in one sentence.
    pub sentence: String,
    /// The same in short.
    pub notation: String,
    /// How many other cycles wait at the same places: whoever looks for this one looks for them.
    pub alike: usize,
}

/// Somebody may wait for somebody.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WaitArrow {
    /// Who.
    pub from: String,
    /// For whom.
    pub to: String,
    /// `blocked`, `awaiting` or `competing`.
    pub kind: &'static str,
    /// The task because of which it waits.
    pub task: String,
    /// Where the task stands: the file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// Somebody blocks an object until a condition comes true.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WaitCondition {
    /// The file of the `await`.
    pub file: String,
    /// The line of the `await`.
    pub line: u32,
    /// The line at which the object is blocked.
    pub blocked_line: u32,
    /// The same in one sentence.
    pub sentence: String,
}
