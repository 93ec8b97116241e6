//! How text reaches the screen: width, colours, and the characters to draw with.

use std::io::IsTerminal as _;
use std::path::Path;

use counterpoint_model::words::visible;
use unicode_width::UnicodeWidthStr as _;

use crate::cli::{Color, LookArguments};
use crate::output;
use crate::trouble::Trouble;

/// Columns when the output is no terminal.
const DEFAULT_WIDTH: usize = 100;

/// What the screen can show.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Look {
    /// Whether colours are shown.
    pub color: bool,
    /// Whether only ASCII characters are drawn.
    pub ascii: bool,
    /// How many columns there are.
    pub width: usize,
}

/// What a piece of text is, which decides its colour.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Tone {
    /// A failure.
    Bad,
    /// All is well.
    Good,
    /// Something to note.
    Warn,
    /// A name or heading.
    Strong,
    /// Less important than the rest.
    Faint,
}

impl Look {
    /// The look that the flags ask for on this stream. Pipes get neither colour nor drawing.
    pub fn new(arguments: &LookArguments, terminal: bool) -> Look {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var("TERM").is_ok_and(|term| term == "dumb");
        let color = match arguments.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && !plain,
        };
        let columns = || match terminal {
            true => console::Term::stdout().size_checked().map(|(_, columns)| columns.into()),
            false => None,
        };
        let width = arguments.width.or_else(columns).unwrap_or(DEFAULT_WIDTH);
        if color {
            output::allow_colours();
        }
        Look { color, ascii: arguments.ascii || !terminal || !speaks_unicode(), width }
    }

    /// The look for standard output.
    pub fn of_stdout(arguments: &LookArguments) -> Look {
        Look::new(arguments, std::io::stdout().is_terminal())
    }

    /// The look for standard error.
    pub fn of_stderr(arguments: &LookArguments) -> Look {
        Look::new(arguments, std::io::stderr().is_terminal())
    }

    /// The text in the colour of its tone.
    pub fn paint(self, tone: Tone, text: &str) -> String {
        if !self.color || text.is_empty() {
            return text.to_string();
        }
        let code = match tone {
            Tone::Bad => "1;31",
            Tone::Good => "1;32",
            Tone::Warn => "1;33",
            Tone::Strong => "1",
            Tone::Faint => "2",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }

    /// The one or the other, as the screen can show.
    pub fn draw(self, fine: &'static str, ascii: &'static str) -> &'static str {
        if self.ascii { ascii } else { fine }
    }
}

/// Where people read what a command has to say.
#[derive(Copy, Clone, Debug)]
pub struct Screen {
    /// What it can show.
    pub look: Look,
    on_stderr: bool,
}

impl Screen {
    /// Standard output, or standard error if one of these reports goes to standard output.
    pub fn beside<'p>(
        arguments: &LookArguments,
        reports: impl IntoIterator<Item = Option<&'p Path>>,
    ) -> Screen {
        let on_stderr = reports.into_iter().flatten().any(output::is_stdout);
        let look = match on_stderr {
            true => Look::of_stderr(arguments),
            false => Look::of_stdout(arguments),
        };
        Screen { look, on_stderr }
    }

    /// Shows a text.
    pub fn print(self, text: &str) -> Result<(), Trouble> {
        match self.on_stderr {
            true => output::complain(text),
            false => output::print(text)?,
        }
        Ok(())
    }
}

