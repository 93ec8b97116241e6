//! `counterpoint replay`: see a failure happen again.

use std::path::Path;

use counterpoint_explore::{Found, ParameterValues, Replay};
use counterpoint_model::{Bound, Finding, FindingKind, Next, Pid, Program, ScheduleError, Verdict};

use crate::cli::ReplayArguments;
use crate::front_end::{self, FrontEnd, LoadRequest, Pictures, RealMachine};
use crate::job::Tally;
use crate::look::{Look, count};
use crate::output;
use crate::report::table::{self, Shown};
use crate::report::{Checked, Told, pictures, screen};
use crate::source::Sources;
use crate::store::{self, FOLDER, KeptFinding};
use crate::story::Story;
use crate::trouble::Trouble;
use crate::written::{ReviveError, Versions};

/// Replays a kept schedule.
pub fn run(front_ends: &[FrontEnd], arguments: &ReplayArguments) -> Result<u8, Trouble> {
    let mut kept = KeptFinding::read(&arguments.file)?;
    let request = &mut kept.program;
    find_targets(&arguments.file, request);
    let (_, loaded) = front_end::load(front_ends, request)?;
    let program = &*loaded.program;
    let pictures = loaded.pictures.as_deref();
    if let Some(folder) = &arguments.report {
        output::check_folder(folder)?;
    }
    let finding = kept
        .finding
        .revive(program, Versions::Same)
        .map_err(|error| explain(&arguments.file, request, error))?;
    let look = Look::of_stdout(&arguments.look);
    let shown = if arguments.trace { Shown::All } else { Shown::Matter };
    let failed = exit_code(finding.kind);
    let seen = finding.clone();
    let text = match arguments.until {
        Some(until) => part(look, program, finding, until)?,
        None => whole(look, program, request, finding, shown, pictures, arguments)?,
    };
    output::print(&text)?;
    if arguments.on_jvm || arguments.debug.is_some() {
        return on_jvm(loaded.real_machine.as_deref(), &seen, arguments, failed);
    }
    Ok(if arguments.until.is_some() { 0 } else { failed })
}

/// Follows the schedule on the machine that users run.
fn on_jvm(
    machine: Option<&dyn RealMachine>,
    finding: &Finding,
    arguments: &ReplayArguments,
    confirmed: u8,
) -> Result<u8, Trouble> {
    let Some(machine) = machine else {
        return Err(Trouble::new("`--on-jvm` and `--debug` are for Java programs"));
    };
    let trouble =
        |error: String| Trouble::new(format!("cannot use the real virtual machine: {error}"));
    let testimony = match arguments.debug {
        None => machine.testify(finding).map_err(trouble)?,
        Some(port) => {
            let ready = |name: &str, port: u16| {
                let text = format!(
                    "\n{name} stands where the failure begins. Attach a debugger to \
                     localhost:{port}, as in\n  jdb -attach localhost:{port}\n"
                );
                let _ = output::print(&text);
            };
            let print = |text: &str| _ = output::print(text);
            match machine.debug(finding, port, &ready, &print).map_err(trouble)? {
                None => return Ok(confirmed),
                Some(testimony) => testimony,
            }
        }
    };
    let name = testimony.machine;
    let (text, code) = match testimony.seen {
        Ok(words) => (format!("\n{words}confirmed on {name}\n"), confirmed),
        Err(how) => {
            let code = Verdict::of(false, &[Bound::Stopped]).exit_code();
            (format!("not confirmed on {name}: {how}\n"), code)
        }
    };
    output::print(&text)?;
    Ok(code)
}

/// What a failure that was seen again ends with: what is unsupported is no bug, as in `check`.
fn exit_code(kind: FindingKind) -> u8 {
    match kind {
        FindingKind::Unsupported => Verdict::of(false, &[Bound::Unsupported]).exit_code(),
        _ => Verdict::Bug.exit_code(),
    }
}

