//! Questions about inputs that can have few values only, answered by trying them all.
//!
//! Problem: products, quotients and remainders of unknowns are hard for a solver, and undecidable in
//! general, even where a range leaves each input three values. Idea: read the bounds of the inputs off
//! the constraints, and search through their values, the ones next to zero first. The constraints are
//! written down as one list of operators on machine words, sorted by the last input that each of them
//! needs, so that a constraint is looked at as soon as its inputs have values and a wrong beginning is
//! given up at once.
//!
//! Invariant: an answer "yes" comes with values that satisfy every constraint, "no" means that all values
//! were tried, and anything else is no answer: inputs without bounds, bit vectors, numbers that do not fit a
//! machine word, more work than [`Effort`] allows.
//!
//! Cost: a few nanoseconds for an operator and an assignment; at most what [`Effort`] says, which is less than a
//! solver's set-up unless the constraints multiply or divide inputs.

use crate::model::Model;
use crate::node::{Binary, Node, Term, Unary};
use crate::solver::Answer;
use crate::terms::Terms;
use crate::value::{Sort, Value};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

/// What a search may cost.
#[derive(Clone, Copy)]
struct Effort {
    /// Assignments of values to all inputs.
    assignments: u64,
    /// Operators evaluated.
    operators: u64,
}

const LINEAR: Effort = Effort { assignments: 1 << 12, operators: 1 << 17 };
/// Constraints that multiply or divide inputs, for which the solver is slow.
const OTHERS: Effort = Effort { assignments: 1 << 20, operators: 1 << 22 };

/// What inputs without bounds are tried to be in [`guess`].
const GUESSES: Interval = Interval { least: -4, most: 4 };

/// The answer for inputs that all have bounds; nothing if one has none or the search would be too long.
pub(crate) fn try_all(terms: &Terms, constraints: &[Term]) -> Option<Answer> {
    let search = Search::new(terms, constraints, None)?;
    match search.run()? {
        Some(model) => Some(Answer::Sat(model)),
        None => Some(Answer::Unsat),
    }
}

/// A model with small numbers, if there is one that is easily found.
pub(crate) fn guess(terms: &Terms, constraints: &[Term]) -> Option<Model> {
    Search::new(terms, constraints, Some(GUESSES))?.run()?
}

/// The bounds that constraints of the form "input below number" and their like give to an input, each if
/// there is one.
pub(crate) fn bounds(
    terms: &Terms,
    constraints: &[Term],
    input: Term,
) -> (Option<i64>, Option<i64>) {
    let found = read_bounds(terms, constraints);
    let interval = found.get(&input).copied().unwrap_or(Interval::ALL);
    let least = (interval.least != Interval::ALL.least).then_some(interval.least);
    let most = (interval.most != Interval::ALL.most).then_some(interval.most);
    (least, most)
}

#[derive(Clone, Copy)]
struct Interval {
    least: i64,
    most: i64,
}

impl Interval {
    const ALL: Interval = Interval { least: i64::MIN, most: i64::MAX };

    fn is_bounded(self) -> bool {
        self.least != i64::MIN && self.most != i64::MAX
    }

    /// How many numbers there are in it.
    fn size(self) -> u64 {
        if self.least > self.most { 0 } else { self.most.abs_diff(self.least).saturating_add(1) }
    }

    /// Its numbers, those next to zero first.
    fn numbers(self) -> Vec<i64> {
        let mut numbers: Vec<i64> = (self.least..=self.most).collect();
        numbers.sort_by_key(|number| (number.unsigned_abs(), *number < 0));
        numbers
    }
}

