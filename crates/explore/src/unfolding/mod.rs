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
//! | [`operation`] | how each operation is encoded, and why the lemmas still hold |
//! | [`concurrency`] | co-sets, asymmetric conflict, the order of a configuration's events |
//! | [`marking`] | the state of an execution in the net |
//! | [`extensions`] | possible extensions |
//! | [`cover`] | adding an executed event |
//! | [`schedule`] | ways to an extension |
//! | [`execute`] | test executions: leading, running on, covering |
//! | [`model`], [`order`], [`stateful`] | the unfolding of a captured model, with cut-offs |
//! | [`deadlock`] | deadlocks that no execution met |
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
//! not occur in any execution; deadlocks are looked for in the finished net ([`deadlock`]).
//!
//! **Stopping.** The remaining extensions are meaningless without the net, so an exploration that was
//! stopped hands back the whole program as unexplored: to resume is to start again.
//!
//! **Programs of active objects** have steps whose footprint is known only afterwards; their events
//! cannot be foreseen, and they are handed to `optimal`, which covers every trace and so every
//! local state.
//!
//! **Cost.** One execution covers at least one new event. Memory is proportional to the events times
//! the places; see [`extensions`] for the time.

mod concurrency;
mod cover;
mod cut;
mod deadlock;
mod execute;
mod extensions;
mod marking;
mod model;
mod net;
mod operation;
mod order;
mod schedule;
mod stateful;

use concurrency::Scratch;
use marking::Marking;
use net::{ConditionId, EventId, Neighbour, Net};

pub use execute::{contextual, unfolding};
pub use stateful::stateful;

/// The unfolding so far, the marking of the present execution, and the extensions to be covered.
pub(crate) struct Unfolding {
    net: Net,
    marking: Marking,
    /// Extensions, some of which may have been covered meanwhile.
    extensions: Vec<EventId>,
    scratch: Scratch,
    /// Buffers, kept so that they need not be allocated again.
    candidates: Vec<Neighbour>,
    chosen: Vec<ConditionId>,
    reads: Vec<EventId>,
    cut: Vec<ConditionId>,
    schedule: Vec<EventId>,
}

impl Unfolding {
    fn new(contextual: bool) -> Unfolding {
        Unfolding {
            net: Net::new(contextual),
            marking: Marking::default(),
            extensions: Vec::new(),
            scratch: Scratch::default(),
            candidates: Vec::new(),
            chosen: Vec::new(),
            reads: Vec::new(),
            cut: Vec::new(),
            schedule: Vec::new(),
        }
    }
}
