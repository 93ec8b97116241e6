//! Unknown data: arguments, fields, objects and futures that a run knows only as far as it has looked.
//!
//! **Problem.** A method is to be run with unknown arguments on an object in an unknown state, through
//! every path and schedule (`003`, `004`, and chapter 3.3 of `000`). Models without unknowns must not pay
//! for it, and no function, of the library or the model, may need code of its own for it.
//!
//! **Idea.** A value can be unknown in three ways. Integers and Booleans are terms of the solver, as are
//! rationals (two integers) and strings (an integer that is the string's own, so that strings can be
//! compared for equality). Data, references and futures are logic variables ([`Value::Unknown`]): they are
//! passed on as they are, and when an instruction looks at one, the task stops before that instruction
//! ([`Need`]), is given one alternative for each case, binds the variable and executes the instruction
//! again. A branch on a term stops in the same way, with two alternatives, unless one is impossible. So
//! each instruction knows only how to compute with what is there ([`look`]), and recursion over an unknown
//! list is what unfolds it.
//!
//! | unknown | looked at | cases |
//! |---|---|---|
//! | number, Boolean, string | a branch, a divisor | the sides that the path leaves open |
//! | data | a pattern, an accessor, `==`, `<` | its constructors, their arguments unknown |
//! | object | a call, a cast | null; a new object of each class that fits; each object of the initial state that fits |
//! | amount of time | `duration` | none or less; the least whole number that it can be, and what else it can be is cut |
//! | future | `get`, `await` | resolved with an unknown value; with [`Criteria::all_ends`] also never, and null |
//!
//! References have numbers as well: zero is null, and each object of the initial state has its own. `==`
//! of references is a question to the solver about those numbers and leaves open which objects they are.
//! An object that a run creates is never one of the initial state.
//!
//! **A macro-step stays one.** The cases of a task that has stopped like this are alternatives of a step
//! of its own, but nobody else may notice: where nothing is reduced, nobody else can move until the
//! macro-step is over; otherwise tasks that it has posted cannot begin before that. What another
//! object does meanwhile could then as well have been done before. The guards of waiting tasks that a
//! macro-step may have changed are decided before it is over, so that who can move is never unknown.
//!
//! **Limits** ([`Criteria`]) end an execution that goes beyond them ([`Cut`]). A cut execution is no test.
//!
//! **Invariants.** The paths of one schedule exclude each other and together cover all initial states
//! within the limits. A variable is bound at most once on a path. A bound variable is never seen by
//! an instruction: operands are dereferenced where they are read. After `undo` all is as at the mark.
//! Under reduction, binding a variable writes its location and looking at a bound one reads it, so that
//! what is dependent through unknowns is dependent for explorers; so does finding an object of the initial
//! state, since references that are decided later can be that object. The cases of a task that has stopped
//! are those that the present path leaves open, whoever has moved since.
//!
//! **Cost.** Nothing for models without unknowns: the evaluator's loop exists once more. With them, a test of
//! the operands per instruction, a term per operation, and a stop per case distinction.

pub(crate) mod arithmetic;
pub(crate) mod case;
pub(crate) mod compare;
pub(crate) mod context;
pub(crate) mod look;
pub(crate) mod repetition;
pub(crate) mod split;
pub(crate) mod table;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use counterpoint_symbolic::{
    BigInt, Feasible, Model, Path, PathMark, Term, Terms, Value as Constant,
};
use rustc_hash::FxHashMap;

use crate::analysis::abstraction::Point;
use crate::program::ClassId;

use super::evaluate::Memory;
use super::heap::Heap;
use super::number::Computed;
use super::state::Status;
use super::value::{ObjectId, TermKind, UnknownId, Value};

use repetition::Repetition;
use table::{Kind, Table};

