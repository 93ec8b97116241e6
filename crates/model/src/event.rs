//! Events: what a step did, what it touched, and when two of them are dependent.
//!
//! **Problem.** Partial-order reduction stands or falls with one relation: which events may be
//! swapped without anyone noticing. Operations of two worlds (threads with locks and conditions,
//! tasks of active objects) must agree on it.
//!
//! **Idea.** Every event carries a footprint, a short list of [`Access`]es to [`Location`]s. Locks,
//! wait sets, processes and futures are locations too, so dependence needs no case per operation:
//! two events are dependent if one process performed both or two of their accesses conflict, and
//! accesses conflict on the same location unless both only look ([`Mode::is_shared`]).
//!
//! Two modes say more than read and write, for the explorers' benefit. An `Acquire` cannot overtake
//! the `Release` it follows, but it can compete with the acquire before that. An `Await` could not
//! have happened before the last write to its location: the first step of a process awaits the cell
//! its parent wrote when starting it, a join awaits what the ending process wrote last, a woken
//! process awaits the cell that its waker wrote. So starting, joining, waking and resolving a future
//! are all a write and an await, and order without a race.
//!
//! **Invariant.** Dependence is symmetric, and complete: if two adjacent events of different
//! processes are independent, swapping them is possible and leads to the same state with the same
//! events, and neither enables nor disables the other.

use counterpoint_symbolic::Term;
use smallvec::SmallVec;

use crate::{Choice, Fault, Location, Pid, Site};

/// How an event touches a location.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Mode {
    /// Looks at the value.
    Read,
    /// Changes the value, or may have (an atomic update that succeeded).
    Write,
    /// Takes a lock that was free.
    Acquire,
    /// Frees a lock.
    Release,
    /// Goes on because the last write made it possible; it was impossible before, and nothing
    /// can make it impossible again.
    Await,
}

impl Mode {
    /// Whether two accesses of such modes to one location commute.
    #[inline]
    pub fn is_shared(self) -> bool {
        matches!(self, Mode::Read | Mode::Await)
    }
}

/// One touch of one location.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Access {
    /// What is touched.
    pub location: Location,
    /// How.
    pub mode: Mode,
    /// Whether the access synchronises (a lock, a volatile or atomic variable, a future), so that
    /// it orders other accesses and makes no data race with another one that synchronises.
    pub synchronises: bool,
    /// Whether what came before the last access that publishes at this location happens before what comes
    /// after this one.
    pub learns: bool,
    /// Whether those who learn at this location later learn what came before this access. Writing and
    /// freeing publish, looking does not; leaving a lock that others may hold as well does, although it
    /// commutes with their leaving.
    pub publishes: bool,
}

impl Access {
    /// A plain access, which can take part in a data race.
    pub fn plain(location: Location, mode: Mode) -> Access {
        Access { location, mode, synchronises: false, learns: false, publishes: false }
    }

    /// A synchronising access.
    pub fn synchronising(location: Location, mode: Mode) -> Access {
        let publishes = matches!(mode, Mode::Write | Mode::Release);
        Access { location, mode, synchronises: true, learns: mode != Mode::Release, publishes }
    }

    /// An access of either kind.
    pub fn new(location: Location, mode: Mode, synchronises: bool) -> Access {
        if synchronises {
            Access::synchronising(location, mode)
        } else {
            Access::plain(location, mode)
        }
    }

    /// The same access, which publishes or does not, whatever its mode is.
    pub fn publishing(self, publishes: bool) -> Access {
        Access { publishes, ..self }
    }

    /// The same access as one that orders nothing and takes part in no race, such as a look at what a
    /// process is doing.
    pub fn unordered(self) -> Access {
        Access { synchronises: true, learns: false, publishes: false, ..self }
    }

    /// Whether it can take part in a data race: it looks at a value or changes one.
    #[inline]
    pub fn is_of_data(self) -> bool {
        let unordered = self.synchronises && !self.learns && !self.publishes;
        matches!(self.mode, Mode::Read | Mode::Write) && !unordered
    }

    /// Whether the two accesses do not commute.
    #[inline]
    pub fn conflicts(self, other: Access) -> bool {
        self.location == other.location && !(self.mode.is_shared() && other.mode.is_shared())
    }
}

