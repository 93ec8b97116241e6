//! Instructions that look at an unknown.
//!
//! Every instruction is tried here first where there are unknowns. Those that only move values about go
//! their usual way, and so do those whose operands are known.

use counterpoint_symbolic::Term;

use crate::machine::builtins;
use crate::machine::evaluate::{Activation, Executed, Memory, Signal, Stack};
use crate::machine::sharing;
use crate::machine::universe::Universe;
use crate::machine::value::{TermKind, Value};
use crate::program::{Body, Comparison, ConstructorId, Instruction, Operand, Place};

use super::arithmetic::{self, is_plain, value_of};
use super::compare;
use super::repetition::Repetition;
use super::{Cut, Looked, Need, NullCase, Obstacle};

impl Activation {
    /// Executes an instruction that looks at unknowns; nothing if it does not.
    pub(crate) fn execute_open<M: Memory>(
        &self,
        universe: &Universe<'_>,
        body: &Body,
        stack: &mut Stack,
        memory: &mut M,
        next: &mut u32,
    ) -> Option<Executed> {
        if memory.unknowns().in_guard {
            self.note_guard(universe, body, stack, memory, *next);
        }
        let result = match body.code[*next as usize] {
            Instruction::Unary { operation, to, operand } => {
                let value = self.operand(universe, stack, memory, operand);
                if is_plain(&value) {
                    return None;
                }
                self.look(memory, operand);
                let result = arithmetic::unary(memory, operation, &value);
                self.put(stack, memory, to, result)
            }
            Instruction::Binary { operation, to, left, right } => {
                let a = self.operand(universe, stack, memory, left);
                let b = self.operand(universe, stack, memory, right);
                if is_plain(&a) && is_plain(&b) {
                    return None;
                }
                self.look(memory, left);
                self.look(memory, right);
                let result = arithmetic::binary(memory, operation, &a, &b);
                self.put(stack, memory, to, result)
            }
            Instruction::Compare { comparison, to, left, right } => {
                let term = self.compared(universe, stack, memory, comparison, left, right)?;
                let result =
                    term.map(|term| value_of(memory.unknowns().terms(), term, TermKind::Boolean));
                self.put(stack, memory, to, result)
            }
            Instruction::Test { comparison, left, right, otherwise } => {
                let term = self.compared(universe, stack, memory, comparison, left, right)?;
                let holds = term.and_then(|term| ask(stack, memory, term));
                holds.map(|holds| way(next, holds, otherwise))
            }
            Instruction::Branch { condition, otherwise } => {
                let holds = self.condition(universe, stack, memory, condition)?;
                holds.map(|holds| way(next, holds, otherwise))
            }
            Instruction::Assert { condition } => {
                match self.condition(universe, stack, memory, condition)? {
                    Ok(true) => Ok(Executed::Next),
                    Ok(false) => Err(Obstacle::Raise(Value::Atom(ConstructorId::ASSERTION_FAIL))),
                    Err(trouble) => Err(trouble),
                }
            }
            Instruction::Yield { value } => {
                let holds = self.condition(universe, stack, memory, value)?;
                holds.map(|holds| Executed::Signal(Signal::Yielded(holds)))
            }
            Instruction::TestConstructor { subject, constructor, otherwise } => {
                match self.operand(universe, stack, memory, subject) {
                    Value::Term(term, TermKind::Boolean) => {
                        self.look(memory, subject);
                        ask(stack, memory, term).map(|truth| {
                            let wanted = constructor == ConstructorId::TRUE;
                            way(next, truth == wanted, otherwise)
                        })
                    }
                    Value::Unknown(id) => {
                        self.look(memory, subject);
                        Err(Obstacle::Need(Need::Constructor(id)))
                    }
                    Value::Opaque(text) => Err(opaque(&text)),
                    _ => return None,
                }
            }
            Instruction::Project { from, .. } => {
                match self.operand(universe, stack, memory, from) {
                    Value::Unknown(id) => {
                        self.look(memory, from);
                        Err(Obstacle::Need(Need::Constructor(id)))
                    }
                    Value::Opaque(text) => Err(opaque(&text)),
                    _ => return None,
                }
            }
            Instruction::Implements { object, .. } | Instruction::Cast { object, .. } => {
                match self.operand(universe, stack, memory, object) {
                    Value::Unknown(id) => {
                        self.look(memory, object);
                        Err(Obstacle::Need(Need::Reference(id, NullCase::Asked)))
                    }
                    _ => return None,
                }
            }
            Instruction::Builtin { to, builtin, arguments } => {
                if builtins::is_effect(builtin) {
                    return None;
                }
                let arguments = self.collect::<M, 4>(universe, body, stack, memory, arguments);
                let unknowns = memory.unknowns();
                if !arguments.iter().any(|one| compare::contains_unknown(unknowns, one)) {
                    // Bound variables may be inside, which the known way would not see through.
                    let arguments: Vec<Value> =
                        arguments.iter().map(|one| resolved(unknowns, one)).collect();
                    let result = builtins::compute(universe, builtin, &arguments, Some(stack));
                    if let Ok(value) = &result
                        && let Err(signal) = stack.charge(builtins::cost(&arguments, value))
                    {
                        return Some(Executed::Signal(signal));
                    }
                    return Some(self.put_or_signal(stack, memory, to, super::computed(result)));
                }
                let result = arithmetic::builtin(universe, memory, builtin, &arguments);
                self.put(stack, memory, to, result)
            }
            _ => return None,
        };
        Some(signal(result))
    }

