//! The steps of an execution on which its failure depends: a backward slice of its trace.
//!
//! **Problem.** A story that leaves out the read of `null` before the call that fails explains nothing, and one
//! with everything that threads did explains no more.
//!
//! **Idea.** From the failure back, a step is in the slice if it
//!
//! 1. gave the failure its values or decided that the process came there ([`StepDependences`], which the
//!    front end knows from following the replay), or did so for a step in the slice;
//! 2. wrote what a step in the slice read;
//! 3. was the first by another process to write what a step by rule 1 or 2 had read: the value was out of
//!    date from then on, as in a lost update; also what this write depends on;
//! 4. started a process with steps in the slice;
//! 5. synchronised two processes of the slice, before the last step in the slice of its own: who waits for
//!    whom decides which order of the other steps is possible; so does its own waiting. An operation of the library
//!    does so only if somebody may have to wait for it.
//! 6. if all this is by one process: met another process, as it read what the other had written or was the first to
//!    write afterwards. A failure may depend on what a process did not do, such as to call a listener that
//!    came too late, and no step depends on that; what it found when it decided so is among the meetings.
//!
//! Processes that have yet to write what the failure depends on belong to the slice with rules 4 and 5. Left
//! out in the end is what library code does with its own insides, and what it looks at and nobody ever writes. Of a
//! call by the user's code with such steps one stays, the last that writes or else the last: that a map was asked and
//! changed matters, not how maps work.
//!
//! **Invariant.** The slice has the failing step and is closed under rules 1, 2 and 4. If the front end's
//! dependences leave nothing out, nothing outside of the slice has any influence on the failure but through
//! the order of steps.
//!
//! **Cost.** Linear in dependences and in what steps touch.

use counterpoint_model::{Event, Location, Mode, Op, Pid, StepDependences};
use rustc_hash::{FxHashMap, FxHashSet};

/// An execution, and what is known of its steps.
#[derive(Clone, Copy)]
pub struct Trace<'e> {
    /// The steps.
    pub events: &'e [Event],
    /// What each depends on.
    pub dependences: &'e [StepDependences],
    /// Whether each is the library's own business.
    pub insides: &'e [bool],
    /// The call of library code by the user's that such a step stands for.
    pub calls: &'e [Option<u32>],
    /// Processes that have yet to do something that matters.
    pub late: &'e [Pid],
}

/// The slice, as a flag for each step. The roots are steps in it themselves; what `reasons` lists is why
/// the failure came about.
pub fn slice(trace: &Trace<'_>, roots: &[usize], reasons: &[usize]) -> Vec<bool> {
    let Trace { events, dependences, insides, calls, late } = *trace;
    let mut slice = Slice {
        events,
        dependences,
        late,
        writers: writers(events),
        inside: vec![false; events.len()],
        open: Vec::new(),
    };
    for &root in roots {
        slice.inside[root] = true;
    }
    reasons.iter().for_each(|&step| slice.add(step));
    slice.close();
    slice.add_missed_writes();
    slice.leave_out(insides, calls, roots);
    if slice.add_meetings() {
        slice.leave_out(insides, calls, roots);
    }
    slice.add_starts();
    slice.add_synchronisation();
    slice.leave_out(insides, calls, roots);
    slice.add_starts();
    slice.inside
}

struct Slice<'e> {
    events: &'e [Event],
    dependences: &'e [StepDependences],
    late: &'e [Pid],
    /// For each step, the last steps that wrote what it read.
    writers: Vec<Vec<usize>>,
    inside: Vec<bool>,
    /// Steps in the slice whose own dependences have not been added.
    open: Vec<usize>,
}

