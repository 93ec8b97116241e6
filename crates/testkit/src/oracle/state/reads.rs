//! What a step reads and leaves behind, as far as reads-from classes are concerned.

use std::rc::Rc;

use super::{Names, Progress, State, World, evaluate};
use crate::ast::Kind;
use crate::oracle::{Failure, Refusal};

/// What a step did with values, and whom it started or joined.
#[derive(Clone, Debug, Default)]
pub(in crate::oracle) struct Look {
    /// Locations whose values it took.
    pub reads: Vec<u32>,
    /// Locations that hold its values from now on.
    pub writes: Vec<u32>,
    /// Whether it reads variables, and not only synchronisers.
    pub counts: bool,
    /// The place of the statement, and the alternative where a thread can notice it.
    pub label: (u32, u32),
    pub starts: bool,
    /// The thread that was joined.
    pub joins: Option<usize>,
}

impl State<'_> {
    /// A thread's name.
    pub(in crate::oracle) fn path(&self, thread: usize) -> Rc<[u32]> {
        Rc::clone(&self.threads[thread].path)
    }

    /// Whether some thread waits.
    pub(in crate::oracle) fn has_waiting(&self) -> bool {
        self.threads.iter().any(|thread| thread.status == Progress::Running)
    }

    /// How many steps a thread has taken.
    pub(in crate::oracle) fn steps_of(&self, thread: usize) -> u32 {
        self.threads[thread].events
    }

    /// Takes a step and says what it did.
    pub(in crate::oracle) fn step_looking(
        &mut self,
        names: &mut Names,
        thread: usize,
        alternative: u32,
    ) -> Result<(Option<Failure>, Look), Refusal> {
        let mut look = Look { label: (0, alternative), ..Look::default() };
        if self.threads[thread].status == Progress::Running {
            let statement = self.statement(thread);
            look.label.0 = statement.line;
            match &statement.kind {
                Kind::Read(_, cell) => {
                    look.reads.push(self.location(thread, *cell));
                    look.counts = true;
                }
                Kind::Write(cell, _) => look.writes.push(self.location(thread, *cell)),
                Kind::FetchAdd(_, cell, _) => {
                    let location = self.location(thread, *cell);
                    look = Look { reads: vec![location], writes: vec![location], ..look };
                    look.counts = true;
                }
                Kind::CompareAndSet { cell, expected, .. } => {
                    let location = self.location(thread, *cell);
                    let unsure =
                        self.is_tainted(thread, expected) || self.tainted[location as usize];
                    let succeeds = |world: &World| {
                        let expected = evaluate(expected, &world.registers[thread]);
                        world.shared[location as usize] == expected
                    };
                    if unsure || self.worlds.iter().any(succeeds) {
                        look.writes.push(location);
                    }
                    look.reads.push(location);
                    look.counts = true;
                }
                Kind::Down(semaphore) | Kind::Up(semaphore) => {
                    look.reads.push(semaphore.0);
                    look.writes.push(semaphore.0);
                }
                Kind::Await(requirements, then) => {
                    look.reads.extend(requirements.iter().map(|part| part.location));
                    if let Some((location, _)) = then {
                        look.reads.push(*location);
                        look.writes.push(*location);
                    }
                    look.counts = true;
                }
                Kind::Acquire(lock) | Kind::Release(lock) => look.writes.push(lock.0),
                Kind::Wait(condition) => look.writes.push(self.lock_of(*condition)),
                Kind::TryAcquire(_, lock) => {
                    look.reads.push(lock.0);
                    if !self.locks.contains_key(&lock.0) {
                        look.writes.push(lock.0);
                    }
                }
                Kind::Pass(lock) => {
                    look.reads.push(lock.0);
                    look.writes.push(lock.0);
                }
                Kind::Notify(_) => look.label.1 = 0,
                Kind::Spawn(..) => look.starts = true,
                Kind::Join(handle) => look.joins = self.joined(thread, *handle),
                _ => {}
            }
        }
        let failure = self.step(names, thread, alternative)?;
        look.reads.sort_unstable();
        look.reads.dedup();
        Ok((failure, look))
    }
}
