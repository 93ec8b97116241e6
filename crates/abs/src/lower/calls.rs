//! Calls of functions and constructors.

use crate::check::inference::Inference;
use crate::check::relations::{is_maybe, substitute};
use crate::check::tables::{Entity, Signature, Space};
use crate::check::type_uses::count;
use crate::diagnostics::Diagnostic;
use crate::library::STANDARD_MODULE;
use crate::program::{Builtin, Instruction, Operand, Place, Type};
use crate::source::Span;
use crate::syntax::tree::{Expression, QualifiedName};

use super::environment::Lowering;
use super::expressions::TypedValue;

/// What results about models that ask for deployment components assume.
const NO_COMPONENT: &str =
    "what tasks do after they asked for their deployment component makes no difference";

/// Where a call stands, what its context would like, and where the value should go.
pub(super) type CallContext<'c> = (Span, Option<&'c Type>, Option<Place>);

/// What a call finds under a function's name.
#[derive(Clone, Copy)]
pub(super) enum Callee {
    /// The function with that index in the tables.
    Function(usize),
    /// The accessor with that index in the tables.
    Accessor(usize),
}

impl<'a> Lowering<'_, 'a> {
    /// `f(..)`
    pub(super) fn call(
        &mut self,
        name: &'a QualifiedName,
        arguments: &'a [Expression],
        context: CallContext<'_>,
    ) -> TypedValue {
        if let Some(value) = self.call_in_expansion(name, arguments, context) {
            return value;
        }
        let Some(callee) = self.resolve_function(name) else {
            for argument in arguments {
                self.value(argument, None, None);
            }
            return TypedValue::unknown();
        };
        self.call_of(callee, arguments, context)
    }

    /// The function of that name.
    pub(super) fn resolve_function(&mut self, name: &QualifiedName) -> Option<Callee> {
        match self.tables().resolve(self.module, Space::Function, name) {
            Ok(Entity::Function(index)) => Some(Callee::Function(index)),
            Ok(Entity::Accessor(index)) => Some(Callee::Accessor(index)),
            Ok(_) => None,
            Err(why) => {
                let diagnostic = self.tables().unresolved(self.module, Space::Function, name, why);
                let class = self.class().map(|class| self.tables().class(class));
                let is_method = class.is_some_and(|class| class.method(&name.name.text).is_some());
                let is_partial =
                    self.tables().resolve(self.module, Space::PartialFunction, name).is_ok();
                self.report(if is_method {
                    diagnostic.hint(format!("`{name}` is a method: write `this.{name}(..)`"))
                } else if is_partial {
                    diagnostic
                        .hint(format!("`{name}` takes functions first: write `{name}(f)(..)`"))
                } else {
                    diagnostic
                });
                None
            }
        }
    }

    pub(super) fn call_of(
        &mut self,
        callee: Callee,
        arguments: &'a [Expression],
        context: CallContext<'_>,
    ) -> TypedValue {
        match callee {
            Callee::Accessor(index) => self.accessor_call(index, arguments, context),
            Callee::Function(index) => {
                let index = self.older_lookup(index, context).unwrap_or(index);
                self.function_call(index, arguments, context)
            }
        }
    }

    /// Older models expect `lookup` to give the value itself.
    pub(super) fn older_lookup(
        &mut self,
        index: usize,
        (span, expected, _): CallContext<'_>,
    ) -> Option<usize> {
        let tables = self.tables();
        let is_lookup = self.is_standard(index, "lookup");
        let wanted =
            expected.filter(|expected| !is_maybe(expected) && !matches!(expected, Type::Open));
        if !is_lookup || !self.leniency.old_names || wanted.is_none() {
            return None;
        }
        let Ok(Entity::Function(other)) =
            tables.resolve_bare(tables.functions[index].module, Space::Function, "lookupUnsafe")
        else {
            return None;
        };
        self.report(
            Diagnostic::warning(span, "`lookup` is read as `lookupUnsafe`, as older versions did")
                .hint("today `lookup` gives a `Maybe`: write `lookupUnsafe` for the value itself"),
        );
        Some(other)
    }

    fn function_call(
        &mut self,
        index: usize,
        arguments: &'a [Expression],
        (span, expected, to): CallContext<'_>,
    ) -> TypedValue {
        let destination = self.destination(to);
        let (operands, result) = self.function_arguments(index, arguments, (span, expected));
        self.emit_call(index, &operands, (destination.place, span));
        self.arrived(destination, result)
    }

    /// The operands of a call of a function, and the type of its result.
    pub(super) fn function_arguments(
        &mut self,
        index: usize,
        arguments: &'a [Expression],
        (span, expected): (Span, Option<&Type>),
    ) -> (Vec<Operand>, Type) {
        let function = &self.tables().functions[index];
        let named = (&*function.name, function.tree.name.span, span);
        if function.builtin == Some(Builtin::ThisComponent) {
            let what = "a task that asks for its deployment component cannot go on";
            self.report(Diagnostic::warning(span, what).assuming(NO_COMPONENT));
        }
        self.typed_arguments(arguments, &function.signature, named, expected)
    }

    pub(super) fn emit_call(
        &mut self,
        index: usize,
        operands: &[Operand],
        (to, span): (Place, Span),
    ) {
        let arguments = self.builder.arguments(operands);
        let instruction = match self.tables().functions[index].builtin {
            Some(builtin) => Instruction::Builtin { to, builtin, arguments },
            None => {
                Instruction::Call { to, function: self.shared.function_number(index), arguments }
            }
        };
        self.builder.emit(instruction, span);
    }

    /// The operands of a call, checked against the signature, and the type of the result.
    pub(super) fn typed_arguments(
        &mut self,
        arguments: &'a [Expression],
        signature: &Signature,
        named: (&str, Span, Span),
        expected: Option<&Type>,
    ) -> (Vec<Operand>, Type) {
        let (operands, type_arguments) =
            self.inferred_arguments(arguments, signature, named, expected);
        let result = self.instance(&signature.result, &type_arguments, named.2);
        (operands, result)
    }

    /// The operands of a call, checked against the signature, and the type arguments they stand for.
    pub(super) fn inferred_arguments(
        &mut self,
        arguments: &'a [Expression],
        signature: &Signature,
        (name, declared, span): (&str, Span, Span),
        expected: Option<&Type>,
    ) -> (Vec<Operand>, Vec<Type>) {
        self.check_count(arguments.len(), signature.parameters.len(), name, (declared, span));
        let mut context = Inference::new(signature.type_parameters);
        if let Some(expected) = expected {
            context.fill(&signature.result, expected);
        }
        let mut inference = Inference::new(signature.type_parameters);
        let mut values: Vec<TypedValue> = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.iter().enumerate() {
            let hint = signature
                .parameters
                .get(index)
                .map(|parameter| substitute(parameter, &inference.or(&context)));
            let value = self.value(argument, hint.as_ref(), None);
            if let Some(parameter) = signature.parameters.get(index) {
                inference.learn(self.tables(), parameter, &value.value_type);
            }
            values.push(value);
        }
        let type_arguments = self.type_arguments(inference, signature, &values, expected);
        let mut operands = Vec::with_capacity(values.len());
        for (index, (value, argument)) in values.into_iter().zip(arguments).enumerate() {
            let operand = match signature.parameters.get(index) {
                Some(parameter) => {
                    let wanted = substitute(parameter, &type_arguments);
                    let what = format!("argument {} of `{name}`", index + 1);
                    self.fit(value, &wanted, argument.span, &what, None)
                }
                None => value.operand,
            };
            operands.push(operand);
        }
        (operands, type_arguments)
    }

    /// The type arguments of a call. What the arguments leave open is taken from the context, and so is all
    /// of it if the arguments alone give a result that does not fit although they would fit themselves: two
    /// objects of different interfaces in one list.
    fn type_arguments(
        &self,
        mut inference: Inference,
        signature: &Signature,
        values: &[TypedValue],
        expected: Option<&Type>,
    ) -> Vec<Type> {
        let Some(expected) = expected else {
            return inference.finish();
        };
        inference.fill(&signature.result, expected);
        let found = inference.finish();
        let tables = self.tables();
        if tables.assignable(&substitute(&signature.result, &found), expected) {
            return found;
        }
        let mut from_context = Inference::new(signature.type_parameters);
        from_context.fill(&signature.result, expected);
        let wanted = from_context.finish();
        let fits = |(value, parameter): (&TypedValue, &Type)| {
            tables.assignable(&value.value_type, &substitute(parameter, &wanted))
        };
        let result_fits = tables.assignable(&substitute(&signature.result, &wanted), expected);
        if result_fits && values.iter().zip(&signature.parameters).all(fits) {
            wanted
        } else {
            found
        }
    }

    pub(super) fn check_count(
        &mut self,
        given: usize,
        wanted: usize,
        name: &str,
        (declared, span): (Span, Span),
    ) {
        if given != wanted {
            let message = format!("`{name}` takes {}, not {given}", count(wanted, "argument"));
            self.report(Diagnostic::error(span, message).label(declared, "declared here"));
        }
    }

    /// Whether that is the function of the standard library with this name.
    pub(super) fn is_standard(&self, index: usize, name: &str) -> bool {
        let function = &self.tables().functions[index];
        &*function.name == name && &*self.tables().module(function.module).name == STANDARD_MODULE
    }
}
