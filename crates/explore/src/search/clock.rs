//! When to look at the clock: often enough to end in time, and seldom enough not to cost anything.

use counterpoint_model::Interrupt;

/// After how many steps.
const STEPS: u32 = 256;

/// After how much work besides steps: some milliseconds. Tests look more often, so that they can
/// interrupt small programs.
const WORK: usize = if cfg!(test) { 32 } else { 1 << 16 };

/// After how many steps that only show what they touch: some milliseconds. Small units are taken up without a look, so that
/// something comes of each of them, however short the time.
const STEPS_AHEAD: u32 = 4096;

/// Counts what is done between two looks.
pub(super) struct Clock {
    /// What may end the exploration in the middle of a step.
    pub interrupt: Interrupt,
    steps: u32,
    steps_ahead: u32,
    work: usize,
}

impl Clock {
    pub fn new(interrupt: Interrupt) -> Clock {
        Clock { interrupt, steps: 0, steps_ahead: 0, work: 0 }
    }

    /// A step was performed.
    #[inline]
    pub fn stepped(&mut self) {
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(STEPS) {
            self.interrupt.poll();
        }
    }

    /// A step was performed to find out what it touches.
    pub fn looked_ahead(&mut self) {
        self.steps_ahead = self.steps_ahead.wrapping_add(1);
        if self.steps_ahead.is_multiple_of(STEPS_AHEAD) {
            self.interrupt.poll();
        }
    }

    /// Something besides steps was done, about as much as looking at so many events. Whether it is time
    /// to look.
    #[inline]
    pub fn worked(&mut self, events: usize) -> bool {
        self.work += events;
        let is_time = self.work >= WORK;
        if is_time {
            self.work = 0;
        }
        is_time
    }
}
