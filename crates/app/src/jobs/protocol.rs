//! What the coordinator and its workers say to each other, one JSON object to a line.
//!
//! Places in programs go by their names, and findings as in files ([`written`](crate::written)): whoever reads
//! them replays them.

use std::collections::{BTreeMap, BTreeSet};

use counterpoint_explore::{
    Cut, DataRaces, Found, NotedRace, ParameterValues, Statistics, ThreadsSeen,
};
use counterpoint_model::{Bound, Finding, Place, Program};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::events;
use crate::front_end::LoadRequest;
use crate::job::Tally;
use crate::written::{Versions, WrittenFinding};

/// What the coordinator says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Load a program. This comes first.
    Load(Box<Task>),
    /// Work on a unit.
    Work(Work),
    /// Go on with the unit that was reported last.
    GoOn(GoOn),
    /// Draw schedules at random.
    Draw(Draw),
    /// Stop after the present execution, and report.
    Pause,
    /// Leave so many steps to others after the present execution, report, and go on with the rest at once.
    Share(usize),
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
    /// The unit in its short form.
    pub unit: Box<RawValue>,
    /// How many executions it may take, if they are limited.
    pub executions: Option<u64>,
    /// For how many milliseconds.
    pub milliseconds: u64,
    /// After how many milliseconds the time for everything is up, if it is limited. A worker stops by itself then, and a
    /// little earlier if there is much to save.
    pub time: Option<u64>,
    /// How many workers were lost over it.
    pub losses: u32,
}

/// The rest of a unit, less what was divided.
#[derive(Debug, Serialize, Deserialize)]
pub struct GoOn {
    /// Its number.
    pub number: u64,
    /// Nodes above this depth are left to others.
    pub floor: usize,
    /// How many executions it may take, if they are limited.
    pub executions: Option<u64>,
    /// For how many milliseconds.
    pub milliseconds: u64,
    /// How many workers were lost over it.
    pub losses: u32,
}

/// Schedules to be drawn at random.
#[derive(Debug, Serialize, Deserialize)]
pub struct Draw {
    /// The explorer that draws.
    pub sampler: String,
    /// How many were drawn before.
    pub already_done: u64,
    /// The length of the longest execution so far.
    pub longest: usize,
    /// For how many milliseconds.
    pub milliseconds: u64,
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
    /// The unit has nothing that others could do.
    Indivisible,
}

/// What came of a unit.
#[derive(Debug, Serialize, Deserialize)]
pub struct Report {
    /// Its number.
    pub number: u64,
    /// What is left of it, in its short form.
    pub left: Option<Box<RawValue>>,
    /// The worker goes on with what is left from this depth on, and leaves the rest to others.
    pub floor: Option<usize>,
    /// The worker goes on with all but the first so many places that are left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<usize>,
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
    threads: ThreadsSeen,
    /// What the program relied on.
    pub assumptions: Vec<String>,
    /// Final states, with how many executions came to them.
    pub outcomes: BTreeMap<String, u64>,
    /// How executions came to them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ways: BTreeMap<String, serde_json::Value>,
    /// Errors of this tool.
    pub internal_errors: Vec<String>,
    /// How many schedules were drawn at random, if that was the order.
    pub drawn: u64,
    /// How long it took.
    pub microseconds: u64,
}

impl Report {
    /// A report with these counts and nothing else.
    pub fn new(number: u64, statistics: &Statistics) -> Report {
        let Statistics { executions, abandoned, deadlocks, cut, events, longest } = *statistics;
        Report {
            number,
            left: None,
            floor: None,
            given: None,
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
            threads: ThreadsSeen::Unknown,
            assumptions: Vec::new(),
            outcomes: BTreeMap::new(),
            ways: BTreeMap::new(),
            internal_errors: Vec::new(),
            drawn: 0,
            microseconds: 0,
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
            threads: races.threads,
            ..self
        }
    }

    /// What an exploration has come to, for another process with the same program to which so many of the findings were
    /// told before.
    pub fn of(number: u64, program: &dyn Program, tally: &Tally, told: usize) -> Report {
        let findings = tally.findings.iter().enumerate();
        let met = findings.filter(|(index, found)| found.count > 0 || *index >= told);
        let findings = met.map(|(_, one)| WrittenFinding::new(program, &one.finding, one.count));
        Report {
            findings: findings.collect(),
            bounds: tally.bounds.clone(),
            assumptions: tally.assumptions.clone(),
            outcomes: tally.outcomes.clone(),
            ways: tally.ways.written().clone(),
            internal_errors: tally.internal_errors.clone(),
            ..Report::new(number, &tally.statistics).with(&tally.cuts, &tally.races)
        }
    }

    /// Adds this to what an exploration has come to. Findings are replayed; `enough` says when no more are wanted, and
    /// `found` hears of new ones.
    pub fn add_to(
        mut self,
        tally: &mut Tally,
        program: &dyn Program,
        enough: impl Fn(&Tally) -> bool,
        mut found: impl FnMut(&Finding),
    ) {
        tally.statistics.add(&self.statistics());
        Cut::add_all(&mut tally.cuts, self.cuts());
        tally.races.add(self.races());
        for written in &self.findings {
            let same = |known: &&mut Found| {
                let known = &known.finding;
                (known.kind, &known.message, &known.places)
                    == (written.kind, &written.message, &written.places)
            };
            if let Some(known) = tally.findings.iter_mut().find(same) {
                known.add(written.count);
                continue;
            }
            if enough(tally) {
                break;
            }
            match written.revive(program, Versions::Same) {
                Ok(finding) => {
                    events::finding(program, &finding);
                    found(&finding);
                    tally.add_findings(vec![Found::new(finding, written.count)]);
                }
                Err(error) => tally.internal_errors.push(format!("«{}»: {error}", written.message)),
            }
        }
        tally.bounds.extend(self.bounds);
        tally.assume(self.assumptions);
        for (outcome, count) in self.outcomes {
            if !tally.outcomes.contains_key(&outcome) {
                events::outcome(&outcome);
            }
            *tally.outcomes.entry(outcome).or_default() += count;
        }
        tally.ways.add_all(self.ways);
        tally.internal_errors.extend(self.internal_errors);
    }

    /// What was counted.
    pub fn statistics(&self) -> Statistics {
        let Report { executions, abandoned, deadlocks, cut, events, longest, .. } = *self;
        Statistics { executions, abandoned, deadlocks, cut, events, longest }
    }

    /// Where executions were cut.
    fn cuts(&mut self) -> Vec<Cut> {
        let cut = |(reason, place, count)| Cut { reason, place, count };
        std::mem::take(&mut self.cuts).into_iter().map(cut).collect()
    }

    /// The data races that were seen.
    fn races(&mut self) -> DataRaces {
        let race = |(name, message, places)| NotedRace { name, message, places };
        let seen = std::mem::take(&mut self.races).into_iter().map(race).collect();
        DataRaces { seen, overlooked: self.overlooked, threads: self.threads }
    }
}
