//! The coordinator: who works on what, and what has come of it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use counterpoint_explore::{Cut, Found, Trunk, TrunkRuns, UnitId, WorkUnit};
use counterpoint_model::{Bound, FindingKind, Schedule};

use super::pool::{Crew, Member, News, Pool};
use super::protocol::{Answer, Order, Report, Task, Work};
use super::ray::Cluster;
use super::{begins_again, haste, is_divisible, left};
use crate::job::{self, Job, Session, Tally, Unexplored, Watcher};
use crate::output;
use crate::written::Versions;

/// How long a worker works on a unit before it reports, if nobody waits for work.
const PART: Duration = Duration::from_millis(500);

/// Who has worked for less than this is not asked to share.
const LEAST: Duration = Duration::from_millis(25);

/// How often the coordinator looks at limits.
const PACE: Duration = Duration::from_millis(10);

/// How long workers may take to stop.
const TO_STOP: Duration = Duration::from_millis(600);

/// What is left is saved this often.
const SAVE_EVERY: Duration = Duration::from_secs(3);

/// A unit is given up when it has cost so many workers.
const MOST_LOSSES: u32 = 3;

/// Goes on with the help of workers, from where an exploration has come alone.
pub fn divide(session: &Session<'_>, mut tally: Tally, watcher: &mut dyn Watcher) -> Tally {
    let before = tally.clone();
    let Some(pool) = start(session.job) else { return go_on_alone(session, before, watcher) };
    let mut unit = WorkUnit::whole();
    if begins_again(session.job) {
        // What was found is known; what was counted is counted again.
        let found = tally.findings.into_iter().map(|found| Found { count: 0, ..found }).collect();
        let (sampled, drawn) = (tally.sampled, tally.drawn);
        tally = Tally { findings: found, sampled, drawn, ..Tally::default() };
    } else if let Some(Unexplored::Alone(left)) = tally.unexplored.take() {
        unit = left;
    }
    let unit = match alone_until_ready(session, &mut tally, unit, &*pool, watcher) {
        Some(unit) => unit,
        None => return tally,
    };
    if !is_divisible(&tally) {
        return go_on_alone(session, before, watcher);
    }
    let mut coordinator = Coordinator::new(session, tally, Trunk::new(unit), pool, watcher);
    match coordinator.run() {
        Outcome::Told => coordinator.result(),
        Outcome::OrderMatters => {
            drop(coordinator);
            let mut before = before;
            session.note_time(&mut before);
            go_on_alone(session, before, watcher)
        }
    }
}

/// Goes on with what several workers have left.
pub fn share(
    session: &Session<'_>,
    tally: Tally,
    trunk: Trunk,
    watcher: &mut dyn Watcher,
) -> Tally {
    match start(session.job) {
        Some(pool) => {
            let mut coordinator = Coordinator::new(session, tally, trunk, pool, watcher);
            coordinator.run();
            coordinator.result()
        }
        None => trunk_alone(session, tally, trunk, watcher),
    }
}

fn start(job: &Job<'_>) -> Option<Box<dyn Crew>> {
    let workers = job.workers.as_ref()?;
    let task = Task {
        program: workers.request.clone(),
        fingerprint: job.program.fingerprint(),
        explorer: Trunk::explorer(job.explorer).name.to_string(),
        parameters: job.parameters.clone(),
        properties: job.properties.iter().map(|entry| entry.name.to_string()).collect(),
        steps: job.limits.steps,
        stop_at_first: job.stop_at_first,
    };
    let crew: Result<Box<dyn Crew>, String> = match &workers.ray {
        Some(address) => {
            Cluster::start(address, workers.jobs, task).map(|crew| Box::new(crew) as _)
        }
        None => {
            let pool = Pool::start(workers.jobs.unwrap_or(1), task);
            pool.map(|crew| Box::new(crew) as _).map_err(|error| error.to_string())
        }
    };
    crew.map_err(|why| output::complain(&format!("warning: no workers: {why}\n"))).ok()
}

/// The same job without workers.
fn go_on_alone(session: &Session<'_>, tally: Tally, watcher: &mut dyn Watcher) -> Tally {
    let mut job = Job { workers: None, ..session.job.clone() };
    job.limits = session.remaining(&tally);
    job::explore(&job, tally, session.interrupted, watcher)
}

