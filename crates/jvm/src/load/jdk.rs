//! Finding the installed JDK: `JAVA_HOME`, else the `java` on the path with its links resolved.

use std::env;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

use counterpoint_model::Interrupt;

use crate::error::Error;

/// An installed JDK.
#[derive(Debug, Clone)]
pub struct Jdk {
    home: PathBuf,
    /// What may end its tools.
    interrupt: Interrupt,
}

/// How often to look whether a tool has ended.
const PACE: Duration = Duration::from_millis(5);

impl Jdk {
    /// Finds the JDK of this machine.
    ///
    /// A `JAVA_HOME` that names no JDK is an error and not skipped: the user meant it.
    pub fn find() -> Result<Jdk, Error> {
        if let Some(home) = env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
            return Jdk::at(Path::new(&home));
        }
        let path = env::var_os("PATH").unwrap_or_default();
        for folder in env::split_paths(&path) {
            let java = folder.join("java");
            let Ok(java) = java.canonicalize() else {
                continue;
            };
            if let Some(home) = java.parent().and_then(Path::parent)
                && let Ok(jdk) = Jdk::at(home)
            {
                return Ok(jdk);
            }
        }
        Err(Error::NoJdk {
            tried:
                "JAVA_HOME is not set and no `java` on the path has a lib/modules file beside it"
                    .to_string(),
        })
    }

    /// The JDK in a given folder.
    pub fn at(home: &Path) -> Result<Jdk, Error> {
        let jdk = Jdk { home: home.to_path_buf(), interrupt: Interrupt::never() };
        if jdk.image().is_file() {
            Ok(jdk)
        } else {
            Err(Error::NoJdk { tried: format!("{} does not exist", jdk.image().display()) })
        }
    }

    /// The same, whose tools are ended when they are interrupted.
    pub fn heeding(self, interrupt: &Interrupt) -> Jdk {
        Jdk { interrupt: interrupt.clone(), ..self }
    }

    /// Runs one of its tools to its end, and gives what it has printed; `None` if it was interrupted.
    pub fn run(&self, command: &mut Command) -> std::io::Result<Option<Output>> {
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let read = |stream: Option<Box<dyn Read + Send>>| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                // What cannot be read is left out of a message.
                let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
                bytes
            })
        };
        let stdout = read(child.stdout.take().map(|stream| Box::new(stream) as _));
        let stderr = read(child.stderr.take().map(|stream| Box::new(stream) as _));
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if self.interrupt.poll() {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            std::thread::sleep(PACE);
        };
        let bytes = |reader: JoinHandle<Vec<u8>>| reader.join().unwrap_or_default();
        Ok(Some(Output { status, stdout: bytes(stdout), stderr: bytes(stderr) }))
    }

    /// The folder of the JDK.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Its version, such as `17.0.2`, from the file that says what was released.
    pub fn version(&self) -> String {
        let text = std::fs::read_to_string(self.home.join("release")).unwrap_or_default();
        let version = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="));
        version.map_or("17", |version| version.trim_matches('"')).to_string()
    }

    /// The runtime image that holds its classes.
    pub fn image(&self) -> PathBuf {
        self.home.join("lib").join("modules")
    }

    /// A tool of the JDK, such as `javac`.
    pub fn tool(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }
}
