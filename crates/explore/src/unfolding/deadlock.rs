//! Deadlocks: markings in which nobody can move and somebody has not ended.
//!
//! **Problem.** The executions cover local states, not global ones: a deadlock that combines pasts
//! which no execution combined is in the net all the same (theorem 8), and must be found there.
//!
//! **Idea** (chapter 6.3, figures 6.4 and 6.5). In a dead marking each process has ended or stands
//! at a thread condition whose operation is blocked by a *reason*: a condition of a wanted place that
//! does not let it happen. Start from one blocked thread condition and a reason concurrent with it,
//! which the `pending` lists know; then decide, one process after another, where it stops: first
//! those that could remove a reason (the holder of the lock, the process to be joined), so that
//! chains of waiting close or fail early; the others after them. Everything decided so far is a
//! configuration, and the stops and reasons in it must stay untaken.
//!
//! We differ from the thesis: held locks have conditions, so a lock that is never released is no
//! special case; the reasons cover joins, waits without notification and semaphores as well as locks;
//! and all processes are placed, so that each deadlock found is a whole one and can be replayed. The
//! first process that waits is the starting point, which meets each marking once. Path constraints
//! are solved when the marking is replayed.
//!
//! **What cannot be.** In a dead marking that holds a reason, the process that made the reason has stopped after making
//! it and before anything that takes it: a process that waits for a lock waits for one that has stopped with the lock.
//! A pair of a thread condition and a reason for which no such stop is in the net is left out, and so is, in turn, a
//! pair whose only stops are of pairs that were left out. Sections that always come to their end have none, and the
//! search has nothing to do there. What is left is few kinds of waiting, and those that go together say when all
//! deadlocks are known ([`wait_patterns`](super::wait_patterns)).
//!
//! **Unfinished nets.** What is found is replayed, so a net that is still growing may be searched, too. So that a
//! deadlock is told long before the net is finished, if it ever is, the net is searched each time the number of targets
//! has grown to four times what it was, within a number of decisions that is a fraction of its events.
//!
//! **Invariant.** Every deadlock of the program is found, up to its local states, unless time runs
//! out. Once one is known to exist, the search for further ones ends after [`ENOUGH`] decisions, and
//! the result says so: a program of n independent deadlocks has exponentially many combinations.
//!
//! **Cost.** Tables linear in the net, most of them only where somebody can wait for good; a union of cuts per
//! decision; exponential in the worst case.

use std::cell::OnceCell;

use counterpoint_model::{Bound, Pid};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::Unfolding;
use super::cut;
use super::net::{Condition, ConditionId, Effect, EventId, EventStatus, Net, PlaceId, Station};
use super::operation::Guard;
use super::wait_patterns::{Part, PossibleDeadlocks, possible_deadlocks};
use crate::search::Search;

/// Decisions after which no more deadlocks are looked for if one was found.
const ENOUGH: u64 = 1_000_000;

/// How far to look for a stop after a reason was made; if nothing is found so near, there may be one.
const NEAR: usize = 64;

/// After so many decisions, or as many as a quarter of the events, a list of possible deadlocks is worth a closer look at
/// the net.
const LONG: u64 = 1 << 16;

/// How often pairs are left out because of others that were.
const ROUNDS: usize = 4;

/// A search for dead markings in a net.
pub(super) struct Deadlocks {
    /// Per thread condition the ways to be blocked: the condition that is the reason.
    reasons: Table<ConditionId>,
    /// The trials that have failed: thread condition and conditions. Which reads came before matters
    /// only where readers keep a writer out, as those of a read-write lock do; a marking in which such
    /// a writer could go on after all is refuted when it is replayed.
    blocked: FxHashSet<(ConditionId, Vec<ConditionId>)>,
    /// Per thread condition the events that take it.
    followers: Followers,
    /// Starting points: blocked thread conditions with a reason.
    starts: Vec<(ConditionId, ConditionId)>,
    /// All deadlocks that the net can have and that are not known, if they are few.
    possible: Option<PossibleDeadlocks>,
    /// Whether this was found out from the net, not from what was noted while it grew.
    is_exact: bool,
    open: Vec<StoppedState>,
    /// Who waits where, in the deadlocks found so far.
    known: KnownDeadlocks,
    /// The last one given.
    last: Vec<WaitingProcess>,
    found: bool,
    decisions: u64,
    /// How many decisions are made at most.
    limit: u64,
    done: bool,
}

