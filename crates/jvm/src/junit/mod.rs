//! JUnit tests as programs of their own.
//!
//! **Problem.** A test method is not a program: somebody makes the object, sets it up, hands parameters over, and
//! knows which exceptions are expected and which assumptions end the test in peace.
//!
//! **Idea.** The test's own framework does it. A small driver ([`Framework::source`]), compiled against the JUnit on the
//! class path, asks the framework for one test and throws what made it fail. It runs in the machine like any main
//! class, so set-up and tear-down, rules, extensions, nesting, parameters, expected exceptions and assumptions mean
//! what they mean to the framework; only its time limits do not expire while a thread can move. The same driver lists tests: the machine runs it once, in one order of the threads. A
//! test with parameters is run for this, since only then it is known how many it stands for.
//!
//! **Names.** A test is named as its framework names it: by the unique id of JUnit 5, or for JUnit 4 by
//! `junit4:CLASS:DESCRIPTION`. Repetitions of a test are alike, so only the first one counts.
//!
//! **Invariant.** A test that is listed can be loaded by its name ([`Target::test`](crate::Target)), today and from a
//! kept schedule later.
//!
//! **Cost.** The compiler runs once for each framework and class path; listing runs the framework's discovery once.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use tempfile::TempDir;

use crate::classfile::ClassFile;
use crate::error::Error;
use crate::load::{ClassPath, Jdk, LaunchEntry, Opened, Origin, compile};
use crate::machine::{Machine, Options};
use crate::run::Target;

/// A test framework.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Framework {
    /// JUnit 4, which runs tests of JUnit 3, too.
    Four,
    /// JUnit 5.
    Five,
}

/// A test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestCase {
    /// What its framework calls it; [`Target::test`](crate::Target) takes this.
    pub id: String,
    /// The class that declares it.
    pub class: String,
    /// The method, with parameters if it has some.
    pub name: String,
    /// Whether it is not to be run, and why.
    pub ignored: Option<String>,
}

/// The tests of a target.
#[derive(Debug)]
pub struct TestList {
    /// In the order of their classes.
    pub tests: Vec<TestCase>,
    /// Libraries that the build files ask for and that are not on this machine.
    pub missing: Vec<String>,
    /// Sources that were changed after they were compiled into these classes.
    pub outdated: Vec<PathBuf>,
    /// The classes of sources, if there are some, for [`Target::classes`](crate::Target).
    pub compiled: Option<TempDir>,
}

/// What begins the name of a test of JUnit 4.
const FOUR: &str = "junit4:";

/// What begins a line of a driver that tells a test.
const TEST_LINE: &str = "counterpoint-test\t";

/// What begins the line of a driver whose test was not run, or not to its end. Threads of the test may print after it.
const SKIPPED_LINE: &str = "counterpoint-skipped\t";

/// The last line of a driver that could list everything.
const END_LINE: &str = "counterpoint-end";

/// Flags of classes of which no objects are made.
const ABSTRACT_OR_INTERFACE: u16 = 0x0400 | 0x0200;

/// The flag of annotations.
const ANNOTATION: u16 = 0x2000;

impl Framework {
    /// The framework of a test with this name.
    fn of(test: &str) -> Framework {
        if test.starts_with(FOUR) { Framework::Four } else { Framework::Five }
    }

