//! How a sequence meets what sleeps and what is planned at its node.
//!
//! **Problem.** A sequence that reverses a race need not be explored if all that begins with it is explored anyway,
//! by a step that sleeps or along a path of the wakeup tree; and only what is left of it where the tree ends is new.
//!
//! **Idea.** A step relates to a sequence in one of four ways ([`StepRelation`]). A sequence is covered if some sleeping
//! step is its beginning or commutes with it. It follows a path of the tree as long as the next step is one or the
//! other, and what is left of it is appended. A step with several alternatives beside it is followed into each
//! of them that leaves the sequence possible.
//!
//! **Invariant.** All that an answer relies on is noted in [`Reversal::reliance`].
//!
//! **Paper.** That of `optimal.rs`.
//!
//! **Cost.** The steps of the sequence times the sleepers and the branches it is compared with.

use counterpoint_model::{Access, Choice, Footprint, Pid, conflict};

use super::super::inputs::InputRehearsal;
use super::{Reversal, Step, Steps, bit};
use crate::depth_first::Node;
use crate::outline::Outline;
use crate::trace::Trace;
use crate::wakeup::{Branch, BranchScope, Branches, Wakeups};

/// How a step that sleeps or stands in a wakeup tree relates to a sequence.
enum StepRelation {
    /// It is the sequence's step at this position, and nothing before it need come first.
    Begins(usize),
    /// It is the last step, and nothing before it need come first.
    BeginsAsLast,
    /// Its process is not in the sequence and it commutes with all of it.
    Beside,
    /// None of these.
    Excluded,
}

impl Reversal {
    /// Whether every trace that begins with the sequence is explored through a sleeping step; notes what that relies on. One
    /// beside the sequence that somebody else explores does not tell: what wakes it might be found there, too late to be
    /// explored here.
    pub(super) fn is_covered(&mut self, trace: &Trace, node: &Node) -> bool {
        let (mut begins, mut beside) = (None::<u32>, None);
        for (number, sleeper) in node.sleep.iter().enumerate() {
            match self.relation(trace, sleeper.choice.process, &sleeper.footprint, true) {
                StepRelation::Begins(position) => {
                    let step = self.steps[position].event;
                    let event = &trace.events()[step as usize];
                    if event.choice.alternative == sleeper.choice.alternative {
                        begins = Some(begins.map_or(step, |until| until.min(step)));
                    }
                }
                StepRelation::BeginsAsLast if sleeper.complete => return true,
                StepRelation::Beside if !node.settled && number < node.inherited => {}
                StepRelation::Beside if sleeper.complete => {
                    beside = beside.or(Some(sleeper));
                }
                StepRelation::BeginsAsLast | StepRelation::Beside | StepRelation::Excluded => {}
            }
        }
        match (begins, beside) {
            (Some(step), _) => self.reliance.add_event(step),
            (None, Some(sleeper)) => {
                self.reliance.add_beside(sleeper.choice.process, &sleeper.footprint);
            }
            (None, None) => return false,
        }
        true
    }

    /// `last` tells whether the last step is still part of the sequence.
    fn relation(
        &self,
        trace: &Trace,
        process: Pid,
        footprint: &Footprint,
        last: bool,
    ) -> StepRelation {
        let position = match self.present & bit(process) {
            0 => None,
            _ => self.steps.iter().position(|step| step.process == process),
        };
        if let Some(position) = position {
            let (before, step) = (&self.steps[..position], self.steps[position].event());
            let first = before.iter().all(|before| !trace.happens_before(before.event(), step));
            return if first { StepRelation::Begins(position) } else { StepRelation::Excluded };
        }
        if last && process == self.process() {
            let first = self.steps.iter().all(|step| !self.is_before_last(trace, step));
            return if first { StepRelation::BeginsAsLast } else { StepRelation::Excluded };
        }
        let (outline, outlines) = (Outline::of(process, footprint), trace.outlines());
        let excludes = |step: &Step| {
            outline.may_conflict(&outlines[step.event()])
                && conflict(footprint, &trace.events()[step.event()].footprint)
        };
        let excluded =
            last && conflict(footprint, self.footprint(trace)) || self.steps.iter().any(excludes);
        if excluded { StepRelation::Excluded } else { StepRelation::Beside }
    }

    /// Adds the sequence to the wakeup tree of a node, or only its beginning where the rest need not be planned.
    pub(super) fn insert_at(
        &mut self,
        trace: &Trace,
        node: &mut Node,
        wakeups: &mut Wakeups,
        trial: &mut InputRehearsal<'_, '_>,
    ) {
        self.path.truncate((0, 0));
        let Some((list, last)) = self.follow(trace, wakeups, node.wakeup_tree, true, trial) else {
            return;
        };
        if last && self.path.len() == (0, 0) {
            self.shorten(trace, node, wakeups, trial.before.len());
        }
        self.append_after(trace, wakeups, &mut node.wakeup_tree, list, last);
    }

