//! Explores test programs and gathers what there was to see.

use std::collections::BTreeSet;

use counterpoint_explore::{
    Assignment, Covers, Ending, Execution, Exploration, Explorer, Flow, Limits, ParameterValue,
    ParameterValues, Sink, Statistics, WorkUnit, default_properties,
};
use counterpoint_model::{Bound, Choice, FindingKind, Program};
use counterpoint_testkit::TestProgram;
use counterpoint_testkit::oracle::Findings;
use counterpoint_testkit::outcome::path_text;

/// So many random programs, by their seeds. The environment can ask for those from another seed on.
pub fn seeds(count: u64) -> std::ops::Range<u64> {
    let first = std::env::var("COUNTERPOINT_FIRST").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    first..first + count
}

/// What an exploration saw.
#[derive(Default)]
pub struct Seen {
    pub outcomes: BTreeSet<String>,
    /// The choices of every execution.
    pub schedules: Vec<Vec<Choice>>,
    /// Stop after so many executions.
    pub stop_after: Option<u64>,
    pub keep_schedules: bool,
    pub keep_outcomes: bool,
    /// The final states, unknown values as terms.
    pub ends: BTreeSet<String>,
    pub keep_ends: bool,
    /// Whether what was done before, in earlier parts as well, is done again.
    pub restarted: bool,
}

struct Watcher<'a> {
    program: &'a TestProgram,
    seen: &'a mut Seen,
}

impl Sink for Watcher<'_> {
    fn execution(&mut self, execution: &Execution<'_>, statistics: &Statistics) -> Flow {
        let choices: Vec<Choice> = execution.events.iter().map(|event| event.choice).collect();
        // What only shows a failure has not come to its end.
        let ended = execution.ending != Ending::Cut || execution.run.first_ready(None).is_none();
        if self.seen.keep_outcomes && ended {
            let inputs = execution.run.inputs();
            self.seen.outcomes.extend(self.program.concrete_outcomes(&inputs, &choices));
        }
        if self.seen.keep_ends {
            self.seen.ends.extend(execution.run.outcome());
        }
        if self.seen.keep_schedules {
            self.seen.schedules.push(choices);
        }
        match self.seen.stop_after {
            Some(count) if statistics.executions >= count => Flow::Stop,
            _ => Flow::Continue,
        }
    }

    fn restart(&mut self) {
        self.seen.outcomes.clear();
        self.seen.schedules.clear();
        self.seen.ends.clear();
        self.seen.restarted = true;
    }
}

/// Explores a unit of a program.
pub fn explore_unit(
    explorer: &Explorer,
    program: &TestProgram,
    unit: WorkUnit,
    limits: Limits,
    seen: &mut Seen,
) -> Exploration {
    let mut sink = Watcher { program, seen };
    (explorer.explore)(Assignment {
        program,
        unit,
        limits,
        properties: default_properties(),
        sink: &mut sink,
        parameters: parameters(explorer),
    })
}

/// A seed, and for explorers that take a bound one that leaves nothing out.
pub fn parameters(explorer: &Explorer) -> ParameterValues {
    let seeded = ParameterValues::seeded(1);
    match explorer.parameters.iter().any(|parameter| parameter.name == "bound") {
        true => seeded.with("bound", ParameterValue::Number(1_000)),
        false => seeded,
    }
}

/// Explores the whole program.
pub fn explore(explorer: &Explorer, program: &TestProgram) -> Exploration {
    explore_unit(explorer, program, WorkUnit::whole(), Limits::default(), &mut Seen::default())
}

