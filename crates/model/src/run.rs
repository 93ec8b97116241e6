//! Programs and their runs: the seam between front ends and explorers.
//!
//! A [`Run`] is one execution, stopped between two steps. Rules that every front end keeps:
//!
//! 1. *Determinism.* The same inputs and choices give the same events.
//! 2. *Names do not depend on the schedule.* Processes through [`ProcessNames`], locations by the
//!    rule of [`Location`], inputs by their process and their number there.
//! 3. *A step is one visible operation and all the local computation after it*, up to just before
//!    the next visible operation or branch on an unknown. What no other process can reach is local.
//!    The local computation before a process's first operation belongs to the step that starts it.
//! 4. *A process's next operation depends only on its own past events.* Others can make it possible
//!    or impossible and change what it finds, not what it is.
//! 5. *Blocked is a fact, not an error.* The run says who waits for whom.
//! 6. *A cut ends one execution.* A step that the front end cannot finish (something unsupported, a
//!    limit of its own, a fault of its machine) has an event whose fault is of the kind `Unsupported`.
//!    Its process takes no further step, though it has not ended: `next` says `Done`, and who waits
//!    for its end waits in vain. The others go on as they would beside a process that nobody
//!    schedules any more, so whatever they do is an execution of the program, and explorers see what
//!    they could have done before the cut. Such a run ends as [`End::Cut`], whoever waits.
//!
//! A run that keeps a trail can go back ([`Rewind`]) at the cost of what was done since; on behalf of any
//! other one explorers replay choices on a new run. What stories ([`Narrate`]), comparisons of states
//! ([`Digests`]), and nets and the solver ([`Observe`]) ask is apart from what exploring needs.

use std::rc::Rc;

use counterpoint_symbolic::{Term, Terms};
use serde::{Deserialize, Serialize};

use crate::{
    Bound, Choice, Event, FileCoverage, Footprint, Interrupt, Location, Op, Pid, Place,
    ProcessNames, Site, StateNode, Waiting,
};

/// A program under test.
pub trait Program {
    /// A run at the initial state. Inputs with these names take these values first; all others start
    /// from a value of the front end's choosing.
    fn start(&self, inputs: &[Input]) -> Box<dyn Run + '_>;

    /// The names of its processes.
    fn names(&self) -> &ProcessNames;

    /// Where in the source a site is.
    fn place(&self, site: Site) -> Place;

    /// What the user calls a location.
    fn location_name(&self, location: Location) -> String;

    /// What a location and its like are called together: a field of any object of its class, any element
    /// of such an array.
    fn variable_name(&self, location: Location) -> String {
        self.location_name(location)
    }

    /// What tells a location from all others wherever the program is explored, whereas every explorer's machine numbers
    /// the locations that it meets for itself. `None` where nobody outside can tell them apart.
    fn location_key(&self, location: Location) -> Option<u64> {
        let _ = location;
        None
    }

    /// Whether a location is memory of the program itself, where data races matter, and no inside of
    /// the library that it runs on.
    fn is_own(&self, location: Location) -> bool {
        let _ = location;
        true
    }

    /// The writes of an execution that no event tells of, because no other process could reach the memory
    /// when it was written: how an object was filled before a reference to it was stored in one of these
    /// locations. Asked where a data race hands on what is in them.
    fn early_writes(&self, events: &[Event], through: &[Location]) -> Vec<EarlyWrite> {
        let _ = (events, through);
        Vec::new()
    }

    /// What it runs on outside of this tool, in a word.
    fn platform(&self) -> &'static str {
        "machine"
    }

    /// What runs have taken for granted so far that need not be so, each in a sentence without a full
    /// stop, as in "a time-out does not expire before what it waits for".
    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }

    /// What runs have left out so far although it makes no difference to most, likewise.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// What the user calls a process; its path unless the front end knows better.
    fn process_name(&self, process: Pid) -> String {
        self.names().path(process)
    }

    /// A text that changes when the program does, so that old schedules are noticed.
    fn fingerprint(&self) -> String;

    /// From now on, note which lines and branches runs execute, if the front end can. Runs may be
    /// slower then, and behave as before.
    fn watch(&self) {}

    /// Runs started from now on look at this inside long steps; the module [`Interrupt`] says what it
    /// means. Front ends whose steps can be long keep a copy and hand it to their runs.
    fn heed(&self, interrupt: &Interrupt) {
        let _ = interrupt;
    }

    /// What the runs that have ended executed since [`Program::watch`].
    fn coverage(&self) -> Vec<FileCoverage> {
        Vec::new()
    }
}