/// Deadlocks that were found, each by who waits where.
pub(super) type KnownDeadlocks = FxHashSet<Vec<WaitingProcess>>;

/// A configuration in which some processes have stopped for good.
struct StoppedState {
    cut: Vec<ConditionId>,
    /// The one that waits first, then the others.
    stops: Vec<StoppedProcess>,
    part: Part,
}

/// Where a process has stopped, and the condition that keeps it from going on; none if it ended.
#[derive(Copy, Clone)]
struct StoppedProcess {
    thread: ConditionId,
    reason: ConditionId,
}

/// A process's part in a deadlock, as a report tells it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct WaitingProcess {
    pub process: Pid,
    position: u64,
    /// The place that keeps it from going on.
    pub place: PlaceId,
    /// Who holds it, if it is a lock.
    pub holder: Option<Pid>,
}

impl WaitingProcess {
    /// The process of a station, which waits because of a place that this process holds, if it is a lock.
    pub fn at(station: &Station, place: PlaceId, holder: Option<Pid>) -> WaitingProcess {
        WaitingProcess { process: station.process, position: station.position, place, holder }
    }

    /// The process at a thread condition, which waits because of another condition.
    pub fn of(net: &Net, thread: ConditionId, reason: ConditionId) -> WaitingProcess {
        let (station, reason) = (net.station(thread), net.condition(reason));
        let holder = reason.held.then(|| net.event(reason.producer).process);
        WaitingProcess::at(station, reason.place, holder)
    }
}

impl Deadlocks {
    /// A search for all.
    #[cfg(test)]
    pub fn new(net: &Net) -> Deadlocks {
        Deadlocks::beyond(KnownDeadlocks::default(), net, u64::MAX)
    }

    /// A search for those that are not known yet, within so many decisions.
    pub fn beyond(known: KnownDeadlocks, net: &Net, limit: u64) -> Deadlocks {
        let noted = net.noted_deadlocks().map(|noted| noted.beyond(&known));
        if noted.as_ref().is_some_and(PossibleDeadlocks::is_empty) {
            return Deadlocks::none_beyond(known);
        }
        let mut starts = refusals(net, noted.as_ref());
        let blocked = add_failed_trials(net, &mut starts);
        let followers = Followers::default();
        let is_exact = noted.is_none();
        let rounds = if is_exact { ROUNDS } else { 1 };
        let reasons = leave_out(net, &followers, &mut starts, rounds);
        let possible = noted.or_else(|| {
            possible_deadlocks(net, &followers, &starts).map(|possible| possible.beyond(&known))
        });
        // Deadlocks of everybody are found from the first process, so its turn comes first.
        let process = |thread| std::cmp::Reverse(net.station(thread).process);
        let mut keyed: Vec<_> = starts.iter().map(|&start| (process(start.0), start)).collect();
        keyed.sort_by_key(|(process, _)| *process);
        let starts = keyed.into_iter().map(|(_, start)| start).collect();
        Deadlocks {
            reasons,
            blocked,
            followers,
            starts,
            possible,
            is_exact,
            open: Vec::new(),
            found: !known.is_empty(),
            known,
            last: Vec::new(),
            decisions: 0,
            limit,
            done: false,
        }
    }

