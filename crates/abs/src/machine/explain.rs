//! A schedule told step by step.
//!
//! The last step can be told at any time: it is performed again on a copy of the run, with a record
//! open, so that exploring pays nothing for it. An [`Account`] tells a whole schedule; traces and
//! pictures are made from it.

use std::collections::BTreeSet;

use counterpoint_model::{
    Choice, End, Explanation, Interrupt, Location, Pid, Program, Site, Waiting,
};

use crate::program::BodyOwner;

use super::names::Owner;
use super::program::ModelProgram;
use super::record::{Record, Stop};
use super::show;
use super::state::State;
use super::value::ObjectId;

/// A macro-step, told.
#[derive(Clone, Debug)]
pub struct Macrostep {
    /// Its number, from 0.
    pub time: usize,
    /// The choice that led to it.
    pub choice: Choice,
    /// The object it ran on, as text; `main` for the main block.
    pub object: String,
    /// The task, as in `worker.work`.
    pub task: String,
    /// The method, or `main`.
    pub method: String,
    /// Where it went on, if the task had run before.
    pub resumed_at: Option<Site>,
    /// The statements executed, in order, one after another where they differ.
    pub sites: Vec<Site>,
    /// The lines executed, in the file of the task's method.
    pub lines: Vec<u32>,
    /// The tasks it posted, each with the object it was posted to, as text.
    pub posted: Vec<(Pid, String, String)>,
    /// The objects it created, as text.
    pub created: Vec<String>,
    /// Why it stopped.
    pub stop: Stop,
    /// The failure in it, if any.
    pub fault: Option<String>,
    /// What was printed.
    pub output: String,
}

/// An execution, told.
#[derive(Clone, Debug)]
pub struct Account {
    /// The objects, as text, in the order of creation; `main`, or those of the context, come first.
    pub objects: Vec<String>,
    /// The steps.
    pub steps: Vec<Macrostep>,
    /// How it ended; nothing if somebody could still move.
    pub end: Option<End>,
    /// The tasks that wait for each other in a cycle, if any do.
    pub cycle: Vec<Pid>,
    /// After which step (its number from 0) the first cycle of waiting was closed.
    pub closed_at: Option<usize>,
    /// Who waits for whom at the end.
    pub waiting: Vec<Waiting>,
    /// The final state.
    pub outcome: String,
}

impl Account {
    /// Tells the execution that the choices lead to. Stops early at a choice that is impossible.
    pub fn new(program: &ModelProgram, choices: &[Choice]) -> Account {
        let mut state = program.begin();
        let mut objects: Vec<String> = match program.context() {
            Some(context) if !context.objects.is_empty() => {
                context.objects.iter().map(|object| object.name.clone()).collect()
            }
            _ => vec!["main".to_owned()],
        };
        let mut steps = Vec::with_capacity(choices.len());
        let mut closed_at = None;
        for (time, &choice) in choices.iter().enumerate() {
            let possible = choice.process.0 < state.tally.processes
                && state.next(choice.process).is_ready()
                && choice.alternative < state.alternatives(choice.process).count;
            if !possible {
                break;
            }
            let step = state.tell(program, time, choice);
            if !objects.contains(&step.object) {
                objects.push(step.object.clone());
            }
            objects.extend(step.created.iter().cloned());
            if closed_at.is_none() && state.closes_cycle(choice.process.0) {
                closed_at = Some(time);
            }
            steps.push(step);
        }
        let processes = || (0..state.tally.processes).map(Pid);
        let moving = state.first_ready(None).is_some();
        Account {
            objects,
            steps,
            end: (!moving).then(|| state.end()),
            cycle: state.cycle().unwrap_or_default(),
            closed_at,
            waiting: processes().filter_map(|task| state.waiting(task)).collect(),
            outcome: state.outcome(),
        }
    }

    /// One line per step: time, object, task, lines, why it stopped.
    pub fn to_text(&self, program: &ModelProgram) -> String {
        let mut text = String::new();
        for step in &self.steps {
            let resumed = match step.resumed_at {
                Some(site) => format!(" (line {})", program.place(site).line),
                None => String::new(),
            };
            text += &format!(
                "Time {}, Object {}, Task {}{resumed}, {}: {}\n",
                step.time,
                step.object,
                step.task,
                lines_text(&step.lines),
                step.stop_text(program)
            );
            if self.closed_at == Some(step.time) {
                text += "  here a cycle of waiting is closed\n";
            }
        }
        text
    }
}

