//! Java programs behind the kernel's traits.
//!
//! **Problem.** The machine stops a thread before every operation that another thread can notice and
//! can say what that operation is. Explorers want it in the kernel's terms: processes and locations
//! with numbers that do not depend on the schedule, footprints, alternatives, faults.
//!
//! **Idea.** A run keeps for every thread a [`Standing`]: the operation it stands before, in the
//! kernel's terms, worked out once when the thread stops. What an operation *is* depends on the
//! thread's own past only, so it stays true while others move; whether it is possible and what it
//! will find is asked of the machine when somebody wants to know. Standings have a trail of their
//! own beside the machine's.
//!
//! How Java's operations look to the kernel:
//!
//! - Fields, static fields and array elements are locations; `volatile` accesses and all modes of
//!   `VarHandle` and `Unsafe` but the plain ones synchronise. A failed compare-and-set is a read.
//! - Whether a `Thread` has been started is a location, written by the start. Who deals with a thread
//!   that others may start looks at it first, as an event of its own.
//! - A thread has four cells. *Life*: written by the start and by the event that ends it, awaited by
//!   its first event and by joins. In programs that can ask whether a thread has ended (`asked.rs`), its
//!   end is an event of its own, which conflicts with nothing but such questions: joins only await it. *Wake-up*: written by what ends its wait. *Permit*: written by
//!   `unpark` and `park`. *Interrupt*: written by `interrupt`, read by all that look at it.
//! - `wait` is two events, as in the kernel. One with a time limit may end unwoken at any time: its
//!   resuming then reads what it otherwise awaits, and is guarded. `park` is guarded too, and one with
//!   a time limit is always possible. `sleep` and `yield` are local. A join with a time limit waits
//!   for the end.
//! - A class has an initialisation lock, as in the language specification: it is taken when the
//!   initialiser begins and freed in the event in which it ends; who finds the class initialised by
//!   another thread acquires it, too, and has nothing to free.
//! - A `ReentrantLock` is a monitor and its conditions are wait sets. Trying to take it acquires it or
//!   reads its state, and is guarded since it can overtake the release that lets it succeed.
//! - Other synchronisers are a location each. An operation that may have to wait is guarded; one that
//!   can be interrupted looks for an interrupt first, as an event of its own, and then at both the
//!   thread's interrupt and the synchroniser.
//! - Pools, futures and blocking queues are a location each, too, and a call of theirs is one
//!   operation: see `interpret/whole.rs`.
//! - Asking for the state of a thread reads how far it has come and all that its next operation is
//!   about. In programs that ask, every step of a thread writes how far it has come, and coming to an
//!   operation that may have to wait is a step of its own: up to it the thread is `RUNNABLE`.
//! - Asking which threads a group has reads a location that starts write, and whether each has ended.
//! - An exception that a handler of the program takes is no failure, since Java makes none of it.
//! - The result of a `CompletableFuture` and what depends on it are two locations: see
//!   `interpret/completion.rs`.
//! - A branch on an unknown touches nothing; its alternatives are its sides.
//! - An exception that leaves a synchronized method frees the monitor inside the step that threw it.
//!
//! - A thread that spins, which is a loop that only looks, is blocked until something it looks at has
//!   changed, and then guarded: see `spinning.rs`.
//! - `sleep` and `join` end early if the thread is interrupted.
//! - A thread that comes to something unsupported, or computes for ever, stands there for good and the
//!   others go on: see `stepping.rs`.
//!
//! **Not modelled.** Daemon threads go on after the last other thread has ended, as far as they can.
//! The order in which different
//! threads print is not explored, so outcomes group the output by thread.

mod asked;
mod digest;
mod looking;
mod naming;
mod polling;
mod prepared;
mod program;
mod reading;
mod report;
mod sources;
mod spinning;
mod standing;
mod stepping;
mod timing;
mod touching;
mod wording;

pub use program::{JavaProgram, Target};

use std::rc::Rc;

use counterpoint_model::{
    Alternatives, Bound, Choice, End, Event, Explanation, Feasible, Footprint, Input, Location,
    Mark, Next, Op, Pid, Reading, Run, Site, Waiting,
};

use counterpoint_symbolic::{Term, Terms};

use crate::interpret::{Outlook, Sort, Whole};
use looking::{Look, Looks, Notice};
use prepared::Prepared;
use standing::{ABSENT, Life, Standing};
use timing::Times;

