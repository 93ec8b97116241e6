//! Every state once: what `exact` dependence of active objects comes to.
//!
//! **Problem.** Two steps that touch the same things may commute all the same: adding in both orders
//! gives the same sum. Reductions that look at what steps touch explore both orders, and the number of
//! executions grows with orders that nobody can tell apart.
//!
//! **Idea.** Two orders make no difference if they lead to the same state. So the tree of all
//! interleavings is walked depth first, and a state that was met before is not walked again: whatever
//! can follow it has been seen. States are compared by the digests that runs give
//! ([`Digests`](counterpoint_model::Digests)), together with the failures on the way there, so
//! that a failure that leaves no trace in the state is not lost either. Section 6.2.3 of the thesis on
//! active objects defines exact dependence by swapping neighbours and comparing states; context-sensitive
//! reduction by vector clocks has to treat commuting steps as independent when it orders events, or it
//! hides races behind them. Remembering states needs no such argument.
//!
//! **Invariant.** Every state that can be reached is reached once, each final state with each set of
//! failures on the way counts as one execution, and an execution that runs into a known state is
//! abandoned. Executions that never end are covered if their states repeat.
//!
//! Which states were met is not saved: an exploration that was stopped goes on by repeating what it has
//! done, unchecked and uncounted.
//!
//! **Cost.** A digest for each step and sixteen bytes for each state. When [`MOST_STATES`] are known no
//! more are remembered: what follows may be walked, and counted, more than once, but nothing is missed.
//! Runs without digests are explored exhaustively.

use std::hash::{Hash, Hasher};

use counterpoint_model::Pid;
use rustc_hash::{FxHashSet, FxHasher};

use crate::depth_first::{self, Engine, Strategy};
use crate::search::{Assignment, Exploration};

/// How many states are remembered: about two gigabytes.
const MOST_STATES: usize = 64_000_000;

/// Explores every state.
pub fn states(assignment: Assignment<'_>) -> Exploration {
    depth_first::explore::<States>(assignment)
}

#[derive(Default)]
struct States {
    known: FxHashSet<u128>,
    ready: Vec<Pid>,
}

impl States {
    /// Whether the present state was met before; from now on it was.
    fn is_known(&mut self, engine: &mut Engine<'_>) -> bool {
        let Some(mut key) = engine.run().digest() else { return false };
        if engine.trace.is_faulty() {
            let faults = engine.trace.events().iter().filter_map(|event| event.fault.as_deref());
            let mut failures: Vec<u64> = faults
                .map(|fault| {
                    let mut hasher = FxHasher::default();
                    (fault.kind, &fault.message, fault.site).hash(&mut hasher);
                    hasher.finish()
                })
                .collect();
            failures.sort_unstable();
            failures.dedup();
            for failure in failures {
                key = (key ^ u128::from(failure))
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            }
        }
        if self.known.len() >= MOST_STATES {
            return self.known.contains(&key);
        }
        !self.known.insert(key)
    }
}

impl Strategy for States {
    const REDUCES: bool = false;
    const RESUMES_BY_REPEATING: bool = true;

    fn choose_first(&mut self, engine: &mut Engine<'_>) -> Option<Pid> {
        engine.list_ready(&mut self.ready);
        if self.ready.is_empty() || self.is_known(engine) {
            return None;
        }
        let depth = engine.trace.len();
        engine.add_backtrack_points(depth, self.ready.get(1..).unwrap_or_default());
        self.ready.first().copied()
    }

    fn is_known_end(&mut self, engine: &mut Engine<'_>) -> bool {
        self.is_known(engine)
    }
}
