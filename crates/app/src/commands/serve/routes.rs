//! Which request does what. Requests and answers are JSON; a refusal is an object with the key `error`.
//!
//! | request | asks for |
//! |---|---|
//! | `GET /api/start` | files, examples, languages, commands with their flags, explorers and reductions |
//! | `GET /api/source?owner=..&path=..` | the text of a program |
//! | `PUT /api/source` | `owner`, `path`, `text`: saves a file |
//! | `POST /api/outline` | a program: what `counterpoint outline` says |
//! | `POST /api/line` | `command`, `program`, `wishes`: the command line that does the same |
//! | `POST /api/runs` | the same: begins a run |
//! | `GET /api/runs`, `GET /api/runs/N` | all runs in short; one with its result file |
//! | `POST /api/runs/N/stop`, `POST /api/runs/N/continue`, `DELETE /api/runs/N` | what they say |
//! | `GET /api/runs/N/pictures/NAME` | a picture that the run has drawn |
//! | `POST /api/step` | `program`, `wishes`, `question`: what `counterpoint step` answers |
//! | `GET /api/events` | runs as they change, as a stream of events |
//!
//! A program is named by `owner` (`file`, `example` or `run`) and `path`, with its `text` if that was edited;
//! wishes are `flags` by name and the `words` after the program.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use futures_util::stream;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::files::{EXAMPLES, FileError, Files};
use super::runs::{self, OneRun};
use super::settings::{self, Wishes};
use super::workplace::{Owner, ProgramName, Workplace};
use super::{Server, assets, child, guard, stepping};
use crate::front_end::{self, FrontEnd, LoadRequest, Rest};

/// Changes are gathered for so long before they are sent.
const GATHER: Duration = Duration::from_millis(100);

/// How many pages listen at once.
static LISTENERS: Semaphore = Semaphore::const_new(16);

/// How many sources are looked through at once, and how long that may take.
static OUTLINES: Semaphore = Semaphore::const_new(2);
const TO_OUTLINE: Duration = Duration::from_secs(30);
const LARGEST_OUTLINE: u64 = 8 << 20;

type Shared = State<Arc<Server>>;
type Answer = Result<Json<Value>, Refusal>;

/// A request that is not fulfilled, and why.
pub struct Refusal(StatusCode, String);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

impl From<FileError> for Refusal {
    fn from(error: FileError) -> Refusal {
        Refusal(error.0, error.1)
    }
}

fn bad(text: impl Into<String>) -> Refusal {
    Refusal(StatusCode::BAD_REQUEST, text.into())
}

fn missing(text: &str) -> Refusal {
    Refusal(StatusCode::NOT_FOUND, text.to_string())
}

/// All requests.
pub fn router(server: Arc<Server>) -> Router {
    Router::new()
        .route("/", get(|| async { assets::page() }))
        .route("/assets/{*name}", get(asset))
        .route("/api/start", get(start))
        .route("/api/source", get(read_source).put(write_source))
        .route("/api/outline", post(outline))
        .route("/api/line", post(line))
        .route("/api/runs", get(list_runs).post(new_run))
        .route("/api/runs/{number}", get(show_run).delete(forget_run))
        .route("/api/runs/{number}/stop", post(stop_run))
        .route("/api/runs/{number}/continue", post(continue_run))
        .route("/api/runs/{number}/pictures/{name}", get(picture))
        .route("/api/step", post(step))
        .route("/api/events", get(events))
        .layer(middleware::from_fn_with_state(Arc::clone(&server), guard::watch))
        .with_state(server)
}

async fn asset(Path(name): Path<String>) -> Result<Response, Refusal> {
    assets::find(&name).ok_or_else(|| missing("there is no such file"))
}

/// What the page needs to begin with.
async fn start(State(server): Shared) -> Answer {
    let files = Arc::clone(&server);
    let list = tokio::task::spawn_blocking(move || files.files.list()).await.unwrap_or_default();
    let languages: Vec<Value> = server
        .front_ends
        .iter()
        .map(|front_end| {
            let commands = match front_end.reductions.is_empty() {
                true => vec!["check", "reach"],
                false => settings::COMMANDS.to_vec(),
            };
            json!({"name": front_end.name, "words": front_end.language, "commands": commands})
        })
        .collect();
    let explorers: Vec<Value> = counterpoint_explore::EXPLORERS
        .iter()
        .map(|explorer| json!({"name": explorer.name, "about": explorer.about}))
        .collect();
    let reductions: Vec<Value> = server
        .front_ends
        .iter()
        .flat_map(|front_end| front_end.reductions)
        .map(|level| json!({"name": level.name, "about": level.about}))
        .collect();
    Ok(Json(json!({
        "folder": server.files.root(),
        "files": list,
        "examples": EXAMPLES.iter().map(|(path, _)| path).collect::<Vec<_>>(),
        "languages": languages,
        "commands": settings::forms(),
        "explorers": explorers,
        "reductions": reductions,
    })))
}

