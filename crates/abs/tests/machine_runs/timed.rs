//! Time passes until somebody can move, however often it has to jump.

use std::collections::BTreeSet;

use counterpoint_abs::machine::{Options, Reduction, TaskPolicy};

use super::semantics::{ends, model};

/// The ends of a model, without how many executions lead to each.
fn check(text: &str, expected: &[&str]) {
    let model = model(text);
    let policies = [TaskPolicy::Any, TaskPolicy::Fifo];
    for (tasks, explorer) in policies.into_iter().zip(["exhaustive", "exhaustive"]) {
        let options = Options { reduction: Reduction::None, tasks, ..Options::default() };
        let found: BTreeSet<String> = ends(&model, options, explorer).into_keys().collect();
        let expected: BTreeSet<String> = expected.iter().map(|end| (*end).to_owned()).collect();
        assert_eq!(found, expected, "{tasks:?}: {text}");
    }
}

const SLOW: &str = "
    interface Slow { Unit wait(Int time); Int now2(Int time); }
    class Slow implements Slow {
        Unit wait(Int time) { await duration(time, time); }
        Int now2(Int time) { await duration(time, time); return truncate(timeValue(now())); }
    }";

#[test]
fn the_clock_goes_on_while_the_object_of_a_task_whose_time_has_come_is_blocked() {
    let object = "
        interface O { Unit blocked(Slow slow); Unit soon(Int time); }
        class O implements O {
            Int x = 0;
            Unit blocked(Slow slow) { Fut<Unit> f = slow!wait(10); f.get; x = x + 1; }
            Unit soon(Int time) { await duration(time, time); x = x + 1; }
        }";
    for soons in ["o!soon(1);", "o!soon(1); o!soon(2);", "o!soon(1); o!soon(20);"] {
        let main = format!("{{ Slow slow = new Slow(); O o = new O(); {soons} o!blocked(slow); }}");
        let done = 1 + soons.matches("soon").count();
        check(
            &format!("{SLOW}{object}{main}"),
            &[&format!("Complete slow: Slow() o: O(x={done})")],
        );
    }
}

#[test]
fn the_clock_goes_on_while_a_task_that_sleeps_keeps_its_object() {
    check(
        "interface O { Unit sleep(); Unit soon(); }
         class O implements O {
             List<Int> order = Nil;
             Unit sleep() { duration(5, 5); order = Cons(5, order); }
             Unit soon() { await duration(1, 1); order = Cons(1, order); }
         }
         { O o = new O(); o!soon(); o!sleep(); }",
        // Who can move goes before time passes: nobody waits for 1 before the other sleeps.
        &["Complete o: O(order=list[1,5])"],
    );
}

#[test]
fn waiting_for_each_other_is_a_deadlock_however_much_time_there_is() {
    check(
        "interface O { Unit one(); Unit two(); Unit soon(); }
         class O implements O {
             Int x = 0;
             Unit one() { Fut<Unit> f = this!two(); f.get; }
             Unit two() { skip; }
             Unit soon() { await duration(1, 1); x = x + 1; }
         }
         { O o = new O(); o!soon(); o!one(); }",
        &["Deadlock o: O(x=0)"],
    );
}

#[test]
fn a_condition_on_the_clock_is_looked_at_again_when_the_clock_has_moved() {
    check(
        &format!(
            "{SLOW}
             interface O {{ Unit late(); }}
             class O implements O {{
                 Int x = 0;
                 Unit late() {{ await timeValue(now()) >= 3; x = truncate(timeValue(now())); }}
             }}
             {{ Slow slow = new Slow(); O o = new O(); o!late(); slow!wait(2); slow!wait(7); }}"
        ),
        &["Complete slow: Slow() o: O(x=7)"],
    );
}

#[test]
fn a_wait_for_time_and_a_result_needs_both() {
    check(
        &format!(
            "{SLOW}
             interface O {{ Unit both(Slow slow); }}
             class O implements O {{
                 Int x = 0;
                 Unit both(Slow slow) {{
                     Fut<Int> f = slow!now2(4);
                     await f? & duration(2, 2);
                     x = truncate(timeValue(now()));
                 }}
             }}
             {{ Slow slow = new Slow(); O o = new O(); o!both(slow); }}"
        ),
        &["Complete slow: Slow() o: O(x=4)"],
    );
}

#[test]
fn tasks_of_an_object_that_has_died_need_not_wait_for_their_time() {
    check(
        "interface O { Unit die2(); Unit late(); Unit alone(); }
         class O implements O {
             Unit die2() { await duration(1, 1); die AssertionFailException; }
             Unit late() { await duration(100, 100); }
             Unit alone() { skip; }
         }
         class Clock { Int end = 0; Unit run() { await duration(2, 2); end = truncate(timeValue(now())); } }
         { O o = new O(); o!late(); o!die2(); new Clock(); }",
        &["Complete o: O() dead Clock 1(end=2)", "exception: AssertionFailException"],
    );
}
