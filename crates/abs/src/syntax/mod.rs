//! Text to tree and back: [`lexer`], [`tree`], [`parser`] and [`printer`].

pub mod lexer;
pub mod parser;
pub mod printer;
pub mod tree;
