//! Compiling `.java` files with the JDK's own `javac`, with full debug information.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::{Jdk, input_class};
use crate::error::Error;

/// From how many source files on the compiler runs long enough to be optimised itself.
const MANY_SOURCES: usize = 50;

/// Of how many errors the compiler tells: nobody reads more at once, and with the lines of the source they fill screens.
const MOST_ERRORS: &str = "30";

/// Compiles source files into a fresh temporary folder, which lives as long as the result.
///
/// What `javac` prints when it fails is passed on unchanged, with paths as the user gave them.
pub fn compile(jdk: &Jdk, sources: &[PathBuf], class_path: &[PathBuf]) -> Result<TempDir, Error> {
    compile_below(jdk, sources, &[], class_path)
}

/// The same; other sources that these mention are taken from below the `roots`.
pub(super) fn compile_below(
    jdk: &Jdk,
    sources: &[PathBuf],
    roots: &[PathBuf],
    class_path: &[PathBuf],
) -> Result<TempDir, Error> {
    let Compiled { folder, success, output } =
        run_compiler(jdk, sources, roots, class_path, &["-nowarn", "-Xlint:none"])?;
    if success { Ok(folder) } else { Err(Error::Compile { output, missing: String::new() }) }
}

/// What the compiler has done.
pub(crate) struct Compiled {
    /// Where the classes are.
    pub folder: TempDir,
    /// Whether there was no error.
    pub success: bool,
    /// What it said.
    pub output: String,
}

/// Compiles sources and keeps what the compiler says, warnings included; other sources that these mention
/// are taken from where their packages begin.
pub(crate) fn compile_with_warnings(
    jdk: &Jdk,
    sources: &[PathBuf],
    class_path: &[PathBuf],
) -> Result<Compiled, Error> {
    let lints = ["-Xlint:all,-serial,-processing,-path,-classfile"];
    run_compiler(jdk, sources, &super::target::source_roots(sources), class_path, &lints)
}

fn run_compiler(
    jdk: &Jdk,
    sources: &[PathBuf],
    roots: &[PathBuf],
    class_path: &[PathBuf],
    lints: &[&str],
) -> Result<Compiled, Error> {
    let folder = tempfile::Builder::new()
        .prefix("counterpoint-")
        .tempdir()
        .map_err(|source| Error::Temporary { path: std::env::temp_dir(), source })?;
    let mut command = Command::new(jdk.tool("javac"));
    command
        .args(["-g", "-encoding", "UTF-8", "-proc:none"])
        .args(lints)
        .arg("-d")
        .arg(folder.path())
        .args(["-Xmaxerrs", MOST_ERRORS]);
    if sources.len() < MANY_SOURCES && !has_own_options() {
        // The compiler is gone before code that is optimised well, or garbage collected side by side, would pay.
        command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
    }
    let inputs = put_input_class(folder.path())?;
    command.arg("-cp").arg(joined(class_path, &inputs));
    if let Ok(roots) = std::env::join_paths(roots)
        && !roots.is_empty()
    {
        command.arg("-sourcepath").arg(roots);
    }
    let output = jdk
        .run(command.args(sources))
        .map_err(|cause| Error::NoCompiler { path: jdk.tool("javac"), what: cause.to_string() })?
        .ok_or(Error::Interrupted)?;
    let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    let output_text = text.trim_end().to_string();
    Ok(Compiled { folder, success: output.status.success(), output: output_text })
}

/// Whether the user has settings for every virtual machine, which others could contradict.
fn has_own_options() -> bool {
    ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JDK_JAVAC_OPTIONS"]
        .iter()
        .any(|variable| std::env::var_os(variable).is_some())
}

/// Puts the class of inputs where sources find it unless they have their own.
fn put_input_class(folder: &Path) -> Result<PathBuf, Error> {
    let path = folder.join(input_class::NAME).with_extension("class");
    let package = path.parent().unwrap_or(folder);
    std::fs::create_dir_all(package)
        .and_then(|()| std::fs::write(&path, input_class::class_file()))
        .map_err(|source| Error::Temporary { path: std::env::temp_dir(), source })?;
    Ok(folder.to_path_buf())
}

/// The class path for the compiler: the given one, or what `javac` would use, and a last folder.
fn joined(class_path: &[PathBuf], last: &Path) -> OsString {
    let own = std::env::var_os("CLASSPATH").unwrap_or_else(|| OsString::from("."));
    let usual: Vec<PathBuf> = std::env::split_paths(&own).collect();
    let entries = if class_path.is_empty() { &usual } else { class_path };
    let all = entries.iter().map(|path| -> &Path { path }).chain([last]);
    // An entry with a separator in its name cannot be written down; the compiler misses it and says so.
    std::env::join_paths(all).unwrap_or_else(|_| last.as_os_str().to_owned())
}
