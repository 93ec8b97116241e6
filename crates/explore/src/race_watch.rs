//! Data races are noted in every exploration of a threaded program.
//!
//! **Problem.** Whether a program has data races decides what its result means, so they are looked for
//! whether or not somebody asks; but looking costs about as much as a step, and explorers go through
//! millions of executions a second.
//!
//! **Idea.** The first [`ALL`] executions are looked at completely ([`races`](crate::races)), each from
//! where it differs from the last. Later ones are looked at only if they show something new, as far as
//! the explorer's own clocks tell: an event that competes with an earlier one of another process, both
//! touching a variable plainly at a pair of sites that is not known to race. That finds every race
//! that there is between neighbours. If some execution has a data race, some execution has one between
//! neighbours: take the first race of an execution and leave out all that happens before neither of its
//! accesses; the two can follow each other then. So a program that has races is never said to have
//! none; only, of the races of a program with many executions, some that never occur between
//! neighbours may not be counted. Whoever asks for races as failures gets all
//! ([`property::race`](crate::property)).
//!
//! An explorer that looks at the races of its executions itself may show them one by one, and need not show those of which
//! it knows that the later event was taken first at that place: there the two followed each other, too.
//!
//! Explorers without clocks look at every execution. Whoever looks leaves out executions without a single plain access, of
//! which every race needs one.
//!
//! Who has seen no execution cannot say whether an explorer that does not show all races has left some out: a program of one
//! thread has none. So each part of an exploration says whether it has seen several threads, and that is added up
//! ([`ThreadsSeen`]).
//!
//! **Invariant.** What was noted is a race of an execution that was run.
//!
//! **Cost.** After the first executions, a look at the races of the new events.

use counterpoint_model::{Access, Event, Location, Mode, Op, Pid, Program, Site};

use crate::property::Failure;
use crate::races::{Race, Races};
use crate::search::{DataRaces, NotedRace, Sink, ThreadsSeen};
use crate::trace::Trace;

/// So many executions are looked at completely.
const ALL: u32 = 1_000;

/// Slots of the table of races that were seen lately: a power of two.
const SLOTS: usize = 1 << 10;

/// A number for two competing accesses to a location, each with its site and whether it writes; zero if theirs are too large
/// for one.
#[inline]
fn key(location: Location, one: (Site, bool), other: (Site, bool)) -> u64 {
    let sites = [one, other].map(|(site, writes)| u64::from(site.0) << 1 | u64::from(writes));
    let location = u64::from(location.0) + 1;
    let fits = (sites[0] | sites[1]) >> 22 == 0 && location >> 20 == 0;
    if fits { location << 44 | sites[0] << 22 | sites[1] } else { 0 }
}

/// What has been seen so far.
pub(crate) struct RaceWatch {
    state: WatchState,
    races: Races,
    /// How many of the events of the present trace are those that `races` follows.
    same: usize,
    /// How many of them at least come before the first plain access.
    plain_from: usize,
    executions: u32,
    /// Who was seen to move by this part of the exploration.
    threads: ThreadsSeen,
    overlooks: bool,
    /// The [`key`]s of races that need not be looked at again, by a hash of theirs.
    lately: Box<[u64; SLOTS]>,
}

/// Whether there is anything to do.
#[derive(PartialEq, Eq)]
enum WatchState {
    Watching,
    /// Races are failures, or the program is one of active objects.
    Idle,
}

impl Default for RaceWatch {
    fn default() -> RaceWatch {
        RaceWatch {
            state: WatchState::Watching,
            races: Races::default(),
            same: 0,
            plain_from: 0,
            executions: 0,
            threads: ThreadsSeen::Unknown,
            overlooks: false,
            lately: Box::new([0; SLOTS]),
        }
    }
}

impl RaceWatch {
    /// One for a part of an exploration in which so many executions were looked at before.
    pub fn after(executions: u64) -> RaceWatch {
        let executions = u32::try_from(executions).unwrap_or(u32::MAX);
        RaceWatch { executions, ..RaceWatch::default() }
    }

    /// One that does nothing.
    pub fn idle() -> RaceWatch {
        RaceWatch { state: WatchState::Idle, ..RaceWatch::default() }
    }

    /// The explorer does not run enough executions to show every race.
    pub fn overlooks(&mut self) {
        self.overlooks = true;
    }

    /// An execution has ended, whose races may be shown one by one.
    #[inline]
    pub fn note(&mut self, program: &dyn Program, trace: &mut Trace, shown: bool) {
        if self.state == WatchState::Idle {
            return;
        }
        let fresh = trace.same_since_last();
        self.same = self.same.min(fresh);
        self.plain_from = self.plain_from.min(fresh);
        let all = self.executions < ALL || !trace.is_ordered();
        if all || (!shown && self.is_news(trace, fresh)) {
            self.look(program, trace);
        }
    }

