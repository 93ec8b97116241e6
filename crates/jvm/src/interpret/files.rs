//! Files in memory: what a program writes, over the files on disk as they were found.
//!
//! **Problem.** A program under test must not change the user's disk, and what it does to files must be undone with
//! everything else when an explorer goes back. Two threads that use one file may notice each other.
//!
//! **Idea.** All that is known about files lies in the heap, where every write is undone anyway. For each path that
//! a program names there is one *entry*, a `java.io.File` with two words of the machine's own, made once for all
//! executions: what is at the path, and its content. A *content* is such an object, too: how many bytes it has, and
//! an array of at least as many. A content is made by the thread that makes the file and belongs to whoever has
//! the file open, so that one that was deleted or moved can still be written to. A `FileDescriptor` has four words:
//! content, entry, position and how it was opened. The bytes of a file on disk are read when it is first opened
//! and are never written to: whoever writes first copies them.
//!
//! All operations are calls of one method of the machine's own, each a step with the footprint that
//! [`Machine::file_touches`] gives it: the entries that it looks at or changes, the list of entries of a folder
//! (the second word of the folder's entry), contents, and the position of a descriptor that threads share. Files
//! order nothing else: no thread may rely on a file to see what another one wrote to memory.
//!
//! **Invariant.** No entry and no content is touched but by these operations, and nothing here writes to the disk.
//! What an operation touches depends only on what it touches.
//!
//! **Cost.** Nothing for programs that use no files. An operation on a file costs a look at a table of paths.
//!
//! **Not done.** Links, locks, mapped memory, watching, rights, times other than the machine's own.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use smallvec::{SmallVec, smallvec};

use super::completion::Touches;
use super::operation::{Address, NextOperation, VisibleOperation};
use super::threads::OperationResult;
use crate::error::Fault;
use crate::machine::{Machine, Trap, bad_reference, raise};
use crate::memory::{ARRAY_HEADER_WORDS, Hook, Reference};
use crate::natives::{FILES_ROW, Reply};

const ENTRY: &str = "java/io/File";
const DESCRIPTOR: &str = "java/io/FileDescriptor";

/// What is at a path.
const ABSENT: u64 = 0;
const FOLDER: u64 = 1;
const FILE: u64 = 2;
/// Something on disk that is no ordinary file, or a very large one.
const OTHER: u64 = 3;

/// How a file is opened.
pub(crate) mod open {
    /// For reading.
    pub(crate) const READ: u64 = 1;
    /// For writing.
    pub(crate) const WRITE: u64 = 2;
    /// All writes go to the end.
    pub(crate) const APPEND: u64 = 4;
    /// It is made if it is not there.
    pub(crate) const CREATE: u64 = 8;
    /// What is in it is removed.
    pub(crate) const TRUNCATE: u64 = 16;
    /// It must not be there.
    pub(crate) const NEW: u64 = 32;
    /// It is deleted when it is closed.
    pub(crate) const DELETE: u64 = 64;
}

/// What is done to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileAction {
    /// Opens a file.
    Open,
    /// Closes a descriptor.
    Close,
    /// Reads bytes.
    Read,
    /// Reads all bytes of a file.
    ReadAll,
    /// Writes bytes.
    Write,
    /// Asks how many bytes there are.
    Length,
    /// Asks how many bytes there are after the position.
    Available,
    /// Asks for the position.
    Position,
    /// Moves the position.
    Seek,
    /// Moves the position on.
    Skip,
    /// Changes how many bytes there are.
    Resize,
    /// Asks what is at a path.
    Ask,
    /// Asks how long the file at a path is.
    AskLength,
    /// Makes a folder.
    MakeFolder,
    /// Deletes a file or folder.
    Delete,
    /// Lists a folder.
    List,
    /// Moves a file.
    Move,
    /// Copies a file.
    Copy,
}

const ACTIONS: [FileAction; 18] = [
    FileAction::Open,
    FileAction::Close,
    FileAction::Read,
    FileAction::ReadAll,
    FileAction::Write,
    FileAction::Length,
    FileAction::Available,
    FileAction::Position,
    FileAction::Seek,
    FileAction::Skip,
    FileAction::Resize,
    FileAction::Ask,
    FileAction::AskLength,
    FileAction::MakeFolder,
    FileAction::Delete,
    FileAction::List,
    FileAction::Move,
    FileAction::Copy,
];

