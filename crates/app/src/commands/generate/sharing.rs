//! Targets, several at once, and large ones in parts.
//!
//! **Problem.** Targets are independent of each other, but there may be a large one among many small ones. Each comes to
//! hundreds of tests, all with values, conditions and a trace: to hand them from one process to another takes about as long
//! as to find them.
//!
//! **Idea.** Threads, each with programs of its own, of which only plain data leaves the thread. There are two kinds of
//! work: to explore a part of a target, which finds cases, and to run some of these cases with their values. What is to be
//! explored goes first, and cases are run meanwhile by whoever has nothing to explore. When somebody has nothing to do at all,
//! whoever explores leaves some of its part to others ([`part`]), at the node where most is left. Targets of explorers that
//! reduce, and of guided searches, are one part each. Results are put together in the order of targets, parts and cases.
//!
//! **Invariant.** The tests are those of one thread, in the same order. What is left when the time is over is a list of
//! units, each with its place among the tests.
//!
//! **Cost.** To begin a target, for each thread that works on it.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use counterpoint_abs::generate::Target;
use counterpoint_abs::machine::CoveragePoint;
use counterpoint_explore::WorkUnit;
use counterpoint_model::Program;
use serde_json::value::RawValue;

use super::Exploring;
use super::case::{Test, Unconfirmed};
use super::part::{self, Others, Part, Wish};
use super::saved;
use super::session::{Outcomes, Session};
use crate::jobs;

/// So many cases are run by one thread before others may have the next.
const CASES: usize = 16;

/// When so many times as many wait, whoever finds more runs some first: what waits when the time is over takes longer
/// than allowed.
const MOST_WAITING: usize = 4;

/// How long a part is explored before it is divided, and divided again. To begin a part takes a fraction of that.
const UNDIVIDED: Duration = Duration::from_micros(500);

/// A part, by the numbers of its target and of itself there.
type PartId = (usize, usize);

/// Cases, the part that they belong to, and their place there.
type Cases = (PartId, usize, Vec<Unconfirmed>);

/// What there is to do.
#[derive(Default)]
struct Work {
    /// Parts that are to be explored.
    parts: VecDeque<PartId>,
    /// How many are being explored.
    exploring: usize,
    /// Cases that are to be run.
    cases: VecDeque<Cases>,
    /// How many threads have nothing to do.
    idle: usize,
}

/// A target that several threads work on.
struct Share {
    target: Target,
    /// Its tasks in the order of their numbers, for explorers that choose by them.
    tasks: Vec<String>,
    parts: Vec<SharedPart>,
    /// For each unit that was left, its first part.
    first: Vec<usize>,
    /// What executions have come to.
    executed: BTreeSet<CoveragePoint>,
    /// What was counted so far.
    counted: Part,
}

/// A part of what was left of a target.
#[derive(Default)]
struct SharedPart {
    /// What is to be explored, or what is left, as threads exchange it.
    unit: Option<Box<RawValue>>,
    /// The tests that were found, or what went wrong with them, some at a time.
    confirmed: Vec<Vec<Result<Test, String>>>,
    /// The part that comes after it.
    next: Option<usize>,
}

/// All that threads share.
struct Sharing<'a> {
    exploring: &'a Exploring<'a>,
    shares: Vec<Mutex<Share>>,
    work: Mutex<Work>,
    changed: Condvar,
    /// Whether there is less to do than there are threads without work.
    wanted: AtomicBool,
    undivided: Duration,
}

/// Explores what is left of targets by so many threads, or as many as there can be.
pub fn explore(exploring: &Exploring<'_>, sessions: &mut [Session], threads: usize) {
    let mut work = Work::default();
    for (number, session) in sessions.iter().enumerate() {
        work.parts.extend((0..session.unexplored.len()).map(|part| (number, part)));
    }
    let sharing = Sharing {
        exploring,
        shares: sessions.iter().map(|session| Mutex::new(Share::new(session))).collect(),
        work: Mutex::new(work),
        changed: Condvar::new(),
        wanted: AtomicBool::new(false),
        undivided: if jobs::is_hasty() { Duration::ZERO } else { UNDIVIDED },
    };
    std::thread::scope(|scope| {
        let act = || sharing.act();
        for number in 1..threads {
            let thread = std::thread::Builder::new().name(format!("targets {number}"));
            let _ = thread.stack_size(crate::STACK).spawn_scoped(scope, act);
        }
        act();
    });
    for (session, share) in sessions.iter_mut().zip(sharing.shares) {
        unlock(share.into_inner()).end(exploring, session);
    }
}

impl Share {
    fn new(session: &Session) -> Share {
        let names = session.program.names();
        let unit =
            |unit: &WorkUnit| SharedPart { unit: Some(unit.pack(names)), ..Default::default() };
        Share {
            target: session.target.clone(),
            tasks: saved::tasks(session),
            parts: session.unexplored.iter().map(|rest| unit(&rest.unit)).collect(),
            first: (0..session.unexplored.len()).collect(),
            executed: BTreeSet::new(),
            counted: Part::default(),
        }
    }

    /// Puts the results together.
    fn end(mut self, exploring: &Exploring<'_>, session: &mut Session) {
        session.count(self.counted);
        session.executed_before.append(&mut self.executed);
        saved::name_tasks(session, &self.tasks);
        let names = session.program.names();
        let mut outcomes: Vec<Vec<Outcomes>> = Vec::new();
        for first in self.first {
            let mut in_order = Vec::new();
            let mut next = Some(first);
            while let Some(number) = next {
                let SharedPart { unit, confirmed, next: after } =
                    std::mem::take(&mut self.parts[number]);
                let left =
                    unit.map(|unit| WorkUnit::unpack(unit.get(), names).expect("it was packed"));
                in_order.push((confirmed.into_iter().flatten().collect(), left));
                next = after;
            }
            outcomes.push(in_order);
        }
        session.put_in_place(exploring.question, outcomes);
    }
}

