//! Files: the natives of `java.io` and `java.nio.file`, which leave the work to `interpret/files.rs`.
//!
//! A native here finds out which file is meant and what is to be done, and replies with a call of the one method that
//! performs operations on files, which others can notice. What is not supported (links, locks, mapped memory,
//! watching, rights and times) is refused by name.

use smallvec::{SmallVec, smallvec};

use super::{
    Native, NativeEffect, Reason, Reply, answer, int, local, nothing, object, visible, word,
};
use crate::dynamic::Body;
use crate::error::Fault;
use crate::interpret::files::{FileAction, FileCall, Style, open, part};
use crate::interpret::frames;
use crate::machine::{Machine, Trap, raise};
use crate::memory::Reference;

const INPUT: &str = "java/io/FileInputStream";
const OUTPUT: &str = "java/io/FileOutputStream";
const RANDOM: &str = "java/io/RandomAccessFile";
const DESCRIPTOR: &str = "java/io/FileDescriptor";
const CLEANABLE: &str = "java/io/FileCleanable";
const SYSTEM: &str = "java/io/UnixFileSystem";
const FILES: &str = "java/nio/file/Files";
const PROVIDER: &str = "sun/nio/fs/UnixFileSystemProvider";
const PATHS: &str = "sun/nio/fs/UnixNativeDispatcher";
const CHANNEL: &str = "sun/nio/ch/FileChannelImpl";
const CHANNELS: &str = "sun/nio/ch/FileDispatcherImpl";
const BUFFERS: &str = "sun/nio/ch/IOUtil";

/// The method that performs all operations on files.
pub(crate) static FILES_ROW: Native =
    visible("java/lang/Shutdown", "<file>", "*", NativeEffect::Files);

const fn row(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    function: super::Function,
) -> Native {
    local(Reason::Files, class, name, descriptor, function)
}

const fn refused(class: &'static str, name: &'static str, function: super::Function) -> Native {
    local(Reason::Refuses, class, name, "*", function)
}

