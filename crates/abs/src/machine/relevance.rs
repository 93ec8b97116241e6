//! Which tasks need not go first in a search for a cycle of waiting.
//!
//! **Problem.** Tasks that write to a log, count or report come in every order, and no order of theirs makes a
//! difference to a deadlock among others. A search for that deadlock that runs them pays for all their orders. And of
//! tasks that matter many will not be disturbed by anybody, whether they go now or later.
//!
//! **Idea.** Two reasons, both looked up in the code that is ahead of each task ([`Ahead`]), anew at each state.
//!
//! *A cone of influence.* A task matters if one of the waits asked for is ahead of it or it stands at one; if it shares
//! its cog with a task that matters; if one of the two waits for the other's result or may come to do so; or if it may
//! post a task to an object whose cog has one that matters. Take a run from here to a cycle that is asked for. Its
//! first step of a task that matters can come first: the steps before it are on other cogs, post nothing to its cog,
//! and neither resolve what it looks at nor look at what it resolves. There is such a step unless the cycle is closed already: a cycle asked for contains a
//! task that matters, whoever it waits for matters, too, and so on round the cycle; so if no such task moves,
//! nobody in the cycle does. A task may come to matter later, when another that does is posted to its object.
//!
//! *Undisturbed cogs.* Take the open tasks of a cog, and all others that do not wait for one of them, through
//! others or not. Suppose that none of these others may post a task to the cog or look at a result of its tasks
//! ([`reach`](super::reach)), but for a spectator, and that neither the tasks of the cog nor its objects hold a future that is not
//! resolved. Then, as long as no task of the cog moves, no task is added to it, none becomes able to move or unable,
//! each does the same as now, and nothing that others do depends on it. So in a run to what is asked for the first step of a
//! task of the cog can come first; and if there is none, any task of it that can move can go before that run, which it
//! does not disturb. The tasks of the cog that can move go first, alone: a persistent set (Godefroid 1996). If they
//! sleep, they would sleep for ever, and so all that follows is known.
//!
//! *Spectators.* The main block has no object. If it puts no object on its cog, nobody else ever runs there, nothing that
//! it reads can be changed, nobody waits for its end, and what it does for others is to create objects and post tasks.
//! To have more of both, or earlier, keeps nobody from anything: a task that is posted need not begin. So take a run
//! to a cycle that is asked for and let the main block go as far as it can before all else, and again whenever it goes on
//! in that run. It is always at least as far as there: what it passes there is resolved here by then, too, since the
//! others do what they did, and a wait that it does not pass here is not passed there either. So others do the same, and the
//! cycle is closed, also if the main block has a part in it. Therefore a spectator that can move goes first, alone;
//! and whether it finds a future resolved or waits for it makes no difference to others.
//!
//! **Invariant.** Every cycle asked for that can be reached can be reached with a step of one of the tasks that are left.
//! This needs cycles that stay once they are there ([`DeadlockQuestion::leaves_out`] says so), and tasks that compete for
//! nothing but cogs: no clock and no order of arrival.
//!
//! **Cost.** For each state a few looks at each open task and each object, and at the values of tasks that are alone; those
//! of all tasks if one that is alone could be called, by its class.

use counterpoint_model::Pid;
use smallvec::SmallVec;

use crate::analysis::question::{Ahead, DeadlockQuestion, body_bit, class_bit};

use super::options::Reduction;
use super::prospect::Tasks;
use super::reach::References;
use super::state::{CogId, State, Task};
use super::value::{ObjectId, Value};

/// A task that holds more values than this is not searched for futures.
const MOST_VALUES: usize = 64;

/// A task that is not over.
pub(super) struct Candidate {
    pub task: u32,
    pub cog: CogId,
    pub ahead: Ahead,
    matters: bool,
}

