//! Explorers that unfold the program into a net while they test it.
//!
//! **Problem.** Partial-order reduction runs each Mazurkiewicz trace once. With n independent pairs of
//! racing threads there are 2^n traces, though each thread has seen everything it can see after two
//! executions.
//!
//! **Idea** (the thesis, chapters 3 to 5). Keep every event seen so far in an occurrence net: an
//! event is identified by its causal past, so that executions which differ elsewhere share it. The
//! net knows which further events are possible in some combination of what was seen, its *possible
//! extensions*, though no execution has combined them. A test execution leads the program to one
//! extension along the extension's causal past, then runs on freely, covering what it can. When no
//! extension is left, every reachable local state of every process has been seen (theorems 1 and 6).
//!
//! | file | holds |
//! |---|---|
//! | [`net`] | conditions, events, places; how place replication copes with dynamic processes |
//! | [`cut`] | configurations as cuts |
//! | [`event_index`] | finding an event by what it takes |
//! | [`slices`] | many short lists in one piece of memory |
//! | [`operation`] | how each operation is encoded, and why the lemmas still hold |
//! | [`coarsen`] | learning where operations depend on more than they say |
//! | [`concurrency`] | co-sets, asymmetric conflict, the order of a configuration's events |
//! | [`marking`] | the state of an execution in the net |
//! | [`extensions`] | possible extensions |
//! | [`cover`] | adding an executed event |
//! | [`schedule`] | ways to an extension |
//! | [`execute`] | test executions: leading, running on, covering |
//! | [`model`], [`order`], [`mod@stateful`] | the unfolding of a captured model, with cut-offs |
//! | [`mod@naive`] | a search of the model's markings, to compare with |
//! | [`deadlock`], [`wait_patterns`], [`waiting`] | deadlocks that no execution met |
//! | `dead_markings` | the same by constraints, for the tests to compare |
//! | [`formula`], [`predicate`], [`vocabulary`] | questions about global states, and how they are written |
//! | [`mod@reach`], [`coset`], [`encode`], [`components`], [`symbolic`] | answering them, by search and by a solver |
//! | [`isomorphism`] | whether two nets are the same |
//! | [`mod@picture`] | a net as a graph to draw |
//!
//! `unfolding` builds the regular net of chapter 3, in which reads consume a copy of the variable;
//! `contextual` the one of chapter 5, in which they are arcs of their own kind and a write need not
//! say which reads came before it; `stateful` unfolds a model of abstract states and cuts it where
//! states repeat (chapter 7).
//!
//! **Invariant.** The set of covered events does not depend on the order of exploration: the nets of
//! two explorations of one program are isomorphic.
//!
//! **What is preserved.** Local states and the failures in them. A deadlock is a global state and need
//! not occur in any execution; deadlocks are looked for in the net ([`deadlock`]), now and then while it grows
//! and when it is finished.
//!
//! **Stopping.** The remaining extensions are meaningless without the net. An exploration that was
//! stopped hands back how many executions it has done; to resume is to repeat them, as the order of
//! exploration follows from the program, the seed and the numbers of processes alone, without checking or
//! counting them again, and to go on. The numbers of processes depend on what was run before, such as the schedules of
//! failures, so they are handed back, too.
//!
//! **Programs of active objects** have steps whose footprint is known only afterwards; their events
//! cannot be foreseen, and they are handed to `optimal`, which covers every trace and so every
//! local state.
//!
//! **Cost.** One execution covers at least one new event. Memory is proportional to the events times
//! the places; see [`extensions`] for the time.

mod coarsen;
mod components;
mod concurrency;
mod coset;
mod cover;
mod cut;
#[cfg(test)]
mod dead_markings;
mod deadlock;
mod encode;
mod event_index;
#[cfg(test)]
mod examples;
mod execute;
mod extensions;
mod formula;
mod isomorphism;
mod marking;
mod model;
mod naive;
mod net;
mod operation;
mod order;
mod picture;
mod predicate;
mod reach;
mod schedule;
mod slices;
mod stateful;
mod symbolic;
mod vocabulary;
mod wait_patterns;
mod waiting;

