//! The interpreter: runs one thread from one visible operation to the next.
//!
//! [`run`](Machine::run) is the loop; everything rare is a function of its own that works on the
//! thread's saved registers, after which the loop reloads them. A stop is always *before* the
//! instruction that would be visible, so that what it would do can be looked at and it can be
//! performed later, after others have moved.

pub(crate) mod arithmetic;
pub(crate) mod atomic;
pub(crate) mod cell;
mod completion;
mod door;
mod exception;
mod fork_join;
mod frame;
mod groups;
mod initialize;
mod insides;
mod invoke;
mod loading;
mod monitor;
mod nested;
mod operation;
mod pending;
mod rare;
mod resolve;
mod run;
mod settle;
mod step;
mod synchroniser;
mod threads;
mod unknown;
mod unknown_box;
mod unknown_memory;
mod wait_set;
mod whole;

pub use completion::Completing;
pub(crate) use completion::FUTURE;
pub(crate) use fork_join::TASK;
pub(crate) use frame::frames;
pub use operation::{Address, Next, Operation};
pub(crate) use resolve::access_flags;
pub(crate) use run::Flow;
pub(crate) use synchroniser::{Concern, Outlook, ReadHold};
pub use synchroniser::{Patience, Synchronise};
pub(crate) use unknown::settles;
pub(crate) use unknown_box::identity_wanted;
pub use whole::{Condition, Sort, Whole};
