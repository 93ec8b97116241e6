//! A product of a product line: the modules with what its deltas add and replace.
//!
//! ABS changes modules before a model is run: a product has features, and a product line says which deltas
//! are applied for which features. Tests use this to reach what a class keeps to itself, without a change
//! to the model's files. Deltas are applied in the order in which the product line lists them.

use crate::diagnostics::Diagnostic;
use crate::source::{FileId, Span};

use super::tree::{
    ClassDeclaration, DeclarationKind, Delta, DeltaChange, Method, MethodSet, Module,
    QualifiedName, TraitExpression, TraitOperation, Unit,
};

/// Applies the deltas of a product.
pub fn weave(units: &mut [Unit], product: &str, first: FileId, diagnostics: &mut Vec<Diagnostic>) {
    let products: Vec<_> = units.iter().flat_map(|unit| unit.products.clone()).collect();
    let Some(chosen) = products.iter().find(|one| &*one.name.text == product) else {
        let known: Vec<String> =
            products.iter().map(|one| format!("`{}`", one.name.text)).collect();
        let hint = match known.is_empty() {
            true => "this model has no products".to_owned(),
            false => format!("there is {}", known.join(", ")),
        };
        let place = Span::new(first, 0..0);
        let what = format!("there is no product `{product}`");
        diagnostics.push(Diagnostic::error(place, what).hint(hint));
        return;
    };
    let has = |feature: &str| chosen.features.iter().any(|one| &*one.text == feature);
    let uses: Vec<_> = units.iter().flat_map(|unit| unit.delta_uses.clone()).collect();
    let deltas: Vec<Delta> = units.iter().flat_map(|unit| unit.deltas.clone()).collect();
    for used in uses.iter().filter(|used| used.features.iter().all(|one| has(&one.text))) {
        let found = deltas.iter().find(|delta| delta.name.text == used.delta.text);
        match found {
            Some(delta) => apply(units, delta, diagnostics),
            None => diagnostics.push(Diagnostic::error(
                used.delta.span,
                format!("there is no delta `{}`", used.delta.text),
            )),
        }
    }
}

fn apply(units: &mut [Unit], delta: &Delta, diagnostics: &mut Vec<Diagnostic>) {
    let own = delta.module.as_ref().map(ToString::to_string);
    for change in &delta.changes {
        let class = match change {
            DeltaChange::Class(name, ..) => Some(name),
            _ => None,
        };
        let qualifier = class.and_then(|name| name.qualifier.as_ref()).map(ToString::to_string);
        let Some(wanted) = qualifier.or_else(|| own.clone()) else {
            diagnostics.push(
                Diagnostic::error(
                    delta.name.span,
                    format!("the delta `{}` does not say which module it changes", delta.name.text),
                )
                .hint("write `uses Module;` behind its name"),
            );
            return;
        };
        let modules = units.iter_mut().flat_map(|unit| &mut unit.modules);
        let Some(module) = modules.into_iter().find(|one| one.name.to_string() == wanted) else {
            let text = format!("there is no module `{wanted}` for the delta to change");
            diagnostics.push(Diagnostic::error(delta.name.span, text));
            return;
        };
        change_module(module, change, diagnostics);
    }
}

fn change_module(module: &mut Module, change: &DeltaChange, diagnostics: &mut Vec<Diagnostic>) {
    match change {
        DeltaChange::Add(declaration) => module.declarations.push(declaration.clone()),
        DeltaChange::Import(import) => module.imports.push(import.clone()),
        DeltaChange::Export(export) => module.exports.push(export.clone()),
        DeltaChange::Class(name, added, modified) => {
            let classes = module.declarations.iter_mut().filter_map(|one| match &mut one.kind {
                DeclarationKind::Class(class) => Some(class),
                _ => None,
            });
            match classes.into_iter().find(|class| class.name.text == name.name.text) {
                Some(class) => {
                    class.implements.extend(added.implements.iter().cloned());
                    class.fields.extend(added.fields.iter().cloned());
                    class.methods.extend(added.methods.iter().cloned());
                    for method in modified {
                        replace(class, method, diagnostics);
                    }
                }
                None => diagnostics.push(no_class(name)),
            }
        }
    }
}

/// Replaces a method of a class. The old version stays, as that of a trait does, for `original(..)`.
fn replace(class: &mut ClassDeclaration, method: &Method, diagnostics: &mut Vec<Diagnostic>) {
    let name = &method.signature.name;
    let modified = TraitOperation::Modifies(MethodSet::Methods(vec![method.clone()]));
    let own = class.methods.iter().position(|one| one.signature.name.text == name.text);
    if let Some(own) = own {
        let base = MethodSet::Methods(vec![class.methods.remove(own)]);
        let span = method.signature.span;
        class.uses.push(TraitExpression { base, operations: vec![modified], span });
        return;
    }
    match &mut class.uses[..] {
        // What a trait brings is known only later; a replacement of what it does not bring is added.
        [only] => only.operations.push(modified),
        _ => diagnostics.push(Diagnostic::error(
            name.span,
            format!("the class `{}` has no method `{name}` for the delta to replace", class.name),
        )),
    }
}

fn no_class(name: &QualifiedName) -> Diagnostic {
    Diagnostic::error(name.span, format!("there is no class `{name}` for the delta to change"))
}
