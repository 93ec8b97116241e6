//! Values of a running model, and what can be asked of any two of them.
//!
//! A value is two words. Small integers, constructors without arguments, objects and futures are
//! inline; everything else is behind a counted pointer and never changes, so data is shared between
//! states and going back costs nothing. Integers are `Int` whenever they fit and rationals are never
//! whole, so that equal numbers have equal forms.
//!
//! Data can be as deep as memory: nothing here recurses on the host's stack.

use std::cell::Cell;
use std::cmp::Ordering;
use std::rc::Rc;

use counterpoint_model::Pid;
use counterpoint_symbolic::Term;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use smallvec::SmallVec;

use crate::program::ConstructorId;

use super::hash::Mixer;
use super::sharing::{self, MetPairs};
use super::universe::Universe;

/// An object, by the number of its name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ObjectId(pub u32);

impl ObjectId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value.
#[derive(Clone, Debug, Default)]
pub(crate) enum Value {
    /// No object, no future; also what a slot holds before it is assigned.
    #[default]
    Null,
    Int(i64),
    /// An integer that does not fit into `Int`.
    Big(Rc<BigInt>),
    /// A rational that is not whole, in lowest terms.
    Rational(Rc<BigRational>),
    Float(f64),
    Text(Rc<String>),
    /// A constructor without arguments.
    Atom(ConstructorId),
    Data(Rc<Data>),
    Object(ObjectId),
    Future(Pid),
    /// A number, truth value or string that depends on unknowns. The term is never a constant.
    Term(Term, TermKind),
    /// A rational that depends on unknowns: numerator and denominator, the latter above zero.
    Fraction(Rc<(Term, Term)>),
    /// Data, an object or a future that is not known yet; see [`unknown`](super::unknown).
    Unknown(UnknownId),
    /// What was computed from unknowns by something that terms cannot express, such as `toString`, as
    /// people write it. It can be passed on, and looking at it ends the execution as not supported.
    Opaque(Rc<String>),
}

/// What a term stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TermKind {
    Integer,
    Boolean,
    /// A string, by a number that is its own.
    Text,
}

/// An unknown, by its number in the table of its program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct UnknownId(pub u32);

impl UnknownId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A constructor with arguments.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    pub constructor: ConstructorId,
    pub arguments: SmallVec<[Value; 2]>,
}

impl Drop for Data {
    fn drop(&mut self) {
        if !self.arguments.iter().any(|argument| matches!(argument, Value::Data(_))) {
            return;
        }
        let mut pending: SmallVec<[Value; 8]> = self.arguments.drain(..).collect();
        while let Some(value) = pending.pop() {
            if let Value::Data(data) = value
                && let Ok(mut data) = Rc::try_unwrap(data)
            {
                pending.extend(data.arguments.drain(..));
            }
        }
    }
}

impl Value {
    pub const UNIT: Value = Value::Atom(ConstructorId::UNIT);

    pub fn bool(truth: bool) -> Value {
        Value::Atom(if truth { ConstructorId::TRUE } else { ConstructorId::FALSE })
    }

    pub fn text(text: impl Into<String>) -> Value {
        Value::Text(Rc::new(text.into()))
    }

    pub fn integer(number: BigInt) -> Value {
        match number.to_i64() {
            Some(small) => Value::Int(small),
            None => Value::Big(Rc::new(number)),
        }
    }

    pub fn rational(number: BigRational) -> Value {
        if number.is_integer() {
            Value::integer(number.to_integer())
        } else {
            Value::Rational(Rc::new(number))
        }
    }

    pub fn data(constructor: ConstructorId, arguments: SmallVec<[Value; 2]>) -> Value {
        Value::Data(Rc::new(Data { constructor, arguments }))
    }

    pub fn list(elements: impl DoubleEndedIterator<Item = Value>) -> Value {
        let nil = Value::Atom(ConstructorId::NIL);
        elements.rev().fold(nil, |tail, head| {
            Value::data(ConstructorId::CONS, SmallVec::from_buf([head, tail]))
        })
    }

