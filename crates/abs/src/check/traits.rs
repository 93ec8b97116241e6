//! Traits, expanded into the classes that use them.
//!
//! `uses` copies the methods of a trait expression into the class. `adds` adds to them, `removes` takes some
//! away by name, and `modifies` replaces (or adds) methods; a replacement can call what it replaces with
//! `original(..)`, so replaced versions stay in the class under no name.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::diagnostics::Diagnostic;
use crate::syntax::tree::{self, MethodSet, QualifiedName, TraitExpression, TraitOperation};

use super::tables::{Entity, ModuleId, Space, Tables};

/// A method on its way into a class.
#[derive(Clone)]
pub(super) struct Collected<'a> {
    pub(super) module: ModuleId,
    pub(super) tree: &'a tree::Method,
    /// The replaced versions, the newest last.
    pub(super) replaced: Vec<(ModuleId, &'a tree::Method)>,
}

/// The methods of a class or a trait, by name, in order.
#[derive(Default)]
pub(super) struct Collection<'a> {
    /// What was removed leaves its place empty.
    methods: Vec<Option<Collected<'a>>>,
    places: FxHashMap<Arc<str>, usize>,
}

impl<'a> Collection<'a> {
    pub(super) fn into_methods(self) -> impl Iterator<Item = Collected<'a>> {
        self.methods.into_iter().flatten()
    }

    fn get_mut(&mut self, name: &Arc<str>) -> Option<&mut Collected<'a>> {
        self.methods[*self.places.get(name)?].as_mut()
    }

    fn push(&mut self, method: Collected<'a>) {
        self.places.insert(method.tree.signature.name.text.clone(), self.methods.len());
        self.methods.push(Some(method));
    }

    fn remove(&mut self, name: &Arc<str>) -> Option<Collected<'a>> {
        self.methods[self.places.remove(name)?].take()
    }
}

/// A trait that uses so many others, one in the other, uses itself.
const MAXIMUM_DEPTH: usize = 50;

/// How many uses of traits one class may come to in all.
const MAXIMUM_USES: usize = 1000;

/// The methods of a trait expression in a module, in order.
pub(super) fn expand<'a>(
    tables: &Tables<'a>,
    module: ModuleId,
    expression: &'a TraitExpression,
    diagnostics: &mut Vec<Diagnostic>,
) -> Collection<'a> {
    let mut expander = Expander { tables, uses: 0, diagnostics };
    expander.expression(module, expression, 0)
}

struct Expander<'t, 'a, 'd> {
    tables: &'t Tables<'a>,
    uses: usize,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'a> Expander<'_, 'a, '_> {
    fn expression(
        &mut self,
        module: ModuleId,
        expression: &'a TraitExpression,
        depth: usize,
    ) -> Collection<'a> {
        let mut methods = self.method_set(module, &expression.base, depth);
        for operation in &expression.operations {
            match operation {
                TraitOperation::Adds(set) => {
                    for method in self.method_set(module, set, depth).into_methods() {
                        add(&mut methods, method, self.diagnostics);
                    }
                }
                TraitOperation::Modifies(set) => {
                    for method in self.method_set(module, set, depth).into_methods() {
                        modify(&mut methods, method);
                    }
                }
                TraitOperation::Removes(signatures) => {
                    for signature in signatures {
                        self.remove(&mut methods, signature);
                    }
                }
            }
        }
        methods
    }

    fn method_set(&mut self, module: ModuleId, set: &'a MethodSet, depth: usize) -> Collection<'a> {
        let written = match set {
            MethodSet::Trait(name) => return self.named(module, name, depth),
            MethodSet::Methods(written) => written,
        };
        let mut methods = Collection::default();
        for tree in written {
            let method = Collected { module, tree, replaced: Vec::new() };
            add(&mut methods, method, self.diagnostics);
        }
        methods
    }

    fn named(&mut self, module: ModuleId, name: &'a QualifiedName, depth: usize) -> Collection<'a> {
        self.uses += 1;
        let message = match self.tables.resolve(module, Space::Trait, name) {
            Ok(Entity::Trait(index)) if depth < MAXIMUM_DEPTH && self.uses < MAXIMUM_USES => {
                let used = &self.tables.traits[index];
                return self.expression(used.module, &used.tree.expression, depth + 1);
            }
            Ok(_) if self.uses >= MAXIMUM_USES => {
                Diagnostic::error(name.span, format!("`{name}` comes to too many uses of traits"))
            }
            Ok(_) => Diagnostic::error(name.span, format!("the trait `{name}` uses itself")),
            Err(why) => self.tables.unresolved(module, Space::Trait, name, why),
        };
        self.diagnostics.push(message);
        Collection::default()
    }

    fn remove(&mut self, methods: &mut Collection<'_>, signature: &tree::Signature) {
        let name = &signature.name;
        if methods.remove(&name.text).is_none() {
            self.diagnostics.push(Diagnostic::error(
                name.span,
                format!("there is no method `{name}` to remove"),
            ));
        }
    }
}

/// Adds a method whose name must be new.
pub(super) fn add<'a>(
    methods: &mut Collection<'a>,
    method: Collected<'a>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let name = &method.tree.signature.name;
    match methods.get_mut(&name.text) {
        Some(known) => diagnostics.push(
            Diagnostic::error(name.span, format!("the method `{name}` is declared twice"))
                .label(known.tree.signature.name.span, "declared here, too"),
        ),
        None => methods.push(method),
    }
}

fn modify<'a>(methods: &mut Collection<'a>, mut method: Collected<'a>) {
    match methods.get_mut(&method.tree.signature.name.text) {
        Some(known) => {
            let mut replaced = known.replaced.clone();
            replaced.push((known.module, known.tree));
            replaced.append(&mut method.replaced);
            method.replaced = replaced;
            *known = method;
        }
        None => methods.push(method),
    }
}
