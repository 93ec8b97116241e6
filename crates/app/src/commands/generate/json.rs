//! The result file of `generate`.
//!
//! There may be many thousands of tests, which take longer to write down than to store. So each is written down when it is
//! found, by whoever found it, and the file is put together at the end.

use std::io::{self, Write};
use std::path::Path;

use counterpoint_abs::generate::datum_text;
use counterpoint_abs::machine::{Datum, ObjectCase, Slot, Subject, TaskCase, TaskEnd, TestCase};
use counterpoint_abs::program::Model;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use super::Generation;
use super::case::Test;
use super::missing::Uncovered;
use super::session::Session;
use crate::cli::generate::Form;
use crate::output;
use crate::trouble::Trouble;

/// The version of the file.
const FORMAT: u32 = 1;

/// Writes the file.
pub fn write(path: &Path, generation: &Generation) -> Result<(), Trouble> {
    let entries = entries(generation);
    output::write_by_parts(path, &mut |to| {
        let mut before = "{\n";
        for (key, value) in &entries {
            write!(to, "{before}  {}: ", Value::from(key.as_str()))?;
            match key == TESTS {
                true => write_tests(to, generation)?,
                false => to.write_all(indented(value, "  ").as_bytes())?,
            }
            before = ",\n";
        }
        to.write_all(b"\n}\n")
    })
}

/// The key of the tests.
const TESTS: &str = "tests";

fn write_tests(to: &mut dyn Write, generation: &Generation) -> io::Result<()> {
    let mut before = "[\n    ";
    for (session, test) in generation.tests() {
        to.write_all(before.as_bytes())?;
        match &test.text {
            Some(text) => to.write_all(text.as_bytes())?,
            None => {
                let (model, method) = (&generation.model, &session.target.name);
                to.write_all(text(model, generation.form, method, test).as_bytes())?;
            }
        }
        before = ",\n    ";
    }
    to.write_all(if generation.kept.is_empty() { b"[]" } else { b"\n  ]" })
}

/// A test of a method as it stands in the file.
pub fn text(model: &Model, form: Form, method: &str, test: &Test) -> Box<str> {
    indented(&WrittenTest::new(model, form, method, test), "    ").into()
}

/// A value over several lines, all but the first of which begin with this.
fn indented(value: &impl Serialize, indent: &str) -> String {
    let text = serde_json::to_string_pretty(value).expect("plain data serialises");
    // There are no other ends of lines: in texts they are written as `\n`.
    text.replace('\n', &format!("\n{indent}"))
}

/// All entries of the file but the tests, for which there is room.
fn entries(generation: &Generation) -> Map<String, Value> {
    let cuts = generation.cuts();
    let criteria = &generation.question.criteria;
    let counters: Vec<_> = generation.sessions.iter().map(|session| session.effort).collect();
    let verdict = if generation.is_complete() { "ok" } else { "incomplete" };
    let mut bounds: Vec<String> = cuts.keys().cloned().collect();
    for session in &generation.sessions {
        bounds.extend(session.bounds.iter().map(ToString::to_string));
    }
    bounds.dedup();
    let reduction = generation.sessions.first().map(|session| session.program.reduction());
    let value = json!({
        "format": FORMAT,
        "target": generation.question.request.target(),
        "methods": generation.sessions.iter().map(|s| &s.target.name).collect::<Vec<_>>(),
        "explorer": generation.sessions.first().map(Session::explorer),
        "reduction": reduction.map(|level| format!("{level:?}").to_lowercase()),
        "verdict": verdict,
        "claim": generation.claim(),
        "exhausted": generation.is_exhausted(),
        "executions": generation.sessions.iter().map(|s| s.executions).sum::<u64>(),
        "cut": cuts.values().sum::<u64>(),
        "cuts": cuts,
        "limits": {
            "loops": criteria.loops,
            "switches": criteria.switches,
            "objects": criteria.objects,
            "depth": criteria.depth,
        },
        "range": criteria.range.as_ref().map(|(least, most)| format!("{least}..{most}")),
        "bounds": bounds,
        "seconds": generation.seconds,
        "instructions": counters.iter().map(|c| c.instructions).sum::<u64>(),
        "solver": {
            "queries": counters.iter().map(|c| c.queries).sum::<u64>(),
            "unknown": counters.iter().map(|c| c.unknown).sum::<u64>(),
            "seconds": counters.iter().map(|c| c.solver_seconds).sum::<f64>(),
        },
        "form": format!("{:?}", generation.form).to_lowercase(),
        TESTS: null,
        "coverage": coverage(generation),
        "warnings": Vec::<String>::new(),
        "assumptions": assumptions(generation),
    });
    match value {
        Value::Object(entries) => entries,
        _ => Map::new(),
    }
}

