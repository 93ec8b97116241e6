//! What the machine says about the steps of Java programs is true: independent ones commute, and what
//! frees or hinders another process conflicts with it. Where it says too little or too much of a step that waits, brute
//! force comes to traces that reductions do not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use counterpoint_explore::{
    Assignment, Execution, Exploration, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit,
    explorer,
};
use counterpoint_jvm::load::{Jdk, compile};
use counterpoint_jvm::{JavaProgram, Options, Target};
use counterpoint_model::Event;
use counterpoint_testkit::audit::{Effort, audit};

/// Looks at programs of a folder, each given by its class and arguments in one line; "really" at its end
/// asks for the library's own code of locks.
fn each(folder: &str, commands: &[&str], mut look: impl FnMut(&str, &JavaProgram)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let jdk = Jdk::find().expect("a JDK is installed where the tests run");
    let sources = sources_in(&folder);
    let classes = compile(&jdk, &sources, &[]).expect("the programs compile");
    for command in commands {
        let mut words = command.split(' ').map(str::to_string);
        let target = Target {
            paths: vec![classes.path().to_path_buf()],
            main: words.next(),
            arguments: words.filter(|word| word != "really").collect(),
            ..Target::default()
        };
        let options = Options { real_locks: command.ends_with(" really"), ..Options::default() };
        let program = JavaProgram::load_with(&target, options);
        look(command, &program.unwrap_or_else(|error| panic!("{command}: {error}")));
    }
}

fn sources_in(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).expect("the programs");
    let mut sources: Vec<PathBuf> = files
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "java"))
        .collect();
    sources.sort();
    sources
}

