//! What is tested: methods and functions by name, as contexts to begin with.

use std::fmt;
use std::sync::Arc;

use crate::analysis::question::DeadlockQuestion;
use crate::diagnostics::{self, Diagnostic, Style};
use crate::library;
use crate::machine::unknown_types::cannot_be_unknown;
use crate::machine::{Context, ContextObject, ContextTask, Subject};
use crate::program::{ClassId, FunctionId, MethodId, Model, Type};
use crate::source::Span;

/// Something to generate tests for.
#[derive(Clone, Debug)]
pub struct Target {
    /// As in `Class.method`, or the name of a function.
    pub name: String,
    /// The objects and tasks that runs begin with.
    pub context: Context,
    /// Where it is declared.
    pub span: Span,
    /// The deadlocks that alone are looked for, if any are.
    pub guide: Option<Arc<DeadlockQuestion>>,
}

/// Why nothing can be generated for what was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetError {
    /// What is wrong, with its place in the source where it has one.
    pub message: String,
    /// What would help.
    pub hint: Option<String>,
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TargetError {}

/// The targets with these names; without names, every method of the user's classes.
pub fn targets(model: &Model, names: &[String]) -> Result<Vec<Target>, TargetError> {
    if names.is_empty() {
        let methods = (0..model.methods.len() as u32).map(MethodId);
        let own = methods.filter(|&method| !library::contains(model.method(method).span.file));
        let mut targets = Vec::new();
        for method in own {
            targets.push(Target::of_method(model, method)?);
        }
        targets.sort_by_key(|target| (target.span.file.0, target.span.start));
        return match targets.is_empty() {
            true => Err(TargetError {
                message: "this model has no methods".to_owned(),
                hint: Some("Name a function with `--method`.".to_owned()),
            }),
            false => Ok(targets),
        };
    }
    names.iter().map(|name| Target::find(model, name)).collect()
}

impl Target {
    /// The method or function with this name: `Class.method`, or `function`, with or without the module.
    pub fn find(model: &Model, name: &str) -> Result<Target, TargetError> {
        let Some((owner, last)) = name.rsplit_once('.') else {
            return find_function(model, None, name);
        };
        let class = owner.rsplit('.').next().unwrap_or(owner);
        let is_class = model.classes.iter().any(|one| &*one.name == class);
        if !is_class && model.functions.iter().any(|function| &*function.module == owner) {
            return find_function(model, Some(owner), last);
        }
        Target::of_method(model, Target::find_method(model, name)?)
    }

    /// The method with this name: `Class.method`, with or without the module.
    pub fn find_method(model: &Model, name: &str) -> Result<MethodId, TargetError> {
        let Some((owner, last)) = name.rsplit_once('.') else {
            return Err(TargetError {
                message: format!("`{name}` is not the name of a method"),
                hint: Some("Methods are written `Class.method`.".to_owned()),
            });
        };
        let (module, class) = match owner.rsplit_once('.') {
            Some((module, class)) => (Some(module), class),
            None => (None, owner),
        };
        let classes: Vec<ClassId> = (0..model.classes.len() as u32)
            .map(ClassId)
            .filter(|&id| {
                let found = model.class(id);
                &*found.name == class && module.is_none_or(|module| &*found.module == module)
            })
            .collect();
        let [class_id] = classes[..] else {
            if classes.is_empty() {
                return Err(no_class(model, class));
            }
            let modules: Vec<String> = classes
                .iter()
                .map(|&id| format!("`{}.{class}.{last}`", model.class(id).module))
                .collect();
            return Err(TargetError {
                message: format!("there are several classes `{class}`"),
                hint: Some(format!("Write {}.", modules.join(" or "))),
            });
        };
        let methods: Vec<(MethodId, &str)> = model
            .class(class_id)
            .methods
            .iter()
            .map(|&(selector, method)| (method, model.selector(selector)))
            .collect();
        match methods.iter().find(|(_, known)| *known == last) {
            Some(&(method, _)) => Ok(method),
            None => {
                let known: Vec<&str> = methods.iter().map(|(_, name)| *name).collect();
                let hint = match nearest(last, known.iter().copied()) {
                    Some(like) => format!("Did you mean `{class}.{like}`?"),
                    None if known.is_empty() => "It has no methods.".to_owned(),
                    None => format!("It has {}.", listed(&known)),
                };
                let what = format!("class `{class}` has no method `{last}`");
                let message = at(model, model.class(class_id).span, &what);
                Err(TargetError { message, hint: Some(hint) })
            }
        }
    }

    /// A method, called once on an object in an unknown state.
    pub fn of_method(model: &Model, method: MethodId) -> Result<Target, TargetError> {
        let declared = model.method(method);
        let class = model.class(declared.class);
        let name = format!("{}.{}", class.name, model.selector(declared.selector));
        check_method(model, method)?;
        let objects = vec![("this".to_owned(), declared.class)];
        let context = Target::of_tasks(model, objects, &[(0, method)]);
        Ok(Target { name, context, span: declared.span, guide: None })
    }

