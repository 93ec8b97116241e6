//! A tree as text, in today's spelling.
//!
//! Whatever generation a file was written in, the text is what one would write today: `new` and `new local`,
//! `!`, `when`, `switch`, `|` between branches. Parsing it gives the same tree again, which is how the tests
//! make sure that parser and printer agree.

mod expressions;
mod statements;

use crate::program::Generation;
use crate::syntax::tree::{
    Annotation, ClassDeclaration, Constructor, DataDeclaration, Declaration, DeclarationKind,
    FunctionBody, FunctionDeclaration, Identifier, InterfaceDeclaration, Method, MethodSet, Module,
    Names, Parameter, PartialFunctionDeclaration, QualifiedName, Signature, TraitExpression,
    TraitOperation, TypeUse, Unit,
};

/// The text of a file's tree. The generation says what a bare `new` in it means.
pub fn print(unit: &Unit, generation: Generation) -> String {
    let mut printer = Printer { text: String::new(), indentation: 0, generation };
    for module in &unit.modules {
        printer.module(module);
    }
    printer.text
}

struct Printer {
    text: String,
    indentation: usize,
    generation: Generation,
}

impl Printer {
    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Ends the line and indents the next one.
    fn line(&mut self) {
        self.text.push('\n');
        for _ in 0..self.indentation {
            self.text.push_str("  ");
        }
    }

