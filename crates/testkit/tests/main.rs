//! The kit for tests, tested itself.

mod audit;
mod random;
mod reference;
mod semantics;
