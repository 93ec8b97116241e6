//! The occurrence net: conditions, events and the places they belong to.
//!
//! **Problem.** An unfolding has hundreds of thousands of events, and the search for extensions asks
//! about their pasts all the time. In the place-replicated net of chapter 3 every write touches one
//! copy of its variable per thread, and threads that do not exist yet would need copies too.
//!
//! **Idea.** A *place* is a process or a location. A place always holds exactly one condition in a
//! marking, locks included (a lock that is held has a condition too, made by the acquire), so the
//! conditions of a place form a tree: each event that takes a condition of the place makes the next
//! one. A set of events closed under causality is then described by its *cut*, the condition it
//! leaves at every place ([`cut`](super::cut)).
//!
//! The copies of a variable are not stored. Copy `p` of variable `x` holds the last read that
//! process `p` made of the present value, or the value itself if there is none; reads of `p` itself
//! follow from its thread condition. So a read is identified by its thread condition and the value
//! it reads, and a write by its thread condition, the value it replaces, and the last read of that
//! value by each other process ([`Net::after_reads`]). A process that is yet to be started has read
//! nothing, which is just the copy the thesis would have to add to every earlier write. This keeps
//! lemma 1, and with it lemma 2, for processes and variables created at any time. In a contextual
//! net (chapter 5) reads do not consume, and `after_reads` is empty.
//!
//! **Invariant.** Two events never have the same thread condition, alternative, chosen conditions
//! and reads: [`Net::find`] is asked before an event is made.
//!
//! What a process does next is the same at many thread conditions, and is kept once ([`Station`]).
//!
//! **Cost.** About a hundred and fifty bytes per event with its conditions, and four bytes per place for the
//! cut. What is asked most is kept apart and small: where to climb from a condition, and who is near it.

use std::hash::BuildHasher;

use counterpoint_model::{Location, Mode, Op, Pid};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use super::coarsen::Coarsening;
use super::cut::{self, Cuts};
use super::event_index::EventIndex;
use super::operation::{Want, alternatives};
use super::slices::{Slice, Slices};
use super::waiting::Waiting;

macro_rules! number {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub(crate) struct $name(pub u32);

        impl $name {
            /// Stands for «there is none».
            pub const NONE: $name = $name(u32::MAX);

            /// The number as a table index.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// Whether there is one.
            pub fn is_some(self) -> bool {
                self != $name::NONE
            }
        }
    };
}

number!(
    /// A process or a location.
    PlaceId
);
number!(
    /// A condition of the net.
    ConditionId
);
number!(
    /// An event of the net, or one that could be added to it.
    EventId
);

/// A token's position in the net.
pub(crate) struct Condition {
    pub place: PlaceId,
    /// The event that made it; none for those of the initial marking.
    pub producer: EventId,
    /// Number of conditions above it in the tree of its place.
    pub depth: u32,
    /// For a process: the nearest condition from here upwards whose producer made a racy read.
    pub last_reader: ConditionId,
    /// For a process: what it does next, in [`Net::stations`].
    pub station: u32,
    /// For a lock: whether somebody holds it.
    pub held: bool,
    /// The cut of its producer, in [`Net::cuts`].
    pub past: u32,
    /// For a location: what follows and competes, in [`Net::surroundings`], if anything does.
    around: u32,
    /// The first event that this condition made possible: the newest of the conditions that the event takes or chooses.
    first: EventId,
}

/// Where to climb from a condition. These are apart from the conditions, since nothing is looked at more often and
/// in less order: so more of them are near at hand.
#[derive(Copy, Clone)]
struct Ladder {
    parent: ConditionId,
    /// An ancestor further up, for climbing in logarithmic time.
    jump: ConditionId,
}

/// What is known around a condition of a location.
#[derive(Copy, Clone, Default)]
struct Surroundings {
    /// The conditions made by taking this one.
    children: Slice,
    /// The thread conditions concurrent with this one that want the location.
    pending: Slice,
    /// The racy reads of this condition.
    reads: Slice,
    /// The first process that has read or taken it.
    first: Option<Pid>,
    /// Whether a second one has.
    several: bool,
    /// Whether somebody has without wanting as much.
    without_wanting: bool,
}

/// A condition near another, with two thread conditions in its past (or itself) that refute most
/// wrong pairs before their cuts are compared.
#[derive(Copy, Clone)]
pub(crate) struct Neighbour {
    pub condition: ConditionId,
    /// Its past, in [`Net::cuts`].
    pub past: u32,
    /// The place of the process.
    pub process: PlaceId,
    /// What the process held before it made the condition.
    pub thread: ConditionId,
    /// The newest thread condition of another process in its past that is not in the past of the condition near it,
    /// if any, and its place.
    pub witness: ConditionId,
    pub witness_place: PlaceId,
}

