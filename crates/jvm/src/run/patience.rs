//! Time limits that people mean: a generous one expires only when nothing else can move.
//!
//! **Problem.** A wait with a time limit can be given up at any moment, since nobody knows how fast threads are.
//! But `awaitTermination(5, SECONDS)` is there to end a test that hangs. Shown as a failure of a program that does
//! hang, its expiry is what one wants to see; shown as a failure of a correct program, because five seconds could pass
//! while a thread stands still, it is not.
//!
//! **Idea.** A time limit of [`Options::patience`](crate::Options) or more expires only in a state in which no other
//! thread can move, except by giving up waiting as well. Such an expiry depends on how far every other thread has
//! come: it reads the progress of each, which every step writes (`footprint.rs`), and is guarded. So it is dependent
//! with every step of the others, and explorers need not know more.
//!
//! So does a limit that a test framework sets, however short it is.
//!
//! **Invariant.** Whether a wait is patient depends on its own thread's past only. Whether it may expire depends on
//! the locations that its footprint names. A program that mentions no time limit is explored as without this rule.
//!
//! **Cost.** Nothing for threads that do not wait with a time limit; for one that does, a look at the others.

use counterpoint_model::{Access, Footprint, Mode};

use super::JavaRun;
use super::pending::{PendingKind, PendingOperation, TimeLimit};
use crate::interpret::Readiness;
use crate::memory::ThreadStatus;

impl JavaRun<'_> {
    /// Whether a thread would go on only because a generous time limit expires, and others can move.
    pub(super) fn waits_patiently(&self, thread: usize, pending: &PendingOperation) -> bool {
        if !pending.is_patient() || !self.expires(thread, pending) {
            return false;
        }
        let held_back = self.others(thread).any(|other| {
            let others = &self.pending[other];
            others.kind != PendingKind::Absent
                && (others.approaches || !self.spins(others))
                && self.is_possible_in_time(other, others)
                && !(others.is_patient() && self.expires(other, others))
        });
        if held_back {
            self.program.note_patience();
        }
        held_back
    }

    /// Adds what a wait that may expire in vain depends on, and says whether there is such a wait.
    pub(super) fn add_patience(
        &self,
        thread: usize,
        alternative: Option<u32>,
        footprint: &mut Footprint,
    ) -> bool {
        let pending = &self.pending[thread];
        if !pending.is_patient() || pending.approaches {
            return false;
        }
        if alternative.is_none() || self.expires(thread, pending) {
            for other in self.others(thread) {
                let progress = self.prepared().thread_locations(other).progress;
                footprint.push(Access::synchronising(progress, Mode::Read).unordered());
            }
        }
        true
    }

    /// Whether a thread would go on only because its time limit expires.
    #[inline]
    pub(super) fn expires(&self, thread: usize, pending: &PendingOperation) -> bool {
        pending.limit != TimeLimit::None && !pending.approaches && self.has_expired(thread, pending)
    }

    fn has_expired(&self, thread: usize, pending: &PendingOperation) -> bool {
        let machine = &self.prepared().machine;
        let Ok(core) = machine.core(thread) else { return false };
        match pending.kind {
            PendingKind::Jdk(_) => self.readiness(thread, pending) == Readiness::Fails,
            PendingKind::Park => !core.permit && !core.interrupted,
            PendingKind::TimedJoin => {
                !core.interrupted && !machine.has_ended(pending.target as usize)
            }
            _ => matches!(core.status, ThreadStatus::Waiting { .. }),
        }
    }

    fn others(&self, thread: usize) -> impl Iterator<Item = usize> {
        let started = |other: &usize| self.prepared().machine.threads.get(*other).is_some();
        (0..self.pending.len()).filter(move |other| *other != thread).filter(started)
    }
}
