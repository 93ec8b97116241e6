//! The chain of cheap answers in front of the solver.
//!
//! Problem: explorers ask for the other side of every branch, most questions repeat or concern a few
//! inputs only, and a solver costs a thousand times what a look-up costs. Idea: a query passes stages, and
//! the first that knows the answer ends it: a constant condition; the current model; after slicing, an
//! exact cache of groups of constraints; what follows from comparisons; the values of inputs that have
//! few; the solver.
//!
//! Invariant: stages change the cost of an answer, never whether it is yes or no. Each can be switched
//! off, and the tests compare. An unknown answer is remembered like any other, as asking again would spend
//! the same budget again. What the cache keeps does not grow with the number of questions: of answers
//! that were not asked for lately the older half is forgotten.
//!
//! Cost: a constant or a satisfied condition: tens of nanoseconds. A cached one: linear in what depends on
//! the condition, a microsecond. A solved one: what the solver takes.

use crate::differences;
use crate::few_values;
use crate::model::Model;
use crate::node::Term;
use crate::slice::{Occurrences, Slicer};
use crate::solver::{Answer, Solver};
use crate::terms::Terms;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

/// Which stages are in use.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Stages {
    /// Constant conditions, and those whose negation is on the path, need no search.
    pub constant: bool,
    /// The current model answers if it satisfies the condition.
    pub model: bool,
    /// Only what depends on the condition is solved.
    pub slicing: bool,
    /// Answers are remembered.
    pub cache: bool,
    /// Comparisons of integers are decided without a search.
    pub differences: bool,
    /// Inputs that can have few values only are tried with all of them.
    pub few_values: bool,
}

impl Stages {
    /// Everything in use.
    pub const ALL: Stages = Stages {
        constant: true,
        model: true,
        slicing: true,
        cache: true,
        differences: true,
        few_values: true,
    };
    /// Every query goes to the solver as it is.
    pub const NONE: Stages = Stages {
        constant: false,
        model: false,
        slicing: false,
        cache: false,
        differences: false,
        few_values: false,
    };
}

/// How many queries there were and what answered them.
///
/// `queries` is the sum of `by_constant`, `by_model`, `by_cache`, `by_differences`, `by_trying` and `solved`, and
/// also the sum of `sat`, `unsat` and `unknown`.
#[derive(Copy, Clone, PartialEq, Default, Debug)]
pub struct Counters {
    /// All queries.
    pub queries: u64,
    /// Answered because the condition was constant or contradicted a constraint literally.
    pub by_constant: u64,
    /// Answered by the current model, or one found for the same condition just before.
    pub by_model: u64,
    /// Answered by the cache.
    pub by_cache: u64,
    /// Answered because integers were only compared.
    pub by_differences: u64,
    /// Answered by trying all values of the inputs.
    pub by_trying: u64,
    /// Constraints of the path that slicing kept out of what cache and solver were asked.
    pub sliced_away: u64,
    /// Answered by the solver.
    pub solved: u64,
    /// Answers "yes".
    pub sat: u64,
    /// Answers "no".
    pub unsat: u64,
    /// Answers "unknown".
    pub unknown: u64,
    /// Time spent in the solver, on comparisons and on trying values.
    pub solver_seconds: f64,
}

/// A solver behind its chain of stages.
pub struct SolverChain {
    solver: Box<dyn Solver>,
    stages: Stages,
    counters: Counters,
    store: Option<u64>,
    slicer: Slicer,
    answers: Answers,
}

/// Answers by their constraints, in two generations: when the younger is full, the older is dropped.
struct Answers {
    young: FxHashMap<Box<[Term]>, Answer>,
    old: FxHashMap<Box<[Term]>, Answer>,
    /// Answers in a generation.
    capacity: usize,
}

impl Answers {
    const CAPACITY: usize = 1 << 16;

    fn new(capacity: usize) -> Answers {
        Answers { young: FxHashMap::default(), old: FxHashMap::default(), capacity }
    }

    fn get(&mut self, constraints: &[Term]) -> Option<Answer> {
        if let Some(answer) = self.young.get(constraints) {
            return Some(answer.clone());
        }
        let (constraints, answer) = self.old.remove_entry(constraints)?;
        self.insert(constraints, answer.clone());
        Some(answer)
    }

