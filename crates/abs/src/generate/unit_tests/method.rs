//! One test case as the statements of a test method.

use std::collections::BTreeSet;

use crate::machine::{Datum, ObjectCase, Outcome, Slot, Subject, TaskEnd};
use crate::program::{Class, ConstructorId, Generation, Instruction, Model, Type};

use super::UnitTest;
use super::access::{caught, failing_name, pattern, reader, setter};
use super::expression::{Expressions, variable};

/// A test as statements.
pub(super) struct Written {
    /// The module whose suite it belongs to.
    pub module: String,
    /// The classes of the objects that it sets up.
    pub classes: BTreeSet<u32>,
    /// The classes of the objects that the run creates.
    pub created: BTreeSet<u32>,
    /// The method that is to fail, and the exception.
    pub failing: Option<(u32, u32)>,
    /// Names of other modules that it uses: the module and the name.
    pub imports: BTreeSet<(String, String)>,
    /// The types of futures that it makes.
    pub futures: BTreeSet<String>,
    /// What it does.
    pub statements: Vec<String>,
}

/// What a task fails with whose object has died of another one.
const OBJECT_DEAD: Datum = Datum::Data(ConstructorId::OBJECT_DEAD, Vec::new());

/// The statements of a test, or why there are none.
pub(super) fn method_of(model: &Model, test: &UnitTest<'_>) -> Result<Written, String> {
    let case = test.case;
    if let Some(reason) = &test.ordered {
        return Err(reason.clone());
    }
    match case.outcome {
        Outcome::Deadlock => return Err("it ends in a deadlock".to_owned()),
        Outcome::Stuck => return Err("a task waits for ever".to_owned()),
        Outcome::Returned | Outcome::Failure => {}
    }
    let [task] = &case.tasks[..] else { return Err("it begins with several tasks".to_owned()) };
    let initial: Vec<&ObjectCase> =
        case.objects.iter().filter(|object| object.before.is_some()).collect();
    let module = match task.subject {
        Subject::Method { method, .. } => &model.class(model.method(method).class).module,
        Subject::Function(function) => &model.function(function).module,
    };
    let mut classes = BTreeSet::new();
    for object in &initial {
        let class = model.class(object.class);
        if is_active(model, class, 0) {
            return Err(format!("class `{}` calls others when it is created", class.name));
        }
        classes.insert(object.class.0);
    }
    // The exception of the tested task is caught by its own object, which lives on. Others are not.
    let is_caught = |number: usize| {
        matches!(task.subject, Subject::Method { object, .. } if object == number)
            && matches!(&task.end, TaskEnd::Failed(slot) if slot.value != OBJECT_DEAD)
    };
    let dies = |(number, object): (usize, &ObjectCase)| object.dead && !is_caught(number);
    if case.objects.iter().enumerate().any(dies) {
        return Err("an exception that nobody catches ends an object".to_owned());
    }
    let created = case.objects.iter().filter(|object| object.before.is_none());
    let created = created.map(|object| object.class.0).collect();
    let mut text = Expressions::new(model, module, object_names(&initial));
    set_up(&mut text, model, &initial)?;
    let parameters = match task.subject {
        Subject::Method { method, .. } => &model.method(method).parameters,
        Subject::Function(function) => &model.function(function).parameters,
    };
    let mut arguments = Vec::new();
    for (slot, of) in task.arguments.iter().zip(parameters) {
        arguments.push(text.input(&slot.value, of).ok_or_else(|| unwritable(slot))?);
    }
    let arguments = arguments.join(", ");
    let (mut failing, mut fails) = (None, false);
    match (task.subject, &task.end) {
        (Subject::Function(function), TaskEnd::Returned(slot)) => {
            let declared = model.function(function);
            let expected = text.output(&slot.value).ok_or("its result cannot be written down")?;
            text.add(format!("assert {}({arguments}) == {expected};", declared.name));
        }
        (Subject::Function(function), TaskEnd::Failed(slot)) => {
            let declared = model.function(function);
            let Datum::Data(exception, _) = &slot.value else {
                return Err("its exception cannot be written down".to_owned());
            };
            let result = text.type_of(&declared.result);
            text.add("Bool failed = False;".to_owned());
            let call = format!("{result} result = {}({arguments});", declared.name);
            text.add(caught(&call, &pattern(model.constructor(*exception))));
            text.add("assert failed;".to_owned());
            fails = true;
        }
        (Subject::Function(_), TaskEnd::Waiting) => {
            return Err("a task waits for ever".to_owned());
        }
        (Subject::Method { object, method }, TaskEnd::Returned(slot)) => {
            let declared = model.method(method);
            let selector = model.selector(declared.selector);
            let call = format!("{}!{selector}({arguments});", text.names[object]);
            let result = text.type_of(&declared.result);
            text.add(format!("Fut<{result}> call = {call}"));
            text.add("await call?;".to_owned());
            text.add(format!("{result} result = call.get;"));
            if declared.result != Type::UNIT
                && let Some(expected) = text.output(&slot.value)
            {
                text.add(format!("assert result == {expected};"));
            }
        }
        (Subject::Method { object, method }, TaskEnd::Failed(slot)) => {
            let selector = model.selector(model.method(method).selector);
            let Datum::Data(exception, _) = &slot.value else {
                return Err("its exception cannot be written down".to_owned());
            };
            let call = failing_name(selector, &model.constructor(*exception).name);
            text.add(format!("Bool failed = {}.{call}({arguments});", text.names[object]));
            text.add("assert failed;".to_owned());
            failing = Some((method.0, exception.0));
            fails = true;
        }
        (Subject::Method { .. }, TaskEnd::Waiting) => {
            return Err("a task waits for ever".to_owned());
        }
    }
    if case.outcome == Outcome::Failure && !fails {
        return Err("an exception ends a task that the test does not call itself".to_owned());
    }
    if !initial.is_empty() && test.leaves_running {
        text.add("await duration(1, 1);".to_owned());
    }
    check_state(&mut text, model, &initial);
    if let Some(clash) = text.clash {
        return Err(clash);
    }
    Ok(Written {
        module: module.to_string(),
        classes,
        created,
        failing,
        imports: text.imports,
        futures: text.futures,
        statements: text.statements,
    })
}

