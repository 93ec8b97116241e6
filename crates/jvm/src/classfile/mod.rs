//! Class files as they are on disk: parsed, checked and kept for later decoding.
//!
//! The parser is our own. A general library hands out rich trees of every attribute and
//! instruction; the machine wants the constant pool as a flat table that instructions can index,
//! methods decoded only when first called (most of the JDK's never are), string constants in
//! Java's own encoding, and a bound on the work that a damaged file can cause. All
//! cross-references of the constant pool are checked once here, so that later look-ups need not
//! fail.

mod attributes;
pub(crate) mod descriptor;
mod module;
mod parse;
mod pool;
mod reader;
mod rename;
pub(crate) mod text;

pub use attributes::{BootstrapMethod, CodeAttribute, InnerClass, LocalVariable};
pub use descriptor::{Kind, MethodDescriptor, Type};
pub(crate) use module::Module;
pub use pool::{Constant, ConstantPool, MemberRef};
pub(crate) use rename::with_suffix;

use std::ops::Range;

/// Access flags of classes, fields and methods, as numbers of the class file format.
pub mod access {
    /// Visible everywhere.
    pub const PUBLIC: u16 = 0x0001;
    /// Visible in its own class.
    pub const PRIVATE: u16 = 0x0002;
    /// Visible in its package and in subclasses.
    pub const PROTECTED: u16 = 0x0004;
    /// Belongs to the class and not to instances.
    pub const STATIC: u16 = 0x0008;
    /// Cannot be overridden or assigned again.
    pub const FINAL: u16 = 0x0010;
    /// A method that locks its object.
    pub const SYNCHRONIZED: u16 = 0x0020;
    /// A field with volatile accesses.
    pub const VOLATILE: u16 = 0x0040;
    /// A method without byte code.
    pub const NATIVE: u16 = 0x0100;
    /// An interface.
    pub const INTERFACE: u16 = 0x0200;
    /// A method or class without implementation.
    pub const ABSTRACT: u16 = 0x0400;
    /// Made by the compiler.
    pub const SYNTHETIC: u16 = 0x1000;
    /// Of methods: the last argument is an array of any number of arguments.
    pub const VARARGS: u16 = 0x0080;
    /// An enumeration or one of its constants.
    pub const ENUM: u16 = 0x4000;
}

/// A parsed class file.
#[derive(Debug)]
pub struct ClassFile {
    pub(crate) bytes: Box<[u8]>,
    pub(crate) pool: ConstantPool,
    pub(crate) access: u16,
    pub(crate) name: String,
    pub(crate) super_name: Option<String>,
    pub(crate) interfaces: Vec<String>,
    pub(crate) fields: Vec<FieldInfo>,
    pub(crate) methods: Vec<MethodInfo>,
    pub(crate) bootstraps: Vec<BootstrapMethod>,
    pub(crate) inner_classes: Vec<InnerClass>,
    pub(crate) source_file: Option<String>,
    pub(crate) signature: Option<String>,
    /// The components of a record; `None` for other classes.
    pub(crate) record: Option<Vec<RecordComponent>>,
    pub(crate) annotations: Option<Range<usize>>,
    pub(crate) enclosing_method: Option<EnclosingMethod>,
    pub(crate) nest_host: Option<String>,
    pub(crate) permitted: Vec<String>,
}

/// A field of a class file.
#[derive(Debug)]
pub struct FieldInfo {
    pub(crate) access: u16,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) constant: Option<u16>,
    pub(crate) signature: Option<String>,
    pub(crate) annotations: Option<Range<usize>>,
}

/// A component of a record.
#[derive(Debug, Clone)]
pub struct RecordComponent {
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) signature: Option<String>,
    pub(crate) annotations: Option<Range<usize>>,
}

/// Where a local or anonymous class is declared.
#[derive(Debug, Clone)]
pub struct EnclosingMethod {
    pub(crate) class: String,
    /// Name and descriptor of the method, unless the class is in an initialiser.
    pub(crate) method: Option<(String, String)>,
}

/// A method of a class file.
#[derive(Debug)]
pub struct MethodInfo {
    pub(crate) access: u16,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) code: Option<CodeAttribute>,
    pub(crate) exceptions: Vec<u16>,
    pub(crate) signature: Option<String>,
    pub(crate) annotations: Option<Range<usize>>,
    pub(crate) parameter_annotations: Option<Range<usize>>,
    /// Names and access flags of the parameters, if the compiler was asked to keep them.
    pub(crate) parameters: Option<Range<usize>>,
    /// The default value of an element of an annotation.
    pub(crate) default: Option<Range<usize>>,
}

impl ClassFile {
    /// The class's own name, as in class files (`a/b/C`).
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its methods.
    pub fn methods(&self) -> &[MethodInfo] {
        &self.methods
    }

    pub(crate) fn slice(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }

    /// Whether the class declares `public static void main(String[])`.
    pub fn has_main(&self) -> bool {
        let wanted = access::PUBLIC | access::STATIC;
        self.methods.iter().any(|method| {
            method.name == "main"
                && method.descriptor == "([Ljava/lang/String;)V"
                && method.access & wanted == wanted
        })
    }
}

impl MethodInfo {
    /// Name and descriptor, for messages.
    pub fn signature(&self) -> String {
        format!("{}{}", self.name, self.descriptor)
    }
}
