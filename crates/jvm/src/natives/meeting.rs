//! Phasers, exchangers and queues without room, whose threads meet: see `interpret/whole.rs`.
//!
//! Arriving runs the JDK's own code as one step, up to where it parks; whoever comes next finds the
//! one who waits, and frees it. Waiting for a phase has a condition instead, so that nobody spins.

use super::{Effect, Native, ThreadOperation, noticed};
use crate::interpret::{Condition, Patience, Sort, Whole};

const PHASER: &str = "java/util/concurrent/Phaser";
const EXCHANGER: &str = "java/util/concurrent/Exchanger";
const STACK: &str = "java/util/concurrent/SynchronousQueue$TransferStack";
const QUEUE: &str = "java/util/concurrent/SynchronousQueue$TransferQueue";
const TIMED_AWAIT: &str = "(IJLjava/util/concurrent/TimeUnit;)I";

const fn row(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    whole: Whole,
) -> Native {
    noticed(class, name, descriptor, Effect::Thread(ThreadOperation::Whole(whole)))
}

const MEETS: Whole = Whole::at_once(Sort::Meeting, true);
const ARRIVES: Whole = Whole::at_once(Sort::Phaser, true);
const LOOKS: Whole = Whole::at_once(Sort::Phaser, false);

/// Waiting for the phase that is the first argument to end.
const fn awaits(patience: Patience) -> Whole {
    Whole::waiting(Sort::Phaser, false, Condition::Advanced, patience)
}

pub(super) static NATIVES: &[Native] = &[
    row(STACK, "transfer", "*", MEETS),
    row(QUEUE, "transfer", "*", MEETS),
    row(EXCHANGER, "exchange", "*", MEETS),
    row(PHASER, "register", "*", ARRIVES),
    row(PHASER, "bulkRegister", "*", ARRIVES),
    row(PHASER, "arrive", "*", ARRIVES),
    row(PHASER, "arriveAndDeregister", "*", ARRIVES),
    row(PHASER, "arriveAndAwaitAdvance", "*", ARRIVES),
    row(PHASER, "forceTermination", "*", ARRIVES),
    row(PHASER, "internalAwaitAdvance", "*", awaits(Patience::Endless).always()),
    row(PHASER, "awaitAdvance", "*", awaits(Patience::Endless)),
    row(PHASER, "awaitAdvanceInterruptibly", "(I)I", awaits(Patience::Interruptible)),
    row(PHASER, "awaitAdvanceInterruptibly", TIMED_AWAIT, awaits(Patience::Timed)),
    row(PHASER, "getPhase", "*", LOOKS),
    row(PHASER, "getRegisteredParties", "*", LOOKS),
    row(PHASER, "getArrivedParties", "*", LOOKS),
    row(PHASER, "getUnarrivedParties", "*", LOOKS),
    row(PHASER, "isTerminated", "*", LOOKS),
    row(PHASER, "toString", "*", LOOKS),
];
