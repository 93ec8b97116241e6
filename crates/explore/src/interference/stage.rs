//! The real run beside the graphs: what a graph claims is performed here.
//!
//! **Problem.** A graph says which events there are and what reads take their values from. Nobody
//! believes it before it was run, and only a run tells what a process does next.
//!
//! **Idea.** Find a schedule that performs a part of the graph, at least `need[p]` and at most `most[p]`
//! events of each process p, and perform it. A step is taken only if all that is known to come before
//! its event has happened, if every location it reads was last written by its source, if it does not
//! overwrite what a needed read has still to see, and if it does not take a lock for good that others
//! still need. Whether it can be taken otherwise (locks, conditions, semaphores, joins) the run itself
//! says. The order of the last schedule is kept as far as possible, so little is taken back. Where this
//! gets stuck, the search goes back and tries other orders, and remembers where it was.
//!
//! **Cost.** Nearly always the number of steps. At worst the number of ways to cut the graph, so a search looks at the
//! clock. One that is interrupted finds nothing, as if the run had been interrupted in a step: nobody believes it.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use counterpoint_model::{
    Choice, Event, Feasible, Interrupt, Location, Mark, Mode, Next, Op, Pid, ProcessNames, Program,
    Run,
};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use smallvec::SmallVec;

use super::graph::{Graph, Id, Member, Source};
use crate::mixing::mix;
use crate::non_local::leaves_value;
use crate::trace::Trace;

/// So many steps are tried for one schedule before the search for it is given up.
const MOST_TRIALS: usize = 200_000;

/// After how many steps, tried or taken, it looks at the clock.
const STEPS_BETWEEN_LOOKS: u64 = 64;

/// A step of the present schedule.
struct Step {
    id: Id,
    member: Option<Rc<Member>>,
    event: Event,
    mark: Mark,
    /// What its locations held before.
    overwritten: SmallVec<[(Location, Option<Id>); 2]>,
}

/// The next event of a process, which the schedule is to make possible.
pub(super) struct Goal<'g> {
    pub process: u32,
    pub sources: &'g [Source],
}

/// What became of a search for a schedule.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum ScheduleSearch {
    Found,
    Impossible,
    GivenUp,
}

/// A run at the end of a schedule that performs a part of the present graph.
pub(super) struct Stage<'a> {
    program: &'a dyn Program,
    run: Box<dyn Run + 'a>,
    rewinds: bool,
    steps: Vec<Step>,
    counts: Vec<u32>,
    last: FxHashMap<Location, Id>,
    /// Steps taken altogether.
    pub performed: u64,
    /// Why the solver gave up on a step, if it did.
    pub gave_up: Option<String>,
    interrupt: Interrupt,
}

