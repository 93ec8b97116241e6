//! Ending what takes too long: one signal for explorers and runs.
//!
//! **Problem.** A step is all the computation up to the next visible operation, and that may be a loop
//! without an end. A limit that is looked at between executions, or between steps, is not kept.
//!
//! **Idea.** An [`Interrupt`] is a handle that an explorer makes ([`Interrupt::until`]) and gives to the
//! program ([`Program::heed`](crate::Program::heed)) before it starts runs. A run takes a copy when it
//! starts and [`poll`](Interrupt::poll)s it every few thousand instructions, inside whatever can be long:
//! loops, calls, library functions performed as a whole. The first poll that sees a reason to stop raises
//! the interrupt for good, for everybody who has a copy.
//!
//! **What a run does when it is raised.** It leaves the step at once. That step, and the run's state
//! behind it, are not those of any execution: from then on the run says that no process can move, so that
//! any loop over its steps ends by itself. The run may be dropped, or taken back to a mark made before.
//!
//! **What an explorer does.** It asks [`raised`](Interrupt::raised) before it believes an execution that
//! has ended: if the interrupt is raised, the execution counts for nothing, is not checked, and remains
//! to be explored. Then it stops and names the bound. Whoever runs the program afterwards, to tell a story
//! say, has it heed another interrupt first; [`Interrupt::never`] will do.
//!
//! **Time to save.** What an explorer leaves can be large, and to save it takes time that belongs to its limit as well.
//! It says how long that will take ([`reserve`](Interrupt::reserve)), and the moment comes so much earlier.
//!
//! **Room.** Memory can be used up faster than anybody looks: one instruction makes an array of hundreds of megabytes.
//! So whatever makes something large asks before, by [`has_room`](Interrupt::has_room). If there is no room, the interrupt
//! is raised, nothing is made, and the step is left like any other that was interrupted.
//!
//! **Cost.** `raised` is one load. `poll` reads the clock and asks the function given to
//! [`Interrupt::asking`]; both do nothing where there is nothing to look at.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::Bound;

/// A signal to stop. Copies share it.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    shared: Option<Arc<Shared>>,
}

#[derive(Debug)]
struct Shared {
    raised: OnceLock<Bound>,
    deadline: Option<Instant>,
    /// So many nanoseconds before that moment are needed for something else.
    reserved: AtomicU64,
    ask: Option<fn() -> Option<Bound>>,
    room: Option<fn(u64) -> bool>,
}

/// What takes less memory than this, in bytes, is made without asking for room.
pub const SMALL: u64 = 1 << 20;

impl Interrupt {
    /// One that is never raised.
    pub fn never() -> Interrupt {
        Interrupt { shared: None }
    }

    /// One that is raised when this function gives a reason: a signal that was caught, say.
    pub fn asking(ask: fn() -> Option<Bound>) -> Interrupt {
        Interrupt::new(None, Some(ask), None)
    }

    /// The same, where the second function says whether there is room for so many bytes more.
    pub fn with_room(ask: fn() -> Option<Bound>, room: fn(u64) -> bool) -> Interrupt {
        Interrupt::new(None, Some(ask), Some(room))
    }

    /// One of its own that is raised for the same reasons, and when this moment has come. Without a
    /// moment, and where this one is never raised, that one is not either.
    pub fn until(&self, deadline: Option<Instant>) -> Interrupt {
        let ask = self.shared.as_ref().and_then(|shared| shared.ask);
        let room = self.shared.as_ref().and_then(|shared| shared.room);
        match (deadline, ask) {
            (None, None) => Interrupt::never(),
            _ => Interrupt::new(deadline, ask, room),
        }
    }

    /// One of its own that is raised for the same reasons, and when one of so many parts of the time that is left has passed.
    pub fn share(&self, parts: u32) -> Interrupt {
        let deadline = self.shared.as_ref().and_then(|shared| {
            let reserved = Duration::from_nanos(shared.reserved.load(Ordering::Relaxed));
            let (now, end) = (Instant::now(), shared.deadline?.checked_sub(reserved)?);
            now.checked_add(end.saturating_duration_since(now) / parts)
        });
        self.until(deadline)
    }

    fn new(
        deadline: Option<Instant>,
        ask: Option<fn() -> Option<Bound>>,
        room: Option<fn(u64) -> bool>,
    ) -> Interrupt {
        let (raised, reserved) = (OnceLock::new(), AtomicU64::new(0));
        let shared = Shared { raised, deadline, reserved, ask, room };
        Interrupt { shared: Some(Arc::new(shared)) }
    }

