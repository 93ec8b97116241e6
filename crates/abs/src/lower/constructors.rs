//! Data: constructors, accessors and list literals.

use crate::check::inference::Inference;
use crate::check::relations::substitute;
use crate::check::tables::{Entity, Signature, Space};
use crate::diagnostics::Diagnostic;
use crate::program::{
    Constant, ConstantId, ConstructorId, DataTypeId, Instruction, Operand, Place, Type,
};
use crate::source::Span;
use crate::syntax::tree::{Expression, QualifiedName};

use super::calls::{CallContext, Callee};
use super::environment::Lowering;
use super::expressions::{Destination, TypedValue, read};

impl<'a> Lowering<'_, 'a> {
    /// `fst(p)` and its like: the argument is read in place.
    pub(super) fn accessor_call(
        &mut self,
        index: usize,
        arguments: &'a [Expression],
        (span, _, to): CallContext<'_>,
    ) -> TypedValue {
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
            return TypedValue::unknown();
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
        (span, expected, to): CallContext<'_>,
    ) -> TypedValue {
        let Some(id) = self.resolve_constructor(name) else {
            for argument in arguments {
                self.value(argument, None, None);
            }
            return TypedValue::unknown();
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
        (destination, span): (Destination, Span),
        result: Type,
    ) -> TypedValue {
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
        (span, expected, to): CallContext<'_>,
    ) -> TypedValue {
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
                return TypedValue::unknown();
            }
        };
        let Some(Callee::Function(index)) = callee else {
            return TypedValue::unknown();
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

    /// The list of the elements, a constant if they are.
    fn list(
        &mut self,
        elements: &'a [Expression],
        (span, expected, to): CallContext<'_>,
        signature: &Signature,
    ) -> TypedValue {
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
        TypedValue::new(read(to), value_type)
    }

    fn apply_to_list(
        &mut self,
        index: usize,
        list: TypedValue,
        (span, expected): (Span, Option<&Type>),
        to: Place,
    ) -> TypedValue {
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
            return TypedValue::unknown();
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
        let result = self.instance(&signature.result, &type_arguments, span);
        if self.is_standard(index, "list") {
            return TypedValue::new(operand, result);
        }
        self.emit_call(index, &[operand], (to, span));
        TypedValue::new(read(to), result)
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
