//! What the language says about running models, on sources small enough to check by hand.
//!
//! Every model is explored without reduction and under every reduction; all must reach the same set
//! of ends. A row lists these ends, each with the number of its executions without reduction.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use counterpoint_abs::machine::{AwaitPolicy, Options, Reduction};
use counterpoint_abs::program::Model;
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};
use counterpoint_explore::{Covers, EXPLORERS, Explorer};

use super::counts::explore;

pub fn model(text: &str) -> Arc<Model> {
    let file = SourceFile::new("model.abs", format!("module M;\n{text}"));
    let result = load(vec![file], &LoadOptions::default());
    let messages = result.render(counterpoint_abs::diagnostics::Style::Plain);
    Arc::new(result.model.unwrap_or_else(|| panic!("{messages}")))
}

/// Ends as sorted lines: how it ended, findings, objects.
pub fn ends(model: &Arc<Model>, options: Options, explorer: &str) -> BTreeMap<String, u64> {
    let (exploration, outcomes) = explore(model, options, explorer);
    if explorer == "optimal" {
        assert_eq!(exploration.statistics.abandoned, 0);
    }
    let mut ends = BTreeMap::new();
    for (outcome, count) in outcomes {
        *ends.entry(outcome.trim().replace('\n', " ")).or_default() += count;
    }
    for found in &exploration.findings {
        let finding = &found.finding;
        let message = format!("{}: {}", finding.kind.word(), finding.message);
        if !matches!(finding.kind.word(), "deadlock" | "stuck") {
            ends.insert(message, found.count);
        }
    }
    ends
}

/// The explorers that reach every end of a model with so many executions.
fn systematic(executions: u64) -> impl Iterator<Item = &'static Explorer> {
    EXPLORERS.iter().filter(move |entry| match entry.covers {
        // What threads read from each other is not known of tasks: `optimal` stands in.
        Covers::Traces | Covers::TracesOnce | Covers::States | Covers::ReadsFrom => true,
        Covers::Interleavings | Covers::WithinBound => executions <= 500,
        Covers::LocalStates | Covers::Samples => false,
    })
}

fn check(text: &str, expected: &[(&str, u64)]) {
    check_with(text, Options::default(), expected);
}

fn check_with(text: &str, options: Options, expected: &[(&str, u64)]) {
    let model = model(text);
    let level = |reduction| Options { reduction, ..options.clone() };
    let all = ends(&model, level(Reduction::None), "exhaustive");
    let expected: BTreeMap<String, u64> =
        expected.iter().map(|(end, count)| ((*end).to_owned(), *count)).collect();
    assert_eq!(all, expected, "{text}");
    let keys: BTreeSet<&String> = all.keys().collect();
    for (name, reduction) in Reduction::ALL {
        for explorer in systematic(all.values().sum()).map(|entry| entry.name) {
            let reduced = ends(&model, level(reduction), explorer);
            let reduced_keys: BTreeSet<&String> = reduced.keys().collect();
            assert_eq!(reduced_keys, keys, "{explorer} under {name}: {text}");
        }
    }
}

const CELL: &str = "
    interface Cell { Unit set(Int v); Int get2(); Unit twice(); Unit waitFor(Int v); Unit suspendAdd(); }
    class Cell implements Cell {
        Int x = 0;
        Unit set(Int v) { x = v; }
        Int get2() { return x; }
        Unit twice() { x = x * 2; }
        Unit waitFor(Int v) { await x == v; x = x + 100; }
        Unit suspendAdd() { Int y = x; suspend; x = y + 1; }
    }
";

fn with_cell(main: &str, expected: &[(&str, u64)]) {
    check(&format!("{CELL}\n{{ Cell c = new Cell(); {main} }}"), expected);
}

#[test]
fn messages_may_overtake_each_other() {
    with_cell(
        "c!set(5); c!twice();",
        &[("Complete c: Cell(x=10)", 1), ("Complete c: Cell(x=5)", 1)],
    );
    with_cell("c!set(1); c!set(1); c!set(1); c!set(1);", &[("Complete c: Cell(x=1)", 24)]);
}

#[test]
fn get_waits_for_the_result_and_orders_what_follows() {
    with_cell("Fut<Unit> f = c!set(5); f.get; c!twice();", &[("Complete c: Cell(x=10)", 1)]);
}

