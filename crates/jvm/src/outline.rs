//! What Java sources declare, and what the compiler says about them, for editors.
//!
//! The JDK's own compiler is asked, with its warnings. Its messages are read back from their printed form:
//! `FILE:LINE: error: TEXT`, further lines of text, the line of source, and a line with a mark under the
//! column. Declarations are read from the class files that it has written, so there are none while there
//! are errors; their lines are those of the first instruction.

use std::path::{Path, PathBuf};

use crate::classfile::{ClassFile, access};
use crate::error::Error;
use crate::load::compile::compile_with_warnings;
use crate::load::{Jdk, input_class};

/// A message of the compiler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceMessage {
    /// Whether it is an error, and not a warning.
    pub is_error: bool,
    /// The file, as it was given.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if the compiler named none.
    pub column: u32,
    /// What it says, in one line or several.
    pub text: String,
}

/// A class of the sources.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredClass {
    /// Its name, with a dot before each inner one.
    pub name: String,
    /// Whether it is an interface.
    pub is_interface: bool,
    /// The file that declares it, without folders.
    pub file: String,
    /// A line of it.
    pub line: u32,
    /// Its methods and the line of each, constructors left out.
    pub methods: Vec<(String, u32)>,
}

/// Compiles sources and tells what the compiler says and what they declare.
pub fn outline(
    sources: &[PathBuf],
    class_path: &[PathBuf],
) -> Result<(Vec<SourceMessage>, Vec<DeclaredClass>), Error> {
    let jdk = Jdk::find()?;
    let compiled = compile_with_warnings(&jdk, sources, class_path)?;
    let mut classes = Vec::new();
    if compiled.success {
        collect(compiled.folder.path(), &mut classes);
    }
    classes.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
    Ok((messages(&compiled.output), classes))
}

/// Reads messages back from what the compiler has printed.
fn messages(output: &str) -> Vec<SourceMessage> {
    let mut messages: Vec<SourceMessage> = Vec::new();
    let mut lines = output.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(mut message) = heading(line) else { continue };
        let mut body = Vec::new();
        while let Some(&next) = lines.peek() {
            if heading(next).is_some() {
                break;
            }
            lines.next();
            if next.trim() == "^" {
                message.column =
                    next.chars().take_while(|letter| *letter != '^').count() as u32 + 1;
                // The line of source stands just above the mark.
                body.pop();
                continue;
            }
            body.push(next);
        }
        let is_count = |text: &str| {
            let mut words = text.split(' ');
            words.next().is_some_and(|word| word.parse::<u32>().is_ok())
                && words
                    .next()
                    .is_some_and(|word| ["error", "errors", "warning", "warnings"].contains(&word))
        };
        for text in body.into_iter().filter(|text| !is_count(text)) {
            message.text += &format!("\n{}", text.trim_end());
        }
        messages.push(message);
    }
    messages
}

/// The first line of a message.
fn heading(line: &str) -> Option<SourceMessage> {
    for (mark, is_error) in [(": error: ", true), (": warning: ", false)] {
        if let Some((place, text)) = line.split_once(mark)
            && let Some((file, number)) = place.rsplit_once(':')
            && let Ok(number) = number.parse()
        {
            return Some(SourceMessage {
                is_error,
                file: file.to_string(),
                line: number,
                column: 0,
                text: text.to_string(),
            });
        }
    }
    None
}

fn collect(folder: &Path, classes: &mut Vec<DeclaredClass>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, classes);
        } else if path.extension().is_some_and(|extension| extension == "class")
            && let Ok(bytes) = std::fs::read(&path)
            && let Ok(file) = ClassFile::parse(bytes)
        {
            classes.extend(declared(&file));
        }
    }
}

fn declared(file: &ClassFile) -> Option<DeclaredClass> {
    const SYNTHETIC: u16 = 0x1000;
    let simple = file.name.rsplit('$').next().unwrap_or_default();
    let is_anonymous = file.name.contains('$') && simple.starts_with(|c: char| c.is_ascii_digit());
    if is_anonymous || file.access & SYNTHETIC != 0 || file.name == input_class::NAME {
        return None;
    }
    let mut methods = Vec::new();
    let mut line = u32::MAX;
    for method in &file.methods {
        let Some(code) = &method.code else { continue };
        let table = code.line_table(&file.bytes);
        let first = table.iter().map(|(_, line)| u32::from(*line)).min().unwrap_or(0);
        line = line.min(first);
        if method.access & SYNTHETIC == 0 && !method.name.starts_with('<') {
            methods.push((method.name.clone(), first));
        }
    }
    methods.sort_by_key(|(_, line)| *line);
    Some(DeclaredClass {
        name: file.name.replace(['/', '$'], "."),
        is_interface: file.access & access::INTERFACE != 0,
        file: file.source_file.clone().unwrap_or_default(),
        line: if line == u32::MAX { 1 } else { line },
        methods,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_their_places() {
        let output = "a/B.java:3: error: cannot find symbol\n    int x = y;\n            ^\n  symbol:   \
                      variable y\n  location: class B\na/B.java:7: warning: [cast] redundant cast\n\
                      \x20   int z = (int) 1;\n            ^\n1 error\n1 warning\n";
        let found = messages(output);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].line, found[0].column, found[0].is_error), (3, 13, true));
        assert_eq!(
            found[0].text,
            "cannot find symbol\n  symbol:   variable y\n  location: class B"
        );
        assert_eq!((found[1].line, found[1].column, found[1].is_error), (7, 13, false));
        assert_eq!(found[1].text, "[cast] redundant cast");
    }
}
