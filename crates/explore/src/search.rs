//! What every explorer does besides choosing: count, check properties, keep findings, mind limits.

mod clock;
mod repetition;
mod result;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use counterpoint_model::{
    Bound, Choice, Fault, Feasible, Finding, FindingKind, Interrupt, Pid, Program, Run, Site,
};
use rustc_hash::FxHashMap;

use self::clock::Clock;
use self::repetition::Repetition;
pub use self::result::{Cut, DataRaces, Exploration, Found, NotedRace, Statistics, ThreadsSeen};
use crate::evidence;
use crate::limits::Limits;
use crate::minimise::Shortening;
use crate::parameter::ParameterValues;
use crate::portion::{Lessons, Portion};
use crate::property::{Ending, Execution, Failure, Property};
use crate::race_watch::RaceWatch;
use crate::trace::Trace;
use crate::work::WorkUnit;

/// Work for an explorer, with all it needs.
pub struct Assignment<'a> {
    /// What to explore.
    pub program: &'a dyn Program,
    /// Which part of it.
    pub unit: WorkUnit,
    /// How far.
    pub limits: Limits,
    /// What to check.
    pub properties: Vec<Box<dyn Property>>,
    /// Whom to tell.
    pub sink: &'a mut dyn Sink,
    /// The values of the explorer's parameters.
    pub parameters: ParameterValues,
}

/// Whether to go on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Go on.
    Continue,
    /// Stop after this execution.
    Stop,
}

/// Receives what an exploration finds, and may ask it to stop.
pub trait Sink {
    /// A new kind of failure, confirmed by replay and minimised.
    fn finding(&mut self, finding: &Finding) -> Flow {
        let _ = finding;
        Flow::Continue
    }

    /// Whether a reader takes two failures for one, so that they are counted once for an execution and
    /// reported once.
    fn is_one(&self, one: &Failure, other: &Failure) -> bool {
        one.has_name_of(other)
    }

    /// Whether this failure was reported by an earlier part of the same exploration. It is then left
    /// to the sink to count as so many, and not confirmed again.
    fn known(&mut self, failure: &Failure, count: u64) -> bool {
        let _ = (failure, count);
        false
    }

    /// An execution has ended.
    fn execution(&mut self, execution: &Execution<'_>, statistics: &Statistics) -> Flow {
        let _ = (execution, statistics);
        Flow::Continue
    }

    /// What was done so far, in earlier parts as well, is to be done again in another way: none of it
    /// counts any longer.
    fn restart(&mut self) {}

    /// A depth-first search has repeated the steps that lead to where its work goes on: what comes now is new.
    fn taken_up(&mut self) {}

    /// Those who share a search by bounds, if somebody does.
    fn team(&mut self) -> Option<&mut dyn Team> {
        None
    }

    /// Memory for what a search by bounds remembers, zero at first, of so many words if it says so. Those who share the
    /// search later have the same.
    fn fresh_memory(&mut self, words: Option<usize>) -> Option<Arc<dyn CommonMemory>> {
        let _ = words;
        None
    }

    /// A depth-first search that was asked to stop hands over what it has come to, with what is left. It may go on from
    /// there at once, as if what is left were given to it again.
    fn hand_over(&mut self, part: Box<Exploration>) -> HandedOver {
        HandedOver::Ended(part)
    }
}

/// What becomes of a search that was asked to stop.
pub enum HandedOver {
    /// It ends with this result.
    Ended(Box<Exploration>),
    /// It goes on below this depth, for so many executions.
    GoOn {
        /// Nodes above this depth are left to others.
        floor: usize,
        /// How many executions it may take, if they are limited.
        executions: Option<u64>,
    },
}

/// Those who share a search by bounds, tree by tree ([`Portion`]), as each of them sees the others.
pub trait Team {
    /// What they want of it.
    fn call(&mut self) -> Call;

    /// For who has begun a tree: this has come of it so far, and others do the rest.
    fn divide(&mut self, part: Box<Exploration>, left: Portion) -> Divided;

    /// For who goes on with a portion: this has come of it so far, with what is left, of which the first so many places
    /// are for others. It goes on with the rest.
    fn give(&mut self, part: Box<Exploration>, given: usize);

