//! What `check` is asked: by flags, or by a saved exploration and flags that do not contradict it.

use counterpoint_explore::{
    Covers, EXPLORERS, Explorer, Limits, PROPERTIES, ParameterValue, ParameterValues,
    PropertyEntry, Vocabulary,
};
use counterpoint_model::Program;

use crate::checkpoint::Checkpoint;
use crate::cli::CheckArguments;
use crate::cli::parameters::takers;
use crate::front_end::{self, ExplorerFit, FrontEnd, LoadRequest};
use crate::interrupt;
use crate::job::Job;
use crate::trouble::Trouble;

/// A program and how to explore it.
pub struct CheckQuestion {
    /// How to load the program.
    pub request: LoadRequest,
    explorer: &'static Explorer,
    /// What to check.
    pub properties: Vec<&'static PropertyEntry>,
    /// How far to go.
    pub limits: Limits,
    /// The exploration to continue.
    pub saved: Option<Checkpoint>,
}

impl CheckQuestion {
    /// Reads the flags and the saved exploration.
    pub fn new(
        front_ends: &[FrontEnd],
        arguments: &CheckArguments,
    ) -> Result<CheckQuestion, Trouble> {
        let saved = match &arguments.resume {
            Some(path) => Some(Checkpoint::read(path)?),
            None => None,
        };
        let asked = asked_request(front_ends, arguments)?;
        let request = match (&saved, asked) {
            (None, Some(asked)) => asked,
            (Some(saved), None) => saved.program.clone(),
            (Some(saved), Some(asked)) if saved.program == asked => asked,
            (Some(saved), Some(asked)) => {
                return Err(contradiction("the program", &asked, &saved.program));
            }
            (None, None) => return Err(Trouble::new("expected a target")),
        };
        if saved.is_some() && arguments.target.is_none() {
            check_no_program_flags(arguments)?;
        }
        let explorer = pick_explorer(front_ends, &request, arguments, saved.as_ref())?;
        let question = CheckQuestion {
            request,
            explorer,
            properties: pick_properties(arguments, saved.as_ref())?,
            limits: pick_limits(arguments, saved.as_ref())?,
            saved,
        };
        question.check_sense(arguments)?;
        Ok(question)
    }

    /// Refuses flags that mean nothing to the explorer.
    fn check_sense(&self, arguments: &CheckArguments) -> Result<(), Trouble> {
        let name = self.explorer.name;
        let samples = self.explorer.covers == Covers::Samples;
        let own = |flag: &str| self.explorer.parameters.iter().any(|own| own.name == flag);
        if let Some(flag) = arguments.parameters.0.0.keys().find(|flag| !own(flag)) {
            let takers: Vec<&str> = takers(flag).map(|(explorer, _)| explorer.name).collect();
            return Err(Trouble::new(format!("the explorer `{name}` does not take `--{flag}`"))
                .hint(format!("These do: {}.", takers.join(", "))));
        }
        let expects = !self.request.objects.expect.is_empty();
        if expects && self.explorer.covers == Covers::LocalStates {
            return Err(Trouble::new(format!(
                "`--expect` does not apply to the explorer `{name}`, which does not visit every \
                 final state"
            ))
            .hint("Leave `--explorer` out."));
        }
        if arguments.depth.is_some() && samples {
            return Err(Trouble::new(format!(
                "`--depth` does not apply to the explorer `{name}`, which never goes back to try \
                 alternatives"
            ))
            .hint("Limit the length of executions with `--steps`."));
        }
        self.limits.check().map_err(|error| Trouble::new(error.to_string()))
    }

