//! `counterpoint reach`: can the program come into a state that satisfies a predicate?

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use counterpoint_explore::{
    Approach, Assignment, Execution, Exploration, Flow, Formula, FormulaError, Found, Limits,
    Never, ParameterValues, Reached, Sink, Statistics, Vocabulary, Wanted, WorkUnit, reach,
};
use counterpoint_model::{Bound, Finding, Interrupt, Program};

use crate::cli::ReachArguments;
use crate::events;
use crate::front_end::{self, FrontEnd, LoadRequest};
use crate::interrupt;
use crate::job::Tally;
use crate::look::{Look, Tone, count};
use crate::output;
use crate::progress::Progress;
use crate::report::table::Shown;
use crate::report::{Checked, Told, screen};
use crate::source::Sources;
use crate::store::{self, KeptFinding};
use crate::story::Story;
use crate::trouble::Trouble;

/// What the answers end with.
const UNREACHABLE: u8 = 0;
const REACHABLE: u8 = 1;
const INCOMPLETE: u8 = 3;

/// How many lines of a file a note lists.
const LINES: usize = 12;

/// Looks for a state.
pub fn run(front_ends: &[FrontEnd], arguments: &ReachArguments) -> Result<u8, Trouble> {
    let mut request = LoadRequest {
        targets: vec![arguments.target.clone()],
        arguments: arguments.rest.clone(),
        main: arguments.main.clone(),
        inputs: arguments.input.clone(),
        byte_code: arguments.byte_code.clone(),
        ..LoadRequest::default()
    };
    request.sort_words(front_ends)?;
    let (_, loaded) = front_end::load(front_ends, &request)?;
    let program = &*loaded.program;
    let limits = Limits {
        time: arguments.limits.time,
        executions: arguments.limits.executions,
        steps: arguments.limits.steps.unwrap_or(Limits::default().steps),
        depth: None,
        interrupt: interrupt::signal(),
    };
    limits.check().map_err(|error| Trouble::new(error.to_string()))?;
    let limits = Limits { time: interrupt::left(limits.time), ..limits };
    let names = Vocabulary::of(program, limits.steps);
    let text = arguments.when.trim().to_owned();
    let formula = Formula::parse(&text, &names).map_err(|error| point_at(&text, &error))?;
    let wanted = Wanted { text, formula };
    let mut watcher = ReachProgress {
        progress: Progress::new(0),
        interrupted: interrupt::flag(),
        nothing: Tally::default(),
    };
    let assignment = Assignment {
        program,
        unit: WorkUnit::whole(),
        limits,
        properties: Vec::new(),
        sink: &mut watcher,
        parameters: ParameterValues::default(),
    };
    let contextual = arguments.explorer == "contextual";
    let approach = Approach { contextual, ..Approach::default() };
    let begun = Instant::now();
    let answer = reach(assignment, &wanted, approach);
    interrupt::explored();
    watcher.progress.finish();
    let inquiry = answer.map_err(|error| Trouble::new(error.to_string()))?;
    let exploration = &inquiry.exploration;
    let look = Look::of_stdout(&arguments.look);
    for error in &exploration.internal_errors {
        output::complain(&format!("internal error: {error}\n"));
    }
    let telling = interrupt::telling(begun, interrupt::left(arguments.limits.time));
    let mut text = String::new();
    if !matches!(inquiry.reached, Reached::Yes(_)) {
        for never in &inquiry.never {
            text += &note(program, never);
        }
    }
    let (verdict, code) = match &inquiry.reached {
        Reached::Yes(finding) => {
            (reachable(look, program, &request, finding, &telling)?, REACHABLE)
        }
        Reached::No => (unreachable(look, exploration), UNREACHABLE),
        Reached::Unknown(reasons) => (incomplete(look, reasons, exploration), INCOMPLETE),
    };
    output::print(&(text + &verdict))?;
    Ok(code)
}

