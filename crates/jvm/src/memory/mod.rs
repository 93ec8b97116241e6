//! The mutable state of an execution, kept so that going back costs what was written.
//!
//! Everything the program can change lies in flat arrays of words: the [`Heap`] (objects, arrays
//! and, in the mirrors of classes, static fields and initialisation states) and the stacks of
//! [`Thread`]s. A write to a heap word that existed at the last mark appends its address and old
//! value to a log; what was allocated since is simply cut off. A thread's registers are saved when
//! it first moves after a mark, and of its stack only the frames it touches.
//!
//! **Invariant.** After [`Heap::undo`] and [`Threads::undo`] every live word has the value it had at
//! the mark. Class metadata is not part of the state: it is the same in every execution.

mod heap;
mod object;
mod thread;

pub use heap::{Heap, HeapMark, PERMANENT, Reserve};
pub use object::{
    ARRAY_HEADER_WORDS, BOXED, FROZEN, Header, INTERNALS, LIBRARY, OBJECT_HEADER_WORDS, REACHED,
    READ_HELD, Reference, SHARED, SINGLE_COUNT,
};
pub use thread::{
    Core, FRAME_HEADER_WORDS, FramePosition, HiddenMemory, Hook, IdleWorker, Thread, ThreadStatus,
    Threads, ThreadsMark, WaitSet, WakeReason, Woken,
};
