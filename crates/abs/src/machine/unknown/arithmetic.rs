//! Computing with numbers, Booleans and strings that depend on unknowns.
//!
//! Integers are terms without bound. A rational is a fraction of two integer terms whose denominator is
//! above zero on the path; a divisor is asked whether it is zero, and then for its sign. Floating-point
//! numbers and texts made of unknowns are opaque: they can be passed on but not looked at. Their values
//! come from the run that confirms a test.

use std::rc::Rc;

use counterpoint_symbolic::{Term, Terms};

use crate::machine::evaluate::Memory;
use crate::machine::number::{DIVISION_BY_ZERO, NO_MATCH};
use crate::machine::universe::Universe;
use crate::machine::value::{TermKind, Value};
use crate::machine::{builtins, show};
use crate::program::{BinaryOperation, Builtin, Comparison, ConstructorId, UnaryOperation};

use super::compare::{contains_unknown, order};
use super::{Cut, Looked, Obstacle, Unknowns, computed};

/// Whether a value is known as far as arithmetic looks.
pub(crate) fn is_plain(value: &Value) -> bool {
    !matches!(value, Value::Term(..) | Value::Fraction(_) | Value::Unknown(_) | Value::Opaque(_))
}

fn unsupported<T>(what: &str) -> Looked<T> {
    Err(Obstacle::Cut(Cut::Unsupported(what.to_owned())))
}

fn ask<M: Memory>(memory: &mut M, condition: Term) -> Looked<bool> {
    memory.ask(condition).map_err(Obstacle::Need)
}

/// An integer as a term.
pub(crate) fn integer_term(terms: &Terms, value: &Value) -> Option<Term> {
    match value {
        Value::Int(number) => Some(terms.int(*number)),
        Value::Big(number) => Some(terms.int(number.as_ref().clone())),
        Value::Term(term, TermKind::Integer) => Some(*term),
        _ => None,
    }
}

/// A number as a fraction of terms.
pub(crate) fn fraction(terms: &Terms, value: &Value) -> Option<(Term, Term)> {
    match value {
        Value::Rational(number) => {
            Some((terms.int(number.numer().clone()), terms.int(number.denom().clone())))
        }
        Value::Fraction(parts) => Some(**parts),
        _ => integer_term(terms, value).map(|term| (term, terms.int(1))),
    }
}

/// A truth value as a term.
pub(crate) fn condition(terms: &Terms, value: &Value) -> Option<Term> {
    match value {
        Value::Atom(ConstructorId::TRUE) => Some(terms.bool(true)),
        Value::Atom(ConstructorId::FALSE) => Some(terms.bool(false)),
        Value::Term(term, TermKind::Boolean) => Some(*term),
        _ => None,
    }
}

/// The value of a term: a number or truth value if the term is one.
pub(crate) fn value_of(terms: &Terms, term: Term, kind: TermKind) -> Value {
    match (terms.as_constant(term), kind) {
        (Some(constant), TermKind::Integer) => {
            Value::integer(constant.as_int().expect("an integer term").clone())
        }
        (Some(constant), TermKind::Boolean) => {
            Value::bool(constant.as_bool().expect("a Boolean term"))
        }
        _ => Value::Term(term, kind),
    }
}

/// A rational from its parts, the denominator above zero.
fn rational(terms: &Terms, numerator: Term, denominator: Term) -> Value {
    use num_rational::BigRational;
    let constant = |term| terms.as_constant(term).and_then(|value| value.as_int().cloned());
    match (constant(numerator), constant(denominator)) {
        (Some(numerator), Some(denominator)) => {
            Value::rational(BigRational::new(numerator, denominator))
        }
        (None, Some(one)) if one == 1.into() => Value::Term(numerator, TermKind::Integer),
        _ => Value::Fraction(Rc::new((numerator, denominator))),
    }
}

