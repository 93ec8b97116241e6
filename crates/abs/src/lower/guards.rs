//! `await`: what a task waits for.

use crate::diagnostics::Diagnostic;
use crate::program::{ConstantId, FieldId, Guard, GuardPart, Instruction, Operand, Place, Type};
use crate::source::Span;
use crate::syntax::tree::{self, Expression, ExpressionKind, Variable};

use super::builder::{JumpLabel, field_of};
use super::environment::Lowering;

/// A guard under construction.
#[derive(Default)]
struct GuardParts {
    parts: Vec<GuardPart>,
    labels: Vec<JumpLabel>,
    reads: Vec<FieldId>,
}

impl<'a> Lowering<'_, 'a> {
    pub(super) fn await_statement(&mut self, guard: &'a tree::Guard, span: Span) {
        self.waits("`await`", span);
        let mut parts = GuardParts::default();
        for part in &guard.parts {
            match part {
                tree::GuardPart::Future(variable) => self.future_part(variable, &mut parts),
                tree::GuardPart::Duration(minimum, maximum, _) => {
                    let minimum = self.amount(minimum);
                    let maximum = self.amount(maximum);
                    parts.parts.push(GuardPart::Duration { minimum, maximum });
                }
                tree::GuardPart::Condition(condition) => self.condition_part(condition, &mut parts),
            }
        }
        self.emit_await(parts, guard.span);
    }

    /// Waits for a future in a variable.
    pub(super) fn await_future(&mut self, future: Operand, span: Span) {
        let parts = GuardParts { parts: vec![GuardPart::Future(future)], ..GuardParts::default() };
        self.emit_await(parts, span);
    }

    fn emit_await(&mut self, mut parts: GuardParts, span: Span) {
        parts.reads.sort_unstable();
        parts.reads.dedup();
        let guard = Guard { parts: parts.parts, reads: parts.reads, span };
        let guard = self.builder.guard(guard, parts.labels);
        self.builder.emit(Instruction::Await { guard }, span);
    }

    fn future_part(&mut self, variable: &'a Variable, parts: &mut GuardParts) {
        let Some(binding) = self.variable(variable) else {
            let diagnostic = self.unknown_variable(variable);
            return self.report(diagnostic);
        };
        if !matches!(binding.value_type, Type::Future(_) | Type::Destiny | Type::Open) {
            let shown = self.show(&binding.value_type);
            self.report(
                Diagnostic::error(variable.span, format!("expected a future, found `{shown}`"))
                    .expecting("`?` asks whether a future is resolved")
                    .label(binding.span, "declared here")
                    .hint("to wait for a condition, leave the `?` out"),
            );
        }
        parts.reads.extend(field_of(binding.operand));
        parts.parts.push(GuardPart::Future(binding.operand));
    }

    /// An amount of time, evaluated before the task waits and kept in a hidden variable.
    fn amount(&mut self, amount: &'a Expression) -> Operand {
        let value = self.value(amount, Some(&Type::Rational), None);
        if let Operand::Constant(_) = value.operand {
            return self.fit(value, &Type::Rational, amount.span, "an amount of time", None);
        }
        let slot = self.builder.variable(None, Type::Rational);
        let operand = self.fit(value, &Type::Rational, amount.span, "an amount of time", None);
        self.builder.copy(Place::Slot(slot), operand, amount.span);
        Operand::Slot(slot)
    }

    /// A condition: its code lies out of line, unless it is just a variable, a field or a constant.
    fn condition_part(&mut self, condition: &'a Expression, parts: &mut GuardParts) {
        let span = condition.span;
        if let ExpressionKind::Variable(_) | ExpressionKind::Construct { .. } = condition.kind {
            let value = self.fitting_value(condition, &Type::BOOL, "a condition");
            self.check_reads(field_of(value).is_some(), span);
            parts.reads.extend(field_of(value));
            parts.parts.push(GuardPart::Value(value));
            return;
        }
        let (label, outside) = self.builder.start_condition();
        let on_false = self.builder.label();
        self.condition(condition, on_false);
        for constant in [ConstantId::TRUE, ConstantId::FALSE] {
            let value = Operand::Constant(constant);
            self.builder.emit(Instruction::Yield { value }, span);
            if constant == ConstantId::TRUE {
                self.builder.place(on_false);
            }
        }
        let reads = self.builder.fields_read();
        self.check_reads(!reads.is_empty(), span);
        parts.reads.extend(reads);
        self.builder.end_condition(outside);
        parts.labels.push(label);
        parts.parts.push(GuardPart::Condition(0));
    }

    /// A condition over variables alone never changes while the task waits.
    fn check_reads(&mut self, reads: bool, span: Span) {
        if !reads {
            self.report(
                Diagnostic::warning(
                    span,
                    "this condition reads no field, so waiting does not change it",
                )
                .hint("to wait for a call, test its future as in `await f?;`"),
            );
        }
    }
}
