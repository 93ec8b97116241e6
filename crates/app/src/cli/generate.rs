//! The flags of `generate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use counterpoint_abs::analysis::contexts::InitialTask;
use serde::{Deserialize, Serialize};

use super::active_objects::{Awaiting, ObjectOrder, TaskOrder};
use super::local::EventArguments;
use super::{LIMITS, LimitArguments, LookArguments, ProcessArguments, REPORTS, SEARCH};

pub(super) const EXAMPLES: &str = "\
Examples:
  counterpoint generate database.abs --method DatabaseImpl.getData
  counterpoint generate database.abs --method Main.simulate --loops 2 --schedules all --reduction object
  counterpoint generate database.abs --system --task Db.register --task Db.getData=0..1
  counterpoint generate database.abs --system --deadlock-tasks
  counterpoint generate shop.abs --cover branches --output tests.abs
  counterpoint check shop.abs tests.abs --product Tests --main Shop.Tests
  counterpoint generate shop-changed.abs --compare tests.json

Every argument and every field of the tested object is unknown; integers, rationals, Booleans,
strings, data, objects and futures can be. Objects take turns and tasks are taken in the order of
their arrival unless `--schedules all` or a `--reduction` is given.

A test has arguments, an initial state, the condition under which its path is taken, the result, the
final state, an outcome (returned, deadlock, stuck or failure) and a schedule. What a limit cuts off
is counted: the tests are then complete up to these limits.

Exit codes: 0 all paths and schedules are covered, 1 with `--compare`: a test differs, 2 wrong usage
or input, 3 a limit has cut something off, or not everything was tried.";

/// The flags of `generate`.
#[derive(Args, Debug)]
pub struct GenerateArguments {
    /// The model: its files, or a folder of them
    #[arg(required_unless_present = "resume", value_hint = ValueHint::AnyPath)]
    pub target: Option<String>,

    /// Further files of the model
    #[arg(value_name = "FILES")]
    pub rest: Vec<String>,

    /// A method or function to test (repeatable) [default: every method]
    #[arg(long, value_name = "CLASS.METHOD", help_heading = SEARCH)]
    pub method: Vec<String>,

    /// How many methods are explored at once.
    #[command(flatten)]
    pub processes: ProcessArguments,

    /// Test methods together, from every minimal set of objects with the tasks of `--task`
    #[arg(long, help_heading = SEARCH, conflicts_with = "method")]
    pub system: bool,

    /// A method and how many tasks of it there are at first (repeatable) [default: 1..1]
    #[arg(long, value_name = "CLASS.METHOD[=MIN..MAX]", value_parser = task, requires = "system",
        help_heading = SEARCH)]
    pub task: Vec<InitialTask>,

    /// Begin with the tasks that interfere with the cycles of waiting that an analysis finds, and look
    /// for these deadlocks alone
    #[arg(long, requires = "system", conflicts_with = "task", help_heading = SEARCH)]
    pub deadlock_tasks: bool,

    /// Which orders of tasks are tried [default: in-turn]
    #[arg(long, value_name = "WHICH", value_enum, help_heading = SEARCH)]
    pub schedules: Option<Schedules>,

    /// Which steps depend on each other, for all schedules; see `counterpoint list`
    #[arg(long, value_name = "LEVEL", value_enum, help_heading = SEARCH)]
    pub reduction: Option<Level>,

    /// Which object group goes next [default: round-robin]
    #[arg(long, value_name = "POLICY", value_enum, help_heading = SEARCH)]
    pub object_policy: Option<ObjectOrder>,

    /// Which task of an object group goes next [default: fifo]
    #[arg(long, value_name = "POLICY", value_enum, help_heading = SEARCH)]
    pub task_policy: Option<TaskOrder>,

    /// What `await` does when its condition holds already [default: continue]
    #[arg(long, value_name = "POLICY", value_enum, help_heading = SEARCH)]
    pub await_policy: Option<Awaiting>,

    /// Numbers that integers of the initial state can be, as in `-10..10`
    #[arg(long, value_name = "MIN..MAX", value_parser = range, help_heading = SEARCH,
        allow_hyphen_values = true)]
    pub range: Option<(i64, i64)>,

    /// Tell also ends that only the initial state is to blame for: calls of null, futures that nobody
    /// resolves, and waiting for a condition that another caller could make true
    #[arg(long, help_heading = SEARCH)]
    pub all_ends: bool,

    /// Continue a stopped generation from its file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = SEARCH)]
    pub resume: Option<PathBuf>,

    /// Run the tests of this result file on the model and say which differ
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = SEARCH,
        conflicts_with_all = ["resume", "method", "system"])]
    pub compare: Option<PathBuf>,

    /// Walk through the first of the methods by hand, as `counterpoint step` does with programs
    #[arg(long, hide = true, conflicts_with_all = ["resume", "compare"])]
    pub walk: bool,

    /// Iterations of a loop, and calls of a function inside each other; or `none`
    #[arg(long, value_name = "N", value_parser = limit, default_value = "1", help_heading = LIMITS,
        allow_hyphen_values = true)]
    pub loops: Limit,

    /// How often an object takes up a task; or `none`
    #[arg(long, value_name = "N", value_parser = limit, default_value = "8", help_heading = LIMITS,
        allow_hyphen_values = true)]
    pub switches: Limit,

    /// Objects created, or found in the initial state, at one place of the model; or `none`
    #[arg(long, value_name = "N", value_parser = limit, default_value = "2", help_heading = LIMITS,
        allow_hyphen_values = true)]
    pub objects: Limit,

    /// Instructions on one path; or `none`
    #[arg(long, value_name = "N", value_parser = limit, default_value = "none",
        help_heading = LIMITS, allow_hyphen_values = true)]
    pub depth: Limit,

    /// When to stop.
    #[command(flatten)]
    pub limits: LimitArguments,

    /// How values are shown: values, conditions on unknowns, or values with conditions on numbers
    #[arg(long, value_name = "FORM", value_enum, default_value = "concrete", help_heading = REPORTS)]
    pub form: Form,

    /// Keep only as many tests as cover what all tests cover
    #[arg(long, value_name = "WHAT", value_enum, default_value = "paths", help_heading = REPORTS)]
    pub cover: Cover,

    /// Write the result as JSON; `-` is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = REPORTS)]
    pub json: Option<PathBuf>,

    /// Write the tests as ABS source, to be read with the model and `--product Tests`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = REPORTS)]
    pub output: Option<PathBuf>,

    /// Write a page for the browser into this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = REPORTS)]
    pub report: Option<PathBuf>,

    /// Who watches.
    #[command(flatten)]
    pub events: EventArguments,

    /// How the screen looks.
    #[command(flatten)]
    pub look: LookArguments,
}

