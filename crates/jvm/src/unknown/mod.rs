//! Values that depend on inputs.
//!
//! **Problem.** Any word of the machine (a local, an operand, a field, an element of an array) may
//! depend on an input, must then be a term, and must be restored when the machine goes back. Programs
//! without inputs must not pay for that.
//!
//! **Idea.** The word itself says so. A word whose upper half is [`TAG`] is a *token*: its lower half is
//! the number of a term in a table that only grows. Moving words moves tokens, so locals, fields,
//! calls, lambdas and the trail know nothing about them; only what looks at a number does. The word
//! beside a term is never kept: the value that a term has in the concrete execution is asked of the
//! path's model when it is needed, so nothing is stale when the model changes (chapter 2 of the thesis
//! on threads). Elements narrower than a word cannot hold a token; those that would are kept in a table
//! by address, with a trail of its own.
//!
//! The interpreter's loop exists twice: one looks out for tokens and runs once an input was read, the
//! other is that of programs without inputs.
//!
//! **Invariants.** No token reaches code that takes it for a number: instructions are looked up in
//! [`operands::looked_at`](operands), natives get known arguments, and what the machine's own code loads
//! is checked. A number of the program that looks like a token is a fault where it is computed, not a
//! term. A token's term is never a constant. After `undo` all is as at the mark.
//!
//! **Cost.** Nothing without inputs. With them, a test of the operands per instruction, and a term per
//! operation on an unknown.

mod arithmetic;
mod branching;
mod input_text;
pub(crate) mod operands;

pub(crate) use input_text::{initial_model, value};

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::rc::Rc;

use counterpoint_model::Input;
use counterpoint_symbolic::{Feasible, Model, Path, PathMark, SolverChain, Sort, Term, Terms, Z3};
use rustc_hash::FxHashMap;

use crate::classfile::Type;

/// The upper half of a token. No `int` has it, as those have an upper half of zero, and no reference,
/// as there are not so many threads; as a `double` it would be a NaN that arithmetic does not make.
const TAG: u32 = 0xFFF7_A5C3;

/// Whether a word is a token.
#[inline(always)]
pub(crate) fn is_unknown(word: u64) -> bool {
    (word >> 32) as u32 == TAG
}

/// So many values of an unknown are tried one by one where its value must be known; beyond them it is
/// made concrete.
pub(crate) const CASES: i64 = 64;

/// So many combinations of inputs are tried one by one where a value that depends on them must be
/// known.
const PRODUCT: i64 = 1024;

/// Terms and solver, made when the first input is read and shared by all machines of a program.
#[derive(Clone, Default)]
pub(crate) struct SharedSolver(Rc<OnceCell<TermsAndSolver>>);

type TermsAndSolver = (Rc<Terms>, Rc<RefCell<SolverChain>>);

impl fmt::Debug for SharedSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedSolver").finish_non_exhaustive()
    }
}

/// The term of a token and the values it can have, where these are known to be few.
///
/// The same term can have few values on one path and many on another (an input is a choice among three
/// here and any `int` there), so the values are part of what a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct TokenTerm {
    term: Term,
    range: Option<(i64, i64)>,
}

/// What a thread is about with unknowns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct BranchState {
    /// The condition it branches on next.
    branch: Option<Term>,
    /// The side that was chosen for its present instruction.
    answer: Option<bool>,
    /// How far its present instruction is in telling cases apart.
    cases: Option<(i64, i64)>,
    /// How many inputs its present instruction has told the values of.
    told: u32,
    /// Inputs it has read.
    inputs: u32,
}

/// An input that was read.
#[derive(Debug, Clone)]
struct InputRead {
    name: Rc<str>,
    term: Term,
    kind: Type,
    /// It as a word.
    word: u64,
}

#[derive(Debug, Clone, Copy)]
enum UndoEntry {
    BranchState(u32, BranchState),
    Element(u64, Option<u64>),
}

/// A point to go back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnknownsMark {
    path: Option<PathMark>,
    reads: usize,
    notes: usize,
    trail: usize,
}

