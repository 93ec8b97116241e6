//! Slicing a path condition into independent groups.
//!
//! Problem: a long path constrains many inputs, and a new condition is about one or two of them. Idea: two
//! constraints depend on each other if they share an input, directly or through others. Only the group
//! of the new condition needs solving; the current model already satisfies the others, and values for the
//! group's inputs do not touch them.
//!
//! Invariant: the inputs of the group and those of the constraints left out are disjoint.
//!
//! Cost: a union-find over inputs, built anew for each query that reaches it: nearly linear in the
//! occurrences of inputs, and small next to a solver's set-up. Nothing needs to be undone with the path.

use crate::node::Term;
use crate::terms::Terms;

/// The reusable union-find. Between queries every input is its own parent.
#[derive(Default)]
pub(crate) struct Slicer {
    parents: Vec<u32>,
    touched: Vec<u32>,
}

impl Slicer {
    /// The constraints of the path that depend on the condition, and the condition: sorted, without
    /// duplicates.
    pub(crate) fn group(&mut self, terms: &Terms, path: &[Term], condition: Term) -> Vec<Term> {
        let inputs = u32::try_from(terms.input_count()).expect("inputs are numbered by 32 bits");
        self.parents.extend(self.parents.len() as u32..inputs);
        let target = self.join(terms, condition);
        let firsts: Vec<Option<u32>> =
            path.iter().map(|&constraint| self.join(terms, constraint)).collect();
        let root = target.map(|input| self.root(input));
        let mut group = vec![condition];
        for (&constraint, first) in path.iter().zip(firsts) {
            if first.is_some() && first.map(|input| self.root(input)) == root {
                group.push(constraint);
            }
        }
        for input in self.touched.drain(..) {
            self.parents[input as usize] = input;
        }
        group.sort_unstable();
        group.dedup();
        group
    }

    /// Joins the inputs of a constraint, and gives one of them.
    fn join(&mut self, terms: &Terms, constraint: Term) -> Option<u32> {
        let mut first = None;
        terms.for_each_input(constraint, |input| {
            self.touched.push(input);
            match first {
                None => first = Some(input),
                Some(other) => {
                    let (a, b) = (self.root(other), self.root(input));
                    self.parents[a.max(b) as usize] = a.min(b);
                }
            }
        });
        first
    }

    /// The representative, halving the way to it.
    fn root(&mut self, mut input: u32) -> u32 {
        loop {
            let parent = self.parents[input as usize];
            if parent == input {
                return input;
            }
            let grandparent = self.parents[parent as usize];
            self.parents[input as usize] = grandparent;
            input = grandparent;
        }
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
        let mut slicer = Slicer::default();
        for (condition, expected) in [
            (terms.int_lt(terms.int(9), e), vec![path[3]]),
            (terms.int_lt(d, terms.int(9)), vec![path[0], path[1], path[2]]),
            (terms.int_lt(terms.input("new", Sort::Int), terms.int(3)), vec![]),
        ] {
            let mut expected = [expected, vec![condition]].concat();
            expected.sort();
            assert_eq!(slicer.group(&terms, &path, condition), expected);
        }
    }
}
