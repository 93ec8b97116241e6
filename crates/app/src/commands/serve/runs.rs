//! Which commands run, and what has become of them.
//!
//! A run is a child that explores: its events are read as they come and kept in short, so that a page that
//! is opened again finds everything, however many executions there were. Stopping is what Ctrl-C does, so
//! the rest is saved; continuing is `--resume`. Results and pictures are written by the child into a folder
//! of the run's own.
//!
//! Whoever watches is told that something has changed, and asks for what; nobody has to keep up.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;
use serde_json::{Value, json};
use tokio::io::BufReader;
use tokio::process::Child;
use tokio::sync::watch;

use super::Server;
use super::child;
use super::settings::{self, Wishes};
use super::workplace::{ProgramName, Workplace};
use crate::interrupt::free_memory;

/// How many runs go on at once, and how many are kept.
pub const MOST_GOING: usize = 4;
const MOST_KEPT: usize = 40;

/// Of each run so many findings and final states are kept while it goes on; its result has all.
const MOST_FINDINGS: usize = 100;
const MOST_OUTCOMES: usize = 200;

/// How long a line of events may be, how much of the screen is kept, and how large a result is shown.
const LONGEST_LINE: u64 = 16 << 20;
const MOST_SCREEN: u64 = 256 << 10;
const LARGEST_RESULT: u64 = 24 << 20;

/// Flags that a continued check is given again; all others it knows.
const GIVEN_AGAIN: &[&str] = &["time", "memory", "executions", "stop-at-first"];

/// All runs.
pub struct Runs {
    all: Mutex<BTreeMap<u64, Arc<OneRun>>>,
    numbers: AtomicU64,
    changes: watch::Sender<u64>,
}

impl Default for Runs {
    fn default() -> Runs {
        let changes = watch::Sender::new(0);
        Runs { all: Mutex::default(), numbers: AtomicU64::new(1), changes }
    }
}

/// A run.
pub struct OneRun {
    /// Its number.
    pub number: u64,
    /// What it does.
    pub command: String,
    /// What the page asked for.
    pub wishes: Wishes,
    /// The program.
    pub program: ProgramName,
    /// Where the program stands.
    pub place: Workplace,
    /// Where results go.
    pub folder: PathBuf,
    /// Whether the text of the program was edited and not saved.
    pub edited: bool,
    line: Vec<String>,
    state: Mutex<RunState>,
}

/// What has become of a run.
#[derive(Clone, Debug, Default)]
struct RunState {
    stage: Stage,
    process: Option<u32>,
    version: u64,
    begun: u64,
    progress: Value,
    findings: Vec<Value>,
    outcomes: Vec<String>,
    tests: u64,
    saved: Option<String>,
    code: Option<i32>,
    error: Option<String>,
    screen: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
enum Stage {
    #[default]
    Running,
    Stopping,
    Ended,
}

impl Runs {
    fn all(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<OneRun>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run by its number.
    pub fn get(&self, number: u64) -> Option<Arc<OneRun>> {
        self.all().get(&number).cloned()
    }

    /// A receiver that is told of changes.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// The runs that have changed after a version, in short.
    pub fn changed_since(&self, version: u64) -> Vec<Value> {
        let all: Vec<Arc<OneRun>> = self.all().values().cloned().collect();
        all.iter().filter(|run| run.state().version > version).map(|run| run.summary()).collect()
    }

    /// The numbers of all runs.
    pub fn numbers(&self) -> Vec<u64> {
        self.all().keys().copied().collect()
    }

    fn going(&self) -> usize {
        self.all().values().filter(|run| run.state().stage != Stage::Ended).count()
    }

    /// Whether some run has not ended.
    pub fn some_going(&self) -> bool {
        self.going() > 0
    }

    /// Asks all to stop.
    pub fn stop_all(&self) {
        let all: Vec<Arc<OneRun>> = self.all().values().cloned().collect();
        for run in all {
            self.stop(&run);
        }
    }

    /// A number for a new run.
    pub fn new_number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether one more may begin.
    pub fn has_room(&self) -> bool {
        self.going() < MOST_GOING
    }

    /// Asks a run to stop; what is left is saved.
    pub fn stop(&self, run: &OneRun) {
        let process = {
            let mut state = run.state();
            if state.stage == Stage::Running {
                state.stage = Stage::Stopping;
            }
            state.process
        };
        process.into_iter().for_each(child::interrupt);
        self.touch(run);
    }

    /// Forgets a run that has ended.
    pub fn forget(&self, number: u64) -> Result<(), &'static str> {
        let mut all = self.all();
        match all.get(&number).map(|run| run.state().stage) {
            None => Err("there is no such run"),
            Some(Stage::Ended) => {
                if let Some(run) = all.remove(&number) {
                    let _ = std::fs::remove_dir_all(&run.folder);
                }
                drop(all);
                self.changes.send_modify(|version| *version += 1);
                Ok(())
            }
            Some(_) => Err("the run has not ended"),
        }
    }

