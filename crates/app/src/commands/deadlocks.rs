//! `counterpoint deadlocks`: which tasks may wait for each other for ever, and whether they really can.

use std::time::{Duration, Instant};

use counterpoint_explore::{Limits, ParameterValues, Statistics};
use counterpoint_model::Bound;
use serde::Serialize;

use crate::cli::{Deadlocks, DeadlocksArguments};
use crate::commands::check;
use crate::drawing;
use crate::events;
use crate::front_end::{self, FrontEnd, LoadRequest, WaitArrow, WaitReport};
use crate::interrupt;
use crate::job::{Tally, Watcher};
use crate::look::{Look, Screen, Tone, count, thousands, wrap};
use crate::output;
use crate::progress::Progress;
use crate::report::table::Shown;
use crate::report::{Checked, screen};
use crate::source::Sources;
use crate::trouble::Trouble;
use crate::waits::{self, Decided, GoalOutcome, GoalState, Searches};
use crate::written::WrittenFinding;

/// How long the search for one cycle may take unless somebody says otherwise.
const TIME: Duration = Duration::from_secs(10);

/// What the answers end with.
const FREE: u8 = 0;
const REAL: u8 = 1;
const UNDECIDED: u8 = 3;

/// Analyses a model and searches for what the analysis finds.
pub fn run(front_ends: &[FrontEnd], arguments: &DeadlocksArguments) -> Result<u8, Trouble> {
    let mut request = LoadRequest {
        targets: arguments.targets.clone(),
        main: arguments.main.clone(),
        reduction: arguments.reduction.clone(),
        ..LoadRequest::default()
    };
    request.sort_words(front_ends)?;
    can_analyse(front_ends, &request)?;
    output::check_files([("--json", arguments.json.as_deref())])?;
    if let Some(folder) = &arguments.report {
        output::check_folder(folder)?;
    }
    let (front_end, loaded) = front_end::load(front_ends, &request)?;
    let analyser = loaded.waits.as_ref().ok_or_else(|| no_analysis(front_end))?;
    let limits = Limits {
        time: Some(arguments.limits.time.unwrap_or(TIME)),
        executions: arguments.limits.executions,
        steps: arguments.limits.steps.unwrap_or(Limits::default().steps),
        depth: None,
        interrupt: interrupt::signal(),
    };
    limits.check().map_err(|error| Trouble::new(error.to_string()))?;
    let program = &*loaded.program;
    let analysis = interrupt::analysing(arguments.limits.time, || analyser(arguments.context));
    let limits = Limits { time: interrupt::left(limits.time), ..limits };
    let mut watcher = Searching(Progress::new(0));
    let searches = Searches {
        analysis: &*analysis,
        loaded: program,
        which: Deadlocks::PerCycle,
        limits: &limits,
        processes: &arguments.processes,
    };
    let begun = Instant::now();
    let decided = waits::decide(&searches, interrupt::flag(), &mut watcher);
    interrupt::explored();
    watcher.0.finish();
    events::finished(&decided.tally);
    let report = analysis.report();
    let sources = Sources::new(&request);
    let telling = interrupt::telling(begun, interrupt::left(arguments.limits.time));
    let told = check::tell(&request, program, &decided.tally, &telling)?;
    let checked = Checked {
        request: &request,
        program,
        explorer: "guided",
        parameters: ParameterValues::default(),
        reduction: loaded.reduction,
        properties: &[],
        tally: &decided.tally,
        told,
        sources: &sources,
        pictures: None,
        coverage: Vec::new(),
        resume: None,
        first_only: true,
        cycles: None,
        one_for_each_cycle: false,
    };
    let screen = Screen::beside(&arguments.look, [arguments.json.as_deref()]);
    screen.print(&render(screen.look, report, &decided, &checked))?;
    if let Some(path) = &arguments.json {
        output::write(path, &json(arguments.context, report, &decided, &checked))?;
    }
    if let Some(folder) = &arguments.report {
        let picture = analysis.picture();
        output::write(&folder.join("deadlocks.svg"), &drawing::graph_svg(picture))?;
        output::write(&folder.join("deadlocks.mmd"), &drawing::graph_mermaid(picture))?;
    }
    Ok(code(report, &decided))
}

/// Whether the analysis can be asked of these targets, found out before they are loaded.
pub fn can_analyse(front_ends: &[FrontEnd], request: &LoadRequest) -> Result<(), Trouble> {
    let front_end = front_end::choose(front_ends, request)?;
    if front_end.analyses_waiting { Ok(()) } else { Err(no_analysis(front_end)) }
}

/// Says that a front end cannot do this.
pub fn no_analysis(front_end: &FrontEnd) -> Trouble {
    Trouble::new(format!("there is no analysis of waiting for {}", front_end.programs))
        .hint("It is for active objects, such as ABS models; `counterpoint check` looks for deadlocks of any program.")
}