/// Which orders of tasks are tried.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum Schedules {
    /// Objects round-robin, tasks in the order of their arrival.
    InTurn,
    /// All.
    All,
}

/// Which steps depend on each other.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// All.
    None,
    /// Those of one object group.
    Object,
    /// Those that touch the same field, one writing it.
    Field,
    /// As field, and tests that agree in condition, result and final state are one.
    Exact,
}

/// How values are shown.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Values that satisfy the condition.
    Concrete,
    /// Unknowns by their names.
    Constraints,
    /// Values for data, objects and strings; numbers and Booleans by their names.
    Hybrid,
}

/// What tests are to cover.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cover {
    /// Both ways of every branch.
    Branches,
    /// Every statement.
    Statements,
    /// Every path.
    Paths,
}

/// A limit, or none.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Limit(pub Option<u32>);

fn limit(text: &str) -> Result<Limit, String> {
    if text == "none" {
        return Ok(Limit(None));
    }
    match super::number(text, 1, u64::from(u32::MAX)) {
        Ok(number) => Ok(Limit(Some(number as u32))),
        Err(error) if text.parse::<u64>().is_ok() => Err(error),
        Err(_) => Err("expected a whole number above 0, or `none`".to_string()),
    }
}

fn task(text: &str) -> Result<InitialTask, String> {
    let unclear = || "expected a method such as `Class.method` or `Class.method=0..2`".to_string();
    let (name, counts) = match text.split_once('=') {
        Some((name, counts)) => (name, Some(counts)),
        None => (text, None),
    };
    let (class, method) = name.trim().rsplit_once('.').ok_or_else(unclear)?;
    if class.is_empty() || method.is_empty() {
        return Err(unclear());
    }
    let task = InitialTask::once(class, method);
    let Some(counts) = counts else { return Ok(task) };
    let (least, most) = counts.split_once("..").unwrap_or((counts, counts));
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| unclear());
    let (minimum, maximum) = (number(least)?, number(most)?);
    if minimum > maximum {
        return Err(format!("no number lies between {minimum} and {maximum}"));
    }
    if maximum > 100 {
        return Err("more than 100 tasks of one method make too many contexts".to_string());
    }
    Ok(InitialTask { minimum, maximum, ..task })
}

fn range(text: &str) -> Result<(i64, i64), String> {
    let unclear = || "expected two whole numbers such as `-10..10`".to_string();
    let (least, most) = text.split_once("..").ok_or_else(unclear)?;
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| unclear());
    let (least, most) = (number(least)?, number(most)?);
    match least <= most {
        true => Ok((least, most)),
        false => Err(format!("no number lies between {least} and {most}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_have_a_method_and_counts() {
        let once = InitialTask::once("Db", "register");
        assert_eq!(task("Db.register"), Ok(once.clone()));
        let some = InitialTask { minimum: 0, maximum: 2, ..once.clone() };
        assert_eq!(task("Db.register=0..2"), Ok(some));
        let two = InitialTask { minimum: 2, maximum: 2, ..once };
        assert_eq!(task("Db.register=2"), Ok(two));
        for wrong in ["", "register", "Db.", ".m", "Db.m=", "Db.m=a..b", "Db.m=3..1", "Db.m=-1..2"]
        {
            assert!(task(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn limits_and_ranges_are_numbers() {
        assert_eq!(limit("3"), Ok(Limit(Some(3))));
        assert_eq!(limit("none"), Ok(Limit(None)));
        for wrong in ["0", "-1", "many", "", "1.5", "99999999999"] {
            assert!(limit(wrong).is_err(), "{wrong}");
        }
        assert_eq!(range("-10..10"), Ok((-10, 10)));
        for wrong in ["", "5", "a..b", "3..1", "1..", "..2", "1...2"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
