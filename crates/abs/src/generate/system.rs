//! Testing a system: methods together, from all minimal contexts of objects and tasks (chapter 5 of `000`).
//!
//! Which tasks there are at first is said by the user ([`InitialTask`]), or follows from a cycle of waiting
//! that the analysis of the model finds: its own tasks and those that interfere with them (section 5.2).
//! [`initial_contexts`] puts them onto objects in all ways that differ in more than names. In the second case
//! only executions are followed that can still end in that cycle.

use std::collections::HashMap;
use std::sync::Arc;

use crate::analysis::contexts::{InitialContext, InitialTask, initial_contexts};
use crate::analysis::question::DeadlockQuestion;
use crate::analysis::{Settings, analyse};
use crate::program::{MethodId, Model};

use super::target::{Target, TargetError, check_method};

/// More contexts than this are refused.
pub const MOST_CONTEXTS: usize = 500;

/// The contexts with these tasks.
pub fn system_targets(model: &Model, tasks: &[InitialTask]) -> Result<Vec<Target>, TargetError> {
    let methods = methods_of(model, tasks)?;
    let contexts = contexts_of(tasks)?;
    Ok(contexts.iter().map(|context| target(model, context, &methods, None)).collect())
}

/// For each cycle of waiting that the analysis of the model finds, the contexts with the tasks that interfere
/// with it, each guided by that cycle.
pub fn deadlock_targets(model: &Model) -> Result<Vec<Target>, TargetError> {
    let Some(analysis) = analyse(model, Settings::default()) else {
        return Err(TargetError {
            message: "this model has no main block, so its cycles of waiting are not known".into(),
            hint: Some("Say which tasks to begin with: `--task Class.method`.".to_owned()),
        });
    };
    let mut targets: Vec<Target> = Vec::new();
    for cycle in &analysis.graph.cycles {
        let tasks = analysis.interfering_tasks(cycle);
        let methods = methods_of(model, &tasks)?;
        let question = DeadlockQuestion::anywhere(&analysis.points, std::slice::from_ref(cycle));
        let question = Arc::new(question);
        for context in contexts_of(&tasks)? {
            let guide = Some(Arc::clone(&question));
            let target = target(model, &context, &methods, guide);
            let known = |one: &&mut Target| one.name == target.name;
            match targets.iter_mut().find(known) {
                // Another cycle with the same tasks: both are looked for.
                Some(one) => {
                    let first = one.guide.as_ref().expect("all of these are guided");
                    one.guide = Some(Arc::new(first.or(&question, model)));
                }
                None => targets.push(target),
            }
        }
        if targets.len() > MOST_CONTEXTS {
            return Err(too_many());
        }
    }
    match targets.is_empty() {
        true => Err(TargetError {
            message: "no cycle of waiting: this model cannot deadlock from its main block".into(),
            hint: Some("Say which tasks to begin with: `--task Class.method`.".to_owned()),
        }),
        false => Ok(targets),
    }
}

fn too_many() -> TargetError {
    TargetError {
        message: format!("the tasks make more than {MOST_CONTEXTS} initial contexts"),
        hint: Some(
            "Give fewer tasks, or narrow how many there are of each: `--task Class.method=1..1`."
                .to_owned(),
        ),
    }
}

fn contexts_of(tasks: &[InitialTask]) -> Result<Vec<InitialContext>, TargetError> {
    let contexts = initial_contexts(tasks, MOST_CONTEXTS).map_err(|_| too_many())?;
    Ok(contexts.into_iter().filter(|context| !context.objects.is_empty()).collect())
}

/// The methods of tasks by class and name.
type Methods = HashMap<(String, String), MethodId>;

fn methods_of(model: &Model, tasks: &[InitialTask]) -> Result<Methods, TargetError> {
    let mut methods = Methods::new();
    for task in tasks {
        let name = format!("{}.{}", task.class, task.method);
        let method = Target::find_method(model, &name)?;
        check_method(model, method)?;
        methods.insert((task.class.clone(), task.method.clone()), method);
    }
    Ok(methods)
}

fn target(
    model: &Model,
    context: &InitialContext,
    methods: &Methods,
    guide: Option<Arc<DeadlockQuestion>>,
) -> Target {
    let mut objects = Vec::new();
    let mut tasks = Vec::new();
    for (number, object) in context.objects.iter().enumerate() {
        let same = |other: &&crate::analysis::contexts::InitialObject| other.class == object.class;
        let several = context.objects.iter().filter(same).count() > 1;
        let before = context.objects[..number].iter().filter(same).count();
        let mut name = lower_camel(object.class.rsplit('.').next().unwrap_or_default());
        if several {
            name += &(before + 1).to_string();
        }
        let method = |method: &String| methods[&(object.class.clone(), method.clone())];
        let class = object.tasks.first().map(|first| model.method(method(first)).class);
        objects.push((name, class.expect("objects of a context have tasks")));
        tasks.extend(object.tasks.iter().map(|one| (number, method(one))));
    }
    let span = model.method(tasks[0].1).span;
    let name = context.to_string();
    Target { name, context: Target::of_tasks(model, objects, &tasks), span, guide }
}

/// A class's name as that of an object: `dbServer` for `DBServer`.
fn lower_camel(class: &str) -> String {
    let letters: Vec<char> = class.chars().collect();
    let capitals = letters.iter().take_while(|c| c.is_ascii_uppercase()).count();
    // Of several capitals the last one begins the next word.
    let word = match capitals {
        0 | 1 => capitals,
        _ if capitals == letters.len() => capitals,
        _ => capitals - 1,
    };
    let lower = letters[..word].iter().map(char::to_ascii_lowercase);
    lower.chain(letters[word..].iter().copied()).collect()
}