/// A write to memory that no other process could reach yet.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct EarlyWrite {
    /// What was written.
    pub location: Location,
    /// Who wrote.
    pub process: Pid,
    /// It came after so many events of the execution.
    pub after: usize,
    /// Where other processes became able to reach it.
    pub site: Site,
}

/// A program that several hold is that program.
impl<P: Program + ?Sized> Program for Rc<P> {
    fn start(&self, inputs: &[Input]) -> Box<dyn Run + '_> {
        (**self).start(inputs)
    }

    fn names(&self) -> &ProcessNames {
        (**self).names()
    }

    fn place(&self, site: Site) -> Place {
        (**self).place(site)
    }

    fn location_name(&self, location: Location) -> String {
        (**self).location_name(location)
    }

    fn variable_name(&self, location: Location) -> String {
        (**self).variable_name(location)
    }

    fn location_key(&self, location: Location) -> Option<u64> {
        (**self).location_key(location)
    }

    fn is_own(&self, location: Location) -> bool {
        (**self).is_own(location)
    }

    fn early_writes(&self, events: &[Event], through: &[Location]) -> Vec<EarlyWrite> {
        (**self).early_writes(events, through)
    }

    fn platform(&self) -> &'static str {
        (**self).platform()
    }

    fn assumptions(&self) -> Vec<String> {
        (**self).assumptions()
    }

    fn warnings(&self) -> Vec<String> {
        (**self).warnings()
    }

    fn process_name(&self, process: Pid) -> String {
        (**self).process_name(process)
    }

    fn fingerprint(&self) -> String {
        (**self).fingerprint()
    }

    fn watch(&self) {
        (**self).watch();
    }

    fn heed(&self, interrupt: &Interrupt) {
        (**self).heed(interrupt);
    }

    fn coverage(&self) -> Vec<FileCoverage> {
        (**self).coverage()
    }
}

/// One execution, stopped between two steps: what exploring needs. What only some ask for is in traits of
/// its own, which a run that has nothing to say implements without a method.
pub trait Run: Rewind + Narrate + Digests + Observe {
    /// Every process of this run so far has a `Pid` below this. Numbers of processes that only
    /// other runs have started may lie among them: their next is `Done`.
    fn processes(&self) -> u32;

    /// What the process would do next.
    fn next(&self, process: Pid) -> Next;

    /// Whether the process can move.
    fn is_ready(&self, process: Pid) -> bool {
        self.next(process).is_ready()
    }

    /// Adds the processes that can move, in the order of their numbers. Runs override it where they
    /// can tell all at once faster than one after another.
    fn ready(&self, into: &mut Vec<Pid>) {
        into.extend((0..self.processes()).map(Pid).filter(|&process| self.is_ready(process)));
    }

    /// The favourite, if it can move, or else the first process that can.
    fn first_ready(&self, favourite: Option<Pid>) -> Option<Pid> {
        favourite
            .filter(|&process| self.is_ready(process))
            .or_else(|| (0..self.processes()).map(Pid).find(|&process| self.is_ready(process)))
    }

    /// Whether every process is done.
    fn is_finished(&self) -> bool {
        (0..self.processes()).map(Pid).all(|process| self.next(process) == Next::Done)
    }

    /// The alternatives of a ready process's next operation.
    fn alternatives(&self, process: Pid) -> Alternatives {
        let _ = process;
        Alternatives::ONE
    }

    /// Whether a ready process could take this alternative. Asked only where there are several.
    fn feasible(&mut self, choice: Choice) -> Feasible {
        let _ = choice;
        Feasible::Yes
    }

    /// Performs one step. The process is ready and the alternative is feasible.
    fn step(&mut self, choice: Choice) -> Event;

    /// As [`step`](Run::step), written over an event that is not needed any more. Runs override it
    /// where this saves moving the event about.
    fn step_into(&mut self, choice: Choice, event: &mut Event) {
        *event = self.step(choice);
    }

    /// What the next operation of a process that is not done would touch, as far as it is known
    /// beforehand; for a blocked one at least what could unblock it, and for one that awaits
    /// something that has not happened no lock.
    fn anticipate(&self, process: Pid) -> Footprint;

    /// Whether the next operation of a process that is not done is guarded, as its event would be
    /// ([`Event::guarded`]): whether something other than a held lock or an `Await` can keep it from
    /// happening, and let it happen, and keep it again. This is a property of the operation at hand
    /// and not of its kind: a read that waits for a value is guarded, another one is not.
    fn guarded(&self, process: Pid) -> bool;

    /// Whether a process that waits until it is notified may stop waiting for another reason, as when it is interrupted.
    /// Then a notification that comes meanwhile may find it there or not.
    fn may_leave(&self, process: Pid) -> bool {
        self.guarded(process)
    }

