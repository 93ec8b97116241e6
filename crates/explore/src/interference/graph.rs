//! A graph of events with what each read takes its value from, and what follows from that.
//!
//! **Problem.** Whether a set of events, each read with its write, is part of an execution is a hard
//! question in general. Most answers follow from orders that are forced.
//!
//! **Idea.** *Saturation.* Every event has a clock: how many events of each process come before it in
//! every execution of which the graph is a part. Besides program order, starts, joins and the pairs of
//! reads and writes, two rules add to it until nothing changes. A read r takes its value from w: another
//! write that comes before r comes before w, and one that comes after w comes after r. Two sections of
//! one lock do not overlap: if one has begun before the other has ended, it has ended before the other
//! began. A section that is still open ends no earlier than the last event of its process. If an event
//! comes before itself, no execution has this graph as a part.
//!
//! **Invariant.** Only what holds in every execution is added, so a contradiction is final. The converse
//! is left to [`stage`](super::stage), which runs what it claims.
//!
//! **Cost.** For each round a look at every event, read and section for every process; few rounds.

use std::rc::Rc;

use counterpoint_model::{Access, Footprint, Location, Mode, Op, Pid};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::non_local::leaves_value;

/// An event of a graph: its process and its number there.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Id {
    pub process: u32,
    pub index: u32,
}

/// What a read of a location takes its value from; `None` is the initial value.
pub(super) type Source = (Location, Option<Id>);

/// An event that was performed, or one that is tried.
#[derive(Debug)]
pub(super) struct Member {
    pub op: Op,
    pub footprint: Footprint,
    pub sources: SmallVec<[Source; 2]>,
    /// The alternative that it took, where the class of the execution depends on it.
    pub alternative: Option<u32>,
    /// For a join, the last event of the process that has ended.
    pub joined: Option<Id>,
}

/// Where a process stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    /// Its next operation; `None` if it has ended or has not begun.
    pub op: Option<Op>,
    /// What was decided about the next event so far.
    pub sources: SmallVec<[Source; 2]>,
    pub alternative: Option<u32>,
    /// Whether the next event has a place in the budget.
    pub counted: bool,
    /// The location whose value the next event takes from a write that is not in the graph yet.
    pub postponed: Option<Location>,
    /// Whether something else was decided than what comes first.
    pub hopeful: bool,
    /// Whether the process goes no further: the budget is spent, or it stands in a deadlock.
    pub stopped: bool,
    /// Whether the next operation waits for a value.
    pub guarded: bool,
    /// The locks that it holds.
    pub held: SmallVec<[Location; 2]>,
    /// Whether it may have passed an operation at which it stands for ever in an execution that ends in
    /// a deadlock: it has not decided since whether it goes on.
    pub detour: bool,
    /// The event that started it.
    pub started: Option<Id>,
    /// How many events of each process starts and joins alone order before its next event.
    pub ordered: Vec<u32>,
    /// How many events the graph had when its next event was found impossible.
    pub blocked_at: Option<usize>,
}

/// A part of an execution, or of many that differ in what no read sees.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub events: Vec<Vec<Rc<Member>>>,
    pub standings: Vec<Standing>,
    /// How many reads of foreign writes there are, those to come included.
    pub spent: u32,
    /// How many of them have been performed.
    pub foreign: u32,
    /// Whether one of these was by a process that should have none.
    pub beyond: bool,
    /// Whether some process has passed a lock that another one may hold for ever.
    pub detoured: bool,
    /// Writes that postponed reads may take their values from.
    pub offers: Vec<(u32, Id)>,
    /// By process, a row for each event: how many events of each process come before it or are it.
    clocks: Vec<Vec<u32>>,
    width: usize,
    forced: Vec<(Id, Id)>,
}

/// A process and its critical sections: where each begins and ends.
type SectionsOf = (u32, Vec<(u32, u32)>);

/// What saturation looks up.
#[derive(Default)]
pub(super) struct Index {
    /// By location, then by process: the events that leave a value there.
    writes: FxHashMap<Location, Vec<(u32, Vec<u32>)>>,
    reads: Vec<(Id, Location, Option<Id>)>,
    /// By lock, then by process: first and last events of sections.
    sections: FxHashMap<Location, Vec<SectionsOf>>,
}

impl Graph {
    pub fn len(&self) -> usize {
        self.events.iter().map(Vec::len).sum()
    }

    /// How many events a process has.
    pub fn count(&self, process: u32) -> u32 {
        self.events.get(process as usize).map_or(0, |events| events.len() as u32)
    }

    pub fn counts(&self) -> Vec<u32> {
        (0..self.width as u32).map(|process| self.count(process)).collect()
    }

