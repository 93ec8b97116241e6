//! What an exploration has not done yet, in a form that can be saved and taken up again.
//!
//! A unit is a path of choices with, for every node on it, what was explored there already and
//! which remain to be taken. An explorer works off the nodes from `floor` on and may add steps to the
//! nodes above, which it hands back. On disk steps are written as in schedules.

use counterpoint_model::{Choice, Pid, ProcessNames, Schedule, ScheduleError};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::portion::{PackedPortion, Portion};
use crate::wakeup::BranchScope;

/// The version written by this build.
const FORMAT: u32 = 1;

/// Work for an explorer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorkUnit {
    /// The choices that lead to where the work goes on.
    pub prefix: Vec<Choice>,
    /// A node per choice of the prefix and one for its end; none at all for a fresh start.
    pub nodes: Vec<NodeWork>,
    /// Nodes above this depth are not worked off.
    pub floor: usize,
    /// How many of its executions, in the explorer's own order, are done and counted. An explorer that cannot
    /// do without what it learnt from them repeats them and counts none again.
    pub already_done: u64,
    /// For explorers that sample: the steps of the longest of these executions.
    pub longest: usize,
    /// If nobody has followed the prefix to its end yet: the depth from which on its steps are new, so that their
    /// races are to be looked at.
    pub new_from: Option<usize>,
    /// At so many nodes, from the root on, steps may sleep that somebody else explores.
    pub unsettled: usize,
    /// How many executions others are known to have done already. It is not saved: only how closely the first ones are
    /// looked at depends on it.
    pub executions_before: u64,
    /// For searches by bounds that several workers share: a part of the present tree. It is not saved.
    pub portion: Option<Box<Portion>>,
    /// All that was counted so far is to be done again.
    pub afresh: bool,
}

/// What is done and what remains at one node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NodeWork {
    /// Steps whose subtrees are done.
    pub done: Vec<Choice>,
    /// Processes of whose steps all alternatives are done or remain to be taken.
    pub alternatives_added: Vec<Pid>,
    /// The steps that remain to be taken.
    pub wakeup_tree: Vec<WakeupStep>,
    /// Whether a race was seen with the step that the prefix takes here.
    pub race_seen: bool,
}

/// A step of a wakeup tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WakeupStep {
    /// The step.
    pub choice: Choice,
    /// Which alternatives it stands for.
    pub scope: BranchScope,
    /// The step of the same tree that comes before it, if it is not taken right from the node.
    pub after: Option<usize>,
}

#[derive(Serialize, Deserialize)]
struct WrittenUnit {
    format: u32,
    program: String,
    prefix: Vec<String>,
    nodes: Vec<WrittenNode>,
    floor: usize,
    #[serde(alias = "sampled")]
    already_done: u64,
    #[serde(default)]
    longest: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    new_from: Option<usize>,
    #[serde(default)]
    unsettled: usize,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    afresh: bool,
}

#[derive(Serialize, Deserialize)]
struct WrittenNode {
    done: Vec<String>,
    alternatives_added: Vec<String>,
    wakeup_tree: Vec<WrittenStep>,
    race_seen: bool,
}

/// A step of a wakeup tree as it is written.
#[derive(Serialize, Deserialize)]
pub(crate) struct WrittenStep {
    step: String,
    scope: WrittenScope,
    after: Option<usize>,
}

impl WrittenStep {
    /// As it is written.
    pub fn new(names: &ProcessNames, own: &WakeupStep) -> WrittenStep {
        WrittenStep {
            step: Schedule::step_text(names, own.choice),
            scope: match own.scope {
                BranchScope::Any => WrittenScope::Any,
                BranchScope::One => WrittenScope::One,
            },
            after: own.after,
        }
    }

