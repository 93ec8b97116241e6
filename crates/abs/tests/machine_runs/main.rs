//! The machine under the explorers, on models built by hand.

mod assembler;
mod counts;
mod models;
mod random;
mod semantics;
