//! Inputs as text: Java values, as users read and write them.

use counterpoint_model::Input;
use counterpoint_symbolic::{Model, Value};

use crate::classfile::Type;

/// The model in which inputs have the values of these texts; what is no value is left out.
pub(crate) fn initial_model(inputs: &[Input]) -> Model {
    let values = inputs.iter().filter_map(|input| Some((&*input.name, value(&input.value)?)));
    values.collect()
}

/// A value as Java writes it. Numbers have the width of the input that asks for them.
pub(crate) fn value(text: &str) -> Option<Value> {
    match text {
        "true" => return Some(Value::Bool(true)),
        "false" => return Some(Value::Bool(false)),
        _ => {}
    }
    if let Some(quoted) = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return character(quoted).map(|unit| Value::bits(u64::from(unit), 64));
    }
    text.parse::<i64>().ok().map(|number| Value::bits(number as u64, 64))
}

fn character(quoted: &str) -> Option<u16> {
    if let Some(digits) = quoted.strip_prefix("\\u") {
        return u16::from_str_radix(digits, 16).ok();
    }
    let quoted = match quoted.strip_prefix('\\') {
        Some(escaped @ ("'" | "\\")) => escaped,
        _ => quoted,
    };
    let mut units = quoted.encode_utf16();
    match (units.next(), units.next()) {
        (Some(unit), None) => Some(unit),
        _ => None,
    }
}

/// The value of an input of a type as Java writes it.
pub(super) fn text(value: &Value, kind: Type) -> String {
    match (kind, value.as_u64()) {
        (Type::Char, Some(unit)) => character_text(unit as u16),
        _ => value.to_string(),
    }
}

fn character_text(unit: u16) -> String {
    match u8::try_from(unit) {
        Ok(byte @ (b'\'' | b'\\')) => format!("'\\{}'", char::from(byte)),
        Ok(byte @ 0x20..=0x7E) => format!("'{}'", char::from(byte)),
        _ => format!("'\\u{unit:04x}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_survives_its_text() {
        for unit in 0..=u16::MAX {
            let text = character_text(unit);
            assert_eq!(value(&text), Some(Value::bits(u64::from(unit), 64)), "{text}");
        }
        assert_eq!(
            [0, 0x41, 0x27, 0x5C].map(character_text),
            [r"'\u0000'", "'A'", r"'\''", r"'\\'"]
        );
    }

    #[test]
    fn values_are_written_as_in_java() {
        assert_eq!(text(&Value::bits(u64::MAX, 32), Type::Int), "-1");
        assert_eq!(text(&Value::bits(0x80, 8), Type::Byte), "-128");
        assert_eq!(text(&Value::Bool(true), Type::Boolean), "true");
        assert_eq!(value("-7"), Some(Value::bits(-7i64 as u64, 64)));
        for wrong in ["", "'", "''", "'ab'", "5x", "TRUE", "99999999999999999999"] {
            assert_eq!(value(wrong), None, "{wrong}");
        }
    }
}