fn read_bounds(terms: &Terms, constraints: &[Term]) -> FxHashMap<Term, Interval> {
    let mut found: FxHashMap<Term, Interval> = FxHashMap::default();
    let mut pending: Vec<(Term, bool)> = constraints.iter().map(|&one| (one, true)).collect();
    while let Some((term, positive)) = pending.pop() {
        match (terms.node(term), positive) {
            (Node::Unary(Unary::Not, inner), _) => pending.push((inner, !positive)),
            (Node::Binary(Binary::And, a, b), true) | (Node::Binary(Binary::Or, a, b), false) => {
                pending.extend([(a, positive), (b, positive)]);
            }
            (Node::Binary(operator, a, b), _) => {
                let sides = (small_constant(terms, a), small_constant(terms, b));
                let (input, number, input_first) = match (sides, terms.node(a), terms.node(b)) {
                    ((None, Some(number)), Node::Input(_), _) => (a, number, true),
                    ((Some(number), None), _, Node::Input(_)) => (b, number, false),
                    _ => continue,
                };
                let interval = found.entry(input).or_insert(Interval::ALL);
                let (least, most) = match (operator, positive, input_first) {
                    (Binary::Eq, true, _) => (number, number),
                    (Binary::IntLt, true, true) => (i64::MIN, number.saturating_sub(1)),
                    (Binary::IntLt, false, true) => (number, i64::MAX),
                    (Binary::IntLt, true, false) => (number.saturating_add(1), i64::MAX),
                    (Binary::IntLt, false, false) => (i64::MIN, number),
                    _ => continue,
                };
                interval.least = interval.least.max(least);
                interval.most = interval.most.min(most);
            }
            _ => {}
        }
    }
    found
}

fn small_constant(terms: &Terms, term: Term) -> Option<i64> {
    match terms.node(term) {
        Node::Int(_) => terms.as_constant(term)?.as_int()?.to_i64(),
        _ => None,
    }
}

/// An operator on the words of a search; truth values are zero and one.
#[derive(Clone, Copy)]
enum Operator {
    Not,
    Negate,
    And,
    Or,
    Equal,
    Less,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Choose,
}

/// Writes the result of an operator on up to three words to a fourth.
#[derive(Clone, Copy)]
struct Step {
    operator: Operator,
    operands: [u32; 3],
    result: u32,
}

/// What follows from the value of one more input.
#[derive(Default)]
struct Level {
    word: u32,
    numbers: Vec<i64>,
    steps: Vec<Step>,
    /// The words that must be true.
    checks: Vec<u32>,
}

struct Search<'t> {
    terms: &'t Terms,
    inputs: Vec<Term>,
    words: Vec<i64>,
    /// What needs no input, and then what each further input decides.
    levels: Vec<Level>,
    effort: Effort,
}

