//! Files, which programs under test may read but not write.
//!
//! The JDK reads files of its own (time zones, security, logging), and programs read small ones of
//! theirs. A file is read when it is opened, once for all executions, into an array of bytes that
//! stays with the stream; the position is a word beside it. Whatever would change a file is not
//! supported, and is said so by name.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{
    Native, Reason, Reply, answer, answer_int, contents, int, local, object, truth, word, zero,
};
use crate::error::Fault;
use crate::machine::{Machine, Trap, raise};
use crate::memory::Reference;

const INPUT: &str = "java/io/FileInputStream";
const OUTPUT: &str = "java/io/FileOutputStream";
const RANDOM: &str = "java/io/RandomAccessFile";
const SYSTEM: &str = "java/io/UnixFileSystem";
const FILES: &str = "java/nio/file/Files";
const PATHS: &str = "sun/nio/fs/UnixNativeDispatcher";

pub(super) static NATIVES: &[Native] = &[
    contents(INPUT, "open0", "*", open),
    contents(INPUT, "read0", "*", read_byte),
    contents(INPUT, "readBytes", "*", read_bytes),
    contents(INPUT, "length0", "*", length),
    contents(INPUT, "position0", "*", position),
    contents(INPUT, "skip0", "*", skip),
    contents(INPUT, "available0", "*", available),
    local(Reason::Constant, INPUT, "isRegularFile0", "*", super::one),
    contents(INPUT, "close", "*", close),
    local(Reason::Refuses, OUTPUT, "open0", "*", refuse_output),
    local(Reason::Refuses, RANDOM, "open0", "*", refuse_random),
    local(Reason::Files, SYSTEM, "getBooleanAttributes0", "*", attributes),
    local(Reason::Files, SYSTEM, "checkAccess", "*", check_access),
    local(Reason::Files, SYSTEM, "checkAccess0", "*", check_access),
    local(Reason::Files, SYSTEM, "getLength", "*", file_length),
    local(Reason::Files, SYSTEM, "getLength0", "*", file_length),
    local(Reason::Files, SYSTEM, "canonicalize0", "*", canonical),
    local(Reason::Refuses, SYSTEM, "createFileExclusively", "*", refuse_creating),
    local(Reason::Refuses, SYSTEM, "createFileExclusively0", "*", refuse_creating),
    local(Reason::Refuses, SYSTEM, "createDirectory", "*", refuse_creating),
    local(Reason::Refuses, SYSTEM, "createDirectory0", "*", refuse_creating),
    local(Reason::Refuses, SYSTEM, "delete0", "*", refuse_deleting),
    local(Reason::Refuses, SYSTEM, "rename0", "*", refuse_renaming),
    local(Reason::Constant, PATHS, "init", "*", zero),
    local(Reason::Files, PATHS, "getcwd", "*", working_folder),
    local(Reason::Files, FILES, "readAllBytes", "*", read_all),
    local(Reason::Files, FILES, "newInputStream", "*", new_stream),
    local(Reason::Files, FILES, "exists", "*", path_exists),
    local(Reason::Files, FILES, "notExists", "*", path_does_not_exist),
    local(Reason::Files, FILES, "isDirectory", "*", path_is_folder),
    local(Reason::Files, FILES, "isRegularFile", "*", path_is_file),
    local(Reason::Files, FILES, "isReadable", "*", path_exists),
    local(Reason::Files, FILES, "size", "*", path_size),
    local(Reason::Refuses, FILES, "newOutputStream", "*", refuse_files),
    local(Reason::Refuses, FILES, "newByteChannel", "*", refuse_files),
    local(Reason::Refuses, FILES, "createFile", "*", refuse_files),
    local(Reason::Refuses, FILES, "createDirectory", "*", refuse_files),
    local(Reason::Refuses, FILES, "createDirectories", "*", refuse_files),
    local(Reason::Refuses, FILES, "createTempFile", "*", refuse_files),
    local(Reason::Refuses, FILES, "createTempDirectory", "*", refuse_files),
    local(Reason::Refuses, FILES, "delete", "*", refuse_files),
    local(Reason::Refuses, FILES, "deleteIfExists", "*", refuse_files),
    local(Reason::Refuses, FILES, "newDirectoryStream", "*", refuse_files),
    local(Reason::Refuses, "java/nio/channels/FileChannel", "open", "*", refuse_channel),
];

/// What can be asked about a file, as the JDK numbers it.
const EXISTS: i32 = 1;
const REGULAR: i32 = 2;
const FOLDER: i32 = 4;

fn refusal(what: &str) -> Trap {
    Fault::unsupported(format!(
        "{what}; a program under test can read files but not change them: use a StringWriter or a \
         ByteArrayOutputStream instead"
    ))
    .into()
}

