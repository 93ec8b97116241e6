//! The methods of pools, futures and queues that are performed as one atomic call: see
//! `interpret/atomic_call.rs`.

use super::{
    Native, NativeEffect, Reason, Reply, ThreadOperation, atomic_call, local, noticed, object,
};
use crate::interpret::{AtomicCall, CallCondition, SubjectKind, WaitPolicy};
use crate::machine::{Machine, Trap};

const FUTURE: &str = "java/util/concurrent/FutureTask";
const POOL: &str = "java/util/concurrent/ThreadPoolExecutor";
const SCHEDULED: &str = "java/util/concurrent/ScheduledThreadPoolExecutor";
const DELAYED: &str = "java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue";
const HANDED: &str = "java/util/concurrent/SynchronousQueue";
const LINKED: &str = "java/util/concurrent/LinkedBlockingQueue";
const ARRAY: &str = "java/util/concurrent/ArrayBlockingQueue";
const DEQUE: &str = "java/util/concurrent/LinkedBlockingDeque";

const STAMPED: &str = "java/util/concurrent/locks/StampedLock";

const TIMED_STAMP: &str = "(JLjava/util/concurrent/TimeUnit;)J";
const TIMED: &str = "(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;";
const FILLED: &str = "([Ljava/lang/Object;)[Ljava/lang/Object;";
const TIMED_OFFER: &str = "(Ljava/lang/Object;JLjava/util/concurrent/TimeUnit;)Z";

const fn looks(sort: SubjectKind, class: &'static str, name: &'static str) -> Native {
    atomic_call(class, name, "*", AtomicCall::at_once(sort, false))
}

const fn changes(sort: SubjectKind, class: &'static str, name: &'static str) -> Native {
    atomic_call(class, name, "*", AtomicCall::at_once(sort, true))
}

/// A method of a pool that other threads keep out while they are inside such a method.
const fn alone(name: &'static str, changes: bool) -> Native {
    atomic_call(POOL, name, "*", ALONE.changing(changes))
}

/// Noticed even where quiet code calls it.
const fn always(sort: SubjectKind, class: &'static str, name: &'static str) -> Native {
    atomic_call(class, name, "*", AtomicCall::at_once(sort, true).always())
}

const fn puts(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    wait_policy: WaitPolicy,
) -> Native {
    atomic_call(
        class,
        name,
        descriptor,
        AtomicCall::waiting(SubjectKind::Queue, true, CallCondition::NotFull, wait_policy),
    )
}

const fn takes(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    wait_policy: WaitPolicy,
) -> Native {
    atomic_call(
        class,
        name,
        descriptor,
        AtomicCall::waiting(SubjectKind::Queue, true, CallCondition::NotEmpty, wait_policy),
    )
}

/// A method of a future that waits for its result.
const fn gets(descriptor: &'static str, wait_policy: WaitPolicy) -> Native {
    atomic_call(
        FUTURE,
        "get",
        descriptor,
        AtomicCall::waiting(SubjectKind::Future, false, CallCondition::Done, wait_policy),
    )
}

const SETTLES: AtomicCall = AtomicCall::waiting(
    SubjectKind::Future,
    false,
    CallCondition::Settled,
    WaitPolicy::Interruptible,
)
.always();
const ALONE: AtomicCall =
    AtomicCall::waiting(SubjectKind::Pool, true, CallCondition::Free, WaitPolicy::Unlimited);
const WORK: AtomicCall =
    AtomicCall::waiting(SubjectKind::Pool, true, CallCondition::Work, WaitPolicy::Interruptible)
        .always();
const COUNTS: AtomicCall =
    AtomicCall::waiting(SubjectKind::Pool, false, CallCondition::Unstaffed, WaitPolicy::NoWait);
const END: AtomicCall =
    AtomicCall::waiting(SubjectKind::Pool, false, CallCondition::Terminated, WaitPolicy::Timed);

/// A method that takes a stamped lock, for writing or for reading.
const fn stamps(
    name: &'static str,
    descriptor: &'static str,
    condition: CallCondition,
    wait_policy: WaitPolicy,
) -> Native {
    atomic_call(
        STAMPED,
        name,
        descriptor,
        AtomicCall::waiting(SubjectKind::Stamped, true, condition, wait_policy),
    )
}

