//! The clock row of a new event, made from what the event touches.
//!
//! Rows of few processes are blocks of counts that are copied ([`dense`]), those of many share what they have in common
//! ([`wide`]); [`kept`] has those of all events.
//!
//! **Problem.** For every new event it must be found out at once what it is ordered after and what it
//! competes with: the happens-before relation and the races of [`order`](crate::order).
//!
//! **Idea.** The row begins with the past of the event's process and what it awaited. Then each access
//! meets the last touches of its location. Those that the row lacks are news: they are rivals of the
//! event, and the row learns of them.
//!
//! **Invariant.** A row knows an event if and only if it knows the event's past.
//!
//! **Cost.** The touches met, and what the row lacks of the past of each that is news.

mod dense;
pub(crate) mod kept;
mod wide;

use counterpoint_model::{Access, Mode};

pub(crate) use crate::clock_tree::{LANES, Lanes};

/// No event and no touch.
pub(crate) const NONE: u32 = u32::MAX;

/// One access of one event.
#[derive(Copy, Clone)]
pub(crate) struct Touch {
    pub event: u32,
    /// The event's process and its number there.
    pub process: u32,
    pub number: u32,
    pub location: u32,
    pub mode: Mode,
    /// The head of the location before this touch.
    pub before: Head,
}

/// The last touches of a location.
#[derive(Copy, Clone)]
pub(crate) struct Head {
    /// The last exclusive touch.
    pub exclusive: u32,
    /// The last shared touch since; the others are reached through `before`.
    pub shared: u32,
}

impl Head {
    /// Of a location that was never touched.
    pub const EMPTY: Head = Head { exclusive: NONE, shared: NONE };
}

/// The clock row of a new event in the making.
pub(crate) trait Row {
    /// How many events of a process it knows of.
    fn count(&self, process: usize) -> u32;

    /// Learns of an event and its past.
    fn join(&mut self, event: u32);

    /// Counts the event itself: its number among those of its process.
    fn increment(&mut self, process: usize) -> u32;

    /// Joins what the event awaited.
    #[inline(never)]
    fn await_writers(&mut self, footprint: &[Access], touches: &[Touch], heads: &[Head]) {
        for access in footprint.iter().filter(|access| access.mode == Mode::Await) {
            let head = head(heads, *access);
            if head.exclusive != NONE {
                self.join(touches[head.exclusive as usize].event);
            }
        }
    }

    /// Finds the rivals of the whole event, learning of none.
    #[inline(never)]
    fn find_rivals(
        &mut self,
        footprint: &[Access],
        guarded: bool,
        touches: &[Touch],
        heads: &[Head],
        rivals: &mut Vec<u32>,
    ) {
        for access in footprint {
            let head = head(heads, *access);
            self.meet::<true, false>(access.mode, head, guarded, touches, rivals);
        }
    }

    /// Whether the event of a touch is not in the past that the row describes so far.
    #[inline]
    fn lacks(&self, touch: &Touch) -> bool {
        self.count(touch.process as usize) < touch.number
    }

    /// Confronts an access with the touches of its location that it conflicts with and that the row
    /// lacks. If `FINDS`, those are its rivals: events that it could have overtaken, or candidates for
    /// that. If `JOINS`, the row learns of them. Unless the event takes a lock, one access may join
    /// before the next one finds its rivals, since a rival that happens before another one does not
    /// count anyway.
    ///
    /// Whoever touched a location shared since it was last touched exclusively is ordered after that
    /// already.
    #[inline(always)]
    fn meet<const FINDS: bool, const JOINS: bool>(
        &mut self,
        mode: Mode,
        head: Head,
        guarded: bool,
        touches: &[Touch],
        rivals: &mut Vec<u32>,
    ) {
        if !mode.is_shared() && head.shared != NONE {
            self.meet_shared::<FINDS, JOINS>(head.shared, touches, rivals);
            return;
        }
        if mode == Mode::Await || head.exclusive == NONE {
            return;
        }
        let touch = &touches[head.exclusive as usize];
        if !self.lacks(touch) {
            return;
        }
        if FINDS {
            let ends_rival = mode == Mode::Acquire && touch.mode == Mode::Release && !guarded;
            let rival = if ends_rival { acquire_before(touches, touch) } else { Some(touch) };
            if let Some(rival) = rival.filter(|rival| self.lacks(rival)) {
                rivals.push(rival.event);
            }
        }
        if JOINS {
            self.join(touch.event);
        }
    }

    /// As `meet`, for an exclusive access and the shared touches of its location.
    #[inline(never)]
    fn meet_shared<const FINDS: bool, const JOINS: bool>(
        &mut self,
        mut shared: u32,
        touches: &[Touch],
        rivals: &mut Vec<u32>,
    ) {
        while shared != NONE {
            let touch = &touches[shared as usize];
            if self.lacks(touch) {
                if FINDS {
                    rivals.push(touch.event);
                }
                if JOINS {
                    self.join(touch.event);
                }
            }
            shared = touch.before.shared;
        }
    }
}

/// The acquire that a release ended.
fn acquire_before<'t>(touches: &'t [Touch], release: &Touch) -> Option<&'t Touch> {
    let mut current = release.before.exclusive;
    while current != NONE {
        let touch = &touches[current as usize];
        if touch.mode == Mode::Acquire {
            return Some(touch);
        }
        current = touch.before.exclusive;
    }
    None
}

/// Makes room for the head of a location.
#[cold]
pub(crate) fn grow(heads: &mut Vec<Head>, location: usize) {
    heads.resize((location + 1).next_power_of_two(), Head::EMPTY);
}

fn head(heads: &[Head], access: Access) -> Head {
    heads.get(access.location.index()).copied().unwrap_or(Head::EMPTY)
}

/// The modes of a footprint's accesses, as bits.
#[derive(Copy, Clone)]
pub(crate) struct Modes(u32);

impl Modes {
    /// Those of a footprint.
    pub fn of(footprint: &[Access]) -> Modes {
        Modes(footprint.iter().fold(0, |modes, access| modes | Self::bit(access.mode)))
    }

    fn bit(mode: Mode) -> u32 {
        1 << mode as u32
    }

    /// Whether some access has the mode.
    pub fn has(self, mode: Mode) -> bool {
        self.0 & Self::bit(mode) != 0
    }

    /// A lock taken together with something else may be what made an event possible, or not.
    pub fn takes_lock_and_more(self) -> bool {
        let alone = Self::bit(Mode::Acquire) | Self::bit(Mode::Await);
        self.has(Mode::Acquire) && self.0 & !alone != 0
    }
}