/// What was assumed of initial states and of the model.
pub fn assumptions(generation: &Generation) -> Vec<String> {
    let mut all = Vec::new();
    if !generation.question.criteria.all_ends {
        all.push(
            "objects that are called exist, futures of the initial state are resolved, and a task \
             that waits for a condition on an object of the initial state waits for somebody else \
             (`--all-ends` tells these ends, too)"
                .to_string(),
        );
    }
    if let Some((least, most)) = &generation.question.criteria.range {
        all.push(format!("numbers of the initial state lie between {least} and {most}"));
    }
    all.push(
        "objects of the initial state have groups of their own and no other tasks".to_string(),
    );
    all.extend(generation.left_out.iter().map(ToString::to_string));
    all
}

fn coverage(generation: &Generation) -> Vec<Value> {
    let all = generation.coverage.iter().zip(&generation.uncovered);
    all.map(|(covered, uncovered)| {
        let missing: Vec<Value> = uncovered
            .iter()
            .map(|Uncovered { line, what, reason }| {
                json!({"line": line, "what": what, "reason": reason})
            })
            .collect();
        json!({
            "method": covered.name,
            "statements": {"covered": covered.statements.0, "all": covered.statements.1},
            "branches": {"covered": covered.branches.0, "all": covered.branches.1},
            "missing": missing,
        })
    })
    .collect()
}

/// A slot in the form that the user wants.
pub fn shown(form: Form, slot: &Slot) -> std::borrow::Cow<'_, Datum> {
    match form {
        Form::Concrete => std::borrow::Cow::Borrowed(&slot.value),
        Form::Constraints => std::borrow::Cow::Borrowed(&slot.known),
        Form::Hybrid => std::borrow::Cow::Owned(hybrid(&slot.known, &slot.value)),
    }
}

/// Numbers and Booleans as far as they are known, everything else as a value.
fn hybrid(known: &Datum, value: &Datum) -> Datum {
    match (known, value) {
        (Datum::Term(..), Datum::Text(_)) => value.clone(),
        (Datum::Term(..) | Datum::Unknown(_), Datum::Integer(_) | Datum::Rational(_))
        | (Datum::Term(..), _) => known.clone(),
        (Datum::Data(a, xs), Datum::Data(b, ys)) if a == b && xs.len() == ys.len() => {
            let parts = xs.iter().zip(ys).map(|(x, y)| hybrid(x, y));
            Datum::Data(*a, parts.collect())
        }
        _ => value.clone(),
    }
}

/// A slot as text.
pub fn slot_text(generation: &Generation, case: &TestCase, slot: &Slot) -> String {
    text_of_slot(&generation.model, generation.form, case, slot)
}

fn text_of_slot(model: &Model, form: Form, case: &TestCase, slot: &Slot) -> String {
    datum_text(model, &shown(form, slot), &|number| case.object_name(number))
}

/// What a test tests, as in `this.getData`.
pub fn subject(model: &Model, case: &TestCase, subject: Subject) -> String {
    match subject {
        Subject::Method { object, method } => {
            let selector = model.selector(model.method(method).selector);
            format!("{}.{selector}", case.object_name(object))
        }
        Subject::Function(function) => model.function(function).name.to_string(),
    }
}

