//! Searches by bounds whose trees several workers share give what one process gives alone, whoever is fast and whoever is
//! lost.
//!
//! Workers are simulated in one process. Each has the program for itself, so that it numbers locations and processes
//! in an order of its own. When one asks what others want of it, others work meanwhile, or it is killed: what
//! it has done since its last report is in the common memory and nowhere else. Some searches are stopped now and then, saved,
//! and gone on with, by others who have nothing but what was saved.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use counterpoint_explore::{
    Assignment, Attempt, Beginning, Call, CommonMemory, DataRaces, Divided, Execution, Exploration,
    Explorer, Failure, Flow, Lessons, Limits, ParameterValue, ParameterValues, Portion, Sink,
    Statistics, Team, WorkUnit, default_properties, explorer,
};
use counterpoint_model::{Bound, Finding, FindingKind, Place, Program};
use counterpoint_testkit::TestProgram;
use counterpoint_testkit::random::{self, Features};

/// What came of an exploration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Total {
    executions: u64,
    deadlocks: u64,
    cut: u64,
    ends: BTreeMap<String, u64>,
    findings: BTreeMap<String, u64>,
    bounds: BTreeSet<Bound>,
    /// Whether some may have been overlooked, and not which were seen: that depends on the order in executions.
    races: DataRaces,
}

impl Total {
    fn add(&mut self, ends: BTreeMap<String, u64>, result: &Exploration) {
        assert_eq!(result.internal_errors, Vec::<String>::new());
        self.executions += result.statistics.executions;
        self.deadlocks += result.statistics.deadlocks;
        self.cut += result.statistics.cut;
        for (end, count) in ends {
            *self.ends.entry(end).or_default() += count;
        }
        for found in &result.findings {
            let Finding { kind, name, places, .. } = &found.finding;
            *self.findings.entry(called(*kind, name, places)).or_default() += found.count;
        }
        self.bounds.extend(result.bounds.iter().cloned());
        self.races.add(DataRaces { seen: Vec::new(), ..result.races });
    }

    /// All is done again.
    fn restart(&mut self) {
        let Total { mut findings, bounds, races, .. } = std::mem::take(self);
        findings.values_mut().for_each(|count| *count = 0);
        *self = Total { findings, bounds, races, ..Total::default() };
    }
}

/// What a failure is called.
fn called(kind: FindingKind, name: &str, places: &[Place]) -> String {
    format!("{kind:?} {name} {places:?}")
}

/// A sequence of numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

struct Words(Vec<AtomicU64>);

impl Words {
    fn zero(count: usize) -> Arc<Words> {
        Arc::new(Words((0..count).map(|_| AtomicU64::new(0)).collect()))
    }
}

impl CommonMemory for Words {
    fn words(&self) -> &[AtomicU64] {
        &self.0
    }
}

/// How final states are gathered. Executions that only show a failure do not count.
#[derive(Default)]
struct Ends {
    ends: BTreeMap<String, u64>,
    counted: u64,
}

impl Ends {
    fn note(&mut self, execution: &Execution<'_>, statistics: &Statistics) {
        if std::mem::replace(&mut self.counted, statistics.executions) < statistics.executions {
            *self.ends.entry(execution.run.outcome().unwrap_or_default()).or_default() += 1;
        }
    }

    fn take(&mut self) -> BTreeMap<String, u64> {
        std::mem::take(self).ends
    }
}

/// What is to be explored: by whom, how far, and how the program is made.
struct Setting<'a> {
    entry: &'static Explorer,
    parameters: ParameterValues,
    make: &'a dyn Fn() -> TestProgram,
    limits: Limits,
}

impl Setting<'_> {
    fn explore(&self, program: &TestProgram, unit: WorkUnit, sink: &mut dyn Sink) -> Exploration {
        (self.entry.explore)(Assignment {
            program,
            unit,
            limits: self.limits.clone(),
            properties: default_properties(),
            sink,
            parameters: self.parameters.clone(),
        })
    }
}

/// One who explores alone, for so many executions at most.
struct Alone {
    ends: Ends,
    total: Total,
    most: u64,
}

