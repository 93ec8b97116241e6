//! ABS models: from source text to something that can be explored.

pub mod diagnostics;
pub mod source;
pub mod syntax;
