//! Child processes: this binary again, with other words.
//!
//! A child has a group of its own, so that a signal of the terminal reaches the server alone, which then
//! stops its children gracefully; and it is the first to go when the system runs out of memory.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, Command};

/// The command in a folder, with nothing to read and all it prints at hand.
pub fn command(binary: &Path, folder: &Path) -> Command {
    let mut command = Command::new(binary);
    command
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .process_group(0);
    command
}

/// Lets the system end a child before anybody else when memory runs out.
pub fn make_expendable(child: &Child) {
    if let Some(id) = child.id() {
        // Where there is no such file there is no such choice.
        let _ = std::fs::write(format!("/proc/{id}/oom_score_adj"), "1000");
    }
}

/// Asks a process to stop as Ctrl-C does.
pub fn interrupt(id: u32) {
    if let Some(id) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        let _ = kill_process(id, Signal::INT);
    }
}

/// Ends a process and those that it has started.
pub fn kill(id: u32) {
    if let Some(id) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(id, Signal::KILL);
    }
}

/// What a child has printed.
pub struct Printed {
    /// Whether it ended well.
    pub success: bool,
    /// Its standard output.
    pub output: Vec<u8>,
    /// Its standard error.
    pub complaint: String,
}

/// Runs a child to its end, or for so long.
pub async fn run_to_end(
    command: &mut Command,
    time: Duration,
    most: u64,
) -> Result<Printed, String> {
    let mut child = command.spawn().map_err(|error| format!("cannot start a process: {error}"))?;
    make_expendable(&child);
    let id = child.id();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let work = async {
        let (output, complaint) = tokio::join!(read_up_to(stdout, most), read_up_to(stderr, most));
        (child.wait().await, output, complaint)
    };
    match tokio::time::timeout(time, work).await {
        Ok((status, output, complaint)) => Ok(Printed {
            success: status.is_ok_and(|status| status.success()),
            output,
            complaint: String::from_utf8_lossy(&complaint).into_owned(),
        }),
        Err(_) => {
            id.into_iter().for_each(kill);
            Err("this took too long".to_string())
        }
    }
}

/// Reads a stream to its end and keeps its beginning.
pub async fn read_up_to(stream: Option<impl AsyncRead + Unpin>, most: u64) -> Vec<u8> {
    let mut kept = Vec::new();
    let Some(mut stream) = stream else { return kept };
    let _ = (&mut stream).take(most).read_to_end(&mut kept).await;
    // The rest is read as well, or the child would wait for ever.
    let mut rest = [0u8; 8192];
    while stream.read(&mut rest).await.is_ok_and(|count| count > 0) {}
    kept
}

/// The next line of a stream; nothing at its end or when it is longer than that.
pub async fn next_line(stream: &mut (impl AsyncBufRead + Unpin), most: u64) -> Option<Vec<u8>> {
    let mut line = Vec::new();
    let count = stream.take(most).read_until(b'\n', &mut line).await.ok()?;
    (count > 0 && line.last() == Some(&b'\n')).then_some(line)
}