/// The accesses of one event. Most events have one to three. Where accesses synchronise, they stand in
/// the order in which they happen: what the event learns from others before what it touches then, and
/// what it tells others after that.
pub type Footprint = SmallVec<[Access; 3]>;

/// Copies accesses into a footprint that is not needed any more, in the room that it has. Explorers copy footprints all
/// the time: to make one elsewhere and move it costs several times as much, since it is written in small parts and then
/// read in larger ones, for which the processor has to wait.
#[inline]
pub fn copy_footprint(into: &mut Footprint, accesses: &[Access]) {
    match (&mut into[..], accesses) {
        // Most footprints have one access, and so had most of those before them.
        ([into], [one]) => *into = *one,
        _ => copy_any_footprint(into, accesses),
    }
}

#[inline(never)]
fn copy_any_footprint(into: &mut Footprint, accesses: &[Access]) {
    into.clear();
    match *accesses {
        [one] => into.push(one),
        [one, two] => {
            into.push(one);
            into.push(two);
        }
        _ => into.extend_from_slice(accesses),
    }
}

/// What a process does in a step. The footprint says what it touches; this says what it is, for
/// reports and for explorers that encode operations as net transitions.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    /// Reads a shared variable.
    Read(Location),
    /// Writes a shared variable.
    Write(Location),
    /// Reads and perhaps writes a shared variable at once: compare-and-set, fetch-and-add.
    Update(Location),
    /// Takes a lock; blocked while another process holds it. Taking a lock again that the process
    /// holds is local and no operation, and so is freeing it before the last time.
    Acquire(Location),
    /// Frees a lock.
    Release(Location),
    /// Frees the lock and joins the wait set of the condition. What follows is `Resume`.
    Wait {
        /// The wait set.
        condition: Location,
        /// The lock that is freed meanwhile.
        lock: Location,
    },
    /// Goes on after a wait, taking the lock again; blocked until woken and the lock is free.
    Resume {
        /// The wait set it was in.
        condition: Location,
        /// The lock to take again.
        lock: Location,
    },
    /// Wakes one waiting process (one alternative for each) or all of them.
    Notify {
        /// The wait set.
        condition: Location,
        /// Whether all waiting processes are woken.
        all: bool,
    },
    /// Starts another process. What it writes first is what the other one's first step awaits.
    Start(Pid),
    /// Waits for another process to end.
    Join(Pid),
    /// Branches on an unknown: alternative 0 is false, 1 is true.
    Branch,
    /// Chooses among so many alternatives.
    Choose(u32),
    /// Another operation on a synchronisation object (a semaphore, a latch, a barrier), which may
    /// block.
    Synchronise(Location),
    /// A macro-step of a task on the object or group at the location. What it touches is known
    /// only after the step.
    Task(Location),
    /// A step that touches nothing shared.
    Local,
}

impl Op {
    /// Whether what it touches, and how, may depend on what it finds there: a compare-and-set that
    /// fails only looks.
    #[inline]
    pub fn explores(self) -> bool {
        matches!(self, Op::Update(_) | Op::Synchronise(_) | Op::Task(_))
    }

    /// Whether an event with this operation that touched this is one that [explores](Event::explores).
    #[inline]
    pub fn explores_by(self, footprint: &[Access]) -> bool {
        let lacks = |location: Location, mode: Mode| {
            !footprint.iter().any(|access| access.location == location && access.mode == mode)
        };
        let (location, mode) = match self {
            Op::Read(location) => (location, Mode::Read),
            Op::Write(location) => (location, Mode::Write),
            Op::Wait { lock, .. } if lacks(lock, Mode::Release) => return true,
            Op::Wait { condition, .. } => (condition, Mode::Write),
            op => return op.explores(),
        };
        lacks(location, mode)
    }

    /// Whether another process may have to decide something after it before anything else happens: it is a decision
    /// itself, or has started a process.
    #[inline]
    pub fn raises_decisions(self) -> bool {
        self.decides() || matches!(self, Op::Start(_))
    }

    /// Whether it touches nothing and only decides between alternatives.
    #[inline]
    pub fn decides(self) -> bool {
        matches!(self, Op::Branch | Op::Choose(_))
    }
}

