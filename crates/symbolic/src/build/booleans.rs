//! Connectives and the choice between two terms.
//!
//! Problem and idea: see the folder. Conjunction and disjunction look one level into their operands for
//! duplicates and complements; a choice between Booleans becomes a connective; a choice is never made on
//! a negation. Exclusive or is a negated equality.
//!
//! Invariant: no negation of a negation is stored, and no connective with a constant operand.
//!
//! Cost: at most four look-ups per constructor.

use crate::node::{Binary, Node, Term, Unary};
use crate::terms::Terms;
use crate::value::Sort;

impl Terms {
    /// Negation of a Boolean.
    pub fn not(&self, a: Term) -> Term {
        self.check_sort(Sort::Bool, a);
        match self.node(a) {
            Node::Bool(value) => self.bool(!value),
            Node::Unary(Unary::Not, inner) => inner,
            _ => self.apply_unary(Unary::Not, a),
        }
    }

    /// Conjunction.
    pub fn and(&self, a: Term, b: Term) -> Term {
        self.connective(Binary::And, a, b)
    }

    /// Disjunction.
    pub fn or(&self, a: Term, b: Term) -> Term {
        self.connective(Binary::Or, a, b)
    }

    /// Exclusive or of Booleans.
    pub fn xor(&self, a: Term, b: Term) -> Term {
        self.check_sort(Sort::Bool, a);
        self.ne(a, b)
    }

    /// "If and only if" of Booleans: their equality.
    pub fn iff(&self, a: Term, b: Term) -> Term {
        self.check_sort(Sort::Bool, a);
        self.eq(a, b)
    }

    /// "If `a` then `b`" of Booleans.
    pub fn implies(&self, a: Term, b: Term) -> Term {
        self.or(self.not(a), b)
    }

    /// The conjunction of many.
    pub fn all(&self, conditions: impl IntoIterator<Item = Term>) -> Term {
        conditions.into_iter().fold(self.bool(true), |all, condition| self.and(all, condition))
    }

    /// The disjunction of many.
    pub fn any(&self, conditions: impl IntoIterator<Item = Term>) -> Term {
        conditions.into_iter().fold(self.bool(false), |any, condition| self.or(any, condition))
    }

    /// `then` where the condition holds and `otherwise` where it does not; of any one sort.
    pub fn ite(&self, condition: Term, then: Term, otherwise: Term) -> Term {
        self.check_sort(Sort::Bool, condition);
        self.check_sorts(Binary::Eq, then, otherwise);
        let (condition, then, otherwise) = match self.node(condition) {
            Node::Bool(true) => return then,
            Node::Bool(false) => return otherwise,
            Node::Unary(Unary::Not, inner) => (inner, otherwise, then),
            _ => (condition, then, otherwise),
        };
        let then = match self.node(then) {
            Node::Ite(same, inner, _) if same == condition => inner,
            _ => then,
        };
        let otherwise = match self.node(otherwise) {
            Node::Ite(same, _, inner) if same == condition => inner,
            _ => otherwise,
        };
        if then == otherwise {
            return then;
        }
        if self.sort(then) == Sort::Bool {
            return self.boolean_choice(condition, then, otherwise);
        }
        self.intern(Node::Ite(condition, then, otherwise))
    }

    fn boolean_choice(&self, condition: Term, then: Term, otherwise: Term) -> Term {
        match (self.node(then), self.node(otherwise)) {
            (Node::Bool(true), _) => self.or(condition, otherwise),
            (Node::Bool(false), _) => self.and(self.not(condition), otherwise),
            (_, Node::Bool(true)) => self.or(self.not(condition), then),
            (_, Node::Bool(false)) => self.and(condition, then),
            _ if then == condition => self.or(condition, otherwise),
            _ if otherwise == condition => self.and(condition, then),
            _ if self.are_complements(then, otherwise) => self.eq(condition, then),
            _ => self.intern(Node::Ite(condition, then, otherwise)),
        }
    }

