//! Simplified terms mean what they were built to mean, to us and to Z3.

use crate::common;

use common::{WIDTHS, build, recipe};
use counterpoint_symbolic::{Answer, Limits, Model, Solver, Sort, Term, Terms, Value, Z3};
use proptest::prelude::*;
use std::time::Duration;

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn simplified_terms_evaluate_as_the_reference_says(
        recipe in recipe(60),
        width in prop::sample::select(&WIDTHS[..]),
    ) {
        let pool = build(&recipe, width, true);
        for entry in &pool.entries {
            prop_assert_eq!(pool.terms.sort(entry.term), entry.sort);
            for (model, expected) in pool.models.iter().zip(&entry.values) {
                let value = pool.terms.evaluate(entry.term, model);
                prop_assert_eq!(&value, expected, "{}", pool.terms.display(entry.term));
            }
            if !pool.terms.has_inputs(entry.term) {
                prop_assert_eq!(pool.terms.as_constant(entry.term), Some(entry.values[0].clone()));
            }
        }
    }
}

/// Binds the inputs to a model and asks Z3 about the value of a term.
fn z3_agrees(
    terms: &Terms,
    z3: &mut Z3,
    entry: &common::Entry,
    model: &Model,
    number: usize,
) -> Result<(), TestCaseError> {
    let mut constraints: Vec<_> = terms
        .inputs_of(entry.term)
        .iter()
        .map(|input| {
            let value = model.value_of(input.name(), input.sort());
            terms.eq(input.term(), terms.value(&value))
        })
        .collect();
    let expected = terms.value(&entry.values[number]);
    constraints.push(terms.eq(entry.term, expected));
    let same = z3.check(terms, &constraints);
    constraints.pop();
    constraints.push(terms.ne(entry.term, expected));
    let different = z3.check(terms, &constraints);
    // Z3 may give up on integers; it must not contradict us.
    let text = terms.display(entry.term);
    match same {
        Answer::Sat(_) => (),
        Answer::Unknown(reason) => prop_assert!(!reason.contains("ERROR"), "{reason}: {text}"),
        Answer::Unsat => {
            prop_assert!(false, "Z3 says it never equals {:?}: {text}", entry.values[number])
        }
    }
    match different {
        Answer::Unsat => (),
        Answer::Unknown(reason) => prop_assert!(!reason.contains("ERROR"), "{reason}: {text}"),
        Answer::Sat(_) => {
            prop_assert!(false, "Z3 says it can differ from {:?}: {text}", entry.values[number])
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn z3_agrees_on_bit_vectors(
        recipe in recipe(30),
        width in prop::sample::select(&WIDTHS[..]),
    ) {
        let pool = build(&recipe, width, false);
        let mut z3 = Z3::with_limits(Limits { time: Duration::from_millis(500), ..Limits::default() });
        for entry in pool.entries.iter().rev().take(6) {
            z3_agrees(&pool.terms, &mut z3, entry, &pool.models[0], 0)?;
        }
    }

    #[test]
    fn z3_agrees_on_integers(recipe in recipe(25), width in prop::sample::select(&[1u8, 8, 32, 64][..])) {
        let pool = build(&recipe, width, true);
        let mut z3 = Z3::with_limits(Limits { time: Duration::from_millis(300), ..Limits::default() });
        let numeric = pool.entries.iter().rev().filter(|entry| entry.sort != Sort::Bits(8));
        for entry in numeric.take(4) {
            z3_agrees(&pool.terms, &mut z3, entry, &pool.models[1], 1)?;
        }
    }
}

/// A term over one vector of three bits, and its value as a vector of five bits.
type Wrapped = (fn(&Terms, Term) -> Term, fn(u64) -> u64);

fn sign_of_three(x: u64) -> u64 {
    if x < 4 { x } else { x + 24 }
}

const WRAPPED: [Wrapped; 8] = [
    (|t, x| t.zero_extend(x, 5), |x| x),
    (|t, x| t.sign_extend(x, 5), sign_of_three),
    (|t, x| t.concat(x, t.bits(2, 2)), |x| x << 2 | 2),
    (|t, x| t.add(t.zero_extend(x, 5), t.bits(30, 5)), |x| x + 30),
    (|t, x| t.sub(t.bits(3, 5), t.sign_extend(x, 5)), |x| 3u64.wrapping_sub(sign_of_three(x))),
    (|t, x| t.bit_xor(t.sign_extend(x, 5), t.bits(9, 5)), |x| sign_of_three(x) ^ 9),
    (|t, x| t.bit_not(t.zero_extend(x, 5)), |x| !x),
    (
        |t, x| t.ite(t.ult(x, t.bits(3, 3)), t.bits(17, 5), t.bits(4, 5)),
        |x| if x < 3 { 17 } else { 4 },
    ),
];

type Compared = (fn(&Terms, Term, Term) -> Term, fn(u64, u64) -> bool);

/// The order of signed vectors of five bits is that of unsigned ones with the sign flipped.
const COMPARED: [Compared; 10] = [
    (Terms::eq, |a, b| a == b),
    (Terms::ne, |a, b| a != b),
    (Terms::ult, |a, b| a < b),
    (Terms::ule, |a, b| a <= b),
    (Terms::ugt, |a, b| a > b),
    (Terms::uge, |a, b| a >= b),
    (Terms::slt, |a, b| (a ^ 16) < (b ^ 16)),
    (Terms::sle, |a, b| (a ^ 16) <= (b ^ 16)),
    (Terms::sgt, |a, b| (a ^ 16) > (b ^ 16)),
    (Terms::sge, |a, b| (a ^ 16) >= (b ^ 16)),
];

#[test]
fn comparisons_with_every_constant_are_right_for_every_value() {
    let terms = Terms::new();
    let x = terms.input("x", Sort::Bits(3));
    let models: Vec<Model> =
        (0..8).map(|value| [("x", Value::bits(value, 3))].into_iter().collect()).collect();
    for (wrap, wrapped) in WRAPPED {
        for (compare, compared) in COMPARED {
            for constant in 0..32 {
                let (term, number) = (wrap(&terms, x), terms.bits(constant, 5));
                let forth = compare(&terms, term, number);
                let back = compare(&terms, number, term);
                for (value, model) in models.iter().enumerate() {
                    let left = wrapped(value as u64) & 31;
                    let text = terms.display(forth);
                    let expected = (compared(left, constant), compared(constant, left));
                    let found = (terms.evaluate(forth, model), terms.evaluate(back, model));
                    let expected = (Value::Bool(expected.0), Value::Bool(expected.1));
                    assert_eq!(found, expected, "x = {value}, {constant}: {text}");
                }
            }
        }
    }
}

/// The same for integers: `wrapped(x) < constant` and its kind, around the corners.
#[test]
fn integer_comparisons_with_constants_are_right_for_every_value() {
    type Whole = (fn(&Terms, Term) -> Term, fn(i64) -> i64);
    let wrappers: [Whole; 5] = [
        (|t, x| t.int_add(x, t.int(3)), |x| x + 3),
        (|t, x| t.int_sub(t.int(3), x), |x| 3 - x),
        (|t, x| t.int_neg(x), |x| -x),
        (|t, x| t.int_mul(x, t.int(-3)), |x| -3 * x),
        (|t, x| t.int_add(t.int_mul(x, t.int(2)), t.int(1)), |x| 2 * x + 1),
    ];
    type Order = (fn(&Terms, Term, Term) -> Term, fn(&i64, &i64) -> bool);
    let orders: [Order; 6] = [
        (Terms::int_lt, i64::lt),
        (Terms::int_le, i64::le),
        (Terms::int_gt, i64::gt),
        (Terms::int_ge, i64::ge),
        (Terms::eq, i64::eq),
        (Terms::ne, i64::ne),
    ];
    let terms = Terms::new();
    let x = terms.input("x", Sort::Int);
    for (wrap, wrapped) in wrappers {
        for (compare, compared) in orders {
            for constant in -12..12 {
                let (term, number) = (wrap(&terms, x), terms.int(constant));
                let forth = compare(&terms, term, number);
                let back = compare(&terms, number, term);
                for value in -6..6 {
                    let model = [("x", Value::int(value))].into_iter().collect();
                    let left = wrapped(value);
                    let text = terms.display(forth);
                    let expected = [compared(&left, &constant), compared(&constant, &left)];
                    let found = [forth, back].map(|t| terms.evaluate(t, &model));
                    assert_eq!(found, expected.map(Value::Bool), "x = {value}, {constant}: {text}");
                }
            }
        }
    }
}
