//! Test cases from runs with unknown data.

#[path = "../benchmark/mod.rs"]
mod benchmark;
mod brute_force;
mod collect;
mod mutation;
mod reference;
