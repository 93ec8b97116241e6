//! Branches and loops.

use crate::program::{
    ArithmeticKind, BinaryOperation, Constant, ConstructorId, DataTypeId, Instruction, Operand,
    Place, SlotId, Type,
};
use crate::source::Span;
use crate::syntax::tree::{Expression, Identifier, Statement, StatementBranch};

use super::environment::Lowering;
use super::patterns::{Binds, Matching};

impl<'a> Lowering<'_, 'a> {
    pub(super) fn if_statement(
        &mut self,
        condition: &'a Expression,
        then: &'a Statement,
        otherwise: Option<&'a Statement>,
        span: Span,
    ) -> bool {
        let on_false = self.builder.label();
        self.condition(condition, on_false);
        let mut completes = self.nested(then);
        let Some(otherwise) = otherwise else {
            self.builder.place(on_false);
            return true;
        };
        let end = self.builder.label();
        if completes {
            self.builder.jump(end, span);
        }
        self.builder.place(on_false);
        completes |= self.nested(otherwise);
        self.builder.place(end);
        completes
    }

    pub(super) fn while_statement(
        &mut self,
        condition: &'a Expression,
        body: &'a Statement,
        span: Span,
    ) {
        let end = self.builder.label();
        let start = self.builder.here();
        self.condition(condition, end);
        if self.nested(body) {
            self.builder.jump(start, span);
        }
        self.builder.place(end);
    }

    /// Takes elements off a copy of the list until it is empty.
    pub(super) fn foreach(
        &mut self,
        (element, index): (&'a Identifier, Option<&'a Identifier>),
        list: &'a Expression,
        body: &'a Statement,
    ) {
        let span = list.span;
        let mark = self.builder.mark();
        let before = self.bindings.len();
        let value = self.value(list, None, None);
        let element_type = match &value.value_type {
            Type::Data(DataTypeId::LIST, arguments) => {
                arguments.first().cloned().unwrap_or(Type::Open)
            }
            Type::Open => Type::Open,
            other => {
                let other = other.clone();
                let diagnostic = self.mismatch(
                    &other,
                    &Type::list(Type::Open),
                    span,
                    "what `foreach` goes through",
                );
                let is_set = matches!(other, Type::Data(DataTypeId::SET, _));
                self.report(if is_set {
                    diagnostic.hint("write `elements(..)`")
                } else {
                    diagnostic
                });
                Type::Open
            }
        };
        let rest = self.builder.variable(None, value.value_type.clone());
        self.builder.copy(Place::Slot(rest), value.operand, span);
        self.builder.release(mark);
        let number = index.map(|index| self.declare(index, Type::Integer, false));
        if let Some(number) = number {
            let zero = self.constant(Constant::Integer(0.into()), Type::Integer);
            self.builder.copy(Place::Slot(number), zero.operand, span);
        }
        let (start, end) = (self.builder.here(), self.builder.label());
        let (subject, otherwise) = (Operand::Slot(rest), end.target());
        let constructor = ConstructorId::CONS;
        self.builder.emit(Instruction::TestConstructor { subject, constructor, otherwise }, span);
        let slot = self.declare(element, element_type, false);
        for (to, argument) in [(slot, 0), (rest, 1)] {
            let (to, from, index) = (Place::Slot(to), Operand::Slot(rest), argument);
            self.builder.emit(Instruction::Project { to, from, index }, element.span);
        }
        let completes = self.nested(body);
        if let (true, Some(number)) = (completes, number) {
            self.increment(number, span);
        }
        self.builder.jump(start, span);
        self.builder.place(end);
        self.bindings.truncate(before);
    }

    fn increment(&mut self, number: SlotId, span: Span) {
        let one = self.constant(Constant::Integer(1.into()), Type::Integer);
        let operation = BinaryOperation::Add(ArithmeticKind::Integer);
        let (to, left, right) = (Place::Slot(number), Operand::Slot(number), one.operand);
        self.builder.emit(Instruction::Binary { operation, to, left, right }, span);
    }

    pub(super) fn switch(
        &mut self,
        subject: &'a Expression,
        branches: &'a [StatementBranch],
        span: Span,
    ) -> bool {
        let mark = self.builder.mark();
        let subject = self.subject(subject);
        let end = self.builder.label();
        let mut matching = Matching::default();
        let mut completes = false;
        for (index, branch) in branches.iter().enumerate() {
            let before = self.bindings.len();
            let next = self.builder.label();
            self.branch(&branch.pattern, &subject, (next, Binds::Variables), &mut matching);
            if self.nested(&branch.body) {
                completes = true;
                if !matching.is_exhausted() || index + 1 < branches.len() {
                    self.builder.jump(end, span);
                }
            }
            self.bindings.truncate(before);
            self.builder.place(next);
        }
        if !matching.is_exhausted() {
            self.no_match(span);
        }
        self.builder.place(end);
        self.builder.release(mark);
        completes
    }
}
