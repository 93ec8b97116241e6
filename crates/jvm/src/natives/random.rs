//! Random numbers that the JDK takes from the operating system.
//!
//! Every run of a program has to be the same, so they come from the name of the thread that wants
//! them and from how many it has drawn.

use super::{Native, Reason, Reply, contents, local, mix, nothing, object, zero};
use crate::machine::{Machine, Trap, bad_reference};

const SECURE: &str = "java/security/SecureRandom";

pub(super) static NATIVES: &[Native] = &[
    local(Reason::Constant, SECURE, "<init>", "()V", nothing),
    local(Reason::Constant, SECURE, "<init>", "([B)V", nothing),
    local(Reason::Constant, SECURE, "setSeed", "(J)V", nothing),
    local(Reason::Constant, SECURE, "setSeed", "([B)V", nothing),
    contents(SECURE, "nextBytes", "([B)V", next_bytes),
    local(Reason::Constant, "sun/security/provider/NativePRNG", "initIO", "*", zero),
    local(Reason::Constant, "sun/security/provider/NativePRNG$Blocking", "isAvailable", "*", zero),
    local(
        Reason::Constant,
        "sun/security/provider/NativePRNG$NonBlocking",
        "isAvailable",
        "*",
        zero,
    ),
];

fn next_bytes(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let wanted = object(arguments, 1)?;
    let scratch = machine.scratch(wanted)?;
    let array = scratch.unwrap_or(wanted);
    let length = machine.length(array)?;
    let path = machine.thread_path_hash(machine.current);
    machine.worked(u64::from(length))?;
    for index in 0..length {
        let current = machine.current;
        let core = machine.core_mut(current)?;
        core.drawn += 1;
        let byte = mix(path ^ u64::from(core.drawn)) >> 32 & 0xFF;
        machine.heap.set_element(array, index, 0, byte).ok_or_else(bad_reference)?;
    }
    match scratch {
        Some(scratch) => machine.write_back(scratch, wanted, (0, length), None),
        None => Ok(Reply::Void),
    }
}