    /// The explorer has come across a race of the execution that has ended.
    #[inline]
    pub fn show(&mut self, program: &dyn Program, trace: &Trace, earlier: usize, later: usize) {
        let looked = self.executions < ALL || self.same == trace.len();
        if self.state == WatchState::Idle || looked {
            return;
        }
        let events = trace.events();
        if self.is_new_between(&events[earlier], &events[later]) {
            // The execution may be one that does not count, of which nothing was said.
            self.same = self.same.min(trace.same_as_last());
            self.plain_from = self.plain_from.min(trace.same_as_last());
            self.look(program, trace);
        }
    }

    #[cold]
    fn look(&mut self, program: &dyn Program, trace: &Trace) {
        self.executions = self.executions.saturating_add(1);
        if matches!(trace.events().first().map(|event| event.op), Some(Op::Task(_))) {
            self.state = WatchState::Idle;
            return;
        }
        let several = trace.events().iter().any(|event| event.process() != Pid::MAIN);
        let seen = if several { ThreadsSeen::Several } else { ThreadsSeen::One };
        self.threads = self.threads.max(seen);
        let plain = |access: &Access| access.is_of_data() && !access.synchronises;
        let new = trace.events()[self.plain_from..].iter();
        self.plain_from += new.take_while(|event| !event.footprint.iter().any(plain)).count();
        if self.plain_from < trace.len() {
            self.races.follow(program, trace.events(), self.same);
            self.same = trace.len();
        }
    }

    /// Whether some new event competes with an earlier one in a way that was not seen before.
    fn is_news(&mut self, trace: &Trace, fresh: usize) -> bool {
        let events = trace.events();
        (fresh..events.len()).any(|later| {
            let mut rivals = trace.races(later).iter();
            rivals.any(|&earlier| self.is_new_between(&events[earlier as usize], &events[later]))
        })
    }

    /// Whether two events that compete do so in a way that was not seen before.
    #[inline(always)]
    fn is_new_between(&mut self, one: &Event, other: &Event) -> bool {
        match (&one.footprint[..], &other.footprint[..]) {
            // Most events touch one location.
            (&[a], &[b]) => self.is_new_by((one.site, a), (other.site, b)),
            _ => self.is_new_among(one, other),
        }
    }

    /// The same, whatever they touch.
    #[inline(never)]
    fn is_new_among(&mut self, one: &Event, other: &Event) -> bool {
        let all = one.footprint.iter();
        let mut pairs = all.flat_map(|&a| other.footprint.iter().map(move |&b| (a, b)));
        pairs.any(|(a, b)| self.is_new_by((one.site, a), (other.site, b)))
    }

    /// The same of two accesses.
    #[inline(always)]
    fn is_new_by(&mut self, (one, a): (Site, Access), (other, b): (Site, Access)) -> bool {
        if a.location != b.location || a.synchronises && b.synchronises {
            return false;
        }
        let (own, its) = ((one, a.mode == Mode::Write), (other, b.mode == Mode::Write));
        let key = key(a.location, own, its);
        let slot = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS.trailing_zeros());
        let seen = key != 0 && self.lately[slot as usize] == key;
        !seen && self.is_new_race(slot as usize, key, (one, a), (other, b))
    }

    /// The same of two that were not seen lately.
    #[inline(never)]
    fn is_new_race(
        &mut self,
        slot: usize,
        key: u64,
        (one, a): (Site, Access),
        (other, b): (Site, Access),
    ) -> bool {
        if !(a.conflicts(b) && a.is_of_data() && b.is_of_data()) {
            return false;
        }
        self.lately[slot] = key;
        let accesses = ((one, a.mode == Mode::Write), (other, b.mode == Mode::Write));
        !self.races.knows(&Race::new(a.location, accesses.0, accesses.1))
    }

    /// What was seen, each race once as the sink tells them.
    pub fn result(&self, program: &dyn Program, sink: &dyn Sink) -> DataRaces {
        let mut failures: Vec<Failure> = Vec::new();
        for race in self.races.known() {
            let failure = race.failure(program, 0);
            if !failures.iter().any(|known| sink.is_one(known, &failure)) {
                failures.push(failure);
            }
        }
        let noted = |failure: Failure| NotedRace {
            name: failure.name,
            message: failure.message,
            places: failure.sites.iter().map(|&site| program.place(site)).collect(),
        };
        DataRaces {
            seen: failures.into_iter().map(noted).collect(),
            overlooked: self.overlooks,
            threads: self.threads,
        }
    }
}
