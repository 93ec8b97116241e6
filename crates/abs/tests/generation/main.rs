//! Test cases from runs with unknown data.

mod collect;
mod reference;
