//! Statements.
//!
//! A statement that is done with falls through to the next one. [`Lowering::statement`] says whether it can
//! be done with at all: behind a `return` or `throw` nothing follows.

use crate::check::annotations;
use crate::check::classes::check_uninitialised;
use crate::diagnostics::Diagnostic;
use crate::program::{ConstantId, Instruction, Operand, Place, Type};
use crate::source::Span;
use crate::syntax::tree::{
    Block, Computation, Expression, Identifier, Statement, StatementKind, TypeUse, Variable,
};

use super::environment::{Lowering, Returns};
use super::expressions::{TypedValue, read};

/// Where a statement stands in its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StatementPosition {
    /// The last of the outermost block: the only place for `return` today.
    Last,
    Inner,
}

impl<'a> Lowering<'_, 'a> {
    /// The statements of a method or main block, and the return at the end.
    pub(super) fn body(&mut self, block: &'a Block) {
        let completes = self.statements(&block.statements, StatementPosition::Last);
        let end =
            Span { start: block.span.end.saturating_sub(1).max(block.span.start), ..block.span };
        if completes
            && let Returns::Method(result) = self.returns.clone()
            && !matches!(result, Type::Open)
            && result != Type::UNIT
        {
            let shown = self.show(&result);
            self.report(
                Diagnostic::error(end, format!("this method must return `{shown}`"))
                    .expecting("the end is reached without `return`")
                    .hint("end the method with `return ..;`"),
            );
        }
        if completes || !self.builder.is_ended() {
            let value = Operand::Constant(ConstantId::UNIT);
            self.builder.emit(Instruction::Return { value }, end);
        }
    }

    fn statements(&mut self, statements: &'a [Statement], standing: StatementPosition) -> bool {
        let mut completes = true;
        for (index, statement) in statements.iter().enumerate() {
            let last = index + 1 == statements.len();
            let standing = if last { standing } else { StatementPosition::Inner };
            completes &= self.statement(statement, standing);
        }
        completes
    }

    /// A block with a scope of its own.
    pub(super) fn block(
        &mut self,
        statements: &'a [Statement],
        standing: StatementPosition,
    ) -> bool {
        let before = self.bindings.len();
        let completes = self.statements(statements, standing);
        self.bindings.truncate(before);
        completes
    }

    /// A statement that is the body of another one: a scope of its own even without braces.
    pub(super) fn nested(&mut self, statement: &'a Statement) -> bool {
        let before = self.bindings.len();
        let completes = self.statement(statement, StatementPosition::Inner);
        self.bindings.truncate(before);
        completes
    }

    /// Lowers a statement; says whether what follows it can be reached.
    pub(super) fn statement(
        &mut self,
        statement: &'a Statement,
        standing: StatementPosition,
    ) -> bool {
        if let StatementKind::Block(block) = &statement.kind {
            return self.block(&block.statements, StatementPosition::Inner);
        }
        let site = self.builder.statement(head(statement));
        let completes = self.statement_here(statement, standing);
        self.builder.resume(site);
        completes
    }

    fn statement_here(&mut self, statement: &'a Statement, standing: StatementPosition) -> bool {
        let span = statement.span;
        for name in ["Cost", "DataSize"] {
            if let Some(cost) = annotations::value(&statement.annotations, name) {
                self.restricted(&format!("`[{name}: ..]`, which takes time,"), cost.span);
            }
        }
        match &statement.kind {
            StatementKind::Declare { type_use, name, value } => {
                self.declaration(statement, (type_use, name), value.as_ref());
            }
            StatementKind::Assign { target, value } => self.assignment(statement, target, value),
            StatementKind::Skip | StatementKind::Error => {}
            StatementKind::Return(value) => {
                self.return_statement(statement, value, standing);
                return false;
            }
            StatementKind::Assert(value) => {
                let mark = self.builder.mark();
                let condition = self.operand(statement, value, &Type::BOOL, "an assertion");
                self.builder.emit(Instruction::Assert { condition }, span);
                self.builder.release(mark);
            }
            StatementKind::Block(block) => {
                return self.block(&block.statements, StatementPosition::Inner);
            }
            StatementKind::If { condition, then, otherwise } => {
                return self.if_statement(condition, then, otherwise.as_deref(), span);
            }
            StatementKind::While { condition, body } => self.while_statement(condition, body, span),
            StatementKind::ForEach { element, index, list, body } => {
                self.foreach((element, index.as_ref()), list, body)
            }
            StatementKind::Switch { subject, branches } => {
                return self.switch(subject, branches, span);
            }
            StatementKind::Try { body, catches, finally } => {
                return self.try_statement(body, catches, finally.as_deref(), span);
            }
            StatementKind::Throw(exception) => {
                self.restricted("`throw`", span);
                self.raise(exception, span, |exception| Instruction::Throw {
                    exception,
                    again: false,
                });
                return false;
            }
            StatementKind::Die(exception) => {
                self.restricted("`die`", span);
                self.raise(exception, span, |exception| Instruction::Die { exception });
                return false;
            }
            StatementKind::Await(guard) => self.await_statement(guard, span),
            StatementKind::Suspend => {
                self.waits("`suspend`", span);
                self.builder.emit(Instruction::Suspend, span);
            }
            StatementKind::Duration(minimum, maximum) => self.duration(minimum, maximum, span),
            StatementKind::Compute(computation) => {
                self.computation_statement(statement, computation)
            }
        }
        true
    }

    fn raise(&mut self, exception: &'a Expression, span: Span, make: fn(Operand) -> Instruction) {
        let mark = self.builder.mark();
        let operand = self.fitting_value(exception, &Type::EXCEPTION, "what is raised");
        self.builder.emit(make(operand), span);
        self.builder.release(mark);
    }

    // Variables.

    fn declaration(
        &mut self,
        statement: &'a Statement,
        (type_use, name): (&'a TypeUse, &'a Identifier),
        value: Option<&'a Computation>,
    ) {
        let declared = self.resolve_type(type_use);
        self.check_new(name);
        let slot = self.builder.variable(Some(name.text.clone()), declared.clone());
        match value {
            Some(value) => {
                let what = format!("`{name}`");
                self.computation_into(statement, value, Place::Slot(slot), &declared, &what);
            }
            None => {
                let tables = self.tables();
                check_uninitialised(
                    tables,
                    &declared,
                    "variable",
                    name,
                    &mut self.shared.diagnostics,
                );
                let null = Operand::Constant(ConstantId::NULL);
                self.builder.copy(Place::Slot(slot), null, statement.span);
            }
        }
        let is_final = annotations::has(&type_use.annotations, "Final")
            || annotations::has(&statement.annotations, "Final");
        self.bind(name, Operand::Slot(slot), declared, is_final);
    }

    fn assignment(
        &mut self,
        statement: &'a Statement,
        target: &'a Variable,
        value: &'a Computation,
    ) {
        let Some(binding) = self.variable(target) else {
            let diagnostic = self.unknown_variable(target);
            self.report(diagnostic);
            let mark = self.builder.mark();
            self.operand(statement, value, &Type::Open, "the value");
            self.builder.release(mark);
            return;
        };
        if binding.is_final {
            self.report(
                Diagnostic::error(target.span, format!("`{}` cannot be assigned", target.name))
                    .label(binding.span, "declared `[Final]` here"),
            );
        }
        let place = match binding.operand {
            Operand::Field(field) => {
                if self.permissions.readonly {
                    self.report(
                        Diagnostic::error(
                            target.span,
                            "a `[Readonly]` method does not assign to fields",
                        )
                        .hint("remove the annotation, or the assignment"),
                    );
                }
                Place::Field(field)
            }
            Operand::Slot(slot) => Place::Slot(slot),
            _ => Place::Nowhere,
        };
        let what = format!("`{}`", target.name);
        self.computation_into(statement, value, place, &binding.value_type, &what);
    }

    /// The value of a computation, into a place of that type.
    fn computation_into(
        &mut self,
        statement: &'a Statement,
        computation: &'a Computation,
        to: Place,
        expected: &Type,
        what: &str,
    ) {
        match computation {
            Computation::Pure(expression) => self.value_into(expression, to, expected, what),
            Computation::Effect(effect) => {
                let mark = self.builder.mark();
                let value_type = self.effect(effect, &statement.annotations, to);
                let value = TypedValue::new(read(to), value_type);
                let operand = self.fit(value, expected, effect.span, what, Some(to));
                self.builder.copy(to, operand, effect.span);
                self.builder.release(mark);
            }
        }
    }

    /// The value of a computation as an operand.
    fn operand(
        &mut self,
        statement: &'a Statement,
        computation: &'a Computation,
        expected: &Type,
        what: &str,
    ) -> Operand {
        match computation {
            Computation::Pure(expression) => self.fitting_value(expression, expected, what),
            Computation::Effect(_) => {
                let to = Place::Slot(self.builder.temporary());
                self.computation_into(statement, computation, to, expected, what);
                read(to)
            }
        }
    }

    fn computation_statement(&mut self, statement: &'a Statement, computation: &'a Computation) {
        let mark = self.builder.mark();
        match computation {
            Computation::Pure(expression) => {
                self.value(expression, None, Some(Place::Nowhere));
            }
            Computation::Effect(effect) => {
                self.effect(effect, &statement.annotations, Place::Nowhere);
            }
        }
        self.builder.release(mark);
    }

    fn return_statement(
        &mut self,
        statement: &'a Statement,
        value: &'a Computation,
        standing: StatementPosition,
    ) {
        let span = statement.span;
        let result = match self.returns.clone() {
            Returns::Method(result) => result,
            Returns::No(place) => {
                self.report(Diagnostic::error(span, format!("`return` is not allowed {place}")));
                Type::Open
            }
        };
        if standing == StatementPosition::Inner && matches!(self.returns, Returns::Method(_)) {
            self.report(
                Diagnostic::error(span, "`return` is not the last statement of the method")
                    .hint("assign to a variable, and return that at the end"),
            );
        }
        let mark = self.builder.mark();
        let operand = self.operand(statement, value, &result, "the result of the method");
        self.leave(operand, span);
        self.builder.release(mark);
    }

    fn duration(&mut self, minimum: &'a Expression, maximum: &'a Expression, span: Span) {
        self.waits("`duration`", span);
        let mark = self.builder.mark();
        let minimum = self.fitting_value(minimum, &Type::Rational, "an amount of time");
        let maximum = self.fitting_value(maximum, &Type::Rational, "an amount of time");
        self.builder.emit(Instruction::Duration { minimum, maximum }, span);
        self.builder.release(mark);
    }

    // What is allowed here.

    /// Reports something that waits where waiting is not allowed.
    pub(super) fn waits(&mut self, what: &str, span: Span) {
        self.restricted(what, span);
        if self.permissions.atomic {
            self.report(
                Diagnostic::error(span, format!("{what} is not allowed in an `[Atomic]` method"))
                    .hint("an atomic method runs to its end without waiting"),
            );
        }
    }

    /// Reports something that init blocks and the like may not contain.
    pub(super) fn restricted(&mut self, what: &str, span: Span) {
        if let Some(place) = self.permissions.restricted {
            self.report(
                Diagnostic::error(span, format!("{what} is not allowed in {place}"))
                    .hint("it can neither wait nor fail; asynchronous calls and `new` are fine"),
            );
        }
    }
}

/// What is shown of a statement in a trace: without the statements inside it.
fn head(statement: &Statement) -> Span {
    let until = match &statement.kind {
        StatementKind::If { condition, .. } | StatementKind::While { condition, .. } => {
            condition.span.end
        }
        StatementKind::ForEach { list, .. } => list.span.end,
        StatementKind::Switch { subject, .. } => subject.span.end,
        StatementKind::Try { .. } => statement.span.start + 3,
        _ => statement.span.end,
    };
    Span { end: until.clamp(statement.span.start, statement.span.end), ..statement.span }
}
