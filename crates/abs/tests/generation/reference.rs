//! The figures of the papers: `getData`, `simulate` and `sumFacts`.

use counterpoint_abs::machine::{Criteria, Cut, Outcome, Reduction, TaskEnd};

use super::collect::{every, generate, in_turn, model};

const DATABASE: &str = include_str!("models/database.abs");
const SUM_FACTS: &str = include_str!("models/sum_facts.abs");

fn loops(limit: u32) -> Criteria {
    Criteria { loops: Some(limit), ..Criteria::default() }
}

/// Example 3 of `000`: no client, one other client, the worker first in the list.
#[test]
fn searching_a_list_of_clients_has_three_derivations() {
    let model = model(DATABASE);
    let generated = generate(&model, "DatabaseImpl.getData", &in_turn(), &loops(1));
    assert_eq!(
        generated.conditions(),
        [
            "this.clients == Cons(_, _) && this.clients.head != w && this.clients.tail == Nil",
            "this.clients == Cons(_, _) && this.clients.head == w",
            "this.clients == Nil",
        ]
    );
    assert_eq!(generated.with(Outcome::Returned), 3);
    assert!(generated.cuts[&Cut::Loops] > 0);
    for (limit, tests) in [(2, 5), (3, 7)] {
        let generated = generate(&model, "DatabaseImpl.getData", &in_turn(), &loops(limit));
        assert_eq!(generated.tests.len(), tests, "limit {limit}");
    }
}

/// Section 6.3 of `000`: with a single client, it is the worker or not.
#[test]
fn comparing_one_client_has_two_tests() {
    let model = model(DATABASE);
    let generated = generate(&model, "SingleDatabase.getData", &in_turn(), &loops(1));
    assert_eq!(generated.conditions(), ["this.client != w", "this.client == w"]);
    assert!(generated.cuts.is_empty() && generated.bounds.is_empty());
}

/// Example 4 of `000`: none, one and two workers.
#[test]
fn simulating_workers_has_the_executions_of_each_number_of_workers() {
    let model = model(DATABASE);
    for (limit, reduction, tests, deadlocked) in [
        (1, Reduction::None, 1 + 6, 2),
        (1, Reduction::Object, 1 + 3, 1),
        (2, Reduction::None, 1 + 6 + 1700, 2 + 164),
        (2, Reduction::Object, 1 + 3 + 34, 1 + 10),
    ] {
        let generated = generate(&model, "Main.simulate", &every(reduction), &loops(limit));
        assert_eq!(generated.tests.len(), tests, "limit {limit}, {reduction:?}");
        assert_eq!(generated.with(Outcome::Deadlock), deadlocked, "limit {limit}, {reduction:?}");
    }
}

/// Example 2 of `003`.
#[test]
fn summing_factorials_has_the_two_published_tests() {
    let model = model(SUM_FACTS);
    let criteria = Criteria { switches: Some(2), ..loops(1) };
    let generated = generate(&model, "A.sumFacts", &in_turn(), &criteria);
    assert_eq!(
        generated.conditions(),
        ["this.ft == 0 && this.n == 1 && ob is another A", "this.ft >= 0 && this.n <= 0"]
    );
    let number = |case: &counterpoint_abs::machine::TestCase| {
        let TaskEnd::Returned(slot) = &case.tasks[0].end else { panic!("it returned") };
        format!("{:?}", slot.value)
    };
    assert!(generated.tests.iter().all(|case| case.outcome == Outcome::Returned));
    let results: Vec<String> = generated.tests.iter().map(number).collect();
    assert_eq!(results, ["Integer(0)", "Integer(1)"]);
}
