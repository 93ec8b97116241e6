//! Equality and order of values that contain unknowns.
//!
//! The result is a term over the numbers inside, so that comparing two pairs of integers is one condition
//! and not one case distinction for each part. Data is split only where its constructor matters, and only
//! if what was compared so far leaves the answer open. References of the initial state are compared by
//! their numbers.
//!
//! Comparing two unknown lists would unfold them for ever: as many elements as loops may have iterations
//! are unfolded in one comparison, and then the execution is cut as a loop is.

use std::rc::Rc;

use counterpoint_symbolic::{Term, Terms};
use smallvec::SmallVec;

use crate::machine::evaluate::Memory;
use crate::machine::sharing;
use crate::machine::universe::Universe;
use crate::machine::value::{ObjectId, TermKind, UnknownId, Value};
use crate::program::{ClassId, Comparison, ConstructorId};

use super::arithmetic::{compared, condition, fraction, integer_term};
use super::table::Kind;
use super::{Cut, Looked, Need, NullCase, Obstacle, Unknowns};

/// Whether an unknown is anywhere in a value.
pub(crate) fn contains_unknown(unknowns: &Unknowns, value: &Value) -> bool {
    let is_unknown = |part: &Value| {
        matches!(part, Value::Term(..) | Value::Fraction(_) | Value::Unknown(_) | Value::Opaque(_))
    };
    sharing::any_part(value, |part| unknowns.deref(part), is_unknown)
}

/// The condition under which a comparison holds.
pub(crate) fn comparison<M: Memory>(
    universe: &Universe<'_>,
    memory: &mut M,
    comparison: Comparison,
    left: &Value,
    right: &Value,
) -> Looked<Term> {
    let terms = Rc::clone(memory.unknowns().terms());
    match comparison {
        Comparison::Equal => equal(memory, left, right),
        Comparison::NotEqual => Ok(terms.not(equal(memory, left, right)?)),
        _ => {
            if let Some(term) = numbers(&terms, comparison, left, right) {
                return Ok(term);
            }
            let (less, equal) = order(universe, memory, left, right)?;
            Ok(compared(&terms, comparison, less, equal))
        }
    }
}

/// The order of two numbers in the fewest operators, so that conditions read as they are written.
fn numbers(terms: &Terms, comparison: Comparison, left: &Value, right: &Value) -> Option<Term> {
    let (a, b) = match (integer_term(terms, left), integer_term(terms, right)) {
        (Some(a), Some(b)) => (a, b),
        _ => {
            let ((a, b), (c, d)) = (fraction(terms, left)?, fraction(terms, right)?);
            (terms.int_mul(a, d), terms.int_mul(c, b))
        }
    };
    Some(match comparison {
        Comparison::Equal => terms.eq(a, b),
        Comparison::NotEqual => terms.ne(a, b),
        Comparison::Less => terms.int_lt(a, b),
        Comparison::LessEqual => terms.int_le(a, b),
        Comparison::Greater => terms.int_gt(a, b),
        Comparison::GreaterEqual => terms.int_ge(a, b),
    })
}

/// What two values that are no data with arguments have to do with each other.
enum Scalar {
    Known(bool),
    Term(Term),
    /// Both are data with the same constructor: their arguments decide.
    Arguments,
    /// This must be split first.
    Split(UnknownId),
    Obstacle(Obstacle),
}

/// The condition under which two values are equal.
pub(crate) fn equal<M: Memory>(memory: &mut M, left: &Value, right: &Value) -> Looked<Term> {
    let terms = Rc::clone(memory.unknowns().terms());
    let limit = memory.unknowns().criteria.loops.map_or(usize::MAX, |loops| loops as usize);
    let mut all = terms.bool(true);
    let mut unsplit: Option<(UnknownId, usize)> = None;
    // With each pair, how many unknowns were unfolded on the way to it.
    let mut pending: SmallVec<[(Value, Value, usize); 8]> = SmallVec::new();
    pending.push((left.clone(), right.clone(), 0));
    while let Some((raw_a, raw_b, unfolded)) = pending.pop() {
        let unknowns = memory.unknowns();
        let (a, b) = (unknowns.deref(&raw_a).clone(), unknowns.deref(&raw_b).clone());
        match scalar(unknowns, &a, &b) {
            Scalar::Known(true) => {}
            Scalar::Known(false) => return Ok(terms.bool(false)),
            Scalar::Term(term) => {
                all = terms.and(all, term);
                if all == terms.bool(false) {
                    return Ok(all);
                }
            }
            Scalar::Arguments => {
                let was_unknown = |raw: &Value| matches!(raw, Value::Unknown(_));
                let more = usize::from(was_unknown(&raw_a) || was_unknown(&raw_b));
                let arguments = a.arguments().iter().zip(b.arguments()).rev();
                pending.extend(arguments.map(|(a, b)| (a.clone(), b.clone(), unfolded + more)));
            }
            Scalar::Split(id) => {
                unsplit.get_or_insert((id, unfolded));
            }
            Scalar::Obstacle(trouble) => return Err(trouble),
        }
    }
    let Some((id, unfolded)) = unsplit else { return Ok(all) };
    // What is compared already may settle it.
    if !memory.ask(all).map_err(Obstacle::Need)? {
        return Ok(terms.bool(false));
    }
    if unfolded > limit {
        return Err(Obstacle::Cut(Cut::Loops));
    }
    Err(Obstacle::Need(Need::Constructor(id)))
}

