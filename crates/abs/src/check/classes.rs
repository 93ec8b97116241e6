//! Classes: their fields and methods, and whether they keep what their interfaces promise.

use rustc_hash::FxHashMap;

use crate::diagnostics::Diagnostic;
use crate::program::{InterfaceId, MethodId, Type};
use crate::syntax::tree;

use super::annotations;
use super::interfaces::{method_signature, same_types};
use super::signatures::duplicates;
use super::tables::{Class, Field, Method, MethodSignature, ModuleId, Tables, places};
use super::traits::{self, Collected, Collection};
use super::type_uses::TypeScope;

/// Fills in fields, methods and interfaces of all classes, and checks them.
pub(super) fn resolve(tables: &mut Tables<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut next_method = 0;
    for index in 0..tables.classes.len() {
        implemented(tables, index, diagnostics);
        fields(tables, index, diagnostics);
        methods(tables, index, &mut next_method, diagnostics);
        check_interfaces(tables, &tables.classes[index], diagnostics);
        check_run(&tables.classes[index], diagnostics);
    }
    for declared in &tables.traits {
        traits::expand(tables, declared.module, &declared.tree.expression, diagnostics);
    }
}

fn implemented(tables: &mut Tables<'_>, index: usize, diagnostics: &mut Vec<Diagnostic>) {
    let class = &tables.classes[index];
    let mut implements: Vec<InterfaceId> = Vec::new();
    for name in &class.tree.implements {
        if let Some(interface) = tables.resolve_interface(class.module, name, diagnostics)
            && !implements.contains(&interface)
        {
            implements.push(interface);
        }
    }
    if implements.is_empty() {
        implements.push(InterfaceId::OBJECT);
    }
    let mut interfaces: Vec<InterfaceId> = implements
        .iter()
        .flat_map(|&interface| tables.interface(interface).ancestors.iter().copied())
        .collect();
    interfaces.push(InterfaceId::OBJECT);
    interfaces.sort_unstable();
    interfaces.dedup();
    let class = &mut tables.classes[index];
    class.implements = implements;
    class.interfaces = interfaces;
}

fn fields<'a>(tables: &mut Tables<'a>, index: usize, diagnostics: &mut Vec<Diagnostic>) {
    let class = &tables.classes[index];
    let tree: &'a tree::ClassDeclaration = class.tree;
    let scope = TypeScope { module: class.module, parameters: &[] };
    let names = tree.parameters.iter().map(|parameter| &parameter.name);
    duplicates(names.chain(tree.fields.iter().map(|field| &field.name)), "field", diagnostics);
    let mut fields: Vec<Field<'a>> = Vec::new();
    for parameter in &tree.parameters {
        fields.push(Field {
            name: parameter.name.text.clone(),
            value_type: tables.resolve_type(scope, &parameter.type_use, diagnostics),
            is_final: annotations::has(&parameter.type_use.annotations, "Final"),
            is_parameter: true,
            tree: None,
            span: parameter.name.span,
        });
    }
    for field in &tree.fields {
        let value_type = tables.resolve_type(scope, &field.type_use, diagnostics);
        if field.value.is_none() {
            check_uninitialised(tables, &value_type, "field", &field.name, diagnostics);
        }
        fields.push(Field {
            name: field.name.text.clone(),
            value_type,
            is_final: annotations::has(&field.type_use.annotations, "Final"),
            is_parameter: false,
            tree: Some(field),
            span: field.name.span,
        });
    }
    tables.classes[index].field_places = places(fields.iter().map(|field| &field.name).enumerate());
    tables.classes[index].fields = fields;
}

/// Only references can start as null.
pub(crate) fn check_uninitialised(
    tables: &Tables<'_>,
    value_type: &Type,
    noun: &str,
    name: &tree::Identifier,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if value_type.is_reference() || *value_type == Type::Open {
        return;
    }
    let example = match value_type {
        Type::Integer | Type::Rational => " = 0",
        Type::Float => " = 0.0",
        Type::String => " = \"\"",
        _ => " = ..",
    };
    let shown = tables.type_name(value_type);
    diagnostics.push(
        Diagnostic::error(name.span, format!("the {noun} `{name}` needs a first value"))
            .expecting(format!("{shown} has no null"))
            .hint(format!("write `{shown} {name}{example};`")),
    );
}