use concurrency::Scratch;
use cut::Beyond;
use marking::Marking;
use net::{ConditionId, EventId, Neighbour, Net};

pub(crate) use execute::has_tasks;
pub use execute::{SEED, contextual, unfolding};
pub use formula::{Arithmetic, Expression, Formula, Relation, Spot};
pub use isomorphism::event_names;
pub use naive::naive;
pub use picture::picture;
pub use predicate::FormulaError;
pub use reach::{Approach, Inquiry, Method, Never, ReachError, Reached, Wanted, reach};
pub use stateful::stateful;
pub use vocabulary::Vocabulary;

/// The unfolding so far, the marking of the present execution, and the extensions to be covered.
pub(crate) struct Unfolding {
    net: Net,
    marking: Marking,
    /// Extensions, some of which may have been covered meanwhile.
    extensions: Vec<EventId>,
    scratch: Scratch,
    /// Buffers, kept so that they need not be allocated again.
    candidates: Vec<Neighbour>,
    beyond: Beyond,
    concurrent: Vec<ConditionId>,
    chosen: Vec<ConditionId>,
    reads: Vec<EventId>,
    cut: Vec<ConditionId>,
    schedule: Vec<EventId>,
}

impl Unfolding {
    fn new(net: Net) -> Unfolding {
        Unfolding {
            net,
            marking: Marking::default(),
            extensions: Vec::new(),
            scratch: Scratch::default(),
            candidates: Vec::new(),
            beyond: Beyond::default(),
            concurrent: Vec::new(),
            chosen: Vec::new(),
            reads: Vec::new(),
            cut: Vec::new(),
            schedule: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use counterpoint_testkit::random::{self, Features};
    use counterpoint_testkit::{TestProgram, shapes};

    use super::execute::Unfolder;
    use super::*;
    use crate::{Assignment, Limits, ParameterValues, Silent, WorkUnit};

    /// An unfolder that has built its net and has noted where processes stand.
    pub(super) fn explored<'a>(
        program: &'a TestProgram,
        sink: &'a mut Silent,
        contextual: bool,
    ) -> Unfolder<'a> {
        let mut unfolder = Unfolder::new(whole(program, sink), contextual);
        unfolder.watch(&[]);
        unfolder.begin();
        unfolder.work_off();
        unfolder
    }

    /// The whole exploration of a program, without properties.
    pub(super) fn whole<'a>(program: &'a TestProgram, sink: &'a mut Silent) -> Assignment<'a> {
        Assignment {
            program,
            unit: WorkUnit::whole(),
            limits: Limits::default(),
            properties: Vec::new(),
            sink,
            parameters: ParameterValues::default(),
        }
    }

    fn unfold(program: &TestProgram, contextual: bool, seed: u64) -> BTreeSet<u64> {
        let mut sink = Silent;
        event_names(
            Assignment { parameters: ParameterValues::seeded(seed), ..whole(program, &mut sink) },
            contextual,
        )
    }

    #[test]
    fn nets_of_different_orders_of_exploration_are_isomorphic() {
        let mut programs: Vec<TestProgram> =
            (0..150).map(|seed| random::program(seed, Features::WITHOUT_INPUTS)).collect();
        programs.extend((0..50).map(|seed| random::program(seed, Features::ALL)));
        programs.extend([
            shapes::fib(2),
            shapes::dining(3),
            shapes::lastzero(4),
            shapes::lock(3),
            shapes::pi(4),
            shapes::pairs(2),
            shapes::filesystem(15),
            shapes::writes(3, 2),
            shapes::szymanski(1),
            shapes::updater(2, 1, true),
            shapes::synthetic(1, 2, 4),
        ]);
        for program in &programs {
            for contextual in [false, true] {
                let first = unfold(program, contextual, 0);
                for seed in 1..4 {
                    assert!(unfold(program, contextual, seed) == first, "{program}");
                }
            }
        }
    }
}