/// Computes with two operands, at least one of them unknown.
pub(crate) fn binary<M: Memory>(
    memory: &mut M,
    operation: BinaryOperation,
    left: &Value,
    right: &Value,
) -> Looked<Value> {
    use BinaryOperation as B;
    let terms = Rc::clone(memory.unknowns().terms());
    let opaque = |value: &Value| matches!(value, Value::Opaque(_) | Value::Float(_));
    if operation == B::Concatenate || opaque(left) || opaque(right) {
        return Ok(made(&terms, operation, left, right));
    }
    if let (Some(a), Some(b)) = (integer_term(&terms, left), integer_term(&terms, right)) {
        let term = match operation {
            B::Add(_) => terms.int_add(a, b),
            B::Subtract(_) => terms.int_sub(a, b),
            B::Multiply(_) => terms.int_mul(a, b),
            B::Divide(_) => return divide(memory, (a, terms.int(1)), (b, terms.int(1))),
            B::Remainder(_) => {
                if ask(memory, terms.eq(b, terms.int(0)))? {
                    return Err(Obstacle::Raise(DIVISION_BY_ZERO));
                }
                terms.int_rem_trunc(a, b)
            }
            B::Concatenate => unreachable!("strings were dealt with"),
        };
        return Ok(value_of(&terms, term, TermKind::Integer));
    }
    let (Some((a, b)), Some((c, d))) = (fraction(&terms, left), fraction(&terms, right)) else {
        return Err(Obstacle::Raise(NO_MATCH));
    };
    let (ad, cb, bd) = (terms.int_mul(a, d), terms.int_mul(c, b), terms.int_mul(b, d));
    Ok(match operation {
        B::Add(_) => rational(&terms, terms.int_add(ad, cb), bd),
        B::Subtract(_) => rational(&terms, terms.int_sub(ad, cb), bd),
        B::Multiply(_) => rational(&terms, terms.int_mul(a, c), bd),
        B::Divide(_) => return divide(memory, (a, b), (c, d)),
        B::Remainder(_) => {
            if ask(memory, terms.eq(c, terms.int(0)))? {
                return Err(Obstacle::Raise(DIVISION_BY_ZERO));
            }
            // Of a/b and c/d it is the remainder of the numerators over the common denominator.
            rational(&terms, terms.int_rem_trunc(ad, cb), bd)
        }
        B::Concatenate => unreachable!("strings were dealt with"),
    })
}

fn divide<M: Memory>(memory: &mut M, (a, b): (Term, Term), (c, d): (Term, Term)) -> Looked<Value> {
    let terms = Rc::clone(memory.unknowns().terms());
    if ask(memory, terms.eq(c, terms.int(0)))? {
        return Err(Obstacle::Raise(DIVISION_BY_ZERO));
    }
    let (numerator, denominator) = (terms.int_mul(a, d), terms.int_mul(b, c));
    Ok(if ask(memory, terms.int_lt(c, terms.int(0)))? {
        rational(&terms, terms.int_neg(numerator), terms.int_neg(denominator))
    } else {
        rational(&terms, numerator, denominator)
    })
}

/// The result of an operation that terms cannot express.
fn made(terms: &Terms, operation: BinaryOperation, left: &Value, right: &Value) -> Value {
    use BinaryOperation as B;
    let symbol = match operation {
        B::Add(_) | B::Concatenate => "+",
        B::Subtract(_) => "-",
        B::Multiply(_) => "*",
        B::Divide(_) => "/",
        B::Remainder(_) => "%",
    };
    let operand = |value: &Value| {
        let text = written(terms, None, value);
        match operation != B::Concatenate && text.contains(' ') {
            true => format!("({text})"),
            false => text,
        }
    };
    Value::Opaque(Rc::new(format!("{} {symbol} {}", operand(left), operand(right))))
}

fn applied(function: &str, arguments: &[String]) -> Value {
    Value::Opaque(Rc::new(format!("{function}({})", arguments.join(", "))))
}

