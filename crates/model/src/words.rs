//! Texts from outside, in a form that can stand anywhere.
//!
//! Programs name their threads as they like and print what they like. What would not be seen as it is, such as a control
//! character or a change of the direction of writing, is shown as an escape (`\u{202e}`) wherever people read it.

use std::borrow::Cow;

/// Whether a letter does something instead of being seen: it steers a terminal, ends a line, changes the direction of
/// writing, or stands for no character at all.
pub fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{61c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
                | '\u{feff}'
                | '\u{fffe}'
                | '\u{ffff}'
        )
}

/// The text in one line, with everything that would not be seen made visible.
pub fn in_one_line(text: &str) -> Cow<'_, str> {
    visible(text, |_| false)
}

/// The text with everything that would not be seen made visible, except for the letters that are kept.
pub fn visible(text: &str, kept: fn(char) -> bool) -> Cow<'_, str> {
    let steers = |letter: char| is_unseen(letter) && !kept(letter);
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match steers(letter) {
            true => shown.extend(letter.escape_default()),
            false => shown.push(letter),
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unseen_is_made_visible_and_everything_else_stays() {
        let rows = [
            ("plain", "plain"),
            ("a\nb\r\tc", "a\\nb\\r\\tc"),
            ("\u{1b}[2J\u{7f}\u{85}", "\\u{1b}[2J\\u{7f}\\u{85}"),
            ("\u{202e}gnp\u{2066}\u{200f}", "\\u{202e}gnp\\u{2066}\\u{200f}"),
            ("\u{2028}\u{feff}\u{ffff}", "\\u{2028}\\u{feff}\\u{ffff}"),
            ("caf\u{e9} \u{5d0}\u{5d1} \\n", "caf\u{e9} \u{5d0}\u{5d1} \\n"),
        ];
        for (text, expected) in rows {
            assert_eq!(in_one_line(text), expected);
        }
        assert_eq!(visible("a\nb\u{7}", |letter| letter == '\n'), "a\nb\\u{7}");
    }
}
