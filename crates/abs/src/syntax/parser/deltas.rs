//! Deltas, product lines and products.
//!
//! They are read only if a product was chosen; otherwise `out_of_scope` leaves them out. What a delta cannot do here is
//! an error where it stands: to leave it out would be another product.

use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{
    ChosenFeature, ClassChange, ClassDeclaration, Declaration, Delta, DeltaArgument, DeltaChange,
    DeltaUse, Expression, FeatureCondition, Identifier, InDelta, InterfaceChange, MemberChange,
    Parameter, Product, QualifiedName, Signature, Unit,
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
        let parameters =
            if self.at(TokenKind::LeftParenthesis) { self.parameters() } else { Vec::new() };
        self.expect(TokenKind::Semicolon, ";", "after the name of the delta");
        let mut delta = Delta { name, parameters, module: None, changes: Vec::new() };
        if self.eat(TokenKind::Uses) {
            delta.module = self.qualified_type_name("the name of a module");
            self.expect(TokenKind::Semicolon, ";", "after the name of the module");
        }
        while matches!(self.peek(), TokenKind::Adds | TokenKind::Modifies | TokenKind::Removes) {
            let before = self.position();
            let change = self.delta_change(&delta.parameters);
            delta.changes.extend(change);
            if self.position() == before {
                self.bump();
            }
        }
        Some(delta)
    }

    fn delta_change(&mut self, parameters: &[Parameter]) -> Option<DeltaChange> {
        let start = self.span();
        let from = self.position();
        let word = self.bump().kind;
        match (word, self.peek()) {
            (TokenKind::Adds, TokenKind::Import) => self.import().map(DeltaChange::Import),
            (TokenKind::Adds, TokenKind::Export) => self.export().map(DeltaChange::Export),
            (TokenKind::Modifies, TokenKind::Class) => self.class_change(parameters),
            (TokenKind::Modifies, TokenKind::Interface) => self.interface_change(),
            (TokenKind::Removes, TokenKind::Class) => {
                self.removed("the name of a class").map(DeltaChange::RemoveClass)
            }
            (TokenKind::Removes, TokenKind::Interface) => {
                self.removed("the name of an interface").map(DeltaChange::RemoveInterface)
            }
            (TokenKind::Adds, _) | (TokenKind::Modifies, TokenKind::Data | TokenKind::Type) => {
                let annotations = self.annotations();
                let kind = self.declaration()?;
                let span = self.since(start);
                let item = Declaration { annotations, kind, span };
                let change = InDelta { item, parameters: self.mentioned(parameters, from) };
                Some(match word {
                    TokenKind::Adds => DeltaChange::Add(change),
                    _ => DeltaChange::Replace(change),
                })
            }
            _ => {
                self.unknown_change(start);
                None
            }
        }
    }

    fn unknown_change(&mut self, start: Span) {
        self.report(Diagnostic::error(start, "this change is not supported").hint(
            "deltas can add declarations, replace data types and synonyms, change and remove classes \
             and interfaces",
        ));
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

    /// The parameters of a delta that are mentioned from a token on up to here.
    fn mentioned(&self, parameters: &[Parameter], from: usize) -> Vec<Parameter> {
        let is_mentioned = |parameter: &&Parameter| {
            (from..self.position()).any(|index| self.text_at(index) == &*parameter.name.text)
        };
        parameters.iter().filter(is_mentioned).cloned().collect()
    }

    /// `class Name;` or `interface Name;`
    fn removed(&mut self, what: &str) -> Option<QualifiedName> {
        self.bump();
        let name = self.qualified_type_name(what)?;
        self.expect(TokenKind::Semicolon, ";", "after what is removed");
        Some(name)
    }

    /// `class Name adds Interfaces removes Interfaces { adds .. modifies .. removes .. }`
    fn class_change(&mut self, parameters: &[Parameter]) -> Option<DeltaChange> {
        self.bump();
        let class = self.qualified_type_name("the name of a class")?;
        let mut change = ClassChange::default();
        loop {
            if self.eat(TokenKind::Adds) {
                change.added.extend(self.interface_names());
            } else if self.eat(TokenKind::Removes) {
                change.removed.extend(self.interface_names());
            } else {
                break;
            }
        }
        if !self.expect(TokenKind::LeftBrace, "{", "before the changes of the class") {
            return None;
        }
        while self.in_braces() {
            let before = self.position();
            let word = self.peek();
            if matches!(word, TokenKind::Adds | TokenKind::Modifies | TokenKind::Removes) {
                self.bump();
            }
            let mut found = Vec::new();
            match word {
                TokenKind::Removes => found.extend(self.removed_member()),
                TokenKind::Adds | TokenKind::Modifies => self.written_members(word, &mut found),
                _ => {
                    self.expected("`adds`, `modifies` or `removes`");
                    self.skip_member();
                }
            }
            let mentioned = self.mentioned(parameters, before);
            change.members.extend(
                found.into_iter().map(|item| InDelta { item, parameters: mentioned.clone() }),
            );
            if self.position() == before {
                self.bump();
            }
        }
        self.expect(TokenKind::RightBrace, "}", "after the changes of the class");
        Some(DeltaChange::Class(class, change))
    }

    /// A field or a method behind `adds` or `modifies`.
    fn written_members(&mut self, word: TokenKind, found: &mut Vec<MemberChange>) {
        let first = self.first_members();
        for field in first.fields {
            if word == TokenKind::Adds {
                found.push(MemberChange::AddField(field));
            } else {
                // Replacing a field is to remove it and to add it.
                found.push(MemberChange::RemoveField(field.name.clone()));
                found.push(MemberChange::AddField(field));
            }
        }
        found.extend(first.methods.into_iter().map(|method| match word {
            TokenKind::Adds => MemberChange::AddMethod(method),
            _ => MemberChange::ReplaceMethod(method),
        }));
    }

    /// A class that has nothing but the field or method that stands here.
    fn first_members(&mut self) -> ClassDeclaration {
        let name = Identifier { text: "".into(), span: self.span() };
        let mut members = ClassDeclaration {
            name,
            parameters: Vec::new(),
            implements: Vec::new(),
            fields: Vec::new(),
            init: None,
            recover: None,
            uses: Vec::new(),
            methods: Vec::new(),
        };
        self.field_or_method(&mut members);
        members
    }

    /// `Type name;` or `Type name(..);`
    fn removed_member(&mut self) -> Option<MemberChange> {
        let start = self.span();
        let result = self.type_use()?;
        let name = self.identifier("the name of a field or method")?;
        let removed = if self.at(TokenKind::LeftParenthesis) {
            let parameters = self.parameters();
            let span = self.since(start);
            MemberChange::RemoveMethod(Signature { result, name, parameters, span })
        } else {
            if self.eat(TokenKind::Equal) {
                self.expression();
            }
            MemberChange::RemoveField(name)
        };
        self.expect(TokenKind::Semicolon, ";", "after what is removed");
        Some(removed)
    }

    /// `interface Name { adds .. removes .. }`
    fn interface_change(&mut self) -> Option<DeltaChange> {
        self.bump();
        let name = self.qualified_type_name("the name of an interface")?;
        let mut change = InterfaceChange::default();
        if !self.expect(TokenKind::LeftBrace, "{", "before the changes of the interface") {
            return None;
        }
        while self.in_braces() {
            let before = self.position();
            let to = match self.peek() {
                TokenKind::Adds => &mut change.added,
                TokenKind::Removes => &mut change.removed,
                _ => {
                    self.expected("`adds` or `removes`");
                    self.skip_member();
                    continue;
                }
            };
            self.bump();
            match self.signature() {
                Some(signature) => {
                    to.push(signature);
                    self.end_signature();
                }
                None => self.skip_member(),
            }
            if self.position() == before {
                self.bump();
            }
        }
        self.expect(TokenKind::RightBrace, "}", "after the changes of the interface");
        Some(DeltaChange::Interface(name, change))
    }

    /// `productline Name; features A, B; delta D(F.a) after E when A && !B;`
    fn product_line(&mut self, unit: &mut Unit) {
        self.bump();
        self.bump();
        self.expect(TokenKind::Semicolon, ";", "after the name of the product line");
        if self.eat_word("features") {
            self.listed_names("the name of a feature");
            self.expect(TokenKind::Semicolon, ";", "after the features");
        }
        while self.at_word("delta") && self.peek_at(1) == TokenKind::TypeIdentifier {
            self.bump();
            let Some(delta) = self.declared_type("the name of a delta") else { return };
            let arguments = self.delta_arguments();
            let mut after = Vec::new();
            let mut condition = None;
            if self.eat_word("after") {
                after = self.listed_names("the name of a delta");
            }
            if self.eat_word("when") || self.eat(TokenKind::If) {
                condition = self.any_of();
            }
            // Both orders are written.
            if self.eat_word("after") {
                after.extend(self.listed_names("the name of a delta"));
            }
            if !self.expect(TokenKind::Semicolon, ";", "after the delta") {
                while !matches!(self.peek(), TokenKind::Semicolon | TokenKind::EndOfFile) {
                    self.bump();
                }
                self.eat(TokenKind::Semicolon);
            }
            unit.delta_uses.push(DeltaUse { delta, arguments, after, condition });
        }
    }

    /// `(F.a, F, 3)`
    fn delta_arguments(&mut self) -> Vec<DeltaArgument> {
        let mut arguments = Vec::new();
        if !self.eat(TokenKind::LeftParenthesis) {
            return arguments;
        }
        while !matches!(self.peek(), TokenKind::RightParenthesis | TokenKind::EndOfFile) {
            let is_value = matches!(self.text_at(self.position()), "True" | "False");
            if self.at(TokenKind::TypeIdentifier) && !is_value {
                let feature = self.bump_name();
                let attribute = match self.eat(TokenKind::Dot) {
                    true => self.identifier("the name of an attribute"),
                    false => None,
                };
                arguments.push(match attribute {
                    Some(attribute) => DeltaArgument::Attribute(feature, attribute),
                    None => DeltaArgument::Feature(feature),
                });
            } else {
                arguments.push(DeltaArgument::Value(self.expression()));
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightParenthesis, ")", "after the values for the delta");
        arguments
    }

    /// `A && B || C`
    fn any_of(&mut self) -> Option<FeatureCondition> {
        let mut parts = vec![self.all_of()?];
        while self.eat(TokenKind::OrOr) {
            parts.push(self.all_of()?);
        }
        Some(FeatureCondition::Any(parts))
    }

    fn all_of(&mut self) -> Option<FeatureCondition> {
        let mut parts = vec![self.feature_condition()?];
        while self.eat(TokenKind::AndAnd) {
            parts.push(self.feature_condition()?);
        }
        Some(FeatureCondition::All(parts))
    }

    fn feature_condition(&mut self) -> Option<FeatureCondition> {
        // A condition is nested as deeply as there are signs in front of it.
        let mut negations = 0;
        while self.eat(TokenKind::Bang) || self.eat(TokenKind::Tilde) {
            negations += 1;
        }
        let inner = if self.at(TokenKind::LeftParenthesis) {
            self.bump();
            let inner = self.nested(Self::any_of, |_| None);
            self.expect(TokenKind::RightParenthesis, ")", "after the condition");
            inner?
        } else {
            FeatureCondition::Feature(self.declared_type("the name of a feature")?)
        };
        Some(if negations % 2 == 1 { FeatureCondition::Not(Box::new(inner)) } else { inner })
    }

    /// `product Name(F{a = 1}, G);`
    fn product(&mut self) -> Option<Product> {
        self.bump();
        let name = self.declared_type("the name of the product")?;
        let mut features = Vec::new();
        if self.eat(TokenKind::LeftParenthesis) {
            while !matches!(self.peek(), TokenKind::RightParenthesis | TokenKind::EndOfFile) {
                let Some(name) = self.declared_type("the name of a feature") else { break };
                features.push(ChosenFeature { name, attributes: self.attributes() });
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RightParenthesis, ")", "after the features of the product");
        }
        self.expect(TokenKind::Semicolon, ";", "after the product");
        Some(Product { name, features })
    }

    /// `{a = 1, b = True}`
    fn attributes(&mut self) -> Vec<(Identifier, Expression)> {
        let mut attributes = Vec::new();
        if !self.eat(TokenKind::LeftBrace) {
            return attributes;
        }
        while let Some(name) = self.identifier("the name of an attribute") {
            if !self.expect(TokenKind::Equal, "=", "after the attribute") {
                break;
            }
            attributes.push((name, self.expression()));
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightBrace, "}", "after the attributes");
        attributes
    }

    fn listed_names(&mut self, what: &str) -> Vec<Identifier> {
        let mut names = Vec::new();
        while let Some(name) = self.declared_type(what) {
            names.push(name);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        names
    }
}
