//! Work that several workers share gives what one of them gives alone, whoever is fast and whoever is lost.
//!
//! Workers are simulated: each takes a unit, and later, when others have taken and returned theirs, works on it
//! for some executions. So what a worker knows of the trunk is as old as chance will have it.

use crate::common;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use common::parameters;
use counterpoint_explore::{
    Assignment, EXPLORERS, Execution, Exploration, Explorer, Flow, HandedOver, KnownAbove, Limits,
    Sink, Statistics, Trunk, TrunkRuns, UnitId, WorkUnit, default_properties,
};
use counterpoint_model::{Bound, Program};
use counterpoint_testkit::random::{self, Features};
use counterpoint_testkit::{TestProgram, shapes};

/// The explorers whose work can be divided into branches.
const DIVISIBLE: [&str; 4] = ["exhaustive", "guided", "dpor", "optimal"];

/// What came of an exploration.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Total {
    executions: u64,
    deadlocks: u64,
    cut: u64,
    ends: BTreeMap<String, u64>,
    findings: BTreeMap<String, u64>,
    bounds: BTreeSet<Bound>,
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
            let finding = &found.finding;
            let name = format!("{:?} {} {:?}", finding.kind, finding.message, finding.places);
            *self.findings.entry(name).or_default() += found.count;
        }
        let stops = |bound: &&Bound| !matches!(bound, Bound::Executions | Bound::Stopped);
        self.bounds.extend(result.bounds.iter().filter(stops).cloned());
    }
}

/// How two totals differ, in a line.
fn differences(expected: &Total, found: &Total) -> String {
    let counts = |total: &Total| (total.executions, total.deadlocks, total.cut, total.ends.len());
    let missing = expected.ends.iter().find(|(end, count)| found.ends.get(*end) != Some(count));
    format!(
        "{:?} instead of {:?} executions, deadlocks, cut, ends; {:?} instead of {:?}; for example {missing:?}",
        counts(found),
        counts(expected),
        found.findings,
        expected.findings
    )
}

#[derive(Default)]
struct Ends(BTreeMap<String, u64>);

impl Sink for Ends {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        *self.0.entry(execution.run.outcome().unwrap_or_default()).or_default() += 1;
        Flow::Continue
    }
}

fn explore(
    entry: &Explorer,
    program: &TestProgram,
    unit: WorkUnit,
    executions: Option<u64>,
    total: &mut Total,
) -> Exploration {
    let mut sink = Ends::default();
    let result = (entry.explore)(Assignment {
        program,
        unit,
        limits: Limits { executions, ..Limits::default() },
        properties: default_properties(),
        sink: &mut sink,
        parameters: parameters(entry),
    });
    total.add(sink.0, &result);
    result
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

/// Workers on a program, and what they share.
struct Workers<'a> {
    entry: &'static Explorer,
    program: &'a TestProgram,
    most: usize,
    shared: RefCell<Shared<'a>>,
}

struct Shared<'a> {
    trunk: Trunk,
    runs: TrunkRuns<'a>,
    dice: Dice,
    total: Total,
    abandoned: u64,
    /// Units that somebody has taken.
    busy: Vec<Taken>,
    /// How many workers wait inside of the hand-over of another one.
    waiting: usize,
}

/// A unit that somebody has taken, and what need not be handed back of it.
struct Taken {
    id: UnitId,
    unit: WorkUnit,
    known: KnownAbove,
}

/// A worker that goes on with its unit after it has handed over what it did, if chance will have it. Others work
/// meanwhile.
struct Worker<'w, 'a> {
    workers: &'w Workers<'a>,
    id: UnitId,
    floor: usize,
    known: KnownAbove,
    ends: Ends,
    handed_over: bool,
}

impl Sink for Worker<'_, '_> {
    fn execution(&mut self, execution: &Execution<'_>, statistics: &Statistics) -> Flow {
        self.ends.execution(execution, statistics)
    }

