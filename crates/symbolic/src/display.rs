//! Terms as text for people.
//!
//! Problem: a reader wants `x + 1 < y`, and a term may be as large as memory. Idea: infix notation with the
//! inputs' names, cut off below a fixed depth and after a fixed length, where an ellipsis stands. Negated
//! orders are shown as "at least", negated equality as "differs". Constants are signed decimals.
//!
//! There are two notations. That of machines is for bit vectors: `/` cuts off, and `c ? a : b` chooses. The exact one is for
//! integers without bound: a whole quotient is `truncate(a / b)`, a choice `if c then a else b` or `max`, `min` and
//! `abs`, and operators bind as usual ([`Terms::exact_text`]).
//!
//! Invariant: the text has at most [`LONGEST`] characters and a few; the recursion is at most [`DEEPEST`]
//! levels. The text is for reading only: nothing parses it.
//!
//! Cost: linear in the length of the text.

use crate::node::{Binary, Node, Term, Unary};
use crate::terms::Terms;
use std::fmt::{self, Write};

/// Where a text stops.
const LONGEST: usize = 600;
/// How many operators are shown inside each other.
const DEEPEST: u32 = 20;
const ELLIPSIS: &str = "…";

/// The text of a term; see [`Terms::display`].
#[derive(Copy, Clone)]
pub struct TermText<'a> {
    terms: &'a Terms,
    term: Term,
}

impl Terms {
    /// The term as text in infix notation, of bounded length.
    pub fn display(&self, term: Term) -> TermText<'_> {
        TermText { terms: self, term }
    }
}

impl fmt::Display for TermText<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = Writer { terms: self.terms, text: String::new() };
        writer.write(self.term, DEEPEST);
        formatter.write_str(&writer.text)
    }
}

struct Writer<'a> {
    terms: &'a Terms,
    text: String,
}

impl Writer<'_> {
    fn write(&mut self, term: Term, levels: u32) {
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
        match node {
            Node::Bool(_) | Node::Bits { .. } | Node::Int(_) => {
                if let Some(value) = self.terms.as_constant(term) {
                    self.push(format_args!("{value}"));
                }
            }
            Node::Input(input) => {
                let variable = self.terms.variable(input);
                self.text.push_str(variable.name());
            }
            Node::Unary(operator, a) => self.unary(operator, a, levels - 1),
            Node::Binary(operator, a, b) => {
                self.infix(symbol(operator), Some(operator), a, b, levels - 1);
            }
            Node::Ite(condition, then, otherwise) => {
                self.operand(None, condition, levels - 1);
                self.text.push_str(" ? ");
                self.operand(None, then, levels - 1);
                self.text.push_str(" : ");
                self.operand(None, otherwise, levels - 1);
            }
        }
    }

    fn unary(&mut self, operator: Unary, a: Term, levels: u32) {
        match (operator, self.terms.node(a)) {
            (Unary::Not, Node::Binary(Binary::Eq, x, y)) => self.infix("!=", None, x, y, levels),
            (Unary::Not, Node::Binary(Binary::Slt | Binary::IntLt, x, y)) => {
                self.infix(">=", None, x, y, levels);
            }
            (Unary::Not, Node::Binary(Binary::Ult, x, y)) => self.infix(">=u", None, x, y, levels),
            (Unary::Not, _) => self.prefix("!", a, levels),
            (Unary::Neg | Unary::IntNeg, _) => self.prefix("-", a, levels),
            (Unary::BitNot, _) => self.prefix("~", a, levels),
            (Unary::Extract { high, low }, _) => {
                self.operand(None, a, levels);
                self.push(format_args!("[{high}:{low}]"));
            }
            (Unary::ZeroExtend(width), _) => self.call(format_args!("zero{width}"), a, levels),
            (Unary::SignExtend(width), _) => self.call(format_args!("sign{width}"), a, levels),
            (Unary::IntToBits(width), _) => self.call(format_args!("bits{width}"), a, levels),
            (Unary::BitsToInt { signed: true }, _) => self.call(format_args!("int"), a, levels),
            (Unary::BitsToInt { signed: false }, _) => self.call(format_args!("uint"), a, levels),
        }
    }

    fn infix(&mut self, symbol: &str, operator: Option<Binary>, a: Term, b: Term, levels: u32) {
        self.operand(operator, a, levels);
        self.push(format_args!(" {symbol} "));
        self.operand(operator, b, levels);
    }

    fn prefix(&mut self, symbol: &str, a: Term, levels: u32) {
        self.text.push_str(symbol);
        self.operand(None, a, levels);
    }

    fn call(&mut self, name: fmt::Arguments<'_>, a: Term, levels: u32) {
        self.push(name);
        self.text.push('(');
        self.write(a, levels);
        self.text.push(')');
    }

    /// In parentheses, unless it is atomic or the same associative operator.
    fn operand(&mut self, outer: Option<Binary>, term: Term, levels: u32) {
        let bare = match self.terms.node(term) {
            Node::Unary(
                Unary::ZeroExtend(_)
                | Unary::SignExtend(_)
                | Unary::IntToBits(_)
                | Unary::BitsToInt { .. },
                _,
            ) => true,
            Node::Unary(Unary::Neg | Unary::IntNeg | Unary::BitNot, _) => true,
            Node::Unary(Unary::Not, a) => !matches!(
                self.terms.node(a),
                Node::Binary(Binary::Eq | Binary::Slt | Binary::Ult | Binary::IntLt, _, _)
            ),
            Node::Binary(inner, _, _) => {
                Some(inner) == outer && inner.commutes() && inner != Binary::Eq
            }
            node => node.arguments().next().is_none(),
        };
        if bare || levels == 0 {
            return self.write(term, levels);
        }
        self.text.push('(');
        self.write(term, levels);
        self.text.push(')');
    }

    fn push(&mut self, text: fmt::Arguments<'_>) {
        self.text.write_fmt(text).expect("a string takes any text");
    }
}

