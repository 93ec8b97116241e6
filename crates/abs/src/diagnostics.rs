//! Messages about a model: what is wrong, where, and what would help.
//!
//! A [`Diagnostic`] is plain data, so that tests, editors and the terminal can each show it in their way.
//! [`render`] shows it as compilers do: the source line with the place underlined, other places that
//! matter, and a hint.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::source::{FileId, Sources, Span};

/// How bad a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The model cannot be run.
    Error,
    /// The model can be run, but something looks unintended or is ignored.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

/// A further place that explains a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is to be seen there.
    pub text: String,
}

/// One message about a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The place to underline.
    pub span: Span,
    /// What is wrong, in one line.
    pub message: String,
    /// What is said right at the underlined place, for example what was expected there.
    pub expected: Option<String>,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub hint: Option<String>,
    /// What a result about the model has to say that it assumes because of this.
    pub assumption: Option<&'static str>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            span,
            message: message.into(),
            expected: None,
            labels: Vec::new(),
            hint: None,
            assumption: None,
        }
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(span, message) }
    }

    /// The same message with a remark at the underlined place.
    pub fn expecting(mut self, text: impl Into<String>) -> Self {
        self.expected = Some(text.into());
        self
    }

    /// The same message with one more place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// The same message with a hint.
    pub fn hint(mut self, text: impl Into<String>) -> Self {
        self.hint = Some(text.into());
        self
    }

    /// The same message about something that is left out: what results assume because of it.
    pub fn assuming(mut self, text: &'static str) -> Self {
        self.assumption = Some(text);
        self
    }

    /// Whether the model cannot be run because of this.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Puts messages in the order in which they are shown (by file and place, errors first at one place) and
/// drops repetitions.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    let key = |d: &Diagnostic| (d.span.file, d.span.start, d.severity, d.span.end);
    diagnostics.sort_by(|left, right| match key(left).cmp(&key(right)) {
        Ordering::Equal => left.message.cmp(&right.message),
        order => order,
    });
    diagnostics.dedup();
}

/// How [`render`] writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// ASCII text only.
    #[default]
    Plain,
    /// Terminal colours.
    Coloured,
}

/// The message as text, with the source lines it speaks about. Ends without a line break.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, style: Style) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let diagnostic = &shortened(diagnostic);
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()));
    for file in files_of(diagnostic) {
        group = group.element(snippet(diagnostic, sources, file));
    }
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.message(hint.as_str()));
    }
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let text = renderer.decor_style(DecorStyle::Ascii).render(&[group]);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// The message with texts that somebody can read: a name may be as long as a file.
fn shortened(diagnostic: &Diagnostic) -> Diagnostic {
    let shorten = |text: &String| shorten(text, LONGEST_TEXT).into_owned();
    Diagnostic {
        message: shorten(&diagnostic.message),
        expected: diagnostic.expected.as_ref().map(shorten),
        labels: diagnostic
            .labels
            .iter()
            .map(|label| Label { span: label.span, text: shorten(&label.text) })
            .collect(),
        hint: diagnostic.hint.as_ref().map(shorten),
        ..diagnostic.clone()
    }
}

