//! Methods as the machine uses them.

use smallvec::SmallVec;

use super::{ClassId, Symbol};
use crate::classfile::{MethodDescriptor, Type, access};
use crate::code::Code;
use crate::natives::Native;

/// A loaded method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MethodId(pub u32);

/// How a method is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodEntry {
    /// Its byte code is not decoded yet.
    Undecoded,
    /// By pushing a frame.
    Code,
    /// By locking and pushing a frame.
    Synchronized,
    /// By calling the machine's own function.
    Native,
    /// Not at all.
    Abstract,
}

/// What a method stops at before it accesses memory that threads share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// At everything.
    Visible,
    /// At what its caller stops at.
    AsCaller,
    /// Not at the library's own caches.
    Hidden,
}

/// A method.
#[derive(Debug)]
pub struct Method {
    /// How it is entered.
    pub entry: MethodEntry,
    /// What it stops at.
    pub visibility: Visibility,
    /// Whether it gets numbers in place of unknown arguments.
    pub concretises: bool,
    /// Words of arguments, receiver included.
    pub arguments: u16,
    /// Access flags.
    pub access: u16,
    /// Its class.
    pub class: ClassId,
    /// Its decoded code.
    pub code: Code,
    /// Its name.
    pub name: Symbol,
    /// Its descriptor.
    pub descriptor: Symbol,
    /// Its parsed descriptor.
    pub types: MethodDescriptor,
    /// Its place in the class's method table; `u32::MAX` if it has none.
    pub vtable: u32,
    /// Its number in the class file; `u16::MAX` if the machine made it.
    pub number: u16,
    /// The machine's own implementation.
    pub native: Option<&'static Native>,
}

impl Method {
    /// A static method of the machine's own, without arguments or a result.
    pub fn own(class: ClassId, name: Symbol, descriptor: Symbol, code: Code) -> Method {
        Method {
            entry: MethodEntry::Code,
            visibility: Visibility::AsCaller,
            concretises: false,
            arguments: 0,
            access: access::STATIC,
            class,
            code,
            name,
            descriptor,
            types: MethodDescriptor { parameters: SmallVec::new(), result: None },
            vtable: u32::MAX,
            number: u16::MAX,
            native: None,
        }
    }

    /// Whether it has no receiver.
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }

    /// Whether it locks its receiver or class.
    pub fn is_synchronized(&self) -> bool {
        self.access & access::SYNCHRONIZED != 0
    }

    /// Words of a whole frame.
    pub fn frame_words(&self) -> usize {
        self.code.local_words as usize
            + crate::memory::FRAME_HEADER_WORDS
            + self.code.stack_words as usize
    }
}

/// A call site of `MethodHandle.invoke*` or of an access method of `VarHandle`.
#[derive(Debug, Clone)]
pub struct CallSite {
    /// The access mode, for variable handles.
    pub mode: u32,
    /// Types of the arguments after the handle.
    pub parameters: SmallVec<[Type; 8]>,
    /// Type of the result.
    pub result: Option<Type>,
    /// The descriptor.
    pub descriptor: Symbol,
}

/// How a string concatenation is put together.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// Its parts in order.
    pub parts: Vec<RecipePart>,
}

/// A part of a string concatenation.
#[derive(Debug, Clone)]
pub enum RecipePart {
    /// Fixed text, as UTF-16.
    Text(Vec<u16>),
    /// The next argument, of this type; references are strings.
    Argument(Type),
}

/// A label of a type switch.
#[derive(Debug, Clone)]
pub enum SwitchLabel {
    /// Instances of a class.
    Class(ClassId),
    /// A string with this content.
    Text(Vec<u16>),
    /// An integer, character, byte or short with this value.
    Integer(i32),
    /// The constant of this name of an enumeration.
    Enum(ClassId, Vec<u16>),
    /// A class that cannot be loaded: nothing matches.
    Never,
}
