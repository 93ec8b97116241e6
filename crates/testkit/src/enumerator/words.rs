//! The sleep-set search with every set in a machine word.
//!
//! **Idea.** All operations of a shape are numbered below 64 and follow one another without jumps.
//! The state of the search is three words: the next operation of each thread, the operations that
//! wait for a lock, and the sleep set. A step is a few instructions on them. No search that runs
//! programs can be as fast: it is the bound, not the yardstick.

use super::{Action, Counts, Operation, Then, Threads};

/// Threads as lists of operations on numbered objects, ready for the search.
#[derive(Clone, Debug)]
pub struct Shape {
    /// By operation: which operations depend on it.
    dependent: Vec<u64>,
    /// By operation: which next operations change by performing it, itself and its successor.
    flip: Vec<u64>,
    /// By operation: which acquires begin to wait, and which stop waiting.
    blocks: Vec<u64>,
    unblocks: Vec<u64>,
    first: u64,
}

impl Shape {
    /// A shape of at most 64 operations without jumps.
    pub fn new(threads: &Threads) -> Shape {
        let straight = |list: &Vec<Operation>| list.iter().all(|one| one.then == Then::Next);
        assert!(threads.iter().all(straight), "words have no room for jumps");
        let all: Vec<(usize, usize, Action)> = threads
            .iter()
            .enumerate()
            .flat_map(|(thread, list)| list.iter().map(move |o| (thread, o.object, o.action)))
            .collect();
        assert!(all.len() <= 64, "{} operations do not fit into a word", all.len());
        let select = |predicate: &dyn Fn(usize, usize, Action) -> bool| {
            let chosen = all.iter().enumerate().filter(|(_, other)| {
                let (thread, at, action) = **other;
                predicate(thread, at, action)
            });
            chosen.fold(0, |mask, (index, _)| mask | 1u64 << index)
        };
        let acquires =
            |lock: usize| select(&|_, at, action| at == lock && action == Action::Acquire);
        let mut shape = Shape {
            dependent: Vec::new(),
            flip: Vec::new(),
            blocks: Vec::new(),
            unblocks: Vec::new(),
            first: 0,
        };
        for (index, &(thread, at, action)) in all.iter().enumerate() {
            let begins = index == 0 || all[index - 1].0 != thread;
            let ends = all.get(index + 1).is_none_or(|next| next.0 != thread);
            shape.first |= u64::from(begins) << index;
            shape.flip.push(1 << index | if ends { 0 } else { 2 << index });
            shape.blocks.push(if action == Action::Acquire { acquires(at) } else { 0 });
            shape.unblocks.push(if action == Action::Release { acquires(at) } else { 0 });
            shape.dependent.push(select(&|other, place, reaction| {
                let reads = action == Action::Read && reaction == Action::Read;
                other == thread || (place == at && !reads)
            }));
        }
        shape
    }

    /// Lists the executions, stopping after so many.
    pub fn count(&self, limit: u64) -> Counts {
        let mut counts = Counts::default();
        self.search(&mut counts, limit, self.first, 0, 0);
        counts
    }

    fn search(&self, counts: &mut Counts, limit: u64, next: u64, blocked: u64, mut asleep: u64) {
        let possible = next & !blocked;
        let mut open = possible & !asleep;
        if open == 0 {
            if possible == 0 {
                counts.executions += 1;
                counts.deadlocked += u64::from(next != 0);
            } else {
                counts.abandoned += 1;
            }
            return;
        }
        while open != 0 && counts.executions < limit {
            let index = open.trailing_zeros() as usize;
            let operation = open & open.wrapping_neg();
            let blocked = (blocked | self.blocks[index]) & !self.unblocks[index];
            let sleeping = asleep & !self.dependent[index];
            self.search(counts, limit, next ^ self.flip[index], blocked, sleeping);
            asleep |= operation;
            open ^= operation;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{dining, fib, filesystem_meetings, sections};
    use super::*;

    fn check(threads: &Threads, executions: u64, deadlocked: u64) {
        let counts = Shape::new(threads).count(u64::MAX);
        assert_eq!((counts.executions, counts.deadlocked), (executions, deadlocked));
    }

    #[test]
    fn one_execution_per_trace_of_the_reference_table() {
        check(&fib(1), 11, 0);
        check(&fib(4), 19605, 0);
        check(&fib(5), 218_243, 0);
        check(&dining(2), 11, 5);
        check(&dining(3), 106, 16);
        check(&dining(4), 831, 45);
        check(&dining(5), 5851, 121);
        check(&sections(&[2; 4]), 2520, 0);
        check(&sections(&[2, 2, 2, 2, 1]), 22680, 0);
        check(&sections(&[1; 6]), 720, 0);
        check(&sections(&[1; 7]), 5040, 0);
        check(&filesystem_meetings(14), 2, 0);
        check(&filesystem_meetings(18), 32, 0);
    }

    #[test]
    fn a_limit_stops_the_search() {
        assert_eq!(Shape::new(&fib(5)).count(1000).executions, 1000);
    }
}
