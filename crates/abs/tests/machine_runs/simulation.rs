//! Policies, bounds, and models that do not behave.

use counterpoint_abs::machine::{ObjectPolicy, Options, Reduction, TaskPolicy};

use super::counts::explore;
use super::semantics::{ends, model};

const QUEUE: &str = "
    interface Q { Unit put(Int n); Unit twice(Int n); }
    class Q implements Q {
        List<Int> log = Nil;
        Unit put(Int n) { log = appendright(log, n); }
        Unit twice(Int n) { log = appendright(log, n); suspend; log = appendright(log, n); }
    }
    { Q a = new Q(); Q b = new Q(); a!twice(1); a!put(2); b!put(3); a!put(4); }";

fn simulate(objects: ObjectPolicy, tasks: TaskPolicy) -> Vec<(String, u64)> {
    let options = Options { objects, tasks, reduction: Reduction::None, ..Options::default() };
    ends(&model(QUEUE), options, "exhaustive").into_iter().collect()
}

#[test]
fn policies_leave_one_execution() {
    let one = |objects, tasks, log: &str| {
        let expected = format!("Complete a: Q(log=list[{log}]) b: Q(log=list[3])");
        assert_eq!(simulate(objects, tasks), [(expected, 1)]);
    };
    one(ObjectPolicy::RoundRobin, TaskPolicy::Fifo, "1,2,4,1");
    one(ObjectPolicy::RoundRobin, TaskPolicy::Lifo, "4,2,1,1");
}

#[test]
fn a_policy_for_tasks_alone_leaves_the_order_of_objects_open() {
    // Four steps of one object in a fixed order, one of the other at five places.
    let expected = "Complete a: Q(log=list[1,2,4,1]) b: Q(log=list[3])".to_owned();
    assert_eq!(simulate(ObjectPolicy::Any, TaskPolicy::Fifo), [(expected, 5)]);
}

#[test]
fn a_loop_that_never_releases_is_given_up() {
    let text = "
        interface A { Unit spin(); Unit other(); }
        class A implements A {
            Int x = 0;
            Unit spin() { while (True) { x = 1 - x; } }
            Unit other() { skip; }
        }
        { A a = new A(); a!spin(); a!other(); }";
    let options = Options { work_per_step: 10_000, ..Options::default() };
    let (exploration, _) = explore(&model(text), options, "optimal");
    let kinds: Vec<&str> =
        exploration.findings.iter().map(|found| found.finding.kind.word()).collect();
    assert_eq!(kinds, ["unsupported"]);
    assert_eq!(exploration.bounds, [counterpoint_model::Bound::Unsupported]);
}

#[test]
fn endless_recursion_overflows_the_models_stack_and_not_ours() {
    let text = "
        def Int deep(Int n) = 1 + deep(n + 1);
        { Int x = 0; try { x = deep(0); } catch { StackOverflowEcxeption => x = 1; } assert x == 1; }";
    let (exploration, _) = explore(&model(text), Options::default(), "optimal");
    assert_eq!(exploration.findings, []);
}

#[test]
fn long_lists_are_built_and_dropped() {
    let text = "
        def List<Int> up(Int n, List<Int> done) = when n == 0 then done else up(n - 1, Cons(n, done));
        { List<Int> l = up(300000, Nil); assert head(l) == 1; assert l == l; l = Nil; }";
    let (exploration, _) = explore(&model(text), Options::default(), "optimal");
    assert_eq!(exploration.findings, []);
}

#[test]
fn integers_and_rationals_are_exact() {
    let text = "
        def Int power(Int b, Int n) = when n == 0 then 1 else b * power(b, n - 1);
        {
            Int big = power(2, 200);
            assert big / power(2, 199) == 2;
            assert 1/3 + 1/6 == 1/2;
            assert truncate(-7/2) == -3;
            assert -7 % 3 == -1;
            assert toString(1/3) == \"1/3\";
            assert toString(power(2, 70)) == \"1180591620717411303424\";
            assert max(1/3, 1/2) == 1/2;
        }";
    let (exploration, _) = explore(&model(text), Options::default(), "optimal");
    assert_eq!(exploration.findings, []);
}
