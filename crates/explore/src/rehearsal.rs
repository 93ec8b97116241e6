//! What could have happened: steps that are tried and then forgotten.
//!
//! A search that has come to the end of an execution tries sequences with its own run, which goes back there
//! soon anyway ([`Engine::rehearse`](crate::depth_first::Engine::rehearse)); a [`Rehearsal`] is the trace of such a
//! trial. Who must not lose its place meanwhile has a [`SecondRun`]. Both keep what they have in
//! common with the last question: searches ask about neighbouring places.

use counterpoint_model::{Choice, Event, Footprint, Interrupt, Mark, Pid, Program, Run, conflict};
use counterpoint_symbolic::Term;

use crate::trace::{Pending, Trace};

/// The events of a trial: those of a path up to a node, then the ones tried.
pub(crate) struct Rehearsal {
    pub trace: Trace,
}

/// A run beside the search, which follows choices from the start.
pub(crate) struct SecondRun<'a> {
    program: &'a dyn Program,
    pub run: Box<dyn Run + 'a>,
    /// The choices followed, with the mark before each and the condition of its step.
    followed: Vec<(Choice, Mark, Option<Term>)>,
}

/// What a rehearsal at a node has shown about the last step of a sequence.
pub(crate) struct Rehearsed {
    pub process: Pid,
    pub alternatives: u32,
    pub footprint: Footprint,
    pub row: Vec<u32>,
    /// The steps that decided it.
    pub decisive: Vec<Choice>,
}

/// What a rehearsal has shown to keep a process from moving. It does so again after every sequence that has no step of
/// the process and none that conflicts with its pending operation.
pub(crate) struct Hindrance {
    pub process: Pid,
    /// What the pending operation depends on.
    pub footprint: Footprint,
    rivals: Rivals,
}

/// The events without which the process may be able to move.
enum Rivals {
    /// All of these have to go.
    All(Vec<usize>),
    /// Each of these may be enough.
    Each(Vec<usize>),
}

impl Hindrance {
    /// What keeps a process from moving at the end of a rehearsal that began at a node. Where other processes do so
    /// each by itself, their last touches have to go; if one of those led to the operation, nothing helps.
    pub fn of(trace: &mut Trace, run: &mut dyn Run, process: Pid, depth: usize) -> Hindrance {
        let footprint = run.anticipate(process);
        let mut row = Vec::new();
        let rivals = trace.rivals_of_pending(process, &footprint, Pending::Guarded, &mut row);
        let touches = last_touches(trace, &run.hindering(process), &footprint);
        let rivals = if touches.iter().any(|&touch| trace.is_before_row(touch, &row)) {
            Rivals::Each(Vec::new())
        } else if touches.is_empty() {
            let rivals = rivals.into_iter().map(|rival| rival as usize);
            Rivals::Each(rivals.filter(|&rival| rival < depth).collect())
        } else {
            Rivals::All(touches)
        };
        Hindrance { process, footprint, rivals }
    }

    /// Whether all these events lie before a node.
    pub fn lies_before(&self, depth: usize) -> bool {
        let (Rivals::All(events) | Rivals::Each(events)) = &self.rivals;
        events.iter().all(|&event| event < depth)
    }

