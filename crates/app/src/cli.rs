//! The command line: every flag, its help and its values, in one place.
//!
//! Values that come from tables (explorers, properties) are read from those tables, so help,
//! suggestions and completions know them all.

pub mod active_objects;
pub mod byte_code;
pub mod generate;
pub mod local;
pub mod parameters;

use std::num::{IntErrorKind, ParseIntError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use counterpoint_explore::{EXPLORERS, PROPERTIES};

use self::active_objects::ActiveObjects;
use self::byte_code::ByteCode;
use self::generate::GenerateArguments;
use self::local::{EventArguments, OutlineArguments, ServeArguments, StepArguments};
use self::parameters::ParameterArguments;

/// Tests concurrent programs systematically: runs a program under every schedule and input that can
/// make a difference, and shows each failure with the schedule that leads to it.
#[derive(Parser, Debug)]
#[command(
    name = "counterpoint",
    bin_name = "counterpoint",
    version,
    after_help = EXAMPLES,
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  counterpoint check Account.java              look for failures, deadlocks and exceptions
  counterpoint check Account.java --races      and for data races
  counterpoint check model.abs --time 60       stop after a minute and say how far it got
  counterpoint test .                          explore the JUnit tests of a built project
  counterpoint replay .counterpoint/FILE.json  see a failure happen again, step by step
  counterpoint reach Account.java --when 'balance < 0'  whether a state can be reached
  counterpoint deadlocks model.abs             whether tasks can wait for each other for ever
  counterpoint generate model.abs --method C.m  test cases from unknown arguments and states
  counterpoint list                            what there is: explorers, properties, front ends

Exit codes: 0 every schedule is fine, 1 a failure was found, 2 wrong usage or input, 3 not
everything was tried and no failure was found so far.";

const CHECK_EXAMPLES: &str = "\
Examples:
  counterpoint check Account.java
  counterpoint check Account.java 3 --main Account --input Account.amount
  counterpoint check shop.abs --reduction field --stop-at-first
  counterpoint check Account.java --explorer random --seed 7 --executions 5000
  counterpoint check Account.java --json result.json --junit junit.xml --report report
  counterpoint check --resume .counterpoint/Account-1f0c.resume.json --time 600

Words after TARGET are arguments of the program under test; put those that begin with a dash
after `--`. Without limits the whole space is explored and every distinct failure is kept.";

const TEST_EXAMPLES: &str = "\
Examples:
  counterpoint test .                           every test of a project that Maven or Gradle has built
  counterpoint test . --tests 'CounterTest.*'   those of one class
  counterpoint test . --races --time 10m        and data races, for ten minutes
  counterpoint test CounterTest.java --class-path junit4.jar:hamcrest.jar --junit result.xml

JUnit itself runs each test, with set-up and tear-down, rules, parameters, nested classes, expected
exceptions and assumptions, under every schedule. Repetitions of a test are alike and count as one.

Exit codes: 0 every test is fine under every schedule, 1 a test fails under some schedule, 2 wrong
usage or input, 3 not everything was tried and no failure was found so far.";

const REPLAY_EXAMPLES: &str = "\
Examples:
  counterpoint replay .counterpoint/Account-assertion-5e1d.json
  counterpoint replay .counterpoint/Account-assertion-5e1d.json --trace
  counterpoint replay .counterpoint/Account-assertion-5e1d.json --until 12";

const REACH_EXAMPLES: &str = "\
Examples:
  counterpoint reach Account.java --when 'balance < 0'
  counterpoint reach Fib.java 5 --when 'Fib.i >= 144 || Fib.j >= 144'
  counterpoint reach Lock.java --when 'at(Thread-0, Lock.java:12) && at(Thread-1, Lock.java:12)'

A predicate compares shared variables and whole numbers by == != < <= > >=, computes with + - * / %,
and joins conditions by && || ! and parentheses; true, false and null can be written. A variable is
named as in reports: a static field is `Class.field`, or `field` if only one class has it. The
condition at(THREAD, FILE:LINE) holds while the thread's next operation on something shared stands
in that line; THREAD is its name or its path such as 0.1, and the file can be left out.

Every state between two steps counts, whatever the schedule and the inputs.

Exit codes: 0 no such state can be reached, 1 one can, and the schedule is shown and kept for
`replay`, 2 wrong usage or input, 3 not everything was tried and no such state was found so far.";

const DEADLOCKS_EXAMPLES: &str = "\
Examples:
  counterpoint deadlocks shop.abs
  counterpoint deadlocks shop.abs --context 2 --time 60
  counterpoint deadlocks shop.abs --json result.json --report report

An analysis of the code finds every cycle in which tasks may wait for each other. A search that follows
only what can still lead to a cycle then shows it with a schedule, or that no schedule leads there. Waiting
for a condition that nobody makes true is no cycle; where somebody blocks an object meanwhile, the search
is asked as well.

Exit codes: 0 the model cannot deadlock, whatever the schedule, 1 a cycle was found and shown to be
real, 2 wrong usage or input, 3 there are cycles that were neither shown nor excluded.";

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Explore a program and report what is wrong with it
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Box<CheckArguments>),
    /// Explore every JUnit test of a project, each as a program of its own
    #[command(after_help = TEST_EXAMPLES)]
    Test(Box<TestArguments>),
    /// Show a failure again, step by step
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(ReplayArguments),
    /// Write the source of the Java class `counterpoint.Input` into a folder of sources
    #[command(after_help = "Example:\n  counterpoint input-class src/main/java")]
    InputClass {
        /// The folder in which packages begin.
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// Find out whether the program can come into a state that satisfies a predicate
    #[command(after_help = REACH_EXAMPLES)]
    Reach(Box<ReachArguments>),
    /// Find out which tasks may wait for each other for ever, and whether they really can
    #[command(after_help = DEADLOCKS_EXAMPLES)]
    Deadlocks(Box<DeadlocksArguments>),
    /// Generate test cases for methods of active objects, from unknown arguments and states
    #[command(after_help = generate::EXAMPLES)]
    Generate(Box<GenerateArguments>),
    /// Show the local page: edit, run, see, and step through programs by hand
    #[command(after_help = local::SERVE_EXAMPLES)]
    Serve(ServeArguments),
    /// Walk through a program step by step, as JSON lines
    #[command(after_help = local::STEP_EXAMPLES)]
    Step(Box<StepArguments>),
    /// Print what a source declares and what is wrong with it, as JSON
    #[command(after_help = "Example:\n  counterpoint outline shop.abs")]
    Outline(OutlineArguments),
    /// Explore parts of a program for another process, which `--ray` starts; it speaks JSON lines
    Worker,
    /// Explain the explorers, properties, reductions, front ends and reports there are
    List(LookArguments),
    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  counterpoint completions bash > counterpoint.bash")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, in roff
    #[command(after_help = "Example:\n  counterpoint man check > counterpoint-check.1")]
    Man {
        /// The command whose page to print; the page of the whole tool if left out.
        command: Option<String>,
    },
}

