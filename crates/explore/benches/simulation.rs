//! How busy 10, 100 and 1,000 workers are that share one exploration: `./bench simulation [-- PHILOSOPHERS]`.
//!
//! The search and its division are real: the kit's dining(8), whose traces are those of the Java program, shared by
//! means of [`Trunk`] and by the policy of the coordinator. (The explorer is `dpor`, whose work is quicker to save than that
//! of `optimal`, since here it is saved all the time.) Only time is not real: each worker has a clock of its own, and
//! messages take as long as they were measured to take on two cores. Figures that were measured, in microseconds, are
//! constants below; how long an execution takes is varied, since it depends on the program.
//!
//! A row says how long the exploration lasts, which part of that time workers explore, how many messages the coordinator hears and sends in a second, which part of the time it is busy, and
//! how many executions were started in vain.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use counterpoint_explore::{
    Assignment, Limits, ParameterValues, Silent, Trunk, TrunkRuns, UnitId, WorkUnit, explorer,
};
use counterpoint_model::Bound;
use counterpoint_testkit::{TestProgram, shapes};

/// An execution of dining(8) as a Java program; and of programs that take longer.
const EXECUTIONS: [f64; 3] = [11.0, 110.0, 1100.0];

/// What a worker needs to begin a unit: to read it and to follow its prefix.
const BEGIN: f64 = 300.0;

/// From one process to another; between machines.
const WAY: f64 = 250.0;

/// What the coordinator needs to hear or send a message.
const MESSAGE: f64 = 30.0;

/// What it needs besides to divide a unit or to begin a branch.
const DIVIDE: f64 = 50.0;

/// Who has worked for less than this is not asked to share, as in the coordinator.
const LEAST: f64 = 5_000.0;
const LEAST_FOR_EACH: f64 = 200.0;

/// Who works for this long reports, as in the coordinator.
const PART: f64 = 1_000_000.0;

/// Who waits for work looks again after this.
const PACE: f64 = 1_000.0;

/// So many executions are explored at a time: a worker hears that it is to share after them.
const QUANTUM: u64 = 40;

fn main() {
    let number = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let program = shapes::dining(number.unwrap_or(8));
    println!(
        "{:>10} {:>8} {:>10} {:>10} {:>6} {:>12} {:>12} {:>6} {:>9}",
        "execution",
        "workers",
        "executions",
        "seconds",
        "busy",
        "messages",
        "messages/s",
        "coord.",
        "abandoned"
    );
    for execution in EXECUTIONS {
        for workers in [10, 100, 1000] {
            Simulation::new(&program, workers, execution).run();
        }
    }
}

/// Something that happens at a time, in nanoseconds.
type Event = (Reverse<(u64, u64)>, What);

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// A worker goes on.
    Work(usize),
    /// The coordinator hears what is left of a worker's unit.
    Hear(usize),
    /// It looks whether somebody can share by now.
    Look,
}

#[derive(Default)]
struct Worker {
    unit: Option<(UnitId, WorkUnit)>,
    /// What is left, on its way to the coordinator.
    left: Option<WorkUnit>,
    since: f64,
    asked: Option<f64>,
}

struct Simulation<'a> {
    program: &'a TestProgram,
    execution: f64,
    trunk: Trunk,
    runs: TrunkRuns<'a>,
    workers: Vec<Worker>,
    idle: Vec<usize>,
    events: BinaryHeap<Event>,
    sequence: u64,
    /// Until when the coordinator is busy, and for how long it was.
    busy_until: f64,
    coordinated: f64,
    messages: u64,
    executions: u64,
    abandoned: u64,
    /// Whether the coordinator is going to look.
    looks: bool,
}

