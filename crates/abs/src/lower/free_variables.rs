//! The names an anonymous function mentions.
//!
//! Names it binds itself are listed, too: only those that are visible where the function is written are passed
//! on, and a pattern there treats a visible name as a test, so this is exactly what must be known inside.

use std::sync::Arc;

use crate::syntax::tree::{
    Expression, ExpressionKind, FunctionArgument, Pattern, PatternKind, TemplatePart,
};

/// The names that an expression mentions, each once, in order.
#[derive(Default)]
pub(super) struct Mentioned {
    /// Bare names: variables, or fields without `this`.
    pub(super) variables: Vec<Arc<str>>,
    /// `this.x`
    pub(super) fields: Vec<Arc<str>>,
    /// `this` by itself
    pub(super) this: bool,
}

impl Mentioned {
    fn variable(&mut self, name: &Arc<str>) {
        if !self.variables.contains(name) {
            self.variables.push(name.clone());
        }
    }

    /// Adds the names in an expression.
    pub(super) fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Variable(variable) if variable.this => {
                if !self.fields.contains(&variable.name.text) {
                    self.fields.push(variable.name.text.clone());
                }
            }
            ExpressionKind::Variable(variable) => self.variable(&variable.name.text),
            ExpressionKind::This => self.this = true,
            ExpressionKind::Template(parts) => {
                for part in parts {
                    if let TemplatePart::Hole(hole) = part {
                        self.expression(hole);
                    }
                }
            }
            ExpressionKind::Call { arguments, .. }
            | ExpressionKind::Construct { arguments, .. } => {
                self.expressions(arguments);
            }
            ExpressionKind::ListCall { elements, .. } => self.expressions(elements),
            ExpressionKind::PartialCall { functions, arguments, .. } => {
                for function in functions {
                    if let FunctionArgument::Anonymous { body, .. } = function {
                        self.expression(body);
                    }
                }
                self.expressions(arguments);
            }
            ExpressionKind::Unary(_, operand)
            | ExpressionKind::Implements(operand, _)
            | ExpressionKind::Cast(operand, _) => self.expression(operand),
            ExpressionKind::Chain { first, rest } => {
                self.expression(first);
                rest.iter().for_each(|(_, operand)| self.expression(operand));
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.expression(condition);
                self.expression(then);
                self.expression(otherwise);
            }
            ExpressionKind::Case { subject, branches } => {
                self.expression(subject);
                for branch in branches {
                    self.pattern(&branch.pattern);
                    self.expression(&branch.body);
                }
            }
            ExpressionKind::Let { bindings, body } => {
                bindings.iter().for_each(|binding| self.expression(&binding.value));
                self.expression(body);
            }
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::String(_)
            | ExpressionKind::Null
            | ExpressionKind::Destiny
            | ExpressionKind::Error => {}
        }
    }

    fn expressions(&mut self, expressions: &[Expression]) {
        expressions.iter().for_each(|expression| self.expression(expression));
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Variable(name) => self.variable(&name.text),
            PatternKind::Construct { arguments, .. } => {
                arguments.iter().for_each(|argument| self.pattern(argument));
            }
            _ => {}
        }
    }
}
