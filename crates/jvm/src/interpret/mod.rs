//! The interpreter: runs one thread from one visible operation to the next.
//!
//! [`run`](Machine::run) is the loop; everything rare is a function of its own that works on the
//! thread's saved registers, after which the loop reloads them. A stop is always *before* the
//! instruction that would be visible, so that what it would do can be looked at and it can be
//! performed later, after others have moved.

pub(crate) mod access;
pub(crate) mod arithmetic;
pub(crate) mod atomic_call;
mod completion;
mod compute;
mod concretise;
pub(crate) mod concurrent_map;
mod ending;
pub(crate) mod environment;
mod exception;
pub(crate) mod files;
pub(crate) mod fork_join;
mod frame;
pub(crate) mod hidden_check;
mod initialize;
mod internals;
mod invoke;
mod jdk_operation;
mod loading;
mod monitor;
mod native_check;
mod nested;
mod next;
mod operation;
mod rare;
mod resolve;
mod run;
mod shutdown;
mod step;
pub(crate) mod synchroniser;
mod thread_groups;
pub(crate) mod thread_operation;
mod threads;
mod unknown;
mod unknown_box;
mod unknown_memory;
pub(crate) mod variable;
mod wait_set;
mod waiting_threads;

pub(crate) use completion::FUTURE;
pub use completion::FutureOperation;
pub(crate) use compute::shuffle_words;
pub use files::FileAction;
pub(crate) use fork_join::TASK;
pub(crate) use frame::frames;
pub(crate) use jdk_operation::{
    BASE_OPERATION, Guard, ObservedState, PerformFunction, Subject, SubjectPlace, WaitPolicy,
    modes, permits_given, throws_timeout,
};
pub use jdk_operation::{JdkCall, JdkOperation, OperationKind, Readiness};
pub use operation::{Address, NextOperation, VisibleOperation};
pub(crate) use resolve::access_flags;
pub(crate) use run::LoopControl;
pub(crate) use shutdown::AWAITS_ENDS;
pub(crate) use synchroniser::ReadHold;
pub use thread_operation::ThreadOperation;
pub(crate) use unknown::concretises;
pub(crate) use unknown_box::identity_wanted;
