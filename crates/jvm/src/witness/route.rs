//! Notes of which instructions threads come to, for whoever wants to follow them elsewhere.
//!
//! **Problem.** Another machine runs the same byte code of the program and of the library, but not the same
//! code in between: it loads classes and links calls with Java code of its own. A thread's place must be
//! recognised there, and how often the thread comes to it must be counted the same on both.
//!
//! **Idea.** A place is the top instruction together with the instruction of the topmost frame that belongs to
//! the program ([`Spot`] pairs). What the other machine does on its own account happens below other
//! instructions. The frames are told from the order of visits alone: every frame begins at a higher word of
//! the stack than its caller, and a caller is seen again once its callee has returned.
//!
//! **Invariant.** An instruction that is repeated (because a class had to be initialised first, or because a step
//! ends before it and the next one begins with it) is one visit.
//!
//! **Cost.** A walk to the topmost frame of the program for each instruction.

use rustc_hash::FxHashMap;

use crate::world::MethodId;

/// An instruction: a method, and the instruction's number there.
pub(crate) type Spot = (MethodId, u32);

/// Whose code a frame runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Author {
    Program,
    Library,
    /// Our machine: there is no such code elsewhere.
    Machine,
}

/// A frame as far as it shows.
#[derive(Debug, Clone, Copy)]
struct Level {
    base: usize,
    spot: Spot,
    author: Author,
}

/// Where a thread is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    /// The top instruction.
    pub top: Spot,
    /// That of the topmost frame of the program, which may be the same.
    pub program: Option<Spot>,
}

/// What is known of one thread.
#[derive(Debug, Default)]
struct Way {
    levels: Vec<Level>,
    visits: FxHashMap<Position, u32>,
}

impl Way {
    /// The position in a frame, if it is one that other machines have.
    fn position(&self, height: usize) -> Option<Position> {
        let below = self.levels[..height].iter().rev();
        let mut known = below.skip_while(|level| level.author == Author::Machine).peekable();
        let top = known.peek()?.spot;
        let program = known.find(|level| level.author == Author::Program).map(|level| level.spot);
        Some(Position { top, program })
    }
}

/// What threads have come to since each was asked for last.
#[derive(Debug, Default)]
pub(crate) struct Route {
    running: usize,
    ways: FxHashMap<usize, Way>,
}

impl Route {
    /// A thread begins to run.
    pub fn begin(&mut self, thread: usize) {
        self.running = thread;
    }

    /// The running thread has come to an instruction in a frame that begins at this word.
    pub fn visit(&mut self, base: usize, spot: Spot, author: Author) {
        let way = self.ways.entry(self.running).or_default();
        while way.levels.last().is_some_and(|level| level.base > base) {
            way.levels.pop();
        }
        match way.levels.last_mut() {
            Some(level) if level.base == base && level.spot == spot => return,
            Some(level) if level.base == base => *level = Level { base, spot, author },
            _ => way.levels.push(Level { base, spot, author }),
        }
        if author != Author::Machine
            && let Some(position) = way.position(way.levels.len())
        {
            *way.visits.entry(position).or_default() += 1;
        }
    }

    /// Where a thread is that runs code of our machine in place of an instruction, and how often it has come to that
    /// instruction since the last call of [`Route::take`]; none if it runs other code.
    pub fn inside(&self, thread: usize) -> Option<(Position, u32)> {
        let way = self.ways.get(&thread)?;
        way.levels.last().filter(|level| level.author == Author::Machine)?;
        let position = way.position(way.levels.len())?;
        Some((position, way.visits.get(&position).copied().unwrap_or(0)))
    }

    /// Where a thread is, and how often it has come there since the last call of this.
    pub fn take(&mut self, thread: usize) -> Option<(Position, u32)> {
        let way = self.ways.get_mut(&thread)?;
        let position = way.position(way.levels.len());
        let visits = position.and_then(|position| way.visits.get(&position).copied());
        way.visits.clear();
        Some((position?, visits.unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_told_with_the_program_s_frame_and_repetitions_count_once() {
        let (main, put, load) = (MethodId(1), MethodId(2), MethodId(3));
        let mut route = Route::default();
        route.begin(7);
        for round in 0..2 {
            route.visit(0, (main, 4), Author::Program);
            // A class is loaded by way of the same method of the library.
            route.visit(10, (load, 0), Author::Machine);
            route.visit(0, (main, 4), Author::Program);
            route.visit(10, (put, 0), Author::Library);
            route.visit(10, (put, 1), Author::Library);
            assert_eq!(route.running, 7, "round {round}");
            route.visit(0, (main, 5), Author::Program);
        }
        route.visit(0, (main, 4), Author::Program);
        route.visit(10, (put, 0), Author::Library);
        route.visit(10, (put, 1), Author::Library);
        let position = Position { top: (put, 1), program: Some((main, 4)) };
        assert_eq!(route.take(7), Some((position, 3)));
        assert_eq!(route.take(7), Some((position, 0)), "it has not come there since");
        assert_eq!(route.take(8), None);
    }
}
