//! The methods of `CompletableFuture` that are visible operations: see `interpret/completion.rs`.

use smallvec::smallvec;

use super::{Native, NativeEffect, Reason, Reply, int, jdk, local, object, truth, visible};
use crate::interpret::atomic_call as calls;
use crate::interpret::{FUTURE, FutureOperation, JdkOperation, WaitPolicy, throws_timeout};
use crate::machine::{Machine, Trap};

const STAGE: &str = "java/util/concurrent/CompletableFuture$Completion";
const MINIMAL: &str = "java/util/concurrent/CompletableFuture$MinimalStage";
const TASK: &str = "java/util/concurrent/ForkJoinTask";

const TIMED: &str = "(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;";

const fn operation(class: &'static str, name: &'static str, operation: FutureOperation) -> Native {
    visible(class, name, "*", NativeEffect::Future(operation))
}

const fn waits(name: &'static str, descriptor: &'static str, policy: WaitPolicy) -> Native {
    let waits = JdkOperation {
        effect: calls::may_help_first,
        failure: throws_timeout,
        also_touches: Some(|machine, call, _| {
            Ok(smallvec![(machine.stack_address(call.receiver)?, false)])
        }),
        alternatives: |machine, thread, call| {
            1 + u32::from(machine.may_help(thread, call.receiver).unwrap_or(false))
        },
        ..JdkOperation::looking(&calls::COMPLETABLE, &calls::COMPLETION)
            .waiting(&calls::COMPLETED, policy)
            .with_visible_body()
    };
    jdk(FUTURE, name, descriptor, waits)
}

/// What runs a stage, as part of the operation before.
const fn fires(class: &'static str) -> Native {
    local(Reason::PartOfOperation, class, "tryFire", "*", fire)
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
        fires("java/util/concurrent/CompletableFuture$UniApply"),
        fires("java/util/concurrent/CompletableFuture$UniAccept"),
        fires("java/util/concurrent/CompletableFuture$UniRun"),
        fires("java/util/concurrent/CompletableFuture$UniWhenComplete"),
        fires("java/util/concurrent/CompletableFuture$UniHandle"),
        fires("java/util/concurrent/CompletableFuture$UniExceptionally"),
        fires("java/util/concurrent/CompletableFuture$UniComposeExceptionally"),
        fires("java/util/concurrent/CompletableFuture$UniCompose"),
        fires("java/util/concurrent/CompletableFuture$BiApply"),
        fires("java/util/concurrent/CompletableFuture$BiAccept"),
        fires("java/util/concurrent/CompletableFuture$BiRun"),
        fires("java/util/concurrent/CompletableFuture$OrApply"),
        fires("java/util/concurrent/CompletableFuture$OrAccept"),
        fires("java/util/concurrent/CompletableFuture$OrRun"),
        fires("java/util/concurrent/CompletableFuture$BiRelay"),
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
