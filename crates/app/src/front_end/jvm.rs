//! Java programs.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use counterpoint_jvm::witness::{self, Expected, Launch};
use counterpoint_jvm::{Error, Itinerary, JavaProgram, Options, Target, junit, outline};
use counterpoint_model::Finding;

use super::outline::{Language, Outline, OutlineItem, SourceMessage};
use super::{
    FrontEnd, LoadError, LoadRequest, Loaded, RealMachine, Rest, TestCase, TestFramework, TestList,
    Testimony,
};
use crate::cli::byte_code::Timeouts;
use crate::interrupt;
use crate::look::count;

/// The line of the table.
pub const JVM: FrontEnd = FrontEnd {
    name: "java",
    programs: "Java programs",
    about: "Java programs as they are: byte code run with the installed JDK's own library, every \
            order in which threads can touch what they share.",
    targets: "a .java or .class file, a .jar, or a folder of classes",
    accepts,
    rest: Rest::Arguments,
    reductions: &[],
    implied_reduction: |_| None,
    load,
    tests: Some(TestFramework { list: tests, by_id, skipped: junit::skipped }),
    language: LANGUAGE,
    has_class_path: true,
    analyses_waiting: false,
    outline: Some(outline),
};

/// The words of Java.
const LANGUAGE: Language = Language {
    extensions: &["java"],
    keywords: &[
        "abstract",
        "assert",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "default",
        "do",
        "else",
        "enum",
        "extends",
        "final",
        "finally",
        "for",
        "goto",
        "if",
        "implements",
        "import",
        "instanceof",
        "interface",
        "native",
        "new",
        "package",
        "permits",
        "private",
        "protected",
        "public",
        "record",
        "return",
        "sealed",
        "static",
        "strictfp",
        "super",
        "switch",
        "synchronized",
        "this",
        "throw",
        "throws",
        "transient",
        "try",
        "var",
        "volatile",
        "while",
        "yield",
    ],
    literals: &["null", "true", "false"],
    types: &["boolean", "byte", "char", "double", "float", "int", "long", "short", "void"],
    quotes: &["\"", "'"],
};

/// What sources declare and what the compiler says. Class files and archives have nothing to say.
fn outline(request: &LoadRequest) -> Result<Outline, LoadError> {
    let paths: Vec<PathBuf> = request.targets.iter().map(PathBuf::from).collect();
    let is_source = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "java");
    let sources: Vec<PathBuf> = paths.into_iter().filter(is_source).collect();
    if sources.is_empty() {
        return Ok(Outline::default());
    }
    let class_path: Vec<PathBuf> =
        request.byte_code.class_path.iter().flat_map(std::env::split_paths).collect();
    let (messages, classes) = outline::outline(&sources, &class_path).map_err(load_error)?;
    let messages = messages.into_iter().map(|found| SourceMessage {
        severity: if found.is_error { "error" } else { "warning" },
        file: found.file,
        line: found.line,
        column: found.column,
        end_line: found.line,
        end_column: found.column,
        text: found.text,
    });
    let item = |kind, name: &str, file: &str, line| OutlineItem {
        kind,
        name: name.to_string(),
        file: file.to_string(),
        line,
        method: None,
        items: Vec::new(),
    };
    let items = classes.iter().map(|class| {
        let kind = if class.is_interface { "interface" } else { "class" };
        let methods = class.methods.iter();
        let items = methods.map(|(name, line)| item("method", name, &class.file, *line)).collect();
        OutlineItem { items, ..item(kind, &class.name, &class.file, class.line) }
    });
    Ok(Outline { messages: messages.collect(), items: items.collect() })
}

fn accepts(path: &Path) -> bool {
    let known = |extension| ["java", "class", "jar"].iter().any(|known| *known == extension);
    path.extension().is_some_and(known) || path.is_dir()
}

fn load(request: &LoadRequest) -> Result<Loaded, LoadError> {
    let program = Rc::new(load_program(request)?);
    let real_machine = Box::new(InstalledMachine(Rc::clone(&program)));
    let notes = match request.test {
        // Those who listed the tests have said it.
        Some(_) => String::new(),
        None => notes(program.missing_libraries(), program.outdated_sources()),
    };
    let classes = program.classes().map(Path::to_path_buf);
    let real_machine = Some(real_machine as Box<dyn RealMachine>);
    Ok(Loaded { real_machine, notes, classes, ..Loaded::new(Box::new(program)) })
}

/// The installed virtual machine, for one program.
struct InstalledMachine(Rc<JavaProgram>);

impl InstalledMachine {
    fn prepare(
        &self,
        finding: &Finding,
        last_apart: bool,
    ) -> Result<(Launch, Itinerary, Expected), String> {
        let schedule = &finding.schedule;
        let itinerary = self
            .0
            .itinerary(&schedule.inputs, &schedule.choices, last_apart)
            .map_err(|error| error.to_string())?;
        let expected = Expected::of(finding, &itinerary);
        Ok((self.0.launch(), itinerary, expected))
    }
}

