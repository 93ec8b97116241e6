//! Which programs are walked through by hand.
//!
//! A walk is a child `counterpoint step` that has loaded a program and answers questions about its states.
//! Loading takes a while and answers do not, so a few of them are kept; the one that was used least recently
//! goes when there are too many, and one that does not answer in time goes at once. A walk is found again by
//! all that decides what its program is: the path, the text or the time of the last change, and the flags.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;
use tokio::io::{AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout};

use super::settings::{self, Wishes};
use super::workplace::Workplace;
use super::{Server, child};

/// How many walks are kept, and for how long when nobody asks.
const MOST_WALKS: usize = 4;
const IDLE: Duration = Duration::from_secs(900);

/// How long an answer may take, and how long it may be.
const TO_ANSWER: Duration = Duration::from_secs(45);
const LONGEST_ANSWER: u64 = 64 << 20;
const MOST_COMPLAINT: u64 = 32 << 10;

/// The walks.
#[derive(Default)]
pub struct Walks {
    kept: Mutex<Vec<KeptWalk>>,
}

/// A walk that is kept.
struct KeptWalk {
    key: WalkKey,
    walk: SharedWalk,
    used: Instant,
}

/// A walk that answers one question at a time.
type SharedWalk = Arc<tokio::sync::Mutex<Walk>>;

/// What decides what a walk's program is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WalkKey {
    /// The file.
    pub file: PathBuf,
    /// What the file was like when the walk began.
    pub version: Option<(SystemTime, u64)>,
    /// The words of the child.
    words: Vec<String>,
}

/// A child that answers questions.
pub struct Walk {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Walk {
    fn begin(server: &Server, place: &Workplace, words: &[String]) -> Result<Walk, String> {
        let mut command = child::command(&server.binary, &place.folder);
        let started = command.args(words).stdin(Stdio::piped()).spawn();
        let mut child = started.map_err(|error| format!("cannot start the command: {error}"))?;
        child::make_expendable(&child);
        match (child.stdin.take(), child.stdout.take()) {
            (Some(questions), Some(answers)) => {
                Ok(Walk { child, questions, answers: BufReader::new(answers) })
            }
            _ => Err("the command cannot be talked to".to_string()),
        }
    }

    async fn ask(&mut self, question: &Value) -> Option<Value> {
        let line = format!("{question}\n");
        self.questions.write_all(line.as_bytes()).await.ok()?;
        self.questions.flush().await.ok()?;
        let answer = child::next_line(&mut self.answers, LONGEST_ANSWER).await?;
        serde_json::from_slice(&answer).ok()
    }

    /// Why it does not answer.
    async fn complaint(&mut self) -> String {
        let stream = self.child.stderr.take();
        let text =
            tokio::time::timeout(Duration::from_secs(2), child::read_up_to(stream, MOST_COMPLAINT));
        let text = String::from_utf8_lossy(&text.await.unwrap_or_default()).into_owned();
        match text.trim() {
            "" => "the program cannot be walked through; perhaps memory ran out".to_string(),
            text => text.strip_prefix("error: ").unwrap_or(text).to_string(),
        }
    }
}

impl Drop for Walk {
    fn drop(&mut self) {
        self.child.id().into_iter().for_each(child::kill);
    }
}

impl Walks {
    fn kept(&self) -> MutexGuard<'_, Vec<KeptWalk>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(
        &self,
        server: &Server,
        place: &Workplace,
        key: &WalkKey,
    ) -> Result<SharedWalk, String> {
        let mut kept = self.kept();
        let now = Instant::now();
        kept.retain(|known| now - known.used < IDLE);
        if let Some(known) = kept.iter_mut().find(|known| known.key == *key) {
            known.used = now;
            return Ok(Arc::clone(&known.walk));
        }
        while kept.len() >= MOST_WALKS {
            let oldest = kept.iter().enumerate().min_by_key(|(_, known)| known.used);
            let Some((index, _)) = oldest else { break };
            kept.remove(index);
        }
        let walk = Arc::new(tokio::sync::Mutex::new(Walk::begin(server, place, &key.words)?));
        kept.push(KeptWalk { key: key.clone(), walk: Arc::clone(&walk), used: now });
        Ok(walk)
    }

    fn forget(&self, key: &WalkKey) {
        self.kept().retain(|known| known.key != *key);
    }
}

/// Asks about a state of a program.
pub async fn ask(
    server: &Server,
    place: &Workplace,
    wishes: &Wishes,
    question: &Value,
) -> Result<Value, String> {
    let mut words = match wishes.command.as_deref() {
        None => vec!["step".to_string()],
        Some("generate") => vec!["generate".to_string(), "--walk".to_string()],
        Some(other) => return Err(format!("`{other}` has no states to walk through")),
    };
    words.extend(server.class_path_flag(&place.target));
    words.extend(settings::flags(&words[0], wishes, false)?);
    words.extend(["--".to_string(), place.target.clone()]);
    words.extend(wishes.words.iter().cloned());
    let file = place.folder.join(&place.target);
    let version = std::fs::metadata(&file).ok().and_then(|found| {
        let changed = found.modified().ok()?;
        Some((changed, found.len()))
    });
    let key = WalkKey { file, version, words };
    let walk = server.walks.find(server, place, &key)?;
    let mut walk = walk.lock().await;
    match tokio::time::timeout(TO_ANSWER, walk.ask(question)).await {
        Ok(Some(answer)) => Ok(answer),
        Ok(None) => {
            server.walks.forget(&key);
            Err(walk.complaint().await)
        }
        Err(_) => {
            server.walks.forget(&key);
            Err("the answer took too long".to_string())
        }
    }
}
