//! Simplified terms mean what they were built to mean, to us and to Z3.

mod common;

use common::{WIDTHS, build, recipe};
use counterpoint_symbolic::{Answer, Limits, Solver, Sort, Terms, Z3};
use proptest::prelude::*;
use std::time::Duration;

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

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
    model: &counterpoint_symbolic::Model,
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
        Answer::Unsat => prop_assert!(
            false,
            "Z3 says it never equals {:?}: {text}",
            entry.values[number]
        ),
    }
    match different {
        Answer::Unsat => (),
        Answer::Unknown(reason) => prop_assert!(!reason.contains("ERROR"), "{reason}: {text}"),
        Answer::Sat(_) => prop_assert!(
            false,
            "Z3 says it can differ from {:?}: {text}",
            entry.values[number]
        ),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

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
