//! The coordinator: who works on what, and what has come of it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use counterpoint_explore::{Found, Pace, Sharing, Trunk, TrunkRuns, UnitId, WorkUnit};
use counterpoint_model::{Bound, FindingKind, Schedule};
use serde_json::value::RawValue;

use super::pool::{Crew, Member, News, Pool};
use super::protocol::{Answer, Draw, GoOn, Order, Report, Task, Work};
use super::ray::Cluster;
use super::unit_log::UnitLog;
use super::{ClusterRequest, haste, is_divisible, left, patience};
use crate::front_end::LoadRequest;
use crate::interrupt;
use crate::job::{self, Job, SAMPLERS, Session, Tally, Unexplored, Watcher};
use crate::output;

/// How long a worker works on a unit before it reports, if nobody waits for work.
const PART: Duration = Duration::from_micros(Pace::USUAL.part);

/// Schedules are drawn at random from this time on, again when all have worked for so long together, for so long at a
/// time, and for at most a part of the whole time: as by one process, which draws after its first part and after each
/// longer one.
const DRAW_FROM: Duration = Duration::from_secs(1);
const DRAW_AGAIN: Duration = Duration::from_secs(4);
const DRAW: Duration = Duration::from_millis(200);
const DRAWING_PART: u32 = 5;

/// How often the coordinator looks at limits.
pub(super) const PACE: Duration = Duration::from_millis(10);

/// How long workers may take to stop.
pub(super) const TO_STOP: Duration = Duration::from_millis(600);

/// What is left is saved for the first time after so long, and then this often.
const SAVE_FIRST: Duration = Duration::from_secs(1);
const SAVE_EVERY: Duration = Duration::from_secs(3);

/// How long the coordinator waits for somebody to come, if nobody is there, before it works itself; and how long in tests
/// that do not say it, which are about those who come, however slow the machine is.
const NOBODY: Duration = Duration::from_secs(2);
const NOBODY_IN_TESTS: Duration = Duration::from_secs(60);

/// A unit is given up when it has cost so many workers.
pub(super) const MOST_LOSSES: u32 = 3;

/// How long a worker works on a unit that has cost so many others before it reports. If the unit was not to blame, something
/// is done before the next loss; if it was, less is given up with what workers die of.
fn part_after(losses: u32) -> Duration {
    haste().unwrap_or(PART) / 8u32.pow(losses.min(MOST_LOSSES))
}

/// Goes on with the help of workers, from where an exploration has come alone.
pub fn divide(session: &Session<'_>, mut tally: Tally, watcher: &mut dyn Watcher) -> Tally {
    let before = tally.clone();
    let Some(pool) = start(session.job) else { return go_on_alone(session, before, watcher) };
    let unit = match tally.unexplored.take() {
        Some(Unexplored::Alone(left)) => left,
        _ => WorkUnit::whole(),
    };
    let unit = match alone_until_ready(session, &mut tally, unit, &*pool, watcher) {
        Some(unit) => unit,
        None => return tally,
    };
    if !is_divisible(session.job, &tally) {
        return go_on_alone(session, before, watcher);
    }
    let mut trunk = Trunk::new(unit);
    // Everybody begins at once.
    trunk.divide_until(session.job.workers.as_ref().and_then(|workers| workers.jobs).unwrap_or(1));
    let mut coordinator = Coordinator::new(session, tally, trunk, pool, watcher);
    coordinator.minds_order = true;
    match coordinator.run() {
        Outcome::Told => coordinator.result(),
        Outcome::OrderMatters => {
            let found = coordinator.into_findings();
            let mut before = before;
            session.note_time(&mut before);
            let mut tally = go_on_alone(session, before, watcher);
            keep_if_stopped(&mut tally, found);
            tally
        }
    }
}