/// What a process does from a thread condition on.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Station {
    pub process: Pid,
    /// Its next operation; none if it has ended.
    pub op: Option<Op>,
    /// For an operation that can block: a digest of the process's local state.
    pub position: u64,
    /// The places where it competes with others for a condition.
    pub wants: SmallVec<[Want; 1]>,
}

/// Where an event stands.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum EventStatus {
    /// Known to be possible in the net, not executed yet.
    Extension,
    /// Executed: an event of the unfolding.
    Covered,
    /// No inputs lead there, or it is beyond a limit.
    Dropped,
    /// The operation is not possible on these conditions.
    Blocked,
    /// It leads to a marking that another event leads to: nothing is added after it.
    Terminal,
}

/// An event of the unfolding or a possible extension of it.
pub(crate) struct Event {
    pub process: Pid,
    pub alternative: u32,
    pub status: EventStatus,
    /// Whether the operation turned out to change nothing, though it might have.
    pub looks_only: bool,
    /// Its position in the order of insertion, once covered.
    pub number: u32,
    /// The thread condition it takes.
    pub before: ConditionId,
    /// The thread condition it makes, once covered.
    pub after: ConditionId,
    /// The first condition of a process it starts.
    pub child: ConditionId,
    /// Where its chosen conditions begin in the table; the reads it comes after follow them.
    chosen: u32,
    choices: u16,
    reads: u16,
    touches: u32,
    touched: u32,
}

/// A condition of a location that an event touches.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Touch {
    pub condition: ConditionId,
    pub effect: Effect,
}

/// What touching does.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
    /// Reads, so that the order with later takers matters.
    Reads,
    /// Reads what nobody could have taken earlier.
    Awaits,
    /// Takes it and makes this one.
    Makes(ConditionId),
}

/// Events are mostly proposed when one of their conditions has just been made, together with the others that it made possible.
/// So many from the first of them on are looked at before the index.
const CLOSE: usize = 16;

/// The net.
pub(crate) struct Net {
    pub conditions: Vec<Condition>,
    /// Per condition.
    ladders: Vec<Ladder>,
    pub events: Vec<Event>,
    /// Per thread condition with several wants: per want the concurrent conditions known so far.
    pub known: FxHashMap<ConditionId, Vec<Vec<ConditionId>>>,
    /// Many thread conditions have the same one, and few of them are needed again and again.
    stations: Vec<Station>,
    /// Per station the one that its process came to last from there.
    next_stations: Vec<u32>,
    /// Where a station with this digest is, if another one does not have the same digest.
    station_digests: FxHashMap<u64, u32>,
    pub cuts: Cuts,
    /// Whether reads are arcs of their own kind (chapter 5) or consume copies (chapter 3).
    pub contextual: bool,
    /// Whether it unfolds a model of captured states.
    pub captures: bool,
    /// Where it tells less apart.
    pub coarsening: Coarsening,
    /// Events covered so far.
    pub covered: u32,
    /// Whether some event is not possible on its conditions.
    pub has_blocked: bool,
    /// Whether some operation wants something and takes nothing of it.
    pub has_lookers: bool,
    /// How processes can wait.
    pub waiting: Waiting,
    /// Per place its initial condition.
    roots: Vec<ConditionId>,
    processes: Vec<PlaceId>,
    locations: Vec<PlaceId>,
    chosen: Vec<u32>,
    touches: Vec<Touch>,
    /// The events by their keys, but for those that are close to the first one of their newest condition.
    index: EventIndex,
    surroundings: Vec<Surroundings>,
    neighbours: Slices<Neighbour>,
    reads: Slices<EventId>,
}

/// What identifies an event: thread condition, alternative, one condition per want, and the reads
/// of others that it comes after.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Key<'k> {
    pub before: ConditionId,
    pub alternative: u32,
    pub chosen: &'k [ConditionId],
    pub reads: &'k [EventId],
}

impl Key<'_> {
    /// The condition that was made last, of those that the event takes or chooses.
    fn newest(&self) -> ConditionId {
        self.chosen.iter().copied().fold(self.before, ConditionId::max)
    }

    fn digest(&self) -> u64 {
        let mut digest = u64::from(self.before.0) << 32 | u64::from(self.alternative);
        let words = self.chosen.iter().map(|c| c.0).chain(self.reads.iter().map(|e| !e.0));
        for word in words {
            digest = (digest.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            digest ^= digest >> 29;
        }
        digest
    }
}

