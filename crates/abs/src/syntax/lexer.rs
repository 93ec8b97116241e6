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

use logos::{FilterResult, Lexer, Logos};

use crate::diagnostics::Diagnostic;
use crate::source::{FileId, Span};

/// What a token is.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[logos(error = Trouble)]
#[logos(skip r"[ \t\r\n\x0c]+")]
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
    Question,
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
pub enum Trouble {
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
            Err(Trouble::Character) if starts_with_letter(lexer.slice()) => {
                let rest = lexer.remainder();
                lexer.bump(
                    rest.find(|next: char| !next.is_alphanumeric() && next != '_')
                        .unwrap_or(rest.len()),
                );
                foreign_name(Span::new(file, lexer.span()), &mut tokens, &mut diagnostics);
            }
            Err(trouble) => {
                report(trouble, span, lexer.slice(), &mut diagnostics);
                if trouble == Trouble::UnclosedString {
                    unclosed_string(span, lexer.slice(), &mut tokens);
                }
            }
        }
    }
    tokens
        .push(Token { kind: TokenKind::EndOfFile, span: Span::new(file, text.len()..text.len()) });
    (tokens, diagnostics)
}

/// Takes a token together with the one before it where only a mistake brings them that close.
fn glue(last: &mut Token, kind: TokenKind, span: Span) -> Option<Diagnostic> {
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
fn unclosed_string(span: Span, slice: &str, tokens: &mut Vec<Token>) {
    let kind = TokenKind::String;
    if !slice.trim_end().ends_with(';') {
        return tokens.push(Token { kind, span });
    }
    let end = span.start + slice.trim_end().len() as u32 - 1;
    tokens.push(Token { kind, span: Span { end, ..span } });
    tokens.push(Token { kind: TokenKind::Semicolon, span: Span { start: end, ..span } });
}

fn starts_with_letter(slice: &str) -> bool {
    slice.starts_with(char::is_alphabetic)
}

/// A name with letters that the language does not have is still a name, so that only one thing is wrong.
fn foreign_name(span: Span, tokens: &mut Vec<Token>, diagnostics: &mut Vec<Diagnostic>) {
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

fn report(trouble: Trouble, span: Span, slice: &str, diagnostics: &mut Vec<Diagnostic>) {
    let message = match trouble {
        Trouble::Character => {
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
        Trouble::UnclosedString => Diagnostic::error(span, "this string is not closed")
            .expecting("no `\"` before the end of the line")
            .hint("close it with `\"`; write `\\n` for a line break, or use a template string in back-quotes"),
        Trouble::UnclosedTemplate => Diagnostic::error(span, "this template string is not closed")
            .hint("close it with a back-quote; a `$` inside it opens or closes a hole, `\\$` is a dollar sign"),
        Trouble::UnclosedComment => {
            Diagnostic::error(span, "this comment is not closed").hint("close it with `*/`; comments do not nest")
        }
    };
    diagnostics.push(message);
}

const UNKNOWN_CHARACTER: &str = "unexpected character";

fn string(lexer: &mut Lexer<'_, TokenKind>) -> Result<(), Trouble> {
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
    Err(Trouble::UnclosedString)
}

/// How a piece of a template string ends.
enum PieceEnd {
    Hole,
    Quote,
}

fn template_piece(lexer: &mut Lexer<'_, TokenKind>) -> Result<PieceEnd, Trouble> {
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
    Err(Trouble::UnclosedTemplate)
}

fn template_start(lexer: &mut Lexer<'_, TokenKind>) -> Result<TokenKind, Trouble> {
    Ok(match template_piece(lexer)? {
        PieceEnd::Hole => TokenKind::TemplateStart,
        PieceEnd::Quote => TokenKind::Template,
    })
}

fn template_rest(lexer: &mut Lexer<'_, TokenKind>) -> Result<TokenKind, Trouble> {
    Ok(match template_piece(lexer)? {
        PieceEnd::Hole => TokenKind::TemplateMiddle,
        PieceEnd::Quote => TokenKind::TemplateEnd,
    })
}

fn block_comment(lexer: &mut Lexer<'_, TokenKind>) -> FilterResult<(), Trouble> {
    match lexer.remainder().find("*/") {
        Some(offset) => {
            lexer.bump(offset + 2);
            FilterResult::Skip
        }
        None => {
            lexer.bump(lexer.remainder().len());
            FilterResult::Error(Trouble::UnclosedComment)
        }
    }
}
