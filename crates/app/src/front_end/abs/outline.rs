//! What ABS models declare, and what is wrong with them.

use counterpoint_abs::diagnostics::{Diagnostic, Severity};
use counterpoint_abs::source::{SourceFile, Sources, Span};
use counterpoint_abs::syntax::tree::{ClassDeclaration, Declaration, DeclarationKind, Module};
use counterpoint_abs::{LoadOptions, load, parse};

use super::super::outline::{Language, Outline, OutlineItem, SourceMessage};
use super::super::{LoadError, LoadRequest};

/// The words of ABS.
pub const LANGUAGE: Language = Language {
    extensions: &["abs"],
    keywords: &[
        "adds",
        "assert",
        "await",
        "builtin",
        "case",
        "catch",
        "class",
        "cog",
        "core",
        "data",
        "def",
        "delta",
        "die",
        "duration",
        "else",
        "exception",
        "export",
        "extends",
        "finally",
        "foreach",
        "from",
        "get",
        "if",
        "implements",
        "import",
        "in",
        "interface",
        "let",
        "local",
        "modifies",
        "module",
        "movecogto",
        "new",
        "original",
        "product",
        "removes",
        "return",
        "skip",
        "suspend",
        "switch",
        "then",
        "this",
        "throw",
        "trait",
        "try",
        "type",
        "uses",
        "while",
    ],
    literals: &["null", "True", "False"],
    types: &[],
    quotes: &["\"", "`"],
};

/// Reads the models of a request.
pub fn outline(request: &LoadRequest) -> Result<Outline, LoadError> {
    let files: Vec<SourceFile> = super::source_files(request)?;
    let parsed = parse(files.clone());
    let modules = parsed.units.iter().flat_map(|unit| &unit.modules);
    let items = modules.map(|module| module_item(&parsed.sources, module)).collect();
    let result = load(files, &LoadOptions::default());
    let messages = result.diagnostics.iter().map(|found| message(&result.sources, found)).collect();
    Ok(Outline { messages, items })
}

fn message(sources: &Sources, found: &Diagnostic) -> SourceMessage {
    let (start, end) = (sources.start(found.span), sources.end(found.span));
    let mut text = found.message.clone();
    for more in found.expected.iter().chain(&found.hint) {
        text += &format!("\n{more}");
    }
    SourceMessage {
        severity: match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        file: sources.file(found.span.file).name.to_string(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        text,
    }
}

fn item(sources: &Sources, kind: &'static str, name: impl Into<String>, span: Span) -> OutlineItem {
    OutlineItem {
        kind,
        name: name.into(),
        file: sources.file(span.file).name.to_string(),
        line: sources.start(span).line,
        method: None,
        items: Vec::new(),
    }
}

fn module_item(sources: &Sources, module: &Module) -> OutlineItem {
    let name = sources.text(module.name.span);
    let mut items: Vec<OutlineItem> =
        module.declarations.iter().filter_map(|declared| declaration(sources, declared)).collect();
    items.extend(
        module.main.as_ref().map(|main| item(sources, "main block", "main", main.block.span)),
    );
    OutlineItem { items, ..item(sources, "module", name, module.name.span) }
}

fn declaration(sources: &Sources, declared: &Declaration) -> Option<OutlineItem> {
    let (kind, name) = match &declared.kind {
        DeclarationKind::Class(class) => return Some(class_item(sources, class)),
        DeclarationKind::Function(function) => {
            let name = function.name.text.to_string();
            let method = Some(name.clone());
            return Some(OutlineItem {
                method,
                ..item(sources, "function", name, function.name.span)
            });
        }
        DeclarationKind::Interface(interface) => ("interface", &interface.name),
        DeclarationKind::Data(data) => ("data type", &data.name),
        DeclarationKind::Exception(exception) => ("exception", &exception.name),
        DeclarationKind::TypeSynonym(synonym) => ("type", &synonym.name),
        DeclarationKind::PartialFunction(function) => ("function", &function.name),
        DeclarationKind::Trait(declared) => ("trait", &declared.name),
    };
    Some(item(sources, kind, &*name.text, name.span))
}

fn class_item(sources: &Sources, class: &ClassDeclaration) -> OutlineItem {
    let methods = class.methods.iter().map(|method| {
        let name = &method.signature.name;
        OutlineItem {
            method: Some(format!("{}.{}", class.name.text, name.text)),
            ..item(sources, "method", &*name.text, name.span)
        }
    });
    let items = methods.collect();
    OutlineItem { items, ..item(sources, "class", &*class.name.text, class.name.span) }
}
