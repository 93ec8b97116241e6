//! No data race.
//!
//! Two accesses to one location race if one of them writes, both are plain, and synchronisation
//! does not order them. The order is not the happens-before relation of the trace, in which the two
//! accesses themselves are an edge: only synchronising accesses (locks, volatile variables, starts
//! and joins) pass clocks on here. One pass over an execution finds its races; an explorer that
//! covers every trace therefore finds every race of the program.
//!
//! **Cost.** Per execution, the number of accesses times the number of processes.

use counterpoint_model::{Access, FindingKind, Mode, Op};
use rustc_hash::FxHashMap;

use super::{Execution, Failure, Property};

/// The property, with tables that are reused from execution to execution.
#[derive(Default)]
pub struct NoRace {
    processes: Vec<Vec<u32>>,
    locations: FxHashMap<u32, Location>,
}

#[derive(Default)]
struct Location {
    /// What the last synchronising exclusive touches pass on, and the shared ones.
    released: Vec<u32>,
    shared: Vec<u32>,
    /// Plain accesses that a later one may race with: event, process, number there, writes.
    recent: Vec<Recent>,
}

struct Recent {
    event: usize,
    process: usize,
    number: u32,
    writes: bool,
}

impl Property for NoRace {
    fn check(&mut self, execution: &Execution<'_>, report: &mut dyn FnMut(Failure)) {
        self.processes.clear();
        self.locations.clear();
        for (index, event) in execution.events.iter().enumerate() {
            let process = event.process().index();
            if self.processes.len() <= process {
                self.processes.resize(process + 1, Vec::new());
            }
            let mut clock = std::mem::take(&mut self.processes[process]);
            if clock.len() <= process {
                clock.resize(process + 1, 0);
            }
            clock[process] += 1;
            // A volatile write tells later readers and learns nothing; a volatile read the reverse.
            let learns = !matches!(event.op, Op::Write(_));
            let tells = !matches!(event.op, Op::Read(_));
            for access in event.footprint.iter().filter(|access| access.synchronises && learns) {
                self.receive(*access, &mut clock);
            }
            for access in event.footprint.iter().filter(|access| !access.synchronises) {
                let writes = !access.mode.is_shared();
                let location = self.locations.entry(access.location.0).or_default();
                for other in location.recent.iter().filter(|other| other.writes || writes) {
                    let known = clock.get(other.process).copied().unwrap_or(0);
                    if other.process != process && known < other.number {
                        report(failure(execution, other.event, index, *access, other.writes));
                    }
                }
                location.recent.retain(|other| other.process != process || other.writes != writes);
                let number = clock[process];
                location.recent.push(Recent { event: index, process, number, writes });
            }
            for access in event.footprint.iter().filter(|access| access.synchronises && tells) {
                self.send(*access, &clock);
            }
            self.processes[process] = clock;
        }
    }
}

impl NoRace {
    /// What an access learns: a shared one from the exclusive ones before it, an exclusive one from
    /// all.
    fn receive(&mut self, access: Access, clock: &mut Vec<u32>) {
        let Some(location) = self.locations.get(&access.location.0) else { return };
        join(clock, &location.released);
        if !access.mode.is_shared() {
            join(clock, &location.shared);
        }
    }

    fn send(&mut self, access: Access, clock: &[u32]) {
        let location = self.locations.entry(access.location.0).or_default();
        match access.mode {
            Mode::Read | Mode::Await => join(&mut location.shared, clock),
            Mode::Write | Mode::Acquire | Mode::Release => join(&mut location.released, clock),
        }
    }
}

fn failure(
    execution: &Execution<'_>,
    first: usize,
    second: usize,
    access: Access,
    first_writes: bool,
) -> Failure {
    let name = execution.program.location_name(access.location);
    let verb = |writes| if writes { "writes" } else { "reads" };
    let second_writes = !access.mode.is_shared();
    // The order within the pair is an accident of the schedule: name the two by their sites.
    let mut pair = [
        (execution.events[first].site, verb(first_writes)),
        (execution.events[second].site, verb(second_writes)),
    ];
    pair.sort();
    Failure {
        kind: FindingKind::Race,
        message: format!("data race on {name}: one {}, one {}", pair[0].1, pair[1].1),
        sites: pair.iter().map(|(site, _)| *site).collect(),
        waiting: Vec::new(),
        steps: second + 1,
    }
}

fn join(row: &mut Vec<u32>, other: &[u32]) {
    if row.len() < other.len() {
        row.resize(other.len(), 0);
    }
    for (own, other) in row.iter_mut().zip(other) {
        *own = (*own).max(*other);
    }
}
