//! Classes as the machine uses them.

use rustc_hash::FxHashMap;

use super::{MethodId, Symbol};
use crate::classfile::{ClassFile, Type, access};
use crate::load::Origin;
use crate::memory::Reference;

/// A loaded class.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u32);

/// What sort of class it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassKind {
    /// A class or interface with a class file, or made by the machine.
    Instance,
    /// An array of the given element class.
    Array(ClassId, Type),
    /// A primitive type; `None` is `void`.
    Primitive(Option<Type>),
}

/// When and how a class is initialised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InitPolicy {
    /// Initialised once for all executions, or nothing to do.
    Done,
    /// Of the JDK: initialised on first use, at once and for all executions.
    Permanent,
    /// Of the program: initialised anew in every execution, as the language specification says.
    PerExecution,
}

/// A declared field.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its name.
    pub name: Symbol,
    /// Its descriptor.
    pub descriptor: Symbol,
    /// Its access flags.
    pub access: u16,
    /// Its type.
    pub kind: Type,
    /// Its word in the object, or in the class's mirror if static.
    pub word: u32,
    /// Whether accesses to it are never visible operations.
    pub hidden: bool,
    /// Whether nobody can tell when it was written: it is final, or listed as such.
    pub constant: bool,
    /// If static: the flag of what hangs on it, by which accesses to it are visible or not.
    pub flag: u64,
    /// Whether methods that are operations on a future or task use it silently: see
    /// `interpret/completion.rs` and `interpret/fork_join.rs`.
    pub silent: bool,
}

impl Field {
    /// Whether it belongs to the class.
    pub fn is_static(&self) -> bool {
        self.access & access::STATIC != 0
    }

    /// Whether it is final.
    pub fn is_final(&self) -> bool {
        self.access & access::FINAL != 0
    }

    /// Whether it is volatile.
    pub fn is_volatile(&self) -> bool {
        self.access & access::VOLATILE != 0
    }
}

/// A class, interface, array type or primitive type.
#[derive(Debug)]
pub struct Class {
    /// Its name as in class files; arrays have their descriptor.
    pub name: Symbol,
    /// What sort of class it is.
    pub kind: ClassKind,
    /// Access flags.
    pub access: u16,
    /// Whose it is.
    pub origin: Origin,
    /// The superclass.
    pub superclass: Option<ClassId>,
    /// Directly implemented interfaces.
    pub interfaces: Vec<ClassId>,
    /// All superclasses from `Object` down to the class itself.
    pub ancestors: Vec<ClassId>,
    /// All interfaces, sorted.
    pub all_interfaces: Vec<ClassId>,
    /// Declared fields.
    pub fields: Vec<Field>,
    /// Declared methods.
    pub methods: Vec<MethodId>,
    /// Declared methods by name and descriptor.
    pub method_index: FxHashMap<(Symbol, Symbol), MethodId>,
    /// Virtual method table.
    pub vtable: Vec<MethodId>,
    /// Implementations of interface methods found so far.
    pub implementations: FxHashMap<MethodId, MethodId>,
    /// Words of an instance, header included.
    pub instance_words: u32,
    /// Words of an instance that hold references, hidden fields excepted: publishing an instance
    /// publishes what they refer to.
    pub reference_words: Vec<u32>,
    /// Whether a constructor, or one of a class above, may hand out the object that it is making.
    pub lets_this_escape: bool,
    /// Words of an instance whose objects belong to it alone, if it is inside of something.
    pub owned_words: Vec<u32>,
    /// The flag of instances that the program publishes.
    pub instance_flag: u64,
    /// Words of the mirror that hold static references.
    pub static_references: Vec<u32>,
    /// The `java.lang.Class`, which also holds the static fields.
    pub mirror: Reference,
    /// The array class with this element, if loaded.
    pub array: Option<ClassId>,
    /// The class initialiser.
    pub initializer: Option<MethodId>,
    /// How it is initialised.
    pub policy: InitPolicy,
    /// The class file.
    pub file: Option<Box<ClassFile>>,
}

impl Class {
    /// Whether it is an interface.
    pub fn is_interface(&self) -> bool {
        self.access & access::INTERFACE != 0
    }

    /// Whether instances cannot be made.
    pub fn is_abstract(&self) -> bool {
        self.access & access::ABSTRACT != 0
    }

    /// The element type of an array class.
    pub fn element(&self) -> Option<(ClassId, Type)> {
        match self.kind {
            ClassKind::Array(class, kind) => Some((class, kind)),
            _ => None,
        }
    }
}
