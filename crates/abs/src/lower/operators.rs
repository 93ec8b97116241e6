//! Arithmetic, string concatenation and comparisons.

use crate::check::relations::is_number;
use crate::diagnostics::Diagnostic;
use crate::program::{
    ArithmeticKind, BinaryOperation, Builtin, Comparison, Constant, Instruction, Operand, Place,
    Type, UnaryOperation,
};
use crate::source::Span;
use crate::syntax::tree::{BinaryOperator, Expression, ExpressionKind};

use super::environment::Lowering;
use super::expressions::{TypedValue, read};

impl<'a> Lowering<'_, 'a> {
    /// `first + a - b ..`: operators of one level, from left to right.
    pub(super) fn chain(
        &mut self,
        first: &'a Expression,
        rest: &'a [(BinaryOperator, Expression)],
        (span, to): (Span, Option<Place>),
    ) -> TypedValue {
        let Some((last, earlier)) = rest.split_last() else {
            return self.value(first, None, to);
        };
        if matches!(last.0, BinaryOperator::And | BinaryOperator::Or) {
            return self.connective(first, rest, (span, to));
        }
        let destination = self.destination(to);
        let wanted = self.operand_hint(rest[0].0, &rest[0].1);
        let mut left = self.value(first, wanted.as_ref(), None);
        let mut left_span = first.span;
        for (operator, right) in earlier {
            left = self.binary((left, left_span), *operator, right, None);
            left_span = first.span.to(right.span);
        }
        let value = self.binary((left, left_span), last.0, &last.1, Some(destination.place));
        self.arrived(destination, value.value_type)
    }

    fn binary(
        &mut self,
        (left, left_span): (TypedValue, Span),
        operator: BinaryOperator,
        right: &'a Expression,
        to: Option<Place>,
    ) -> TypedValue {
        let (right_span, span) = (right.span, left_span.to(right.span));
        let wanted = hint(operator).or(Some(left.value_type.clone()));
        let right = self.value(right, wanted.as_ref(), None);
        if let Some(comparison) = comparison(operator) {
            self.check_comparable((&left, left_span), (&right, right_span), operator);
            let to = to.unwrap_or_else(|| Place::Slot(self.builder.temporary()));
            let (left, right) = (left.operand, right.operand);
            self.builder.emit(Instruction::Compare { comparison, to, left, right }, span);
            return TypedValue::new(read(to), Type::BOOL);
        }
        let (operation, value_type) =
            self.operation((&left, left_span), operator, (&right, right_span));
        let to = to.unwrap_or_else(|| Place::Slot(self.builder.temporary()));
        let (left, right) = (left.operand, right.operand);
        self.builder.emit(Instruction::Binary { operation, to, left, right }, span);
        TypedValue::new(read(to), value_type)
    }

    /// What the left operand of an operator should be. For `==` that is what the right one obviously is.
    pub(super) fn operand_hint(
        &self,
        operator: BinaryOperator,
        right: &Expression,
    ) -> Option<Type> {
        hint(operator).or_else(|| match &right.kind {
            ExpressionKind::Integer(_) => Some(Type::Integer),
            ExpressionKind::String(_) => Some(Type::String),
            ExpressionKind::Variable(variable) => {
                self.variable(variable).map(|binding| binding.value_type)
            }
            _ => None,
        })
    }

    /// What an arithmetic operator does with operands of these types.
    fn operation(
        &mut self,
        (left, left_span): (&TypedValue, Span),
        operator: BinaryOperator,
        (right, right_span): (&TypedValue, Span),
    ) -> (BinaryOperation, Type) {
        let strings = [left, right].map(|operand| operand.value_type == Type::String);
        if operator == BinaryOperator::Add && strings.contains(&true) {
            for (operand, span) in [(left, left_span), (right, right_span)] {
                if !matches!(operand.value_type, Type::String | Type::Open) {
                    let what = "the other operand of `+`";
                    let diagnostic = self.mismatch(&operand.value_type, &Type::String, span, what);
                    self.report(diagnostic);
                }
            }
            return (BinaryOperation::Concatenate, Type::String);
        }
        for (operand, span) in [(left, left_span), (right, right_span)] {
            if !is_number(&operand.value_type) {
                let shown = self.show(&operand.value_type);
                self.report(
                    Diagnostic::error(span, format!("expected a number, found `{shown}`"))
                        .expecting(format!("`{}` is for numbers", operator.sign())),
                );
                return (make(operator, ArithmeticKind::Rational), Type::Open);
            }
        }
        let kind = match (&left.value_type, &right.value_type) {
            (Type::Open, _) | (_, Type::Open) => {
                return (make(operator, ArithmeticKind::Rational), Type::Open);
            }
            (Type::Integer, Type::Integer) => ArithmeticKind::Integer,
            (Type::Float, Type::Float) => ArithmeticKind::Float,
            (Type::Float, _) | (_, Type::Float) => {
                let (one, other) = (self.show(&left.value_type), self.show(&right.value_type));
                self.report(
                    Diagnostic::error(right_span, format!("expected `{one}`, found `{other}`"))
                        .label(left_span, format!("this is `{one}`"))
                        .hint("convert with `float(..)` or `rat(..)`: `Float` does not mix with other numbers"),
                );
                return (make(operator, ArithmeticKind::Rational), Type::Open);
            }
            _ => ArithmeticKind::Rational,
        };
        let value_type = match (kind, operator) {
            (ArithmeticKind::Float, _) => Type::Float,
            (ArithmeticKind::Integer, BinaryOperator::Divide) | (ArithmeticKind::Rational, _) => {
                Type::Rational
            }
            (ArithmeticKind::Integer, _) => Type::Integer,
        };
        (make(operator, kind), value_type)
    }

    pub(super) fn check_comparable(
        &mut self,
        (left, left_span): (&TypedValue, Span),
        (right, right_span): (&TypedValue, Span),
        operator: BinaryOperator,
    ) {
        if !self.tables().comparable(&left.value_type, &right.value_type) {
            let (one, other) = (self.show(&left.value_type), self.show(&right.value_type));
            self.report(
                Diagnostic::error(right_span, format!("expected `{one}`, found `{other}`"))
                    .expecting(format!("`{}` compares values of one type", operator.sign()))
                    .label(left_span, format!("this is `{one}`")),
            );
        }
    }

    pub(super) fn negate(
        &mut self,
        operand: &'a Expression,
        (span, to): (Span, Option<Place>),
    ) -> TypedValue {
        match &operand.kind {
            ExpressionKind::Integer(value) => {
                return self.constant(Constant::Integer(-value), Type::Integer);
            }
            ExpressionKind::Float(value) => {
                return self.constant(Constant::Float(-value), Type::Float);
            }
            _ => {}
        }
        let destination = self.destination(to);
        let value = self.value(operand, Some(&Type::Rational), None);
        let kind = match &value.value_type {
            Type::Integer => ArithmeticKind::Integer,
            Type::Float => ArithmeticKind::Float,
            Type::Rational | Type::Open => ArithmeticKind::Rational,
            other => {
                let shown = self.show(other);
                self.report(
                    Diagnostic::error(operand.span, format!("expected a number, found `{shown}`"))
                        .expecting("`-` is for numbers"),
                );
                return TypedValue::unknown();
            }
        };
        let operation = UnaryOperation::Negate(kind);
        let (to, operand) = (destination.place, value.operand);
        self.builder.emit(Instruction::Unary { operation, to, operand }, span);
        self.arrived(destination, value.value_type)
    }

    /// Two strings as one.
    pub(super) fn concatenate(&mut self, left: Operand, right: Operand, (to, span): (Place, Span)) {
        let operation = BinaryOperation::Concatenate;
        self.builder.emit(Instruction::Binary { operation, to, left, right }, span);
    }

    /// A value as text, in a temporary.
    pub(super) fn text_of(&mut self, value: TypedValue, span: Span) -> Operand {
        if value.value_type == Type::String {
            return value.operand;
        }
        let to = Place::Slot(self.builder.temporary());
        let arguments = self.builder.arguments(&[value.operand]);
        let builtin = Builtin::ToString;
        self.builder.emit(Instruction::Builtin { to, builtin, arguments }, span);
        read(to)
    }
}

/// What the operands of an operator should be: numbers for arithmetic and order, so that `lookup` of older
/// models is read as the value.
fn hint(operator: BinaryOperator) -> Option<Type> {
    let is_equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
    (!is_equality).then_some(Type::Rational)
}

fn make(operator: BinaryOperator, kind: ArithmeticKind) -> BinaryOperation {
    match operator {
        BinaryOperator::Subtract => BinaryOperation::Subtract(kind),
        BinaryOperator::Multiply => BinaryOperation::Multiply(kind),
        BinaryOperator::Divide => BinaryOperation::Divide(kind),
        BinaryOperator::Remainder => BinaryOperation::Remainder(kind),
        _ => BinaryOperation::Add(kind),
    }
}

/// The operator as a comparison.
pub(super) fn comparison(operator: BinaryOperator) -> Option<Comparison> {
    Some(match operator {
        BinaryOperator::Equal => Comparison::Equal,
        BinaryOperator::NotEqual => Comparison::NotEqual,
        BinaryOperator::Less => Comparison::Less,
        BinaryOperator::LessEqual => Comparison::LessEqual,
        BinaryOperator::Greater => Comparison::Greater,
        BinaryOperator::GreaterEqual => Comparison::GreaterEqual,
        _ => return None,
    })
}
