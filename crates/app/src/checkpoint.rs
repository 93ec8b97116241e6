//! A stopped exploration as a file: what was found, what was counted, what is left.
//!
//! What is left can be large: the wakeup trees of a search that is deep in a program have a million steps. It is written
//! when the time is up and every few seconds before, so its text is made once and goes into the file as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use counterpoint_explore::{
    Cut, DataRaces, EXPLORERS, Found, NotedRace, PROPERTIES, ParameterValues, Statistics,
    ThreadsSeen, Trunk, WorkUnit, follow,
};
use counterpoint_model::{Bound, Place, Program, ScheduleError};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::front_end::LoadRequest;
use crate::job::{Job, Tally, Unexplored};
use crate::output;
use crate::store::{self, FOLDER, RESUME, SAVED, check_header, damaged, digest, foreign, stem};
use crate::trouble::Trouble;
use crate::ways::Ways;
use crate::written::{ReviveError, Versions, WrittenFinding};

/// The version written by this build.
const FORMAT: u32 = 5;

/// A stopped exploration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    /// What this file is.
    pub file: String,
    /// Format version.
    pub format: u32,
    /// How to load the program.
    pub program: LoadRequest,
    /// Which version of the program it was.
    pub fingerprint: String,
    /// The explorer's name.
    pub explorer: String,
    /// Whether somebody asked for this explorer.
    #[serde(default)]
    pub explorer_chosen: bool,
    /// The properties' names.
    pub properties: Vec<String>,
    /// The values of the explorer's parameters.
    pub parameters: ParameterValues,
    /// The limit of steps per execution, which decides what an execution is.
    pub steps: usize,
    /// The depth limit, likewise.
    pub depth: Option<usize>,
    statistics: WrittenStatistics,
    bounds: BTreeSet<Bound>,
    #[serde(default)]
    cuts: Vec<WrittenCut>,
    #[serde(default)]
    races: Vec<WrittenRace>,
    #[serde(default)]
    threads: ThreadsSeen,
    #[serde(default)]
    assumptions: Vec<String>,
    outcomes: BTreeMap<String, u64>,
    #[serde(default)]
    ways: BTreeMap<String, serde_json::Value>,
    seconds: f64,
    findings: Vec<WrittenFinding>,
    /// The numbers of those that no execution has shown that counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    uncounted: Vec<usize>,
    /// What went wrong and speaks against `ok`, whatever comes of the rest.
    #[serde(default)]
    internal_errors: Vec<String>,
    /// What is left, if one worker was at work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    work: Option<Box<RawValue>>,
    /// What is left, if several were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trunk: Option<Box<RawValue>>,
}