    /// The condition for which a process waits, woken or not.
    pub fn waits_for(&self, process: u32) -> Option<Location> {
        match self.events.get(process as usize)?.last()?.op {
            Op::Wait { condition, .. } => Some(condition),
            _ => None,
        }
    }

    /// Makes room for so many processes.
    pub fn widen(&mut self, width: usize) {
        if width <= self.width {
            return;
        }
        for rows in &mut self.clocks {
            let old = std::mem::take(rows);
            for row in old.chunks(self.width.max(1)) {
                rows.extend_from_slice(row);
                rows.extend(std::iter::repeat_n(0, width - row.len()));
            }
        }
        self.width = width;
        self.clocks.resize(width, Vec::new());
        self.events.resize(width, Vec::new());
        self.standings.resize(width, Standing::default());
        for standing in &mut self.standings {
            standing.ordered.resize(width, 0);
        }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn member(&self, id: Id) -> &Rc<Member> {
        &self.events[id.process as usize][id.index as usize]
    }

    /// The clock of an event.
    pub fn row(&self, id: Id) -> &[u32] {
        let start = id.index as usize * self.width;
        &self.clocks[id.process as usize][start..start + self.width]
    }

    /// Whether one event is known to come before another, or is it.
    fn is_before(&self, one: Id, other: Id) -> bool {
        self.row(other)[one.process as usize] > one.index
    }

    /// Adds an event with what is known without saturation.
    pub fn push(&mut self, process: u32, member: Member) -> Id {
        let index = self.count(process);
        let id = Id { process, index };
        self.events[process as usize].push(Rc::new(member));
        let mut row = vec![0; self.width];
        row[process as usize] = index + 1;
        self.clocks[process as usize].extend_from_slice(&row);
        self.inherit(id);
        id
    }

    /// Replaces the last event of a process by what it turned out to be.
    pub fn settle(&mut self, process: u32, member: Member) -> Id {
        let index = self.count(process) - 1;
        self.events[process as usize][index as usize] = Rc::new(member);
        Id { process, index }
    }

    /// Joins the clocks of what an event directly comes after; whether something changed.
    fn inherit(&mut self, id: Id) -> bool {
        let mut changed = false;
        if id.index > 0 {
            changed |= self.join(id, Id { index: id.index - 1, ..id });
        } else if let Some(start) = self.standings[id.process as usize].started {
            changed |= self.join(id, start);
        }
        let member = Rc::clone(self.member(id));
        for source in member.sources.iter().filter_map(|&(_, source)| source) {
            changed |= self.join(id, source);
        }
        if let Some(joined) = member.joined {
            changed |= self.join(id, joined);
        }
        changed
    }

    /// The second event comes before the first; whether that is new.
    fn join(&mut self, later: Id, earlier: Id) -> bool {
        let width = self.width;
        let from = earlier.index as usize * width;
        let to = later.index as usize * width;
        let mut changed = false;
        for column in 0..width {
            let known = self.clocks[earlier.process as usize][from + column];
            let mine = &mut self.clocks[later.process as usize][to + column];
            if known > *mine {
                *mine = known;
                changed = true;
            }
        }
        changed
    }

    fn is_cyclic(&self, id: Id) -> bool {
        self.row(id)[id.process as usize] > id.index + 1
    }

    fn index(&self, is_lock: &dyn Fn(Location) -> bool) -> Index {
        let mut index = Index::default();
        for (process, events) in self.events.iter().enumerate() {
            let process = process as u32;
            for (number, member) in events.iter().enumerate() {
                let id = Id { process, index: number as u32 };
                for &(location, source) in &member.sources {
                    index.reads.push((id, location, source));
                }
                for access in member.footprint.iter().filter(|access| leaves_value(access)) {
                    let by_process = index.writes.entry(access.location).or_default();
                    let writes = list_of(by_process, process);
                    if writes.last() != Some(&id.index) {
                        writes.push(id.index);
                    }
                    if !is_lock(access.location) {
                        continue;
                    }
                    let sections = index.sections.entry(access.location).or_default();
                    match access.mode {
                        Mode::Acquire => {
                            list_of(sections, process).push((id.index, u32::MAX));
                        }
                        Mode::Release => {
                            if let Some(section) = list_of(sections, process).last_mut() {
                                section.1 = id.index;
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        for (process, sections) in index.sections.values_mut().flatten() {
            let last = self.events[*process as usize].len() as u32 - 1;
            if let Some(section) = sections.last_mut()
                && section.1 == u32::MAX
            {
                section.1 = last;
            }
        }
        index.sections.retain(|_, by_process| by_process.len() > 1);
        index
    }

    /// Adds all orders that are forced; false if they contradict each other.
    pub fn saturate(&mut self, is_lock: &dyn Fn(Location) -> bool) -> bool {
        let index = self.index(is_lock);
        let mut found = Vec::new();
        loop {
            let mut changed = false;
            for process in 0..self.width as u32 {
                for number in 0..self.count(process) {
                    let id = Id { process, index: number };
                    changed |= self.inherit(id);
                    if self.is_cyclic(id) {
                        return false;
                    }
                }
            }
            for number in 0..self.forced.len() {
                let (earlier, later) = self.forced[number];
                changed |= self.join(later, earlier);
                if self.is_cyclic(later) {
                    return false;
                }
            }
            if changed {
                continue;
            }
            if !self.apply_rules(&index, &mut found) {
                return false;
            }
            if found.is_empty() {
                return true;
            }
            self.forced.append(&mut found);
        }
    }

    /// The two rules; false at once if they contradict what is known.
    fn apply_rules(&self, index: &Index, found: &mut Vec<(Id, Id)>) -> bool {
        for &(read, location, source) in &index.reads {
            let Some(by_process) = index.writes.get(&location) else { continue };
            for &(process, ref writes) in by_process {
                let of = |number: u32| Id { process, index: number };
                let before = match process == read.process {
                    true => read.index,
                    false => self.row(read)[process as usize],
                };
                let place = writes.partition_point(|&number| number < before);
                if place > 0 {
                    let other = of(writes[place - 1]);
                    match source {
                        None => return false,
                        Some(source) if other == source => {}
                        Some(source) if self.is_before(other, source) => {}
                        Some(source) => found.push((other, source)),
                    }
                }
                let after = match source {
                    None => 0,
                    Some(source) if source.process == process => {
                        writes.partition_point(|&number| number <= source.index)
                    }
                    Some(source) => {
                        writes.partition_point(|&number| !self.is_before(source, of(number)))
                    }
                };
                let next = writes[after..].iter().map(|&number| of(number));
                if let Some(other) = next.into_iter().find(|&other| other != read)
                    && !self.is_before(read, other)
                {
                    found.push((read, other));
                }
            }
        }
        for by_process in index.sections.values() {
            for (process, sections) in by_process {
                for &(first, last) in sections {
                    let begin = Id { process: *process, index: first };
                    let row = self.row(Id { process: *process, index: last });
                    for (other, theirs) in by_process.iter().filter(|(other, _)| other != process) {
                        let begun = row[*other as usize];
                        let place = theirs.partition_point(|&(first, _)| first < begun);
                        if place > 0 {
                            let end = Id { process: *other, index: theirs[place - 1].1 };
                            if !self.is_before(end, begin) {
                                found.push((end, begin));
                            }
                        }
                    }
                }
            }
        }
        true
    }

    /// All events that leave a value at a location.
    pub fn writes_to(&self, location: Location) -> Vec<Id> {
        let mut found = Vec::new();
        for (process, events) in self.events.iter().enumerate() {
            for (index, member) in events.iter().enumerate() {
                let writes = |access: &Access| access.location == location && leaves_value(access);
                if member.footprint.iter().any(writes) {
                    found.push(Id { process: process as u32, index: index as u32 });
                }
            }
        }
        found
    }

    /// Whether starts and joins alone order an event before the next one of a process, or it is the
    /// process's own.
    pub fn is_ordered(&self, event: Id, process: u32) -> bool {
        event.process == process
            || self.standings[process as usize].ordered[event.process as usize] > event.index
    }

    /// A process was started by an event.
    pub fn start(&mut self, child: Pid, by: Id) {
        let mut ordered = self.standings[by.process as usize].ordered.clone();
        ordered[by.process as usize] = by.index + 1;
        let detour = self.standings[by.process as usize].detour;
        let standing = &mut self.standings[child.index()];
        standing.started = Some(by);
        standing.ordered = ordered;
        standing.detour = detour;
    }

    /// A process has joined another one.
    pub fn join_process(&mut self, process: u32, other: u32) {
        let theirs = self.standings[other as usize].ordered.clone();
        let count = self.count(other);
        let mine = &mut self.standings[process as usize].ordered;
        for (mine, theirs) in mine.iter_mut().zip(theirs) {
            *mine = (*mine).max(theirs);
        }
        mine[other as usize] = count;
        self.standings[process as usize].detour |= self.standings[other as usize].detour;
    }
}

fn list_of<T>(by_process: &mut Vec<(u32, Vec<T>)>, process: u32) -> &mut Vec<T> {
    let place = match by_process.iter().position(|(known, _)| *known == process) {
        Some(place) => place,
        None => {
            by_process.push((process, Vec::new()));
            by_process.len() - 1
        }
    };
    &mut by_process[place].1
}
