//! The places on the path of a depth-first search, and what sleeps there.
//!
//! Nodes are used again and again: what has grown in one stays for the next that takes its place.

use std::ops::{Deref, DerefMut};

use counterpoint_model::{Access, Choice, Footprint, Mark, Pid, conflict, copy_footprint};
use rustc_hash::{FxHashMap, FxHashSet};

use super::marking::Popularity;
use crate::optimal::inputs::OpenPaths;
use crate::outline::Outline;
use crate::rehearsal::{Hindrance, Rehearsed};
use crate::wakeup::Branches;

/// A step that need not be taken until something dependent on it happens.
pub(crate) struct Sleeper {
    /// The step.
    pub choice: Choice,
    /// What it touches.
    pub footprint: Footprint,
    /// Whether every alternative of the step sleeps.
    pub complete: bool,
}

/// Sleeping steps. One is written where it stays, over one that is not needed any more.
#[derive(Default)]
pub(crate) struct Sleepers {
    /// The first so many are there.
    all: Vec<Sleeper>,
    length: usize,
}

impl Sleepers {
    #[inline]
    fn clear(&mut self) {
        self.length = 0;
    }

    #[inline]
    fn push(&mut self, choice: Choice, footprint: &[Access], complete: bool) {
        if self.all.len() == self.length {
            self.all.push(Sleeper { choice, footprint: Footprint::new(), complete });
        }
        let sleeper = &mut self.all[self.length];
        sleeper.choice = choice;
        copy_footprint(&mut sleeper.footprint, footprint);
        sleeper.complete = complete;
        self.length += 1;
    }
}

impl Deref for Sleepers {
    type Target = [Sleeper];

    #[inline]
    fn deref(&self) -> &[Sleeper] {
        &self.all[..self.length]
    }
}

impl DerefMut for Sleepers {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Sleeper] {
        &mut self.all[..self.length]
    }
}

/// A place on the present path.
pub(crate) struct Node {
    /// Where the run stood here, if it can be taken back here at once.
    pub mark: Option<Mark>,
    /// How often it was taken back to nodes at this depth.
    pub(super) popularity: Popularity,
    /// Sleeping steps: those inherited first, then those done here.
    pub sleep: Sleepers,
    /// How many of them were inherited.
    pub inherited: usize,
    /// Whether the others are all steps of one process: its alternatives can be many.
    done_by_one: bool,
    /// Whether this search itself has explored all that sleeps here, or nothing does. If not, somebody else may
    /// still be at it ([`trunk`](crate::trunk)).
    pub settled: bool,
    /// What remains to be taken from here.
    pub wakeup_tree: Branches,
    /// The processes that were made backtrack points here, a bit for each.
    backtracked: Vec<u64>,
    /// Whether every process that could move and did not sleep was made one.
    pub all_backtracked: bool,
    /// Whether it has been decided with which process to start here.
    pub visited: bool,
    /// Whether a step has been taken from here.
    pub step_taken: bool,
    /// Whether the step being explored has no alternatives.
    pub single_alternative: bool,
    /// Processes of whose steps all alternatives have been added to the wakeup tree.
    pub alternatives_added: Vec<Pid>,
    /// The processes that could move, where the strategy keeps them.
    pub ready: Vec<Pid>,
    /// Whether a race was seen with the step being explored.
    pub race_seen: bool,
    /// What rehearsals from here have shown, where the strategy needs them.
    pub rehearsed: Vec<Rehearsed>,
    /// What keeps processes from moving here.
    pub hindrances: Vec<Hindrance>,
    /// Digests of the sequences that were rehearsed from here, those that came to nothing included.
    pub tried: FxHashSet<u128>,
    /// Digests of sequences that were added here after each of several decisions, with the steps beside them that this
    /// relied on.
    pub added: FxHashMap<u128, Outline>,
    /// What was found out about inputs beside such sequences.
    pub open_paths: OpenPaths,
}

impl Node {
    /// One that has not been used.
    pub fn new() -> Node {
        Node {
            mark: None,
            popularity: Popularity::default(),
            sleep: Sleepers::default(),
            inherited: 0,
            done_by_one: true,
            settled: false,
            wakeup_tree: Branches::EMPTY,
            backtracked: Vec::new(),
            all_backtracked: false,
            visited: false,
            step_taken: false,
            single_alternative: true,
            alternatives_added: Vec::new(),
            ready: Vec::new(),
            race_seen: false,
            rehearsed: Vec::new(),
            hindrances: Vec::new(),
            tried: FxHashSet::default(),
            added: FxHashMap::default(),
            open_paths: OpenPaths::default(),
        }
    }

