//! Executions of an earlier part that are done again, unchecked and uncounted.
//!
//! An explorer of nets cannot save what it knows. It leaves the number of its executions instead, and the next
//! part repeats them: they lead to the same net, and only what comes after them is new.

/// How far the repetition has come.
#[derive(Default)]
pub(super) struct Repetition {
    /// How many executions are still to be repeated.
    left: u64,
    /// Whether the last one has just been.
    has_just_ended: bool,
    /// How many executions of all parts have been done, those given up and those that only showed
    /// a state included.
    done: u64,
    /// The events that were there when the repetition ended.
    events: u64,
}

impl Repetition {
    /// So many executions are to be repeated.
    pub fn of(executions: u64) -> Repetition {
        Repetition { left: executions, done: executions, ..Repetition::default() }
    }

    /// How many executions of all parts have been done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Whether the present execution is one of an earlier part.
    #[inline]
    pub fn is_going_on(&self) -> bool {
        self.left > 0
    }

    /// An execution was done: says how many are left to repeat.
    pub fn advance(&mut self) -> u64 {
        match self.left {
            0 => self.done += 1,
            _ => {
                self.left -= 1;
                self.has_just_ended = self.left == 0;
            }
        }
        self.left
    }

    /// If the repetition has just ended, these events are those of the earlier parts.
    pub fn caught_up(&mut self, events: u64) {
        if std::mem::take(&mut self.has_just_ended) {
            self.events = events;
        }
    }

    /// How many of these events are new.
    pub fn new_events(&mut self, events: u64) -> u64 {
        if self.is_going_on() {
            self.events = events;
        }
        events - self.events.min(events)
    }

    /// The events of the earlier parts count again.
    pub fn forget_events(&mut self) {
        self.has_just_ended = false;
        self.events = 0;
    }
}