    /// From now on it is raised so long before its moment.
    pub fn reserve(&self, time: Duration) {
        if let Some(shared) = &self.shared {
            let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
            shared.reserved.store(nanoseconds, Ordering::Relaxed);
        }
    }

    /// Why everything should stop, if somebody has found a reason.
    #[inline]
    pub fn raised(&self) -> Option<&Bound> {
        match &self.shared {
            None => None,
            Some(shared) => shared.raised.get(),
        }
    }

    /// Whether there is room for so many bytes more. If not, it is raised.
    pub fn has_room(&self, bytes: u64) -> bool {
        let Some(shared) = self.shared.as_ref().filter(|_| bytes >= SMALL) else { return true };
        let has_room = shared.room.is_none_or(|room| room(bytes));
        if !has_room {
            // Whoever was first has given the reason.
            let _ = shared.raised.set(Bound::Memory);
        }
        has_room
    }

    /// Looks for a reason to stop, and raises the interrupt if there is one. Says whether it is raised.
    pub fn poll(&self) -> bool {
        let Some(shared) = &self.shared else { return false };
        if shared.raised.get().is_some() {
            return true;
        }
        let asked = || shared.ask.and_then(|ask| ask());
        let late = shared.deadline.is_some_and(|deadline| {
            let left = deadline.saturating_duration_since(Instant::now());
            left <= Duration::from_nanos(shared.reserved.load(Ordering::Relaxed))
        });
        match late.then_some(Bound::Time).or_else(asked) {
            Some(bound) => {
                // Whoever was first has given the reason.
                let _ = shared.raised.set(bound);
                true
            }
            None => false,
        }
    }
}

/// Two are equal if raising one raises the other.
impl PartialEq for Interrupt {
    fn eq(&self, other: &Interrupt) -> bool {
        match (&self.shared, &other.shared) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl Eq for Interrupt {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_raises_every_copy_and_nothing_else() {
        let signal = Interrupt::asking(|| Some(Bound::Stopped));
        let late = signal.until(Some(Instant::now()));
        let copy = late.clone();
        assert_eq!(copy.raised(), None, "nobody has looked");
        assert!(late.poll());
        assert_eq!(copy.raised(), Some(&Bound::Time));
        assert_eq!(signal.raised(), None);
        assert!(signal.poll() && signal.poll());
        assert_eq!(signal.raised(), Some(&Bound::Stopped));
    }

    #[test]
    fn what_is_large_has_room_or_raises_every_copy() {
        let signal = Interrupt::with_room(|| None, |bytes| bytes < 3 * SMALL);
        let limited = signal.until(None);
        let copy = limited.clone();
        assert!(limited.has_room(2 * SMALL) && copy.raised().is_none());
        assert!(!limited.has_room(3 * SMALL));
        assert_eq!(copy.raised(), Some(&Bound::Memory));
        assert_eq!(signal.raised(), None);
        assert!(Interrupt::never().has_room(u64::MAX));
    }

    #[test]
    fn the_moment_comes_as_much_earlier_as_was_reserved() {
        let hour = Duration::from_secs(3600);
        let late = Interrupt::never().until(Some(Instant::now() + hour));
        late.reserve(hour / 2);
        assert!(!late.poll());
        late.reserve(hour);
        assert!(late.poll());
        Interrupt::never().reserve(hour);
    }

    #[test]
    fn a_share_of_the_time_ends_before_the_time() {
        let asked = Interrupt::asking(|| None);
        let whole = asked.until(Some(Instant::now() + Duration::from_millis(2_000)));
        let part = whole.share(100);
        std::thread::sleep(Duration::from_millis(21));
        assert!(part.poll() && !whole.poll());
        assert!(!asked.share(100).poll());
        assert_eq!(Interrupt::never().share(2), Interrupt::never());
    }

    #[test]
    fn what_has_nothing_to_look_at_is_never_raised() {
        let never = Interrupt::never().until(None);
        assert!(!never.poll());
        assert_eq!(never, Interrupt::never());
        let later = never.until(Some(Instant::now() + Duration::from_secs(3600)));
        assert!(!later.poll());
        assert_ne!(later, Interrupt::never());
    }
}
