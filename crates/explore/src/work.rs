//! What an exploration has not done yet, in a form that can be saved and taken up again.
//!
//! A unit is a path of choices with, for every node on it, what was explored there already and
//! which remain to be taken. An explorer works off the nodes from `floor` on and may add steps to the
//! nodes above, which it hands back. On disk processes have the names that they have in schedules.
//! What remains is most of a unit, and has a form of its own ([`tree`]).

mod tree;

use counterpoint_model::{Choice, Pid, ProcessNames, ScheduleError};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::portion::{PackedPortion, PackedSuspended, Portion, Suspended};
use crate::wakeup::BranchScope;

pub use self::tree::{LaterSteps, SavedBranch};
pub(crate) use self::tree::{ProcessList, TreeWriter, WakeupStep};

/// The version written by this build.
const FORMAT: u32 = 4;

/// Work for an explorer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorkUnit {
    /// The choices that lead to where the work goes on.
    pub prefix: Vec<Choice>,
    /// A node per choice of the prefix and one for its end; none at all for a fresh start.
    pub nodes: Vec<NodeWork>,
    /// The processes by the numbers that wakeup trees have for them; where executions are to be repeated, all that are
    /// known, by their numbers in the program: to read the unit is to give them these numbers, if they have none yet.
    pub processes: Vec<Pid>,
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
    /// For searches by bounds: one that was stopped.
    pub suspended: Option<Box<Suspended>>,
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
    /// The steps that remain to be taken from here, each with what is to be taken after it.
    pub wakeup_tree: Vec<SavedBranch>,
    /// Whether a race was seen with the step that the prefix takes here.
    pub race_seen: bool,
}

/// A unit as it is saved.
#[derive(Serialize, Deserialize)]
struct WrittenUnit<P> {
    format: u32,
    program: String,
    work: P,
}

/// A unit as workers exchange it and as it is saved: the processes that wakeup trees mention and then all others, and the
/// prefix, the nodes and the numbers of the unit. A step is a number that gives its process, as the number in the list,
/// and its alternative.
#[derive(Deserialize)]
struct PackedUnit(
    (Vec<String>, Vec<String>),
    Vec<u64>,
    Vec<PackedNode>,
    usize,
    (u64, usize, u64),
    Option<usize>,
    usize,
    (bool, Option<PackedPortion>, Option<PackedSuspended>),
);

/// What is done, the processes of which all alternatives are known, the wakeup tree, and whether a race was seen.
type PackedNode = (Vec<u64>, Vec<u64>, Vec<PackedBranch>, bool);

/// A step, whether it stands for any alternative, and what comes after it.
type PackedBranch = (u64, bool, String);

/// A unit that is being packed.
struct Packing<'a> {
    unit: &'a WorkUnit,
    /// Those of the unit and all others that it mentions.
    processes: ProcessList,
    paths: Vec<String>,
    executions_before: u64,
    portion: Option<PackedPortion>,
    suspended: Option<PackedSuspended>,
}

impl<'a> Packing<'a> {
    fn new(unit: &'a WorkUnit, names: &ProcessNames, executions_before: u64) -> Packing<'a> {
        let portion = unit.portion.as_ref().map(|portion| PackedPortion::new(portion, names));
        let suspended = unit.suspended.as_ref();
        let suspended = suspended.map(|suspended| PackedSuspended::new(suspended, names));
        let mut processes = ProcessList::with(&unit.processes);
        let mut note = |process: Pid| {
            processes.add(process);
        };
        unit.prefix.iter().for_each(|choice| note(choice.process));
        for node in &unit.nodes {
            node.wakeup_tree.iter().for_each(|branch| note(branch.choice.process));
            node.done.iter().for_each(|choice| note(choice.process));
            node.alternatives_added.iter().for_each(|&process| note(process));
        }
        let paths = processes.processes().iter().map(|&process| names.path(process)).collect();
        Packing { unit, processes, paths, executions_before, portion, suspended }
    }

    fn step(&self, choice: Choice) -> u64 {
        u64::from(choice.alternative) << 32 | u64::from(self.processes.number(choice.process))
    }

    fn node(&self, node: &'a NodeWork) -> impl Serialize {
        let done = Each(node.done.iter().map(|&choice| self.step(choice)));
        let added = node.alternatives_added.iter();
        let added = Each(added.map(|&process| self.step(Choice::of(process))));
        let tree = node.wakeup_tree.iter().map(|branch| {
            let any = branch.scope == BranchScope::Any;
            (self.step(branch.choice), any, branch.then.text())
        });
        (done, added, Each(tree), node.race_seen)
    }
}

impl Serialize for Packing<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let WorkUnit { prefix, nodes, floor, already_done, longest, new_from, unsettled, .. } =
            self.unit;
        let prefix = Each(prefix.iter().map(|&choice| self.step(choice)));
        let nodes = Each(nodes.iter().map(|node| self.node(node)));
        let done = (already_done, longest, self.executions_before);
        let more = (self.unit.afresh, &self.portion, &self.suspended);
        let paths = self.paths.split_at(self.unit.processes.len());
        let unit = (paths, prefix, nodes, floor, done, new_from, unsettled, more);
        unit.serialize(serializer)
    }
}