    /// A function, called once.
    pub fn of_function(model: &Model, function: FunctionId) -> Result<Target, TargetError> {
        let declared = model.function(function);
        for (index, value_type) in declared.parameters.iter().enumerate() {
            let parameter = parameter_name(model, declared.body, index);
            check_type(model, value_type, declared.span, &format!("parameter `{parameter}`"))?;
        }
        let names = (0..declared.parameters.len())
            .map(|index| parameter_name(model, declared.body, index).to_string());
        let task = ContextTask {
            subject: Subject::Function(function),
            names: names.collect(),
            arguments: None,
        };
        let context = Context { objects: Vec::new(), tasks: vec![task] };
        Ok(Target { name: declared.name.to_string(), context, span: declared.span, guide: None })
    }

    /// Objects with names and classes, and tasks on them: an object by its number and a method.
    /// Parameters of several tasks are told apart by the method and, where it comes several times, by
    /// the task's number.
    pub fn of_tasks(
        model: &Model,
        objects: Vec<(String, ClassId)>,
        tasks: &[(usize, MethodId)],
    ) -> Context {
        let objects = objects
            .into_iter()
            .map(|(name, class)| ContextObject { name, class, fields: None })
            .collect();
        let tasks = tasks
            .iter()
            .enumerate()
            .map(|(number, &(object, method))| {
                let declared = model.method(method);
                let names = (0..declared.parameters.len()).map(|index| {
                    let parameter = parameter_name(model, declared.body, index);
                    let selector = model.selector(declared.selector);
                    let same = |&&(_, other): &&(usize, MethodId)| {
                        model.method(other).selector == declared.selector
                    };
                    match (tasks.len(), tasks.iter().filter(same).count()) {
                        (1, _) => parameter.to_string(),
                        (_, 1) => format!("{selector}.{parameter}"),
                        _ => {
                            let before = tasks[..number].iter().filter(same).count();
                            format!("{selector}{}.{parameter}", before + 1)
                        }
                    }
                });
                ContextTask {
                    subject: Subject::Method { object, method },
                    names: names.collect(),
                    arguments: None,
                }
            })
            .collect();
        Context { objects, tasks }
    }
}

/// Whether all that a call of a method needs can be unknown.
pub(super) fn check_method(model: &Model, method: MethodId) -> Result<(), TargetError> {
    let declared = model.method(method);
    for (index, value_type) in declared.parameters.iter().enumerate() {
        let parameter = parameter_name(model, declared.body, index);
        check_type(model, value_type, declared.span, &format!("parameter `{parameter}`"))?;
    }
    for field in &model.class(declared.class).fields {
        check_type(model, &field.value_type, field.span, &format!("field `{}`", field.name))?;
    }
    Ok(())
}

fn parameter_name(model: &Model, body: crate::program::BodyId, index: usize) -> Arc<str> {
    let name = model.body(body).variables.get(index).and_then(|variable| variable.name.clone());
    name.unwrap_or_else(|| format!("argument {}", index + 1).into())
}

fn check_type(
    model: &Model,
    value_type: &Type,
    span: Span,
    whose: &str,
) -> Result<(), TargetError> {
    let Some(found) = cannot_be_unknown(model, value_type) else { return Ok(()) };
    let what = format!(
        "{whose} cannot be unknown: values of type `{found}` cannot be computed with symbolically"
    );
    Err(TargetError {
        message: at(model, span, &what),
        hint: Some(
            "Integers, rationals, Booleans, strings, data, objects and futures can.".to_owned(),
        ),
    })
}

fn find_function(model: &Model, module: Option<&str>, name: &str) -> Result<Target, TargetError> {
    let own = |function: &&crate::program::Function| {
        module.is_none_or(|module| &*function.module == module)
    };
    let place =
        model.functions.iter().position(|function| &*function.name == name && own(&function));
    if let Some(place) = place {
        return Target::of_function(model, FunctionId(place as u32));
    }
    let user: Vec<&str> = model
        .functions
        .iter()
        .filter(|function| !library::contains(function.span.file))
        .map(|function| &*function.name)
        .collect();
    let hint = if model.classes.iter().any(|class| &*class.name == name) {
        format!("`{name}` is a class: write `{name}.method`.")
    } else {
        match nearest(name, user.iter().copied()) {
            Some(like) => format!("Did you mean `{like}`?"),
            None => "Methods are written `Class.method`.".to_owned(),
        }
    };
    Err(TargetError { message: format!("there is no function `{name}`"), hint: Some(hint) })
}

fn no_class(model: &Model, name: &str) -> TargetError {
    let known: Vec<&str> = model
        .classes
        .iter()
        .filter(|class| !library::contains(class.span.file))
        .map(|class| &*class.name)
        .collect();
    let hint = if model.interfaces.iter().any(|interface| &*interface.name == name) {
        format!(
            "`{name}` is an interface, whose methods have no code: name a class that implements it."
        )
    } else {
        match nearest(name, known.iter().copied()) {
            Some(like) => format!("Did you mean `{like}`?"),
            None if known.is_empty() => "This model has no classes.".to_owned(),
            None => format!("There are {}.", listed(&known)),
        }
    };
    TargetError { message: format!("there is no class `{name}`"), hint: Some(hint) }
}

fn listed(names: &[&str]) -> String {
    let mut names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.sort();
    names.dedup();
    names.join(", ")
}

/// The name most like this one, if any is like it at all.
fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    crate::check::suggestions::closest(name, known)
}

/// A message with its place in the source.
fn at(model: &Model, span: Span, what: &str) -> String {
    let text = diagnostics::render(&Diagnostic::error(span, what), &model.sources, Style::Plain);
    // Whoever prints it says that it is an error.
    text.trim_end().trim_start_matches("error: ").to_owned()
}
