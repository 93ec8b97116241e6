//! The rows of pools, futures, blocking queues and stamped locks, whose methods are atomic calls: see
//! `interpret/atomic_call.rs`.

use super::{Native, Reason, Reply, jdk, local, object, operations, thread};
use crate::interpret::atomic_call as calls;
use crate::interpret::atomic_call::{
    COUNT, ELEMENTS, FUTURE_STATE, ITERATOR, POOL_QUEUE, POOL_STATE, QUEUE, STAMP, UNOBSERVED,
};
use crate::interpret::{
    Guard, JdkOperation, ObservedState, PerformFunction, Subject, WaitPolicy, modes, throws_timeout,
};
use crate::machine::{Machine, Trap};

const FUTURE: &str = "java/util/concurrent/FutureTask";
const POOL: &str = "java/util/concurrent/ThreadPoolExecutor";
const SCHEDULED: &str = "java/util/concurrent/ScheduledThreadPoolExecutor";
const DELAYED: &str = "java/util/concurrent/ScheduledThreadPoolExecutor$DelayedWorkQueue";
const HANDED: &str = "java/util/concurrent/SynchronousQueue";
const LINKED: &str = "java/util/concurrent/LinkedBlockingQueue";
const ARRAY: &str = "java/util/concurrent/ArrayBlockingQueue";
const DEQUE: &str = "java/util/concurrent/LinkedBlockingDeque";
const PRIORITY: &str = "java/util/concurrent/PriorityBlockingQueue";

const STAMPED: &str = "java/util/concurrent/locks/StampedLock";

const TIMED_STAMP: &str = "(JLjava/util/concurrent/TimeUnit;)J";
const TIMED: &str = "(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;";
const FILLED: &str = "([Ljava/lang/Object;)[Ljava/lang/Object;";
const TIMED_OFFER: &str = "(Ljava/lang/Object;JLjava/util/concurrent/TimeUnit;)Z";

/// An object with the methods of the rows below: what stands for it, and what its state is.
type Of = (&'static Subject, &'static ObservedState);

const FUTURES: Of = (&calls::FUTURE, &FUTURE_STATE);
const POOLS: Of = (&POOL_QUEUE, &POOL_STATE);
const QUEUES: Of = (&QUEUE, &ELEMENTS);
const COUNTS: Of = (&QUEUE, &COUNT);
const ITERATORS: Of = (&ITERATOR, &UNOBSERVED);
const STAMPS_OF: Of = (&calls::STAMPED, &STAMP);

const fn looks(of: Of, class: &'static str, name: &'static str) -> Native {
    jdk(class, name, "*", JdkOperation::looking(of.0, of.1))
}

const fn changes(of: Of, class: &'static str, name: &'static str) -> Native {
    jdk(class, name, "*", JdkOperation::changing(of.0, of.1))
}

/// A step of its own even where hidden code calls it.
const fn always(of: Of, class: &'static str, name: &'static str) -> Native {
    jdk(class, name, "*", JdkOperation::changing(of.0, of.1).always_visible())
}

/// The same for futures, with what it does.
const fn completes(name: &'static str, done: &'static str) -> Native {
    let completes = JdkOperation::changing(FUTURES.0, FUTURES.1).always_visible();
    jdk(FUTURE, name, "*", JdkOperation { done, ..completes })
}

/// A method of a pool that keeps other threads out of such methods.
const fn alone(name: &'static str, done: &'static str) -> Native {
    jdk(POOL, name, "*", JdkOperation { done, ..ALONE })
}

/// The same, which changes nothing.
const fn looks_alone(name: &'static str) -> Native {
    let looks = JdkOperation::looking(POOLS.0, POOLS.1);
    let waits = looks.waiting(&calls::POOL_FREE, WaitPolicy::Unlimited);
    jdk(POOL, name, "*", JdkOperation { done: "looks at {}", ..waits })
}

const fn puts(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    policy: WaitPolicy,
) -> Native {
    let puts = JdkOperation {
        check: calls::no_null_element,
        done: "puts an element into {}",
        failed: "finds no room in {}",
        ..JdkOperation::changing(QUEUES.0, QUEUES.1).waiting(&calls::NOT_FULL, policy)
    };
    jdk(class, name, descriptor, puts)
}

