//! A bounds-checked cursor over the bytes of a class file.

use std::ops::Range;

use crate::error::ClassFileError;

/// Reads big-endian numbers; running past the end is an error.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Reader<'a> {
    /// A reader of everything.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0, end: bytes.len() }
    }

    /// A reader of a part; offsets stay those of the whole.
    pub fn part(bytes: &'a [u8], range: &Range<usize>) -> Reader<'a> {
        Reader { bytes, at: range.start, end: range.end.min(bytes.len()) }
    }

    /// The offset of the next byte.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Whether everything was read.
    pub fn is_done(&self) -> bool {
        self.at >= self.end
    }

    /// Takes a number of bytes and returns their range.
    pub fn take(&mut self, count: usize) -> Result<Range<usize>, ClassFileError> {
        let start = self.at;
        match start.checked_add(count) {
            Some(end) if end <= self.end => {
                self.at = end;
                Ok(start..end)
            }
            _ => Err(ClassFileError::Truncated { offset: self.end }),
        }
    }

    /// Everything that was not read yet.
    pub fn rest(&mut self) -> Range<usize> {
        let range = self.at.min(self.end)..self.end;
        self.at = self.end;
        range
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ClassFileError> {
        let range = self.take(N)?;
        let mut array = [0; N];
        array.copy_from_slice(&self.bytes[range]);
        Ok(array)
    }

    /// An unsigned byte.
    pub fn u8(&mut self) -> Result<u8, ClassFileError> {
        Ok(self.array::<1>()?[0])
    }

    /// An unsigned 16-bit number.
    pub fn u16(&mut self) -> Result<u16, ClassFileError> {
        Ok(u16::from_be_bytes(self.array()?))
    }

    /// An unsigned 32-bit number.
    pub fn u32(&mut self) -> Result<u32, ClassFileError> {
        Ok(u32::from_be_bytes(self.array()?))
    }

    /// An unsigned 64-bit number.
    pub fn u64(&mut self) -> Result<u64, ClassFileError> {
        Ok(u64::from_be_bytes(self.array()?))
    }

    /// An error at the current place.
    pub fn malformed(&self, what: impl Into<String>) -> ClassFileError {
        ClassFileError::Malformed { offset: self.at, what: what.into() }
    }
}
