//! The bare search that benchmarks compare with: sleep sets and nothing else.
//!
//! **Problem.** To judge an explorer's speed one needs the limit it could approach: how fast one
//! core can list one execution per trace of the same shape if there is no program to run and nothing
//! to record.
//!
//! **Idea.** A thread is a fixed list of operations, and all operations of a shape are numbered
//! below 64. The state of the search is three words: the next operation of each thread, the
//! operations that wait for a lock, and the sleep set (Godefroid; chapter 2 of the thesis). A step is
//! a few instructions on them.
//!
//! It visits every prefix of every trace once, also those whose continuations are all asleep, so it
//! wastes most of its time where threads rarely meet. That is the technique's cost, and it is kept.

/// What an operation does with its object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Action {
    Read,
    Write,
    Acquire,
    Release,
}

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

/// What the search counted.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Complete executions, deadlocked ones included: one per trace.
    pub executions: u64,
    /// Executions that ended in a deadlock.
    pub deadlocked: u64,
    /// Prefixes given up because all that could follow was asleep.
    pub abandoned: u64,
}

impl Shape {
    /// A shape of at most 64 operations.
    pub fn new(threads: &[Vec<(u32, Action)>]) -> Shape {
        let all: Vec<(usize, u32, Action)> = threads
            .iter()
            .enumerate()
            .flat_map(|(thread, list)| list.iter().map(move |&(at, action)| (thread, at, action)))
            .collect();
        assert!(all.len() <= 64, "{} operations do not fit into a word", all.len());
        let select = |predicate: &dyn Fn(usize, u32, Action) -> bool| {
            let chosen = all.iter().enumerate().filter(|(_, other)| {
                let (thread, at, action) = **other;
                predicate(thread, at, action)
            });
            chosen.fold(0, |mask, (index, _)| mask | 1u64 << index)
        };
        let acquires = |lock: u32| select(&|_, at, action| at == lock && action == Action::Acquire);
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

/// The shape of [`shapes::fib`](crate::shapes::fib); the main thread's starts order nothing that its
/// reads do not.
pub fn fib(rounds: usize) -> Shape {
    use Action::{Read, Write};
    let adder = |to, from| [(to, Read), (from, Read), (to, Write)].repeat(rounds);
    Shape::new(&[adder(0, 1), adder(1, 0), vec![(0, Read), (1, Read)]])
}

/// The shape of [`shapes::sections`](crate::shapes::sections).
pub fn sections(sections: &[usize]) -> Shape {
    let thread = |&count: &usize| [(0, Action::Acquire), (0, Action::Release)].repeat(count);
    Shape::new(&sections.iter().map(thread).collect::<Vec<_>>())
}

/// The shape of [`shapes::dining`](crate::shapes::dining).
pub fn dining(philosophers: u32) -> Shape {
    use Action::{Acquire, Release};
    let philosopher = |number: u32| {
        let (first, second) = (number, (number + philosophers - 1) % philosophers);
        [(first, Acquire), (second, Acquire), (second, Release), (first, Release)].repeat(2)
    };
    Shape::new(&(0..philosophers).map(philosopher).collect::<Vec<_>>())
}

/// The shape of [`shapes::filesystem`](crate::shapes::filesystem), without the operations that no
/// other thread can meet: a thread and the thirteenth after it compete for one block's lock, and the
/// loser's next block is free.
pub fn filesystem(threads: u32) -> Shape {
    use Action::{Acquire, Release};
    let pairs = 0..threads.saturating_sub(13);
    let section = |block: u32| vec![(block, Acquire), (block, Release)];
    Shape::new(&pairs.flat_map(|pair| [section(pair), section(pair)]).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shape: &Shape, executions: u64, deadlocked: u64) {
        let counts = shape.count(u64::MAX);
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
        check(&filesystem(14), 2, 0);
        check(&filesystem(18), 32, 0);
    }

    #[test]
    fn a_limit_stops_the_search() {
        assert_eq!(fib(5).count(1000).executions, 1000);
    }
}