#[test]
fn a_boolean_guard_holds_or_leaves_the_task_stuck() {
    with_cell("c!waitFor(5); c!set(5);", &[("Complete c: Cell(x=105)", 2)]);
    with_cell("c!waitFor(7);", &[("Stuck c: Cell(x=0)", 1)]);
    // The guard may hold and not hold again before the task is picked.
    with_cell(
        "c!waitFor(5); c!set(5); c!twice();",
        &[
            ("Complete c: Cell(x=105)", 3),
            ("Complete c: Cell(x=210)", 2),
            ("Stuck c: Cell(x=10)", 2),
        ],
    );
}

#[test]
fn suspending_lets_others_in_between() {
    with_cell(
        "c!suspendAdd(); c!suspendAdd();",
        &[("Complete c: Cell(x=1)", 4), ("Complete c: Cell(x=2)", 2)],
    );
}

#[test]
fn await_on_a_future_releases_only_if_it_must() {
    let text = "
        interface A { Unit go(B b); Unit bump(); }
        interface B { Int one(); }
        class A implements A {
            Int x = 0;
            Unit go(B b) { Fut<Int> f = b!one(); await f?; Int y = f.get; x = x * 2 + y; }
            Unit bump() { x = x + 1; }
        }
        class B implements B { Int one() { return 1; } }
        { A a = new A(); B b = new B(); a!go(b); a!bump(); }";
    // The future is never resolved when the await is reached: go, one and go again, with bump at one
    // of four places, of which three come before the end of go.
    check(text, &[("Complete a: A(x=2) b: B()", 1), ("Complete a: A(x=3) b: B()", 3)]);
    let options = Options { await_policy: AwaitPolicy::Release, ..Options::default() };
    check_with(
        text,
        options,
        &[("Complete a: A(x=2) b: B()", 1), ("Complete a: A(x=3) b: B()", 3)],
    );
}

#[test]
fn whether_a_future_is_resolved_is_a_race_only_where_await_continues() {
    let text = "
        interface A { Unit go(Fut<Int> f); Unit bump(); }
        interface B { Int one(); }
        class A implements A {
            Int x = 0;
            Unit go(Fut<Int> f) { x = x + 1; await f?; x = x * 10; }
            Unit bump() { x = x + 5; }
        }
        class B implements B { Int one() { return 1; } }
        { A a = new A(); B b = new B(); Fut<Int> f = b!one(); a!go(f); a!bump(); }";
    check(text, &[("Complete a: A(x=15) b: B()", 2), ("Complete a: A(x=60) b: B()", 5)]);
    let options = Options { await_policy: AwaitPolicy::Release, ..Options::default() };
    check_with(
        text,
        options,
        &[("Complete a: A(x=15) b: B()", 2), ("Complete a: A(x=60) b: B()", 6)],
    );
}

#[test]
fn a_call_back_into_a_blocked_cog_is_a_deadlock() {
    let text = "
        interface A { Unit go(B b); Unit back(); }
        interface B { Unit call(A a); }
        class A implements A { Unit go(B b) { b.call(this); } Unit back() { skip; } }
        class B implements B { Unit call(A a) { a.back(); } }
        { A a = new A(); B b = new B(); a!go(b); }";
    check(text, &[("Deadlock a: A() b: B()", 1)]);
}

#[test]
fn waiting_for_oneself_is_a_deadlock_with_await_too() {
    let text = "
        interface A { Unit go(); }
        class A implements A { Unit go() { Destiny d = destiny; await d?; } }
        { A a = new A(); a!go(); }";
    check(text, &[("Deadlock a: A()", 1)]);
}

#[test]
fn objects_of_one_cog_share_its_turn() {
    let text = "
        interface A { Unit go(); Unit seen(); }
        class B(A a) implements A { Unit go() { a.seen(); } Unit seen() { skip; } }
        class A implements A {
            Int n = 0;
            Unit go() { A b = new local B(this); b.go(); n = n * 3; }
            Unit seen() { n = n + 1; }
        }
        { A a = new A(); a!go(); a!seen(); }";
    check(text, &[("Complete a: A(n=4) B 1(a=a)", 1), ("Complete a: A(n=6) B 1(a=a)", 1)]);
}

#[test]
fn init_blocks_run_at_once_and_run_is_posted() {
    let text = "
        class A(Int p) { Int x = p + 1; Int y = 0; { y = x * 2; } Unit run() { y = y + 1; } }
        { Object a = new A(3); }";
    check(text, &[("Complete a: A(p=3, x=4, y=9)", 1)]);
}