    /// Notes that a run has changed.
    fn touch(&self, run: &OneRun) {
        self.changes.send_modify(|version| {
            *version += 1;
            run.state().version = *version;
        });
    }

    fn add(&self, run: Arc<OneRun>) {
        let mut all = self.all();
        let ended = |(_, run): &(&u64, &Arc<OneRun>)| run.state().stage == Stage::Ended;
        while all.len() >= MOST_KEPT {
            let Some(oldest) = all.iter().find(ended).map(|(number, _)| *number) else { break };
            if let Some(old) = all.remove(&oldest) {
                let _ = std::fs::remove_dir_all(&old.folder);
            }
        }
        all.insert(run.number, run);
    }
}

impl OneRun {
    /// A run that has not begun.
    pub fn new(
        number: u64,
        line: Vec<String>,
        wishes: Wishes,
        program: ProgramName,
        place: Workplace,
        folder: PathBuf,
    ) -> OneRun {
        let command = line.first().cloned().unwrap_or_default();
        let edited = program.text.is_some();
        let program = ProgramName { text: None, ..program };
        let state = Mutex::default();
        OneRun { number, command, wishes, program, place, folder, edited, line, state }
    }

    fn state(&self) -> MutexGuard<'_, RunState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn result_file(&self) -> PathBuf {
        self.folder.join("result.json")
    }

    /// The folder of pictures.
    pub fn report_folder(&self) -> PathBuf {
        self.folder.join("report")
    }

    /// What the page shows in its list.
    pub fn summary(&self) -> Value {
        let state = self.state();
        let brief = |finding: &Value| json!({"title": finding["title"], "file": finding["file"], "line": finding["line"]});
        json!({
            "number": self.number,
            "command": self.command,
            "line": settings::typed(&self.line),
            "program": self.program,
            "edited": self.edited,
            "stage": state.stage,
            "version": state.version,
            "begun": state.begun,
            "progress": state.progress,
            "findings": state.findings.iter().map(brief).collect::<Vec<_>>(),
            "outcomes": state.outcomes.len(),
            "tests": state.tests,
            "continuable": state.stage == Stage::Ended && state.saved.is_some(),
            "code": state.code,
            "error": state.error,
        })
    }

    /// All there is to show.
    pub fn details(&self) -> Value {
        let mut all = self.summary();
        let (findings, outcomes, screen) = {
            let state = self.state();
            (state.findings.clone(), state.outcomes.clone(), state.screen.clone())
        };
        all["findings"] = findings.into();
        all["seen"] = outcomes.into();
        all["screen"] = screen.into();
        all["wishes"] = json!(self.wishes);
        let small = std::fs::metadata(self.result_file())
            .is_ok_and(|found| found.is_file() && found.len() <= LARGEST_RESULT);
        if small && let Ok(text) = std::fs::read(self.result_file()) {
            all["result"] = serde_json::from_slice(&text).unwrap_or_default();
        }
        let entries = std::fs::read_dir(self.report_folder()).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut pictures: Vec<String> = names.filter(|name| name.ends_with(".svg")).collect();
        pictures.sort_by_key(|name| (name.len(), name.clone()));
        all["pictures"] = pictures.into();
        all
    }

