//! Tests of a result file run again on a changed model: which of them differ.

use std::path::Path;
use std::sync::Arc;

use counterpoint_abs::generate::{datum_text, ending};
use counterpoint_abs::machine::{
    Context, ContextObject, ContextTask, Datum, Options, Subject, TaskEnd, TestCase,
};
use counterpoint_abs::program::{ClassId, ConstructorId, FunctionId, MethodId, Model};
use serde_json::{Value, json};

use super::json::datum;
use crate::cli::generate::GenerateArguments;
use crate::look::{Screen, Tone, count};
use crate::output;
use crate::trouble::Trouble;

const SAME: u8 = 0;
const DIFFERENT: u8 = 1;

/// Runs the tests of a file on a model.
pub fn run(path: &Path, model: &Arc<Model>, arguments: &GenerateArguments) -> Result<u8, Trouble> {
    let text =
        std::fs::read_to_string(path).map_err(|error| Trouble::file("read", path, &error))?;
    let file: Value = serde_json::from_str(&text)
        .map_err(|error| Trouble::new(format!("`{}` is not JSON: {error}", path.display())))?;
    let tests = file["tests"].as_array().ok_or_else(|| {
        Trouble::new(format!("`{}` is not a result of `generate`", path.display()))
            .hint("Write one with `counterpoint generate MODEL --json FILE`.")
    })?;
    let mut results: Vec<Value> = Vec::new();
    let screen = Screen::beside(&arguments.look, [arguments.json.as_deref()]);
    let look = screen.look;
    let mut shown = String::new();
    for (number, test) in tests.iter().enumerate() {
        let difference = differs(model, test);
        let name = test["method"].as_str().unwrap_or("test");
        if let Some(difference) = &difference {
            let condition = test["condition"].as_str().unwrap_or_default();
            shown += &format!("{name}, test {}", number + 1);
            if !condition.is_empty() {
                shown += &format!(" ({condition})");
            }
            shown += &format!(": {difference}\n");
        }
        results.push(json!({
            "number": number + 1,
            "method": name,
            "differs": difference,
        }));
    }
    let different = results.iter().filter(|result| !result["differs"].is_null()).count();
    let line = match different {
        0 => look.paint(Tone::Good, &format!("same: {} as before", passed(tests.len()))),
        _ => {
            let all = count(tests.len() as u64, "test");
            look.paint(Tone::Bad, &format!("different: {different} of {all}"))
        }
    };
    let text = format!("{shown}{line}\n");
    screen.print(&text)?;
    if let Some(path) = &arguments.json {
        let value = json!({"format": 1, "different": different, "tests": results});
        let value = serde_json::to_string_pretty(&value).expect("plain data serialises");
        output::write(path, &(value + "\n"))?;
    }
    Ok(if different == 0 { SAME } else { DIFFERENT })
}

fn passed(tests: usize) -> String {
    match tests {
        1 => "1 test comes out".to_string(),
        _ => format!("{} come out", count(tests as u64, "test")),
    }
}

/// What differs on this model, if anything does.
fn differs(model: &Arc<Model>, test: &Value) -> Option<String> {
    let replay = &test["replay"];
    let context = match context(model, replay) {
        Ok(context) => context,
        Err(trouble) => return Some(trouble),
    };
    let schedule: Vec<String> = test["schedule"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|step| step.as_str().map(str::to_string))
        .collect();
    let options = Options { work_per_step: super::WORK, ..Options::default() };
    let actual = match ending(model, &options, context, &schedule) {
        Ok(actual) => actual,
        Err(trouble) => return Some(trouble),
    };
    let outcome = test["outcome"].as_str().unwrap_or_default();
    if actual.outcome.word() != outcome {
        return Some(format!("it ends with {} and no longer {outcome}", actual.outcome.word()));
    }
    compare_ends(model, replay, &actual).or_else(|| compare_states(model, replay, &actual))
}

fn compare_ends(model: &Model, replay: &Value, actual: &TestCase) -> Option<String> {
    let expected = replay["tasks"].as_array()?;
    for (expected, task) in expected.iter().zip(&actual.tasks) {
        let end = match &task.end {
            TaskEnd::Returned(slot) => json!({ "returned": datum(model, &slot.value) }),
            TaskEnd::Failed(slot) => json!({ "failed": datum(model, &slot.value) }),
            TaskEnd::Waiting => Value::Null,
        };
        if !agrees(&expected["end"], &end) {
            let now = end_text(model, &end, &|number| actual.object_name(number));
            let before = end_text(model, &expected["end"], &|number| object_name(replay, number));
            return Some(format!("it {now} and no longer {before}"));
        }
    }
    None
}

fn end_text(model: &Model, end: &Value, object: &dyn Fn(usize) -> String) -> String {
    let value = |key: &str| end.get(key).map(|value| text(model, value, object));
    match (value("returned"), value("failed")) {
        (Some(value), _) => format!("returns {value}"),
        (None, Some(value)) => format!("fails with {value}"),
        (None, None) => "does not end".to_string(),
    }
}

fn compare_states(model: &Model, replay: &Value, actual: &TestCase) -> Option<String> {
    let expected = replay["objects"].as_array()?;
    if expected.len() != actual.objects.len() {
        let (a, b) = (expected.len(), actual.objects.len());
        let now = count(b as u64, "object");
        return Some(format!("there are {now} at the end and no longer {a}"));
    }
    for (expected, object) in expected.iter().zip(&actual.objects) {
        for slot in &object.after {
            let before = &expected["after"][&slot.name];
            let now = datum(model, &slot.value);
            if !agrees(before, &now) {
                let now = text(model, &now, &|number| actual.object_name(number));
                let before = text(model, before, &|number| object_name(replay, number));
                let field = format!("{}.{}", object.name, slot.name);
                return Some(format!("{field} is {now} at the end and no longer {before}"));
            }
        }
    }
    None
}

