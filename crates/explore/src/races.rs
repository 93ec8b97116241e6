//! Data races of an execution, access by access.
//!
//! **Problem.** Two accesses to one variable by different processes, one of them a write and not both
//! of them synchronising, are a data race if synchronisation does not order them. A real machine may
//! then show what no sequentially consistent execution shows. The order is not the happens-before
//! relation of the trace ([`order`](crate::order)), in which the two accesses are an edge themselves and so are all
//! accesses to a volatile variable: here only a release passes something on, to an acquire.
//!
//! **Idea.** Vector clocks with epochs (Flanagan and Freund, *FastTrack*, 2009). Each process has a
//! row: how far of every process it knows. Each location has a row that its releases have left. The
//! accesses of a step are looked at one after another, in the order of its footprint:
//!
//! | access | acquires | releases |
//! |---|---|---|
//! | volatile or atomic read, failed compare-and-set | yes | no |
//! | write to a volatile variable ([`Op::Write`]) | no | yes |
//! | update that wrote; start; notification; end of a process | yes | yes |
//! | operation that changes a synchroniser, also one that commutes with its like (leaving a read lock) | yes | yes |
//! | taking a lock, failing to, asking a synchroniser, awaiting a start, an end or a wake-up | yes | no |
//! | freeing a lock | no | yes |
//! | asking what a process is doing, unless it has ended | no | no |
//!
//! The accesses say so themselves ([`Access::learns`], [`Access::publishes`]).
//!
//! A release tells all acquires that follow, not only the next one, as the language has it for
//! volatile variables. After a release the process's own count goes up, so that what it does later is
//! not taken for told. An access is compared with the last accesses at each other site.
//!
//! Races are looked for in the program's own memory ([`Program::is_own`]): the library may know more
//! about its insides than we do.
//!
//! **Before an object is shared** its maker's writes to it are no events. They take part in a race if the
//! reference itself is handed on by one: whoever reads it has learnt nothing of the maker. So only an
//! execution with a race on a reference is followed once more, with these writes
//! ([`Program::early_writes`]) among its accesses.
//!
//! **Going on from the last execution.** All changes are kept on a log, so that an execution that begins
//! like the last one costs only its new events.
//!
//! **Invariant.** The races found in the events followed are all there are in them, each named by its
//! location, its two sites, and who writes. It does not matter which of equivalent executions is
//! followed, so an explorer that runs every trace sees every race of the program. So do the nets of
//! events: the accesses of a race lie in the past of one event, or it can be run again in that order
//! ([`unfolding`](crate::unfolding)).
//!
//! **Cost.** A plain access costs a look at the sites that have touched its location, a synchronising
//! one a row.

use counterpoint_model::{
    Access, EarlyWrite, Event, FindingKind, Location, Mode, Op, Program, Site,
};
use rustc_hash::FxHashMap;

use crate::clock_tree::{ClockTree, TreeRow};
use crate::property::Failure;

/// A data race, whichever execution shows it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Race {
    pub location: Location,
    /// The two accesses in the order of their sites: where, and whether it writes.
    pub accesses: [(Site, bool); 2],
}

impl Race {
    /// The race as a failure that shows after so many steps.
    pub fn failure(&self, program: &dyn Program, steps: usize) -> Failure {
        let name = program.location_name(self.location);
        let how = match self.accesses.map(|(_, writes)| writes) {
            [true, true] => "both write",
            [true, false] => "one writes, one reads",
            [false, _] => "one reads, one writes",
        };
        Failure {
            kind: FindingKind::Race,
            name: format!("{}: {how}", program.variable_name(self.location)),
            message: format!("data race on {name}: {how}"),
            sites: self.accesses.iter().map(|(site, _)| *site).collect(),
            waiting: Vec::new(),
            steps,
        }
    }

    /// Of two conflicting accesses.
    pub fn new(location: Location, one: (Site, bool), other: (Site, bool)) -> Race {
        let accesses = if one <= other { [one, other] } else { [other, one] };
        Race { location, accesses }
    }
}

