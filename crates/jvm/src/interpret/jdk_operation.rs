//! Operations of the JDK that threads can notice: each is one row of a table and one step.
//!
//! **Problem.** The JDK builds locks, queues, pools and futures from dozens of accesses to shared
//! memory. A program cannot tell how they are made, so exploring their internals multiplies executions
//! for nothing; but what a call does to other threads, when it has to wait and what people are told
//! about it must be exact.
//!
//! **Idea.** A [`JdkOperation`] says all of it, and sits in the row of the method (`natives/lock.rs`,
//! `natives/atomic_calls.rs` and others). Its *subject* is the object that stands for everything the
//! method uses, and has one location. Its *guard* says when the method can succeed. Its *wait policy*
//! says what happens when it cannot: the thread is blocked, fails at once, or gives up after some time.
//! A time limit makes the operation possible at any time, since it can expire. Its *effect* is a function:
//! either it does the work itself (`synchroniser.rs`), or it lets the JDK's own code run from the call to
//! the return as one hidden step (`atomic_call.rs`). Its *mode* is what the footprint says about the
//! subject. Everything else, from the interpreter to the explanation on the screen, reads the row.
//!
//! An operation that an interrupt can end is two events if its subject `checks_interrupt_first`: the
//! first looks for an interrupt, and the second is performed, or finds an interrupt if it would have to
//! wait. So an interrupt in between may be too late, as in the JDK's own code.
//!
//! **Queues.** A thread that has to wait just cannot move: in most cases there is no queue. Where a thread that is
//! given what it waits for takes it from all others, nobody sees when a thread joins the JDK's queue, so every order
//! in which waiting threads go on is one that the queue, fair or not, can produce. It is otherwise where a thread
//! at the head of a queue holds up others that could go on without it: readers behind a writer, and a permit behind
//! a request for several. Such a thread joins a queue in a step of its own ([`Readiness::Queues`]), which
//! `synchroniser.rs` explains.
//!
//! **Invariant.** Whether an operation is possible depends on the state of its subject, its queue included, and, if
//! it can be interrupted, on its own thread's interrupt; nothing else.

use counterpoint_model::Mode;
use smallvec::SmallVec;

use super::operation::{Address, NextOperation, VisibleOperation};
use super::threads::OperationResult;
use crate::broken::{self, Misbehaviour};
use crate::error::Fault;
use crate::machine::{Machine, Trap, bad_reference};
use crate::memory::{FROZEN, REACHED, Reference};

/// What an operation does when its guard does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitPolicy {
    /// It waits.
    Unlimited,
    /// It waits until its thread is interrupted.
    Interruptible,
    /// It waits until its thread is interrupted or time has passed.
    Timed,
    /// It fails at once.
    NoWait,
}

/// What comes of an operation if it is performed now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    /// It succeeds.
    Succeeds,
    /// The thread learns that it was interrupted.
    Interrupted,
    /// It fails, since it does not wait or has waited long enough.
    Fails,
    /// It joins the queue of those that wait, which others may have to wait behind.
    Queues,
    /// It cannot be performed.
    Blocked,
}

impl Readiness {
    /// The readiness of an operation that waits while its guard does not hold.
    pub(crate) fn of(holds: bool) -> Readiness {
        if holds { Readiness::Succeeds } else { Readiness::Blocked }
    }
}

/// What an operation is to its subject, as far as loops that only observe are concerned
/// (`run/spinning.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationKind {
    /// It changes the subject when it succeeds.
    Change,
    /// It only observes the state.
    Query,
    /// It takes a lock.
    TakeLock,
    /// It frees a lock.
    FreeLock,
}

/// Which location stands for a subject.
#[derive(Debug, Clone, Copy)]
pub enum SubjectPlace {
    /// The lock of the object.
    Lock,
    /// The internals of the object.
    Internals,
    /// A variable of it.
    Variable(AddressFunction),
}

