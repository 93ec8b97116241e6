//! Parts of a final state in the text of an expectation.
//!
//! An expectation is a pure ABS expression with two additions that no model can have: a field of an
//! object, as in `account.owner.name`, and an object by the name that the machine gives it, as in
//! `Account 2` or `Account:0#1`. Both are replaced by variables of exactly the same length before the
//! text is parsed, so that every place in a message is a place in what the user wrote.

use std::ops::Range;

/// Where a path begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PathRoot {
    /// A variable of the main block.
    Variable(String),
    /// A machine's name of an object, and its class there.
    Object { name: String, class: String },
}

/// A part of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WrittenPath {
    pub(crate) root: PathRoot,
    pub(crate) fields: Vec<(String, Range<usize>)>,
    /// The variable that stands for it in the masked text.
    pub(crate) stand_in: String,
    pub(crate) range: Range<usize>,
}

/// An expectation as text, with the paths in it.
#[derive(Clone, Debug)]
pub(crate) struct MaskedText {
    pub(crate) masked: String,
    pub(crate) paths: Vec<WrittenPath>,
}

impl MaskedText {
    /// Finds the paths. Variables without fields are paths, too, that stand for themselves.
    pub(crate) fn new(text: &str) -> MaskedText {
        let mut paths: Vec<WrittenPath> = Vec::new();
        let mut masked = text.to_owned();
        let prefix = unused_letter(text);
        for (root, range, fields) in scan(text) {
            let plain = matches!(&root, PathRoot::Variable(_)) && fields.is_empty();
            let same = |path: &&WrittenPath| text[path.range.clone()] == text[range.clone()];
            let known = paths.iter().find(same).map(|path| path.stand_in.clone());
            let stand_in = match &root {
                PathRoot::Variable(name) if plain => name.clone(),
                _ => known.clone().unwrap_or_else(|| {
                    let number = format!("{prefix}{}", paths.len());
                    format!("{number:_<width$}", width = range.len())
                }),
            };
            if !plain {
                masked.replace_range(range.clone(), &stand_in);
            }
            if known.is_none() {
                paths.push(WrittenPath { root, fields, stand_in, range });
            }
        }
        MaskedText { masked, paths }
    }
}

/// A letter that no word of the text begins with, if there is one.
fn unused_letter(text: &str) -> char {
    let begins = |letter: char| {
        let mut before = ' ';
        text.chars().any(|character| {
            let starts = character == letter && !before.is_ascii_alphanumeric();
            before = character;
            starts
        })
    };
    ('a'..='z').rev().find(|&letter| !begins(letter)).unwrap_or('z')
}

type Found = (PathRoot, Range<usize>, Vec<(String, Range<usize>)>);

fn scan(text: &str) -> Vec<Found> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut position = 0;
    while let Some(&byte) = bytes.get(position) {
        match byte {
            b'"' | b'`' => position = after_quoted(bytes, position),
            // What is selected from another expression is no path; the parser says what it is.
            b'.' => position = after_word(bytes, position + 1),
            b'a'..=b'z' => {
                let end = after_word(bytes, position);
                let (fields, after) = fields(text, end);
                let called = bytes[after..].trim_ascii_start().first() == Some(&b'(');
                if !called {
                    let root = PathRoot::Variable(text[position..end].to_owned());
                    found.push((root, position..after, fields));
                }
                position = after;
            }
            b'A'..=b'Z' => {
                let end = after_word(bytes, position);
                position = match after_object_number(bytes, end) {
                    Some(name_end) => {
                        let (fields, after) = fields(text, name_end);
                        let root = PathRoot::Object {
                            name: text[position..name_end].to_owned(),
                            class: text[position..end].to_owned(),
                        };
                        found.push((root, position..after, fields));
                        after
                    }
                    None => after_qualified(bytes, end),
                };
            }
            _ => position += 1,
        }
    }
    // A word that is also a keyword of expressions is no variable.
    found.retain(|(root, _, fields)| {
        let keyword = |name: &str| {
            let words = "case let in when if then else null implements as this destiny";
            words.split(' ').any(|word| word == name)
        };
        !matches!(root, PathRoot::Variable(name) if keyword(name) && fields.is_empty())
    });
    found
}

fn after_word(bytes: &[u8], start: usize) -> usize {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    start + bytes[start..].iter().take_while(|byte| word(byte)).count()
}

fn after_digits(bytes: &[u8], start: usize) -> Option<usize> {
    let count = bytes.get(start..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count > 0).then_some(start + count)
}

/// Behind ` 2` or `:0.1#2`, if that is what begins here.
fn after_object_number(bytes: &[u8], start: usize) -> Option<usize> {
    let mut end = match bytes.get(start) {
        Some(b' ') => return after_digits(bytes, start + 1),
        Some(b':') => after_digits(bytes, start + 1)?,
        _ => return None,
    };
    while bytes.get(end) == Some(&b'.') {
        end = after_digits(bytes, end + 1)?;
    }
    match bytes.get(end) {
        Some(b'#') => after_digits(bytes, end + 1),
        _ => None,
    }
}

/// Behind the rest of a qualified name, as in `Module.function`.
fn after_qualified(bytes: &[u8], mut end: usize) -> usize {
    while bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_alphabetic) {
        end = after_word(bytes, end + 1);
    }
    end
}

fn fields(text: &str, start: usize) -> (Vec<(String, Range<usize>)>, usize) {
    let bytes = text.as_bytes();
    let mut fields = Vec::new();
    let mut end = start;
    while bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_lowercase) {
        let after = after_word(bytes, end + 1);
        fields.push((text[end + 1..after].to_owned(), end + 1..after));
        end = after;
    }
    (fields, end)
}

/// Behind a string or template string; paths inside it are not looked for.
fn after_quoted(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let mut position = start + 1;
    while let Some(&byte) = bytes.get(position) {
        position += match byte {
            b'\\' => 2,
            byte if byte == quote => return position + 1,
            _ => 1,
        };
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_variables_of_the_same_length() {
        let rows = [
            ("a.r == 120", "z0_ == 120", "a.r"),
            ("a.boss.r > zero", "y0______ > zero", "a.boss.r zero"),
            ("Fact:0.1#2.r == a.r", "z0__________ == z1_", "Fact:0.1#2.r a.r"),
            ("Fact 2.r == Cons(Fact 1).r", "z0______ == Cons(z1____).r", "Fact 2.r Fact 1"),
            ("a.r + a.r == 2", "z0_ + z0_ == 2", "a.r"),
            ("M.f(a.r)", "M.f(z0_)", "a.r"),
            ("\"a.r\" == s", "\"a.r\" == s", "s"),
            ("length(a.list) == 0", "length(z0____) == 0", "a.list"),
            ("x.m() == 1", "x.m() == 1", ""),
            ("case a.x { Nil => True; }", "case z0_ { Nil => True; }", "a.x"),
        ];
        for (text, masked, paths) in rows {
            let result = MaskedText::new(text);
            assert_eq!(result.masked, masked, "{text}");
            let found: Vec<&str> =
                result.paths.iter().map(|path| &text[path.range.clone()]).collect();
            assert_eq!(found.join(" "), paths, "{text}");
        }
    }
}
