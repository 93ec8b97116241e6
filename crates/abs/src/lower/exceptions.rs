//! `try`, `catch` and `finally`.
//!
//! The code of a `finally` stands once. Whoever gets there first writes down what is to be done after it, in
//! two hidden variables: a small number (go on, raise, or return) and the exception or result that waits.
//! A `return` inside goes there, too, and from there to the next `finally` outside.

use crate::diagnostics::Diagnostic;
use crate::program::{Comparison, Constant, ConstantId, Instruction, Operand, Place, SlotId, Type};
use crate::source::Span;
use crate::syntax::tree::{Statement, StatementBranch};

use super::builder::JumpLabel;
use super::environment::{Finally, Lowering};
use super::expressions::TypedValue;
use super::patterns::{Binds, Matching};

/// What is to be done after a `finally`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    GoOn = 0,
    Raise = 1,
    Return = 2,
}

impl<'a> Lowering<'_, 'a> {
    pub(super) fn try_statement(
        &mut self,
        body: &'a Statement,
        catches: &'a [StatementBranch],
        finally: Option<&'a Statement>,
        span: Span,
    ) -> bool {
        let caught = self.builder.variable(None, Type::EXCEPTION);
        let end = self.builder.label();
        let finally = finally.map(|statement| {
            let state = self.builder.variable(None, Type::Integer);
            let pending = self.builder.variable(None, Type::Open);
            let label = self.builder.label();
            (statement, Finally { label, state, pending, returns: false })
        });
        if let Some((_, context)) = finally {
            self.finallies.push(context);
        }
        let start = self.builder.here();
        let mut completes = self.nested(body);
        let body_end = self.builder.here();
        if completes {
            self.done(finally.map(|(_, context)| context), end, span);
        }
        let handler = self.builder.here();
        let exception = TypedValue::new(Operand::Slot(caught), Type::EXCEPTION);
        let mut matching = Matching::default();
        for branch in catches {
            let before = self.bindings.len();
            let next = self.builder.label();
            self.branch(&branch.pattern, &exception, (next, Binds::NewVariables), &mut matching);
            if self.nested(&branch.body) {
                completes = true;
                self.done(finally.map(|(_, context)| context), end, span);
            }
            self.bindings.truncate(before);
            self.builder.place(next);
        }
        self.raise_again(caught, span);
        let handler_end = self.builder.here();
        self.builder.handler((start, body_end), handler, caught);
        if let Some((statement, context)) = finally {
            let failed = self.builder.here();
            self.builder.handler((handler, handler_end), failed, context.pending);
            self.next_is(context, Then::Raise, span);
            let context = self.finallies.pop().unwrap_or(context);
            self.finally(statement, context, span);
        }
        self.builder.place(end);
        completes
    }

    /// A part of the statement is done: goes to the end, through the `finally`.
    fn done(&mut self, finally: Option<Finally>, end: JumpLabel, span: Span) {
        match finally {
            None => self.builder.jump(end, span),
            Some(context) => {
                self.next_is(context, Then::GoOn, span);
                self.builder.jump(context.label, span);
            }
        }
    }

    /// Raises the exception of a handler again.
    fn raise_again(&mut self, slot: SlotId, span: Span) {
        let exception = Operand::Slot(slot);
        self.builder.emit(Instruction::Throw { exception, again: true }, span);
    }

    fn next_is(&mut self, context: Finally, then: Then, span: Span) {
        let number = self.number(then);
        self.builder.copy(Place::Slot(context.state), number, span);
    }

    fn number(&mut self, then: Then) -> Operand {
        self.constant(Constant::Integer((then as i64).into()), Type::Integer).operand
    }

    /// The code of a `finally` and what follows it. Falls through when the statement is done.
    fn finally(&mut self, statement: &'a Statement, context: Finally, span: Span) {
        self.builder.place(context.label);
        let permissions = self.permissions;
        self.permissions.restricted = Some("a `finally`");
        self.nested(statement);
        self.permissions = permissions;
        let (no_raise, no_return) = (self.builder.label(), self.builder.label());
        self.if_next(context, Then::Raise, no_raise, span);
        self.raise_again(context.pending, span);
        self.builder.place(no_raise);
        if context.returns {
            self.if_next(context, Then::Return, no_return, span);
            self.leave(Operand::Slot(context.pending), span);
        }
        self.builder.place(no_return);
    }

    fn if_next(&mut self, context: Finally, then: Then, otherwise: JumpLabel, span: Span) {
        let right = self.number(then);
        let (comparison, left, otherwise) =
            (Comparison::Equal, Operand::Slot(context.state), otherwise.target());
        self.builder.emit(Instruction::Test { comparison, left, right, otherwise }, span);
    }

    /// Leaves the body with a value, through the `finally`s around.
    pub(super) fn leave(&mut self, value: Operand, span: Span) {
        if self.permissions.restricted.is_some() && !self.finallies.is_empty() {
            self.restricted("`return`", span);
        }
        let around = self.finallies.last_mut().map(|context| {
            context.returns = true;
            *context
        });
        match around {
            None => self.builder.emit(Instruction::Return { value }, span),
            Some(context) => {
                self.builder.copy(Place::Slot(context.pending), value, span);
                self.next_is(context, Then::Return, span);
                self.builder.jump(context.label, span);
            }
        }
    }

    /// The branches of a recover block: the exception is the argument, the result whether one took it.
    pub(super) fn recover(&mut self, branches: &'a [StatementBranch], span: Span) {
        let slot = self.builder.parameter(None, Type::EXCEPTION);
        let exception = TypedValue::new(Operand::Slot(slot), Type::EXCEPTION);
        self.permissions.restricted = Some("a recover block");
        if branches.is_empty() {
            self.report(Diagnostic::warning(span, "this recover block has no branches"));
        }
        let mut matching = Matching::default();
        for branch in branches {
            let before = self.bindings.len();
            let next = self.builder.label();
            self.branch(&branch.pattern, &exception, (next, Binds::Variables), &mut matching);
            let span = branch.body.span;
            if self.nested(&branch.body) {
                let value = Operand::Constant(ConstantId::TRUE);
                self.builder.emit(Instruction::Return { value }, span);
            }
            self.bindings.truncate(before);
            self.builder.place(next);
        }
        let value = Operand::Constant(ConstantId::FALSE);
        self.builder.emit(Instruction::Return { value }, span);
    }
}
