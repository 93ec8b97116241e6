//! The depth-first search that all systematic explorers share.
//!
//! **Problem.** Exhaustive search, the two classic partial-order reductions and the optimal one walk
//! the same tree of choices, keep the same sleep sets, stop at the same limits and must all be able
//! to hand back what they have not done. Only three decisions differ.
//!
//! **Idea.** One engine, and a [`Strategy`] for the three decisions: which processes to start with
//! at a new node, which backtrack points to add when an execution has ended, and which when a subtree is
//! done. They stand in the wakeup tree of their node ([`wakeup`](crate::wakeup)); the engine takes one
//! after another.
//!
//! *Sleep sets* (Godefroid 1996; chapter 2.4 of the thesis): a step whose subtree is done sleeps in
//! the later siblings' subtrees until a step dependent on it wakes it. A step with several
//! alternatives sleeps by alternative.
//!
//! *Fairness.* A process that goes on as long as it can is easy to follow and may never end: others
//! that are ready must have their turn before the limit of steps ends the execution, or what they do is
//! never seen. So in the last quarter of the limit ([`turns`](crate::turns)) the processes that need not
//! sleep take turns. Which process goes first from a new node is the strategy's free choice, so every
//! explorer is as complete as before, and shorter executions are the same as without.
//!
//! *Going back* is lazy: events are popped from the trace, and the run is rewound, or replayed if it
//! cannot rewind, only when the next step is taken. Until then it may try what could have happened from other nodes of
//! the path, and if it has gone back too far for that, it takes some steps of the path again. It does so, too, where going
//! back is so rare that the way back is not kept ([`marking`]).
//!
//! *An interrupt* may end the search in the middle of an execution. What was done of that execution
//! since the last one ended counts for nothing: its first step is put back, with the steps planned
//! after it, at the node where it left the last one. An execution that has ended counts, though the time
//! may not suffice to look at its races, which of a very long one takes longer than the execution itself:
//! it is put back in the same way, and repeated without being counted.
//!
//! **Invariant.** `nodes[i]` belongs to the state before event i; the trace is the path from the
//! root to the present node.
//!
//! **Cost.** A step costs the run's step, the trace's push, and a look at each sleeper. Nothing is
//! allocated once nodes and arenas have grown.

mod marking;
mod node;
mod rehearsing;
mod saving;

use std::rc::Rc;

use counterpoint_model::{Alternatives, Bound, Choice, Feasible, Footprint, Next, Op, Pid, Run};
use counterpoint_symbolic::Terms;
use rustc_hash::FxHashSet;

pub(crate) use self::node::Node;
use crate::property::Ending;
use crate::rehearsal::{Rehearsal, SecondRun, take_back};
use crate::search::{Assignment, Exploration, Search};
use crate::trace::Trace;
use crate::turns;
use crate::wakeup::{Branch, BranchScope, Branches, NextStep, Wakeups};
use crate::work::WorkUnit;

/// What distinguishes the depth-first explorers.
pub(crate) trait Strategy: Default {
    /// Whether the explorer needs clocks, races and sleep sets.
    const REDUCES: bool;

    /// Whether what the explorer knows is lost when it stops, so that it goes on by repeating what it
    /// has done.
    const RESUMES_BY_REPEATING: bool = false;

