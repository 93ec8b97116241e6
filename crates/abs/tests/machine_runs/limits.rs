//! Limits that hold: long steps end when they should, and long executions cost what their length costs.

use std::time::{Duration, Instant};

use counterpoint_abs::machine::{ModelProgram, Options, Reduction};
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load};
use counterpoint_explore::{
    Assignment, Exploration, Limits, ParameterValues, Replay, Silent, WorkUnit, default_properties,
    explorer,
};
use counterpoint_model::{Bound, Choice, Finding, FindingKind, Pid, Program, Run, Schedule};

use super::semantics::model;

fn explore(text: &str, name: &str, limits: Limits) -> Exploration {
    explored(&ModelProgram::new(model(text), Options::default()), name, limits)
}

fn explored(program: &ModelProgram, name: &str, limits: Limits) -> Exploration {
    (explorer(name).unwrap().explore)(Assignment {
        program,
        unit: WorkUnit::default(),
        limits,
        properties: default_properties(),
        sink: &mut Silent,
        parameters: ParameterValues::default(),
    })
}

#[test]
fn a_step_without_an_end_is_left_when_the_time_is_over() {
    let models = [
        "{ Int i = 0; while (True) { i = i + 1; } }",
        "def Int on(Int n) = on(n + 1); { Int i = on(0); }",
        "def Int fib(Int n) = if n < 2 then 1 else fib(n - 1) + fib(n - 2); { Int i = fib(60); }",
        "class C { Int i = 0; Unit run() { this.on(); } Unit on() { while (True) { i = i + 1; } } } { new C(); }",
        "class C { Unit on(Int n) { while (True) { this.one(n); } } Unit one(Int n) { skip; } Unit run() { this.on(0); } }
         { new C(); }",
        "{ Int n = 0; while (True) { n = length(range(1, 100)); } }",
        "{ List<Int> l = range(1, 2000); Bool b = True; while (b) { b = l == range(1, 2000); } }",
        "{ while (True) { println(\"on and on\"); } }",
        "class C { } { while (True) { new C(); } }",
    ];
    for text in models {
        for name in ["optimal", "states", "random"] {
            let started = Instant::now();
            let limits = Limits { time: Some(Duration::from_millis(100)), ..Limits::default() };
            let exploration = explore(text, name, limits);
            let elapsed = started.elapsed();
            assert!(elapsed < Duration::from_secs(60), "{name} took {elapsed:?}: {text}");
            assert!(exploration.bounds.contains(&Bound::Time), "{:?}: {text}", exploration.bounds);
            assert_eq!(exploration.statistics.executions, 0, "{text}");
            assert_eq!(exploration.findings, [], "{text}");
            assert_eq!(exploration.internal_errors, Vec::<String>::new());
            let left = exploration.unexplored.expect("all is left");
            assert_eq!((left.prefix.len(), left.already_done), (0, 0), "{text}");
        }
    }
}

/// The one finding of a model whose steps may be so long.
fn found_within(text: &str, work: u64) -> (ModelProgram, Finding) {
    let options = Options { work_per_step: work, ..Options::default() };
    let program = ModelProgram::new(model(text), options);
    let exploration = explored(&program, "optimal", Limits::default());
    assert_eq!(exploration.internal_errors, Vec::<String>::new());
    let [found] = &exploration.findings[..] else { panic!("{:?}", exploration.findings) };
    let finding = found.finding.clone();
    (program, finding)
}

/// Whether a replay in a hurry shows the finding.
fn shown_in_a_hurry((program, finding): &(ModelProgram, Finding)) -> bool {
    let Schedule { inputs, choices, .. } = &finding.schedule;
    Replay::hurried(program, inputs, choices, &finding.places).is_some()
}

const LONG_STEPS: &str = "
    interface Worker { Unit go(Int n); }
    class Works implements Worker {
        Unit first(Int n) { Int i = 0; while (i < n) { i = i + 1; } }
        Unit second() { while (True) { skip; } }
        Unit go(Int n) { this.first(n); this.second(); }
    }";

#[test]
fn nobody_waits_twice_for_a_step_that_does_not_end() {
    let found =
        found_within(&format!("{LONG_STEPS} {{ Worker w = new Works(); w!go(10); }}"), 64_000);
    assert!(found.1.likeness().is_endless(), "{:?}", found.1);
    assert!(shown_in_a_hurry(&found));
    // A run in a hurry gives up earlier than others: this one would fail otherwise.
    let text = "{ Int i = 0; while (True) { i = i + 1; assert i < 2000; } }";
    let found = found_within(text, 64_000);
    assert_eq!(found.1.message, "assertion failed: i < 2000");
    assert!(shown_in_a_hurry(&found));
}

