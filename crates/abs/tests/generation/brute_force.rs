//! Random methods against brute force: every input of a small domain is run with known values under
//! every order of tasks, and the paths with unknowns must divide these runs among themselves.
//!
//! For each input and each order exactly one path has that order and a condition that the input
//! satisfies, and it predicts the result and the final state. What a limit cuts off is a path, too.
//! The runs with known values are enumerated here, without any explorer.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use counterpoint_abs::generate::{Target, given_program};
use counterpoint_abs::machine::{
    Context, ContextObject, Criteria, Datum, Ended, ObjectCase, Options, Reduction, Slot, TaskEnd,
    TestCase,
};
use counterpoint_abs::program::{ClassId, ConstructorId, Model};
use counterpoint_model::{Choice, Program, Run, Schedule};
use counterpoint_symbolic::{Model as Values, Value};

use super::collect::{Found, every, explore, model};
use crate::random_numbers::Random;

/// What the third field of the class is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Structured {
    Boolean,
    List,
    Data,
}

fn source(seed: u64) -> (String, Structured) {
    let mut random = Random(seed);
    let kind = [Structured::Boolean, Structured::List, Structured::Data][random.below(3)];
    let (declared, first) = match kind {
        Structured::Boolean => ("Bool", "False"),
        Structured::List => ("List<Int>", "Nil"),
        Structured::Data => ("D", "A"),
    };
    let mut text = String::from(
        "module Random;\ndata D = A | B(Int) | C;\n\
         def Int sum(List<Int> l) = case l { Nil => 0; Cons(v, rest) => v + sum(rest); };\n\
         def Int value(D d) = case d { A => 0; B(v) => v; C => 7; };\n\
         interface K { Int m0(Int p, K o); Int m1(Int q); }\n",
    );
    let _ = writeln!(text, "class K implements K {{\n  Int x = 0;\n  {declared} s = {first};");
    text += "  Int m0(Int p, K o) {\n    Int r = 0;\n";
    let mut sends = 0;
    for number in 0..2 + random.below(3) {
        // Two calls make all the orders that a few statements can tell apart.
        let statement = loop {
            let statement = statement(&mut random, kind, number, 0);
            sends += statement.matches('!').count()
                - statement.matches("!s").count()
                - statement.matches("!=").count()
                - statement.matches("!(").count();
            if sends <= 2 {
                break statement;
            }
            sends = 2;
        };
        let _ = writeln!(text, "    {statement}");
    }
    let helper = helper(&mut random, kind);
    let _ = write!(text, "    return r + x;\n  }}\n  Int m1(Int q) {{\n    {helper}\n");
    text += "    return q - x;\n  }\n}\n";
    (text, kind)
}

fn statement(random: &mut Random, kind: Structured, number: usize, depth: usize) -> String {
    let condition = condition(random, kind);
    match random.below(15) {
        0 => "x = x + p;".into(),
        1 => "r = r - p * x;".into(),
        2 => "x = max(x, p);".into(),
        3 => "r = r + abs(p - x);".into(),
        4 if depth == 0 => {
            let yes = statement(random, kind, 10 * number + 10, 1);
            let no = statement(random, kind, 10 * number + 11, 1);
            format!("if ({condition}) {{ {yes} }} else {{ {no} }}")
        }
        5 => format!("if ({condition}) {{ r = r + 1; }}"),
        6 => format!("await {condition};"),
        7 => format!("Fut<Int> f{number} = o!m1(p); await f{number}?; r = f{number}.get;"),
        8 => format!("Fut<Int> f{number} = o!m1(x); r = f{number}.get;"),
        9 => "o!m1(r);".into(),
        10 => "suspend;".into(),
        11 => format!("assert !({condition});"),
        12 => "r = p % x;".into(),
        13 => match kind {
            Structured::Boolean => "s = !s;".into(),
            Structured::List => random
                .one_of(&[
                    "r = r + sum(s);",
                    "foreach (v in s) { r = r * 2 + v; }",
                    "s = Cons(p, s);",
                    "r = length(s);",
                    "if (s != Nil) { r = head(s); }",
                ])
                .into(),
            Structured::Data => random
                .one_of(&[
                    "r = r + value(s);",
                    "s = B(p);",
                    "switch (s) { A => x = 1; B(v) => { if (v > p) { x = v; } } C => r = 5; }",
                ])
                .into(),
        },
        _ => "this!m1(p);".into(),
    }
}