/// The object that stands for everything that an operation uses.
#[derive(Debug)]
pub struct Subject {
    /// The subject of a receiver; none if the JDK's own code is to run, step by step.
    pub of: fn(&Machine, Reference) -> Result<Option<Reference>, Trap>,
    /// Its location.
    pub place: SubjectPlace,
    /// Whether it is a part of the receiver, which people call by its own name.
    pub is_part: bool,
    /// Whether an operation that can be interrupted looks for an interrupt first, as a step of its own.
    pub checks_interrupt_first: bool,
}

/// When an operation can succeed.
#[derive(Debug)]
pub struct Guard {
    /// Whether it succeeds now; `Fails` from here means that it may give up whatever its wait policy.
    pub readiness: fn(&Machine, usize, &JdkCall) -> Result<Readiness, Trap>,
    /// What a thread waits for, for people: `{}` is the subject.
    pub wants: &'static str,
    /// Whether a thread that cannot go on has a place in a queue that others can notice.
    pub queues: fn(&Machine, usize, &JdkCall) -> bool,
    /// Whether an interrupt ends the waiting.
    pub ends_by_interrupt: bool,
    /// Whether a task of a `ForkJoinPool` that waits for this occupies a worker: see `fork_join.rs`.
    pub occupies_worker: bool,
}

/// A number that is the same as long as an operation that has observed it would find the same again.
#[derive(Debug)]
pub struct ObservedState {
    /// The number.
    pub value: fn(&Machine, &JdkCall) -> u64,
    /// Whether it stands for everything that the operation may find.
    pub is_complete: fn(&Machine, &JdkCall) -> bool,
    /// How often a thread holds the lock, if the state is about who holds a lock.
    pub holds: Option<fn(&Machine, usize, Reference) -> u32>,
}

/// Where a variable of an object is.
pub type AddressFunction = fn(&Machine, Reference) -> Result<Address, Trap>;

/// Which variables a call touches, given what comes of it, and whether it writes them.
pub type TouchesFunction =
    fn(&Machine, &JdkCall, Readiness) -> Result<SmallVec<[(Address, bool); 2]>, Trap>;

