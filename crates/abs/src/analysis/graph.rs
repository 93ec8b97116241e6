//! Who may wait for whom, and the cycles in it.
//!
//! **The graph** (section 4.3.1 of the thesis on active objects; Flores-Montoya, Albert, Genaim 2013). Its nodes
//! are abstract cogs and abstract tasks. A cog waits for a task if a task blocks it in a `get` or a call for
//! the result of that task. A task waits for another one whose result it awaits, blocking or not. A task
//! waits for its cog while it has not begun or has released the cog. Each arrow is there because of a task
//! that stands at a point.
//!
//! **Cycles.** Where tasks of a run wait for each other in a cycle, the arrows that stand for their waiting form
//! a closed walk, and all the points on it are occupied at the same time, by different tasks. A closed walk
//! consists of simple cycles, whose points are occupied at the same time as well. So it is enough to list
//! the simple cycles whose points can be together in pairs: each deadlock contains all arrows of one of them.
//!
//! Two cycles in which tasks wait for results at the same places differ only in who stands in the way, as where
//! a task is reached by its future or by the object it blocks. The shorter one is listed: each deadlock contains all
//! waits for results of a listed cycle.
//!
//! A cycle of tasks alone is left out if none of their futures is ever kept in a field, returned, thrown or
//! read as `destiny`. A task then has the future of another only as its creator, or as a parameter, and then
//! it is the younger one. Suppose tasks have each other's futures in a cycle. The youngest was created by the
//! one that has its future, and got the next one's future from there; so it can be taken out of the cycle,
//! and at last some task has its own future, which is impossible.
//!
//! **Conditions.** A task that awaits a condition waits for nobody in particular, so no cycle tells of it. But
//! where somebody blocks a cog and waits, through others or not, for such a task, a condition that never
//! comes true is a deadlock. These chains are listed apart.
//!
//! **Cost.** The number of simple cycles can be exponential: the search gives up after [`MOST_CYCLES`] cycles or
//! [`MOST_WORK`] arrows and says so.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::program::{BodyId, ConstantId, GuardPart, Instruction, Operand};

use super::Parts;
use super::abstraction::{AbstractCog, ContextId, Point};
use super::failures;
use super::flow;
use super::parallel::{Parallel, Position};
use super::points_to::PointsTo;
use super::sets::Reference;
use super::tasks::Standing;

/// How many cycles are listed.
pub const MOST_CYCLES: usize = 200;

/// How many arrows are tried.
const MOST_WORK: usize = 2_000_000;

/// How many chains that end at a condition are listed.
const MOST_CHAINS: usize = 50;

/// A node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A cog.
    Cog(AbstractCog),
    /// A task, by the context it begins with.
    Task(ContextId),
}

/// Why somebody waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// A `get`, or a call to another cog: it keeps the cog until the result is there.
    Blocked,
    /// An `await`: it has released the cog and waits for the result.
    Awaiting,
    /// It cannot run while somebody blocks the cog.
    Competing,
}

/// Somebody waits for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arrow {
    /// Who waits.
    pub from: Node,
    /// For whom.
    pub to: Node,
    /// The point at which a task stands.
    pub position: Position,
    /// Why it waits.
    pub why: Why,
}

/// A chain of waiting that ends at a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// Who blocks a cog, first, up to an arrow that leads to the task that awaits the condition.
    pub arrows: Vec<Arrow>,
    /// Where the condition is awaited.
    pub condition: Position,
    /// The other cogs that may be blocked at the same place until the same condition comes true.
    pub also: Vec<Node>,
}

/// The graph with its cycles.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// All arrows between nodes that lie on some cycle, possible or not.
    pub arrows: Vec<Arrow>,
    /// The cycles, each from a blocked cog on if there is one.
    pub cycles: Vec<Vec<Arrow>>,
    /// For each of them, how many others have the same waits and are not listed.
    pub alike: Vec<usize>,
    /// Whether there may be more cycles or chains.
    pub truncated: bool,
    /// The chains that end at a condition.
    pub chains: Vec<Chain>,
    /// Where conditions are awaited.
    pub conditions: Vec<Position>,
}

