//! Which statement starts here: looking ahead without consuming anything.
//!
//! Brackets are jumped over, so each of these looks at a statement's own tokens only.

use crate::syntax::lexer::TokenKind;

use super::cursor::Parser;
use super::names::is_word;

impl Parser<'_> {
    /// A word that can only start a statement: good places to go on after a missing `;`.
    pub(super) fn at_statement_word(&self) -> bool {
        let word = self.starts_statement(self.position()) && !self.at(TokenKind::LeftBrace);
        word || self.at_variable_declaration() || self.at_assignment()
    }

    /// Whether the token with that index can only start a statement.
    pub(super) fn starts_statement(&self, index: usize) -> bool {
        use TokenKind::{
            Assert, Await, Die, LeftBrace, MoveCogTo, Return, Skip, Suspend, Throw, Try, While,
        };
        matches!(
            self.kind_at(index),
            Assert
                | Await
                | Die
                | LeftBrace
                | MoveCogTo
                | Return
                | Skip
                | Suspend
                | Throw
                | Try
                | While
        )
    }

    /// `Type name`: looks past type arguments.
    pub(super) fn at_variable_declaration(&self) -> bool {
        if !self.at(TokenKind::TypeIdentifier) {
            return false;
        }
        let Some(end) = self.skip_type(self.position()) else {
            return false;
        };
        let assigned = matches!(self.kind_at(end + 1), TokenKind::Equal | TokenKind::Semicolon);
        let is_name = self.kind_at(end) == TokenKind::Identifier && !self.word_at(end, "as");
        is_name || (assigned && is_word(self.text_at(end)))
    }

    /// The index behind a type that starts at the given index. Only tokens that types consist of are
    /// passed, so this stops early in expressions.
    fn skip_type(&self, start: usize) -> Option<usize> {
        let mut index = start;
        let mut depth = 0usize;
        loop {
            match self.kind_at(index) {
                TokenKind::TypeIdentifier => {
                    index += 1;
                    while self.kind_at(index) == TokenKind::Dot
                        && self.kind_at(index + 1) == TokenKind::TypeIdentifier
                    {
                        index += 2;
                    }
                    if self.kind_at(index) == TokenKind::Less {
                        depth += 1;
                        index += 1;
                        continue;
                    }
                }
                TokenKind::LeftBracket if depth > 0 => {
                    index = self.partner(index)? + 1;
                    continue;
                }
                _ => return None,
            }
            while depth > 0 && self.kind_at(index) == TokenKind::Greater {
                depth -= 1;
                index += 1;
            }
            if depth == 0 {
                return Some(index);
            }
            if self.kind_at(index) != TokenKind::Comma {
                return None;
            }
            index += 1;
        }
    }

    pub(super) fn at_assignment(&self) -> bool {
        match self.peek() {
            TokenKind::Identifier => self.peek_at(1) == TokenKind::Equal,
            TokenKind::This => {
                self.peek_at(1) == TokenKind::Dot
                    && self.peek_at(2) == TokenKind::Identifier
                    && self.peek_at(3) == TokenKind::Equal
            }
            _ => false,
        }
    }

    /// Whether the `await` that stands here has a call behind it: a `!` after an operand, before the end of
    /// the statement and outside brackets.
    pub(super) fn at_await_call(&self) -> bool {
        let mut index = self.position() + 1;
        loop {
            match self.kind_at(index) {
                TokenKind::Bang => {
                    let before = self.previous_kind_at(index);
                    let after_operand = matches!(
                        before,
                        Some(
                            TokenKind::Identifier
                                | TokenKind::TypeIdentifier
                                | TokenKind::This
                                | TokenKind::Null
                                | TokenKind::RightParenthesis
                                | TokenKind::RightBracket
                                | TokenKind::RightBrace
                        )
                    );
                    if after_operand {
                        return true;
                    }
                    index += 1;
                }
                TokenKind::Semicolon
                | TokenKind::RightBrace
                | TokenKind::EndOfFile
                | TokenKind::Ampersand => {
                    return false;
                }
                _ => index = self.partner(index).unwrap_or(index) + 1,
            }
        }
    }

    /// Whether the `if` that stands here is the old conditional expression, as a statement: it has a `then`,
    /// and what follows that does not start with a word of statements.
    pub(super) fn at_if_expression(&self) -> bool {
        let mut index = self.position() + 1;
        if self.kind_at(index) == TokenKind::LeftParenthesis {
            let close = self.partner(index).unwrap_or(index);
            if self.kind_at(close + 1) != TokenKind::Then {
                return false;
            }
        }
        loop {
            match self.kind_at(index) {
                TokenKind::Then => return !self.starts_statement(index + 1),
                TokenKind::Semicolon | TokenKind::RightBrace | TokenKind::EndOfFile => {
                    return false;
                }
                _ => index = self.partner(index).unwrap_or(index) + 1,
            }
        }
    }

    pub(super) fn at_foreach(&self) -> bool {
        self.at_word("foreach")
            && self.peek_at(1) == TokenKind::LeftParenthesis
            && self.peek_at(2) == TokenKind::Identifier
            && matches!(self.peek_at(3), TokenKind::In | TokenKind::Comma)
            && (self.peek_at(3) == TokenKind::In || self.peek_at(5) == TokenKind::In)
    }

    /// `for (..; ..; ..)`, which the language does not have.
    pub(super) fn at_for(&self) -> bool {
        let close = self.partner(self.position() + 1);
        self.at_word("for")
            && self.peek_at(1) == TokenKind::LeftParenthesis
            && close.is_some_and(|close| self.kind_at(close + 1) == TokenKind::LeftBrace)
    }

    /// `switch (..) {`: older models use the word as a name.
    pub(super) fn at_switch(&self) -> bool {
        self.at_word("switch")
            && self.peek_at(1) == TokenKind::LeftParenthesis
            && self
                .partner(self.position() + 1)
                .is_some_and(|close| self.kind_at(close + 1) == TokenKind::LeftBrace)
    }

    /// Whether the `case` that stands here is the old statement: it is one unless something that goes on
    /// with an expression follows its closing brace.
    pub(super) fn at_case_statement(&self) -> bool {
        let mut index = self.position() + 1;
        let open = loop {
            match self.kind_at(index) {
                TokenKind::LeftBrace => break index,
                TokenKind::Case => {
                    // A case expression as the subject: its braces come first.
                    match self.case_end(index) {
                        Some(end) => index = end + 1,
                        None => return true,
                    }
                }
                TokenKind::Semicolon | TokenKind::RightBrace | TokenKind::EndOfFile => return true,
                _ => index = self.partner(index).unwrap_or(index) + 1,
            }
        };
        let Some(close) = self.partner(open) else {
            return true;
        };
        let goes_on = matches!(
            self.kind_at(close + 1),
            TokenKind::Semicolon
                | TokenKind::Bang
                | TokenKind::Dot
                | TokenKind::Plus
                | TokenKind::Minus
                | TokenKind::Star
                | TokenKind::Slash
                | TokenKind::EqualEqual
                | TokenKind::AndAnd
                | TokenKind::OrOr
        );
        !goes_on
    }

    /// The index of the brace that closes the case expression that starts at the given index.
    fn case_end(&self, start: usize) -> Option<usize> {
        let mut pending = 0usize;
        let mut index = start;
        loop {
            match self.kind_at(index) {
                TokenKind::Case => {
                    pending += 1;
                    index += 1;
                }
                TokenKind::LeftBrace => {
                    let close = self.partner(index)?;
                    pending -= 1;
                    if pending == 0 {
                        return Some(close);
                    }
                    index = close + 1;
                }
                TokenKind::Semicolon | TokenKind::RightBrace | TokenKind::EndOfFile => return None,
                _ => index = self.partner(index).unwrap_or(index) + 1,
            }
        }
    }
}
