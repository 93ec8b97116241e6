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
//! **Cost.** A push costs the touches compared, and for each of them that is news to the process what its past has in
//! advance of the process's; a pop the touches. Nothing is allocated once the vectors have grown.

use std::ops::Range;

use counterpoint_model::{Access, Event, Footprint, Mode, Op, Pid};

use crate::outline::{self, Outline};
use crate::row::kept::KeptRows;
use crate::row::{Head, LANES, Modes, NONE, Row, Touch, grow};

/// Where so many events are left, it is not worth while to find out beforehand who moves again.
const FEW: usize = 32;

/// Clocks and races of a sequence of events, which is kept elsewhere.
pub(crate) struct Order {
    past: Past,
    rows: KeptRows,
}

/// What is known of the events so far but their clock rows.
struct Past {
    records: Vec<Record>,
    touches: Vec<Touch>,
    heads: Vec<Head>,
    races: Vec<u32>,
    /// The events that are later ones of races.
    raced: Vec<u32>,
    /// For each event what it touches, in short.
    outlines: Vec<Outline>,
    /// Per process its last event.
    last: Vec<u32>,
    /// How many events so far had alternatives, were guarded, or touched what they found.
    irregular: usize,
}

/// Padded to a power of two, since records are looked up all the time.
#[derive(Copy, Clone)]
#[repr(align(32))]
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
    irregular: bool,
    notifies: bool,
    /// How many alternatives the step had.
    alternatives: u32,
}

/// What is known of an event before its place in the order.
struct NewEvent {
    process: Pid,
    guarded: bool,
    /// Whether it touched what it did because of what it found.
    explores: bool,
    notifies: bool,
    alternatives: u32,
}

impl NewEvent {
    /// One with this footprint, of a step that had so many alternatives.
    #[inline(always)]
    fn new(event: &Event, footprint: &[Access], alternatives: u32) -> NewEvent {
        NewEvent {
            process: event.process(),
            guarded: event.guarded,
            explores: event.op.explores_by(footprint),
            notifies: matches!(event.op, Op::Notify { .. }),
            alternatives,
        }
    }
}

impl Order {
    /// Of no events.
    pub fn new() -> Order {
        let past = Past {
            records: Vec::new(),
            touches: Vec::new(),
            heads: Vec::new(),
            races: Vec::new(),
            raced: Vec::new(),
            outlines: Vec::new(),
            last: vec![NONE; LANES],
            irregular: 0,
        };
        Order { past, rows: KeptRows::default() }
    }

    /// Whether some event was more than a step whose accesses are known beforehand: it had
    /// alternatives, was guarded, or touched what it did because of what it found.
    pub fn needs_all_races_reversed(&self) -> bool {
        self.past.irregular > 0
    }

    /// The process of an event.
    pub fn process(&self, event: usize) -> Pid {
        Pid(self.past.records[event].process)
    }

    /// Whether event `one` happens before event `other`, or is it.
    #[inline]
    pub fn happens_before(&self, one: usize, other: usize) -> bool {
        self.past.happens_before(&self.rows, one, other)
    }

    /// The events after one that do not happen after it, with their processes. What a process does
    /// once it has heard of the event happens after it, so the search ends when every process has
    /// heard of it or has taken its last step.
    #[inline]
    pub fn for_each_not_after(&self, event: usize, mut act: impl FnMut(usize, Pid)) {
        let past = &self.past;
        let Record { process: own, number, .. } = past.records[event];
        // The processes that may have more such events. Those from the 64th on are one, never closed.
        let (bit, closed) = (|process| outline::bit(Pid(process)), |p| outline::own_bit(Pid(p)));
        let mut open = u64::MAX;
        if past.records.len() > event + FEW {
            let moves = |last: u32| last != NONE && last as usize > event;
            let moving = past.last.iter().enumerate().filter(|&(_, &last)| moves(last));
            open = moving.fold(0, |open, (process, _)| open | bit(process as u32));
        }
        open &= !closed(own);
        let mut index = event + 1;
        while open != 0 && index < past.records.len() {
            let process = past.records[index].process;
            if open & bit(process) != 0 {
                let aware = self.rows.count(index, own as usize) >= number;
                if !aware {
                    act(index, Pid(process));
                }
                if aware || past.last[process as usize] as usize == index {
                    open &= !closed(process);
                }
            }
            index += 1;
        }
    }