impl<'t> Search<'t> {
    /// Nothing if an input has no bounds and there are none for such inputs, or if there is something that
    /// words cannot express.
    fn new(terms: &'t Terms, constraints: &[Term], others: Option<Interval>) -> Option<Search<'t>> {
        let bounds = read_bounds(terms, constraints);
        let mut search = Search {
            terms,
            inputs: Vec::new(),
            words: Vec::new(),
            levels: vec![Level::default()],
            effort: LINEAR,
        };
        let mut places: FxHashMap<Term, (u32, u32)> = FxHashMap::default();
        let mut assignments = 1u64;
        for term in reachable(terms, constraints, OTHERS.operators as usize)? {
            let place = search.words.len() as u32;
            search.words.push(0);
            let level = match terms.node(term) {
                Node::Input(_) => {
                    let interval = match (terms.sort(term), bounds.get(&term)) {
                        (Sort::Bool, _) => Interval { least: 0, most: 1 },
                        (Sort::Int, Some(interval)) if interval.is_bounded() => *interval,
                        (Sort::Int, Some(interval)) => narrowed(others?, *interval),
                        (Sort::Int, None) => others?,
                        (Sort::Bits(_), _) => return None,
                    };
                    assignments = assignments.saturating_mul(interval.size());
                    if assignments > OTHERS.assignments {
                        return None;
                    }
                    search.inputs.push(term);
                    let numbers = interval.numbers();
                    search.levels.push(Level { word: place, numbers, ..Level::default() });
                    search.levels.len() as u32 - 1
                }
                node => search.add(term, node, place, &places)?,
            };
            places.insert(term, (place, level));
        }
        if assignments > search.effort.assignments {
            return None;
        }
        for constraint in constraints {
            let (place, level) = places[constraint];
            search.levels[level as usize].checks.push(place);
        }
        Some(search)
    }

    /// Adds a constant or an operator whose operands have places; gives its level.
    fn add(
        &mut self,
        term: Term,
        node: Node,
        place: u32,
        places: &FxHashMap<Term, (u32, u32)>,
    ) -> Option<u32> {
        use Operator as O;
        if node.is_constant() {
            self.words[place as usize] = match self.terms.as_constant(term)? {
                Value::Bool(truth) => i64::from(truth),
                value => value.as_int()?.to_i64()?,
            };
            return Some(0);
        }
        let operator = match node {
            Node::Unary(Unary::Not, _) => O::Not,
            Node::Unary(Unary::IntNeg, _) => O::Negate,
            Node::Ite(..) => O::Choose,
            Node::Binary(operator, ..) => match operator {
                Binary::And => O::And,
                Binary::Or => O::Or,
                Binary::Eq => O::Equal,
                Binary::IntLt => O::Less,
                Binary::IntAdd => O::Add,
                Binary::IntSub => O::Subtract,
                Binary::IntMul => O::Multiply,
                Binary::IntDiv => O::Divide,
                Binary::IntRem => O::Remainder,
                _ => return None,
            },
            _ => return None,
        };
        let (mut operands, mut level, mut with_inputs) = ([0; 3], 0, 0);
        for (number, argument) in node.arguments().enumerate() {
            let (place, needs) = places[&argument];
            operands[number] = place;
            level = level.max(needs);
            with_inputs += u32::from(needs > 0);
        }
        if matches!(operator, O::Divide | O::Remainder)
            || matches!(operator, O::Multiply) && with_inputs > 1
        {
            self.effort = OTHERS;
        }
        self.levels[level as usize].steps.push(Step { operator, operands, result: place });
        Some(level)
    }

    /// The first values that satisfy everything, or none if there are none; nothing at all if the effort
    /// was not enough.
    fn run(mut self) -> Option<Option<Model>> {
        let mut left = self.effort.operators;
        if !self.evaluate(0, &mut left)? {
            return Some(None);
        }
        // For each input that has a value, the number of the next one.
        let mut next: Vec<usize> = vec![0];
        loop {
            let depth = next.len();
            if depth == self.levels.len() {
                return Some(Some(self.model()));
            }
            let Some(number) = next.last_mut() else { return Some(None) };
            let level = &self.levels[depth];
            match level.numbers.get(*number) {
                None => {
                    next.pop();
                }
                Some(&value) => {
                    *number += 1;
                    self.words[level.word as usize] = value;
                    if self.evaluate(depth, &mut left)? {
                        next.push(0);
                    }
                }
            }
        }
    }

    /// Evaluates what an input decides. Whether all constraints that it decides hold.
    fn evaluate(&mut self, level: usize, left: &mut u64) -> Option<bool> {
        let level = &self.levels[level];
        *left = left.checked_sub(level.steps.len() as u64 + 1)?;
        for step in &level.steps {
            let [a, b, c] = step.operands.map(|place| self.words[place as usize]);
            self.words[step.result as usize] = match step.operator {
                Operator::Not => 1 - a,
                Operator::Negate => a.checked_neg()?,
                Operator::And => a & b,
                Operator::Or => a | b,
                Operator::Equal => i64::from(a == b),
                Operator::Less => i64::from(a < b),
                Operator::Add => a.checked_add(b)?,
                Operator::Subtract => a.checked_sub(b)?,
                Operator::Multiply => a.checked_mul(b)?,
                Operator::Divide if b == 0 => 0,
                Operator::Divide => a.checked_div(b)?,
                Operator::Remainder if b == 0 => a,
                Operator::Remainder => a.checked_rem(b)?,
                Operator::Choose => {
                    if a == 1 {
                        b
                    } else {
                        c
                    }
                }
            };
        }
        Some(level.checks.iter().all(|&place| self.words[place as usize] == 1))
    }

    fn model(&self) -> Model {
        let mut model = Model::new();
        for (&input, level) in self.inputs.iter().zip(&self.levels[1..]) {
            let word = self.words[level.word as usize];
            for variable in self.terms.inputs_of(input) {
                let value = match variable.sort() {
                    Sort::Bool => Value::Bool(word == 1),
                    _ => Value::int(word),
                };
                model.set(variable.name(), value);
            }
        }
        model
    }
}

/// Numbers of the first interval that lie in the second; if it leaves none, the ones next to its bound.
fn narrowed(wide: Interval, bounds: Interval) -> Interval {
    let width = wide.most - wide.least;
    let least = wide.least.max(bounds.least).min(bounds.most.saturating_sub(width));
    let most = wide.most.min(bounds.most).max(bounds.least.saturating_add(width));
    Interval { least: least.max(bounds.least), most: most.min(bounds.most) }
}

/// Everything that the constraints are made of, arguments first; nothing if that is too much.
fn reachable(terms: &Terms, constraints: &[Term], most: usize) -> Option<Vec<Term>> {
    let mut known: rustc_hash::FxHashSet<Term> = constraints.iter().copied().collect();
    let mut pending: Vec<Term> = known.iter().copied().collect();
    while let Some(term) = pending.pop() {
        for argument in terms.node(term).arguments() {
            if known.insert(argument) {
                pending.push(argument);
            }
        }
        if known.len() > most {
            return None;
        }
    }
    let mut all: Vec<Term> = known.into_iter().collect();
    all.sort_unstable();
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(terms: &Terms, input: Term, least: i64, most: i64) -> Term {
        terms.and(terms.int_ge(input, terms.int(least)), terms.int_le(input, terms.int(most)))
    }

    #[test]
    fn products_and_remainders_of_bounded_inputs_are_decided() {
        let terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.input(name, Sort::Int));
        let bounds = [between(&terms, x, -20, 20), between(&terms, y, -20, 20)];
        for (condition, expected) in [
            (terms.eq(terms.int_mul(x, y), terms.int(391)), None),
            (terms.eq(terms.int_mul(x, y), terms.int(323)), Some((17, 19))),
            (terms.eq(terms.int_rem_trunc(x, y), terms.int(-19)), Some((-19, 0))),
            (terms.eq(terms.int_rem_trunc(x, y), terms.int(-20)), Some((-20, 0))),
            (terms.eq(terms.int_rem_trunc(x, y), terms.int(21)), None),
            (terms.eq(terms.int_div_trunc(x, y), terms.int(21)), None),
        ] {
            let constraints = [&bounds[..], &[condition]].concat();
            let answer = try_all(&terms, &constraints);
            let model = expected
                .map(|(x, y)| Model::from_iter([("x", Value::int(x)), ("y", Value::int(y))]));
            assert_eq!(answer, Some(model.map_or(Answer::Unsat, Answer::Sat)));
        }
    }

