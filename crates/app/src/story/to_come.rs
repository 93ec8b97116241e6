//! What would have happened after a failure.
//!
//! **Problem.** A failure may be due to what has not happened yet: an object was used before its maker had set it up. No
//! step of the schedule says so.
//!
//! **Idea.** After the failure each process that can still move goes on alone, and those that come to write what the failure
//! depends on are told, with the place.

use counterpoint_model::{Choice, Event, Interrupt, Location, Op, Pid, Program, Run, Site};
use rustc_hash::FxHashSet;

use super::LateProcess;
use super::teller::is_over;
use crate::slice::writes_to;

/// How far a process goes on after a failure to see what it would have written.
const STEPS_TO_COME: usize = 2_000;

/// What processes would do after the failure, each alone.
#[derive(Default)]
pub(super) struct ToCome {
    /// Who writes what, where first.
    pub writes: Vec<(Pid, Location, Site)>,
    /// Those that could have begun and have not.
    pub not_begun: Vec<Pid>,
}

impl ToCome {
    /// Lets each process go on alone after the failure. The run is of no use afterwards.
    pub fn after(events: &[Event], run: &mut dyn Run, interrupt: &Interrupt) -> ToCome {
        let failed = events.last().map(Event::process);
        let begun: FxHashSet<Pid> = events.iter().map(Event::process).collect();
        let mut to_come = ToCome::default();
        let mut seen: FxHashSet<(Pid, Location)> = FxHashSet::default();
        for process in (0..run.processes()).map(Pid).filter(|&process| Some(process) != failed) {
            if run.is_ready(process) && !begun.contains(&process) {
                to_come.not_begun.push(process);
            }
            for step in 0..STEPS_TO_COME {
                if is_over(interrupt, step) || !run.is_ready(process) {
                    break;
                }
                let alternative = run.alternatives(process).preferred;
                let event = run.step(Choice { process, alternative });
                if let Op::Write(location) | Op::Update(location) = event.op
                    && seen.insert((process, location))
                {
                    to_come.writes.push((process, location, event.site));
                }
            }
        }
        to_come
    }

    /// Those who have yet to write what a step that matters has read.
    pub fn late(
        &self,
        program: &dyn Program,
        events: &[Event],
        matters: &[bool],
    ) -> Vec<(Pid, LateProcess)> {
        let read = |index: usize| match events[index].op {
            Op::Read(location) if matters[index] => Some(location),
            _ => None,
        };
        let read: FxHashSet<Location> = (0..events.len()).filter_map(read).collect();
        let mut late: Vec<(Pid, LateProcess)> = Vec::new();
        for &(process, location, site) in &self.writes {
            let told = late.iter().any(|(known, _)| *known == process);
            if told || !read.contains(&location) || !program.is_own(location) {
                continue;
            }
            let wrote = |event: &Event| event.process() == process && writes_to(event, location);
            if events.iter().any(wrote) {
                continue;
            }
            let told = LateProcess {
                not_begun: self.not_begun.contains(&process),
                what: program.location_name(location),
                place: program.place(site),
                ..LateProcess::not_begun(program, process)
            };
            late.push((process, told));
        }
        late
    }
}