/// The unknowns of an execution.
#[derive(Default)]
pub(crate) struct Unknowns {
    /// Whether an input was read, so that there can be tokens.
    pub(crate) active: bool,
    shared: SharedSolver,
    /// What the path starts from.
    given: Model,
    /// There from the first input on.
    path: Option<Path>,
    tokens: Vec<TokenTerm>,
    numbers: FxHashMap<TokenTerm, u32>,
    branch_states: Vec<BranchState>,
    /// Unknown elements of arrays whose elements are narrower than a word, by address.
    elements: FxHashMap<u64, u64>,
    reads: Vec<InputRead>,
    /// Where unknowns were made concrete.
    notes: Vec<String>,
    trail: Vec<UndoEntry>,
    /// What the present step assumed beyond the side of its branch.
    assumed: Vec<Term>,
}

impl fmt::Debug for Unknowns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unknowns")
            .field("reads", &self.reads)
            .field("branch_states", &self.branch_states)
            .finish_non_exhaustive()
    }
}

impl Unknowns {
    /// Uses the terms of a program.
    pub(crate) fn share(&mut self, shared: &SharedSolver) {
        self.shared = shared.clone();
    }

    /// What inputs are at first. Only while none was read.
    pub(crate) fn start_from(&mut self, given: Model) {
        debug_assert!(self.path.is_none(), "inputs are given before one is read");
        self.given = given;
    }

    /// How many inputs were read.
    pub(crate) fn read_count(&self) -> usize {
        self.reads.len()
    }

    /// A new input of a thread with this name; with `below`, one of the numbers from 0 on.
    pub(crate) fn read(
        &mut self,
        thread: usize,
        path_name: &str,
        kind: Type,
        below: Option<i32>,
    ) -> u64 {
        let mut branch_state = self.branch_state(thread);
        let name: Rc<str> = format!("{path_name}#{}", branch_state.inputs).into();
        branch_state.inputs += 1;
        self.set_branch_state(thread, branch_state);
        self.active = true;
        let terms = Rc::clone(self.path_mut().terms());
        let sort = match kind {
            Type::Boolean => Sort::Bool,
            Type::Byte => Sort::Bits(8),
            Type::Char | Type::Short => Sort::Bits(16),
            Type::Long => Sort::Bits(64),
            _ => Sort::Bits(32),
        };
        let term = terms.input(&name, sort);
        let (word, range) = match kind {
            Type::Boolean => (terms.ite(term, terms.bits(1, 32), terms.bits(0, 32)), Some((0, 1))),
            Type::Char => (terms.zero_extend(term, 32), None),
            Type::Byte | Type::Short => (terms.sign_extend(term, 32), None),
            _ => (term, None),
        };
        let range = below.map(|below| (0, i64::from(below) - 1)).or(range);
        if let Some(below) = below {
            let limit = terms.bits(u64::from(below.cast_unsigned()), 32);
            self.assume(terms.ult(term, limit));
        }
        let word = self.token(word, range);
        self.reads.push(InputRead { name, term, kind, word });
        word
    }

    /// The inputs that a word depends on, as words, if they have few values taken together.
    pub(crate) fn few_inputs(&self, word: u64) -> Option<Vec<u64>> {
        let known = self.known(word)?;
        let mut inputs = Vec::new();
        let mut product = 1;
        for variable in self.terms().inputs_of(known.term) {
            let read = self.reads.iter().find(|read| read.term == variable.term())?;
            let (low, high) = self.range(read.word)?;
            product *= high - low + 1;
            inputs.push(read.word);
            if product > PRODUCT {
                return None;
            }
        }
        Some(inputs)
    }

    /// How many inputs a thread's present instruction has told the values of.
    pub(crate) fn told(&self, thread: usize) -> usize {
        self.branch_state(thread).told as usize
    }

    /// Notes how many they are.
    pub(crate) fn set_told(&mut self, thread: usize, told: usize) {
        let branch_state = self.branch_state(thread);
        self.set_branch_state(thread, BranchState { told: told as u32, ..branch_state });
    }