fn scalar(unknowns: &Unknowns, a: &Value, b: &Value) -> Scalar {
    let terms = unknowns.terms();
    if let (Some(a), Some(b)) = (condition(terms, a), condition(terms, b)) {
        return Scalar::Term(terms.iff(a, b));
    }
    if let (Some(a), Some(b)) = (integer_term(terms, a), integer_term(terms, b)) {
        return Scalar::Term(terms.eq(a, b));
    }
    if let (Some((a, b)), Some((c, d))) = (fraction(terms, a), fraction(terms, b)) {
        return Scalar::Term(terms.eq(terms.int_mul(a, d), terms.int_mul(c, b)));
    }
    if let (Some(a), Some(b)) = (text_term(unknowns, a), text_term(unknowns, b)) {
        return Scalar::Term(terms.eq(a, b));
    }
    match (a, b) {
        (Value::Opaque(text), _) | (_, Value::Opaque(text)) => {
            Scalar::Obstacle(Obstacle::Cut(Cut::about("comparing", text)))
        }
        (Value::Unknown(one), Value::Unknown(other)) if one == other => Scalar::Known(true),
        (Value::Unknown(one), Value::Unknown(other)) => {
            let (first, second) = (unknowns.table.entry(*one), unknowns.table.entry(*other));
            match (&first.kind, &second.kind) {
                (
                    Kind::Reference { classes, code },
                    Kind::Reference { classes: others, code: other },
                ) => Scalar::Term(same_reference(terms, (classes, *code), (others, *other))),
                (Kind::Data { .. }, _) => Scalar::Split(*one),
                (Kind::Future { .. }, _) => Scalar::Obstacle(Obstacle::Need(Need::Future(*one))),
                (Kind::Reference { .. }, _) => Scalar::Known(false),
            }
        }
        (Value::Unknown(id), known) | (known, Value::Unknown(id)) => {
            with_known(unknowns, *id, known)
        }
        (Value::Null, Value::Null) => Scalar::Known(true),
        (Value::Object(a), Value::Object(b)) => Scalar::Known(a == b),
        (Value::Future(a), Value::Future(b)) => Scalar::Known(a == b),
        (Value::Float(a), Value::Float(b)) => Scalar::Known(a == b),
        _ => match (a.constructor(), b.constructor()) {
            (Some(one), Some(other)) if one == other => Scalar::Arguments,
            _ => Scalar::Known(false),
        },
    }
}

fn with_known(unknowns: &Unknowns, id: UnknownId, known: &Value) -> Scalar {
    let terms = unknowns.terms();
    match (&unknowns.table.entry(id).kind, known) {
        (Kind::Reference { code, .. }, Value::Null) => Scalar::Term(terms.eq(*code, terms.int(0))),
        (Kind::Reference { code, .. }, Value::Object(object)) => {
            Scalar::Term(is_object(unknowns, *code, *object))
        }
        (Kind::Reference { .. }, _) => Scalar::Known(false),
        (Kind::Data { .. }, _) => Scalar::Split(id),
        (Kind::Future { .. }, _) => Scalar::Obstacle(Obstacle::Need(Need::Future(id))),
    }
}

/// Whether a reference of the initial state is this object; never one that the run has created.
fn is_object(unknowns: &Unknowns, code: Term, object: ObjectId) -> Term {
    match unknowns.is_initial(object) {
        true => unknowns.terms().eq(code, unknowns.object_code(object)),
        false => unknowns.terms().bool(false),
    }
}

