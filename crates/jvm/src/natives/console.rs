//! `System.out` and `System.err`: print streams whose text goes into the machine's own buffers.
//!
//! The two streams are plain instances of `PrintStream` with a number in a word of the machine's own.
//! All printing methods of the JDK end in a few private ones, which are replaced here; on other print
//! streams these decline, so that the JDK's code runs.
//!
//! The JDK prints with the monitor of the stream, which would order all threads that print. Nobody can tell while nobody
//! takes that monitor for anything else. It matters in programs that lock a print stream, for a line in several parts,
//! say, and in those that take a lock to make a text, since `printf` and stack traces are made with the monitor of the
//! stream. There these natives take it as well, unless the thread has it. Which programs these are is found before
//! anything runs (`code/locked/`).

use super::{Native, Reason, Reply, contents, int, local, object, reference, zero};
use crate::dynamic::Body;
use crate::error::FaultKind;
use crate::machine::{Machine, Trap};
use crate::memory::Reference;

/// Bytes that an execution may print.
const OUTPUT_LIMIT: usize = 16 << 20;

const STREAM: &str = "java/io/PrintStream";
const TRACE: &str = "java/lang/Throwable$WrappedPrintStream";
const FORMAT: &str = "(Ljava/lang/String;[Ljava/lang/Object;)Ljava/io/PrintStream;";
const FORMAT_LOCALE: &str =
    "(Ljava/util/Locale;Ljava/lang/String;[Ljava/lang/Object;)Ljava/io/PrintStream;";

pub(super) static NATIVES: &[Native] = &[
    local(Reason::Console, STREAM, "write", "(Ljava/lang/String;)V", write_string),
    local(Reason::Console, STREAM, "writeln", "(Ljava/lang/String;)V", write_line),
    local(Reason::RunsOther, STREAM, "format", FORMAT, format),
    local(Reason::RunsOther, STREAM, "format", FORMAT_LOCALE, format),
    local(Reason::MakesNew, TRACE, "lock", "()Ljava/lang/Object;", trace_lock),
    contents(STREAM, "write", "([C)V", write_chars),
    contents(STREAM, "writeln", "([C)V", write_chars_line),
    // There is no terminal.
    local(Reason::Constant, "java/io/Console", "istty", "*", zero),
    local(Reason::Constant, "java/io/Console", "encoding", "*", zero),
    local(Reason::Console, STREAM, "newLine", "()V", new_line),
    local(Reason::Console, STREAM, "write", "(I)V", write_byte),
    contents(STREAM, "write", "([BII)V", write_bytes),
    contents(STREAM, "write", "([B)V", write_all_bytes),
    local(Reason::Console, STREAM, "ensureOpen", "()V", ensure_open),
    local(Reason::Console, STREAM, "flush", "()V", ensure_open),
    local(Reason::Console, STREAM, "close", "()V", ensure_open),
    local(Reason::Console, STREAM, "checkError", "()Z", check_error),
];

impl Machine {
    /// The number of a console stream; 0 for other print streams.
    fn console(&self, stream: Reference) -> Result<u64, Trap> {
        let class = self.class_of(stream)?;
        if self.world.class_name(class) != STREAM {
            return Ok(0);
        }
        Ok(self.load(stream, self.world.class(class).instance_words - 1)?)
    }

    /// Makes a console stream: 1 for output, 2 for errors.
    pub(crate) fn new_console(&mut self, number: u64) -> Result<Reference, Trap> {
        let class = self.load_initialized(STREAM)?;
        let stream = self.new_object(class)?;
        let word = self.world.class(class).instance_words - 1;
        self.store(stream, word, number)?;
        Ok(stream)
    }

    /// A reply that calls the native again with the monitor of the console stream that it is for, if it has to be taken.
    fn under_monitor(&mut self, arguments: &[u64]) -> Result<Option<Reply>, Trap> {
        let stream = object(arguments, 0)?;
        if !self.options.prints_take_monitors
            || self.console(stream)? == 0
            || self.has_monitor(self.current, stream)
        {
            return Ok(None);
        }
        let Some(target) = self.present_call(self.current)? else { return Ok(None) };
        self.in_sight(Body::CallUnderMonitor(target), arguments).map(Some)
    }

    fn print(&mut self, stream: Reference, units: &[u16], newline: bool) -> Result<Reply, Trap> {
        // Java's encoder writes a question mark for half of a pair of surrogates.
        let decoded = char::decode_utf16(units.iter().copied());
        let mut text: String = decoded.map(|unit| unit.unwrap_or('?')).collect();
        if newline {
            text.push('\n');
        }
        self.print_bytes(stream, text.as_bytes())
    }

    fn print_bytes(&mut self, stream: Reference, bytes: &[u8]) -> Result<Reply, Trap> {
        if self.console.output.len() + self.console.errors.len() + bytes.len() > OUTPUT_LIMIT {
            return Err(FaultKind::ENDLESS_OUTPUT.into());
        }
        match self.console(stream)? {
            0 => Ok(Reply::Decline),
            1 => {
                self.console.output.extend_from_slice(bytes);
                Ok(Reply::Void)
            }
            _ => {
                self.console.errors.extend_from_slice(bytes);
                Ok(Reply::Void)
            }
        }
    }

