//! Who waits for whom, and how a run that cannot go on has ended.
//!
//! A task waits for the task whose result it wants, whether it blocks its cog or has released it, and
//! a task that could go on waits for the task that keeps its cog. All of these must come to pass, so
//! a cycle is a deadlock as soon as it exists, even while other tasks go on (chapter 4.2 of the
//! thesis on active objects; its deadlock chains are the cycles of this graph).

use std::borrow::Cow;
use std::rc::Rc;

use counterpoint_model::{End, Pid, Site, Waiting};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::diagnostics::shorten;
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
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut path: SmallVec<[(u32, Awaited); 8]> = SmallVec::new();
        path.push((task, self.awaited(task)));
        while let Some((_, awaited)) = path.last_mut() {
            match awaited.pop() {
                Some(next) if next == task => {
                    return Some(path.iter().map(|(task, _)| *task).collect());
                }
                Some(next) if !seen.insert(next) => {}
                Some(next) => {
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
    /// or through a guard that looks at a field to which the step has written a future.
    pub fn closes_cycle(&self, task: u32) -> bool {
        let waits =
            |status| matches!(status, Status::Blocked(_) | Status::Awaiting(_) | Status::Guarded);
        let status = self.tasks[task as usize].status;
        let guarded = || {
            let others = self.live.open().filter(|&other| other != task);
            others.filter(|&other| self.tasks[other as usize].status == Status::Guarded)
        };
        (waits(status) && self.cycle_through(task).is_some())
            || self.may_redirect_guards()
                && guarded().any(|other| self.cycle_through(other).is_some())
    }

    /// Whether guards may look at other futures than before the last step.
    fn may_redirect_guards(&self) -> bool {
        let is_future = |cell: u32| matches!(self.heap.cells[cell as usize], Value::Future(_));
        let mut touched = self.heap.touched();
        // What is decided about unknowns is not written.
        self.unknowns.is_some() || touched.any(|(cell, written)| written && is_future(cell))
    }

    /// The tasks that wait for each other in some cycle, found once for a state. They do so for ever unless somebody is
    /// killed. So if it is known who did before the last step, only what that can have closed is looked for: who asks
    /// after each step, as stories do, does not have to look at all tasks each time.
    fn cyclic(&self) -> &Rc<FxHashSet<u32>> {
        self.cyclic.get_or_init(|| match (&self.was_cyclic, &self.last) {
            (Some(before), Some((last, _)))
                if !self.killed && !self.closes_cycle(last.process.0) =>
            {
                debug_assert_eq!(
                    **before,
                    self.find_cyclic(),
                    "only the last step can close a cycle"
                );
                Rc::clone(before)
            }
            _ => Rc::new(self.find_cyclic()),
        })
    }

    /// The same, if somebody has asked since the run went back last.
    pub(super) fn known_cyclic(&self) -> Option<Rc<FxHashSet<u32>>> {
        let is_known = self.was_cyclic.is_some() || self.cyclic.get().is_some();
        is_known.then(|| Rc::clone(self.cyclic()))
    }

    /// The tasks in cycles are those whose strongly connected components have several members, or that
    /// wait for themselves (Tarjan 1972).
    fn find_cyclic(&self) -> FxHashSet<u32> {
        let mut cyclic = FxHashSet::default();
        let mut lowest: FxHashMap<u32, u32> = FxHashMap::default();
        let mut component: Vec<u32> = Vec::new();
        let mut closed: FxHashSet<u32> = FxHashSet::default();
        // A task, its number in the order of meeting, and whom it waits for and was not looked at.
        let mut path: Vec<(u32, u32, Awaited)> = Vec::new();
        for root in self.live.open() {
            if lowest.contains_key(&root) {
                continue;
            }
            let number = lowest.len() as u32;
            lowest.insert(root, number);
            component.push(root);
            path.push((root, number, self.awaited(root)));
            while let Some((task, number, awaited)) = path.last_mut() {
                let (task, number) = (*task, *number);
                if let Some(next) = awaited.pop() {
                    if next == task {
                        cyclic.insert(task);
                    }
                    match lowest.get(&next) {
                        None => {
                            let number = lowest.len() as u32;
                            lowest.insert(next, number);
                            component.push(next);
                            path.push((next, number, self.awaited(next)));
                        }
                        Some(_) if closed.contains(&next) => {}
                        Some(&low) => {
                            let own = lowest.entry(task).or_insert(number);
                            *own = low.min(*own);
                        }
                    }
                    continue;
                }
                path.pop();
                let low = lowest[&task];
                if let Some((above, _, _)) = path.last() {
                    let own = lowest.get_mut(above).expect("it was met");
                    *own = low.min(*own);
                }
                if low == number {
                    let first = component.iter().rposition(|&other| other == task);
                    let members = component.split_off(first.expect("it was met"));
                    if members.len() > 1 {
                        cyclic.extend(&members);
                    }
                    closed.extend(members);
                }
            }
        }
        cyclic
    }

    /// Whether tasks wait for each other in a cycle.
    pub fn has_cycle(&self) -> bool {
        !self.cyclic().is_empty()
    }

    /// The tasks that wait for each other in a cycle, from the least one on.
    pub fn cycle(&self) -> Option<Vec<Pid>> {
        let cycle = self.cycle_through(*self.cyclic().iter().min()?)?;
        Some(cycle.into_iter().map(Pid).collect())
    }

    pub fn end(&self) -> End {
        let limited = self.unknowns.as_ref().is_some_and(|unknowns| unknowns.cut.is_some());
        if self.tally.exhausted > 0 || limited {
            return End::Cut;
        }
        let mut waiting = false;
        for task in self.candidates() {
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
            true if self.has_cycle() => End::Deadlock,
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
        if self.has_cycle() && !self.cyclic().contains(&task.0) {
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
        Some(Waiting { process: task, what, whom, site: self.site_of(task), looping: false })
    }

    /// The guard that a task waits for, as it is written.
    fn condition_text(&self, record: &Task) -> Option<Cow<'_, str>> {
        let guard = self.waiting_guard(record)?;
        let text = self.universe.model.sources.text(guard.span).trim();
        let text = text.strip_prefix("await ").unwrap_or(text).trim_end_matches(';');
        Some(shorten(text, 500))
    }

    /// The condition that a task waits for, with the present values of the fields in it.
    pub fn condition_with_values(&self, task: Pid) -> Option<String> {
        let record = self.task(task);
        if record.status != Status::Guarded {
            return None;
        }
        let text = self.condition_text(record)?;
        let (top, _) = self.saved_top(record)?;
        let Value::Object(object) = top.this else { return Some(text.into_owned()) };
        let class = self.universe.model.class(self.universe.class_of(object));
        let mut values = Vec::new();
        for field in &self.waiting_guard(record)?.reads {
            let value = self.waiting_operand(record, Operand::Field(*field));
            let name = &class.fields[field.index()].name;
            values.push(format!("{name} = {}", show::shown(&self.universe, &value)));
        }
        values.dedup();
        Some(match values.is_empty() {
            true => text.into_owned(),
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
            show::shown(&self.universe, &self.heap.cells[location as usize])
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
