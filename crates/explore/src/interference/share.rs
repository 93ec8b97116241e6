//! Graphs that others go on with.
//!
//! What is open in a tree are decisions about graphs. Others cannot be given a graph, since its events and locations have
//! numbers of this process; they are given the decisions on the way to it, build it again, and decide what is left to them.
//! Everybody asks the same questions in the same order, as far as the answers are the same ([`Lessons`](crate::Lessons) say
//! when they are not). A place without decisions is the empty graph: a tree begins with it. If somebody does not come to where it was sent, one process does all of it.

use std::ops::RangeInclusive;

use super::GraphExplorer;
use crate::portion::{Beginning, Portion, Suspended, Turn};
use crate::search::{Divided, Exploration};
use crate::work::WorkUnit;

impl GraphExplorer<'_> {
    /// All that is left of the present tree.
    fn left(&self) -> Portion {
        let mut beginnings = self.beginnings.clone();
        for task in &self.tasks {
            let before = &self.path[..task.depth];
            beginnings.push(before.iter().copied().chain(task.decision.turn()).collect());
        }
        beginnings.extend(self.interrupted.clone());
        Portion {
            bound: self.bound,
            floor: self.floor,
            probing: self.probing,
            beginnings,
            lessons: self.lessons.clone(),
            ..Portion::default()
        }
    }

    /// Lets others do the rest of the tree, or what they can; false if they were stopped.
    pub(super) fn divide(&mut self) -> bool {
        let left = self.left();
        self.divided = true;
        match self.search.divide(left) {
            Divided::Done(lessons) => {
                self.tasks.clear();
                self.beginnings.clear();
                self.lessons.add(*lessons);
            }
            Divided::Alone(left) => {
                self.take_over(*left);
                self.alone = true;
            }
            Divided::Stopped(_, left) => {
                self.take_over(*left);
                return false;
            }
        }
        true
    }

    /// What others have left is to be done here.
    fn take_over(&mut self, left: Portion) {
        self.tasks.clear();
        self.beginnings = left.beginnings;
        self.lessons.add(left.lessons);
    }

    /// Leaves so many places to others, if as many are left besides one.
    pub(super) fn give(&mut self, wanted: usize) {
        let all = self.beginnings.len() + self.tasks.len();
        let given = wanted.min(all.saturating_sub(1));
        let left = self.left();
        self.search.give(left, given);
        let untouched = given.min(self.beginnings.len());
        self.beginnings.drain(..untouched);
        self.tasks.drain(..given - untouched);
    }

    /// Does a part of a tree for somebody else.
    pub(super) fn go_on_with(mut self, portion: Portion) -> Exploration {
        let Portion { bound, floor, probing, beginnings, lessons, .. } = portion;
        (self.bound, self.floor, self.probing) = (bound, floor, probing);
        (self.beginnings, self.lessons) = (beginnings, lessons);
        self.divided = true;
        let finished = self.take_up_all();
        self.search.count_events(self.stage.performed);
        let left = self.left();
        let mut exploration = self.search.result((!finished).then(WorkUnit::whole));
        exploration.portion = Some(Box::new(left));
        exploration
    }

    /// What is left of the whole search, to be saved: where it stands, if that can be said.
    pub(super) fn rest(&self) -> WorkUnit {
        if self.can_be_suspended() {
            let suspended =
                Suspended { tree: self.left(), alone: self.alone, memory: String::new() };
            return WorkUnit { suspended: Some(Box::new(suspended)), ..WorkUnit::whole() };
        }
        match self.divided {
            true => WorkUnit { afresh: true, ..WorkUnit::whole() },
            false => self.search.remainder(),
        }
    }

    /// Whether somebody else can go on from where the search stands, with what it knows.
    pub(super) fn can_be_suspended(&self) -> bool {
        !(self.ordered || self.lessons.disordered || self.search.is_repeating())
    }

    /// Goes on with a search that was stopped.
    pub(super) fn resume(
        mut self,
        levels: RangeInclusive<u32>,
        suspended: Suspended,
    ) -> Exploration {
        let Suspended { tree, alone, .. } = suspended;
        self.divided = true;
        if tree.bound.checked_sub(tree.probing.into()).is_some_and(|bound| levels.contains(&bound))
        {
            (self.bound, self.floor, self.probing) = (tree.bound, tree.floor, tree.probing);
            (self.beginnings, self.lessons) = (tree.beginnings, tree.lessons);
            (self.alone, self.begun) = (alone, true);
        } else {
            // It is not what was saved.
            self.search.restart();
        }
        self.explore(levels)
    }

    /// Goes on from all places; false if it was stopped.
    pub(super) fn take_up_all(&mut self) -> bool {
        while !self.beginnings.is_empty() {
            if self.probing && self.lessons.reached {
                self.beginnings.clear();
                break;
            }
            if self.search.is_interrupted() || self.search.stop {
                return false;
            }
            let Some(beginning) = self.beginnings.pop() else { break };
            let there = self.take_up(&beginning);
            if self.search.is_interrupted() {
                self.tasks.clear();
                self.interrupted = Some(beginning);
                return false;
            }
            if !there {
                self.lessons.disordered = true;
                self.tasks.clear();
                self.beginnings.clear();
                return true;
            }
            if !self.work_off() {
                return false;
            }
        }
        true
    }

    /// Comes to a place. Whether it is there.
    fn take_up(&mut self, beginning: &Beginning) -> bool {
        self.begin();
        self.rebuilds = true;
        let there = beginning.iter().all(|turn| self.take_turn(turn));
        self.rebuilds = false;
        there
    }

    /// Goes on with the only task, and keeps of those that come of it the one that is wanted.
    fn take_turn(&mut self, turn: &Turn) -> bool {
        if let Some(task) = self.tasks.pop() {
            self.go_on(task);
        }
        let wanted = self.tasks.iter().position(|task| task.decision.turn().as_ref() == Some(turn));
        let Some(wanted) = wanted else { return false };
        let task = self.tasks.swap_remove(wanted);
        self.tasks.clear();
        self.tasks.push(task);
        true
    }
}
