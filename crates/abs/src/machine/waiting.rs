//! Who waits for whom, and how a run that cannot go on has ended.
//!
//! A task waits for the task whose result it wants, whether it blocks its cog or has released it, and
//! a task that could go on waits for the task that keeps its cog. All of these must come to pass, so
//! a cycle is a deadlock as soon as it exists, even while other tasks go on (chapter 4.2 of the
//! thesis on active objects; its deadlock chains are the cycles of this graph).

use counterpoint_model::{End, Pid, Site, Waiting};
use smallvec::SmallVec;

use crate::program::{GuardPart, Operand};

use super::record::Stop;
use super::show;
use super::state::{NONE, State, Status, Task};
use super::value::Value;

/// The tasks that one task waits for.
pub(super) type Awaited = SmallVec<[u32; 4]>;

impl State<'_> {
    /// The tasks that must move before this one can.
    pub(super) fn awaited(&self, task: u32) -> Awaited {
        let mut awaited = self.awaited_results(task);
        awaited.extend(self.competitor(task));
        awaited
    }

    /// The task that keeps the cog, if this one needs it to go on.
    pub(super) fn competitor(&self, task: u32) -> Awaited {
        let record = &self.tasks[task as usize];
        let competes = matches!(
            record.status,
            Status::New | Status::Suspended | Status::Awaiting(_) | Status::Guarded
        );
        match self.cogs[record.cog.index()].active {
            active if competes && active != NONE => Awaited::from_slice(&[active]),
            _ => Awaited::new(),
        }
    }

    /// The tasks whose results it waits for.
    pub(super) fn awaited_results(&self, task: u32) -> Awaited {
        let record = &self.tasks[task as usize];
        let mut awaited = Awaited::new();
        match record.status {
            _ if self.is_orphan(record) => {}
            Status::Blocked(other) | Status::Awaiting(other) => awaited.push(other),
            Status::Guarded => {
                let parts = self.waiting_guard(record).map_or(&[][..], |guard| &guard.parts);
                for part in parts {
                    if let GuardPart::Future(operand) = *part
                        && let Value::Future(other) = self.waiting_operand(record, operand)
                    {
                        awaited.push(other.0);
                    }
                }
            }
            _ => {}
        }
        awaited.retain(|other| !self.is_resolved(*other));
        awaited
    }

    /// A cycle of waiting through this task, starting with it.
    fn cycle_through(&self, task: u32) -> Option<Vec<u32>> {
        let mut seen: SmallVec<[u32; 16]> = SmallVec::new();
        let mut path: SmallVec<[(u32, Awaited); 8]> = SmallVec::new();
        path.push((task, self.awaited(task)));
        while let Some((_, awaited)) = path.last_mut() {
            match awaited.pop() {
                Some(next) if next == task => {
                    return Some(path.iter().map(|(task, _)| *task).collect());
                }
                Some(next) if seen.contains(&next) => {}
                Some(next) => {
                    seen.push(next);
                    path.push((next, self.awaited(next)));
                }
                None => {
                    path.pop();
                }
            }
        }
        None
    }

    /// Whether the step that a task has just made closes a cycle. A new cycle goes through that task,
    /// or through a guard that looks at a field.
    pub fn closes_cycle(&self, task: u32) -> bool {
        let waits =
            |status| matches!(status, Status::Blocked(_) | Status::Awaiting(_) | Status::Guarded);
        let status = self.tasks[task as usize].status;
        let guarded = || {
            self.posted.iter().filter(|&&other| {
                other != task && self.tasks[other as usize].status == Status::Guarded
            })
        };
        (waits(status) && self.cycle_through(task).is_some())
            || guarded().any(|&other| self.cycle_through(other).is_some())
    }

    fn has_cycle(&self) -> bool {
        self.posted.iter().any(|&task| self.cycle_through(task).is_some())
    }

    /// The tasks that wait for each other in a cycle, from the least one on.
    pub fn cycle(&self) -> Option<Vec<Pid>> {
        let mut tasks: Vec<u32> = self.posted.clone();
        tasks.sort_unstable();
        let cycle = tasks.into_iter().find_map(|task| self.cycle_through(task))?;
        Some(cycle.into_iter().map(Pid).collect())
    }

    pub fn end(&self) -> End {
        let limited = self.unknowns.as_ref().is_some_and(|unknowns| unknowns.cut.is_some());
        if self.tally.exhausted > 0 || limited {
            return End::Cut;
        }
        let mut waiting = false;
        for &task in &self.posted {
            match self.tasks[task as usize].status {
                Status::Blocked(_) | Status::Sleeping | Status::Choosing(_) | Status::Splitting => {
                    return End::Deadlock;
                }
                status if !status.is_over() => waiting = true,
                _ => {}
            }
        }
        match waiting {
            false => End::Complete,
            true if self.cycle().is_some() => End::Deadlock,
            true => End::Stuck,
        }
    }

    /// What a task that cannot move waits for. Where tasks wait for each other in cycles, only those
    /// are told: the others are not to blame.
    pub fn waiting(&self, task: Pid) -> Option<Waiting> {
        let record = self.task(task);
        if record.status.is_over() {
            return None;
        }
        if self.cycle_through(task.0).is_none() && self.has_cycle() {
            return None;
        }
        let results = self.awaited_results(task.0);
        let name = |other: u32| self.universe.names.task_text(self.universe.model, Pid(other));
        let names = |others: &[u32]| {
            let names: Vec<String> = others.iter().map(|&other| name(other)).collect();
            names.join(" and ")
        };
        let active = self.cogs[record.cog.index()].active;
        let (what, whom) = match record.status {
            Status::Blocked(_) => (format!("the result of {}", names(&results)), results),
            Status::Sleeping => ("time to pass".to_owned(), Awaited::new()),
            Status::Awaiting(_) | Status::Guarded if !results.is_empty() => {
                (format!("{} to finish", names(&results)), results)
            }
            _ if active != NONE && active != task.0 => {
                let whom = Awaited::from_slice(&[active]);
                (format!("its object, which {} blocks", name(active)), whom)
            }
            Status::Guarded => {
                (format!("the condition {}", self.condition_text(record)?), Awaited::new())
            }
            _ => ("its turn".to_owned(), Awaited::new()),
        };
        let whom = whom.into_iter().map(Pid).collect();
        Some(Waiting { process: task, what, whom, site: self.site_of(task) })
    }

    /// The guard that a task waits for, as it is written.
    fn condition_text(&self, record: &Task) -> Option<&str> {
        let guard = self.waiting_guard(record)?;
        let text = self.universe.model.sources.text(guard.span).trim();
        Some(text.strip_prefix("await ").unwrap_or(text).trim_end_matches(';'))
    }

    /// The condition that a task waits for, with the present values of the fields in it.
    pub fn condition_with_values(&self, task: Pid) -> Option<String> {
        let record = self.task(task);
        if record.status != Status::Guarded {
            return None;
        }
        let text = self.condition_text(record)?;
        let (top, _) = self.saved_top(record)?;
        let Value::Object(object) = top.this else { return Some(text.to_owned()) };
        let class = self.universe.model.class(self.universe.class_of(object));
        let mut values = Vec::new();
        for field in &self.waiting_guard(record)?.reads {
            let value = self.waiting_operand(record, Operand::Field(*field));
            let name = &class.fields[field.index()].name;
            values.push(format!("{name} = {}", show::quoted(&self.universe, &value)));
        }
        values.dedup();
        Some(match values.is_empty() {
            true => text.to_owned(),
            false => format!("{text} while {}", values.join(", ")),
        })
    }

    /// The statement that a stopped task is at.
    pub fn site_of(&self, task: Pid) -> Site {
        let record = self.task(task);
        if let Some((top, _)) = self.saved_top(record) {
            return self.universe.site(top.body, top.next);
        }
        let model = self.universe.model;
        let body =
            record.method.map(|method| model.method(method).body).or(self.root).or(model.main);
        body.map_or(Site::default(), |body| self.universe.site(body.0, 0))
    }

    /// Why the running task stops, before it is put away.
    pub fn describe_stop(&self, status: Status) -> Stop {
        let result = || {
            let location = self.tasks[self.current as usize].location;
            show::quoted(&self.universe, &self.heap.cells[location as usize])
        };
        match status {
            Status::Returned => Stop::Returned(result()),
            Status::Failed => Stop::Failed(result()),
            Status::Awaiting(other) => Stop::Waiting(vec![Pid(other)]),
            Status::Guarded => Stop::Waiting(Vec::new()),
            Status::Blocked(other) => Stop::Blocked(Pid(other)),
            Status::Sleeping => Stop::Sleeping,
            Status::Choosing(count) => Stop::Choosing(count),
            Status::Splitting => Stop::Deciding,
            Status::Stopped => Stop::GivenUp,
            Status::Absent | Status::New | Status::Suspended => Stop::Suspended,
        }
    }

    /// The tasks whose results a waiting task wants, for records.
    pub fn wanted(&self, task: Pid) -> Vec<Pid> {
        self.awaited_results(task.0).into_iter().map(Pid).collect()
    }
}
