//! Deltas, product lines and products, as far as they add something or replace methods.
//!
//! They are read only if a product was chosen; otherwise `out_of_scope` leaves them out. Deltas may add
//! declarations, imports and exports to a module, and interfaces, fields and methods to a class, and replace
//! methods of a class. What replaces or removes anything else is an error where it stands: to leave it
//! out would be another product.

use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{
    ClassDeclaration, Declaration, Delta, DeltaChange, DeltaUse, Identifier, Product, Unit,
};

use super::cursor::Parser;

impl Parser<'_> {
    /// A delta, product line or product, if one starts here and they are wanted.
    pub(super) fn product_line_item(&mut self, unit: &mut Unit) -> bool {
        if !self.weaves() || self.peek_at(1) != TokenKind::TypeIdentifier {
            return false;
        }
        if self.at_word("delta") {
            let delta = self.delta();
            unit.deltas.extend(delta);
        } else if self.at_word("productline") {
            self.product_line(unit);
        } else if self.at_word("product") {
            let product = self.product();
            unit.products.extend(product);
        } else {
            return false;
        }
        true
    }

    fn delta(&mut self) -> Option<Delta> {
        self.bump();
        let name = self.declared_type("the name of the delta")?;
        if self.at(TokenKind::LeftParenthesis) {
            let span = self.span();
            self.unsupported(span, "a delta with parameters");
            let end = self.partner(self.position());
            self.jump(end.map_or(self.position() + 1, |end| end + 1));
        }
        self.expect(TokenKind::Semicolon, ";", "after the name of the delta");
        let mut delta = Delta { name, module: None, changes: Vec::new() };
        if self.eat(TokenKind::Uses) {
            delta.module = self.qualified_type_name("the name of a module");
            self.expect(TokenKind::Semicolon, ";", "after the name of the module");
        }
        while matches!(self.peek(), TokenKind::Adds | TokenKind::Modifies | TokenKind::Removes) {
            let before = self.position();
            self.delta_change(&mut delta);
            if self.position() == before {
                self.bump();
            }
        }
        Some(delta)
    }

    fn delta_change(&mut self, delta: &mut Delta) {
        let start = self.span();
        if self.eat(TokenKind::Adds) {
            match self.peek() {
                TokenKind::Import => {
                    delta.changes.extend(self.import().map(DeltaChange::Import));
                }
                TokenKind::Export => {
                    delta.changes.extend(self.export().map(DeltaChange::Export));
                }
                _ => {
                    let annotations = self.annotations();
                    if let Some(kind) = self.declaration() {
                        let span = self.since(start);
                        let added = Declaration { annotations, kind, span };
                        delta.changes.push(DeltaChange::Add(added));
                    }
                }
            }
            return;
        }
        if self.at(TokenKind::Modifies) && self.peek_at(1) == TokenKind::Class {
            self.bump();
            let change = self.class_change();
            delta.changes.extend(change);
            return;
        }
        self.unsupported(start, "a delta that replaces or removes something");
        self.bump();
        while !matches!(
            self.peek(),
            TokenKind::Adds
                | TokenKind::Modifies
                | TokenKind::Removes
                | TokenKind::Module
                | TokenKind::EndOfFile
        ) && !self.at_out_of_scope_item()
        {
            match self.partner(self.position()) {
                Some(end) => self.jump(end + 1),
                None => {
                    self.bump();
                }
            }
        }
    }

    /// `class Name adds Interfaces { adds .. modifies .. }`
    fn class_change(&mut self) -> Option<DeltaChange> {
        self.bump();
        let class = self.qualified_type_name("the name of a class")?;
        let implements =
            if self.eat(TokenKind::Adds) { self.interface_names() } else { Vec::new() };
        let mut added = ClassDeclaration {
            name: class.name.clone(),
            parameters: Vec::new(),
            implements,
            fields: Vec::new(),
            init: None,
            recover: None,
            uses: Vec::new(),
            methods: Vec::new(),
        };
        let mut modified = ClassDeclaration { implements: Vec::new(), ..added.clone() };
        if !self.expect(TokenKind::LeftBrace, "{", "before what is added to the class") {
            return None;
        }
        while self.in_braces() {
            let before = self.position();
            if self.eat(TokenKind::Adds) {
                self.field_or_method(&mut added);
            } else if self.eat(TokenKind::Modifies) {
                self.field_or_method(&mut modified);
            } else {
                let span = self.span();
                self.unsupported(span, "a delta that replaces or removes something");
                self.skip_member();
            }
            if self.position() == before {
                self.bump();
            }
        }
        self.expect(TokenKind::RightBrace, "}", "after what is added to the class");
        if let Some(field) = modified.fields.first() {
            self.unsupported(field.name.span, "a delta that replaces a field");
        }
        Some(DeltaChange::Class(class, added, modified.methods))
    }

    /// `productline Name; features A, B; delta D when A;`
    fn product_line(&mut self, unit: &mut Unit) {
        self.bump();
        self.bump();
        self.expect(TokenKind::Semicolon, ";", "after the name of the product line");
        if self.eat_word("features") {
            self.feature_names();
            self.expect(TokenKind::Semicolon, ";", "after the features");
        }
        while self.at_word("delta") && self.peek_at(1) == TokenKind::TypeIdentifier {
            self.bump();
            let Some(delta) = self.declared_type("the name of a delta") else { return };
            if self.eat_word("after") {
                self.feature_names();
            }
            let mut features = Vec::new();
            if self.eat_word("when") {
                while let Some(feature) = self.declared_type("the name of a feature") {
                    features.push(feature);
                    if !self.eat(TokenKind::AndAnd) {
                        break;
                    }
                }
            }
            if !self.at(TokenKind::Semicolon) {
                let span = self.span();
                self.unsupported(span, "a condition other than features joined by `&&`");
                while !matches!(self.peek(), TokenKind::Semicolon | TokenKind::EndOfFile) {
                    self.bump();
                }
            }
            self.eat(TokenKind::Semicolon);
            unit.delta_uses.push(DeltaUse { delta, features });
        }
    }

    fn product(&mut self) -> Option<Product> {
        self.bump();
        let name = self.declared_type("the name of the product")?;
        let mut features = Vec::new();
        if self.eat(TokenKind::LeftParenthesis) {
            if !self.at(TokenKind::RightParenthesis) {
                features = self.feature_names();
            }
            self.expect(TokenKind::RightParenthesis, ")", "after the features of the product");
        }
        self.expect(TokenKind::Semicolon, ";", "after the product");
        Some(Product { name, features })
    }

    fn feature_names(&mut self) -> Vec<Identifier> {
        let mut names = Vec::new();
        while let Some(name) = self.declared_type("the name of a feature") {
            names.push(name);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        names
    }

    fn unsupported(&mut self, span: Span, what: &str) {
        self.report(Diagnostic::error(span, format!("{what} is not supported")).hint(
            "deltas can add declarations, add interfaces, fields and methods to classes, \
                     and replace methods",
        ));
    }
}