/// Explores alone until a worker is ready. What is left then; `None` if the exploration has ended.
fn alone_until_ready(
    session: &Session<'_>,
    tally: &mut Tally,
    unit: WorkUnit,
    pool: &dyn Crew,
    watcher: &mut dyn Watcher,
) -> Option<WorkUnit> {
    if haste().is_some() {
        return Some(unit);
    }
    let ready = pool.ready();
    let limits = session.remaining(tally);
    let job = &Job { explorer: Trunk::explorer(session.job.explorer), ..session.job.clone() };
    let ended = job::part(job, tally, unit, limits, Duration::MAX, &ready, watcher);
    session.note_time(tally);
    let ends = [Bound::Time, Bound::Memory, Bound::Executions];
    let stopped = session.interrupted.load(std::sync::atomic::Ordering::Relaxed)
        || first_is_enough(session.job, tally)
        || ends.iter().any(|bound| tally.bounds.contains(bound));
    match ended.left {
        Some(unit) if stopped => {
            tally.unexplored = left(Trunk::new(unit));
            None
        }
        Some(unit) => {
            tally.bounds.remove(&Bound::Stopped);
            Some(unit)
        }
        None => None,
    }
}

/// Whether a failure was found, and one is enough.
fn first_is_enough(job: &Job<'_>, tally: &Tally) -> bool {
    let counts = |found: &Found| found.finding.kind != FindingKind::Unsupported;
    job.stop_at_first && tally.findings.iter().any(counts)
}

/// Works off a trunk in this process.
fn trunk_alone(
    session: &Session<'_>,
    mut tally: Tally,
    mut trunk: Trunk,
    watcher: &mut dyn Watcher,
) -> Tally {
    let explorer = Trunk::explorer(session.job.explorer);
    let job = &Job { explorer, ..session.job.clone() };
    let mut runs = TrunkRuns::new(job.program);
    let mut bounds = Vec::new();
    while let Some((id, unit)) = trunk.take(&mut runs, &mut |bound| bounds.push(bound)) {
        let limits = session.remaining(&tally);
        let long = 4 * PART;
        let ended = job::part(job, &mut tally, unit, limits, long, session.interrupted, watcher);
        session.note_time(&mut tally);
        trunk.returned(id, ended.left);
        let stops = [Bound::Time, Bound::Memory, Bound::Executions, Bound::Stopped];
        if stops.iter().any(|bound| tally.bounds.contains(bound)) {
            break;
        }
        if ended.paused {
            tally.unexplored = Some(Unexplored::Shared(Box::new(trunk.clone())));
            watcher.paused(&tally);
        }
    }
    tally.bounds.extend(bounds);
    tally.unexplored = left(trunk);
    if tally.unexplored.is_none() {
        for bound in [Bound::Time, Bound::Memory, Bound::Executions, Bound::Stopped] {
            tally.bounds.remove(&bound);
        }
    }
    tally
}

/// How a shared exploration has ended.
enum Outcome {
    /// With a result.
    Told,
    /// Executions were cut, so that their order matters.
    OrderMatters,
}

enum State {
    Loading,
    Idle,
    Busy(Busy),
}

struct Busy {
    unit: UnitId,
    since: Instant,
    asked: bool,
    /// How many executions it may do.
    executions: u64,
}

struct Coordinator<'a> {
    session: &'a Session<'a>,
    tally: Tally,
    trunk: Trunk,
    runs: TrunkRuns<'a>,
    crew: Box<dyn Crew>,
    members: BTreeMap<Member, State>,
    watcher: &'a mut dyn Watcher,
    saved: Instant,
    /// Whether somebody met a limit that makes the order of executions matter.
    order_matters: bool,
}

