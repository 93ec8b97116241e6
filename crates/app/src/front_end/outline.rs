//! What editors ask of a front end: the words of its language, what a source declares, and what is wrong
//! with it. All of it is plain data, so that whoever shows it needs to know no language.

use serde::Serialize;

/// How sources look, as far as colours are concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Language {
    /// The endings of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// Its keywords.
    pub keywords: &'static [&'static str],
    /// Words for values, such as `null`.
    pub literals: &'static [&'static str],
    /// Words for types that are written like variables, such as `int`.
    pub types: &'static [&'static str],
    /// What strings stand between.
    pub quotes: &'static [&'static str],
}

impl Language {
    /// Nothing is known about it.
    pub const NONE: Language =
        Language { extensions: &[], keywords: &[], literals: &[], types: &[], quotes: &[] };
}

/// What there is in sources.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Outline {
    /// What is wrong or looks so.
    pub messages: Vec<SourceMessage>,
    /// What is declared.
    pub items: Vec<OutlineItem>,
}

/// A message about a place in a source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SourceMessage {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The file as it was given.
    pub file: String,
    /// The first line, from 1.
    pub line: u32,
    /// The first column, in characters from 1; 0 stands for the whole line.
    pub column: u32,
    /// The last line.
    pub end_line: u32,
    /// The column behind the last character.
    pub end_column: u32,
    /// What is wrong, and what would help.
    pub text: String,
}

/// Something that a source declares.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OutlineItem {
    /// What it is, as in `class`.
    pub kind: &'static str,
    /// What it is called.
    pub name: String,
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// How `generate --method` names it, if it can be tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// What is declared inside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<OutlineItem>,
}
