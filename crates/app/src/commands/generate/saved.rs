//! A generation that was stopped, in a file: what was asked, the tests so far as lists of choices, and
//! what is left to explore. Going on repeats the tests from their choices and explores the rest, so that
//! the tests are those of a generation that was not stopped.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use counterpoint_abs::analysis::abstraction::Point;
use counterpoint_abs::machine::{
    AwaitPolicy, CoveragePoint, Criteria, ObjectPolicy, Options, Reduction, TaskPolicy,
};
use counterpoint_abs::program::{BodyId, Model};
use counterpoint_explore::WorkUnit;
use counterpoint_model::{Bound, Pid, Program};
use serde::{Deserialize, Serialize};

use super::session::{Cuts, Rest, Session};
use super::{Generation, GenerationQuestion, System, WORK};
use crate::cli::generate::GenerateArguments;
use crate::events;
use crate::front_end::LoadRequest;
use crate::output;
use crate::store;
use crate::trouble::Trouble;

const FORMAT: u32 = 4;

/// The file.
#[derive(Serialize, Deserialize)]
pub struct Saved {
    format: u32,
    request: LoadRequest,
    methods: Vec<String>,
    #[serde(default)]
    system: Option<System>,
    reduction: String,
    exact: bool,
    releases: bool,
    round_robin: bool,
    tasks: String,
    loops: Option<u32>,
    switches: Option<u32>,
    objects: Option<u32>,
    depth: Option<u64>,
    range: Option<(String, String)>,
    all_ends: bool,
    targets: Vec<SavedTarget>,
    #[serde(skip)]
    path: PathBuf,
}

/// What has come of one target.
#[derive(Serialize, Deserialize)]
pub struct SavedTarget {
    name: String,
    program: String,
    executions: u64,
    cuts: BTreeMap<String, u64>,
    /// Where frames stood when executions were cut: body and instruction.
    #[serde(default)]
    cut_at: BTreeMap<String, Vec<(u32, u32)>>,
    /// What was executed.
    #[serde(default)]
    executed: Vec<(u32, u32, u8)>,
    bounds: Vec<Bound>,
    tests: Vec<Vec<String>>,
    /// What is left, each with the number of tests before what will be found there.
    unexplored: Vec<(usize, String)>,
    /// The tasks in the order of their numbers, by which explorers choose among equals.
    tasks: Vec<String>,
}

impl SavedTarget {
    /// A target as it stands.
    pub fn of(session: &Session) -> SavedTarget {
        let fingerprint = session.program.fingerprint();
        let names = session.program.names();
        SavedTarget {
            name: session.target.name.clone(),
            executions: session.executions,
            cuts: session.cuts.counts.clone(),
            cut_at: (session.cuts.places.iter())
                .map(|(cut, places)| {
                    let places = places.iter().map(|point| (point.body.0, point.instruction));
                    (cut.clone(), places.collect())
                })
                .collect(),
            executed: session.executed().iter().map(CoveragePoint::numbers).collect(),
            bounds: session.bounds.clone(),
            tests: session.tests.iter().map(|test| test.choices.clone()).collect(),
            unexplored: (session.unexplored.iter())
                .map(|rest| (rest.before, rest.unit.to_json(names, &fingerprint).get().to_string()))
                .collect(),
            program: fingerprint,
            tasks: tasks(session),
        }
    }

    /// Takes up the work but for the tests. False if what is left does not belong to the program.
    fn take_up(&self, session: &mut Session, model: &Model) -> bool {
        session.executions = self.executions;
        let place = |&(body, instruction): &(u32, u32)| {
            let body = BodyId(body);
            (body.index() < model.bodies.len()).then_some(Point { body, instruction })
        };
        let places = self
            .cut_at
            .iter()
            .map(|(cut, places)| (cut.clone(), places.iter().filter_map(place).collect()));
        session.cuts = Cuts { counts: self.cuts.clone(), places: places.collect() };
        let points = self.executed.iter();
        session.executed_before =
            points.filter_map(|&numbers| CoveragePoint::from_numbers(numbers)).collect();
        session.bounds = self.bounds.clone();
        session.unexplored.clear();
        let fingerprint = session.program.fingerprint();
        for (before, unit) in &self.unexplored {
            let unit = WorkUnit::from_json(unit, session.program.names(), &fingerprint);
            let in_order = session.unexplored.last().is_none_or(|last| last.before <= *before);
            match unit {
                Ok(unit) if in_order && *before <= session.tests.len() => {
                    session.unexplored.push(Rest { before: *before, unit });
                }
                _ => return false,
            }
        }
        true
    }
}

/// The tasks of a target in the order of their numbers.
pub fn tasks(session: &Session) -> Vec<String> {
    let names = session.program.names();
    (0..names.len() as u32).map(|task| names.path(Pid(task))).collect()
}

/// Makes the names of tasks known, in the order of their numbers.
pub fn name_tasks(session: &Session, tasks: &[String]) {
    for task in tasks {
        session.program.names().resolve(task);
    }
}

