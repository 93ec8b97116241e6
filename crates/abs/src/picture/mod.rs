//! Pictures of executions: sequence diagrams and the tree of all executions.
//!
//! A sequence diagram (section 6.2.2 of the thesis on active objects) has one column per object and
//! one row per macro-step. A node is green if the task returned, orange if it released its object to
//! wait, red if it blocks its object, and dark red if it failed; arrows show calls and creations.
//! Tasks and objects of a deadlock have thick red borders. The tree (section 6.2.4) has one edge per
//! macro-step and one leaf per execution.
//!
//! Everything is made from an [`Account`](crate::machine::Account) or from schedules, which are
//! replayed; nothing here touches a file.

mod mermaid;
mod sequence;
pub(crate) mod svg;
mod tree;

pub use mermaid::mermaid;
pub use sequence::sequence_svg;
pub use tree::tree_svg;

use crate::machine::Stop;

/// The colour of a node.
fn colour(stop: &Stop) -> &'static str {
    match stop {
        Stop::Returned(_) => "#b7e1b0",
        Stop::Suspended | Stop::Waiting(_) => "#ffd79a",
        Stop::Blocked(_) | Stop::Sleeping => "#f6a5a0",
        Stop::Choosing(_) => "#cfd8f0",
        Stop::Failed(_) | Stop::GivenUp => "#c96a6a",
    }
}
