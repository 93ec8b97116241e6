//! Static analysis of models: which tasks may wait for each other for ever.
//!
//! **Problem.** A model deadlocks only under some schedules. Trying them all may take for ever; an analysis of
//! the code can say that there is no such schedule, or where to look for one.
//!
//! **Idea.** Chapter 4.3.1 of the thesis on active objects, after Flores-Montoya, Albert, Genaim (2013). Four
//! stages, each in a file of its own:
//!
//! | file | answers |
//! |---|---|
//! | [`points_to`] | which objects and tasks may a variable, a field or a result refer to? |
//! | [`tasks`] | which of the tasks that a task has started may still run where it stands? |
//! | [`parallel`] | which points can be occupied at the same time? |
//! | [`graph`] | who may wait for whom, and in which cycles? |
//!
//! [`abstraction`] says what stands for what, [`groups`] which objects are in one cog for sure, [`failures`]
//! where exceptions end tasks early. [`question`] turns cycles into a question about the present state of a run:
//! can it still lead there? [`contexts`] lists states to begin with, and `interfering` the tasks that must be
//! in them for a given cycle to come to be (chapter 5).
//!
//! **Invariant.** Whatever the schedule, the tasks that wait for each other in a cycle of a run occupy all points
//! of a reported cycle at the same time. No cycle and no chain to a condition: no deadlock. Each stage that makes the
//! answer more precise can be switched off ([`Parts`]), and tests show what it is good for.
//!
//! What the invariant does not cover: a task that never ends (a loop that runs on and on is no deadlock, but
//! whoever waits for it does so for ever), and stacks of a million calls.

pub mod abstraction;
pub mod contexts;
pub mod failures;
pub(crate) mod flow;
pub mod graph;
pub mod groups;
mod interfering;
pub mod numbers;
pub mod parallel;
mod picture;
pub mod points_to;
pub mod question;
pub mod report;
pub mod sets;
pub mod tasks;

use crate::program::Model;

use failures::Failures;
use graph::{Graph, graph};
use parallel::Parallel;
use points_to::{Groups, PointsTo, points_to};

/// The parts of the analysis, all of them on unless a test wants to see what one is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parts {
    /// May-happen-in-parallel as a whole.
    pub parallel: bool,
    /// A `get` or `await` shows that a task has finished.
    pub inside: bool,
    /// What a finished task has left running is known from its last state, not assumed to be anything.
    pub between: bool,
    /// In loops, the task posted last is told from the earlier ones.
    pub loops: bool,
    /// Where branches meet, a variable still holds the future of a task posted on one of them.
    pub conditionals: bool,
    /// A `get` of a future that was awaited before does not block.
    pub awaited_before: bool,
    /// A task posted to `this` does not start before the cog is released.
    pub unstarted: bool,
    /// Tasks whose futures are not spread wait for each other only through cogs.
    pub futures: bool,
    /// Objects are known to be single or confined to their cog.
    pub groups: bool,
}

impl Default for Parts {
    fn default() -> Parts {
        Parts {
            parallel: true,
            inside: true,
            between: true,
            loops: true,
            conditionals: true,
            awaited_before: true,
            unstarted: true,
            futures: true,
            groups: true,
        }
    }
}

/// How to analyse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settings {
    /// How many ancestors tell abstract objects apart.
    pub context: usize,
    /// What to make use of.
    pub parts: Parts,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { context: 1, parts: Parts::default() }
    }
}

/// What was found out about a model.
pub struct Analysis<'m> {
    /// Objects, contexts and what refers to what.
    pub points: PointsTo<'m>,
    /// Who may wait for whom.
    pub graph: Graph,
}

/// Analyses a model from its main block on; nothing if it has none.
pub fn analyse(model: &Model, settings: Settings) -> Option<Analysis<'_>> {
    let main = model.main?;
    let Settings { context, parts } = settings;
    let mut points = points_to(model, main, context, Groups::default());
    if parts.groups {
        let known = groups::groups(&points);
        points = points_to(model, main, context, known);
    }
    let failures = Failures::of(&points);
    let tasks = tasks::tasks(&points, &failures, parts);
    let mut parallel = Parallel::new(tasks, parts);
    let graph = graph(&points, &mut parallel, parts);
    Some(Analysis { points, graph })
}

/// Whether an exception that nobody catches may kill an object of a model.
pub fn objects_may_die(model: &Model) -> bool {
    let Some(main) = model.main else { return false };
    let points = points_to(model, main, Settings::default().context, Groups::default());
    Failures::of(&points).any_object_dies()
}
