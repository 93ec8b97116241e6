//! Random methods whose tasks look at unknown references at the same time: which objects of the initial state
//! are one is decided in every order, and reduction must leave out no test.
//!
//! Two tests are the same here if they differ only in what objects are called: an object that two tasks come
//! to is called after the one that looked first.

use std::collections::BTreeSet;
use std::fmt::Write;

use counterpoint_abs::machine::{Criteria, Datum, Reduction, TaskEnd, TestCase};

use super::brute_force::number;
use super::collect::{every, generate, model};
use crate::random_numbers::Random;

fn source(seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = String::from(
        "module Random;\ninterface K { Int both(K a, K b); Int visit(); Unit touch(); }\n\
         class K implements K {\n  K next = null;\n  Int x = 0;\n",
    );
    let both = random.one_of(&[
        "await f? & g?; Int r = f.get; Int s = g.get; return r + s;",
        "Int r = f.get; await g?; return r;",
        "await g?; Int s = g.get; x = x + s; return x;",
        "return 0;",
    ]);
    let second = random.one_of(&["b", "b", "b", "a", "this"]);
    let _ = writeln!(
        text,
        "  Int both(K a, K b) {{ Fut<Int> f = a!visit(); Fut<Int> g = {second}!visit(); {both} }}"
    );
    text += "  Int visit() {\n";
    let visit = random.one_of(&[
        "if (next != null) { next!touch(); }",
        "if (next == null) { x = x + 1; } else { next!touch(); }",
        "next!touch(); x = x + 2;",
        "if (x > 0) { next!touch(); }",
        "if (next == this) { x = 0; }",
    ]);
    let _ = writeln!(text, "    {visit}");
    let touch = random.one_of(&["x = x + 5;", "next = null;", "x = 0 - x;", "skip;"]);
    let _ = writeln!(text, "    return x;\n  }}\n  Unit touch() {{ {touch} }}\n}}\n{{ }}");
    text
}

/// A test with its objects numbered in the order in which they are reached from where it begins.
fn shape(case: &TestCase) -> String {
    let mut order = Vec::new();
    reach(case, 0, &mut order);
    for argument in case.tasks.iter().flat_map(|task| &task.arguments) {
        if let Datum::Object(number) = argument.known {
            reach(case, number, &mut order);
        }
    }
    let mut names: Vec<(String, String)> = case
        .objects
        .iter()
        .enumerate()
        .map(|(number, object)| {
            let place = order.iter().position(|&other| other == number);
            (object.name.clone(), format!("#{place:?}"))
        })
        .collect();
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let datum = |datum: &Datum| match datum {
        Datum::Object(number) => format!("{:?}", order.iter().position(|other| other == number)),
        Datum::Term(_, text) => {
            let mut text = text.clone();
            for (name, number) in &names {
                text = text.replace(&format!("{name}."), &format!("{number}."));
            }
            text
        }
        Datum::Unknown(_) => "?".to_owned(),
        other => format!("{other:?}"),
    };
    let mut text = format!("{:?}", case.outcome);
    for &number in &order {
        let object = &case.objects[number];
        for slot in object.before.iter().flatten().chain(&object.after) {
            let _ = write!(text, " {}={}", slot.name, datum(&slot.known));
        }
        text += ";";
    }
    for task in &case.tasks {
        for slot in &task.arguments {
            let _ = write!(text, " {}", datum(&slot.known));
        }
        if let TaskEnd::Returned(slot) = &task.end {
            let _ = write!(text, " returns {}", datum(&slot.known));
        }
    }
    text
}

fn reach(case: &TestCase, number: usize, order: &mut Vec<usize>) {
    if order.contains(&number) {
        return;
    }
    order.push(number);
    for slot in case.objects[number].before.iter().flatten() {
        if let Datum::Object(next) = slot.known {
            reach(case, next, order);
        }
    }
}

/// `RANDOM_METHODS=N` compares so many.
#[test]
fn tasks_that_find_objects_at_the_same_time_lose_no_test_by_reduction() {
    let criteria = Criteria { objects: Some(1), ..Criteria::default() };
    let mut tests = 0;
    let methods = number("RANDOM_METHODS").unwrap_or(10);
    for seed in 0..methods {
        let text = source(seed);
        let model = model(&text);
        let shapes = |reduction| -> BTreeSet<String> {
            let found = generate(&model, "K.both", &every(reduction), &criteria);
            found.tests.iter().map(shape).collect()
        };
        let all = shapes(Reduction::None);
        tests += all.len();
        for reduction in [Reduction::Object, Reduction::Field, Reduction::Exact] {
            let some = shapes(reduction);
            let missing: Vec<&String> = all.difference(&some).collect();
            assert!(missing.is_empty(), "seed {seed}, {reduction:?}: {missing:#?}\n{text}");
            let strange: Vec<&String> = some.difference(&all).collect();
            assert!(strange.is_empty(), "seed {seed}, {reduction:?}: {strange:#?}\n{text}");
        }
    }
    assert!(tests as u64 > 5 * methods, "{tests} tests");
}
