//! Values of test cases as text.

use crate::machine::{Datum, TestCase};
use crate::program::{ConstructorId, Model};

/// A value as text; objects as the function says.
pub fn datum_text(model: &Model, datum: &Datum, object: &dyn Fn(usize) -> String) -> String {
    let inner = |datum: &Datum| datum_text(model, datum, object);
    match datum {
        Datum::Null => "null".to_owned(),
        Datum::Integer(number) => number.to_string(),
        Datum::Rational(number) => format!("{}/{}", number.numer(), number.denom()),
        Datum::Float(number) => format!("{number:?}"),
        Datum::Text(text) => quoted(text),
        Datum::Object(number) => object(*number),
        Datum::Resolved(value) => format!("a future with {}", inner(value)),
        Datum::Unresolved => "an unresolved future".to_owned(),
        Datum::Unknown(text) | Datum::Term(_, text) | Datum::Opaque(text) => text.clone(),
        Datum::Data(constructor, arguments) => {
            if let Some(text) = collection(*constructor, datum, &inner) {
                return text;
            }
            let name = &model.constructor(*constructor).name;
            if arguments.is_empty() {
                return name.to_string();
            }
            let arguments: Vec<String> = arguments.iter().map(inner).collect();
            format!("{name}({})", arguments.join(", "))
        }
    }
}

/// A list, set or map whose end is known, in its own notation.
fn collection(
    constructor: ConstructorId,
    datum: &Datum,
    inner: &dyn Fn(&Datum) -> String,
) -> Option<String> {
    let (name, end) = match constructor {
        ConstructorId::CONS => ("list", ConstructorId::NIL),
        ConstructorId::INSERT => ("set", ConstructorId::EMPTY_SET),
        ConstructorId::INSERT_ASSOC => ("map", ConstructorId::EMPTY_MAP),
        _ => return None,
    };
    let mut elements = Vec::new();
    let mut rest = datum;
    loop {
        match rest {
            Datum::Data(found, arguments) if *found == constructor && arguments.len() == 2 => {
                elements.push(inner(&arguments[0]));
                rest = &arguments[1];
            }
            Datum::Data(found, _) if *found == end => {
                return Some(format!("{name}[{}]", elements.join(", ")));
            }
            _ => return Some(format!("{name}[{} | {}]", elements.join(", "), inner(rest))),
        }
    }
}

/// A literal of the language with this value, in one line.
pub(super) fn quoted(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for letter in text.chars() {
        match letter {
            '\\' => literal.push_str("\\\\"),
            '"' => literal.push_str("\\\""),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            letter => literal.push(letter),
        }
    }
    literal.push('"');
    literal
}

impl TestCase {
    /// What an object of the case is called.
    pub fn object_name(&self, number: usize) -> String {
        self.objects.get(number).map_or_else(|| "an object".to_owned(), |one| one.name.clone())
    }
}