    fn insert(&mut self, constraints: Box<[Term]>, answer: Answer) {
        if self.young.len() >= self.capacity {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(constraints, answer);
    }

    fn clear(&mut self) {
        self.young.clear();
        self.old.clear();
    }
}

/// A question about a path and one more condition.
pub(crate) struct Query<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) path: &'a [Term],
    pub(crate) occurrences: &'a Occurrences,
    /// Satisfies the path.
    pub(crate) model: &'a Model,
    pub(crate) condition: Term,
    /// Whether the model satisfies the condition too; the path knows from its memo.
    pub(crate) holds: bool,
}

impl SolverChain {
    /// With all stages in use.
    pub fn new(solver: impl Solver + 'static) -> SolverChain {
        SolverChain::with_stages(solver, Stages::ALL)
    }

    /// With these stages in use.
    pub fn with_stages(solver: impl Solver + 'static, stages: Stages) -> SolverChain {
        SolverChain {
            solver: Box::new(solver),
            stages,
            counters: Counters::default(),
            store: None,
            slicer: Slicer::default(),
            answers: Answers::new(Answers::CAPACITY),
        }
    }

    /// Ready to be shared by the paths of a program.
    pub fn shared(self) -> Rc<RefCell<SolverChain>> {
        Rc::new(RefCell::new(self))
    }

    /// What was asked and answered so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The solver's name.
    pub fn solver_name(&self) -> &str {
        self.solver.name()
    }

    /// Whether the condition can hold together with a path that the model satisfies. A model in the
    /// answer satisfies both.
    pub(crate) fn ask(&mut self, query: &Query<'_>) -> Answer {
        self.counters.queries += 1;
        let answer = self.answer(query);
        match answer {
            Answer::Sat(_) => self.counters.sat += 1,
            Answer::Unsat => self.counters.unsat += 1,
            Answer::Unknown(_) => self.counters.unknown += 1,
        }
        answer
    }

    /// A query was answered by a model that its path had found before. It counts like any other, so that the number of
    /// queries does not depend on which models were found.
    pub(crate) fn known(&mut self) {
        self.counters.queries += 1;
        self.counters.by_model += 1;
        self.counters.sat += 1;
    }

    fn answer(&mut self, query: &Query<'_>) -> Answer {
        let Query { terms, path, occurrences, model, condition, holds } = *query;
        if self.stages.constant && terms.is_constant(condition) {
            self.counters.by_constant += 1;
            return if holds { Answer::Sat(model.clone()) } else { Answer::Unsat };
        }
        if self.stages.model && holds {
            self.counters.by_model += 1;
            return Answer::Sat(model.clone());
        }
        if self.stages.constant && occurrences.contains(terms, path, terms.not(condition)) {
            self.counters.by_constant += 1;
            return Answer::Unsat;
        }
        let constraints = if self.stages.slicing {
            let group = self.slicer.group(terms, path, occurrences, condition);
            self.counters.sliced_away += (path.len() + 1).saturating_sub(group.len()) as u64;
            group
        } else {
            let mut all = [path, &[condition]].concat();
            all.sort_unstable();
            all.dedup();
            all
        };
        match self.solve(terms, constraints) {
            Answer::Sat(found) => Answer::Sat(model.updated_by(&found)),
            other => other,
        }
    }

    fn solve(&mut self, terms: &Terms, constraints: Vec<Term>) -> Answer {
        if self.store != Some(terms.identity()) {
            self.answers.clear();
            self.store = Some(terms.identity());
        }
        if self.stages.cache
            && let Some(answer) = self.answers.get(&constraints)
        {
            self.counters.by_cache += 1;
            return answer;
        }
        let start = Instant::now();
        let answer = self.search(terms, &constraints);
        self.counters.solver_seconds += start.elapsed().as_secs_f64();
        if self.stages.cache {
            self.answers.insert(constraints.into(), answer.clone());
        }
        answer
    }

