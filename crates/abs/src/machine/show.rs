//! Values as text: `toString`, outcomes, traces.

use std::fmt::Write;

use counterpoint_model::{Interrupt, SMALL};

use crate::program::{ConstructorId, DataTypeId};

use super::evaluate::Stack;
use super::hash::Mixer;
use super::universe::Universe;
use super::value::{Value, mix};

/// The text of a value; strings inside data are quoted, one by itself is not. Data that shares parts can be longer than
/// any memory: the text ends early where the step that asks for it has no work left for it, or there is no room.
pub(crate) fn to_string(universe: &Universe<'_>, value: &Value, stack: Option<&Stack>) -> String {
    let most = stack.map_or(usize::MAX, |stack| stack.remaining() as usize);
    let goes_on = |interrupt: &Interrupt| interrupt.has_room(SMALL) && !interrupt.poll();
    let goes_on = || stack.is_none_or(|stack| goes_on(&stack.interrupt));
    match value {
        Value::Text(text) => text.to_string(),
        _ => quoted_up_to(universe, value, most, goes_on),
    }
}

enum Piece<'v> {
    Value(&'v Value),
    Text(&'static str),
}

/// Of longer values only so much is shown, and a digest of all of it.
const SHOWN: usize = 2_000;

/// The text of a value for somebody to read; strings are quoted. Different values have different texts.
pub(crate) fn shown(universe: &Universe<'_>, value: &Value) -> String {
    let mut text = quoted_up_to(universe, value, SHOWN, || true);
    if text.len() > SHOWN {
        let end = (0..=SHOWN).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        text.truncate(end);
        let mut mixer = Mixer::new(0);
        mix(value, &mut mixer);
        // Writing to a string cannot fail.
        let _ = write!(text, "... ({:08x})", mixer.finish() as u32);
    }
    text
}

/// The text of a value, as far as the first piece with which it is longer than that, or where it is not to go on.
fn quoted_up_to(
    universe: &Universe<'_>,
    value: &Value,
    most: usize,
    goes_on: impl Fn() -> bool,
) -> String {
    let mut text = String::new();
    let mut asks_at = SMALL as usize;
    let mut pending = vec![Piece::Value(value)];
    while let Some(piece) = pending.pop() {
        if text.len() >= asks_at {
            asks_at += SMALL as usize;
            if !goes_on() {
                break;
            }
        }
        if text.len() > most {
            break;
        }
        let value = match piece {
            Piece::Text(piece) => {
                text.push_str(piece);
                continue;
            }
            Piece::Value(value) => value,
        };
        // Writing to a string cannot fail.
        let _ = match value {
            Value::Null => write!(text, "null"),
            Value::Int(number) => write!(text, "{number}"),
            Value::Big(number) => write!(text, "{number}"),
            Value::Rational(number) => write!(text, "{number}"),
            Value::Float(number) => write!(text, "{number:?}"),
            Value::Text(string) => {
                quote(&mut text, string);
                Ok(())
            }
            Value::Object(object) => {
                write!(text, "{}", universe.names.object_text(universe.model, *object))
            }
            Value::Future(task) => {
                write!(text, "future {}", universe.names.task_text(universe.model, *task))
            }
            Value::Atom(constructor) => {
                write!(text, "{}", universe.model.constructor(*constructor).name)
            }
            // Only for messages: what people read of unknowns is made where their names are known.
            Value::Term(..) | Value::Fraction(_) | Value::Unknown(_) | Value::Opaque(_) => {
                write!(text, "?")
            }
            Value::Data(data) => {
                match collection(data.constructor) {
                    Some(name) => elements(value, name, &mut pending),
                    None => {
                        text.push_str(&universe.model.constructor(data.constructor).name);
                        sequence(&data.arguments, "(", ")", &mut pending);
                    }
                }
                Ok(())
            }
        };
    }
    text
}

fn collection(constructor: ConstructorId) -> Option<&'static str> {
    match constructor {
        ConstructorId::CONS => Some("list["),
        ConstructorId::INSERT => Some("set["),
        ConstructorId::INSERT_ASSOC => Some("map["),
        _ => None,
    }
}

/// The elements of a list, set or map. An unexpected end is shown behind a bar.
fn elements<'v>(value: &'v Value, name: &'static str, pending: &mut Vec<Piece<'v>>) {
    let constructor = value.constructor();
    let mut items = Vec::new();
    let mut rest = value;
    while let (true, [head, tail]) = (rest.constructor() == constructor, rest.arguments()) {
        items.push(head);
        rest = tail;
    }
    pending.push(Piece::Text("]"));
    if !rest.arguments().is_empty() {
        pending.push(Piece::Value(rest));
        pending.push(Piece::Text(" | "));
    }
    for (index, item) in items.into_iter().enumerate().rev() {
        pending.push(Piece::Value(item));
        if index > 0 {
            pending.push(Piece::Text(","));
        }
    }
    pending.push(Piece::Text(name));
}

fn sequence<'v>(
    values: &'v [Value],
    open: &'static str,
    close: &'static str,
    pending: &mut Vec<Piece<'v>>,
) {
    pending.push(Piece::Text(close));
    for (index, value) in values.iter().enumerate().rev() {
        pending.push(Piece::Value(value));
        if index > 0 {
            pending.push(Piece::Text(","));
        }
    }
    pending.push(Piece::Text(open));
}

fn quote(text: &mut String, string: &str) {
    text.push('"');
    for character in string.chars() {
        if matches!(character, '"' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
    text.push('"');
}

/// The message of an uncaught exception: its constructor and arguments.
pub(crate) fn exception(universe: &Universe<'_>, value: &Value) -> String {
    let known = value
        .constructor()
        .is_some_and(|c| universe.model.constructor(c).data_type == DataTypeId::EXCEPTION);
    let text = shown(universe, value);
    if known { text } else { format!("exception {text}") }
}
