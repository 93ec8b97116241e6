//! Test cases for methods and functions, from runs with unknown arguments and states (`003`, `004`, and
//! chapter 6.3 of `000`).
//!
//! A [`Target`] is what is tested: a context of initial objects and tasks. Whoever explores its program
//! collects a [`TestCase`](crate::machine::TestCase) from each run that ends ([`Run::details`]), and
//! [`confirm`] runs the case again with its values in place of unknowns, on the same schedule, and
//! compares the result and the final state. The machine with unknowns and the one without share the code
//! that moves values about, but no code that decides, compares or computes with unknowns; so this is
//! evidence of its own for each test.
//!
//! **Seam for larger contexts.** [`Target::of_tasks`] takes any objects and tasks, not only one method:
//! system tests (chapter 5 of `000`) differ only in the contexts they begin with.
//!
//! [`Run::details`]: counterpoint_model::Run::details

mod confirm;
mod cover;
mod target;
mod text;

pub use confirm::{
    Confirmation, Rerun, confirm, diagram, difference, given_context, given_program,
    macro_schedule, rerun,
};
pub use cover::{Criterion, MethodCoverage, coverage, smallest};
pub use target::{Target, TargetError, targets};
pub use text::datum_text;

pub use num_bigint::BigInt;
pub use num_rational::BigRational;
