//! An exploration from start to end, in parts that can each be saved.
//!
//! Explorers hand back what they leave unexplored only when they stop. So that even a killed process
//! loses little, the exploration is done in parts of a few seconds: the sink asks for a stop, the
//! rest is noted, and the explorer takes it up again.
//!
//! What a systematic explorer tries first are executions that differ in their last steps only. If a program is
//! so large that it takes more than one part, its bugs may lie elsewhere. So, unless the user has chosen an explorer,
//! a fifth of the time goes into schedules drawn at random between the parts. What they show is real and reported;
//! they count for nothing else.
//!
//! **Invariant.** The totals of the parts are those of an exploration in one piece: a failure is
//! confirmed once and counted over all parts, and steps of shared beginnings count once.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use counterpoint_explore::{
    Assignment, Call, CommonMemory, Covers, Cut, DataRaces, Divided, EXPLORERS, Ending, Execution,
    Exploration, Explorer, FIRST_SAMPLES, Failure, Flow, Found, HandedOver, Limits,
    ParameterValues, Portion, PropertyEntry, Sink, Statistics, Team, Trunk, WorkUnit, explorer,
};
use counterpoint_model::{
    Bound, Choice, Finding, FindingKind, Likeness, Place, Program, Site, Verdict,
};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::events;
use crate::jobs::{self, Trees, Workers};
use crate::ways::Ways;

/// How long a part lasts; the first ones are shorter.
const PART: Duration = Duration::from_secs(4);

/// How many schedules are drawn when neither time nor executions are limited.
pub const DEFAULT_SAMPLES: u64 = 10_000;

/// The explorers that draw schedules between the parts, in turn.
pub const SAMPLERS: [&str; 2] = ["pct", "random"];

/// How many executions are drawn, and how long they may be.
const MOST_DRAWN: usize = 200;
const LONGEST_DRAWN: usize = 200;

/// What to do.
#[derive(Clone)]
pub struct Job<'a> {
    /// The program under test.
    pub program: &'a dyn Program,
    /// How to explore it.
    pub explorer: &'static Explorer,
    /// What to check.
    pub properties: Vec<&'static PropertyEntry>,
    /// How far to go, this time.
    pub limits: Limits,
    /// The values of the explorer's parameters.
    pub parameters: ParameterValues,
    /// Whether the first failure ends it.
    pub stop_at_first: bool,
    /// Whether to keep executions to be drawn.
    pub draws: bool,
    /// Whether somebody asked for this explorer. If not, schedules are drawn at random between the parts as well.
    pub explorer_chosen: bool,
    /// Who else may work on it.
    pub workers: Option<Workers<'a>>,
    /// What all who work on it can read and write.
    pub memory: Option<Arc<dyn CommonMemory>>,
}

impl Job<'_> {
    /// Whether to try schedules at random between the parts.
    pub fn samples(&self) -> bool {
        !self.explorer_chosen
            && self.explorer.covers == EXPLORERS[0].covers
            && self.limits.executions.is_none()
    }
}

/// What is left of an exploration.
#[derive(Clone, Debug)]
pub enum Unexplored {
    /// Of one that was done alone.
    Alone(WorkUnit),
    /// Of one that several workers shared.
    Shared(Box<Trunk>),
}

/// What an exploration has come to so far.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Counts.
    pub statistics: Statistics,
    /// The bounds that were hit.
    pub bounds: BTreeSet<Bound>,
    /// The failures, each once.
    pub findings: Vec<Found>,
    /// Where and why executions were cut.
    pub cuts: Vec<Cut>,
    /// The data races that were seen, whether or not they are failures.
    pub races: DataRaces,
    /// What the program was given to rely on so far ([`Program::assumptions`]).
    pub assumptions: Vec<String>,
    /// Distinct final states, where the front end has such a thing, with their executions.
    pub outcomes: BTreeMap<String, u64>,
    /// How some execution came to each of them.
    pub ways: Ways,
    /// Findings whose replay disagreed: errors of this tool or of a front end.
    pub internal_errors: Vec<String>,
    /// What is left to explore.
    pub unexplored: Option<Unexplored>,
    /// The explorer that did the work, if it was not the one that was asked.
    pub stand_in: Option<&'static str>,
    /// Why one process did the work although more were asked for.
    pub undivided: Option<&'static str>,
    /// How many executions were drawn at random between the parts. They count nowhere else.
    pub sampled: u64,
    /// Time spent.
    pub seconds: f64,
    /// The first executions, if they are to be drawn.
    pub drawn: Vec<Vec<Choice>>,
}

