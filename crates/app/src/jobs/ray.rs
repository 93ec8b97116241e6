//! Workers on a Ray cluster.
//!
//! A driver in Python (`scripts/ray/driver.py`, which is part of this program) starts them and passes on what they
//! say. It runs in an environment of its own, which `scripts/ray/setup` makes: in the folder that `COUNTERPOINT_RAY_HOME`
//! names, or `~/.cache/counterpoint/ray`. A driver that ends is started again; its workers are lost, and what they
//! worked on is done by others. One that finds no cluster says so, and then the coordinator does the work.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::pool::{Crew, Member, News};
use super::protocol::{Answer, Order, Task};
use crate::front_end::LoadRequest;
use crate::output;

/// The driver's text.
const DRIVER: &str = include_str!("../../../../scripts/ray/driver.py");

/// Where its environment is.
const HOME: &str = "COUNTERPOINT_RAY_HOME";

/// How often a driver that ends is started again.
const MOST_DRIVERS: u32 = 5;

/// What stands for the folder in which a node has the program.
const ROOT: &str = "{ROOT}";

/// Workers on a cluster.
pub struct Cluster {
    start: Value,
    driver: Option<(Child, ChildStdin)>,
    drivers: u32,
    /// The members of the present driver have numbers from here on.
    first: Member,
    members: BTreeSet<Member>,
    sender: Sender<(u32, Heard)>,
    heard: Receiver<(u32, Heard)>,
    /// Set when the first worker is ready, or the driver has ended: somebody has to see to it.
    ready: Arc<AtomicBool>,
    /// Whether a driver has found no cluster.
    failed: bool,
    /// Whether somebody was told that a worker cannot load the program.
    complained: bool,
    /// News that were not asked for yet.
    waiting: Vec<(Member, News)>,
}

/// What is heard of the driver.
enum Heard {
    Said(Said),
    /// There is no cluster.
    Failed,
    /// It has ended.
    Ended,
}

/// What the driver says when there is no cluster.
#[derive(Deserialize)]
struct Failed {
    failed: String,
}

/// What the driver says of a worker.
#[derive(Deserialize)]
struct Said {
    member: Member,
    #[serde(default)]
    joined: bool,
    #[serde(default)]
    lost: bool,
    answer: Option<Answer>,
}

impl Cluster {
    /// Connects to a cluster: so many workers, or one for each of its cores.
    pub fn start(address: &str, jobs: Option<usize>, mut task: Task) -> Result<Cluster, String> {
        let files = files(&task.program);
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let environment: serde_json::Map<String, Value> = std::env::vars()
            .filter(|(name, _)| name.starts_with("COUNTERPOINT_TEST_"))
            .map(|(name, value)| (name, Value::from(value)))
            .collect();
        move_below_root(&mut task.program);
        let start = json!({ "start": {
            "address": address,
            "jobs": jobs,
            "program": program,
            "files": files,
            "environment": environment,
            // Given to each worker by the driver: nobody listens here as long as the exploration goes on alone.
            "load": Order::Load(Box::new(task)),
        }});
        let (sender, heard) = channel();
        let mut cluster = Cluster {
            start,
            driver: None,
            drivers: 0,
            first: 0,
            members: BTreeSet::new(),
            sender,
            heard,
            ready: Arc::new(AtomicBool::new(false)),
            failed: false,
            complained: false,
            waiting: Vec::new(),
        };
        cluster.start_driver()?;
        Ok(cluster)
    }

