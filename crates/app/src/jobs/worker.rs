//! Explores units for a coordinator: a copy of its process ([`fork`](super::fork)), or on another machine the command
//! `counterpoint worker`, from standard input to standard output.
//!
//! A thread reads orders, so that a unit can be paused while it is worked on; when there are no more, the coordinator is
//! gone and the worker ends. What a finding is called is remembered, so that each is confirmed once.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use counterpoint_explore::{
    Call, Division, EXPLORERS, Found, KnownAbove, Limits, PROPERTIES, Portion, Statistics, WorkUnit,
};
use counterpoint_model::{Bound, Finding, Interrupt, Program};

use super::fork;
use super::protocol::{Answer, Draw, GoOn, Order, Report, Task, Work};
use crate::front_end::{self, FrontEnd};
use crate::job::{self, Job, NextPart, Tally, Watcher};
use crate::jobs;
use crate::trouble::Trouble;
use crate::written::WrittenFinding;

/// For tests: `SEED,MILLISECONDS,PERCENT`. Each report waits up to so long, and of so many in a hundred units the
/// worker dies before it reports; with a hundred or more, of all of them.
pub const FAULTS: &str = "COUNTERPOINT_TEST_FAULTS";

static PAUSE: AtomicBool = AtomicBool::new(false);
/// How many steps are to be left to others, if somebody waits for work.
static SHARE: AtomicUsize = AtomicUsize::new(0);
static STOP: AtomicBool = AtomicBool::new(false);

/// The way to the coordinator.
struct Connection {
    orders: Receiver<Order>,
    answers: Box<dyn Write>,
}

impl Connection {
    fn new(orders: impl BufRead + Send + 'static, answers: impl Write + 'static) -> Option<Self> {
        let (sender, heard) = channel();
        let read = move || read(orders, &sender);
        // Without a thread that reads there is nothing to do.
        std::thread::Builder::new().name("orders".into()).spawn(read).ok()?;
        Some(Connection { orders: heard, answers: Box::new(answers) })
    }

    fn say(&mut self, answer: &Answer) {
        let mut line = serde_json::to_string(answer).expect("plain data serialises");
        line.push('\n');
        // Whoever does not listen any more has ended.
        if self.answers.write_all(line.as_bytes()).and_then(|()| self.answers.flush()).is_err() {
            fork::leave();
        }
    }
}

/// Reads orders. When there are no more, the coordinator has ended, and so does this process.
fn read(orders: impl BufRead, sender: &Sender<Order>) {
    for line in orders.lines() {
        let order = line.ok().and_then(|line| serde_json::from_str(&line).ok());
        match order {
            Some(Order::Pause) => PAUSE.store(true, Ordering::Relaxed),
            Some(Order::Share(steps)) => {
                SHARE.store(steps, Ordering::Relaxed);
                PAUSE.store(true, Ordering::Relaxed);
            }
            Some(Order::Stop) => {
                PAUSE.store(true, Ordering::Relaxed);
                STOP.store(true, Ordering::Relaxed);
            }
            Some(order) => {
                SHARE.store(0, Ordering::Relaxed);
                PAUSE.store(false, Ordering::Relaxed);
                if sender.send(order).is_err() {
                    break;
                }
            }
            None => break,
        }
    }
    fork::leave();
}

/// Works for the process that this one is a copy of, until there are no more orders.
pub fn serve(job: &Job<'_>, connection: UnixStream) {
    let limits = Limits {
        steps: job.limits.steps,
        interrupt: Interrupt::asking(reason),
        ..Limits::default()
    };
    let job = Job { limits, draws: false, workers: None, ..job.clone() };
    let Ok(answers) = connection.try_clone() else { return };
    let Some(mut connection) = Connection::new(BufReader::new(connection), answers) else { return };
    work(&job, &mut connection);
}

/// Works until there are no more orders.
pub fn run(front_ends: &[FrontEnd]) -> Result<u8, Trouble> {
    let orders = BufReader::new(std::io::stdin());
    let Some(mut connection) = Connection::new(orders, std::io::stdout()) else {
        return Err(Trouble::new("a worker cannot be started: no thread"));
    };
    let Ok(Order::Load(task)) = connection.orders.recv() else { return Ok(0) };
    let loaded = front_end::load(front_ends, &task.program);
    let (_, loaded) = match loaded {
        Ok(loaded) => loaded,
        Err(trouble) => {
            connection.say(&Answer::Failed(trouble.message));
            return Ok(0);
        }
    };
    let program = &*loaded.program;
    match job(program, &task) {
        Ok(job) => work(&job, &mut connection),
        Err(message) => connection.say(&Answer::Failed(message)),
    }
    Ok(0)
}

fn reason() -> Option<Bound> {
    STOP.load(Ordering::Relaxed).then_some(Bound::Stopped)
}

