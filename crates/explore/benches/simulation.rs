//! How busy 10, 100 and 1,000 workers are that share one exploration: `./bench simulation`, or with
//! `cargo bench --bench simulation -- PHILOSOPHERS MICROSECONDS WORKERS` one row of it; with `free` after that, the
//! coordinator needs no time.
//!
//! The search and its division are real: `optimal` on the kit's dining(8), whose traces are those of the Java program,
//! shared by means of [`Trunk`] and [`Sharing`], as by the coordinator of the command line. Only time is not real: the
//! coordinator and each worker have clocks of their own, and what they do takes as long as the constants below say, in
//! microseconds. How long an execution takes is varied, since it depends on the program. A run gives the same rows on any
//! machine.
//!
//! A worker explores some executions ahead. If it is asked to share in the meantime, it goes back to where it was at
//! that time and explores again up to there.
//!
//! A row says how long the exploration lasts; which part of that time workers explore, and which part they explore
//! what counts; how many messages the coordinator hears and sends in a second; which part of the time it is busy with them;
//! how many units there were; how many executions were started in vain; and which parts of the time it took until nine
//! tenths of the workers explored for the first time, and from the last time on.
//!
//! **What it has shown** for 1,000 workers. They explore for 95 % of the time if an execution takes 6 ms, for 89 % of
//! 5.3 s at 3 ms, and for 76 % of 2.5 s at 1.2 ms. A hundred workers explore for more than 99 % at 1.2 ms, and for 75 % at 12 us.
//!
//! *What no division can do.* At 12 us, as in dining(8) itself, all executions together take 18.6 s: 19 ms for each of 1,000
//! workers, and nine tenths leave each of them 2 ms in which it does not explore. Whoever is given a branch waits until somebody
//! has saved it, until it has come and until it is begun: for 0.65 ms if another worker sends it, and for 0.9 ms if the
//! coordinator does. So each can have three branches in all, of which nobody knows the size. That is too little whoever
//! sends them. If workers hand branches to each other, and each of those that have begun leaves one to another, there are 1,000 after
//! ten rounds, which is 5.9 ms later on average: no more than 76 %, with nothing lost after that. If each leaves as many as
//! nine at a time, it takes three rounds: 1.9 ms, and as much is lost again when the branches end, which are not equally large.
//! That all derive the first thousand branches from the root by themselves saves the rounds, and not what comes after them.
//! One coordinator, which needs 0.077 ms to begin a branch, to send it and to hear of it, has no time for more than some 240 branches
//! in 18.6 ms. Such an exploration is one for a single machine.
//!
//! *What the policy does.* Units are large and even enough. What is missing is the coordinator's time: each of some 15,000 units
//! costs it 0.15 ms. In the middle it has time to spare; at the beginning and at the end, everybody wants something at once.
//! So each worker is left alone for the longer the more there are ([`Pace::each`]). If all were asked after
//! 5 ms as where there are few, it would be 85 % at 3 ms, 65 % at 1.2 ms, and half as much at 12 us. A coordinator that needs no time would do better with
//! that, 96 % at 1.2 ms, and worse with the longer time, 84 %: the two belong together.
//! It hears less since workers say of
//! a unit only what it does not know ([`KnownAbove`]): of five units that are done, four come back with nothing to read.
//!
//! *What would be next.* To divide the largest unit first, which nobody knows: that one has lasted long says it only roughly.
//! Or several coordinators, each with a part of the trunk and with workers of its own. Either would matter for explorations
//! of a few seconds by hundreds of workers. Those that last for longer have larger units: what counts is how much there is to do
//! for each worker, here 1,551 executions.

use std::collections::BTreeMap;

use counterpoint_explore::{
    Assignment, KnownAbove, Limits, Pace, ParameterValues, Sharing, Silent, Trunk, TrunkRuns,
    UnitId, WorkUnit, explorer,
};
use counterpoint_model::Bound;
use counterpoint_testkit::{TestProgram, shapes};