/// A function that performs an operation.
pub type PerformFunction = fn(&mut Machine, &JdkStep<'_>) -> Result<OperationResult, Trap>;

/// All about a method of the JDK that threads can notice.
#[derive(Debug, Clone, Copy)]
pub struct JdkOperation {
    /// What it is about.
    pub subject: &'static Subject,
    /// When it can succeed.
    pub guard: &'static Guard,
    /// What it does otherwise.
    pub wait_policy: WaitPolicy,
    /// What it is to its subject.
    pub kind: OperationKind,
    /// How its footprint names the subject.
    pub mode: fn(&Machine, &JdkCall, Readiness) -> Mode,
    /// What somebody who only observes finds.
    pub observed: &'static ObservedState,
    /// Exceptions that the state of others has nothing to do with.
    pub check: fn(&Machine, usize, &JdkCall, &[u64]) -> Result<(), Trap>,
    /// How many permits it is about.
    pub amount: fn(&[u64]) -> i32,
    /// What happens when it succeeds.
    pub effect: PerformFunction,
    /// What happens when it fails or is interrupted.
    pub failure: PerformFunction,
    /// What it has done when it has succeeded, for people: `{}` is the subject, `{permits}` the permits.
    /// Empty if it got what its guard wants.
    pub done: &'static str,
    /// The same when it has failed. Empty if it did not get what its guard wants.
    pub failed: &'static str,
    /// Whether it is a step of its own even if an atomic call contains it, which runs code of the program
    /// before.
    pub always_visible: bool,
    /// Whether what it does afterwards consists of operations of their own.
    pub visible_body: bool,
    /// Whether a method of the program that overrides it is the same operation.
    pub holds_for_overriding: bool,
    /// Whether a thread that waits here does not keep the program from being complete.
    pub is_idle: bool,
    /// The variables that it touches besides its subject, and whether it writes them.
    pub also_touches: Option<TouchesFunction>,
    /// Of which threads it reads whether they have ended, given the receiver.
    pub reads_ends: Option<fn(&Machine, Reference) -> Vec<usize>>,
    /// Whether the virtual machine itself performs it, so that no code of the JDK can run in its place.
    pub is_of_machine: bool,
    /// In how many ways it can go on.
    pub alternatives: fn(&Machine, usize, &JdkCall) -> u32,
    /// Which operation it is, where that depends on the arguments.
    pub variant: Option<fn(&[u64]) -> &'static JdkOperation>,
}

/// What most rows have in common: a query of a lock that never waits.
pub(crate) const BASE_OPERATION: JdkOperation = JdkOperation {
    subject: &super::synchroniser::INNER,
    guard: &super::synchroniser::NOTHING,
    wait_policy: WaitPolicy::NoWait,
    kind: OperationKind::Query,
    mode: modes::reads,
    observed: &super::synchroniser::NUMBER,
    check: |_, _, _, _| Ok(()),
    amount: |_| 1,
    effect: super::synchroniser::number,
    failure: answers_nothing,
    done: "",
    failed: "",
    always_visible: false,
    visible_body: false,
    holds_for_overriding: false,
    is_idle: false,
    also_touches: None,
    reads_ends: None,
    is_of_machine: false,
    alternatives: |_, _, _| 1,
    variant: None,
};

impl JdkOperation {
    /// Whether it may have to wait for others.
    pub(crate) fn blocks(&self) -> bool {
        matches!(self.wait_policy, WaitPolicy::Unlimited | WaitPolicy::Interruptible)
    }

    /// Whether an interrupt matters to it.
    pub(crate) fn is_interruptible(&self) -> bool {
        matches!(self.wait_policy, WaitPolicy::Interruptible | WaitPolicy::Timed)
    }

    /// Whether it is about the state of a lock, semaphore or latch.
    pub(crate) fn is_on_lock(&self) -> bool {
        matches!(self.subject.place, SubjectPlace::Lock)
    }

    /// Whether it is about a `StampedLock`.
    pub(crate) fn is_on_stamped_lock(&self) -> bool {
        std::ptr::eq(self.subject, &super::atomic_call::STAMPED)
    }

    /// Whether it cannot be performed as long as any other thread holds the lock, for reading or writing.
    pub(crate) fn waits_for_all_holders(&self) -> bool {
        use super::synchroniser::{LOCK_FREE, WRITE_LOCK_FREE};
        std::ptr::eq(self.guard, &LOCK_FREE) || std::ptr::eq(self.guard, &WRITE_LOCK_FREE)
    }

    fn is_ended_by_interrupt(&self) -> bool {
        self.is_interruptible() && self.guard.ends_by_interrupt
    }

    fn checks_interrupt_first(&self) -> bool {
        self.is_ended_by_interrupt() && self.subject.checks_interrupt_first
    }

    /// Whether a task of a `ForkJoinPool` that comes to it occupies a worker.
    pub(crate) fn occupies_worker(&self) -> bool {
        self.guard.occupies_worker && (self.blocks() || self.is_on_lock())
    }

    /// The value that says success, for operations that may fail.
    pub(crate) fn success(&self) -> Option<u64> {
        matches!(self.wait_policy, WaitPolicy::Timed | WaitPolicy::NoWait).then_some(1)
    }
}

/// A call of a method that is such an operation.
#[derive(Debug, Clone, Copy)]
pub struct JdkCall {
    /// What it does.
    pub operation: &'static JdkOperation,
    /// The object whose method it is.
    pub(crate) receiver: Reference,
    /// The object that stands for everything it uses.
    pub(crate) subject: Reference,
    /// How many permits it is about.
    pub(crate) amount: i32,
}

impl PartialEq for JdkCall {
    fn eq(&self, other: &JdkCall) -> bool {
        std::ptr::eq(self.operation, other.operation)
            && (self.receiver, self.subject, self.amount)
                == (other.receiver, other.subject, other.amount)
    }
}

impl Eq for JdkCall {}

impl JdkCall {
    /// A text of the row about a subject with this name.
    fn fill(&self, text: &str, name: &str) -> String {
        let permits = match self.amount {
            1 => "a permit".to_string(),
            amount => format!("{amount} permits"),
        };
        text.replace("{permits}", &permits).replace("{}", name)
    }

    /// What a thread waits for that cannot perform it.
    pub(crate) fn wanted(&self, name: &str) -> String {
        self.fill(self.operation.guard.wants, name)
    }

    /// What a thread has done that has performed it.
    pub(crate) fn done(&self, readiness: Readiness, name: &str) -> String {
        let wanted = self.wanted(name);
        match readiness {
            Readiness::Interrupted => format!("is interrupted while it waits for {wanted}"),
            Readiness::Queues => format!("begins to wait for {wanted}"),
            Readiness::Fails if !self.operation.failed.is_empty() => {
                self.fill(self.operation.failed, name)
            }
            Readiness::Fails if self.operation.wait_policy == WaitPolicy::Timed => {
                format!("gives up waiting for {wanted}")
            }
            Readiness::Fails => format!("does not get {wanted}"),
            _ if self.operation.done.is_empty() => format!("gets {wanted}"),
            _ => self.fill(self.operation.done, name),
        }
    }
}

/// The step that performs a call.
#[derive(Debug)]
pub struct JdkStep<'a> {
    pub(crate) thread: usize,
    pub(crate) call: JdkCall,
    pub(crate) arguments: &'a [u64],
    pub(crate) readiness: Readiness,
    /// Whether it is the visible operation of the present step, and not a part of it.
    pub(crate) performs: bool,
}

