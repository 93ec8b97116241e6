//! Blocks, statements and guards.

use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{
    Annotation, Block, Computation, Effect, EffectKind, Expression, Guard, GuardPart, Statement,
    StatementBranch, StatementKind, Variable,
};

use super::cursor::Parser;
use super::declarations::error_expression;
use super::names::is_word;

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

    fn end_block(&mut self, start: Span) {
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
        self.missing_semicolon();
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

    /// Reports that a statement does not end; what follows may be a sign of another language.
    fn missing_semicolon(&mut self) {
        let meant = match (self.peek(), self.text_at(self.position())) {
            (TokenKind::Equal, _) => "to compare two values, write `==`",
            (TokenKind::Ampersand, _) | (_, "and") => {
                "the operator is `&&`; `&` only joins the parts of an `await`"
            }
            (TokenKind::Bar, _) | (_, "or") => "the operator is `||`",
            (_, "mod") => "the operator is `%`",
            (TokenKind::Question, _) => "only `await` can test whether a future is resolved",
            _ => {
                self.expect(TokenKind::Semicolon, ";", "after this statement");
                return;
            }
        };
        let message = format!("expected `;` after this statement, found {}", self.found());
        let span = self.span();
        self.report(Diagnostic::error(span, message).hint(meant));
    }

    /// A word that can only start a statement: good places to go on after a missing `;`.
    fn at_statement_word(&self) -> bool {
        use TokenKind::{Assert, Await, Die, MoveCogTo, Return, Skip, Suspend, Throw, Try, While};
        let word = matches!(
            self.peek(),
            Assert | Await | Die | MoveCogTo | Return | Skip | Suspend | Throw | Try | While
        );
        word || self.at_variable_declaration() || self.at_assignment()
    }

    // Declarations, assignments and computations.

    /// `Type name`: looks past type arguments.
    fn at_variable_declaration(&self) -> bool {
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

    fn at_assignment(&self) -> bool {
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
            self.report(
                Diagnostic::error(span, format!("expected a statement, found {word}"))
                    .hint("if this declares a variable: types start with an upper-case letter, as in `Int`, `Bool`, `String`"),
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
        self.remark(Diagnostic::warning(
            span,
            "`movecogto` has no effect: deployment components are not supported",
        ));
        StatementKind::Compute(Computation::Pure(target))
    }

    // Await and guards.

    fn await_statement(&mut self, start: Span) -> StatementKind {
        if self.at_await_call() {
            return StatementKind::Compute(self.computation());
        }
        self.bump();
        let mut parts = Vec::new();
        loop {
            parts.push(self.guard_part());
            if !self.eat(TokenKind::Ampersand) {
                break;
            }
        }
        let span = self.since(start);
        StatementKind::Await(Guard { parts, span })
    }

    /// Whether the `await` that stands here has a call behind it: a `!` after an operand, before the end of
    /// the statement and outside brackets.
    fn at_await_call(&self) -> bool {
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

    fn guard_part(&mut self) -> GuardPart {
        let start = self.span();
        if self.eat(TokenKind::Duration) {
            let (minimum, maximum) = self.duration_arguments();
            return GuardPart::Duration(minimum, maximum, self.since(start));
        }
        let is_future = match self.peek() {
            TokenKind::Identifier => self.peek_at(1) == TokenKind::Question,
            TokenKind::This => {
                self.peek_at(1) == TokenKind::Dot
                    && self.peek_at(2) == TokenKind::Identifier
                    && self.peek_at(3) == TokenKind::Question
            }
            _ => false,
        };
        if is_future {
            let variable = self.variable();
            self.bump();
            return GuardPart::Future(variable);
        }
        let condition = self.expression();
        if self.at(TokenKind::Question) {
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
    fn duration_arguments(&mut self) -> (Expression, Expression) {
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

    // Compound statements.

    fn condition(&mut self, word: &str) -> Expression {
        if self.expect(TokenKind::LeftParenthesis, "(", &format!("after `{word}`")) {
            let condition = self.expression();
            if !self.expect(TokenKind::RightParenthesis, ")", "after the condition") {
                self.skip_past_parenthesis();
            }
            return condition;
        }
        self.expression()
    }

    /// Whether the `if` that stands here is the old conditional expression, as a statement.
    fn at_if_expression(&self) -> bool {
        let open = self.position() + 1;
        match self.kind_at(open) {
            TokenKind::LeftParenthesis => {
                self.partner(open).is_some_and(|close| self.kind_at(close + 1) == TokenKind::Then)
            }
            _ => true,
        }
    }

    fn if_statement(&mut self) -> StatementKind {
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

    fn while_statement(&mut self) -> StatementKind {
        self.bump();
        let condition = self.condition("while");
        let body = Box::new(self.statement());
        StatementKind::While { condition, body }
    }

    fn at_foreach(&self) -> bool {
        self.at_word("foreach")
            && self.peek_at(1) == TokenKind::LeftParenthesis
            && self.peek_at(2) == TokenKind::Identifier
            && matches!(self.peek_at(3), TokenKind::In | TokenKind::Comma)
            && (self.peek_at(3) == TokenKind::In || self.peek_at(5) == TokenKind::In)
    }

    /// `for (..; ..; ..)`, which the language does not have.
    fn at_for(&self) -> bool {
        let close = self.partner(self.position() + 1);
        self.at_word("for")
            && self.peek_at(1) == TokenKind::LeftParenthesis
            && close.is_some_and(|close| self.kind_at(close + 1) == TokenKind::LeftBrace)
    }

    fn for_statement(&mut self, start: Span) -> StatementKind {
        self.report(
            Diagnostic::error(start, "there is no `for` loop")
                .hint("write `foreach (x in list) { .. }`, or `while` with a counter"),
        );
        let close = self.partner(self.position() + 1);
        self.jump(close.map_or(self.position() + 1, |close| close + 1));
        self.statement();
        StatementKind::Error
    }

    fn foreach_statement(&mut self) -> StatementKind {
        self.note_modern();
        self.bump();
        self.bump();
        let element = self.bump_name();
        let index = self.eat(TokenKind::Comma).then(|| self.bump_name());
        self.bump();
        let list = self.expression();
        if !self.expect(TokenKind::RightParenthesis, ")", "after the list of `foreach`") {
            self.skip_past_parenthesis();
        }
        let body = Box::new(self.statement());
        StatementKind::ForEach { element, index, list, body }
    }

    /// `switch (..) {`: older models use the word as a name.
    fn at_switch(&self) -> bool {
        self.at_word("switch")
            && self.peek_at(1) == TokenKind::LeftParenthesis
            && self
                .partner(self.position() + 1)
                .is_some_and(|close| self.kind_at(close + 1) == TokenKind::LeftBrace)
    }

    fn switch_statement(&mut self) -> StatementKind {
        self.note_modern();
        self.bump();
        let subject = self.condition("switch");
        let branches = self.statement_branches();
        StatementKind::Switch { subject, branches }
    }

    /// Whether the `case` that stands here is the old statement: it is one unless something that goes on
    /// with an expression follows its closing brace.
    fn at_case_statement(&self) -> bool {
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

    fn case_statement(&mut self) -> StatementKind {
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

    fn try_statement(&mut self) -> StatementKind {
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
