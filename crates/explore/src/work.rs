//! What an exploration has not done yet, in a form that can be saved and taken up again.
//!
//! A unit is a path of choices with, for every node on it, what was explored there already and
//! which remain to be taken. An explorer works off the nodes from `floor` on and may add steps to the
//! nodes above, which it hands back. On disk processes have the names that they have in schedules.

use counterpoint_model::{Choice, Pid, ProcessNames, ScheduleError};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::portion::{PackedPortion, Portion};
use crate::wakeup::BranchScope;

/// The version written by this build.
const FORMAT: u32 = 2;

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
    /// The step of the same tree that comes before it, if it is not taken right from the node. Trees are large, and a
    /// search numbers its steps in as few bits.
    pub after: Option<u32>,
}

/// A unit as it is saved.
#[derive(Serialize, Deserialize)]
struct WrittenUnit<P> {
    format: u32,
    program: String,
    work: P,
}

/// A unit as workers exchange it and as it is saved: the processes, and the prefix, the nodes and the numbers of the unit.
/// Wakeup trees can have millions of steps, so all of it is short: a step is a number that gives its process, as the
/// number in the list, and its alternative.
#[derive(Deserialize)]
struct PackedUnit(
    Vec<String>,
    Vec<u64>,
    Vec<PackedNode>,
    usize,
    (u64, usize, u64),
    Option<usize>,
    usize,
    (bool, Option<PackedPortion>),
);

/// What is done, the processes of which all alternatives are known, the wakeup tree, and whether a race was seen.
type PackedNode = (Vec<u64>, Vec<u64>, Vec<PackedChain>, bool);

/// Steps of a wakeup tree each of which comes after the one before: the number of the step of the tree that the first
/// comes after, plus one, or zero; the steps; and whether the last stands for any alternative. The others stand for one.
type PackedChain = (u32, Vec<u64>, bool);

/// A unit that is being packed.
struct Packing<'a> {
    unit: &'a WorkUnit,
    processes: Vec<String>,
    /// The place of each process in that list.
    numbers: Vec<u32>,
    executions_before: u64,
    portion: Option<PackedPortion>,
}