fn job<'a>(program: &'a dyn Program, task: &Task) -> Result<Job<'a>, String> {
    if program.fingerprint() != task.fingerprint {
        return Err("the program has changed".to_string());
    }
    let explorer = EXPLORERS.iter().find(|entry| entry.name == task.explorer);
    let asked = |name: &str| task.properties.iter().any(|own| own == name);
    Ok(Job {
        program,
        explorer: explorer.ok_or_else(|| format!("there is no explorer `{}`", task.explorer))?,
        properties: PROPERTIES.iter().filter(|entry| asked(entry.name)).collect(),
        limits: Limits {
            steps: task.steps,
            interrupt: Interrupt::asking(reason),
            ..Limits::default()
        },
        parameters: task.parameters.clone(),
        stop_at_first: task.stop_at_first,
        draws: false,
        explorer_chosen: true,
        workers: None,
        memory: None,
    })
}

fn work(job: &Job<'_>, connection: &mut Connection) {
    connection.say(&Answer::Ready);
    let mut worker = Worker {
        job,
        connection,
        faults: Faults::of_environment(),
        known: Vec::new(),
        told: 0,
        number: 0,
        losses: 0,
        floor: 0,
        known_above: KnownAbove::default(),
        length: Duration::ZERO,
        started: Instant::now(),
        next: None,
    };
    while let Some(order) = worker.next_order() {
        worker.started = Instant::now();
        match order {
            Order::Work(work) => match WorkUnit::unpack(work.unit.get(), job.program.names()) {
                Ok(unit) => worker.explore(&work, unit),
                Err(error) => return worker.connection.say(&Answer::Failed(error.to_string())),
            },
            Order::Draw(draw) => {
                let mut report = drawn(job, &draw, &mut worker.known);
                report.microseconds = worker.started.elapsed().as_micros() as u64;
                worker.connection.say(&Answer::Report(Box::new(report)));
            }
            Order::GoOn(_) | Order::Load(_) | Order::Pause | Order::Share(_) | Order::Stop => {}
        }
    }
}

/// With which part of what is left a worker that reports goes on by itself.
enum Kept {
    Nothing,
    /// From this depth on.
    From(usize),
    /// All but the first so many places.
    AllBut(usize),
}

/// Who works on one unit after another. It keeps the search of a unit of which it has reported a part, since it mostly
/// goes on with the rest.
struct Worker<'w> {
    job: &'w Job<'w>,
    connection: &'w mut Connection,
    faults: Faults,
    /// What was found so far, with no executions.
    known: Vec<Found>,
    /// How many of these the coordinator knows.
    told: usize,
    /// The present unit, and how many workers were lost over it.
    number: u64,
    losses: u32,
    /// From which depth on the unit is this worker's, and how long it works before it reports.
    floor: usize,
    /// What the coordinator need not be told again.
    known_above: KnownAbove,
    length: Duration,
    started: Instant,
    /// An order that was met while a search was kept.
    next: Option<Order>,
}

impl Worker<'_> {
    fn next_order(&mut self) -> Option<Order> {
        self.next.take().or_else(|| self.connection.orders.recv().ok())
    }

    /// Works on a unit, and on what is left of it as long as nothing else is wanted.
    fn explore(&mut self, work: &Work, unit: WorkUnit) {
        let job = self.job;
        (self.number, self.losses) = (work.number, work.losses);
        self.floor = unit.floor;
        self.known_above = KnownAbove::of(&unit);
        self.length = Duration::from_millis(work.milliseconds);
        self.faults.strike_before(self.losses);
        if job.stop_at_first {
            // What ends one unit ends another.
            self.known.clear();
        }
        self.told = self.known.len();
        let mut tally = Tally { findings: std::mem::take(&mut self.known), ..Tally::default() };
        let time = work.time.map(Duration::from_millis);
        let limits = Limits { executions: work.executions, time, ..job.limits.clone() };
        // Who shares a tree tells others between two graphs what they want to know, and does not stop for it.
        let pause = if jobs::shares_trees(job) { &STOP } else { &PAUSE };
        let ended = job::part(job, &mut tally, unit, limits, self.length, pause, self);
        let portion =
            ended.portion.map(|left| WorkUnit { portion: Some(left), ..WorkUnit::whole() });
        if portion.is_some() || !ended.paused || ended.left.is_some() {
            self.report(&mut tally, portion.or(ended.left), Kept::Nothing);
        }
        self.known = tally.findings;
    }

    /// Reports what a part has come to, of which nothing but the findings is kept, and with what the worker goes on by
    /// itself.
    fn report(&mut self, tally: &mut Tally, left: Option<WorkUnit>, kept: Kept) {
        let program = self.job.program;
        // Why this part has ended, the coordinator knows; the bound on executions is its own.
        for bound in [Bound::Stopped, Bound::Executions] {
            tally.bounds.remove(&bound);
        }
        let mut report = Report::of(self.number, program, tally, self.told);
        self.told = tally.findings.len();
        let left = left.and_then(|left| self.known_above.reduce(left, self.floor));
        report.left = left.map(|unit| unit.pack(program.names()));
        match kept {
            Kept::Nothing => {}
            Kept::From(floor) => report.floor = Some(floor),
            Kept::AllBut(given) => report.given = Some(given),
        }
        let known = tally.findings.drain(..).map(|found| Found::new(found.finding, 0)).collect();
        *tally = Tally { findings: known, ..Tally::default() };
        report.microseconds = self.started.elapsed().as_micros() as u64;
        self.faults.strike_after(self.losses);
        self.connection.say(&Answer::Report(Box::new(report)));
    }

    /// Leaves so many steps to others, if there are some besides what this worker goes on with.
    fn share(&mut self, tally: &mut Tally, left: WorkUnit, wanted: usize) -> NextPart {
        match left.floor_if_divided(self.floor, wanted) {
            Some(floor) => {
                self.report(tally, Some(left), Kept::From(floor));
                self.floor = floor;
                self.losses = 0;
                self.started = Instant::now();
                self.faults.strike_before(0);
            }
            None => self.connection.say(&Answer::Indivisible),
        }
        NextPart { floor: self.floor, executions: None, length: self.length }
    }
}

