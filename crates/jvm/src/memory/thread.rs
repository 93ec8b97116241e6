//! Threads: registers, a flat stack of frames, and how both are restored.
//!
//! A frame is its local words (the parameters first, which were the caller's operands), a header of
//! two words, and its operands. The header says where to go on in the caller: its method, its next
//! instruction and its base, and what to do on return ([`Hook`]).

use std::num::NonZeroU32;

use smallvec::SmallVec;

use super::object::{INTERNALS, LIBRARY, REACHED, Reference, SHARED};
use crate::world::MethodId;

/// What a frame does not stop at although other threads can reach it. In the second header word of a
/// frame it says so of the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HiddenMemory(u64);

impl HiddenMemory {
    /// It stops at everything.
    pub const NOTHING: HiddenMemory = HiddenMemory(0);
    /// Code of the library's own caches: it does not stop at what they hold.
    pub const LIBRARY: HiddenMemory = HiddenMemory(1 << 8);
    /// Inside an atomic call: it does not stop at what the call is about.
    pub const INTERNALS: HiddenMemory = HiddenMemory(1 << 9);

    /// What a header word says of the caller.
    #[inline(always)]
    pub fn of(header: u64) -> HiddenMemory {
        HiddenMemory(header & 3 << 8)
    }

    /// The bits for a header word.
    #[inline(always)]
    pub fn bits(self) -> u64 {
        self.0
    }

    /// Both together.
    #[inline(always)]
    pub fn and(self, other: HiddenMemory) -> HiddenMemory {
        HiddenMemory(self.0 | other.0)
    }

    /// Whether it does not stop inside an atomic call.
    pub fn is_inside(self) -> bool {
        self.0 & HiddenMemory::INTERNALS.0 != 0
    }

    /// The flags of the objects that it stops at.
    #[inline(always)]
    pub fn stops_at(self) -> u64 {
        const FLAGS: [u64; 4] = [REACHED, REACHED & !LIBRARY, REACHED & !INTERNALS, SHARED];
        FLAGS[(self.0 >> 8) as usize & 3]
    }
}

/// Words between the locals and the operands of a frame.
pub const FRAME_HEADER_WORDS: usize = 2;

/// Where threads wait to be notified. A condition is an object like any other, so it has two of them: who waits
/// for a signal is not woken by `notifyAll`, nor the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitSet {
    /// The object or condition.
    pub object: Reference,
    /// Whether it is the queue of a condition, and not the wait set of a monitor.
    pub is_queue: bool,
}

impl WaitSet {
    /// That of an object's monitor.
    pub fn of_monitor(object: Reference) -> WaitSet {
        WaitSet { object, is_queue: false }
    }

    /// That of a condition.
    pub fn of_condition(object: Reference) -> WaitSet {
        WaitSet { object, is_queue: true }
    }

    /// That in which a thread waits that has freed a lock.
    pub fn of(object: Reference, lock: Reference) -> WaitSet {
        WaitSet { object, is_queue: object != lock }
    }
}

/// What a thread is doing between two steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadStatus {
    /// About to perform the instruction at its program counter.
    Running,
    /// In the wait set of an object or condition whose lock it held `count` times.
    Waiting {
        /// The object or condition.
        object: Reference,
        /// The object whose monitor is the lock.
        lock: Reference,
        /// How often it held the lock.
        count: u32,
        /// Whether it may stop waiting because time has passed.
        timed: bool,
        /// Whether an interrupt wakes it.
        interruptible: bool,
    },
    /// Woken, and about to take the lock back.
    Reacquiring {
        /// The object or condition.
        object: Reference,
        /// The object whose monitor is the lock.
        lock: Reference,
        /// How often it has to hold the lock.
        count: u32,
        /// Why it was woken.
        reason: WakeReason,
        /// Whether it had been woken before that, so that it could have gone on without.
        again: bool,
    },
    /// Ended.
    Terminated,
    /// In `System.exit`, from which it does not come back.
    Exiting,
}

impl ThreadStatus {
    /// That of a thread that has just been woken from a wait.
    pub fn woken(
        object: Reference,
        lock: Reference,
        count: u32,
        reason: WakeReason,
    ) -> ThreadStatus {
        ThreadStatus::Reacquiring { object, lock, count, reason, again: false }
    }
}

/// Why a thread stops waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WakeReason {
    /// It was notified.
    Notified,
    /// It was notified, and its time has passed before it has its lock back.
    NotifiedLate,
    /// It was notified, unless its time had passed before. Only an interrupt that comes before it has its lock back
    /// makes a difference.
    NotifiedUnlessLate,
    /// It was interrupted, and a notification may still find it in the wait set.
    Interrupted,
    /// It was interrupted, and had left the wait set when a notification came.
    LeftInterrupted,
    /// It was interrupted, had noticed that, and was interrupted again.
    InterruptedAgain,
    /// Time has passed.
    TimedOut,
    /// For no reason, as the language specification permits.
    Spurious,
}