    /// The sequences that lead to the operation without these events and what happens after them, each with the node
    /// at which it begins, given the steps of a trace that led to it with them. Up to `depth` the trace is the path of the search.
    /// `None` if it is late, which is asked now and then, with the number of events that were looked at.
    pub fn without(
        &self,
        trace: &Trace,
        depth: usize,
        steps: impl Iterator<Item = usize> + Clone,
        is_late: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Vec<(usize, Vec<Choice>)>> {
        let mut without = |removed: &[usize]| {
            let first = removed.iter().copied().fold(depth, usize::min);
            let mut kept = Vec::new();
            for event in steps.clone() {
                if is_late(1 + removed.len()) {
                    return None;
                }
                let goes = |&gone: &usize| trace.happens_before(gone, event);
                if event >= first && !removed.iter().any(goes) {
                    kept.push(trace.events()[event].choice);
                }
            }
            Some((first, kept))
        };
        match &self.rivals {
            Rivals::All(touches) => Some(vec![without(touches)?]),
            Rivals::Each(rivals) => rivals.iter().map(|&rival| without(&[rival])).collect(),
        }
    }
}

/// The last event of each of some processes that conflicts with a footprint.
fn last_touches(trace: &Trace, processes: &[Pid], footprint: &Footprint) -> Vec<usize> {
    let last_touch = |&process: &Pid| {
        let touches =
            |event: &Event| event.process() == process && conflict(&event.footprint, footprint);
        trace.events().iter().rposition(touches)
    };
    processes.iter().filter_map(last_touch).collect()
}

impl Rehearsal {
    /// A rehearsal that has not begun.
    pub fn new() -> Rehearsal {
        Rehearsal { trace: Trace::new() }
    }

    /// Begins anew at a node of a path.
    pub fn go_to(&mut self, path: &Trace, depth: usize) {
        let own = self.trace.events().iter().map(|event| event.choice);
        let path_to = &path.events()[..depth];
        let common = own.zip(path_to).take_while(|(own, other)| *own == other.choice).count();
        self.trace.cut(common);
        for (index, event) in path_to.iter().enumerate().skip(common) {
            self.trace.spare().clone_from(event);
            self.trace.add_spare(path.alternatives(index));
        }
    }

    /// Takes a step with a run that stands where the rehearsal does.
    pub fn step(&mut self, run: &mut dyn Run, choice: Choice) {
        let alternatives = run.alternatives(choice.process).count;
        run.step_into(choice, self.trace.spare());
        self.trace.add_spare(alternatives);
    }
}

impl<'a> SecondRun<'a> {
    /// The second run of a program whose runs heed this interrupt. The second one does not: an answer
    /// that was cut short would be wrong, and all that it does has been done before.
    pub fn new(program: &'a dyn Program, interrupt: &Interrupt) -> SecondRun<'a> {
        program.heed(&Interrupt::never());
        let run = program.start(&[]);
        program.heed(interrupt);
        SecondRun { program, run, followed: Vec::new() }
    }

    /// Goes to where choices lead from the start.
    pub fn go_along(&mut self, path: impl Iterator<Item = Choice> + Clone) {
        let common = self.go_back_to(path.clone());
        for choice in path.skip(common) {
            self.step(choice);
        }
    }

    /// Goes back until it is on a path from the start; how many of its choices have been followed then.
    pub fn go_back_to(&mut self, path: impl Iterator<Item = Choice> + Clone) -> usize {
        let own = self.followed.iter().map(|(choice, ..)| *choice);
        let common = own.zip(path.clone()).take_while(|(own, other)| own == other).count();
        if let Some((_, mark, _)) = self.followed.get(common) {
            let mark = self.run.rewinds().then_some(*mark);
            take_back(&mut self.run, self.program, mark, path.take(common));
            self.followed.truncate(common);
        }
        common
    }

    /// Takes a step.
    pub fn step(&mut self, choice: Choice) {
        let mark = self.run.mark();
        let condition = self.run.step(choice).condition;
        self.followed.push((choice, mark, condition));
    }

    /// The conditions of so many of the last steps.
    pub fn last_conditions(&self, steps: usize) -> impl Iterator<Item = Term> + '_ {
        let last = &self.followed[self.followed.len().saturating_sub(steps)..];
        last.iter().filter_map(|(_, _, condition)| *condition)
    }
}

/// Takes a run back to the end of a path: to the mark that was made there, or, if there is none because
/// the run cannot go back, by replaying the path on a new run.
pub(crate) fn take_back<'a>(
    run: &mut Box<dyn Run + 'a>,
    program: &'a dyn Program,
    mark: Option<Mark>,
    path: impl Iterator<Item = Choice>,
) {
    match mark {
        Some(mark) => run.undo(mark),
        None => {
            *run = program.start(&[]);
            for choice in path {
                run.step(choice);
            }
        }
    }
}