fn refuse_output(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let path = machine.text(object(arguments, 1)?)?;
    Err(refusal(&format!("writing the file {path}")))
}

fn refuse_random(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let path = machine.text(object(arguments, 1)?)?;
    Err(refusal(&format!("random access to the file {path}")))
}

fn refuse_creating(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Err(refusal("creating files and folders"))
}

fn refuse_deleting(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Err(refusal("deleting files"))
}

fn refuse_renaming(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Err(refusal("renaming files"))
}

fn refuse_files(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Err(refusal("changing or listing files with java.nio.file.Files"))
}

fn refuse_channel(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Err(refusal("file channels"))
}

impl Machine {
    /// The words of a stream that hold its bytes and its position.
    fn stream_words(&self) -> Result<(u32, u32), Fault> {
        let class = self.world.loaded(INPUT);
        let class = class.ok_or_else(|| Fault::internal("a stream without a class"))?;
        let words = self.world.class(class).instance_words;
        Ok((words - 2, words - 1))
    }

    /// The bytes of an open stream and its position in them.
    fn stream_state(&self, stream: Reference) -> Result<(Reference, u32, u32), Trap> {
        self.refuse_shared(stream)?;
        let (content, position) = self.stream_words()?;
        let array = self.load_reference(stream, content)?;
        if array.is_null() {
            return raise("java/io/IOException", "Stream Closed");
        }
        Ok((array, self.load(stream, position)? as u32, self.length(array)?))
    }

    fn refuse_shared(&self, stream: Reference) -> Result<(), Trap> {
        if self.is_reached(stream) {
            let what = "a FileInputStream that threads share; read the file before they start";
            return Err(Fault::unsupported(what).into());
        }
        Ok(())
    }

    fn set_position(&mut self, stream: Reference, at: u32) -> Result<(), Trap> {
        let (_, position) = self.stream_words()?;
        Ok(self.store(stream, position, u64::from(at))?)
    }

    /// A path of a `File` object.
    fn file_path(&self, file: Reference) -> Result<PathBuf, Trap> {
        Ok(PathBuf::from(self.text(Reference(self.get_field(file, "path")?))?))
    }

    /// A path of the default file system.
    fn path_of(&mut self, path: Reference) -> Result<PathBuf, Trap> {
        let text = self.call_virtual(path, "toString", "()Ljava/lang/String;", &[])?;
        Ok(PathBuf::from(self.text(Reference(text))?))
    }

    /// The bytes of a file for `java.nio.file`, whose exceptions name only the path.
    fn bytes_of_path(&mut self, path: Reference) -> Result<Reference, Trap> {
        let path = self.path_of(path)?;
        match self.world.class_path.read_file(&path) {
            Ok(bytes) => self.new_byte_array(&bytes),
            Err(ErrorKind::NotFound) => {
                raise("java/nio/file/NoSuchFileException", path.display().to_string())
            }
            Err(ErrorKind::PermissionDenied) => {
                raise("java/nio/file/AccessDeniedException", path.display().to_string())
            }
            Err(kind) => raise("java/io/IOException", reason(kind, &path)),
        }
    }
}

/// Why a file cannot be read, in the JVM's words.
fn reason(kind: ErrorKind, path: &Path) -> String {
    match kind {
        ErrorKind::NotFound => format!("{} (No such file or directory)", path.display()),
        ErrorKind::PermissionDenied => format!("{} (Permission denied)", path.display()),
        ErrorKind::IsADirectory => format!("{} (Is a directory)", path.display()),
        other => format!("{} ({other})", path.display()),
    }
}

fn open(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let stream = object(arguments, 0)?;
    let path = PathBuf::from(machine.text(object(arguments, 1)?)?);
    match machine.world.class_path.read_file(&path) {
        Ok(bytes) => {
            let array = machine.new_byte_array(&bytes)?;
            let (content, _) = machine.stream_words()?;
            machine.store(stream, content, array.0)?;
            machine.set_position(stream, 0)?;
            Ok(Reply::Void)
        }
        Err(ErrorKind::FileTooLarge) => Err(Fault::unsupported(format!(
            "reading {}, which is not an ordinary file, or is very large",
            path.display()
        ))
        .into()),
        Err(kind) => raise("java/io/FileNotFoundException", reason(kind, &path)),
    }
}

fn close(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    machine.refuse_shared(object(arguments, 0)?)?;
    let (content, _) = machine.stream_words()?;
    machine.store(object(arguments, 0)?, content, 0)?;
    Ok(Reply::Void)
}

