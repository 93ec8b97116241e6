//! Which tasks a task has started and which of them may still run, at every point where it can stand.
//!
//! **Problem.** Two tasks can wait for each other only if both can be where they wait at the same time.
//!
//! **Idea.** The method-level part of the may-happen-in-parallel analysis of Albert, Flores-Montoya, Genaim
//! (2012), on which the deadlock analysis of the thesis is built. A forward analysis of each context keeps, for each
//! instruction that posts a task, whether the task posted last may be unstarted, running or only finished,
//! and which variables and fields hold its future; and the same without variables for all tasks that the
//! instruction posted earlier. A `get` or an `await` on a variable shows that the task whose future it holds
//! has finished. Where branches meet, a variable still holds the future of a task if it does so on every
//! branch on which the task was posted.
//!
//! Calls inside a task are kept like tasks: while one is on its way it may be anywhere, afterwards it has
//! finished, and what it has started may still run.
//!
//! A task posted to `this` cannot start before this task releases the cog. A field holds what it holds
//! until the cog is released or another method of the task runs.
//!
//! **Exceptions** ([`failures`](super::failures)) end a context where they leave it, and tasks on an object
//! that dies end wherever they stand: its last state then includes all those states.
//!
//! **Cost.** What is known at a point is kept only where several ways lead to it, and what a point has started is a set of
//! numbers that shares what is as at the point before ([`numbers`](super::numbers)).
//!
//! **Invariant.** In whatever state of whatever run a task stands at a point, each task it has started is
//! among those of the point, and as running if it has not finished.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::program::{
    Body, BodyOwner, Builtin, FieldId, GuardPart, Instruction, Operand, Place, SlotId,
};

use super::Parts;
use super::abstraction::ContextId;
use super::failures::Failures;
use super::flow;
use super::numbers::Numbers;
use super::points_to::{InstructionEffect, PointsTo, grow};

/// How far a task may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Progress {
    /// It has certainly not begun.
    Unstarted,
    /// It may be anywhere.
    Running,
    /// It has certainly finished.
    Finished,
}

impl Progress {
    fn join(self, other: Progress) -> Progress {
        if self == other { self } else { Progress::Running }
    }
}

/// Tasks or calls that a point may have started: one of the contexts, or any number of times any of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Started {
    /// What runs.
    pub contexts: SmallVec<[ContextId; 2]>,
    /// How far it may be.
    pub progress: Progress,
    /// Whether there may be several.
    pub many: bool,
}

/// Where a task can stand between two steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// Before its first instruction.
    Entry,
    /// At an instruction that waits, or inside what it calls.
    At(u32),
    /// It has ended.
    Exit,
}

/// What was found out about a context.
#[derive(Clone, Debug, Default)]
pub struct ContextTasks {
    /// What any of its points has started.
    pub started: Vec<Started>,
    /// What has been started, for each point where a task can stand: numbers in that list.
    pub points: BTreeMap<Standing, Numbers>,
    /// The `get`s whose future has certainly been resolved before.
    pub idle_gets: BTreeSet<u32>,
}