impl Net {
    pub fn new(contextual: bool) -> Net {
        Net {
            conditions: Vec::new(),
            ladders: Vec::new(),
            events: Vec::new(),
            known: FxHashMap::default(),
            stations: Vec::new(),
            next_stations: Vec::new(),
            station_digests: FxHashMap::default(),
            cuts: Cuts::default(),
            contextual,
            captures: false,
            coarsening: Coarsening::default(),
            covered: 0,
            has_blocked: false,
            has_lookers: false,
            waiting: Waiting::default(),
            roots: Vec::new(),
            processes: Vec::new(),
            locations: Vec::new(),
            chosen: Vec::new(),
            touches: Vec::new(),
            index: EventIndex::default(),
            surroundings: vec![Surroundings::default()],
            neighbours: Slices::default(),
            reads: Slices::default(),
        }
    }

    /// The place of a process.
    pub fn process_place(&mut self, process: Pid) -> PlaceId {
        let known = self.processes.get(process.index()).copied().unwrap_or(PlaceId::NONE);
        if known.is_some() {
            return known;
        }
        let place = self.new_place();
        put(&mut self.processes, process.index(), place);
        place
    }

    /// The place of a location.
    pub fn location_place(&mut self, location: Location) -> PlaceId {
        let location = self.coarsening.whole(location);
        let known = self.locations.get(location.index()).copied().unwrap_or(PlaceId::NONE);
        if known.is_some() {
            return known;
        }
        let place = self.new_place();
        put(&mut self.locations, location.index(), place);
        place
    }

    /// The place of a process that has one.
    pub fn place_of(&self, process: Pid) -> PlaceId {
        self.processes.get(process.index()).copied().unwrap_or(PlaceId::NONE)
    }

    /// The places of processes.
    pub fn process_places(&self) -> &[PlaceId] {
        &self.processes
    }

    /// The location that a place stands for, if it is no process.
    pub fn location_of(&self, place: PlaceId) -> Option<Location> {
        let number = self.locations.iter().position(|&other| other == place)?;
        Some(Location(u32::try_from(number).expect("a location's number")))
    }

    /// The place of a location that has one.
    pub fn place_at(&self, location: Location) -> PlaceId {
        let location = self.coarsening.whole(location);
        self.locations.get(location.index()).copied().unwrap_or(PlaceId::NONE)
    }

    /// The condition of a place in the initial marking.
    pub fn root(&self, place: PlaceId) -> ConditionId {
        self.roots[place.index()]
    }

    pub fn condition(&self, condition: ConditionId) -> &Condition {
        &self.conditions[condition.index()]
    }

    /// The condition of the same place that the producer of a condition took.
    pub fn parent(&self, condition: ConditionId) -> ConditionId {
        self.ladders[condition.index()].parent
    }

    pub fn event(&self, event: EventId) -> &Event {
        &self.events[event.index()]
    }

    pub fn station(&self, condition: ConditionId) -> &Station {
        &self.stations[self.condition(condition).station as usize]
    }

    /// Says what the process of a thread condition does from there on.
    pub fn stand_at(&mut self, condition: ConditionId, station: Station) {
        // After the same station a process mostly comes to the same one.
        let parent = self.parent(condition);
        let before = if parent.is_some() { self.condition(parent).station } else { u32::MAX };
        let likely = self.next_stations.get(before as usize).copied();
        let number = match likely {
            Some(likely) if self.stations.get(likely as usize) == Some(&station) => likely,
            _ => self.station_number(station),
        };
        if let Some(next) = self.next_stations.get_mut(before as usize) {
            *next = number;
        }
        self.conditions[condition.index()].station = number;
        self.note_waiting(condition, number);
    }

    fn station_number(&mut self, station: Station) -> u32 {
        let digest = FxBuildHasher.hash_one(&station);
        let known = self.station_digests.get(&digest).copied();
        if let Some(known) = known.filter(|&known| self.stations[known as usize] == station) {
            return known;
        }
        let number = number(self.stations.len());
        self.has_lookers |=
            !station.wants.is_empty() && station.wants.iter().all(|want| !want.takes);
        self.stations.push(station);
        self.next_stations.push(u32::MAX);
        self.station_digests.insert(digest, number);
        number
    }

