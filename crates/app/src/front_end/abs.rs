//! ABS models.

use std::path::Path;
use std::sync::Arc;

use counterpoint_abs::diagnostics::Style;
use counterpoint_abs::machine::{ModelProgram, Options, Reduction as Level};
use counterpoint_abs::source::SourceFile;
use counterpoint_abs::{LoadOptions, load as load_model};

use super::{FrontEnd, LoadError, LoadRequest, Loaded, Reduction, Rest};

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
        },
        Reduction {
            name: "object",
            about: "Two steps depend on each other if they run on the same object group.",
        },
        Reduction { name: "none", about: "All steps depend on each other: every order is tried." },
        Reduction {
            name: "exact",
            about: "As `field`, for explorers that also compare the states that two orders lead to.",
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
    if !request.inputs.is_empty() {
        return Err(misfit("--input", "Only methods of Java programs can be made inputs."));
    }
    let mut files = Vec::new();
    for target in &request.targets {
        files.push(SourceFile::new(target.as_str(), read(target)?));
    }
    let result = load_model(files, &LoadOptions::default());
    let notes = result.render(Style::Plain);
    let Some(model) = result.model else {
        let targets = request.target();
        let message = format!("`{targets}` cannot be run\n\n{}", notes.trim_end());
        return Err(LoadError { message, hint: None });
    };
    let level = |name: &String| Level::ALL.iter().find(|(known, _)| known == name);
    let reduction = request.reduction.as_ref().and_then(level).map(|(_, level)| *level);
    let options = Options { reduction: reduction.unwrap_or_default(), ..Options::default() };
    let program = Box::new(ModelProgram::new(Arc::new(model), options));
    Ok(Loaded { program, notes })
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
