//! What happens while a command works, as lines of JSON for whoever watches: `--events FILE`.
//!
//! Reports tell how an exploration has ended. A program that shows it while it goes on, such as the local
//! page, needs to know earlier: how far it has come, each failure and each new final state as it is found,
//! where the rest was saved, and the end. Each is one line, an object with the key `event`; the guide lists
//! them. A line is written at once and as a whole.
//!
//! There is one stream for the process, as there is one standard output: what happens deep inside an
//! exploration need not be carried to it. If the stream is standard output, everything for people goes to
//! standard error. When nobody reads the stream any more, the command is asked to stop, as by Ctrl-C: so
//! what watches can die without leaving explorations behind, and what was explored is saved.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use counterpoint_explore::Statistics;
use counterpoint_model::{Finding, Program};
use serde::Serialize;
use serde_json::Value;

use crate::interrupt;
use crate::job::Tally;
use crate::output;
use crate::report::{title, verdict};
use crate::trouble::Trouble;
use crate::written::WrittenFinding;

/// Progress is told this often.
const PACE: Duration = Duration::from_millis(100);

/// So many new final states are told one by one; the result has them all.
const MOST_OUTCOMES: usize = 200;

static STREAM: OnceLock<Mutex<Stream>> = OnceLock::new();
static ON_STDOUT: AtomicBool = AtomicBool::new(false);
static SILENT: AtomicBool = AtomicBool::new(false);

struct Stream {
    to: Box<dyn Write + Send>,
    started: Instant,
    told: Option<Instant>,
    outcomes: usize,
    closed: bool,
}

/// Something that happened.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Event<'a> {
    /// How far the exploration has come.
    Progress {
        executions: u64,
        abandoned: u64,
        deadlocks: u64,
        longest: usize,
        findings: usize,
        seconds: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        left: Option<u64>,
    },
    /// A failure was found, and replayed.
    Finding { title: String, file: &'a str, line: u32, finding: WrittenFinding },
    /// A final state that was not seen before.
    Outcome { state: &'a str },
    /// A test case was found.
    Test { number: usize, condition: &'a str },
    /// What is left can be continued from this file.
    Saved { file: String },
    /// Nothing follows.
    End {
        code: u8,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
}

/// Opens the stream, if somebody wants it.
pub fn open(path: Option<&Path>) -> Result<(), Trouble> {
    let Some(path) = path else { return Ok(()) };
    let to: Box<dyn Write + Send> = match output::is_stdout(path) {
        true => {
            ON_STDOUT.store(true, Ordering::Relaxed);
            Box::new(io::stdout())
        }
        false => {
            let file = File::create(path).map_err(|error| Trouble::file("write", path, &error))?;
            Box::new(file)
        }
    };
    let stream = Stream { to, started: Instant::now(), told: None, outcomes: 0, closed: false };
    // A command opens it once.
    let _ = STREAM.set(Mutex::new(stream));
    Ok(())
}

/// From now on nothing is told: this process is a copy of the one whose stream it is.
pub fn silence() {
    SILENT.store(true, Ordering::Relaxed);
}

/// Whether standard output belongs to the stream.
pub fn has_stdout() -> bool {
    ON_STDOUT.load(Ordering::Relaxed)
}

/// Tells how far an exploration has come, unless it was told a moment ago.
pub fn progress(done: &Tally, part: &Statistics, fresh: usize) {
    with(|stream| {
        let now = Instant::now();
        if stream.told.is_some_and(|told| now - told < PACE) {
            return;
        }
        stream.told = Some(now);
        let all = &done.statistics;
        let left = done.unexplored.as_ref();
        stream.write(&Event::Progress {
            executions: all.executions + part.executions,
            abandoned: all.abandoned + part.abandoned,
            deadlocks: all.deadlocks + part.deadlocks,
            longest: all.longest.max(part.longest),
            findings: done.findings.len() + fresh,
            seconds: stream.started.elapsed().as_secs_f64(),
            left: left.and_then(|unit| verdict::estimate(all.executions, unit)),
        });
    });
}

/// Tells how far an exploration has come that ends now.
pub fn finished(tally: &Tally) {
    with(|stream| stream.told = None);
    progress(tally, &Statistics::default(), 0);
}

/// Tells a failure.
pub fn finding(program: &dyn Program, finding: &Finding) {
    with(|stream| {
        let first = finding.places.first();
        stream.write(&Event::Finding {
            title: title(finding),
            file: first.map_or("", |place| &place.file),
            line: first.map_or(0, |place| place.line),
            finding: WrittenFinding::new(program, finding, 0),
        });
    });
}

/// Tells a new final state, unless there were many.
pub fn outcome(state: &str) {
    with(|stream| {
        stream.outcomes += 1;
        if stream.outcomes <= MOST_OUTCOMES {
            stream.write(&Event::Outcome { state });
        }
    });
}

/// Tells a test case.
pub fn test(number: usize, condition: &str) {
    with(|stream| stream.write(&Event::Test { number, condition }));
}

/// Tells where the rest was saved.
pub fn saved(path: &Path) {
    with(|stream| stream.write(&Event::Saved { file: path.display().to_string() }));
}

/// Tells the end.
pub fn end(code: u8, error: Option<&Trouble>) {
    let error = error.map(|trouble| trouble.to_string());
    with(|stream| stream.write(&Event::End { code, error: error.clone() }));
}

fn with(tell: impl FnOnce(&mut Stream)) {
    if let Some(stream) = STREAM.get()
        && !SILENT.load(Ordering::Relaxed)
        && let Ok(mut stream) = stream.lock()
        && !stream.closed
    {
        tell(&mut stream);
    }
}

impl Stream {
    fn write(&mut self, event: &Event<'_>) {
        let event: Value = serde_json::to_value(event).expect("plain data serialises");
        let line = format!("{event}\n");
        if self.to.write_all(line.as_bytes()).and_then(|()| self.to.flush()).is_err() {
            self.closed = true;
            interrupt::stop();
        }
    }
}
