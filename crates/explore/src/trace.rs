//! The execution so far: its events, and their order where the explorer needs it.
//!
//! Explorers go forward and back millions of times a second, so an event is never moved: the run
//! writes it into the place where it stays, and what is taken back is written over by the next step.

use std::ops::Range;

use counterpoint_model::{Choice, Event, Footprint, Mode, Op, Pid, Run, Site};

use crate::order::Order;
use crate::outline::Outline;

/// A sequence of events with clocks and races.
pub(crate) struct Trace {
    /// The first so many are the trace; those after them were taken back.
    events: Vec<Event>,
    length: usize,
    order: Order,
    /// The events that carry a fault.
    faulty: Vec<usize>,
    /// The shortest that the trace has been since somebody asked.
    shortest: usize,
    /// Whether events are added with clocks and races.
    ordered: bool,
}

impl Trace {
    /// The empty trace.
    pub fn new() -> Trace {
        Trace {
            events: Vec::new(),
            length: 0,
            order: Order::new(),
            faulty: Vec::new(),
            shortest: 0,
            ordered: false,
        }
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// The events, first one first.
    pub fn events(&self) -> &[Event] {
        &self.events[..self.length]
    }

    /// The event after the last one: what was taken back last, if nothing was written over it, to be
    /// written over before it is added.
    pub fn spare(&mut self) -> &mut Event {
        if self.events.len() == self.length {
            self.events.push(Event::new(Choice::of(Pid::MAIN), Op::Local, Site(0)));
        }
        &mut self.events[self.length]
    }

    /// Adds the spare event, of a step that had so many alternatives.
    #[inline]
    pub fn add_spare(&mut self, alternatives: u32) {
        self.order.push(&self.events[self.length], alternatives);
        self.ordered = true;
        self.add_spare_plain();
    }

    /// Adds the spare event at no cost: no clocks, no races. For explorers that do not reduce; not to
    /// be mixed with `add_spare` and `push`.
    #[inline]
    pub fn add_spare_plain(&mut self) {
        if self.events[self.length].fault.is_some() {
            self.faulty.push(self.length);
        }
        self.length += 1;
    }

    /// Appends an event of a step that had so many alternatives.
    #[cfg(test)]
    pub fn push(&mut self, event: Event, alternatives: u32) {
        *self.spare() = event;
        self.add_spare(alternatives);
    }

    /// Appends an event as `add_spare_plain` does.
    pub fn push_plain(&mut self, event: Event) {
        *self.spare() = event;
        self.add_spare_plain();
    }

    /// Takes back all events but the first so many.
    #[inline]
    pub fn cut(&mut self, length: usize) {
        if self.ordered {
            self.order.cut(length);
        }
        self.length = self.length.min(length);
        self.shortest = self.shortest.min(length);
        while self.faulty.pop_if(|event| *event >= length).is_some() {}
    }

    /// How many of the first events are those that were there when this was asked last.
    pub fn same_since_last(&mut self) -> usize {
        let same = self.same_as_last();
        self.shortest = self.length;
        same
    }

    /// The same, without asking.
    pub fn same_as_last(&self) -> usize {
        self.shortest
    }

    /// Whether events have clocks and races.
    pub fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// Whether some event carries a fault.
    pub fn is_faulty(&self) -> bool {
        !self.faulty.is_empty()
    }

    /// Whether some event was more than a step whose accesses are known beforehand: it had
    /// alternatives, was guarded, or touched what it did because of what it found.
    pub fn needs_all_races_reversed(&self) -> bool {
        self.order.needs_all_races_reversed()
    }

    /// The process of an event.
    pub fn process(&self, event: usize) -> Pid {
        self.order.process(event)
    }

    /// Whether event `one` happens before event `other`, or is it.
    #[inline]
    pub fn happens_before(&self, one: usize, other: usize) -> bool {
        self.order.happens_before(one, other)
    }

    /// The events after one that do not happen after it, with their processes.
    #[inline]
    pub fn for_each_not_after(&self, event: usize, act: impl FnMut(usize, Pid)) {
        self.order.for_each_not_after(event, act);
    }

    /// Whether event `one` is in the past that a clock row describes. A row made when there were fewer
    /// processes knows nothing of later ones.
    pub fn is_before_row(&self, one: usize, row: &[u32]) -> bool {
        self.order.is_before_row(one, row)
    }

    /// The event of the same process before one, if there is such.
    pub fn previous(&self, event: usize) -> Option<usize> {
        self.order.previous(event)
    }

    /// Writes down the clock row of an event.
    pub fn copy_row(&self, event: usize, row: &mut Vec<u32>) {
        self.order.copy_row(event, row);
    }

    /// The clock row that the process of this event had just before it, with what it awaited.
    pub fn row_before(&self, event: usize, row: &mut Vec<u32>) {
        self.order.row_before(event, &self.events()[event].footprint, row);
    }

    /// The earlier events that the event races with.
    pub fn races(&self, event: usize) -> &[u32] {
        self.order.races(event)
    }

    /// What each event touches, in short; known of those with clocks and races.
    #[inline]
    pub fn outlines(&self) -> &[Outline] {
        self.order.outlines()
    }

    /// The events that race with earlier ones, first one first.
    #[inline]
    pub fn raced(&self) -> &[u32] {
        self.order.raced()
    }

    /// Where they stand among the races of all events.
    #[inline]
    pub fn race_places(&self, event: usize) -> Range<usize> {
        self.order.race_places(event)
    }

    /// The earlier event of the race at a place.
    #[inline]
    pub fn rival(&self, place: usize) -> usize {
        self.order.rival(place)
    }

    /// Whether only a trial can tell if the event could have gone before those it races with, and
    /// what it would have touched then.
    pub fn is_tentative(&self, event: usize) -> bool {
        self.order.is_tentative(event)
    }

    /// Whether the event was a step whose accesses are known beforehand.
    pub fn is_regular(&self, event: usize) -> bool {
        self.order.is_regular(event)
    }

    /// Whether only a trial can tell if the later event could have gone before an earlier one that it
    /// races with, and what it would have touched then. A notification touches those who wait, and
    /// an interrupt changes who does.
    pub fn needs_rehearsal(&self, earlier: usize, later: usize) -> bool {
        self.is_tentative(later)
            || (self.may_need_rehearsal(later) && self.events()[earlier].explores())
    }

    /// The same, whatever the earlier event is.
    #[inline]
    pub fn may_need_rehearsal(&self, later: usize) -> bool {
        self.order.may_need_rehearsal(later)
    }

    /// How many alternatives the step had when it was taken.
    pub fn alternatives(&self, event: usize) -> u32 {
        self.order.alternatives(event)
    }

    /// The rivals of an operation that has not been performed, if it were performed now; and the
    /// clock row that its process has just before it.
    pub fn rivals_of_pending(
        &mut self,
        process: Pid,
        footprint: &Footprint,
        pending: Pending,
        row: &mut Vec<u32>,
    ) -> Vec<u32> {
        match pending {
            Pending::Ready => self.order.rivals_of_pending(process, footprint, false, row),
            Pending::Guarded => self.order.rivals_of_pending(process, footprint, true, row),
            Pending::Blocked => {
                let mut contested = footprint.clone();
                contested.retain(|access| matches!(access.mode, Mode::Acquire | Mode::Await));
                self.order.rivals_of_blocked(process, &contested, row)
            }
        }
    }
}

/// Why an operation has not been performed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pending {
    /// It was not its turn.
    Ready,
    /// It has a guard, which may hold or not.
    Guarded,
    /// A held lock keeps it from happening, or what it awaits. It could have overtaken only those who took the lock:
    /// whoever else conflicts with it, or only looked at the lock, came when it was blocked as well, or is its rival in
    /// the execution in which it overtakes them.
    Blocked,
}

