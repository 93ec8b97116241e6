//! Test cases from runs with unknown data.

#[path = "../benchmark/mod.rs"]
mod benchmark;
mod brute_force;
mod collect;
mod kinds;
mod mutation;
#[path = "../random_numbers/mod.rs"]
mod random_numbers;
mod reference;
mod references;