impl Macrostep {
    /// Why it stopped, in words.
    pub fn stop_text(&self, program: &ModelProgram) -> String {
        stop_text(&self.stop, &|task| program.process_name(task))
    }
}

fn stop_text(stop: &Stop, name: &dyn Fn(Pid) -> String) -> String {
    match stop {
        Stop::Returned(value) => format!("return {value}"),
        Stop::Failed(exception) => format!("failed with {exception}"),
        Stop::Suspended => "suspended".to_owned(),
        Stop::Waiting(tasks) if tasks.is_empty() => "waiting for a condition".to_owned(),
        Stop::Waiting(tasks) => {
            let names: Vec<String> = tasks.iter().map(|&task| name(task)).collect();
            format!("waiting for {}", names.join(" and "))
        }
        Stop::Blocked(task) => format!("blocked for {}", name(*task)),
        Stop::Sleeping => "blocked for time to pass".to_owned(),
        Stop::Choosing(count) => format!("about to choose among {count}"),
        Stop::Deciding => "about to look at something unknown".to_owned(),
        Stop::GivenUp => "given up".to_owned(),
    }
}

/// The fields that a step wrote, a few of them and not too long.
fn written_text(written: &[(String, String)]) -> String {
    const MOST: usize = 4;
    let shorten = |value: &str| match value.chars().count() > 40 {
        true => value.chars().take(39).chain(['…']).collect(),
        false => value.to_owned(),
    };
    let mut texts: Vec<String> = written
        .iter()
        .take(MOST)
        .map(|(name, value)| format!("{name} = {}", shorten(value)))
        .collect();
    if written.len() > MOST {
        texts.push(format!("and {} more", written.len() - MOST));
    }
    texts.join(", ")
}

/// Lines as text, neighbours joined: `lines 3-5, 9`.
fn lines_text(lines: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => parts.push((line, line)),
        }
    }
    let texts: Vec<String> = parts
        .iter()
        .map(|&(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        })
        .collect();
    match lines.len() {
        0 => "no lines".to_owned(),
        1 => format!("line {}", texts[0]),
        _ => format!("lines {}", texts.join(", ")),
    }
}

/// A copy of a run that is one step behind it while a story is told: the next step is performed there
/// once more, with a record open.
pub(crate) struct Teller<'p> {
    state: Box<State<'p>>,
    /// How often the run had gone back when the copy was made.
    went_back: u32,
    /// Whether tasks wait for each other in a cycle.
    cyclic: bool,
}

impl<'p> State<'p> {
    /// Performs a step and tells it.
    fn tell(&mut self, program: &ModelProgram, time: usize, choice: Choice) -> Macrostep {
        let before = *self.task(choice.process);
        let resumed_at = (before.frame_count > 0).then(|| self.site_of(choice.process));
        let (record, fault) = self.perform_recorded(choice);
        let model = self.universe.model;
        let object = match before.object {
            Some(object) => self.object_text(object),
            None => "main".to_owned(),
        };
        let method = match before.method {
            Some(method) => model.selector(model.method(method).selector).to_owned(),
            None => "main".to_owned(),
        };
        let posted = record.posted.iter().map(|&task| {
            let receiver = self.task(task).object.map_or_else(String::new, |o| self.object_text(o));
            (task, program.process_name(task), receiver)
        });
        Macrostep {
            time,
            choice,
            object,
            task: program.process_name(choice.process),
            method,
            resumed_at,
            lines: self.lines(&record.sites),
            posted: posted.collect(),
            created: record.created.iter().map(|&object| self.object_text(object)).collect(),
            stop: record.stop.expect("a recorded step has stopped"),
            fault,
            output: record.output,
            sites: record.sites,
        }
    }

