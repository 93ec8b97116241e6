//! Values that are easy to read: small numbers where the path allows them, the least data of a type.
//!
//! A number that the path leaves free and that comes to a result is not zero but a small prime, another one for each:
//! `x + y` and `x - y` are the same for zeros, and a test with them would not tell a method from a broken one.

use std::collections::BTreeMap;
use std::rc::Rc;

use counterpoint_symbolic::{Feasible, Path, Sort, Term, Value, Variable};

use crate::machine::unknown::Unknowns;
use crate::machine::unknown::context::Datum;
use crate::machine::unknown::table::{Kind, substitute};
use crate::program::{ConstructorId, DataTypeId, Model, Type};

/// What numbers are tried to be, the most readable first.
const SMALL: [i64; 17] = [0, 1, 2, 3, -1, -2, -3, 4, 5, 6, 7, 8, 9, 10, -10, 100, 1000];

/// What numbers are tried to be first that the path leaves free and that come to a result.
const TELLING: [i64; 10] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29];

/// The numbers of references to objects that nothing is known of.
const ANONYMOUS: i64 = 1_000_000;
/// How many questions about small numbers a solver may leave open before it is not asked any more. It would
/// leave the others open as well, each after all the time that it has.
pub(super) const MOST_UNKNOWN: usize = 3;

/// The path with numbers that are small where they can be, for a run that has come to these values. Which ones does
/// not depend on what was explored before: inputs are taken in the order of their names, and each gets the first number
/// that it can be.
pub(super) fn small(unknowns: &Unknowns, results: &[Term]) -> Path {
    let mut path = unknowns.path().clone();
    let terms = Rc::clone(unknowns.terms());
    let mut references: Vec<Term> = Vec::new();
    for &id in &unknowns.introduced {
        if let Kind::Reference { code, .. } = &unknowns.table.entry(id).kind {
            references.push(*code);
        }
    }
    let mut inputs: BTreeMap<String, Variable> = BTreeMap::new();
    for &constraint in path.constraints() {
        for variable in terms.inputs_of(constraint) {
            inputs.insert(variable.name().to_owned(), variable);
        }
    }
    let telling = telling(unknowns, results);
    for (rank, input) in telling.values().enumerate() {
        let value = match input.sort() {
            Sort::Bool => Value::Bool(rank % 2 == 0),
            _ => Value::int(TELLING[rank % TELLING.len()]),
        };
        if path.model_with(input, value.clone()).is_some()
            && path.assume_value(input, value) == Feasible::Yes
        {
            inputs.remove(input.name());
        }
    }
    let mut unknown = 0;
    for input in inputs.values() {
        if input.sort() == Sort::Bool {
            let _ = [false, true]
                .into_iter()
                .find(|&truth| path.assume_value(input, Value::Bool(truth)) == Feasible::Yes);
            continue;
        }
        let (least, most) = path.bounds(input);
        let candidates: Vec<i64> = match references.contains(&input.term()) {
            // Numbers of objects that nothing is known of lie far from those of objects that are there.
            true => (0..=references.len() as i64)
                .map(|number| if number == 0 { 0 } else { ANONYMOUS + number })
                .collect(),
            false => SMALL.into_iter().chain(least).chain(most).collect(),
        };
        for candidate in candidates {
            if least.is_some_and(|least| candidate < least)
                || most.is_some_and(|most| candidate > most)
            {
                continue;
            }
            let value = Value::int(candidate);
            if unknown >= MOST_UNKNOWN && path.model_with(input, value.clone()).is_none() {
                continue;
            }
            match path.assume_value(input, value) {
                Feasible::Yes => break,
                Feasible::No => {}
                Feasible::Unknown(_) => unknown += 1,
            }
        }
    }
    path
}

/// The inputs that come to results and that the path leaves free but for their range, by name.
fn telling(unknowns: &Unknowns, results: &[Term]) -> BTreeMap<String, Variable> {
    let ranges = if unknowns.criteria.range.is_some() { 2 } else { 0 };
    let mut found = BTreeMap::new();
    for &result in results {
        for input in unknowns.terms().inputs_of(result) {
            let free = unknowns.path().constraints_on(&input).len() <= ranges;
            let computed = input.term() != result;
            if free && (input.sort() == Sort::Int || computed && input.sort() == Sort::Bool) {
                found.insert(input.name().to_owned(), input);
            }
        }
    }
    found
}

/// The least value of a type: the first constructor that leads to an end soonest.
pub(crate) fn least(model: &Model, value_type: &Type, depth: usize) -> Option<Datum> {
    const DEEPEST: usize = 12;
    if depth > DEEPEST {
        return None;
    }
    Some(match value_type {
        Type::Integer | Type::Rational | Type::Parameter(..) | Type::Open => {
            Datum::Integer(0.into())
        }
        Type::Float => Datum::Float(0.0),
        Type::String => Datum::Text(String::new()),
        Type::Data(DataTypeId::BOOL, _) => Datum::Data(ConstructorId::FALSE, Vec::new()),
        Type::Data(data_type, arguments) => {
            let constructors = &model.data_type(*data_type).constructors;
            let mut sorted: Vec<ConstructorId> = constructors.clone();
            sorted.sort_by_key(|&one| model.constructor(one).arguments.len());
            let built = sorted.into_iter().find_map(|constructor| {
                let declared = &model.constructor(constructor).arguments;
                let parts: Option<Vec<Datum>> = declared
                    .iter()
                    .map(|one| least(model, &substitute(one, arguments), depth + 1))
                    .collect();
                Some(Datum::Data(constructor, parts?))
            });
            return built;
        }
        _ => Datum::Null,
    })
}
