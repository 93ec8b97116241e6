//! The annotations that mean something here. All others are ignored, whatever they contain.

use crate::diagnostics::Diagnostic;
use crate::syntax::tree::{Annotation, Expression, ExpressionKind};

use super::tables::ClassKind;

/// Whether one of the annotations is a constructor of that name: `[Final]`, `[Atomic]`, ...
pub(crate) fn has(annotations: &[Annotation], name: &str) -> bool {
    annotations
        .iter()
        .any(|annotation| annotation.name.is_none() && is_constructor(&annotation.value, name))
}

/// The value of `[Name: value]`.
pub(crate) fn value<'a>(annotations: &'a [Annotation], name: &str) -> Option<&'a Expression> {
    let named = |annotation: &&Annotation| {
        annotation.name.as_ref().is_some_and(|known| &*known.text == name)
    };
    annotations.iter().find(named).map(|annotation| &annotation.value)
}

/// What `[COG]` and `[Plain]` say about a class.
pub(crate) fn class_kind(annotations: &[Annotation]) -> ClassKind {
    if has(annotations, "COG") {
        ClassKind::Cog
    } else if has(annotations, "Plain") {
        ClassKind::Plain
    } else {
        ClassKind::Any
    }
}

/// Warnings about annotations that other tools obey and that do nothing here.
pub(crate) fn without_effect(annotations: &[Annotation]) -> Vec<Diagnostic> {
    let warn = |annotation: &Annotation| {
        let name = annotation.name.as_ref().map(|name| &*name.text);
        if name == Some("Scheduler") {
            let message = "this scheduler has no effect: every order of tasks is explored";
            let diagnostic = Diagnostic::warning(annotation.span, message);
            Some(diagnostic.assuming("tasks go in any order, whatever schedulers the model gives"))
        } else if name.is_none() && is_constructor(&annotation.value, "Foreign") {
            let message =
                "foreign code cannot be called: the methods written in ABS are run instead";
            let diagnostic = Diagnostic::warning(annotation.span, message);
            Some(
                diagnostic
                    .assuming("foreign code does what the methods written in ABS in its place do"),
            )
        } else {
            None
        }
    };
    annotations.iter().filter_map(warn).collect()
}

fn is_constructor(value: &Expression, name: &str) -> bool {
    matches!(
        &value.kind,
        ExpressionKind::Construct { constructor, arguments, .. }
            if &*constructor.name.text == name && arguments.is_empty()
    )
}