impl FileAction {
    /// What a thread does, said with a file.
    pub(crate) fn said(self, path: &str) -> String {
        match self {
            FileAction::Open => format!("opens {path}"),
            FileAction::Close => format!("closes {path}"),
            FileAction::Read | FileAction::ReadAll => format!("reads {path}"),
            FileAction::Write => format!("writes {path}"),
            FileAction::Length | FileAction::Available | FileAction::AskLength => {
                format!("asks for the length of {path}")
            }
            FileAction::Position => format!("asks for its place in {path}"),
            FileAction::Seek | FileAction::Skip => format!("changes its place in {path}"),
            FileAction::Resize => format!("changes the length of {path}"),
            FileAction::Ask => format!("asks whether there is {path}"),
            FileAction::MakeFolder => format!("makes the folder {path}"),
            FileAction::Delete => format!("deletes {path}"),
            FileAction::List => format!("lists {path}"),
            FileAction::Move => format!("moves {path}"),
            FileAction::Copy => format!("copies {path}"),
        }
    }
}

/// In which words a failure is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// As `java.io` opens files: a `FileNotFoundException`.
    Stream,
    /// As `java.io.File` answers: false, zero or null.
    Quiet,
    /// As `java.nio.file` does: an exception that names the path.
    Path,
    /// As its inner layer does: a `UnixException`.
    System,
}

const STYLES: [Style; 4] = [Style::Stream, Style::Quiet, Style::Path, Style::System];

/// A call of the one method that performs all operations.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileCall {
    /// What is done.
    pub action: FileAction,
    /// How a failure is told.
    pub style: Style,
    /// The entry, or the descriptor.
    pub subject: Reference,
    /// The path as the program wrote it, an array of bytes, or what is to be filled.
    pub second: Reference,
    /// Another entry or descriptor, or a buffer whose position moves.
    pub third: Reference,
    /// Flags, a position, or the part of an array: start and count.
    pub number: u64,
    /// Where to read or write, if not at the position.
    pub place: Option<u64>,
}

impl FileCall {
    /// A call with a subject and nothing more.
    pub fn new(action: FileAction, style: Style, subject: Reference) -> FileCall {
        let (second, third) = (Reference::NULL, Reference::NULL);
        FileCall { action, style, subject, second, third, number: 0, place: None }
    }

    fn words(self) -> SmallVec<[u64; 6]> {
        let code = self.action as u64 | (self.style as u64) << 8;
        let place = self.place.unwrap_or(u64::MAX);
        smallvec![code, self.subject.0, self.second.0, self.third.0, self.number, place]
    }

    fn of(words: &[u64]) -> Result<FileCall, Trap> {
        let &[code, subject, second, third, number, place] = words else {
            return Err(Fault::internal("an operation on files with other arguments").into());
        };
        Ok(FileCall {
            action: ACTIONS[(code & 0xFF) as usize % ACTIONS.len()],
            style: STYLES[(code >> 8) as usize % STYLES.len()],
            subject: Reference(subject),
            second: Reference(second),
            third: Reference(third),
            number,
            place: (place != u64::MAX).then_some(place),
        })
    }

    /// The first element and the number of elements of the array that is read or filled.
    fn part(self) -> (u32, u32) {
        ((self.number >> 32) as u32, self.number as u32)
    }
}

/// A part of an array, as a number.
pub(crate) fn part(from: i32, count: i32) -> u64 {
    u64::from(from as u32) << 32 | u64::from(count as u32)
}

/// Why an operation cannot be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failure {
    Missing,
    Exists,
    IsFolder,
    NotFolder,
    NotEmpty,
}

impl Failure {
    /// The words of the system for it, and its number.
    fn told(self) -> (&'static str, u64) {
        match self {
            Failure::Missing => ("No such file or directory", 2),
            Failure::Exists => ("File exists", 17),
            Failure::NotFolder => ("Not a directory", 20),
            Failure::IsFolder => ("Is a directory", 21),
            Failure::NotEmpty => ("Directory not empty", 39),
        }
    }
}

/// A path without steps back and double strokes, from the root.
fn absolute(path: &str) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_else(|_| "/".into());
    let mut clean = PathBuf::new();
    for component in here.join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => _ = clean.pop(),
            other => clean.push(other),
        }
    }
    clean
}

