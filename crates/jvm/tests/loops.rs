//! Loops in which a thread only looks are left out, and nobody can tell: by hand, and against the machine
//! that runs them, up to a bound on its steps.

use crate::common;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use common::{Programs, endings};
use counterpoint_explore::{
    Assignment, Execution, Exploration, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit,
    default_properties, explorer,
};
use counterpoint_jvm::Options;
use counterpoint_model::{Choice, End, FindingKind, Program};
use counterpoint_testkit::random::Random;

fn programs() -> &'static Programs {
    static PROGRAMS: OnceLock<Programs> = OnceLock::new();
    PROGRAMS.get_or_init(|| Programs::compile(&["loops"]))
}

fn kinds(result: &Exploration) -> BTreeSet<FindingKind> {
    result.findings.iter().map(|found| found.finding.kind).collect()
}

/// Every explorer finds these outcomes; the optimal one in so many executions, if they are counted.
fn check(case: &str, executions: Option<u64>, outcomes: &[&str]) {
    let program = programs().load(&format!("Loops {case}"));
    let (result, seen) = endings("optimal", &program, None);
    assert_eq!(result.unexplored, None, "{case}");
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), outcomes, "{case}");
    if let Some(executions) = executions {
        assert_eq!(result.statistics.executions, executions, "{case}");
    }
    let few = result.statistics.executions < 200;
    for other in ["exhaustive", "dpor", "race-flip"].into_iter().skip(usize::from(!few)) {
        let (others, seen) = endings(other, &program, None);
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), outcomes, "{other}: {case}");
        assert_eq!(kinds(&others), kinds(&result), "{other}: {case}");
    }
    for net in ["unfolding", "contextual", "stateful"] {
        let (others, _) = endings(net, &program, None);
        assert_eq!(kinds(&others), kinds(&result), "{net}: {case}");
    }
}

#[test]
fn a_round_that_somebody_notices_is_more_than_looking() {
    let truths = ["false false", "false true", "true false", "true true"];
    let truths = truths.map(|text| format!("Complete {text}"));
    let truths: Vec<&str> = truths.iter().map(String::as_str).collect();
    for case in ["watchdog", "asked-twice", "timed-twice"] {
        check(case, None, &truths);
    }
    let counts = ["Complete 0 0", "Complete 0 1", "Complete 1 0", "Complete 1 1"];
    check("readers-counted", None, &counts);
}

#[test]
fn a_thread_that_counts_does_not_come_round() {
    check("read-holds", Some(3), &["Complete 3"]);
    check("holds", Some(3), &["Complete 3"]);
    check("counted-in-array", Some(5), &["Complete 0", "Complete 1", "Complete 2", "Complete 3"]);
    check("counted-in-thread-local", Some(4), &["Complete 0", "Complete 1", "Complete 2"]);
    check("deadline", None, &["Complete false", "Complete true"]);
}

#[test]
fn a_loop_that_tries_again_is_no_spin() {
    // The others may have made each attempt fail, and the traces are those of the retries alone.
    check("retry", Some(1_092), &["Complete 3 3"]);
    // Either goes first, or one reads before the other has set and sets after it.
    check("retry-two", Some(4), &["Complete 2"]);
}

#[test]
fn what_a_loop_makes_anew_in_every_round_does_not_matter() {
    check("futures", None, &["Complete all done"]);
    check("stream", None, &["Complete both set"]);
    check("reentrant", None, &["Complete 1"]);
}

#[test]
fn a_place_in_a_queue_is_lost_by_waiting_again() {
    let (_, seen) = endings("optimal", &programs().load("Loops queue"), None);
    for signalled in 0..=2 {
        assert!(seen.contains(&format!("Complete {signalled}")), "{seen:?}");
    }
}

#[test]
fn threads_that_poll_each_other_meet_unless_they_cannot() {
    for (case, met) in [("meet", "Complete met"), ("seen-asleep", "Complete seen")] {
        let program = programs().load(&format!("Loops {case}"));
        for name in ["optimal", "dpor", "unfolding", "contextual", "stateful"] {
            let (result, seen) = endings(name, &program, None);
            assert!(seen.contains(met), "{name}: {case}: {seen:?}");
            assert_eq!(kinds(&result), BTreeSet::new(), "{name}: {case}");
        }
    }
    // The two can notice each other for ever, so this does not end by itself.
    let (result, _) = endings("optimal", &programs().load("Loops never-meet"), Some(500));
    assert_eq!(kinds(&result), BTreeSet::from([FindingKind::Deadlock]));
}

#[test]
fn a_run_in_a_hurry_gives_up_early_and_the_next_one_does_not() {
    let options = Options { fuel: 100_000_000, ..Options::default() };
    let program = programs().load_with("Loops long", options);
    let fault = |hurry: bool| {
        let mut run = program.start(&[]);
        if hurry {
            run.hurry();
        }
        let mut steps = std::iter::from_fn(|| Some(run.step(Choice::of(run.first_ready(None)?))));
        steps.find_map(|event| event.fault).expect("a step fails")
    };
    assert_eq!(fault(false).kind, FindingKind::Assertion);
    let hurried = fault(true);
    assert!(hurried.is_endless(), "{hurried:?}");
    assert_eq!(fault(false).kind, FindingKind::Assertion);
}