impl Saved {
    /// A generation as it stands.
    fn of(generation: &Generation) -> Saved {
        let GenerationQuestion { request, methods, system, options, criteria, exact } =
            &generation.question;
        let level = Reduction::ALL.iter().find(|(_, level)| *level == options.reduction);
        Saved {
            format: FORMAT,
            request: request.clone(),
            methods: methods.clone(),
            system: system.clone(),
            reduction: level.map_or("field", |(name, _)| name).to_string(),
            exact: *exact,
            releases: options.await_policy == AwaitPolicy::Release,
            round_robin: options.objects == ObjectPolicy::RoundRobin,
            tasks: match options.tasks {
                TaskPolicy::Any => "any",
                TaskPolicy::Fifo => "fifo",
                TaskPolicy::Lifo => "lifo",
            }
            .to_string(),
            loops: criteria.loops,
            switches: criteria.switches,
            objects: criteria.objects,
            depth: criteria.depth,
            range: criteria.range.as_ref().map(|(a, b)| (a.to_string(), b.to_string())),
            all_ends: criteria.all_ends,
            targets: generation.sessions.iter().map(SavedTarget::of).collect(),
            path: PathBuf::new(),
        }
    }

    /// Writes a generation to a file if something is left to explore, and removes one that was gone on from if not.
    pub fn write_if_needed(
        generation: &Generation,
        arguments: &GenerateArguments,
    ) -> Result<Option<PathBuf>, Trouble> {
        if generation.is_exhausted() {
            if let Some(path) = &arguments.resume {
                let _ = std::fs::remove_file(path);
            }
            return Ok(None);
        }
        let saved = Saved::of(generation);
        let path = match &arguments.resume {
            Some(path) => path.clone(),
            None => {
                let folder = Path::new(store::FOLDER);
                std::fs::create_dir_all(folder)
                    .map_err(|error| Trouble::file("make the folder", folder, &error))?;
                let target = saved.request.targets.first().map_or("model", String::as_str);
                let name = Path::new(target).file_stem().unwrap_or_default().to_string_lossy();
                folder.join(format!("{name}.generate.json"))
            }
        };
        let text = serde_json::to_string(&saved).expect("plain data serialises");
        output::write_file(&path, &(text + "\n"))
            .map_err(|error| Trouble::file("write", &path, &error))?;
        events::saved(&path);
        Ok(Some(path))
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Saved, Trouble> {
        let text =
            std::fs::read_to_string(path).map_err(|error| Trouble::file("read", path, &error))?;
        let mut saved: Saved = serde_json::from_str(&text).map_err(|error| {
            Trouble::new(format!("`{}` is not a saved generation: {error}", path.display()))
        })?;
        if saved.format != FORMAT {
            let text = format!("`{}` was written by another version", path.display());
            return Err(Trouble::new(text));
        }
        saved.path = path.to_path_buf();
        Ok(saved)
    }

    /// What was asked.
    pub fn question(&self) -> Result<GenerationQuestion, Trouble> {
        let damaged = || Trouble::new(format!("`{}` is damaged", self.path.display()));
        let level = Reduction::ALL.iter().find(|(name, _)| *name == self.reduction);
        let (_, reduction) = *level.ok_or_else(damaged)?;
        let range = match &self.range {
            Some((least, most)) => {
                Some((least.parse().map_err(|_| damaged())?, most.parse().map_err(|_| damaged())?))
            }
            None => None,
        };
        Ok(GenerationQuestion {
            request: self.request.clone(),
            methods: self.methods.clone(),
            system: self.system.clone(),
            options: Options {
                reduction,
                await_policy: match self.releases {
                    true => AwaitPolicy::Release,
                    false => AwaitPolicy::Continue,
                },
                objects: match self.round_robin {
                    true => ObjectPolicy::RoundRobin,
                    false => ObjectPolicy::Any,
                },
                tasks: match self.tasks.as_str() {
                    "fifo" => TaskPolicy::Fifo,
                    "lifo" => TaskPolicy::Lifo,
                    _ => TaskPolicy::Any,
                },
                work_per_step: WORK,
                ..Options::default()
            },
            criteria: Criteria {
                loops: self.loops,
                switches: self.switches,
                objects: self.objects,
                depth: self.depth,
                range,
                all_ends: self.all_ends,
            },
            exact: self.exact,
        })
    }

    /// Takes up the work on a target.
    pub fn restore(
        &self,
        session: &mut Session,
        question: &GenerationQuestion,
        model: &std::sync::Arc<counterpoint_abs::program::Model>,
    ) -> Result<(), Trouble> {
        let Some(saved) = self.targets.iter().find(|one| one.name == session.target.name) else {
            return Ok(());
        };
        let changed = || {
            Trouble::new(format!("the model has changed since `{}` was saved", self.path.display()))
                .hint("Start again without `--resume`.")
        };
        let fingerprint = session.program.fingerprint();
        if saved.program != fingerprint {
            return Err(changed());
        }
        name_tasks(session, &saved.tasks);
        for steps in &saved.tests {
            if !session.add_saved(question, model, steps) {
                return Err(changed());
            }
        }
        if saved.take_up(session, model) { Ok(()) } else { Err(changed()) }
    }
}
