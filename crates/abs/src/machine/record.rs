//! What one macro-step did, in full: for explanations, traces and pictures.
//!
//! Nothing of this is kept while exploring. Whoever wants it has the step performed again with a
//! record open.

use std::sync::Arc;

use counterpoint_model::{Pid, Site};

use super::value::ObjectId;

/// Why a step ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The task has returned a value, as text.
    Returned(String),
    /// The task has ended with an exception, as text.
    Failed(String),
    /// The task has released its cog.
    Suspended,
    /// The task has released its cog until a guard holds; the tasks whose results it waits for.
    Waiting(Vec<Pid>),
    /// The task keeps its cog until another task has a result.
    Blocked(Pid),
    /// The task keeps its cog until time has passed.
    Sleeping,
    /// The task keeps its cog and is about to choose among so many alternatives.
    Choosing(u32),
    /// The task keeps its cog and looks at something unknown, whose cases are told apart next.
    Deciding,
    /// The step did more than it may and was given up.
    GivenUp,
}

/// What a step did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub sites: Vec<Site>,
    /// The tasks it posted, in order.
    pub posted: Vec<Pid>,
    /// The objects it created, in order.
    pub created: Vec<ObjectId>,
    /// For each of them the variable of the main block that it is bound to, if it is.
    pub bound: Vec<Option<Arc<str>>>,
    pub stop: Option<Stop>,
    /// The fields it wrote, with their values after the step, as text.
    pub written: Vec<(String, String)>,
    pub output: String,
}
