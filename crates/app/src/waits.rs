//! Which cycles of waiting are real: guided searches, and what they have shown.
//!
//! An analysis of a program lists cycles in which processes may wait for each other, and places where somebody
//! is blocked until a condition comes true. Each is a goal. A goal is *real* if an execution shows it,
//! *impossible* if every execution that could still lead to it was followed, and *undecided* if a limit
//! stopped the search (section 4.4 of the thesis on active objects: first-deadlock, deadlock-per-cycle and
//! all-deadlocks).

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use counterpoint_explore::{
    Execution, Failure, Limits, PROPERTIES, ParameterValues, Property, PropertyEntry, Statistics,
    WorkUnit,
};
use counterpoint_model::{Bound, Finding, FindingKind, Pid, ProcessNames, Program};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::cli::{Deadlocks, ProcessArguments};
use crate::front_end::WaitAnalysis;
use crate::job::{self, Job, Tally, Unexplored, Watcher};
use crate::jobs::pieces::{self, Piece};
use crate::jobs::{self, Report, Workers};

/// The explorer that is guided.
const GUIDED: &str = "guided";

/// What is known about a goal.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GoalState {
    /// An execution shows it.
    Real,
    /// No execution leads there.
    Impossible,
    /// Neither was shown.
    Undecided,
}

impl GoalState {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            GoalState::Real => "real",
            GoalState::Impossible => "impossible",
            GoalState::Undecided => "undecided",
        }
    }
}

/// A goal and what came of it.
#[derive(Clone, Debug)]
pub struct GoalOutcome {
    /// What is known.
    pub state: GoalState,
    /// The finding that shows it, by its number among all.
    pub finding: Option<usize>,
    /// What the search took, if it was a search of its own.
    pub statistics: Statistics,
    /// The seconds that it took.
    pub seconds: f64,
    /// What stopped it.
    pub bounds: Vec<Bound>,
}

/// What searches for all goals have come to.
pub struct Decided {
    /// The goals: cycles first, then conditions.
    pub goals: Vec<GoalOutcome>,
    /// Counts and findings of all searches.
    pub tally: Tally,
}

/// Deadlocks, and nothing else that goes wrong on the way.
static DEADLOCKS_ONLY: PropertyEntry = PropertyEntry {
    name: "deadlock",
    about: "No execution ends with somebody waiting who can never go on.",
    default: false,
    make: || {
        let entry = PROPERTIES.iter().find(|entry| entry.name == "deadlock");
        Box::new(OnlyDeadlocks((entry.expect("the table has it").make)()))
    },
};

struct OnlyDeadlocks(Box<dyn Property>);

impl Property for OnlyDeadlocks {
    fn check(&mut self, execution: &Execution<'_>, report: &mut dyn FnMut(Failure)) {
        self.0.check(execution, &mut |failure| {
            if failure.kind == FindingKind::Deadlock {
                report(failure);
            }
        });
    }
}

/// The property that guided searches check.
pub fn properties() -> Vec<&'static PropertyEntry> {
    vec![&DEADLOCKS_ONLY]
}

/// How searches are done.
pub struct Searches<'a> {
    /// What is known of the program.
    pub analysis: &'a dyn WaitAnalysis,
    /// The program as it was loaded, of whose processes findings speak.
    pub loaded: &'a dyn Program,
    /// Which deadlocks are looked for.
    pub which: Deadlocks,
    /// How far to go in each search.
    pub limits: &'a Limits,
    /// How many processes do it.
    pub processes: &'a ProcessArguments,
}

/// Searches for the goals of an analysis. Several searches are done at once, each by one process; what came of them is
/// added in their order, and what would not have been searched for any more is left out. If there is one search only,
/// several processes share it.
pub fn decide(
    searches: &Searches<'_>,
    interrupted: &AtomicBool,
    watcher: &mut dyn Watcher,
) -> Decided {
    let Searches { analysis, which, processes, .. } = *searches;
    let report = analysis.report();
    let count = report.cycles.len() + report.conditions.len();
    let unknown = GoalOutcome {
        state: GoalState::Undecided,
        finding: None,
        statistics: Statistics::default(),
        seconds: 0.0,
        bounds: Vec::new(),
    };
    let mut tally = Tally::default();
    // They hold for what is not searched for as well: that there is no cycle.
    tally.assume(searches.loaded.assumptions());
    let decided = Decided { goals: vec![unknown; count], tally };
    let all: Vec<usize> = (0..count).collect();
    let lists: Vec<Vec<usize>> = match which {
        // What is not listed is searched for all the same.
        _ if count == 0 && !report.truncated => Vec::new(),
        Deadlocks::All => vec![all],
        _ if report.truncated => vec![all],
        Deadlocks::First | Deadlocks::PerCycle => all.into_iter().map(|goal| vec![goal]).collect(),
    };
    let decided = RefCell::new(decided);
    let is_needed = |number: usize| {
        let decided = decided.borrow();
        let goals = &lists[number];
        let known = !goals.is_empty()
            && goals.iter().all(|&goal| decided.goals[goal].state == GoalState::Real);
        let enough = which == Deadlocks::First && !decided.tally.findings.is_empty();
        !(known || enough || decided.tally.bounds.contains(&Bound::Stopped))
    };
    let jobs = jobs::number(processes);
    if jobs.min(lists.len()) < 2 {
        for (number, goals) in lists.iter().enumerate().filter(|(number, _)| is_needed(*number)) {
            let workers = Workers::on_this_machine(processes).filter(|_| lists.len() == 1);
            let program = searches.program(goals);
            let mut found = searches.search(&*program, goals, workers, interrupted, watcher);
            for one in &mut found.findings {
                rename(&mut one.finding, program.names(), searches.loaded.names());
            }
            searches.add(&lists[number], found, &mut decided.borrow_mut());
        }
        return decided.into_inner();
    }
    pieces::each(
        jobs,
        lists.len(),
        |number| is_needed(number).then_some(()),
        |number, ()| {
            let program = searches.program(&lists[number]);
            let found = searches.search(&*program, &lists[number], None, interrupted, &mut Nobody);
            let mut report = Report::of(0, &*program, &found, usize::MAX);
            report.left = alone(&found).map(|unit| unit.pack(program.names()));
            report.microseconds = (found.seconds * 1e6) as u64;
            report
        },
        |number, piece: Piece<Report>| {
            match piece {
                Piece::Done(report) if is_needed(number) => {
                    let found = revived(searches.loaded, report);
                    searches.add(&lists[number], found, &mut decided.borrow_mut());
                }
                Piece::Done(_) | Piece::Left => {}
                Piece::Fatal => decided.borrow_mut().tally.internal_errors.push(DIED.to_string()),
            }
            watcher.moved(&decided.borrow().tally, &Statistics::default(), 0);
            ControlFlow::Continue(())
        },
    );
    decided.into_inner()
}

