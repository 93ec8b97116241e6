//! The happens-before relation of the execution so far, and its races.
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
//! **Cost.** A push costs the touches compared, and the number of processes for each of them that is
//! news to the process; a pop the touches. Nothing is allocated once the vectors have grown.

use counterpoint_model::{Access, Event, Footprint, Mode, Pid};

const NONE: u32 = u32::MAX;

/// Clock rows are multiples of this long, so that they are copied and joined in whole blocks.
const LANES: usize = 8;

/// Clocks and races of a sequence of events, which is kept elsewhere.
pub(crate) struct Order {
    past: Past,
    races: Vec<u32>,
    /// How many events so far had alternatives, were guarded, or touched what they found.
    intricate: usize,
}

/// What is known of the events so far but their races.
struct Past {
    records: Vec<Record>,
    touches: Vec<Touch>,
    heads: Vec<Head>,
    /// The rows, one for each event, and room for more.
    clocks: Vec<u32>,
    /// Length of a clock row; grows with the number of processes.
    stride: usize,
    /// Per process its last event.
    last: Vec<u32>,
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

impl Order {
    /// Of no events.
    pub fn new() -> Order {
        let past = Past {
            records: Vec::new(),
            touches: Vec::new(),
            heads: Vec::new(),
            clocks: Vec::new(),
            stride: LANES,
            last: vec![NONE; LANES],
        };
        Order { past, races: Vec::new(), intricate: 0 }
    }

    /// Whether some event was more than a step whose accesses are known beforehand: it had
    /// alternatives, was guarded, or touched what it did because of what it found.
    pub fn is_intricate(&self) -> bool {
        self.intricate > 0
    }

    /// The process of an event.
    pub fn process(&self, event: usize) -> Pid {
        Pid(self.past.records[event].process)
    }

    /// Whether event `one` happens before event `other`, or is it.
    #[inline]
    pub fn happens_before(&self, one: usize, other: usize) -> bool {
        self.past.happens_before(one, other)
    }

    /// The events after one that do not happen after it.
    pub fn beside(&self, event: usize) -> impl Iterator<Item = usize> + '_ {
        let Past { records, clocks, stride, .. } = &self.past;
        let Record { process, number, .. } = records[event];
        let known = move |index: usize| clocks[index * stride + process as usize];
        (event + 1..records.len()).filter(move |&index| known(index) < number)
    }

    /// Whether event `one` is in the past that a clock row describes. A row made when there were fewer
    /// processes knows nothing of later ones.
    pub fn is_before_row(&self, one: usize, row: &[u32]) -> bool {
        let record = &self.past.records[one];
        row.get(record.process as usize).is_some_and(|&count| count >= record.number)
    }

    /// The clock row of an event.
    pub fn row(&self, event: usize) -> &[u32] {
        self.past.row(event)
    }

    /// The earlier events that the event races with.
    pub fn races(&self, event: usize) -> &[u32] {
        let records = &self.past.records;
        let from = records[event].first_race as usize;
        let to = records.get(event + 1).map_or(self.races.len(), |r| r.first_race as usize);
        &self.races[from..to]
    }

    /// Whether only a trial can tell if the event could have gone before those it races with, and
    /// what it would have touched then.
    pub fn is_tentative(&self, event: usize) -> bool {
        self.past.records[event].tentative
    }

    /// How many alternatives the step had when it was taken.
    pub fn alternatives(&self, event: usize) -> u32 {
        self.past.records[event].alternatives
    }