impl Machine {
    /// The reply of a native that is an operation on files; `answers` says whether it has a result.
    pub(crate) fn on_files(&mut self, call: FileCall, answers: bool) -> Result<Reply, Trap> {
        let known = self.caches.file_methods[usize::from(answers)];
        let method = match known {
            Some(method) => method,
            None => {
                let arguments = "(ILjava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;JJ)";
                let descriptor = format!("{arguments}{}", if answers { "J" } else { "V" });
                let method = self.native_of_machine("<file>", &descriptor, &FILES_ROW)?;
                *self.caches.file_methods[usize::from(answers)].insert(method)
            }
        };
        Ok(Reply::Call(method, call.words(), Hook::None))
    }

    /// The machine's own words of an entry or content: a number, and a reference.
    fn entry_words(&self) -> Result<(u32, u32), Fault> {
        let class = self.world.loaded(ENTRY).ok_or_else(bad_reference)?;
        let words = self.world.class(class).instance_words;
        Ok((words - 2, words - 1))
    }

    /// The machine's own words of a descriptor: content, entry, position and flags.
    fn descriptor_words(&self) -> Result<[u32; 4], Fault> {
        let class = self.world.loaded(DESCRIPTOR).ok_or_else(bad_reference)?;
        let words = self.world.class(class).instance_words;
        Ok([words - 2, words - 1, words - 4, words - 3])
    }

    fn number_of(&self, object: Reference) -> Result<u64, Fault> {
        self.load(object, self.entry_words()?.0)
    }

    fn set_number(&mut self, object: Reference, value: u64) -> Result<(), Fault> {
        self.store(object, self.entry_words()?.0, value)
    }

    fn part_of(&self, object: Reference) -> Result<Reference, Fault> {
        self.load_reference(object, self.entry_words()?.1)
    }

    fn set_part(&mut self, object: Reference, value: Reference) -> Result<(), Fault> {
        self.store(object, self.entry_words()?.1, value.0)
    }

    /// The path of an entry or content.
    pub(crate) fn path_of_entry(&self, entry: Reference) -> Option<String> {
        let path = Reference(self.get_field(entry, "path").ok()?).non_null()?;
        self.text(path).ok()
    }

    /// The path of an object of the machine's own for a file, or none if it is another object.
    pub(crate) fn path_of_file(&self, object: Reference) -> Option<String> {
        if self.caches.file_entries.is_empty() {
            return None;
        }
        let class = self.class_of(object).ok()?;
        if self.world.class_name(class) != ENTRY {
            return None;
        }
        self.path_of_entry(object)
    }

    fn new_entry(&mut self, path: Reference) -> Result<Reference, Trap> {
        let class = self.load_class(ENTRY)?;
        let entry = self.new_object(class)?;
        self.set_field(entry, "path", path.0)?;
        Ok(entry)
    }

    /// The entry of a path. It and those of the folders above it are made when they are first named.
    pub(crate) fn file_entry(&mut self, path: &str) -> Result<Reference, Trap> {
        let path = absolute(path);
        self.entry_at(&path)
    }

    fn entry_at(&mut self, path: &Path) -> Result<Reference, Trap> {
        if let Some(known) = self.caches.file_entries.get(path) {
            return Ok(*known);
        }
        if let Some(above) = path.parent() {
            self.entry_at(above)?;
        }
        self.load_initialized(ENTRY)?;
        let (state, length) = match self.world.class_path.read_file(path) {
            Ok(bytes) => (FILE, bytes.len()),
            Err(ErrorKind::IsADirectory) => (FOLDER, 0),
            Err(ErrorKind::NotFound | ErrorKind::NotADirectory) => (ABSENT, 0),
            Err(_) => (OTHER, 0),
        };
        let text = path.display().to_string();
        let name = self.literal_text(&text)?;
        let entry = self.permanently(|machine| {
            machine.name_permanent_objects(&format!("file {text}"));
            let entry = machine.new_entry(name)?;
            machine.set_number(entry, state)?;
            if state == FILE {
                let content = machine.new_entry(name)?;
                machine.set_number(content, length as u64)?;
                machine.set_part(entry, content)?;
            }
            Ok(entry)
        })?;
        self.caches.file_entries.insert(path.to_path_buf(), entry);
        Ok(entry)
    }

    fn folder_of(&self, entry: Reference) -> Option<Reference> {
        let path = self.path_of_entry(entry)?;
        self.caches.file_entries.get(Path::new(&path).parent()?).copied()
    }

    /// What an operation touches that a thread stands before.
    pub(crate) fn file_touches(&self, thread: usize) -> Result<Touches, Trap> {
        let arguments: Result<SmallVec<[u64; 6]>, _> =
            (0..6).rev().map(|index| self.operand(thread, index)).collect();
        self.touches_of_files(&FileCall::of(&arguments?)?)
    }

