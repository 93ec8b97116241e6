//! The first table of a `ConcurrentHashMap`, and the number of its entries.
//!
//! **Problem.** An access to a `ConcurrentHashMap` is a few accesses to the bin of its key, on which all depends that
//! the program can tell, and some to what only the map itself is interested in: `initTable`, in which threads compete to
//! make the first table, and `addCount`, in which they compete to count the entry that was added. Two threads that
//! put an entry each into an empty map have 142 traces, of which a program can tell one or two.
//!
//! **Idea.** Both methods are single operations wherever nothing but making the table or counting is to be done. They read
//! and write the same fields as the JDK's own code, which runs step by step in all other cases, so the two can meet.
//!
//! **Why nobody can tell: `initTable`.** Of its steps only the one that stores the table matters to others. Before it the map
//! is empty for everybody, `sizeCtl` being less than zero or not; a thread that waits in its own `initTable` meanwhile does
//! nothing else. After it, `sizeCtl` says only when the table is to grow.
//!
//! **Why nobody can tell: `addCount`.** It adds to a number that only `sumCount` looks at, and that step is the only one that
//! others can tell. Where two threads compete for it, one of them uses a cell of its own, and `sumCount` adds up cells one
//! after another. If all that is counted is added, each sum that it can find lies between those at its beginning and at its
//! end, and since entries are counted one by one, it is the sum at some moment in between: the sum was asked for at
//! that moment. If entries are removed as well, there are sums that never were. So in a program that may both remove
//! entries and ask how many there are (`Options::counts_step_by_step`), `addCount` runs as it is. Copies that ask only to make
//! room do not count as questions.
//!
//! **Not modelled.** When a table grows depends on who had to compete for counting before, or finds somebody in
//! `initTable`; only the order in which iterators come by can tell, of which the class promises nothing. A
//! map that has fewer entries than let a table of the default size grow does not depend on it, and maps with smaller
//! tables run the JDK's own code.
//!
//! `--real-locks` switches this off, and `tests/shortcuts.rs` compares.

use smallvec::{SmallVec, smallvec};

use super::atomic_call::{guard, subject};
use super::jdk_operation::{Guard, JdkCall, JdkStep, Readiness, Subject, SubjectPlace};
use super::operation::Address;
use super::threads::OperationResult;
use super::variable::MemoryCell;
use crate::classfile::Type;
use crate::machine::{Machine, Trap};
use crate::memory::Reference;

const MAP: &str = "java/util/concurrent/ConcurrentHashMap";
const NODE: &str = "java/util/concurrent/ConcurrentHashMap$Node";

/// Elements of a table for which its size is not said.
const DEFAULT_CAPACITY: u32 = 16;
/// With so many entries such a table grows.
const DEFAULT_THRESHOLD: i32 = 12;

/// A map: its table.
pub(crate) static TABLE: Subject = Subject {
    place: SubjectPlace::Variable(|machine, map| machine.map_field(map, "table")),
    ..subject(receiver)
};
/// A map: the number of its entries.
pub(crate) static ENTRIES: Subject = Subject {
    place: SubjectPlace::Variable(|machine, map| machine.map_field(map, "baseCount")),
    ..subject(|machine, map| Ok((!machine.options.counts_step_by_step).then_some(map)))
};

fn receiver(_: &Machine, receiver: Reference) -> Result<Option<Reference>, Trap> {
    Ok(Some(receiver))
}

/// There is no table, nobody is making one, and none of less than the default size is wanted.
pub(crate) static NO_TABLE: Guard = guard("a table of {}", |machine, _, call| {
    let control = machine.own_field(call.receiver, MAP, "sizeCtl")? as i32;
    let free = Reference(machine.own_field(call.receiver, MAP, "table")?).is_null();
    let large = control == 0 || control >= DEFAULT_CAPACITY as i32;
    Ok(if free && large { Readiness::Succeeds } else { Readiness::Fails })
});
/// An entry can be counted without letting the table grow.
pub(crate) static ROOM_TO_COUNT: Guard = guard("the entries of {}", |machine, _, call| {
    let map = call.receiver;
    let counted = machine.own_field(map, MAP, "baseCount")? as i64 + i64::from(call.amount);
    let control = machine.own_field(map, MAP, "sizeCtl")? as i32;
    let alone = Reference(machine.own_field(map, MAP, "counterCells")?).is_null();
    let room = control >= DEFAULT_THRESHOLD && counted < i64::from(control);
    Ok(if alone && room { Readiness::Succeeds } else { Readiness::Fails })
});

/// What is read or written besides the table when it is made.
pub(crate) fn touched_with_table(
    machine: &Machine,
    call: &JdkCall,
    readiness: Readiness,
) -> Result<SmallVec<[(Address, bool); 2]>, Trap> {
    let control = machine.map_field(call.receiver, "sizeCtl")?;
    Ok(smallvec![(control, readiness == Readiness::Succeeds)])
}

/// What is read besides the number of entries when one is counted.
pub(crate) fn touched_with_entries(
    machine: &Machine,
    call: &JdkCall,
    _: Readiness,
) -> Result<SmallVec<[(Address, bool); 2]>, Trap> {
    let field = |name| Ok((machine.map_field(call.receiver, name)?, false));
    ["sizeCtl", "counterCells"].into_iter().map(field).collect()
}

/// How many entries `addCount` counts: numbers that are too large for this are counted step by step.
pub(crate) fn entries_counted(arguments: &[u64]) -> i32 {
    let counted = arguments.get(1).map_or(0, |word| *word as i64);
    i32::try_from(counted).unwrap_or(i32::MAX)
}

/// Makes the first table.
pub(crate) fn make_table(
    machine: &mut Machine,
    step: &JdkStep<'_>,
) -> Result<OperationResult, Trap> {
    let map = step.call.receiver;
    let length = match machine.own_field(map, MAP, "sizeCtl")? as u32 {
        0 => DEFAULT_CAPACITY,
        wanted => wanted,
    };
    let node = machine.load_class(NODE)?;
    let class = machine.array_class(node)?;
    let table = machine.new_array(class, length)?;
    let word = machine.own_word(map, MAP, "table")?;
    machine.write_cell(MemoryCell::field(map, word, Type::Reference), table.0)?;
    let control = u64::from(length - (length >> 2));
    let word = machine.own_word(map, MAP, "sizeCtl")?;
    machine.write_cell(MemoryCell::field(map, word, Type::Int), control)?;
    Ok(OperationResult::Done(Some(table.0)))
}

/// Answers with the table that there is; if there is none the JDK's own code makes one, or waits for it.
pub(crate) fn find_table(
    machine: &mut Machine,
    step: &JdkStep<'_>,
) -> Result<OperationResult, Trap> {
    let table = Reference(machine.own_field(step.call.receiver, MAP, "table")?);
    Ok(match table.non_null() {
        Some(table) => OperationResult::Done(Some(table.0)),
        None => OperationResult::Decline,
    })
}

/// Counts entries.
pub(crate) fn count_entries(
    machine: &mut Machine,
    step: &JdkStep<'_>,
) -> Result<OperationResult, Trap> {
    let map = step.call.receiver;
    let word = machine.own_word(map, MAP, "baseCount")?;
    let counted = machine.load(map, word)? as i64 + i64::from(step.call.amount);
    machine.write_cell(MemoryCell::field(map, word, Type::Long), counted as u64)?;
    Ok(OperationResult::Done(None))
}

impl Machine {
    fn map_field(&self, map: Reference, name: &'static str) -> Result<Address, Trap> {
        Ok(Address { object: map, offset: self.own_word(map, MAP, name)? * 8 })
    }
}
