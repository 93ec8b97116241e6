//! The table of literal values. Equal values have one number.

use std::sync::Arc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::program::{Constant, ConstantId, ConstructorId};

/// What makes two constants equal. Floats are compared by their bits.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Null,
    Integer(BigInt),
    Float(u64),
    String(Arc<str>),
    Data(ConstructorId, Vec<ConstantId>),
    List(Vec<ConstantId>),
}

/// The constants of a model.
pub(super) struct Constants {
    table: Vec<Constant>,
    numbers: FxHashMap<Key, ConstantId>,
}

impl Constants {
    /// A table with the constants of fixed number.
    pub(super) fn new() -> Self {
        let mut constants = Constants { table: Vec::new(), numbers: FxHashMap::default() };
        constants.enter(Constant::Null);
        constants.enter(Constant::Data(ConstructorId::FALSE, Vec::new()));
        constants.enter(Constant::Data(ConstructorId::TRUE, Vec::new()));
        constants.enter(Constant::Data(ConstructorId::UNIT, Vec::new()));
        constants
    }

    /// The number of a constant.
    pub(super) fn enter(&mut self, constant: Constant) -> ConstantId {
        let key = match &constant {
            Constant::Null => Key::Null,
            Constant::Integer(value) => Key::Integer(value.clone()),
            Constant::Float(value) => Key::Float(value.to_bits()),
            Constant::String(value) => Key::String(value.clone()),
            Constant::Data(constructor, arguments) => Key::Data(*constructor, arguments.clone()),
            Constant::List(elements) => Key::List(elements.clone()),
        };
        let table = &mut self.table;
        *self.numbers.entry(key).or_insert_with(|| {
            table.push(constant);
            ConstantId(table.len() as u32 - 1)
        })
    }

    /// The constants in order of their numbers.
    pub(super) fn finish(self) -> Vec<Constant> {
        self.table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_constants_have_their_numbers() {
        let mut constants = Constants::new();
        let data = |constructor| Constant::Data(constructor, Vec::new());
        assert_eq!(constants.enter(Constant::Null), ConstantId::NULL);
        assert_eq!(constants.enter(data(ConstructorId::FALSE)), ConstantId::FALSE);
        assert_eq!(constants.enter(data(ConstructorId::TRUE)), ConstantId::TRUE);
        assert_eq!(constants.enter(data(ConstructorId::UNIT)), ConstantId::UNIT);
        assert_eq!(constants.finish().len(), 4);
    }
}
