//! Running the command line over the test kit's programs.

pub mod browser;
pub mod serving;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// A folder with targets in it.
pub struct Workshop {
    folder: TempDir,
}

/// What a command did.
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Workshop {
    /// Each target's name and text. With `program` among the names, excerpts of the source are
    /// shown.
    pub fn new(targets: &[(&str, &str)]) -> Workshop {
        let folder = TempDir::new().expect("a temporary folder");
        for (name, text) in targets {
            std::fs::write(folder.path().join(name), text).expect("writable");
        }
        Workshop { folder }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The command, not yet started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.args(arguments).current_dir(self.path()).stdin(Stdio::null());
        command.env_remove("NO_COLOR").env("LC_ALL", "C.UTF-8");
        command
    }

    /// Runs the command.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        let output = self.command(arguments).output().expect("the command line runs");
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
        }
    }

    /// The only file in `.counterpoint` with this in its name.
    pub fn kept(&self, part: &str) -> String {
        let folder = std::fs::read_dir(self.path().join(".counterpoint")).expect("was made");
        let mut names: Vec<String> = folder
            .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
            .filter(|name| name.contains(part))
            .collect();
        assert_eq!(names.len(), 1, "{names:?}");
        format!(".counterpoint/{}", names.remove(0))
    }

    /// The result file.
    pub fn json(&self, name: &str) -> serde_json::Value {
        let text = std::fs::read_to_string(self.path().join(name)).expect("was written");
        serde_json::from_str(&text).expect("JSON")
    }
}

impl Ran {
    /// Everything a user sees, for golden files.
    pub fn screen(&self, arguments: &[&str]) -> String {
        let mut text = format!("$ counterpoint {}\n{}", arguments.join(" "), self.stdout);
        if !self.stderr.is_empty() {
            text += &format!("[stderr]\n{}", self.stderr);
        }
        let code = self.code.map_or("none".to_string(), |code| code.to_string());
        text + &format!("[exit code {code}]\n")
    }
}

/// A sequence of numbers that look random.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// The workers of a process, where the system tells: those of its children that lead a group of their own, as no compiler
/// does.
pub fn workers(process: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let children: Vec<String> = lists
        .flat_map(|list| list.split_whitespace().map(str::to_string).collect::<Vec<_>>())
        .collect();
    let leads = |child: &String| {
        let text = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        // The name of the program, in parentheses, then the state, the parent and the group.
        let fields = text.rsplit(')').next().unwrap_or_default();
        fields.split_whitespace().nth(2) == Some(child)
    };
    children.iter().filter(|child| leads(child)).filter_map(|child| child.parse().ok()).collect()
}

/// Kills a process, if it is still there.
pub fn kill(process: u32) -> bool {
    send(process, Signal::KILL)
}

/// Sends a signal to a process, if it is still there.
pub fn send(process: u32, signal: Signal) -> bool {
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    process.is_some_and(|process| kill_process(process, signal).is_ok())
}

/// The example that puts the command line over the test kit; cargo builds it with the tests.
fn program() -> PathBuf {
    let test = std::env::current_exe().expect("has a path");
    let folder = test.parent().and_then(Path::parent).expect("deps lies in the build folder");
    folder.join("examples").join("testkit")
}

/// A result without what depends on the clock.
pub fn without_times(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let timeless = fields.into_iter().filter(|(name, _)| name != "seconds");
            Value::Object(timeless.map(|(name, field)| (name, without_times(field))).collect())
        }
        Value::Array(parts) => parts.into_iter().map(without_times).collect(),
        other => other,
    }
}