    /// A search that has come to its end.
    fn none_beyond(known: KnownDeadlocks) -> Deadlocks {
        Deadlocks {
            reasons: Table::default(),
            blocked: FxHashSet::default(),
            followers: Followers::default(),
            starts: Vec::new(),
            possible: Some(PossibleDeadlocks::default()),
            is_exact: true,
            open: Vec::new(),
            found: !known.is_empty(),
            known,
            last: Vec::new(),
            decisions: 0,
            limit: 0,
            done: true,
        }
    }

    /// The cut of the next dead marking.
    pub fn next(
        &mut self,
        unfolding: &mut Unfolding,
        search: &mut Search<'_>,
    ) -> Option<Vec<ConditionId>> {
        if self.done {
            return None;
        }
        loop {
            if self.possible.as_ref().is_some_and(PossibleDeadlocks::is_empty) {
                self.done = true;
                return None;
            }
            self.decisions += 1;
            let long = LONG.max(unfolding.net.events.len() as u64 / 4);
            if self.decisions == long && !self.is_exact {
                self.look_closer(&unfolding.net);
            }
            if self.found && self.decisions > ENOUGH {
                search.hit(Bound::Deadlocks);
                self.done = true;
                return None;
            }
            if self.decisions > self.limit {
                return None;
            }
            if search.stop || (self.decisions.is_multiple_of(1024) && search.is_out_of_time()) {
                return None;
            }
            let Some(state) = self.open.pop() else {
                let Some((thread, reason)) = self.starts.pop() else {
                    self.done = true;
                    return None;
                };
                self.begin(unfolding, thread, reason);
                continue;
            };
            if self.possible.as_ref().is_some_and(|possible| !possible.has(state.part)) {
                // What it is part of has been found meanwhile.
                continue;
            }
            match self.undecided(&unfolding.net, &state) {
                Some(process) => self.decide(unfolding, &state, process),
                None if !self.is_dead(&unfolding.net, &state) => {}
                None => {
                    let signature = self.signature(&unfolding.net, &state);
                    if self.known.insert(signature.clone()) {
                        self.last = signature;
                        return Some(state.cut);
                    }
                }
            }
        }
    }

    /// The marking given last was replayed: there is a deadlock.
    pub fn confirm(&mut self) {
        self.found = true;
        if let Some(possible) = &mut self.possible {
            possible.remove(&self.last);
        }
    }

    /// No inputs lead to the marking given last, or somebody can move in it; others with the same waits
    /// may be possible and dead.
    pub fn refute(&mut self) {
        self.known.remove(&self.last);
    }

    /// The deadlocks that are known by now.
    pub fn into_known(self) -> KnownDeadlocks {
        self.known
    }

    /// Whether the search came to its end.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Leaves out deadlocks that the net cannot have, though what was noted does not say so.
    fn look_closer(&mut self, net: &Net) {
        self.is_exact = true;
        let pairs: Vec<(ConditionId, ConditionId)> = self.reasons.pairs().collect();
        let exact = possible_deadlocks(net, &self.followers, &pairs);
        if let (Some(possible), Some(exact)) = (&mut self.possible, exact) {
            possible.keep_those_of(&exact);
        }
    }

    fn begin(&mut self, unfolding: &mut Unfolding, thread: ConditionId, reason: ConditionId) {
        let Some(part) = self.part_with(&unfolding.net, Part::default(), thread, reason) else {
            return;
        };
        if let Some(cut) = unfolding.union(&[thread, reason]) {
            let stops = vec![StoppedProcess { thread, reason }];
            self.open.push(StoppedState { cut, stops, part });
        }
    }

    /// The part of a deadlock that this one and a process that waits make up, if a deadlock with it is possible and not known.
    fn part_with(
        &self,
        net: &Net,
        part: Part,
        thread: ConditionId,
        reason: ConditionId,
    ) -> Option<Part> {
        let Some(possible) = &self.possible else { return Some(part) };
        // Who waits for one of several things may be told of as waiting for another of them.
        if net.station(thread).wants.len() > 1 {
            return possible.has(part).then_some(part);
        }
        possible.with(part, &WaitingProcess::of(net, thread, reason))
    }