    /// What all can read and write, if they are on one machine.
    fn memory(&self) -> Option<Arc<dyn CommonMemory>> {
        None
    }
}

/// Memory that processes have in common: words that are zero at first.
pub trait CommonMemory {
    /// The words, a power of two of them.
    fn words(&self) -> &[AtomicU64];
}

/// What the others want of one who shares a search.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Call {
    /// Nothing.
    GoOn,
    /// They would do all that is left of the tree ([`Team::divide`]).
    Divide,
    /// To know what has come of it so far, and to have so many of its places ([`Team::give`]).
    Give(usize),
}

/// What became of the rest of a tree that was left to others.
#[derive(Debug)]
pub enum Divided {
    /// It is done, and this is what they have learnt.
    Done(Box<Lessons>),
    /// It was stopped for this reason, with this left.
    Stopped(Bound, Box<Portion>),
    /// Nobody came.
    Alone(Box<Portion>),
}

/// A sink that takes everything and says nothing.
pub struct Silent;

impl Sink for Silent {}

/// Why an execution was cut.
#[derive(PartialEq, Eq, Hash)]
enum CutReason {
    /// The front end could not go on: what it says.
    Unsupported(String),
    /// The limit of steps.
    Steps,
}

/// How many of the last steps tell who keeps an execution from ending.
const LAST_STEPS: usize = 256;

/// The first site of those at which the process was in the last steps that took the most of them.
fn busiest_site(trace: &Trace) -> Site {
    let events = trace.events();
    let last = &events[events.len().saturating_sub(LAST_STEPS)..];
    let mut steps: FxHashMap<Pid, (usize, Site)> = FxHashMap::default();
    for event in last {
        let (count, first) = steps.entry(event.process()).or_insert((0, event.site));
        *count += 1;
        *first = (*first).min(event.site);
    }
    let busiest = steps.into_iter().max_by_key(|(process, (count, _))| (*count, process.0));
    busiest.map(|(_, (_, site))| site).unwrap_or_default()
}

/// How many nanoseconds it takes to get a step of a wakeup tree from a search into a file, about: most of it goes into
/// finding the step in memory.
const SAVING_A_STEP: u64 = 120;

/// The bookkeeping of one exploration.
pub(crate) struct Search<'a> {
    pub program: &'a dyn Program,
    pub limits: Limits,
    pub statistics: Statistics,
    /// Set when the exploration should end after the present execution.
    pub stop: bool,
    properties: Vec<Box<dyn Property>>,
    sink: &'a mut dyn Sink,
    bounds: BTreeSet<Bound>,
    progress: u64,
    found: Vec<(Failure, Found)>,
    cuts: FxHashMap<(CutReason, Site), u64>,
    watch: RaceWatch,
    /// Whether the explorer shows races one by one.
    pub shows_races: bool,
    internal_errors: Vec<String>,
    repetition: Repetition,
    /// Whether it is one of several that share a tree: others may count executions that show what this one finds.
    shared: bool,
    /// How short schedules of findings are looked for.
    shortening: Shortening,
    clock: Clock,
}

impl<'a> Search<'a> {
    pub fn new(assignment: Assignment<'a>) -> (Search<'a>, WorkUnit) {
        let Assignment { program, unit, limits, properties, sink, parameters: _ } = assignment;
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        let interrupt = limits.interrupt.until(deadline);
        program.heed(&interrupt);
        let mut search = Search {
            program,
            limits,
            statistics: Statistics::default(),
            stop: false,
            properties,
            sink,
            bounds: BTreeSet::new(),
            progress: 0,
            found: Vec::new(),
            cuts: FxHashMap::default(),
            watch: RaceWatch::after(unit.executions_before),
            shows_races: false,
            internal_errors: Vec::new(),
            repetition: Repetition::default(),
            shared: unit.portion.is_some() || unit.suspended.is_some(),
            shortening: Shortening::default(),
            clock: Clock::new(interrupt),
        };
        if search.properties.iter().any(|property| property.looks_for_races()) {
            search.watch = RaceWatch::idle();
        }
        (search, unit)
    }

