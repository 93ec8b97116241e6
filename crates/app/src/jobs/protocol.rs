//! What the coordinator and its workers say to each other, one JSON object to a line.
//!
//! Places in programs go by their names, and findings as in files ([`written`](crate::written)): whoever reads
//! them replays them.

use std::collections::{BTreeMap, BTreeSet};

use counterpoint_explore::{Cut, DataRaces, NotedRace, ParameterValues, Statistics};
use counterpoint_model::{Bound, Place};
use serde::{Deserialize, Serialize};

use crate::front_end::LoadRequest;
use crate::written::WrittenFinding;

/// What the coordinator says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Load a program. This comes first.
    Load(Box<Task>),
    /// Work on a unit.
    Work(Work),
    /// Stop after the present execution, and report.
    Pause,
    /// Stop at once, and report.
    Stop,
}

/// What all units have in common.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    /// The program.
    pub program: LoadRequest,
    /// Its fingerprint.
    pub fingerprint: String,
    /// The explorer.
    pub explorer: String,
    /// The values of its parameters.
    pub parameters: ParameterValues,
    /// The properties.
    pub properties: Vec<String>,
    /// The limit of steps.
    pub steps: usize,
    /// Whether the first failure ends it.
    pub stop_at_first: bool,
}

/// A unit to be worked on.
#[derive(Debug, Serialize, Deserialize)]
pub struct Work {
    /// Its number.
    pub number: u64,
    /// The unit as it is saved.
    pub unit: serde_json::Value,
    /// How many executions it may take, if they are limited.
    pub executions: Option<u64>,
    /// For how many milliseconds.
    pub milliseconds: u64,
    /// How many workers were lost over it.
    pub losses: u32,
}

/// What a worker says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The program is loaded.
    Ready,
    /// It cannot be.
    Failed(String),
    /// What came of a unit.
    Report(Box<Report>),
}

/// What came of a unit.
#[derive(Debug, Serialize, Deserialize)]
pub struct Report {
    /// Its number.
    pub number: u64,
    /// What is left of it.
    pub left: Option<serde_json::Value>,
    executions: u64,
    abandoned: u64,
    deadlocks: u64,
    cut: u64,
    events: u64,
    longest: usize,
    /// The bounds that were hit.
    pub bounds: BTreeSet<Bound>,
    /// The findings, with how many of the executions showed them.
    pub findings: Vec<WrittenFinding>,
    cuts: Vec<(String, Place, u64)>,
    races: Vec<(String, String, Vec<Place>)>,
    overlooked: bool,
    /// What the program relied on.
    pub assumptions: Vec<String>,
    /// Final states, with how many executions came to them.
    pub outcomes: BTreeMap<String, u64>,
    /// Errors of this tool.
    pub internal_errors: Vec<String>,
}

impl Report {
    /// A report with these counts and nothing else.
    pub fn new(number: u64, statistics: &Statistics) -> Report {
        let Statistics { executions, abandoned, deadlocks, cut, events, longest } = *statistics;
        Report {
            number,
            left: None,
            executions,
            abandoned,
            deadlocks,
            cut,
            events,
            longest,
            bounds: BTreeSet::new(),
            findings: Vec::new(),
            cuts: Vec::new(),
            races: Vec::new(),
            overlooked: false,
            assumptions: Vec::new(),
            outcomes: BTreeMap::new(),
            internal_errors: Vec::new(),
        }
    }

    /// The same with where executions were cut, and which data races they showed.
    pub fn with(self, cuts: &[Cut], races: &DataRaces) -> Report {
        let cut = |cut: &Cut| (cut.reason.clone(), cut.place.clone(), cut.count);
        let race = |race: &NotedRace| {
            let NotedRace { name, message, places } = race.clone();
            (name, message, places)
        };
        Report {
            cuts: cuts.iter().map(cut).collect(),
            races: races.seen.iter().map(race).collect(),
            overlooked: races.overlooked,
            ..self
        }
    }

    /// What was counted.
    pub fn statistics(&self) -> Statistics {
        let Report { executions, abandoned, deadlocks, cut, events, longest, .. } = *self;
        Statistics { executions, abandoned, deadlocks, cut, events, longest }
    }

    /// Where executions were cut.
    pub fn cuts(&mut self) -> Vec<Cut> {
        let cut = |(reason, place, count)| Cut { reason, place, count };
        std::mem::take(&mut self.cuts).into_iter().map(cut).collect()
    }

    /// The data races that were seen.
    pub fn races(&mut self) -> DataRaces {
        let race = |(name, message, places)| NotedRace { name, message, places };
        let seen = std::mem::take(&mut self.races).into_iter().map(race).collect();
        DataRaces { seen, overlooked: self.overlooked }
    }
}
