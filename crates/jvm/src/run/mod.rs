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
//! - A thread has four cells. *Life*: written by the start and by the event that ends it, awaited by
//!   its first event and by joins. *Wake-up*: written by what ends its wait. *Permit*: written by
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
//!   about. In programs that ask, every step of a thread writes how far it has come.
//! - The result of a `CompletableFuture` and what depends on it are two locations: see
//!   `interpret/completion.rs`.
//! - A branch on an unknown touches nothing; its alternatives are its sides.
//! - An exception that leaves a synchronized method frees the monitor inside the step that threw it.
//!
//! - A thread that spins, which is a loop that only looks, is blocked until something it looks at has
//!   changed, and then guarded: see `spinning.rs`.
//! - `sleep` and `join` end early if the thread is interrupted.
//!
//! **Not modelled.** Daemon threads go on after the last other thread has ended, as far as they can.
//! A thread whose next operation has to wait is never seen `RUNNABLE` before it waits. A thread that
//! was not started when its state was asked for is `NEW` for good. The order in which different
//! threads print is not explored, so outcomes group the output by thread.

mod naming;
mod prepared;
mod program;
mod reading;
mod report;
mod sources;
mod spinning;
mod standing;

pub use program::{JavaProgram, Target};

use std::rc::Rc;

use counterpoint_model::{
    Access, Alternatives, Bound, Choice, End, Event, Explanation, Fault, Feasible, FindingKind,
    Footprint, Input, Location, Mark, Mode, Next, Op, Pid, Reading, Run, Site, Waiting,
};

use counterpoint_symbolic::{Term, Terms};
use smallvec::SmallVec;

use crate::interpret::{Concern, Condition, Outlook, Sort, Synchronise, Whole};
use crate::machine::SideEffect;
use crate::memory::{SHARED, Status, Wakening};
use prepared::{Aspect, Prepared};
use spinning::{Look, NONE};
use standing::{ABSENT, Life, Standing};

/// One execution of a Java program.
#[derive(Debug)]
pub(crate) struct JavaRun<'p> {
    program: &'p JavaProgram,
    /// There until the run is dropped.
    prepared: Option<Prepared>,
    /// By the machine's number of the thread.
    standings: Vec<Standing>,
    /// Standings that were overwritten.
    trail: Vec<(u32, Standing)>,
    marks: Vec<Point>,
    /// Whether the machine cannot go on.
    halted: bool,
    /// Whether the program has asked for its end.
    exited: bool,
    /// Waits so far, to know who waits longest.
    waits: u32,
    /// Which thread printed up to which byte of the output.
    printed: Vec<(u32, usize)>,
    /// What threads have looked at.
    looks: Vec<Look>,
    last: Option<LastStep>,
}

/// A point to come back to.
#[derive(Debug, Clone, Copy)]
struct Point {
    machine: crate::trail::Mark,
    trail: usize,
    printed: usize,
    waits: u32,
    halted: bool,
    exited: bool,
    looks: usize,
}

/// What explanations need to know of the last step.
#[derive(Debug, Clone, Copy)]
struct LastStep {
    standing: Standing,
    thread: usize,
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
            marks: Vec::new(),
            halted: false,
            exited: false,
            waits: 0,
            printed: Vec::new(),
            looks: Vec::new(),
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

    fn standing(&self, process: Pid) -> Option<(usize, &Standing)> {
        let thread = self.prepared().thread(process)?;
        self.standings.get(thread).map(|standing| (thread, standing))
    }

    fn set_standing(&mut self, thread: usize, standing: Standing) {
        let old = std::mem::replace(&mut self.standings[thread], standing);
        self.trail.push((thread as u32, old));
    }