/// Where a future is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Holder {
    Slot(SlotId),
    Field(FieldId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum StartKind {
    Post,
    Call,
}

/// What one instruction has started.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct StartedTasks {
    /// The last one and who holds its future.
    last: Option<(Progress, SmallVec<[Holder; 4]>)>,
    /// All before it.
    earlier: Option<Progress>,
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct Facts {
    entries: BTreeMap<(u32, StartKind), StartedTasks>,
    /// Who certainly holds null or a resolved future.
    resolved: BTreeSet<Holder>,
}

/// Analyses all contexts.
pub fn tasks(points: &PointsTo<'_>, failures: &Failures, parts: Parts) -> Vec<ContextTasks> {
    let contexts = points.effects.len();
    let mut releases = vec![false; contexts];
    grow(&mut releases, |index, releases| {
        let body = points.body(ContextId(index as u32));
        let own = body.code.iter();
        own.into_iter().any(|i| matches!(i, Instruction::Await { .. } | Instruction::Suspend))
            || points.effects[index]
                .values()
                .any(|effect| effect.called.iter().any(|called| releases[called.index()]))
    });
    (0..contexts as u32)
        .map(|index| {
            let id = ContextId(index);
            let mut flow = TaskFlow {
                points,
                failures,
                parts,
                id,
                body: points.body(id),
                releases: &releases,
                result: ContextTasks::default(),
                numbers: FxHashMap::default(),
                last: Numbers::default(),
                exit: None,
                orphaned: failures.may_be_orphaned(points, id).then_some(None),
            };
            flow.run();
            flow.result
        })
        .collect()
}

struct TaskFlow<'a, 'm> {
    points: &'a PointsTo<'m>,
    failures: &'a Failures,
    parts: Parts,
    id: ContextId,
    body: &'m Body,
    releases: &'a [bool],
    result: ContextTasks,
    /// The number of what an instruction has started, unless that is nothing.
    numbers: FxHashMap<(u32, StartKind, Progress, bool), Option<u32>>,
    /// What has been started at the point that was noted last.
    last: Numbers,
    exit: Option<Facts>,
    /// What has been started where the task can stand, if it can end wherever it stands.
    orphaned: Option<Option<Facts>>,
}

impl TaskFlow<'_, '_> {
    fn run(&mut self) {
        let body = self.body;
        let mut states: Vec<Option<Facts>> = vec![None; body.code.len()];
        states[0] = Some(Facts::default());
        let ways = flow::ways_to(body);
        let mut due = BTreeSet::from([0]);
        while let Some(index) = due.pop_first() {
            let before = match ways[index] {
                ..=1 => states[index].take(),
                _ => states[index].clone(),
            };
            let Some(before) = before else { continue };
            let raises = self.failures.raises(self.points, self.id, index);
            let (after, raised) = self.perform(index, before, raises);
            let mut flow_to = |to: usize, state: &Facts| {
                if join_into(&mut states[to], state, self.parts) {
                    due.insert(to);
                }
            };
            if raises {
                match flow::handler(body, index) {
                    Some(target) if !matches!(body.code[index], Instruction::Die { .. }) => {
                        for mut state in raised {
                            let slot = body.handler(index as u32).map(|handler| handler.slot);
                            state.forget(slot.map(Holder::Slot));
                            flow_to(target, &state);
                        }
                    }
                    _ => {
                        for state in &raised {
                            join_into(&mut self.exit, state, self.parts);
                        }
                    }
                }
            }
            if let Instruction::Return { .. } = body.code[index] {
                join_into(&mut self.exit, &after, self.parts);
            }
            let mut flow_to = |to: usize, state: Facts| {
                let changed = match &mut states[to] {
                    known @ None => {
                        *known = Some(state);
                        true
                    }
                    known => join_into(known, &state, self.parts),
                };
                if changed {
                    due.insert(to);
                }
            };
            let next = flow::successors(body, index);
            if let Some((&last, others)) = next.split_last() {
                others.iter().for_each(|&next| flow_to(next, after.clone()));
                flow_to(last, after);
            }
        }
        self.finish();
    }

    /// Notes the points.
    fn finish(&mut self) {
        let mut exit = self.exit.take().unwrap_or_default();
        if let BodyOwner::Init(_) = self.body.owner {
            self.post(&mut exit, self.body.code.len() as u32, Progress::Running, None);
        }
        if self.effect(u32::MAX).is_some() {
            exit.start((u32::MAX, StartKind::Call), Progress::Finished, None);
        }
        if let Some(Some(standing)) = self.orphaned.take() {
            let mut all = Some(exit);
            join_into(&mut all, &standing, self.parts);
            exit = all.unwrap_or_default();
        }
        // Whoever comes next may release the cog.
        exit.release();
        self.result.points.insert(Standing::Entry, Numbers::default());
        let started = self.started(&exit);
        self.result.points.insert(Standing::Exit, started);
    }

    fn effect(&self, at: u32) -> Option<&InstructionEffect> {
        self.points.effects[self.id.index()].get(&at)
    }

    /// What a state says has been started.
    fn started(&mut self, state: &Facts) -> Numbers {
        let mut all: Vec<u32> = Vec::new();
        for (&(at, kind), entry) in &state.entries {
            if let Some((progress, _)) = entry.last {
                all.extend(self.number((at, kind, progress, false)));
            }
            if let Some(progress) = entry.earlier {
                all.extend(self.number((at, kind, progress, true)));
            }
        }
        self.last = Numbers::like(&self.last, all);
        self.last.clone()
    }

    /// The number of what an instruction has started, the last one or all before it.
    fn number(&mut self, key: (u32, StartKind, Progress, bool)) -> Option<u32> {
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let (at, kind, progress, many) = key;
        let contexts = self.effect(at).map(|effect| match kind {
            StartKind::Post => &effect.posted,
            StartKind::Call => &effect.called,
        });
        let contexts: SmallVec<[ContextId; 2]> = contexts.into_iter().flatten().copied().collect();
        let number = (!contexts.is_empty()).then(|| {
            self.result.started.push(Started { contexts, progress, many });
            self.result.started.len() as u32 - 1
        });
        self.numbers.insert(key, number);
        number
    }

    /// The task can stand there in this state. Where it comes again it comes with more.
    fn stand(&mut self, at: usize, state: &Facts) {
        let started = self.started(state);
        self.result.points.insert(Standing::At(at as u32), started);
        if let Some(all) = &mut self.orphaned {
            join_into(all, state, self.parts);
        }
    }

    /// The state after an instruction, and the states in which it raises an exception if it may.
    fn perform(
        &mut self,
        index: usize,
        mut state: Facts,
        raises: bool,
    ) -> (Facts, SmallVec<[Facts; 2]>) {
        let at = index as u32;
        let mut raised: SmallVec<[Facts; 2]> = SmallVec::new();
        let note = |raised: &mut SmallVec<[Facts; 2]>, state: &Facts| {
            if raises {
                raised.push(state.clone());
            }
        };
        match self.body.code[index] {
            Instruction::Copy { to, from } => {
                note(&mut raised, &state);
                state.copy(to, from);
            }
            Instruction::Send { to, callee, .. } => {
                // Who constructs an object does not hold its cog.
                let own = callee == Operand::This
                    && self.parts.unstarted
                    && !self.points.constructing[self.id.index()];
                let progress = if own { Progress::Unstarted } else { Progress::Running };
                note(&mut raised, &state);
                state.forget(holder_of_place(to));
                self.post(&mut state, at, progress, holder_of_place(to));
            }
            Instruction::Get { to, future } => {
                if self.parts.awaited_before
                    && holder(future).is_some_and(|holder| state.resolved.contains(&holder))
                {
                    self.result.idle_gets.insert(at);
                } else {
                    self.result.idle_gets.remove(&at);
                    self.stand(index, &state);
                }
                state.wait_for(future, self.parts);
                note(&mut raised, &state);
                state.forget(holder_of_place(to));
            }
            Instruction::Await { guard } => {
                state.release();
                self.stand(index, &state);
                note(&mut raised, &state);
                for part in &self.body.guards[guard.index()].parts {
                    if let GuardPart::Future(operand) = *part {
                        state.wait_for(operand, self.parts);
                    }
                }
            }
            Instruction::Suspend => {
                state.release();
                self.stand(index, &state);
            }
            Instruction::Duration { .. } => self.stand(index, &state),
            Instruction::Builtin { to, builtin, .. } => {
                if builtin == Builtin::Random {
                    self.stand(index, &state);
                }
                note(&mut raised, &state);
                state.forget(holder_of_place(to));
            }
            Instruction::CallMethod { to, .. } | Instruction::CallOwn { to, .. } => {
                note(&mut raised, &state);
                let effect = self.effect(at).cloned().unwrap_or_default();
                if effect.called.iter().any(|called| self.releases[called.index()]) {
                    state.release();
                } else if !effect.called.is_empty() {
                    state.forget_fields();
                }
                let mut during = state.clone();
                if !effect.posted.is_empty() {
                    self.post(&mut during, at, Progress::Running, None);
                    self.post(&mut state, at, Progress::Finished, None);
                }
                if !effect.called.is_empty() {
                    during.start((at, StartKind::Call), Progress::Running, None);
                    state.start((at, StartKind::Call), Progress::Finished, None);
                }
                self.stand(index, &during);
                note(&mut raised, &state);
                state.forget(holder_of_place(to));
            }
            Instruction::New { to, .. } => {
                note(&mut raised, &state);
                // The initialisation may call back.
                state.forget_fields();
                let mut during = state.clone();
                during.start((at, StartKind::Call), Progress::Running, None);
                self.stand(index, &during);
                state.start((at, StartKind::Call), Progress::Finished, None);
                note(&mut raised, &state);
                state.forget(holder_of_place(to));
            }
            other => {
                note(&mut raised, &state);
                if let Some(to) = other.place() {
                    state.forget(holder_of_place(to));
                }
            }
        }
        (state, raised)
    }

    fn post(&self, state: &mut Facts, at: u32, progress: Progress, holder: Option<Holder>) {
        let in_loop = super::groups::repeats(self.points, self.id, at);
        if in_loop && !self.parts.loops {
            // Without the part about loops, nobody knows which of the tasks a variable holds.
            let entry = state.entries.entry((at, StartKind::Post)).or_default();
            entry.earlier = Some(Progress::Running);
            return;
        }
        state.start((at, StartKind::Post), progress, holder);
    }
}

impl Facts {
    /// Something new has been started; what the instruction had started before becomes an earlier one.
    fn start(&mut self, key: (u32, StartKind), progress: Progress, holder: Option<Holder>) {
        let entry = self.entries.entry(key).or_default();
        if let Some((last, _)) = entry.last.take() {
            entry.earlier = Some(entry.earlier.map_or(last, |earlier| earlier.join(last)));
        }
        entry.last = Some((progress, holder.into_iter().collect()));
    }

    /// A place is written.
    fn forget(&mut self, place: Option<Holder>) {
        let Some(place) = place else { return };
        for entry in self.entries.values_mut() {
            if let Some((_, holders)) = &mut entry.last {
                holders.retain(|holder| *holder != place);
            }
        }
        self.resolved.remove(&place);
    }

    fn forget_fields(&mut self) {
        let is_field = |holder: &Holder| matches!(holder, Holder::Field(_));
        for entry in self.entries.values_mut() {
            if let Some((_, holders)) = &mut entry.last {
                holders.retain(|holder| !is_field(holder));
            }
        }
        self.resolved.retain(|holder| !is_field(holder));
    }

    fn copy(&mut self, to: Place, from: Operand) {
        let (source, target) = (holder(from), holder_of_place(to));
        if source.is_some() && source == target {
            return;
        }
        self.forget(target);
        let (Some(source), Some(target)) = (source, target) else {
            return;
        };
        for entry in self.entries.values_mut() {
            if let Some((_, holders)) = &mut entry.last
                && holders.contains(&source)
            {
                holders.push(target);
                holders.sort_unstable();
            }
        }
        if self.resolved.contains(&source) {
            self.resolved.insert(target);
        }
    }

    /// The task may let others run on its cog.
    fn release(&mut self) {
        for entry in self.entries.values_mut() {
            if let Some((progress @ Progress::Unstarted, _)) = &mut entry.last {
                *progress = Progress::Running;
            }
            if let Some(progress @ Progress::Unstarted) = &mut entry.earlier {
                *progress = Progress::Running;
            }
        }
        self.forget_fields();
    }

    /// A future is resolved.
    fn wait_for(&mut self, future: Operand, parts: Parts) {
        let Some(holder) = holder(future) else { return };
        if parts.inside {
            for entry in self.entries.values_mut() {
                if let Some((progress, holders)) = &mut entry.last
                    && holders.contains(&holder)
                {
                    *progress = Progress::Finished;
                }
            }
        }
        self.resolved.insert(holder);
    }
}

/// Adds what a state allows to another; whether that changed it.
fn join_into(known: &mut Option<Facts>, state: &Facts, parts: Parts) -> bool {
    let Some(known) = known else {
        *known = Some(state.clone());
        return true;
    };
    let mut joined = Facts {
        entries: BTreeMap::new(),
        resolved: known.resolved.intersection(&state.resolved).copied().collect(),
    };
    let keys: BTreeSet<_> = known.entries.keys().chain(state.entries.keys()).copied().collect();
    for key in keys {
        let nothing = StartedTasks::default();
        let one = known.entries.get(&key).unwrap_or(&nothing);
        let other = state.entries.get(&key).unwrap_or(&nothing);
        let last = match (&one.last, &other.last) {
            (Some((one, holders)), Some((other, others))) => {
                let both = holders.iter().filter(|holder| others.contains(holder)).copied();
                Some((one.join(*other), both.collect()))
            }
            // Where it was not posted, nobody has to hold its future.
            (Some(last), None) | (None, Some(last)) if parts.conditionals => Some(last.clone()),
            (Some((progress, _)), None) | (None, Some((progress, _))) => {
                Some((*progress, SmallVec::new()))
            }
            (None, None) => None,
        };
        let earlier = match (one.earlier, other.earlier) {
            (Some(one), Some(other)) => Some(one.join(other)),
            (one, other) => one.or(other),
        };
        joined.entries.insert(key, StartedTasks { last, earlier });
    }
    let changed = joined != *known;
    *known = joined;
    changed
}

fn holder(operand: Operand) -> Option<Holder> {
    match operand {
        Operand::Slot(slot) => Some(Holder::Slot(slot)),
        Operand::Field(field) => Some(Holder::Field(field)),
        _ => None,
    }
}

fn holder_of_place(place: Place) -> Option<Holder> {
    match place {
        Place::Nowhere => None,
        Place::Slot(slot) => Some(Holder::Slot(slot)),
        Place::Field(field) => Some(Holder::Field(field)),
    }
}