/// How long an execution takes, one of dining(8) as a Java program and of programs that take longer, and how many workers
/// there are.
const ROWS: [(f64, Costs, &[usize]); 6] = [
    (12.0, MEASURED, &[10, 100, 1_000]),
    (12.0, FREE, &[100, 1_000]),
    (1_200.0, MEASURED, &[10, 100, 1_000]),
    (1_200.0, FREE, &[1_000]),
    (3_000.0, MEASURED, &[100, 1_000]),
    (6_000.0, MEASURED, &[100, 1_000]),
];

/// What a worker needs to begin a unit: to read it and to follow its prefix. Units that are handed back have 6.6 kB on average,
/// half of them less than 1.8 kB, and are read in 40.
const BEGIN: f64 = 300.0;

/// What a worker needs to write down what is left of its unit and what it has found. The unit alone takes 26 on average.
const SAVE: f64 = 100.0;

/// From one process to another; between machines.
const WAY: f64 = 250.0;

/// What the coordinator needs for messages.
#[derive(Copy, Clone)]
struct Costs {
    /// To hear one: to wake up (5 to 17), to add up what was counted and found (11 to 20), and to see who waits (2 to 11).
    hear: f64,
    /// To send one: to write it (6) and to hand it to the system (8 to 10).
    send: f64,
    /// To read what is left of a unit (34 to 44 for 3 kB) and to divide it (15). Mostly there is nothing to read of a unit that
    /// is done.
    read: f64,
    /// To begin a branch (13 to 16) and to write it down (10).
    begin: f64,
}

/// Processor time of the coordinator's thread, on a machine with two cores and three workers that are busy.
const MEASURED: Costs = Costs { hear: 35.0, send: 16.0, read: 55.0, begin: 26.0 };

/// What no coordinator is better than.
const FREE: Costs = Costs { hear: 0.0, send: 0.0, read: 0.0, begin: 0.0 };

/// At most so many executions are explored ahead at a time.
const AHEAD: u64 = 200;

fn main() {
    let costs = if std::env::args().any(|argument| argument == "free") { FREE } else { MEASURED };
    let mut numbers = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let program = shapes::dining(numbers.next().unwrap_or(8));
    let only = (numbers.next(), numbers.next());
    let all = ROWS.iter().flat_map(|&(time, costs, workers)| {
        workers.iter().map(move |&workers| (time, costs, workers))
    });
    let rows: Vec<(f64, Costs, usize)> = match only {
        (Some(time), Some(workers)) => vec![(time as f64, costs, workers)],
        _ => all.collect(),
    };
    println!(
        "{:>10} {:>8} {:>10} {:>9} {:>6} {:>7} {:>10} {:>6} {:>8} {:>8} {:>6} {:>6}",
        "execution",
        "workers",
        "executions",
        "seconds",
        "busy",
        "useful",
        "messages/s",
        "coord.",
        "units",
        "in vain",
        "start",
        "end"
    );
    for (execution, costs, workers) in rows {
        Simulation::new(&program, workers, execution, costs).run();
    }
}

/// What happens at a time.
enum What {
    /// A worker explores a unit from now on.
    Begin(usize, UnitId, WorkUnit),
    /// A worker has explored what it explored ahead, unless it has been asked to share since.
    Explored(usize, u64),
    /// A worker hears that it is to share so many steps.
    Asked(usize, usize),
    /// The coordinator hears from a worker.
    Report(usize, Report),
    /// The coordinator looks whether somebody can share by now.
    Look,
}

enum Report {
    /// This is left, and the worker waits for what it is to do next.
    Stopped(Option<WorkUnit>),
    /// This is left, and the worker goes on from a depth.
    Shared(WorkUnit, usize),
    Indivisible,
}

