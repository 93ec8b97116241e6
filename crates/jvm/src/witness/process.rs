//! A virtual machine that runs a program for debugging, and what it prints.
//!
//! It listens on the loopback address only, on a port of its own choosing, and begins held. It interprets
//! (`-Xint`), so that an instruction is an instruction.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use super::Launch;
use crate::load::{INPUT_CLASS, INPUT_SOURCE, LaunchEntry, compile};

/// How long the virtual machine may take to begin.
const BEGINNING: Duration = Duration::from_secs(20);

/// What the virtual machine says by itself once its debugger has gone.
const LISTENING: &str = "Listening for transport dt_socket";

/// How long the program may go on printing once its debugger has gone.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A running virtual machine; it ends with this.
pub struct Process {
    child: Child,
    /// Where it listens.
    pub port: u16,
    output: Receiver<String>,
    errors: Receiver<String>,
    /// Copies of class files, which it reads when it needs them.
    _folders: Vec<tempfile::TempDir>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    /// Starts a program; with `reads_inputs`, the class of inputs is there even if the program has none.
    pub fn start(launch: &Launch, reads_inputs: bool) -> io::Result<Process> {
        let mut folders = Vec::new();
        let mut paths = Vec::new();
        for entry in &launch.class_path {
            match entry {
                LaunchEntry::Path(path) => paths.push(path.clone()),
                LaunchEntry::Files(files) => {
                    let folder = tempfile::tempdir()?;
                    for (name, file) in files {
                        let copy = folder.path().join(format!("{name}.class"));
                        std::fs::create_dir_all(copy.parent().unwrap_or(folder.path()))?;
                        std::fs::copy(file, copy)?;
                    }
                    paths.push(folder.path().to_path_buf());
                    folders.push(folder);
                }
            }
        }
        if reads_inputs {
            // Compiled sources have a class whose methods have no code, which must not be found first.
            let classes = input_class(launch)?;
            paths.insert(0, classes.path().to_path_buf());
            folders.push(classes);
        }
        let class_path = std::env::join_paths(paths).map_err(io::Error::other)?;
        let mut command = Command::new(launch.jdk.tool("java"));
        command.args(["-ea", "-Xint", "-XX:-UsePerfData"]);
        command.arg("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0");
        command.arg("-cp").arg(class_path).arg(&launch.main).args(&launch.arguments);
        command.env_remove("JAVA_TOOL_OPTIONS").env_remove("_JAVA_OPTIONS");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let output = lines(child.stdout.take());
        let errors = lines(child.stderr.take());
        let first = output.recv_timeout(BEGINNING).unwrap_or_default();
        let port = first.rsplit(':').next().and_then(|port| port.trim().parse().ok());
        let Some(port) = port else {
            let _ = child.kill();
            let _ = child.wait();
            let more = gather(&errors, Duration::from_millis(100));
            return Err(io::Error::other(format!(
                "the virtual machine does not start: {first}{more}"
            )));
        };
        Ok(Process { child, port, output, errors, _folders: folders })
    }

    /// What it has printed to its error stream, once nothing more comes.
    pub fn complaints(&self) -> String {
        gather(&self.errors, Duration::from_millis(300))
    }

    /// How it has ended, if it has.
    pub fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }

    /// Passes on what it prints until the debugger has gone or the virtual machine has ended.
    pub fn pass_on(
        mut self,
        debugger_left: impl Fn() -> bool,
        mut print: impl FnMut(&str),
    ) -> io::Result<()> {
        loop {
            let over = debugger_left() || self.child.try_wait()?.is_some();
            let quiet = if over { LAST_WORDS } else { Duration::from_millis(20) };
            for text in [gather(&self.output, quiet), gather(&self.errors, quiet)] {
                for line in text.lines().filter(|line| !line.starts_with(LISTENING)) {
                    print(&format!("{line}\n"));
                }
            }
            if over {
                return Ok(());
            }
        }
    }

    /// The virtual machine's own list of threads.
    pub fn thread_dump(&self) -> io::Result<String> {
        gather(&self.output, Duration::from_millis(1));
        let done = Command::new("kill").args(["-QUIT", &self.child.id().to_string()]).status()?;
        if !done.success() {
            return Err(io::Error::other("the virtual machine cannot be asked for its threads"));
        }
        Ok(gather(&self.output, Duration::from_millis(500)))
    }
}

fn input_class(launch: &Launch) -> io::Result<tempfile::TempDir> {
    let sources = tempfile::tempdir()?;
    let path = sources.path().join(INPUT_CLASS).with_extension("java");
    std::fs::create_dir_all(path.parent().unwrap_or(sources.path()))?;
    std::fs::write(&path, INPUT_SOURCE)?;
    compile(&launch.jdk, &[path], &[]).map_err(io::Error::other)
}

fn lines(source: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    if let Some(source) = source {
        std::thread::spawn(move || {
            let mut source = BufReader::new(source);
            let mut line = Vec::new();
            while source.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                let text = String::from_utf8_lossy(&line).trim_end_matches('\n').to_string();
                if sender.send(text).is_err() {
                    break;
                }
                line.clear();
            }
        });
    }
    receiver
}

/// The lines that come until none has come for this long.
fn gather(lines: &Receiver<String>, quiet: Duration) -> String {
    let mut text = String::new();
    while let Ok(line) = lines.recv_timeout(quiet) {
        text += &line;
        text.push('\n');
    }
    text
}