    /// The process to go first from a new node; others may become backtrack points at once. `None` if no process can
    /// or need move.
    fn choose_first(&mut self, engine: &mut Engine<'_>) -> Option<Pid>;

    /// Whether the one to go first where nobody sleeps is always [the first that is ready](Engine::first_ready), unless
    /// the last step was one after which others [have to decide](Op::raises_decisions).
    const GOES_ON: bool = false;

    /// Whether the explorer looks at races.
    const RACES: bool = Self::REDUCES;

    /// Whether it shows those that matter to whoever notes data races.
    const SHOWS_RACES: bool = false;

    /// Why no step is to be taken from the present node although some could be.
    fn halt(&mut self) -> Option<Halt> {
        None
    }

    /// An execution has ended: its new events are those from `engine.first_new` on.
    fn execution_ended(&mut self, engine: &mut Engine<'_>, ending: Ending) {
        let _ = (engine, ending);
    }

    /// Whether an execution that has ended here leads to an end that is known already.
    fn is_known_end(&mut self, engine: &mut Engine<'_>) -> bool {
        let _ = engine;
        false
    }

    /// What remains at the nodes above this one was left to others.
    fn handed_over(&mut self, floor: usize) {
        let _ = floor;
    }

    /// Whether [`node_done`](Strategy::node_done) has something to do.
    const HEEDS_NODES: bool = false;

    /// A node is left for good: all that was to be taken from it has been taken.
    fn node_done(&mut self, engine: &mut Engine<'_>, depth: usize) {
        let _ = (engine, depth);
    }

    /// The subtree of a step from this node is done, and a race was seen there or more steps remain.
    fn subtree_done(&mut self, engine: &mut Engine<'_>, depth: usize) {
        let _ = (engine, depth);
    }
}

/// Why an execution is not followed further.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// It cannot come to what is looked for.
    Hopeless,
    /// It shows a deadlock that is looked for.
    Deadlock,
}

/// So many branches are added, and so many processes listed, without a look at the clock; in tests, see
/// [`Search::worked`], fewer.
const FEW: usize = if cfg!(test) { 32 } else { 1024 };

/// What it costs to add a branch, in events that are looked at.
const COST_OF_A_BRANCH: usize = 8;

/// The search in progress.
pub(crate) struct Engine<'a> {
    pub search: Search<'a>,
    pub trace: Trace,
    pub nodes: Vec<Node>,
    pub wakeups: Wakeups,
    /// For questions about what could have happened.
    pub rehearsal: Rehearsal,
    /// For questions about where inputs lead; made when first needed.
    pub trial: Option<SecondRun<'a>>,
    /// Events from here on are new since the last execution.
    pub first_new: usize,
    /// From this depth on the present execution follows no wakeup tree.
    free_from: usize,
    /// Whether an execution has ended since the search began.
    concluded: bool,
    /// Whether the races of the last execution have not all been looked at: there was no time.
    races_left: bool,
    run: Box<dyn Run + 'a>,
    /// Whether the run heeds the interrupt.
    heeds: bool,
    rewinds: bool,
    marks_sparingly: bool,
    /// If the run does not stand at the end of the trace: how many events of the trace it has taken before it
    /// went elsewhere, or a larger number if all.
    strayed_after: Option<usize>,
    /// How many steps back the last node is to which the run can be taken back at once.
    since_mark: usize,
    floor: usize,
    prefix: Vec<Choice>,
}

/// Explores as the strategy says.
pub(crate) fn explore<S: Strategy>(assignment: Assignment<'_>) -> Exploration {
    let (mut search, unit) = Search::new(assignment);
    search.shows_races = S::SHOWS_RACES;
    if S::REDUCES || S::RESUMES_BY_REPEATING {
        search.repeat_first(unit.already_done);
    }
    let run = search.program.start(&[]);
    let (rewinds, marks_sparingly) = (run.rewinds(), run.marks_sparingly());
    let mut engine = Engine {
        search,
        trace: Trace::new(),
        nodes: vec![Node::new()],
        wakeups: Wakeups::default(),
        rehearsal: Rehearsal::new(),
        trial: None,
        first_new: 0,
        free_from: usize::MAX,
        concluded: false,
        races_left: false,
        run,
        heeds: true,
        rewinds,
        marks_sparingly,
        strayed_after: None,
        since_mark: 0,
        floor: unit.floor,
        prefix: Vec::new(),
    };
    engine.nodes[0].mark = Some(engine.run.mark());
    let awake = engine.restore::<S>(&unit);
    if engine.search.is_interrupted() {
        return engine.search.end(Some(unit));
    }
    if !awake {
        // What the unit begins with was explored elsewhere.
        return engine.search.end(None);
    }
    engine.search.taken_up();
    let mut strategy = S::default();
    loop {
        let ended = S::GOES_ON && engine.go_on::<S>();
        let picked = if ended { None } else { engine.pick(&mut strategy) };
        match picked {
            Some((choice, then, count)) => engine.descend::<S>(choice, then, count),
            None if engine.search.is_interrupted() => {}
            None => {
                let node = &engine.nodes[engine.trace.len()];
                if !node.visited {
                    if !engine.conclude(&mut strategy) {
                        return engine.interrupted::<S>(unit);
                    }
                    engine.search.leave_time_to_save(engine.wakeups.len());
                    if engine.races_left {
                        let left = if engine.concluded { engine.save_interrupted() } else { unit };
                        // The execution counts; it is repeated for its races only.
                        return engine.search.end(Some(WorkUnit { already_done: 1, ..left }));
                    }
                } else if !node.step_taken {
                    // No alternative of the step to start with is awake and possible.
                    engine.search.abandoned(&engine.trace);
                }
                let more = engine.backtrack(&mut strategy);
                if !more || engine.search.stop {
                    if S::RESUMES_BY_REPEATING && more {
                        let already_done = engine.search.done();
                        return engine.search.end(Some(WorkUnit { already_done, ..unit }));
                    }
                    if let Err(result) = engine.hand_over(more) {
                        return *result;
                    }
                    strategy.handed_over(engine.floor);
                }
                continue;
            }
        }
        if engine.search.is_interrupted() {
            return engine.interrupted::<S>(unit);
        }
    }
}

