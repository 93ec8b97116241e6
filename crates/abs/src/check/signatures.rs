//! The second round: the types that declarations mention.
//!
//! Order matters: synonyms first, since every other type may use them; then data types and functions; then
//! interfaces and, last, classes, which are checked against their interfaces (see [`classes`](super::classes)).

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::diagnostics::Diagnostic;
use crate::program::{ConstructorId, Type};
use crate::syntax::tree::{self, Identifier, TypeUse};

use super::tables::{Entity, ModuleId, Signature, Space, Tables};
use super::type_uses::TypeScope;

/// Resolves the types of synonyms, constructors, accessors and functions.
pub(super) fn resolve(tables: &mut Tables<'_>, diagnostics: &mut Vec<Diagnostic>) {
    synonyms(tables, diagnostics);
    constructors(tables, diagnostics);
    accessors(tables, diagnostics);
    functions(tables, diagnostics);
}

/// Resolves synonyms in an order in which each comes after those it uses.
fn synonyms(tables: &mut Tables<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let count = tables.synonyms.len();
    let uses: Vec<Vec<usize>> = (0..count)
        .map(|index| {
            let synonym = &tables.synonyms[index];
            let mut used = Vec::new();
            used_synonyms(tables, synonym.module, &synonym.tree.target, &mut used);
            used
        })
        .collect();
    let mut resolved = vec![false; count];
    let mut waiting: Vec<usize> = (0..count).collect();
    while !waiting.is_empty() {
        let (ready, others): (Vec<usize>, Vec<usize>) =
            waiting.iter().partition(|&&index| uses[index].iter().all(|&used| resolved[used]));
        if ready.is_empty() {
            for &index in &others {
                let name = &tables.synonyms[index].tree.name;
                diagnostics.push(
                    Diagnostic::error(name.span, format!("the type `{name}` is defined by itself"))
                        .hint("use a data type with a constructor for a recursive type"),
                );
            }
            return;
        }
        for index in ready {
            let synonym = &tables.synonyms[index];
            let scope = TypeScope { module: synonym.module, parameters: &[] };
            let target = tables.resolve_type(scope, &synonym.tree.target, diagnostics);
            tables.synonyms[index].target = target;
            resolved[index] = true;
        }
        waiting = others;
    }
}

fn used_synonyms(tables: &Tables<'_>, module: ModuleId, written: &TypeUse, used: &mut Vec<usize>) {
    if let Ok(Entity::Synonym(index)) = tables.resolve(module, Space::Type, &written.name) {
        used.push(index);
    }
    for argument in &written.arguments {
        used_synonyms(tables, module, argument, used);
    }
}

fn constructors(tables: &mut Tables<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for index in 0..tables.constructors.len() {
        let constructor = &tables.constructors[index];
        let parameters = &tables.data_type(constructor.data_type).parameters;
        let scope = TypeScope { module: constructor.module, parameters };
        let written = &constructor.tree.arguments;
        let arguments = written
            .iter()
            .map(|argument| tables.resolve_type(scope, &argument.type_use, diagnostics))
            .collect();
        tables.constructors[index].arguments = arguments;
    }
    for module in tables.modules.iter().filter(|module| !module.library) {
        for declaration in &module.tree.declarations {
            if let tree::DeclarationKind::Data(data) = &declaration.kind {
                let module = tables.module_names[&module.name];
                type_parameters(tables, module, &data.type_parameters, diagnostics);
            }
        }
    }
}

fn accessors(tables: &mut Tables<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for index in 0..tables.accessors.len() {
        let accessor = &tables.accessors[index];
        let type_of = |&(constructor, argument): &(ConstructorId, u16)| {
            tables.constructor(constructor).arguments[argument as usize].clone()
        };
        let mut results = accessor.cases.iter().map(type_of);
        let result = results.next().unwrap_or(Type::Open);
        if let Some(other) = results.find(|other| *other != result) {
            let message =
                format!("`{}` has different types in different constructors", accessor.name);
            let (one, other) = (tables.type_name(&result), tables.type_name(&other));
            diagnostics.push(
                Diagnostic::error(accessor.span, message)
                    .expecting(format!("{one} here, {other} elsewhere")),
            );
        }
        tables.accessors[index].result = result;
    }
}