    fn search(&mut self, terms: &Terms, constraints: &[Term]) -> Answer {
        if self.stages.differences
            && let Some(answer) = differences::decide(terms, constraints)
        {
            self.counters.by_differences += 1;
            return answer;
        }
        if self.stages.few_values
            && let Some(answer) = few_values::try_all(terms, constraints)
        {
            self.counters.by_trying += 1;
            return answer;
        }
        self.counters.solved += 1;
        self.solver.check(terms, constraints)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::{Feasible, Path};
    use crate::value::Sort;
    use crate::z3::Z3;

    /// Gives up, and counts how often and with how many constraints it was asked.
    struct Silent(Rc<RefCell<Vec<usize>>>);

    impl Solver for Silent {
        fn check(&mut self, _: &Terms, constraints: &[Term]) -> Answer {
            self.0.borrow_mut().push(constraints.len());
            Answer::Unknown("silent".to_string())
        }

        fn name(&self) -> &str {
            "silent"
        }
    }

    #[test]
    fn each_stage_answers_its_own_queries() {
        let terms = Terms::new();
        let solver = SolverChain::new(Z3::new()).shared();
        let mut path = Path::new(terms.clone(), solver.clone());
        let [x, y] = ["x", "y"].map(|name| terms.input(name, Sort::Bits(32)));
        let k = |value: u64| terms.bits(value, 32);
        let x_is_large = terms.sgt(x, k(10));
        let x_is_seven = terms.eq(x, k(7));

        assert_eq!(path.feasible(terms.bool(true)), Feasible::Yes); // constant
        assert_eq!(path.assume(terms.slt(y, k(5))), Feasible::Yes); // zero is below five: model
        assert_eq!(path.assume(x_is_large), Feasible::Yes); // solved: sat
        assert_eq!(path.feasible(terms.sle(x, k(10))), Feasible::No); // negation on the path: constant
        assert_eq!(path.feasible(x_is_seven), Feasible::No); // solved: unsat
        assert_eq!(path.feasible(x_is_seven), Feasible::No); // cache
        assert_eq!(path.assume(terms.slt(y, k(3))), Feasible::Yes); // model
        assert_eq!(path.feasible(x_is_seven), Feasible::No); // cache: y is in another group
        let counters = Counters { solver_seconds: 0.0, ..solver.borrow().counters() };
        let expected = Counters {
            queries: 8,
            by_constant: 2,
            by_model: 2,
            by_cache: 2,
            by_differences: 0,
            by_trying: 0,
            sliced_away: 5,
            solved: 2,
            sat: 4,
            unsat: 4,
            unknown: 0,
            solver_seconds: 0.0,
        };
        assert_eq!(counters, expected);
    }

    #[test]
    fn slicing_decides_what_the_solver_sees() {
        let all = Stages { differences: false, few_values: false, ..Stages::ALL };
        for (stages, expected) in [
            (all, vec![2, 1]),
            (Stages { slicing: false, ..all }, vec![4, 4]),
            (Stages { cache: false, ..all }, vec![2, 2, 1]),
        ] {
            let terms = Terms::new();
            let asked = Rc::default();
            let solver = SolverChain::with_stages(Silent(Rc::clone(&asked)), stages).shared();
            let mut path = Path::new(terms.clone(), solver);
            let [a, b, c] = ["a", "b", "c"].map(|name| terms.input(name, Sort::Int));
            for input in [a, b, c] {
                assert_eq!(path.assume(terms.int_lt(input, terms.int(5))), Feasible::Yes);
            }
            for condition in [
                terms.eq(a, terms.int(3)),
                terms.eq(a, terms.int(3)),
                terms.eq(terms.input("d", Sort::Int), terms.int(3)),
            ] {
                assert_eq!(path.feasible(condition), Feasible::Unknown("silent".to_string()));
            }
            assert_eq!(*asked.borrow(), expected, "{stages:?}");
        }
    }

    #[test]
    fn the_cache_belongs_to_one_store() {
        let solver = SolverChain::new(Z3::new()).shared();
        for value in [3, 5] {
            let terms = Terms::new();
            let mut path = Path::new(terms.clone(), solver.clone());
            let x = terms.input("x", Sort::Int);
            assert_eq!(path.assume(terms.eq(x, terms.int(value))), Feasible::Yes);
            assert_eq!(path.concrete(x), crate::Value::int(value));
        }
        assert_eq!(solver.borrow().counters().by_cache, 0);
        assert_eq!(solver.borrow().solver_name(), "z3");
    }

    #[test]
    fn answers_are_kept_while_they_are_asked_for_and_never_too_many() {
        let terms = Terms::new();
        let key = |number: u64| [terms.bits(number, 64)];
        let mut answers = Answers::new(10);
        for number in 0..1000 {
            answers.insert(key(number).into(), Answer::Unsat);
            assert!(answers.get(&key(0)).is_some(), "asked for after each of the others");
            assert!(answers.young.len() + answers.old.len() <= 20);
        }
        assert!(answers.get(&key(999)).is_some());
        assert!(answers.get(&key(500)).is_none());
    }
}