/// How far executions with unknowns go: the criteria of `003` and `004`. Without a number there is no
/// limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Criteria {
    /// Iterations of a loop, and activations of a function inside each other.
    pub loops: Option<u32>,
    /// How often an object takes up a task, be it new or one that has waited.
    pub switches: Option<u32>,
    /// Objects created at one place of the model, and objects of the initial state found at one place.
    pub objects: Option<u32>,
    /// Instructions on one path.
    pub depth: Option<u64>,
    /// The numbers that integers of the initial state can be.
    pub range: Option<(BigInt, BigInt)>,
    /// Whether ends that only the initial state is to blame for are told as well: calls of null, futures
    /// that are never resolved, and waiting for a condition on an object of the initial state, which
    /// another caller could make true. Otherwise objects that are called exist, futures are resolved, and
    /// such waiting is cut like any other task that is taken up too often.
    pub all_ends: bool,
}

impl Default for Criteria {
    fn default() -> Criteria {
        Criteria {
            loops: Some(1),
            switches: Some(8),
            objects: Some(2),
            depth: None,
            range: None,
            all_ends: false,
        }
    }
}

/// Why an execution was ended before its end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cut {
    /// A loop went on, or a function called itself again.
    Loops,
    /// An object took up a task once more.
    Switches,
    /// One more object was created, or found in the initial state, at the same place.
    Objects,
    /// The path grew too long.
    Depth,
    /// Something was done with an unknown that cannot be expressed.
    Unsupported(String),
    /// The solver gave up.
    Solver(String),
}

impl Cut {
    /// Something was done with what terms cannot express.
    fn about(what: &str, text: &str) -> Cut {
        const LONGEST: usize = 60;
        let shown: String = text.chars().take(LONGEST).collect();
        let dots = if shown.len() < text.len() { ".." } else { "" };
        Cut::Unsupported(format!("{what} `{shown}{dots}`"))
    }
}

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cut::Loops => write!(f, "the limit on loops"),
            Cut::Switches => write!(f, "the limit on task switches"),
            Cut::Objects => write!(f, "the limit on objects"),
            Cut::Depth => write!(f, "the limit on depth"),
            Cut::Unsupported(what) => write!(f, "not supported: {what}"),
            Cut::Solver(why) => write!(f, "the solver gave up: {why}"),
        }
    }
}

/// What must be decided before an instruction can be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// Whether a condition holds.
    Condition(Term),
    /// That an amount of time is a number: a condition of which only the case that it holds is followed.
    Amount(Term),
    /// The constructor of data.
    Constructor(UnknownId),
    /// Which object a reference is; whether null is one of the cases even if calls of null are left out.
    Reference(UnknownId, NullCase),
    /// Whether and with what a future is resolved.
    Future(UnknownId),
}

/// Whether null is a case of a reference that is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NullCase {
    /// Something is called: null is a case only if all ends are wanted.
    Called,
    /// Its class is asked for, and null has an answer.
    Asked,
}

/// Why an instruction cannot be executed now, or at all.
#[derive(Clone, Debug)]
pub(crate) enum Obstacle {
    Raise(Value),
    Need(Need),
    Cut(Cut),
}

impl From<Value> for Obstacle {
    fn from(exception: Value) -> Obstacle {
        Obstacle::Raise(exception)
    }
}

/// A result as [`Computed`] is, of an operation on unknowns.
pub(crate) type Looked<T> = Result<T, Obstacle>;

/// What a task that has stopped before an unknown goes on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resume {
    /// The instruction that it stands at.
    Instruction,
    /// Nothing: its step is over but for the guards of tasks that wait.
    End(Status),
}

/// A task that has stopped before an unknown.
#[derive(Clone, Debug)]
pub(crate) struct MetUnknown {
    pub task: u32,
    pub need: Need,
    pub resume: Resume,
    /// The cases.
    pub cases: Rc<[Case]>,
    /// The path when they were asked for.
    pub path: PathMark,
    /// A case that is possible.
    pub preferred: u32,
    /// The tasks posted so far in the macro-step.
    pub posts: Rc<[u32]>,
}

