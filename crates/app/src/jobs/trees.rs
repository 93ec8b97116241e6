//! The trees of a search by bounds, shared by several workers.
//!
//! **Problem.** A search by bounds goes through one tree after another, and what it learns in one decides about the next
//! ([`Portion`]). Several workers are to do that together.
//!
//! **Idea.** The search goes on in this process, alone at first. When it has worked on a tree for some time, it leaves the
//! rest of that tree to workers and waits. They are given places to go on from and what is known; who is asked to
//! share tells what it has come to and which places it leaves to others, as with branches ([`Sharing`]). When all places are
//! done, the search has what all have learnt and comes to its next tree, with the same workers.
//!
//! **Invariant.** A place is gone on with by one worker. If that is lost, another one goes on from there. What a worker does
//! between two reports is an [`Attempt`]: either its report is taken in, or it is lost, and everybody who is given places later
//! knows that. A report that was sent is heard before the loss of who has sent it.
//!
//! **Resuming.** When the exploration is stopped, everybody says which places are left. Who does not in time is lost, and its
//! places are left as they were given to it. The search has them all back, and what is saved is what it would go on with.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use counterpoint_explore::{
    Attempt, Beginning, Call, CommonMemory, Divided, Division, Lessons, Pace, Portion, Sharing,
    WorkUnit,
};
use counterpoint_model::Bound;

use super::common_memory::common_memory;
use super::coordinate::{MOST_LOSSES, PACE, TO_STOP, first_is_enough, start};
use super::pool::{Crew, Member, News};
use super::protocol::{Answer, Order, Report, Work};
use super::unit_log::UnitLog;
use super::{SMALL, haste};
use crate::interrupt;
use crate::job::{Job, Session, Tally, Watcher};

/// So many places for each worker are kept for others to take one by one.
const STOCK: usize = 4;

/// What is known has to be brought to common memory before others can share it, and each of them begins with caches that
/// are empty: with less work than this, it does not pay.
const MOVING: Duration = Duration::from_millis(100);

/// Those who share the trees of a search.
pub struct Trees<'a> {
    session: &'a Session<'a>,
    crew: Option<Box<dyn Crew + 'a>>,
    /// What all can read and write, if they have to.
    memory: Option<Arc<dyn CommonMemory>>,
    members: BTreeMap<Member, State>,
    sharing: Sharing<Member>,
    /// How long the search has worked on the present tree.
    begun: Duration,
    /// Whether there is nobody.
    alone: bool,
    /// How many portions were handed out.
    handed_out: u64,
    log: Option<UnitLog>,
}

enum State {
    Loading,
    Idle,
    Busy(Stretch),
}

/// Places that one worker goes on from.
struct Stretch {
    number: u64,
    /// What it does since its last report.
    attempt: Attempt,
    places: Vec<Beginning>,
    /// How many workers were lost over them.
    losses: u32,
    /// When it began, or has last told what it has come to.
    since: Instant,
}

impl<'a> Trees<'a> {
    /// Workers are started when it is time for them.
    pub fn new(session: &'a Session<'a>) -> Trees<'a> {
        let pace = if haste().is_some() { Pace::HASTY } else { Pace::USUAL };
        Trees {
            session,
            crew: None,
            memory: None,
            members: BTreeMap::new(),
            sharing: Sharing::new(pace),
            begun: Duration::ZERO,
            alone: false,
            handed_out: 0,
            log: None,
        }
    }

    /// What is wanted of the search: to be divided, when it has worked on a tree for long enough and somebody is there.
    pub fn call(&mut self) -> Call {
        let Some(workers) = self.session.job.workers.as_ref().filter(|_| !self.alone) else {
            return Call::GoOn;
        };
        let hasty = workers.time_alone.is_zero();
        let least = match self.session.job.explorer.division {
            Division::PortionsInMemory => MOVING,
            _ => SMALL,
        };
        let alone = if hasty { Duration::ZERO } else { workers.time_alone.max(least) };
        if self.session.processor_time().saturating_sub(self.begun) < alone {
            return Call::GoOn;
        }
        if self.crew.is_none() {
            self.crew = self.start();
            self.alone = self.crew.is_none();
        }
        let Some(crew) = &self.crew else { return Call::GoOn };
        match crew.ready() {
            // Who is in haste wants to see workers and waits for them.
            Some(ready) if !hasty && !ready.load(Ordering::Relaxed) => Call::GoOn,
            _ => Call::Divide,
        }
    }

    /// Starts those who are to share, with memory in common if they need it.
    fn start(&mut self) -> Option<Box<dyn Crew + 'a>> {
        let job = self.session.job;
        if job.explorer.division != Division::PortionsInMemory {
            return start(job);
        }
        if self.memory.is_none() {
            self.memory = common_memory(None);
        }
        let memory = Arc::clone(self.memory.as_ref()?);
        start(&Job { memory: Some(memory), ..job.clone() })
    }

    /// Memory for what the search remembers. If there are no workers yet, they will have the same.
    pub fn fresh_memory(&mut self, words: Option<usize>) -> Option<Arc<dyn CommonMemory>> {
        let memory = common_memory(words)?;
        if self.crew.is_none() {
            self.memory = Some(Arc::clone(&memory));
        }
        Some(memory)
    }

    /// What all can read and write.
    pub fn memory(&self) -> Option<Arc<dyn CommonMemory>> {
        self.memory.clone()
    }

    /// Does the rest of a tree.
    pub fn divide(
        &mut self,
        tally: &mut Tally,
        watcher: &mut dyn Watcher,
        left: Portion,
    ) -> Divided {
        let Some(crew) = &mut self.crew else { return Divided::Alone(Box::new(left)) };
        let session = self.session;
        let Portion { beginnings, lessons, lost, .. } = left;
        let mut tree = Tree {
            session,
            tally,
            watcher,
            crew: &mut **crew,
            members: &mut self.members,
            sharing: &mut self.sharing,
            level: Portion {
                beginnings: Vec::new(),
                lessons: Lessons::default(),
                lost: Vec::new(),
                ..left
            },
            open: beginnings.into_iter().map(|place| (place, 0)).collect(),
            lost,
            lessons,
            handed_out: &mut self.handed_out,
            log: self.log.get_or_insert_with(|| UnitLog::new(session.started)),
        };
        let divided = tree.run();
        self.begun = self.session.processor_time();
        self.alone |= matches!(divided, Divided::Alone(_));
        divided
    }
}