/// Stamped locks. Views of them are made of the same methods.
pub(super) static STAMPS: &[Native] = {
    use CallCondition::{NotWriting, Unlocked};
    use SubjectKind::Stamped;
    use WaitPolicy::{Interruptible, NoWait, Timed, Unlimited};
    &[
        stamps("writeLock", "()J", Unlocked, Unlimited),
        stamps("writeLockInterruptibly", "()J", Unlocked, Interruptible),
        stamps("tryWriteLock", "()J", Unlocked, NoWait),
        stamps("tryWriteLock", TIMED_STAMP, Unlocked, Timed),
        stamps("readLock", "()J", NotWriting, Unlimited),
        stamps("readLockInterruptibly", "()J", NotWriting, Interruptible),
        stamps("tryReadLock", "()J", NotWriting, NoWait),
        stamps("tryReadLock", TIMED_STAMP, NotWriting, Timed),
        looks(Stamped, STAMPED, "tryOptimisticRead"),
        looks(Stamped, STAMPED, "validate"),
        changes(Stamped, STAMPED, "unlockWrite"),
        changes(Stamped, STAMPED, "unlockRead"),
        changes(Stamped, STAMPED, "unlock"),
        changes(Stamped, STAMPED, "tryConvertToWriteLock"),
        changes(Stamped, STAMPED, "tryConvertToReadLock"),
        changes(Stamped, STAMPED, "tryConvertToOptimisticRead"),
        changes(Stamped, STAMPED, "tryUnlockWrite"),
        changes(Stamped, STAMPED, "tryUnlockRead"),
        changes(Stamped, STAMPED, "unstampedUnlockWrite"),
        changes(Stamped, STAMPED, "unstampedUnlockRead"),
        looks(Stamped, STAMPED, "isWriteLocked"),
        looks(Stamped, STAMPED, "isReadLocked"),
        looks(Stamped, STAMPED, "getReadLockCount"),
        looks(Stamped, STAMPED, "toString"),
        changes(Stamped, STAMPED, "asReadLock"),
        changes(Stamped, STAMPED, "asWriteLock"),
        changes(Stamped, STAMPED, "asReadWriteLock"),
    ]
};