    /// Whether it is others who decide what the next operation of a process touches: what an interrupt touches depends on
    /// whether its process waits by then. What is said of it beforehand is of use for the state at hand only. Where a run
    /// says no though it is so, nets depend on the order in which they are built, and nothing worse.
    fn touches_what_others_decide(&self, process: Pid) -> bool {
        let (Next::Ready(op) | Next::Blocked(op)) = self.next(process) else { return false };
        matches!(op, Op::Notify { .. })
    }

    /// The processes each of which keeps a blocked one from moving all by itself, as those do who hold a read lock
    /// that another process wants for writing: whatever else has happened or not, the pending operation
    /// stays blocked until that process touches one of its locations again. A run need not name all, and names none where
    /// it does not know.
    fn hindering(&self, process: Pid) -> Vec<Pid> {
        let _ = process;
        Vec::new()
    }

    /// How a run in which no process is ready has ended.
    fn end(&self) -> End;

    /// Whether some processes wait for each other in a cycle, so that they will never move again
    /// whatever others do. A run that cannot tell says no.
    fn is_deadlocked(&self) -> bool {
        false
    }

    /// Whether the run can still come to what the program is explored for. A program that is explored
    /// for nothing in particular always can.
    fn prospect(&self) -> Prospect {
        Prospect::Open
    }

    /// Takes processes from a list of those that can move that need not go first: what the program is explored for
    /// and can be reached can be reached with a step of one of the others first. If none is left, nothing can be
    /// reached that is not there already. The list is that of all processes that can move.
    fn retain_first_steps(&self, ready: &mut Vec<Pid>) {
        let _ = ready;
    }

    /// The inputs read so far with their present values.
    fn inputs(&self) -> Vec<Input> {
        Vec::new()
    }

    /// What the run had to leave out so far, such as an unknown that it made concrete.
    fn bounds(&self) -> Vec<Bound> {
        Vec::new()
    }
}

/// Going back. A run that keeps a trail takes part; any other one is replayed on a new run and keeps the
/// defaults.
pub trait Rewind {
    /// Whether `mark` and `undo` work.
    fn rewinds(&self) -> bool {
        false
    }

    /// A point to come back to.
    fn mark(&mut self) -> Mark {
        Mark::default()
    }

    /// Whether a mark costs so much of a step that it is left out where nobody is likely to come back: steps are then
    /// taken again, now and then. Not for runs that count what they do.
    fn marks_sparingly(&self) -> bool {
        false
    }

    /// Back to a mark. Marks made after it are void; the mark itself can be used again.
    fn undo(&mut self, mark: Mark) {
        unreachable!("{mark:?} of a run that cannot go back")
    }
}

/// How many times less work than usual a run that is in a hurry gives to a step.
pub const HURRY: u64 = 64;

/// What a run tells people. Nothing here is asked while exploring.
pub trait Narrate {
    /// What the front end itself makes of the run as it stands, for reports that know the front end.
    fn details(&self) -> Option<Box<dyn std::any::Any>> {
        None
    }

    /// What the last step did, in words and values. Called only while a story is told.
    fn explain(&self) -> Explanation {
        Explanation::default()
    }

    /// Who waits for what, for processes that are blocked.
    fn waiting(&self, process: Pid) -> Option<Waiting> {
        let _ = process;
        None
    }

    /// The final state in the user's terms, where the front end has such a thing.
    fn outcome(&self) -> Option<String> {
        None
    }

    /// The present state, for somebody who looks at it: processes, objects, locks and queues.
    fn inspect(&self) -> Vec<StateNode> {
        Vec::new()
    }

    /// From now on, note what steps depend on, if the front end can. Called before the first step; steps may
    /// be slower then, and do as before.
    fn track(&mut self) {}

    /// From now on, steps that do not end are given up after a small part ([`HURRY`]) of the usual work: for
    /// somebody who knows that one of them does not end, and would wait for that a second time.
    fn hurry(&mut self) {}

    /// What each step since [`track`](Narrate::track) depends on, in their order. None if that is not known.
    fn dependences(&self) -> Option<Vec<StepDependences>> {
        None
    }

    /// The steps since [`track`](Narrate::track) that have led a process to where it stands.
    fn led_here(&self, process: Pid) -> Vec<usize> {
        let _ = process;
        Vec::new()
    }

    /// The present value of a location, as text, where it has one.
    fn value(&self, location: Location) -> Option<String> {
        let _ = location;
        None
    }
}

/// Digests of states, for explorers and tests that compare states. A run without them gives none.
pub trait Digests {
    /// A digest of what [`outcome`](Narrate::outcome) tells, where it costs less than telling it. Different
    /// outcomes have different digests; the same outcome may have several.
    fn outcome_digest(&self) -> Option<u128> {
        None
    }