impl State<'_> {
    /// Leaves only tasks one of which goes first on some way to what is asked for.
    pub fn retain_first_steps(&self, question: &DeadlockQuestion, ready: &mut Vec<Pid>) {
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
        if ready.len() > 1 {
            self.retain_undisturbed(question, ready, &tasks);
        }
    }

    /// Leaves only the main block or the tasks of one cog, if they may as well go before all others.
    fn retain_undisturbed(
        &self,
        question: &DeadlockQuestion,
        ready: &mut Vec<Pid>,
        all: &[Candidate],
    ) {
        let is_main = |task: u32| self.tasks[task as usize].method.is_none();
        let is_spectator = |task| question.main_stays_alone && is_main(task);
        if let Some(&spectator) = ready.iter().find(|task| is_spectator(task.0)) {
            ready.clear();
            return ready.push(spectator);
        }
        let cog_of = |task: &Pid| self.tasks[task.index()].cog;
        let mut cogs: SmallVec<[(usize, CogId); 16]> = SmallVec::new();
        for cog in ready.iter().map(cog_of) {
            match cogs.iter_mut().find(|(_, known)| *known == cog) {
                Some((count, _)) => *count += 1,
                None => cogs.push((1, cog)),
            }
        }
        cogs.sort_by_key(|(count, _)| *count);
        let mut references = References::default();
        let fewer = cogs.iter().filter(|(count, _)| *count < ready.len()).map(|(_, cog)| *cog);
        let mut candidates = fewer.into_iter();
        let found =
            candidates.find(|&cog| self.is_undisturbed(cog, all, &is_spectator, &mut references));
        if let Some(cog) = found {
            ready.retain(|task| cog_of(task) == cog);
        }
    }

    /// Whether nothing that others do can make a difference to the next steps on a cog, nor these to theirs.
    fn is_undisturbed(
        &self,
        cog: CogId,
        all: &[Candidate],
        is_spectator: &dyn Fn(u32) -> bool,
        references: &mut References,
    ) -> bool {
        let own = || all.iter().filter(|other| other.cog == cog);
        if own().any(|own| self.may_hold_open_future(&self.tasks[own.task as usize])) {
            return false;
        }
        let members: Tasks = own().map(|own| own.task).collect();
        let record = |task: u32| &self.tasks[task as usize];
        let bodies =
            members.iter().fold(0, |bits, &own| bits | body_bit(self.first_body(record(own))));
        let classes = self.classes_on(&[cog]);
        // Who looks at a result goes on at once, or not, by who goes first.
        let looks =
            |other: &Candidate| other.ahead.awaits & bodies != 0 && !is_spectator(other.task);
        let disturbs = |other: &Candidate| other.ahead.posts & classes != 0 || looks(other);
        let waiting = self.with_waiting(members.clone());
        let moving = |other: &&Candidate| !waiting.contains(&other.task);
        if !all.iter().filter(moving).any(disturbs) {
            return true;
        }
        let holders = self.possible_holders(cog, &members, &waiting, all, references);
        !all.iter().zip(holders).any(|(other, holds)| holds && disturbs(other))
    }

    /// Whether a task, or an object on its cog, may hold a future that is not resolved.
    fn may_hold_open_future(&self, record: &Task) -> bool {
        let first = record.frames as usize;
        let frames = &self.saved_frames[first..first + record.frame_count as usize];
        let in_frames = frames.iter().map(|frame| frame.values as usize).sum::<usize>();
        let slots = &self.saved_values[record.values as usize..][..in_frames];
        let arguments = if frames.is_empty() { self.arguments(record) } else { &[] };
        let objects = self.created.iter().copied();
        let own = objects.filter(|object| self.objects[object.index()].cog == record.cog);
        let fields = own.flat_map(|object| self.fields(object));
        let fields = fields.map(|cell| &self.heap.cells[cell as usize]);
        let mut left: SmallVec<[&Value; 32]> =
            slots.iter().chain(arguments).chain(fields).take(MOST_VALUES + 1).collect();
        let mut looked_at = 0;
        while let Some(value) = left.pop() {
            looked_at += 1;
            match value {
                _ if looked_at > MOST_VALUES => return true,
                Value::Future(task) if !self.is_resolved(task.0) => return true,
                Value::Unknown(_) => return true,
                Value::Data(data) => left.extend(data.arguments.iter()),
                _ => {}
            }
        }
        false
    }

    /// The classes of the objects on some cogs, as bits.
    pub(super) fn classes_on(&self, cogs: &[CogId]) -> u128 {
        let here = |object: &&_| cogs.contains(&self.objects[ObjectId::index(**object)].cog);
        let objects = self.created.iter().filter(here);
        objects.fold(0, |bits, &object| bits | class_bit(self.universe.class_of(object)))
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
            let body = |task: u32| body_bit(self.first_body(&self.tasks[task as usize]));
            let bodies = cone().fold(0, |bits, task| bits | body(task.task));
            let awaits = cone().fold(0, |bits, task| bits | task.ahead.awaits);
            let awaited: SmallVec<[u32; 16]> =
                cone().flat_map(|task| self.awaited_results(task.task)).collect();
            let classes = self.classes_on(&cogs);
            for task in tasks.iter_mut().filter(|task| !task.matters) {
                task.matters = cogs.contains(&task.cog)
                    || task.ahead.posts & classes != 0
                    || body(task.task) & awaits != 0
                    || task.ahead.awaits & bodies != 0
                    || awaited.contains(&task.task);
            }
        }
    }
}
