//! Bounded interference: one execution for each way to pair reads with writes, few of them foreign.
//!
//! **Problem.** Many bugs need few values from other threads, whatever the number of switches that it
//! takes to deliver them. Razavi, Farzan and Holzer (2012) test executions in which at most k reads of
//! one thread take their values from another one, by turning two threads into one sequential program.
//! We want any number of threads, a bound on all reads together, every kind of synchronisation, and
//! exactly one execution for each class of executions that agree on what reads take their values from.
//!
//! **What counts.** An event with the operation read or update counts if it takes a value that another
//! process wrote, unless starts and joins alone order that write before it; one event counts once, however
//! many locations it looks at. Operations on other synchronisers (a semaphore, a queue, a try to take a
//! lock) tell classes apart, because threads can notice what they find, and do not count, as locks do not
//! in the paper: they are there to pass things on.
//!
//! **Idea.** Build graphs of events ([`graph`]) in one canonical order. The process with the lowest number
//! that can go on does. A read chooses among the writes that are in the graph, or is *postponed*: it will
//! take its value from a write that is not there yet, and its process stands still until a write to that
//! location is added and the read decides to take it. Who waits in vain was a wrong guess, and the graph is
//! abandoned. An execution's class says what every decision on the way has to be, so every class is built
//! once: nothing has to be remembered. What a process does next is found out by running it ([`stage`]): its
//! own past and that of its sources are enough, however many other events the graph has. Complete graphs
//! are run as a whole, so whatever is reported was really run.
//!
//! A process that could only go on with a foreign read when the budget is spent stands still, and the
//! others go on: such a graph is no execution within the bound, but failures in it are real and reported.
//!
//! *Who writes what.* A read is postponed only if another process that has not ended is known to write the
//! location in some execution. What is known grows ([`Lessons`]); if a write turns up that earlier reads did not reckon
//! with, the exploration begins again with what is known by then.
//!
//! *Whether there is more.* An execution with more than k foreign reads has a beginning with exactly k + 1.
//! So the search goes on with k + 1 until it has run one; if there is none, nothing was left out.
//!
//! *Waits that may end by themselves.* Whether a notification wakes somebody depends on who waits when it comes. Usually
//! that need not be said: who is never woken waits for ever. Where somebody waits for a while only, or may be interrupted,
//! waits and notifications of that condition take its value like reads, so that the graph says who was there, and the wake-up of one who waits for a while may
//! always be postponed, since who would write it cannot be known from executions in which it came too late.
//!
//! **Several workers** share the tree of each bound ([`share`]). Each learns for itself, and what all have learnt is added
//! up at the end of the tree, before it is decided whether to begin again.
//!
//! **Stopping and going on.** What is saved are the places of the present tree and what was learnt, as for several workers. A
//! decision is one of these places again if it was interrupted before its graph was counted. Where locations have no names
//! that others understand, or orders of events were given up, what comes next depends on this process, and all is done again.
//!
//! **Invariant.** Every class of complete executions with at most k foreign reads is run exactly once, with
//! every failure in them; failures in executions that end in a deadlock are found, too ([`decide`]). Deadlocks
//! that are met are reported, others are not promised: they depend on the order of locks, which no read sees.
//!
//! **Cost.** Each decision that costs nothing has one alternative unless starts and joins leave several
//! writes unordered or synchronisers are involved. So for fixed k and threads the number of graphs is a
//! polynomial in the number of reads and writes: at most (reads times writes)^k, times the steps of each.

mod decide;
mod graph;
mod share;
mod stage;

use std::ops::RangeInclusive;
use std::rc::Rc;

use counterpoint_model::{
    Access, Bound, Choice, Event, FindingKind, Location, Mode, Next, Op, Pid,
};

