//! Phasers, exchangers and queues without room, whose threads meet: see `interpret/atomic_call.rs`.
//!
//! Arriving runs the JDK's own code as one step, up to where it parks; whoever comes next finds the
//! one who waits, and frees it. Waiting for a phase has a condition instead, so that nobody spins.

use super::{Native, atomic_call};
use crate::interpret::{AtomicCall, CallCondition, SubjectKind, WaitPolicy};

const PHASER: &str = "java/util/concurrent/Phaser";
const EXCHANGER: &str = "java/util/concurrent/Exchanger";
const STACK: &str = "java/util/concurrent/SynchronousQueue$TransferStack";
const QUEUE: &str = "java/util/concurrent/SynchronousQueue$TransferQueue";
const TIMED_AWAIT: &str = "(IJLjava/util/concurrent/TimeUnit;)I";

const MEET: AtomicCall = AtomicCall::at_once(SubjectKind::Rendezvous, true);
const ARRIVES: AtomicCall = AtomicCall::at_once(SubjectKind::Phaser, true);
const LOOKS: AtomicCall = AtomicCall::at_once(SubjectKind::Phaser, false);

/// Waiting for the phase that is the first argument to end.
const fn awaits(wait_policy: WaitPolicy) -> AtomicCall {
    AtomicCall::waiting(SubjectKind::Phaser, false, CallCondition::Advanced, wait_policy)
}

pub(super) static NATIVES: &[Native] = &[
    atomic_call(STACK, "transfer", "*", MEET),
    atomic_call(QUEUE, "transfer", "*", MEET),
    atomic_call(EXCHANGER, "exchange", "*", MEET),
    atomic_call(PHASER, "register", "*", ARRIVES),
    atomic_call(PHASER, "bulkRegister", "*", ARRIVES),
    atomic_call(PHASER, "arrive", "*", ARRIVES),
    atomic_call(PHASER, "arriveAndDeregister", "*", ARRIVES),
    atomic_call(PHASER, "arriveAndAwaitAdvance", "*", ARRIVES),
    atomic_call(PHASER, "forceTermination", "*", ARRIVES),
    atomic_call(PHASER, "internalAwaitAdvance", "*", awaits(WaitPolicy::Unlimited).always()),
    atomic_call(PHASER, "awaitAdvance", "*", awaits(WaitPolicy::Unlimited)),
    atomic_call(PHASER, "awaitAdvanceInterruptibly", "(I)I", awaits(WaitPolicy::Interruptible)),
    atomic_call(PHASER, "awaitAdvanceInterruptibly", TIMED_AWAIT, awaits(WaitPolicy::Timed)),
    atomic_call(PHASER, "getPhase", "*", LOOKS),
    atomic_call(PHASER, "getRegisteredParties", "*", LOOKS),
    atomic_call(PHASER, "getArrivedParties", "*", LOOKS),
    atomic_call(PHASER, "getUnarrivedParties", "*", LOOKS),
    atomic_call(PHASER, "isTerminated", "*", LOOKS),
    atomic_call(PHASER, "toString", "*", LOOKS),
];