#[derive(Deserialize)]
struct SourceName {
    owner: Owner,
    path: String,
}

async fn read_source(State(server): Shared, Query(name): Query<SourceName>) -> Answer {
    let source = match name.owner {
        Owner::File => server.files.read(&name.path)?,
        Owner::Example => super::files::SourceText {
            text: Files::example(&name.path)?.to_string(),
            read_only: true,
        },
        Owner::Run => {
            let run = find_run(&server, &name.path)?;
            let text = std::fs::read_to_string(run.place.folder.join(&run.place.target));
            let text = text.map_err(|_| missing("the program of this run is gone"))?;
            super::files::SourceText { text, read_only: true }
        }
    };
    Ok(Json(json!(source)))
}

async fn write_source(State(server): Shared, Json(name): Json<ProgramName>) -> Answer {
    if name.owner != Owner::File {
        return Err(Refusal(StatusCode::FORBIDDEN, "examples cannot be changed".to_string()));
    }
    let text = name.text.ok_or_else(|| bad("there is no text"))?;
    server.files.write(&name.path, &text)?;
    Ok(Json(json!({})))
}

fn find_run(server: &Server, number: &str) -> Result<Arc<OneRun>, Refusal> {
    let number = number.parse().ok();
    number.and_then(|number| server.runs.get(number)).ok_or_else(|| missing("there is no such run"))
}

/// A folder for a copy.
fn copies(server: &Server) -> Result<tempfile::TempDir, Refusal> {
    tempfile::Builder::new().prefix("copy-").tempdir_in(server.scratch.path()).map_err(|error| {
        Refusal(StatusCode::INSUFFICIENT_STORAGE, format!("cannot make a folder: {error}"))
    })
}

/// What a source declares and what is wrong with it.
async fn outline(State(server): Shared, Json(name): Json<ProgramName>) -> Answer {
    let _turn = OUTLINES.acquire().await.map_err(|_| bad("the server ends"))?;
    let folder = copies(&server)?;
    let place = place_of(&server, &name, folder.path().to_path_buf()).await?;
    let mut command = child::command(&server.binary, &place.folder);
    command.arg("outline").args(server.class_path_flag(&place.target));
    command.args(["--", &place.target]);
    let printed =
        child::run_to_end(&mut command, TO_OUTLINE, LARGEST_OUTLINE).await.map_err(bad)?;
    match serde_json::from_slice::<Value>(&printed.output) {
        Ok(outline) if printed.success => Ok(Json(outline)),
        _ => Err(Refusal(StatusCode::UNPROCESSABLE_ENTITY, printed.complaint)),
    }
}