pub(super) static NATIVES: &[Native] = {
    use SubjectKind::{Count, Future, Iterator, Pool, Queue};
    use WaitPolicy::{Interruptible, NoWait, Timed};
    &[
        atomic_call(FUTURE, "run", "()V", AtomicCall::RUN),
        always(Future, FUTURE, "runAndReset"),
        always(Future, FUTURE, "set"),
        always(Future, FUTURE, "setException"),
        always(Future, FUTURE, "cancel"),
        atomic_call(FUTURE, "handlePossibleCancellationInterrupt", "(I)V", SETTLES),
        gets("()Ljava/lang/Object;", Interruptible),
        gets(TIMED, Timed),
        looks(Future, FUTURE, "isDone"),
        looks(Future, FUTURE, "isCancelled"),
        looks(Future, FUTURE, "state"),
        looks(Future, FUTURE, "resultNow"),
        looks(Future, FUTURE, "exceptionNow"),
        looks(Future, FUTURE, "toString"),
        changes(Pool, POOL, "execute"),
        alone("shutdown", true),
        alone("shutdownNow", true),
        changes(Pool, POOL, "remove"),
        changes(Pool, POOL, "purge"),
        changes(Pool, POOL, "prestartCoreThread"),
        changes(Pool, POOL, "ensurePrestart"),
        changes(Pool, POOL, "addWorker"),
        alone("allowCoreThreadTimeOut", true),
        alone("setCorePoolSize", true),
        alone("setMaximumPoolSize", true),
        alone("setKeepAliveTime", true),
        changes(Pool, POOL, "setThreadFactory"),
        changes(Pool, POOL, "setRejectedExecutionHandler"),
        looks(Pool, POOL, "isShutdown"),
        looks(Pool, POOL, "isTerminating"),
        looks(Pool, POOL, "isTerminated"),
        alone("getPoolSize", false),
        alone("getLargestPoolSize", false),
        looks(Pool, POOL, "getCorePoolSize"),
        looks(Pool, POOL, "getMaximumPoolSize"),
        looks(Pool, POOL, "getKeepAliveTime"),
        looks(Pool, POOL, "getThreadFactory"),
        looks(Pool, POOL, "getRejectedExecutionHandler"),
        looks(Pool, POOL, "allowsCoreThreadTimeOut"),
        atomic_call(POOL, "awaitTermination", "*", END),
        atomic_call(POOL, "getTask", "()Ljava/lang/Runnable;", WORK),
        atomic_call(POOL, "processWorkerExit", "*", ALONE.always()),
        noticed(POOL, "runWorker", "*", NativeEffect::Thread(ThreadOperation::Work)),
        local(
            Reason::PartOfOperation,
            POOL,
            "interruptIdleWorkers",
            "(Z)V",
            interrupt_idle_workers,
        ),
        atomic_call(POOL, "getActiveCount", "*", COUNTS),
        atomic_call(POOL, "getTaskCount", "*", COUNTS),
        atomic_call(POOL, "getCompletedTaskCount", "*", COUNTS),
        atomic_call(POOL, "toString", "*", COUNTS),
        changes(Pool, SCHEDULED, "schedule"),
        changes(Pool, SCHEDULED, "scheduleAtFixedRate"),
        changes(Pool, SCHEDULED, "scheduleWithFixedDelay"),
        always(Pool, SCHEDULED, "reExecutePeriodic"),
        always(Pool, SCHEDULED, "canRunInCurrentRunState"),
        changes(Pool, SCHEDULED, "setContinueExistingPeriodicTasksAfterShutdownPolicy"),
        changes(Pool, SCHEDULED, "setExecuteExistingDelayedTasksAfterShutdownPolicy"),
        changes(Pool, SCHEDULED, "setRemoveOnCancelPolicy"),
        looks(Pool, SCHEDULED, "getContinueExistingPeriodicTasksAfterShutdownPolicy"),
        looks(Pool, SCHEDULED, "getExecuteExistingDelayedTasksAfterShutdownPolicy"),
        looks(Pool, SCHEDULED, "getRemoveOnCancelPolicy"),
        looks(Count, DELAYED, "size"),
        looks(Count, DELAYED, "isEmpty"),
        looks(Queue, DELAYED, "peek"),
        changes(Queue, DELAYED, "contains"),
        looks(Queue, DELAYED, "toArray"),
        looks(Queue, DELAYED, "iterator"),
        changes(Queue, DELAYED, "offer"),
        changes(Queue, DELAYED, "remove"),
        changes(Queue, DELAYED, "clear"),
        changes(Queue, DELAYED, "drainTo"),
        atomic_call(
            DELAYED,
            "poll",
            "()Ljava/util/concurrent/RunnableScheduledFuture;",
            AtomicCall::at_once(Queue, true),
        ),
        noticed(
            HANDED,
            "offer",
            "(Ljava/lang/Object;)Z",
            NativeEffect::Thread(ThreadOperation::HandOver),
        ),
        noticed(HANDED, "poll", TIMED, NativeEffect::Thread(ThreadOperation::WaitForTask)),
        puts(LINKED, "put", "*", Interruptible),
        puts(LINKED, "offer", TIMED_OFFER, Timed),
        puts(LINKED, "offer", "(Ljava/lang/Object;)Z", NoWait),
        takes(LINKED, "take", "*", Interruptible),
        takes(LINKED, "poll", TIMED, Timed),
        takes(LINKED, "poll", "()Ljava/lang/Object;", NoWait),
        looks(Queue, LINKED, "peek"),
        looks(Count, LINKED, "size"),
        looks(Count, LINKED, "remainingCapacity"),
        // Elements are compared, and an array that is given is filled, under the locks of the queue.
        changes(Queue, LINKED, "contains"),
        atomic_call(LINKED, "toArray", FILLED, AtomicCall::at_once(Queue, true)),
        looks(Queue, LINKED, "toArray"),
        looks(Queue, LINKED, "toString"),
        looks(Queue, LINKED, "iterator"),
        looks(Queue, LINKED, "forEach"),
        changes(Queue, LINKED, "remove"),
        changes(Queue, LINKED, "clear"),
        changes(Queue, LINKED, "drainTo"),
        changes(Queue, LINKED, "removeIf"),
        changes(Queue, LINKED, "removeAll"),
        changes(Queue, LINKED, "retainAll"),
        looks(Iterator, "java/util/concurrent/LinkedBlockingQueue$Itr", "next"),
        changes(Iterator, "java/util/concurrent/LinkedBlockingQueue$Itr", "remove"),
        looks(Iterator, "java/util/concurrent/LinkedBlockingQueue$Itr", "forEachRemaining"),
        looks(Iterator, "java/util/concurrent/LinkedBlockingQueue$LBQSpliterator", "tryAdvance"),
        looks(
            Iterator,
            "java/util/concurrent/LinkedBlockingQueue$LBQSpliterator",
            "forEachRemaining",
        ),
        puts(ARRAY, "put", "*", Interruptible),
        puts(ARRAY, "offer", TIMED_OFFER, Timed),
        puts(ARRAY, "offer", "(Ljava/lang/Object;)Z", NoWait),
        takes(ARRAY, "take", "*", Interruptible),
        takes(ARRAY, "poll", TIMED, Timed),
        takes(ARRAY, "poll", "()Ljava/lang/Object;", NoWait),
        looks(Queue, ARRAY, "peek"),
        looks(Count, ARRAY, "size"),
        looks(Count, ARRAY, "remainingCapacity"),
        changes(Queue, ARRAY, "contains"),
        atomic_call(ARRAY, "toArray", FILLED, AtomicCall::at_once(Queue, true)),
        looks(Queue, ARRAY, "toArray"),
        looks(Queue, ARRAY, "toString"),
        // Iterators over an array are known to it.
        changes(Queue, ARRAY, "iterator"),
        changes(Queue, ARRAY, "forEach"),
        changes(Queue, ARRAY, "remove"),
        changes(Queue, ARRAY, "clear"),
        changes(Queue, ARRAY, "drainTo"),
        changes(Queue, ARRAY, "removeIf"),
        changes(Queue, ARRAY, "removeAll"),
        changes(Queue, ARRAY, "retainAll"),
        changes(Iterator, "java/util/concurrent/ArrayBlockingQueue$Itr", "hasNext"),
        changes(Iterator, "java/util/concurrent/ArrayBlockingQueue$Itr", "next"),
        changes(Iterator, "java/util/concurrent/ArrayBlockingQueue$Itr", "remove"),
        changes(Iterator, "java/util/concurrent/ArrayBlockingQueue$Itr", "forEachRemaining"),
        puts(DEQUE, "putFirst", "*", Interruptible),
        puts(DEQUE, "putLast", "*", Interruptible),
        puts(DEQUE, "offerFirst", TIMED_OFFER, Timed),
        puts(DEQUE, "offerLast", TIMED_OFFER, Timed),
        puts(DEQUE, "offerFirst", "(Ljava/lang/Object;)Z", NoWait),
        puts(DEQUE, "offerLast", "(Ljava/lang/Object;)Z", NoWait),
        takes(DEQUE, "takeFirst", "*", Interruptible),
        takes(DEQUE, "takeLast", "*", Interruptible),
        takes(DEQUE, "pollFirst", TIMED, Timed),
        takes(DEQUE, "pollLast", TIMED, Timed),
        takes(DEQUE, "pollFirst", "()Ljava/lang/Object;", NoWait),
        takes(DEQUE, "pollLast", "()Ljava/lang/Object;", NoWait),
        looks(Queue, DEQUE, "peekFirst"),
        looks(Queue, DEQUE, "peekLast"),
        looks(Count, DEQUE, "size"),
        looks(Count, DEQUE, "remainingCapacity"),
        changes(Queue, DEQUE, "contains"),
        atomic_call(DEQUE, "toArray", FILLED, AtomicCall::at_once(Queue, true)),
        looks(Queue, DEQUE, "toArray"),
        looks(Queue, DEQUE, "toString"),
        looks(Queue, DEQUE, "iterator"),
        looks(Queue, DEQUE, "descendingIterator"),
        looks(Queue, DEQUE, "forEach"),
        changes(Queue, DEQUE, "removeFirstOccurrence"),
        changes(Queue, DEQUE, "removeLastOccurrence"),
        changes(Queue, DEQUE, "clear"),
        changes(Queue, DEQUE, "drainTo"),
        changes(Queue, DEQUE, "addAll"),
        changes(Queue, DEQUE, "removeIf"),
        changes(Queue, DEQUE, "removeAll"),
        changes(Queue, DEQUE, "retainAll"),
        looks(Iterator, "java/util/concurrent/LinkedBlockingDeque$AbstractItr", "next"),
        changes(Iterator, "java/util/concurrent/LinkedBlockingDeque$AbstractItr", "remove"),
        looks(Iterator, "java/util/concurrent/LinkedBlockingDeque$AbstractItr", "forEachRemaining"),
        looks(Iterator, "java/util/concurrent/LinkedBlockingDeque$LBDSpliterator", "tryAdvance"),
        looks(
            Iterator,
            "java/util/concurrent/LinkedBlockingDeque$LBDSpliterator",
            "forEachRemaining",
        ),
    ]
};

/// Workers of such a pool wait for its end as well as for work, so that nobody has to tell them.
fn interrupt_idle_workers(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let whole = machine.has_atomic_calls(object(arguments, 0)?)?;
    Ok(if whole { Reply::Void } else { Reply::Decline })
}
