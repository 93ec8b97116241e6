//! What ABS has and Counterpoint does not read: named for what it is, and left out.
//!
//! Deltas, product lines and feature models select and change modules before a model is run. Without a
//! product being chosen they have no effect on the modules themselves, so leaving them out is a warning and
//! not an error. Code that would call foreign code is an error where it stands.

use crate::diagnostics::Diagnostic;
use crate::syntax::lexer::TokenKind;

use super::cursor::Parser;

/// Words that start an item outside modules, and how the item is called.
const ITEMS: [(&str, &str); 6] = [
    ("delta", "a delta"),
    ("productline", "a product line"),
    ("product", "a product"),
    ("root", "a feature model"),
    ("extension", "an extension of a feature model"),
    ("features", "a list of features"),
];

/// What is said about ports, critical sections and rebinding.
pub(super) const COMPONENT_MODEL: &str =
    "this belongs to the component model of 2011, which is not supported";

impl Parser<'_> {
    /// Whether a part of a product line starts here.
    pub(super) fn at_out_of_scope_item(&self) -> bool {
        self.out_of_scope_name().is_some()
    }

    fn out_of_scope_name(&self) -> Option<&'static str> {
        if !self.at(TokenKind::Identifier) || self.peek_at(1) != TokenKind::TypeIdentifier {
            return None;
        }
        let word = self.text_at(self.position());
        ITEMS.iter().find(|(start, _)| *start == word).map(|&(_, name)| name)
    }

    /// A product line lists its features and says when deltas are applied.
    fn at_part_of_product_line(&self) -> bool {
        self.at_word("features") || self.at_word("delta")
    }

    /// Leaves out a part of a product line, if one starts here.
    pub(super) fn out_of_scope_item(&mut self) -> bool {
        let Some(name) = self.out_of_scope_name() else {
            return false;
        };
        let start = self.bump().span;
        let span = start.to(self.span());
        self.remark(match self.weaves() {
            true => Diagnostic::warning(span, format!("{name} is left out"))
                .hint("whether a feature model allows the product is not checked")
                .assuming("the feature model allows the product"),
            false => Diagnostic::warning(span, format!("{name} is left out: no product is chosen"))
                .hint("the modules are checked as they stand; `--product NAME` chooses a product")
                .assuming("no product is chosen, so that deltas and product lines have no effect"),
        });
        let in_product_line = name == "a product line";
        while !matches!(self.peek(), TokenKind::EndOfFile | TokenKind::Module)
            && (!self.at_out_of_scope_item() || (in_product_line && self.at_part_of_product_line()))
        {
            match self.partner(self.position()) {
                Some(end) => self.jump(end + 1),
                None => {
                    self.bump();
                }
            }
        }
        true
    }
}
