//! Interfaces, classes and traits.

use crate::diagnostics::Diagnostic;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{
    Annotation, ClassDeclaration, Field, InterfaceDeclaration, Method, MethodSet, QualifiedName,
    Signature, TraitDeclaration, TraitExpression, TraitOperation, TypeUse,
};

use super::cursor::Parser;
use super::out_of_scope::COMPONENT_MODEL;

impl Parser<'_> {
    pub(super) fn interface(&mut self) -> Option<InterfaceDeclaration> {
        self.bump();
        let name = self.declared_type("the name of the interface")?;
        let extends =
            if self.eat(TokenKind::Extends) { self.interface_names() } else { Vec::new() };
        let mut methods = Vec::new();
        if self.expect(TokenKind::LeftBrace, "{", "before the methods of the interface") {
            while self.in_braces() {
                let before = self.position();
                match self.signature() {
                    Some(signature) => {
                        methods.push(signature);
                        self.end_signature();
                    }
                    None => self.skip_member(),
                }
                if self.position() == before {
                    self.bump();
                }
            }
            self.expect(TokenKind::RightBrace, "}", "at the end of the interface");
        }
        Some(InterfaceDeclaration { name, extends, methods })
    }

    pub(super) fn end_signature(&mut self) {
        if self.at(TokenKind::LeftBrace) {
            let span = self.span();
            self.report(Diagnostic::error(span, "a method of an interface has no body").hint(
                "end it with `;` and put the body into a class that implements the interface",
            ));
            let end = self.partner(self.position());
            self.jump(end.map_or(self.position() + 1, |end| end + 1));
        } else if !self.expect(TokenKind::Semicolon, ";", "after the method") {
            self.skip_member();
        }
    }

    pub(super) fn interface_names(&mut self) -> Vec<QualifiedName> {
        let mut names = Vec::new();
        while let Some(name) = self.qualified_type_name("the name of an interface") {
            names.push(name);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        names
    }

    /// Whether the members in braces go on.
    pub(super) fn in_braces(&self) -> bool {
        !self.at(TokenKind::RightBrace) && !self.at_declaration()
    }

    /// After an error in a member: goes behind the next `;` or block, or before the closing brace.
    pub(super) fn skip_member(&mut self) {
        while self.in_braces() {
            if self.eat(TokenKind::Semicolon) {
                return;
            }
            let is_block = self.at(TokenKind::LeftBrace);
            match self.partner(self.position()) {
                Some(end) => self.jump(end + 1),
                None => {
                    self.bump();
                }
            }
            if is_block {
                return;
            }
        }
    }

    /// `[..] Type name(..)`
    pub(super) fn signature(&mut self) -> Option<Signature> {
        let start = self.span();
        let result = self.type_use()?;
        let name = self.identifier("the name of the method")?;
        let parameters = self.parameters();
        let span = self.since(start);
        Some(Signature { result, name, parameters, span })
    }

    pub(super) fn class(&mut self) -> Option<ClassDeclaration> {
        self.bump();
        let name = self.declared_type("the name of the class")?;
        let parameters =
            if self.at(TokenKind::LeftParenthesis) { self.parameters() } else { Vec::new() };
        let mut class = ClassDeclaration {
            name,
            parameters,
            implements: Vec::new(),
            fields: Vec::new(),
            init: None,
            recover: None,
            uses: Vec::new(),
            methods: Vec::new(),
        };
        if self.at(TokenKind::Extends) {
            let span = self.span();
            self.report(
                Diagnostic::error(span, "classes do not inherit from each other")
                    .hint("write `implements` and interfaces, or share methods through a trait"),
            );
            self.bump();
            self.interface_names();
        }
        if self.eat(TokenKind::Implements) {
            class.implements = self.interface_names();
        }
        if self.expect(TokenKind::LeftBrace, "{", "before the members of the class") {
            while self.in_braces() {
                let before = self.position();
                self.class_member(&mut class);
                if self.position() == before {
                    self.bump();
                }
            }
            self.expect(TokenKind::RightBrace, "}", "at the end of the class");
        }
        Some(class)
    }

    fn class_member(&mut self, class: &mut ClassDeclaration) {
        let start = self.span();
        if self.at(TokenKind::LeftBrace) {
            let block = self.block();
            if class.init.is_some() {
                self.remark(Diagnostic::error(start, "a class has at most one init block"));
            } else {
                class.init = Some(block);
            }
        } else if self.at_word("recover") && self.peek_at(1) == TokenKind::LeftBrace {
            self.bump();
            let branches = self.statement_branches();
            if class.recover.is_some() {
                self.remark(Diagnostic::error(start, "a class has at most one recover block"));
            } else {
                class.recover = Some(branches);
            }
        } else if self.eat(TokenKind::Uses) {
            class.uses.extend(self.trait_expression());
            self.expect(TokenKind::Semicolon, ";", "after the trait");
        } else {
            self.field_or_method(class);
        }
    }

    pub(super) fn field_or_method(&mut self, class: &mut ClassDeclaration) {
        let annotations = self.annotations();
        if self.at(TokenKind::LeftBrace) {
            // Annotated init block: the annotations mean nothing to us.
            return self.class_member(class);
        }
        let start = self.span();
        let Some(type_use) = self.member_type(annotations) else {
            return self.skip_member();
        };
        let Some(name) = self.identifier("the name of a field or method") else {
            return self.skip_member();
        };
        if self.at(TokenKind::LeftParenthesis) {
            let parameters = self.parameters();
            let span = self.since(start);
            let signature = Signature { result: type_use, name, parameters, span };
            if let Some(method) = self.method_after(signature) {
                class.methods.push(method);
            }
            return;
        }
        let value = self.eat(TokenKind::Equal).then(|| self.expression());
        if !self.expect(TokenKind::Semicolon, ";", "after the field") {
            self.skip_field_rest();
        }
        let span = self.since(start);
        class.fields.push(Field { type_use, name, value, span });
    }

    fn member_type(&mut self, annotations: Vec<Annotation>) -> Option<TypeUse> {
        if !self.at(TokenKind::TypeIdentifier) {
            let message = format!("expected a field or a method, found {}", self.found());
            let mut diagnostic = Diagnostic::error(self.span(), message);
            if self.at_word("port") || self.at_word("critical") {
                diagnostic = diagnostic.hint(COMPONENT_MODEL);
            } else if self.at(TokenKind::Identifier) {
                diagnostic = diagnostic.hint("a field or method starts with its type, and types start with an upper-case letter");
            }
            self.report(diagnostic);
            return None;
        }
        self.type_use_after(annotations)
    }

    /// A field without its `;`: the next member starts on its own, so only signs that belong to an
    /// expression are left out.
    fn skip_field_rest(&mut self) {
        if !matches!(self.peek(), TokenKind::TypeIdentifier | TokenKind::LeftBracket) {
            self.skip_member();
        }
    }

    fn method_after(&mut self, signature: Signature) -> Option<Method> {
        if self.at(TokenKind::LeftBrace) {
            let body = self.block();
            return Some(Method { signature, body });
        }
        let span = self.span();
        let mut diagnostic = Diagnostic::error(
            span,
            format!("expected the body of the method, found {}", self.found()),
        );
        if self.at(TokenKind::Semicolon) {
            diagnostic = diagnostic.hint("only methods of interfaces end with `;`");
        }
        self.report(diagnostic);
        self.skip_member();
        None
    }

    pub(super) fn trait_declaration(&mut self) -> Option<TraitDeclaration> {
        self.bump();
        let name = self.declared_type("the name of the trait")?;
        self.expect(TokenKind::Equal, "=", "after the name of the trait");
        let expression = self.trait_expression()?;
        self.eat(TokenKind::Semicolon);
        Some(TraitDeclaration { name, expression })
    }

    fn trait_expression(&mut self) -> Option<TraitExpression> {
        let start = self.span();
        let base = self.method_set()?;
        let mut operations = Vec::new();
        loop {
            let operation = match self.peek() {
                TokenKind::Adds => {
                    self.bump();
                    TraitOperation::Adds(self.method_set()?)
                }
                TokenKind::Modifies => {
                    self.bump();
                    TraitOperation::Modifies(self.method_set()?)
                }
                TokenKind::Removes => {
                    self.bump();
                    TraitOperation::Removes(self.removed_methods())
                }
                _ => break,
            };
            operations.push(operation);
        }
        let span = self.since(start);
        Some(TraitExpression { base, operations, span })
    }

    fn method_set(&mut self) -> Option<MethodSet> {
        if self.eat(TokenKind::LeftBrace) {
            let mut methods = Vec::new();
            while self.in_braces() {
                let before = self.position();
                match self.method() {
                    Some(method) => methods.push(method),
                    None => self.skip_member(),
                }
                if self.position() == before {
                    self.bump();
                }
            }
            self.expect(TokenKind::RightBrace, "}", "after the methods");
            return Some(MethodSet::Methods(methods));
        }
        let annotations = self.annotations();
        let name = self.qualified_type_name("a trait or a method")?;
        let is_method = !annotations.is_empty()
            || matches!(self.peek(), TokenKind::Identifier | TokenKind::Less);
        if !is_method || self.at_word("trait") {
            return Some(MethodSet::Trait(name));
        }
        let start = name.span;
        let mut arguments = Vec::new();
        if self.eat(TokenKind::Less) {
            arguments = self.type_arguments();
        }
        let result = TypeUse { annotations, span: self.since(start), name, arguments };
        let name = self.identifier("the name of the method")?;
        let parameters = self.parameters();
        let signature = Signature { result, name, parameters, span: self.since(start) };
        let method = self.method_after(signature)?;
        Some(MethodSet::Methods(vec![method]))
    }

    fn method(&mut self) -> Option<Method> {
        let annotations = self.annotations();
        let start = self.span();
        let result = self.member_type(annotations)?;
        let name = self.identifier("the name of the method")?;
        let parameters = self.parameters();
        let signature = Signature { result, name, parameters, span: self.since(start) };
        self.method_after(signature)
    }

    fn removed_methods(&mut self) -> Vec<Signature> {
        let braces = self.eat(TokenKind::LeftBrace);
        let mut signatures = Vec::new();
        while self.in_braces() {
            let before = self.position();
            match self.signature() {
                Some(signature) => {
                    signatures.push(signature);
                    self.expect(TokenKind::Semicolon, ";", "after the removed method");
                }
                None => self.skip_member(),
            }
            if self.position() == before {
                self.bump();
            }
            if !braces {
                break;
            }
        }
        if braces {
            self.expect(TokenKind::RightBrace, "}", "after the removed methods");
        }
        signatures
    }
}
