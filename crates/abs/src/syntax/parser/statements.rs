//! Blocks, and the statements that end with `;`.

use crate::check::scopes::NO_DEPLOYMENT;
use crate::check::suggestions::closest;
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{Annotation, Block, Computation, Statement, StatementKind, Variable};

use super::cursor::Parser;
use super::out_of_scope::COMPONENT_MODEL;

impl Parser<'_> {
    /// `{ .. }`
    pub(super) fn block(&mut self) -> Block {
        let start = self.span();
        let mut statements = Vec::new();
        if self.expect(TokenKind::LeftBrace, "{", "before the statements") {
            while !self.at(TokenKind::RightBrace) && !self.at_declaration() {
                let before = self.position();
                statements.push(self.statement());
                if self.position() == before {
                    self.bump();
                }
            }
            self.end_block(start);
        }
        let span = self.since(start);
        Block { statements, span }
    }

    pub(super) fn end_block(&mut self, start: Span) {
        if !self.at(TokenKind::RightBrace) {
            let message = format!("expected `}}` at the end of the block, found {}", self.found());
            let span = self.span();
            self.report(Diagnostic::error(span, message).label(start, "the block starts here"));
        }
        self.eat(TokenKind::RightBrace);
    }

    /// One statement with its annotations.
    pub(super) fn statement(&mut self) -> Statement {
        let annotations = self.annotations();
        self.nested(
            |parser| parser.statement_after(annotations),
            |span| Statement { annotations: Vec::new(), kind: StatementKind::Error, span },
        )
    }

    fn statement_after(&mut self, annotations: Vec<Annotation>) -> Statement {
        let start = self.span();
        let kind = self.statement_kind(start);
        let span = self.since(start);
        Statement { annotations, kind, span }
    }

    fn statement_kind(&mut self, start: Span) -> StatementKind {
        match self.peek() {
            TokenKind::LeftBrace => StatementKind::Block(self.block()),
            TokenKind::If if !self.at_if_expression() => self.if_statement(),
            TokenKind::While => self.while_statement(),
            TokenKind::Try => self.try_statement(),
            TokenKind::Case if self.at_case_statement() => self.case_statement(),
            TokenKind::Identifier if self.at_switch() => self.switch_statement(),
            TokenKind::Identifier if self.at_foreach() => self.foreach_statement(),
            TokenKind::Identifier if self.at_for() => self.for_statement(start),
            _ => {
                let before = self.position();
                let kind = self.simple_statement(start);
                self.end_statement(before);
                kind
            }
        }
    }

    /// The statements that end with `;`, without it.
    fn simple_statement(&mut self, start: Span) -> StatementKind {
        match self.peek() {
            TokenKind::Skip => self.word(StatementKind::Skip),
            TokenKind::Suspend => self.word(StatementKind::Suspend),
            TokenKind::Return => {
                self.bump();
                if self.at(TokenKind::Semicolon) {
                    let message = "`return` needs a value";
                    self.report(Diagnostic::error(start, message).hint("write `return Unit;`"));
                    return StatementKind::Error;
                }
                StatementKind::Return(self.computation())
            }
            TokenKind::Assert => {
                self.bump();
                StatementKind::Assert(self.computation())
            }
            TokenKind::Throw => {
                self.bump();
                StatementKind::Throw(self.expression())
            }
            TokenKind::Die => {
                self.bump();
                StatementKind::Die(self.expression())
            }
            TokenKind::Await => self.await_statement(start),
            TokenKind::Duration => {
                self.bump();
                let (minimum, maximum) = self.duration_arguments();
                StatementKind::Duration(minimum, maximum)
            }
            TokenKind::MoveCogTo => self.move_cog(start),
            TokenKind::Semicolon => {
                self.report(
                    Diagnostic::error(start, "there is no empty statement")
                        .hint("remove the `;` or write `skip;`"),
                );
                StatementKind::Error
            }
            TokenKind::Else
            | TokenKind::Catch
            | TokenKind::Finally
            | TokenKind::Then
            | TokenKind::In => {
                self.expected("a statement");
                self.bump();
                StatementKind::Error
            }
            _ if self.at_variable_declaration() => self.variable_declaration(),
            _ if self.at_assignment() => self.assignment(),
            _ => self.computation_statement(),
        }
    }

    fn word(&mut self, kind: StatementKind) -> StatementKind {
        self.bump();
        kind
    }

    /// The `;` behind a simple statement; without it, goes on where the next statement can start.
    fn end_statement(&mut self, start: usize) {
        if self.eat(TokenKind::Semicolon) {
            return;
        }
        self.missing_semicolon(start);
        let moved = self.position() > start;
        loop {
            if self.at(TokenKind::RightBrace)
                || self.at_declaration()
                || self.eat(TokenKind::Semicolon)
            {
                return;
            }
            if moved && self.at_statement_word() {
                return;
            }
            match self.partner(self.position()) {
                Some(end) => self.jump(end + 1),
                None => {
                    self.bump();
                }
            }
        }
    }

    /// Reports that a statement does not end. What looks like a call may have been meant for the word of a statement.
    fn missing_semicolon(&mut self, start: usize) {
        let word = self.text_at(start);
        let is_call = self.kind_at(start) == TokenKind::Identifier
            && self.partner(start + 1).is_some_and(|close| close + 1 == self.position());
        let meant = match word {
            _ if !is_call => None,
            "elif" | "elsif" | "elseif" => Some("else if"),
            _ if !self.at(TokenKind::LeftBrace) => None,
            _ => closest(word, ["while", "foreach", "switch"]),
        };
        let Some(meant) = meant else {
            self.expect_behind_expression(TokenKind::Semicolon, ";", "after this statement");
            return;
        };
        let message = format!("there is no statement `{word}`");
        let span = self.span_at(start);
        self.report(Diagnostic::error(span, message).hint(format!("did you mean `{meant}`?")));
    }

    fn variable_declaration(&mut self) -> StatementKind {
        let Some(type_use) = self.type_use_after(Vec::new()) else {
            return StatementKind::Error;
        };
        let Some(name) = self.identifier("the name of a variable") else {
            return StatementKind::Error;
        };
        let value = self.eat(TokenKind::Equal).then(|| self.computation());
        StatementKind::Declare { type_use, name, value }
    }

    fn assignment(&mut self) -> StatementKind {
        let target = self.variable();
        self.bump();
        let value = self.computation();
        StatementKind::Assign { target, value }
    }

    /// `x` or `this.x`, which the caller has seen to be there.
    pub(super) fn variable(&mut self) -> Variable {
        let start = self.span();
        let this = self.eat(TokenKind::This);
        if this {
            self.bump();
        }
        let name = self.bump_name();
        let span = start.to(name.span);
        Variable { this, name, span }
    }

    fn computation_statement(&mut self) -> StatementKind {
        let looks_like_declaration = self.at(TokenKind::Identifier)
            && self.peek_at(1) == TokenKind::Identifier
            && matches!(self.peek_at(2), TokenKind::Equal | TokenKind::Semicolon);
        if looks_like_declaration {
            let (span, word) = (self.span(), self.found());
            let hint = if self.at_word("rebind") {
                COMPONENT_MODEL
            } else {
                "if this declares a variable: types start with an upper-case letter, as in `Int`, `Bool`, `String`"
            };
            self.report(
                Diagnostic::error(span, format!("expected a statement, found {word}")).hint(hint),
            );
            return StatementKind::Error;
        }
        let computation = self.computation();
        if self.at(TokenKind::Equal) {
            let span = computation.span();
            self.report(Diagnostic::error(span, "this cannot be assigned to").hint(
                "only variables and the object's own fields (`x` or `this.x`) can be assigned",
            ));
        }
        StatementKind::Compute(computation)
    }

    fn move_cog(&mut self, start: Span) -> StatementKind {
        self.bump();
        let target = self.expression();
        let span = self.since(start);
        self.remark(
            Diagnostic::warning(
                span,
                "`movecogto` has no effect: deployment components are not supported",
            )
            .assuming(NO_DEPLOYMENT),
        );
        StatementKind::Compute(Computation::Pure(target))
    }
}