    fn perform_recorded(&mut self, choice: Choice) -> (Record, Option<String>) {
        let printed = self.log.len();
        self.heap.watch();
        self.record = Some(Box::default());
        self.stack.marks = None;
        self.stack.visited.clear();
        let event = self.step(choice);
        let mut record = *self.record.take().expect("the record is open");
        record.output = self.log[printed..].to_owned();
        record.written = self.written_fields(choice.process);
        if let Some(Stop::Waiting(tasks)) = &mut record.stop {
            *tasks = self.wanted(choice.process);
        }
        (record, event.fault.map(|fault| fault.message))
    }

    /// The fields that the last step wrote; those of the task's own object by their names alone.
    fn written_fields(&self, task: Pid) -> Vec<(String, String)> {
        let own = self.task(task).object;
        let written = self.heap.touched().filter(|(_, written)| *written);
        let named = written.filter_map(|(cell, _)| {
            let Some(Owner::Field(object, number)) = self.universe.names.owner(Location(cell))
            else {
                return None;
            };
            let class = self.universe.model.class(self.universe.class_of(object));
            let field = &class.fields[number as usize].name;
            let name = match own == Some(object) {
                true => field.to_string(),
                false => format!("{}.{field}", self.object_text(object)),
            };
            Some((name, show::shown(&self.universe, &self.heap.cells[cell as usize])))
        });
        named.collect()
    }

    fn object_text(&self, object: ObjectId) -> String {
        self.universe.names.object_text(self.universe.model, object)
    }

    /// The lines of the statements, those of functions left out.
    fn lines(&self, sites: &[Site]) -> Vec<u32> {
        let mut lines = BTreeSet::new();
        for site in sites {
            let body = self.universe.first_sites.partition_point(|&first| first <= site.0) - 1;
            let Some(body) = self.universe.model.bodies.get(body) else { continue };
            if matches!(body.owner, BodyOwner::Function(_)) {
                continue;
            }
            let first = self.universe.first_sites.partition_point(|&first| first <= site.0) - 1;
            let index = (site.0 - self.universe.first_sites[first]) as usize;
            if let Some(statement) = body.statements.get(index) {
                lines.insert(self.universe.model.sources.start(statement.span).line);
            }
        }
        lines.into_iter().collect()
    }

    /// Tells the last step, by performing it again on a copy. The copy is kept for the next step.
    pub fn explain(&self, kept: &mut Option<Teller<'p>>) -> Explanation {
        let Some((choice, before)) = &self.last else { return Explanation::default() };
        let follows = |teller: &Teller<'_>| {
            teller.went_back == self.went_back && teller.state.tally.steps + 1 == self.tally.steps
        };
        if !kept.as_ref().is_some_and(follows) {
            let mut state = Box::new(self.clone());
            state.stack.interrupt = Interrupt::never();
            state.go_back(before);
            let cyclic = state.has_cycle();
            *kept = Some(Teller { state, went_back: self.went_back, cyclic });
        }
        let teller = kept.as_mut().expect("made above");
        let copy = &mut *teller.state;
        let had_cycle = teller.cyclic;
        let (record, fault) = copy.perform_recorded(*choice);
        teller.cyclic = had_cycle || copy.closes_cycle(choice.process.0);
        let model = copy.universe.model;
        let name = |task: Pid| copy.universe.names.task_text(model, task);
        let lines = lines_text(&copy.lines(&record.sites));
        let stop = record.stop.expect("a recorded step has stopped");
        let stop = match (&stop, copy.condition_with_values(choice.process)) {
            (Stop::Waiting(tasks), Some(condition)) if tasks.is_empty() => {
                format!("waiting for {condition}")
            }
            _ => stop_text(&stop, &name),
        };
        let mut text = format!("{} runs {lines}", name(choice.process));
        let decided = copy.decided_last();
        if !decided.is_empty() {
            text += &format!(", where {}", decided.join(" && "));
        }
        if !record.written.is_empty() {
            text += &format!(", sets {}", written_text(&record.written));
        }
        text += &format!(": {stop}");
        match (fault, copy.describe_unexpected()) {
            (Some(_), Some(unexpected)) => text += &format!("; at the end {unexpected}"),
            (Some(fault), None) if !text.contains(&fault) => text += &format!(" ({fault})"),
            _ => {}
        }
        if !had_cycle && teller.cyclic {
            text += "; this closes a cycle of waiting";
        }
        Explanation { text, sites: record.sites, output: record.output, ..Explanation::default() }
    }
}
