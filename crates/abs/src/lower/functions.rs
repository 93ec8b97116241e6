//! Functions: which are lowered, and their bodies.
//!
//! The value of a function's body is returned where it is computed, at the end of each branch, and a call
//! there replaces the frame: recursion that ends in itself needs no stack.

use std::sync::Arc;

use crate::diagnostics::Diagnostic;
use crate::program::{self, BodyOwner, FunctionId, Instruction, Operand, Place, Type};
use crate::source::Span;
use crate::syntax::tree::{Expression, ExpressionBranch, ExpressionKind, FunctionBody};

use super::Shared;
use super::calls::Callee;
use super::environment::Lowering;
use super::expressions::{TypedValue, read};
use super::partial_functions::InExpansion;
use super::patterns::{Binds, Matching};

/// Lowers the user's functions, and those of the library that are referred to.
pub(super) fn lower(shared: &mut Shared<'_>) {
    for index in 0..shared.tables.functions.len() {
        let function = &shared.tables.functions[index];
        if !shared.tables.module(function.module).library {
            shared.function_number(index);
        }
    }
    let mut next = 0;
    while next < shared.waiting.len() {
        let index = shared.waiting[next];
        shared.function(index);
        next += 1;
    }
}

impl Shared<'_> {
    /// The number of a function that something refers to.
    pub(super) fn function_number(&mut self, index: usize) -> FunctionId {
        if let Some(&number) = self.function_numbers.get(&index) {
            return number;
        }
        let function = &self.tables.functions[index];
        let number = self.reserve_function(program::Function {
            name: function.name.clone(),
            module: self.tables.module(function.module).name.clone(),
            parameters: function.signature.parameters.clone(),
            result: function.signature.result.clone(),
            body: program::BodyId(0),
            span: function.tree.name.span,
        });
        self.function_numbers.insert(index, number);
        self.waiting.push(index);
        number
    }

    /// Enters a function whose code comes later.
    pub(super) fn reserve_function(&mut self, mut function: program::Function) -> FunctionId {
        function.body = self.reserve_body();
        self.functions.push(function);
        FunctionId(self.functions.len() as u32 - 1)
    }

    fn function(&mut self, index: usize) {
        let function = &self.tables.functions[index];
        let number = self.function_number(index);
        let span = function.tree.name.span;
        let mut lowering = Lowering::new(self, function.module, span);
        lowering.type_parameters =
            function.tree.type_parameters.iter().map(|name| name.text.clone()).collect();
        for (parameter, value_type) in
            function.tree.parameters.iter().zip(&function.signature.parameters)
        {
            let slot =
                lowering.builder.parameter(Some(parameter.name.text.clone()), value_type.clone());
            lowering.bind(&parameter.name, Operand::Slot(slot), value_type.clone(), true);
        }
        if let FunctionBody::Expression(body) = &function.tree.body {
            let what: Arc<str> = Arc::from(format!("the result of `{}`", function.name));
            lowering.tail(body, &function.signature.result, &what);
        } else {
            // A body that is not supported: reported with the signatures.
            let value = TypedValue::unknown().operand;
            lowering.builder.emit(Instruction::Return { value }, span);
        }
        let builder = lowering.into_builder();
        let body = self.functions[number.index()].body;
        self.finish_body(body, builder, BodyOwner::Function(number), span);
    }
}