#[derive(Default)]
struct Worker {
    unit: Option<UnitId>,
    /// What it explores, unless it waits.
    present: Option<Present>,
    /// When it reports what it has done.
    reports: f64,
    /// How often it began or ceased to explore ahead.
    generation: u64,
    /// From which depth on the unit is its own, and what it need not say of it.
    floor: usize,
    known: KnownAbove,
    /// What it has kept of a unit that it has handed back.
    kept: Option<WorkUnit>,
}

struct Present {
    /// What was left when it began to explore ahead.
    unit: WorkUnit,
    since: f64,
    ahead: Ahead,
}

/// What came of exploring ahead.
struct Ahead {
    left: Option<WorkUnit>,
    executions: u64,
    abandoned: u64,
    /// Whether there is more to do.
    more: bool,
}

/// Times are microseconds since the exploration began.
struct Simulation<'a> {
    program: &'a TestProgram,
    execution: f64,
    costs: Costs,
    trunk: Trunk,
    runs: TrunkRuns<'a>,
    sharing: Sharing<usize>,
    idle: Vec<usize>,
    /// Whether the coordinator looks again by itself.
    looks: bool,
    /// Until when the coordinator has something to do, and how long it has worked.
    occupied: f64,
    coordinated: f64,
    workers: Vec<Worker>,
    events: BTreeMap<(u64, u64), What>,
    sequence: u64,
    /// How many explore, and since when it has been how many.
    busy: usize,
    history: Vec<(f64, usize)>,
    messages: u64,
    executions: u64,
    abandoned: u64,
    units: u64,
}

impl<'a> Simulation<'a> {
    fn new(
        program: &'a TestProgram,
        workers: usize,
        execution: f64,
        costs: Costs,
    ) -> Simulation<'a> {
        Simulation {
            program,
            execution,
            costs,
            trunk: Trunk::new(WorkUnit::whole()),
            runs: TrunkRuns::new(program),
            sharing: Sharing::new(Pace::USUAL),
            idle: (0..workers).rev().collect(),
            looks: false,
            occupied: 0.0,
            coordinated: 0.0,
            workers: (0..workers).map(|_| Worker::default()).collect(),
            events: BTreeMap::new(),
            sequence: 0,
            busy: 0,
            history: Vec::new(),
            messages: 0,
            executions: 0,
            abandoned: 0,
            units: 0,
        }
    }

    fn run(&mut self) {
        self.hand_out(0.0);
        let mut now = 0.0;
        while !self.trunk.is_done() {
            let ((time, _), what) = self.events.pop_first().expect("somebody has what is left");
            now = time as f64 / 1000.0;
            self.happens(what, now);
        }
        let all = now * self.workers.len() as f64;
        let part = |executions: u64| 100.0 * executions as f64 * self.execution / all;
        let (from, to) = self.most_busy().unwrap_or((now, now));
        println!(
            "{:>7} us {:>8} {:>10} {:>9.3} {:>5.1}% {:>6.1}% {:>10.0} {:>5.1}% {:>8} {:>8} {:>5.1}% {:>5.1}%",
            self.execution,
            self.workers.len(),
            self.executions,
            now / 1e6,
            part(self.executions + self.abandoned),
            part(self.executions),
            self.messages as f64 / (now / 1e6),
            100.0 * self.coordinated / now,
            self.units,
            self.abandoned,
            100.0 * from / now,
            100.0 * (now - to) / now,
        );
    }

    fn note_busy(&mut self, busy: usize, now: f64) {
        self.busy = busy;
        self.history.push((now, busy));
    }

    /// From when to when most of the workers explored, if they ever did.
    fn most_busy(&self) -> Option<(f64, f64)> {
        let most = |&&(_, busy): &&(f64, usize)| 10 * busy >= 9 * self.workers.len();
        let (from, _) = self.history.iter().find(most)?;
        let (to, _) = self.history.iter().rfind(most)?;
        Some((*from, *to))
    }

    fn at(&mut self, time: f64, what: What) {
        self.sequence += 1;
        self.events.insert(((time * 1000.0) as u64, self.sequence), what);
    }

    fn happens(&mut self, what: What, now: f64) {
        match what {
            What::Begin(worker, id, unit) => {
                self.note_busy(self.busy + 1, now);
                let own = &mut self.workers[worker];
                if own.unit.replace(id) != Some(id) {
                    own.known = KnownAbove::of(&unit);
                }
                own.floor = unit.floor;
                own.reports = now + Pace::USUAL.part as f64;
                self.explore_ahead(worker, unit, now);
            }
            What::Explored(worker, generation) => {
                if self.workers[worker].generation == generation {
                    self.explored(worker, now);
                }
            }
            What::Asked(worker, wanted) => self.asked(worker, wanted, now),
            What::Report(worker, report) => {
                self.hear(worker, report, now);
                self.hand_out(now);
            }
            What::Look => {
                self.looks = false;
                self.hand_out(now);
            }
        }
    }
}

