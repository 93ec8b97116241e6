//! A small embedded language for threaded programs, used by tests and benchmarks only.
//!
//! ```
//! use counterpoint_testkit::builder::{Builder, Comparable};
//!
//! let mut program = Builder::new("counter");
//! let count = program.variable("count", 0);
//! let guard = program.lock("guard");
//! let program = program.main(|main| {
//!     let child = main.spawn(|thread| {
//!         thread.locked(guard, |thread| {
//!             let seen = thread.read(count);
//!             thread.write(count, seen + 1);
//!         });
//!     });
//!     main.join(child);
//!     let seen = main.read(count);
//!     main.assert(seen.equals(1), "the child has counted");
//! });
//! assert!(program.to_string().contains("acquire guard"));
//! ```
//!
//! A closure describes the body of a thread once, when the program is built; Rust's own loops and
//! variables unroll and parameterise it. What the thread decides when it runs is written with
//! [`ThreadBuilder::branch`] and [`ThreadBuilder::repeat`].

use std::ops;

use counterpoint_model::FindingKind;

use crate::TestProgram;
use crate::ast::{
    Ast, Body, BodyId, Cell, Declaration, Expr, Kind, LocationKind, Object, Operator, Register,
    Requirement, Statement,
};

/// A shared variable.
#[derive(Copy, Clone, Debug)]
pub struct Variable(u32);

/// A shared array.
#[derive(Copy, Clone, Debug)]
pub struct Array {
    base: u32,
    length: u32,
}

/// A re-entrant lock.
#[derive(Copy, Clone, Debug)]
pub struct Lock(u32);

/// A condition of a lock.
#[derive(Copy, Clone, Debug)]
pub struct Condition(u32);

/// A counting semaphore.
#[derive(Copy, Clone, Debug)]
pub struct Semaphore(u32);

/// A register that refers to a thread.
#[derive(Copy, Clone, Debug)]
pub struct Handle(Register);

/// Where a read, write or update goes: a variable, or an array element.
#[derive(Clone, Debug)]
pub enum Target {
    /// A variable.
    Variable(Variable),
    /// An array and an index.
    Element(Array, Expr),
}

impl Array {
    /// One element.
    pub fn at(self, index: impl Into<Expr>) -> Target {
        Target::Element(self, index.into())
    }
}

impl From<Variable> for Target {
    fn from(variable: Variable) -> Target {
        Target::Variable(variable)
    }
}

impl From<i32> for Expr {
    fn from(number: i32) -> Expr {
        Expr::Constant(number)
    }
}

impl From<Register> for Expr {
    fn from(register: Register) -> Expr {
        Expr::Register(register)
    }
}

/// Comparisons of registers and expressions; they give 0 or 1.
pub trait Comparable: Into<Expr> {
    /// `==`
    fn equals(self, other: impl Into<Expr>) -> Expr {
        Expr::binary(Operator::Equal, self.into(), other.into())
    }
    /// `!=`
    fn differs(self, other: impl Into<Expr>) -> Expr {
        Expr::binary(Operator::Different, self.into(), other.into())
    }
    /// `<`
    fn less(self, other: impl Into<Expr>) -> Expr {
        Expr::binary(Operator::Less, self.into(), other.into())
    }
    /// `<=`
    fn at_most(self, other: impl Into<Expr>) -> Expr {
        Expr::binary(Operator::AtMost, self.into(), other.into())
    }
    /// `>`
    fn greater(self, other: impl Into<Expr>) -> Expr {
        Expr::binary(Operator::Greater, self.into(), other.into())
    }
    /// `>=`
    fn at_least(self, other: impl Into<Expr>) -> Expr {
        Expr::binary(Operator::AtLeast, self.into(), other.into())
    }
}

impl Comparable for Expr {}
impl Comparable for Register {}

