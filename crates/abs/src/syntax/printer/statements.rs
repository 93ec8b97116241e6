//! Statements, guards and effects as text.

use crate::program::Generation;
use crate::syntax::tree::{
    Block, Call, Computation, Effect, EffectKind, Expression, Guard, GuardPart, Place, Statement,
    StatementBranch, StatementKind, Variable,
};

use super::Printer;

impl Printer {
    pub(super) fn block(&mut self, block: &Block) {
        self.braces(|printer| {
            for statement in &block.statements {
                printer.line();
                printer.statement(statement);
            }
        });
    }

    fn statement(&mut self, statement: &Statement) {
        self.annotations(&statement.annotations);
        match &statement.kind {
            StatementKind::Block(block) => self.block(block),
            StatementKind::If { condition, then, otherwise } => {
                self.head("if", condition);
                self.body(then);
                if let Some(otherwise) = otherwise {
                    self.put(" else ");
                    self.body(otherwise);
                }
            }
            StatementKind::While { condition, body } => {
                self.head("while", condition);
                self.body(body);
            }
            StatementKind::ForEach { element, index, list, body } => {
                self.put("foreach (");
                self.name(element);
                if let Some(index) = index {
                    self.put(", ");
                    self.name(index);
                }
                self.put(" in ");
                self.expression(list);
                self.put(") ");
                self.body(body);
            }
            StatementKind::Switch { subject, branches } => {
                self.head("switch", subject);
                self.statement_branches(branches);
            }
            StatementKind::Try { body, catches, finally } => {
                self.put("try ");
                self.body(body);
                self.put(" catch ");
                self.statement_branches(catches);
                if let Some(finally) = finally {
                    self.put(" finally ");
                    self.body(finally);
                }
            }
            _ => {
                self.simple(&statement.kind);
                self.put(";");
            }
        }
    }

    /// The statements that end with `;`, without it.
    fn simple(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Declare { type_use, name, value } => {
                self.type_use(type_use);
                self.put(" ");
                self.name(name);
                if let Some(value) = value {
                    self.put(" = ");
                    self.computation(value);
                }
            }
            StatementKind::Assign { target, value } => {
                self.variable(target);
                self.put(" = ");
                self.computation(value);
            }
            StatementKind::Return(value) => {
                self.put("return ");
                self.computation(value);
            }
            StatementKind::Assert(value) => {
                self.put("assert ");
                self.computation(value);
            }
            StatementKind::Throw(exception) => {
                self.put("throw ");
                self.expression(exception);
            }
            StatementKind::Die(exception) => {
                self.put("die ");
                self.expression(exception);
            }
            StatementKind::Await(guard) => self.guard(guard),
            StatementKind::Suspend => self.put("suspend"),
            StatementKind::Duration(minimum, maximum) => self.duration(minimum, maximum),
            StatementKind::Compute(computation) => self.computation(computation),
            _ => self.put("skip"),
        }
    }

    fn head(&mut self, word: &str, condition: &Expression) {
        self.put(word);
        self.put(" (");
        self.expression(condition);
        self.put(") ");
    }

    /// The statement inside another one, in braces: without them an `else` could go astray.
    fn body(&mut self, statement: &Statement) {
        match (&statement.kind, statement.annotations.is_empty()) {
            (StatementKind::Block(block), true) => self.block(block),
            _ => self.braces(|printer| {
                printer.line();
                printer.statement(statement);
            }),
        }
    }

    pub(super) fn statement_branches(&mut self, branches: &[StatementBranch]) {
        self.braces(|printer| {
            for branch in branches {
                printer.line();
                printer.pattern(&branch.pattern);
                printer.put(" => ");
                printer.body(&branch.body);
            }
        });
    }

    pub(super) fn variable(&mut self, variable: &Variable) {
        if variable.this {
            self.put("this.");
        }
        self.name(&variable.name);
    }

    fn guard(&mut self, guard: &Guard) {
        self.put("await ");
        self.separated(&guard.parts, " & ", |printer, part| match part {
            GuardPart::Future(variable) => {
                printer.variable(variable);
                printer.put("?");
            }
            GuardPart::Duration(minimum, maximum, _) => printer.duration(minimum, maximum),
            GuardPart::Condition(condition) => printer.expression(condition),
        });
    }

    fn duration(&mut self, minimum: &Expression, maximum: &Expression) {
        self.put("duration(");
        self.expression(minimum);
        self.put(", ");
        self.expression(maximum);
        self.put(")");
    }

    fn computation(&mut self, computation: &Computation) {
        match computation {
            Computation::Pure(expression) => self.expression(expression),
            Computation::Effect(effect) => self.effect(effect),
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match &effect.kind {
            EffectKind::Get(future) => {
                self.operand(future);
                self.put(".get");
            }
            EffectKind::New { place, class, arguments } => {
                let local = match place {
                    Place::Cog => false,
                    Place::Local => true,
                    Place::Bare => self.generation == Generation::Old,
                };
                self.put(if local { "new local " } else { "new " });
                self.qualified(class);
                self.arguments(arguments);
            }
            EffectKind::AsyncCall(call) => self.call(call, "!"),
            EffectKind::AwaitCall(call) => {
                self.put("await ");
                self.call(call, "!");
            }
            EffectKind::SyncCall(call) => self.call(call, "."),
            EffectKind::Original(arguments) => {
                self.put("original");
                self.arguments(arguments);
            }
        }
    }

    fn call(&mut self, call: &Call, sign: &str) {
        self.operand(&call.callee);
        self.put(sign);
        self.name(&call.method);
        self.arguments(&call.arguments);
    }
}