fn condition(random: &mut Random, kind: Structured) -> &'static str {
    let plain = ["p > x", "x == 0", "p + x < 1", "r >= p", "p != x || x > 0", "x > 0 && p > 0"];
    let own = match kind {
        Structured::Boolean => ["s", "s && p > 0", "!s || x == p"],
        Structured::List => ["s == Nil", "length(s) > x", "sum(s) > 0"],
        Structured::Data => ["s == A", "s == B(x)", "value(s) > p"],
    };
    match random.below(2) {
        0 => random.one_of(&plain),
        _ => random.one_of(&own),
    }
}

fn helper(random: &mut Random, kind: Structured) -> &'static str {
    let own = match kind {
        Structured::Boolean => "s = q > 0;",
        Structured::List => "s = Cons(q, Nil);",
        Structured::Data => "if (s == C) { s = A; }",
    };
    random.one_of(&["x = x + q;", "if (q > x) { x = q; }", "await x >= 0;", "x = 0 - q;", own])
}

/// The values of the third field.
fn structures(model: &Model, kind: Structured) -> Vec<Datum> {
    let named = |name: &str| {
        let place = model.constructors.iter().position(|one| &*one.name == name);
        ConstructorId(place.expect("it is declared") as u32)
    };
    let atom = |name: &str| Datum::Data(named(name), Vec::new());
    let number = |number: i64| Datum::Integer(number.into());
    match kind {
        Structured::Boolean => vec![atom("False"), atom("True")],
        Structured::List => {
            let one = |n| Datum::Data(named("Cons"), vec![number(n), atom("Nil")]);
            vec![atom("Nil"), one(0), one(1)]
        }
        Structured::Data => {
            let b = |n| Datum::Data(named("B"), vec![number(n)]);
            vec![atom("A"), b(0), b(1), atom("C")]
        }
    }
}

/// An input: argument, own fields, and what `o` is.
struct Input {
    context: Context,
    p: i64,
    fields: [Datum; 2],
    /// Null, `this`, or another object with these fields.
    other: Other,
}

enum Other {
    Null,
    This,
    Another([Datum; 2]),
}

fn inputs(model: &Model, target: &Target, kind: Structured) -> Vec<Input> {
    let numbers = [-1, 0, 1];
    let number = |number: i64| Datum::Integer(number.into());
    let class = ClassId(0);
    let structures = structures(model, kind);
    let mut all = Vec::new();
    for p in numbers {
        for x in numbers {
            for s in &structures {
                let mut others = vec![Other::Null, Other::This];
                for y in numbers {
                    for t in &structures {
                        others.push(Other::Another([number(y), t.clone()]));
                    }
                }
                for other in others {
                    let fields = [number(x), s.clone()];
                    let object = |name: &str, fields: &[Datum; 2]| ContextObject {
                        name: name.to_owned(),
                        class,
                        fields: Some(fields.to_vec()),
                    };
                    let mut objects = vec![object("this", &fields)];
                    let argument = match &other {
                        Other::Null => Datum::Null,
                        Other::This => Datum::Object(0),
                        Other::Another(fields) => {
                            objects.push(object("o", fields));
                            Datum::Object(1)
                        }
                    };
                    let mut tasks = target.context.tasks.clone();
                    tasks[0].arguments = Some(vec![number(p), argument]);
                    let context = Context { objects, tasks };
                    all.push(Input { context, p, fields, other });
                }
            }
        }
    }
    all
}

/// Every run of an input: its macro-steps and what came of it.
fn runs(model: &Arc<Model>, input: &Input) -> Vec<(Vec<String>, TestCase)> {
    let program = given_program(model, &Options::default(), input.context.clone());
    let mut run = program.start(&[]);
    let mut found = Vec::new();
    let mut steps = Vec::new();
    enumerate(&mut *run, &mut steps, &mut |run, steps| {
        let texts = steps.iter().map(|&step| Schedule::step_text(program.names(), step));
        found.push((texts.collect(), case_of(run)));
    });
    found
}

fn case_of(run: &dyn Run) -> TestCase {
    match Ended::of(run) {
        Some(Ended::Test(case)) => *case,
        other => panic!("a run with known data ends: {other:?}"),
    }
}

fn enumerate(run: &mut dyn Run, steps: &mut Vec<Choice>, end: &mut dyn FnMut(&dyn Run, &[Choice])) {
    let mut ready = Vec::new();
    run.ready(&mut ready);
    if ready.is_empty() {
        return end(run, steps);
    }
    for process in ready {
        let mark = run.mark();
        let choice = Choice::of(process);
        run.step(choice);
        steps.push(choice);
        enumerate(run, steps, end);
        steps.pop();
        run.undo(mark);
    }
}