/// A test as it stands in the file.
#[derive(serde::Serialize)]
struct WrittenTest<'a> {
    choices: &'a [String],
    condition: String,
    conditions: &'a [String],
    inputs: Value,
    message: Option<&'a str>,
    method: &'a str,
    outcome: &'a str,
    outputs: Value,
    /// For programs only: on one line.
    replay: Box<RawValue>,
    schedule: &'a [String],
    trace: Vec<&'a str>,
}

impl<'a> WrittenTest<'a> {
    fn new(model: &'a Model, form: Form, method: &'a str, test: &'a Test) -> WrittenTest<'a> {
        let case = &test.case;
        let (inputs, outputs) = inputs_and_outputs(model, form, case);
        WrittenTest {
            choices: &test.choices,
            condition: case.condition.join(" && "),
            conditions: &case.condition,
            inputs,
            message: case.message.as_deref(),
            method,
            outcome: case.outcome.word(),
            outputs,
            replay: to_raw_value(&WrittenCase::new(model, case)).expect("plain data serialises"),
            schedule: &test.schedule,
            trace: test.path.trace.lines().collect(),
        }
    }
}

fn inputs_and_outputs(model: &Model, form: Form, case: &TestCase) -> (Value, Value) {
    let text = |slot: &Slot| text_of_slot(model, form, case, slot);
    let fields = |slots: &[Slot]| -> Value {
        let fields = slots.iter().map(|slot| (slot.name.clone(), Value::String(text(slot))));
        Value::Object(fields.collect())
    };
    let state = |after: bool| -> Vec<Value> {
        let there = case.objects.iter().filter(|object| after || object.before.is_some());
        there
            .map(|object| {
                let slots = match after {
                    true => &object.after,
                    false => object.before.as_ref().expect("it was there"),
                };
                json!({
                    "object": object.name,
                    "class": &*model.class(object.class).name,
                    "fields": fields(slots),
                })
            })
            .collect()
    };
    let arguments = |task: usize| -> Vec<Value> {
        let slots = case.tasks[task].arguments.iter();
        slots.map(|slot| json!({"name": slot.name, "value": text(slot)})).collect()
    };
    let mut inputs = json!({ "state": state(false) });
    let mut outputs = json!({ "state": state(true) });
    if let [task] = &case.tasks[..] {
        inputs["arguments"] = Value::Array(arguments(0));
        outputs["result"] = result(&task.end, &text);
    } else {
        let tasks = (0..case.tasks.len()).map(|number| {
            let name = subject(model, case, case.tasks[number].subject);
            json!({"task": name, "arguments": arguments(number)})
        });
        inputs["tasks"] = tasks.collect();
        let results = case.tasks.iter().map(|task| {
            let name = subject(model, case, task.subject);
            json!({"task": name, "result": result(&task.end, &text)})
        });
        outputs["results"] = results.collect();
    }
    (inputs, outputs)
}

fn result(end: &TaskEnd, text: &dyn Fn(&Slot) -> String) -> Value {
    match end {
        TaskEnd::Returned(slot) => Value::String(text(slot)),
        TaskEnd::Failed(slot) => json!({ "exception": text(slot) }),
        TaskEnd::Waiting => Value::Null,
    }
}

/// What a test needs to be run again on another version of the model.
#[derive(serde::Serialize)]
struct WrittenCase<'a> {
    objects: Vec<WrittenObject<'a>>,
    tasks: Vec<WrittenTask<'a>>,
}

#[derive(serde::Serialize)]
struct WrittenObject<'a> {
    after: WrittenSlots<'a>,
    before: Option<WrittenSlots<'a>>,
    class: &'a str,
    name: &'a str,
}

