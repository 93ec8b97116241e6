//! Test cases from runs with unknown data.

mod brute_force;
mod collect;
mod kinds;
mod mutation;
mod reference;
mod references;
