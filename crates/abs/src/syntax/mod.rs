//! Text to tree and back: [`lexer`], [`tree`], [`parser`] and [`printer`].

pub mod lexer;
pub mod parser;
pub mod printer;
pub(crate) mod state_paths;
pub mod tree;
pub mod weave;
