//! `counterpoint check`: explore a program and report what is wrong with it.

mod guided;
mod question;
mod session;

use std::path::{Path, PathBuf};
use std::time::Instant;

use counterpoint_explore::{Found, PropertyEntry, WorkUnit};
use counterpoint_model::{Bound, FindingKind, Interrupt, Program};

use self::question::CheckQuestion;
use self::session::CheckSession;
use crate::checkpoint::Checkpoint;
use crate::cli::CheckArguments;
use crate::commands::deadlocks;
use crate::events;
use crate::front_end::{self, FrontEnd, LoadRequest};
use crate::interrupt;
use crate::job::{self, Tally, Unexplored};
use crate::jobs::{self, Workers, ray};
use crate::look::Screen;
use crate::output;
use crate::report::{Checked, Output, REPORTS, ReportFile, Told, property_of, screen};
use crate::source::Sources;
use crate::store::{self, KeptFinding};
use crate::story::Story;
use crate::trouble::Trouble;
use crate::written::Versions;

/// Checks a program.
pub fn run(front_ends: &[FrontEnd], arguments: &CheckArguments) -> Result<u8, Trouble> {
    let begun = Instant::now();
    let question = CheckQuestion::new(front_ends, arguments)?;
    if arguments.deadlocks.is_some() {
        deadlocks::can_analyse(front_ends, &question.request)?;
    }
    check_outputs(arguments)?;
    if arguments.jobs.ray.is_some() {
        ray::python().map_err(|why| {
            Trouble::new(why).hint("`scripts/ray/setup` installs it; see the guide on clusters.")
        })?;
    }
    let loading = Instant::now();
    let (front_end, loaded) = front_end::load(front_ends, &question.request)?;
    let loading = loading.elapsed();
    if let Some(which) = arguments.deadlocks {
        return guided::run(which, arguments, &question, front_end, &loaded);
    }
    let program = &*loaded.program;
    let draws = arguments.report.is_some() && loaded.pictures.is_some();
    if arguments.report.is_some() || arguments.coverage {
        program.watch();
    }
    let mut job = question.job(program, arguments, draws)?;
    job.limits.time = interrupt::left(job.limits.time);
    let request = loaded.request_for_workers(&question.request);
    if !(arguments.report.is_some() || arguments.coverage) {
        // What a worker executes, only it would know.
        job.workers = Workers::new(&arguments.jobs, &request, loading);
    }
    let mut tally = match (&question.saved, &arguments.resume) {
        (Some(saved), Some(path)) => saved.tally(path, program)?,
        _ => Tally::default(),
    };
    let earlier = tally.seconds;
    let trying = Instant::now();
    let kept = try_kept(&question, program, &mut tally);
    let limit = job.limits.time;
    job.limits.time = limit.map(|time| time.saturating_sub(trying.elapsed()));
    let saved = question.saved.as_ref().map(Checkpoint::path);
    let mut session =
        CheckSession::new(&question.request, &job, tally.statistics.executions, saved);
    let fresh = question.saved.is_none();
    let done = fresh && arguments.stop_at_first && !tally.findings.is_empty();
    if done {
        // The replay of the kept schedule was the one execution that it took.
        tally.findings.truncate(1);
        tally.statistics.executions += 1;
        tally.bounds.insert(Bound::Stopped);
        let whole = || Some(Unexplored::Alone(WorkUnit::whole()));
        tally.unexplored = tally.unexplored.or_else(whole);
    } else {
        tally = job::explore(&job, tally, interrupt::flag(), &mut session);
    }
    if let Some(2..) = arguments.jobs.processes.jobs {
        tally.undivided = jobs::why_undivided(&job);
    }
    interrupt::explored();
    session.progress.finish();
    events::finished(&tally);
    tally.findings.sort_by(|a, b| {
        let key = |found: &Found| (found.finding.kind, found.finding.places.clone());
        key(a).cmp(&key(b)).then_with(|| a.finding.message.cmp(&b.finding.message))
    });
    let resume = if done { None } else { session.end(&tally) };
    if tally.exhausted() {
        forget(&question, &kept, &tally);
    }
    // What somebody in front of the screen has waited for: loading, too.
    tally.seconds = earlier + begun.elapsed().as_secs_f64();
    let sources = Sources::new(&question.request);
    let telling = interrupt::telling(trying, limit);
    let told = tell(&question.request, program, &tally, &telling)?;
    let checked = Checked {
        request: &question.request,
        program,
        explorer: job.explorer.name,
        parameters: job.parameters.clone(),
        reduction: loaded.reduction,
        properties: &job.properties,
        tally: &tally,
        told,
        sources: &sources,
        pictures: loaded.pictures.as_deref(),
        coverage: program.coverage(),
        resume,
        first_only: job.stop_at_first,
        cycles: None,
        one_for_each_cycle: false,
    };
    write_reports(arguments, &checked)?;
    Ok(tally.verdict().exit_code())
}