/// One execution of a Java program.
#[derive(Debug)]
pub(crate) struct JavaRun<'p> {
    program: &'p JavaProgram,
    /// There until the run is dropped.
    prepared: Option<Prepared>,
    /// By the machine's number of the thread.
    standings: Vec<Standing>,
    /// Standings that were overwritten, and whose.
    trail: Vec<Standing>,
    overwritten: Vec<u32>,
    marks: Vec<Point>,
    /// Whether some thread could not go on for a reason that is not the program's.
    cut: bool,
    /// The threads that could not even come to their first operation, and why.
    cut_at_start: Vec<(usize, crate::Fault)>,
    /// Whether the program has asked for its end.
    exited: bool,
    /// Waits so far, to know who waits longest.
    waits: u32,
    /// Which thread printed up to which byte of the output.
    printed: Vec<(u32, usize)>,
    /// What threads have looked at.
    looks: Vec<Look>,
    /// What threads have noticed of others.
    notices: Vec<Notice>,
    /// Room for the looks of a step.
    looking: Looks,
    /// When locations were touched.
    times: Times,
    /// The segment of the thread that has moved last, whose young objects the heap does not watch.
    counted: u32,
    /// Whether some round has shown anything that others can notice.
    polls: bool,
    /// Whether nobody can move only because rounds are left out: see `polling.rs`.
    in_passing: bool,
    /// Whether steps are performed only to find that out.
    searching: bool,
    last: Option<LastStep>,
}

/// A point to come back to.
#[derive(Debug, Clone, Copy)]
struct Point {
    machine: crate::trail::Mark,
    trail: u32,
    printed: u32,
    looks: u32,
    notices: u32,
    times: u32,
    waits: u32,
    in_passing: bool,
    cut: bool,
    cut_at_start: u32,
    exited: bool,
}

/// What explanations need to know of the last step.
#[derive(Debug, Clone, Copy)]
struct LastStep {
    thread: usize,
    /// Where on the trail what it stood before was saved.
    saved: usize,
    /// The value of the variable before.
    before: Option<u64>,
    /// Length of the output before.
    printed: usize,
    /// Whom a notification woke.
    woken: Option<Pid>,
    /// What came of an operation on a synchroniser.
    outlook: Outlook,
    /// What a branch has found the inputs to satisfy.
    condition: Option<Term>,
}

