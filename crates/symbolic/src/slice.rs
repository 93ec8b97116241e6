//! Slicing a path condition into independent groups.
//!
//! Problem: a long path constrains many inputs, and a new condition is about one or two of them. Idea: two
//! constraints depend on each other if they share an input, directly or through others. Only the group
//! of the new condition needs solving; the current model already satisfies the others, and values for the
//! group's inputs do not touch them. The path keeps for each input the constraints that it occurs in, so
//! that the group is found by following them, and what does not belong to it is not looked at.
//!
//! Invariant: the inputs of the group and those of the constraints left out are disjoint.
//!
//! Cost: linear in the occurrences of inputs in the group, however long the path is. Adding and removing a
//! constraint is linear in its inputs.

use crate::node::Term;
use crate::terms::Terms;

const NONE: u32 = u32::MAX;

/// For each input the constraints of a path that it occurs in, the last one first.
#[derive(Clone, Default)]
pub(crate) struct Occurrences {
    /// For each input the number of its last link.
    last: Vec<u32>,
    links: Vec<Link>,
}

/// An occurrence of an input in a constraint.
#[derive(Clone, Copy)]
struct Link {
    input: u32,
    constraint: u32,
    /// The link of the same input before this one.
    previous: u32,
}

impl Occurrences {
    /// The path has got this constraint as its last one.
    pub(crate) fn push(&mut self, terms: &Terms, place: u32, constraint: Term) {
        terms.for_each_input(constraint, |input| {
            let index = input as usize;
            if self.last.len() <= index {
                self.last.resize(index + 1, NONE);
            }
            let link = Link { input, constraint: place, previous: self.last[index] };
            self.last[index] = self.links.len() as u32;
            self.links.push(link);
        });
    }

    /// The path has become so long.
    pub(crate) fn truncate(&mut self, length: u32) {
        while let Some(link) = self.links.pop_if(|link| link.constraint >= length) {
            self.last[link.input as usize] = link.previous;
        }
    }

    /// The places of the constraints that an input occurs in.
    pub(crate) fn of(&self, input: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.last.get(input as usize).copied().unwrap_or(NONE);
        let mut next = self.links.get(first as usize);
        std::iter::from_fn(move || {
            let link = next?;
            next = self.links.get(link.previous as usize);
            Some(link.constraint)
        })
    }

    /// Whether a constraint is on the path.
    pub(crate) fn contains(&self, terms: &Terms, path: &[Term], constraint: Term) -> bool {
        let first = terms.first_input(constraint);
        first.is_some_and(|input| self.of(input).any(|place| path[place as usize] == constraint))
    }
}

/// Finds groups. What it has met is stamped with the number of the query, so that nothing is cleared.
#[derive(Default)]
pub(crate) struct Slicer {
    now: u32,
    inputs: Vec<u32>,
    constraints: Vec<u32>,
}

impl Slicer {
    /// The constraints of the path that depend on the condition, and the condition: sorted, without
    /// duplicates.
    pub(crate) fn group(
        &mut self,
        terms: &Terms,
        path: &[Term],
        occurrences: &Occurrences,
        condition: Term,
    ) -> Vec<Term> {
        let Slicer { now, inputs, constraints } = self;
        if *now == u32::MAX {
            inputs.clear();
            constraints.clear();
            *now = 0;
        }
        *now += 1;
        inputs.resize(terms.input_count().max(inputs.len()), 0);
        constraints.resize(path.len().max(constraints.len()), 0);
        let mut group = vec![condition];
        let mut next = 0;
        while let Some(&constraint) = group.get(next) {
            next += 1;
            terms.for_each_input(constraint, |input| {
                if std::mem::replace(&mut inputs[input as usize], *now) == *now {
                    return;
                }
                for place in occurrences.of(input) {
                    if std::mem::replace(&mut constraints[place as usize], *now) != *now {
                        group.push(path[place as usize]);
                    }
                }
            });
        }
        group.sort_unstable();
        group.dedup();
        group
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Sort;

    #[test]
    fn a_group_is_closed_under_shared_inputs() {
        let terms = Terms::new();
        let [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map(|name| terms.input(name, Sort::Int));
        let path = [
            terms.int_lt(a, b),
            terms.int_lt(c, d),
            terms.int_lt(b, c),
            terms.int_lt(e, terms.int(5)),
        ];
        let mut occurrences = Occurrences::default();
        for (place, &constraint) in path.iter().enumerate() {
            occurrences.push(&terms, place as u32, constraint);
        }
        let mut slicer = Slicer::default();
        let condition = terms.int_lt(d, terms.int(9));
        let cases = [
            (4, terms.int_lt(terms.int(9), e), vec![path[3]]),
            (4, condition, vec![path[0], path[1], path[2]]),
            (4, terms.int_lt(terms.input("new", Sort::Int), terms.int(3)), vec![]),
            (2, condition, vec![path[1]]),
            (1, condition, vec![]),
        ];
        for (length, condition, expected) in cases {
            occurrences.truncate(length);
            let path = &path[..length as usize];
            let mut expected = [expected, vec![condition]].concat();
            expected.sort();
            assert_eq!(slicer.group(&terms, path, &occurrences, condition), expected);
            assert!(path.iter().all(|&one| occurrences.contains(&terms, path, one)));
            assert!(!occurrences.contains(&terms, path, condition));
        }
    }
}