impl<'a> Engine<'a> {
    /// The result, where the search ends in the midst of an execution.
    #[cold]
    fn interrupted<S: Strategy>(&mut self, unit: WorkUnit) -> Exploration {
        self.search.take_back_steps(self.trace.len() - self.first_new);
        let unexplored = match (S::RESUMES_BY_REPEATING, self.concluded) {
            (true, _) => WorkUnit { already_done: self.search.done(), ..unit },
            (false, false) => unit,
            (false, true) => self.save_interrupted(),
        };
        self.search.end(Some(unexplored))
    }

    /// Hands over what has come of the search, and goes on if somebody wants so; otherwise this is the result. What
    /// others explore from now on need not be known: what is planned there twice, they find out.
    #[cold]
    fn hand_over(&mut self, more: bool) -> Result<(), Box<Exploration>> {
        let left = self.save(more);
        match left {
            Some(left) if more && !self.search.is_interrupted() => {
                self.floor = self.search.hand_over(left)?;
            }
            left => return Err(Box::new(self.search.end(left))),
        }
        for node in &mut self.nodes[..self.floor] {
            node.settled = false;
            node.added.clear();
        }
        Ok(())
    }

    /// The terms that conditions of events are.
    pub fn terms(&self) -> Option<Rc<Terms>> {
        self.run.terms()
    }

    /// The run at the present node.
    #[inline]
    pub fn run(&mut self) -> &mut (dyn Run + 'a) {
        if self.strayed_after.is_some() {
            self.go_to(self.trace.len());
            self.strayed_after = None;
        }
        &mut *self.run
    }

    /// The run no longer stands at the end of the trace, but was there.
    #[inline]
    fn stray(&mut self) {
        self.strayed_after.get_or_insert(usize::MAX);
    }

    /// Takes the run to a node of the path: back, and if it left the path before that node, along the path again.
    fn go_to(&mut self, depth: usize) {
        let Engine { trace, nodes, run, search, .. } = self;
        let path = &trace.events()[..depth];
        if !self.rewinds {
            take_back(run, search.program, None, path.iter().map(|event| event.choice));
            return;
        }
        let common = self.strayed_after.map_or(depth, |after| after.min(depth));
        let mut marks = nodes[..=common].iter().enumerate().rev();
        let (from, mark) = marks
            .find_map(|(depth, node)| Some((depth, node.mark?)))
            .expect("the first place has a mark");
        run.undo(mark);
        let mut reached = from;
        for event in &path[from..] {
            let same = run.is_ready(event.process())
                && run.step(event.choice).footprint == event.footprint;
            if !same {
                if !search.is_interrupted() {
                    debug_assert!(false, "{event:?} does not come out the same again");
                    // What follows is not explored from where it should be, and the result says so.
                    let what = "a step that does not come out the same again";
                    search.hit(Bound::Unordered(what.to_owned()));
                }
                break;
            }
            reached += 1;
            nodes[reached].mark = Some(run.mark());
        }
        // Marks of places that it did not come to again are gone.
        nodes[reached + 1..=depth].iter_mut().for_each(|node| node.mark = None);
        nodes[depth].popularity.note_return();
        self.since_mark = 0;
    }