/// Modes: how a footprint names the subject.
pub(crate) mod modes {
    use super::{JdkCall, Machine, Mode, Readiness};

    /// It reads the subject.
    pub(crate) fn reads(_: &Machine, _: &JdkCall, _: Readiness) -> Mode {
        Mode::Read
    }

    /// It writes the subject, whatever comes of it.
    pub(crate) fn writes(_: &Machine, _: &JdkCall, _: Readiness) -> Mode {
        Mode::Write
    }

    /// It writes the subject if it succeeds or joins its queue.
    pub(crate) fn writes_if_done(_: &Machine, _: &JdkCall, readiness: Readiness) -> Mode {
        match readiness {
            Readiness::Succeeds | Readiness::Queues => Mode::Write,
            _ => Mode::Read,
        }
    }
}

/// An operation that is about as many permits as its first `int` parameter says, or one.
pub(crate) fn permits_given(arguments: &[u64]) -> i32 {
    arguments.get(1).map_or(1, |word| *word as i32)
}

impl Machine {
    /// The call of an operation with these arguments; none if the JDK's own code is to run.
    fn jdk_call(
        &self,
        operation: &'static JdkOperation,
        arguments: &[u64],
    ) -> Result<Option<JdkCall>, Trap> {
        if self.options.real_locks && !operation.is_of_machine {
            return Ok(None);
        }
        let operation = operation.variant.map_or(operation, |variant| variant(arguments));
        let receiver = arguments.first().map_or(Reference::NULL, |word| Reference(*word));
        let subject = (operation.subject.of)(self, receiver)?;
        let amount = (operation.amount)(arguments);
        Ok(subject.map(|subject| JdkCall { operation, receiver, subject, amount }))
    }