/// What an iterator gives, as a list.
struct Each<I>(I);

impl<I: Iterator<Item: Serialize> + Clone> Serialize for Each<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
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

    /// The steps that remain to be taken at a node, each before what follows it.
    pub(crate) fn wakeup_steps(&self, depth: usize) -> impl Iterator<Item = WakeupStep> {
        let tree = self.nodes.get(depth).map_or(&[][..], |node| &node.wakeup_tree);
        tree.iter().flat_map(|branch| branch.steps(&self.processes))
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
            given += self.nodes[last].wakeup_tree.len();
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
            processes: self.processes.clone(),
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
        let whole = self.new_from.is_some() || self.already_done > 0;
        !whole && self.nodes.last().is_some_and(|node| node.wakeup_tree.len() > 1)
    }

    /// The written form.
    pub fn to_json(&self, names: &ProcessNames, fingerprint: &str) -> Box<RawValue> {
        let program = fingerprint.to_string();
        let written = WrittenUnit { format: FORMAT, program, work: Packing::new(self, names, 0) };
        to_raw_value(&written).expect("plain strings and numbers serialise")
    }

    /// Reads the written form of work on the program with this fingerprint.
    pub fn from_json(
        text: &str,
        names: &ProcessNames,
        fingerprint: &str,
    ) -> Result<WorkUnit, ScheduleError> {
        let written: WrittenUnit<PackedUnit> = serde_json::from_str(text).map_err(malformed)?;
        if written.format != FORMAT {
            return Err(ScheduleError::Format { found: written.format });
        }
        if written.program != fingerprint {
            return Err(ScheduleError::OtherProgram);
        }
        WorkUnit::from_packed(written.work, names)
    }

    /// A short form for workers that explore the same program.
    pub fn pack(&self, names: &ProcessNames) -> Box<RawValue> {
        let packing = Packing::new(self, names, self.executions_before);
        to_raw_value(&packing).expect("plain strings and numbers serialise")
    }

    /// Reads the short form.
    pub fn unpack(text: &str, names: &ProcessNames) -> Result<WorkUnit, ScheduleError> {
        WorkUnit::from_packed(serde_json::from_str(text).map_err(malformed)?, names)
    }

    fn from_packed(packed: PackedUnit, names: &ProcessNames) -> Result<WorkUnit, ScheduleError> {
        let PackedUnit(paths, prefix, nodes, floor, done, new_from, unsettled, more) = packed;
        let (in_trees, others) = paths;
        let (afresh, portion, suspended) = more;
        let portion = portion.map(|packed| packed.read(names)).transpose()?.map(Box::new);
        let suspended = suspended.map(|packed| packed.read(names)).transpose()?.map(Box::new);
        let (already_done, longest, executions_before) = done;
        let process = |path: &String| {
            names.resolve(path).ok_or_else(|| malformed(format!("`{path}` is not a process")))
        };
        let paths = in_trees.iter().chain(&others);
        let mut processes = paths.map(process).collect::<Result<Vec<Pid>, _>>()?;
        let step = |packed: &u64| {
            let process = processes.get(*packed as u32 as usize).copied();
            let process = process.ok_or_else(|| malformed("a step of nobody"))?;
            Ok(Choice { process, alternative: (packed >> 32) as u32 })
        };
        let steps = |packed: &[u64]| packed.iter().map(step).collect::<Result<Vec<_>, _>>();
        let branch = |(first, any, then): PackedBranch| {
            let scope = if any { BranchScope::Any } else { BranchScope::One };
            let then = LaterSteps::read(then, in_trees.len()).map_err(malformed)?;
            Ok(SavedBranch { choice: step(&first)?, scope, then })
        };
        let node = |(done, added, tree, race_seen): PackedNode| {
            Ok(NodeWork {
                done: steps(&done)?,
                alternatives_added: steps(&added)?.iter().map(|choice| choice.process).collect(),
                wakeup_tree: tree.into_iter().map(branch).collect::<Result<_, ScheduleError>>()?,
                race_seen,
            })
        };
        let nodes: Vec<NodeWork> =
            nodes.into_iter().map(node).collect::<Result<_, ScheduleError>>()?;
        let prefix = steps(&prefix)?;
        processes.truncate(in_trees.len());
        if !(nodes.is_empty() || nodes.len() == prefix.len() + 1) || floor > prefix.len() {
            return Err(malformed("the nodes do not fit the prefix"));
        }
        if new_from.is_some_and(|depth| depth > prefix.len() || nodes.is_empty()) {
            return Err(malformed("new steps lie outside the prefix"));
        }
        Ok(WorkUnit {
            prefix,
            nodes,
            processes,
            floor,
            already_done,
            longest,
            new_from,
            unsettled,
            executions_before,
            portion,
            suspended,
            afresh,
        })
    }
}

