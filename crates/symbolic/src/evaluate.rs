//! The value of a term under a model.
//!
//! Problem: a machine evaluates the conditions of every branch, over terms that share most of their parts
//! and may be very deep. Idea: an explicit stack instead of recursion, and a memo of the values found. A
//! path keeps the memo for as long as its model lasts, so that a term one operator larger than a known one
//! costs one operator.
//!
//! Invariant: a memo is used with one store and one model only; as terms never change, nothing in it
//! becomes wrong. Only the branch a condition selects is evaluated, and only as many operands of a
//! connective as decide it.
//!
//! Cost: one look-up per operand and one entry per distinct operator reached for the first time.

use crate::model::Model;
use crate::node::{Binary, Node, Term};
use crate::semantics;
use crate::terms::Terms;
use crate::value::Value;
use rustc_hash::FxHashMap;

/// The values found so far under one model.
#[derive(Clone, Default)]
pub(crate) struct Memo {
    values: FxHashMap<Term, Value>,
    pending: Vec<Term>,
}

impl Terms {
    /// The value of the term when the inputs are as in the model.
    pub fn evaluate(&self, term: Term, model: &Model) -> Value {
        self.evaluate_with(term, model, &mut Memo::default())
    }

    /// Whether a condition holds if all inputs are zero or false.
    pub fn holds_of_zeros(&self, condition: Term) -> bool {
        self.evaluate(condition, &Model::new()) == Value::Bool(true)
    }

    /// The same, with a memo that must have been used with this model only.
    pub(crate) fn evaluate_with(&self, term: Term, model: &Model, memo: &mut Memo) -> Value {
        if let Some(value) = self.known_value(term, model, memo) {
            return value;
        }
        memo.pending.push(term);
        while let Some(&next) = memo.pending.last() {
            match self.evaluate_node(next, model, memo) {
                Ok(value) => {
                    memo.pending.pop();
                    memo.values.insert(next, value);
                }
                Err(missing) => memo.pending.push(missing),
            }
        }
        memo.values[&term].clone()
    }

    /// Values that need no operator: constants, inputs and what is in the memo.
    fn known_value(&self, term: Term, model: &Model, memo: &mut Memo) -> Option<Value> {
        match self.node(term) {
            Node::Bool(value) => Some(Value::Bool(value)),
            Node::Bits { bits, width } => Some(Value::Bits { bits, width }),
            Node::Int(_) => self.as_constant(term),
            Node::Input(_) if memo.values.contains_key(&term) => memo.values.get(&term).cloned(),
            Node::Input(input) => {
                let variable = self.variable(input);
                let value = model.value_of(variable.name(), variable.sort());
                memo.values.insert(term, value.clone());
                Some(value)
            }
            _ => memo.values.get(&term).cloned(),
        }
    }

    /// One operator, or the operand whose value is missing.
    fn evaluate_node(&self, term: Term, model: &Model, memo: &mut Memo) -> Result<Value, Term> {
        let mut operand = |operand: Term| self.known_value(operand, model, memo).ok_or(operand);
        match self.node(term) {
            Node::Unary(operator, a) => Ok(semantics::unary(operator, &operand(a)?)),
            Node::Ite(condition, then, otherwise) => {
                let holds = operand(condition)? == Value::Bool(true);
                operand(if holds { then } else { otherwise })
            }
            Node::Binary(operator, a, b) => {
                let first = operand(a)?;
                match (operator, &first) {
                    (Binary::And, Value::Bool(false)) | (Binary::Or, Value::Bool(true)) => {
                        Ok(first)
                    }
                    _ => Ok(semantics::binary(operator, &first, &operand(b)?)),
                }
            }
            _ => operand(term),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Sort;

    #[test]
    fn absent_inputs_are_zero() {
        let terms = Terms::new();
        let x = terms.input("x", Sort::Bits(32));
        let y = terms.input("y", Sort::Bits(32));
        let sum = terms.add(terms.mul(x, y), terms.bits(3, 32));
        assert_eq!(terms.evaluate(sum, &Model::new()), Value::bits(3, 32));
        let model = [("x", Value::bits(5, 32)), ("y", Value::bits(7, 32))].into_iter().collect();
        assert_eq!(terms.evaluate(sum, &model), Value::bits(38, 32));
    }

    #[test]
    fn shared_parts_are_evaluated_once() {
        let terms = Terms::new();
        let mut square = terms.input("x", Sort::Bits(64));
        for _ in 0..60 {
            square = terms.mul(square, square);
        }
        let model = [("x", Value::bits(3, 64))].into_iter().collect();
        let mut memo = Memo::default();
        let expected = (0..60).fold(3u64, |value, _| value.wrapping_mul(value));
        assert_eq!(terms.evaluate_with(square, &model, &mut memo), Value::bits(expected, 64));
        assert_eq!(memo.values.len(), 61);
    }
}
