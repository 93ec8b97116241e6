//! What can be decided about the next event of a process, and what follows from it.
//!
//! **Problem.** A read chooses among writes, some of them not in the graph yet, and the budget is small.
//!
//! **Idea.** All ways that the orders known so far do not exclude ([`Graph::saturate`]), those that cost
//! nothing first. A read whose budget is spent has no foreign way; one that has none at all stands still.
//!
//! *Deadlocks.* An execution that ends in a deadlock is a graph in which some processes stand at locks for
//! ever. Graphs know no order of locks, so such a process may go on here, and spend the budget on reads
//! that the execution does not have. So a process that has passed a lock which others may keep for ever
//! may also [halt](Decision::Halt) at its first read that costs something. Which locks may be kept is
//! found out on the way: those that somebody holds where it may have to wait, or at its end. Programs
//! without nested waiting have none.
//!
//! **Cost.** A saturation for each way.

use counterpoint_model::{Access, Choice, Event, Location, Mode, Op, Pid};

use super::GraphExplorer;
use super::graph::{Graph, Id, Member, Source, Standing};
use crate::portion::Turn;

/// What is decided about a graph next.
#[derive(Copy, Clone, Debug)]
pub(super) enum Decision {
    Begin,
    /// The next event of the process takes its value of the location from this write, and counts; the
    /// first of such decisions is told from the others.
    Source {
        process: u32,
        source: Source,
        counts: bool,
        first: bool,
    },
    /// It takes it from a write to come.
    Postpone {
        process: u32,
        location: Location,
        counts: bool,
    },
    /// The process takes this alternative.
    Alternative {
        process: u32,
        alternative: u32,
    },
    /// The postponed read of the process takes its value from this write.
    Take {
        process: u32,
        write: Id,
    },
    /// It does not.
    Decline,
    /// The process goes no further: it stands in a deadlock.
    Halt {
        process: u32,
    },
}

impl Decision {
    /// The decision for somebody else, who comes to the same question by the same way. The location is part of that.
    pub fn turn(self) -> Option<Turn> {
        let event = |write: Id| (Pid(write.process), write.index);
        let turn = |kind, process, write: Option<Id>, number| {
            Some(Turn { kind, process: Pid(process), event: write.map(event), number })
        };
        match self {
            Decision::Begin => None,
            Decision::Source { process, source: (_, write), counts, first } => {
                turn(1, process, write, u32::from(counts) << 1 | u32::from(first))
            }
            Decision::Postpone { process, counts, .. } => turn(2, process, None, counts.into()),
            Decision::Alternative { process, alternative } => turn(3, process, None, alternative),
            Decision::Take { process, write } => turn(4, process, Some(write), 0),
            Decision::Decline => turn(5, Pid::MAIN.0, None, 0),
            Decision::Halt { process } => turn(6, process, None, 0),
        }
    }
}

