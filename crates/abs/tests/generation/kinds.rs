//! Models with data of every kind: lists, maps, user types, futures, aliases, conditions, recursion, strings,
//! rationals and exceptions. Each test is confirmed by a run with its values.

use counterpoint_abs::generate::targets;
use counterpoint_abs::machine::{Criteria, Cut, Outcome};

use super::collect::{generate, in_turn, model};

/// For each method of a model how many tests it has, how many of them fail, and how many executions the
/// limit on loops has cut.
fn check(name: &str, text: &str, expected: &[(&str, usize, usize, usize)]) {
    let model = model(text);
    let found: Vec<(String, usize, usize, usize)> = targets(&model, &[])
        .unwrap()
        .into_iter()
        .map(|target| {
            let generated = generate(&model, &target.name, &in_turn(), &Criteria::default());
            assert!(generated.bounds.is_empty(), "{}: {:?}", target.name, generated.bounds);
            let cut = generated.cuts.get(&Cut::Loops).copied().unwrap_or(0);
            let failing = generated.with(Outcome::Failure);
            (target.name, generated.tests.len(), failing, cut)
        })
        .collect();
    let found: Vec<(&str, usize, usize, usize)> = found
        .iter()
        .map(|(method, tests, failing, cut)| (method.as_str(), *tests, *failing, *cut))
        .collect();
    assert_eq!(found, expected, "{name}");
}

#[test]
fn every_kind_of_data_has_the_tests_that_its_cases_make() {
    check(
        "lists",
        include_str!("models/lists.abs"),
        &[
            ("QueueImpl.push", 2, 0, 1),
            ("QueueImpl.pop", 2, 1, 0),
            ("QueueImpl.total", 3, 0, 2),
            ("QueueImpl.has", 3, 0, 1),
        ],
    );
    check(
        "maps",
        include_str!("models/maps.abs"),
        &[
            ("BankImpl.balanceOf", 3, 0, 1),
            ("BankImpl.open", 4, 0, 1),
            ("BankImpl.transfer", 6, 0, 2),
        ],
    );
    check(
        "user_data",
        include_str!("models/user_data.abs"),
        &[
            ("CanvasImpl.count", 3, 0, 1),
            ("CanvasImpl.paint", 9, 0, 0),
            ("CanvasImpl.area", 5, 0, 0),
            ("CanvasImpl.grow", 2, 0, 0),
        ],
    );
    check(
        "futures",
        include_str!("models/futures.abs"),
        &[
            ("WorkerImpl.compute", 2, 1, 0),
            ("WorkerImpl.use", 1, 0, 0),
            ("WorkerImpl.both", 5, 0, 0),
            ("WorkerImpl.start", 2, 0, 0),
        ],
    );
    check(
        "alias",
        include_str!("models/alias.abs"),
        &[
            ("CellImpl.get_", 1, 0, 0),
            ("CellImpl.set_", 1, 0, 0),
            ("CellImpl.swap", 2, 0, 0),
            ("CellImpl.same", 4, 0, 0),
        ],
    );
    check(
        "rationals",
        include_str!("models/rationals.abs"),
        &[("TillImpl.share", 5, 1, 0), ("TillImpl.fair", 3, 0, 0), ("TillImpl.rounded", 2, 0, 0)],
    );
    check(
        "exceptions",
        include_str!("models/exceptions.abs"),
        &[
            ("AccountImpl.withdraw", 3, 2, 0),
            ("AccountImpl.safe", 3, 0, 0),
            ("AccountImpl.close", 2, 1, 0),
            ("AccountImpl.divide", 3, 1, 0),
        ],
    );
    check(
        "strings",
        include_str!("models/strings.abs"),
        &[
            ("LoginImpl.check_", 10, 0, 0),
            ("LoginImpl.length_", 0, 0, 0),
            ("LoginImpl.greet", 1, 0, 0),
        ],
    );
}

/// A function over a list that a guard calls is limited like any other.
#[test]
fn recursion_inside_a_guard_is_limited() {
    check(
        "awaits",
        include_str!("models/awaits.abs"),
        &[
            ("BufferImpl.put_", 6, 0, 1),
            ("BufferImpl.take_", 1, 0, 0),
            ("BufferImpl.clear", 1, 0, 0),
        ],
    );
}

/// The condition of a loop may be implied by what was decided in its body, over and over again. One iteration of
/// `collatz` is allowed: it ends for 1 and 2, and is cut for larger even numbers and for odd ones.
#[test]
fn loops_and_recursion_that_decide_in_their_bodies_are_limited() {
    let text = "module Decide;
        def Int steps(Int n) = if n <= 1 then 0 else if n % 2 == 0 then steps(truncate(n / 2)) else steps(3 * n + 1);
        def Int both(Int a, Int b) = if a > 0 then both(a - 1, b) else if b > 0 then both(a, b - 1) else 0;
        interface I { Int collatz(Int n); Int known(List<Bool> l, Bool a, Bool b); Int run_(Int n); Int two(Int a, Int b); }
        class C implements I {
          Int collatz(Int n) {
            Int steps = 0; Int x = n;
            while (x > 1) {
              if (x % 2 == 0) { x = truncate(x / 2); } else { x = 3 * x + 1; }
              steps = steps + 1;
            }
            return steps;
          }
          Int known(List<Bool> l, Bool a, Bool b) {
            Int r = 0;
            foreach (c in list[a, b, a]) { if (c) { r = r + 1; } }
            return r;
          }
          Int run_(Int n) { return steps(n); }
          Int two(Int a, Int b) { return both(a, b); }
        }
        { }";
    check(
        "decide",
        text,
        &[("C.collatz", 2, 0, 2), ("C.known", 4, 0, 0), ("C.run_", 2, 0, 2), ("C.two", 3, 0, 3)],
    );
}
