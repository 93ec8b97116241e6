//! What a worker need not say again when it reports.
//!
//! A unit comes with the steps that were begun or are planned at the nodes above it, and a worker that hands back what is
//! left has them all in its own copies of these nodes. The trunk has them, too: it never forgets a step but by exploring it, or by
//! finding that no input leads to it. So of the nodes above its unit a worker says only which steps it has added, and
//! of a unit that is done, mostly nothing at all.
//!
//! **Invariant.** What is left out was in the unit when it was taken, or was reported by the same worker since. A worker that
//! is lost takes its knowledge with it; the next one gets the unit with all that the trunk knows by then.

use counterpoint_model::Choice;

use crate::wakeup::BranchScope;
use crate::work::{NodeWork, SavedBranch, WorkUnit};

/// The steps that remain at each node of the path of a unit, as far as both its worker and the trunk know of them.
#[derive(Clone, Default, Debug)]
pub struct KnownAbove {
    nodes: Vec<Vec<(Choice, BranchScope)>>,
}

impl KnownAbove {
    /// What a worker and the trunk know when the unit is taken.
    pub fn of(unit: &WorkUnit) -> KnownAbove {
        let steps = |node: &NodeWork| node.wakeup_tree.iter().map(step).collect();
        KnownAbove { nodes: unit.nodes.iter().map(steps).collect() }
    }

    /// What of a unit that is the worker's from a depth on has to be handed back: what is left of it, and what is new above
    /// it; `None` if there is neither.
    pub fn reduce(&mut self, mut left: WorkUnit, floor: usize) -> Option<WorkUnit> {
        let above = floor.min(left.nodes.len());
        self.nodes.resize(left.nodes.len(), Vec::new());
        for (depth, node) in left.nodes.iter_mut().enumerate() {
            let known = &mut self.nodes[depth];
            if depth >= above {
                // It is the worker's own. If others get it, they have it as it is reported now.
                *known = node.wakeup_tree.iter().map(step).collect();
                continue;
            }
            let mut wakeup_tree = std::mem::take(&mut node.wakeup_tree);
            wakeup_tree.retain(|branch| !known.contains(&step(branch)));
            known.extend(wakeup_tree.iter().map(step));
            *node = NodeWork { wakeup_tree, ..NodeWork::default() };
        }
        let whole = left.new_from.is_some() || left.nodes.is_empty();
        (whole || left.has_work_from(0)).then_some(left)
    }
}

fn step(branch: &SavedBranch) -> (Choice, BranchScope) {
    (branch.choice, branch.scope)
}

#[cfg(test)]
mod tests {
    use counterpoint_model::Pid;

    use super::*;

    #[test]
    fn what_was_told_or_reported_is_not_reported_again() {
        let branch = |alternative| {
            let choice = Choice { process: Pid::MAIN, alternative };
            SavedBranch::leaf(choice, BranchScope::One)
        };
        let node = |alternatives: &[u32]| NodeWork {
            wakeup_tree: alternatives.iter().map(|&one| branch(one)).collect(),
            ..NodeWork::default()
        };
        let unit = |nodes: [&[u32]; 3]| WorkUnit {
            prefix: vec![Choice::of(Pid::MAIN); 2],
            nodes: nodes.map(node).to_vec(),
            ..WorkUnit::default()
        };
        let trees = |left: Option<WorkUnit>| left.map(|left| left.nodes);
        let nodes = |nodes: [&[u32]; 3]| Some(nodes.map(node).to_vec());
        let mut known = KnownAbove::of(&unit([&[1, 2], &[], &[]]));
        assert_eq!(known.reduce(unit([&[1, 2], &[], &[]]), 1), None);
        let left = known.reduce(unit([&[1, 2, 3], &[4], &[]]), 1);
        assert_eq!(trees(left), nodes([&[3], &[4], &[]]));
        // Its own steps are reported as long as they are there.
        let left = known.reduce(unit([&[1, 2, 3], &[4], &[]]), 1);
        assert_eq!(trees(left), nodes([&[], &[4], &[]]));
        // Others got them, and this one goes on below.
        let left = known.reduce(unit([&[1, 2, 3], &[4, 5], &[6]]), 2);
        assert_eq!(trees(left), nodes([&[], &[5], &[6]]));
        assert_eq!(known.reduce(unit([&[3], &[5], &[]]), 2), None);
    }
}
