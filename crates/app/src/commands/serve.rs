//! `counterpoint serve`: the local page.
//!
//! **Problem.** Somebody wants to edit a program, run it, see what was found and walk through schedules by
//! hand, in a browser, on programs that may be as wild as they like, and without opening a door to others.
//!
//! **Idea.** The server explores nothing. It hands out the page, reads and writes sources below one folder,
//! and starts the ordinary command line as child processes: `check`, `generate`, `deadlocks` and `reach` with
//! `--events` and `--json` for runs, `step` for walking by hand, `outline` for what is wrong with a source.
//! So the page can do what the command line can, with the same names and limits, and nothing that a program
//! does can take the server down.
//!
//! | file | question it answers |
//! |---|---|
//! | `listener.rs` | who may connect, how many, and for how long? |
//! | `guard.rs` | whose requests are answered? |
//! | `routes.rs` | which request does what? |
//! | `files.rs` | which files are there, and which path leads to which? |
//! | `workplace.rs` | where does a program stand whose text was not saved? |
//! | `settings.rs` | which flags are there, and which command line do they make? |
//! | `runs.rs` | which commands run, and what has become of them? |
//! | `stepping.rs` | which programs are walked through by hand? |
//! | `assets.rs` | what is the page made of? |
//!
//! **Invariant.** Nothing is answered without the secret of the address. No path leads out of the folder.
//! Every request, connection, child and answer has a limit.

mod assets;
mod child;
mod files;
mod guard;
mod listener;
mod routes;
mod runs;
mod settings;
mod stepping;
mod workplace;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tempfile::TempDir;

use self::files::Files;
use self::guard::Guard;
use self::runs::Runs;
use self::stepping::Walks;
use crate::cli::local::ServeArguments;
use crate::front_end::FrontEnd;
use crate::trouble::Trouble;
use crate::{interrupt, output};

/// Runs are asked to stop when the server ends, and have so long to save what is left.
const TO_SAVE: Duration = Duration::from_secs(2);

/// What all requests share.
pub struct Server {
    /// The front ends.
    pub front_ends: &'static [FrontEnd],
    /// Who may ask.
    pub guard: Guard,
    /// The sources.
    pub files: Files,
    /// The commands that run or have run.
    pub runs: Runs,
    /// The programs that are walked through.
    pub walks: Walks,
    /// Where classes are that programs use besides their own. Only who starts the server can say so.
    pub class_path: Option<OsString>,
    /// This binary, which children run.
    pub binary: PathBuf,
    /// A folder for copies and results; it goes with the server.
    pub scratch: TempDir,
}

impl Server {
    /// The flag that names the class path, for a program that can have one.
    pub fn class_path_flag(&self, target: &str) -> Option<String> {
        let path = self.class_path.as_ref()?;
        let front_end = self.front_ends.iter().find(|one| (one.accepts)(Path::new(target)))?;
        front_end.has_class_path.then(|| format!("--class-path={}", path.display()))
    }
}

/// The same paths, from wherever they are looked at.
fn absolute(paths: &str) -> Result<OsString, Trouble> {
    let found = std::env::split_paths(paths)
        .map(|path| path.canonicalize().map_err(|error| Trouble::file("read", &path, &error)));
    let found: Vec<PathBuf> = found.collect::<Result<_, _>>()?;
    std::env::join_paths(found).map_err(|error| Trouble::new(error.to_string()))
}

/// Serves the page until somebody interrupts.
pub fn run(front_ends: &'static [FrontEnd], arguments: &ServeArguments) -> Result<u8, Trouble> {
    let failed =
        |what: &str, error: std::io::Error| Trouble::new(format!("cannot {what}: {error}"));
    let address = SocketAddr::new(arguments.address, arguments.port);
    if arguments.address.is_unspecified() {
        return Err(Trouble::new(format!("`--address {}` names no address", arguments.address))
            .hint("Name the one address under which others are to reach the page."));
    }
    let files = Files::new(front_ends, arguments.path.as_deref())?;
    let binary = std::env::current_exe().map_err(|error| failed("find this program", error))?;
    let scratch = tempfile::Builder::new()
        .prefix("counterpoint-serve-")
        .tempdir()
        .map_err(|error| failed("make a temporary folder", error))?;
    let listener = std::net::TcpListener::bind(address)
        .map_err(|error| failed(&format!("listen on {address}"), error))?;
    let address = listener.local_addr().map_err(|error| failed("listen", error))?;
    let guard = Guard::new(address).map_err(|error| failed("make a secret", error))?;
    let line = format!("{}\n", guard.address());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| failed("start", error))?;
    let server = Arc::new(Server {
        front_ends,
        guard,
        files,
        runs: Runs::default(),
        walks: Walks::default(),
        class_path: arguments.class_path.as_deref().map(absolute).transpose()?,
        binary,
        scratch,
    });
    let interrupted = interrupt::flag();
    let served = runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let _ = output::print(&line);
        let serving = listener::serve(listener, Arc::clone(&server));
        let waiting = async {
            while !interrupted.load(Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::select! {
            () = serving => {}
            () = waiting => {}
        }
        server.runs.stop_all();
        let saved = async {
            while server.runs.some_going() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        let _ = tokio::time::timeout(TO_SAVE, saved).await;
        Ok(())
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    served.map(|()| 0).map_err(|error| failed("serve", error))
}
