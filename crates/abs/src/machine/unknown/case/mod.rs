//! A run with unknowns that has ended, as a test case.
//!
//! A test case has the initial state and the arguments twice: as far as the path knows them, and as
//! values that satisfy the path condition. Values are made from the model of the path: small numbers if
//! there are any, the least constructor for data that nothing has looked at, null for references that
//! nothing has used, and an object of a class that fits for references that are known to differ.
//!
//! **Invariant.** All inputs that agree with the condition take this path under this schedule, and the
//! values do agree.

mod condition;
mod least;
mod writer;

use std::collections::BTreeSet;

use counterpoint_model::{End, Input, Pid, Run, Waiting};
use counterpoint_symbolic::Term;

use crate::analysis::abstraction::Point;
use crate::machine::show;
use crate::machine::state::{Life, State, Status};
use crate::machine::value::ObjectId;
use crate::program::{BodyId, ClassId};

use super::context::{Datum, Subject};
use super::{Cut, Unknowns};

use writer::Writer;

/// A test case.
#[derive(Clone, Debug, PartialEq)]
pub struct TestCase {
    /// The tasks it begins with.
    pub tasks: Vec<TaskCase>,
    /// All objects: those of the initial state first, then those that the run has created.
    pub objects: Vec<ObjectCase>,
    /// What is assumed of the initial state. What a number must be is said in place of what is known
    /// of it only.
    pub condition: Vec<String>,
    /// What was decided on the way, in that order, each with the number of steps performed before.
    pub decisions: Vec<(u32, String)>,
    /// How the execution ended.
    pub outcome: Outcome,
    /// What failed or waits, if something does.
    pub message: Option<String>,
    /// The condition on numbers, Booleans and the numbers of references and strings.
    pub constraints: Vec<Term>,
    /// Instructions on the path.
    pub instructions: u64,
}

/// What a run from a context has come to.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// A test. Its values and words are made only for this.
    Test(Box<TestCase>),
    /// It was ended by a limit, while frames of its tasks stood at these places, which are noted only of programs that are
    /// [watched](counterpoint_model::Program::watch).
    Cut(Cut, BTreeSet<Point>),
}

impl Ended {
    /// What a run has come to, if it began with a context.
    pub fn of(run: &dyn Run) -> Option<Ended> {
        run.details()?.downcast::<Ended>().ok().map(|ended| *ended)
    }
}

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// All tasks have returned.
    Returned,
    /// Tasks wait for each other.
    Deadlock,
    /// Tasks wait for conditions that nobody makes true.
    Stuck,
    /// A task has ended with an exception that nobody caught.
    Failure,
}

impl Outcome {
    /// The word in result files.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Returned => "returned",
            Outcome::Deadlock => "deadlock",
            Outcome::Stuck => "stuck",
            Outcome::Failure => "failure",
        }
    }
}

/// A value as far as the path knows it, and one that it can be.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The parameter or field.
    pub name: String,
    /// As far as it is known.
    pub known: Datum,
    /// A value.
    pub value: Datum,
}

/// A task that a test case begins with.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskCase {
    /// What it runs.
    pub subject: Subject,
    /// Its arguments.
    pub arguments: Vec<Slot>,
    /// How it ended.
    pub end: TaskEnd,
}

/// How a task ended.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskEnd {
    /// It returned this.
    Returned(Slot),
    /// It failed with this exception.
    Failed(Slot),
    /// It has not ended.
    Waiting,
}

/// An object of a test case.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectCase {
    /// What it is called.
    pub name: String,
    /// Its class.
    pub class: ClassId,
    /// What references to it are in the condition; zero is null.
    pub code: u64,
    /// Its fields at first; none if the run has created it.
    pub before: Option<Vec<Slot>>,
    /// Its fields at the end.
    pub after: Vec<Slot>,
    /// Whether it has died.
    pub dead: bool,
}

/// A field of an object.
pub type FieldCase = Slot;