    /// The job that answers it, and whether executions are to be drawn.
    pub fn job<'a>(
        &self,
        program: &'a dyn Program,
        arguments: &CheckArguments,
        draws: bool,
    ) -> Result<Job<'a>, Trouble> {
        Ok(Job {
            program,
            explorer: self.explorer,
            properties: self.properties.clone(),
            limits: self.limits.clone(),
            parameters: self.parameters(program, arguments)?,
            stop_at_first: arguments.stop_at_first,
            draws,
            explorer_chosen: arguments.explorer.is_some()
                || self.saved.as_ref().is_some_and(|saved| saved.explorer_chosen),
            workers: None,
            memory: None,
        })
    }

    /// The values of the explorer's parameters, those of a saved exploration included.
    fn parameters(
        &self,
        program: &dyn Program,
        arguments: &CheckArguments,
    ) -> Result<ParameterValues, Trouble> {
        let saved = self.saved.as_ref().map(|saved| &saved.parameters);
        let mut parameters = saved.cloned().unwrap_or_default();
        for (name, value) in &arguments.parameters.0.0 {
            let value = match value {
                ParameterValue::Process(name) => {
                    let known = Vocabulary::of(program, self.limits.steps).process(name);
                    let process = known.map_err(Trouble::new)?;
                    ParameterValue::Process(program.names().path(process))
                }
                ParameterValue::Number(_) => value.clone(),
            };
            if let Some(saved) = saved {
                let before = saved.0.get(name).map_or("none".to_string(), ToString::to_string);
                agree(&format!("--{name}"), Some(value.to_string()), Some(before))?;
            }
            parameters.0.insert(name.clone(), value);
        }
        Ok(parameters.complete(self.explorer.parameters))
    }
}

/// The program that the flags ask for.
fn asked_request(
    front_ends: &[FrontEnd],
    arguments: &CheckArguments,
) -> Result<Option<LoadRequest>, Trouble> {
    let Some(target) = &arguments.target else { return Ok(None) };
    let mut request = LoadRequest {
        targets: vec![target.clone()],
        arguments: arguments.rest.clone(),
        main: arguments.main.clone(),
        inputs: arguments.input.clone(),
        byte_code: arguments.byte_code.clone(),
        reduction: arguments.reduction.clone(),
        objects: arguments.objects.clone(),
        test: None,
    };
    request.sort_words(front_ends)?;
    if request.reduction.is_none() && arguments.explorer.is_none() {
        let implied = front_end::choose(front_ends, &request)?.implied_reduction;
        request.reduction = implied(&request).map(str::to_string);
    }
    Ok(Some(request))
}

fn check_no_program_flags(arguments: &CheckArguments) -> Result<(), Trouble> {
    let flags = [
        ("--reduction", arguments.reduction.is_some()),
        ("--main", arguments.main.is_some()),
        ("--input", !arguments.input.is_empty()),
    ];
    let given = [arguments.byte_code.given(), arguments.objects.given()].concat();
    let more = given.iter().map(|flag| (flag.as_str(), true));
    match flags.into_iter().chain(more).find(|(_, given)| *given) {
        Some((flag, _)) => {
            Err(Trouble::new(format!("`{flag}` cannot be changed in the middle of an exploration"))
                .hint("Leave it out: `--resume` knows it."))
        }
        None => Ok(()),
    }
}

fn pick_explorer(
    front_ends: &[FrontEnd],
    request: &LoadRequest,
    arguments: &CheckArguments,
    saved: Option<&Checkpoint>,
) -> Result<&'static Explorer, Trouble> {
    let saved = saved.map(|saved| saved.explorer.clone());
    let mut name = agree("--explorer", arguments.explorer.clone(), saved)?;
    let implied = request.objects.orders_everything().then_some("none");
    if let Some(level) = request.reduction.as_deref().or(implied) {
        let levels = front_end::choose(front_ends, request)?.reductions;
        let known = levels.iter().find(|known| known.name == level);
        match (known.map_or(ExplorerFit::All, |level| level.explorer), &name) {
            (ExplorerFit::Only(needed), Some(asked)) if asked != needed => {
                return Err(Trouble::new(format!(
                    "`--reduction {level}` and `--explorer {asked}` contradict each other: this \
                     level compares states, which only the explorer `{needed}` does"
                ))
                .hint("Leave `--explorer` out, or use another level; see `counterpoint list`."));
            }
            (ExplorerFit::Only(fit) | ExplorerFit::Best(fit), None) => name = Some(fit.to_string()),
            _ => {}
        }
    }
    let named = |name: &String| EXPLORERS.iter().find(|explorer| explorer.name == name);
    Ok(name.as_ref().and_then(named).unwrap_or(&EXPLORERS[0]))
}

