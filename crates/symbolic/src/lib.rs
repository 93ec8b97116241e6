//! Symbolic data: terms over unknown inputs, path conditions, models, and the solver behind one trait.
//!
//! A machine that runs a program with unknown inputs keeps a [`Term`] beside each concrete value that
//! depends on one. Terms live in a [`Terms`] store, one per program: equal terms are the same term, and a
//! term is simplified when it is built. At a branch the machine asks its [`Path`] which side the concrete
//! execution follows ([`Path::holds`], no solver), whether the other side is possible
//! ([`Path::feasible`]), and adds what it assumed ([`Path::assume`]). A path goes back with
//! [`Path::mark`] and [`Path::undo`].
//!
//! ```
//! use counterpoint_symbolic::{Feasible, SolverChain, Path, Sort, Terms, Value, Z3};
//!
//! let terms = Terms::new();
//! let mut path = Path::new(terms.clone(), SolverChain::new(Z3::new()).shared());
//! let x = terms.input("main#0", Sort::Bits(32));
//! let condition = terms.eq(terms.mul(x, x), terms.bits(49, 32));
//! assert!(!path.holds(condition)); // zero is the first guess
//! assert_eq!(path.assume(condition), Feasible::Yes);
//! assert_eq!(path.concrete(terms.mul(x, x)), Value::bits(49, 32));
//! ```
//!
//! | question | file |
//! |---|---|
//! | What is a term, how is it stored? | `node.rs`, `terms.rs` |
//! | What does an operator mean? | `semantics.rs`, and nowhere else |
//! | How is a term simplified? | `build/`: one file per family of operators |
//! | Which inputs does a term depend on? | `inputs.rs` |
//! | What is its value under a model? | `evaluate.rs`, `model.rs` |
//! | How is a query kept from the solver? | `chain.rs`, `slice.rs`, `few_values.rs` |
//! | How is the solver asked, and why is it not trusted? | `z3.rs`, `translate.rs` |
//! | How are growing constraints asked about again and again? | `session.rs` |
//! | How does a path condition grow and shrink? | `path.rs` |
//!
//! **Invariant:** a path's current model satisfies its whole condition; `Sat` carries a model that was
//! checked by evaluation; `Unknown` is an answer of its own and is never taken for "no".
//!
//! **Invariant:** nothing here recurses over the depth of a term. A loop of the tested program can build
//! terms hundreds of thousands of levels deep, and they must not overflow our stack.
//!
//! The crate never holds threads, tasks, schedules, languages, or anything else of ours but itself. The
//! solver sees numbers and Booleans only; structured data is split into cases by the machines.

mod build;
mod chain;
mod differences;
mod display;
mod evaluate;
mod exact;
mod few_values;
mod inputs;
mod model;
mod node;
mod path;
mod semantics;
mod session;
mod slice;
mod solver;
mod terms;
mod translate;
mod value;
mod z3;

pub use chain::{Counters, SolverChain, Stages};
pub use display::TermText;
pub use model::Model;
pub use node::{Term, Variable};
pub use path::{Feasible, Path, PathMark};
pub use session::Session;
pub use solver::{Answer, GrowingSolver, Solver};
pub use terms::Terms;
pub use value::{Sort, Value};
pub use z3::{GrowingZ3, Limits, Z3};

pub use num_bigint::BigInt;
