//! How operations become events of a net.
//!
//! **Problem.** The thesis models five operations (figure 3.4): read, write, lock, unlock, branch.
//! Programs have more: starting and joining, waiting and notifying, atomic updates, semaphores,
//! choices.
//!
//! **Idea.** The footprint decides: an access that only looks is a read of the location's place, any
//! other takes the place's condition and makes the next. What the search for extensions must know
//! beforehand is only where a process *competes* with others, its [`Want`]s, and when a condition
//! lets the operation happen, the want's [`Guard`]. The rest of the footprint follows from those.
//!
//! | operation | wants | why the rest follows |
//! |---|---|---|
//! | read | look at the variable | |
//! | write, update | take the variable | an update that changed nothing is kept as a read |
//! | acquire | take the lock, if free | |
//! | release | – | only the holder can take a held lock's condition |
//! | start | – | the child's first condition is made by the start, as in chapter 5.7; what else it touches is noticed like the touches of an interrupt |
//! | join | look at the process's cell, if it ended | |
//! | wait | take the wait set | it holds the lock |
//! | notify | take the wait set | the cells of the woken belong to processes that cannot move; which of them is woken is an alternative, known when the event is first executed |
//! | resume | look at its own cell, if woken since; take the lock, if free | |
//! | semaphore, latch, read-write lock, initialisation of a class and the like | take it, or look at it if that is all; possible or not is found out by going there | |
//! | interrupt, and what an interrupt can end | the interrupt of the process concerned, once there is one | |
//! | any guarded operation | all that it touches; possible or not is found out by going there | |
//! | branch, choice | – | one event per alternative |
//! | fault, local step | – | |
//!
//! **Invariant.** What an event does is determined by its thread condition, its alternative and the
//! conditions it looks at or takes: a process's next operation depends on its own past alone, and
//! the value of a location on the past of its condition. That the rest of a footprint follows is not
//! taken on trust: [`Net::unordered`] looks whether another process touches it concurrently. If one does
//! (interrupts do), and where looking matters to those that take (read locks, latches), the net is begun
//! again with more wants or fewer places ([`coarsen`](super::coarsen)); if that is of no help, the result
//! is incomplete. So lemma 2 holds for all of them, and a guard is a function of the thread condition and the wanted condition. Awaiting is no
//! race: the condition it looks at is taken, if ever, only by events that come after the awaiting one.

use counterpoint_model::{Access, Location, Mode, Next, Op, Pid, Run};
use smallvec::SmallVec;

use super::cut;
use super::net::{ConditionId, Effect, EventId, Net, PlaceId, Station, Touch};

/// A place where an operation competes with those of other processes.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Want {
    pub place: PlaceId,
    /// Whether it takes the condition or only looks.
    pub takes: bool,
    pub guard: Guard,
}

/// When a condition lets an operation happen.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Guard {
    /// Always.
    Open,
    /// The lock is not held.
    Free,
    /// The process has ended.
    Ended(Pid),
    /// Somebody has written the cell since the process began to wait.
    Woken,
    /// Only the run knows.
    Trial,
}