impl Sharing<'_> {
    /// What each thread does until nothing is left.
    fn act(&self) {
        // The target that this thread was at last: what its program has learnt is of use for other parts of it.
        let mut present: Option<(usize, Session)> = None;
        let mut left = unlock(self.work.lock());
        loop {
            if let Some(part) = left.parts.pop_front() {
                left.exploring += 1;
                drop(left);
                self.explore_one(&mut present, part);
                left = unlock(self.work.lock());
                left.exploring -= 1;
                self.changed.notify_all();
            } else if let Some(cases) = left.cases.pop_front() {
                drop(left);
                self.confirm(cases);
                left = unlock(self.work.lock());
            } else if left.exploring > 0 {
                left.idle += 1;
                self.note_wanted(&left);
                left = unlock(self.changed.wait(left));
                left.idle -= 1;
                self.note_wanted(&left);
            } else {
                return;
            }
        }
    }

    fn note_wanted(&self, work: &MutexGuard<'_, Work>) {
        let wanted = work.idle > work.parts.len() + work.cases.len();
        self.wanted.store(wanted, Ordering::Relaxed);
    }

    /// Explores a part from where it stands, and hands on the cases that are found, some at a time.
    fn explore_one(&self, present: &mut Option<(usize, Session)>, id: PartId) {
        let exploring = self.exploring;
        let Some(limits) = exploring.limits(None) else { return };
        let (number, part) = id;
        let (target, tasks, unit) = {
            let mut share = unlock(self.shares[number].lock());
            let unit = share.parts[part].unit.take();
            (share.target.clone(), share.tasks.clone(), unit)
        };
        if present.as_ref().is_none_or(|(present, _)| *present != number) {
            let session = Session::new(exploring.question, exploring.model, target);
            saved::name_tasks(&session, &tasks);
            *present = Some((number, session));
        }
        let (Some((_, session)), Some(unit)) = (present.as_ref(), unit) else { return };
        let names = session.program.names();
        let unit = WorkUnit::unpack(unit.get(), names).expect("it was packed by another thread");
        let (mut place, mut found) = (0, Vec::new());
        let mut others = Waiting { sharing: self, session, part: id, since: Instant::now() };
        let mut explored = part::explore(
            session,
            unit,
            limits,
            crate::interrupt::flag(),
            &mut others,
            &mut |case| {
                found.push(case);
                if found.len() == CASES {
                    self.hand_on((id, place, std::mem::take(&mut found)));
                    place += 1;
                }
            },
        );
        self.hand_on((id, place, found));
        let left = explored.left.take().map(|unit| unit.pack(names));
        let mut share = unlock(self.shares[number].lock());
        if left.is_some() && !session.is_divisible() {
            share.tasks = saved::tasks(session);
        }
        share.parts[part].unit = left;
        share.counted.add(explored);
        share.executed.append(&mut session.program.points());
    }

    /// Leaves cases to whoever has time for them.
    fn hand_on(&self, cases: Cases) {
        let mut left = unlock(self.work.lock());
        left.cases.push_back(cases);
        self.note_wanted(&left);
        self.changed.notify_one();
        // Nobody has had time for them.
        if left.cases.len() > MOST_WAITING
            && let Some(cases) = left.cases.pop_front()
        {
            drop(left);
            self.confirm(cases);
        }
    }

    /// Runs cases with their values.
    fn confirm(&self, ((number, part), place, cases): Cases) {
        let method = unlock(self.shares[number].lock()).target.name.clone();
        let confirm = |case: Unconfirmed| self.exploring.confirm(case, &method);
        let found = cases.into_iter().map(confirm).collect();
        let mut share = unlock(self.shares[number].lock());
        let confirmed = &mut share.parts[part].confirmed;
        if confirmed.len() <= place {
            confirmed.resize_with(place + 1, Vec::new);
        }
        confirmed[place] = found;
    }
}

/// The other threads, as whoever explores a part sees them.
struct Waiting<'a> {
    sharing: &'a Sharing<'a>,
    session: &'a Session,
    part: PartId,
    /// When the part was begun, or was last to be divided.
    since: Instant,
}

impl Others for Waiting<'_> {
    fn wish(&mut self) -> Wish {
        let Sharing { wanted, undivided, .. } = self.sharing;
        let wanted = undivided.is_zero() || wanted.load(Ordering::Relaxed);
        match wanted && self.since.elapsed() >= *undivided {
            true => Wish::Share,
            false => Wish::Nothing,
        }
    }

    fn take(&mut self, unit: Option<WorkUnit>) {
        self.since = Instant::now();
        let Some(unit) = unit else { return };
        let (number, part) = self.part;
        let new = {
            let mut share = unlock(self.sharing.shares[number].lock());
            let new = share.parts.len();
            let next = share.parts[part].next.replace(new);
            let unit = Some(unit.pack(self.session.program.names()));
            share.parts.push(SharedPart { unit, next, ..Default::default() });
            new
        };
        let mut left = unlock(self.sharing.work.lock());
        left.parts.push_back((number, new));
        self.sharing.note_wanted(&left);
        self.sharing.changed.notify_one();
    }
}

/// A thread that panics ends the process, so nobody finds what it has left.
fn unlock<T>(lock: Result<T, PoisonError<T>>) -> T {
    lock.unwrap_or_else(PoisonError::into_inner)
}
