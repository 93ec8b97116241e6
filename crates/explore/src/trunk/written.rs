//! A trunk as text, so that an exploration by several workers can be saved and taken up by any number of them.
//!
//! Nodes and units are numbered from the root; where they hang follows from who mentions them.

use counterpoint_model::{Choice, Pid, ProcessNames, Program, Schedule, ScheduleError};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::{Begun, Below, Held, Open, Planned, Position, Trunk, TrunkNode, UnitId};
use crate::evidence::{ReplayError, follow};
use crate::wakeup::BranchScope;
use crate::work::WorkUnit;

#[derive(Serialize, Deserialize)]
struct WrittenTrunk {
    root: WrittenBelow,
    nodes: Vec<WrittenNode>,
    units: Vec<Box<RawValue>>,
}

#[derive(Copy, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WrittenBelow {
    Done,
    Unit(usize),
    Node(usize),
}

#[derive(Serialize, Deserialize)]
struct WrittenNode {
    begun: Vec<WrittenBranch>,
    planned: Vec<WrittenPlan>,
    alternatives_added: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct WrittenPlan {
    step: String,
    scope: WrittenScope,
}

#[derive(Copy, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WrittenScope {
    Any,
    One,
}

#[derive(Serialize, Deserialize)]
struct WrittenBranch {
    step: String,
    below: WrittenBelow,
}

impl Trunk {
    /// The written form. Units that somebody works on are as they were when they were taken.
    pub fn to_json(&self, names: &ProcessNames, fingerprint: &str) -> Box<RawValue> {
        let mut written =
            WrittenTrunk { root: WrittenBelow::Done, nodes: Vec::new(), units: Vec::new() };
        written.root = self.write_below(self.root, names, fingerprint, &mut written);
        to_raw_value(&written).expect("plain strings and numbers serialise")
    }

    fn write_below(
        &self,
        below: Below,
        names: &ProcessNames,
        fingerprint: &str,
        written: &mut WrittenTrunk,
    ) -> WrittenBelow {
        match below {
            Below::Done => WrittenBelow::Done,
            Below::Unit(id) => {
                written.units.push(self.units[&id].work.to_json(names, fingerprint));
                WrittenBelow::Unit(written.units.len() - 1)
            }
            Below::Node(index) => {
                let node = self.node(index);
                let number = written.nodes.len();
                let planned = node.planned.iter().map(|&Planned { choice, scope }| WrittenPlan {
                    step: Schedule::step_text(names, choice),
                    scope: match scope {
                        BranchScope::Any => WrittenScope::Any,
                        BranchScope::One => WrittenScope::One,
                    },
                });
                written.nodes.push(WrittenNode {
                    begun: Vec::new(),
                    planned: planned.collect(),
                    alternatives_added: node
                        .alternatives_added
                        .iter()
                        .map(|&process| names.path(process))
                        .collect(),
                });
                for begun in &node.begun {
                    let below = self.write_below(begun.below, names, fingerprint, written);
                    let step = Schedule::step_text(names, begun.choice);
                    let branch = WrittenBranch { step, below };
                    written.nodes[number].begun.push(branch);
                }
                WrittenBelow::Node(number)
            }
        }
    }

    /// Reads the written form of work on a program. Every step that it mentions at the nodes of the trunk
    /// can be taken there.
    pub fn from_json(text: &str, program: &dyn Program) -> Result<Trunk, ScheduleError> {
        let written: WrittenTrunk =
            serde_json::from_str(text).map_err(|e| ScheduleError::Malformed(e.to_string()))?;
        let mut reader = Reader {
            program,
            fingerprint: program.fingerprint(),
            nodes: written.nodes.into_iter().map(Some).collect(),
            units: written.units.into_iter().map(Some).collect(),
            trunk: Trunk::new(WorkUnit::whole()),
        };
        reader.trunk.units.clear();
        reader.trunk.open.clear();
        let mut left = vec![(written.root, None)];
        while let Some((below, at)) = left.pop() {
            reader.read(below, at, &mut left)?;
        }
        let mut trunk = reader.trunk;
        // Deeper nodes have higher numbers; nobody writes some that are done.
        for index in (0..trunk.nodes.len()).rev() {
            if trunk.nodes[index].is_some() {
                trunk.finish_nodes(index);
            }
        }
        Ok(trunk)
    }
}

struct Reader<'a> {
    program: &'a dyn Program,
    fingerprint: String,
    nodes: Vec<Option<WrittenNode>>,
    units: Vec<Option<Box<RawValue>>>,
    trunk: Trunk,
}

