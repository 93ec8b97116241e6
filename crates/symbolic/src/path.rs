//! Path conditions.
//!
//! Problem: a run with unknown inputs follows one concrete execution, collects what it assumed on the way,
//! asks for the sides it did not take, and goes back all the time. Idea: the condition is a stack of
//! constraints with a model that satisfies them (concolic execution, chapter 2.2 of the thesis on threads).
//! The model decides branches for free. When an assumption contradicts it, the solver finds another one,
//! which goes on a second stack together with the values evaluated under it; going back pops both.
//!
//! Invariant: the current model satisfies all constraints. A failed `assume` changes nothing. After
//! `undo`, constraints, model and answers are those at the mark.
//!
//! Cost: `mark` copies two words; `undo` drops what was added. `concrete` is a look-up for a term known
//! under this model. A path without inputs allocates nothing.

use crate::chain::{Query, SolverChain};
use crate::evaluate::Memo;
use crate::few_values;
use crate::model::Model;
use crate::node::{Term, Variable};
use crate::slice::Occurrences;
use crate::solver::Answer;
use crate::terms::Terms;
use crate::value::Value;
use num_bigint::BigInt;
use std::cell::RefCell;
use std::rc::Rc;

/// Whether a condition is possible on a path.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Feasible {
    /// It is, and a model was found.
    Yes,
    /// It is not.
    No,
    /// The solver could not tell, for this reason. Makes a verdict incomplete.
    Unknown(String),
}

/// A path condition with its current model.
#[derive(Clone)]
pub struct Path {
    terms: Rc<Terms>,
    solver: Rc<RefCell<SolverChain>>,
    constraints: Vec<Term>,
    occurrences: Occurrences,
    /// The model the path started from, and those found later.
    first: Epoch,
    later: Vec<Epoch>,
    /// The last condition found feasible, and a model of it with the path as it is now.
    witness: Option<(Term, Model)>,
}

/// A point to go back to.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct PathMark {
    constraints: u32,
    models: u32,
}

/// A model with the values evaluated under it.
#[derive(Clone, Default)]
struct Epoch {
    model: Model,
    memo: RefCell<Memo>,
}

impl Path {
    /// The empty path; every input is zero or false.
    pub fn new(terms: Rc<Terms>, solver: Rc<RefCell<SolverChain>>) -> Path {
        Path {
            terms,
            solver,
            constraints: Vec::new(),
            occurrences: Occurrences::default(),
            first: Epoch::default(),
            later: Vec::new(),
            witness: None,
        }
    }

    /// Sets the model the path starts from, for replays.
    ///
    /// # Panics
    /// If something was assumed already: the model might contradict it.
    pub fn start_from(&mut self, model: Model) {
        assert!(
            self.constraints.is_empty() && self.later.is_empty(),
            "a path takes an initial model only while it is empty"
        );
        self.witness = None;
        self.first = Epoch { model, memo: RefCell::default() };
    }

    /// The store the path's terms live in.
    pub fn terms(&self) -> &Rc<Terms> {
        &self.terms
    }

    /// What answers the path's questions.
    pub fn solver(&self) -> &Rc<RefCell<SolverChain>> {
        &self.solver
    }

    /// The inputs of the concrete execution. It satisfies all constraints.
    pub fn model(&self) -> &Model {
        &self.current().model
    }

    /// What was assumed so far, without what is always true.
    pub fn constraints(&self) -> &[Term] {
        &self.constraints
    }

    /// The value of a term under the current model.
    pub fn concrete(&self, term: Term) -> Value {
        if self.terms.is_constant(term)
            && let Some(value) = self.terms.as_constant(term)
        {
            return value;
        }
        let Epoch { model, memo } = self.current();
        self.terms.evaluate_with(term, model, &mut memo.borrow_mut())
    }

    /// Which side of a condition the concrete execution follows.
    pub fn holds(&self, condition: Term) -> bool {
        self.concrete(condition) == Value::Bool(true)
    }

    /// Whether the condition could hold together with the path. The model found is remembered, so that
    /// assuming the condition next does not ask again.
    pub fn feasible(&mut self, condition: Term) -> Feasible {
        if self.witness.as_ref().is_some_and(|(known, _)| *known == condition) {
            self.solver.borrow_mut().known();
            return Feasible::Yes;
        }
        match self.ask(condition) {
            Answer::Sat(model) => {
                self.witness = Some((condition, model));
                Feasible::Yes
            }
            Answer::Unsat => Feasible::No,
            Answer::Unknown(reason) => Feasible::Unknown(reason),
        }
    }

