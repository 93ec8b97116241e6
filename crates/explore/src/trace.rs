//! The execution so far, with its happens-before relation and its races.
//!
//! **Problem.** Explorers that reduce must know, for every new event, which earlier events it is
//! ordered after and which of them it could have overtaken. They ask this once per step, going
//! forward and back millions of times a second.
//!
//! **Idea.** Each event has a vector clock: a row with, per process, how many of its events happen
//! before or are this one. Each location has a head: the last exclusive touch and the chain of
//! shared touches since. A touch remembers the head it replaced, so taking an event back restores
//! the heads, and the same links are the location's history.
//!
//! Two events are in a *race* if they are of different processes, dependent, no third event lies
//! between them in happens-before, and the later one could have gone first (definition 5 of the
//! thesis, chapter 2.4). Three modes of access refine "could":
//!
//! * an `Await` could not: it orders and never races;
//! * an `Acquire` could not overtake the release it follows, but its rival is the acquire which that
//!   release ended, unless that acquire already happened before the process's own last event;
//! * of a guarded event nobody knows without trying: its rivals are only candidates.
//!
//! **Invariant.** `happens_before(i, j)` iff i = j or a chain of dependent events leads from i to j.
//!
//! **Cost.** A push costs the number of processes plus the touches compared; a pop the touches.
//! Nothing is allocated once the vectors have grown.

use counterpoint_model::{Access, Event, Footprint, Mode, Op, Pid};
use smallvec::SmallVec;

const NONE: u32 = u32::MAX;

/// A sequence of events with clocks and races.
#[derive(Default)]
pub struct Trace {
    events: Vec<Event>,
    records: Vec<Record>,
    touches: Vec<Touch>,
    heads: Vec<Head>,
    clocks: Vec<u32>,
    /// Length of a clock row; grows with the number of processes.
    stride: usize,
    /// Per process its last event.
    last: Vec<u32>,
    races: Vec<u32>,
    /// How many events so far carry a fault.
    faults: usize,
    /// How many events so far had alternatives, were guarded, or touched what they found.
    intricate: usize,
}

#[derive(Copy, Clone)]
struct Record {
    process: u32,
    /// Its number among its process's events, from 1.
    number: u32,
    /// The previous event of its process.
    previous: u32,
    first_touch: u32,
    first_race: u32,
    tentative: bool,
    /// Whether it had alternatives, was guarded, or touched what it found.
    intricate: bool,
    /// How many alternatives the step had.
    alternatives: u32,
}

#[derive(Copy, Clone)]
struct Touch {
    event: u32,
    mode: Mode,
    /// The head of the location before this touch.
    before: Head,
}

#[derive(Copy, Clone)]
struct Head {
    /// The last exclusive touch.
    exclusive: u32,
    /// The last shared touch since; the others are reached through `before`.
    shared: u32,
}

impl Head {
    const EMPTY: Head = Head { exclusive: NONE, shared: NONE };
}

/// Earlier events that a step is ordered after, and those it could have overtaken.
#[derive(Default)]
struct Neighbours {
    ordered: SmallVec<[u32; 8]>,
    rivals: SmallVec<[u32; 8]>,
}