/// A case of an unknown.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    /// Whether it is possible.
    pub feasible: Feasible,
    /// The condition that it is asked by, and numbers under which it holds, so that it need not be asked
    /// again when the case is taken.
    pub witness: Option<(Term, Model)>,
}

impl Case {
    /// A case without a condition.
    pub fn free(possible: bool) -> Case {
        let feasible = if possible { Feasible::Yes } else { Feasible::No };
        Case { feasible, witness: None }
    }
}

/// An object of the initial state.
#[derive(Clone, Debug)]
pub(crate) struct Initial {
    pub object: ObjectId,
    pub class: ClassId,
    pub name: Rc<str>,
    /// What its fields were at first.
    pub fields: Rc<[Value]>,
}

#[derive(Clone, Debug)]
enum Undo {
    Bound(UnknownId),
    Known(Term),
    Turns(ObjectId),
    Site(u32, u32),
    Asked(Box<MetUnknown>),
    Answered(u32),
}

/// A point to go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnknownsMark {
    path: PathMark,
    trail: usize,
    initial: usize,
    introduced: usize,
    decisions: usize,
    instructions: u64,
    cut: bool,
}

/// A case that was decided on the path, for whoever draws the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decision {
    pub need: Need,
    pub alternative: u32,
    /// How many steps were performed before.
    pub step: u32,
}

/// The unknowns of a run.
#[derive(Clone)]
pub(crate) struct Unknowns {
    pub table: Rc<Table>,
    pub criteria: Rc<Criteria>,
    pub repetition: Arc<Repetition>,
    path: RefCell<Path>,
    bound: Vec<Option<Value>>,
    /// Conditions that the path decides.
    known: FxHashMap<Term, bool>,
    pub initial: Vec<Initial>,
    /// References of the initial state that were met.
    introduced: Vec<UnknownId>,
    pub questions: Vec<MetUnknown>,
    pub decisions: Vec<Decision>,
    turns: FxHashMap<ObjectId, u32>,
    sites: FxHashMap<(u32, u32), u32>,
    /// Instructions executed on this path.
    pub instructions: u64,
    /// What ended the execution.
    pub cut: Option<Cut>,
    /// Where the frames of the task stood that it was ended in.
    pub cut_at: Vec<Point>,
    /// The tasks that the running macro-step has posted.
    pub posts: Vec<u32>,
    /// Whether the condition of a guard is evaluated. It is evaluated from its beginning after each decision,
    /// so what it looks at again counts as decided.
    pub in_guard: bool,
    /// Whether looks at bound variables are noted.
    watching: bool,
    looked: RefCell<Vec<UnknownId>>,
    bound_now: Vec<UnknownId>,
    trail: Vec<Undo>,
}

impl Unknowns {
    pub fn new(
        table: Rc<Table>,
        criteria: Rc<Criteria>,
        repetition: Arc<Repetition>,
        watching: bool,
    ) -> Unknowns {
        let path = Path::new(Rc::clone(&table.terms), Rc::clone(&table.solver));
        Unknowns {
            table,
            criteria,
            repetition,
            path: RefCell::new(path),
            bound: Vec::new(),
            known: FxHashMap::default(),
            initial: Vec::new(),
            introduced: Vec::new(),
            questions: Vec::new(),
            decisions: Vec::new(),
            turns: FxHashMap::default(),
            sites: FxHashMap::default(),
            instructions: 0,
            cut: None,
            cut_at: Vec::new(),
            posts: Vec::new(),
            in_guard: false,
            watching,
            looked: RefCell::default(),
            bound_now: Vec::new(),
            trail: Vec::new(),
        }
    }

    pub fn terms(&self) -> &Rc<Terms> {
        &self.table.terms
    }

