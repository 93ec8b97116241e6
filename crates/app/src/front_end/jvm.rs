//! Java programs.

use std::path::{Path, PathBuf};

use counterpoint_jvm::{Error, JavaProgram, Options, Target};

use super::{FrontEnd, LoadError, LoadRequest, Loaded, Rest};
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
    load,
};

fn accepts(path: &Path) -> bool {
    let known = |extension| ["java", "class", "jar"].iter().any(|known| *known == extension);
    path.extension().is_some_and(known) || path.is_dir()
}

fn load(request: &LoadRequest) -> Result<Loaded, LoadError> {
    let target = Target {
        paths: request.targets.iter().map(PathBuf::from).collect(),
        class_path: request.byte_code.class_path.iter().flat_map(std::env::split_paths).collect(),
        main: request.main.clone(),
        arguments: request.arguments.clone(),
        inputs: request.inputs.clone(),
    };
    let options = Options {
        real_locks: request.byte_code.real_locks,
        no_shortcuts: request.byte_code.no_shortcuts,
        spurious: request.byte_code.spurious,
        interrupt: interrupt::loading(),
        ..JavaProgram::options()
    };
    match JavaProgram::load_with(&target, options) {
        Ok(program) => Ok(Loaded::new(Box::new(program))),
        Err(Error::Interrupted) => {
            Err(LoadError { message: LoadError::STOPPED.to_string(), hint: None })
        }
        Err(error) => Err(LoadError { message: error.to_string(), hint: None }),
    }
}