impl Trace {
    /// The empty trace.
    pub fn new() -> Trace {
        Trace { stride: 8, last: vec![NONE; 8], ..Trace::default() }
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The events, first one first.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Whether some event was more than a step whose accesses are known beforehand: it had
    /// alternatives, was guarded, or touched what it did because of what it found.
    pub fn is_intricate(&self) -> bool {
        self.intricate > 0
    }

    /// Whether some event carries a fault.
    pub fn is_faulty(&self) -> bool {
        self.faults > 0
    }

    /// The process of an event.
    pub fn process(&self, event: usize) -> Pid {
        Pid(self.records[event].process)
    }

    /// The last event of a process.
    pub fn last_of(&self, process: Pid) -> Option<usize> {
        let event = *self.last.get(process.index())?;
        (event != NONE).then_some(event as usize)
    }

    /// Whether event `one` happens before event `other`, or is it.
    pub fn happens_before(&self, one: usize, other: usize) -> bool {
        let record = &self.records[one];
        self.clocks[other * self.stride + record.process as usize] >= record.number
    }

    /// Whether event `one` is in the past that a clock row describes. A row made when there were fewer
    /// processes knows nothing of later ones.
    pub fn is_before_row(&self, one: usize, row: &[u32]) -> bool {
        let record = &self.records[one];
        row.get(record.process as usize).is_some_and(|&count| count >= record.number)
    }

    /// The clock row of an event.
    pub fn row(&self, event: usize) -> &[u32] {
        &self.clocks[event * self.stride..][..self.stride]
    }

    /// The earlier events that the event races with.
    pub fn races(&self, event: usize) -> &[u32] {
        let from = self.records[event].first_race as usize;
        let to = self.records.get(event + 1).map_or(self.races.len(), |r| r.first_race as usize);
        &self.races[from..to]
    }

    /// Whether only a trial can tell if the event could have gone before those it races with, and
    /// what it would have touched then.
    pub fn is_tentative(&self, event: usize) -> bool {
        self.records[event].tentative
    }

    /// Whether only a trial can tell if the later event could have gone before an earlier one that it
    /// races with, and what it would have touched then. A notification touches those who wait, and
    /// an interrupt changes who does.
    pub fn needs_trial(&self, earlier: usize, later: usize) -> bool {
        let notifies = || matches!(self.events[later].op, Op::Notify { .. });
        self.is_tentative(later) || (notifies() && self.events[earlier].explores())
    }

    /// Appends an event that costs nothing to keep: no clocks, no races. For explorers that do not
    /// reduce; not to be mixed with `push`.
    pub fn push_plain(&mut self, event: Event) {
        self.faults += usize::from(event.fault.is_some());
        self.events.push(event);
    }

    /// Takes back an event of `push_plain`.
    pub fn pop_plain(&mut self) -> Option<Event> {
        let event = self.events.pop()?;
        self.faults -= usize::from(event.fault.is_some());
        Some(event)
    }

    /// How many alternatives the step had when it was taken.
    pub fn alternatives(&self, event: usize) -> u32 {
        self.records[event].alternatives
    }

    /// Appends an event of a step that had so many alternatives.
    pub fn push(&mut self, event: Event, alternatives: u32) {
        let index = self.events.len();
        let process = event.process().index();
        self.make_room(process);
        let previous = self.last[process];
        let number = if previous == NONE { 1 } else { self.records[previous as usize].number + 1 };
        // The row is made in its place: the process's own past, what it awaits, what it conflicts with.
        let stride = self.stride;
        let start = self.clocks.len();
        match previous {
            NONE => self.clocks.resize(start + stride, 0),
            previous => {
                let past = previous as usize * stride;
                self.clocks.extend_from_within(past..past + stride);
            }
        }
        for access in event.footprint.iter().filter(|access| access.mode == Mode::Await) {
            if let Some(writer) = self.last_writer(*access) {
                self.join_into(start, writer);
            }
        }
        let base = &self.clocks[start..];
        let neighbours = self.neighbours(process, &event.footprint, event.guarded, base);
        let explores = event.explores();
        let intricate = alternatives > 1 || event.guarded || explores;
        self.records.push(Record {
            process: process as u32,
            number,
            previous,
            first_touch: self.touches.len() as u32,
            first_race: self.races.len() as u32,
            tentative: event.guarded || explores || takes_lock_and_more(&event.footprint),
            intricate,
            alternatives,
        });
        self.races.extend_from_slice(&neighbours.rivals);
        for &other in &neighbours.ordered {
            self.join_into(start, other);
        }
        self.clocks[start + process] = number;
        for access in &event.footprint {
            self.touch(index as u32, *access);
        }
        self.last[process] = index as u32;
        self.intricate += usize::from(intricate);
        self.push_plain(event);
    }

    /// Takes back the last event.
    pub fn pop(&mut self) -> Option<Event> {
        let event = self.pop_plain()?;
        let record = self.records.pop().expect("a record per event");
        self.last[record.process as usize] = record.previous;
        self.intricate -= usize::from(record.intricate);
        for access in event.footprint.iter().rev() {
            let touch = self.touches.pop().expect("a touch per access");
            self.heads[access.location.index()] = touch.before;
        }
        self.races.truncate(record.first_race as usize);
        self.clocks.truncate(self.events.len() * self.stride);
        Some(event)
    }

    /// The rivals of an operation that has not been performed, if it were performed now; and the
    /// clock row that its process has just before it.
    pub fn rivals_of_pending(
        &mut self,
        process: Pid,
        footprint: &Footprint,
        guarded: bool,
        row: &mut Vec<u32>,
    ) -> SmallVec<[u32; 8]> {
        self.make_room(process.index());
        self.base_row(process.index(), footprint, row);
        self.neighbours(process.index(), footprint, guarded, row).rivals
    }

    /// The clock row that the process of this event had just before it, with what it awaited.
    pub fn row_before(&self, event: usize, row: &mut Vec<u32>) {
        row.clear();
        let record = &self.records[event];
        match record.previous {
            NONE => row.resize(self.stride, 0),
            previous => row.extend_from_slice(self.row(previous as usize)),
        }
        let touches = record.first_touch as usize..;
        for (access, touch) in self.events[event].footprint.iter().zip(&self.touches[touches]) {
            if access.mode == Mode::Await && touch.before.exclusive != NONE {
                let writer = self.touches[touch.before.exclusive as usize].event;
                join(row, self.row(writer as usize));
            }
        }
    }

    /// Length of a clock row.
    pub fn stride(&self) -> usize {
        self.stride
    }

    fn make_room(&mut self, process: usize) {
        if process < self.stride {
            return;
        }
        let wider = (process + 1).next_power_of_two();
        let mut clocks = Vec::with_capacity(self.events.len() * wider * 2);
        for row in self.clocks.chunks(self.stride) {
            clocks.extend_from_slice(row);
            clocks.resize(clocks.len() + wider - self.stride, 0);
        }
        self.clocks = clocks;
        self.stride = wider;
        self.last.resize(wider, NONE);
    }

    /// What happened before the next event of the process, were it not for the conflicts of that
    /// event: its own past and what it awaits.
    fn base_row(&self, process: usize, footprint: &Footprint, row: &mut Vec<u32>) {
        row.clear();
        match self.last[process] {
            NONE => row.resize(self.stride, 0),
            previous => row.extend_from_slice(self.row(previous as usize)),
        }
        for access in footprint.iter().filter(|access| access.mode == Mode::Await) {
            if let Some(writer) = self.last_writer(*access) {
                join(row, self.row(writer as usize));
            }
        }
    }

    /// The event that touched an access's location exclusively last.
    fn last_writer(&self, access: Access) -> Option<u32> {
        let head = self.head(access);
        (head.exclusive != NONE).then(|| self.touches[head.exclusive as usize].event)
    }

    /// Joins the row of an event into the one that begins at `start`.
    fn join_into(&mut self, start: usize, event: u32) {
        let (past, row) = self.clocks.split_at_mut(start);
        join(row, &past[event as usize * self.stride..][..self.stride]);
    }

    fn neighbours(
        &self,
        process: usize,
        footprint: &Footprint,
        guarded: bool,
        base: &[u32],
    ) -> Neighbours {
        let mut found = Neighbours::default();
        for access in footprint.iter().filter(|access| access.mode != Mode::Await) {
            self.confront(*access, guarded, &mut found);
        }
        let outside = |event: u32| {
            let record = &self.records[event as usize];
            record.process as usize != process && base[record.process as usize] < record.number
        };
        found.rivals.retain(|rival| outside(*rival));
        if found.rivals.len() > 1 {
            found.rivals.sort_unstable();
            found.rivals.dedup();
            let all = found.rivals.clone();
            found.rivals.retain(|rival| {
                let hidden = |other: &u32| {
                    *other > *rival && self.happens_before(*rival as usize, *other as usize)
                };
                !all.iter().any(hidden)
            });
        }
        found
    }

    /// The touches of its location that an access is ordered after, and those it competes with.
    fn confront(&self, access: Access, guarded: bool, found: &mut Neighbours) {
        let head = self.head(access);
        let mut competing = false;
        if !access.mode.is_shared() {
            let mut shared = head.shared;
            while shared != NONE {
                let touch = &self.touches[shared as usize];
                found.ordered.push(touch.event);
                found.rivals.push(touch.event);
                competing = true;
                shared = touch.before.shared;
            }
        }
        if head.exclusive == NONE {
            return;
        }
        let touch = &self.touches[head.exclusive as usize];
        found.ordered.push(touch.event);
        if competing {
            return;
        }
        if access.mode == Mode::Acquire && touch.mode == Mode::Release && !guarded {
            if let Some(acquire) = self.acquire_before(touch) {
                found.rivals.push(acquire);
            }
        } else {
            found.rivals.push(touch.event);
        }
    }

    /// The acquire that a release ended.
    fn acquire_before(&self, release: &Touch) -> Option<u32> {
        let mut current = release.before.exclusive;
        while current != NONE {
            let touch = &self.touches[current as usize];
            if touch.mode == Mode::Acquire {
                return Some(touch.event);
            }
            current = touch.before.exclusive;
        }
        None
    }

    fn head(&self, access: Access) -> Head {
        self.heads.get(access.location.index()).copied().unwrap_or(Head::EMPTY)
    }

    fn touch(&mut self, event: u32, access: Access) {
        let location = access.location.index();
        if location >= self.heads.len() {
            self.heads.resize((location + 1).next_power_of_two(), Head::EMPTY);
        }
        let before = self.heads[location];
        let this = self.touches.len() as u32;
        self.touches.push(Touch { event, mode: access.mode, before });
        self.heads[location] = if access.mode.is_shared() {
            Head { exclusive: before.exclusive, shared: this }
        } else {
            Head { exclusive: this, shared: NONE }
        };
    }
}

/// A lock taken together with something else may be what made an event possible, or not.
fn takes_lock_and_more(footprint: &Footprint) -> bool {
    let has = |wanted: fn(Mode) -> bool| footprint.iter().any(|access| wanted(access.mode));
    footprint.len() > 1
        && has(|mode| mode == Mode::Acquire)
        && has(|mode| !matches!(mode, Mode::Acquire | Mode::Await))
}

fn join(row: &mut [u32], other: &[u32]) {
    for (own, other) in row.iter_mut().zip(other) {
        *own = (*own).max(*other);
    }
}

#[cfg(test)]
mod tests {
    use counterpoint_model::{Choice, Location, Site};

