//! Who may come to call an object: the way of references between tasks.
//!
//! **Problem.** Whether others may post a task to a cog decides whether a task there can be disturbed. By classes alone
//! everybody who calls one of many alike objects may call them all.
//!
//! **Idea.** To call an object one needs a reference to it. A task *holds* a cog if a reference to an object there can be
//! followed from its variables, its arguments and its objects, through data, fields and results of tasks that
//! have ended. References travel from a task that holds the cog in three ways: into fields, which are read by tasks of the same
//! objects; as arguments to tasks that it posts; and as results. So another task may come to hold the cog if
//! it runs on a cog with objects of a class that a holder runs on or may post to, if it may post a task to such an
//! object, or if it may look at a holder's result. Tasks that are not there yet are posted by some that are, whose code
//! ahead includes theirs ([`Ahead`](crate::analysis::question::Ahead)), and futures of such tasks travel as other
//! values do. The cog can be called by holders, and only by those with a call of its classes ahead.
//!
//! **Invariant.** Unless [`State::may_be_called_by_others`] says so, no task posts another to the cog as long as one that is
//! given does not move.
//!
//! **Cost.** At most [`MOST_VALUES`] values for each task; who holds more is taken to hold every cog.

use smallvec::SmallVec;

use crate::analysis::question::body_bit;

use super::relevance::Candidate;
use super::state::{CogId, State, Task};
use super::value::{ObjectId, Value};

/// A task from which more values can be reached than this may hold any cog.
const MOST_VALUES: usize = 256;

/// The cogs that a task holds; none if there may be any.
type Held = Option<SmallVec<[CogId; 16]>>;

/// For each open task the cogs that it holds, found out when somebody asks.
#[derive(Default)]
pub(super) struct References {
    held: Vec<Held>,
}

impl State<'_> {
    /// Whether others may post a task to the cog of one before that one moves.
    pub(super) fn may_be_called_by_others(
        &self,
        task: u32,
        tasks: &[Candidate],
        references: &mut References,
    ) -> bool {
        if references.held.is_empty() {
            let held = |other: &Candidate| self.held_cogs(&self.tasks[other.task as usize]);
            references.held = tasks.iter().map(held).collect();
        }
        let cog = self.tasks[task as usize].cog;
        let holds = |held: &Held| held.as_ref().is_none_or(|cogs| cogs.contains(&cog));
        let mut holders: SmallVec<[bool; 32]> = SmallVec::new();
        for (other, held) in tasks.iter().zip(&references.held) {
            holders.push(other.task != task && holds(held));
        }
        self.pass_references(task, tasks, &mut holders);
        let classes = self.classes_on(&[cog]);
        let mut all = tasks.iter().zip(&holders);
        all.any(|(other, holds)| *holds && other.ahead.posts & classes != 0)
    }

    /// Adds the tasks that may come to hold what others do.
    fn pass_references(&self, task: u32, tasks: &[Candidate], holders: &mut [bool]) {
        let mut count = 0;
        while holders.iter().filter(|holds| **holds).count() > count {
            count = holders.iter().filter(|holds| **holds).count();
            let (mut classes, mut bodies) = (0, 0);
            for (other, _) in tasks.iter().zip(&*holders).filter(|(_, holds)| **holds) {
                classes |= self.classes_on(&[other.cog]) | other.ahead.posts;
                bodies |= body_bit(self.first_body(&self.tasks[other.task as usize]));
            }
            for (other, holds) in tasks.iter().zip(&mut *holders) {
                *holds |= other.task != task
                    && ((self.classes_on(&[other.cog]) | other.ahead.posts) & classes != 0
                        || other.ahead.awaits & bodies != 0);
            }
        }
    }

    /// The cogs of all objects to which references can be followed from what a task has.
    fn held_cogs(&self, record: &Task) -> Held {
        let first = record.frames as usize;
        let frames = &self.saved_frames[first..first + record.frame_count as usize];
        let in_frames = frames.iter().map(|frame| frame.values as usize).sum::<usize>();
        let slots = &self.saved_values[record.values as usize..][..in_frames];
        let arguments = if frames.is_empty() { self.arguments(record) } else { &[] };
        let own = record.object.map(Value::Object);
        let objects = frames.iter().map(|frame| &frame.this).chain(&own);
        let mut left: SmallVec<[&Value; 32]> =
            slots.iter().chain(arguments).chain(objects).collect();
        let mut seen: SmallVec<[ObjectId; 16]> = SmallVec::new();
        let mut cogs: SmallVec<[CogId; 16]> = SmallVec::new();
        let mut looked_at = 0;
        while let Some(value) = left.pop() {
            looked_at += 1;
            if looked_at + left.len() > MOST_VALUES {
                return None;
            }
            match value {
                Value::Object(object) if !seen.contains(object) => {
                    seen.push(*object);
                    let cog = self.objects[object.index()].cog;
                    if !cogs.contains(&cog) {
                        cogs.push(cog);
                    }
                    left.extend(self.fields(*object).map(|cell| &self.heap.cells[cell as usize]));
                }
                Value::Future(other) if self.is_resolved(other.0) => {
                    left.push(&self.heap.cells[self.task(*other).location as usize]);
                }
                Value::Data(data) => left.extend(data.arguments.iter()),
                Value::Unknown(_) => return None,
                _ => {}
            }
        }
        Some(cogs)
    }
}
