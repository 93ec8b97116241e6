//! The machine that runs models, one macro-step at a time.
//!
//! **Problem.** An explorer wants to run a model millions of times with every order of its tasks: a
//! step and its undoing must cost about as much as the statements in it.
//!
//! **Idea.** A task is a process; a step is a macro-step, in which a task runs on its cog until it
//! returns, releases the cog or blocks it ([`step`]). A free choice (`random`) ends a step, too, with
//! the cog kept, and so does a case distinction about unknown data ([`unknown`]). Values never change and are shared ([`value`]), fields and records are overwritten
//! in place with a trail ([`state`], [`heap`]), and code is executed as it was lowered
//! ([`evaluate`]). Guards are evaluated when somebody asks whether a task can move ([`guard`]).
//!
//! **What a step touches** depends on the level of reduction ([`Reduction`]). All levels: the step
//! that posts a task writes the task's location and the task's first step awaits it; the step that
//! resolves the future writes it again; who goes on because a future is resolved awaits it, and who
//! tests a future (`get`, or `await` where it goes on if the guard holds) reads it. Beyond that:
//!
//! - `none`: every step writes one location;
//! - `object`: every step writes its cog;
//! - `field`: a step reads its cog, or writes it if the cog is kept before or after the step; and it
//!   reads and writes the fields that it really touches, those of guards included.
//!
//! A step is `guarded` if its task could have been unable to move for another reason than an `Await`:
//! a cog that was kept by somebody, or a guard over fields.
//!
//! Under `cut_at_deadlock`, under policies and in models that speak of time, whether a task can move
//! depends on all others: `none` is in force.
//!
//! **Invariant.** Names, and with them all numbers in events, do not depend on the schedule
//! ([`names`]). What people read of them is made in [`naming`].

mod awaiting;
mod builtins;
mod calls;
mod coverage;
mod digest;
mod evaluate;
mod exceptions;
mod expectations;
mod explain;
mod facts;
mod footprint;
mod guard;
mod hash;
mod heap;
mod inspect;
mod live;
mod names;
mod naming;
mod number;
mod options;
mod program;
mod prospect;
mod reach;
mod record;
mod relevance;
mod sharing;
mod show;
mod state;
mod step;
mod universe;
mod unknown;
mod value;
mod visited;
mod waiting;

pub use coverage::{CoveragePoint, PointKind};
pub use explain::{Account, Macrostep};
pub use facts::Facts;
pub use options::{AwaitPolicy, ObjectPolicy, Options, Reduction, TaskPolicy};
pub use program::ModelProgram;
pub use prospect::CycleWait;
pub use record::Stop;
pub use unknown::case::{Ended, FieldCase, ObjectCase, Outcome, Slot, TaskCase, TaskEnd, TestCase};
pub use unknown::context::{Context, ContextObject, ContextTask, Datum, Subject};
pub(crate) use unknown::table::substitute;
pub use unknown::{Criteria, Cut};

pub(crate) use unknown::table as unknown_types;