impl Slice<'_> {
    fn add(&mut self, step: usize) {
        if step < self.inside.len() {
            self.inside[step] = true;
            self.open.push(step);
        }
    }

    /// Rules 1 and 2, for all steps that were added.
    fn close(&mut self) {
        let mut done: FxHashSet<usize> = FxHashSet::default();
        while let Some(step) = self.open.pop() {
            if !done.insert(step) {
                continue;
            }
            let used = self.dependences.get(step).map(|known| &known.operation[..]);
            let before = used.unwrap_or_default().iter().chain(&self.writers[step]);
            for &earlier in before {
                if earlier < self.inside.len() {
                    self.inside[earlier] = true;
                    self.open.push(earlier);
                }
            }
        }
    }

    /// Rule 3.
    fn add_missed_writes(&mut self) {
        let mut missed = Vec::new();
        let mut writes = NextWrites::default();
        for (step, event) in self.events.iter().enumerate().rev() {
            let of_data = |mode: Mode| {
                mode == Mode::Read || matches!(event.op, Op::Update(_)) && mode == Mode::Write
            };
            let read = event.footprint.iter().filter(|access| of_data(access.mode));
            for access in read.filter(|_| self.inside[step]) {
                missed.extend(writes.by_another(access.location, event.process()));
            }
            for access in event.footprint.iter().filter(|access| access.mode == Mode::Write) {
                writes.add(access.location, event.process(), step);
            }
        }
        missed.into_iter().for_each(|step| self.add(step));
        self.close();
    }

    /// Rule 6. False if there is nothing to add.
    fn add_meetings(&mut self) -> bool {
        let mut processes = self.last_steps().into_keys();
        let (Some(process), None) = (processes.next(), processes.next()) else { return false };
        drop(processes);
        let mut last: FxHashMap<Location, Pid> = FxHashMap::default();
        // What was read of each location and not written since.
        let mut current: FxHashMap<Location, usize> = FxHashMap::default();
        let mut met = Vec::new();
        for (step, event) in self.events.iter().enumerate() {
            let looks = matches!(event.op, Op::Read(_) | Op::Update(_));
            for access in &event.footprint {
                if event.process() == process && looks && reads(event, access.mode) {
                    let by_other = last.get(&access.location).is_some_and(|by| *by != process);
                    met.extend(by_other.then_some(step));
                    current.insert(access.location, step);
                }
            }
            for access in event.footprint.iter().filter(|access| access.mode == Mode::Write) {
                let read = current.remove(&access.location);
                if event.process() != process {
                    met.extend(read.into_iter().chain(read.map(|_| step)));
                }
                last.insert(access.location, event.process());
            }
        }
        let found = !met.is_empty();
        met.into_iter().for_each(|step| self.add(step));
        self.close();
        found
    }

    /// Leaves out steps that are nobody's business, but for one of each call, and unless the failure is there.
    fn leave_out(&mut self, steps: &[bool], calls: &[Option<u32>], roots: &[usize]) {
        let mut kept: FxHashMap<u32, (bool, usize)> = FxHashMap::default();
        for (step, call) in calls.iter().enumerate().filter(|(step, _)| self.inside[*step]) {
            let Some(call) = *call else { continue };
            let accesses = &self.events[step].footprint;
            let this = (accesses.iter().any(|access| access.mode == Mode::Write), step);
            let best = kept.entry(call).or_insert(this);
            *best = this.max(*best);
        }
        let kept: FxHashSet<usize> = kept.into_values().map(|(_, step)| step).collect();
        for (step, _) in steps.iter().enumerate().filter(|(_, left_out)| **left_out) {
            self.inside[step] &= roots.contains(&step) || kept.contains(&step);
        }
    }

    /// Rule 4.
    fn add_starts(&mut self) {
        let mut busy = self.last_steps();
        for step in (0..self.events.len()).rev() {
            let event = &self.events[step];
            if matches!(event.op, Op::Start(child) if busy.contains_key(&child)) {
                self.inside[step] = true;
                busy.entry(event.process()).or_insert(step);
            }
        }
    }

    /// Rule 5.
    fn add_synchronisation(&mut self) {
        let last = self.last_steps();
        let mut users: FxHashMap<Location, FxHashSet<Pid>> = FxHashMap::default();
        let mut awaited: FxHashSet<Location> = FxHashSet::default();
        let of_slice = self.events.iter().filter(|event| last.contains_key(&event.process()));
        for event in of_slice {
            for access in &event.footprint {
                users.entry(access.location).or_default().insert(event.process());
                if event.guarded || matches!(access.mode, Mode::Await | Mode::Acquire) {
                    awaited.insert(access.location);
                }
            }
        }
        for (step, event) in self.events.iter().enumerate() {
            let before = last.get(&event.process()).is_some_and(|last| step < *last);
            let together = event.footprint.iter().any(|access| {
                access.synchronises
                    && users.get(&access.location).is_some_and(|all| all.len() > 1)
                    && (awaited.contains(&access.location)
                        || !matches!(event.op, Op::Synchronise(_)))
            });
            let waits = matches!(event.op, Op::Wait { .. } | Op::Resume { .. });
            if before && (synchronises(event.op) && together || waits) {
                self.inside[step] = true;
            }
        }
    }

    /// The last step in the slice of each process that has one; all steps of those that are late count.
    fn last_steps(&self) -> FxHashMap<Pid, usize> {
        let inside = self.events.iter().enumerate().filter(|(step, _)| self.inside[*step]);
        let inside = inside.map(|(step, event)| (event.process(), step));
        inside.chain(self.late.iter().map(|&process| (process, self.events.len()))).collect()
    }
}

/// For each location, who writes it next and in which step, and the next such step of anybody else.
#[derive(Default)]
struct NextWrites(FxHashMap<Location, (Pid, usize, Option<usize>)>);

impl NextWrites {
    /// The next step in which another process writes the location.
    fn by_another(&self, location: Location, process: Pid) -> Option<usize> {
        let &(by, step, other) = self.0.get(&location)?;
        if by == process { other } else { Some(step) }
    }

    /// Adds an earlier write.
    fn add(&mut self, location: Location, process: Pid, step: usize) {
        let other = self.by_another(location, process);
        self.0.insert(location, (process, step, other));
    }
}

