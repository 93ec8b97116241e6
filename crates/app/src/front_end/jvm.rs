//! Java programs.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use counterpoint_jvm::witness::{self, Expected, Launch};
use counterpoint_jvm::{Error, Itinerary, JavaProgram, Options, Target, junit};
use counterpoint_model::Finding;

use super::{FrontEnd, LoadError, LoadRequest, Loaded, RealMachine, Rest, TestCase, Testimony};
use crate::cli::byte_code::Timeouts;
use crate::interrupt;

/// The line of the table.
pub const JVM: FrontEnd = FrontEnd {
    name: "java",
    about: "Java programs as they are: byte code run with the installed JDK's own library, every \
            order in which threads can touch what they share.",
    targets: "a .java or .class file, a .jar, or a folder of classes",
    accepts,
    rest: Rest::Arguments,
    reductions: &[],
    implied_reduction: |_| None,
    load,
    tests: Some(tests),
};

fn accepts(path: &Path) -> bool {
    let known = |extension| ["java", "class", "jar"].iter().any(|known| *known == extension);
    path.extension().is_some_and(known) || path.is_dir()
}

fn load(request: &LoadRequest) -> Result<Loaded, LoadError> {
    let program = Rc::new(load_program(request)?);
    let real_machine = Box::new(InstalledMachine(Rc::clone(&program)));
    let classes = program.classes().map(Path::to_path_buf);
    let real_machine: Option<Box<dyn RealMachine>> = Some(real_machine);
    Ok(Loaded { real_machine, classes, ..Loaded::new(Box::new(program)) })
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
    JavaProgram::load_with(&target(request), options(request)).map_err(load_error)
}

fn tests(request: &LoadRequest) -> Result<Vec<TestCase>, LoadError> {
    let listed = junit::tests(&target(request), &options(request)).map_err(load_error)?;
    let test = |junit::TestCase { id, class, name, ignored }| TestCase { id, class, name, ignored };
    Ok(listed.into_iter().map(test).collect())
}

fn load_error(error: Error) -> LoadError {
    let message = match error {
        Error::Interrupted => LoadError::STOPPED.to_string(),
        error => error.to_string(),
    };
    LoadError { message, hint: None }
}

fn target(request: &LoadRequest) -> Target {
    Target {
        paths: request.targets.iter().map(PathBuf::from).collect(),
        class_path: request.byte_code.class_path.iter().flat_map(std::env::split_paths).collect(),
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
        ..JavaProgram::options()
    }
}