pub(super) static NATIVES: &[Native] = &[
    row(INPUT, "open0", "*", open_input),
    row(INPUT, "read0", "*", read_byte),
    row(INPUT, "readBytes", "*", read_bytes),
    row(INPUT, "length0", "*", length),
    row(INPUT, "position0", "*", position),
    row(INPUT, "skip0", "*", skip),
    row(INPUT, "available0", "*", available),
    local(Reason::Constant, INPUT, "isRegularFile0", "*", super::one),
    row(OUTPUT, "open0", "*", open_output),
    row(OUTPUT, "write", "(IZ)V", write_byte),
    row(OUTPUT, "writeBytes", "*", write_bytes),
    row(RANDOM, "open0", "*", open_random),
    row(RANDOM, "read0", "*", read_byte),
    row(RANDOM, "readBytes", "*", read_bytes),
    row(RANDOM, "readBytes0", "*", read_bytes),
    row(RANDOM, "write0", "*", write_byte),
    row(RANDOM, "writeBytes", "*", write_bytes),
    row(RANDOM, "writeBytes0", "*", write_bytes),
    row(RANDOM, "getFilePointer", "*", position),
    row(RANDOM, "seek0", "*", seek),
    row(RANDOM, "length", "*", length),
    row(RANDOM, "setLength", "*", resize),
    row(DESCRIPTOR, "close0", "*", close),
    local(Reason::Constant, DESCRIPTOR, "sync", "*", nothing),
    local(Reason::Constant, DESCRIPTOR, "sync0", "*", nothing),
    local(Reason::Constant, CLEANABLE, "register", "*", nothing),
    local(Reason::Constant, CLEANABLE, "unregister", "*", nothing),
    row(SYSTEM, "getBooleanAttributes0", "*", attributes),
    row(SYSTEM, "checkAccess", "*", check_access),
    row(SYSTEM, "checkAccess0", "*", check_access),
    row(SYSTEM, "getLength", "*", file_length),
    row(SYSTEM, "getLength0", "*", file_length),
    row(SYSTEM, "canonicalize0", "*", canonical),
    row(SYSTEM, "createFileExclusively", "*", create_exclusively),
    row(SYSTEM, "createFileExclusively0", "*", create_exclusively),
    row(SYSTEM, "createDirectory", "*", create_folder),
    row(SYSTEM, "createDirectory0", "*", create_folder),
    row(SYSTEM, "delete0", "*", delete),
    row(SYSTEM, "rename0", "*", rename),
    row(SYSTEM, "list", "*", list),
    row(SYSTEM, "list0", "*", list),
    refused(SYSTEM, "getLastModifiedTime", refuse_times),
    refused(SYSTEM, "setLastModifiedTime", refuse_times),
    row(SYSTEM, "setPermission", "*", set_permission),
    row(SYSTEM, "setPermission0", "*", set_permission),
    refused(SYSTEM, "setReadOnly", refuse_rights),
    refused(SYSTEM, "getSpace", refuse_space),
    local(Reason::Constant, SYSTEM, "getNameMax0", "*", longest_name),
    local(Reason::Constant, PATHS, "init", "*", super::zero),
    row(PATHS, "getcwd", "*", working_folder),
    row(PATHS, "stat", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixFileAttributes;)V", fill_attributes),
    row(PATHS, "lstat", "(Lsun/nio/fs/UnixPath;Lsun/nio/fs/UnixFileAttributes;)V", fill_attributes),
    row(PATHS, "realpath", "*", real_path),
    row(PATHS, "opendir", "*", open_folder),
    row(PATHS, "readdir", "*", next_in_folder),
    local(Reason::Constant, PATHS, "closedir", "*", nothing),
    row(PATHS, "strerror", "*", error_text),
    row(FILES, "readAllBytes", "*", read_all),
    row(FILES, "newInputStream", "*", new_input),
    row(FILES, "newOutputStream", "*", new_output),
    row(FILES, "createFile", "*", create_file),
    row(FILES, "exists", "*", path_exists),
    row(FILES, "notExists", "*", path_does_not_exist),
    row(FILES, "isDirectory", "*", path_is_folder),
    row(FILES, "isRegularFile", "*", path_is_file),
    row(FILES, "isReadable", "*", path_exists),
    row(FILES, "isWritable", "*", path_exists),
    row(FILES, "size", "*", path_size),
    local(Reason::Constant, FILES, "createFileChannelLinesStream", "*", super::zero),
    refused(FILES, "getLastModifiedTime", refuse_times),
    refused(FILES, "setLastModifiedTime", refuse_times),
    refused(FILES, "setPosixFilePermissions", refuse_rights),
    refused(FILES, "isExecutable", refuse_rights),
    refused(FILES, "setOwner", refuse_rights),
    refused(FILES, "getOwner", refuse_rights),
    refused(FILES, "getFileStore", refuse_space),
    row(PROVIDER, "checkAccess", "*", must_exist),
    row(PROVIDER, "createDirectory", "*", make_folder),
    row(PROVIDER, "implDelete", "*", delete_path),
    row(PROVIDER, "copy", "*", copy_path),
    row(PROVIDER, "move", "*", move_path),
    row(PROVIDER, "isSameFile", "*", is_same),
    refused(PROVIDER, "createSymbolicLink", refuse_links),
    refused(PROVIDER, "createLink", refuse_links),
    refused(PROVIDER, "readSymbolicLink", refuse_links),
    refused("sun/nio/fs/LinuxFileSystem", "newWatchService", refuse_watching),
    row("sun/nio/fs/UnixChannelFactory", "open", "*", open_channel),
    local(Reason::Constant, CHANNEL, "initIDs", "()J", super::one),
    local(Reason::Constant, CHANNEL, "maxDirectTransferSize0", "*", super::one),
    refused(CHANNEL, "map", refuse_mapping),
    refused(CHANNEL, "lock", refuse_locks),
    refused(CHANNEL, "tryLock", try_lock),
    refused(CHANNEL, "transferTo", refuse_transfer),
    refused(CHANNEL, "transferFrom", refuse_transfer),
    row(
        BUFFERS,
        "read",
        "(Ljava/io/FileDescriptor;Ljava/nio/ByteBuffer;JZILsun/nio/ch/NativeDispatcher;)I",
        read_buffer,
    ),
    row(
        BUFFERS,
        "read",
        "(Ljava/io/FileDescriptor;Ljava/nio/ByteBuffer;JLsun/nio/ch/NativeDispatcher;)I",
        read_buffer,
    ),
    row(
        BUFFERS,
        "write",
        "(Ljava/io/FileDescriptor;Ljava/nio/ByteBuffer;JZILsun/nio/ch/NativeDispatcher;)I",
        write_buffer,
    ),
    row(
        BUFFERS,
        "write",
        "(Ljava/io/FileDescriptor;Ljava/nio/ByteBuffer;JLsun/nio/ch/NativeDispatcher;)I",
        write_buffer,
    ),
    local(Reason::Constant, BUFFERS, "iovMax", "*", super::one),
    local(Reason::Constant, BUFFERS, "writevMax", "*", super::one),
    local(Reason::Constant, "sun/nio/ch/NativeThread", "current", "*", super::zero),
    local(Reason::Constant, "sun/nio/ch/NativeThread", "init", "*", nothing),
    local(Reason::Constant, CHANNELS, "init", "*", nothing),
    local(Reason::Constant, CHANNELS, "preClose0", "*", nothing),
    local(Reason::Constant, CHANNELS, "force0", "*", super::zero),
    row(CHANNELS, "size0", "*", channel_size),
    row(CHANNELS, "seek0", "*", channel_seek),
    row(CHANNELS, "truncate0", "*", channel_truncate),
    row(CHANNELS, "close0", "*", channel_close),
];

