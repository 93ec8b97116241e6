//! A search for one condition per place of a formula, concurrent with each other.
//!
//! **Idea.** The places are decided one after another: from the condition that the configuration
//! chosen so far leaves, downwards along the place's tree, turning back at what is not concurrent.
//! Values known so far refute the formula early.
//!
//! **Invariant.** Every combination of concurrent conditions that the values do not refute is
//! proposed once.
//!
//! **Cost.** At most the product of the concurrent parts of the places' trees.

use super::execute::Unfolder;
use super::formula::Formula;
use super::net::{ConditionId, Net};
use super::reach::{Chosen, Subject};

/// The search in progress.
pub(super) struct Coset<'s> {
    formula: &'s Formula,
    subjects: &'s [Subject],
    /// Per condition those that follow it at its place.
    followers: Vec<Vec<ConditionId>>,
    open: Vec<PartialCoset>,
    patience: u64,
}

/// The first places are decided; the next one is to be looked for from a condition downwards.
struct PartialCoset {
    chosen: Vec<ConditionId>,
    cut: Vec<ConditionId>,
    /// None if all places are decided.
    from: Option<ConditionId>,
}

/// What the search has come to.
pub(super) enum CosetAnswer {
    /// The cut of a configuration that leaves the chosen conditions.
    Proposal(Vec<ConditionId>),
    NoMore,
    OutOfTime,
    OutOfPatience,
}

impl<'s> Coset<'s> {
    pub fn new(
        unfolder: &Unfolder<'_>,
        formula: &'s Formula,
        subjects: &'s [Subject],
        patience: u64,
    ) -> Coset<'s> {
        let net = &unfolder.unfolding.net;
        let start = PartialCoset { chosen: Vec::new(), cut: Vec::new(), from: None };
        let mut coset =
            Coset { formula, subjects, followers: followers(net), open: Vec::new(), patience };
        coset.go_on(unfolder, start);
        coset
    }

    /// The next configuration that may satisfy the formula.
    pub fn next(&mut self, unfolder: &mut Unfolder<'_>) -> CosetAnswer {
        while let Some(state) = self.open.pop() {
            let Some(condition) = state.from else { return CosetAnswer::Proposal(state.cut) };
            if self.patience == 0 {
                return CosetAnswer::OutOfPatience;
            }
            self.patience -= 1;
            if self.patience.is_multiple_of(64) && unfolder.search.is_out_of_time() {
                return CosetAnswer::OutOfTime;
            }
            let unfolding = &mut unfolder.unfolding;
            let net = &unfolding.net;
            let past = net.past(condition);
            let possible = !state.chosen.iter().any(|&other| net.takes(past, other))
                && net.compatible(&state.cut, past, &mut unfolding.scratch);
            if !possible {
                continue;
            }
            for &next in &self.followers[condition.index()] {
                let (chosen, cut) = (state.chosen.clone(), state.cut.clone());
                self.open.push(PartialCoset { chosen, cut, from: Some(next) });
            }
            let mut chosen = state.chosen;
            let mut cut = state.cut;
            net.unite(&mut cut, past);
            chosen.push(condition);
            self.go_on(unfolder, PartialCoset { chosen, cut, from: None });
        }
        CosetAnswer::NoMore
    }

    /// Opens the next place of a state, unless the values refute it.
    fn go_on(&mut self, unfolder: &Unfolder<'_>, state: PartialCoset) {
        let net = &unfolder.unfolding.net;
        let known = Chosen {
            program: unfolder.search.program,
            notes: &unfolder.notes,
            subjects: self.subjects,
            chosen: &state.chosen,
        };
        if self.formula.evaluate(&known) == Some(false) {
            return;
        }
        let from = self.subjects.get(state.chosen.len());
        let from = from.map(|subject| net.holds(&state.cut, subject.place()));
        self.open.push(PartialCoset { from, ..state });
    }
}

/// Per condition those that follow it at its place.
pub(super) fn followers(net: &Net) -> Vec<Vec<ConditionId>> {
    let mut followers: Vec<Vec<ConditionId>> = Vec::new();
    followers.resize_with(net.conditions.len(), Vec::new);
    for number in 0..net.conditions.len() {
        let own = ConditionId(u32::try_from(number).expect("a condition's number"));
        let parent = net.parent(own);
        if parent.is_some() {
            followers[parent.index()].push(own);
        }
    }
    followers
}