    /// What processes do somewhere.
    pub fn stations(&self) -> &[Station] {
        &self.stations
    }

    /// How many places there are.
    pub fn places(&self) -> usize {
        self.roots.len()
    }

    /// The conditions an event has chosen for the wants of its thread condition.
    pub fn chosen(&self, event: EventId) -> impl Iterator<Item = ConditionId> + '_ {
        let event = self.event(event);
        let from = event.chosen as usize;
        self.chosen[from..from + usize::from(event.choices)].iter().map(|&c| ConditionId(c))
    }

    /// The last reads of other processes that a write comes after.
    pub fn after_reads(&self, event: EventId) -> impl Iterator<Item = EventId> + '_ {
        let event = self.event(event);
        let from = event.chosen as usize + usize::from(event.choices);
        self.chosen[from..from + usize::from(event.reads)].iter().map(|&e| EventId(e))
    }

    /// The conditions of locations that a covered event touches.
    pub fn touches(&self, event: EventId) -> &[Touch] {
        let event = self.event(event);
        &self.touches[event.touches as usize..][..event.touched as usize]
    }

    /// Notes that an event is not possible on its conditions.
    pub fn block(&mut self, event: EventId) {
        self.events[event.index()].status = EventStatus::Blocked;
        self.has_blocked = true;
    }

    /// The only event that can follow a thread condition, if the operation leaves no choice, and whether it is so.
    pub fn only_follower(&self, thread: ConditionId) -> (Option<EventId>, bool) {
        let station = self.station(thread);
        let choices = station.op.map_or(0, alternatives);
        if choices > 1 || !station.wants.is_empty() {
            return (None, false);
        }
        let next = self.condition(thread).first;
        (next.is_some().then_some(next), true)
    }

    /// Whether some events are already known with this key.
    pub fn find(&self, key: Key<'_>) -> Option<EventId> {
        let same = |&event: &EventId| {
            let known = self.event(event);
            known.before == key.before
                && known.alternative == key.alternative
                && usize::from(known.choices) == key.chosen.len()
                && usize::from(known.reads) == key.reads.len()
                && self.chosen(event).eq(key.chosen.iter().copied())
                && self.after_reads(event).eq(key.reads.iter().copied())
        };
        let first = self.condition(key.newest()).first.index();
        let near = first.min(self.events.len())..(first + CLOSE).min(self.events.len());
        let mut near = near.map(|number| EventId(number as u32));
        near.find(same).or_else(|| self.index.get(key.digest()).find(same))
    }

    /// Makes an extension with a key that is not known yet.
    pub fn propose(&mut self, process: Pid, key: Key<'_>) -> EventId {
        let id = EventId(number(self.events.len()));
        let chosen = number(self.chosen.len());
        self.chosen.extend(key.chosen.iter().map(|c| c.0));
        self.chosen.extend(key.reads.iter().map(|e| e.0));
        let first = &mut self.conditions[key.newest().index()].first;
        if !first.is_some() {
            *first = id;
        } else if id.index() - first.index() >= CLOSE {
            self.index.insert(key.digest(), id);
        }
        self.events.push(Event {
            process,
            alternative: key.alternative,
            status: EventStatus::Extension,
            looks_only: false,
            number: u32::MAX,
            before: key.before,
            after: ConditionId::NONE,
            child: ConditionId::NONE,
            chosen,
            choices: u16::try_from(key.chosen.len()).expect("an operation has few wants"),
            reads: u16::try_from(key.reads.len()).expect("fewer than 2^16 processes read"),
            touches: 0,
            touched: 0,
        });
        id
    }

    /// A condition below another of its place.
    pub fn make(&mut self, parent: ConditionId, producer: EventId, mode: Mode) -> ConditionId {
        let id = ConditionId(number(self.conditions.len()));
        let above = &self.conditions[parent.index()];
        let (place, depth) = (above.place, above.depth + 1);
        // Skew-binary jump pointers: the lengths of jumps form a number system in which adding
        // one is a constant-time step.
        let near = self.ladders[parent.index()].jump;
        let far = self.ladders[near.index()].jump;
        let [near_depth, far_depth] = [near, far].map(|c| self.conditions[c.index()].depth);
        let jump = if above.depth - near_depth == near_depth - far_depth { far } else { parent };
        let mut condition = Condition::new(place, producer, depth);
        condition.held = mode == Mode::Acquire;
        if condition.held {
            self.waiting.takes(self.events[producer.index()].process, place);
        }
        self.conditions.push(condition);
        self.ladders.push(Ladder { parent, jump });
        id
    }

    /// Says what a covered event touches.
    pub fn record_touches(&mut self, event: EventId, touches: &[Touch]) {
        let from = number(self.touches.len());
        self.touches.extend_from_slice(touches);
        let event = &mut self.events[event.index()];
        event.touches = from;
        event.touched = number(touches.len());
    }

    /// The ancestor of a condition at a depth that is not below it.
    pub fn climb(&self, mut condition: ConditionId, depth: u32) -> ConditionId {
        loop {
            if self.condition(condition).depth <= depth {
                return condition;
            }
            let here = self.ladders[condition.index()];
            let far = self.condition(here.jump);
            condition = if far.depth >= depth { here.jump } else { here.parent };
        }
    }

    /// Whether one condition is the other or lies above it in the tree of their place.
    /// Whatever is above another was made before it, so numbers tell how far to climb, and nothing else is looked at.
    #[inline]
    pub fn is_above(&self, one: ConditionId, mut other: ConditionId) -> bool {
        while other > one {
            let here = self.ladders[other.index()];
            other = if here.jump >= one { here.jump } else { here.parent };
        }
        one == other
    }

    /// The conditions made by taking a condition of a location.
    pub fn children(&self, condition: ConditionId) -> &[Neighbour] {
        self.neighbours.get(self.around(condition).children)
    }

    /// The thread conditions concurrent with a condition of a location that want the location.
    pub fn pending(&self, condition: ConditionId) -> &[Neighbour] {
        self.neighbours.get(self.around(condition).pending)
    }

    /// The racy reads of a condition of a location.
    pub fn reads(&self, condition: ConditionId) -> &[EventId] {
        self.reads.get(self.around(condition).reads)
    }

    /// Whether several processes touch the condition, and one of them without wanting as much.
    pub fn is_contested(&self, condition: ConditionId) -> bool {
        let around = self.around(condition);
        around.several && around.without_wanting
    }

    /// Notes that a process reads or takes the condition, perhaps without wanting as much.
    pub fn note_touch(&mut self, condition: ConditionId, process: Pid, without_wanting: bool) {
        let index = self.surround(condition);
        let around = &mut self.surroundings[index];
        around.several |= *around.first.get_or_insert(process) != process;
        around.without_wanting |= without_wanting;
    }

    /// Whether there is a racy read anywhere.
    pub fn has_reads(&self) -> bool {
        !self.reads.is_empty()
    }

    /// Notes a racy read of a condition.
    pub fn add_read(&mut self, condition: ConditionId, read: EventId) {
        let index = self.surround(condition);
        self.reads.push(&mut self.surroundings[index].reads, read);
    }

    fn around(&self, condition: ConditionId) -> &Surroundings {
        debug_assert!(self.condition(condition).station == u32::MAX, "it is no process's");
        &self.surroundings[self.condition(condition).around as usize]
    }

    /// Where the surroundings of a condition are, to be added to. The first ones are those of all conditions that
    /// have none yet.
    fn surround(&mut self, condition: ConditionId) -> usize {
        let known = self.condition(condition).around as usize;
        if known > 0 {
            return known;
        }
        let new = self.surroundings.len();
        self.surroundings.push(Surroundings::default());
        self.conditions[condition.index()].around = number(new);
        new
    }

    /// Records that a new condition of a location follows its parent.
    pub fn adopt(&mut self, child: ConditionId) {
        let (parent, producer) = (self.parent(child), self.condition(child).producer);
        let thread = self.event(producer).before;
        let process = self.condition(thread).place;
        // Its past is that of the thread condition and of the parent.
        let (witness, witness_place) = self.witness(thread, process, parent);
        let past = self.condition(child).past;
        let child = Neighbour { condition: child, past, process, thread, witness, witness_place };
        let index = self.surround(parent);
        self.neighbours.push(&mut self.surroundings[index].children, child);
    }

    /// Records that a thread condition wants a place and is concurrent with this condition of it.
    pub fn await_turn(&mut self, thread: ConditionId, condition: ConditionId) {
        let Condition { place: process, past, .. } = *self.condition(thread);
        let (witness, witness_place) = self.witness(thread, process, condition);
        self.await_too(
            Neighbour { condition: thread, past, process, thread, witness, witness_place },
            condition,
        );
    }

    /// The same for one that is on record at the condition above.
    pub fn await_still(&mut self, waiting: Neighbour, condition: ConditionId) {
        let known = cut::at(self.past(condition), waiting.witness_place);
        if waiting.witness.is_some() && known.is_some() && known >= waiting.witness {
            self.await_turn(waiting.thread, condition);
        } else {
            self.await_too(waiting, condition);
        }
    }

    /// The same for a record that holds.
    fn await_too(&mut self, waiting: Neighbour, condition: ConditionId) {
        let index = self.surround(condition);
        self.neighbours.push(&mut self.surroundings[index].pending, waiting);
    }

    /// The newest condition of a process in the past of a condition that is not in the past of the one near it, with
    /// its place; of another process than this one.
    fn witness(
        &self,
        condition: ConditionId,
        process: PlaceId,
        near: ConditionId,
    ) -> (ConditionId, PlaceId) {
        let mut newest = (ConditionId::NONE, process);
        if self.condition(condition).past == self.condition(near).past {
            return newest;
        }
        let (own, known) = (self.past(condition), self.past(near));
        for &place in &self.processes {
            let candidate = cut::at(own, place);
            let known = cut::at(known, place);
            let is_new = candidate.is_some() && (!known.is_some() || candidate > known);
            if is_new && place != process && (!newest.0.is_some() || candidate > newest.0) {
                newest = (candidate, place);
            }
        }
        newest
    }

    fn new_place(&mut self) -> PlaceId {
        let place = PlaceId(number(self.roots.len()));
        let root = ConditionId(number(self.conditions.len()));
        self.conditions.push(Condition::new(place, EventId::NONE, 0));
        self.ladders.push(Ladder { parent: ConditionId::NONE, jump: root });
        self.roots.push(root);
        place
    }
}

