//! Deliberate defects of the machine, for tests that ask whether anybody would notice one.
//!
//! **Problem.** A comparison with the real virtual machine that has never failed may be unable to fail.
//!
//! **Idea.** [`DEFECTS`] lists changes of the kinds that are made by mistake: a native that is taken for local, a
//! footprint that leaves something out, a step that is glued to the one before, a wait that never runs out of time. A
//! test switches one on with [`break_machine`], for its own thread, and looks who notices.
//!
//! **Cost.** Only builds with debug assertions can be broken. In all others every question asked here has the answer
//! no when the code is compiled.

use crate::code::Opcode;
use crate::interpret::JdkOperation;
use crate::natives::{NATIVES, Native, NativeEffect};

/// A change that makes the machine wrong.
#[derive(Debug)]
pub struct Defect {
    /// What is wrong.
    pub name: &'static str,
    kind: DefectKind,
}

/// What kind of change.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DefectKind {
    /// This native touches what threads share as if nobody else could reach it.
    LocalNative(&'static str),
    /// The footprint of this operation of the JDK leaves out its subject.
    NoSubject(&'static str),
    /// The footprint of this operation says that it only reads its subject.
    ReadsSubject(&'static str),
    /// The footprints of such operations are empty.
    NoFootprint(Unseen),
    /// A thread does not stop before these instructions.
    Glued(&'static [Opcode]),
    /// Something else goes wrong.
    Behaves(Misbehaviour),
}

/// Operations whose footprints can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unseen {
    VolatileRead,
    VolatileWrite,
    PlainWrite,
    Update,
    Acquire,
    Notify,
    Interrupt,
    AskInterrupted,
    AskAlive,
    Completion,
}

/// Wrong behaviour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Misbehaviour {
    /// An operation with a time limit waits without one.
    NeverLate,
    /// A notification for all that wait wakes one of them.
    NotifiesOne,
}

impl Defect {
    /// The row of the table of natives that it is about, if it is about one.
    pub fn row(&self) -> Option<&'static str> {
        match self.kind {
            DefectKind::LocalNative(row)
            | DefectKind::NoSubject(row)
            | DefectKind::ReadsSubject(row) => Some(row),
            _ => None,
        }
    }
}

const fn defect(name: &'static str, kind: DefectKind) -> Defect {
    Defect { name, kind }
}

/// All changes. That a notification always wakes the thread that has waited longest is none of them: the real virtual
/// machine does so, too, and cannot show anything else.
pub static DEFECTS: &[Defect] = {
    use DefectKind::*;
    &[
        defect("copying arrays is local", LocalNative("java/lang/System.arraycopy")),
        defect("cloning is local", LocalNative("java/lang/Object.clone")),
        defect(
            "reading several bytes of an array at once is local",
            LocalNative("jdk/internal/misc/Unsafe.getLongUnaligned"),
        ),
        defect(
            "reading an element by reflection is local",
            LocalNative("java/lang/reflect/Array.get"),
        ),
        defect(
            "writing an element by reflection is local",
            LocalNative("java/lang/reflect/Array.set"),
        ),
        defect("a checksum is local", LocalNative("java/util/zip/CRC32.updateBytes0")),
        defect("filling memory is local", LocalNative("jdk/internal/misc/Unsafe.setMemory0")),
        defect(
            "trying to get a permit leaves no trace",
            NoSubject("java/util/concurrent/Semaphore.tryAcquire"),
        ),
        defect(
            "asking whether a lock is locked leaves no trace",
            NoSubject("java/util/concurrent/locks/ReentrantLock.isLocked"),
        ),
        defect(
            "asking for the count of a latch leaves no trace",
            NoSubject("java/util/concurrent/CountDownLatch$Sync.getCount"),
        ),
        defect(
            "validating a stamp leaves no trace",
            NoSubject("java/util/concurrent/locks/StampedLock.validate"),
        ),
        defect(
            "asking whether a task is done leaves no trace",
            NoSubject("java/util/concurrent/FutureTask.isDone"),
        ),
        defect(
            "arriving at a phaser only reads",
            ReadsSubject("java/util/concurrent/Phaser.arrive"),
        ),
        defect(
            "offering to a queue only reads",
            ReadsSubject("java/util/concurrent/ArrayBlockingQueue.offer"),
        ),
        defect(
            "shutting a pool down only reads",
            ReadsSubject("java/util/concurrent/ThreadPoolExecutor.shutdown"),
        ),
        defect(
            "releasing permits only reads",
            ReadsSubject("java/util/concurrent/Semaphore.release"),
        ),
        defect("reading a volatile variable leaves no trace", NoFootprint(Unseen::VolatileRead)),
        defect("writing a volatile variable leaves no trace", NoFootprint(Unseen::VolatileWrite)),
        defect("writing a variable leaves no trace", NoFootprint(Unseen::PlainWrite)),
        defect("a compare-and-set leaves no trace", NoFootprint(Unseen::Update)),
        defect("taking a monitor leaves no trace", NoFootprint(Unseen::Acquire)),
        defect("a notification leaves no trace", NoFootprint(Unseen::Notify)),
        defect("an interrupt leaves no trace", NoFootprint(Unseen::Interrupt)),
        defect("asking for an interrupt leaves no trace", NoFootprint(Unseen::AskInterrupted)),
        defect("asking whether a thread lives leaves no trace", NoFootprint(Unseen::AskAlive)),
        defect("completing a future leaves no trace", NoFootprint(Unseen::Completion)),
        defect("reading a static variable is glued", Glued(&[Opcode::GetStatic])),
        defect(
            "reading an element is glued",
            Glued(&[Opcode::LoadInt, Opcode::LoadReference, Opcode::LoadByte]),
        ),
        defect("reading a field is glued", Glued(&[Opcode::GetField])),
        defect(
            "writing a static variable is glued",
            Glued(&[Opcode::PutStatic, Opcode::PutStaticReference]),
        ),
        defect("a time limit never expires", Behaves(Misbehaviour::NeverLate)),
        defect("a notification for all wakes one", Behaves(Misbehaviour::NotifiesOne)),
    ]
};

