//! The natives of `java.util.zip`.
//!
//! What the real virtual machine keeps outside the heap for an `Inflater` or `Deflater` is an array of bytes in the heap here, so
//! that it is undone with everything else, and the address that the JDK hands around is the reference to it.
//!
//! **Why no footprint lists it.** Nobody but these natives gets hold of the array, and the JDK calls them only while it holds
//! the lock of the object that owns the address (or is still making it). So two calls on one state are ordered by
//! that lock, whose operations are in the footprints. What is read and written for the program, the input and the output, is
//! copied in sight if threads share it.

mod checksum;
mod deflate;
mod inflate;

use smallvec::SmallVec;

use self::checksum::adler;
use self::inflate::{Inflate, WINDOW};
use super::{Native, Reason, Reply, answer_int, contents, int, local, nothing, object, word};
use crate::machine::{Machine, Trap, bad_reference, raise};
use crate::memory::{ARRAY_HEADER_WORDS, Hook, Reference};

const INFLATER: &str = "java/util/zip/Inflater";
const DEFLATER: &str = "java/util/zip/Deflater";
const INFLATER_STATE: &str = "java/util/zip/Inflater$InflaterZStreamRef";
const DEFLATER_STATE: &str = "java/util/zip/Deflater$DeflaterZStreamRef";

pub(super) use self::checksum::NATIVES as CHECKSUMS;

pub(super) static NATIVES: &[Native] = &[
    local(Reason::MakesNew, INFLATER, "init", "(Z)J", |machine, arguments| {
        let bytes = inflate::WORDS as u32 * 8 + WINDOW as u32;
        let state = machine.new_array(machine.known.byte_array, bytes)?;
        machine.save_inflate(state, &Inflate::new(int(arguments, 0) == 0))?;
        Ok(Reply::Word(state.0))
    }),
    contents(INFLATER, "setDictionary", "(J[BII)V", set_inflate_dictionary),
    contents(INFLATER, "inflateBytesBytes", "*", inflate_bytes),
    local(Reason::UnderLock, INFLATER, "getAdler", "(J)I", |machine, arguments| {
        answer_int(machine.load_inflate(state(arguments, 0))?.sum as i32)
    }),
    local(Reason::UnderLock, INFLATER, "reset", "(J)V", |machine, arguments| {
        let state = state(arguments, 0);
        let wrapped = machine.load_inflate(state)?.is_wrapped();
        machine.save_inflate(state, &Inflate::new(wrapped))?;
        Ok(Reply::Void)
    }),
    local(Reason::Constant, INFLATER, "end", "(J)V", nothing),
    local(Reason::MakesNew, DEFLATER, "init", "(IIZ)J", |machine, arguments| {
        let wrapped = int(arguments, 2) == 0;
        let state = machine.new_array(machine.known.byte_array, deflater::WORDS * 8)?;
        machine.set_deflate(state, deflater::LEVEL, u64::from(int(arguments, 0) as u32))?;
        machine.set_deflate(state, deflater::SUM, 1)?;
        machine.set_deflate(state, deflater::FLAGS, u64::from(wrapped) * deflater::WRAPPED)?;
        Ok(Reply::Word(state.0))
    }),
    contents(DEFLATER, "setDictionary", "(J[BII)V", set_deflate_dictionary),
    contents(DEFLATER, "deflateBytesBytes", "*", deflate_bytes),
    local(Reason::UnderLock, DEFLATER, "getAdler", "(J)I", |machine, arguments| {
        answer_int(machine.deflate_word(state(arguments, 0), deflater::SUM)? as i32)
    }),
    local(Reason::UnderLock, DEFLATER, "reset", "(J)V", |machine, arguments| {
        let state = state(arguments, 0);
        let flags = machine.deflate_word(state, deflater::FLAGS)? & deflater::WRAPPED;
        let level = machine.deflate_word(state, deflater::LEVEL)?;
        (0..deflater::WORDS).try_for_each(|word| machine.set_deflate(state, word, 0))?;
        machine.set_deflate(state, deflater::FLAGS, flags)?;
        machine.set_deflate(state, deflater::LEVEL, level)?;
        machine.set_deflate(state, deflater::SUM, 1)?;
        Ok(Reply::Void)
    }),
    local(Reason::Constant, DEFLATER, "end", "(J)V", nothing),
    local(Reason::MakesNew, INFLATER_STATE, "<init>", "*", make_owner),
    local(Reason::MakesNew, DEFLATER_STATE, "<init>", "*", make_owner),
    local(Reason::RunsOther, INFLATER_STATE, "clean", "()V", clean_owner),
    local(Reason::RunsOther, DEFLATER_STATE, "clean", "()V", clean_owner),
];