/// The rest of a tree.
struct Tree<'t, 'a> {
    session: &'a Session<'a>,
    tally: &'t mut Tally,
    watcher: &'t mut dyn Watcher,
    crew: &'t mut (dyn Crew + 'a),
    members: &'t mut BTreeMap<Member, State>,
    sharing: &'t mut Sharing<Member>,
    /// What all portions have in common.
    level: Portion,
    /// Places that nobody has, with how many workers were lost over each.
    open: Vec<(Beginning, u32)>,
    /// What will never be reported.
    lost: Vec<Attempt>,
    lessons: Lessons,
    handed_out: &'t mut u64,
    log: &'t mut UnitLog,
}

impl Tree<'_, '_> {
    fn run(&mut self) -> Divided {
        loop {
            if let Some(bound) = self.reason_to_stop() {
                if self.session.job.limits.interrupt.raised().is_some() {
                    interrupt::explored();
                }
                self.wind_down();
                return Divided::Stopped(bound, Box::new(self.rest()));
            }
            if self.is_settled() {
                self.wind_down();
                return Divided::Done(Box::new(std::mem::take(&mut self.lessons)));
            }
            if self.crew.is_gone() {
                return Divided::Alone(Box::new(self.rest()));
            }
            let patience = self.hand_out();
            if let Some((member, news)) = self.crew.news(patience) {
                self.hear(member, news);
            }
        }
    }

    /// All that nobody has done.
    fn rest(&mut self) -> Portion {
        let beginnings = self.open.drain(..).map(|(place, _)| place).collect();
        let lessons = std::mem::take(&mut self.lessons);
        let lost = std::mem::take(&mut self.lost);
        Portion { beginnings, lessons, lost, ..self.level.clone() }
    }

    /// Whether nothing is left to do, or what is left does not matter.
    fn is_settled(&self) -> bool {
        let found_out = self.level.probing && self.lessons.reached;
        found_out || self.lessons.disordered || self.open.is_empty() && self.busy().is_empty()
    }

    fn busy(&self) -> Vec<Member> {
        let busy = self.members.iter().filter(|(_, state)| matches!(state, State::Busy(_)));
        busy.map(|(&member, _)| member).collect()
    }

    fn reason_to_stop(&self) -> Option<Bound> {
        let job = self.session.job;
        if job.limits.interrupt.poll() {
            return job.limits.interrupt.raised().cloned();
        }
        if first_is_enough(job, self.tally) {
            return Some(Bound::Stopped);
        }
        let time = self.session.remaining(self.tally).time;
        time.is_some_and(|time| time.is_zero()).then_some(Bound::Time)
    }

    /// Gives places to all who have none, and asks others to share if there are not enough. For how long nothing else is to
    /// be done unless there is news.
    fn hand_out(&mut self) -> Duration {
        let idle = self.members.iter().filter(|(_, state)| matches!(state, State::Idle));
        let idle: Vec<Member> = idle.map(|(&member, _)| member).collect();
        let mut waiting = 0;
        for member in idle {
            if self.open.is_empty() {
                waiting += 1;
                continue;
            }
            let most = self.open.len().div_ceil(STOCK * self.members.len());
            let losses = self.open[0].1;
            let alike = self.open.iter().take_while(|(_, lost)| *lost == losses).count();
            let places = self.open.drain(..most.min(alike)).map(|(place, _)| place).collect();
            self.assign(member, places, losses);
        }
        let wanted = self.sharing.wanted(waiting, self.open.len());
        while let Some((member, places)) = self.sharing.ask(wanted, self.now()) {
            self.crew.order(member, &Order::Share(places));
        }
        let waits = self.sharing.asked() < wanted;
        let next = self.sharing.next_look(wanted).filter(|_| waits);
        let until_next = |next: u64| Duration::from_micros(next.saturating_sub(self.now()) + 1);
        next.map_or(PACE, |next| until_next(next).min(PACE))
    }