fn pick_properties(
    arguments: &CheckArguments,
    saved: Option<&Checkpoint>,
) -> Result<Vec<&'static PropertyEntry>, Trouble> {
    let asked = !arguments.property.is_empty() || arguments.races;
    let wanted = |entry: &&PropertyEntry| match arguments.property.as_slice() {
        [] => entry.default || (arguments.races && entry.name == "race"),
        names => names.iter().any(|name| name == entry.name),
    };
    let names: Vec<String> =
        PROPERTIES.iter().filter(wanted).map(|entry| entry.name.to_string()).collect();
    let saved = saved.map(|saved| saved.properties.clone());
    let names = match (asked, saved) {
        (true, Some(saved)) if saved != names => {
            return Err(contradiction_text("the properties", &names.join(", "), &saved.join(", ")));
        }
        (false, Some(saved)) => saved,
        _ => names,
    };
    Ok(PROPERTIES.iter().filter(|entry| names.iter().any(|name| name == entry.name)).collect())
}

fn pick_limits(arguments: &CheckArguments, saved: Option<&Checkpoint>) -> Result<Limits, Trouble> {
    let steps = agree("--steps", arguments.limits.steps, saved.map(|saved| saved.steps))?;
    let depth = match saved {
        Some(saved) if arguments.depth.is_some() && arguments.depth != saved.depth => {
            return Err(Trouble::new(
                "`--depth` cannot be changed in the middle of an exploration",
            )
            .hint("Leave it out: `--resume` knows it."));
        }
        Some(saved) => saved.depth,
        None => arguments.depth,
    };
    Ok(Limits {
        time: arguments.limits.time,
        executions: arguments.limits.executions,
        steps: steps.unwrap_or(Limits::default().steps),
        depth,
        interrupt: interrupt::signal(),
    })
}

/// The value asked for, or the saved one; they must not differ.
fn agree<T: PartialEq + std::fmt::Display>(
    flag: &str,
    asked: Option<T>,
    saved: Option<T>,
) -> Result<Option<T>, Trouble> {
    match (asked, saved) {
        (Some(asked), Some(saved)) if asked != saved => {
            Err(contradiction_text(&format!("`{flag}`"), &asked.to_string(), &saved.to_string()))
        }
        (Some(value), _) | (None, Some(value)) => Ok(Some(value)),
        (None, None) => Ok(None),
    }
}

fn contradiction(what: &str, asked: &LoadRequest, saved: &LoadRequest) -> Trouble {
    let words = |request: &LoadRequest| {
        let mut words = request.targets.clone();
        words.extend(request.arguments.clone());
        words.extend(request.main.iter().map(|main| format!("--main {main}")));
        words.extend(request.inputs.iter().map(|input| format!("--input {input}")));
        words.extend(request.reduction.iter().map(|level| format!("--reduction {level}")));
        words.extend(request.byte_code.given());
        words.extend(request.objects.given());
        words.join(" ")
    };
    contradiction_text(what, &words(asked), &words(saved))
}

fn contradiction_text(what: &str, asked: &str, saved: &str) -> Trouble {
    Trouble::new(format!(
        "{what} cannot change in the middle of an exploration: `{saved}` at its start, `{asked}` now"
    ))
    .hint("Leave it out: `--resume` knows it. Or start over, without `--resume`.")
}
