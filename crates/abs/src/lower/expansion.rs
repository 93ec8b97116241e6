//! What an expanded partial function knows: its function parameters, and what they have captured.

use std::sync::Arc;

use crate::check::tables::{ModuleId, Signature};
use crate::program::{FunctionId, Operand, Type};
use crate::source::Span;
use crate::syntax::tree::{Expression, Parameter};

use super::bindings::Bindings;
use super::calls::Callee;
use super::environment::{Members, VisibleVariable};

/// What names mean inside an expanded partial function.
#[derive(Clone)]
pub(super) struct Expansion<'a> {
    /// The partial function, by its index in the tables.
    pub(super) partial: usize,
    pub(super) name: Arc<str>,
    /// The function that the expansion is.
    pub(super) function: FunctionId,
    pub(super) signature: Signature,
    /// What its function parameters stand for.
    pub(super) bound: Vec<(Arc<str>, Bound<'a>)>,
    /// The arguments that recursive calls pass on.
    pub(super) captured: Vec<Operand>,
}

/// What a function parameter stands for.
#[derive(Clone)]
pub(super) enum Bound<'a> {
    Named(Callee),
    Anonymous(Box<Anonymous<'a>>),
}

/// An anonymous function and what it sees.
#[derive(Clone)]
pub(super) struct Anonymous<'a> {
    pub(super) parameters: &'a [Parameter],
    pub(super) body: &'a Expression,
    pub(super) span: Span,
    pub(super) module: ModuleId,
    pub(super) type_parameters: Vec<Arc<str>>,
    pub(super) type_arguments: Vec<Type>,
    pub(super) bindings: Vec<VisibleVariable>,
    pub(super) fields: Vec<VisibleVariable>,
    pub(super) this: Option<(Operand, Type)>,
    /// What names of functions mean where it is written.
    pub(super) expansion: Option<Expansion<'a>>,
    /// The partial functions that are being expanded where it is written.
    pub(super) expanding: Vec<usize>,
}

impl<'a> Expansion<'a> {
    /// The same where everything captured is found elsewhere.
    pub(super) fn moved(&self, place: &mut dyn FnMut(Operand, &Type) -> Operand) -> Expansion<'a> {
        Expansion {
            bound: self
                .bound
                .iter()
                .map(|(name, bound)| (name.clone(), bound.moved(place)))
                .collect(),
            captured: self.captured.iter().map(|&operand| place(operand, &Type::Open)).collect(),
            ..self.clone()
        }
    }
}

impl<'a> Bound<'a> {
    pub(super) fn moved(&self, place: &mut dyn FnMut(Operand, &Type) -> Operand) -> Bound<'a> {
        let Bound::Anonymous(anonymous) = self else {
            return self.clone();
        };
        let mut moved = (**anonymous).clone();
        for binding in moved.bindings.iter_mut().chain(&mut moved.fields) {
            binding.operand = place(binding.operand, &binding.value_type);
        }
        moved.this =
            moved.this.map(|(operand, value_type)| (place(operand, &value_type), value_type));
        moved.expansion = moved.expansion.map(|expansion| expansion.moved(place));
        Bound::Anonymous(Box::new(moved))
    }
}

/// What is in scope inside an anonymous function.
pub(super) struct InlineScope<'a> {
    pub(super) module: ModuleId,
    pub(super) type_parameters: Vec<Arc<str>>,
    pub(super) type_arguments: Vec<Type>,
    pub(super) bindings: Bindings,
    pub(super) members: Members,
    pub(super) expansion: Option<Expansion<'a>>,
}