/// What workers do.
impl Simulation<'_> {
    fn explore(&self, unit: WorkUnit, executions: u64) -> Ahead {
        let floor = unit.floor;
        let result = (explorer("optimal").expect("it is in the table").explore)(Assignment {
            program: self.program,
            unit,
            limits: Limits { executions: Some(executions), ..Limits::default() },
            properties: Vec::new(),
            sink: &mut Silent,
            parameters: ParameterValues::default(),
        });
        let more = result.bounds.contains(&Bound::Executions) && result.unexplored.is_some();
        Ahead {
            left: result.unexplored.map(|left| WorkUnit { floor, ..left }),
            executions: result.statistics.executions,
            abandoned: result.statistics.abandoned,
            more,
        }
    }

    fn explore_ahead(&mut self, worker: usize, unit: WorkUnit, now: f64) {
        let until_report = (self.workers[worker].reports - now) / self.execution;
        let ahead = self.explore(unit.clone(), AHEAD.min(until_report.ceil().max(1.0) as u64));
        let end = now + (ahead.executions + ahead.abandoned) as f64 * self.execution;
        let own = &mut self.workers[worker];
        own.generation += 1;
        own.present = Some(Present { unit, since: now, ahead });
        let generation = own.generation;
        self.at(end, What::Explored(worker, generation));
    }

    fn count(&mut self, ahead: &Ahead) {
        self.executions += ahead.executions;
        self.abandoned += ahead.abandoned;
    }

    /// What was explored ahead is done.
    fn explored(&mut self, worker: usize, now: f64) {
        let own = &mut self.workers[worker];
        let Present { ahead, .. } = own.present.take().expect("who explores has a unit");
        let reports = now >= own.reports;
        self.count(&ahead);
        match ahead.left {
            Some(left) if ahead.more && !reports => self.explore_ahead(worker, left, now),
            left => self.stop(worker, left, now),
        }
    }

    /// A worker reports what is left and waits.
    fn stop(&mut self, worker: usize, left: Option<WorkUnit>, now: f64) {
        self.note_busy(self.busy - 1, now);
        let own = &mut self.workers[worker];
        own.present = None;
        own.generation += 1;
        own.kept.clone_from(&left);
        let left = left.and_then(|left| own.known.reduce(left, own.floor));
        self.at(now + SAVE + WAY, What::Report(worker, Report::Stopped(left)));
    }

    /// A worker is to share: it does so after the present execution, if it can.
    fn asked(&mut self, worker: usize, wanted: usize, now: f64) {
        // What it has done may be on its way.
        let Some(Present { unit, since, ahead }) = &self.workers[worker].present else { return };
        let since = *since;
        let all = ahead.executions + ahead.abandoned;
        let part = (now - since) / (all as f64 * self.execution);
        let executions = (ahead.executions as f64 * part).ceil().max(1.0) as u64;
        if executions >= ahead.executions && !ahead.more {
            // It is about to be done.
            return self.at(now + WAY, What::Report(worker, Report::Indivisible));
        }
        let floor = unit.floor;
        let ahead = self.explore(unit.clone(), executions);
        let stopped = since + (ahead.executions + ahead.abandoned) as f64 * self.execution;
        let stopped = stopped.max(now);
        let left = ahead.left.as_ref().filter(|_| ahead.more);
        let divided = left.and_then(|left| left.floor_if_divided(floor, wanted));
        if divided.is_none() && !left.is_some_and(WorkUnit::forks_here) {
            return self.at(stopped + WAY, What::Report(worker, Report::Indivisible));
        }
        self.count(&ahead);
        match (ahead.left, divided) {
            (Some(left), Some(floor)) => {
                let saved = stopped + SAVE;
                let own = &mut self.workers[worker];
                let above = std::mem::replace(&mut own.floor, floor);
                let news = own.known.reduce(left.clone(), above).expect("something is divided");
                self.at(saved + WAY, What::Report(worker, Report::Shared(news, floor)));
                self.workers[worker].reports = saved + Pace::USUAL.part as f64;
                self.explore_ahead(worker, WorkUnit { floor, ..left }, saved);
            }
            (left, _) => self.stop(worker, left, stopped),
        }
    }
}

