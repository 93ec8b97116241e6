//! Patterns.

use crate::diagnostics::Diagnostic;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{Pattern, PatternKind};

use super::cursor::Parser;
use super::primaries::{integer, string};

impl Parser<'_> {
    pub(super) fn pattern(&mut self) -> Pattern {
        self.nested(Self::pattern_here, |span| Pattern { kind: PatternKind::Error, span })
    }

    fn pattern_here(&mut self) -> Pattern {
        let start = self.span();
        let kind = match self.peek() {
            TokenKind::Underscore => {
                self.bump();
                PatternKind::Anything
            }
            TokenKind::Integer => {
                let value = integer(self.text_at(self.position()));
                self.bump();
                PatternKind::Integer(value)
            }
            TokenKind::String => {
                let value = string(self.text_at(self.position()));
                self.bump();
                PatternKind::String(value)
            }
            TokenKind::Identifier => PatternKind::Variable(self.bump_name()),
            TokenKind::TypeIdentifier => self.constructor_pattern(),
            _ => self.unknown_pattern(),
        };
        let span = self.since(start);
        Pattern { kind, span }
    }

    fn constructor_pattern(&mut self) -> PatternKind {
        let first = self.bump_name();
        let constructor = self.qualified_rest(first);
        let mut arguments = Vec::new();
        if self.eat(TokenKind::LeftParenthesis) {
            while !self.at(TokenKind::RightParenthesis) {
                let before = self.position();
                arguments.push(self.pattern());
                if !self.eat(TokenKind::Comma) || self.position() == before {
                    break;
                }
            }
            if !self.expect(TokenKind::RightParenthesis, ")", "after the arguments of the pattern")
            {
                self.skip_past_parenthesis();
            }
        }
        PatternKind::Construct { constructor, arguments }
    }

    fn unknown_pattern(&mut self) -> PatternKind {
        let message = format!("expected a pattern, found {}", self.found());
        let mut diagnostic = Diagnostic::error(self.span(), message);
        diagnostic = match self.peek() {
            TokenKind::Minus | TokenKind::Float => {
                diagnostic.hint("negative and floating-point numbers are no patterns: use a variable and compare it")
            }
            TokenKind::Null | TokenKind::This => {
                diagnostic.hint("references cannot be matched: compare with `==` instead")
            }
            _ => diagnostic.hint("a pattern is `_`, a number, a string, a variable or a constructor"),
        };
        self.report(diagnostic);
        if matches!(
            self.peek(),
            TokenKind::Minus | TokenKind::Float | TokenKind::Null | TokenKind::This
        ) {
            let minus = self.bump().kind == TokenKind::Minus;
            if minus && matches!(self.peek(), TokenKind::Integer | TokenKind::Float) {
                self.bump();
            }
        }
        PatternKind::Error
    }
}