/// Audits programs.
fn check(folder: &str, commands: &[&str]) {
    let mut wrong = Vec::new();
    each(folder, commands, |command, program| {
        let audit = audit(program, Effort { walks: 3, steps: 150, beyond: 4, seed: 7 });
        println!("{command}: {} states, {} pairs", audit.states, audit.commuted);
        if !audit.complaints.is_empty() {
            wrong.push(format!("{command}: {audit}"));
        }
        assert!(audit.states > 3, "{command} does hardly anything");
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn programs_of_all_kinds_keep_their_promises() {
    let commands = [
        "Account 2 2 2",
        "CheckThenAct",
        "Counters 3",
        "Dining 3",
        "DiningLocks 3",
        "Exits",
        "Failures synchronized",
        "Fib 2",
        "Filesystem 14",
        "Interrupted sleep",
        "Interrupted join",
        "Interrupted timed",
        "LastZero 4",
        "Lazy",
        "Lazy3",
        "LockOrder",
        "Locks 2 2",
        "Locks 2 2 really",
        "LostUpdate",
        "MissedNotify careful",
        "Pool",
        "Sections 2 2 2",
        "Spinning flag",
        "Spinning polled",
        "Spinning alive",
        "Spinning joined",
        "Spinning waited",
        "Spinning swap",
        "Spinning try",
        "Spinning peterson",
        "Timed",
        "TryLock",
        "Waiters x y",
    ];
    check("explore", &commands);
}

#[test]
fn interrupts_keep_their_promises() {
    let plans = ["w", "tl", "sa", "aw", "ws again", "ts again", "wl again", "at"];
    let commands = plans.map(|plan| format!("Wakening {plan}"));
    check("explore", &commands.each_ref().map(String::as_str));
}

#[test]
fn uses_of_the_library_keep_their_promises() {
    let commands = [
        "LibraryUse queue",
        "LibraryUse compute",
        "LibraryUse stack",
        "LibraryUse phaser",
        "LibraryUse timer",
        "LibraryUse scheduled",
        "LibraryUse snapshot",
        "LibraryUse optimistic",
        "LibraryUse poll",
        "Pools one",
        "Pools completable",
    ];
    check("explore", &commands);
}

#[test]
fn completable_futures_keep_their_promises() {
    let commands = [
        "Futures chain",
        "Futures combine",
        "Futures compose",
        "Futures any",
        "Futures either",
        "Futures help",
        "Futures cancel",
        "Futures pool",
        "Futures external",
        "ForkJoin lost-update",
        "ForkJoin for-each",
        "ForkJoin ended",
        "Interrupts try",
        "Interrupts queue",
    ];
    check("futures", &commands);
}

#[test]
fn threads_keep_their_promises() {
    check("threads", &["Buffer", "Counter", "Deadlock", "Initializers", "Interrupts", "Library"]);
}

#[test]
fn synchronisers_keep_their_promises() {
    let commands = [
        "Barriers action",
        "Barriers interrupt",
        "Barriers twice",
        "Conditions lock await interrupt",
        "Conditions lock await interrupt really",
        "Conditions lock nanos all",
        "Conditions lock stubborn interrupt",
        "Conditions lock timed signal",
        "Conditions write await signal",
        "Impatient lock",
        "Impatient timed",
        "Latches 1 await interrupt down",
        "Latches 1 timed down",
        "Latches 2 look down down",
        "Meetings unfair exchange exchange interrupt",
        "Meetings unfair exchange-timed exchange-timed",
        "Meetings unfair put put take",
        "Meetings fair poll-timed put interrupt",
        "Meetings unfair meet leave phase",
        "Meetings unfair await-timed arrive arrive",
        "Meetings unfair await-interruptibly end interrupt",
        "Permits 0 take give interrupt",
        "Permits 0 timed give",
        "Permits 1 try drain",
        "Permits 2 two pair",
        "ReadersWriters forget",
        "ReadersWriters read read write",
        "ReadersWriters read2 write2",
        "ReadersWriters timed write",
        "ReadersWriters try read",
        "ReadersWriters upgrade",
        "TwoWaiters all",
        "TwoWaiters one",
    ];
    check("synchronisers", &commands);
}

#[test]
fn looking_at_the_state_of_threads_keeps_its_promises() {
    let cases = ["life", "wait", "monitor", "reacquire", "lock", "semaphore", "latch", "queue"];
    let more = ["park", "sleep", "join", "writer"];
    let commands: Vec<String> =
        cases.iter().chain(&more).map(|case| format!("States {case}")).collect();
    check("states", &commands.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn dealing_with_threads_before_their_start_keeps_its_promises() {
    let cases = ["join", "timed-join", "alive", "state", "until-alive", "interrupted", "interrupt"];
    let more = ["unpark", "twice", "cycle"];
    let commands: Vec<String> =
        cases.iter().chain(&more).map(|case| format!("Beginnings {case}")).collect();
    check("beginnings", &commands.iter().map(String::as_str).collect::<Vec<_>>());
}

/// COUNTERPOINT_EVERYDAY names another folder of programs.
#[test]
fn everyday_programs_keep_their_promises() {
    let chosen = std::env::var("COUNTERPOINT_EVERYDAY").unwrap_or_else(|_| "everyday".to_string());
    check_folder(&chosen);
}

#[test]
fn programs_for_nets_keep_their_promises() {
    check_folder("nets");
}

/// Audits all programs of a folder, and looks for traces of theirs that only brute force finds: in the few executions that
/// there is time for, with `COUNTERPOINT_LONG` in the environment in many.
fn check_folder(folder: &str) {
    let sources = sources_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder));
    let names: Vec<&str> = sources.iter().filter_map(|path| path.file_stem()?.to_str()).collect();
    let long = std::env::var_os("COUNTERPOINT_LONG").is_some();
    let (walks, most, of_every) = if long { (3, 5000, 2_000_000) } else { (1, 100, 300) };
    let (mut whole, mut wrong) = (0, Vec::new());
    each(folder, &names, |command, program| {
        let audit = audit(program, Effort { walks, steps: 150, beyond: 4, seed: 7 });
        if !audit.complaints.is_empty() {
            wrong.push(format!("{command}: {audit}"));
        }
        let (result, once) = explore_some("optimal", program, most);
        if result.unexplored.is_some() {
            return;
        }
        let (brute, every) = explore_some("exhaustive", program, of_every);
        let is_whole = brute.unexplored.is_none();
        whole += usize::from(is_whole);
        let executions = result.statistics.executions as usize;
        let missing = every.traces.difference(&once.traces).count();
        let beyond = if is_whole { once.traces.difference(&every.traces).count() } else { 0 };
        if (executions, missing, beyond) != (once.traces.len(), 0, 0) {
            wrong.push(format!(
                "{command}: {executions} executions of {} traces, {missing} are missing and {beyond} are not there",
                once.traces.len()
            ));
        }
    });
    println!("{whole} programs of {} wholly by brute force", names.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(whole > names.len() / 2);
}

#[test]
fn programs_with_inputs_keep_their_promises() {
    check("inputs", &["Updater 2", "Locked", "Elements"]);
}

/// Ends, and traces up to the order of independent events.
#[derive(Default)]
struct Ends {
    outcomes: BTreeSet<String>,
    traces: BTreeSet<Vec<Vec<(u32, u32)>>>,
}

impl Sink for Ends {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let outcome = execution.run.outcome().unwrap_or_default();
        self.outcomes.insert(format!("{:?} {outcome}", execution.ending));
        self.traces.insert(layers(execution.events));
        Flow::Continue
    }
}

/// Foata's normal form: each event in the first layer after all it depends on.
fn layers(events: &[Event]) -> Vec<Vec<(u32, u32)>> {
    let mut layers: BTreeMap<usize, Vec<(u32, u32)>> = BTreeMap::new();
    let mut depth = vec![0; events.len()];
    for later in 0..events.len() {
        let before = (0..later).filter(|&earlier| events[earlier].dependent(&events[later]));
        depth[later] = before.map(|earlier| depth[earlier] + 1).max().unwrap_or(0);
        let choice = events[later].choice;
        layers.entry(depth[later]).or_default().push((choice.process.0, choice.alternative));
    }
    layers.values_mut().for_each(|layer| layer.sort_unstable());
    layers.into_values().collect()
}

fn explore(name: &str, program: &JavaProgram) -> (Exploration, Ends) {
    explore_some(name, program, u64::MAX)
}

/// The same up to a number of executions.
fn explore_some(name: &str, program: &JavaProgram, most: u64) -> (Exploration, Ends) {
    let mut ends = Ends::default();
    let result = (explorer(name).expect("an explorer").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits { executions: Some(most), steps: 2000, ..Limits::default() },
        properties: Vec::new(),
        sink: &mut ends,
        parameters: ParameterValues::seeded(1),
    });
    (result, ends)
}

/// Brute force finds no trace that `optimal` does not, nor an end that another explorer does not.
#[test]
fn interrupts_are_explored_once_per_trace() {
    let commands = ["Wakened w", "Wakened t", "Wakened s", "Wakened a"];
    each("explore", &commands, |command, program| {
        let (_, every) = explore("exhaustive", program);
        let (result, once) = explore("optimal", program);
        assert_eq!(once.traces.len(), every.traces.len(), "{command}");
        let counts = (result.statistics.executions, result.statistics.abandoned);
        assert_eq!(counts, (every.traces.len() as u64, 0), "{command}");
        for name in ["optimal", "dpor", "race-flip"] {
            assert_eq!(explore(name, program).1.outcomes, every.outcomes, "{name}: {command}");
        }
    });
}