    fn start_driver(&mut self) -> Result<(), String> {
        let python = python()?;
        let mut command = Command::new(&python);
        command.arg("-c").arg(DRIVER).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null()).env("RAY_DEDUP_LOGS", "0");
        // Ctrl-C is for the coordinator.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child =
            command.spawn().map_err(|error| format!("`{}`: {error}", python.display()))?;
        let mut orders = child.stdin.take().expect("it is piped");
        let answers = child.stdout.take().expect("it is piped");
        self.drivers += 1;
        let number = self.drivers;
        let sender = self.sender.clone();
        let ready = Arc::clone(&self.ready);
        let read = move || {
            for line in BufReader::new(answers).lines() {
                // Libraries may print what they like.
                let Ok(line) = line else { break };
                if let Ok(Failed { failed }) = serde_json::from_str(&line) {
                    output::complain(&format!("warning: no workers on a cluster: {failed}\n"));
                    let _ = sender.send((number, Heard::Failed));
                }
                let Ok(said) = serde_json::from_str::<Said>(&line) else { continue };
                if matches!(said.answer, Some(Answer::Ready)) {
                    ready.store(true, Ordering::Relaxed);
                }
                if sender.send((number, Heard::Said(said))).is_err() {
                    return;
                }
            }
            let _ = sender.send((number, Heard::Ended));
            ready.store(true, Ordering::Relaxed);
        };
        let thread = std::thread::Builder::new().name("driver".into()).spawn(read);
        thread.map_err(|error| error.to_string())?;
        // If this fails, the driver has ended, which its reader will find out.
        let _ = writeln!(orders, "{}", self.start);
        self.driver = Some((child, orders));
        Ok(())
    }

    /// Nobody waits for the driver: a result is to be told, and may have little time.
    fn end_driver(&mut self) {
        let Some((mut child, orders)) = self.driver.take() else { return };
        drop(orders);
        // It ends by itself; if it does not, it is ended.
        let end = move || {
            for _ in 0..20 {
                if matches!(child.try_wait(), Ok(Some(_))) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            let _ = child.kill();
            let _ = child.wait();
        };
        // Without this thread it is left to end by itself.
        let _ = std::thread::Builder::new().name("end of driver".into()).spawn(end);
    }

    fn send(&mut self, member: Member, order: &Order) -> io::Result<()> {
        let Some((_, orders)) = &mut self.driver else { return Ok(()) };
        // Of a driver that has ended nobody is there, which may not have been told yet.
        let Some(member) = member.checked_sub(self.first) else { return Ok(()) };
        // The driver passes on the text of an order, which can be long, as it is.
        let order = serde_json::to_string(order).expect("plain data serialises");
        let line = json!({ "member": member, "order": order });
        writeln!(orders, "{line}")?;
        orders.flush()
    }

    fn take_in(&mut self, said: Said) -> Option<(Member, News)> {
        let member = self.first + said.member;
        if said.joined {
            self.members.insert(member);
            return Some((member, News::Joined));
        }
        if said.lost {
            self.members.remove(&member);
            return Some((member, News::Lost));
        }
        let answer = said.answer?;
        if let (Answer::Failed(why), false) = (&answer, self.complained) {
            self.complained = true;
            output::complain(&format!("warning: a worker cannot load the program: {why}\n"));
        }
        Some((member, News::Said(Box::new(answer))))
    }

    /// The driver is gone, and with it all workers.
    fn start_again(&mut self) {
        self.end_driver();
        let lost = std::mem::take(&mut self.members);
        self.first = lost.last().map_or(self.first, |last| self.first.max(last + 1));
        self.waiting.extend(lost.into_iter().map(|member| (member, News::Lost)));
        if self.failed {
            return;
        }
        let why = match self.drivers < MOST_DRIVERS {
            true => self.start_driver().err(),
            false => Some(format!("its driver has ended {MOST_DRIVERS} times")),
        };
        if let Some(why) = why {
            output::complain(&format!("warning: no workers on a cluster: {why}\n"));
        }
    }
}

impl Crew for Cluster {
    fn order(&mut self, member: Member, order: &Order) {
        // If this fails, the driver has ended, which its reader will find out.
        let _ = self.send(member, order);
    }

    fn news(&mut self, patience: Duration) -> Option<(Member, News)> {
        if let Some(news) = self.waiting.pop() {
            return Some(news);
        }
        match self.heard.recv_timeout(patience) {
            Ok((driver, _)) if driver != self.drivers => None,
            Ok((_, Heard::Said(said))) => self.take_in(said),
            Ok((_, Heard::Failed)) => {
                self.failed = true;
                None
            }
            Ok((_, Heard::Ended)) => {
                self.start_again();
                self.waiting.pop()
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    fn is_gone(&self) -> bool {
        self.driver.is_none() && self.waiting.is_empty()
    }

    fn ready(&self) -> Option<Arc<AtomicBool>> {
        Some(Arc::clone(&self.ready))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.end_driver();
    }
}

/// The Python of the driver's environment.
pub fn python() -> Result<PathBuf, String> {
    let home = std::env::var_os(HOME).map(PathBuf::from);
    let usual = || {
        let home = std::env::var_os("HOME").map(PathBuf::from)?;
        Some(home.join(".cache/counterpoint/ray"))
    };
    let home = home.or_else(usual).ok_or("there is no home folder")?;
    let python = home.join("bin/python");
    match python.exists() {
        true => Ok(python),
        false => Err(format!("there is no Ray in `{}`", home.display())),
    }
}

/// The files and folders that a worker needs. Of Java sources, others beside them are needed to name places.
fn files(request: &LoadRequest) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = request.targets.iter().map(PathBuf::from).collect();
    let class_path = request.byte_code.class_path.iter().flat_map(std::env::split_paths);
    files.extend(class_path);
    files.extend(request.byte_code.classes.clone());
    files.retain(|path| path.exists());
    files
}

/// Names that begin at the root of this machine begin below the node's folder there.
fn move_below_root(request: &mut LoadRequest) {
    let moved = |path: &str| match Path::new(path).is_absolute() {
        true => format!("{ROOT}{path}"),
        false => path.to_string(),
    };
    for target in &mut request.targets {
        *target = moved(target);
    }
    if let Some(paths) = &mut request.byte_code.class_path {
        let parts: Vec<String> = paths.split(':').map(moved).collect();
        *paths = parts.join(":");
    }
    if let Some(classes) = &mut request.byte_code.classes {
        *classes = PathBuf::from(moved(&classes.to_string_lossy()));
    }
}
