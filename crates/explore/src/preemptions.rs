//! Executions with few preemptive switches.
//!
//! **Problem.** Many bugs need few switches away from a process that could have gone on (Musuvathi and
//! Qadeer 2007, "Iterative context bounding for systematic testing of multithreaded programs"). Switches
//! from a process that is blocked or has ended are free. The bound is on schedules and not on traces, so
//! reductions that pick one schedule of each trace may pick one with too many switches.
//!
//! **Idea.** Walk all schedules within the bound depth first, and leave out what follows a node that was
//! met before: what can follow depends only on the trace so far, on the process that moved last and on
//! the switches that are left. A trace is kept as the sum of digests of its events; the digest of an event
//! is made of its process's previous one, of its alternative, and for everything it touches of the last
//! event that changed it and, if the event changes it itself, of those that have looked since. So two
//! orders of one trace have one digest, and the same trace with as many switches left or more is not
//! walked again.
//!
//! A process that has to decide something next does so before anybody else moves: nobody notices the
//! decision, and a switch after it costs no more than one before.
//!
//! **One process.** What keeps the walk small is the memory of all nodes met. Workers without a common memory would
//! each walk most of what the others walk, since nearly every node can be come to through any of the first steps.
//!
//! **Invariant.** Every trace that has a schedule within the bound is executed, and counts once.
//!
//! **Cost.** Sixteen bytes and a number for each trace, process and number of switches met; a step costs
//! what it touches. When [`MOST_NODES`] are known, no more are remembered: nothing is missed then.

use counterpoint_model::{
    Bound, Choice, Event, Feasible, FindingKind, Location, Mark, Next, Pid, Run,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::interference::levels;
use crate::mixing::scramble;
use crate::parameter::Parameter;
use crate::property::Ending;
use crate::search::{Assignment, Exploration, Search};
use crate::trace::Trace;
use crate::turns;

/// How many nodes are remembered: about two gigabytes.
const MOST_NODES: usize = 48_000_000;

/// The most switches.
pub const BOUND: Parameter = Parameter {
    about: "At most so many preemptive switches; without it 0, 1, 2 and 3 one after another until \
            something fails",
    ..crate::interference::BOUND
};

/// Explores by bounds on preemptive switches.
pub fn preemptions(assignment: Assignment<'_>) -> Exploration {
    let levels = levels(&assignment);
    let (mut search, unit) = Search::new(assignment);
    search.repeat(unit.already_done);
    let run = search.program.start(&[]);
    let mut walk = Walk {
        rewinds: run.rewinds(),
        run,
        search,
        trace: Trace::new(),
        marks: Vec::new(),
        memory: Memory::default(),
        bound: 0,
        dropped: false,
        visited: FxHashMap::default(),
        ended: FxHashSet::default(),
        failed: false,
    };
    for bound in levels {
        walk.bound = bound;
        walk.dropped = false;
        walk.visited.clear();
        let finished = walk.explore();
        if !finished {
            let left = walk.search.remainder();
            return walk.search.result(Some(left));
        }
        if !walk.dropped {
            return walk.search.result(None);
        }
        if walk.failed {
            break;
        }
    }
    walk.search.hit(Bound::Preemptions(walk.bound));
    walk.search.overlooks_races();
    walk.search.result(None)
}

/// A place on the present path: what is still to be tried there, the best last.
struct PathNode {
    options: Vec<(Choice, u32)>,
}

struct Walk<'a> {
    search: Search<'a>,
    run: Box<dyn Run + 'a>,
    rewinds: bool,
    trace: Trace,
    marks: Vec<Mark>,
    memory: Memory,
    bound: u32,
    /// Whether a switch was left out because it was one too many.
    dropped: bool,
    /// The fewest switches with which a trace and the process that moved last were met.
    visited: FxHashMap<u128, u32>,
    /// The traces of complete executions.
    ended: FxHashSet<u128>,
    /// Whether something has failed, in earlier parts of the exploration as well.
    failed: bool,
}

