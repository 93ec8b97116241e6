//! The methods of `ForkJoinPool` and its tasks that are visible operations: see
//! `interpret/fork_join.rs`.

use super::{Native, Reason, Reply, jdk, local, operations, thread};
use crate::dynamic::Body;
use crate::error::Fault;
use crate::interpret::atomic_call as calls;
use crate::interpret::fork_join as parts;
use crate::interpret::{JdkOperation, WaitPolicy};
use crate::machine::{Machine, Trap};

const POOL: &str = "java/util/concurrent/ForkJoinPool";
const QUEUE: &str = "java/util/concurrent/ForkJoinPool$WorkQueue";
const TASK: &str = "java/util/concurrent/ForkJoinTask";
const COMPLETER: &str = "java/util/concurrent/CountedCompleter";

const TIMED: &str = "(JLjava/util/concurrent/TimeUnit;)Z";

/// Waiting for a task, whose own code then looks at its status.
const JOINS: JdkOperation = JdkOperation {
    effect: calls::run_visibly,
    failure: calls::run_visibly,
    ..awaits(WaitPolicy::Unlimited)
};

/// Waiting for a task, and answering with its status.
const fn awaits(policy: WaitPolicy) -> JdkOperation {
    JdkOperation {
        effect: calls::answers_task_status,
        failure: calls::answers_task_status,
        done: "finds {} done",
        ..JdkOperation::looking(&calls::TASK, &calls::TASK_STATE)
            .waiting(&calls::TASK_DONE, policy)
            .with_visible_body()
    }
}

/// How `awaitDone` waits: its arguments after the pool and whether the task has been run say whether it
/// can be interrupted and whether it has a time limit.
const AWAITS: JdkOperation = JdkOperation {
    variant: Some(|arguments| {
        static UNLIMITED: JdkOperation = awaits(WaitPolicy::Unlimited);
        static INTERRUPTIBLE: JdkOperation = awaits(WaitPolicy::Interruptible);
        static TIMED: JdkOperation = awaits(WaitPolicy::Timed);
        let set = |index: usize| arguments.get(index).is_some_and(|word| *word != 0);
        match (set(3), set(4)) {
            (_, true) => &TIMED,
            (true, false) => &INTERRUPTIBLE,
            (false, false) => &UNLIMITED,
        }
    }),
    ..awaits(WaitPolicy::Unlimited)
};

/// A part counts itself off, unless it finds that nobody is missing.
const COUNTS_OFF: JdkOperation = JdkOperation {
    effect: parts::count_off,
    failure: parts::find_all_done,
    done: "is done with a part of {}",
    failed: "finds all other parts of {} done",
    ..JdkOperation::changing(&parts::MISSING_PARTS, &parts::PARTS)
        .waiting(&parts::PART_MISSING, WaitPolicy::NoWait)
        .with_visible_body()
};

const SHUTS_DOWN: JdkOperation = JdkOperation {
    effect: calls::shut_workers_down,
    done: "shuts {} down",
    ..JdkOperation::changing(&calls::WORKER_POOL, &calls::WORKER_POOL_STATE).with_visible_body()
};

/// Asking whether a pool has ended, or waiting for it.
const fn ends(policy: WaitPolicy) -> JdkOperation {
    JdkOperation {
        effect: calls::answers_true,
        done: "finds {} terminated",
        failed: "finds {} not terminated",
        reads_ends: Some(|machine, pool| machine.workers_of(pool).collect()),
        ..JdkOperation::looking(&calls::WORKER_POOL, &calls::WORKER_POOL_STATE)
            .waiting(&calls::AT_REST, policy)
            .with_visible_body()
    }
}

pub(super) static NATIVES: &[Native] = &[
    thread(POOL, "externalPush", "*", &operations::HAND_IN),
    thread(QUEUE, "push", "*", &operations::FORK),
    jdk(TASK, "join", "()Ljava/lang/Object;", JOINS),
    jdk(TASK, "quietlyJoin", "()V", JOINS),
    jdk(TASK, "awaitDone", "(Ljava/util/concurrent/ForkJoinPool;ZZZJ)I", AWAITS),
    jdk(COMPLETER, "decrementPendingCountUnlessZero", "()I", COUNTS_OFF),
    local(Reason::RunsOther, COMPLETER, "tryComplete", "()V", |machine, arguments| {
        complete(machine, arguments, true)
    }),
    local(Reason::RunsOther, COMPLETER, "propagateCompletion", "()V", |machine, arguments| {
        complete(machine, arguments, false)
    }),
    jdk(POOL, "shutdown", "()V", SHUTS_DOWN),
    jdk(POOL, "awaitTermination", TIMED, ends(WaitPolicy::Timed)),
    jdk(POOL, "isTerminated", "()Z", ends(WaitPolicy::NoWait)),
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

/// A part counts itself off, and goes on with the whole if it is the last.
fn complete(machine: &mut Machine, arguments: &[u64], calls: bool) -> Result<Reply, Trap> {
    if machine.options.real_locks {
        return Ok(Reply::Decline);
    }
    machine.in_sight(Body::CompleteParts { calls }, arguments)
}

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
