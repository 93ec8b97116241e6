//! Partial functions: expanded for each call.
//!
//! `map((Int x) => x + n)(l)` becomes a call of a function made for this place: the body of `map`, in which
//! every call of its function parameter is replaced by `x + n`. What the anonymous function needs from where
//! it is written (`n`) arrives as further arguments, which recursive calls pass on. A type parameter that the
//! ordinary arguments do not determine (the element type of the result of `map`) stays open while the body is
//! typed and is then read off the type of the body.

use std::sync::Arc;

use crate::check::tables::{Entity, Signature, Space};
use crate::check::type_uses::count;
use crate::diagnostics::{Diagnostic, Label};
use crate::library;
use crate::program::{
    self, Arguments, BodyId, BodyOwner, FunctionId, Instruction, Operand, Place, Type,
};
use crate::source::Span;
use crate::syntax::tree::{Expression, FunctionArgument, Parameter, QualifiedName};

use super::calls::CallContext;
use super::environment::{Lowering, Members, VisibleVariable};
use super::expansion::{Anonymous, Bound, Expansion, InlineScope};
use super::expressions::TypedValue;
use super::free_variables::Mentioned;

/// A longer chain of partial functions that call each other is not meant by anybody.
const MAXIMUM_CHAIN: usize = 40;

/// More expansions than this are not meant by anybody.
const MAXIMUM_EXPANSIONS: usize = 10_000;

/// What a bare function name means inside an expansion.
pub(super) enum InExpansion<'a> {
    Parameter(Bound<'a>),
    Recursion,
}