impl GraphExplorer<'_> {
    /// Ways for the next event of a process to take its value of a location.
    pub(super) fn options(
        &mut self,
        graph: &Graph,
        process: u32,
        location: Location,
        counts: bool,
    ) -> Vec<Decision> {
        let spared = !self.probing && self.victim.is_some_and(|victim| victim.0 != process);
        self.lessons.suspected |= counts && spared;
        let affordable = !counts
            || graph.standings[process as usize].counted
            || (graph.spent < self.bound && !spared);
        let mut decisions = Vec::new();
        let sources = std::iter::once(None).chain(graph.writes_to(location).into_iter().map(Some));
        let is_foreign = |source: Option<Id>| {
            counts && source.is_some_and(|write| !graph.is_ordered(write, process))
        };
        let mut sources: Vec<(bool, Option<Id>)> =
            sources.map(|source| (is_foreign(source), source)).collect();
        // In an order that is the same wherever the program is explored.
        let names = self.search.program.names();
        sources.sort_by(|(one_foreign, one), (other_foreign, other)| {
            let of = |source: &Option<Id>| source.map(|write| Pid(write.process));
            let by_name = || match (of(one), of(other)) {
                (Some(one), Some(other)) => names.compare_processes(one, other),
                (one, other) => one.is_some().cmp(&other.is_some()),
            };
            one_foreign.cmp(other_foreign).then_with(by_name)
        });
        for (foreign, source) in sources {
            if foreign && !affordable {
                continue;
            }
            let source = (location, source);
            let first = decisions.is_empty();
            let decision = Decision::Source { process, source, counts: foreign, first };
            let mut decided = graph.clone();
            apply(&mut decided, decision);
            if self.foresee(&decided, process).is_some() {
                decisions.push(decision);
            }
        }
        let waits = !counts && graph.waits_for(process).is_some();
        if affordable {
            let key = self.key(location);
            let may_come = |writer: Pid| {
                let others = graph.standings.get(writer.index());
                let ended = others.is_some_and(|other| {
                    other.op.is_none() && (other.started.is_some() || writer == Pid::MAIN)
                });
                writer.0 != process && !ended
            };
            let writers = self.lessons.writers.get(&key);
            let known = writers.is_some_and(|writers| writers.iter().any(|&one| may_come(one)));
            // Who wakes one that may also go on without that writes nothing if it comes at another time, so it need
            // not be known.
            let may_wake = |one: u32| graph.standings[one as usize].op.is_some();
            let others = 0..graph.width() as u32;
            let awaits = waits && others.filter(|&one| one != process).any(may_wake);
            if known || awaits {
                decisions.push(Decision::Postpone { process, location, counts });
            } else {
                self.lessons.note_unpostponed(key, Pid(process));
            }
        }
        if counts && affordable && may_stand_still(&graph.standings[process as usize], &decisions) {
            decisions.push(Decision::Halt { process });
        }
        decisions
    }

    /// The feasible alternatives of a process that the stage could let go on.
    pub(super) fn alternatives(&mut self, process: u32, count: u32) -> Vec<Decision> {
        let mut decisions = Vec::new();
        for alternative in 0..count {
            let choice = Choice { process: Pid(process), alternative };
            if self.stage.is_feasible(choice) {
                decisions.push(Decision::Alternative { process, alternative });
            }
        }
        decisions
    }

    /// What must have happened before the next event of a process, as far as it is decided, and the graph
    /// with the event where that takes saturation; nothing if it contradicts the graph.
    pub(super) fn foresee(
        &mut self,
        graph: &Graph,
        process: u32,
    ) -> Option<(Option<Graph>, Vec<u32>)> {
        let standing = &graph.standings[process as usize];
        let op = standing.op.expect("only processes that have not ended go on");
        let own = graph.count(process);
        let lock = match op {
            Op::Acquire(lock) | Op::Resume { lock, .. } => Some(lock),
            _ => None,
        };
        if standing.sources.is_empty() && lock.is_none() {
            let need = match (own.checked_sub(1), standing.started, op) {
                (Some(index), _, _) => graph.row(Id { process, index }).to_vec(),
                (None, Some(start), _) => graph.row(start).to_vec(),
                (None, None, _) => vec![0; graph.width()],
            };
            let mut need = need;
            if let Op::Join(other) = op
                && let Some(last) = graph.count(other.0).checked_sub(1)
            {
                let row = graph.row(Id { process: other.0, index: last });
                need.iter_mut().zip(row).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
            }
            return Some((None, need));
        }
        let mut planned = graph.clone();
        let read = |&(location, _): &Source| Access::plain(location, Mode::Read);
        let take = lock.map(|lock| Access::synchronising(lock, Mode::Acquire));
        let footprint = standing.sources.iter().map(read).chain(take).collect();
        let member = Member {
            op,
            footprint,
            sources: standing.sources.clone(),
            alternative: None,
            joined: None,
        };
        let id = planned.push(process, member);
        let run = self.stage.run();
        if !planned.saturate(&|location| run.is_lock(location)) {
            return None;
        }
        let mut need = planned.row(id).to_vec();
        need[process as usize] = own;
        Some((Some(planned), need))
    }

    /// Notes which locks an event has taken and freed.
    pub(super) fn note_locks(&mut self, graph: &mut Graph, process: u32, event: &Event) {
        for access in &event.footprint {
            let lock = access.location;
            let held = &mut graph.standings[process as usize].held;
            match access.mode {
                Mode::Acquire if self.stage.run().is_lock(lock) => {
                    held.push(lock);
                    let key = self.key(lock);
                    if self.lessons.kept.contains(&key) {
                        graph.standings[process as usize].detour = true;
                        graph.detoured = true;
                    } else {
                        self.lessons.passed.insert(key);
                    }
                }
                Mode::Release => held.retain(|held| *held != lock),
                _ => {}
            }
        }
    }

    /// Notes which locks a process may keep for ever: it holds them where it may have to wait, or at its
    /// end. What was passed without knowing is passed again.
    pub(super) fn note_kept(&mut self, graph: &Graph, process: u32) {
        let standing = &graph.standings[process as usize];
        let waits = match standing.op {
            None => true,
            Some(op) => {
                standing.guarded
                    || matches!(
                        op,
                        Op::Acquire(_)
                            | Op::Wait { .. }
                            | Op::Resume { .. }
                            | Op::Join(_)
                            | Op::Synchronise(_)
                    )
            }
        };
        if waits {
            for &lock in &standing.held {
                let key = self.key(lock);
                self.lessons.kept.insert(key);
            }
        }
    }
}

/// Whether there are executions that end in a deadlock in which a process does not come to the read that is
/// decided, although in the graph nothing keeps it from spending the budget on it.
fn may_stand_still(standing: &Standing, decisions: &[Decision]) -> bool {
    let costs = |decision: &Decision| {
        matches!(
            decision,
            Decision::Source { counts: true, .. } | Decision::Postpone { counts: true, .. }
        )
    };
    !standing.counted
        && (standing.detour && decisions.iter().any(costs)
            || standing.guarded && !decisions.is_empty() && decisions.iter().all(costs))
}

/// Carries a decision out.
pub(super) fn apply(graph: &mut Graph, decision: Decision) {
    let spend = |graph: &mut Graph, process: u32, counts: bool| {
        let standing = &mut graph.standings[process as usize];
        if counts && !standing.counted {
            standing.counted = true;
            graph.spent += 1;
        }
    };
    match decision {
        Decision::Begin | Decision::Decline => {}
        Decision::Halt { process } => graph.standings[process as usize].stopped = true,
        Decision::Source { process, source, counts, first } => {
            let standing = &mut graph.standings[process as usize];
            standing.sources.push(source);
            standing.hopeful |= !first;
            spend(graph, process, counts);
        }
        Decision::Postpone { process, location, counts } => {
            graph.standings[process as usize].postponed = Some(location);
            spend(graph, process, counts);
        }
        Decision::Alternative { process, alternative } => {
            graph.standings[process as usize].alternative = Some(alternative);
        }
        Decision::Take { process, write } => {
            let standing = &mut graph.standings[process as usize];
            let location =
                standing.postponed.take().expect("only postponed reads are offered writes");
            standing.sources.push((location, Some(write)));
            standing.hopeful = true;
            standing.blocked_at = None;
        }
    }
}