fn read_byte(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let stream = object(arguments, 0)?;
    let (array, at, length) = machine.stream_state(stream)?;
    if at >= length {
        return answer_int(-1);
    }
    machine.set_position(stream, at + 1)?;
    let byte = machine.heap.element(array, at, 0).unwrap_or(0);
    answer_int(i32::from(byte as u8))
}

fn read_bytes(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (stream, target) = (object(arguments, 0)?, object(arguments, 1)?);
    let (from, count) = (int(arguments, 2), int(arguments, 3));
    let room = machine.length(target)?;
    if from < 0 || count < 0 || i64::from(from) + i64::from(count) > i64::from(room) {
        return Err(Trap::Raise("java/lang/IndexOutOfBoundsException", None));
    }
    let (array, at, length) = machine.stream_state(stream)?;
    if count == 0 {
        return answer_int(0);
    }
    if at >= length {
        return answer_int(-1);
    }
    let count = (count as u32).min(length - at);
    let scratch = machine.scratch(target)?;
    let filled = scratch.unwrap_or(target);
    for index in 0..count {
        let byte = machine.heap.element(array, at + index, 0).unwrap_or(0);
        let done = machine.heap.set_element(filled, from as u32 + index, 0, byte);
        done.ok_or_else(crate::machine::bad_reference)?;
    }
    machine.set_position(stream, at + count)?;
    match scratch {
        Some(scratch) => {
            let part = (from as u32, count);
            machine.write_back(scratch, target, part, Some(u64::from(count)))
        }
        None => answer_int(count as i32),
    }
}

fn length(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (_, _, length) = machine.stream_state(object(arguments, 0)?)?;
    Ok(Reply::Word(u64::from(length)))
}

fn position(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (_, at, _) = machine.stream_state(object(arguments, 0)?)?;
    Ok(Reply::Word(u64::from(at)))
}

fn skip(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let stream = object(arguments, 0)?;
    let (_, at, length) = machine.stream_state(stream)?;
    let wanted = i64::from(at).saturating_add(word(arguments, 1) as i64);
    let reached = wanted.clamp(0, i64::from(length)) as u32;
    machine.set_position(stream, reached)?;
    Ok(Reply::Word((i64::from(reached) - i64::from(at)) as u64))
}

fn available(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (_, at, length) = machine.stream_state(object(arguments, 0)?)?;
    answer_int(length.saturating_sub(at) as i32)
}

fn kind_of(path: &Path) -> i32 {
    match std::fs::metadata(path) {
        Ok(data) if data.is_file() => EXISTS | REGULAR,
        Ok(data) if data.is_dir() => EXISTS | FOLDER,
        Ok(_) => EXISTS,
        Err(_) => 0,
    }
}

fn attributes(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let path = machine.file_path(object(arguments, 1)?)?;
    answer_int(kind_of(&path))
}

fn check_access(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    const READ: i32 = 4;
    let path = machine.file_path(object(arguments, 1)?)?;
    truth(int(arguments, 2) == READ && kind_of(&path) != 0)
}

fn size_of(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |data| data.len())
}

fn file_length(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let path = machine.file_path(object(arguments, 1)?)?;
    Ok(Reply::Word(size_of(&path)))
}

fn canonical(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let path = machine.text(object(arguments, 1)?)?;
    let found = std::fs::canonicalize(&path).map_or(path, |path| path.display().to_string());
    let string = machine.new_string(&found)?;
    answer(string)
}

fn working_folder(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    let folder = std::env::current_dir().unwrap_or_else(|_| "/".into());
    let bytes = machine.new_byte_array(folder.display().to_string().as_bytes())?;
    answer(bytes)
}

fn read_all(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let bytes = machine.bytes_of_path(object(arguments, 0)?)?;
    answer(bytes)
}

fn new_stream(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let bytes = machine.bytes_of_path(object(arguments, 0)?)?;
    let stream = machine.construct("java/io/ByteArrayInputStream", "([B)V", &[bytes.0])?;
    answer(stream)
}

fn path_kind(machine: &mut Machine, arguments: &[u64], wanted: i32) -> Result<bool, Trap> {
    let path = machine.path_of(object(arguments, 0)?)?;
    Ok(kind_of(&path) & wanted != 0)
}

fn path_exists(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    truth(path_kind(machine, arguments, EXISTS)?)
}

fn path_does_not_exist(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    truth(!path_kind(machine, arguments, EXISTS)?)
}

fn path_is_folder(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    truth(path_kind(machine, arguments, FOLDER)?)
}

fn path_is_file(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    truth(path_kind(machine, arguments, REGULAR)?)
}

fn path_size(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let bytes = machine.bytes_of_path(object(arguments, 0)?)?;
    Ok(Reply::Word(u64::from(machine.length(bytes)?)))
}
