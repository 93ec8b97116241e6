//! The attributes that the machine needs; all others are skipped.

use std::ops::Range;

use super::pool::{Constant, ConstantPool};
use super::reader::Reader;
use crate::error::ClassFileError;

/// The code of a method: where its parts lie in the file.
#[derive(Debug, Clone)]
pub struct CodeAttribute {
    /// Words of operand stack, as the file claims.
    pub max_stack: u16,
    /// Slots of local variables, as the file claims.
    pub max_locals: u16,
    /// The byte code.
    pub code: Range<usize>,
    /// Exception handlers, innermost first.
    pub handlers: Vec<HandlerEntry>,
    /// Tables of byte code offsets and lines.
    pub lines: Vec<Range<usize>>,
    /// Tables of names of local variables.
    pub locals: Vec<Range<usize>>,
}

/// An entry of an exception table, in byte code offsets.
#[derive(Debug, Clone, Copy)]
pub struct HandlerEntry {
    /// First protected offset.
    pub start: u16,
    /// First offset no longer protected.
    pub end: u16,
    /// Where the handler starts.
    pub handler: u16,
    /// Class constant of what is caught; 0 catches everything.
    pub catch: u16,
}

/// A named local variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalVariable {
    /// First offset at which it is valid.
    pub start: u16,
    /// Length of the range.
    pub length: u16,
    /// Its name.
    pub name: String,
    /// Its type, as class files write it.
    pub descriptor: String,
    /// Its slot.
    pub slot: u16,
}

/// A bootstrap method of dynamic call sites.
#[derive(Debug, Clone)]
pub struct BootstrapMethod {
    /// Method handle constant.
    pub method: u16,
    /// Constants passed to it.
    pub arguments: Vec<u16>,
}

/// An entry of the table of inner classes.
#[derive(Debug, Clone)]
pub struct InnerClass {
    /// The inner class.
    pub inner: String,
    /// The class it is a member of, if it is one.
    pub outer: Option<String>,
    /// Its simple name; `None` if anonymous.
    pub name: Option<String>,
    /// Its access flags as declared.
    pub access: u16,
}

/// Calls a function with the name and the content of every attribute in a table.
pub(super) fn each(
    bytes: &[u8],
    pool: &ConstantPool,
    reader: &mut Reader<'_>,
    mut visit: impl FnMut(&str, Range<usize>) -> Result<(), ClassFileError>,
) -> Result<(), ClassFileError> {
    for _ in 0..reader.u16()? {
        let name = reader.u16()?;
        let Some(name) = pool.text_range(name) else {
            return Err(reader.malformed("an attribute has no name"));
        };
        let length = reader.u32()?;
        let content = reader.take(length as usize)?;
        let name = bytes.get(name).unwrap_or_default();
        visit(std::str::from_utf8(name).unwrap_or_default(), content)?;
    }
    Ok(())
}

impl CodeAttribute {
    pub(super) fn parse(
        bytes: &[u8],
        pool: &ConstantPool,
        range: &Range<usize>,
    ) -> Result<CodeAttribute, ClassFileError> {
        let mut reader = Reader::part(bytes, range);
        let (max_stack, max_locals) = (reader.u16()?, reader.u16()?);
        let length = reader.u32()?;
        if length == 0 || length > 0xFFFF {
            return Err(reader.malformed(format!("a method has {length} bytes of code")));
        }
        let code = reader.take(length as usize)?;
        let count = reader.u16()?;
        let mut handlers = Vec::with_capacity(usize::from(count).min(1024));
        for _ in 0..count {
            let entry = HandlerEntry {
                start: reader.u16()?,
                end: reader.u16()?,
                handler: reader.u16()?,
                catch: reader.u16()?,
            };
            let ordered = entry.start < entry.end && u32::from(entry.end) <= length;
            let caught = entry.catch == 0 || matches!(pool.get(entry.catch), Constant::Class(_));
            if !ordered || !caught || u32::from(entry.handler) >= length {
                return Err(reader.malformed("an exception handler is out of range"));
            }
            handlers.push(entry);
        }
        let (mut lines, mut locals) = (Vec::new(), Vec::new());
        each(bytes, pool, &mut reader, |name, range| {
            match name {
                "LineNumberTable" => lines.push(range),
                "LocalVariableTable" => locals.push(range),
                _ => {}
            }
            Ok(())
        })?;
        expect_end(&reader, "Code")?;
        for range in &lines {
            check_table(bytes, range, 4)?;
        }
        for range in &locals {
            check_table(bytes, range, 10)?;
        }
        Ok(CodeAttribute { max_stack, max_locals, code, handlers, lines, locals })
    }

    /// Byte code offsets and the lines that start there.
    pub fn line_table(&self, bytes: &[u8]) -> Vec<(u16, u16)> {
        let mut table = Vec::new();
        for range in &self.lines {
            let mut reader = Reader::part(bytes, range);
            let count = reader.u16().unwrap_or(0);
            for _ in 0..count {
                let (Ok(start), Ok(line)) = (reader.u16(), reader.u16()) else { break };
                table.push((start, line));
            }
        }
        table.sort_unstable();
        table
    }

    /// The names of local variables.
    pub fn local_table(&self, bytes: &[u8], pool: &ConstantPool) -> Vec<LocalVariable> {
        let mut table = Vec::new();
        for range in &self.locals {
            let mut reader = Reader::part(bytes, range);
            let count = reader.u16().unwrap_or(0);
            for _ in 0..count {
                let (Ok(start), Ok(length), Ok(name), Ok(descriptor), Ok(slot)) =
                    (reader.u16(), reader.u16(), reader.u16(), reader.u16(), reader.u16())
                else {
                    break;
                };
                let texts = (pool.text(bytes, name), pool.text(bytes, descriptor));
                if let (Some(name), Some(descriptor)) = texts {
                    table.push(LocalVariable { start, length, name, descriptor, slot });
                }
            }
        }
        table
    }
}

/// Checks that an attribute was read to its end.
pub(super) fn expect_end(reader: &Reader<'_>, name: &str) -> Result<(), ClassFileError> {
    if reader.is_done() {
        Ok(())
    } else {
        Err(reader.malformed(format!("attribute {name} is longer than its content")))
    }
}

fn check_table(bytes: &[u8], range: &Range<usize>, entry: usize) -> Result<(), ClassFileError> {
    let mut reader = Reader::part(bytes, range);
    let count = usize::from(reader.u16()?);
    reader.take(count * entry)?;
    expect_end(&reader, "of a table")
}
