//! `CompletableFuture`: what happens to a future is one visible operation.
//!
//! **Problem.** A future is a result and a stack of those that depend on it, and the JDK's code looks
//! at both several times for each stage that is added, completed or run. What a program can tell of
//! it is less: whether a stage was added before its source was completed, and who runs it.
//!
//! **Idea.** The JDK's own code runs, and the functions of the program that it calls are as visible as
//! ever, but its accesses to the fields of futures and stages are *silent*: they belong to the
//! operation before them. The operations are
//!
//! - *completing* a future: writes its result, or reads it if there is one already;
//! - *adding* a stage: reads the results of its sources, and writes the stacks of those that have
//!   none yet. Whatever comes between the JDK's looking and its pushing leads to what would have
//!   come of completing before or after both;
//! - *taking* a stage from a stack to run it, in `postComplete`: writes the stack, reads the results
//!   of the stage's sources and of its own future, and claims the stage. Finding a source without
//!   result and finding the stage claimed come to the same. A stage that only passes a result on runs as
//!   part of that, which completes its future;
//! - *running* a stage that was handed to an executor: reads the same results;
//! - *waiting* for a result (`join`, `get`), as for other futures (`atomic_call.rs`). A thread that waits
//!   for a future helps to run what depends on it, so that going on has two alternatives as long as
//!   there is anything to help with.
//!
//! In methods that look at several futures at different times, and in those that only look, the
//! fields are as visible as any: [`is_visible_in`] lists them.
//!
//! **Invariant.** Between two of these operations a thread looks at no field of a future or stage that
//! another thread may change, but for those of stages that it has claimed.
//!
//! **Not modelled.** Stages that are of no use any more are not removed from stacks early, and one that
//! is claimed is left alone even if its future has been completed by somebody else meanwhile. Whoever
//! finds a future completed while its stages are being run may help as if it had waited for it; and
//! one who adds a stage then does not help.

use smallvec::SmallVec;

use super::fork_join::TASK;
use super::frame::frames;
use super::operation::{Address, NextOperation, VisibleOperation};
use super::resolve::TAKES;
use super::threads::OperationResult;
use crate::code::Opcode;
use crate::machine::{Machine, Trap, bad_reference};
use crate::memory::{FROZEN, REACHED, Reference};
use crate::natives::NativeEffect;
use crate::world::{ClassId, MethodId};

/// The class of futures, and the start of the names of its nested classes.
pub(crate) const FUTURE: &str = "java/util/concurrent/CompletableFuture";

/// An operation on futures that is a call; the first argument is the future or stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FutureOperation {
    /// Gives a future its result if it has none.
    Complete,
    /// Adds a stage to a future.
    Add,
    /// Pushes the stage that is the argument.
    Push,
    /// Adds a stage that needs the results of two futures.
    AddToBoth,
    /// Adds a stage that needs the result of one of two futures.
    AddToEither,
    /// Adds a stage that needs the results of all futures in an array.
    AddToAll,
    /// Runs a stage.
    Run,
}

/// What an operation touches: a variable, and whether it is written.
pub(crate) type Touches = SmallVec<[(Address, bool); 6]>;

/// Adds to what an operation touches.
fn touch(touches: &mut Touches, address: Address, writes: bool) {
    match touches.iter_mut().find(|known| known.0 == address) {
        Some(known) => known.1 |= writes,
        None => touches.push((address, writes)),
    }
}

/// Whether accesses to fields of futures are visible in a method: of the classes of futures those
/// that only look, and those that look at several futures at different times.
pub(crate) fn is_visible_in(class: &str, method: &str) -> bool {
    let looks_only = matches!(
        method,
        "isDone"
            | "isCancelled"
            | "isCompletedExceptionally"
            | "getNow"
            | "getNumberOfDependents"
            | "toString"
            | "orTimeout"
            | "completeOnTimeout"
            | "cancel"
            | "resultNow"
            | "exceptionNow"
            | "state"
            | "obtrudeValue"
            | "obtrudeException"
    );
    let looks_several_times = matches!(
        method,
        "postComplete" | "postFire" | "anyOf" | "uniComposeStage" | "uniComposeExceptionallyStage"
    );
    let inner = class.strip_prefix(FUTURE).unwrap_or_default();
    match inner {
        "" => looks_only || looks_several_times,
        "$AsyncSupply" | "$AsyncRun" => method == "run",
        "$UniCompose" | "$UniComposeExceptionally" => method == "tryFire",
        _ => false,
    }
}