/// Draws the graph and lists its cycles.
pub fn graph(points: &PointsTo<'_>, parallel: &mut Parallel, parts: Parts) -> Graph {
    let (arrows, conditions) = arrows(points, parallel);
    let (chains, more_chains) = chains(points, &arrows, &conditions, parallel);
    let inner = on_cycles(&arrows);
    let mut search = Search {
        leaving: BTreeMap::new(),
        parallel,
        leaked: leaked(points, parts),
        cycles: Vec::new(),
        seen: FxHashSet::default(),
        work: 0,
        points,
    };
    for arrow in &inner {
        search.leaving.entry(arrow.from).or_default().push(*arrow);
    }
    let starts: Vec<Node> = search.leaving.keys().copied().collect();
    for start in starts {
        search.from(start);
    }
    let truncated = search.is_over() || more_chains;
    let mut cycles = one_for_the_same_waits(points, search.cycles);
    cycles.truncate(MOST_CYCLES);
    let (cycles, alike) = cycles.into_iter().unzip();
    let mut conditions: Vec<Position> =
        conditions.into_iter().map(|(_, position)| position).collect();
    conditions.sort_unstable();
    conditions.dedup();
    Graph { arrows: inner, cycles, alike, truncated, chains, conditions }
}

/// Of cycles in which tasks wait for results at the same places, the shortest, and how many others there are.
fn one_for_the_same_waits(
    points: &PointsTo<'_>,
    cycles: Vec<Vec<Arrow>>,
) -> Vec<(Vec<Arrow>, usize)> {
    type WaitSet = BTreeSet<(BodyId, Standing, Option<BodyId>)>;
    let body = |context: ContextId| points.abstraction.of(context).body;
    let waits = |cycle: &[Arrow]| -> WaitSet {
        let results = cycle.iter().filter(|arrow| arrow.why != Why::Competing);
        results
            .map(|arrow| {
                let awaited = match arrow.to {
                    Node::Task(task) => Some(body(task)),
                    Node::Cog(_) => None,
                };
                (body(arrow.position.context), arrow.position.standing, awaited)
            })
            .collect()
    };
    let mut known: Vec<(WaitSet, Vec<Arrow>, usize)> = Vec::new();
    for cycle in cycles {
        let own = waits(&cycle);
        match known.iter_mut().find(|(waits, ..)| *waits == own) {
            Some((_, shortest, others)) => {
                *others += 1;
                if cycle.len() < shortest.len() {
                    *shortest = cycle;
                }
            }
            None => known.push((own, cycle, 0)),
        }
    }
    known.into_iter().map(|(_, cycle, others)| (cycle, others)).collect()
}

/// All arrows, and where conditions are awaited by which tasks.
fn arrows(points: &PointsTo<'_>, parallel: &Parallel) -> (Vec<Arrow>, Vec<(ContextId, Position)>) {
    let mut arrows = BTreeSet::new();
    let mut conditions = Vec::new();
    let tasks = failures::tasks(points);
    for (index, &begins_task) in tasks.iter().enumerate() {
        let context = ContextId(index as u32);
        let body = points.body(context);
        let reached = &points.shapes[&points.abstraction.of(context).body].reached;
        let roots: Vec<ContextId> = points.tasks(points.destinies[index]).collect();
        let at = |standing| Position { context, standing };
        let mut competes = |position: Position, roots: &[ContextId]| {
            for &root in roots {
                for cog in points.kept_cogs(context) {
                    let (from, to) = (Node::Task(root), Node::Cog(cog));
                    arrows.insert(Arrow { from, to, position, why: Why::Competing });
                }
            }
        };
        if begins_task {
            competes(at(Standing::Entry), &[context]);
        }
        for (instruction, &code) in body.code.iter().enumerate() {
            if !reached[instruction] {
                continue;
            }
            let position = at(Standing::At(instruction as u32));
            match code {
                Instruction::Await { guard } => {
                    competes(position, &roots);
                    let always = GuardPart::Value(Operand::Constant(ConstantId::TRUE));
                    let waits = |part: &GuardPart| {
                        matches!(part, GuardPart::Condition(_) | GuardPart::Value(_))
                            && *part != always
                    };
                    if body.guards[guard.index()].parts.iter().any(waits) {
                        conditions.extend(roots.iter().map(|&root| (root, position)));
                    }
                }
                Instruction::Suspend => competes(position, &roots),
                _ => {}
            }
        }
        for (&instruction, effect) in &points.effects[index] {
            let position = at(Standing::At(instruction));
            let why = match body.code.get(instruction as usize) {
                Some(Instruction::Get { .. }) if parallel.is_idle(context, instruction) => continue,
                Some(Instruction::Get { .. } | Instruction::CallMethod { .. }) => Why::Blocked,
                Some(Instruction::Await { .. }) => Why::Awaiting,
                _ => continue,
            };
            for &task in &effect.awaited {
                let to = Node::Task(task);
                for &root in &roots {
                    arrows.insert(Arrow { from: Node::Task(root), to, position, why });
                }
                if why == Why::Blocked {
                    for cog in points.kept_cogs(context) {
                        arrows.insert(Arrow { from: Node::Cog(cog), to, position, why });
                    }
                }
            }
        }
    }
    (arrows.into_iter().collect(), conditions)
}