    fn touches_of_files(&self, call: &FileCall) -> Result<Touches, Trap> {
        let (number, reference) = self.entry_words()?;
        let mut touches = Touches::new();
        let mut touch = |object: Reference, word: u32, writes: bool| {
            let address = Address { object, offset: word * 8 };
            match touches.iter_mut().find(|known: &&mut (Address, bool)| known.0 == address) {
                Some(known) => known.1 |= writes,
                None => touches.push((address, writes)),
            }
        };
        // The entry of a path comes or goes.
        let changes = |touch: &mut dyn FnMut(Reference, u32, bool), entry: Reference| {
            touch(entry, number, true);
            if let Some(folder) = self.folder_of(entry) {
                touch(folder, number, false);
                touch(folder, reference, true);
            }
        };
        let subject = call.subject;
        use FileAction::*;
        match call.action {
            Open => {
                let state = self.number_of(subject)?;
                match state {
                    ABSENT if call.number & open::CREATE != 0 => changes(&mut touch, subject),
                    _ => touch(subject, number, false),
                }
                if state == FILE && call.number & open::TRUNCATE != 0 {
                    touch(self.part_of(subject)?, number, true);
                }
            }
            Ask | AskLength | ReadAll => {
                touch(subject, number, false);
                if call.action != Ask && self.number_of(subject)? == FILE {
                    touch(self.part_of(subject)?, number, false);
                }
            }
            MakeFolder => match self.number_of(subject)? {
                ABSENT => changes(&mut touch, subject),
                _ => touch(subject, number, false),
            },
            Delete => match self.number_of(subject)? {
                ABSENT => touch(subject, number, false),
                state => {
                    changes(&mut touch, subject);
                    if state == FOLDER {
                        touch(subject, reference, false);
                    }
                }
            },
            List => {
                touch(subject, number, false);
                touch(subject, reference, false);
            }
            Move | Copy => {
                if call.action == Move {
                    changes(&mut touch, subject);
                } else {
                    touch(subject, number, false);
                }
                match self.number_of(subject)? {
                    FILE => touch(self.part_of(subject)?, number, false),
                    FOLDER => touch(subject, reference, false),
                    _ => {}
                }
                changes(&mut touch, call.third);
                if self.number_of(call.third)? == FOLDER {
                    touch(call.third, reference, false);
                }
            }
            Close | Read | Write | Length | Available | Position | Seek | Skip | Resize => {
                let [content, entry, position, flags] = self.descriptor_words()?;
                let bytes = self.load_reference(subject, content)?;
                if !bytes.is_null() {
                    let writes = matches!(call.action, Write | Resize);
                    if !matches!(call.action, Close | Position | Seek) {
                        touch(bytes, number, writes);
                    }
                    let closes = call.action == Close;
                    if closes && self.load(subject, flags)? & open::DELETE != 0 {
                        changes(&mut touch, self.load_reference(subject, entry)?);
                    }
                }
                if self.is_reached(subject) || touches.is_empty() {
                    let address = Address { object: subject, offset: position * 8 };
                    touches.push((address, !matches!(call.action, Length | Position)));
                }
            }
        }
        Ok(touches)
    }

    /// What a thread stands before that has stopped before an operation on files.
    pub(crate) fn pending_files(&self, thread: usize) -> Result<NextOperation, Trap> {
        let arguments: Result<SmallVec<[u64; 6]>, _> =
            (0..6).rev().map(|index| self.operand(thread, index)).collect();
        let call = FileCall::of(&arguments?)?;
        let touches = self.touches_of_files(&call)?;
        let Some((subject, _)) = touches.first().copied() else {
            return Err(bad_reference().into());
        };
        Ok(NextOperation::Ready(VisibleOperation::Files { subject, action: call.action }))
    }

    /// Performs an operation on files, or says that the thread must stop before it.
    pub(crate) fn file_operation(
        &mut self,
        arguments: &[u64],
        answers: bool,
        perform: bool,
    ) -> Result<OperationResult, Trap> {
        if self.threads_can_notice() && !perform {
            return Ok(OperationResult::Stop);
        }
        let call = FileCall::of(arguments)?;
        let result = self.perform_on_files(&call)?;
        Ok(OperationResult::Done(answers.then_some(result)))
    }