impl<'a> Lowering<'_, 'a> {
    /// What a function's name means if it is one of the expansion at hand.
    pub(super) fn in_expansion(&self, name: &QualifiedName) -> Option<InExpansion<'a>> {
        let expansion = self.expansion.as_ref().filter(|_| name.qualifier.is_none())?;
        let bound = expansion.bound.iter().find(|(known, _)| *known == name.name.text);
        match bound {
            Some((_, bound)) => Some(InExpansion::Parameter(bound.clone())),
            None => (expansion.name == name.name.text).then_some(InExpansion::Recursion),
        }
    }

    /// A call of a function parameter, or of the partial function in its own body.
    pub(super) fn call_in_expansion(
        &mut self,
        name: &QualifiedName,
        arguments: &'a [Expression],
        context: CallContext<'_>,
    ) -> Option<TypedValue> {
        Some(match self.in_expansion(name)? {
            InExpansion::Parameter(Bound::Named(callee)) => {
                self.call_of(callee, arguments, context)
            }
            InExpansion::Parameter(Bound::Anonymous(anonymous)) => {
                self.inline(*anonymous, name, arguments, context)
            }
            InExpansion::Recursion => self.recursion(arguments, context),
        })
    }

    fn recursion(
        &mut self,
        arguments: &'a [Expression],
        (span, expected, to): CallContext<'_>,
    ) -> TypedValue {
        let destination = self.destination(to);
        let Some((function, arguments, result)) =
            self.recursive_arguments(arguments, span, expected)
        else {
            return TypedValue::unknown();
        };
        let to = destination.place;
        self.builder.emit(Instruction::Call { to, function, arguments }, span);
        self.arrived(destination, result)
    }

    /// A recursive call whose value the body returns.
    pub(super) fn tail_recursion(
        &mut self,
        arguments: &'a [Expression],
        (span, expected, what): (Span, &Type, &str),
    ) -> Type {
        let mark = self.builder.mark();
        let Some((function, arguments, result)) =
            self.recursive_arguments(arguments, span, Some(expected))
        else {
            return Type::Open;
        };
        if !self.tables().assignable(&result, expected) {
            let diagnostic = self.mismatch(&result, expected, span, what);
            self.report(diagnostic);
        }
        self.builder.emit(Instruction::TailCall { function, arguments }, span);
        self.builder.release(mark);
        result
    }

    fn recursive_arguments(
        &mut self,
        arguments: &'a [Expression],
        span: Span,
        expected: Option<&Type>,
    ) -> Option<(FunctionId, Arguments, Type)> {
        let expansion = self.expansion.clone()?;
        let partial = &self.tables().partial_functions[expansion.partial];
        let named = (&*expansion.name, partial.tree.name.span, span);
        let (mut operands, result) =
            self.typed_arguments(arguments, &expansion.signature, named, expected);
        operands.extend(&expansion.captured);
        Some((expansion.function, self.builder.arguments(&operands), result))
    }

    /// Puts the body of an anonymous function in place of its call.
    fn inline(
        &mut self,
        anonymous: Anonymous<'a>,
        name: &QualifiedName,
        arguments: &'a [Expression],
        (span, expected, to): CallContext<'_>,
    ) -> TypedValue {
        let destination = self.destination(to);
        self.check_count(
            arguments.len(),
            anonymous.parameters.len(),
            &name.name.text,
            (anonymous.span, span),
        );
        let values: Vec<TypedValue> =
            arguments.iter().map(|argument| self.value(argument, None, None)).collect();
        let inner = InlineScope {
            module: anonymous.module,
            type_parameters: anonymous.type_parameters,
            type_arguments: anonymous.type_arguments,
            bindings: anonymous.bindings.into(),
            members: Members::Captured { fields: anonymous.fields, this: anonymous.this },
            expansion: anonymous.expansion,
        };
        let outer = self.enter(inner);
        // What it calls is called where it is written, not where it is put.
        let around = std::mem::replace(&mut self.shared.expanding, anonymous.expanding);
        for ((parameter, value), argument) in anonymous.parameters.iter().zip(values).zip(arguments)
        {
            let declared = self.resolve_type(&parameter.type_use);
            let what = format!("the parameter `{}` of the anonymous function", parameter.name);
            let operand = self.fit(value, &declared, argument.span, &what, None);
            self.bind(&parameter.name, operand, declared, true);
        }
        let value = self.value(anonymous.body, expected, Some(destination.place));
        self.shared.expanding = around;
        self.enter(outer);
        self.builder.copy(destination.place, value.operand, span);
        self.arrived(destination, value.value_type)
    }

    /// Exchanges what is in scope.
    fn enter(&mut self, scope: InlineScope<'a>) -> InlineScope<'a> {
        InlineScope {
            module: std::mem::replace(&mut self.module, scope.module),
            type_parameters: std::mem::replace(&mut self.type_parameters, scope.type_parameters),
            type_arguments: std::mem::replace(&mut self.type_arguments, scope.type_arguments),
            bindings: std::mem::replace(&mut self.bindings, scope.bindings),
            members: std::mem::replace(&mut self.members, scope.members),
            expansion: std::mem::replace(&mut self.expansion, scope.expansion),
        }
    }

    /// `f(g)(..)`
    pub(super) fn partial_call(
        &mut self,
        name: &'a QualifiedName,
        functions: &'a [FunctionArgument],
        arguments: &'a [Expression],
        (span, to): (Span, Option<Place>),
    ) -> TypedValue {
        let Some(index) = self.resolve_partial(name) else {
            for argument in arguments {
                self.value(argument, None, None);
            }
            return TypedValue::unknown();
        };
        let partial = &self.tables().partial_functions[index];
        let wanted = partial.tree.functions.len();
        if functions.len() != wanted {
            let message =
                format!("`{name}` takes {}, not {}", count(wanted, "function"), functions.len());
            self.report(
                Diagnostic::error(span, message).label(partial.tree.name.span, "declared here"),
            );
            return TypedValue::unknown();
        }
        if !self.may_expand(index, name.span) {
            return TypedValue::unknown();
        }
        let destination = self.destination(to);
        let named = (&*partial.name, partial.tree.name.span, span);
        let (mut operands, type_arguments) =
            self.inferred_arguments(arguments, &partial.signature, named, None);
        let mut bound = Vec::new();
        for (parameter, function) in partial.tree.functions.iter().zip(functions) {
            let Some(given) = self.bound(function) else {
                return TypedValue::unknown();
            };
            bound.push((parameter.text.clone(), given));
        }
        let (function, result, captured) = self.expand(index, &type_arguments, bound, span);
        operands.extend(captured);
        let arguments = self.builder.arguments(&operands);
        let to = destination.place;
        self.builder.emit(Instruction::Call { to, function, arguments }, span);
        self.arrived(destination, result)
    }

    fn resolve_partial(&mut self, name: &QualifiedName) -> Option<usize> {
        match self.tables().resolve(self.module, Space::PartialFunction, name) {
            Ok(Entity::PartialFunction(index)) => Some(index),
            Ok(_) => None,
            Err(why) => {
                let diagnostic =
                    self.tables().unresolved(self.module, Space::PartialFunction, name, why);
                let is_function = self.tables().resolve(self.module, Space::Function, name).is_ok();
                self.report(if is_function {
                    diagnostic.hint(format!(
                        "`{name}` is a function that takes no functions: write `{name}(..)`"
                    ))
                } else {
                    diagnostic
                });
                None
            }
        }
    }

    fn may_expand(&mut self, index: usize, span: Span) -> bool {
        self.shared.expansions += 1;
        let chain = &self.shared.expanding;
        let diagnostic = if chain.contains(&index) {
            Diagnostic::error(span, "partial functions call each other in a circle").hint(
                "in its own body, a partial function is called without the functions: `f(..)`",
            )
        } else if chain.len() >= MAXIMUM_CHAIN || self.shared.expansions > MAXIMUM_EXPANSIONS {
            Diagnostic::error(span, "too many partial functions call each other").hint(
                "each call becomes a function of its own, with all that are called in its body",
            )
        } else {
            return true;
        };
        self.report(diagnostic);
        false
    }

    /// What a function argument stands for.
    fn bound(&mut self, argument: &'a FunctionArgument) -> Option<Bound<'a>> {
        match argument {
            FunctionArgument::Named(name) => match self.in_expansion(name) {
                Some(InExpansion::Parameter(bound)) => Some(bound),
                Some(InExpansion::Recursion) => {
                    self.report(Diagnostic::error(
                        name.span,
                        "a partial function cannot be given to another one",
                    ));
                    None
                }
                None => {
                    let is_function =
                        self.tables().resolve(self.module, Space::Function, name).is_ok();
                    let is_partial =
                        self.tables().resolve(self.module, Space::PartialFunction, name).is_ok();
                    if !is_function && is_partial {
                        self.report(Diagnostic::error(
                            name.span,
                            "a partial function cannot be given to another one",
                        ));
                        return None;
                    }
                    self.resolve_function(name).map(Bound::Named)
                }
            },
            FunctionArgument::Anonymous { parameters, body, span } => {
                let anonymous = self.anonymous(parameters, body, *span);
                Some(Bound::Anonymous(Box::new(anonymous)))
            }
        }
    }

    /// An anonymous function with everything it mentions and can see.
    fn anonymous(
        &mut self,
        parameters: &'a [Parameter],
        body: &'a Expression,
        span: Span,
    ) -> Anonymous<'a> {
        let mut mentioned = Mentioned::default();
        mentioned.expression(body);
        let own = |name: &Arc<str>| parameters.iter().any(|parameter| parameter.name.text == *name);
        let mut bindings = Vec::new();
        let mut fields = Vec::new();
        for name in mentioned.variables.iter().filter(|name| !own(name)) {
            if let Some(binding) = self.binding(name) {
                bindings.push(binding.clone());
            } else {
                fields.extend(self.field(name));
            }
        }
        for name in &mentioned.fields {
            if fields.iter().all(|known: &VisibleVariable| known.name != *name) {
                fields.extend(self.field(name));
            }
        }
        Anonymous {
            parameters,
            body,
            span,
            module: self.module,
            type_parameters: self.type_parameters.clone(),
            type_arguments: self.type_arguments.clone(),
            bindings,
            fields,
            this: self.this().filter(|_| mentioned.this),
            expansion: self.expansion.clone(),
            expanding: self.shared.expanding.clone(),
        }
    }

    /// Lowers the body of a partial function for one call. Gives the function it has become, the type of its
    /// result, and the operands to pass besides the ordinary arguments.
    fn expand(
        &mut self,
        index: usize,
        type_arguments: &[Type],
        bound: Vec<(Arc<str>, Bound<'a>)>,
        span: Span,
    ) -> (FunctionId, Type, Vec<Operand>) {
        let tables = self.tables();
        let partial = &tables.partial_functions[index];
        let signature = Signature {
            type_parameters: 0,
            parameters: partial
                .signature
                .parameters
                .iter()
                .map(|parameter| self.instance(parameter, type_arguments, span))
                .collect(),
            result: self.instance(&partial.signature.result, type_arguments, span),
        };
        let function = self.shared.reserve_function(program::Function {
            name: partial.name.clone(),
            module: tables.module(partial.module).name.clone(),
            parameters: signature.parameters.clone(),
            result: signature.result.clone(),
            body: BodyId(0),
            span: partial.tree.name.span,
        });
        self.shared.expanding.push(index);
        let mut inner = Lowering::new(self.shared, partial.module, partial.tree.name.span);
        for (parameter, value_type) in partial.tree.parameters.iter().zip(&signature.parameters) {
            let slot =
                inner.builder.parameter(Some(parameter.name.text.clone()), value_type.clone());
            inner.bind(&parameter.name, Operand::Slot(slot), value_type.clone(), true);
        }
        let mut outside: Vec<Operand> = Vec::new();
        let mut inside: Vec<Operand> = Vec::new();
        let mut place = |operand: Operand, value_type: &Type| match operand {
            Operand::Constant(_) | Operand::Destiny => operand,
            _ => {
                let known = outside.iter().position(|&other| other == operand);
                let position = known.unwrap_or_else(|| {
                    let slot = inner.builder.parameter(None, value_type.clone());
                    outside.push(operand);
                    inside.push(Operand::Slot(slot));
                    outside.len() - 1
                });
                inside[position]
            }
        };
        let bound =
            bound.iter().map(|(name, bound)| (name.clone(), bound.moved(&mut place))).collect();
        inner.expansion = Some(Expansion {
            partial: index,
            name: partial.name.clone(),
            function,
            signature: signature.clone(),
            bound,
            captured: inside,
        });
        inner.type_parameters =
            partial.tree.type_parameters.iter().map(|name| name.text.clone()).collect();
        inner.type_arguments = type_arguments.to_vec();
        let what = format!("the result of `{}`", partial.name);
        let before = inner.shared.diagnostics.len();
        let body_type = inner.tail(&partial.tree.body, &signature.result, &what);
        let builder = inner.into_builder();
        for diagnostic in self.shared.diagnostics.iter_mut().skip(before) {
            blame_call(diagnostic, &partial.name, span);
        }
        self.shared.expanding.pop();
        let body = self.shared.functions[function.index()].body;
        self.shared.finish_body(body, builder, BodyOwner::Function(function), span);
        let result = tables.join(&signature.result, &body_type).unwrap_or(signature.result);
        self.shared.functions[function.index()].result = result.clone();
        (function, result, outside)
    }
}

/// A message about an expanded body is about the call that expands it.
fn blame_call(diagnostic: &mut Diagnostic, name: &str, call: Span) {
    if library::contains(diagnostic.span.file) {
        diagnostic.message = format!("in `{name}`: {}", diagnostic.message);
        diagnostic.span = call;
        diagnostic.labels.clear();
    } else if diagnostic.labels.iter().all(|label| label.span != call) {
        diagnostic.labels.push(Label { span: call, text: format!("for this call of `{name}`") });
    }
}
