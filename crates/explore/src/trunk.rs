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
//! **What is planned.** Below a branch of a trunk node races are found whose reversals begin at that node. A
//! worker adds them to its own copy of the node's wakeup tree, in which every branch that was begun or is planned
//! there stands already, and hands the copy back; what is new in it is planned. So in the end each reversal finds a
//! branch that it could begin with, wherever it was found.
//!
//! **Wakeup trees of optimal.** `optimal` plans whole sequences. When it works alone, a branch is begun when the
//! subtrees of those before it are done, and no sequence is added to it any more. So it may leave a reversal out
//! because of a sleeping step that commutes with all of it: what wakes that step later was found below it, and
//! stands in the tree. If the sleeping step is explored by somebody else meanwhile, this comes too late. Therefore a node
//! is called *settled* if nothing sleeps there, or below such a node: what sleeps from there on, the same
//! search has explored before. There `optimal` does as it does alone. At nodes that are not settled, those of the trunk
//! included, three things differ. A step that was inherited as sleeping covers a reversal only if the reversal begins
//! with it. The alternatives of a step are all tried. And what is planned at a node of the trunk is single steps, below
//! which everything is explored.
//!
//! *Why this is enough.* Say that a sequence u can be taken from a node and does not begin with a step that sleeps there.
//! Then some execution below the node, which may end with all that could move asleep, begins with u up to the order of
//! independent steps. Suppose not, for the deepest such node and there for the shortest u. If u begins with a branch b
//! of the node, or commutes with one, take the first of these: below b, nothing asleep begins the rest of u.
//! Otherwise each branch b commutes with a part of u, up to a step q(b) that conflicts. Take the branch for which
//! that part is longest. Below b, the part and q(b) are executed, and the race of b with q(b) is reversed at this
//! node, by a sequence that begins with the part and q(b), up to steps that commute with both. No step that
//! was inherited as sleeping begins it, or it would begin u. So there is a branch that begins it or commutes with it. One that
//! begins it begins u; one that commutes with it commutes with a longer part of u than b. Neither is possible.
//! This is the theorem of source sets (Abdulla and others 2014) for branches in the order in which they were begun,
//! whenever they are explored. Since it speaks of executions that are given up, too, their races are reversed as
//! well. Where nodes are settled, the argument is that of the paper, which asks for the races of every execution.
//!
//! *What it does not say.* The step u(i) of a sequence is taken to be possible after any reordering of what is
//! independent of it, and the race of b with q(b) to be reversible. A guarded step (a semaphore, a task that awaits a
//! condition) may be impossible after the part alone, and then `optimal` confronts earlier rivals in turn; for these
//! there is no proof here. `tests/divided.rs` compares divided and undivided explorations of random programs with guards
//! among their features, executions and final states one by one, and `app/tests/jobs.rs` does so for models and Java
//! programs that await conditions.
//!
//! The price are the executions that are given up, which `optimal` never has alone; settled nodes have none.
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
//! **Cost.** Beginning a branch replays its prefix once here and once at the worker, where each step that was begun or
//! is planned at the nodes above is looked at. A step of the trunk needs some hundred bytes.

mod known_above;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use counterpoint_model::{Bound, Choice, Feasible, Interrupt, Pid, Program};

use crate::rehearsal::SecondRun;
use crate::wakeup::BranchScope;
use crate::work::{NodeWork, SavedBranch, WorkUnit};

pub use self::known_above::KnownAbove;

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
    second: SecondRun<'a>,
}