    /// For an explorer whose executions need not show every data race of the program.
    pub fn overlooks_races(&mut self) {
        self.watch.overlooks();
        if self.properties.iter().any(|property| property.looks_for_races()) {
            self.hit(Bound::Races);
        }
    }

    /// For an explorer that counts non-local reads: short schedules have no more of them than long ones.
    pub fn keeps_reads(&mut self) {
        self.shortening.keeps_reads = true;
    }

    /// For an explorer that rebuilds what it knew by repeating its executions: the first so many
    /// were done in earlier parts and neither count nor are checked again. They are the same ones only if processes
    /// have the numbers that they had then, which whoever has replayed a schedule before may have given to others:
    /// then all is done again.
    pub fn repeat(&mut self, unit: &WorkUnit) {
        let numbered = |(number, process): (usize, &Pid)| process.index() == number;
        if unit.already_done > 0 && !unit.processes.iter().enumerate().all(numbered) {
            return self.restart();
        }
        self.repeat_first(unit.already_done);
    }

    /// The same for an explorer to which numbers of processes do not matter.
    pub fn repeat_first(&mut self, executions: u64) {
        self.repetition = Repetition::of(executions);
    }

    /// What such an explorer leaves: everything, less the executions done so far.
    pub fn remainder(&self) -> WorkUnit {
        let processes = u32::try_from(self.program.names().len()).expect("numbers of processes");
        WorkUnit {
            already_done: self.repetition.done(),
            processes: (0..processes).map(Pid).collect(),
            ..WorkUnit::whole()
        }
    }

    /// How many executions an explorer has done that repeats them.
    pub fn done(&self) -> u64 {
        self.repetition.done()
    }

    /// Whether executions of earlier parts are still being repeated.
    pub fn is_repeating(&self) -> bool {
        self.repetition.is_going_on()
    }

    /// For an explorer that adds events after an execution: if the repeating has just ended, these
    /// are the events of the earlier parts.
    pub fn caught_up(&mut self, events: u64) {
        self.repetition.caught_up(events);
    }

    /// Says how many events there are by now, those of earlier parts included.
    pub fn count_events(&mut self, events: u64) {
        self.statistics.events = self.repetition.new_events(events);
    }

    /// All that was done so far is to be done again in another way: it counts as given up. While an
    /// earlier part is repeated, that part has said so already.
    pub fn restart(&mut self) {
        if self.repetition.is_going_on() {
            return;
        }
        self.statistics.give_up();
        self.found.iter_mut().for_each(|(_, found)| found.forget_count());
        self.cuts.clear();
        self.repetition.forget_events();
        self.sink.restart();
    }

    /// A step was performed.
    #[inline]
    pub fn stepped(&mut self) {
        self.statistics.events += u64::from(!self.repetition.is_going_on());
        self.clock.stepped();
    }

    /// A step was rehearsed, which is not part of an execution.
    #[inline]
    pub fn rehearsed(&mut self) {
        self.clock.stepped();
    }

    /// A step was performed to find out what it touches, which is not part of an execution. Whether the exploration
    /// must end here and now.
    pub fn looked_ahead(&mut self) -> bool {
        self.clock.looked_ahead();
        self.is_interrupted()
    }

    /// Something besides steps was done, about as much as looking at so many events. Whether the
    /// exploration must end here and now.
    #[inline]
    pub fn worked(&mut self, events: usize) -> bool {
        self.clock.worked(events) && self.is_out_of_time()
    }

    /// The last steps were performed in vain: they are to be taken again.
    pub fn take_back_steps(&mut self, steps: usize) {
        if !self.repetition.is_going_on() {
            self.statistics.events = self.statistics.events.saturating_sub(steps as u64);
        }
    }

    /// Whether the exploration must end here and now. Whatever run was stepped last may have left its
    /// step unfinished, so its execution neither counts nor is done.
    #[inline]
    pub fn is_interrupted(&mut self) -> bool {
        let interrupted = self.clock.interrupt.raised().is_some();
        if interrupted {
            self.heed_interrupt();
        }
        interrupted
    }

