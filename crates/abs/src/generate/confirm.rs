//! A test case run again with values in place of unknowns.

use std::sync::Arc;

use counterpoint_model::{Choice, Program};

use crate::machine::{
    Context, ContextObject, Datum, ModelProgram, Options, Slot, TaskEnd, TestCase,
};
use crate::program::Model;

/// What came of running a test case with its values.
#[derive(Clone, Debug, PartialEq)]
pub enum Confirmation {
    /// The same result and the same final state.
    Same,
    /// Something else; what, in words.
    Differs(String),
}

/// The context of a test case with its values in place of unknowns.
pub fn given_context(context: &Context, case: &TestCase) -> Context {
    let values = |slots: &[Slot]| slots.iter().map(|slot| slot.value.clone()).collect();
    let objects = case.objects.iter().filter_map(|object| {
        let before = object.before.as_ref()?;
        let (name, class) = (object.name.clone(), object.class);
        Some(ContextObject { name, class, fields: Some(values(before)) })
    });
    let mut tasks = context.tasks.clone();
    for (task, case) in tasks.iter_mut().zip(&case.tasks) {
        task.arguments = Some(values(&case.arguments));
    }
    Context { objects: objects.collect(), tasks }
}

/// Runs a test case of a program with its values on the schedule that led to it, and compares.
pub fn confirm(
    model: &Arc<Model>,
    options: &Options,
    program: &ModelProgram,
    case: &TestCase,
    choices: &[Choice],
) -> Confirmation {
    let Some(context) = program.context() else {
        return Confirmation::Differs("the program begins with its main block".to_owned());
    };
    let schedule = program.macro_schedule(choices);
    let actual = match rerun(model, options, given_context(context, case), &schedule) {
        Ok(actual) => actual,
        Err(trouble) => return Confirmation::Differs(trouble),
    };
    match difference(case, &actual) {
        Some(difference) => Confirmation::Differs(difference),
        None => Confirmation::Same,
    }
}

/// Runs a context whose values are given, on a schedule.
pub fn rerun(
    model: &Arc<Model>,
    options: &Options,
    context: Context,
    schedule: &[Choice],
) -> Result<TestCase, String> {
    let free = Options {
        objects: Default::default(),
        tasks: Default::default(),
        cut_at_deadlock: false,
        ..options.clone()
    };
    let given = ModelProgram::from_context(Arc::clone(model), free, context);
    let mut run = given.start(&[]);
    for (number, &choice) in schedule.iter().enumerate() {
        if choice.process.0 >= run.processes()
            || !run.is_ready(choice.process)
            || choice.alternative >= run.alternatives(choice.process).count
        {
            let name = given.process_name(choice.process);
            return Err(format!("step {}: {name} cannot go", number + 1));
        }
        run.step(choice);
    }
    let mut ready = Vec::new();
    run.ready(&mut ready);
    if !ready.is_empty() {
        let name = given.process_name(ready[0]);
        return Err(format!("{name} could still go at the end"));
    }
    let details = run.details().and_then(|details| details.downcast::<TestCase>().ok());
    Ok(*details.expect("runs from a context end in a test case"))
}

/// What differs between what was predicted and what happened, if anything does.
pub fn difference(expected: &TestCase, actual: &TestCase) -> Option<String> {
    if expected.outcome != actual.outcome {
        let (a, b) = (expected.outcome.word(), actual.outcome.word());
        return Some(format!("the outcome is {b} and not {a}"));
    }
    for (one, other) in expected.tasks.iter().zip(&actual.tasks) {
        let same = match (&one.end, &other.end) {
            (TaskEnd::Returned(a), TaskEnd::Returned(b))
            | (TaskEnd::Failed(a), TaskEnd::Failed(b)) => agrees(&a.value, &b.value),
            (TaskEnd::Waiting, TaskEnd::Waiting) => true,
            _ => false,
        };
        if !same {
            return Some(format!("the result is {:?} and not {:?}", other.end, one.end));
        }
    }
    if expected.objects.len() != actual.objects.len() {
        let (a, b) = (expected.objects.len(), actual.objects.len());
        return Some(format!("there are {b} objects at the end and not {a}"));
    }
    for (one, other) in expected.objects.iter().zip(&actual.objects) {
        if one.dead != other.dead {
            return Some(format!("whether {} is dead differs", one.name));
        }
        for (a, b) in one.after.iter().zip(&other.after) {
            if !agrees(&a.value, &b.value) {
                let (name, field) = (&one.name, &a.name);
                let (a, b) = (&a.value, &b.value);
                return Some(format!("{name}.{field} is {b:?} at the end and not {a:?}"));
            }
        }
    }
    None
}

/// Whether a value is what was predicted; what could not be predicted agrees with anything.
fn agrees(expected: &Datum, actual: &Datum) -> bool {
    match (expected, actual) {
        (Datum::Opaque, _) => true,
        (Datum::Data(a, xs), Datum::Data(b, ys)) => {
            a == b && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| agrees(x, y))
        }
        (Datum::Resolved(a), Datum::Resolved(b)) => agrees(a, b),
        _ => expected == actual,
    }
}
