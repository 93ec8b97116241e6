//! A Java program as the kernel sees it.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use counterpoint_model::words::in_one_line;
use counterpoint_model::{
    EarlyWrite, Event, FileCoverage, Input, Interrupt, Location, Pid, Place, ProcessNames, Program,
    Run, Site,
};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use tempfile::TempDir;

use super::JavaRun;
use super::prepared_machine::PreparedMachine;
use super::queries::Queries;
use super::sources;
use crate::classfile::Type;
use crate::coverage::{NativeName, summarise};
use crate::error::Error;
use crate::interpret::Address;
use crate::interpret::environment::AskedFor;
use crate::junit;
use crate::load::{ClassPath, Jdk, Opened, Origin, SourceFiles, listed};
use crate::machine::{Machine, Options};
use crate::natives::{NativeRow, native_rows};
use crate::unknown::SharedSolver;
use crate::witness::Launch;

/// Calls and backward jumps that one step may make before it is taken for an endless loop.
const STEP_FUEL: u64 = 100_000_000;

/// What a result about a program takes for granted that leaves its pools alone when it is through.
const IDLE_POOL: &str = "threads of pools and timers that nobody shuts down need not end";

/// What the main thread did up to its first operation.
#[derive(Debug, Clone, Copy, Default)]
pub struct Beginning {
    /// How long it took.
    pub took: Duration,
    /// Whether it came to that operation, and was not interrupted.
    pub is_known: bool,
}

/// What to load.
#[derive(Debug, Clone, Default)]
pub struct Target {
    /// `.java` files, `.class` files, jars and folders of classes or sources.
    pub paths: Vec<PathBuf>,
    /// Further entries of the class path.
    pub class_path: Vec<PathBuf>,
    /// The class to start with; needed only if several have a main method.
    pub main: Option<String>,
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// Static methods whose results are inputs, as in `some.Class.method`.
    pub inputs: Vec<String>,
    /// The test to run instead of a main class, as [`TestCase::id`](crate::junit::TestCase) names it.
    pub test: Option<String>,
    /// Where the classes of the sources are, if they were compiled before.
    pub classes: Option<PathBuf>,
}

/// A Java program under test.
#[derive(Debug)]
pub struct JavaProgram {
    class_path: ClassPath,
    main: String,
    arguments: Vec<String>,
    options: Options,
    fingerprint: String,
    sources: SourceFiles,
    names: ProcessNames,
    thread_names: RefCell<Vec<Option<String>>>,
    taken_names: RefCell<FxHashSet<String>>,
    locations: RefCell<Locations>,
    objects: RefCell<Objects>,
    sites: RefCell<Sites>,
    /// What the program may ask about its threads.
    queries: Queries,
    /// What runs that are started now look at inside long steps.
    interrupt: RefCell<Interrupt>,
    /// Whether to note what is executed.
    watched: Cell<bool>,
    /// Whether a time limit did not expire because another thread could move.
    was_patient: Cell<bool>,
    /// Whether threads of a pool were left waiting for tasks when nobody else was left.
    has_idle_pool: Cell<bool>,
    /// Machines at the start of the program, for the next runs.
    idle: RefCell<Vec<PreparedMachine>>,
    /// What the program has asked of the world around it.
    asked_for: Cell<AskedFor>,
    /// The terms of all machines.
    shared: SharedSolver,
    /// Where compiled classes are while the program lives.
    compiled: Option<TempDir>,
    _driver: Option<Arc<TempDir>>,
    /// The classes of the targets, where the class path has others as well.
    own_classes: Option<FxHashSet<String>>,
    missing: Vec<String>,
    outdated: Vec<PathBuf>,
    beginning: Beginning,
}

/// The numbers and names of locations.
#[derive(Debug, Default)]
struct Locations {
    by_key: FxHashMap<String, Location>,
    list: Vec<LocationInfo>,
    /// Digests of their keys.
    digests: Vec<u64>,
}

/// What is known about a location whatever the run.
#[derive(Debug, Clone)]
pub(super) struct LocationInfo {
    /// What the user calls it; the name of the process follows if it belongs to one.
    pub name: String,
    /// The process that it belongs to.
    pub process: Option<Pid>,
    /// The type of a variable.
    pub kind: Option<Type>,
    /// Whether it is the initialisation of a class.
    pub initialisation: bool,
    /// Whether it is an inside of the JDK, where data races are the JDK's affair.
    pub internal: bool,
    /// Where the machine that met it first has it.
    pub address: Option<Address>,
}