impl Machine {
    /// Performs an operation up to its call: says whether the thread must stop before it.
    pub(crate) fn enter_completion(
        &mut self,
        thread: usize,
        operation: FutureOperation,
        arguments: &[u64],
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        if self.options.real_locks || perform || !self.can_be_seen(thread) {
            return Ok(OperationResult::Decline);
        }
        let is_part = match operation {
            FutureOperation::Push => !self.is_in_visible_method(thread)?,
            FutureOperation::Complete => {
                self.is_relay(self.world.method(self.core(thread)?.method).class)
            }
            _ => false,
        };
        if is_part {
            return Ok(OperationResult::Decline);
        }
        let touches = self.touches_of_call(operation, arguments)?;
        let is_shared = |object: Reference| {
            self.heap.header(object).is_some_and(|header| header.has(REACHED | FROZEN))
        };
        let noticed = touches.iter().any(|(address, _)| is_shared(address.object));
        Ok(if noticed { OperationResult::Stop } else { OperationResult::Decline })
    }

    /// What a thread stands before that has stopped before such a call.
    pub(crate) fn pending_completion(&self, thread: usize) -> Result<NextOperation, Trap> {
        let touches = self.completion_touches(thread)?;
        let Some((subject, _)) = touches.first().copied() else {
            return Err(bad_reference().into());
        };
        Ok(NextOperation::Ready(VisibleOperation::Complete { subject }))
    }

    /// What the operation on futures touches that a thread stands before.
    pub(crate) fn completion_touches(&self, thread: usize) -> Result<Touches, Trap> {
        let core = self.core(thread)?;
        let code = &self.world.method(core.method).code;
        let instruction = code.instructions.get(core.pc as usize).copied();
        if instruction.is_some_and(|instruction| instruction.op == Opcode::GetField) {
            let future = Reference(self.operand(thread, 0)?);
            return self.touches_of_taking(future, Reference(self.first_local(thread)?));
        }
        let target = self.present_call(thread)?;
        let effect = target.and_then(|target| self.world.method(target).native);
        let (Some(target), Some(NativeEffect::Future(operation))) =
            (target, effect.map(|native| &native.effect))
        else {
            return Err(bad_reference().into());
        };
        let count = usize::from(self.world.method(target).arguments);
        let arguments: Result<SmallVec<[u64; 4]>, _> =
            (0..count).rev().map(|index| self.operand(thread, index)).collect();
        self.touches_of_call(*operation, &arguments?)
    }

    fn touches_of_call(
        &self,
        operation: FutureOperation,
        arguments: &[u64],
    ) -> Result<Touches, Trap> {
        let argument = |index: usize| {
            let word = arguments.get(index).copied().unwrap_or(0);
            Reference(word).non_null()
        };
        let mut touches = Touches::new();
        let Some(first) = argument(0) else { return Ok(touches) };
        match operation {
            FutureOperation::Complete => {
                let writes = !self.is_completed(first)?;
                touch(&mut touches, self.result_address(first)?, writes);
            }
            FutureOperation::Add => self.touches_of_adding(first, true, &mut touches)?,
            FutureOperation::Push => {
                self.touches_of_adding(first, true, &mut touches)?;
                if self.is_completed(first)?
                    && let Some(stage) = argument(1)
                {
                    self.touches_of_taking_up(stage, &mut touches)?;
                }
            }
            FutureOperation::AddToBoth | FutureOperation::AddToEither => {
                let second = argument(2).filter(|other| self.is_future(*other)).unwrap_or(first);
                let either = operation == FutureOperation::AddToEither;
                let adds = !either || !self.is_completed(first)? && !self.is_completed(second)?;
                self.touches_of_adding(first, adds, &mut touches)?;
                self.touches_of_adding(second, adds, &mut touches)?;
            }
            FutureOperation::AddToAll => {
                for index in 0..self.length(first)? {
                    let future = self.array_reference(first, index)?;
                    if self.is_future(future) {
                        self.touches_of_adding(future, true, &mut touches)?;
                    }
                }
            }
            FutureOperation::Run => self.touches_of_running(first, &mut touches)?,
        }
        Ok(touches)
    }