/// The values that an input gives to the unknowns of a path; nothing if the path is about other data.
fn values(found: &Found, input: &Input) -> Option<Values> {
    let case = &found.case;
    let mut values = Values::new();
    let objects: Vec<&ObjectCase> =
        case.objects.iter().filter(|object| object.before.is_some()).collect();
    let before = |number: usize| objects[number].before.as_ref().expect("it was there");
    let argument = &case.tasks[0].arguments[1].known;
    // Which object it is, as far as the path has asked.
    let (fits, code) = match (&input.other, argument) {
        (Other::Null, Datum::Null | Datum::Unknown(_)) => (true, 0),
        (Other::This, Datum::Object(0) | Datum::Unknown(_)) => (true, objects[0].code),
        (Other::Another(fields), Datum::Object(number)) if *number != 0 => {
            (fill(&mut values, before(*number), fields), objects[*number].code)
        }
        (Other::Another(_), Datum::Unknown(_)) => (true, 1_000_000),
        _ => (false, 0),
    };
    values.set("o", Value::int(code));
    values.set("p", Value::int(input.p));
    (fits && fill(&mut values, before(0), &input.fields)).then_some(values)
}

/// Whether an input satisfies the condition of a path.
fn satisfies(found: &Found, input: &Input) -> bool {
    values(found, input).is_some_and(|values| {
        let holds = |&term: &_| found.terms.evaluate(term, &values) == Value::Bool(true);
        found.case.constraints.iter().all(holds)
    })
}

/// Gives values to the unknowns of some fields; false if the path knows them to be something else.
fn fill(values: &mut Values, slots: &[Slot], fields: &[Datum]) -> bool {
    slots.iter().zip(fields).all(|(slot, value)| agree(values, &slot.known, value))
}

fn agree(values: &mut Values, known: &Datum, value: &Datum) -> bool {
    match (known, value) {
        (Datum::Term(_, name), Datum::Integer(number)) => {
            values.set(name.as_str(), Value::int(number.clone()));
            true
        }
        (Datum::Term(_, name), Datum::Data(constructor, _)) => {
            values.set(name.as_str(), Value::Bool(*constructor == ConstructorId::TRUE));
            true
        }
        // Nothing has looked at it.
        (Datum::Unknown(_), _) => true,
        (Datum::Data(a, xs), Datum::Data(b, ys)) => {
            a == b && xs.iter().zip(ys).all(|(x, y)| agree(values, x, y))
        }
        _ => known == value,
    }
}

/// What a run came to, with objects by what they are to the input.
fn ending(case: &TestCase) -> String {
    let object = |object: &ObjectCase| {
        let after: Vec<&Datum> = object.after.iter().map(|slot| &slot.value).collect();
        format!("{after:?} {}", object.dead)
    };
    let objects: Vec<String> = case.objects.iter().map(object).collect();
    format!("{:?} {:?} {objects:?}", case.outcome, case.tasks[0].end)
}

fn compare(seed: u64) -> (usize, usize) {
    let (text, kind) = source(seed);
    let model = model(&text);
    let target = Target::find(&model, "K.m0").unwrap();
    let criteria = Criteria {
        loops: Some(3),
        switches: None,
        objects: None,
        range: Some(((-1).into(), 1.into())),
        all_ends: true,
        ..Criteria::default()
    };
    let all = explore(&model, "K.m0", &every(Reduction::None), &criteria);
    let reduced = explore(&model, "K.m0", &every(Reduction::Field), &criteria);
    let mut by_schedule: BTreeMap<Vec<String>, Vec<&Found>> = BTreeMap::new();
    for found in all.found.iter().filter(|found| found.cut.is_none()) {
        by_schedule.entry(found.schedule.clone()).or_default().push(found);
    }
    let started = Instant::now();
    let cuts: Vec<&Found> = all.found.iter().filter(|found| found.cut.is_some()).collect();
    let (mut checked, mut paths) = (0, BTreeSet::new());
    for input in inputs(&model, &target, kind) {
        let mut endings = BTreeSet::new();
        for (schedule, actual) in runs(&model, &input) {
            let same = by_schedule.get(&schedule).map_or(&[][..], Vec::as_slice);
            let matching: Vec<&&Found> =
                same.iter().filter(|found| satisfies(found, &input)).collect();
            let cut = cuts
                .iter()
                .filter(|found| schedule.starts_with(&found.schedule) && satisfies(found, &input))
                .count();
            assert_eq!(
                matching.len() + cut,
                1,
                "seed {seed}: input {:?} under {schedule:?} satisfies {:?}\n{text}",
                input.context,
                matching.iter().map(|found| &found.case.condition).collect::<Vec<_>>()
            );
            if let [found] = matching[..] {
                paths.insert(found.case.condition.clone());
                let wrong = misprediction(found, &input, &actual);
                assert!(wrong.is_none(), "seed {seed}: {wrong:?}\n{text}");
            }
            endings.insert(ending(&actual));
            checked += 1;
        }
        // Reduction leaves out orders, and no ending.
        let predicted: BTreeSet<String> = reduced
            .found
            .iter()
            .filter(|found| found.cut.is_none() && satisfies(found, &input))
            .map(|found| {
                let given = given_program(&model, &Options::default(), input.context.clone());
                let mut run = given.start(&[]);
                for step in &found.schedule {
                    let choice = Schedule::parse_step(given.names(), step).expect("a step");
                    assert!(
                        run.is_ready(choice.process),
                        "seed {seed}: {:?}\n{text}",
                        found.schedule
                    );
                    run.step(choice);
                }
                ending(&case_of(&*run))
            })
            .collect();
        let cut = reduced.found.iter().any(|found| found.cut.is_some());
        assert!(cut || predicted == endings, "seed {seed}: {:?}\n{text}", input.context);
    }
    if std::env::var_os("COUNTERPOINT_VERBOSE").is_some() {
        let (found, seconds) = (all.found.len(), started.elapsed().as_secs_f64());
        println!("seed {seed}: {found} executions, {checked} runs, {seconds:.2} s");
    }
    (checked, paths.len())
}

