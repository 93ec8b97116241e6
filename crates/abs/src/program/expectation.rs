//! What must hold in every final state.

use std::sync::Arc;

use super::ids::{ClassId, FieldId, FunctionId, SlotId};
use super::types::Type;

/// A condition on final states, compiled to a function of what it looks at.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// As the user wrote it.
    pub text: Arc<str>,
    /// Its code.
    pub function: FunctionId,
    /// The function's arguments.
    pub inputs: Vec<StatePath>,
}

/// A part of a state, as in `account.owner.name`.
#[derive(Clone, Debug)]
pub struct StatePath {
    /// As the user wrote it.
    pub text: Arc<str>,
    /// Where to begin.
    pub root: StateRoot,
    /// For each field on the way, its number in each class that the object may have.
    pub fields: Vec<Vec<(ClassId, FieldId)>>,
    /// The type of what is there.
    pub value_type: Type,
}

/// Where the way to a part of a state begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateRoot {
    /// A variable of the main block.
    Variable(SlotId),
    /// The object that the machine gives this name, as in `Account 2`.
    Object(Arc<str>),
}
