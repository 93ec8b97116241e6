//! Every interleaving of steps.
//!
//! No reduction: at every node every process that can move goes once, with each of its alternatives, in an order that
//! depends on the path and on names, not on what was explored before. The number of executions is the number of
//! interleavings, which makes this the yardstick for the others and the explorer of last resort when dependence is in doubt.
//!
//! **Cost.** Exponential in the number of steps; nothing is kept but the present path.

use counterpoint_model::Pid;

use crate::depth_first::{self, Engine, Strategy};
use crate::search::{Assignment, Exploration};

/// Explores every interleaving.
pub fn exhaustive(assignment: Assignment<'_>) -> Exploration {
    depth_first::explore::<Exhaustive>(assignment)
}

#[derive(Default)]
struct Exhaustive {
    ready: Vec<Pid>,
}

impl Strategy for Exhaustive {
    const REDUCES: bool = false;

    fn choose_first(&mut self, engine: &mut Engine<'_>) -> Option<Pid> {
        engine.list_ready(&mut self.ready);
        let depth = engine.trace.len();
        engine.add_backtrack_points(depth, self.ready.get(1..).unwrap_or_default());
        self.ready.first().copied()
    }
}