/// The clocks of the events followed, and their races.
#[derive(Default)]
pub(crate) struct Races {
    rows: ClockTree,
    /// Per process its present row, once it has moved.
    present: Vec<TreeRow>,
    spots: Vec<LocationState>,
    changes: Vec<Change>,
    /// Per event followed, how much there was before it.
    before: Vec<Before>,
    /// The races of the events followed, each once: which, and the event that shows it.
    found: Vec<(u32, u32)>,
    /// All races ever found.
    known: Vec<Race>,
    numbers: FxHashMap<Race, u32>,
    /// Per known race, whether it is among those found.
    present_races: Vec<bool>,
    /// Whether a variable turned out to be touched in both ways after accesses to it were passed over.
    redo: bool,
    /// Writes without an event that are to be looked at, too, in the order in which they happened.
    early: Vec<EarlyWrite>,
}

/// What is known of a location.
struct LocationState {
    /// What its releases have left.
    released: TreeRow,
    /// Whether races on it matter; none if nobody has asked yet.
    own: Option<bool>,
    /// Whether it was ever touched plainly. As long as it was not, synchronising accesses to it are
    /// passed over.
    plain: bool,
    /// Whether some were.
    passed_over: bool,
    accesses: Vec<LastAccess>,
}

/// The last access of a process at a site.
#[derive(Copy, Clone)]
struct LastAccess {
    process: u32,
    count: u32,
    site: Site,
    writes: bool,
    synchronises: bool,
}

/// What an event has changed.
enum Change {
    Present { process: u32, row: TreeRow },
    Released { location: u32, row: TreeRow },
    Added { location: u32 },
    Counted { location: u32, index: u32, count: u32 },
}

#[derive(Copy, Clone)]
struct Before {
    rows: usize,
    changes: u32,
    found: u32,
}

impl Races {
    /// Goes over to an execution that begins with the same events as the last one, so many of them.
    pub fn follow(&mut self, program: &dyn Program, events: &[Event], same: usize) {
        self.go_back(same);
        self.early.clear();
        self.push_all_with_redo(program, events);
        if self.found.is_empty() {
            return;
        }
        let through: Vec<_> = self.found().map(|(race, _)| race.location).collect();
        self.early = program.early_writes(events, &through);
        if !self.early.is_empty() {
            self.early.sort_by_key(|write| write.after);
            self.go_back(0);
            self.push_all_with_redo(program, events);
        }
    }

    fn go_back(&mut self, same: usize) {
        while self.before.len() > same {
            self.pop();
        }
    }

    fn push_all_with_redo(&mut self, program: &dyn Program, events: &[Event]) {
        self.push_all(program, events);
        if std::mem::take(&mut self.redo) {
            self.go_back(0);
            self.push_all(program, events);
        }
    }

