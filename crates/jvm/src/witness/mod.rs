//! The real virtual machine as a witness: a schedule that fails here is followed there.
//!
//! **Problem.** What our machine shows is only as true as the machine. Users run another one, and can be
//! shown their bug on it: the same classes, nothing changed, with threads that move in the order of the
//! schedule.
//!
//! **Idea.** The virtual machine is started for debugging, on the loopback address only, and led from
//! outside ([`protocol`]). Every thread is held at the instruction at which it stands between two steps
//! ([`Itinerary`]). To take a step, a breakpoint for that thread alone is set at the instruction where it stands
//! next, counted down if it passes there before, and the thread is let go until it comes there, waits, or
//! ends. New threads are held when they begin. After the last step everybody is let go, and what happens
//! is compared with the finding: the exception that leaves the thread, the exit code, or threads that wait
//! for ever, with the virtual machine's own list of threads.
//!
//! **Invariant.** The witness never says more than it saw: if the real run leaves the schedule it says at which
//! step and how, and nothing is confirmed.
//!
//! **Cost.** A start of the virtual machine, and about a millisecond for each step. It interprets (`-Xint`), so
//! that an instruction is an instruction.

pub(crate) mod route;

mod protocol;

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::net::{Ipv4Addr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use counterpoint_model::{FindingKind, Input};
use rustc_hash::FxHashMap;

use crate::load::LaunchEntry;
use crate::run::{Instruction, Itinerary, Stand};
use protocol::{Activity, Connection, Happening};

/// How a virtual machine is started with a program.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The launcher.
    pub java: PathBuf,
    /// The class path.
    pub class_path: Vec<LaunchEntry>,
    /// The main class.
    pub main: String,
    /// Arguments of the program.
    pub arguments: Vec<String>,
}

/// What is expected to happen at the end of a schedule.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'a> {
    /// What kind of failure.
    pub kind: FindingKind,
    /// The class of the exception, or what the finding says.
    pub name: &'a str,
    /// The values of inputs, for programs that read them from `counterpoint.Input`.
    pub inputs: &'a [Input],
}

/// What the witness has seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Testimony {
    /// The same failure.
    Confirmed {
        /// What the virtual machine calls itself.
        machine: String,
        /// Its own words: a stack trace, or a list of threads.
        words: String,
    },
    /// Something else.
    Left {
        /// What the virtual machine calls itself.
        machine: String,
        /// After how many steps.
        step: usize,
        /// What was different.
        how: String,
    },
}

/// How long a thread may take for a step.
const STEP: Duration = Duration::from_secs(10);
/// How often a thread is looked at that does not arrive.
const PACE: Duration = Duration::from_millis(20);
/// A thread that is seen waiting so often in a row does wait.
const STEADY: u32 = 5;
/// How long to look at what comes of the schedule.
const END: Duration = Duration::from_secs(5);

/// Follows a schedule on the real virtual machine.
pub fn testify(
    launch: &Launch,
    itinerary: &Itinerary,
    expected: &Expected<'_>,
) -> io::Result<Testimony> {
    let mut process = Process::start(launch, expected.inputs)?;
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, process.port))?;
    let connection = Connection::open(stream)?;
    let mut witness = Witness {
        connection,
        threads: Vec::new(),
        itinerary,
        stops: FxHashMap::default(),
        methods: FxHashMap::default(),
        starts: VecDeque::new(),
        thrown: Vec::new(),
        ended: Vec::new(),
        over: false,
    };
    let machine = witness.connection.version()?;
    let seen = witness.follow().and_then(|()| witness.finish(&mut process, expected));
    witness.connection.close();
    match seen {
        Ok(words) => Ok(Testimony::Confirmed { machine, words }),
        Err(Departure::Left { step, how }) => Ok(Testimony::Left { machine, step, how }),
        Err(Departure::Broken(error)) => Err(error),
    }
}

/// Why a schedule was not followed to its end.
enum Departure {
    Left { step: usize, how: String },
    Broken(io::Error),
}

impl From<io::Error> for Departure {
    fn from(error: io::Error) -> Departure {
        Departure::Broken(error)
    }
}

