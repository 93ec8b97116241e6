//! ABS models.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use counterpoint_abs::diagnostics::Style;
use counterpoint_abs::machine::{
    Account, AwaitPolicy, ModelProgram, ObjectPolicy, Options, Reduction as Level, TaskPolicy,
};
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load as load_model, picture};
use counterpoint_model::{
    Choice, FileCoverage, Input, Location, Pid, Place, ProcessNames, Program, Run, Site,
};

use super::{FrontEnd, LoadError, LoadRequest, Loaded, Pictures, Reduction, Rest};
use crate::cli::active_objects::{ActiveObjects, Awaiting, ObjectOrder, TaskOrder};

/// The line of the table.
pub const ABS: FrontEnd = FrontEnd {
    name: "abs",
    about: "Active objects in the modelling language ABS: every order in which tasks can run.",
    targets: "the files of a model, ending in .abs",
    accepts: |path| path.extension().is_some_and(|extension| extension == "abs"),
    rest: Rest::Targets,
    reductions: &[
        Reduction {
            name: "field",
            about: "Two steps depend on each other if they touch the same field of an object and \
                    one of them writes it.",
            explorer: None,
        },
        Reduction {
            name: "object",
            about: "Two steps depend on each other if they run on the same object group.",
            explorer: None,
        },
        Reduction {
            name: "none",
            about: "All steps depend on each other: every order is tried.",
            explorer: None,
        },
        Reduction {
            name: "exact",
            about: "Two orders differ only if they lead to different states: explorer `states`.",
            explorer: Some("states"),
        },
    ],
    load,
};

fn load(request: &LoadRequest) -> Result<Loaded, LoadError> {
    let misfit = |flag: &str, hint: &str| LoadError {
        message: format!("`{flag}` makes no sense for ABS models"),
        hint: Some(hint.to_string()),
    };
    if request.main.is_some() {
        return Err(misfit("--main", "The first main block of the model is run."));
    }
    if let Some(flag) = request.byte_code.given().first() {
        return Err(misfit(flag, "It is for Java programs."));
    }
    if !request.inputs.is_empty() {
        return Err(misfit("--input", "Only methods of Java programs can be made inputs."));
    }
    let options = options(request)?;
    let mut files = Vec::new();
    for target in &request.targets {
        files.push(SourceFile::new(target.as_str(), read(target)?));
    }
    let expectations = request.objects.expect.clone();
    let result = load_model(files, &LoadOptions { expectations, ..LoadOptions::default() });
    let mut notes = result.render(Style::Plain);
    let Some(model) = result.model else {
        let targets = request.target();
        let message = format!("`{targets}` cannot be run\n\n{}", notes.trim_end());
        return Err(LoadError { message, hint: None });
    };
    if model.main.is_none() && !request.objects.expect.is_empty() {
        let message = "`--expect` makes no sense for a model without a main block".to_string();
        return Err(LoadError { message, hint: None });
    }
    let asked = options.reduction;
    let program = Rc::new(ModelProgram::new(Arc::new(model), options));
    let in_force = if asked == Level::Exact { asked } else { program.reduction() };
    if program.is_timed() && request.reduction.is_some() && in_force != asked {
        notes += "note: this model speaks of time, so that every step can make a difference to \
                  every other: the reduction `none` is in force\n";
    }
    Ok(Loaded {
        reduction: Level::ALL.iter().find(|(_, level)| *level == in_force).map(|(name, _)| *name),
        notes,
        pictures: Some(Box::new(Shared(Rc::clone(&program)))),
        ..Loaded::new(Box::new(Shared(program)))
    })
}

fn options(request: &LoadRequest) -> Result<Options, LoadError> {
    let ActiveObjects { cut_at_deadlock, await_policy, object_policy, task_policy, .. } =
        request.objects;
    let level = |name: &String| Level::ALL.iter().find(|(known, _)| known == name);
    let asked = request.reduction.as_ref().and_then(level).map(|(_, level)| *level);
    let options = Options {
        reduction: asked.unwrap_or_default(),
        await_policy: match await_policy {
            Some(Awaiting::Release) => AwaitPolicy::Release,
            Some(Awaiting::Continue) | None => AwaitPolicy::Continue,
        },
        objects: match object_policy {
            Some(ObjectOrder::RoundRobin) => ObjectPolicy::RoundRobin,
            Some(ObjectOrder::Nondeterministic) | None => ObjectPolicy::Any,
        },
        tasks: match task_policy {
            Some(TaskOrder::Fifo) => TaskPolicy::Fifo,
            Some(TaskOrder::Lifo) => TaskPolicy::Lifo,
            Some(TaskOrder::Nondeterministic) | None => TaskPolicy::Any,
        },
        cut_at_deadlock,
        input_lines: request.objects.readln.clone(),
        ..Options::default()
    };
    let ordered = options.objects != ObjectPolicy::Any || options.tasks != TaskPolicy::Any;
    if let Some(level @ (Level::Object | Level::Field)) = asked
        && (cut_at_deadlock || ordered)
    {
        let flag = match (cut_at_deadlock, object_policy, task_policy) {
            (true, ..) => "--cut-at-deadlock",
            (_, Some(ObjectOrder::RoundRobin), _) => "--object-policy",
            _ => "--task-policy",
        };
        let name =
            Level::ALL.iter().find(|(_, known)| *known == level).map_or("", |(name, _)| name);
        return Err(LoadError {
            message: format!(
                "`{flag}` and `--reduction {name}` contradict each other: who can go next depends \
                 on all steps so far"
            ),
            hint: Some("Leave `--reduction` out, or use `none` or `exact`.".to_string()),
        });
    }
    Ok(options)
}

fn read(target: &str) -> Result<String, LoadError> {
    let fail = |why: String| LoadError { message: why, hint: None };
    let bytes = std::fs::read(Path::new(target))
        .map_err(|error| fail(format!("cannot read `{target}`: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        fail(format!("`{target}` is no text: byte {place} is not UTF-8"))
    })
}

/// A model that is explored and drawn.
struct Shared(Rc<ModelProgram>);

impl Program for Shared {
    fn start(&self, inputs: &[Input]) -> Box<dyn Run + '_> {
        self.0.start(inputs)
    }

    fn names(&self) -> &ProcessNames {
        self.0.names()
    }

    fn place(&self, site: Site) -> Place {
        self.0.place(site)
    }

    fn location_name(&self, location: Location) -> String {
        self.0.location_name(location)
    }

    fn process_name(&self, process: Pid) -> String {
        self.0.process_name(process)
    }

    fn fingerprint(&self) -> String {
        self.0.fingerprint()
    }

    fn watch(&self) {
        self.0.watch();
    }

    fn coverage(&self) -> Vec<FileCoverage> {
        self.0.coverage()
    }
}

impl Pictures for Shared {
    fn sequence_svg(&self, choices: &[Choice]) -> String {
        picture::sequence_svg(&self.0, &Account::new(&self.0, choices))
    }

    fn sequence_mermaid(&self, choices: &[Choice]) -> String {
        picture::mermaid(&self.0, &Account::new(&self.0, choices))
    }

    fn trace(&self, choices: &[Choice]) -> String {
        Account::new(&self.0, choices).to_text(&self.0)
    }

    fn tree_svg(&self, executions: &[Vec<Choice>]) -> String {
        picture::tree_svg(&self.0, executions)
    }
}
