//! Classes and places that the machine itself refers to.

use crate::field_words::FieldWords;
use crate::world::ClassId;

/// Numbers of well-known classes and words of well-known fields, filled in when the machine starts.
#[derive(Debug, Default)]
pub struct KnownClasses {
    /// `java.lang.Object`.
    pub object: ClassId,
    /// `java.lang.String`.
    pub string: ClassId,
    /// `java.lang.Throwable`.
    pub throwable: ClassId,
    /// `byte[]`.
    pub byte_array: ClassId,
    /// `long[]`.
    pub long_array: ClassId,
    /// Primitive types, in the order of [`Type`](crate::classfile::Type).
    pub primitives: [ClassId; 9],
    /// `void`.
    pub void: ClassId,
    /// Word of `String.value`; 0 until strings can be made.
    pub string_value: u32,
    /// Word of `String.coder`.
    pub string_coder: u32,
    /// Word of a mirror with the class's number.
    pub mirror_class: u32,
    /// Word of a mirror with the class's initialisation state.
    pub mirror_state: u32,
    /// Word of a mirror with the set of threads that have seen the class initialised.
    pub mirror_seen: u32,
    /// Words of a mirror before the static fields.
    pub mirror_words: u32,
    /// Classes loaded before `java.lang.Class`, with the number of their static fields.
    pub without_mirror: Vec<(ClassId, u32)>,
    /// Classes loaded before `java.lang.String`, with constants of that type.
    pub without_strings: Vec<ClassId>,
    /// Word of `java.lang.Thread` with the thread's number plus one.
    pub thread_number: u32,
    /// Words of other fields, once they were needed.
    pub field_words: FieldWords,
}