    /// What people call it.
    fn name(self) -> &'static str {
        match self {
            Framework::Four => "JUnit 4",
            Framework::Five => "JUnit 5",
        }
    }

    /// The driver's class.
    fn driver(self) -> &'static str {
        match self {
            Framework::Four => "CounterpointJUnit4",
            Framework::Five => "CounterpointJUnit5",
        }
    }

    /// The driver.
    fn source(self) -> &'static str {
        match self {
            Framework::Four => include_str!("CounterpointJUnit4.java"),
            Framework::Five => include_str!("CounterpointJUnit5.java"),
        }
    }

    /// What the driver needs, and the artifact that has it.
    fn needs(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Framework::Four => &[
                ("org/junit/runner/JUnitCore", "junit:junit"),
                ("org/hamcrest/Matcher", "org.hamcrest:hamcrest-core"),
            ],
            Framework::Five => &[
                ("org/junit/jupiter/api/Test", "org.junit.jupiter:junit-jupiter-api"),
                (
                    "org/junit/jupiter/engine/JupiterTestEngine",
                    "org.junit.jupiter:junit-jupiter-engine",
                ),
                (
                    "org/junit/platform/engine/TestEngine",
                    "org.junit.platform:junit-platform-engine",
                ),
                (
                    "org/junit/platform/commons/JUnitException",
                    "org.junit.platform:junit-platform-commons",
                ),
                ("org/opentest4j/AssertionFailedError", "org.opentest4j:opentest4j"),
            ],
        }
    }

    /// The annotations that only tests have.
    fn annotations(self) -> &'static [&'static str] {
        match self {
            Framework::Four => &["org/junit/Test", "org/junit/runner/RunWith"],
            Framework::Five => &[
                "org/junit/jupiter/api/Test",
                "org/junit/jupiter/api/TestFactory",
                "org/junit/jupiter/api/TestTemplate",
                "org/junit/jupiter/api/Nested",
            ],
        }
    }

    /// The class from which tests without annotations inherit.
    fn base(self) -> Option<&'static str> {
        match self {
            Framework::Four => Some("junit/framework/TestCase"),
            Framework::Five => None,
        }
    }

    /// The compiled driver for a class path, made once.
    fn compiled(self, jdk: &Jdk, class_path: &ClassPath) -> Result<Arc<TempDir>, Error> {
        type Drivers = FxHashMap<(Framework, Vec<PathBuf>), Arc<TempDir>>;
        static DRIVERS: Mutex<Option<Drivers>> = Mutex::new(None);
        for (class, artifact) in self.needs() {
            if class_path.class(class)?.is_none() {
                let class = class.replace('/', ".");
                let (framework, artifact) = (self.name(), artifact.to_string());
                let missing = String::new();
                return Err(Error::NoTestFramework { framework, class, artifact, missing });
            }
        }
        let paths: Vec<PathBuf> = class_path
            .as_paths()
            .into_iter()
            .filter_map(|entry| match entry {
                LaunchEntry::Path(path) => Some(path),
                LaunchEntry::Files(_) => None,
            })
            .collect();
        let mut drivers = DRIVERS.lock().unwrap_or_else(PoisonError::into_inner);
        let drivers = drivers.get_or_insert_default();
        if let Some(known) = drivers.get(&(self, paths.clone())) {
            return Ok(Arc::clone(known));
        }
        let temporary = |source| Error::Temporary { path: std::env::temp_dir(), source };
        let folder =
            tempfile::Builder::new().prefix("counterpoint-").tempdir().map_err(temporary)?;
        let source = folder.path().join(self.driver()).with_extension("java");
        std::fs::write(&source, self.source()).map_err(temporary)?;
        let compiled = Arc::new(compile(jdk, &[source], &paths)?);
        drivers.insert((self, paths), Arc::clone(&compiled));
        Ok(compiled)
    }
}

/// A test as a main class with arguments.
pub(crate) struct TestProgram {
    pub main: String,
    pub arguments: Vec<String>,
    /// Where the driver is. It has to live as long as the program.
    pub driver: Arc<TempDir>,
}

/// Turns a test into a program, and adds its driver to the class path.
pub(crate) fn program(
    jdk: &Jdk,
    class_path: &mut ClassPath,
    test: &str,
) -> Result<TestProgram, Error> {
    let framework = Framework::of(test);
    let driver = framework.compiled(jdk, class_path)?;
    class_path.add(driver.path())?;
    let mut arguments = vec!["run".to_string()];
    match test.strip_prefix(FOUR).and_then(|rest| rest.split_once(':')) {
        Some((class, description)) => {
            arguments.extend([class.to_string(), description.to_string()]);
        }
        None => arguments.push(test.to_string()),
    }
    Ok(TestProgram { main: framework.driver().to_string(), arguments, driver })
}