/// Makes the object that owns an address. The JDK also puts it on a list that all threads share, of what is to be freed
/// when nobody uses it any more: here nothing is freed, and so nobody shares it by that.
fn make_owner(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    machine.set_field(object(arguments, 0)?, "address", word(arguments, 2))?;
    Ok(Reply::Void)
}

/// Frees what an address stands for, at once: the JDK would take it from that list first.
fn clean_owner(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let owner = object(arguments, 0)?;
    let found = machine.world.declared(machine.class_of(owner)?, "run", "()V");
    let run = found.ok_or_else(bad_reference)?;
    Ok(Reply::Call(run, SmallVec::from_slice(&[owner.0]), Hook::None))
}

/// The words of the state of a `Deflater`.
mod deflater {
    pub(super) const WORDS: u32 = 9;
    pub(super) const FLAGS: u32 = 0;
    pub(super) const LEVEL: u32 = 1;
    /// The checksum of the input.
    pub(super) const SUM: u32 = 2;
    /// The input since the last flush: an array, and how much of it.
    pub(super) const INPUT: u32 = 3;
    pub(super) const INPUT_LENGTH: u32 = 4;
    /// What was compressed: an array, how much of it, and how much of that was taken.
    pub(super) const OUTPUT: u32 = 5;
    pub(super) const OUTPUT_LENGTH: u32 = 6;
    pub(super) const TAKEN: u32 = 7;
    /// The number of the dictionary.
    pub(super) const DICTIONARY: u32 = 8;

    /// There is a header and a checksum.
    pub(super) const WRAPPED: u64 = 1;
    /// The header was written.
    pub(super) const BEGUN: u64 = 2;
    /// All was compressed.
    pub(super) const FINISHED: u64 = 4;
    /// Nothing has come since the last flush.
    pub(super) const FLUSHED: u64 = 8;
    pub(super) const HAS_DICTIONARY: u64 = 16;

    /// How `Deflater` asks for output.
    pub(super) const NO_FLUSH: i32 = 0;
    pub(super) const FINISH: i32 = 4;
}

/// The state that an address stands for.
fn state(arguments: &[u64], index: usize) -> Reference {
    Reference(word(arguments, index))
}

impl Machine {
    fn load_inflate(&self, state: Reference) -> Result<Inflate, Trap> {
        let mut words = [0; inflate::WORDS];
        for (index, word) in (ARRAY_HEADER_WORDS..).zip(&mut words) {
            *word = self.load(state, index)?;
        }
        Ok(Inflate::of(&words))
    }

    fn save_inflate(&mut self, state: Reference, inflate: &Inflate) -> Result<(), Trap> {
        for (index, word) in (ARRAY_HEADER_WORDS..).zip(inflate.words()) {
            if self.load(state, index)? != word {
                self.store(state, index, word)?;
            }
        }
        Ok(())
    }

    /// Keeps the last bytes of what comes before the next output, of which there are `written` with them.
    fn keep_window(&mut self, state: Reference, written: u64, bytes: &[u8]) -> Result<(), Trap> {
        let kept = &bytes[bytes.len().saturating_sub(WINDOW as usize)..];
        let first = written - kept.len() as u64;
        for (at, byte) in (first..).zip(kept) {
            self.fill(state, inflate::WORDS as u32 * 8 + (at % WINDOW) as u32, &[*byte])?;
        }
        Ok(())
    }

    fn deflate_word(&self, state: Reference, index: u32) -> Result<u64, Trap> {
        Ok(self.load(state, ARRAY_HEADER_WORDS + index)?)
    }

    fn set_deflate(&mut self, state: Reference, index: u32, value: u64) -> Result<(), Trap> {
        Ok(self.store(state, ARRAY_HEADER_WORDS + index, value)?)
    }