/// Why a thread is never at a position, and where it is instead if the file is not one of its own.
fn note(program: &dyn Program, never: &Never) -> String {
    let name = program.process_name(never.process);
    let last = |file: &str| file.rsplit(['/', '\\']).next().unwrap_or(file).to_string();
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, line) in never.stands.iter().filter(|(_, line)| *line > 0) {
        files.entry(last(file)).or_default().push(line.to_string());
    }
    let stops: Vec<String> = files
        .iter()
        .map(|(file, lines)| {
            let more = if lines.len() > LINES { " and others" } else { "" };
            format!("{file} ({}{more})", lines[..lines.len().min(LINES)].join(", "))
        })
        .collect();
    match &never.spot.file {
        Some(file) if !files.contains_key(&last(file)) && !stops.is_empty() => {
            format!("note: {name} never stops in {file}; it stops in {}\n", stops.join(", "))
        }
        _ => format!(
            "note: {name} never stops in line {}: only operations on something shared count\n",
            never.spot.line
        ),
    }
}

/// Shows progress and stops when somebody interrupts.
struct ReachProgress {
    progress: Progress,
    interrupted: &'static AtomicBool,
    nothing: Tally,
}

impl Sink for ReachProgress {
    fn execution(&mut self, _: &Execution<'_>, statistics: &Statistics) -> Flow {
        if self.interrupted.load(Ordering::Relaxed) {
            return Flow::Stop;
        }
        if statistics.executions.is_multiple_of(64) {
            self.progress.moved(&self.nothing, statistics, 0);
        }
        Flow::Continue
    }
}

/// The predicate with a mark under what is wrong with it.
fn point_at(text: &str, error: &FormulaError) -> Trouble {
    let line: String = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    let mark = " ".repeat(error.column.saturating_sub(1));
    Trouble::new(format!("`--when`: {}\n\n  {line}\n  {mark}^", error.what))
        .hint("See `counterpoint reach --help` for what a predicate can say.")
}

fn reachable(
    look: Look,
    program: &dyn Program,
    request: &LoadRequest,
    finding: &Finding,
    interrupt: &Interrupt,
) -> Result<String, Trouble> {
    let story = Story::within(program, finding, interrupt)
        .map_err(|error| Trouble::new(format!("internal error: the state is lost: {error}")))?;
    events::finding(program, finding);
    let kept = match KeptFinding::new(program, request, finding).save() {
        Ok(path) => Some(path),
        Err(error) => {
            let trouble = Trouble::file("write", Path::new(store::FOLDER), &error);
            output::complain(&format!("warning: {}; the schedule is not kept\n", trouble.message));
            None
        }
    };
    let steps = count(finding.schedule.choices.len() as u64, "step");
    let tally = Tally { findings: vec![Found::new(finding.clone(), 0)], ..Tally::default() };
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
        pictures: None,
        coverage: Vec::new(),
        resume: None,
        first_only: false,
        cycles: None,
        one_for_each_cycle: false,
    };
    let told = Told { found: &tally.findings[0], story, kept };
    let text = screen::finding(look, &checked, &told, 1, Shown::Matter);
    let verdict = format!("reachable: the state holds after {steps}");
    Ok(format!("{text}\n{}\n", look.paint(Tone::Bad, &verdict)))
}

fn unreachable(look: Look, exploration: &Exploration) -> String {
    let verdict = format!(
        "unreachable: no state satisfies the predicate; every state of every process was reached: {}",
        count(exploration.statistics.executions, "execution")
    );
    look.paint(Tone::Good, &verdict) + "\n"
}

fn incomplete(look: Look, reasons: &[Bound], exploration: &Exploration) -> String {
    let reasons: Vec<String> = reasons
        .iter()
        .map(|bound| match (bound, exploration.cuts.first()) {
            (Bound::Unsupported, Some(cut)) => format!("{bound} ({} at {})", cut.reason, cut.place),
            _ => bound.to_string(),
        })
        .collect();
    let verdict = format!(
        "incomplete: no such state so far, after {}; not everything was tried because of {}",
        count(exploration.statistics.executions, "execution"),
        reasons.join(", ")
    );
    look.paint(Tone::Warn, &verdict) + "\n"
}
