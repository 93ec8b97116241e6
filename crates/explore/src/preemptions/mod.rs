//! Executions with few preemptive switches.
//!
//! **Problem.** Many bugs need few switches away from a process that could have gone on (Musuvathi and
//! Qadeer 2007, "Iterative context bounding for systematic testing of multithreaded programs"). Switches
//! from a process that is blocked or has ended are free. The bound is on schedules and not on traces, so
//! reductions that pick one schedule of each trace may pick one with too many switches.
//!
//! **Idea.** Walk all schedules within the bound depth first, and leave out what follows a node that was
//! met before: what can follow depends only on the trace so far, on the process that moved last and on
//! the switches that are left. A trace is kept as a digest ([`digests`]), which two orders of one trace have in
//! common. So the same trace with as many switches left or more is not walked again ([`known`]).
//!
//! A process that has to decide something next does so before anybody else moves: nobody notices the
//! decision, and a switch after it costs no more than one before.
//!
//! **Several processes.** What keeps the walk small is the memory of all nodes met. Workers without a common memory would
//! each walk most of what the others walk, since nearly every node can be come to through any of the first steps. With one
//! ([`table`]), a step that nobody has taken yet is a place that anybody can go on from ([`share`]).
//!
//! **Stopping and going on.** What is saved is the present level: the steps that are still to be taken, and all that was met
//! ([`image`]), since without it executions would count twice and switches would seem to be left out that are not. A step that
//! was interrupted is still to be taken; a node that was met has its steps on the path. So whoever goes on, with
//! any number of workers, does what would have come next. If the memory is too large for a file, or the steps are too many, all is done again.
//!
//! **Invariant.** Every trace that has a schedule within the bound is executed, and counts once, whoever walks,
//! whoever is lost ([`known`]), and wherever the search is stopped.
//!
//! **Cost.** Sixteen bytes and a number for each trace, process and number of switches met; a step costs
//! what it touches. When so many nodes are known that there is no room, no more are remembered: nothing is missed then.

mod digests;
mod image;
mod known;
mod share;
mod table;

use std::ops::RangeInclusive;

use counterpoint_model::{Bound, Choice, Event, FindingKind, Mark, Next, Pid, Run};

use self::digests::Digests;
use self::known::{Claim, FewestSwitches, Known, Met};
use crate::interference::levels;
use crate::parameter::Parameter;
use crate::portion::{Beginning, Lessons};
use crate::property::Ending;
use crate::search::{Assignment, Exploration, Search};
use crate::trace::Trace;
use crate::turns;

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
    search.repeat(&unit);
    let run = search.program.start(&[]);
    let walk = Walk {
        rewinds: run.rewinds(),
        run,
        search,
        trace: Trace::new(),
        marks: Vec::new(),
        digests: Digests::default(),
        bound: 0,
        known: Known::default(),
        lessons: Lessons::default(),
        nodes: Vec::new(),
        beginnings: Vec::new(),
        arrivals: 0,
        begun: None,
        divided: false,
        alone: false,
    };
    match (unit.portion, unit.suspended) {
        (Some(portion), _) => walk.go_on_with(*portion),
        (None, Some(suspended)) => walk.resume(levels, *suspended),
        (None, None) => walk.explore(levels),
    }
}

/// A place on the present path.
struct PathNode {
    /// The switches on the way to it.
    switches: u32,
    /// What is still to be tried there, with the switches on the way to what comes then, the best last.
    options: Vec<(Choice, u32)>,
}

/// How many nodes are met between two questions what others want.
const NODES_BETWEEN_CALLS: u32 = 64;

struct Walk<'a> {
    search: Search<'a>,
    run: Box<dyn Run + 'a>,
    rewinds: bool,
    trace: Trace,
    marks: Vec<Mark>,
    digests: Digests,
    bound: u32,
    known: Known,
    /// Whether something has failed, whether switches were left out at nodes that could not be remembered (suspected), and
    /// whether there was an execution that could not be counted (disordered).
    lessons: Lessons,
    /// The present path: a node before each step and after the last one.
    nodes: Vec<PathNode>,
    /// Where else to go on, shallowest first.
    beginnings: Vec<Beginning>,
    arrivals: u32,
    /// Which level is to be gone on with, if not all of it is to be done.
    begun: Option<u32>,
    /// Whether others have done a part of it, or earlier parts of the exploration.
    divided: bool,
    /// Whether nobody else is to do anything.
    alone: bool,
}