/// An operand as people write it; data only where the constructors are known.
fn written(terms: &Terms, names: Option<(&Universe<'_>, &Unknowns)>, value: &Value) -> String {
    let value = names.map_or(value, |(_, unknowns)| unknowns.deref(value));
    match (value, names) {
        (Value::Opaque(text), _) => text.to_string(),
        (Value::Text(text), _) => format!("{text:?}"),
        (Value::Int(number), _) => number.to_string(),
        (Value::Big(number), _) => number.to_string(),
        (Value::Rational(number), _) => number.to_string(),
        (Value::Float(number), _) => format!("{number:?}"),
        (Value::Term(term, _), _) => terms.exact_text(*term),
        (Value::Fraction(parts), _) => terms.exact_fraction(parts.0, parts.1),
        (Value::Unknown(id), Some((_, unknowns))) => unknowns.table.entry(*id).name.to_string(),
        (Value::Data(data), Some((universe, _))) => {
            let name = &universe.model.constructor(data.constructor).name;
            let arguments = data.arguments.iter().map(|one| written(terms, names, one));
            format!("{name}({})", arguments.collect::<Vec<_>>().join(", "))
        }
        (_, Some((universe, _))) => show::to_string(universe, value, None),
        (_, None) => "..".to_owned(),
    }
}

/// Computes with one unknown operand.
pub(crate) fn unary<M: Memory>(
    memory: &mut M,
    operation: UnaryOperation,
    operand: &Value,
) -> Looked<Value> {
    let terms = Rc::clone(memory.unknowns().terms());
    match operation {
        UnaryOperation::Not => match condition(&terms, operand) {
            Some(term) => Ok(value_of(&terms, terms.not(term), TermKind::Boolean)),
            None => unsupported("a condition made of what cannot be looked at"),
        },
        UnaryOperation::Truncate => truncate(&terms, operand),
        UnaryOperation::Negate(kind) => {
            binary(memory, BinaryOperation::Subtract(kind), &Value::Int(0), operand)
        }
    }
}

fn truncate(terms: &Terms, operand: &Value) -> Looked<Value> {
    match fraction(terms, operand) {
        Some((numerator, denominator)) => {
            let term = terms.int_div_trunc(numerator, denominator);
            Ok(value_of(terms, term, TermKind::Integer))
        }
        None => Ok(applied("truncate", &[written(terms, None, operand)])),
    }
}

/// Computes a builtin that depends on its arguments only, at least one of them unknown.
pub(crate) fn builtin<M: Memory>(
    universe: &Universe<'_>,
    memory: &mut M,
    builtin: Builtin,
    arguments: &[Value],
) -> Looked<Value> {
    let terms = Rc::clone(memory.unknowns().terms());
    match (builtin, arguments) {
        (Builtin::Max | Builtin::Min, [a, b]) => {
            let (less, equal) = order(universe, memory, a, b)?;
            let first = match builtin {
                Builtin::Max => terms.not(less),
                _ => terms.or(less, equal),
            };
            if let (Some(x), Some(y)) = (integer_term(&terms, a), integer_term(&terms, b)) {
                return Ok(value_of(&terms, terms.ite(first, x, y), TermKind::Integer));
            }
            Ok(if ask(memory, first)? { a.clone() } else { b.clone() })
        }
        (Builtin::Abs, [number]) => {
            if let Some(term) = integer_term(&terms, number) {
                let negative = terms.int_lt(term, terms.int(0));
                let size = terms.ite(negative, terms.int_neg(term), term);
                return Ok(value_of(&terms, size, TermKind::Integer));
            }
            let Some((numerator, denominator)) = fraction(&terms, number) else {
                return Ok(applied("abs", &[written(&terms, None, number)]));
            };
            let negative = terms.int_lt(numerator, terms.int(0));
            let size = terms.ite(negative, terms.int_neg(numerator), numerator);
            Ok(rational(&terms, size, denominator))
        }
        (Builtin::Truncate, [number]) => truncate(&terms, number),
        (Builtin::Numerator, [Value::Term(..)]) => Ok(arguments[0].clone()),
        (Builtin::Denominator, [Value::Term(..)]) => Ok(Value::Int(1)),
        (Builtin::Numerator | Builtin::Denominator, _) => {
            unsupported("the lowest terms of an unknown rational")
        }
        (Builtin::ToString, [value]) => {
            let unknowns = memory.unknowns();
            match contains_unknown(unknowns, value) {
                true => {
                    let value = written(&terms, Some((universe, unknowns)), value);
                    Ok(applied("toString", &[value]))
                }
                false => Ok(Value::text(show::to_string(universe, value, None))),
            }
        }
        (Builtin::StringLength | Builtin::Substring, _) => {
            unsupported("the characters of an unknown string")
        }
        (Builtin::Floor | Builtin::Ceiling | Builtin::ToRational, _) => {
            unsupported("a Float made of unknowns")
        }
        (Builtin::ToFloat | Builtin::SquareRoot | Builtin::Logarithm | Builtin::Exponential, _) => {
            let arguments: Vec<String> =
                arguments.iter().map(|one| written(&terms, None, one)).collect();
            Ok(applied(builtin.name().1, &arguments))
        }
        _ => computed(builtins::compute(universe, builtin, arguments, None)),
    }
}

/// Whether a value that stands for a number compares as the comparison says, as a term.
pub(crate) fn compared(terms: &Terms, comparison: Comparison, less: Term, equal: Term) -> Term {
    match comparison {
        Comparison::Equal => equal,
        Comparison::NotEqual => terms.not(equal),
        Comparison::Less => less,
        Comparison::LessEqual => terms.or(less, equal),
        Comparison::Greater => terms.not(terms.or(less, equal)),
        Comparison::GreaterEqual => terms.not(less),
    }
}
