//! What an execution is checked for.
//!
//! A property looks at a whole execution when it has ended: its events and how it ended. Adding one
//! is one file and one line in [`PROPERTIES`].

mod deadlock;
mod failure;
mod race;

use counterpoint_model::{End, Event, FindingKind, Likeness, Program, Run, Site, Waiting};

/// How an execution ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Everybody who has to be done is done.
    Complete,
    /// Somebody cannot move.
    Deadlock,
    /// Somebody waits for a condition that can never hold.
    Stuck,
    /// Cut: at the limit of steps, or where the front end could not go on.
    Cut,
}

impl From<End> for Ending {
    fn from(end: End) -> Ending {
        match end {
            End::Complete => Ending::Complete,
            End::Deadlock => Ending::Deadlock,
            End::Stuck => Ending::Stuck,
            End::Cut => Ending::Cut,
        }
    }
}

/// An execution that has ended, as properties and sinks see it.
pub struct Execution<'a> {
    /// The program.
    pub program: &'a dyn Program,
    /// The run, at its end.
    pub run: &'a dyn Run,
    /// Its events.
    pub events: &'a [Event],
    /// How it ended.
    pub ending: Ending,
    /// Whether some event carries a fault.
    pub faulty: bool,
}

/// A failure of one execution, before it has been confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What kind.
    pub kind: FindingKind,
    /// What it is called, whatever the values, threads and objects that the message speaks of.
    pub name: String,
    /// What happened.
    pub message: String,
    /// Where, in the order in which a report should show it.
    pub sites: Vec<Site>,
    /// Who waits for whom.
    pub waiting: Vec<Waiting>,
    /// How many steps of the execution show it.
    pub steps: usize,
}

impl Failure {
    /// Whether the two are the same failure, whatever the schedules.
    pub fn same(&self, other: &Failure) -> bool {
        self.kind == other.kind && self.message == other.message && self.sites == other.sites
    }

    /// Whether the two are the same failure by name, whatever the values that the messages speak of.
    pub fn has_name_of(&self, other: &Failure) -> bool {
        self.kind == other.kind && self.name == other.name && self.sites == other.sites
    }

    /// By what it is told from other failures.
    pub fn likeness(&self) -> Likeness<'_, Site> {
        Likeness { kind: self.kind, name: &self.name, places: &self.sites, waiting: &self.waiting }
    }
}

/// Looks at executions.
pub trait Property {
    /// Reports every failure of the execution.
    fn check(&mut self, execution: &Execution<'_>, report: &mut dyn FnMut(Failure));

    /// Whether it is about data races, which not every explorer can see.
    fn looks_for_races(&self) -> bool {
        false
    }
}

/// A line of the table of properties.
pub struct PropertyEntry {
    /// What users call it.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// Whether it is checked unless asked otherwise.
    pub default: bool,
    /// Makes a checker.
    pub make: fn() -> Box<dyn Property>,
}

/// All properties.
pub const PROPERTIES: &[PropertyEntry] = &[
    PropertyEntry {
        name: "failure",
        about: "No assertion fails and no step ends in a fault such as an uncaught exception.",
        default: true,
        make: || Box::new(failure::NoFailure),
    },
    PropertyEntry {
        name: "deadlock",
        about: "No execution ends with somebody waiting who can never go on.",
        default: true,
        make: || Box::new(deadlock::NoDeadlock),
    },
    PropertyEntry {
        name: "race",
        about: "No two processes touch a plain variable unordered by locks, volatile variables, \
                starts and joins, one of them writing.",
        default: false,
        make: || Box::new(race::NoRace::default()),
    },
];

/// The properties that are checked unless asked otherwise.
pub fn default_properties() -> Vec<Box<dyn Property>> {
    PROPERTIES.iter().filter(|entry| entry.default).map(|entry| (entry.make)()).collect()
}