    /// Performs an operation of the JDK, or says that the thread must stop before it.
    pub(crate) fn perform_jdk_operation(
        &mut self,
        thread: usize,
        operation: &'static JdkOperation,
        arguments: &[u64],
        performs: bool,
    ) -> Result<OperationResult, Trap> {
        let Some(call) = self.jdk_call(operation, arguments)? else {
            return Ok(OperationResult::Decline);
        };
        let operation = call.operation;
        if self.core(thread)?.helped {
            self.core_mut(thread)?.helped = false;
            return Ok(OperationResult::Decline);
        }
        (operation.check)(self, thread, &call, arguments)?;
        let readiness = self.readiness(thread, &call)?;
        let visible = self.is_visible_call(thread, &call)?;
        if operation.checks_interrupt_first()
            && let Some(result) = self.check_interrupt(thread, performs)?
        {
            return Ok(result);
        }
        if readiness == Readiness::Blocked && self.nesting.machine_calls > 0 {
            let what = "waiting for another thread inside an initialiser of the JDK";
            return Err(Fault::unsupported(what).into());
        }
        if readiness == Readiness::Blocked || visible && !performs {
            return Ok(OperationResult::Stop);
        }
        if readiness == Readiness::Queues {
            self.change_place_in_queue(thread, call.subject, true)?;
            return Ok(OperationResult::Stop);
        }
        if operation.checks_interrupt_first() {
            self.core_mut(thread)?.checked = false;
        }
        if self.waits_in_queue(thread, call.subject) {
            self.change_place_in_queue(thread, call.subject, false)?;
        }
        let succeeds = readiness == Readiness::Succeeds;
        let perform = if succeeds { operation.effect } else { operation.failure };
        perform(self, &JdkStep { thread, call, arguments, readiness, performs })
    }

    /// What a thread stands before that has stopped before an operation of the JDK.
    pub(crate) fn pending_jdk_operation(
        &self,
        thread: usize,
        operation: &'static JdkOperation,
        arguments: &[u64],
    ) -> Result<NextOperation, Trap> {
        let Some(call) = self.jdk_call(operation, arguments)? else {
            return Err(Fault::internal("a thread stopped before an ordinary call").into());
        };
        if call.operation.checks_interrupt_first()
            && let Some(next) = self.pending_interrupt_check(thread)?
        {
            return Ok(next);
        }
        let readiness = self.readiness(thread, &call)?;
        let waits = call.operation.wait_policy != WaitPolicy::NoWait;
        let timeout = waits && readiness == Readiness::Fails && !call.operation.is_on_lock();
        let operation = VisibleOperation::Jdk { call, timeout };
        Ok(match readiness {
            Readiness::Blocked => NextOperation::Blocked(operation),
            _ => NextOperation::Ready(operation),
        })
    }

    /// What would come of a call now.
    pub(crate) fn readiness(&self, thread: usize, call: &JdkCall) -> Result<Readiness, Trap> {
        let operation = call.operation;
        Ok(match (operation.guard.readiness)(self, thread, call)? {
            Readiness::Blocked
                if operation.is_ended_by_interrupt() && self.core(thread)?.interrupted =>
            {
                Readiness::Interrupted
            }
            Readiness::Blocked
                if operation.wait_policy == WaitPolicy::Timed
                    && broken::behaves(Misbehaviour::NeverLate) =>
            {
                Readiness::Blocked
            }
            Readiness::Blocked
                if (operation.blocks() || self.may_hold_others_up(operation))
                    && !self.waits_in_queue(thread, call.subject)
                    && (operation.guard.queues)(self, thread, call) =>
            {
                Readiness::Queues
            }
            Readiness::Blocked if !operation.blocks() => Readiness::Fails,
            readiness => readiness,
        })
    }

    /// Whether an operation with a time limit may wait until nobody else can move.
    fn may_hold_others_up(&self, operation: &JdkOperation) -> bool {
        operation.wait_policy == WaitPolicy::Timed && self.options.patience.is_some()
    }

    /// The address of a call's subject.
    pub(crate) fn subject_address(&self, call: &JdkCall) -> Result<Address, Trap> {
        match call.operation.subject.place {
            SubjectPlace::Variable(address) => address(self, call.subject),
            _ => Ok(Address::of_object(call.subject)),
        }
    }