fn functions(tables: &mut Tables<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for index in 0..tables.functions.len() {
        let function = &tables.functions[index];
        let tree = function.tree;
        let signature = signature(
            tables,
            function.module,
            &tree.type_parameters,
            &tree.parameters,
            &tree.result,
            diagnostics,
        );
        if let (tree::FunctionBody::Builtin(_, span), None) = (&tree.body, function.builtin) {
            diagnostics.push(foreign_body(tree, *span));
        }
        if !tables.module(function.module).library {
            unused_in_parameters(&tree.type_parameters, &signature, diagnostics);
        }
        tables.functions[index].signature = signature;
    }
    for index in 0..tables.partial_functions.len() {
        let function = &tables.partial_functions[index];
        let tree = function.tree;
        let signature = signature(
            tables,
            function.module,
            &tree.type_parameters,
            &tree.parameters,
            &tree.result,
            diagnostics,
        );
        if tree.functions.is_empty() {
            let message = format!("the partial function `{}` takes no function", tree.name);
            diagnostics.push(
                Diagnostic::error(tree.name.span, message)
                    .hint("remove the empty pair of parentheses"),
            );
        }
        let names =
            tree.functions.iter().chain(tree.parameters.iter().map(|parameter| &parameter.name));
        duplicates(names, "parameter", diagnostics);
        tables.partial_functions[index].signature = signature;
    }
}

/// What stands for a type parameter follows from the arguments of a call, so each must occur among the
/// types of the parameters. A function that a partial function is given may decide, too.
fn unused_in_parameters(
    names: &[Identifier],
    signature: &Signature,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (index, name) in names.iter().enumerate() {
        let used = |of: &Type| mentions(of, index as u16);
        if used(&signature.result) && !signature.parameters.iter().any(used) {
            let message =
                format!("the type parameter `{name}` occurs in the type of the result only");
            diagnostics
                .push(Diagnostic::error(name.span, message).hint(
                    "no argument says what it stands for: give the result a type of its own",
                ));
        }
    }
}

/// Whether a type parameter occurs in a type.
fn mentions(of: &Type, parameter: u16) -> bool {
    match of {
        Type::Parameter(index, _) => *index == parameter,
        Type::Data(_, arguments) => arguments.iter().any(|argument| mentions(argument, parameter)),
        Type::Future(argument) => mentions(argument, parameter),
        _ => false,
    }
}

fn foreign_body(tree: &tree::FunctionDeclaration, span: crate::source::Span) -> Diagnostic {
    let arguments = match &tree.body {
        tree::FunctionBody::Builtin(arguments, _) => arguments.as_slice(),
        tree::FunctionBody::Expression(_) => &[],
    };
    let diagnostic = Diagnostic::error(
        span,
        format!("`{}` has a built-in body that is not supported", tree.name),
    );
    if arguments.is_empty() {
        diagnostic.hint("only functions of the standard library are built in")
    } else {
        diagnostic.hint("queries of databases and calls of foreign code cannot be explored: write the function in ABS")
    }
}

fn signature(
    tables: &Tables<'_>,
    module: ModuleId,
    type_parameter_names: &[Identifier],
    parameters: &[tree::Parameter],
    result: &TypeUse,
    diagnostics: &mut Vec<Diagnostic>,
) -> Signature {
    type_parameters(tables, module, type_parameter_names, diagnostics);
    duplicates(parameters.iter().map(|parameter| &parameter.name), "parameter", diagnostics);
    let names: Vec<Arc<str>> = type_parameter_names.iter().map(|name| name.text.clone()).collect();
    let scope = TypeScope { module, parameters: &names };
    Signature {
        type_parameters: names.len(),
        parameters: parameters
            .iter()
            .map(|parameter| tables.resolve_type(scope, &parameter.type_use, diagnostics))
            .collect(),
        result: tables.resolve_type(scope, result, diagnostics),
    }
}

/// A type parameter should have a name of its own. Older models did not care: it hides the type there.
fn type_parameters(
    tables: &Tables<'_>,
    module: ModuleId,
    names: &[Identifier],
    diagnostics: &mut Vec<Diagnostic>,
) {
    duplicates(names.iter(), "type parameter", diagnostics);
    for name in names {
        if tables.resolve_bare(module, Space::Type, &name.text).is_ok() {
            diagnostics.push(
                Diagnostic::warning(
                    name.span,
                    format!("the type parameter `{name}` hides the type of that name"),
                )
                .hint("give it another name"),
            );
        }
    }
}

/// Reports names that occur twice.
pub(super) fn duplicates<'n>(
    names: impl Iterator<Item = &'n Identifier>,
    noun: &str,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut seen: FxHashMap<&str, &Identifier> = FxHashMap::default();
    for name in names {
        match seen.get(&*name.text) {
            Some(first) => diagnostics.push(
                Diagnostic::error(name.span, format!("the {noun} `{name}` is declared twice"))
                    .label(first.span, "declared here, too"),
            ),
            None => _ = seen.insert(&name.text, name),
        }
    }
}