/// The files a message speaks about, that of the message itself first.
fn files_of(diagnostic: &Diagnostic) -> Vec<FileId> {
    let mut files = vec![diagnostic.span.file];
    for label in &diagnostic.labels {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    files
}

/// The lines of a file that a message speaks about, annotated. Only they are given to the renderer, which
/// reads everything it gets.
fn snippet<'a>(
    diagnostic: &'a Diagnostic,
    sources: &'a Sources,
    file: FileId,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let source = sources.file(file);
    let text = source.text.as_ref();
    let is_here = diagnostic.span.file == file;
    let expected = diagnostic.expected.as_deref();
    let primary = is_here.then_some((AnnotationKind::Primary, diagnostic.span, expected));
    let others = diagnostic.labels.iter().filter(|label| label.span.file == file);
    let others =
        others.map(|label| (AnnotationKind::Context, label.span, Some(label.text.as_str())));
    let annotations: Vec<_> = primary
        .into_iter()
        .chain(others)
        .map(|(kind, span, label)| (kind, visible(text, span), label))
        .collect();
    let first = annotations.iter().map(|(_, range, _)| range.start).min().unwrap_or(0);
    let last = annotations.iter().map(|(_, range, _)| range.end).max().unwrap_or(0);
    let start = text[..first].rfind('\n').map_or(0, |offset| offset + 1);
    let end = text[last..].find('\n').map_or(text.len(), |offset| last + offset);
    if end - start > LONGEST_EXCERPT {
        // The renderer looks at every letter several times: a page on one line is only named.
        let line = sources.start(Span::new(file, first..first)).line as usize;
        return Snippet::source("(a line too long to be shown)")
            .line_start(line)
            .path(source.name.as_ref())
            .annotation(AnnotationKind::Primary.span(0..0).label(expected.filter(|_| is_here)));
    }
    let line = sources.start(Span::new(file, start..start)).line as usize;
    let mut snippet =
        Snippet::source(&text[start..end]).line_start(line).path(source.name.as_ref());
    for (kind, range, label) in annotations {
        let annotation = kind.span(range.start - start..range.end - start);
        snippet = snippet.annotation(annotation.label(label));
    }
    snippet
}

/// The span cut to what the text really has, on character boundaries, and to the first line when it goes
/// on over many: a message underlines a place, not a page.
fn visible(text: &str, span: Span) -> std::ops::Range<usize> {
    let mut start = (span.start as usize).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (span.end as usize).clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    if let Some(line) = text[start..end].find('\n') {
        end = start + line;
    }
    start..end
}

/// Longer texts of messages are cut, and longer excerpts are left out.
const LONGEST_TEXT: usize = 500;
const LONGEST_EXCERPT: usize = 20_000;

/// The text, or its beginning and a mark where it was cut.
pub(crate) fn shorten(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let end = (0..=most).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    Cow::Owned(format!("{}...", &text[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;

    #[test]
    fn a_message_shows_its_line_the_expectation_other_places_and_the_hint() {
        let sources = Sources::new(vec![SourceFile::new("m.abs", "module M;\n\nInt x = True;\n")]);
        let at = |start, end| Span::new(FileId(0), start..end);
        let diagnostic = Diagnostic::error(at(19, 23), "this is a Bool")
            .expecting("expected Int")
            .label(at(11, 14), "because of this type")
            .hint("write a number");
        assert_eq!(
            render(&diagnostic, &sources, Style::Plain),
            "error: this is a Bool\n \
             --> m.abs:3:9\n  \
             |\n\
             3 | Int x = True;\n  \
             | ---     ^^^^ expected Int\n  \
             | |\n  \
             | because of this type\n  \
             |\n  \
             = help: write a number"
        );
    }

    #[test]
    fn a_span_outside_the_text_is_cut_to_it() {
        let sources = Sources::new(vec![SourceFile::new("m.abs", "\u{e9}")]);
        let diagnostic = Diagnostic::error(Span::new(FileId(0), 1..900), "odd");
        assert!(render(&diagnostic, &sources, Style::Plain).starts_with("error: odd"));
    }

    #[test]
    fn a_name_as_long_as_a_file_does_not_make_a_message_long() {
        let name = "x".repeat(1_000_000);
        let text = format!("module M;\n{name} y;\n");
        let sources = Sources::new(vec![SourceFile::new("m.abs", text)]);
        let span = Span::new(FileId(0), 10..1_000_010);
        let diagnostic = Diagnostic::error(span, format!("unknown `{name}`"))
            .expecting(format!("expected {name}"))
            .hint(name.as_str());
        let shown = render(&diagnostic, &sources, Style::Plain);
        assert!(shown.len() < 4_000, "{} letters", shown.len());
        assert!(shown.contains("m.abs:2"), "{shown}");
    }

    #[test]
    fn texts_are_cut_between_letters() {
        assert_eq!(shorten("abc", 3), "abc");
        assert_eq!(shorten("abcd", 3), "abc...");
        assert_eq!(shorten("a\u{e9}\u{e9}", 4), "a\u{e9}...");
    }
}
