//! The bare searches that benchmarks compare with: sleep sets and nothing else.
//!
//! **Problem.** To judge an explorer's speed one needs the limit it could approach: how fast one
//! core lists one execution per trace of the same shape if there is no program to run and nothing
//! to record.
//!
//! **Idea.** A thread is a list of operations on numbered objects ([`Operation`]), and a depth-first
//! search with sleep sets (Godefroid; chapter 2 of the thesis) walks over the lists. It is here
//! twice. [`plain`] is the search as one would write it down, for any shape, with jumps that depend
//! on what a variable holds. [`words`] is the same search with every set of operations in a machine
//! word, for shapes of at most 64 operations without jumps: a bound on what any search could do.
//!
//! Both visit every prefix of every trace once, also those whose continuations are all asleep, so
//! they waste most of their time where threads rarely meet. That is the technique's cost, and it is
//! kept.

pub mod plain;
pub mod words;

/// What an operation does with its object.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Action {
    Read,
    Write,
    Acquire,
    Release,
}

/// Which operation of its list a thread goes on with.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Then {
    /// The next one.
    Next,
    /// The one with this number.
    Jump(usize),
    /// The one with this number if the object was written before, and the next one if not.
    JumpIfWritten(usize),
}

/// One operation of a thread.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The variable or lock.
    pub object: usize,
    /// What is done with it.
    pub action: Action,
    /// What follows.
    pub then: Then,
}

impl Operation {
    /// An operation that is followed by the next in its list.
    pub fn new(object: usize, action: Action) -> Operation {
        Operation { object, action, then: Then::Next }
    }

    /// Whether the order of two operations of different threads matters.
    pub fn conflicts(self, other: Operation) -> bool {
        let both_read = self.action == Action::Read && other.action == Action::Read;
        self.object == other.object && !both_read
    }
}

/// What a search counted.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Complete executions, deadlocked ones included: one per trace.
    pub executions: u64,
    /// Executions that ended in a deadlock.
    pub deadlocked: u64,
    /// Prefixes given up because all that could follow was asleep.
    pub abandoned: u64,
}

/// Threads as lists of operations.
pub type Threads = Vec<Vec<Operation>>;

/// The shape of [`shapes::fib`](crate::shapes::fib); the main thread's starts order nothing that its
/// reads do not.
pub fn fib(rounds: usize) -> Threads {
    use Action::{Read, Write};
    let adder = |to, from| {
        let round = [(to, Read), (from, Read), (to, Write)];
        list(&round.repeat(rounds))
    };
    vec![adder(0, 1), adder(1, 0), list(&[(0, Read), (1, Read)])]
}

/// The shape of [`shapes::sections`](crate::shapes::sections).
pub fn sections(sections: &[usize]) -> Threads {
    let section = [(0, Action::Acquire), (0, Action::Release)];
    sections.iter().map(|&count| list(&section.repeat(count))).collect()
}

/// The shape of [`shapes::dining`](crate::shapes::dining).
pub fn dining(philosophers: usize) -> Threads {
    use Action::{Acquire, Release};
    let philosopher = |number: usize| {
        let (first, second) = (number, (number + philosophers - 1) % philosophers);
        let meal = [(first, Acquire), (second, Acquire), (second, Release), (first, Release)];
        list(&meal.repeat(2))
    };
    (0..philosophers).map(philosopher).collect()
}

/// The shape of [`shapes::filesystem`](crate::shapes::filesystem), for a disk of so many blocks: the
/// search for a free block goes on where a block was found busy.
pub fn filesystem(threads: usize, blocks: usize) -> Threads {
    use Action::{Acquire, Read, Release, Write};
    let thread = |number: usize| {
        let (inode_lock, inode) = (number, threads + number);
        // Two operations before the search, six for each block.
        let last = 2 + 6 * blocks;
        let mut operations = list(&[(inode_lock, Acquire), (inode, Read)]);
        operations[1].then = Then::JumpIfWritten(last);
        for offset in 0..blocks {
            let block = (2 * number + offset) % blocks;
            let (lock, busy) = (2 * threads + block, 2 * threads + blocks + block);
            let taken = list(&[(lock, Acquire), (busy, Read), (busy, Write), (inode, Write)]);
            operations.extend(taken);
            let start = 2 + 6 * offset;
            operations[start + 1].then = Then::JumpIfWritten(start + 5);
            operations.extend(list(&[(lock, Release), (lock, Release)]));
            operations[start + 4].then = Then::Jump(last);
        }
        operations.extend(list(&[(inode_lock, Release)]));
        operations
    };
    (0..threads).map(thread).collect()
}

/// What is left of [`shapes::filesystem`](crate::shapes::filesystem) without the operations that no
/// other thread can meet: a thread and the thirteenth after it compete for one block's lock, and the
/// loser's next block is free.
pub fn filesystem_meetings(threads: usize) -> Threads {
    let pairs = 0..threads.saturating_sub(13);
    let section = |block: usize| list(&[(block, Action::Acquire), (block, Action::Release)]);
    pairs.flat_map(|pair| [section(pair), section(pair)]).collect()
}

fn list(operations: &[(usize, Action)]) -> Vec<Operation> {
    operations.iter().map(|&(object, action)| Operation::new(object, action)).collect()
}