    /// A process whose stop is still to be decided: one that could remove a reason, else any.
    fn undecided(&self, net: &Net, state: &StoppedState) -> Option<Pid> {
        let decided = |process: Pid| {
            state.stops.iter().any(|stop| net.station(stop.thread).process == process)
        };
        let started = |process: Pid| {
            let place = net.place_of(process);
            process == Pid::MAIN || (place.is_some() && cut::at(&state.cut, place).is_some())
        };
        let blocked = state.stops.iter().filter(|stop| stop.reason.is_some());
        let removers = blocked.filter_map(|stop| {
            let reason = net.condition(stop.reason);
            let mut wants = net.station(stop.thread).wants.iter();
            match wants.find(|want| want.place == reason.place)?.guard {
                Guard::Ended(process) => Some(process),
                _ if reason.held => Some(net.event(reason.producer).process),
                _ => None,
            }
        });
        let others = (0..net.process_places().len())
            .map(|process| Pid(u32::try_from(process).expect("a process's number")));
        removers.chain(others).find(|&process| !decided(process) && started(process))
    }

    /// Opens a state for every place where the process can stop.
    fn decide(&mut self, unfolding: &mut Unfolding, state: &StoppedState, process: Pid) {
        let first = unfolding.net.station(state.stops[0].thread).process;
        let place = unfolding.net.place_of(process);
        let if_ended = match &self.possible {
            Some(possible) => possible.without(state.part, process),
            None => Some(state.part),
        };
        let possible = self.possible.as_ref();
        if if_ended.is_none() && possible.is_some_and(|p| !p.may_wait(state.part, process)) {
            return;
        }
        let mut walk = vec![unfolding.net.holds(&state.cut, place)];
        while let Some(thread) = walk.pop() {
            let past = unfolding.net.past(thread);
            if !self.leaves_alone(&unfolding.net, state, past)
                || !unfolding.net.compatible(&state.cut, past, &mut unfolding.scratch)
            {
                continue;
            }
            let followers = self.followers.of(&unfolding.net, thread);
            walk.extend(followers.map(|event| unfolding.net.event(event).after));
            if unfolding.net.station(thread).op.is_none() {
                if let Some(part) = if_ended {
                    let mut cut = state.cut.clone();
                    unfolding.net.unite(&mut cut, past);
                    self.open.push(state.with(cut, part, thread, ConditionId::NONE));
                }
                continue;
            }
            if process < first {
                continue;
            }
            let reasons = self.reasons.of(thread);
            if reasons.is_empty() {
                continue;
            }
            let mut cut = state.cut.clone();
            unfolding.net.unite(&mut cut, past);
            // Who waits for one thing waits for its place: what the place has in the cut tells before all else.
            let here = match unfolding.net.station(thread).wants[..] {
                [want] => cut::at(&cut, want.place),
                _ => ConditionId::NONE,
            };
            for &reason in reasons {
                let gone = here.is_some() && here > reason;
                if gone || !unfolding.net.agree_at(here, reason) {
                    continue;
                }
                let part = self.part_with(&unfolding.net, state.part, thread, reason);
                let Some(part) = part else { continue };
                let past = unfolding.net.past(reason);
                let possible = !unfolding.net.takes(&cut, reason)
                    && !unfolding.net.takes(past, thread)
                    && self.leaves_alone(&unfolding.net, state, past)
                    && unfolding.net.compatible(&cut, past, &mut unfolding.scratch);
                if possible {
                    let mut cut = cut.clone();
                    unfolding.net.unite(&mut cut, past);
                    self.open.push(state.with(cut, part, thread, reason));
                }
            }
        }
    }