    /// Whether a live thread can perform the operation that it stands before.
    fn possible(&self, thread: usize, standing: &Standing) -> bool {
        if self.spins(standing) {
            return false;
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

    /// What the operation that a thread stands before touches, and whether it is guarded. Without an
    /// alternative, all that some alternative touches.
    fn touches(&self, thread: usize, alternative: Option<u32>) -> (Footprint, bool) {
        let (mut footprint, guarded) = self.touches_of_operation(thread, alternative);
        if self.program.asks_for_states() {
            let progress = self.prepared().cells(thread).progress;
            footprint.push(Access::synchronising(progress, Mode::Write));
        }
        (footprint, guarded)
    }

    /// What the state of a thread depends on: how far it has come, and whatever says whether it can
    /// go on.
    fn state_depends_on(&self, thread: usize) -> SmallVec<[Location; 4]> {
        let cells = self.prepared().cells(thread);
        let mut locations = SmallVec::from_slice(&[cells.life, cells.progress]);
        let standing = self.standings.get(thread).copied().unwrap_or(ABSENT);
        if !matches!(standing.life, Life::Absent | Life::AsksState) {
            for access in self.touches_of_operation(thread, None).0.iter() {
                if !locations.contains(&access.location) {
                    locations.push(access.location);
                }
            }
        }
        locations
    }

    fn touches_of_operation(&self, thread: usize, alternative: Option<u32>) -> (Footprint, bool) {
        let standing = &self.standings[thread];
        let prepared = self.prepared();
        let own = prepared.cells(thread);
        let mut footprint = Footprint::new();
        let mut guarded = false;
        let mut touch = |location: Location, mode: Mode| {
            footprint.push(Access::synchronising(location, mode));
        };
        if standing.fresh && thread != 0 {
            touch(own.life, Mode::Await);
        }
        let variable =
            |location, mode| Access { location, mode, synchronises: standing.synchronises };
        match standing.op {
            Op::Read(location) if standing.life == Life::Sleeps => {
                let writes = alternative.is_some() && self.is_interrupted(thread);
                touch(location, if writes { Mode::Write } else { Mode::Read });
            }
            Op::Read(location) => footprint.push(variable(location, Mode::Read)),
            Op::Write(location) => footprint.push(variable(location, Mode::Write)),
            Op::Update(location) => {
                let writes = alternative.is_none() || self.update_writes(thread);
                touch(location, if writes { Mode::Write } else { Mode::Read });
            }
            Op::Acquire(lock) => touch(lock, Mode::Acquire),
            Op::Release(lock) => touch(lock, Mode::Release),
            // One that finds itself interrupted frees nothing.
            Op::Wait { .. } if alternative.is_some() && self.wait_fails(thread) => {
                touch(own.interrupt, Mode::Write);
            }
            Op::Wait { condition, lock } => {
                touch(condition, Mode::Write);
                touch(lock, Mode::Release);
                touch(own.interrupt, Mode::Read);
            }
            Op::Resume { lock, .. } => {
                self.touches_of_resuming(thread, lock, Mode::Acquire, &mut touch);
                guarded = standing.timed;
            }
            Op::Notify { condition, all } => {
                touch(condition, Mode::Write);
                let chosen = if standing.in_order { Some(0) } else { alternative };
                for (index, waiter) in self.waiters(standing).into_iter().enumerate() {
                    if all || chosen.is_none_or(|chosen| chosen as usize == index) {
                        let cells = prepared.cells(waiter);
                        touch(cells.wakening, Mode::Write);
                        touch(cells.interrupt, Mode::Read);
                    }
                }
            }
            Op::Start(_) => touch(standing.touched, Mode::Write),
            // One that is interrupted could have gone on before the other thread has ended.
            Op::Join(_) if self.is_interrupted(thread) => {
                let ended = prepared.machine.has_ended(standing.target as usize);
                guarded = true;
                touch(standing.touched, Mode::Read);
                touch(own.interrupt, if ended { Mode::Read } else { Mode::Write });
            }
            Op::Join(_) => {
                touch(standing.touched, Mode::Await);
                touch(own.interrupt, Mode::Read);
            }
            Op::Synchronise(location) => match standing.life {
                Life::JoinsForSomeTime => {
                    let ended = prepared.machine.has_ended(standing.target as usize);
                    let writes = alternative.is_some() && self.is_interrupted(thread) && !ended;
                    touch(location, Mode::Read);
                    touch(own.interrupt, if writes { Mode::Write } else { Mode::Read });
                }
                Life::AsksInterrupt => {
                    let writes = alternative.is_none() || self.is_interrupted(thread);
                    touch(location, if writes { Mode::Write } else { Mode::Read });
                }
                Life::AsksState => {
                    guarded = true;
                    for location in self.state_depends_on(standing.target as usize) {
                        touch(location, Mode::Read);
                    }
                }
                Life::Parks => {
                    guarded = true;
                    touch(location, Mode::Write);
                    touch(own.interrupt, Mode::Read);
                }
                Life::TriesLock => {
                    guarded = true;
                    let taken = alternative.is_none() || self.is_free(thread, standing);
                    touch(location, if taken { Mode::Acquire } else { Mode::Read });
                }
                Life::ResumesAmongReaders => {
                    guarded = true;
                    self.touches_of_resuming(thread, location, Mode::Write, &mut touch);
                }
                Life::Synchronises(operation, _) => {
                    let machine = &prepared.machine;
                    let outlook = match alternative {
                        Some(_) => self.outlook(thread, standing),
                        None => Outlook::Possible,
                    };
                    let interrupted = outlook == Outlook::Interrupted;
                    let concern = machine.concern(operation, standing.object, outlook);
                    guarded = operation.blocks() || matches!(operation, Synchronise::Lock(_));
                    match concern {
                        Concern::Shared => touch(location, Mode::Read),
                        Concern::Exclusive => touch(location, Mode::Write),
                        Concern::Taken => touch(location, Mode::Acquire),
                    }
                    if operation.is_interruptible() {
                        touch(own.interrupt, if interrupted { Mode::Write } else { Mode::Read });
                    }
                }
                Life::CallsWhole(whole) => {
                    guarded = whole.blocks();
                    let outlook = match alternative {
                        Some(_) => self.outlook(thread, standing),
                        None => Outlook::Possible,
                    };
                    let nothing = matches!(outlook, Outlook::Interrupted | Outlook::Late);
                    let changes = whole.changes && (!nothing || whole.condition == Condition::Work);
                    touch(location, if changes { Mode::Write } else { Mode::Read });
                    if whole.sort == Sort::Completable {
                        touch(standing.touched, Mode::Read);
                    }
                    if whole.sort == Sort::Workers && !whole.changes {
                        for worker in prepared.machine.workers_of(standing.object) {
                            touch(prepared.cells(worker).life, Mode::Read);
                        }
                    }
                    if whole.is_interruptible() {
                        let clears = alternative.is_some() && self.is_interrupted(thread);
                        touch(own.interrupt, if clears { Mode::Write } else { Mode::Read });
                    }
                }
                Life::Completes => {
                    let touches = prepared.machine.completion_touches(thread);
                    for (address, writes) in touches.unwrap_or_default() {
                        let location = prepared.variable(self.program, address);
                        touch(location, if writes { Mode::Write } else { Mode::Read });
                    }
                }
                Life::Interrupts => {
                    touch(location, Mode::Write);
                    let target = standing.target as usize;
                    let other = self.standings.get(target).copied().unwrap_or(ABSENT);
                    let status = prepared.machine.core(target).map(|core| core.status);
                    if let Ok(Status::Waiting { interruptible: true, .. }) = status {
                        touch(other.touched, Mode::Write);
                        touch(prepared.cells(target).wakening, Mode::Write);
                    }
                }
                _ => touch(location, Mode::Write),
            },
            Op::Branch | Op::Choose(_) | Op::Task(_) | Op::Local => {}
        }
        for location in standing.around.into_iter().flatten() {
            footprint.retain(|access| access.location != location);
            footprint.push(Access::synchronising(location, Mode::Write));
        }
        if standing.round != NONE {
            guarded = true;
            self.touch_round(standing, &mut footprint);
        }
        (footprint, guarded)
    }

    /// What comes of the operation on a synchroniser, or of the call, that a thread stands before.
    fn outlook(&self, thread: usize, standing: &Standing) -> Outlook {
        let machine = &self.prepared().machine;
        let outlook = match standing.life {
            Life::Synchronises(operation, amount) => {
                machine.outlook(thread, operation, standing.object, amount)
            }
            Life::CallsWhole(whole) => machine.whole_outlook(thread, whole, standing.object),
            _ => return Outlook::Possible,
        };
        outlook.unwrap_or(Outlook::Blocked)
    }

    /// Whether the wait that a thread stands before ends at once, by an interrupt.
    fn wait_fails(&self, thread: usize) -> bool {
        self.is_interrupted(thread) && self.prepared().machine.wait_is_interruptible(thread)
    }

    fn is_interrupted(&self, thread: usize) -> bool {
        self.prepared().machine.core(thread).is_ok_and(|core| core.interrupted)
    }

    /// What a thread touches that goes on after a wait.
    fn touches_of_resuming(
        &self,
        thread: usize,
        lock: Location,
        taking: Mode,
        touch: &mut impl FnMut(Location, Mode),
    ) {
        let standing = &self.standings[thread];
        let prepared = self.prepared();
        let own = prepared.cells(thread);
        let status = prepared.machine.core(thread).map(|core| core.status);
        let waits = matches!(status, Ok(Status::Waiting { .. }));
        if standing.timed {
            touch(own.wakening, Mode::Read);
            if waits {
                // Nobody can wake it any more, neither by a notification nor by an interrupt.
                touch(standing.touched, Mode::Write);
                touch(own.interrupt, Mode::Read);
            }
            touch(lock, taking);
        } else {
            touch(own.wakening, Mode::Await);
            if !waits {
                touch(lock, taking);
            }
        }
        if let Ok(Status::Reacquiring { because: Wakening::Interrupted, .. }) = status {
            touch(own.interrupt, Mode::Write);
        }
    }

    fn update_writes(&self, thread: usize) -> bool {
        let next = self.prepared().machine.next_anyway(thread);
        !matches!(next, Ok(crate::Next::Ready(crate::Operation::Update { writes: false, .. })))
    }

    /// What else the step just performed has done to others.
    fn add_side_effects(&mut self, thread: usize, event: &mut Event) {
        let program = self.program;
        let prepared = self.prepared_mut();
        for index in 0..prepared.machine.effects.len() {
            let (object, aspect, mode) = match prepared.machine.effects[index] {
                SideEffect::Freed(object) => {
                    let header = prepared.machine.heap.header(object);
                    let freed =
                        header.is_some_and(|header| header.has(SHARED) && header.owner().is_none());
                    if !freed {
                        continue;
                    }
                    (object, Aspect::Monitor, Mode::Release)
                }
                SideEffect::Initialized(class) => {
                    (prepared.machine.mirror(class), Aspect::Initialisation, Mode::Release)
                }
            };
            let address = crate::interpret::Address::of_object(object);
            let location = prepared.location(program, address, aspect);
            event.footprint.push(Access::synchronising(location, mode));
        }
        if prepared.machine.has_ended(thread) {
            let life = prepared.cells(thread).life;
            event.footprint.push(Access::synchronising(life, Mode::Write));
        }
    }

    /// The step that the event begins to describe.
    fn take_step(&mut self, choice: Choice, thread: usize, event: &mut Event) {
        let standing = self.standings[thread];
        let printed = self.prepared().machine.output.len();
        let mut last = LastStep {
            standing,
            thread,
            before: None,
            printed,
            woken: None,
            outlook: Outlook::Possible,
            condition: None,
        };
        (event.footprint, event.guarded) = self.touches(thread, Some(choice.alternative));
        if standing.life == Life::Told {
            self.tell_beginning(thread, event);
            self.last = Some(last);
            return;
        }
        let mut alternative = choice.alternative;
        last.outlook = self.outlook(thread, &standing);
        match standing.op {
            Op::Write(location) | Op::Update(location) => last.before = self.word(location),
            Op::Notify { all: false, .. } => {
                if let Some(chosen) = self.waiters(&standing).get(alternative as usize) {
                    let listed = self.prepared().machine.waiting_on(standing.object);
                    let place = listed.iter().position(|waiter| waiter == chosen);
                    alternative = place.unwrap_or(0) as u32;
                    last.woken = self.prepared().known_pid(*chosen);
                }
            }
            _ => {}
        }
        let threads = self.prepared().machine.thread_count();
        let unknowns = &self.prepared().machine.unknowns;
        let condition = match standing.op {
            Op::Branch => unknowns.condition(thread, alternative == 1),
            _ => None,
        };
        last.condition = condition;
        self.last = Some(last);
        let looks = self.looks_of_step(thread, &standing);
        let effects = self.effects();
        let waits = standing.may_wait();
        let machine = &mut self.prepared_mut().machine;
        let noted = if waits { machine.note_waiting(thread) } else { Ok(()) };
        let result = noted.and_then(|()| machine.step(thread, alternative));
        event.condition = self.prepared().machine.unknowns.step_condition(condition);
        if let Err(fault) = result {
            self.halted = true;
            let site = self.place_of(thread);
            event.fault = Some(Box::new(unsupported(&fault, site)));
            return;
        }
        self.add_side_effects(thread, event);
        self.stand(thread, matches!(standing.op, Op::Wait { .. }));
        self.after_looking(thread, &standing, looks, effects);
        event.fault = self.uncaught(thread);
        if let Op::Start(child) = standing.op {
            self.begin_child(child, threads);
        }
        let now = self.prepared().machine.output.len();
        if now > printed {
            self.printed.push((thread as u32, now));
        }
        self.exit(thread, event);
    }

    /// A thread has asked for the end of the program. The others go on as far as they can, as they do
    /// until the virtual machine stops them: whatever they do could have come before that, and the
    /// explorers must see it to know what else could have happened.
    fn exit(&mut self, thread: usize, event: &mut Event) {
        let Some(code) = self.prepared_mut().machine.take_exit() else { return };
        self.exited = true;
        if code != 0 && event.fault.is_none() {
            let message = format!("System.exit({code})");
            let site = self.place_of(thread);
            event.fault = Some(Box::new(Fault { kind: FindingKind::Exit, message, site }));
        }
    }

    /// A thread was started, unless starting it failed. It has run up to its first operation. If it has
    /// failed before that, it has a step of its own to tell it with: the step that started it may
    /// have failed, too.
    fn begin_child(&mut self, child: Pid, threads: usize) {
        let program = self.program;
        let count = self.prepared().machine.thread_names.len().max(threads);
        for thread in 0..count {
            self.prepared_mut().pid(program, thread);
        }
        let Some(thread) = self.prepared().thread(child) else { return };
        if self.prepared().machine.threads.get(thread).is_none() {
            return;
        }
        self.enlist(thread);
        self.stand(thread, false);
        if self.prepared().machine.has_ended(thread)
            && let Some(fault) = self.uncaught(thread)
        {
            self.standings[thread] = Standing { life: Life::Told, site: fault.site, ..ABSENT };
        }
        self.standings[thread].fresh = true;
    }

    /// The only step of a thread that never came to a visible operation.
    fn tell_beginning(&mut self, thread: usize, event: &mut Event) {
        match self.prepared().fault.clone() {
            Some(fault) if thread == 0 => {
                let site = self.place_of(0);
                event.fault = Some(Box::new(unsupported(&fault, site)));
                self.halted = true;
            }
            _ => event.fault = self.uncaught(thread),
        }
        if thread == 0 {
            self.exit(0, event);
        } else {
            let life = self.prepared().cells(thread).life;
            event.footprint.push(Access::synchronising(life, Mode::Write));
        }
        self.set_standing(thread, ABSENT);
    }
}

fn unsupported(fault: &crate::Fault, site: Site) -> Fault {
    Fault { kind: FindingKind::Unsupported, message: fault.to_string(), site }
}

impl Drop for JavaRun<'_> {
    fn drop(&mut self) {
        if let Some(mut prepared) = self.prepared.take() {
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
        if self.halted || standing.life == Life::Absent {
            Next::Done
        } else if self.possible(thread, standing) {
            Next::Ready(standing.shown())
        } else {
            Next::Blocked(standing.shown())
        }
    }

    fn alternatives(&self, process: Pid) -> Alternatives {
        match self.standing(process) {
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
        match self.standing(process) {
            Some((thread, standing)) if standing.life != Life::Absent => {
                self.touches(thread, None).0
            }
            _ => Footprint::new(),
        }
    }

    fn guarded(&self, process: Pid) -> bool {
        match self.standing(process) {
            Some((thread, standing)) if standing.life != Life::Absent => {
                self.touches(thread, None).1
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
            trail: self.trail.len(),
            printed: self.printed.len(),
            waits: self.waits,
            halted: self.halted,
            exited: self.exited,
            looks: self.looks.len(),
        });
        Mark(self.marks.len() as u64 - 1)
    }

    fn undo(&mut self, mark: Mark) {
        let point = self.marks[mark.0 as usize];
        self.marks.truncate(mark.0 as usize + 1);
        self.prepared_mut().machine.undo(point.machine);
        while self.trail.len() > point.trail {
            let (thread, standing) = self.trail.pop().expect("the trail is longer than the mark");
            self.standings[thread as usize] = standing;
        }
        self.printed.truncate(point.printed);
        self.waits = point.waits;
        self.halted = point.halted;
        self.exited = point.exited;
        self.looks.truncate(point.looks);
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
        (!self.halted && standing.life != Life::Absent).then_some(standing.site)
    }
}
