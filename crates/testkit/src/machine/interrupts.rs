//! Interrupts, waits that end without a notification, and steps that take and free a lock.
//!
//! A thread that waits until it is interrupted stands at an `Op::Resume` like any other that waits, and whoever
//! interrupts it takes it from the wait set, as a notification does. One whose time may pass leaves by itself, in
//! the step in which it takes its lock back: that step is guarded, as it could have come before any notification.
//! Whether a thread is interrupted is at a location of its own. What an interrupt does depends on whether it
//! finds its thread waiting, so whoever joins or leaves a wait set for another reason writes that location.
//!
//! **Invariant.** The accesses of a step are among those that were anticipated just before it.

use counterpoint_model::{Access, Event, Footprint, Location, Mode, Pid};

use super::{LockState, NOBODY, TestRun, Thread, ThreadStatus, Undo};
use crate::compile::Instruction;
use crate::unknowns::Value;

/// What a wait gives that was ended by a notification, by its time, and by an interrupt.
const NOTIFIED: i32 = 0;
const LATE: i32 = 1;
const STOPPED: i32 = 2;

/// An access that tells nothing to anybody and asks for nothing, but for its value.
fn silent(location: Location, mode: Mode) -> Access {
    Access::synchronising(location, mode).unordered()
}

impl TestRun<'_> {
    /// Whether the thread is interrupted.
    pub(super) fn is_interrupted(&self, process: Pid) -> bool {
        self.interrupts.get(process.index()).copied().unwrap_or(false)
    }

    fn set_interrupt(&mut self, process: Pid, interrupted: bool) {
        if self.interrupts.len() <= process.index() {
            self.interrupts.resize(process.index() + 1, false);
        }
        let old = std::mem::replace(&mut self.interrupts[process.index()], interrupted);
        self.trail.push(Undo::Interrupt(process.0, old));
    }

    /// The child of the main thread with this number.
    pub(super) fn child_of_main(&self, number: u32) -> Pid {
        self.program.names.child(Pid::MAIN, number)
    }

    /// The condition that a thread waits for which an interrupt would wake.
    fn waits_until_interrupted(&self, thread: &Thread) -> Option<u32> {
        match self.program.code.instructions[thread.pc as usize] {
            Instruction::ResumeOr { condition, .. }
                if thread.status == ThreadStatus::Live && !thread.woken =>
            {
                Some(condition)
            }
            _ => None,
        }
    }

    /// Whether the thread is about to begin a wait that an interrupt ends at once.
    pub(super) fn fails_to_wait(&self, process: Pid) -> bool {
        let pc = self.thread(process).pc as usize;
        self.is_interrupted(process)
            && matches!(self.program.code.instructions[pc], Instruction::WaitOr { .. })
    }

    /// How a thread touches its own interrupt, or somebody's, that joins or leaves a wait set.
    pub(super) fn touch_changed_wait(&self, process: Pid, footprint: &mut Footprint) {
        let pc = self.thread(process).pc as usize;
        let stops = matches!(
            self.program.code.instructions[pc],
            Instruction::WaitOr { .. } | Instruction::ResumeOr { .. }
        );
        if stops && self.program.code.interrupts {
            footprint.push(silent(self.program.interrupt(process), Mode::Write));
        }
    }

    /// What a thread touches that goes on after a wait that may end by itself.
    pub(super) fn touch_late_resume(&self, process: Pid, footprint: &mut Footprint) {
        footprint.push(Access::synchronising(self.program.cell(process), Mode::Read));
        if let Some(condition) = self.waits_until_interrupted(self.thread(process)) {
            footprint.push(silent(Location(condition), Mode::Write));
            self.touch_changed_wait(process, footprint);
        }
    }

    /// What an interrupt of a thread touches.
    fn touch_interrupt(&self, target: Pid, footprint: &mut Footprint) {
        let tells =
            |location| Access { learns: false, ..Access::synchronising(location, Mode::Write) };
        footprint.push(tells(self.program.interrupt(target)));
        if let Some(condition) = self.waits_until_interrupted(self.thread(target)) {
            footprint.push(tells(self.program.cell(target)));
            footprint.push(silent(Location(condition), Mode::Write));
        }
    }

    /// What a thread touches that waits for the end of another one or for an interrupt.
    pub(super) fn touch_join(&self, process: Pid, other: Pid, footprint: &mut Footprint) {
        let pc = self.thread(process).pc as usize;
        let stops = matches!(self.program.code.instructions[pc], Instruction::JoinOr { .. });
        let (end, ended) = (self.program.cell(other), self.has_ended(other));
        if !stops || !self.program.code.interrupts {
            return footprint.push(Access::synchronising(end, Mode::Await));
        }
        let own = self.program.interrupt(process);
        let looks = silent(own, Mode::Read);
        match (self.is_interrupted(process), ended) {
            (false, _) => footprint.extend([Access::synchronising(end, Mode::Await), looks]),
            // It could have gone on before the other one has ended.
            (true, true) => footprint.extend([Access::synchronising(end, Mode::Read), looks]),
            (true, false) => footprint.extend([
                silent(end, Mode::Read),
                Access { publishes: false, ..Access::synchronising(own, Mode::Write) },
            ]),
        }
    }

    /// Whether a thread that waits for the end of another one could have gone on before that.
    pub(super) fn joins_early(&self, process: Pid) -> bool {
        let pc = self.thread(process).pc as usize;
        self.is_interrupted(process)
            && matches!(self.program.code.instructions[pc], Instruction::JoinOr { .. })
    }

    pub(super) fn has_ended(&self, process: Pid) -> bool {
        matches!(self.thread(process).status, ThreadStatus::Done | ThreadStatus::Failed)
    }

    /// What an `Op::Synchronise` touches that is no operation of a semaphore, as it stands; before the step, all that it
    /// may touch then. Whether it is one.
    pub(super) fn touch_synchronising(
        &self,
        process: Pid,
        before: bool,
        footprint: &mut Footprint,
    ) -> bool {
        let pc = self.thread(process).pc as usize;
        match self.program.code.instructions[pc] {
            Instruction::Interrupt { child } => {
                self.touch_interrupt(self.child_of_main(child), footprint);
            }
            Instruction::Interrupted { .. } => {
                let own = self.program.interrupt(process);
                let writes = before || self.is_interrupted(process);
                let mode = if writes { Mode::Write } else { Mode::Read };
                footprint.push(Access::synchronising(own, mode).publishing(false));
            }
            Instruction::Pass { lock } => footprint.extend(
                [Mode::Acquire, Mode::Release]
                    .map(|mode| Access::synchronising(Location(lock), mode)),
            ),
            _ => return false,
        }
        true
    }

    /// Performs what has to do with interrupts, or takes and frees a lock. Whether it did.
    pub(super) fn perform_interruptible(&mut self, process: Pid, event: &mut Event) -> bool {
        let base = process.index() * self.program.code.registers;
        let pc = self.threads[process.index()].pc;
        match self.program.code.instructions[pc as usize] {
            Instruction::Interrupt { child } => {
                let target = self.child_of_main(child);
                self.touch_interrupt(target, &mut event.footprint);
                match self.waits_until_interrupted(self.thread(target)) {
                    Some(condition) => {
                        self.leave(condition, target);
                        self.threads[target.index()].woken = true;
                        self.threads[target.index()].stopped = true;
                        self.trail.push(Undo::Woken(target.0));
                    }
                    None => self.set_interrupt(target, true),
                }
            }
            Instruction::Interrupted { to } => {
                self.touch_synchronising(process, false, &mut event.footprint);
                let interrupted = self.is_interrupted(process);
                if interrupted {
                    self.set_interrupt(process, false);
                }
                self.assign(base, to, Value::Int(interrupted.into()));
            }
            Instruction::Pass { .. } => {
                self.touch_synchronising(process, false, &mut event.footprint);
                event.guarded = true;
            }
            Instruction::WaitOr { to, .. } if self.fails_to_wait(process) => {
                let own = self.program.interrupt(process);
                let learns = Access::synchronising(own, Mode::Write).publishing(false);
                event.footprint.push(learns);
                self.set_interrupt(process, false);
                self.assign(base, to, Value::Int(STOPPED));
                self.threads[process.index()].pc = pc + 1;
            }
            Instruction::WaitOr { condition, lock, .. } => {
                self.touch_changed_wait(process, &mut event.footprint);
                self.begin_to_wait(process, condition, lock, event);
            }
            Instruction::ResumeOr { to, condition, lock, timed } => {
                let Thread { woken, stopped, depth, .. } = *self.thread(process);
                if timed {
                    self.touch_late_resume(process, &mut event.footprint);
                    event.guarded = true;
                } else {
                    let own = self.program.cell(process);
                    event.footprint.push(Access::synchronising(own, Mode::Await));
                }
                event.footprint.push(Access::synchronising(Location(lock), Mode::Acquire));
                if !woken {
                    self.leave(condition, process);
                }
                self.set_lock(lock, LockState { holder: process.0, depth });
                let why = match (woken, stopped) {
                    (false, _) => LATE,
                    (true, false) => NOTIFIED,
                    (true, true) => STOPPED,
                };
                self.assign(base, to, Value::Int(why));
            }
            Instruction::JoinOr { to, thread } => {
                let Value::Thread(other) = self.registers[base + usize::from(thread)] else {
                    unreachable!("the thread stands here because it joins another")
                };
                event.guarded = self.joins_early(process);
                self.touch_join(process, Pid(other), &mut event.footprint);
                let stopped = !self.has_ended(Pid(other));
                if stopped {
                    self.set_interrupt(process, false);
                }
                self.assign(base, to, Value::Int(stopped.into()));
            }
            _ => return false,
        }
        self.threads[process.index()].pc += 1;
        true
    }

    /// A thread leaves a wait set.
    fn leave(&mut self, condition: u32, process: Pid) {
        let waiters = &mut self.waiters[condition as usize];
        let position = waiters.iter().position(|&waiter| waiter == process.0);
        let position = position.expect("who waits is in the wait set");
        waiters.remove(position);
        let position = u32::try_from(position).expect("few threads wait");
        self.trail.push(Undo::Left { condition, position, process: process.0 });
    }

    /// Whether a lock is free for a thread that only takes it for a moment.
    pub(super) fn may_pass(&self, lock: u32) -> bool {
        self.locks[lock as usize].holder == NOBODY
    }
}