use self::decide::{Decision, apply};
use self::graph::{Graph, Id, Member, Standing};
use self::stage::{Goal, ScheduleSearch, Stage};
use crate::non_local::leaves_value;
use crate::optimal;
use crate::parameter::{Parameter, Takes};
use crate::portion::{Beginning, Lessons, Turn};
use crate::property::Ending;
use crate::search::{Assignment, Call, Exploration, Search};
use crate::turns;
use crate::unfolding::has_tasks;

/// Without a bound, bounds up to this one are tried one after another.
const HIGHEST: u32 = 3;

/// The most foreign reads.
pub const BOUND: Parameter = Parameter {
    name: "bound",
    about: "At most so many non-local reads; without it 0, 1, 2 and 3 one after another until \
            something fails",
    takes: Takes::Number { default: None, least: 0, most: 1_000 },
};

/// The process that may read what others wrote.
pub const VICTIM: Parameter = Parameter {
    name: "victim",
    about: "Only this thread may read what others wrote",
    takes: Takes::Process,
};

/// The bounds to explore, one after another until something fails.
pub(crate) fn levels(assignment: &Assignment<'_>) -> RangeInclusive<u32> {
    match assignment.parameters.number(&BOUND) {
        Some(bound) => {
            let bound = u32::try_from(bound).unwrap_or(u32::MAX - 1);
            bound..=bound
        }
        None => 0..=HIGHEST,
    }
}

/// Explores by bounds on foreign reads.
///
/// Tasks of active objects do not say what they read before they run, so they are left to `optimal`.
pub fn interference(mut assignment: Assignment<'_>) -> Exploration {
    if has_tasks(&mut assignment) {
        return optimal::instead(assignment);
    }
    let levels = levels(&assignment);
    let victim = assignment.parameters.process(&VICTIM, assignment.program);
    let (mut search, unit) = Search::new(assignment);
    search.repeat(&unit);
    search.overlooks_races();
    search.keeps_reads();
    let explorer = GraphExplorer {
        stage: Stage::new(search.program, search.interrupt()),
        search,
        bound: 0,
        floor: 0,
        victim,
        probing: false,
        lessons: Lessons::default(),
        tasks: Vec::new(),
        path: Vec::new(),
        beginnings: Vec::new(),
        interrupted: None,
        rebuilds: false,
        begun: false,
        divided: false,
        alone: false,
        ordered: false,
    };
    match (unit.portion, unit.suspended) {
        (Some(portion), _) => explorer.go_on_with(*portion),
        (None, Some(suspended)) => explorer.resume(levels, *suspended),
        (None, None) => explorer.explore(levels),
    }
}

/// A graph and what is decided about it next.
struct Task {
    graph: Rc<Graph>,
    decision: Decision,
    /// How many turns lead to the graph.
    depth: usize,
}

/// What came of the attempt to let a process go on.
enum Advance {
    /// Its next event is in the graph.
    Added,
    /// There are decisions to make first.
    Decide(Vec<Decision>),
    /// Not with what is in the graph so far.
    NotNow,
    /// Not in any execution that has the graph as a part.
    Never,
    /// The graph is no part of an execution.
    Contradiction,
}

struct GraphExplorer<'a> {
    search: Search<'a>,
    stage: Stage<'a>,
    /// The budget of foreign reads.
    bound: u32,
    /// Graphs with fewer foreign reads were reported before.
    floor: u32,
    victim: Option<Pid>,
    /// Whether all that is asked is whether there are executions beyond the bound.
    probing: bool,
    /// What is known: about the program, whether something has failed, and whether there are executions with as many
    /// foreign reads as the bound allows (suspected if there was a graph with so many, reached if it was run).
    lessons: Lessons,
    /// What is to be done in the present tree, shallowest first.
    tasks: Vec<Task>,
    /// The turns that lead to the present graph.
    path: Vec<Turn>,
    /// Where else to go on, shallowest first.
    beginnings: Vec<Beginning>,
    /// A place where it was interrupted before anything came of it.
    interrupted: Option<Beginning>,
    /// Whether a graph is built that somebody else has built before.
    rebuilds: bool,
    /// Whether the present tree is to be gone on with, and not all of it is to be done.
    begun: bool,
    /// Whether others have done a part of it, or earlier parts of the exploration.
    divided: bool,
    /// Whether nobody else is to do anything.
    alone: bool,
    /// Whether what is known has a meaning in this process only, or what it does depends on all that it has done before.
    ordered: bool,
}

