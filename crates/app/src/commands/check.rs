//! `counterpoint check`: explore a program and report what is wrong with it.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use counterpoint_explore::{
    Covers, EXPLORERS, Explorer, Found, Limits, PROPERTIES, PropertyEntry, Statistics, WorkUnit,
};
use counterpoint_model::{Bound, FindingKind, Program};

use crate::checkpoint::Checkpoint;
use crate::cli::CheckArguments;
use crate::front_end::{self, FrontEnd, LoadRequest, Rest};
use crate::interrupt;
use crate::job::{self, Job, Tally, Watcher};
use crate::look::Look;
use crate::output;
use crate::progress::Progress;
use crate::report::{Checked, Destination, REPORTS, Told, property_of, screen};
use crate::source::Sources;
use crate::store::{self, KeptFinding};
use crate::story::Story;
use crate::trouble::Trouble;
use crate::written::Versions;

/// A long exploration is saved this often.
const SAVE_EVERY: Duration = Duration::from_secs(3);

/// Checks a program.
pub fn run(front_ends: &[FrontEnd], arguments: &CheckArguments) -> Result<u8, Trouble> {
    run_until(front_ends, arguments, interrupt::flag())
}

/// Checks a program until it is done or the flag is set.
pub fn run_until(
    front_ends: &[FrontEnd],
    arguments: &CheckArguments,
    interrupted: &AtomicBool,
) -> Result<u8, Trouble> {
    let question = Question::new(front_ends, arguments)?;
    check_outputs(arguments)?;
    let (front_end, program) = front_end::load(front_ends, &question.request)?;
    let program = &*program;
    let job = question.job(program, arguments);
    let mut tally = match (&question.saved, &arguments.resume) {
        (Some(saved), Some(path)) => saved.tally(path, program)?,
        _ => Tally::default(),
    };
    let kept = try_kept(&question, program, &mut tally);
    let mut session = Session::new(&question.request, &job, tally.statistics.executions);
    let done = arguments.stop_at_first && !tally.findings.is_empty();
    if done {
        // The replay of the kept schedule was the one execution that it took.
        tally.statistics.executions += 1;
        tally.bounds.insert(Bound::Stopped);
        tally.unexplored = tally.unexplored.or_else(|| Some(WorkUnit::whole()));
    } else {
        tally = job::explore(&job, tally, interrupted, &mut session);
    }
    session.progress.finish();
    tally.findings.sort_by(|a, b| {
        let key = |found: &Found| (found.finding.kind, found.finding.places.clone());
        key(a).cmp(&key(b)).then_with(|| a.finding.message.cmp(&b.finding.message))
    });
    let resume = if done { None } else { session.end(&tally) };
    if tally.exhausted() {
        forget(&kept, &tally);
    }
    let sources = Sources::new(&question.request);
    let told = tell(&question.request, program, &tally)?;
    let reduction = question.request.reduction.as_deref();
    let checked = Checked {
        request: &question.request,
        program,
        explorer: job.explorer.name,
        reduction: reduction.or_else(|| front_end.reductions.first().map(|level| level.name)),
        properties: &job.properties,
        tally: &tally,
        told,
        sources: &sources,
        resume,
    };
    write_reports(arguments, &checked)?;
    Ok(tally.verdict().exit_code())
}

/// What is asked: by flags, or by a saved exploration and flags that do not contradict it.
struct Question {
    request: LoadRequest,
    explorer: &'static Explorer,
    properties: Vec<&'static PropertyEntry>,
    limits: Limits,
    seed: u64,
    saved: Option<Checkpoint>,
}