/// The arrows that lie inside a strongly connected component.
fn on_cycles(arrows: &[Arrow]) -> Vec<Arrow> {
    let nodes: BTreeSet<Node> = arrows.iter().flat_map(|arrow| [arrow.from, arrow.to]).collect();
    let numbers: FxHashMap<Node, usize> =
        nodes.iter().enumerate().map(|(number, &node)| (node, number)).collect();
    let mut leaving: Vec<SmallVec<[usize; 2]>> = vec![SmallVec::new(); nodes.len()];
    for arrow in arrows {
        leaving[numbers[&arrow.from]].push(numbers[&arrow.to]);
    }
    let components = flow::components(nodes.len(), |node| leaving[node].clone());
    let inside =
        |arrow: &&Arrow| components[numbers[&arrow.from]] == components[numbers[&arrow.to]];
    arrows.iter().filter(inside).copied().collect()
}

/// The tasks whose futures may be had by others than their creators and those who got them as parameters.
fn leaked(points: &PointsTo<'_>, parts: Parts) -> Option<FxHashSet<ContextId>> {
    if !parts.futures {
        return None;
    }
    let mut leaked = FxHashSet::default();
    let mut leak = |set| {
        for reference in points.sets.members(set) {
            if let Reference::Future(task) = reference {
                leaked.insert(*task);
            }
        }
    };
    points.fields.values().copied().for_each(&mut leak);
    leak(points.exceptions);
    for (index, task) in failures::tasks(points).into_iter().enumerate() {
        if task {
            leak(points.results[index]);
        }
    }
    for index in 0..points.effects.len() {
        let body = points.body(ContextId(index as u32));
        let destiny = |operand: &Operand| *operand == Operand::Destiny;
        let reads = body.operands.iter().any(destiny)
            || body.code.iter().any(|i| i.operands().iter().flatten().any(destiny));
        let guards = body.guards.iter().flat_map(|guard| &guard.parts);
        let awaits = guards
            .into_iter()
            .any(|part| matches!(part, GuardPart::Future(operand) if destiny(operand)));
        if reads || awaits {
            leak(points.destinies[index]);
        }
    }
    Some(leaked)
}

/// The search for simple cycles: from each node, by nodes that are not smaller, depth first.
struct Search<'a, 'm> {
    points: &'a PointsTo<'m>,
    leaving: BTreeMap<Node, Vec<Arrow>>,
    parallel: &'a mut Parallel,
    leaked: Option<FxHashSet<ContextId>>,
    cycles: Vec<Vec<Arrow>>,
    seen: FxHashSet<Vec<Key>>,
    work: usize,
}

/// What tells arrows apart for people: the creation site or body of both ends and the point, not the context.
type Key = (Option<Point>, Option<BodyId>, BodyId, Standing, Why);

impl Search<'_, '_> {
    fn is_over(&self) -> bool {
        self.cycles.len() > MOST_CYCLES || self.work > MOST_WORK
    }

    fn from(&mut self, start: Node) {
        let mut path: Vec<Arrow> = Vec::new();
        let mut left: Vec<Vec<Arrow>> = vec![self.arrows_from(start)];
        while let Some(arrows) = left.last_mut() {
            let Some(arrow) = arrows.pop() else {
                left.pop();
                path.pop();
                continue;
            };
            self.work += 1;
            if self.is_over() {
                return;
            }
            let new = arrow.to == start
                || arrow.to != arrow.from && path.iter().all(|known| known.from != arrow.to);
            if arrow.to < start || !new {
                continue;
            }
            let fits =
                |known: &Arrow| self.parallel.may_be_together(known.position, arrow.position);
            if !path.iter().all(fits) {
                continue;
            }
            path.push(arrow);
            if arrow.to == start {
                self.found(&path);
                path.pop();
            } else {
                left.push(self.arrows_from(arrow.to));
            }
        }
    }