impl State<'_> {
    /// The inputs of the path with their present values, by name.
    pub(in crate::machine) fn model_inputs(&self) -> Vec<Input> {
        let Some(unknowns) = &self.unknowns else { return Vec::new() };
        let path = unknowns.path();
        let inputs = path
            .model()
            .iter()
            .map(|(name, value)| Input { name: name.to_owned(), value: value.to_string() });
        inputs.collect()
    }

    /// What the run has come to; nothing without a context.
    pub(in crate::machine) fn ended(&self) -> Option<Ended> {
        match self.cut() {
            Some(cut) => self.context.map(|_| Ended::Cut(cut, self.frame_places())),
            None => self.test_case().map(|case| Ended::Test(Box::new(case))),
        }
    }

    /// Where the frames of tasks stand that are not over, and of one that was cut.
    fn frame_places(&self) -> BTreeSet<Point> {
        let mut places = BTreeSet::new();
        if self.stack.marks.is_none() {
            return places;
        }
        if let Some(unknowns) = &self.unknowns {
            places.extend(&unknowns.cut_at);
        }
        for &task in &self.posted {
            let record = &self.tasks[task as usize];
            if record.status.is_over() {
                continue;
            }
            let first = record.frames as usize;
            let frames = &self.saved_frames[first..first + record.frame_count as usize];
            places.extend(
                frames
                    .iter()
                    .map(|frame| Point { body: BodyId(frame.body), instruction: frame.next }),
            );
            if frames.is_empty() {
                places.insert(Point { body: self.first_body(record), instruction: 0 });
            }
        }
        places
    }

    /// What has ended the run before its end, if anything has.
    fn cut(&self) -> Option<Cut> {
        if self.tally.exhausted > 0 {
            let what = "a step runs on and on without releasing its object";
            return Some(Cut::Unsupported(what.to_owned()));
        }
        let unknowns = self.unknowns.as_ref()?;
        unknowns.cut.clone().or_else(|| {
            let waits = self.waits_for_others(unknowns) && self.ending() == Outcome::Stuck;
            waits.then_some(Cut::Switches)
        })
    }

    /// The run as it stands as a test case; nothing without a context.
    pub(in crate::machine) fn test_case(&self) -> Option<TestCase> {
        let context = self.context?;
        let mut writer = Writer::new(self);
        let outcome = self.ending();
        let mut objects: Vec<ObjectCase> = Vec::new();
        let initial: Vec<ObjectId> = writer.initial.clone();
        for &object in &initial {
            objects.push(writer.object(object));
        }
        let mut tasks = Vec::new();
        for task in &context.tasks {
            tasks.push(writer.task(task));
        }
        writer.find_anonymous(&mut objects);
        let mut created: Vec<ObjectId> =
            self.created.iter().copied().filter(|object| !initial.contains(object)).collect();
        created.sort_by(|a, b| self.universe.compare_objects(*a, *b));
        // Their numbers follow those of all objects of the initial state.
        writer.created = created.clone();
        writer.first_created = objects.len();
        for &object in &initial {
            let number = writer.number(object);
            objects[number].after = writer.after(object);
        }
        for (number, task) in context.tasks.iter().enumerate() {
            tasks[number].end = writer.end(number, task);
        }
        for object in created {
            let after = writer.after(object);
            objects.push(ObjectCase {
                name: writer.created_name(object),
                class: self.universe.class_of(object),
                code: 0,
                before: None,
                after,
                dead: self.objects[object.index()].life == Life::Dead,
            });
        }
        let (condition, decisions) = writer.condition();
        Some(TestCase {
            tasks,
            objects,
            condition,
            decisions,
            outcome,
            message: self.message(outcome, &writer),
            constraints: self
                .unknowns
                .as_ref()
                .map_or_else(Vec::new, |unknowns| unknowns.path().constraints().to_vec()),
            instructions: self.unknowns.as_ref().map_or(0, |unknowns| unknowns.instructions),
        })
    }

    /// What the last step has decided about unknown things, in words.
    pub(in crate::machine) fn decided_last(&self) -> Vec<String> {
        if self.unknowns.is_none() || self.context.is_none() {
            return Vec::new();
        }
        let last = self.tally.steps.saturating_sub(1);
        let (_, decisions) = Writer::new(self).condition();
        decisions.into_iter().filter(|(step, _)| *step == last).map(|(_, text)| text).collect()
    }

    fn ending(&self) -> Outcome {
        match self.end() {
            End::Deadlock => return Outcome::Deadlock,
            End::Stuck if !self.has_failed() => return Outcome::Stuck,
            End::Stuck | End::Complete | End::Cut => {}
        }
        if self.has_failed() { Outcome::Failure } else { Outcome::Returned }
    }

    fn has_failed(&self) -> bool {
        self.posted.iter().any(|&task| self.tasks[task as usize].status == Status::Failed)
    }

    fn message(&self, outcome: Outcome, writer: &Writer<'_, '_>) -> Option<String> {
        match outcome {
            Outcome::Returned => None,
            Outcome::Failure => self.posted.iter().find_map(|&task| {
                let record = &self.tasks[task as usize];
                (record.status == Status::Failed).then(|| {
                    let value = &self.heap.cells[record.location as usize];
                    show::exception(&self.universe, &writer.plain(value))
                })
            }),
            Outcome::Deadlock | Outcome::Stuck => {
                let names = &self.universe.names.processes;
                let mut waiting: Vec<Waiting> =
                    (0..self.tally.processes).filter_map(|task| self.waiting(Pid(task))).collect();
                // The numbers of tasks depend on what was explored before.
                waiting.sort_by(|one, other| names.compare_processes(one.process, other.process));
                let parts: Vec<String> = waiting
                    .into_iter()
                    .map(|waiting| {
                        let model = self.universe.model;
                        let name = self.universe.names.task_text(model, waiting.process);
                        format!("{name} waits for {}", waiting.what)
                    })
                    .collect();
                Some(parts.join("; "))
            }
        }
    }

    /// Whether a task waits for a condition on an object of the initial state, so that somebody who is
    /// not part of the test could still let it go on.
    fn waits_for_others(&self, unknowns: &Unknowns) -> bool {
        if unknowns.criteria.all_ends || unknowns.criteria.switches.is_none() {
            return false;
        }
        self.posted.iter().any(|&task| {
            let record = &self.tasks[task as usize];
            record.status == Status::Guarded
                && record.object.is_some_and(|object| unknowns.is_initial(object))
        })
    }
}
