//! Small threaded programs for tests and benchmarks of the kernel, and an oracle for them.
//!
//! [`builder`] makes programs, [`shapes`], [`examples`] and [`random`] are made with it, [`oracle`]
//! says by brute force what an explorer must find in them, and [`enumerator`] is the bare search
//! that benchmarks compare with. [`java`] writes programs down as Java sources. [`audit`] checks what any front end says about its steps. Users of
//! the tool never see this crate.
//!
//! **Invariant.** The oracle shares nothing with the run that explorers drive but the tree of the
//! program and the form in which final states are written down, and nothing at all with explorers.

pub mod ast;
pub mod audit;
pub mod builder;
mod compile;
pub mod enumerator;
pub mod examples;
pub mod java;
mod machine;
pub mod oracle;
pub mod outcome;
mod program;
pub mod random;
pub mod shapes;
mod unknowns;

pub use program::TestProgram;