fn unsupported(what: &str) -> Result<Reply, Trap> {
    Err(Fault::unsupported(what).into())
}

fn refuse_times(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    unsupported("the time of a file's last change")
}

fn refuse_rights(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    unsupported("owners and permissions of files")
}

fn refuse_space(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    unsupported("asking how much space a disk has")
}

fn refuse_links(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    unsupported("links between files")
}

fn refuse_watching(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    unsupported("watching a folder for changes (WatchService)")
}

fn refuse_mapping(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    unsupported("files mapped into memory (FileChannel.map)")
}

fn refuse_locks(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    unsupported("locks on files (FileChannel.lock)")
}

/// The library's handler of log files has a lock that only other processes can notice, and does without where locks cannot
/// be had.
fn try_lock(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let handler = "java/util/logging/FileHandler";
    let thread = machine.threads.get(machine.current);
    let is_of_handler = thread.is_some_and(|thread| {
        let mut callers = frames(&machine.world, thread).take(2);
        let class = |method| machine.world.class_name(machine.world.method(method).class);
        callers.any(|frame| class(frame.method) == handler)
    });
    match is_of_handler {
        true => raise("java/io/IOException", "No locks available"),
        false => refuse_locks(machine, arguments),
    }
}

fn refuse_transfer(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    unsupported("FileChannel.transferTo and transferFrom: read and write, or use Files.copy")
}

impl Machine {
    /// The path of a `File` object.
    fn file_path(&self, file: Reference) -> Result<String, Trap> {
        self.text(Reference(self.get_field(file, "path")?))
    }

    /// A path of the default file system, as the program wrote it, and its entry.
    fn named(&mut self, path: Reference) -> Result<(Reference, Reference), Trap> {
        let class = self.class_of(path)?;
        if self.world.class_name(class) != "sun/nio/fs/UnixPath" {
            return Err(
                Fault::unsupported("paths of another file system than the default one").into()
            );
        }
        let bytes = Reference(self.get_field(path, "path")?);
        // Nobody ever writes to the bytes of a path, so nobody can tell when they are read.
        let watched = self.heap.look_away();
        let text = self.byte_array(bytes);
        self.heap.resume_watch(watched);
        let text = String::from_utf8_lossy(&text?).into_owned();
        let entry = self.file_entry(&text)?;
        let text = self.new_string(&text)?;
        Ok((entry, text))
    }

    /// A call about a path.
    fn on_path(
        &mut self,
        action: FileAction,
        style: Style,
        path: Reference,
    ) -> Result<FileCall, Trap> {
        let (entry, text) = self.named(path)?;
        Ok(FileCall { second: text, ..FileCall::new(action, style, entry) })
    }

    /// The descriptor of a stream.
    fn descriptor_of(&self, arguments: &[u64]) -> Result<Reference, Trap> {
        let stream = object(arguments, 0)?;
        let descriptor = Reference(self.get_field(stream, "fd")?);
        descriptor.non_null().ok_or_else(|| Trap::raise("java/lang/NullPointerException", None))
    }