impl<'a> Stage<'a> {
    pub fn new(program: &'a dyn Program, interrupt: &Interrupt) -> Stage<'a> {
        let run = program.start(&[]);
        let rewinds = run.rewinds();
        Stage {
            program,
            run,
            rewinds,
            steps: Vec::new(),
            counts: Vec::new(),
            last: FxHashMap::default(),
            performed: 0,
            gave_up: None,
            interrupt: interrupt.clone(),
        }
    }

    pub fn run(&mut self) -> &mut (dyn Run + 'a) {
        &mut *self.run
    }

    fn count(&self, process: u32) -> u32 {
        self.counts.get(process as usize).copied().unwrap_or(0)
    }

    /// Forgets the steps that a graph does not have.
    pub fn keep_common(&mut self, graph: &Graph) {
        let is_common = |step: &Step| {
            let events = graph.events.get(step.id.process as usize);
            let member = events.and_then(|events| events.get(step.id.index as usize));
            matches!((member, &step.member), (Some(one), Some(other)) if Rc::ptr_eq(one, other))
        };
        let common = self.steps.iter().take_while(|step| is_common(step)).count();
        self.take_back(common);
    }

    /// Goes back to the first so many steps.
    pub fn take_back(&mut self, length: usize) {
        if self.steps.len() == length {
            return;
        }
        let mark = self.steps[length].mark;
        while self.steps.len() > length {
            let step = self.steps.pop().expect("there are more steps than are kept");
            self.counts[step.id.process as usize] -= 1;
            for &(location, before) in step.overwritten.iter().rev() {
                match before {
                    Some(id) => self.last.insert(location, id),
                    None => self.last.remove(&location),
                };
            }
        }
        if self.rewinds {
            self.run.undo(mark);
        } else {
            self.run = self.program.start(&[]);
            for step in &self.steps {
                self.run.step(step.event.choice);
            }
        }
    }

    /// Takes back the last step.
    pub fn take_back_one(&mut self) {
        self.take_back(self.steps.len() - 1);
    }

    /// Takes a step of a ready process.
    pub fn perform(&mut self, choice: Choice, member: Option<Rc<Member>>) {
        let mark = if self.rewinds { self.run.mark() } else { Mark::default() };
        let process = choice.process.0;
        if self.counts.len() <= process as usize {
            self.counts.resize(process as usize + 1, 0);
        }
        let id = Id { process, index: self.count(process) };
        let event = self.run.step(choice);
        self.performed += 1;
        if self.performed.is_multiple_of(STEPS_BETWEEN_LOOKS) {
            self.interrupt.poll();
        }
        let mut overwritten = SmallVec::new();
        for access in event.footprint.iter().filter(|access| leaves_value(access)) {
            overwritten.push((access.location, self.last.insert(access.location, id)));
        }
        self.counts[process as usize] += 1;
        self.steps.push(Step { id, member, event, mark, overwritten });
    }

    /// The event of the last step.
    pub fn last_event(&self) -> &Event {
        &self.steps.last().expect("a step was taken").event
    }

    /// The last step is this event of the graph.
    pub fn name_last(&mut self, member: &Rc<Member>) {
        self.steps.last_mut().expect("a step was taken").member = Some(Rc::clone(member));
    }

    /// The schedule so far, as the bookkeeping of explorations wants it.
    pub fn trace(&self) -> Trace {
        let mut trace = Trace::new();
        for step in &self.steps {
            trace.push_plain(step.event.clone());
        }
        trace
    }

    /// Whether the next event of a process is possible right now, with these sources.
    pub fn is_possible(&self, graph: &Graph, goal: &Goal<'_>) -> bool {
        self.count(goal.process) == graph.count(goal.process)
            && goal.sources.iter().all(|&(location, source)| self.holds(location) == source)
            && self.run.is_ready(Pid(goal.process))
    }

    /// What wrote a location last.
    pub fn holds(&self, location: Location) -> Option<Id> {
        self.last.get(&location).copied()
    }

    /// Performs at least `need` and at most `most` events, so that the goal is possible then.
    pub fn schedule(
        &mut self,
        graph: &Graph,
        need: &[u32],
        most: &[u32],
        goal: Option<&Goal<'_>>,
    ) -> ScheduleSearch {
        let plan = Plan::new(graph, need, most, goal, &*self.run, self.program.names());
        let old: FxHashMap<Id, usize> =
            self.steps.iter().enumerate().map(|(place, step)| (step.id, place)).collect();
        let kept = self.usable_prefix(&plan);
        self.take_back(kept);
        let mut trials = 0;
        match self.search(&plan, &old, &mut trials) {
            ScheduleSearch::Impossible if kept > 0 => {
                self.take_back(0);
                self.search(&plan, &old, &mut trials)
            }
            result => result,
        }
    }

    /// Performs all events of a graph, in an order that depends on nothing but the graph: what is in the end in a location
    /// that nobody reads any more depends on it.
    pub fn schedule_whole(&mut self, graph: &Graph) -> ScheduleSearch {
        self.take_back(0);
        let all = graph.counts();
        self.schedule(graph, &all, &all, None)
    }

    /// How many of the present steps the plan allows.
    fn usable_prefix(&self, plan: &Plan<'_>) -> usize {
        let mut counts = vec![0; plan.graph.width()];
        let mut last: FxHashMap<Location, Id> = FxHashMap::default();
        for (place, step) in self.steps.iter().enumerate() {
            if !plan.allows(step.id, &counts, &|location| last.get(&location).copied()) {
                return place;
            }
            counts[step.id.process as usize] += 1;
            for access in step.event.footprint.iter().filter(|access| leaves_value(access)) {
                last.insert(access.location, step.id);
            }
        }
        self.steps.len()
    }

    fn search(
        &mut self,
        plan: &Plan<'_>,
        old: &FxHashMap<Id, usize>,
        trials: &mut usize,
    ) -> ScheduleSearch {
        let base = self.steps.len();
        let mut visited: FxHashSet<u64> = FxHashSet::default();
        let mut frames: Vec<Vec<Choice>> = Vec::new();
        loop {
            if self.is_reached(plan) {
                return ScheduleSearch::Found;
            }
            if self.interrupt.raised().is_some() {
                return ScheduleSearch::Impossible;
            }
            let fresh = visited.insert(self.key(plan));
            frames.push(if fresh { self.candidates(plan, old) } else { Vec::new() });
            loop {
                let Some(frame) = frames.last_mut() else { return ScheduleSearch::Impossible };
                let Some(choice) = frame.pop() else {
                    frames.pop();
                    if frames.is_empty() {
                        return ScheduleSearch::Impossible;
                    }
                    self.take_back_one();
                    debug_assert!(self.steps.len() >= base);
                    continue;
                };
                *trials += 1;
                if (*trials as u64).is_multiple_of(STEPS_BETWEEN_LOOKS) && self.interrupt.poll() {
                    return ScheduleSearch::Impossible;
                }
                if *trials > MOST_TRIALS {
                    return ScheduleSearch::GivenUp;
                }
                if self.follow(plan.graph, choice) {
                    break;
                }
            }
        }
    }

    /// Takes a step of the graph, if it turns out to be feasible.
    fn follow(&mut self, graph: &Graph, choice: Choice) -> bool {
        let process = choice.process;
        let id = Id { process: process.0, index: self.count(process.0) };
        let alternatives = self.run.alternatives(process);
        // A notification that was decided about may find fewer who wait, in an order in which it is too soon.
        let feasible = choice.alternative < alternatives.count
            && (alternatives.count == 1
                || choice.alternative == alternatives.preferred
                || self.is_feasible(choice));
        if feasible {
            self.perform(choice, Some(Rc::clone(graph.member(id))));
        }
        feasible
    }

    /// Whether inputs lead to a choice; that the solver gives up is noted.
    pub fn is_feasible(&mut self, choice: Choice) -> bool {
        match self.run.feasible(choice) {
            Feasible::Yes => true,
            Feasible::No => false,
            Feasible::Unknown(why) => {
                self.gave_up = Some(why);
                false
            }
        }
    }

    fn is_reached(&self, plan: &Plan<'_>) -> bool {
        let done = |(process, &need): (usize, &u32)| self.count(process as u32) >= need;
        plan.need.iter().enumerate().all(done)
            && plan.goal.is_none_or(|goal| self.is_possible(plan.graph, goal))
    }

    /// Tells places of the search apart: how far everybody is, who wrote what last, who was woken.
    fn key(&self, plan: &Plan<'_>) -> u64 {
        let mut hasher = FxHasher::default();
        self.counts.hash(&mut hasher);
        let mut values: u64 = 0;
        for (location, id) in &self.last {
            let mut hasher = FxHasher::default();
            (location, id).hash(&mut hasher);
            values = values.wrapping_add(mix(hasher.finish()));
        }
        values.hash(&mut hasher);
        for process in 0..plan.graph.width() as u32 {
            if let Next::Ready(Op::Resume { .. }) | Next::Blocked(Op::Resume { .. }) =
                self.run.next(Pid(process))
            {
                (process, self.run.anticipate(Pid(process)).len()).hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    /// The steps that could be taken next, the best last.
    fn candidates(&self, plan: &Plan<'_>, old: &FxHashMap<Id, usize>) -> Vec<Choice> {
        let mut found: Vec<(bool, usize, usize, Choice)> = Vec::new();
        for process in 0..plan.graph.width() as u32 {
            let id = Id { process, index: self.count(process) };
            let pid = Pid(process);
            if !plan.allows(id, &self.counts, &|location| self.holds(location))
                || !self.run.is_ready(pid)
            {
                continue;
            }
            let optional = id.index >= plan.need[process as usize];
            let place = old.get(&id).copied().unwrap_or(usize::MAX);
            let member = plan.graph.member(id);
            let alternatives = match (member.alternative, member.op) {
                (Some(alternative), _) => alternative..alternative + 1,
                (None, Op::Notify { .. }) => 0..self.run.alternatives(pid).count,
                (None, _) => 0..1,
            };
            for alternative in alternatives {
                let rank = plan.ranks[process as usize];
                found.push((optional, place, rank, Choice { process: pid, alternative }));
            }
        }
        found.sort_unstable_by(|one, other| other.cmp(one));
        found.into_iter().map(|(_, _, _, choice)| choice).collect()
    }
}

/// What a schedule has to perform and may perform.
struct Plan<'g> {
    graph: &'g Graph,
    need: &'g [u32],
    most: &'g [u32],
    goal: Option<&'g Goal<'g>>,
    /// By location and source: the needed events that read it.
    readers: FxHashMap<Source, SmallVec<[Id; 2]>>,
    /// By lock: the last needed event of each process that takes it.
    takers: FxHashMap<Location, SmallVec<[Id; 2]>>,
    /// By process: its place in an order that is the same wherever the program is explored.
    ranks: Vec<usize>,
}

impl<'g> Plan<'g> {
    fn new(
        graph: &'g Graph,
        need: &'g [u32],
        most: &'g [u32],
        goal: Option<&'g Goal<'g>>,
        run: &dyn Run,
        names: &ProcessNames,
    ) -> Plan<'g> {
        let mut readers: FxHashMap<Source, SmallVec<[Id; 2]>> = FxHashMap::default();
        let mut takers: FxHashMap<Location, SmallVec<[Id; 2]>> = FxHashMap::default();
        for (process, events) in graph.events.iter().enumerate() {
            let needed = events.iter().take(need[process] as usize);
            for (index, member) in needed.enumerate() {
                let id = Id { process: process as u32, index: index as u32 };
                for &source in &member.sources {
                    readers.entry(source).or_default().push(id);
                }
                for access in &member.footprint {
                    if access.mode == Mode::Acquire && run.is_lock(access.location) {
                        let takers = takers.entry(access.location).or_default();
                        takers.retain(|taker| taker.process != id.process);
                        takers.push(id);
                    }
                }
            }
        }
        let mut processes: Vec<Pid> = (0..graph.width() as u32).map(Pid).collect();
        names.sort(&mut processes);
        let mut ranks = vec![0; processes.len()];
        processes.iter().enumerate().for_each(|(rank, process)| ranks[process.index()] = rank);
        Plan { graph, need, most, goal, readers, takers, ranks }
    }

    /// Whether the event may be performed now, as far as the graph can tell.
    fn allows(&self, id: Id, counts: &[u32], holds: &dyn Fn(Location) -> Option<Id>) -> bool {
        let process = id.process as usize;
        if id.index >= self.most[process] {
            return false;
        }
        let done = |process: usize| counts.get(process).copied().unwrap_or(0);
        let row = self.graph.row(id);
        if (0..row.len()).any(|other| other != process && row[other] > done(other)) {
            return false;
        }
        let member = self.graph.member(id);
        if member.sources.iter().any(|&(location, source)| holds(location) != source) {
            return false;
        }
        for access in member.footprint.iter().filter(|access| leaves_value(access)) {
            let source = (access.location, holds(access.location));
            let pending =
                |reader: &Id| *reader != id && done(reader.process as usize) <= reader.index;
            if self.readers.get(&source).is_some_and(|readers| readers.iter().any(pending)) {
                return false;
            }
            if self.goal.is_some_and(|goal| goal.sources.contains(&source)) {
                return false;
            }
            // One that takes a lock for a moment frees it in the same step.
            let keeps = || {
                let events = &self.graph.events[process][id.index as usize..];
                let rest = &events[..(self.most[process] - id.index) as usize];
                let frees = |member: &Rc<Member>| {
                    let own = |other: &counterpoint_model::Access| {
                        other.location == access.location && other.mode == Mode::Release
                    };
                    member.footprint.iter().any(own)
                };
                !rest.iter().any(frees)
            };
            if access.mode == Mode::Acquire
                && let Some(takers) = self.takers.get(&access.location)
                && takers.iter().any(|taker| {
                    taker.process != id.process && done(taker.process as usize) <= taker.index
                })
                && keeps()
            {
                return false;
            }
        }
        true
    }
}