impl Sink for Alone {
    fn execution(&mut self, execution: &Execution<'_>, statistics: &Statistics) -> Flow {
        self.ends.note(execution, statistics);
        let runs = statistics.executions + statistics.abandoned;
        if runs > self.most { Flow::Stop } else { Flow::Continue }
    }

    fn restart(&mut self) {
        self.ends = Ends::default();
        self.total.restart();
    }
}

/// What comes of it if one process does it all, unless that takes too long.
fn whole(setting: &Setting<'_>, most: u64) -> Option<Total> {
    let program = (setting.make)();
    let mut sink = Alone { ends: Ends::default(), total: Total::default(), most };
    let result = setting.explore(&program, WorkUnit::whole(), &mut sink);
    let ends = sink.ends.take();
    sink.total.add(ends, &result);
    result.unexplored.is_none().then_some(sink.total)
}

/// Those who share the trees of a search.
struct Crew<'a> {
    setting: &'a Setting<'a>,
    /// The program of who has begun the search.
    program: &'a TestProgram,
    memory: RefCell<Arc<Words>>,
    shared: RefCell<Shared>,
}

struct Shared {
    dice: Dice,
    total: Total,
    level: Portion,
    open: Vec<Beginning>,
    lost: Vec<Attempt>,
    lessons: Lessons,
    portions: u64,
    /// How many work at the moment, and how many may.
    working: usize,
    most: usize,
    /// How many may still be killed.
    killable: u32,
    killed: u32,
    given: usize,
    /// How often the search may still be stopped.
    stops: u32,
}

impl Crew<'_> {
    fn dice(&self, limit: u64) -> u64 {
        self.shared.borrow_mut().dice.below(limit)
    }

    /// Somebody works on some of the places.
    fn work(&self) {
        let mut shared = self.shared.borrow_mut();
        let settled = shared.open.is_empty() || shared.lessons.disordered;
        if settled || shared.working >= shared.most {
            return;
        }
        shared.working += 1;
        shared.portions += 1;
        let wanted = 1 + shared.dice.below(4) as usize;
        let places: Vec<Beginning> = {
            let few = wanted.min(shared.open.len());
            shared.open.drain(..few).collect()
        };
        let attempt = Attempt::first_of(shared.portions);
        let portion = Portion {
            beginnings: places.clone(),
            lessons: shared.lessons.clone(),
            attempt,
            lost: shared.lost.clone(),
            ..shared.level.clone()
        };
        drop(shared);
        let program = (self.setting.make)();
        let unit = WorkUnit { portion: Some(Box::new(portion)), ..WorkUnit::whole() };
        let unit = WorkUnit::unpack(unit.pack(self.program.names()).get(), program.names());
        let unit = unit.expect("it was packed here");
        let ends = Ends::default();
        let stopped = false;
        let mut worker = Worker { crew: self, program: &program, places, attempt, ends, stopped };
        let explore = || self.setting.explore(&program, unit, &mut worker);
        match catch_unwind(AssertUnwindSafe(explore)) {
            Ok(mut result) => {
                let left = *result.portion.take().expect("it had a portion");
                worker.take_in(&result, left);
                // Who was stopped has said what is left.
                let mut shared = self.shared.borrow_mut();
                assert!(worker.places.is_empty() || worker.stopped || shared.lessons.disordered);
                shared.open.append(&mut worker.places);
            }
            Err(reason) if reason.is::<Killed>() => {
                let mut shared = self.shared.borrow_mut();
                shared.lost.push(worker.attempt);
                shared.open.append(&mut worker.places);
            }
            Err(reason) => resume_unwind(reason),
        }
        self.shared.borrow_mut().working -= 1;
    }

    /// All works on what is left of a tree.
    fn do_all(&self, left: Portion) -> Divided {
        let Portion { beginnings, lessons, .. } = left;
        let level = Portion { beginnings: Vec::new(), lessons: Lessons::default(), ..left };
        {
            let mut shared = self.shared.borrow_mut();
            (shared.open, shared.lessons) = (beginnings, lessons);
            (shared.lost, shared.level) = (level.lost.clone(), level);
        }
        loop {
            let mut shared = self.shared.borrow_mut();
            let found_out = shared.level.probing && shared.lessons.reached;
            if shared.open.is_empty() || shared.lessons.disordered || found_out {
                return Divided::Done(Box::new(std::mem::take(&mut shared.lessons)));
            }
            let nobody_is_left = shared.killed > 0 && shared.dice.below(20) == 0;
            let stops = shared.stops > 0 && shared.dice.below(10) == 0;
            if nobody_is_left || stops {
                let beginnings = std::mem::take(&mut shared.open);
                let lessons = std::mem::take(&mut shared.lessons);
                let lost = std::mem::take(&mut shared.lost);
                let level = shared.level.clone();
                let rest = Box::new(Portion { beginnings, lessons, lost, ..level });
                if stops {
                    shared.stops -= 1;
                    return Divided::Stopped(Bound::Stopped, rest);
                }
                return Divided::Alone(rest);
            }
            drop(shared);
            self.work();
        }
    }
}

