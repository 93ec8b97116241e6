//! From source files to a model: the whole front end.

use crate::check;
use crate::check::generation;
use crate::check::tables::ModuleId;
use crate::diagnostics::{self, Diagnostic};
use crate::library;
use crate::lower::{self, WrittenExpectation};
use crate::program::{Generation, Model};
use crate::source::{FileId, SourceFile, Sources, Span};
use crate::syntax::parser;
use crate::syntax::state_paths::MaskedText;
use crate::syntax::tree::{MainBlock, Unit};
use crate::syntax::weave::weave;

/// How to read a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// How to read a bare `new`; without it, the model's own spelling decides.
    pub generation: Option<Generation>,
    /// What must hold in every final state: Boolean expressions over variables of the main block,
    /// fields of objects (`account.balance`) and objects by their names in outcomes (`Account 2`).
    pub expectations: Vec<String>,
    /// The module whose main block is run; without it, the first module that has one.
    pub main: Option<String>,
    /// The product whose deltas are applied; without it, the modules stand as they are.
    pub product: Option<String>,
    /// Whether methods are run by themselves, so that no main block is missed.
    pub without_main: bool,
}

/// What came of loading a model.
#[derive(Clone, Debug)]
pub struct LoadResult {
    /// The model, unless there are errors.
    pub model: Option<Model>,
    /// All messages, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// The files the messages speak about.
    pub sources: Sources,
}

/// What came of parsing files.
#[derive(Clone, Debug)]
pub struct ParseResult {
    /// The trees, one for each file.
    pub units: Vec<Unit>,
    /// All messages, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// The library's files and then the given ones.
    pub sources: Sources,
}

impl LoadResult {
    /// What every result about the model assumes, because something in it is left out: each once, in the
    /// order of the places that say so.
    pub fn assumptions(&self) -> Vec<&'static str> {
        let mut assumptions = Vec::new();
        for text in self.diagnostics.iter().filter_map(|found| found.assumption) {
            if !assumptions.contains(&text) {
                assumptions.push(text);
            }
        }
        assumptions
    }

    /// The messages as text, with an empty line after each. After many of them the rest is only counted.
    pub fn render(&self, style: diagnostics::Style) -> String {
        let mut text = String::new();
        for (number, diagnostic) in self.diagnostics.iter().enumerate() {
            if text.len() >= MOST_RENDERED {
                let left = self.diagnostics.len() - number;
                text.push_str(&format!("... and {left} more messages\n\n"));
                break;
            }
            text.push_str(&diagnostics::render(diagnostic, &self.sources, style));
            text.push_str("\n\n");
        }
        text
    }
}

/// Nobody reads more messages at once than fill so many bytes: some dozens.
const MOST_RENDERED: usize = 16 << 10;

/// Reads files without looking at what their names mean.
pub fn parse(files: Vec<SourceFile>) -> ParseResult {
    parse_for(files, None)
}

fn parse_for(files: Vec<SourceFile>, product: Option<&str>) -> ParseResult {
    let mut sources = Sources::new(library::files());
    let mut diagnostics = Vec::new();
    let mut units = Vec::new();
    for file in files {
        let text = file.text.clone();
        let id = sources.add(file);
        let (unit, mut messages) = parser::parse_for(id, &text, product.is_some());
        units.push(unit);
        diagnostics.append(&mut messages);
    }
    if let Some(product) = product {
        weave(&mut units, product, FileId(library::FILE_COUNT), &mut diagnostics);
    }
    diagnostics::sort(&mut diagnostics);
    ParseResult { units, diagnostics, sources }
}