/// Adds what workers have found to the result of one process that did their work again, if that was stopped: it might have
/// come to all of it with more time.
fn keep_if_stopped(tally: &mut Tally, found: Vec<Found>) {
    let ends = [Bound::Time, Bound::Memory, Bound::Stopped];
    if ends.iter().any(|bound| tally.bounds.contains(bound)) {
        tally.add_findings(found.into_iter().map(|found| Found::new(found.finding, 0)).collect());
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

pub(super) fn start<'a>(job: &Job<'a>) -> Option<Box<dyn Crew + 'a>> {
    let workers = job.workers.as_ref()?;
    let crew: Result<Box<dyn Crew + 'a>, String> = match &workers.cluster {
        Some(ClusterRequest { address, program }) => {
            let cluster = Cluster::start(address, workers.jobs, task(job, program));
            cluster.map(|crew| Box::new(crew) as _)
        }
        None => {
            let jobs = workers.jobs.unwrap_or(1);
            let fitting = if workers.asked { jobs } else { jobs.min(interrupt::most_processes()) };
            if fitting < 2 && !workers.asked {
                return None;
            }
            let pool = Pool::start(fitting, job.clone());
            pool.map(|crew| Box::new(crew) as _).map_err(|error| error.to_string())
        }
    };
    let complain = |why| output::complain(&format!("warning: no workers: {why}\n"));
    crew.map_err(|why| {
        if workers.asked {
            complain(why)
        }
    })
    .ok()
}

/// What workers on other machines have to know.
fn task(job: &Job<'_>, program: &LoadRequest) -> Task {
    Task {
        program: program.clone(),
        fingerprint: job.program.fingerprint(),
        explorer: job.explorer.name.to_string(),
        parameters: job.parameters.clone(),
        properties: job.properties.iter().map(|entry| entry.name.to_string()).collect(),
        steps: job.limits.steps,
        stop_at_first: job.stop_at_first,
    }
}

