//! Operands: literals, names, calls, and the effects that follow an object or a future.

use std::sync::Arc;

use num_bigint::BigInt;

use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{
    Call, Computation, Effect, EffectKind, Expression, ExpressionKind, FunctionArgument, Place,
    QualifiedName, TemplatePart,
};

use super::cursor::Parser;
use super::declarations::error_expression;
use super::names::unqualified;

impl Parser<'_> {
    /// An operand with what follows it: `.get`, `.m(..)`, `!m(..)`.
    pub(super) fn primary(&mut self) -> Computation {
        let start = self.span();
        let mut operand = self.operand(start);
        loop {
            let is_bang = self.at(TokenKind::Bang);
            if !is_bang && !self.at(TokenKind::Dot) {
                return operand;
            }
            let follower = self.peek_at(1);
            let is_call = matches!(follower, TokenKind::Identifier)
                && self.peek_at(2) == TokenKind::LeftParenthesis;
            if follower == TokenKind::Get && !is_bang {
                self.bump();
                self.bump();
                let future = self.pure(operand);
                if self.at(TokenKind::LeftParenthesis)
                    && self.peek_at(1) == TokenKind::RightParenthesis
                {
                    let span = self.span();
                    self.report(
                        Diagnostic::error(span, "`get` has no arguments")
                            .hint("write `f.get` without parentheses"),
                    );
                    self.bump();
                    self.bump();
                }
                operand = self.effect(EffectKind::Get(future), start);
            } else if is_call {
                self.bump();
                let method = self.bump_name();
                let arguments = self.arguments();
                let callee = self.pure(operand);
                let call = Call { callee, method, arguments };
                let kind =
                    if is_bang { EffectKind::AsyncCall(call) } else { EffectKind::SyncCall(call) };
                operand = self.effect(kind, start);
            } else {
                return self.unknown_follower(operand, is_bang);
            }
        }
    }

    /// Something odd behind `.` or `!`.
    fn unknown_follower(&mut self, operand: Computation, is_bang: bool) -> Computation {
        let sign = self.bump().span;
        let span = sign.to(self.span());
        let diagnostic = if self.at(TokenKind::Identifier) && !is_bang {
            Diagnostic::error(span, "the fields of another object cannot be reached")
                .hint("add a method that returns the value; own fields are `this.x`, calls need parentheses")
        } else if self.at(TokenKind::Identifier) {
            Diagnostic::error(span, "a call needs parentheses").hint("write `o!m()`")
        } else {
            let expected = if is_bang { "a method" } else { "`get` or a method" };
            Diagnostic::error(span, format!("expected {expected}, found {}", self.found()))
        };
        self.report(diagnostic);
        if self.at(TokenKind::Identifier) {
            self.bump();
        }
        let start = operand.span();
        Computation::Pure(error_expression(self.since(start)))
    }

    fn effect(&self, kind: EffectKind, start: Span) -> Computation {
        Computation::Effect(Effect { kind, span: self.since(start) })
    }

    fn operand(&mut self, start: Span) -> Computation {
        let kind = match self.peek() {
            TokenKind::Integer => {
                let value = integer(self.text_at(self.position()));
                self.literal(ExpressionKind::Integer(value))
            }
            TokenKind::Float => {
                let value = self.text_at(self.position()).parse().unwrap_or(f64::NAN);
                self.literal(ExpressionKind::Float(value))
            }
            TokenKind::String => {
                let value = string(self.text_at(self.position()));
                self.literal(ExpressionKind::String(value))
            }
            TokenKind::Template => {
                self.note_modern();
                let value = template_text(self.text_at(self.position()));
                self.literal(ExpressionKind::String(value))
            }
            TokenKind::TemplateStart => self.template(),
            TokenKind::Null => self.literal(ExpressionKind::Null),
            TokenKind::This => self.this(),
            TokenKind::TypeIdentifier => return self.upper_case(start),
            TokenKind::Identifier => return Computation::Pure(self.lower_case(start)),
            TokenKind::LeftParenthesis => return self.parenthesised(start),
            TokenKind::If => return Computation::Pure(self.conditional(start)),
            TokenKind::Case => return Computation::Pure(self.case_expression(start)),
            TokenKind::Let => return Computation::Pure(self.let_expression(start)),
            TokenKind::New => return self.new_object(start),
            TokenKind::Await => return self.await_call(start),
            TokenKind::Original => return self.original(start),
            TokenKind::Core if self.peek_at(1) == TokenKind::Dot => {
                self.report(Diagnostic::error(
                    start,
                    "`core.original` belongs to deltas, which are not supported",
                ));
                self.bump();
                self.bump();
                return self.operand(self.span());
            }
            _ => return Computation::Pure(self.unknown_operand(start)),
        };
        Computation::Pure(Expression { kind, span: self.since(start) })
    }

    fn literal(&mut self, kind: ExpressionKind) -> ExpressionKind {
        self.bump();
        kind
    }

    fn unknown_operand(&mut self, start: Span) -> Expression {
        let message = format!("expected an expression, found {}", self.found());
        let mut diagnostic = Diagnostic::error(start, message);
        match self.peek() {
            TokenKind::LeftBracket => {
                diagnostic = diagnostic.hint("a list is written `list[1, 2]`");
            }
            TokenKind::Underscore => {
                diagnostic = diagnostic.hint("`_` is a pattern, not a value");
            }
            TokenKind::Apostrophe => {
                diagnostic = diagnostic.hint("a text stands in double quotes, as in `\"abc\"`");
            }
            TokenKind::Builtin => {
                diagnostic = diagnostic.hint("`builtin` is the whole body of a function");
            }
            _ => {}
        }
        self.report(diagnostic);
        if let (TokenKind::LeftBracket, Some(end)) = (self.peek(), self.partner(self.position())) {
            self.jump(end + 1);
        } else if matches!(
            self.peek(),
            TokenKind::Underscore | TokenKind::Apostrophe | TokenKind::DeadlockQuestion
        ) {
            self.bump();
        }
        error_expression(start)
    }

    fn this(&mut self) -> ExpressionKind {
        let is_field = self.peek_at(1) == TokenKind::Dot
            && self.peek_at(2) == TokenKind::Identifier
            && self.peek_at(3) != TokenKind::LeftParenthesis;
        if is_field {
            return ExpressionKind::Variable(self.variable());
        }
        self.literal(ExpressionKind::This)
    }

    /// A constructor, or a function with a module in front.
    fn upper_case(&mut self, start: Span) -> Computation {
        let first = self.bump_name();
        let name = self.qualified_rest(first);
        if self.at(TokenKind::Dot) && self.peek_at(1) == TokenKind::Original {
            self.report(Diagnostic::error(
                name.span,
                "a call of another delta's `original` belongs to deltas, which are not supported",
            ));
            self.bump();
            return self.original(start);
        }
        let opens = matches!(self.peek_at(2), TokenKind::LeftParenthesis | TokenKind::LeftBracket);
        if self.at(TokenKind::Dot) && self.peek_at(1) == TokenKind::Identifier && opens {
            let function = self.function_like(name);
            return Computation::Pure(self.function_call(function, start));
        }
        let parentheses = self.at(TokenKind::LeftParenthesis);
        let arguments = if parentheses { self.arguments() } else { Vec::new() };
        Computation::Pure(Expression {
            kind: ExpressionKind::Construct { constructor: name, arguments, parentheses },
            span: self.since(start),
        })
    }

    /// A variable, a function call, or a word that is reserved only here.
    fn lower_case(&mut self, start: Span) -> Expression {
        let opens = matches!(self.peek_at(1), TokenKind::LeftParenthesis | TokenKind::LeftBracket);
        if self.at_word("when") && self.at_conditional() {
            return self.conditional(start);
        }
        if opens {
            let name = self.bump_name();
            return self.function_call(unqualified(name), start);
        }
        if self.at_word("destiny") {
            self.bump();
            return Expression { kind: ExpressionKind::Destiny, span: start };
        }
        let variable = self.variable();
        Expression { span: variable.span, kind: ExpressionKind::Variable(variable) }
    }

    /// Whether the `when` that stands here starts a conditional: what follows can only start an expression.
    /// `when(x)` may be a call, but not with `then` or more of an expression behind it.
    fn at_conditional(&self) -> bool {
        match self.peek_at(1) {
            TokenKind::LeftParenthesis => self.partner(self.position() + 1).is_none_or(|close| {
                !matches!(
                    self.kind_at(close + 1),
                    TokenKind::Semicolon
                        | TokenKind::RightParenthesis
                        | TokenKind::Comma
                        | TokenKind::RightBracket
                )
            }),
            TokenKind::Integer
            | TokenKind::Float
            | TokenKind::String
            | TokenKind::Template
            | TokenKind::TemplateStart
            | TokenKind::Identifier
            | TokenKind::TypeIdentifier
            | TokenKind::This
            | TokenKind::Null
            | TokenKind::Bang
            | TokenKind::Tilde
            | TokenKind::Case
            | TokenKind::Let
            | TokenKind::If => !self.word_at(self.position() + 1, "as"),
            _ => false,
        }
    }

    /// What follows the name of a function.
    fn function_call(&mut self, function: QualifiedName, start: Span) -> Expression {
        if self.eat(TokenKind::LeftBracket) {
            let elements = self.expressions_until(TokenKind::RightBracket);
            self.expect_behind_expression(TokenKind::RightBracket, "]", "after the elements");
            return Expression {
                kind: ExpressionKind::ListCall { function, elements },
                span: self.since(start),
            };
        }
        let is_partial = self
            .partner(self.position())
            .is_some_and(|close| self.kind_at(close + 1) == TokenKind::LeftParenthesis);
        let kind = if is_partial {
            self.note_modern();
            let functions = self.function_arguments();
            let arguments = self.arguments();
            ExpressionKind::PartialCall { function, functions, arguments }
        } else {
            let arguments = self.arguments();
            ExpressionKind::Call { function, arguments }
        };
        Expression { kind, span: self.since(start) }
    }

    fn function_arguments(&mut self) -> Vec<FunctionArgument> {
        self.bump();
        let mut functions = Vec::new();
        while !self.at(TokenKind::RightParenthesis) {
            let start = self.span();
            if self.at(TokenKind::LeftParenthesis) {
                let parameters = self.parameters();
                self.expect(
                    TokenKind::Arrow,
                    "=>",
                    "after the parameters of the anonymous function",
                );
                let body = Box::new(self.expression());
                functions.push(FunctionArgument::Anonymous {
                    parameters,
                    body,
                    span: self.since(start),
                });
            } else if matches!(self.peek(), TokenKind::Identifier | TokenKind::TypeIdentifier) {
                let Some(name) = self.any_qualified_name() else {
                    break;
                };
                functions.push(FunctionArgument::Named(name));
            } else {
                self.expected("the name of a function or an anonymous function `(Type x) => ..`");
                break;
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        if self.at(TokenKind::Arrow) {
            let message = "an anonymous function has its parameters in parentheses";
            let hint = "write it with their types, as in `(Int x) => x + 1`";
            let span = self.span();
            self.report(Diagnostic::error(span, message).hint(hint));
            self.skip_past_parenthesis();
        } else if !self.expect(TokenKind::RightParenthesis, ")", "after the functions") {
            self.skip_past_parenthesis();
        }
        functions
    }

    fn parenthesised(&mut self, start: Span) -> Computation {
        self.bump();
        let inner = self.computation();
        let closed =
            self.expect_behind_expression(TokenKind::RightParenthesis, ")", "after the expression");
        if !closed {
            self.skip_past_parenthesis();
        }
        match inner {
            Computation::Pure(expression) => {
                Computation::Pure(Expression { kind: expression.kind, span: self.since(start) })
            }
            Computation::Effect(effect) => Computation::Pure(self.misplaced(&effect)),
        }
    }

    fn template(&mut self) -> ExpressionKind {
        self.note_modern();
        let mut parts = vec![TemplatePart::Text(template_text(self.text_at(self.position())))];
        self.bump();
        loop {
            parts.push(TemplatePart::Hole(self.expression()));
            let is_end = self.at(TokenKind::TemplateEnd);
            if !is_end && !self.at(TokenKind::TemplateMiddle) {
                self.expected("`$` after the expression in a template string");
                return ExpressionKind::Template(parts);
            }
            parts.push(TemplatePart::Text(template_text(self.text_at(self.position()))));
            self.bump();
            if is_end {
                return ExpressionKind::Template(parts);
            }
        }
    }

    /// `new C(..)`, `new cog C(..)`, `new local C(..)`
    fn new_object(&mut self, start: Span) -> Computation {
        self.bump();
        let place = if self.eat(TokenKind::Local) {
            Place::Local
        } else if self.eat_word("cog") {
            Place::Cog
        } else {
            Place::Bare
        };
        self.note_new(place);
        let Some(class) = self.qualified_type_name("the name of a class") else {
            return Computation::Pure(error_expression(self.since(start)));
        };
        let arguments = if self.at(TokenKind::LeftParenthesis) {
            self.arguments()
        } else {
            let span = self.since(start);
            self.report(
                Diagnostic::error(span, "the arguments of the class are missing")
                    .hint(format!("write `new {class}()`")),
            );
            Vec::new()
        };
        self.effect(EffectKind::New { place, class, arguments }, start)
    }

    /// `await o!m(..)`
    fn await_call(&mut self, start: Span) -> Computation {
        self.bump();
        match self.primary() {
            Computation::Effect(Effect { kind: EffectKind::AsyncCall(call), .. }) => {
                self.effect(EffectKind::AwaitCall(call), start)
            }
            other => {
                let span = self.since(start);
                self.report(
                    Diagnostic::error(span, "as an expression, `await` needs an asynchronous call")
                        .hint("write `x = await o!m();`, or `await f?;` as a statement and then `x = f.get;`"),
                );
                Computation::Pure(error_expression(other.span()))
            }
        }
    }

    fn original(&mut self, start: Span) -> Computation {
        self.bump();
        let arguments = self.arguments();
        self.effect(EffectKind::Original(arguments), start)
    }
}

/// The value of an [`TokenKind::Integer`].
pub(super) fn integer(text: &str) -> BigInt {
    text.parse().unwrap_or_default()
}

/// The value of a [`TokenKind::String`]: a backslash makes `n`, `r` and `t` control characters and is
/// dropped before everything else.
pub(super) fn string(text: &str) -> Arc<str> {
    let inner = text.strip_prefix('"').unwrap_or(text);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut value = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            value.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => value.push('\n'),
            Some('r') => value.push('\r'),
            Some('t') => value.push('\t'),
            Some(other) => value.push(other),
            None => {}
        }
    }
    Arc::from(value)
}

/// The text of a piece of a template string: without its delimiters, and with `` \` `` and `\$` resolved.
fn template_text(piece: &str) -> Arc<str> {
    let inner = piece.get(1..piece.len().saturating_sub(1)).unwrap_or("");
    if !inner.contains('\\') {
        return Arc::from(inner);
    }
    Arc::from(inner.replace("\\`", "`").replace("\\$", "$"))
}