    use super::*;

    fn event(process: u32, accesses: &[(u32, Mode)]) -> Event {
        let mut event = Event::new(Choice::of(Pid(process)), Op::Local, Site(0));
        event.footprint =
            accesses.iter().map(|&(l, mode)| Access::plain(Location(l), mode)).collect();
        event
    }

    fn trace(events: &[(u32, &[(u32, Mode)])]) -> Trace {
        let mut trace = Trace::new();
        for (process, accesses) in events {
            trace.push(event(*process, accesses), 1);
        }
        trace
    }

    #[test]
    fn a_write_races_with_every_read_since_the_last_write_but_not_with_that_write() {
        use Mode::{Read, Write};
        let trace =
            trace(&[(0, &[(0, Write)]), (1, &[(0, Read)]), (2, &[(0, Read)]), (3, &[(0, Write)])]);
        assert_eq!(trace.races(1), [0]);
        assert_eq!(trace.races(2), [0]);
        assert_eq!(trace.races(3), [1, 2]);
        assert!(!trace.happens_before(1, 2));
        assert!(trace.happens_before(0, 3));
    }

    #[test]
    fn an_acquire_races_with_the_acquire_before_the_release() {
        use Mode::{Acquire, Release};
        let trace = trace(&[(1, &[(0, Acquire)]), (1, &[(0, Release)]), (2, &[(0, Acquire)])]);
        assert_eq!(trace.races(2), [0]);
        assert!(trace.happens_before(1, 2));
    }