/// Reads, checks and lowers a model that consists of the given files.
pub fn load(files: Vec<SourceFile>, options: &LoadOptions) -> LoadResult {
    let ParseResult { units, mut diagnostics, mut sources } =
        parse_for(files, options.product.as_deref());
    let expectations = read_expectations(options, &mut sources, &mut diagnostics);
    let mut model = None;
    let syntax_errors: Vec<(FileId, u32)> = diagnostics
        .iter()
        .filter(|found| found.is_error())
        .map(|found| line(&sources, found))
        .collect();
    if units.iter().all(|unit| unit.modules.is_empty()) && diagnostics.is_empty() {
        if let Some((id, _)) = sources.files().nth(library::FILE_COUNT as usize) {
            let place = Span::new(id, 0..0);
            diagnostics.push(
                Diagnostic::error(place, "there is no module")
                    .hint("a model starts with `module Name;`"),
            );
        }
    } else {
        let mut found = Vec::new();
        model = check_and_lower(&units, options, &expectations, &sources, &mut found);
        // What could not be read on a line explains what is odd there.
        found.retain(|diagnostic| !syntax_errors.contains(&line(&sources, diagnostic)));
        if !syntax_errors.is_empty() {
            found.retain(Diagnostic::is_error);
        }
        diagnostics.append(&mut found);
    }
    diagnostics::sort(&mut diagnostics);
    let model = model.filter(|_| !diagnostics.iter().any(Diagnostic::is_error));
    LoadResult { model, diagnostics, sources }
}

/// Reads the expectations; each is shown in messages as a file of its own.
fn read_expectations(
    options: &LoadOptions,
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<WrittenExpectation> {
    let mut expectations = Vec::new();
    for text in &options.expectations {
        let file = sources.add(SourceFile::new("--expect", text.as_str()));
        let masked = MaskedText::new(text);
        let (tree, mut messages) = parser::parse_expression(file, &masked.masked);
        diagnostics.append(&mut messages);
        let span = Span::new(file, 0..text.len());
        expectations.push(WrittenExpectation { text: text.as_str().into(), masked, tree, span });
    }
    expectations
}

fn line(sources: &Sources, diagnostic: &Diagnostic) -> (FileId, u32) {
    (diagnostic.span.file, sources.start(diagnostic.span).line)
}

fn check_and_lower(
    units: &[Unit],
    options: &LoadOptions,
    expectations: &[WrittenExpectation],
    sources: &Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Model> {
    let numbered: Vec<(FileId, &Unit)> = units
        .iter()
        .enumerate()
        .map(|(index, unit)| (FileId(library::FILE_COUNT + index as u32), unit))
        .collect();
    let reading = generation::decide(&numbered, options.generation, diagnostics);
    let all: Vec<&Unit> = library::needed_by(units).into_iter().chain(units).collect();
    let tables = check::tables(&all, diagnostics);
    let main_blocks = main_blocks(&tables, options, diagnostics);
    let (model, mut messages) =
        lower::lower(&tables, &reading, &main_blocks, expectations, sources.clone());
    diagnostics.append(&mut messages);
    model
}

/// The main blocks of the user's modules, first the one that is run.
fn main_blocks<'a>(
    tables: &check::tables::Tables<'a>,
    options: &LoadOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(ModuleId, &'a MainBlock)> {
    let user_modules = tables.modules.iter().enumerate().filter(|(_, module)| !module.library);
    let mut blocks: Vec<(ModuleId, &MainBlock)> = user_modules
        .clone()
        .filter_map(|(index, module)| Some((ModuleId(index as u32), module.tree.main.as_ref()?)))
        .collect();
    let name = |id: &ModuleId| &*tables.modules[id.0 as usize].name;
    if let Some(wanted) = options.main.as_deref() {
        if let Some(place) = blocks.iter().position(|(id, _)| name(id) == wanted) {
            blocks[..=place].rotate_right(1);
            return blocks;
        }
        if let Some((_, module)) = user_modules.clone().next() {
            let at = module.tree.name.span;
            let known: Vec<String> =
                blocks.iter().map(|(id, _)| format!("`{}`", name(id))).collect();
            let what = format!("there is no module `{wanted}` with a main block");
            let hint = match known.is_empty() {
                true => "no module of this model has a main block".to_owned(),
                false => format!("there is one in {}", known.join(", ")),
            };
            diagnostics.push(Diagnostic::error(at, what).hint(hint));
        }
        return blocks;
    }
    if let Some(((module, first), others)) = blocks.split_first() {
        for (_, other) in others {
            diagnostics.push(
                Diagnostic::warning(other.block.span, "this main block is not run").label(
                    first.block.span,
                    format!("the first main block of the model is run: that of `{}`", name(module)),
                ),
            );
        }
    } else if let Some((_, module)) = user_modules.clone().next_back()
        && !options.without_main
    {
        diagnostics.push(
            Diagnostic::warning(
                module.tree.name.span,
                "this model has no main block, so there is nothing to run",
            )
            .hint("add `{ .. }` at the end of a module"),
        );
    }
    blocks
}
