//! Writing to streams and files so that nothing is lost silently.
//!
//! A reader that goes away (`| head`) is no error: what it wanted to see, it has seen. Anything else
//! that cannot be written is said, and the command ends with code 2.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::trouble::Trouble;

/// Whether a path stands for standard output.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Prints to standard output.
pub fn print(text: &str) -> Result<(), Trouble> {
    let mut stream = io::stdout().lock();
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Trouble::file("write to", Path::new("standard output"), &error))
        }
        _ => Ok(()),
    }
}

/// Prints to standard error, where there is nobody left to tell about an error.
pub fn complain(text: &str) {
    let mut stream = io::stderr().lock();
    let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
}

/// Writes a file as a whole or not at all, or to standard output for `-`.
pub fn write(path: &Path, contents: &str) -> Result<(), Trouble> {
    if is_stdout(path) {
        return print(contents);
    }
    write_file(path, contents).map_err(|error| Trouble::file("write", path, &error))
}

/// Writes a file as a whole or not at all: first beside it, then into its place.
pub fn write_file(path: &Path, contents: &str) -> io::Result<()> {
    let special = fs::metadata(path).is_ok_and(|found| !found.is_file());
    if special {
        let mut file = fs::OpenOptions::new().write(true).open(path)?;
        return file.write_all(contents.as_bytes()).and_then(|()| file.flush());
    }
    let name = path.file_name().unwrap_or(OsStr::new("output")).to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let attempt = write_through(&beside, contents).and_then(|()| fs::rename(&beside, path));
    if attempt.is_err() {
        let _ = fs::remove_file(&beside);
    }
    attempt
}

fn write_through(path: &Path, contents: &str) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(contents.as_bytes())?;
    file.sync_all()
}

/// Whether a file could be written there, found out before hours of work depend on it.
pub fn check_file(path: &Path) -> Result<(), Trouble> {
    if is_stdout(path) {
        return Ok(());
    }
    let existed = path.exists();
    let attempt = fs::OpenOptions::new().append(true).create(true).open(path);
    match attempt {
        Ok(_) => {
            if !existed {
                let _ = fs::remove_file(path);
            }
            Ok(())
        }
        Err(error) => Err(Trouble::file("write", path, &error)),
    }
}

/// Whether files could be written into a folder; makes the folder if need be.
pub fn check_folder(path: &Path) -> Result<(), Trouble> {
    fs::create_dir_all(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Trouble::new(format!("cannot use `{}` as a folder: it is a file", path.display()))
        }
        _ => Trouble::file("make the folder", path, &error),
    })?;
    check_file(&path.join("index.html"))
}