impl<'a> Packing<'a> {
    fn new(unit: &'a WorkUnit, names: &ProcessNames, executions_before: u64) -> Packing<'a> {
        let portion = unit.portion.as_ref().map(|portion| PackedPortion::new(portion, names));
        let (processes, numbers) = (Vec::new(), Vec::new());
        let mut packing = Packing { unit, processes, numbers, executions_before, portion };
        let mut note = |process: Pid| {
            let place = process.0 as usize;
            if packing.numbers.len() <= place {
                packing.numbers.resize(place + 1, u32::MAX);
            }
            if packing.numbers[place] == u32::MAX {
                packing.numbers[place] = packing.processes.len() as u32;
                packing.processes.push(names.path(process));
            }
        };
        unit.prefix.iter().for_each(|choice| note(choice.process));
        for node in &unit.nodes {
            node.wakeup_tree.iter().for_each(|step| note(step.choice.process));
            node.done.iter().for_each(|choice| note(choice.process));
            node.alternatives_added.iter().for_each(|&process| note(process));
        }
        packing
    }

    fn step(&self, choice: Choice) -> u64 {
        u64::from(choice.alternative) << 32 | u64::from(self.numbers[choice.process.0 as usize])
    }

    fn chain(&self, (after, steps): (Option<u32>, &'a [WakeupStep])) -> impl Serialize {
        let any = steps.last().is_some_and(|last| last.scope == BranchScope::Any);
        let steps = Each(steps.iter().map(|step| self.step(step.choice)));
        (after.map_or(0, |after| after + 1), steps, any)
    }

    fn node(&self, node: &'a NodeWork) -> impl Serialize {
        let done = Each(node.done.iter().map(|&choice| self.step(choice)));
        let added = node.alternatives_added.iter();
        let added = Each(added.map(|&process| self.step(Choice::of(process))));
        let chains = Chains { tree: &node.wakeup_tree, start: 0 };
        (done, added, Each(chains.map(|chain| self.chain(chain))), node.race_seen)
    }
}

impl Serialize for Packing<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let WorkUnit { prefix, nodes, floor, already_done, longest, new_from, unsettled, .. } =
            self.unit;
        let prefix = Each(prefix.iter().map(|&choice| self.step(choice)));
        let nodes = Each(nodes.iter().map(|node| self.node(node)));
        let done = (already_done, longest, self.executions_before);
        let more = (self.unit.afresh, &self.portion);
        let unit = (&self.processes, prefix, nodes, floor, done, new_from, unsettled, more);
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

/// A wakeup tree as chains: what the first step comes after, and the steps. Only the last of a chain may stand for any
/// alternative.
#[derive(Clone)]
struct Chains<'a> {
    tree: &'a [WakeupStep],
    start: usize,
}

impl<'a> Iterator for Chains<'a> {
    type Item = (Option<u32>, &'a [WakeupStep]);

    fn next(&mut self) -> Option<Self::Item> {
        let Chains { tree, start } = *self;
        let first = tree.get(start)?;
        let mut end = start + 1;
        while end < tree.len()
            && tree[end].after == Some(end as u32 - 1)
            && tree[end - 1].scope == BranchScope::One
        {
            end += 1;
        }
        self.start = end;
        Some((first.after, &tree[start..end]))
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
        let (afresh, portion) = more;
        let portion = portion.map(|packed| packed.read(names)).transpose()?.map(Box::new);
        let (already_done, longest, executions_before) = done;
        let process = |path: &String| {
            names.resolve(path).ok_or_else(|| malformed(format!("`{path}` is not a process")))
        };
        let processes = paths.iter().map(process).collect::<Result<Vec<Pid>, _>>()?;
        let step = |packed: &u64| {
            let process = processes.get(*packed as u32 as usize).copied();
            let process = process.ok_or_else(|| malformed("a step of nobody"))?;
            Ok(Choice { process, alternative: (packed >> 32) as u32 })
        };
        let steps = |packed: &[u64]| packed.iter().map(step).collect::<Result<Vec<_>, _>>();
        let node = |(done, added, tree, race_seen): PackedNode| {
            let mut wakeup_tree: Vec<WakeupStep> = Vec::new();
            for (after, chain, any) in tree {
                if after as usize > wakeup_tree.len() {
                    return Err(malformed("a step of a wakeup tree comes after a later one"));
                }
                let mut after = after.checked_sub(1);
                for packed in &chain {
                    let scope = BranchScope::One;
                    wakeup_tree.push(WakeupStep { choice: step(packed)?, scope, after });
                    after = Some(wakeup_tree.len() as u32 - 1);
                }
                if let (true, Some(last)) = (any && !chain.is_empty(), wakeup_tree.last_mut()) {
                    last.scope = BranchScope::Any;
                }
            }
            Ok(NodeWork {
                done: steps(&done)?,
                alternatives_added: steps(&added)?.iter().map(|choice| choice.process).collect(),
                wakeup_tree,
                race_seen,
            })
        };
        let nodes: Vec<NodeWork> =
            nodes.into_iter().map(node).collect::<Result<_, ScheduleError>>()?;
        let prefix = steps(&prefix)?;
        if !(nodes.is_empty() || nodes.len() == prefix.len() + 1) || floor > prefix.len() {
            return Err(malformed("the nodes do not fit the prefix"));
        }
        if new_from.is_some_and(|depth| depth > prefix.len() || nodes.is_empty()) {
            return Err(malformed("new steps lie outside the prefix"));
        }
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
        let steps = [(child, one, None), (main, any, Some(0)), (child, one, Some(1))];
        let steps = steps.into_iter().chain([(main, any, None), (main, one, Some(0))]);
        let wakeup_tree =
            steps.map(|(choice, scope, after)| WakeupStep { choice, scope, after }).collect();
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
        let text = unit.to_json(&names, "p").get().to_string();
        assert_eq!(WorkUnit::from_json(&text, &names, "p").unwrap(), unit);
        let passed_on = WorkUnit { portion: Some(portion(&names)), ..unit.clone() };
        assert_eq!(WorkUnit::unpack(passed_on.pack(&names).get(), &names).unwrap(), passed_on);
        assert!(WorkUnit::from_json(&text, &names, "q").is_err());
        for end in 0..text.len() {
            assert!(WorkUnit::from_json(&text[..end], &names, "p").is_err());
        }
        let last = "[1,[0],false]";
        let nonsense = [
            // A step of a wakeup tree that comes after itself, a step of nobody, and a process without a name.
            text.replace(last, "[5,[0],false]"),
            text.replace(last, "[1,[9],false]"),
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
        let after = |number: u32| match number {
            0 => None,
            1000 | 1900 => Some(99),
            _ => Some(number - 1),
        };
        let step = |number: u32| {
            let choice = Choice::of(processes[number as usize % 3]);
            WakeupStep { choice, scope: BranchScope::One, after: after(number) }
        };
        let node = NodeWork { wakeup_tree: (0..2800).map(step).collect(), ..NodeWork::default() };
        let unit = WorkUnit { nodes: vec![node], ..WorkUnit::default() };
        let text = unit.to_json(&names, "p");
        assert_eq!(WorkUnit::from_json(text.get(), &names, "p").unwrap(), unit);
        assert!(text.get().len() < 2 * 2800 + 200, "{}", text.get().len());
    }
}