    #[cold]
    fn heed_interrupt(&mut self) {
        if let Some(bound) = self.clock.interrupt.raised().cloned() {
            self.stop_because(bound);
        }
    }

    /// So many steps will have to be saved when the time is up. That belongs to the time, at most half of it.
    #[inline]
    pub fn leave_time_to_save(&self, steps: usize) {
        if let Some(time) = self.limits.time {
            let needed = u64::try_from(steps).unwrap_or(u64::MAX).saturating_mul(SAVING_A_STEP);
            self.clock.interrupt.reserve(Duration::from_nanos(needed).min(time / 2));
        }
    }

    /// The interrupt that runs heed.
    pub fn interrupt(&self) -> &Interrupt {
        &self.clock.interrupt
    }

    /// Whether the execution just done is one of an earlier part.
    fn repeats(&mut self) -> bool {
        let repeats = self.repetition.is_going_on();
        if self.repetition.advance().is_multiple_of(64) && repeats {
            self.is_out_of_time();
        }
        repeats
    }

    /// Something was left out.
    pub fn hit(&mut self, bound: Bound) {
        self.progress += 1;
        if !self.bounds.contains(&bound) {
            self.bounds.insert(bound);
        }
    }

    /// A number that grows with each execution that is followed to its end and each limit that is met. A part of
    /// the search that leaves it as it is has shown nothing and has left nothing out.
    pub fn progress(&self) -> u64 {
        self.progress
    }

    /// Whether inputs allow a choice of a run. What the solver cannot say is a bound.
    pub fn is_feasible(&mut self, run: &mut dyn Run, choice: Choice) -> bool {
        let alternatives = run.alternatives(choice.process);
        if alternatives.count == 1 || choice.alternative == alternatives.preferred {
            return true;
        }
        match run.feasible(choice) {
            Feasible::Yes => true,
            Feasible::No => false,
            Feasible::Unknown(why) => {
                self.hit(Bound::Solver(why));
                false
            }
        }
    }

    /// An execution has ended and counts.
    pub fn finished(&mut self, run: &dyn Run, trace: &mut Trace, ending: Ending) {
        self.progress += 1;
        if self.is_interrupted() {
            return;
        }
        self.watch.note(self.program, trace, self.shows_races);
        if self.repeats() {
            return;
        }
        self.statistics.executions += 1;
        self.statistics.longest = self.statistics.longest.max(trace.len());
        match ending {
            Ending::Deadlock => self.statistics.deadlocks += 1,
            Ending::Cut => self.note_cut(run, trace),
            Ending::Complete | Ending::Stuck => {}
        }
        let flow = self.check(run, trace, ending, 1);
        if flow == Flow::Stop {
            self.stop_because(Bound::Stopped);
        }
        self.mind_limits();
    }

    /// A race of the execution that has ended.
    #[inline]
    pub fn show_race(&mut self, trace: &Trace, earlier: usize, later: usize) {
        self.watch.show(self.program, trace, earlier, later);
    }

    /// A run came to something that the front end cannot do. Whether or not it is part of an execution that
    /// counts, what would have come after it was left out.
    #[cold]
    pub fn met_unsupported(&mut self, fault: &Fault) {
        let reason = CutReason::Unsupported(fault.message.clone());
        self.cuts.entry((reason, fault.site)).or_default();
        self.hit(Bound::Unsupported);
    }

    /// Notes where and why an execution was cut: at everything that the front end could not do in it,
    /// and at the limit of steps if somebody could still move.
    #[cold]
    fn note_cut(&mut self, run: &dyn Run, trace: &Trace) {
        self.statistics.cut += 1;
        for event in trace.events() {
            let fault = event.fault.as_deref();
            if let Some(fault) = fault.filter(|fault| fault.kind == FindingKind::Unsupported) {
                let reason = CutReason::Unsupported(fault.message.clone());
                *self.cuts.entry((reason, fault.site)).or_default() += 1;
                self.hit(Bound::Unsupported);
            }
        }
        if run.first_ready(None).is_some() {
            *self.cuts.entry((CutReason::Steps, busiest_site(trace))).or_default() += 1;
            self.hit(Bound::Steps);
        }
    }