impl<'p> JavaRun<'p> {
    fn new(program: &'p JavaProgram, prepared: Prepared) -> JavaRun<'p> {
        let mut run = JavaRun {
            program,
            prepared: Some(prepared),
            standings: Vec::new(),
            trail: Vec::new(),
            overwritten: Vec::new(),
            marks: Vec::new(),
            cut: false,
            cut_at_start: Vec::new(),
            exited: false,
            waits: 0,
            printed: Vec::new(),
            looks: Vec::new(),
            notices: Vec::new(),
            times: Times::default(),
            counted: 2,
            polls: false,
            in_passing: false,
            searching: false,
            looking: Vec::new(),
            last: None,
        };
        run.enlist(0);
        run.stand(0, false);
        let printed = run.prepared().machine.output.len();
        if printed > 0 {
            run.printed.push((0, printed));
        }
        let machine = &run.prepared().machine;
        let fails =
            run.prepared().fault.is_some() || machine.has_ended(0) || machine.exit_code().is_some();
        if fails {
            // Whatever main has done without a visible operation needs a step to be told with.
            run.standings[0] = Standing { life: Life::Told, ..ABSENT };
        }
        run.trail.clear();
        run.overwritten.clear();
        run
    }

    fn prepared(&self) -> &Prepared {
        self.prepared.as_ref().expect("the run has its machine until it is dropped")
    }

    fn prepared_mut(&mut self) -> &mut Prepared {
        self.prepared.as_mut().expect("the run has its machine until it is dropped")
    }

    /// Makes room for a thread and finds out what it is called.
    fn enlist(&mut self, thread: usize) -> Pid {
        let program = self.program;
        let prepared = self.prepared_mut();
        let pid = prepared.pid(program, thread);
        if let Some(name) = prepared.java_name(thread) {
            program.name_thread(pid, name);
        }
        if self.standings.len() <= thread {
            self.standings.resize(thread + 1, ABSENT);
        }
        pid
    }

    /// Where a thread is in the user's code.
    fn place_of(&mut self, thread: usize) -> Site {
        let program = self.program;
        self.prepared_mut().site(program, thread).0
    }

    /// What a process stands before; nothing, once the run was interrupted.
    fn standing(&self, process: Pid) -> Option<(usize, &Standing)> {
        let prepared = self.prepared();
        if prepared.machine.interrupted {
            return None;
        }
        let thread = prepared.thread(process)?;
        self.standings.get(thread).map(|standing| (thread, standing))
    }

    fn set_standing(&mut self, thread: usize, standing: Standing) {
        self.save_standing(thread);
        self.standings[thread] = standing;
    }

    /// Notes what a thread stands before, which is about to be overwritten.
    fn save_standing(&mut self, thread: usize) {
        self.overwritten.push(thread as u32);
        // As a slice it is copied once, straight to where it stays.
        self.trail.extend_from_slice(&self.standings[thread..=thread]);
    }

    /// Whether a live thread can perform the operation that it stands before.
    fn possible(&self, thread: usize, standing: &Standing) -> bool {
        standing.arrives || !self.spins(standing) && self.possible_without_rule(thread, standing)
    }

    /// The same, whether or not the thread would only look again.
    fn possible_without_rule(&self, thread: usize, standing: &Standing) -> bool {
        if standing.arrives {
            return true;
        }
        let machine = &self.prepared().machine;
        match standing.op {
            Op::Acquire(_) if standing.life != Life::Initialises => self.is_free(thread, standing),
            // One that has failed before its first operation has ended when it has told so.
            Op::Join(_) if machine.has_ended(standing.target as usize) => {
                self.standings[standing.target as usize].life != Life::Told
            }
            Op::Join(_) | Op::Acquire(_) | Op::Resume { .. } | Op::Synchronise(_) => {
                matches!(machine.next_anyway(thread), Ok(crate::Next::Ready(_)))
            }
            _ => true,
        }
    }

    /// Whether a thread can take the monitor that its operation is about.
    fn is_free(&self, thread: usize, standing: &Standing) -> bool {
        let header = self.prepared().machine.heap.header(standing.object);
        header.is_some_and(|header| header.is_free_for(thread))
    }

    /// The threads in the wait set that a notification is for, in the order of their arrival.
    fn waiters(&self, standing: &Standing) -> Vec<usize> {
        let mut waiters = self.prepared().machine.waiting_on(standing.object);
        waiters.sort_by_key(|waiter| self.standings[*waiter].arrived);
        waiters
    }
}

impl Drop for JavaRun<'_> {
    fn drop(&mut self) {
        if let Some(mut prepared) = self.prepared.take()
            && !prepared.machine.interrupted
        {
            let start = prepared.start;
            prepared.machine.undo(start);
            self.program.retire(prepared);
        }
    }
}