    /// Conjunction and disjunction are dual: `neutral` is true for the one and false for the other.
    fn connective(&self, operator: Binary, a: Term, b: Term) -> Term {
        self.check_sorts(operator, a, b);
        let neutral = self.bool(operator == Binary::And);
        let dominant = self.bool(operator == Binary::Or);
        if a == b || b == neutral {
            return a;
        }
        if a == neutral {
            return b;
        }
        if a == dominant || b == dominant || self.are_complements(a, b) {
            return dominant;
        }
        self.absorb(operator, a, b)
            .or_else(|| self.absorb(operator, b, a))
            .unwrap_or_else(|| self.apply(operator, a, b))
    }

    /// `a op b` where `b` is a connective with `a`, or the complement of `a`, as an operand.
    fn absorb(&self, operator: Binary, a: Term, b: Term) -> Option<Term> {
        let Node::Binary(inner @ (Binary::And | Binary::Or), x, y) = self.node(b) else {
            return None;
        };
        if a == x || a == y {
            return Some(if inner == operator { b } else { a });
        }
        let rest = match (self.are_complements(a, x), self.are_complements(a, y)) {
            (true, _) => y,
            (_, true) => x,
            _ => return None,
        };
        if inner == operator {
            return Some(self.bool(operator == Binary::Or));
        }
        // `a and (not a or rest)` is `a and rest`; `rest` is stored as it is, which ends the recursion.
        if rest == a || self.are_complements(rest, a) {
            return None;
        }
        Some(self.apply(operator, a, rest))
    }

    pub(super) fn are_complements(&self, a: Term, b: Term) -> bool {
        matches!(self.node(a), Node::Unary(Unary::Not, x) if x == b)
            || matches!(self.node(b), Node::Unary(Unary::Not, x) if x == a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connectives_simplify() {
        let terms = Terms::new();
        let [a, b] = ["a", "b"].map(|name| terms.input(name, Sort::Bool));
        let (no, yes) = (terms.bool(false), terms.bool(true));
        let not_a = terms.not(a);
        for (built, expected) in [
            (terms.not(not_a), a),
            (terms.and(a, yes), a),
            (terms.and(no, a), no),
            (terms.and(a, a), a),
            (terms.and(a, not_a), no),
            (terms.or(a, no), a),
            (terms.or(a, yes), yes),
            (terms.or(not_a, a), yes),
            (terms.and(a, terms.and(b, a)), terms.and(a, b)),
            (terms.and(a, terms.or(b, a)), a),
            (terms.and(not_a, terms.and(a, b)), no),
            (terms.and(a, terms.or(not_a, b)), terms.and(a, b)),
            (terms.xor(a, a), no),
            (terms.xor(a, b), terms.not(terms.eq(a, b))),
            (terms.iff(a, not_a), no),
            (terms.iff(a, yes), a),
            (terms.iff(a, no), not_a),
            (terms.iff(not_a, terms.not(b)), terms.iff(a, b)),
            (terms.implies(a, a), yes),
            (terms.ite(a, b, b), b),
            (terms.ite(not_a, b, yes), terms.or(a, b)),
            (terms.ite(a, yes, no), a),
            (terms.ite(a, no, yes), not_a),
            (terms.ite(a, b, terms.not(b)), terms.iff(a, b)),
            (terms.all([a, yes, b]), terms.and(a, b)),
            (terms.any([]), no),
        ] {
            assert_eq!(built, expected, "{} and {}", terms.display(built), terms.display(expected));
        }
    }

    #[test]
    fn choices_on_one_condition_nest_no_further() {
        let terms = Terms::new();
        let a = terms.input("a", Sort::Bool);
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.input(name, Sort::Int));
        let inner = terms.ite(a, x, y);
        assert_eq!(terms.ite(a, inner, z), terms.ite(a, x, z));
        assert_eq!(terms.ite(a, z, inner), terms.ite(a, z, y));
        assert_eq!(terms.ite(terms.not(a), x, y), terms.ite(a, y, x));
    }
}