fn speaks_unicode() -> bool {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG"));
    locale.is_some_and(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// Columns that a text takes.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The text with spaces up to a number of columns.
pub fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// The text in lines of at most so many columns, broken at spaces where possible. What would not be seen takes the columns
/// that it is shown with.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let text = text.replace("\r\n", "\n").replace('\t', "    ");
    for paragraph in visible(&text, |letter| letter == '\n').lines() {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            let fits = columns(&line) + 1 + columns(word) <= width;
            if !line.is_empty() && !fits {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
            if columns(&line) > width {
                let mut pieces = pieces(&line, width);
                line = pieces.pop().unwrap_or_default();
                lines.append(&mut pieces);
            }
        }
        lines.push(line);
    }
    lines
}

/// The line in pieces of at most so many columns, each of at least one letter: broken between the words of an
/// identifier, if a piece is at least half as long as it could be.
fn pieces(line: &str, width: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    let mut taken = 0;
    // Where the piece could end, in bytes and columns.
    let mut gap: Option<(usize, usize)> = None;
    let mut last = ' ';
    for letter in line.chars() {
        let wide = columns(letter.encode_utf8(&mut [0; 4]));
        if taken > 0 && ends_word(last, letter) {
            gap = Some((piece.len(), taken));
        }
        if taken + wide > width && !piece.is_empty() {
            let (end, columns) =
                gap.filter(|(_, columns)| 2 * columns >= width).unwrap_or((piece.len(), taken));
            let rest = piece.split_off(end);
            pieces.push(std::mem::replace(&mut piece, rest));
            taken -= columns;
            gap = None;
        }
        piece.push(letter);
        taken += wide;
        last = letter;
    }
    pieces.push(piece);
    pieces
}

/// Whether a word of an identifier ends between two letters.
fn ends_word(before: char, after: char) -> bool {
    matches!(before, '.' | '_' | '/' | '$' | ':' | ',' | ')' | '-')
        || after == '('
        || before.is_lowercase() && after.is_uppercase()
}

/// A file as a word for the shell: as it is, or in quotes if the shell would read it as something else.
pub fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |letter: char| letter.is_alphanumeric() || "/._-+,:@%=".contains(letter);
    match !text.is_empty() && text.chars().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// A number with its thousands marked, as in 19,605.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A size as people write it, rounded down to what can be read at a glance.
pub fn bytes(size: u64) -> String {
    match size {
        size if size >= 10 << 30 => format!("{} GB", size >> 30),
        size if size >= 1 << 20 => format!("{} MB", thousands(size >> 20)),
        size => format!("{} bytes", thousands(size)),
    }
}

/// A number and its noun, as in "1 execution" or "2,000 executions".
pub fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_keeps_every_word_and_no_line_is_too_wide() {
        let text = "takes lock accounts[17] and then some_very_long_identifier_without_spaces";
        for width in 1..80 {
            let lines = wrap(text, width);
            assert!(lines.iter().all(|line| columns(line) <= width), "{width}: {lines:?}");
            let rejoined: String = lines.concat().replace(' ', "");
            assert_eq!(rejoined, text.replace(' ', ""));
        }
        assert_eq!(wrap("", 10), Vec::<String>::new());
    }

    #[test]
    fn what_is_made_visible_takes_its_columns() {
        let lines = wrap("ab\u{1b}[2J\u{202e}cd\te\r\nf", 9);
        assert_eq!(lines, ["ab\\u{1b}[", "2J\\u{202e", "}cd    e", "f"]);
    }

    #[test]
    fn identifiers_break_between_words() {
        let lines = wrap("AbstractExecutorService.submitAll", 25);
        assert_eq!(lines, ["AbstractExecutorService.", "submitAll"]);
        assert_eq!(wrap("checkedThenActed", 10), ["checked", "ThenActed"]);
        assert_eq!(wrap("abcdefghijkl.m", 10), ["abcdefghij", "kl.m"]);
    }

    #[test]
    fn a_word_of_a_million_letters_is_wrapped_at_once() {
        let lines = wrap(&"x".repeat(1_000_000), 10);
        assert_eq!(lines.len(), 100_000);
    }

    #[test]
    fn the_shell_reads_a_word_as_the_file_that_it_names() {
        for name in ["a.json", "a b.json", "it's.json", "$HOME", "a;b", "ä.json"] {
            let line = format!("printf %s {}", shell_word(Path::new(name)));
            let output = std::process::Command::new("sh").args(["-c", &line]).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stdout), name);
        }
        assert_eq!(shell_word(Path::new(".counterpoint/A-1.json")), ".counterpoint/A-1.json");
    }

    #[test]
    fn numbers_are_read_in_groups_of_three() {
        let texts = [0, 7, 999, 1_000, 19_605, 1_234_567].map(thousands);
        assert_eq!(texts, ["0", "7", "999", "1,000", "19,605", "1,234,567"]);
        assert_eq!([count(1, "execution"), count(2, "execution")], ["1 execution", "2 executions"]);
    }
}