/// The tests of a target.
pub fn tests(target: &Target, options: &Options) -> Result<TestList, Error> {
    let jdk = Jdk::find()?.heeding(&options.interrupt);
    let opened = Opened::open(&jdk, &target.paths, &target.class_path)?;
    let mut all = Vec::new();
    for framework in [Framework::Four, Framework::Five] {
        let classes = candidates(&opened, framework)?;
        if classes.is_empty() {
            continue;
        }
        let mut class_path = opened.class_path().clone();
        let driver = framework.compiled(&jdk, &class_path).map_err(|error| match error {
            Error::NoTestFramework { framework, class, artifact, .. } => {
                let missing = opened.missing().join(", ");
                Error::NoTestFramework { framework, class, artifact, missing }
            }
            error => error,
        })?;
        class_path.add(driver.path())?;
        let lister = Lister { framework, class_path, options };
        all.extend(lister.list(&classes)?);
    }
    let mut seen = FxHashSet::default();
    all.retain(|test: &TestCase| seen.insert(test.id.clone()));
    all.sort_by(|a, b| a.class.cmp(&b.class));
    let (missing, outdated) = (opened.missing().to_vec(), opened.outdated());
    let (_, compiled) = opened.into_parts();
    Ok(TestList { tests: all, missing, outdated, compiled })
}

/// The test with this name of its framework, if it is one.
pub fn by_id(id: &str) -> Option<TestCase> {
    if let Some((class, description)) = id.strip_prefix(FOUR).and_then(|rest| rest.split_once(':'))
    {
        let name = description.split('(').next().unwrap_or(description).to_string();
        return Some(TestCase {
            id: id.to_string(),
            class: class.to_string(),
            name,
            ignored: None,
        });
    }
    id.strip_prefix("[engine:")?;
    let (mut class, mut name) = (String::new(), String::new());
    for part in id.split('/').filter_map(|part| part.strip_prefix('[')?.strip_suffix(']')) {
        let (kind, value) = part.split_once(':').unwrap_or((part, ""));
        match kind {
            "class" | "class-template" => class = value.to_string(),
            "nested-class" | "nested-class-template" => class = format!("{class}${value}"),
            "method" | "test-template" | "test-factory" => {
                name = value.split('(').next().unwrap_or(value).to_string();
            }
            "test-template-invocation" | "class-template-invocation" | "dynamic-test" => {
                name = format!("{name} [{}]", value.trim_start_matches('#'));
            }
            _ => {}
        }
    }
    Some(TestCase { id: id.to_string(), class, name, ignored: None })
}

/// Why the framework skipped a test in an execution with this output, if it did.
pub fn skipped(output: &str) -> Option<&str> {
    output.lines().find_map(|line| line.strip_prefix(SKIPPED_LINE))
}

/// What tests are marked with: the annotations of a framework, and those that are marked with one in turn, as a project's
/// own `@FastTest` may be, or one of a library.
struct Marks<'a> {
    framework: Framework,
    class_path: &'a ClassPath,
    known: FxHashMap<String, bool>,
}

impl Marks<'_> {
    /// Whether a class mentions one of them.
    fn are_in(&mut self, file: &ClassFile) -> bool {
        types_mentioned(file).iter().any(|name| self.has(name))
    }

    /// Whether a class is one of them.
    fn has(&mut self, name: &str) -> bool {
        if self.framework.annotations().contains(&name) {
            return true;
        }
        if let Some(&known) = self.known.get(name) {
            return known;
        }
        // Annotations may be marked with each other.
        self.known.insert(name.to_string(), false);
        let found = self.class_path.class(name).ok().flatten();
        let file = found
            .filter(|(_, origin)| *origin == Origin::Program)
            .and_then(|(bytes, _)| ClassFile::parse(bytes).ok())
            .filter(|file| file.access & ANNOTATION != 0);
        let is_mark = file.is_some_and(|file| self.are_in(&file));
        self.known.insert(name.to_string(), is_mark);
        is_mark
    }
}

/// The types whose descriptors stand in a class file, its annotations among them.
fn types_mentioned(file: &ClassFile) -> Vec<&str> {
    let texts = (0..=u16::MAX).take(file.pool.count());
    texts
        .filter_map(|index| std::str::from_utf8(&file.bytes[file.pool.text_range(index)?]).ok())
        .filter_map(|text| text.strip_prefix('L')?.strip_suffix(';'))
        .collect()
}

