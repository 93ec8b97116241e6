//! The sleep-set search as one would write it down.
//!
//! **Idea.** A state is the position of each thread in its list, who holds which lock and which
//! variables were written. From a state, every thread that can move and does not sleep goes in turn;
//! after that it sleeps while its later siblings are explored, until an operation that conflicts
//! with its own wakes it. Sleep sets are short lists of threads, and conflicts are asked pair by pair.
//!
//! **Cost.** Per prefix of a trace, threads times sleepers. Nothing is allocated for up to 24
//! threads.

use std::time::Instant;

use smallvec::SmallVec;

use super::{Action, Counts, Operation, Then, Threads};

/// How often the clock is read, in prefixes.
const PATIENCE: u64 = 4096;

/// Counts executions until all are found or the time has come.
pub fn count(threads: &Threads, until: Option<Instant>) -> Counts {
    assert!(threads.len() <= 256, "a sleeper is a byte");
    let objects = threads.iter().flatten().map(|operation| operation.object + 1).max();
    let objects = objects.unwrap_or(0);
    let mut search = Enumeration {
        threads,
        position: vec![0; threads.len()],
        held: vec![false; objects],
        written: vec![false; objects],
        counts: Counts::default(),
        visited: 0,
        until,
        stop: false,
    };
    search.explore(Sleepers::new());
    search.counts
}

/// Threads whose next operation need not be taken.
type Sleepers = SmallVec<[u8; 24]>;

struct Enumeration<'a> {
    threads: &'a Threads,
    /// By thread, the number of its next operation.
    position: Vec<usize>,
    /// By object, whether it is a lock that is held.
    held: Vec<bool>,
    /// By object, whether it was written.
    written: Vec<bool>,
    counts: Counts,
    visited: u64,
    until: Option<Instant>,
    stop: bool,
}

impl Enumeration<'_> {
    fn explore(&mut self, mut asleep: Sleepers) {
        self.visited += 1;
        if self.visited.is_multiple_of(PATIENCE) {
            self.stop |= self.until.is_some_and(|until| Instant::now() >= until);
        }
        let mut movable = false;
        let mut explored = false;
        for thread in 0..self.threads.len() {
            let Some(operation) = self.next(thread) else { continue };
            if operation.action == Action::Acquire && self.held[operation.object] {
                continue;
            }
            movable = true;
            if self.stop || asleep.contains(&(thread as u8)) {
                continue;
            }
            explored = true;
            let still_asleep = asleep.iter().copied().filter(|&sleeper| {
                let other =
                    self.next(usize::from(sleeper)).expect("only a thread that could move sleeps");
                !operation.conflicts(other)
            });
            let still_asleep = still_asleep.collect();
            self.step(thread, operation, still_asleep);
            asleep.push(thread as u8);
        }
        if !movable {
            self.counts.executions += 1;
            let waits = (0..self.threads.len()).any(|thread| self.next(thread).is_some());
            self.counts.deadlocked += u64::from(waits);
        } else if !explored && !self.stop {
            self.counts.abandoned += 1;
        }
    }

    /// Takes a step, explores what follows and takes it back.
    fn step(&mut self, thread: usize, operation: Operation, asleep: Sleepers) {
        let Operation { object, action, then } = operation;
        let before = (self.position[thread], self.held[object], self.written[object]);
        self.position[thread] = match then {
            Then::Jump(target) => target,
            Then::JumpIfWritten(target) if self.written[object] => target,
            Then::Next | Then::JumpIfWritten(_) => self.position[thread] + 1,
        };
        match action {
            Action::Read => {}
            Action::Write => self.written[object] = true,
            Action::Acquire => self.held[object] = true,
            Action::Release => self.held[object] = false,
        }
        self.explore(asleep);
        (self.position[thread], self.held[object], self.written[object]) = before;
    }

    fn next(&self, thread: usize) -> Option<Operation> {
        self.threads[thread].get(self.position[thread]).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::{dining, fib, filesystem, filesystem_meetings, sections, words};
    use super::*;

    fn check(threads: &Threads, executions: u64, deadlocked: u64) {
        let counts = count(threads, None);
        assert_eq!((counts.executions, counts.deadlocked), (executions, deadlocked));
    }

    #[test]
    fn one_execution_per_trace_of_the_reference_table() {
        check(&fib(1), 11, 0);
        check(&fib(4), 19605, 0);
        check(&dining(2), 11, 5);
        check(&dining(3), 106, 16);
        check(&dining(4), 831, 45);
        check(&sections(&[2; 4]), 2520, 0);
        check(&sections(&[1; 6]), 720, 0);
    }

    #[test]
    fn a_busy_block_sends_the_loser_on() {
        // Of four blocks, threads 0 and 2 begin with the same; of two, all begin with one.
        check(&filesystem(2, 4), 1, 0);
        check(&filesystem(3, 4), 2, 0);
        check(&filesystem(2, 2), 2, 0);
    }

    #[test]
    fn it_visits_what_the_search_on_words_visits() {
        for threads in [fib(3), dining(4), sections(&[2, 2, 1]), filesystem_meetings(16)] {
            assert_eq!(count(&threads, None), words::Shape::new(&threads).count(u64::MAX));
        }
    }

    #[test]
    fn it_stops_in_time() {
        let counts = count(&filesystem(22, 26), Some(Instant::now() + Duration::from_millis(10)));
        assert!(counts.executions >= 1);
    }
}