impl RealMachine for InstalledMachine {
    fn testify(&self, finding: &Finding) -> Result<Testimony, String> {
        let (launch, itinerary, expected) = self.prepare(finding, false)?;
        let testimony =
            witness::testify(&launch, &itinerary, &expected).map_err(|error| error.to_string())?;
        Ok(told(testimony, finding))
    }

    fn debug(
        &self,
        finding: &Finding,
        port: u16,
        ready: &dyn Fn(&str, u16),
        print: &dyn Fn(&str),
    ) -> Result<Option<Testimony>, String> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
            .map_err(|error| format!("port {port}: {error}"))?;
        let text = |error: std::io::Error| error.to_string();
        let port = listener.local_addr().map_err(text)?.port();
        let (launch, itinerary, expected) = self.prepare(finding, true)?;
        match witness::halt(&launch, &itinerary, &expected).map_err(text)? {
            Ok(halted) => {
                ready(&halted.machine, port);
                halted.serve(&listener, print).map_err(text)?;
                Ok(None)
            }
            Err(testimony) => Ok(Some(told(testimony, finding))),
        }
    }
}

fn told(testimony: witness::Testimony, finding: &Finding) -> Testimony {
    match testimony {
        witness::Testimony::Confirmed { machine, words } => Testimony { machine, seen: Ok(words) },
        witness::Testimony::Left { machine, steps, how, .. } => {
            let all = finding.schedule.choices.len();
            let how = format!("the real run left the schedule after step {steps} of {all}: {how}");
            Testimony { machine, seen: Err(how) }
        }
    }
}

fn load_program(request: &LoadRequest) -> Result<JavaProgram, LoadError> {
    let program = JavaProgram::load_with(&target(request), options(request)).map_err(load_error)?;
    let beginning = program.beginning();
    interrupt::began(beginning.took, beginning.is_known);
    Ok(program)
}

fn by_id(id: &str) -> Option<TestCase> {
    junit::by_id(id).map(test_case)
}

fn test_case(test: junit::TestCase) -> TestCase {
    let junit::TestCase { id, class, name, ignored } = test;
    TestCase { id, class, name, ignored }
}

fn tests(request: &LoadRequest) -> Result<TestList, LoadError> {
    let junit::TestList { tests, missing, outdated, compiled } =
        junit::tests(&target(request), &options(request)).map_err(load_error)?;
    let tests = tests.into_iter().map(test_case).collect();
    Ok(TestList { tests, notes: notes(&missing, &outdated), compiled })
}

/// What the user should know of libraries that are not on this machine, and of classes that are not those of the sources.
fn notes(missing: &[String], outdated: &[PathBuf]) -> String {
    let mut notes = String::new();
    if !missing.is_empty() {
        notes += &format!(
            "warning: the build files ask for libraries that are in no local repository: {}\n\
             Their classes will be missing, unless you add the jars with `--class-path`.\n",
            missing.join(", ")
        );
    }
    if let [first, others @ ..] = outdated {
        let here = std::env::current_dir().and_then(|folder| folder.canonicalize());
        let first = here.ok().and_then(|here| first.strip_prefix(here).ok()).unwrap_or(first);
        let (more, have) = match others.len() {
            0 => (String::new(), "has"),
            more => (format!(" and {}", count(more as u64, "other source")), "have"),
        };
        notes += &format!(
            "warning: {}{more} {have} changed since the last build\n\
             The result is about the classes as they were built: build the project again.\n",
            first.display()
        );
    }
    notes
}

fn load_error(error: Error) -> LoadError {
    let message = match error {
        Error::Interrupted => LoadError::STOPPED.to_string(),
        error => error.to_string(),
    };
    LoadError { message, hint: None }
}

/// The entries of a class path as the `java` command reads it: nothing is the present folder, and a star stands for the jars
/// of a folder.
fn class_path_entries(text: &String) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::env::split_paths(text) {
        if entry.as_os_str().is_empty() {
            all.push(PathBuf::from("."));
        } else if entry.file_name().is_some_and(|name| name == "*") {
            let folder = entry.parent().unwrap_or(Path::new("."));
            let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let is_jar = |path: &PathBuf| {
                path.extension().is_some_and(|end| end.eq_ignore_ascii_case("jar"))
            };
            let mut jars: Vec<PathBuf> = files.map(|file| file.path()).filter(is_jar).collect();
            jars.sort();
            all.extend(jars);
        } else {
            all.push(entry);
        }
    }
    all
}

fn target(request: &LoadRequest) -> Target {
    Target {
        paths: request.targets.iter().map(PathBuf::from).collect(),
        class_path: request.byte_code.class_path.iter().flat_map(class_path_entries).collect(),
        main: request.main.clone(),
        arguments: request.arguments.clone(),
        inputs: request.inputs.clone(),
        test: request.test.clone(),
        classes: request.byte_code.classes.clone(),
    }
}

fn options(request: &LoadRequest) -> Options {
    Options {
        real_locks: request.byte_code.real_locks,
        no_shortcuts: request.byte_code.no_shortcuts,
        spurious: request.byte_code.spurious,
        patience: request.byte_code.timeouts.unwrap_or(Timeouts::DEFAULT).patience(),
        interrupt: interrupt::loading(),
        to_begin: interrupt::to_begin(),
        ..JavaProgram::options()
    }
}