    /// Whether a configuration takes none of the stops and reasons.
    fn leaves_alone(&self, net: &Net, state: &StoppedState, past: &[ConditionId]) -> bool {
        let untaken = |condition: ConditionId| !net.takes(past, condition);
        state
            .stops
            .iter()
            .all(|stop| untaken(stop.thread) && (!stop.reason.is_some() || untaken(stop.reason)))
    }

    /// Who waits where, and for what.
    fn signature(&self, net: &Net, state: &StoppedState) -> Vec<WaitingProcess> {
        let blocked = state.stops.iter().filter(|stop| stop.reason.is_some());
        let mut waits: Vec<WaitingProcess> = blocked
            .map(|stop| {
                let refuses = self.refusing(net, &state.cut, stop.thread).unwrap_or(stop.reason);
                WaitingProcess::of(net, stop.thread, refuses)
            })
            .collect();
        waits.sort_unstable();
        waits
    }

    /// Whether everybody who waits is kept from moving by the marking as a whole.
    fn is_dead(&self, net: &Net, state: &StoppedState) -> bool {
        let mut blocked = state.stops.iter().filter(|stop| stop.reason.is_some());
        blocked.all(|stop| self.refusing(net, &state.cut, stop.thread).is_some())
    }

    /// The condition of a marking that keeps the operation at the thread condition from happening. Of
    /// several the first is told: who was not woken waits for no lock yet.
    fn refusing(&self, net: &Net, cut: &[ConditionId], thread: ConditionId) -> Option<ConditionId> {
        let wants = &net.station(thread).wants;
        let held: Vec<ConditionId> = wants.iter().map(|want| net.holds(cut, want.place)).collect();
        let mut each = wants.iter().zip(&held);
        if let Some((_, &reason)) = each.find(|(want, held)| !net.admits(thread, **want, **held)) {
            return Some(reason);
        }
        let tried = wants.iter().position(|want| want.guard == Guard::Trial)?;
        let first = held[tried];
        self.blocked.contains(&(thread, held)).then_some(first)
    }
}

/// The pairs of a thread condition and a condition, concurrent with it, that does not let its operation happen; those at least
/// that are part of possible deadlocks.
fn refusals(net: &Net, possible: Option<&PossibleDeadlocks>) -> Vec<(ConditionId, ConditionId)> {
    let mut pairs = Vec::new();
    let places = refusing_places(net);
    for number in 0..net.conditions.len() {
        let reason = ConditionId(u32::try_from(number).expect("a condition's number"));
        let Condition { place, held, .. } = *net.condition(reason);
        match places[place.index()] {
            Refuses::Never => {}
            Refuses::IfHeld if !held => {}
            Refuses::IfHeld if possible.is_some_and(|possible| !possible.is_held(net, reason)) => {}
            Refuses::IfHeld => {
                pairs.extend(net.pending(reason).iter().map(|waiting| (waiting.thread, reason)));
            }
            Refuses::Differently => {
                for waiting in net.pending(reason) {
                    let mut wants = net.station(waiting.thread).wants.iter();
                    let want = wants.find(|want| want.place == place);
                    if want.is_some_and(|want| !net.admits(waiting.thread, *want, reason)) {
                        pairs.push((waiting.thread, reason));
                    }
                }
            }
        }
    }
    pairs
}

/// When the conditions of a place do not let the operations happen that want it.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Refuses {
    Never,
    IfHeld,
    /// It depends on the operation and on more than that.
    Differently,
}

/// Per place what all operations that want it have in common.
fn refusing_places(net: &Net) -> Vec<Refuses> {
    let mut places: Vec<Option<Refuses>> = vec![None; net.places()];
    for want in net.stations().iter().flat_map(|station| &station.wants) {
        let refuses = match want.guard {
            Guard::Open | Guard::Trial => Refuses::Never,
            Guard::Free => Refuses::IfHeld,
            Guard::Ended(_) | Guard::Woken => Refuses::Differently,
        };
        let known = places[want.place.index()].get_or_insert(refuses);
        if *known != refuses {
            *known = Refuses::Differently;
        }
    }
    places.into_iter().map(|refuses| refuses.unwrap_or(Refuses::Never)).collect()
}