/// Who has begun the search.
struct Coordinator<'c> {
    crew: &'c Crew<'c>,
    ends: Ends,
}

impl Sink for Coordinator<'_> {
    fn execution(&mut self, execution: &Execution<'_>, statistics: &Statistics) -> Flow {
        self.ends.note(execution, statistics);
        let mut shared = self.crew.shared.borrow_mut();
        if shared.stops > 0 && shared.dice.below(3) == 0 {
            shared.stops -= 1;
            return Flow::Stop;
        }
        Flow::Continue
    }

    fn fresh_memory(&mut self, words: Option<usize>) -> Option<Arc<dyn CommonMemory>> {
        let memory = Words::zero(words.unwrap_or(ENOUGH));
        *self.crew.memory.borrow_mut() = Arc::clone(&memory);
        Some(memory)
    }

    fn known(&mut self, failure: &Failure, count: u64) -> bool {
        let place = |&site| self.crew.program.place(site);
        let places: Vec<Place> = failure.sites.iter().map(place).collect();
        let mut shared = self.crew.shared.borrow_mut();
        let found = shared.total.findings.get_mut(&called(failure.kind, &failure.name, &places));
        found.map(|known| *known += count).is_some()
    }

    fn restart(&mut self) {
        self.ends = Ends::default();
        self.crew.shared.borrow_mut().total.restart();
    }

    fn team(&mut self) -> Option<&mut dyn Team> {
        Some(self)
    }
}

impl Team for Coordinator<'_> {
    fn call(&mut self) -> Call {
        // Where searches are stopped, some of them are never shared.
        let sometimes = if self.crew.shared.borrow().most.is_multiple_of(2) { 3 } else { 12 };
        if self.crew.dice(sometimes) == 0 { Call::Divide } else { Call::GoOn }
    }

    fn divide(&mut self, part: Box<Exploration>, left: Portion) -> Divided {
        let ends = self.ends.take();
        self.crew.shared.borrow_mut().total.add(ends, &part);
        self.crew.do_all(left)
    }

    fn give(&mut self, _: Box<Exploration>, _: usize) {
        unreachable!("nobody asks who has begun the search");
    }

    fn memory(&self) -> Option<Arc<dyn CommonMemory>> {
        Some(self.crew.memory.borrow().clone() as _)
    }
}

/// What a worker dies of.
struct Killed;

/// Who works on some places.
struct Worker<'c, 'a> {
    crew: &'c Crew<'a>,
    program: &'c TestProgram,
    places: Vec<Beginning>,
    attempt: Attempt,
    ends: Ends,
    /// Whether it was stopped.
    stopped: bool,
}

impl Worker<'_, '_> {
    /// A report comes to who has begun the search.
    fn take_in(&mut self, part: &Exploration, left: Portion) {
        let left = WorkUnit { portion: Some(Box::new(left)), ..WorkUnit::whole() };
        let left =
            WorkUnit::unpack(left.pack(self.program.names()).get(), self.crew.program.names());
        let left = left.ok().and_then(|unit| unit.portion).expect("it was packed here");
        let mut shared = self.crew.shared.borrow_mut();
        shared.total.add(self.ends.take(), part);
        shared.total.bounds.remove(&Bound::Stopped);
        shared.lessons.add(left.lessons);
        self.places = left.beginnings;
    }
}