    /// Opens the file that is named by the argument after a stream, for the stream.
    fn open_stream(&mut self, arguments: &[u64], flags: u64) -> Result<Reply, Trap> {
        let path = object(arguments, 1)?;
        let entry = self.file_entry(&self.text(path)?)?;
        let third = self.descriptor_of(arguments)?;
        let call = FileCall::new(FileAction::Open, Style::Stream, entry);
        self.on_files(FileCall { second: path, third, number: flags, ..call }, false)
    }

    /// An array that a native reads or fills must have this part.
    fn check_part(&self, array: Reference, from: i32, count: i32) -> Result<(), Trap> {
        let length = self.length(array)?;
        if from < 0 || count < 0 || i64::from(from) + i64::from(count) > i64::from(length) {
            return Err(Trap::raise("java/lang/IndexOutOfBoundsException", None));
        }
        Ok(())
    }

    /// Whether one of the options in an array is this constant of an enumeration.
    fn has_option(&mut self, options: &[Reference], class: &str, name: &str) -> Result<bool, Trap> {
        let class = self.load_initialized(class)?;
        let (mirror, word) = self.static_place(class, name)?;
        let constant = self.load_reference(mirror, word)?;
        Ok(options.contains(&constant))
    }

    /// A new stream with a descriptor that is yet to be opened.
    fn stream_to_open(&mut self, class: &'static str) -> Result<(Reference, Reference), Trap> {
        let descriptor = self.construct(DESCRIPTOR, "()V", &[])?;
        let stream = self.construct(class, "(Ljava/io/FileDescriptor;)V", &[descriptor.0])?;
        Ok((stream, descriptor))
    }
}

fn open_input(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    machine.open_stream(arguments, open::READ)
}

fn open_output(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let how = if int(arguments, 2) != 0 { open::APPEND } else { open::TRUNCATE };
    machine.open_stream(arguments, open::WRITE | open::CREATE | how)
}

fn open_random(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    const READ_ONLY: i32 = 1;
    let flags = match int(arguments, 2) & READ_ONLY {
        0 => open::READ | open::WRITE | open::CREATE,
        _ => open::READ,
    };
    machine.open_stream(arguments, flags)
}

/// An operation on the file that a stream has open.
fn on_stream(
    machine: &mut Machine,
    arguments: &[u64],
    action: FileAction,
    number: u64,
    answers: bool,
) -> Result<Reply, Trap> {
    let descriptor = machine.descriptor_of(arguments)?;
    let call = FileCall::new(action, Style::Stream, descriptor);
    machine.on_files(FileCall { number, ..call }, answers)
}

fn read_byte(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    on_stream(machine, arguments, FileAction::Read, part(0, 1), true)
}

fn read_bytes(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (target, from, count) = (object(arguments, 1)?, int(arguments, 2), int(arguments, 3));
    machine.check_part(target, from, count)?;
    let descriptor = machine.descriptor_of(arguments)?;
    let call = FileCall::new(FileAction::Read, Style::Stream, descriptor);
    let scratch = machine.scratch(target)?;
    let second = scratch.unwrap_or(target);
    let reply = machine.on_files(FileCall { second, number: part(from, count), ..call }, true)?;
    let (Some(scratch), Reply::Call(method, call, _)) = (scratch, &reply) else {
        return Ok(reply);
    };
    let mut words: SmallVec<[u64; 6]> = smallvec![scratch.0, target.0, from as u64];
    words.extend_from_slice(call);
    machine.in_sight(Body::FillFrom(*method), &words)
}

fn write_byte(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    on_stream(machine, arguments, FileAction::Write, word(arguments, 1) & 0xFF, false)
}

fn write_bytes(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (source, from, count) = (object(arguments, 1)?, int(arguments, 2), int(arguments, 3));
    machine.check_part(source, from, count)?;
    if let Some(reply) = machine.private_copy(arguments, 1, Some((from, count)))? {
        return Ok(reply);
    }
    let descriptor = machine.descriptor_of(arguments)?;
    let call = FileCall::new(FileAction::Write, Style::Stream, descriptor);
    let call = FileCall { second: source, number: part(from, count), ..call };
    machine.on_files(call, false)
}

fn length(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    on_stream(machine, arguments, FileAction::Length, 0, true)
}