/// Where a trial has failed, any of the conditions may have been what kept it from going. Gives the trials.
fn add_failed_trials(
    net: &Net,
    pairs: &mut Vec<(ConditionId, ConditionId)>,
) -> FxHashSet<(ConditionId, Vec<ConditionId>)> {
    let mut trials = FxHashSet::default();
    if !net.has_blocked {
        return trials;
    }
    let failed = |number: &u32| net.events[*number as usize].status == EventStatus::Blocked;
    let events = u32::try_from(net.events.len()).expect("an event's number");
    let mut known: FxHashSet<(ConditionId, ConditionId)> = FxHashSet::default();
    for event in (0..events).filter(failed).map(EventId) {
        if known.is_empty() {
            known.extend(pairs.iter().copied());
        }
        let thread = net.event(event).before;
        trials.insert((thread, net.chosen(event).collect()));
        for pair in net.chosen(event).map(|reason| (thread, reason)) {
            if known.insert(pair) {
                pairs.push(pair);
            }
        }
    }
    trials
}

/// Leaves out pairs that are in no dead marking, and gives the others by their thread conditions.
fn leave_out(
    net: &Net,
    followers: &Followers,
    pairs: &mut Vec<(ConditionId, ConditionId)>,
    rounds: usize,
) -> Table<ConditionId> {
    let mut ways: Vec<u32> = vec![0; if pairs.is_empty() { 0 } else { net.conditions.len() }];
    for (thread, _) in &*pairs {
        ways[thread.index()] += 1;
    }
    for _ in 0..rounds {
        let before = pairs.len();
        // Pairs with one reason mostly follow each other.
        let mut last = (ConditionId::NONE, true);
        pairs.retain(|&(thread, reason)| {
            if last.0 != reason {
                last = (reason, has_stop_near(net, followers, &ways, reason));
            }
            ways[thread.index()] -= u32::from(!last.1);
            last.1
        });
        if pairs.len() == before {
            break;
        }
    }
    Table::new(ways.len(), pairs.iter().copied())
}

/// Whether the process that made a condition may stop after that and before what takes the condition.
fn has_stop_near(net: &Net, followers: &Followers, ways: &[u32], reason: ConditionId) -> bool {
    let stops = |thread: ConditionId| ways[thread.index()] > 0 || net.station(thread).op.is_none();
    !stops_near(net, followers, reason, stops)
}

/// Shows where the process that made a condition can be after that and before what takes the condition, until it is enough.
/// Says whether all was shown and none was enough; no if there is more than is near.
pub(super) fn stops_near(
    net: &Net,
    followers: &Followers,
    reason: ConditionId,
    mut is_enough: impl FnMut(ConditionId) -> bool,
) -> bool {
    let producer = net.condition(reason).producer;
    if !producer.is_some() {
        return false;
    }
    let takes = |event: EventId| {
        let mut touches = net.touches(event).iter();
        touches.any(|touch| touch.condition == reason && matches!(touch.effect, Effect::Makes(_)))
    };
    let mut open: SmallVec<[ConditionId; 16]> = SmallVec::new();
    open.push(net.event(producer).after);
    let mut seen = 0;
    while let Some(thread) = open.pop() {
        seen += 1;
        if seen > NEAR || is_enough(thread) {
            return false;
        }
        let on = followers.of(net, thread).filter(|&event| !takes(event));
        open.extend(on.map(|event| net.event(event).after));
    }
    true
}

/// Per thread condition the covered events that take it. Where there is a choice of them they are in a table, which is made
/// when it is first asked.
#[derive(Default)]
pub(super) struct Followers {
    table: OnceCell<Table<EventId>>,
}