fn symbol(operator: Binary) -> &'static str {
    match operator {
        Binary::And => "&&",
        Binary::Or => "||",
        Binary::Eq => "==",
        Binary::Add | Binary::IntAdd => "+",
        Binary::Sub | Binary::IntSub => "-",
        Binary::Mul | Binary::IntMul => "*",
        Binary::BitAnd => "&",
        Binary::BitOr => "|",
        Binary::BitXor => "^",
        Binary::Shl => "<<",
        Binary::Lshr => ">>>",
        Binary::Ashr => ">>",
        Binary::Sdiv | Binary::IntDiv => "/",
        Binary::Srem | Binary::IntRem => "%",
        Binary::Udiv => "/u",
        Binary::Urem => "%u",
        Binary::Slt | Binary::IntLt => "<",
        Binary::Ult => "<u",
        Binary::Concat => "++",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Sort;

    #[test]
    fn terms_read_as_they_are_written() {
        let terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.input(name, Sort::Bits(32)));
        let c = terms.input("c", Sort::Bool);
        let k = |value: i64| terms.bits(value as u64, 32);
        for (term, text) in [
            (terms.slt(terms.add(x, k(1)), y), "(x + 1) < y"),
            (terms.sub(x, k(5)), "x + -5"),
            (terms.sge(x, y), "x >= y"),
            (terms.ne(terms.mul(x, y), k(1452)), "(x * y) != 1452"),
            (terms.and(terms.ult(x, y), terms.not(c)), "!c && (x <u y)"),
            (terms.add(terms.add(x, y), k(2)), "x + y + 2"),
            (terms.ite(c, x, terms.neg(y)), "c ? x : -y"),
            (terms.extract(terms.zero_extend(x, 64), 39, 8), "zero64(x)[39:8]"),
        ] {
            assert_eq!(terms.display(term).to_string(), text);
        }
    }

    #[test]
    fn long_and_deep_terms_are_cut() {
        let terms = Terms::new();
        let mut wide = terms.input("an input with a rather long name", Sort::Bits(64));
        for index in 0..100 {
            let other = terms.input(&format!("input{index}"), Sort::Bits(64));
            let product = terms.mul(wide, other);
            wide = terms.mul(terms.bit_xor(product, wide), product);
        }
        let text = terms.display(wide).to_string();
        assert!(text.contains(ELLIPSIS) && text.len() < LONGEST + 200, "{}: {text}", text.len());
    }
}