/// Shows the progress of guided searches.
pub struct Searching(pub Progress);

impl Watcher for Searching {
    fn moved(&mut self, done: &Tally, part: &Statistics, fresh: usize) {
        self.0.moved(done, part, fresh);
    }
}

fn states(decided: &Decided, state: GoalState) -> u64 {
    decided.goals.iter().filter(|goal| goal.state == state).count() as u64
}

fn code(report: &WaitReport, decided: &Decided) -> u8 {
    let undecided = states(decided, GoalState::Undecided) > 0
        || !decided.tally.internal_errors.is_empty()
        || (report.truncated && !decided.tally.exhausted());
    match decided.tally.findings.len() {
        0 if undecided => UNDECIDED,
        0 => FREE,
        _ => REAL,
    }
}

fn render(look: Look, report: &WaitReport, decided: &Decided, checked: &Checked<'_>) -> String {
    let mut text = String::new();
    for (number, (cycle, goal)) in report.cycles.iter().zip(&decided.goals).enumerate() {
        text += &heading(look, number + 1, goal, &cycle.sentence);
        for arrow in &cycle.arrows {
            text += &format!("     {}\n", arrow_line(arrow));
        }
        text += &format!("     {}\n", cycle.notation);
        if cycle.alike > 0 {
            let (others, wait) = match cycle.alike {
                1 => ("Another cycle".to_string(), "waits"),
                more => (count(more as u64, "other cycle"), "wait"),
            };
            text +=
                &format!("     {others} {wait} at the same places, searched for with this one.\n");
        }
        text += &search_line(goal);
        text.push('\n');
    }
    let conditions = &decided.goals[report.cycles.len()..];
    for (number, (condition, goal)) in report.conditions.iter().zip(conditions).enumerate() {
        let number = report.cycles.len() + number + 1;
        text += &heading(look, number, goal, &condition.sentence);
        let note = "This is no cycle: it is a deadlock if nobody makes the condition true.";
        text += &format!("     {note}\n");
        text += &search_line(goal);
        text.push('\n');
    }
    if report.conditions.is_empty() && !report.awaits.is_empty() {
        let places = report.awaits.join(", ");
        let note = format!(
            "note: {places} awaits a condition. Waiting for a condition that nobody makes true is no \
             cycle and blocks no object here; `counterpoint check` finds out whether it comes true."
        );
        for line in wrap(&note, look.width) {
            text += &format!("{line}\n");
        }
    }
    if report.truncated {
        text +=
            "There are more cycles than are listed; all of them were searched for together.\n\n";
    }
    let mut shown: Vec<usize> = Vec::new();
    for goal in &decided.goals {
        if let Some(finding) = goal.finding.filter(|finding| !shown.contains(finding)) {
            shown.push(finding);
            let told = &checked.told[finding];
            text += &screen::finding(look, checked, told, shown.len(), Shown::Matter);
            text.push('\n');
        }
    }
    for error in &decided.tally.internal_errors {
        text += &format!("{} {error}\n", look.paint(Tone::Bad, "internal error:"));
    }
    let tone = match code(report, decided) {
        FREE => Tone::Good,
        REAL => Tone::Bad,
        _ => Tone::Warn,
    };
    text + &look.paint(tone, &last_line(report, decided)) + "\n"
}

fn heading(look: Look, number: usize, goal: &GoalOutcome, sentence: &str) -> String {
    let tone = match goal.state {
        GoalState::Real => Tone::Bad,
        GoalState::Impossible => Tone::Good,
        GoalState::Undecided => Tone::Warn,
    };
    let line = format!("{number}. {}: {sentence}", goal.state.word());
    let mut text = String::new();
    for (index, line) in wrap(&line, look.width.saturating_sub(3)).iter().enumerate() {
        match (index, line.split_once(": ")) {
            (0, Some((head, rest))) => {
                text += &format!("{}: {rest}\n", look.paint(tone, head));
            }
            (0, None) => text += &format!("{line}\n"),
            _ => text += &format!("   {line}\n"),
        }
    }
    text
}

fn arrow_line(arrow: &WaitArrow) -> String {
    let WaitArrow { from, to, kind, task, file, line, .. } = arrow;
    let place = format!("{file}:{line}");
    match *kind {
        "competing" => format!("{place}  {task} needs {to}"),
        "awaiting" => format!("{place}  {task} awaits the end of {to}"),
        _ if from == task => format!("{place}  {task} waits for the result of {to}"),
        _ => format!("{place}  {task} blocks {from} and waits for the result of {to}"),
    }
}

fn search_line(goal: &GoalOutcome) -> String {
    let stopped = count(goal.statistics.abandoned, "execution");
    match goal.state {
        GoalState::Real => String::new(),
        GoalState::Impossible => {
            format!("     No schedule leads there: {stopped} given up on the way.\n")
        }
        GoalState::Undecided if goal.bounds.is_empty() => "     Not searched for.\n".to_string(),
        GoalState::Undecided => {
            let bounds: Vec<String> = goal.bounds.iter().map(Bound::to_string).collect();
            format!("     Stopped by {}, {stopped} given up on the way.\n", bounds.join(", "))
        }
    }
}