    fn hand_over(&mut self, part: Box<Exploration>) -> HandedOver {
        self.handed_over = true;
        let mut shared = self.workers.shared.borrow_mut();
        let ends = std::mem::take(&mut self.ends.0);
        shared.take_in(self.id, ends, &part, &mut self.known, self.floor);
        if shared.dice.below(3) == 0 {
            return HandedOver::Ended(part);
        }
        let Some(floor) = shared.trunk.keep(self.id) else { return HandedOver::Ended(part) };
        self.handed_over = false;
        self.floor = floor;
        let others = shared.dice.below(3);
        shared.waiting += 1;
        drop(shared);
        for _ in 0..others {
            self.workers.go_on();
        }
        let mut shared = self.workers.shared.borrow_mut();
        shared.waiting -= 1;
        HandedOver::GoOn { floor, executions: Some(1 + shared.dice.below(6)) }
    }
}

impl Shared<'_> {
    /// What came of a unit.
    fn take_in(
        &mut self,
        id: UnitId,
        ends: BTreeMap<String, u64>,
        part: &Exploration,
        known: &mut KnownAbove,
        floor: usize,
    ) {
        self.total.add(ends, part);
        self.abandoned += part.statistics.abandoned;
        let left = part.unexplored.clone().and_then(|left| known.reduce(left, floor));
        if self.trunk.returned(id, left) && self.dice.below(4) > 0 {
            self.trunk.divide(id);
        }
    }
}

impl Shared<'_> {
    /// A worker that can share leaves steps to others, if chance will have it, and goes on with the rest later.
    fn work_and_share(&mut self, entry: &Explorer, program: &TestProgram, taken: Taken) {
        let Taken { id, unit, mut known } = taken;
        let floor = unit.floor;
        let executions = Some(1 + self.dice.below(6));
        let result = explore(entry, program, unit, executions, &mut self.total);
        self.abandoned += result.statistics.abandoned;
        let wanted = 1 + self.dice.below(3) as usize;
        let left = result.unexplored;
        let divided = left.as_ref().and_then(|left| left.floor_if_divided(floor, wanted));
        let reported = left.clone().and_then(|left| known.reduce(left, floor));
        match divided {
            Some(floor) if self.dice.below(3) > 0 => {
                let unit = WorkUnit { floor, ..left.expect("it was divided") };
                self.busy.push(Taken { id, unit, known });
                assert!(self.trunk.shared(id, reported.expect("it was divided"), floor));
            }
            _ => {
                self.trunk.returned(id, reported);
            }
        }
    }
}

impl Workers<'_> {
    /// Something happens: a unit is taken, or somebody works on one, or is lost.
    fn go_on(&self) {
        let mut guard = self.shared.borrow_mut();
        let shared = &mut *guard;
        if shared.busy.len() + shared.waiting < self.most && shared.trunk.has_open() {
            let bounds = &mut shared.total.bounds;
            let taken = shared.trunk.take(&mut shared.runs, &mut |bound| {
                bounds.insert(bound);
            });
            shared.busy.extend(taken.map(|(id, unit)| {
                let known = KnownAbove::of(&unit);
                Taken { id, unit, known }
            }));
            if shared.dice.below(3) > 0 {
                return;
            }
        }
        if shared.busy.is_empty() {
            return;
        }
        if shared.waiting == 0 && shared.dice.below(40) == 0 {
            // Everybody stops without having done anything, and somebody goes on from what was saved.
            shared.busy.clear();
            let text = shared.trunk.to_json(self.program.names(), &self.program.fingerprint());
            shared.trunk = Trunk::from_json(text.get(), self.program).unwrap();
            return;
        }
        let chosen = shared.dice.below(shared.busy.len() as u64) as usize;
        let Taken { id, unit, known } = shared.busy.swap_remove(chosen);
        if shared.dice.below(8) == 0 {
            shared.trunk.lost(id);
            return;
        }
        let unit = WorkUnit::unpack(unit.pack(self.program.names()).get(), self.program.names());
        let unit = unit.expect("it was packed");
        let executions = Some(1 + shared.dice.below(6));
        if shared.dice.below(4) == 0 {
            shared.work_and_share(self.entry, self.program, Taken { id, unit, known });
            return;
        }
        drop(guard);
        let (floor, ends) = (unit.floor, Ends::default());
        let mut sink = Worker { workers: self, id, floor, known, ends, handed_over: false };
        let result = (self.entry.explore)(Assignment {
            program: self.program,
            unit,
            limits: Limits { executions, ..Limits::default() },
            properties: default_properties(),
            sink: &mut sink,
            parameters: parameters(self.entry),
        });
        if !sink.handed_over {
            let Worker { floor, mut known, ends, .. } = sink;
            self.shared.borrow_mut().take_in(id, ends.0, &result, &mut known, floor);
        }
    }
}

