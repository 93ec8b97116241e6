//! Questions about integers that are only compared with each other, answered without a search.
//!
//! Problem: most conditions of models compare two unknowns, or an unknown and a number: keys of maps, names,
//! references, counters. A solver needs a millisecond for each of them. Idea: such a condition bounds a
//! difference, as in `x - y <= c`, where numbers are differences to zero. A matrix of the least upper bounds
//! of all differences is closed under addition (Floyd 1962; difference bound matrices, Dill 1989); a negative
//! cycle is a contradiction. What must differ (`x - y != c`) tightens a bound that it touches, as numbers are
//! whole. From a closed matrix values can be read off one input after another; each takes the number next to
//! zero that is left.
//!
//! Invariant: "no" follows from the constraints that were understood, "yes" comes with values that satisfy all
//! of them, and anything else is no answer: what must differ may leave no number to an input after those
//! before it have got theirs, and constraints that are something else may not happen to hold.
//!
//! Cost: the square of the number of inputs for each constraint, at most [`MOST`] inputs: microseconds.

use crate::evaluate::Memo;
use crate::model::Model;
use crate::node::{Binary, Node, Term, Unary};
use crate::solver::Answer;
use crate::terms::Terms;
use crate::value::{Sort, Value};
use num_traits::ToPrimitive;

/// The most inputs.
const MOST: usize = 40;
/// Larger numbers are left to others, so that sums cannot overflow.
const LARGEST: i64 = 1 << 40;
/// No bound.
const OPEN: i64 = i64::MAX / 4;
/// The deepest sum that is read.
const DEEPEST: u32 = 8;

/// Whether constraints can hold together, if that is easily seen.
pub(crate) fn decide(terms: &Terms, constraints: &[Term]) -> Option<Answer> {
    let mut literals = Literals::default();
    for &constraint in constraints {
        literals.read(terms, constraint, true);
    }
    if literals.contradiction {
        return Some(Answer::Unsat);
    }
    if literals.bounds.is_empty() && literals.different.is_empty() || literals.inputs.len() > MOST {
        return None;
    }
    let Some(matrix) = Matrix::of(&literals) else { return Some(Answer::Unsat) };
    let mut model = Model::new();
    for (number, &(input, value)) in literals.truths.iter().enumerate() {
        if literals.truths[..number].contains(&(input, !value)) {
            return Some(Answer::Unsat);
        }
        model.set(name(terms, input), Value::Bool(value));
    }
    for (value, &input) in matrix.values(&literals.different)?.iter().zip(&literals.inputs) {
        model.set(name(terms, input), Value::int(*value));
    }
    let mut memo = Memo::default();
    let holds = |&one: &Term| terms.evaluate_with(one, &model, &mut memo) == Value::Bool(true);
    let all = constraints.iter().all(holds);
    debug_assert!(all || literals.others, "values satisfy what was understood");
    all.then_some(Answer::Sat(model))
}

fn name(terms: &Terms, input: Term) -> std::rc::Rc<str> {
    match terms.node(input) {
        Node::Input(number) => terms.variable(number).name,
        _ => unreachable!("only inputs have names"),
    }
}

/// That a difference of two inputs is at most, or is not, a number. Zero stands for the number zero, and
/// inputs follow.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Difference {
    first: usize,
    second: usize,
    number: i64,
}

/// What constraints say.
#[derive(Default)]
struct Literals {
    inputs: Vec<Term>,
    bounds: Vec<Difference>,
    different: Vec<Difference>,
    truths: Vec<(Term, bool)>,
    /// Whether one of them is never true.
    contradiction: bool,
    /// Whether there is something else.
    others: bool,
}

impl Literals {
    fn read(&mut self, terms: &Terms, term: Term, positive: bool) {
        match (terms.node(term), positive) {
            (Node::Unary(Unary::Not, inner), _) => self.read(terms, inner, !positive),
            (Node::Binary(Binary::And, a, b), true) | (Node::Binary(Binary::Or, a, b), false) => {
                self.read(terms, a, positive);
                self.read(terms, b, positive);
            }
            (Node::Bool(value), _) => self.contradiction |= value != positive,
            (Node::Input(_), _) => self.truths.push((term, positive)),
            (Node::Binary(operator, a, b), _) => {
                let difference = match operator {
                    Binary::Eq if terms.sort(a) != Sort::Int => None,
                    Binary::Eq | Binary::IntLt => self.difference(terms, a, b),
                    _ => None,
                };
                let Some(Difference { first, second, number }) = difference else {
                    self.others = true;
                    return;
                };
                let at_most = Difference { first, second, number };
                let at_least = Difference { first: second, second: first, number: -number };
                match (operator, positive) {
                    (Binary::Eq, true) => self.bounds.extend([at_most, at_least]),
                    (Binary::Eq, false) => self.different.push(at_most),
                    (_, true) => self.bounds.push(Difference { number: number - 1, ..at_most }),
                    (_, false) => self.bounds.push(at_least),
                }
            }
            _ => self.others = true,
        }
    }