impl<'a> TrunkRuns<'a> {
    /// Runs of a program.
    pub fn new(program: &'a dyn Program) -> TrunkRuns<'a> {
        TrunkRuns { second: SecondRun::new(program, &Interrupt::never()) }
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
    /// In the order in which they were begun.
    begun: Vec<Begun>,
    planned: Vec<Planned>,
    /// Processes of whose steps all alternatives were planned.
    alternatives_added: Vec<Pid>,
    /// Processes whose steps are known to have one alternative.
    single_alternative: Vec<Pid>,
}

#[derive(Clone, Debug)]
struct Begun {
    choice: Choice,
    below: Below,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Below {
    Done,
    Unit(UnitId),
    Node(usize),
}

/// A branch that nobody has begun.
#[derive(Copy, Clone, Debug)]
struct Planned {
    choice: Choice,
    scope: BranchScope,
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
    /// All that is left of an exploration by one worker, from the root on.
    pub fn new(unit: WorkUnit) -> Trunk {
        let id = UnitId(0);
        let work = WorkUnit { floor: 0, ..unit };
        let held = Held { at: None, work, assigned: false, losses: 0 };
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
        self.root == Below::Done
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

    /// Gives a unit back to whoever has just returned it, unless it is done: from which depth on it is theirs.
    pub fn keep(&mut self, id: UnitId) -> Option<usize> {
        let held = self.units.get_mut(&id).filter(|held| !held.assigned)?;
        held.assigned = true;
        let floor = held.work.floor;
        self.close(id);
        Some(floor)
    }

    fn assign(&mut self, id: UnitId) -> WorkUnit {
        self.close(id);
        self.held(id).assigned = true;
        self.assembled(id)
    }

    /// A worker has stopped and hands back what is left of its unit, as far as that is not known ([`KnownAbove`]). Whether
    /// something is.
    pub fn returned(&mut self, id: UnitId, left: Option<WorkUnit>) -> bool {
        let Held { at, work, .. } = &self.units[&id];
        let (mut position, floor) = (*at, work.floor);
        let Some(mut left) = left else {
            self.finish(id);
            return false;
        };
        while let Some((index, _)) = position {
            let depth = self.node(index).depth;
            if let Some(work) = left.nodes.get_mut(depth) {
                let tree = std::mem::take(&mut work.wakeup_tree);
                self.plan_all(index, &tree);
            }
            position = self.node(index).parent;
        }
        let remains = left.new_from.is_some() || left.nodes.is_empty() || left.has_work_from(floor);
        if !remains {
            self.finish(id);
            return false;
        }
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

    /// How many workers were lost over a unit since it last came back.
    pub fn losses(&self, id: UnitId) -> u32 {
        self.units[&id].losses
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
        let Some(last) = work.shallowest_open(work.floor) else { return false };
        self.close(id);
        let mut parent = at;
        let mut index = 0;
        for depth in work.floor..=last {
            let own = &work.nodes[depth];
            let choices = own.done.iter().chain(work.prefix.get(depth));
            // What is below the last one is set when that is made.
            let begun = |&choice: &Choice| Begun { choice, below: Below::Done };
            let begun: Vec<Begun> = choices.map(begun).collect();
            let branch = begun.len().saturating_sub(1);
            let alternatives_added = own.alternatives_added.clone();
            index = self.add_node(TrunkNode {
                parent,
                depth,
                begun,
                planned: Vec::new(),
                alternatives_added,
                single_alternative: Vec::new(),
            });
            self.hang(parent, Below::Node(index));
            parent = Some((index, branch));
        }
        for branch in &work.nodes[last].wakeup_tree {
            self.plan(index, branch);
        }
        if last == work.prefix.len() {
            self.units.remove(&id);
            return true;
        }
        self.hang(parent, Below::Unit(id));
        let held = self.held(id);
        held.at = parent;
        held.work.floor = last + 1;
        if held.work.has_work_from(last + 1) {
            self.reopen(id);
        } else {
            self.finish(id);
        }
        true
    }

    /// A worker has stopped, leaves all steps above a depth to others, and goes on from there
    /// ([`WorkUnit::floor_if_divided`]). False if that is not how the unit is divided.
    pub fn shared(&mut self, id: UnitId, left: WorkUnit, floor: usize) -> bool {
        let remains = self.returned(id, Some(left));
        while remains && self.units.get(&id).is_some_and(|held| held.work.floor < floor) {
            if !self.divide(id) {
                return false;
            }
        }
        self.keep(id) == Some(floor)
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

    /// Plans the steps of a wakeup tree at a node, except those that are there.
    fn plan_all(&mut self, index: usize, tree: &[SavedBranch]) {
        for branch in tree {
            if !self.node(index).has_branch(branch.choice, branch.scope) {
                self.plan(index, branch);
            }
        }
    }

    fn plan(&mut self, index: usize, branch: &SavedBranch) {
        let node = self.node_mut(index);
        node.planned.push(Planned { choice: branch.choice, scope: branch.scope });
        let depth = node.depth;
        self.open.insert((depth, Open::Node(index)));
    }

    /// Begins the first planned branch of a node, if its step can be taken.
    fn begin_branch(
        &mut self,
        index: usize,
        runs: &mut TrunkRuns<'_>,
        hit: &mut dyn FnMut(Bound),
    ) -> Option<UnitId> {
        let mut prefix = self.prefix(index);
        let begun = self.begin_step(index, &prefix, runs, hit);
        let node = self.node(index);
        if node.planned.is_empty() {
            self.open.remove(&(node.depth, Open::Node(index)));
        }
        let Some(choice) = begun else {
            self.finish_nodes(index);
            return None;
        };
        prefix.push(choice);
        let branch = self.node(index).begun.len() - 1;
        Some(self.begin_unit((index, branch), prefix))
    }

    /// Begins the first planned step of a node, if it can be taken.
    fn begin_step(
        &mut self,
        index: usize,
        prefix: &[Choice],
        runs: &mut TrunkRuns<'_>,
        hit: &mut dyn FnMut(Bound),
    ) -> Option<Choice> {
        let node = self.node_mut(index);
        let Planned { mut choice, scope } = node.planned.remove(0);
        runs.second.go_along(prefix.iter().copied());
        let run = &mut runs.second.run;
        let alternatives = run.alternatives(choice.process);
        // Others may find out too late that the alternatives of a planned step matter as well.
        let lone = !node.alternatives_added.contains(&choice.process);
        if alternatives.count == 1 {
            choice.alternative = 0;
            if !node.single_alternative.contains(&choice.process) {
                node.single_alternative.push(choice.process);
            }
        } else if scope == BranchScope::Any || lone {
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
        node.begun.push(Begun { choice, below: Below::Done });
        Some(choice)
    }

    /// A new unit: everything below a branch.
    fn begin_unit(&mut self, at: Position, prefix: Vec<Choice>) -> UnitId {
        let id = UnitId(self.next);
        self.next += 1;
        let floor = prefix.len();
        let nodes = vec![NodeWork::default(); floor + 1];
        let new_from = Some(floor - 1);
        let unsettled = floor + 1;
        let work = WorkUnit { prefix, nodes, floor, new_from, unsettled, ..WorkUnit::default() };
        self.units.insert(id, Held { at: Some(at), work, assigned: false, losses: 0 });
        self.hang(Some(at), Below::Unit(id));
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
        let mut position = *at;
        while let Some((index, branch)) = position {
            let node = self.node(index);
            let begun = |begun: &Begun| SavedBranch::leaf(begun.choice, BranchScope::One);
            let later = node.begun[branch + 1..].iter().map(begun);
            let planned = |planned: &Planned| SavedBranch::leaf(planned.choice, planned.scope);
            let planned = node.planned.iter().map(planned);
            let wakeup_tree = later.chain(planned).collect();
            work.nodes[node.depth] = NodeWork {
                done: node.begun[..branch].iter().map(|begun| begun.choice).collect(),
                alternatives_added: node.alternatives_added.clone(),
                wakeup_tree,
                race_seen: false,
            };
            position = node.parent;
        }
        work
    }

    /// The unit is done, and perhaps nodes above it are.
    fn finish(&mut self, id: UnitId) {
        self.close(id);
        let held = self.units.remove(&id).expect("the unit is not done");
        self.hang(held.at, Below::Done);
        if let Some((node, _)) = held.at {
            self.finish_nodes(node);
        }
    }

    /// Forgets a node, and those above it, if nothing is left to do below.
    fn finish_nodes(&mut self, index: usize) {
        let mut next = Some(index);
        while let Some(index) = next {
            let node = self.node(index);
            let done = |begun: &Begun| begun.below == Below::Done;
            if !node.begun.iter().all(done) || !node.planned.is_empty() {
                return;
            }
            let parent = node.parent;
            self.nodes[index] = None;
            self.free.push(index);
            self.hang(parent, Below::Done);
            next = parent.map(|(node, _)| node);
        }
    }
}

impl TrunkNode {
    /// Whether a step was begun here or will be, as far as inputs lead there. Workers mention what is planned here again
    /// and again.
    fn has_branch(&self, choice: Choice, scope: BranchScope) -> bool {
        let process = choice.process;
        let is_begun = |all: bool| {
            self.begun
                .iter()
                .any(|own| own.choice == choice || all && own.choice.process == process)
        };
        let covers = |planned: &Planned| match planned.scope {
            BranchScope::Any => planned.choice.process == process,
            BranchScope::One => scope == BranchScope::One && planned.choice == choice,
        };
        self.alternatives_added.contains(&process)
            || self.single_alternative.contains(&process) && is_begun(true)
            || scope == BranchScope::One && is_begun(false)
            || self.planned.iter().any(covers)
    }

    /// Plans the alternatives of a step one by one, the preferred one first.
    fn plan_alternatives(&mut self, process: Pid, preferred: u32, count: u32) {
        if !self.alternatives_added.contains(&process) {
            self.alternatives_added.push(process);
        }
        self.planned.retain(|own| own.choice.process != process || own.scope == BranchScope::One);
        let others = (0..count).filter(|&alternative| alternative != preferred);
        let mut planned = Vec::new();
        for alternative in [preferred].into_iter().chain(others) {
            let choice = Choice { process, alternative };
            let begun = self.begun.iter().any(|own| own.choice == choice);
            if !begun && !self.planned.iter().any(|own| own.choice == choice) {
                planned.push(Planned { choice, scope: BranchScope::One });
            }
        }
        self.planned.splice(0..0, planned);
    }
}
