//! ABS models.

mod outline;
mod waits;

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use counterpoint_abs::diagnostics::Style;
use counterpoint_abs::machine::{
    Account, AwaitPolicy, ModelProgram, ObjectPolicy, Options, Reduction as Level, TaskPolicy,
};
use counterpoint_abs::program::{Generation, Model};
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load as load_model, picture};
use counterpoint_model::diagram::{Graph, Sequence};
use counterpoint_model::{
    Choice, FileCoverage, Input, Interrupt, Location, Pid, Place, ProcessNames, Program, Run, Site,
};

use super::{ExplorerFit, FrontEnd, LoadError, LoadRequest, Loaded, Pictures, Reduction, Rest};
use crate::cli::active_objects::{ActiveObjects, Awaiting, BareNew, ObjectOrder, TaskOrder};
use crate::interrupt;

/// The line of the table.
pub const ABS: FrontEnd = FrontEnd {
    name: "abs",
    programs: "ABS models",
    about: "Active objects in the modelling language ABS: every order in which tasks can run.",
    targets: "the files of a model, ending in .abs, or a folder of them",
    accepts: |path| if path.is_dir() { holds_models(path) } else { is_model(path) },
    rest: Rest::Targets,
    reductions: &[
        Reduction {
            name: "field",
            about: "Two steps depend on each other if they touch the same field of an object and \
                    one of them writes it.",
            explorer: ExplorerFit::All,
        },
        Reduction {
            name: "object",
            about: "Two steps depend on each other if they run on the same object group.",
            explorer: ExplorerFit::All,
        },
        Reduction {
            name: "none",
            about: "All steps depend on each other: every order is tried.",
            explorer: ExplorerFit::Best("exhaustive"),
        },
        Reduction {
            name: "exact",
            about: "Two orders differ only if they lead to different states: explorer `states`.",
            explorer: ExplorerFit::Only("states"),
        },
    ],
    implied_reduction,
    load,
    tests: None,
    language: outline::LANGUAGE,
    has_class_path: false,
    analyses_waiting: true,
    outline: Some(outline::outline),
};

/// Test suites run one test after the other, and each comes to its end in some orders of tasks. Orders that come
/// to the same state are one, so that those of the first test are not multiplied by those of all others.
fn implied_reduction(request: &LoadRequest) -> Option<&'static str> {
    request.objects.product.as_ref()?;
    if request.objects.orders_everything() {
        return None;
    }
    let declares =
        |file: &Path| std::fs::read_to_string(file).is_ok_and(|text| declares_suite(&text));
    let has_suite = |target: &String| match Path::new(target) {
        folder if folder.is_dir() => models_in(folder).any(|file| declares(&file)),
        file => declares(file),
    };
    request.targets.iter().any(has_suite).then_some("exact")
}

/// Whether a file declares a class with the annotation `[Suite]`.
fn declares_suite(text: &str) -> bool {
    let code = |line| str::split_once(line, "//").map_or(line, |(code, _)| code);
    let code = text.lines().map(code).collect::<Vec<_>>().join(" ");
    code.split("[Suite]").skip(1).any(|rest| rest.trim_start().starts_with("class "))
}

fn load(request: &LoadRequest) -> Result<Loaded, LoadError> {
    let misfit = |flag: &str, hint: &str| LoadError {
        message: format!("`{flag}` does not apply to ABS models"),
        hint: Some(hint.to_string()),
    };
    if let Some(flag) = request.byte_code.given().first() {
        return Err(misfit(flag, "It is for Java programs."));
    }
    if !request.inputs.is_empty() {
        return Err(misfit("--input", "Only methods of Java programs can be made inputs."));
    }
    let options = options(request)?;
    let (model, mut notes, assumptions) = read_model(request, Uses::MainBlock)?;
    if model.main.is_none() {
        return Err(LoadError {
            message: format!("`{}` has no main block, so nothing would be run", request.target()),
            hint: Some(
                "End a module with a block `{ .. }` that creates objects and calls them, or give \
                 the file that has one as well."
                    .to_string(),
            ),
        });
    }
    let asked = options.reduction;
    let model = Arc::new(model);
    let waits = waits::analyser(Arc::clone(&model), options.clone());
    let program = interrupt::reading(|| ModelProgram::new(model, options));
    let program = Rc::new(program.assuming(assumptions));
    let in_force = if asked == Level::Exact { asked } else { program.reduction() };
    if program.is_timed() && request.reduction.is_some() && in_force != asked {
        notes += "note: this model speaks of time, so that every step can make a difference to \
                  every other: the reduction `none` is in force\n";
    }
    Ok(Loaded {
        reduction: Level::ALL.iter().find(|(_, level)| *level == in_force).map(|(name, _)| *name),
        notes,
        pictures: Some(Box::new(Shared(Rc::clone(&program)))),
        waits: Some(waits),
        ..Loaded::new(Box::new(Shared(program)))
    })
}

