//! Models on which it is hard to cover each trace exactly once. Each is checked against brute force;
//! that the machine keeps its own promises on them is tested with the random models.

use std::sync::Arc;

use counterpoint_abs::machine::{AwaitPolicy, ModelProgram, Options, Reduction};

use super::random::{check_commutes, collect};
use super::semantics::model;

/// Compares executions of `optimal` with traces by brute force.
fn check(text: &str, await_policy: AwaitPolicy) {
    check_at(text, await_policy, Reduction::Object);
}

fn check_at(text: &str, await_policy: AwaitPolicy, reduction: Reduction) {
    let options = Options { reduction, await_policy, ..Options::default() };
    let model = model(text);
    let program = ModelProgram::new(Arc::clone(&model), options);
    check_commutes(&program, 1, text);
    let (every, _) = collect(&program, "exhaustive", u64::MAX).unwrap();
    let (once, statistics) = collect(&program, "optimal", 10_000).expect("the search ends");
    let missing = every.traces.difference(&once.traces).count();
    let found = (missing, statistics.executions, statistics.abandoned);
    assert_eq!(found, (0, every.traces.len() as u64, 0), "missing, executions, abandoned");
}

#[test]
fn a_choice_before_a_race_of_guarded_steps() {
    check(
        "interface K { Int post(K o); Int pick(); Int add(); }
         class K implements K {
             Int x = 0;
             Int post(K o) { o!add(); return x; }
             Int pick() { Int w = random(2); return w; }
             Int add() { x = x + 1; return x; }
         }
         {
             K a = new K(); K b = new K();
             a!add();
             Fut<Int> f = b!pick();
             b!post(a);
             Int r = f.get;
             b!post(a);
         }",
        AwaitPolicy::Continue,
    );
}

#[test]
fn a_guard_over_a_future_in_a_field_in_a_cog_that_blocks() {
    check(
        "interface K { Int m0(K o); Int m1(K o); Int m2(K o); }
         class K implements K {
             Int x = 0; Fut<Int> g;
             Int m0(K o) { Int s = o.m2(this); return s; }
             Int m1(K o) { g = o!m2(this); return x; }
             Int m2(K o) { if (g != null) { await g?; } return x; }
         }
         {
             K a = new K(); K b = new K();
             b!m0(a);
             Fut<Int> f = b!m2(b);
             b!m1(a);
             Int r = f.get;
             b!m1(a);
         }",
        AwaitPolicy::Continue,
    );
}

#[test]
fn a_boolean_guard_that_always_releases() {
    check(
        "interface K { Int m0(K o); Int m1(K o); Int m2(K o); }
         class K implements K {
             Int x = 0;
             Int m0(K o) { o!m1(o); await x < 4; return x; }
             Int m1(K o) { o!m2(o); o!m2(o); x = 3; return x; }
             Int m2(K o) { x = x + 1; return x; }
         }
         { K a = new K(); K b = new K(); a!m0(b); a!m1(a); }",
        AwaitPolicy::Release,
    );
}

#[test]
fn messages_between_two_cogs_without_any_guard() {
    check(
        "interface K { Int m0(K o); Int m1(K o); Int m2(K o); Int m3(); }
         class K implements K {
             Int x = 0;
             Int m0(K o) { o!m2(this); return x; }
             Int m1(K o) { suspend; this!m2(o); suspend; return x; }
             Int m2(K o) { o!m3(); return x; }
             Int m3() { return x; }
         }
         { K a = new K(); K b = new local K(); b!m0(a); a!m1(a); b!m3(); }",
        AwaitPolicy::Continue,
    );
}

#[test]
fn a_choice_where_everything_is_dependent() {
    let text = "interface K { Unit pick(); Unit add(); }
         class K implements K {
             Int x = 0;
             Unit pick() { Int w = random(2); x = x + w; }
             Unit add() { x = x + 2; }
         }
         { K a = new K(); K b = new K(); b!pick(); b!add(); a!add(); }";
    check_at(text, AwaitPolicy::Continue, Reduction::None);
}
