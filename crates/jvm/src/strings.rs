//! Strings: `java.lang.String` objects with the JDK's compact content.
//!
//! A string holds a byte array and a coder: 0 for one byte per character, 1 for two, low byte first.
//! Strings never change once made, so both objects are frozen.

use crate::classfile::text;
use crate::error::{Fault, FaultKind};
use crate::machine::{Machine, Trap};
use crate::memory::{FROZEN, Reference};
use crate::world::ClassId;

impl Machine {
    /// A new string with this text.
    pub(crate) fn new_string(&mut self, text: &str) -> Result<Reference, Trap> {
        if text.is_ascii() {
            return self.string_of_bytes(text.as_bytes(), 0);
        }
        let units: Vec<u16> = text.encode_utf16().collect();
        self.new_string_of(&units)
    }

    /// A new string of UTF-16 units.
    pub(crate) fn new_string_of(&mut self, units: &[u16]) -> Result<Reference, Trap> {
        self.ask_for(2 * units.len() as u64)?;
        if units.iter().all(|unit| *unit < 256) {
            let bytes: Vec<u8> = units.iter().map(|unit| *unit as u8).collect();
            return self.string_of_bytes(&bytes, 0);
        }
        let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        self.string_of_bytes(&bytes, 1)
    }

    fn string_of_bytes(&mut self, bytes: &[u8], coder: u64) -> Result<Reference, Trap> {
        let value = self.new_byte_array(bytes)?;
        self.set_flag(value, FROZEN)?;
        let string = self.new_object(self.known.string)?;
        self.set_flag(string, FROZEN)?;
        self.store(string, self.known.string_value, value.0)?;
        self.store(string, self.known.string_coder, coder)?;
        Ok(string)
    }

    /// The UTF-16 units of a string.
    pub(crate) fn units(&self, string: Reference) -> Result<Vec<u16>, Trap> {
        if string.is_null() {
            return Err(Trap::raise("java/lang/NullPointerException", None));
        }
        if self.class_of(string)? != self.known.string {
            return Err(Fault::invalid("an object that is not a string is used as one").into());
        }
        let value = self.load_reference(string, self.known.string_value)?;
        // The bytes, and a unit for each.
        self.ask_for(3 * u64::from(self.length(value)?))?;
        let bytes = self.byte_array(value)?;
        Ok(match self.load(string, self.known.string_coder)? {
            0 => bytes.iter().map(|byte| u16::from(*byte)).collect(),
            _ => bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect(),
        })
    }

    /// Gives the step up if there is no room for so many bytes outside the heap.
    pub(crate) fn ask_for(&self, bytes: u64) -> Result<(), Fault> {
        if self.options.interrupt.has_room(bytes) {
            Ok(())
        } else {
            Err(FaultKind::INTERRUPTED.into())
        }
    }

    /// The text of a string; unpaired surrogates become replacement characters.
    pub(crate) fn text(&self, string: Reference) -> Result<String, Trap> {
        Ok(String::from_utf16_lossy(&self.units(string)?))
    }

    /// The one string with this content that is the same in all executions.
    pub(crate) fn literal(&mut self, units: &[u16]) -> Result<Reference, Trap> {
        if let Some(known) = self.caches.literals.get(units) {
            return Ok(*known);
        }
        let string = self.permanently(|machine| machine.new_string_of(units))?;
        self.caches.literals.insert(units.into(), string);
        Ok(string)
    }

    /// The literal of a text.
    pub(crate) fn literal_text(&mut self, text: &str) -> Result<Reference, Trap> {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.literal(&units)
    }

    /// The literal of a text in a class's constant pool.
    pub(crate) fn literal_constant(
        &mut self,
        class: ClassId,
        index: u16,
    ) -> Result<Reference, Trap> {
        let units = self.constant_units(class, index)?;
        self.literal(&units)
    }

    /// A text of a class's constant pool.
    pub(crate) fn constant_units(&self, class: ClassId, index: u16) -> Result<Vec<u16>, Trap> {
        let file = self.world.class(class).file.as_ref();
        let units =
            file.and_then(|file| text::units(file.bytes.get(file.pool.text_range(index)?)?));
        units.ok_or_else(|| Fault::internal("a text constant is missing").into())
    }

    /// `String.intern`: the literal of this content, or the string itself from now on.
    pub(crate) fn intern(&mut self, string: Reference) -> Result<Reference, Trap> {
        let units = self.units(string)?;
        if let Some(known) = self.caches.literals.get(&units[..]) {
            return Ok(*known);
        }
        if self.nesting.permanent > 0 {
            self.caches.literals.insert(units.into(), string);
            return Ok(string);
        }
        for known in &self.interned {
            self.worked(64)?;
            if self.units(*known)? == units {
                return Ok(*known);
            }
        }
        self.interned.push(string);
        Ok(string)
    }
}