/// Finds out whether the reports can be written before any work is done.
fn check_outputs(arguments: &CheckArguments) -> Result<(), Trouble> {
    let mut files = Vec::new();
    for report in REPORTS {
        let flag = report.flag.split(' ').next().unwrap_or_default();
        match &report.output {
            Output::File { path, .. } => files.push((flag, path(arguments))),
            Output::Folder { path, .. } => path(arguments).map_or(Ok(()), output::check_folder)?,
            Output::Screen { .. } => {}
        }
    }
    output::check_files(files)
}

/// Replays the schedules kept for this program. Those that still fail are findings from the start. Schedules can be
/// long, so the time that this takes belongs to the limit.
fn try_kept(
    question: &CheckQuestion,
    program: &dyn Program,
    tally: &mut Tally,
) -> Vec<(PathBuf, KeptFinding)> {
    let kept = store::kept_for(&question.request);
    if question.saved.is_some() {
        return kept;
    }
    let end =
        interrupt::left(question.limits.time).and_then(|time| Instant::now().checked_add(time));
    let interrupt = interrupt::signal().until(end);
    program.heed(&interrupt);
    for (_, file) in
        kept.iter().filter(|(_, file)| is_asked(&question.properties, file.finding.kind))
    {
        let revived = file.finding.revive(program, Versions::Any);
        // What is seen behind an interrupted step is not there.
        if interrupt.poll() {
            break;
        }
        if let Ok(finding) = revived {
            let known = |found: &Found| found.finding.likeness().is_one_with(&finding.likeness());
            if !tally.findings.iter().any(known) {
                events::finding(program, &finding);
                tally.findings.push(Found::new(finding, 0));
            }
        }
    }
    program.heed(&Interrupt::never());
    kept
}

/// Whether such failures are looked for.
pub fn is_asked(properties: &[&PropertyEntry], kind: FindingKind) -> bool {
    kind != FindingKind::Unsupported
        && properties.iter().any(|entry| entry.name == property_of(kind))
}

/// The program was shown not to fail in these ways any more.
fn forget(question: &CheckQuestion, kept: &[(PathBuf, KeptFinding)], tally: &Tally) {
    for (path, file) in
        kept.iter().filter(|(_, file)| is_asked(&question.properties, file.finding.kind))
    {
        let still = |found: &Found| {
            found.finding.kind == file.finding.kind && found.finding.name == file.finding.name
        };
        if !tally.findings.iter().any(still) {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Tells the findings' stories, as far as there is time, and keeps their schedules.
pub fn tell<'a>(
    request: &LoadRequest,
    program: &dyn Program,
    tally: &'a Tally,
    interrupt: &Interrupt,
) -> Result<Vec<Told<'a>>, Trouble> {
    let mut told = Vec::new();
    let mut complained = false;
    for found in &tally.findings {
        let story = Story::within(program, &found.finding, interrupt).map_err(|error| {
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

/// The screen first, so that it is seen whatever becomes of the files.
fn write_reports(arguments: &CheckArguments, checked: &Checked<'_>) -> Result<(), Trouble> {
    let mut remarks = String::new();
    let mut files = Vec::new();
    for report in REPORTS {
        match &report.output {
            Output::Screen { asked, render } if asked(arguments) => remarks += &render(checked),
            Output::File { path, .. } => files.push(path(arguments)),
            Output::Screen { .. } | Output::Folder { .. } => {}
        }
    }
    let shown = Screen::beside(&arguments.look, files);
    let mut troubles = Vec::new();
    troubles.extend(shown.print(&(remarks + &screen::render(shown.look, checked))).err());
    for report in REPORTS {
        match &report.output {
            Output::File { path, render } => {
                let Some(path) = path(arguments) else { continue };
                troubles.extend(output::write(path, &render(checked)).err());
            }
            Output::Folder { path, render } => {
                let Some(folder) = path(arguments) else { continue };
                let files = render(checked).into_iter();
                let write =
                    |file: ReportFile| output::write(&folder.join(file.name), &file.text).err();
                troubles.extend(files.filter_map(write));
            }
            Output::Screen { .. } => {}
        }
    }
    let Some(last) = troubles.pop() else { return Ok(()) };
    for trouble in troubles {
        output::complain(&format!("{trouble}\n"));
    }
    Err(last)
}
