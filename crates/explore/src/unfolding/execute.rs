//! Test executions: leading the program to an extension and running on.
//!
//! **Problem.** To cover an extension, the program must take the branches and the order of steps that
//! its causal past prescribes, and the inputs must allow it (the path constraint of the past).
//!
//! **Idea.** The events of the causal past, in an order in which they can happen, are the schedule
//! (chapters 3.5 and 5.5). The run itself carries the path condition: at each branch on an unknown it
//! says whether the side that the past takes is still feasible, so that following the schedule solves
//! the path constraint as it goes, and example 12's extension is found infeasible at its second
//! branch. A run that can go back is taken back only to where the schedule leaves the last one.
//!
//! From the extension on, the execution goes where it is new: a process whose next event is not
//! covered yet goes first, and of two sides of a branch the one not covered. So an execution covers
//! all the extensions it can meet.
//!
//! **Order.** With seed 0 the newest extension is taken first, which keeps schedules close to each
//! other; any other seed draws the next extension at random.
//!
//! **Cost.** Per execution the steps of the schedule that differ from the last one and the steps
//! after the target.

use std::time::Instant;

use counterpoint_model::{
    Access, Bound, Choice, Footprint, Interrupt, Location, Mark, Next, Op, Pid, Run,
};

use super::Unfolding;
use super::coarsen::child_cell;
use super::deadlock::{Deadlocks, KnownDeadlocks};
use super::net::{EventId, EventStatus, Net};
use super::operation::{alternatives, finds_alternatives};
use super::reach::Notes;
use crate::optimal;
use crate::parameter::{Parameter, Takes};
use crate::property::Ending;
use crate::rehearsal::take_back;
use crate::sample::Random;
use crate::search::{Assignment, Exploration, Search};
use crate::trace::Trace;
use crate::turns;
use crate::work::WorkUnit;

/// How many of the newest extensions an execution tries to reach on its way, at least and at most:
/// the number follows success.
const PATIENCE: (usize, usize) = (3, 64);

/// After so many targets the unfinished net is searched for deadlocks for the first time.
pub(super) const FIRST_GLANCE: u64 = 16;

/// And again after so many times as many: each time the tables of the search are made anew.
const GLANCE_AGAIN: u64 = 4;

/// Of so many events in the net, such a search makes one decision.
const EVENTS_PER_DECISION: u64 = 8;

/// And so many at least and at most.
const DECISIONS: (u64, u64) = (1_000, 100_000);

/// After how many moves of one execution to look at the clock.
pub(super) const CLOCK: usize = 128;

/// In which order extensions are covered.
pub const SEED: Parameter = Parameter {
    name: "seed",
    about: "Seed of the order in which extensions are covered; 0 for the newest first",
    takes: Takes::Number { default: Some(0), least: 0, most: u64::MAX },
};

/// Explores by the regular unfolding.
pub fn unfolding(assignment: Assignment<'_>) -> Exploration {
    explore(assignment, false)
}

/// Explores by the contextual unfolding.
pub fn contextual(assignment: Assignment<'_>) -> Exploration {
    explore(assignment, true)
}

fn explore(mut assignment: Assignment<'_>, contextual: bool) -> Exploration {
    if has_tasks(&mut assignment) {
        return optimal::instead(assignment);
    }
    unfold(assignment, contextual).0
}

/// Explores a program without tasks, and gives the net as well.
pub(super) fn unfold(assignment: Assignment<'_>, contextual: bool) -> (Exploration, Unfolding) {
    let mut unfolder = Unfolder::new(assignment, contextual);
    unfolder.next_glance = FIRST_GLANCE;
    unfolder.begin();
    loop {
        unfolder.work_off();
        if !unfolder.search.stop {
            unfolder.find_deadlocks();
        }
        if unfolder.search.stop || !unfolder.restart() {
            break;
        }
    }
    let open = unfolder.next_target().is_some() || !unfolder.searched;
    let left = unfolder.remainder(open);
    (unfolder.search.result(left), unfolder.unfolding)
}