impl Reader<'_> {
    /// Reads what hangs at a place; what is below that is left.
    fn read(
        &mut self,
        below: WrittenBelow,
        at: Option<Position>,
        left: &mut Vec<(WrittenBelow, Option<Position>)>,
    ) -> Result<(), ScheduleError> {
        let malformed = |what: &str| ScheduleError::Malformed(what.to_string());
        let prefix = at.map_or_else(Vec::new, |at| self.prefix_through(at));
        let twice = || malformed("a part is missing or mentioned twice");
        match below {
            WrittenBelow::Done => self.trunk.hang(at, Below::Done),
            WrittenBelow::Unit(number) => {
                let unit = self.units.get_mut(number).and_then(Option::take).ok_or_else(twice)?;
                let names = self.program.names();
                let unit = WorkUnit::from_json(unit.get(), names, &self.fingerprint)?;
                let fits = unit.floor == prefix.len() && unit.prefix.starts_with(&prefix);
                if !fits || (unit.nodes.is_empty() && !prefix.is_empty()) {
                    return Err(malformed("a unit does not fit its place"));
                }
                let id = UnitId(self.trunk.next);
                self.trunk.next += 1;
                let held = Held { at, work: unit, assigned: false, losses: 0 };
                self.trunk.units.insert(id, held);
                self.trunk.reopen(id);
                self.trunk.hang(at, Below::Unit(id));
            }
            WrittenBelow::Node(number) => {
                let node = self.nodes.get_mut(number).and_then(Option::take).ok_or_else(twice)?;
                self.read_node(node, at, &prefix, left)?;
            }
        }
        Ok(())
    }

    fn read_node(
        &mut self,
        written: WrittenNode,
        at: Option<Position>,
        prefix: &[Choice],
        left: &mut Vec<(WrittenBelow, Option<Position>)>,
    ) -> Result<(), ScheduleError> {
        let names = self.program.names();
        let mut begun = Vec::new();
        for (branch, own) in written.begun.iter().enumerate() {
            let choice = parse(names, &own.step, branch)?;
            let below = Below::Done;
            begun.push(Begun { choice, below });
        }
        let mut planned: Vec<Planned> = Vec::new();
        for (number, own) in written.planned.iter().enumerate() {
            let choice = parse(names, &own.step, number)?;
            let scope = match own.scope {
                WrittenScope::Any => BranchScope::Any,
                WrittenScope::One => BranchScope::One,
            };
            planned.push(Planned { choice, scope });
        }
        let mut alternatives_added: Vec<Pid> = Vec::new();
        for (number, path) in written.alternatives_added.iter().enumerate() {
            alternatives_added.push(parse(names, path, number)?.process);
        }
        self.check(prefix, &begun, &planned)?;
        let depth = prefix.len();
        let is_open = !planned.is_empty();
        let index = self.trunk.add_node(TrunkNode {
            parent: at,
            depth,
            begun,
            planned,
            alternatives_added,
            single_alternative: Vec::new(),
        });
        if is_open {
            self.trunk.open.insert((depth, Open::Node(index)));
        }
        self.trunk.hang(at, Below::Node(index));
        let below = written.begun.iter().enumerate();
        left.extend(below.map(|(branch, own)| (own.below, Some((index, branch)))));
        Ok(())
    }

    fn prefix_through(&self, (index, branch): Position) -> Vec<Choice> {
        let mut prefix = self.trunk.prefix(index);
        prefix.push(self.trunk.node(index).begun[branch].choice);
        prefix
    }

    /// Whether the steps at a node can be taken there.
    fn check(
        &self,
        prefix: &[Choice],
        begun: &[Begun],
        planned: &[Planned],
    ) -> Result<(), ScheduleError> {
        let malformed = |error: ReplayError| ScheduleError::Malformed(error.to_string());
        let stand = |path: &[Choice]| {
            let mut run = self.program.start(&[]);
            for (number, &choice) in path.iter().enumerate() {
                follow(self.program, &mut *run, number + 1, choice).map_err(malformed)?;
            }
            Ok(run)
        };
        for own in begun {
            follow(self.program, &mut *stand(prefix)?, prefix.len() + 1, own.choice)
                .map_err(malformed)?;
        }
        for own in planned {
            match follow(self.program, &mut *stand(prefix)?, prefix.len() + 1, own.choice) {
                // What no input leads to is dropped when its turn comes.
                Ok(_) | Err(ReplayError::NoAlternative { .. }) => {}
                Err(error) => return Err(malformed(error)),
            }
        }
        Ok(())
    }
}

fn parse(names: &ProcessNames, text: &str, number: usize) -> Result<Choice, ScheduleError> {
    Schedule::parse_step(names, text)
        .ok_or_else(|| ScheduleError::Step { number: number + 1, text: text.to_string() })
}