    /// Adds a condition. If the current model does not satisfy it, another one is found; if there is
    /// none, or the solver cannot tell, the path stays as it was.
    pub fn assume(&mut self, condition: Term) -> Feasible {
        let model = match self.witness.take() {
            Some((known, model)) if known == condition => {
                self.solver.borrow_mut().known();
                model
            }
            _ => match self.ask(condition) {
                Answer::Sat(model) => model,
                Answer::Unsat => return Feasible::No,
                Answer::Unknown(reason) => return Feasible::Unknown(reason),
            },
        };
        if !self.terms.is_constant(condition) {
            self.occurrences.push(&self.terms, self.constraints.len() as u32, condition);
            self.constraints.push(condition);
        }
        if !model.is_same(self.model()) {
            self.later.push(Epoch { model, memo: RefCell::default() });
        }
        Feasible::Yes
    }

    /// The model that was found when this condition was last found feasible, for [`Path::recall`].
    pub fn found(&self, condition: Term) -> Option<Model> {
        self.witness
            .as_ref()
            .filter(|(known, _)| *known == condition)
            .map(|(_, model)| model.clone())
    }

    /// Brings back a model that was found for a condition when the path was the same as now, so that
    /// assuming the condition next does not ask again.
    pub fn recall(&mut self, condition: Term, model: Model) {
        self.witness = Some((condition, model));
    }

    /// Adds that an input has this value. The other inputs keep theirs if they can, and then no solver
    /// is asked.
    pub fn assume_value(&mut self, input: &Variable, value: Value) -> Feasible {
        let condition = self.terms.eq(input.term(), self.terms.value(&value));
        if let Some(model) = self.model_with(input, value) {
            self.witness = Some((condition, model));
        }
        self.assume(condition)
    }

    /// The current model with another value for an input, if it satisfies the path. Only what the input
    /// occurs in is looked at: the rest holds as before.
    pub fn model_with(&self, input: &Variable, value: Value) -> Option<Model> {
        let mut model = self.model().clone();
        model.set(input.name(), value);
        let mut memo = Memo::default();
        let holds = |term| self.terms.evaluate_with(term, &model, &mut memo) == Value::Bool(true);
        self.constraints_on(input).into_iter().all(holds).then_some(model)
    }

    /// Whether a number can be another one than it is under the current model. Most can be one more or less, and that is
    /// seen without a solver.
    pub fn may_vary(&mut self, input: &Variable, number: &BigInt) -> Feasible {
        let fits = |by: i32| self.model_with(input, Value::Int(number + by)).is_some();
        if fits(-1) || fits(1) {
            self.solver.borrow_mut().known();
            return Feasible::Yes;
        }
        self.feasible(self.terms.ne(input.term(), self.terms.int(number.clone())))
    }

    /// The least and the greatest value that constraints on this input alone leave to an integer.
    pub fn bounds(&self, input: &Variable) -> (Option<i64>, Option<i64>) {
        few_values::bounds(&self.terms, &self.constraints_on(input), input.term())
    }

    /// The constraints that an input occurs in.
    pub fn constraints_on(&self, input: &Variable) -> Vec<Term> {
        let Some(number) = self.terms.first_input(input.term()) else { return Vec::new() };
        self.occurrences.of(number).map(|place| self.constraints[place as usize]).collect()
    }

    /// The point reached, to go back to.
    pub fn mark(&self) -> PathMark {
        PathMark { constraints: self.constraints.len() as u32, models: self.later.len() as u32 }
    }

    /// Goes back to a mark that is not ahead of the path.
    pub fn undo(&mut self, mark: PathMark) {
        debug_assert!(
            mark.constraints as usize <= self.constraints.len()
                && mark.models as usize <= self.later.len(),
            "a path goes back, not forth"
        );
        self.constraints.truncate(mark.constraints as usize);
        self.occurrences.truncate(mark.constraints);
        self.later.truncate(mark.models as usize);
        self.witness = None;
    }

    fn current(&self) -> &Epoch {
        self.later.last().unwrap_or(&self.first)
    }