    /// The process that took the last step.
    fn current(&self) -> Option<Pid> {
        self.trace.events().last().map(|event| event.process())
    }

    /// The process that could go on without a switch, or else the first that can move; of a long
    /// execution the one whose turn it is.
    #[inline]
    pub fn first_ready(&mut self) -> Option<Pid> {
        if turns::are_taken(self.trace.len(), &self.search.limits) {
            return self.first_in_turn();
        }
        let current = self.current();
        self.run().first_ready(current)
    }

    #[cold]
    fn first_in_turn(&mut self) -> Option<Pid> {
        let mut ready = Vec::new();
        self.list_ready(&mut ready);
        ready.first().copied()
    }

    /// Races were looked at, which took as much as a look at so many events. Whether there is no time for
    /// those that are left: the execution will be repeated for their sake.
    #[inline]
    pub fn has_no_time_after(&mut self, events: usize) -> bool {
        self.races_left = self.races_left || self.search.worked(events);
        self.races_left
    }

    /// Adds a single step with all its alternatives to a wakeup tree, unless the node lies below the depth limit.
    pub fn add_backtrack_point(&mut self, depth: usize, process: Pid) {
        if self.allows(depth) {
            self.nodes[depth].note_backtracked(process);
            self.wakeups.push_back(&mut self.nodes[depth].wakeup_tree, Branch::any(process));
        }
    }

    /// The same for several processes, in this order.
    pub fn add_backtrack_points(&mut self, depth: usize, processes: &[Pid]) {
        if processes.is_empty() || !self.allows(depth) {
            return;
        }
        let mut list = Branches::EMPTY;
        for &process in processes.iter().rev() {
            self.nodes[depth].note_backtracked(process);
            self.wakeups.push_front(&mut list, Branch::any(process));
        }
        self.wakeups.append(&mut self.nodes[depth].wakeup_tree, list);
        if processes.len() > FEW {
            // As in `list_ready`.
            self.search.worked(COST_OF_A_BRANCH * processes.len());
        }
    }

    /// Whether nodes at this depth may branch; says so if not.
    pub fn allows(&mut self, depth: usize) -> bool {
        let allowed = self.search.limits.depth.is_none_or(|limit| depth < limit);
        if !allowed {
            self.search.hit(Bound::Depth);
        }
        allowed
    }

    /// The first of the ready processes that does not sleep at the present node. A process that has
    /// just moved and has to decide something next does so first, asleep or not.
    pub fn first_awake(&mut self) -> Option<Pid> {
        if turns::are_taken(self.trace.len(), &self.search.limits) {
            let mut ready = Vec::new();
            self.list_ready(&mut ready);
            let node = &self.nodes[self.trace.len()];
            let decides = |pid| matches!(self.run.next(pid), Next::Ready(op) if op.decides());
            let first = ready.first().copied().filter(|&pid| decides(pid));
            return first.or_else(|| ready.into_iter().find(|&pid| !node.is_asleep(pid)));
        }
        let current = self.current();
        self.run();
        let node = &self.nodes[self.trace.len()];
        if let Some(process) = current
            && let Next::Ready(op) = self.run.next(process)
            && (op.decides() || !node.is_asleep(process))
        {
            return current;
        }
        let others = (0..self.run.processes()).map(Pid).filter(|&pid| Some(pid) != current);
        others.into_iter().find(|&pid| !node.is_asleep(pid) && self.run.is_ready(pid))
    }