    fn perform_on_files(&mut self, call: &FileCall) -> Result<u64, Trap> {
        let subject = call.subject;
        match call.action {
            FileAction::Open => self.open_file(call),
            FileAction::Ask => self.ask(call),
            FileAction::AskLength => {
                let state = self.number_of(subject)?;
                let length = match state {
                    FILE => self.number_of(self.part_of(subject)?)?,
                    FOLDER => 4096,
                    OTHER => return Err(self.not_ordinary(subject)),
                    _ => return self.fail(call, Failure::Missing),
                };
                if let Some(attributes) = call.third.non_null() {
                    const MODES: [u64; 4] = [0, 0o040_755, 0o100_644, 0];
                    self.set_field(attributes, "st_mode", MODES[state as usize % MODES.len()])?;
                    self.set_field(attributes, "st_size", length)?;
                    self.set_field(attributes, "st_ino", u64::from(subject.offset()))?;
                    self.set_field(attributes, "st_nlink", 1)?;
                }
                Ok(length)
            }
            FileAction::ReadAll => match self.number_of(subject)? {
                FILE => {
                    let content = self.part_of(subject)?;
                    let bytes = self.content_bytes(content, 0, u32::MAX)?;
                    Ok(self.new_byte_array(&bytes)?.0)
                }
                FOLDER => self.fail(call, Failure::IsFolder),
                OTHER => Err(self.not_ordinary(subject)),
                _ => self.fail(call, Failure::Missing),
            },
            FileAction::MakeFolder => {
                if self.number_of(subject)? != ABSENT {
                    return self.fail(call, Failure::Exists);
                }
                if let Some(failure) = self.no_room(subject)? {
                    return self.fail(call, failure);
                }
                self.set_number(subject, FOLDER)?;
                self.count_change(subject)?;
                Ok(1)
            }
            FileAction::Delete => self.delete_entry(call),
            FileAction::List => self.list_folder(call),
            FileAction::Move | FileAction::Copy => self.transfer(call),
            _ => self.on_descriptor(call),
        }
    }

    /// What is at a path: with a number, whether it is one of these kinds.
    fn ask(&mut self, call: &FileCall) -> Result<u64, Trap> {
        let state = self.number_of(call.subject)?;
        if call.style != Style::Quiet && state == ABSENT {
            return self.fail(call, Failure::Missing);
        }
        if let Some(answer) = call.place {
            return Ok(answer);
        }
        // As `java.io.File` numbers them: something, an ordinary file, a folder.
        let kinds = match state {
            FILE => 3,
            FOLDER => 5,
            OTHER => 1,
            _ => 0,
        };
        Ok(match call.number {
            0 => kinds,
            asked => u64::from(kinds & asked & 0xFF != 0) ^ asked >> 32,
        })
    }

    fn not_ordinary(&self, entry: Reference) -> Trap {
        let path = self.path_of_entry(entry).unwrap_or_default();
        Fault::unsupported(format!("{path}, which is not an ordinary file, or is very large"))
            .into()
    }

    /// An operation that cannot be done, told in the style of who asked for it.
    fn fail(&mut self, call: &FileCall, failure: Failure) -> Result<u64, Trap> {
        let (reason, number) = failure.told();
        if call.style == Style::Quiet {
            // A file that is to be made needs a folder.
            let makes = call.action == FileAction::Open;
            return match failure {
                Failure::Missing | Failure::NotFolder if makes => {
                    raise("java/io/IOException", reason)
                }
                _ => Ok(0),
            };
        }
        if call.style == Style::System {
            let made = self.construct("sun/nio/fs/UnixException", "(I)V", &[number])?;
            return Err(Trap::Throw(made));
        }
        let mut path = match call.second.non_null() {
            Some(path) => self.text(path)?,
            None => self.path_of_entry(call.subject).unwrap_or_default(),
        };
        // Of two paths, the second one is in the way.
        let transfers = matches!(call.action, FileAction::Move | FileAction::Copy);
        if transfers && matches!(failure, Failure::Exists | Failure::NotEmpty) {
            path = self.path_of_entry(call.third).unwrap_or(path);
        }
        if call.style == Style::Stream {
            let class = match call.action {
                FileAction::Open => "java/io/FileNotFoundException",
                _ => "java/io/IOException",
            };
            return raise(class, format!("{path} ({reason})"));
        }
        match failure {
            Failure::Missing => raise("java/nio/file/NoSuchFileException", path),
            Failure::Exists => raise("java/nio/file/FileAlreadyExistsException", path),
            Failure::NotEmpty => raise("java/nio/file/DirectoryNotEmptyException", path),
            Failure::IsFolder if call.action == FileAction::ReadAll => {
                raise("java/io/IOException", reason)
            }
            Failure::NotFolder if call.action == FileAction::List => {
                raise("java/nio/file/NotDirectoryException", path)
            }
            _ => raise("java/nio/file/FileSystemException", format!("{path}: {reason}")),
        }
    }

