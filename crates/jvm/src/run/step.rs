//! Performing a step: the machine runs a thread from one visible operation to the next, and the event
//! says what the step did to others.
//!
//! What a thread has done before its first operation is reported with that operation. A thread that has
//! failed before it, or has none, has a step of its own that only reports.
//!
//! **Cuts.** A thread that cannot go on (something unsupported, an endless computation, a fault of the
//! machine) is not scheduled any more, and its last step has a fault that says why. What the step has done
//! so far has happened, and the others go on. An atomic call is the exception: nobody may see the state
//! in the middle of it, so it is undone, and the thread stays before the call.

use counterpoint_model::{
    Access, Choice, Event, Fault, FindingKind, Location, Mode, Op, Pid, Site,
};
use counterpoint_symbolic::Term;

use super::observation::{Observations, Observed};
use super::pending::{ABSENT, PendingKind, PendingOperation, TimeLimit};
use super::prepared_machine::Aspect;
use super::{JavaRun, LastStep};
use crate::dependences::Position;
use crate::interpret::Readiness;
use crate::machine::SideEffect;
use crate::memory::{FROZEN, REACHED, WakeReason};
use crate::trail::Mark;
use crate::world::MethodId;

impl JavaRun<'_> {
    /// What else the step just performed has done to others.
    #[inline(always)]
    fn add_side_effects(&mut self, thread: usize, event: &mut Event) {
        let machine = &self.prepared().machine;
        if !machine.step.effects.is_empty() || machine.has_ended(thread) {
            self.add_some_side_effects(thread, event);
        }
    }

    #[inline(never)]
    fn add_some_side_effects(&mut self, thread: usize, event: &mut Event) {
        let program = self.program;
        for index in 0..self.prepared().machine.step.effects.len() {
            let prepared = self.prepared_mut();
            let (object, aspect, mode) = match prepared.machine.step.effects[index] {
                SideEffect::Freed(object) => {
                    let header = prepared.machine.heap.header(object);
                    let freed = header.is_some_and(|header| {
                        header.has(REACHED | FROZEN) && header.owner().is_none()
                    });
                    if !freed {
                        continue;
                    }
                    (object, Aspect::Monitor, Mode::Release)
                }
                SideEffect::Initialized(class) => {
                    (prepared.machine.mirror(class), Aspect::Initialisation, Mode::Release)
                }
                SideEffect::Woken(waiter) => {
                    for access in self.touched_by_waking(waiter) {
                        if !event.footprint.contains(&access) {
                            event.footprint.push(access);
                        }
                    }
                    continue;
                }
            };
            let address = crate::interpret::Address::of_object(object);
            let location = prepared.location(program, address, aspect);
            event.footprint.push(Access::synchronising(location, mode));
        }
        let prepared = self.prepared();
        if prepared.machine.has_ended(thread) {
            let told = Access::synchronising(prepared.thread_locations(thread).life, Mode::Write);
            if !event.footprint.contains(&told) {
                event.footprint.push(told);
            }
        }
    }

    /// Performs a step, which the event describes afterwards.
    pub(super) fn take_step(&mut self, choice: Choice, thread: usize, event: &mut Event) {
        let pending = &self.pending[thread];
        event.renew(choice, pending.shown(), pending.site);
        self.note_step(thread);
        let printed = self.prepared().machine.console.output.len();
        event.guarded = self.add_footprint(thread, Some(choice.alternative), &mut event.footprint);
        self.set_clock(thread, &event.footprint);
        self.last = Some(LastStep {
            thread,
            saved: self.trail.len(),
            before: None,
            written: None,
            printed,
            woken: None,
            left: None,
            readiness: Readiness::Succeeds,
            expired: false,
            condition: None,
        });
        if self.pending[thread].is_plain_access() {
            self.access_variable(choice, thread, event);
        } else if !self.perform_operation(choice, thread, event) {
            return;
        }
        let now = self.prepared().machine.console.output.len();
        if now > printed {
            self.printed.push((thread as u32, now));
        }
        self.exit(thread, event);
        self.note_failure(thread, event);
        self.look_for_polling(event);
    }

    /// Reads or writes a variable, which is what programs do most: nobody is woken, nothing waits, and there is one
    /// observation at most. As [`JavaRun::perform_operation`], without all that need not be asked then.
    #[inline(never)]
    fn access_variable(&mut self, choice: Choice, thread: usize, event: &mut Event) {
        let pending = &self.pending[thread];
        let (op, failed, round) = (pending.op, pending.failed, pending.round_so_far());
        let prunes = self.prepared().machine.options.prune_loops;
        let (mut look, mut before) = (None, None);
        match op {
            Op::Read(location) if prunes => {
                look = Some((location, Observed::Variable, self.found_in(location)));
                before = Some(self.before_observing(thread, round));
            }
            Op::Write(location) => {
                let word = self.word(location);
                self.last.iter_mut().for_each(|last| last.before = word);
            }
            _ => {}
        }
        let touched = event.footprint.len();
        let machine = &mut self.prepared_mut().machine;
        let failed = !failed && machine.uncaught(thread).is_some();
        let result = machine.step(thread, choice.alternative);
        event.condition = machine.unknowns.step_condition(None);
        if let Err(fault) = result {
            return self.give_up(thread, &fault, None, event);
        }
        self.conclude(thread, touched, false, event);
        if let (Some(look), Some(before)) = (look, before) {
            self.after_observing(thread, round, &[look], before);
        }
        self.tell_what_failed(thread, failed, event);
    }

    /// Performs the operation that a thread stands before. Says whether it was performed: it may only have been
    /// come to, or there is none, and only a failure to report.
    #[inline(never)]
    fn perform_operation(&mut self, choice: Choice, thread: usize, event: &mut Event) -> bool {
        let pending = self.pending[thread];
        let touched = event.footprint.len();
        if pending.kind == PendingKind::ReportOnly {
            self.report_beginning(thread, event);
            self.note_failure(thread, event);
            return false;
        }
        if pending.approaches {
            self.save_pending(thread);
            self.approach(thread, false);
            if let Err(fault) = self.prepared_mut().machine.stop_while_reading(thread) {
                self.give_up(thread, &fault, None, event);
            }
            self.pending[thread].is_first = false;
            self.look_for_polling(event);
            return false;
        }
        let (alternative, condition) = self.describe_last(choice, thread, &pending, event);
        let machine = &self.prepared().machine;
        let threads = machine.thread_count();
        let prunes = machine.options.prune_loops;
        let failed = !pending.failed && machine.uncaught(thread).is_some();
        let round = pending.round_so_far();
        let mut looks = Observations::new();
        let looked = match prunes {
            true => self.observations_of_step(thread, &pending, &mut looks),
            false => None,
        };
        let before = looked.map(|()| self.before_observing(thread, round));
        if prunes {
            self.record_notices(thread, &pending);
        }
        let machine = &mut self.prepared_mut().machine;
        let taken_back = pending.is_atomic().then(|| machine.mark());
        let noted = if pending.may_wait() { machine.note_waiting(thread) } else { Ok(()) };
        let stamped = pending.stamped_lock().map(|lock| (lock, machine.stamped_readers(lock)));
        let result = noted.and_then(|()| machine.step(thread, alternative));
        let result = result.and_then(|()| match stamped {
            Some((lock, readers)) => machine.note_stamped_readers(thread, lock, readers),
            None => Ok(()),
        });
        event.condition = machine.unknowns.step_condition(condition);
        if let Err(fault) = result {
            self.give_up(thread, &fault, taken_back, event);
        } else {
            self.conclude(thread, touched, matches!(pending.op, Op::Wait { .. }), event);
            if let Some(before) = before {
                self.after_observing(thread, round, &looks, before);
            }
            self.tell_what_failed(thread, failed, event);
        }
        if let Op::Start(child) = pending.op {
            self.begin_child(child, threads);
        }
        true
    }

    /// A step was performed, whose event had so many accesses before: what else it has done, and what its
    /// thread stands before now.
    #[inline(always)]
    fn conclude(
        &mut self,
        thread: usize,
        touched: usize,
        has_begun_to_wait: bool,
        event: &mut Event,
    ) {
        self.add_side_effects(thread, event);
        self.note_clock(thread, &event.footprint[touched..]);
        self.update_pending(thread, has_begun_to_wait);
    }

    /// The rest, once it is known what the step has observed: whether it has made the thread fail.
    #[inline(always)]
    fn tell_what_failed(&mut self, thread: usize, failed: bool, event: &mut Event) {
        self.approach_while_reading(thread);
        if !failed && self.prepared().machine.uncaught(thread).is_some() {
            event.fault = self.uncaught(thread);
        }
    }

    /// Notes what explanations need to know of a step before it is performed. Returns the alternative as the
    /// machine counts them, and the condition of the side of a branch that the step takes.
    #[inline]
    fn describe_last(
        &mut self,
        choice: Choice,
        thread: usize,
        pending: &PendingOperation,
        event: &Event,
    ) -> (u32, Option<Term>) {
        let before = match pending.op {
            Op::Write(location) | Op::Update(location) => self.word(location),
            _ => None,
        };
        if let Some(last) = &mut self.last {
            last.before = before;
        }
        if pending.is_plain() && pending.limit == TimeLimit::None {
            return (choice.alternative, None);
        }
        self.describe_special(choice, thread, pending, event)
    }

    /// The same for operations that are more than an access to a variable or a lock.
    #[inline(never)]
    fn describe_special(
        &mut self,
        choice: Choice,
        thread: usize,
        pending: &PendingOperation,
        event: &Event,
    ) -> (u32, Option<Term>) {
        let alternative = choice.alternative;
        let (mut woken, mut left, mut condition) = (None, None, None);
        match pending.op {
            Op::Notify { all, .. } => {
                let found = self.notification(pending, alternative);
                let first = |notified: bool| {
                    let mut those = found.iter();
                    let first = those.find(|(_, why)| {
                        let notifies = matches!(
                            why,
                            WakeReason::Notified
                                | WakeReason::NotifiedLate
                                | WakeReason::NotifiedUnlessLate
                        );
                        notified == notifies
                    });
                    first.and_then(|(waiter, _)| self.prepared().known_pid(*waiter))
                };
                (woken, left) = (first(true).filter(|_| !all), first(false));
                self.prepared_mut().machine.step.woken = Some(found);
            }
            Op::Synchronise(_) => {
                if let Some(found) = self.left_before_interrupt(pending, alternative) {
                    left = found.first().and_then(|(who, _)| self.prepared().known_pid(*who));
                    self.prepared_mut().machine.step.woken = Some(found);
                }
            }
            Op::Branch => {
                let unknowns = &self.prepared().machine.unknowns;
                condition = unknowns.condition(thread, alternative == 1);
            }
            _ => {}
        }
        let readiness = self.readiness(thread, pending);
        let expired = self.expires(thread, pending);
        if let Some(last) = &mut self.last {
            last.written = first_written(event);
            last.woken = woken;
            last.left = left;
            last.readiness = readiness;
            last.expired = expired;
            last.condition = condition;
        }
        (alternative, condition)
    }

    /// A step that the machine could not perform. What it has done so far stays, unless nobody may see it.
    #[cold]
    fn give_up(
        &mut self,
        thread: usize,
        fault: &crate::Fault,
        taken_back: Option<Mark>,
        event: &mut Event,
    ) {
        let site = self.place_of(thread);
        event.fault = Some(Box::new(unsupported(fault, site)));
        match taken_back {
            Some(before) => self.prepared_mut().machine.undo(before),
            None => self.add_side_effects(thread, event),
        }
        self.cut = true;
        self.set_pending(thread, ABSENT);
    }

    /// Begins to note what a step depends on, if somebody wants to know.
    #[inline]
    fn note_step(&mut self, thread: usize) {
        if self.prepared().machine.dependences.is_some() {
            self.begin_noting(thread);
        }
    }

    #[inline(never)]
    fn begin_noting(&mut self, thread: usize) {
        let searching = self.searching;
        let machine = &mut self.prepared_mut().machine;
        let Some(dependences) = &mut machine.dependences else { return };
        dependences.pause(searching);
        if !searching {
            let state = machine.threads.get(thread);
            let (position, stack) = match state {
                Some(state) => (Position::of(thread, &state.core), state.stack.as_slice()),
                None => (Position { thread, method: MethodId(0), pc: 0, base: 0, sp: 0 }, &[][..]),
            };
            dependences.begin_step(&machine.world, stack, position);
        }
    }

    #[inline]
    fn note_failure(&mut self, thread: usize, event: &Event) {
        if event.fault.is_some()
            && !self.searching
            && let Some(dependences) = &mut self.prepared_mut().machine.dependences
        {
            dependences.fail(thread);
        }
    }

    /// A thread has asked for the end of the program. The others go on as far as they can, as they do
    /// until the virtual machine stops them: whatever they do could have come before that, and the
    /// explorers must see it to know what else could have happened.
    #[inline]
    fn exit(&mut self, thread: usize, event: &mut Event) {
        if self.prepared().machine.exit_code().is_some() {
            self.begin_exit(thread, event);
        }
    }

    #[inline(never)]
    fn begin_exit(&mut self, thread: usize, event: &mut Event) {
        let Some(code) = self.prepared_mut().machine.take_exit() else { return };
        self.exited = true;
        if code != 0 && event.fault.is_none() {
            let message = format!("System.exit({code})");
            let site = self.place_of(thread);
            event.fault = Some(Box::new(Fault::new(FindingKind::Exit, message, site)));
        }
    }

    /// A thread was started, unless starting it failed. It has run up to its first operation. If it has
    /// failed before that, it has a step of its own to tell it with: the step that started it may
    /// have failed, too.
    fn begin_child(&mut self, child: Pid, threads: usize) {
        let program = self.program;
        let count = self.prepared().machine.thread_names.len().max(threads);
        if let Some(last) = count.checked_sub(1) {
            self.prepared_mut().pid(program, last);
        }
        let Some(thread) = self.prepared().thread(child) else { return };
        if self.prepared().machine.threads.get(thread).is_none() {
            return;
        }
        self.register_thread(thread);
        let failed = std::mem::take(&mut self.prepared_mut().machine.step.failed_children);
        if let Some((_, fault)) = failed.into_iter().find(|(failed, _)| *failed == thread) {
            self.cut_at_start.push((thread, fault));
            let site = self.place_of(thread);
            self.set_pending(
                thread,
                PendingOperation { kind: PendingKind::ReportOnly, site, is_first: true, ..ABSENT },
            );
            return;
        }
        self.update_pending(thread, false);
        if let Some(fault) = self.uncaught(thread) {
            match self.prepared().machine.has_ended(thread) {
                true => {
                    let told = PendingOperation {
                        kind: PendingKind::ReportOnly,
                        site: fault.site,
                        ..ABSENT
                    };
                    self.pending[thread] = told;
                }
                false => self.pending[thread].failed = true,
            }
        }
        self.pending[thread].is_first = true;
    }

    /// The only step of a thread that never came to a visible operation.
    fn report_beginning(&mut self, thread: usize, event: &mut Event) {
        let cut = match thread {
            0 => self.prepared().fault.clone(),
            _ => {
                let mut cut = self.cut_at_start.iter();
                cut.find(|(cut, _)| *cut == thread).map(|(_, fault)| fault.clone())
            }
        };
        if let Some(fault) = cut {
            let site = self.place_of(thread);
            event.fault = Some(Box::new(unsupported(&fault, site)));
            self.cut = true;
            self.set_pending(thread, ABSENT);
            return;
        }
        event.fault = self.uncaught(thread);
        if thread == 0 {
            self.exit(0, event);
        } else {
            let life = self.prepared().thread_locations(thread).life;
            event.footprint.push(Access::synchronising(life, Mode::Write));
        }
        self.set_pending(thread, ABSENT);
    }
}

fn first_written(event: &Event) -> Option<Location> {
    let mut accesses = event.footprint.iter();
    accesses.find(|access| access.mode == Mode::Write).map(|access| access.location)
}

pub(super) fn unsupported(fault: &crate::Fault, site: Site) -> Fault {
    match *fault.kind() == crate::FaultKind::ENDLESS_STEP {
        true => Fault::endless(fault.to_string(), site),
        false => Fault::new(FindingKind::Unsupported, fault.to_string(), site),
    }
}