    pub fn is_true(&self) -> bool {
        matches!(self, Value::Atom(ConstructorId::TRUE))
    }

    /// The constructor of a data value.
    pub fn constructor(&self) -> Option<ConstructorId> {
        match self {
            Value::Atom(constructor) => Some(*constructor),
            Value::Data(data) => Some(data.constructor),
            _ => None,
        }
    }

    /// The arguments of a data value.
    pub fn arguments(&self) -> &[Value] {
        match self {
            Value::Data(data) => &data.arguments,
            _ => &[],
        }
    }

    /// A whole or broken number, if it is one.
    pub fn to_rational(&self) -> Option<BigRational> {
        match self {
            Value::Int(number) => Some(BigRational::from_integer(BigInt::from(*number))),
            Value::Big(number) => Some(BigRational::from_integer(BigInt::clone(number))),
            Value::Rational(number) => Some(BigRational::clone(number)),
            _ => None,
        }
    }
}

/// Structural equality of data, identity of objects and futures.
#[cfg(test)]
pub(crate) fn equal(left: &Value, right: &Value) -> bool {
    equal_at(left, right, &Cell::new(0))
}

/// Whether two values are equal. What that costs beyond the usual is added up, in jumps.
#[inline]
pub(crate) fn equal_at(left: &Value, right: &Value, cost: &Cell<u64>) -> bool {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Atom(a), Value::Atom(b)) => a == b,
        (Value::Object(a), Value::Object(b)) => a == b,
        (Value::Data(a), Value::Data(b)) => Rc::ptr_eq(a, b) || equal_deeply(left, right, cost),
        _ => equal_deeply(left, right, cost),
    }
}

/// So many pairs of a comparison cost nothing.
const FREE: u64 = 32;

