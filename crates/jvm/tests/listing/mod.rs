//! Lists the traces of threads that take and release read-write locks and wait for each other, by brute force.
//!
//! It shares nothing with the machine or an explorer. A read lock is free if nobody writes and no writer waits in the
//! queue; a writer joins the queue in a step of its own, while somebody reads. By the rule of the machine it does so only if
//! one of those who read has come to an operation that may have to wait, or to its end, which is a step of its own as
//! well; without the rule it may join at any time. Takings and releases of a read lock commute with each other, and
//! everything else that happens to a lock has an order. So a trace is, for each lock, that order and the place of each
//! reader's steps in it.

use std::collections::BTreeSet;

/// What a thread does next, with which lock or latch.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Step {
    Read(usize),
    EndReading(usize),
    Write(usize),
    EndWriting(usize),
    Open(usize),
    Await(usize),
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

/// When a writer may join the queue.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Joining {
    /// While somebody reads.
    Always,
    /// While somebody reads who may have to wait.
    IfReaderWaits,
}

/// What happens in a step.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum What {
    Performs,
    Joins,
    Stops,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct State {
    /// How many steps each thread has taken.
    taken: Vec<usize>,
    /// Who is in the queue of which lock.
    queued: BTreeSet<(usize, usize)>,
    /// Who has come to an operation that may have to wait since it reads with which lock.
    stopped: BTreeSet<(usize, usize)>,
    orders: [Vec<(usize, usize, What)>; 2],
    /// The steps of readers: lock, thread, step, what it is, place in the order.
    places: BTreeSet<(usize, usize, usize, What, usize)>,
}

/// What threads with two locks can do.
pub struct Listing {
    pub traces: u64,
    /// How many of the traces deadlock.
    pub deadlocks: u64,
    /// How far each thread has come in the states in which they do.
    pub stuck: BTreeSet<Vec<usize>>,
    /// Whether somebody is in a queue in one of them.
    pub has_queue: bool,
}

pub fn list(threads: &[Vec<Step>], joining: Joining) -> Listing {
    let start = State { taken: vec![0; threads.len()], ..State::default() };
    let (mut seen, mut ends, mut deadlocks) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (mut stuck, mut has_queue) = (BTreeSet::new(), false);
    let mut left = vec![start];
    while let Some(state) = left.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let next: Vec<State> =
            (0..threads.len()).filter_map(|own| step(threads, &state, own, joining)).collect();
        if next.is_empty() {
            let all_done =
                threads.iter().zip(&state.taken).all(|(steps, taken)| steps.len() == *taken);
            let trace = (state.orders, state.places);
            if !all_done {
                deadlocks.insert(trace.clone());
                stuck.insert(state.taken);
                has_queue |= !state.queued.is_empty();
            }
            ends.insert(trace);
        }
        left.extend(next);
    }
    Listing { traces: ends.len() as u64, deadlocks: deadlocks.len() as u64, stuck, has_queue }
}

/// The state after the next step of a thread, if it can take it.
fn step(threads: &[Vec<Step>], state: &State, own: usize, joining: Joining) -> Option<State> {
    let number = state.taken[own];
    let step = threads[own].get(number).copied();
    let holds = |thread: usize, wanted: Step, end: Step| {
        let past = &threads[thread][..state.taken[thread]];
        let count = |step: Step| past.iter().filter(|other| **other == step).count();
        count(wanted) > count(end)
    };
    let is_reader = |thread: usize, lock: usize| holds(thread, Read(lock), EndReading(lock));
    let all = || 0..threads.len();
    let is_read = |lock: usize| all().any(|thread| is_reader(thread, lock));
    let is_written = |lock| all().any(|thread| holds(thread, Write(lock), EndWriting(lock)));
    let mut next = state.clone();
    let may_wait = matches!(step, None | Some(Read(_) | Write(_) | Await(_)));
    let busy = |lock: &usize| is_reader(own, *lock) && !state.stopped.contains(&(own, *lock));
    let busy: Vec<usize> = (0..2).filter(busy).collect();
    if joining == Joining::IfReaderWaits && may_wait && !busy.is_empty() {
        for lock in busy {
            next.stopped.insert((own, lock));
            next.places.insert((lock, own, number, What::Stops, state.orders[lock].len()));
        }
        return Some(next);
    }
    next.taken[own] += 1;
    match step? {
        Read(lock) => {
            let waits = state.queued.iter().any(|(_, queue)| *queue == lock);
            if is_written(lock) || waits {
                return None;
            }
            next.places.insert((lock, own, number, What::Performs, state.orders[lock].len()));
        }
        EndReading(lock) => {
            next.places.insert((lock, own, number, What::Performs, state.orders[lock].len()));
            next.stopped.remove(&(own, lock));
        }
        Write(lock) if !is_read(lock) && !is_written(lock) => {
            next.queued.remove(&(own, lock));
            next.orders[lock].push((own, number, What::Performs));
        }
        Write(lock) => {
            let may_join = match joining {
                Joining::Always => is_read(lock),
                Joining::IfReaderWaits => state.stopped.iter().any(|(_, read)| *read == lock),
            };
            if !may_join || !next.queued.insert((own, lock)) {
                return None;
            }
            next.taken[own] -= 1;
            next.orders[lock].push((own, number, What::Joins));
        }
        EndWriting(lock) => next.orders[lock].push((own, number, What::Performs)),
        Open(_) => {}
        Await(latch) => {
            let opened =
                all().any(|thread| threads[thread][..state.taken[thread]].contains(&Open(latch)));
            if !opened {
                return None;
            }
        }
    }
    Some(next)
}