    /// The two inputs and the number whose comparison is that of two terms.
    fn difference(&mut self, terms: &Terms, a: Term, b: Term) -> Option<Difference> {
        let mut sum = WeightedSum::default();
        sum.add(terms, a, 1, DEEPEST)?;
        sum.add(terms, b, -1, DEEPEST)?;
        sum.inputs.retain(|(_, times)| *times != 0);
        let number = -sum.constant;
        let (first, second) = match sum.inputs[..] {
            [(x, 1), (y, -1)] | [(y, -1), (x, 1)] => (self.place(x), self.place(y)),
            [(x, 1)] => (self.place(x), 0),
            [(y, -1)] => (0, self.place(y)),
            _ => return None,
        };
        (number.abs() <= LARGEST).then_some(Difference { first, second, number })
    }

    fn place(&mut self, input: Term) -> usize {
        let known = self.inputs.iter().position(|known| *known == input);
        1 + known.unwrap_or_else(|| {
            self.inputs.push(input);
            self.inputs.len() - 1
        })
    }
}

/// Inputs, each some times, and a number.
#[derive(Default)]
struct WeightedSum {
    inputs: Vec<(Term, i64)>,
    constant: i64,
}

impl WeightedSum {
    fn add(&mut self, terms: &Terms, term: Term, times: i64, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match terms.node(term) {
            Node::Int(_) => {
                let number = terms.as_constant(term)?.as_int()?.to_i64()?;
                let number = Some(number).filter(|number| number.abs() <= LARGEST)?;
                self.constant += times * number;
            }
            Node::Input(_) => match self.inputs.iter_mut().find(|(input, _)| *input == term) {
                Some((_, known)) => *known += times,
                None => self.inputs.push((term, times)),
            },
            Node::Unary(Unary::IntNeg, a) => self.add(terms, a, -times, depth)?,
            Node::Binary(Binary::IntAdd, a, b) => {
                self.add(terms, a, times, depth)?;
                self.add(terms, b, times, depth)?;
            }
            Node::Binary(Binary::IntSub, a, b) => {
                self.add(terms, a, times, depth)?;
                self.add(terms, b, -times, depth)?;
            }
            _ => return None,
        }
        Some(())
    }
}

/// The least upper bounds of all differences.
struct Matrix {
    size: usize,
    bounds: Vec<i64>,
}

impl Matrix {
    /// Nothing if there is a contradiction.
    fn of(literals: &Literals) -> Option<Matrix> {
        let size = literals.inputs.len() + 1;
        let mut matrix = Matrix { size, bounds: vec![OPEN; size * size] };
        for place in 0..size {
            matrix.bounds[place * size + place] = 0;
        }
        for &bound in &literals.bounds {
            matrix.add(bound)?;
        }
        loop {
            let mut tighter = false;
            for &Difference { first, second, number } in &literals.different {
                if matrix.at(first, second) == number {
                    matrix.add(Difference { first, second, number: number - 1 })?;
                    tighter = true;
                }
                if matrix.at(second, first) == -number {
                    let number = -number - 1;
                    matrix.add(Difference { first: second, second: first, number })?;
                    tighter = true;
                }
            }
            if !tighter {
                return Some(matrix);
            }
        }
    }

    fn at(&self, first: usize, second: usize) -> i64 {
        self.bounds[first * self.size + second]
    }

    /// Adds a bound, and all that follows from it. Nothing if it contradicts the others.
    fn add(&mut self, Difference { first, second, number }: Difference) -> Option<()> {
        let back = self.at(second, first);
        if back < OPEN && back + number < 0 {
            return None;
        }
        if self.at(first, second) <= number {
            return Some(());
        }
        for from in 0..self.size {
            let before = self.at(from, first);
            if before >= OPEN {
                continue;
            }
            for to in 0..self.size {
                let after = self.at(second, to);
                if after < OPEN {
                    let bound = &mut self.bounds[from * self.size + to];
                    *bound = (*bound).min(before + number + after);
                }
            }
        }
        Some(())
    }

