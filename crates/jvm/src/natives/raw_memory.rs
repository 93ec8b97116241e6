//! Copies of bytes between arrays by `Unsafe`. Memory outside the heap is not supported.

use super::{Native, Reply, local, reference, word};
use crate::error::Fault;
use crate::machine::{Machine, Trap, bad_reference};
use crate::memory::Reference;

const UNSAFE: &str = "jdk/internal/misc/Unsafe";

pub(super) static NATIVES: &[Native] = &[
    local(UNSAFE, "copyMemory0", "*", copy),
    local(UNSAFE, "copySwapMemory0", "*", copy_swapped),
    local(UNSAFE, "setMemory0", "*", set),
    local(UNSAFE, "allocateMemory0", "*", refuse),
    local(UNSAFE, "reallocateMemory0", "*", refuse),
    local(UNSAFE, "freeMemory0", "*", refuse),
];

fn outside() -> Trap {
    let what = "memory outside the heap (a direct buffer); use ByteBuffer.allocate instead";
    Fault::unsupported(what).into()
}

fn refuse(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Err(outside())
}

/// An object and a range of its bytes.
fn range(arguments: &[u64], at: usize) -> Result<(Reference, u64), Trap> {
    let object = reference(arguments, at).non_null().ok_or_else(outside)?;
    Ok((object, word(arguments, at + 1)))
}

fn word_of(at: u64) -> Result<(u32, u32), Trap> {
    let index = u32::try_from(at / 8).map_err(|_| bad_reference())?;
    Ok((index, (at % 8 * 8) as u32))
}

fn load(machine: &Machine, object: Reference, at: u64) -> Result<u8, Trap> {
    let (index, shift) = word_of(at)?;
    Ok((machine.load(object, index)? >> shift) as u8)
}

fn store(machine: &mut Machine, object: Reference, at: u64, byte: u8) -> Result<(), Trap> {
    let (index, shift) = word_of(at)?;
    let old = machine.load(object, index)?;
    let new = old & !(0xFF << shift) | u64::from(byte) << shift;
    Ok(machine.store(object, index, new)?)
}

fn copy_bytes(machine: &mut Machine, arguments: &[u64], swap: u64) -> Result<Reply, Trap> {
    let ((source, from), (target, to)) = (range(arguments, 1)?, range(arguments, 3)?);
    machine.check_known(source)?;
    let count = word(arguments, 5);
    let bytes: Result<Vec<u8>, Trap> =
        (0..count).map(|index| load(machine, source, from + index)).collect();
    for (index, byte) in (0..).zip(bytes?) {
        // The bytes of an element of `swap` bytes in the opposite order.
        store(machine, target, to + (index ^ (swap - 1)), byte)?;
    }
    Ok(Reply::Void)
}

fn copy(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    copy_bytes(machine, arguments, 1)
}

fn copy_swapped(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    copy_bytes(machine, arguments, word(arguments, 6).max(1))
}

fn set(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (target, to) = range(arguments, 1)?;
    for index in 0..word(arguments, 3) {
        store(machine, target, to + index, word(arguments, 4) as u8)?;
    }
    Ok(Reply::Void)
}