    /// The word for a term: a number if the term is one.
    pub(crate) fn token(&mut self, term: Term, range: Option<(i64, i64)>) -> u64 {
        if let Some(value) = self.terms().as_constant(term) {
            return value.as_u64().expect("words are bit vectors");
        }
        let range = range.filter(|(low, high)| high - low < CASES);
        let known = TokenTerm { term, range };
        let number = *self.numbers.entry(known).or_insert_with(|| {
            self.tokens.push(known);
            u32::try_from(self.tokens.len() - 1).expect("fewer than 2^32 terms")
        });
        u64::from(TAG) << 32 | u64::from(number)
    }

    /// The term of a word of so many bits.
    pub(crate) fn term(&self, word: u64, width: u8) -> Term {
        match self.known(word) {
            Some(known) => known.term,
            None => self.terms().bits(word, width),
        }
    }

    /// The few values that a word can have, if they are few.
    pub(crate) fn range(&self, word: u64) -> Option<(i64, i64)> {
        self.known(word).and_then(|known| known.range)
    }

    /// How many bits a token's term has.
    pub(crate) fn width(&self, word: u64) -> u8 {
        match self.known(word).map(|known| self.terms().sort(known.term)) {
            Some(Sort::Bits(width)) => width,
            _ => 64,
        }
    }

    /// The number that a word is in the concrete execution.
    pub(crate) fn concrete(&self, word: u64) -> u64 {
        let (Some(known), Some(path)) = (self.known(word), &self.path) else { return word };
        path.concrete(known.term).as_u64().expect("words are bit vectors")
    }

    /// Makes a word concrete: from here on it has the value that it has in the concrete execution. The
    /// note says where.
    pub(crate) fn pin(&mut self, word: u64, note: impl FnOnce() -> String) -> u64 {
        let Some(known) = self.known(word) else { return word };
        let value = self.concrete(word);
        let Sort::Bits(width) = self.terms().sort(known.term) else { return value };
        let condition = self.terms().eq(known.term, self.terms().bits(value, width));
        self.pin_side(condition, note);
        value
    }

