//! The methods of `CompletableFuture` that are visible operations: see `interpret/completion.rs`.

use super::{
    Native, NativeEffect, Reason, Reply, ThreadOperation, int, local, noticed, object, truth,
};
use crate::interpret::{
    AtomicCall, CallCondition, FUTURE, FutureOperation, SubjectKind, WaitPolicy,
};
use crate::machine::{Machine, Trap};

const STAGE: &str = "java/util/concurrent/CompletableFuture$Completion";
const MINIMAL: &str = "java/util/concurrent/CompletableFuture$MinimalStage";
const TASK: &str = "java/util/concurrent/ForkJoinTask";

const TIMED: &str = "(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;";

const fn operation(class: &'static str, name: &'static str, operation: FutureOperation) -> Native {
    noticed(class, name, "*", NativeEffect::Thread(ThreadOperation::Complete(operation)))
}

const fn waits(name: &'static str, descriptor: &'static str, wait_policy: WaitPolicy) -> Native {
    let call =
        AtomicCall::waiting(SubjectKind::Completable, false, CallCondition::Completed, wait_policy);
    noticed(
        FUTURE,
        name,
        descriptor,
        NativeEffect::Thread(ThreadOperation::AtomicCall(call.with_visible_body())),
    )
}

pub(super) static NATIVES: &[Native] = {
    use FutureOperation::*;
    &[
        waits("join", "()Ljava/lang/Object;", WaitPolicy::Unlimited),
        waits("get", "()Ljava/lang/Object;", WaitPolicy::Interruptible),
        waits("get", TIMED, WaitPolicy::Timed),
        operation(FUTURE, "internalComplete", Complete),
        operation(FUTURE, "completeNull", Complete),
        operation(FUTURE, "completeValue", Complete),
        operation(FUTURE, "completeThrowable", Complete),
        operation(FUTURE, "completeRelay", Complete),
        operation(FUTURE, "unipush", Push),
        operation(FUTURE, "uniApplyStage", Add),
        operation(FUTURE, "uniAcceptStage", Add),
        operation(FUTURE, "uniRunStage", Add),
        operation(FUTURE, "uniWhenCompleteStage", Add),
        operation(FUTURE, "uniHandleStage", Add),
        operation(FUTURE, "uniExceptionallyStage", Add),
        operation(FUTURE, "uniCopyStage", Add),
        operation(FUTURE, "uniAsMinimalStage", Add),
        operation(MINIMAL, "toCompletableFuture", Add),
        operation(FUTURE, "biApplyStage", AddToBoth),
        operation(FUTURE, "biAcceptStage", AddToBoth),
        operation(FUTURE, "biRunStage", AddToBoth),
        operation(FUTURE, "orApplyStage", AddToEither),
        operation(FUTURE, "orAcceptStage", AddToEither),
        operation(FUTURE, "orRunStage", AddToEither),
        operation(FUTURE, "allOf", AddToAll),
        operation(STAGE, "run", Run),
        operation(STAGE, "exec", Run),
        local(
            Reason::PartOfOperation,
            "java/util/concurrent/CompletableFuture$UniApply",
            "tryFire",
            "*",
            fire,
        ),
        local(
            Reason::PartOfOperation,
            "java/util/concurrent/CompletableFuture$UniAccept",
            "tryFire",
            "*",
            fire,
        ),
        local(
            Reason::PartOfOperation,
            "java/util/concurrent/CompletableFuture$UniRun",
            "tryFire",
            "*",
            fire,
        ),
        local(
            Reason::PartOfOperation,
            "java/util/concurrent/CompletableFuture$UniWhenComplete",
            "tryFire",
            "*",
            fire,
        ),
        local(
            Reason::PartOfOperation,
            "java/util/concurrent/CompletableFuture$UniHandle",
            "tryFire",
            "*",
            fire,
        ),
        local(
            Reason::PartOfOperation,
            "java/util/concurrent/CompletableFuture$UniExceptionally",
            "tryFire",
            "*",
            fire,
        ),
        local(
            Reason::PartOfOperation,
            "java/util/concurrent/CompletableFuture$UniComposeExceptionally",
            "tryFire",
            "*",
            fire,
        ),
        local(
            Reason::PartOfOperation,
            "java/util/concurrent/CompletableFuture$UniCompose",
            "tryFire",
            "*",
            fire,
        ),
        local(
            Reason::PartOfOperation,
            "java/util/concurrent/CompletableFuture$BiApply",
            "tryFire",
            "*",
            fire,
        ),
        local(
            Reason::PartOfOperation,
            "java/util/concurrent/CompletableFuture$BiAccept",
            "tryFire",
            "*",
            fire,
        ),
        local(
            Reason::PartOfOperation,
            "java/util/concurrent/CompletableFuture$BiRun",
            "tryFire",
            "*",
            fire,
        ),
        local(
            Reason::PartOfOperation,
            "java/util/concurrent/CompletableFuture$OrApply",
            "tryFire",
            "*",
            fire,
        ),
        local(
            Reason::PartOfOperation,
            "java/util/concurrent/CompletableFuture$OrAccept",
            "tryFire",
            "*",
            fire,
        ),
        local(
            Reason::PartOfOperation,
            "java/util/concurrent/CompletableFuture$OrRun",
            "tryFire",
            "*",
            fire,
        ),
        local(
            Reason::PartOfOperation,
            "java/util/concurrent/CompletableFuture$BiRelay",
            "tryFire",
            "*",
            fire,
        ),
        local(Reason::PartOfOperation, FUTURE, "tryPushStack", "*", push),
        local(Reason::PartOfOperation, FUTURE, "cleanStack", "()V", clean),
        local(Reason::PartOfOperation, TASK, "compareAndSetForkJoinTaskTag", "(SS)Z", claim),
    ]
};

/// Stages that are of no use any more may stay where they are.
fn clean(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Ok(if machine.options.real_locks { Reply::Decline } else { Reply::Void })
}

/// A stage of a future with a result is run instead of pushed.
fn push(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let moves = machine.moves_stages(machine.current)?;
    let refuses = !machine.options.real_locks && !moves;
    Ok(match refuses && machine.is_completed(object(arguments, 0)?)? {
        true => Reply::Word(0),
        false => Reply::Decline,
    })
}

/// A stage that somebody has dealt with is left alone by whoever has not been told to run it.
fn fire(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let takes_up = !machine.options.real_locks && int(arguments, 1) <= 0;
    Ok(match takes_up && machine.is_dealt_with(object(arguments, 0)?)? {
        true => Reply::Word(0),
        false => Reply::Decline,
    })
}

/// Claims a stage, as part of the operation before.
fn claim(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let task = object(arguments, 0)?;
    let class = machine.class_of(task)?;
    let mut ancestors = machine.world.class(class).ancestors.iter();
    let is_stage = ancestors.any(|id| machine.world.class_name(*id) == STAGE);
    if machine.options.real_locks || !is_stage {
        return Ok(Reply::Decline);
    }
    let status = machine.get_field(task, "status")? as u32;
    let (old, new) = (int(arguments, 1) as u16, int(arguments, 2) as u16);
    if status as u16 != old {
        return truth(false);
    }
    machine.set_field(task, "status", u64::from(status & 0xFFFF_0000 | u32::from(new)))?;
    truth(true)
}