/// What a path predicts for an input: the terms of the result and of the final state under the input's
/// values. What differs from what happened, if anything does.
fn misprediction(found: &Found, input: &Input, actual: &TestCase) -> Option<String> {
    let case = &found.case;
    if case.outcome != actual.outcome {
        return Some(format!("{:?} and not {:?}", actual.outcome, case.outcome));
    }
    let values = values(found, input).expect("the input satisfies the path");
    let same = |predicted: &Slot, actual: &Slot| {
        comes_true(found, &values, &predicted.known, &actual.value)
    };
    match (&case.tasks[0].end, &actual.tasks[0].end) {
        (TaskEnd::Returned(a), TaskEnd::Returned(b)) | (TaskEnd::Failed(a), TaskEnd::Failed(b))
            if same(a, b) => {}
        (TaskEnd::Waiting, TaskEnd::Waiting) => {}
        (a, b) => return Some(format!("{b:?} and not {a:?}")),
    }
    for (a, b) in case.objects.iter().zip(&actual.objects) {
        if a.dead != b.dead || !a.after.iter().zip(&b.after).all(|(a, b)| same(a, b)) {
            return Some(format!("{b:?} and not {a:?}"));
        }
    }
    None
}

fn comes_true(found: &Found, values: &Values, predicted: &Datum, actual: &Datum) -> bool {
    match (predicted, actual) {
        (Datum::Term(term, _), Datum::Integer(number)) => {
            found.terms.evaluate(*term, values) == Value::int(number.clone())
        }
        (Datum::Term(term, _), Datum::Data(constructor, _)) => {
            let truth = *constructor == ConstructorId::TRUE;
            found.terms.evaluate(*term, values) == Value::Bool(truth)
        }
        // Nothing has looked at it, so it is what it was.
        (Datum::Unknown(_), _) => true,
        (Datum::Data(a, xs), Datum::Data(b, ys)) => {
            a == b && xs.iter().zip(ys).all(|(x, y)| comes_true(found, values, x, y))
        }
        _ => predicted == actual,
    }
}

fn divide(seeds: std::ops::Range<u64>) {
    let methods = (seeds.end - seeds.start) as usize;
    let (mut checked, mut paths) = (0, 0);
    for seed in seeds {
        let (runs, found) = compare(seed);
        checked += runs;
        paths += found;
    }
    println!("{methods} methods: {checked} runs on {paths} paths");
    assert!(paths > 2 * methods && checked > 50 * methods, "{checked} {paths}");
}

/// The number that an environment variable holds.
pub fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|text| text.parse().ok())
}

#[test]
fn paths_divide_inputs_and_orders_among_themselves() {
    divide(0..250);
}

#[test]
fn paths_of_more_methods_divide_inputs_and_orders_among_themselves() {
    divide(250..500);
}

/// `RANDOM_METHODS=N` compares so many, `FIRST_METHOD=N` begins with that one.
#[test]
#[ignore = "long"]
fn paths_of_many_methods_divide_inputs_and_orders_among_themselves() {
    let first = number("FIRST_METHOD").unwrap_or(500);
    let count = number("RANDOM_METHODS").unwrap_or(1_000);
    divide(first..first + count);
}
