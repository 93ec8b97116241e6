//! Dynamic partial-order reduction with backtrack points and sleep sets.
//!
//! **Idea.** Flanagan and Godefroid (2005), as chapter 2.4 of the thesis presents it. Execute once;
//! for each operation find the latest earlier event that it races with; the other order gets a
//! backtrack point at the node before that event. If the racing process can move there and does not
//! sleep, it is the backtrack point;
//! otherwise every process that can move and does not sleep is. Vector clocks keep reads from
//! racing with reads.
//!
//! **Invariant.** Every Mazurkiewicz trace is executed at least once. Some executions end with
//! everything that could move asleep; they are given up and counted as abandoned.
//!
//! **Cost.** Per event, its races; per backtrack point, the processes that could move there.

use counterpoint_model::{Footprint, Next, Pid, conflict};

use crate::depth_first::{self, Engine, Strategy};
use crate::property::Ending;
use crate::search::{Assignment, Exploration};
use crate::trace::{Pending, Trace};

/// Among so many processes one is looked for without a look at the clock.
const FEW: usize = 64;

/// Explores with backtrack points from races, and sleep sets.
pub fn dpor(assignment: Assignment<'_>) -> Exploration {
    depth_first::explore::<Dpor>(assignment)
}

#[derive(Default)]
struct Dpor;

impl Strategy for Dpor {
    const REDUCES: bool = true;

    fn choose_first(&mut self, engine: &mut Engine<'_>) -> Option<Pid> {
        first_awake(engine)
    }

    fn execution_ended(&mut self, engine: &mut Engine<'_>, _: Ending) {
        each_race(engine, |engine, earlier, process| {
            add_backtrack_points(engine, earlier, process);
        });
    }
}

/// Notes who can move, and picks the first who is not asleep.
pub(crate) fn first_awake(engine: &mut Engine<'_>) -> Option<Pid> {
    let depth = engine.trace.len();
    let mut ready = std::mem::take(&mut engine.nodes[depth].ready);
    engine.list_ready(&mut ready);
    let node = &mut engine.nodes[depth];
    node.ready = ready;
    node.ready.iter().copied().find(|&pid| !node.is_asleep(pid))
}

/// The latest rival of every new event and of every operation still pending at the end, with the
/// process that should have gone first. Of a guarded step nobody knows which rival kept it from
/// going: all conflicting events outside its process's past are rivals.
pub(crate) fn each_race(engine: &mut Engine<'_>, mut act: impl FnMut(&mut Engine<'_>, usize, Pid)) {
    let mut row = Vec::new();
    for later in engine.first_new..engine.trace.len() {
        let tentative = engine.trace.is_tentative(later);
        if engine.has_no_time_after(if tentative { later } else { 1 }) {
            return;
        }
        let event = &engine.trace.events()[later];
        let process = event.process();
        if tentative {
            engine.trace.row_before(later, &mut row);
            for earlier in conflicting(&engine.trace, later, &event.footprint, &row) {
                act(engine, earlier, process);
            }
        } else if let Some(&earlier) = engine.trace.races(later).iter().max() {
            act(engine, earlier as usize, process);
        }
    }
    let raised = engine.is_raised();
    for process in (0..engine.run().processes()).map(Pid) {
        if engine.run().next(process) == Next::Done {
            continue;
        }
        let footprint = engine.run().anticipate(process);
        let pending = Pending::of(engine.run(), process);
        let rivals = engine.trace.rivals_of_pending(process, &footprint, pending, &mut row);
        let guarded = pending == Pending::Guarded;
        let cost = rivals.len() + if guarded { engine.trace.len() } else { 1 };
        if engine.has_no_time_after(cost) || engine.is_cut_short(raised, engine.trace.len()) {
            return;
        }
        if guarded {
            for earlier in conflicting(&engine.trace, engine.trace.len(), &footprint, &row) {
                act(engine, earlier, process);
            }
        } else if let Some(&earlier) = rivals.iter().max() {
            act(engine, earlier as usize, process);
        }
    }
}

/// The events before `end` that conflict with a footprint and are not in the past of a row.
fn conflicting(trace: &Trace, end: usize, footprint: &Footprint, row: &[u32]) -> Vec<usize> {
    let rival = |&earlier: &usize| {
        conflict(&trace.events()[earlier].footprint, footprint)
            && !trace.is_before_row(earlier, row)
    };
    (0..end).filter(rival).collect()
}

fn add_backtrack_points(engine: &mut Engine<'_>, depth: usize, process: Pid) {
    let node = &engine.nodes[depth];
    if node.all_backtracked {
        return;
    }
    let ready = node.ready.len();
    if ready > FEW && engine.has_no_time_after(ready) || has_child(engine, depth, process) {
        return;
    }
    let node = &engine.nodes[depth];
    if node.ready.contains(&process) && !node.is_asleep(process) {
        engine.add_backtrack_point(depth, process);
        return;
    }
    let others = node.ready.iter().copied();
    let others: Vec<Pid> =
        others.filter(|&pid| !node.is_asleep(pid) && !has_child(engine, depth, pid)).collect();
    engine.add_backtrack_points(depth, &others);
    engine.nodes[depth].all_backtracked = true;
}

/// Whether the process's step from the node is being explored, was, or will be.
fn has_child(engine: &Engine<'_>, depth: usize, process: Pid) -> bool {
    let node = &engine.nodes[depth];
    engine.trace.events()[depth].process() == process
        || node.is_backtracked(process)
        || node.is_done(process)
}
