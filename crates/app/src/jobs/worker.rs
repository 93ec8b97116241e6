//! `counterpoint worker`: explores units for a coordinator, from standard input to standard output.
//!
//! A thread reads orders, so that a unit can be paused while it is worked on; when there are no more, the coordinator is
//! gone and the worker ends. What a finding is called is remembered, so that each is confirmed once.

use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use counterpoint_explore::{EXPLORERS, Found, Limits, PROPERTIES, WorkUnit};
use counterpoint_model::{Bound, Interrupt, Program};

use super::protocol::{Answer, Order, Report, Task, Work};
use crate::front_end::{self, FrontEnd};
use crate::job::{self, Job, Tally, Watcher};
use crate::trouble::Trouble;
use crate::written::WrittenFinding;

/// For tests: `SEED,MILLISECONDS,PERCENT`. Each report waits up to so long, and of so many in a hundred units the
/// worker dies before it reports; with a hundred or more, of all of them.
pub const FAULTS: &str = "COUNTERPOINT_TEST_FAULTS";

static PAUSE: AtomicBool = AtomicBool::new(false);
static STOP: AtomicBool = AtomicBool::new(false);

struct Nobody;

impl Watcher for Nobody {}

/// Works until there are no more orders.
pub fn run(front_ends: &[FrontEnd]) -> Result<u8, Trouble> {
    let (sender, orders) = channel();
    // Without a thread that reads there is nothing to do.
    let reader = std::thread::Builder::new().name("orders".into()).spawn(move || read(&sender));
    if reader.is_err() {
        return Err(Trouble::new("a worker cannot be started: no thread"));
    }
    let Ok(Order::Load(task)) = orders.recv() else { return Ok(0) };
    let loaded = front_end::load(front_ends, &task.program);
    let (_, loaded) = match loaded {
        Ok(loaded) => loaded,
        Err(trouble) => {
            say(&Answer::Failed(trouble.message));
            return Ok(0);
        }
    };
    let program = &*loaded.program;
    match job(program, &task) {
        Ok(job) => work(&job, &task, &orders),
        Err(message) => say(&Answer::Failed(message)),
    }
    Ok(0)
}

/// Reads orders. When there are no more, the coordinator has ended, and so does this process.
fn read(sender: &Sender<Order>) {
    for line in std::io::stdin().lock().lines() {
        let order = line.ok().and_then(|line| serde_json::from_str(&line).ok());
        match order {
            Some(Order::Pause) => PAUSE.store(true, Ordering::Relaxed),
            Some(Order::Stop) => {
                PAUSE.store(true, Ordering::Relaxed);
                STOP.store(true, Ordering::Relaxed);
            }
            Some(order) => {
                PAUSE.store(false, Ordering::Relaxed);
                if sender.send(order).is_err() {
                    break;
                }
            }
            None => break,
        }
    }
    std::process::exit(0);
}

fn say(answer: &Answer) {
    let mut line = serde_json::to_string(answer).expect("plain data serialises");
    line.push('\n');
    let mut out = std::io::stdout().lock();
    // Whoever does not listen any more has ended.
    if out.write_all(line.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
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
    })
}

fn work(job: &Job<'_>, task: &Task, orders: &Receiver<Order>) {
    let mut faults = Faults::of_environment();
    let mut known: Vec<Found> = Vec::new();
    say(&Answer::Ready);
    while let Ok(Order::Work(work)) = orders.recv() {
        let text = work.unit.to_string();
        let unit = match WorkUnit::from_json(&text, job.program.names(), &task.fingerprint) {
            Ok(unit) => unit,
            Err(error) => return say(&Answer::Failed(error.to_string())),
        };
        faults.strike_before(work.losses);
        let report = report(job, &work, unit, &mut known);
        faults.strike_after(work.losses);
        say(&Answer::Report(Box::new(report)));
    }
}

fn report(job: &Job<'_>, work: &Work, unit: WorkUnit, known: &mut Vec<Found>) -> Report {
    let mut tally = Tally { findings: std::mem::take(known), ..Tally::default() };
    let limits = Limits { executions: work.executions, ..job.limits.clone() };
    let length = Duration::from_millis(work.milliseconds);
    let ended = job::part(job, &mut tally, unit, limits, length, &PAUSE, &mut Nobody);
    let names = job.program.names();
    let fingerprint = job.program.fingerprint();
    let left = ended.left.map(|unit| unit.to_json(names, &fingerprint));
    // Why this part has ended, the coordinator knows; the bound on executions is its own.
    for bound in [Bound::Stopped, Bound::Executions] {
        tally.bounds.remove(&bound);
    }
    let met = tally.findings.iter().filter(|found| found.count > 0);
    let findings = met.map(|one| WrittenFinding::new(job.program, &one.finding, one.count));
    let mut report = Report::new(work.number, &tally.statistics).with(&tally.cuts, &tally.races);
    report.left = left.map(|text| serde_json::from_str(&text).expect("written work is JSON"));
    report.findings = findings.collect();
    report.bounds = tally.bounds;
    report.assumptions = tally.assumptions;
    report.outcomes = tally.outcomes;
    report.internal_errors = tally.internal_errors;
    *known = tally.findings.into_iter().map(|found| Found { count: 0, ..found }).collect();
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
