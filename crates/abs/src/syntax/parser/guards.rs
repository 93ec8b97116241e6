//! `await`, `duration`, and effects in the wrong place.

use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{Effect, EffectKind, Expression, Guard, GuardPart, StatementKind};

use super::cursor::Parser;
use super::declarations::error_expression;

impl Parser<'_> {
    pub(super) fn await_statement(&mut self, start: Span) -> StatementKind {
        if self.at_await_call() {
            return StatementKind::Compute(self.computation());
        }
        self.bump();
        let mut parts = Vec::new();
        loop {
            parts.push(self.guard_part());
            if self.at(TokenKind::AndAnd) {
                let span = self.span();
                let message = "the parts of an `await` are joined by `&`";
                self.report(Diagnostic::error(span, message).hint("`&&` joins only conditions"));
                self.bump();
            } else if !self.eat(TokenKind::Ampersand) {
                break;
            }
        }
        let span = self.since(start);
        StatementKind::Await(Guard { parts, span })
    }

    fn guard_part(&mut self) -> GuardPart {
        let start = self.span();
        if self.eat(TokenKind::Duration) {
            let (minimum, maximum) = self.duration_arguments();
            return GuardPart::Duration(minimum, maximum, self.since(start));
        }
        let is_future = match self.peek() {
            TokenKind::Identifier => self.peek_at(1) == TokenKind::DeadlockQuestion,
            TokenKind::This => {
                self.peek_at(1) == TokenKind::Dot
                    && self.peek_at(2) == TokenKind::Identifier
                    && self.peek_at(3) == TokenKind::DeadlockQuestion
            }
            _ => false,
        };
        if is_future {
            let variable = self.variable();
            self.bump();
            return GuardPart::Future(variable);
        }
        let condition = self.expression();
        if self.at(TokenKind::DeadlockQuestion) {
            let span = condition.span;
            self.report(
                Diagnostic::error(span, "only a variable or field can be tested with `?`").hint(
                    "assign the future to a variable first, or write `await o!m();` for a call",
                ),
            );
            self.bump();
        }
        GuardPart::Condition(condition)
    }

    /// `(min, max)` or `(both)`
    pub(super) fn duration_arguments(&mut self) -> (Expression, Expression) {
        let start = self.span();
        let mut arguments = self.arguments().into_iter();
        let minimum = arguments.next();
        let maximum = arguments.next();
        if minimum.is_none() || arguments.next().is_some() {
            let span = self.since(start);
            self.report(
                Diagnostic::error(span, "`duration` takes one or two amounts of time")
                    .hint("write `duration(min, max)`"),
            );
        }
        let minimum = minimum.unwrap_or_else(|| error_expression(start));
        let maximum = maximum.unwrap_or_else(|| minimum.clone());
        (minimum, maximum)
    }

    /// An effect in place of an expression; the message says how to write it.
    pub(super) fn misplaced(&mut self, effect: &Effect) -> Expression {
        let (what, example) = match &effect.kind {
            EffectKind::Get(_) => ("`get`", "x = f.get;"),
            EffectKind::New { .. } => ("`new`", "x = new C();"),
            EffectKind::AsyncCall(_) => ("an asynchronous call", "f = o!m();"),
            EffectKind::AwaitCall(_) => ("an `await` call", "x = await o!m();"),
            EffectKind::SyncCall(_) => ("a method call", "x = o.m();"),
            EffectKind::Original(_) => ("a call of `original`", "x = original();"),
        };
        self.remark(
            Diagnostic::error(effect.span, format!("{what} cannot be part of an expression"))
                .expecting("this has an effect")
                .hint(format!("assign it to a variable first, as in `{example}`")),
        );
        error_expression(effect.span)
    }
}