    /// The races of the events followed, each with the number of steps that show it.
    pub fn found(&self) -> impl Iterator<Item = (Race, usize)> + '_ {
        self.found.iter().map(|&(race, event)| (self.known[race as usize], event as usize + 1))
    }

    /// All races found so far.
    pub fn known(&self) -> &[Race] {
        &self.known
    }

    /// Whether a race was found before.
    pub fn knows(&self, race: &Race) -> bool {
        self.numbers.contains_key(race)
    }

    fn push_all(&mut self, program: &dyn Program, events: &[Event]) {
        let same = self.before.len();
        let last = events[same..].iter().map(|event| event.process().index()).max();
        if let Some(last) = last.filter(|last| *last >= self.present.len()) {
            self.present.resize((last + 1).next_power_of_two(), TreeRow::ZEROS);
        }
        for (index, event) in events.iter().enumerate().skip(same) {
            self.push(program, event, index);
        }
    }

    fn push(&mut self, program: &dyn Program, event: &Event, index: usize) {
        let length = |length: usize| u32::try_from(length).expect("fewer than 2^32 of them");
        self.before.push(Before {
            rows: self.rows.len(),
            changes: length(self.changes.len()),
            found: length(self.found.len()),
        });
        let first = self.early.partition_point(|write| write.after < index);
        for number in first..self.early.len() {
            let EarlyWrite { location, process, after, site } = self.early[number];
            let process = process.index();
            if after > index {
                break;
            }
            // Who never moves has stored no reference either.
            if process >= self.present.len() {
                continue;
            }
            self.begin_process(process);
            if location.index() >= self.spots.len() {
                self.grow(location.index());
            }
            self.look(program, site, process, &Access::plain(location, Mode::Write));
        }
        let process = event.process().index();
        self.begin_process(process);
        for access in &event.footprint {
            let location = access.location.index();
            if location >= self.spots.len() {
                self.grow(location);
            }
            // Who overwrites a variable does not see what was there.
            let overwrites = access.mode == Mode::Write && event.op == Op::Write(access.location);
            if access.learns && !overwrites {
                self.acquire(process, location);
            }
            if access.is_of_data() {
                self.look(program, event.site, process, access);
            }
            if access.publishes {
                self.release(process, location);
            }
        }
    }

    /// Gives a process that has not moved yet its first row.
    fn begin_process(&mut self, process: usize) {
        if self.present[process] == TreeRow::ZEROS {
            let (row, _) = self.rows.increment(TreeRow::ZEROS, process);
            self.set_present(process, row);
        }
    }

    fn pop(&mut self) {
        let before = self.before.pop().expect("an event to take back");
        while self.changes.len() > before.changes as usize {
            match self.changes.pop().expect("more changes than before the event") {
                Change::Present { process, row } => self.present[process as usize] = row,
                Change::Released { location, row } => self.spots[location as usize].released = row,
                Change::Added { location } => {
                    self.spots[location as usize].accesses.pop();
                }
                Change::Counted { location, index, count } => {
                    self.spots[location as usize].accesses[index as usize].count = count;
                }
            }
        }
        self.rows.truncate(before.rows);
        for (race, _) in self.found.drain(before.found as usize..) {
            self.present_races[race as usize] = false;
        }
    }

    /// Compares an access with those before it.
    fn look(&mut self, program: &dyn Program, site: Site, process: usize, access: &Access) {
        let location = access.location.index();
        let spot = &mut self.spots[location];
        if !access.synchronises && !spot.plain {
            spot.plain = true;
            self.redo |= spot.passed_over;
        }
        if !spot.plain {
            spot.passed_over = true;
            return;
        }
        if !*spot.own.get_or_insert_with(|| program.is_own(access.location)) {
            return;
        }
        let present = self.present[process];
        let writes = access.mode == Mode::Write;
        let own = LastAccess {
            process: process as u32,
            count: self.rows.count(present, process),
            site,
            writes,
            synchronises: access.synchronises,
        };
        let mut place = None;
        for (index, other) in spot.accesses.iter().enumerate() {
            if other.process == own.process {
                let same = other.site == own.site
                    && other.writes == own.writes
                    && other.synchronises == own.synchronises;
                if same {
                    place = Some(index);
                }
            } else if self.rows.count(present, other.process as usize) < other.count
                && (writes || other.writes)
                && !(own.synchronises && other.synchronises)
            {
                let accesses = [(other.site, other.writes), (own.site, own.writes)];
                let race = Race::new(access.location, accesses[0], accesses[1]);
                let next = self.known.len() as u32;
                let number = *self.numbers.entry(race).or_insert(next);
                if number == next {
                    self.known.push(race);
                    self.present_races.push(false);
                }
                if !std::mem::replace(&mut self.present_races[number as usize], true) {
                    self.found.push((number, self.before.len() as u32 - 1));
                }
            }
        }
        let location = location as u32;
        match place {
            Some(index) => {
                let seen = &mut spot.accesses[index];
                if seen.count != own.count {
                    let index = index as u32;
                    self.changes.push(Change::Counted { location, index, count: seen.count });
                    seen.count = own.count;
                }
            }
            None => {
                spot.accesses.push(own);
                self.changes.push(Change::Added { location });
            }
        }
    }

    /// The process learns what was released at a location.
    fn acquire(&mut self, process: usize, location: usize) {
        let released = self.spots[location].released;
        let row = self.rows.join(self.present[process], released);
        if row != self.present[process] {
            self.set_present(process, row);
        }
    }

    /// The process tells those who acquire the location later.
    fn release(&mut self, process: usize, location: usize) {
        let present = self.present[process];
        let released = self.spots[location].released;
        let row = self.rows.join(present, released);
        self.changes.push(Change::Released { location: location as u32, row: released });
        self.spots[location].released = row;
        let (later, _) = self.rows.increment(present, process);
        self.set_present(process, later);
    }

    fn set_present(&mut self, process: usize, row: TreeRow) {
        let old = std::mem::replace(&mut self.present[process], row);
        self.changes.push(Change::Present { process: process as u32, row: old });
    }

    #[cold]
    fn grow(&mut self, location: usize) {
        let empty = || LocationState {
            released: TreeRow::ZEROS,
            own: None,
            plain: false,
            passed_over: false,
            accesses: Vec::new(),
        };
        self.spots.resize_with((location + 1).next_power_of_two(), empty);
    }
}