/// Classes that may have tests of a framework: those with its marks, and those that inherit from such classes.
fn candidates(opened: &Opened, framework: Framework) -> Result<Vec<String>, Error> {
    let mut files = Vec::new();
    for name in opened.own_classes()? {
        let Some((bytes, _)) = opened.class_path().class(&name)? else { continue };
        if let Ok(file) = ClassFile::parse(bytes) {
            files.push(file);
        }
    }
    let class_path = opened.class_path();
    let mut marks = Marks { framework, class_path, known: FxHashMap::default() };
    let mut found: FxHashSet<&str> = files
        .iter()
        .filter(|file| {
            let inherits =
                file.super_name.as_deref().is_some_and(|name| framework.base() == Some(name));
            inherits || marks.are_in(file)
        })
        .map(|file| file.name.as_str())
        .collect();
    loop {
        let inherits = |file: &&ClassFile| {
            let from = file.super_name.as_deref().is_some_and(|name| found.contains(name));
            from && !found.contains(file.name.as_str())
        };
        let more: Vec<&str> =
            files.iter().filter(inherits).map(|file| file.name.as_str()).collect();
        if more.is_empty() {
            break;
        }
        found.extend(more);
    }
    let is_concrete = |file: &&ClassFile| file.access & ABSTRACT_OR_INTERFACE == 0;
    let concrete = files.iter().filter(is_concrete).map(|file| &file.name);
    Ok(concrete
        .filter(|name| found.contains(name.as_str()))
        .map(|name| name.replace('/', "."))
        .collect())
}

/// The tests that a driver tells, with their kinds, and what kept it from telling all.
type Told = (Vec<(String, TestCase)>, Option<String>);

/// Asks the driver of a framework.
struct Lister<'a> {
    framework: Framework,
    class_path: ClassPath,
    options: &'a Options,
}

impl Lister<'_> {
    fn list(&self, classes: &[String]) -> Result<Vec<TestCase>, Error> {
        let words = [&["list".to_string()], classes].concat();
        let mut all = Vec::new();
        let (listed, trouble) = self.ask(&words)?;
        if let Some(what) = trouble {
            return Err(Error::TestListing { framework: self.framework.name(), what });
        }
        for (kind, mut test) in listed {
            match kind.as_str() {
                "template" => {
                    let words = ["expand".to_string(), test.id.clone()];
                    let (made, trouble) = self.ask(&words)?;
                    // If it fails or hangs before all are known, or makes none, it is one test with all that it makes.
                    match trouble.is_none() && !made.is_empty() {
                        true => all.extend(made.into_iter().map(|(_, test)| test)),
                        false => all.push(test),
                    }
                }
                "repeated" => {
                    test.id += "/[test-template-invocation:#1]";
                    all.push(test);
                }
                _ => all.push(test),
            }
        }
        Ok(all)
    }

    /// What the driver tells.
    fn ask(&self, words: &[String]) -> Result<Told, Error> {
        let class_path = self.class_path.clone();
        let mut machine =
            Machine::new(class_path, self.framework.driver(), words, self.options.clone())?;
        let fault = machine.run_to_end().err().map(|fault| fault.to_string());
        let output = String::from_utf8_lossy(machine.output()).into_owned();
        let mut all = Vec::new();
        for line in output.lines().filter_map(|line| line.strip_prefix(TEST_LINE)) {
            let mut parts = line.split('\t');
            let mut part = || parts.next().unwrap_or_default().to_string();
            let (kind, class, name, id, why) = (part(), part(), part(), part(), part());
            let ignored = (kind == "ignored").then_some(why);
            all.push((kind, TestCase { id, class, name, ignored }));
        }
        let ended = output.lines().any(|line| line == END_LINE);
        let complaint = || String::from_utf8_lossy(machine.error_output()).into_owned();
        let trouble = (!ended).then(|| fault.unwrap_or_else(complaint));
        Ok((all, trouble))
    }
}
