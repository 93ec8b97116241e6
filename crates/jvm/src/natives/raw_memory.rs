//! Copies of bytes between arrays by `Unsafe`. Memory outside the heap is not supported.

use super::{Native, Reason, Reply, contents, local, reference, word};
use crate::dynamic::byte_index;
use crate::error::Fault;
use crate::machine::{Machine, Trap, bad_reference};
use crate::memory::Reference;

const UNSAFE: &str = "jdk/internal/misc/Unsafe";

pub(super) static NATIVES: &[Native] = &[
    contents(UNSAFE, "copyMemory0", "*", copy),
    contents(UNSAFE, "copySwapMemory0", "*", copy_swapped),
    contents(UNSAFE, "setMemory0", "*", set),
    local(Reason::Refuses, UNSAFE, "allocateMemory0", "*", refuse),
    local(Reason::Refuses, UNSAFE, "reallocateMemory0", "*", refuse),
    local(Reason::Refuses, UNSAFE, "freeMemory0", "*", refuse),
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

/// How elements cover a range of bytes.
#[derive(PartialEq)]
enum Covers {
    Exactly,
    AtLeast,
}

/// The elements of an array that cover a range of its bytes: the first, and how many.
fn elements(
    machine: &Machine,
    array: Reference,
    at: u64,
    bytes: u64,
    covers: Covers,
) -> Result<(i32, i32), Trap> {
    let shift = machine.element_type(array)?.1.shift();
    let (from, to) = (byte_index(at)?, byte_index(at)? + bytes);
    let (first, end) = (from >> shift, to.div_ceil(1 << shift));
    if covers == Covers::Exactly && (first << shift != from || end << shift != to) {
        let what = "writing parts of elements of an array that threads share";
        return Err(Fault::unsupported(what).into());
    }
    Ok((first as i32, (end - first) as i32))
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
    let count = word(arguments, 5);
    let part = elements(machine, source, from, count, Covers::AtLeast)?;
    if let Some(reply) = machine.private_copy(arguments, 1, Some(part))? {
        return Ok(reply);
    }
    if let Some(scratch) = machine.scratch(target)? {
        let (first, length) = elements(machine, target, to, count, Covers::Exactly)?;
        let mut words = arguments.to_vec();
        words[3] = scratch.0;
        copy_bytes(machine, &words, swap)?;
        return machine.write_back(scratch, target, (first as u32, length as u32), None);
    }
    machine.check_known(source)?;
    machine.worked(count)?;
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
    if let Some(scratch) = machine.scratch(target)? {
        let (first, length) = elements(machine, target, to, word(arguments, 3), Covers::Exactly)?;
        let mut words = arguments.to_vec();
        words[1] = scratch.0;
        set(machine, &words)?;
        return machine.write_back(scratch, target, (first as u32, length as u32), None);
    }
    machine.worked(word(arguments, 3))?;
    for index in 0..word(arguments, 3) {
        store(machine, target, to + index, word(arguments, 4) as u8)?;
    }
    Ok(Reply::Void)
}