    fn ask(&self, condition: Term) -> Answer {
        let query = Query {
            terms: &self.terms,
            path: &self.constraints,
            occurrences: &self.occurrences,
            model: self.model(),
            condition,
            holds: self.holds(condition),
        };
        self.solver.borrow_mut().ask(&query)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Stages;
    use crate::value::Sort;
    use crate::z3::Z3;

    fn path_of(terms: &Rc<Terms>) -> Path {
        Path::new(terms.clone(), SolverChain::new(Z3::new()).shared())
    }

    /// Example 1 of the thesis on threads: the loop body runs twice, with a fresh input each time.
    #[test]
    fn the_first_example_is_explored_as_in_the_thesis() {
        let terms = Terms::new();
        let mut path = path_of(&terms);
        let k = |value: u64| terms.bits(value, 32);
        let [first, second] = ["input1", "input2"].map(|name| terms.input(name, Sort::Bits(32)));
        path.start_from([("input1", k_value(5)), ("input2", k_value(10))].into_iter().collect());
        let hits: Vec<Term> = [(first, 0), (second, 1)]
            .into_iter()
            .map(|(input, count)| terms.eq(terms.add(input, k(5)), k(count)))
            .collect();
        let start = path.mark();
        assert!(!path.holds(hits[0]));
        assert_eq!(path.assume(terms.not(hits[0])), Feasible::Yes);
        let between = path.mark();
        assert!(!path.holds(hits[1]));
        assert_eq!(path.assume(terms.not(hits[1])), Feasible::Yes);
        assert_eq!(path.model().get("input2"), Some(&k_value(10)));

        path.undo(between);
        assert_eq!(path.assume(hits[1]), Feasible::Yes);
        assert_eq!(path.concrete(second), k_value(-4));
        assert_eq!(path.concrete(first), k_value(5), "slicing leaves the other input alone");
        assert!(path.constraints().iter().all(|&constraint| path.holds(constraint)));

        path.undo(start);
        assert_eq!(path.assume(hits[0]), Feasible::Yes);
        assert_eq!(path.concrete(first), k_value(-5));
    }

    fn k_value(value: i64) -> Value {
        Value::bits(value as u64, 32)
    }

    #[test]
    fn undo_restores_constraints_model_and_answers() {
        let terms = Terms::new();
        let mut path = path_of(&terms);
        let [x, y] = ["x", "y"].map(|name| terms.input(name, Sort::Int));
        let below = |a, limit: i64| terms.int_lt(a, terms.int(limit));
        let above = |a, limit: i64| terms.int_gt(a, terms.int(limit));
        assert_eq!(path.assume(above(x, 100)), Feasible::Yes);
        let mark = path.mark();
        let state = |path: &Path| {
            (path.constraints().to_vec(), path.model().clone(), path.concrete(terms.int_add(x, y)))
        };
        let before = state(&path);
        assert_eq!(path.assume(below(x, 50)), Feasible::No);
        assert_eq!(state(&path), before, "a failed assumption changes nothing");
        assert_eq!(path.assume(terms.int_lt(x, y)), Feasible::Yes);
        assert_eq!(path.assume(above(x, 1000)), Feasible::Yes);
        assert_eq!(path.feasible(below(y, 1000)), Feasible::No);
        path.undo(mark);
        assert_eq!(state(&path), before);
        assert_eq!(path.mark(), mark);
        assert_eq!(path.feasible(below(y, 1000)), Feasible::Yes);
        assert_eq!(path.feasible(below(x, 50)), Feasible::No);
    }

    #[test]
    fn assuming_what_was_found_feasible_asks_once() {
        let terms = Terms::new();
        let solver = SolverChain::with_stages(Z3::new(), Stages::NONE).shared();
        let mut path = Path::new(terms.clone(), solver.clone());
        let x = terms.input("x", Sort::Int);
        let condition = terms.eq(x, terms.int(17));
        assert_eq!(path.feasible(condition), Feasible::Yes);
        assert_eq!(path.feasible(condition), Feasible::Yes);
        assert_eq!(
            path.concrete(x),
            Value::int(0),
            "the model changes only when something is assumed"
        );
        assert_eq!(path.assume(condition), Feasible::Yes);
        assert_eq!(path.concrete(x), Value::int(17));
        let counters = solver.borrow().counters();
        assert_eq!((counters.queries, counters.solved), (3, 1));
    }

    #[test]
    fn a_path_without_inputs_holds_nothing() {
        let terms = Terms::new();
        let mut path = path_of(&terms);
        assert_eq!(path.assume(terms.bool(true)), Feasible::Yes);
        assert_eq!(path.feasible(terms.bool(false)), Feasible::No);
        assert_eq!(path.assume(terms.bool(false)), Feasible::No);
        assert_eq!((path.constraints.capacity(), path.later.capacity()), (0, 0));
        assert!(path.model().is_empty());
        assert!(size_of::<PathMark>() <= size_of::<usize>());
    }

    #[test]
    #[should_panic(expected = "only while it is empty")]
    fn an_initial_model_comes_first() {
        let terms = Terms::new();
        let mut path = path_of(&terms);
        let x = terms.input("x", Sort::Bool);
        path.assume(x);
        path.start_from(Model::new());
    }
}
