//! Where a program stands that a child works on.
//!
//! A saved source is worked on where it is, as from the command line. A text that was edited and not saved,
//! and an example, stand in a copy below the server's own folder, under the same path; with an edited source
//! its neighbours are copied as well, so that what it mentions is found.

use std::fs;
use std::path::{Path, PathBuf};

use axum::http::StatusCode;
use serde::{Deserialize, Serialize};

use super::files::{FileError, Files};

/// Neighbours are copied up to so many files and bytes.
const MOST_COPIED: usize = 500;
const MOST_BYTES: u64 = 8 << 20;

/// So many edited texts that were walked through are kept.
const MOST_WALKED: usize = 40;

/// Whose program it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Owner {
    /// A file below the folder.
    File,
    /// One of the examples.
    Example,
    /// What a run has worked on, as it was then.
    Run,
}

/// A program, as the page names it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramName {
    /// Whose it is.
    pub owner: Owner,
    /// Its path; for a run, its number.
    pub path: String,
    /// The text, if it was edited.
    #[serde(default, skip_serializing)]
    pub text: Option<String>,
}

/// A folder to work in, and the program in it.
#[derive(Clone, Debug)]
pub struct Workplace {
    /// The folder.
    pub folder: PathBuf,
    /// The path of the program from there.
    pub target: String,
}

impl Workplace {
    /// The place of a program that belongs to no run; copies go into this folder.
    pub fn new(files: &Files, name: &ProgramName, copies: &Path) -> Result<Workplace, FileError> {
        let target = name.path.clone();
        remove_old_copies(copies);
        match (name.owner, &name.text) {
            (Owner::File, None) => {
                files.find(&target)?;
                Ok(Workplace { folder: files.root().to_path_buf(), target })
            }
            (Owner::File, Some(text)) => {
                files.find(&target)?;
                let mut left = MOST_BYTES;
                for path in files.list().into_iter().take(MOST_COPIED) {
                    let found = files.find(&path)?;
                    let size = fs::metadata(&found).map_or(0, |found| found.len());
                    if size <= left && path != target {
                        left -= size;
                        let neighbour = fs::read(&found).unwrap_or_default();
                        put(copies, &path, &neighbour)?;
                    }
                }
                put(copies, &target, text.as_bytes())?;
                Ok(Workplace { folder: copies.to_path_buf(), target })
            }
            (Owner::Example, text) => {
                let original = Files::example(&target)?;
                put(copies, &target, text.as_deref().unwrap_or(original).as_bytes())?;
                Ok(Workplace { folder: copies.to_path_buf(), target })
            }
            (Owner::Run, _) => {
                Err(FileError(StatusCode::BAD_REQUEST, "a run has its program already".to_string()))
            }
        }
    }
}

/// Removes the oldest copies beside this one, if there are many.
fn remove_old_copies(copies: &Path) {
    let Some(folder) = copies.parent() else { return };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_walk = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with("walk-");
    let age = |entry: &fs::DirEntry| entry.metadata().and_then(|found| found.modified()).ok();
    let mut walks: Vec<fs::DirEntry> = entries.filter(is_walk).collect();
    walks.sort_by_key(age);
    for old in walks.iter().rev().skip(MOST_WALKED) {
        let _ = fs::remove_dir_all(old.path());
    }
}

/// Writes a copy; the path was looked up, so it stays below the folder.
fn put(folder: &Path, path: &str, bytes: &[u8]) -> Result<(), FileError> {
    let target = folder.join(path);
    if fs::read(&target).is_ok_and(|known| known == bytes) {
        // Who works on it need not notice.
        return Ok(());
    }
    let parent = target.parent().unwrap_or(folder);
    fs::create_dir_all(parent).and_then(|()| fs::write(&target, bytes)).map_err(|error| {
        FileError(StatusCode::INSUFFICIENT_STORAGE, format!("cannot copy the program: {error}"))
    })
}