/// One performed step.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// The choice that led to it: process and alternative.
    pub choice: Choice,
    /// What was done.
    pub op: Op,
    /// Where in the code.
    pub site: Site,
    /// What it touched.
    pub footprint: Footprint,
    /// Whether the operation had to wait for a condition other than a free lock or an `Await`:
    /// it may have been impossible earlier, become possible, and impossible again. Explorers then
    /// find out by trying whether it could have gone first.
    pub guarded: bool,
    /// The condition on the unknowns under which this alternative is taken.
    pub condition: Option<Term>,
    /// A failure inside the step.
    pub fault: Option<Box<Fault>>,
}

impl Event {
    /// An event without accesses, condition or fault.
    #[inline]
    pub fn new(choice: Choice, op: Op, site: Site) -> Event {
        Event {
            choice,
            op,
            site,
            footprint: Footprint::new(),
            guarded: false,
            condition: None,
            fault: None,
        }
    }

    /// Makes an event that is not needed any more what [`new`](Event::new) makes, keeping the room it
    /// has for accesses.
    #[inline]
    pub fn renew(&mut self, choice: Choice, op: Op, site: Site) {
        self.choice = choice;
        self.op = op;
        self.site = site;
        self.footprint.clear();
        self.guarded = false;
        self.condition = None;
        self.fault = None;
    }

    /// The process that performed it.
    pub fn process(&self) -> Pid {
        self.choice.process
    }

    /// Whether what it touched, and how, may have depended on what it found: its operation is of that
    /// kind, or it did not touch what its operation is about as it should have. A wait that finds its
    /// process interrupted frees nothing, and a sleep that does takes the interrupt away.
    #[inline]
    pub fn explores(&self) -> bool {
        self.op.explores_by(&self.footprint)
    }

    /// Whether it touched one location with this access as operations do that neither wait for a condition nor find out
    /// what they touch: reading, writing, taking a lock and freeing one.
    #[inline]
    pub fn is_simple(&self, only: Access) -> bool {
        let (location, mode) = match self.op {
            Op::Read(location) => (location, Mode::Read),
            Op::Write(location) => (location, Mode::Write),
            Op::Acquire(location) => (location, Mode::Acquire),
            Op::Release(location) => (location, Mode::Release),
            _ => return false,
        };
        only.location == location && only.mode == mode && !self.guarded
    }

    /// Whether it read or wrote a location and did one thing more elsewhere, which takes no lock: waited for its process to
    /// be started, or told of its end.
    #[inline]
    pub fn is_simple_with_more(&self, one: Access, other: Access) -> bool {
        matches!(self.op, Op::Read(_) | Op::Write(_))
            && (self.is_simple(one) || self.is_simple(other))
            && one.location != other.location
            && one.mode != Mode::Acquire
            && other.mode != Mode::Acquire
    }

    /// Whether the order of the two events matters. Symmetric.
    pub fn dependent(&self, other: &Event) -> bool {
        self.process() == other.process() || conflict(&self.footprint, &other.footprint)
    }
}

/// Whether some access of one list conflicts with some access of the other.
#[inline]
pub fn conflict(one: &[Access], other: &[Access]) -> bool {
    match (one, other) {
        // Most events touch one location.
        (&[a], &[b]) => a.conflicts(b),
        _ => some_conflict(one, other),
    }
}

#[inline(never)]
fn some_conflict(one: &[Access], other: &[Access]) -> bool {
    one.iter().any(|a| other.iter().any(|b| a.conflicts(*b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODES: [Mode; 5] = [Mode::Read, Mode::Write, Mode::Acquire, Mode::Release, Mode::Await];

    #[test]
    fn dependence_is_symmetric_and_only_looking_commutes() {
        for one in MODES {
            for other in MODES {
                let (a, b) = (Location(1), Location(2));
                let left = Access::plain(a, one);
                let right = Access::synchronising(a, other);
                assert_eq!(left.conflicts(right), right.conflicts(left));
                assert_eq!(left.conflicts(right), !(one.is_shared() && other.is_shared()));
                assert!(!left.conflicts(Access::plain(b, other)));
            }
        }
    }

    #[test]
    fn events_of_one_process_are_dependent_whatever_they_touch() {
        let event = |process| Event::new(Choice::of(Pid(process)), Op::Local, Site(0));
        assert!(event(1).dependent(&event(1)));
        assert!(!event(1).dependent(&event(2)));
    }

    #[test]
    fn an_access_is_two_words_at_most() {
        assert!(std::mem::size_of::<Access>() <= 8);
    }
}