    /// Lists the processes that can move, first the one that could go on without a switch, the others in the order of
    /// their names; in a long execution first those that have not moved for the longest time, after one that has to decide.
    pub fn list_ready(&mut self, ready: &mut Vec<Pid>) {
        let current = self.current();
        ready.clear();
        self.run().ready(ready);
        if ready.len() > FEW {
            // Who asks goes on; whether there is time shows at the next step.
            self.search.worked(ready.len());
        }
        // Numbers depend on what was explored before; a search that is taken up again, or shared, keeps its order.
        self.search.program.names().sort(ready);
        if turns::are_taken(self.trace.len(), &self.search.limits) {
            let next = current.map(|process| self.run.next(process));
            if !matches!(next, Some(Next::Ready(op)) if op.decides()) {
                turns::sort(ready, self.trace.events());
                return;
            }
        }
        if let Some(place) = ready.iter().position(|&process| Some(process) == current) {
            ready[..=place].rotate_right(1);
        }
    }

    /// The process that has to decide something before anything else happens: the one that took
    /// the last step that was no decision, or one that this step started.
    pub fn undecided(&mut self) -> Option<Pid> {
        let last = self.trace.events().iter().rev().find(|event| !event.op.decides())?;
        let started = match last.op {
            Op::Start(child) => Some(child),
            _ => None,
        };
        let process = last.process();
        let run = self.run();
        let mut candidates = started.into_iter().chain([process]);
        candidates.find(|&pid| matches!(run.next(pid), Next::Ready(op) if op.decides()))
    }

    /// The next step to take from the present node.
    fn pick<S: Strategy>(&mut self, strategy: &mut S) -> Option<(Choice, Branches, u32)> {
        let depth = self.trace.len();
        loop {
            let planned = self.wakeups.pop_front(&mut self.nodes[depth].wakeup_tree);
            let NextStep { mut choice, scope, mut then } = match planned {
                Some(next) => next,
                None if self.nodes[depth].visited || depth >= self.search.limits.steps => {
                    return None;
                }
                None => {
                    self.free_from = self.free_from.min(depth);
                    let choice = Choice::of(strategy.choose_first(self)?);
                    NextStep { choice, scope: BranchScope::Any, then: Branches::EMPTY }
                }
            };
            let process = choice.process;
            if planned.is_some() && !self.run().is_ready(process) {
                if self.search.is_interrupted() {
                    // The run was on its way back here.
                    self.put_back(choice, scope, then, 1);
                    return None;
                }
                debug_assert!(false, "wakeup trees hold only steps that can be taken");
                // What was to be explored there is not, and the result says so.
                self.search.hit(Bound::Unordered("a planned step that cannot be taken".to_owned()));
                self.wakeups.clear(&mut then);
                continue;
            }
            let alternatives = self.run().alternatives(process);
            if alternatives.count == 1 {
                choice.alternative = 0;
                return Some((choice, then, 1));
            }
            let node = &self.nodes[depth];
            let lone = !node.settled && !node.alternatives_added.contains(&process);
            if scope == BranchScope::Any || lone {
                debug_assert!(
                    scope == BranchScope::One || then.is_empty(),
                    "what stands for any alternative ends its path"
                );
                // Where the node is not settled, others may find out too late that its other alternatives matter.
                let known = (scope == BranchScope::One).then_some((choice.alternative, then));
                if !self.add_all_alternatives(depth, process, alternatives, known) {
                    self.put_back(choice, scope, then, alternatives.count);
                    return None;
                }
                self.complete_sleepers(depth, process);
                self.nodes[depth].visited = true;
                continue;
            }
            let feasible = choice.alternative == alternatives.preferred
                || match self.run().feasible(choice) {
                    Feasible::Yes => true,
                    Feasible::No => false,
                    Feasible::Unknown(why) => {
                        self.search.hit(Bound::Solver(why));
                        false
                    }
                };
            if feasible {
                return Some((choice, then, alternatives.count));
            }
            self.wakeups.clear(&mut then);
            self.complete_sleepers(depth, process);
        }
    }

    /// Marks the alternatives of a process done here as complete if all were in the wakeup tree once and none is
    /// any more.
    #[inline(never)]
    fn complete_sleepers(&mut self, depth: usize, process: Pid) {
        let node = &mut self.nodes[depth];
        if !node.alternatives_added.contains(&process) {
            return;
        }
        let is_his = |index: u32| self.wakeups.get(index).choice.process == process;
        if !self.wakeups.indices(node.wakeup_tree).any(is_his) {
            for sleeper in node.sleep.iter_mut().filter(|s| s.choice.process == process) {
                sleeper.complete = true;
            }
        }
    }