#[test]
fn exceptions_travel_through_futures_and_kill_unless_recovered() {
    let text = "
        interface A { Int div(Int n); }
        class A implements A { Int last = 0; Int div(Int n) { last = n; return truncate(10 / n); } }
        class R implements A {
            Int last = 0;
            recover { DivisionByZeroException => last = -1; }
            Int div(Int n) { return truncate(10 / n); }
        }
        class T { Int r = 0;
            Unit run() {
                A a = new A();
                A b = new R();
                try { Fut<Int> f = a!div(0); r = f.get; } catch { DivisionByZeroException => r = 1; }
                try { Fut<Int> f = a!div(5); r = f.get; } catch { ObjectDeadException => r = r + 10; }
                try { Fut<Int> f = b!div(0); r = f.get; } catch { _ => r = r + 100; }
                Fut<Int> f = b!div(5);
                Int two = f.get;
                r = r * two;
            }
        }
        { Object t = new T(); }";
    check(
        text,
        &[
            ("Complete t: T(r=222) A 1(last=0) dead R 1(last=-1)", 1),
            ("exception: DivisionByZeroException", 1),
        ],
    );
}

#[test]
fn a_failed_assertion_is_found_where_some_order_breaks_it() {
    with_cell(
        "c!set(5); Fut<Int> f = c!get2(); Int v = f.get; assert v == 5;",
        &[("Complete c: Cell(x=5)", 3), ("assertion: assertion failed: v == 5", 2)],
    );
}

#[test]
fn random_is_a_choice_that_keeps_the_object() {
    let text = "
        interface A { Unit go(); Unit bump(); }
        class A implements A {
            Int x = 0;
            Unit go() { x = 1; Int y = random(3); x = x * 10 + y; }
            Unit bump() { x = x + 5; }
        }
        { A a = new A(); a!go(); a!bump(); }";
    check(
        text,
        &[
            ("Complete a: A(x=10)", 1),
            ("Complete a: A(x=11)", 1),
            ("Complete a: A(x=12)", 1),
            ("Complete a: A(x=15)", 1),
            ("Complete a: A(x=16)", 1),
            ("Complete a: A(x=17)", 1),
        ],
    );
}

#[test]
fn a_random_number_below_zero_or_one_of_none_is_an_exception() {
    for below in ["0", "-5", "0 - 100000000000000000000"] {
        let text = format!("{{ Int r = random({below}); }}");
        check(&text, &[("Complete", 1), ("exception: PatternMatchFailException", 1)]);
    }
    check(
        "{ Int r = 1; try { r = random(0); } catch { _ => r = 2; } assert r == 1; }",
        &[("Complete", 1), ("assertion: assertion failed: r == 1", 1)],
    );
    check("{ Int r = random(1); assert r == 0; }", &[("Complete", 1)]);
}

#[test]
fn a_random_number_with_too_many_values_is_cut_and_not_one_of_them() {
    for below in ["4294967296", "100000000000000000000"] {
        let model = model(&format!("{{ Int r = random({below}); assert r < 1; }}"));
        let (exploration, _) = explore(&model, Options::default(), "optimal");
        let findings: Vec<String> = exploration
            .findings
            .iter()
            .map(|found| format!("{}: {}", found.finding.kind.word(), found.finding.message))
            .collect();
        assert_eq!(
            findings,
            ["unsupported: a random number with more than 4,294,967,295 values"],
            "{below}"
        );
    }
}

