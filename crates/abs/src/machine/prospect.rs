//! Who waits where in a cycle, and whether the run can still come to a given one.
//!
//! The question is asked by [`DeadlockQuestion`]; here it is answered for the present state. Tasks that wait for each
//! other in a cycle, and those that wait for them, will never move again: what they could have come to
//! does not count. So after a deadlock the run goes on as long as another one of those asked for may follow.

use counterpoint_model::{End, Pid, Prospect};
use smallvec::SmallVec;

use crate::analysis::question::{Ahead, DeadlockQuestion, Goal, Waits};
use crate::program::{BodyId, GuardPart, Operand};

use super::state::{State, Status, Task};
use super::waiting::Awaited;

/// Some tasks, usually few.
pub(super) type Tasks = SmallVec<[u32; 16]>;

/// A task that waits in a cycle.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CycleWait {
    /// The task.
    pub task: Pid,
    /// The body it stands in.
    pub body: BodyId,
    /// The instruction it stands at; none if it has not begun.
    pub instruction: Option<u32>,
    /// The tasks whose results it waits for, with their bodies; none if it waits for its cog alone.
    pub awaited: Vec<(Pid, BodyId)>,
}

/// Which arrows of the waiting count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrows {
    /// All there are now.
    Present,
    /// Those that stay until the awaited task has ended. Not those of an `await` that looks at a future in
    /// a field, since another task may put another future there; and not those of any `await` if objects
    /// may die, since a task whose object has died waits no longer.
    Lasting,
}

impl DeadlockQuestion {
    /// The waits that a deadlock shows.
    pub(super) fn waits_of(&self, group: &[CycleWait]) -> Waits {
        let mut waits = 0;
        for member in group {
            let Some(instruction) = member.instruction else { continue };
            for (bit, wait) in self.at(member.body.0, instruction) {
                let fits = |(_, body): &(Pid, BodyId)| wait.awaited.contains(body);
                if member.awaited.iter().any(fits) {
                    waits |= bit;
                }
            }
        }
        waits
    }
}

