//! Random terms with their values, computed without the crate's own semantics.
//!
//! A recipe is a list of instructions. Each picks an operator and operands from the pool of what was
//! built before, builds the term, and computes its value under each of a few models by the plain
//! definition of the operator in wide arithmetic. So every term in the pool comes with a reference.

use counterpoint_symbolic::{BigInt, Model, Sort, Term, Terms, Value};
use proptest::prelude::*;
use std::rc::Rc;

#[allow(dead_code, reason = "not every test that shares this file needs it")]
pub const WIDTHS: [u8; 8] = [1, 7, 8, 16, 31, 32, 33, 64];
pub const MODELS: usize = 4;

#[derive(Clone, Debug)]
pub struct Recipe {
    /// Raw values of the inputs, per model.
    pub inputs: Vec<[i64; 6]>,
    pub instructions: Vec<(u8, u16, u16, u16)>,
}

pub struct Entry {
    pub term: Term,
    pub sort: Sort,
    pub values: Vec<Value>,
}

pub struct Pool {
    pub terms: Rc<Terms>,
    pub models: Vec<Model>,
    pub entries: Vec<Entry>,
}

pub fn recipe(length: usize) -> impl Strategy<Value = Recipe> {
    let raw = prop_oneof![
        -4i64..5,
        any::<i64>(),
        Just(i64::MIN),
        Just(i64::MAX),
        any::<i32>().prop_map(i64::from)
    ];
    let inputs = prop::collection::vec(prop::array::uniform6(raw), MODELS);
    let instructions = prop::collection::vec(any::<(u8, u16, u16, u16)>(), 1..length);
    (inputs, instructions).prop_map(|(inputs, instructions)| Recipe { inputs, instructions })
}

/// Bit vectors of one width, Booleans and integers; other widths come from cutting and widening.
pub fn build(recipe: &Recipe, width: u8, integers: bool) -> Pool {
    let terms = Terms::new();
    let mut pool =
        Pool { terms, models: vec![Model::new(); recipe.inputs.len()], entries: Vec::new() };
    let sorts =
        [Sort::Bits(width), Sort::Bits(width), Sort::Bits(8), Sort::Bool, Sort::Bool, Sort::Int];
    for (index, sort) in sorts.into_iter().enumerate() {
        if sort == Sort::Int && !integers {
            continue;
        }
        let name = format!("input{index}");
        let values: Vec<Value> =
            recipe.inputs.iter().map(|raw| of_sort(raw[index], sort)).collect();
        for (model, value) in pool.models.iter_mut().zip(&values) {
            model.set(&*name, value.clone());
        }
        let term = pool.terms.input(&name, sort);
        pool.entries.push(Entry { term, sort, values });
    }
    for &instruction in &recipe.instructions {
        pool.perform(instruction, width, integers);
    }
    pool
}

fn of_sort(raw: i64, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(raw & 1 == 1),
        Sort::Bits(width) => Value::bits(raw as u64, width),
        Sort::Int => Value::int(raw % 1000),
    }
}

type Words = fn(i128, i128, i128, i128, u32) -> i128;
type TwoTerms = fn(&Terms, Term, Term) -> Term;
type OneTerm = fn(&Terms, Term) -> Term;

/// From the unsigned and the signed readings of both operands and the width.
const ON_WORDS: [(TwoTerms, Words); 13] = [
    (Terms::add, |a, b, _, _, _| a + b),
    (Terms::sub, |a, b, _, _, _| a - b),
    (Terms::mul, |a, b, _, _, _| (a as u128).wrapping_mul(b as u128) as i128),
    (Terms::bit_and, |a, b, _, _, _| a & b),
    (Terms::bit_or, |a, b, _, _, _| a | b),
    (Terms::bit_xor, |a, b, _, _, _| a ^ b),
    (Terms::shl, |a, b, _, _, w| if b >= i128::from(w) { 0 } else { a << b }),
    (Terms::lshr, |a, b, _, _, w| if b >= i128::from(w) { 0 } else { a >> b }),
    (Terms::ashr, |_, b, a, _, w| a >> b.min(i128::from(w))),
    (Terms::udiv, |a, b, _, _, _| if b == 0 { -1 } else { a / b }),
    (Terms::urem, |a, b, _, _, _| if b == 0 { a } else { a % b }),
    (Terms::sdiv, |_, _, a, b, _| match b {
        0 if a < 0 => 1,
        0 => -1,
        _ => a / b,
    }),
    (Terms::srem, |_, _, a, b, _| if b == 0 { a } else { a % b }),
];

