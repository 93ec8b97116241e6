//! Pure expressions and patterns as text, with parentheses only where they are needed.

use std::fmt::Write;

use crate::syntax::tree::{
    BinaryOperator, Expression, ExpressionBranch, ExpressionKind, FunctionArgument, Pattern,
    PatternKind, TemplatePart, UnaryOperator,
};

use super::Printer;

/// How tightly an expression holds together. Looser ones need parentheses inside tighter ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    /// `when`, `let`, `implements`, `as`: only where nothing else is around.
    Loose,
    Or,
    And,
    Equality,
    Order,
    Sum,
    Product,
    Prefix,
    Tight,
}

impl Tightness {
    fn of(expression: &Expression) -> Tightness {
        match &expression.kind {
            ExpressionKind::Conditional { .. }
            | ExpressionKind::Let { .. }
            | ExpressionKind::Implements(..)
            | ExpressionKind::Cast(..) => Tightness::Loose,
            ExpressionKind::Chain { rest, .. } => match rest.first() {
                Some((operator, _)) => Tightness::of_operator(*operator),
                None => Tightness::Loose,
            },
            ExpressionKind::Unary(..) => Tightness::Prefix,
            _ => Tightness::Tight,
        }
    }

    fn of_operator(operator: BinaryOperator) -> Tightness {
        match operator {
            BinaryOperator::Or => Tightness::Or,
            BinaryOperator::And => Tightness::And,
            BinaryOperator::Equal | BinaryOperator::NotEqual => Tightness::Equality,
            BinaryOperator::Less
            | BinaryOperator::LessEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterEqual => Tightness::Order,
            BinaryOperator::Add | BinaryOperator::Subtract => Tightness::Sum,
            BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder => {
                Tightness::Product
            }
        }
    }

    /// The next tighter one.
    fn tighter(self) -> Tightness {
        match self {
            Tightness::Loose => Tightness::Or,
            Tightness::Or => Tightness::And,
            Tightness::And => Tightness::Equality,
            Tightness::Equality => Tightness::Order,
            Tightness::Order => Tightness::Sum,
            Tightness::Sum => Tightness::Product,
            Tightness::Product => Tightness::Prefix,
            Tightness::Prefix | Tightness::Tight => Tightness::Tight,
        }
    }
}

impl Printer {
    pub(super) fn expression(&mut self, expression: &Expression) {
        self.at_least(expression, Tightness::Loose);
    }

    /// The object of a call, or the future of a `get`.
    pub(super) fn operand(&mut self, expression: &Expression) {
        self.at_least(expression, Tightness::Tight);
    }

    fn at_least(&mut self, expression: &Expression, tightness: Tightness) {
        let parentheses = Tightness::of(expression) < tightness;
        if parentheses {
            self.put("(");
        }
        self.bare(expression);
        if parentheses {
            self.put(")");
        }
    }

    pub(super) fn arguments(&mut self, arguments: &[Expression]) {
        self.put("(");
        self.separated(arguments, ", ", Self::expression);
        self.put(")");
    }

