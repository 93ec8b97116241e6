//! Class files under another name, for hidden classes.
//!
//! A hidden class has a name that its own file does not know. Its references to itself must still lead to
//! it, so the entry of the constant pool for the class itself gets the other name, as a text that is added
//! at the end of the pool; texts that others share stay as they are.

use super::reader::Reader;
use super::{Constant, ConstantPool};
use crate::error::ClassFileError;

/// Where the number of constants is in a class file.
const COUNT: usize = 8;

/// A class file whose class has its name followed by a suffix.
pub(crate) fn with_suffix(bytes: &[u8], suffix: &str) -> Result<Vec<u8>, ClassFileError> {
    let mut reader = Reader::new(bytes);
    reader.take(COUNT)?;
    let pool = ConstantPool::parse(&mut reader)?;
    let end = reader.offset();
    reader.u16()?;
    let own = reader.u16()?;
    let malformed = |what: &str| ClassFileError::Malformed { offset: end, what: what.to_string() };
    let Constant::Class(name) = pool.get(own) else {
        return Err(malformed("a class file without a class"));
    };
    let Constant::Text(start, length) = pool.get(name) else {
        return Err(malformed("a class without a name"));
    };
    let name = &bytes[start as usize..start as usize + usize::from(length)];
    let count = u16::from_be_bytes([bytes[COUNT], bytes[COUNT + 1]]);
    let length = u16::try_from(name.len() + suffix.len());
    let (Some(more), Ok(length)) = (count.checked_add(1), length) else {
        return Err(malformed("a constant pool without room for a name"));
    };
    let place = place_of(bytes, own)?;
    let mut made = bytes[..end].to_vec();
    made[COUNT..COUNT + 2].copy_from_slice(&more.to_be_bytes());
    made[place + 1..place + 3].copy_from_slice(&count.to_be_bytes());
    made.push(1);
    made.extend_from_slice(&length.to_be_bytes());
    made.extend_from_slice(name);
    made.extend_from_slice(suffix.as_bytes());
    made.extend_from_slice(&bytes[end..]);
    Ok(made)
}

/// Where an entry of the constant pool begins.
fn place_of(bytes: &[u8], wanted: u16) -> Result<usize, ClassFileError> {
    let mut reader = Reader::new(bytes);
    reader.take(COUNT + 2)?;
    let mut index = 1;
    while index < wanted {
        let constant = ConstantPool::parse_constant(&mut reader)?;
        index += if matches!(constant, Constant::Long(_) | Constant::Double(_)) { 2 } else { 1 };
    }
    Ok(reader.offset())
}