type Comparison = fn(i128, i128, i128, i128) -> bool;

const COMPARISONS: [(TwoTerms, Comparison); 10] = [
    (Terms::eq, |a, b, _, _| a == b),
    (Terms::ne, |a, b, _, _| a != b),
    (Terms::ult, |a, b, _, _| a < b),
    (Terms::ule, |a, b, _, _| a <= b),
    (Terms::ugt, |a, b, _, _| a > b),
    (Terms::uge, |a, b, _, _| a >= b),
    (Terms::slt, |_, _, a, b| a < b),
    (Terms::sle, |_, _, a, b| a <= b),
    (Terms::sgt, |_, _, a, b| a > b),
    (Terms::sge, |_, _, a, b| a >= b),
];

type Connective = fn(bool, bool) -> bool;

const CONNECTIVES: [(TwoTerms, Connective); 5] = [
    (Terms::and, |a, b| a && b),
    (Terms::or, |a, b| a || b),
    (Terms::xor, |a, b| a != b),
    (Terms::iff, |a, b| a == b),
    (Terms::implies, |a, b| !a || b),
];

type Arithmetic = fn(&BigInt, &BigInt) -> BigInt;

const ON_INTEGERS: [(TwoTerms, Arithmetic); 5] = [
    (Terms::int_add, |a, b| a + b),
    (Terms::int_sub, |a, b| a - b),
    (Terms::int_mul, |a, b| a * b),
    (Terms::int_div_trunc, |a, b| if *b == BigInt::from(0) { 0.into() } else { a / b }),
    (Terms::int_rem_trunc, |a, b| if *b == BigInt::from(0) { a.clone() } else { a - (a / b) * b }),
];

type IntegerComparison = fn(&BigInt, &BigInt) -> bool;

const INTEGER_COMPARISONS: [(TwoTerms, IntegerComparison); 6] = [
    (Terms::int_lt, |a, b| a < b),
    (Terms::int_le, |a, b| a <= b),
    (Terms::int_gt, |a, b| a > b),
    (Terms::int_ge, |a, b| a >= b),
    (Terms::eq, |a, b| a == b),
    (Terms::ne, |a, b| a != b),
];

fn unsigned(value: &Value) -> i128 {
    i128::from(value.as_u64().expect("a bit vector"))
}

fn signed(value: &Value) -> i128 {
    let Value::Bits { bits, width } = value else { panic!("a bit vector") };
    let bits = i128::from(*bits);
    if bits >> (width - 1) & 1 == 1 { bits - (1 << width) } else { bits }
}

fn word(value: i128, width: u8) -> Value {
    Value::bits(value as u64, width)
}