/// What the coordinator does, as that of the command line.
impl Simulation<'_> {
    /// The coordinator hears or sends a message, as soon as it can, which costs it so much: when it is done.
    fn spend(&mut self, now: f64, cost: f64) -> f64 {
        self.messages += 1;
        self.occupied = self.occupied.max(now) + cost;
        self.coordinated += cost;
        self.occupied
    }

    fn hear(&mut self, worker: usize, report: Report, now: f64) {
        let id = self.workers[worker].unit.expect("who reports has a unit");
        let Costs { hear, send, read, .. } = self.costs;
        match report {
            Report::Indivisible => {
                let now = self.spend(now, hear);
                self.sharing.has_nothing(worker, now as u64);
            }
            Report::Shared(left, floor) => {
                let now = self.spend(now, hear + read);
                assert!(self.trunk.shared(id, left, floor));
                self.sharing.works(worker, floor, now as u64);
            }
            Report::Stopped(left) => {
                let now = self.spend(now, if left.is_some() { hear + read } else { hear });
                self.sharing.stops(worker);
                let kept = self.workers[worker].kept.take().filter(|_| left.is_some());
                self.trunk.returned(id, left);
                let idle = self.idle.len() + 1;
                if self.trunk.open() < idle {
                    self.trunk.divide_until(idle);
                }
                match (kept, self.trunk.keep(id)) {
                    (Some(left), Some(floor)) => {
                        let arrives = self.spend(now, send) + WAY;
                        self.sharing.works(worker, floor, arrives as u64);
                        self.at(arrives, What::Begin(worker, id, WorkUnit { floor, ..left }));
                    }
                    _ => self.idle.push(worker),
                }
            }
        }
    }

    /// Gives work to all who have none, and asks others to share for those who still have none.
    fn hand_out(&mut self, now: f64) {
        while let Some(&worker) = self.idle.last()
            && let Some((id, unit)) = self.trunk.take(&mut self.runs, &mut |_| {})
        {
            self.idle.pop();
            self.units += 1;
            let begins = self.spend(now, self.costs.begin + self.costs.send) + WAY + BEGIN;
            self.sharing.works(worker, unit.floor, begins as u64);
            self.at(begins, What::Begin(worker, id, unit));
        }
        let now = self.occupied.max(now);
        let wanted = self.sharing.wanted(self.idle.len(), self.trunk.open());
        while let Some((worker, steps)) = self.sharing.ask(wanted, now as u64) {
            let arrives = self.spend(now, self.costs.send) + WAY;
            self.at(arrives, What::Asked(worker, steps));
        }
        if self.sharing.asked() < wanted
            && !self.looks
            && let Some(next) = self.sharing.next_look(wanted)
        {
            self.looks = true;
            self.at((next as f64 + 1.0).max(now), What::Look);
        }
    }
}