#[test]
fn a_replay_in_a_hurry_does_not_take_a_long_step_for_an_endless_one() {
    let text = format!("{LONG_STEPS} {{ Worker w = new Works(); w!go(5000); }}");
    let found = found_within(&text, 64_000);
    assert!(found.1.likeness().is_endless(), "{:?}", found.1);
    assert_eq!(found.1.places[0].function, "Works.second");
    assert!(!shown_in_a_hurry(&found), "it is given up in the first loop");
}

#[test]
fn texts_and_numbers_that_double_end_the_step_before_they_fill_the_memory() {
    let models = [
        "{ String s = \"x\"; while (True) { s = s + s; } }",
        "{ Int n = 3; while (True) { n = n * n; } }",
        "{ Rat r = 1 / 3; while (True) { r = r * r + 1 / 7; } }",
        "{ String s = \"x\"; while (True) { s = toString(Pair(s, s)); } }",
    ];
    for text in models {
        let exploration = explore(text, "optimal", Limits::default());
        let found: Vec<FindingKind> =
            exploration.findings.iter().map(|found| found.finding.kind).collect();
        assert_eq!(found, [FindingKind::Unsupported], "{text}");
    }
}

#[test]
fn what_fails_after_a_million_rounds_is_found_and_told_in_few_lines() {
    let text = "class C {
            Int i = 0;
            Unit run() { while (i < 1000000) { i = i + 1; if (i == 999999) { skip; } } assert i < 0; }
        }
        { new C(); }";
    let exploration = explore(text, "optimal", Limits::default());
    let [found] = &exploration.findings[..] else { panic!("{:?}", exploration.findings) };
    assert_eq!(found.finding.message, "assertion failed: i < 0");
    let program = ModelProgram::new(model(text), Options::default());
    let mut run = program.start(&[]);
    let mut lines = Vec::new();
    for &choice in &found.finding.schedule.choices {
        run.step(choice);
        let told = run.explain();
        assert!(told.sites.len() < 5_000, "{} statements", told.sites.len());
        lines.extend(told.sites.into_iter().map(|site| program.place(site).line));
    }
    assert!(lines.contains(&4), "{lines:?}");
}

/// Runs a model by itself, always the first task that can move, and gives the steps it took.
fn run_through(text: &str) -> (usize, String) {
    let options = Options { reduction: Reduction::None, ..Options::default() };
    let program = ModelProgram::new(model(text), options);
    let mut run = program.start(&[]);
    let mut steps = 0;
    let mut last = None;
    while let Some(process) = run.first_ready(last) {
        run.step(Choice::of(process));
        last = Some(process);
        steps += 1;
    }
    (steps, run.outcome().unwrap())
}

#[test]
fn a_chain_of_twenty_thousand_creations_is_run_in_no_time() {
    // Each task creates the next object: the path of the last one has as many numbers.
    let text = "
        interface C { Unit go(Int n); }
        class C implements C { Unit go(Int n) { if (n > 0) { C c = new C(); c!go(n - 1); } } }
        { C c = new C(); c!go(20000); }";
    let (steps, outcome) = run_through(text);
    assert_eq!(steps, 20_002);
    assert!(outcome.len() < 20_002 * 80, "{} letters", outcome.len());
}

#[test]
fn twenty_thousand_tasks_wait_for_time_on_one_object() {
    let text = "
        interface C { Unit wait(Int time); }
        class C implements C { Int done = 0; Unit wait(Int time) { await duration(time, time); done = done + 1; } }
        { C c = new C(); Int n = 0; while (n < 20000) { c!wait(n % 1000 + 1); n = n + 1; } }";
    let (steps, outcome) = run_through(text);
    assert_eq!((steps, outcome.trim()), (40_001, "c: C(done=20000)"));
}