    /// Whether event `one` is in the past that a clock row describes. A row made when there were fewer
    /// processes knows nothing of later ones.
    pub fn is_before_row(&self, one: usize, row: &[u32]) -> bool {
        let record = &self.past.records[one];
        row.get(record.process as usize).is_some_and(|&count| count >= record.number)
    }

    /// The event of the same process before one, if there is such.
    pub fn previous(&self, event: usize) -> Option<usize> {
        let previous = self.past.records[event].previous;
        (previous != NONE).then_some(previous as usize)
    }

    /// Writes down the clock row of an event.
    pub fn copy_row(&self, event: usize, row: &mut Vec<u32>) {
        row.clear();
        self.rows.write_into(event, row);
    }

    /// The earlier events that the event races with.
    #[inline]
    pub fn races(&self, event: usize) -> &[u32] {
        &self.past.races[self.race_places(event)]
    }

    /// The events that race with earlier ones, first one first.
    #[inline]
    pub fn raced(&self) -> &[u32] {
        &self.past.raced
    }

    /// Where they stand among the races of all events.
    #[inline]
    pub fn race_places(&self, event: usize) -> Range<usize> {
        let Past { records, races, .. } = &self.past;
        let records = &records[event..];
        let to = records.get(1).map_or(races.len(), |next| next.first_race as usize);
        records[0].first_race as usize..to
    }

    /// The earlier event of the race at a place.
    #[inline]
    pub fn rival(&self, place: usize) -> usize {
        self.past.races[place] as usize
    }

    /// What each event touches, in short.
    #[inline]
    pub fn outlines(&self) -> &[Outline] {
        &self.past.outlines
    }

    /// Whether the event had no alternatives, was not guarded and did not touch what it found.
    pub fn is_regular(&self, event: usize) -> bool {
        !self.past.records[event].irregular
    }

    /// Whether only a trial can tell if the event could have gone before those it races with, and
    /// what it would have touched then.
    pub fn is_tentative(&self, event: usize) -> bool {
        self.past.records[event].tentative
    }

    /// The same, or it is a notification, of which the earlier event of a race decides.
    #[inline]
    pub fn may_need_rehearsal(&self, event: usize) -> bool {
        let record = &self.past.records[event];
        record.tentative | record.notifies
    }

    /// How many alternatives the step had when it was taken.
    pub fn alternatives(&self, event: usize) -> u32 {
        self.past.records[event].alternatives
    }

    /// Appends an event of a step that had so many alternatives.
    #[inline]
    pub fn push(&mut self, event: &Event, alternatives: u32) {
        match event.footprint[..] {
            // Most events are like that.
            [only]
                if self.rows.are_narrow()
                    && event.process().index() < LANES
                    && alternatives == 1
                    && event.is_simple(only) =>
            {
                self.append_simple(event.process(), [only]);
            }
            // The first steps of processes are like that, and their last ones.
            [one, other]
                if self.rows.are_narrow()
                    && event.process().index() < LANES
                    && alternatives == 1
                    && event.is_simple_with_more(one, other) =>
            {
                self.append_pair(event.process(), [one, other]);
            }
            _ => self.append_any(event, alternatives),
        }
    }

    /// Appends an event of any kind.
    #[inline(never)]
    fn append_any(&mut self, event: &Event, alternatives: u32) {
        self.make_room(event.process());
        self.append(&NewEvent::new(event, &event.footprint, alternatives), &event.footprint);
    }

    /// Appends an event that touches two locations, where rows have one block.
    #[inline(never)]
    fn append_pair(&mut self, process: Pid, accesses: [Access; 2]) {
        self.append_simple(process, accesses);
    }

