//! Steps that others take.
//!
//! What is left of a level are the steps that are still to be taken from the nodes of the present path. Others are given
//! the steps from the root to such a node and the next one. They come there by taking the same steps; all of what one
//! has left that lies on one path is taken up together, so that the path is followed once. A place without any steps is the
//! root: a level begins with it.

use std::ops::RangeInclusive;

use counterpoint_model::Choice;

use super::known::Known;
use super::{NODES_BETWEEN_CALLS, PathNode, Walk};
use crate::portion::{Beginning, Portion, Suspended, Turn};
use crate::search::{Call, Divided, Exploration};
use crate::work::WorkUnit;

/// The most turns on the ways to all places that are handed over or saved: some hundred megabytes.
const MOST_TURNS: usize = 1 << 22;

impl Walk<'_> {
    /// All that is left of the present level.
    fn left(&self) -> Portion {
        let mut beginnings = self.beginnings.clone();
        let events = self.trace.events();
        let taken = events.iter().zip(self.nodes.iter().skip(1));
        let path: Vec<Turn> =
            taken.map(|(event, node)| turn(event.choice, node.switches)).collect();
        for (depth, node) in self.nodes.iter().enumerate() {
            for &(choice, switches) in &node.options {
                let before = path[..depth].iter().copied();
                beginnings.push(before.chain([turn(choice, switches)]).collect());
            }
        }
        let (lessons, lost) = (self.lessons.clone(), self.known.lost());
        Portion { bound: self.bound, beginnings, lessons, lost, ..Portion::default() }
    }

    /// Whether all that is left is too much to be written down: where many processes are free to go next at each of many
    /// steps, the ways to these places take memory with the cube of the length of the path.
    fn is_too_much(&self) -> bool {
        let nodes = self.nodes.iter().enumerate();
        let path: usize = nodes.map(|(depth, node)| node.options.len() * (depth + 1)).sum();
        path + self.beginnings.iter().map(Vec::len).sum::<usize>() > MOST_TURNS
    }

    /// How many places are left.
    fn places(&self) -> usize {
        self.beginnings.len() + self.nodes.iter().map(|node| node.options.len()).sum::<usize>()
    }

    /// Does what others want, now and then; false if they were stopped.
    pub(super) fn heed_others(&mut self) -> bool {
        if self.arrivals < NODES_BETWEEN_CALLS || self.search.stop {
            return true;
        }
        self.arrivals = 0;
        match self.search.call() {
            Call::Divide if !self.alone && self.places() > 0 => return self.divide(),
            Call::Give(wanted) => self.give(wanted),
            Call::GoOn | Call::Divide => {}
        }
        true
    }

    /// Lets others do the rest of the level, or what they can; false if they were stopped.
    fn divide(&mut self) -> bool {
        if self.is_too_much() {
            self.alone = true;
            return true;
        }
        let memory = self.search.common_memory();
        if !memory.is_some_and(|memory| self.known.share(self.bound, memory)) {
            self.alone = true;
            return true;
        }
        let left = self.left();
        self.divided = true;
        match self.search.divide(left) {
            Divided::Done(lessons) => {
                self.leave_path();
                self.lessons.add(*lessons);
            }
            Divided::Alone(left) => {
                self.leave_path();
                self.take_over(*left);
                self.alone = true;
            }
            Divided::Stopped(_, left) => {
                self.nodes.clear();
                self.take_over(*left);
                return false;
            }
        }
        true
    }

    /// What others have left is to be done here.
    fn take_over(&mut self, left: Portion) {
        self.beginnings = left.beginnings;
        self.lessons.add(left.lessons);
        self.known.survive(left.lost);
    }

    /// Leaves so many places to others, if as many are left besides one.
    fn give(&mut self, wanted: usize) {
        let given = wanted.min(self.places().saturating_sub(1));
        let left = self.left();
        self.search.give(left, given);
        self.known.reported();
        let untouched = given.min(self.beginnings.len());
        self.beginnings.drain(..untouched);
        let mut more = given - untouched;
        for node in &mut self.nodes {
            let here = more.min(node.options.len());
            node.options.drain(..here);
            more -= here;
        }
    }

    /// Does a part of a level for somebody else.
    pub(super) fn go_on_with(mut self, portion: Portion) -> Exploration {
        let Portion { bound, beginnings, lessons, attempt, lost, .. } = portion;
        (self.bound, self.beginnings, self.lessons) = (bound, beginnings, lessons);
        self.divided = true;
        match self.search.common_memory() {
            Some(memory) => self.known = Known::common(memory, attempt, lost),
            None => self.lessons.disordered = true,
        }
        let finished = self.lessons.disordered || self.take_up_all();
        let left = self.left();
        let mut exploration = self.search.result((!finished).then(WorkUnit::whole));
        exploration.portion = Some(Box::new(left));
        exploration
    }

    /// What is left of the whole search, to be saved: where it stands if that can be said and is not too large.
    pub(super) fn rest(&mut self) -> WorkUnit {
        match self.suspend() {
            Some(suspended) => {
                WorkUnit { suspended: Some(Box::new(suspended)), ..WorkUnit::whole() }
            }
            None if self.divided => WorkUnit { afresh: true, ..WorkUnit::whole() },
            None => self.search.remainder(),
        }
    }

    fn suspend(&mut self) -> Option<Suspended> {
        if self.search.is_repeating() || self.lessons.disordered || self.is_too_much() {
            return None;
        }
        let tree = self.left();
        let search = &mut self.search;
        let memory = self.known.image(self.bound, || search.fresh_memory(None))?;
        Some(Suspended { tree, alone: self.alone, memory })
    }

    /// Goes on with a search that was stopped.
    pub(super) fn resume(
        mut self,
        levels: RangeInclusive<u32>,
        suspended: Suspended,
    ) -> Exploration {
        let Suspended { tree, alone, memory } = suspended;
        self.divided = true;
        let search = &mut self.search;
        let known =
            Known::of_image(&memory, tree.lost.len(), |words| search.fresh_memory(Some(words)));
        drop(memory);
        match known {
            Some(known) if levels.contains(&tree.bound) => {
                (self.known, self.alone, self.begun) = (known, alone, Some(tree.bound));
                (self.bound, self.beginnings) = (tree.bound, tree.beginnings);
                self.lessons = tree.lessons;
            }
            // It is not what was saved.
            _ => self.search.restart(),
        }
        self.explore(levels)
    }

    /// Goes on from all places; false if it was stopped.
    pub(super) fn take_up_all(&mut self) -> bool {
        while !self.beginnings.is_empty() {
            if self.search.is_interrupted() || self.search.stop {
                return false;
            }
            let Some(beginning) = self.beginnings.pop() else { break };
            let there = self.take_up(&beginning);
            if !there && self.search.is_interrupted() {
                self.nodes.clear();
                self.beginnings.push(beginning);
                return false;
            }
            // Whoever sends others somewhere has been there. If they cannot come there, nothing is certain.
            self.lessons.disordered |= !there;
            if !self.work_off() {
                return false;
            }
        }
        true
    }

    /// Comes to where a step is to be taken, with all other such steps on the way. Whether it is there.
    fn take_up(&mut self, beginning: &Beginning) -> bool {
        let Some((next, before)) = beginning.split_last() else {
            self.arrive(0);
            return true;
        };
        let mut switches = 0;
        for turn in before {
            self.nodes.push(PathNode { switches, options: Vec::new() });
            if !self.is_possible(turn) || self.search.is_interrupted() {
                return false;
            }
            self.perform(choice(turn));
            switches = turn.number;
        }
        self.nodes.push(PathNode { switches, options: Vec::new() });
        if !self.is_possible(next) || self.search.is_interrupted() {
            return false;
        }
        let nodes = &mut self.nodes;
        self.beginnings.retain(|other| match other.split_last() {
            Some((turn, way)) if before.starts_with(way) => {
                nodes[way.len()].options.push((choice(turn), turn.number));
                false
            }
            _ => true,
        });
        nodes[before.len()].options.push((choice(next), next.number));
        true
    }

    /// Whether a step can be taken here, as far as that can be told without looking at values.
    fn is_possible(&self, turn: &Turn) -> bool {
        let Turn { kind: alternative, process, .. } = *turn;
        process.0 < self.run.processes()
            && self.run.is_ready(process)
            && alternative < self.run.alternatives(process).count
    }
}

fn turn(choice: Choice, switches: u32) -> Turn {
    let Choice { process, alternative } = choice;
    Turn { kind: alternative, process, event: None, number: switches }
}

fn choice(turn: &Turn) -> Choice {
    Choice { process: turn.process, alternative: turn.kind }
}
