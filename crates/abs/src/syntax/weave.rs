//! A product of a product line: the modules with what its deltas add, replace and remove.
//!
//! ABS changes modules before a model is run: a product has features, and a product line says which deltas
//! are applied for which features, and which of them before which others. Among deltas for which nothing is said the order in
//! which the product line lists them is kept. Tests use deltas to reach what a class keeps to itself, without a change
//! to the model's files.
//!
//! Parameters of deltas are values that are known when a delta is applied. They become variables where they are
//! mentioned: at the beginning of a method, or around an expression.

use crate::diagnostics::Diagnostic;
use crate::source::{FileId, Span};

use super::tree::{
    Binding, Block, ClassChange, ClassDeclaration, Computation, Declaration, DeclarationKind,
    Delta, DeltaArgument, DeltaChange, DeltaUse, Expression, ExpressionKind, FeatureCondition,
    FunctionBody, Identifier, InDelta, InterfaceChange, MemberChange, Method, MethodSet, Module,
    Parameter, Product, QualifiedName, Statement, StatementKind, TraitExpression, TraitOperation,
    Unit,
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
    let uses: Vec<_> = units.iter().flat_map(|unit| unit.delta_uses.clone()).collect();
    let active = |used: &&DeltaUse| used.condition.as_ref().is_none_or(|one| holds(one, chosen));
    let deltas: Vec<Delta> = units.iter().flat_map(|unit| unit.deltas.clone()).collect();
    for used in in_order(uses.iter().filter(active).collect(), diagnostics) {
        let Some(delta) = deltas.iter().find(|delta| delta.name.text == used.delta.text) else {
            diagnostics.push(Diagnostic::error(
                used.delta.span,
                format!("there is no delta `{}`", used.delta.text),
            ));
            continue;
        };
        if let Some(values) = values(delta, used, chosen, diagnostics) {
            apply(units, delta, &values, diagnostics);
        }
    }
}

fn has(product: &Product, feature: &str) -> bool {
    product.features.iter().any(|one| &*one.name.text == feature)
}

fn holds(condition: &FeatureCondition, product: &Product) -> bool {
    match condition {
        FeatureCondition::Feature(feature) => has(product, &feature.text),
        FeatureCondition::Not(inner) => !holds(inner, product),
        FeatureCondition::All(parts) => parts.iter().all(|part| holds(part, product)),
        FeatureCondition::Any(parts) => parts.iter().any(|part| holds(part, product)),
    }
}

/// The deltas that are applied, each behind those that it comes after: again and again the first of the list that may come.
fn in_order<'u>(
    mut left: Vec<&'u DeltaUse>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<&'u DeltaUse> {
    let mut ordered = Vec::new();
    while !left.is_empty() {
        let waits = |used: &DeltaUse| {
            let is_left = |name: &Identifier| left.iter().any(|one| one.delta.text == name.text);
            used.after.iter().any(is_left)
        };
        let Some(next) = left.iter().position(|used| !waits(used)) else {
            let place = left[0].delta.span;
            let what = format!("the delta `{}` comes after itself", left[0].delta.text);
            diagnostics.push(Diagnostic::error(place, what));
            break;
        };
        ordered.push(left.remove(next));
    }
    ordered
}

/// What the parameters of a delta stand for.
struct Values(Vec<(Parameter, Expression)>);

