//! Writing to streams and files so that nothing is lost silently.
//!
//! A reader that goes away (`| head`) is no error: what it wanted to see, it has seen. Anything else
//! that cannot be written is said, and the command ends with code 2.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use counterpoint_model::words::is_unseen;

use crate::events;
use crate::trouble::Trouble;

/// Whether a path stands for standard output.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Prints to standard output, or to standard error where standard output is for programs.
pub fn print(text: &str) -> Result<(), Trouble> {
    if events::has_stdout() {
        complain(text);
        return Ok(());
    }
    print_part(text).map_err(|error| to_stdout(&error))
}

/// Prints to standard output, whoever else might want it.
fn print_part(text: &str) -> io::Result<()> {
    let mut stream = io::stdout().lock();
    match stream.write_all(visible(text).as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

fn to_stdout(error: &io::Error) -> Trouble {
    Trouble::file("write to", Path::new("standard output"), error)
}

/// Prints to standard error, where there is nobody left to tell about an error.
pub fn complain(text: &str) {
    let mut stream = io::stderr().lock();
    let _ = stream.write_all(visible(text).as_bytes()).and_then(|()| stream.flush());
}

/// Whether colours are shown.
static COLOURS: AtomicBool = AtomicBool::new(false);

/// From now on, colours reach the streams.
pub fn allow_colours() {
    COLOURS.store(true, Ordering::Relaxed);
}

/// The text with everything that would steer a terminal made visible: names, messages and compilers'
/// words come from outside. Line ends, tabs and our own colours stay.
fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let colours = COLOURS.load(Ordering::Relaxed);
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find(steers) {
        shown.push_str(&rest[..place]);
        rest = &rest[place..];
        let kept = match colours.then(|| colour(rest)).flatten() {
            Some(length) => length,
            None if rest.starts_with("\r\n") => {
                rest = &rest[1..];
                continue;
            }
            None => {
                let letter = rest.chars().next().expect("one was found");
                shown.extend(letter.escape_default());
                rest = &rest[letter.len_utf8()..];
                continue;
            }
        };
        shown.push_str(&rest[..kept]);
        rest = &rest[kept..];
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

/// Whether a letter would do something to a terminal rather than be shown.
fn steers(letter: char) -> bool {
    is_unseen(letter) && !matches!(letter, '\n' | '\t')
}

/// The length of the colour that a text begins with, if it does.
fn colour(text: &str) -> Option<usize> {
    let behind = text.strip_prefix("\u{1b}[")?;
    let length = behind.find(|letter: char| !letter.is_ascii_digit() && letter != ';')?;
    behind[length..].starts_with('m').then_some(length + 3)
}

/// Writes a file as a whole or not at all, or to standard output for `-`.
pub fn write(path: &Path, contents: &str) -> Result<(), Trouble> {
    if is_stdout(path) {
        return print(contents);
    }
    write_file(path, contents).map_err(|error| Trouble::file("write", path, &error))
}

/// The same for what is too large to be made as a whole.
pub fn write_by_parts(path: &Path, contents: WriteParts<'_>) -> Result<(), Trouble> {
    if is_stdout(path) {
        let mut lines = PrintedLines::default();
        let end = contents(&mut lines).and_then(|()| lines.print(lines.pending.len()));
        return end.map_err(|error| to_stdout(&error));
    }
    write_parts(path, contents).map_err(|error| Trouble::file("write", path, &error))
}

/// What writes the contents of a file.
pub type WriteParts<'a> = &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// Writes a file as a whole or not at all: first beside it, then into its place.
pub fn write_file(path: &Path, contents: &str) -> io::Result<()> {
    write_parts(path, &mut |file| file.write_all(contents.as_bytes()))
}

fn write_parts(path: &Path, contents: WriteParts<'_>) -> io::Result<()> {
    let special = fs::metadata(path).is_ok_and(|found| !found.is_file());
    if special {
        let mut file = BufWriter::new(fs::OpenOptions::new().write(true).open(path)?);
        return contents(&mut file).and_then(|()| file.flush());
    }
    let name = path.file_name().unwrap_or(OsStr::new("output")).to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let attempt = write_through(&beside, contents).and_then(|()| fs::rename(&beside, path));
    if attempt.is_err() {
        let _ = fs::remove_file(&beside);
    }
    attempt
}

fn write_through(path: &Path, contents: WriteParts<'_>) -> io::Result<()> {
    let mut file = BufWriter::with_capacity(PART, fs::File::create(path)?);
    contents(&mut file)?;
    file.into_inner()?.sync_all()
}

/// So much is gathered before it is written.
const PART: usize = 1 << 16;

/// What is printed line by line, though it comes in any parts.
#[derive(Default)]
struct PrintedLines {
    pending: Vec<u8>,
}

impl PrintedLines {
    /// Prints what has come but the last line, which may go on.
    fn print_lines(&mut self) -> io::Result<()> {
        let end = self.pending.iter().rposition(|&byte| byte == b'\n');
        self.print(end.map_or(0, |end| end + 1))
    }

    /// Prints so much.
    fn print(&mut self, end: usize) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.pending[..end]);
        match events::has_stdout() {
            true => complain(&text),
            false => print_part(&text)?,
        }
        self.pending.drain(..end);
        Ok(())
    }
}

impl Write for PrintedLines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        if self.pending.len() > PART {
            self.print_lines()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether these reports could be written, each to a place of its own. A report is the flag that asks for it and its path.
pub fn check_files<'p>(
    reports: impl IntoIterator<Item = (&'p str, Option<&'p Path>)>,
) -> Result<(), Trouble> {
    let mut seen: Vec<(&str, &Path)> = Vec::new();
    for (flag, path) in reports {
        let Some(path) = path else { continue };
        if let Some((other, _)) = seen.iter().find(|(_, known)| *known == path) {
            let place = match is_stdout(path) {
                true => "standard output".to_string(),
                false => format!("`{}`", path.display()),
            };
            return Err(Trouble::new(format!("`{other}` and `{flag}` both write to {place}"))
                .hint("Give each report a file of its own."));
        }
        check_file(path)?;
        seen.push((flag, path));
    }
    Ok(())
}

/// Whether a file could be written there, found out before hours of work depend on it.
fn check_file(path: &Path) -> Result<(), Trouble> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_steer_a_terminal_is_made_visible() {
        let rows = [
            ("plain\ttext\n", "plain\ttext\n"),
            ("a\r\nb", "a\nb"),
            ("over\rwritten", "over\\rwritten"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("\u{202e}gnp", "\\u{202e}gnp"),
            ("\u{0}", "\\u{0}"),
            ("caf\u{e9}", "caf\u{e9}"),
        ];
        for (text, expected) in rows {
            assert_eq!(visible(text), expected);
        }
        assert_eq!(colour("\u{1b}[1;31mred"), Some(7));
        assert_eq!(colour("\u{1b}[2J"), None);
    }
}
