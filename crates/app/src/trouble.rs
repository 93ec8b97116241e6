//! What the user did or handed over that cannot be worked with.

use std::borrow::Cow;
use std::fmt;

use counterpoint_model::{Bound, Verdict};

use crate::look;

/// A message for the user, with what would help. It ends the command with exit code 2, unless a limit was
/// reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// What is wrong, in one line or in several with a place.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// What the command ends with.
    pub code: u8,
}

/// Lines of messages are cut after so many characters: they may quote a file that is one long line.
const LONGEST_LINE: usize = 400;

/// After a path there is room for what is wrong with it.
const LONGEST_PATH: usize = 300;

/// And nobody reads more lines at once than fill so many bytes: some hundreds.
const LONGEST_MESSAGE: usize = 20 << 10;

/// What wrong usage or input ends with.
const USAGE: u8 = 2;

impl Trouble {
    /// Something is wrong. What came from outside can be long: nobody reads a name of a million letters.
    pub fn new(message: impl Into<String>) -> Trouble {
        Trouble { message: clipped(&message.into()), hint: None, code: USAGE }
    }

    /// A limit or a signal has ended the work before there was anything to explore.
    pub fn incomplete(bound: Bound, when: &str) -> Trouble {
        let code = Verdict::of(false, std::slice::from_ref(&bound)).exit_code();
        let (text, flag) = match &bound {
            Bound::Stopped => (format!("interrupted {when}"), None),
            Bound::Time => (format!("stopped by {bound} {when}"), Some("--time")),
            Bound::Memory => (format!("stopped by {bound} {when}"), Some("--memory")),
            bound => (format!("stopped by {bound} {when}"), None),
        };
        let hint = flag.map(|flag| format!("`{flag}` sets the limit."));
        Trouble { code, hint, ..Trouble::new(text) }
    }

    /// The same, with advice.
    pub fn hint(self, hint: impl Into<String>) -> Trouble {
        Trouble { hint: Some(hint.into()), ..self }
    }

    /// A file could not be read or written.
    pub fn file(what: &str, path: &std::path::Path, error: &std::io::Error) -> Trouble {
        let path = path.display().to_string();
        let path = clipped_line(&path, LONGEST_PATH);
        Trouble::new(format!("cannot {what} `{path}`: {}", in_words(error)))
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.code == USAGE { "error" } else { "incomplete" };
        write!(f, "{word}: {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n\n  {hint}"),
            None => Ok(()),
        }
    }
}

/// What the system says, without its number.
fn in_words(error: &std::io::Error) -> String {
    if error.kind() == std::io::ErrorKind::IsADirectory {
        return "it is a folder".to_string();
    }
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}

/// A text without the lines, and the rests of lines, that nobody would read.
fn clipped(text: &str) -> String {
    let mut clipped = String::new();
    let mut lines = text.split('\n');
    while let Some(line) = lines.next() {
        if clipped.len() >= LONGEST_MESSAGE {
            clipped += &format!("... and {} more", look::count(1 + lines.count() as u64, "line"));
            return clipped;
        }
        clipped += &clipped_line(line, LONGEST_LINE);
        clipped.push('\n');
    }
    clipped.pop();
    clipped
}

/// A line, or its beginning and a mark where it was cut.
fn clipped_line(line: &str, most: usize) -> Cow<'_, str> {
    match line.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}...", &line[..end])),
        None => Cow::Borrowed(line),
    }
}
