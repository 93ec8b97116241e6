//! Notes of which instructions threads come to, for whoever wants to follow them elsewhere.

use rustc_hash::FxHashMap;

use crate::world::MethodId;

/// An instruction: a method, and the instruction's number there.
pub(crate) type Spot = (MethodId, u32);

/// What one thread has come to in one stretch.
#[derive(Debug, Default, Clone)]
pub(crate) struct Stretch {
    pub thread: usize,
    pub first: Option<Spot>,
    pub last: Option<Spot>,
    /// How often it came to each instruction.
    pub visits: FxHashMap<Spot, u32>,
}

impl Stretch {
    /// The thread goes on.
    pub fn add(&mut self, more: Stretch) {
        self.first = self.first.or(more.first);
        self.last = more.last.or(self.last);
        for (spot, count) in more.visits {
            *self.visits.entry(spot).or_default() += count;
        }
    }
}

/// What threads have come to since somebody asked last.
#[derive(Debug, Default)]
pub(crate) struct Route {
    stretches: Vec<Stretch>,
}

impl Route {
    /// A thread begins to run.
    pub fn begin(&mut self, thread: usize) {
        self.stretches.push(Stretch { thread, ..Stretch::default() });
    }

    /// The running thread has come to an instruction.
    pub fn visit(&mut self, method: MethodId, pc: usize) {
        let Some(stretch) = self.stretches.last_mut() else { return };
        let spot = (method, pc as u32);
        stretch.first.get_or_insert(spot);
        stretch.last = Some(spot);
        *stretch.visits.entry(spot).or_default() += 1;
    }

    /// What each thread has come to, in the order in which they began to run.
    pub fn take(&mut self) -> Vec<Stretch> {
        let mut threads: Vec<Stretch> = Vec::new();
        for stretch in self.stretches.drain(..) {
            match threads.iter_mut().find(|known| known.thread == stretch.thread) {
                Some(known) => known.add(stretch),
                None => threads.push(stretch),
            }
        }
        threads
    }
}