/// The same job without workers.
pub(super) fn go_on_alone(session: &Session<'_>, tally: Tally, watcher: &mut dyn Watcher) -> Tally {
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
    let Some(ready) = pool.ready().filter(|_| haste().is_none()) else { return Some(unit) };
    let limits = session.remaining(tally);
    let ended = job::part(session.job, tally, unit, limits, Duration::MAX, &ready, watcher);
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
pub(super) fn first_is_enough(job: &Job<'_>, tally: &Tally) -> bool {
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
    let job = session.job;
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
            show_paused(watcher, &mut tally, &mut trunk);
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

/// Shows what is left to the watcher, which may save it. A trunk is too large to be copied for that.
fn show_paused(watcher: &mut dyn Watcher, tally: &mut Tally, trunk: &mut Trunk) {
    let whole = std::mem::replace(trunk, Trunk::new(WorkUnit::whole()));
    tally.unexplored = Some(Unexplored::Shared(Box::new(whole)));
    watcher.paused(tally);
    if let Some(Unexplored::Shared(whole)) = tally.unexplored.take() {
        *trunk = *whole;
    }
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
    /// `None` for who draws schedules.
    unit: Option<UnitId>,
    since: Instant,
    /// How many executions it may do.
    executions: u64,
}

struct Coordinator<'a> {
    session: &'a Session<'a>,
    tally: Tally,
    trunk: Trunk,
    runs: TrunkRuns<'a>,
    crew: Box<dyn Crew + 'a>,
    members: BTreeMap<Member, State>,
    /// Who is asked to share.
    sharing: Sharing<Member>,
    watcher: &'a mut dyn Watcher,
    save_at: Instant,
    /// Whether somebody met a limit that makes the order of executions matter.
    order_matters: bool,
    /// Whether one process can still do it in its order.
    minds_order: bool,
    /// How often schedules were drawn.
    draws: u32,
    /// Who was asked to pause in order to draw some.
    to_draw: Option<Member>,
    /// When somebody was there for the last time, and how long nobody may be.
    somebody_at: Instant,
    nobody: Duration,
    /// Whether this process has worked because nobody was there.
    worked: bool,
    log: UnitLog,
}

impl<'a> Coordinator<'a> {
    fn new(
        session: &'a Session<'a>,
        tally: Tally,
        trunk: Trunk,
        crew: Box<dyn Crew + 'a>,
        watcher: &'a mut dyn Watcher,
    ) -> Coordinator<'a> {
        let runs = TrunkRuns::new(session.job.program);
        let members = BTreeMap::new();
        let sharing = Sharing::new(if haste().is_some() { Pace::HASTY } else { Pace::USUAL });
        let save_at = Instant::now() + SAVE_FIRST;
        let (order_matters, minds_order) = (false, false);
        let draws = 0;
        let log = UnitLog::new(session.started);
        Coordinator {
            log,
            session,
            tally,
            trunk,
            runs,
            crew,
            members,
            sharing,
            watcher,
            save_at,
            order_matters,
            minds_order,
            draws,
            to_draw: None,
            somebody_at: Instant::now(),
            nobody: match haste() {
                None => NOBODY,
                Some(_) => patience().unwrap_or(NOBODY_IN_TESTS),
            },
            worked: false,
        }
    }

    fn run(&mut self) -> Outcome {
        loop {
            if self.order_matters && !first_is_enough(self.session.job, &self.tally) {
                return Outcome::OrderMatters;
            }
            if self.trunk.is_done() {
                self.tally.bounds.remove(&Bound::Time);
                return Outcome::Told;
            }
            if let Some(bound) = self.reason_to_stop() {
                if self.session.job.limits.interrupt.raised().is_some() {
                    // Nothing is explored any more, though workers far away may take their time to say so.
                    interrupt::explored();
                }
                self.wind_down();
                match self.trunk.is_done() {
                    true => self.tally.bounds.remove(&Bound::Time),
                    false => self.tally.bounds.insert(bound),
                };
                return Outcome::Told;
            }
            if self.crew.is_gone() {
                return Outcome::Told;
            }
            let patience = self.hand_out();
            if let Some((member, news)) = self.crew.news(patience) {
                self.hear(member, news);
            }
            if !self.members.is_empty() {
                self.somebody_at = Instant::now();
            } else if self.somebody_at.elapsed() > self.nobody {
                self.work();
            }
        }
    }

    /// Works on a unit in this process for a short time: the nodes of a cluster may all be gone, and others may come.
    fn work(&mut self) {
        if !std::mem::replace(&mut self.worked, true) {
            output::complain(
                "warning: no worker is there; until one comes, this process works alone\n",
            );
        }
        let session = self.session;
        let Coordinator { trunk, runs, tally, .. } = self;
        let bounds = &mut tally.bounds;
        let taken = trunk.take(runs, &mut |bound| {
            bounds.insert(bound);
        });
        let Some((id, unit)) = taken else { return };
        let limits = session.remaining(tally);
        let watcher = &mut *self.watcher;
        let ended = job::part(session.job, tally, unit, limits, PART, session.interrupted, watcher);
        trunk.returned(id, ended.left);
        self.order_matters |= self.minds_order && !is_divisible(session.job, tally);
        session.note_time(tally);
        self.save();
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

    /// Lets all workers go. What they have found.
    fn into_findings(self) -> Vec<Found> {
        self.tally.findings
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
        // A worker with much to save stops a little earlier, and then all do.
        let remaining = self.session.remaining(&self.tally);
        let time_is_up = remaining.time.is_some_and(|time| time.is_zero());
        if time_is_up || self.tally.bounds.contains(&Bound::Time) {
            return Some(Bound::Time);
        }
        (remaining.executions == Some(0)).then_some(Bound::Executions)
    }

    /// Gives work to all who have none, and sees to it that there is some for those who still have none. For how long
    /// nothing else is to be done unless there is news.
    fn hand_out(&mut self) -> Duration {
        let idle: Vec<Member> = self.idle().collect();
        let mut waiting = 0;
        for member in idle {
            let executions = self.quota();
            if executions == Some(0) {
                return PACE;
            }
            if self.is_time_to_draw() {
                self.draw(member);
                continue;
            }
            let bounds = &mut self.tally.bounds;
            let mut hit = |bound| {
                bounds.insert(bound);
            };
            match self.trunk.take(&mut self.runs, &mut hit) {
                Some((id, unit)) => self.assign(member, id, unit, executions),
                None => waiting += 1,
            }
        }
        if self.is_time_to_draw() && self.to_draw.is_none() {
            self.to_draw = self.longest_busy();
            if let Some(member) = self.to_draw {
                self.crew.order(member, &Order::Pause);
            }
        }
        let wanted = self.sharing.wanted(waiting, self.trunk.open());
        while let Some((member, steps)) = self.sharing.ask(wanted, self.now()) {
            // Who may do so many executions only has to be told how many it may do next.
            let limited = self.session.job.limits.executions.is_some();
            let order = match limited {
                true => Order::Pause,
                false => Order::Share(steps),
            };
            self.crew.order(member, &order);
        }
        let waits = self.sharing.asked() < wanted;
        let next = self.sharing.next_look(wanted).filter(|_| waits);
        let until_next = |next: u64| Duration::from_micros(next.saturating_sub(self.now()) + 1);
        next.map_or(PACE, |next| until_next(next).min(PACE))
    }

    fn idle(&self) -> impl Iterator<Item = Member> + '_ {
        let idle = self.members.iter().filter(|(_, state)| matches!(state, State::Idle));
        idle.map(|(&member, _)| member)
    }

    /// Who has not reported for the longest time.
    fn longest_busy(&self) -> Option<Member> {
        let since = self.members.iter().filter_map(|(&member, state)| match state {
            State::Busy(busy) => Some((busy.since, member)),
            State::Loading | State::Idle => None,
        });
        since.min().map(|(_, member)| member)
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

    fn assign(&mut self, member: Member, id: UnitId, unit: WorkUnit, executions: Option<u64>) {
        let executions_before = self.tally.statistics.executions;
        let unit = WorkUnit { executions_before, ..unit };
        let time = self.session.remaining(&self.tally).time;
        let time = time.and_then(|time| u64::try_from(time.as_millis() + 1).ok());
        let work = Work {
            number: id.0,
            unit: unit.pack(self.session.job.program.names()),
            executions,
            milliseconds: part_after(self.trunk.losses(id)).as_millis() as u64,
            time,
            losses: self.trunk.losses(id),
        };
        self.crew.order(member, &Order::Work(work));
        self.is_busy(member, id, executions);
    }

    fn is_busy(&mut self, member: Member, id: UnitId, executions: Option<u64>) {
        self.sharing.works(member, self.trunk.depth(id), self.now());
        let since = Instant::now();
        let (unit, executions) = (Some(id), executions.unwrap_or(0));
        self.members.insert(member, State::Busy(Busy { unit, since, executions }));
    }

    /// Lets a worker go on with the unit that it has just reported, unless that is done: it has kept its search.
    fn let_go_on(&mut self, member: Member, id: UnitId) {
        let executions = self.quota();
        let stop = executions == Some(0) || self.order_matters || self.reason_to_stop().is_some();
        if stop || self.is_time_to_draw() {
            return;
        }
        let Some(floor) = self.trunk.keep(id) else { return };
        let order = GoOn {
            number: id.0,
            floor,
            executions,
            milliseconds: part_after(self.trunk.losses(id)).as_millis() as u64,
            losses: self.trunk.losses(id),
        };
        self.crew.order(member, &Order::GoOn(order));
        self.is_busy(member, id, executions);
    }

    /// Whether somebody should draw schedules at random, as an exploration by one process does between its parts.
    fn is_time_to_draw(&self) -> bool {
        let elapsed = self.session.started.elapsed();
        let (drawn, worked) = (DRAW * self.draws, elapsed * self.members.len() as u32);
        let draws = |state: &State| matches!(state, State::Busy(Busy { unit: None, .. }));
        self.session.job.samples()
            && elapsed >= DRAW_FROM
            && (self.draws == 0 || drawn * DRAWING_PART + DRAW_AGAIN <= worked)
            && !self.members.values().any(draws)
    }

    fn draw(&mut self, member: Member) {
        self.to_draw = None;
        let sampler = SAMPLERS[self.draws as usize % SAMPLERS.len()].to_string();
        self.draws += 1;
        let Tally { sampled, statistics, .. } = &self.tally;
        self.crew.order(
            member,
            &Order::Draw(Draw {
                sampler,
                already_done: *sampled,
                longest: statistics.longest,
                milliseconds: DRAW.as_millis() as u64,
            }),
        );
        let busy = Busy { unit: None, since: Instant::now(), executions: 0 };
        self.members.insert(member, State::Busy(busy));
    }

    /// The time for the policy.
    fn now(&self) -> u64 {
        self.session.started.elapsed().as_micros() as u64
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
                Answer::Indivisible => self.sharing.has_nothing(member, self.now()),
            },
            News::Lost => {
                self.sharing.stops(member);
                self.to_draw = self.to_draw.filter(|&asked| asked != member);
                if let Some(State::Busy(Busy { unit: Some(unit), .. })) =
                    self.members.remove(&member)
                {
                    self.lose(unit);
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
        self.sharing.stops(member);
        let program = self.session.job.program;
        let Some(id) = busy.unit else {
            self.tally.sampled += report.drawn;
            return self.add(report);
        };
        let text = report.left.take();
        let size = text.as_ref().map_or(0, |text| text.get().len());
        let read = |text: Box<RawValue>| WorkUnit::unpack(text.get(), program.names());
        let left = match text.map(read).transpose() {
            Ok(left) if report.number == id.0 => left,
            // Nobody knows what was done.
            _ => return self.lose(id),
        };
        let cuts = |bound: &Bound| matches!(bound, Bound::Steps | Bound::Depth);
        self.order_matters |= self.minds_order && report.bounds.iter().any(cuts);
        self.log.note(self.trunk.depth(id), busy.since, &report, size);
        let floor = report.floor;
        self.add(report);
        match (left, floor) {
            (Some(left), Some(floor)) => self.goes_on(member, id, left, floor),
            (left, _) => {
                self.trunk.returned(id, left);
                let idle = self.idle().count();
                if self.trunk.open() < idle {
                    self.trunk.divide_until(idle);
                }
                self.let_go_on(member, id);
            }
        }
        self.session.note_time(&mut self.tally);
        self.watcher.moved(&self.tally, &Default::default(), 0);
        self.save();
    }

    /// Saves what is left, if it is time. When everybody stops, that is done once, at the end.
    fn save(&mut self) {
        let is_time = Instant::now() >= self.save_at && !self.trunk.is_done();
        if is_time && self.reason_to_stop().is_none() {
            show_paused(&mut *self.watcher, &mut self.tally, &mut self.trunk);
            self.save_at = Instant::now() + SAVE_EVERY;
        }
    }

    /// A worker has left a part of its unit to others and goes on with the rest by itself.
    fn goes_on(&mut self, member: Member, id: UnitId, left: WorkUnit, floor: usize) {
        if !self.trunk.shared(id, left, floor) {
            let what = "a worker has divided its work in another way than the coordinator";
            self.tally.internal_errors.push(what.to_string());
        }
        self.is_busy(member, id, None);
    }

    /// Adds what a worker has counted and found. Its findings are replayed here as well.
    fn add(&mut self, report: Report) {
        let job = self.session.job;
        let (tally, watcher) = (&mut self.tally, &mut *self.watcher);
        let enough = |tally: &Tally| first_is_enough(job, tally);
        report.add_to(tally, job.program, enough, |finding| watcher.found(finding));
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
            if let State::Busy(Busy { unit: Some(unit), .. }) = state {
                self.trunk.lost(unit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use counterpoint_model::Finding;

    use super::*;

    #[test]
    fn what_workers_found_counts_if_their_work_was_not_done_again_to_the_end() {
        let finding = Finding {
            kind: FindingKind::Assertion,
            name: "balance".to_string(),
            message: "balance is 7".to_string(),
            places: Vec::new(),
            waiting: Vec::new(),
            inputs: Vec::new(),
            schedule: Schedule::default(),
        };
        let found = vec![Found::new(finding, 3)];
        let mut whole = Tally::default();
        whole.bounds.insert(Bound::Steps);
        keep_if_stopped(&mut whole, found.clone());
        assert!(whole.findings.is_empty());
        let mut stopped = whole.clone();
        stopped.bounds.insert(Bound::Time);
        keep_if_stopped(&mut stopped, found);
        assert_eq!(stopped.findings.iter().map(|found| found.count).collect::<Vec<_>>(), [0]);
        assert_eq!(stopped.verdict(), counterpoint_model::Verdict::Bug);
    }
}
