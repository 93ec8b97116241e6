//! Source texts and places in them.
//!
//! Everything that can be shown to a person carries a [`Span`]: a file and a range of bytes in it. A span is
//! twelve bytes and is copied freely; lines and columns are computed only when something is printed.

use std::ops::Range;
use std::sync::Arc;

/// One source text together with the name under which messages show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The name shown in messages, usually a path.
    pub name: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
}

impl SourceFile {
    /// A source file from its name and text.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        SourceFile { name: name.into(), text: text.into() }
    }
}

/// The number of a file in [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A range of bytes of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// The span of the given bytes of a file.
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { file, start: clamp(range.start), end: clamp(range.end) }
    }

    /// From the start of this span to the end of the other one, which lies in the same file.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span right behind this one.
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }

    /// The bytes as a range.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place as people count: both numbers start at one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// All the files of a model; those of the standard library come first.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    line_starts: Vec<Vec<u32>>,
}

impl Sources {
    /// The given files, numbered from zero.
    pub fn new(files: Vec<SourceFile>) -> Self {
        let mut sources = Sources::default();
        for file in files {
            sources.add(file);
        }
        sources
    }

    /// Adds a file and returns its number.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        let id = FileId(self.files.len() as u32);
        let newlines = file.text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = std::iter::once(0)
            .chain(newlines.map(|(offset, _)| u32::try_from(offset + 1).unwrap_or(u32::MAX)))
            .collect();
        self.line_starts.push(starts);
        self.files.push(file);
        id
    }

    /// The files in the order of their numbers.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(index as u32), file))
    }

    /// One file.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// The text a span covers; empty when the span does not fit the file.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.range()).unwrap_or("")
    }

    /// The line and column where a span starts.
    pub fn start(&self, span: Span) -> LineColumn {
        self.position(span.file, span.start)
    }

    /// The line and column where a span ends.
    pub fn end(&self, span: Span) -> LineColumn {
        self.position(span.file, span.end)
    }

    fn position(&self, file: FileId, offset: u32) -> LineColumn {
        let starts = &self.line_starts[file.0 as usize];
        let line = starts.partition_point(|&start| start <= offset).max(1);
        let line_start = starts[line - 1] as usize;
        let text = self.file(file).text.as_ref();
        let column =
            text.get(line_start..offset as usize).map_or(0, |prefix| prefix.chars().count());
        LineColumn { line: line as u32, column: column as u32 + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_start_at_one_and_count_characters() {
        let sources = Sources::new(vec![SourceFile::new("a.abs", "ab\n\u{e9}c\n")]);
        let at = |start, end| sources.start(Span::new(FileId(0), start..end));
        assert_eq!(at(0, 1), LineColumn { line: 1, column: 1 });
        assert_eq!(at(5, 6), LineColumn { line: 2, column: 2 });
        assert_eq!(at(7, 7), LineColumn { line: 3, column: 1 });
    }
}
