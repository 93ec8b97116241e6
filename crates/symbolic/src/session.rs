//! A conversation with Z3 about constraints that only grow.
//!
//! Problem: a large set of constraints is asked about again and again, each time with a few more, and what
//! the solver has learnt should not be lost in between. Idea: one Z3 solver for the whole conversation;
//! constraints are added, never taken back.
//!
//! Invariant: as for every solver here, `Sat` carries a model that satisfies all constraints by our own
//! evaluation, and everything that is not decided is `Unknown` with a reason.
//!
//! Cost: Z3's own; reading and checking a model is linear in the constraints.

use crate::evaluate::Memo;
use crate::node::Term;
use crate::solver::Answer;
use crate::terms::Terms;
use crate::translate::Translator;
use crate::value::Value;
use crate::z3::{parameters, read_model};
use std::rc::Rc;
use std::time::Duration;

/// Constraints over one store, and a solver that remembers what it has learnt about them.
pub struct Session {
    terms: Rc<Terms>,
    solver: z3::Solver,
    translator: Translator,
    constraints: Vec<Term>,
}

impl Session {
    /// Without constraints; each question may take so long.
    pub fn new(terms: Rc<Terms>, time: Duration) -> Session {
        // Pushing puts Z3 into the mode in which it keeps what it has learnt, and spares its default
        // strategy the ten milliseconds that it takes to set itself up.
        let solver = z3::Solver::new();
        solver.push();
        solver.set_params(&parameters(time, None));
        Session { terms, solver, translator: Translator::default(), constraints: Vec::new() }
    }

    /// Adds a constraint for good.
    pub fn add(&mut self, constraint: Term) {
        self.solver.assert(self.translator.condition(&self.terms, constraint));
        self.constraints.push(constraint);
    }

    /// Whether all constraints can hold together.
    pub fn check(&mut self) -> Answer {
        match self.solver.check() {
            z3::SatResult::Unsat => Answer::Unsat,
            z3::SatResult::Unknown => {
                let reason = self.solver.get_reason_unknown();
                Answer::Unknown(format!("z3: {}", reason.as_deref().unwrap_or("no reason given")))
            }
            z3::SatResult::Sat => self.verified_model(),
        }
    }

    fn verified_model(&mut self) -> Answer {
        let terms = &self.terms;
        let read = read_model(&self.solver, &mut self.translator, terms, &self.constraints);
        let Some(model) = read else {
            return Answer::Unknown("z3: says Sat but gives no readable model".to_string());
        };
        let mut memo = Memo::default();
        let violated = self.constraints.iter().find(|&&constraint| {
            terms.evaluate_with(constraint, &model, &mut memo) != Value::Bool(true)
        });
        match violated {
            None => Answer::Sat(model),
            Some(&constraint) => Answer::Unknown(format!(
                "z3: INTERNAL ERROR: its model does not satisfy {}",
                terms.display(constraint)
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Sort;

    #[test]
    fn constraints_grow_until_nothing_is_left() {
        let terms = Terms::new();
        let mut session = Session::new(Rc::clone(&terms), Duration::from_secs(5));
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
