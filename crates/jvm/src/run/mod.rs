//! Java programs behind the kernel's traits.
//!
//! **Problem.** The machine stops a thread before every operation that another thread can notice and
//! can say what that operation is. Explorers want it in the kernel's terms: processes and locations
//! with numbers that do not depend on the schedule, footprints, alternatives, failures.
//!
//! **Idea.** A run keeps a [`PendingOperation`] for every thread, in the kernel's terms, worked out once
//! when the thread stops. What an operation *is* depends on the thread's own past only, so it stays true
//! while others move; whether it is possible and what it will find is asked of the machine when
//! somebody wants to know. Pending operations have a trail of their own beside the machine's.
//!
//! How Java's operations look to the kernel:
//!
//! - Fields, static fields and array elements are locations; `volatile` accesses and all modes of
//!   `VarHandle` and `Unsafe` but the plain ones synchronise. A failed compare-and-set is a read.
//! - Whether a `Thread` has been started is a location, which the start writes. A call on a thread that
//!   others may start reads it first, as an event of its own.
//! - A thread has four locations. *Life*: the start and the event that ends it write it, its first event
//!   and joins await it. In programs that can ask whether a thread has ended (`queries.rs`), its end is
//!   an event of its own, which conflicts only with such questions. In programs that may lock a `Thread`,
//!   it is guarded by that monitor (`interpret/ending.rs`). *Wake-up*: written by what ends its
//!   wait. *Permit*: written by `unpark` and `park`. *Interrupt*: written by `interrupt`, read by
//!   everything that checks it.
//! - `wait` is two events, as in the kernel. One with a time limit may end without being woken at any
//!   time: its resuming then reads what it otherwise awaits, and is guarded. `park` is guarded too, and
//!   one with a time limit is always possible. `yield` is local. `sleep` and joins end early if the
//!   thread is interrupted.
//! - A class has an initialisation lock, as in the language specification: it is taken when the
//!   initialiser begins and freed in the event in which it ends. A thread that finds the class
//!   initialised by another one acquires it, too, and has nothing to free.
//! - A `ReentrantLock` is a monitor and its conditions are wait sets.
//! - Other operations of the JDK are rows: see `interpret/jdk_operation.rs`. Each has a subject, which is
//!   a location, and is guarded if it may have to wait.
//! - The result of a `CompletableFuture` and the stages that depend on it are two locations: see
//!   `interpret/completion.rs`.
//! - Asking for the state of a thread reads its progress and everything that its pending operation
//!   touches. In programs that ask, every step of a thread writes its progress, and coming to an
//!   operation that may have to wait is a step of its own: up to it the thread is `RUNNABLE`.
//! - Asking which threads a group has reads a location that starts write, and whether each has ended.
//! - A branch on an unknown touches nothing; its alternatives are its sides.
//! - An exception that leaves a synchronized method frees the monitor inside the step that threw it. One
//!   that a handler of the program takes is not a failure.
//! - A thread in a loop that only observes is blocked until something it observes has changed, and then
//!   guarded: see `spinning.rs`.
//! - A thread that comes to something unsupported, or computes without end, stays there and the others go
//!   on: see `step.rs`.
//!
//! **Not modelled.** Daemon threads go on after the last other thread has ended, as far as they can.
//! The order in which different threads print is not explored, so outcomes group the output by thread.

mod clocks;
mod digest;
mod early_writes;
mod explain;
mod footprint;
mod inspect;
mod itinerary;
mod leaving;
mod naming;
mod observation;
mod patience;
mod pending;
mod polling;
mod prepared_machine;
mod program;
mod queries;
mod sources;
mod spinning;
mod step;
mod values;

pub use itinerary::{InstructionPlace, Itinerary, Overtaking, Stand, Stop, Traveller, Turn};
pub use program::{Beginning, JavaProgram, Target};

use std::rc::Rc;

use counterpoint_model::{
    Alternatives, Bound, Choice, Digests, End, Event, Explanation, Feasible, Footprint, HURRY,
    Input, Location, Mark, Narrate, Next, Observe, Op, Pid, Reading, Rewind, Run, Site, StateNode,
    StepDependences, Waiting,
};

use counterpoint_symbolic::{Term, Terms};

use crate::dependences::Dependences;
use crate::interpret::Readiness;
use clocks::LocationTimes;
use observation::{Notice, Observation};
use pending::{ABSENT, PendingKind, PendingOperation};
use prepared_machine::PreparedMachine;

