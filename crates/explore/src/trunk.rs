//! The part of a search that several workers share, and what each of them works on.
//!
//! **Problem.** A depth-first search is to be done by many workers at once, none of which sees what the others
//! do, and the executions that count must be those of one worker, each once.
//!
//! **Idea.** The tree of the search has a *trunk*: nodes from which branches are given to different workers.
//! Everything below is in *units*, each worked off by one worker with the engine of
//! [`depth_first`](crate::depth_first) alone. A worker that stops hands back its unit as far as it is not
//! done, in the form in which explorations are saved. To divide a unit is to move its shallowest node with open
//! branches into the trunk ([`Trunk::divide`]): the unit keeps what lies below the step it was exploring, and the
//! open branches can be taken by others. So nothing is exchanged but saved work, and what was counted comes
//! together with what is left, at once.
//!
//! **What sleeps.** The branches of a trunk node are ordered by when they were begun. In the subtree of
//! one of them all those sleep that were begun before it, whether they are done or not, and none that were begun
//! after it. Sleeping means that all traces that begin with the step are explored elsewhere; that holds for a branch in
//! progress as well as for one that is done, since it will be. Of two equivalent executions that leave a trunk
//! node by different branches, the one in the later branch would take a sleeping step: none counts twice.
//!
//! **What is planned.** Below a branch of a trunk node races are found whose reversals begin at that node.
//! Explorers that add single steps (`dpor`) find them again in the node's wakeup tree as it is handed back. `optimal`
//! adds sequences, and the place of a sequence in a wakeup tree depends on all that is planned there. When one
//! worker explores alone, a branch is begun when the subtrees of those before it are done, and no
//! sequence is added to it any more. Here it may be in progress when a reversal is found that belongs into it: then
//! the sequence must be explored there, for what is left out because a step sleeps is found by reversals of races with that
//! step, wherever they are found. Only the end of a complete sequence needs no more: what was reversed is awake there, and
//! everything is explored from there on. So units begin at the ends of planned sequences, and nowhere else: when a sequence is
//! begun, the nodes along it become trunk nodes. A wakeup tree of which parts are in progress is still a
//! wakeup tree, and sequences are inserted into it as ever, at new branches of its inner nodes ([`insert`]).
//!
//! A worker has a copy of the wakeup trees of the trunk nodes above its unit. What is covered there is covered for good, since
//! leaves stay leaves. What is not is handed back as it is, the worker stops, and it is inserted into the trunk as it
//! is by then.
//!
//! A node whose branches are all done is kept as long as a branch that was begun before it, there or further up,
//! is in progress: reversals found in that one may still belong here.
//!
//! **Inputs.** A branch on an unknown that no input leads to is not explored and does not sleep. The trunk finds
//! out when the branch is begun, on a run of its own ([`TrunkRuns`]); it knows how many alternatives a step has in
//! the same way.
//!
//! **Faults.** A unit whose worker is lost is as it was when it was taken ([`Trunk::lost`]).
//!
//! **Invariant.** Every trace that begins at a trunk node is explored through the first branch, in the order in which
//! they were begun, that it could begin with. What is done, what is assigned and what is open make up the whole.
//!
//! **Cost.** Beginning a branch replays its prefix once here and once at the worker, where each step that is
//! planned or in progress at the nodes above is looked at. A step of the trunk needs some hundred bytes.

mod insert;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use counterpoint_model::{Bound, Choice, Feasible, Footprint, Interrupt, Pid, Program};

use crate::rehearsal::Rehearsal;
use crate::wakeup::BranchScope;
use crate::work::{NodeWork, WakeupStep, WorkUnit};

/// A unit of a trunk.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitId(pub u64);

/// What several workers share.
#[derive(Clone, Debug)]
pub struct Trunk {
    nodes: Vec<Option<TrunkNode>>,
    /// Places of nodes that are gone.
    free: Vec<usize>,
    units: BTreeMap<UnitId, Held>,
    /// Nodes with planned branches and units that nobody works on, the shallowest first.
    open: BTreeSet<(usize, Open)>,
    next: u64,
    root: Below,
}

/// Runs of the program beside those of the workers, to look at what could be explored.
pub struct TrunkRuns<'a> {
    program: &'a dyn Program,
    rehearsal: Rehearsal<'a>,
    trial: Option<Rehearsal<'a>>,
}

