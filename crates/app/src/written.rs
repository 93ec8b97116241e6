//! Findings as they are written into files, and read back.
//!
//! What is written of a finding is its name and its schedule. Everything else is seen again by
//! replaying the schedule, so a file can neither lie nor grow old unnoticed.

use counterpoint_explore::{
    Failure, Formula, FormulaError, Limits, PROPERTIES, Property, Replay, ReplayError, Vocabulary,
    Wanted,
};
use counterpoint_model::{Finding, FindingKind, Place, Program, Schedule, ScheduleError};
use serde::{Deserialize, Serialize};

/// A finding as it is written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WrittenFinding {
    /// What kind of failure.
    pub kind: FindingKind,
    /// What it is called, whatever the values that the message speaks of.
    #[serde(default)]
    pub name: String,
    /// What happened.
    pub message: String,
    /// The places involved.
    pub places: Vec<Place>,
    /// How many executions showed it.
    pub count: u64,
    /// The schedule that shows it.
    pub schedule: serde_json::Value,
}

/// Why a written finding cannot be seen again.
#[derive(Debug, thiserror::Error)]
pub enum ReviveError {
    /// The schedule cannot be read, or belongs to another program.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The schedule cannot be followed.
    #[error("the schedule leads nowhere: {0}")]
    Replay(#[from] ReplayError),
    /// The predicate of a reached state cannot be read.
    #[error("the predicate means nothing to this program: {0}")]
    Predicate(#[from] FormulaError),
    /// The schedule was followed, and nothing failed.
    #[error("the schedule was followed to its end and the failure did not show")]
    NoFailure,
}

/// Whether a schedule of another version of the program may be tried.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Versions {
    /// Only of this very program.
    Same,
    /// Of any.
    Any,
}

impl WrittenFinding {
    /// The finding as it is written.
    pub fn new(program: &dyn Program, finding: &Finding, count: u64) -> WrittenFinding {
        let schedule = finding.schedule.to_json(program.names());
        WrittenFinding {
            kind: finding.kind,
            name: finding.name.clone(),
            message: finding.message.clone(),
            places: finding.places.clone(),
            count,
            schedule: serde_json::from_str(&schedule).expect("a written schedule is JSON"),
        }
    }

    /// The schedule, if it may be used with the program.
    pub fn schedule(
        &self,
        program: &dyn Program,
        versions: Versions,
    ) -> Result<Schedule, ScheduleError> {
        let own = program.fingerprint();
        let fingerprint = match (versions, self.schedule.get("program").and_then(|p| p.as_str())) {
            (Versions::Any, Some(written)) => written.to_string(),
            _ => own.clone(),
        };
        let text = self.schedule.to_string();
        let schedule = Schedule::from_json(&text, program.names(), &fingerprint)?;
        Ok(Schedule { program: own, ..schedule })
    }

    /// What can show the failure again.
    fn properties(&self, program: &dyn Program) -> Result<Vec<Box<dyn Property>>, ReviveError> {
        if self.kind != FindingKind::Reached {
            return Ok(PROPERTIES.iter().map(|entry| (entry.make)()).collect());
        }
        let names = Vocabulary::of(program, Limits::default().steps);
        let formula = Formula::parse(&self.message, &names)?;
        Ok(vec![Box::new(Wanted { text: self.message.clone(), formula })])
    }

    /// The finding as the program shows it now.
    pub fn revive(
        &self,
        program: &dyn Program,
        versions: Versions,
    ) -> Result<Finding, ReviveError> {
        let mut schedule = self.schedule(program, versions)?;
        let replay = Replay::new(program, &schedule.inputs, &schedule.choices)?;
        let mut properties = self.properties(program)?;
        let places = |failure: &Failure| -> Vec<Place> {
            failure.sites.iter().map(|&site| program.place(site)).collect()
        };
        let likeness = |failure: &Failure| {
            let named = failure.kind == self.kind && failure.message == self.message;
            (named && places(failure) == self.places, named)
        };
        let failures = replay.failures(program, &mut properties);
        let best = failures.iter().max_by_key(|failure| likeness(failure));
        let failure = best.filter(|failure| likeness(failure).1).ok_or(ReviveError::NoFailure)?;
        schedule.choices.truncate(failure.steps);
        schedule.inputs = replay.run.inputs();
        Ok(Finding {
            kind: failure.kind,
            name: failure.name.clone(),
            message: failure.message.clone(),
            places: places(failure),
            waiting: failure.waiting.clone(),
            inputs: schedule.inputs.clone(),
            schedule,
        })
    }
}
