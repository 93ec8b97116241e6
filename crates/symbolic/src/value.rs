//! Sorts and concrete values.
//!
//! Problem: machine integers overflow at their own width, ABS integers never do, and both meet in models,
//! reports and replay files. Idea: three sorts and one value type that covers them; a bit vector is stored
//! as an unsigned word of its width and read as signed only where an operator or a reader says so.
//!
//! Invariant: the bits of a [`Value::Bits`] made here are below `2^width`, and its width is 1 to 64.
//!
//! Cost: a machine word for Booleans and bit vectors; an integer owns its digits.

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fmt;

/// What a term ranges over.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Sort {
    /// True or false.
    Bool,
    /// A bit vector of 1 to 64 bits: a machine integer with its own overflow.
    Bits(u8),
    /// An unbounded integer.
    Int,
}

/// A concrete value of some [`Sort`].
#[derive(Clone, Eq, PartialEq, Hash, Ord, PartialOrd, Debug)]
pub enum Value {
    /// A Boolean.
    Bool(bool),
    /// A bit vector; `bits` is its unsigned reading and is below `2^width`.
    Bits {
        /// The unsigned reading.
        bits: u64,
        /// The number of bits, 1 to 64.
        width: u8,
    },
    /// An unbounded integer.
    Int(BigInt),
}

/// The word with the lowest `width` bits set.
pub(crate) fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - u32::from(width))
}

/// The signed reading of a bit vector.
pub(crate) fn signed(bits: u64, width: u8) -> i64 {
    let unused = 64 - u32::from(width);
    ((bits << unused) as i64) >> unused
}

impl Value {
    /// The bit vector of this width with the low bits of `bits`.
    pub fn bits(bits: u64, width: u8) -> Value {
        assert!((1..=64).contains(&width), "a bit vector has 1 to 64 bits");
        Value::Bits { bits: bits & mask(width), width }
    }

    /// An unbounded integer.
    pub fn int(value: impl Into<BigInt>) -> Value {
        Value::Int(value.into())
    }

    /// False, or zero: what an input is where a model does not mention it.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Bits(width) => Value::bits(0, width),
            Sort::Int => Value::Int(BigInt::zero()),
        }
    }

    /// The sort of this value.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bits { width, .. } => Sort::Bits(*width),
            Value::Int(_) => Sort::Int,
        }
    }

    /// The Boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The unsigned reading of a bit vector, or an integer that fits.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Bits { bits, .. } => Some(*bits),
            Value::Int(value) => value.to_u64(),
            Value::Bool(_) => None,
        }
    }

    /// The signed reading of a bit vector (sign extended), or an integer that fits.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Bits { bits, width } => Some(signed(*bits, *width)),
            Value::Int(value) => value.to_i64(),
            Value::Bool(_) => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<&BigInt> {
        match self {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    /// Bit vectors are shown signed, in decimal.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(formatter, "{value}"),
            Value::Bits { bits, width } => write!(formatter, "{}", signed(*bits, *width)),
            Value::Int(value) => write!(formatter, "{value}"),
        }
    }
}

/// The written form: `true`, `{"bits": -3, "width": 32}` (signed reading) or `{"int": "123"}`.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Bool(bool),
    Bits { bits: i64, width: u8 },
    Int { int: String },
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = match self {
            Value::Bool(value) => Written::Bool(*value),
            Value::Bits { bits, width } => {
                Written::Bits { bits: signed(*bits, *width), width: *width }
            }
            Value::Int(value) => Written::Int { int: value.to_string() },
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Bool(value) => Ok(Value::Bool(value)),
            Written::Bits { width, .. } if !(1..=64).contains(&width) => {
                Err(D::Error::custom(format!("a bit vector has 1 to 64 bits, not {width}")))
            }
            Written::Bits { bits, width } => Ok(Value::bits(bits as u64, width)),
            Written::Int { int } => match int.parse() {
                Ok(value) => Ok(Value::Int(value)),
                Err(_) => Err(D::Error::custom(format!("`{int}` is not an integer"))),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_vectors_have_two_readings() {
        for (bits, width, unsigned, signed) in [
            (0xff, 8, 255, -1),
            (0x80, 8, 128, -128),
            (1, 1, 1, -1),
            (u64::MAX, 64, u64::MAX, -1),
            (0x1ff, 8, 255, -1),
        ] {
            let value = Value::bits(bits, width);
            assert_eq!((value.as_u64(), value.as_i64()), (Some(unsigned), Some(signed)));
        }
    }

    #[test]
    fn values_survive_being_written() {
        let huge: BigInt = BigInt::from(10).pow(40);
        for value in
            [Value::Bool(true), Value::bits(u64::MAX, 64), Value::bits(5, 7), Value::Int(-huge)]
        {
            let text = serde_json::to_string(&value).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value, "{text}");
        }
    }

    #[test]
    fn broken_values_are_refused() {
        for text in
            [r#"{"bits":1,"width":0}"#, r#"{"bits":1,"width":65}"#, r#"{"int":"x"}"#, "null"]
        {
            assert!(serde_json::from_str::<Value>(text).is_err(), "{text}");
        }
    }
}
