//! The store of terms.
//!
//! Problem: the same subterm occurs in many constraints, and caches of evaluation, translation and answers
//! need a cheap name for it. Idea: hash-consing. A node is stored once, its name is its index, and two
//! terms are equal exactly when their indexes are. Sort, inputs and depth are computed when a node is
//! stored, from those of its arguments, so that asking for them never walks a term.
//!
//! Invariant: terms are never removed or changed, so anything remembered per term stays true; arguments
//! precede the node they occur in, so walking up the indexes is a topological order.
//!
//! Cost: one hash look-up and, for a new node, about 60 bytes. The constructors take `&self`: a program's
//! runs share one store as `Rc<Terms>` on one thread.

use crate::exact::{DENOMINATOR, NUMERATOR};
use crate::inputs::{EMPTY, InputSet, InputSets};
use crate::node::{Binary, Node, Term, Unary, Variable};
use crate::value::{Sort, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The hash-consing store of a program's terms.
pub struct Terms {
    identity: u64,
    store: RefCell<Store>,
}

struct Store {
    entries: Vec<Entry>,
    known: FxHashMap<Node, Term>,
    integers: Vec<BigInt>,
    known_integers: FxHashMap<BigInt, u32>,
    variables: Vec<Variable>,
    /// A name stands for one term per sort it was ever asked with.
    known_inputs: FxHashMap<Rc<str>, Vec<Term>>,
    sets: InputSets,
}

#[derive(Copy, Clone)]
struct Entry {
    node: Node,
    sort: Sort,
    inputs: InputSet,
    depth: u32,
}

const FALSE: Term = Term(0);
const TRUE: Term = Term(1);

impl Terms {
    /// An empty store.
    #[allow(clippy::new_ret_no_self)]
    pub fn new() -> Rc<Terms> {
        static STORES: AtomicU64 = AtomicU64::new(0);
        let terms = Terms {
            identity: STORES.fetch_add(1, Relaxed),
            store: RefCell::new(Store {
                entries: Vec::new(),
                known: FxHashMap::default(),
                integers: Vec::new(),
                known_integers: FxHashMap::default(),
                variables: Vec::new(),
                known_inputs: FxHashMap::default(),
                sets: InputSets::new(),
            }),
        };
        assert_eq!(terms.intern(Node::Bool(false)), FALSE);
        assert_eq!(terms.intern(Node::Bool(true)), TRUE);
        Rc::new(terms)
    }

    /// A Boolean constant.
    pub fn bool(&self, value: bool) -> Term {
        if value { TRUE } else { FALSE }
    }

    /// A bit vector constant: the low bits of `value`.
    pub fn bits(&self, value: u64, width: u8) -> Term {
        self.value(&Value::bits(value, width))
    }

    /// An integer constant.
    pub fn int(&self, value: impl Into<BigInt>) -> Term {
        self.integer(&value.into())
    }

    /// The constant with this value.
    pub fn value(&self, value: &Value) -> Term {
        match value {
            Value::Bool(value) => self.bool(*value),
            Value::Bits { bits, width } => {
                let Value::Bits { bits, width } = Value::bits(*bits, *width) else {
                    unreachable!("a bit vector was asked for");
                };
                self.intern(Node::Bits { bits, width })
            }
            Value::Int(value) => self.integer(value),
        }
    }

    /// The unknown with this name and sort. Asking again gives the same term.
    ///
    /// A name that is asked for with two sorts stands for two unknowns. A model has one value for a name,
    /// so the two must not meet on one path.
    pub fn input(&self, name: &str, sort: Sort) -> Term {
        let mut store = self.store.borrow_mut();
        if let Some(terms) = store.known_inputs.get(name)
            && let Some(&term) = terms.iter().find(|&&term| store.entry(term).sort == sort)
        {
            return term;
        }
        if let Sort::Bits(width) = sort {
            assert!((1..=64).contains(&width), "a bit vector has 1 to 64 bits");
        }
        let index = store.variables.len() as u32;
        let inputs = store.sets.single(index);
        let term = store.push(Entry { node: Node::Input(index), sort, inputs, depth: 0 });
        let name: Rc<str> = name.into();
        store.variables.push(Variable { name: name.clone(), sort, term });
        store.known_inputs.entry(name).or_default().push(term);
        term
    }

    /// What the term ranges over.
    pub fn sort(&self, term: Term) -> Sort {
        self.store.borrow().entry(term).sort
    }

    /// The value of a constant. Simplification makes every term without inputs one.
    pub fn as_constant(&self, term: Term) -> Option<Value> {
        let store = self.store.borrow();
        match store.entry(term).node {
            Node::Bool(value) => Some(Value::Bool(value)),
            Node::Bits { bits, width } => Some(Value::Bits { bits, width }),
            Node::Int(index) => Some(Value::Int(store.integers[index as usize].clone())),
            _ => None,
        }
    }

    /// The inputs that occur in the term, in the order of their names.
    pub fn inputs_of(&self, term: Term) -> Vec<Variable> {
        let store = self.store.borrow();
        let mut variables = Vec::new();
        store.sets.for_each(store.entry(term).inputs, &mut |input| {
            variables.push(store.variables[input as usize].clone());
        });
        variables.sort_by(|one, other| place(&one.name).cmp(&place(&other.name)));
        variables
    }

    /// The number of one of the term's inputs.
    pub(crate) fn first_input(&self, term: Term) -> Option<u32> {
        let mut first = None;
        self.for_each_input(term, |input| {
            first.get_or_insert(input);
        });
        first
    }

    /// Whether any input occurs in the term.
    pub fn has_inputs(&self, term: Term) -> bool {
        self.store.borrow().entry(term).inputs != EMPTY
    }

    /// How many inputs were created so far.
    pub fn input_count(&self) -> usize {
        self.store.borrow().variables.len()
    }

    /// How many distinct terms were built so far.
    pub fn len(&self) -> usize {
        self.store.borrow().entries.len()
    }

    /// Never: the Boolean constants are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// How many operators lie on the longest way from the term to an input or a constant.
    pub fn depth(&self, term: Term) -> u32 {
        self.store.borrow().entry(term).depth
    }

    /// Distinguishes stores, for caches that outlive one.
    pub(crate) fn identity(&self) -> u64 {
        self.identity
    }

    /// Calls `visit` with the number of every input of the term, in ascending order.
    pub(crate) fn for_each_input(&self, term: Term, mut visit: impl FnMut(u32)) {
        let store = self.store.borrow();
        store.sets.for_each(store.entry(term).inputs, &mut visit);
    }

    pub(crate) fn variable(&self, input: u32) -> Variable {
        self.store.borrow().variables[input as usize].clone()
    }

    pub(crate) fn node(&self, term: Term) -> Node {
        self.store.borrow().entry(term).node
    }

    pub(crate) fn is_constant(&self, term: Term) -> bool {
        self.node(term).is_constant()
    }

    /// The width of a bit vector term.
    pub fn width(&self, term: Term) -> u8 {
        match self.sort(term) {
            Sort::Bits(width) => width,
            sort => panic!("a bit vector is needed here, not a term of sort {sort:?}"),
        }
    }

    /// Stores the application of an operator as it is; the operands of a commutative one in an order that does not depend
    /// on what else is stored, with constants last.
    pub(crate) fn apply(&self, operator: Binary, a: Term, b: Term) -> Term {
        let swap = operator.commutes()
            && match (self.is_constant(a), self.is_constant(b)) {
                (false, false) | (true, true) => self.store.borrow().compare(b, a).is_lt(),
                (constant, _) => constant,
            };
        let (a, b) = if swap { (b, a) } else { (a, b) };
        self.intern(Node::Binary(operator, a, b))
    }

    pub(crate) fn apply_unary(&self, operator: Unary, argument: Term) -> Term {
        self.intern(Node::Unary(operator, argument))
    }

    /// Stores a node, or finds it.
    pub(crate) fn intern(&self, node: Node) -> Term {
        let mut store = self.store.borrow_mut();
        if let Some(&term) = store.known.get(&node) {
            return term;
        }
        let mut inputs = EMPTY;
        let mut depth = 0;
        for argument in node.arguments() {
            let entry = store.entry(argument);
            inputs = store.sets.union(inputs, entry.inputs);
            depth = depth.max(entry.depth + 1);
        }
        let sort = store.sort_of(node);
        let term = store.push(Entry { node, sort, inputs, depth });
        store.known.insert(node, term);
        term
    }

    fn integer(&self, value: &BigInt) -> Term {
        let index = {
            let store = &mut *self.store.borrow_mut();
            match store.known_integers.get(value) {
                Some(&index) => index,
                None => {
                    let index = store.integers.len() as u32;
                    store.integers.push(value.clone());
                    store.known_integers.insert(value.clone(), index);
                    index
                }
            }
        };
        self.intern(Node::Int(index))
    }
}

/// By what inputs are put in order: their names, and of the parts of a rational the numerator first.
fn place(name: &str) -> (&str, u8) {
    let numerator = name.strip_suffix(NUMERATOR).map(|whole| (whole, 1));
    let denominator = name.strip_suffix(DENOMINATOR).map(|whole| (whole, 2));
    numerator.or(denominator).unwrap_or((name, 0))
}

impl Store {
    fn entry(&self, term: Term) -> Entry {
        self.entries[term.0 as usize]
    }

    /// The order of two terms by what they are made of: the less deep one first, inputs by their names.
    fn compare(&self, mut a: Term, mut b: Term) -> Ordering {
        while a != b {
            let (one, other) = (self.entry(a), self.entry(b));
            let order = one.depth.cmp(&other.depth).then_with(|| match (one.node, other.node) {
                (Node::Input(x), Node::Input(y)) => {
                    let place = |input: u32| place(&self.variables[input as usize].name);
                    place(x).cmp(&place(y)).then(one.sort.cmp(&other.sort))
                }
                (Node::Int(x), Node::Int(y)) => {
                    self.integers[x as usize].cmp(&self.integers[y as usize])
                }
                (x, y) => x.operator().cmp(&y.operator()),
            });
            let arguments = one.node.arguments().zip(other.node.arguments());
            match arguments.into_iter().find(|(x, y)| x != y) {
                Some(first) if order.is_eq() => (a, b) = first,
                _ => return order,
            }
        }
        Ordering::Equal
    }

    fn push(&mut self, entry: Entry) -> Term {
        let index = u32::try_from(self.entries.len()).expect("a store holds at most 2^32 terms");
        self.entries.push(entry);
        Term(index)
    }

    fn sort_of(&self, node: Node) -> Sort {
        match node {
            Node::Bool(_) => Sort::Bool,
            Node::Bits { width, .. } => Sort::Bits(width),
            Node::Int(_) => Sort::Int,
            Node::Input(index) => self.variables[index as usize].sort,
            Node::Unary(operator, a) => operator.sort(self.entry(a).sort),
            Node::Binary(operator, a, b) => operator.sort(self.entry(a).sort, self.entry(b).sort),
            Node::Ite(_, then, _) => self.entry(then).sort,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_are_one_term() {
        let terms = Terms::new();
        let x = terms.input("x", Sort::Bits(32));
        let y = terms.input("y", Sort::Bits(32));
        assert_eq!(terms.input("x", Sort::Bits(32)), x);
        assert_ne!(x, y);
        assert_eq!(terms.add(x, y), terms.add(y, x));
        assert_eq!(terms.bits(0x1_0000_0001, 32), terms.bits(1, 32));
        assert_eq!(terms.int(7), terms.value(&Value::int(7)));
        let before = terms.len();
        let sum = terms.add(x, y);
        assert_eq!((terms.len(), terms.depth(sum)), (before, 1));
    }

    #[test]
    fn a_name_with_two_sorts_is_two_inputs() {
        let terms = Terms::new();
        let number = terms.input("main#0", Sort::Int);
        let flag = terms.input("main#0", Sort::Bool);
        assert_ne!(number, flag);
        assert_eq!((terms.sort(number), terms.sort(flag)), (Sort::Int, Sort::Bool));
        assert_eq!(terms.input("main#0", Sort::Int), number);
    }

    #[test]
    fn a_term_knows_its_inputs() {
        let terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.input(name, Sort::Int));
        let both = terms.int_add(x, terms.int_mul(z, x));
        let names: Vec<_> = terms.inputs_of(both).iter().map(|v| v.name().to_string()).collect();
        assert_eq!(names, ["x", "z"]);
        assert!(terms.has_inputs(y) && !terms.has_inputs(terms.int(3)));
        assert_eq!(terms.input_count(), 3);
    }
}
