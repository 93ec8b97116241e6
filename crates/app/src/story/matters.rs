//! Which steps of a schedule matter to its failure.
//!
//! Where the front end knows what steps depend on, those are the steps of a backward [`slice`]. For those who
//! wait for ever, and for front ends that do not know, a step matters, going back from the failure, if it
//! touches something in conflict with a step of another process that matters, or with its own waiting, or if its
//! process matters later and it touches something that other processes touch too, or decides a branch. What a process
//! does with its own things is left out.

use counterpoint_model::{
    Event, Finding, FindingKind, Footprint, Location, Mode, Op, Pid, Place, Program,
    StepDependences,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Step;
use super::to_come::ToCome;
use super::touched::Touched;
use crate::slice::{Trace, slice};

/// What steps depend on.
pub(super) struct Used {
    pub steps: Vec<StepDependences>,
    /// The steps that have led those who wait at the end to where they wait.
    pub led_here: Vec<usize>,
}

impl Used {
    /// Whether the last step fails and its own operation has nothing to do with that: the failure depends on others alone.
    pub fn only_fails(&self) -> bool {
        let own = self.steps.len().saturating_sub(1);
        let failure = self.steps.last().map_or(&[][..], |last| &last.failure);
        !failure.is_empty() && !failure.contains(&own)
    }
}

/// Where the library is at work with what is nobody's business.
pub(super) struct Insides {
    /// Whether a step is inside of the library, so that it could be left out.
    pub steps: Vec<bool>,
    /// The call by the user's code that such a step belongs to.
    pub calls: Vec<Option<u32>>,
}

/// A schedule as it was told.
#[derive(Clone, Copy)]
pub(super) struct Record<'s> {
    pub program: &'s dyn Program,
    pub events: &'s [Event],
    pub steps: &'s [Step],
    /// The locks that are held at the end, each with the step that took it.
    pub held: &'s [(Location, usize)],
}

