//! Terms in Z3's own language.
//!
//! Problem: consecutive queries share most of their terms, and Z3's integer division is Euclidean. Idea:
//! translate bottom-up with an explicit stack and remember translated terms, and forget all when they are
//! too many; spell out truncated division by cases on the sign of the dividend. Inputs are named by their
//! numbers, so that no text of a user reaches Z3.
//!
//! Invariant: the translation has the meaning of `semantics.rs`, corners included; the tests compare them
//! on random terms. All translations belong to the thread's Z3 context.
//!
//! Cost: one look-up for a term met before; one call into Z3 for each new operator.

use crate::node::{Binary, Node, Term, Unary};
use crate::terms::Terms;
use crate::value::{Sort, Value};
use num_bigint::BigInt;
use num_traits::Zero;
use rustc_hash::FxHashMap;
use std::str::FromStr;
use z3::ast::{BV, Bool, Int};

/// So many translations are kept at most before a new query.
const ENOUGH: usize = 1 << 18;

/// The translations of one store's terms.
#[derive(Default)]
pub(crate) struct Translator {
    store: Option<u64>,
    known: FxHashMap<Term, Translated>,
    pending: Vec<Term>,
}

/// A term in Z3, by sort.
#[derive(Clone)]
pub(crate) enum Translated {
    Bool(Bool),
    Bits(BV),
    Int(Int),
}

impl Translator {
    /// The translation of a Boolean term.
    pub(crate) fn condition(&mut self, terms: &Terms, term: Term) -> Bool {
        self.translate(terms, term).bool()
    }

    /// The translation of a term; those of another store, or too many, are forgotten first.
    pub(crate) fn translate(&mut self, terms: &Terms, term: Term) -> Translated {
        if self.store != Some(terms.identity()) || self.known.len() > ENOUGH {
            self.known.clear();
            self.store = Some(terms.identity());
        }
        self.pending.push(term);
        while let Some(&next) = self.pending.last() {
            if self.known.contains_key(&next) {
                self.pending.pop();
                continue;
            }
            let node = terms.node(next);
            let ready = self.pending.len();
            self.pending.extend(node.arguments().filter(|a| !self.known.contains_key(a)));
            if self.pending.len() == ready {
                let translated = self.operator(terms, next, node);
                self.known.insert(next, translated);
                self.pending.pop();
            }
        }
        self.known[&term].clone()
    }

    /// A node whose arguments are translated.
    fn operator(&self, terms: &Terms, term: Term, node: Node) -> Translated {
        match node {
            Node::Bool(_) | Node::Bits { .. } | Node::Int(_) => {
                constant(&terms.as_constant(term).expect("the node is a constant"))
            }
            Node::Input(index) => match terms.sort(term) {
                Sort::Bool => Translated::Bool(Bool::new_const(index)),
                Sort::Bits(width) => Translated::Bits(BV::new_const(index, width.into())),
                Sort::Int => Translated::Int(Int::new_const(index)),
            },
            Node::Unary(operator, a) => self.unary(terms, operator, a),
            Node::Binary(operator, a, b) => match (&self.known[&a], &self.known[&b]) {
                (Translated::Bits(a), Translated::Bits(b)) => on_bits(operator, a, b),
                (Translated::Int(x), Translated::Int(y)) => {
                    let divisor = terms.as_constant(b).and_then(|value| value.as_int().cloned());
                    on_integers(operator, x, y, divisor)
                }
                (a, b) => {
                    Translated::Bool(on_booleans(operator, &a.clone().bool(), &b.clone().bool()))
                }
            },
            Node::Ite(condition, then, otherwise) => {
                let condition = self.known[&condition].clone().bool();
                match (&self.known[&then], &self.known[&otherwise]) {
                    (Translated::Bool(a), Translated::Bool(b)) => {
                        Translated::Bool(condition.ite(a, b))
                    }
                    (Translated::Bits(a), Translated::Bits(b)) => {
                        Translated::Bits(condition.ite(a, b))
                    }
                    (Translated::Int(a), Translated::Int(b)) => {
                        Translated::Int(condition.ite(a, b))
                    }
                    _ => unreachable!("both branches of a choice have one sort"),
                }
            }
        }
    }

