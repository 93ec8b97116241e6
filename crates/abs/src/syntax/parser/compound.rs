//! Statements that contain statements.

use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{Expression, StatementBranch, StatementKind};

use super::cursor::Parser;

impl Parser<'_> {
    fn condition(&mut self, word: &str) -> Expression {
        if self.expect(TokenKind::LeftParenthesis, "(", &format!("after `{word}`")) {
            let condition = self.expression();
            if !self.expect_behind_expression(
                TokenKind::RightParenthesis,
                ")",
                "after the condition",
            ) {
                self.skip_past_parenthesis();
            }
            return condition;
        }
        self.expression()
    }

    pub(super) fn if_statement(&mut self) -> StatementKind {
        self.bump();
        let condition = self.condition("if");
        if self.at(TokenKind::Then) {
            let span = self.span();
            self.report(
                Diagnostic::error(span, "an `if` statement has no `then`")
                    .hint("write `if (condition) { .. } else { .. }`; the expression is `when c then a else b`"),
            );
            self.bump();
        }
        let then = Box::new(self.statement());
        let otherwise = self.eat(TokenKind::Else).then(|| Box::new(self.statement()));
        StatementKind::If { condition, then, otherwise }
    }

    pub(super) fn while_statement(&mut self) -> StatementKind {
        self.bump();
        let condition = self.condition("while");
        let body = Box::new(self.statement());
        StatementKind::While { condition, body }
    }

    pub(super) fn for_statement(&mut self, start: Span) -> StatementKind {
        self.report(
            Diagnostic::error(start, "there is no `for` loop")
                .hint("write `foreach (x in list) { .. }`, or `while` with a counter"),
        );
        let close = self.partner(self.position() + 1);
        self.jump(close.map_or(self.position() + 1, |close| close + 1));
        self.statement();
        StatementKind::Error
    }

    pub(super) fn foreach_statement(&mut self) -> StatementKind {
        self.note_modern();
        self.bump();
        self.bump();
        let element = self.bump_name();
        let index = self.eat(TokenKind::Comma).then(|| self.bump_name());
        self.bump();
        let list = self.expression();
        if !self.expect_behind_expression(
            TokenKind::RightParenthesis,
            ")",
            "after the list of `foreach`",
        ) {
            self.skip_past_parenthesis();
        }
        let body = Box::new(self.statement());
        StatementKind::ForEach { element, index, list, body }
    }

    pub(super) fn switch_statement(&mut self) -> StatementKind {
        self.note_modern();
        self.bump();
        let subject = self.condition("switch");
        let branches = self.statement_branches();
        StatementKind::Switch { subject, branches }
    }

    pub(super) fn case_statement(&mut self) -> StatementKind {
        self.note_old();
        self.bump();
        let subject = self.expression();
        let branches = self.statement_branches();
        StatementKind::Switch { subject, branches }
    }

    /// `{ pattern => statement .. }`
    pub(super) fn statement_branches(&mut self) -> Vec<StatementBranch> {
        let mut branches = Vec::new();
        let start = self.span();
        if !self.expect(TokenKind::LeftBrace, "{", "before the branches") {
            return branches;
        }
        while !self.at(TokenKind::RightBrace) && !self.at_declaration() {
            let before = self.position();
            self.eat(TokenKind::Bar);
            branches.push(self.statement_branch());
            if self.position() == before {
                self.bump();
            }
        }
        self.end_block(start);
        branches
    }

    fn statement_branch(&mut self) -> StatementBranch {
        let pattern = self.pattern();
        self.expect(TokenKind::Arrow, "=>", "after the pattern");
        let body = self.statement();
        StatementBranch { pattern, body }
    }

    pub(super) fn try_statement(&mut self) -> StatementKind {
        self.note_modern();
        self.bump();
        let body = Box::new(self.statement());
        let mut catches = Vec::new();
        if self.expect(TokenKind::Catch, "catch", "after the statement of `try`") {
            if self.at(TokenKind::LeftBrace) {
                catches = self.statement_branches();
            } else {
                catches.push(self.statement_branch());
            }
        }
        let finally = self.eat(TokenKind::Finally).then(|| Box::new(self.statement()));
        StatementKind::Try { body, catches, finally }
    }
}
