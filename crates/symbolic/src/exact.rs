//! Terms over integers and Booleans as text in which `/` is exact, and rationals are whole again.
//!
//! Problem: a front end with exact numbers keeps a rational `x` as two integer inputs, `x.numerator` and `x.denominator`,
//! the latter above zero, and compares by multiplying out. What it reads back should be about `x`.
//!
//! Idea: multiplying out makes terms that are homogeneous: each summand has, for each rational, as many numerators and
//! denominators together as all others. Such a comparison, quotient or remainder stays true, or the same, if both sides are
//! divided by the denominators, which turns each numerator into the rational and each denominator into one. So they are
//! written like that. What is not homogeneous is written with the names of the parts.
//!
//! Invariant: the text means the same as the term, read with exact division and the usual binding of operators: `||`
//! below `&&` below comparisons below sums below products. Its length and depth are bounded as those of
//! [`Terms::display`] are.
//!
//! Cost: linear in the length of the text, and at most [`MOST_LOOKS`] looks for each comparison.

use std::collections::BTreeMap;

use crate::node::{Binary, Node, Term, Unary};
use crate::terms::Terms;

pub(crate) const NUMERATOR: &str = ".numerator";
pub(crate) const DENOMINATOR: &str = ".denominator";
const LONGEST: usize = 600;
const DEEPEST: u32 = 20;
const MOST_LOOKS: u32 = 2_000;
const ELLIPSIS: &str = "…";

/// How tightly operators bind.
const CHOICE: u8 = 0;
const OR: u8 = 1;
const AND: u8 = 2;
const COMPARISON: u8 = 3;
const SUM: u8 = 4;
const PRODUCT: u8 = 5;
const PREFIX: u8 = 6;
const ATOM: u8 = 7;

impl Terms {
    /// The text of a term over integers and Booleans.
    pub fn exact_text(&self, term: Term) -> String {
        let mut writer = ExactWriter::new(self);
        writer.write(term, CHOICE, DEEPEST);
        writer.text
    }

    /// The text of a quotient of two integer terms.
    pub fn exact_fraction(&self, numerator: Term, denominator: Term) -> String {
        let mut writer = ExactWriter::new(self);
        writer.quotient(numerator, denominator, CHOICE, DEEPEST);
        writer.text
    }

    /// Whether a term is about parts of a rational.
    pub fn is_about_fractions(&self, term: Term) -> bool {
        let is_part = |name: &str| name.ends_with(NUMERATOR) || name.ends_with(DENOMINATOR);
        self.inputs_of(term).iter().any(|input| is_part(input.name()))
    }
}

/// How many parts of which rationals each summand of a term has; any number for zero.
#[derive(PartialEq, Eq, Clone)]
enum Degree {
    Any,
    Parts(BTreeMap<String, u32>),
}

struct ExactWriter<'a> {
    terms: &'a Terms,
    text: String,
    /// Whether denominators are one and numerators their rationals.
    folded: bool,
    looks: u32,
}