fn values(
    delta: &Delta,
    used: &DeltaUse,
    product: &Product,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Values> {
    if delta.parameters.len() != used.arguments.len() {
        let (count, given) = (delta.parameters.len(), used.arguments.len());
        let what = format!("the delta `{}` takes {count} values, not {given}", used.delta.text);
        diagnostics.push(Diagnostic::error(used.delta.span, what));
        return None;
    }
    let mut values = Vec::new();
    for (parameter, argument) in delta.parameters.iter().zip(&used.arguments) {
        let value = match argument {
            DeltaArgument::Value(value) => value.clone(),
            DeltaArgument::Feature(feature) => truth(has(product, &feature.text), feature.span),
            DeltaArgument::Attribute(feature, attribute) => {
                let chosen = product.features.iter().filter(|one| one.name.text == feature.text);
                let mut attributes = chosen.flat_map(|one| &one.attributes);
                match attributes.find(|(name, _)| name.text == attribute.text) {
                    Some((_, value)) => value.clone(),
                    None => {
                        let what = format!(
                            "the product `{}` does not say what `{feature}.{attribute}` is",
                            product.name
                        );
                        let hint = format!(
                            "write `product {}({feature}{{{attribute} = ..}}, ..);`",
                            product.name
                        );
                        diagnostics.push(Diagnostic::error(attribute.span, what).hint(hint));
                        return None;
                    }
                }
            }
        };
        values.push((parameter.clone(), value));
    }
    Some(Values(values))
}

fn truth(value: bool, span: Span) -> Expression {
    let name = Identifier { text: if value { "True" } else { "False" }.into(), span };
    let constructor = QualifiedName { qualifier: None, name, span };
    let kind = ExpressionKind::Construct { constructor, arguments: Vec::new(), parentheses: false };
    Expression { kind, span }
}

impl Values {
    /// Those of the parameters that are mentioned, unless a parameter of what mentions them hides them.
    fn of<'v>(
        &'v self,
        mentioned: &'v [Parameter],
        hidden: &'v [Parameter],
    ) -> impl DoubleEndedIterator<Item = &'v (Parameter, Expression)> {
        let listed = |list: &[Parameter], name: &Identifier| {
            list.iter().any(|parameter| parameter.name.text == name.text)
        };
        self.0.iter().filter(move |(parameter, _)| {
            listed(mentioned, &parameter.name) && !listed(hidden, &parameter.name)
        })
    }

    fn method(&self, mentioned: &[Parameter], method: &mut Method) {
        self.block(mentioned, &method.signature.parameters, &mut method.body);
    }

    fn block(&self, mentioned: &[Parameter], hidden: &[Parameter], block: &mut Block) {
        let values = self.of(mentioned, hidden);
        let declared: Vec<Statement> = values
            .map(|(Parameter { type_use, name }, value)| Statement {
                annotations: Vec::new(),
                kind: StatementKind::Declare {
                    type_use: type_use.clone(),
                    name: name.clone(),
                    value: Some(Computation::Pure(value.clone())),
                },
                span: name.span,
            })
            .collect();
        block.statements.splice(0..0, declared);
    }

    fn expression(&self, mentioned: &[Parameter], hidden: &[Parameter], body: &mut Expression) {
        let bindings: Vec<Binding> = self
            .of(mentioned, hidden)
            .map(|(Parameter { type_use, name }, value)| Binding {
                type_use: type_use.clone(),
                name: name.clone(),
                value: value.clone(),
            })
            .collect();
        if !bindings.is_empty() {
            let span = body.span;
            let inner = Expression { kind: ExpressionKind::Error, span };
            let inner = Box::new(std::mem::replace(body, inner));
            body.kind = ExpressionKind::Let { bindings, body: inner };
        }
    }

    /// The declaration, with the values where they are mentioned.
    fn declaration(&self, change: &InDelta<Declaration>) -> Declaration {
        let mut declaration = change.item.clone();
        let mentioned = &change.parameters;
        match &mut declaration.kind {
            DeclarationKind::Function(function) => {
                if let FunctionBody::Expression(body) = &mut function.body {
                    self.expression(mentioned, &function.parameters, body);
                }
            }
            DeclarationKind::PartialFunction(function) => {
                self.expression(mentioned, &function.parameters, &mut function.body);
            }
            DeclarationKind::Class(class) => {
                let hidden = class.parameters.clone();
                for value in class.fields.iter_mut().filter_map(|field| field.value.as_mut()) {
                    self.expression(mentioned, &hidden, value);
                }
                class.init.iter_mut().for_each(|init| self.block(mentioned, &hidden, init));
                class.methods.iter_mut().for_each(|method| self.method(mentioned, method));
            }
            _ => {}
        }
        declaration
    }
}