impl Sink for Worker<'_, '_> {
    fn execution(&mut self, execution: &Execution<'_>, statistics: &Statistics) -> Flow {
        self.ends.note(execution, statistics);
        let mut shared = self.crew.shared.borrow_mut();
        self.stopped |= shared.stops > 0 && shared.dice.below(4) == 0;
        if self.stopped { Flow::Stop } else { Flow::Continue }
    }

    fn team(&mut self) -> Option<&mut dyn Team> {
        Some(self)
    }
}

impl Team for Worker<'_, '_> {
    fn call(&mut self) -> Call {
        while self.crew.dice(3) == 0 {
            self.crew.work();
            if self.crew.shared.borrow().open.is_empty() {
                break;
            }
        }
        let mut shared = self.crew.shared.borrow_mut();
        if shared.killable > 0 && shared.dice.below(12) == 0 {
            shared.killable -= 1;
            shared.killed += 1;
            drop(shared);
            resume_unwind(Box::new(Killed));
        }
        match shared.dice.below(4) {
            0 => Call::Give(shared.dice.below(4) as usize),
            _ => Call::GoOn,
        }
    }

    fn divide(&mut self, _: Box<Exploration>, left: Portion) -> Divided {
        Divided::Alone(Box::new(left))
    }

    fn give(&mut self, mut part: Box<Exploration>, given: usize) {
        let left = *part.portion.take().expect("it has a portion");
        self.take_in(&part, left);
        self.attempt = self.attempt.next();
        let given = self.places.drain(..given);
        let mut shared = self.crew.shared.borrow_mut();
        shared.given += given.len();
        shared.open.extend(given);
    }

    fn memory(&self) -> Option<Arc<dyn CommonMemory>> {
        Some(self.crew.memory.borrow().clone() as _)
    }
}

/// The same by several, in pieces if it is stopped; how many portions there were, how many places were given, how many
/// workers killed, and how many pieces gone on with.
fn divided(
    setting: &Setting<'_>,
    seed: u64,
    words: usize,
    killable: u32,
    stops: u32,
) -> (Total, [u64; 4]) {
    let mut dice = Dice(seed);
    let most = 2 + dice.below(4) as usize;
    let mut shared = Shared {
        dice,
        total: Total::default(),
        level: Portion::default(),
        open: Vec::new(),
        lost: Vec::new(),
        lessons: Lessons::default(),
        portions: 0,
        working: 0,
        most,
        killable,
        killed: 0,
        given: 0,
        stops,
    };
    let mut saved: Option<String> = None;
    let mut pieces = 0;
    loop {
        let program = (setting.make)();
        let unit = saved.map(|text| WorkUnit::from_json(&text, program.names(), "p"));
        let unit = unit.map_or_else(WorkUnit::whole, |unit| unit.expect("it was saved here"));
        if unit.afresh {
            shared.total.restart();
        }
        shared.most = 1 + shared.dice.below(5) as usize;
        let memory = RefCell::new(Words::zero(words));
        let crew = Crew { setting, program: &program, memory, shared: RefCell::new(shared) };
        let mut coordinator = Coordinator { crew: &crew, ends: Ends::default() };
        let result = setting.explore(&program, unit, &mut coordinator);
        let ends = coordinator.ends.take();
        shared = crew.shared.into_inner();
        shared.total.add(ends, &result);
        let Some(left) = result.unexplored else { break };
        assert!(result.bounds.contains(&Bound::Stopped));
        pieces += u64::from(left.suspended.is_some());
        shared.total.bounds.remove(&Bound::Stopped);
        saved = Some(left.to_json(program.names(), "p").get().to_string());
    }
    // Whoever has found something has run an execution that shows it, whether or not it counts.
    shared.total.findings.values_mut().for_each(|count| *count = (*count).max(1));
    let counts = [shared.portions, shared.given as u64, shared.killed.into(), pieces];
    (shared.total, counts)
}

/// Words of the common memory: enough, or so few that not even the executions find room.
const ENOUGH: usize = 1 << 18;
const FEW: [usize; 3] = [1 << 5, 1 << 9, 1 << 11];