impl<'a> Lowering<'_, 'a> {
    /// Lowers an expression whose value the body returns. Gives its type.
    pub(super) fn tail(&mut self, expression: &'a Expression, expected: &Type, what: &str) -> Type {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let on_false = self.builder.label();
                self.condition(condition, on_false);
                let first = self.tail(then, expected, what);
                self.builder.place(on_false);
                let second = self.tail(otherwise, expected, what);
                self.join_tails(first, second, otherwise.span)
            }
            ExpressionKind::Case { subject, branches } => {
                self.tail_case(subject, branches, (span, expected, what))
            }
            ExpressionKind::Let { bindings, body } => {
                let (before, mark) = (self.bindings.len(), self.builder.mark());
                self.let_bindings(bindings);
                let value_type = self.tail(body, expected, what);
                self.bindings.truncate(before);
                self.builder.release(mark);
                value_type
            }
            ExpressionKind::Call { function, arguments }
                if self.in_expansion(function).is_none() =>
            {
                match self.resolve_function(function) {
                    Some(callee) => self.tail_call(callee, arguments, (span, expected, what)),
                    None => self.tail_value(TypedValue::unknown(), (span, expected, what)),
                }
            }
            ExpressionKind::Call { function, arguments }
                if matches!(self.in_expansion(function), Some(InExpansion::Recursion)) =>
            {
                self.tail_recursion(arguments, (span, expected, what))
            }
            _ => {
                let mark = self.builder.mark();
                let value = self.value(expression, Some(expected), None);
                let value_type = self.tail_value(value, (span, expected, what));
                self.builder.release(mark);
                value_type
            }
        }
    }

    fn tail_value(
        &mut self,
        value: TypedValue,
        (span, expected, what): (Span, &Type, &str),
    ) -> Type {
        let value_type = value.value_type.clone();
        let value = self.fit(value, expected, span, what, None);
        self.builder.emit(Instruction::Return { value }, span);
        value_type
    }

    fn tail_call(
        &mut self,
        callee: Callee,
        arguments: &'a [Expression],
        (span, expected, what): (Span, &Type, &str),
    ) -> Type {
        let mark = self.builder.mark();
        let index = match callee {
            Callee::Function(index) => {
                self.older_lookup(index, (span, Some(expected), None)).unwrap_or(index)
            }
            Callee::Accessor(_) => {
                let value = self.call_of(callee, arguments, (span, Some(expected), None));
                let value_type = self.tail_value(value, (span, expected, what));
                self.builder.release(mark);
                return value_type;
            }
        };
        let (operands, result) = self.function_arguments(index, arguments, (span, Some(expected)));
        let is_plain = self.tables().functions[index].builtin.is_none();
        if is_plain && self.tables().assignable(&result, expected) {
            let function = self.shared.function_number(index);
            let arguments = self.builder.arguments(&operands);
            self.builder.emit(Instruction::TailCall { function, arguments }, span);
        } else {
            let to = Place::Slot(self.builder.temporary());
            self.emit_call(index, &operands, (to, span));
            self.tail_value(TypedValue::new(read(to), result.clone()), (span, expected, what));
        }
        self.builder.release(mark);
        result
    }

    fn tail_case(
        &mut self,
        subject: &'a Expression,
        branches: &'a [ExpressionBranch],
        (span, expected, what): (Span, &Type, &str),
    ) -> Type {
        let mark = self.builder.mark();
        let subject = self.subject(subject);
        let mut joined = Type::Open;
        let mut matching = Matching::default();
        for branch in branches {
            let (before, inner) = (self.bindings.len(), self.builder.mark());
            let next = self.builder.label();
            self.branch(&branch.pattern, &subject, (next, Binds::Operands), &mut matching);
            let value_type = self.tail(&branch.body, expected, what);
            joined = self.join_tails(joined, value_type, branch.body.span);
            self.bindings.truncate(before);
            self.builder.release(inner);
            self.builder.place(next);
        }
        self.no_branches(branches.is_empty(), span);
        if !matching.is_exhausted() {
            self.no_match(span);
        }
        self.builder.release(mark);
        joined
    }

    /// The common type of two results. A conflict was reported when the second was compared with what the
    /// function returns, unless that is open.
    fn join_tails(&mut self, first: Type, second: Type, span: Span) -> Type {
        let joined = self.tables().join(&first, &second);
        joined.unwrap_or_else(|| {
            if self.expansion.is_some() {
                let (one, other) = (self.show(&first), self.show(&second));
                self.report(Diagnostic::error(span, format!("expected `{one}`, found `{other}`")));
            }
            Type::Open
        })
    }
}