#[cfg(debug_assertions)]
mod switch {
    use std::cell::Cell;

    thread_local! {
        /// The number of the defect that is switched on, from one on.
        static ACTIVE: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn set(number: usize) {
        ACTIVE.set(number);
    }

    #[inline]
    pub(super) fn active() -> Option<super::DefectKind> {
        match ACTIVE.get() {
            0 => None,
            number => Some(super::DEFECTS[number - 1].kind),
        }
    }
}

#[cfg(not(debug_assertions))]
mod switch {
    pub(super) fn set(_: usize) {
        unreachable!("only builds with debug assertions can be broken");
    }

    #[inline(always)]
    pub(super) fn active() -> Option<super::DefectKind> {
        None
    }
}

/// Switches a defect on for this thread, or all of them off. Programs that it loads and explores from then on have it.
pub fn break_machine(defect: Option<&'static Defect>) {
    let number = |wanted: &Defect| DEFECTS.iter().position(|defect| std::ptr::eq(defect, wanted));
    switch::set(defect.map_or(0, |defect| 1 + number(defect).expect("a defect of the table")));
}

/// The defect that is switched on.
#[inline(always)]
pub(crate) fn active() -> Option<DefectKind> {
    switch::active()
}

/// Whether a thread does not stop before an instruction.
#[inline(always)]
pub(crate) fn glues(op: Opcode) -> bool {
    matches!(active(), Some(DefectKind::Glued(ops)) if ops.contains(&op))
}

/// Whether the machine behaves wrongly in this way.
#[inline(always)]
pub(crate) fn behaves(how: Misbehaviour) -> bool {
    matches!(active(), Some(DefectKind::Behaves(other)) if other == how)
}

/// Whether a native is taken for local.
#[inline(always)]
pub(crate) fn is_local(native: &Native) -> bool {
    matches!(active(), Some(DefectKind::LocalNative(name)) if is_row(native, name))
}

/// Whether an operation is that of a row.
pub(crate) fn is_operation(operation: &JdkOperation, name: &str) -> bool {
    NATIVES
        .iter()
        .flat_map(|rows| rows.iter())
        .filter(|row| is_row(row, name))
        .any(|row| matches!(&row.effect, NativeEffect::Jdk(own) if std::ptr::eq(own, operation)))
}

fn is_row(row: &Native, name: &str) -> bool {
    let rest = name.strip_prefix(row.class).and_then(|rest| rest.strip_prefix('.'));
    rest == Some(row.name)
}