    /// Appends an event that touches one location as its operation says, or another one as well, where rows have one
    /// block: as [`append`], without all that need not be asked then.
    ///
    /// [`append`]: Order::append
    #[inline(always)]
    fn append_simple<const N: usize>(&mut self, process: Pid, accesses: [Access; N]) {
        let Order { past, rows } = self;
        let Past { records, touches, heads, races, raced, outlines, last, irregular: _ } = past;
        let index = records.len();
        rows.make_room(index);
        let own = &mut last[process.index()];
        let previous = std::mem::replace(own, index as u32);
        let mut row = rows.begin::<true>(index, previous);
        if N > 1 && accesses.iter().any(|access| access.mode == Mode::Await) {
            row.await_writers(&accesses, touches, heads);
        }
        let (first_touch, first_race) = (touches.len() as u32, races.len());
        let (event, process) = (index as u32, process.0);
        let mut this = first_touch;
        let befores = accesses.map(|access| {
            let location = access.location.index();
            if location >= heads.len() {
                grow(heads, location);
            }
            let head = &mut heads[location];
            let before = *head;
            *head = if access.mode.is_shared() {
                Head { exclusive: before.exclusive, shared: this }
            } else {
                Head { exclusive: this, shared: NONE }
            };
            this += 1;
            row.meet::<true, true>(access.mode, before, false, touches, races);
            before
        });
        // What it has met are events of others, or in its past: it can be counted last, when the row is complete.
        let number = row.increment(process as usize);
        for (access, before) in accesses.iter().zip(befores) {
            let (mode, location) = (access.mode, access.location.0);
            touches.push(Touch { event, process, number, location, mode, before });
        }
        outlines.push(Outline::of(Pid(process), &accesses));
        records.push(Record {
            process,
            number,
            previous,
            first_touch,
            first_race: first_race as u32,
            tentative: false,
            irregular: false,
            notifies: false,
            alternatives: 1,
        });
        if races.len() > first_race {
            raced.push(event);
            if races.len() > first_race + 1 {
                past.sift_from(rows, first_race);
            }
        }
    }

    /// Makes room for the row of the next event, and for its process in it.
    #[inline]
    fn make_room(&mut self, process: Pid) {
        let Order { past, rows } = self;
        if process.index() >= past.last.len() {
            rows.widen(past.records.len(), process.index());
            past.last.resize(rows.len(), NONE);
        }
        rows.make_room(past.records.len());
    }

    /// Appends an event, for whose row there is room.
    fn append(&mut self, new: &NewEvent, footprint: &[Access]) {
        if self.rows.are_narrow() {
            return self.append_narrow(new, footprint);
        }
        let Order { past, rows } = self;
        let previous = past.last[new.process.index()];
        if let Some(wide) = rows.wide() {
            let mut row = wide.begin(previous);
            past.add(&mut row, new, footprint);
            row.end();
        } else {
            let mut row = rows.begin::<false>(past.records.len(), previous);
            past.add(&mut row, new, footprint);
        }
        past.sift(rows);
    }

    #[inline(always)]
    fn append_narrow(&mut self, new: &NewEvent, footprint: &[Access]) {
        let Order { past, rows } = self;
        let mut row = rows.begin::<true>(past.records.len(), past.last[new.process.index()]);
        past.add(&mut row, new, footprint);
        past.sift(rows);
    }

    /// Takes back all events but the first so many.
    pub fn cut(&mut self, length: usize) {
        let Order { past, rows } = self;
        let Some(first) = past.records.get(length) else { return };
        let (first_touch, first_race) = (first.first_touch as usize, first.first_race as usize);
        for record in past.records[length..].iter().rev() {
            past.last[record.process as usize] = record.previous;
            past.irregular -= usize::from(record.irregular);
        }
        for touch in past.touches[first_touch..].iter().rev() {
            past.heads[touch.location as usize] = touch.before;
        }
        past.records.truncate(length);
        past.outlines.truncate(length);
        past.touches.truncate(first_touch);
        past.races.truncate(first_race);
        while past.raced.pop_if(|event| *event as usize >= length).is_some() {}
        rows.cut(length);
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
        let index = self.past.records.len();
        self.make_room(process);
        let (explores, notifies) = (false, false);
        let new = NewEvent { process, guarded, explores, notifies, alternatives: 1 };
        self.append(&new, footprint);
        let rivals = self.races(index).to_vec();
        self.row_before(index, footprint, row);
        self.cut(index);
        rivals
    }

    /// The same for an operation that is blocked: who only looked at the locks that it takes does not count.
    pub fn rivals_of_blocked(
        &mut self,
        process: Pid,
        footprint: &Footprint,
        row: &mut Vec<u32>,
    ) -> Vec<u32> {
        let mut looked = Vec::new();
        for access in footprint.iter().filter(|access| access.mode == Mode::Acquire) {
            let location = access.location.index();
            if let Some(head) = self.past.heads.get_mut(location) {
                looked.push((location, std::mem::replace(&mut head.shared, NONE)));
            }
        }
        let rivals = self.rivals_of_pending(process, footprint, false, row);
        for (location, shared) in looked {
            self.past.heads[location].shared = shared;
        }
        rivals
    }

