//! A file that is read from a position of its own.
//!
//! Processes that are forked share an open file with its position, as the system keeps it: if both seek and read, each
//! gets what the other one wanted. Here the position is in memory, which they do not share, and every read names it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// An open file.
#[derive(Debug)]
pub struct PositionedFile {
    file: File,
    position: u64,
}

impl PositionedFile {
    /// Opens a file.
    pub fn open(path: &Path) -> io::Result<PositionedFile> {
        File::open(path).map(|file| PositionedFile { file, position: 0 })
    }

    /// How many bytes it has.
    pub fn length(&self) -> io::Result<u64> {
        self.file.metadata().map(|metadata| metadata.len())
    }
}

impl Read for PositionedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(&self.file, buffer, self.position)?;
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(&self.file, buffer, self.position)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for PositionedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let moved = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
            SeekFrom::End(offset) => self.length()?.checked_add_signed(offset),
        };
        self.position = moved.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_readers_of_one_file_do_not_disturb_each_other() {
        let path = std::env::temp_dir().join(format!("positioned-{}", std::process::id()));
        std::fs::write(&path, b"0123456789").unwrap();
        let mut one = PositionedFile::open(&path).unwrap();
        // The same open file of the system, as after a fork.
        let mut other = PositionedFile { file: one.file.try_clone().unwrap(), position: 0 };
        let read = |file: &mut PositionedFile, to: SeekFrom| {
            let mut bytes = [0; 2];
            file.seek(to).unwrap();
            file.read_exact(&mut bytes).unwrap();
            String::from_utf8(bytes.to_vec()).unwrap()
        };
        assert_eq!(read(&mut one, SeekFrom::Start(4)), "45");
        assert_eq!(read(&mut other, SeekFrom::Current(0)), "01");
        assert_eq!(read(&mut one, SeekFrom::Current(0)), "67");
        assert_eq!(read(&mut other, SeekFrom::End(-2)), "89");
        assert!(one.seek(SeekFrom::Current(-100)).is_err());
        std::fs::remove_file(&path).unwrap();
    }
}
