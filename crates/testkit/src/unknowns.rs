//! Values that depend on inputs.
//!
//! A value is a number or a term, never both: the number that a term has in the concrete execution
//! is looked up in the path's model when it is needed, so nothing is stale after the model changes
//! or the path goes back.

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::rc::Rc;

use counterpoint_model::{Feasible, Input, Pid, ProcessNames};
use counterpoint_symbolic as symbolic;
use counterpoint_symbolic::{Limits, Model, Path, PathMark, SolverChain, Sort, Term, Terms, Z3};

use crate::ast::{Ast, Kind, Operator};

const WORD: u8 = 32;

/// What a register or shared variable holds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Int(i32),
    Unknown(Term),
    Thread(u32),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(number) => write!(f, "{number}"),
            Value::Unknown(term) => write!(f, "{term:?}"),
            Value::Thread(process) => write!(f, "thread {process}"),
        }
    }
}

/// The name and the term of an input.
type KnownInput = (Rc<str>, Term);

/// What all runs of a program share: its terms, the inputs among them, and the solver.
pub(crate) struct InputNames {
    /// Made for the first run, if the program has inputs.
    shared: OnceCell<(Rc<Terms>, Rc<RefCell<SolverChain>>)>,
    has_inputs: bool,
    /// By process and number.
    known: RefCell<Vec<Vec<KnownInput>>>,
}

impl InputNames {
    pub(crate) fn new(ast: &Ast) -> InputNames {
        InputNames {
            shared: OnceCell::new(),
            has_inputs: ast.any(|kind| matches!(kind, Kind::Input(..))),
            known: RefCell::default(),
        }
    }

    /// Lets the solver spend only so much on a question. Called before the first run.
    pub(crate) fn limit_solver(&self, limits: Limits) {
        let shared = (Terms::new(), SolverChain::new(Z3::with_limits(limits)).shared());
        assert!(self.shared.set(shared).is_ok(), "the solver is made with its limits");
    }

    fn input(&self, terms: &Terms, names: &ProcessNames, process: Pid, number: u32) -> KnownInput {
        let mut known = self.known.borrow_mut();
        if known.len() <= process.index() {
            known.resize(process.index() + 1, Vec::new());
        }
        let list = &mut known[process.index()];
        while list.len() <= number as usize {
            let name: Rc<str> = format!("{}#{}", names.path(process), list.len()).into();
            let term = terms.input(&name, Sort::Bits(WORD));
            list.push((name, term));
        }
        list[number as usize].clone()
    }
}

impl fmt::Debug for InputNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InputNames").field("known", &self.known).finish_non_exhaustive()
    }
}

/// The unknowns of one run: the inputs read so far and the path condition.
pub(crate) struct Unknowns<'p> {
    names: &'p InputNames,
    terms: Rc<Terms>,
    path: Path,
    read: Vec<ReadInput>,
}

#[derive(Clone, Debug)]
struct ReadInput {
    name: Rc<str>,
    term: Term,
    bounds: Option<(i32, i32)>,
}

/// A point to go back to.
#[derive(Copy, Clone, Debug)]
pub(crate) struct UnknownsMark {
    path: PathMark,
    read: u32,
}

impl fmt::Debug for Unknowns<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unknowns").field("read", &self.read).finish_non_exhaustive()
    }
}

