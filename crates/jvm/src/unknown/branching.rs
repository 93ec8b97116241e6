//! Branches on unknowns: what a thread stands before, which side was chosen, what a step assumed.
//!
//! A thread whose present instruction asks for an unknown condition stops before it. The condition
//! stays with the thread until a side is chosen; then the instruction runs again and gets the answer.

use counterpoint_symbolic::{Feasible, Term};

use super::{BranchState, Unknowns};

impl Unknowns {
    /// The answer to a condition at a thread's present instruction: known, or chosen; none if the
    /// thread has to stop for the choice.
    pub(crate) fn ask(&mut self, thread: usize, condition: Term) -> Option<bool> {
        if let Some(value) = self.terms().as_constant(condition) {
            return value.as_bool();
        }
        let mut branch_state = self.branch_state(thread);
        let answer = branch_state.answer.take();
        branch_state.branch = answer.is_none().then_some(condition);
        self.set_branch_state(thread, branch_state);
        answer
    }

    /// How far a thread's present instruction is in telling cases apart.
    pub(crate) fn cases(&self, thread: usize) -> Option<(i64, i64)> {
        self.branch_state(thread).cases
    }

    /// Notes how far it is.
    pub(crate) fn set_cases(&mut self, thread: usize, cases: Option<(i64, i64)>) {
        let branch_state = self.branch_state(thread);
        self.set_branch_state(thread, BranchState { cases, ..branch_state });
    }

    /// Whether a thread stands before a branch.
    pub(crate) fn branches(&self, thread: usize) -> bool {
        self.active && self.branch_state(thread).branch.is_some()
    }

    /// The condition of a side of the branch that a thread stands before.
    pub(crate) fn condition(&self, thread: usize, side: bool) -> Option<Term> {
        let condition = self.branch_state(thread).branch?;
        Some(if side { condition } else { self.terms().not(condition) })
    }

    /// The side that the concrete execution takes of the branch that a thread stands before.
    pub(crate) fn concrete_side(&self, thread: usize) -> bool {
        self.branch_state(thread).branch.is_some_and(|condition| self.holds(condition))
    }

    /// Whether inputs lead to a side of the branch that a thread stands before.
    pub(crate) fn feasible(&mut self, thread: usize, side: bool) -> Feasible {
        match self.condition(thread, side) {
            Some(condition) => self.path_mut().feasible(condition),
            None => Feasible::No,
        }
    }

    /// Chooses a side of the branch that a thread stands before; says whether that was possible.
    pub(crate) fn choose(&mut self, thread: usize, side: bool) -> bool {
        let Some(condition) = self.condition(thread, side) else { return false };
        if self.path_mut().assume(condition) != Feasible::Yes {
            return false;
        }
        let branch_state = self.branch_state(thread);
        self.set_branch_state(
            thread,
            BranchState { branch: None, answer: Some(side), ..branch_state },
        );
        true
    }

    /// Begins a step: nothing was assumed in it yet.
    pub(crate) fn begin_step(&mut self) {
        self.assumed.clear();
    }

    /// The condition of a step that began with this one, with all else that it assumed.
    pub(crate) fn step_condition(&self, first: Option<Term>) -> Option<Term> {
        let mut all = first;
        for &condition in &self.assumed {
            all = Some(match all {
                Some(before) => self.terms().and(before, condition),
                None => condition,
            });
        }
        all
    }
}
