//! What is left of a depth-first search, as a unit of work, and how it is taken up again.
//!
//! A unit is the path to the present node, and for each node on it the steps that are done, which sleep
//! now, and those that remain to be taken. What the steps touch is not saved: it is found out again by taking them.

use std::ops::Range;

use counterpoint_model::{Access, Bound, Choice, Event, Feasible, Mark, Pid};

use super::{Engine, Strategy};
use crate::rehearsal::take_back;
use crate::wakeup::{Branch, BranchScope, Branches};
use crate::work::{NodeWork, ProcessList, TreeWriter, WakeupStep, WorkUnit};

/// A place in a wakeup tree that is being restored.
struct Level {
    mark: Mark,
    /// The step that led here, unless it is the node.
    choice: Option<Choice>,
    /// Where that stands in the arena.
    slot: Option<u32>,
    /// Where the last of the steps after it stands.
    last: Option<u32>,
}

impl Engine<'_> {
    /// Takes up saved work. Whether there is any: a step that nobody has followed may sleep.
    pub(super) fn restore<S: Strategy>(&mut self, unit: &WorkUnit) -> bool {
        self.prefix = unit.prefix.clone();
        let fresh = NodeWork::default();
        for depth in 0..=unit.prefix.len() {
            let work = unit.nodes.get(depth).unwrap_or(&fresh);
            // Work is handed back from a node that a step has been taken from, and so have been
            // those above it.
            let taken = unit.new_from.is_none() || depth < unit.prefix.len();
            self.nodes[depth].settled |= depth >= unit.floor.max(unit.unsettled);
            if !unit.nodes.is_empty() && taken {
                self.nodes[depth].visited = true;
                self.nodes[depth].step_taken = true;
                let mut ready = Vec::new();
                self.list_ready(&mut ready);
                self.nodes[depth].ready = ready;
            }
            match S::REDUCES {
                true => self.restore_wakeup_tree(depth, unit),
                false => self.restore_unseen(depth, unit),
            }
            self.nodes[depth].alternatives_added.clone_from(&work.alternatives_added);
            let mut several: Vec<Pid> = Vec::new();
            for &choice in &work.done {
                let (event, alternatives) = self.look_ahead(choice);
                if self.search.looked_ahead() {
                    return true;
                }
                self.nodes[depth].single_alternative = alternatives == 1;
                self.nodes[depth].put_to_sleep(choice, &event.footprint);
                if alternatives > 1 && several.last() != Some(&choice.process) {
                    several.push(choice.process);
                }
            }
            several.into_iter().for_each(|process| self.complete_sleepers(depth, process));
            let is_done = |of: Pid| work.done.iter().any(|choice| choice.process == of);
            if let Some(present) = unit.prefix.get(depth).filter(|choice| is_done(choice.process)) {
                let sleepers = self.nodes[depth].sleep.iter_mut();
                sleepers
                    .filter(|sleeper| sleeper.choice.process == present.process)
                    .for_each(|sleeper| sleeper.complete = false);
            }
            self.nodes[depth].race_seen = work.race_seen;
            if let Some(&choice) = unit.prefix.get(depth) {
                let new = unit.new_from.is_some_and(|first| depth >= first);
                if new && S::REDUCES && self.nodes[depth].sleeps(choice) {
                    return false;
                }
                let alternatives = self.run().alternatives(choice.process).count;
                self.descend::<S>(choice, Branches::EMPTY, alternatives);
            }
            if self.search.is_interrupted() {
                // The run stands nowhere: the unit is given back as it came.
                return true;
            }
        }
        self.first_new = unit.new_from.unwrap_or(unit.prefix.len());
        // Old steps of the prefix were counted by whoever took them first.
        self.search.statistics.events = (unit.prefix.len() - self.first_new) as u64;
        true
    }

    /// What a step from here would be, and how many alternatives it has; the run has taken it.
    fn look_ahead(&mut self, choice: Choice) -> (Event, u32) {
        let alternatives = self.run().alternatives(choice.process).count;
        let event = self.run().step(choice);
        self.stray();
        (event, alternatives)
    }

    /// Makes the wakeup tree of saved steps again for an explorer that does not ask what they touch.
    fn restore_unseen(&mut self, depth: usize, unit: &WorkUnit) {
        // The steps that lead to the present place, and the last one after each and at the top.
        let (mut path, mut lasts): (Vec<u32>, Vec<Option<u32>>) = (Vec::new(), vec![None]);
        for step in unit.wakeup_steps(depth) {
            path.truncate(step.level);
            lasts.truncate(step.level + 1);
            let (above, seen) = (path.last().copied(), Branch::any(step.choice.process));
            let last = lasts.last_mut().expect("the top is there");
            path.push(self.restore_step(depth, &step, above, last, seen));
            lasts.push(None);
        }
    }

    /// Makes the wakeup tree of saved steps again, finding out what they touch. Those that no input leads to are left
    /// out, as they would be when their turn comes, and with them what came after them.
    fn restore_wakeup_tree(&mut self, depth: usize, unit: &WorkUnit) {
        let mut steps = unit.wakeup_steps(depth).peekable();
        if steps.peek().is_none() {
            return;
        }
        // The node, and the steps that lead to the present place.
        let mark = self.run().mark();
        let mut levels = vec![Level { mark, choice: None, slot: None, last: None }];
        for step in steps {
            if step.level >= levels.len() {
                // A step above it was left out.
                continue;
            }
            levels.truncate(step.level + 1);
            self.climb_to(&levels);
            let Some((event, alternatives)) = self.look_at(&step) else { continue };
            if self.search.looked_ahead() {
                break;
            }
            let seen = Branch {
                alternatives,
                decides: event.op.decides(),
                footprint: &event.footprint[..],
                ..Branch::any(event.choice.process)
            };
            let Level { slot: above, ref mut last, .. } = levels[step.level];
            let slot = self.restore_step(depth, &step, above, last, seen);
            let mark = self.run.mark();
            let (choice, slot, last) = (Some(event.choice), Some(slot), None);
            levels.push(Level { mark, choice, slot, last });
        }
        self.stray();
    }

    /// Takes the run to a place in a wakeup tree.
    fn climb_to(&mut self, levels: &[Level]) {
        let Some(Level { mark, .. }) = levels.last() else { return };
        if self.rewinds {
            self.run.undo(*mark);
            return;
        }
        let path = self.trace.events().iter().map(|event| event.choice);
        take_back(&mut self.run, self.search.program, None, path);
        for choice in levels.iter().filter_map(|level| level.choice) {
            self.run.step(choice);
        }
    }

    /// What a step would be, and how many alternatives it has; `None` if inputs do not lead there. The run has
    /// taken it.
    fn look_at(&mut self, step: &WakeupStep) -> Option<(Event, u32)> {
        let mut choice = step.choice;
        let alternatives = self.run.alternatives(choice.process);
        if step.scope == BranchScope::Any {
            choice.alternative = alternatives.preferred;
        }
        if choice.alternative != alternatives.preferred {
            match self.run.feasible(choice) {
                Feasible::Yes => {}
                Feasible::No => return None,
                Feasible::Unknown(why) => {
                    self.search.hit(Bound::Solver(why));
                    return None;
                }
            }
        }
        Some((self.run.step(choice), alternatives.count))
    }

    /// Adds a step, of which so much is known, to the wakeup tree of a node, after another one or at the top, and
    /// beside those that end with the last one.
    fn restore_step(
        &mut self,
        depth: usize,
        step: &WakeupStep,
        earlier: Option<u32>,
        last: &mut Option<u32>,
        seen: Branch<&[Access]>,
    ) -> u32 {
        let branch = Branch { choice: step.choice, scope: step.scope, ..seen };
        let mut list = match earlier {
            None => self.nodes[depth].wakeup_tree,
            Some(earlier) => self.wakeups.get(earlier).then,
        };
        let new = self.wakeups.push_after(&mut list, *last, branch);
        *last = Some(new);
        match earlier {
            None => {
                self.nodes[depth].wakeup_tree = list;
                self.nodes[depth].note_backtracked(step.choice.process);
            }
            Some(earlier) => self.wakeups.get_mut(earlier).then = list,
        }
        new
    }

    /// What is left when an execution was interrupted: the steps that it had taken from wakeup trees are
    /// put back, one after another, each with those beside it, at the node where it began.
    pub(super) fn save_interrupted(&self) -> WorkUnit {
        let mut processes = ProcessList::default();
        let prefix = self.choices(self.first_new);
        let mut nodes = self.saved_nodes(0..self.first_new, &mut processes);
        let put_back = |tree: &mut TreeWriter<'_>| self.write_interrupted(tree);
        nodes.push(self.saved_node(self.first_new, &mut processes, put_back));
        let unsettled = self.unsettled(prefix.len());
        let processes = processes.into_processes();
        WorkUnit { prefix, nodes, processes, unsettled, ..WorkUnit::default() }
    }

    fn write_interrupted(&self, tree: &mut TreeWriter<'_>) {
        let Engine { trace, nodes, first_new, free_from, .. } = self;
        let end = trace.len().min(*free_from);
        for (level, depth) in (*first_new..end).enumerate() {
            let single = nodes[depth].single_alternative;
            let scope = if single { BranchScope::Any } else { BranchScope::One };
            tree.add(level, trace.events()[depth].choice, scope);
        }
        // From the node where it follows no tree any more, it takes up nothing.
        let last = if end == *free_from { end } else { end + 1 };
        for (level, depth) in (*first_new..last).enumerate().rev() {
            self.write_branches(nodes[depth].wakeup_tree, level, tree);
        }
    }

    /// The first choices of the present path.
    fn choices(&self, count: usize) -> Vec<Choice> {
        self.trace.events()[..count].iter().map(|event| event.choice).collect()
    }

    /// What is left, from the present node up.
    pub(super) fn save(&self, more: bool) -> Option<WorkUnit> {
        let mut processes = ProcessList::default();
        let prefix = self.choices(self.trace.len());
        let nodes = self.saved_nodes(0..prefix.len() + 1, &mut processes);
        let unfinished = |node: &NodeWork| !node.wakeup_tree.is_empty() || node.race_seen;
        let left = more || (self.floor > 0 && nodes.iter().any(unfinished));
        let unsettled = self.unsettled(prefix.len());
        let processes = processes.into_processes();
        left.then_some(WorkUnit { prefix, nodes, processes, unsettled, ..WorkUnit::default() })
    }

    /// How many nodes from the root down to a depth are not settled; below one that is, all are.
    fn unsettled(&self, last: usize) -> usize {
        self.nodes[..=last].iter().take_while(|node| !node.settled).count()
    }

    /// Nodes with what remains to be taken from them.
    fn saved_nodes(&self, depths: Range<usize>, processes: &mut ProcessList) -> Vec<NodeWork> {
        let node = |depth: usize| {
            let list = self.nodes[depth].wakeup_tree;
            self.saved_node(depth, processes, |tree| self.write_branches(list, 0, tree))
        };
        depths.map(node).collect()
    }

    /// A node with what is said to remain to be taken from it.
    fn saved_node(
        &self,
        depth: usize,
        processes: &mut ProcessList,
        write: impl FnOnce(&mut TreeWriter<'_>),
    ) -> NodeWork {
        let node = &self.nodes[depth];
        let mut tree = TreeWriter::new(processes);
        write(&mut tree);
        NodeWork {
            done: node.sleep[node.inherited..].iter().map(|s| s.choice).collect(),
            alternatives_added: node.alternatives_added.clone(),
            wakeup_tree: tree.finish(),
            race_seen: node.race_seen,
        }
    }

    /// Writes branches of the arena, with so many steps above them.
    fn write_branches(&self, list: Branches, level: usize, tree: &mut TreeWriter<'_>) {
        let first = |list: Branches| self.wakeups.indices(list).next();
        // The next branch beside each step of the present path.
        let mut path = vec![first(list)];
        while let Some(next) = path.last_mut() {
            let Some(index) = *next else {
                path.pop();
                continue;
            };
            *next = self.wakeups.after(index);
            let branch = self.wakeups.get(index);
            tree.add(level + path.len() - 1, branch.choice, branch.scope);
            path.push(first(branch.then));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use counterpoint_model::{Bound, Choice, Interrupt};
    use counterpoint_testkit::builder::Builder;
    use counterpoint_testkit::random::{self, Features};
    use counterpoint_testkit::{TestProgram, shapes};

    use crate::{
        Assignment, Execution, Explorer, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit,
        explorer,
    };

    thread_local! {
        /// How often somebody may look before there is a reason to stop.
        static LOOKS: Cell<u32> = const { Cell::new(0) };
    }

    #[derive(Default)]
    struct Schedules(Vec<Vec<Choice>>);

    impl Sink for Schedules {
        fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
            self.0.push(execution.events.iter().map(|event| event.choice).collect());
            Flow::Continue
        }
    }

    /// All executions in pieces that end when somebody has looked so often, and in how many of them races
    /// were left.
    fn in_pieces(entry: &Explorer, program: &TestProgram, looks: u32) -> (Vec<Vec<Choice>>, u64) {
        let mut schedules = Schedules::default();
        let mut left = 0;
        let mut unit = WorkUnit::whole();
        loop {
            LOOKS.set(looks);
            let interrupt = Interrupt::asking(|| {
                LOOKS.set(LOOKS.get().saturating_sub(1));
                (LOOKS.get() == 0).then_some(Bound::Stopped)
            });
            let result = (entry.explore)(Assignment {
                program,
                unit,
                limits: Limits { interrupt, ..Limits::default() },
                properties: Vec::new(),
                sink: &mut schedules,
                parameters: ParameterValues::default(),
            });
            match result.unexplored {
                Some(rest) => unit = rest,
                None => break,
            }
            left += unit.already_done;
        }
        schedules.0.sort();
        (schedules.0, left)
    }

    /// An execution counts although there was no time for its races, and its races are not forgotten.
    #[test]
    fn executions_are_the_same_if_their_races_were_interrupted() {
        let shapes = [shapes::fib(2), shapes::dining(3), shapes::lock(3)];
        let randoms = (0..60).map(|seed| random::program(seed, Features::WITHOUT_INPUTS));
        let programs: Vec<TestProgram> = shapes.into_iter().chain(randoms).collect();
        for name in ["optimal", "dpor", "race-flip"] {
            let entry = explorer(name).expect("it is in the table");
            let mut left = 0;
            for program in &programs {
                let (expected, _) = in_pieces(entry, program, u32::MAX);
                for looks in [12, 20, 37] {
                    let (found, interrupted) = in_pieces(entry, program, looks);
                    assert_eq!(found, expected, "{name} by {looks} on\n{program}");
                    left += interrupted;
                }
            }
            assert!(left > 0, "{name} was never interrupted in the middle of races");
        }
    }

    /// A step can have so many alternatives that there is no time to plan them all, or to plan them in one go.
    #[test]
    fn executions_are_the_same_if_the_planning_of_alternatives_was_interrupted() {
        let mut builder = Builder::new("choices");
        let x = builder.variable("x", 0);
        let program = builder.main(|t| {
            let first = t.choose(3);
            t.spawn(|t| t.write(x, 1));
            let second = t.choose(200);
            t.write(x, first + second);
        });
        for name in ["optimal", "dpor", "exhaustive"] {
            let entry = explorer(name).expect("it is in the table");
            let (expected, _) = in_pieces(entry, &program, u32::MAX);
            assert!(expected.len() >= 2 * 3 * 200, "{name}: {}", expected.len());
            for looks in 10..20 {
                let (found, _) = in_pieces(entry, &program, looks);
                assert_eq!(found, expected, "{name} by {looks}");
            }
        }
    }

    /// Notes whether the search came to where its unit goes on.
    #[derive(Default)]
    struct TakenUp(bool);

    impl Sink for TakenUp {
        fn taken_up(&mut self) {
            self.0 = true;
        }
    }

    /// Wakeup trees can be so large that to make them again takes longer than there is time.
    #[test]
    fn a_large_unit_is_given_back_as_it_came_if_there_is_no_time_to_take_it_up() {
        let program = shapes::dining(24);
        let explore = |unit, limits, sink: &mut dyn Sink| {
            let (properties, parameters) = (Vec::new(), ParameterValues::default());
            let program = &program;
            let entry = explorer("optimal").expect("it is in the table");
            let assignment = Assignment { program, unit, limits, properties, sink, parameters };
            (entry.explore)(assignment).unexplored.expect("there is more")
        };
        let some = Limits { executions: Some(400), ..Limits::default() };
        let unit = explore(WorkUnit::whole(), some, &mut TakenUp::default());
        assert!(unit.prefix.len() < 256, "the path alone does not last until somebody looks");
        let steps = (0..unit.nodes.len()).map(|depth| unit.wakeup_steps(depth).count());
        assert!(steps.sum::<usize>() > 5_000);
        let calm = Limits { executions: Some(1), ..Limits::default() };
        let mut sink = TakenUp::default();
        explore(unit.clone(), calm, &mut sink);
        assert!(sink.0);
        let interrupt = Interrupt::asking(|| Some(Bound::Stopped));
        let mut sink = TakenUp::default();
        let left = explore(unit.clone(), Limits { interrupt, ..Limits::default() }, &mut sink);
        assert!(!sink.0 && left == unit);
    }
}