/// One execution of a Java program.
#[derive(Debug)]
pub(crate) struct JavaRun<'p> {
    program: &'p JavaProgram,
    /// There until the run is dropped.
    prepared: Option<PreparedMachine>,
    /// By the machine's number of the thread.
    pending: Vec<PendingOperation>,
    /// Standings that were overwritten, and whose.
    trail: Vec<PendingOperation>,
    overwritten: Vec<u32>,
    marks: Vec<RunMark>,
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
    /// What threads have observed.
    observations: Vec<Observation>,
    /// What threads have noticed of others.
    notices: Vec<Notice>,
    /// When locations were touched.
    times: LocationTimes,
    /// The segment of the thread that has moved last, whose young objects the heap does not watch.
    counted: u32,
    /// Whether some round has shown anything that others can notice.
    polls: bool,
    /// Whether nobody can move only because rounds are left out: see `polling.rs`.
    only_rounds_left: bool,
    /// Whether steps are performed only to find that out.
    searching: bool,
    last: Option<LastStep>,
}

/// A point to come back to.
#[derive(Debug, Clone, Copy)]
struct RunMark {
    machine: crate::trail::Mark,
    trail: u32,
    printed: u32,
    observations: u32,
    notices: u32,
    times: u32,
    waits: u32,
    only_rounds_left: bool,
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
    /// The first location that it has written.
    written: Option<Location>,
    /// Length of the output before.
    printed: usize,
    /// Whom a notification of one thread woke.
    woken: Option<Pid>,
    /// Somebody who had left the wait set when a notification came.
    left: Option<Pid>,
    /// What came of an operation on a synchroniser.
    readiness: Readiness,
    /// Whether it went on only because a time limit expired.
    expired: bool,
    /// What a branch has found the inputs to satisfy.
    condition: Option<Term>,
}

impl<'p> JavaRun<'p> {
    fn new(program: &'p JavaProgram, prepared: PreparedMachine) -> JavaRun<'p> {
        let mut run = JavaRun {
            program,
            prepared: Some(prepared),
            pending: Vec::new(),
            trail: Vec::new(),
            overwritten: Vec::new(),
            marks: Vec::new(),
            cut: false,
            cut_at_start: Vec::new(),
            exited: false,
            waits: 0,
            printed: Vec::new(),
            observations: Vec::new(),
            notices: Vec::new(),
            times: LocationTimes::default(),
            counted: 2,
            polls: false,
            only_rounds_left: false,
            searching: false,
            last: None,
        };
        run.register_thread(0);
        run.update_pending(0, false);
        let printed = run.prepared().machine.console.output.len();
        if printed > 0 {
            run.printed.push((0, printed));
        }
        let machine = &run.prepared().machine;
        let fails =
            run.prepared().fault.is_some() || machine.has_ended(0) || machine.exit_code().is_some();
        if fails {
            // Whatever main has done without a visible operation needs a step to be told with.
            run.pending[0] = PendingOperation { kind: PendingKind::ReportOnly, ..ABSENT };
        } else if run.prepared().machine.uncaught(0).is_some() {
            run.pending[0].failed = true;
        }
        run.trail.clear();
        run.overwritten.clear();
        run
    }

    #[inline]
    fn prepared(&self) -> &PreparedMachine {
        self.prepared.as_ref().expect("the run has its machine until it is dropped")
    }

    #[inline]
    fn prepared_mut(&mut self) -> &mut PreparedMachine {
        self.prepared.as_mut().expect("the run has its machine until it is dropped")
    }

    /// Makes room for a thread and finds out what it is called.
    fn register_thread(&mut self, thread: usize) -> Pid {
        let program = self.program;
        let prepared = self.prepared_mut();
        let pid = prepared.pid(program, thread);
        if let Some(name) = prepared.java_name(thread) {
            program.name_thread(pid, name);
        }
        if self.pending.len() <= thread {
            self.pending.resize(thread + 1, ABSENT);
        }
        pid
    }

    /// Where a thread is in the user's code.
    fn place_of(&mut self, thread: usize) -> Site {
        let program = self.program;
        self.prepared_mut().site(program, thread).0
    }

    /// What a process stands before; nothing, once the run was interrupted.
    #[inline]
    fn pending(&self, process: Pid) -> Option<(usize, &PendingOperation)> {
        let prepared = self.prepared();
        if prepared.machine.interrupted {
            return None;
        }
        let thread = prepared.thread(process)?;
        self.pending.get(thread).map(|pending| (thread, pending))
    }

    fn set_pending(&mut self, thread: usize, pending: PendingOperation) {
        self.save_pending(thread);
        self.pending[thread] = pending;
    }

    /// Notes what a thread stands before, which is about to be overwritten.
    fn save_pending(&mut self, thread: usize) {
        self.overwritten.push(thread as u32);
        // As a slice it is copied once, straight to where it stays.
        self.trail.extend_from_slice(&self.pending[thread..=thread]);
    }

    /// Whether a live thread can perform the operation that it stands before.
    #[inline]
    fn is_possible(&self, thread: usize, pending: &PendingOperation) -> bool {
        pending.is_always_possible() || self.is_possible_now(thread, pending)
    }

    /// The same for one that may have to wait.
    #[inline(never)]
    fn is_possible_now(&self, thread: usize, pending: &PendingOperation) -> bool {
        !self.spins(pending) && self.is_possible_ignoring_spin(thread, pending)
    }

    /// The same, whether or not the thread would only observe again.
    fn is_possible_ignoring_spin(&self, thread: usize, pending: &PendingOperation) -> bool {
        self.is_possible_in_time(thread, pending) && !self.waits_patiently(thread, pending)
    }

    /// The same, and time limits may expire at any time.
    fn is_possible_in_time(&self, thread: usize, pending: &PendingOperation) -> bool {
        if pending.approaches {
            return true;
        }
        let machine = &self.prepared().machine;
        match pending.op {
            Op::Acquire(_) if pending.kind != PendingKind::Initialize => {
                self.is_free(thread, pending)
            }
            // One that has failed before its first operation has ended when it has told so.
            Op::Join(_) if machine.has_ended(pending.target as usize) => {
                self.pending[pending.target as usize].kind != PendingKind::ReportOnly
            }
            Op::Join(_) | Op::Acquire(_) | Op::Resume { .. } | Op::Synchronise(_) => {
                matches!(machine.next_anyway(thread), Ok(crate::NextOperation::Ready(_)))
            }
            _ => true,
        }
    }

    /// Whether a thread can take the monitor that its operation is about.
    fn is_free(&self, thread: usize, pending: &PendingOperation) -> bool {
        let header = self.prepared().machine.heap.header(pending.object);
        header.is_some_and(|header| header.is_free_for(thread))
    }
}

impl Drop for JavaRun<'_> {
    fn drop(&mut self) {
        if let Some(mut prepared) = self.prepared.take() {
            self.program.note_asked_for(&prepared.machine);
            if !prepared.machine.interrupted {
                let start = prepared.start;
                prepared.machine.dependences = None;
                prepared.machine.undo(start);
                self.program.retire(prepared);
            }
        }
    }
}