    /// Adding a stage writes the stack of a future that has no result.
    fn touches_of_adding(
        &self,
        future: Reference,
        adds: bool,
        touches: &mut Touches,
    ) -> Result<(), Trap> {
        touch(touches, self.result_address(future)?, false);
        if adds && !self.is_completed(future)? {
            touch(touches, self.stack_address(future)?, true);
        }
        Ok(())
    }

    /// Taking a stage from a future's stack; the root is the future whose stages are being run, and
    /// to which all but the last of another's stages are moved.
    fn touches_of_taking(&self, future: Reference, root: Reference) -> Result<Touches, Trap> {
        let mut touches = Touches::new();
        let stack = self.stack_address(future)?;
        let Some(stage) = self.stages(future)?.non_null() else {
            touch(&mut touches, stack, false);
            return Ok(touches);
        };
        touch(&mut touches, stack, true);
        if future != root && self.get_field(stage, "next")? != 0 {
            touch(&mut touches, self.stack_address(root)?, true);
        } else {
            self.touches_of_taking_up(stage, &mut touches)?;
        }
        Ok(touches)
    }

    /// Finding out whether a stage can run, and claiming it; one that is claimed is left alone.
    fn touches_of_taking_up(&self, stage: Reference, touches: &mut Touches) -> Result<(), Trap> {
        let stage = self.field_if_any(stage, "base")?.unwrap_or(stage);
        if self.is_relay(self.class_of(stage)?) {
            self.touches_of_running(stage, touches)?;
            if let Some(future) = self.field_if_any(stage, "dep")?
                && self.is_ready(stage)?
                && !self.is_completed(future)?
            {
                touch(touches, self.result_address(future)?, true);
            }
            return Ok(());
        }
        let status = self.field_word(self.class_of(stage)?, "status")?;
        let claimed = self.is_claimed(stage)?;
        touch(touches, Address { object: stage, offset: status * 8 }, !claimed);
        if claimed { Ok(()) } else { self.touches_of_running(stage, touches) }
    }

    /// Looking at the results that a stage needs, and at its own.
    fn touches_of_running(&self, stage: Reference, touches: &mut Touches) -> Result<(), Trap> {
        for name in ["src", "snd", "dep"] {
            if let Some(future) = self.field_if_any(stage, name)? {
                touch(touches, self.result_address(future)?, false);
            }
        }
        Ok(())
    }

    fn field_if_any(
        &self,
        object: Reference,
        name: &'static str,
    ) -> Result<Option<Reference>, Trap> {
        let class = self.class_of(object)?;
        let known = self.world.field_named(class, name).is_some();
        Ok(if known { Reference(self.get_field(object, name)?).non_null() } else { None })
    }

    /// Whether somebody has claimed a stage, to run it or to have it run.
    fn is_claimed(&self, stage: Reference) -> Result<bool, Trap> {
        Ok(self.get_field(stage, "status")? as u16 != 0)
    }

    /// Whether a thread that goes on from waiting for a future may help with what depends on it.
    pub(crate) fn may_help(&self, thread: usize, future: Reference) -> Result<bool, Trap> {
        if !self.is_completed(future)? || self.stages(future)?.is_null() {
            return Ok(false);
        }
        let Some(state) = self.threads.get(thread) else { return Ok(false) };
        let is_at_it = frames(&self.world, state).any(|frame| {
            let receiver = state.stack[frame.base as usize];
            receiver == future.0 && self.runs_stages(frame.method)
        });
        Ok(!is_at_it)
    }

    /// Whether a method is the one that runs what depends on a future.
    fn runs_stages(&self, method: MethodId) -> bool {
        let method = self.world.method(method);
        self.world.symbols.text(method.name) == "postComplete"
            && self.world.class_name(method.class) == FUTURE
    }