    pub fn path(&self) -> std::cell::Ref<'_, Path> {
        self.path.borrow()
    }

    /// What a variable was bound to, or the value itself.
    #[inline]
    pub fn deref<'v>(&'v self, value: &'v Value) -> &'v Value {
        let mut value = value;
        while let Value::Unknown(id) = value {
            match self.bound.get(id.index()) {
                Some(Some(known)) => {
                    if self.watching {
                        self.looked.borrow_mut().push(*id);
                    }
                    value = known;
                }
                _ => break,
            }
        }
        value
    }

    /// Whether a condition holds, if the path decides it.
    pub fn ask(&mut self, condition: Term) -> Result<bool, Need> {
        if let Some(value) = self.terms().as_constant(condition) {
            return Ok(value.as_bool().expect("conditions are Boolean"));
        }
        if let Some(&known) = self.known.get(&condition) {
            return Ok(known);
        }
        let holds = self.path.get_mut().holds(condition);
        let other = if holds { self.terms().not(condition) } else { condition };
        match self.path.get_mut().feasible(other) {
            Feasible::No => {
                self.remember(condition, holds);
                Ok(holds)
            }
            Feasible::Yes | Feasible::Unknown(_) => Err(Need::Condition(condition)),
        }
    }

    /// Which side of a condition the path has decided for. Only for what was asked before.
    pub fn holds(&self, condition: Term) -> bool {
        self.path.borrow().holds(condition)
    }

    fn remember(&mut self, condition: Term, holds: bool) {
        if self.known.insert(condition, holds).is_none() {
            self.trail.push(Undo::Known(condition));
        }
    }

    /// The case that a condition holds.
    pub fn case(&mut self, condition: Term) -> Case {
        let path = self.path.get_mut();
        let feasible = path.feasible(condition);
        Case { feasible, witness: path.found(condition).map(|model| (condition, model)) }
    }

    /// A case is taken next that was asked for when the path was as it is now.
    pub fn recall(&mut self, case: &Case) {
        if let Some((condition, model)) = &case.witness {
            self.path.get_mut().recall(*condition, model.clone());
        }
    }

    /// Adds to the path that an input is a number.
    pub fn assume_number(&mut self, input: Term, number: i64) {
        let terms = Rc::clone(self.terms());
        if let [variable] = &terms.inputs_of(input)[..] {
            let feasible = self.path.get_mut().assume_value(variable, Constant::int(number));
            self.assumed(terms.eq(input, terms.int(number)), feasible);
        }
    }

    /// Adds a condition to the path. If the solver cannot tell, the execution is cut.
    pub fn assume(&mut self, condition: Term) {
        let feasible = self.path.get_mut().assume(condition);
        self.assumed(condition, feasible);
    }

    fn assumed(&mut self, condition: Term, feasible: Feasible) {
        match feasible {
            Feasible::Yes => self.remember(condition, true),
            Feasible::No => {
                self.end(Cut::Solver("a case that was possible turned out not to be".to_owned()));
            }
            Feasible::Unknown(why) => self.end(Cut::Solver(why)),
        }
    }

    /// Ends the execution.
    pub fn end(&mut self, cut: Cut) {
        self.cut.get_or_insert(cut);
    }

    fn bind(&mut self, id: UnknownId, value: Value) {
        if self.bound.len() <= id.index() {
            self.bound.resize(self.table.len().max(id.index() + 1), None);
        }
        debug_assert!(self.bound[id.index()].is_none(), "a variable is bound once");
        self.bound[id.index()] = Some(value);
        self.bound_now.push(id);
        self.trail.push(Undo::Bound(id));
    }

    /// An unknown of the initial state comes into play: what is assumed of it.
    pub fn introduce(&mut self, value: &Value) {
        let terms = Rc::clone(self.terms());
        match value {
            Value::Term(term, TermKind::Integer) => self.assume_range(*term, terms.int(1)),
            Value::Fraction(parts) => {
                self.assume(terms.int_gt(parts.1, terms.int(0)));
                self.assume_range(parts.0, parts.1);
            }
            Value::Unknown(id) => {
                if let Kind::Reference { classes, code } = &self.table.entry(*id).kind {
                    let misfits: Vec<ObjectId> = self
                        .initial
                        .iter()
                        .filter(|known| !classes.contains(&known.class))
                        .map(|known| known.object)
                        .collect();
                    for object in misfits {
                        self.assume(terms.ne(*code, self.object_code(object)));
                    }
                    self.introduced.push(*id);
                }
            }
            _ => {}
        }
    }

    /// A number lies in the range that was asked for, as a fraction of integers.
    fn assume_range(&mut self, term: Term, denominator: Term) {
        let Some((least, most)) = self.criteria.range.clone() else { return };
        let terms = Rc::clone(self.terms());
        if terms.has_inputs(term) {
            let above = terms.int_ge(term, terms.int_mul(denominator, terms.int(least)));
            let below = terms.int_le(term, terms.int_mul(denominator, terms.int(most)));
            self.assume(terms.and(above, below));
        }
    }

    /// The number of an object of the initial state.
    pub fn object_code(&self, object: ObjectId) -> Term {
        self.terms().int(Self::object_number(object))
    }

    fn object_number(object: ObjectId) -> i64 {
        i64::from(object.0) + 1
    }

    /// Whether an object belongs to the initial state.
    pub fn is_initial(&self, object: ObjectId) -> bool {
        self.initial.iter().any(|known| known.object == object)
    }

    /// An object takes up a task. Whether that is once too often.
    pub fn take_turn(&mut self, object: ObjectId) -> bool {
        let turns = self.turns.entry(object).or_default();
        *turns += 1;
        let turns = *turns;
        self.trail.push(Undo::Turns(object));
        self.criteria.switches.is_some_and(|most| turns > most)
    }

    /// An object is created or found at a place. Whether that is once too often.
    pub fn take_site(&mut self, body: u32, instruction: u32) -> bool {
        let count = self.sites.entry((body, instruction)).or_default();
        *count += 1;
        let count = *count;
        self.trail.push(Undo::Site(body, instruction));
        self.criteria.objects.is_some_and(|most| count > most)
    }

    /// What steps of a task wait for a decision.
    pub fn question(&self, task: u32) -> Option<&MetUnknown> {
        self.questions.iter().find(|question| question.task == task)
    }

    fn put_question(&mut self, question: MetUnknown) {
        self.trail.push(Undo::Answered(question.task));
        self.questions.push(question);
    }

    fn take_question(&mut self, task: u32) -> MetUnknown {
        let place = self.questions.iter().position(|question| question.task == task);
        let question =
            self.questions.remove(place.expect("the task has stopped before an unknown"));
        self.trail.push(Undo::Asked(Box::new(question.clone())));
        question
    }

    /// Whether somebody has looked at the unknown in question meanwhile.
    fn is_decided(&self, need: Need) -> bool {
        match need {
            Need::Condition(_) | Need::Amount(_) => false,
            Need::Constructor(id) | Need::Reference(id, _) | Need::Future(id) => {
                self.bound.get(id.index()).is_some_and(Option::is_some)
            }
        }
    }

    /// Whether a task was posted by a macro-step that is not over.
    pub fn is_deferred(&self, task: u32) -> bool {
        self.questions.iter().any(|question| question.posts.contains(&task))
    }

    /// A step begins.
    pub fn begin_step(&mut self) {
        self.looked.get_mut().clear();
        self.bound_now.clear();
    }

    /// The variables that the step has looked at and bound.
    pub fn touched(&self) -> impl Iterator<Item = (UnknownId, bool)> + '_ {
        let looked: Vec<UnknownId> = {
            let mut looked = self.looked.borrow().clone();
            looked.sort_unstable_by_key(|id| id.0);
            looked.dedup();
            looked
        };
        let bound = self.bound_now.iter().map(|&id| (id, true));
        looked.into_iter().map(|id| (id, false)).chain(bound)
    }

    pub fn mark(&self) -> UnknownsMark {
        UnknownsMark {
            path: self.path.borrow().mark(),
            trail: self.trail.len(),
            initial: self.initial.len(),
            introduced: self.introduced.len(),
            decisions: self.decisions.len(),
            instructions: self.instructions,
            cut: self.cut.is_some(),
        }
    }

    pub fn undo(&mut self, mark: &UnknownsMark) {
        self.path.get_mut().undo(mark.path);
        while self.trail.len() > mark.trail {
            match self.trail.pop().expect("longer than the mark") {
                Undo::Bound(id) => self.bound[id.index()] = None,
                Undo::Known(condition) => {
                    self.known.remove(&condition);
                }
                Undo::Turns(object) => *self.turns.entry(object).or_insert(1) -= 1,
                Undo::Site(body, instruction) => {
                    *self.sites.entry((body, instruction)).or_insert(1) -= 1;
                }
                Undo::Asked(question) => self.questions.push(*question),
                Undo::Answered(task) => self.questions.retain(|question| question.task != task),
            }
        }
        self.initial.truncate(mark.initial);
        self.introduced.truncate(mark.introduced);
        self.decisions.truncate(mark.decisions);
        self.instructions = mark.instructions;
        if !mark.cut {
            self.cut = None;
            self.cut_at.clear();
        }
    }
}