    /// Items with a separator between them.
    fn separated<T>(&mut self, items: &[T], separator: &str, mut print: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.put(separator);
            }
            print(self, item);
        }
    }

    /// Something in braces, one level deeper.
    fn braces(&mut self, print: impl FnOnce(&mut Self)) {
        self.put("{");
        self.indentation += 1;
        print(self);
        self.indentation -= 1;
        self.line();
        self.put("}");
    }

    fn name(&mut self, name: &Identifier) {
        self.put(&name.text);
    }

    fn qualified(&mut self, name: &QualifiedName) {
        self.put(&name.to_string());
    }

    fn module(&mut self, module: &Module) {
        self.put("module ");
        self.qualified(&module.name);
        self.put(";\n");
        for export in &module.exports {
            self.put("export ");
            self.names(&export.names, export.from.as_ref());
        }
        for import in &module.imports {
            self.put("import ");
            self.names(&import.names, import.from.as_ref());
        }
        for declaration in &module.declarations {
            self.text.push('\n');
            self.declaration(declaration);
            self.text.push('\n');
        }
        if let Some(main) = &module.main {
            self.text.push('\n');
            self.annotations(&main.annotations);
            self.block(&main.block);
            self.text.push('\n');
        }
    }

    fn names(&mut self, names: &Names, from: Option<&QualifiedName>) {
        match names {
            Names::All => self.put("*"),
            Names::Listed(names) => self.separated(names, ", ", Self::qualified),
        }
        if let Some(from) = from {
            self.put(" from ");
            self.qualified(from);
        }
        self.put(";\n");
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.annotations(&declaration.annotations);
        match &declaration.kind {
            DeclarationKind::Data(data) => self.data(data),
            DeclarationKind::Exception(constructor) => {
                self.put("exception ");
                self.constructor(constructor);
                self.put(";");
            }
            DeclarationKind::TypeSynonym(synonym) => {
                self.put("type ");
                self.name(&synonym.name);
                self.put(" = ");
                self.type_use(&synonym.target);
                self.put(";");
            }
            DeclarationKind::Function(function) => self.function(function),
            DeclarationKind::PartialFunction(function) => self.partial_function(function),
            DeclarationKind::Interface(interface) => self.interface(interface),
            DeclarationKind::Class(class) => self.class(class),
            DeclarationKind::Trait(declared) => {
                self.put("trait ");
                self.name(&declared.name);
                self.put(" = ");
                self.trait_expression(&declared.expression);
            }
        }
    }

    fn data(&mut self, data: &DataDeclaration) {
        self.put("data ");
        self.name(&data.name);
        self.type_parameters(&data.type_parameters);
        if !data.constructors.is_empty() {
            self.put(" = ");
            self.separated(&data.constructors, " | ", Self::constructor);
        }
        self.put(";");
    }

    fn constructor(&mut self, constructor: &Constructor) {
        self.name(&constructor.name);
        if constructor.arguments.is_empty() {
            return;
        }
        self.put("(");
        self.separated(&constructor.arguments, ", ", |printer, argument| {
            printer.type_use(&argument.type_use);
            if let Some(accessor) = &argument.accessor {
                printer.put(" ");
                printer.name(accessor);
            }
        });
        self.put(")");
    }

    fn type_parameters(&mut self, parameters: &[Identifier]) {
        if !parameters.is_empty() {
            self.put("<");
            self.separated(parameters, ", ", Self::name);
            self.put(">");
        }
    }

    fn function(&mut self, function: &FunctionDeclaration) {
        self.put("def ");
        self.type_use(&function.result);
        self.put(" ");
        self.name(&function.name);
        self.type_parameters(&function.type_parameters);
        self.parameters(&function.parameters);
        self.put(" = ");
        match &function.body {
            FunctionBody::Expression(body) => self.expression(body),
            FunctionBody::Builtin(arguments, _) => {
                self.put("builtin");
                if !arguments.is_empty() {
                    self.arguments(arguments);
                }
            }
        }
        self.put(";");
    }

    fn partial_function(&mut self, function: &PartialFunctionDeclaration) {
        self.put("def ");
        self.type_use(&function.result);
        self.put(" ");
        self.name(&function.name);
        self.type_parameters(&function.type_parameters);
        self.put("(");
        self.separated(&function.functions, ", ", Self::name);
        self.put(")");
        self.parameters(&function.parameters);
        self.put(" = ");
        self.expression(&function.body);
        self.put(";");
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        self.put("(");
        self.separated(parameters, ", ", |printer, parameter| {
            printer.type_use(&parameter.type_use);
            printer.put(" ");
            printer.name(&parameter.name);
        });
        self.put(")");
    }

    fn type_use(&mut self, written: &TypeUse) {
        self.annotations(&written.annotations);
        self.qualified(&written.name);
        if !written.arguments.is_empty() {
            self.put("<");
            self.separated(&written.arguments, ", ", Self::type_use);
            self.put(">");
        }
    }

    fn annotations(&mut self, annotations: &[Annotation]) {
        for annotation in annotations {
            self.put("[");
            if let Some(name) = &annotation.name {
                self.name(name);
                self.put(": ");
            }
            self.expression(&annotation.value);
            self.put("] ");
        }
    }

    fn interface(&mut self, interface: &InterfaceDeclaration) {
        self.put("interface ");
        self.name(&interface.name);
        if !interface.extends.is_empty() {
            self.put(" extends ");
            self.separated(&interface.extends, ", ", Self::qualified);
        }
        self.put(" ");
        self.braces(|printer| {
            for method in &interface.methods {
                printer.line();
                printer.signature(method);
                printer.put(";");
            }
        });
    }

    fn signature(&mut self, signature: &Signature) {
        self.type_use(&signature.result);
        self.put(" ");
        self.name(&signature.name);
        self.parameters(&signature.parameters);
    }

    fn class(&mut self, class: &ClassDeclaration) {
        self.put("class ");
        self.name(&class.name);
        if !class.parameters.is_empty() {
            self.parameters(&class.parameters);
        }
        if !class.implements.is_empty() {
            self.put(" implements ");
            self.separated(&class.implements, ", ", Self::qualified);
        }
        self.put(" ");
        self.braces(|printer| printer.members(class));
    }

    fn members(&mut self, class: &ClassDeclaration) {
        for field in &class.fields {
            self.line();
            self.type_use(&field.type_use);
            self.put(" ");
            self.name(&field.name);
            if let Some(value) = &field.value {
                self.put(" = ");
                self.expression(value);
            }
            self.put(";");
        }
        if let Some(init) = &class.init {
            self.line();
            self.block(init);
        }
        if let Some(branches) = &class.recover {
            self.line();
            self.put("recover ");
            self.statement_branches(branches);
        }
        for used in &class.uses {
            self.line();
            self.put("uses ");
            self.trait_expression(used);
            self.put(";");
        }
        for method in &class.methods {
            self.line();
            self.method(method);
        }
    }

    fn method(&mut self, method: &Method) {
        self.signature(&method.signature);
        self.put(" ");
        self.block(&method.body);
    }

    fn trait_expression(&mut self, expression: &TraitExpression) {
        self.method_set(&expression.base);
        for operation in &expression.operations {
            match operation {
                TraitOperation::Adds(set) => {
                    self.put(" adds ");
                    self.method_set(set);
                }
                TraitOperation::Modifies(set) => {
                    self.put(" modifies ");
                    self.method_set(set);
                }
                TraitOperation::Removes(signatures) => {
                    self.put(" removes ");
                    self.braces(|printer| {
                        for signature in signatures {
                            printer.line();
                            printer.signature(signature);
                            printer.put(";");
                        }
                    });
                }
            }
        }
    }

    fn method_set(&mut self, set: &MethodSet) {
        match set {
            MethodSet::Trait(name) => self.qualified(name),
            MethodSet::Methods(methods) => self.braces(|printer| {
                for method in methods {
                    printer.line();
                    printer.method(method);
                }
            }),
        }
    }
}