/// The same by so many workers; also how many executions were given up.
fn divided(
    entry: &'static Explorer,
    program: &TestProgram,
    most: usize,
    seed: u64,
) -> (Total, u64) {
    let mut dice = Dice(seed);
    let mut total = Total::default();
    let alone = dice.below(3).checked_sub(1);
    let start = alone
        .map(|more| explore(entry, program, WorkUnit::whole(), Some(1 + 4 * more), &mut total));
    let Some(unit) = start.map_or(Some(WorkUnit::whole()), |result| result.unexplored) else {
        return (total, 0);
    };
    let (trunk, runs) = (Trunk::new(unit), TrunkRuns::new(program));
    let (abandoned, busy, waiting) = (0, Vec::new(), 0);
    let shared = RefCell::new(Shared { trunk, runs, dice, total, abandoned, busy, waiting });
    let workers = Workers { entry, program, most, shared };
    while !workers.shared.borrow().trunk.is_done() {
        workers.go_on();
    }
    let shared = workers.shared.into_inner();
    assert!(shared.busy.is_empty());
    (shared.total, shared.abandoned)
}

/// Compares, if the program has at most so many executions; how many were given up besides.
fn check(program: &TestProgram, most: u64, seed: u64) -> u64 {
    let mut wasted = 0;
    for name in DIVISIBLE {
        let entry = EXPLORERS.iter().find(|entry| entry.name == name).unwrap();
        let mut whole = Total::default();
        let limit = Some(most);
        let result = explore(entry, program, WorkUnit::whole(), limit, &mut whole);
        if result.unexplored.is_some() {
            continue;
        }
        for workers in [1, 2, 3, 8] {
            let (found, abandoned) = divided(entry, program, workers, seed + workers as u64);
            let what = differences(&whole, &found);
            assert!(found == whole, "{name} by {workers}: {what} on\n{program}");
            if name == "optimal" {
                wasted += abandoned;
            }
        }
    }
    wasted
}

/// How many random programs there are: ten times as many where there is time.
fn count(usual: u64) -> u64 {
    if std::env::var_os("COUNTERPOINT_LONG").is_some() { 10 * usual } else { usual }
}

#[test]
fn shapes_are_the_same_for_any_number_of_workers() {
    for program in [shapes::fib(2), shapes::dining(3), shapes::lock(3), shapes::pairs(2)] {
        (0..4).for_each(|seed| {
            check(&program, 400, 100 * seed);
        });
    }
}

/// Where looking at each race once is not enough.
#[test]
#[ignore = "long"]
fn philosophers_who_eat_unequally_are_the_same_for_any_number_of_workers() {
    let program = shapes::dining_often(&[1, 2, 1, 2, 1, 2, 2, 2]);
    let optimal = EXPLORERS.iter().find(|entry| entry.name == "optimal").unwrap();
    let (found, _) = divided(optimal, &program, 3, 1);
    assert_eq!((found.executions, found.deadlocks), (25_380 + 52, 52));
}

#[test]
fn random_programs_are_the_same_for_any_number_of_workers() {
    let mut wasted = 0;
    for seed in 0..count(60) {
        wasted += check(&random::program(seed, Features::WITHOUT_INPUTS), 300, seed);
    }
    println!("{wasted} executions given up");
}

#[test]
fn random_programs_with_inputs_are_the_same_for_any_number_of_workers() {
    for seed in 0..count(30) {
        check(&random::program(seed, Features::ALL), 60, seed);
    }
}