/// Memory with unknowns: conditions are asked of the path.
pub(crate) struct Open<'h> {
    pub heap: &'h mut Heap,
    pub unknowns: &'h mut Unknowns,
}

impl Memory for Open<'_> {
    const OPEN: bool = true;

    #[inline(always)]
    fn look(&mut self, cell: u32) {
        self.heap.look(cell);
    }

    #[inline(always)]
    fn get(&self, cell: u32) -> &Value {
        self.heap.get(cell)
    }

    #[inline(always)]
    fn set(&mut self, cell: u32, value: Value, under_construction: bool) {
        self.heap.set(cell, value, under_construction);
    }

    #[inline(always)]
    fn deref<'v>(&'v self, value: &'v Value) -> &'v Value {
        self.unknowns.deref(value)
    }

    fn unknowns(&self) -> &Unknowns {
        self.unknowns
    }

    fn ask(&mut self, condition: Term) -> Result<bool, Need> {
        self.unknowns.ask(condition)
    }
}

/// A look at memory with unknowns that changes nothing in it.
pub(crate) struct Probe<'h, A> {
    pub cells: &'h [Value],
    pub unknowns: A,
}

/// Who answers the conditions of a look at memory.
pub(crate) trait Answers {
    fn unknowns(&self) -> &Unknowns;
    fn ask(&mut self, condition: Term) -> Result<bool, Need>;
}

