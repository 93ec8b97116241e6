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
//! System tests (chapter 5 of `000`) differ only in the contexts they begin with: [`system_targets`] takes
//! tasks that the user names, [`deadlock_targets`] those that interfere with a cycle of waiting.
//! [`unit_tests`] writes cases down as ABS source.
//!
//! [`Run::details`]: counterpoint_model::Run::details

mod ahead;
mod confirm;
mod cover;
mod system;
mod target;
mod text;
mod unit_tests;

pub use ahead::points_ahead;
pub use confirm::{
    Confirmation, ExecutedPath, Rerun, complete, confirm, diagram, difference, ending,
    given_context, given_program, macro_schedule, rerun,
};
pub use cover::{Criterion, MethodCoverage, Missing, coverage, smallest};
pub use system::{MOST_CONTEXTS, deadlock_targets, system_targets};
pub use target::{Target, TargetError, targets};
pub use text::datum_text;
pub use unit_tests::{PRODUCT, UnitTest, UnitTests, unit_tests};

pub use num_bigint::BigInt;
pub use num_rational::BigRational;
