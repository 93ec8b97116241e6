//! What a user expects of final states: when it is violated, and what is said about nonsense.

use std::sync::Arc;

use counterpoint_abs::diagnostics::Style;
use counterpoint_abs::machine::{Options, Reduction};
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, LoadResult, load};

use super::counts::explore;

/// A race for the last word, behind a reference, with a variable in the main block.
const MODEL: &str = "module M;
interface Cell { Unit set(Int to); }
class Cell(Cell next) implements Cell {
    Int value = 0;
    List<Int> seen = Nil;
    Unit set(Int to) { value = to; seen = Cons(to, seen); }
}
class Other(Cell next) implements Cell {
    String value = \"\";
    Unit set(Int to) { value = toString(to); }
}
{
    Cell last = new Cell(null);
    Cell first = new Cell(last);
    last!set(1);
    last!set(2);
    Int two = 2;
    Cell alone = new Cell(null);
}";

fn loaded(expectation: &str) -> LoadResult {
    let options =
        LoadOptions { expectations: vec![expectation.to_owned()], ..LoadOptions::default() };
    load(vec![SourceFile::new("m.abs", MODEL)], &options)
}

/// How many of the executions violate the expectation, at each level.
fn violations(expectation: &str) -> Vec<(u64, u64)> {
    let result = loaded(expectation);
    let messages = result.render(Style::Plain);
    let model = Arc::new(result.model.unwrap_or_else(|| panic!("{messages}")));
    let levels = [
        (Reduction::None, "exhaustive"),
        (Reduction::Object, "optimal"),
        (Reduction::Field, "dpor"),
        (Reduction::Exact, "states"),
    ];
    let count = |(reduction, explorer)| {
        let options = Options { reduction, ..Options::default() };
        let (exploration, _) = explore(&model, options, explorer);
        let found = exploration.findings.iter().map(|found| {
            let message = format!("expected at the end: {expectation}");
            assert_eq!(found.finding.message, message);
            found.count
        });
        (found.sum(), exploration.statistics.executions)
    };
    levels.map(count).to_vec()
}

#[test]
fn violations_are_counted_at_every_level() {
    let always = vec![(0, 2); 4];
    let sometimes = vec![(1, 2); 4];
    let never = vec![(2, 2); 4];
    let rows = [
        ("Cell:0#0.value > 0", &always),
        ("Cell:0#0.value == 2", &sometimes),
        ("Cell:0#0.value == two", &sometimes),
        ("Cell:0#1.next == last", &always),
        ("Cell:0#0.seen == list[2, 1]", &sometimes),
        ("length(Cell:0#0.seen) == two", &always),
        ("case Cell:0#0.seen { Cons(x, _) => x == 2; Nil => False; }", &sometimes),
        ("let (Int x) = Cell:0#0.value in x < 3", &always),
        ("two == 2", &always),
        ("two == 3", &never),
        ("head(Cell:0#2.seen) == 1", &never),
        ("Cell:0#7.value == 0", &never),
    ];
    for (expectation, expected) in rows {
        assert_eq!(violations(expectation), *expected, "{expectation}");
    }
}

#[test]
fn nonsense_is_explained() {
    let rows = [
        ("last.value == 2", "the classes with a field `value` give it several types"),
        ("last.colour == 2", "none of the classes `Cell`, `Other` has a field `colour`"),
        ("Cell:0#0.colour == 2", "the class `Cell` has no field `colour`"),
        ("lost.next == null", "the main block has no variable `lost`"),
        ("two.next == null", "`.next` needs an object, but this has type `Int`"),
        ("Nothing:0#0.x == 1", "there is no class `Nothing`"),
        ("Cell:0#0.value", "expected `Bool`, found `Int`"),
        ("Cell:0#0.value == True", "expected `Int`, found `Bool`"),
        ("three == 3", "unknown variable `three`"),
        ("two == 2 two", "expected the end of the expression"),
        ("two ==", "expected an expression"),
        ("", "expected an expression"),
        ("random(2) == 0", "an expectation cannot call `random`"),
        ("last.set(1)", "cannot be part of an expression"),
    ];
    for (expectation, message) in rows {
        let result = loaded(expectation);
        assert!(result.model.is_none(), "{expectation}");
        let text = result.render(Style::Plain);
        assert!(text.contains(message), "{expectation}:\n{text}");
        assert!(text.contains("--expect:1:"), "{expectation}:\n{text}");
    }
}

#[test]
fn what_has_no_value_violates_an_expectation() {
    let text = "module M;
        interface I { Int never(); }
        class C implements I { Int n = 0; Int never() { await n > 0; return n; } }
        { I o = new C(); Fut<Int> f = o!never(); Int r = f.get; }";
    let options = LoadOptions { expectations: vec!["r == 0".into()], ..LoadOptions::default() };
    let result = load(vec![SourceFile::new("m.abs", text)], &options);
    let model = Arc::new(result.model.unwrap());
    let (exploration, _) = explore(&model, Options::default(), "optimal");
    let kinds: Vec<&str> =
        exploration.findings.iter().map(|found| found.finding.kind.word()).collect();
    assert_eq!(kinds, ["assertion", "deadlock"]);
}

#[test]
fn guards_neither_choose_nor_read() {
    for call in ["random(2) > x", "strlen(readln()) > x", "twice(x) > x"] {
        let text = format!(
            "module M; def Int twice(Int n) = random(n) * 2;
             interface I {{ Unit m(); }}
             class C implements I {{ Int x = 0; Unit m() {{ await {call}; }} }}
             {{ I o = new C(); o!m(); }}"
        );
        let result = load(vec![SourceFile::new("m.abs", text)], &LoadOptions::default());
        let text = result.render(Style::Plain);
        assert!(text.contains("a guard cannot call"), "{call}: {text}");
    }
}