fn methods<'a>(
    tables: &mut Tables<'a>,
    index: usize,
    next: &mut u32,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let collected = collect(tables, &tables.classes[index], diagnostics);
    let mut methods: Vec<Method<'a>> = Vec::new();
    for method in collected.into_methods() {
        let mut original = None;
        for (module, tree) in method.replaced {
            let replaced = make(tables, (module, tree), (original, false), next, diagnostics);
            original = Some(methods.len());
            methods.push(replaced);
        }
        let method =
            make(tables, (method.module, method.tree), (original, true), next, diagnostics);
        methods.push(method);
    }
    let named = methods.iter().enumerate().filter(|(_, method)| method.is_named);
    tables.classes[index].method_places =
        places(named.map(|(place, method)| (place, &method.signature.name)));
    tables.classes[index].methods = methods;
}

fn make<'a>(
    tables: &mut Tables<'a>,
    (module, tree): (ModuleId, &'a tree::Method),
    (original, is_named): (Option<usize>, bool),
    next: &mut u32,
    diagnostics: &mut Vec<Diagnostic>,
) -> Method<'a> {
    let id = MethodId(*next);
    *next += 1;
    Method {
        signature: method_signature(tables, module, &tree.signature, diagnostics),
        id,
        module,
        tree,
        original,
        is_named,
    }
}

/// The methods of the class and of the traits it uses.
fn collect<'a>(
    tables: &Tables<'a>,
    class: &Class<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Collection<'a> {
    let mut methods = Collection::default();
    for tree in &class.tree.methods {
        let own = Collected { module: class.module, tree, replaced: Vec::new() };
        traits::add(&mut methods, own, diagnostics);
    }
    for expression in &class.tree.uses {
        for method in traits::expand(tables, class.module, expression, diagnostics).into_methods() {
            traits::add(&mut methods, method, diagnostics);
        }
    }
    methods
}

/// The class has every method of its interfaces, with the same types.
fn check_interfaces(tables: &Tables<'_>, class: &Class<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut checked: FxHashMap<&str, Vec<&MethodSignature>> = FxHashMap::default();
    for &id in &class.implements {
        let interface = tables.interface(id);
        for promised in &interface.methods {
            let same = |known: &&MethodSignature| {
                same_types(known, promised)
                    && (known.atomic, known.readonly) == (promised.atomic, promised.readonly)
            };
            let checked = checked.entry(&promised.name).or_default();
            if checked.iter().any(same) {
                continue;
            }
            checked.push(promised);
            match class.method(&promised.name) {
                None => diagnostics.push(
                    Diagnostic::error(
                        class.tree.name.span,
                        format!(
                            "`{}` lacks the method `{}` of `{}`",
                            class.name, promised.name, interface.name
                        ),
                    )
                    .label(promised.span, "promised here")
                    .hint(format!("add `{} {{ .. }}`", written(tables, promised))),
                ),
                Some(method) => {
                    check_method(tables, class, &method.signature, promised, diagnostics)
                }
            }
        }
    }
}

fn check_method(
    tables: &Tables<'_>,
    class: &Class<'_>,
    method: &MethodSignature,
    promised: &MethodSignature,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let name = &method.name;
    if !same_types(method, promised) && !types_unknown(method) && !types_unknown(promised) {
        diagnostics.push(
            Diagnostic::error(
                method.span,
                format!("`{name}` has other types than its interface promises"),
            )
            .expecting(format!("this is `{}`", written(tables, method)))
            .label(promised.span, format!("`{}`", written(tables, promised))),
        );
    }
    for (promised_mark, mark, word) in [
        (promised.atomic, method.atomic, "Atomic"),
        (promised.readonly, method.readonly, "Readonly"),
    ] {
        if promised_mark && !mark {
            diagnostics.push(
                Diagnostic::error(
                    method.span,
                    format!("`{name}` of `{}` must be `[{word}]`, too", class.name),
                )
                .label(promised.span, format!("promised to be `[{word}]` here"))
                .hint(format!("write `[{word}]` before the method")),
            );
        }
    }
}

/// Whether a message about the types was reported already.
fn types_unknown(method: &MethodSignature) -> bool {
    method.parameters.iter().chain([&method.result]).any(super::relations::has_open)
}

fn written(tables: &Tables<'_>, method: &MethodSignature) -> String {
    let parameters: Vec<String> =
        method.parameters.iter().map(|parameter| tables.type_name(parameter)).collect();
    format!("{} {}({})", tables.type_name(&method.result), method.name, parameters.join(", "))
}

fn check_run(class: &Class<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if let Some(run) = class.method("run") {
        let signature = &run.signature;
        if !signature.parameters.is_empty() || signature.result != Type::UNIT {
            diagnostics.push(
                Diagnostic::error(signature.span, "the method `run` must be `Unit run()`")
                    .hint("it is started by itself when an object has been created; call another method otherwise"),
            );
        }
    }
}