/// What objects are called, by their keys.
#[derive(Debug, Default)]
struct Objects {
    by_key: FxHashMap<String, String>,
    taken: FxHashSet<String>,
}

#[derive(Debug, Default)]
struct Sites {
    by_place: HashMap<Place, Site>,
    list: Vec<Place>,
}

impl JavaProgram {
    /// Loads a program: compiles what is source, finds the main class and prepares a first run.
    pub fn load(target: &Target) -> Result<JavaProgram, Error> {
        JavaProgram::load_with(target, JavaProgram::options())
    }

    /// Libraries that the build files of the program ask for and that are not on this machine, as
    /// `group:name:version`.
    pub fn missing_libraries(&self) -> &[String] {
        &self.missing
    }

    /// Sources that were changed after they were compiled into the classes that were handed over.
    pub fn outdated_sources(&self) -> &[PathBuf] {
        &self.outdated
    }

    /// The usual bounds and switches of a machine that is explored.
    pub fn options() -> Options {
        Options { fuel: STEP_FUEL, ..Options::default() }
    }

    /// The same with other bounds and switches of the machine.
    pub fn load_with(target: &Target, options: Options) -> Result<JavaProgram, Error> {
        let jdk = Jdk::find()?.heeding(&options.interrupt);
        let classes = target.classes.as_deref();
        let opened = Opened::open_with(&jdk, &target.paths, &target.class_path, classes)?;
        let main = match &target.main {
            _ if target.test.is_some() => String::new(),
            Some(main) if opened.class_path().class(&main.replace('.', "/"))?.is_none() => {
                let searched = listed(&target.paths);
                return Err(Error::MissingClass { name: main.clone(), searched });
            }
            Some(main) => main.clone(),
            None => opened.main_class()?,
        };
        let sources = opened.sources();
        let own_classes = match opened.has_libraries() {
            false => None,
            true => Some(opened.own_classes()?.into_iter().collect()),
        };
        let missing = opened.missing().to_vec();
        // Who asked for the list of tests knows it.
        let outdated = if target.test.is_none() { opened.outdated() } else { Vec::new() };
        let (mut class_path, compiled) = opened.into_parts();
        let mut arguments = target.arguments.clone();
        let mut main = main;
        let mut driver = None;
        if let Some(test) = &target.test {
            let program = junit::program(&jdk, &mut class_path, test)?;
            (main, arguments, driver) = (program.main, program.arguments, Some(program.driver));
        }
        let words: Vec<&String> = arguments.iter().chain(&target.inputs).collect();
        let (fingerprint, mut queries) = look_through(&class_path, &main, &words)?;
        if options.no_shortcuts {
            let Queries { hooks, fences, stream_monitors, .. } = queries;
            queries = Queries { hooks, fences, stream_monitors, ..Queries::everything() };
        }
        let mut options = options;
        options.notice_ends |= queries.ends;
        options.ends_take_monitors |= queries.thread_monitors;
        options.prints_take_monitors |= queries.stream_monitors;
        options.shutdown_hooks |= queries.hooks;
        options.changes_settings |= queries.settings;
        options.counts_step_by_step |= queries.removes && queries.sizes;
        options.real_pools |= queries.business;
        options.real_locks |= queries.queues;
        options.notices_queues |= queries.states || queries.timed_locks;
        options.mentioned.clone_from(&queries.setters);
        options.inputs = sources::find(&class_path, &target.inputs)?;
        let interrupt = RefCell::new(options.interrupt.clone());
        // Other machines than the first are made while the program is explored, which has a limit of its own.
        let to_begin = options.to_begin.take();
        let mut program = JavaProgram {
            class_path,
            main,
            arguments: arguments.clone(),
            options,
            fingerprint,
            queries,
            sources: SourceFiles::new(sources),
            names: ProcessNames::new(),
            thread_names: RefCell::default(),
            taken_names: RefCell::default(),
            locations: RefCell::default(),
            objects: RefCell::default(),
            sites: RefCell::default(),
            watched: Cell::new(false),
            was_patient: Cell::new(false),
            has_idle_pool: Cell::new(false),
            interrupt,
            idle: RefCell::default(),
            asked_for: Cell::default(),
            shared: SharedSolver::default(),
            compiled,
            _driver: driver,
            own_classes,
            missing,
            outdated,
            beginning: Beginning::default(),
        };
        let first = program.prepare(to_begin)?;
        program.beginning = Beginning { took: first.took, is_known: !first.machine.interrupted };
        if program.beginning.is_known {
            program.idle.borrow_mut().push(first);
        }
        Ok(program)
    }