#[test]
fn which_deployment_component_a_task_is_on_is_not_known_and_not_null() {
    let model = model(
        "import * from ABS.DC;
         interface I { Rat total(); }
         class C implements I {
             Rat total() {
                 DC here = thisDC();
                 InfRat all = here.total(Speed);
                 return case all { Fin(r) => r | InfRat => -1 };
             }
         }
         {
             DC there = new DeploymentComponent(\"there\", map[Pair(Speed, 7)]);
             [DC: there] I c = new C();
             Rat r = c.total();
             assert r == 7;
         }",
    );
    let (exploration, _) = explore(&model, Options::default(), "optimal");
    let findings = exploration.findings.iter();
    let findings: Vec<String> = findings
        .map(|one| format!("{}: {}", one.finding.kind.word(), one.finding.message))
        .collect();
    assert_eq!(findings, ["unsupported: `thisDC()`: which deployment component a task is on"]);
}

#[test]
fn what_fails_inside_of_the_library_is_told_where_it_was_called() {
    let text = "
        def Int second(Map<Int, Int> m) = 1 + lookupUnsafe(m, 2);
        {
            Map<Int, Int> m = map[Pair(1, 1)];
            Int sum = 0;
            try { sum = lookupUnsafe(m, 3); } catch { _ => sum = 1; }
            if (sum == 1) { sum = random(3); }
            if (sum == 0) { sum = lookupUnsafe(m, 4); }
            if (sum == 1) { sum = nth(list[1], 7); }
            if (sum == 2) { sum = second(m); }
        }";
    let (exploration, _) = explore(&model(text), Options::default(), "optimal");
    let mut lines: Vec<u32> =
        exploration.findings.iter().map(|found| found.finding.places[0].line).collect();
    lines.sort_unstable();
    assert_eq!(lines, [3, 9, 10]);
    assert!(exploration.findings.iter().all(|f| f.finding.places[0].file == "model.abs"));
}

#[test]
fn what_no_branch_takes_is_told_where_it_was_raised() {
    let text = "
        exception X; exception Y;
        def Int first(List<Int> l) = head(l);
        interface I { Int f(Int n); }
        class C implements I {
            Int z = 0;
            Int f(Int n) {
                if (n == 8) { throw X; }
                return n;
            }
        }
        {
            Int n = random(9);
            I c = new local C();
            try {
                if (n == 0) { throw X; }
                if (n == 1) { assert n == 0; }
                try {
                    if (n == 2) { throw X; }
                    if (n == 3) { n = first(Nil); }
                    if (n == 4) { throw Y; }
                }
                catch { Y => throw X; }
                finally { try { n = truncate(1 / (n - n)); } catch { _ => skip; } }
                if (n == 5) { n = truncate(1 / (n - 5)); }
                if (n == 6) { Fut<Int> f; n = f.get; }
                try { if (n == 7) { throw X; } } catch { e => throw e; }
                n = c.f(n);
            } catch { Y => skip; }
        }";
    let (exploration, _) = explore(&model(text), Options::default(), "optimal");
    let mut found: Vec<(u32, &str)> = exploration
        .findings
        .iter()
        .map(|found| (found.finding.places[0].line, &*found.finding.message))
        .collect();
    found.sort_unstable();
    let expected = [
        (4, "PatternMatchFailException"),
        (9, "X"),
        (17, "X"),
        (18, "assertion failed: n == 0"),
        (20, "X"),
        (24, "X"),
        (26, "DivisionByZeroException"),
        (27, "NullPointerException"),
        (28, "X"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn time_passes_only_when_nobody_can_move() {
    let text = "
        interface A { Unit late(); Unit early(); Unit block(); }
        class A implements A {
            List<Int> log = Nil; Rat t = 0;
            Unit late() { await duration(5, 5); log = Cons(2, log); t = timeValue(now()); }
            Unit early() { await duration(2, 3); log = Cons(1, log); t = timeValue(now()); }
            Unit block() { duration(1, 1); log = Cons(0, log); t = timeValue(now()); }
        }
        { A a = new A(); a!late(); a!early(); }";
    check(text, &[("Complete a: A(log=list[2,1], t=5)", 2)]);
}

#[test]
fn sets_of_objects_do_not_depend_on_who_came_first() {
    let text = "
        interface W { Unit go(S s); }
        interface S { Unit add(W w); Unit pick(); }
        class W implements W { Unit go(S s) { s!add(this); } }
        class S implements S {
            Set<W> all = set[]; W least;
            Unit add(W w) { all = insertElement(all, w); if (size(all) == 2) { least = take(all); } }
            Unit pick() { skip; }
        }
        { S s = new S(); W a = new W(); W b = new W(); b!go(s); a!go(s); }";
    check(text, &[("Complete s: S(all=set[a,b], least=a) a: W() b: W()", 6)]);
}

#[test]
fn a_guard_with_several_parts_waits_for_all() {
    let text = "
        interface A { Unit go(B b); Unit open(); }
        interface B { Int one(); }
        class A implements A {
            Bool isOpen = False; Int x = 0;
            Unit go(B b) { Fut<Int> f = b!one(); await f? & isOpen; x = f.get; }
            Unit open() { isOpen = True; }
        }
        class B implements B { Int one() { return 1; } }
        { A a = new A(); B b = new B(); a!go(b); a!open(); }";
    check(text, &[("Complete a: A(isOpen=True, x=1) b: B()", 3)]);
}