impl<'a> TrunkRuns<'a> {
    /// Runs of a program.
    pub fn new(program: &'a dyn Program) -> TrunkRuns<'a> {
        let rehearsal = Rehearsal::new(program, &Interrupt::never());
        TrunkRuns { program, rehearsal, trial: None }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Open {
    Unit(UnitId),
    Node(usize),
}

/// A branch of the trunk: the number of its node, and its own number there.
type Position = (usize, usize);

#[derive(Clone, Debug)]
struct TrunkNode {
    /// Where it hangs; `None` for the root.
    parent: Option<Position>,
    depth: usize,
    /// Whether everything is explored from here on, so that no sequence that leads here need be added.
    covered: bool,
    /// In the order in which they were begun.
    begun: Vec<Begun>,
    planned: Vec<Planned>,
    /// Processes of whose steps all alternatives were planned.
    alternatives_added: Vec<Pid>,
    /// Whether nothing is left to do below.
    complete: bool,
}

#[derive(Clone, Debug)]
struct Begun {
    choice: Choice,
    seen: Option<SeenStep>,
    /// Whether an execution through it has ended, so that its races were looked at.
    examined: bool,
    below: Below,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Below {
    Done,
    Unit(UnitId),
    Node(usize),
}

/// A branch that nobody has begun.
#[derive(Clone, Debug)]
struct Planned {
    choice: Choice,
    scope: BranchScope,
    seen: Option<SeenStep>,
    /// What is to be taken after it; if nothing, everything is explored from there.
    then: Vec<Planned>,
}

/// What a step was seen to do.
#[derive(Clone, Debug)]
struct SeenStep {
    alternatives: u32,
    decides: bool,
    footprint: Footprint,
}

#[derive(Clone, Debug)]
struct Held {
    at: Option<Position>,
    /// Nodes above the floor are filled in when it is taken.
    work: WorkUnit,
    assigned: bool,
    /// How many workers were lost over it.
    losses: u32,
}

impl Trunk {
    /// All that is left of an exploration by one worker.
    pub fn new(unit: WorkUnit) -> Trunk {
        let id = UnitId(0);
        let held = Held { at: None, work: unit, assigned: false, losses: 0 };
        Trunk {
            nodes: Vec::new(),
            free: Vec::new(),
            units: BTreeMap::from([(id, held)]),
            open: BTreeSet::from([(0, Open::Unit(id))]),
            next: 1,
            root: Below::Unit(id),
        }
    }

    /// Whether nothing is left.
    pub fn is_done(&self) -> bool {
        self.is_complete(self.root)
    }

    /// Whether there is something to take, as far as is known.
    pub fn has_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// How many units and branches can be taken.
    pub fn open(&self) -> usize {
        let size = |&(_, open): &(usize, Open)| match open {
            Open::Unit(_) => 1,
            Open::Node(index) => self.node(index).planned.len(),
        };
        self.open.iter().map(size).sum()
    }

    /// How deep a unit begins.
    pub fn depth(&self, id: UnitId) -> usize {
        self.units[&id].work.floor
    }

    /// Takes the shallowest work that nobody has. Branches that no inputs lead to are dropped on the way; what the
    /// solver does not know is told.
    pub fn take(
        &mut self,
        runs: &mut TrunkRuns<'_>,
        hit: &mut dyn FnMut(Bound),
    ) -> Option<(UnitId, WorkUnit)> {
        while let Some(&(_, open)) = self.open.first() {
            let id = match open {
                Open::Unit(id) => Some(id),
                Open::Node(index) => self.begin_branch(index, runs, hit),
            };
            if let Some(id) = id {
                return Some((id, self.assign(id)));
            }
        }
        None
    }

    /// Takes a certain unit that nobody works on.
    pub fn take_unit(&mut self, id: UnitId) -> Option<WorkUnit> {
        let waits = self.units.get(&id).is_some_and(|held| !held.assigned);
        waits.then(|| self.assign(id))
    }

    fn assign(&mut self, id: UnitId) -> WorkUnit {
        self.close(id);
        self.held(id).assigned = true;
        self.assembled(id)
    }

    /// A worker has stopped, having come to the end of executions or not, and hands back what is left of its unit.
    /// Whether something is left of it.
    pub fn returned(
        &mut self,
        id: UnitId,
        executed: bool,
        left: Option<WorkUnit>,
        runs: &mut TrunkRuns<'_>,
    ) -> bool {
        let Held { at, work, .. } = &self.units[&id];
        let (mut position, floor) = (*at, work.floor);
        let mut left = left;
        let reversals =
            left.as_mut().map_or(Vec::new(), |left| std::mem::take(&mut left.reversals));
        while let Some((index, branch)) = position {
            self.node_mut(index).begun[branch].examined |= executed;
            let depth = self.node(index).depth;
            for reversal in reversals.iter().filter(|reversal| reversal.depth == depth) {
                self.insert(index, branch, reversal, runs);
            }
            if let Some(work) = left.as_mut().and_then(|left| left.nodes.get_mut(depth)) {
                let tree = std::mem::take(&mut work.wakeup_tree);
                self.plan_all(index, &tree);
            }
            position = self.node(index).parent;
        }
        let remains = |left: &WorkUnit| {
            left.new_from.is_some()
                || left.nodes.is_empty()
                || left.nodes[floor..].iter().any(has_work)
        };
        let Some(left) = left.filter(remains) else {
            self.finish(id);
            return false;
        };
        let held = self.held(id);
        held.work = WorkUnit { floor, ..left };
        held.assigned = false;
        held.losses = 0;
        self.reopen(id);
        true
    }

    /// A worker was lost; its unit is as it was. How many were lost over it so far.
    pub fn lost(&mut self, id: UnitId) -> u32 {
        let held = self.held(id);
        held.assigned = false;
        held.losses += 1;
        let losses = held.losses;
        self.reopen(id);
        losses
    }

    /// Gives a unit up that nobody works on. The choices that lead to it.
    pub fn condemn(&mut self, id: UnitId) -> Vec<Choice> {
        let work = self.assembled(id);
        self.finish(id);
        work.prefix
    }

    /// Makes open branches of a unit that nobody works on, if it has any: its shallowest node with branches to
    /// take becomes part of the trunk. False if there is nothing to divide.
    pub fn divide(&mut self, id: UnitId) -> bool {
        let held = &self.units[&id];
        let (at, work) = (held.at, held.work.clone());
        // What nobody has followed yet is divided when somebody has; an execution that is to be repeated comes first.
        let whole = work.new_from.is_some() || work.already_done > 0 || work.nodes.is_empty();
        if held.assigned || whole {
            return false;
        }
        let open = |depth: &usize| !work.nodes[*depth].wakeup_tree.is_empty();
        let Some(last) = (work.floor..work.nodes.len()).find(open) else { return false };
        self.close(id);
        let mut parent = at;
        let mut index = 0;
        for depth in work.floor..=last {
            let own = &work.nodes[depth];
            let choices = own.done.iter().chain(work.prefix.get(depth));
            // What is below the last one is set when that is made.
            let begun =
                |&choice: &Choice| Begun { choice, seen: None, examined: true, below: Below::Done };
            let begun: Vec<Begun> = choices.map(begun).collect();
            let branch = begun.len().saturating_sub(1);
            let alternatives_added = own.alternatives_added.clone();
            let covered = true;
            let complete = false;
            let planned = Vec::new();
            let node =
                TrunkNode { parent, depth, covered, begun, planned, alternatives_added, complete };
            index = self.add_node(node);
            self.hang(parent, Below::Node(index));
            parent = Some((index, branch));
        }
        let tree = &work.nodes[last].wakeup_tree;
        self.node_mut(index).planned = planned_tree(tree);
        self.open.insert((last, Open::Node(index)));
        if last == work.prefix.len() {
            self.units.remove(&id);
            return true;
        }
        self.hang(parent, Below::Unit(id));
        let held = self.held(id);
        held.at = parent;
        held.work.floor = last + 1;
        if held.work.nodes[last + 1..].iter().any(has_work) {
            self.reopen(id);
        } else {
            self.finish(id);
        }
        true
    }

    /// Divides what nobody works on until so much is open, or as far as it goes.
    pub fn divide_until(&mut self, wanted: usize) {
        let mut tried = BTreeSet::new();
        while self.open() < wanted {
            let next = self.open.iter().find_map(|&(_, open)| match open {
                Open::Unit(id) if !tried.contains(&id) => Some(id),
                _ => None,
            });
            let Some(id) = next else { return };
            if !self.divide(id) {
                tried.insert(id);
            }
        }
    }

    /// The units that nobody works on, as they would be taken.
    pub fn units(&self) -> Vec<WorkUnit> {
        let waiting = self.units.iter().filter(|(_, held)| !held.assigned);
        waiting.map(|(&id, _)| self.assembled(id)).collect()
    }

    /// For each unit and node with planned branches, which part of the whole it is, if the branches of a node
    /// are equally large.
    pub fn shares(&self) -> impl Iterator<Item = f64> + '_ {
        let share = |mut position: Option<Position>| {
            let mut share = 1.0;
            while let Some((node, _)) = position {
                let node = self.node(node);
                share /= (node.begun.len() + node.planned.len()).max(1) as f64;
                position = node.parent;
            }
            share
        };
        let units = self.units.values().map(move |held| share(held.at));
        let planned = self.open.iter().filter_map(move |&(_, open)| match open {
            Open::Unit(_) => None,
            Open::Node(index) => {
                Some(share(Some((index, 0))) * self.node(index).planned.len() as f64)
            }
        });
        units.chain(planned)
    }

    fn node(&self, index: usize) -> &TrunkNode {
        self.nodes[index].as_ref().expect("positions lead to nodes that are kept")
    }

    fn node_mut(&mut self, index: usize) -> &mut TrunkNode {
        self.nodes[index].as_mut().expect("positions lead to nodes that are kept")
    }

    fn add_node(&mut self, node: TrunkNode) -> usize {
        let index = self.free.pop().unwrap_or_else(|| {
            self.nodes.push(None);
            self.nodes.len() - 1
        });
        self.nodes[index] = Some(node);
        index
    }

    fn held(&mut self, id: UnitId) -> &mut Held {
        self.units.get_mut(&id).expect("the unit is not done")
    }

    fn hang(&mut self, at: Option<Position>, below: Below) {
        match at {
            None => self.root = below,
            Some((node, branch)) => self.node_mut(node).begun[branch].below = below,
        }
    }

    fn close(&mut self, id: UnitId) {
        let depth = self.units[&id].work.floor;
        self.open.remove(&(depth, Open::Unit(id)));
    }

    fn reopen(&mut self, id: UnitId) {
        let depth = self.units[&id].work.floor;
        self.open.insert((depth, Open::Unit(id)));
    }

    /// Plans single steps at a node, except those that are there.
    fn plan_all(&mut self, index: usize, tree: &[WakeupStep]) {
        for planned in planned_tree(tree) {
            if !self.node(index).has_branch(planned.choice, planned.scope) {
                self.plan(index, planned);
            }
        }
    }

    /// Plans a branch at a node, which is not complete any more, nor are those above it.
    fn plan(&mut self, index: usize, planned: Planned) {
        let node = self.node_mut(index);
        node.planned.push(planned);
        self.note_planned(index);
    }

    /// Something was planned below a node.
    fn note_planned(&mut self, index: usize) {
        let node = self.node_mut(index);
        let depth = node.depth;
        if !node.planned.is_empty() {
            self.open.insert((depth, Open::Node(index)));
        }
        let mut next = Some(index);
        while let Some(index) = next {
            let node = self.node_mut(index);
            node.complete = false;
            next = node.parent.map(|(node, _)| node);
        }
    }

    /// Begins the first planned branch of a node, if its step can be taken, and what is planned after it, up to the
    /// end of a sequence, where a unit begins.
    fn begin_branch(
        &mut self,
        index: usize,
        runs: &mut TrunkRuns<'_>,
        hit: &mut dyn FnMut(Bound),
    ) -> Option<UnitId> {
        let mut index = index;
        let mut prefix = self.prefix(index);
        loop {
            let begun = self.begin_step(index, &prefix, runs, hit);
            let node = self.node(index);
            if node.planned.is_empty() {
                self.open.remove(&(node.depth, Open::Node(index)));
            }
            let Some((choice, then)) = begun else {
                let node = self.node(index);
                if !node.planned.is_empty() {
                    continue;
                }
                if node.begun.is_empty() {
                    // No input leads along what was planned here.
                    let parent = node.parent;
                    self.nodes[index] = None;
                    self.free.push(index);
                    return Some(self.begin_unit(parent, prefix, Vec::new()));
                }
                self.complete(index);
                return None;
            };
            prefix.push(choice);
            let position = (index, self.node(index).begun.len() - 1);
            if then.is_empty() {
                return Some(self.begin_unit(Some(position), prefix, Vec::new()));
            }
            let node = TrunkNode {
                parent: Some(position),
                depth: prefix.len(),
                covered: false,
                begun: Vec::new(),
                planned: then,
                alternatives_added: Vec::new(),
                complete: false,
            };
            let child = self.add_node(node);
            self.hang(Some(position), Below::Node(child));
            self.open.insert((prefix.len(), Open::Node(child)));
            index = child;
        }
    }

    /// Begins the first planned step of a node, if it can be taken.
    fn begin_step(
        &mut self,
        index: usize,
        prefix: &[Choice],
        runs: &mut TrunkRuns<'_>,
        hit: &mut dyn FnMut(Bound),
    ) -> Option<(Choice, Vec<Planned>)> {
        let node = self.node_mut(index);
        let Planned { mut choice, scope, mut seen, then } = node.planned.remove(0);
        runs.rehearsal.go_along(prefix.iter().copied());
        let run = &mut runs.rehearsal.run;
        let alternatives = run.alternatives(choice.process);
        if alternatives.count == 1 {
            choice.alternative = 0;
        } else if scope == BranchScope::Any {
            node.plan_alternatives(choice.process, alternatives.preferred, alternatives.count);
            return None;
        } else if choice.alternative >= alternatives.count {
            return None;
        } else if choice.alternative != alternatives.preferred {
            match run.feasible(choice) {
                Feasible::Yes => {}
                Feasible::No => return None,
                Feasible::Unknown(why) => {
                    hit(Bound::Solver(why));
                    return None;
                }
            }
        }
        if node.begun.iter().any(|begun| begun.choice == choice) {
            return None;
        }
        if alternatives.count > 1 {
            // What it touches may depend on the alternative.
            seen = None;
        }
        node.begun.push(Begun { choice, seen, examined: false, below: Below::Done });
        Some((choice, then))
    }

    /// A new unit: everything below a branch.
    fn begin_unit(
        &mut self,
        at: Option<Position>,
        prefix: Vec<Choice>,
        wakeup_tree: Vec<WakeupStep>,
    ) -> UnitId {
        let id = UnitId(self.next);
        self.next += 1;
        let floor = prefix.len();
        let mut nodes = vec![NodeWork::default(); floor];
        nodes.push(NodeWork { wakeup_tree, ..NodeWork::default() });
        let new_from = Some(floor);
        let work = WorkUnit { prefix, nodes, floor, new_from, ..WorkUnit::default() };
        self.units.insert(id, Held { at, work, assigned: false, losses: 0 });
        self.hang(at, Below::Unit(id));
        id
    }

    /// The choices that lead to a node.
    fn prefix(&self, index: usize) -> Vec<Choice> {
        let mut prefix = Vec::new();
        let mut position = self.node(index).parent;
        while let Some((node, branch)) = position {
            prefix.push(self.node(node).begun[branch].choice);
            position = self.node(node).parent;
        }
        prefix.reverse();
        prefix
    }

    /// A unit with all that its worker has to know of the trunk: what sleeps at each node, and what is in progress or
    /// planned there.
    fn assembled(&self, id: UnitId) -> WorkUnit {
        let Held { at, work, .. } = &self.units[&id];
        let mut work = work.clone();
        let mut new_from = work.prefix.len();
        let mut position = *at;
        while let Some((index, branch)) = position {
            let node = self.node(index);
            let mut wakeup_tree = Vec::new();
            self.write_tree(node, branch + 1, None, &mut wakeup_tree);
            if !node.begun[branch].examined {
                new_from = node.depth;
            }
            work.nodes[node.depth] = NodeWork {
                done: node.begun[..branch].iter().map(|begun| begun.choice).collect(),
                alternatives_added: node.alternatives_added.clone(),
                wakeup_tree,
                race_seen: false,
            };
            position = node.parent;
        }
        work.new_from = work.new_from.map(|_| new_from);
        work
    }

    /// The branches of a node from one on, as a wakeup tree in which units are leaves.
    fn write_tree(
        &self,
        node: &TrunkNode,
        first: usize,
        after: Option<usize>,
        tree: &mut Vec<WakeupStep>,
    ) {
        for begun in &node.begun[first..] {
            let this = tree.len();
            tree.push(WakeupStep { choice: begun.choice, scope: BranchScope::One, after });
            if let Below::Node(below) = begun.below
                && !self.node(below).covered
            {
                self.write_tree(self.node(below), 0, Some(this), tree);
            }
        }
        write_planned(&node.planned, after, tree);
    }

    /// The unit is done, and perhaps nodes above it are.
    fn finish(&mut self, id: UnitId) {
        self.close(id);
        let held = self.units.remove(&id).expect("the unit is not done");
        self.hang(held.at, Below::Done);
        if let Some((node, _)) = held.at {
            self.complete(node);
        }
    }

    fn is_complete(&self, below: Below) -> bool {
        match below {
            Below::Done => true,
            Below::Unit(_) => false,
            Below::Node(index) => self.node(index).complete,
        }
    }

    /// Finds out whether a node is complete, and those above it, and forgets what nobody needs any more.
    fn complete(&mut self, index: usize) {
        let mut next = Some(index);
        while let Some(index) = next {
            let node = self.node(index);
            let left = node.begun.iter().any(|begun| !self.is_complete(begun.below));
            if left || !node.planned.is_empty() {
                break;
            }
            next = node.parent.map(|(node, _)| node);
            self.node_mut(index).complete = true;
        }
        self.prune();
    }

    /// Forgets the nodes below branches before which nothing is in progress, there and further up.
    fn prune(&mut self) {
        let mut below = self.root;
        let mut at = None;
        while let Below::Node(index) = below {
            if self.node(index).complete {
                self.forget(index);
                self.hang(at, Below::Done);
                return;
            }
            let begun = &self.node(index).begun;
            let first = begun.iter().position(|begun| !self.is_complete(begun.below));
            let end = first.unwrap_or(begun.len());
            for branch in 0..end {
                if let Below::Node(done) = self.node(index).begun[branch].below {
                    self.forget(done);
                    self.hang(Some((index, branch)), Below::Done);
                }
            }
            let Some(first) = first else { return };
            at = Some((index, first));
            below = self.node(index).begun[first].below;
        }
    }

    fn forget(&mut self, index: usize) {
        let mut nodes = vec![index];
        while let Some(index) = nodes.pop() {
            let node = self.nodes[index].take().expect("positions lead to nodes that are kept");
            self.free.push(index);
            nodes.extend(node.begun.iter().filter_map(|begun| match begun.below {
                Below::Node(index) => Some(index),
                _ => None,
            }));
        }
    }
}

impl TrunkNode {
    fn has_branch(&self, choice: Choice, scope: BranchScope) -> bool {
        let begun = scope == BranchScope::One && self.begun.iter().any(|own| own.choice == choice);
        let covers = |planned: &Planned| match planned.scope {
            BranchScope::Any => planned.choice.process == choice.process,
            BranchScope::One => scope == BranchScope::One && planned.choice == choice,
        };
        begun || self.planned.iter().any(covers)
    }

    /// Plans the alternatives of a step one by one, the preferred one first.
    fn plan_alternatives(&mut self, process: Pid, preferred: u32, count: u32) {
        if !self.alternatives_added.contains(&process) {
            self.alternatives_added.push(process);
        }
        let others = (0..count).filter(|&alternative| alternative != preferred);
        let mut planned = Vec::new();
        for alternative in [preferred].into_iter().chain(others) {
            let choice = Choice { process, alternative };
            if !self.has_branch(choice, BranchScope::One) {
                let scope = BranchScope::One;
                planned.push(Planned { choice, scope, seen: None, then: Vec::new() });
            }
        }
        self.planned.splice(0..0, planned);
    }
}

/// Whether something is left at a node.
fn has_work(node: &NodeWork) -> bool {
    !node.wakeup_tree.is_empty() || node.race_seen
}

/// The steps of a wakeup tree, nested.
fn planned_tree(tree: &[WakeupStep]) -> Vec<Planned> {
    let mut planned: Vec<Option<Planned>> = tree
        .iter()
        .map(|step| {
            let (choice, scope) = (step.choice, step.scope);
            Some(Planned { choice, scope, seen: None, then: Vec::new() })
        })
        .collect();
    let mut roots = Vec::new();
    // Later steps come after earlier ones, so each is whole when it is moved.
    for number in (0..tree.len()).rev() {
        let mut own = planned[number].take().expect("moved once");
        own.then.reverse();
        match tree[number].after {
            None => roots.push(own),
            Some(before) => {
                planned[before].as_mut().expect("comes earlier").then.push(own);
            }
        }
    }
    roots.reverse();
    roots
}

fn write_planned(planned: &[Planned], after: Option<usize>, tree: &mut Vec<WakeupStep>) {
    for own in planned {
        let this = tree.len();
        tree.push(WakeupStep { choice: own.choice, scope: own.scope, after });
        write_planned(&own.then, Some(this), tree);
    }
}