    /// The step with this number in its tree.
    pub fn read(&self, names: &ProcessNames, number: usize) -> Result<WakeupStep, ScheduleError> {
        let choice = Schedule::parse_step(names, &self.step)
            .ok_or_else(|| ScheduleError::Step { number: number + 1, text: self.step.clone() })?;
        if self.after.is_some_and(|after| after >= number) {
            let what = format!("step {number} of a wakeup tree comes after a later one");
            return Err(ScheduleError::Malformed(what));
        }
        let scope = match self.scope {
            WrittenScope::Any => BranchScope::Any,
            WrittenScope::One => BranchScope::One,
        };
        Ok(WakeupStep { choice, scope, after: self.after })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WrittenScope {
    Any,
    One,
}

impl WorkUnit {
    /// Everything: the whole program.
    pub fn whole() -> WorkUnit {
        WorkUnit::default()
    }

    /// Everything that begins with these choices. Reversals of races with the prefix itself are handed back.
    pub fn below(prefix: Vec<Choice>) -> WorkUnit {
        let floor = prefix.len();
        WorkUnit { prefix, floor, ..WorkUnit::default() }
    }

    /// The shallowest node from a depth on with steps to take: there a unit is divided.
    pub fn shallowest_open(&self, floor: usize) -> Option<usize> {
        (floor..self.nodes.len()).find(|&depth| !self.nodes[depth].wakeup_tree.is_empty())
    }

    /// Whether something is left at the nodes from a depth on.
    pub fn has_work_from(&self, floor: usize) -> bool {
        let has_work = |node: &NodeWork| !node.wakeup_tree.is_empty() || node.race_seen;
        self.nodes[floor..].iter().any(has_work)
    }

    /// From which depth on a worker that has stopped here goes on by itself if it leaves the steps to take at its
    /// shallowest nodes to others, until they are so many: `None` if there are none, or nothing else.
    pub fn floor_if_divided(&self, floor: usize, wanted: usize) -> Option<usize> {
        if self.new_from.is_some() || self.already_done > 0 {
            return None;
        }
        let (mut divided, mut given) = (None, 0);
        let mut next = floor;
        while given < wanted
            && let Some(last) = self.shallowest_open(next)
            && last < self.prefix.len()
            && self.has_work_from(last + 1)
        {
            let tree = &self.nodes[last].wakeup_tree;
            given += tree.iter().filter(|step| step.after.is_none()).count();
            next = last + 1;
            divided = Some(next);
        }
        divided
    }

    /// Divides a unit of a search that takes steps in a fixed order and plans none above where it is: it goes on below a
    /// depth ([`WorkUnit::floor_if_divided`], for one step) by itself, and what it leaves to others is this unit. All of
    /// that comes after all that it keeps.
    pub fn left_to_others(&self, floor: usize, next: usize) -> WorkUnit {
        let last = next - 1;
        let unit = WorkUnit {
            prefix: self.prefix[..last].to_vec(),
            nodes: self.nodes[..=last].to_vec(),
            ..WorkUnit::default()
        };
        unit.from_floor(floor)
    }

    /// The unit without what is planned at the nodes above a depth.
    pub fn from_floor(mut self, floor: usize) -> WorkUnit {
        self.floor = floor;
        let above = floor.min(self.nodes.len());
        self.nodes[..above].iter_mut().for_each(|node| node.wakeup_tree.clear());
        self
    }

    /// Whether several steps remain where the work goes on: others can have them if the whole unit is handed back.
    pub fn forks_here(&self) -> bool {
        let roots = |node: &NodeWork| node.wakeup_tree.iter().filter(|s| s.after.is_none()).count();
        let whole = self.new_from.is_some() || self.already_done > 0;
        !whole && self.nodes.last().is_some_and(|node| roots(node) > 1)
    }

    /// The written form.
    pub fn to_json(&self, names: &ProcessNames, fingerprint: &str) -> String {
        let texts = |choices: &[Choice]| -> Vec<String> {
            choices.iter().map(|&choice| Schedule::step_text(names, choice)).collect()
        };
        let node = |node: &NodeWork| WrittenNode {
            done: texts(&node.done),
            alternatives_added: node
                .alternatives_added
                .iter()
                .map(|&process| names.path(process))
                .collect(),
            wakeup_tree: node
                .wakeup_tree
                .iter()
                .map(|step| WrittenStep::new(names, step))
                .collect(),
            race_seen: node.race_seen,
        };
        let written = WrittenUnit {
            format: FORMAT,
            program: fingerprint.to_string(),
            prefix: texts(&self.prefix),
            nodes: self.nodes.iter().map(node).collect(),
            floor: self.floor,
            already_done: self.already_done,
            longest: self.longest,
            new_from: self.new_from,
            unsettled: self.unsettled,
            afresh: self.afresh,
        };
        serde_json::to_string(&written).expect("plain strings and numbers serialise")
    }

    /// Reads the written form of work on the program with this fingerprint.
    pub fn from_json(
        text: &str,
        names: &ProcessNames,
        fingerprint: &str,
    ) -> Result<WorkUnit, ScheduleError> {
        let written: WrittenUnit =
            serde_json::from_str(text).map_err(|e| ScheduleError::Malformed(e.to_string()))?;
        if written.format != FORMAT {
            return Err(ScheduleError::Format { found: written.format });
        }
        if written.program != fingerprint {
            return Err(ScheduleError::OtherProgram);
        }
        let choices = |texts: &[String]| -> Result<Vec<Choice>, ScheduleError> {
            let choice = |(index, text): (usize, &String)| {
                Schedule::parse_step(names, text)
                    .ok_or_else(|| ScheduleError::Step { number: index + 1, text: text.clone() })
            };
            texts.iter().enumerate().map(choice).collect()
        };
        let prefix = choices(&written.prefix)?;
        let mut nodes = Vec::with_capacity(written.nodes.len());
        for node in &written.nodes {
            let mut wakeup_tree = Vec::with_capacity(node.wakeup_tree.len());
            for (index, step) in node.wakeup_tree.iter().enumerate() {
                wakeup_tree.push(step.read(names, index)?);
            }
            let alternatives_added =
                choices(&node.alternatives_added)?.iter().map(|choice| choice.process).collect();
            let done = choices(&node.done)?;
            nodes.push(NodeWork {
                done,
                alternatives_added,
                wakeup_tree,
                race_seen: node.race_seen,
            });
        }
        if !(nodes.is_empty() || nodes.len() == prefix.len() + 1) || written.floor > prefix.len() {
            let what = "the nodes do not fit the prefix".to_string();
            return Err(ScheduleError::Malformed(what));
        }
        let new_from = written.new_from;
        let beyond = |depth: usize| depth > prefix.len() || nodes.is_empty();
        if new_from.is_some_and(beyond) {
            let what = "new steps lie outside the prefix".to_string();
            return Err(ScheduleError::Malformed(what));
        }
        let WrittenUnit { floor, already_done, longest, unsettled, afresh, .. } = written;
        let (executions_before, portion) = (0, None);
        Ok(WorkUnit {
            prefix,
            nodes,
            floor,
            already_done,
            longest,
            new_from,
            unsettled,
            executions_before,
            portion,
            afresh,
        })
    }
}

/// A unit as workers exchange it: processes by their numbers in the first list, steps by numbers that give process and
/// alternative.
#[derive(Serialize, Deserialize)]
struct PackedUnit(
    Vec<String>,
    Vec<u64>,
    Vec<PackedNode>,
    usize,
    (u64, usize, u64),
    Option<usize>,
    usize,
    Option<PackedPortion>,
);

/// What is done, the processes of which all alternatives are known, the wakeup tree, and whether a race was seen. A
/// step of the tree has the number of the step before it, plus one, or zero.
type PackedNode = (Vec<u64>, Vec<u64>, Vec<(u64, bool, usize)>, bool);

impl WorkUnit {
    /// A short form for workers that explore the same program.
    pub fn pack(&self, names: &ProcessNames) -> String {
        let mut numbers: FxHashMap<Pid, u64> = FxHashMap::default();
        let mut processes = Vec::new();
        let mut number = |process: Pid| {
            *numbers.entry(process).or_insert_with(|| {
                processes.push(names.path(process));
                processes.len() as u64 - 1
            })
        };
        let mut step =
            |choice: Choice| u64::from(choice.alternative) << 32 | number(choice.process);
        let prefix = self.prefix.iter().map(|&choice| step(choice)).collect();
        let mut nodes: Vec<PackedNode> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let tree = node.wakeup_tree.iter().map(|own| {
                let all = own.scope == BranchScope::Any;
                (step(own.choice), all, own.after.map_or(0, |after| after + 1))
            });
            let tree = tree.collect();
            let done = node.done.iter().map(|&choice| step(choice)).collect();
            let added = node.alternatives_added.iter().map(|&one| step(Choice::of(one)));
            nodes.push((done, added.collect(), tree, node.race_seen));
        }
        let done = (self.already_done, self.longest, self.executions_before);
        let (floor, new_from, unsettled) = (self.floor, self.new_from, self.unsettled);
        let portion = self.portion.as_ref().map(|portion| PackedPortion::new(portion, names));
        let packed =
            PackedUnit(processes, prefix, nodes, floor, done, new_from, unsettled, portion);
        serde_json::to_string(&packed).expect("plain strings and numbers serialise")
    }

    /// Reads the short form.
    pub fn unpack(text: &str, names: &ProcessNames) -> Result<WorkUnit, ScheduleError> {
        let malformed = |what: &str| ScheduleError::Malformed(what.to_string());
        let packed: PackedUnit =
            serde_json::from_str(text).map_err(|error| malformed(&error.to_string()))?;
        let PackedUnit(paths, prefix, nodes, floor, done, new_from, unsettled, portion) = packed;
        let portion = portion.map(|packed| packed.read(names)).transpose()?.map(Box::new);
        let afresh = false;
        let (already_done, longest, executions_before) = done;
        let processes: Option<Vec<Pid>> = paths.iter().map(|path| names.resolve(path)).collect();
        let processes = processes.ok_or_else(|| malformed("a process has no name"))?;
        let step = |packed: &u64| {
            let process = processes.get(*packed as u32 as usize).copied();
            let process = process.ok_or_else(|| malformed("a step of nobody"))?;
            Ok(Choice { process, alternative: (packed >> 32) as u32 })
        };
        let steps = |packed: &[u64]| packed.iter().map(step).collect::<Result<Vec<_>, _>>();
        let node = |(done, added, tree, race_seen): PackedNode| {
            let wakeup_tree = tree.iter().map(|(packed, all, after)| {
                let scope = if *all { BranchScope::Any } else { BranchScope::One };
                Ok(WakeupStep { choice: step(packed)?, scope, after: after.checked_sub(1) })
            });
            Ok(NodeWork {
                done: steps(&done)?,
                alternatives_added: steps(&added)?.iter().map(|choice| choice.process).collect(),
                wakeup_tree: wakeup_tree.collect::<Result<_, ScheduleError>>()?,
                race_seen,
            })
        };
        let nodes = nodes.into_iter().map(node).collect::<Result<_, ScheduleError>>()?;
        let prefix = steps(&prefix)?;
        Ok(WorkUnit {
            prefix,
            nodes,
            floor,
            already_done,
            longest,
            new_from,
            unsettled,
            executions_before,
            portion,
            afresh,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::portion::{Attempt, Lessons, Turn};

    /// A portion with a little of everything.
    fn portion(names: &ProcessNames) -> Box<Portion> {
        let (main, child) = (Pid::MAIN, names.child(Pid::MAIN, 1));
        let turn = |kind, process, event| Turn { kind, process, event, number: 4 };
        let common = [turn(1, main, None), turn(2, child, Some((main, 9)))];
        let mut lessons = Lessons { failed: true, reached: true, ..Lessons::default() };
        lessons.note_unpostponed(7, main);
        lessons.note_write(7, child);
        lessons.note_unpostponed(7, child);
        lessons.kept.insert(u64::MAX);
        lessons.passed.insert(3);
        lessons.cells.insert(4);
        lessons.valued.insert(5);
        lessons.timed.insert(6);
        lessons.untimed.insert(7);
        let beginnings = vec![
            common.to_vec(),
            [&common[..], &[turn(3, child, None)]].concat(),
            vec![turn(5, main, None)],
            Vec::new(),
        ];
        let (bound, floor, probing, round) = (2, 1, true, 3);
        let (attempt, lost) = (Attempt::first_of(4).next(), vec![Attempt::first_of(3)]);
        Box::new(Portion { bound, floor, probing, round, beginnings, lessons, attempt, lost })
    }

    #[test]
    fn work_survives_its_text_and_nonsense_does_not() {
        let names = ProcessNames::new();
        let child = Choice { process: names.child(Pid::MAIN, 0), alternative: 3 };
        let main = Choice::of(Pid::MAIN);
        let wakeup_tree = vec![
            WakeupStep { choice: child, scope: BranchScope::One, after: None },
            WakeupStep { choice: main, scope: BranchScope::Any, after: Some(0) },
        ];
        let node = NodeWork {
            done: vec![main],
            alternatives_added: vec![Pid::MAIN],
            wakeup_tree,
            race_seen: true,
        };
        let unit = WorkUnit {
            prefix: vec![main],
            nodes: vec![node, NodeWork::default()],
            floor: 1,
            already_done: 7,
            longest: 9,
            new_from: Some(1),
            unsettled: 2,
            executions_before: 0,
            portion: None,
            afresh: true,
        };
        let text = unit.to_json(&names, "p");
        assert_eq!(WorkUnit::from_json(&text, &names, "p").unwrap(), unit);
        let passed_on = WorkUnit { afresh: false, portion: Some(portion(&names)), ..unit.clone() };
        assert_eq!(WorkUnit::unpack(&passed_on.pack(&names), &names).unwrap(), passed_on);
        assert!(WorkUnit::from_json(&text, &names, "q").is_err());
        for end in 0..text.len() {
            assert!(WorkUnit::from_json(&text[..end], &names, "p").is_err());
        }
        let cyclic = text.replace("\"after\":0", "\"after\":1");
        assert!(WorkUnit::from_json(&cyclic, &names, "p").is_err());
    }
}