fn malformed(what: impl ToString) -> ScheduleError {
    ScheduleError::Malformed(what.to_string())
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
        let (bound, floor, probing) = (2, 1, true);
        let (attempt, lost) = (Attempt::first_of(4).next(), vec![Attempt::first_of(3)]);
        Box::new(Portion { bound, floor, probing, beginnings, lessons, attempt, lost })
    }

    #[test]
    fn work_survives_its_text_and_nonsense_does_not() {
        let names = ProcessNames::new();
        let child = Choice { process: names.child(Pid::MAIN, 0), alternative: 3 };
        let main = Choice::of(Pid::MAIN);
        let (any, one) = (BranchScope::Any, BranchScope::One);
        let mut processes = ProcessList::with(&[Pid::MAIN]);
        let mut tree = TreeWriter::new(&mut processes);
        for (level, choice, scope) in [(0, child, one), (1, main, any), (1, child, one)] {
            tree.add(level, choice, scope);
        }
        tree.add(0, main, any);
        let wakeup_tree = tree.finish();
        let node = NodeWork {
            done: vec![main],
            alternatives_added: vec![Pid::MAIN],
            wakeup_tree,
            race_seen: true,
        };
        let unit = WorkUnit {
            prefix: vec![main],
            nodes: vec![node, NodeWork::default()],
            processes: processes.into_processes(),
            floor: 1,
            already_done: 7,
            longest: 9,
            new_from: Some(1),
            unsettled: 2,
            executions_before: 0,
            portion: None,
            suspended: Some(Box::new(Suspended {
                tree: *portion(&names),
                alone: true,
                memory: "text".to_string(),
            })),
            afresh: true,
        };
        let text = unit.to_json(&names, "p").get().to_string();
        assert_eq!(WorkUnit::from_json(&text, &names, "p").unwrap(), unit);
        let passed_on = WorkUnit { portion: Some(portion(&names)), ..unit.clone() };
        assert_eq!(WorkUnit::unpack(passed_on.pack(&names).get(), &names).unwrap(), passed_on);
        assert!(WorkUnit::from_json(&text, &names, "q").is_err());
        for end in 0..text.len() {
            assert!(WorkUnit::from_json(&text[..end], &names, "p").is_err());
        }
        let first = "\"A*<AB.D\"";
        let nonsense = [
            // A step of a wakeup tree that comes after none, steps of nobody, and a process without a name.
            text.replace(first, "\"A*<BB.D\""),
            text.replace(first, "\"A*<AJ.D\""),
            text.replace("[0,true,\"\"]", "[9,true,\"\"]"),
            text.replace("\"0.0\"", "\"nobody\""),
        ];
        for wrong in nonsense {
            assert_ne!(wrong, text);
            assert!(WorkUnit::from_json(&wrong, &names, "p").is_err(), "{wrong}");
        }
    }

    /// When time is up there may be millions of steps to write.
    #[test]
    fn steps_of_a_wakeup_tree_take_few_letters() {
        let names = ProcessNames::new();
        let processes = [0, 1, 2].map(|number| names.child(Pid::MAIN, number));
        // Three sequences of a thousand steps that begin with the same hundred.
        let level = |number: usize| match number {
            0..1000 => number,
            1000..1900 => number - 900,
            _ => number - 1800,
        };
        let mut list = ProcessList::default();
        let mut tree = TreeWriter::new(&mut list);
        for number in 0..2800 {
            tree.add(level(number), Choice::of(processes[number % 3]), BranchScope::One);
        }
        let node = NodeWork { wakeup_tree: tree.finish(), ..NodeWork::default() };
        let processes = list.into_processes();
        let unit = WorkUnit { nodes: vec![node], processes, ..WorkUnit::default() };
        let text = unit.to_json(&names, "p");
        assert_eq!(WorkUnit::from_json(text.get(), &names, "p").unwrap(), unit);
        assert!(text.get().len() < 2800 + 200, "{}", text.get().len());
    }
}
