//! Sources of inputs: the methods of `counterpoint.Input`, and the static methods that the user
//! declares to be such sources.

use super::{Effect, Native, noticed};
use crate::classfile::Type;
use crate::load::INPUT_CLASS as CLASS;

pub(super) static NATIVES: &[Native] = &[
    noticed(CLASS, "anyInt", "()I", Effect::Input),
    noticed(CLASS, "anyLong", "()J", Effect::Input),
    noticed(CLASS, "anyBoolean", "()Z", Effect::Input),
    noticed(CLASS, "anyChar", "()C", Effect::Input),
    noticed(CLASS, "anyByte", "()B", Effect::Input),
    noticed(CLASS, "anyShort", "()S", Effect::Input),
    noticed(CLASS, "choose", "(I)I", Effect::Input),
];

/// What runs in place of a method that is declared a source and has a result of this type.
pub(crate) fn source(result: Type) -> Option<&'static Native> {
    let name = match result {
        Type::Int => "anyInt",
        Type::Long => "anyLong",
        Type::Boolean => "anyBoolean",
        Type::Char => "anyChar",
        Type::Byte => "anyByte",
        Type::Short => "anyShort",
        Type::Float | Type::Double | Type::Reference => return None,
    };
    NATIVES.iter().find(|row| row.name == name)
}
