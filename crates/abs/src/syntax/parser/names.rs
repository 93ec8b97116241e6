//! Names, types, parameters and annotations.

use std::sync::Arc;

use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{
    Annotation, Expression, ExpressionKind, Identifier, Parameter, QualifiedName, TypeUse,
};

use super::cursor::Parser;

impl Parser<'_> {
    /// A name in lower case; `what` says which in a message.
    pub(super) fn identifier(&mut self, what: &str) -> Option<Identifier> {
        if self.at(TokenKind::Identifier) {
            return Some(self.bump_name());
        }
        let message = format!("expected {what}, found {}", self.found());
        let mut diagnostic = Diagnostic::error(self.span(), message);
        if self.at(TokenKind::TypeIdentifier) {
            diagnostic = diagnostic.hint("such a name starts with a lower-case letter");
        } else if is_word(self.text_at(self.position())) {
            diagnostic = diagnostic.hint("this is a reserved word and cannot be used as a name");
        }
        self.report(diagnostic);
        if self.at(TokenKind::TypeIdentifier) || self.at_misused_word() {
            return Some(self.bump_name());
        }
        None
    }

    /// Whether a reserved word stands where only a name can be meant.
    fn at_misused_word(&self) -> bool {
        let follower = self.peek_at(1);
        let ends = matches!(
            follower,
            TokenKind::Equal
                | TokenKind::Semicolon
                | TokenKind::Comma
                | TokenKind::RightParenthesis
        );
        ends && is_word(self.text_at(self.position()))
    }

    /// A name that starts with an upper-case letter.
    pub(super) fn type_identifier(&mut self, what: &str) -> Option<Identifier> {
        if self.at(TokenKind::TypeIdentifier) {
            return Some(self.bump_name());
        }
        let message = format!("expected {what}, found {}", self.found());
        let mut diagnostic = Diagnostic::error(self.span(), message);
        if self.at(TokenKind::Identifier) {
            diagnostic = diagnostic.hint("such a name starts with an upper-case letter");
            self.report(diagnostic);
            return Some(self.bump_name());
        }
        self.report(diagnostic);
        None
    }

    /// `A.B.Name`
    pub(super) fn qualified_type_name(&mut self, what: &str) -> Option<QualifiedName> {
        let first = self.type_identifier(what)?;
        Some(self.qualified_rest(first))
    }

    /// The rest of `A.B.Name` after its first part.
    pub(super) fn qualified_rest(&mut self, first: Identifier) -> QualifiedName {
        let mut qualifier: Option<String> = None;
        let mut name = first;
        let start = name.span;
        while self.at(TokenKind::Dot) && self.peek_at(1) == TokenKind::TypeIdentifier {
            self.bump();
            qualifier = Some(join(qualifier.as_deref(), &name.text));
            name = self.bump_name();
        }
        QualifiedName { qualifier: qualifier.map(Arc::from), span: start.to(name.span), name }
    }

    /// A qualified name of either case, as imports and exports list them.
    pub(super) fn any_qualified_name(&mut self) -> Option<QualifiedName> {
        if self.at(TokenKind::Identifier) {
            let name = self.bump_name();
            return Some(unqualified(name));
        }
        let type_like = self.qualified_type_name("a name")?;
        Some(self.function_like(type_like))
    }

    /// Takes `A.B` and a following `.name` together as the name of a function.
    pub(super) fn function_like(&mut self, type_like: QualifiedName) -> QualifiedName {
        if !(self.at(TokenKind::Dot) && self.peek_at(1) == TokenKind::Identifier) {
            return type_like;
        }
        self.bump();
        let name = self.bump_name();
        let qualifier = join(type_like.qualifier.as_deref(), &type_like.name.text);
        QualifiedName {
            qualifier: Some(Arc::from(qualifier)),
            span: type_like.span.to(name.span),
            name,
        }
    }

    /// `[..] Name<T, ..>`
    pub(super) fn type_use(&mut self) -> Option<TypeUse> {
        let annotations = self.annotations();
        self.type_use_after(annotations)
    }

    /// `Name<T, ..>` after its annotations.
    pub(super) fn type_use_after(&mut self, annotations: Vec<Annotation>) -> Option<TypeUse> {
        let name = self.qualified_type_name("a type")?;
        let mut arguments = Vec::new();
        if self.eat(TokenKind::Less) {
            arguments = self.nested(Self::type_arguments, |_| Vec::new());
        }
        let span = self.since(name.span);
        Some(TypeUse { annotations, name, arguments, span })
    }

    /// `T, ..>` after the `<`
    pub(super) fn type_arguments(&mut self) -> Vec<TypeUse> {
        let mut arguments = Vec::new();
        while let Some(argument) = self.type_use() {
            arguments.push(argument);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Greater, ">", "after the type arguments");
        arguments
    }

    /// `<A, B>` after a declared name.
    pub(super) fn type_parameters(&mut self) -> Vec<Identifier> {
        let mut parameters = Vec::new();
        if !self.eat(TokenKind::Less) {
            return parameters;
        }
        while let Some(parameter) = self.type_identifier("a type parameter") {
            parameters.push(parameter);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Greater, ">", "after the type parameters");
        parameters
    }

    /// `(T x, ..)`
    pub(super) fn parameters(&mut self) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        if !self.expect(TokenKind::LeftParenthesis, "(", "before the parameters") {
            return parameters;
        }
        while !self.at(TokenKind::RightParenthesis) {
            let Some(type_use) = self.type_use() else {
                break;
            };
            let Some(name) = self.identifier("the name of the parameter") else {
                break;
            };
            parameters.push(Parameter { type_use, name });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        if !self.expect(TokenKind::RightParenthesis, ")", "after the parameters") {
            self.skip_past_parenthesis();
        }
        parameters
    }

    /// After an error inside parentheses: goes behind the closing one if it comes soon.
    pub(super) fn skip_past_parenthesis(&mut self) {
        use TokenKind::{
            EndOfFile, LeftBrace, LeftParenthesis, RightBrace, RightParenthesis, Semicolon,
        };
        let mut index = self.position();
        loop {
            match self.kind_at(index) {
                RightParenthesis => {
                    self.jump(index + 1);
                    return;
                }
                LeftParenthesis => index = self.partner(index).unwrap_or(index) + 1,
                EndOfFile | LeftBrace | RightBrace | Semicolon => return,
                _ => index += 1,
            }
        }
    }

    /// Any number of `[..]`.
    pub(super) fn annotations(&mut self) -> Vec<Annotation> {
        let mut annotations = Vec::new();
        while self.at(TokenKind::LeftBracket) {
            let checkpoint = self.checkpoint();
            let start = self.bump().span;
            let mut group = self.annotation_group();
            if self.reported_since(checkpoint) || !self.eat(TokenKind::RightBracket) {
                self.rewind(checkpoint);
                group = vec![self.unreadable_annotation(start)];
            }
            annotations.append(&mut group);
        }
        annotations
    }

    fn annotation_group(&mut self) -> Vec<Annotation> {
        let mut annotations = Vec::new();
        loop {
            let start = self.span();
            let named = self.at(TokenKind::TypeIdentifier) && self.peek_at(1) == TokenKind::Colon;
            let name = named.then(|| {
                let name = self.bump_name();
                self.bump();
                name
            });
            let value = self.expression();
            let span = self.since(start);
            if name.as_ref().is_some_and(|name| &*name.text == "Cost") {
                self.costs.get_or_insert(span);
            }
            annotations.push(Annotation { name, value, span });
            if !self.eat(TokenKind::Comma) {
                return annotations;
            }
        }
    }

    /// Tools have put all kinds of things into annotations; what cannot be read is left out.
    fn unreadable_annotation(&mut self, start: Span) -> Annotation {
        match self.partner(self.position()) {
            Some(end) => {
                self.jump(end + 1);
                let span = self.since(start);
                self.remark(
                    Diagnostic::warning(span, "this annotation cannot be read and is ignored")
                        .hint("an annotation is a pure expression, or a name, `:` and a pure expression"),
                );
            }
            None => {
                self.bump();
                self.report(
                    Diagnostic::error(start, "this `[` is not closed")
                        .hint("close the annotation with `]`"),
                );
            }
        }
        let span = self.since(start);
        Annotation { name: None, value: Expression { kind: ExpressionKind::Error, span }, span }
    }
}

/// A name without a module in front.
pub(super) fn unqualified(name: Identifier) -> QualifiedName {
    QualifiedName { qualifier: None, span: name.span, name }
}

fn join(qualifier: Option<&str>, name: &str) -> String {
    match qualifier {
        Some(qualifier) => format!("{qualifier}.{name}"),
        None => name.to_owned(),
    }
}

/// Whether a token's text is a word rather than a sign or literal.
pub(super) fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
}