/// Threads in a wait set, and why each stops waiting.
pub type Woken = SmallVec<[(usize, WakeReason); 2]>;

/// The registers and small state of a thread.
#[derive(Debug, Clone, Copy)]
pub struct Core {
    /// The method of the top frame.
    pub method: MethodId,
    /// Its current instruction.
    pub pc: u32,
    /// Where the locals of the top frame start.
    pub base: u32,
    /// The first free word of the stack.
    pub sp: u32,
    /// What the top frame does not stop at.
    pub hidden: HiddenMemory,
    /// How many monitors it has entered hidden and not left yet.
    pub hidden_monitors: u32,
    /// What it is doing.
    pub status: ThreadStatus,
    /// Threads started by this one so far.
    pub children: u32,
    /// Threads given a number in their name by this one so far.
    pub named: u32,
    /// Threads given an identifier by this one so far.
    pub identified: u32,
    /// Nanoseconds on the thread's own clock.
    pub clock: u64,
    /// How often it has looked at its clock.
    pub ticks: u32,
    /// Whether `unpark` was called since the last `park`.
    pub permit: bool,
    /// Whether it was interrupted.
    pub interrupted: bool,
    /// Whether it does not keep the program alive.
    pub daemon: bool,
    /// The exception that nobody caught, which ends it.
    pub uncaught: Reference,
    /// Whether no handler of the program has taken that exception.
    pub unhandled: bool,
    /// Whether it has not come yet to the operation before which it stands, as far as others who ask
    /// for its state can tell.
    pub approaching: bool,
    /// Bytes drawn from random sources so far.
    pub drawn: u32,
    /// What a worker of a pool waits for.
    pub idle: Option<IdleWorker>,
    /// Whether it has just helped with what depends on the future that it waits for.
    pub helped: bool,
    /// Whether it has found no interrupt at the beginning of the call that it stands before.
    pub checked: bool,
    /// Which locks it holds and how often, as a number: see [`Core::hold`].
    pub held: u64,
    /// Whether the task of a pool that it runs has come to something that it may have to wait for.
    pub waited: bool,
}

/// Up to this size records are copied without a call.
const _: () = assert!(size_of::<Core>() <= 128);

/// A worker of a pool that waits for a task to be handed to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdleWorker {
    /// The queue of its pool.
    pub queue: Reference,
    /// Who came later has a larger number.
    pub place: NonZeroU32,
    /// The task, or null until it is handed over.
    pub task: Reference,
}

/// A thread.
#[derive(Debug, Clone)]
pub struct Thread {
    /// Registers; change them through [`Threads::touch`].
    pub core: Core,
    /// Frames.
    pub stack: Vec<u64>,
    /// The `java.lang.Thread`, all its life.
    pub object: Reference,
    /// How many threads were there when it was started.
    pub born: u32,
    /// The `ForkJoinPool` whose task it runs, all its life.
    pub pool: Reference,
    /// The mark after which the registers were last saved.
    epoch: u64,
    /// Stack words from here on were saved after the last mark, or did not exist at it.
    pub saved_from: u32,
}

/// All threads, indexed by the number of their name. Numbers of threads that only other executions
/// started are empty.
#[derive(Debug, Clone, Default)]
pub struct Threads {
    /// The threads.
    pub list: Vec<Option<Thread>>,
    /// Whose registers were saved, and whether there were any.
    registers: Vec<(usize, bool)>,
    cores: Vec<Core>,
    blocks: Vec<(usize, u32, u32)>,
    words: Vec<u64>,
    epoch: u64,
    /// Threads that were undone, kept for their stacks.
    spare: Vec<Thread>,
}

/// A point to go back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadsMark {
    registers: usize,
    blocks: usize,
}

/// What to do when a frame returns, besides going on in the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Hook {
    /// Nothing.
    None = 0,
    /// Free the monitor in the last local word.
    Unlock = 1,
    /// The thread ends.
    EndThread = 2,
    /// Return to the machine's own code, which called the method.
    Barrier = 3,
    /// The class of the method is now initialised; repeat the caller's instruction.
    Initialized = 4,
    /// Wrap the result into an object, as reflection does.
    Box = 5,
    /// Leave the object below the arguments as the result, as reflective constructors do.
    Constructed = 6,
    /// Repeat the caller's instruction, which waits for a future: the thread has helped.
    Helped = 7,
    /// Repeat the caller's instruction.
    Again = 8,
}

impl Hook {
    /// The hook of a header word.
    pub fn of(header: u64) -> Hook {
        match header as u8 {
            1 => Hook::Unlock,
            2 => Hook::EndThread,
            3 => Hook::Barrier,
            4 => Hook::Initialized,
            5 => Hook::Box,
            6 => Hook::Constructed,
            7 => Hook::Helped,
            8 => Hook::Again,
            _ => Hook::None,
        }
    }
}

/// Where a frame lies on the stack, for walks from the top down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FramePosition {
    /// Its method.
    pub method: MethodId,
    /// Its current instruction.
    pub pc: u32,
    /// Where its locals start.
    pub base: u32,
}

