//! Who may come to call an object or to look at a future: the way of references between tasks.
//!
//! **Problem.** Whether others may post a task to a cog, or look at a result, decides whether tasks there can be disturbed.
//! By classes and methods alone, everybody who calls one of many alike objects may call them all.
//!
//! **Idea.** To call an object one needs a reference to it, and so with a future. A task *holds* what can be followed from its
//! variables, its arguments and its objects, through data, fields and results of tasks that have ended. References travel from a
//! task that holds them in three ways: into fields, which are read by tasks of the same objects; as arguments
//! to tasks that it posts; and as results. So another task may come to hold them if it runs on a cog with objects
//! of a class that a holder runs on or may post to, if it may post a task to such an object, or if it may look at a
//! holder's result. Tasks that are not there yet are posted by some that are, whose code ahead includes theirs
//! ([`Ahead`](crate::analysis::question::Ahead)), and references to their objects and results travel as others do.
//!
//! **Invariant.** Who is not named by [`State::possible_holders`], and who is posted by such a task, has no reference to an
//! object of the cog nor to one of the futures, as long as none of the tasks moves that are said not to.
//!
//! **Cost.** At most [`MOST_VALUES`] values for each task; who has more is taken to hold everything.

use smallvec::SmallVec;

use crate::analysis::question::body_bit;

use super::relevance::Candidate;
use super::state::{CogId, State, Task};
use super::value::{ObjectId, Value};

/// A task from which more values can be reached than this may hold any cog.
const MOST_VALUES: usize = 256;

/// What a task holds: the cogs of objects, and futures that are not resolved.
#[derive(Default)]
struct Held {
    cogs: SmallVec<[CogId; 16]>,
    futures: SmallVec<[u32; 16]>,
}

/// For each open task what it holds, found out when somebody asks; none if that may be anything.
#[derive(Default)]
pub(super) struct References {
    held: Vec<Option<Held>>,
}

impl State<'_> {
    /// For each task whether it may come to hold an object of a cog or one of some futures, before one of the tasks moves that
    /// are said not to.
    pub(super) fn possible_holders(
        &self,
        cog: CogId,
        futures: &[u32],
        unmoved: &[u32],
        tasks: &[Candidate],
        references: &mut References,
    ) -> SmallVec<[bool; 32]> {
        if references.held.is_empty() {
            let held = |other: &Candidate| self.held(&self.tasks[other.task as usize]);
            references.held = tasks.iter().map(held).collect();
        }
        let holds = |held: &Option<Held>| match held {
            None => true,
            Some(held) => {
                held.cogs.contains(&cog) || held.futures.iter().any(|one| futures.contains(one))
            }
        };
        let moves = |other: &Candidate| !unmoved.contains(&other.task);
        let all = tasks.iter().zip(&references.held);
        let mut holders = all.map(|(other, held)| moves(other) && holds(held)).collect();
        self.pass_references(&moves, tasks, &mut holders);
        holders
    }

    /// Adds the tasks that may come to hold what others do.
    fn pass_references(
        &self,
        moves: &dyn Fn(&Candidate) -> bool,
        tasks: &[Candidate],
        holders: &mut SmallVec<[bool; 32]>,
    ) {
        let classes_of = |one: &Candidate| self.classes_on(&[one.cog]) | one.ahead.posts;
        let mut count = 0;
        while holders.iter().filter(|holds| **holds).count() > count {
            count = holders.iter().filter(|holds| **holds).count();
            let (mut classes, mut bodies) = (0, 0);
            for (other, _) in tasks.iter().zip(&*holders).filter(|(_, holds)| **holds) {
                classes |= classes_of(other);
                bodies |= body_bit(self.first_body(&self.tasks[other.task as usize]));
            }
            for (other, holds) in tasks.iter().zip(holders.iter_mut()) {
                *holds |= moves(other)
                    && (classes_of(other) & classes != 0 || other.ahead.awaits & bodies != 0);
            }
        }
    }

    /// What can be followed from what a task has; none if that is much.
    fn held(&self, record: &Task) -> Option<Held> {
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
        let mut held = Held::default();
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
                    if !held.cogs.contains(&cog) {
                        held.cogs.push(cog);
                    }
                    left.extend(self.fields(*object).map(|cell| &self.heap.cells[cell as usize]));
                }
                Value::Future(other) if self.is_resolved(other.0) => {
                    left.push(&self.heap.cells[self.task(*other).location as usize]);
                }
                Value::Future(other) => held.futures.push(other.0),
                Value::Data(data) => left.extend(data.arguments.iter()),
                Value::Unknown(_) => return None,
                _ => {}
            }
        }
        Some(held)
    }
}
