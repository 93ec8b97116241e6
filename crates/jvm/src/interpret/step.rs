//! Steps: one visible operation and all local computation after it.

use super::run::{LoopControl, StopReason};
use crate::classfile::access;
use crate::code::{Code, Instruction, Opcode};
use crate::error::{Fault, FaultKind};
use crate::machine::{Machine, Trap};
use crate::memory::{Reference, Reserve, ThreadStatus, WakeReason};
use crate::witness::route::Route;
use crate::world::{ClassId, MethodId};

/// After how many calls and backward jumps a step looks whether it is to be given up: about every
/// millisecond.
const FUEL_CHUNK: u64 = 1 << 16;

/// After how many bytes that were copied, summed up or compared outside of byte code a step does the same.
const BYTES_CHUNK: u64 = 1 << 18;

impl Machine {
    /// Looks up from a long step, which may go on unless it has taken too long or is to be given up.
    #[cold]
    pub(crate) fn refuel(&mut self) -> Result<LoopControl, Trap> {
        if self.step.more_fuel == 0 {
            return Err(FaultKind::ENDLESS_STEP.into());
        }
        self.look_up()?;
        let fuel = self.step.more_fuel.min(FUEL_CHUNK);
        self.step.more_fuel -= fuel;
        self.step.fuel += fuel;
        Ok(LoopControl::Reload)
    }

    /// Looks whether the step is to be given up, from a loop of the machine's own that can be long.
    pub(crate) fn look_up(&mut self) -> Result<(), Fault> {
        if self.options.interrupt.poll() {
            self.interrupted = true;
            return Err(FaultKind::INTERRUPTED.into());
        }
        Ok(())
    }

    /// A native has done, or is about to do, about as much as copying so many bytes. A few jumps of byte code are
    /// enough to call natives on gigabytes, so they count for themselves when the step is to look up.
    pub(crate) fn worked(&self, bytes: u64) -> Result<(), Fault> {
        let bytes = self.step.bytes.get().saturating_add(bytes);
        if bytes < BYTES_CHUNK {
            self.step.bytes.set(bytes);
            return Ok(());
        }
        self.step.bytes.set(0);
        // The step notes that it was interrupted.
        if self.options.interrupt.poll() { Err(FaultKind::INTERRUPTED.into()) } else { Ok(()) }
    }

    /// Performs the next operation of a thread and runs it up to the one after that; threads it
    /// starts run up to their first operation, or are listed with what has kept them from it.
    ///
    /// The thread must be ready. The alternative is the waiting thread that a notification wakes, or
    /// the side of a branch on an unknown: 0 is false, 1 is true.
    pub fn step(&mut self, thread: usize, alternative: u32) -> Result<(), Fault> {
        self.step.alternative = alternative;
        self.step.effects.clear();
        self.step.failed_children.clear();
        self.step.parked = false;
        self.unknowns.begin_step();
        let branches = self.unknowns.branches(thread);
        if branches && !self.unknowns.choose(thread, alternative == 1) {
            return Err(Fault::internal("a thread takes a side that no input leads to"));
        }
        let result = self.advance_one(thread, !branches);
        while let Some(child) = self.step.started.pop() {
            if let Err(fault) = self.advance_one(child, false) {
                self.step.failed_children.push((child, fault));
            }
        }
        if result.is_err() && self.options.interrupt.raised().is_some() {
            // Whoever finds no room says so and cannot do more.
            self.interrupted = true;
        }
        result
    }

    /// Runs the main thread up to its first operation.
    pub fn begin_main(&mut self) -> Result<(), Fault> {
        if let Some(route) = self.coverage.as_mut().and_then(|coverage| coverage.route.as_mut()) {
            // What starts the machine up is no part of the program.
            *route = Route::default();
        }
        let result = self.advance_one(0, false);
        self.interrupted |= result.is_err() && self.options.interrupt.raised().is_some();
        result
    }

    fn advance_one(&mut self, thread: usize, perform: bool) -> Result<(), Fault> {
        self.current = thread;
        self.segment = thread as u32 + 2;
        self.step.fuel = self.options.fuel.min(FUEL_CHUNK);
        self.step.more_fuel = self.options.fuel - self.step.fuel;
        let Some(state) = self.threads.touch_frame(thread) else {
            return Err(Fault::internal("a thread that does not exist is used"));
        };
        let reserve = if state.core.uncaught.is_null() { Reserve::None } else { Reserve::Ending };
        self.heap.set_reserve(reserve);
        let mut perform = perform;
        let status = state.core.status;
        if matches!(status, ThreadStatus::Waiting { .. } | ThreadStatus::Reacquiring { .. }) {
            match self.wake(thread)? {
                LoopControl::Reload => perform = false,
                LoopControl::Leave(_) => return Ok(()),
            }
        }
        match self.run(thread, perform)? {
            StopReason::Visible => match self.core(thread)?.hidden_monitors {
                0 => Ok(()),
                _ => Err(self.holds_hidden_monitor(thread)),
            },
            StopReason::Ended | StopReason::Exited => Ok(()),
            StopReason::Returned(_) | StopReason::Threw(_) => {
                Err(Fault::internal("the first method of a thread returned to a caller"))
            }
        }
    }

    /// A thread that waits goes on, as far as it can without performing an instruction.
    #[inline(never)]
    fn wake(&mut self, thread: usize) -> Result<LoopControl, Fault> {
        if let ThreadStatus::Waiting { object, lock, count, timed, .. } = self.core(thread)?.status
        {
            // Time has passed, or it has woken for no reason.
            let reason = if timed { WakeReason::TimedOut } else { WakeReason::Spurious };
            self.core_mut(thread)?.status = ThreadStatus::woken(object, lock, count, reason);
        }
        match self.resume_wait(thread) {
            Ok(control) => Ok(control),
            Err(trap) => {
                self.trap(thread, trap)?;
                Ok(LoopControl::Reload)
            }
        }
    }

    #[cold]
    fn holds_hidden_monitor(&self, thread: usize) -> Fault {
        let method = self.core(thread).map(|core| self.world.method_name(core.method));
        let method = method.unwrap_or_default();
        let method = method.split('(').next().unwrap_or(&method);
        Fault::unsupported(format!(
            "{method} needs something that threads share while the library holds a lock of its own"
        ))
    }

    /// A method that initialises the main class and calls its main method.
    pub(crate) fn main_entry(&mut self, class: ClassId, main: MethodId) -> Result<MethodId, Trap> {
        self.rehearse(class)?;
        let mut instructions = vec![
            Instruction::with(Opcode::InitializeClass, class.0),
            Instruction::with(Opcode::Load, 0),
            Instruction::with(Opcode::InvokeStatic, main.0),
        ];
        instructions.extend(self.last_call_of_main()?);
        instructions.push(Instruction::new(Opcode::Return));
        let code = Code { instructions, local_words: 1, stack_words: 2, ..Code::default() };
        self.add_synthetic(class, "<main>", "([Ljava/lang/String;)V", access::STATIC, code)
    }

    /// The exception that neither the thread nor a handler of the program has caught, if there is one.
    pub(crate) fn uncaught(&self, thread: usize) -> Option<Reference> {
        let core = &self.threads.get(thread)?.core;
        core.uncaught.non_null().filter(|_| core.unhandled)
    }
}