fn last_line(report: &WaitReport, decided: &Decided) -> String {
    let found = |state| {
        let number = states(decided, state);
        match (report.cycles.is_empty(), report.conditions.is_empty()) {
            (_, true) => count(number, "cycle"),
            (true, false) => count(number, "condition"),
            (false, false) if number == 1 => "1 cycle or condition".to_string(),
            (false, false) => format!("{} cycles or conditions", thousands(number)),
        }
    };
    let claim = match (code(report, decided), decided.goals.len()) {
        (FREE, 0) => "no cycle: this model cannot deadlock, whatever the schedule".to_string(),
        (FREE, _) if report.cycles.is_empty() => format!(
            "no cycle, and no schedule leads to waiting for ever for a condition while an object is \
             blocked: this model cannot deadlock, whatever the schedule ({} looked at)",
            count(report.conditions.len() as u64, "condition")
        ),
        (FREE, _) => format!(
            "no schedule leads to a deadlock: {} looked at, all impossible",
            found(GoalState::Impossible)
        ),
        (REAL, all) => format!(
            "bug: {} real, of {all}: {} impossible, {} undecided",
            found(GoalState::Real),
            states(decided, GoalState::Impossible),
            states(decided, GoalState::Undecided)
        ),
        (_, all) => format!(
            "incomplete: {} of {all} neither shown nor excluded, and none real so far; give more \
             `--time`, or a larger `--context`",
            found(GoalState::Undecided)
        ),
    };
    let assumed = decided.tally.assumptions.iter().map(|text| format!("; assuming that {text}"));
    claim + &assumed.collect::<String>()
}

#[derive(Serialize)]
struct WrittenWaits<'a> {
    format: u32,
    target: String,
    context: usize,
    verdict: &'a str,
    cycles: Vec<WrittenGoal<'a>>,
    conditions: Vec<WrittenGoal<'a>>,
    awaits: &'a [String],
    truncated: bool,
    assumptions: &'a [String],
    executions: u64,
    abandoned: u64,
    events: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct WrittenGoal<'a> {
    state: GoalState,
    sentence: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    notation: &'a str,
    #[serde(skip_serializing_if = "<[WaitArrow]>::is_empty")]
    arrows: &'a [WaitArrow],
    /// How many other cycles wait at the same places.
    #[serde(skip_serializing_if = "Option::is_none")]
    alike: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    executions: u64,
    abandoned: u64,
    events: u64,
    seconds: f64,
    bounds: &'a [Bound],
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<WrittenFinding>,
}

fn json(context: usize, report: &WaitReport, decided: &Decided, checked: &Checked<'_>) -> String {
    let written = |goal: &'_ GoalOutcome| {
        goal.finding.map(|number| {
            let found = &decided.tally.findings[number];
            WrittenFinding::new(checked.program, &found.finding, found.count)
        })
    };
    let round = |seconds: f64| (seconds * 1000.0).round() / 1000.0;
    let cycles = report.cycles.iter().zip(&decided.goals).map(|(cycle, goal)| WrittenGoal {
        state: goal.state,
        sentence: &cycle.sentence,
        notation: &cycle.notation,
        arrows: &cycle.arrows,
        alike: Some(cycle.alike),
        line: None,
        executions: goal.statistics.executions,
        abandoned: goal.statistics.abandoned,
        events: goal.statistics.events,
        seconds: round(goal.seconds),
        bounds: &goal.bounds,
        finding: written(goal),
    });
    let rest = &decided.goals[report.cycles.len()..];
    let conditions = report.conditions.iter().zip(rest).map(|(condition, goal)| WrittenGoal {
        state: goal.state,
        sentence: &condition.sentence,
        notation: "",
        arrows: &[],
        alike: None,
        line: Some(condition.line),
        executions: goal.statistics.executions,
        abandoned: goal.statistics.abandoned,
        events: goal.statistics.events,
        seconds: round(goal.seconds),
        bounds: &goal.bounds,
        finding: written(goal),
    });
    let result = WrittenWaits {
        format: 1,
        target: checked.request.target(),
        context,
        verdict: match code(report, decided) {
            FREE => "ok",
            REAL => "bug",
            _ => "incomplete",
        },
        cycles: cycles.collect(),
        conditions: conditions.collect(),
        awaits: &report.awaits,
        truncated: report.truncated,
        assumptions: &decided.tally.assumptions,
        executions: decided.tally.statistics.executions,
        abandoned: decided.tally.statistics.abandoned,
        events: decided.tally.statistics.events,
        seconds: round(decided.tally.seconds),
    };
    serde_json::to_string_pretty(&result).expect("plain data serialises") + "\n"
}