/// The flags of `check`.
#[derive(Args, Debug)]
pub struct CheckArguments {
    /// The program: a source file, a class, an archive or a folder; see `counterpoint list`
    #[arg(required_unless_present = "resume", value_hint = ValueHint::AnyPath)]
    pub target: Option<String>,

    /// Arguments of the program, or further files of the same model
    #[arg(value_name = "ARGS")]
    pub rest: Vec<String>,

    /// How to explore; see `counterpoint list`
    #[arg(long, value_name = "NAME", value_parser = explorer_names(), help_heading = SEARCH)]
    pub explorer: Option<String>,

    /// Which steps of active objects depend on each other; see `counterpoint list`
    #[arg(long, value_name = "LEVEL", help_heading = SEARCH)]
    pub reduction: Option<String>,

    /// What only some explorers take.
    #[command(flatten)]
    pub parameters: ParameterArguments,

    /// Stop at the first failure instead of collecting all
    #[arg(long, help_heading = SEARCH)]
    pub stop_at_first: bool,

    /// Look for data races too
    #[arg(long, help_heading = SEARCH, conflicts_with = "property")]
    pub races: bool,

    /// Look for deadlocks only, guided by an analysis of the code: stop at the first one, find one for each
    /// cycle of waiting, or find all (active objects); --time is then for each cycle
    #[arg(long, value_name = "WHICH", value_enum, help_heading = SEARCH,
        conflicts_with_all = ["explorer", "property", "races", "resume", "depth"])]
    pub deadlocks: Option<Deadlocks>,

    /// How many ancestors tell objects apart in that analysis [default: 1]
    #[arg(long, value_name = "K", value_parser = context, help_heading = SEARCH,
        requires = "deadlocks", allow_negative_numbers = true)]
    pub context: Option<usize>,

    /// Check only this property (repeatable)
    #[arg(long, value_name = "NAME", value_parser = property_names(), help_heading = SEARCH)]
    pub property: Vec<String>,

    /// The class to start with, or the module whose main block is run
    #[arg(long, value_name = "CLASS", help_heading = SEARCH)]
    pub main: Option<String>,

    /// Explore all results of this static method instead of calling it (repeatable)
    #[arg(long, value_name = "METHOD", help_heading = SEARCH)]
    pub input: Vec<String>,

    /// Continue a stopped exploration from its file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = SEARCH)]
    pub resume: Option<PathBuf>,

    /// What only Java programs have.
    #[command(flatten)]
    pub byte_code: ByteCode,

    /// What only active objects have.
    #[command(flatten)]
    pub objects: ActiveObjects,

    /// When to stop.
    #[command(flatten)]
    pub limits: LimitArguments,

    /// Who does the work.
    #[command(flatten)]
    pub jobs: JobArguments,

    /// Try alternatives of the first so many steps of an execution only
    #[arg(long, value_name = "N", value_parser = depth, help_heading = LIMITS,
        allow_negative_numbers = true)]
    pub depth: Option<usize>,

    /// Write the result as JSON; `-` is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = REPORTS)]
    pub json: Option<PathBuf>,

    /// Note which lines and branches are executed, for --json; --report does so anyway
    #[arg(long, help_heading = REPORTS)]
    pub coverage: bool,

    /// Write a page for the browser into this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = REPORTS)]
    pub report: Option<PathBuf>,

    /// Write the result as JUnit XML
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = REPORTS)]
    pub junit: Option<PathBuf>,

    /// Write the failing schedules as Mermaid sequence diagrams
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = REPORTS)]
    pub mermaid: Option<PathBuf>,

    /// Print annotations for a code review
    #[arg(long, value_name = "STYLE", value_enum, help_heading = REPORTS)]
    pub annotations: Option<Annotations>,

    /// Who watches.
    #[command(flatten)]
    pub events: EventArguments,

    /// How the screen looks.
    #[command(flatten)]
    pub look: LookArguments,
}