/// What a process is to do next, as the net sees it.
pub(crate) fn station(net: &mut Net, run: &dyn Run, process: Pid) -> Station {
    let op = match run.next(process) {
        Next::Ready(op) | Next::Blocked(op) => op,
        Next::Done => {
            return Station { process, op: None, position: 0, wants: SmallVec::new() };
        }
    };
    let mut wants: SmallVec<[Want; 1]> = SmallVec::new();
    let mut want = |net: &mut Net, location, takes, guard| {
        let (takes, guard) =
            if net.coarsening.is_strict(location) { (true, Guard::Trial) } else { (takes, guard) };
        let place = net.location_place(location);
        if !wants.iter().any(|known| known.place == place) {
            wants.push(Want { place, takes, guard });
        }
    };
    let anticipated = run.anticipate(process);
    let awaited =
        || anticipated.iter().rev().find(|access| access.mode == Mode::Await).map(|a| a.location);
    match op {
        _ if run.guarded(process) => {
            for access in &anticipated {
                match access.mode {
                    Mode::Await => {}
                    // Who only tries to take a lock goes on without it.
                    Mode::Acquire if matches!(op, Op::Acquire(_) | Op::Resume { .. }) => {
                        want(net, access.location, true, Guard::Free);
                    }
                    mode => want(net, access.location, !mode.is_shared(), Guard::Trial),
                }
            }
            // A process that has not been woken reports only that it waits.
            if let Op::Synchronise(location) = op
                && let Some(cell) = awaited()
                && !touches(&anticipated, location)
            {
                want(net, cell, false, Guard::Woken);
                want(net, location, true, Guard::Trial);
            }
        }
        Op::Read(location) => want(net, location, false, Guard::Open),
        Op::Write(location) | Op::Update(location) => want(net, location, true, Guard::Open),
        Op::Acquire(lock) if run.is_lock(lock) => want(net, lock, true, Guard::Free),
        Op::Acquire(object) => want(net, object, true, Guard::Trial),
        Op::Wait { condition, .. } | Op::Notify { condition, .. } => {
            want(net, condition, true, Guard::Open);
        }
        Op::Resume { lock, .. } => {
            if let Some(cell) = awaited() {
                want(net, cell, false, Guard::Woken);
            }
            want(net, lock, true, Guard::Free);
        }
        Op::Join(other) => {
            if let Some(cell) = awaited() {
                // An interrupt may come before the end.
                let strict = |access: &Access| net.coarsening.is_strict(access.location);
                let ends_otherwise = anticipated.iter().any(strict);
                let guard = if ends_otherwise { Guard::Trial } else { Guard::Ended(other) };
                want(net, cell, false, guard);
            }
        }
        Op::Synchronise(location) => {
            want(net, location, takes(&anticipated, location), Guard::Trial)
        }
        Op::Release(_) | Op::Start(_) | Op::Branch | Op::Choose(_) | Op::Local | Op::Task(_) => {}
    }
    let taken_by_every_step: SmallVec<[Location; 1]> =
        net.coarsening.taken_by_every_step(process).collect();
    for location in taken_by_every_step {
        want(net, location, true, Guard::Trial);
    }
    // A station is that of a thread condition, in whatever state of the others the process first comes there. The labels
    // of a model forget what locks have ordered, so that what an interrupt hides is not always found out otherwise.
    let labels_need_it = net.captures && !matches!(op, Op::Notify { .. });
    if labels_need_it || !run.touches_what_others_decide(process) {
        for access in &anticipated {
            if net.coarsening.is_strict(access.location) {
                want(net, access.location, true, Guard::Trial);
            }
        }
        for access in anticipated.iter().filter(|a| a.mode == Mode::Read) {
            let place = net.location_place(access.location);
            if !wants.iter().any(|want| want.place == place) {
                net.coarsening.meet_look(process, access.location);
            }
        }
    }
    if let Op::Synchronise(location) = op
        && (net.contextual || net.captures)
    {
        net.coarsening.meet(location, takes(&anticipated, location));
    }
    let may_block = wants.iter().any(|want: &Want| want.guard != Guard::Open);
    let position = match (may_block, run.local_state(process)) {
        (false, _) => 0,
        (true, Some(state)) => state,
        (true, None) => run.site(process).map_or(0, |site| u64::from(site.0)),
    };
    Station { process, op: Some(op), position, wants }
}

/// Whether an operation is known to touch a location.
fn touches(footprint: &[Access], location: Location) -> bool {
    footprint.iter().any(|access| access.location == location)
}

/// Whether a synchronising operation does more than look at what it is about.
fn takes(footprint: &[Access], location: Location) -> bool {
    footprint.iter().any(|access| access.location == location && !access.mode.is_shared())
}

/// Whether an operation may have more alternatives than it says itself: a notification has one for each that waits, and
/// in how many ways another synchronising operation goes on depends on what it finds, too.
pub(crate) fn finds_alternatives(op: Op) -> bool {
    matches!(op, Op::Notify { .. } | Op::Synchronise(_))
}