fn equal_deeply(left: &Value, right: &Value, cost: &Cell<u64>) -> bool {
    let mut pending: SmallVec<[(&Value, &Value); 8]> = SmallVec::new();
    pending.push((left, right));
    let mut pairs: u64 = 0;
    let mut met = MetPairs::default();
    while let Some(pair) = pending.pop() {
        pairs += 1;
        if pairs > FREE {
            cost.set(cost.get() + 1);
        }
        if met.again(pairs, pair.0, pair.1) {
            continue;
        }
        let same = match pair {
            (Value::Null, Value::Null) => true,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Big(a), Value::Big(b)) => a == b,
            (Value::Rational(a), Value::Rational(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => {
                cost.set(cost.get() + a.len() as u64 / 64);
                a == b
            }
            (Value::Atom(a), Value::Atom(b)) => a == b,
            (Value::Object(a), Value::Object(b)) => a == b,
            (Value::Future(a), Value::Future(b)) => a == b,
            (Value::Data(a), Value::Data(b)) => {
                if Rc::ptr_eq(a, b) {
                    continue;
                }
                pending.extend(a.arguments.iter().zip(&b.arguments).rev());
                a.constructor == b.constructor && a.arguments.len() == b.arguments.len()
            }
            _ => false,
        };
        if !same {
            return false;
        }
    }
    true
}

/// The order of values: numbers by value, strings by text, data by the constructors' names and then
/// argument by argument, objects and futures by where they were created.
pub(crate) fn compare(universe: &Universe<'_>, left: &Value, right: &Value) -> Ordering {
    compare_at(universe, left, right, &Cell::new(0))
}

/// The order of two values. What that costs beyond the usual is added up, in jumps.
pub(crate) fn compare_at(
    universe: &Universe<'_>,
    left: &Value,
    right: &Value,
    cost: &Cell<u64>,
) -> Ordering {
    if let (Value::Int(a), Value::Int(b)) = (left, right) {
        return a.cmp(b);
    }
    let mut pending: SmallVec<[(&Value, &Value); 8]> = SmallVec::new();
    pending.push((left, right));
    let mut pairs: u64 = 0;
    let mut met = MetPairs::default();
    while let Some((left, right)) = pending.pop() {
        pairs += 1;
        if pairs > FREE {
            cost.set(cost.get() + 1);
        }
        if met.again(pairs, left, right) {
            continue;
        }
        let order = match (left, right) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Float(a), Value::Float(b)) => a.partial_cmp(b).unwrap_or(Ordering::Equal),
            (Value::Text(a), Value::Text(b)) => {
                cost.set(cost.get() + a.len() as u64 / 64);
                a.cmp(b)
            }
            (Value::Object(a), Value::Object(b)) => universe.compare_objects(*a, *b),
            (Value::Future(a), Value::Future(b)) => universe.compare_tasks(*a, *b),
            (Value::Null, Value::Null) => Ordering::Equal,
            (Value::Null, _) => Ordering::Less,
            (_, Value::Null) => Ordering::Greater,
            _ => match (left.constructor(), right.constructor()) {
                (Some(a), Some(b)) => {
                    let rank = |c: ConstructorId| universe.model.constructor(c).rank;
                    let order = rank(a).cmp(&rank(b));
                    if order == Ordering::Equal {
                        let arguments = left.arguments().iter().zip(right.arguments());
                        pending.extend(arguments.rev());
                    }
                    order
                }
                _ => match (left.to_rational(), right.to_rational()) {
                    (Some(a), Some(b)) => a.cmp(&b),
                    _ => Ordering::Equal,
                },
            },
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

/// Feeds a value into a digest: equal values feed equally.
pub(crate) fn mix(value: &Value, mixer: &mut Mixer) {
    mix_with(value, mixer, |task| u64::from(task.0));
}

/// Feeds a value into a digest, futures as the function says. What a sequence of values feeds can be read back:
/// each begins with a word that says what follows, in which a small number has room beside it.
pub(crate) fn mix_with(value: &Value, mixer: &mut Mixer, future: impl Fn(Pid) -> u64) {
    match value {
        Value::Data(_) => mix_data(value, mixer, &future),
        _ => mix_leaf(value, mixer, &future),
    }
}

fn mix_data(whole: &Value, mixer: &mut Mixer, future: &impl Fn(Pid) -> u64) {
    let before = *mixer;
    let mut pending: SmallVec<[&Value; 8]> = SmallVec::new();
    pending.push(whole);
    let mut parts = 0;
    while let Some(value) = pending.pop() {
        if let Value::Data(data) = value {
            mixer.add(beside(11, data.constructor.0));
            pending.extend(data.arguments.iter().rev());
            parts += 1;
            if parts > sharing::LARGE {
                *mixer = before;
                return mix_large(whole, mixer, future);
            }
        } else {
            mix_leaf(value, mixer, future);
        }
    }
}

#[cold]
fn mix_large(value: &Value, mixer: &mut Mixer, future: &impl Fn(Pid) -> u64) {
    if let Value::Data(data) = value {
        let digest = sharing::digest(data, future);
        mixer.add(beside(16, data.constructor.0));
        mixer.add_two(digest as u64, (digest >> 64) as u64);
    }
}

/// The same for a value that has no others in it.
#[inline]
pub(super) fn mix_leaf(value: &Value, mixer: &mut Mixer, future: &impl Fn(Pid) -> u64) {
    match value {
        Value::Null => mixer.add(1),
        Value::Int(number) => mixer.add_two(2, *number as u64),
        Value::Atom(constructor) => mixer.add(beside(8, constructor.0)),
        Value::Object(object) => mixer.add(beside(9, object.0)),
        Value::Future(task) => mixer.add_two(10, future(*task)),
        _ => mix_rare(value, mixer),
    }
}

#[inline(never)]
fn mix_rare(value: &Value, mixer: &mut Mixer) {
    match value {
        Value::Big(number) => mixer.add_bytes(3, &number.to_signed_bytes_le()),
        Value::Rational(number) => mix_rational(number, mixer),
        Value::Float(number) => mixer.add_two(6, number.to_bits()),
        Value::Text(text) => mixer.add_bytes(7, text.as_bytes()),
        Value::Term(term, _) => mixer.add_two(12, term.number()),
        Value::Fraction(parts) => {
            mixer.add_two(13, parts.0.number());
            mixer.add_two(13, parts.1.number());
        }
        Value::Unknown(unknown) => mixer.add(beside(14, unknown.0)),
        Value::Opaque(text) => mixer.add_bytes(15, text.as_bytes()),
        Value::Null
        | Value::Int(_)
        | Value::Atom(_)
        | Value::Object(_)
        | Value::Future(_)
        | Value::Data(_) => {}
    }
}

/// Feeds a number into a digest as the value would that it is.
pub(crate) fn mix_rational(number: &BigRational, mixer: &mut Mixer) {
    if !number.is_integer() {
        mixer.add_bytes(4, &number.numer().to_signed_bytes_le());
        mixer.add_bytes(5, &number.denom().to_signed_bytes_le());
    } else if let Some(number) = number.numer().to_i64() {
        mixer.add_two(2, number as u64);
    } else {
        mixer.add_bytes(3, &number.numer().to_signed_bytes_le());
    }
}

/// A word that says what follows, with a number beside it.
#[inline]
fn beside(kind: u64, number: u32) -> u64 {
    (u64::from(number) << 32) | kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_two_words() {
        assert!(size_of::<Value>() <= 16);
    }

    #[test]
    fn a_list_of_a_million_elements_is_compared_and_dropped_without_deep_recursion() {
        let long = || Value::list((0..1_000_000).map(Value::Int));
        assert!(equal(&long(), &long()));
    }

    fn digest(values: &[Value]) -> u128 {
        let mut mixer = Mixer::new(0);
        values.iter().for_each(|value| mix(value, &mut mixer));
        mixer.finish()
    }

    #[test]
    fn values_and_sequences_that_differ_have_different_digests() {
        let pair = |left: Value, right: Value| {
            Value::data(ConstructorId::CONS, SmallVec::from_buf([left, right]))
        };
        let values = [
            vec![Value::Null],
            vec![Value::Int(0)],
            vec![Value::Int(8)],
            vec![Value::Int(8 << 32)],
            vec![Value::Atom(ConstructorId(0))],
            vec![Value::Object(ObjectId(0))],
            vec![Value::Future(Pid(0))],
            vec![Value::Object(ObjectId(0)), Value::Null],
            vec![Value::Null, Value::Object(ObjectId(0))],
            vec![pair(Value::Int(1), Value::Int(2)), Value::Null],
            vec![pair(Value::Int(2), Value::Int(1)), Value::Null],
            vec![pair(pair(Value::Int(1), Value::Int(2)), Value::Null)],
            vec![pair(Value::Int(1), pair(Value::Int(2), Value::Null))],
        ];
        let mut digests: Vec<u128> = values.iter().map(|values| digest(values)).collect();
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), values.len());
    }

    #[test]
    fn a_number_has_one_digest_in_whatever_form() {
        let big: BigInt = BigInt::from(i64::MAX) * 4;
        let numbers = [
            BigRational::from_integer(5.into()),
            BigRational::from_integer(big),
            BigRational::new(1.into(), 3.into()),
        ];
        for number in numbers {
            let mut mixer = Mixer::new(0);
            mix_rational(&number, &mut mixer);
            assert_eq!(mixer.finish(), digest(&[Value::rational(number)]));
        }
    }

    #[test]
    fn whole_numbers_have_one_form() {
        let half = BigRational::new(1.into(), 2.into());
        assert!(equal(&Value::rational(half.clone() + half.clone()), &Value::Int(1)));
        assert!(!equal(&Value::rational(half), &Value::Int(0)));
    }
}
