//! A second run beside the search, to find out what could have happened.
//!
//! The search must not lose its place, so what-if questions are put to a run of their own. It
//! follows prefixes of the present path and keeps what it has in common with the last question:
//! searches ask about neighbouring places, so little is replayed.

use counterpoint_model::{Choice, Event, Footprint, Interrupt, Mark, Pid, Program, Run};

use crate::trace::Trace;

/// The second run, with its own trace.
pub(crate) struct Rehearsal<'a> {
    program: &'a dyn Program,
    pub run: Box<dyn Run + 'a>,
    pub trace: Trace,
    /// The mark before each event of the trace.
    marks: Vec<Mark>,
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

impl<'a> Rehearsal<'a> {
    /// The second run of a program whose runs heed this interrupt. The second one does not: an answer
    /// that was cut short would be wrong, and all that it does has been done before.
    pub fn new(program: &'a dyn Program, interrupt: &Interrupt) -> Rehearsal<'a> {
        program.heed(&Interrupt::never());
        let run = program.start(&[]);
        program.heed(interrupt);
        Rehearsal { program, run, trace: Trace::new(), marks: Vec::new() }
    }

    /// Goes to the end of a path.
    pub fn go_to(&mut self, path: &[Event]) {
        let common = self
            .trace
            .events()
            .iter()
            .zip(path)
            .take_while(|(own, other)| own.choice == other.choice)
            .count();
        self.go_back(common);
        for event in &path[common..] {
            self.step(event.choice);
        }
    }

    /// Takes a step.
    pub fn step(&mut self, choice: Choice) {
        self.marks.push(self.run.mark());
        let alternatives = self.run.alternatives(choice.process).count;
        let event = self.run.step(choice);
        self.trace.push(event, alternatives);
    }

    fn go_back(&mut self, length: usize) {
        if self.trace.len() == length {
            return;
        }
        while self.trace.len() > length {
            self.trace.pop();
        }
        let mark = self.run.rewinds().then_some(self.marks[length]);
        take_back(&mut self.run, self.program, mark, self.trace.events());
        self.marks.truncate(length);
    }
}

/// Takes a run back to the end of a path: to the mark that was made there, or, if there is none because
/// the run cannot go back, by replaying the path on a new run.
pub(crate) fn take_back<'a>(
    run: &mut Box<dyn Run + 'a>,
    program: &'a dyn Program,
    mark: Option<Mark>,
    path: &[Event],
) {
    match mark {
        Some(mark) => run.undo(mark),
        None => {
            *run = program.start(&[]);
            for event in path {
                run.step(event.choice);
            }
        }
    }
}