/// A program over a model, such as one of its methods with unknown arguments.
pub fn loaded(program: ModelProgram) -> Loaded {
    let program = Rc::new(program);
    let pictures: Box<dyn Pictures> = Box::new(Shared(Rc::clone(&program)));
    Loaded { pictures: Some(pictures), ..Loaded::new(Box::new(Shared(program))) }
}

/// What of a model is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uses {
    /// The main block.
    MainBlock,
    /// Its methods and functions, one by one.
    Methods,
}

/// The model of a request, with what the user should know about it. It need not have a main block.
pub fn read_model(
    request: &LoadRequest,
    uses: Uses,
) -> Result<(Model, String, Vec<&'static str>), LoadError> {
    let expectations = request.objects.expect.clone();
    let main = request.main.clone();
    let product = request.objects.product.clone();
    let generation = request.objects.bare_new.map(|place| match place {
        BareNew::Cog => Generation::Today,
        BareNew::Local => Generation::Old,
    });
    let without_main = uses == Uses::Methods;
    let options = LoadOptions { generation, expectations, main, product, without_main };
    let (result, notes) = interrupt::reading(|| {
        let result = load_model(source_files(request)?, &options);
        let notes = result.render(Style::Plain);
        Ok::<_, LoadError>((result, notes))
    })?;
    let assumptions = result.assumptions();
    let Some(model) = result.model else {
        let targets = request.target();
        let message = format!("`{targets}` cannot be run\n\n{}", notes.trim_end());
        return Err(LoadError { message, hint: None });
    };
    Ok((model, notes, assumptions))
}

/// The files of a request.
fn source_files(request: &LoadRequest) -> Result<Vec<SourceFile>, LoadError> {
    let mut files = Vec::new();
    for target in &request.targets {
        match Path::new(target) {
            folder if folder.is_dir() => {
                for file in models_in(folder) {
                    let name = file.display().to_string();
                    files.push(SourceFile::new(name.as_str(), read(&name)?));
                }
            }
            _ => files.push(SourceFile::new(target.as_str(), read(target)?)),
        }
    }
    Ok(files)
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
    if let Some(level @ (Level::Object | Level::Field)) = asked
        && request.objects.orders_everything()
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

fn is_model(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "abs")
}

/// Whether a folder holds models and no Java program, as far as a short look shows.
fn holds_models(folder: &Path) -> bool {
    const SHORT_LOOK: usize = 10_000;
    let java = |path: &PathBuf| path.extension().is_some_and(|e| e == "class" || e == "java");
    let files = files_in(folder, SHORT_LOOK);
    files.iter().any(|file| is_model(file)) && !files.iter().any(java)
}

/// The models in a folder. What is not a file, such as a pipe, is not read: that could take for ever.
fn models_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    files_in(folder, usize::MAX).into_iter().filter(|file| is_model(file) && file.is_file())
}

/// The files in a folder and the folders in it, by name, of the first `most` that there are. Links to
/// folders are not followed, and what cannot be read is not there.
fn files_in(folder: &Path, most: usize) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut left = vec![folder.to_path_buf()];
    while let Some(folder) = left.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => left.push(entry.path()),
                _ => files.push(entry.path()),
            }
            if files.len() + left.len() >= most {
                return files;
            }
        }
    }
    files.sort();
    files
}

fn read(target: &str) -> Result<String, LoadError> {
    let fail = |why: String| LoadError { message: why, hint: None };
    let bytes = std::fs::read(Path::new(target))
        .map_err(|error| fail(format!("cannot read `{target}`: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        fail(format!("`{target}` is not valid UTF-8: see byte {place}"))
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

    fn assumptions(&self) -> Vec<String> {
        self.0.assumptions()
    }

    fn heed(&self, interrupt: &Interrupt) {
        self.0.heed(interrupt);
    }

    fn watch(&self) {
        self.0.watch();
    }

    fn coverage(&self) -> Vec<FileCoverage> {
        self.0.coverage()
    }
}

impl Pictures for Shared {
    fn sequence(&self, choices: &[Choice]) -> Sequence {
        picture::sequence(&self.0, &Account::new(&self.0, choices))
    }

    fn trace(&self, choices: &[Choice]) -> String {
        Account::new(&self.0, choices).to_text(&self.0)
    }

    fn tree(&self, executions: &[Vec<Choice>]) -> Graph {
        picture::tree(&self.0, executions)
    }
}