    /// Why nothing can be made at a path: there is no folder that could hold it.
    fn no_room(&self, entry: Reference) -> Result<Option<Failure>, Trap> {
        let Some(folder) = self.folder_of(entry) else { return Ok(Some(Failure::Exists)) };
        Ok(match self.number_of(folder)? {
            FOLDER => None,
            ABSENT => Some(Failure::Missing),
            _ => Some(Failure::NotFolder),
        })
    }

    /// The list of a folder's entries has changed. Which there are is seen from the entries themselves.
    fn count_change(&mut self, entry: Reference) -> Result<(), Trap> {
        self.permanent_writes += u64::from(self.folder_of(entry).is_some());
        Ok(())
    }

    /// A new empty content at a path.
    fn create_content(&mut self, entry: Reference) -> Result<Reference, Trap> {
        let path = Reference(self.get_field(entry, "path")?);
        let content = self.new_entry(path)?;
        self.set_part(entry, content)?;
        self.set_number(entry, FILE)?;
        self.count_change(entry)?;
        Ok(content)
    }

    fn open_file(&mut self, call: &FileCall) -> Result<u64, Trap> {
        let (entry, flags) = (call.subject, call.number);
        let writes = flags & open::WRITE != 0;
        let content = match self.number_of(entry)? {
            FILE if flags & open::NEW != 0 => return self.fail(call, Failure::Exists),
            FILE => self.part_of(entry)?,
            FOLDER if flags & open::NEW != 0 => return self.fail(call, Failure::Exists),
            FOLDER => return self.fail(call, Failure::IsFolder),
            OTHER => return Err(self.not_ordinary(entry)),
            _ if flags & open::CREATE == 0 => return self.fail(call, Failure::Missing),
            _ => {
                if let Some(failure) = self.no_room(entry)? {
                    return self.fail(call, failure);
                }
                self.create_content(entry)?
            }
        };
        if writes && flags & open::TRUNCATE != 0 {
            self.set_number(content, 0)?;
        }
        if let Some(descriptor) = call.third.non_null() {
            let words = self.descriptor_words()?;
            for (word, value) in words.into_iter().zip([content.0, entry.0, 0, flags]) {
                self.store(descriptor, word, value)?;
            }
            self.set_field(descriptor, "fd", 4)?;
            self.set_field(descriptor, "append", u64::from(flags & open::APPEND != 0))?;
        }
        Ok(call.place.unwrap_or(1))
    }

    /// Bytes of a content from a place on, at most so many.
    fn content_bytes(&self, content: Reference, from: u64, most: u32) -> Result<Vec<u8>, Trap> {
        let length = self.number_of(content)?;
        let count = length.saturating_sub(from).min(u64::from(most)) as usize;
        if count == 0 {
            return Ok(Vec::new());
        }
        let from = from as usize;
        let array = self.part_of(content)?;
        if array.is_null() {
            // It is still as it was on disk.
            let path = self.path_of_entry(content).unwrap_or_default();
            let bytes = self.world.class_path.read_file(Path::new(&path));
            let bytes = bytes.map_err(|_| Fault::internal("a file that was there is gone"))?;
            return Ok(bytes.get(from..from + count).unwrap_or_default().to_vec());
        }
        let mut bytes = Vec::with_capacity(count);
        for index in from..from + count {
            let byte = self.heap.element(array, index as u32, 0).ok_or_else(bad_reference)?;
            bytes.push(byte as u8);
        }
        Ok(bytes)
    }

    /// Writes bytes into a content; a gap before them is filled with zeros.
    fn write_content(&mut self, content: Reference, from: u64, bytes: &[u8]) -> Result<(), Trap> {
        let end = from + bytes.len() as u64;
        let length = self.number_of(content)?;
        if end > i32::MAX as u64 {
            return Err(Fault::unsupported("a file of more than two gigabytes").into());
        }
        let mut array = self.part_of(content)?;
        let room = if array.is_null() { 0 } else { u64::from(self.length(array)?) };
        if end > room {
            let old = self.content_bytes(content, 0, u32::MAX)?;
            let wanted = end.max(length).max(room * 2).max(64);
            array = self.new_array(self.known.byte_array, wanted as u32)?;
            self.fill(array, 0, &old)?;
            self.set_part(content, array)?;
        }
        for index in length..from {
            self.fill(array, index as u32, &[0])?;
        }
        self.fill(array, from as u32, bytes)?;
        Ok(self.set_number(content, length.max(end))?)
    }