    fn bare(&mut self, expression: &Expression) {
        match &expression.kind {
            // Writing to a string cannot fail.
            ExpressionKind::Integer(value) => drop(write!(self.text, "{value}")),
            ExpressionKind::Float(value) => self.put(&float(*value)),
            ExpressionKind::String(value) => self.string(value),
            ExpressionKind::Template(parts) => self.template(parts),
            ExpressionKind::Variable(variable) => self.variable(variable),
            ExpressionKind::This => self.put("this"),
            ExpressionKind::Null => self.put("null"),
            ExpressionKind::Destiny => self.put("destiny"),
            ExpressionKind::Call { function, arguments } => {
                self.qualified(function);
                self.arguments(arguments);
            }
            ExpressionKind::PartialCall { function, functions, arguments } => {
                self.qualified(function);
                self.put("(");
                self.separated(functions, ", ", Self::function_argument);
                self.put(")");
                self.arguments(arguments);
            }
            ExpressionKind::ListCall { function, elements } => {
                self.qualified(function);
                self.put("[");
                self.separated(elements, ", ", Self::expression);
                self.put("]");
            }
            ExpressionKind::Construct { constructor, arguments, parentheses } => {
                self.qualified(constructor);
                if *parentheses {
                    self.arguments(arguments);
                }
            }
            ExpressionKind::Unary(operator, operand) => {
                self.put(match operator {
                    UnaryOperator::Not => "!",
                    UnaryOperator::Negate => "-",
                });
                self.at_least(operand, Tightness::Prefix);
            }
            ExpressionKind::Chain { first, rest } => self.chain(first, rest),
            ExpressionKind::Implements(object, interface) => {
                self.at_least(object, Tightness::Or);
                self.put(" implements ");
                self.qualified(interface);
            }
            ExpressionKind::Cast(object, interface) => {
                self.at_least(object, Tightness::Or);
                self.put(" as ");
                self.qualified(interface);
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.put("when ");
                self.expression(condition);
                self.put(" then ");
                self.expression(then);
                self.put(" else ");
                self.expression(otherwise);
            }
            ExpressionKind::Case { subject, branches } => self.case(subject, branches),
            ExpressionKind::Let { bindings, body } => {
                self.put("let ");
                self.separated(bindings, ", ", |printer, binding| {
                    printer.type_use(&binding.type_use);
                    printer.put(" ");
                    printer.name(&binding.name);
                    printer.put(" = ");
                    printer.expression(&binding.value);
                });
                self.put(" in ");
                self.expression(body);
            }
            ExpressionKind::Error => self.put("null"),
        }
    }

    fn chain(&mut self, first: &Expression, rest: &[(BinaryOperator, Expression)]) {
        let tightness = rest
            .first()
            .map_or(Tightness::Loose, |(operator, _)| Tightness::of_operator(*operator));
        // A chain of the same level on the left would be read as a part of this one.
        self.at_least(first, tightness.tighter());
        for (operator, operand) in rest {
            self.put(" ");
            self.put(operator.sign());
            self.put(" ");
            self.at_least(operand, tightness.tighter());
        }
    }

    fn case(&mut self, subject: &Expression, branches: &[ExpressionBranch]) {
        self.put("case ");
        self.expression(subject);
        self.put(" ");
        self.braces(|printer| {
            for branch in branches {
                printer.line();
                printer.put("| ");
                printer.pattern(&branch.pattern);
                printer.put(" => ");
                printer.expression(&branch.body);
            }
        });
    }

    fn function_argument(&mut self, argument: &FunctionArgument) {
        match argument {
            FunctionArgument::Named(name) => self.qualified(name),
            FunctionArgument::Anonymous { parameters, body, .. } => {
                self.parameters(parameters);
                self.put(" => ");
                self.expression(body);
            }
        }
    }

    fn string(&mut self, value: &str) {
        self.put("\"");
        for character in value.chars() {
            match character {
                '"' => self.put("\\\""),
                '\\' => self.put("\\\\"),
                '\n' => self.put("\\n"),
                '\r' => self.put("\\r"),
                '\t' => self.put("\\t"),
                _ => self.text.push(character),
            }
        }
        self.put("\"");
    }

    fn template(&mut self, parts: &[TemplatePart]) {
        self.put("`");
        for part in parts {
            match part {
                TemplatePart::Text(text) => {
                    let escaped = text.replace('`', "\\`").replace('$', "\\$");
                    self.put(&escaped);
                }
                TemplatePart::Hole(hole) => {
                    self.put("$");
                    self.expression(hole);
                    self.put("$");
                }
            }
        }
        self.put("`");
    }

    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Anything | PatternKind::Error => self.put("_"),
            PatternKind::Integer(value) => drop(write!(self.text, "{value}")),
            PatternKind::String(value) => self.string(value),
            PatternKind::Variable(name) => self.name(name),
            PatternKind::Construct { constructor, arguments } => {
                self.qualified(constructor);
                if !arguments.is_empty() {
                    self.put("(");
                    self.separated(arguments, ", ", Self::pattern);
                    self.put(")");
                }
            }
        }
    }
}

/// A floating-point number as the language writes it: with a point and digits on both sides.
fn float(value: f64) -> String {
    let text = format!("{value:?}");
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ if value.is_infinite() => "1.0e999".to_owned(),
        _ => text,
    }
}