impl Pending {
    /// Why the operation that a process comes to next has not been performed.
    pub fn of(run: &dyn Run, process: Pid) -> Pending {
        if run.guarded(process) {
            Pending::Guarded
        } else if run.is_ready(process) {
            Pending::Ready
        } else {
            Pending::Blocked
        }
    }
}

#[cfg(test)]
mod tests {
    use counterpoint_model::{Access, Location, Mode};

    use super::*;

    fn event(process: u32, accesses: &[(u32, Mode)]) -> Event {
        let mut event = Event::new(Choice::of(Pid(process)), Op::Local, Site(0));
        event.footprint =
            accesses.iter().map(|&(l, mode)| Access::plain(Location(l), mode)).collect();
        event
    }

    fn trace(events: &[(u32, &[(u32, Mode)])]) -> Trace {
        let mut trace = Trace::new();
        for (process, accesses) in events {
            trace.push(event(*process, accesses), 1);
        }
        trace
    }

    #[test]
    fn a_write_races_with_every_read_since_the_last_write_but_not_with_that_write() {
        use Mode::{Read, Write};
        let trace =
            trace(&[(0, &[(0, Write)]), (1, &[(0, Read)]), (2, &[(0, Read)]), (3, &[(0, Write)])]);
        assert_eq!(trace.races(1), [0]);
        assert_eq!(trace.races(2), [0]);
        assert_eq!(trace.races(3), [1, 2]);
        assert!(!trace.happens_before(1, 2));
        assert!(trace.happens_before(0, 3));
    }

    #[test]
    fn an_acquire_races_with_the_acquire_before_the_release() {
        use Mode::{Acquire, Release};
        let trace = trace(&[(1, &[(0, Acquire)]), (1, &[(0, Release)]), (2, &[(0, Acquire)])]);
        assert_eq!(trace.races(2), [0]);
        assert!(trace.happens_before(1, 2));
    }