    fn unary(&self, terms: &Terms, operator: Unary, argument: Term) -> Translated {
        match (operator, &self.known[&argument]) {
            (Unary::Not, Translated::Bool(a)) => Translated::Bool(a.not()),
            (Unary::Neg, Translated::Bits(a)) => Translated::Bits(a.bvneg()),
            (Unary::BitNot, Translated::Bits(a)) => Translated::Bits(a.bvnot()),
            (Unary::Extract { high, low }, Translated::Bits(a)) => {
                Translated::Bits(a.extract(high.into(), low.into()))
            }
            (Unary::ZeroExtend(width), Translated::Bits(a)) => {
                Translated::Bits(a.zero_ext((width - terms.width(argument)).into()))
            }
            (Unary::SignExtend(width), Translated::Bits(a)) => {
                Translated::Bits(a.sign_ext((width - terms.width(argument)).into()))
            }
            (Unary::BitsToInt { signed }, Translated::Bits(a)) => Translated::Int(a.to_int(signed)),
            (Unary::IntNeg, Translated::Int(a)) => Translated::Int(a.unary_minus()),
            (Unary::IntToBits(width), Translated::Int(a)) => {
                Translated::Bits(BV::from_int(a, width.into()))
            }
            _ => unreachable!("builders refuse operands of a wrong sort: {operator:?}"),
        }
    }
}

impl Translated {
    fn bool(self) -> Bool {
        match self {
            Translated::Bool(value) => value,
            _ => unreachable!("a Boolean term translates to a Boolean"),
        }
    }
}

fn constant(value: &Value) -> Translated {
    match value {
        Value::Bool(value) => Translated::Bool(Bool::from_bool(*value)),
        Value::Bits { bits, width } => Translated::Bits(BV::from_u64(*bits, (*width).into())),
        Value::Int(value) => Translated::Int(integer(value)),
    }
}

fn integer(value: &BigInt) -> Int {
    match i64::try_from(value) {
        Ok(small) => Int::from_i64(small),
        Err(_) => Int::from_str(&value.to_string()).expect("a decimal numeral is one for Z3"),
    }
}

fn on_booleans(operator: Binary, a: &Bool, b: &Bool) -> Bool {
    match operator {
        Binary::And => Bool::and(&[a, b]),
        Binary::Or => Bool::or(&[a, b]),
        Binary::Eq => a.iff(b),
        _ => unreachable!("not an operator on Booleans: {operator:?}"),
    }
}

fn on_bits(operator: Binary, a: &BV, b: &BV) -> Translated {
    Translated::Bits(match operator {
        Binary::Eq => return Translated::Bool(a.eq(b)),
        Binary::Slt => return Translated::Bool(a.bvslt(b)),
        Binary::Ult => return Translated::Bool(a.bvult(b)),
        Binary::Add => a.bvadd(b),
        Binary::Sub => a.bvsub(b),
        Binary::Mul => a.bvmul(b),
        Binary::BitAnd => a.bvand(b),
        Binary::BitOr => a.bvor(b),
        Binary::BitXor => a.bvxor(b),
        Binary::Shl => a.bvshl(b),
        Binary::Lshr => a.bvlshr(b),
        Binary::Ashr => a.bvashr(b),
        Binary::Sdiv => a.bvsdiv(b),
        Binary::Srem => a.bvsrem(b),
        Binary::Udiv => a.bvudiv(b),
        Binary::Urem => a.bvurem(b),
        Binary::Concat => a.concat(b),
        _ => unreachable!("not an operator on bit vectors: {operator:?}"),
    })
}

fn on_integers(operator: Binary, a: &Int, b: &Int, divisor: Option<BigInt>) -> Translated {
    Translated::Int(match operator {
        Binary::Eq => return Translated::Bool(a.eq(b)),
        Binary::IntLt => return Translated::Bool(a.lt(b)),
        Binary::IntAdd => Int::add(&[a, b]),
        Binary::IntSub => Int::sub(&[a, b]),
        Binary::IntMul => Int::mul(&[a, b]),
        Binary::IntDiv => truncated(a, b, divisor, |a, b| a.div(b), &Int::from_i64(0)),
        Binary::IntRem => truncated(a, b, divisor, |a, b| a.modulo(b), a),
        _ => unreachable!("not an operator on integers: {operator:?}"),
    })
}

/// Euclidean and truncated division agree on dividends that are not negative, and the truncated one is
/// odd in its dividend. Division by zero is any number to Z3, so its value is given.
fn truncated(
    a: &Int,
    b: &Int,
    divisor: Option<BigInt>,
    euclidean: fn(&Int, &Int) -> Int,
    by_zero: &Int,
) -> Int {
    let zero = Int::from_i64(0);
    let mirrored = euclidean(&a.unary_minus(), b).unary_minus();
    let result = a.ge(&zero).ite(&euclidean(a, b), &mirrored);
    match divisor {
        Some(divisor) if !divisor.is_zero() => result,
        _ => b.eq(&zero).ite(by_zero, &result),
    }
}