fn position(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    on_stream(machine, arguments, FileAction::Position, 0, true)
}

fn skip(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    on_stream(machine, arguments, FileAction::Skip, word(arguments, 1), true)
}

fn available(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    on_stream(machine, arguments, FileAction::Available, 0, true)
}

fn seek(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    on_stream(machine, arguments, FileAction::Seek, word(arguments, 1), false)
}

fn resize(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    on_stream(machine, arguments, FileAction::Resize, word(arguments, 1), false)
}

/// An operation on a descriptor.
fn on_descriptor(
    machine: &mut Machine,
    arguments: &[u64],
    action: FileAction,
    number: u64,
    answers: bool,
) -> Result<Reply, Trap> {
    let call = FileCall::new(action, Style::Path, object(arguments, 0)?);
    machine.on_files(FileCall { number, ..call }, answers)
}

fn close(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    on_descriptor(machine, arguments, FileAction::Close, 0, false)
}

fn channel_close(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    on_descriptor(machine, arguments, FileAction::Close, 0, false)
}

fn channel_size(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    on_descriptor(machine, arguments, FileAction::Length, 0, true)
}

fn channel_seek(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    match word(arguments, 1) as i64 {
        place if place < 0 => on_descriptor(machine, arguments, FileAction::Position, 0, true),
        place => on_descriptor(machine, arguments, FileAction::Seek, place as u64, true),
    }
}

fn channel_truncate(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    on_descriptor(machine, arguments, FileAction::Resize, word(arguments, 1), true)
}

/// Reads or writes through a buffer, which must be an array of its own.
fn through_buffer(
    machine: &mut Machine,
    arguments: &[u64],
    action: FileAction,
) -> Result<Reply, Trap> {
    let (descriptor, buffer) = (object(arguments, 0)?, object(arguments, 1)?);
    if machine.is_reached(buffer) {
        return unsupported("a ByteBuffer that threads share, given to a FileChannel");
    }
    let array = Reference(machine.get_field(buffer, "hb")?);
    if array.is_null() {
        return unsupported("a direct ByteBuffer given to a FileChannel");
    }
    let number = |machine: &Machine, name: &'static str| machine.get_field(buffer, name);
    let (at, limit) = (number(machine, "position")? as i32, number(machine, "limit")? as i32);
    let from = number(machine, "offset")? as i32 + at;
    let place = word(arguments, 2) as i64;
    let call = FileCall {
        second: array,
        third: buffer,
        number: part(from, limit - at),
        place: u64::try_from(place).ok(),
        ..FileCall::new(action, Style::Path, descriptor)
    };
    machine.on_files(call, true)
}

fn read_buffer(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    through_buffer(machine, arguments, FileAction::Read)
}

fn write_buffer(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    through_buffer(machine, arguments, FileAction::Write)
}

fn open_channel(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    const FLAGS: [(&str, u64); 7] = [
        ("read", open::READ),
        ("write", open::WRITE),
        ("append", open::APPEND),
        ("truncateExisting", open::TRUNCATE),
        ("create", open::CREATE),
        ("createNew", open::NEW | open::CREATE),
        ("deleteOnClose", open::DELETE),
    ];
    let (path, options) = (object(arguments, 1)?, object(arguments, 3)?);
    let mut number = 0;
    for (name, flag) in FLAGS {
        if machine.get_field(options, name)? & 1 != 0 {
            number |= flag;
        }
    }
    if number & open::WRITE == 0 {
        number &= !(open::CREATE | open::NEW | open::TRUNCATE);
    }
    let third = machine.construct(DESCRIPTOR, "()V", &[])?;
    let call = machine.on_path(FileAction::Open, Style::System, path)?;
    machine.on_files(FileCall { third, number, place: Some(third.0), ..call }, true)
}

/// Asks about the path of a `File`.
fn ask_file(
    machine: &mut Machine,
    arguments: &[u64],
    action: FileAction,
    number: u64,
) -> Result<Reply, Trap> {
    let path = machine.file_path(object(arguments, 1)?)?;
    let entry = machine.file_entry(&path)?;
    machine.on_files(FileCall { number, ..FileCall::new(action, Style::Quiet, entry) }, true)
}

