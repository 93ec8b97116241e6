//! What an execution of a concurrent program is.
//!
//! A front end turns a program into a [`Program`]; an explorer drives [`Run`]s of it, one [`Choice`]
//! at a time, and sees each step as an [`Event`]. Everything that front ends and explorers must agree
//! on is in this crate and nothing else is: the operations, what they touch, when two events are
//! dependent, how a schedule is written down, and what a result may claim.
//!
//! **Invariant.** This crate knows no language, no explorer and no file. All nondeterminism of a run
//! is in the choices it is given, so the same choices from the same inputs give the same events.

mod choice;
mod coverage;
pub mod diagram;
mod event;
mod finding;
mod inspect;
mod interrupt;
mod location;
mod process;
mod run;
mod schedule;
mod verdict;
pub mod words;

pub use choice::Choice;
pub use coverage::{BranchCoverage, FileCoverage};
pub use event::{Access, Event, Footprint, Mode, Op, conflict, copy_footprint};
pub use finding::{Fault, Finding, FindingKind, Likeness, Waiting};
pub use inspect::StateNode;
pub use interrupt::{Interrupt, SMALL};
pub use location::{Location, Place, Site};
pub use process::{Pid, ProcessNames};
pub use run::{
    Alternatives, Digests, EarlyWrite, End, Explanation, Feasible, HURRY, Input, Mark, Narrate,
    Next, Observe, Program, Prospect, Reading, Rewind, Run, StepDependences,
};
pub use schedule::{Schedule, ScheduleError};
pub use verdict::{Bound, Verdict};
