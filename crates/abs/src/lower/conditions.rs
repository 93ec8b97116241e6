//! Conditions: Boolean expressions that decide where to go on.
//!
//! `&&`, `||` and `!` are compiled into jumps, and comparisons into tests, so that a condition needs no
//! Boolean values in between.

use crate::program::{Comparison, ConstantId, Instruction, Operand, Place, Type};
use crate::source::Span;
use crate::syntax::tree::{BinaryOperator, Expression, ExpressionKind, UnaryOperator};

use super::builder::JumpLabel;
use super::environment::Lowering;
use super::expressions::TypedValue;
use super::operators::comparison;

impl<'a> Lowering<'_, 'a> {
    /// Falls through when the condition holds and jumps otherwise.
    pub(super) fn condition(&mut self, expression: &'a Expression, on_false: JumpLabel) {
        let mark = self.builder.mark();
        self.jump_if(expression, false, on_false);
        self.builder.release(mark);
    }

    /// Jumps when the condition has that truth value and falls through otherwise.
    fn jump_if(&mut self, expression: &'a Expression, wanted: bool, target: JumpLabel) {
        match &expression.kind {
            ExpressionKind::Unary(UnaryOperator::Not, operand) => {
                self.jump_if(operand, !wanted, target)
            }
            ExpressionKind::Chain { first, rest } => {
                let operator = rest.last().map(|(operator, _)| *operator);
                match (operator, rest.as_slice()) {
                    (Some(BinaryOperator::And), _) => {
                        self.jump_chain(first, rest, true, wanted, target)
                    }
                    (Some(BinaryOperator::Or), _) => {
                        self.jump_chain(first, rest, false, wanted, target)
                    }
                    (Some(operator), [(_, right)]) => match comparison(operator) {
                        Some(comparison) => {
                            let (left, right) = self.compared(first, operator, right);
                            self.test(comparison, (left, right), wanted, (target, expression.span));
                        }
                        None => self.jump_value(expression, wanted, target),
                    },
                    _ => self.jump_value(expression, wanted, target),
                }
            }
            _ => self.jump_value(expression, wanted, target),
        }
    }

    /// A conjunction (or disjunction) of conditions. One operand that is False (True) decides.
    fn jump_chain(
        &mut self,
        first: &'a Expression,
        rest: &'a [(BinaryOperator, Expression)],
        is_and: bool,
        wanted: bool,
        target: JumpLabel,
    ) {
        let operands = std::iter::once(first).chain(rest.iter().map(|(_, operand)| operand));
        let deciding = !is_and;
        if wanted == deciding {
            for operand in operands {
                self.jump_if(operand, deciding, target);
            }
            return;
        }
        let decided = self.builder.label();
        let last = rest.len();
        for (index, operand) in operands.enumerate() {
            if index < last {
                self.jump_if(operand, deciding, decided);
            } else {
                self.jump_if(operand, wanted, target);
            }
        }
        self.builder.place(decided);
    }

    fn compared(
        &mut self,
        left: &'a Expression,
        operator: BinaryOperator,
        right: &'a Expression,
    ) -> (Operand, Operand) {
        let wanted = self.operand_hint(operator, right);
        let first = self.value(left, wanted.as_ref(), None);
        let second = self.value(right, Some(&first.value_type), None);
        self.check_comparable((&first, left.span), (&second, right.span), operator);
        (first.operand, second.operand)
    }

    fn test(
        &mut self,
        comparison: Comparison,
        (left, right): (Operand, Operand),
        wanted: bool,
        (target, span): (JumpLabel, Span),
    ) {
        let comparison = if wanted { opposite(comparison) } else { comparison };
        let otherwise = target.target();
        self.builder.emit(Instruction::Test { comparison, left, right, otherwise }, span);
    }

    fn jump_value(&mut self, expression: &'a Expression, wanted: bool, target: JumpLabel) {
        let span = expression.span;
        let condition = self.fitting_value(expression, &Type::BOOL, "a condition");
        match (condition, wanted) {
            (Operand::Constant(ConstantId::TRUE), true)
            | (Operand::Constant(ConstantId::FALSE), false) => {
                self.builder.jump(target, span);
            }
            (Operand::Constant(ConstantId::TRUE | ConstantId::FALSE), _) => {}
            (_, false) => {
                let otherwise = target.target();
                self.builder.emit(Instruction::Branch { condition, otherwise }, span);
            }
            (_, true) => {
                let false_value = Operand::Constant(ConstantId::FALSE);
                self.test(Comparison::NotEqual, (condition, false_value), true, (target, span));
            }
        }
    }

    /// `a && b ..` or `a || b ..` as a value.
    pub(super) fn connective(
        &mut self,
        first: &'a Expression,
        rest: &'a [(BinaryOperator, Expression)],
        (span, to): (Span, Option<Place>),
    ) -> TypedValue {
        let is_and = rest.last().is_some_and(|(operator, _)| *operator == BinaryOperator::And);
        let destination = self.destination(to);
        let (on_false, end) = (self.builder.label(), self.builder.label());
        self.jump_chain(first, rest, is_and, false, on_false);
        let place = destination.place;
        self.builder.copy(place, Operand::Constant(ConstantId::TRUE), span);
        self.builder.jump(end, span);
        self.builder.place(on_false);
        self.builder.copy(place, Operand::Constant(ConstantId::FALSE), span);
        self.builder.place(end);
        self.arrived(destination, Type::BOOL)
    }
}

/// The comparison that holds when the other does not.
fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::GreaterEqual => Comparison::Less,
    }
}
