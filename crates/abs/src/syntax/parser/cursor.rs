//! The parser's state: where it is in the token list, and how it reports.

use std::sync::Arc;

use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::lexer::{Token, TokenKind};
use crate::syntax::tree::{Identifier, Place, Spelling};

use super::MAXIMUM_NESTING;

/// The state of a parse.
pub(super) struct Parser<'text> {
    text: &'text str,
    tokens: Vec<Token>,
    /// For an opening bracket, the index of its closing partner, if it has one.
    partners: Vec<Option<u32>>,
    position: usize,
    nesting: usize,
    diagnostics: Vec<Diagnostic>,
    /// The token at which the last message was reported: one place gives one message.
    reported: Option<usize>,
    spelling: Spelling,
    /// Whether deltas and products are read, and not left out.
    weaves: bool,
    /// The first annotation that gives a cost.
    pub(super) costs: Option<Span>,
}

/// A point to come back to. See [`Parser::rewind`].
#[derive(Clone, Copy)]
pub(super) struct Checkpoint {
    position: usize,
    diagnostics: usize,
    reported: Option<usize>,
}

impl<'text> Parser<'text> {
    pub(super) fn new(text: &'text str, tokens: Vec<Token>, diagnostics: Vec<Diagnostic>) -> Self {
        let partners = partners(&tokens);
        Parser {
            text,
            tokens,
            partners,
            position: 0,
            nesting: 0,
            diagnostics,
            reported: None,
            spelling: Spelling::default(),
            weaves: false,
            costs: None,
        }
    }

    /// The same parser, which reads deltas and products.
    pub(super) fn weaving(self, weaves: bool) -> Self {
        Parser { weaves, ..self }
    }

    pub(super) fn weaves(&self) -> bool {
        self.weaves
    }

