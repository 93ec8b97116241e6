//! What the user did or handed over that cannot be worked with.

use std::fmt;

use counterpoint_model::{Bound, Verdict};

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

/// What wrong usage or input ends with.
const USAGE: u8 = 2;

impl Trouble {
    /// Something is wrong.
    pub fn new(message: impl Into<String>) -> Trouble {
        Trouble { message: message.into(), hint: None, code: USAGE }
    }

    /// A limit was reached before there was anything to explore.
    pub fn incomplete(bound: Bound, when: &str) -> Trouble {
        let code = Verdict::of(false, std::slice::from_ref(&bound)).exit_code();
        Trouble { code, ..Trouble::new(format!("stopped by {bound} {when}")) }
    }

    /// The same, with advice.
    pub fn hint(self, hint: impl Into<String>) -> Trouble {
        Trouble { hint: Some(hint.into()), ..self }
    }

    /// A file could not be read or written.
    pub fn file(what: &str, path: &std::path::Path, error: &std::io::Error) -> Trouble {
        Trouble::new(format!("cannot {what} `{}`: {}", path.display(), in_words(error)))
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        match &self.hint {
            Some(hint) => write!(f, "\n\n  {hint}"),
            None => Ok(()),
        }
    }
}

/// What the system says, without its number.
fn in_words(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}
