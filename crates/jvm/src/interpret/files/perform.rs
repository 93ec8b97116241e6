//! What operations on files do, and how they fail.

use std::path::{Path, PathBuf};

use super::{ABSENT, FILE, FOLDER, FileAction, FileCall, LARGE, OTHER, Style, open};
use crate::error::Fault;
use crate::machine::{Machine, Trap, bad_reference, raise};
use crate::memory::{ARRAY_HEADER_WORDS, Reference};

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

impl Machine {
    pub(super) fn perform_on_files(&mut self, call: &FileCall) -> Result<u64, Trap> {
        let subject = call.subject;
        match call.action {
            FileAction::Open => self.open_file(call),
            FileAction::Ask => self.ask(call),
            FileAction::AskLength => {
                let state = self.number_of(subject)?;
                let length = match state {
                    FILE => self.number_of(self.part_of(subject)?)?,
                    FOLDER => 4096,
                    OTHER | LARGE => return Err(self.not_ordinary(subject)),
                    _ => return self.fail(call, Failure::Missing),
                };
                if let Some(attributes) = call.third.non_null() {
                    const MODES: [u64; 5] = [0, 0o040_755, 0o100_644, 0, 0];
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
                OTHER | LARGE => Err(self.not_ordinary(subject)),
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
            FILE | LARGE => 3,
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

    /// A new empty content at a path.
    fn create_content(&mut self, entry: Reference) -> Result<Reference, Trap> {
        let path = Reference(self.get_field(entry, "path")?);
        let content = self.new_entry(path)?;
        self.set_part(entry, content)?;
        self.set_number(entry, FILE)?;
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
            OTHER | LARGE => return Err(self.not_ordinary(entry)),
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
        self.worked(count as u64)?;
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

    /// Writes bytes into an array, from a place on.
    pub(crate) fn fill(&mut self, array: Reference, from: u32, bytes: &[u8]) -> Result<(), Trap> {
        self.worked(bytes.len() as u64)?;
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
        Ok(1)
    }

    /// Moves or copies what is at one path to another; the number says whether what is there is replaced.
    fn transfer(&mut self, call: &FileCall) -> Result<u64, Trap> {
        let (from, to) = (call.subject, call.third);
        let state = self.number_of(from)?;
        match state {
            ABSENT => return self.fail(call, Failure::Missing),
            OTHER | LARGE => return Err(self.not_ordinary(from)),
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
            return Ok(1);
        }
        if state == FOLDER {
            self.set_number(to, FOLDER)?;
            self.set_part(to, Reference::NULL)?;
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
