//! Threads that poll each other: is it a deadlock?
//!
//! **Problem.** A thread that is held because another round would only look (`spinning.rs`) may, in the
//! middle of that round, hold a lock for a moment or be seen asleep; and another thread may be held that
//! waits for just that. Nobody can move, but on a real machine both would go round until one meets the
//! other at the right moment.
//!
//! **Idea.** Where nobody can move, and one thread's round takes a lock, joins a queue or has a state that
//! another one's round looks at, the held threads are let go round after all, in every order, until
//! one of them does something else than looking, or one that was not held can move. If all that leads
//! back to states that were there before, it is a deadlock. Otherwise the execution just ends:
//! those in which the one notices the other are explored anyway, since a noticed round holds nobody.
//!
//! **Cost.** Nothing unless nobody can move and some look at what others do in passing.

use counterpoint_model::{Choice, Event, Location, Op, Site};
use rustc_hash::FxHashSet;

use super::JavaRun;
use super::digest::digest;
use super::looking::What;
use super::spinning::NONE;
use super::standing::Life;

/// States that are visited at most. A search that is not done by then has found no way on.
const MOST: usize = 300;

impl JavaRun<'_> {
    /// Finds out, after a step, whether nobody can move only because rounds are left out.
    pub(super) fn look_for_polling(&mut self) {
        if !self.polls || self.searching {
            return;
        }
        self.in_passing = false;
        let threads = 0..self.standings.len();
        let present = threads.filter(|thread| self.standings[*thread].life != Life::Absent);
        let present: Vec<usize> = present.collect();
        let can_move = |thread: &usize| self.possible(*thread, &self.standings[*thread]);
        if present.iter().any(can_move) {
            return;
        }
        let spins = |thread: &usize| self.spins(&self.standings[*thread]);
        let held: Vec<usize> = present.into_iter().filter(spins).collect();
        if held.len() > 1 && held.iter().any(|one| self.is_watched(*one, &held)) {
            self.searching = true;
            self.in_passing = self.gets_on(&held, &mut FxHashSet::default());
            self.searching = false;
        }
    }

    /// Whether a round of a thread shows something that another of these looks at.
    fn is_watched(&self, thread: usize, held: &[usize]) -> bool {
        let own = &self.standings[thread];
        let asks = self.program.asks_for_states();
        let shows = |location: Location| {
            self.round_of(own).any(|look| look.what.is_noticeable() && look.location == location)
        };
        held.iter().filter(|other| **other != thread).any(|other| {
            self.round_of(&self.standings[*other]).any(|look| match look.what {
                What::State(target) => asks && target as usize == thread,
                What::Holder(_) | What::Writer(_) | What::Readers(_) | What::Waiters(_) => {
                    shows(look.location)
                }
                _ => false,
            })
        })
    }

    /// Whether these threads, run in whatever order, come to something else than looking.
    fn gets_on(&mut self, held: &[usize], visited: &mut FxHashSet<Vec<u128>>) -> bool {
        let machine = &self.prepared().machine;
        let state = held.iter().map(|thread| {
            let arrives = u128::from(self.standings[*thread].arrives);
            digest(machine, *thread, u32::MAX).rotate_left(1) ^ arrives
        });
        let state = state.collect();
        if visited.len() >= MOST || !visited.insert(state) {
            return false;
        }
        for thread in held.iter().copied() {
            let standing = self.standings[thread];
            let Some(process) = self.prepared().known_pid(thread) else { continue };
            if !self.possible_without_rule(thread, &standing) {
                continue;
            }
            let mark = counterpoint_model::Run::mark(self);
            let last = self.last;
            let mut event = Event::new(Choice::of(process), Op::Local, Site(0));
            self.take_step(Choice::of(process), thread, &mut event);
            let looks = self.standings[thread].looked != NONE;
            let found = !looks || self.is_anybody_else_free(held) || self.gets_on(held, visited);
            counterpoint_model::Run::undo(self, mark);
            self.marks.truncate(mark.0 as usize);
            self.last = last;
            if found {
                return true;
            }
        }
        false
    }

    fn is_anybody_else_free(&self, held: &[usize]) -> bool {
        (0..self.standings.len()).filter(|thread| !held.contains(thread)).any(|thread| {
            let standing = &self.standings[thread];
            standing.life != Life::Absent && self.possible(thread, standing)
        })
    }
}
