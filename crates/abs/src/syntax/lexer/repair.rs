//! What is no token: said once, and repaired so that nothing else seems wrong.

use crate::diagnostics::Diagnostic;
use crate::source::Span;

use super::{LexicalError, Token, TokenKind};

/// Takes a token together with the one before it where only a mistake brings them that close.
pub(super) fn glue(last: &mut Token, kind: TokenKind, span: Span) -> Option<Diagnostic> {
    use TokenKind::{Identifier, Integer, TypeIdentifier, Underscore};
    let whole = last.span.to(span);
    let diagnostic = match (last.kind, kind) {
        (Integer, Integer) => Diagnostic::error(whole, "a number cannot start with 0")
            .hint("remove the leading zeros"),
        (Integer, Identifier | TypeIdentifier) => {
            Diagnostic::error(whole, "a number and a name run into each other")
                .hint("names start with a letter; an exponent needs a fraction, as in `1.0e5`")
        }
        (Underscore, Identifier | TypeIdentifier | Integer | Underscore) => {
            last.kind = Identifier;
            Diagnostic::error(whole, "a name cannot start with `_`")
                .hint("`_` alone is the pattern that matches everything")
        }
        _ => return None,
    };
    last.span = whole;
    Some(diagnostic)
}

/// A string that goes on to the end of its line is still a string, and a `;` there ends the statement.
pub(super) fn unclosed_string(span: Span, slice: &str, tokens: &mut Vec<Token>) {
    let kind = TokenKind::String;
    if !slice.trim_end().ends_with(';') {
        return tokens.push(Token { kind, span });
    }
    let end = span.start + slice.trim_end().len() as u32 - 1;
    tokens.push(Token { kind, span: Span { end, ..span } });
    tokens.push(Token { kind: TokenKind::Semicolon, span: Span { start: end, ..span } });
}

pub(super) fn starts_with_letter(slice: &str) -> bool {
    slice.starts_with(char::is_alphabetic)
}

/// A name with letters that the language does not have is still a name, so that only one thing is wrong.
pub(super) fn foreign_name(span: Span, tokens: &mut Vec<Token>, diagnostics: &mut Vec<Diagnostic>) {
    let touching = tokens.last_mut().filter(|last| {
        last.span.end == span.start
            && matches!(last.kind, TokenKind::Identifier | TokenKind::TypeIdentifier)
    });
    let whole = match touching {
        Some(last) => {
            last.span = last.span.to(span);
            last.span
        }
        None => {
            tokens.push(Token { kind: TokenKind::Identifier, span });
            span
        }
    };
    diagnostics.push(
        Diagnostic::error(whole, "this name has letters that are not ASCII")
            .hint("names consist of the letters a to z and A to Z, digits and `_`"),
    );
}

pub(super) fn report(
    trouble: LexicalError,
    span: Span,
    slice: &str,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let message = match trouble {
        LexicalError::Character => {
            if let Some(last) = diagnostics.last_mut()
                && last.span.end == span.start
                && last.message.starts_with(UNKNOWN_CHARACTER)
            {
                last.span = last.span.to(span);
                return;
            }
            let shown = slice.escape_debug();
            Diagnostic::error(span, format!("{UNKNOWN_CHARACTER} `{shown}`")).hint(
                "outside strings and comments a model has only ASCII letters, digits and the language's signs",
            )
        }
        LexicalError::UnclosedString => Diagnostic::error(span, "this string is not closed")
            .expecting("no `\"` before the end of the line")
            .hint("close it with `\"`; write `\\n` for a line break, or use a template string in back-quotes"),
        LexicalError::UnclosedTemplate => Diagnostic::error(span, "this template string is not closed")
            .hint("close it with a back-quote; a `$` inside it opens or closes a hole, `\\$` is a dollar sign"),
        LexicalError::UnclosedComment => {
            Diagnostic::error(span, "this comment is not closed").hint("close it with `*/`; comments do not nest")
        }
    };
    diagnostics.push(message);
}

const UNKNOWN_CHARACTER: &str = "unexpected character";
