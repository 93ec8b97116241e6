//! The machine under the explorers, on models built by hand.

mod assembler;
mod counts;
mod expectations;
mod limits;
mod models;
mod names;
mod once;
mod pictures;
mod random;
mod resuming;
mod semantics;
mod simulation;
mod timed;