    /// What the main thread did up to its first operation when the program was loaded.
    pub fn beginning(&self) -> Beginning {
        self.beginning
    }

    /// Where the classes of its sources are, as long as it lives.
    pub fn classes(&self) -> Option<&Path> {
        self.compiled.as_ref().map(TempDir::path)
    }

    /// The main class.
    pub fn main(&self) -> &str {
        &self.main
    }

    /// The rows of the table of natives that were called since a second thread was started, if the program is watched.
    pub fn called_natives(&self) -> Vec<NativeRow> {
        let idle = self.idle.borrow();
        let watching = idle.iter().filter_map(|prepared| prepared.machine.coverage.as_ref());
        let called: FxHashSet<NativeName> =
            watching.flat_map(|coverage| coverage.natives.iter().copied()).collect();
        native_rows()
            .filter(|row| called.contains(&(row.class, row.name, row.descriptor)))
            .collect()
    }

    /// What the program may ask about its threads.
    pub(super) fn queries(&self) -> &Queries {
        &self.queries
    }

    /// Whether the program may ask what its threads are doing.
    pub(super) fn asks_for_states(&self) -> bool {
        self.queries.states
    }

    /// How long a time limit is at most that may expire at any time; none if all may.
    pub(super) fn patience(&self) -> Option<u64> {
        self.options.patience.filter(|_| self.queries.limits)
    }

    /// Whether steps of other threads depend on how far a thread has come.
    pub(super) fn notices_progress(&self) -> bool {
        self.queries.states || self.patience().is_some()
    }

    /// Whether a class of the class path is one of the targets and not one that they use.
    pub(super) fn is_own_class(&self, name: &str) -> bool {
        self.own_classes.as_ref().is_none_or(|own| own.contains(name))
    }

    /// A time limit did not expire because another thread could move.
    pub(super) fn note_patience(&self) {
        self.was_patient.set(true);
    }

    /// Threads of a pool were left waiting for tasks when nobody else was left.
    pub(super) fn note_idle_pool(&self) {
        self.has_idle_pool.set(true);
    }

    fn prepare(&self, to_begin: Option<Duration>) -> Result<PreparedMachine, Error> {
        let (coverage, interrupt) = (self.watched.get(), self.interrupt.borrow().clone());
        let options = Options { coverage, interrupt, to_begin, ..self.options.clone() };
        PreparedMachine::new(
            self.class_path.clone(),
            &self.main,
            &self.arguments,
            options,
            &self.shared,
        )
    }

    /// A machine at the start of the program that notes where threads go.
    pub(super) fn prepare_noting(&self) -> Result<PreparedMachine, Error> {
        let options = Options { route: true, ..self.options.clone() };
        let arguments = &self.arguments;
        PreparedMachine::new(self.class_path.clone(), &self.main, arguments, options, &self.shared)
    }

    /// The names of the program's own classes, as in class files.
    pub(super) fn class_names(&self) -> Result<FxHashSet<String>, Error> {
        Ok(self.class_path.program_classes()?.into_iter().collect())
    }

    /// Static methods whose results are inputs because the user said so: classes as in class files, and
    /// names.
    pub(super) fn input_methods(&self) -> Vec<(String, String)> {
        self.options.inputs.clone()
    }

    /// How a virtual machine is started with this program: its launcher, its class path, the main class,
    /// and the arguments.
    pub fn launch(&self) -> Launch {
        Launch {
            jdk: self.class_path.jdk().clone(),
            class_path: self.class_path.as_paths(),
            main: self.main.clone(),
            arguments: self.arguments.clone(),
        }
    }

    /// Notes what a machine was asked for.
    pub(super) fn note_asked_for(&self, machine: &Machine) {
        self.asked_for.set(self.asked_for.get().or(machine.asked_for));
    }

    /// Takes back the machine of a run that has ended.
    pub(super) fn retire(&self, prepared: PreparedMachine) {
        self.idle.borrow_mut().push(prepared);
    }