impl Core {
    /// Registers of a thread that has not run yet.
    pub fn new() -> Core {
        Core {
            method: MethodId(0),
            pc: 0,
            base: 0,
            sp: 0,
            hidden: HiddenMemory::NOTHING,
            hidden_monitors: 0,
            status: ThreadStatus::Running,
            children: 0,
            named: 0,
            identified: 0,
            clock: 0,
            ticks: 0,
            permit: false,
            interrupted: false,
            daemon: false,
            uncaught: Reference::NULL,
            unhandled: false,
            approaching: false,
            drawn: 0,
            idle: None,
            helped: false,
            checked: false,
            held: 0,
            waited: false,
        }
    }
}

impl Core {
    /// Notes that the thread holds a lock so many times more, or less. Threads with the same locks
    /// held as often have the same number.
    #[inline]
    pub fn hold(&mut self, lock: Reference, times: i32) {
        let weight = lock.0.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29) | 1;
        self.held = self.held.wrapping_add(weight.wrapping_mul(i64::from(times) as u64));
    }
}

impl Thread {
    #[cold]
    fn grow_stack(&mut self, words: usize) {
        self.stack.resize(words, 0);
    }
}

impl Threads {
    /// The thread with a number.
    pub fn get(&self, index: usize) -> Option<&Thread> {
        self.list.get(index).and_then(Option::as_ref)
    }

    /// Adds a thread under a number that is not in use, with its `java.lang.Thread`.
    pub fn insert(&mut self, index: usize, object: Reference, core: Core) {
        if self.list.len() <= index {
            self.list.resize_with(index + 1, || None);
        }
        self.registers.push((index, false));
        // A thread that did not exist at the mark needs no saving.
        let stack = self.spare.pop().map(|thread| thread.stack).unwrap_or_default();
        let pool = Reference::NULL;
        let born = self.list.iter().flatten().count() as u32;
        let epoch = self.epoch;
        let thread = Thread { core, stack, object, born, pool, epoch, saved_from: 0 };
        self.list[index] = Some(thread);
    }

    /// The thread for changing, with its registers saved for the last mark.
    #[inline]
    pub fn touch(&mut self, index: usize) -> Option<&mut Thread> {
        let epoch = self.epoch;
        if self.list.get(index)?.as_ref()?.epoch != epoch {
            self.save_registers(index);
        }
        self.list.get_mut(index)?.as_mut()
    }

    #[inline(never)]
    fn save_registers(&mut self, index: usize) {
        let Some(thread) = self.list.get_mut(index).and_then(Option::as_mut) else { return };
        thread.epoch = self.epoch;
        thread.saved_from = thread.core.sp;
        self.registers.push((index, true));
        // As a slice they are copied once, straight to where they stay.
        self.cores.extend_from_slice(std::slice::from_ref(&thread.core));
    }

    /// The same, with its top frame saved for the last mark, too.
    #[inline]
    pub fn touch_frame(&mut self, index: usize) -> Option<&mut Thread> {
        self.touch(index)?;
        let thread = self.list.get_mut(index)?.as_mut()?;
        let from = thread.core.base;
        if from < thread.saved_from {
            let block = &thread.stack[from as usize..thread.saved_from as usize];
            self.words.extend_from_slice(block);
            self.blocks.push((index, from, block.len() as u32));
            thread.saved_from = from;
        }
        Some(thread)
    }

    /// Saves the stack of a touched thread from a word on, as far as it is not saved yet.
    pub fn save_stack(&mut self, index: usize, from: u32, stack: &[u64]) {
        let Some(thread) = self.list.get_mut(index).and_then(Option::as_mut) else { return };
        if from >= thread.saved_from {
            return;
        }
        let block = &stack[from as usize..thread.saved_from as usize];
        self.words.extend_from_slice(block);
        self.blocks.push((index, from, block.len() as u32));
        thread.saved_from = from;
    }

    /// A point to come back to.
    pub fn mark(&mut self) -> ThreadsMark {
        self.epoch += 1;
        ThreadsMark { registers: self.registers.len(), blocks: self.blocks.len() }
    }

    /// Back to a mark; marks made after it are void, it itself is not.
    pub fn undo(&mut self, mark: ThreadsMark) {
        while self.blocks.len() > mark.blocks {
            let Some((index, from, length)) = self.blocks.pop() else { break };
            let start = self.words.len() - length as usize;
            if let Some(thread) = self.list[index].as_mut() {
                let end = (from + length) as usize;
                if thread.stack.len() < end {
                    thread.grow_stack(end);
                }
                thread.stack[from as usize..end].copy_from_slice(&self.words[start..]);
            }
            self.words.truncate(start);
        }
        while self.registers.len() > mark.registers {
            let Some((index, had_any)) = self.registers.pop() else { break };
            if !had_any {
                self.spare.extend(self.list[index].take());
            } else if let (Some(core), Some(thread)) = (self.cores.pop(), &mut self.list[index]) {
                thread.core = core;
            }
        }
        self.epoch += 1;
    }
}
