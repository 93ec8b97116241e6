//! Going back: marks over the whole state of an execution.

use crate::machine::Machine;
use crate::memory::{HeapMark, PERMANENT, ThreadStatus, ThreadsMark};
use crate::unknown::UnknownsMark;

/// A point in an execution to come back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    heap: HeapMark,
    threads: ThreadsMark,
    output: u32,
    errors: u32,
    interned: u32,
    read_holds: u32,
    concurrent: bool,
    alive: u32,
    exit: Option<i32>,
    unknowns: UnknownsMark,
}

impl Machine {
    /// A point to come back to.
    pub fn mark(&mut self) -> Mark {
        Mark {
            heap: self.heap.mark(),
            threads: self.threads.mark(),
            output: self.console.output.len() as u32,
            errors: self.console.errors.len() as u32,
            interned: self.interned.len() as u32,
            read_holds: self.read_holds.len() as u32,
            concurrent: self.concurrent,
            alive: self.alive,
            exit: self.exit,
            unknowns: self.unknowns.mark(),
        }
    }

    /// Back to a mark, at the cost of what was done since. Marks made after it are void; it itself
    /// can be used again.
    pub fn undo(&mut self, mark: Mark) {
        self.heap.undo(mark.heap);
        self.threads.undo(mark.threads);
        self.console.output.truncate(mark.output as usize);
        self.console.errors.truncate(mark.errors as usize);
        self.interned.truncate(mark.interned as usize);
        self.read_holds.truncate(mark.read_holds as usize);
        self.concurrent = mark.concurrent;
        self.alive = mark.alive;
        self.exit = mark.exit;
        self.unknowns.undo(mark.unknowns);
        self.step.started.clear();
    }

    /// A digest of everything that belongs to the execution, and the size of what is permanent:
    /// digests can be compared while that size is the same. For tests; it looks at every word.
    pub fn digest(&self) -> (u64, u32) {
        let mut hash = 0xCBF2_9CE4_8422_2325u64;
        let mut add = |word: u64| hash = crate::natives::mix(hash ^ word);
        self.heap.visit(&mut add);
        self.unknowns.visit(&mut add);
        for (index, thread) in self.threads.list.iter().enumerate() {
            let Some(thread) = thread else { continue };
            let core = &thread.core;
            let status = match core.status {
                ThreadStatus::Running => 0,
                ThreadStatus::Terminated => 1,
                ThreadStatus::Exiting => 2,
                ThreadStatus::Waiting { object, count, timed, interruptible, .. } => {
                    let flags = u64::from(timed) << 1 | u64::from(interruptible);
                    object.0 ^ u64::from(count) << 4 ^ flags
                }
                ThreadStatus::Reacquiring { object, count, reason, .. } => {
                    object.0 ^ u64::from(count) << 4 ^ (reason as u64 + 1) << 2
                }
            };
            let flags = u64::from(core.permit)
                | u64::from(core.interrupted) << 1
                | u64::from(core.daemon) << 2
                | core.hidden.bits()
                | u64::from(core.hidden_monitors) << 32
                | u64::from(core.checked) << 4
                | u64::from(core.helped) << 5;
            let registers = [
                core.method.0,
                core.pc,
                core.base,
                core.sp,
                core.children,
                core.named,
                core.identified,
            ];
            add(index as u64);
            registers.iter().for_each(|word| add(u64::from(*word)));
            [status, flags, thread.object.0, core.clock, core.uncaught.0]
                .iter()
                .for_each(|word| add(*word));
            thread.stack[..core.sp as usize].iter().for_each(|word| add(*word));
        }
        self.console
            .output
            .iter()
            .chain(&self.console.errors)
            .for_each(|byte| add(u64::from(*byte)));
        [
            self.interned.len() as u64,
            self.read_holds.len() as u64,
            u64::from(self.concurrent),
            u64::from(self.alive),
            self.exit.map_or(0, |code| code as u64 + 1),
        ]
        .iter()
        .for_each(|word| add(*word));
        (hash, self.heap.top(PERMANENT))
    }
}
