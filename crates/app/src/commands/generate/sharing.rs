//! Targets, several at once.
//!
//! **Problem.** Targets are independent of each other, but there may be a large one among many small ones. Each comes to
//! hundreds of tests, all with values, conditions and a trace: to hand them from one process to another takes about as long
//! as to find them.
//!
//! **Idea.** Threads, each with programs of its own, of which only plain data leaves the thread. There are two kinds of
//! work: to explore a target, which finds cases, and to run some of these cases with their values. What is to be explored
//! goes first, and cases are run meanwhile by whoever has nothing to explore. Results are put together in the order of
//! targets and cases.
//!
//! **Invariant.** The tests are those of one thread, in the same order.
//!
//! **Cost.** To begin a target.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};

use counterpoint_abs::generate::Target;

use super::Exploring;
use super::saved::SavedTarget;
use super::session::{Effort, Session, Test, Unconfirmed};

/// So many cases are run by one thread before others may have the next.
const CASES: usize = 16;

/// When so many times as many wait, whoever finds more runs some first: what waits when the time is over takes longer
/// than allowed.
const MOST_WAITING: usize = 16;

/// What there is to do.
#[derive(Default)]
struct Work {
    /// Targets that are to be explored.
    targets: VecDeque<usize>,
    /// How many are being explored.
    exploring: usize,
    /// Cases that are to be run.
    cases: VecDeque<Cases>,
}

/// Cases, and where their results belong: a target, and a place there.
type Cases = (usize, usize, Vec<Unconfirmed>);

/// What came of a target.
struct Share {
    target: Target,
    /// What had been done of it when a generation was resumed, and then what has.
    saved: SavedTarget,
    effort: Effort,
    /// The tests that were found, or what went wrong with them, some at a time.
    confirmed: Vec<Vec<Result<Test, String>>>,
}

/// Explores targets that are not done by so many threads, or as many as there can be.
pub fn explore(exploring: &Exploring<'_>, sessions: &mut [Session], threads: usize) {
    let shares: Vec<Mutex<Share>> = sessions
        .iter()
        .map(|session| {
            let (target, saved) = (session.target.clone(), SavedTarget::of(session));
            let effort = Effort::default();
            Mutex::new(Share { target, saved, effort, confirmed: Vec::new() })
        })
        .collect();
    let open = (0..sessions.len()).filter(|&number| !sessions[number].is_done());
    let work = Mutex::new(Work { targets: open.collect(), ..Work::default() });
    let changed = Condvar::new();
    std::thread::scope(|scope| {
        let act = || act(exploring, &shares, &work, &changed);
        for number in 1..threads {
            let thread = std::thread::Builder::new().name(format!("targets {number}"));
            let _ = thread.stack_size(crate::STACK).spawn_scoped(scope, act);
        }
        act();
    });
    for (session, share) in sessions.iter_mut().zip(shares) {
        let Share { saved, effort, confirmed, .. } = unlock(share.into_inner());
        if !session.is_done() {
            let tests = std::mem::take(&mut session.tests);
            saved.take_over(session, exploring.model, tests);
            session.elsewhere = session.elsewhere.plus(effort);
            for one in confirmed.into_iter().flatten() {
                session.keep(exploring.question, one);
            }
        }
    }
}

/// What each thread does until nothing is left.
fn act(exploring: &Exploring<'_>, shares: &[Mutex<Share>], work: &Mutex<Work>, changed: &Condvar) {
    let mut left = unlock(work.lock());
    loop {
        if let Some(number) = left.targets.pop_front() {
            left.exploring += 1;
            drop(left);
            explore_one(exploring, shares, number, |cases| {
                let mut left = unlock(work.lock());
                left.cases.push_back(cases);
                changed.notify_one();
                // Nobody has had time for them.
                if left.cases.len() > MOST_WAITING
                    && let Some(cases) = left.cases.pop_front()
                {
                    drop(left);
                    confirm(exploring, shares, cases);
                }
            });
            left = unlock(work.lock());
            left.exploring -= 1;
            changed.notify_all();
        } else if let Some(cases) = left.cases.pop_front() {
            drop(left);
            confirm(exploring, shares, cases);
            left = unlock(work.lock());
        } else if left.exploring > 0 {
            left = unlock(changed.wait(left));
        } else {
            return;
        }
    }
}

/// Explores a target from where it stands, and hands on the cases that are found, some at a time.
fn explore_one(
    exploring: &Exploring<'_>,
    shares: &[Mutex<Share>],
    number: usize,
    mut hand_on: impl FnMut(Cases),
) {
    let Some(limits) = exploring.limits(None, None) else { return };
    let mut session = {
        let share = unlock(shares[number].lock());
        let mut session = Session::new(exploring.question, exploring.model, share.target.clone());
        share.saved.take_over(&mut session, exploring.model, Vec::new());
        session
    };
    let (mut place, mut found) = (0, Vec::new());
    session.find(limits, crate::interrupt::flag(), |case| {
        found.push(case);
        if found.len() == CASES {
            hand_on((number, place, std::mem::take(&mut found)));
            place += 1;
        }
    });
    hand_on((number, place, found));
    let mut share = unlock(shares[number].lock());
    share.effort = session.effort();
    share.saved = SavedTarget::of(&session);
}

/// Runs cases with their values.
fn confirm(exploring: &Exploring<'_>, shares: &[Mutex<Share>], (number, place, cases): Cases) {
    let confirm = |case: Unconfirmed| case.confirm(exploring.question, exploring.model);
    let confirmed = cases.into_iter().map(confirm).collect();
    let mut share = unlock(shares[number].lock());
    if share.confirmed.len() <= place {
        share.confirmed.resize_with(place + 1, Vec::new);
    }
    share.confirmed[place] = confirmed;
}

/// A thread that panics ends the process, so nobody finds what it has left.
fn unlock<T>(lock: Result<T, PoisonError<T>>) -> T {
    lock.unwrap_or_else(PoisonError::into_inner)
}