    /// Adds the sequence to a wakeup tree, along the first path that it can follow. `last` tells
    /// whether the last step is still part of the sequence.
    fn insert(
        &mut self,
        trace: &Trace,
        wakeups: &mut Wakeups,
        top: &mut Branches,
        last: bool,
        trial: &mut InputRehearsal<'_, '_>,
    ) {
        if let Some((list, last)) = self.follow(trace, wakeups, *top, last, trial) {
            self.append_after(trace, wakeups, top, list, last);
        }
    }

    /// Follows the first path of a wakeup tree that the sequence can follow. If that leads to where everything is explored
    /// anyway, there is nothing to add; otherwise what is left of the sequence belongs to these branches.
    fn follow(
        &mut self,
        trace: &Trace,
        wakeups: &mut Wakeups,
        top: Branches,
        last: bool,
        trial: &mut InputRehearsal<'_, '_>,
    ) -> Option<(Branches, bool)> {
        let (mut list, mut last) = (top, last);
        'level: while last || !self.steps.is_empty() {
            let mut next = wakeups.indices(list).next();
            while let Some(index) = next {
                let branch = wakeups.get(index);
                let (choice, then, after) = (branch.choice, branch.then, wakeups.after(index));
                let process = choice.process;
                self.effort += 1 + self.steps.len();
                let relation = self.relation(trace, process, &branch.footprint, last);
                let beside = matches!(relation, StepRelation::Beside);
                let follows = match relation {
                    StepRelation::Begins(position) => {
                        let step = self.steps[position];
                        let same = branch.scope == BranchScope::Any
                            || trace.events()[step.event()].choice == choice;
                        if same {
                            self.steps.remove(position);
                            self.reliance.add_event(step.event);
                        }
                        same
                    }
                    StepRelation::BeginsAsLast => {
                        last = false;
                        true
                    }
                    StepRelation::Beside if branch.alternatives == 1 => {
                        self.reliance.add_beside(process, &branch.footprint);
                        true
                    }
                    StepRelation::Beside => {
                        if self.insert_beside_all(trace, wakeups, list, index, last, trial) {
                            return None;
                        }
                        false
                    }
                    StepRelation::Excluded => false,
                };
                if follows {
                    if beside { &mut self.path.beside } else { &mut self.path.own }.push(choice);
                    list = then;
                    if list.is_empty() {
                        // Everything from there on is explored anyway.
                        return None;
                    }
                    continue 'level;
                }
                next = after;
            }
            return Some((list, last));
        }
        None
    }

    /// Adds what is left of the sequence after some branches of a tree. Only the topmost ones can be none; all others
    /// keep their first.
    fn append_after(
        &mut self,
        trace: &Trace,
        wakeups: &mut Wakeups,
        top: &mut Branches,
        mut list: Branches,
        last: bool,
    ) {
        self.rely_on_steps();
        self.decide_first(wakeups, list);
        let list = if list.is_empty() { top } else { &mut list };
        self.append(trace, wakeups, list, last);
    }

    /// Leaves out what need not be planned: after the last step and what has to come before it, nobody sleeps. Then no
    /// execution that begins with these is in vain, and all of them are explored from there. If processes decide in
    /// the rest, it would have to be planned for each combination of what they decide.
    ///
    /// Whoever is done or planned at the node before the sequence is added sleeps when its turn has come, until something
    /// dependent on it happens or its process moves. So does the event that is being explored there.
    fn shorten(&mut self, trace: &Trace, node: &Node, wakeups: &Wakeups, depth: usize) {
        let decided = |step: &Step| trace.alternatives(step.event()) > 1;
        let Some(event) = self.event.filter(|_| node.settled) else { return };
        if !self.steps.iter().any(decided) {
            return;
        }
        // Of an acquire, too, all that happens before it: it may need what led to the release before it.
        let (mut beginning, mut rest) = (Steps::default(), Vec::new());
        for &step in self.steps.iter() {
            let before_last = trace.happens_before(step.event(), event as usize);
            // Decisions come right after the step before them.
            let pending = trace.events()[step.event()].op.decides()
                && !rest.iter().any(|&left_out| trace.happens_before(left_out, step.event()));
            if before_last || pending {
                beginning.all.push(step);
            } else {
                rest.push(step.event());
            }
        }
        let footprint = |event: usize| &trace.events()[event].footprint[..];
        let wakes = |sleeper: Pid, touched: &[Access]| {
            let by = |process, own: &[Access]| process == sleeper || conflict(own, touched);
            by(self.process(), footprint(event as usize))
                || beginning.iter().any(|step| by(step.process, footprint(step.event())))
        };
        let mut planned = wakeups.indices(node.wakeup_tree).map(|index| wakeups.get(index));
        let nobody_sleeps = !rest.is_empty()
            && wakes(trace.process(depth), footprint(depth))
            && node.sleep.iter().all(|sleeper| wakes(sleeper.choice.process, &sleeper.footprint))
            && planned.all(|branch| wakes(branch.choice.process, &branch.footprint));
        if nobody_sleeps {
            self.steps = beginning;
        }
    }

    /// What is done relies on all steps of the sequence.
    pub(super) fn rely_on_steps(&mut self) {
        if let Some(end) = self.steps.last() {
            self.reliance.add_event(end.event);
        }
    }

    /// Where a process has to decide next, another decision than those in the tree comes first as well.
    fn decide_first(&mut self, wakeups: &Wakeups, list: Branches) {
        let Some(index) = wakeups.indices(list).next() else { return };
        let branch = wakeups.get(index);
        if branch.decides {
            let process = branch.choice.process;
            let decides = |step: &Step| step.process == process;
            if let Some(position) = self.steps.iter().position(decides) {
                self.steps[..=position].rotate_right(1);
            }
        }
    }

    /// The sequence commutes with a step of several alternatives: it is added after each of them that
    /// leaves it possible, and the alternatives that are not in the tree yet are added for its sake. False if it does
    /// not commute with all of them.
    #[inline(never)]
    fn insert_beside_all(
        &mut self,
        trace: &Trace,
        wakeups: &mut Wakeups,
        mut list: Branches,
        index: u32,
        last: bool,
        trial: &mut InputRehearsal<'_, '_>,
    ) -> bool {
        let Branch { choice, alternatives, decides, .. } = *wakeups.get(index);
        let footprint = wakeups.get(index).footprint.clone();
        let siblings: Vec<u32> = wakeups
            .indices(list)
            .filter(|&sibling| wakeups.get(sibling).choice.process == choice.process)
            .collect();
        let beside = |&sibling: &u32| {
            let footprint = &wakeups.get(sibling).footprint;
            matches!(self.relation(trace, choice.process, footprint, last), StepRelation::Beside)
        };
        // Only decisions are known to come next there, whatever is in the tree already.
        let whole = decides || siblings.len() == alternatives as usize;
        if !whole || !siblings.iter().all(beside) {
            return false;
        }
        for &sibling in &siblings {
            self.reliance.add_beside(choice.process, &wakeups.get(sibling).footprint);
        }
        self.beside_decisions = true;
        let steps = self.steps.clone();
        let followed = self.path.len();
        for alternative in 0..alternatives {
            let choice = Choice { process: choice.process, alternative };
            self.path.truncate(followed);
            self.path.beside.push(choice);
            if !self.is_possible(trace, trial) {
                self.rely_on_steps();
                continue;
            }
            let present = siblings.iter().find(|&&sibling| {
                let branch = wakeups.get(sibling);
                branch.choice == choice || branch.scope == BranchScope::Any
            });
            match present {
                Some(&sibling) => {
                    let mut then = wakeups.get(sibling).then;
                    if !then.is_empty() {
                        self.insert(trace, wakeups, &mut then, last, trial);
                        wakeups.get_mut(sibling).then = then;
                        self.steps.clone_from(&steps);
                    }
                }
                None => {
                    self.rely_on_steps();
                    let mut then = Branches::EMPTY;
                    self.append(trace, wakeups, &mut then, last);
                    let footprint = &footprint[..];
                    let scope = BranchScope::One;
                    let branch = Branch { choice, scope, alternatives, decides, footprint, then };
                    wakeups.push_back(&mut list, branch);
                }
            }
        }
        true
    }

    /// Whether some inputs lead along the path followed and then through the sequence. A decision
    /// beside it can leave it none, where both look at the same input.
    fn is_possible(&self, trace: &Trace, trial: &mut InputRehearsal<'_, '_>) -> bool {
        let steps = self.steps.iter().map(|step| &trace.events()[step.event()]);
        let decides = steps.clone().any(|event| event.condition.is_some());
        !decides || trial.leads_along(&self.path, steps.map(|event| event.choice))
    }

    /// Adds the sequence as a path of its own.
    fn append(&self, trace: &Trace, wakeups: &mut Wakeups, list: &mut Branches, last: bool) {
        let mut path = Branches::EMPTY;
        if last {
            let branch = Branch {
                choice: Choice::of(self.process()),
                scope: BranchScope::Any,
                alternatives: self.alternatives,
                decides: false,
                footprint: self.footprint(trace),
                then: Branches::EMPTY,
            };
            wakeups.push_front(&mut path, branch);
        }
        for step in self.steps.iter().rev() {
            let event = &trace.events()[step.event()];
            let branch = Branch {
                choice: event.choice,
                scope: BranchScope::One,
                alternatives: trace.alternatives(step.event()),
                decides: event.op.decides(),
                footprint: &event.footprint[..],
                then: std::mem::replace(&mut path, Branches::EMPTY),
            };
            wakeups.push_front(&mut path, branch);
        }
        wakeups.append(list, path);
    }
}