    /// The number of a location with a stable key, which is described when it is new.
    pub(super) fn location(
        &self,
        key: String,
        describe: impl FnOnce() -> LocationInfo,
    ) -> Location {
        if let Some(location) = self.locations.borrow().by_key.get(&key) {
            return *location;
        }
        let described = describe();
        let mut table = self.locations.borrow_mut();
        let location =
            Location(u32::try_from(table.list.len()).expect("fewer than 2^32 locations"));
        table.list.push(described);
        // Seeded alike in every process.
        table.digests.push(BuildHasherDefault::<DefaultHasher>::default().hash_one(&key));
        table.by_key.insert(key, location);
        location
    }

    /// What an object with a stable key is called: the first of the candidates that no other object
    /// is called, once and for all.
    pub(super) fn object_name(
        &self,
        key: &str,
        candidates: impl FnOnce() -> Vec<String>,
    ) -> String {
        if let Some(name) = self.objects.borrow().by_key.get(key) {
            return name.clone();
        }
        let candidates = candidates();
        let mut objects = self.objects.borrow_mut();
        let free = candidates.iter().find(|name| !objects.taken.contains(*name));
        let name = free.or(candidates.last()).cloned().unwrap_or_default();
        objects.taken.insert(name.clone());
        objects.by_key.insert(key.to_string(), name.clone());
        name
    }

    /// What is known about a location.
    fn described(&self, location: Location) -> Option<LocationInfo> {
        self.locations.borrow().list.get(location.index()).cloned()
    }

    /// A run at the initial state.
    pub(super) fn new_run(&self, inputs: &[Input]) -> JavaRun<'_> {
        let idle = self.idle.borrow_mut().pop();
        let mut prepared = idle.unwrap_or_else(|| {
            self.prepare(None).expect("the program could be prepared before and has not changed")
        });
        prepared.machine.heed(&self.interrupt.borrow());
        prepared.machine.options.fuel = self.options.fuel;
        prepared.begin(inputs);
        JavaRun::new(self, prepared)
    }

    /// Whether a location is the initialisation of a class.
    pub(super) fn is_initialisation(&self, location: Location) -> bool {
        let table = self.locations.borrow();
        table.list.get(location.index()).is_some_and(|described| described.initialisation)
    }

    /// The location with a stable key, if it was met, by whatever machine.
    pub(super) fn known_location(&self, key: &str) -> Option<Location> {
        self.locations.borrow().by_key.get(key).copied()
    }

    /// Where the machine that met a location first has it.
    pub(super) fn first_address(&self, location: Location) -> Option<Address> {
        self.locations.borrow().list.get(location.index()).and_then(|described| described.address)
    }

    /// The type of a variable.
    pub(super) fn kind(&self, location: Location) -> Option<Type> {
        self.locations.borrow().list.get(location.index()).and_then(|described| described.kind)
    }

    /// The source of a class as people name it; empty if the class does not name one.
    pub(super) fn source(&self, class: &str, file: Option<&str>) -> String {
        file.map_or_else(String::new, |file| self.sources.name(class, file))
    }

    /// The number of a place in the source.
    pub(super) fn site(&self, mut place: Place) -> Site {
        // Class files can say anything here.
        for text in [&mut place.file, &mut place.function] {
            if let Cow::Owned(shown) = in_one_line(text) {
                *text = shown;
            }
        }
        let mut table = self.sites.borrow_mut();
        if let Some(site) = table.by_place.get(&place) {
            return *site;
        }
        let site = Site(u32::try_from(table.list.len()).expect("fewer than 2^32 places"));
        table.list.push(place.clone());
        table.by_place.insert(place, site);
        site
    }

    /// Notes what the program calls a thread.
    pub(super) fn name_thread(&self, process: Pid, name: String) {
        let mut names = self.thread_names.borrow_mut();
        if names.len() <= process.index() {
            names.resize(process.index() + 1, None);
        }
        if names[process.index()].is_none() {
            let taken = !self.taken_names.borrow_mut().insert(name.clone());
            let path = || self.names.path(process);
            names[process.index()] =
                Some(if taken { format!("{name} ({})", path()) } else { name });
        }
    }
}