impl<'a> Coordinator<'a> {
    fn new(
        session: &'a Session<'a>,
        tally: Tally,
        trunk: Trunk,
        crew: Box<dyn Crew>,
        watcher: &'a mut dyn Watcher,
    ) -> Coordinator<'a> {
        let runs = TrunkRuns::new(session.job.program);
        let members = BTreeMap::new();
        let saved = Instant::now();
        let order_matters = false;
        Coordinator { session, tally, trunk, runs, crew, members, watcher, saved, order_matters }
    }

    fn run(&mut self) -> Outcome {
        loop {
            if self.order_matters {
                return Outcome::OrderMatters;
            }
            if self.trunk.is_done() {
                return Outcome::Told;
            }
            if let Some(bound) = self.reason_to_stop() {
                self.wind_down();
                if !self.trunk.is_done() {
                    self.tally.bounds.insert(bound);
                }
                return Outcome::Told;
            }
            if self.crew.is_gone() {
                return Outcome::Told;
            }
            self.hand_out();
            if let Some((member, news)) = self.crew.news(PACE) {
                self.hear(member, news);
            }
        }
    }

    /// What has come of it. If there are no workers left, the rest is done here.
    fn result(self) -> Tally {
        let Coordinator { session, mut tally, trunk, crew, watcher, .. } = self;
        session.note_time(&mut tally);
        let gone = crew.is_gone() && !tally.bounds.contains(&Bound::Stopped);
        let limits = [Bound::Time, Bound::Memory, Bound::Executions];
        if gone && !trunk.is_done() && !limits.iter().any(|bound| tally.bounds.contains(bound)) {
            return trunk_alone(session, tally, trunk, watcher);
        }
        tally.unexplored = left(trunk);
        tally
    }

    fn reason_to_stop(&self) -> Option<Bound> {
        let job = self.session.job;
        let interrupt = &job.limits.interrupt;
        if interrupt.poll() {
            return interrupt.raised().cloned();
        }
        if first_is_enough(job, &self.tally) {
            return Some(Bound::Stopped);
        }
        let remaining = self.session.remaining(&self.tally);
        if remaining.time.is_some_and(|time| time.is_zero()) {
            return Some(Bound::Time);
        }
        (remaining.executions == Some(0)).then_some(Bound::Executions)
    }

    /// Gives work to all who have none, and sees to it that there is some for those who still have none.
    fn hand_out(&mut self) {
        let idle: Vec<Member> = self.idle().collect();
        let mut waiting = 0;
        for member in idle {
            let executions = self.quota();
            if executions == Some(0) {
                return;
            }
            let bounds = &mut self.tally.bounds;
            let mut hit = |bound| {
                bounds.insert(bound);
            };
            match self.trunk.take(&mut self.runs, &mut hit) {
                Some((id, unit)) => self.assign(member, id, &unit, executions),
                None => waiting += 1,
            }
        }
        for _ in 0..waiting {
            self.ask_to_share();
        }
    }

    fn idle(&self) -> impl Iterator<Item = Member> + '_ {
        let idle = self.members.iter().filter(|(_, state)| matches!(state, State::Idle));
        idle.map(|(&member, _)| member)
    }

    /// How many executions a unit may take, if they are limited: those that nobody has, for all who could work.
    fn quota(&self) -> Option<u64> {
        let left = self.session.remaining(&self.tally).executions?;
        let promised = |state: &State| match state {
            State::Busy(busy) => busy.executions,
            _ => 0,
        };
        let left = left.saturating_sub(self.members.values().map(promised).sum());
        Some(left.div_ceil(self.members.len().max(1) as u64))
    }

    fn assign(&mut self, member: Member, id: UnitId, unit: &WorkUnit, executions: Option<u64>) {
        let program = self.session.job.program;
        let text = unit.to_json(program.names(), &program.fingerprint());
        let work = Work {
            number: id.0,
            unit: serde_json::from_str(&text).expect("written work is JSON"),
            executions,
            milliseconds: haste().unwrap_or(PART).as_millis() as u64,
            losses: self.trunk.losses(id),
        };
        self.crew.order(member, &Order::Work(work));
        let (since, asked) = (Instant::now(), false);
        let executions = executions.unwrap_or(0);
        self.members.insert(member, State::Busy(Busy { unit: id, since, asked, executions }));
    }

    /// Asks the one who has most to share.
    fn ask_to_share(&mut self) {
        let least = if haste().is_some() { Duration::ZERO } else { LEAST };
        let trunk = &self.trunk;
        let able = self.members.iter_mut().filter_map(|(&member, state)| match state {
            State::Busy(busy) if !busy.asked && busy.since.elapsed() >= least => {
                Some((trunk.depth(busy.unit), busy.since, member, busy))
            }
            _ => None,
        });
        let first = able.min_by_key(|(depth, since, member, _)| (*depth, *since, *member));
        if let Some((_, _, member, busy)) = first {
            busy.asked = true;
            self.crew.order(member, &Order::Pause);
        }
    }

    fn hear(&mut self, member: Member, news: News) {
        match news {
            News::Joined => {
                self.members.insert(member, State::Loading);
            }
            News::Said(answer) => match *answer {
                Answer::Ready => {
                    self.members.insert(member, State::Idle);
                }
                // What it cannot load, no other one can; when all have ended, the rest is done here.
                Answer::Failed(_) => {}
                Answer::Report(report) => self.take_in(member, *report),
            },
            News::Lost => {
                if let Some(State::Busy(busy)) = self.members.remove(&member) {
                    self.lose(busy.unit);
                }
            }
        }
    }

    fn lose(&mut self, unit: UnitId) {
        if self.trunk.lost(unit) < MOST_LOSSES {
            return;
        }
        let names = self.session.job.program.names();
        let prefix = self.trunk.condemn(unit);
        let steps: Vec<String> =
            prefix.iter().map(|&choice| Schedule::step_text(names, choice)).collect();
        self.tally.internal_errors.push(format!(
            "{MOST_LOSSES} workers died exploring what follows these steps, which is given up: {}",
            steps.join(" ")
        ));
    }

    fn take_in(&mut self, member: Member, mut report: Report) {
        let Some(State::Busy(busy)) = self.members.insert(member, State::Idle) else { return };
        let program = self.session.job.program;
        let id = busy.unit;
        let text = report.left.take().map(|left| left.to_string());
        let read =
            |text: String| WorkUnit::from_json(&text, program.names(), &program.fingerprint());
        let left = match text.map(read).transpose() {
            Ok(left) if report.number == id.0 => left,
            // Nobody knows what was done.
            _ => return self.lose(id),
        };
        self.order_matters =
            report.bounds.iter().any(|bound| matches!(bound, Bound::Steps | Bound::Depth));
        self.add(report);
        self.trunk.returned(id, left);
        let idle = self.idle().count();
        if self.trunk.open() < idle {
            self.trunk.divide_until(idle);
        }
        self.session.note_time(&mut self.tally);
        self.watcher.moved(&self.tally, &Default::default(), 0);
        if self.saved.elapsed() >= SAVE_EVERY && !self.trunk.is_done() {
            self.tally.unexplored = Some(Unexplored::Shared(Box::new(self.trunk.clone())));
            self.watcher.paused(&self.tally);
            self.saved = Instant::now();
        }
    }

    /// Adds what a worker has counted and found. Its findings are replayed here as well.
    fn add(&mut self, mut report: Report) {
        let program = self.session.job.program;
        let tally = &mut self.tally;
        tally.statistics.add(&report.statistics());
        Cut::add_all(&mut tally.cuts, report.cuts());
        tally.races.add(report.races());
        for written in &report.findings {
            let same = |known: &&mut Found| {
                let known = &known.finding;
                (known.kind, &known.message, &known.places)
                    == (written.kind, &written.message, &written.places)
            };
            if let Some(known) = tally.findings.iter_mut().find(same) {
                known.count += written.count;
                continue;
            }
            if first_is_enough(self.session.job, tally) {
                break;
            }
            match written.revive(program, Versions::Same) {
                Ok(finding) => tally.add_findings(vec![Found { finding, count: written.count }]),
                Err(error) => tally.internal_errors.push(format!("«{}»: {error}", written.message)),
            }
        }
        tally.bounds.extend(report.bounds);
        tally.assume(report.assumptions);
        for (outcome, count) in report.outcomes {
            *tally.outcomes.entry(outcome).or_default() += count;
        }
        tally.internal_errors.extend(report.internal_errors);
    }

    /// Lets everybody stop, and takes in what they report in time.
    fn wind_down(&mut self) {
        let busy = |state: &State| matches!(state, State::Busy(_));
        let members: Vec<Member> = self
            .members
            .iter()
            .filter(|(_, state)| busy(state))
            .map(|(&member, _)| member)
            .collect();
        for member in members {
            self.crew.order(member, &Order::Stop);
        }
        let end = Instant::now() + TO_STOP;
        while self.members.values().any(busy) && Instant::now() < end {
            if let Some((member, news)) = self.crew.news(PACE) {
                self.hear(member, news);
            }
        }
        for (_, state) in std::mem::take(&mut self.members) {
            if let State::Busy(busy) = state {
                self.trunk.lost(busy.unit);
            }
        }
    }
}
