//! The exploration of a part of a target: it finds cases, and may leave some of its work to others.
//!
//! **Idea.** `exhaustive` takes its steps depth first, in an order that depends on nothing but the path and the names of
//! tasks. What it leaves at its shallowest open node ([`WorkUnit::left_to_others`]) is the end of that order: the part is
//! divided into what it goes on with and a part that comes right after it. Explorers that reduce plan steps at nodes above
//! where they are, and `guided` ends at what it finds: their parts are not divided.
//!
//! **Invariant.** The cases of a part, followed by those of the parts that it gave away, the last one first, are those
//! of the part undivided, in the same order. What a part took does not count what was repeated to get to where it begins, so the
//! sums are the same, too.
//!
//! **Cost.** To divide a part takes as long as to save it, and to begin the new one as long as its prefix: some steps.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use counterpoint_abs::machine::{Ended, Outcome, TestCase};
use counterpoint_explore::{
    Assignment, Ending, Execution, Exploration, Flow, HandedOver, Limits, ParameterValues, Sink,
    Statistics, WorkUnit, explorer,
};
use counterpoint_model::{Bound, Choice, Program};

use super::case::Unconfirmed;
use super::session::{Cuts, Effort, Session};
use crate::events;
use crate::job::Tally;

/// What has come of a part.
#[derive(Default)]
pub struct Part {
    /// Complete executions, cut ones included.
    pub executions: u64,
    /// Executions that a limit has ended.
    pub cuts: Cuts,
    /// What else was left out.
    pub bounds: BTreeSet<Bound>,
    /// What is left.
    pub left: Option<WorkUnit>,
    /// What it took.
    pub effort: Effort,
}

impl Part {
    /// Adds what was counted of another part.
    pub fn add(&mut self, other: Part) {
        self.executions += other.executions;
        self.cuts.add_all(other.cuts);
        self.bounds.extend(other.bounds);
        self.effort = self.effort.plus(other.effort);
    }

    /// Adds what an explorer has counted.
    fn note(&mut self, exploration: &Exploration) {
        self.executions += exploration.statistics.executions;
        let stopped =
            |bound: &Bound| matches!(bound, Bound::Time | Bound::Executions | Bound::Stopped);
        self.bounds.extend(exploration.bounds.iter().filter(|bound| !stopped(bound)).cloned());
    }
}

/// What others want of whoever explores a part.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Nothing.
    Nothing,
    /// That it leaves some of its work to them.
    Share,
    /// That it ends.
    End,
}

/// Others who may have time for some of the work.
pub trait Others {
    /// What they want.
    fn wish(&mut self) -> Wish;

    /// Leaves this to them, or nothing if the work cannot be divided at present.
    fn take(&mut self, unit: Option<WorkUnit>) {
        let _ = unit;
    }
}

/// Nobody else is there.
pub struct Nobody;

impl Others for Nobody {
    fn wish(&mut self) -> Wish {
        Wish::Nothing
    }
}

/// Others will be there later: the execution is the last one in which this moment comes. It is not interrupted, so that what
/// was done of it is not done twice.
pub struct Later(pub Option<Instant>);

impl Others for Later {
    fn wish(&mut self) -> Wish {
        match self.0.is_some_and(|end| Instant::now() >= end) {
            true => Wish::End,
            false => Wish::Nothing,
        }
    }
}

/// Explores a part of a target and hands on the cases that are found, at once, so that there is no debt when the time is
/// over.
pub fn explore(
    session: &Session,
    unit: WorkUnit,
    limits: Limits,
    interrupted: &AtomicBool,
    others: &mut dyn Others,
    found: &mut dyn FnMut(Unconfirmed),
) -> Part {
    let (program, target) = (&session.program, &session.target);
    let guided = target.guide.is_some();
    let mut deadlocks = Vec::new();
    let mut act = |case: TestCase, choices: Vec<Choice>| match guided {
        true => deadlocks.push(choices),
        false => found(Unconfirmed::new(program, target, case, &choices)),
    };
    let explorer = explorer(session.explorer()).expect("all are in the table");
    let mut collector = Collector {
        session,
        floor: unit.floor,
        fresh: unit.nodes.is_empty(),
        before: Effort::of(program),
        found: &mut act,
        others,
        wish: Wish::Nothing,
        part: Part::default(),
        interrupted,
    };
    let exploration = (explorer.explore)(Assignment {
        program,
        unit,
        limits,
        properties: Vec::new(),
        sink: &mut collector,
        parameters: ParameterValues::default(),
    });
    let Collector { mut part, floor, before, .. } = collector;
    part.note(&exploration);
    part.left = exploration.unexplored;
    if session.is_divisible() {
        // What was left to others at nodes above is theirs.
        let own = part.left.take().map(|unit| unit.from_floor(floor));
        part.left = own.filter(|unit| unit.nodes.is_empty() || unit.has_work_from(floor));
    }
    for choices in deadlocks {
        deadlock(session, &mut part.cuts, choices).into_iter().for_each(&mut *found);
    }
    part.effort = Effort::of(program).minus(before);
    part
}