/// The path is asked.
impl Answers for &mut Unknowns {
    fn unknowns(&self) -> &Unknowns {
        self
    }

    fn ask(&mut self, condition: Term) -> Result<bool, Need> {
        Unknowns::ask(self, condition)
    }
}

/// All that matters is decided.
impl Answers for &Unknowns {
    fn unknowns(&self) -> &Unknowns {
        self
    }

    fn ask(&mut self, condition: Term) -> Result<bool, Need> {
        Ok(self.holds(condition))
    }
}

impl<A: Answers> Memory for Probe<'_, A> {
    const OPEN: bool = true;

    fn look(&mut self, _: u32) {}

    fn get(&self, cell: u32) -> &Value {
        &self.cells[cell as usize]
    }

    fn set(&mut self, _: u32, _: Value, _: bool) {
        unreachable!("guards write temporaries only");
    }

    fn deref<'v>(&'v self, value: &'v Value) -> &'v Value {
        self.unknowns.unknowns().deref(value)
    }

    fn unknowns(&self) -> &Unknowns {
        self.unknowns.unknowns()
    }

    fn ask(&mut self, condition: Term) -> Result<bool, Need> {
        self.unknowns.ask(condition)
    }
}

/// An operation that needs no decision.
pub(crate) fn computed(result: Computed) -> Looked<Value> {
    result.map_err(Obstacle::Raise)
}