fn apply(units: &mut [Unit], delta: &Delta, values: &Values, diagnostics: &mut Vec<Diagnostic>) {
    let own = delta.module.as_ref().map(ToString::to_string);
    for change in &delta.changes {
        let changed = match change {
            DeltaChange::Class(name, _)
            | DeltaChange::Interface(name, _)
            | DeltaChange::RemoveClass(name)
            | DeltaChange::RemoveInterface(name) => Some(name),
            _ => None,
        };
        let qualifier = changed.and_then(|name| name.qualifier.as_ref()).map(ToString::to_string);
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
        if let Err(message) = change_module(module, change, values, diagnostics) {
            diagnostics.push(*message);
        }
    }
}

/// What comes of a change that may not fit what there is.
type Changed<T> = Result<T, Box<Diagnostic>>;

fn change_module(
    module: &mut Module,
    change: &DeltaChange,
    values: &Values,
    diagnostics: &mut Vec<Diagnostic>,
) -> Changed<()> {
    match change {
        DeltaChange::Add(added) => module.declarations.push(values.declaration(added)),
        DeltaChange::Replace(replacement) => {
            let new = values.declaration(replacement);
            let (noun, name) = named(&new.kind);
            let old = find(module, noun, name)?;
            *old = new;
        }
        DeltaChange::RemoveClass(name) => remove(module, "class", &name.name)?,
        DeltaChange::RemoveInterface(name) => remove(module, "interface", &name.name)?,
        DeltaChange::Import(import) => module.imports.push(import.clone()),
        DeltaChange::Export(export) => module.exports.push(export.clone()),
        DeltaChange::Class(name, change) => {
            if let DeclarationKind::Class(class) = &mut find(module, "class", &name.name)?.kind {
                change_class(class, change, values, diagnostics)?;
            }
        }
        DeltaChange::Interface(name, InterfaceChange { added, removed }) => {
            let declaration = find(module, "interface", &name.name)?;
            if let DeclarationKind::Interface(interface) = &mut declaration.kind {
                for signature in removed {
                    let names = interface.methods.iter().map(|method| &method.name);
                    let place = place(names, &signature.name, "interface", &name.name)?;
                    interface.methods.remove(place);
                }
                interface.methods.extend(added.iter().cloned());
            }
        }
    }
    Ok(())
}

/// How people call what a declaration declares, and its name.
fn named(kind: &DeclarationKind) -> (&'static str, &Identifier) {
    match kind {
        DeclarationKind::Data(data) => ("data type", &data.name),
        DeclarationKind::Exception(exception) => ("exception", &exception.name),
        DeclarationKind::TypeSynonym(synonym) => ("type synonym", &synonym.name),
        DeclarationKind::Function(function) => ("function", &function.name),
        DeclarationKind::PartialFunction(function) => ("partial function", &function.name),
        DeclarationKind::Interface(interface) => ("interface", &interface.name),
        DeclarationKind::Class(class) => ("class", &class.name),
        DeclarationKind::Trait(declared) => ("trait", &declared.name),
    }
}

fn find<'m>(module: &'m mut Module, noun: &str, name: &Identifier) -> Changed<&'m mut Declaration> {
    let is_it = |declaration: &&mut Declaration| {
        let (known, own) = named(&declaration.kind);
        known == noun && own.text == name.text
    };
    let missing = || {
        let what = format!("there is no {noun} `{name}` for the delta to change");
        Box::new(Diagnostic::error(name.span, what))
    };
    module.declarations.iter_mut().find(is_it).ok_or_else(missing)
}

fn remove(module: &mut Module, noun: &str, name: &Identifier) -> Changed<()> {
    find(module, noun, name)?;
    module.declarations.retain(|declaration| {
        let (known, own) = named(&declaration.kind);
        known != noun || own.text != name.text
    });
    Ok(())
}

/// Where a name stands among the members of something.
fn place<'n>(
    mut names: impl Iterator<Item = &'n Identifier>,
    name: &Identifier,
    noun: &str,
    owner: &Identifier,
) -> Changed<usize> {
    names.position(|known| known.text == name.text).ok_or_else(|| {
        let what = format!("the {noun} `{owner}` has no `{name}` for the delta to remove");
        Box::new(Diagnostic::error(name.span, what))
    })
}