    /// Notes that the condition of a guard looks at something unknown, decided or not.
    fn note_guard<M: Memory>(
        &self,
        universe: &Universe<'_>,
        body: &Body,
        stack: &mut Stack,
        memory: &M,
        next: u32,
    ) {
        let instruction = body.code[next as usize];
        let branches = matches!(
            instruction,
            Instruction::Test { .. }
                | Instruction::Branch { .. }
                | Instruction::TestConstructor { .. }
        );
        let looks = |operand: Operand| {
            let value = self.raw_value(universe, stack, memory, operand);
            matches!(value, Value::Unknown(_) | Value::Term(..) | Value::Fraction(_))
        };
        if branches && instruction.operands().into_iter().flatten().any(looks) {
            Repetition::decided(stack);
        }
    }

    fn put_or_signal<M: Memory>(
        &self,
        stack: &mut Stack,
        memory: &mut M,
        to: Place,
        result: Looked<Value>,
    ) -> Executed {
        signal(self.put(stack, memory, to, result))
    }

    fn put<M: Memory>(
        &self,
        stack: &mut Stack,
        memory: &mut M,
        to: Place,
        result: Looked<Value>,
    ) -> Looked<Executed> {
        self.write(stack, memory, to, result?);
        Ok(Executed::Next)
    }

    fn operand<M: Memory>(
        &self,
        universe: &Universe<'_>,
        stack: &Stack,
        memory: &M,
        operand: Operand,
    ) -> Value {
        self.value(universe, stack, memory, operand).clone()
    }

    /// The condition of a comparison of values that may contain unknowns; nothing if neither can.
    fn compared<M: Memory>(
        &self,
        universe: &Universe<'_>,
        stack: &Stack,
        memory: &mut M,
        comparison: Comparison,
        left: Operand,
        right: Operand,
    ) -> Option<Looked<Term>> {
        let a = self.operand(universe, stack, memory, left);
        let b = self.operand(universe, stack, memory, right);
        let simple = |value: &Value| is_plain(value) && !matches!(value, Value::Data(_));
        if simple(&a) && simple(&b) && !matches!((&a, &b), (Value::Object(_), Value::Object(_))) {
            return None;
        }
        self.look(memory, left);
        self.look(memory, right);
        Some(compare::comparison(universe, memory, comparison, &a, &b))
    }

    /// Whether a condition holds; nothing if it is known.
    fn condition<M: Memory>(
        &self,
        universe: &Universe<'_>,
        stack: &mut Stack,
        memory: &mut M,
        condition: Operand,
    ) -> Option<Looked<bool>> {
        match self.operand(universe, stack, memory, condition) {
            Value::Term(term, _) => {
                self.look(memory, condition);
                Some(ask(stack, memory, term))
            }
            Value::Opaque(text) => Some(Err(opaque(&text))),
            Value::Unknown(_) => Some(Err(opaque("an unknown condition"))),
            _ => None,
        }
    }
}

/// Asks the path about a condition on unknown numbers, which loops take note of.
fn ask<M: Memory>(stack: &mut Stack, memory: &mut M, condition: Term) -> Looked<bool> {
    if memory.unknowns().terms().has_inputs(condition) {
        Repetition::looked(stack);
    }
    memory.ask(condition).map_err(Obstacle::Need)
}

/// A value without variables that are bound.
fn resolved(unknowns: &super::Unknowns, value: &Value) -> Value {
    if !sharing::any_part(value, |part| part, |part| matches!(part, Value::Unknown(_))) {
        return value.clone();
    }
    match unknowns.deref(value) {
        Value::Data(data) => {
            let arguments = data.arguments.iter().map(|one| resolved(unknowns, one)).collect();
            Value::data(data.constructor, arguments)
        }
        other => other.clone(),
    }
}

fn way(next: &mut u32, holds: bool, otherwise: u32) -> Executed {
    if holds {
        return Executed::Next;
    }
    *next = otherwise;
    Executed::Moved
}

fn signal(result: Looked<Executed>) -> Executed {
    match result {
        Ok(outcome) => outcome,
        Err(Obstacle::Raise(exception)) => Executed::Signal(Signal::Raised(exception)),
        Err(Obstacle::Need(need)) => Executed::Signal(Signal::Needs(need)),
        Err(Obstacle::Cut(cut)) => Executed::Signal(Signal::Cut(cut)),
    }
}

fn opaque(text: &str) -> Obstacle {
    Obstacle::Cut(Cut::about("a decision about", text))
}