    pub(super) fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        if let Some(span) = self.costs {
            self.diagnostics.push(
                Diagnostic::warning(span, "costs have no effect: statements take no time")
                    .assuming("statements take no time, whatever their costs"),
            );
        }
        self.diagnostics
    }

    // Looking.

    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// The kind of the next token.
    pub(super) fn peek(&self) -> TokenKind {
        self.tokens[self.position].kind
    }

    /// The kind of the token that many places on.
    pub(super) fn peek_at(&self, distance: usize) -> TokenKind {
        self.kind_at(self.position + distance)
    }

    /// The kind of the token with that index.
    pub(super) fn kind_at(&self, index: usize) -> TokenKind {
        self.tokens.get(index).map_or(TokenKind::EndOfFile, |token| token.kind)
    }

    /// The kind of the token just consumed.
    pub(super) fn previous_kind_at(&self, index: usize) -> Option<TokenKind> {
        index.checked_sub(1).map(|before| self.kind_at(before))
    }

    pub(super) fn at(&self, kind: TokenKind) -> bool {
        self.peek() == kind
    }

    /// Whether the next token is this word, which is reserved only in some places.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.word_at(self.position, word)
    }

    /// Whether the token with that index is this word.
    pub(super) fn word_at(&self, index: usize, word: &str) -> bool {
        self.kind_at(index) == TokenKind::Identifier && self.text_at(index) == word
    }

    /// The text of the token with that index.
    pub(super) fn text_at(&self, index: usize) -> &'text str {
        let text = self.text;
        self.tokens.get(index).and_then(|token| text.get(token.span.range())).unwrap_or("")
    }

    /// The index of the bracket that closes the one with that index.
    pub(super) fn partner(&self, index: usize) -> Option<usize> {
        self.partners.get(index).copied().flatten().map(|partner| partner as usize)
    }

    /// The place of the next token.
    pub(super) fn span(&self) -> Span {
        self.tokens[self.position].span
    }

    /// The place of the token with that index, or of the one just consumed.
    pub(super) fn span_at(&self, index: usize) -> Span {
        self.tokens.get(index).map_or_else(|| self.previous_span(), |token| token.span)
    }

    /// The place of the token just consumed, or of the first one.
    pub(super) fn previous_span(&self) -> Span {
        self.tokens[self.position.saturating_sub(1)].span
    }

    /// From the start of a span to the token just consumed.
    pub(super) fn since(&self, start: Span) -> Span {
        let end = self.previous_span();
        if end.end < start.start { start } else { start.to(end) }
    }

    /// How the next token is called in a message.
    pub(super) fn found(&self) -> String {
        match self.peek() {
            TokenKind::EndOfFile => "the end of the file".to_owned(),
            TokenKind::String => "a string".to_owned(),
            TokenKind::Template | TokenKind::TemplateStart => "a template string".to_owned(),
            TokenKind::TemplateMiddle | TokenKind::TemplateEnd => "`$`".to_owned(),
            _ => format!("`{}`", self.text_at(self.position)),
        }
    }

    // Moving.

    /// Consumes the next token; the end of the file stays.
    pub(super) fn bump(&mut self) -> Token {
        let token = self.tokens[self.position];
        if token.kind != TokenKind::EndOfFile {
            self.position += 1;
        }
        token
    }

    /// Consumes the next token if it is of that kind.
    pub(super) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Consumes the next token if it is that word.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// The next token as a name, whatever it is.
    pub(super) fn bump_name(&mut self) -> Identifier {
        let text = Arc::from(self.text_at(self.position));
        Identifier { text, span: self.bump().span }
    }

    /// Goes to the token with that index.
    pub(super) fn jump(&mut self, index: usize) {
        self.position = index.min(self.tokens.len() - 1);
    }

    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            position: self.position,
            diagnostics: self.diagnostics.len(),
            reported: self.reported,
        }
    }

    /// Forgets what was consumed and reported since the checkpoint.
    pub(super) fn rewind(&mut self, checkpoint: Checkpoint) {
        self.position = checkpoint.position;
        self.diagnostics.truncate(checkpoint.diagnostics);
        self.reported = checkpoint.reported;
    }

    /// Whether something was reported since the checkpoint.
    pub(super) fn reported_since(&self, checkpoint: Checkpoint) -> bool {
        self.diagnostics.len() > checkpoint.diagnostics
    }

    // Reporting.

    /// Reports, unless the parser has not moved since the last report.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if self.reported != Some(self.position) {
            self.reported = Some(self.position);
            self.diagnostics.push(diagnostic);
        }
    }

    /// Reports something that needs no recovery, whatever else is said at this place.
    pub(super) fn remark(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports that something else should stand here.
    pub(super) fn expected(&mut self, what: &str) {
        let message = format!("expected {what}, found {}", self.found());
        let span = self.span();
        self.report(Diagnostic::error(span, message));
    }

    /// Consumes a token of that kind or reports that it is missing; the sign is shown in the message.
    pub(super) fn expect(&mut self, kind: TokenKind, sign: &str, context: &str) -> bool {
        if self.eat(kind) {
            return true;
        }
        let message = format!("expected `{sign}` {context}, found {}", self.found());
        let missing = Diagnostic::error(self.previous_span().after(), message);
        self.report(missing.expecting(format!("`{sign}` is missing here")));
        false
    }

    /// The same behind an expression, where a sign of another language may stand in the place of an operator.
    pub(super) fn expect_behind_expression(
        &mut self,
        kind: TokenKind,
        sign: &str,
        context: &str,
    ) -> bool {
        let Some(meant) = self.meant_operator().filter(|_| !self.at(kind)) else {
            return self.expect(kind, sign, context);
        };
        let message = format!("expected `{sign}` {context}, found {}", self.found());
        let span = self.span();
        self.report(Diagnostic::error(span, message).hint(meant));
        false
    }

    /// How what stands here behind an expression, a sign of another language, is written.
    fn meant_operator(&self) -> Option<&'static str> {
        Some(match (self.peek(), self.text_at(self.position())) {
            (TokenKind::Equal, _) => "to compare two values, write `==`",
            (TokenKind::Ampersand, _) | (_, "and") => {
                "the operator is `&&`; `&` only joins the parts of an `await`"
            }
            (TokenKind::Bar, _) | (_, "or") => "the operator is `||`",
            (_, "mod") => "the operator is `%`",
            (TokenKind::DeadlockQuestion, _) => {
                "only `await` can test whether a future is resolved, as in `await f?;`"
            }
            _ => return None,
        })
    }

    // Spelling.

    pub(super) fn spelling(&self) -> Spelling {
        self.spelling
    }

    /// Notes that the next token is spelled as in older versions.
    pub(super) fn note_old(&mut self) {
        let span = self.span();
        self.spelling.old.get_or_insert(span);
    }

    /// Notes that the next token is something older versions did not have.
    pub(super) fn note_modern(&mut self) {
        let span = self.span();
        self.spelling.modern.get_or_insert(span);
    }

    /// Notes how an object creation is spelled.
    pub(super) fn note_new(&mut self, place: Place) {
        let span = self.span();
        match place {
            Place::Bare => None,
            Place::Cog => Some(self.spelling.new_cog.get_or_insert(span)),
            Place::Local => Some(self.spelling.new_local.get_or_insert(span)),
        };
    }

    // Nesting.

    /// Runs a part of the grammar that may contain itself, one level deeper. Past the limit the rest of the
    /// file is given up and the fallback is returned.
    pub(super) fn nested<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> T,
        fallback: impl FnOnce(Span) -> T,
    ) -> T {
        if self.nesting >= MAXIMUM_NESTING {
            let span = self.span();
            self.report(
                Diagnostic::error(span, format!("more than {MAXIMUM_NESTING} levels of nesting"))
                    .hint("split this into several functions, methods or variables"),
            );
            self.jump(usize::MAX);
            self.reported = Some(self.position);
            return fallback(span);
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }
}

/// The closing partner of every opening bracket that has one. A bracket of another kind in between does not
/// hide a partner: `( [ )` pairs the parentheses.
fn partners(tokens: &[Token]) -> Vec<Option<u32>> {
    let mut partners = vec![None; tokens.len()];
    let mut open: Vec<(TokenKind, usize)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let opening = match token.kind {
            kind @ (TokenKind::LeftParenthesis | TokenKind::LeftBrace | TokenKind::LeftBracket) => {
                open.push((kind, index));
                continue;
            }
            TokenKind::RightParenthesis => TokenKind::LeftParenthesis,
            TokenKind::RightBrace => TokenKind::LeftBrace,
            TokenKind::RightBracket => TokenKind::LeftBracket,
            _ => continue,
        };
        // Only a few brackets back: a stray closing bracket must not make this quadratic.
        let partner = open.iter().rev().take(8).position(|&(kind, _)| kind == opening);
        if let Some(distance) = partner {
            let (_, start) = open[open.len() - 1 - distance];
            partners[start] = u32::try_from(index).ok();
            open.truncate(open.len() - 1 - distance);
        }
    }
    partners
}
