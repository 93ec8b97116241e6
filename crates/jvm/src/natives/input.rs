//! Sources of inputs: the methods of `counterpoint.Input`, and the static methods that the user
//! declares to be such sources.

use super::{Native, NativeEffect, visible};
use crate::classfile::Type;
use crate::load::INPUT_CLASS as CLASS;

pub(super) static NATIVES: &[Native] = &[
    visible(CLASS, "anyInt", "()I", NativeEffect::Input),
    visible(CLASS, "anyLong", "()J", NativeEffect::Input),
    visible(CLASS, "anyBoolean", "()Z", NativeEffect::Input),
    visible(CLASS, "anyChar", "()C", NativeEffect::Input),
    visible(CLASS, "anyByte", "()B", NativeEffect::Input),
    visible(CLASS, "anyShort", "()S", NativeEffect::Input),
    visible(CLASS, "choose", "(I)I", NativeEffect::Input),
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
