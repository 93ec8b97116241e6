//! Threads that poll each other: is it a deadlock?
//!
//! **Problem.** A thread that is held because another round would only observe (`spinning.rs`) may, in the
//! middle of that round, hold a lock for a moment or be seen asleep; and another thread may be held that
//! waits for just that. Nobody can move, but on a real machine both would go round until one meets the
//! other at the right moment.
//!
//! **Idea.** Where nobody can move, and one thread's round takes a lock, joins a queue or has a state that
//! another one's round observes, the held threads are allowed to go round after all, in every order, until
//! one of them does more than observe, or one that was not held can move. If all that leads
//! back to states that were there before, it is a deadlock; if there are too many states to tell, the
//! execution is cut. Otherwise it just ends:
//! those in which the one notices the other are explored anyway, since a noticed round holds nobody.
//!
//! **Cost.** Nothing unless nobody can move and some observe what others do in passing.

use counterpoint_model::{Choice, Event, Location, Op, Site};
use rustc_hash::FxHashSet;

use super::JavaRun;
use super::digest::digest;
use super::observation::Observed;
use super::pending::PendingKind;
use super::spinning::NONE;
use super::step::unsupported;
use crate::Fault;

/// States that are visited at most. If the search is not done by then, nobody knows, and the execution is cut.
const STATE_LIMIT: usize = 10_000;

impl JavaRun<'_> {
    /// Finds out, after a step, whether nobody can move only because rounds are left out.
    #[inline]
    pub(super) fn look_for_polling(&mut self, event: &mut Event) {
        if self.polls && !self.searching {
            self.look_closely(event);
        }
    }

    #[inline(never)]
    fn look_closely(&mut self, event: &mut Event) {
        self.only_rounds_left = false;
        let threads = 0..self.pending.len();
        let present = threads.filter(|thread| self.pending[*thread].kind != PendingKind::Absent);
        let present: Vec<usize> = present.collect();
        let can_move = |thread: &usize| self.is_possible(*thread, &self.pending[*thread]);
        if present.iter().any(can_move) {
            return;
        }
        let spins = |thread: &usize| self.spins(&self.pending[*thread]);
        let held: Vec<usize> = present.into_iter().filter(spins).collect();
        if held.len() > 1 && held.iter().any(|one| self.is_watched(*one, &held)) {
            self.searching = true;
            let mut visited = FxHashSet::default();
            self.only_rounds_left = self.makes_progress(&held, &mut visited);
            self.searching = false;
            if !self.only_rounds_left && visited.len() >= STATE_LIMIT {
                let fault = Fault::unsupported(
                    "threads that poll each other in so many ways that nobody knows whether one of \
                     them ever gets on",
                );
                let site = self.place_of(held[0]);
                event.fault.get_or_insert_with(|| Box::new(unsupported(&fault, site)));
                self.cut = true;
            }
        }
    }

    /// Whether a round of a thread shows something that another of these observes.
    fn is_watched(&self, thread: usize, held: &[usize]) -> bool {
        let own = &self.pending[thread];
        let asks = self.program.asks_for_states();
        let shows = |location: Location| {
            self.round_of(own).any(|look| look.what.is_noticeable() && look.location == location)
        };
        held.iter().filter(|other| **other != thread).any(|other| {
            self.round_of(&self.pending[*other]).any(|look| match look.what {
                Observed::State(target) => asks && target as usize == thread,
                Observed::Waiters(_) | Observed::Notifiable(..) => shows(look.location),
                what if what.is_about_holders() => shows(look.location),
                _ => false,
            })
        })
    }

    /// Whether these threads, run in whatever order, come to more than observing.
    fn makes_progress(&mut self, held: &[usize], visited: &mut FxHashSet<Vec<u128>>) -> bool {
        let machine = &self.prepared().machine;
        let state = held.iter().map(|thread| {
            let arrives = u128::from(self.pending[*thread].approaches);
            digest(machine, *thread, u32::MAX).rotate_left(1) ^ arrives
        });
        let state = state.collect();
        if visited.len() >= STATE_LIMIT || !visited.insert(state) {
            return false;
        }
        for thread in held.iter().copied() {
            let pending = self.pending[thread];
            let Some(process) = self.prepared().known_pid(thread) else { continue };
            if !self.is_possible_ignoring_spin(thread, &pending) {
                continue;
            }
            let mark = counterpoint_model::Rewind::mark(self);
            let last = self.last;
            let mut event = Event::new(Choice::of(process), Op::Local, Site(0));
            self.take_step(Choice::of(process), thread, &mut event);
            let looks = self.pending[thread].last_observation != NONE;
            let found =
                !looks || self.is_anybody_else_free(held) || self.makes_progress(held, visited);
            counterpoint_model::Rewind::undo(self, mark);
            self.marks.truncate(mark.0 as usize);
            self.last = last;
            if found {
                return true;
            }
        }
        false
    }

    fn is_anybody_else_free(&self, held: &[usize]) -> bool {
        (0..self.pending.len()).filter(|thread| !held.contains(thread)).any(|thread| {
            let pending = &self.pending[thread];
            pending.kind != PendingKind::Absent && self.is_possible(thread, pending)
        })
    }
}
