//! The result file of `generate`.

use counterpoint_abs::generate::datum_text;
use counterpoint_abs::machine::{Datum, ObjectCase, Slot, Subject, TaskEnd, TestCase};
use counterpoint_abs::program::Model;
use serde_json::{Value, json};

use super::Generation;
use super::case::Test;
use super::missing::Uncovered;
use super::session::Session;
use crate::cli::generate::Form;

/// The version of the file.
const FORMAT: u32 = 1;

/// The file.
pub fn render(generation: &Generation) -> String {
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
        "tests": generation.tests().map(|(s, t)| test(generation, s, t)).collect::<Vec<_>>(),
        "coverage": coverage(generation),
        "warnings": Vec::<String>::new(),
        "assumptions": assumptions(generation),
    });
    serde_json::to_string_pretty(&value).expect("plain data serialises") + "\n"
}

/// What was assumed of initial states.
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
    let datum = shown(generation.form, slot);
    datum_text(&generation.model, &datum, &|number| case.object_name(number))
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

fn test(generation: &Generation, session: &Session, test: &Test) -> Value {
    let case = &test.case;
    let model = &generation.model;
    let text = |slot: &Slot| slot_text(generation, case, slot);
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
    json!({
        "method": session.target.name,
        "inputs": inputs,
        "condition": case.condition.join(" && "),
        "conditions": case.condition,
        "outputs": outputs,
        "outcome": case.outcome.word(),
        "message": case.message,
        "schedule": test.schedule,
        "choices": test.choices,
        "trace": test.path.trace.lines().collect::<Vec<_>>(),
        "replay": replay(model, test),
    })
}

fn result(end: &TaskEnd, text: &dyn Fn(&Slot) -> String) -> Value {
    match end {
        TaskEnd::Returned(slot) => Value::String(text(slot)),
        TaskEnd::Failed(slot) => json!({ "exception": text(slot) }),
        TaskEnd::Waiting => Value::Null,
    }
}

/// What a test needs to be run again on another version of the model.
fn replay(model: &Model, test: &Test) -> Value {
    let case = &test.case;
    let slots = |slots: &[Slot]| -> Value {
        let all = slots.iter().map(|slot| (slot.name.clone(), datum(model, &slot.value)));
        Value::Object(all.collect())
    };
    let object = |object: &ObjectCase| {
        json!({
            "name": object.name,
            "class": &*model.class(object.class).name,
            "before": object.before.as_ref().map(|before| slots(before)),
            "after": slots(&object.after),
        })
    };
    let task = |task: &counterpoint_abs::machine::TaskCase| {
        let object = match task.subject {
            Subject::Method { object, .. } => Some(object),
            Subject::Function(_) => None,
        };
        let name = match task.subject {
            Subject::Method { method, .. } => {
                let declared = model.method(method);
                format!(
                    "{}.{}",
                    model.class(declared.class).name,
                    model.selector(declared.selector)
                )
            }
            Subject::Function(function) => model.function(function).name.to_string(),
        };
        let end = match &task.end {
            TaskEnd::Returned(slot) => json!({ "returned": datum(model, &slot.value) }),
            TaskEnd::Failed(slot) => json!({ "failed": datum(model, &slot.value) }),
            TaskEnd::Waiting => Value::Null,
        };
        let arguments: Vec<Value> =
            task.arguments.iter().map(|slot| datum(model, &slot.value)).collect();
        json!({"object": object, "subject": name, "arguments": arguments, "end": end})
    };
    json!({
        "objects": case.objects.iter().map(object).collect::<Vec<_>>(),
        "tasks": case.tasks.iter().map(task).collect::<Vec<_>>(),
    })
}

/// A value, with constructors by name.
pub fn datum(model: &Model, value: &Datum) -> Value {
    match value {
        Datum::Null => Value::Null,
        Datum::Integer(number) => json!({ "integer": number.to_string() }),
        Datum::Rational(number) => {
            json!({"integer": number.numer().to_string(), "over": number.denom().to_string()})
        }
        Datum::Float(number) => json!({ "float": number }),
        Datum::Text(text) => json!({ "text": text }),
        Datum::Object(number) => json!({ "object": number }),
        Datum::Resolved(inner) => json!({ "resolved": datum(model, inner) }),
        Datum::Unresolved => json!({ "unresolved": true }),
        Datum::Unknown(_) | Datum::Term(..) | Datum::Opaque(_) => json!({ "any": true }),
        Datum::Data(constructor, arguments) => {
            let arguments: Vec<Value> = arguments.iter().map(|one| datum(model, one)).collect();
            json!({"data": &*model.constructor(*constructor).name, "arguments": arguments})
        }
    }
}