    /// Appends bytes to the array at one word of a state, whose length is at the next.
    fn append(&mut self, state: Reference, index: u32, bytes: &[u8]) -> Result<(), Trap> {
        let length = self.deflate_word(state, index + 1)? as u32;
        let mut array = Reference(self.deflate_word(state, index)?);
        let room = if array.is_null() { 0 } else { self.length(array)? };
        let end = length + bytes.len() as u32;
        if end > room {
            let old = self.bytes_between(array, 0, length)?;
            array = self.new_array(self.known.byte_array, end.max(room * 2).max(64))?;
            self.fill(array, 0, &old)?;
            self.set_deflate(state, index, array.0)?;
        }
        self.fill(array, length, bytes)?;
        self.set_deflate(state, index + 1, u64::from(end))
    }

    /// A part of an array of bytes.
    fn bytes_between(&self, array: Reference, from: u32, count: u32) -> Result<Vec<u8>, Trap> {
        self.worked(u64::from(count))?;
        let byte = |index| self.heap.element(array, index, 0).map(|byte| byte as u8);
        let bytes: Option<Vec<u8>> = (from..from.saturating_add(count)).map(byte).collect();
        Ok(bytes.ok_or_else(bad_reference)?)
    }

    /// The part of an array that a native is given, whose bounds the JDK has checked; or a reply that copies it in
    /// sight first.
    fn given_bytes(
        &mut self,
        arguments: &[u64],
        index: usize,
    ) -> Result<Result<Vec<u8>, Reply>, Trap> {
        let (from, count) = (int(arguments, index + 1), int(arguments, index + 2));
        if let Some(reply) = self.private_copy(arguments, index, Some((from, count)))? {
            return Ok(Err(reply));
        }
        let array = object(arguments, index)?;
        self.check_known(array)?;
        self.bytes_between(array, from as u32, count as u32).map(Ok)
    }

    /// Writes output where it is asked for, in sight if threads share it, and returns a number.
    fn give_bytes(
        &mut self,
        arguments: &[u64],
        index: usize,
        bytes: &[u8],
        result: u64,
    ) -> Result<Reply, Trap> {
        let (array, from) = (object(arguments, index)?, int(arguments, index + 1) as u32);
        let scratch = self.scratch(array)?;
        self.fill(scratch.unwrap_or(array), from, bytes)?;
        match scratch {
            Some(scratch) => {
                self.write_back(scratch, array, (from, bytes.len() as u32), Some(result))
            }
            None => Ok(Reply::Word(result)),
        }
    }
}

/// How much was used and made in a call, with two flags, as the JDK wants it.
fn result(used: usize, made: usize, finished: bool, last: bool) -> u64 {
    used as u64 | (made as u64) << 31 | u64::from(finished) << 62 | u64::from(last) << 63
}

fn set_inflate_dictionary(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let bytes = match machine.given_bytes(arguments, 1)? {
        Ok(bytes) => bytes,
        Err(reply) => return Ok(reply),
    };
    let state = state(arguments, 0);
    let mut inflate = machine.load_inflate(state)?;
    if !inflate.take_dictionary(&bytes) {
        return Err(Trap::raise("java/lang/IllegalArgumentException", None));
    }
    inflate.written += bytes.len() as u64;
    machine.keep_window(state, inflate.written, &bytes)?;
    machine.save_inflate(state, &inflate)?;
    Ok(Reply::Void)
}

fn inflate_bytes(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let input = match machine.given_bytes(arguments, 2)? {
        Ok(input) => input,
        Err(reply) => return Ok(reply),
    };
    let state = state(arguments, 1);
    let mut inflate = machine.load_inflate(state)?;
    let written = inflate.written;
    let past = |back: u64| {
        let at = inflate::WORDS as u32 * 8 + (written.wrapping_sub(back) % WINDOW) as u32;
        machine.heap.element(state, at, 0).unwrap_or(0) as u8
    };
    let room = int(arguments, 7).max(0) as usize;
    let (used, output, wrong) = inflate.run(&input, room, past);
    machine.keep_window(state, inflate.written, &output)?;
    machine.save_inflate(state, &inflate)?;
    if let Some(wrong) = wrong {
        let inflater = object(arguments, 0)?;
        machine.set_field(inflater, "inputConsumed", used as u64)?;
        machine.set_field(inflater, "outputConsumed", output.len() as u64)?;
        return raise("java/util/zip/DataFormatException", wrong);
    }
    let result = result(used, output.len(), inflate.is_finished(), inflate.needs_dictionary());
    machine.give_bytes(arguments, 5, &output, result)
}

