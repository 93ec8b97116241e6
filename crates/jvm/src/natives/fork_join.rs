//! The methods of `ForkJoinPool` and its tasks that are visible operations: see
//! `interpret/fork_join.rs`.

use super::{Native, NativeEffect, Reason, Reply, ThreadOperation, atomic_call, local, noticed};
use crate::error::Fault;
use crate::interpret::{AtomicCall, CallCondition, SubjectKind, WaitPolicy};
use crate::machine::{Machine, Trap};

const POOL: &str = "java/util/concurrent/ForkJoinPool";
const QUEUE: &str = "java/util/concurrent/ForkJoinPool$WorkQueue";
const TASK: &str = "java/util/concurrent/ForkJoinTask";

const TIMED: &str = "(JLjava/util/concurrent/TimeUnit;)Z";

const fn row(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    call: AtomicCall,
) -> Native {
    atomic_call(class, name, descriptor, call.with_visible_body())
}

const JOINS: AtomicCall =
    AtomicCall::waiting(SubjectKind::Task, false, CallCondition::TaskDone, WaitPolicy::Unlimited);
const ENDS: AtomicCall =
    AtomicCall::waiting(SubjectKind::Workers, false, CallCondition::AtRest, WaitPolicy::Timed);
const ENDED: AtomicCall =
    AtomicCall::waiting(SubjectKind::Workers, false, CallCondition::AtRest, WaitPolicy::NoWait);

pub(super) static NATIVES: &[Native] = &[
    noticed(POOL, "externalPush", "*", NativeEffect::Thread(ThreadOperation::HandIn)),
    noticed(QUEUE, "push", "*", NativeEffect::Thread(ThreadOperation::Fork)),
    row(TASK, "join", "()Ljava/lang/Object;", JOINS),
    row(TASK, "quietlyJoin", "()V", JOINS),
    noticed(
        TASK,
        "awaitDone",
        "(Ljava/util/concurrent/ForkJoinPool;ZZZJ)I",
        NativeEffect::Thread(ThreadOperation::AwaitTask),
    ),
    row(POOL, "shutdown", "()V", AtomicCall::at_once(SubjectKind::Workers, true)),
    row(POOL, "awaitTermination", TIMED, ENDS),
    row(POOL, "isTerminated", "()Z", ENDED),
    local(Reason::Refuses, POOL, "shutdownNow", "*", stop),
    local(Reason::Refuses, POOL, "awaitQuiescence", "*", look),
    local(Reason::Refuses, POOL, "isQuiescent", "*", look),
    local(Reason::Refuses, POOL, "getActiveThreadCount", "*", look),
    local(Reason::Refuses, POOL, "getRunningThreadCount", "*", look),
    local(Reason::Refuses, POOL, "getPoolSize", "*", look),
    local(Reason::Refuses, POOL, "getQueuedTaskCount", "*", look),
    local(Reason::Refuses, POOL, "getQueuedSubmissionCount", "*", look),
    local(Reason::Refuses, POOL, "hasQueuedSubmissions", "*", look),
];

fn look(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    if machine.options.real_locks {
        return Ok(Reply::Decline);
    }
    let what = "looking at how busy the workers of a ForkJoinPool are; use --real-locks";
    Err(Fault::unsupported(what).into())
}

fn stop(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    if machine.options.real_locks {
        return Ok(Reply::Decline);
    }
    let what = "stopping a ForkJoinPool at once; use --real-locks";
    Err(Fault::unsupported(what).into())
}