const fn takes(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    policy: WaitPolicy,
) -> Native {
    let takes = JdkOperation {
        done: "takes an element of {}",
        failed: "finds {} empty",
        ..JdkOperation::changing(QUEUES.0, QUEUES.1).waiting(&calls::NOT_EMPTY, policy)
    };
    jdk(class, name, descriptor, takes)
}

/// A method of a future that waits for its result.
const fn gets(descriptor: &'static str, policy: WaitPolicy) -> Native {
    let gets = JdkOperation::looking(FUTURES.0, FUTURES.1).waiting(&calls::FUTURE_DONE, policy);
    jdk(FUTURE, "get", descriptor, JdkOperation { failure: throws_timeout, ..gets })
}

const EXECUTES: JdkOperation =
    JdkOperation { done: "hands a task to {}", ..JdkOperation::changing(POOLS.0, POOLS.1) };
const RUN: JdkOperation = JdkOperation {
    done: "runs {}",
    ..JdkOperation::changing(FUTURES.0, FUTURES.1).always_visible().with_visible_body()
};
const SETTLES: JdkOperation = JdkOperation::looking(FUTURES.0, FUTURES.1)
    .waiting(&calls::NOT_INTERRUPTING, WaitPolicy::Interruptible)
    .always_visible();
const ALONE: JdkOperation = JdkOperation {
    done: "uses {}",
    ..JdkOperation::changing(POOLS.0, POOLS.1).waiting(&calls::POOL_FREE, WaitPolicy::Unlimited)
};
const WORK: JdkOperation = JdkOperation {
    mode: modes::writes,
    effect: calls::get_task,
    failure: calls::get_task,
    done: "asks {} for a task",
    is_idle: true,
    ..JdkOperation::changing(POOLS.0, POOLS.1)
        .waiting(&calls::WORK, WaitPolicy::Interruptible)
        .always_visible()
};
const COUNTS_WORKERS: JdkOperation = JdkOperation {
    failure: calls::refuse_counting_workers,
    ..JdkOperation::looking(POOLS.0, POOLS.1).waiting(&calls::NO_WORKERS, WaitPolicy::NoWait)
};
const END: JdkOperation = JdkOperation {
    done: "finds {} terminated",
    ..JdkOperation::looking(POOLS.0, POOLS.1).waiting(&calls::POOL_TERMINATED, WaitPolicy::Timed)
};

