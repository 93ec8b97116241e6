//! The checksums of `java.util.zip` that the JDK leaves to native code.

use crate::machine::{Machine, Trap};
use crate::natives::{Native, Reason, Reply, answer_int, contents, int, local, object};

const CRC: &str = "java/util/zip/CRC32";
/// How many bytes are summed up between two looks whether the step is to be given up.
const PART: usize = 1 << 16;

/// How much longer summing up a byte takes than copying it.
const EFFORT: u64 = 8;

const ADLER: &str = "java/util/zip/Adler32";

pub(in crate::natives) static NATIVES: &[Native] = &[
    local(Reason::Computes, CRC, "update", "(II)I", |_, arguments| {
        answer_int(crc(int(arguments, 0) as u32, &[int(arguments, 1) as u8]) as i32)
    }),
    contents(CRC, "updateBytes0", "*", |machine, arguments| part(machine, arguments, crc)),
    local(Reason::Computes, ADLER, "update", "(II)I", |_, arguments| {
        answer_int(adler(int(arguments, 0) as u32, &[int(arguments, 1) as u8]) as i32)
    }),
    contents(ADLER, "updateBytes", "*", |machine, arguments| part(machine, arguments, adler)),
];

/// Goes on with a sum over a part of an array, whose bounds the JDK has checked.
fn part(
    machine: &mut Machine,
    arguments: &[u64],
    sum: fn(u32, &[u8]) -> u32,
) -> Result<Reply, Trap> {
    let part = Some((int(arguments, 2), int(arguments, 3)));
    if let Some(reply) = machine.private_copy(arguments, 1, part)? {
        return Ok(reply);
    }
    let bytes = machine.byte_array(object(arguments, 1)?)?;
    let (from, count) = (int(arguments, 2).max(0) as usize, int(arguments, 3).max(0) as usize);
    let bytes = bytes.get(from..from.saturating_add(count)).unwrap_or_default();
    let mut result = int(arguments, 0) as u32;
    for part in bytes.chunks(PART) {
        machine.worked(EFFORT * part.len() as u64)?;
        result = sum(result, part);
    }
    answer_int(result as i32)
}

fn crc(sum: u32, bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!sum, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 }
        })
    })
}

pub(super) fn adler(sum: u32, bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65_521;
    let (mut low, mut high) = (sum & 0xFFFF, sum >> 16);
    for byte in bytes {
        low = (low + u32::from(*byte)) % MODULUS;
        high = (high + low) % MODULUS;
    }
    high << 16 | low
}
