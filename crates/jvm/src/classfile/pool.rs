//! The constant pool: a flat table whose cross-references are checked once.

use std::ops::Range;

use super::reader::Reader;
use super::text;
use crate::error::ClassFileError;

/// An entry of the constant pool. Numbers are indices into the pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    /// Index 0, and the second half of a wide constant.
    Unused,
    /// Text in modified UTF-8: start and length in the file.
    Text(u32, u16),
    /// An `int`.
    Integer(i32),
    /// A `float`, as its bits.
    Float(u32),
    /// A `long`.
    Long(i64),
    /// A `double`, as its bits.
    Double(u64),
    /// A class, by its name.
    Class(u16),
    /// A string, by its text.
    String(u16),
    /// A field: class, name and type.
    Field(u16, u16),
    /// A method of a class: class, name and type.
    Method(u16, u16),
    /// A method of an interface: class, name and type.
    InterfaceMethod(u16, u16),
    /// A name and a descriptor.
    NameAndType(u16, u16),
    /// A method handle: kind and member.
    MethodHandle(u8, u16),
    /// A method type, by its descriptor.
    MethodType(u16),
    /// A computed constant: bootstrap method, name and type.
    Dynamic(u16, u16),
    /// A dynamic call site: bootstrap method, name and type.
    InvokeDynamic(u16, u16),
    /// A package, by its name.
    Package(u16),
    /// A module, which the machine does not use.
    Other,
}

/// A field or method that an instruction refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberRef {
    /// The class named in the reference.
    pub class: String,
    /// The member's name.
    pub name: String,
    /// The member's descriptor.
    pub descriptor: String,
    /// Whether the reference is to an interface's method.
    pub interface: bool,
}

/// The constant pool of a class file.
#[derive(Debug, Default)]
pub struct ConstantPool {
    constants: Vec<Constant>,
}

impl ConstantPool {
    pub(super) fn parse(reader: &mut Reader<'_>) -> Result<ConstantPool, ClassFileError> {
        let count = usize::from(reader.u16()?);
        if count == 0 {
            return Err(reader.malformed("the constant pool has no entries"));
        }
        let mut constants = Vec::with_capacity(count);
        constants.push(Constant::Unused);
        while constants.len() < count {
            let constant = ConstantPool::parse_constant(reader)?;
            constants.push(constant);
            if matches!(constant, Constant::Long(_) | Constant::Double(_)) {
                if constants.len() == count {
                    return Err(
                        reader.malformed("a wide constant overlaps the end of the constant pool")
                    );
                }
                constants.push(Constant::Unused);
            }
        }
        Ok(ConstantPool { constants })
    }

    pub(super) fn parse_constant(reader: &mut Reader<'_>) -> Result<Constant, ClassFileError> {
        let start = reader.offset();
        Ok(match reader.u8()? {
            1 => {
                let length = reader.u16()?;
                let range = reader.take(usize::from(length))?;
                Constant::Text(range.start as u32, length)
            }
            3 => Constant::Integer(reader.u32()? as i32),
            4 => Constant::Float(reader.u32()?),
            5 => Constant::Long(reader.u64()? as i64),
            6 => Constant::Double(reader.u64()?),
            7 => Constant::Class(reader.u16()?),
            8 => Constant::String(reader.u16()?),
            9 => Constant::Field(reader.u16()?, reader.u16()?),
            10 => Constant::Method(reader.u16()?, reader.u16()?),
            11 => Constant::InterfaceMethod(reader.u16()?, reader.u16()?),
            12 => Constant::NameAndType(reader.u16()?, reader.u16()?),
            15 => Constant::MethodHandle(reader.u8()?, reader.u16()?),
            16 => Constant::MethodType(reader.u16()?),
            17 => Constant::Dynamic(reader.u16()?, reader.u16()?),
            18 => Constant::InvokeDynamic(reader.u16()?, reader.u16()?),
            19 => {
                reader.u16()?;
                Constant::Other
            }
            20 => Constant::Package(reader.u16()?),
            tag => {
                let what = format!("unknown constant tag {tag}");
                return Err(ClassFileError::Malformed { offset: start, what });
            }
        })
    }