/// Compares one explorer with itself, within bounds from 0 to 2 and without one, on random programs.
fn check(name: &str, features: Features, seeds: std::ops::Range<u64>, words: &[usize], stops: u32) {
    let mut all = [0; 4];
    let mut explorations = 0;
    let mut wrong = Vec::new();
    for seed in seeds {
        for bound in [None, Some(0), Some(1), Some(2)] {
            let make = || random::program(seed, features);
            let parameters = match bound {
                None => ParameterValues::default(),
                Some(bound) => {
                    ParameterValues::default().with("bound", ParameterValue::Number(bound))
                }
            };
            let entry = explorer(name).expect("it is in the table");
            // Every other time executions may be cut.
            let steps = if seed % 2 == 0 { 18 } else { Limits::default().steps };
            let limits = Limits { steps, ..Limits::default() };
            let setting = Setting { entry, parameters, make: &make, limits };
            let Some(expected) = whole(&setting, 2_000) else { continue };
            explorations += 1;
            for (number, killable) in [0, 1, 2, 5].into_iter().enumerate() {
                let words = words[(seed as usize + number) % words.len()];
                let own = 1_000 * seed + 10 * number as u64 + bound.unwrap_or(7);
                let (found, counts) = divided(&setting, own, words, killable, stops);
                all.iter_mut().zip(counts).for_each(|(all, own)| *all += own);
                if found != expected {
                    let size = make().to_string().lines().count();
                    let what = format!("{found:#?} instead of {expected:#?}");
                    wrong.push((size, seed, bound, killable, what));
                }
            }
        }
    }
    println!(
        "{explorations} explorations; portions, places given, workers killed, pieces: {all:?}"
    );
    wrong.sort();
    if let Some((_, seed, bound, killable, what)) = wrong.first() {
        let seeds: BTreeSet<u64> = wrong.iter().map(|(_, seed, ..)| *seed).collect();
        let program = random::program(*seed, features);
        panic!(
            "{} of {explorations} disagree (seeds {seeds:?}); seed {seed} within {bound:?} with {killable} killed: \
             {what}\n{program}",
            wrong.len()
        );
    }
    let wanted = if stops > 0 { 4 } else { 3 };
    let happened = all[..wanted].iter().all(|&count| count > 0);
    assert!(explorations > 0 && happened, "{explorations} {all:?}");
}

/// How many random programs there are: ten times as many where there is time.
fn count(usual: u64) -> u64 {
    if std::env::var_os("COUNTERPOINT_LONG").is_some() { 10 * usual } else { usual }
}

#[test]
fn preemptions_are_the_same_for_any_number_of_workers() {
    check("preemptions", Features::WITHOUT_INPUTS, 0..count(60), &[ENOUGH], 0);
}

#[test]
fn preemptions_are_the_same_on_programs_with_inputs() {
    check("preemptions", Features::ALL, 0..count(20), &[ENOUGH], 0);
}

#[test]
fn preemptions_are_the_same_if_there_is_little_common_memory() {
    check("preemptions", Features::WITHOUT_INPUTS, 100..100 + count(40), &FEW, 0);
}

#[test]
fn interference_is_the_same_for_any_number_of_workers() {
    check("interference", Features::WITHOUT_INPUTS, 0..count(40), &[ENOUGH], 0);
}

#[test]
fn interference_is_the_same_on_programs_with_inputs() {
    check("interference", Features::ALL, 0..count(20), &[ENOUGH], 0);
}

#[test]
fn preemptions_that_are_stopped_and_gone_on_with_are_the_same() {
    check("preemptions", Features::WITHOUT_INPUTS, 200..200 + count(30), &[ENOUGH], 3);
    check("preemptions", Features::ALL, 100..100 + count(10), &[ENOUGH], 100);
}

#[test]
fn preemptions_that_are_stopped_are_the_same_if_there_is_little_common_memory() {
    check("preemptions", Features::WITHOUT_INPUTS, 300..300 + count(30), &FEW, 5);
}

#[test]
fn interference_that_is_stopped_and_gone_on_with_is_the_same() {
    check("interference", Features::WITHOUT_INPUTS, 100..100 + count(20), &[ENOUGH], 3);
    check("interference", Features::ALL, 100..100 + count(10), &[ENOUGH], 100);
}
