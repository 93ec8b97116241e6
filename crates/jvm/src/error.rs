//! What can go wrong before and while a program runs, apart from the program's own exceptions.
//!
//! An [`Error`] is about what the user handed over: no JDK, a missing class, a damaged class file,
//! source that does not compile. Its message says what to do. A [`Fault`] stops a machine in the
//! middle of an execution because the machine itself cannot go on: a native method it does not
//! have, a limit. A fault is never a verdict about the program.

use std::path::PathBuf;

use thiserror::Error;

/// A damaged or unsupported class file, with the place of the damage.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ClassFileError {
    /// The file ends before what it announces.
    #[error("the class file is truncated: byte {offset} is missing; build the class again")]
    Truncated {
        /// Offset of the first missing byte.
        offset: usize,
    },
    /// The file does not start with the class file magic number.
    #[error("not a class file: it starts with {found:#010x} instead of 0xcafebabe")]
    Magic {
        /// The number found instead.
        found: u32,
    },
    /// The file was made for a Java release this machine does not know.
    #[error(
        "class file version {major}.{minor} is unknown (45 to {newest} are supported, without preview features); \
         compile with `javac --release {release}` or older"
    )]
    Version {
        /// Major version found.
        major: u16,
        /// Minor version found.
        minor: u16,
        /// Newest supported major version.
        newest: u16,
        /// The Java release of that version.
        release: u16,
    },
    /// A structure of the file contradicts the class file format.
    #[error("malformed class file at byte {offset}: {what}")]
    Malformed {
        /// Offset of the structure.
        offset: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The byte code of a method is not well formed.
    #[error("bad byte code in method {method}, offset {offset}: {what}")]
    Code {
        /// Name and descriptor of the method.
        method: String,
        /// Byte code offset.
        offset: usize,
        /// What is wrong there.
        what: String,
    },
}

/// An input that cannot be used; the message says what to do.
#[derive(Debug, Error)]
pub enum Error {
    /// No JDK was found.
    #[error(
        "no JDK was found ({tried}); install JDK 17 or newer and put `java` on the path or set JAVA_HOME to its folder"
    )]
    NoJdk {
        /// What was looked at.
        tried: String,
    },
    /// The runtime image of the JDK cannot be read.
    #[error("the JDK's runtime image {} cannot be used: {what}", path.display())]
    Image {
        /// The image file.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// Nothing can be written where compiled classes go.
    #[error(
        "cannot write to the temporary folder {}: {source}; make room there, or set TMPDIR to another",
        path.display()
    )]
    Temporary {
        /// The folder.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// Somebody has stopped the loading.
    #[error("the loading was stopped")]
    Interrupted,
    /// A test framework is not on the class path.
    #[error(
        "the tests are for {framework}, but `{class}` is not on the class path; add the jar of {artifact} and those \
         that it needs with --class-path{}",
        asked_for(missing)
    )]
    NoTestFramework {
        /// The framework.
        framework: &'static str,
        /// A class that is missing.
        class: String,
        /// Where it comes from.
        artifact: String,
        /// What build files ask for and is not on this machine.
        missing: String,
    },
    /// The tests cannot be listed.
    #[error("{framework} could not list the tests: {what}")]
    TestListing {
        /// The framework.
        framework: &'static str,
        /// What went wrong.
        what: String,
    },
    /// A jar is not a readable archive.
    #[error("cannot read the jar {}: {what}", path.display())]
    Jar {
        /// The jar.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// A kind of file that is neither source, class file, jar nor folder.
    #[error("{} is not a .java file, a .class file, a jar or a folder of classes", path.display())]
    UnknownTarget {
        /// The path.
        path: PathBuf,
    },
    /// `javac` is missing or cannot be started.
    #[error("cannot run {}: {what}; a JDK (not only a runtime) is needed to compile .java files", path.display())]
    NoCompiler {
        /// The compiler's path.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// `javac` found errors; its own output, unchanged.
    #[error("the program does not compile{}\n\n{output}", asked_for(missing))]
    Compile {
        /// What the compiler printed.
        output: String,
        /// Libraries that the build files ask for and that are not on this machine.
        missing: String,
    },
    /// A class is not on the class path.
    #[error("class {name} was not found in {searched}; check --main and the class path")]
    MissingClass {
        /// The class, with dots.
        name: String,
        /// Where it was looked for.
        searched: String,
    },
    /// A class file is damaged or too new.
    #[error("class {name}: {source}")]
    ClassFile {
        /// The class or file.
        name: String,
        /// What is wrong.
        source: ClassFileError,
    },
    /// The main class has no usable main method.
    #[error("{place} has no `public static void main(String[])`; name another class with --main")]
    NoMain {
        /// Where: a class, or where classes were looked for.
        place: String,
    },
    /// There is no main method but there are tests.
    #[error(
        "{place} has no `public static void main(String[])`, but it has tests, such as {class}; explore them with \
         `counterpoint test`"
    )]
    OnlyTests {
        /// Where classes were looked for.
        place: String,
        /// A class with tests.
        class: String,
    },
    /// There is nothing to run.
    #[error("there are no classes in {place}; compile the program with javac first")]
    NoClasses {
        /// Where they were looked for.
        place: String,
    },
    /// Several classes have a main method and none was chosen.
    #[error("several classes have a main method ({candidates}); choose one with --main")]
    AmbiguousMain {
        /// The candidates.
        candidates: String,
    },
    /// A method that was declared an input does not exist or cannot be one.
    #[error("`--input {name}`: {what}{}", hint(similar))]
    Input {
        /// What was declared.
        name: String,
        /// What is wrong with it.
        what: String,
        /// Methods that may have been meant.
        similar: Vec<String>,
    },
    /// The machine stopped while it prepared the program.
    #[error("while starting the machine: {0}")]
    Start(Fault),
}