/// What complete executions printed, and whether there were others.
#[derive(Default)]
struct Bounded {
    outcomes: BTreeSet<String>,
}

impl Sink for Bounded {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let run = execution.run;
        let outcome = run.outcome().unwrap_or_default();
        if run.end() == End::Complete && run.is_finished() {
            self.outcomes.insert(outcome);
        }
        Flow::Continue
    }
}

fn bounded(name: &str, program: &dyn Program, executions: Option<u64>) -> BTreeSet<String> {
    let mut sink = Bounded::default();
    let result = (explorer(name).expect("an explorer").explore)(Assignment {
        program,
        unit: WorkUnit::whole(),
        limits: Limits { executions, steps: 400, ..Limits::default() },
        properties: default_properties(),
        sink: &mut sink,
        parameters: ParameterValues::seeded(1),
    });
    assert_eq!(result.internal_errors, Vec::<String>::new(), "{name}");
    sink.outcomes
}

/// Statements of one thread, each of which ends if the other one is done.
const STATEMENTS: &[&str] = &[
    "a = #;",
    "b = a + #;",
    "r = r * 3 + a;",
    "r = r * 3 + b;",
    "r = r * 2 + (l.tryLock() ? free() : 0);",
    "r = r * 2 + (l.isLocked() ? 1 : 0);",
    "l.lock(); a++; l.unlock();",
    "c.incrementAndGet();",
];

/// Loops, most of which wait for the other thread.
const LOOPS: &[&str] = &[
    "while (a == 0 && !done#) { }",
    "while (b == 0 && a == 0 && !done#) Thread.onSpinWait();",
    "for (int i = 0; i < 2 && a == 0; i++) r++;",
    "while (true) { l.lock(); try { if (a != 0 || done#) break; } finally { l.unlock(); } }",
    "while (!l.tryLock()) { } l.unlock();",
    "int v; do { v = c.get(); } while (!c.compareAndSet(v, v + 1)); r = r * 3 + v;",
    "while (l.getHoldCount() < 2) { l.lock(); r += a; } l.unlock(); l.unlock();",
    "synchronized (m) { while (a == 0 && !done#) m.wait(5); }",
    "for (boolean go = true; go; ) { for (AtomicInteger k : List.of(c)) \
     if (k.get() != 0 || done#) go = false; }",
];

/// A thread's statements: some of them, a loop, some more.
fn body(random: &mut Random, other: usize) -> String {
    let mut text = String::new();
    for place in 0..3 {
        let list = if place == 1 { LOOPS } else { STATEMENTS };
        let picked = list[random.below(list.len() as u32) as usize];
        let number = if place == 1 { other } else { 1 + random.below(2) as usize };
        text.push_str(&picked.replace('#', &number.to_string()));
        text.push(' ');
    }
    text
}

fn source(count: usize, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut cases = String::new();
    for case in 0..count {
        let (one, two) = (body(&mut random, 1), body(&mut random, 0));
        cases.push_str(&format!(
            "case {case} -> {{ t = new Thread(() -> {{ int r = 0; try {{ {one} }} \
             catch (Exception e) {{ }} done0 = true; results[0] = r; }}); t.start(); \
             int r = 0; {two} done1 = true; results[1] = r; }}\n"
        ));
    }
    format!(
        "import java.util.*; import java.util.concurrent.atomic.*; import java.util.concurrent.locks.*;\n\
         public class Random {{\n\
         static volatile int a, b; static volatile boolean done0, done1;\n\
         static final AtomicInteger c = new AtomicInteger(); static final Object m = new Object();\n\
         static final ReentrantLock l = new ReentrantLock(); static final int[] results = new int[2];\n\
         static int free() {{ l.unlock(); return 1; }}\n\
         public static void main(String[] arguments) throws Exception {{\n\
         Thread t = null;\n\
         switch (Integer.parseInt(arguments[0])) {{\n{cases}}}\n\
         t.join(); System.out.println(results[0] + \" \" + results[1] + \" \" + a + \" \" + b + \" \" + c);\n}}}}\n"
    )
}

/// Random loops: what samples of the machine that runs them come to is found without them. The other way
/// round nothing can go wrong, since what is left out leaves executions of the same machine.
#[test]
fn random_loops_have_the_outcomes_of_the_machine_that_runs_them() {
    let long = std::env::var_os("COUNTERPOINT_LONG").is_some();
    let count = if long { 200 } else { 24 };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("Random.java");
    std::fs::write(&file, source(count, 7)).expect("a file");
    let programs = Programs::compile_files(&[file]);
    let (mut found, mut compared) = (0, 0);
    for case in 0..count {
        let command = format!("Random {case}");
        let pruned = bounded("optimal", &programs.load(&command), None);
        let all = Options { prune_loops: false, ..Options::default() };
        let whole = bounded("random", &programs.load_with(&command, all), Some(600));
        assert!(whole.is_subset(&pruned), "{command}: {whole:?} and {pruned:?}");
        found += pruned.len();
        compared += whole.len();
    }
    assert!(compared * 10 >= found * 8, "{compared} of {found}");
}