    /// Adds every alternative of a step by itself. Of one that was planned, what was to follow it is known. False if
    /// there was no time: then none is added.
    #[inline(never)]
    fn add_all_alternatives(
        &mut self,
        depth: usize,
        process: Pid,
        alternatives: Alternatives,
        known: Option<(u32, Branches)>,
    ) -> bool {
        let decides = matches!(self.run().next(process), Next::Ready(op) if op.decides());
        let footprint = if decides { Footprint::new() } else { self.run().anticipate(process) };
        let first = alternatives.preferred;
        self.nodes[depth].alternatives_added.push(process);
        let rest = if depth + 1 > self.search.limits.depth.unwrap_or(usize::MAX) {
            self.search.hit(Bound::Depth);
            0..0
        } else {
            0..alternatives.count
        };
        let present = self.alternatives_present(depth, process);
        let mut added = Branches::EMPTY;
        let others = rest.filter(|&alternative| alternative != first).rev();
        for (count, alternative) in others.chain([first]).enumerate() {
            if count % FEW == FEW - 1 && self.search.worked(COST_OF_A_BRANCH * FEW) {
                self.nodes[depth].alternatives_added.pop();
                return false;
            }
            if present.contains(&alternative) {
                continue;
            }
            let choice = Choice { process, alternative };
            let one = Branch {
                choice,
                scope: BranchScope::One,
                alternatives: alternatives.count,
                decides,
                footprint: &footprint[..],
                then: known.filter(|(own, _)| *own == alternative).map_or(Branches::EMPTY, |k| k.1),
            };
            self.wakeups.push_front(&mut added, one);
        }
        self.wakeups.append(&mut added, self.nodes[depth].wakeup_tree);
        self.nodes[depth].wakeup_tree = added;
        true
    }

    /// The alternatives of a step that sleep or are planned at a node.
    fn alternatives_present(&self, depth: usize, process: Pid) -> FxHashSet<u32> {
        let node = &self.nodes[depth];
        let asleep = node.sleep.iter().map(|sleeper| sleeper.choice);
        let branches = self.wakeups.indices(node.wakeup_tree).map(|index| self.wakeups.get(index));
        let planned = branches.filter(|branch| branch.scope == BranchScope::One);
        let all = asleep.chain(planned.map(|branch| branch.choice));
        all.filter(|choice| choice.process == process).map(|choice| choice.alternative).collect()
    }

    /// Takes steps as long as nobody but the program decides which: nothing is planned, nobody sleeps, and no step has
    /// alternatives. Most steps are of this kind. Whether it has come to an end where nobody can move.
    #[inline]
    fn go_on<S: Strategy>(&mut self) -> bool {
        let node = &self.nodes[self.trace.len()];
        if node.visited || !node.sleep.is_empty() || !node.wakeup_tree.is_empty() {
            return false;
        }
        let from = self.trace.len();
        let most = turns::begin(&self.search.limits);
        self.run();
        while self.trace.len() < most && !self.search.is_interrupted() {
            let Some(last) = self.trace.events().last().filter(|last| !last.op.raises_decisions())
            else {
                break;
            };
            self.free_from = self.free_from.min(from);
            let Some(process) = self.run.first_ready(Some(last.process())) else { return true };
            if self.run.alternatives(process).count > 1 {
                break;
            }
            self.descend::<S>(Choice::of(process), Branches::EMPTY, 1);
        }
        false
    }

