//! Which tasks may have a part in what the run is explored for.
//!
//! **Problem.** Tasks that write to a log, count or report come in every order, and no order of theirs makes a
//! difference to a deadlock among others. A search for that deadlock that runs them pays for all their orders.
//!
//! **Idea.** A cone of influence, drawn anew at each state. A task is in it if one of the waits asked for is ahead of
//! it or it stands at one; if it shares its cog with a task in the cone; if a task in the cone waits for its result or
//! may come to do so; or if it may post a task to an object whose cog has a task in the cone. What may be ahead
//! is looked up in the code ([`Ahead`]).
//!
//! **Why the others need not run.** Take a run from here to a cycle that is asked for. Its first step of a task in
//! the cone can come first: the steps before it are on other cogs, post nothing to its cog, and resolve
//! nothing that it looks at. There is such a step unless the cycle is closed already: a cycle asked for
//! contains a task in the cone, whoever it waits for is in the cone, too, and so on round the cycle; so
//! if no task in the cone moves, nobody in the cycle does. A task outside may come into the cone later, when a task
//! that matters is posted to its object; then it runs.
//!
//! **Invariant.** Every cycle asked for that can be reached can be reached through steps of tasks in the cone alone. This
//! needs cycles that stay once they are there ([`Question::leaves_out`] says so), and tasks that compete for
//! nothing but cogs: no clock and no order of arrival.
//!
//! **Cost.** For each state a few looks at each open task and each object.

use counterpoint_model::Pid;
use smallvec::SmallVec;

use crate::analysis::question::{Ahead, Question, body_bit, class_bit};

use super::options::Reduction;
use super::state::{CogId, State};


/// A task that is not over.
struct Candidate {
    task: u32,
    cog: CogId,
    ahead: Ahead,
    matters: bool,
}

impl State<'_> {
    /// Leaves only tasks that may have a part in what is asked for.
    pub fn retain_relevant(&self, question: &Question, ready: &mut Vec<Pid>) {
        let every_step_counts = self.reduction == Reduction::None;
        if !question.leaves_out || every_step_counts || self.timed || self.is_ordered() {
            return;
        }
        if self.unknowns.is_some() || ready.is_empty() {
            return;
        }
        let mut tasks: SmallVec<[Candidate; 16]> = SmallVec::new();
        let wanted = question.goals.iter().fold(0, |waits, goal| waits | goal.waits);
        for task in self.live.open() {
            let record = &self.tasks[task as usize];
            let ahead = self.ahead(question, record);
            let matters = (ahead.waits | self.waits_at(question, task, record)) & wanted != 0;
            tasks.push(Candidate { task, cog: record.cog, ahead, matters });
        }
        self.close_cone(&mut tasks);
        let matters = |task: u32| tasks.iter().any(|other| other.task == task && other.matters);
        ready.retain(|process| matters(process.0));
    }

    /// Adds the tasks on which those that matter may depend.
    fn close_cone(&self, tasks: &mut [Candidate]) {
        let mut looked_at = 0;
        loop {
            let cone = || tasks.iter().filter(|task| task.matters);
            let count = cone().count();
            if count == looked_at || count == tasks.len() {
                return;
            }
            looked_at = count;
            let cogs: SmallVec<[CogId; 16]> = cone().map(|task| task.cog).collect();
            let awaits = cone().fold(0, |bits, task| bits | task.ahead.awaits);
            let awaited: SmallVec<[u32; 16]> =
                cone().flat_map(|task| self.awaited_results(task.task)).collect();
            let mut classes = 0;
            for &object in &self.created {
                if cogs.contains(&self.objects[object.index()].cog) {
                    classes |= class_bit(self.universe.class_of(object));
                }
            }
            for task in tasks.iter_mut().filter(|task| !task.matters) {
                let body = self.first_body(&self.tasks[task.task as usize]);
                task.matters = cogs.contains(&task.cog)
                    || task.ahead.posts & classes != 0
                    || body_bit(body) & awaits != 0
                    || awaited.contains(&task.task);
            }
        }
    }
}