#[derive(serde::Serialize)]
struct WrittenTask<'a> {
    arguments: Vec<WrittenDatum<'a>>,
    end: Option<WrittenEnd<'a>>,
    object: Option<usize>,
    subject: String,
}

#[derive(serde::Serialize)]
#[serde(rename_all = "lowercase")]
enum WrittenEnd<'a> {
    Returned(WrittenDatum<'a>),
    Failed(WrittenDatum<'a>),
}

impl<'a> WrittenCase<'a> {
    fn new(model: &'a Model, case: &'a TestCase) -> WrittenCase<'a> {
        let slots = |slots: &'a [Slot]| WrittenSlots { model, slots };
        let object = |object: &'a ObjectCase| WrittenObject {
            after: slots(&object.after),
            before: object.before.as_deref().map(slots),
            class: &model.class(object.class).name,
            name: &object.name,
        };
        let value = |slot: &'a Slot| WrittenDatum { model, value: &slot.value };
        let task = |task: &'a TaskCase| {
            let (object, subject) = match task.subject {
                Subject::Method { object, method } => {
                    let declared = model.method(method);
                    let class = &model.class(declared.class).name;
                    (Some(object), format!("{class}.{}", model.selector(declared.selector)))
                }
                Subject::Function(function) => (None, model.function(function).name.to_string()),
            };
            WrittenTask {
                arguments: task.arguments.iter().map(value).collect(),
                end: match &task.end {
                    TaskEnd::Returned(slot) => Some(WrittenEnd::Returned(value(slot))),
                    TaskEnd::Failed(slot) => Some(WrittenEnd::Failed(value(slot))),
                    TaskEnd::Waiting => None,
                },
                object,
                subject,
            }
        };
        WrittenCase {
            objects: case.objects.iter().map(object).collect(),
            tasks: case.tasks.iter().map(task).collect(),
        }
    }
}

/// Values by the names of their slots.
struct WrittenSlots<'a> {
    model: &'a Model,
    slots: &'a [Slot],
}

impl<'a> Serialize for WrittenSlots<'a> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let WrittenSlots { model, slots } = *self;
        let value = |slot: &'a Slot| (&slot.name, WrittenDatum { model, value: &slot.value });
        serializer.collect_map(slots.iter().map(value))
    }
}

/// A value, with constructors by name.
struct WrittenDatum<'a> {
    model: &'a Model,
    value: &'a Datum,
}

impl Serialize for WrittenDatum<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let model = self.model;
        let mut map = match self.value {
            Datum::Null => return serializer.serialize_unit(),
            _ => serializer.serialize_map(None)?,
        };
        match self.value {
            Datum::Null => {}
            Datum::Integer(number) => map.serialize_entry("integer", &number.to_string())?,
            Datum::Rational(number) => {
                map.serialize_entry("integer", &number.numer().to_string())?;
                map.serialize_entry("over", &number.denom().to_string())?;
            }
            Datum::Float(number) => map.serialize_entry("float", number)?,
            Datum::Text(text) => map.serialize_entry("text", text)?,
            Datum::Object(number) => map.serialize_entry("object", number)?,
            Datum::Resolved(value) => {
                map.serialize_entry("resolved", &WrittenDatum { model, value })?;
            }
            Datum::Unresolved => map.serialize_entry("unresolved", &true)?,
            Datum::Unknown(_) | Datum::Term(..) | Datum::Opaque(_) => {
                map.serialize_entry("any", &true)?;
            }
            Datum::Data(constructor, arguments) => {
                let arguments: Vec<WrittenDatum<'_>> =
                    arguments.iter().map(|value| WrittenDatum { model, value }).collect();
                map.serialize_entry("arguments", &arguments)?;
                map.serialize_entry("data", &*model.constructor(*constructor).name)?;
            }
        }
        map.end()
    }
}

/// A value as it is written, for comparing it with what was written.
pub fn datum(model: &Model, value: &Datum) -> Value {
    serde_json::to_value(WrittenDatum { model, value }).expect("plain data serialises")
}
