//! A part of one level of a search by bounds, as several workers exchange it.
//!
//! **Problem.** A search by bounds goes through one tree after another: one for each bound, and again when it has learnt
//! something that it should have known. Several workers are to share each of these trees, whatever they learn on the way.
//!
//! **Idea.** Who has begun a tree hands over the places where it is to be gone on with, as the turns that lead there from
//! the root, and what is known by then. Everybody goes on from some of them, hands over places of its own when somebody
//! waits, the shallowest first, and tells what it has learnt. When nobody has anything left, the tree is done: who began it
//! adds up what all have learnt, decides by that whether to begin again, and comes to the next tree.
//!
//! **Invariant.** Every place is gone on with by one worker; one that is lost is taken up by another from where the first
//! one has begun or has last told what it keeps.
//!
//! **Cost.** The turns to a place are taken again where it is taken up.

use counterpoint_model::{Pid, ProcessNames, ScheduleError};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// A place in a tree: the turns that lead there.
pub type Beginning = Vec<Turn>;

/// A decision on the way to a place, in the words of the explorer.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// What is decided.
    pub kind: u32,
    /// By or about which process.
    pub process: Pid,
    /// The event that it refers to, by its process and its number there.
    pub event: Option<(Pid, u32)>,
    /// A number that belongs to it.
    pub number: u32,
}

/// A part of a level.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Portion {
    /// The bound.
    pub bound: u32,
    /// Executions below this bound were reported before.
    pub floor: u32,
    /// Whether all that is asked is whether there are executions beyond the bound.
    pub probing: bool,
    /// Where to go on, shallowest places first.
    pub beginnings: Vec<Beginning>,
    /// What is known.
    pub lessons: Lessons,
    /// Under which name it is done.
    pub attempt: Attempt,
    /// The attempts at the same level that were lost before, each from so many reports on.
    pub lost: Vec<Attempt>,
}

/// A search by bounds that was stopped, as it is saved.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Suspended {
    /// What is left of the present tree. What comes after it follows from the parameters and from what is known.
    pub tree: Portion,
    /// Whether nobody else is to do anything.
    pub alone: bool,
    /// What the search remembers of all its trees, as text in its own form.
    pub memory: String,
}

/// What is done from one report to the next, by its number among all that are done at a level or at several. The one of who
/// has begun the search is zero.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Attempt(pub u64);

impl Attempt {
    /// The first one of a portion with this number, which is not zero.
    pub fn first_of(portion: u64) -> Attempt {
        Attempt(portion << 32)
    }

    /// The one after a report.
    pub fn next(self) -> Attempt {
        Attempt(self.0 + 1)
    }

    /// Whether the other one is of the same portion, and not before this one.
    pub fn includes(self, other: Attempt) -> bool {
        self.0 >> 32 == other.0 >> 32 && self.0 <= other.0
    }
}

/// What a search by bounds has learnt about a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lessons {
    /// Whether something has failed.
    pub failed: bool,
    /// Whether there may be more beyond the bound.
    pub suspected: bool,
    /// Whether there is.
    pub reached: bool,
    /// Whether what was done depends on the order in which it was done, so that one worker has to do all of it.
    pub disordered: bool,
    /// Who writes a location in some execution.
    pub writers: FxHashMap<u64, SmallVec<[Pid; 4]>>,
    /// Reads that were not postponed because nobody else was known to write the location, or only these.
    pub unpostponed: FxHashMap<(u64, Pid), SmallVec<[Pid; 2]>>,
    /// Locks that some process holds where it may stand for ever.
    pub kept: FxHashSet<u64>,
    /// Locks that were taken before that was known of them.
    pub passed: FxHashSet<u64>,
    /// Locations that order processes and hold no values.
    pub cells: FxHashSet<u64>,
    /// Locations that were taken to hold values before that was known of them.
    pub valued: FxHashSet<u64>,
    /// Conditions for which somebody waits who may go on without having been woken.
    pub timed: FxHashSet<u64>,
    /// Conditions that were dealt with before that was known of them.
    pub untimed: FxHashSet<u64>,
}