    /// The words for the child.
    fn words(&self, resume: Option<&str>) -> Result<Vec<String>, String> {
        let mut own = vec!["--events=-".to_string()];
        if self.command != "reach" {
            own.push(format!("--json={}", self.result_file().display()));
            own.push(format!("--report={}", self.report_folder().display()));
        }
        if !self.wishes.flags.contains_key("memory") && self.command != "generate" {
            let share = free_memory().unwrap_or(1 << 32) / (MOST_GOING as u64 + 1);
            own.push(format!("--memory={}M", (share >> 20).max(64)));
        }
        let mut words = vec![self.command.clone()];
        words.append(&mut own);
        match resume {
            None => words.extend(self.line.iter().skip(1).cloned()),
            Some(saved) => {
                words.push(format!("--resume={saved}"));
                let mut again = self.wishes.clone();
                if self.command == "check" {
                    again.flags.retain(|name, _| GIVEN_AGAIN.contains(&name.as_str()));
                }
                words.extend(settings::flags(&self.command, &again, true)?);
            }
        }
        Ok(words)
    }
}

/// Begins a run, or continues one that was stopped.
pub fn begin(server: &Arc<Server>, run: &Arc<OneRun>) -> Result<(), String> {
    let saved = {
        let state = run.state();
        match (state.begun, state.stage, &state.saved) {
            (0, _, _) => None,
            (_, Stage::Ended, Some(saved)) => Some(saved.clone()),
            _ => return Err("this run cannot be continued".to_string()),
        }
    };
    let words = run.words(saved.as_deref())?;
    std::fs::create_dir_all(&run.folder).map_err(|error| error.to_string())?;
    let mut command = child::command(&server.binary, &run.place.folder);
    let child = command.args(words).spawn();
    let child = child.map_err(|error| format!("cannot start the command: {error}"))?;
    child::make_expendable(&child);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
    {
        let mut state = run.state();
        let outcomes = std::mem::take(&mut state.outcomes);
        let findings = std::mem::take(&mut state.findings);
        *state = RunState { begun: now, process: child.id(), ..RunState::default() };
        if saved.is_some() {
            (state.outcomes, state.findings) = (outcomes, findings);
        }
    }
    server.runs.add(Arc::clone(run));
    server.runs.touch(run);
    let (server, run) = (Arc::clone(server), Arc::clone(run));
    tokio::spawn(async move { supervise(&server, &run, child).await });
    Ok(())
}

/// Reads what a child tells until it ends.
async fn supervise(server: &Server, run: &OneRun, mut child: Child) {
    let complaint = tokio::spawn(child::read_up_to(child.stderr.take(), MOST_SCREEN));
    if let Some(stdout) = child.stdout.take() {
        let mut lines = BufReader::new(stdout);
        while let Some(line) = child::next_line(&mut lines, LONGEST_LINE).await {
            if let Ok(event) = serde_json::from_slice(&line) {
                note(&mut run.state(), event);
                server.runs.touch(run);
            }
        }
    }
    let status = child.wait().await;
    let screen = complaint.await.unwrap_or_default();
    {
        let mut state = run.state();
        state.screen = String::from_utf8_lossy(&screen).into_owned();
        state.process = None;
        state.stage = Stage::Ended;
        let code = status.ok().and_then(|status| status.code());
        if state.code.is_none() || code.is_some_and(|code| code > 3) {
            state.code = code;
            let last = state.screen.lines().last().unwrap_or_default().to_string();
            let text = match last.is_empty() {
                true => "the command was ended from outside; perhaps memory ran out".to_string(),
                false => last,
            };
            state.error.get_or_insert(text);
        }
    }
    server.runs.touch(run);
}

/// Keeps what an event tells.
fn note(state: &mut RunState, event: Value) {
    match event["event"].as_str() {
        Some("progress") => state.progress = event,
        Some("finding") if state.findings.len() < MOST_FINDINGS => {
            let known = state.findings.iter().any(|found| found["finding"] == event["finding"]);
            if !known {
                state.findings.push(event);
            }
        }
        Some("outcome") if state.outcomes.len() < MOST_OUTCOMES => {
            state.outcomes.extend(event["state"].as_str().map(str::to_string));
        }
        Some("test") => state.tests += 1,
        Some("saved") => state.saved = event["file"].as_str().map(str::to_string),
        Some("end") => {
            state.code = event["code"].as_i64().and_then(|code| i32::try_from(code).ok());
            state.error = event["error"].as_str().map(str::to_string);
        }
        _ => {}
    }
}