    /// Values for the inputs, the ones next to zero; nothing if one finds no number that is left.
    fn values(&self, different: &[Difference]) -> Option<Vec<i64>> {
        // The first is zero itself.
        let mut values = vec![0];
        for place in 1..self.size {
            let (mut least, mut most) = (-OPEN, OPEN);
            for (other, &value) in values.iter().enumerate() {
                if self.at(other, place) < OPEN {
                    least = least.max(value - self.at(other, place));
                }
                if self.at(place, other) < OPEN {
                    most = most.min(value + self.at(place, other));
                }
            }
            let taken = |value: i64| {
                different.iter().any(|&Difference { first, second, number }| {
                    (first == place && second < place && value - values[second] == number)
                        || (second == place && first < place && values[first] - value == number)
                })
            };
            let start = 0.clamp(least, most);
            let reach = different.len() as i64 + 1;
            let near = (0..=reach).flat_map(|by| [start + by, start - by]);
            let mut free = near.filter(|value| (least..=most).contains(value));
            values.push(free.find(|&value| !taken(value))?);
        }
        values.remove(0);
        Some(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Solver;
    use crate::z3::Z3;

    #[test]
    fn comparisons_are_decided_and_other_conditions_may_be() {
        let terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.input(name, Sort::Int));
        let flag = terms.input("flag", Sort::Bool);
        let k = |number: i64| terms.int(number);
        let between =
            |a, least, most| terms.and(terms.int_ge(a, k(least)), terms.int_le(a, k(most)));
        let product = terms.int_mul(y, z);
        for (constraints, expected) in [
            (vec![terms.int_lt(x, y), terms.int_lt(y, x)], Some(None)),
            (
                vec![terms.int_lt(x, y), terms.int_lt(y, terms.int_add(x, k(2)))],
                Some(Some([0, 1, 0])),
            ),
            (vec![terms.eq(x, k(7)), terms.eq(y, x), terms.ne(z, y)], Some(Some([7, 7, 0]))),
            (vec![terms.eq(x, y), terms.eq(y, z), terms.ne(x, z)], Some(None)),
            (vec![between(x, 1, 2), terms.ne(x, k(1)), terms.ne(x, k(2))], Some(None)),
            (vec![terms.ne(x, k(0)), terms.ne(x, k(1)), terms.ne(y, x)], Some(Some([-1, 0, 0]))),
            (vec![terms.int_lt(x, y), flag, terms.not(flag)], Some(None)),
            (vec![terms.int_lt(x, y), terms.eq(product, k(0))], Some(Some([0, 1, 0]))),
            (vec![terms.int_lt(x, y), terms.eq(product, k(5))], None),
            (
                vec![terms.int_lt(x, k(0)), terms.int_gt(x, k(0)), terms.eq(product, k(5))],
                Some(None),
            ),
            (vec![flag], None),
        ] {
            let expected = expected.map(|values| match values {
                None => Answer::Unsat,
                Some(values) => {
                    let inputs = [("x", x), ("y", y), ("z", z)];
                    let occurs = |input| {
                        constraints.iter().any(|&one| {
                            terms.inputs_of(one).iter().any(|known| known.term() == input)
                        })
                    };
                    let all = inputs.into_iter().zip(values);
                    let all = all.filter(|((name, input), _)| {
                        occurs(*input) && !(*name == "z" && constraints.len() == 2)
                    });
                    Answer::Sat(all.map(|((name, _), value)| (name, Value::int(value))).collect())
                }
            });
            assert_eq!(decide(&terms, &constraints), expected, "{constraints:?}");
        }
    }

    /// Three unknowns that must lie in two places.
    #[test]
    fn what_finds_no_place_is_left_to_others() {
        let terms = Terms::new();
        let inputs = ["x", "y", "z"].map(|name| terms.input(name, Sort::Int));
        let mut constraints = Vec::new();
        for (number, &input) in inputs.iter().enumerate() {
            constraints.push(terms.int_ge(input, terms.int(0)));
            constraints.push(terms.int_le(input, terms.int(1)));
            constraints.extend(inputs[..number].iter().map(|&other| terms.ne(input, other)));
        }
        assert_eq!(decide(&terms, &constraints), None);
    }

    #[test]
    fn answers_are_those_of_the_solver() {
        let terms = Terms::new();
        let inputs = ["a", "b", "c", "d"].map(|name| terms.input(name, Sort::Int));
        let mut state = 1u64;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % limit
        };
        let (mut yes, mut no) = (0, 0);
        for _ in 0..300 {
            let count = 2 + below(7);
            let constraints: Vec<Term> = (0..count)
                .map(|_| {
                    let a = inputs[below(4) as usize];
                    let number = terms.int(below(5) as i64 - 2);
                    let b = match below(2) {
                        0 => number,
                        _ => terms.int_add(inputs[below(4) as usize], number),
                    };
                    match below(4) {
                        0 => terms.eq(a, b),
                        1 => terms.ne(a, b),
                        2 => terms.int_lt(a, b),
                        _ => terms.int_le(a, b),
                    }
                })
                .collect();
            match (decide(&terms, &constraints), Z3::new().check(&terms, &constraints)) {
                (Some(Answer::Sat(_)), Answer::Sat(_)) => yes += 1,
                (Some(Answer::Unsat), Answer::Unsat) => no += 1,
                (None, _) => {}
                other => panic!("{other:?} for {constraints:?}"),
            }
        }
        assert!(yes > 80 && no > 80, "{yes} {no}");
    }
}