    /// A digest of what the process itself knows: its position and local variables. Explorers that
    /// preserve local states are compared by it.
    fn local_state(&self, process: Pid) -> Option<u64> {
        let _ = process;
        None
    }

    /// A digest of the whole present state, equal for two runs of the program exactly if no future
    /// choice could tell them apart. Explorers use it to see that two orders lead to the same state.
    fn digest(&self) -> Option<u128> {
        None
    }
}

/// What nets and questions about states ask of a run: values, positions, and the solver behind them.
pub trait Observe {
    /// The present value of a location that holds a number, a truth value (as 0 or 1) or a
    /// reference (0 for none, and as a number that is its own otherwise).
    fn reading(&self, location: Location) -> Option<Reading> {
        let _ = location;
        None
    }

    /// The store of the terms in readings and in the conditions of events, if values can depend on
    /// inputs. It is the same for all runs of a program.
    fn terms(&self) -> Option<Rc<Terms>> {
        None
    }

    /// Whether inputs that lead here can satisfy a condition over the inputs as well. If they can,
    /// the present inputs do from now on, until the run goes back.
    fn suppose(&mut self, condition: Term) -> Feasible {
        let _ = condition;
        Feasible::Unknown("the run does not know how its values depend on inputs".to_string())
    }

    /// Whether what is acquired and released at a location is a lock, which is free or held and
    /// nothing else. False for what has more states, such as the initialisation of a class.
    fn is_lock(&self, location: Location) -> bool {
        let _ = location;
        true
    }

    /// Where the process stands: the site of its next operation. None if it has ended or the run
    /// does not know.
    fn site(&self, process: Pid) -> Option<Site> {
        let _ = process;
        None
    }
}

/// A value that can be compared with others.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// What it is for the present inputs.
    pub number: i64,
    /// How it depends on the inputs, if it does: a bit vector to be read with its sign.
    pub term: Option<Term>,
}

/// What a process would do next.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// It can do this now.
    Ready(Op),
    /// It would do this but cannot now.
    Blocked(Op),
    /// It has ended, or has not started.
    Done,
}

impl Next {
    /// Whether it can move.
    pub fn is_ready(self) -> bool {
        matches!(self, Next::Ready(_))
    }
}

/// How many ways there are to take the next step, and which the concrete values prefer.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Alternatives {
    /// At least one.
    pub count: u32,
    /// The one that needs no solver: it is feasible.
    pub preferred: u32,
}

impl Alternatives {
    /// The usual case.
    pub const ONE: Alternatives = Alternatives { count: 1, preferred: 0 };
}

/// Whether an alternative can be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Feasible {
    /// Yes; taking it is sure to work.
    Yes,
    /// No input leads there.
    No,
    /// The solver gave up, for this reason.
    Unknown(String),
}

/// Whether a run can still come to what the program is explored for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Prospect {
    /// It may.
    Open,
    /// It is there, and what could follow is of no interest.
    Reached,
    /// No choice leads there.
    Closed,
}

/// How a run ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Everybody who has to be done is done.
    Complete,
    /// Somebody who is not done cannot move: a cycle of waiting, or waiting for nobody.
    Deadlock,
    /// Tasks wait for conditions that can never hold, and nobody blocks anybody.
    Stuck,
    /// Some process could not go on for a reason that is not the program's (rule 6).
    Cut,
}

/// A point in a run's past. Only the run that made it can read it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Mark(pub u64);

/// What a step did, for people.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explanation {
    /// The operation with names and values, as in "x = 5" or "takes lock a".
    pub text: String,
    /// The call of library code that the operation is part of, as in `ArrayList.add`; empty if the
    /// operation is in the user's own code.
    pub within: String,
    /// The sites run through, in order, the operation's own first.
    pub sites: Vec<Site>,
    /// What the program printed during the step.
    pub output: String,
    /// Whether it went on only because a time limit expired.
    pub expired: bool,
    /// If the step failed, the calls that it failed in, innermost first, in the language's words.
    pub stack: Vec<String>,
}

/// The earlier steps that a step depends on, by their numbers from 0: those that gave it its values, and those
/// that decided that its process came there. What it finds in the locations of its footprint is not among them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StepDependences {
    /// What its operation depends on.
    pub operation: Vec<usize>,
    /// What its failure depends on, if it has failed.
    pub failure: Vec<usize>,
}

/// A value that came from outside.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Input {
    /// Its name: the reading process's path and the number of the input there, as in `0.1#0`.
    pub name: String,
    /// Its value as text: a decimal number, `true` or `false`.
    pub value: String,
}