impl Followers {
    fn of<'f>(&'f self, net: &'f Net, thread: ConditionId) -> impl Iterator<Item = EventId> + 'f {
        let (only, is_all) = net.only_follower(thread);
        let only = only.filter(|&event| net.event(event).status == EventStatus::Covered);
        let others: &[EventId] =
            if is_all { &[] } else { self.table.get_or_init(|| Followers::table(net)).of(thread) };
        only.into_iter().chain(others.iter().copied())
    }

    fn table(net: &Net) -> Table<EventId> {
        let covered = |number: &u32| net.events[*number as usize].status == EventStatus::Covered;
        let events = (0..u32::try_from(net.events.len()).expect("an event's number"))
            .filter(covered)
            .map(|number| (net.events[number as usize].before, EventId(number)));
        Table::new(net.conditions.len(), events)
    }
}

/// Lists of conditions or events, one for each condition, in one piece.
pub(super) struct Table<T> {
    /// Where the list of each condition begins.
    begins: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { begins: Vec::new(), items: Vec::new() }
    }
}

impl<T: Copy> Table<T> {
    /// The second of each pair in the list of the first.
    fn new(conditions: usize, pairs: impl Iterator<Item = (ConditionId, T)> + Clone) -> Table<T> {
        let mut begins = vec![0; conditions + 1];
        for (condition, _) in pairs.clone() {
            begins[condition.index() + 1] += 1;
        }
        for index in 0..conditions {
            begins[index + 1] += begins[index];
        }
        let mut items: Vec<T> = Vec::new();
        let Some((_, any)) = pairs.clone().next() else { return Table::default() };
        items.resize(begins[conditions] as usize, any);
        let mut ends = begins.clone();
        for (condition, item) in pairs {
            let end = &mut ends[condition.index()];
            items[*end as usize] = item;
            *end += 1;
        }
        Table { begins, items }
    }

    fn pairs(&self) -> impl Iterator<Item = (ConditionId, T)> {
        let conditions = (0..).map(ConditionId).take(self.begins.len().saturating_sub(1));
        conditions
            .flat_map(|condition| self.of(condition).iter().map(move |&item| (condition, item)))
    }

    fn of(&self, condition: ConditionId) -> &[T] {
        let index = condition.index();
        match self.begins.get(index..index + 2) {
            Some(range) => &self.items[range[0] as usize..range[1] as usize],
            None => &[],
        }
    }
}

impl StoppedState {
    fn with(
        &self,
        cut: Vec<ConditionId>,
        part: Part,
        thread: ConditionId,
        reason: ConditionId,
    ) -> StoppedState {
        let mut stops = self.stops.clone();
        stops.push(StoppedProcess { thread, reason });
        StoppedState { cut, stops, part }
    }
}

#[cfg(test)]
mod tests {
    use counterpoint_testkit::{TestProgram, shapes};

    use super::*;
    use crate::Silent;
    use crate::unfolding::tests::explored;

    /// How many deadlocks the net of a program can have, and from how many pairs the search would begin.
    fn outlook(program: &TestProgram, contextual: bool) -> (Option<usize>, usize) {
        let mut sink = Silent;
        let unfolder = explored(program, &mut sink, contextual);
        let search = Deadlocks::new(&unfolder.unfolding.net);
        (search.possible.map(|possible| possible.count()), search.starts.len())
    }

    #[test]
    fn who_waits_for_one_that_goes_on_is_in_no_deadlock() {
        for contextual in [false, true] {
            // Sections that always come to their end.
            assert_eq!(outlook(&shapes::sections(&[2, 2, 1]), contextual), (Some(0), 0));
            // Each of three philosophers waits for the second fork, of the first meal or of the second one.
            let (possible, starts) = outlook(&shapes::dining(3), contextual);
            assert!(possible == Some(8) && starts > 0, "{possible:?}, {starts}");
        }
    }
}