    /// An execution that covers nothing new but shows a global state: it is checked, not counted.
    pub fn witnessed(&mut self, run: &dyn Run, trace: &Trace, ending: Ending) {
        if self.is_interrupted() || self.repeats() {
            return;
        }
        if ending == Ending::Deadlock {
            self.statistics.deadlocks += 1;
        }
        if self.check(run, trace, ending, 0) == Flow::Stop {
            self.stop_because(Bound::Stopped);
        }
    }

    /// Whether the exploration must end, looking at the clock.
    pub fn is_out_of_time(&mut self) -> bool {
        self.clock.interrupt.poll();
        self.is_interrupted()
    }

    /// Checks the properties of an execution and shows it to the sink.
    fn check(&mut self, run: &dyn Run, trace: &Trace, ending: Ending, count: u64) -> Flow {
        let execution = Execution {
            program: self.program,
            run,
            events: trace.events(),
            ending,
            faulty: trace.is_faulty(),
        };
        for bound in run.bounds() {
            self.bounds.insert(bound);
        }
        let mut failures: Vec<Failure> = Vec::new();
        for property in &mut self.properties {
            property.check(&execution, &mut |failure| {
                if !failures.iter().any(|known| self.sink.is_one(known, &failure)) {
                    failures.push(failure);
                }
            });
        }
        for failure in failures {
            self.record(run, trace, failure, count);
        }
        self.sink.execution(&execution, &self.statistics)
    }

    /// An execution was started and turned out to be redundant.
    pub fn abandoned(&mut self, trace: &Trace) {
        if self.is_interrupted() || self.repeats() {
            return;
        }
        self.statistics.abandoned += 1;
        self.statistics.longest = self.statistics.longest.max(trace.len());
        self.mind_limits();
    }

    /// The result, with what is left.
    pub fn result(mut self, unexplored: Option<WorkUnit>) -> Exploration {
        self.end(unexplored)
    }

    /// The same of a search that is kept.
    pub fn end(&mut self, unexplored: Option<WorkUnit>) -> Exploration {
        self.program.heed(&Interrupt::never());
        self.part(unexplored)
    }

    /// The work has been taken up.
    pub fn taken_up(&mut self) {
        self.sink.taken_up();
    }

    /// Hands over what has come of the search so far. Whether it goes on, and from which depth; otherwise the result.
    pub fn hand_over(&mut self, left: WorkUnit) -> Result<usize, Box<Exploration>> {
        let part = Box::new(self.part(Some(left)));
        match self.sink.hand_over(part) {
            HandedOver::Ended(part) => {
                self.program.heed(&Interrupt::never());
                Err(part)
            }
            HandedOver::GoOn { floor, executions } => {
                self.limits.executions = executions;
                self.stop = false;
                Ok(floor)
            }
        }
    }

    /// What has come of the search since it began or handed over something, with what is left.
    fn part(&mut self, unexplored: Option<WorkUnit>) -> Exploration {
        if unexplored.is_none() {
            // Nothing is left: limits that would have stopped the search next did not matter.
            for bound in [Bound::Time, Bound::Memory, Bound::Executions, Bound::Stopped] {
                self.bounds.remove(&bound);
            }
        }
        let mut races = self.watch.result(self.program, &*self.sink);
        for (_, found) in self.found.iter().filter(|(failure, _)| failure.kind == FindingKind::Race)
        {
            let Finding { name, message, places, .. } = found.finding.clone();
            let race = NotedRace { name, message, places };
            races.add(DataRaces { seen: vec![race], ..DataRaces::default() });
        }
        let mut cuts: Vec<Cut> = Vec::new();
        for ((reason, site), count) in std::mem::take(&mut self.cuts) {
            let reason = match reason {
                CutReason::Unsupported(what) => what,
                CutReason::Steps => format!("the limit of {} steps", self.limits.steps),
            };
            Cut::add_all(&mut cuts, [Cut { reason, place: self.program.place(site), count }]);
        }
        cuts.sort_by(|a, b| (&a.reason, &a.place).cmp(&(&b.reason, &b.place)));
        let found = std::mem::take(&mut self.found).into_iter();
        let goes_on = |unit: &WorkUnit| unit.suspended.is_some();
        let shared = self.shared || unexplored.as_ref().is_some_and(goes_on);
        Exploration {
            statistics: std::mem::take(&mut self.statistics),
            bounds: std::mem::take(&mut self.bounds).into_iter().collect(),
            findings: found.map(|(_, found)| if shared { found } else { found.shown() }).collect(),
            cuts,
            races,
            unexplored,
            stand_in: None,
            internal_errors: std::mem::take(&mut self.internal_errors),
            portion: None,
        }
    }