impl Tally {
    /// What the result may claim. What a front end does not support is no bug of the program.
    pub fn verdict(&self) -> Verdict {
        let is_bug = |found: &Found| found.finding.kind != FindingKind::Unsupported;
        if self.findings.iter().any(is_bug) {
            return Verdict::Bug;
        }
        let mut bounds: Vec<Bound> = self.bounds.iter().cloned().collect();
        if bounds.is_empty() && !self.internal_errors.is_empty() {
            bounds.push(Bound::Stopped);
        }
        Verdict::of(false, &bounds)
    }

    /// What was counted so far is done again and counts as given up. What was found is kept.
    pub fn forget_counts(&mut self) {
        self.statistics.give_up();
        self.findings.iter_mut().for_each(Found::forget_count);
        self.cuts.clear();
        self.outcomes.clear();
    }

    /// Adds findings, each once.
    pub fn add_findings(&mut self, findings: Vec<Found>) {
        for found in findings {
            let like = found.finding.likeness();
            let same = |known: &&mut Found| known.finding.likeness().is_one_with(&like);
            match self.findings.iter_mut().find(same) {
                Some(known) => known.add_like(&found),
                None => self.findings.push(found),
            }
        }
    }

    /// Adds assumptions, each once.
    pub fn assume(&mut self, assumptions: Vec<String>) {
        for text in assumptions {
            if !self.assumptions.contains(&text) {
                self.assumptions.push(text);
            }
        }
    }

    /// Whether nothing at all is left.
    pub fn exhausted(&self) -> bool {
        self.unexplored.is_none() && self.bounds.is_empty() && self.internal_errors.is_empty()
    }
}

/// Follows an exploration.
pub trait Watcher {
    /// Some executions of the present part have ended, with so many new findings.
    fn moved(&mut self, done: &Tally, part: &Statistics, fresh: usize) {
        let _ = (done, part, fresh);
    }

    /// Something was found that was not known.
    fn found(&mut self, finding: &Finding) {
        let _ = finding;
    }

    /// A part has ended and there is more to do.
    fn paused(&mut self, tally: &Tally) {
        let _ = tally;
    }

    /// Whether somebody wants to decide how a search goes on that was asked to stop ([`Watcher::next_part`]).
    fn keeps_searches(&self) -> bool {
        false
    }

    /// What others want of a search by bounds of which this is a part.
    fn call(&mut self) -> Call {
        Call::GoOn
    }

    /// Such a search has come to this, with what is left, of which the first so many places are for others.
    fn give(&mut self, tally: &mut Tally, left: Box<Portion>, given: usize) {
        let _ = (tally, left, given);
    }

    /// A part has ended with this left. Which part of it comes next; if none, the search ends.
    fn next_part(&mut self, tally: &mut Tally, left: WorkUnit) -> Option<NextPart> {
        let _ = (tally, left);
        None
    }
}

/// How a search goes on that was asked to stop.
pub struct NextPart {
    /// Nodes above this depth are left to others.
    pub floor: usize,
    /// How many executions it may take, if they are limited.
    pub executions: Option<u64>,
    /// How long it lasts.
    pub length: Duration,
}

