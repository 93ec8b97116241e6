//! What is left of a depth-first search, as a unit of work, and how it is taken up again.
//!
//! A unit is the path to the present node, and for each node on it the steps that are done, which sleep
//! now, and those that remain to be taken. What the steps touch is not saved: it is found out again by taking them.

use counterpoint_model::{Access, Bound, Choice, Event, Feasible, Mark};

use super::{Engine, Strategy};
use crate::rehearsal::take_back;
use crate::wakeup::{Branch, BranchScope, Branches};
use crate::work::{NodeWork, WakeupStep, WorkUnit};

/// A place in a wakeup tree that is being restored.
struct Level {
    /// The steps to look at, the last one first.
    left: Vec<usize>,
    mark: Mark,
    /// The step that led here, unless it is the node.
    choice: Option<Choice>,
    /// Where that stands in the arena.
    slot: Option<u32>,
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
                true => self.restore_wakeup_tree(depth, &work.wakeup_tree),
                false => self.restore_unseen(depth, &work.wakeup_tree),
            }
            self.nodes[depth].alternatives_added.clone_from(&work.alternatives_added);
            for &choice in &work.done {
                let (event, alternatives) = self.look_ahead(choice);
                if self.search.looked_ahead() {
                    return true;
                }
                let present = unit.prefix.get(depth).is_some_and(|c| c.process == choice.process);
                self.nodes[depth].single_alternative = alternatives == 1;
                self.nodes[depth].put_to_sleep(choice, &event.footprint);
                if alternatives > 1 {
                    self.complete_sleepers(depth, choice.process);
                }
                if present {
                    let sleepers = self.nodes[depth].sleep.iter_mut();
                    sleepers
                        .filter(|sleeper| sleeper.choice.process == choice.process)
                        .for_each(|sleeper| sleeper.complete = false);
                }
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
    fn restore_unseen(&mut self, depth: usize, steps: &[WakeupStep]) {
        let mut slots: Vec<u32> = Vec::with_capacity(steps.len());
        for step in steps {
            let above = step.after.map(|before| slots[before as usize]);
            slots.push(self.restore_step(depth, step, above, Branch::any(step.choice.process)));
        }
    }

    /// Makes the wakeup tree of saved steps again, finding out what they touch. Those that no input leads to are left
    /// out, as they would be when their turn comes, and with them what came after them.
    fn restore_wakeup_tree(&mut self, depth: usize, steps: &[WakeupStep]) {
        if steps.is_empty() {
            return;
        }
        let mut followers: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
        let mut roots = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            step.after.map_or(&mut roots, |before| &mut followers[before as usize]).push(number);
        }
        roots.reverse();
        let mark = self.run().mark();
        let mut levels = vec![Level { left: roots, mark, choice: None, slot: None }];
        while let Some(level) = levels.last_mut() {
            let Some(number) = level.left.pop() else {
                levels.pop();
                continue;
            };
            let above = level.slot;
            self.climb_to(&levels);
            let Some((event, alternatives)) = self.look_at(&steps[number]) else { continue };
            if self.search.looked_ahead() {
                break;
            }
            let seen = Branch {
                alternatives,
                decides: event.op.decides(),
                footprint: &event.footprint[..],
                ..Branch::any(event.choice.process)
            };
            let slot = self.restore_step(depth, &steps[number], above, seen);
            let mut left = std::mem::take(&mut followers[number]);
            left.reverse();
            let mark = self.run.mark();
            levels.push(Level { left, mark, choice: Some(event.choice), slot: Some(slot) });
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

    /// Adds a step, of which so much is known, to the wakeup tree of a node, after another one or at the top.
    fn restore_step(
        &mut self,
        depth: usize,
        step: &WakeupStep,
        earlier: Option<u32>,
        seen: Branch<&[Access]>,
    ) -> u32 {
        let branch = Branch { choice: step.choice, scope: step.scope, ..seen };
        let mut list = match earlier {
            None => self.nodes[depth].wakeup_tree,
            Some(earlier) => self.wakeups.get(earlier).then,
        };
        self.wakeups.push_back(&mut list, branch);
        match earlier {
            None => {
                self.nodes[depth].wakeup_tree = list;
                self.nodes[depth].note_backtracked(step.choice.process);
            }
            Some(earlier) => self.wakeups.get_mut(earlier).then = list,
        }
        self.wakeups.indices(list).last().expect("just pushed")
    }

    /// What is left when an execution was interrupted: the steps that it had taken from wakeup trees are
    /// put back, one after another, each with those beside it, at the node where it began.
    pub(super) fn save_interrupted(&self) -> WorkUnit {
        let prefix = self.choices(self.first_new);
        let (mut nodes, _) = self.saved_nodes(self.first_new);
        let mut steps: Vec<WakeupStep> = Vec::new();
        let mut before = None;
        let end = self.free_from.min(self.trace.len());
        for depth in self.first_new..=end {
            let node = &self.nodes[depth];
            let mut taken = before;
            if depth < end {
                let choice = self.trace.events()[depth].choice;
                let scope =
                    if node.single_alternative { BranchScope::Any } else { BranchScope::One };
                taken = Some(steps.len() as u32);
                steps.push(WakeupStep { choice, scope, after: before });
            } else if depth == self.free_from {
                break;
            }
            let first = steps.len() as u32;
            steps.extend(self.wakeup_steps(node.wakeup_tree).into_iter().map(|step| WakeupStep {
                after: step.after.map(|earlier| first + earlier).or(before),
                ..step
            }));
            before = taken;
        }
        nodes[self.first_new].wakeup_tree = steps;
        let unsettled = self.unsettled(prefix.len());
        WorkUnit { prefix, nodes, unsettled, ..WorkUnit::default() }
    }

    /// The first choices of the present path.
    fn choices(&self, count: usize) -> Vec<Choice> {
        self.trace.events()[..count].iter().map(|event| event.choice).collect()
    }

    /// What is left, from the present node up.
    pub(super) fn save(&self, more: bool) -> Option<WorkUnit> {
        let prefix = self.choices(self.trace.len());
        let (nodes, unfinished) = self.saved_nodes(prefix.len());
        let left = more || (self.floor > 0 && unfinished);
        let unsettled = self.unsettled(prefix.len());
        left.then_some(WorkUnit { prefix, nodes, unsettled, ..WorkUnit::default() })
    }

    /// How many nodes from the root down to a depth are not settled; below one that is, all are.
    fn unsettled(&self, last: usize) -> usize {
        self.nodes[..=last].iter().take_while(|node| !node.settled).count()
    }

    /// The nodes down to a depth, and whether steps remain at one of them.
    fn saved_nodes(&self, last: usize) -> (Vec<NodeWork>, bool) {
        let mut nodes = Vec::with_capacity(last + 1);
        let mut unfinished = false;
        for depth in 0..=last {
            let node = &self.nodes[depth];
            let done = node.sleep[node.inherited..].iter().map(|s| s.choice).collect();
            let wakeup_tree = self.wakeup_steps(node.wakeup_tree);
            unfinished |= !wakeup_tree.is_empty() || node.race_seen;
            let alternatives_added = node.alternatives_added.clone();
            nodes.push(NodeWork {
                done,
                alternatives_added,
                wakeup_tree,
                race_seen: node.race_seen,
            });
        }
        (nodes, unfinished)
    }

    fn wakeup_steps(&self, list: Branches) -> Vec<WakeupStep> {
        let mut steps = Vec::new();
        let mut lists = vec![(list, None)];
        while let Some((list, after)) = lists.pop() {
            for index in self.wakeups.indices(list) {
                let branch = self.wakeups.get(index);
                let step = WakeupStep { choice: branch.choice, scope: branch.scope, after };
                steps.push(step);
                lists.push((branch.then, Some(steps.len() as u32 - 1)));
            }
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use counterpoint_model::{Bound, Choice, Interrupt};
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
        assert!(unit.nodes.iter().map(|node| node.wakeup_tree.len()).sum::<usize>() > 5_000);
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