macro_rules! arithmetic {
    ($($operation:ident :: $function:ident => $operator:ident),* $(,)?) => { $(
        impl<T: Into<Expr>> ops::$operation<T> for Expr {
            type Output = Expr;
            fn $function(self, other: T) -> Expr {
                Expr::binary(Operator::$operator, self, other.into())
            }
        }
        impl<T: Into<Expr>> ops::$operation<T> for Register {
            type Output = Expr;
            fn $function(self, other: T) -> Expr {
                Expr::binary(Operator::$operator, self.into(), other.into())
            }
        }
    )* };
}

arithmetic! {
    Add::add => Add,
    Sub::sub => Subtract,
    Mul::mul => Multiply,
    Div::div => Divide,
    Rem::rem => Remainder,
    BitAnd::bitand => And,
    BitOr::bitor => Or,
    BitXor::bitxor => Xor,
    Shl::shl => ShiftLeft,
    Shr::shr => ShiftRight,
}

/// Declares what threads share and then the main thread.
#[derive(Debug)]
pub struct Builder {
    name: String,
    declarations: Vec<Declaration>,
}

impl Builder {
    /// An empty program.
    pub fn new(name: &str) -> Builder {
        Builder { name: name.to_owned(), declarations: Vec::new() }
    }

    /// A shared variable.
    pub fn variable(&mut self, name: &str, initial: i32) -> Variable {
        Variable(self.declare(name.to_owned(), LocationKind::Variable { initial, volatile: false }))
    }

    /// A shared variable whose accesses synchronise.
    pub fn volatile(&mut self, name: &str, initial: i32) -> Variable {
        Variable(self.declare(name.to_owned(), LocationKind::Variable { initial, volatile: true }))
    }

    /// A shared array.
    pub fn array(&mut self, name: &str, length: u32, initial: i32) -> Array {
        assert!(length > 0, "an array has elements");
        let mut elements = (0..length).map(|index| {
            let kind = LocationKind::Variable { initial, volatile: false };
            self.declare(format!("{name}[{index}]"), kind)
        });
        let base = elements.next().expect("an array has elements");
        elements.for_each(drop);
        Array { base, length }
    }

    /// A lock.
    pub fn lock(&mut self, name: &str) -> Lock {
        Lock(self.declare(name.to_owned(), LocationKind::Lock))
    }

    /// A condition to wait for while holding the lock.
    pub fn condition(&mut self, name: &str, lock: Lock) -> Condition {
        Condition(self.declare(name.to_owned(), LocationKind::Condition(lock.0)))
    }

    /// A semaphore with so many permits at first.
    pub fn semaphore(&mut self, name: &str, permits: i32) -> Semaphore {
        Semaphore(self.declare(name.to_owned(), LocationKind::Semaphore(permits)))
    }

    /// The program whose main thread does this.
    pub fn main(self, describe: impl FnOnce(&mut ThreadBuilder<'_>)) -> TestProgram {
        let mut bodies = vec![None];
        let mut main = ThreadBuilder::new(&mut bodies, "main".to_owned());
        describe(&mut main);
        let main = main.finish();
        bodies[0] = Some(main);
        let bodies = bodies.into_iter().map(|body| body.expect("every body was finished"));
        TestProgram::new(Ast::new(self.name, self.declarations, bodies.collect()))
    }

    fn declare(&mut self, name: String, kind: LocationKind) -> u32 {
        let location = u32::try_from(self.declarations.len()).expect("fewer than 2^32 locations");
        self.declarations.push(Declaration { name, kind });
        location
    }
}

/// Describes what one thread does, statement by statement.
#[derive(Debug)]
pub struct ThreadBuilder<'p> {
    bodies: &'p mut Vec<Option<Body>>,
    body: Body,
}