/// The flags of `test`.
#[derive(Args, Debug)]
pub struct TestArguments {
    /// Where the tests are: the folder of a built project, a folder of classes, a jar, or a source file
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub target: String,

    /// Only tests whose names, as in `a.CounterTest.adds`, contain this or fit it with stars (repeatable)
    #[arg(long, value_name = "PATTERN", help_heading = SEARCH)]
    pub tests: Vec<String>,

    /// Go on after the first failure of a test
    #[arg(long, help_heading = SEARCH)]
    pub all_failures: bool,

    /// Look for data races too
    #[arg(long, help_heading = SEARCH)]
    pub races: bool,

    /// How many tests are explored at once.
    #[command(flatten)]
    pub processes: ProcessArguments,

    /// What only Java programs have.
    #[command(flatten)]
    pub byte_code: ByteCode,

    /// When to stop; the time is for all tests together, a minute for each if it is left out
    #[command(flatten)]
    pub limits: LimitArguments,

    /// Write the results as JSON; `-` is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = REPORTS)]
    pub json: Option<PathBuf>,

    /// Write the results as JUnit XML, a case for each test
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = REPORTS)]
    pub junit: Option<PathBuf>,

    /// Write pages for the browser into this folder, a section for each test
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = REPORTS)]
    pub report: Option<PathBuf>,

    /// How the screen looks.
    #[command(flatten)]
    pub look: LookArguments,
}