impl Condition {
    fn new(place: PlaceId, producer: EventId, depth: u32) -> Condition {
        Condition {
            place,
            producer,
            depth,
            last_reader: ConditionId::NONE,
            station: u32::MAX,
            held: false,
            past: 0,
            around: 0,
            first: EventId::NONE,
        }
    }
}

fn put(places: &mut Vec<PlaceId>, index: usize, place: PlaceId) {
    if places.len() <= index {
        places.resize(index + 1, PlaceId::NONE);
    }
    places[index] = place;
}

fn number(length: usize) -> u32 {
    u32::try_from(length).expect("fewer than 2^32 things in one net")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn climbing_finds_every_ancestor_of_a_long_chain() {
        let mut net = Net::new(false);
        let place = net.location_place(Location(7));
        let mut chain = vec![net.root(place)];
        for _ in 0..1000 {
            let last = *chain.last().expect("the root");
            chain.push(net.make(last, EventId::NONE, Mode::Write));
        }
        let twig = net.make(chain[500], EventId::NONE, Mode::Write);
        for (depth, &ancestor) in chain.iter().enumerate() {
            assert_eq!(net.climb(chain[1000], number(depth)), ancestor);
            assert_eq!(net.is_above(ancestor, twig), depth <= 500);
        }
        assert!(!net.is_above(twig, chain[1000]) && !net.is_above(chain[501], twig));
    }

    #[test]
    fn events_of_one_condition_are_found_however_many_there_are() {
        let mut net = Net::new(false);
        let place = net.process_place(Pid(0));
        let before = net.root(place);
        let key = |alternative| Key { before, alternative, chosen: &[], reads: &[] };
        let events: Vec<EventId> = (0..3 * CLOSE as u32)
            .map(|alternative| net.propose(Pid(0), key(alternative)))
            .collect();
        for (alternative, &event) in (0..).zip(&events) {
            assert_eq!(net.find(key(alternative)), Some(event));
        }
        assert_eq!(net.find(key(3 * CLOSE as u32)), None);
    }

    #[test]
    fn an_event_is_found_again_by_its_key_and_by_no_other() {
        let mut net = Net::new(false);
        let place = net.process_place(Pid(0));
        let before = net.root(place);
        let lock = net.location_place(Location(0));
        let chosen = [0, 1].map(|_| net.make(net.root(lock), EventId::NONE, Mode::Write));
        let other = net.make(before, EventId::NONE, Mode::Write);
        let reads = [EventId(9)];
        let key = Key { before, alternative: 0, chosen: &chosen, reads: &reads };
        assert!(net.find(key).is_none());
        let event = net.propose(Pid(0), key);
        assert_eq!(net.find(key), Some(event));
        for other in [
            Key { alternative: 1, ..key },
            Key { reads: &[], ..key },
            Key { chosen: &chosen[..1], ..key },
            Key { before: other, ..key },
        ] {
            assert!(net.find(other).is_none(), "{other:?}");
        }
    }
}