    /// Checks that every entry refers to entries of the right sort.
    pub(super) fn check(&self, bytes: &[u8]) -> Result<(), ClassFileError> {
        for (index, constant) in self.constants.iter().enumerate() {
            if !self.is_sound(*constant, bytes) {
                let what = format!("constant {index} is malformed: {constant:?}");
                return Err(ClassFileError::Malformed { offset: 8, what });
            }
        }
        Ok(())
    }

    fn is_sound(&self, constant: Constant, bytes: &[u8]) -> bool {
        let is_text = |index| matches!(self.get(index), Constant::Text(..));
        let is_class = |index| matches!(self.get(index), Constant::Class(_));
        let is_pair = |index| matches!(self.get(index), Constant::NameAndType(..));
        match constant {
            Constant::Text(start, length) => {
                let range = start as usize..start as usize + usize::from(length);
                bytes.get(range).is_some_and(|bytes| text::units(bytes).is_some())
            }
            Constant::Class(name) | Constant::String(name) | Constant::MethodType(name) => {
                is_text(name)
            }
            Constant::Field(class, pair)
            | Constant::Method(class, pair)
            | Constant::InterfaceMethod(class, pair) => is_class(class) && is_pair(pair),
            Constant::NameAndType(name, descriptor) => is_text(name) && is_text(descriptor),
            Constant::MethodHandle(kind, member) => match kind {
                1..=4 => matches!(self.get(member), Constant::Field(..)),
                5..=9 => {
                    matches!(self.get(member), Constant::Method(..) | Constant::InterfaceMethod(..))
                }
                _ => false,
            },
            Constant::Dynamic(_, pair) | Constant::InvokeDynamic(_, pair) => is_pair(pair),
            _ => true,
        }
    }

    /// The entry at an index; an index beyond the pool is `Unused`.
    pub fn get(&self, index: u16) -> Constant {
        self.constants.get(usize::from(index)).copied().unwrap_or(Constant::Unused)
    }

    /// Number of entries, the unused first one included.
    pub fn count(&self) -> usize {
        self.constants.len()
    }

    /// The place of a text in the file.
    pub fn text_range(&self, index: u16) -> Option<Range<usize>> {
        match self.get(index) {
            Constant::Text(start, length) => {
                Some(start as usize..start as usize + usize::from(length))
            }
            _ => None,
        }
    }

    /// A text.
    pub fn text(&self, bytes: &[u8], index: u16) -> Option<String> {
        text::string(bytes.get(self.text_range(index)?)?)
    }

    /// The name of a class constant.
    pub fn class_name(&self, bytes: &[u8], index: u16) -> Option<String> {
        match self.get(index) {
            Constant::Class(name) => self.text(bytes, name),
            _ => None,
        }
    }

    /// The name of a package constant.
    pub fn package_name(&self, bytes: &[u8], index: u16) -> Option<String> {
        match self.get(index) {
            Constant::Package(name) => self.text(bytes, name),
            _ => None,
        }
    }

    /// The two texts of a name-and-type constant.
    pub fn name_and_type(&self, bytes: &[u8], index: u16) -> Option<(String, String)> {
        match self.get(index) {
            Constant::NameAndType(name, descriptor) => {
                Some((self.text(bytes, name)?, self.text(bytes, descriptor)?))
            }
            _ => None,
        }
    }

    /// The descriptor of a field, method or dynamic constant.
    pub fn descriptor(&self, bytes: &[u8], index: u16) -> Option<String> {
        let (Constant::Field(_, pair)
        | Constant::Method(_, pair)
        | Constant::InterfaceMethod(_, pair)
        | Constant::Dynamic(_, pair)
        | Constant::InvokeDynamic(_, pair)) = self.get(index)
        else {
            return None;
        };
        match self.get(pair) {
            Constant::NameAndType(_, descriptor) => self.text(bytes, descriptor),
            _ => None,
        }
    }

    /// A field or method constant.
    pub fn member(&self, bytes: &[u8], index: u16) -> Option<MemberRef> {
        let (class, pair, interface) = match self.get(index) {
            Constant::Field(class, pair) | Constant::Method(class, pair) => (class, pair, false),
            Constant::InterfaceMethod(class, pair) => (class, pair, true),
            _ => return None,
        };
        let (name, descriptor) = self.name_and_type(bytes, pair)?;
        Some(MemberRef { class: self.class_name(bytes, class)?, name, descriptor, interface })
    }
}