/// The flags of `replay`.
#[derive(Args, Debug)]
pub struct ReplayArguments {
    /// A file that `check` has kept in `.counterpoint/`
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Stop after this step
    #[arg(long, value_name = "N", value_parser = steps)]
    pub until: Option<usize>,

    /// Show every step with all the lines it ran through, not only the steps that matter
    #[arg(long)]
    pub trace: bool,

    /// Write the sequence diagram into this folder, as SVG and as Mermaid text
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub report: Option<PathBuf>,

    /// Follow the schedule on the installed Java virtual machine, with the same classes
    #[arg(long, conflicts_with = "until")]
    pub on_jvm: bool,

    /// Stop the installed Java virtual machine just before the failing step, and let a debugger attach to
    /// this port, from this computer only (0: any free port)
    #[arg(long, value_name = "PORT", value_parser = port, conflicts_with_all = ["until", "on_jvm"])]
    pub debug: Option<u16>,

    /// How the screen looks.
    #[command(flatten)]
    pub look: LookArguments,
}

/// The flags of `reach`.
#[derive(Args, Debug)]
pub struct ReachArguments {
    /// The program: a source file, a class, an archive or a folder; see `counterpoint list`
    #[arg(value_hint = ValueHint::AnyPath)]
    pub target: String,

    /// Arguments of the program
    #[arg(value_name = "ARGS")]
    pub rest: Vec<String>,

    /// The state to look for: a condition on shared variables and on where threads stand
    #[arg(long, value_name = "PREDICATE", help_heading = SEARCH)]
    pub when: String,

    /// Which net to build: contextual or unfolding; see `counterpoint list`
    #[arg(long, value_name = "NAME", default_value = "contextual", help_heading = SEARCH,
        value_parser = PossibleValuesParser::new(["contextual", "unfolding"]))]
    pub explorer: String,

    /// The class to start with, or the module whose main block is run
    #[arg(long, value_name = "CLASS", help_heading = SEARCH)]
    pub main: Option<String>,

    /// Explore all results of this static method instead of calling it (repeatable)
    #[arg(long, value_name = "METHOD", help_heading = SEARCH)]
    pub input: Vec<String>,

    /// What only Java programs have.
    #[command(flatten)]
    pub byte_code: ByteCode,

    /// When to stop.
    #[command(flatten)]
    pub limits: LimitArguments,

    /// Who watches.
    #[command(flatten)]
    pub events: EventArguments,

    /// How the screen looks.
    #[command(flatten)]
    pub look: LookArguments,
}

/// The flags of `deadlocks`.
#[derive(Args, Debug)]
pub struct DeadlocksArguments {
    /// The model: a source file, several, or a folder; see `counterpoint list`
    #[arg(required = true, value_name = "MODEL", value_hint = ValueHint::AnyPath)]
    pub targets: Vec<String>,

    /// How many ancestors tell objects apart: creators, their creators and so on
    #[arg(long, value_name = "K", value_parser = context, default_value = "1",
        help_heading = SEARCH, allow_negative_numbers = true)]
    pub context: usize,

    /// Which steps depend on each other; see `counterpoint list`
    #[arg(long, value_name = "LEVEL", help_heading = SEARCH)]
    pub reduction: Option<String>,

    /// The module whose main block is run
    #[arg(long, value_name = "MODULE", help_heading = SEARCH)]
    pub main: Option<String>,

    /// How many cycles are searched for at once.
    #[command(flatten)]
    pub processes: ProcessArguments,

    /// When to stop; the time is for each cycle, ten seconds if it is left out
    #[command(flatten)]
    pub limits: LimitArguments,

    /// Write the result as JSON; `-` is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = REPORTS)]
    pub json: Option<PathBuf>,

    /// Write pictures of the graph of waiting into this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = REPORTS)]
    pub report: Option<PathBuf>,

    /// Who watches.
    #[command(flatten)]
    pub events: EventArguments,

    /// How the screen looks.
    #[command(flatten)]
    pub look: LookArguments,
}