impl Run for JavaRun<'_> {
    fn processes(&self) -> u32 {
        counterpoint_model::Program::names(self.program).len() as u32
    }

    fn next(&self, process: Pid) -> Next {
        let Some((thread, standing)) = self.standing(process) else { return Next::Done };
        if standing.life == Life::Absent {
            Next::Done
        } else if self.possible(thread, standing) {
            Next::Ready(standing.shown())
        } else {
            Next::Blocked(standing.shown())
        }
    }

    fn is_ready(&self, process: Pid) -> bool {
        match self.standing(process) {
            Some((thread, standing)) => {
                standing.life != Life::Absent && self.possible(thread, standing)
            }
            None => false,
        }
    }

    fn is_finished(&self) -> bool {
        let is_absent = |process| match self.standing(process) {
            Some((_, standing)) => standing.life == Life::Absent,
            None => true,
        };
        (0..self.processes()).map(Pid).all(is_absent)
    }

    fn alternatives(&self, process: Pid) -> Alternatives {
        match self.standing(process) {
            Some((_, standing)) if standing.arrives => Alternatives::ONE,
            Some((_, standing))
                if matches!(standing.op, Op::Notify { all: false, .. }) && !standing.in_order =>
            {
                let count = self.prepared().machine.waiting_on(standing.object).len().max(1);
                Alternatives { count: count as u32, preferred: 0 }
            }
            Some((thread, standing))
                if matches!(
                    standing.life,
                    Life::CallsWhole(Whole { sort: Sort::Completable, .. })
                ) =>
            {
                let helps = self.prepared().machine.may_help(thread, standing.object);
                Alternatives { count: 1 + u32::from(helps.unwrap_or(false)), preferred: 0 }
            }
            Some((thread, standing)) if standing.op == Op::Branch => {
                let side = self.prepared().machine.unknowns.concrete_side(thread);
                Alternatives { count: 2, preferred: u32::from(side) }
            }
            _ => Alternatives::ONE,
        }
    }

    fn feasible(&mut self, choice: Choice) -> Feasible {
        let Some((thread, standing)) = self.standing(choice.process) else { return Feasible::No };
        if standing.op != Op::Branch {
            return Feasible::Yes;
        }
        let unknowns = &mut self.prepared_mut().machine.unknowns;
        match unknowns.feasible(thread, choice.alternative == 1) {
            counterpoint_symbolic::Feasible::Yes => Feasible::Yes,
            counterpoint_symbolic::Feasible::No => Feasible::No,
            counterpoint_symbolic::Feasible::Unknown(reason) => Feasible::Unknown(reason),
        }
    }

    fn step(&mut self, choice: Choice) -> Event {
        let mut event = Event::new(choice, Op::Local, Site(0));
        self.step_into(choice, &mut event);
        event
    }

    fn step_into(&mut self, choice: Choice, event: &mut Event) {
        debug_assert!(self.next(choice.process).is_ready(), "{choice:?} is not ready");
        let thread = self.prepared().thread(choice.process).expect("the process is ready");
        let standing = &self.standings[thread];
        event.renew(choice, standing.shown(), standing.site);
        self.take_step(choice, thread, event);
    }

    fn anticipate(&self, process: Pid) -> Footprint {
        let mut footprint = Footprint::new();
        if let Some((thread, standing)) = self.standing(process)
            && standing.life != Life::Absent
        {
            self.touches(thread, None, &mut footprint);
        }
        footprint
    }

    fn guarded(&self, process: Pid) -> bool {
        match self.standing(process) {
            Some((thread, standing)) if standing.life != Life::Absent => {
                self.touches(thread, None, &mut Footprint::new())
            }
            _ => false,
        }
    }

    fn end(&self) -> End {
        self.ending()
    }

    fn waiting(&self, process: Pid) -> Option<Waiting> {
        self.who_waits(process)
    }

    fn mark(&mut self) -> Mark {
        let machine = self.prepared_mut().machine.mark();
        self.marks.push(Point {
            machine,
            trail: self.trail.len() as u32,
            printed: self.printed.len() as u32,
            looks: self.looks.len() as u32,
            notices: self.notices.len() as u32,
            times: self.times.mark(),
            in_passing: self.in_passing,
            waits: self.waits,
            cut: self.cut,
            cut_at_start: self.cut_at_start.len() as u32,
            exited: self.exited,
        });
        Mark(self.marks.len() as u64 - 1)
    }

    fn undo(&mut self, mark: Mark) {
        self.marks.truncate(mark.0 as usize + 1);
        let point = self.marks[mark.0 as usize];
        self.prepared_mut().machine.undo(point.machine);
        while self.trail.len() > point.trail as usize {
            let thread = self.overwritten.pop().expect("every standing is somebody's");
            let standing = self.trail.pop().expect("the trail is longer than the mark");
            self.standings[thread as usize] = standing;
        }
        self.printed.truncate(point.printed as usize);
        self.waits = point.waits;
        self.cut = point.cut;
        self.cut_at_start.truncate(point.cut_at_start as usize);
        self.exited = point.exited;
        self.looks.truncate(point.looks as usize);
        self.notices.truncate(point.notices as usize);
        self.times.undo(point.times);
        self.in_passing = point.in_passing;
        self.last = None;
    }

    fn explain(&self) -> Explanation {
        self.last_step()
    }

    fn inputs(&self) -> Vec<Input> {
        self.prepared().machine.unknowns.inputs()
    }

    fn bounds(&self) -> Vec<Bound> {
        let notes = self.prepared().machine.unknowns.notes();
        notes.iter().map(|place| Bound::Concretised(place.clone())).collect()
    }

    fn outcome(&self) -> Option<String> {
        Some(self.output())
    }

    fn value(&self, location: Location) -> Option<String> {
        self.contents(location)
    }

    fn reading(&self, location: Location) -> Option<Reading> {
        self.number(location)
    }

    fn terms(&self) -> Option<Rc<Terms>> {
        self.store()
    }

    fn suppose(&mut self, condition: Term) -> Feasible {
        self.assume(condition)
    }

    fn is_lock(&self, location: Location) -> bool {
        !self.program.is_initialisation(location)
    }

    fn site(&self, process: Pid) -> Option<Site> {
        let (_, standing) = self.standing(process)?;
        (standing.life != Life::Absent).then_some(standing.site)
    }
}