/// A running virtual machine and what it prints.
struct Process {
    child: Child,
    port: u16,
    output: Receiver<String>,
    errors: Receiver<String>,
    _classes: Option<tempfile::TempDir>,
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Process {
    fn start(launch: &Launch, inputs: &[Input]) -> io::Result<Process> {
        let mut classes = None;
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
                    classes = Some(folder);
                }
            }
        }
        let class_path = std::env::join_paths(paths).map_err(io::Error::other)?;
        let values: Vec<&str> = inputs.iter().map(|input| &*input.value).collect();
        let mut command = Command::new(&launch.java);
        command.args(["-ea", "-Xint", "-XX:-UsePerfData"]);
        command.arg("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0");
        if !values.is_empty() {
            command.arg(format!("-Dcounterpoint.inputs={}", values.join(",")));
        }
        command.arg("-cp").arg(class_path).arg(&launch.main).args(&launch.arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let output = lines(child.stdout.take());
        let errors = lines(child.stderr.take());
        let first = output.recv_timeout(STEP).unwrap_or_default();
        let port = first.rsplit(':').next().and_then(|port| port.trim().parse().ok());
        let Some(port) = port else {
            let _ = child.kill();
            let more: Vec<String> = errors.iter().collect();
            return Err(io::Error::other(format!(
                "the virtual machine does not start: {first}{}",
                more.join("\n")
            )));
        };
        Ok(Process { child, port, output, errors, _classes: classes })
    }

    /// What it has printed to its error stream, once nothing more comes.
    fn complaints(&self) -> String {
        gather(&self.errors, Duration::from_millis(500))
    }

    /// The virtual machine's own list of threads.
    fn thread_dump(&self) -> io::Result<String> {
        gather(&self.output, Duration::from_millis(10));
        let done = Command::new("kill").args(["-QUIT", &self.child.id().to_string()]).status()?;
        if !done.success() {
            return Err(io::Error::other("the virtual machine cannot be asked for its threads"));
        }
        Ok(gather(&self.output, Duration::from_millis(700)))
    }
}