/// Which deadlocks to look for.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum Deadlocks {
    /// One.
    First,
    /// One for each cycle of waiting.
    PerCycle,
    /// All.
    All,
}

impl Command {
    /// The limits of a command that runs programs.
    pub fn limits(&self) -> Option<&LimitArguments> {
        match self {
            Command::Check(check) => Some(&check.limits),
            Command::Deadlocks(deadlocks) => Some(&deadlocks.limits),
            Command::Reach(reach) => Some(&reach.limits),
            Command::Test(test) => Some(&test.limits),
            Command::Generate(generate) => Some(&generate.limits),
            Command::Replay(_) | Command::Step(_) | Command::Outline(_) => {
                Some(&LimitArguments::NONE)
            }
            _ => None,
        }
    }

    /// Where events go.
    pub fn events(&self) -> Option<&Path> {
        let given = match self {
            Command::Check(check) => &check.events,
            Command::Deadlocks(deadlocks) => &deadlocks.events,
            Command::Generate(generate) => &generate.events,
            Command::Reach(reach) => &reach.events,
            _ => return None,
        };
        given.events.as_deref()
    }
}

/// When to stop.
#[derive(Args, Debug)]
pub struct LimitArguments {
    /// Stop after so many seconds, minutes (`5m`) or hours (`2h`)
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = LIMITS,
        allow_negative_numbers = true)]
    pub time: Option<Duration>,

    /// Stop before so much memory is used, as in `500M` or `4G` [default: half of what is free]
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = LIMITS,
        allow_negative_numbers = true)]
    pub memory: Option<u64>,

    /// Stop after so many executions
    #[arg(long, value_name = "N", value_parser = executions, help_heading = LIMITS,
        allow_negative_numbers = true)]
    pub executions: Option<u64>,

    /// Cut executions after so many steps [default: 20000]
    #[arg(long, value_name = "N", value_parser = steps, help_heading = LIMITS,
        allow_negative_numbers = true)]
    pub steps: Option<usize>,
}

impl LimitArguments {
    /// Nothing is said; half of the free memory is the limit then.
    pub const NONE: LimitArguments =
        LimitArguments { time: None, memory: None, executions: None, steps: None };
}

/// Who does the work.
#[derive(Args, Debug)]
pub struct JobArguments {
    /// How many.
    #[command(flatten)]
    pub processes: ProcessArguments,

    /// Explore on a Ray cluster: its address, `auto` for the one of this machine, or `local` for a new one
    #[arg(long, value_name = "ADDRESS", help_heading = SEARCH)]
    pub ray: Option<String>,
}

/// How many processes do the work.
#[derive(Args, Debug)]
pub struct ProcessArguments {
    /// Work with so many processes [default: one for each core, when it pays]
    #[arg(long, value_name = "N", value_parser = jobs, help_heading = SEARCH,
        allow_negative_numbers = true)]
    pub jobs: Option<usize>,
}

/// How the screen looks.
#[derive(Args, Debug, Default)]
pub struct LookArguments {
    /// Use colours
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", help_heading = SCREEN)]
    pub color: Color,

    /// Draw with plain ASCII characters
    #[arg(long, help_heading = SCREEN)]
    pub ascii: bool,

    /// Columns of the screen
    #[arg(long, value_name = "COLUMNS", value_parser = width, help_heading = SCREEN)]
    pub width: Option<usize>,
}

/// When to use colours.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Color {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Who reads annotations.
#[derive(ValueEnum, Copy, Clone, PartialEq, Eq, Debug)]
pub enum Annotations {
    /// GitHub workflow commands.
    Github,
}

pub(crate) const SEARCH: &str = "What to explore";
pub(crate) const LIMITS: &str = "Limits";
pub(crate) const REPORTS: &str = "Reports";
const SCREEN: &str = "Screen";