/// Whether the program is one of active objects. To start it can take long, which is part of the time that there is.
pub(crate) fn has_tasks(assignment: &mut Assignment<'_>) -> bool {
    let Assignment { program, limits, .. } = assignment;
    let began = Instant::now();
    let deadline = limits.time.and_then(|time| began.checked_add(time));
    program.heed(&limits.interrupt.until(deadline));
    let run = program.start(&[]);
    let found = (0..run.processes()).any(|pid| {
        matches!(run.next(Pid(pid)), Next::Ready(Op::Task(_)) | Next::Blocked(Op::Task(_)))
    });
    program.heed(&Interrupt::never());
    limits.time = limits.time.map(|time| time.saturating_sub(began.elapsed()));
    found
}

/// How a run in which nobody can move has ended.
pub(super) fn ending(run: &dyn Run) -> Ending {
    run.end().into()
}

/// The exploration in progress.
pub(super) struct Unfolder<'a> {
    pub(super) search: Search<'a>,
    pub(super) unfolding: Unfolding,
    pub(super) run: Box<dyn Run + 'a>,
    rewinds: bool,
    /// The events of the present execution.
    path: Vec<EventId>,
    /// Per event of the path, the point before it.
    marks: Vec<Mark>,
    pub(super) trace: Trace,
    random: Option<Random>,
    /// The process that moved last.
    pub(super) last: Pid,
    patience: usize,
    /// Whether all deadlocks have been looked for.
    pub(super) searched: bool,
    /// The deadlocks that were found in the net.
    told: KnownDeadlocks,
    /// How many targets were followed, and after how many the unfinished net is searched for deadlocks.
    followed: u64,
    pub(super) next_glance: u64,
    /// Values and positions, where somebody asks for them.
    pub(super) watching: bool,
    pub(super) notes: Notes,
}

/// Whether a target was reached.
#[derive(PartialEq, Eq)]
pub(super) enum Led {
    There,
    Nowhere,
}