/// Explores until nothing is left, a limit is reached, or somebody interrupts.
pub fn explore(
    job: &Job<'_>,
    mut tally: Tally,
    interrupted: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> Tally {
    let session = Session::new(job, &tally, interrupted);
    for bound in [Bound::Time, Bound::Memory, Bound::Executions, Bound::Stopped] {
        tally.bounds.remove(&bound);
    }
    let divides = jobs::divides(job);
    for round in 0.. {
        let unit = match tally.unexplored.take() {
            None => WorkUnit::whole(),
            Some(Unexplored::Alone(unit)) if unit.afresh => {
                tally.forget_counts();
                WorkUnit::whole()
            }
            Some(Unexplored::Alone(unit)) => unit,
            Some(Unexplored::Shared(trunk)) => {
                return jobs::share(&session, tally, *trunk, watcher);
            }
        };
        let workers = job.workers.as_ref().filter(|_| divides && jobs::is_divisible(job, &tally));
        let alone = workers.map(|workers| workers.time_alone);
        let limits = session.remaining(&tally);
        if round > 0 && limits.time == Some(Duration::ZERO) {
            // Saving or drawing has taken what was left of the time. To take up a large unit takes long as well.
            tally.unexplored = Some(Unexplored::Alone(unit));
            tally.bounds.insert(Bound::Time);
            break;
        }
        let length = alone.unwrap_or(if round == 0 { PART / 4 } else { PART });
        let mut trees = workers.filter(|_| jobs::shares_trees(job)).map(|_| Trees::new(&session));
        let team = trees.as_mut();
        let part = part_of(job, &mut tally, unit, limits, length, interrupted, watcher, team);
        session.note_time(&mut tally);
        tally.unexplored = part.left.map(Unexplored::Alone);
        if !part.paused {
            break;
        }
        if let Some(alone) = alone.filter(|_| jobs::is_divisible(job, &tally)) {
            if jobs::is_time_for_workers(&session, &tally, alone) {
                return jobs::divide(&session, tally, watcher);
            }
            // Others had the machine, or little is left. It goes on alone, in short parts that are not worth
            // saving at first.
            if session.started.elapsed() < PART / 4 {
                continue;
            }
        }
        watcher.paused(&tally);
        if job.samples() {
            let time = job.limits.time.map(|time| time.saturating_sub(session.started.elapsed()));
            let time = time.map_or(length / 4, |left| left.min(length / 4));
            let sampler = SAMPLERS[round % SAMPLERS.len()];
            let stop = sample(job, &mut tally, sampler, interrupted, time);
            session.note_time(&mut tally);
            if stop {
                tally.bounds.insert(Bound::Stopped);
                break;
            }
        }
    }
    tally
}

/// An exploration from where it was taken up to where it is left.
pub struct Session<'a> {
    /// What to do.
    pub job: &'a Job<'a>,
    /// When it was taken up.
    pub started: Instant,
    /// How much time of a processor this process had had by then.
    processor_time: Duration,
    /// Whether the user wants to stop.
    pub interrupted: &'a AtomicBool,
    /// How many executions there were before.
    executions: u64,
    /// How much time was spent before.
    seconds: f64,
}