impl<'p> ThreadBuilder<'p> {
    fn new(bodies: &'p mut Vec<Option<Body>>, name: String) -> ThreadBuilder<'p> {
        let body = Body {
            name,
            line: 0,
            registers: Vec::new(),
            handles: Vec::new(),
            statements: Vec::new(),
        };
        ThreadBuilder { bodies, body }
    }

    fn finish(self) -> Body {
        self.body
    }

    /// A new register, zero at first.
    pub fn register(&mut self, name: &str) -> Register {
        let number = u16::try_from(self.body.registers.len()).expect("fewer than 2^16 registers");
        self.body.registers.push(name.to_owned());
        Register(number)
    }

    /// A new register with a value.
    pub fn local(&mut self, name: &str, value: impl Into<Expr>) -> Register {
        let register = self.register(name);
        self.set(register, value);
        register
    }

    /// Gives a register a value.
    pub fn set(&mut self, register: Register, value: impl Into<Expr>) {
        let value = self.checked(value.into());
        self.push(Kind::Set(register, value));
    }

    /// Reads into a new register.
    pub fn read(&mut self, target: impl Into<Target>) -> Register {
        let register = self.fresh("r");
        self.read_into(register, target);
        register
    }

    /// Reads into a register.
    pub fn read_into(&mut self, register: Register, target: impl Into<Target>) {
        let cell = self.cell(target.into());
        self.push(Kind::Read(register, cell));
    }

    /// Writes.
    pub fn write(&mut self, target: impl Into<Target>, value: impl Into<Expr>) {
        let value = self.checked(value.into());
        let cell = self.cell(target.into());
        self.push(Kind::Write(cell, value));
    }

    /// Adds atomically and gives the old value.
    pub fn fetch_add(&mut self, target: impl Into<Target>, by: impl Into<Expr>) -> Register {
        let by = self.checked(by.into());
        let cell = self.cell(target.into());
        let register = self.fresh("r");
        self.push(Kind::FetchAdd(register, cell, by));
        register
    }

    /// Sets atomically if the variable holds what is expected, and gives 1 if it did, else 0.
    pub fn compare_and_set(
        &mut self,
        target: impl Into<Target>,
        expected: impl Into<Expr>,
        new: impl Into<Expr>,
    ) -> Register {
        let expected = self.checked(expected.into());
        let new = self.checked(new.into());
        let cell = self.cell(target.into());
        let to = self.fresh("r");
        self.push(Kind::CompareAndSet { to, cell, expected, new });
        to
    }

    /// Takes a lock.
    pub fn acquire(&mut self, lock: Lock) {
        self.push(Kind::Acquire(Object(lock.0)));
    }

    /// Takes a lock if nobody else holds it, and gives 1 if it did, else 0.
    pub fn try_acquire(&mut self, lock: Lock) -> Register {
        let register = self.fresh("r");
        self.push(Kind::TryAcquire(register, Object(lock.0)));
        register
    }

    /// Frees a lock.
    pub fn release(&mut self, lock: Lock) {
        self.push(Kind::Release(Object(lock.0)));
    }

    /// Does something while holding a lock.
    pub fn locked(&mut self, lock: Lock, describe: impl FnOnce(&mut ThreadBuilder<'_>)) {
        self.acquire(lock);
        describe(self);
        self.release(lock);
    }

    /// Waits until notified, the condition's lock freed meanwhile.
    pub fn wait(&mut self, condition: Condition) {
        self.push(Kind::Wait(Object(condition.0)));
    }

    /// Waits until notified or interrupted, or until time has passed if there is a limit; gives 0, 2 or 1.
    pub fn wait_or(&mut self, condition: Condition, timed: bool) -> Register {
        let to = self.fresh("w");
        self.push(Kind::WaitOr { to, condition: Object(condition.0), timed });
        to
    }

    /// Interrupts the child of the main thread with this number.
    pub fn interrupt(&mut self, child: u32) {
        self.push(Kind::Interrupt(child));
    }

    /// Gives 1 if the thread itself was interrupted, which is forgotten, else 0.
    pub fn interrupted(&mut self) -> Register {
        let register = self.fresh("r");
        self.push(Kind::Interrupted(register));
        register
    }

    /// Waits until a lock is free, and takes and frees it in one step.
    pub fn pass(&mut self, lock: Lock) {
        self.push(Kind::Pass(Object(lock.0)));
    }

    /// Wakes one waiting thread, any.
    pub fn notify(&mut self, condition: Condition) {
        self.push(Kind::Notify(Object(condition.0)));
    }

    /// Wakes all waiting threads.
    pub fn notify_all(&mut self, condition: Condition) {
        self.push(Kind::NotifyAll(Object(condition.0)));
    }

    /// Takes a permit.
    pub fn down(&mut self, semaphore: Semaphore) {
        self.push(Kind::Down(Object(semaphore.0)));
    }

    /// Gives a permit.
    pub fn up(&mut self, semaphore: Semaphore) {
        self.push(Kind::Up(Object(semaphore.0)));
    }

    /// Spins until the variable compares so with a constant or a register that holds a known value:
    /// blocked meanwhile. The variable must only ever be given known values.
    pub fn await_until(&mut self, variable: Variable, operator: Operator, value: impl Into<Expr>) {
        self.await_all([(variable, operator, value.into())]);
    }

    /// As [`Self::await_until`], until all requirements hold at once, of a variable each.
    pub fn await_all(
        &mut self,
        requirements: impl IntoIterator<Item = (Variable, Operator, Expr)>,
    ) {
        self.push_await(requirements, None);
    }

    /// As [`Self::await_all`], and gives a variable a known value in the same step.
    pub fn await_then_write(
        &mut self,
        requirements: impl IntoIterator<Item = (Variable, Operator, Expr)>,
        variable: Variable,
        value: impl Into<Expr>,
    ) {
        let value = value.into();
        assert!(!matches!(value, Expr::Binary(..)), "compute before waiting");
        self.push_await(requirements, Some((variable.0, value)));
    }

    fn push_await(
        &mut self,
        requirements: impl IntoIterator<Item = (Variable, Operator, Expr)>,
        then: Option<(u32, Expr)>,
    ) {
        let requirement = |(variable, operator, value): (Variable, Operator, Expr)| {
            assert!(operator.is_comparison(), "{operator:?} is no comparison");
            assert!(!matches!(value, Expr::Binary(..)), "compute before waiting");
            Requirement { location: variable.0, operator, value }
        };
        let requirements: Vec<Requirement> = requirements.into_iter().map(requirement).collect();
        assert!(!requirements.is_empty(), "there is something to wait for");
        self.push(Kind::Await(requirements, then));
    }

    /// An unknown number from `low` to `high`, both included.
    pub fn input(&mut self, low: i32, high: i32) -> Register {
        assert!(low <= high, "an input has a value");
        let register = self.fresh("in");
        self.push(Kind::Input(register, Some((low, high))));
        register
    }

    /// Any unknown number.
    pub fn any_input(&mut self) -> Register {
        let register = self.fresh("in");
        self.push(Kind::Input(register, None));
        register
    }

    /// A number below `count`, chosen by the scheduler.
    pub fn choose(&mut self, count: u32) -> Register {
        assert!(count > 0, "there is something to choose");
        let register = self.fresh("c");
        self.push(Kind::Choose(register, count));
        register
    }

    /// If the condition is not zero the one, else the other.
    pub fn branch(
        &mut self,
        condition: impl Into<Expr>,
        yes: impl FnOnce(&mut ThreadBuilder<'_>),
        no: impl FnOnce(&mut ThreadBuilder<'_>),
    ) {
        let condition = self.checked(condition.into());
        let yes = self.block(yes);
        let no = self.block(no);
        self.push(Kind::If(condition, yes, no));
    }

    /// If the condition is not zero.
    pub fn when(&mut self, condition: impl Into<Expr>, yes: impl FnOnce(&mut ThreadBuilder<'_>)) {
        self.branch(condition, yes, |_| {});
    }

    /// While the condition is not zero.
    pub fn repeat(
        &mut self,
        condition: impl Into<Expr>,
        body: impl FnOnce(&mut ThreadBuilder<'_>),
    ) {
        let condition = whole(condition.into());
        let body = self.block(body);
        self.push(Kind::While(condition, None, body));
    }

    /// While the condition is not zero, but at most so often.
    pub fn repeat_at_most(
        &mut self,
        bound: u32,
        condition: impl Into<Expr>,
        body: impl FnOnce(&mut ThreadBuilder<'_>),
    ) {
        let condition = whole(condition.into());
        let counter = self.fresh("n");
        let body = self.block(body);
        self.push(Kind::While(condition, Some((counter, bound)), body));
    }

    /// Fails unless the condition is other than zero.
    pub fn assert(&mut self, condition: impl Into<Expr>, message: &str) {
        let condition = self.checked(condition.into());
        self.push(Kind::Assert(condition, FindingKind::Assertion, message.to_owned()));
    }

    /// Fails.
    pub fn fail(&mut self, message: &str) {
        self.push(Kind::Fail(message.to_owned()));
    }

    /// Does something that the machine does not support: the thread goes no further, and every
    /// execution that comes here is cut.
    pub fn unsupported(&mut self, message: &str) {
        self.push(Kind::Unsupported(message.to_owned()));
    }

    /// Starts a thread that does this.
    pub fn spawn(&mut self, describe: impl FnOnce(&mut ThreadBuilder<'_>)) -> Handle {
        let number = self.bodies.len();
        let id = BodyId(u16::try_from(number).expect("fewer than 2^16 thread bodies"));
        self.bodies.push(None);
        let mut thread = ThreadBuilder::new(self.bodies, format!("t{number}"));
        describe(&mut thread);
        let body = thread.finish();
        self.bodies[number] = Some(body);
        let handle = self.fresh("t");
        self.body.handles.push(handle);
        self.push(Kind::Spawn(handle, id));
        Handle(handle)
    }

    /// Waits until a thread has ended.
    pub fn join(&mut self, thread: Handle) {
        self.push(Kind::Join(thread.0));
    }

    /// Waits until a thread has ended or this one is interrupted, and gives 1 if it was interrupted.
    pub fn join_or(&mut self, thread: Handle) -> Register {
        let register = self.fresh("r");
        self.push(Kind::JoinOr(register, thread.0));
        register
    }

    fn push(&mut self, kind: Kind) {
        self.body.statements.push(Statement { line: 0, kind });
    }

    fn fresh(&mut self, prefix: &str) -> Register {
        let name = format!("{prefix}{}", self.body.registers.len());
        self.register(&name)
    }

    fn block(&mut self, describe: impl FnOnce(&mut ThreadBuilder<'_>)) -> Vec<Statement> {
        let before = std::mem::take(&mut self.body.statements);
        describe(self);
        std::mem::replace(&mut self.body.statements, before)
    }

    /// The expression with every divisor that may be zero checked first.
    fn checked(&mut self, expr: Expr) -> Expr {
        let Expr::Binary(operator, left, right) = expr else { return expr };
        let left = self.checked(*left);
        let mut right = self.checked(*right);
        let division = matches!(operator, Operator::Divide | Operator::Remainder);
        let safe = matches!(right, Expr::Constant(divisor) if divisor != 0);
        if division && !safe {
            let divisor = self.fresh("d");
            self.push(Kind::Set(divisor, right));
            let message = "division by zero".to_owned();
            self.push(Kind::Assert(divisor.differs(0), FindingKind::Exception, message));
            right = divisor.into();
        }
        Expr::binary(operator, left, right)
    }

    fn cell(&mut self, target: Target) -> Cell {
        match target {
            Target::Variable(variable) => Cell::Fixed(variable.0),
            Target::Element(array, Expr::Constant(index)) => {
                let index = u32::try_from(index).expect("a constant index is in bounds");
                assert!(index < array.length, "a constant index is in bounds");
                Cell::Fixed(array.base + index)
            }
            Target::Element(array, index) => {
                let index = self.checked(index);
                let register = self.fresh("i");
                let length = i32::try_from(array.length).expect("an array has an int's length");
                self.push(Kind::Set(register, index));
                let inside = register.at_least(0) & register.less(length);
                let message = "index out of bounds".to_owned();
                self.push(Kind::Assert(inside, FindingKind::Exception, message));
                self.push(Kind::Split(register, array.length));
                Cell::Element(array.base, register)
            }
        }
    }
}

/// A loop's condition is computed again each time round, where no check of a divisor can stand.
fn whole(condition: Expr) -> Expr {
    assert!(!condition.divides_by_unknown(), "divide into a register before the loop's condition");
    condition
}