#[derive(Copy, Clone, Debug, Serialize, Deserialize)]
struct WrittenStatistics {
    executions: u64,
    abandoned: u64,
    deadlocks: u64,
    #[serde(default)]
    cut: u64,
    events: u64,
    longest: usize,
    #[serde(default)]
    sampled: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct WrittenRace {
    #[serde(default)]
    name: String,
    message: String,
    places: Vec<Place>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct WrittenCut {
    reason: String,
    place: Place,
    count: u64,
}

/// No exploration counts further than this: a thousand executions in every microsecond for a year.
const MOST: u64 = 1 << 55;

impl Checkpoint {
    /// What is left of a job; `None` if nothing is.
    pub fn new(request: &LoadRequest, job: &Job<'_>, tally: &Tally) -> Option<Checkpoint> {
        let fingerprint = job.program.fingerprint();
        let names = job.program.names();
        let (work, trunk) = match tally.unexplored.as_ref()? {
            Unexplored::Alone(unit) => (Some(unit.to_json(names, &fingerprint)), None),
            Unexplored::Shared(trunk) => (None, Some(trunk.to_json(names, &fingerprint))),
        };
        let Statistics { executions, abandoned, deadlocks, cut, events, longest } =
            tally.statistics;
        let written = |found: &Found| WrittenFinding::new(job.program, &found.finding, found.count);
        Some(Checkpoint {
            file: SAVED.to_string(),
            format: FORMAT,
            program: request.clone(),
            fingerprint,
            explorer: job.explorer.name.to_string(),
            explorer_chosen: job.explorer_chosen,
            properties: job.properties.iter().map(|entry| entry.name.to_string()).collect(),
            parameters: job.parameters.clone(),
            steps: job.limits.steps,
            depth: job.limits.depth,
            statistics: WrittenStatistics {
                executions,
                abandoned,
                deadlocks,
                cut,
                events,
                longest,
                sampled: tally.sampled,
            },
            bounds: tally.bounds.clone(),
            cuts: tally.cuts.iter().map(write_cut).collect(),
            races: tally.races.seen.iter().map(write_race).collect(),
            threads: tally.races.threads,
            assumptions: tally.assumptions.clone(),
            outcomes: tally.outcomes.clone(),
            ways: tally.ways.written().clone(),
            seconds: tally.seconds,
            findings: tally.findings.iter().map(written).collect(),
            uncounted: (0..)
                .zip(&tally.findings)
                .filter(|(_, one)| one.uncounted)
                .map(|(n, _)| n)
                .collect(),
            internal_errors: tally.internal_errors.clone(),
            work,
            trunk,
        })
    }

    /// Where it is saved: the same question about the same program has the same name.
    pub fn path(&self) -> PathBuf {
        let Checkpoint { program, explorer, properties, parameters, steps, depth, .. } = self;
        let parameters = serde_json::to_string(parameters).expect("numbers and texts serialise");
        let identity =
            format!("{}{explorer}{properties:?}{parameters}{steps}{depth:?}", program.identity());
        let name = format!("{}-{:08x}{RESUME}", stem(program), digest(&identity));
        Path::new(FOLDER).join(name)
    }

    /// Saves it.
    pub fn save(&self) -> io::Result<PathBuf> {
        let path = self.path();
        let text = serde_json::to_string(self).expect("plain data serialises");
        fs::create_dir_all(FOLDER)?;
        output::write_file(&path, &(text + "\n"))?;
        Ok(path)
    }

    /// Reads a saved exploration.
    pub fn read(path: &Path) -> Result<Checkpoint, Trouble> {
        let text = store::read_text(path)?;
        check_header(path, &text, SAVED, FORMAT)?;
        let saved: Checkpoint =
            serde_json::from_str(&text).map_err(|error| damaged(path, &error))?;
        if !EXPLORERS.iter().any(|explorer| explorer.name == saved.explorer) {
            return Err(foreign(path, &format!("there is no explorer `{}`", saved.explorer)));
        }
        let WrittenStatistics { executions, abandoned, deadlocks, cut, events, sampled, .. } =
            saved.statistics;
        let found = saved.findings.iter().map(|finding| finding.count);
        let counts = [executions, abandoned, deadlocks, cut, events, sampled];
        if counts.into_iter().chain(found).any(|count| count > MOST) {
            return Err(foreign(path, "it counts more than there can have been"));
        }
        let known = |name: &String| PROPERTIES.iter().any(|entry| entry.name == name);
        match saved.properties.iter().find(|name| !known(name)) {
            Some(name) => Err(foreign(path, &format!("there is no property `{name}`"))),
            None => Ok(saved),
        }
    }

    /// What the exploration had come to.
    pub fn tally(&self, path: &Path, program: &dyn Program) -> Result<Tally, Trouble> {
        let fingerprint = program.fingerprint();
        if self.fingerprint != fingerprint {
            let target = self.program.target();
            let text = format!("`{target}` has changed since `{}` was saved", path.display());
            return Err(Trouble::new(text).hint("Start over, without `--resume`."));
        }
        let unexplored = self.unexplored(path, program, &fingerprint)?;
        let mut findings = Vec::new();
        for written in &self.findings {
            let finding = written.revive(program, Versions::Same).map_err(|error| match error {
                ReviveError::Schedule(error) => foreign(path, &in_words(&error)),
                error => foreign(path, &error.to_string()),
            })?;
            let uncounted = self.uncounted.contains(&findings.len());
            findings.push(Found { uncounted, ..Found::new(finding, written.count) });
        }
        let WrittenStatistics { executions, abandoned, deadlocks, cut, events, longest, sampled } =
            self.statistics;
        let mut ways = Ways::default();
        ways.add_all(self.ways.clone());
        Ok(Tally {
            statistics: Statistics { executions, abandoned, deadlocks, cut, events, longest },
            bounds: self.bounds.clone(),
            cuts: self.cuts.iter().map(read_cut).collect(),
            races: DataRaces {
                seen: self.races.iter().map(read_race).collect(),
                overlooked: false,
                threads: self.threads,
            },
            findings,
            assumptions: self.assumptions.clone(),
            outcomes: self.outcomes.clone(),
            ways,
            internal_errors: self.internal_errors.clone(),
            unexplored: Some(unexplored),
            undivided: None,
            stand_in: None,
            sampled,
            seconds: self.seconds,
            drawn: Vec::new(),
        })
    }

    fn unexplored(
        &self,
        path: &Path,
        program: &dyn Program,
        fingerprint: &str,
    ) -> Result<Unexplored, Trouble> {
        let wrong = |error: ScheduleError| foreign(path, &in_words(&error));
        let check =
            |unit: &WorkUnit| check_work(program, unit).map_err(|why| store::foreign(path, &why));
        match (&self.work, &self.trunk) {
            (Some(work), None) => {
                let unit = WorkUnit::from_json(work.get(), program.names(), fingerprint);
                let unit = unit.map_err(wrong)?;
                check(&unit)?;
                Ok(Unexplored::Alone(unit))
            }
            (None, Some(trunk)) => {
                let trunk = Trunk::from_json(trunk.get(), program).map_err(wrong)?;
                trunk.units().iter().try_for_each(check)?;
                Ok(Unexplored::Shared(Box::new(trunk)))
            }
            _ => Err(store::foreign(path, "it does not say what is left")),
        }
    }
}

fn write_cut(cut: &Cut) -> WrittenCut {
    let Cut { reason, place, count } = cut.clone();
    WrittenCut { reason, place, count }
}

fn write_race(race: &NotedRace) -> WrittenRace {
    let NotedRace { name, message, places } = race.clone();
    WrittenRace { name, message, places }
}

fn read_race(written: &WrittenRace) -> NotedRace {
    let WrittenRace { name, message, places } = written.clone();
    NotedRace { name, message, places }
}

fn read_cut(written: &WrittenCut) -> Cut {
    let WrittenCut { reason, place, count } = written.clone();
    Cut { reason, place, count }
}

/// Whether the steps that are done and that remain can be taken at all.
fn check_work(program: &dyn Program, unit: &WorkUnit) -> Result<(), String> {
    let mut run = program.start(&[]);
    for depth in 0..=unit.prefix.len() {
        if let Some(node) = unit.nodes.get(depth) {
            let planned = node.wakeup_tree.iter().map(|branch| branch.choice);
            for choice in node.done.iter().copied().chain(planned) {
                let process = choice.process;
                if process.0 >= run.processes() || !run.next(process).is_ready() {
                    let path = program.names().path(process);
                    return Err(format!("process {path} cannot move after step {depth}"));
                }
            }
        }
        if let Some(&choice) = unit.prefix.get(depth) {
            follow(program, &mut *run, depth + 1, choice).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// Why a part of a saved exploration cannot be read. Nobody has written it by hand, so where in it something else was
/// expected says nothing.
fn in_words(error: &ScheduleError) -> String {
    match error {
        ScheduleError::Malformed(_) => "what is left to do is not as it was saved".to_owned(),
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use counterpoint_explore::{Covers, Limits, ParameterValue};
    use counterpoint_testkit::{TestProgram, shapes};

    use super::*;
    use crate::job::{Watcher, explore};

    struct Nobody;

    impl Watcher for Nobody {}

    fn job<'a>(program: &'a TestProgram, explorer: usize, executions: Option<u64>) -> Job<'a> {
        // A bound that leaves nothing of these small programs out, where an explorer takes one.
        let bound = EXPLORERS[explorer].parameters.iter().find(|own| own.name == "bound");
        let parameters = bound.map_or_else(ParameterValues::default, |own| {
            ParameterValues::default().with(own.name, ParameterValue::Number(12))
        });
        Job {
            program,
            explorer: &EXPLORERS[explorer],
            properties: PROPERTIES.iter().filter(|entry| entry.default).collect(),
            limits: Limits { executions, ..Limits::default() },
            parameters,
            stop_at_first: false,
            draws: false,
            explorer_chosen: true,
            workers: None,
            memory: None,
        }
    }

    #[test]
    fn stopping_every_few_executions_and_continuing_from_paper_changes_nothing() {
        // Those that go on by repeating what they have done take too long in so small pieces.
        let systematic = |explorer: &usize| {
            !matches!(
                EXPLORERS[*explorer].covers,
                Covers::Samples | Covers::LocalStates | Covers::States
            )
        };
        for explorer in (0..EXPLORERS.len()).filter(systematic) {
            let tries_all = EXPLORERS[explorer].covers == Covers::Interleavings;
            let philosophers = if tries_all { 2 } else { 3 };
            let programs: [(u64, &dyn Fn() -> TestProgram); 2] =
                [(1, &|| shapes::fib(1)), (7, &|| shapes::dining(philosophers))];
            for (executions, make) in programs {
                let calm = AtomicBool::new(false);
                let program = make();
                let whole =
                    explore(&job(&program, explorer, None), Tally::default(), &calm, &mut Nobody);
                let mut paper: Option<String> = None;
                let tally = loop {
                    let program = make();
                    let job = job(&program, explorer, Some(executions));
                    let saved = |text: String| {
                        let saved: Checkpoint = serde_json::from_str(&text).unwrap();
                        saved.tally(Path::new("paper"), &program).unwrap()
                    };
                    let tally = paper.map(saved).unwrap_or_default();
                    let tally = explore(&job, tally, &calm, &mut Nobody);
                    match Checkpoint::new(&LoadRequest::default(), &job, &tally) {
                        Some(rest) => paper = Some(serde_json::to_string(&rest).unwrap()),
                        None => break tally,
                    }
                };
                let name = EXPLORERS[explorer].name;
                // The order of the search may change, and with it which beginnings are shared.
                let Statistics { executions, deadlocks, longest, .. } = whole.statistics;
                let expected = (executions, deadlocks, longest);
                let Statistics { executions, deadlocks, longest, .. } = tally.statistics;
                assert_eq!((executions, deadlocks, longest), expected, "{name}");
                assert_eq!(tally.outcomes, whole.outcomes, "{name}");
                assert!(tally.exhausted() && whole.exhausted(), "{name}");
                let named = |tally: &Tally| -> Vec<(String, u64)> {
                    let name = |f: &Found| (format!("{:?}", f.finding.places), f.count);
                    let mut names: Vec<_> = tally.findings.iter().map(name).collect();
                    names.sort();
                    names
                };
                assert_eq!(named(&tally), named(&whole), "{name}");
            }
        }
    }
}
