//! Phasers, exchangers and queues without room, whose threads meet: see `interpret/whole.rs`.
//!
//! Arriving runs the JDK's own code as one step, up to where it parks; whoever comes next finds the
//! one who waits, and frees it. Waiting for a phase has a condition instead, so that nobody spins.

use super::{Native, whole_call};
use crate::interpret::{Condition, Patience, Sort, Whole};

const PHASER: &str = "java/util/concurrent/Phaser";
const EXCHANGER: &str = "java/util/concurrent/Exchanger";
const STACK: &str = "java/util/concurrent/SynchronousQueue$TransferStack";
const QUEUE: &str = "java/util/concurrent/SynchronousQueue$TransferQueue";
const TIMED_AWAIT: &str = "(IJLjava/util/concurrent/TimeUnit;)I";

const MEETS: Whole = Whole::at_once(Sort::Meeting, true);
const ARRIVES: Whole = Whole::at_once(Sort::Phaser, true);
const LOOKS: Whole = Whole::at_once(Sort::Phaser, false);

/// Waiting for the phase that is the first argument to end.
const fn awaits(patience: Patience) -> Whole {
    Whole::waiting(Sort::Phaser, false, Condition::Advanced, patience)
}

pub(super) static NATIVES: &[Native] = &[
    whole_call(STACK, "transfer", "*", MEETS),
    whole_call(QUEUE, "transfer", "*", MEETS),
    whole_call(EXCHANGER, "exchange", "*", MEETS),
    whole_call(PHASER, "register", "*", ARRIVES),
    whole_call(PHASER, "bulkRegister", "*", ARRIVES),
    whole_call(PHASER, "arrive", "*", ARRIVES),
    whole_call(PHASER, "arriveAndDeregister", "*", ARRIVES),
    whole_call(PHASER, "arriveAndAwaitAdvance", "*", ARRIVES),
    whole_call(PHASER, "forceTermination", "*", ARRIVES),
    whole_call(PHASER, "internalAwaitAdvance", "*", awaits(Patience::Endless).always()),
    whole_call(PHASER, "awaitAdvance", "*", awaits(Patience::Endless)),
    whole_call(PHASER, "awaitAdvanceInterruptibly", "(I)I", awaits(Patience::Interruptible)),
    whole_call(PHASER, "awaitAdvanceInterruptibly", TIMED_AWAIT, awaits(Patience::Timed)),
    whole_call(PHASER, "getPhase", "*", LOOKS),
    whole_call(PHASER, "getRegisteredParties", "*", LOOKS),
    whole_call(PHASER, "getArrivedParties", "*", LOOKS),
    whole_call(PHASER, "getUnarrivedParties", "*", LOOKS),
    whole_call(PHASER, "isTerminated", "*", LOOKS),
    whole_call(PHASER, "toString", "*", LOOKS),
];