impl Walk<'_> {
    fn explore(mut self, levels: RangeInclusive<u32>) -> Exploration {
        let finished = self.explore_levels(levels);
        let left = if finished { None } else { Some(self.rest()) };
        self.search.result(left)
    }

    /// Explores one bound after the other; whether nothing is left to do.
    fn explore_levels(&mut self, levels: RangeInclusive<u32>) -> bool {
        'again: loop {
            for bound in levels.clone() {
                match self.begun {
                    Some(begun) if begun > bound => continue,
                    Some(_) => self.begun = None,
                    None => self.begin_level(bound),
                }
                if !self.take_up_all() {
                    return false;
                }
                let drops = self.known.drops(bound);
                if self.known.is_common() && self.lessons.suspected && !drops {
                    // What was not remembered depends on who was first.
                    self.lessons.disordered = true;
                }
                if self.lessons.disordered {
                    self.do_all_again_alone();
                    continue 'again;
                }
                if !drops && !self.lessons.suspected {
                    return true;
                }
                if self.lessons.failed {
                    break;
                }
            }
            break;
        }
        self.search.hit(Bound::Preemptions(self.bound));
        self.search.overlooks_races();
        true
    }

    /// There was no room for what several have to know of each other.
    fn do_all_again_alone(&mut self) {
        self.search.restart();
        self.known = Known::default();
        self.lessons = Lessons::default();
        self.alone = true;
    }

    /// All schedules within the bound are to be walked.
    fn begin_level(&mut self, bound: u32) {
        self.bound = bound;
        self.known.begin_level();
        self.lessons.suspected = false;
        self.beginnings = vec![Beginning::new()];
    }

    /// Walks on from all nodes of the path; false if it was stopped.
    fn work_off(&mut self) -> bool {
        loop {
            if self.lessons.disordered {
                self.leave_path();
            }
            if !self.heed_others() {
                return false;
            }
            let Some(node) = self.nodes.last_mut() else { return true };
            let Some((choice, switches)) = node.options.pop() else {
                self.nodes.pop();
                if !self.nodes.is_empty() {
                    self.take_back();
                }
                continue;
            };
            if !self.search.is_feasible(&mut *self.run, choice) {
                continue;
            }
            if !self.search.stop {
                self.perform(choice);
                self.search.stepped();
            }
            if self.search.is_interrupted() || self.search.stop {
                // The step is still to be taken.
                let node = self.nodes.last_mut().expect("the step begins at a node");
                node.options.push((choice, switches));
                return false;
            }
            self.arrive(switches);
        }
    }

    /// Goes back to the root, and leaves nothing to do.
    fn leave_path(&mut self) {
        self.nodes.clear();
        self.beginnings.clear();
        while !self.trace.events().is_empty() {
            self.take_back();
        }
    }

    /// Comes to a node. There is nothing to try there if the execution has ended or the node is known.
    fn arrive(&mut self, switches: u32) {
        self.arrivals += 1;
        let options = self.options(switches);
        self.nodes.push(PathNode { switches, options });
    }

    fn options(&mut self, switches: u32) -> Vec<(Choice, u32)> {
        let mut ready = Vec::new();
        self.run.ready(&mut ready);
        let long = self.trace.len() >= self.search.limits.steps;
        if ready.is_empty() || long {
            self.conclude(ready.is_empty());
            return Vec::new();
        }
        let last = self.trace.events().last().map(Event::process);
        let decides = last
            .filter(|&process| matches!(self.run.next(process), Next::Ready(op) if op.decides()));
        let stays = last.filter(|last| ready.contains(last));
        let drops =
            switches == self.bound && stays.is_some() && decides.is_none() && ready.len() > 1;
        let node = self.digests.node(last, self.search.program.names());
        match self.known.meet(node, FewestSwitches { switches, drops }, self.bound) {
            Met::Before => {
                self.search.abandoned(&self.trace);
                return Vec::new();
            }
            Met::Now => {}
            Met::Unknown => self.lessons.suspected |= drops,
        }
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
            let next = switches + u32::from(stays.is_some_and(|stays| stays != process));
            if next <= self.bound {
                self.add_options(&mut options, process, next);
            }
        }
        options
    }

    /// An execution has ended, by itself or because it is too long. It counts unless it is known.
    fn conclude(&mut self, nobody_is_ready: bool) {
        match self.known.claim(self.digests.trace) {
            Claim::Made => {}
            Claim::Known => return self.search.abandoned(&self.trace),
            Claim::Refused => {
                self.lessons.disordered = true;
                return;
            }
        }
        let ending = if nobody_is_ready { self.run.end().into() } else { Ending::Cut };
        let fails = |event: &Event| {
            let fault = event.fault.as_deref();
            fault.is_some_and(|fault| fault.kind != FindingKind::Unsupported)
        };
        self.lessons.failed |= ending == Ending::Deadlock || self.trace.events().iter().any(fails);
        self.search.finished(&*self.run, &mut self.trace, ending);
        // An execution is a good moment to be asked.
        self.arrivals = NODES_BETWEEN_CALLS;
    }

    fn add_options(&mut self, options: &mut Vec<(Choice, u32)>, process: Pid, switches: u32) {
        let alternatives = self.run.alternatives(process);
        for alternative in (0..alternatives.count).rev() {
            options.push((Choice { process, alternative }, switches));
        }
    }

    fn perform(&mut self, choice: Choice) {
        self.marks.push(if self.rewinds { self.run.mark() } else { Mark::default() });
        let event = self.run.step(choice);
        self.digests.note(&event, self.search.program.names());
        self.trace.push_plain(event);
    }

    fn take_back(&mut self) {
        let mark = self.marks.pop().expect("there is a step to take back");
        self.trace.cut(self.trace.len() - 1);
        self.digests.forget();
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
