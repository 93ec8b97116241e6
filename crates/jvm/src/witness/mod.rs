//! The real virtual machine as a witness: a schedule that fails here is followed there.
//!
//! **Problem.** What our machine shows is only as true as the machine. Users run another one, and can be
//! shown their bug on it: the same classes, nothing changed, with threads that move in the order of the
//! schedule.
//!
//! **Idea.** The virtual machine is started for debugging ([`process`]) and led from outside ([`protocol`]).
//! At any time one thread of the program runs and all others are held. At the end of a thread's turn the
//! [`Itinerary`] says where it stands ([`leader`]); then the next one is let go. After the last turn, what happens
//! is compared with the finding ([`outcome`]): the exception that leaves the thread, the exit code, or threads
//! that wait for ever, with the virtual machine's own list of threads.
//!
//! **Invariant.** The witness never says more than it saw: if the real run leaves the schedule it says at which
//! step and how, and nothing is confirmed.
//!
//! **Cost.** A start of the virtual machine, and about a millisecond for each visit of a place where a thread may
//! have to stop.

pub(crate) mod route;

mod leader;
mod outcome;
mod process;
mod protocol;

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};

use counterpoint_model::{Finding, FindingKind, Pid};

use crate::load::{Jdk, LaunchEntry};
use crate::run::Itinerary;
use leader::{LastTurn, Leader};
use process::Process;
use protocol::Connection;

/// How a virtual machine is started with a program.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The JDK.
    pub jdk: Jdk,
    /// The class path.
    pub class_path: Vec<LaunchEntry>,
    /// The main class.
    pub main: String,
    /// Arguments of the program.
    pub arguments: Vec<String>,
}

/// What is expected to happen at the end of a schedule.
#[derive(Debug, Clone)]
pub struct Expected {
    /// What kind of failure.
    pub kind: FindingKind,
    /// The class of the exception, or what the finding says.
    pub name: String,
    /// What happens, in one line.
    pub message: String,
    /// The threads that wait for ever, by their numbers in the itinerary.
    pub waiting: Vec<usize>,
}

impl Expected {
    /// What a finding says, in the numbers of its itinerary.
    pub fn of(finding: &Finding, itinerary: &Itinerary) -> Expected {
        let number =
            |process: Pid| itinerary.threads.iter().position(|thread| thread.process == process);
        Expected {
            kind: finding.kind,
            name: finding.name.clone(),
            message: finding.message.clone(),
            waiting: finding.waiting.iter().filter_map(|one| number(one.process)).collect(),
        }
    }
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
        /// How many steps of the schedule it has taken.
        steps: usize,
        /// What was different.
        how: String,
        /// Whether that can be, although both machines are right: something that a schedule can say cannot be followed.
        explained: bool,
    },
}

/// Why a schedule was not followed to its end.
enum Departure {
    Left { steps: usize, how: String, explained: bool },
    Broken(io::Error),
}

impl From<io::Error> for Departure {
    fn from(error: io::Error) -> Departure {
        Departure::Broken(error)
    }
}

impl Expected {
    /// Whether the last step itself fails, so that its thread goes no further.
    fn fails(&self) -> bool {
        matches!(self.kind, FindingKind::Assertion | FindingKind::Exception | FindingKind::Exit)
    }
}

/// Follows a schedule on the real virtual machine.
pub fn testify(
    launch: &Launch,
    itinerary: &Itinerary,
    expected: &Expected,
) -> io::Result<Testimony> {
    let mut process = Process::start(launch, reads_inputs(itinerary))?;
    let mut leader = Leader::new(connect(&process)?, itinerary);
    let machine = leader.connection.version()?;
    let last = if expected.fails() { LastTurn::Begun } else { LastTurn::Taken };
    let seen =
        leader.follow(last).and_then(|()| outcome::compare(&mut leader, &mut process, expected));
    leader.connection.close();
    match seen {
        Ok(words) => Ok(Testimony::Confirmed { machine, words }),
        Err(Departure::Left { steps, how, explained }) => {
            Ok(Testimony::Left { machine, steps, how, explained })
        }
        Err(Departure::Broken(error)) => Err(error),
    }
}

/// A virtual machine that stands before the failing step, or in the deadlock.
pub struct Halted {
    /// What it calls itself.
    pub machine: String,
    process: Process,
    connection: Connection,
}

/// Follows a schedule on the real virtual machine up to its last step, which the itinerary has as a turn of its
/// own; where it left the schedule, if it did.
pub fn halt(
    launch: &Launch,
    itinerary: &Itinerary,
    expected: &Expected,
) -> io::Result<Result<Halted, Testimony>> {
    let mut process = Process::start(launch, reads_inputs(itinerary))?;
    let mut leader = Leader::new(connect(&process)?, itinerary);
    let machine = leader.connection.version()?;
    let last = if expected.fails() { LastTurn::Left } else { LastTurn::Taken };
    let mut followed = leader.follow(last);
    if !expected.fails() && followed.is_ok() && !expected.waiting.is_empty() {
        followed = outcome::compare(&mut leader, &mut process, expected).map(|_| ());
        // Everybody was let go into the deadlock.
        leader.connection.suspend_all()?;
    }
    let mut connection = leader.connection;
    match followed {
        Ok(()) => {
            connection.forget_all()?;
            Ok(Ok(Halted { machine, process, connection }))
        }
        Err(Departure::Left { steps, how, explained }) => {
            Ok(Err(Testimony::Left { machine, steps, how, explained }))
        }
        Err(Departure::Broken(error)) => Err(error),
    }
}

impl Halted {
    /// Lets the first debugger that connects have the virtual machine, until one of them ends. What the
    /// program prints goes to `print`, line by line.
    pub fn serve(self, listener: &TcpListener, print: impl FnMut(&str)) -> io::Result<()> {
        let (debugger, _) = listener.accept()?;
        let connection = self.connection;
        let line = std::thread::spawn(move || connection.hand_over(debugger));
        self.process.pass_on(|| line.is_finished(), print)?;
        line.join().unwrap_or_else(|_| Err(io::Error::other("the line to the debugger broke")))
    }
}

fn reads_inputs(itinerary: &Itinerary) -> bool {
    itinerary.threads.iter().any(|thread| !thread.inputs.is_empty())
}

fn connect(process: &Process) -> io::Result<Connection> {
    Connection::open(TcpStream::connect((Ipv4Addr::LOCALHOST, process.port))?)
}
