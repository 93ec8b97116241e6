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
//! `perform.rs` says what the operations do.
//!
//! **Not done.** Links, locks, mapped memory, watching, rights, times other than the machine's own.

mod perform;

pub(crate) use perform::error_text;

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use smallvec::{SmallVec, smallvec};

use super::completion::Touches;
use super::operation::{Address, NextOperation, VisibleOperation};
use super::threads::OperationResult;
use crate::error::Fault;
use crate::machine::{Machine, Trap, bad_reference};
use crate::memory::{Hook, Reference};
use crate::natives::{FILES_ROW, Reply};

const ENTRY: &str = "java/io/File";
const DESCRIPTOR: &str = "java/io/FileDescriptor";

/// What is at a path.
const ABSENT: u64 = 0;
const FOLDER: u64 = 1;
const FILE: u64 = 2;
/// Something on disk that is neither.
const OTHER: u64 = 3;
/// A file on disk that is too large to be read.
const LARGE: u64 = 4;

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
            Err(_) if path.is_file() => (LARGE, 0),
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
        // Whoever uses files in a loop does not only look.
        self.permanent_writes += 1;
        let result = self.perform_on_files(&call)?;
        Ok(OperationResult::Done(answers.then_some(result)))
    }
}