impl Walk<'_> {
    /// Walks all schedules within the bound; false if it was stopped.
    fn explore(&mut self) -> bool {
        let mut nodes: Vec<PathNode> = Vec::new();
        let mut used = 0;
        loop {
            if self.search.is_interrupted() {
                self.rewind();
                return false;
            }
            match self.arrive(used) {
                Some(options) => nodes.push(PathNode { options }),
                None => nodes.push(PathNode { options: Vec::new() }),
            }
            let taken = loop {
                let Some(node) = nodes.last_mut() else { return true };
                let option = node.options.pop();
                if let Some((choice, next)) = option {
                    if self.is_feasible(choice) {
                        break (choice, next);
                    }
                    continue;
                }
                nodes.pop();
                if nodes.is_empty() {
                    return true;
                }
                self.take_back();
            };
            if self.search.stop {
                self.rewind();
                return false;
            }
            used = taken.1;
            self.perform(taken.0);
        }
    }

    fn rewind(&mut self) {
        while !self.trace.events().is_empty() {
            self.take_back();
        }
    }

    /// What can be tried from here; nothing if the execution has ended or is known.
    fn arrive(&mut self, used: u32) -> Option<Vec<(Choice, u32)>> {
        let last = self.trace.events().last().map(Event::process);
        let key = self.memory.key(last);
        let known = match self.visited.get_mut(&key) {
            Some(fewest) if *fewest <= used => true,
            Some(fewest) => {
                *fewest = used;
                false
            }
            None => {
                if self.visited.len() < MOST_NODES {
                    self.visited.insert(key, used);
                }
                false
            }
        };
        let mut ready = Vec::new();
        self.run.ready(&mut ready);
        let long = self.trace.len() >= self.search.limits.steps;
        if ready.is_empty() || long {
            if self.ended.insert(self.memory.digest) {
                let ending = if ready.is_empty() { self.run.end().into() } else { Ending::Cut };
                let fails = |event: &Event| {
                    let fault = event.fault.as_deref();
                    fault.is_some_and(|fault| fault.kind != FindingKind::Unsupported)
                };
                self.failed |= ending == Ending::Deadlock || self.trace.events().iter().any(fails);
                self.search.finished(&*self.run, &mut self.trace, ending);
            } else {
                self.search.abandoned(&self.trace);
            }
            return None;
        }
        if known {
            self.search.abandoned(&self.trace);
            return None;
        }
        let decides = last
            .filter(|&process| matches!(self.run.next(process), Next::Ready(op) if op.decides()));
        let stays = last.filter(|last| ready.contains(last));
        if turns::are_taken(self.trace.len(), &self.search.limits) {
            turns::sort(&mut ready, self.trace.events());
        } else {
            ready.sort_by_key(|process| Some(*process) != stays);
        }
        let mut options = Vec::new();
        for &process in ready.iter().rev() {
            if decides.is_some_and(|decides| decides != process) {
                continue;
            }
            let next = used + u32::from(stays.is_some_and(|stays| stays != process));
            if next > self.bound {
                self.dropped = true;
                continue;
            }
            self.add_options(&mut options, process, next);
        }
        Some(options)
    }

    fn add_options(&mut self, options: &mut Vec<(Choice, u32)>, process: Pid, used: u32) {
        let alternatives = self.run.alternatives(process);
        for alternative in (0..alternatives.count).rev() {
            options.push((Choice { process, alternative }, used));
        }
    }

    fn is_feasible(&mut self, choice: Choice) -> bool {
        let alternatives = self.run.alternatives(choice.process);
        if alternatives.count == 1 || choice.alternative == alternatives.preferred {
            return true;
        }
        match self.run.feasible(choice) {
            Feasible::Yes => true,
            Feasible::No => false,
            Feasible::Unknown(why) => {
                self.search.hit(Bound::Solver(why));
                false
            }
        }
    }

    fn perform(&mut self, choice: Choice) {
        self.marks.push(if self.rewinds { self.run.mark() } else { Mark::default() });
        let event = self.run.step(choice);
        self.search.stepped();
        self.memory.note(&event);
        self.trace.push_plain(event);
    }

    fn take_back(&mut self) {
        let mark = self.marks.pop().expect("there is a step to take back");
        self.trace.cut(self.trace.len() - 1);
        self.memory.forget();
        if self.rewinds {
            self.run.undo(mark);
        } else {
            self.run = self.search.program.start(&[]);
            for event in self.trace.events() {
                self.run.step(event.choice);
            }
        }
    }
}

/// Digests of what happened, which do not depend on the order of independent events.
#[derive(Default)]
struct Memory {
    digest: u128,
    /// By process: its last event.
    processes: FxHashMap<Pid, u128>,
    /// By location: the event that changed it last, and the sum of those that have looked since.
    places: FxHashMap<Location, (u128, u128)>,
    undo: Vec<Undo>,
}

/// The event that changed a location last, and the sum of those that have looked since.
type LastAccesses = (u128, u128);

struct Undo {
    digest: u128,
    process: (Pid, Option<u128>),
    places: SmallVec<[(Location, Option<LastAccesses>); 3]>,
}

impl Memory {
    /// Tells nodes apart: the trace, and who moved last.
    fn key(&self, last: Option<Pid>) -> u128 {
        scramble(self.digest, last.map_or(0, |process| u64::from(process.0) + 1))
    }

    fn note(&mut self, event: &Event) {
        let process = event.process();
        let previous = self.processes.get(&process).copied();
        let mut own = scramble(previous.unwrap_or(u128::from(process.0)), 1);
        own = scramble(own, u64::from(event.choice.alternative));
        for access in &event.footprint {
            let (changed, looked) = self.places.get(&access.location).copied().unwrap_or_default();
            own = scramble(own, u64::from(access.location.0) << 8 | access.mode as u64);
            own = own.wrapping_add(scramble(changed, 2));
            if !access.mode.is_shared() {
                own = own.wrapping_add(scramble(looked, 3));
            }
        }
        let mut places = SmallVec::new();
        for access in &event.footprint {
            let before = self.places.get(&access.location).copied();
            places.push((access.location, before));
            let (changed, looked) = before.unwrap_or_default();
            let after = match access.mode.is_shared() {
                true => (changed, looked.wrapping_add(scramble(own, 4))),
                false => (own, 0),
            };
            self.places.insert(access.location, after);
        }
        let digest = self.digest;
        self.digest = self.digest.wrapping_add(scramble(own, 5));
        self.processes.insert(process, own);
        self.undo.push(Undo { digest, process: (process, previous), places });
    }

    fn forget(&mut self) {
        let undo = self.undo.pop().expect("there is an event to forget");
        self.digest = undo.digest;
        match undo.process {
            (process, Some(previous)) => self.processes.insert(process, previous),
            (process, None) => self.processes.remove(&process),
        };
        for (location, before) in undo.places.into_iter().rev() {
            match before {
                Some(before) => self.places.insert(location, before),
                None => self.places.remove(&location),
            };
        }
    }
}
