//! Random small models: every reduction finds what no reduction finds, once per trace; steps that are
//! said to be independent are; and a run that goes back is as if it had never gone.
//!
//! A model has one class with two number fields and a future field, two or three objects in one or
//! more cogs, and a few methods. A method calls only methods with higher numbers, so models end.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::sync::Arc;

use counterpoint_abs::machine::{AwaitPolicy, ModelProgram, Options, Reduction};
use counterpoint_abs::program::Model;
use counterpoint_explore::{
    Assignment, Execution, Flow, Limits, ParameterValues, Sink, Statistics, WorkUnit, explorer,
};
use counterpoint_model::{Choice, Event, Next, Pid, Program, Run};
use counterpoint_testkit::audit::{Effort, audit};

use super::semantics::model;
use crate::random_numbers::Random;

/// What methods may contain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Statements {
    /// Numbers, futures, conditions, calls and exceptions.
    Plain,
    /// Conditions in several parts, objects created and killed on the way, failures of all kinds, too.
    Rich,
}

fn random_source(seed: u64) -> String {
    source(seed, Statements::Plain)
}

fn source(seed: u64, kind: Statements) -> String {
    let mut random = Random(seed);
    let methods = 2 + random.below(3);
    let mut text = String::from("exception Odd(Int);\ninterface K {");
    for method in 0..methods {
        let _ = write!(text, " Int m{method}(K o);");
    }
    text += " }\nclass K implements K { Int x = 0; Int y = 0; Fut<Int> g;\n";
    if random.below(3) == 0 {
        text += "    recover { Odd(_) => y = 9; }\n";
    }
    for method in 0..methods {
        let _ = writeln!(text, "    Int m{method}(K o) {{");
        let statements = 1 + random.below(4);
        let mut futures = 0;
        for number in 0..statements {
            let statement = if kind == Statements::Rich && random.below(2) == 0 {
                rich_statement(&mut random, method, methods, number, futures)
            } else {
                random_statement(&mut random, method, methods, number, &mut futures)
            };
            let _ = writeln!(text, "        {statement}");
        }
        text += "        return x;\n    }\n";
    }
    text += "}\n{\n    K a = new K();\n";
    let second = random.one_of(&["new", "new", "new local"]);
    let _ = writeln!(text, "    K b = {second} K();");
    for call in 0..2 + random.below(2) {
        let (to, about) = (random.one_of(&["a", "b"]), random.one_of(&["a", "b"]));
        let method = random.below(methods);
        let _ = writeln!(text, "    Fut<Int> f{call} = {to}!m{method}({about});");
    }
    if random.below(3) == 0 {
        text += random
            .one_of(&["    await f0?;\n    a!m0(b);\n", "    Int r = f1.get;\n    b!m1(a);\n"]);
    }
    text + "}\n"
}

fn random_statement(
    random: &mut Random,
    method: usize,
    methods: usize,
    number: usize,
    futures: &mut usize,
) -> String {
    let calls = method + 1 < methods;
    match random.below(16) {
        0 => "x = x + 1;".into(),
        1 => "x = x * 2 + 1;".into(),
        2 => "y = x;".into(),
        3 => "x = y + 3;".into(),
        4 => "y = y + 2;".into(),
        5 => "suspend;".into(),
        6 => format!("await {};", random.one_of(&["x > 0", "x > y", "y == 0", "x < 4"])),
        7 if *futures > 0 => format!("await f{}?;", *futures - 1),
        8 if *futures > 0 => {
            format!("Int v{number} = f{}.get; x = x + v{number};", *futures - 1)
        }
        9 => "if (g != null) { await g?; }".into(),
        10 => "if (g != null) { y = g.get; }".into(),
        12 => "if (x > 2) { throw Odd(x); }".into(),
        13 if *futures > 0 => {
            format!("try y = f{}.get; catch {{ Odd(e{number}) => x = e{number}; }}", *futures - 1)
        }
        11 if random.below(3) == 0 => format!("Int w{number} = random(2); y = y + w{number};"),
        _ if calls => {
            let callee = method + 1 + random.below(methods - method - 1);
            let to = random.one_of(&["o", "o", "this"]);
            let about = random.one_of(&["this", "o"]);
            match random.below(4) {
                0 => format!("Int s{number} = {to}.m{callee}({about}); y = s{number};"),
                1 => format!("g = {to}!m{callee}({about});"),
                _ => {
                    *futures += 1;
                    format!("Fut<Int> f{} = {to}!m{callee}({about});", *futures - 1)
                }
            }
        }
        _ => "y = x * 3;".into(),
    }
}