    /// The method that runs what depends on a future.
    pub(crate) fn helping_method(&mut self, future: Reference) -> Result<MethodId, Trap> {
        let class = self.class_of(future)?;
        let (name, descriptor) =
            (self.world.symbols.intern("postComplete"), self.world.symbols.intern("()V"));
        let found = self.world.find_method(class, name, descriptor);
        let Some(method) = found else { return Err(bad_reference().into()) };
        if self.world.method(method).entry == crate::world::MethodEntry::Undecoded {
            self.decode(method)?;
        }
        Ok(method)
    }

    /// Whether the running method moves stages from one stack to another.
    pub(crate) fn moves_stages(&self, thread: usize) -> Result<bool, Trap> {
        let method = self.world.method(self.core(thread)?.method);
        Ok(self.world.symbols.text(method.name) == "pushStack")
    }

    /// Whether the running method is one in which fields of futures are visible.
    fn is_in_visible_method(&self, thread: usize) -> Result<bool, Trap> {
        let method = self.world.method(self.core(thread)?.method);
        let class = self.world.class_name(method.class);
        Ok(is_visible_in(class, self.world.symbols.text(method.name)))
    }

    /// Whether stages of a class only pass results on, so that running one is part of taking it up.
    fn is_relay(&self, class: ClassId) -> bool {
        let inner = self.world.class_name(class).strip_prefix(FUTURE);
        matches!(inner, Some("$UniRelay" | "$BiRelay" | "$AnyOf"))
    }

    /// Whether the sources of a stage that passes results on have them.
    fn is_ready(&self, stage: Reference) -> Result<bool, Trap> {
        for name in ["src", "snd"] {
            if let Some(source) = self.field_if_any(stage, name)?
                && !self.is_completed(source)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a method forgets the futures of a stage that two threads may take up.
    pub(crate) fn keeps_futures(&self, method: MethodId) -> bool {
        let method = self.world.method(method);
        let class = self.world.class_name(method.class);
        !self.options.real_locks
            && class.strip_prefix(FUTURE) == Some("$BiRelay")
            && self.world.symbols.text(method.name) == "tryFire"
    }

    /// Whether a stage has nothing left to do: it is claimed, or its future is completed already and
    /// two threads may take it up.
    pub(crate) fn is_dealt_with(&self, stage: Reference) -> Result<bool, Trap> {
        let inner = self.world.class_name(self.class_of(stage)?).strip_prefix(FUTURE);
        match self.field_if_any(stage, "dep")?.filter(|_| inner == Some("$BiRelay")) {
            Some(future) => self.is_completed(future),
            None => self.is_claimed(stage),
        }
    }

    /// Flags of an instruction of a method that reads a field of a future, in addition to its own:
    /// none if the access is silent.
    pub(crate) fn future_access(&self, method: MethodId, field: &str) -> Option<u8> {
        let method = self.world.method(method);
        let (class, name) =
            (self.world.class_name(method.class), self.world.symbols.text(method.name));
        if class == TASK {
            return (!matches!(name, "join" | "quietlyJoin")).then_some(0);
        }
        let visible = matches!(field, "result" | "stack") && is_visible_in(class, name);
        let takes = name == "postComplete" && field == "stack";
        visible.then_some(if takes { TAKES } else { 0 })
    }

    fn is_future(&self, object: Reference) -> bool {
        let Ok(class) = self.class_of(object) else { return false };
        self.world.class(class).ancestors.iter().any(|id| self.world.class_name(*id) == FUTURE)
    }

    /// Whether a future has its result.
    pub(crate) fn is_completed(&self, future: Reference) -> Result<bool, Trap> {
        Ok(self.load(future, self.own_word(future, FUTURE, "result")?)? != 0)
    }

    /// What depends on a future.
    fn stages(&self, future: Reference) -> Result<Reference, Trap> {
        Ok(self.load_reference(future, self.own_word(future, FUTURE, "stack")?)?)
    }

    /// The variable with a future's result.
    pub(crate) fn result_address(&self, future: Reference) -> Result<Address, Trap> {
        Ok(Address { object: future, offset: self.own_word(future, FUTURE, "result")? * 8 })
    }

    /// The variable with what depends on a future.
    pub(crate) fn stack_address(&self, future: Reference) -> Result<Address, Trap> {
        Ok(Address { object: future, offset: self.own_word(future, FUTURE, "stack")? * 8 })
    }
}
