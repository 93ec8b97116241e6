//! Symbolic values and the solver chain, tested from outside.

mod common;
mod deep;
mod simplification;
mod stages;
