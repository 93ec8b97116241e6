//! Phasers, exchangers and queues without room, in which threads meet: see `interpret/atomic_call.rs`.
//!
//! Arriving runs the JDK's own code as one step, up to where it parks. The next thread that arrives finds
//! the one that waits, and frees it. Waiting for a phase has a guard instead, so that nobody spins.
//!
//! The last arrival at a phaser is two steps, as it is two writes in the JDK's own code: after the first all
//! parties have arrived, and the second begins the next phase. In between the phaser calls `onAdvance`, its
//! own or that of a subclass, and this call is the second step. Threads that arrive in between, one too many,
//! get an exception, and those that ask find that nobody is missing.

use super::{Native, jdk};
use crate::interpret::atomic_call as calls;
use crate::interpret::{JdkOperation, WaitPolicy, throws_timeout};

const PHASER: &str = "java/util/concurrent/Phaser";
const EXCHANGER: &str = "java/util/concurrent/Exchanger";
const STACK: &str = "java/util/concurrent/SynchronousQueue$TransferStack";
const QUEUE: &str = "java/util/concurrent/SynchronousQueue$TransferQueue";
const TIMED_AWAIT: &str = "(IJLjava/util/concurrent/TimeUnit;)I";

const MEET: JdkOperation = JdkOperation::changing(&calls::RENDEZVOUS, &calls::UNOBSERVED);
const ARRIVES: JdkOperation = JdkOperation::changing(&calls::PHASER, &calls::PHASE);
const LOOKS: JdkOperation = JdkOperation::looking(&calls::PHASER, &calls::PHASE);

/// The next phase begins. What a subclass does in between is code of the program.
const ADVANCES: JdkOperation = JdkOperation {
    effect: calls::run_visibly,
    holds_for_overriding: true,
    done: "begins the next phase of {}",
    ..ARRIVES.always_visible().with_visible_body()
};

/// Waiting for the phase that is the first argument to end.
const fn awaits(policy: WaitPolicy) -> JdkOperation {
    JdkOperation { failure: throws_timeout, ..LOOKS.waiting(&calls::ADVANCED, policy) }
}

pub(super) static NATIVES: &[Native] = &[
    jdk(STACK, "transfer", "*", MEET),
    jdk(QUEUE, "transfer", "*", MEET),
    jdk(EXCHANGER, "exchange", "*", MEET),
    jdk(PHASER, "register", "*", ARRIVES),
    jdk(PHASER, "bulkRegister", "*", ARRIVES),
    jdk(PHASER, "arrive", "*", ARRIVES),
    jdk(PHASER, "arriveAndDeregister", "*", ARRIVES),
    jdk(PHASER, "arriveAndAwaitAdvance", "*", ARRIVES),
    jdk(PHASER, "onAdvance", "*", ADVANCES),
    jdk(PHASER, "forceTermination", "*", ARRIVES),
    jdk(PHASER, "internalAwaitAdvance", "*", awaits(WaitPolicy::Unlimited).always_visible()),
    jdk(PHASER, "awaitAdvance", "*", awaits(WaitPolicy::Unlimited)),
    jdk(PHASER, "awaitAdvanceInterruptibly", "(I)I", awaits(WaitPolicy::Interruptible)),
    jdk(PHASER, "awaitAdvanceInterruptibly", TIMED_AWAIT, awaits(WaitPolicy::Timed)),
    jdk(PHASER, "getPhase", "*", LOOKS),
    jdk(PHASER, "getRegisteredParties", "*", LOOKS),
    jdk(PHASER, "getArrivedParties", "*", LOOKS),
    jdk(PHASER, "getUnarrivedParties", "*", LOOKS),
    jdk(PHASER, "isTerminated", "*", LOOKS),
    jdk(PHASER, "toString", "*", LOOKS),
];