/// What an exploration of the whole program finds otherwise than the oracle, if it does. Explorers that
/// preserve local states only need not show every final state.
pub fn disagreement(entry: &Explorer, program: &TestProgram, truth: &Findings) -> Option<String> {
    let mut seen = Seen { keep_outcomes: true, ..Default::default() };
    let unit = WorkUnit::whole();
    let result = explore_unit(entry, program, unit, Limits::default(), &mut seen);
    let statistics = &result.statistics;
    if !result.internal_errors.is_empty() {
        return Some(format!("internal error: {:?}", result.internal_errors));
    }
    let bounds: &[Bound] = if truth.cut > 0 { &[Bound::Unsupported] } else { &[] };
    if result.bounds != bounds || result.unexplored.is_some() {
        return Some(format!("bounds {:?} instead of {bounds:?}", result.bounds));
    }
    let once = matches!(entry.covers, Covers::TracesOnce | Covers::WithinBound);
    // Where deadlocks are not promised, an execution that is cut while others wait for ever need not be counted;
    // that something was cut is said all the same.
    let is_cut = match entry.covers {
        Covers::ReadsFrom => !result.cuts.is_empty(),
        _ => statistics.cut > 0,
    };
    if is_cut != (truth.cut > 0) || (once && statistics.cut != truth.cut) {
        return Some(format!("{} executions cut instead of {}", statistics.cut, truth.cut));
    }
    let outcomes_fit = match entry.covers {
        Covers::LocalStates => true,
        Covers::ReadsFrom => {
            seen.outcomes.is_subset(&truth.outcomes)
                && complete_threads(&seen.outcomes) == complete_threads(&truth.outcomes)
        }
        _ => seen.outcomes == truth.outcomes,
    };
    if !outcomes_fit {
        return Some(format!("outcomes {:#?} instead of {:#?}", seen.outcomes, truth.outcomes));
    }
    if let Some(text) = other_failures(entry, program, &result, truth) {
        return Some(text);
    }
    let counts = (statistics.executions, statistics.deadlocks, statistics.abandoned);
    let fits = match entry.covers {
        Covers::TracesOnce => counts == (truth.traces, truth.deadlocked, 0),
        Covers::Traces => counts.0 >= truth.traces && counts.1 >= truth.deadlocked,
        // Programs of the test kit have no digests.
        Covers::Interleavings | Covers::States => u128::from(counts.0) == truth.interleavings,
        Covers::WithinBound => (counts.0, counts.1) == (truth.traces, truth.deadlocked),
        Covers::ReadsFrom => counts.0 <= truth.traces && counts.1 <= truth.deadlocked,
        Covers::LocalStates | Covers::Samples => true,
    };
    (!fits).then(|| {
        format!(
            "{counts:?} executions, deadlocked, abandoned; {} traces, {} deadlocked, {} interleavings",
            truth.traces, truth.deadlocked, truth.interleavings
        )
    })
}

/// How the threads have ended in executions in which nobody waits for ever. What reads have taken decides that, but not
/// what variables hold in the end.
fn complete_threads(outcomes: &BTreeSet<String>) -> BTreeSet<&str> {
    let threads = outcomes.iter().filter_map(|outcome| Some(outcome.split_once('|')?.1));
    threads.filter(|threads| !threads.contains(" at ")).collect()
}

/// Failures and deadlocks that were found and are not the oracle's, or the other way round. Of explorers that
/// do not promise deadlocks, those that they find are the oracle's.
pub fn other_failures(
    entry: &Explorer,
    program: &TestProgram,
    result: &Exploration,
    truth: &Findings,
) -> Option<String> {
    let failures: BTreeSet<_> = result
        .findings
        .iter()
        .filter(|found| found.finding.kind != FindingKind::Deadlock)
        .map(|found| {
            let finding = &found.finding;
            (finding.kind, finding.message.clone(), finding.places[0].line)
        })
        .collect();
    let expected: BTreeSet<_> =
        truth.failures.iter().map(|f| (f.kind, f.message.clone(), f.line)).collect();
    if failures != expected {
        return Some(format!("failures {failures:?} instead of {expected:?}"));
    }
    let deadlocks = deadlocks(program, result);
    let fit = match entry.covers {
        Covers::ReadsFrom => deadlocks.is_subset(&truth.deadlocks),
        _ => deadlocks == truth.deadlocks,
    };
    if !fit {
        return Some(format!("deadlocks {deadlocks:?} instead of {:?}", truth.deadlocks));
    }
    None
}

/// Who waits at which line, in each deadlock found.
fn deadlocks(program: &TestProgram, result: &Exploration) -> BTreeSet<String> {
    let found = result.findings.iter().map(|found| &found.finding);
    found
        .filter(|finding| finding.kind == FindingKind::Deadlock)
        .map(|finding| {
            let mut waiting: Vec<(Vec<u32>, u32)> = finding
                .waiting
                .iter()
                .map(|waiting| {
                    let path = program.names().path(waiting.process);
                    let path = path.split('.').map(|n| n.parse().expect("a number")).collect();
                    (path, program.place(waiting.site).line)
                })
                .collect();
            waiting.sort_unstable();
            let texts: Vec<String> = waiting
                .iter()
                .map(|(path, line)| format!("{} at {line}", path_text(path)))
                .collect();
            texts.join(", ")
        })
        .collect()
}