impl<'a> Unfolder<'a> {
    pub(super) fn new(assignment: Assignment<'a>, contextual: bool) -> Unfolder<'a> {
        let seed = assignment.parameters.number(&SEED).unwrap_or_default();
        let (mut search, unit) = Search::new(assignment);
        let run = search.program.start(&[]);
        search.repeat(&unit);
        Unfolder {
            search,
            unfolding: Unfolding::new(Net::new(contextual)),
            rewinds: run.rewinds(),
            run,
            path: Vec::new(),
            marks: Vec::new(),
            trace: Trace::new(),
            random: (seed != 0).then(|| Random::new(seed, 0)),
            last: Pid::MAIN,
            patience: PATIENCE.1,
            searched: false,
            told: KnownDeadlocks::default(),
            followed: 0,
            next_glance: u64::MAX,
            watching: false,
            notes: Notes::default(),
        }
    }

    /// Looks for deadlocks that no execution has met, and shows each by an execution.
    pub(super) fn find_deadlocks(&mut self) {
        self.searched = self.find_deadlocks_within(u64::MAX);
    }

    /// Looks for deadlocks in the net as it is now, for a time that is short beside that of building it, if the net
    /// has had several times as many targets as the last time.
    pub(super) fn glance_if_due(&mut self, targets: u64) {
        if targets < self.next_glance || self.search.stop {
            return;
        }
        self.next_glance = GLANCE_AGAIN * targets;
        let last = self.last;
        let decisions = self.unfolding.net.events.len() as u64 / EVENTS_PER_DECISION;
        self.find_deadlocks_within(decisions.clamp(DECISIONS.0, DECISIONS.1));
        self.last = last;
    }

    /// The same within so many decisions. Says whether these were enough.
    fn find_deadlocks_within(&mut self, decisions: u64) -> bool {
        let known = std::mem::take(&mut self.told);
        let mut deadlocks = Deadlocks::beyond(known, &self.unfolding.net, decisions);
        let mut schedule = Vec::new();
        while let Some(cut) = deadlocks.next(&mut self.unfolding, &mut self.search) {
            let ordered = self.unfolding.net.linearise(&cut, &mut self.unfolding.scratch);
            let Some(ordered) = ordered else { continue };
            schedule.clear();
            schedule.extend_from_slice(ordered);
            if self.follow(&schedule) == Led::Nowhere {
                deadlocks.refute();
                continue;
            }
            let ready = |pid| self.run.next(Pid(pid)).is_ready();
            let dead = !(0..self.run.processes()).any(ready);
            let ending = ending(&*self.run);
            if dead && ending != Ending::Cut {
                deadlocks.confirm();
                self.search.witnessed(&*self.run, &self.trace, ending);
            } else {
                // Others with the same waits may be dead, and for no other reason than the program's.
                deadlocks.refute();
            }
        }
        let done = deadlocks.is_done();
        self.told = deadlocks.into_known();
        done
    }

    /// The initial marking and what is possible in it.
    pub(super) fn begin(&mut self) {
        let place = self.unfolding.net.process_place(Pid::MAIN);
        let root = self.unfolding.net.root(place);
        self.unfolding.stand(&*self.run, Pid::MAIN, root);
        self.unfolding.extend_thread(root);
    }

    /// Begins the net again if it was found to tell too much apart. Says whether it did.
    pub(super) fn restart(&mut self) -> bool {
        if !self.restart_empty() {
            return false;
        }
        self.begin();
        true
    }

    /// An empty net in place of one that was found to tell too much apart, if it was.
    pub(super) fn restart_empty(&mut self) -> bool {
        let old = &mut self.unfolding.net;
        if !old.coarsening.has_grown() {
            return false;
        }
        let mut net = Net::new(old.contextual);
        net.captures = old.captures;
        net.coarsening = std::mem::take(&mut old.coarsening).for_a_new_net();
        self.unfolding = Unfolding::new(net);
        self.go_back(0);
        self.searched = false;
        self.told.clear();
        self.followed = 0;
        if self.next_glance < u64::MAX {
            self.next_glance = FIRST_GLANCE;
        }
        self.search.restart();
        if self.watching {
            let locations = std::mem::take(&mut self.notes.locations);
            self.watch(&locations);
        }
        true
    }

    /// What a stopped exploration leaves, given whether its net has more to show: a net that was found
    /// to tell too much apart has, whatever it seems.
    pub(super) fn remainder(&self, open: bool) -> Option<WorkUnit> {
        let left = self.search.stop && (open || self.unfolding.net.coarsening.has_grown());
        left.then(|| self.search.remainder())
    }

    pub(super) fn work_off(&mut self) {
        if self.unfolding.extensions.is_empty() {
            self.run_on();
        }
        while !self.search.stop {
            self.restart();
            let Some(target) = self.next_target() else { return };
            let target = self.prefer_reads(target);
            if self.lead(target) == Led::There {
                self.run_on();
            } else {
                self.search.abandoned(&self.trace);
            }
            self.followed += 1;
            self.glance_if_due(self.followed);
        }
    }

    /// The next extension that is not covered yet.
    fn next_target(&mut self) -> Option<EventId> {
        loop {
            let extensions = &mut self.unfolding.extensions;
            let target = match &mut self.random {
                Some(random) if !extensions.is_empty() => {
                    extensions.swap_remove(random.below(extensions.len() as u64) as usize)
                }
                _ => extensions.pop()?,
            };
            if self.unfolding.is_open(target) {
                return Some(target);
            }
        }
    }

    /// In a contextual net: a read of something that the target's past takes, if both fit into one
    /// execution. It must come first, and the target is reached by a detour afterwards.
    fn prefer_reads(&mut self, target: EventId) -> EventId {
        if !self.unfolding.net.contextual || !self.unfolding.net.has_lookers {
            return target;
        }
        self.unfolding.gather_past(target);
        let past = self.unfolding.cut.clone();
        let extensions = &self.unfolding.extensions;
        let recent = extensions.len().saturating_sub(self.patience)..extensions.len();
        for index in recent.rev() {
            let other = self.unfolding.extensions[index];
            if self.unfolding.is_open(other) && self.unfolding.reads_before(other, target, &past) {
                self.unfolding.extensions.remove(index);
                self.unfolding.extensions.push(target);
                return other;
            }
        }
        target
    }

    /// Leads the run to an extension and performs it.
    fn lead(&mut self, target: EventId) -> Led {
        let mut schedule = std::mem::take(&mut self.unfolding.schedule);
        let ordered = self.unfolding.schedule_to(target, &self.path, &mut schedule);
        debug_assert!(ordered, "only extensions on concurrent conditions are proposed");
        let mut led = if ordered { Led::There } else { Led::Nowhere };
        if led == Led::There && self.search.limits.depth.is_some_and(|d| schedule.len() >= d) {
            self.search.hit(Bound::Depth);
            led = Led::Nowhere;
        }
        if led == Led::There && schedule.len() >= self.search.limits.steps {
            self.search.hit(Bound::Steps);
            led = Led::Nowhere;
        }
        if led == Led::There {
            led = self.follow(&schedule);
        }
        self.unfolding.schedule = schedule;
        if led == Led::There {
            led = self.reach(target);
        }
        let status = &mut self.unfolding.net.events[target.index()].status;
        if led == Led::Nowhere && *status == EventStatus::Extension {
            *status = EventStatus::Dropped;
        }
        led
    }

    /// Takes the run along covered events.
    pub(super) fn follow(&mut self, schedule: &[EventId]) -> Led {
        let shared = self.path.iter().zip(schedule).take_while(|(a, b)| a == b).count();
        self.go_back(shared);
        self.unfolding.marking.go_to(&self.unfolding.net, &self.path);
        self.walk(&schedule[shared..])
    }

    /// Performs covered events from the present marking on.
    fn walk(&mut self, schedule: &[EventId]) -> Led {
        for &event in schedule {
            let known = self.unfolding.net.event(event);
            let choice = Choice { process: known.process, alternative: known.alternative };
            let branches = self.unfolding.net.station(known.before).op == Some(Op::Branch);
            if branches && !self.is_feasible(choice) {
                return Led::Nowhere;
            }
            if !self.run.next(choice.process).is_ready() {
                self.unforeseen(event);
                return Led::Nowhere;
            }
            self.step(choice);
            self.path.push(event);
            self.unfolding.marking.fire(&self.unfolding.net, event);
        }
        Led::There
    }

    /// Performs the target at the end of its schedule, if the inputs and its guard allow it.
    fn reach(&mut self, target: EventId) -> Led {
        let event = self.unfolding.net.event(target);
        let choice = Choice { process: event.process, alternative: event.alternative };
        let before = event.before;
        if !self.run.next(choice.process).is_ready() {
            if !self.unfolding.is_guarded(before) {
                // The net did not foresee what this operation depends on.
                self.unforeseen(target);
            }
            self.unfolding.net.block(target);
            return Led::Nowhere;
        }
        let branches = self.unfolding.net.station(before).op == Some(Op::Branch);
        if branches && !self.is_feasible(choice) {
            return Led::Nowhere;
        }
        self.take(target, choice);
        Led::There
    }

    /// Runs on from the present marking until nobody can move, or until there is no time: then the
    /// execution is not counted, and to resume is to do it again.
    fn run_on(&mut self) {
        let mut moves: usize = 0;
        let ending = loop {
            moves += 1;
            if moves.is_multiple_of(CLOCK) && self.search.is_out_of_time() {
                return;
            }
            let picked = self.pick();
            let new = |(event, _)| self.unfolding.net.event(event).status != EventStatus::Covered;
            if picked.is_some_and(|p| !new(p)) && self.detour() {
                continue;
            }
            let Some((event, choice)) = picked else {
                break ending(&*self.run);
            };
            if self.trace.len() >= self.search.limits.steps {
                break Ending::Cut;
            }
            self.take(event, choice);
        };
        self.search.count_events(u64::from(self.unfolding.net.covered));
        self.search.finished(&*self.run, &mut self.trace, ending);
    }

    /// Leads the execution on to some extension that it can still reach, if one is found quickly.
    /// Says whether the execution moved, though a branch on the way may have turned out infeasible.
    fn detour(&mut self) -> bool {
        let from = self.trace.len();
        let mut index = self.unfolding.extensions.len();
        let mut left = self.patience;
        while index > 0 && left > 0 {
            index -= 1;
            let target = self.unfolding.extensions[index];
            if !self.unfolding.is_open(target) {
                self.unfolding.extensions.remove(index);
                continue;
            }
            left -= 1;
            if !self.unfolding.is_within_reach(target) {
                continue;
            }
            let mut schedule = std::mem::take(&mut self.unfolding.schedule);
            let ordered = self.unfolding.schedule_from_here(target, &mut schedule);
            let room = self.trace.len() + schedule.len() < self.search.limits.steps;
            let mut led = if ordered && room { Led::There } else { Led::Nowhere };
            if led == Led::There {
                led = self.walk(&schedule);
            }
            self.unfolding.schedule = schedule;
            if led == Led::There && self.reach(target) == Led::There {
                self.patience = (self.patience * 2).min(PATIENCE.1);
                return true;
            }
            if self.trace.len() > from {
                return true;
            }
        }
        self.patience = (self.patience - self.patience / 4).max(PATIENCE.0);
        false
    }

    /// A step that covers something new if there is one, else any.
    fn pick(&mut self) -> Option<(EventId, Choice)> {
        let mut any = None;
        let processes = self.run.processes();
        let first = self.last.0 + self.turn();
        for offset in 0..processes {
            let process = Pid((first + offset) % processes);
            if !self.run.next(process).is_ready() {
                self.note_blocked(process);
                continue;
            }
            let (event, choice) = self.newest_alternative(process);
            if self.unfolding.net.event(event).status != EventStatus::Covered {
                return Some((event, choice));
            }
            any = any.or(Some((event, choice)));
        }
        any
    }

    /// 1 if the execution is so long that the processes take turns, in the order of their numbers, or
    /// else 0.
    pub(super) fn turn(&self) -> u32 {
        u32::from(turns::are_taken(self.trace.len(), &self.search.limits))
    }

    /// The next step of a ready process, by an alternative that is not covered if one is feasible.
    fn newest_alternative(&mut self, process: Pid) -> (EventId, Choice) {
        let op = self.unfolding.net.station(self.unfolding.thread(process)).op;
        if !op.is_some_and(|op| op.decides() || finds_alternatives(op)) {
            return (self.unfolding.event_of(process, 0), Choice::of(process));
        }
        let alternatives = self.run.alternatives(process);
        let preferred = Choice { process, alternative: alternatives.preferred };
        let first = self.unfolding.event_of(process, preferred.alternative);
        if self.unfolding.net.event(first).status != EventStatus::Covered {
            return (first, preferred);
        }
        for alternative in (0..alternatives.count).filter(|&a| a != preferred.alternative) {
            let event = self.unfolding.event_of(process, alternative);
            let choice = Choice { process, alternative };
            let open = self.unfolding.net.event(event).status == EventStatus::Extension;
            if open && (op != Some(Op::Branch) || self.is_feasible(choice)) {
                return (event, choice);
            }
        }
        (first, preferred)
    }

    /// Remembers that a guarded operation is not possible on the conditions of this marking.
    fn note_blocked(&mut self, process: Pid) {
        if !self.unfolding.net.place_of(process).is_some() {
            return;
        }
        let thread = self.unfolding.thread(process);
        let stands = self.unfolding.net.condition(thread).station != u32::MAX;
        if stands && self.unfolding.is_guarded(thread) {
            let event = self.unfolding.event_of(process, 0);
            if self.unfolding.net.event(event).status == EventStatus::Extension {
                self.unfolding.net.block(event);
            }
        }
    }

    /// Performs an event, covering it if it is new.
    fn take(&mut self, event: EventId, choice: Choice) {
        let before = self.unfolding.net.event(event).before;
        let op = self.unfolding.net.station(before).op;
        let covered = self.unfolding.net.event(event).status == EventStatus::Covered;
        if covered {
            self.step(choice);
            self.unfolding.marking.fire(&self.unfolding.net, event);
            self.path.push(event);
            return;
        }
        let foreseen = match op {
            Some(Op::Start(_)) => self.settled(&child_cell(&self.run.anticipate(choice.process))),
            _ => Footprint::new(),
        };
        let count = match op {
            Some(op) if finds_alternatives(op) => self.run.alternatives(choice.process).count,
            _ => 1,
        };
        self.step(choice);
        if count > op.map_or(1, alternatives) {
            self.unfolding.propose_siblings(event, count);
        }
        let Unfolder { unfolding, run, trace, .. } = self;
        let taken: &[Access] = trace.events().last().map_or(&[], |last| &last.footprint);
        let coarsening = &mut unfolding.net.coarsening;
        let settled;
        let footprint = if coarsening.leaves_as_it_is(&**run, taken) {
            taken
        } else {
            settled = coarsening.settled_step(&**run, choice.process, taken);
            &settled[..]
        };
        coarsening.meet_takes(choice.process, footprint);
        let event = unfolding.cover(&**run, event, footprint, &foreseen);
        self.path.push(event);
        self.mind_order(event);
        if self.watching {
            self.note(event);
        }
    }

    /// An operation is held up by what the net knows nothing of. If the net cannot learn from that, what
    /// follows it is not explored, and the verdict says so.
    fn unforeseen(&mut self, event: EventId) {
        if !self.unfolding.net.learn_of_trial(event) {
            let process = self.unfolding.net.event(event).process;
            let name = self.search.program.process_name(process);
            self.search.hit(Bound::Unordered(format!("a step of {name} that others hold up")));
        }
    }

    /// What the last step touched, as the net takes it.
    pub(super) fn last_footprint(&mut self) -> Footprint {
        let Some(last) = self.trace.events().last() else { return Footprint::new() };
        let (process, coarsening) = (last.process(), &mut self.unfolding.net.coarsening);
        let footprint = coarsening.settled_step(&*self.run, process, &last.footprint);
        coarsening.meet_takes(process, &footprint);
        footprint
    }

    /// A footprint as the net takes it.
    pub(super) fn settled(&self, footprint: &[Access]) -> Footprint {
        self.unfolding.net.coarsening.settled(&*self.run, footprint)
    }

    /// Notices if the order of a new event and others cannot be told apart.
    pub(super) fn mind_order(&mut self, event: EventId) {
        let net = &self.unfolding.net;
        let Some((condition, without_wanting)) = net.unordered(event) else { return };
        let Some(location) = net.location_of(net.condition(condition).place) else { return };
        let without_wanting = net.event(without_wanting);
        let wanted = net.first_want(net.station(without_wanting.before));
        let without_wanting = (without_wanting.process, wanted);
        self.learn(location, without_wanting);
    }

    /// Learns that a step of a process, which wants something else, depends on a location that it does
    /// not want, or says so.
    pub(super) fn learn(&mut self, location: Location, without_wanting: (Pid, Option<Location>)) {
        if !self.unfolding.net.learn(location, without_wanting, &self.notes.locations) {
            let name = self.search.program.location_name(location);
            self.search.hit(Bound::Unordered(name));
        }
    }

    pub(super) fn step(&mut self, choice: Choice) {
        self.marks.push(self.run.mark());
        self.run.step_into(choice, self.trace.spare());
        self.trace.add_spare_plain();
        self.last = choice.process;
    }

    /// Takes the run back to the first so many events of its path.
    fn go_back(&mut self, length: usize) {
        if length < self.path.len() || length < self.trace.len() {
            let mark = self.rewinds.then_some(self.marks[length]);
            let path = self.trace.events()[..length].iter().map(|event| event.choice);
            take_back(&mut self.run, self.search.program, mark, path);
        }
        self.trace.cut(length);
        self.marks.truncate(length);
        self.path.truncate(length);
    }

    /// Takes the run along choices, without regard to the net; false if one cannot be taken.
    pub(super) fn lead_along(&mut self, choices: &[Choice]) -> bool {
        let taken = self.trace.events().iter().map(|event| event.choice);
        let shared = taken.zip(choices).take_while(|(a, b)| a == *b).count();
        self.path.clear();
        self.go_back(shared);
        choices[shared..].iter().all(|&choice| {
            let branches = self.run.next(choice.process) == Next::Ready(Op::Branch);
            let possible =
                self.run.next(choice.process).is_ready() && (!branches || self.is_feasible(choice));
            if possible {
                self.step(choice);
            }
            possible
        })
    }

    /// Whether the inputs allow this side of a branch. What the solver cannot say is a bound.
    pub(super) fn is_feasible(&mut self, choice: Choice) -> bool {
        self.search.is_feasible(&mut *self.run, choice)
    }
}
