//! The syntax tree of a model: what was written, in today's shape, with nothing resolved.
//!
//! Both generations of the language give the same tree; where the spelling matters later (`new cog` decides
//! how a bare `new` is to be read) the tree keeps it. A tree is also what broken text gives: pieces that
//! could not be read are [`ExpressionKind::Error`] or are missing, and a message was reported for each.
//!
//! Operators of one precedence level form a flat [`ExpressionKind::Chain`], as do arguments and list
//! literals, so the height of a tree is bounded by the nesting depth the parser allows, not by the length of
//! the text. Whoever walks a tree may recurse.

use std::fmt;
use std::sync::Arc;

use crate::source::Span;

mod declarations;
mod expressions;
mod product_lines;
mod statements;

pub use declarations::*;
pub use expressions::*;
pub use product_lines::*;
pub use statements::*;

/// A name as written, with its place.
#[derive(Clone, Debug)]
pub struct Identifier {
    /// The name.
    pub text: Arc<str>,
    /// Its place.
    pub span: Span,
}

impl fmt::Display for Identifier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// A name with an optional module in front: `A.B.name`. A module's own name is one of these, too.
#[derive(Clone, Debug)]
pub struct QualifiedName {
    /// `A.B` of `A.B.name`.
    pub qualifier: Option<Arc<str>>,
    /// The last part.
    pub name: Identifier,
    /// The place of the whole.
    pub span: Span,
}

impl fmt::Display for QualifiedName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(qualifier) = &self.qualifier {
            write!(formatter, "{qualifier}.")?;
        }
        formatter.write_str(&self.name.text)
    }
}

/// The use of a type.
#[derive(Clone, Debug)]
pub struct TypeUse {
    /// Annotations in front of it.
    pub annotations: Vec<Annotation>,
    /// The type's name.
    pub name: QualifiedName,
    /// Type arguments.
    pub arguments: Vec<TypeUse>,
    /// All of it, without the annotations.
    pub span: Span,
}

/// `[Name: value]` or `[value]`, never resolved unless the checker knows it.
#[derive(Clone, Debug)]
pub struct Annotation {
    /// The name before the colon.
    pub name: Option<Identifier>,
    /// What follows.
    pub value: Expression,
    /// All of it.
    pub span: Span,
}
