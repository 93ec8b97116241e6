//! ABS models: from source text to something that can be explored.

pub mod diagnostics;
pub mod machine;
pub mod program;
pub mod source;
pub mod syntax;
