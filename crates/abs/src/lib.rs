//! ABS models: from source text to something that can be explored.
//!
//! [`load()`] takes the files of a model and gives a lowered [`program::Model`] together with every message
//! about it. The stages are [`syntax`] (text to tree, never fails), `check` (what names and types mean),
//! `lower` (typed code) and [`program`] (the form a machine runs). [`machine`] runs it, behind the traits by
//! which explorers drive programs, and [`generate`] makes test cases of its runs with unknown data.

pub mod analysis;
mod check;
pub mod diagnostics;
pub mod generate;
pub mod library;
mod load;
mod lower;
pub mod machine;
pub mod picture;
pub mod program;
pub mod source;
pub mod syntax;

pub use load::{LoadOptions, LoadResult, ParseResult, load, parse};
