//! Traits, expanded into the classes that use them.
//!
//! `uses` copies the methods of a trait expression into the class. `adds` adds to them, `removes` takes some
//! away by name, and `modifies` replaces (or adds) methods; a replacement can call what it replaces with
//! `original(..)`, so replaced versions stay in the class under no name.

use std::sync::Arc;

use crate::diagnostics::Diagnostic;
use crate::syntax::tree::{self, MethodSet, TraitExpression, TraitOperation};

use super::tables::{Entity, ModuleId, Space, Tables};

/// A method on its way into a class.
#[derive(Clone)]
pub(super) struct Collected<'a> {
    pub(super) module: ModuleId,
    pub(super) tree: &'a tree::Method,
    /// The replaced versions, the newest last.
    pub(super) replaced: Vec<(ModuleId, &'a tree::Method)>,
}

/// A trait that uses so many others, one in the other, uses itself.
const MAXIMUM_DEPTH: usize = 50;

/// The methods of a trait expression, in order.
pub(super) fn expand<'a>(
    tables: &Tables<'a>,
    module: ModuleId,
    expression: &'a TraitExpression,
    depth: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Collected<'a>> {
    let mut methods = method_set(tables, module, &expression.base, depth, diagnostics);
    for operation in &expression.operations {
        match operation {
            TraitOperation::Adds(set) => {
                for method in method_set(tables, module, set, depth, diagnostics) {
                    add(&mut methods, method, diagnostics);
                }
            }
            TraitOperation::Modifies(set) => {
                for method in method_set(tables, module, set, depth, diagnostics) {
                    modify(&mut methods, method);
                }
            }
            TraitOperation::Removes(signatures) => {
                for signature in signatures {
                    remove(&mut methods, signature, diagnostics);
                }
            }
        }
    }
    methods
}

fn method_set<'a>(
    tables: &Tables<'a>,
    module: ModuleId,
    set: &'a MethodSet,
    depth: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Collected<'a>> {
    let name = match set {
        MethodSet::Methods(written) => {
            let mut methods = Vec::new();
            for tree in written {
                let method = Collected { module, tree, replaced: Vec::new() };
                add(&mut methods, method, diagnostics);
            }
            return methods;
        }
        MethodSet::Trait(name) => name,
    };
    match tables.resolve(module, Space::Trait, name) {
        Ok(Entity::Trait(index)) if depth < MAXIMUM_DEPTH => {
            let used = &tables.traits[index];
            expand(tables, used.module, &used.tree.expression, depth + 1, diagnostics)
        }
        Ok(_) => {
            diagnostics
                .push(Diagnostic::error(name.span, format!("the trait `{name}` uses itself")));
            Vec::new()
        }
        Err(why) => {
            diagnostics.push(tables.unresolved(module, Space::Trait, name, why));
            Vec::new()
        }
    }
}

/// Adds a method whose name must be new.
pub(super) fn add<'a>(
    methods: &mut Vec<Collected<'a>>,
    method: Collected<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let name = &method.tree.signature.name;
    match find(methods, &name.text) {
        Some(index) => diagnostics.push(
            Diagnostic::error(name.span, format!("the method `{name}` is declared twice"))
                .label(methods[index].tree.signature.name.span, "declared here, too"),
        ),
        None => methods.push(method),
    }
}

fn modify<'a>(methods: &mut Vec<Collected<'a>>, mut method: Collected<'a>) {
    match find(methods, &method.tree.signature.name.text) {
        Some(index) => {
            let old = &methods[index];
            let mut replaced = old.replaced.clone();
            replaced.push((old.module, old.tree));
            replaced.append(&mut method.replaced);
            method.replaced = replaced;
            methods[index] = method;
        }
        None => methods.push(method),
    }
}

fn remove(
    methods: &mut Vec<Collected<'_>>,
    signature: &tree::Signature,
    diagnostics: &mut Vec<Diagnostic>,
) {
    match find(methods, &signature.name.text) {
        Some(index) => {
            methods.remove(index);
        }
        None => diagnostics.push(Diagnostic::error(
            signature.name.span,
            format!("there is no method `{}` to remove", signature.name),
        )),
    }
}

fn find(methods: &[Collected<'_>], name: &Arc<str>) -> Option<usize> {
    methods.iter().position(|method| method.tree.signature.name.text == *name)
}