    #[test]
    fn who_is_blocked_could_have_overtaken_the_holder_and_not_one_that_found_the_lock_busy() {
        use Mode::{Acquire, Read};
        let mut trace = trace(&[(1, &[(0, Acquire)]), (2, &[(0, Read)])]);
        let lock = event(3, &[(0, Acquire)]).footprint;
        let mut rivals = |pending| trace.rivals_of_pending(Pid(3), &lock, pending, &mut Vec::new());
        assert_eq!(rivals(Pending::Blocked), [0]);
        assert_eq!(rivals(Pending::Ready), [1]);
        assert_eq!(rivals(Pending::Blocked), [0], "nothing is forgotten");
    }

    #[test]
    fn an_acquire_after_reading_what_the_holder_wrote_races_with_nobody() {
        use Mode::{Acquire, Read, Release, Write};
        let trace = trace(&[
            (1, &[(0, Acquire)]),
            (1, &[(1, Write)]),
            (2, &[(1, Read)]),
            (1, &[(0, Release)]),
            (2, &[(0, Acquire)]),
        ]);
        assert_eq!(trace.races(2), [1]);
        assert_eq!(trace.races(4), [0u32; 0]);
    }

    #[test]
    fn an_event_that_takes_two_locks_races_with_the_last_acquire_of_either() {
        use Mode::{Acquire, Release};
        let trace = trace(&[
            (1, &[(0, Acquire)]),
            (1, &[(1, Acquire)]),
            (1, &[(1, Release)]),
            (1, &[(0, Release)]),
            (2, &[(0, Acquire), (1, Acquire)]),
        ]);
        assert_eq!(trace.races(4), [1]);
    }

    #[test]
    fn what_does_not_happen_after_an_event_is_beside_it_with_any_number_of_processes() {
        use Mode::{Read, Write};
        let mut trace = Trace::new();
        for step in 0..400u32 {
            let process = step * 7 % 90;
            let mode = if step % 5 == 0 { Write } else { Read };
            trace.push(event(process, &[(step * 13 % 11, mode)]), 1);
        }
        for one in 0..trace.len() {
            let mut beside = Vec::new();
            trace.for_each_not_after(one, |other, process| {
                assert_eq!(process, trace.process(other));
                beside.push(other);
            });
            let later = one + 1..trace.len();
            let expected: Vec<_> =
                later.filter(|&other| !trace.happens_before(one, other)).collect();
            assert_eq!(beside, expected, "event {one}");
        }
    }

    #[test]
    fn the_order_is_that_of_chains_of_dependent_events_with_any_number_of_processes() {
        let modes = [Mode::Read, Mode::Write, Mode::Acquire, Mode::Release, Mode::Await];
        for processes in [3, 20, 64, 65, 300] {
            let mut trace = Trace::new();
            let add = |trace: &mut Trace, steps: std::ops::Range<u32>| {
                for step in steps {
                    // Some look random, and processes with large numbers come late.
                    let number = step.wrapping_mul(2_654_435_761) >> 7;
                    let process = number % processes.min(2 + step);
                    let touch = (number / 7 % 40, modes[number as usize / 300 % modes.len()]);
                    trace.push(event(process, &[touch]), 1);
                }
            };
            add(&mut trace, 0..500);
            trace.cut(150);
            add(&mut trace, 400..700);
            let events = trace.events();
            let mut before: Vec<Vec<bool>> = Vec::new();
            for (late, event) in events.iter().enumerate() {
                let mut past = vec![false; events.len()];
                for early in 0..late {
                    let dependent = events[early].process() == event.process()
                        || counterpoint_model::conflict(&events[early].footprint, &event.footprint);
                    if dependent {
                        past.iter_mut().zip(&before[early]).for_each(|(own, its)| *own |= *its);
                    }
                }
                past[late] = true;
                for (early, &expected) in past.iter().enumerate().take(late + 1) {
                    let found = trace.happens_before(early, late);
                    assert_eq!(found, expected, "{early}, {late} of {processes} processes");
                }
                before.push(past);
            }
        }
    }

    #[test]
    fn an_await_orders_and_does_not_race() {
        use Mode::{Await, Write};
        let trace = trace(&[(1, &[(0, Write)]), (2, &[(0, Await), (1, Write)])]);
        assert_eq!(trace.races(1), [0u32; 0]);
        assert!(trace.happens_before(0, 1));
    }

    #[test]
    fn popping_restores_heads_clocks_and_races_with_any_number_of_processes() {
        use Mode::{Read, Write};
        let mut trace = Trace::new();
        for process in 0..40 {
            trace.push(event(process, &[(process % 3, Write), (3, Read)]), 1);
        }
        let row = |trace: &Trace, event: usize| {
            let mut row = Vec::new();
            trace.copy_row(event, &mut row);
            row
        };
        let rows: Vec<Vec<u32>> = (0..40).map(|i| row(&trace, i)).collect();
        let races: Vec<Vec<u32>> = (0..40).map(|i| trace.races(i).to_vec()).collect();
        let taken_back = trace.events()[10..].to_vec();
        trace.cut(25);
        trace.cut(10);
        for event in taken_back {
            trace.push(event, 1);
        }
        for i in 0..40 {
            assert_eq!(row(&trace, i), rows[i]);
            assert_eq!(trace.races(i), &races[i]);
        }
    }
}