    /// To be used for another place, from which this remains to be taken.
    #[inline]
    pub fn reset(&mut self, wakeup_tree: Branches) {
        self.sleep.clear();
        self.inherited = 0;
        self.done_by_one = true;
        self.settled = false;
        self.wakeup_tree = wakeup_tree;
        self.backtracked.clear();
        self.all_backtracked = false;
        self.visited = false;
        self.step_taken = false;
        self.single_alternative = true;
        self.alternatives_added.clear();
        self.ready.clear();
        self.race_seen = false;
        // Whatever was rehearsed was tried.
        if !self.tried.is_empty() || !self.added.is_empty() || !self.open_paths.is_empty() {
            self.forget_answers();
        }
    }

    #[inline(never)]
    fn forget_answers(&mut self) {
        self.rehearsed.clear();
        self.hindrances.clear();
        self.tried.clear();
        self.added.clear();
        self.open_paths.clear();
    }

    /// Whether nothing remains to be taken from here, and no race was seen with the step being explored.
    #[inline]
    pub fn is_left_for_good(&self) -> bool {
        self.wakeup_tree.is_empty() && !self.race_seen
    }

    /// Whether no alternative of the process's next step need be taken.
    pub fn is_asleep(&self, process: Pid) -> bool {
        self.sleep.iter().any(|sleeper| sleeper.choice.process == process && sleeper.complete)
    }

    /// Whether this very alternative need not be taken.
    pub fn sleeps(&self, choice: Choice) -> bool {
        self.sleep.iter().any(|sleeper| sleeper.choice == choice)
    }

    /// Whether the process was made a backtrack point here.
    pub fn is_backtracked(&self, process: Pid) -> bool {
        let (word, bit) = (process.index() / 64, process.index() % 64);
        self.backtracked.get(word).is_some_and(|word| word >> bit & 1 == 1)
    }

    /// The process was made a backtrack point.
    pub fn note_backtracked(&mut self, process: Pid) {
        let (word, bit) = (process.index() / 64, process.index() % 64);
        if self.backtracked.len() <= word {
            self.backtracked.resize(word + 1, 0);
        }
        self.backtracked[word] |= 1 << bit;
    }

    /// Whether the steps done here include one of the process.
    pub fn is_done(&self, process: Pid) -> bool {
        self.sleep[self.inherited..].iter().any(|sleeper| sleeper.choice.process == process)
    }

    /// The step being explored is done.
    pub fn put_to_sleep(&mut self, choice: Choice, footprint: &Footprint) {
        let first = self.sleep.get(self.inherited);
        self.done_by_one &= first.is_none_or(|first| first.choice.process == choice.process);
        self.sleep.push(choice, footprint, self.single_alternative);
    }

    /// The sleepers that an event does not wake.
    pub fn pass_sleepers(&self, process: Pid, footprint: &Footprint, child: &mut Node) {
        let mut partly_woken = false;
        let first = self.sleep.get(self.inherited).filter(|_| self.done_by_one);
        let own = first.is_some_and(|first| first.choice.process == process);
        let others = if own { &self.sleep[..self.inherited] } else { &*self.sleep };
        for sleeper in others {
            if sleeper.choice.process == process {
                continue;
            }
            if conflict(&sleeper.footprint, footprint) {
                partly_woken = true;
                continue;
            }
            child.sleep.push(sleeper.choice, &sleeper.footprint, sleeper.complete);
        }
        if partly_woken && !child.sleep.is_empty() {
            self.wake_processes(footprint, child);
        }
        child.inherited = child.sleep.len();
    }

    /// Where one alternative woke, the process as a whole is awake.
    #[inline(never)]
    fn wake_processes(&self, footprint: &Footprint, child: &mut Node) {
        for woken in self.sleep.iter().filter(|woken| conflict(&woken.footprint, footprint)) {
            let process = woken.choice.process;
            let others = child.sleep.iter_mut().filter(|other| other.choice.process == process);
            others.for_each(|other| other.complete = false);
        }
    }
}