fn rich_statement(
    random: &mut Random,
    method: usize,
    methods: usize,
    number: usize,
    futures: usize,
) -> String {
    let condition = random.one_of(&["x > 0", "x > y", "y == 0", "x < 4"]);
    let other = random.one_of(&["y < 3", "x != y", "x >= 0"]);
    let calls = method + 1 < methods;
    match random.below(12) {
        0 if futures > 0 => format!("await f{}? & {condition};", futures - 1),
        1 => format!("await {condition} & {other};"),
        2 => format!("if (g != null) {{ await g? & {condition}; }}"),
        3 => format!("if ({condition}) {{ die Odd(y); }}"),
        4 => "assert x < 5;".into(),
        5 => "Rat q = 6 / (x - 2); y = truncate(q);".replace('q', &format!("q{number}")),
        6 => "foreach (e in list[1, 2]) { x = x + e; suspend; }".into(),
        7 => format!("await 6 / (y - 3) != 1 || {condition};"),
        _ if calls => {
            let callee = method + 1 + random.below(methods - method - 1);
            let new = random.one_of(&["new", "new local"]);
            match random.below(4) {
                0 => format!("K k{number} = {new} K(); k{number}!m{callee}(this);"),
                1 => format!("K k{number} = {new} K(); y = k{number}.m{callee}(o);"),
                2 => format!("try {{ x = o.m{callee}(this); }} catch {{ _ => y = y + 1; }}"),
                _ => format!("x = await o!m{callee}(this);"),
            }
        }
        _ => "try { assert y == 0; } catch { AssertionFailException => x = 7; } finally y = 1;"
            .into(),
    }
}

/// Collects ends, and traces up to the order of independent events.
#[derive(Default)]
pub struct Collector {
    pub ends: BTreeSet<String>,
    pub traces: HashSet<Vec<Vec<(u32, u32)>>>,
    /// Final states, each with the failures on the way there.
    pub finals: HashSet<(u128, BTreeSet<String>)>,
}

impl Sink for Collector {
    fn execution(&mut self, execution: &Execution<'_>, _: &Statistics) -> Flow {
        let outcome = execution.run.outcome().unwrap_or_default();
        self.ends.insert(format!("{:?}\n{outcome}", execution.ending));
        for event in execution.events {
            if let Some(fault) = &event.fault {
                self.ends.insert(fault.message.clone());
            }
        }
        let faults = execution.events.iter().filter_map(|event| event.fault.as_ref());
        let faults = faults.map(|fault| format!("{} at {:?}", fault.message, fault.site)).collect();
        self.finals.insert((execution.run.digest().unwrap(), faults));
        self.traces.insert(layers(execution.events));
        Flow::Continue
    }
}

/// Foata's normal form: each event in the first layer after all it depends on.
fn layers(events: &[Event]) -> Vec<Vec<(u32, u32)>> {
    let mut depth = vec![0; events.len()];
    let mut layers: Vec<Vec<(u32, u32)>> = Vec::new();
    for later in 0..events.len() {
        for earlier in 0..later {
            if events[earlier].dependent(&events[later]) {
                depth[later] = depth[later].max(depth[earlier] + 1);
            }
        }
        if layers.len() == depth[later] {
            layers.push(Vec::new());
        }
        let choice = events[later].choice;
        layers[depth[later]].push((choice.process.0, choice.alternative));
    }
    layers.iter_mut().for_each(|layer| layer.sort_unstable());
    layers
}

