//! Files, modules, imports and exports, and the declarations that are not about objects.

use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{
    Constructor, ConstructorArgument, DataDeclaration, Declaration, DeclarationKind, Export,
    Expression, ExpressionKind, FunctionBody, FunctionDeclaration, Identifier, Import, MainBlock,
    Module, Names, PartialFunctionDeclaration, TypeSynonym, TypeUse, Unit,
};

use super::cursor::Parser;

impl Parser<'_> {
    /// A whole file.
    pub(super) fn unit(&mut self) -> Unit {
        let mut unit = Unit::default();
        while !self.at(TokenKind::EndOfFile) {
            if self.at(TokenKind::Module) {
                if let Some(module) = self.module() {
                    unit.modules.push(module);
                }
            } else if !self.product_line_item(&mut unit) && !self.out_of_scope_item() {
                let hint = "a file starts with `module Name;`";
                let message = format!("expected `module`, found {}", self.found());
                let span = self.span();
                self.report(Diagnostic::error(span, message).hint(hint));
                self.skip_to_module();
            }
        }
        unit.spelling = self.spelling();
        unit
    }

    fn skip_to_module(&mut self) {
        self.bump();
        while !matches!(self.peek(), TokenKind::Module | TokenKind::EndOfFile)
            && !self.at_out_of_scope_item()
        {
            self.bump();
        }
    }

    fn module(&mut self) -> Option<Module> {
        let start = self.bump().span;
        let Some(name) = self.qualified_type_name("the name of the module") else {
            self.skip_to_module();
            return None;
        };
        self.expect(TokenKind::Semicolon, ";", "after the name of the module");
        let mut module = Module {
            name,
            exports: Vec::new(),
            imports: Vec::new(),
            declarations: Vec::new(),
            main: None,
            span: start,
        };
        while !matches!(self.peek(), TokenKind::EndOfFile | TokenKind::Module)
            && !self.at_out_of_scope_item()
        {
            self.module_item(&mut module);
        }
        module.span = self.since(start);
        Some(module)
    }

    fn module_item(&mut self, module: &mut Module) {
        let before = self.position();
        match self.peek() {
            TokenKind::Import => {
                self.check_order(module, "import");
                let import = self.import();
                module.imports.extend(import);
            }
            TokenKind::Export => {
                self.check_order(module, "export");
                let export = self.export();
                module.exports.extend(export);
            }
            _ => self.declaration_or_main(module),
        }
        if self.position() == before {
            self.bump();
        }
    }

    /// Imports and exports stand before declarations; reading them elsewhere costs nothing but a message.
    fn check_order(&mut self, module: &Module, word: &str) {
        let main = module.main.as_ref().map(|main| main.block.span);
        let first = module.declarations.first().map(|declaration| declaration.span);
        if let Some(first) = first.or(main) {
            let span = self.span();
            self.remark(
                Diagnostic::error(
                    span,
                    format!("`{word}` must stand before the declarations of a module"),
                )
                .label(first, "the first declaration"),
            );
        }
    }

    fn declaration_or_main(&mut self, module: &mut Module) {
        let annotations = self.annotations();
        let start = self.span();
        if self.at(TokenKind::LeftBrace) {
            let block = self.block();
            if module.main.is_some() {
                self.remark(Diagnostic::error(start, "a module has at most one main block").hint(
                    "put everything into one block, or declare a class or function in front of it",
                ));
            } else {
                module.main = Some(MainBlock { annotations, block });
            }
            return;
        }
        let Some(kind) = self.declaration() else {
            return;
        };
        let span = self.since(start);
        if let Some(main) = &module.main {
            let first = main.block.span;
            self.remark(
                Diagnostic::error(span, "a declaration must stand before the main block")
                    .label(first, "the main block"),
            );
        }
        module.declarations.push(Declaration { annotations, kind, span });
    }

    pub(super) fn declaration(&mut self) -> Option<DeclarationKind> {
        match self.peek() {
            TokenKind::Data => self.data().map(DeclarationKind::Data),
            TokenKind::Exception => self.exception().map(DeclarationKind::Exception),
            TokenKind::Type => self.type_synonym().map(DeclarationKind::TypeSynonym),
            TokenKind::Def => self.function(),
            TokenKind::Interface => self.interface().map(DeclarationKind::Interface),
            TokenKind::Class => self.class().map(DeclarationKind::Class),
            TokenKind::Identifier if self.at_word("trait") => {
                self.trait_declaration().map(DeclarationKind::Trait)
            }
            _ => {
                self.unknown_declaration();
                None
            }
        }
    }

    fn unknown_declaration(&mut self) {
        let message = format!("expected a declaration or the main block, found {}", self.found());
        let mut diagnostic = Diagnostic::error(self.span(), message);
        if self.at(TokenKind::RightBrace) {
            diagnostic = diagnostic.hint("there is one `}` more than `{`");
        } else if self.at(TokenKind::TypeIdentifier) || self.at(TokenKind::Identifier) {
            diagnostic = diagnostic
                .hint("a function starts with `def`; methods stand in a class, statements in a method or the main block");
        }
        self.report(diagnostic);
        self.bump();
        self.skip_to_declaration();
    }

    /// Whether the next token can only start a declaration, an import or a module.
    pub(super) fn at_declaration(&self) -> bool {
        matches!(
            self.peek(),
            TokenKind::Module
                | TokenKind::Import
                | TokenKind::Export
                | TokenKind::Data
                | TokenKind::Type
                | TokenKind::Exception
                | TokenKind::Def
                | TokenKind::Interface
                | TokenKind::Class
                | TokenKind::EndOfFile
        )
    }

    fn skip_to_declaration(&mut self) {
        while !self.at_declaration() && !self.at_out_of_scope_item() && !self.at_main_block() {
            match self.partner(self.position()) {
                Some(end) => self.jump(end + 1),
                None => {
                    self.bump();
                }
            }
        }
    }

    /// A `{` behind something that ends a declaration is taken for the main block.
    fn at_main_block(&self) -> bool {
        let before = self.previous_kind_at(self.position());
        self.at(TokenKind::LeftBrace)
            && matches!(before, Some(TokenKind::RightBrace | TokenKind::Semicolon))
    }

    /// The `;` that ends a declaration; without it, goes on where the next one starts.
    fn end_declaration(&mut self, what: &str) {
        if self.eat(TokenKind::Semicolon) {
            return;
        }
        self.expect(TokenKind::Semicolon, ";", &format!("after the {what}"));
        while !self.at_declaration()
            && !self.at(TokenKind::LeftBrace)
            && !self.eat(TokenKind::Semicolon)
        {
            match self.partner(self.position()) {
                Some(end) => self.jump(end + 1),
                None => {
                    self.bump();
                }
            }
        }
    }

    pub(super) fn import(&mut self) -> Option<Import> {
        let start = self.bump().span;
        let names = self.names()?;
        let from = self.from();
        if matches!(names, Names::All) && from.is_none() {
            let span = self.since(start);
            self.report(
                Diagnostic::error(span, "`import *` needs a module to import from")
                    .hint("write `import * from Name;`"),
            );
        }
        if let (Names::Listed(listed), Some(from)) = (&names, &from)
            && let Some(name) = listed.iter().find(|name| name.qualifier.is_some())
        {
            let text = format!("`{name}` and `from {from}` both say where it is imported from");
            self.report(
                Diagnostic::error(name.span, text)
                    .hint(format!("write `import {} from {from};` or `import {name};`", name.name)),
            );
        }
        self.end_declaration("import");
        let span = self.since(start);
        Some(Import { names, from, span })
    }

    pub(super) fn export(&mut self) -> Option<Export> {
        let start = self.bump().span;
        let names = self.names()?;
        let from = self.from();
        self.end_declaration("export");
        let span = self.since(start);
        Some(Export { names, from, span })
    }

    fn from(&mut self) -> Option<crate::syntax::tree::QualifiedName> {
        if self.eat(TokenKind::From) {
            self.qualified_type_name("the name of a module")
        } else {
            None
        }
    }

    fn names(&mut self) -> Option<Names> {
        if self.eat(TokenKind::Star) {
            return Some(Names::All);
        }
        let mut names = vec![self.any_qualified_name()?];
        while self.eat(TokenKind::Comma) {
            names.push(self.any_qualified_name()?);
        }
        Some(Names::Listed(names))
    }

    fn data(&mut self) -> Option<DataDeclaration> {
        self.bump();
        let name = self.declared_type("the name of the data type")?;
        let type_parameters = self.type_parameters();
        let mut constructors = Vec::new();
        if self.eat(TokenKind::Equal) {
            self.eat(TokenKind::Bar);
            while let Some(constructor) = self.constructor("a constructor") {
                constructors.push(constructor);
                if !self.eat(TokenKind::Bar) {
                    break;
                }
            }
        }
        self.end_declaration("data type");
        Some(DataDeclaration { name, type_parameters, constructors })
    }

    fn exception(&mut self) -> Option<Constructor> {
        self.note_modern();
        self.bump();
        let exception = self.constructor("the name of the exception")?;
        self.end_declaration("exception");
        Some(exception)
    }

    fn constructor(&mut self, what: &str) -> Option<Constructor> {
        let name = self.declared_type(what)?;
        let mut arguments = Vec::new();
        if self.eat(TokenKind::LeftParenthesis) {
            while !self.at(TokenKind::RightParenthesis) {
                let Some(type_use) = self.type_use() else {
                    break;
                };
                let accessor = self.at(TokenKind::Identifier).then(|| self.bump_name());
                arguments.push(ConstructorArgument { type_use, accessor });
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            if !self.expect(
                TokenKind::RightParenthesis,
                ")",
                "after the arguments of the constructor",
            ) {
                self.skip_past_parenthesis();
            }
        }
        Some(Constructor { name, arguments })
    }

    fn type_synonym(&mut self) -> Option<TypeSynonym> {
        self.bump();
        let name = self.declared_type("the new name of the type")?;
        self.expect(TokenKind::Equal, "=", "after the new name of the type");
        let target = self.type_use()?;
        self.end_declaration("type synonym");
        Some(TypeSynonym { name, target })
    }

    /// The name of what is declared, which has no module in front.
    pub(super) fn declared_type(&mut self, what: &str) -> Option<Identifier> {
        let name = self.qualified_type_name(what)?;
        if let Some(module) = &name.qualifier {
            let text = format!("`{}` is declared with the name of a module", name.name);
            self.report(Diagnostic::error(name.span, text).hint(format!(
                "write `{}` alone; it belongs to the module that it stands in, and `{module}.{}` \
                 is how others call it",
                name.name, name.name
            )));
        }
        Some(name.name)
    }

    fn declared_function(&mut self) -> Option<Identifier> {
        if self.at(TokenKind::TypeIdentifier) && self.peek_at(1) == TokenKind::Dot {
            return self.any_qualified_name().map(|name| name.name);
        }
        self.identifier("the name of the function")
    }

    fn function(&mut self) -> Option<DeclarationKind> {
        self.bump();
        let result = self.type_use()?;
        let name = self.declared_function()?;
        let type_parameters = self.type_parameters();
        let open = self.position();
        let is_partial = self.at(TokenKind::LeftParenthesis)
            && self
                .partner(open)
                .is_some_and(|close| self.kind_at(close + 1) == TokenKind::LeftParenthesis);
        if is_partial {
            self.note_modern();
            return self.partial_function(result, name, type_parameters);
        }
        let parameters = self.parameters();
        self.expect(TokenKind::Equal, "=", "before the body of the function");
        let body = self.function_body();
        self.end_declaration("body of the function");
        Some(DeclarationKind::Function(FunctionDeclaration {
            result,
            name,
            type_parameters,
            parameters,
            body,
        }))
    }

    fn function_body(&mut self) -> FunctionBody {
        let start = self.span();
        if !self.eat(TokenKind::Builtin) {
            return FunctionBody::Expression(self.expression());
        }
        let mut arguments = Vec::new();
        if self.at(TokenKind::LeftParenthesis) {
            arguments = self.arguments();
        }
        FunctionBody::Builtin(arguments, self.since(start))
    }

    fn partial_function(
        &mut self,
        result: TypeUse,
        name: Identifier,
        type_parameters: Vec<Identifier>,
    ) -> Option<DeclarationKind> {
        self.bump();
        let mut functions = Vec::new();
        while !self.at(TokenKind::RightParenthesis) {
            functions.push(self.identifier("the name of a function parameter")?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        if !self.expect(TokenKind::RightParenthesis, ")", "after the function parameters") {
            self.skip_past_parenthesis();
        }
        let parameters = self.parameters();
        self.expect(TokenKind::Equal, "=", "before the body of the function");
        let body = self.expression();
        self.end_declaration("body of the function");
        Some(DeclarationKind::PartialFunction(PartialFunctionDeclaration {
            result,
            name,
            type_parameters,
            functions,
            parameters,
            body,
        }))
    }
}

/// What stands for an expression that could not be read.
pub(super) fn error_expression(span: Span) -> Expression {
    Expression { kind: ExpressionKind::Error, span }
}