fn set_deflate_dictionary(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let bytes = match machine.given_bytes(arguments, 1)? {
        Ok(bytes) => bytes,
        Err(reply) => return Ok(reply),
    };
    let state = state(arguments, 0);
    let flags = machine.deflate_word(state, deflater::FLAGS)?;
    if flags & deflater::WRAPPED != 0 && flags & deflater::BEGUN != 0 {
        return Err(Trap::raise("java/lang/IllegalArgumentException", None));
    }
    if flags & deflater::WRAPPED != 0 {
        let number = u64::from(adler(1, &bytes));
        machine.set_deflate(state, deflater::DICTIONARY, number)?;
        machine.set_deflate(state, deflater::SUM, number)?;
        machine.set_deflate(state, deflater::FLAGS, flags | deflater::HAS_DICTIONARY)?;
    }
    Ok(Reply::Void)
}

fn deflate_bytes(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let input = match machine.given_bytes(arguments, 2)? {
        Ok(input) => input,
        Err(reply) => return Ok(reply),
    };
    let (state, room) = (state(arguments, 1), int(arguments, 7).max(0) as u64);
    let (flush, parameters) = (int(arguments, 8), int(arguments, 9));
    if parameters & 1 == 1 {
        machine.set_deflate(state, deflater::LEVEL, u64::from((parameters >> 3) as u32))?;
    }
    let mut flags = machine.deflate_word(state, deflater::FLAGS)?;
    if room == 0 {
        return Ok(Reply::Word(0));
    }
    let mut used = 0;
    if flags & deflater::FINISHED == 0 {
        used = input.len();
        let level = machine.deflate_word(state, deflater::LEVEL)? as i32;
        let wrapped = flags & deflater::WRAPPED != 0;
        let mut sum = machine.deflate_word(state, deflater::SUM)? as u32;
        if wrapped && flags & deflater::BEGUN == 0 {
            let number = machine.deflate_word(state, deflater::DICTIONARY)? as u32;
            let dictionary = (flags & deflater::HAS_DICTIONARY != 0).then_some(number);
            machine.append(state, deflater::OUTPUT, &deflate::header(level, dictionary))?;
            sum = 1;
        }
        flags |= deflater::BEGUN;
        if wrapped {
            sum = adler(sum, &input);
            machine.set_deflate(state, deflater::SUM, u64::from(sum))?;
        }
        if !input.is_empty() {
            flags &= !deflater::FLUSHED;
            machine.append(state, deflater::INPUT, &input)?;
        }
        if flush == deflater::FINISH
            || flush != deflater::NO_FLUSH && flags & deflater::FLUSHED == 0
        {
            let last = flush == deflater::FINISH;
            let length = machine.deflate_word(state, deflater::INPUT_LENGTH)? as u32;
            let array = Reference(machine.deflate_word(state, deflater::INPUT)?);
            let bytes = machine.bytes_between(array, 0, length)?;
            let mut data = deflate::part(&bytes, level, last, |count| {
                machine.worked(deflate::EFFORT * count as u64)
            })?;
            if last && wrapped {
                data.extend(sum.to_be_bytes());
            }
            machine.append(state, deflater::OUTPUT, &data)?;
            machine.set_deflate(state, deflater::INPUT_LENGTH, 0)?;
            flags |= deflater::FLUSHED | if last { deflater::FINISHED } else { 0 };
        }
        machine.set_deflate(state, deflater::FLAGS, flags)?;
    }
    let length = machine.deflate_word(state, deflater::OUTPUT_LENGTH)?;
    let taken = machine.deflate_word(state, deflater::TAKEN)?;
    let count = (length - taken).min(room);
    let array = Reference(machine.deflate_word(state, deflater::OUTPUT)?);
    let output = machine.bytes_between(array, taken as u32, count as u32)?;
    let is_empty = taken + count == length;
    let (length, taken) = if is_empty { (0, 0) } else { (length, taken + count) };
    machine.set_deflate(state, deflater::OUTPUT_LENGTH, length)?;
    machine.set_deflate(state, deflater::TAKEN, taken)?;
    let finished = flags & deflater::FINISHED != 0 && is_empty;
    let result = result(used, output.len(), finished, false);
    machine.give_bytes(arguments, 5, &output, result)
}