    /// What the others who share the search want of it.
    pub fn call(&mut self) -> Call {
        if self.repetition.is_going_on() {
            return Call::GoOn;
        }
        self.sink.team().map_or(Call::GoOn, |team| team.call())
    }

    /// Hands over what has come of the search so far, with all that is left of its present tree, of which the first
    /// so many places are for others.
    pub fn give(&mut self, left: Portion, given: usize) {
        let mut part = self.part(Some(WorkUnit::whole()));
        part.portion = Some(Box::new(left));
        if let Some(team) = self.sink.team() {
            team.give(Box::new(part), given);
        }
    }

    /// Lets others do all that is left of a tree. Whether it is done, and what all have learnt.
    pub fn divide(&mut self, left: Portion) -> Divided {
        self.shared = true;
        let part = Box::new(self.part(Some(WorkUnit::whole())));
        let Some(team) = self.sink.team() else { return Divided::Alone(Box::new(left)) };
        let divided = team.divide(part, left);
        self.program.heed(&self.clock.interrupt);
        if let Divided::Stopped(bound, _) = &divided {
            self.stop_because(bound.clone());
        }
        divided
    }

    /// Memory for what it remembers.
    pub fn fresh_memory(&mut self, words: Option<usize>) -> Option<Arc<dyn CommonMemory>> {
        self.sink.fresh_memory(words)
    }

    /// Memory that all who share the search have in common.
    pub fn common_memory(&mut self) -> Option<Arc<dyn CommonMemory>> {
        self.sink.team().and_then(|team| team.memory())
    }

    #[cold]
    fn record(&mut self, run: &dyn Run, trace: &Trace, failure: Failure, count: u64) {
        let is_known = |(known, _): &&mut (Failure, _)| self.sink.is_one(known, &failure);
        if let Some((_, found)) = self.found.iter_mut().find(is_known) {
            found.add(count);
            return;
        }
        if self.sink.known(&failure, count) {
            return;
        }
        let is_cut = failure.kind == FindingKind::Unsupported;
        if is_cut && self.clock.interrupt.poll() {
            // It was noted as a cut, and to see it again can take as long as it took to come there.
            return;
        }
        let choices: Vec<_> =
            trace.events()[..failure.steps].iter().map(|event| event.choice).collect();
        let confirmed = evidence::confirm(
            self.program,
            &mut self.properties,
            &failure,
            run.inputs(),
            choices,
            &mut self.shortening,
            &self.clock.interrupt,
        );
        self.program.heed(&self.clock.interrupt);
        match confirmed {
            Ok(finding) => {
                if self.sink.finding(&finding) == Flow::Stop {
                    self.stop_because(Bound::Stopped);
                }
                self.found.push((failure, Found::new(finding, count)));
            }
            Err(_) if is_cut && self.clock.interrupt.raised().is_some() => {}
            Err(error) => self.internal_errors.push(error),
        }
    }

    #[cold]
    fn stop_because(&mut self, bound: Bound) {
        self.hit(bound);
        self.stop = true;
    }

    fn mind_limits(&mut self) {
        let runs = self.statistics.runs();
        if self.limits.executions.is_some_and(|limit| self.statistics.executions >= limit) {
            self.stop_because(Bound::Executions);
        }
        // Reading the clock costs as much as a step: short executions are timed in batches.
        let due = self.statistics.longest > 200 || runs.is_multiple_of(64);
        if due {
            self.is_out_of_time();
        }
    }
}
