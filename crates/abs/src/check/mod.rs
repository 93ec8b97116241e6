//! What a model declares and what its names and types mean.
//!
//! The rounds, in order: [`declare`] enters every name; [`scopes`] links imports and [`exports`]; [`signatures`]
//! resolves the types of data and functions; [`interfaces`] and [`classes`] resolve and check those. After
//! that the [`tables::Tables`] are complete, and [`lower`](crate::lower) types the bodies.

pub(crate) mod annotations;
pub(crate) mod classes;
mod declare;
pub(crate) mod exports;
pub(crate) mod generation;
pub(crate) mod inference;
mod interfaces;
pub(crate) mod relations;
pub(crate) mod scopes;
mod signatures;
pub(crate) mod suggestions;
pub(crate) mod tables;
mod traits;
pub(crate) mod type_uses;

use crate::diagnostics::Diagnostic;
use crate::syntax::tree::Unit;

use tables::Tables;

/// The tables of a model, complete, and messages about its declarations.
pub(crate) fn tables<'a>(units: &[&'a Unit], diagnostics: &mut Vec<Diagnostic>) -> Tables<'a> {
    let mut tables = declare::declare(units, diagnostics);
    tables.link(diagnostics);
    signatures::resolve(&mut tables, diagnostics);
    interfaces::resolve(&mut tables, diagnostics);
    classes::resolve(&mut tables, diagnostics);
    tables
}