impl<'p> Unknowns<'p> {
    /// None if the program has no inputs.
    pub(crate) fn new(names: &'p InputNames, inputs: &[Input]) -> Option<Unknowns<'p>> {
        if !names.has_inputs {
            return None;
        }
        let (terms, solver) = names
            .shared
            .get_or_init(|| (Terms::new(), SolverChain::new(Z3::new()).shared()))
            .clone();
        let mut path = Path::new(Rc::clone(&terms), solver);
        let mut model = Model::new();
        for input in inputs {
            if let Ok(value) = input.value.parse::<i32>() {
                model.set(input.name.as_str(), constant(value));
            }
        }
        path.start_from(model);
        Some(Unknowns { names, terms, path, read: Vec::new() })
    }

    /// A process reads its next input.
    pub(crate) fn input(
        &mut self,
        names: &ProcessNames,
        process: Pid,
        number: u32,
        bounds: Option<(i32, i32)>,
    ) -> Value {
        let (name, term) = self.names.input(&self.terms, names, process, number);
        if let Some((low, high)) = bounds {
            let above = self.terms.sle(self.number(low), term);
            let below = self.terms.sle(term, self.number(high));
            self.assume(self.terms.and(above, below));
        }
        self.read.push(ReadInput { name, term, bounds });
        Value::Unknown(term)
    }

    pub(crate) fn binary(&self, operator: Operator, left: Value, right: Value) -> Value {
        if operator.is_comparison() {
            return match self.compare(operator, left, right) {
                Ok(known) => Value::Int(i32::from(known)),
                Err(condition) => self.choose(condition, Value::Int(1), Value::Int(0)),
            };
        }
        let (left, right) = (self.term(left), self.term(right));
        let terms = &self.terms;
        let amount = || terms.bit_and(right, self.number(31));
        self.known(match operator {
            Operator::Add => terms.add(left, right),
            Operator::Subtract => terms.sub(left, right),
            Operator::Multiply => terms.mul(left, right),
            Operator::Divide => terms.sdiv(left, right),
            Operator::Remainder => terms.srem(left, right),
            Operator::And => terms.bit_and(left, right),
            Operator::Or => terms.bit_or(left, right),
            Operator::Xor => terms.bit_xor(left, right),
            Operator::ShiftLeft => terms.shl(left, amount()),
            Operator::ShiftRight => terms.ashr(left, amount()),
            comparison => unreachable!("{comparison:?} was compared"),
        })
    }

    /// The truth of a comparison, or the condition it depends on.
    pub(crate) fn compare(
        &self,
        operator: Operator,
        left: Value,
        right: Value,
    ) -> Result<bool, Term> {
        let (left, right) = (self.term(left), self.term(right));
        let terms = &self.terms;
        let condition = match operator {
            Operator::Equal => terms.eq(left, right),
            Operator::Different => terms.ne(left, right),
            Operator::Less => terms.slt(left, right),
            Operator::AtMost => terms.sle(left, right),
            Operator::Greater => terms.sgt(left, right),
            Operator::AtLeast => terms.sge(left, right),
            other => unreachable!("{other:?} is no comparison"),
        };
        match terms.as_constant(condition) {
            Some(value) => Ok(value.as_bool().expect("a comparison is true or false")),
            None => Err(condition),
        }
    }

    /// One value or the other, as the condition says.
    pub(crate) fn choose(&self, condition: Term, yes: Value, no: Value) -> Value {
        self.known(self.terms.ite(condition, self.term(yes), self.term(no)))
    }

    pub(crate) fn negation(&self, condition: Term) -> Term {
        self.terms.not(condition)
    }

    pub(crate) fn holds(&self, condition: Term) -> bool {
        self.path.holds(condition)
    }

    /// What a term is for the present inputs.
    pub(crate) fn concrete(&self, term: Term) -> i32 {
        integer(&self.path.concrete(term))
    }

    pub(crate) fn terms(&self) -> Rc<Terms> {
        Rc::clone(&self.terms)
    }

    pub(crate) fn suppose(&mut self, condition: Term) -> Feasible {
        feasible(self.path.assume(condition))
    }

    pub(crate) fn feasible(&mut self, condition: Term) -> Feasible {
        feasible(self.path.feasible(condition))
    }

    pub(crate) fn assume(&mut self, condition: Term) {
        let answer = self.path.assume(condition);
        assert!(answer == symbolic::Feasible::Yes, "a step's alternative is feasible: {answer:?}");
    }

    pub(crate) fn mark(&self) -> UnknownsMark {
        let read = u32::try_from(self.read.len()).expect("fewer than 2^32 inputs");
        UnknownsMark { path: self.path.mark(), read }
    }

    pub(crate) fn undo(&mut self, mark: UnknownsMark) {
        self.path.undo(mark.path);
        self.read.truncate(mark.read as usize);
    }

    pub(crate) fn text(&self, value: Value) -> String {
        match value {
            Value::Unknown(term) => self.terms.display(term).to_string(),
            known => known.to_string(),
        }
    }

    /// The inputs read so far with their values in the concrete execution, in the order of names.
    pub(crate) fn inputs(&self) -> Vec<Input> {
        let input = |read: &ReadInput| Input {
            name: read.name.to_string(),
            value: self.path.concrete(read.term).to_string(),
        };
        let mut inputs: Vec<Input> = self.read.iter().map(input).collect();
        inputs.sort();
        inputs
    }

    /// All values of the bounded inputs read so far that satisfy the path condition; unbounded ones
    /// keep their value.
    pub(crate) fn solutions(&self) -> Vec<Model> {
        let mut models = vec![self.path.model().clone()];
        for read in &self.read {
            let Some((low, high)) = read.bounds else { continue };
            let with = |model: &Model, value: i32| {
                let mut model = model.clone();
                model.set(Rc::clone(&read.name), constant(value));
                model
            };
            models = models
                .iter()
                .flat_map(|model| (low..=high).map(move |value| with(model, value)))
                .collect();
        }
        models.retain(|model| {
            self.path.constraints().iter().all(|&condition| {
                self.terms.evaluate(condition, model) == symbolic::Value::Bool(true)
            })
        });
        models
    }

    /// What a value is under a model.
    pub(crate) fn under(&self, model: &Model, value: Value) -> Value {
        match value {
            Value::Unknown(term) => Value::Int(integer(&self.terms.evaluate(term, model))),
            known => known,
        }
    }

    fn term(&self, value: Value) -> Term {
        match value {
            Value::Int(number) => self.number(number),
            Value::Unknown(term) => term,
            Value::Thread(_) => unreachable!("threads are no operands"),
        }
    }

    fn number(&self, number: i32) -> Term {
        self.terms.bits(u64::from(number.cast_unsigned()), WORD)
    }

    /// The number that a term is always, or the term.
    fn known(&self, term: Term) -> Value {
        match self.terms.as_constant(term) {
            Some(value) => Value::Int(integer(&value)),
            None => Value::Unknown(term),
        }
    }
}

fn feasible(answer: symbolic::Feasible) -> Feasible {
    match answer {
        symbolic::Feasible::Yes => Feasible::Yes,
        symbolic::Feasible::No => Feasible::No,
        symbolic::Feasible::Unknown(reason) => Feasible::Unknown(reason),
    }
}

fn constant(number: i32) -> symbolic::Value {
    symbolic::Value::bits(u64::from(number.cast_unsigned()), WORD)
}

fn integer(value: &symbolic::Value) -> i32 {
    let wide = value.as_i64().expect("a bit vector");
    i32::try_from(wide).expect("a vector of 32 bits, read with its sign")
}
