//! Values that depend on inputs.

use std::fmt;

use counterpoint_model::{Feasible, Input, Pid, ProcessNames};
use counterpoint_symbolic::Term;

use crate::ast::{Ast, Operator};

/// What a register or shared variable holds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Int(i32),
    Unknown(Term),
    Thread(u32),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(number) => write!(f, "{number}"),
            Value::Unknown(term) => write!(f, "{term:?}"),
            Value::Thread(process) => write!(f, "thread {process}"),
        }
    }
}

#[derive(Debug)]
pub(crate) struct InputNames {}

impl InputNames {
    pub(crate) fn new(_ast: &Ast) -> InputNames {
        InputNames {}
    }
}

#[derive(Debug)]
pub(crate) struct Unknowns<'p> {
    names: &'p InputNames,
}

#[derive(Debug)]
pub(crate) struct Solution {}

impl<'p> Unknowns<'p> {
    pub(crate) fn new(_names: &'p InputNames, _inputs: &[Input]) -> Option<Unknowns<'p>> {
        None
    }
    pub(crate) fn input(
        &mut self,
        _names: &ProcessNames,
        _process: Pid,
        _number: u32,
        _bounds: Option<(i32, i32)>,
    ) -> Value {
        todo!("{:?}", self.names)
    }
    pub(crate) fn binary(&self, _operator: Operator, _left: Value, _right: Value) -> Value {
        todo!()
    }
    pub(crate) fn compare(&self, _o: Operator, _l: Value, _r: Value) -> Result<bool, Term> {
        todo!()
    }
    pub(crate) fn choose(&self, _condition: Term, _yes: Value, _no: Value) -> Value {
        todo!()
    }
    pub(crate) fn negation(&self, _condition: Term) -> Term {
        todo!()
    }
    pub(crate) fn holds(&self, _condition: Term) -> bool {
        todo!()
    }
    pub(crate) fn feasible(&mut self, _condition: Term) -> Feasible {
        todo!()
    }
    pub(crate) fn assume(&mut self, _condition: Term) {
        todo!()
    }
    pub(crate) fn mark(&mut self) -> u64 {
        todo!()
    }
    pub(crate) fn undo(&mut self, _mark: u64) {
        todo!()
    }
    pub(crate) fn text(&self, _value: Value) -> String {
        todo!()
    }
    pub(crate) fn inputs(&self) -> Vec<Input> {
        todo!()
    }
    pub(crate) fn solutions(&self) -> Vec<Solution> {
        todo!()
    }
    pub(crate) fn under(&self, _solution: &Solution, _value: Value) -> Value {
        todo!()
    }
}