    /// The clock row that the process of an event had just before it, with what it awaited.
    pub fn row_before(&self, index: usize, footprint: &[Access], row: &mut Vec<u32>) {
        let past = &self.past;
        let record = &past.records[index];
        match record.previous {
            NONE => {
                row.clear();
                row.resize(past.last.len(), 0);
            }
            previous => self.copy_row(previous as usize, row),
        }
        let touches = record.first_touch as usize..;
        for (access, touch) in footprint.iter().zip(&past.touches[touches]) {
            if access.mode == Mode::Await && touch.before.exclusive != NONE {
                let writer = past.touches[touch.before.exclusive as usize].event;
                self.rows.join_into(writer as usize, row);
            }
        }
    }
}

impl Past {
    #[inline]
    fn happens_before(&self, rows: &KeptRows, one: usize, other: usize) -> bool {
        let record = &self.records[one];
        rows.count(other, record.process as usize) >= record.number
    }

    /// Appends an event whose row has begun with its process's own past: then comes what it awaits, and what it
    /// conflicts with.
    #[inline(always)]
    fn add(&mut self, row: &mut impl Row, new: &NewEvent, footprint: &[Access]) {
        let Past { records, touches, heads, races, outlines, last, irregular, .. } = self;
        let &NewEvent { process, guarded, explores, notifies, alternatives } = new;
        let index = records.len();
        outlines.push(Outline::of(process, footprint));
        let process = process.index();
        let first_race = races.len();
        let first_touch = touches.len();
        let previous = last[process];
        last[process] = index as u32;
        let modes = Modes::of(footprint);
        if modes.has(Mode::Await) {
            row.await_writers(footprint, touches, heads);
        }
        // Once an event is ordered after the release of a lock that it takes, what happened before that
        // release hides from it. Where it touches more, its rivals are found first.
        let apart = modes.has(Mode::Acquire) && footprint.len() > 1;
        if apart {
            row.find_rivals(footprint, guarded, touches, heads, races);
        }
        let number = row.increment(process);
        for access in footprint {
            let location = access.location.index();
            if location >= heads.len() {
                grow(heads, location);
            }
            let before = heads[location];
            if apart {
                row.meet::<false, true>(access.mode, before, guarded, touches, races);
            } else {
                row.meet::<true, true>(access.mode, before, guarded, touches, races);
            }
            let this = touches.len() as u32;
            let (event, process) = (index as u32, process as u32);
            let (mode, touched) = (access.mode, location as u32);
            touches.push(Touch { event, process, number, location: touched, mode, before });
            heads[location] = if access.mode.is_shared() {
                Head { exclusive: before.exclusive, shared: this }
            } else {
                Head { exclusive: this, shared: NONE }
            };
        }
        let record = Record {
            process: process as u32,
            number,
            previous,
            first_touch: first_touch as u32,
            first_race: first_race as u32,
            tentative: guarded || explores || modes.takes_lock_and_more(),
            irregular: alternatives > 1 || guarded || explores,
            notifies,
            alternatives,
        };
        *irregular += usize::from(record.irregular);
        records.push(record);
    }

    /// Sorts the rivals of the last event and leaves out those that happen before another one.
    #[inline(always)]
    fn sift(&mut self, rows: &KeptRows) {
        let first = self.records.last().map_or(0, |record| record.first_race as usize);
        if self.races.len() > first {
            self.raced.push(self.records.len() as u32 - 1);
            if self.races.len() > first + 1 {
                self.sift_from(rows, first);
            }
        }
    }

    #[inline(never)]
    fn sift_from(&mut self, rows: &KeptRows, first: usize) {
        let mut rivals = std::mem::take(&mut self.races);
        rivals[first..].sort_unstable();
        let mut kept = first;
        for place in first..rivals.len() {
            let rival = rivals[place];
            // An event happens before itself here: of equal ones the last is kept.
            let hides = |&other: &u32| self.happens_before(rows, rival as usize, other as usize);
            if !rivals[place + 1..].iter().any(hides) {
                rivals[kept] = rival;
                kept += 1;
            }
        }
        rivals.truncate(kept);
        self.races = rivals;
    }
}