/// Where a program stands; copies are made off the threads that answer.
async fn place_of(
    server: &Arc<Server>,
    name: &ProgramName,
    copies: PathBuf,
) -> Result<Workplace, Refusal> {
    if name.owner == Owner::Run {
        return Ok(find_run(server, &name.path)?.place.clone());
    }
    let (server, name) = (Arc::clone(server), name.clone());
    let work = move || Workplace::new(&server.files, &name, &copies);
    let place = tokio::task::spawn_blocking(work).await;
    Ok(place.map_err(|_| bad("the program cannot be copied"))??)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunWish {
    command: String,
    program: ProgramName,
    #[serde(default)]
    wishes: Wishes,
}

/// The command line for what the page shows, or why there is none yet: both are good answers.
async fn line(State(server): Shared, Json(wish): Json<RunWish>) -> Answer {
    let target = match wish.program.owner {
        Owner::Run => find_run(&server, &wish.program.path)?.place.target.clone(),
        Owner::File | Owner::Example => wish.program.path.clone(),
    };
    let own = server.class_path_flag(&target);
    Ok(Json(match settings::command_line(&wish.command, own, &target, &wish.wishes) {
        Ok(line) => json!({ "line": settings::typed(&line) }),
        Err(text) => json!({ "error": text }),
    }))
}

async fn list_runs(State(server): Shared) -> Answer {
    Ok(Json(json!(server.runs.changed_since(0))))
}

/// Further files of a model have to be below the folder, too.
fn check_words(front_ends: &[FrontEnd], place: &Workplace, wishes: &Wishes) -> Result<(), Refusal> {
    let request = LoadRequest {
        targets: vec![place.folder.join(&place.target).display().to_string()],
        ..LoadRequest::default()
    };
    let front_end =
        front_end::choose(front_ends, &request).map_err(|trouble| bad(trouble.message))?;
    if front_end.rest == Rest::Arguments || wishes.words.is_empty() {
        return Ok(());
    }
    let folder = place.folder.canonicalize().map_err(|_| bad("the folder is gone"))?;
    for word in &wishes.words {
        let found = folder.join(word).canonicalize();
        if !found.is_ok_and(|found| found.starts_with(&folder)) {
            let text = format!("`{word}` is no file below the folder");
            return Err(Refusal(StatusCode::FORBIDDEN, text));
        }
    }
    Ok(())
}

async fn new_run(State(server): Shared, Json(wish): Json<RunWish>) -> Answer {
    if !server.runs.has_room() {
        let text = format!("{} runs go on already: stop one first", runs::MOST_GOING);
        return Err(Refusal(StatusCode::TOO_MANY_REQUESTS, text));
    }
    let number = server.runs.new_number();
    let folder = server.scratch.path().join(format!("run-{number}"));
    let place = place_of(&server, &wish.program, folder.join("program")).await?;
    check_words(server.front_ends, &place, &wish.wishes)?;
    let own = server.class_path_flag(&place.target);
    let line = settings::command_line(&wish.command, own, &place.target, &wish.wishes);
    let line = line.map_err(bad)?;
    let run = Arc::new(OneRun::new(number, line, wish.wishes, wish.program, place, folder));
    runs::begin(&server, &run).map_err(bad)?;
    Ok(Json(run.summary()))
}

async fn show_run(State(server): Shared, Path(number): Path<String>) -> Answer {
    let run = find_run(&server, &number)?;
    let details = tokio::task::spawn_blocking(move || run.details()).await;
    details.map(Json).map_err(|_| bad("the run cannot be shown"))
}

async fn forget_run(State(server): Shared, Path(number): Path<u64>) -> Answer {
    server.runs.forget(number).map_err(bad)?;
    Ok(Json(json!({})))
}

async fn stop_run(State(server): Shared, Path(number): Path<String>) -> Answer {
    let run = find_run(&server, &number)?;
    server.runs.stop(&run);
    Ok(Json(run.summary()))
}

async fn continue_run(State(server): Shared, Path(number): Path<String>) -> Answer {
    let run = find_run(&server, &number)?;
    if !server.runs.has_room() {
        return Err(Refusal(StatusCode::TOO_MANY_REQUESTS, "stop another run first".to_string()));
    }
    runs::begin(&server, &run).map_err(bad)?;
    Ok(Json(run.summary()))
}

async fn picture(
    State(server): Shared,
    Path((number, name)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let run = find_run(&server, &number)?;
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if !name.chars().all(plain) || !name.ends_with(".svg") || name.starts_with('.') {
        return Err(missing("there is no such picture"));
    }
    let text = std::fs::read(run.report_folder().join(&name));
    let text = text.map_err(|_| missing("there is no such picture"))?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], text).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepWish {
    program: ProgramName,
    #[serde(default)]
    wishes: Wishes,
    question: Value,
}

/// What there is after some choices.
async fn step(State(server): Shared, Json(wish): Json<StepWish>) -> Answer {
    let folder = match (wish.program.owner, &wish.program.text) {
        (Owner::File, None) | (Owner::Run, _) => server.scratch.path().join("no-copy"),
        // The same text stands in the same place, so that its walk is found again.
        (_, text) => {
            server.scratch.path().join(format!("walk-{}", name_of(&wish.program.path, text)))
        }
    };
    let place = place_of(&server, &wish.program, folder).await?;
    check_words(server.front_ends, &place, &wish.wishes)?;
    let answer = stepping::ask(&server, &place, &wish.wishes, &wish.question).await;
    answer.map(Json).map_err(|text| Refusal(StatusCode::UNPROCESSABLE_ENTITY, text))
}

/// A name for a path and a text that no other has.
fn name_of(path: &str, text: &Option<String>) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    (path, text).hash(&mut hasher);
    let length = text.as_ref().map_or(0, String::len);
    format!("{:016x}-{length}", hasher.finish())
}

/// Runs as they change: first all, then what is new.
async fn events(State(server): Shared) -> Result<Response, Refusal> {
    let place = LISTENERS.try_acquire().map_err(|_| {
        Refusal(StatusCode::TOO_MANY_REQUESTS, "too many pages are open".to_string())
    })?;
    let changes = server.runs.watch();
    let state = (server, changes, 0u64, true, place);
    let events = stream::unfold(state, |(server, mut changes, sent, first, place)| async move {
        if !first {
            changes.changed().await.ok()?;
            tokio::time::sleep(GATHER).await;
        }
        let version = *changes.borrow_and_update();
        let runs = server.runs.changed_since(sent);
        let data = json!({ "runs": runs, "numbers": server.runs.numbers() });
        let event = sse::Event::default().event("runs").data(data.to_string());
        Some((Ok::<_, Infallible>(event), (server, changes, version, false, place)))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
}
