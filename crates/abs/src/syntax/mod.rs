//! Text to tree: [`lexer`], [`tree`] and [`parser`].

pub mod lexer;
pub mod parser;
pub mod tree;
