//! Values of variables as numbers, for questions about states.

use counterpoint_model::{Location, Reading};

use super::JavaRun;
use crate::classfile::Type;

impl JavaRun<'_> {
    /// What a variable holds, if it is a whole number, a truth value, a character or a reference.
    pub(super) fn number(&self, location: Location) -> Option<Reading> {
        let word = self.word(location)?;
        let number = match self.program.kind(location)? {
            Type::Boolean => i64::from(word & 1 != 0),
            Type::Byte | Type::Short | Type::Int => i64::from(word as i32),
            Type::Char => i64::from(word as u16),
            Type::Long | Type::Reference => word as i64,
            Type::Float | Type::Double => return None,
        };
        Some(Reading { number, term: None })
    }
}