impl Lessons {
    /// A process writes a location.
    pub fn note_write(&mut self, location: u64, process: Pid) {
        let writers = self.writers.entry(location).or_default();
        if !writers.contains(&process) {
            writers.push(process);
        }
    }

    /// A process reads a location, and nobody else is known who could still write it.
    pub fn note_unpostponed(&mut self, location: u64, process: Pid) {
        let writers = &self.writers;
        let known = || writers.get(&location).map_or(SmallVec::new(), |known| known[..].into());
        self.unpostponed.entry((location, process)).or_insert_with(known);
    }

    /// Whether something was done that would have been done otherwise, had all this been known.
    pub fn come_late(&self) -> bool {
        let unexpected = |(&(location, reader), expected): (&(u64, Pid), &SmallVec<[Pid; 2]>)| {
            let new = |writer: &Pid| *writer != reader && !expected.contains(writer);
            self.writers.get(&location).is_some_and(|writers| writers.iter().any(new))
        };
        self.unpostponed.iter().any(unexpected)
            || self.passed.iter().any(|lock| self.kept.contains(lock))
            || self.valued.iter().any(|location| self.cells.contains(location))
            || self.untimed.iter().any(|condition| self.timed.contains(condition))
    }

    /// All begins again with what is known.
    pub fn begin_again(&mut self) {
        (self.failed, self.suspected, self.reached) = (false, false, false);
        self.unpostponed.clear();
        self.passed.clear();
        self.valued.clear();
        self.untimed.clear();
    }

    /// Adds what somebody else has learnt at the same time.
    pub fn add(&mut self, other: Lessons) {
        self.failed |= other.failed;
        self.suspected |= other.suspected;
        self.reached |= other.reached;
        self.disordered |= other.disordered;
        for (read, expected) in other.unpostponed {
            match self.unpostponed.get_mut(&read) {
                Some(known) => known.retain(|writer| expected.contains(writer)),
                None => {
                    self.unpostponed.insert(read, expected);
                }
            }
        }
        for (location, writers) in other.writers {
            writers.into_iter().for_each(|writer| self.note_write(location, writer));
        }
        self.kept.extend(other.kept);
        self.passed.extend(other.passed);
        self.cells.extend(other.cells);
        self.valued.extend(other.valued);
        self.timed.extend(other.timed);
        self.untimed.extend(other.untimed);
    }
}

/// A search that was stopped, as it is saved.
#[derive(Serialize, Deserialize)]
pub(crate) struct PackedSuspended(PackedPortion, bool, String);

impl PackedSuspended {
    pub fn new(suspended: &Suspended, names: &ProcessNames) -> PackedSuspended {
        let Suspended { tree, alone, memory } = suspended;
        PackedSuspended(PackedPortion::new(tree, names), *alone, memory.clone())
    }

    pub fn read(self, names: &ProcessNames) -> Result<Suspended, ScheduleError> {
        let PackedSuspended(tree, alone, memory) = self;
        Ok(Suspended { tree: tree.read(names)?, alone, memory })
    }
}

/// A portion as workers exchange it: processes by their numbers in the first list, beginnings by how many turns they have in
/// common with the one before, and the others.
#[derive(Serialize, Deserialize)]
pub(crate) struct PackedPortion(
    Vec<String>,
    (u32, u32, bool),
    Vec<(usize, Vec<PackedTurn>)>,
    PackedLessons,
    (Attempt, Vec<Attempt>),
);

type PackedTurn = (u32, usize, Option<(usize, u32)>, u32);

#[derive(Serialize, Deserialize)]
struct PackedLessons {
    is: (bool, bool, bool, bool),
    writers: Vec<(u64, Vec<usize>)>,
    unpostponed: Vec<(u64, usize, Vec<usize>)>,
    /// In the order of their declaration.
    sets: [Vec<u64>; 6],
}

/// Numbers of processes in a list of their names.
struct Numbers<'a> {
    names: &'a ProcessNames,
    numbers: FxHashMap<Pid, usize>,
    paths: Vec<String>,
}

