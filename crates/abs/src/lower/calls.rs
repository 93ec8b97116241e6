//! Calls of functions and constructors.

use crate::check::inference::Inference;
use crate::check::relations::{is_maybe, substitute};
use crate::check::tables::{Entity, Signature, Space};
use crate::check::type_uses::count;
use crate::diagnostics::Diagnostic;
use crate::library::STANDARD_MODULE;
use crate::program::{
    Constant, ConstantId, ConstructorId, DataTypeId, Instruction, Operand, Place, Type,
};
use crate::source::Span;
use crate::syntax::tree::{Expression, QualifiedName};

use super::environment::Lowering;
use super::expressions::Value;

/// Where a call stands, what its context would like, and where the value should go.
pub(super) type Context<'c> = (Span, Option<&'c Type>, Option<Place>);

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
        context: Context<'_>,
    ) -> Value {
        if let Some(value) = self.call_in_expansion(name, arguments, context) {
            return value;
        }
        let Some(callee) = self.resolve_function(name) else {
            for argument in arguments {
                self.value(argument, None, None);
            }
            return Value::unknown();
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
        context: Context<'_>,
    ) -> Value {
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
        (span, expected, _): Context<'_>,
    ) -> Option<usize> {
        let tables = self.tables();
        let is_lookup = self.is_standard(index, "lookup");
        let wanted =
            expected.filter(|expected| !is_maybe(expected) && !matches!(expected, Type::Open));
        if !is_lookup || !self.leniency.partial_lookup || wanted.is_none() {
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
        (span, expected, to): Context<'_>,
    ) -> Value {
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
        (operands, substitute(&signature.result, &type_arguments))
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
        let mut inference = Inference::new(signature.type_parameters);
        let mut values: Vec<Value> = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.iter().enumerate() {
            let hint = signature
                .parameters
                .get(index)
                .map(|parameter| substitute(parameter, &inference.so_far()));
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
        values: &[Value],
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
        let fits = |(value, parameter): (&Value, &Type)| {
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

    /// `fst(p)` and its like: the argument is read in place.
    fn accessor_call(
        &mut self,
        index: usize,
        arguments: &'a [Expression],
        (span, _, to): Context<'_>,
    ) -> Value {
        let tables = self.tables();
        let accessor = &tables.accessors[index];
        let data_type = tables.data_type(accessor.data_type);
        let parameters = data_type.parameters.len();
        let names = data_type.parameters.iter().enumerate();
        let own =
            names.map(|(number, name)| Type::Parameter(number as u16, name.clone())).collect();
        let signature = Signature {
            type_parameters: parameters,
            parameters: vec![Type::Data(accessor.data_type, own)],
            result: accessor.result.clone(),
        };
        let destination = self.destination(to);
        let (operands, result) = self.typed_arguments(
            arguments,
            &signature,
            (&accessor.name, accessor.span, span),
            None,
        );
        let Some(&subject) = operands.first() else {
            return Value::unknown();
        };
        self.read_argument(index, subject, (destination.place, span));
        self.arrived(destination, result)
    }

    /// Reads what an accessor stands for, whichever constructor has it.
    pub(super) fn read_argument(
        &mut self,
        accessor: usize,
        from: Operand,
        (to, span): (Place, Span),
    ) {
        let tables = self.tables();
        let accessor = &tables.accessors[accessor];
        let constructors = tables.data_type(accessor.data_type).constructors.len();
        let end = self.builder.label();
        let open = accessor.data_type == DataTypeId::EXCEPTION;
        let total = accessor.cases.len() == constructors && !open;
        for (position, &(constructor, index)) in accessor.cases.iter().enumerate() {
            let last = position + 1 == accessor.cases.len();
            if total && last {
                self.builder.emit(Instruction::Project { to, from, index }, span);
                break;
            }
            let next = self.builder.label();
            let (subject, otherwise) = (from, next.target());
            self.builder
                .emit(Instruction::TestConstructor { subject, constructor, otherwise }, span);
            self.builder.emit(Instruction::Project { to, from, index }, span);
            self.builder.jump(end, span);
            self.builder.place(next);
        }
        if !total {
            self.no_match(span);
        }
        self.builder.place(end);
    }

    /// `C(..)`
    pub(super) fn construct(
        &mut self,
        name: &QualifiedName,
        arguments: &'a [Expression],
        (span, expected, to): Context<'_>,
    ) -> Value {
        let Some(id) = self.resolve_constructor(name) else {
            for argument in arguments {
                self.value(argument, None, None);
            }
            return Value::unknown();
        };
        let tables = self.tables();
        let constructor = tables.constructor(id);
        let data_type = tables.data_type(constructor.data_type);
        let names = data_type.parameters.iter().enumerate();
        let own =
            names.map(|(number, name)| Type::Parameter(number as u16, name.clone())).collect();
        let signature = Signature {
            type_parameters: data_type.parameters.len(),
            parameters: constructor.arguments.clone(),
            result: Type::Data(constructor.data_type, own),
        };
        let destination = self.destination(to);
        let named = (&*constructor.name, constructor.tree.name.span, span);
        let (operands, result) = self.typed_arguments(arguments, &signature, named, expected);
        if id == ConstructorId::INSERT && !self.in_library() {
            return self.sorted_insert(&operands, (destination, span), result);
        }
        if let Some(constants) = all_constant(&operands) {
            self.builder.release(destination.outer);
            return self.constant(Constant::Data(id, constants), result);
        }
        let arguments = self.builder.arguments(&operands);
        let (to, constructor) = (destination.place, id);
        self.builder.emit(Instruction::Construct { to, constructor, arguments }, span);
        self.arrived(destination, result)
    }

    fn in_library(&self) -> bool {
        self.tables().module(self.module).library
    }

    /// `Insert(e, s)` written by a user: the library keeps sets sorted, so this is `insertElement(s, e)`.
    fn sorted_insert(
        &mut self,
        operands: &[Operand],
        (destination, span): (super::expressions::Destination, Span),
        result: Type,
    ) -> Value {
        let tables = self.tables();
        let insert = tables.constructor(ConstructorId::INSERT);
        let found = tables.resolve_bare(insert.module, Space::Function, "insertElement");
        if let (Ok(Entity::Function(index)), &[element, set]) = (found, operands) {
            let function = self.shared.function_number(index);
            let arguments = self.builder.arguments(&[set, element]);
            let to = destination.place;
            self.builder.emit(Instruction::Call { to, function, arguments }, span);
        }
        self.arrived(destination, result)
    }

    /// `f[a, b]`: the function applied to a list.
    pub(super) fn list_call(
        &mut self,
        name: &'a QualifiedName,
        elements: &'a [Expression],
        (span, expected, to): Context<'_>,
    ) -> Value {
        let callee = self.resolve_function(name);
        let parameter = match callee {
            Some(Callee::Function(index)) => self.tables().functions[index].signature.clone(),
            Some(Callee::Accessor(_)) | None => {
                if callee.is_some() {
                    self.report(Diagnostic::error(span, format!("`{name}` does not take a list")));
                }
                for element in elements {
                    self.value(element, None, None);
                }
                return Value::unknown();
            }
        };
        let Some(Callee::Function(index)) = callee else {
            return Value::unknown();
        };
        let destination = self.destination(to);
        let is_identity = self.is_standard(index, "list");
        let list_place = is_identity.then_some(destination.place);
        let list = self.list(elements, (span, expected, list_place), &parameter);
        let value = self.apply_to_list(index, list, (span, expected), destination.place);
        if matches!(value.operand, Operand::Constant(_)) {
            self.builder.release(destination.outer);
            return value;
        }
        self.builder.copy(destination.place, value.operand, span);
        self.arrived(destination, value.value_type)
    }

    /// Whether that is the function of the standard library with this name.
    fn is_standard(&self, index: usize, name: &str) -> bool {
        let function = &self.tables().functions[index];
        &*function.name == name && &*self.tables().module(function.module).name == STANDARD_MODULE
    }

    /// The list of the elements, a constant if they are.
    fn list(
        &mut self,
        elements: &'a [Expression],
        (span, expected, to): Context<'_>,
        signature: &Signature,
    ) -> Value {
        let mut inference = Inference::new(signature.type_parameters);
        if let Some(expected) = expected {
            inference.fill(&signature.result, expected);
        }
        let hint = signature
            .parameters
            .first()
            .map(|parameter| substitute(parameter, &inference.finish()));
        let element_hint = match hint {
            Some(Type::Data(DataTypeId::LIST, arguments)) => arguments.into_iter().next(),
            _ => None,
        };
        let mut element_type = Type::Open;
        let mut operands = Vec::with_capacity(elements.len());
        for element in elements {
            let value = self.value(element, element_hint.as_ref(), None);
            match self.tables().join(&element_type, &value.value_type) {
                Some(joined) => element_type = joined,
                None => {
                    let diagnostic = self.mismatch(
                        &value.value_type,
                        &element_type,
                        element.span,
                        "every other element",
                    );
                    self.report(diagnostic);
                }
            }
            operands.push(value.operand);
        }
        let value_type = Type::list(element_type);
        if let Some(constants) = all_constant(&operands) {
            return self.constant(Constant::List(constants), value_type);
        }
        let to = to.unwrap_or_else(|| Place::Slot(self.builder.temporary()));
        let elements = self.builder.arguments(&operands);
        self.builder.emit(Instruction::List { to, elements }, span);
        Value::new(super::expressions::read(to), value_type)
    }

    fn apply_to_list(
        &mut self,
        index: usize,
        list: Value,
        (span, expected): (Span, Option<&Type>),
        to: Place,
    ) -> Value {
        let tables = self.tables();
        let function = &tables.functions[index];
        let signature = &function.signature;
        self.check_count(
            1,
            signature.parameters.len(),
            &function.name,
            (function.tree.name.span, span),
        );
        let Some(parameter) = signature.parameters.first() else {
            return Value::unknown();
        };
        let mut inference = Inference::new(signature.type_parameters);
        inference.learn(tables, parameter, &list.value_type);
        if let Some(expected) = expected {
            inference.fill(&signature.result, expected);
        }
        let type_arguments = inference.finish();
        let wanted = substitute(parameter, &type_arguments);
        let what = format!("the argument of `{}`", function.name);
        let operand = self.fit(list, &wanted, span, &what, None);
        let result = substitute(&signature.result, &type_arguments);
        if self.is_standard(index, "list") {
            return Value::new(operand, result);
        }
        self.emit_call(index, &[operand], (to, span));
        Value::new(super::expressions::read(to), result)
    }
}

/// The numbers of the operands if all are constants.
fn all_constant(operands: &[Operand]) -> Option<Vec<ConstantId>> {
    let constant = |operand: &Operand| match operand {
        Operand::Constant(id) => Some(*id),
        _ => None,
    };
    operands.iter().map(constant).collect()
}