/// What is said of a search that nobody survives.
const DIED: &str = "3 processes died searching for a cycle of waiting, which is given up";

struct Nobody;

impl Watcher for Nobody {}

/// What is left of a search.
fn alone(found: &Tally) -> Option<&WorkUnit> {
    match &found.unexplored {
        Some(Unexplored::Alone(unit)) => Some(unit),
        _ => None,
    }
}

/// Each search has numbers of its own for processes: a finding gets those of another program.
fn rename(finding: &mut Finding, own: &ProcessNames, others: &ProcessNames) {
    let other =
        |process: Pid| others.resolve(&own.path(process)).expect("a path is the name of a process");
    for choice in &mut finding.schedule.choices {
        choice.process = other(choice.process);
    }
    for waiting in &mut finding.waiting {
        waiting.process = other(waiting.process);
        waiting.whom.iter_mut().for_each(|whom| *whom = other(*whom));
    }
}

/// What another process has found, for this one.
fn revived(program: &dyn Program, report: Report) -> Tally {
    let read = |text: &RawValue| WorkUnit::unpack(text.get(), program.names()).ok();
    let left = report.left.as_deref().and_then(read);
    let mut found = Tally { seconds: report.microseconds as f64 / 1e6, ..Tally::default() };
    found.unexplored = left.map(Unexplored::Alone);
    report.add_to(&mut found, program, |_| false, |_| {});
    found
}

impl Searches<'_> {
    /// Whether the first deadlock ends a search for these.
    fn first_only(&self, goals: &[usize]) -> bool {
        self.which != Deadlocks::All && goals.len() == 1
    }

    fn program(&self, goals: &[usize]) -> Box<dyn Program> {
        self.analysis.program(goals, self.first_only(goals))
    }

    fn search(
        &self,
        program: &dyn Program,
        goals: &[usize],
        workers: Option<Workers<'_>>,
        interrupted: &AtomicBool,
        watcher: &mut dyn Watcher,
    ) -> Tally {
        let job = Job {
            program,
            explorer: counterpoint_explore::explorer(GUIDED).expect("the table has it"),
            properties: properties(),
            limits: self.limits.clone(),
            parameters: ParameterValues::default(),
            stop_at_first: self.first_only(goals),
            draws: false,
            explorer_chosen: true,
            workers,
            memory: None,
        };
        job::explore(&job, Tally::default(), interrupted, watcher)
    }

    /// Adds what came of a search.
    fn add(&self, goals: &[usize], mut found: Tally, decided: &mut Decided) {
        let first_only = self.first_only(goals);
        let stopped = first_only && !found.findings.is_empty();
        if stopped {
            // One is enough: that more could follow is no bound.
            found.bounds.remove(&Bound::Stopped);
            found.unexplored = None;
        }
        let exhausted = found.exhausted() && !stopped;
        for &goal in goals {
            let outcome = &mut decided.goals[goal];
            outcome.statistics = found.statistics.clone();
            outcome.seconds = found.seconds;
            outcome.bounds = found.bounds.iter().cloned().collect();
            if exhausted {
                outcome.state = GoalState::Impossible;
            }
        }
        let tally = &mut decided.tally;
        for one in found.findings {
            let shown = self.analysis.shown(self.loaded.names(), &one.finding.schedule.choices);
            let like = one.finding.likeness();
            let same =
                |known: &counterpoint_explore::Found| known.finding.likeness().is_one_with(&like);
            let number = match tally.findings.iter().position(same) {
                Some(number) => {
                    tally.findings[number].add_like(&one);
                    number
                }
                None => {
                    tally.findings.push(one);
                    tally.findings.len() - 1
                }
            };
            for goal in shown {
                let outcome = &mut decided.goals[goal];
                outcome.state = GoalState::Real;
                outcome.finding.get_or_insert(number);
            }
        }
        tally.statistics.add(&found.statistics);
        tally.bounds.extend(found.bounds);
        tally.internal_errors.extend(found.internal_errors);
        tally.seconds += found.seconds;
        for (outcome, count) in found.outcomes {
            *tally.outcomes.entry(outcome).or_default() += count;
        }
        if tally.unexplored.is_none() {
            tally.unexplored = found.unexplored;
        }
    }
}