    #[test]
    fn what_has_no_bounds_or_no_words_has_no_answer() {
        let terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.input(name, Sort::Int));
        let bits = terms.input("bits", Sort::Bits(8));
        let flag = terms.input("flag", Sort::Bool);
        let small = between(&terms, x, 0, 3);
        let huge = terms.int(num_bigint::BigInt::from(10).pow(30));
        for constraints in [
            vec![terms.int_lt(x, terms.int(5))],
            vec![small, terms.int_lt(x, y)],
            vec![small, terms.int_lt(x, huge)],
            vec![terms.eq(bits, terms.bits(3, 8))],
            vec![between(&terms, x, 0, 1 << 40)],
        ] {
            assert_eq!(try_all(&terms, &constraints), None);
        }
        assert_eq!(try_all(&terms, &[terms.int_lt(x, terms.int(0)), small]), Some(Answer::Unsat));
        assert!(matches!(try_all(&terms, &[flag, small]), Some(Answer::Sat(_))));
        assert_eq!(try_all(&terms, &[flag, terms.not(flag)]), Some(Answer::Unsat));
    }

    #[test]
    fn guesses_stay_within_known_bounds() {
        let terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.input(name, Sort::Int));
        let above = terms.int_gt(x, terms.int(100));
        let divides = terms.eq(terms.int_rem_trunc(x, y), terms.int(3));
        let model = guess(&terms, &[above, divides]).expect("103 % 4 is 3");
        assert_eq!(model.get("x"), Some(&Value::int(103)));
        assert_eq!(model.get("y"), Some(&Value::int(4)));
        assert_eq!(bounds(&terms, &[above, divides], x), (Some(101), None));
        assert_eq!(bounds(&terms, &[above, divides], y), (None, None));
    }
}