/// What is assumed of time limits that are at least so long, in nanoseconds.
fn assumed_of_limits(patience: u64) -> String {
    let which = match patience {
        0 => String::new(),
        nanos => format!(" of {:?} or more", std::time::Duration::from_nanos(nanos)),
    };
    format!("time limits{which} expire only when no other thread can move")
}

impl Program for JavaProgram {
    fn start(&self, inputs: &[Input]) -> Box<dyn Run + '_> {
        Box::new(self.new_run(inputs))
    }

    fn names(&self) -> &ProcessNames {
        &self.names
    }

    fn place(&self, site: Site) -> Place {
        self.sites.borrow().list.get(site.0 as usize).cloned().unwrap_or_default()
    }

    fn early_writes(&self, events: &[Event], through: &[Location]) -> Vec<EarlyWrite> {
        self.writes_before_sharing(events, through)
    }

    fn location_key(&self, location: Location) -> Option<u64> {
        self.locations.borrow().digests.get(location.index()).copied()
    }

    fn is_own(&self, location: Location) -> bool {
        !self.described(location).is_some_and(|described| described.internal)
    }

    fn platform(&self) -> &'static str {
        "JVM"
    }

    fn assumptions(&self) -> Vec<String> {
        let patience = self.patience().filter(|_| self.was_patient.get());
        let asked = self.asked_for.get();
        let idle = self.has_idle_pool.get().then_some(IDLE_POOL);
        let fixed = asked.assumptions().chain(idle).map(str::to_string);
        patience.into_iter().map(assumed_of_limits).chain(fixed).collect()
    }

    fn location_name(&self, location: Location) -> String {
        let Some(described) = self.described(location) else { return String::new() };
        match described.process {
            Some(process) => described.name + &self.process_name(process),
            None => described.name,
        }
    }

    fn variable_name(&self, location: Location) -> String {
        without_numbers(&self.location_name(location))
    }

    fn process_name(&self, process: Pid) -> String {
        let names = self.thread_names.borrow();
        let known = names.get(process.index()).and_then(Clone::clone);
        known.unwrap_or_else(|| self.names.path(process))
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    fn heed(&self, interrupt: &Interrupt) {
        self.interrupt.replace(interrupt.clone());
    }

    fn watch(&self) {
        self.watched.set(true);
        // What has run up to the first operation unwatched does so again.
        self.idle.borrow_mut().clear();
    }

    fn coverage(&self) -> Vec<FileCoverage> {
        if !self.watched.get() {
            return Vec::new();
        }
        let idle = self.idle.borrow();
        let machines: Vec<&Machine> = idle.iter().map(|prepared| &prepared.machine).collect();
        summarise(&self.class_path, &self.sources, &machines).unwrap_or_default()
    }
}

/// A text that changes with the classes of the program, its main class, its arguments and inputs; and what
/// the program may ask and change.
fn look_through(
    class_path: &ClassPath,
    main: &str,
    words: &[&String],
) -> Result<(String, Queries), Error> {
    let mut hasher = FxHasher::default();
    let mut classes = Vec::new();
    for name in class_path.program_classes()? {
        if let Some((bytes, Origin::Program)) = class_path.class(&name)? {
            hasher.write(name.as_bytes());
            hasher.write(&bytes);
            classes.push((name, bytes));
        }
    }
    let queries = Queries::of(classes, &main.replace('.', "/"));
    for word in words {
        hasher.write(word.as_bytes());
        hasher.write_u8(0xFF);
    }
    Ok((format!("{main}-{:016x}", hasher.finish()), queries))
}

/// The name of a variable without what tells like objects, array elements and their makers apart:
/// `Node#.next` for `worker:Node#2.next`, and `table[]` for `table[7]`.
fn without_numbers(name: &str) -> String {
    let own = name.rsplit(':').next().unwrap_or(name);
    let mut number = false;
    let mut keeps = |letter: char| {
        number = matches!(letter, '#' | '[') || number && letter.is_ascii_digit();
        !number || !letter.is_ascii_digit()
    };
    own.chars().filter(|&letter| keeps(letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::without_numbers;

    #[test]
    fn like_variables_have_one_name() {
        assert_eq!(without_numbers("worker:Node#2.next"), "Node#.next");
        assert_eq!(without_numbers("table[17]"), "table[]");
        assert_eq!(without_numbers("Counter.x1"), "Counter.x1");
        assert_eq!(without_numbers("a:int[]#3[4]"), "int[]#[]");
    }
}
