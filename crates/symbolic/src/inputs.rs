//! Sets of inputs, as hash-consed trees.
//!
//! Problem: slicing asks which inputs a term depends on, for every constraint of a path. A list per term
//! costs quadratic memory when a loop adds up a thousand inputs. Idea: a set is a binary tree over the
//! inputs' numbers with words of 64 inputs at the leaves, and equal trees are shared. Adding one input to
//! a large set makes a logarithmic number of new nodes; the union of sets met before is one look-up.
//!
//! Invariant: a tree is as low as its highest input allows, so equal sets have equal numbers.
//!
//! Cost: union of known sets: one hash look-up; of equal, empty or included ones at the top: less.

use rustc_hash::FxHashMap;

/// A set of inputs: an index into its [`InputSets`].
#[derive(Copy, Clone, Eq, PartialEq, Hash, Ord, PartialOrd, Debug)]
pub(crate) struct InputSet(u32);

/// The set without inputs.
pub(crate) const EMPTY: InputSet = InputSet(0);

#[derive(Copy, Clone, Eq, PartialEq, Hash)]
enum Tree {
    /// Inputs 0 to 63, one bit each.
    Leaf(u64),
    /// Inputs below and from `64 << (height - 1)`, the latter counted from there and never empty.
    Branch { height: u8, low: InputSet, high: InputSet },
}

/// The store of all sets.
pub(crate) struct InputSets {
    trees: Vec<Tree>,
    known: FxHashMap<Tree, InputSet>,
    unions: FxHashMap<(InputSet, InputSet), InputSet>,
}

impl InputSets {
    pub(crate) fn new() -> InputSets {
        let empty = Tree::Leaf(0);
        InputSets {
            trees: vec![empty],
            known: FxHashMap::from_iter([(empty, EMPTY)]),
            unions: FxHashMap::default(),
        }
    }

    /// The set of this one input.
    pub(crate) fn single(&mut self, input: u32) -> InputSet {
        let mut set = self.store(Tree::Leaf(1 << (input % 64)));
        let word = input / 64;
        for bit in 0..u32::BITS - word.leading_zeros() {
            if word >> bit & 1 == 1 {
                set = self.store(Tree::Branch { height: bit as u8 + 1, low: EMPTY, high: set });
            }
        }
        set
    }

    /// Recurses over the tree's height, which is below 27.
    pub(crate) fn union(&mut self, a: InputSet, b: InputSet) -> InputSet {
        if a == b || b == EMPTY {
            return a;
        }
        if a == EMPTY {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&union) = self.unions.get(&key) {
            return union;
        }
        let union = match (self.tree(a), self.tree(b)) {
            (Tree::Leaf(x), Tree::Leaf(y)) => self.store(Tree::Leaf(x | y)),
            (
                Tree::Branch { height, low: l1, high: h1 },
                Tree::Branch { height: other, low: l2, high: h2 },
            ) if height == other => {
                let low = self.union(l1, l2);
                let high = self.union(h1, h2);
                self.store(Tree::Branch { height, low, high })
            }
            (x, y) => {
                let (tall, small) = if x.height() > y.height() { (x, b) } else { (y, a) };
                let Tree::Branch { height, low, high } = tall else {
                    unreachable!("of two trees of different height the higher one is a branch");
                };
                let low = self.union(low, small);
                self.store(Tree::Branch { height, low, high })
            }
        };
        self.unions.insert(key, union);
        union
    }

    /// Calls `visit` with every input of the set, in ascending order.
    pub(crate) fn for_each(&self, set: InputSet, visit: &mut impl FnMut(u32)) {
        self.visit(set, 0, visit);
    }

    fn visit(&self, set: InputSet, base: u32, visit: &mut impl FnMut(u32)) {
        match self.tree(set) {
            Tree::Leaf(mut bits) => {
                while bits != 0 {
                    visit(base + bits.trailing_zeros());
                    bits &= bits - 1;
                }
            }
            Tree::Branch { height, low, high } => {
                self.visit(low, base, visit);
                self.visit(high, base + (64 << (height - 1)), visit);
            }
        }
    }

    fn tree(&self, set: InputSet) -> Tree {
        self.trees[set.0 as usize]
    }

    fn store(&mut self, tree: Tree) -> InputSet {
        *self.known.entry(tree).or_insert_with(|| {
            self.trees.push(tree);
            InputSet((self.trees.len() - 1) as u32)
        })
    }
}

impl Tree {
    fn height(self) -> u8 {
        match self {
            Tree::Leaf(_) => 0,
            Tree::Branch { height, .. } => height,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn members(sets: &InputSets, set: InputSet) -> Vec<u32> {
        let mut all = Vec::new();
        sets.for_each(set, &mut |input| all.push(input));
        all
    }

    proptest! {
        #[test]
        fn unions_are_those_of_sets(
            a in prop::collection::vec(prop_oneof![0u32..300, 0u32..1_000_000], 0..20),
            b in prop::collection::vec(prop_oneof![0u32..300, 0u32..1_000_000], 0..20),
        ) {
            let mut sets = InputSets::new();
            let mut collect = |inputs: &[u32]| {
                inputs.iter().fold(EMPTY, |set, &input| {
                    let single = sets.single(input);
                    sets.union(set, single)
                })
            };
            let (left, right) = (collect(&a), collect(&b));
            let all: Vec<u32> = a.iter().chain(&b).copied().collect();
            let reversed: Vec<u32> = all.iter().rev().copied().collect();
            let (together, backwards) = (collect(&all), collect(&reversed));
            prop_assert_eq!(sets.union(left, right), together);
            prop_assert_eq!(together, backwards);
            let expected: Vec<u32> = all.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
            prop_assert_eq!(members(&sets, together), expected);
        }
    }

    #[test]
    fn growing_one_by_one_takes_little_memory() {
        let mut sets = InputSets::new();
        let mut all = EMPTY;
        for input in 0..10_000 {
            let single = sets.single(input);
            all = sets.union(all, single);
        }
        assert_eq!(members(&sets, all).len(), 10_000);
        assert!(sets.trees.len() < 150_000, "{} trees", sets.trees.len());
    }
}