    fn fill(&mut self, array: Reference, from: u32, bytes: &[u8]) -> Result<(), Trap> {
        for (index, byte) in (from..).zip(bytes) {
            let done = self.heap.set_element(array, index, 0, *byte as i8 as u64);
            done.ok_or_else(bad_reference)?;
        }
        Ok(())
    }

    /// What is done to an open file.
    fn on_descriptor(&mut self, call: &FileCall) -> Result<u64, Trap> {
        let descriptor = call.subject;
        let [content_word, entry_word, position_word, flags_word] = self.descriptor_words()?;
        let content = self.load_reference(descriptor, content_word)?;
        if call.action == FileAction::Close {
            let entry = self.load_reference(descriptor, entry_word)?;
            if !content.is_null() && self.load(descriptor, flags_word)? & open::DELETE != 0 {
                self.delete_entry(&FileCall::new(FileAction::Delete, Style::Quiet, entry))?;
            }
            self.store(descriptor, content_word, 0)?;
            self.set_field(descriptor, "fd", u64::from(u32::MAX))?;
            return Ok(0);
        }
        if content.is_null() {
            return raise("java/io/IOException", "Stream Closed");
        }
        let flags = self.load(descriptor, flags_word)?;
        let position = self.load(descriptor, position_word)?;
        let length = self.number_of(content)?;
        let remaining = length.saturating_sub(position);
        match call.action {
            FileAction::Length => Ok(length),
            FileAction::Available => Ok(remaining.min(i32::MAX as u64)),
            FileAction::Position => Ok(position),
            FileAction::Seek => {
                self.store(descriptor, position_word, call.number)?;
                Ok(call.number)
            }
            FileAction::Skip => {
                let moved = (call.number as i64).max(-(position as i64));
                self.store(descriptor, position_word, (position as i64 + moved) as u64)?;
                Ok(moved as u64)
            }
            FileAction::Resize => {
                if call.number > length {
                    self.write_content(content, call.number, &[])?;
                } else {
                    self.set_number(content, call.number)?;
                }
                if position > call.number {
                    self.store(descriptor, position_word, call.number)?;
                }
                Ok(0)
            }
            FileAction::Read => {
                if flags & open::READ == 0 {
                    return raise("java/io/IOException", "Bad file descriptor");
                }
                let (from, count) = call.part();
                let at = call.place.unwrap_or(position);
                if count == 0 {
                    return Ok(0);
                }
                let bytes = self.content_bytes(content, at, count)?;
                if bytes.is_empty() {
                    return Ok(u64::from(u32::MAX));
                }
                if call.second.is_null() {
                    self.store(descriptor, position_word, at + 1)?;
                    return Ok(u64::from(bytes[0]));
                }
                self.fill(call.second, from, &bytes)?;
                self.after_transfer(call, bytes.len(), at, position_word)?;
                Ok(bytes.len() as u64)
            }
            _ => {
                if flags & open::WRITE == 0 {
                    return raise("java/io/IOException", "Bad file descriptor");
                }
                let (from, count) = call.part();
                let appends = flags & open::APPEND != 0;
                let at = if appends { length } else { call.place.unwrap_or(position) };
                let mut bytes = Vec::with_capacity(count as usize);
                match call.second.non_null() {
                    Some(array) => {
                        self.check_known(array)?;
                        for index in from..from + count {
                            let byte = self.heap.element(array, index, 0);
                            bytes.push(byte.ok_or_else(bad_reference)? as u8);
                        }
                    }
                    None => bytes.push(call.number as u8),
                }
                self.write_content(content, at, &bytes)?;
                self.after_transfer(call, bytes.len(), at, position_word)?;
                Ok(bytes.len() as u64)
            }
        }
    }

    /// Moves the position of a descriptor, and that of a buffer, behind what was read or written.
    fn after_transfer(
        &mut self,
        call: &FileCall,
        count: usize,
        at: u64,
        position_word: u32,
    ) -> Result<(), Trap> {
        if call.place.is_none() {
            self.store(call.subject, position_word, at + count as u64)?;
        }
        if let Some(buffer) = call.third.non_null() {
            let position = self.get_field(buffer, "position")?;
            self.set_field(buffer, "position", position + count as u64)?;
        }
        Ok(())
    }

