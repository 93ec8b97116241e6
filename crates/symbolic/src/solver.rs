//! The seam between the kernel and any decision procedure.
//!
//! Problem: solvers differ, fail and run out of time, and the explorers must not care which one it was.
//! Idea: one method that takes constraints and gives one of three answers. A second trait is for
//! constraints that only grow, where a solver can keep what it has learnt.
//!
//! Invariant: `Sat` carries a model that satisfies every constraint, checked by evaluation; `Unsat` is a
//! proof; everything else is `Unknown` with a reason that a user can read.

use crate::model::Model;
use crate::node::Term;
use crate::terms::Terms;

/// What a solver says about a conjunction of constraints.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Answer {
    /// They can hold together, for instance under this model.
    Sat(Model),
    /// They cannot hold together.
    Unsat,
    /// It could not tell, for this reason. Never to be taken for "no".
    Unknown(String),
}

/// A decision procedure for conjunctions of Boolean terms.
pub trait Solver {
    /// Whether the constraints can hold together. A model in the answer has values for at least the
    /// inputs of the constraints that matter; absent ones are zero or false.
    fn check(&mut self, terms: &Terms, constraints: &[Term]) -> Answer;

    /// A short name for reports.
    fn name(&self) -> &str;
}

/// A decision procedure for constraints that only grow. It keeps what it has learnt about them.
pub trait GrowingSolver {
    /// Adds a constraint for good.
    fn add(&mut self, terms: &Terms, constraint: Term);

    /// Whether the constraints can hold together: those that were added, all of them and no others.
    fn check(&mut self, terms: &Terms, constraints: &[Term]) -> Answer;
}
