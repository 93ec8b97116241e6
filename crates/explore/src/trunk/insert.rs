//! Inserting sequences into the wakeup tree of a trunk node, parts of which are in progress.
//!
//! The tree is written down as one of [`wakeup`](crate::wakeup), what was begun first, in the order in which it was
//! begun, and then what is planned. Units, and nodes that were part of units, are leaves. The sequence is
//! rehearsed, so that it is known what happens before what in it, and inserted as `optimal` does. Insertion
//! adds branches after those that are there; they are planned at the nodes that they belong to.

use counterpoint_model::{Choice, Feasible};

use super::{Begun, Below, Planned, SeenStep, Trunk, TrunkRuns};
use crate::optimal;
use crate::wakeup::{Branch, BranchScope, Branches, Wakeups};
use crate::work::ReversalWork;

impl Trunk {
    /// Inserts a sequence that was found below a branch of a node: it belongs to the branches after that one.
    pub(super) fn insert(
        &mut self,
        index: usize,
        branch: usize,
        reversal: &ReversalWork,
        runs: &mut TrunkRuns<'_>,
    ) {
        let prefix = self.prefix(index);
        let mut wakeups = Wakeups::default();
        let mut tree = self.draw(index, branch + 1, &mut prefix.clone(), runs, &mut wakeups);
        runs.rehearsal.go_along(prefix.iter().chain(&reversal.steps).copied());
        let process = reversal.process;
        if !runs.rehearsal.run.next(process).is_ready() {
            debug_assert!(false, "a sequence that is handed back can be followed");
            return;
        }
        let alternative = runs.rehearsal.run.alternatives(process).preferred;
        runs.rehearsal.step(Choice { process, alternative });
        let TrunkRuns { program, rehearsal, trial } = runs;
        optimal::insert_rehearsed(
            *program,
            rehearsal,
            trial,
            prefix.len(),
            &mut wakeups,
            &mut tree,
        );
        self.graft(index, branch + 1, &wakeups, tree);
    }

    /// The branches of a node from one on, as a wakeup tree.
    fn draw(
        &mut self,
        index: usize,
        first: usize,
        path: &mut Vec<Choice>,
        runs: &mut TrunkRuns<'_>,
        wakeups: &mut Wakeups,
    ) -> Branches {
        let mut list = Branches::EMPTY;
        for branch in first..self.node(index).begun.len() {
            let Begun { choice, below, .. } = self.node(index).begun[branch];
            let seen = match self.node_mut(index).begun[branch].seen.take() {
                Some(seen) => seen,
                None => look(choice, BranchScope::One, path, runs)
                    .expect("a step that was begun can be taken"),
            };
            path.push(choice);
            let then = match below {
                Below::Node(below) if !self.node(below).covered => {
                    self.draw(below, 0, path, runs, wakeups)
                }
                _ => Branches::EMPTY,
            };
            path.pop();
            push(wakeups, &mut list, choice, BranchScope::One, &seen, then);
            self.node_mut(index).begun[branch].seen = Some(seen);
        }
        let mut planned = std::mem::take(&mut self.node_mut(index).planned);
        draw_planned(&mut planned, path, runs, wakeups, &mut list);
        self.node_mut(index).planned = planned;
        list
    }

    /// Plans what was added to the tree that was drawn of a node from a branch on.
    fn graft(&mut self, index: usize, first: usize, wakeups: &Wakeups, tree: Branches) {
        let begun = self.node(index).begun.len() - first;
        for (number, slot) in wakeups.indices(tree).take(begun).enumerate() {
            if let Below::Node(below) = self.node(index).begun[first + number].below
                && !self.node(below).covered
            {
                self.graft(below, 0, wakeups, wakeups.get(slot).then);
            }
        }
        let planned: Vec<u32> = wakeups.indices(tree).skip(begun).collect();
        if graft_planned(&mut self.node_mut(index).planned, wakeups, &planned) {
            self.note_planned(index);
        }
    }
}

/// Draws what is planned; what no input leads to is dropped, as it would be when its turn comes.
fn draw_planned(
    planned: &mut Vec<Planned>,
    path: &mut Vec<Choice>,
    runs: &mut TrunkRuns<'_>,
    wakeups: &mut Wakeups,
    list: &mut Branches,
) {
    planned.retain_mut(|own| {
        let known = own.seen.take().or_else(|| look(own.choice, own.scope, path, runs));
        let Some(seen) = known else { return false };
        let mut then = Branches::EMPTY;
        path.push(own.choice);
        draw_planned(&mut own.then, path, runs, wakeups, &mut then);
        path.pop();
        push(wakeups, list, own.choice, own.scope, &seen, then);
        own.seen = Some(seen);
        true
    });
}

/// Adds what is new among branches to those that are planned. Whether anything is.
fn graft_planned(planned: &mut Vec<Planned>, wakeups: &Wakeups, slots: &[u32]) -> bool {
    let known = planned.len();
    let mut grown = false;
    for (own, &slot) in planned.iter_mut().zip(slots) {
        let then: Vec<u32> = wakeups.indices(wakeups.get(slot).then).collect();
        grown |= graft_planned(&mut own.then, wakeups, &then);
    }
    for &slot in &slots[known..] {
        let branch = wakeups.get(slot);
        let seen = SeenStep {
            alternatives: branch.alternatives,
            decides: branch.decides,
            footprint: branch.footprint.clone(),
        };
        let mut then = Vec::new();
        let slots: Vec<u32> = wakeups.indices(branch.then).collect();
        graft_planned(&mut then, wakeups, &slots);
        planned.push(Planned { choice: branch.choice, scope: branch.scope, seen: Some(seen), then });
        grown = true;
    }
    grown
}

fn push(
    wakeups: &mut Wakeups,
    list: &mut Branches,
    choice: Choice,
    scope: BranchScope,
    seen: &SeenStep,
    then: Branches,
) {
    let SeenStep { alternatives, decides, footprint } = seen;
    let (alternatives, decides, footprint) = (*alternatives, *decides, &footprint[..]);
    wakeups.push_back(list, Branch { choice, scope, alternatives, decides, footprint, then });
}

/// What a step does after a path; `None` if inputs do not lead along it.
fn look(
    choice: Choice,
    scope: BranchScope,
    path: &[Choice],
    runs: &mut TrunkRuns<'_>,
) -> Option<SeenStep> {
    let rehearsal = &mut runs.rehearsal;
    rehearsal.go_along(path.iter().copied());
    let mut choice = choice;
    let alternatives = rehearsal.run.alternatives(choice.process);
    if scope == BranchScope::Any {
        choice.alternative = alternatives.preferred;
    }
    let preferred = choice.alternative == alternatives.preferred;
    if choice.alternative >= alternatives.count {
        return None;
    }
    if !preferred && rehearsal.run.feasible(choice) != Feasible::Yes {
        return None;
    }
    rehearsal.step(choice);
    let event = rehearsal.trace.events().last().expect("a step was taken");
    Some(SeenStep {
        alternatives: alternatives.count,
        decides: event.op.decides(),
        footprint: event.footprint.clone(),
    })
}