pub fn collect(
    program: &ModelProgram,
    name: &str,
    executions: u64,
) -> Option<(Collector, Statistics)> {
    let mut collector = Collector::default();
    let limits = Limits { executions: Some(executions), ..Limits::default() };
    let exploration = (explorer(name).unwrap().explore)(Assignment {
        program,
        unit: WorkUnit::default(),
        limits,
        properties: Vec::new(),
        sink: &mut collector,
        parameters: ParameterValues::default(),
    });
    exploration.unexplored.is_none().then_some((collector, exploration.statistics))
}

/// Compares everything with brute force, `optimal` to the execution.
fn compare(model: &Arc<Model>, base: &Options, text: &str) -> bool {
    compare_with(model, base, text, true)
}

/// Compares everything with brute force, and whether `optimal` is, where that is asked.
fn compare_with(model: &Arc<Model>, base: &Options, text: &str, optimal: bool) -> bool {
    let with = |reduction| {
        let options = Options { reduction, ..base.clone() };
        ModelProgram::new(Arc::clone(model), options)
    };
    let Some((all, _)) = collect(&with(Reduction::None), "exhaustive", 3000) else {
        return false;
    };
    for (name, reduction) in Reduction::ALL {
        let program = with(reduction);
        let (every, _) = collect(&program, "exhaustive", u64::MAX).unwrap();
        assert_eq!(every.ends, all.ends, "{name}\n{text}");
        // A choice where everything is dependent is more than `optimal` can cope with: see `once`.
        if (reduction == Reduction::None || base.cut_at_deadlock) && text.contains("random") {
            continue;
        }
        let (once, statistics) = collect(&program, "optimal", u64::MAX).unwrap();
        assert_eq!(once.ends, all.ends, "{name}, {base:?}\n{text}");
        let missing = every.traces.difference(&once.traces).count();
        assert_eq!(missing, 0, "{name}, {base:?}\n{text}");
        if optimal {
            let traces = every.traces.len() as u64;
            assert_eq!(statistics.executions, traces, "{name}, {base:?}\n{text}");
            assert_eq!(statistics.abandoned, 0, "{name}, {base:?}\n{text}");
        }
        for explorer in ["dpor", "race-flip"] {
            let (found, _) = collect(&program, explorer, u64::MAX).unwrap();
            assert_eq!(found.ends, all.ends, "{explorer}, {name}, {base:?}\n{text}");
        }
    }
    // Exactly one execution for each final state with the failures on the way there.
    let (every, statistics) = collect(&with(Reduction::Exact), "states", u64::MAX).unwrap();
    assert_eq!(every.ends, all.ends, "states, {base:?}\n{text}");
    assert_eq!(statistics.executions, all.finals.len() as u64, "states, {base:?}\n{text}");
    true
}

/// Models on which something once went wrong: a rehearsed step was added to a wakeup tree with what it touches
/// elsewhere, and an execution was given up.
const REGRESSIONS: [u64; 1] = [362];

/// So many models, from the one that `RANDOM_MODELS_FROM` says on.
fn seeds() -> impl Iterator<Item = u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("RANDOM_MODELS_FROM").unwrap_or(0);
    REGRESSIONS.into_iter().chain(first..first + number("RANDOM_MODELS").unwrap_or(150))
}

#[test]
fn every_reduction_reaches_every_end() {
    let mut compared = 0;
    for seed in seeds() {
        let text = random_source(seed);
        let model = model(&text);
        for await_policy in [AwaitPolicy::Continue, AwaitPolicy::Release] {
            let options = Options { await_policy, ..Options::default() };
            compared += u32::from(compare(&model, &options, &format!("seed {seed}\n{text}")));
        }
    }
    assert!(compared > 100, "only {compared} models were small enough");
}

