//! From text to tokens, for both generations of the language.
//!
//! The lexer never fails: what it cannot read becomes a message and is left out. White space and comments
//! are left out too; spans keep the way back to the text.
//!
//! Words that only some generations reserve (`switch`, `as`, `foreach`, the words of product lines, ...) are
//! plain [`TokenKind::Identifier`]s here and are told apart by the parser where they stand, because older
//! models use them as names.
//!
//! A template string arrives in pieces: the piece from a back-quote to a `$` opens a hole, the tokens of the
//! embedded expression follow as usual, and the piece from the closing `$` ends with the next `$` or
//! back-quote. Since `$` means nothing elsewhere, this needs no lexer modes.

mod repair;

use logos::{FilterResult, Lexer, Logos};

use crate::diagnostics::Diagnostic;
use crate::source::{FileId, Span};

use repair::{foreign_name, glue, report, starts_with_letter, unclosed_string};

/// What a token is.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[logos(error = LexicalError)]
#[logos(skip r"[ \t\r\n\x0c\u{feff}]+")]
#[logos(skip(r"//[^\n]*", allow_greedy = true))]
#[allow(missing_docs)] // The variants are the words and signs they are named after.
pub enum TokenKind {
    #[regex("[a-z][A-Za-z0-9_]*")]
    Identifier,
    #[regex("[A-Z][A-Za-z0-9_]*")]
    TypeIdentifier,
    #[regex("0|[1-9][0-9]*")]
    Integer,
    #[regex(r"(0|[1-9][0-9]*)?\.[0-9]+([eE][+-]?[0-9]+)?")]
    Float,
    #[token("\"", string)]
    String,
    /// A template string without holes.
    #[token("`", template_start)]
    Template,
    /// The piece of a template string before its first hole.
    TemplateStart,
    /// The piece between two holes.
    #[token("$", template_rest)]
    TemplateMiddle,
    /// The piece after the last hole.
    TemplateEnd,

    #[token("module")]
    Module,
    #[token("import")]
    Import,
    #[token("export")]
    Export,
    #[token("from")]
    From,
    #[token("data")]
    Data,
    #[token("type")]
    Type,
    #[token("exception")]
    Exception,
    #[token("def")]
    Def,
    #[token("builtin")]
    Builtin,
    #[token("interface")]
    Interface,
    #[token("extends")]
    Extends,
    #[token("class")]
    Class,
    #[token("implements")]
    Implements,
    #[token("uses")]
    Uses,
    #[token("adds")]
    Adds,
    #[token("removes")]
    Removes,
    #[token("modifies")]
    Modifies,
    #[token("new")]
    New,
    #[token("local")]
    Local,
    #[token("await")]
    Await,
    #[token("get")]
    Get,
    #[token("this")]
    This,
    #[token("null")]
    Null,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("case")]
    Case,
    #[token("while")]
    While,
    #[token("in")]
    In,
    #[token("let")]
    Let,
    #[token("skip")]
    Skip,
    #[token("return")]
    Return,
    #[token("assert")]
    Assert,
    #[token("suspend")]
    Suspend,
    #[token("duration")]
    Duration,
    #[token("throw")]
    Throw,
    #[token("try")]
    Try,
    #[token("catch")]
    Catch,
    #[token("finally")]
    Finally,
    #[token("die")]
    Die,
    #[token("movecogto")]
    MoveCogTo,
    #[token("original")]
    Original,
    #[token("core")]
    Core,

    #[token("||")]
    OrOr,
    #[token("&&")]
    AndAnd,
    #[token("==")]
    EqualEqual,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("!")]
    Bang,
    #[token("~")]
    Tilde,
    #[token("&")]
    Ampersand,
    #[token("?")]
    DeadlockQuestion,
    #[token(".")]
    Dot,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("(")]
    LeftParenthesis,
    #[token(")")]
    RightParenthesis,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("=")]
    Equal,
    #[token("=>")]
    Arrow,
    #[token("|")]
    Bar,
    #[token("_")]
    Underscore,
    #[token("'")]
    Apostrophe,
    /// `->`, `<->` and `..`, which only feature models have.
    #[token("->")]
    #[token("<->")]
    #[token("..")]
    FeatureSign,

    /// Never produced: the token exists so that its callback can leave comments out.
    #[token("/*", block_comment)]
    BlockComment,
    /// Stands behind the last token of a file.
    EndOfFile,
}

/// Why a piece of text is no token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LexicalError {
    /// A character the language does not have.
    #[default]
    Character,
    /// A string without its closing quote on the same line.
    UnclosedString,
    /// A template string without its closing back-quote.
    UnclosedTemplate,
    /// A comment without `*/`.
    UnclosedComment,
}

/// One token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

/// The tokens of a text, the last of which is the [`TokenKind::EndOfFile`], and messages about the rest.
pub fn tokenize(file: FileId, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 4);
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let mut lexer = TokenKind::lexer(text);
    while let Some(result) = lexer.next() {
        let span = Span::new(file, lexer.span());
        match result {
            Ok(kind) => {
                let touching = tokens.last_mut().filter(|last| last.span.end == span.start);
                match touching.and_then(|last| glue(last, kind, span)) {
                    Some(diagnostic) => {
                        // More of the same only makes the first message longer.
                        diagnostics.pop_if(|last| {
                            last.span.start == diagnostic.span.start
                                && last.message == diagnostic.message
                        });
                        diagnostics.push(diagnostic);
                    }
                    None => tokens.push(Token { kind, span }),
                }
            }
            Err(LexicalError::Character) if starts_with_letter(lexer.slice()) => {
                let rest = lexer.remainder();
                lexer.bump(
                    rest.find(|next: char| !next.is_alphanumeric() && next != '_')
                        .unwrap_or(rest.len()),
                );
                foreign_name(Span::new(file, lexer.span()), &mut tokens, &mut diagnostics);
            }
            Err(trouble) => {
                report(trouble, span, lexer.slice(), &mut diagnostics);
                if trouble == LexicalError::UnclosedString {
                    unclosed_string(span, lexer.slice(), &mut tokens);
                }
            }
        }
    }
    // The end is shown right behind the last token, not behind the blank lines that may follow.
    let end = tokens.last().map_or(Span::new(file, 0..0), |last| last.span.after());
    tokens.push(Token { kind: TokenKind::EndOfFile, span: end });
    (tokens, diagnostics)
}