/// Whether an operation makes processes wait for each other, and does no more.
fn synchronises(op: Op) -> bool {
    matches!(
        op,
        Op::Acquire(_)
            | Op::Release(_)
            | Op::Wait { .. }
            | Op::Resume { .. }
            | Op::Notify { .. }
            | Op::Join(_)
            | Op::Synchronise(_)
    )
}

/// Whether an access of this mode by an event looks at a value. Whoever updates something has looked at it.
fn reads(event: &Event, mode: Mode) -> bool {
    let updates = matches!(event.op, Op::Update(_) | Op::Synchronise(_) | Op::Task(_));
    match mode {
        Mode::Read => true,
        Mode::Write => updates,
        Mode::Await => updates || matches!(event.op, Op::Resume { .. }),
        Mode::Acquire | Mode::Release => false,
    }
}

/// Whether an event writes a location.
pub fn writes_to(event: &Event, location: Location) -> bool {
    let mut accesses = event.footprint.iter();
    accesses.any(|access| access.location == location && access.mode == Mode::Write)
}

/// For each event, the last earlier events that wrote what it looked at.
fn writers(events: &[Event]) -> Vec<Vec<usize>> {
    let mut last: FxHashMap<Location, usize> = FxHashMap::default();
    let mut writers = Vec::new();
    for (step, event) in events.iter().enumerate() {
        let looked = event.footprint.iter().filter(|access| reads(event, access.mode));
        let mut found: Vec<usize> =
            looked.filter_map(|access| last.get(&access.location).copied()).collect();
        found.sort_unstable();
        found.dedup();
        writers.push(found);
        for access in event.footprint.iter().filter(|access| access.mode == Mode::Write) {
            last.insert(access.location, step);
        }
    }
    writers
}

#[cfg(test)]
mod tests {
    use counterpoint_model::{Access, Choice, Site};

    use super::*;

    const X: Location = Location(1);
    const Y: Location = Location(2);

    fn event(process: u32, op: Op) -> Event {
        let mut event = Event::new(Choice::of(Pid(process)), op, Site(0));
        match op {
            Op::Read(location) => event.footprint.push(Access::plain(location, Mode::Read)),
            Op::Write(location) => event.footprint.push(Access::plain(location, Mode::Write)),
            _ => {}
        }
        event
    }

    fn slice_of(events: &[Event], dependences: &[StepDependences], last: usize) -> Vec<bool> {
        slice(&Trace { events, dependences, insides: &[], calls: &[], late: &[] }, &[last], &[last])
    }

    fn inside(slice: &[bool]) -> Vec<usize> {
        (0..slice.len()).filter(|step| slice[*step]).collect()
    }

    fn needs(operation: &[usize]) -> StepDependences {
        StepDependences { operation: operation.to_vec(), failure: Vec::new() }
    }

    #[test]
    fn a_lost_update_has_the_write_that_was_lost_and_what_it_depends_on() {
        let events = [
            event(1, Op::Read(X)),
            event(2, Op::Read(Y)),
            event(2, Op::Read(X)),
            event(2, Op::Write(X)),
            event(1, Op::Write(X)),
            event(0, Op::Read(X)),
        ];
        let uses = [needs(&[]), needs(&[]), needs(&[]), needs(&[2]), needs(&[0]), needs(&[])];
        assert_eq!(inside(&slice_of(&events, &uses, 5)), [0, 2, 3, 4, 5]);
    }

    #[test]
    fn the_next_write_by_another_process_is_the_first_one_after_the_step() {
        // Backwards: who writes in which step; every question is asked of every state.
        let writes = [(1, 9), (2, 8), (2, 7), (1, 6), (3, 5), (3, 4), (1, 3)];
        let mut next = NextWrites::default();
        for count in 0..=writes.len() {
            for process in 1..5 {
                let by_others = writes[..count].iter().filter(|(by, _)| *by != process);
                let expected = by_others.map(|(_, step)| *step).min();
                assert_eq!(next.by_another(X, Pid(process)), expected, "{process} of {count}");
            }
            if let Some(&(by, step)) = writes.get(count) {
                next.add(X, Pid(by), step);
            }
        }
        assert_eq!(next.by_another(Y, Pid(1)), None);
    }

    #[test]
    fn what_one_process_did_not_do_is_told_by_what_it_read_too_early() {
        let events = [
            event(0, Op::Start(Pid(1))),
            event(0, Op::Read(Y)),
            event(0, Op::Write(X)),
            event(1, Op::Write(Y)),
            event(0, Op::Read(X)),
        ];
        let uses: Vec<StepDependences> = events.iter().map(|_| needs(&[])).collect();
        assert_eq!(inside(&slice_of(&events, &uses, 4)), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn what_was_read_and_not_used_is_left_out_and_a_start_is_not() {
        let events = [
            event(0, Op::Start(Pid(1))),
            event(1, Op::Read(Y)),
            event(1, Op::Write(X)),
            event(0, Op::Read(X)),
            event(0, Op::Read(Y)),
        ];
        let uses: Vec<StepDependences> = events.iter().map(|_| needs(&[])).collect();
        assert_eq!(inside(&slice_of(&events, &uses, 3)), [0, 2, 3]);
    }
}
