//! The places on the path of a depth-first search, and what sleeps there.
//!
//! Nodes are used again and again: what has grown in one stays for the next that takes its place.

use counterpoint_model::{Choice, Footprint, Mark, Pid, conflict, footprint_of};
use rustc_hash::FxHashSet;

use super::marking::Popularity;
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

/// A place on the present path.
pub(crate) struct Node {
    /// Where the run stood here, if it can be taken back here at once.
    pub mark: Option<Mark>,
    /// How often it was taken back to nodes at this depth.
    pub(super) popularity: Popularity,
    /// Sleeping steps: those inherited first, then those done here.
    pub sleep: Vec<Sleeper>,
    /// How many of them were inherited.
    pub inherited: usize,
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
}

impl Node {
    /// One that has not been used.
    pub fn new() -> Node {
        Node {
            mark: None,
            popularity: Popularity::default(),
            sleep: Vec::new(),
            inherited: 0,
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
        }
    }

    /// To be used for another place, from which this remains to be taken.
    #[inline]
    pub fn reset(&mut self, wakeup_tree: Branches) {
        self.sleep.clear();
        self.inherited = 0;
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
        if !self.tried.is_empty() {
            self.rehearsed.clear();
            self.hindrances.clear();
            self.tried.clear();
        }
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
        let footprint = footprint_of(footprint);
        self.sleep.push(Sleeper { choice, footprint, complete: self.single_alternative });
    }

    /// The sleepers that an event does not wake.
    pub fn pass_sleepers(&self, process: Pid, footprint: &Footprint, child: &mut Node) {
        let mut partly_woken = false;
        for sleeper in &self.sleep {
            if sleeper.choice.process == process {
                continue;
            }
            if conflict(&sleeper.footprint, footprint) {
                partly_woken |= self.sleep.len() > 1;
                continue;
            }
            child.sleep.push(Sleeper {
                choice: sleeper.choice,
                footprint: footprint_of(&sleeper.footprint),
                complete: sleeper.complete,
            });
        }
        if partly_woken {
            // Where one alternative woke, the process as a whole is awake.
            let woken: Vec<Pid> = self
                .sleep
                .iter()
                .filter(|sleeper| conflict(&sleeper.footprint, footprint))
                .map(|sleeper| sleeper.choice.process)
                .collect();
            for sleeper in &mut child.sleep {
                sleeper.complete &= !woken.contains(&sleeper.choice.process);
            }
        }
        child.inherited = child.sleep.len();
    }
}