/// What can be asked about a file, as the JDK numbers it, and that the answer is turned round.
const EXISTS: u64 = 1;
const REGULAR: u64 = 2;
const FOLDER: u64 = 4;
const NOT: u64 = 1 << 32;

fn attributes(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    ask_file(machine, arguments, FileAction::Ask, 0)
}

fn check_access(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    const EXECUTE: i32 = 1;
    match int(arguments, 2) {
        EXECUTE => refuse_rights(machine, arguments),
        _ => ask_file(machine, arguments, FileAction::Ask, EXISTS),
    }
}

/// Files can be read and written, and whether one can be run is refused, so granting a right changes nothing.
fn set_permission(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    match int(arguments, 3) {
        0 => refuse_rights(machine, arguments),
        _ => ask_file(machine, arguments, FileAction::Ask, EXISTS),
    }
}

fn file_length(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    ask_file(machine, arguments, FileAction::AskLength, 0)
}

fn create_folder(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    ask_file(machine, arguments, FileAction::MakeFolder, 0)
}

fn delete(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    ask_file(machine, arguments, FileAction::Delete, 0)
}

fn list(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    ask_file(machine, arguments, FileAction::List, 0)
}

fn rename(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let from = machine.file_path(object(arguments, 1)?)?;
    let to = machine.file_path(object(arguments, 2)?)?;
    let (from, to) = (machine.file_entry(&from)?, machine.file_entry(&to)?);
    let call = FileCall::new(FileAction::Move, Style::Quiet, from);
    machine.on_files(FileCall { third: to, number: 1, ..call }, true)
}

fn create_exclusively(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let path = object(arguments, 1)?;
    let entry = machine.file_entry(&machine.text(path)?)?;
    let number = open::WRITE | open::CREATE | open::NEW;
    let call = FileCall::new(FileAction::Open, Style::Quiet, entry);
    machine.on_files(FileCall { number, ..call }, true)
}

fn canonical(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let path = machine.text(object(arguments, 1)?)?;
    let entry = machine.file_entry(&path)?;
    let found = machine.path_of_entry(entry).unwrap_or(path);
    let found = std::fs::canonicalize(&found).map_or(found, |path| path.display().to_string());
    let string = machine.new_string(&found)?;
    answer(string)
}

/// How many bytes the name of a file may have.
fn longest_name(_: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    Ok(Reply::Word(255))
}

fn working_folder(machine: &mut Machine, _: &[u64]) -> Result<Reply, Trap> {
    let folder = std::env::current_dir().unwrap_or_else(|_| "/".into());
    let bytes = machine.new_byte_array(folder.display().to_string().as_bytes())?;
    answer(bytes)
}

/// What the inner layer of `java.nio.file` asks about a path; an answer goes into an object.
fn fill_attributes(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let call = machine.on_path(FileAction::AskLength, Style::System, object(arguments, 0)?)?;
    machine.on_files(FileCall { third: object(arguments, 1)?, ..call }, false)
}

fn real_path(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let call = machine.on_path(FileAction::Ask, Style::System, object(arguments, 0)?)?;
    let path = machine.path_of_entry(call.subject).unwrap_or_default();
    let bytes = machine.new_byte_array(path.as_bytes())?;
    machine.on_files(FileCall { place: Some(bytes.0), ..call }, true)
}

fn open_folder(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let call = machine.on_path(FileAction::List, Style::System, object(arguments, 0)?)?;
    machine.on_files(call, true)
}

fn next_in_folder(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let name = machine.next_name(object(arguments, 0)?)?;
    answer(name)
}

fn error_text(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let text = crate::interpret::files::error_text(int(arguments, 0) as u64);
    let bytes = machine.new_byte_array(text.as_bytes())?;
    answer(bytes)
}

fn read_all(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let call = machine.on_path(FileAction::ReadAll, Style::Path, object(arguments, 0)?)?;
    machine.on_files(call, true)
}

fn new_input(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let call = machine.on_path(FileAction::Open, Style::Path, object(arguments, 0)?)?;
    let (stream, third) = machine.stream_to_open(INPUT)?;
    let (number, place) = (open::READ, Some(stream.0));
    machine.on_files(FileCall { third, number, place, ..call }, true)
}