impl Run for JavaRun<'_> {
    fn processes(&self) -> u32 {
        counterpoint_model::Program::names(self.program).len() as u32
    }

    fn next(&self, process: Pid) -> Next {
        let Some((thread, pending)) = self.pending(process) else { return Next::Done };
        if pending.kind == PendingKind::Absent {
            Next::Done
        } else if self.is_possible(thread, pending) {
            Next::Ready(pending.shown())
        } else {
            Next::Blocked(pending.shown())
        }
    }

    #[inline]
    fn is_ready(&self, process: Pid) -> bool {
        match self.pending(process) {
            Some((thread, pending)) => {
                pending.kind != PendingKind::Absent && self.is_possible(thread, pending)
            }
            None => false,
        }
    }

    fn is_finished(&self) -> bool {
        let is_absent = |process| match self.pending(process) {
            Some((_, pending)) => pending.kind == PendingKind::Absent,
            None => true,
        };
        (0..self.processes()).map(Pid).all(is_absent)
    }

    fn alternatives(&self, process: Pid) -> Alternatives {
        match self.pending(process) {
            // What programs do most.
            Some((_, pending)) if pending.is_plain() => Alternatives::ONE,
            Some((_, pending)) if pending.approaches => Alternatives::ONE,
            Some((_, pending)) if matches!(pending.op, Op::Notify { .. }) => {
                Alternatives { count: self.notifications(pending), preferred: 0 }
            }
            Some((_, pending)) if pending.kind == PendingKind::Interrupt => {
                Alternatives { count: self.interrupts(pending), preferred: 0 }
            }
            Some((thread, PendingOperation { kind: PendingKind::Jdk(call), .. })) => {
                let ways = call.operation.alternatives;
                Alternatives { count: ways(&self.prepared().machine, thread, call), preferred: 0 }
            }
            Some((thread, pending)) if pending.op == Op::Branch => {
                let side = self.prepared().machine.unknowns.concrete_side(thread);
                Alternatives { count: 2, preferred: u32::from(side) }
            }
            _ => Alternatives::ONE,
        }
    }

    fn feasible(&mut self, choice: Choice) -> Feasible {
        let Some((thread, pending)) = self.pending(choice.process) else { return Feasible::No };
        if pending.op != Op::Branch {
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
        self.take_step(choice, thread, event);
    }

    fn anticipate(&self, process: Pid) -> Footprint {
        let mut footprint = Footprint::new();
        if let Some((thread, pending)) = self.pending(process)
            && pending.kind != PendingKind::Absent
        {
            self.add_footprint(thread, None, &mut footprint);
        }
        footprint
    }

    fn guarded(&self, process: Pid) -> bool {
        match self.pending(process) {
            Some((thread, pending)) if pending.kind != PendingKind::Absent => {
                self.add_footprint(thread, None, &mut Footprint::new())
            }
            _ => false,
        }
    }

    fn touches_what_others_decide(&self, process: Pid) -> bool {
        self.pending(process).is_some_and(|(_, pending)| {
            pending.kind == PendingKind::Interrupt || matches!(pending.op, Op::Notify { .. })
        })
    }

    fn may_leave(&self, process: Pid) -> bool {
        let resumes = |pending: &PendingOperation| {
            matches!(pending.op, Op::Resume { .. }) || pending.kind == PendingKind::ResumeForWriting
        };
        let pending = self.pending(process);
        self.guarded(process)
            || self.program.queries().interrupts
                && pending.is_some_and(|(_, pending)| resumes(pending))
    }

    fn hindering(&self, process: Pid) -> Vec<Pid> {
        match self.pending(process) {
            // One whose time limit expires goes on although they still hold it.
            Some((_, pending @ PendingOperation { kind: PendingKind::Jdk(call), .. }))
                if !pending.is_patient() && call.operation.waits_for_all_holders() =>
            {
                let holders = self.holders(call.subject).into_iter();
                holders.filter(|&holder| holder != process).collect()
            }
            _ => Vec::new(),
        }
    }

    fn end(&self) -> End {
        self.ending()
    }

    fn inputs(&self) -> Vec<Input> {
        self.prepared().machine.unknowns.inputs()
    }

    fn bounds(&self) -> Vec<Bound> {
        let notes = self.prepared().machine.unknowns.notes();
        notes.iter().map(|place| Bound::Concretised(place.clone())).collect()
    }
}