fn string(lexer: &mut Lexer<'_, TokenKind>) -> Result<(), LexicalError> {
    let rest = lexer.remainder().as_bytes();
    let mut offset = 0;
    while offset < rest.len() {
        match rest[offset] {
            b'"' => {
                lexer.bump(offset + 1);
                return Ok(());
            }
            b'\n' => break,
            b'\\'
                if rest.get(offset + 1).is_some_and(u8::is_ascii) && rest[offset + 1] != b'\n' =>
            {
                offset += 2
            }
            _ => offset += 1,
        }
    }
    lexer.bump(offset.min(rest.len()));
    Err(LexicalError::UnclosedString)
}

/// How a piece of a template string ends.
enum PieceEnd {
    Hole,
    Quote,
}

fn template_piece(lexer: &mut Lexer<'_, TokenKind>) -> Result<PieceEnd, LexicalError> {
    let rest = lexer.remainder().as_bytes();
    let mut offset = 0;
    while offset < rest.len() {
        match rest[offset] {
            b'`' | b'$' => {
                let end = if rest[offset] == b'$' { PieceEnd::Hole } else { PieceEnd::Quote };
                lexer.bump(offset + 1);
                return Ok(end);
            }
            b'\\' if matches!(rest.get(offset + 1), Some(b'`' | b'$')) => offset += 2,
            _ => offset += 1,
        }
    }
    lexer.bump(rest.len());
    Err(LexicalError::UnclosedTemplate)
}

fn template_start(lexer: &mut Lexer<'_, TokenKind>) -> Result<TokenKind, LexicalError> {
    Ok(match template_piece(lexer)? {
        PieceEnd::Hole => TokenKind::TemplateStart,
        PieceEnd::Quote => TokenKind::Template,
    })
}

fn template_rest(lexer: &mut Lexer<'_, TokenKind>) -> Result<TokenKind, LexicalError> {
    Ok(match template_piece(lexer)? {
        PieceEnd::Hole => TokenKind::TemplateMiddle,
        PieceEnd::Quote => TokenKind::TemplateEnd,
    })
}

fn block_comment(lexer: &mut Lexer<'_, TokenKind>) -> FilterResult<(), LexicalError> {
    match lexer.remainder().find("*/") {
        Some(offset) => {
            lexer.bump(offset + 2);
            FilterResult::Skip
        }
        None => {
            lexer.bump(lexer.remainder().len());
            FilterResult::Error(LexicalError::UnclosedComment)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens as kind and text, and the messages.
    fn check(text: &str, expected: &[(TokenKind, &str)], messages: &[&str]) {
        let (tokens, diagnostics) = tokenize(FileId(0), text);
        let found: Vec<(TokenKind, &str)> = tokens
            .iter()
            .filter(|token| token.kind != TokenKind::EndOfFile)
            .map(|token| (token.kind, &text[token.span.range()]))
            .collect();
        assert_eq!(found, expected, "{text}");
        let found: Vec<&str> = diagnostics.iter().map(|found| found.message.as_str()).collect();
        assert_eq!(found, messages, "{text}");
    }

    #[test]
    fn words_numbers_and_signs() {
        use TokenKind::*;
        check(
            "cog Cog this x_1<=1.5e-3",
            &[
                (Identifier, "cog"),
                (TypeIdentifier, "Cog"),
                (This, "this"),
                (Identifier, "x_1"),
                (LessEqual, "<="),
                (Float, "1.5e-3"),
            ],
            &[],
        );
        check("1 .5 0", &[(Integer, "1"), (Float, ".5"), (Integer, "0")], &[]);
        check("a/**/b//c\nd", &[(Identifier, "a"), (Identifier, "b"), (Identifier, "d")], &[]);
    }

    #[test]
    fn template_strings_come_in_pieces() {
        use TokenKind::*;
        check("`a\nb`", &[(Template, "`a\nb`")], &[]);
        check(
            r"`a\$ $x$ b $y$`",
            &[
                (TemplateStart, r"`a\$ $"),
                (Identifier, "x"),
                (TemplateMiddle, "$ b $"),
                (Identifier, "y"),
                (TemplateEnd, "$`"),
            ],
            &[],
        );
    }

    #[test]
    fn what_is_no_token_is_reported_once() {
        use TokenKind::*;
        check("a @@ b", &[(Identifier, "a"), (Identifier, "b")], &["unexpected character `@`"]);
        check("007", &[(Integer, "007")], &["a number cannot start with 0"]);
        check("_x1", &[(Identifier, "_x1")], &["a name cannot start with `_`"]);
        check(
            "gr\u{f6}\u{df}e",
            &[(Identifier, "gr\u{f6}\u{df}e")],
            &["this name has letters that are not ASCII"],
        );
        check("\"a\nb", &[(String, "\"a"), (Identifier, "b")], &["this string is not closed"]);
        check("a /* b", &[(Identifier, "a")], &["this comment is not closed"]);
        check("`a", &[], &["this template string is not closed"]);
    }
}