    /// The names of what is in a folder, in order.
    fn names_in(&self, folder: Reference) -> Result<Vec<String>, Trap> {
        let path = PathBuf::from(self.path_of_entry(folder).unwrap_or_default());
        let mut names: Vec<String> = self.world.class_path.list_folder(&path);
        for (known, entry) in &self.caches.file_entries {
            if known.parent() != Some(&path) {
                continue;
            }
            let Some(name) = known.file_name().map(|name| name.to_string_lossy().into_owned())
            else {
                continue;
            };
            names.retain(|other| *other != name);
            if self.number_of(*entry)? != ABSENT {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    fn list_folder(&mut self, call: &FileCall) -> Result<u64, Trap> {
        match self.number_of(call.subject)? {
            FOLDER => {}
            ABSENT => return self.fail(call, Failure::Missing),
            _ => return self.fail(call, Failure::NotFolder),
        }
        let names = self.names_in(call.subject)?;
        let mut made = Vec::new();
        for name in &names {
            made.push(match call.style {
                Style::System => self.new_byte_array(name.as_bytes())?,
                _ => self.new_string(name)?,
            });
        }
        let element = match call.style {
            Style::System => self.known.byte_array,
            _ => self.load_class("java/lang/String")?,
        };
        Ok(self.reference_array(element, &made)?.0)
    }

    fn delete_entry(&mut self, call: &FileCall) -> Result<u64, Trap> {
        let entry = call.subject;
        match self.number_of(entry)? {
            ABSENT if call.number != 0 => return Ok(0),
            ABSENT => return self.fail(call, Failure::Missing),
            FOLDER if !self.names_in(entry)?.is_empty() => {
                return self.fail(call, Failure::NotEmpty);
            }
            _ => {}
        }
        self.set_number(entry, ABSENT)?;
        self.set_part(entry, Reference::NULL)?;
        self.count_change(entry)?;
        Ok(1)
    }

    /// Moves or copies what is at one path to another; the number says whether what is there is replaced.
    fn transfer(&mut self, call: &FileCall) -> Result<u64, Trap> {
        let (from, to) = (call.subject, call.third);
        let state = self.number_of(from)?;
        match state {
            ABSENT => return self.fail(call, Failure::Missing),
            OTHER => return Err(self.not_ordinary(from)),
            _ if from == to => return Ok(1),
            FOLDER if call.action == FileAction::Move && !self.names_in(from)?.is_empty() => {
                return Err(Fault::unsupported("moving a folder that is not empty").into());
            }
            _ => {}
        }
        match self.number_of(to)? {
            ABSENT => {}
            _ if call.number == 0 => return self.fail(call, Failure::Exists),
            FOLDER if !self.names_in(to)?.is_empty() => return self.fail(call, Failure::NotEmpty),
            _ => {}
        }
        if let Some(failure) = self.no_room(to)? {
            return self.fail(call, failure);
        }
        if call.action == FileAction::Move {
            let content = self.part_of(from)?;
            self.set_number(to, state)?;
            self.set_part(to, content)?;
            self.set_number(from, ABSENT)?;
            self.set_part(from, Reference::NULL)?;
            self.count_change(from)?;
            self.count_change(to)?;
            return Ok(1);
        }
        if state == FOLDER {
            self.set_number(to, FOLDER)?;
            self.set_part(to, Reference::NULL)?;
            self.count_change(to)?;
            return Ok(1);
        }
        let bytes = self.content_bytes(self.part_of(from)?, 0, u32::MAX)?;
        let content = self.create_content(to)?;
        self.write_content(content, 0, &bytes)?;
        Ok(1)
    }

    /// The next name of a list of a folder, which is forgotten then; null at the end.
    pub(crate) fn next_name(&mut self, list: Reference) -> Result<Reference, Trap> {
        for index in 0..self.length(list)? {
            let name = self.array_reference(list, index)?;
            if !name.is_null() {
                self.store(list, ARRAY_HEADER_WORDS + index, 0)?;
                return Ok(name);
            }
        }
        Ok(Reference::NULL)
    }
}

/// The system's words for a failure with this number.
pub(crate) fn error_text(number: u64) -> &'static str {
    use Failure::*;
    let all = [Missing, Exists, NotFolder, IsFolder, NotEmpty];
    let found = all.into_iter().find(|failure| failure.told().1 == number);
    found.map_or("Input/output error", |failure| failure.told().0)
}