fn hint(similar: &[String]) -> String {
    match similar {
        [] => String::new(),
        names => format!("; did you mean {}?", names.join(" or ")),
    }
}

/// What programs use that needs natives which there are not, by the beginning of the names of the JDK's classes.
const USES: &[(&str, &str)] = &[
    ("java.net.", "sockets"),
    ("sun.nio.ch.", "sockets and channels"),
    ("java.lang.ProcessImpl", "other processes"),
    ("java.lang.ProcessHandleImpl", "other processes"),
    ("sun.nio.fs.", "links, rights and times of files"),
    ("java.io.UnixFileSystem", "links, rights and times of files"),
    ("java.awt.", "windows and pictures"),
    ("sun.awt.", "windows and pictures"),
    ("sun.management.", "management beans"),
    ("java.util.prefs.", "preferences"),
    ("java.util.zip.Deflater", "compressing data in direct buffers"),
    ("java.util.zip.Inflater", "decompressing data in direct buffers"),
];

/// What is said of a native that there is not: what a program uses that comes to it, if that is known.
fn missing_native(method: &str) -> String {
    match USES.iter().find(|(class, _)| method.starts_with(class)) {
        Some((_, what)) => format!("{what} (native method {method} is not provided)"),
        None => format!("native method {method} is not provided"),
    }
}

/// Native libraries of the JDK, and what programs need them for.
const LIBRARIES: &[(&str, &str)] = &[
    ("management_ext", "the JDK's own management beans (com.sun.management)"),
    ("net", "sockets"),
    ("extnet", "sockets"),
    ("nio", "sockets and channels"),
    ("awt", "windows and pictures"),
    ("prefs", "preferences"),
];

/// What a program needs a native library for.
pub(crate) fn use_of_library(name: &str) -> String {
    match LIBRARIES.iter().find(|(library, _)| *library == name) {
        Some((_, what)) => format!("{what}; only byte code can be run"),
        None => format!("the native library {name}; only byte code can be run"),
    }
}

/// Why a machine stopped in the middle of an execution. One word, since everything that may fail returns it,
/// millions of times a second, and hardly anything does fail.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(transparent)]
pub struct Fault(Box<FaultKind>);

/// The kinds of faults.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FaultKind {
    /// A native method that the machine does not provide.
    #[error("{}", missing_native(method))]
    MissingNative {
        /// Class, name and descriptor.
        method: String,
    },
    /// A construct that the machine does not support.
    #[error("not supported: {what}")]
    Unsupported {
        /// The construct.
        what: String,
    },
    /// A class needed by the machine itself is missing or damaged.
    #[error("class {name}: {what}")]
    Class {
        /// The class.
        name: String,
        /// What is wrong.
        what: String,
    },
    /// Byte code that a verifier would have rejected.
    #[error("invalid byte code: {what}")]
    InvalidCode {
        /// What happened.
        what: String,
    },
    /// A bound of the machine was reached.
    #[error("{what}")]
    Limit {
        /// Which bound, and what to do.
        what: &'static str,
    },
    /// The machine contradicts itself.
    #[error("internal error: {what}")]
    Internal {
        /// How.
        what: String,
    },
}

impl FaultKind {
    /// A step that does not end.
    pub(crate) const ENDLESS_STEP: FaultKind = FaultKind::Limit {
        what: "a step does not end: it computes for ever without touching anything shared; look for \
               an endless loop or an endless recursion",
    };

    /// A step that was given up. Nobody is told: the run does not count.
    pub(crate) const INTERRUPTED: FaultKind = FaultKind::Limit { what: "the step was interrupted" };

    /// A program that leaves more garbage than there is room for.
    pub(crate) const TOO_MUCH_GARBAGE: FaultKind = FaultKind::Limit {
        what: "the program allocates more than its heap of 512 MB in one execution, part of it garbage, \
               which is not collected; let it allocate less",
    };

    /// A program that prints too much.
    pub(crate) const ENDLESS_OUTPUT: FaultKind = FaultKind::Limit {
        what: "the program prints more than 16 MB in one execution; look for an endless loop, or \
               let it print less",
    };
}

impl From<FaultKind> for Fault {
    #[cold]
    fn from(kind: FaultKind) -> Fault {
        Fault(Box::new(kind))
    }
}

impl Fault {
    /// Which kind of fault it is.
    pub(crate) fn kind(&self) -> &FaultKind {
        &self.0
    }

    /// A fault for an unsupported construct.
    pub(crate) fn unsupported(what: impl Into<String>) -> Fault {
        FaultKind::Unsupported { what: what.into() }.into()
    }

    /// A fault for code that a verifier would have rejected.
    pub(crate) fn invalid(what: impl Into<String>) -> Fault {
        FaultKind::InvalidCode { what: what.into() }.into()
    }

    /// A fault for a broken invariant.
    pub(crate) fn internal(what: impl Into<String>) -> Fault {
        FaultKind::Internal { what: what.into() }.into()
    }
}

/// Why an archive cannot be read. What the library says of a file that is none at all is about its insides.
pub(crate) fn bad_archive(cause: &zip::result::ZipError) -> String {
    match cause {
        zip::result::ZipError::InvalidArchive(_) => {
            "it is not an archive, or its end is missing".to_string()
        }
        cause => cause.to_string(),
    }
}

/// What people are told of libraries that are missing.
fn asked_for(missing: &str) -> String {
    match missing.is_empty() {
        true => String::new(),
        false => {
            format!(" (the build asks for libraries that are in no local repository: {missing})")
        }
    }
}