impl Pool {
    fn perform(&mut self, (operator, a, b, c): (u8, u16, u16, u16), width: u8, integers: bool) {
        let kinds = if integers { 11 } else { 8 };
        let row = usize::from(operator) / kinds;
        match usize::from(operator) % kinds {
            0 => self.constant(a, b, width, integers),
            1 | 2 => {
                let (term, words) = ON_WORDS[row % ON_WORDS.len()];
                let sort = if c.is_multiple_of(8) { Sort::Bits(8) } else { Sort::Bits(width) };
                self.binary(sort, a, b, sort, term, |x, y| {
                    let Sort::Bits(w) = sort else { unreachable!() };
                    word(words(unsigned(x), unsigned(y), signed(x), signed(y), w.into()), w)
                });
            }
            3 => {
                let (term, compare) = COMPARISONS[row % COMPARISONS.len()];
                let sort = if c.is_multiple_of(4) { Sort::Bits(8) } else { Sort::Bits(width) };
                self.binary(sort, a, b, Sort::Bool, term, |x, y| {
                    Value::Bool(compare(unsigned(x), unsigned(y), signed(x), signed(y)))
                });
            }
            4 => {
                let (term, connect) = CONNECTIVES[row % CONNECTIVES.len()];
                self.binary(Sort::Bool, a, b, Sort::Bool, term, |x, y| {
                    Value::Bool(connect(x.as_bool().unwrap(), y.as_bool().unwrap()))
                });
            }
            5 => self.unary_operator(row, a, width),
            6 => self.resize(row, a, b, c, width),
            7 => self.choice(row, a, b, c, width, integers),
            8 => {
                let (term, arithmetic) = ON_INTEGERS[row % ON_INTEGERS.len()];
                self.binary(Sort::Int, a, b, Sort::Int, term, |x, y| {
                    Value::Int(arithmetic(x.as_int().unwrap(), y.as_int().unwrap()))
                });
            }
            9 => {
                let (term, compare) = INTEGER_COMPARISONS[row % INTEGER_COMPARISONS.len()];
                self.binary(Sort::Int, a, b, Sort::Bool, term, |x, y| {
                    Value::Bool(compare(x.as_int().unwrap(), y.as_int().unwrap()))
                });
            }
            _ => self.convert(row, a, width),
        }
    }

    fn of(&self, sort: Sort, pick: u16) -> &Entry {
        let fitting: Vec<&Entry> = self.entries.iter().filter(|entry| entry.sort == sort).collect();
        // Later entries are larger terms: prefer them now and then.
        let recent = usize::from(pick) % 3 == 0 && fitting.len() > 4;
        let fitting = if recent { &fitting[fitting.len() - 3..] } else { &fitting[..] };
        fitting[usize::from(pick) / 3 % fitting.len()]
    }

    fn push(&mut self, term: Term, sort: Sort, values: Vec<Value>) {
        self.entries.push(Entry { term, sort, values });
    }

    fn constant(&mut self, a: u16, b: u16, width: u8, integers: bool) {
        let raw = match a % 4 {
            0 => i64::from(b % 9) - 4,
            1 => 1i64 << (b % 64),
            2 => (1i64 << (b % 64)).wrapping_sub(1),
            _ => i64::from(b) * 0x1234_5678_9abc,
        };
        let sort = match a / 4 % if integers { 4 } else { 3 } {
            0 => Sort::Bits(width),
            1 => Sort::Bits(8),
            2 => Sort::Bool,
            _ => Sort::Int,
        };
        let value = of_sort(raw, sort);
        self.push(self.terms.value(&value), sort, vec![value; self.models.len()]);
    }

    fn binary(
        &mut self,
        operands: Sort,
        a: u16,
        b: u16,
        sort: Sort,
        term: TwoTerms,
        value: impl Fn(&Value, &Value) -> Value,
    ) {
        let (a, b) = (self.of(operands, a), self.of(operands, b));
        let values = a.values.iter().zip(&b.values).map(|(x, y)| value(x, y)).collect();
        self.push(term(&self.terms, a.term, b.term), sort, values);
    }

    fn unary(
        &mut self,
        operand: Sort,
        a: u16,
        sort: Sort,
        term: impl Fn(&Terms, Term) -> Term,
        value: impl Fn(&Value) -> Value,
    ) {
        let a = self.of(operand, a);
        let values = a.values.iter().map(value).collect();
        self.push(term(&self.terms, a.term), sort, values);
    }