#[test]
fn going_back_over_jumps_of_the_clock_leaves_no_trace() {
    let text = "
        interface C { Unit wait(Int time); Unit end(); }
        class C implements C {
            Int done = 0;
            Unit wait(Int time) { await duration(time, time + 1); done = done * 3 + time; }
            Unit end() { await duration(4, 4); die AssertionFailException; }
        }
        { C c = new C(); c!wait(1); c!wait(3); c!wait(9); c!end(); }";
    let options = Options { reduction: Reduction::None, ..Options::default() };
    let program = ModelProgram::new(model(text), options);
    let mut run = program.start(&[]);
    let all_ready = |run: &dyn Run| {
        let mut ready = Vec::new();
        run.ready(&mut ready);
        let slowly = (0..run.processes()).map(Pid).filter(|&pid| run.next(pid).is_ready());
        assert_eq!(ready, slowly.collect::<Vec<_>>());
        assert_eq!(run.first_ready(None), ready.first().copied());
        ready
    };
    // Every state on a path is met again, step by step, when the path is undone and taken again.
    for pick in 0..40_usize {
        let mut marks = Vec::new();
        let mut number = pick;
        loop {
            let ready = all_ready(&*run);
            marks.push((run.mark(), ready.clone(), run.digest()));
            let Some(&process) = ready.get(number % ready.len().max(1)) else { break };
            number = number / 2 + 7 * pick;
            run.step(Choice::of(process));
        }
        while let Some((mark, ready, digest)) = marks.pop() {
            run.undo(mark);
            assert_eq!((all_ready(&*run), run.digest()), (ready, digest));
        }
    }
}

#[test]
fn a_name_or_message_of_a_million_letters_is_cut() {
    let long = "n".repeat(1_000_000);
    let models = [
        format!(
            "class C{long} {{ Int f{long} = 1; Unit run() {{ assert f{long} == 2; }} }} {{ new C{long}(); }}"
        ),
        format!("exception E{long}; {{ throw E{long}; }}"),
        format!("exception E(String s); {{ throw E(\"{long}\"); }}"),
        format!("{{ String s = \"{long}\"; assert s == \"{long}x\"; }}"),
        format!(
            "data D = D{long}a | D{long}b; {{ Object o = null; switch (D{long}a) {{ D{long}b => skip; }} }}"
        ),
    ];
    for text in models {
        let exploration = explore(&text, "optimal", Limits::default());
        let [found] = &exploration.findings[..] else { panic!("{:?}", exploration.findings) };
        assert!(found.finding.message.len() < 1_000, "{} letters", found.finding.message.len());
        let told: usize = found.finding.places.iter().map(|place| place.to_string().len()).sum();
        assert!(told < 1_000, "{told} letters");
    }
    let file =
        SourceFile::new("m.abs", format!("module M; {{ Int {long}a = 1; Int x = {long}b; }}"));
    let result = load(vec![file], &LoadOptions::default());
    let messages = result.render(counterpoint_abs::diagnostics::Style::Plain);
    assert!(result.model.is_none() && messages.len() < 5_000, "{} letters", messages.len());
}

#[test]
fn an_exception_is_told_to_come_from_another_task_only_if_it_does() {
    let object = "interface I { Unit m(); Unit bad(); }
        class C implements I { Unit m() { skip; } Unit bad() { I i = null; i.m(); } }";
    let rows = [
        ("{ I i = null; i.m(); }", "NullPointerException"),
        ("{ I i = null; i!m(); }", "NullPointerException"),
        ("{ Fut<Unit> f; f.get; }", "NullPointerException"),
        ("{ I i = new local C(); i.bad(); }", "NullPointerException"),
        ("{ Fut<Unit> f; await f?; }", "NullPointerException"),
    ];
    for (main, message) in rows {
        let exploration = explore(&format!("{object} {main}"), "optimal", Limits::default());
        let messages: Vec<&str> =
            exploration.findings.iter().map(|found| &*found.finding.message).collect();
        assert_eq!(messages, [message], "{main}");
    }
    let others =
        ["{ I i = new C(); i.bad(); }", "{ I i = new C(); Fut<Unit> f = i!bad(); f.get; }"];
    for main in others {
        let exploration = explore(&format!("{object} {main}"), "optimal", Limits::default());
        let mut messages: Vec<&str> =
            exploration.findings.iter().map(|found| &*found.finding.message).collect();
        messages.sort_unstable();
        let expected = ["NullPointerException", "NullPointerException, from another task"];
        assert_eq!(messages, expected, "{main}");
    }
}

#[test]
fn a_deadlock_of_three_hundred_tasks_is_told_at_once() {
    let text = "
        interface C { Unit go(Int n, C first); }
        class C implements C {
            Unit go(Int n, C first) {
                if (n > 0) { C c = new C(); c.go(n - 1, first); } else { first.go(0, first); }
            }
        }
        { C c = new C(); c!go(300, c); }";
    let program = ModelProgram::new(model(text), Options::default());
    let exploration = (explorer("random").unwrap().explore)(Assignment {
        program: &program,
        unit: WorkUnit::default(),
        limits: Limits { executions: Some(1), ..Limits::default() },
        properties: default_properties(),
        sink: &mut Silent,
        parameters: ParameterValues::default(),
    });
    assert_eq!(exploration.statistics.deadlocks, 1);
}