#[test]
fn every_reduction_reaches_every_end_of_rich_models() {
    let mut compared = 0;
    for seed in seeds() {
        let text = source(seed, Statements::Rich);
        let model = model(&text);
        for await_policy in [AwaitPolicy::Continue, AwaitPolicy::Release] {
            let options = Options { await_policy, ..Options::default() };
            let about = format!("rich seed {seed}\n{text}");
            compared += u32::from(compare_with(&model, &options, &about, false));
        }
        let options = Options { cut_at_deadlock: true, ..Options::default() };
        compare_with(&model, &options, &format!("rich seed {seed}\n{text}"), false);
    }
    assert!(compared > 100, "only {compared} models were small enough");
}

#[test]
fn every_reduction_reaches_every_end_where_deadlocks_cut_executions() {
    for seed in seeds() {
        let text = random_source(seed);
        let options = Options { cut_at_deadlock: true, ..Options::default() };
        compare(&model(&text), &options, &format!("seed {seed}\n{text}"));
    }
}

fn ready(run: &dyn Run) -> Vec<Choice> {
    let mut choices = Vec::new();
    for process in (0..run.processes()).map(Pid) {
        if let Next::Ready(_) = run.next(process) {
            let count = run.alternatives(process).count;
            choices.extend((0..count).map(|alternative| Choice { process, alternative }));
        }
    }
    choices
}

fn state(run: &dyn Run) -> (u128, Vec<Choice>, Option<String>, Vec<Option<u64>>) {
    let local = (0..run.processes()).map(|pid| run.local_state(Pid(pid))).collect();
    (run.digest().unwrap(), ready(run), run.outcome(), local)
}

#[test]
fn a_run_that_goes_back_is_as_if_it_had_never_gone() {
    let sources = seeds().flat_map(|seed| {
        [Statements::Plain, Statements::Rich].map(|kind| (seed, source(seed, kind)))
    });
    for (seed, text) in sources {
        let model = model(&text);
        let program = ModelProgram::new(model, Options::default());
        let mut random = Random(seed ^ 0xffff);
        let mut run = program.start(&[]);
        let mut choices: Vec<Choice> = Vec::new();
        let mut marks = vec![(run.mark(), state(&*run))];
        for _ in 0..60 {
            let possible = ready(&*run);
            if possible.is_empty() || random.below(4) == 0 {
                let back = random.below(marks.len());
                marks.truncate(back + 1);
                choices.truncate(back);
                run.undo(marks[back].0);
                assert_eq!(state(&*run), marks[back].1, "seed {seed}");
                continue;
            }
            let choice = possible[random.below(possible.len())];
            let event = run.step(choice);
            let told = run.explain();
            assert!(!told.text.is_empty());
            choices.push(choice);
            let mark = run.mark();
            marks.push((mark, state(&*run)));
            let mut fresh = program.start(&[]);
            let events: Vec<Event> = choices.iter().map(|&choice| fresh.step(choice)).collect();
            assert_eq!(events.last(), Some(&event), "seed {seed}");
            assert_eq!(state(&*fresh), state(&*run), "seed {seed}");
        }
    }
}

/// Checks what the machine says about its steps along a few random walks.
pub fn check_commutes(program: &ModelProgram, seed: u64, about: &str) {
    let audit = audit(program, Effort { beyond: 0, seed, ..Effort::default() });
    assert!(audit.complaints.is_empty(), "{audit}{about}");
}

#[test]
fn independent_steps_commute() {
    let sources = seeds().flat_map(|seed| {
        [Statements::Plain, Statements::Rich].map(|kind| (seed, source(seed, kind)))
    });
    for (seed, text) in sources {
        let model = model(&text);
        for (name, reduction) in Reduction::ALL {
            for (await_policy, cut_at_deadlock) in [
                (AwaitPolicy::Continue, false),
                (AwaitPolicy::Continue, true),
                (AwaitPolicy::Release, false),
            ] {
                let options =
                    Options { reduction, await_policy, cut_at_deadlock, ..Options::default() };
                let program = ModelProgram::new(Arc::clone(&model), options);
                check_commutes(&program, seed, &format!("{name}, seed {seed}\n{text}"));
            }
        }
    }
}