impl<'a> Session<'a> {
    fn new(job: &'a Job<'a>, tally: &Tally, interrupted: &'a AtomicBool) -> Session<'a> {
        let (executions, seconds) = (tally.statistics.executions, tally.seconds);
        let (started, processor_time) = (Instant::now(), processor_time());
        Session { job, started, processor_time, interrupted, executions, seconds }
    }

    /// How much time of a processor it has taken this process so far.
    pub fn processor_time(&self) -> Duration {
        processor_time().saturating_sub(self.processor_time)
    }

    /// The limits less what has been used up.
    pub fn remaining(&self, tally: &Tally) -> Limits {
        let done = tally.statistics.executions.saturating_sub(self.executions);
        remaining(self.job, self.started, done)
    }

    /// Brings the time spent up to date.
    pub fn note_time(&self, tally: &mut Tally) {
        tally.seconds = self.seconds + self.started.elapsed().as_secs_f64();
    }
}

/// How much time of a processor this process has had.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// How a part of an exploration has ended.
pub struct Ended {
    /// What is left of its unit.
    pub left: Option<WorkUnit>,
    /// Whether there is more to do and nothing speaks against going on.
    pub paused: bool,
    /// What is left of a portion, and what was learnt.
    pub portion: Option<Box<Portion>>,
}

/// Explores a unit until it is done, a limit is reached, so much time has passed, or somebody interrupts, and adds
/// what was found and counted.
pub fn part(
    job: &Job<'_>,
    tally: &mut Tally,
    unit: WorkUnit,
    limits: Limits,
    length: Duration,
    interrupted: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> Ended {
    part_of(job, tally, unit, limits, length, interrupted, watcher, None)
}

/// The same with others who share the trees of a search by bounds.
#[allow(clippy::too_many_arguments)]
fn part_of<'a, 't>(
    job: &'a Job<'_>,
    tally: &'a mut Tally,
    unit: WorkUnit,
    limits: Limits,
    length: Duration,
    interrupted: &'a AtomicBool,
    watcher: &'a mut dyn Watcher,
    trees: Option<&'a mut Trees<'t>>,
) -> Ended {
    let known = tally.findings.len();
    let mut part = Part::new(job, tally, interrupted, watcher, length);
    part.trees = trees;
    let exploration = (job.explorer.explore)(Assignment {
        program: job.program,
        limits,
        properties: job.properties.iter().map(|entry| (entry.make)()).collect(),
        parameters: job.parameters.clone(),
        sink: &mut part,
        unit,
    });
    if part.handed_over {
        return Ended { left: None, paused: true, portion: None };
    }
    let ended = part.add(exploration);
    if jobs::shares_trees(job) && !part.watcher.keeps_searches() {
        // Whoever has found something has run an execution that shows it, whether or not it counts.
        let fresh = part.done.findings.split_off(known);
        part.done.findings.extend(fresh.into_iter().map(Found::shown));
    }
    ended
}

/// Draws schedules for some time. Whether the exploration is to end: what was drawn fails, and the first failure
/// ends it, or somebody interrupts.
pub fn sample(
    job: &Job<'_>,
    tally: &mut Tally,
    sampler: &str,
    interrupted: &AtomicBool,
    time: Duration,
) -> bool {
    let unit = WorkUnit {
        already_done: tally.sampled,
        longest: tally.statistics.longest,
        ..WorkUnit::default()
    };
    let mut sink = Sampling { job, done: tally, interrupted, stop: false };
    let exploration = (explorer(sampler).expect("it is in the table").explore)(Assignment {
        program: job.program,
        limits: Limits { time: Some(time), executions: None, ..job.limits.clone() },
        properties: job.properties.iter().map(|entry| (entry.make)()).collect(),
        parameters: ParameterValues::default(),
        sink: &mut sink,
        unit,
    });
    let stop = sink.stop || interrupted.load(Ordering::Relaxed);
    let findings = exploration.findings.into_iter();
    tally.findings.extend(findings.map(|found| Found::new(found.finding, 0)));
    tally.races.add(DataRaces { overlooked: false, ..exploration.races });
    tally.internal_errors.extend(exploration.internal_errors);
    tally.sampled += exploration.statistics.executions;
    stop
}

/// The number of a failure among those that were reported.
fn reported(job: &Job<'_>, done: &Tally, failure: &Failure) -> Option<usize> {
    let place = |site: &Site| job.program.place(*site);
    let places: Vec<Place> = failure.sites.iter().map(place).collect();
    let like = Likeness {
        kind: failure.kind,
        name: &failure.name,
        places: &places,
        waiting: &failure.waiting,
    };
    let same = |found: &Found| found.finding.likeness().is_one_with(&like);
    done.findings.iter().position(same)
}

/// The sink of what is drawn between two parts.
struct Sampling<'a> {
    job: &'a Job<'a>,
    done: &'a Tally,
    interrupted: &'a AtomicBool,
    stop: bool,
}

impl Sink for Sampling<'_> {
    fn finding(&mut self, finding: &Finding) -> Flow {
        events::finding(self.job.program, finding);
        self.stop |= self.job.stop_at_first && finding.kind != FindingKind::Unsupported;
        if self.stop { Flow::Stop } else { Flow::Continue }
    }

    fn is_one(&self, one: &Failure, other: &Failure) -> bool {
        one.likeness().is_one_with(&other.likeness())
    }

    fn known(&mut self, failure: &Failure, _: u64) -> bool {
        reported(self.job, self.done, failure).is_some()
    }

    fn execution(&mut self, _: &Execution<'_>, _: &Statistics) -> Flow {
        self.stop |= self.interrupted.load(Ordering::Relaxed);
        if self.stop { Flow::Stop } else { Flow::Continue }
    }
}

