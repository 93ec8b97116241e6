//! Compiling `.java` files with the JDK's own `javac`, with full debug information.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::Jdk;
use crate::error::Error;

/// Compiles source files into a fresh temporary folder, which lives as long as the result.
///
/// What `javac` prints when it fails is passed on unchanged, with paths as the user gave them.
pub fn compile(jdk: &Jdk, sources: &[PathBuf], class_path: &[PathBuf]) -> Result<TempDir, Error> {
    let folder = tempfile::Builder::new()
        .prefix("counterpoint-")
        .tempdir()
        .map_err(|source| Error::Io { path: std::env::temp_dir(), source })?;
    let mut command = Command::new(jdk.tool("javac"));
    command
        .args(["-g", "-encoding", "UTF-8", "-nowarn", "-Xlint:none", "-proc:none", "-d"])
        .arg(folder.path());
    if let Some(joined) = joined(class_path) {
        command.arg("-cp").arg(joined);
    }
    let output = command
        .args(sources)
        .output()
        .map_err(|cause| Error::NoCompiler { path: jdk.tool("javac"), what: cause.to_string() })?;
    if output.status.success() {
        return Ok(folder);
    }
    let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    Err(Error::Compile { output: text.trim_end().to_string() })
}

fn joined(class_path: &[PathBuf]) -> Option<OsString> {
    if class_path.is_empty() {
        return None;
    }
    std::env::join_paths(class_path.iter().map(|path| -> &Path { path })).ok()
}
