//! Terms hundreds of thousands of levels deep overflow no stack and take no quadratic time.
//!
//! Tests run on threads with a stack of two megabytes, so a recursion over the depth would end them.

use counterpoint_symbolic::{
    Answer, Model, Path, Solver, SolverChain, Sort, Term, Terms, Value, Z3,
};

/// Additions that no rule merges, as the operands alternate with an exclusive or.
fn deep_bits(terms: &Terms, levels: u32) -> Term {
    let x = terms.input("x", Sort::Bits(32));
    let y = terms.input("y", Sort::Bits(32));
    (0..levels).fold(x, |term, _| terms.add(terms.bit_xor(term, y), x))
}

fn deep_sum(terms: &Terms, levels: u32) -> Term {
    let [i, j] = ["i", "j"].map(|name| terms.input(name, Sort::Int));
    (0..levels).fold(i, |sum, level| terms.int_add(if level % 2 == 0 { j } else { i }, sum))
}

#[test]
fn deep_terms_are_built_evaluated_shown_and_dropped() {
    let terms = Terms::new();
    let deep = deep_bits(&terms, 200_000);
    assert_eq!(terms.depth(deep), 400_000);
    let model: Model = [("x", Value::bits(3, 32)), ("y", Value::bits(5, 32))].into_iter().collect();
    let expected = (0..200_000).fold(3u32, |value, _| (value ^ 5).wrapping_add(3));
    assert_eq!(terms.evaluate(deep, &model), Value::bits(expected.into(), 32));
    assert!(terms.display(deep).to_string().len() < 1000);
    assert_eq!(terms.inputs_of(deep).len(), 2);
}

#[test]
fn equality_walks_down_a_deep_chain_of_constants() {
    let terms = Terms::new();
    let x = terms.input("x", Sort::Bits(32));
    let constant = |value| terms.bits(value, 32);
    let deep =
        (0..200_000).fold(x, |term, _| terms.add(terms.bit_xor(term, constant(5)), constant(3)));
    let expected = (0..200_000).fold(7u32, |value, _| (value ^ 5).wrapping_add(3));
    assert_eq!(terms.eq(deep, constant(expected.into())), terms.eq(x, constant(7)));
}

#[test]
fn a_path_evaluates_a_growing_term_step_by_step() {
    let terms = Terms::new();
    let path = Path::new(terms.clone(), SolverChain::new(Z3::new()).shared());
    let (x, y) = (terms.input("x", Sort::Bits(32)), terms.input("y", Sort::Bits(32)));
    // Every prefix is evaluated: quadratic without the memo.
    (0..100_000).fold(x, |term, _| {
        let next = terms.add(terms.bit_xor(term, y), x);
        assert_eq!(path.concrete(next), Value::bits(0, 32));
        next
    });
}

#[test]
fn many_inputs_in_one_term_take_no_quadratic_memory() {
    let terms = Terms::new();
    let sum = (0..20_000).fold(terms.int(0), |sum, index| {
        terms.int_add(sum, terms.input(&format!("input{index}"), Sort::Int))
    });
    assert_eq!(terms.inputs_of(sum).len(), 20_000);
    assert_eq!(terms.evaluate(sum, &Model::new()), Value::int(0));
}

#[test]
fn z3_takes_deep_terms_up_to_its_limit_and_refuses_deeper_ones() {
    let terms = Terms::new();
    let mut z3 = Z3::new();
    let accepted = deep_sum(&terms, z3.limits().depth - 1);
    let answer = z3.check(&terms, &[terms.int_lt(accepted, terms.int(0))]);
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
    let refused = deep_sum(&terms, 200_000);
    let answer = z3.check(&terms, &[terms.int_lt(refused, terms.int(0))]);
    assert!(matches!(&answer, Answer::Unknown(reason) if reason.contains("deep")), "{answer:?}");
}