    /// Takes a step.
    #[inline(never)]
    fn descend<S: Strategy>(&mut self, choice: Choice, then: Branches, alternatives: u32) {
        let depth = self.trace.len();
        self.run();
        self.run.step_into(choice, self.trace.spare());
        self.search.stepped();
        if self.search.is_interrupted() {
            let scope = if alternatives == 1 { BranchScope::Any } else { BranchScope::One };
            self.put_back(choice, scope, then, alternatives);
            return;
        }
        if self.nodes.len() == depth + 1 {
            self.nodes.push(Node::new());
        }
        let (above, below) = self.nodes.split_at_mut(depth + 1);
        let (node, child) = (&mut above[depth], &mut below[0]);
        node.visited = true;
        node.step_taken = true;
        node.single_alternative = alternatives == 1;
        child.reset(then);
        if S::REDUCES && !node.sleep.is_empty() {
            node.pass_sleepers(choice.process, &self.trace.spare().footprint, child);
        }
        child.settled = node.settled || (depth + 1 >= self.floor && child.sleep.is_empty());
        if S::RACES {
            self.trace.add_spare(alternatives);
        } else {
            self.trace.add_spare_plain();
        }
        let child = &mut self.nodes[depth + 1];
        self.since_mark += 1;
        child.mark = None;
        if !self.marks_sparingly || child.popularity.visit(self.since_mark) {
            child.mark = Some(self.run.mark());
            self.since_mark = 0;
        }
    }

    /// Puts a step back whose turn had come, before all others, with what was to follow it.
    #[cold]
    fn put_back(&mut self, choice: Choice, scope: BranchScope, then: Branches, alternatives: u32) {
        let depth = self.trace.len();
        let branch =
            Branch { choice, scope, alternatives, decides: false, footprint: &[][..], then };
        self.wakeups.push_front(&mut self.nodes[depth].wakeup_tree, branch);
        self.stray();
    }

    /// The present node is the end of an execution. False if the interrupt was raised before that was known.
    fn conclude<S: Strategy>(&mut self, strategy: &mut S) -> bool {
        self.run();
        if let Some(halt) = strategy.halt() {
            // What sleeps here was tried before, and what is to be shown here was shown there.
            let sleeps = !self.nodes[self.trace.len()].sleep.is_empty();
            let redundant = sleeps && self.first_ready().is_some();
            if self.search.is_interrupted() {
                return false;
            }
            match halt {
                Halt::Deadlock if !redundant => {
                    self.search.finished(&*self.run, &mut self.trace, Ending::Deadlock);
                }
                _ => self.search.abandoned(&self.trace),
            }
            return true;
        }
        let long = self.trace.len() >= self.search.limits.steps;
        // Explorers that reduce stop early only where all that could move is asleep.
        let early = !S::REDUCES || !self.nodes[self.trace.len()].sleep.is_empty();
        let ready = (long || early) && self.first_ready().is_some();
        let ending = if long && ready {
            Some(Ending::Cut)
        } else if ready || strategy.is_known_end(self) {
            None
        } else {
            Some(self.run.end().into())
        };
        if self.search.is_interrupted() {
            return false;
        }
        match ending {
            Some(ending) => self.search.finished(&*self.run, &mut self.trace, ending),
            None => self.search.abandoned(&self.trace),
        }
        strategy.execution_ended(self, ending.unwrap_or(Ending::Cut));
        true
    }

    /// Back to the deepest node from which steps remain to be taken; false if there is none.
    fn backtrack<S: Strategy>(&mut self, strategy: &mut S) -> bool {
        loop {
            let from = self.trace.len();
            if !self.nodes[from].wakeup_tree.is_empty() {
                self.first_new = from;
                self.free_from = usize::MAX;
                self.concluded = true;
                return true;
            }
            if from == self.floor {
                return false;
            }
            // Nobody asks who sleeps at a node that will be left for good.
            let mut depth = from - 1;
            while depth > self.floor && self.nodes[depth].is_left_for_good() {
                depth -= 1;
            }
            if S::HEEDS_NODES {
                for done in (depth + 1..=from).rev() {
                    strategy.node_done(self, done);
                }
            }
            self.stray();
            self.trace.cut(depth);
            if S::REDUCES {
                let Engine { trace, nodes, .. } = self;
                let event = trace.spare();
                nodes[depth].put_to_sleep(event.choice, &event.footprint);
                if !nodes[depth].single_alternative {
                    let process = event.process();
                    self.complete_sleepers(depth, process);
                }
            }
            strategy.subtree_done(self, depth);
        }
    }
}