impl Watcher for Worker<'_> {
    /// Something new is reported at once. A block of executions that are drawn is short, and reported as a whole.
    fn found(&mut self, _: &Finding) {
        if self.job.explorer.division != Division::Numbers {
            PAUSE.store(true, Ordering::Relaxed);
        }
    }

    fn keeps_searches(&self) -> bool {
        true
    }

    fn call(&mut self) -> Call {
        match PAUSE.load(Ordering::Relaxed) {
            true => {
                PAUSE.store(false, Ordering::Relaxed);
                Call::Give(SHARE.swap(0, Ordering::Relaxed))
            }
            false => Call::GoOn,
        }
    }

    fn give(&mut self, tally: &mut Tally, left: Box<Portion>, given: usize) {
        let left = WorkUnit { portion: Some(left), ..WorkUnit::whole() };
        self.report(tally, Some(left), Kept::AllBut(given));
        self.losses = 0;
        self.started = Instant::now();
        self.faults.strike_before(0);
    }

    fn next_part(&mut self, tally: &mut Tally, left: WorkUnit) -> Option<NextPart> {
        let wanted = SHARE.swap(0, Ordering::Relaxed);
        let divisible = left.floor_if_divided(self.floor, wanted).is_some();
        if wanted > 0 && (divisible || !left.forks_here()) {
            PAUSE.store(false, Ordering::Relaxed);
            return Some(self.share(tally, left, wanted));
        }
        self.report(tally, Some(left), Kept::Nothing);
        match self.next_order()? {
            Order::GoOn(GoOn { number, floor, executions, milliseconds, losses })
                if number == self.number =>
            {
                self.started = Instant::now();
                self.losses = losses;
                self.faults.strike_before(losses);
                self.floor = floor;
                self.length = Duration::from_millis(milliseconds);
                Some(NextPart { floor, executions, length: self.length })
            }
            other => {
                self.next = Some(other);
                None
            }
        }
    }
}

/// Draws schedules at random.
fn drawn(job: &Job<'_>, draw: &Draw, known: &mut Vec<Found>) -> Report {
    let statistics = Statistics { longest: draw.longest, ..Statistics::default() };
    let findings = std::mem::take(known);
    let old = findings.len();
    let mut tally = Tally { findings, statistics, sampled: draw.already_done, ..Tally::default() };
    let time = Duration::from_millis(draw.milliseconds);
    job::sample(job, &mut tally, &draw.sampler, &PAUSE, time);
    let mut report = Report::new(0, &Statistics::default()).with(&[], &tally.races);
    report.drawn = tally.sampled - draw.already_done;
    let new = tally.findings[old..].iter();
    report.findings = new.map(|one| WrittenFinding::new(job.program, &one.finding, 0)).collect();
    report.internal_errors = tally.internal_errors;
    *known = tally.findings;
    report
}

/// What goes wrong in tests.
struct Faults {
    state: u64,
    milliseconds: u64,
    percent: u64,
}

impl Faults {
    fn of_environment() -> Faults {
        let text = std::env::var(FAULTS).unwrap_or_default();
        let numbers: Vec<u64> = text.split(',').filter_map(|number| number.parse().ok()).collect();
        match numbers[..] {
            [seed, milliseconds, percent] => {
                let state =
                    seed ^ u64::from(std::process::id()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                Faults { state, milliseconds, percent }
            }
            _ => Faults { state: 0, milliseconds: 0, percent: 0 },
        }
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % limit
    }

    /// Whether the worker may die: it spares a unit that has cost two, unless none is to be spared.
    fn strikes(&self, losses: u32) -> bool {
        self.percent >= 100 || (self.percent > 0 && losses < 2)
    }

    fn strike_before(&mut self, losses: u32) {
        if self.strikes(losses) && self.below(100) < self.percent / 2 {
            std::process::abort();
        }
    }

    fn strike_after(&mut self, losses: u32) {
        if self.milliseconds > 0 {
            let wait = Duration::from_millis(self.below(self.milliseconds));
            let end = Instant::now() + wait;
            while Instant::now() < end && !STOP.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        if self.strikes(losses) && self.below(100) < self.percent.div_ceil(2) {
            std::process::abort();
        }
    }
}