    /// Takes the concrete side of a condition without asking for the other one.
    pub(crate) fn pin_side(&mut self, condition: Term, note: impl FnOnce() -> String) -> bool {
        let holds = self.holds(condition);
        let side = if holds { condition } else { self.terms().not(condition) };
        // What the path implies anyway costs nothing.
        let other = self.terms().not(side);
        let free = self.path_mut().feasible(other) == Feasible::No;
        self.assume(side);
        if !free {
            let note = note();
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        holds
    }

    /// Adds to the path what holds already or concerns only a new input.
    fn assume(&mut self, condition: Term) {
        let answer = self.path_mut().assume(condition);
        debug_assert_eq!(answer, Feasible::Yes, "what is assumed is possible");
        self.assumed.push(condition);
    }

    /// Whether a condition holds in the concrete execution.
    pub(crate) fn holds(&self, condition: Term) -> bool {
        self.path.as_ref().is_some_and(|path| path.holds(condition))
    }

    /// An unknown element of a packed array.
    pub(crate) fn element(&self, address: u64) -> Option<u64> {
        self.elements.get(&address).copied()
    }

    /// Whether any packed array has unknown elements.
    pub(crate) fn has_elements(&self) -> bool {
        !self.elements.is_empty()
    }

    /// Sets an element of a packed array, unless it is a number and was one.
    pub(crate) fn set_element(&mut self, address: u64, word: u64) {
        let old = if is_unknown(word) {
            self.elements.insert(address, word)
        } else {
            match self.elements.remove(&address) {
                Some(old) => Some(old),
                None => return,
            }
        };
        self.trail.push(UndoEntry::Element(address, old));
    }

    /// The unknown elements at addresses from one on and below another, in order.
    pub(crate) fn elements_between(&self, from: u64, to: u64) -> Vec<(u64, u64)> {
        let inside = |(address, _): &(&u64, &u64)| (from..to).contains(*address);
        let mut found: Vec<(u64, u64)> =
            self.elements.iter().filter(inside).map(|(address, word)| (*address, *word)).collect();
        found.sort_unstable();
        found
    }

    /// The inputs read so far with their values in the concrete execution, in the order of names.
    pub(crate) fn inputs(&self) -> Vec<Input> {
        let Some(path) = &self.path else { return Vec::new() };
        let input = |read: &InputRead| Input {
            name: read.name.to_string(),
            value: input_text::text(&path.concrete(read.term), read.kind),
        };
        let mut inputs: Vec<Input> = self.reads.iter().map(input).collect();
        inputs.sort();
        inputs
    }

    /// Where unknowns were made concrete so far.
    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// A point to come back to.
    pub(crate) fn mark(&self) -> UnknownsMark {
        UnknownsMark {
            path: self.path.as_ref().map(Path::mark),
            reads: self.reads.len(),
            notes: self.notes.len(),
            trail: self.trail.len(),
        }
    }

    /// Back to a mark.
    pub(crate) fn undo(&mut self, mark: UnknownsMark) {
        while self.trail.len() > mark.trail {
            match self.trail.pop() {
                Some(UndoEntry::BranchState(thread, old)) => {
                    self.branch_states[thread as usize] = old
                }
                Some(UndoEntry::Element(address, Some(old))) => {
                    self.elements.insert(address, old);
                }
                Some(UndoEntry::Element(address, None)) => {
                    self.elements.remove(&address);
                }
                None => break,
            }
        }
        self.reads.truncate(mark.reads);
        self.notes.truncate(mark.notes);
        self.active = !self.reads.is_empty();
        match (mark.path, &mut self.path) {
            (Some(mark), Some(path)) => path.undo(mark),
            _ => self.path = None,
        }
    }

    /// Feeds what belongs to the execution to a function, for digests in tests.
    pub(crate) fn visit(&self, mut visit: impl FnMut(u64)) {
        let branch_state = BranchState::default();
        for (thread, known) in self.branch_states.iter().enumerate() {
            if *known != branch_state {
                visit(thread as u64);
                visit(u64::from(known.inputs));
                visit(u64::from(known.branch.is_some()));
                visit(known.cases.map_or(0, |(low, high)| low as u64 ^ (high as u64) << 20));
            }
        }
        self.elements_between(0, u64::MAX).iter().for_each(|(address, word)| {
            visit(*address);
            visit(*word);
        });
        visit(self.reads.len() as u64);
        visit(self.path.as_ref().map_or(0, |path| path.constraints().len() as u64));
    }

    fn known(&self, word: u64) -> Option<TokenTerm> {
        if is_unknown(word) { self.tokens.get(word as u32 as usize).copied() } else { None }
    }

    pub(crate) fn terms(&self) -> &Terms {
        self.path.as_ref().expect("there are no tokens without a path").terms()
    }

    /// The term of a word that is a token.
    pub(crate) fn term_of(&self, word: u64) -> Option<Term> {
        self.known(word).map(|known| known.term)
    }

    /// The terms of the program, if some execution has read an input.
    pub(crate) fn store(&self) -> Option<Rc<Terms>> {
        self.shared.0.get().map(|(terms, _)| Rc::clone(terms))
    }

    /// Adds a condition to the path, if it can hold there.
    pub(crate) fn suppose(&mut self, condition: Term) -> Feasible {
        self.path_mut().assume(condition)
    }

    fn path_mut(&mut self) -> &mut Path {
        self.path.get_or_insert_with(|| {
            let (terms, solver) = self
                .shared
                .0
                .get_or_init(|| (Terms::new(), SolverChain::new(Z3::new()).shared()))
                .clone();
            let mut path = Path::new(terms, solver);
            path.start_from(self.given.clone());
            path
        })
    }

    fn branch_state(&self, thread: usize) -> BranchState {
        self.branch_states.get(thread).copied().unwrap_or_default()
    }

    fn set_branch_state(&mut self, thread: usize, branch_state: BranchState) {
        if self.branch_states.len() <= thread {
            self.branch_states.resize(thread + 1, BranchState::default());
        }
        let old = std::mem::replace(&mut self.branch_states[thread], branch_state);
        if old != branch_state {
            self.trail.push(UndoEntry::BranchState(thread as u32, old));
        }
    }
}
