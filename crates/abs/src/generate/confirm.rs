//! A test case run again with values in place of unknowns.

use std::collections::BTreeSet;
use std::sync::Arc;

use counterpoint_model::diagram::Sequence;
use counterpoint_model::{Choice, Program, Schedule};

use crate::machine::{
    Account, Context, ContextObject, CoveragePoint, Datum, Ended, ModelProgram, Options, Outcome,
    Slot, TaskEnd, TestCase,
};
use crate::picture;
use crate::program::Model;

/// What came of running a test case with its values.
#[derive(Clone, Debug, PartialEq)]
pub enum Confirmation {
    /// The same result and the same final state.
    Same,
    /// Something else; what, in words.
    Differs(String),
}

/// A run of a context whose values are given.
#[derive(Clone, Debug)]
pub struct Rerun {
    /// What came of it.
    pub case: TestCase,
    /// What it went through.
    pub path: ExecutedPath,
}

/// What a run with values went through.
#[derive(Clone, Debug)]
pub struct ExecutedPath {
    /// What it has executed.
    pub points: BTreeSet<CoveragePoint>,
    /// A line for each macro-step.
    pub trace: String,
    /// For each macro-step the file and lines that it ran through.
    pub lines: Vec<(String, Vec<u32>)>,
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

/// The macro-steps that a run with unknowns has made, by the paths of their tasks.
pub fn macro_schedule(program: &ModelProgram, choices: &[Choice]) -> Vec<String> {
    let steps = program.macro_schedule(choices);
    steps.into_iter().map(|choice| Schedule::step_text(program.names(), choice)).collect()
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
    let schedule = macro_schedule(program, choices);
    let actual = match ending(model, options, given_context(context, case), &schedule) {
        Ok(actual) => actual,
        Err(trouble) => return Confirmation::Differs(trouble),
    };
    match difference(case, &actual) {
        Some(difference) => Confirmation::Differs(difference),
        None => Confirmation::Same,
    }
}

/// The program of a context whose values are given. All orders of its tasks are possible.
pub fn given_program(model: &Arc<Model>, options: &Options, context: Context) -> ModelProgram {
    let free = Options {
        objects: Default::default(),
        tasks: Default::default(),
        cut_at_deadlock: false,
        ..options.clone()
    };
    ModelProgram::from_context(Arc::clone(model), free, context)
}

/// Runs a context whose values are given, on a schedule of macro-steps.
pub fn rerun(
    model: &Arc<Model>,
    options: &Options,
    context: Context,
    schedule: &[String],
) -> Result<Rerun, String> {
    let given = given_program(model, options, context);
    given.watch();
    let (case, choices) = follow(&given, schedule)?;
    let account = Account::new(&given, &choices);
    let lines = account.steps.iter().map(|step| {
        let file = step.sites.first().map(|&site| given.place(site).file);
        (file.unwrap_or_default(), step.lines.clone())
    });
    let (trace, lines) = (account.to_text(&given), lines.collect());
    Ok(Rerun { case, path: ExecutedPath { points: given.points(), trace, lines } })
}

/// The same for those who only want to know what comes of it.
pub fn ending(
    model: &Arc<Model>,
    options: &Options,
    context: Context,
    schedule: &[String],
) -> Result<TestCase, String> {
    let given = given_program(model, options, context);
    follow(&given, schedule).map(|(case, _)| case)
}

fn follow(given: &ModelProgram, schedule: &[String]) -> Result<(TestCase, Vec<Choice>), String> {
    let mut choices = Vec::with_capacity(schedule.len());
    let mut run = given.start(&[]);
    for (number, step) in schedule.iter().enumerate() {
        let choice = Schedule::parse_step(given.names(), step);
        let possible = choice.filter(|choice| {
            choice.process.0 < run.processes()
                && run.is_ready(choice.process)
                && choice.alternative < run.alternatives(choice.process).count
        });
        let Some(choice) = possible else {
            return Err(format!("step {}: task {step} cannot go", number + 1));
        };
        run.step(choice);
        choices.push(choice);
    }
    let mut ready = Vec::new();
    run.ready(&mut ready);
    if let Some(&task) = ready.first() {
        return Err(format!("{} could still go at the end", given.process_name(task)));
    }
    match Ended::of(&*run).ok_or("the run has no context")? {
        Ended::Test(case) => Ok((*case, choices)),
        Ended::Cut(cut, _) => Err(format!("it does not end: {cut}")),
    }
}

/// The sequence diagram of such a run.
pub fn diagram(
    model: &Arc<Model>,
    options: &Options,
    context: Context,
    schedule: &[String],
) -> Sequence {
    let given = given_program(model, options, context);
    let choices: Vec<Choice> =
        schedule.iter().filter_map(|step| Schedule::parse_step(given.names(), step)).collect();
    picture::sequence(&given, &Account::new(&given, &choices))
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

/// Takes values that terms cannot express, such as strings put together from unknown ones, from the run with
/// values.
pub fn complete(case: &mut TestCase, actual: &TestCase) {
    fn fill(predicted: &mut Datum, actual: &Datum) {
        match (predicted, actual) {
            (predicted @ Datum::Opaque(_), _) => *predicted = actual.clone(),
            (Datum::Data(_, xs), Datum::Data(_, ys)) => {
                xs.iter_mut().zip(ys).for_each(|(x, y)| fill(x, y));
            }
            (Datum::Resolved(x), Datum::Resolved(y)) => fill(x, y),
            _ => {}
        }
    }
    for (task, other) in case.tasks.iter_mut().zip(&actual.tasks) {
        if let (TaskEnd::Returned(slot), TaskEnd::Returned(other))
        | (TaskEnd::Failed(slot), TaskEnd::Failed(other)) = (&mut task.end, &other.end)
        {
            fill(&mut slot.value, &other.value);
        }
    }
    for (object, other) in case.objects.iter_mut().zip(&actual.objects) {
        for (slot, other) in object.after.iter_mut().zip(&other.after) {
            fill(&mut slot.value, &other.value);
        }
    }
    if case.outcome == Outcome::Failure {
        case.message.clone_from(&actual.message);
    }
}

/// Whether a value is what was predicted; what could not be predicted agrees with anything.
fn agrees(expected: &Datum, actual: &Datum) -> bool {
    match (expected, actual) {
        (Datum::Opaque(_), _) => true,
        (Datum::Data(a, xs), Datum::Data(b, ys)) => {
            a == b && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| agrees(x, y))
        }
        (Datum::Resolved(a), Datum::Resolved(b)) => agrees(a, b),
        _ => expected == actual,
    }
}