impl Rewind for JavaRun<'_> {
    fn rewinds(&self) -> bool {
        true
    }

    fn marks_sparingly(&self) -> bool {
        true
    }

    fn mark(&mut self) -> Mark {
        let machine = self.prepared_mut().machine.mark();
        self.marks.push(RunMark {
            machine,
            trail: self.trail.len() as u32,
            printed: self.printed.len() as u32,
            observations: self.observations.len() as u32,
            notices: self.notices.len() as u32,
            times: self.times.mark(),
            only_rounds_left: self.only_rounds_left,
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
            let thread = self.overwritten.pop().expect("every pending operation is a thread's");
            let pending = self.trail.pop().expect("the trail is longer than the mark");
            self.pending[thread as usize] = pending;
        }
        self.printed.truncate(point.printed as usize);
        self.waits = point.waits;
        self.cut = point.cut;
        self.cut_at_start.truncate(point.cut_at_start as usize);
        self.exited = point.exited;
        self.observations.truncate(point.observations as usize);
        self.notices.truncate(point.notices as usize);
        self.times.undo(point.times);
        self.only_rounds_left = point.only_rounds_left;
        self.last = None;
    }
}

impl Narrate for JavaRun<'_> {
    fn waiting(&self, process: Pid) -> Option<Waiting> {
        self.waiting_for(process)
    }

    fn explain(&self) -> Explanation {
        self.last_step()
    }

    fn outcome(&self) -> Option<String> {
        Some(self.output())
    }

    fn inspect(&self) -> Vec<StateNode> {
        self.inspect_state()
    }

    fn value(&self, location: Location) -> Option<String> {
        self.contents(location)
    }

    fn track(&mut self) {
        self.prepared_mut().machine.dependences = Some(Box::new(Dependences::new()));
    }

    fn hurry(&mut self) {
        self.prepared_mut().machine.options.fuel /= HURRY;
    }

    fn dependences(&self) -> Option<Vec<StepDependences>> {
        self.prepared().machine.dependences.as_ref()?.written_down()
    }

    fn led_here(&self, process: Pid) -> Vec<usize> {
        let dependences = self.prepared().machine.dependences.as_ref();
        let thread = self.prepared().thread(process);
        dependences.zip(thread).map(|(known, thread)| known.standing(thread)).unwrap_or_default()
    }
}

impl Digests for JavaRun<'_> {}

impl Observe for JavaRun<'_> {
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
        let (_, pending) = self.pending(process)?;
        (pending.kind != PendingKind::Absent).then_some(pending.site)
    }
}