    fn arrows_from(&self, node: Node) -> Vec<Arrow> {
        self.leaving.get(&node).cloned().unwrap_or_default()
    }

    fn found(&mut self, path: &[Arrow]) {
        let is_task = |arrow: &Arrow| match arrow.from {
            Node::Task(task) => Some(task),
            Node::Cog(_) => None,
        };
        let tasks: Option<Vec<ContextId>> = path.iter().map(is_task).collect();
        if let (Some(tasks), Some(leaked)) = (tasks, &self.leaked)
            && !tasks.iter().any(|task| leaked.contains(task))
        {
            return;
        }
        let mut cycle = path.to_vec();
        let keys: Vec<Key> = cycle.iter().map(|arrow| self.key(arrow)).collect();
        let blocked = |arrow: &Arrow| matches!(arrow.from, Node::Cog(_));
        let starts = (0..keys.len()).filter(|&start| blocked(&cycle[start]));
        let least = |start: &usize| {
            let mut turned = keys.clone();
            turned.rotate_left(*start);
            turned
        };
        let start = starts.min_by_key(least).or_else(|| (0..keys.len()).min_by_key(least));
        let start = start.unwrap_or_default();
        cycle.rotate_left(start);
        if self.seen.insert(least(&start)) {
            self.cycles.push(cycle);
        }
    }

    fn key(&self, arrow: &Arrow) -> Key {
        let of = |context: ContextId| self.points.abstraction.of(context).body;
        let (site, task) = match arrow.from {
            Node::Cog(AbstractCog::Main) => (None, None),
            Node::Cog(AbstractCog::Of(object)) => {
                (Some(self.points.abstraction.objects[object.index()].site), None)
            }
            Node::Task(task) => (None, Some(of(task))),
        };
        let Position { context, standing } = arrow.position;
        (site, task, of(context), standing, arrow.why)
    }
}

/// The shortest way from each point that blocks a cog to each condition, looking only at whether
/// neighbours can be together; and whether there are more than are listed.
fn chains(
    points: &PointsTo<'_>,
    arrows: &[Arrow],
    conditions: &[(ContextId, Position)],
    parallel: &mut Parallel,
) -> (Vec<Chain>, bool) {
    if conditions.is_empty() {
        return (Vec::new(), false);
    }
    let mut leaving: FxHashMap<Node, Vec<Arrow>> = FxHashMap::default();
    for arrow in arrows {
        leaving.entry(arrow.from).or_default().push(*arrow);
    }
    let mut waiting: FxHashMap<ContextId, Vec<Position>> = FxHashMap::default();
    for &(task, position) in conditions {
        waiting.entry(task).or_default().push(position);
    }
    let mut chains: Vec<Chain> = Vec::new();
    let mut seen: FxHashMap<(BodyId, Standing, BodyId, Standing), usize> = FxHashMap::default();
    let blocking = arrows.iter().filter(|arrow| matches!(arrow.from, Node::Cog(_)));
    for &first in blocking {
        let mut queue = VecDeque::from([vec![first]]);
        let mut known: FxHashSet<(Node, Position)> = FxHashSet::default();
        while let Some(path) = queue.pop_front() {
            let last = path[path.len() - 1];
            if let Node::Task(task) = last.to {
                for &condition in waiting.get(&task).into_iter().flatten() {
                    // Asking for more than this would depend on the way that was found first.
                    if !parallel.may_be_together(first.position, condition)
                        || !parallel.may_be_together(last.position, condition)
                    {
                        continue;
                    }
                    let place = |position: Position| {
                        (points.abstraction.of(position.context).body, position.standing)
                    };
                    let (one, other) = (place(first.position), place(condition));
                    let number =
                        *seen.entry((one.0, one.1, other.0, other.1)).or_insert(chains.len());
                    match chains.get_mut(number) {
                        Some(known) => {
                            if known.arrows[0].from != first.from
                                && !known.also.contains(&first.from)
                            {
                                known.also.push(first.from);
                            }
                        }
                        None if number == MOST_CHAINS => return (chains, true),
                        None => {
                            let arrows = path.clone();
                            chains.push(Chain { arrows, condition, also: Vec::new() });
                        }
                    }
                }
            }
            for &next in leaving.get(&last.to).into_iter().flatten() {
                if parallel.may_be_together(last.position, next.position)
                    && known.insert((next.to, next.position))
                {
                    let mut path = path.clone();
                    path.push(next);
                    queue.push_back(path);
                }
            }
        }
    }
    (chains, false)
}