/// The limits less what has been used up.
fn remaining(job: &Job<'_>, started: Instant, executions: u64) -> Limits {
    let mut limits = job.limits.clone();
    let samples = job.explorer.covers == Covers::Samples;
    if samples && limits.time.is_none() && limits.executions.is_none() {
        limits.executions = Some(DEFAULT_SAMPLES);
    }
    limits.time = limits.time.map(|time| time.saturating_sub(started.elapsed()));
    limits.executions = limits.executions.map(|limit| limit.saturating_sub(executions));
    limits
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Stop {
    Pause,
    Interrupt,
    First,
}

/// The sink of one part.
struct Part<'a, 't> {
    job: &'a Job<'a>,
    done: &'a mut Tally,
    interrupted: &'a AtomicBool,
    watcher: &'a mut dyn Watcher,
    started: Instant,
    length: Duration,
    stop: Option<Stop>,
    /// How many new failures were found.
    fresh: usize,
    /// Failures of this part that earlier parts have reported, with their numbers there.
    met: Vec<(Failure, usize)>,
    /// How often each of the failures reported earlier was met again.
    again: Vec<u64>,
    /// Final states with their executions, by digest: the text of a state is made once.
    outcomes: FxHashMap<u128, (String, u64)>,
    drawn: Vec<Vec<Choice>>,
    /// Those who share its trees, if it is a search by bounds.
    trees: Option<&'a mut Trees<'t>>,
    /// Whether the last part was handed over, and the search has ended with it.
    handed_over: bool,
}

impl<'a, 't> Part<'a, 't> {
    fn new(
        job: &'a Job<'a>,
        done: &'a mut Tally,
        interrupted: &'a AtomicBool,
        watcher: &'a mut dyn Watcher,
        length: Duration,
    ) -> Part<'a, 't> {
        let again = vec![0; done.findings.len()];
        Part {
            job,
            done,
            interrupted,
            watcher,
            started: Instant::now(),
            length,
            stop: None,
            fresh: 0,
            met: Vec::new(),
            again,
            outcomes: FxHashMap::default(),
            drawn: Vec::new(),
            trees: None,
            handed_over: false,
        }
    }

    /// Adds what has come of the search.
    fn add(&mut self, exploration: Exploration) -> Ended {
        let tally = &mut *self.done;
        for (index, count) in std::mem::take(&mut self.again).into_iter().enumerate() {
            tally.findings[index].add(count);
        }
        tally.add_findings(exploration.findings);
        tally.statistics.add(&exploration.statistics);
        Cut::add_all(&mut tally.cuts, exploration.cuts);
        tally.races.add(exploration.races);
        tally.drawn.append(&mut self.drawn);
        for (outcome, count) in std::mem::take(&mut self.outcomes).into_values() {
            *tally.outcomes.entry(outcome).or_default() += count;
        }
        tally.internal_errors.extend(exploration.internal_errors);
        tally.assume(self.job.program.assumptions());
        tally.stand_in = exploration.stand_in;
        let limited = [Bound::Time, Bound::Memory, Bound::Executions];
        let left = exploration.unexplored;
        let paused = self.stop == Some(Stop::Pause)
            && left.is_some()
            && !limited.iter().any(|bound| exploration.bounds.contains(bound));
        let stopped = |bound: &Bound| paused && *bound == Bound::Stopped;
        tally.bounds.extend(exploration.bounds.into_iter().filter(|bound| !stopped(bound)));
        Ended { left, paused, portion: exploration.portion }
    }

    /// What was found so far is known from now on.
    fn take_stock(&mut self) {
        self.fresh = 0;
        self.met.clear();
        self.again = vec![0; self.done.findings.len()];
    }

    /// Notes the final state of an execution that has one.
    fn note_outcome(&mut self, execution: &Execution<'_>) {
        if execution.ending == Ending::Cut {
            return;
        }
        let outcome = || execution.run.outcome();
        let (key, state) = match execution.run.outcome_digest() {
            Some(digest) => (digest, None),
            None => match outcome() {
                Some(state) => (u128::from(FxBuildHasher.hash_one(&state)), Some(state)),
                None => return,
            },
        };
        let fresh = || {
            let state = state.or_else(outcome).unwrap_or_default();
            if !self.done.outcomes.contains_key(&state) {
                self.done.ways.add(&state, execution);
                events::outcome(&state);
            }
            (state, 0)
        };
        self.outcomes.entry(key).or_insert_with(fresh).1 += 1;
    }

    /// Keeps an execution to be drawn, unless there are enough.
    fn draw(&mut self, execution: &Execution<'_>) {
        let enough = self.done.drawn.len() + self.drawn.len() >= MOST_DRAWN;
        if !enough && execution.events.len() <= LONGEST_DRAWN {
            self.drawn.push(execution.events.iter().map(|event| event.choice).collect());
        }
    }

    /// Whether the part has lasted long enough.
    fn has_lasted(&self, statistics: &Statistics) -> bool {
        match self.job.explorer.covers {
            Covers::Samples => {
                let executions = self.done.statistics.executions + statistics.executions;
                executions >= FIRST_SAMPLES && self.started.elapsed() >= self.length
            }
            // An unfolding that is stopped has to repeat what it has done, and which states were
            // met is lost.
            Covers::LocalStates | Covers::States | Covers::WithinBound | Covers::ReadsFrom => false,
            Covers::Interleavings | Covers::Traces | Covers::TracesOnce => {
                self.started.elapsed() >= self.length
            }
        }
    }
}

impl Team for Part<'_, '_> {
    fn call(&mut self) -> Call {
        match &mut self.trees {
            Some(trees) => trees.call(),
            None => self.watcher.call(),
        }
    }

    fn divide(&mut self, part: Box<Exploration>, left: Portion) -> Divided {
        self.add(*part);
        let Some(trees) = &mut self.trees else { return Divided::Alone(Box::new(left)) };
        let divided = trees.divide(self.done, self.watcher, left);
        self.take_stock();
        divided
    }

    fn give(&mut self, part: Box<Exploration>, given: usize) {
        if let Some(left) = self.add(*part).portion {
            self.watcher.give(self.done, left, given);
        }
        self.take_stock();
    }

    fn memory(&self) -> Option<Arc<dyn CommonMemory>> {
        match &self.trees {
            Some(trees) => trees.memory(),
            None => self.job.memory.clone(),
        }
    }
}

impl Sink for Part<'_, '_> {
    fn hand_over(&mut self, part: Box<Exploration>) -> HandedOver {
        if !self.watcher.keeps_searches() {
            return HandedOver::Ended(part);
        }
        let Ended { left, .. } = self.add(*part);
        let next = left.and_then(|left| self.watcher.next_part(self.done, left));
        let Some(NextPart { floor, executions, length }) = next else {
            self.handed_over = true;
            return HandedOver::Ended(Box::default());
        };
        (self.started, self.length) = (Instant::now(), length);
        self.stop = None;
        self.take_stock();
        HandedOver::GoOn { floor, executions }
    }

    fn team(&mut self) -> Option<&mut dyn Team> {
        let shares = self.trees.is_some() || self.watcher.keeps_searches();
        (shares && jobs::shares_trees(self.job)).then_some(self)
    }

    fn fresh_memory(&mut self, words: Option<usize>) -> Option<Arc<dyn CommonMemory>> {
        match &mut self.trees {
            Some(trees) => trees.fresh_memory(words),
            None => jobs::common_memory(words),
        }
    }

    fn restart(&mut self) {
        self.done.forget_counts();
        self.again.fill(0);
        self.outcomes.clear();
    }

    fn finding(&mut self, finding: &Finding) -> Flow {
        self.fresh += 1;
        events::finding(self.job.program, finding);
        self.watcher.found(finding);
        if self.job.stop_at_first && finding.kind != FindingKind::Unsupported {
            self.stop = Some(Stop::First);
            return Flow::Stop;
        }
        Flow::Continue
    }

    fn is_one(&self, one: &Failure, other: &Failure) -> bool {
        one.likeness().is_one_with(&other.likeness())
    }

    fn known(&mut self, failure: &Failure, count: u64) -> bool {
        if let Some((_, index)) = self.met.iter().find(|(known, _)| self.is_one(known, failure)) {
            self.again[*index] += count;
            return true;
        }
        let Some(index) = reported(self.job, self.done, failure) else { return false };
        self.met.push((failure.clone(), index));
        self.again[index] += count;
        true
    }

    fn execution(&mut self, execution: &Execution<'_>, statistics: &Statistics) -> Flow {
        self.note_outcome(execution);
        if self.job.draws {
            self.draw(execution);
        }
        if self.interrupted.load(Ordering::Relaxed) {
            self.stop = Some(Stop::Interrupt);
            return Flow::Stop;
        }
        // Reading the clock costs as much as a step: short executions are timed in batches, unless one is enough.
        let within_batch = !statistics.executions.is_multiple_of(64) && !self.length.is_zero();
        if within_batch && execution.events.len() < 200 {
            return Flow::Continue;
        }
        self.watcher.moved(self.done, statistics, self.fresh);
        if self.stop.is_none() && self.has_lasted(statistics) {
            self.stop = Some(Stop::Pause);
            return Flow::Stop;
        }
        Flow::Continue
    }
}