/// What an object of a test was called when the test was made.
fn object_name(replay: &Value, number: usize) -> String {
    replay["objects"][number]["name"].as_str().unwrap_or("an object").to_string()
}

/// A value of a result file as it is written in ABS.
fn text(model: &Model, value: &Value, object: &dyn Fn(usize) -> String) -> String {
    match read(model, value) {
        Ok(datum) => datum_text(model, &datum, object),
        Err(_) => value["data"].as_str().unwrap_or("another value").to_string(),
    }
}

fn agrees(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::Object(a), _) if a.contains_key("any") => true,
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, x)| b.get(key).is_some_and(|y| agrees(x, y)))
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| agrees(x, y))
        }
        _ => expected == actual,
    }
}

fn context(model: &Model, replay: &Value) -> Result<Context, String> {
    let mut context = Context::default();
    for object in replay["objects"].as_array().into_iter().flatten() {
        if object["before"].is_null() {
            continue;
        }
        let name = object["class"].as_str().unwrap_or_default();
        let class = class_called(model, name)?;
        let mut fields = Vec::new();
        for field in &model.class(class).fields {
            let value = object["before"]
                .get(&*field.name)
                .ok_or_else(|| format!("class `{name}` has a new field `{}`", field.name))?;
            fields.push(read(model, value)?);
        }
        let name = object["name"].as_str().unwrap_or("object").to_string();
        context.objects.push(ContextObject { name, class, fields: Some(fields) });
    }
    for task in replay["tasks"].as_array().into_iter().flatten() {
        let name = task["subject"].as_str().unwrap_or_default();
        let (subject, count) = match task["object"].as_u64() {
            Some(object) => {
                let method = method_called(model, name)?;
                let object = object as usize;
                if object >= context.objects.len() {
                    return Err("the test file is damaged".to_string());
                }
                let count = model.method(method).parameters.len();
                (Subject::Method { object, method }, count)
            }
            None => {
                let function = model
                    .functions
                    .iter()
                    .position(|function| &*function.name == name)
                    .ok_or_else(|| format!("there is no function `{name}` any more"))?;
                let function = FunctionId(function as u32);
                (Subject::Function(function), model.function(function).parameters.len())
            }
        };
        let arguments: Result<Vec<Datum>, String> = task["arguments"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|value| read(model, value))
            .collect();
        let arguments = arguments?;
        if arguments.len() != count {
            return Err(format!("`{name}` has {count} parameters now"));
        }
        let names = (0..count).map(|number| format!("argument {}", number + 1)).collect();
        context.tasks.push(ContextTask { subject, names, arguments: Some(arguments) });
    }
    Ok(context)
}

fn class_called(model: &Model, name: &str) -> Result<ClassId, String> {
    let place = model.classes.iter().position(|class| &*class.name == name);
    place
        .map(|place| ClassId(place as u32))
        .ok_or_else(|| format!("there is no class `{name}` any more"))
}

fn method_called(model: &Model, name: &str) -> Result<MethodId, String> {
    let (class, method) = name.rsplit_once('.').unwrap_or(("", name));
    let class = class_called(model, class)?;
    let mut methods = model.class(class).methods.iter();
    methods
        .find(|&&(selector, _)| model.selector(selector) == method)
        .map(|&(_, id)| id)
        .ok_or_else(|| format!("there is no method `{name}` any more"))
}

fn read(model: &Model, value: &Value) -> Result<Datum, String> {
    let damaged = || "the test file is damaged".to_string();
    let number = |value: &Value| value.as_str().and_then(|text| text.parse().ok());
    if value.is_null() {
        return Ok(Datum::Null);
    }
    if let Some(text) = value["text"].as_str() {
        return Ok(Datum::Text(text.to_string()));
    }
    if let Some(object) = value["object"].as_u64() {
        return Ok(Datum::Object(object as usize));
    }
    if let Some(number) = value["float"].as_f64() {
        return Ok(Datum::Float(number));
    }
    if value["unresolved"].as_bool() == Some(true) {
        return Ok(Datum::Unresolved);
    }
    if value.get("resolved").is_some() {
        return Ok(Datum::Resolved(Box::new(read(model, &value["resolved"])?)));
    }
    if value.get("over").is_some() {
        let (top, bottom) = (number(&value["integer"]), number(&value["over"]));
        let (top, bottom): (_, counterpoint_abs::generate::BigInt) =
            (top.ok_or_else(damaged)?, bottom.ok_or_else(damaged)?);
        if bottom == 0.into() {
            return Err(damaged());
        }
        return Ok(Datum::Rational(counterpoint_abs::generate::BigRational::new(top, bottom)));
    }
    if value.get("integer").is_some() {
        return number(&value["integer"]).map(Datum::Integer).ok_or_else(damaged);
    }
    let name = value["data"].as_str().ok_or_else(damaged)?;
    let arguments: Result<Vec<Datum>, String> = value["arguments"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|value| read(model, value))
        .collect();
    let arguments = arguments?;
    let fits = |constructor: &&counterpoint_abs::program::Constructor| {
        &*constructor.name == name && constructor.arguments.len() == arguments.len()
    };
    let place = model.constructors.iter().position(|constructor| fits(&constructor));
    let place =
        place.ok_or_else(|| format!("there is no constructor `{name}` like that any more"))?;
    Ok(Datum::Data(ConstructorId(place as u32), arguments))
}
