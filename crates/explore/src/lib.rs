//! Explorers, properties, work units, and what makes a finding trustworthy.
//!
//! An explorer drives runs of a program through the choices that can make a difference, checks
//! properties on every execution, and says what it has left unexplored. The table [`EXPLORERS`]
//! lists them; adding one, with all the parameters it takes, is one file and one row there.
//!
//! **Invariant.** Nothing here knows a language or touches a file, and nothing is reported that was
//! not replayed on a fresh run.

mod clock_tree;
mod depth_first;
mod dpor;
mod evidence;
mod exhaustive;
mod guided;
mod interference;
mod limits;
mod minimise;
mod mixing;
mod non_local;
mod optimal;
mod order;
mod outline;
mod parameter;
mod portion;
mod preemptions;
mod property;
mod race_flip;
mod race_watch;
mod races;
mod rehearsal;
mod row;
mod sample;
mod search;
mod sharing;
mod states;
mod trace;
mod trunk;
mod turns;
mod unfolding;
mod wakeup;
mod work;

pub use evidence::{Replay, ReplayError, follow};
pub use limits::{Limits, LimitsError};
pub use non_local::{NonLocalRead, non_local_reads};
pub use parameter::{Parameter, ParameterValue, ParameterValues, Takes};
pub use portion::{Attempt, Beginning, Lessons, Portion, Suspended, Turn};
pub use property::{
    Ending, Execution, Failure, PROPERTIES, Property, PropertyEntry, default_properties,
};
pub use sample::FIRST as FIRST_SAMPLES;
pub use search::{
    Assignment, Call, CommonMemory, Cut, DataRaces, Divided, Exploration, Flow, Found, HandedOver,
    NotedRace, Silent, Sink, Statistics, Team, ThreadsSeen,
};

pub use sharing::{Pace, Sharing};
pub use trunk::{KnownAbove, Trunk, TrunkRuns, UnitId};
pub use unfolding::{
    Approach, Arithmetic, Expression, Formula, FormulaError, Inquiry, Method, Never, ReachError,
    Reached, Relation, Spot, Vocabulary, Wanted, event_names, picture, reach,
};
pub use wakeup::BranchScope;
pub use work::{LaterSteps, NodeWork, SavedBranch, WorkUnit};

/// A line of the table of explorers.
pub struct Explorer {
    /// What users call it.
    pub name: &'static str,
    /// What it explores and what that preserves.
    pub about: &'static str,
    /// What its complete executions are, for tests that iterate the table.
    pub covers: Covers,
    /// What it takes besides a program and limits.
    pub parameters: &'static [Parameter],
    /// How several workers can share it.
    pub division: Division,
    /// Does the work.
    pub explore: fn(Assignment<'_>) -> Exploration,
}

/// How several workers can share the work of an explorer.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Division {
    /// By branches of the tree of choices ([`Trunk`]).
    Branches,
    /// By the numbers of executions, when the first [`FIRST_SAMPLES`] are done.
    Numbers,
    /// By portions of the tree of each bound ([`Portion`]).
    Portions,
    /// The same, by workers that have memory in common.
    PortionsInMemory,
    /// Not at all, and why.
    Alone(&'static str),
}

/// What an explorer promises to execute.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Covers {
    /// Every interleaving of steps.
    Interleavings,
    /// Every trace at least once.
    Traces,
    /// Every trace exactly once, and no execution is given up as redundant.
    TracesOnce,
    /// Every local state of every process, with every failure inside a step.
    LocalStates,
    /// Every state once, where runs give digests, so every final state and every failure.
    States,
    /// Every execution within a bound on schedules.
    WithinBound,
    /// Every failure within a bound on what threads read from each other; deadlocks only if they are met.
    ReadsFrom,
    /// A sample.
    Samples,
}

/// Why the explorers that build a net are not divided.
const ONE_NET: &str = "which events are new is known only to who has the whole net";