    fn assign(&mut self, member: Member, places: Vec<Beginning>, losses: u32) {
        *self.handed_out += 1;
        let number = *self.handed_out;
        let attempt = Attempt::first_of(number);
        let (beginnings, lessons) = (places.clone(), self.lessons.clone());
        let lost = self.lost.clone();
        let portion = Portion { beginnings, lessons, attempt, lost, ..self.level.clone() };
        let unit = WorkUnit {
            portion: Some(Box::new(portion)),
            executions_before: self.tally.statistics.executions,
            ..WorkUnit::whole()
        };
        let work = Work {
            number,
            unit: unit.pack(self.session.job.program.names()),
            executions: None,
            milliseconds: u64::MAX / 2,
            time: None,
            losses,
        };
        self.crew.order(member, &Order::Work(work));
        let since = Instant::now();
        self.is_busy(member, Stretch { number, attempt, places, losses, since });
    }

    fn is_busy(&mut self, member: Member, stretch: Stretch) {
        let depth = stretch.places.first().map_or(0, Vec::len);
        self.sharing.works(member, depth, self.now());
        self.members.insert(member, State::Busy(stretch));
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
                Answer::Failed(_) | Answer::Indivisible => {}
                Answer::Report(report) => self.take_in(member, *report),
            },
            News::Lost => {
                self.sharing.stops(member);
                if let Some(State::Busy(stretch)) = self.members.remove(&member) {
                    self.lose(stretch);
                }
            }
        }
    }

    fn lose(&mut self, stretch: Stretch) {
        self.lost.push(stretch.attempt);
        let losses = stretch.losses + 1;
        if losses < MOST_LOSSES {
            self.open.splice(0..0, stretch.places.into_iter().map(|place| (place, losses)));
            return;
        }
        let names = self.session.job.program.names();
        for place in stretch.places {
            let turns: Vec<String> = place.iter().map(|turn| names.path(turn.process)).collect();
            self.tally.internal_errors.push(format!(
                "{MOST_LOSSES} workers died exploring what follows these decisions of threads, which is given up: {}",
                turns.join(" ")
            ));
        }
    }

    fn take_in(&mut self, member: Member, mut report: Report) {
        let Some(State::Busy(stretch)) = self.members.insert(member, State::Idle) else { return };
        self.sharing.stops(member);
        let names = self.session.job.program.names();
        let text = report.left.take();
        let text = text.as_ref().map_or("", |text| text.get());
        let left = match WorkUnit::unpack(text, names) {
            Ok(WorkUnit { portion: Some(left), .. }) if report.number == stretch.number => left,
            // Nobody knows what was done.
            _ => return self.lose(stretch),
        };
        let Portion { beginnings: mut places, lessons, .. } = *left;
        if lessons.disordered {
            // One process does all of it again.
            report.bounds.clear();
        }
        self.lessons.add(lessons);
        let depth = stretch.places.first().map_or(0, Vec::len);
        self.log.note(depth, stretch.since, &report, text.len());
        let given = report.given;
        let job = self.session.job;
        let (tally, watcher) = (&mut *self.tally, &mut *self.watcher);
        let enough = |tally: &Tally| first_is_enough(job, tally);
        report.add_to(tally, job.program, enough, |finding| watcher.found(finding));
        if let Some(given) = given {
            let given = given.min(places.len());
            self.open.extend(places.drain(..given).map(|place| (place, 0)));
            let (number, attempt) = (stretch.number, stretch.attempt.next());
            let since = Instant::now();
            self.is_busy(member, Stretch { number, attempt, places, losses: 0, since });
            if given == 0 {
                self.sharing.has_nothing(member, self.now());
            }
        } else {
            // Who was stopped says what it would have gone on with.
            self.open.extend(places.into_iter().map(|place| (place, 0)));
        }
        self.session.note_time(self.tally);
        self.watcher.moved(self.tally, &Default::default(), 0);
    }

    /// Lets everybody stop, and takes in what they report in time.
    fn wind_down(&mut self) {
        for member in self.busy() {
            self.crew.order(member, &Order::Stop);
        }
        let end = Instant::now() + TO_STOP;
        while !self.busy().is_empty() && Instant::now() < end {
            if let Some((member, news)) = self.crew.news(PACE) {
                self.hear(member, news);
            }
        }
        for member in self.busy() {
            if let Some(State::Busy(stretch)) = self.members.remove(&member) {
                self.lost.push(stretch.attempt);
                self.open.extend(stretch.places.into_iter().map(|place| (place, 0)));
            }
        }
    }
}