impl<'a> ExactWriter<'a> {
    fn new(terms: &'a Terms) -> ExactWriter<'a> {
        ExactWriter { terms, text: String::new(), folded: false, looks: 0 }
    }

    /// Writes a term, in parentheses if it binds less tightly than asked for.
    fn write(&mut self, term: Term, binding: u8, levels: u32) {
        if self.text.len() >= LONGEST {
            if !self.text.ends_with(ELLIPSIS) {
                self.text.push_str(ELLIPSIS);
            }
            return;
        }
        let node = self.terms.node(term);
        if levels == 0 && node.arguments().next().is_some() {
            return self.text.push_str(ELLIPSIS);
        }
        let levels = levels.saturating_sub(1);
        match node {
            Node::Bool(truth) => self.text.push_str(if truth { "True" } else { "False" }),
            Node::Bits { .. } | Node::Int(_) => {
                let value = self.terms.as_constant(term).map(|value| value.to_string());
                self.text.push_str(&value.unwrap_or_default());
            }
            Node::Input(input) => {
                let name = self.terms.variable(input).name().to_owned();
                self.input(&name);
            }
            Node::Unary(operator, a) => self.unary(operator, a, binding, levels),
            Node::Binary(operator, a, b) => self.binary(operator, a, b, binding, levels),
            Node::Ite(condition, then, otherwise) => {
                self.choice(condition, then, otherwise, binding, levels);
            }
        }
    }

    fn input(&mut self, name: &str) {
        let whole = name.strip_suffix(NUMERATOR).filter(|_| self.folded);
        let shown = match whole {
            Some(whole) => whole,
            None if self.folded && name.ends_with(DENOMINATOR) => "1",
            None => name,
        };
        self.text.push_str(shown);
    }

    fn unary(&mut self, operator: Unary, a: Term, binding: u8, levels: u32) {
        match (operator, self.terms.node(a)) {
            (Unary::Not, Node::Binary(Binary::Eq, x, y)) => {
                self.comparison("!=", x, y, binding, levels);
            }
            (Unary::Not, Node::Binary(Binary::IntLt, x, y)) => {
                self.comparison(">=", x, y, binding, levels);
            }
            (Unary::Not, _) => {
                self.text.push('!');
                self.write(a, PREFIX, levels);
            }
            (Unary::IntNeg, _) => self.infix(PREFIX, binding, |writer| {
                writer.text.push('-');
                writer.write(a, PREFIX, levels);
            }),
            // Of other sorts than ours.
            _ => self.text.push_str(ELLIPSIS),
        }
    }

    fn binary(&mut self, operator: Binary, a: Term, b: Term, binding: u8, levels: u32) {
        let (own, symbol) = match operator {
            Binary::Or => (OR, " || "),
            Binary::And => (AND, " && "),
            Binary::Eq => return self.comparison("==", a, b, binding, levels),
            Binary::IntLt => return self.comparison("<", a, b, binding, levels),
            Binary::IntAdd => return self.sum(a, b, binding, levels),
            Binary::IntSub => (SUM, " - "),
            Binary::IntMul => return self.product(a, b, binding, levels),
            Binary::IntDiv => {
                self.text.push_str("truncate(");
                self.quotient(a, b, CHOICE, levels);
                return self.text.push(')');
            }
            Binary::IntRem => {
                return self.divided(a, b, |writer| {
                    writer.infix(PRODUCT, binding, |writer| {
                        writer.write(a, PRODUCT, levels);
                        writer.text.push_str(" % ");
                        writer.write(b, PREFIX, levels);
                    });
                });
            }
            _ => return self.text.push_str(ELLIPSIS),
        };
        let right = if operator == Binary::IntSub { own + 1 } else { own };
        // Mixed logic is easier to read with parentheses.
        let left = if own == OR && self.is(Binary::And, a) { ATOM } else { own };
        let right = if own == OR && self.is(Binary::And, b) { ATOM } else { right };
        self.infix(own, binding, |writer| {
            writer.write(a, left, levels);
            writer.text.push_str(symbol);
            writer.write(b, right, levels);
        });
    }

    /// A sum, of which a negative second part is taken away.
    fn sum(&mut self, a: Term, b: Term, binding: u8, levels: u32) {
        self.infix(SUM, binding, |writer| {
            writer.write(a, SUM, levels);
            if let Node::Unary(Unary::IntNeg, taken) = writer.terms.node(b) {
                writer.text.push_str(" - ");
                return writer.write(taken, SUM + 1, levels);
            }
            let constant = writer.terms.as_constant(b).map(|value| value.to_string());
            match constant.as_deref().and_then(|text| text.strip_prefix('-')) {
                Some(taken) => {
                    writer.text.push_str(" - ");
                    writer.text.push_str(taken);
                }
                None => {
                    writer.text.push_str(" + ");
                    writer.write(b, SUM, levels);
                }
            }
        });
    }

    fn is(&self, operator: Binary, term: Term) -> bool {
        matches!(self.terms.node(term), Node::Binary(found, _, _) if found == operator)
    }

    fn infix(&mut self, own: u8, binding: u8, inner: impl FnOnce(&mut Self)) {
        let parentheses = own < binding;
        if parentheses {
            self.text.push('(');
        }
        inner(self);
        if parentheses {
            self.text.push(')');
        }
    }

    fn comparison(&mut self, symbol: &str, a: Term, b: Term, binding: u8, levels: u32) {
        // Of integers the store keeps one of two ways to say it, and of a numerator only the other one is about zero.
        let other = match symbol {
            "<" => Some("<="),
            ">=" => Some(">"),
            _ => None,
        };
        if let Some(other) = other.filter(|_| b == self.terms.int(1) && self.has_parts(a)) {
            return self.comparison(other, a, self.terms.int(0), binding, levels);
        }
        self.divided(a, b, |writer| {
            writer.infix(COMPARISON, binding, |writer| {
                writer.write(a, COMPARISON + 1, levels);
                writer.text.push(' ');
                writer.text.push_str(symbol);
                writer.text.push(' ');
                writer.write(b, COMPARISON + 1, levels);
            });
        });
    }

    fn quotient(&mut self, a: Term, b: Term, binding: u8, levels: u32) {
        self.divided(a, b, |writer| {
            if writer.is_one(b) {
                return writer.write(a, binding, levels);
            }
            writer.infix(PRODUCT, binding, |writer| {
                writer.write(a, PRODUCT, levels);
                writer.text.push_str(" / ");
                writer.write(b, PREFIX, levels);
            });
        });
    }

    /// Whether nothing but one is left of a product.
    fn is_one(&self, term: Term) -> bool {
        self.factors(term).is_empty()
    }

    fn product(&mut self, a: Term, b: Term, binding: u8, levels: u32) {
        let mut factors = self.factors(a);
        factors.extend(self.factors(b));
        match factors[..] {
            [] => self.text.push('1'),
            [one] => self.write(one, binding, levels),
            _ => self.infix(PRODUCT, binding, |writer| {
                for (index, &factor) in factors.iter().enumerate() {
                    if index > 0 {
                        writer.text.push_str(" * ");
                    }
                    writer.write(factor, if index > 0 { PREFIX } else { PRODUCT }, levels);
                }
            }),
        }
    }

    /// The factors of a product that are not one.
    fn factors(&self, term: Term) -> Vec<Term> {
        let mut factors = Vec::new();
        let mut left = vec![term];
        while let Some(term) = left.pop() {
            match self.terms.node(term) {
                Node::Binary(Binary::IntMul, a, b) => left.extend([b, a]),
                Node::Input(input)
                    if self.folded && self.terms.variable(input).name().ends_with(DENOMINATOR) => {}
                _ if self.terms.as_constant(term).is_some_and(|value| value.to_string() == "1") => {
                }
                _ => factors.push(term),
            }
        }
        factors
    }

    fn choice(&mut self, condition: Term, then: Term, other: Term, binding: u8, levels: u32) {
        let order = match self.terms.node(condition) {
            Node::Binary(Binary::IntLt, a, b) => Some((a, b)),
            _ => None,
        };
        let negative = |writer: &Self| match writer.terms.node(then) {
            Node::Unary(Unary::IntNeg, inner) => inner == other,
            _ => false,
        };
        let call = match order {
            Some((a, b)) if (a, b) == (then, other) => Some(("min", vec![a, b])),
            Some((a, b)) if (a, b) == (other, then) => Some(("max", vec![a, b])),
            Some((a, b)) if a == other && self.is_zero(b) && negative(self) => {
                Some(("abs", vec![a]))
            }
            _ => self.weak_order(condition, then, other),
        };
        if let Some((name, arguments)) = call {
            self.text.push_str(name);
            self.text.push('(');
            for (index, argument) in arguments.into_iter().enumerate() {
                if index > 0 {
                    self.text.push_str(", ");
                }
                self.write(argument, CHOICE, levels);
            }
            return self.text.push(')');
        }
        self.infix(CHOICE, binding, |writer| {
            let folded = std::mem::take(&mut writer.folded);
            writer.text.push_str("if ");
            writer.write(condition, OR, levels);
            writer.folded = folded;
            writer.text.push_str(" then ");
            writer.write(then, OR, levels);
            writer.text.push_str(" else ");
            writer.write(other, OR, levels);
        });
    }

    /// The smaller or larger of two by "less or equal".
    fn weak_order(
        &self,
        condition: Term,
        then: Term,
        other: Term,
    ) -> Option<(&'static str, Vec<Term>)> {
        let Node::Binary(Binary::Or, one, two) = self.terms.node(condition) else { return None };
        [(one, two), (two, one)].into_iter().find_map(|(less, equal)| {
            let Node::Binary(Binary::IntLt, a, b) = self.terms.node(less) else { return None };
            let Node::Binary(Binary::Eq, x, y) = self.terms.node(equal) else { return None };
            let same = (x, y) == (a, b) || (x, y) == (b, a);
            match same {
                true if (a, b) == (then, other) => Some(("min", vec![a, b])),
                true if (a, b) == (other, then) => Some(("max", vec![a, b])),
                _ => None,
            }
        })
    }

    fn is_zero(&self, term: Term) -> bool {
        self.terms.as_constant(term).is_some_and(|value| value.to_string() == "0")
    }

    /// Writes something about two terms, both divided by denominators if that can be done.
    fn divided(&mut self, a: Term, b: Term, write: impl FnOnce(&mut Self)) {
        let before = self.folded;
        self.looks = 0;
        let degrees = (self.degree(a, DEEPEST), self.degree(b, DEEPEST));
        self.folded = match degrees {
            (Some(Degree::Any), Some(_)) | (Some(_), Some(Degree::Any)) => true,
            (Some(a), Some(b)) => a == b,
            _ => false,
        };
        write(self);
        self.folded = before;
    }

    fn has_parts(&mut self, term: Term) -> bool {
        self.looks = 0;
        matches!(self.degree(term, DEEPEST), Some(Degree::Parts(parts)) if !parts.is_empty())
    }

    /// How many parts of rationals the summands of a term have, if all have as many.
    fn degree(&mut self, term: Term, levels: u32) -> Option<Degree> {
        self.looks += 1;
        if self.looks > MOST_LOOKS || levels == 0 {
            return None;
        }
        let levels = levels - 1;
        let none = || Some(Degree::Parts(BTreeMap::new()));
        match self.terms.node(term) {
            _ if self.is_zero(term) => Some(Degree::Any),
            Node::Input(input) => {
                let variable = self.terms.variable(input);
                let name = variable.name();
                let whole = name.strip_suffix(NUMERATOR).or(name.strip_suffix(DENOMINATOR));
                Some(Degree::Parts(whole.map(|whole| (whole.to_owned(), 1)).into_iter().collect()))
            }
            Node::Unary(Unary::IntNeg, a) => self.degree(a, levels),
            Node::Binary(Binary::IntAdd | Binary::IntSub | Binary::IntRem, a, b)
            | Node::Ite(_, a, b) => match (self.degree(a, levels)?, self.degree(b, levels)?) {
                (Degree::Any, other) | (other, Degree::Any) => Some(other),
                (a, b) => (a == b).then_some(a),
            },
            Node::Binary(Binary::IntMul, a, b) => {
                match (self.degree(a, levels)?, self.degree(b, levels)?) {
                    (Degree::Parts(mut a), Degree::Parts(b)) => {
                        for (name, count) in b {
                            *a.entry(name).or_default() += count;
                        }
                        Some(Degree::Parts(a))
                    }
                    _ => Some(Degree::Any),
                }
            }
            // A whole quotient is about its own sides only.
            _ => none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Sort;

    fn rational(terms: &Terms, name: &str) -> (Term, Term) {
        let part = |what: &str| terms.input(&format!("{name}.{what}"), Sort::Int);
        (part("numerator"), part("denominator"))
    }

    #[test]
    fn quotients_choices_and_binding_read_as_they_are_meant() {
        let terms = Terms::new();
        let [n, m] = ["n", "m"].map(|name| terms.input(name, Sort::Int));
        let c = terms.input("c", Sort::Bool);
        let k = |value: i64| terms.int(value);
        let half = terms.int_div_trunc(n, k(2));
        let less = terms.int_lt(n, m);
        for (term, text) in [
            (terms.int_lt(half, k(4)), "truncate(n / 2) < 4"),
            (terms.eq(terms.int_rem_trunc(n, k(3)), k(1)), "1 == n % 3"),
            (terms.ite(less, m, n), "max(n, m)"),
            (terms.ite(less, n, m), "min(n, m)"),
            (terms.ite(terms.int_lt(n, k(0)), terms.int_neg(n), n), "abs(n)"),
            (terms.ite(c, n, k(3)), "if c then n else 3"),
            (terms.int_mul(terms.int_sub(n, m), terms.int_mul(m, m)), "(n - m) * m * m"),
            (terms.or(terms.and(less, c), terms.eq(n, m)), "m == n || (c && n < m)"),
            (terms.not(terms.and(less, c)), "!(c && n < m)"),
            (terms.eq(less, c), "(n < m) == c"),
        ] {
            let shown = terms.exact_text(term);
            let mirrored = |text: &str, symbol: &str| {
                text.split_once(symbol).map(|(a, b)| format!("{b}{symbol}{a}"))
            };
            let same = shown == text || mirrored(&shown, " == ").is_some_and(|one| one == text);
            assert!(same, "{shown} for {text}");
        }
    }

    #[test]
    fn rationals_are_whole_again() {
        let terms = Terms::new();
        let ((a, b), (c, d)) = (rational(&terms, "p"), rational(&terms, "q"));
        let percent = terms.input("percent", Sort::Int);
        let k = |value: i64| terms.int(value);
        let (ad, cb, bd) = (terms.int_mul(a, d), terms.int_mul(c, b), terms.int_mul(b, d));
        assert_eq!(terms.exact_text(terms.int_lt(ad, cb)), "p < q");
        assert_eq!(terms.exact_fraction(terms.int_add(ad, cb), bd), "p + q");
        assert_eq!(terms.exact_fraction(a, b), "p");
        assert_eq!(terms.exact_fraction(a, terms.int_mul(b, k(3))), "p / 3");
        let less = terms.int_mul(a, terms.int_sub(k(100), percent));
        let text = terms.exact_text(terms.int_lt(terms.int_mul(b, k(5000)), less));
        assert_eq!(text, "5000 < p * (100 - percent)");
        assert_eq!(terms.exact_text(terms.int_div_trunc(a, b)), "truncate(p)");
        assert_eq!(terms.exact_text(terms.int_lt(k(0), a)), "p > 0");
        // Whether it is a half in lowest terms cannot be said of the rational.
        let part = terms.exact_text(terms.eq(b, k(2)));
        assert!(part.contains("p.denominator"), "{part}");
    }
}
