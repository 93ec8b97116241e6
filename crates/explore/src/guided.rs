//! Only what can still come to what is looked for.
//!
//! **Problem.** Of all executions only a few end in a deadlock that an analysis of the program holds to be
//! possible. Exploring the others shows nothing.
//!
//! **Idea.** Chapter 4 of the thesis on active objects. The run is asked at each new state whether it can still
//! come to what the program is explored for ([`Prospect`]): if not, the derivation is stopped there (section
//! 4.3.2), and if it is there already, too, without waiting until nobody can move (early detection, section
//! 4.2). What the question is about, only the program knows.
//!
//! **Why this goes together with partial-order reduction.** Backtrack points from races, as in the other
//! explorers, do not: races are seen in what follows a state, and what follows is not looked at where a
//! derivation is stopped. Sleep sets do. From each state every process that can move and does not sleep is
//! tried. A sleeping step was tried before from an earlier state, and all that is independent of it
//! commutes with it; so an execution that is not tried because its first step sleeps is equivalent to one
//! that was tried. Whether a state can come to what is looked for depends on the state alone, equivalent
//! executions lead to the same states, and a question that is never wrongly answered with no stops none
//! that gets there.
//!
//! An execution that is there while some step sleeps is counted as given up: with the sleeping step first,
//! it got there before. So no two executions that count are parts of equivalent ones, and there are
//! never more of them than an explorer of all traces counts.
//!
//! Steps that only decide something about inputs come right after the step before them, as elsewhere:
//! they are independent of all steps of others.
//!
//! **Invariant.** What is looked for and can be reached is reached. Executions stopped on the way are counted as
//! abandoned. Without a question this is exploration with sleep sets: each trace once.
//!
//! **Cost.** The question is asked once for each state. Every state that can be reached and lead there is
//! visited, often on several ways.

use counterpoint_model::{Pid, Prospect};

use crate::depth_first::{self, Engine, Halt, Strategy};
use crate::search::{Assignment, Exploration};

/// Explores what can still come to what is looked for.
pub fn guided(assignment: Assignment<'_>) -> Exploration {
    depth_first::explore::<Guided>(assignment)
}

#[derive(Default)]
struct Guided {
    ready: Vec<Pid>,
    halt: Option<Halt>,
}

impl Strategy for Guided {
    const REDUCES: bool = true;
    const RACES: bool = false;

    fn choose_first(&mut self, engine: &mut Engine<'_>) -> Option<Pid> {
        self.halt = match engine.run().prospect() {
            Prospect::Open => None,
            Prospect::Reached => Some(Halt::Deadlock),
            Prospect::Closed => Some(Halt::Hopeless),
        };
        if self.halt.is_some() {
            return None;
        }
        if let Some(undecided) = engine.undecided() {
            return Some(undecided);
        }
        engine.list_ready(&mut self.ready);
        let depth = engine.trace.len();
        let node = &engine.nodes[depth];
        self.ready.retain(|&process| !node.is_asleep(process));
        for &process in self.ready.iter().skip(1) {
            engine.add_backtrack_point(depth, process);
        }
        self.ready.first().copied()
    }

    fn halt(&mut self) -> Option<Halt> {
        self.halt.take()
    }
}