fn explorer_names() -> PossibleValuesParser {
    PossibleValuesParser::new(EXPLORERS.iter().map(|explorer| explorer.name))
}

fn property_names() -> PossibleValuesParser {
    PossibleValuesParser::new(PROPERTIES.iter().map(|property| property.name))
}

/// A number of seconds, or of what the letter after it says.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, seconds) = match text.as_bytes().last() {
        Some(b's') => (&text[..text.len() - 1], 1.0),
        Some(b'm') => (&text[..text.len() - 1], 60.0),
        Some(b'h') => (&text[..text.len() - 1], 3600.0),
        _ => (text, 1.0),
    };
    let unclear = |_| "expected a time such as `90`, `90s`, `5m` or `2h`".to_string();
    let number = number.parse::<f64>().map_err(unclear)? * seconds;
    if number.is_nan() || number <= 0.0 {
        return Err("it must be above 0".to_string());
    }
    Duration::try_from_secs_f64(number).map_err(|_| "this is too long".to_string())
}

/// A number of bytes.
fn size(text: &str) -> Result<u64, String> {
    let (number, factor) = match text.as_bytes().last().map(u8::to_ascii_uppercase) {
        Some(b'K') => (&text[..text.len() - 1], 1 << 10),
        Some(b'M') => (&text[..text.len() - 1], 1 << 20),
        Some(b'G') => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let unclear = |_| "expected a size such as `500M` or `4G`".to_string();
    let bytes = number.parse::<u64>().map_err(unclear)?.checked_mul(factor);
    let bytes = bytes.ok_or_else(|| "this is too large".to_string())?;
    if bytes < 1 << 20 { Err("it must be at least `1M`".to_string()) } else { Ok(bytes) }
}

fn executions(text: &str) -> Result<u64, String> {
    number(text, 1, u64::MAX)
}

fn jobs(text: &str) -> Result<usize, String> {
    number(text, 1, 1024).map(|number| number as usize)
}

fn steps(text: &str) -> Result<usize, String> {
    number(text, 1, 100_000_000).map(|number| number as usize)
}

fn depth(text: &str) -> Result<usize, String> {
    number(text, 1, 100_000_000).map(|number| number as usize)
}

fn port(text: &str) -> Result<u16, String> {
    number(text, 0, u16::MAX.into()).map(|number| number as u16)
}

fn context(text: &str) -> Result<usize, String> {
    number(text, 0, 20).map(|number| number as usize)
}

fn width(text: &str) -> Result<usize, String> {
    number(text, 40, 1_000).map(|number| number as usize)
}

fn number(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let number: u64 = text.parse().map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => format!("it must be at most {most}"),
        _ => "expected a whole number".to_string(),
    })?;
    match (number < least, number > most) {
        (true, _) => Err(format!("it must be at least {least}")),
        (_, true) => Err(format!("it must be at most {most}")),
        _ => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_told_the_range() {
        assert_eq!(number("7", 1, 100), Ok(7));
        assert_eq!(number("0", 1, 100), Err("it must be at least 1".to_string()));
        for large in ["101", "99999999999999999999"] {
            assert_eq!(number(large, 1, 100), Err("it must be at most 100".to_string()));
        }
        for nonsense in ["-1", "1.5", "ten", ""] {
            assert_eq!(number(nonsense, 1, 100), Err("expected a whole number".to_string()));
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("500M"), Ok(500 << 20));
        assert_eq!(size("2g"), Ok(2 << 30));
        assert_eq!(size("3000000"), Ok(3_000_000));
        for wrong in ["", "M", "1.5G", "-1M", "0", "999K", "99999999999G", "4GB"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_have_units() {
        for (text, seconds) in
            [("90", 90.0), ("0.5", 0.5), ("90s", 90.0), ("5m", 300.0), ("2h", 7200.0)]
        {
            assert_eq!(duration(text), Ok(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in ["", "s", "m5", "5 days", "0m", "-1s", "NaN", "inf", "1e300h", "5µ"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