    /// Appends an event of a step that had so many alternatives.
    pub fn push(&mut self, event: &Event, alternatives: u32) {
        let Order { past, races, intricate } = self;
        let index = past.records.len();
        let process = event.process().index();
        past.make_room(process);
        let previous = past.last[process];
        let number = match previous {
            NONE => 1,
            previous => past.records[previous as usize].number + 1,
        };
        let explores = event.explores();
        let record = Record {
            process: process as u32,
            number,
            previous,
            first_touch: past.touches.len() as u32,
            first_race: races.len() as u32,
            tentative: event.guarded || explores || takes_lock_and_more(&event.footprint),
            intricate: alternatives > 1 || event.guarded || explores,
            alternatives,
        };
        // The row is made in its place: the process's own past, what it awaits, what it conflicts with.
        past.begin_row(index, previous);
        for access in event.footprint.iter().filter(|access| access.mode == Mode::Await) {
            if let Some(writer) = past.last_writer(*access) {
                past.join_into(index, writer);
            }
        }
        past.add_rivals(&event.footprint, event.guarded, past.row(index), races);
        past.clocks[index * past.stride + process] = number;
        for access in &event.footprint {
            past.follow(index, *access);
        }
        for access in &event.footprint {
            past.touch(index as u32, *access);
        }
        past.last[process] = index as u32;
        *intricate += usize::from(record.intricate);
        past.records.push(record);
    }

    /// Takes back the last event.
    pub fn pop(&mut self, event: &Event) {
        let past = &mut self.past;
        let record = past.records.pop().expect("a record per event");
        past.last[record.process as usize] = record.previous;
        for access in event.footprint.iter().rev() {
            let touch = past.touches.pop().expect("a touch per access");
            past.heads[access.location.index()] = touch.before;
        }
        self.intricate -= usize::from(record.intricate);
        self.races.truncate(record.first_race as usize);
    }

    /// The rivals of an operation that has not been performed, if it were performed now; and the
    /// clock row that its process has just before it.
    pub fn rivals_of_pending(
        &mut self,
        process: Pid,
        footprint: &Footprint,
        guarded: bool,
        row: &mut Vec<u32>,
    ) -> Vec<u32> {
        let past = &mut self.past;
        past.make_room(process.index());
        past.base_row(process.index(), footprint, row);
        let mut rivals = Vec::new();
        past.add_rivals(footprint, guarded, row, &mut rivals);
        rivals
    }

    /// The clock row that the process of an event had just before it, with what it awaited.
    pub fn row_before(&self, index: usize, event: &Event, row: &mut Vec<u32>) {
        let past = &self.past;
        let record = &past.records[index];
        row.clear();
        match record.previous {
            NONE => row.resize(past.stride, 0),
            previous => row.extend_from_slice(past.row(previous as usize)),
        }
        let touches = record.first_touch as usize..;
        for (access, touch) in event.footprint.iter().zip(&past.touches[touches]) {
            if access.mode == Mode::Await && touch.before.exclusive != NONE {
                let writer = past.touches[touch.before.exclusive as usize].event;
                join(row, past.row(writer as usize));
            }
        }
    }
}

impl Past {
    #[inline]
    fn happens_before(&self, one: usize, other: usize) -> bool {
        let record = &self.records[one];
        self.clocks[other * self.stride + record.process as usize] >= record.number
    }

    fn row(&self, event: usize) -> &[u32] {
        &self.clocks[event * self.stride..][..self.stride]
    }

    fn make_room(&mut self, process: usize) {
        if process >= self.stride {
            self.widen(process);
        }
    }

    /// Makes the rows long enough for a process.
    #[cold]
    fn widen(&mut self, process: usize) {
        let wider = (process + 1).next_power_of_two();
        let mut clocks = Vec::with_capacity(self.records.len() * wider * 2);
        for row in self.clocks.chunks(self.stride) {
            clocks.extend_from_slice(row);
            clocks.resize(clocks.len() + wider - self.stride, 0);
        }
        self.clocks = clocks;
        self.stride = wider;
        self.last.resize(wider, NONE);
    }