impl Question {
    fn new(front_ends: &[FrontEnd], arguments: &CheckArguments) -> Result<Question, Trouble> {
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
            (None, None) => return Err(Trouble::new("no target is given")),
        };
        if saved.is_some() && arguments.target.is_none() {
            check_no_program_flags(arguments)?;
        }
        let question = Question {
            request,
            explorer: pick_explorer(arguments, saved.as_ref())?,
            properties: pick_properties(arguments, saved.as_ref())?,
            limits: pick_limits(arguments, saved.as_ref())?,
            seed: agree("--seed", arguments.seed, saved.as_ref().map(|saved| saved.seed))?
                .unwrap_or(0),
            saved,
        };
        question.check_sense(arguments)?;
        Ok(question)
    }

    /// Refuses flags that mean nothing to the explorer.
    fn check_sense(&self, arguments: &CheckArguments) -> Result<(), Trouble> {
        let name = self.explorer.name;
        let samples = self.explorer.covers == Covers::Samples;
        if arguments.seed.is_some() && !samples {
            let drawing: Vec<&str> = EXPLORERS
                .iter()
                .filter(|explorer| explorer.covers == Covers::Samples)
                .map(|explorer| explorer.name)
                .collect();
            return Err(Trouble::new(format!(
                "`--seed` makes no sense with the explorer `{name}`, which draws nothing at random"
            ))
            .hint(format!("Leave it out, or use `--explorer` {}.", drawing.join(" or "))));
        }
        if arguments.depth.is_some() && samples {
            return Err(Trouble::new(format!(
                "`--depth` makes no sense with the explorer `{name}`, which never goes back to try \
                 alternatives"
            ))
            .hint("Limit the length of executions with `--steps`."));
        }
        self.limits.check().map_err(|error| Trouble::new(error.to_string()))
    }

    fn job<'a>(&self, program: &'a dyn Program, arguments: &CheckArguments) -> Job<'a> {
        Job {
            program,
            explorer: self.explorer,
            properties: self.properties.clone(),
            limits: self.limits.clone(),
            seed: self.seed,
            stop_at_first: arguments.stop_at_first,
            coverage: arguments.report.is_some(),
        }
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
        reduction: arguments.reduction.clone(),
    };
    if front_end::choose(front_ends, &request)?.rest == Rest::Targets {
        request.targets.append(&mut request.arguments);
    }
    Ok(Some(request))
}

fn check_no_program_flags(arguments: &CheckArguments) -> Result<(), Trouble> {
    let flags = [
        ("--reduction", arguments.reduction.is_some()),
        ("--main", arguments.main.is_some()),
        ("--input", !arguments.input.is_empty()),
    ];
    match flags.iter().find(|(_, given)| *given) {
        Some((flag, _)) => {
            Err(Trouble::new(format!("`{flag}` cannot be changed in the middle of an exploration"))
                .hint("Leave it out: `--resume` knows it."))
        }
        None => Ok(()),
    }
}

fn pick_explorer(
    arguments: &CheckArguments,
    saved: Option<&Checkpoint>,
) -> Result<&'static Explorer, Trouble> {
    let saved = saved.map(|saved| saved.explorer.clone());
    let name = agree("--explorer", arguments.explorer.clone(), saved)?;
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
    let steps = agree("--steps", arguments.steps, saved.map(|saved| saved.steps))?;
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
        time: arguments.time,
        executions: arguments.executions,
        steps: steps.unwrap_or(Limits::default().steps),
        depth,
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
        words.join(" ")
    };
    contradiction_text(what, &words(asked), &words(saved))
}

fn contradiction_text(what: &str, asked: &str, saved: &str) -> Trouble {
    let text = format!("{what} was `{saved}` when the exploration was saved, and is now `{asked}`");
    Trouble::new(text)
        .hint("Leave it out: `--resume` knows it. Or explore anew, without `--resume`.")
}

/// Finds out whether the reports can be written before any work is done.
fn check_outputs(arguments: &CheckArguments) -> Result<(), Trouble> {
    let mut seen: Vec<(&str, &Path)> = Vec::new();
    for report in REPORTS {
        let flag = report.flag.split(' ').next().unwrap_or_default();
        match (report.destination)(arguments) {
            Some(Destination::File(path)) => {
                if let Some((other, _)) = seen.iter().find(|(_, known)| *known == path) {
                    return Err(same_file(other, flag, path));
                }
                output::check_file(path)?;
                seen.push((flag, path));
            }
            Some(Destination::Folder(path)) => output::check_folder(path)?,
            Some(Destination::Screen) | None => {}
        }
    }
    Ok(())
}

fn same_file(one: &str, other: &str, path: &Path) -> Trouble {
    let place = match output::is_stdout(path) {
        true => "standard output".to_string(),
        false => format!("`{}`", path.display()),
    };
    Trouble::new(format!("`{one}` and `{other}` both write to {place}"))
        .hint("Give each report a file of its own.")
}

/// Replays the schedules kept for this program. Those that still fail are findings from the start.
fn try_kept(
    question: &Question,
    program: &dyn Program,
    tally: &mut Tally,
) -> Vec<(PathBuf, KeptFinding)> {
    let kept = store::kept_for(&question.request);
    if question.saved.is_some() {
        return kept;
    }
    let wanted = |kind: FindingKind| {
        kind != FindingKind::Unsupported
            && question.properties.iter().any(|entry| entry.name == property_of(kind))
    };
    for (_, file) in kept.iter().filter(|(_, file)| wanted(file.finding.kind)) {
        if let Ok(finding) = file.finding.revive(program, Versions::Any) {
            let known = |found: &Found| found.finding.same_failure(&finding);
            if !tally.findings.iter().any(known) {
                tally.findings.push(Found { finding, count: 0 });
            }
        }
    }
    kept
}

