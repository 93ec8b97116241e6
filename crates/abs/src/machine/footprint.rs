//! What steps touch, by the level of reduction; the [module header](super) has the rules.

use counterpoint_model::{Access, Event, Footprint, Location, Mode, Pid};

use crate::program::{GuardPart, Operand};

use super::names::GLOBAL;
use super::options::Reduction;
use super::state::{NONE, State, Status, Task};
use super::value::Value;

/// How a task that goes on behind a guard has touched a future: one in a field may have been another
/// one before, so the task could have gone on earlier.
pub(super) fn awaiting_mode(operand: Operand) -> Mode {
    match operand {
        Operand::Field(_) => Mode::Read,
        _ => Mode::Await,
    }
}

/// From so many accesses on they are looked up and not searched through.
const MANY: usize = 32;

fn key(location: Location, mode: Mode) -> (u32, u8) {
    (location.0, mode as u8)
}

impl State<'_> {
    /// Whether something else than an `Await` could have kept the task from moving earlier.
    pub(super) fn is_guarded(&self, task: &Task) -> bool {
        let decides = self.unknowns.is_some() && self.reduction == Reduction::None;
        if self.timed || self.is_ordered() || decides {
            return true;
        }
        let waits = matches!(task.status, Status::Awaiting(_) | Status::Guarded);
        if waits && self.is_orphan(task) {
            return true;
        }
        let was_kept = self.cogs[task.cog.index()].was_kept;
        match task.status {
            Status::Blocked(_) | Status::Choosing(_) => false,
            Status::Splitting => self.reduction == Reduction::None,
            Status::Guarded => {
                was_kept
                    || self.waiting_guard(task).is_none_or(|guard| {
                        !guard.reads.is_empty()
                            || !guard.parts.iter().all(|p| matches!(p, GuardPart::Future(_)))
                    })
            }
            _ => was_kept,
        }
    }

    /// Notes an access besides those to fields.
    #[inline]
    pub(super) fn access(&mut self, location: u32, mode: Mode) {
        let location = Location(location);
        if self.accesses.len() >= MANY {
            return self.access_one_more(location, mode);
        }
        let known = self.accesses.iter().any(|access| {
            access.location == location
                && (access.mode == mode || (access.mode == Mode::Write && mode == Mode::Read))
        });
        if !known {
            self.accesses.push(Access::synchronising(location, mode));
        }
    }

    /// The same, when there are many already.
    #[cold]
    fn access_one_more(&mut self, location: Location, mode: Mode) {
        if self.known_accesses.is_empty() {
            let keys = self.accesses.iter().map(|access| key(access.location, access.mode));
            self.known_accesses.extend(keys);
        }
        let written =
            mode == Mode::Read && self.known_accesses.contains(&key(location, Mode::Write));
        if !written && self.known_accesses.insert(key(location, mode)) {
            self.accesses.push(Access::synchronising(location, mode));
        }
    }

    pub(super) fn fill_footprint(&self, before: &Task, event: &mut Event) {
        let synchronising = Access::synchronising;
        let cog = Location(self.cogs[before.cog.index()].location);
        let footprint = &mut event.footprint;
        match self.reduction {
            Reduction::None => footprint.push(synchronising(GLOBAL, Mode::Write)),
            Reduction::Object => footprint.push(synchronising(cog, Mode::Write)),
            Reduction::Field | Reduction::Exact => {
                let kept = self.cogs[before.cog.index()].active != NONE
                    || matches!(
                        before.status,
                        Status::Blocked(_)
                            | Status::Sleeping
                            | Status::Choosing(_)
                            | Status::Splitting
                    );
                let mode = if kept || self.killed { Mode::Write } else { Mode::Read };
                footprint.push(synchronising(cog, mode));
                for (cell, written) in self.heap.touched() {
                    let mode = if written { Mode::Write } else { Mode::Read };
                    footprint.push(synchronising(Location(cell), mode));
                }
            }
        }
        footprint.extend(self.accesses.iter().copied());
        if let (Some(unknowns), true) = (&self.unknowns, self.reduction != Reduction::None) {
            // What a step that was cut would have touched is not known: it depends on everything.
            let mode = if self.cuts { Mode::Write } else { Mode::Read };
            footprint.push(synchronising(GLOBAL, mode));
            for (unknown, bound) in unknowns.touched() {
                let location = self.universe.names.unknown(unknown);
                let mode = if bound { Mode::Write } else { Mode::Read };
                footprint.push(synchronising(Location(location), mode));
            }
        }
    }

    /// What could let a task go on, and what its next step will touch in any case.
    pub(super) fn anticipate(&self, process: Pid) -> Footprint {
        let task = self.task(process);
        let mut footprint = Footprint::new();
        let mut add = |location: u32, mode| {
            footprint.push(Access::synchronising(Location(location), mode));
        };
        let cog = self.cogs[task.cog.index()].location;
        let watches = matches!(self.reduction, Reduction::Field | Reduction::Exact);
        let keeps = matches!(
            task.status,
            Status::Blocked(_) | Status::Sleeping | Status::Choosing(_) | Status::Splitting
        );
        match self.reduction {
            Reduction::None => add(GLOBAL.0, Mode::Write),
            Reduction::Object => add(cog, Mode::Write),
            Reduction::Field | Reduction::Exact if keeps => add(cog, Mode::Write),
            Reduction::Field | Reduction::Exact => add(cog, Mode::Read),
        }
        if self.unknowns.is_some() && self.reduction != Reduction::None {
            add(GLOBAL.0, Mode::Read);
        }
        match task.status {
            _ if self.is_orphan(task) => {}
            Status::New if process != Pid::MAIN => add(task.location, Mode::Await),
            Status::Awaiting(other) | Status::Blocked(other) => {
                add(self.tasks[other as usize].location, Mode::Await);
            }
            Status::Guarded => {
                let Some(guard) = self.waiting_guard(task) else { return footprint };
                if let (true, Some((top, _))) = (watches, self.saved_top(task))
                    && let Value::Object(object) = top.this
                {
                    let first = self.universe.fields_of(object);
                    for field in &guard.reads {
                        add(first + u32::from(field.0), Mode::Read);
                    }
                }
                for part in &guard.parts {
                    if let GuardPart::Future(operand @ (Operand::Slot(_) | Operand::Field(_))) =
                        *part
                        && let Value::Future(other) = self.waiting_operand(task, operand)
                    {
                        add(self.tasks[other.index()].location, awaiting_mode(operand));
                    }
                }
            }
            _ => {}
        }
        footprint
    }
}