/// Whether two references of the initial state are the same: objects only if a class fits both.
fn same_reference(
    terms: &Terms,
    (classes, code): (&[ClassId], Term),
    (others, other): (&[ClassId], Term),
) -> Term {
    if classes.iter().any(|class| others.contains(class)) {
        return terms.eq(code, other);
    }
    terms.and(terms.eq(code, terms.int(0)), terms.eq(other, terms.int(0)))
}

fn text_term(unknowns: &Unknowns, value: &Value) -> Option<Term> {
    match value {
        Value::Text(text) => Some(unknowns.terms().int(unknowns.table.text_code(text))),
        Value::Term(term, TermKind::Text) => Some(*term),
        _ => None,
    }
}

/// The conditions under which the first value is less than the second and equal to it.
pub(crate) fn order<M: Memory>(
    universe: &Universe<'_>,
    memory: &mut M,
    left: &Value,
    right: &Value,
) -> Looked<(Term, Term)> {
    let terms = Rc::clone(memory.unknowns().terms());
    let (mut less, mut equal) = (terms.bool(false), terms.bool(true));
    let mut pending: SmallVec<[(Value, Value); 8]> = SmallVec::new();
    pending.push((left.clone(), right.clone()));
    while let Some((a, b)) = pending.pop() {
        let unknowns = memory.unknowns();
        let (a, b) = (unknowns.deref(&a).clone(), unknowns.deref(&b).clone());
        let (part_less, part_equal) = match part_order(universe, unknowns, &a, &b)? {
            Some(order) => order,
            None => {
                let arguments = a.arguments().iter().zip(b.arguments()).rev();
                pending.extend(arguments.map(|(a, b)| (a.clone(), b.clone())));
                continue;
            }
        };
        less = terms.or(less, terms.and(equal, part_less));
        equal = terms.and(equal, part_equal);
        if equal == terms.bool(false) {
            break;
        }
    }
    Ok((less, equal))
}

/// The order of two values, or nothing if it is that of their arguments.
fn part_order(
    universe: &Universe<'_>,
    unknowns: &Unknowns,
    a: &Value,
    b: &Value,
) -> Looked<Option<(Term, Term)>> {
    let terms = unknowns.terms();
    let unsupported = |what: &str| Err(Obstacle::Cut(Cut::Unsupported(what.to_owned())));
    if let (Some(a), Some(b)) = (condition(terms, a), condition(terms, b)) {
        return Ok(Some((terms.and(terms.not(a), b), terms.iff(a, b))));
    }
    if let (Some(a), Some(b)) = (integer_term(terms, a), integer_term(terms, b)) {
        return Ok(Some((terms.int_lt(a, b), terms.eq(a, b))));
    }
    if let (Some((a, b)), Some((c, d))) = (fraction(terms, a), fraction(terms, b)) {
        let (ad, cb) = (terms.int_mul(a, d), terms.int_mul(c, b));
        return Ok(Some((terms.int_lt(ad, cb), terms.eq(ad, cb))));
    }
    let known = |order: std::cmp::Ordering| {
        Ok(Some((terms.bool(order.is_lt()), terms.bool(order.is_eq()))))
    };
    match (a, b) {
        (Value::Opaque(text), _) | (_, Value::Opaque(text)) => {
            Err(Obstacle::Cut(Cut::about("comparing", text)))
        }
        (Value::Term(..), _) | (_, Value::Term(..)) => unsupported("the order of unknown strings"),
        (Value::Unknown(id), _) | (_, Value::Unknown(id)) => {
            match &unknowns.table.entry(*id).kind {
                Kind::Data { .. } => Err(Obstacle::Need(Need::Constructor(*id))),
                Kind::Reference { .. } => {
                    Err(Obstacle::Need(Need::Reference(*id, NullCase::Asked)))
                }
                Kind::Future { .. } => Err(Obstacle::Need(Need::Future(*id))),
            }
        }
        (Value::Object(one), Value::Object(other))
            if one != other && (unknowns.is_initial(*one) || unknowns.is_initial(*other)) =>
        {
            unsupported("the order of objects of the initial state")
        }
        (Value::Data(one), Value::Data(other)) if one.constructor == other.constructor => Ok(None),
        (Value::Data(_) | Value::Atom(_), Value::Data(_) | Value::Atom(_)) => {
            let rank = |value: &Value| {
                let constructor = value.constructor().unwrap_or(ConstructorId::UNIT);
                universe.model.constructor(constructor).rank
            };
            match rank(a).cmp(&rank(b)) {
                std::cmp::Ordering::Equal => Ok(None),
                order => known(order),
            }
        }
        _ => known(crate::machine::value::compare(universe, a, b)),
    }
}
