//! Turns for everybody, before a limit ends an execution.
//!
//! **Problem.** A process that never ends runs to the limit of steps, the execution is cut there, and
//! another process that would have failed in its first steps was never scheduled. Race reversal does not
//! help: it reverses what was executed or is pending, and what lies behind a pending step that races with
//! nobody stays unknown.
//!
//! **Idea.** As long as an execution is shorter than three quarters of the limit, explorers choose as they
//! like. In the last quarter the processes that are ready take turns: next is the one that has not moved
//! for the longest time. With n processes each gets at least one in n of the remaining steps that it is
//! ready for, which is five hundred of ten processes under the usual limit. Only free choices are made like that; steps that an explorer has to take, since they reverse a
//! race or lead to an extension, are taken as before.
//!
//! **Invariant.** Executions shorter than that are what they would be without it. Beyond, completeness does not depend on which ready process goes first from a new node.
//!
//! **Cost.** In the last quarter of long executions a look at the last steps, [`LOOK_BACK`] at most, and the order of those
//! who are ready.

use counterpoint_model::{Event, Pid};
use rustc_hash::FxHashMap;

use crate::limits::Limits;

/// How many steps are looked at to find who has waited longest. Those who have not moved since are
/// equal, and the first of them is next.
const LOOK_BACK: usize = 256;

/// So many processes are looked for one by one.
const FEW: usize = 32;

/// Whether an execution of so many steps is so long that processes take turns.
#[inline]
pub(crate) fn are_taken(steps: usize, limits: &Limits) -> bool {
    steps >= begin(limits)
}

/// After how many steps that is so.
#[inline]
pub(crate) fn begin(limits: &Limits) -> usize {
    limits.steps - limits.steps / 4
}

/// Sorts processes by when they have moved last, those that have waited longest first.
pub(crate) fn sort(processes: &mut [Pid], events: &[Event]) {
    let last = &events[events.len().saturating_sub(LOOK_BACK)..];
    // Stable: those that have not moved for long stay in their order.
    if processes.len() <= FEW {
        let moved = |process: &Pid| last.iter().rposition(|event| event.process() == *process);
        processes.sort_by_key(moved);
    } else {
        let moves = last.iter().enumerate().map(|(place, event)| (event.process(), place));
        let moved: FxHashMap<Pid, usize> = moves.collect();
        processes.sort_by_cached_key(|process| moved.get(process).copied());
    }
}

#[cfg(test)]
mod tests {
    use counterpoint_model::{Choice, Op, Site};

    use super::*;

    #[test]
    fn who_has_waited_longest_is_next() {
        let event = |process| Event::new(Choice::of(Pid(process)), Op::Local, Site(0));
        let events: Vec<Event> = [1, 2, 1, 3, 3].into_iter().map(event).collect();
        let mut ready = [1, 2, 3, 4].map(Pid);
        sort(&mut ready, &events);
        assert_eq!(ready, [4, 2, 1, 3].map(Pid));
    }

    #[test]
    fn many_take_turns_in_the_order_of_a_few() {
        let event = |process| Event::new(Choice::of(Pid(process)), Op::Local, Site(0));
        let moved = [70, 3, 90, 3, 8, 70, 8];
        let events: Vec<Event> = moved.into_iter().map(event).collect();
        let mut ready: Vec<Pid> = (0..100).map(Pid).collect();
        sort(&mut ready, &events);
        let waiting = (0..100).filter(|process| !moved.contains(process));
        let expected: Vec<Pid> = waiting.chain([90, 3, 70, 8]).map(Pid).collect();
        assert_eq!(ready, expected);
    }
}