/// The program was shown not to fail in these ways any more.
fn forget(kept: &[(PathBuf, KeptFinding)], tally: &Tally) {
    for (path, file) in kept {
        let still = |found: &Found| {
            found.finding.kind == file.finding.kind && found.finding.message == file.finding.message
        };
        if !tally.findings.iter().any(still) {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Tells the findings' stories and keeps their schedules.
fn tell<'a>(
    request: &LoadRequest,
    program: &dyn Program,
    tally: &'a Tally,
) -> Result<Vec<Told<'a>>, Trouble> {
    let mut told = Vec::new();
    let mut complained = false;
    for found in &tally.findings {
        let story = Story::of(program, &found.finding).map_err(|error| {
            let message = &found.finding.message;
            Trouble::new(format!("internal error: «{message}» cannot be replayed: {error}"))
        })?;
        let kept = match KeptFinding::new(program, request, &found.finding).save() {
            Ok(path) => Some(path),
            Err(error) => {
                if !complained {
                    let trouble = Trouble::file("write", Path::new(store::FOLDER), &error);
                    let text = trouble.message;
                    output::complain(&format!("warning: {text}; schedules are not kept\n"));
                }
                complained = true;
                None
            }
        };
        told.push(Told { found, story, kept });
    }
    Ok(told)
}

/// Shows progress and saves what is left from time to time.
struct Session<'a> {
    request: &'a LoadRequest,
    job: &'a Job<'a>,
    progress: Progress,
    saved: Instant,
    path: Option<PathBuf>,
    complained: bool,
}

impl<'a> Session<'a> {
    fn new(request: &'a LoadRequest, job: &'a Job<'a>, before: u64) -> Session<'a> {
        let progress = Progress::new(before);
        Session { request, job, progress, saved: Instant::now(), path: None, complained: false }
    }

    fn save(&mut self, tally: &Tally) {
        let Some(checkpoint) = Checkpoint::new(self.request, self.job, tally) else { return };
        match checkpoint.save() {
            Ok(path) => self.path = Some(path),
            Err(error) if !self.complained => {
                self.complained = true;
                let trouble = Trouble::file("write", &checkpoint.path(), &error);
                let text = trouble.message;
                output::complain(&format!("warning: {text}; the exploration is not saved\n"));
            }
            Err(_) => {}
        }
        self.saved = Instant::now();
    }

    /// Saves what is left if the exploration was stopped; otherwise there is nothing to continue.
    fn end(mut self, tally: &Tally) -> Option<PathBuf> {
        let first = self.job.stop_at_first && !tally.findings.is_empty();
        let hit = |bound: &Bound| tally.bounds.contains(bound);
        let limited = hit(&Bound::Executions) && !hit(&Bound::Sampled);
        if !first && (hit(&Bound::Time) || hit(&Bound::Stopped) || limited) {
            self.path = None;
            self.save(tally);
            return self.path;
        }
        if let Some(path) = &self.path {
            let _ = std::fs::remove_file(path);
        }
        None
    }
}

impl Watcher for Session<'_> {
    fn moved(&mut self, done: &Tally, part: &Statistics) {
        self.progress.moved(done, part);
    }

    fn paused(&mut self, tally: &Tally) {
        if self.path.is_none() || self.saved.elapsed() >= SAVE_EVERY {
            self.save(tally);
        }
    }
}

/// The screen first, so that it is seen whatever becomes of the files.
fn write_reports(arguments: &CheckArguments, checked: &Checked<'_>) -> Result<(), Trouble> {
    let mut remarks = String::new();
    let mut taken = false;
    for report in REPORTS {
        match (report.destination)(arguments) {
            Some(Destination::Screen) => remarks += &(report.render)(checked),
            Some(Destination::File(path)) => taken |= output::is_stdout(path),
            Some(Destination::Folder(_)) | None => {}
        }
    }
    let mut troubles = Vec::new();
    if taken {
        let look = Look::of_stderr(&arguments.look);
        output::complain(&(remarks + &screen::render(look, checked)));
    } else {
        let look = Look::of_stdout(&arguments.look);
        troubles.extend(output::print(&(remarks + &screen::render(look, checked))).err());
    }
    for report in REPORTS {
        let path = match (report.destination)(arguments) {
            Some(Destination::File(path)) => path.to_path_buf(),
            Some(Destination::Folder(folder)) => folder.join("index.html"),
            Some(Destination::Screen) | None => continue,
        };
        troubles.extend(output::write(&path, &(report.render)(checked)).err());
    }
    let Some(last) = troubles.pop() else { return Ok(()) };
    for trouble in troubles {
        output::complain(&format!("{trouble}\n"));
    }
    Err(last)
}