/// A guided search stops where a deadlock is there, even if other tasks could go on. A test goes on
/// until nobody can.
fn deadlock(session: &Session, cuts: &mut Cuts, mut choices: Vec<Choice>) -> Option<Unconfirmed> {
    let ended = {
        let mut run = session.program.start(&[]);
        for &choice in &choices {
            run.step(choice);
        }
        let mut ready = Vec::new();
        loop {
            ready.clear();
            run.ready(&mut ready);
            let Some(&process) = ready.first() else { break };
            let alternatives = run.alternatives(process);
            let choice = Choice { process, alternative: alternatives.preferred };
            run.step(choice);
            choices.push(choice);
        }
        Ended::of(&*run)
    };
    match ended {
        Some(Ended::Cut(cut, places)) => cuts.add(&cut.to_string(), Some(places)),
        Some(Ended::Test(case)) if case.outcome == Outcome::Deadlock => {
            return Some(Unconfirmed::new(&session.program, &session.target, *case, &choices));
        }
        Some(Ended::Test(_)) | None => {}
    }
    None
}

struct Collector<'c> {
    session: &'c Session,
    /// From which depth on the work is this part's.
    floor: usize,
    /// Whether the part begins at the root.
    fresh: bool,
    /// What the program had taken before.
    before: Effort,
    found: &'c mut dyn FnMut(TestCase, Vec<Choice>),
    others: &'c mut dyn Others,
    /// What they wanted last.
    wish: Wish,
    part: Part,
    interrupted: &'c AtomicBool,
}

impl Collector<'_> {
    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

impl Sink for Collector<'_> {
    fn execution(&mut self, execution: &Execution<'_>, statistics: &Statistics) -> Flow {
        events::progress(&Tally::default(), statistics, 0);
        let cut = match execution.ending == Ending::Cut {
            true => Err("the limit on steps".to_string()),
            false => Ok(()),
        };
        let ended = Ended::of(execution.run).map(|ended| match ended {
            Ended::Test(case) => cut.map(|()| case).map_err(|cut| (cut, None)),
            Ended::Cut(cut, places) => Err((cut.to_string(), Some(places))),
        });
        match ended {
            Some(Ok(case)) => {
                let choices = execution.events.iter().map(|event| event.choice).collect();
                (self.found)(*case, choices);
            }
            Some(Err((cut, places))) => self.part.cuts.add(&cut, places),
            None => {}
        }
        self.wish = self.others.wish();
        if self.wish == Wish::Share && !self.session.is_divisible() {
            self.wish = Wish::Nothing;
        }
        match self.wish != Wish::Nothing || self.is_interrupted() {
            true => Flow::Stop,
            false => Flow::Continue,
        }
    }

    fn taken_up(&mut self) {
        if !self.fresh {
            self.before = Effort::of(&self.session.program);
        }
    }

    fn hand_over(&mut self, mut part: Box<Exploration>) -> HandedOver {
        let goes_on = self.wish == Wish::Share && !self.is_interrupted();
        let Some(left) = part.unexplored.take_if(|_| goes_on) else {
            return HandedOver::Ended(part);
        };
        self.part.note(&part);
        let next = left.floor_if_divided(self.floor, 1);
        self.others.take(next.map(|next| left.left_to_others(self.floor, next)));
        self.floor = next.unwrap_or(self.floor);
        HandedOver::GoOn { floor: self.floor, executions: None }
    }
}