    /// Begins the row of a new event with the past of its process.
    fn begin_row(&mut self, index: usize, previous: u32) {
        let start = index * self.stride;
        if self.clocks.len() < start + self.stride {
            self.clocks.resize(start + self.stride, 0);
        }
        let (past, row) = self.clocks.split_at_mut(start);
        let row = &mut row[..self.stride];
        match previous {
            NONE => row.fill(0),
            previous => {
                let past = &past[previous as usize * self.stride..][..self.stride];
                let lanes = row.as_chunks_mut::<LANES>().0.iter_mut();
                lanes.zip(past.as_chunks::<LANES>().0).for_each(|(row, past)| *row = *past);
            }
        }
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

    /// Joins the row of an event into that of a later one.
    fn join_into(&mut self, index: usize, event: u32) {
        let (past, row) = self.clocks.split_at_mut(index * self.stride);
        join(&mut row[..self.stride], &past[event as usize * self.stride..][..self.stride]);
    }

    /// Joins the row of an event into that of a later one, unless the event is in it already: then so
    /// is all of its past.
    fn join_new(&mut self, index: usize, event: u32) {
        if self.is_outside(event, self.row(index)) {
            self.join_into(index, event);
        }
    }

    /// Whether an event is not in the past that a row of full length describes.
    fn is_outside(&self, event: u32, row: &[u32]) -> bool {
        let record = &self.records[event as usize];
        row[record.process as usize] < record.number
    }

    /// Orders a new event after the touches that one of its accesses conflicts with.
    fn follow(&mut self, index: usize, access: Access) {
        let head = self.head(access);
        if !access.mode.is_shared() {
            let mut shared = head.shared;
            while shared != NONE {
                let touch = self.touches[shared as usize];
                self.join_new(index, touch.event);
                shared = touch.before.shared;
            }
        }
        if head.exclusive != NONE {
            self.join_new(index, self.touches[head.exclusive as usize].event);
        }
    }

    /// Adds the earlier events that a step could have overtaken, given the row of its process's past
    /// and of what it awaits: in their order, without those that happen before another one.
    fn add_rivals(
        &self,
        footprint: &Footprint,
        guarded: bool,
        base: &[u32],
        rivals: &mut Vec<u32>,
    ) {
        let first = rivals.len();
        for access in footprint.iter().filter(|access| access.mode != Mode::Await) {
            self.confront(*access, guarded, base, rivals);
        }
        if rivals.len() <= first + 1 {
            return;
        }
        rivals[first..].sort_unstable();
        let mut kept = first;
        for place in first..rivals.len() {
            let rival = rivals[place];
            // An event happens before itself here: of equal ones the last is kept.
            let hides = |&other: &u32| self.happens_before(rival as usize, other as usize);
            if !rivals[place + 1..].iter().any(hides) {
                rivals[kept] = rival;
                kept += 1;
            }
        }
        rivals.truncate(kept);
    }

    /// The touches of its location that an access competes with, unless they lie in the past.
    fn confront(&self, access: Access, guarded: bool, base: &[u32], rivals: &mut Vec<u32>) {
        let head = self.head(access);
        if !access.mode.is_shared() && head.shared != NONE {
            let mut shared = head.shared;
            while shared != NONE {
                let touch = &self.touches[shared as usize];
                if self.is_outside(touch.event, base) {
                    rivals.push(touch.event);
                }
                shared = touch.before.shared;
            }
            return;
        }
        if head.exclusive == NONE {
            return;
        }
        let touch = &self.touches[head.exclusive as usize];
        let ends_rival = access.mode == Mode::Acquire && touch.mode == Mode::Release && !guarded;
        let rival = if ends_rival { self.acquire_before(touch) } else { Some(touch.event) };
        if let Some(rival) = rival.filter(|&rival| self.is_outside(rival, base)) {
            rivals.push(rival);
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

/// Joins a row into another one of the same length.
fn join(row: &mut [u32], other: &[u32]) {
    let lanes = row.as_chunks_mut::<LANES>().0.iter_mut().zip(other.as_chunks::<LANES>().0);
    for (row, other) in lanes {
        for lane in 0..LANES {
            row[lane] = row[lane].max(other[lane]);
        }
    }
}