/// A method that takes a stamped lock.
const fn stamps(
    name: &'static str,
    descriptor: &'static str,
    (guard, effect): (&'static Guard, PerformFunction),
    policy: WaitPolicy,
) -> Native {
    let takes = JdkOperation::changing(STAMPS_OF.0, STAMPS_OF.1).waiting(guard, policy);
    jdk(STAMPED, name, descriptor, JdkOperation { effect, ..takes })
}

/// Stamped locks. Views of them are made of the same methods.
pub(super) static STAMPS: &[Native] = {
    use WaitPolicy::{Interruptible, NoWait, Timed, Unlimited};
    const WRITING: (&Guard, PerformFunction) = (&calls::STAMP_FREE, calls::take_stamp_for_writing);
    const READING: (&Guard, PerformFunction) =
        (&calls::STAMP_READ_IN_TURN, calls::take_stamp_for_reading);
    const TRYING: (&Guard, PerformFunction) =
        (&calls::STAMP_NOT_WRITING, calls::take_stamp_for_reading);
    &[
        stamps("writeLock", "()J", WRITING, Unlimited),
        stamps("writeLockInterruptibly", "()J", WRITING, Interruptible),
        stamps("tryWriteLock", "()J", WRITING, NoWait),
        stamps("tryWriteLock", TIMED_STAMP, WRITING, Timed),
        stamps("readLock", "()J", READING, Unlimited),
        stamps("readLockInterruptibly", "()J", READING, Interruptible),
        stamps("tryReadLock", "()J", TRYING, NoWait),
        stamps("tryReadLock", TIMED_STAMP, READING, Timed),
        looks(STAMPS_OF, STAMPED, "tryOptimisticRead"),
        looks(STAMPS_OF, STAMPED, "validate"),
        changes(STAMPS_OF, STAMPED, "unlockWrite"),
        changes(STAMPS_OF, STAMPED, "unlockRead"),
        changes(STAMPS_OF, STAMPED, "unlock"),
        changes(STAMPS_OF, STAMPED, "tryConvertToWriteLock"),
        changes(STAMPS_OF, STAMPED, "tryConvertToReadLock"),
        changes(STAMPS_OF, STAMPED, "tryConvertToOptimisticRead"),
        changes(STAMPS_OF, STAMPED, "tryUnlockWrite"),
        changes(STAMPS_OF, STAMPED, "tryUnlockRead"),
        changes(STAMPS_OF, STAMPED, "unstampedUnlockWrite"),
        changes(STAMPS_OF, STAMPED, "unstampedUnlockRead"),
        looks(STAMPS_OF, STAMPED, "isWriteLocked"),
        looks(STAMPS_OF, STAMPED, "isReadLocked"),
        looks(STAMPS_OF, STAMPED, "getReadLockCount"),
        looks(STAMPS_OF, STAMPED, "toString"),
        changes(STAMPS_OF, STAMPED, "asReadLock"),
        changes(STAMPS_OF, STAMPED, "asWriteLock"),
        changes(STAMPS_OF, STAMPED, "asReadWriteLock"),
    ]
};

pub(super) static NATIVES: &[Native] = {
    use WaitPolicy::{Interruptible, NoWait, Timed};
    &[
        jdk(FUTURE, "run", "()V", RUN),
        completes("runAndReset", "runs {}"),
        completes("set", "completes {}"),
        completes("setException", "completes {} with an exception"),
        completes("cancel", "cancels {}"),
        jdk(FUTURE, "handlePossibleCancellationInterrupt", "(I)V", SETTLES),
        gets("()Ljava/lang/Object;", Interruptible),
        gets(TIMED, Timed),
        looks(FUTURES, FUTURE, "isDone"),
        looks(FUTURES, FUTURE, "isCancelled"),
        looks(FUTURES, FUTURE, "state"),
        looks(FUTURES, FUTURE, "resultNow"),
        looks(FUTURES, FUTURE, "exceptionNow"),
        looks(FUTURES, FUTURE, "toString"),
        jdk(POOL, "execute", "*", EXECUTES),
        alone("shutdown", "shuts {} down"),
        alone("shutdownNow", "stops {}"),
        changes(POOLS, POOL, "remove"),
        changes(POOLS, POOL, "purge"),
        changes(POOLS, POOL, "prestartCoreThread"),
        changes(POOLS, POOL, "ensurePrestart"),
        changes(POOLS, POOL, "addWorker"),
        alone("allowCoreThreadTimeOut", "configures {}"),
        alone("setCorePoolSize", "configures {}"),
        alone("setMaximumPoolSize", "configures {}"),
        alone("setKeepAliveTime", "configures {}"),
        changes(POOLS, POOL, "setThreadFactory"),
        changes(POOLS, POOL, "setRejectedExecutionHandler"),
        looks(POOLS, POOL, "isShutdown"),
        looks(POOLS, POOL, "isTerminating"),
        looks(POOLS, POOL, "isTerminated"),
        looks_alone("getPoolSize"),
        looks_alone("getLargestPoolSize"),
        looks(POOLS, POOL, "getCorePoolSize"),
        looks(POOLS, POOL, "getMaximumPoolSize"),
        looks(POOLS, POOL, "getKeepAliveTime"),
        looks(POOLS, POOL, "getThreadFactory"),
        looks(POOLS, POOL, "getRejectedExecutionHandler"),
        looks(POOLS, POOL, "allowsCoreThreadTimeOut"),
        jdk(POOL, "awaitTermination", "*", END),
        jdk(POOL, "getTask", "()Ljava/lang/Runnable;", WORK),
        jdk(POOL, "processWorkerExit", "*", ALONE.always_visible()),
        thread(POOL, "runWorker", "*", &operations::WORK),
        local(
            Reason::PartOfOperation,
            POOL,
            "interruptIdleWorkers",
            "(Z)V",
            interrupt_idle_workers,
        ),
        jdk(POOL, "getActiveCount", "*", COUNTS_WORKERS),
        jdk(POOL, "getTaskCount", "*", COUNTS_WORKERS),
        jdk(POOL, "getCompletedTaskCount", "*", COUNTS_WORKERS),
        jdk(POOL, "toString", "*", COUNTS_WORKERS),
        changes(POOLS, SCHEDULED, "schedule"),
        changes(POOLS, SCHEDULED, "scheduleAtFixedRate"),
        changes(POOLS, SCHEDULED, "scheduleWithFixedDelay"),
        always(POOLS, SCHEDULED, "reExecutePeriodic"),
        always(POOLS, SCHEDULED, "canRunInCurrentRunState"),
        changes(POOLS, SCHEDULED, "setContinueExistingPeriodicTasksAfterShutdownPolicy"),
        changes(POOLS, SCHEDULED, "setExecuteExistingDelayedTasksAfterShutdownPolicy"),
        looks(POOLS, SCHEDULED, "getContinueExistingPeriodicTasksAfterShutdownPolicy"),
        looks(POOLS, SCHEDULED, "getExecuteExistingDelayedTasksAfterShutdownPolicy"),
        looks(COUNTS, DELAYED, "size"),
        looks(COUNTS, DELAYED, "isEmpty"),
        looks(QUEUES, DELAYED, "peek"),
        changes(QUEUES, DELAYED, "contains"),
        looks(QUEUES, DELAYED, "toArray"),
        looks(QUEUES, DELAYED, "iterator"),
        changes(QUEUES, DELAYED, "offer"),
        changes(QUEUES, DELAYED, "remove"),
        changes(QUEUES, DELAYED, "clear"),
        changes(QUEUES, DELAYED, "drainTo"),
        jdk(
            DELAYED,
            "poll",
            "()Ljava/util/concurrent/RunnableScheduledFuture;",
            JdkOperation::changing(QUEUES.0, QUEUES.1),
        ),
        thread(HANDED, "offer", "(Ljava/lang/Object;)Z", &operations::HAND_OVER),
        thread(HANDED, "poll", TIMED, &operations::WAIT_FOR_TASK),
        looks(QUEUES, LINKED, "iterator"),
        looks(QUEUES, LINKED, "forEach"),
        looks(ITERATORS, "java/util/concurrent/LinkedBlockingQueue$Itr", "next"),
        changes(ITERATORS, "java/util/concurrent/LinkedBlockingQueue$Itr", "remove"),
        looks(ITERATORS, "java/util/concurrent/LinkedBlockingQueue$Itr", "forEachRemaining"),
        looks(ITERATORS, "java/util/concurrent/LinkedBlockingQueue$LBQSpliterator", "tryAdvance"),
        looks(
            ITERATORS,
            "java/util/concurrent/LinkedBlockingQueue$LBQSpliterator",
            "forEachRemaining",
        ),
        // Iterators over an array are known to it.
        changes(QUEUES, ARRAY, "iterator"),
        changes(QUEUES, ARRAY, "forEach"),
        changes(ITERATORS, "java/util/concurrent/ArrayBlockingQueue$Itr", "hasNext"),
        changes(ITERATORS, "java/util/concurrent/ArrayBlockingQueue$Itr", "next"),
        changes(ITERATORS, "java/util/concurrent/ArrayBlockingQueue$Itr", "remove"),
        changes(ITERATORS, "java/util/concurrent/ArrayBlockingQueue$Itr", "forEachRemaining"),
        // There is always room. Elements are compared by code of the program.
        changes(QUEUES, PRIORITY, "offer"),
        takes(PRIORITY, "take", "*", Interruptible),
        takes(PRIORITY, "poll", TIMED, Timed),
        takes(PRIORITY, "poll", "()Ljava/lang/Object;", NoWait),
        looks(QUEUES, PRIORITY, "peek"),
        looks(COUNTS, PRIORITY, "size"),
        changes(QUEUES, PRIORITY, "contains"),
        jdk(PRIORITY, "toArray", FILLED, JdkOperation::changing(QUEUES.0, QUEUES.1)),
        looks(QUEUES, PRIORITY, "toArray"),
        looks(QUEUES, PRIORITY, "toString"),
        changes(QUEUES, PRIORITY, "forEach"),
        changes(QUEUES, PRIORITY, "remove"),
        changes(QUEUES, PRIORITY, "removeEq"),
        changes(QUEUES, PRIORITY, "clear"),
        changes(QUEUES, PRIORITY, "drainTo"),
        changes(QUEUES, PRIORITY, "removeIf"),
        changes(QUEUES, PRIORITY, "removeAll"),
        changes(QUEUES, PRIORITY, "retainAll"),
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
        looks(QUEUES, DEQUE, "peekFirst"),
        looks(QUEUES, DEQUE, "peekLast"),
        looks(COUNTS, DEQUE, "size"),
        looks(COUNTS, DEQUE, "remainingCapacity"),
        changes(QUEUES, DEQUE, "contains"),
        jdk(DEQUE, "toArray", FILLED, JdkOperation::changing(QUEUES.0, QUEUES.1)),
        looks(QUEUES, DEQUE, "toArray"),
        looks(QUEUES, DEQUE, "toString"),
        looks(QUEUES, DEQUE, "iterator"),
        looks(QUEUES, DEQUE, "descendingIterator"),
        looks(QUEUES, DEQUE, "forEach"),
        changes(QUEUES, DEQUE, "removeFirstOccurrence"),
        changes(QUEUES, DEQUE, "removeLastOccurrence"),
        changes(QUEUES, DEQUE, "clear"),
        changes(QUEUES, DEQUE, "drainTo"),
        changes(QUEUES, DEQUE, "addAll"),
        changes(QUEUES, DEQUE, "removeIf"),
        changes(QUEUES, DEQUE, "removeAll"),
        changes(QUEUES, DEQUE, "retainAll"),
        looks(ITERATORS, "java/util/concurrent/LinkedBlockingDeque$AbstractItr", "next"),
        changes(ITERATORS, "java/util/concurrent/LinkedBlockingDeque$AbstractItr", "remove"),
        looks(
            ITERATORS,
            "java/util/concurrent/LinkedBlockingDeque$AbstractItr",
            "forEachRemaining",
        ),
        looks(ITERATORS, "java/util/concurrent/LinkedBlockingDeque$LBDSpliterator", "tryAdvance"),
        looks(
            ITERATORS,
            "java/util/concurrent/LinkedBlockingDeque$LBDSpliterator",
            "forEachRemaining",
        ),
    ]
};

/// What `LinkedBlockingQueue` and `ArrayBlockingQueue` have in common.
const fn bounded(class: &'static str) -> [Native; 19] {
    use WaitPolicy::{Interruptible, NoWait, Timed};
    [
        puts(class, "put", "*", Interruptible),
        puts(class, "offer", TIMED_OFFER, Timed),
        puts(class, "offer", "(Ljava/lang/Object;)Z", NoWait),
        takes(class, "take", "*", Interruptible),
        takes(class, "poll", TIMED, Timed),
        takes(class, "poll", "()Ljava/lang/Object;", NoWait),
        looks(QUEUES, class, "peek"),
        looks(COUNTS, class, "size"),
        looks(COUNTS, class, "remainingCapacity"),
        // Elements are compared, and an array that is given is filled, under the locks of the queue.
        changes(QUEUES, class, "contains"),
        jdk(class, "toArray", FILLED, JdkOperation::changing(QUEUES.0, QUEUES.1)),
        looks(QUEUES, class, "toArray"),
        looks(QUEUES, class, "toString"),
        changes(QUEUES, class, "remove"),
        changes(QUEUES, class, "clear"),
        changes(QUEUES, class, "drainTo"),
        changes(QUEUES, class, "removeIf"),
        changes(QUEUES, class, "removeAll"),
        changes(QUEUES, class, "retainAll"),
    ]
}

pub(super) static LINKED_QUEUE: &[Native] = &bounded(LINKED);
pub(super) static ARRAY_QUEUE: &[Native] = &bounded(ARRAY);

/// Workers of such a pool wait for its end as well as for work, so that nobody has to tell them.
fn interrupt_idle_workers(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let whole = machine.has_atomic_calls(object(arguments, 0)?)?;
    Ok(if whole { Reply::Void } else { Reply::Decline })
}