impl<'a> GraphExplorer<'a> {
    fn explore(mut self, levels: RangeInclusive<u32>) -> Exploration {
        let finished = self.explore_levels(levels);
        let left = (!finished).then(|| self.rest());
        self.search.count_events(self.stage.performed);
        self.search.result(left)
    }

    /// Explores one bound after the other; whether nothing is left to do.
    fn explore_levels(&mut self, levels: RangeInclusive<u32>) -> bool {
        let first = *levels.start();
        'again: while !self.probing {
            if !self.begun {
                self.begin_again();
            }
            for bound in levels.clone() {
                if self.begun && bound < self.bound {
                    continue;
                }
                if !std::mem::take(&mut self.begun) {
                    self.bound = bound;
                    self.floor = if bound == first { 0 } else { bound };
                    self.lessons.suspected = bound == 0;
                    self.begin_tree();
                }
                if !self.take_up_all() {
                    return false;
                }
                if self.is_to_begin_again() {
                    self.search.restart();
                    continue 'again;
                }
                if !self.lessons.suspected {
                    return true;
                }
                if self.lessons.failed {
                    break;
                }
            }
            break;
        }
        self.probe()
    }

    /// Finds out whether there are executions beyond the bound; whether the search came to an end.
    fn probe(&mut self) -> bool {
        if !std::mem::replace(&mut self.probing, true) {
            self.bound += 1;
        }
        loop {
            if !std::mem::take(&mut self.begun) {
                self.begin_again();
                self.begin_tree();
            }
            let stopped = !self.take_up_all();
            if stopped && self.can_be_suspended() && !self.lessons.reached {
                return false;
            }
            if stopped || self.lessons.reached {
                self.search.hit(Bound::NonLocalReads(self.bound - 1));
                return true;
            }
            if !self.is_to_begin_again() {
                return true;
            }
        }
    }

    /// What has failed fails again, within its own bound.
    fn begin_again(&mut self) {
        self.lessons.begin_again();
    }

    /// Whether what was done would have been done otherwise with what is known by now.
    fn is_to_begin_again(&mut self) -> bool {
        let disordered = std::mem::take(&mut self.lessons.disordered);
        self.alone |= disordered;
        disordered || self.lessons.come_late()
    }

    /// All graphs within the present bound are to be explored.
    fn begin_tree(&mut self) {
        self.beginnings = vec![Beginning::new()];
    }

    /// The empty graph is to be extended.
    fn begin(&mut self) {
        let mut graph = Graph::default();
        self.stage.take_back(0);
        graph.widen(self.stage.run().processes() as usize);
        for process in 0..graph.width() as u32 {
            self.note_next(&mut graph, process);
        }
        self.path.clear();
        self.tasks.clear();
        self.tasks.push(Task { graph: Rc::new(graph), decision: Decision::Begin, depth: 0 });
    }

    /// Does what is to be done; false if it was stopped.
    fn work_off(&mut self) -> bool {
        let mut turns = 0u32;
        while let Some(task) = self.tasks.pop() {
            if self.probing && self.lessons.reached {
                self.tasks.clear();
                break;
            }
            let (open, runs) = (self.tasks.len(), self.search.statistics.runs());
            self.go_on(task);
            if let Some(why) = self.stage.gave_up.take() {
                self.search.hit(Bound::Solver(why));
            }
            if self.search.is_interrupted() {
                if self.search.statistics.runs() == runs {
                    self.tasks.truncate(open);
                    self.interrupted = Some(self.path.clone());
                }
                return false;
            }
            self.search.count_events(self.stage.performed);
            turns += 1;
            if turns.is_multiple_of(64) {
                self.search.is_out_of_time();
            }
            if self.search.stop && !self.tasks.is_empty() {
                return false;
            }
            match self.search.call() {
                Call::Divide if !self.alone && !self.tasks.is_empty() => {
                    if !self.divide() {
                        return false;
                    }
                }
                Call::Give(wanted) => self.give(wanted),
                Call::GoOn | Call::Divide => {}
            }
        }
        true
    }

    /// Carries a decision out and extends the graph.
    fn go_on(&mut self, task: Task) {
        let Task { graph, decision, depth } = task;
        let mut graph = Rc::unwrap_or_clone(graph);
        self.stage.keep_common(&graph);
        apply(&mut graph, decision);
        self.path.truncate(depth);
        self.path.extend(decision.turn());
        self.extend(graph);
    }

    /// Plans a decision about a graph.
    fn plan(&mut self, graph: &Rc<Graph>, decision: Decision) {
        let (graph, depth) = (Rc::clone(graph), self.path.len());
        self.tasks.push(Task { graph, decision, depth });
    }

    /// Lets processes go on until there is something to decide or nobody can.
    fn extend(&mut self, mut graph: Graph) {
        'events: loop {
            if let Some((process, write)) = graph.offers.pop() {
                let takes = Decision::Take { process, write };
                let mut taken = graph.clone();
                apply(&mut taken, takes);
                let possible = self.foresee(&taken, process).is_some();
                let graph = Rc::new(graph);
                self.plan(&graph, Decision::Decline);
                if possible {
                    self.plan(&graph, takes);
                }
                return;
            }
            if graph.len() >= self.search.limits.steps {
                return self.conclude(&graph, true);
            }
            for process in self.turns(&graph) {
                let standing = &graph.standings[process as usize];
                if standing.op.is_none() || standing.stopped || standing.postponed.is_some() {
                    continue;
                }
                match self.attempt(&mut graph, process) {
                    Advance::Added => continue 'events,
                    Advance::NotNow => {}
                    Advance::Contradiction => return self.give_up(),
                    Advance::Never if !graph.detoured => return self.give_up(),
                    Advance::Never => graph.standings[process as usize].stopped = true,
                    Advance::Decide(decisions) if decisions.is_empty() => {
                        graph.standings[process as usize].stopped = true;
                    }
                    Advance::Decide(decisions) => {
                        let halts = |decision: &Decision| matches!(decision, Decision::Halt { .. });
                        if decisions.iter().any(halts) {
                            graph.standings[process as usize].detour = false;
                        }
                        let graph = Rc::new(graph);
                        for decision in decisions.into_iter().rev() {
                            self.plan(&graph, decision);
                        }
                        return;
                    }
                }
            }
            return self.conclude(&graph, false);
        }
    }

    /// The processes in the order in which they may go on: by their names; in a long execution those first
    /// that have done least, so that nobody is starved.
    fn turns(&self, graph: &Graph) -> Vec<u32> {
        let mut processes = self.processes(graph);
        if turns::are_taken(graph.len(), &self.search.limits) {
            processes.sort_by_key(|&process| graph.count(process));
        }
        processes
    }

    /// The processes in an order that is the same wherever the program is explored.
    fn processes(&self, graph: &Graph) -> Vec<u32> {
        let mut processes: Vec<Pid> = (0..graph.width() as u32).map(Pid).collect();
        self.search.program.names().sort(&mut processes);
        processes.into_iter().map(|process| process.0).collect()
    }

    /// What a location is called wherever the program is explored.
    fn key(&mut self, location: Location) -> u64 {
        let key = self.search.program.location_key(location);
        self.alone |= key.is_none();
        self.ordered |= key.is_none();
        key.unwrap_or(location.0.into())
    }

    /// Lets a process perform its next event, or says what has to be decided about it.
    fn attempt(&mut self, graph: &mut Graph, process: u32) -> Advance {
        let standing = &graph.standings[process as usize];
        let op = standing.op.expect("only processes that have not ended go on");
        if standing.blocked_at == Some(graph.len()) {
            return Advance::NotNow;
        }
        if let Op::Read(location) | Op::Update(location) = op
            && !standing.sources.iter().any(|&(known, _)| known == location)
        {
            return Advance::Decide(self.options(graph, process, location, true));
        }
        if let Op::Join(other) = op
            && graph.standings.get(other.index()).is_some_and(|other| other.op.is_some())
        {
            // A join that can be interrupted goes on all the same: the run knows.
            let goal = Goal { process, sources: &standing.sources };
            if !self.stage.is_possible(graph, &goal) {
                return Advance::NotNow;
            }
        }
        let Some((planned, need)) = self.foresee(graph, process) else {
            return match standing.sources.is_empty() {
                true => Advance::Never,
                false => Advance::Contradiction,
            };
        };
        if !self.reach(graph, process, need) {
            graph.standings[process as usize].blocked_at = Some(graph.len());
            return Advance::NotNow;
        }
        let pid = Pid(process);
        let alternatives = self.stage.run().alternatives(pid);
        let free = match op {
            Op::Notify { condition, .. } => !self.is_timed(condition),
            _ => false,
        };
        let standing = &graph.standings[process as usize];
        if alternatives.count > 1 && !free && standing.alternative.is_none() {
            return Advance::Decide(self.alternatives(process, alternatives.count));
        }
        let alternative = standing.alternative.unwrap_or(alternatives.preferred);
        if alternative >= alternatives.count {
            // It was there only before it was decided what the event finds.
            return Advance::Contradiction;
        }
        let choice = Choice { process: pid, alternative };
        if alternatives.count > 1
            && alternative != alternatives.preferred
            && !self.stage.is_feasible(choice)
        {
            return Advance::Contradiction;
        }
        self.stage.perform(choice, None);
        if self.search.is_interrupted() {
            return Advance::Contradiction;
        }
        let event = self.stage.last_event().clone();
        for access in event.footprint.iter().filter(|access| access.mode == Mode::Await) {
            let key = self.key(access.location);
            self.lessons.cells.insert(key);
        }
        let undecided = event.footprint.iter().find(|access| {
            self.takes_value(&event, access)
                && !standing.sources.iter().any(|&(known, _)| known == access.location)
        });
        if let Some(access) = undecided {
            let counts = matches!(op, Op::Read(_) | Op::Update(_));
            let location = access.location;
            self.stage.take_back_one();
            return Advance::Decide(self.options(graph, process, location, counts));
        }
        self.add(graph, planned, process, event)
    }

    /// Whether an access takes part of what the event finds, so that its source matters.
    fn takes_value(&mut self, event: &Event, access: &Access) -> bool {
        let location = access.location;
        let takes = match (access.mode, event.op) {
            (Mode::Await, _) => false,
            (Mode::Read, _) => true,
            (Mode::Write, Op::Read(own) | Op::Update(own)) => own == location,
            (Mode::Write, Op::Wait { condition, .. } | Op::Notify { condition, .. })
                if condition == location =>
            {
                self.is_timed(condition)
            }
            (Mode::Write, Op::Wait { .. }) => true,
            (Mode::Write, Op::Join(_) | Op::Resume { .. }) => true,
            (_, Op::Synchronise(_)) => true,
            (Mode::Acquire, Op::Acquire(_)) => !self.stage.run().is_lock(location),
            _ => false,
        };
        if !takes || matches!(event.op, Op::Read(own) if own == location) {
            return takes;
        }
        // Who was interrupted while it waits for an end finds that it has come or that it has not. Whether a thread
        // in a wait set was woken, the condition says.
        if access.mode == Mode::Read && !matches!(event.op, Op::Resume { .. }) {
            return true;
        }
        let key = self.key(location);
        if self.lessons.cells.contains(&key) {
            return false;
        }
        self.lessons.valued.insert(key);
        true
    }

    /// Whether who waits for a condition may go on without having been notified. Then it matters who waits when somebody
    /// is notified; otherwise it matters only that somebody was.
    fn is_timed(&mut self, condition: Location) -> bool {
        let key = self.key(condition);
        let timed = self.lessons.timed.contains(&key);
        if !timed {
            self.lessons.untimed.insert(key);
        }
        timed
    }

    /// Adds the event that the stage has just performed.
    fn add(
        &mut self,
        graph: &mut Graph,
        planned: Option<Graph>,
        process: u32,
        event: Event,
    ) -> Advance {
        let standing = std::mem::take(&mut graph.standings[process as usize]);
        let foreign = standing.counted
            && standing.sources.iter().any(|&(_, source)| {
                source.is_some_and(|source| {
                    source.process != process
                        && standing.ordered[source.process as usize] <= source.index
                })
            });
        let joined = match event.op {
            // One that was interrupted may have gone on before the end.
            Op::Join(other)
                if graph.count(other.0) > 0 && self.stage.run().next(other) == Next::Done =>
            {
                Some(Id { process: other.0, index: graph.count(other.0) - 1 })
            }
            _ => None,
        };
        let member = Member {
            op: event.op,
            footprint: event.footprint.clone(),
            sources: standing.sources.clone(),
            alternative: standing.alternative,
            joined,
        };
        let id = match planned {
            Some(planned) => {
                *graph = planned;
                graph.standings[process as usize] = standing;
                graph.settle(process, member)
            }
            None => {
                graph.standings[process as usize] = standing;
                graph.push(process, member)
            }
        };
        self.stage.name_last(&Rc::clone(graph.member(id)));
        if let Op::Join(other) = event.op
            && self.stage.run().next(other) == Next::Done
        {
            graph.join_process(process, other.0);
        }
        let standing = &mut graph.standings[process as usize];
        standing.sources.clear();
        standing.alternative = None;
        standing.counted = false;
        standing.hopeful = false;
        standing.blocked_at = None;
        let processes = self.stage.run().processes() as usize;
        graph.widen(processes);
        if let Op::Start(child) = event.op {
            graph.start(child, id);
            self.note_next(graph, child.0);
        }
        self.note_locks(graph, process, &event);
        self.note_next(graph, process);
        self.note_kept(graph, process);
        if foreign {
            graph.foreign += 1;
            graph.beyond |= self.victim.is_some_and(|victim| victim.0 != process);
            if graph.foreign == self.bound || graph.beyond {
                self.note_reached(graph);
            }
        }
        for access in event.footprint.iter().filter(|access| leaves_value(access)) {
            self.note_write(access.location, process);
            for waiting in self.processes(graph).into_iter().rev() {
                let postponed = graph.standings[waiting as usize].postponed;
                // One that takes and frees a lock leaves one value there.
                let offered = graph.offers.contains(&(waiting, id));
                if waiting != process && postponed == Some(access.location) && !offered {
                    graph.offers.push((waiting, id));
                }
            }
        }
        if let Some(fault) = &event.fault
            && !self.probing
            && !self.rebuilds
            && graph.foreign >= self.floor
        {
            if self.search.is_interrupted() {
                return Advance::Contradiction;
            }
            if fault.kind == FindingKind::Unsupported {
                self.search.met_unsupported(fault);
            } else {
                self.lessons.failed = true;
            }
            let trace = self.stage.trace();
            self.search.witnessed(&*self.stage.run(), &trace, Ending::Cut);
        }
        Advance::Added
    }

    /// Notes that a graph has as many foreign reads as the bound allows, and whether some execution has
    /// it as its beginning.
    fn note_reached(&mut self, graph: &Graph) {
        self.lessons.suspected = true;
        if self.probing && !self.lessons.reached {
            let all = graph.counts();
            self.lessons.reached =
                self.stage.schedule(graph, &all, &all, None) == ScheduleSearch::Found;
        }
    }

    /// Notes that a process writes a location.
    fn note_write(&mut self, location: Location, process: u32) {
        let key = self.key(location);
        self.lessons.note_write(key, Pid(process));
    }

    /// Notes what a process would do next. What it may wait for it writes in some execution, though perhaps in none
    /// that is met before that is known: others may keep it waiting for ever.
    fn note_next(&mut self, graph: &mut Graph, process: u32) {
        let run = self.stage.run();
        let standing = &mut graph.standings[process as usize];
        standing.op = match run.next(Pid(process)) {
            Next::Ready(op) | Next::Blocked(op) => Some(op),
            Next::Done => None,
        };
        standing.guarded = standing.op.is_some() && run.guarded(Pid(process));
        let may_leave = standing.op.is_some() && run.may_leave(Pid(process));
        if may_leave && let Some(condition) = graph.waits_for(process) {
            let key = self.key(condition);
            self.lessons.timed.insert(key);
        }
        let standing = &graph.standings[process as usize];
        let run = self.stage.run();
        if let Some(Op::Acquire(_) | Op::Resume { .. } | Op::Synchronise(_)) = standing.op {
            let footprint = run.anticipate(Pid(process));
            for access in footprint.iter().filter(|access| leaves_value(access)) {
                self.note_write(access.location, process);
            }
        }
    }

    /// Brings the stage to where the next event of a process is possible.
    fn reach(&mut self, graph: &Graph, process: u32, need: Vec<u32>) -> bool {
        let standing = &graph.standings[process as usize];
        let goal = Goal { process, sources: &standing.sources };
        if self.stage.is_possible(graph, &goal) {
            return true;
        }
        if self.stage.schedule(graph, &need, &need, Some(&goal)) == ScheduleSearch::Found {
            return true;
        }
        let all = graph.counts();
        if need == all {
            return false;
        }
        match self.stage.schedule(graph, &need, &all, Some(&goal)) {
            ScheduleSearch::Found => true,
            ScheduleSearch::Impossible => false,
            ScheduleSearch::GivenUp => {
                self.note_given_up();
                false
            }
        }
    }

    fn note_given_up(&mut self) {
        let what = "too many ways to order the events of an execution";
        self.search.hit(Bound::Unordered(what.to_string()));
        // Whether that happens depends on what was run before.
        self.lessons.disordered |= self.divided;
        self.alone = true;
        self.ordered = true;
    }

    /// Nobody can go on, or the graph is too long: runs it as a whole.
    fn conclude(&mut self, graph: &Graph, long: bool) {
        if self.rebuilds || self.search.is_interrupted() {
            return;
        }
        // A lock that was held when the read was added may be free by now.
        if self.probing && (graph.foreign == self.bound || graph.beyond) {
            self.note_reached(graph);
        }
        // A read that waits for a value that never comes waits whatever was decided about it: it is the
        // end of an execution once, with the decisions that come first.
        let unfinished = |standing: &Standing| {
            standing.postponed.is_some() || standing.stopped || standing.hopeful
        };
        if !long && graph.standings.iter().any(unfinished) {
            return self.give_up();
        }
        if self.probing || graph.foreign < self.floor {
            return;
        }
        match self.stage.schedule_whole(graph) {
            ScheduleSearch::Found => {}
            ScheduleSearch::Impossible => return self.give_up(),
            ScheduleSearch::GivenUp => {
                self.note_given_up();
                return self.give_up();
            }
        }
        let run = self.stage.run();
        let ending = match (long, run.first_ready(None)) {
            (true, Some(_)) => Ending::Cut,
            (_, None) => run.end().into(),
            (false, Some(_)) => return self.give_up(),
        };
        if self.search.is_interrupted() {
            return;
        }
        self.lessons.failed |= ending == Ending::Deadlock;
        let mut trace = self.stage.trace();
        self.search.finished(&*self.stage.run(), &mut trace, ending);
    }

    fn give_up(&mut self) {
        if !self.probing && !self.rebuilds && !self.search.is_interrupted() {
            let trace = self.stage.trace();
            self.search.abandoned(&trace);
        }
    }
}
