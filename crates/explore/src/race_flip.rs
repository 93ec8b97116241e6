//! Race detection and flipping.
//!
//! **Idea.** Sen and Agha (2006), as chapter 2.4 of the thesis presents it. A race with an event
//! sets a flag at the node from which the event was performed. When the search returns to such a
//! node, the process that went is postponed and another one goes; the postponed one is delayed as
//! long as possible, which is what sleep sets do for it. A node whose last step raced with nobody
//! is left.
//!
//! **One process.** Whether a node has another branch is known when the subtree of the last one is done, so there is
//! never a branch to give away.
//!
//! **Invariant.** Every Mazurkiewicz trace is executed at least once.
//!
//! **Cost.** As `dpor`; usually more executions, since a flag does not say which process to try.

use counterpoint_model::Pid;

use crate::depth_first::{self, Engine, Strategy};
use crate::dpor::{each_race, first_awake};
use crate::property::Ending;
use crate::search::{Assignment, Exploration};

/// Explores by flipping races.
pub fn race_flip(assignment: Assignment<'_>) -> Exploration {
    depth_first::explore::<RaceFlip>(assignment)
}

#[derive(Default)]
struct RaceFlip;

impl Strategy for RaceFlip {
    const REDUCES: bool = true;

    fn choose_first(&mut self, engine: &mut Engine<'_>) -> Option<Pid> {
        first_awake(engine)
    }

    fn execution_ended(&mut self, engine: &mut Engine<'_>, _: Ending) {
        each_race(engine, |engine, earlier, _| {
            if engine.allows(earlier) {
                engine.nodes[earlier].race_seen = true;
            }
        });
    }

    fn subtree_done(&mut self, engine: &mut Engine<'_>, depth: usize) {
        let node = &mut engine.nodes[depth];
        if !node.wakeup_tree.is_empty() || !std::mem::take(&mut node.race_seen) {
            return;
        }
        let node = &engine.nodes[depth];
        let next = node.ready.iter().copied().find(|&pid| !node.is_asleep(pid));
        if let Some(process) = next {
            engine.add_backtrack_point(depth, process);
        }
    }
}