    fn chars(&self, array: Reference) -> Result<Vec<u16>, Trap> {
        self.check_known(array)?;
        let length = self.length(array)?;
        self.worked(2 * u64::from(length))?;
        let unit = |index| self.heap.element(array, index, 1).unwrap_or(0) as u16;
        Ok((0..length).map(unit).collect())
    }
}

fn text_of(machine: &Machine, arguments: &[u64]) -> Result<Vec<u16>, Trap> {
    match reference(arguments, 1).non_null() {
        Some(string) => machine.units(string),
        None => Ok("null".encode_utf16().collect()),
    }
}

fn write_string(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if let Some(reply) = machine.under_monitor(arguments)? {
        return Ok(reply);
    }
    let units = text_of(machine, arguments)?;
    machine.print(object(arguments, 0)?, &units, false)
}

fn write_line(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if let Some(reply) = machine.under_monitor(arguments)? {
        return Ok(reply);
    }
    let units = text_of(machine, arguments)?;
    machine.print(object(arguments, 0)?, &units, true)
}

/// Printing formatted text: the console's own formatter, and the lock around it, would order the
/// threads that print.
fn format(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if let Some(reply) = machine.under_monitor(arguments)? {
        return Ok(reply);
    }
    if machine.console(object(arguments, 0)?)? == 0 {
        return Ok(Reply::Decline);
    }
    machine.in_sight(Body::Format { locale: arguments.len() == 4 }, arguments)
}

/// What a stack trace on a stream is printed under the lock of: on the console under none.
fn trace_lock(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let stream = Reference(machine.get_field(object(arguments, 0)?, "printStream")?);
    if machine.options.prints_take_monitors || stream.is_null() || machine.console(stream)? == 0 {
        return Ok(Reply::Decline);
    }
    let lock = machine.new_object(machine.known.object)?;
    super::answer(lock)
}

fn write_chars(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if let Some(reply) = machine.under_monitor(arguments)? {
        return Ok(reply);
    }
    if machine.console(object(arguments, 0)?)? == 0 {
        return Ok(Reply::Decline);
    }
    if let Some(reply) = machine.private_copy(arguments, 1, None)? {
        return Ok(reply);
    }
    let units = machine.chars(object(arguments, 1)?)?;
    machine.print(object(arguments, 0)?, &units, false)
}

fn write_chars_line(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if let Some(reply) = machine.under_monitor(arguments)? {
        return Ok(reply);
    }
    if machine.console(object(arguments, 0)?)? == 0 {
        return Ok(Reply::Decline);
    }
    if let Some(reply) = machine.private_copy(arguments, 1, None)? {
        return Ok(reply);
    }
    let units = machine.chars(object(arguments, 1)?)?;
    machine.print(object(arguments, 0)?, &units, true)
}

fn new_line(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if let Some(reply) = machine.under_monitor(arguments)? {
        return Ok(reply);
    }
    machine.print(object(arguments, 0)?, &[], true)
}

fn write_byte(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if let Some(reply) = machine.under_monitor(arguments)? {
        return Ok(reply);
    }
    machine.print_bytes(object(arguments, 0)?, &[int(arguments, 1) as u8])
}

fn write_bytes(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if let Some(reply) = machine.under_monitor(arguments)? {
        return Ok(reply);
    }
    let stream = object(arguments, 0)?;
    if machine.console(stream)? == 0 {
        return Ok(Reply::Decline);
    }
    let part = Some((int(arguments, 2), int(arguments, 3)));
    if let Some(reply) = machine.private_copy(arguments, 1, part)? {
        return Ok(reply);
    }
    let bytes = machine.byte_array(object(arguments, 1)?)?;
    let (start, length) = (int(arguments, 2).max(0) as usize, int(arguments, 3).max(0) as usize);
    match bytes.get(start..start.saturating_add(length)) {
        Some(part) => machine.print_bytes(stream, part),
        None => Err(Trap::raise("java/lang/IndexOutOfBoundsException", None)),
    }
}

fn write_all_bytes(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if let Some(reply) = machine.under_monitor(arguments)? {
        return Ok(reply);
    }
    let stream = object(arguments, 0)?;
    if machine.console(stream)? == 0 {
        return Ok(Reply::Decline);
    }
    if let Some(reply) = machine.private_copy(arguments, 1, None)? {
        return Ok(reply);
    }
    let bytes = machine.byte_array(object(arguments, 1)?)?;
    machine.print_bytes(stream, &bytes)
}

fn ensure_open(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    Ok(if machine.console(object(arguments, 0)?)? == 0 { Reply::Decline } else { Reply::Void })
}

fn check_error(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    if machine.console(object(arguments, 0)?)? == 0 {
        return Ok(Reply::Decline);
    }
    zero(machine, arguments)
}
