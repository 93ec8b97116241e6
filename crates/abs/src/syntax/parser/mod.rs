//! A parser that never fails.
//!
//! Recursive descent over the token list. [`parse`] always returns a tree, together with every message it
//! could find: after an error the parser goes on at the next `;`, at the `}` that closes the block, or at the
//! next word that can only start a declaration. One place gives at most one message.
//!
//! What keeps it safe on any input:
//! - every loop consumes a token per round or stops;
//! - looking ahead is a constant number of tokens, or a jump over a pair of brackets whose partners were
//!   computed once at the start, so parsing takes time linear in the text (times the nesting depth at worst);
//! - nesting is counted ([`MAXIMUM_NESTING`]) and too much of it ends the file with a message.
//!
//! Constructs outside the supported language (product lines, foreign code, ...) are recognised in
//! `out_of_scope` and named for what they are.

mod classes;
mod compound;
mod cursor;
mod declarations;
mod deltas;
mod expressions;
mod guards;
mod lookahead;
mod names;
mod out_of_scope;
mod patterns;
mod primaries;
mod statements;

use crate::diagnostics::Diagnostic;
use crate::source::FileId;
use crate::syntax::lexer;
use crate::syntax::tree::{Expression, Unit};

use cursor::Parser;

/// How deep expressions, statements and types may nest.
pub const MAXIMUM_NESTING: usize = 200;

/// The tree of one file and the messages about it, in the order in which they were found.
pub fn parse(file: FileId, text: &str) -> (Unit, Vec<Diagnostic>) {
    parse_for(file, text, false)
}

/// The tree of one file, with deltas and products if the model is woven.
pub fn parse_for(file: FileId, text: &str, weaving: bool) -> (Unit, Vec<Diagnostic>) {
    let (tokens, diagnostics) = lexer::tokenize(file, text);
    let mut parser = Parser::new(text, tokens, diagnostics).weaving(weaving);
    let unit = parser.unit();
    (unit, parser.into_diagnostics())
}

/// The tree of a text that is one pure expression, and the messages about it.
pub fn parse_expression(file: FileId, text: &str) -> (Expression, Vec<Diagnostic>) {
    let (tokens, diagnostics) = lexer::tokenize(file, text);
    let mut parser = Parser::new(text, tokens, diagnostics);
    let expression = parser.expression();
    if !parser.at(lexer::TokenKind::EndOfFile) {
        parser.expected("the end of the expression");
    }
    (expression, parser.into_diagnostics())
}