/// A kept schedule names its program as seen from the folder above `.counterpoint`.
fn find_targets(file: &Path, request: &mut LoadRequest) {
    let Some(folder) = file.parent().filter(|folder| folder.ends_with(FOLDER)) else { return };
    let Some(base) = folder.parent() else { return };
    for target in &mut request.targets {
        let there = base.join(&*target);
        if !Path::new(target).exists() && there.exists() {
            *target = there.to_string_lossy().into_owned();
        }
    }
}

fn explain(file: &Path, request: &LoadRequest, error: ReviveError) -> Trouble {
    let target = request.target();
    match error {
        ReviveError::Schedule(ScheduleError::OtherProgram) => Trouble::new(format!(
            "`{target}` has changed since `{}` was made, so its schedule no longer applies",
            file.display()
        ))
        .hint(format!("See whether it still fails: counterpoint check {target}")),
        ReviveError::Schedule(ScheduleError::Malformed(_)) => {
            store::foreign(file, "its schedule is not as it was written")
        }
        error => Trouble::new(format!("cannot replay `{}`: {error}", file.display()))
            .hint("The file may have been changed by hand."),
    }
}

/// The bug screen, and that it was seen again.
fn whole(
    look: Look,
    program: &dyn Program,
    request: &LoadRequest,
    finding: Finding,
    shown: Shown,
    pictures: Option<&dyn Pictures>,
    arguments: &ReplayArguments,
) -> Result<String, Trouble> {
    let story = tell(program, &finding)?;
    let tally = Tally { findings: vec![Found::new(finding, 0)], ..Tally::default() };
    let sources = Sources::new(request);
    let checked = Checked {
        request,
        program,
        explorer: "",
        parameters: ParameterValues::default(),
        reduction: None,
        properties: &[],
        tally: &tally,
        told: Vec::new(),
        sources: &sources,
        pictures,
        coverage: Vec::new(),
        resume: None,
        first_only: false,
        cycles: None,
        one_for_each_cycle: false,
    };
    let steps = count(story.steps.len() as u64, "step");
    let what = match tally.findings[0].finding.kind {
        FindingKind::Reached => "the same state",
        _ => "the same failure",
    };
    let told = Told { found: &tally.findings[0], story, kept: None };
    let mut text = screen::finding(look, &checked, &told, 1, shown);
    if let (true, Some(pictures)) = (arguments.trace, pictures) {
        text += &format!("\n{}\n", pictures.trace(&tally.findings[0].finding.schedule.choices));
    }
    if let Some(folder) = &arguments.report {
        for picture in pictures::of_finding(pictures, &told, "") {
            let path = folder.join(&picture.file.name);
            output::write(&path, &picture.file.text)?;
            text += &format!("{}: {}\n", picture.about, path.display());
        }
    }
    Ok(format!("{text}reproduced: {what} after {steps}\n"))
}

/// The first steps, and where everybody stands after them.
fn part(
    look: Look,
    program: &dyn Program,
    mut finding: Finding,
    until: usize,
) -> Result<String, Trouble> {
    let all = finding.schedule.choices.len();
    if until > all {
        let steps = count(all as u64, "step");
        return Err(Trouble::new(format!("`--until {until}`: the schedule has only {steps}")));
    }
    finding.schedule.choices.truncate(until);
    finding.waiting.clear();
    let story = tell(program, &finding)?;
    let mut text = table::render(look, &story, Shown::All);
    text += &format!("\nAfter step {until} of {all}\n");
    let replay = Replay::new(program, &finding.schedule.inputs, &finding.schedule.choices)
        .map_err(|error| Trouble::new(error.to_string()))?;
    for process in (0..replay.run.processes()).map(Pid) {
        let name = program.process_name(process);
        let state = match replay.run.next(process) {
            Next::Done => continue,
            Next::Ready(_) => "can go on".to_string(),
            Next::Blocked(_) => match replay.run.waiting(process) {
                Some(waiting) => {
                    format!("waits for {} at {}", waiting.what, program.place(waiting.site))
                }
                None => "waits".to_string(),
            },
        };
        text += &format!("  {name} {state}\n");
    }
    Ok(text)
}

fn tell(program: &dyn Program, finding: &Finding) -> Result<Story, Trouble> {
    Story::of(program, finding).map_err(|error| Trouble::new(error.to_string()))
}