/// All explorers, the default first.
pub const EXPLORERS: &[Explorer] = &[
    Explorer {
        name: "optimal",
        about: "Exactly one execution per Mazurkiewicz trace, none given up as redundant: \
                source sets and wakeup trees. The default.",
        covers: Covers::TracesOnce,
        parameters: &[],
        division: Division::Branches,
        explore: optimal::optimal,
    },
    Explorer {
        name: "dpor",
        about: "Dynamic partial-order reduction: backtrack points from races by vector clocks, \
                with sleep sets. Every trace at least once.",
        covers: Covers::Traces,
        parameters: &[],
        division: Division::Branches,
        explore: dpor::dpor,
    },
    Explorer {
        name: "race-flip",
        about: "Race detection and flipping, with sleep sets. Every trace at least once.",
        covers: Covers::Traces,
        parameters: &[],
        division: Division::Alone("which step comes next is known when the one before it is done"),
        explore: race_flip::race_flip,
    },
    Explorer {
        name: "unfolding",
        about: "Every local state of every process, by a net unfolding that grows while the \
                program is tested: often far fewer executions than traces.",
        covers: Covers::LocalStates,
        parameters: &[unfolding::SEED],
        division: Division::Alone(ONE_NET),
        explore: unfolding::unfolding,
    },
    Explorer {
        name: "contextual",
        about: "Every local state of every process, by a contextual unfolding, in which reads do \
                not multiply writes: fewer executions still.",
        covers: Covers::LocalStates,
        parameters: &[unfolding::SEED],
        division: Division::Alone(ONE_NET),
        explore: unfolding::contextual,
    },
    Explorer {
        name: "stateful",
        about: "Every local state of every process, by an unfolding that is cut where abstract \
                states repeat; executions are run only for steps that were never seen.",
        covers: Covers::LocalStates,
        parameters: &[],
        division: Division::Alone(ONE_NET),
        explore: unfolding::stateful,
    },
    Explorer {
        name: "stateful-naive",
        about: "Every abstract state that can be told apart without looking at values, each once; \
                executions are run only for steps that were never seen.",
        covers: Covers::LocalStates,
        parameters: &[],
        division: Division::Alone(ONE_NET),
        explore: unfolding::naive,
    },
    Explorer {
        name: "exhaustive",
        about: "Every interleaving of steps, without any reduction.",
        covers: Covers::Interleavings,
        parameters: &[],
        division: Division::Branches,
        explore: exhaustive::exhaustive,
    },
    Explorer {
        name: "states",
        about: "Every state once, however many orders of steps lead to it: one execution for each \
                final state. For programs whose states can be compared, as those of active objects; \
                otherwise as `exhaustive`.",
        covers: Covers::States,
        parameters: &[],
        division: Division::Alone("every state has to be compared with all that were met before"),
        explore: states::states,
    },
    Explorer {
        name: "guided",
        about: "Only what can still come to the deadlocks that are looked for (`--deadlocks`), by \
                sleep sets and a question about each state. Without such a question: every trace \
                once, and many executions given up as redundant.",
        covers: Covers::Traces,
        parameters: &[],
        division: Division::Branches,
        explore: guided::guided,
    },
    Explorer {
        name: "interference",
        about: "Executions in which few reads take values that other threads wrote, one for each way to \
                pair reads with writes, however many switches that takes. Finds every failure within \
                the bound; says nothing about deadlocks that it does not meet.",
        covers: Covers::ReadsFrom,
        parameters: &[interference::BOUND, interference::VICTIM],
        division: Division::Portions,
        explore: interference::interference,
    },
    Explorer {
        name: "preemptions",
        about: "Executions with few switches away from a thread that could have gone on: every failure, \
                deadlock and final state within the bound.",
        covers: Covers::WithinBound,
        parameters: &[preemptions::BOUND],
        division: Division::PortionsInMemory,
        explore: preemptions::preemptions,
    },
    Explorer {
        name: "random",
        about: "Executions that pick uniformly among the processes that can move, from a seed. \
                Fast, and no proof.",
        covers: Covers::Samples,
        parameters: &[sample::SEED],
        division: Division::Numbers,
        explore: sample::random,
    },
    Explorer {
        name: "pct",
        about: "Executions under random priorities with a few random changes, from a seed: finds \
                bugs of small depth with known probability. No proof.",
        covers: Covers::Samples,
        parameters: &[sample::SEED],
        division: Division::Numbers,
        explore: sample::pct,
    },
];

/// The explorer with this name.
pub fn explorer(name: &str) -> Option<&'static Explorer> {
    EXPLORERS.iter().find(|explorer| explorer.name == name)
}