    /// Whether a call is a step of its own that others can notice.
    fn is_visible_call(&self, thread: usize, call: &JdkCall) -> Result<bool, Trap> {
        let header = self.heap.header(call.subject).ok_or_else(bad_reference)?;
        let is_reached = header.has(REACHED | FROZEN);
        if call.operation.is_on_lock() {
            return Ok(
                self.is_visible_access(thread, header) && !self.only_counts_holds(thread, call)
            );
        }
        if call.operation.always_visible {
            return Ok(self.threads_can_notice() && is_reached);
        }
        if self.core(thread)?.hidden.is_inside() {
            // Part of the call that goes on, unless it is about something else.
            let other = !self.enclosing_subjects(thread).contains(&call.subject);
            return Ok(other && self.threads_can_notice() && is_reached);
        }
        Ok(self.is_visible_access(thread, header))
    }

    /// Whether an operation only counts how often the thread holds the lock that it holds already.
    fn only_counts_holds(&self, thread: usize, call: &JdkCall) -> bool {
        let Some(holds) = call.operation.observed.holds else { return false };
        match call.operation.kind {
            OperationKind::TakeLock if !call.operation.is_interruptible() => {
                holds(self, thread, call.subject) > 0
            }
            OperationKind::FreeLock => holds(self, thread, call.subject) > 1,
            _ => false,
        }
    }

    /// The first half of a call that can be interrupted: it throws if the thread is interrupted already.
    /// None if that has been done, and the second half is to be performed.
    pub(crate) fn check_interrupt(
        &mut self,
        thread: usize,
        performs: bool,
    ) -> Result<Option<OperationResult>, Trap> {
        let visible = self.can_be_seen(thread);
        let core = self.core(thread)?;
        // Inside an atomic call it is too late.
        if core.checked || core.hidden.is_inside() {
            return Ok(None);
        }
        if visible && !performs {
            return Ok(Some(OperationResult::Stop));
        }
        if core.interrupted {
            return self.throw_interrupted(thread).map(Some);
        }
        if !visible {
            return Ok(None);
        }
        self.core_mut(thread)?.checked = true;
        Ok(Some(OperationResult::Stop))
    }

    /// What a thread stands before that is at the first half of a call that can be interrupted.
    fn pending_interrupt_check(&self, thread: usize) -> Result<Option<NextOperation>, Trap> {
        let checks = !self.core(thread)?.checked && self.can_be_seen(thread);
        let operation = VisibleOperation::AskInterrupted { thread, clear: true };
        Ok(checks.then_some(NextOperation::Ready(operation)))
    }

    /// The interrupt of a thread becomes an exception.
    pub(crate) fn throw_interrupted(&mut self, thread: usize) -> Result<OperationResult, Trap> {
        self.core_mut(thread)?.interrupted = false;
        Err(Trap::raise("java/lang/InterruptedException", None))
    }

    /// A wait took as long as the last two arguments of a call say.
    pub(crate) fn let_time_pass(&mut self, thread: usize, arguments: &[u64]) -> Result<(), Trap> {
        let [.., time, unit] = arguments else { return Ok(()) };
        let scale = self.get_field(Reference(*unit), "scale")?;
        let nanos = (*time as i64).max(0) as u64;
        let core = self.core_mut(thread)?;
        core.clock = core.clock.saturating_add(nanos.saturating_mul(scale));
        Ok(())
    }
}

/// A failure that the method's result tells: false, null or zero.
pub(crate) fn answers_nothing(
    machine: &mut Machine,
    step: &JdkStep<'_>,
) -> Result<OperationResult, Trap> {
    if step.readiness == Readiness::Interrupted {
        return machine.throw_interrupted(step.thread);
    }
    if step.call.operation.wait_policy == WaitPolicy::Timed {
        machine.let_time_pass(step.thread, step.arguments)?;
    }
    Ok(OperationResult::Done(Some(0)))
}

/// A failure that an exception tells.
pub(crate) fn throws_timeout(
    machine: &mut Machine,
    step: &JdkStep<'_>,
) -> Result<OperationResult, Trap> {
    answers_nothing(machine, step)?;
    Err(Trap::raise("java/util/concurrent/TimeoutException", None))
}
