//! Lists the traces of threads that only take and release read-write locks, by brute force.
//!
//! It shares nothing with the machine or an explorer. A read lock is free if nobody writes and no writer waits in the
//! queue; a writer joins the queue in a step of its own, while somebody reads. Takings and releases of a read lock commute
//! with each other, and everything else that happens to a lock has an order. So a trace is, for each lock, that order
//! and the place of each reader's steps in it.

use std::collections::BTreeSet;

/// What a thread does next, with which lock.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Step {
    Read(usize),
    EndReading(usize),
    Write(usize),
    EndWriting(usize),
}

use Step::*;

/// One read.
pub fn reads(lock: usize) -> Vec<Step> {
    vec![Read(lock), EndReading(lock)]
}

/// One write.
pub fn writes(lock: usize) -> Vec<Step> {
    vec![Write(lock), EndWriting(lock)]
}

/// What has an order: a thread, its step, and whether it only joins the queue.
type Ordered = (usize, usize, bool);

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct State {
    /// How many steps each thread has taken.
    taken: Vec<usize>,
    /// Who is in the queue of which lock.
    queued: BTreeSet<(usize, usize)>,
    orders: [Vec<Ordered>; 2],
    /// The steps of readers: lock, thread, step, place in the order.
    places: BTreeSet<(usize, usize, usize, usize)>,
}

/// How many traces these threads have on two locks, and how many of them deadlock.
pub fn traces(threads: &[Vec<Step>]) -> (u64, u64) {
    let start = State { taken: vec![0; threads.len()], ..State::default() };
    let (mut seen, mut ends, mut deadlocks) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut left = vec![start];
    while let Some(state) = left.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let next: Vec<State> =
            (0..threads.len()).filter_map(|own| step(threads, &state, own)).collect();
        if next.is_empty() {
            let all_done =
                threads.iter().zip(&state.taken).all(|(steps, taken)| steps.len() == *taken);
            let trace = (state.orders, state.places);
            if !all_done {
                deadlocks.insert(trace.clone());
            }
            ends.insert(trace);
        }
        left.extend(next);
    }
    (ends.len() as u64, deadlocks.len() as u64)
}

/// The state after the next step of a thread, if it can take it.
fn step(threads: &[Vec<Step>], state: &State, own: usize) -> Option<State> {
    let number = state.taken[own];
    let step = *threads[own].get(number)?;
    let holds = |wanted: Step, end: Step| {
        threads.iter().zip(&state.taken).any(|(steps, &taken)| {
            let count = |step: Step| steps[..taken].iter().filter(|other| **other == step).count();
            count(wanted) > count(end)
        })
    };
    let is_read = |lock| holds(Read(lock), EndReading(lock));
    let is_written = |lock| holds(Write(lock), EndWriting(lock));
    let mut next = state.clone();
    next.taken[own] += 1;
    match step {
        Read(lock) => {
            let waits = state.queued.iter().any(|(_, queue)| *queue == lock);
            if is_written(lock) || waits {
                return None;
            }
            next.places.insert((lock, own, number, state.orders[lock].len()));
        }
        EndReading(lock) => {
            next.places.insert((lock, own, number, state.orders[lock].len()));
        }
        Write(lock) if !is_read(lock) && !is_written(lock) => {
            next.queued.remove(&(own, lock));
            next.orders[lock].push((own, number, false));
        }
        Write(lock) => {
            if !is_read(lock) || !next.queued.insert((own, lock)) {
                return None;
            }
            next.taken[own] -= 1;
            next.orders[lock].push((own, number, true));
        }
        EndWriting(lock) => next.orders[lock].push((own, number, false)),
    }
    Some(next)
}
