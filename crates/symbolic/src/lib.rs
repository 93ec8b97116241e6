//! Stand-in types; the real crate replaces this file.
#![allow(missing_docs)]
#[derive(Copy, Clone, Eq, PartialEq, Hash, Ord, PartialOrd, Debug)]
pub struct Term(pub u32);