impl Record<'_> {
    /// Which steps matter, given what those who wait at the end would touch, and what steps depend on.
    pub fn matters(
        &self,
        finding: &Finding,
        pending: &[Footprint],
        used: Option<&Used>,
        insides: &Insides,
        late: &[Pid],
    ) -> Vec<bool> {
        let Some(last) = self.events.len().checked_sub(1) else { return Vec::new() };
        let slice = |used: &Used, roots: &[usize], reasons: &[usize]| {
            let trace = Trace {
                events: self.events,
                dependences: &used.steps,
                insides: &insides.steps,
                calls: &insides.calls,
                late,
            };
            slice(&trace, roots, reasons)
        };
        match (finding.kind, used) {
            // A state is made by all that led to it.
            (FindingKind::Reached, _) => vec![true; self.events.len()],
            (_, None) => self.conflicting(finding, pending),
            // Who waits for ever waits for what others did not do: nothing of that can be followed.
            (FindingKind::Deadlock | FindingKind::Stuck, Some(used)) => {
                let slice = slice(used, &[], &used.led_here);
                let conflicting = self.conflicting(finding, pending);
                slice.iter().zip(conflicting).map(|(one, other)| *one || other).collect()
            }
            (FindingKind::Race, Some(used)) => {
                let racing = racing(self.events);
                slice(used, &racing, &racing)
            }
            // Whatever its process did before that step and after the failure was on its way, does not matter either.
            (_, Some(used)) if used.only_fails() => {
                let mut matters = slice(used, &[], &used.steps[last].failure);
                matters[last] = true;
                matters
            }
            (_, Some(used)) => slice(used, &[last], &used.steps[last].failure),
        }
    }

    /// The steps in which library code deals with insides of its own, takes or frees a lock, or looks at something
    /// that nobody writes once there are several processes, before or after the failure, so that it could not have found
    /// anything else. And of the
    /// first kind, which call by the user's code they belong to.
    pub fn insides(&self, to_come: &ToCome) -> Insides {
        // As long as there is one process, it writes the same whatever the schedule.
        let alone =
            self.events.iter().take_while(|event| !matches!(event.op, Op::Start(_))).count();
        let writes = self.events[alone..].iter().flat_map(|event| &event.footprint);
        let writes = writes.filter(|access| !access.mode.is_shared()).map(|access| access.location);
        let later = to_come.writes.iter().map(|(_, location, _)| *location);
        let written: FxHashSet<Location> = writes.chain(later).collect();
        let is_inside = |step: &Step, event: &Event| {
            let mut touched = event.footprint.iter().filter(|access| access.mode != Mode::Await);
            let looks = event.footprint.iter().all(|access| access.mode.is_shared());
            let plain = looks || matches!(event.op, Op::Write(_) | Op::Update(_));
            let by_library = !step.within.is_empty() || step.place.line == 0;
            if by_library && matches!(event.op, Op::Acquire(_) | Op::Release(_)) {
                return true;
            }
            by_library
                && touched.all(|access| {
                    plain && !self.program.is_own(access.location)
                        || access.mode == Mode::Read && !written.contains(&access.location)
                })
        };
        let (mut steps, mut calls) = (Vec::new(), Vec::new());
        // The present call of each process: where, of what, and its number.
        let mut present: FxHashMap<Pid, (&Place, &str, u32)> = FxHashMap::default();
        let mut numbers = 0;
        for (step, event) in self.steps.iter().zip(self.events) {
            let inside = is_inside(step, event);
            let called = match present.get(&event.process()) {
                Some(&(place, within, number)) if *place == step.place && within == step.within => {
                    number
                }
                _ => {
                    numbers += 1;
                    present.insert(event.process(), (&step.place, &step.within, numbers));
                    numbers
                }
            };
            let is_call = inside
                && !step.within.is_empty()
                && step.place.line > 0
                && matches!(event.op, Op::Read(_) | Op::Write(_) | Op::Update(_))
                && event.footprint.iter().any(|access| written.contains(&access.location));
            steps.push(inside);
            calls.push(is_call.then_some(called));
        }
        Insides { steps, calls }
    }

    /// Which steps are in conflict with others that matter.
    fn conflicting(&self, finding: &Finding, pending: &[Footprint]) -> Vec<bool> {
        let shared = self.shared_locations();
        // That a process was started before its first step is said by the step that started it.
        let began = |event: &Event, mode: Mode| {
            mode == Mode::Await && matches!(event.op, Op::Read(_) | Op::Write(_) | Op::Update(_))
        };
        let touches_shared = |event: &Event| {
            let mut accesses = event.footprint.iter().filter(|access| !began(event, access.mode));
            accesses.any(|access| shared.contains(&access.location))
        };
        let decides = |event: &Event| matches!(event.op, Op::Branch | Op::Choose(_));
        let mut matters = vec![false; self.events.len()];
        let mut busy: FxHashSet<Pid> = FxHashSet::default();
        let waiting: Vec<Pid> = finding.waiting.iter().map(|waiting| waiting.process).collect();
        let pending = waiting.iter().zip(pending);
        let mut touched = Touched::default();
        pending.for_each(|(&process, footprint)| touched.add(process, true, footprint));
        busy.extend(&waiting);
        let waiting: FxHashSet<Pid> = waiting.into_iter().collect();
        let taking_held: FxHashSet<usize> = self.held.iter().map(|(_, step)| *step).collect();
        // What somebody did not do is explained by what it saw, also after the last step in conflict:
        // who waits for ever waits for what others did not do.
        let absent = matches!(finding.kind, FindingKind::Deadlock | FindingKind::Stuck);
        for index in (0..self.events.len()).rev() {
            let event = &self.events[index];
            let process = event.process();
            let last = index + 1 == self.events.len();
            let failure = event.fault.is_some()
                || (last && !absent)
                || (taking_held.contains(&index) && waiting.contains(&process));
            // What a process alone touches is its own business, unless it waits.
            let waits = matches!(event.op, Op::Wait { .. } | Op::Resume { .. });
            let conflicts = || touched.is_in_conflict(process, waits, &event.footprint);
            let own = busy.contains(&process) && (touches_shared(event) || decides(event))
                || matches!(event.op, Op::Start(child) if busy.contains(&child));
            if failure || own || conflicts() {
                matters[index] = true;
                busy.insert(process);
                touched.add(process, waits, &event.footprint);
            }
        }
        if absent {
            self.add_onlookers(&mut matters);
        }
        matters
    }

    /// Adds the last step of each process left out so far that found something in conflict with a
    /// step that matters: what it saw may be why it did not do more.
    fn add_onlookers(&self, matters: &mut [bool]) {
        let counts = |index: &usize| matters[*index];
        let told: FxHashSet<Pid> = (0..self.events.len())
            .filter(counts)
            .map(|index| self.events[index].process())
            .collect();
        let mut touched = Touched::default();
        for event in (0..self.events.len()).filter(counts).map(|index| &self.events[index]) {
            touched.add(event.process(), false, &event.footprint);
        }
        let mut seen = told;
        for index in (0..self.events.len()).rev() {
            let event = &self.events[index];
            let process = event.process();
            if !seen.contains(&process) && touched.is_in_conflict(process, true, &event.footprint) {
                seen.insert(process);
                matters[index] = true;
            }
        }
    }

    /// Locations that two processes of the story touch, not both only looking.
    fn shared_locations(&self) -> FxHashSet<Location> {
        let mut first: FxHashMap<Location, (Pid, bool)> = FxHashMap::default();
        let mut shared = FxHashSet::default();
        for event in self.events {
            for access in &event.footprint {
                let writes = !access.mode.is_shared();
                let entry = first.entry(access.location).or_insert((event.process(), writes));
                if entry.0 != event.process() && (entry.1 || writes) {
                    shared.insert(access.location);
                }
                entry.1 |= writes;
            }
        }
        shared
    }
}

/// The two steps of a race: the last one, and the last step of another process in conflict with it.
pub(super) fn racing(events: &[Event]) -> Vec<usize> {
    let Some((last, before)) = events.split_last() else { return Vec::new() };
    let rival = before.iter().rposition(|event| {
        let plain = |event: &Event| -> Footprint {
            event.footprint.iter().copied().filter(|access| !access.synchronises).collect()
        };
        event.process() != last.process()
            && counterpoint_model::conflict(&plain(event), &plain(last))
    });
    rival.into_iter().chain([before.len()]).collect()
}