impl Numbers<'_> {
    fn of(&mut self, process: Pid) -> usize {
        let Numbers { names, numbers, paths } = self;
        *numbers.entry(process).or_insert_with(|| {
            paths.push(names.path(process));
            paths.len() - 1
        })
    }
}

impl PackedPortion {
    pub fn new(portion: &Portion, names: &ProcessNames) -> PackedPortion {
        let mut numbers = Numbers { names, numbers: FxHashMap::default(), paths: Vec::new() };
        let mut beginnings = Vec::with_capacity(portion.beginnings.len());
        let mut before: &[Turn] = &[];
        for beginning in &portion.beginnings {
            let common = before.iter().zip(beginning).take_while(|(one, other)| one == other);
            let common = common.count();
            let mut turns = Vec::with_capacity(beginning.len() - common);
            for turn in &beginning[common..] {
                let process = numbers.of(turn.process);
                let event = turn.event.map(|(process, index)| (numbers.of(process), index));
                turns.push((turn.kind, process, event, turn.number));
            }
            beginnings.push((common, turns));
            before = beginning;
        }
        let lessons = &portion.lessons;
        let list = |set: &FxHashSet<u64>| set.iter().copied().collect();
        let Lessons { kept, passed, cells, valued, timed, untimed, .. } = lessons;
        let mut all =
            |list: &[Pid]| list.iter().map(|&process| numbers.of(process)).collect::<Vec<_>>();
        let writers = lessons.writers.iter().map(|(&key, list)| (key, all(list))).collect();
        let unpostponed = lessons.unpostponed.iter();
        let unpostponed =
            unpostponed.map(|(&(key, reader), list)| (key, all(&[reader])[0], all(list))).collect();
        let packed = PackedLessons {
            is: (lessons.failed, lessons.suspected, lessons.reached, lessons.disordered),
            writers,
            unpostponed,
            sets: [kept, passed, cells, valued, timed, untimed].map(list),
        };
        let level = (portion.bound, portion.floor, portion.probing);
        let attempts = (portion.attempt, portion.lost.clone());
        PackedPortion(numbers.paths, level, beginnings, packed, attempts)
    }

    pub fn read(self, names: &ProcessNames) -> Result<Portion, ScheduleError> {
        let malformed = |what: &str| ScheduleError::Malformed(what.to_string());
        let PackedPortion(paths, level, packed, lessons, (attempt, lost)) = self;
        let (bound, floor, probing) = level;
        let processes: Option<Vec<Pid>> = paths.iter().map(|path| names.resolve(path)).collect();
        let processes = processes.ok_or_else(|| malformed("a process has no name"))?;
        let process =
            |number: usize| processes.get(number).copied().ok_or_else(|| malformed("nobody's"));
        let mut beginnings: Vec<Beginning> = Vec::with_capacity(packed.len());
        for (common, turns) in packed {
            let before = beginnings.last().map_or(&[][..], |before| &before[..]);
            let common = before.get(..common).ok_or_else(|| malformed("nothing in common"))?;
            let mut beginning = common.to_vec();
            for (kind, own, event, number) in turns {
                let event = match event {
                    Some((other, index)) => Some((process(other)?, index)),
                    None => None,
                };
                beginning.push(Turn { kind, process: process(own)?, event, number });
            }
            beginnings.push(beginning);
        }
        let [kept, passed, cells, valued, timed, untimed] =
            lessons.sets.map(|set| set.into_iter().collect());
        let mut known = Lessons {
            failed: lessons.is.0,
            suspected: lessons.is.1,
            reached: lessons.is.2,
            disordered: lessons.is.3,
            kept,
            passed,
            cells,
            valued,
            timed,
            untimed,
            ..Lessons::default()
        };
        for (key, writers) in lessons.writers {
            let writers = writers.into_iter().map(process).collect::<Result<_, _>>()?;
            known.writers.insert(key, writers);
        }
        for (key, reader, expected) in lessons.unpostponed {
            let expected = expected.into_iter().map(process).collect::<Result<_, _>>()?;
            known.unpostponed.insert((key, process(reader)?), expected);
        }
        Ok(Portion { bound, floor, probing, beginnings, lessons: known, attempt, lost })
    }
}