/// How many alternatives an operation has, as far as the operation itself says.
pub(crate) fn alternatives(op: Op) -> u32 {
    match op {
        Op::Branch => 2,
        Op::Choose(count) => count,
        _ => 1,
    }
}

impl Net {
    /// Whether a new event and another one touch something concurrently that one of them does not
    /// want as it should, so that the search for extensions does not see both orders: what, and the
    /// one that does not want it.
    pub fn unordered(&self, event: EventId) -> Option<(ConditionId, EventId)> {
        let own = self.event(event);
        let past = self.past(own.after);
        let rival = |other: EventId| {
            let known = self.event(other);
            let place = self.condition(known.after).place;
            known.process != own.process
                && !self.is_above(known.after, self.holds(past, place))
                && !self.compete(event, other)
        };
        let contested = |touch: &&Touch| self.is_contested(touch.condition);
        self.touches(event).iter().filter(contested).find_map(|touch| {
            let condition = touch.condition;
            let children = self.children(condition).iter();
            let takers = children.map(|child| self.condition(child.condition).producer);
            // The without_wanting one of a read and a taker, or of the new event and another taker.
            let without_wanting = |read: Option<EventId>, taker: EventId| {
                let other = read.unwrap_or(event);
                if self.wants_at(other, condition).is_none() {
                    return Some(other);
                }
                match self.wants_at(taker, condition) {
                    // In a contextual net a taker need not know of reads.
                    _ if read.is_some() && self.contextual => None,
                    None => Some(taker),
                    Some(want) => (read.is_some() && !want.takes).then_some(taker),
                }
            };
            let found = match touch.effect {
                Effect::Awaits => None,
                Effect::Reads => takers
                    .filter(|&taker| rival(taker))
                    .find_map(|taker| without_wanting(Some(event), taker)),
                Effect::Makes(_) => {
                    let mut others = takers.filter(|&taker| rival(taker));
                    let mut reads =
                        self.reads(condition).iter().copied().filter(|&read| rival(read));
                    others
                        .find_map(|taker| without_wanting(None, taker))
                        .or_else(|| reads.find_map(|read| without_wanting(Some(read), event)))
                }
            };
            found.map(|without_wanting| (condition, without_wanting))
        })
    }

    /// What an event wants at the place of a condition.
    fn wants_at(&self, event: EventId, condition: ConditionId) -> Option<&Want> {
        let place = self.condition(condition).place;
        self.station(self.event(event).before).wants.iter().find(|want| want.place == place)
    }

    /// Whether two events are known to be in conflict, or to be ordered, by what they want.
    fn compete(&self, one: EventId, other: EventId) -> bool {
        let needs =
            |event: EventId| std::iter::once(self.event(event).before).chain(self.chosen(event));
        let apart = |a: ConditionId, b: ConditionId| {
            let (past_a, past_b) = (self.past(a), self.past(b));
            self.takes(past_a, b) || self.takes(past_b, a) || !self.agree(past_a, past_b)
        };
        needs(one).any(|a| needs(other).any(|b| a == b || apart(a, b)))
    }

    /// Whether the process was started in the past of the thread condition and had nothing to do.
    fn is_idle(&self, thread: ConditionId, process: Pid) -> bool {
        let place = self.place_of(process);
        let known =
            if place.is_some() { cut::at(self.past(thread), place) } else { ConditionId::NONE };
        known.is_some() && self.station(self.climb(known, 1)).op.is_none()
    }

    /// Whether the condition lets the process at the thread condition go on.
    pub fn admits(&self, thread: ConditionId, want: Want, condition: ConditionId) -> bool {
        let wanted = self.condition(condition);
        match want.guard {
            Guard::Open | Guard::Trial => true,
            Guard::Free => !wanted.held,
            Guard::Ended(process) => {
                let ended = wanted.producer.is_some();
                (ended && self.event(wanted.producer).process == process)
                    || self.is_idle(thread, process)
            }
            Guard::Woken => {
                let before = cut::at(self.past(thread), want.place);
                wanted.depth > 0 && before != condition
            }
        }
    }
}
