//! From a failing execution to a finding one can trust and follow.
//!
//! Nothing is reported that was not seen twice: the choices and inputs of the failing execution are
//! replayed on a fresh run and must show the same failure. Then the schedule is made short
//! ([`minimise`](crate::minimise)) and what remains is replayed again by construction.
//!
//! A step that does not end has taken a second or more before it was given up, and would do so again in every
//! replay, whatever the limit of time. So its replay is in a [hurry](counterpoint_model::Narrate::hurry), and its
//! schedule stays as it is. A replay in a hurry that shows something else says nothing, since another step may have
//! been given up that only takes long; then everything is done as for other failures.

use counterpoint_model::{
    Choice, Event, Finding, FindingKind, Input, Interrupt, Next, Pid, Place, Program, Run, Schedule,
};

use crate::minimise::{self, Shortening, Shows};
use crate::non_local;
use crate::property::{Ending, Execution, Failure, Property};

/// Why a schedule could not be followed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// A step of a process that cannot move.
    #[error("step {step}: process {process} cannot move there")]
    NotReady {
        /// Which step, from 1.
        step: usize,
        /// The process's path.
        process: String,
    },
    /// An alternative that the operation does not have or the inputs exclude.
    #[error("step {step}: process {process} has no alternative {alternative} there")]
    NoAlternative {
        /// Which step, from 1.
        step: usize,
        /// The process's path.
        process: String,
        /// The alternative asked for.
        alternative: u32,
    },
}

/// Takes one step of a replay, or says why it cannot be taken.
pub fn follow(
    program: &dyn Program,
    run: &mut dyn Run,
    step: usize,
    choice: Choice,
) -> Result<Event, ReplayError> {
    let process = || program.names().path(choice.process);
    if choice.process.0 >= run.processes() || !run.next(choice.process).is_ready() {
        return Err(ReplayError::NotReady { step, process: process() });
    }
    let alternatives = run.alternatives(choice.process);
    let possible = choice.alternative < alternatives.count
        && (choice.alternative == alternatives.preferred
            || run.feasible(choice) == counterpoint_model::Feasible::Yes);
    if !possible {
        let alternative = choice.alternative;
        return Err(ReplayError::NoAlternative { step, process: process(), alternative });
    }
    Ok(run.step(choice))
}

/// A run that was led along choices.
pub struct Replay<'a> {
    /// The run, at the end of the choices.
    pub run: Box<dyn Run + 'a>,
    /// The events.
    pub events: Vec<Event>,
}

impl<'a> Replay<'a> {
    /// Follows the choices on a fresh run.
    pub fn new(
        program: &'a dyn Program,
        inputs: &[Input],
        choices: &[Choice],
    ) -> Result<Replay<'a>, ReplayError> {
        Replay::of(program, program.start(inputs), choices)
    }

    /// The same in a hurry, for choices that are known to end with a step that does not end in the first of these
    /// places. None if something else is shown: nothing may be given up before, and the step that does not end must
    /// be at work in the same function.
    pub fn hurried(
        program: &'a dyn Program,
        inputs: &[Input],
        choices: &[Choice],
        places: &[Place],
    ) -> Option<Replay<'a>> {
        let mut run = program.start(inputs);
        run.hurry();
        let replay = Replay::of(program, run, choices).ok()?;
        let (last, before) = replay.events.split_last()?;
        let fault = last.fault.as_ref().filter(|fault| fault.is_endless())?;
        let same = program.place(fault.site).function == places.first()?.function;
        (same && before.iter().all(|event| event.fault.is_none())).then_some(replay)
    }

    fn of(
        program: &'a dyn Program,
        mut run: Box<dyn Run + 'a>,
        choices: &[Choice],
    ) -> Result<Replay<'a>, ReplayError> {
        let mut events = Vec::with_capacity(choices.len());
        for (index, &choice) in choices.iter().enumerate() {
            events.push(follow(program, &mut *run, index + 1, choice)?);
        }
        Ok(Replay { run, events })
    }

    /// How the run stands: ended in some way, or cut while somebody could still move.
    pub fn ending(&self) -> Ending {
        ending(&*self.run)
    }

    /// The failures that the properties see in it.
    pub fn failures(
        &self,
        program: &dyn Program,
        properties: &mut [Box<dyn Property>],
    ) -> Vec<Failure> {
        let execution = Execution {
            program,
            run: &*self.run,
            events: &self.events,
            ending: self.ending(),
            faulty: self.events.iter().any(|event| event.fault.is_some()),
        };
        let mut failures = Vec::new();
        for property in properties {
            property.check(&execution, &mut |failure| failures.push(failure));
        }
        failures
    }
}