fn lines(source: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    if let Some(source) = source {
        std::thread::spawn(move || {
            for line in BufReader::new(source).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
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

/// How a thread has come to rest.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Rest {
    /// Where it was expected.
    There,
    /// It waits.
    Waits,
    /// An exception leaves it.
    Throws,
    /// It has ended.
    Ended,
}

/// Who leads a virtual machine along a schedule.
struct Witness<'a> {
    connection: Connection,
    itinerary: &'a Itinerary,
    /// The real threads by their numbers in the itinerary, and whether each is held.
    threads: Vec<(u64, bool)>,
    /// Breakpoints that are set: their numbers by the thread.
    stops: FxHashMap<u64, Stop>,
    methods: FxHashMap<u64, Vec<protocol::Method>>,
    /// Threads that have begun and nobody has asked for yet.
    starts: VecDeque<u64>,
    /// Threads with the exceptions that leave them.
    thrown: Vec<(u64, u64)>,
    ended: Vec<u64>,
    over: bool,
}

/// A breakpoint of a thread.
struct Stop {
    at: Instruction,
    visits: u32,
    /// Set once the class is there.
    request: Option<u32>,
}

impl Witness<'_> {
    fn follow(&mut self) -> Result<(), Departure> {
        self.connection.tell_starts()?;
        self.connection.tell_ends()?;
        self.connection.tell_exceptions()?;
        let main = self.find_main()?;
        self.threads.push((main, true));
        // All threads were held at the start of the machine; only those that begin from now on are ours.
        let start = self.itinerary.start.clone();
        self.set(main, &start)?;
        self.connection.resume_all()?;
        self.threads[0].1 = false;
        self.arrive(0, 0, &start)?;
        // Whoever has begun by now belongs to the virtual machine.
        while let Some(thread) = self.starts.pop_front() {
            self.connection.resume(thread)?;
        }
        for (step, leg) in self.itinerary.moves.iter().enumerate() {
            let stand = match leg.stand {
                Stand::Inside => self.next_stand(step + 1, leg.thread),
                ref stand => stand.clone(),
            };
            let blocks = leg.stand == Stand::Inside;
            self.let_go(leg.thread, &stand)?;
            if let Some((child, stand)) = &leg.started {
                self.welcome(step, *child, stand)?;
            }
            if blocks {
                self.wait_inside(step, leg.thread)?;
            } else {
                let is_last = step + 1 == self.itinerary.moves.len();
                match self.arrive(step, leg.thread, &stand) {
                    Err(Departure::Left { .. }) if is_last => {}
                    other => other?,
                }
            }
        }
        Ok(())
    }

    fn find_main(&mut self) -> Result<u64, Departure> {
        for thread in self.connection.threads()? {
            if self.connection.thread_name(thread)? == "main" {
                return Ok(thread);
            }
        }
        Err(self.left(0, "there is no main thread".to_string()))
    }

    fn left(&self, step: usize, how: String) -> Departure {
        Departure::Left { step, how }
    }

    fn name(&self, thread: usize) -> &str {
        self.itinerary.names.get(thread).map_or("a thread", |name| name)
    }

    /// Where a thread stands after its next move that brings it somewhere.
    fn next_stand(&self, from: usize, thread: usize) -> Stand {
        let later = self.itinerary.moves[from..].iter();
        let mut own = later.filter(|leg| leg.thread == thread).map(|leg| &leg.stand);
        own.find(|stand| **stand != Stand::Inside).cloned().unwrap_or(Stand::Inside)
    }

    /// Sets the breakpoint where a thread stands next.
    fn set(&mut self, thread: u64, stand: &Stand) -> Result<(), Departure> {
        if let Some(Stop { request: Some(request), .. }) = self.stops.remove(&thread) {
            self.connection.forget_stop(request)?;
        }
        let Stand::Before(at, visits) = stand else { return Ok(()) };
        let stop = Stop { at: at.clone(), visits: *visits, request: None };
        let classes = self.connection.classes(&format!("L{};", at.class))?;
        self.stops.insert(thread, stop);
        match classes.first() {
            Some(class) => self.place(thread, *class),
            None => {
                self.connection.tell_class(&at.class.replace('/', "."))?;
                Ok(())
            }
        }
    }

    /// The class of a thread's breakpoint is there.
    fn place(&mut self, thread: u64, class: u64) -> Result<(), Departure> {
        if !self.methods.contains_key(&class) {
            let methods = self.connection.methods(class)?;
            self.methods.insert(class, methods);
        }
        let Some(stop) = self.stops.get_mut(&thread) else { return Ok(()) };
        let Stop { at, visits, request } = stop;
        let known = self.methods[&class].iter();
        let method = known
            .into_iter()
            .find(|method| method.name == at.method && method.descriptor == at.descriptor);
        if let Some(method) = method {
            let id = method.id;
            *request = Some(self.connection.stop_at(thread, class, id, at.offset, *visits)?);
        }
        Ok(())
    }

    /// Lets a thread take its step towards where it stands next.
    fn let_go(&mut self, number: usize, stand: &Stand) -> Result<(), Departure> {
        let (thread, held) = self.threads[number];
        if !self.stops.contains_key(&thread) || held {
            self.set(thread, stand)?;
        }
        if std::mem::replace(&mut self.threads[number].1, false) {
            self.connection.resume(thread)?;
        }
        Ok(())
    }

    /// A thread that a step has started is led to where it stands first.
    fn welcome(&mut self, step: usize, number: usize, stand: &Stand) -> Result<(), Departure> {
        let until = Instant::now() + STEP;
        let name = self.name(number).to_string();
        let thread = loop {
            match self.starts.pop_front() {
                Some(thread) if self.connection.thread_name(thread)? == name => break thread,
                // The library's own.
                Some(other) => self.connection.resume(other)?,
                None if self.over || Instant::now() > until => {
                    return Err(self.left(step, format!("{name} does not begin")));
                }
                None => _ = self.look(PACE)?,
            }
        };
        while self.threads.len() <= number {
            self.threads.push((thread, true));
        }
        self.let_go(number, stand)?;
        self.arrive(step, number, stand)
    }

    /// Waits until a thread has come to where it stands next.
    fn arrive(&mut self, step: usize, number: usize, stand: &Stand) -> Result<(), Departure> {
        let rest = self.rest(step, number)?;
        let name = self.name(number);
        let how = match (rest, stand) {
            (Rest::There, Stand::Before(..)) | (Rest::Throws | Rest::Ended, Stand::Ended) => {
                return Ok(());
            }
            (_, Stand::Unknown(place)) => format!("{name} stands in {place}, which it has not"),
            (Rest::Waits, _) => format!("{name} has to wait"),
            (Rest::Throws, _) => format!("{name} fails earlier"),
            (Rest::Ended, _) => format!("{name} ends earlier"),
            (Rest::There, _) => format!("{name} does not end"),
        };
        Err(self.left(step, how))
    }

    /// Waits until a thread waits, and holds it there.
    fn wait_inside(&mut self, step: usize, number: usize) -> Result<(), Departure> {
        match self.rest(step, number)? {
            Rest::Waits => {
                let (thread, held) = self.threads[number];
                if !held {
                    self.connection.suspend(thread)?;
                    self.threads[number].1 = true;
                }
                Ok(())
            }
            // It did not have to wait: what it does next is done already.
            _ => Ok(()),
        }
    }

    /// Waits until a thread has come to rest.
    fn rest(&mut self, step: usize, number: usize) -> Result<Rest, Departure> {
        let thread = self.threads[number].0;
        let until = Instant::now() + STEP;
        let mut waits = 0;
        loop {
            if self.threads[number].1 {
                return Ok(Rest::There);
            }
            if self.thrown.iter().any(|(by, _)| *by == thread) {
                return Ok(Rest::Throws);
            }
            if self.over || self.ended.contains(&thread) {
                return Ok(Rest::Ended);
            }
            if !self.look(PACE)? {
                waits = match self.connection.activity(thread)? {
                    Activity::Running => 0,
                    Activity::Ended => return Ok(Rest::Ended),
                    _ => waits + 1,
                };
            }
            if waits >= STEADY {
                return Ok(Rest::Waits);
            }
            if Instant::now() > until {
                let name = self.name(number).to_string();
                return Err(
                    self.left(step, format!("{name} runs on and does not come to its place"))
                );
            }
        }
    }

    /// Looks at one thing that has happened, if one has.
    fn look(&mut self, time: Duration) -> Result<bool, Departure> {
        let Some(happening) = self.connection.next(time)? else { return Ok(false) };
        match happening {
            Happening::Started => {}
            Happening::Breakpoint { request, thread } => {
                let own = self.stops.get(&thread).is_some_and(|stop| stop.request == Some(request));
                if own {
                    self.stops.remove(&thread);
                    self.connection.forget_stop(request)?;
                }
                match self.threads.iter_mut().find(|(known, _)| *known == thread) {
                    Some((_, held)) if own => *held = true,
                    _ => self.connection.resume(thread)?,
                }
            }
            Happening::Exception { thread, exception } => self.thrown.push((thread, exception)),
            Happening::ThreadStart { thread } => self.starts.push_back(thread),
            Happening::ThreadDeath { thread } => self.ended.push(thread),
            Happening::ClassPrepare { thread, class, signature } => {
                let name = signature.trim_start_matches('L').trim_end_matches(';').to_string();
                let waiting = self
                    .stops
                    .iter()
                    .filter(|(_, stop)| stop.request.is_none() && stop.at.class == name);
                let waiting: Vec<u64> = waiting.map(|(thread, _)| *thread).collect();
                for one in waiting {
                    self.place(one, class)?;
                }
                self.connection.resume(thread)?;
            }
            Happening::Ended => self.over = true,
        }
        Ok(true)
    }

    /// Lets everybody go and compares what comes of it with what is expected.
    fn finish(
        &mut self,
        process: &mut Process,
        expected: &Expected<'_>,
    ) -> Result<String, Departure> {
        let steps = self.itinerary.moves.len();
        let until = Instant::now() + END;
        match expected.kind {
            FindingKind::Assertion | FindingKind::Exception => {
                while self.thrown.is_empty() && !self.over && Instant::now() < until {
                    self.look(PACE)?;
                }
                let Some(&(thread, exception)) = self.thrown.first() else {
                    return Err(self.left(steps, "nothing fails".to_string()));
                };
                let class = self.connection.class_of(exception)?;
                let class = class.trim_start_matches('L').trim_end_matches(';').replace('/', ".");
                if class != expected.name {
                    return Err(self.left(steps, format!("it fails with {class}")));
                }
                self.connection.resume(thread)?;
                Ok(process.complaints())
            }
            FindingKind::Exit => {
                self.release()?;
                while Instant::now() < until {
                    if let Some(status) = process.child.try_wait()? {
                        let code = status.code().unwrap_or(-1);
                        let words = format!("System.exit({code})");
                        return match words == expected.name {
                            true => Ok(format!("the virtual machine ends with code {code}\n")),
                            false => Err(self.left(steps, format!("it ends with code {code}"))),
                        };
                    }
                    self.look(PACE)?;
                }
                Err(self.left(steps, "it does not end".to_string()))
            }
            _ => {
                self.release()?;
                let mut quiet = 0;
                while quiet < STEADY && !self.over && Instant::now() < until {
                    let moved = self.look(PACE)?;
                    let mut waits = true;
                    for index in 0..self.threads.len() {
                        let thread = self.threads[index].0;
                        if !self.ended.contains(&thread) {
                            waits &= self.connection.activity(thread)? != Activity::Running;
                        }
                    }
                    quiet = if moved || !waits { 0 } else { quiet + 1 };
                }
                if quiet < STEADY {
                    return Err(self.left(steps, "the threads do not wait for ever".to_string()));
                }
                Ok(process.thread_dump()?)
            }
        }
    }

    /// Lets all threads go.
    fn release(&mut self) -> Result<(), Departure> {
        for index in 0..self.threads.len() {
            let (thread, held) = self.threads[index];
            if let Some(Stop { request: Some(request), .. }) = self.stops.remove(&thread) {
                self.connection.forget_stop(request)?;
            }
            if held {
                self.threads[index].1 = false;
                self.connection.resume(thread)?;
            }
        }
        while let Some(thread) = self.starts.pop_front() {
            self.connection.resume(thread)?;
        }
        Ok(())
    }
}