fn new_output(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    const OPTIONS: &str = "java/nio/file/StandardOpenOption";
    const FLAGS: [(&str, u64); 6] = [
        ("APPEND", open::APPEND),
        ("TRUNCATE_EXISTING", open::TRUNCATE),
        ("CREATE", open::CREATE),
        ("CREATE_NEW", open::NEW | open::CREATE),
        ("DELETE_ON_CLOSE", open::DELETE),
        ("WRITE", 0),
    ];
    if let Some(reply) = machine.private_copy(arguments, 1, None)? {
        return Ok(reply);
    }
    let options = machine.references(object(arguments, 1)?)?;
    let mut number = open::WRITE;
    for (name, flag) in FLAGS {
        if machine.has_option(&options, OPTIONS, name)? {
            number |= flag;
        }
    }
    if machine.has_option(&options, OPTIONS, "READ")? {
        return raise("java/lang/IllegalArgumentException", "READ not allowed");
    }
    if options.is_empty() {
        number |= open::CREATE | open::TRUNCATE;
    }
    let call = machine.on_path(FileAction::Open, Style::Path, object(arguments, 0)?)?;
    let (stream, third) = machine.stream_to_open(OUTPUT)?;
    machine.on_files(FileCall { third, number, place: Some(stream.0), ..call }, true)
}

fn create_file(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let path = object(arguments, 0)?;
    let call = machine.on_path(FileAction::Open, Style::Path, path)?;
    let number = open::WRITE | open::CREATE | open::NEW;
    machine.on_files(FileCall { number, place: Some(path.0), ..call }, true)
}

/// Asks about a path; the answer is yes or no.
fn ask_path(machine: &mut Machine, arguments: &[u64], number: u64) -> Result<Reply, Trap> {
    let call = machine.on_path(FileAction::Ask, Style::Quiet, object(arguments, 0)?)?;
    machine.on_files(FileCall { number, ..call }, true)
}

fn path_exists(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    ask_path(machine, arguments, EXISTS)
}

fn path_does_not_exist(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    ask_path(machine, arguments, EXISTS | NOT)
}

fn path_is_folder(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    ask_path(machine, arguments, FOLDER)
}

fn path_is_file(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    ask_path(machine, arguments, REGULAR)
}

fn path_size(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let call = machine.on_path(FileAction::AskLength, Style::Path, object(arguments, 0)?)?;
    machine.on_files(call, true)
}

fn must_exist(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let call = machine.on_path(FileAction::Ask, Style::Path, object(arguments, 1)?)?;
    machine.on_files(call, false)
}

fn make_folder(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let call = machine.on_path(FileAction::MakeFolder, Style::Path, object(arguments, 1)?)?;
    machine.on_files(call, false)
}

fn delete_path(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let call = machine.on_path(FileAction::Delete, Style::Path, object(arguments, 1)?)?;
    // Whether it is a failure that there is nothing.
    machine.on_files(FileCall { number: word(arguments, 2) & 1 ^ 1, ..call }, true)
}

fn transfer(machine: &mut Machine, arguments: &[u64], action: FileAction) -> Result<Reply, Trap> {
    const OPTIONS: &str = "java/nio/file/StandardCopyOption";
    if let Some(reply) = machine.private_copy(arguments, 3, None)? {
        return Ok(reply);
    }
    let options = machine.references(object(arguments, 3)?)?;
    let replaces = machine.has_option(&options, OPTIONS, "REPLACE_EXISTING")?;
    let atomic = machine.has_option(&options, OPTIONS, "ATOMIC_MOVE")?;
    let (third, _) = machine.named(object(arguments, 2)?)?;
    let call = machine.on_path(action, Style::Path, object(arguments, 1)?)?;
    let number = u64::from(replaces || atomic);
    machine.on_files(FileCall { third, number, ..call }, false)
}

fn copy_path(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    transfer(machine, arguments, FileAction::Copy)
}

fn move_path(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    transfer(machine, arguments, FileAction::Move)
}

fn is_same(machine: &mut Machine, arguments: &[u64]) -> Result<Reply, Trap> {
    let (other, _) = machine.named(object(arguments, 2)?)?;
    let call = machine.on_path(FileAction::Ask, Style::Path, object(arguments, 1)?)?;
    let same = u64::from(other == call.subject);
    machine.on_files(FileCall { place: Some(same), ..call }, true)
}