/// How a run stands: ended in some way, or cut while somebody could still move. Where some wait for each
/// other for ever, it does not matter whether others could move.
pub(crate) fn ending(run: &dyn Run) -> Ending {
    match is_over(run) {
        true => run.end().into(),
        false if run.is_deadlocked() => Ending::Deadlock,
        false => Ending::Cut,
    }
}

/// Whether nobody can move.
fn is_over(run: &dyn Run) -> bool {
    !(0..run.processes()).any(|pid| matches!(run.next(Pid(pid)), Next::Ready(_)))
}

/// What part of the time that is left may be spent on a short schedule of one finding.
const TO_SHORTEN: u32 = 4;

/// Replays a failure on a fresh run, makes its schedule short, and writes the finding. A failure of the program is
/// confirmed however late it is, and only its schedule may stay longer than need be. That something is not supported is
/// said without a finding, too, so its replay may be interrupted, and then it is not confirmed.
pub(crate) fn confirm(
    program: &dyn Program,
    properties: &mut [Box<dyn Property>],
    failure: &Failure,
    inputs: Vec<Input>,
    choices: Vec<Choice>,
    shortening: &mut Shortening,
    interrupt: &Interrupt,
) -> Result<Finding, String> {
    let is_cut = failure.kind == FindingKind::Unsupported;
    let never = Interrupt::never();
    program.heed(if is_cut { interrupt } else { &never });
    let places: Vec<Place> = failure.sites.iter().map(|&site| program.place(site)).collect();
    let write = |inputs: Vec<Input>, choices: Vec<Choice>, places: Vec<Place>| Finding {
        kind: failure.kind,
        name: failure.name.clone(),
        message: failure.message.clone(),
        places,
        waiting: failure.waiting.clone(),
        inputs: inputs.clone(),
        schedule: Schedule { program: program.fingerprint(), inputs, choices },
    };
    if failure.likeness().is_endless()
        && let Some(replay) = Replay::hurried(program, &inputs, &choices, &places)
    {
        return Ok(write(replay.run.inputs(), choices, places));
    }
    let replay = Replay::new(program, &inputs, &choices).map_err(|error| {
        format!("the failure «{}» was found but not seen again: {error}", failure.message)
    })?;
    if !replay.failures(program, properties).iter().any(|again| again.same(failure)) {
        let message = &failure.message;
        return Err(format!("the failure «{message}» was found but its replay does not show it"));
    }
    let shows = match failure.kind {
        FindingKind::Deadlock | FindingKind::Stuck if is_over(&*replay.run) => Shows::AtTheEnd,
        FindingKind::Deadlock | FindingKind::Stuck => Shows::WhenDeadlocked,
        FindingKind::Race => Shows::WithItsAccess,
        FindingKind::Reached => Shows::InItsState,
        _ => Shows::WithItsFault,
    };
    let reads = shortening.keeps_reads.then(|| non_local::count(&replay.events));
    let (inputs_used, met) = (replay.run.inputs(), choices.clone());
    // A run can be large, and the next ones need room.
    drop(replay);
    let mut judge = |execution: &Execution<'_>| {
        let mut steps: Option<usize> = None;
        for property in properties.iter_mut() {
            property.check(execution, &mut |again| {
                if steps.is_none() && again.same(failure) {
                    steps = Some(again.steps);
                }
            });
        }
        steps.filter(|&steps| {
            reads.is_none_or(|most| non_local::count(&execution.events[..steps]) <= most)
        })
    };
    // A finding that is told at length is worth less than another one.
    let share = interrupt.share(TO_SHORTEN);
    program.heed(&share);
    let choices = minimise::minimise(
        program,
        &inputs,
        choices,
        shows,
        &mut shortening.effort,
        &share,
        &mut judge,
    );
    program.heed(&Interrupt::never());
    if choices == met {
        // It was replayed as it is, which can take long.
        return Ok(write(inputs_used, choices, places));
    }
    let replay = Replay::new(program, &inputs, &choices).expect("the short schedule was replayed");
    Ok(write(replay.run.inputs(), choices, places))
}
