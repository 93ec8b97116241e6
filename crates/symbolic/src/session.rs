//! A conversation with a solver about constraints that only grow.
//!
//! Problem: a large set of constraints is asked about again and again, each time with a few more, and what
//! the solver has learnt should not be lost in between. Idea: one [`GrowingSolver`] for the whole
//! conversation; constraints are added, never taken back.
//!
//! Invariant: the solver has been given exactly the constraints listed here, all from one store.
//!
//! Cost: the solver's own.

use crate::node::Term;
use crate::solver::{Answer, GrowingSolver};
use crate::terms::Terms;
use std::rc::Rc;

/// Constraints over one store, and a solver that remembers what it has learnt about them.
pub struct Session {
    terms: Rc<Terms>,
    solver: Box<dyn GrowingSolver>,
    constraints: Vec<Term>,
}

impl Session {
    /// Without constraints, with a solver that has none either.
    pub fn new(terms: Rc<Terms>, solver: impl GrowingSolver + 'static) -> Session {
        Session { terms, solver: Box::new(solver), constraints: Vec::new() }
    }

    /// Adds a constraint for good.
    pub fn add(&mut self, constraint: Term) {
        self.solver.add(&self.terms, constraint);
        self.constraints.push(constraint);
    }

    /// Whether all constraints can hold together.
    pub fn check(&mut self) -> Answer {
        self.solver.check(&self.terms, &self.constraints)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Sort, Value};
    use crate::z3::GrowingZ3;
    use std::time::Duration;

    #[test]
    fn constraints_grow_until_nothing_is_left() {
        let terms = Terms::new();
        let mut session = Session::new(Rc::clone(&terms), GrowingZ3::new(Duration::from_secs(5)));
        let [a, b] = ["a", "b"].map(|name| terms.input(name, Sort::Bool));
        let [m, n] = ["m", "n"].map(|name| terms.input(name, Sort::Int));
        session.add(terms.or(a, b));
        session.add(terms.implies(a, terms.int_lt(m, n)));
        session.add(terms.implies(b, terms.int_lt(n, m)));
        let mut solutions = 0;
        while let Answer::Sat(model) = session.check() {
            solutions += 1;
            let literal = |name: &str, term| match model.get(name) {
                Some(Value::Bool(true)) => term,
                _ => terms.not(term),
            };
            session.add(terms.not(terms.and(literal("a", a), literal("b", b))));
        }
        assert_eq!(solutions, 2, "either, but not both");
        assert_eq!(session.check(), Answer::Unsat);
    }
}
