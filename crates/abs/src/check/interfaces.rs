//! Interfaces: what they extend and which methods they have.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostics::Diagnostic;
use crate::program::InterfaceId;
use crate::syntax::tree;

use super::annotations;
use super::signatures::duplicates;
use super::tables::{MethodSignature, ModuleId, Tables, places};
use super::type_uses::TypeScope;

/// Fills in parents, ancestors and methods of all interfaces.
pub(super) fn resolve(tables: &mut Tables<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let count = tables.interfaces.len();
    for index in 0..count {
        let interface = &tables.interfaces[index];
        let mut parents: Vec<InterfaceId> = Vec::new();
        for name in &interface.tree.extends {
            if let Some(parent) = tables.resolve_interface(interface.module, name, diagnostics)
                && !parents.contains(&parent)
            {
                parents.push(parent);
            }
        }
        if parents.is_empty() && index != InterfaceId::OBJECT.index() {
            parents.push(InterfaceId::OBJECT);
        }
        tables.interfaces[index].parents = parents;
    }
    for index in 0..count {
        let id = InterfaceId(index as u32);
        let mut ancestors = ancestors(tables, id);
        if tables.interfaces[index].parents.iter().any(|&parent| reaches(tables, parent, id)) {
            let name = &tables.interfaces[index].tree.name;
            diagnostics.push(Diagnostic::error(
                name.span,
                format!("the interface `{name}` extends itself"),
            ));
            ancestors = vec![InterfaceId::OBJECT, id];
        }
        ancestors.sort_unstable();
        ancestors.dedup();
        tables.interfaces[index].ancestors = ancestors;
    }
    let own: Vec<Vec<MethodSignature>> =
        (0..count).map(|index| own_methods(tables, index, diagnostics)).collect();
    for index in 0..count {
        let methods = all_methods(tables, &own, index, diagnostics);
        tables.interfaces[index].method_places =
            places(methods.iter().map(|method| &method.name).enumerate());
        tables.interfaces[index].methods = methods;
    }
}

fn ancestors(tables: &Tables<'_>, id: InterfaceId) -> Vec<InterfaceId> {
    let mut found = vec![id];
    let mut known = FxHashSet::from_iter([id]);
    let mut next = 0;
    while next < found.len() {
        for &parent in &tables.interface(found[next]).parents {
            if known.insert(parent) {
                found.push(parent);
            }
        }
        next += 1;
    }
    found
}

fn reaches(tables: &Tables<'_>, from: InterfaceId, to: InterfaceId) -> bool {
    ancestors(tables, from).contains(&to)
}

fn own_methods(
    tables: &mut Tables<'_>,
    index: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<MethodSignature> {
    let interface = &tables.interfaces[index];
    let (module, tree) = (interface.module, interface.tree);
    duplicates(tree.methods.iter().map(|method| &method.name), "method", diagnostics);
    let mut methods: Vec<MethodSignature> = Vec::new();
    let mut known: FxHashSet<&str> = FxHashSet::default();
    for method in &tree.methods {
        let signature = method_signature(tables, module, method, diagnostics);
        if known.insert(&method.name.text) {
            methods.push(signature);
        }
    }
    methods
}

/// A method as callers see it.
pub(super) fn method_signature(
    tables: &mut Tables<'_>,
    module: ModuleId,
    method: &tree::Signature,
    diagnostics: &mut Vec<Diagnostic>,
) -> MethodSignature {
    duplicates(method.parameters.iter().map(|parameter| &parameter.name), "parameter", diagnostics);
    let scope = TypeScope { module, parameters: &[] };
    let parameters = method
        .parameters
        .iter()
        .map(|parameter| tables.resolve_type(scope, &parameter.type_use, diagnostics))
        .collect();
    MethodSignature {
        name: method.name.text.clone(),
        selector: tables.selectors.number(&method.name.text),
        parameters,
        result: tables.resolve_type(scope, &method.result, diagnostics),
        atomic: annotations::has(&method.result.annotations, "Atomic"),
        readonly: annotations::has(&method.result.annotations, "Readonly"),
        span: method.name.span,
    }
}

/// Own and inherited methods; inherited ones of one name must agree.
fn all_methods(
    tables: &Tables<'_>,
    own: &[Vec<MethodSignature>],
    index: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<MethodSignature> {
    let interface = &tables.interfaces[index];
    let mut methods: Vec<(Arc<str>, MethodSignature)> = Vec::new();
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    for ancestor in &interface.ancestors {
        let above = ancestor.index() != index;
        let owner = &tables.interface(*ancestor).name;
        for method in own[ancestor.index()].iter().filter(|_| above) {
            match places.get(&*method.name).map(|&place| &methods[place]) {
                Some((other, known)) if !same_types(known, method) => diagnostics.push(
                    Diagnostic::error(
                        interface.tree.name.span,
                        format!(
                            "`{}` inherits two different methods `{}`",
                            interface.name, method.name
                        ),
                    )
                    .label(known.span, format!("from `{other}`"))
                    .label(method.span, format!("from `{owner}`")),
                ),
                Some(_) => {}
                None => {
                    places.insert(&method.name, methods.len());
                    methods.push((owner.clone(), method.clone()));
                }
            }
        }
    }
    for method in &own[index] {
        let Some(&position) = places.get(&*method.name) else {
            methods.push((interface.name.clone(), method.clone()));
            continue;
        };
        let (owner, known) = &methods[position];
        let message = format!("the method `{}` is already inherited from `{owner}`", method.name);
        diagnostics.push(if same_types(known, method) {
            Diagnostic::error(method.span, message)
                .label(known.span, "declared here")
                .hint("leave it out: it is inherited")
        } else {
            Diagnostic::error(method.span, format!("{message}, with other types"))
                .label(known.span, "declared here")
        });
        methods[position].1 = method.clone();
    }
    methods.into_iter().map(|(_, method)| method).collect()
}

/// Whether two methods take and give the same.
pub(super) fn same_types(left: &MethodSignature, right: &MethodSignature) -> bool {
    left.parameters == right.parameters && left.result == right.result
}