    #[test]
    fn an_acquire_after_reading_what_the_holder_wrote_races_with_nobody() {
        use Mode::{Acquire, Read, Release, Write};
        let trace = trace(&[
            (1, &[(0, Acquire)]),
            (1, &[(1, Write)]),
            (2, &[(1, Read)]),
            (1, &[(0, Release)]),
            (2, &[(0, Acquire)]),
        ]);
        assert_eq!(trace.races(2), [1]);
        assert_eq!(trace.races(4), [0u32; 0]);
    }

    #[test]
    fn an_await_orders_and_does_not_race() {
        use Mode::{Await, Write};
        let trace = trace(&[(1, &[(0, Write)]), (2, &[(0, Await), (1, Write)])]);
        assert_eq!(trace.races(1), [0u32; 0]);
        assert!(trace.happens_before(0, 1));
    }

    #[test]
    fn popping_restores_heads_clocks_and_races_with_any_number_of_processes() {
        use Mode::{Read, Write};
        let mut trace = Trace::new();
        for process in 0..40 {
            trace.push(event(process, &[(process % 3, Write), (3, Read)]), 1);
        }
        let rows: Vec<Vec<u32>> = (0..40).map(|i| trace.row(i).to_vec()).collect();
        let races: Vec<Vec<u32>> = (0..40).map(|i| trace.races(i).to_vec()).collect();
        let mut popped = Vec::new();
        for _ in 0..30 {
            popped.push(trace.pop().unwrap());
        }
        for event in popped.into_iter().rev() {
            trace.push(event, 1);
        }
        for i in 0..40 {
            assert_eq!(trace.row(i), &rows[i]);
            assert_eq!(trace.races(i), &races[i]);
        }
    }
}