fn change_class(
    class: &mut ClassDeclaration,
    change: &ClassChange,
    values: &Values,
    diagnostics: &mut Vec<Diagnostic>,
) -> Changed<()> {
    for removed in &change.removed {
        let names = class.implements.iter().map(|known| &known.name);
        let place = place(names, &removed.name, "class", &class.name)?;
        class.implements.remove(place);
    }
    class.implements.extend(change.added.iter().cloned());
    for InDelta { item, parameters } in &change.members {
        match item {
            MemberChange::AddField(field) => {
                let mut field = field.clone();
                if let Some(value) = &mut field.value {
                    values.expression(parameters, &[], value);
                }
                class.fields.push(field);
            }
            MemberChange::AddMethod(method) => {
                let mut method = method.clone();
                values.method(parameters, &mut method);
                class.methods.push(method);
            }
            MemberChange::ReplaceMethod(method) => {
                let mut method = method.clone();
                values.method(parameters, &mut method);
                replace(class, method, diagnostics);
            }
            MemberChange::RemoveField(name) => {
                let names = class.fields.iter().map(|field| &field.name);
                let place = place(names, name, "class", &class.name)?;
                class.fields.remove(place);
            }
            MemberChange::RemoveMethod(signature) => {
                let name = &signature.name;
                let own = class.methods.iter().position(|one| one.signature.name.text == name.text);
                if let Some(own) = own {
                    class.methods.remove(own);
                } else if let Some(used) = brings(class, name) {
                    used.operations.push(TraitOperation::Removes(vec![signature.clone()]));
                } else {
                    place(std::iter::empty(), name, "class", &class.name)?;
                }
            }
        }
    }
    Ok(())
}

/// Replaces a method of a class. The old version stays, as that of a trait does, for `original(..)`.
fn replace(class: &mut ClassDeclaration, method: Method, diagnostics: &mut Vec<Diagnostic>) {
    let name = method.signature.name.clone();
    let span = method.signature.span;
    let modified = TraitOperation::Modifies(MethodSet::Methods(vec![method]));
    let own = class.methods.iter().position(|one| one.signature.name.text == name.text);
    if let Some(own) = own {
        let base = MethodSet::Methods(vec![class.methods.remove(own)]);
        class.uses.push(TraitExpression { base, operations: vec![modified], span });
        return;
    }
    match brings(class, &name) {
        Some(used) => used.operations.push(modified),
        None => diagnostics.push(Diagnostic::error(
            name.span,
            format!("the class `{}` has no method `{name}` for the delta to replace", class.name),
        )),
    }
}

/// The traits that bring a method: those in which it is written, such as what another delta has replaced, or else the only ones
/// of which that is known later.
fn brings<'c>(
    class: &'c mut ClassDeclaration,
    name: &Identifier,
) -> Option<&'c mut TraitExpression> {
    let sets = |used: &TraitExpression| -> Vec<MethodSet> {
        let operations = used.operations.iter().filter_map(|operation| match operation {
            TraitOperation::Adds(set) | TraitOperation::Modifies(set) => Some(set.clone()),
            TraitOperation::Removes(_) => None,
        });
        std::iter::once(used.base.clone()).chain(operations).collect()
    };
    let is_written = |set: &MethodSet| match set {
        MethodSet::Methods(methods) => {
            methods.iter().any(|method| method.signature.name.text == name.text)
        }
        MethodSet::Trait(_) => false,
    };
    let is_trait = |set: &MethodSet| matches!(set, MethodSet::Trait(_));
    let written = class.uses.iter().position(|used| sets(used).iter().any(is_written));
    let mut traits = (0..class.uses.len()).filter(|&at| sets(&class.uses[at]).iter().any(is_trait));
    let only = traits.next().filter(|_| traits.next().is_none());
    class.uses.get_mut(written.or(only)?)
}
