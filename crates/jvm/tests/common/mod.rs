//! Compiles the Java programs of a folder once and explores them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use counterpoint_explore::{
    Assignment, Execution, Exploration, Flow, Limits, PROPERTIES, ParameterValues, Property, Sink,
    Statistics, WorkUnit, default_properties, explorer,
};
use counterpoint_jvm::load::{Jdk, compile};
use counterpoint_jvm::{JavaProgram, Options, Target};
use counterpoint_model::Program;

/// The class that programs call where a real virtual machine takes some time: here it takes none.
pub const PAUSE: &str =
    "public class Pause { public static void now() { } public static void wide() { } }\n";

/// The classes of the programs in a folder beside the tests.
pub struct Programs(tempfile::TempDir);

impl Programs {
    /// Compiles all programs of some folders together.
    pub fn compile(folders: &[&str]) -> Programs {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        let files = folders.iter().flat_map(|folder| {
            std::fs::read_dir(tests.join(folder)).expect("the programs of a test")
        });
        let sources: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
        Programs::compile_files(&sources)
    }

    /// Compiles some programs together.
    pub fn compile_files(sources: &[PathBuf]) -> Programs {
        let jdk = Jdk::find().expect("a JDK is installed where the tests run");
        Programs(compile(&jdk, sources, &[]).expect("the programs compile"))
    }

    /// The program that a main class and its arguments make, all in one line.
    pub fn load(&self, command: &str) -> JavaProgram {
        self.load_with(command, Options::default())
    }

    /// The same, run in another way.
    pub fn load_with(&self, command: &str, options: Options) -> JavaProgram {
        JavaProgram::load_with(&self.target(command), options)
            .unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    /// What is loaded for a main class and its arguments.
    pub fn target(&self, command: &str) -> Target {
        let mut words = command.split(' ').map(str::to_string);
        Target {
            paths: vec![self.0.path().to_path_buf()],
            main: words.next(),
            arguments: words.collect(),
            ..Target::default()
        }
    }
}

/// What the ends of executions looked like: what the program printed.
#[derive(Default)]
struct Outcomes(BTreeSet<String>);

impl Sink for Outcomes {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        self.0.insert(execution.run.outcome().unwrap_or_default());
        Flow::Continue
    }
}

/// Explores a whole program: the result and the outcomes. Nothing may be left or go wrong.
pub fn explore(name: &str, program: &dyn Program, seed: u64) -> (Exploration, BTreeSet<String>) {
    let mut outcomes = Outcomes::default();
    let result = explore_into(name, program, seed, &mut outcomes);
    (result, outcomes.0)
}

/// The same, showing all executions to a sink.
pub fn explore_into(
    name: &str,
    program: &dyn Program,
    seed: u64,
    sink: &mut dyn Sink,
) -> Exploration {
    explore_for(name, program, seed, default_properties(), sink)
}

/// The same, for some properties.
fn explore_for(
    name: &str,
    program: &dyn Program,
    seed: u64,
    properties: Vec<Box<dyn Property>>,
    sink: &mut dyn Sink,
) -> Exploration {
    let result = (explorer(name).expect("an explorer").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits::default(),
        properties,
        sink,
        parameters: ParameterValues::seeded(seed),
    });
    assert_eq!(result.internal_errors, Vec::<String>::new(), "{name}");
    assert_eq!(result.unexplored, None, "{name}");
    result
}

/// Explores a whole program for all properties, races among them.
pub fn explore_all_properties(name: &str, program: &dyn Program) -> Exploration {
    let properties = PROPERTIES.iter().map(|entry| (entry.make)()).collect();
    explore_for(name, program, 1, properties, &mut Outcomes::default())
}

/// How executions ended and what they had printed, in one line each.
#[derive(Default)]
struct Endings(BTreeSet<String>);

impl Sink for Endings {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let ending = execution.run.end();
        let outcome = execution.run.outcome().unwrap_or_default();
        self.0.insert(format!("{ending:?} {}", outcome.trim_end().replace('\n', " ")));
        Flow::Continue
    }
}

/// Explorers that have to come to the same outcomes. Of the reductions besides the first, half look at each program, in turns,
/// and all of them with `COUNTERPOINT_LONG` in the environment.
pub fn explorers_in_turn(number: usize) -> Vec<&'static str> {
    let reductions: &[&str] = match (std::env::var_os("COUNTERPOINT_LONG"), number % 2) {
        (Some(_), _) => &["dpor", "unfolding", "contextual", "stateful"],
        (None, 0) => &["dpor", "contextual"],
        (None, _) => &["unfolding", "stateful"],
    };
    [&["optimal"], reductions, &["exhaustive"]].concat()
}

/// Explores within a limit on executions: the result and the endings.
pub fn endings(
    name: &str,
    program: &dyn Program,
    executions: Option<u64>,
) -> (Exploration, BTreeSet<String>) {
    let mut endings = Endings::default();
    let result = (explorer(name).expect("an explorer").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits { executions, ..Limits::default() },
        properties: default_properties(),
        sink: &mut endings,
        parameters: ParameterValues::seeded(1),
    });
    assert_eq!(result.internal_errors, Vec::<String>::new(), "{name}");
    (result, endings.0)
}