impl State<'_> {
    /// The groups of tasks that wait for each other, each from its least task on.
    pub fn deadlocks(&self, arrows: Arrows) -> Vec<Vec<CycleWait>> {
        let mut tasks: Vec<u32> = self.posted.clone();
        tasks.sort_unstable();
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let reached: Vec<_> = tasks.iter().map(|&task| self.waited_for(task, arrows)).collect();
        for (index, &task) in tasks.iter().enumerate() {
            if !reached[index].contains(&task) || groups.iter().flatten().any(|&t| t == task) {
                continue;
            }
            let mutual = |&(other, reach): &(usize, &Tasks)| {
                reached[index].contains(&tasks[other]) && reach.contains(&task)
            };
            let members = reached.iter().enumerate().filter(mutual);
            groups.push(members.map(|(other, _)| tasks[other]).collect());
        }
        groups
            .into_iter()
            .map(|group| group.into_iter().map(|task| self.cycle_wait(task)).collect())
            .collect()
    }

    /// Whether some tasks wait for each other and will do so for ever.
    pub fn is_deadlocked(&self) -> bool {
        let waits = |&&task: &&u32| {
            let status = self.tasks[task as usize].status;
            matches!(status, Status::Blocked(_) | Status::Awaiting(_) | Status::Guarded)
        };
        let mut waiting = self.posted.iter().filter(waits);
        waiting.any(|&task| self.waited_for(task, Arrows::Lasting).contains(&task))
    }

    /// The tasks that one waits for, through others or not.
    fn waited_for(&self, task: u32, arrows: Arrows) -> Tasks {
        let mut seen = Tasks::new();
        let mut next = 0;
        let mut from = Some(task);
        while let Some(task) = from {
            let awaited = match arrows {
                Arrows::Present => self.awaited(task),
                Arrows::Lasting => self.lastingly_awaited(task),
            };
            for other in awaited {
                if !seen.contains(&other) {
                    seen.push(other);
                }
            }
            from = seen.get(next).copied();
            next += 1;
        }
        seen
    }

    /// The tasks that one waits for until they have ended.
    fn lastingly_awaited(&self, task: u32) -> Awaited {
        let status = self.tasks[task as usize].status;
        let changes = match status {
            Status::Awaiting(_) | Status::Guarded => {
                self.looks_at_field(task) || self.program.objects_may_die()
            }
            _ => false,
        };
        if changes { self.competitor(task) } else { self.awaited(task) }
    }

    /// Whether a task waits for a future that it reads from a field.
    fn looks_at_field(&self, task: u32) -> bool {
        let record = &self.tasks[task as usize];
        record.status == Status::Guarded
            && self.waiting_guard(record).is_some_and(|guard| {
                let field = |part: &GuardPart| matches!(part, GuardPart::Future(Operand::Field(_)));
                guard.parts.iter().any(field)
            })
    }

    fn cycle_wait(&self, task: u32) -> CycleWait {
        let record = &self.tasks[task as usize];
        let (body, instruction) = match self.saved_top(record) {
            Some((top, _)) => (BodyId(top.body), Some(top.next)),
            None => (self.first_body(record), None),
        };
        let awaited = self.awaited_results(task);
        let awaited = awaited
            .into_iter()
            .map(|other| (Pid(other), self.first_body(&self.tasks[other as usize])));
        CycleWait { task: Pid(task), body, instruction, awaited: awaited.collect() }
    }

    /// The body that a task begins with.
    pub(super) fn first_body(&self, record: &Task) -> BodyId {
        let model = self.universe.model;
        let main = model.main.unwrap_or(BodyId(0));
        record.method.map_or(main, |method| model.method(method).body)
    }

    /// Whether the run can still come to what is asked for.
    pub fn prospect(&self, question: &DeadlockQuestion) -> Prospect {
        if question.anything {
            return Prospect::Open;
        }
        let deadlocked = self.is_deadlocked();
        let deadlocks = if deadlocked { self.deadlocks(Arrows::Lasting) } else { Vec::new() };
        let shown = deadlocks.iter().map(|group| question.waits_of(group));
        let reached = shown.into_iter().any(|waits| {
            question.goals.iter().any(|goal| goal.is_cycle && goal.waits & !waits == 0)
        });
        if reached && question.first_only {
            return Prospect::Reached;
        }
        let open = self.is_open(question, &deadlocks);
        match (open, reached) {
            (true, _) if self.is_over() => match self.shown_goals(question).is_empty() {
                true => Prospect::Closed,
                false => Prospect::Reached,
            },
            (true, _) => Prospect::Open,
            (false, true) => Prospect::Reached,
            (false, false) => Prospect::Closed,
        }
    }

    /// Whether nobody can move.
    fn is_over(&self) -> bool {
        !self.posted.iter().any(|&task| self.next(Pid(task)).is_ready())
    }

    /// The goals that the state shows, by their numbers. One that ends at a condition is shown only where nobody
    /// can move and somebody stands at each of its waits.
    pub fn shown_goals(&self, question: &DeadlockQuestion) -> Vec<usize> {
        let deadlocks = self.deadlocks(Arrows::Present);
        let mut standing = 0;
        for &task in &self.posted {
            standing |= self.waits_at(question, task, &self.tasks[task as usize]);
        }
        // Somebody blocks, and not because of a cycle.
        let by_condition = deadlocks.is_empty() && self.is_over() && self.end() == End::Deadlock;
        let is_shown = |goal: &Goal| match goal.is_cycle {
            true => deadlocks.iter().any(|group| goal.waits & !question.waits_of(group) == 0),
            false => by_condition && goal.waits & !standing == 0,
        };
        let goals = question.goals.iter().enumerate();
        goals.filter(|(_, goal)| is_shown(goal)).map(|(index, _)| index).collect()
    }

    /// Whether some goal may come to be that is not there already. Tasks that wait for others in a
    /// deadlock stay where they are; they can be part of another one only if they wait for somebody
    /// outside as well.
    fn is_open(&self, question: &DeadlockQuestion, deadlocks: &[Vec<CycleWait>]) -> bool {
        let stuck = self.stuck_tasks(deadlocks);
        let (mut standing, mut moving) = (0, 0);
        for &task in &self.posted {
            let record = &self.tasks[task as usize];
            if record.status.is_over() {
                continue;
            }
            if !stuck.contains(&task) {
                moving |= self.waits_at(question, task, record);
                moving |= self.ahead(question, record).waits;
            } else if self.lastingly_awaited(task) != self.awaited(task)
                || !self.waited_for(task, Arrows::Present).iter().all(|task| stuck.contains(task))
            {
                standing |= self.waits_at(question, task, record);
            }
        }
        question.goals.iter().any(|goal| {
            goal.waits & !(standing | moving) == 0 && (goal.waits & moving != 0 || goal.waits == 0)
        })
    }

    /// The waits that a task is at.
    pub(super) fn waits_at(&self, question: &DeadlockQuestion, task: u32, record: &Task) -> Waits {
        let Some((top, _)) = self.saved_top(record) else { return 0 };
        if matches!(record.status, Status::Suspended | Status::Splitting) || record.status.is_over()
        {
            return 0;
        }
        let awaited = self.awaited_results(task);
        let mut waits = 0;
        for (bit, wait) in question.at(top.body, top.next) {
            let fits =
                |other: &u32| wait.awaited.contains(&self.first_body(&self.tasks[*other as usize]));
            // A field may hold another future by the time it is looked at again.
            if record.status == Status::Guarded || awaited.iter().any(fits) {
                waits |= bit;
            }
        }
        waits
    }

    /// What a task may come to when it moves on.
    pub(super) fn ahead(&self, question: &DeadlockQuestion, record: &Task) -> Ahead {
        let model = self.universe.model;
        let first = record.frames as usize;
        let frames = &self.saved_frames[first..first + record.frame_count as usize];
        let Some((top, below)) = frames.split_last() else {
            return question.from(self.first_body(record).0, 0);
        };
        let mut ahead = match record.status {
            // It goes on with the instruction that it stands at.
            Status::Suspended | Status::Splitting => question.from(top.body, top.next),
            _ => question.behind(model, top.body, top.next),
        };
        for frame in below {
            ahead |= question.behind(model, frame.body, frame.next);
        }
        ahead
    }

    /// The tasks that wait in a deadlock or, through others or not, for some that do.
    fn stuck_tasks(&self, deadlocks: &[Vec<CycleWait>]) -> Tasks {
        self.with_waiting(deadlocks.iter().flatten().map(|wait| wait.task.0).collect())
    }

    /// Some tasks and those that, through others or not, wait for them: none of the latter moves before one of the
    /// former has.
    pub(super) fn with_waiting(&self, mut tasks: Tasks) -> Tasks {
        let mut before = 0;
        while tasks.len() > before {
            before = tasks.len();
            for task in self.live.open() {
                let waits = |task| self.lastingly_awaited(task).iter().any(|o| tasks.contains(o));
                if !tasks.contains(&task) && waits(task) {
                    tasks.push(task);
                }
            }
        }
        tasks
    }
}