impl<'a> Simulation<'a> {
    fn new(program: &'a TestProgram, workers: usize, execution: f64) -> Simulation<'a> {
        Simulation {
            program,
            execution,
            trunk: Trunk::new(WorkUnit::whole()),
            runs: TrunkRuns::new(program),
            workers: (0..workers).map(|_| Worker::default()).collect(),
            idle: (0..workers).rev().collect(),
            events: BinaryHeap::new(),
            sequence: 0,
            busy_until: 0.0,
            coordinated: 0.0,
            messages: 0,
            executions: 0,
            abandoned: 0,
            looks: false,
        }
    }

    fn run(&mut self) {
        self.hand_out(0.0);
        let mut now = 0.0;
        while let Some((Reverse((time, _)), what)) = self.events.pop() {
            now = time as f64 / 1000.0;
            match what {
                What::Work(worker) => self.work(worker, now),
                What::Hear(worker) => self.hear(worker, now),
                What::Look => {
                    self.looks = false;
                    self.hand_out(now);
                }
            }
        }
        assert!(self.trunk.is_done());
        let count = self.workers.len();
        let explored = (self.executions + self.abandoned) as f64 * self.execution;
        let busy = explored / (now * count as f64);
        println!(
            "{:>7} us {:>8} {:>10} {:>10.3} {:>5.1}% {:>12} {:>12.0} {:>5.1}% {:>9}",
            self.execution,
            count,
            self.executions,
            now / 1e6,
            100.0 * busy,
            self.messages,
            self.messages as f64 / (now / 1e6),
            100.0 * self.coordinated / now,
            self.abandoned
        );
    }

    fn at(&mut self, time: f64, what: What) {
        self.sequence += 1;
        self.events.push((Reverse(((time * 1000.0) as u64, self.sequence)), what));
    }

    /// The coordinator does something, as soon as it can; when it is done.
    fn coordinate(&mut self, now: f64, cost: f64) -> f64 {
        self.busy_until = self.busy_until.max(now) + cost;
        self.coordinated += cost;
        self.busy_until
    }

    fn work(&mut self, number: usize, now: f64) {
        let worker = &mut self.workers[number];
        let (id, unit) = worker.unit.take().expect("who works has a unit");
        let asked = worker.asked.is_some_and(|at| at <= now);
        if asked || now - worker.since >= PART {
            worker.left = Some(unit);
            worker.unit = Some((id, WorkUnit::whole()));
            return self.at(now + WAY, What::Hear(number));
        }
        let floor = unit.floor;
        let result = (explorer("dpor").expect("it is in the table").explore)(Assignment {
            program: self.program,
            unit,
            limits: Limits { executions: Some(QUANTUM), ..Limits::default() },
            properties: Vec::new(),
            sink: &mut Silent,
            parameters: ParameterValues::default(),
        });
        let (executions, abandoned) = (result.statistics.executions, result.statistics.abandoned);
        self.executions += executions;
        self.abandoned += abandoned;
        let end = now + (executions + abandoned) as f64 * self.execution;
        let stopped = result.bounds.contains(&Bound::Executions);
        let worker = &mut self.workers[number];
        match result.unexplored {
            Some(left) if stopped => {
                worker.unit = Some((id, WorkUnit { floor, ..left }));
                self.at(end, What::Work(number));
            }
            left => {
                worker.left = left;
                worker.unit = Some((id, WorkUnit::whole()));
                self.at(end + WAY, What::Hear(number));
            }
        }
    }

    fn hear(&mut self, number: usize, now: f64) {
        self.messages += 1;
        let now = self.coordinate(now, MESSAGE + DIVIDE);
        let worker = &mut self.workers[number];
        let (id, _) = worker.unit.take().expect("who reports has a unit");
        let left = worker.left.take();
        let kept = left.clone();
        worker.asked = None;
        self.trunk.returned(id, left);
        let wanted = self.idle.len() + 1;
        if self.trunk.open() < wanted {
            self.trunk.divide_until(wanted);
        }
        match (self.trunk.keep(id), kept) {
            (Some(floor), Some(kept)) => {
                let unit = WorkUnit { floor, ..kept };
                self.send(number, (id, unit), now, 0.0);
            }
            _ => self.idle.push(number),
        }
        self.hand_out(now);
    }

    fn send(&mut self, number: usize, unit: (UnitId, WorkUnit), now: f64, begin: f64) {
        self.messages += 1;
        let sent = self.coordinate(now, MESSAGE);
        let worker = &mut self.workers[number];
        worker.unit = Some(unit);
        worker.since = sent + WAY;
        self.at(sent + WAY + begin, What::Work(number));
    }

    /// Gives work to all who have none, and asks others to share for those who still have none.
    fn hand_out(&mut self, now: f64) {
        let mut waiting = Vec::new();
        while let Some(number) = self.idle.pop() {
            match self.trunk.take(&mut self.runs, &mut |_| {}) {
                Some(unit) => {
                    let ready = self.coordinate(now, DIVIDE);
                    self.send(number, unit, ready, BEGIN);
                }
                None => {
                    waiting.push(number);
                    break;
                }
            }
        }
        self.idle.extend(waiting);
        let (workers, trunk) = (&self.workers, &self.trunk);
        let least = LEAST.max(LEAST_FOR_EACH * (workers.len() - self.idle.len()) as f64);
        let able = |worker: &Worker| worker.asked.is_none() && now - worker.since >= least;
        let mut able: Vec<(usize, u64, usize)> = (0..workers.len())
            .filter(|&number| able(&workers[number]))
            .filter_map(|number| {
                let (id, _) = workers[number].unit.as_ref()?;
                Some((trunk.depth(*id), workers[number].since as u64, number))
            })
            .collect();
        able.sort_unstable();
        for (_, _, number) in able.into_iter().take(self.idle.len()) {
            self.messages += 1;
            let sent = self.coordinate(now, MESSAGE);
            self.workers[number].asked = Some(sent + WAY);
        }
        if !self.idle.is_empty() && !self.looks && !self.trunk.is_done() {
            self.looks = true;
            self.at(self.busy_until.max(now) + PACE, What::Look);
        }
    }
}