/// Makes the objects and sets their fields.
fn set_up(
    text: &mut Expressions<'_>,
    model: &Model,
    initial: &[&ObjectCase],
) -> Result<(), String> {
    let create = match model.generation {
        Generation::Old => "new cog",
        Generation::Today => "new",
    };
    for (number, object) in initial.iter().enumerate() {
        let class = model.class(object.class);
        let before = object.before.as_ref().expect("it is of the initial state");
        let mut arguments = Vec::new();
        for (field, slot) in class.fields.iter().zip(before).take(usize::from(class.parameters)) {
            arguments.push(match &slot.value {
                // Objects that refer to each other cannot be made in any order; they are set below.
                Datum::Object(_) => "null".to_owned(),
                other => text.early(other, &field.value_type).ok_or_else(|| unwritable(slot))?,
            });
        }
        let (class_name, access) = text.class(class);
        let name = text.names[number].clone();
        text.add(format!("{access} {name} = {create} {class_name}({});", arguments.join(", ")));
    }
    for (number, object) in initial.iter().enumerate() {
        let class = model.class(object.class);
        let before = object.before.as_ref().expect("it is of the initial state");
        let mut values = Vec::new();
        for (field, slot) in class.fields.iter().zip(before) {
            if field.value_type != Type::Destiny {
                let value = text.input(&slot.value, &field.value_type);
                values.push(value.ok_or_else(|| unwritable(slot))?);
            }
        }
        if let Some(setter) = setter(class) {
            let name = &text.names[number];
            text.add(format!("{name}.{setter}({});", values.join(", ")));
        }
    }
    Ok(())
}

/// Compares the fields with what they are to be in the end, as far as that can be written down.
fn check_state(text: &mut Expressions<'_>, model: &Model, initial: &[&ObjectCase]) {
    for (number, object) in initial.iter().enumerate() {
        let name = text.names[number].clone();
        for (field, slot) in model.class(object.class).fields.iter().zip(&object.after) {
            if matches!(field.value_type, Type::Future(_) | Type::Destiny) {
                continue;
            }
            if let Some(expected) = text.output(&slot.value) {
                let found = format!("{name}_{}", field.name);
                let shown = text.type_of(&field.value_type);
                text.add(format!("{shown} {found} = {name}.{}();", reader(&field.name)));
                text.add(format!("assert {found} == {expected};"));
            }
        }
    }
}

fn unwritable(slot: &Slot) -> String {
    match slot.value {
        Datum::Unresolved => format!("`{}` is a future that nobody resolves", slot.name),
        _ => format!("`{}` cannot be written down", slot.name),
    }
}

/// Whether objects of a class do something with others when they are made. To make more objects that
/// do nothing by themselves leaves no trace: the fields are set afterwards.
fn is_active(model: &Model, class: &Class, depth: usize) -> bool {
    const DEEPEST: usize = 8;
    let body = model.body(class.init);
    depth > DEEPEST
        || body.code.iter().any(|instruction| match instruction {
            Instruction::New { class, .. } => {
                let made = model.class(*class);
                made.run.is_some() || is_active(model, made, depth + 1)
            }
            Instruction::Send { .. }
            | Instruction::CallMethod { .. }
            | Instruction::CallOwn { .. }
            | Instruction::Get { .. }
            | Instruction::Await { .. }
            | Instruction::Suspend
            | Instruction::Duration { .. } => true,
            _ => false,
        })
}

/// Names of variables for objects, all different.
fn object_names(objects: &[&ObjectCase]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for object in objects {
        let base = match object.name.as_str() {
            "this" => "subject".to_owned(),
            other => variable(&other.replacen("this.", "", 1)),
        };
        let mut name = base.clone();
        let mut number = 2;
        while names.contains(&name) || matches!(name.as_str(), "call" | "result" | "failed") {
            name = format!("{base}{number}");
            number += 1;
        }
        names.push(name);
    }
    names
}