    fn unary_operator(&mut self, row: usize, a: u16, width: u8) {
        let bits = Sort::Bits(width);
        match row % 3 {
            0 => self.unary(Sort::Bool, a, Sort::Bool, Terms::not, |x| {
                Value::Bool(!x.as_bool().unwrap())
            }),
            1 => self.unary(bits, a, bits, Terms::neg, |x| word(-unsigned(x), width)),
            _ => self.unary(bits, a, bits, Terms::bit_not, |x| word(!unsigned(x), width)),
        }
    }

    /// Between the width under test and eight bits, through widths in between where there are any.
    fn resize(&mut self, row: usize, a: u16, b: u16, c: u16, width: u8) {
        let bits = Sort::Bits(width);
        let (small, large) = (width.min(8), width.max(8));
        let (from, to) = (Sort::Bits(small), Sort::Bits(large));
        let middle = small + (b % 64) as u8 % (large - small + 1);
        match row % 4 {
            0 => self.unary(
                from,
                a,
                to,
                |terms, x| terms.zero_extend(terms.zero_extend(x, middle), large),
                |x| word(unsigned(x), large),
            ),
            1 => self.unary(
                from,
                a,
                to,
                |terms, x| terms.sign_extend(terms.sign_extend(x, middle), large),
                |x| word(signed(x), large),
            ),
            2 => {
                let low = (c % 64) as u8 % (large - small + 1);
                let narrow = |terms: &Terms, x| terms.extract(x, low + small - 1, low);
                self.unary(to, a, from, narrow, |x| word(unsigned(x) >> low, small));
            }
            _ if width > 1 => {
                let cut = 1 + (c % 64) as u8 % (width - 1);
                let (high, low) = (self.of(bits, a), self.of(bits, b));
                let term = self.terms.concat(
                    self.terms.extract(high.term, width - 1, cut),
                    self.terms.extract(low.term, cut - 1, 0),
                );
                let join = |(x, y): (&Value, &Value)| {
                    word((unsigned(x) >> cut << cut) | (unsigned(y) & ((1 << cut) - 1)), width)
                };
                let values = high.values.iter().zip(&low.values).map(join).collect();
                self.push(term, bits, values);
            }
            _ => (),
        }
    }

    fn choice(&mut self, row: usize, a: u16, b: u16, c: u16, width: u8, integers: bool) {
        let sorts = [Sort::Bits(width), Sort::Bool, Sort::Bits(8), Sort::Int];
        let sort = sorts[row % if integers { 4 } else { 3 }];
        let (condition, then, otherwise) =
            (self.of(Sort::Bool, a), self.of(sort, b), self.of(sort, c));
        let values = (0..self.models.len())
            .map(|model| match condition.values[model] {
                Value::Bool(true) => then.values[model].clone(),
                _ => otherwise.values[model].clone(),
            })
            .collect();
        let term = self.terms.ite(condition.term, then.term, otherwise.term);
        self.push(term, sort, values);
    }

    fn convert(&mut self, row: usize, a: u16, width: u8) {
        let bits = Sort::Bits(width);
        let negated: OneTerm = Terms::int_neg;
        match row % 4 {
            0 => self.unary(
                bits,
                a,
                Sort::Int,
                |t, x| t.bits_to_int(x, true),
                |x| Value::int(signed(x)),
            ),
            1 => self.unary(
                bits,
                a,
                Sort::Int,
                |t, x| t.bits_to_int(x, false),
                |x| Value::int(unsigned(x)),
            ),
            2 => self.unary(Sort::Int, a, Sort::Int, negated, |x| Value::int(-x.as_int().unwrap())),
            _ => self.unary(
                Sort::Int,
                a,
                bits,
                |t, x| t.int_to_bits(x, width),
                |x| {
                    let modulus = BigInt::from(1) << width;
                    let rest = ((x.as_int().unwrap() % &modulus) + &modulus) % &modulus;
                    Value::bits(u64::try_from(rest).unwrap(), width)
                },
            ),
        }
    }
}
